//! A pattern's text, read into a tree.

use super::Options;
use super::character::{Character, decode, fold};
use super::set::{Set, Unclosed};

/// How deep extended patterns may nest; one that is deeper is compared as plain text. It bounds the
/// native stack, which a script must not be able to overflow.
const MAX_DEPTH: usize = 200;

/// A piece of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// One character, folded where case is ignored.
    Character(Character),
    /// `?`
    Any,
    /// `*`
    Star,
    /// `[…]`
    Set(Set),
    /// `@(…)` and its kin.
    Group(Quantity, Vec<Vec<Node>>),
}

/// The operator of an extended pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// `?(…)`
    Optional,
    /// `*(…)`
    Any,
    /// `+(…)`
    Some,
    /// `@(…)`
    One,
    /// `!(…)`
    Not,
}

/// Reads a pattern.
pub(super) fn parse(pattern: &[u8], options: Options) -> Vec<Node> {
    Parser {
        pattern,
        options,
        unclosed: Unclosed::default(),
    }
    .sequence(0, pattern.len(), 0)
}

struct Parser<'a> {
    pattern: &'a [u8],
    options: Options,
    unclosed: Unclosed,
}

impl Parser<'_> {
    /// The nodes of `pattern[at..end]`.
    fn sequence(&mut self, mut at: usize, end: usize, depth: usize) -> Vec<Node> {
        let pattern = &self.pattern[..end];
        let mut nodes = Vec::new();
        while at < end {
            if let Some(quantity) = self.quantity(at, end) {
                let close = self.group_end(at + 2, end);
                let Some(close) = close.filter(|_| depth < MAX_DEPTH) else {
                    // bash compares what follows an operator without its `)` as plain text.
                    nodes.extend(
                        pattern[at..]
                            .iter()
                            .map(|&byte| self.character(byte.into())),
                    );
                    return nodes;
                };
                nodes.push(Node::Group(
                    quantity,
                    self.alternatives(at + 2, close, depth + 1),
                ));
                at = close + 1;
                continue;
            }
            match pattern[at] {
                b'?' => nodes.push(Node::Any),
                b'*' if nodes.last() == Some(&Node::Star) => {}
                b'*' => nodes.push(Node::Star),
                b'[' => match self.set(at, end) {
                    Some((set, after)) => {
                        nodes.push(Node::Set(set));
                        at = after;
                        continue;
                    }
                    None => nodes.push(self.character('['.into())),
                },
                byte => {
                    // A backslash at the very end stands for itself.
                    if byte == b'\\' && at + 1 < end {
                        at += 1;
                    }
                    if let Some((character, length)) = decode(pattern, at, self.options.bytewise) {
                        nodes.push(self.character(character));
                        at += length;
                        continue;
                    }
                }
            }
            at += 1;
        }
        nodes
    }

    fn character(&self, character: Character) -> Node {
        Node::Character(if self.options.ignore_case {
            fold(character)
        } else {
            character
        })
    }

    fn quantity(&self, at: usize, end: usize) -> Option<Quantity> {
        if !self.options.extended || at + 1 >= end || self.pattern[at + 1] != b'(' {
            return None;
        }
        match self.pattern[at] {
            b'?' => Some(Quantity::Optional),
            b'*' => Some(Quantity::Any),
            b'+' => Some(Quantity::Some),
            b'@' => Some(Quantity::One),
            b'!' => Some(Quantity::Not),
            _ => None,
        }
    }

    /// The `)` that ends the group whose text begins at `from`.
    fn group_end(&mut self, from: usize, end: usize) -> Option<usize> {
        let pattern = self.pattern;
        let mut depth = 0usize;
        let mut at = from;
        while at < end {
            match pattern[at] {
                b'\\' => at += 1,
                b'[' => {
                    // One that has no end hides the `)`.
                    (_, at) = self.set(at, end)?;
                    continue;
                }
                b'(' => depth += 1,
                b')' if depth == 0 => return Some(at),
                b')' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The bracket expression that begins at `at`.
    fn set(&mut self, at: usize, end: usize) -> Option<(Set, usize)> {
        Set::parse(
            &self.pattern[..end],
            at + 1,
            self.options,
            &mut self.unclosed,
        )
    }

    /// What stands between the `|` of a group.
    fn alternatives(&mut self, from: usize, end: usize, depth: usize) -> Vec<Vec<Node>> {
        let mut alternatives = Vec::new();
        let (mut start, mut at, mut nested) = (from, from, 0usize);
        while at < end {
            match self.pattern[at] {
                b'\\' => at += 1,
                b'[' => {
                    if let Some((_, after)) = self.set(at, end) {
                        at = after;
                        continue;
                    }
                }
                b'(' => nested += 1,
                b')' => nested = nested.saturating_sub(1),
                b'|' if nested == 0 => {
                    alternatives.push(self.sequence(start, at, depth));
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        alternatives.push(self.sequence(start, end, depth));
        alternatives
    }
}
