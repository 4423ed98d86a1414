//! What trees say that their text does not show.

use super::parse;
use crate::syntax::tree::{
    Argument, CommandKind, Operator, Part, RedirectAction, Reference, Subscript, Word,
};
use crate::syntax::{Options, entry};

/// The first word of `script`.
fn word(script: &str) -> Word {
    let (lists, errors, _) = parse(script.as_bytes(), None);
    assert_eq!(errors, [], "{script}");
    let CommandKind::Simple { words, .. } = &lists[0].items[0].first.stages[0].kind else {
        panic!("{script} is no simple command");
    };
    match &words[0] {
        Argument::Word(word) => word.clone(),
        Argument::Assignment(_) => panic!("{script} begins with an assignment"),
    }
}

fn quoted(text: &[u8]) -> Part {
    Part::Quoted(text.to_vec())
}

fn literal(text: &[u8]) -> Part {
    Part::Literal(text.to_vec())
}

#[test]
fn quotes_are_told_apart() {
    let table: [(&str, Vec<Part>); 12] = [
        (
            "a'b c'd",
            vec![literal(b"a"), quoted(b"b c"), literal(b"d")],
        ),
        ("\\a", vec![Part::Escaped(b'a')]),
        ("a\\\nb", vec![literal(b"ab")]),
        ("''", vec![quoted(b"")]),
        (
            "$'\\x41\\n\\101\\u00e9\\cA\\e'",
            vec![quoted("A\nA\u{e9}\u{1}\u{1b}".as_bytes())],
        ),
        ("$'a\\0b'", vec![quoted(b"a")]),
        ("$'\\x{41}\\q\\'\\\"'", vec![quoted(b"A\\q'\"")]),
        ("$'\\xff\\777'", vec![quoted(b"\xff\xff")]),
        ("$", vec![literal(b"$")]),
        (
            "\"a\\$\\b$\"",
            vec![Part::DoubleQuoted(vec![
                quoted(b"a"),
                Part::Escaped(b'$'),
                quoted(b"\\b$"),
            ])],
        ),
        ("\"a\\\nb\"", vec![Part::DoubleQuoted(vec![quoted(b"ab")])]),
        ("$\"a\"", vec![Part::DoubleQuoted(vec![quoted(b"a")])]),
    ];
    for (script, parts) in table {
        assert_eq!(word(script).parts, parts, "{script}");
    }
}

#[test]
fn parameters_are_told_apart() {
    let variable = |name: &[u8]| Reference::Variable {
        name: name.to_vec(),
        subscript: None,
    };
    let all = Reference::Variable {
        name: b"a".to_vec(),
        subscript: Some(Subscript::All),
    };
    let table = [
        ("$a", variable(b"a"), false, Operator::Value),
        ("${10}", Reference::Positional(10), false, Operator::Value),
        ("${#}", Reference::Special(b'#'), false, Operator::Value),
        ("${#a}", variable(b"a"), false, Operator::Length),
        ("${##}", Reference::Special(b'#'), false, Operator::Length),
        ("${#?}", Reference::Special(b'?'), false, Operator::Length),
        ("${!a}", variable(b"a"), true, Operator::Value),
        (
            "${!a*}",
            variable(b"a"),
            false,
            Operator::Names { joined: true },
        ),
        ("${!a[@]}", all.clone(), false, Operator::Keys),
        ("${!a@Q}", variable(b"a"), true, Operator::Transform(b'Q')),
        ("${!}", Reference::Special(b'!'), false, Operator::Value),
        ("${a[@]}", all, false, Operator::Value),
        ("${a@Z}", variable(b"a"), false, Operator::Transform(b'Z')),
        ("${a b}", variable(b"a"), false, Operator::Bad),
        ("${}", Reference::Bad, false, Operator::Bad),
    ];
    for (script, reference, indirect, operator) in table {
        let parts = word(script).parts;
        let [Part::Parameter(parameter)] = parts.as_slice() else {
            panic!("{script}: {parts:?}");
        };
        assert_eq!(parameter.reference, reference, "{script}");
        assert_eq!(parameter.indirect, indirect, "{script}");
        assert_eq!(parameter.operator, operator, "{script}");
    }
}

#[test]
fn here_documents_keep_or_lose_what_they_should() {
    let table = [
        ("a <<X\n\\$b \\\n\\\\ \"'\nX\n", "\\$b \\\\ \"'\n"),
        ("a <<'X'\n$b\\\nX\n", "$b\\\n"),
        ("a <<-X\n\t\tb\n\tX\n", "b\n"),
        ("a <<X\nb\nX \nX", "b\nX \n"),
        ("a <<X\nb", "b\n"),
        ("a <<X; b\nc\nX\n", "c\n"),
    ];
    for (script, expected) in table {
        let (lists, errors, _) = parse(script.as_bytes(), None);
        assert_eq!(errors, [], "{script}");
        let redirects = &lists[0].items[0].first.stages[0].redirects;
        let RedirectAction::HereDocument { body, .. } = &redirects[0].action else {
            panic!("{script} has no here-document");
        };
        let mut text = Vec::new();
        for part in &body.parts {
            match part {
                Part::Quoted(quoted) => text.extend_from_slice(quoted),
                Part::Escaped(byte) => text.extend([b'\\', *byte]),
                part => panic!("{script}: {part:?}"),
            }
        }
        assert_eq!(String::from_utf8(text).unwrap(), expected, "{script}");
    }
}

#[test]
fn lines_are_counted() {
    let (lists, _, _) = parse(b"\n# a\na \\\n b\n'c\nd'; e\ncat <<X\n1\n2\nX\nf", None);
    let lines: Vec<u32> = lists
        .iter()
        .flat_map(|list| &list.items)
        .map(|item| item.first.stages[0].line)
        .collect();
    // That of the second token, as in bash.
    assert_eq!(lines, [4, 6, 6, 7, 11]);
}

#[test]
fn compound_values_are_read_from_strings() {
    let options = Options::default();
    let value = entry::compound_value(b"(1 [x y]=2 'a b')", options, 1).unwrap();
    assert_eq!(value.unwrap().len(), 3);
    assert_eq!(entry::compound_value(b"1 2", options, 1).unwrap(), None);
    assert!(entry::compound_value(b"(1 ; 2)", options, 1).is_err());
    let word = entry::arithmetic(b"a + $b)", options, 1).unwrap();
    assert_eq!(word.parts.len(), 3);
    assert_eq!(entry::literal(&word), None);
}

#[test]
fn a_script_may_arrive_line_by_line() {
    use crate::syntax::Parser;
    let mut parser = Parser::new(b"echo one\n", Options::default());
    assert!(parser.next(None).unwrap().is_some());
    assert_eq!(parser.rest(), b"");
    assert_eq!(parser.next(None).unwrap(), None);
    parser.append(b"echo two");
    assert_eq!(parser.line(), 2);
    assert!(parser.next(None).unwrap().is_some());
}
