//! The program `runsc`, and the state that it keeps of one factory's containers.

use super::NAME;
use offshoot_backend::{Code, Error, Result};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

/// How long one call may take, a command inside aside.
const ANSWER: Duration = Duration::from_secs(60);
/// Without cgroups and with the platform that needs no support of the processor it runs anywhere.
const FLAGS: [&str; 4] = [
    "--platform=ptrace",
    "--network=none",
    "--ignore-cgroups",
    "--overlay=true",
];

/// The program; with a state, it knows containers.
#[derive(Debug, Clone)]
pub(super) struct Runsc {
    program: PathBuf,
    state: PathBuf,
}

impl Runsc {
    /// The program in PATH.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where there is none, or nobody may use it.
    pub(super) fn find(operation: &'static str) -> Result<Runsc> {
        let unavailable =
            |message: &str| Error::new(Code::SandboxUnavailable, operation, message).on(NAME);
        if !rustix::process::geteuid().is_root() {
            return Err(unavailable("runsc needs root"));
        }
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&paths)
            .map(|directory| directory.join("runsc"))
            .find(|path| path.is_file())
            .ok_or_else(|| unavailable("there is no runsc in PATH"))?;
        Ok(Runsc {
            program,
            state: PathBuf::new(),
        })
    }

    /// The same with its state in this directory.
    pub(super) fn at(&self, state: &Path) -> Runsc {
        Runsc {
            program: self.program.clone(),
            state: state.to_owned(),
        }
    }

    /// A call with these arguments, without streams.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        // Of the host's variables nothing gets near a sandbox.
        command
            .env_clear()
            .envs(
                ["PATH", "TMPDIR"]
                    .into_iter()
                    .filter_map(|name| Some((name, std::env::var_os(name)?))),
            )
            .arg("--root")
            .arg(&self.state)
            .args(FLAGS)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Makes a call to its end. What it says goes to a file: a container that it starts keeps its
    /// streams, and a pipe would have no end.
    pub(super) async fn run(
        &self,
        operation: &'static str,
        log: &Path,
        arguments: &[&str],
    ) -> Result<()> {
        let died = |message: String| Error::new(Code::Died, operation, message).on(NAME);
        let file = File::create(log).map_err(|error| died(error.to_string()))?;
        let mut child = self
            .command(arguments)
            .stderr(file)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| died(format!("runsc: {error}")))?;
        let status = match tokio::time::timeout(ANSWER, child.wait()).await {
            Ok(status) => status.map_err(|error| died(format!("runsc: {error}")))?,
            Err(_) => {
                let seconds = ANSWER.as_secs();
                return Err(died(format!("runsc: no answer within {seconds} s")));
            }
        };
        if status.success() {
            return Ok(());
        }
        let said = std::fs::read_to_string(log).unwrap_or_default();
        let said = said.lines().next().unwrap_or("no reason given");
        Err(died(format!("runsc {}: {said}", arguments[0])))
    }

    /// What `runsc state` says the status is; none where it knows no such container.
    pub(super) async fn status(&self, id: &str) -> Result<Option<String>> {
        let asked = self
            .command(&["state", id])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .output();
        let died = |message: String| Error::new(Code::Died, "state", message).on(NAME);
        let output = match tokio::time::timeout(ANSWER, asked).await {
            Ok(output) => output.map_err(|error| died(format!("runsc: {error}")))?,
            Err(_) => return Err(died("runsc: no answer".to_owned())),
        };
        let state: Option<serde_json::Value> = serde_json::from_slice(&output.stdout).ok();
        Ok(state.and_then(|state| Some(state.get("status")?.as_str()?.to_owned())))
    }

    /// Ends all containers of a state whose owner is gone.
    pub(super) fn end_all(&self) {
        let mut listing = std::process::Command::new(&self.program);
        listing
            .arg("--root")
            .arg(&self.state)
            .args(["list", "-quiet"]);
        let Ok(listed) = listing.stderr(Stdio::null()).output() else {
            return;
        };
        for id in String::from_utf8_lossy(&listed.stdout).split_whitespace() {
            let mut ending = std::process::Command::new(&self.program);
            ending.arg("--root").arg(&self.state).args(FLAGS);
            ending.args(["delete", "-force", id]);
            // What cannot be ended now is tried again by the next factory.
            let _ = ending.stdout(Stdio::null()).stderr(Stdio::null()).status();
        }
    }
}
