//! Deep nesting ends in an error, not in a trap.

use crate::syntax::{Options, Parser, SyntaxErrorKind, print};

/// What is repeated before, what stands within, what is repeated after.
const NESTINGS: [(&str, &str, &str); 33] = [
    ("( ", "a", " )"),
    ("(", "a", ")"),
    ("((", "a", "))"),
    ("$(", "a", ")"),
    ("a=$(", "a", ")"),
    ("a=($(", "a", "))"),
    ("a[$(", "a", ")]=1"),
    ("echo \"$(", "a", ")\""),
    ("echo <(", "a", ")"),
    ("{ ", "a", "\n}"),
    ("if a; then ", "b", "\nfi"),
    ("if ", "b", "\nthen a; fi"),
    ("while a; do ", "b", "\ndone"),
    ("for x in a; do ", "b", "\ndone"),
    ("for ((;;)); do ", "b", "\ndone"),
    ("select x in a; do ", "b", "\ndone"),
    ("case x in a) ", "b", "\nesac"),
    ("f() { ", "a", "\n}"),
    ("function f { ", "a", "\n}"),
    ("coproc { ", "a", "\n}"),
    ("echo ${x-", "a", "}"),
    ("echo \"${x-", "a", "}\""),
    ("echo \"${x-'$y'", "a", "}\""),
    ("echo ${x/", "a", "}"),
    ("echo ${x:", "1", "}"),
    ("echo ${x[", "1", "]}"),
    ("echo ${x[${", "1", ":1}]}"),
    ("echo $((", "1", "))"),
    ("echo $(( $(", "1", ") ))"),
    ("echo $((", "a", ") )"),
    ("echo $[", "1", "]"),
    ("[[ $(", "a", ") ]]"),
    ("echo @(", "a", ")"),
];

/// Parses, prints and drops on a stack of 512 KiB; the kind of error, if any.
fn outcome(script: String) -> Option<SyntaxErrorKind> {
    let work = move || {
        let options = Options {
            extglob: true,
            posix: false,
            ..Options::default()
        };
        let mut parser = Parser::new(script.as_bytes(), options);
        loop {
            match parser.next(None) {
                Ok(Some(list)) => assert!(!print::list(&list).is_empty()),
                Ok(None) => return None,
                Err(error) => return Some(error.kind),
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    thread.spawn(work).unwrap().join().unwrap()
}

#[test]
fn nesting_is_bounded() {
    for (before, within, after) in NESTINGS {
        let script = |levels: usize| before.repeat(levels) + within + &after.repeat(levels);
        assert_eq!(outcome(script(60)), None, "{before}");
        for levels in [130, 133, 200, 300, 398, 400, 10_000] {
            let kind = outcome(script(levels));
            assert!(
                matches!(kind, None | Some(SyntaxErrorKind::TooDeep)),
                "{before} {levels} {kind:?}"
            );
        }
    }
}

#[test]
fn conditions_and_quotes_are_bounded() {
    let conditions = format!("[[ {}a{} ]]", "( ".repeat(10_000), " )".repeat(10_000));
    let negations = format!("[[ {}a ]]", "! ".repeat(10_000));
    for script in [conditions, negations] {
        assert_eq!(outcome(script), Some(SyntaxErrorKind::TooDeep));
    }
    assert_eq!(
        outcome("\"".repeat(10_001)),
        Some(SyntaxErrorKind::Unmatched)
    );
    assert_eq!(
        outcome("${x-\"".repeat(10_000)),
        Some(SyntaxErrorKind::TooDeep)
    );
}
