//! Patterns against what bash 5.2 answers.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

use proptest::prelude::*;

use super::*;

const EXTENDED: Options = Options {
    extended: true,
    ignore_case: false,
    bytewise: false,
};

/// Pattern, then texts that match, then texts that do not.
const TABLE: &[(&str, &[&str], &[&str])] = &[
    ("", &[""], &["a"]),
    ("[a", &["[a"], &["a"]),
    ("[]a]", &["]", "a"], &["b"]),
    ("[!]a]", &["b"], &["]"]),
    ("[^a]", &["b"], &["a"]),
    ("[a-]", &["-", "a"], &["b"]),
    ("[--/]", &[".", "-"], &[","]),
    ("[z-a]", &[], &["z", "a", "m"]),
    ("[[:alpha:]", &["[a"], &["[", "a", "[[:alpha:]"]),
    ("[[:alpha:", &["[[:alpha:"], &["a"]),
    ("[[:foo:]]", &[], &["f", ":", "]"]),
    ("[[:foo:]x]", &["x"], &["f"]),
    ("[[=a=]b]", &["a", "b"], &["="]),
    ("[[=ab=]]", &[], &["a"]),
    ("[[=a]", &["=", "[", "a"], &["b"]),
    ("[[.a.]]", &["a"], &["."]),
    ("[[.hyphen.]]", &["-"], &["h"]),
    ("[[.space.]]", &[" "], &["s"]),
    ("[[.foo.]]", &[], &["f"]),
    ("[a[.foo.]]", &["a"], &["f"]),
    ("[[.-.]-0]", &[".", "-", "0"], &["1"]),
    ("[a-[.c.]]", &["b"], &["d"]),
    ("[\\]]", &["]"], &["\\"]),
    ("[a\\-z]", &["-", "a", "z"], &["b"]),
    ("a\\", &["a\\"], &["a"]),
    ("[\\", &["[\\"], &["["]),
    ("[]", &["[]"], &["["]),
    ("[!]", &["[!]"], &["a"]),
    ("@(a", &["@(a"], &["a"]),
    ("x@(a", &["x@(a"], &["xa"]),
    ("?(", &["?("], &["x("]),
    ("*(", &["*("], &["xx("]),
    ("@(a))", &["a)"], &["a"]),
    ("+(a|aa)", &["a", "aaaa"], &["", "b", "aab"]),
    ("!(a)", &["b", "", "aa"], &["a"]),
    ("!(a)*", &["a", "b", ""], &[]),
    ("*(a|b)c", &["abac", "c"], &["ab", "adc"]),
    ("?(a)b", &["b", "ab"], &["aab"]),
    ("@(a|!(b))", &["a", "c"], &["b"]),
    ("a!(b)c", &["ac", "adc"], &["abc"]),
    ("@([)]|b)", &[")", "b"], &["]"]),
    ("@(a\\)b)", &["a)b"], &["a"]),
    ("+()", &[""], &["a"]),
    ("@(a|b)|c", &["a|c", "b|c"], &["a", "c"]),
    ("@(@(a|b)c|+(d))?(e)", &["ac", "bce", "ddde"], &["a", "e"]),
    ("*.tar.*", &["a.tar.gz", ".tar."], &["a.tar"]),
    ("a*b*c", &["abc", "aXbYc", "abbcc"], &["acb", "ab"]),
    ("?", &["a", "é", "\u{1f600}"], &["", "ab"]),
    ("[é]", &["é"], &["e"]),
    ("[à-ü]", &["é"], &["e"]),
    ("[[:alpha:]]", &["é", "a"], &["1"]),
    ("[[:upper:]]", &["É"], &["é"]),
    ("[[:punct:]]", &["$", "+"], &["a", " "]),
    ("[[:word:]]", &["_", "a"], &["-"]),
    ("[[:ascii:]]", &["a"], &["é"]),
];

#[test]
fn whole_texts_match_as_in_bash() {
    for (pattern, yes, no) in TABLE {
        let compiled = Pattern::new(pattern.as_bytes(), EXTENDED);
        for text in *yes {
            assert!(compiled.matches(text.as_bytes()), "{pattern:?} {text:?}");
        }
        for text in *no {
            assert!(!compiled.matches(text.as_bytes()), "{pattern:?} {text:?}");
        }
    }
}

#[test]
fn case_is_ignored_as_in_bash() {
    let options = Options {
        ignore_case: true,
        ..EXTENDED
    };
    for (pattern, text, expected) in [
        ("[A-C]", "b", true),
        ("É", "é", true),
        ("[!a]", "A", false),
        ("[[:upper:]]", "a", false),
        ("[[:upper:]]", "A", true),
        ("[[:lower:]]", "A", false),
        ("[Z-a]", "b", false),
        ("[_-z]", "A", true),
        ("@(FOO|b)*", "foobar", true),
    ] {
        let compiled = Pattern::new(pattern.as_bytes(), options);
        assert_eq!(
            compiled.matches(text.as_bytes()),
            expected,
            "{pattern:?} {text:?}"
        );
    }
}

#[test]
fn bytes_that_are_no_utf8_are_characters() {
    for (pattern, text, bytewise, expected) in [
        (b"?".as_slice(), b"\xff".as_slice(), false, true),
        (b"*", b"\xff\xfe", false, true),
        (b"\xff", b"\xff", false, true),
        (b"[\xff]", b"\xff", false, true),
        (b"??", b"\xc3", false, false),
        (b"??", "é".as_bytes(), true, true),
        (b"?", "é".as_bytes(), true, false),
    ] {
        let compiled = Pattern::new(
            pattern,
            Options {
                bytewise,
                ..EXTENDED
            },
        );
        assert_eq!(compiled.matches(text), expected, "{pattern:?} {text:?}");
    }
}

#[test]
fn replacements_are_those_of_bash() {
    use ReplaceAnchor::{All, First, Prefix, Suffix};
    for (text, pattern, anchor, expected) in [
        ("", "*", First, "<>"),
        ("abc", "*( )", All, "<>a<>b<>c"),
        ("abc", "*( )", First, "<>abc"),
        ("abc", "", Prefix, "<>abc"),
        ("abc", "", Suffix, "abc<>"),
        ("abc", "", All, "abc"),
        ("abc", "?", All, "<a><b><c>"),
        ("abc", "*(z)", Suffix, "abc<>"),
        ("aXbXc", "X*", First, "a<XbXc>"),
        ("aXbXc", "X", All, "a<X>b<X>c"),
        ("aXbXc", "X*", Suffix, "a<XbXc>"),
        ("aXbXc", "*X", Prefix, "<aXbX>c"),
        ("éa", "?", First, "<é>a"),
        ("xaab", "+(a|aa)", First, "x<aa>b"),
        ("foobar", "@(o|oo)", All, "f<oo>bar"),
    ] {
        let compiled = Pattern::new(pattern.as_bytes(), EXTENDED);
        let mut shown = Vec::new();
        let mut from = 0;
        for range in compiled.replacements(text.as_bytes(), anchor) {
            shown.extend_from_slice(&text.as_bytes()[from..range.start]);
            shown.push(b'<');
            shown.extend_from_slice(&text.as_bytes()[range.clone()]);
            shown.push(b'>');
            from = range.end;
        }
        shown.extend_from_slice(&text.as_bytes()[from..]);
        assert_eq!(
            String::from_utf8(shown).unwrap(),
            expected,
            "{text:?} {pattern:?} {anchor:?}"
        );
    }
}

#[test]
fn no_pattern_takes_more_than_a_moment() {
    let text = vec![b'a'; 3000];
    let deep = [
        b"+(".repeat(150),
        b"a".to_vec(),
        b")".repeat(150),
        b"b".to_vec(),
    ]
    .concat();
    for pattern in [
        b"+(a|aa)b".to_vec(),
        b"*a*a*a*a*a*a*b".to_vec(),
        b"!(b)!(c)!(d)e".to_vec(),
        deep,
    ] {
        let compiled = Pattern::new(&pattern, EXTENDED);
        assert!(!compiled.matches(&text));
        assert_eq!(compiled.find(&text, 0), None);
        assert_eq!(compiled.suffix(&text, true), None);
    }
    for piece in ["[", "[a", "[[:", "@([[.", "@(", "+(a"] {
        let pattern = piece.repeat(100_000 / piece.len());
        assert!(!Pattern::new(pattern.as_bytes(), EXTENDED).matches(&text));
    }
    // Too deep to be an operator, and no overflow of the stack.
    let pattern = [b"@(".repeat(100_000), b")".repeat(100_000)].concat();
    assert!(!Pattern::new(&pattern, EXTENDED).matches(b"a"));
}

#[test]
fn magic_is_what_starts_pathname_expansion() {
    for (word, expected) in [
        ("a*", true),
        ("a\\*", false),
        ("[a", false),
        ("[a]", true),
        ("+(a)", true),
        ("+a", false),
    ] {
        assert_eq!(has_magic(word.as_bytes(), true), expected, "{word}");
    }
    assert!(!has_magic(b"@(a)", false));
    assert_eq!(unescape(&escape(b"a*[b]\\")), b"a*[b]\\");
}

/// Pieces of patterns, without `!(…)` and `@()`: next to a `*`, bash gets some of those wrong.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "?",
        "*",
        "[ab]",
        "[!a]",
        "@(a|b)",
        "*(ab|c)",
        "+(a|aa)",
        "?(b)",
        "é",
        "c",
        "@(a|+(b|c))",
        "*(?(a)b)",
        "@(*b|c?)",
    ]);
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

fn subjects() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec!["a", "b", "c", "é", "aa", "ab"]);
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

/// What bash makes of each pattern and text, one line a case; none without bash.
fn bash(cases: &[(String, String)]) -> Option<Vec<String>> {
    let mut script = String::from("shopt -s extglob\n");
    for (pattern, text) in cases {
        script.push_str(&format!(
            "x='{text}'; p='{pattern}'; [[ $x == $p ]]; printf '%s %s %s %s %s %s %s\\n' $? \
             \"<${{x#$p}}>\" \"<${{x##$p}}>\" \"<${{x%$p}}>\" \"<${{x%%$p}}>\" \"<${{x/$p/_}}>\" \
             \"<${{x//$p/_}}>\"\n"
        ));
    }
    let output = Command::new("bash")
        .args(["-c", &script])
        .env("LC_ALL", "C.UTF-8")
        .output()
        .ok()?;
    Some(
        String::from_utf8(output.stdout)
            .ok()?
            .lines()
            .map(str::to_owned)
            .collect(),
    )
}

fn ours(pattern: &str, text: &str) -> String {
    let compiled = Pattern::new(pattern.as_bytes(), EXTENDED);
    let bytes = text.as_bytes();
    let prefix = |longest| &text[compiled.prefix(bytes, longest).unwrap_or(0)..];
    let suffix = |longest| &text[..compiled.suffix(bytes, longest).unwrap_or(text.len())];
    let replaced = |anchor| {
        let mut shown = String::new();
        let mut from = 0;
        for range in compiled.replacements(bytes, anchor) {
            shown.push_str(&text[from..range.start]);
            shown.push('_');
            from = range.end;
        }
        shown + &text[from..]
    };
    format!(
        "{} <{}> <{}> <{}> <{}> <{}> <{}>",
        i32::from(!compiled.matches(bytes)),
        prefix(false),
        prefix(true),
        suffix(false),
        suffix(true),
        replaced(ReplaceAnchor::First),
        replaced(ReplaceAnchor::All),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn agrees_with_bash(cases in prop::collection::vec((pieces(), subjects()), 400)) {
        let mut differing = Vec::new();
        for ((pattern, text), expected) in cases.iter().zip(bash(&cases).unwrap_or_default()) {
            let found = ours(pattern, text);
            if found != expected {
                differing.push(format!("{pattern} on {text}: {found} but bash {expected}"));
            }
        }
        prop_assert!(differing.is_empty(), "{}", differing.join("\n"));
    }
}
