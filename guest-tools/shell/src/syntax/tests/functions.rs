//! Functions as `declare -f` shows them.

use super::{bash, has_bash, parse, unindented};
use crate::syntax::print;
use crate::syntax::tree::CommandKind;
use std::collections::BTreeMap;

const FUNCTIONS: &[u8] = include_bytes!("functions.sh");

#[test]
fn functions_print_as_in_bash() {
    if !has_bash() {
        return;
    }
    let script = [FUNCTIONS, b"\ndeclare -f\n"].concat();
    let Some((expected, _)) = bash(&[], &script) else {
        return;
    };
    let found = printed(FUNCTIONS);
    assert!(found.len() > 20);
    let found: Vec<u8> = found.into_values().flatten().collect();
    let expected = String::from_utf8(expected).unwrap();
    let found = String::from_utf8(found).unwrap();
    for (expected, found) in expected.split("\n}\n").zip(found.split("\n}\n")) {
        assert_eq!(found, expected);
    }
    assert_eq!(found, expected);
}

/// The functions that `script` defines, sorted by name as bash sorts them.
fn printed(script: &[u8]) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let (lists, errors, _) = parse(script, None);
    assert_eq!(errors, []);
    let mut functions = BTreeMap::new();
    for item in lists.iter().flat_map(|list| &list.items) {
        if let CommandKind::Function { name, body } = &item.first.stages[0].kind {
            let mut text = print::function(name, body);
            text.push(b'\n');
            functions.insert(name.clone(), text);
        }
    }
    functions
}

#[test]
fn what_is_printed_parses_to_the_same_text() {
    for text in printed(FUNCTIONS).values() {
        let again = printed(text);
        let again = again.values().next().unwrap();
        assert_eq!(unindented(again), unindented(text));
    }
}
