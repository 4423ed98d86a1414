//! Depth and budgets of the shell as an embedder meets them: whatever a script does, it works or ends
//! with the name of the limit, what it wrote before is there, and the session goes on.

use std::fmt::Write;

use offshoot::blocking::{Sandbox, Session};
use offshoot::{Budgets, Exec};

/// How deep.
const DEEP: usize = 10_000;

/// What a script showed: its outputs, then the error with which it ended.
fn shown(session: &Session, script: &str) -> String {
    let script = Exec::new(format!("echo before\n{script}")).timeout_ms(60_000);
    match session.exec(script) {
        Ok(result) => format!(
            "{}{}exit {}{}",
            result.stdout_text(),
            result.stderr_text(),
            result.exit_code,
            if result.timed_out { " timed out" } else { "" }
        ),
        Err(error) => {
            let output = error.output().unwrap();
            let (stdout, stderr) = (output.stdout_text(), output.stderr_text());
            format!("{stdout}{stderr}{}", error.message())
        }
    }
}

/// Runs each script in one session; `expected` stands in what it shows.
///
/// It takes a minute in all, so it runs where `OFFSHOOT_SLOW_TESTS` is set.
fn check(budgets: Budgets, cases: &[(&str, String, &str)]) {
    if std::env::var_os("OFFSHOOT_SLOW_TESTS").is_none() {
        return;
    }
    let sandbox = Sandbox::builder().budgets(budgets);
    let sandbox = sandbox.build_blocking().unwrap();
    let session = sandbox.session();
    let mut wrong = String::new();
    for (number, (name, script, expected)) in cases.iter().enumerate() {
        session.exec(format!("kept={number}")).unwrap();
        let shown = shown(&session, script);
        let alive = session.exec("echo $kept").unwrap();
        if !shown.starts_with("before\n")
            || !shown.contains(expected)
            || alive.stdout_text().trim_end() != number.to_string()
        {
            let start: String = shown.chars().take(300).collect();
            let end: String = shown.chars().rev().take(100).collect();
            let end: String = end.chars().rev().collect();
            let alive = alive.stdout_text().into_owned();
            writeln!(
                wrong,
                "{name}: wants {expected:?}\n{start}\n…{end}\n{alive}"
            )
            .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn nested(before: &str, within: &str, after: &str) -> String {
    format!("{}{within}{}", before.repeat(DEEP), after.repeat(DEEP))
}

#[test]
fn what_recurses_works() {
    let recursive =
        |body: &str| format!("f() {{ if (( $1 )); then {body}; else echo end; fi; }}; f {DEEP}");
    let again = |command: &str| format!("if ((i++ < {DEEP})); then {command}; else echo end; fi");
    let cases = [
        ("function", recursive("f $(($1 - 1))"), "\nend\n"),
        ("local", recursive("local a=$1; f $((a - 1))"), "\nend\n"),
        (
            "loop",
            recursive("for x in 1; do f $(($1 - 1)); done"),
            "\nend\n",
        ),
        (
            "eval",
            format!("i=0; e='{}'; eval \"$e\"", again("eval \"$e\"")),
            "\nend\n",
        ),
        (
            "source",
            format!("i=0; echo '{}' > s; . ./s", again(". ./s")),
            "\nend\n",
        ),
        (
            "substitution",
            recursive("echo $(f $(($1 - 1)))"),
            "limit reached: depth",
        ),
        (
            "subshell",
            recursive("(f $(($1 - 1)))"),
            "limit reached: depth",
        ),
        (
            "pipeline",
            recursive("f $(($1 - 1)) | cat"),
            "limit reached: depth",
        ),
        (
            "shell",
            recursive("bash -c \"$(declare -f f); f $(($1 - 1))\""),
            "limit reached: depth",
        ),
        ("endless", "f() { f; }; f".into(), "limit reached: depth"),
    ];
    check(Budgets::default(), &cases);
}

#[test]
fn what_is_nested_works_or_is_refused() {
    const REFUSED: &str = "nested deeper than 400 levels";
    let patterns = |open: &str| {
        format!("p=$(printf '%.0s{open}' {{1..{DEEP}}})x$(printf '%.0s)' {{1..{DEEP}}})")
    };
    let lines = |line: &dyn Fn(usize) -> String| (0..DEEP).map(line).collect::<String>();
    let cases = [
        ("substitutions", nested("echo $(", "echo x", ")"), REFUSED),
        ("quotes", nested("echo \"$(", "echo x", ")\""), REFUSED),
        ("subshells", nested("( ", "echo x", " )"), REFUSED),
        ("groups", nested("{ ", "echo x", "; }"), REFUSED),
        ("if", nested("if true; then ", "echo x", "; fi"), REFUSED),
        (
            "while",
            nested("while true; do ", "echo x", "; break; done"),
            REFUSED,
        ),
        (
            "case",
            nested("case x in x) ", "echo x", ";; esac"),
            REFUSED,
        ),
        ("functions", nested("f() { ", "echo x", "; }"), REFUSED),
        (
            "defaults",
            format!("echo {}", nested("${x:-", "y", "}")),
            REFUSED,
        ),
        (
            "subscripts",
            format!("echo {}", nested("${a[", "0", "]}")),
            REFUSED,
        ),
        (
            "conditions",
            format!("[[ {} ]]", nested("( ", "x", " )")),
            REFUSED,
        ),
        (
            "negations",
            format!("[[ {} x ]]", nested("! ", "", "")),
            REFUSED,
        ),
        (
            "patterns",
            format!("shopt -s extglob\n[[ x == {} ]]", nested("@(", "x", ")")),
            REFUSED,
        ),
        (
            "braces",
            format!("echo {}", nested("{a,", "b", "}")),
            "limit reached: expansion",
        ),
        (
            "parentheses",
            format!("echo $(({}))", nested("(", "7", ")")),
            "\n7\n",
        ),
        (
            "signs",
            format!("echo $(({}))", nested("- ", "7", "")),
            "\n7\n",
        ),
        (
            "assignments",
            format!("echo $(({}))", nested("x=", "7", "")),
            "\n7\n",
        ),
        (
            "ternaries",
            format!("echo $(({}))", nested("1?", "7", ":2")),
            "\n7\n",
        ),
        (
            "elif",
            format!(
                "if false; then :; {}else echo end; fi",
                nested("elif false; then :; ", "", "")
            ),
            "\nend\n",
        ),
        (
            "and",
            format!("true{}; echo end", nested(" && true", "", "")),
            "\nend\n",
        ),
        (
            "aliases",
            format!(
                "shopt -s expand_aliases\n{}alias a{DEEP}='echo end'\na0",
                lines(&|i| format!("alias a{i}=a{}\n", i + 1))
            ),
            "\nend\n",
        ),
        (
            "doubling aliases",
            format!(
                "shopt -s expand_aliases\n{}alias a60=:\na0",
                lines(&|i| if i < 60 {
                    format!("alias a{i}='a{0}; a{0}'\n", i + 1)
                } else {
                    String::new()
                })
            ),
            "more than 100000 aliases",
        ),
        (
            "regex",
            format!("{}; [[ x =~ $p ]]; echo $?", patterns("(")),
            "\n2\n",
        ),
        (
            "values",
            format!(
                "{}x{DEEP}=5; echo $((x0))",
                lines(&|i| format!("x{i}=x{}\n", i + 1))
            ),
            "expression recursion level exceeded",
        ),
        (
            "documents",
            format!(
                "{}hi\n{}",
                lines(&|i| format!("x=$(cat <<E{i}\n")),
                lines(&|i| format!("E{}\n)\n", DEEP - i - 1))
            ),
            REFUSED,
        ),
    ];
    check(Budgets::default(), &cases);
}

#[test]
fn budgets_are_named_and_end_nothing_else() {
    let cases = [
        (
            "width",
            "x=$(printf %1000000000d); echo ${#x}",
            "output is too long",
        ),
        (
            "star",
            "printf '%*s' 2000000000 x | wc -c",
            "output is too long",
        ),
        (
            "date",
            "printf '%(%1000000000d)T' 1 | wc -c",
            "limit reached: output",
        ),
        (
            "replace",
            "x=ab; while :; do x=${x//a/bbbaaa}; done",
            "limit reached: expansion",
        ),
        (
            "double",
            "x=a; while :; do x=$x$x; done",
            "limit reached: expansion",
        ),
        (
            "append",
            "x=a; while :; do x+=$x; done",
            "limit reached: expansion",
        ),
        (
            "element",
            "a=a; while :; do a[0]+=${a[0]}; done",
            "limit reached: expansion",
        ),
        (
            "case",
            "x=$(printf '%10000000s' a); y=${x^^}; echo ${#y}",
            "\n10000000\n",
        ),
        ("sparse", "a[2**40]=1; a[2**62]=2; echo ${#a[@]}", "\n2\n"),
        (
            "sequence",
            "echo {1..1000000000}",
            "limit reached: expansion",
        ),
        (
            "product",
            "echo {a..z}{a..z}{a..z}{a..z}{a..z}{a..z}{a..z}",
            "limit reached: expansion",
        ),
        (
            "endless array",
            "while :; do echo x; done | mapfile a",
            "limit reached: ",
        ),
        (
            "growing eval",
            "e='e=$e$e; eval \"$e\"'; eval \"$e\"",
            "limit reached: ",
        ),
        (
            "here-string",
            "x=a; while :; do read -r x <<< \"$x$x\"; done",
            "limit reached: expansion",
        ),
        (
            "here-document",
            "while :; do x=$(cat <<< \"$x$x a\"); done",
            "limit reached: expansion",
        ),
        (
            "functions",
            "while :; do eval \"f$((i++))() { echo; }\"; done",
            "limit reached: memory",
        ),
        (
            "positional",
            "while :; do set -- \"$@\" \"$@\" x; done",
            "limit reached: expansion",
        ),
        (
            "keys",
            "declare -A m; while :; do m[$((i++))]=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
            "limit reached: variables",
        ),
        (
            "names",
            "while :; do declare x$((i++))=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done",
            "limit reached: memory",
        ),
        (
            "endless line",
            "while :; do echo -n y; done | { read -r x; }",
            "limit reached: steps",
        ),
        (
            "endless characters",
            "while :; do echo y; done | { read -r -N 100000000 x; }",
            "limit reached: steps",
        ),
        (
            "endless output",
            "while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyy; done",
            "limit reached: output",
        ),
        ("steps", "while :; do :; done", "limit reached: steps"),
        (
            "backtracking",
            "shopt -s extglob; x=$(printf '%100000s' c); x=${x// /a}; [[ $x == +(*a)b ]]; echo $?; [[ $x == *(*(*(a)))b ]]; echo $?; echo ${#x}",
            "\n1\n1\n100000\n",
        ),
        (
            "regex",
            "x=$(printf '%100000s' c); [[ $x =~ ^( *)*( *)*b ]]; echo $?; [[ a =~ ((a{100}){100}){100} ]]; echo $?",
            "\n1\n2\n",
        ),
        (
            "paths",
            "mkdir -p d/{1..30}/{1..30}; echo d/*/*/../../*/*/../../*/* | wc -c",
            "limit reached: ",
        ),
        ("bomb", "f() { f | f & }; f; wait", ""),
    ];
    let budgets = Budgets {
        expansion: 16 << 20,
        steps: 30_000_000,
        output: 50_000_000,
        ..Budgets::default()
    };
    check(
        budgets,
        &cases.map(|(name, script, expected)| (name, script.into(), expected)),
    );
}
