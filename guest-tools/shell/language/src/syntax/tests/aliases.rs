//! Aliases.

use super::{bash, has_bash, parse};
use crate::syntax::print;
use crate::syntax::tree::CommandKind;

const ALIASES: [(&str, &str); 17] = [
    ("e", "echo"),
    ("e2", "e two"),
    ("blank", "echo "),
    ("blank2", "blank "),
    ("ls", "ls --color"),
    ("a1", "a2 x"),
    ("a2", "a1 y"),
    ("begin", "{"),
    ("finish", "}"),
    ("cond", "if true; then"),
    ("endcond", "fi"),
    ("lines", "echo one\necho two"),
    ("empty", ""),
    ("pipe", "cat | tr"),
    ("assign", "x=1"),
    ("quote", "echo 'a b'"),
    (
        "long",
        "echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ),
];

const BODIES: [&str; 31] = [
    "e one",
    "e2",
    "e; e | e && e || e & e",
    "blank e e",
    "blank blank2 e e",
    "blank2 e e",
    "ls",
    "ls; ls -l",
    "a1",
    "a2 z",
    "begin e; finish",
    "cond e; endcond",
    "cond e; fi",
    "lines",
    "lines three",
    "empty e",
    "empty empty e",
    "pipe e",
    "assign e",
    "x=1 e",
    "x=1 y=2 ls",
    "quote c",
    "\\e; 'e'; \"e\"; $e; e''",
    "! e",
    "time e",
    "if e; then e; else e; fi",
    "while e; do e; done",
    "case e in e) e;; esac",
    "for e in e; do e; done",
    "(e; ls)",
    "long; long | long; e $((1 + 1))",
];

#[test]
fn aliases_expand_as_in_bash() {
    if !has_bash() {
        return;
    }
    let lookup = |name: &[u8]| {
        let found = ALIASES.iter().find(|(alias, _)| alias.as_bytes() == name);
        found.map(|(_, text)| text.as_bytes().to_vec())
    };
    for body in BODIES {
        let function = format!("f() {{ {body}\n}}\n");
        let mut script = "shopt -s expand_aliases\n".to_owned();
        for (name, text) in ALIASES {
            script.push_str(&format!("alias {name}=\"{text}\"\n"));
        }
        script.push_str(&function);
        script.push_str("declare -f f\n");
        let Some((expected, _)) = bash(&[], script.as_bytes()) else {
            return;
        };
        let (lists, errors, _) = parse(function.as_bytes(), Some(&lookup));
        assert_eq!(errors, [], "{body}");
        let CommandKind::Function { name, body: tree } = &lists[0].items[0].first.stages[0].kind
        else {
            panic!("{body} is no function");
        };
        let found = print::function(name, tree);
        assert_eq!(
            String::from_utf8_lossy(&found),
            String::from_utf8_lossy(&expected).trim_end(),
            "{body}"
        );
    }
}
