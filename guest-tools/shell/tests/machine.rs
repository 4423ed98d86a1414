//! The machine as its host drives it: sessions, saved state, budgets, signals, depth.
#![cfg(feature = "linked")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::rc::Rc;

use offshoot_shell::machine::{
    Budgets, Limit, Machine, Outcome, Progress, Request, Session, Setup, Source, StateError,
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
        let outcome = loop {
            let progress = self.machine.poll();
            if let Some(outcome) = self.machine.outcome(id) {
                break outcome;
            }
            assert!(progress != Progress::Finished, "the execution was lost");
        };
        self.machine.drop_execution(id);
        (outcome, String::from_utf8(output.take()).unwrap())
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
fn each_budget_ends_the_execution_and_keeps_its_output() {
    let mut host = Host::new();
    let none = Budgets::default();
    let cases = [
        (
            "while :; do :; done",
            Budgets {
                steps: 10_000,
                ..none
            },
            Limit::Steps,
        ),
        (
            "f() { f; }; f",
            Budgets { depth: 100, ..none },
            Limit::Depth,
        ),
        (
            "while echo xxxxxxxxxx; do :; done",
            Budgets {
                output: 1000,
                ..none
            },
            Limit::Output,
        ),
        (
            "x=a; while :; do x=$x$x; done",
            Budgets {
                expansion: 100_000,
                ..none
            },
            Limit::Expansion,
        ),
        (
            "x=a; while :; do x+=aaaaaaaa; done",
            Budgets {
                variables: 10_000,
                ..none
            },
            Limit::Variables,
        ),
        (
            "seq 1000000",
            Budgets {
                output: 1000,
                ..none
            },
            Limit::Output,
        ),
        (
            "printf -v x '%03000d' 1; echo ${q?$x} | read a",
            Budgets {
                output: 1000,
                ..none
            },
            Limit::Output,
        ),
        (
            "while tr a b <<< x; do :; done | cat",
            Budgets {
                steps: 10_000,
                ..none
            },
            Limit::Steps,
        ),
        (
            "seq 100000000 | tail -c 1",
            Budgets {
                steps: 1_000_000,
                ..none
            },
            Limit::Steps,
        ),
        (
            "seq 1000000 | { read -d x l; }",
            Budgets {
                expansion: 100_000,
                ..none
            },
            Limit::Expansion,
        ),
        (
            "mapfile < <(seq 1000000)",
            Budgets {
                expansion: 100_000,
                ..none
            },
            Limit::Expansion,
        ),
        (
            "f() { local x=$1$1$1$1$1$1$1$1; f 0123456789; }; f 0123456789",
            Budgets {
                variables: 100_000,
                ..none
            },
            Limit::Variables,
        ),
        (
            "for ((i = 0; ; i++)); do printf -v x$i 0123456789; done",
            Budgets {
                variables: 100_000,
                ..none
            },
            Limit::Variables,
        ),
        (
            "f() { x=$(f); }; f",
            Budgets { depth: 100, ..none },
            Limit::Depth,
        ),
        (
            "PATH=/nothing; command_not_found_handle() { nosuch; }; nosuch",
            Budgets { depth: 100, ..none },
            Limit::Depth,
        ),
        (
            "trap 'kill -USR1 $$; f' USR1; f() { :; }; while :; do kill -USR1 $$; done",
            Budgets {
                steps: 100_000,
                ..none
            },
            Limit::Steps,
        ),
        (
            "echo {1..100000000}",
            Budgets {
                expansion: 100_000,
                ..none
            },
            Limit::Expansion,
        ),
    ];
    for (script, budgets, limit) in cases {
        let session = host.session();
        let (outcome, output) = host.run(&session, &format!("echo before; {script}"), budgets);
        assert_eq!(outcome, Outcome::Exceeded(limit), "{script}");
        assert!(
            output.starts_with("before\n") || script.contains('{'),
            "{script}"
        );
        assert_eq!(
            host.run(&session, "echo usable", none).1,
            "usable\n",
            "{script}"
        );
    }
}

#[test]
fn deep_recursion_needs_no_native_stack() {
    let mut host = Host::new();
    let session = host.session();
    let script = "d() { if (( $1 )); then d $(($1 - 1)); else echo deep; fi; }; d 20000";
    let (outcome, output) = host.run(&session, script, Budgets::default());
    assert_eq!((outcome, output.as_str()), (Outcome::Exited(0), "deep\n"));
}

/// Scripts that go 10,000 deep in every construct that can.
#[test]
fn every_construct_recurses() {
    let deep = [
        "c='(( i++ < 10000 )) && eval \"$c\"; :'; eval \"$c\"; echo $i",
        "echo '(( i++ < 10000 )) && . ./s; :' > s; . ./s; echo $i",
        "f() { if (( $1 )); then echo $(f $(($1 - 1))); else echo 10001; fi; }; f 10000",
        "f() { if (( $1 )); then (f $(($1 - 1))); else echo 10001; fi; }; f 10000",
        "f() { (( i++ < 10000 )) && kill -USR1 $$; :; }; trap f USR1; f; echo $i",
        "f() { local x=$1; (( i++ < 10000 )) && f $i; [[ $x ]]; }; f 0; echo $i",
        "f() { for x in 1; do while (( i++ < 10000 )); do f; break; done; done; }; f; echo $i",
        "f() { if (( i++ < 10000 )); then { f; } 3>&1; fi; }; f; echo $i",
        "f() { (( i++ < 10000 )) && f; return 3; }; f; echo $i",
        "f() { case $(( i++ < 10000 )) in 1) x=1 f ;; esac; }; f; echo $i",
        "eval \"$(printf 'eval %.0s' {1..1000}) echo 10001\"",
        "$(printf 'command %.0s' {1..10000}) echo 10001",
        "$(printf 'builtin %.0s' {1..10000}) echo 10001",
    ];
    on_small_stack(move || {
        for script in deep {
            let mut host = Host::new();
            let session = host.session();
            let (outcome, output) = host.run(&session, script, Budgets::default());
            assert_eq!(
                (outcome, output.trim()),
                (Outcome::Exited(0), "10001"),
                "{script}"
            );
        }
    });
}

/// A thread with half of the stack that a guest has.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    thread.spawn(run).unwrap().join().unwrap();
}

/// However deep a text nests, it is run or refused.
#[test]
fn nesting_never_overflows() {
    let around = [
        ("echo ", "$(", "echo x", ")"),
        ("echo ", "\"$(echo ", "x", ")\""),
        ("echo $((", "(", "1", ")"),
        ("echo ", "$((", "1", "))"),
        ("echo $((", "- ", "1", ""),
        ("echo $((", "1 ? ", "1", " : 0"),
        ("echo $((", "a[", "1", "]"),
        ("echo $((", "x = ", "1", ""),
        ("echo ", "{a,", "b", "}"),
        ("echo ", "{", "b", "}"),
        ("echo ", "${x:-", "y", "}"),
        ("echo ", "\"${x:-", "y", "}\""),
        ("echo ", "\"${x:-'$z'", "y", "}\""),
        ("", "{ ", "echo x; ", "}; "),
        ("", "( ", "echo x", " )"),
        ("", "if true; then ", "echo x; ", "fi; "),
        ("", "while true; do ", "echo x; ", "break; done; "),
        ("", "case a in a) ", "echo x ", ";; esac "),
        ("", "f() { ", "echo x; ", "}; "),
        ("[[ ", "( ", "a", " )"),
        ("[[ ", "! ", "a", ""),
        ("[[ ", "a && ", "a", ""),
        ("[[ ", "a || ", "a", ""),
        ("test ", "\\( ", "a", " \\)"),
        ("shopt -s extglob\n[[ a == ", "@(", "a", ")"),
        ("[[ a =~ ", "(", "a", ")"),
        ("", "! ", "true", ""),
        ("cat ", "<(cat ", "/dev/null", ")"),
        ("x='", "a[", "0", "]"),
        ("declare -a 'x=(", "$(echo ", "0", ")"),
    ];
    on_small_stack(move || {
        for (before, open, inner, close) in around {
            for depth in [100, 132, 199, 398, 20_000] {
                let end = match before {
                    _ if before.starts_with("echo $((") => "))",
                    "[[ " | "[[ a =~ " => " ]]",
                    _ if before.ends_with("== ") => " ]]",
                    "x='" => "'; echo $((x))",
                    "declare -a 'x=(" => ")'",
                    _ => "",
                };
                let (open, close) = (open.repeat(depth), close.repeat(depth));
                let script = [before, &open, inner, &close, end].concat();
                let mut host = Host::new();
                let session = host.session();
                let budgets = Budgets {
                    expansion: 10_000_000,
                    ..Budgets::default()
                };
                host.run(&session, &script, budgets);
                assert_eq!(host.run(&session, "echo usable", budgets).1, "usable\n");
            }
        }
    });
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

/// How deep a script nests what it is made of.
const DEEP: usize = 10_000;

fn nested(before: &str, within: &str, after: &str) -> String {
    format!("{}{within}{}", before.repeat(DEEP), after.repeat(DEEP))
}

/// Scripts, and what stands in what they show: an output, a message, or the name of a limit.
fn bounds() -> Vec<(String, &'static str)> {
    const REFUSED: &str = "nested deeper than 400 levels";
    let recursive =
        |body: &str| format!("f() {{ if (( $1 )); then {body}; else echo end; fi; }}; f {DEEP}");
    let again = |command: &str| format!("if ((i++ < {DEEP})); then {command}; else echo end; fi");
    let lines = |line: &dyn Fn(usize) -> String| (0..DEEP).map(line).collect::<String>();
    let doubling = |i| format!("alias a{i}='a{0}; a{0}'\n", i + 1);
    let own = |(script, expected): (&str, &'static str)| (script.to_owned(), expected);
    let mut all = vec![
        (recursive("f $(($1 - 1))"), "end"),
        (recursive("local a=$1; f $((a - 1))"), "end"),
        (recursive("for x in 1; do f $(($1 - 1)); done"), "end"),
        (recursive("echo $(f $(($1 - 1)))"), "Depth"),
        (recursive("(f $(($1 - 1)))"), "Depth"),
        (recursive("f $(($1 - 1)) | cat"), "Depth"),
        (
            format!("i=0; e='{}'; eval \"$e\"", again("eval \"$e\"")),
            "end",
        ),
        (format!("i=0; echo '{}' > /s; . /s", again(". /s")), "end"),
        (nested("echo $(", "echo x", ")"), REFUSED),
        (nested("echo \"$(", "echo x", ")\""), REFUSED),
        (nested("( ", "echo x", " )"), REFUSED),
        (nested("{ ", "echo x", "; }"), REFUSED),
        (nested("if true; then ", "echo x", "; fi"), REFUSED),
        (
            nested("while true; do ", "echo x", "; break; done"),
            REFUSED,
        ),
        (nested("case x in x) ", "echo x", ";; esac"), REFUSED),
        (nested("f() { ", "echo x", "; }"), REFUSED),
        (format!("echo {}", nested("${x:-", "y", "}")), REFUSED),
        (format!("echo {}", nested("${a[", "0", "]}")), REFUSED),
        (format!("[[ {} ]]", nested("( ", "x", " )")), REFUSED),
        (format!("[[ {} x ]]", nested("! ", "", "")), REFUSED),
        (
            format!("echo {}", nested("{a,", "b", "}")),
            "brace expansion: ",
        ),
        (format!("echo $(({}))", nested("(", "7", ")")), "7"),
        (format!("echo $(({}))", nested("- ", "7", "")), "7"),
        (format!("echo $(({}))", nested("1?", "7", ":2")), "7"),
        (
            format!("true{}; echo end", nested(" && true", "", "")),
            "end",
        ),
        (
            format!(
                "shopt -s expand_aliases\n{}alias a{DEEP}='echo end'\na0",
                lines(&|i| format!("alias a{i}=a{}\n", i + 1))
            ),
            "end",
        ),
        (
            format!(
                "shopt -s expand_aliases\n{}alias a60=:\na0",
                (0..60).map(doubling).collect::<String>()
            ),
            "more than 100000 aliases",
        ),
        (
            format!(
                "{}x{DEEP}=5; (( x0 ))",
                lines(&|i| format!("x{i}=x{}\n", i + 1))
            ),
            "recursion level exceeded",
        ),
    ];
    all.extend(
        [
            ("f() { f; }; f", "maximum nesting level exceeded (12000)"),
            ("x=$(printf %1000000000d); echo ${#x}", "output is too long"),
            ("printf '%(%1000000000d)T' 1", "Exceeded(Output)"),
            ("x=ab; while :; do x=${x//a/bbbaaa}; done", "Expansion"),
            (
                "x=a; while :; do x=$x$x; done",
                "expansion: result too large",
            ),
            (
                "x=a; while :; do x+=$x; done",
                "expansion: result too large",
            ),
            ("a=a; while :; do a[0]+=${a[0]}; done", "Exceeded("),
            ("a[2**40]=1; a[2**62]=2; echo ${#a[@]}", "2"),
            ("echo {1..1000000000}", "brace expansion: too many words"),
            ("x=a; while :; do read -r x <<< \"$x$x\"; done", "Expansion"),
            ("e='e=$e$e; eval \"$e\"'; eval \"$e\"", "Expansion"),
            ("while :; do set -- \"$@\" \"$@\" x; done", "Expansion"),
            ("while :; do :; done", "Steps"),
            (
                "while :; do echo y; done | { read -r -N 100000000 x; }",
                "Steps",
            ),
            ("while :; do echo {1..1000}; done", "Output"),
            (
                "v=$(printf %01000d 7); while :; do declare x$((i++))=$v; done",
                "Variables",
            ),
            (
                "shopt -s extglob; x=$(printf '%100000s' c); x=${x// /a}
                [[ $x == +(*a)b || $x == *(*(*(a)))b || $x =~ ^(a*)*(a*)*b ]]; echo $?",
                "1",
            ),
        ]
        .map(own),
    );
    all
}

#[test]
fn what_goes_too_far_is_named_and_the_session_goes_on() {
    let budgets = Budgets {
        steps: 3_000_000,
        depth: 12_000,
        output: 5_000_000,
        expansion: 4 << 20,
        variables: 8 << 20,
    };
    let mut host = Host::new();
    let session = host.session();
    for (number, (script, expected)) in bounds().into_iter().enumerate() {
        host.run(&session, &format!("kept={number}"), budgets);
        let (request, outputs) = host.request(&format!("echo before\n{script}"), budgets);
        let id = host.machine.start(&session, request);
        let outcome = loop {
            host.machine.poll();
            if let Some(outcome) = host.machine.outcome(id) {
                break outcome;
            }
        };
        host.machine.drop_execution(id);
        let texts = outputs.map(|output| String::from_utf8(output.take()).unwrap());
        let shown = format!("{outcome:?}\n{}\n{}", texts[0], texts[1]);
        let start = |text: &str| text.chars().take(200).collect::<String>();
        assert!(texts[0].starts_with("before\n"), "{}", start(&script));
        let found = shown.contains(expected);
        assert!(
            found,
            "{} wants {expected}: {}",
            start(&script),
            start(&shown)
        );
        let (_, kept) = host.run(&session, "echo $kept", budgets);
        assert_eq!(kept, format!("{number}\n"), "{}", start(&script));
    }
}
