//! `test` beside that of bash 5.2.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::process::Command;

use proptest::prelude::*;

use super::file::Comparison;
use super::*;

/// Knows `/` alone.
struct Little;

impl Facts for Little {
    fn file(&mut self, question: u8, path: &[u8]) -> bool {
        path == b"/" && b"edrsxw".contains(&question)
    }
    fn compare_files(&mut self, comparison: Comparison, left: &[u8], right: &[u8]) -> bool {
        let exists = |path| path == b"/";
        match comparison {
            Comparison::Newer => exists(left) && !exists(right),
            Comparison::Older => !exists(left) && exists(right),
            Comparison::Same => exists(left) && exists(right),
        }
    }
    fn is_terminal(&mut self, _: i64) -> bool {
        false
    }
    fn is_option_on(&mut self, name: &[u8]) -> bool {
        name == b"braceexpand"
    }
    fn is_set(&mut self, variable: &[u8]) -> bool {
        variable == b"set"
    }
    fn is_reference(&mut self, _: &[u8]) -> bool {
        false
    }
}

fn ours(words: &[String], brackets: bool) -> String {
    let answer = if brackets {
        let words: Vec<String> = words.iter().cloned().chain(["]".to_owned()]).collect();
        bracket(&words, &mut Little)
    } else {
        test(words, &mut Little)
    };
    match answer {
        Ok(answer) => i32::from(!answer).to_string(),
        Err(error) => format!("2 {}: {error}", if brackets { "[" } else { "test" }),
    }
}

fn bash(cases: &[Vec<String>], brackets: bool) -> Option<Vec<String>> {
    let mut script = String::from("set=1\n");
    for words in cases {
        let words: Vec<String> = words
            .iter()
            .map(|word| String::from_utf8(crate::format::quote::single(word.as_bytes())).unwrap())
            .collect();
        let words = words.join(" ");
        let command = if brackets {
            format!("[ {words} ]")
        } else {
            format!("test {words}")
        };
        script.push_str(&format!(
            "m=$({command} </dev/null 2>&1); c=$?; m=${{m#*: line *: }}; echo \"$c${{m:+ $m}}\"\n"
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

fn differing(cases: &[Vec<String>]) -> String {
    let mut differing = String::new();
    for brackets in [true, false] {
        for (words, expected) in cases.iter().zip(bash(cases, brackets).unwrap_or_default()) {
            let found = ours(words, brackets);
            if found != expected {
                differing.push_str(&format!("{words:?}: {found} but bash {expected}\n"));
            }
        }
    }
    differing
}

/// Arguments, between spaces; `''` is an empty one.
const TABLE: &str = "
''
a
!
! ''
! a
-n
-n ''
-z ''
a = a
a == b
a < b
b > a
1 -eq 1
1 -eq a
a -eq 1
'' -eq 0
1 -foo 2
a b
a b c
a b c d
a b c d e
( a )
( '' )
( a
( ! a )
a -a b
'' -o b
a -a '' -o b
'' -o a -a b
! a -a b
( a -o b ) -a c
-f /nonexist
-d /
-foo x
-Q x
! ( a = a )
a =
= a
= = =
-n = -n
( = (
( = )
-a /
-o b
-o braceexpand
! -o b
-t 0
-t x
-v x
-v set
1 -eq 1 -a 2 -eq 3
a = a b
a = a -a
( a = a
( a = a ) b
)
( )
( ) )
a -nt b
/ -nt x
x -ot /
/ -ef /
99999999999999999999 -eq 1
0x10 -eq 16
010 -eq 10
+1 -eq 1
-1 -lt 0
-z -a
-z a b
! ! a
! a b c d
a -a -a b
a ! b
a -a ! b
a = a -a ( b = b -o c = d )
( ( a ) )
( a ) -o
-o -o -o
! = !
( -n x )
( -n )
-gt 1 2
5 -gt 3 ]
x -eq
a = a -b
( a -a b ) -x
-t -a x
x -a -t y
! ! ! a b
";

#[test]
fn answers_and_messages_are_those_of_bash() {
    let unquote = |word: &str| {
        if word == "''" {
            String::new()
        } else {
            word.to_owned()
        }
    };
    let cases: Vec<Vec<String>> = TABLE
        .lines()
        .map(|line| line.split_whitespace().map(unquote).collect())
        .collect();
    let differing = differing(&cases);
    assert!(differing.is_empty(), "{differing}");
    assert_eq!(bracket(&["a"], &mut Little), Err(TestError::MissingBracket));
    assert_eq!(
        bracket::<&str>(&[], &mut Little),
        Err(TestError::MissingBracket)
    );
}

#[test]
fn depth_and_length_cost_no_native_stack() {
    let deep: Vec<&str> = std::iter::repeat_n("(", 100_000)
        .chain(["a"])
        .chain(std::iter::repeat_n(")", 100_000))
        .collect();
    assert_eq!(test(&deep, &mut Little), Err(TestError::TooManyArguments));
    let long: Vec<&str> = std::iter::repeat_n(["a", "-o"], 100_000)
        .flatten()
        .chain(["a"])
        .collect();
    assert_eq!(test(&long, &mut Little), Ok(true));
    assert_eq!(
        test(&vec!["!"; 100_001], &mut Little),
        Err(TestError::ArgumentExpected)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn agrees_with_bash(cases in prop::collection::vec(prop::collection::vec(prop::sample::select(
        vec!["a", "", "!", "(", ")", "-a", "-o", "=", "1", "-eq", "-n", "-z", "b", "<", "-d", "/"]
    ), 0..8), 200)) {
        let cases: Vec<Vec<String>> =
            cases.into_iter().map(|words| words.into_iter().map(str::to_owned).collect()).collect();
        let differing = differing(&cases);
        prop_assert!(differing.is_empty(), "{}", differing);
    }
}
