//! XPath 1.0 over a document (W3C Recommendation of 1999). Names without a prefix mean elements in no namespace; no
//! prefixes are known, as with `xmllint --xpath`.
//!
//! Node numbers follow the order of the document, so a set of nodes is put in order by sorting numbers. Every step
//! sorts: O(n log n) for n nodes found.

mod functions;
mod parse;

use std::cmp::Ordering;

use super::dom::{Content, Document, Id, ROOT};
use parse::{Axis, Expression, Operator, Step, Test};

/// What an expression gives.
#[derive(Clone, Debug)]
pub enum Value {
    /// In the order of the document.
    Nodes(Vec<Id>),
    Number(f64),
    Text(String),
    Truth(bool),
}

/// A value, or the message of an error.
type Found = Result<Value, String>;

/// Evaluates an expression at the root of a document.
pub fn evaluate(document: &Document, expression: &str) -> Found {
    let expression = parse::parse(expression)?;
    let focus = Focus {
        node: ROOT,
        position: 1,
        size: 1,
    };
    Machine { document }.run(&expression, focus)
}

/// A number as `%g` prints it.
///
/// Six significant digits, which is what `xmllint` prints for a number as the result.
pub fn short_number(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned();
    }
    let scientific = format!("{number:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..6).contains(&exponent) {
        return trim(&format!("{number:.*}", (5 - exponent).max(0) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
}

/// The node that an expression looks from.
#[derive(Clone, Copy)]
struct Focus {
    /// The context node.
    node: Id,
    /// Its place among the nodes that a predicate filters, from 1.
    position: usize,
    /// How many there are.
    size: usize,
}

struct Machine<'d> {
    document: &'d Document,
}

impl Machine<'_> {
    /// Evaluates an expression. Filters and paths need nodes; other values are an error.
    fn run(&self, expression: &Expression, focus: Focus) -> Found {
        Ok(match expression {
            Expression::Number(number) => Value::Number(*number),
            Expression::Text(text) => Value::Text(text.clone()),
            Expression::Negative(inside) => Value::Number(-self.number(&self.run(inside, focus)?)),
            Expression::Call(name, arguments) => return self.call(name, arguments, focus),
            Expression::Binary(operator, left, right) => {
                return self.binary(*operator, left, right, focus);
            }
            Expression::Filter(inside, predicates) => {
                let Value::Nodes(nodes) = self.run(inside, focus)? else {
                    return Err("Invalid type".to_owned());
                };
                Value::Nodes(self.filter(nodes, predicates)?)
            }
            Expression::Path(start, steps) => {
                let start = match start {
                    None => vec![focus.node],
                    Some(start) => match self.run(start, focus)? {
                        Value::Nodes(nodes) => nodes,
                        _ => return Err("Invalid type".to_owned()),
                    },
                };
                Value::Nodes(self.walk(start, steps)?)
            }
            Expression::Root => Value::Nodes(vec![ROOT]),
        })
    }

    /// An operator. `or` and `and` leave the right side out where the left one decides.
    fn binary(
        &self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        focus: Focus,
    ) -> Found {
        let x = self.run(left, focus)?;
        match operator {
            Operator::Or if self.truth(&x) => return Ok(Value::Truth(true)),
            Operator::And if !self.truth(&x) => return Ok(Value::Truth(false)),
            _ => {}
        }
        let y = self.run(right, focus)?;
        let numbers = || (self.number(&x), self.number(&y));
        Ok(match operator {
            Operator::Or | Operator::And => Value::Truth(self.truth(&y)),
            Operator::Add => Value::Number(numbers().0 + numbers().1),
            Operator::Subtract => Value::Number(numbers().0 - numbers().1),
            Operator::Multiply => Value::Number(numbers().0 * numbers().1),
            Operator::Divide => Value::Number(numbers().0 / numbers().1),
            Operator::Modulo => Value::Number(numbers().0 % numbers().1),
            Operator::Union => match (x, y) {
                (Value::Nodes(mut nodes), Value::Nodes(more)) => {
                    nodes.extend(more);
                    Value::Nodes(ordered(nodes))
                }
                _ => return Err("Invalid type".to_owned()),
            },
            comparison => Value::Truth(self.compare(comparison, &x, &y)),
        })
    }

    /// Node sets compare as true where any of their nodes does.
    fn compare(&self, operator: Operator, x: &Value, y: &Value) -> bool {
        match (x, y) {
            (Value::Nodes(nodes), other) if !matches!(other, Value::Truth(_)) => {
                nodes.iter().any(|&id| {
                    let text = Value::Text(self.document.text(id));
                    self.compare(operator, &text, other)
                })
            }
            (other, Value::Nodes(nodes)) if !matches!(other, Value::Truth(_)) => {
                nodes.iter().any(|&id| {
                    let text = Value::Text(self.document.text(id));
                    self.compare(operator, other, &text)
                })
            }
            _ => self.compare_simple(operator, x, y),
        }
    }

    /// Compares two values that are no node sets, by section 3.4: for equality as booleans if one is, else as numbers
    /// if one is, else as texts; otherwise as numbers.
    fn compare_simple(&self, operator: Operator, x: &Value, y: &Value) -> bool {
        let equality = matches!(operator, Operator::Equal | Operator::NotEqual);
        let truth = matches!(x, Value::Truth(_)) || matches!(y, Value::Truth(_));
        let number = matches!(x, Value::Number(_)) || matches!(y, Value::Number(_));
        let order = if equality && truth {
            Some(self.truth(x).cmp(&self.truth(y)))
        } else if equality && !number {
            Some(self.text(x).cmp(&self.text(y)))
        } else {
            self.number(x).partial_cmp(&self.number(y))
        };
        match operator {
            Operator::Equal => order == Some(Ordering::Equal),
            Operator::NotEqual => order != Some(Ordering::Equal),
            Operator::Less => order == Some(Ordering::Less),
            Operator::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Operator::Greater => order == Some(Ordering::Greater),
            _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }

    /// The conversion of `boolean()`.
    fn truth(&self, value: &Value) -> bool {
        match value {
            Value::Nodes(nodes) => !nodes.is_empty(),
            Value::Number(number) => *number != 0.0 && !number.is_nan(),
            Value::Text(text) => !text.is_empty(),
            Value::Truth(truth) => *truth,
        }
    }

    /// The conversion of `number()`. A text is a number only by XPath's grammar, which has no exponent and no plus.
    fn number(&self, value: &Value) -> f64 {
        match value {
            Value::Number(number) => *number,
            Value::Truth(truth) => f64::from(u8::from(*truth)),
            other => {
                let text = self.text(other);
                let text = text.trim_matches([' ', '\t', '\n', '\r']);
                let shape = text
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || b".-".contains(&byte));
                if shape {
                    text.parse().unwrap_or(f64::NAN)
                } else {
                    f64::NAN
                }
            }
        }
    }

    /// The conversion of `string()`: of a node set the text of its first node.
    fn text(&self, value: &Value) -> String {
        match value {
            Value::Nodes(nodes) => nodes
                .first()
                .map(|&id| self.document.text(id))
                .unwrap_or_default(),
            Value::Text(text) => text.clone(),
            Value::Truth(truth) => truth.to_string(),
            Value::Number(number) if number.is_finite() => format!("{}", number + 0.0),
            Value::Number(number) => short_number(*number),
        }
    }

    /// Follows steps from all nodes; the result is in order and without repetitions.
    fn walk(&self, start: Vec<Id>, steps: &[Step]) -> Result<Vec<Id>, String> {
        let mut nodes = start;
        for step in steps {
            let mut found = Vec::new();
            for node in nodes {
                let candidates = self.axis(step.axis, node);
                let fitting = candidates
                    .into_iter()
                    .filter(|&id| self.fits(id, &step.test, step.axis))
                    .collect();
                found.extend(self.filter(fitting, &step.predicates)?);
            }
            nodes = ordered(found);
        }
        Ok(nodes)
    }

    /// Applies predicates. A number is a position, anything else a truth value.
    fn filter(&self, mut nodes: Vec<Id>, predicates: &[Expression]) -> Result<Vec<Id>, String> {
        for predicate in predicates {
            let size = nodes.len();
            let mut kept = Vec::new();
            for (place, &node) in nodes.iter().enumerate() {
                let position = place + 1;
                let value = self.run(
                    predicate,
                    Focus {
                        node,
                        position,
                        size,
                    },
                )?;
                let holds = match value {
                    Value::Number(number) => number == position as f64,
                    other => self.truth(&other),
                };
                if holds {
                    kept.push(node);
                }
            }
            nodes = kept;
        }
        Ok(nodes)
    }

    /// The nodes of an axis, the nearest first.
    fn axis(&self, axis: Axis, node: Id) -> Vec<Id> {
        let document = self.document;
        let parent = document[node].parent;
        let attribute = matches!(document[node].content, Content::Attribute { .. });
        match axis {
            Axis::Itself => vec![node],
            Axis::Child => self.children(node),
            Axis::Parent => parent.into_iter().collect(),
            Axis::Attribute => {
                let names = |id: &Id| !document.name(*id).starts_with("xmlns");
                document
                    .attributes(node)
                    .iter()
                    .copied()
                    .filter(names)
                    .collect()
            }
            Axis::Ancestor | Axis::AncestorOrItself => {
                let mut found = if axis == Axis::Ancestor {
                    Vec::new()
                } else {
                    vec![node]
                };
                let mut at = parent;
                while let Some(id) = at {
                    found.push(id);
                    at = document[id].parent;
                }
                found
            }
            Axis::Descendant | Axis::DescendantOrItself => {
                let mut found = Vec::new();
                let mut pending = vec![node];
                while let Some(at) = pending.pop() {
                    found.push(at);
                    pending.extend(self.children(at).into_iter().rev());
                }
                if axis == Axis::Descendant {
                    found.remove(0);
                }
                found
            }
            Axis::FollowingSibling | Axis::PrecedingSibling => {
                let Some(parent) = parent.filter(|_| !attribute) else {
                    return Vec::new();
                };
                let siblings = self.children(parent);
                let Some(place) = siblings.iter().position(|&id| id == node) else {
                    return Vec::new();
                };
                if axis == Axis::FollowingSibling {
                    siblings[place + 1..].to_vec()
                } else {
                    siblings[..place].iter().rev().copied().collect()
                }
            }
            Axis::Following | Axis::Preceding => {
                let mut found = Vec::new();
                for ancestor in self.axis(Axis::AncestorOrItself, node) {
                    let side = if axis == Axis::Following {
                        Axis::FollowingSibling
                    } else {
                        Axis::PrecedingSibling
                    };
                    for sibling in self.axis(side, ancestor) {
                        let mut below = self.axis(Axis::DescendantOrItself, sibling);
                        if axis == Axis::Preceding {
                            below.reverse();
                        }
                        found.extend(below);
                    }
                }
                found
            }
        }
    }

    /// The children that XPath sees: a document type is none.
    fn children(&self, node: Id) -> Vec<Id> {
        let visible = |id: &Id| !matches!(self.document[*id].content, Content::Doctype(_));
        self.document
            .children(node)
            .iter()
            .copied()
            .filter(visible)
            .collect()
    }

    /// Whether a node of the axis passes the test.
    fn fits(&self, id: Id, test: &Test, axis: Axis) -> bool {
        let content = &self.document[id].content;
        match test {
            Test::Node => true,
            Test::Text => matches!(content, Content::Text(_) | Content::Cdata(_)),
            Test::Comment => matches!(content, Content::Comment(_)),
            Test::Instruction(name) => {
                matches!(content, Content::Instruction { target, .. } if name.is_empty() || target == name)
            }
            Test::Any | Test::Name(_) => {
                let principal = if axis == Axis::Attribute {
                    matches!(content, Content::Attribute { .. })
                } else {
                    matches!(content, Content::Element { .. })
                };
                match test {
                    Test::Name(name) => {
                        principal && self.document.name(id) == name && self.namespace(id).is_empty()
                    }
                    _ => principal,
                }
            }
        }
    }

    /// The namespace of an element or attribute.
    fn namespace(&self, id: Id) -> String {
        let prefix = self
            .document
            .name(id)
            .split_once(':')
            .map(|(prefix, _)| prefix);
        if prefix.is_none() && matches!(self.document[id].content, Content::Attribute { .. }) {
            return String::new();
        }
        let wanted = prefix.map_or("xmlns".to_owned(), |prefix| format!("xmlns:{prefix}"));
        let mut at = Some(id);
        while let Some(node) = at {
            for &attribute in self.document.attributes(node) {
                if let Content::Attribute { name, value } = &self.document[attribute].content
                    && *name == wanted
                {
                    return value.clone();
                }
            }
            at = self.document[node].parent;
        }
        String::new()
    }
}

/// In the order of the document, without repetitions.
fn ordered(mut nodes: Vec<Id>) -> Vec<Id> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
