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
fn functions_are_exported_as_by_bash() {
    if !has_bash() {
        return;
    }
    let exports = b"\nexport -f $(compgen -A function)\n/usr/bin/env -0\n".as_slice();
    let Some((expected, _)) = bash(&[], &[FUNCTIONS, exports].concat()) else {
        return;
    };
    let (lists, ..) = parse(FUNCTIONS, None);
    let mut found = BTreeMap::new();
    for item in lists.iter().flat_map(|list| &list.items) {
        if let CommandKind::Function { name, body } = &item.first.stages[0].kind {
            found.insert(name.clone(), print::exported(body));
        }
    }
    for variable in expected.split(|&byte| byte == 0) {
        let Some(rest) = variable.strip_prefix(b"BASH_FUNC_") else {
            continue;
        };
        let at = rest.windows(3).position(|part| part == b"%%=").unwrap();
        let text = found.remove(&rest[..at]).unwrap();
        let (text, expected) = (text.as_slice(), &rest[at + 3..]);
        assert_eq!(
            text.escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
    }
    assert!(found.len() < 10, "{} are not exported", found.len());
}

#[test]
fn what_is_printed_parses_to_the_same_text() {
    for text in printed(FUNCTIONS).values() {
        let again = printed(text);
        let again = again.values().next().unwrap();
        assert_eq!(unindented(again), unindented(text));
    }
}
