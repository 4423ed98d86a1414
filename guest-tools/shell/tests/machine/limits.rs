//! What goes too far is named, and what was said before stays.

use offshoot_shell::machine::{Budgets, Limit, Outcome};

use super::Host;

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
