//! The machine as its host drives it: sessions, saved state, budgets, signals, depth.
#![cfg(feature = "linked")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod depth;
mod limits;

use std::rc::Rc;

use offshoot_shell::machine::{
    Budgets, ExecutionId, Machine, Outcome, Progress, Request, Session, Setup, Source, StateError,
};
use offshoot_shell::os::linked::{LinkedOs, Settings};
use offshoot_vfs::{Options, Vfs};
use proptest::prelude::*;

struct Host {
    os: Rc<LinkedOs>,
    machine: Machine,
}

impl Host {
    fn new() -> Host {
        let os = Rc::new(LinkedOs::new(
            Vfs::new(Options::default()),
            Settings::default(),
        ));
        Host {
            machine: Machine::new(os.clone()),
            os,
        }
    }

    fn session(&mut self) -> Session {
        let setup = Setup {
            directory: b"/".to_vec(),
            umask: 0o022,
            ..Setup::default()
        };
        self.machine.session(&setup)
    }

    fn request(
        &self,
        script: &str,
        budgets: Budgets,
    ) -> (Request, [offshoot_shell::os::linked::Output; 2]) {
        let input = self.os.input(Vec::new()).unwrap();
        let (stdout, output) = self.os.output().unwrap();
        let (stderr, errors) = self.os.output().unwrap();
        let request = Request {
            source: Source::Text(script.into()),
            name: b"bash".to_vec(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            descriptors: vec![(0, input), (1, stdout), (2, stderr)],
            budgets,
        };
        (request, [output, errors])
    }

    fn run(&mut self, session: &Session, script: &str, budgets: Budgets) -> (Outcome, String) {
        let (request, [output, _errors]) = self.request(script, budgets);
        let id = self.machine.start(session, request);
        (self.end(id), String::from_utf8(output.take()).unwrap())
    }

    fn end(&mut self, id: ExecutionId) -> Outcome {
        let outcome = loop {
            let progress = self.machine.poll();
            if let Some(outcome) = self.machine.outcome(id) {
                break outcome;
            }
            assert!(progress != Progress::Finished, "the execution was lost");
        };
        self.machine.drop_execution(id);
        outcome
    }
}

const STATE: &str = "x=1; declare -a a=(1 [5]=2); declare -A m=([k]=v [l]=w); export E=e; \
    declare -i n=3; f() { echo in f $1; }; alias e='echo al'; set -o pipefail; shopt -s extglob; \
    trap 'echo usr' USR1; umask 027; readonly R=r; set -- p q";
const SHOW: &str = "echo $x ${!a[@]} ${a[@]} ${!m[@]} $E $((n + 1)) $R; f 7; alias e; \
    \
    [[ -o pipefail ]] && shopt extglob; trap; umask";

#[test]
fn a_saved_session_goes_on_elsewhere() {
    let mut host = Host::new();
    let session = host.session();
    assert_eq!(
        host.run(&session, STATE, Budgets::default()).0,
        Outcome::Exited(0)
    );
    let bytes = host.machine.save(&session).unwrap();
    let expected = host.run(&session, SHOW, Budgets::default());
    let mut other = Host::new();
    let loaded = other.machine.load(&bytes).unwrap();
    assert_eq!(
        other.machine.save(&loaded).unwrap(),
        bytes,
        "equal states, equal bytes"
    );
    assert_eq!(other.run(&loaded, SHOW, Budgets::default()), expected);
    assert!(expected.1.contains("1 0 5 1 2"), "{}", expected.1);
}

#[test]
fn equal_sessions_are_equal_bytes_however_their_texts_came_about() {
    let text = "x".repeat(100);
    let saved = [
        format!("a={text}; b=$a; :"),
        format!("b={text}; a={text}; :"),
    ]
    .map(|script| {
        let mut host = Host::new();
        let session = host.session();
        host.run(&session, &script, Budgets::default());
        host.machine.save(&session).unwrap()
    });
    assert_eq!(saved[0], saved[1]);
}

#[test]
fn a_session_keeps_files_open_by_path_and_offset() {
    let mut host = Host::new();
    let session = host.session();
    let script = "printf 'a\\nb\\nc\\n' > in; exec 3< in 4> out 5>&4; read -u 3 line; \
        echo one >&4; exec 7< <(:)";
    let first = host.run(&session, script, Budgets::default());
    assert_eq!(first.0, Outcome::Exited(0));
    let bytes = host.machine.save(&session).unwrap();
    let loaded = host.machine.load(&bytes).unwrap();
    assert_eq!(host.machine.save(&loaded).unwrap(), bytes);
    for session in [&session, &loaded] {
        let script = "read -u 3 line; echo $line; echo two >&5; echo three >&4; \
            while read l; do echo $l; done < out; { :; } 2> err <&7 || echo closed; exec 3<&-";
        let (_, output) = host.run(session, script, Budgets::default());
        assert_eq!(output, "b\none\ntwo\nthree\nclosed\n");
        let (_, output) = host.run(session, "read -u 3 x 2> err || echo $?", Budgets::default());
        assert_eq!(output, "1\n", "it was closed");
    }
    // Where the files are not there, the numbers are closed.
    let mut other = Host::new();
    let loaded = other.machine.load(&bytes).unwrap();
    let (_, output) = other.run(&loaded, "read -u 3 x 2> err || echo $?", Budgets::default());
    assert_eq!(output, "1\n");
}

#[test]
fn a_session_of_the_version_before_is_read() {
    let mut host = Host::new();
    let session = host.session();
    host.run(&session, "x=1; history -s line", Budgets::default());
    let bytes = host.machine.save(&session).unwrap();
    // It had no times of the history's lines: here they are one, and there is none of it.
    let mut old = bytes[..bytes.len() - 2].to_vec();
    old[8..16].copy_from_slice(&[4, 0, 0, 0, 4, 0, 0, 0]);
    let loaded = host.machine.load(&old).unwrap();
    assert_eq!(host.machine.save(&loaded).unwrap(), bytes);
}

#[test]
fn a_session_keeps_the_times_of_its_history() {
    let mut host = Host::new();
    let session = host.session();
    let script = "printf '#86400\none\n' > h; history -r h; history -s two";
    host.run(&session, script, Budgets::default());
    let bytes = host.machine.save(&session).unwrap();
    let loaded = host.machine.load(&bytes).unwrap();
    let script = "HISTTIMEFORMAT='%F '; history";
    let (_, output) = host.run(&loaded, script, Budgets::default());
    assert_eq!(output, "    1  1970-01-02 one\n    2  ??two\n");
}

#[test]
fn a_fork_is_independent() {
    let mut host = Host::new();
    let session = host.session();
    host.run(&session, "x=1", Budgets::default());
    let fork = session.fork().unwrap();
    host.run(&fork, "x=2", Budgets::default());
    assert_eq!(host.run(&session, "echo $x", Budgets::default()).1, "1\n");
    assert_eq!(host.run(&fork, "echo $x", Budgets::default()).1, "2\n");
}

#[test]
fn an_execution_apart_is_a_shell_of_its_own() {
    let mut host = Host::new();
    let session = host.session();
    host.run(&session, "x=1 SECONDS=1000", Budgets::default());
    let (request, [output, _errors]) = host.request("echo $x $SECONDS; x=2", Budgets::default());
    let id = host.machine.start_apart(&session, request);
    assert_eq!(host.end(id), Outcome::Exited(0));
    assert_eq!(output.take(), b"1 0\n");
    assert_eq!(host.run(&session, "echo $x", Budgets::default()).1, "1\n");
    assert!(session.fork().is_ok(), "nothing runs on it");
}

#[test]
fn copies_draw_random_numbers_of_their_own() {
    const DRAW: &str = "echo $RANDOM$RANDOM$RANDOM$RANDOM";
    let mut host = Host::new();
    let session = host.session();
    host.run(&session, DRAW, Budgets::default());
    let bytes = host.machine.save(&session).unwrap();
    let copies = [
        session.fork().unwrap(),
        session.fork().unwrap(),
        host.machine.load(&bytes).unwrap(),
        host.machine.load(&bytes).unwrap(),
    ];
    let drawn = copies.map(|copy| host.run(&copy, DRAW, Budgets::default()).1);
    for (index, numbers) in drawn.iter().enumerate() {
        assert!(!drawn[..index].contains(numbers), "{drawn:?}");
    }
    // A seed that was assigned is kept, but a subshell seeds itself, as in bash.
    let script = "RANDOM=5; echo $RANDOM; (echo $RANDOM) > /dev/null; echo $RANDOM";
    let (_, first) = host.run(&session, script, Budgets::default());
    let (_, second) = host.run(&session, script, Budgets::default());
    assert_eq!(first, second);
    let subshells = "RANDOM=5; echo $(echo $RANDOM$RANDOM) $(echo $RANDOM$RANDOM)";
    let (_, numbers) = host.run(&session, subshells, Budgets::default());
    let (one, other) = numbers.trim().split_once(' ').unwrap();
    assert_ne!(one, other);
}

#[test]
fn a_session_that_runs_is_busy() {
    let mut host = Host::new();
    let session = host.session();
    let (request, _outputs) = host.request("read x", Budgets::default());
    let id = host.machine.start(&session, request);
    assert_eq!(host.machine.save(&session), Err(StateError::Busy));
    assert!(matches!(session.fork(), Err(StateError::Busy)));
    host.machine.drop_execution(id);
    assert!(host.machine.save(&session).is_ok());
}

#[test]
fn a_signal_ends_a_loop_and_runs_its_trap() {
    let mut host = Host::new();
    for (script, status, text) in [
        ("while :; do :; done", 143, ""),
        ("kill -TERM $$; echo not", 143, ""),
        (
            "f() { kill -KILL $$; echo not; }; trap 'echo exit' EXIT; echo a; f",
            137,
            "a\n",
        ),
        (
            "trap 'echo exit' EXIT; (kill -INT $BASHPID); echo $?; kill $$",
            143,
            "130\nexit\n",
        ),
        (
            "trap 'echo term; exit 3' TERM; while :; do :; done",
            3,
            "term\n",
        ),
    ] {
        let session = host.session();
        let (request, [output, _errors]) = host.request(script, Budgets::default());
        let id = host.machine.start(&session, request);
        for _ in 0..3 {
            host.machine.poll();
        }
        if host.machine.outcome(id).is_none() {
            host.machine.signal(id, None, 15);
        }
        for _ in 0..1000 {
            if host.machine.outcome(id).is_some() {
                break;
            }
            host.machine.poll();
        }
        assert_eq!(
            host.machine.outcome(id),
            Some(Outcome::Exited(status)),
            "{script}"
        );
        assert_eq!(String::from_utf8(output.take()).unwrap(), text);
        host.machine.drop_execution(id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_state_is_an_error_and_no_panic(at in 0usize..4000, byte: u8, cut in 0usize..4000) {
        let mut host = Host::new();
        let session = host.session();
        host.run(&session, STATE, Budgets::default());
        let mut bytes = host.machine.save(&session).unwrap();
        let length = bytes.len();
        bytes[at % length] = byte;
        let _ = Host::new().machine.load(&bytes);
        bytes.truncate(cut % length);
        prop_assert!(Host::new().machine.load(&bytes).is_err());
    }

    #[test]
    fn any_bytes_are_refused(bytes: Vec<u8>) {
        prop_assert!(Host::new().machine.load(&bytes).is_err());
    }

    #[test]
    fn any_script_ends(script in "[a-z$ {}()|&;<>\"'`\\\\!\\[\\]=*?~#\n0-9]{0,60}") {
        let mut host = Host::new();
        let session = host.session();
        let budgets = Budgets { steps: 20_000, depth: 50, output: 10_000, expansion: 10_000, variables: 100_000 };
        let (request, _outputs) = host.request(&script, budgets);
        let id = host.machine.start(&session, request);
        for _ in 0..2000 {
            if host.machine.outcome(id).is_some() {
                break;
            }
            host.machine.poll();
        }
        host.machine.drop_execution(id);
    }
}
