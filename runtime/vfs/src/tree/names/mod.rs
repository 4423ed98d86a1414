//! A directory's entries: a persistent ordered map from names, as a B+ tree.
//!
//! A clone is a pointer copy. A change copies the nodes on one path where they are shared and
//! works in place where they are not. Recursion is as deep as the tree is high: 5 for a million.

mod walk;

use std::cmp::Ordering;
use std::sync::Arc;

use super::codec::{Reader, Writer};
use super::name::{Key, Name};
use super::part::{self, Part};
use crate::{Error, Kind, Link, ObjectKind, ObjectSink, ObjectSource, Result};

/// Entries of a leaf and children of an inner node.
const WIDTH: usize = 32;
/// A node below this joins a neighbour where both fit into one.
const SPARSE: usize = WIDTH / 4;
/// More levels than any directory needs; against recursion without end (T43).
const MAX_HEIGHT: u64 = 16;
/// The longest name that can be stored; quotas may allow less.
const MAX_NAME: u64 = 1 << 16;

/// What a name leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) inode: u64,
    pub(crate) kind: Kind,
}

#[derive(Clone, Default)]
pub(crate) struct Names {
    root: Option<Edge>,
    len: usize,
}

type Edge = Arc<Part<Node>>;

#[derive(Clone)]
pub(crate) enum Node {
    Leaf(Vec<(Name, Entry)>),
    Inner(Vec<Child>),
}

#[derive(Clone)]
pub(crate) struct Child {
    /// No name below is smaller, and every name of earlier children is.
    bound: Name,
    node: Edge,
}

impl Node {
    fn len(&self) -> usize {
        match self {
            Node::Leaf(entries) => entries.len(),
            Node::Inner(children) => children.len(),
        }
    }

    /// Cuts an overfull node in two and returns the second. A node that grew at its end stays
    /// nearly full, so that names added in order fill the leaves.
    fn split(&mut self, grown_at_end: bool) -> Child {
        let at = if grown_at_end { WIDTH } else { WIDTH / 2 };
        match self {
            Node::Leaf(entries) => {
                let tail = tail(entries, at);
                Child {
                    bound: tail[0].0.clone(),
                    node: edge(Node::Leaf(tail)),
                }
            }
            Node::Inner(children) => {
                let tail = tail(children, at);
                Child {
                    bound: tail[0].bound.clone(),
                    node: edge(Node::Inner(tail)),
                }
            }
        }
    }

    fn append(&mut self, other: Node) {
        match (self, other) {
            (Node::Leaf(entries), Node::Leaf(mut more)) => entries.append(&mut more),
            (Node::Inner(children), Node::Inner(mut more)) => children.append(&mut more),
            // Neighbours stand at one height.
            _ => {}
        }
    }
}

impl part::Body for Node {
    const KIND: ObjectKind = ObjectKind::Names;

    /// Levels below; a leaf has none.
    fn claim(&self) -> u64 {
        match self {
            Node::Leaf(_) => 0,
            Node::Inner(children) => children.first().map_or(0, |child| child.node.claim()) + 1,
        }
    }

    fn decode(payload: &[u8], source: &Arc<dyn ObjectSource>) -> Result<Node> {
        let mut reader = Reader::new(payload);
        let level = reader.number_to(MAX_HEIGHT)?;
        let count = reader.number_to(WIDTH as u64)?;
        let mut last: Option<Name> = None;
        // Names ascend, so none comes twice.
        let mut next = |reader: &mut Reader<'_>, empty: bool| {
            let name = Name::new(reader.bytes(MAX_NAME)?);
            let valid = (empty && name.is_empty()) || is_name(&name);
            if !valid || last.as_ref().is_some_and(|last| *last >= name) {
                return Err(Error::Corrupt);
            }
            last = Some(name.clone());
            Ok(name)
        };
        let node = if level == 0 {
            let mut entries = Vec::with_capacity(WIDTH + 1);
            for _ in 0..count {
                let name = next(&mut reader, false)?;
                let inode = reader.number_to(super::MAX_INODE)?;
                let kind = kind_of(reader.byte()?)?;
                entries.push((name, Entry { inode, kind }));
            }
            Node::Leaf(entries)
        } else {
            let mut children = Vec::with_capacity(WIDTH + 1);
            for index in 0..count {
                let bound = next(&mut reader, index == 0)?;
                let node = Arc::new(Part::absent(reader.id()?, level - 1, source));
                children.push(Child { bound, node });
            }
            Node::Inner(children)
        };
        reader.end()?;
        if node.len() == 0 {
            return Err(Error::Corrupt);
        }
        Ok(node)
    }

    fn encode<S: ObjectSink>(&self, sink: &mut S) -> Result<Vec<u8>, S::Error> {
        let mut writer = Writer::default();
        writer.number(self.claim());
        writer.number(self.len() as u64);
        match self {
            Node::Leaf(entries) => {
                for (name, entry) in entries {
                    writer.bytes(name);
                    writer.number(entry.inode);
                    writer.byte(number_of(entry.kind));
                }
            }
            Node::Inner(children) => {
                for child in children {
                    writer.bytes(&child.bound);
                    writer.id(child.node.save(sink)?);
                }
            }
        }
        Ok(writer.0)
    }

    fn links(&self, found: &mut Vec<Link>) {
        if let Node::Inner(children) = self {
            children.iter().for_each(|child| child.node.link(found));
        }
    }
}

/// Whether bytes can name an entry of a directory.
pub(crate) fn is_name(name: &[u8]) -> bool {
    !matches!(name, b"" | b"." | b"..") && !name.iter().any(|byte| matches!(byte, b'/' | 0))
}

/// The number of a kind in stored nodes.
pub(crate) fn number_of(kind: Kind) -> u8 {
    match kind {
        Kind::Regular => 0,
        Kind::Directory => 1,
        Kind::Symlink => 2,
        Kind::Fifo => 3,
        Kind::Device => 4,
    }
}

pub(crate) fn kind_of(number: u8) -> Result<Kind> {
    match number {
        0 => Ok(Kind::Regular),
        1 => Ok(Kind::Directory),
        2 => Ok(Kind::Symlink),
        3 => Ok(Kind::Fifo),
        4 => Ok(Kind::Device),
        _ => Err(Error::Corrupt),
    }
}

/// What a node of a directory's names leads to.
pub(crate) fn names_links(
    payload: &[u8],
    claim: Option<u64>,
    source: &Arc<dyn ObjectSource>,
) -> Result<Vec<Link>> {
    part::links::<Node>(payload, claim, source)
}

fn edge(node: Node) -> Edge {
    Arc::new(Part::new(node))
}

/// Cuts off what follows `at`, and gives back the room it took.
fn tail<T>(items: &mut Vec<T>, at: usize) -> Vec<T> {
    let mut tail = Vec::with_capacity(WIDTH + 1);
    tail.extend(items.drain(at..));
    tail
}

/// The child that holds a name, where one does.
fn child_of(children: &[Child], key: &Key<'_>) -> usize {
    let before = |child: &Child| key.order_of(&child.bound) != Ordering::Greater;
    children.partition_point(before).saturating_sub(1)
}

/// Where a name is in a leaf, or belongs.
fn position(entries: &[(Name, Entry)], key: &Key<'_>) -> std::result::Result<usize, usize> {
    entries.binary_search_by(|(name, _)| key.order_of(name))
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn get(&self, name: &[u8]) -> Result<Option<Entry>> {
        let key = Key::new(name);
        let Some(mut edge) = self.root.as_ref() else {
            return Ok(None);
        };
        loop {
            match edge.get()? {
                Node::Inner(children) => edge = &children[child_of(children, &key)].node,
                Node::Leaf(entries) => {
                    return Ok(position(entries, &key).ok().map(|found| entries[found].1));
                }
            }
        }
    }

    pub(crate) fn insert(&mut self, name: Name, entry: Entry) -> Result<Option<Entry>> {
        // Loads the path, so that what fails changes nothing.
        self.get(&name)?;
        let root = self
            .root
            .get_or_insert_with(|| edge(Node::Leaf(Vec::new())));
        let (old, split) = insert(Part::edit(root)?, name, entry)?;
        if let Some(second) = split {
            let first = Child {
                bound: Name::default(),
                node: Arc::clone(root),
            };
            *root = edge(Node::Inner(vec![first, second]));
        }
        self.len += usize::from(old.is_none());
        Ok(old)
    }

    pub(crate) fn remove(&mut self, name: &[u8]) -> Result<Option<Entry>> {
        // A miss must not copy anything.
        let (Some(_), Some(root)) = (self.get(name)?, self.root.as_mut()) else {
            return Ok(None);
        };
        let old = remove(Part::edit(root)?, name)?;
        self.len = self.len.saturating_sub(usize::from(old.is_some()));
        while let Some(Node::Inner(children)) = self.root.as_ref().and_then(|root| root.resident())
            && let [only] = &children[..]
        {
            self.root = Some(Arc::clone(&only.node));
        }
        if self.len == 0 {
            self.root = None;
        }
        Ok(old)
    }

    /// The root's id and level and the number of names, once all are stored; none without names.
    pub(crate) fn save<S: ObjectSink>(
        &self,
        writer: &mut Writer,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        writer.number(self.len as u64);
        if let Some(root) = &self.root {
            writer.number(root.claim());
            writer.id(root.save(sink)?);
        }
        Ok(())
    }

    pub(crate) fn open(reader: &mut Reader<'_>, source: &Arc<dyn ObjectSource>) -> Result<Names> {
        let len = reader.number_to(super::MAX_INODE)? as usize;
        let root = if len == 0 {
            None
        } else {
            let level = reader.number_to(MAX_HEIGHT)?;
            Some(Arc::new(Part::absent(reader.id()?, level, source)))
        };
        Ok(Names { root, len })
    }

    pub(crate) fn links(&self, found: &mut Vec<Link>) {
        if let Some(root) = &self.root {
            root.link(found);
        }
    }
}

/// Returns the entry that was replaced and the second half of the node, where it was cut in two.
fn insert(node: &mut Node, name: Name, entry: Entry) -> Result<(Option<Entry>, Option<Child>)> {
    let (old, at) = match node {
        Node::Leaf(entries) => match position(entries, &Key::new(&name)) {
            Ok(found) => (Some(std::mem::replace(&mut entries[found].1, entry)), 0),
            Err(at) => {
                entries.insert(at, (name, entry));
                (None, at)
            }
        },
        Node::Inner(children) => {
            let at = child_of(children, &Key::new(&name));
            let child = &mut children[at];
            if name < child.bound {
                child.bound = name.clone();
            }
            let (old, split) = insert(Part::edit(&mut child.node)?, name, entry)?;
            if let Some(second) = split {
                children.insert(at + 1, second);
            }
            (old, at + 1)
        }
    };
    let split = (node.len() > WIDTH).then(|| node.split(at == WIDTH));
    Ok((old, split))
}

fn remove(node: &mut Node, name: &[u8]) -> Result<Option<Entry>> {
    match node {
        Node::Leaf(entries) => {
            let found = position(entries, &Key::new(name)).ok();
            Ok(found.map(|found| entries.remove(found).1))
        }
        Node::Inner(children) => {
            let at = child_of(children, &Key::new(name));
            let child = Part::edit(&mut children[at].node)?;
            let old = remove(child, name)?;
            match child.len() {
                0 => drop(children.remove(at)),
                SPARSE.. => {}
                _ => join(children, at),
            }
            Ok(old)
        }
    }
}

/// Joins a sparse child with a neighbour where both fit into one node. A neighbour that cannot be
/// loaded stays as it is.
fn join(children: &mut Vec<Child>, at: usize) {
    let len = |at: usize| {
        children
            .get(at)
            .and_then(|child| child.node.get().ok())
            .map(Node::len)
    };
    let fits = |first: usize| match (len(first), len(first + 1)) {
        (Some(a), Some(b)) => a + b <= WIDTH,
        _ => false,
    };
    let first = match at.checked_sub(1) {
        Some(before) if fits(before) => before,
        _ if fits(at) => at,
        _ => return,
    };
    let mut second = children[first + 1].node.clone();
    if let (Ok(second), Ok(node)) = (
        Part::edit(&mut second).map(|second| second.clone()),
        Part::edit(&mut children[first].node),
    ) {
        node.append(second);
        children.remove(first + 1);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn entry(inode: u64) -> Entry {
        Entry {
            inode,
            kind: Kind::Regular,
        }
    }

    fn name(key: u16) -> Vec<u8> {
        // Two lengths, so that both forms of a name occur.
        if key.is_multiple_of(3) {
            format!("{key:030}").into_bytes()
        } else {
            key.to_string().into_bytes()
        }
    }

    fn check(names: &Names, model: &BTreeMap<Vec<u8>, u64>) {
        let listed: Vec<_> = names
            .iter()
            .map(Result::unwrap)
            .map(|(name, entry)| (name.to_vec(), entry.inode))
            .collect();
        let expected: Vec<_> = model
            .iter()
            .map(|(name, inode)| (name.clone(), *inode))
            .collect();
        assert_eq!(listed, expected);
        assert_eq!(names.len(), model.len());
    }

    proptest! {
        #[test]
        fn same_as_a_btree_map(steps in prop::collection::vec((0u16..700, 0u8..4, any::<u64>()), 1..3000)) {
            let (mut names, mut model) = (Names::default(), BTreeMap::new());
            let mut kept = Vec::new();
            for (index, (key, action, inode)) in steps.into_iter().enumerate() {
                let key = name(key);
                match action {
                    0 | 1 => {
                        let old = names.insert(Name::new(&key), entry(inode)).unwrap();
                        prop_assert_eq!(old.map(|old| old.inode), model.insert(key, inode));
                    }
                    2 => {
                        let old = names.remove(&key).unwrap();
                        prop_assert_eq!(old.map(|old| old.inode), model.remove(&key));
                    }
                    _ => prop_assert_eq!(names.get(&key).unwrap().map(|e| e.inode), model.get(&key).copied()),
                }
                if index % 500 == 0 {
                    kept.push((names.clone(), model.clone()));
                }
            }
            kept.push((names, model));
            for (names, model) in &kept {
                check(names, model);
            }
            for pair in kept.windows(2) {
                let [(a, old), (b, new)] = pair else { continue };
                let mut seen = BTreeMap::new();
                a.diff(b, |name, left, right| {
                    seen.insert(name.to_vec(), (left.map(|e| e.inode), right.map(|e| e.inode)));
                }).unwrap();
                let keys = old.keys().chain(new.keys());
                let expected: BTreeMap<_, _> = keys
                    .map(|key| (key.clone(), (old.get(key).copied(), new.get(key).copied())))
                    .filter(|(_, (left, right))| left != right)
                    .collect();
                prop_assert_eq!(seen, expected);
            }
        }
    }

    #[test]
    fn emptied_and_filled_in_every_order() {
        for stride in [1, 7, 999] {
            let (mut names, mut model) = (Names::default(), BTreeMap::new());
            for step in 0..1000u64 {
                let key = format!("{:05}", step * stride % 1000).into_bytes();
                names.insert(Name::new(&key), entry(step)).unwrap();
                model.insert(key, step);
            }
            check(&names, &model);
            for step in 0..1000u64 {
                let key = format!("{:05}", step * 3 % 1000).into_bytes();
                assert_eq!(
                    names.remove(&key).unwrap().unwrap().inode,
                    model.remove(&key).unwrap()
                );
            }
            check(&names, &model);
            assert!(names.root.is_none());
        }
    }

    #[test]
    fn a_difference_costs_the_change() {
        let mut names = Names::default();
        for step in 0..100_000u64 {
            names
                .insert(Name::new(format!("{step:06}").as_bytes()), entry(step))
                .unwrap();
        }
        let mut other = names.clone();
        other.remove(b"050000").unwrap();
        other.insert(Name::new(b"070000x"), entry(1)).unwrap();
        let mut seen = 0;
        let opened = names.diff(&other, |_, _, _| seen += 1).unwrap();
        assert_eq!(seen, 2);
        assert!(opened < 30, "{opened} nodes of 6,000 were opened");
    }
}
