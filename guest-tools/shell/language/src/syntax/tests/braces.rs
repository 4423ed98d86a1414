//! Brace expansion.

use super::{bash, has_bash};
use crate::syntax::brace::{self, BraceError};
use crate::syntax::{Options, entry, print};

const WORDS: &str = include_str!("braces.txt");

fn expanded(text: &[u8]) -> Vec<Vec<u8>> {
    let word = entry::word(text, Options::default(), 1).unwrap();
    match brace::expand(&word, 1).unwrap() {
        None => vec![print::word(&word)],
        Some(expansion) => expansion.words().map(|word| print::word(&word)).collect(),
    }
}

#[test]
fn words_are_those_of_bash() {
    if !has_bash() {
        return;
    }
    for text in WORDS.lines() {
        let script = format!("set -f; printf '<%s>' {text}");
        let Some((expected, _)) = bash(&["-c", &script], b"") else {
            return;
        };
        let mut found = Vec::new();
        // A word that expands to nothing is no word.
        for word in expanded(text.as_bytes())
            .iter()
            .filter(|word| !word.is_empty())
        {
            found.extend([b"<".as_slice(), word, b">"].concat());
        }
        if found.is_empty() {
            found.extend(b"<>");
        }
        let (found, expected) = (String::from_utf8(found), String::from_utf8(expected));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn quotes_and_expansions_hide_braces() {
    let table = [
        ("'{a,b}'", "'{a,b}'"),
        ("\"{a,b}\"", "\"{a,b}\""),
        ("\\{a,b}", "\\{a,b}"),
        ("{a\\,b,c}", "a\\,b c"),
        ("{'a,b',c}", "'a,b' c"),
        ("${x-{a,b}}", "${x-{a,b}}"),
        ("$x{a,b}", "$xa $xb"),
        ("{$(a,b),c}", "$(a,b) c"),
        ("{1..$x}", "{1..$x}"),
        ("{Z..]}", "{Z..]}"),
        ("{Y..a..2}", "Y '[' ']' '_' a"),
    ];
    for (text, expected) in table {
        let found = expanded(text.as_bytes()).join(b" ".as_slice());
        assert_eq!(String::from_utf8(found).unwrap(), expected, "{text}");
    }
}

#[test]
fn big_expansions_are_counted_before_they_are_made() {
    let text = "{1..100000}".repeat(8);
    let word = entry::word(text.as_bytes(), Options::default(), 1).unwrap();
    let expansion = brace::expand(&word, 1).unwrap().unwrap();
    assert_eq!(expansion.count(), u64::MAX);
    let last = print::word(&brace_of("{1..1000000}").word(999_999));
    assert_eq!(last, b"1000000");
}

fn brace_of(text: &str) -> brace::Expansion {
    let word = entry::word(text.as_bytes(), Options::default(), 1).unwrap();
    brace::expand(&word, 1).unwrap().unwrap()
}

#[test]
fn hostile_words_end_in_an_error() {
    let nested = "{a,".repeat(300) + &"}".repeat(300);
    let open = "{".repeat(100_000);
    for (text, expected) in [
        (nested, BraceError::TooDeep),
        (open, BraceError::TooComplex),
    ] {
        let word = entry::word(text.as_bytes(), Options::default(), 1).unwrap();
        assert_eq!(brace::expand(&word, 1).err(), Some(expected));
    }
}
