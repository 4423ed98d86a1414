//! `offshoot shell` as somebody meets it who types: in tmux, where that is installed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How often the screen is looked at, and how often before it counts as standing still.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 600;

/// A terminal of its own.
struct Tmux {
    folder: tempfile::TempDir,
}

impl Tmux {
    /// A terminal in which `command` runs; none where there is no tmux.
    fn new(command: &str) -> Option<Tmux> {
        let folder = tempfile::tempdir().unwrap();
        let tmux = Tmux { folder };
        let size = ["-x", "100", "-y", "40"];
        let mut start = tmux.command(&["-f", "/dev/null", "new-session", "-d"]);
        start.args(size).arg(command).env("TERM", "xterm");
        match start.status() {
            Ok(status) if status.success() => Some(tmux),
            Ok(status) => panic!("tmux: {status}"),
            Err(_) => {
                println!("left out: there is no tmux");
                None
            }
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        let socket = self.folder.path().join("socket");
        command.arg("-S").arg(socket).args(arguments);
        command.stderr(Stdio::null());
        command
    }

    /// Types; names of keys such as `Enter` are keys.
    fn keys(&self, keys: &[&str]) {
        let sent = self.command(&["send-keys", "-t", "0"]).args(keys).status();
        assert!(sent.unwrap().success(), "{keys:?}");
    }

    fn screen(&self) -> String {
        let output = self.command(&["capture-pane", "-p", "-t", "0"]).output();
        String::from_utf8_lossy(&output.unwrap().stdout).into_owned()
    }

    /// Waits until a line of the screen is this.
    fn wait(&self, line: &str) {
        for _ in 0..LOOKS {
            if self.screen().lines().any(|shown| shown.trim_end() == line) {
                return;
            }
            std::thread::sleep(LOOK);
        }
        panic!("{line:?} does not appear:\n{}", self.screen());
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        let _ = self.command(&["kill-server"]).status();
    }
}

fn offshoot(store: &Path, arguments: &str) -> String {
    format!(
        "env OFFSHOOT_STORE={} {} {arguments}",
        store.display(),
        env!("CARGO_BIN_EXE_offshoot")
    )
}

#[test]
fn what_is_typed_runs() {
    let folder = tempfile::tempdir().unwrap();
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), "shell")) else {
        return;
    };
    tmux.wait("user@sandbox:~$");
    // Several lines at once.
    tmux.keys(&["echo 1-$((1+1))\necho 2-$((1+1))\necho 3-$((1+1))\n"]);
    tmux.wait("1-2");
    tmux.wait("2-2");
    tmux.wait("3-2");
    // The lines before.
    tmux.keys(&["echo first second", "Enter"]);
    tmux.wait("first second");
    tmux.keys(&["echo got !$", "Enter"]);
    tmux.wait("got second");
    tmux.keys(&["printf '<%s>\\n' ", "M-.", "Enter"]);
    tmux.wait("<second>");
    // Completion: of a variable, an option, a path, a command.
    tmux.keys(&["echo $HOM", "Tab", " done", "Enter"]);
    tmux.wait("/home/user done");
    tmux.keys(&["sort --numeric-s", "Tab", " <<< $'10\\n9'", "Enter"]);
    tmux.wait("9");
    tmux.keys(&["echo /usr/bi", "Tab", " found", "Enter"]);
    tmux.wait("/usr/bin/ found");
    tmux.keys(&["basena", "Tab", " /x/named", "Enter"]);
    tmux.wait("named");
    // The terminal's size is known.
    tmux.keys(&["echo $COLUMNS $LINES", "Enter"]);
    tmux.wait("100 40");
}

#[test]
fn what_is_done_in_a_kept_sandbox_stays() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_offshoot"))
            .args(arguments)
            .env("OFFSHOOT_STORE", folder.path())
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run(&["create", "work"]);
    let Some(tmux) = Tmux::new(&offshoot(
        folder.path(),
        "shell work; echo over; sleep 1000",
    )) else {
        return;
    };
    tmux.wait("user@sandbox:~$");
    tmux.keys(&["echo kept > file; cat file", "Enter"]);
    tmux.wait("kept");
    tmux.keys(&["exit", "Enter"]);
    tmux.wait("over");
    assert_eq!(run(&["exec", "work", "-c", "cat file"]), "kept\n");
}

#[test]
fn commands_are_read_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let script = format!("echo 'echo one; cat file; echo two >> file' | {arguments}");
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(run(&offshoot(folder.path(), "shell")), "one\n");
    let made = Command::new(env!("CARGO_BIN_EXE_offshoot"))
        .args(["create", "work"])
        .env("OFFSHOOT_STORE", folder.path())
        .status();
    assert!(made.unwrap().success());
    assert_eq!(run(&offshoot(folder.path(), "shell work")), "one\n");
    assert_eq!(run(&offshoot(folder.path(), "shell work")), "one\ntwo\n");
}
