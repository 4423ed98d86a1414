//! What is accepted, and what is said of the rest.

use super::{bash, has_bash, parse, unescape};

const SNIPPETS: &str = include_str!("snippets.txt");

#[test]
fn messages_are_those_of_bash() {
    if !has_bash() {
        return;
    }
    let mut failures = Vec::new();
    for line in SNIPPETS.lines() {
        let script = unescape(line);
        let Some((_, errors)) = bash(&["-n", "-c", "--", &script], b"") else {
            return;
        };
        let expected: Vec<String> = String::from_utf8_lossy(&errors)
            .lines()
            .map(|line| line.trim_start_matches("bash: ").to_owned())
            .map(|line| line.trim_start_matches("-c: ").to_owned())
            .collect();
        let found = messages(script.as_bytes());
        if found != expected {
            failures.push(format!("{line}\n  bash: {expected:?}\n  ours: {found:?}"));
        }
    }
    assert!(SNIPPETS.lines().count() > 500);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn messages(script: &[u8]) -> Vec<String> {
    let (_, errors, mut parser) = parse(script, None);
    let warnings = parser.take_warnings();
    let errors = errors.iter().flat_map(|error| error.lines.iter());
    warnings
        .iter()
        .chain(errors)
        .map(|message| {
            let text = String::from_utf8_lossy(&message.text);
            format!("line {}: {text}", message.line)
        })
        .collect()
}

#[test]
fn what_more_text_could_complete_is_incomplete() {
    let table = [
        ("if true", true),
        ("echo \"", true),
        ("echo $(", true),
        ("a &&", true),
        ("a |", true),
        ("f() {", true),
        ("case x in", true),
        ("[[ a &&\n", true),
        ("a=(1", true),
        ("fi", false),
        ("a;;b", false),
        ("echo )", false),
    ];
    for (script, incomplete) in table {
        let (_, errors, _) = parse(script.as_bytes(), None);
        assert_eq!(errors[0].incomplete, incomplete, "{script}");
    }
}

#[test]
fn what_stands_before_an_error_is_read_first() {
    let (lists, errors, _) = parse(b"echo one; echo two\necho three\nfi\necho four", None);
    assert_eq!(lists.len(), 2);
    assert_eq!(errors[0].line(), 3);
}

#[test]
fn reading_goes_on_after_a_malformed_compound_value() {
    let (lists, errors, _) = parse(b"echo one\na=(1 ; 2); echo two\necho three", None);
    assert_eq!((lists.len(), errors.len()), (2, 1));
}
