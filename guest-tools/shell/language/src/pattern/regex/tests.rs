//! Regular expressions beside those of bash 5.2 with glibc.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

use proptest::prelude::*;

use super::*;
use crate::pattern::Options;

/// Expressions and texts.
const TABLE: &[(&str, &[&str])] = &[
    ("*a", &["a", "*a"]),
    ("a|*b", &["a"]),
    ("^*a", &["a"]),
    ("(*a)", &["a"]),
    ("a**", &["aaa"]),
    ("a*?", &["aaa"]),
    ("a+?b", &["aaab"]),
    ("a?+", &["aaa"]),
    ("a{2}{2}", &["aaaaa"]),
    ("a{2}?", &["aaa", "b"]),
    ("a+{2}", &["aaa", "a"]),
    ("a{", &["a{", "a"]),
    ("a{x", &["a{x"]),
    ("a{,2}", &["aaa"]),
    ("a{2,1}", &["aa"]),
    ("{1}", &["a"]),
    ("a{99999}", &["a"]),
    ("()", &["a"]),
    ("(|a)", &["a"]),
    ("a||b", &["a", "b"]),
    (")", &[")"]),
    ("(", &["("]),
    ("a)", &["a)"]),
    ("[a", &["[a"]),
    ("[]a]", &["]", "b"]),
    ("[^]a]", &["b", "]"]),
    ("[a-]", &["-", "b"]),
    ("[[:alpha:]]+", &["ab1", "1é"]),
    ("[[:foo:]]", &["a"]),
    ("[z-a]", &["a"]),
    ("[\\.]", &["\\", "."]),
    ("\\.", &[".", "a"]),
    ("\\w+", &["ab c", "é"]),
    ("\\bfoo\\b", &["a foo b", "afoo"]),
    ("\\<a", &["ba a"]),
    ("a\\>", &["ab a"]),
    ("(a|ab)(c|bcd)(d*)", &["abcd"]),
    ("a|ab", &["ab"]),
    ("(a*)(ab)*", &["aab"]),
    ("(a|b)*", &["ab"]),
    ("(a*)+", &["b"]),
    (".", &["é"]),
    (".*", &["a\nb"]),
    ("a$b", &["a$b"]),
    ("a^b", &["a^b"]),
    ("^a|b$", &["xb"]),
    ("(^a)", &["a"]),
    ("[[=a=]]", &["a"]),
    ("[[.a.]]", &["a"]),
    ("[[.hyphen.]]", &["-"]),
    ("x{0}y", &["y"]),
    ("\\d", &["d", "1"]),
    ("\\s", &[" "]),
    ("\\S", &["a"]),
    ("\\a\\n\\t\\/\\-", &["ant/-"]),
    ("a\\", &["a\\"]),
    ("[[:alpha:]", &["a"]),
    ("[a\\]b]", &["a]b]", "\\b]"]),
    ("é+", &["éé"]),
    ("[éü]+", &["aéb", "e"]),
    ("(a)|(b)", &["b"]),
    ("((a)|(b))*", &["ab"]),
    ("(foo|foobar)(bar)?", &["foobar"]),
    ("x*", &[""]),
    ("", &["a"]),
    ("[^a]", &["\n", "a"]),
    ("\\$", &["$"]),
    ("\\(a\\)", &["(a)"]),
    ("a\\{2", &["a{2"]),
    ("+a", &["+a"]),
    ("a|", &["b"]),
    ("|a", &["b"]),
    ("a+b*c?", &["aabc"]),
    ("[\"']", &["\""]),
    ("(a?)(ab)?", &["ab"]),
    ("([0-9]+)\\.([0-9]+)", &["v1.22"]),
    (
        "^(([^:]+)://)?([^:/]+)(:([0-9]+))?(/.*)?$",
        &["http://a.b:80/c", "a.b", ":"],
    ),
    ("(a|ab)(bc|c)?", &["abc"]),
    ("(.*)(b+)", &["abbb"]),
    ("(a+|b+|ab)+", &["aabb"]),
    ("x(y|yz)?(z.*)?", &["xyzw"]),
    ("(a{1,2}){2}", &["aaa"]),
    ("(ab?)(b?)", &["ab"]),
    ("\\Bb", &["ab", "b"]),
    ("\\`a", &["ba", "a"]),
    ("a\\'", &["ab", "a"]),
    ("(a)(b)?", &["a"]),
    ("a{1,2", &["a{1,2"]),
    ("[[:upper:]]", &["a", "A"]),
    ("(b|a|ab)(.*)", &["abc"]),
    ("[[:space:]]*([^[:space:]]+)", &["  ab c"]),
    ("^[+-]?[0-9]+([.][0-9]*)?$", &["-1.5", "1.", "x"]),
    ("[[:punct:]]+[[:digit:]]{3}", &["a$123"]),
];

/// Status and groups, as the scripts below print them.
fn ours(pattern: &str, text: &str, ignore_case: bool) -> String {
    let options = Options {
        ignore_case,
        ..Options::default()
    };
    let Ok(regex) = Regex::new(pattern.as_bytes(), options) else {
        return "2".to_owned();
    };
    let Some(groups) = regex.captures(text.as_bytes()) else {
        return "1".to_owned();
    };
    let groups = groups
        .into_iter()
        .map(|group| format!(" <{}>", &text[group.unwrap_or(0..0)]));
    format!("0{}", groups.collect::<String>())
}

fn bash(cases: &[(String, String)], setup: &str) -> Option<Vec<String>> {
    let mut script = format!("{setup}\n");
    let single =
        |text: &str| String::from_utf8(crate::format::quote::single(text.as_bytes())).unwrap();
    for (pattern, text) in cases {
        script.push_str(&format!(
            "r={}; s={}; [[ $s =~ $r ]]; c=$?; printf %s $c; (( c )) || printf ' <%s>' \"${{BASH_REMATCH[@]}}\"; \
             printf '\\036'\n",
            single(pattern),
            single(text),
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
            .split('\u{1e}')
            .map(str::to_owned)
            .collect(),
    )
}

fn differing(cases: &[(String, String)], ignore_case: bool) -> String {
    let setup = if ignore_case {
        "shopt -s nocasematch"
    } else {
        ""
    };
    let mut differing = String::new();
    for ((pattern, text), expected) in cases.iter().zip(bash(cases, setup).unwrap_or_default()) {
        let found = ours(pattern, text, ignore_case);
        if found != expected {
            differing.push_str(&format!(
                "{pattern} on {text}: {found} but bash {expected}\n"
            ));
        }
    }
    differing
}

#[test]
fn matches_and_groups_are_those_of_bash() {
    let cases: Vec<(String, String)> = TABLE
        .iter()
        .flat_map(|(pattern, texts)| {
            texts
                .iter()
                .map(|text| (pattern.to_string(), text.to_string()))
        })
        .collect();
    let differing = differing(&cases, false);
    assert!(differing.is_empty(), "{differing}");
}

#[test]
fn case_is_ignored_as_in_bash() {
    let cases = [
        ("abc", "ABC"),
        ("[[:upper:]]", "a"),
        ("[A-C]+", "abd"),
        ("É", "é"),
        ("[é]", "É"),
    ]
    .map(|(pattern, text)| (pattern.to_owned(), text.to_owned()));
    let differing = differing(&cases, true);
    assert!(differing.is_empty(), "{differing}");
}

#[test]
fn quoted_parts_stand_for_themselves() {
    let pattern = [quote(b"a.[b]*\\"), b"+".to_vec()].concat();
    let regex = Regex::new(&pattern, Options::default()).unwrap();
    assert_eq!(regex.captures(b"xa.[b]*\\\\"), Some(vec![Some(1..9)]));
    assert_eq!(regex.captures(b"acb"), None);
    let regex = Regex::new(
        &[b"[x".to_vec(), quote(b"]-"), b"]".to_vec()].concat(),
        Options::default(),
    );
    // Not within brackets: the first `]` closes them.
    let regex = regex.unwrap();
    assert_eq!(regex.captures(b"x-]"), Some(vec![Some(0..3)]));
    assert_eq!(regex.captures(b"]"), None);
}

#[test]
fn what_asks_for_too_much_is_refused() {
    for pattern in [
        "((a{1000}){1000}){1000}".to_owned(),
        "(a{32767}){32767}".to_owned(),
        "(".repeat(100_000) + &")".repeat(100_000),
        "a".repeat(1 << 20),
        "a".to_owned() + &"{2}".repeat(1000),
        "(a)\\1".to_owned(),
    ] {
        assert_eq!(
            Regex::new(pattern.as_bytes(), Options::default()).err(),
            Some(InvalidRegex)
        );
    }
    let stars = "a".to_owned() + &"*".repeat(100_000);
    assert!(Regex::new(stars.as_bytes(), Options::default()).is_ok());
    // Linear where backtracking would take forever.
    let regex = Regex::new(b"(a|aa|a*)*b$", Options::default()).unwrap();
    assert_eq!(regex.captures(&[b'a'; 20_000]), None);
}

/// Anchors stand at the ends only: glibc has oddities where they repeat.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "b", "ab", ".", "[ab]", "[^a]", "é"])
        .prop_map(str::to_owned);
    let inner = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            (inner.clone(), inner.clone()).prop_map(|(left, right)| format!("({left}|{right})")),
            (
                inner.clone(),
                prop::sample::select(vec!["*", "+", "?", "{1,2}", "{2}"])
            )
                .prop_map(|(part, operator)| format!("({part}){operator}")),
            inner.prop_map(|part| format!("({part})")),
        ]
    });
    let anchor = |text: &'static str| prop::sample::select(vec!["", text]);
    (anchor("^"), inner, anchor("$")).prop_map(|(from, part, to)| format!("{from}{part}{to}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    /// The whole match; of the groups, glibc has oddities of its own where empty texts repeat.
    #[test]
    fn the_match_is_that_of_bash(
        cases in prop::collection::vec((expression(), "[abé]{0,6}"), 200),
    ) {
        let whole = |line: &str| line.split(" <").take(2).collect::<Vec<_>>().join(" <");
        for ((pattern, text), expected) in cases.iter().zip(bash(&cases, "").unwrap_or_default()) {
            prop_assert_eq!(whole(&ours(pattern, text, false)), whole(&expected), "{} on {}", pattern, text);
        }
    }
}
