//! The core functions of XPath 1.0 (section 4 of the recommendation).
//!
//! `id()` and `lang()` need what a document type or an inherited attribute says, and are refused. Numbers are doubles,
//! positions count from 1, and texts are counted in characters.

use super::parse::Expression;
use super::{Content, Focus, Found, Machine, Value};

impl Machine<'_> {
    /// Calls a function, whose arguments are evaluated first, all of them.
    ///
    /// # Errors
    /// An unknown name, a wrong number of arguments, and a value that is no set of nodes where one is needed.
    pub(super) fn call(&self, name: &str, arguments: &[Expression], focus: Focus) -> Found {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.run(argument, focus)?);
        }
        let count = match name {
            "last" | "position" | "true" | "false" => 0..=0,
            "name" | "local-name" | "namespace-uri" | "string" | "string-length"
            | "normalize-space" | "number" => 0..=1,
            "concat" => 2..=usize::MAX,
            "substring" => 2..=3,
            "starts-with" | "contains" | "substring-before" | "substring-after" => 2..=2,
            "translate" => 3..=3,
            "count" | "id" | "boolean" | "not" | "lang" | "sum" | "floor" | "ceiling" | "round" => {
                1..=1
            }
            _ => return Err(format!("Unregistered function {name}")),
        };
        if !count.contains(&values.len()) {
            return Err("Invalid number of arguments".to_owned());
        }
        // Most functions look at the node itself where they are given nothing.
        let first = values
            .first()
            .cloned()
            .unwrap_or_else(|| Value::Nodes(vec![focus.node]));
        let text = |place: usize| {
            values
                .get(place)
                .map(|value| self.text(value))
                .unwrap_or_default()
        };
        Ok(match name {
            "last" => Value::Number(focus.size as f64),
            "position" => Value::Number(focus.position as f64),
            "true" => Value::Truth(true),
            "false" => Value::Truth(false),
            "string" => Value::Text(self.text(&first)),
            "number" => Value::Number(self.number(&first)),
            "string-length" => Value::Number(self.text(&first).chars().count() as f64),
            "normalize-space" => {
                let text = self.text(&first);
                Value::Text(text.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
            }
            "boolean" => Value::Truth(self.truth(&first)),
            "not" => Value::Truth(!self.truth(&first)),
            "floor" => Value::Number(self.number(&first).floor()),
            "ceiling" => Value::Number(self.number(&first).ceil()),
            "round" => Value::Number((self.number(&first) + 0.5).floor()),
            "concat" => Value::Text(values.iter().map(|value| self.text(value)).collect()),
            "starts-with" => Value::Truth(text(0).starts_with(&text(1))),
            "contains" => Value::Truth(text(0).contains(&text(1))),
            "substring-before" => {
                let (text, mark) = (text(0), text(1));
                Value::Text(
                    text.split_once(&mark)
                        .map_or("", |(head, _)| head)
                        .to_owned(),
                )
            }
            "substring-after" => {
                let (text, mark) = (text(0), text(1));
                Value::Text(
                    text.split_once(&mark)
                        .map_or("", |(_, tail)| tail)
                        .to_owned(),
                )
            }
            "substring" => Value::Text(self.substring(&values)),
            "translate" => Value::Text(translate(&text(0), &text(1), &text(2))),
            _ => return self.about_nodes(name, &first),
        })
    }

    /// The functions that take a set of nodes: `count`, `sum`, and the names of the first node in document order.
    fn about_nodes(&self, name: &str, first: &Value) -> Found {
        let Value::Nodes(nodes) = first else {
            return Err("Invalid type".to_owned());
        };
        let node = nodes.first().copied();
        let full = node.map_or("", |node| self.document.name(node));
        Ok(match name {
            "count" => Value::Number(nodes.len() as f64),
            "sum" => {
                let values = nodes.iter().map(|&id| Value::Text(self.document.text(id)));
                Value::Number(values.map(|value| self.number(&value)).sum())
            }
            "name" => Value::Text(full.to_owned()),
            "local-name" => Value::Text(full.rsplit(':').next().unwrap_or(full).to_owned()),
            "namespace-uri" => {
                let has = |node: &super::Id| {
                    matches!(
                        self.document[*node].content,
                        Content::Element { .. } | Content::Attribute { .. }
                    )
                };
                Value::Text(
                    node.filter(has)
                        .map(|node| self.namespace(node))
                        .unwrap_or_default(),
                )
            }
            _ => {
                return Err(format!(
                    "{name}() is not supported: it needs a document type"
                ));
            }
        })
    }

    /// `substring(TEXT, START, LENGTH)`. Both numbers are rounded, and what lies outside of the text is ignored:
    /// `substring("12345", 0, 3)` is `12`.
    fn substring(&self, values: &[Value]) -> String {
        let characters: Vec<char> = self.text(&values[0]).chars().collect();
        let round = |number: f64| (number + 0.5).floor();
        let start = round(self.number(&values[1]));
        let end = match values.get(2) {
            None => f64::INFINITY,
            Some(length) => start + round(self.number(length)),
        };
        let inside = |place: usize| {
            let position = (place + 1) as f64;
            position >= start && position < end
        };
        let kept = characters
            .iter()
            .enumerate()
            .filter(|(place, _)| inside(*place));
        kept.map(|(_, c)| *c).collect()
    }
}

/// `translate(TEXT, FROM, TO)`: each character of FROM becomes the one at its place in TO, or goes where there is none.
fn translate(text: &str, from: &str, to: &str) -> String {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let change = |c: char| match from.iter().position(|&other| other == c) {
        None => Some(c),
        Some(place) => to.get(place).copied(),
    };
    text.chars().filter_map(change).collect()
}
