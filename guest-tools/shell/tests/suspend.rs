//! Scripts that are suspended wherever they can be, and go on in another instance: what they print
//! and how they end is what it would have been.
#![cfg(feature = "linked")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use offshoot_shell::machine::{
    Budgets, ExecutionId, Limit, Machine, Outcome, Progress, Request, Setup, Source, StateError,
    SuspendError,
};
use offshoot_shell::os::linked::{LinkedOs, Output, Settings};
use offshoot_shell::os::{Handle, Interest, Os};
use offshoot_vfs::{Caller, Clock, Device, Options, Random, Timestamp, Vfs};
use proptest::prelude::*;

/// Scripts that wait, each ended by a line of `----`. What is typed meanwhile: a line a second.
const WAITING: &str = include_str!("waiting.txt");
/// Scripts of the other tests, which do about everything.
const SCRIPTS: &str = include_str!("scripts.txt");
const BUILTINS: &str = include_str!("../src/builtin/scripts.txt");

const TYPED: [&str; 4] = ["first line\n", "se", "cond line\nthird\n", "last"];
const SECOND: u64 = 1_000_000_000;

/// A wall clock that stands still.
struct Still;

impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp {
            seconds: 1_700_000_000,
            nanoseconds: 0,
        }
    }
}

/// The same bits for everybody.
struct Fixed;

impl Random for Fixed {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(7);
    }
}

/// How a script ended, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ended {
    outcome: Outcome,
    stdout: String,
    stderr: String,
}

/// A script under way, in an instance that can be replaced.
struct Run {
    os: Rc<LinkedOs>,
    clock: Rc<Cell<u64>>,
    machine: Machine,
    id: ExecutionId,
    outputs: [Output; 2],
    /// Where lines are typed, and how many were.
    keyboard: Option<Handle>,
    typed: usize,
    script: String,
    held: bool,
    /// Handles that the script does not close itself.
    lent: Vec<Handle>,
}

impl Run {
    fn new(script: &str, budgets: Budgets) -> Run {
        let vfs = Vfs::new(Options {
            clock: Arc::new(Still),
            ..Options::default()
        });
        for directory in ["/tmp", "/usr/bin", "/etc", "/dev"] {
            let path = directory.as_bytes();
            vfs.create_dir_all(&Caller::ROOT, vfs.root(), path, 0o755)
                .unwrap();
        }
        vfs.create_device(&Caller::ROOT, vfs.root(), b"/dev/null", Device::Null, 0o666)
            .unwrap();
        let clock = Rc::new(Cell::new(0));
        let monotonic = clock.clone();
        let os = Rc::new(LinkedOs::new(
            vfs,
            Settings {
                clock: Arc::new(Still),
                random: Arc::new(Fixed),
                monotonic: Box::new(move || monotonic.get()),
                ..Settings::default()
            },
        ));
        let mut machine = Machine::new(os.clone());
        let (input, keyboard) = os.pipe().unwrap();
        let (stdout, output) = os.output().unwrap();
        let (stderr, errors) = os.output().unwrap();
        let session = machine.session(&Setup {
            environment: vec![(b"PATH".to_vec(), b"/usr/bin:/bin".to_vec())],
            directory: b"/tmp".to_vec(),
            umask: 0o022,
            posix: false,
        });
        let id = machine.start(
            &session,
            Request {
                source: Source::Text(script.into()),
                name: b"bash".to_vec(),
                arguments: Vec::new(),
                environment: Vec::new(),
                directory: None,
                descriptors: vec![(0, input), (1, stdout), (2, stderr)],
                budgets,
            },
        );
        Run {
            os,
            clock,
            machine,
            id,
            outputs: [output, errors],
            keyboard: Some(keyboard),
            typed: 0,
            script: script.into(),
            held: false,
            lent: vec![input, stdout, stderr],
        }
    }

    /// Polls, and lets time go by where nothing else is to be done.
    fn step(&mut self, instructions: u32) -> Option<Outcome> {
        let progress = self.machine.poll_within(instructions);
        if let Some(outcome) = self.machine.outcome(self.id) {
            return Some(outcome);
        }
        if let Progress::Idle(interests) = progress
            && !(self.held && interests.is_empty())
            && !interests.iter().any(|interest| self.os.is_ready(*interest))
        {
            self.wait(&interests);
        }
        None
    }

    /// Goes on to the next point in time at which something happens.
    fn wait(&mut self, interests: &[Interest]) {
        let time = interests.iter().filter_map(|interest| match interest {
            Interest::Time(time) => Some(*time),
            _ => None,
        });
        let next_line = self.keyboard.map(|_| (self.typed as u64 + 1) * SECOND);
        let next = time.chain(next_line).min();
        let next = next.unwrap_or_else(|| panic!("waits for nothing: {}", self.script));
        self.clock.set(next.max(self.clock.get()));
        if next_line == Some(next) {
            let keyboard = self.keyboard.unwrap();
            match TYPED.get(self.typed) {
                Some(text) => {
                    self.os.write(keyboard, text.as_bytes()).unwrap();
                    self.typed += 1;
                }
                None => {
                    self.os.close(keyboard);
                    self.keyboard = None;
                }
            }
        }
    }

    fn ended(&self, outcome: Outcome) -> Ended {
        let [stdout, stderr] = &self.outputs;
        let text = |output: &Output| String::from_utf8_lossy(&output.take()).into_owned();
        Ended {
            outcome,
            stdout: text(stdout),
            stderr: text(stderr),
        }
    }

    fn finish(mut self, instructions: impl Fn(usize) -> u32) -> Ended {
        for poll in 0.. {
            if let Some(outcome) = self.step(instructions(poll)) {
                return self.ended(outcome);
            }
        }
        unreachable!()
    }

    /// Goes on in another instance, in which names and tasks have other numbers; false where a
    /// command is in flight.
    fn move_on(&mut self) -> bool {
        let suspended = match self.machine.suspend(self.id) {
            Ok(suspended) => suspended,
            Err(SuspendError::InFlight { .. }) => return false,
            Err(error) => panic!("{error}"),
        };
        let mut other = Machine::new(self.os.clone());
        let session = other.session(&Setup::default());
        other.start(&session, nothing("zz=1 yy=2; sleep 1000000"));
        other.poll();
        let handles: Vec<(Handle, Handle)> = suspended
            .handles
            .iter()
            .map(|&handle| (handle, self.os.duplicate(handle).unwrap()))
            .collect();
        let handle = |old| handles.iter().find(|(known, _)| *known == old).map(|h| h.1);
        // Time goes by while it is nowhere, but not for the script.
        let (_, id) = other.resume(&suspended.bytes, &handle).unwrap();
        self.machine = other;
        self.id = id;
        let before = std::mem::take(&mut self.lent);
        self.lent = before.iter().filter_map(|old| handle(*old)).collect();
        for old in before {
            self.os.close(old);
        }
        true
    }
}

fn nothing(script: &str) -> Request {
    Request {
        source: Source::Text(script.into()),
        name: b"bash".to_vec(),
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: None,
        descriptors: Vec::new(),
        budgets: Budgets::default(),
    }
}

/// As many instructions as a host's poll has.
fn many(_: usize) -> u32 {
    200_000
}

/// One at a time, as long as a script is short.
fn single(poll: usize) -> u32 {
    if poll < 2000 { 1 } else { 1009 }
}

fn plain(script: &str, instructions: impl Fn(usize) -> u32) -> Ended {
    Run::new(script, Budgets::default()).finish(instructions)
}

/// The script, suspended at every poll; how often that was, too.
fn suspended(script: &str, instructions: impl Fn(usize) -> u32) -> (Ended, usize) {
    let mut run = Run::new(script, Budgets::default());
    let mut moves = 0;
    for poll in 0.. {
        if let Some(outcome) = run.step(instructions(poll)) {
            return (run.ended(outcome), moves);
        }
        moves += usize::from(run.move_on());
    }
    unreachable!()
}

fn scripts(text: &'static str, separator: &str) -> Vec<&'static str> {
    let all = text.split(separator).map(str::trim);
    all.filter(|script| !script.is_empty()).collect()
}

#[test]
fn a_script_that_waits_goes_on_elsewhere() {
    for script in scripts(WAITING, "\n----\n") {
        let expected = plain(script, many);
        assert!(expected.stderr.is_empty(), "{script}\n{expected:?}");
        let (got, moves) = suspended(script, many);
        assert_eq!(got, expected, "{script}");
        assert!(moves > 0, "never waits: {script}");
    }
}

#[test]
fn a_script_is_suspended_between_any_two_instructions() {
    let all = scripts(WAITING, "\n----\n").into_iter();
    let all = all.chain(scripts(SCRIPTS, "\n----\n"));
    for script in all.chain(scripts(BUILTINS, "\n---\n")) {
        let expected = plain(script, single);
        let (got, _) = suspended(script, single);
        assert_eq!(got, expected, "{script}");
    }
}

#[test]
fn suspending_does_not_disturb_the_script() {
    for script in scripts(WAITING, "\n----\n") {
        let expected = plain(script, many);
        let mut run = Run::new(script, Budgets::default());
        let outcome = loop {
            if let Some(outcome) = run.step(200_000) {
                break outcome;
            }
            run.machine.suspend(run.id).unwrap();
        };
        assert_eq!(run.ended(outcome), expected, "{script}");
    }
}

#[test]
fn two_copies_of_one_image_are_independent() {
    let script = "x=1; sleep 1; (( x++ )); trap 'echo bye $x' EXIT; sleep 1; echo $x $!";
    let mut run = Run::new(script, Budgets::default());
    run.step(200_000);
    let image = run.machine.suspend(run.id).unwrap();
    let mut outputs = Vec::new();
    for _ in 0..2 {
        let (stdout, output) = run.os.output().unwrap();
        let give = |handle| {
            let at = image.handles.iter().position(|known| *known == handle)?;
            // Standard input, output and error in the order in which they were opened.
            Some(if at == 0 { handle } else { stdout })
        };
        run.machine.resume(&image.bytes, &give).unwrap();
        outputs.push(output);
    }
    let outcome = loop {
        if let Some(outcome) = run.step(200_000) {
            break outcome;
        }
    };
    for _ in 0..3 {
        run.machine.poll();
    }
    let expected = run.ended(outcome);
    assert_eq!(expected.stdout, "2\nbye 2\n");
    for output in outputs {
        assert_eq!(String::from_utf8(output.take()).unwrap(), expected.stdout);
    }
}

#[test]
fn what_is_in_flight_is_named_and_can_be_waited_for() {
    let mut run = Run::new(
        "cat; sleep 1; head -n 1 > /dev/null; echo done",
        Budgets::default(),
    );
    run.step(200_000);
    let error = run.machine.suspend(run.id).unwrap_err();
    let named = SuspendError::InFlight {
        command: b"cat".to_vec(),
        pid: None,
    };
    assert_eq!(error, named);
    assert_eq!(error.code(), "CONFLICT");
    run.machine.hold(run.id, true);
    run.held = true;
    let mut steps = 0;
    while run.machine.suspend(run.id).is_err() {
        run.step(200_000);
        steps += 1;
        assert!(steps < 100, "is never held");
    }
    // It stands before `sleep`; held, it goes no further.
    assert_eq!(run.machine.poll(), Progress::Idle(Vec::new()));
    run.machine.hold(run.id, false);
    run.held = false;
    assert_eq!(run.finish(many).stdout.lines().last(), Some("lastdone"));
}

#[test]
fn budgets_and_what_was_used_of_them_are_kept() {
    let script = "for ((i = 0; ; i++)); do echo $i; read -t 0.1; done";
    let budgets = Budgets {
        output: 50,
        ..Budgets::default()
    };
    let expected = Run::new(script, budgets).finish(many);
    assert_eq!(expected.outcome, Outcome::Exceeded(Limit::Output));
    let mut run = Run::new(script, budgets);
    let got = loop {
        if let Some(outcome) = run.step(200_000) {
            break run.ended(outcome);
        }
        run.move_on();
    };
    assert_eq!(got, expected);
}

#[test]
fn a_script_that_has_ended_cannot_be_suspended() {
    let mut run = Run::new("echo", Budgets::default());
    while run.step(1000).is_none() {}
    assert_eq!(run.machine.suspend(run.id), Err(SuspendError::Ended));
}

#[test]
fn what_frames_share_is_written_once() {
    let deep =
        "x=$(printf '%01000d' 7); d() { if (( $1 )); then d $(($1 - 1)); else read; fi; }; d";
    let size = |depth: u32| {
        let mut run = Run::new(&format!("{deep} {depth}"), Budgets::default());
        run.step(10_000_000);
        run.machine.suspend(run.id).unwrap().bytes.len()
    };
    let (few, many) = (size(10), size(1010));
    assert!((many - few) / 1000 < 200, "{few} {many}");
}

/// What is repeated before, what stands within, what is repeated after.
const NESTINGS: [(&str, &str, &str); 11] = [
    ("{ ", "sleep 1", "\n}"),
    ("( ", "sleep 1", " )"),
    ("if ", "sleep 1", "\nthen :; fi"),
    ("while sleep 1; do ", "break", "\nbreak; done"),
    ("for x in a; do ", "sleep 1", "\ndone"),
    ("case x in x) ", "sleep 1", "\nesac"),
    ("f() { ", "sleep 1", "\n}; f"),
    ("x=$(", "sleep 1", ")"),
    ("echo \"$(", "sleep 1", ")\""),
    (": ${x-", "$(sleep 1)", "}"),
    ("[[ $(", "sleep 1", ") ]]"),
];

#[test]
fn deep_nesting_is_kept_or_refused() {
    let mut deepest = u32::MAX;
    for (before, within, after) in NESTINGS {
        for levels in [10, 60, 130, 199, 300, 399] {
            let nested = before.repeat(levels) + within + &after.repeat(levels);
            let script = format!("g() {{ {nested}\n}}; sleep 1; g");
            let mut run = Run::new(&script, Budgets::default());
            if run.step(200_000).is_some() {
                continue; // The parser refused it.
            }
            match run.machine.suspend(run.id) {
                Ok(_) => assert!(run.move_on()),
                Err(error) => {
                    assert_eq!(error, SuspendError::TooDeep, "{levels} of {before}");
                    deepest = deepest.min(levels as u32);
                }
            }
        }
    }
    assert!(deepest > 60, "refused at {deepest}");
}

fn image() -> (Rc<LinkedOs>, Vec<u8>) {
    let script = "a=(1 2); declare -A m=([k]=v); f() { local x=$1; read x; echo $x; }; \
        shopt -s expand_aliases; alias e='echo a'; for i in 1 2; do { echo y; sleep 5; } | \
        while read l; do f $i \"$(sleep 3)\"; done; done; e";
    let mut run = Run::new(script, Budgets::default());
    run.step(200_000);
    let bytes = run.machine.suspend(run.id).unwrap().bytes;
    (run.os.clone(), bytes)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_image_is_an_error(at: usize, bit in 0..8u8, cut: usize) {
        let (os, mut bytes) = image();
        let length = bytes.len();
        let resume = |bytes: &[u8]| {
            let mut machine = Machine::new(os.clone());
            machine.resume(bytes, &|handle| os.duplicate(handle).ok()).err()
        };
        prop_assert!(resume(&bytes).is_none());
        bytes[at % length] ^= 1 << bit;
        prop_assert_eq!(resume(&bytes), Some(StateError::Corrupt));
        bytes[at % length] ^= 1 << bit;
        bytes.truncate(cut % length);
        prop_assert_eq!(resume(&bytes), Some(StateError::Corrupt));
    }
}
