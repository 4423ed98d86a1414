//! Objects of a pack as what differs from another one.
//!
//! The pack library reads such differences, and makes none.

use std::collections::VecDeque;
use std::rc::Rc;

use gix_object::Kind;
use rustc_hash::FxHashMap;

use super::super::objects::{Id, Objects};
use super::super::stop::Outcome;

/// Bytes that have to be alike for a copy.
const BLOCK: usize = 16;
/// The most that one copy takes.
const COPY: usize = 0x1_0000;
/// Steps from a difference to an object that is whole.
const DEPTH: usize = 50;
/// Larger files are kept whole.
const LARGEST: usize = 32 << 20;

/// An object that goes into a pack.
#[derive(Clone, Debug)]
pub struct Member {
    pub id: Id,
    pub kind: Kind,
    /// What it is called in a tree: things of one name are most alike.
    pub name: Vec<u8>,
}

/// What to write in place of an object.
pub struct Difference {
    pub base: Id,
    pub delta: Vec<u8>,
}

/// Something that others may be written against.
struct Candidate {
    id: Id,
    kind: Kind,
    depth: usize,
    content: Rc<[u8]>,
    /// Where each block begins.
    blocks: FxHashMap<[u8; BLOCK], u32>,
}

/// Finds a base for each object that gets smaller by one, among so many before it.
pub fn differences(
    objects: &Objects,
    members: &[Member],
    window: usize,
) -> Outcome<FxHashMap<Id, Difference>> {
    let mut sized = Vec::with_capacity(members.len());
    for member in members {
        let (_, content) = objects.read(&member.id)?;
        sized.push((member, content.len()));
    }
    sized.sort_by(|(one, one_size), (two, two_size)| {
        (one.kind as u8, &one.name, two_size).cmp(&(two.kind as u8, &two.name, one_size))
    });
    let mut found = FxHashMap::default();
    let mut open: VecDeque<Candidate> = VecDeque::new();
    for (member, size) in sized {
        if !(2 * BLOCK..=LARGEST).contains(&size) {
            continue;
        }
        let (kind, content) = objects.read(&member.id)?;
        let mut best: Option<(usize, &Candidate, Vec<u8>)> = None;
        for base in open.iter().rev() {
            let usable = base.kind == kind && base.depth < DEPTH && base.content.len() / 32 < size;
            let most = best
                .as_ref()
                .map_or(size / 2, |(length, ..)| length.saturating_sub(1));
            if let (true, Some(delta)) = (usable, encode(base, &content, most)) {
                best = Some((delta.len(), base, delta));
            }
        }
        let mut depth = 0;
        if let Some((_, base, delta)) = best {
            depth = base.depth + 1;
            let base = base.id;
            found.insert(member.id, Difference { base, delta });
        }
        open.push_back(Candidate::new(member.id, kind, depth, content));
        if open.len() > window {
            open.pop_front();
        }
    }
    Ok(found)
}

impl Candidate {
    fn new(id: Id, kind: Kind, depth: usize, content: Rc<[u8]>) -> Candidate {
        let mut blocks = FxHashMap::default();
        for (at, block) in content.as_chunks::<BLOCK>().0.iter().enumerate() {
            blocks.entry(*block).or_insert((at * BLOCK) as u32);
        }
        Candidate {
            id,
            kind,
            depth,
            content,
            blocks,
        }
    }
}

/// A number of seven bits a byte, the lowest first.
fn put_size(out: &mut Vec<u8>, mut value: usize) {
    while value > 127 {
        out.push((value & 127) as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// What makes `target` of the base, where it takes `most` bytes at most.
fn encode(base: &Candidate, target: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    put_size(&mut out, base.content.len());
    put_size(&mut out, target.len());
    let (mut at, mut pending) = (0, 0);
    while let Some(block) = target[at..].first_chunk::<BLOCK>() {
        let Some(&start) = base.blocks.get(block) else {
            at += 1;
            // What is not in the base has to be written out.
            if out.len() + (at - pending) > most {
                return None;
            }
            continue;
        };
        let mut start = start as usize;
        let same = |one: &u8, two: &u8| one == two;
        let ahead = base.content[start..].iter().zip(&target[at..]);
        let mut length = ahead.take_while(|(one, two)| same(one, two)).count();
        let behind = base.content[..start].iter().rev();
        let behind = behind.zip(target[pending..at].iter().rev());
        let back = behind.take_while(|(one, two)| same(one, two)).count();
        (start, at, length) = (start - back, at - back, length + back);
        put_text(&mut out, &target[pending..at]);
        at += length;
        pending = at;
        while length > 0 {
            let part = length.min(COPY);
            put_copy(&mut out, start, part);
            (start, length) = (start + part, length - part);
        }
    }
    put_text(&mut out, &target[pending..]);
    (out.len() <= most).then_some(out)
}

fn put_text(out: &mut Vec<u8>, text: &[u8]) {
    for part in text.chunks(127) {
        out.push(part.len() as u8);
        out.extend_from_slice(part);
    }
}

/// Bytes that are zero are left out; a length of none stands for 64 KiB.
fn put_copy(out: &mut Vec<u8>, start: usize, length: usize) {
    let command = out.len();
    out.push(128);
    let length = if length == COPY { 0 } else { length };
    let start = (start as u32).to_le_bytes();
    let length = (length as u32).to_le_bytes();
    for (bit, &byte) in start.iter().chain(&length[..3]).enumerate() {
        if byte != 0 {
            out[command] |= 1 << bit;
            out.push(byte);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::super::super::objects::none;
    use super::super::indexing::apply;
    use super::*;

    #[test]
    fn what_is_encoded_is_applied_again() {
        let long: Vec<u8> = (0..300_000_u32)
            .flat_map(|n| n.wrapping_mul(n).to_le_bytes())
            .collect();
        let base = Candidate::new(none(), Kind::Blob, 0, Rc::from(long.as_slice()));
        let mut moved = long[500_000..].to_vec();
        moved.extend_from_slice(&long[..400_000]);
        let mut changed = long.clone();
        changed[77] ^= 1;
        changed.splice(1000..1003, b"inserted, and longer than before".repeat(9));
        for target in [&long, &moved, &changed, &long[3..1_000_003].to_vec()] {
            let delta = encode(&base, target, usize::MAX).unwrap();
            assert!(delta.len() < 1000, "{}", delta.len());
            assert_eq!(apply(&long, &delta).unwrap(), *target);
        }
        let other: Vec<u8> = (0..5000_u32)
            .flat_map(|n| (n * 7 + 1).to_be_bytes())
            .collect();
        let delta = encode(&base, &other, usize::MAX).unwrap();
        assert_eq!(apply(&long, &delta).unwrap(), other);
        assert!(encode(&base, &other, 10_000).is_none());
    }
}
