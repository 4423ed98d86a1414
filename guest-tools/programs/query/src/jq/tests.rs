//! Programs, their input and what jq prints.

use super::*;
use run::Inputs;

struct Nothing;

impl Inputs for Nothing {
    fn next(&mut self) -> Option<Result<Value, String>> {
        None
    }

    fn file(&self) -> Value {
        Value::Null
    }

    fn line(&self) -> usize {
        0
    }
}

fn outcome(source: &str, input: &str) -> String {
    let modules = Modules::new(&[], None);
    let constants = modules::constants(&Value::Null, Vec::new(), &modules);
    let mut parser = Parser::new(constants, &modules);
    if let Err(wrong) = parser.main(source) {
        return format!("compile: {}", wrong.message);
    }
    let program = parser.program;
    let mut nothing = Nothing;
    let machine = Machine::new(&program, &modules, &mut nothing);
    let input = json::Reader::new(input.as_bytes())
        .next()
        .ok()
        .flatten()
        .unwrap_or(Value::Null);
    let mut lines = Vec::new();
    let flow = machine.run(input, &mut |value| {
        lines.push(json::compact(&value));
        Ok(())
    });
    if let Err(Stop::Error(error)) = flow {
        lines.push(format!("error: {}", formats::to_text(&error)));
    }
    lines.join(" ")
}

/// What the source gives for 1, on a stack that has room for the frames of a debug build.
fn outcome_with_room(source: String) -> String {
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let running = thread.spawn(move || outcome(&source, "1")).unwrap();
    running.join().unwrap()
}

#[test]
fn long_programs_run_and_deep_ones_are_errors() {
    let deep = "the program is nested too deep";
    let flat = [
        (vec!["."; 2_000].join("|"), "1"),
        (vec![". + 1"; 2_000].join("|"), "2001"),
        (format!("[{}] | length", vec!["7"; 9_000].join(",")), "9000"),
        (vec!["1"; 2_000].join("+"), "2000"),
        ("def f: 1; ".repeat(2_000) + "f", "1"),
    ];
    for (source, expected) in flat {
        assert_eq!(outcome_with_room(source), expected);
    }
    let nested = [
        "-".repeat(100_000) + "1",
        "try ".repeat(100_000) + ".",
        vec![".a"; 100_000].join("//"),
        vec!["1"; 100_000].join("+"),
        ".a".repeat(100_000),
        "(".repeat(100_000),
        ". as ".to_owned() + &"[".repeat(100_000),
        "\"\\(".repeat(100_000),
        "if 1 then 2 ".to_owned() + &"elif 3 then 4 ".repeat(100_000),
    ];
    for source in nested {
        assert_eq!(outcome_with_room(source), format!("compile: {deep}"));
    }
}

#[test]
fn digits_of_escapes_have_no_sign() {
    assert_eq!(
        outcome(r#""\u+123""#, "1"),
        r"compile: invalid \uXXXX escape"
    );
    assert_eq!(
        outcome("@urid", r#""%+1""#),
        r#"error: string ("%+1") is not a valid uri encoding"#
    );
    assert!(json::Reader::new(br#""\u+123""#).next().is_err());
}

#[test]
fn programs_give_what_jq_gives() {
    let cases = [
        (".a[0].b", r#"{"a":[{"b":1}]}"#, "1"),
        ("[(1,2)+(10,20)]", "null", "[11,12,21,22]"),
        (
            r#"["\(1,2) \(3,4)"]"#,
            "null",
            r#"["1 3","2 3","1 4","2 4"]"#,
        ),
        (
            "[{a:(1,2),b:(3,4)}]",
            "null",
            r#"[{"a":1,"b":3},{"a":2,"b":3},{"a":1,"b":4},{"a":2,"b":4}]"#,
        ),
        ("[.[0,1:2,3]]", "[1,2,3,4]", "[[1,2],[1,2,3],[2],[2,3]]"),
        ("(.a,.b) |= range(3)", "{}", r#"{"a":0,"b":0}"#),
        (".[] |= empty", "[1,2]", "[]"),
        (
            "del(.[1], .[-6], .[2], .[-3:9])",
            "[0,1,2,3,4,5,6,7,8,9]",
            "[0,3,5,6,9]",
        ),
        (".[] as [$a] ?// $a | $a", "[[1],2]", "1 2"),
        (
            "reduce .[] as [$i,$j] (0; . + $i * $j)",
            "[[1,2],[3,4]]",
            "14",
        ),
        (
            "[foreach range(3) as $i (0; .+$i; [$i,.])]",
            "null",
            "[[0,0],[1,1],[2,3]]",
        ),
        ("label $out | 1, break $out, 2", "null", "1"),
        (
            "[limit(3; range(10))], first(range(5;9))",
            "null",
            "[0,1,2] 5",
        ),
        (
            "def f: if . > 99999 then . else .+1 | f end; 0 | f",
            "null",
            "100000",
        ),
        ("last(range(1e5))", "null", "99999"),
        ("[paths]", r#"{"a":[1]}"#, r#"[["a"],["a",0]]"#),
        ("try error(\"x\") catch .", "null", "\"x\""),
        ("(try 1 catch 2) | error", "null", "error: 1"),
        (".a", "1", "error: Cannot index number with string (\"a\")"),
        (".[]", "1", "error: Cannot iterate over number (1)"),
        (
            "{} + 1",
            "null",
            "error: object ({}) and number (1) cannot be added",
        ),
        (
            "1 / 0",
            "null",
            "error: number (1) and number (0) cannot be divided because the divisor is zero",
        ),
        (
            "[1.0, 1e17, 3.14e-5, 12345678901234567890]",
            "null",
            "[1.0,1E+17,0.0000314,12345678901234567890]",
        ),
        ("@base64, @uri, @sh", "\"a b\"", r#""YSBi" "a%20b" "'a b'""#),
        (
            "gsub(\"(?<x>[a-z])\"; \"<\\(.x)>\")",
            "\"ab1\"",
            "\"<a><b>1\"",
        ),
        ("[splits(\", *\")]", "\"a,  b\"", r#"["a","b"]"#),
        (
            "group_by(.a) | map(length)",
            r#"[{"a":1},{"a":2},{"a":1}]"#,
            "[2,1]",
        ),
        (
            "todate, (todate | fromdate)",
            "1425599621",
            "\"2015-03-05T23:53:41Z\" 1425599621",
        ),
        ("[tostream]", "[1,[2]]", "[[[0],1],[[1,0],2],[[1,0]],[[1]]]"),
        (
            "fromstream(tostream)",
            r#"{"a":[1,{"b":2}]}"#,
            r#"{"a":[1,{"b":2}]}"#,
        ),
        ("nope", "null", "compile: nope/0 is not defined"),
        (
            "1 +",
            "null",
            "compile: syntax error, unexpected end of file",
        ),
    ];
    for (source, input, expected) in cases {
        assert_eq!(outcome(source, input), expected, "{source}");
    }
}

/// Values that are nested as deep as they may be are read, compared, written and dropped on a small stack, as a guest
/// has it.
#[test]
fn nesting_needs_no_stack() {
    let work = || {
        let deep = |depth: usize| "[{\"a\":".repeat(depth / 2) + "1" + &"}]".repeat(depth / 2);
        let text = deep(value::MAX_DEPTH);
        let value = json::Reader::new(text.as_bytes()).next().unwrap().unwrap();
        let same = json::Reader::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(
            value.compare(&same, value::MAX_DEPTH + 1),
            Some(std::cmp::Ordering::Equal)
        );
        assert_eq!(json::compact(&value), text);
        let deeper = deep(value::MAX_DEPTH + 2);
        let message = json::Reader::new(deeper.as_bytes()).next().unwrap_err().0;
        assert!(message.starts_with("Exceeds depth limit for parsing at line 1, column "));
        let mut built = Value::Null;
        for _ in 0..20 * value::MAX_DEPTH {
            built = vec![built].into();
        }
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    thread.spawn(work).unwrap().join().unwrap();
}
