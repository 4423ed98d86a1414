//! Job control, as somebody meets it who types: lines and signals go in, and what a shell says comes out.
#![cfg(feature = "linked")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::rc::Rc;
use std::time::{Duration, Instant};

use offshoot_shell::machine::{ExecutionId, Machine, Progress, Request, Setup, Source};
use offshoot_shell::os::linked::{LinkedOs, Output, Settings};
use offshoot_shell::os::{Handle, Os};
use offshoot_shell::sandbox::{ExecOptions, Sandbox};
use offshoot_vfs::{Options, Vfs};

const INTERRUPT: u8 = 2;
const STOP: u8 = 20;

/// A shell at a terminal, but for the terminal: `-m` stands for it.
struct Typed {
    os: Rc<LinkedOs>,
    machine: Machine,
    id: ExecutionId,
    keys: Handle,
    screen: Output,
}

impl Typed {
    fn new() -> Typed {
        let os = LinkedOs::new(Vfs::new(Options::default()), Settings::default());
        let os = Rc::new(os);
        let mut machine = Machine::new(os.clone());
        let setup = Setup {
            directory: b"/".to_vec(),
            umask: 0o022,
            environment: vec![(b"PS1".to_vec(), b"$ ".to_vec())],
            ..Setup::default()
        };
        let session = machine.session(&setup);
        let (input, keys) = os.pipe().unwrap();
        let (both, screen) = os.output().unwrap();
        let words = ["-i", "-m", "--norc"].map(|word| word.as_bytes().to_vec());
        let request = Request {
            source: Source::Invocation(words.to_vec()),
            name: b"bash".to_vec(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            descriptors: vec![(0, input), (1, both), (2, os.duplicate(both).unwrap())],
            budgets: Default::default(),
        };
        let id = machine.start(&session, request);
        Typed {
            os,
            machine,
            id,
            keys,
            screen,
        }
    }

    fn line(&mut self, line: &str) {
        let line = format!("{line}\n");
        let written = self.os.write(self.keys, line.as_bytes()).unwrap();
        assert_eq!(written, line.len());
    }

    /// What appears until it ends with this.
    fn until(&mut self, end: &str) -> String {
        let mut seen = String::new();
        let late = Instant::now() + Duration::from_secs(60);
        loop {
            let progress = self.machine.poll();
            seen += &String::from_utf8(self.screen.take()).unwrap();
            if masked(&seen).ends_with(end) {
                return masked(&seen);
            }
            assert!(Instant::now() < late, "{end:?} does not appear: {seen:?}");
            assert!(
                progress != Progress::Finished || self.machine.outcome(self.id).is_none(),
                "it ended: {seen:?}"
            );
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Numbers of processes are never the same.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut digits = 0;
    for character in text.chars() {
        digits = match character.is_ascii_digit() {
            true => digits + 1,
            false => 0,
        };
        masked.push(character);
        if digits == 5 {
            masked.truncate(masked.len() - 5);
            masked.push('N');
        } else if digits > 5 {
            masked.pop();
        }
    }
    masked
}

enum Key {
    Line(&'static str),
    Signal(u8),
}
use Key::{Line, Signal};

#[test]
fn jobs_are_controlled() {
    let mut typed = Typed::new();
    assert_eq!(typed.until("$ "), "$ ");
    for (key, expected) in [
        (Line("sleep 0.01 &"), "[1] N\n$ "),
        (
            Line("wait %1"),
            "[1]+  Done                    sleep 0.01\n$ ",
        ),
        (
            Line("(exit 3) & wait"),
            "[1] N\n[1]+  Exit 3                  ( exit 3 )\n$ ",
        ),
        // Ctrl-Z of a command, `bg` and `fg`.
        (Line("sleep '100'; echo $?"), ""),
        (
            Signal(STOP),
            "[1]+  Stopped                 sleep '100'\n148\n$ ",
        ),
        (
            Line("jobs"),
            "[1]+  Stopped                 sleep '100'\n$ ",
        ),
        (Line("bg"), "[1]+ sleep '100' &\n$ "),
        (
            Line("jobs"),
            "[1]+  Running                 sleep '100' &\n$ ",
        ),
        (Line("fg; echo went on"), "sleep '100'\n"),
        (
            Signal(STOP),
            "[1]+  Stopped                 sleep '100'\nwent on\n$ ",
        ),
        (Line("fg %sl; echo not reached"), "sleep '100'\n"),
        (Signal(INTERRUPT), "$ "),
        (Line("echo $?; jobs"), "130\n$ "),
        // A pipeline, a subshell and what they started stand still as one.
        (Line("sleep 100 | (sleep 101; cat)"), ""),
        (
            Signal(STOP),
            "[1]+  Stopped                 sleep 100 | ( sleep 101; cat )\n$ ",
        ),
        (Line("true; exit"), "exit\nThere are stopped jobs.\n$ "),
        (
            Line("kill %1; wait"),
            "[1]+  Terminated              sleep 100 | ( sleep 101; cat )\n$ ",
        ),
        // A loop is not gone on with.
        (
            Line("for i in 1 2; do sleep 102; done; echo not reached"),
            "",
        ),
        (Signal(STOP), "[1]+  Stopped                 sleep 102\n$ "),
        (
            Line("kill -9 %1; wait"),
            "[1]+  Killed                  sleep 102\n$ ",
        ),
        (
            Line("for i in 1 2; do sleep 103; done; echo not reached"),
            "",
        ),
        (Signal(INTERRUPT), "$ "),
        // Two jobs.
        (Line("sleep 104 & sleep 105 &"), "[1] N\n[2] N\n$ "),
        (
            Line("jobs"),
            "[1]-  Running                 sleep 104 &\n[2]+  Running                 sleep 105 &\n$ ",
        ),
        (
            Line("disown %1; kill -STOP %2; sleep 0.01"),
            "[2]+  Stopped                 sleep 105\n$ ",
        ),
        (
            Line("kill %2; wait %2"),
            "[2]+  Terminated              sleep 105\n$ ",
        ),
        // Ctrl-C is for the foreground only.
        (Line("sleep 106 & sleep 107"), "[1] N\n"),
        (Signal(INTERRUPT), "$ "),
        (
            Line("jobs"),
            "[1]+  Running                 sleep 106 &\n$ ",
        ),
        (
            Line("kill %1; wait"),
            "[1]+  Terminated              sleep 106\n$ ",
        ),
        // What ends by a signal says so; who catches one goes on.
        (Line("bash -c 'kill -9 $$'"), "Killed\n$ "),
        (Line("trap 'echo caught' INT; sleep 108"), ""),
        (Signal(INTERRUPT), "caught\n$ "),
        (
            Line("trap - INT; fg %9; bg %9; kill %9"),
            "bash: fg: %9: no such job\nbash: bg: %9: no such job\nbash: kill: %9: no such job\n$ ",
        ),
        (Line("echo $-"), "himBHs\n$ "),
    ] {
        match key {
            Line(line) => typed.line(line),
            Signal(signal) => typed.machine.signal(typed.id, None, signal),
        }
        if expected.is_empty() {
            // It does nothing any more but wait.
            while typed.machine.poll() == Progress::More {}
            assert_eq!(masked(&String::from_utf8(typed.screen.take()).unwrap()), "");
        } else {
            assert_eq!(typed.until(expected), expected);
        }
    }
}

#[test]
fn an_empty_line_is_enough_to_hear_of_an_end() {
    let mut typed = Typed::new();
    typed.until("$ ");
    typed.line("sleep 0.01 &");
    typed.until("$ ");
    std::thread::sleep(Duration::from_millis(20));
    while typed.machine.poll() == Progress::More {}
    typed.line("");
    assert_eq!(
        typed.until("$ "),
        "[1]+  Done                    sleep 0.01\n$ "
    );
}

#[test]
fn the_second_exit_ends_a_shell_with_stopped_jobs() {
    let mut typed = Typed::new();
    typed.until("$ ");
    typed.line("sleep 100");
    while typed.machine.poll() == Progress::More {}
    typed.machine.signal(typed.id, None, STOP);
    typed.until("sleep 100\n$ ");
    typed.line("exit");
    typed.until("There are stopped jobs.\n$ ");
    typed.line("exit 4");
    while typed.machine.outcome(typed.id).is_none() {
        typed.machine.poll();
    }
    assert_eq!(typed.screen.take(), b"exit\n");
}

#[test]
fn an_interrupt_ends_a_script_where_it_ends_the_command_under_way() {
    let run = |script: &str| {
        let sandbox = Sandbox::new(Default::default()).unwrap();
        let options = ExecOptions::default();
        let result = sandbox.exec(script.as_bytes(), &options).unwrap();
        (String::from_utf8(result.stdout).unwrap(), result.status)
    };
    // Bash hears of it early enough only now and then, so it is no oracle here.
    let survives = [
        ("bash -c 'kill -INT $PPID'; echo $?", "0\n"),
        ("(kill -INT $$; exit 130); echo $?", "130\n"),
        (
            "bash -c 'trap : INT; kill -INT $PPID; exit 5'; echo $?",
            "5\n",
        ),
        (
            "trap 'echo trapped' INT; bash -c 'kill -INT $PPID; exit 3'; echo $?",
            "trapped\n3\n",
        ),
    ];
    for (script, output) in survives {
        assert_eq!(run(script), (output.to_owned(), 0), "{script}");
    }
    let ended = run("trap 'echo exit $?' EXIT; bash -c 'kill -INT $PPID; kill -INT $$'; echo no");
    assert_eq!(ended, ("exit 130\n".to_owned(), 130));
}
