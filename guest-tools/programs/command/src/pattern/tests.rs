//! Patterns against what GNU grep, sed and awk find.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::*;

fn find(dialect: Dialect, pattern: &str, text: &str) -> Option<String> {
    let pattern = Pattern::new(pattern.as_bytes(), &Settings::new(dialect)).unwrap();
    let (from, to) = pattern.find_at(text.as_bytes(), 0)?;
    Some(text[from..to].to_owned())
}

#[test]
fn finds_what_gnu_finds() {
    use Dialect::{Awk, Basic, Extended, Fixed, Perl};
    let cases: &[(Dialect, &str, &str, Option<&str>)] = &[
        (Basic, "a*b", "xaab", Some("aab")),
        (Basic, "*a", "x*a", Some("*a")),
        (Basic, "\\(*a\\)", "x*a", Some("*a")),
        (Basic, "a\\{2,3\\}", "aaaa", Some("aaa")),
        (Basic, "a\\|bc", "xbc", Some("bc")),
        (Basic, "a^b$c", "a^b$c", Some("a^b$c")),
        (Basic, "^a.$", "ab", Some("ab")),
        (Basic, "[]a]*", "]a]b", Some("]a]")),
        (Basic, "[^]a]", "]ab", Some("b")),
        (Basic, "[[:alpha:]_-]*", "ab_-1", Some("ab_-")),
        (Basic, "[\\n]", "\\", Some("\\")),
        (Basic, "\\(an\\)\\1", "banana", Some("anan")),
        (Basic, "a+b", "a+b", Some("a+b")),
        (Basic, "a\\+", "baa", Some("aa")),
        (Basic, "\\<b", "ab b", Some("b")),
        (Extended, "a|ab", "ab", Some("ab")),
        (Extended, "(a|ab)(c|bcd)(d*)", "abcd", Some("abcd")),
        (Extended, "(a?)(ab)?", "ab", Some("ab")),
        (Extended, "a{,2}", "aaa", Some("aa")),
        (Extended, "a{x", "a{x", Some("a{x")),
        (Extended, "a+?", "aa", Some("aa")),
        (Extended, "a**", "aa", Some("aa")),
        (Extended, "()b", "ab", Some("b")),
        (Extended, "[a-c.]+", "xa.b", Some("a.b")),
        (Extended, "\\.x", "a.x", Some(".x")),
        (Extended, "é{2}", "éé", Some("éé")),
        (Extended, "x", "y", None),
        (Awk, "[\\t ]", "a\tb", Some("\t")),
        (Awk, "\\/", "a/b", Some("/")),
        (Awk, "\\yb", "ab b", Some("b")),
        (Perl, "(?<=a)b", "ab", Some("b")),
        (Perl, "\\d+", "a12", Some("12")),
        (Perl, "a\\Kb", "ab", Some("b")),
        (Perl, r"\((?:[^()]|(?R))*\)", "f(a(b)c)d", Some("(a(b)c)")),
        (Perl, r"(\((?:[^()]|(?1))*\))", "f(a(b)c)d", Some("(a(b)c)")),
        (Perl, r"(?<p>\[(?:\w|(?&p))*\])", "x[a[b]]", Some("[a[b]]")),
        (Perl, r"(\w)(\w)\g{-1}\g{-2}", "xabba", Some("abba")),
        (Perl, r"(?<x>.)\k{x}", "abb", Some("bb")),
        (Perl, r"(?'x'.)\g{x}", "abb", Some("bb")),
        (Perl, r"c\z", "abc", Some("c")),
        (Perl, r"\p{Xwd}+", "-aé_1-", Some("aé_1")),
        (Perl, r"[[&&]+", "a[&[", Some("[&[")),
        (Perl, r"[]a]+[[:digit:]]", "]a1", Some("]a1")),
        (Perl, r"a(?#note)b", "ab", Some("ab")),
        (Fixed, "a.b", "axb a.b", Some("a.b")),
        (Fixed, "a\nab", "ab", Some("ab")),
        (Basic, "a <b> c", "a <b> c", Some("a <b> c")),
        (Extended, " -> ", "a -> b", Some(" -> ")),
        (Awk, "< >", "< >", Some("< >")),
        (Fixed, "a > b", "a > b", Some("a > b")),
    ];
    for (dialect, pattern, text, expected) in cases {
        assert_eq!(
            find(*dialect, pattern, text).as_deref(),
            *expected,
            "{dialect:?} {pattern}"
        );
    }
}

#[test]
fn refuses_with_gnu_messages() {
    let cases = [
        (Dialect::Basic, "\\(", "Unmatched ( or \\("),
        (Dialect::Extended, "a)", "Unmatched ) or \\)"),
        (Dialect::Basic, "[a", "Unmatched [, [^, [:, [., or [="),
        (Dialect::Basic, "a\\", "Trailing backslash"),
        (Dialect::Extended, "\\1", "Invalid back reference"),
        (Dialect::Basic, "[[:nope:]]", "Invalid character class name"),
        (Dialect::Basic, "[b-a]", "Invalid range end"),
        (Dialect::Basic, "a\\{2,1\\}", "Invalid content of \\{\\}"),
    ];
    for (dialect, pattern, message) in cases {
        let error = Pattern::new(pattern.as_bytes(), &Settings::new(dialect)).err();
        assert_eq!(error.as_deref(), Some(message), "{pattern}");
    }
}

#[test]
fn sees_classes_without_brackets_around_them() {
    for bare in ["[:space:]", "a[^:digit:]*", "[:é:]", "\\[[:a:]"] {
        assert!(has_bare_class(bare.as_bytes()), "{bare}");
    }
    let others = [
        "[[:space:]]",
        "[[:space:]:]",
        "[:a-z:]",
        "[:ab]",
        "[a:]",
        "[:::]",
        "[]:a:]",
        "[:",
        "\\[:a:]",
    ];
    for other in others {
        assert!(!has_bare_class(other.as_bytes()), "{other}");
    }
}

#[test]
fn groups_follow_the_longest_match() {
    let pattern = Pattern::new(b"(a|ab)(c|bcd)", &Settings::new(Dialect::Extended)).unwrap();
    let groups = pattern.groups_at(b"xabcd", 0).unwrap();
    assert_eq!(groups[0], Some((1, 5)));
}

#[test]
fn matches_stay_within_lines() {
    let settings = Settings {
        line_end: Some(b'\n'),
        ..Settings::new(Dialect::Extended)
    };
    for source in ["b[^x]*", "b\\s*c", "b.*", "b[[:space:]]*c", "b\\W+"] {
        let pattern = Pattern::new(source.as_bytes(), &settings).unwrap();
        if let Some((from, to)) = pattern.find_at(b"ab \n\n cd", 0) {
            assert!(!b"ab \n\n cd"[from..to].contains(&b'\n'), "{source}");
        }
    }
}
