//! Expressions against what bash 5.2 makes of them.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::process::Command;
use std::rc::Rc;

use proptest::prelude::*;

use super::*;
use crate::text::Text;

/// Variables in maps.
#[derive(Default)]
struct Variables {
    names: Vec<Vec<u8>>,
    plain: BTreeMap<Symbol, Text>,
    elements: BTreeMap<(Symbol, Vec<u8>), Text>,
    associative: Vec<Symbol>,
    charged: usize,
}

impl Variables {
    fn with(values: &[(&str, &str)]) -> Variables {
        let mut variables = Variables::default();
        for (name, value) in values {
            let symbol = variables.intern(name.as_bytes());
            variables.plain.insert(symbol, Text::from(*value));
        }
        variables
    }

    fn value(&mut self, name: &str) -> String {
        let symbol = self.intern(name.as_bytes());
        self.plain
            .get(&symbol)
            .map(|text| text.to_string_lossy().into_owned())
            .unwrap_or_default()
    }

    fn evaluate(&mut self, text: &[u8]) -> Result<i64, String> {
        let expression = Rc::new(Expression::parse(text, &mut |name| self.intern(name)));
        self.run(&expression, &[])
    }

    fn run(&mut self, expression: &Rc<Expression>, holes: &[i64]) -> Result<i64, String> {
        Evaluator::new()
            .evaluate(expression, holes, self)
            .map_err(|failure| match failure {
                Failure::Expression(error) => error.to_string(),
                Failure::Scope(message) => message.to_owned(),
            })
    }
}

fn key(index: &Index) -> Vec<u8> {
    match index {
        Index::Number(number) => Text::from(*number).into_vec(),
        Index::Key(key) => key.to_vec(),
    }
}

impl Scope for Variables {
    type Error = &'static str;

    fn intern(&mut self, name: &[u8]) -> Symbol {
        let found = self.names.iter().position(|known| known == name);
        found.unwrap_or_else(|| {
            self.names.push(name.to_vec());
            self.names.len() - 1
        }) as Symbol
    }
    fn get(&mut self, name: Symbol) -> Result<Value, Self::Error> {
        Ok(self
            .plain
            .get(&name)
            .map_or(Value::Unset, |text| Value::Text(text.clone())))
    }
    fn set(&mut self, name: Symbol, value: i64) -> Result<(), Self::Error> {
        self.plain.insert(name, Text::from(value));
        Ok(())
    }
    fn is_associative(&mut self, name: Symbol) -> bool {
        self.associative.contains(&name)
    }
    fn get_element(&mut self, name: Symbol, index: &Index) -> Result<Value, Self::Error> {
        let found = self.elements.get(&(name, key(index)));
        Ok(found.map_or(Value::Unset, |text| Value::Text(text.clone())))
    }
    fn set_element(&mut self, name: Symbol, index: &Index, value: i64) -> Result<(), Self::Error> {
        self.elements.insert((name, key(index)), Text::from(value));
        Ok(())
    }
    fn charge(&mut self) -> Result<(), Self::Error> {
        self.charged += 1;
        if self.charged > 10_000 {
            Err("budget")
        } else {
            Ok(())
        }
    }
}

/// The variables of the tables.
const VARIABLES: &[(&str, &str)] = &[
    ("bad", "1 +"),
    ("bad2", "3 4"),
    ("self", "self"),
    ("x", "7"),
    ("y", "3"),
    ("e", " "),
    ("s", "x+y"),
];

/// Expressions without quotes; bash is asked for their values and messages.
const EXPRESSIONS: &str = include_str!("expressions.txt");

/// What bash prints: the message, or the value and the variables.
fn bash(expressions: &[&str]) -> Option<Vec<String>> {
    let mut script = String::new();
    for expression in expressions {
        script.push_str("(bad='1 +'; bad2='3 4'; self=self; x=7; y=3; e=' '; s='x+y'; ");
        let quoted = expression.replace('\'', "'\\''");
        script.push_str(&format!("let r='{quoted}'; echo \"$r $x $y\")\n"));
        script.push_str("echo --\n");
    }
    let output = Command::new("bash")
        .args(["-c", &format!("{{ {script} }} 2>&1")])
        .env("LC_ALL", "C.UTF-8")
        .output()
        .ok()?;
    let output = String::from_utf8(output.stdout).ok()?;
    Some(
        output
            .split("--\n")
            .map(|block| block.lines().next().unwrap_or_default().to_owned())
            .collect(),
    )
}

fn ours(expression: &str) -> String {
    let mut variables = Variables::with(VARIABLES);
    match variables.evaluate(format!("r={expression}").as_bytes()) {
        Ok(_) => {
            let values = ["r", "x", "y"].map(|name| variables.value(name));
            values.join(" ")
        }
        Err(message) => message,
    }
}

/// Without what stands before the message.
fn message(line: &str) -> &str {
    let line = line.split_once(": line ").map_or(line, |(_, rest)| rest);
    let line = line.split_once(": ").map_or(line, |(_, rest)| rest);
    line.strip_prefix("let: ").unwrap_or(line)
}

#[test]
fn values_and_messages_are_those_of_bash() {
    let expressions: Vec<&str> = EXPRESSIONS.lines().collect();
    let Some(expected) = bash(&expressions) else {
        return;
    };
    let mut differing = Vec::new();
    for (expression, expected) in expressions.iter().zip(&expected) {
        let found = ours(expression);
        if found != message(expected) {
            differing.push(format!(
                "{expression}\n  ours {found}\n  bash {}",
                message(expected)
            ));
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "1", "2", "0", "7", "x", "y", "s", "n", "+", "-", "*", "/", "%", "**", "<<", ">>", "<",
        "<=", ">", "==", "!=", "&", "|", "^", "&&", "||", "!", "~", "?", ":", "?", ":", ",", "(",
        ")", "=", "+=", "*=", "++", "--", " ", " ", "010", "0x1f", "2#101", "@",
    ])
}

/// Anything that looks like an expression from afar.
fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(token(), 1..9).prop_map(|tokens| tokens.concat())
}

/// Operands and operators in turn, so that most are right. (bash minds a negative exponent also in
/// parts that it skips; we do not.)
fn sentence() -> impl Strategy<Value = String> {
    let operand = prop::sample::select(vec![
        "1", "2", "0", "-3", "x", "y", "s", "(x-9)", "x++", "--y", "!x", "~y", "(y=x)", "0x10",
        "(x,2)",
    ]);
    let operator = prop::sample::select(vec![
        "+", "-", "*", " / ", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^",
        "&&", "||", "?y:", ",",
    ]);
    prop::collection::vec((operand, operator), 1..7).prop_map(|pairs| {
        pairs
            .iter()
            .flat_map(|(left, right)| [*left, *right])
            .collect::<String>()
            + "2"
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn agrees_with_bash(
        soup in prop::collection::vec(soup(), 150),
        sentences in prop::collection::vec(sentence(), 150),
    ) {
        let expressions: Vec<&str> = soup.iter().chain(&sentences).map(String::as_str).collect();
        let mut differing = Vec::new();
        for (expression, expected) in expressions.iter().zip(bash(&expressions).unwrap_or_default()) {
            let found = ours(expression);
            if found != message(&expected) {
                differing.push(format!("{expression}\n  ours {found}\n  bash {}", message(&expected)));
            }
        }
        prop_assert!(differing.is_empty(), "{}", differing.join("\n"));
    }
}

#[test]
fn elements_are_found_by_number_or_by_key() {
    let mut variables = Variables::default();
    let map = variables.intern(b"m");
    variables.associative.push(map);
    let list = variables.intern(b"a");
    assert_eq!(variables.evaluate(b"a[1+1]=5, a[a[2]-3] += 2"), Ok(7));
    assert_eq!(variables.evaluate(b"i=1, a[i++]++, a[i]"), Ok(7));
    assert_eq!(variables.evaluate(b"m[1+1]=3, m[k]--, m[1+1]"), Ok(3));
    assert_eq!(variables.elements[&(list, b"1".to_vec())], "1");
    assert_eq!(variables.elements[&(map, b"1+1".to_vec())], "3");
    assert_eq!(variables.elements[&(map, b"k".to_vec())], "-1");
    assert_eq!(
        variables.evaluate(b"a[1+]"),
        Err("1+: syntax error: operand expected (error token is \"+\")".to_owned())
    );
}

#[test]
fn holes_are_filled_with_numbers() {
    let mut variables = Variables::with(&[("x", "7")]);
    let list = variables.intern(b"a");
    let parse = |variables: &mut Variables, text: &[u8]| {
        Expression::template(text, &mut |name| variables.intern(name)).map(Rc::new)
    };
    let sum = parse(&mut variables, b"\0 + x*\0").unwrap();
    assert_eq!(
        sum.accepts([b"1".as_slice(), b"-2"].into_iter()),
        Some(vec![1, -2])
    );
    assert_eq!(sum.accepts([b"1".as_slice(), b"y"].into_iter()), None);
    assert_eq!(variables.run(&sum, &[1, -2]), Ok(-13));
    let element = parse(&mut variables, b"a[\0] = \0").unwrap();
    assert_eq!(variables.run(&element, &[4, 9]), Ok(9));
    assert_eq!(variables.elements[&(list, b"4".to_vec())], "9");
    let negative = parse(&mut variables, b"x-\0").unwrap();
    assert_eq!(negative.accepts([b"-1".as_slice()].into_iter()), None);
    let wrong = parse(&mut variables, b"1 / (\0 - \0)").unwrap();
    assert_eq!(
        variables.run(&wrong, &[5, 5]),
        Err("1 / (5 - 5): division by 0 (error token is \"(5 - 5)\")".to_owned())
    );
    for text in [b"1\0".as_slice(), b"\0x", b"\0\0", b"16#\0"] {
        assert_eq!(parse(&mut variables, text), None);
    }
}

#[test]
fn depth_costs_no_native_stack() {
    let mut variables = Variables::with(&[("a", "b+b"), ("b", "c+c"), ("self", "self")]);
    let deep = [b"(".repeat(200_000), b"1".to_vec(), b")".repeat(200_000)].concat();
    assert_eq!(variables.evaluate(&deep), Ok(1));
    assert_eq!(
        variables.evaluate(&[b"-".repeat(100_001), b"1".to_vec()].concat()),
        Ok(-1)
    );
    assert!(variables.evaluate(&b"1?".repeat(100_000)).is_err());
    for name in 'c'..'z' {
        let symbol = variables.intern(name.to_string().as_bytes());
        let next = char::from_u32(name as u32 + 1).unwrap();
        variables
            .plain
            .insert(symbol, Text::from(format!("{next}+{next}")));
    }
    assert_eq!(variables.evaluate(b"a"), Err("budget".to_owned()));
}
