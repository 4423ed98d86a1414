//! What holds for every text.

use super::{parse, unescape, unindented};
use crate::syntax::{entry, print};
use proptest::prelude::*;

/// Pieces that scripts are made of, so that random ones get past the first byte.
const PIECES: [&str; 64] = [
    "a",
    " ",
    " ",
    "\n",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "(",
    ")",
    "{ ",
    "; }",
    "<",
    ">",
    "<<X",
    "\nX\n",
    "'",
    "\"",
    "\\",
    "$",
    "${",
    "}",
    "$(",
    "`",
    "((",
    "))",
    "[[ ",
    " ]]",
    "if ",
    "; then ",
    "; fi",
    "for x in ",
    "; do ",
    "; done",
    "while ",
    "case x in ",
    " esac",
    ";;",
    "a=(",
    "a[",
    "]=",
    "#",
    "function ",
    "() ",
    "time ",
    "! ",
    "coproc ",
    "select x",
    "$((",
    "-n ",
    " == ",
    " =~ ",
    "@(",
    "*",
    "?",
    "1",
    ":",
    "/",
    "%",
    "@Q",
    "é",
    "\0",
    "é",
];

fn script() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40);
    pieces.prop_map(|pieces| pieces.concat().into_bytes())
}

/// A script of the table with a piece put into it and some of it cut out.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let lines: Vec<String> = include_str!("snippets.txt").lines().map(unescape).collect();
    let piece = prop::sample::select(&PIECES[..]);
    (prop::sample::select(lines), piece, any::<u16>(), 0usize..4).prop_map(
        |(line, piece, place, cut)| {
            let mut text = line.into_bytes();
            let place = usize::from(place) % (text.len() + 1);
            let end = (place + cut).min(text.len());
            text.splice(place..end, piece.bytes());
            text
        },
    )
}

fn check(text: &[u8]) {
    let (lists, errors, mut parser) = parse(text, None);
    // A here-document without its delimiter can't be printed so that it has one.
    if !parser.take_warnings().is_empty() {
        return;
    }
    for list in &lists {
        let printed = print::list(list);
        // Behind a here-document in the background bash shows a `;` that ends nothing.
        let odd = printed.windows(3).any(|text| text == b"\n ;");
        if errors.is_empty() && !odd {
            let (again, errors, _) = parse(&printed, None);
            let shown = || String::from_utf8_lossy(&printed).into_owned();
            assert_eq!(
                errors,
                [],
                "{:?} → {}",
                String::from_utf8_lossy(text),
                shown()
            );
            let mut joined = Vec::new();
            for list in &again {
                if joined.last().is_some_and(|&byte| byte != b'\n') {
                    joined.push(b'\n');
                }
                joined.extend(print::list(list));
            }
            assert_eq!(unindented(&joined), unindented(&printed));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_never_panic(text in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&text, None);
        let _ = entry::word(&text, Default::default(), 1);
        let _ = entry::arithmetic(&text, Default::default(), 1);
        let _ = entry::document(&text, Default::default(), 1);
        let _ = entry::compound_value(&text, Default::default(), 1);
    }

    #[test]
    fn random_scripts_print_to_scripts(text in script()) {
        check(&text);
    }

    #[test]
    fn mutated_scripts_print_to_scripts(text in mutated()) {
        check(&text);
    }

    #[test]
    fn aliases_never_hang(text in script(), alias in script()) {
        let lookup = |name: &[u8]| (name == b"a").then(|| alias.clone());
        let _ = parse(&text, Some(&lookup));
    }
}
