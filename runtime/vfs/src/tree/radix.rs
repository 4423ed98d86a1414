//! A persistent map from `u64`, made for dense keys: a radix trie of 32-way nodes.
//!
//! A clone is a pointer copy. A change copies the nodes on one path where they are shared and
//! works in place where they are not. No operation recurses deeper than the height, at most 13.
//! A node that is only in a store is loaded when it is needed, before anything is changed, so what
//! fails changes nothing.

use std::sync::Arc;

use super::codec::{Reader, Writer};
use super::part::{self, Part};
use crate::{Error, Link, ObjectId, ObjectKind, ObjectSink, ObjectSource, Result};

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;
/// The height of a trie with the highest key.
const MAX_HEIGHT: u32 = 12;

/// A value and how it is stored in a leaf.
pub(crate) trait Element: Clone + Send + Sync {
    /// What the nodes of such a map are.
    const NODE: ObjectKind;

    fn write<S: ObjectSink>(&self, writer: &mut Writer, sink: &mut S) -> Result<(), S::Error>;

    fn read(reader: &mut Reader<'_>, source: &Arc<dyn ObjectSource>) -> Result<Self>;

    fn links(&self, found: &mut Vec<Link>);
}

type Edge<T> = Arc<Part<Node<T>>>;

#[derive(Clone)]
pub(crate) struct Radix<T> {
    root: Option<Edge<T>>,
    /// Levels above the leaves.
    height: u32,
}

#[derive(Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "values are pointers, so both are 264 bytes"
)]
enum Node<T> {
    /// With its level, 1 or more.
    Branch(u32, Slots<Edge<T>>),
    Leaf(Slots<T>),
}

#[derive(Clone)]
struct Slots<S> {
    used: u32,
    slots: [Option<S>; WIDTH],
}

impl<S> Slots<S> {
    fn new() -> Slots<S> {
        Slots {
            used: 0,
            slots: [const { None }; WIDTH],
        }
    }

    fn put(&mut self, slot: usize, value: S) -> Option<S> {
        let old = self.slots[slot].replace(value);
        self.used += u32::from(old.is_none());
        old
    }

    fn take(&mut self, slot: usize) -> Option<S> {
        let old = self.slots[slot].take();
        self.used -= u32::from(old.is_some());
        old
    }

    /// Which slots are in use, as the bits of a number.
    fn bitmap(&self) -> u32 {
        let bit = |(index, slot): (usize, &Option<S>)| u32::from(slot.is_some()) << index;
        self.slots.iter().enumerate().map(bit).sum()
    }

    fn values(&self) -> impl Iterator<Item = &S> {
        self.slots.iter().flatten()
    }

    fn fill(bitmap: u32, mut next: impl FnMut() -> Result<S>) -> Result<Slots<S>> {
        let mut slots = Slots::new();
        for slot in (0..WIDTH).filter(|slot| bitmap >> slot & 1 == 1) {
            slots.put(slot, next()?);
        }
        Ok(slots)
    }
}

fn slot(key: u64, level: u32) -> usize {
    (key >> (BITS * level)) as usize % WIDTH
}

/// Whether `key` needs more levels than `height`.
fn beyond(key: u64, height: u32) -> bool {
    let bits = BITS * (height + 1);
    bits < u64::BITS && key >> bits != 0
}

impl<T> Default for Radix<T> {
    fn default() -> Radix<T> {
        Radix {
            root: None,
            height: 0,
        }
    }
}

impl<T: Element> part::Body for Node<T> {
    const KIND: ObjectKind = T::NODE;

    fn claim(&self) -> u64 {
        match self {
            Node::Branch(level, _) => u64::from(*level),
            Node::Leaf(_) => 0,
        }
    }

    fn decode(payload: &[u8], source: &Arc<dyn ObjectSource>) -> Result<Node<T>> {
        let mut reader = Reader::new(payload);
        let level = reader.number_to(MAX_HEIGHT.into())? as u32;
        let bitmap = reader.small()?;
        if bitmap == 0 {
            return Err(Error::Corrupt);
        }
        let node = if level == 0 {
            Node::Leaf(Slots::fill(bitmap, || T::read(&mut reader, source))?)
        } else {
            let child = |id| Arc::new(Part::absent(id, u64::from(level) - 1, source));
            Node::Branch(level, Slots::fill(bitmap, || reader.id().map(child))?)
        };
        reader.end()?;
        Ok(node)
    }

    fn encode<S: ObjectSink>(&self, sink: &mut S) -> Result<Vec<u8>, S::Error> {
        let mut writer = Writer::default();
        writer.number(self.claim());
        match self {
            Node::Branch(_, children) => {
                writer.number(children.bitmap().into());
                for child in children.values() {
                    writer.id(child.save(sink)?);
                }
            }
            Node::Leaf(values) => {
                writer.number(values.bitmap().into());
                for value in values.values() {
                    value.write(&mut writer, sink)?;
                }
            }
        }
        Ok(writer.0)
    }

    fn links(&self, found: &mut Vec<Link>) {
        match self {
            Node::Branch(_, children) => children.values().for_each(|child| child.link(found)),
            Node::Leaf(values) => values.values().for_each(|value| value.links(found)),
        }
    }
}

impl<T: Element> Radix<T> {
    pub(crate) fn get(&self, key: u64) -> Result<Option<&T>> {
        let (Some(mut edge), false) = (self.root.as_ref(), beyond(key, self.height)) else {
            return Ok(None);
        };
        let mut level = self.height;
        loop {
            match edge.get()? {
                Node::Leaf(values) => return Ok(values.slots[slot(key, 0)].as_ref()),
                Node::Branch(_, children) => match &children.slots[slot(key, level)] {
                    Some(child) => edge = child,
                    None => return Ok(None),
                },
            }
            level -= 1;
        }
    }

    /// What [`Radix::get`] finds, where that takes no loading.
    pub(crate) fn resident(&self, key: u64) -> Option<Option<&T>> {
        let (Some(mut edge), false) = (self.root.as_ref(), beyond(key, self.height)) else {
            return Some(None);
        };
        let mut level = self.height;
        loop {
            match edge.resident()? {
                Node::Leaf(values) => return Some(values.slots[slot(key, 0)].as_ref()),
                Node::Branch(_, children) => match &children.slots[slot(key, level)] {
                    Some(child) => edge = child,
                    None => return Some(None),
                },
            }
            level -= 1;
        }
    }

    /// The value, where key 0 is the only one.
    pub(crate) fn only_first(&self) -> Option<&T> {
        match self.root.as_ref()?.resident()? {
            Node::Leaf(values) if values.used == 1 => values.slots[0].as_ref(),
            _ => None,
        }
    }

    /// Whether both are one map in memory.
    pub(crate) fn is(&self, other: &Radix<T>) -> bool {
        match (&self.root, &other.root) {
            (Some(root), Some(other)) => Arc::ptr_eq(root, other),
            (None, None) => true,
            _ => false,
        }
    }

    /// Calls `visit` for every entry in the order of keys.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(u64, &T)) -> Result<()> {
        match &self.root {
            Some(root) => for_each(root, self.height, 0, &mut visit),
            None => Ok(()),
        }
    }

    /// Calls `visit` for every key whose value may differ, skipping what both share.
    pub(crate) fn diff<'a>(
        &'a self,
        other: &'a Radix<T>,
        mut visit: impl FnMut(u64, Option<&'a T>, Option<&'a T>) -> Result<()>,
    ) -> Result<()> {
        let height = self.height.max(other.height);
        let side = |radix: &'a Radix<T>| {
            radix.root.as_ref().map(|edge| Side {
                edge,
                level: radix.height,
            })
        };
        diff(side(self), side(other), height, 0, &mut visit)
    }

    /// Mutable access; copies the path where it is shared.
    pub(crate) fn get_mut(&mut self, key: u64) -> Result<Option<&mut T>> {
        // A miss must not copy anything.
        let (true, Some(mut edge)) = (self.get(key)?.is_some(), self.root.as_mut()) else {
            return Ok(None);
        };
        let mut level = self.height;
        loop {
            match Part::edit(edge)? {
                Node::Leaf(values) => return Ok(values.slots[slot(key, 0)].as_mut()),
                Node::Branch(_, children) => match &mut children.slots[slot(key, level)] {
                    Some(child) => edge = child,
                    None => return Ok(None),
                },
            }
            level -= 1;
        }
    }

    pub(crate) fn insert(&mut self, key: u64, value: T) -> Result<Option<T>> {
        // Loads the path.
        self.get(key)?;
        while beyond(key, self.height) {
            self.height += 1;
            if let Some(root) = self.root.take() {
                let mut children = Slots::new();
                children.put(0, root);
                self.root = Some(edge(Node::Branch(self.height, children)));
            }
        }
        let mut level = self.height;
        let mut next = self.root.get_or_insert_with(|| empty(level));
        loop {
            match Part::edit(next)? {
                Node::Leaf(values) => return Ok(values.put(slot(key, 0), value)),
                Node::Branch(_, children) => {
                    let index = slot(key, level);
                    level -= 1;
                    if children.slots[index].is_none() {
                        children.put(index, empty(level));
                    }
                    match &mut children.slots[index] {
                        Some(child) => next = child,
                        None => return Ok(None),
                    }
                }
            }
        }
    }

    pub(crate) fn remove(&mut self, key: u64) -> Result<Option<T>> {
        let (true, Some(root)) = (self.get(key)?.is_some(), self.root.as_mut()) else {
            return Ok(None);
        };
        let (old, emptied) = remove(root, key, self.height)?;
        if emptied {
            *self = Radix::default();
        }
        self.shrink();
        Ok(old)
    }

    /// Removes every key from `first` on and hands each value to `removed`.
    pub(crate) fn truncate(&mut self, first: u64, mut removed: impl FnMut(&T)) -> Result<()> {
        if beyond(first, self.height) {
            return Ok(());
        }
        if let Some(root) = &self.root {
            load(root, first, self.height)?;
        }
        if let Some(root) = &mut self.root
            && truncate(root, first, self.height, &mut removed)?
        {
            *self = Radix::default();
        }
        self.shrink();
        Ok(())
    }

    /// Drops levels that only lead to the lowest keys.
    fn shrink(&mut self) {
        while let Some(Node::Branch(_, children)) =
            self.root.as_ref().and_then(|root| root.resident())
        {
            match &children.slots[0] {
                Some(only) if children.used == 1 => self.root = Some(Arc::clone(only)),
                _ => break,
            }
            self.height -= 1;
        }
    }

    /// The root's id and the height, once all is stored; none for an empty map.
    pub(crate) fn save<S: ObjectSink>(
        &self,
        sink: &mut S,
    ) -> Result<Option<(u32, ObjectId)>, S::Error> {
        match &self.root {
            Some(root) => Ok(Some((self.height, root.save(sink)?))),
            None => Ok(None),
        }
    }

    /// A stored map.
    pub(crate) fn open(height: u32, id: ObjectId, source: &Arc<dyn ObjectSource>) -> Radix<T> {
        Radix {
            root: Some(Arc::new(Part::absent(id, height.into(), source))),
            height,
        }
    }

    /// What a map that was just opened leads to.
    pub(crate) fn link(&self, found: &mut Vec<Link>) {
        if let Some(root) = &self.root {
            root.link(found);
        }
    }
}

/// The height of a map that a payload names.
pub(crate) fn read_height(reader: &mut Reader<'_>) -> Result<u32> {
    reader
        .number_to(MAX_HEIGHT.into())
        .map(|height| height as u32)
}

/// What a node of such a map leads to.
pub(crate) fn node_links<T: Element>(
    payload: &[u8],
    claim: Option<u64>,
    source: &Arc<dyn ObjectSource>,
) -> Result<Vec<Link>> {
    part::links::<Node<T>>(payload, claim, source)
}

fn edge<T: Element>(node: Node<T>) -> Edge<T> {
    Arc::new(Part::new(node))
}

fn empty<T: Element>(level: u32) -> Edge<T> {
    edge(if level == 0 {
        Node::Leaf(Slots::new())
    } else {
        Node::Branch(level, Slots::new())
    })
}

fn for_each<T: Element>(
    edge: &Edge<T>,
    level: u32,
    base: u64,
    visit: &mut impl FnMut(u64, &T),
) -> Result<()> {
    match edge.get()? {
        Node::Branch(_, children) => {
            for (index, child) in children.slots.iter().enumerate() {
                if let Some(child) = child {
                    let base = base | (index as u64) << (BITS * level);
                    for_each(child, level - 1, base, visit)?;
                }
            }
        }
        Node::Leaf(values) => {
            for (index, value) in values.slots.iter().enumerate() {
                if let Some(value) = value {
                    visit(base | index as u64, value);
                }
            }
        }
    }
    Ok(())
}

/// Returns the value and whether the node is empty now.
fn remove<T: Element>(edge: &mut Edge<T>, key: u64, level: u32) -> Result<(Option<T>, bool)> {
    match Part::edit(edge)? {
        Node::Branch(_, children) => {
            let index = slot(key, level);
            let Some(child) = &mut children.slots[index] else {
                return Ok((None, false));
            };
            let (old, emptied) = remove(child, key, level - 1)?;
            if emptied {
                children.take(index);
            }
            Ok((old, children.used == 0))
        }
        Node::Leaf(values) => Ok((values.take(slot(key, 0)), values.used == 0)),
    }
}

/// Loads the nodes with keys from `first` on.
fn load<T: Element>(edge: &Edge<T>, first: u64, level: u32) -> Result<()> {
    if let Node::Branch(_, children) = edge.get()? {
        let from = slot(first, level);
        for (index, child) in children.slots.iter().enumerate().skip(from) {
            if let Some(child) = child {
                load(child, if index == from { first } else { 0 }, level - 1)?;
            }
        }
    }
    Ok(())
}

/// Returns whether the node is empty now.
fn truncate<T: Element>(
    edge: &mut Edge<T>,
    first: u64,
    level: u32,
    removed: &mut impl FnMut(&T),
) -> Result<bool> {
    let from = slot(first, level);
    match Part::edit(edge)? {
        Node::Branch(_, children) => {
            for index in from + 1..WIDTH {
                if let Some(child) = children.take(index) {
                    for_each(&child, level - 1, 0, &mut |_, value| removed(value))?;
                }
            }
            if let Some(child) = &mut children.slots[from]
                && truncate(child, first, level - 1, removed)?
            {
                children.take(from);
            }
            Ok(children.used == 0)
        }
        Node::Leaf(values) => {
            for index in from..WIDTH {
                if let Some(value) = values.take(index) {
                    removed(&value);
                }
            }
            Ok(values.used == 0)
        }
    }
}

/// One tree in a comparison: a node and the level it stands at.
struct Side<'a, T> {
    edge: &'a Edge<T>,
    level: u32,
}

impl<T> Clone for Side<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Side<'_, T> {}

impl<'a, T: Element> Side<'a, T> {
    /// What stands in slot `index` of a node at `level`; a lower tree stands in slot 0 whole.
    fn child(self, level: u32, index: usize) -> Result<Option<Side<'a, T>>> {
        if self.level < level {
            return Ok((index == 0).then_some(self));
        }
        Ok(match self.edge.get()? {
            Node::Branch(_, children) => children.slots[index].as_ref().map(|edge| Side {
                edge,
                level: level - 1,
            }),
            Node::Leaf(_) => None,
        })
    }

    fn value(self, index: usize) -> Result<Option<&'a T>> {
        Ok(match self.edge.get()? {
            Node::Leaf(values) => values.slots[index].as_ref(),
            Node::Branch(..) => None,
        })
    }
}

fn diff<'a, T: Element>(
    a: Option<Side<'a, T>>,
    b: Option<Side<'a, T>>,
    level: u32,
    base: u64,
    visit: &mut impl FnMut(u64, Option<&'a T>, Option<&'a T>) -> Result<()>,
) -> Result<()> {
    if let (Some(a), Some(b)) = (a, b)
        && a.level == b.level
        && Part::same(a.edge, b.edge)
    {
        return Ok(());
    }
    if a.is_none() && b.is_none() {
        return Ok(());
    }
    for index in 0..WIDTH {
        let key = base | (index as u64) << (BITS * level);
        if level == 0 {
            let value = |side: Option<Side<'a, T>>| side.map_or(Ok(None), |side| side.value(index));
            let (a, b) = (value(a)?, value(b)?);
            if a.is_some() || b.is_some() {
                visit(key, a, b)?;
            }
        } else {
            let child =
                |side: Option<Side<'a, T>>| side.map_or(Ok(None), |side| side.child(level, index));
            diff(child(a)?, child(b)?, level - 1, key, visit)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    impl Element for u8 {
        const NODE: ObjectKind = ObjectKind::Inodes;

        fn write<S: ObjectSink>(&self, writer: &mut Writer, _: &mut S) -> Result<(), S::Error> {
            writer.byte(*self);
            Ok(())
        }

        fn read(reader: &mut Reader<'_>, _: &Arc<dyn ObjectSource>) -> Result<u8> {
            reader.byte()
        }

        fn links(&self, _: &mut Vec<Link>) {}
    }

    fn key() -> impl Strategy<Value = u64> {
        prop_oneof![
            0..200u64,
            0..5000u64,
            Just(u64::MAX),
            (0..64u32).prop_map(|bit| 1 << bit)
        ]
    }

    fn list(radix: &Radix<u8>) -> Vec<(u64, u8)> {
        let mut all = Vec::new();
        radix
            .for_each(|key, value| all.push((key, *value)))
            .unwrap();
        all
    }

    proptest! {
        #[test]
        fn same_as_a_btree_map(steps in prop::collection::vec((key(), 0u8..12, any::<u8>()), 1..800)) {
            let (mut radix, mut model) = (Radix::default(), BTreeMap::new());
            let mut kept = vec![(radix.clone(), model.clone())];
            for (key, action, value) in steps {
                match action {
                    0..=4 => prop_assert_eq!(radix.insert(key, value).unwrap(), model.insert(key, value)),
                    5..=8 => prop_assert_eq!(radix.remove(key).unwrap(), model.remove(&key)),
                    9 => {
                        if let Some(slot) = radix.get_mut(key).unwrap() {
                            *slot = value;
                        }
                        model.entry(key).and_modify(|slot| *slot = value);
                    }
                    10 if value < 40 => {
                        let mut removed = 0;
                        radix.truncate(key, |_| removed += 1).unwrap();
                        prop_assert_eq!(removed, model.split_off(&key).len());
                    }
                    _ => kept.push((radix.clone(), model.clone())),
                }
                prop_assert_eq!(radix.get(key).unwrap(), model.get(&key));
            }
            kept.push((radix, model));
            for (radix, model) in &kept {
                let expected: Vec<_> = model.iter().map(|(key, value)| (*key, *value)).collect();
                prop_assert_eq!(list(radix), expected);
            }
            let ((a, old), (b, new)) = (&kept[kept.len() / 2], &kept[kept.len() - 1]);
            let mut seen = BTreeMap::new();
            a.diff(b, |key, left, right| {
                if left != right {
                    seen.insert(key, (left.copied(), right.copied()));
                }
                Ok(())
            }).unwrap();
            let expected: BTreeMap<_, _> = old
                .keys()
                .chain(new.keys())
                .map(|key| (*key, (old.get(key).copied(), new.get(key).copied())))
                .filter(|(_, (left, right))| left != right)
                .collect();
            prop_assert_eq!(seen, expected);
        }
    }
}
