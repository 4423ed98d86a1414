//! Running scripts in kept sandboxes, and keeping what they change however they end.

use crate::run;
use crate::system::Ending;
use anyhow::{Context, bail};
use offshoot::lifecycle::{Lease, ObjectId, Sandboxes, SetupStatus};
use offshoot::{Code, Exec, Execution, Sandbox, Stdin};
use std::io::Write;
use std::time::Duration;

/// The status of `exec` where the sandbox was suspended under the script: `EX_TEMPFAIL`.
const SUSPENDED: u8 = 75;

/// Longer than any setup takes.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// What is to be executed, and how.
pub struct Order {
    /// The script.
    pub exec: Exec,
    /// The session that it is of.
    pub session: Option<String>,
    /// Its text was all of standard input.
    pub is_stdin: bool,
    /// One JSON object is printed at its end.
    pub json: bool,
}

/// Runs a script in a sandbox.
///
/// # Errors
/// Where it cannot be run, or what it changed cannot be kept.
pub async fn execute(sandboxes: &Sandboxes, name: &str, order: Order) -> anyhow::Result<u8> {
    let mut ending = Ending::new()?;
    let lease = match begin(sandboxes, name, &mut ending).await? {
        Ok(lease) => lease,
        Err(status) => return Ok(status),
    };
    let Order {
        exec,
        session,
        is_stdin,
        json,
    } = order;
    lease.label(&exec.text()).await;
    if session.is_none() && !json {
        let running = lease.spawn(exec.stdin(Stdin::Piped))?;
        let input = is_stdin.then(tokio::io::empty);
        return stay(sandboxes, lease, running, input, ending).await;
    }
    let mut document = None;
    let work = async {
        if let Some(session) = session {
            let session = lease.session(&session).await;
            let result = session.exec(exec).await?;
            if !json {
                let mut stdout = std::io::stdout();
                stdout.write_all(&result.stdout)?;
                // At the end of the process nobody would hear that there is no room.
                stdout.flush()?;
                std::io::stderr().write_all(&result.stderr)?;
                return Ok(result.exit_code);
            }
            document = Some(run::document(&result, None, None));
            return Ok(result.exit_code);
        }
        let (observed, status) = run::observe(&lease, exec).await?;
        document = Some(observed);
        Ok(status)
    };
    let ran = ending.or(work).await.unwrap_or_else(Ok);
    let status = finish(sandboxes, name, lease, ran).await?;
    // It says that what it tells of is kept.
    if let Some(document) = document {
        writeln!(std::io::stdout(), "{document}")?;
    }
    Ok(status)
}

/// Wakes a sandbox for a conversation with it, and keeps what that changes.
///
/// # Errors
/// Where it cannot be woken, the conversation fails, or what it changed cannot be kept.
pub async fn converse<W: Future<Output = anyhow::Result<u8>>>(
    sandboxes: &Sandboxes,
    name: &str,
    conversation: impl FnOnce(Sandbox) -> W,
) -> anyhow::Result<u8> {
    let mut ending = Ending::new()?;
    let lease = match begin(sandboxes, name, &mut ending).await? {
        Ok(lease) => lease,
        Err(status) => return Ok(status),
    };
    let ran = tokio::select! {
        ran = conversation(Sandbox::clone(&lease)) => ran,
        status = ending.hangup() => Ok(status),
    };
    finish(sandboxes, name, lease, ran).await
}

/// Wakes a sandbox and waits for its setup; the status to end with where a signal comes first.
async fn begin(
    sandboxes: &Sandboxes,
    name: &str,
    ending: &mut Ending,
) -> anyhow::Result<Result<Lease, u8>> {
    let lease = match ending.or(sandboxes.lease(name)).await {
        Ok(lease) => lease?,
        Err(status) => return Ok(Err(status)),
    };
    // What a setup had done when it is given up is done again, so nothing of it is to be kept.
    match ending.or(make_ready(sandboxes, name)).await {
        Ok(Ok(())) => Ok(Ok(lease)),
        Ok(Err(error)) => {
            sandboxes.setup(name).settled().await;
            finish(sandboxes, name, lease, Err(error)).await.map(Err)
        }
        Err(status) => Ok(Err(status)),
    }
}

/// Waits until the setup of a sandbox has gone through.
async fn make_ready(sandboxes: &Sandboxes, name: &str) -> anyhow::Result<()> {
    let setup = sandboxes.setup(name).get().await?;
    if setup.steps.is_empty() || setup.status == SetupStatus::Finished {
        sandboxes.setup(name).settled().await;
        return Ok(());
    }
    if setup.status != SetupStatus::Stopped {
        let names: Vec<&str> = setup.steps.iter().map(|step| step.name.as_str()).collect();
        let mut stderr = std::io::stderr();
        writeln!(
            stderr,
            "offshoot: {name} is set up first: {}",
            names.join(", ")
        )?;
    }
    complete(sandboxes, name).await
}

/// Waits for the end of a setup, which must be a good one.
///
/// # Errors
/// For a step that failed, with what it wrote.
pub async fn complete(sandboxes: &Sandboxes, name: &str) -> anyhow::Result<()> {
    let done = sandboxes.setup(name).wait(FOREVER).await;
    sandboxes.setup(name).settled().await;
    done.map_err(|error| {
        let written = error
            .output()
            .map(|output| output.stdout_text().trim_end().to_owned());
        let written = written.filter(|text| !text.is_empty());
        let hint = format!(
            "offshoot setup {name} --rerun runs it again, --skip goes on without it{}",
            written.map_or_else(String::new, |text| format!("; it wrote:\n{text}"))
        );
        anyhow::Error::from(error).context(hint)
    })
}

/// Goes on with a script that sleeps.
///
/// # Errors
/// Where there is none, or it cannot go on; it sleeps on then.
pub async fn go_on(sandboxes: &Sandboxes, name: &str, number: Option<u64>) -> anyhow::Result<u8> {
    let mut ending = Ending::new()?;
    let lease = match ending.or(sandboxes.lease(name)).await {
        Ok(lease) => lease?,
        Err(status) => return Ok(status),
    };
    let sleeping = lease.sleeping_scripts().await?;
    let id = match (number, &sleeping[..]) {
        (Some(number), _) => number,
        (None, [one]) => one.id,
        (None, all) => {
            let ids: Vec<String> = all.iter().map(|script| script.id.to_string()).collect();
            let found = if ids.is_empty() {
                "none".to_owned()
            } else {
                ids.join(", ")
            };
            drop(lease);
            rest(sandboxes, name).await?;
            bail!("--resume needs the number of a script that sleeps in {name}: {found}");
        }
    };
    match lease.resume_script(id).await {
        Ok(running) => {
            let input = None::<tokio::io::Empty>;
            stay(sandboxes, lease, running, input, ending).await
        }
        Err(error) => finish(sandboxes, name, lease, Err(error.into())).await,
    }
}

/// Stays with a script to its end, or until the sandbox is to be put to sleep.
async fn stay(
    sandboxes: &Sandboxes,
    lease: Lease,
    running: Execution,
    input: Option<impl tokio::io::AsyncRead + Unpin + Send + 'static>,
    ending: Ending,
) -> anyhow::Result<u8> {
    let (name, id) = (lease.name().to_owned(), running.id());
    let mut attended = std::pin::pin!(run::attend(running, input, ending));
    tokio::select! {
        ran = &mut attended => finish(sandboxes, &name, lease, ran).await,
        asked = sandboxes.asked_to_suspend(&name) => {
            asked?;
            drop(lease);
            // What it has written is shown meanwhile.
            let (suspended, ran) = tokio::join!(sandboxes.suspend_patiently(&name), attended);
            suspended.with_context(|| format!("keeping {name}"))?;
            if let Ok(status) = ran {
                return Ok(status);
            }
            let mut stderr = std::io::stderr();
            writeln!(stderr, "offshoot: {name} sleeps; offshoot exec {name} --resume {id} goes on")?;
            Ok(SUSPENDED)
        }
    }
}

/// Keeps what a script changed, however it ended.
async fn finish(
    sandboxes: &Sandboxes,
    name: &str,
    lease: Lease,
    ran: anyhow::Result<u8>,
) -> anyhow::Result<u8> {
    let whole = lease.check();
    drop(lease);
    let kept = rest(sandboxes, name).await;
    // What was lost is no longer there to be kept, whatever else is said of it.
    match whole {
        Err(error) if error.code() == Code::Fenced => return Err(error.into()),
        whole => {
            kept.with_context(|| format!("keeping {name}"))?;
            whole?;
        }
    }
    ran
}

/// Puts a sandbox to sleep that this command woke.
///
/// # Errors
/// Those of [`Sandboxes::suspend`].
pub async fn rest(sandboxes: &Sandboxes, name: &str) -> offshoot::Result<ObjectId> {
    // Waking it may have begun its setup.
    sandboxes.setup(name).settled().await;
    sandboxes.suspend(name).await
}
