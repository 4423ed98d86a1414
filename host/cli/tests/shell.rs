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
    // A command is edited before it runs again.
    tmux.keys(&["echo to be edited", "Enter"]);
    tmux.wait("to be edited");
    tmux.keys(&["fc -e 'sed -i s/to.be/was/'", "Enter"]);
    tmux.wait("echo was edited");
    tmux.wait("was edited");
    tmux.keys(&["ls /tmp/bash-fc.* 2> /dev/null | wc -l", "Enter"]);
    tmux.wait("0");
    // The terminal's size is known.
    tmux.keys(&["echo $COLUMNS $LINES", "Enter"]);
    tmux.wait("100 40");
}

/// The last lines of the screen with something on them, numbers of processes aside.
fn last_lines(tmux: &Tmux, count: usize) -> Vec<String> {
    let screen = tmux.screen();
    let shown: Vec<&str> = screen
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = shown.iter().skip(shown.len().saturating_sub(count));
    last.map(|line| line.trim_end().to_owned()).collect()
}

impl Tmux {
    /// Waits until the screen ends so.
    fn ends(&self, lines: &[&str]) {
        for _ in 0..LOOKS {
            if last_lines(self, lines.len()) == lines {
                return;
            }
            std::thread::sleep(LOOK);
        }
        panic!("{lines:?} do not appear:\n{}", self.screen());
    }

    /// Clears the screen and waits for the prompt.
    fn clear(&self) {
        self.keys(&["C-l"]);
        self.ends(&["user@sandbox:~$"]);
    }

    fn resize(&self, columns: &str, lines: &str) {
        let size = ["resize-window", "-t", "0", "-x", columns, "-y", lines];
        assert!(self.command(&size).status().unwrap().success());
    }
}

#[test]
fn jobs_are_controlled() {
    let folder = tempfile::tempdir().unwrap();
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), "shell")) else {
        return;
    };
    let prompt = "user@sandbox:~$";
    tmux.wait(prompt);
    // What computes stands still, uses no time, and goes on.
    tmux.keys(&["awk 'BEGIN { while (1) i++ }'; echo $?", "Enter"]);
    tmux.wait("user@sandbox:~$ awk 'BEGIN { while (1) i++ }'; echo $?");
    tmux.keys(&["C-z"]);
    let stopped = "[1]+  Stopped                 awk 'BEGIN { while (1) i++ }'";
    tmux.ends(&["^Z", stopped, "148", prompt]);
    tmux.keys(&["ps -o stat,comm | grep awk", "Enter"]);
    tmux.wait("T    awk");
    tmux.keys(&["bg", "Enter"]);
    tmux.ends(&["[1]+ awk 'BEGIN { while (1) i++ }' &", prompt]);
    tmux.keys(&["ps -o stat,comm | grep awk", "Enter"]);
    tmux.wait("S    awk");
    tmux.keys(&["fg", "Enter"]);
    tmux.ends(&["user@sandbox:~$ fg", "awk 'BEGIN { while (1) i++ }'"]);
    tmux.keys(&["C-c"]);
    tmux.ends(&["^C", prompt]);
    tmux.keys(&["echo $?; jobs", "Enter"]);
    tmux.ends(&["user@sandbox:~$ echo $?; jobs", "130", prompt]);
    // A program that reads is stopped, and gets what is typed when it is back.
    tmux.clear();
    tmux.keys(&["cat", "Enter"]);
    tmux.wait("user@sandbox:~$ cat");
    tmux.keys(&["one", "Enter"]);
    tmux.ends(&["one", "one"]);
    tmux.keys(&["C-z"]);
    tmux.ends(&["[1]+  Stopped                 cat", prompt]);
    tmux.keys(&["fg", "Enter"]);
    tmux.ends(&["user@sandbox:~$ fg", "cat"]);
    tmux.keys(&["two", "Enter"]);
    tmux.ends(&["cat", "two", "two"]);
    tmux.keys(&["C-c"]);
    tmux.ends(&[prompt]);
    // In the background: what it writes appears at once, its end before the next prompt.
    tmux.clear();
    tmux.keys(&["(sleep 0.5; echo written) &", "Enter"]);
    tmux.wait("written");
    tmux.keys(&["Enter"]);
    tmux.ends(&[
        "[1]+  Done                    ( sleep 0.5; echo written )",
        prompt,
    ]);
    // The end of the shell.
    tmux.clear();
    tmux.keys(&["sleep 100 | cat", "Enter"]);
    tmux.wait("user@sandbox:~$ sleep 100 | cat");
    tmux.keys(&["C-z"]);
    tmux.ends(&["[1]+  Stopped                 sleep 100 | cat", prompt]);
    tmux.keys(&["exit", "Enter"]);
    tmux.ends(&["exit", "There are stopped jobs.", prompt]);
    tmux.keys(&["kill %1; wait; jobs", "Enter"]);
    tmux.ends(&["[1]+  Terminated              sleep 100 | cat", prompt]);
}

#[test]
fn the_size_of_the_terminal_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), "shell")) else {
        return;
    };
    tmux.wait("user@sandbox:~$");
    tmux.keys(&["stty size; tput cols; echo $COLUMNS $LINES", "Enter"]);
    tmux.ends(&["40 100", "100", "100 40", "user@sandbox:~$"]);
    tmux.resize("90", "20");
    tmux.keys(&["stty size; tput cols; echo $COLUMNS $LINES", "Enter"]);
    tmux.ends(&["20 90", "90", "90 20", "user@sandbox:~$"]);
    // While something runs.
    tmux.clear();
    let waits = r#"bash -c 'trap "stty size; exit" WINCH; sleep 90 & wait'"#;
    tmux.keys(&[waits, "Enter"]);
    tmux.wait(&format!("user@sandbox:~$ {waits}"));
    tmux.resize("80", "25");
    tmux.ends(&["25 80", "user@sandbox:~$"]);
    tmux.keys(&["read -sp 'Secret: ' x; echo; echo got $x", "Enter"]);
    tmux.ends(&["Secret:"]);
    tmux.keys(&["hidden", "Enter"]);
    tmux.ends(&["got hidden", "user@sandbox:~$"]);
    assert!(!tmux.screen().contains("Secret: h"));
    tmux.keys(&["read -n1 x; echo; echo got $x", "Enter"]);
    tmux.wait("user@sandbox:~$ read -n1 x; echo; echo got $x");
    tmux.keys(&["k"]);
    tmux.ends(&["k", "got k", "user@sandbox:~$"]);
}

#[test]
fn what_the_shell_knows_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), "shell")) else {
        return;
    };
    tmux.wait("user@sandbox:~$");
    tmux.keys(&[
        "FORTUNATE=value; fortunately() { echo called; }; alias forth='echo alias'",
        "Enter",
    ]);
    tmux.keys(&[
        "mkdir -p folder/inner; touch folder/file; git init -q -b main repo",
        "Enter",
    ]);
    tmux.keys(&[
        "git config --global user.email a@b; git config --global user.name n",
        "Enter",
    ]);
    tmux.keys(&[
        "git -C repo commit -q --allow-empty -m x; git -C repo branch feature",
        "Enter",
    ]);
    tmux.keys(&["echo ready-$((1+1))", "Enter"]);
    tmux.wait("ready-2");
    for (typed, expected) in [
        ("echo $FORTU", "value"),
        ("fortuna", "called"),
        ("forth", "alias"),
        ("echo ~/fol", "/home/user/folder/"),
        ("ls -d folder/f", "folder/file"),
        ("cd folder/", "user@sandbox:~/folder/inner$"),
        ("cd ~/rep", "user@sandbox:~/repo$"),
        ("git switch -q fea", "user@sandbox:~/repo$"),
        ("git bran", "* feature"),
    ] {
        tmux.keys(&[typed, "Tab", "Enter"]);
        tmux.wait(expected);
    }
}

#[test]
fn listings_are_coloured_for_those_who_type() {
    let folder = tempfile::tempdir().unwrap();
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), "shell")) else {
        return;
    };
    tmux.wait("user@sandbox:~$");
    tmux.keys(&["mkdir folder; alias ls grep", "Enter"]);
    tmux.ends(&[
        "alias ls='ls --color=auto'",
        "alias grep='grep --color=auto'",
        "user@sandbox:~$",
    ]);
    tmux.keys(&[
        "ls; echo a needle | grep needle; ls | od -c | head -1",
        "Enter",
    ]);
    tmux.wait("0000000   f   o   l   d   e   r  \\n");
    let arguments = ["capture-pane", "-p", "-e", "-t", "0"];
    let output = tmux.command(&arguments).output().unwrap();
    let screen = String::from_utf8_lossy(&output.stdout).into_owned();
    for coloured in ["\u{1b}[1m\u{1b}[34mfolder", "\u{1b}[31mneedle"] {
        assert!(screen.contains(coloured), "{coloured:?}: {screen:?}");
    }
    // What a script does is its own.
    let script = "mkdir folder; ls; alias";
    let output = Command::new(env!("CARGO_BIN_EXE_offshoot"))
        .args(["run", "-c", script])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said, "folder\n");
}

#[test]
fn a_text_is_paged() {
    let folder = tempfile::tempdir().unwrap();
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), "shell")) else {
        return;
    };
    let prompt = "user@sandbox:~$";
    tmux.wait(prompt);
    tmux.keys(&["seq -f 'line %g' 1000 > text; less text", "Enter"]);
    tmux.ends(&["line 39", "text"]);
    tmux.keys(&["Space"]);
    tmux.ends(&["line 78", ":"]);
    tmux.keys(&["/e 50", "Enter"]);
    tmux.ends(&["line 88", ":"]);
    tmux.keys(&["n"]);
    tmux.ends(&["line 538", ":"]);
    tmux.keys(&["G"]);
    tmux.ends(&["line 1000", "(END)"]);
    tmux.keys(&["g"]);
    tmux.ends(&["line 39", ":"]);
    tmux.resize("100", "10");
    tmux.keys(&["Down"]);
    tmux.ends(&["line 10", ":"]);
    tmux.keys(&["q"]);
    tmux.ends(&[
        "user@sandbox:~$ seq -f 'line %g' 1000 > text; less text",
        prompt,
    ]);
    // From a pipe, and `more`.
    tmux.keys(&["cat text | less -N", "Enter"]);
    tmux.ends(&["      9 line 9", ":"]);
    tmux.keys(&["q"]);
    tmux.ends(&["user@sandbox:~$ cat text | less -N", prompt]);
    tmux.keys(&["more text", "Enter"]);
    tmux.wait("line 9");
    tmux.keys(&["Space"]);
    tmux.wait("line 18");
    tmux.keys(&["q"]);
    tmux.ends(&["line 18", prompt]);
    // Elsewhere it passes.
    tmux.keys(&["less text | tail -n 1", "Enter"]);
    tmux.ends(&["user@sandbox:~$ less text | tail -n 1", "line 1000", prompt]);
}

#[test]
fn a_file_is_edited() {
    let folder = tempfile::tempdir().unwrap();
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), "shell")) else {
        return;
    };
    let prompt = "user@sandbox:~$";
    tmux.wait(prompt);
    tmux.keys(&["seq 100 > file; vi file", "Enter"]);
    tmux.ends(&["39", "\"file\" 100L, 292B"]);
    tmux.keys(&[
        "Gdd3GA and more",
        "Escape",
        "Onew",
        "Escape",
        ":%s/7$/seven/",
        "Enter",
    ]);
    tmux.wait("9seven");
    tmux.keys(&[":wq", "Enter"]);
    tmux.ends(&["user@sandbox:~$ seq 100 > file; vi file", prompt]);
    tmux.keys(&[
        "head -n 4 file; tail -n 1 file; grep -c seven file",
        "Enter",
    ]);
    tmux.ends(&["1", "2", "new", "3 and more", "99", "10", prompt]);
    // The editor of git.
    tmux.clear();
    tmux.keys(&[
        "git config --global user.email a@b; git config --global user.name n",
        "Enter",
    ]);
    tmux.clear();
    tmux.keys(&[
        "git init -q -b main repo; cd repo; git commit --allow-empty",
        "Enter",
    ]);
    tmux.wait("# Please enter the commit message for your changes. Lines starting");
    tmux.keys(&["iFrom the editor", "Escape", "ZZ"]);
    tmux.wait("user@sandbox:~/repo$");
    tmux.keys(&["git log --format=%s", "Enter"]);
    tmux.ends(&["From the editor", "user@sandbox:~/repo$"]);
}

#[test]
fn a_kept_sandbox_keeps_what_was_done_however_the_shell_ends() {
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
    // With a job in the background, and a status.
    let shell = "shell work; echo status $?; sleep 1000";
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), shell)) else {
        return;
    };
    tmux.wait("user@sandbox:~$");
    tmux.keys(&["sleep 1000 & echo one > file; exit 7", "Enter"]);
    tmux.wait("status 7");
    assert_eq!(
        run(&["exec", "work", "-c", "cat file; ps | grep -c sleep"]),
        "one\n0\n"
    );
    // The terminal goes away.
    let Some(tmux) = Tmux::new(&offshoot(folder.path(), "shell work")) else {
        return;
    };
    tmux.wait("user@sandbox:~$");
    tmux.keys(&["echo two > file; echo done-$((1+1))", "Enter"]);
    tmux.wait("done-2");
    drop(tmux);
    assert_eq!(run(&["exec", "work", "-c", "cat file"]), "two\n");
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
