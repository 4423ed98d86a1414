//! Walks over names in their order, and what differs between two.

use super::super::name::Name;
use super::super::part::Part;
use super::{Edge, Entry, Names, Node};
use crate::Result;

impl Names {
    /// All entries in the order of names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Result<(&Name, Entry)>> {
        let mut walk = Walk::new(self);
        std::iter::from_fn(move || {
            loop {
                match walk.pop()? {
                    Head::Node(node, _) => {
                        if let Err(error) = walk.expand(node) {
                            return Some(Err(error));
                        }
                    }
                    Head::Entry(name, entry) => return Some(Ok((name, entry))),
                }
            }
        })
    }

    /// Calls `visit` for every name whose entry differs, skipping what both share. Returns how many
    /// nodes it opened.
    pub(crate) fn diff<'a>(
        &'a self,
        other: &'a Names,
        mut visit: impl FnMut(&'a Name, Option<Entry>, Option<Entry>),
    ) -> Result<usize> {
        let (mut a, mut b) = (Walk::new(self), Walk::new(other));
        loop {
            match (a.pop(), b.pop()) {
                (None, None) => return Ok(a.opened + b.opened),
                (Some(Head::Node(x, _)), Some(Head::Node(y, _))) if Part::same(x, y) => {}
                (Some(Head::Entry(x, left)), Some(Head::Entry(y, right))) if x == y => {
                    if left != right {
                        visit(x, Some(left), Some(right));
                    }
                }
                (Some(x), y) if x.is_before(y.as_ref()) => {
                    if let Head::Entry(name, entry) = x {
                        visit(name, Some(entry), None);
                    }
                    b.push(y);
                }
                (x, Some(y)) if y.is_before(x.as_ref()) => {
                    if let Head::Entry(name, entry) = y {
                        visit(name, None, Some(entry));
                    }
                    a.push(x);
                }
                (x, y) => {
                    let deeper = (height(x.as_ref()), height(y.as_ref()));
                    a.settle(x, deeper.0 >= deeper.1)?;
                    b.settle(y, deeper.1 >= deeper.0)?;
                }
            }
        }
    }
}

/// What comes next in a walk: an entry, or a node that is not opened yet, with its bound.
#[derive(Clone, Copy)]
enum Head<'a> {
    Node(&'a Edge, Option<&'a Name>),
    Entry(&'a Name, Entry),
}

impl<'a> Head<'a> {
    /// Whether this entry is known to come before everything in `other`.
    fn is_before(&self, other: Option<&Head<'a>>) -> bool {
        match (self, other) {
            (Head::Entry(..), None) => true,
            (Head::Entry(name, _), Some(Head::Entry(next, _) | Head::Node(_, Some(next)))) => {
                name < next
            }
            _ => false,
        }
    }
}

/// Levels from here down; an entry has less than any node.
fn height(head: Option<&Head<'_>>) -> u64 {
    match head {
        Some(Head::Node(node, _)) => node.claim() + 1,
        _ => 0,
    }
}

/// A walk in the order of names that can pass over whole nodes.
struct Walk<'a> {
    /// What is still to come, the next on top.
    stack: Vec<Head<'a>>,
    opened: usize,
}

impl<'a> Walk<'a> {
    fn new(names: &'a Names) -> Walk<'a> {
        Walk {
            stack: names
                .root
                .iter()
                .map(|root| Head::Node(root, None))
                .collect(),
            opened: 0,
        }
    }

    fn pop(&mut self) -> Option<Head<'a>> {
        self.stack.pop()
    }

    fn push(&mut self, head: Option<Head<'a>>) {
        self.stack.extend(head);
    }

    fn expand(&mut self, node: &'a Edge) -> Result<()> {
        self.opened += 1;
        match node.get()? {
            Node::Leaf(entries) => {
                self.stack.extend(
                    entries
                        .iter()
                        .rev()
                        .map(|(name, entry)| Head::Entry(name, *entry)),
                );
            }
            Node::Inner(children) => {
                let children = children.iter().rev();
                self.stack
                    .extend(children.map(|child| Head::Node(&child.node, Some(&child.bound))));
            }
        }
        Ok(())
    }

    /// Puts a head back, opened where it is a node and `open` says so.
    fn settle(&mut self, head: Option<Head<'a>>, open: bool) -> Result<()> {
        match head {
            Some(Head::Node(node, _)) if open => self.expand(node),
            other => {
                self.push(other);
                Ok(())
            }
        }
    }
}
