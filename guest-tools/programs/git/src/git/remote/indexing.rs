//! The index of a pack: names, checksums and places of all that is in it.
//!
//! The library's own writer of indexes does not build for a sandbox; its reader of entries does.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Read as _;
use std::rc::Rc;

use flate2::Crc;
use flate2::bufread::ZlibDecoder;
use gix_pack::data::Entry;
use gix_pack::data::entry::Header;
use sha1::{Digest as _, Sha1};

use super::super::objects::{HASH, Id, name_of};
use super::super::stop::{Outcome, Stop, fatal};

/// Before the first entry.
const HEAD: usize = 12;
/// The checksum at the end.
const SUM: usize = 20;

/// An object of the pack.
struct Object {
    start: usize,
    entry: Entry,
    crc: u32,
    id: Option<Id>,
}

/// The index of a pack, and the pack's name.
pub fn index_of(pack: &[u8]) -> Outcome<(Vec<u8>, Id)> {
    let (count, body) = checked(pack)?;
    let mut objects = read(body, count)?;
    resolve(body, &mut objects)?;
    let mut rows = Vec::with_capacity(objects.len());
    for object in &objects {
        let id = object.id.ok_or_else(|| bad("a delta without its base"))?;
        rows.push((id, object.crc, object.start as u32));
    }
    rows.sort();
    let sum = &pack[pack.len() - SUM..];
    Ok((written(&rows, sum), Id::try_from(sum).map_err(bad)?))
}

/// The pack without its checksum, and the bases that its differences name and it has not whole.
pub fn foreign_bases(pack: &[u8]) -> Outcome<(Vec<u8>, BTreeSet<Id>)> {
    let (count, body) = checked(pack)?;
    let objects = read(body, count)?;
    let whole: HashSet<Id> = objects.iter().filter_map(|object| object.id).collect();
    let bases = objects
        .iter()
        .filter_map(|object| match object.entry.header {
            Header::RefDelta { base_id } => Some(base_id),
            _ => None,
        });
    let bases = bases.filter(|id| !whole.contains(id)).collect();
    Ok((body.to_vec(), bases))
}

fn bad(what: impl std::fmt::Display) -> Stop {
    fatal(format!("index-pack failed: {what}"))
}

/// How many objects the head promises, and the pack without its checksum, which is right.
fn checked(pack: &[u8]) -> Outcome<(usize, &[u8])> {
    if pack.len() < HEAD + SUM || !pack.starts_with(b"PACK\0\0\0") || !matches!(pack[7], 2 | 3) {
        return Err(bad("no pack"));
    }
    // Offsets of an index have 31 bits; larger packs would need a table of their own.
    if pack.len() > i32::MAX as usize {
        return Err(bad("a pack of more than 2 GiB is not supported"));
    }
    let (body, sum) = pack.split_at(pack.len() - SUM);
    if Sha1::digest(body).as_slice() != sum {
        return Err(bad("pack is corrupted (SHA1 mismatch)"));
    }
    let count = u32::from_be_bytes([pack[8], pack[9], pack[10], pack[11]]);
    Ok((count as usize, body))
}

/// Finds where each object is, and names those that are whole.
fn read(body: &[u8], count: usize) -> Outcome<Vec<Object>> {
    let mut objects = Vec::new();
    let mut start = HEAD;
    for _ in 0..count {
        let mut rest = body.get(start..).unwrap_or_default();
        let entry = Entry::from_read(&mut rest, start as u64, HASH.len_in_bytes()).map_err(bad)?;
        let (content, used) = inflate(body, &entry)?;
        let end = data_start(&entry) + used;
        let mut crc = Crc::new();
        crc.update(&body[start..end]);
        let id = match entry.header.as_kind() {
            Some(kind) => Some(name_of(kind, &content)?),
            None => None,
        };
        objects.push(Object {
            start,
            entry,
            crc: crc.sum(),
            id,
        });
        start = end;
    }
    if start != body.len() {
        return Err(bad("pack has junk at the end"));
    }
    Ok(objects)
}

fn data_start(entry: &Entry) -> usize {
    usize::try_from(entry.data_offset).unwrap_or(usize::MAX)
}

/// What an entry holds, and how many bytes of the pack it takes.
fn inflate(body: &[u8], entry: &Entry) -> Outcome<(Vec<u8>, usize)> {
    let packed = body.get(data_start(entry)..).unwrap_or_default();
    let mut decoder = ZlibDecoder::new(packed);
    let mut content = Vec::new();
    // The size that is promised is not to be trusted with memory, but it is a limit.
    let most = entry.decompressed_size.saturating_add(1);
    (&mut decoder)
        .take(most)
        .read_to_end(&mut content)
        .map_err(bad)?;
    if content.len() as u64 != entry.decompressed_size {
        return Err(bad("an object has another size than it should"));
    }
    let used = usize::try_from(decoder.total_in()).map_err(bad)?;
    Ok((content, used))
}

/// Names the objects that are kept as differences, following them from their bases.
fn resolve(body: &[u8], objects: &mut [Object]) -> Outcome {
    let mut by_place: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut by_name: HashMap<Id, Vec<usize>> = HashMap::new();
    for (at, object) in objects.iter().enumerate() {
        match object.entry.header {
            Header::OfsDelta { base_distance } => {
                let distance = usize::try_from(base_distance).map_err(bad)?;
                let base = object.start.checked_sub(distance);
                let base = base.ok_or_else(|| bad("a delta without its base"))?;
                by_place.entry(base).or_default().push(at);
            }
            Header::RefDelta { base_id } => by_name.entry(base_id).or_default().push(at),
            _ => {}
        }
    }
    let mut take = |object: &Object| -> Vec<usize> {
        let mut found = by_place.remove(&object.start).unwrap_or_default();
        let named = object.id.and_then(|id| by_name.remove(&id));
        found.extend(named.unwrap_or_default());
        found
    };
    for at in 0..objects.len() {
        let Some(kind) = objects[at].entry.header.as_kind() else {
            continue;
        };
        let children = take(&objects[at]);
        if children.is_empty() {
            continue;
        }
        let base: Rc<[u8]> = inflate(body, &objects[at].entry)?.0.into();
        let mut open: Vec<(usize, Rc<[u8]>)> = children
            .into_iter()
            .map(|child| (child, Rc::clone(&base)))
            .collect();
        while let Some((at, base)) = open.pop() {
            let (delta, _) = inflate(body, &objects[at].entry)?;
            let content: Rc<[u8]> = apply(&base, &delta).ok_or_else(|| bad("bad delta"))?.into();
            objects[at].id = Some(name_of(kind, &content)?);
            let children = take(&objects[at]);
            open.extend(
                children
                    .into_iter()
                    .map(|child| (child, Rc::clone(&content))),
            );
        }
    }
    Ok(())
}

/// A number of seven bits a byte, the lowest first.
fn size(delta: &mut &[u8]) -> Option<usize> {
    let mut value = 0_usize;
    for shift in (0..63).step_by(7) {
        let (&byte, rest) = delta.split_first()?;
        *delta = rest;
        value |= usize::from(byte & 127).checked_shl(shift)?;
        if byte & 128 == 0 {
            return Some(value);
        }
    }
    None
}

/// The content that a difference makes of its base.
pub fn apply(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut delta = delta;
    if size(&mut delta)? != base.len() {
        return None;
    }
    let length = size(&mut delta)?;
    let mut out = Vec::new();
    while let Some((&command, rest)) = delta.split_first() {
        delta = rest;
        if command & 128 == 0 {
            let text = delta
                .get(..usize::from(command))
                .filter(|text| !text.is_empty())?;
            out.extend_from_slice(text);
            delta = &delta[text.len()..];
            continue;
        }
        let mut field = |bits: std::ops::Range<u8>, first: u8| -> Option<usize> {
            let mut value = 0;
            for bit in bits {
                if command & (1 << bit) != 0 {
                    let (&byte, rest) = delta.split_first()?;
                    delta = rest;
                    value |= usize::from(byte) << (8 * (bit - first));
                }
            }
            Some(value)
        };
        let start = field(0..4, 0)?;
        let count = match field(4..7, 4)? {
            0 => 0x1_0000,
            count => count,
        };
        out.extend_from_slice(base.get(start..start.checked_add(count)?)?);
        if out.len() > length {
            return None;
        }
    }
    (out.len() == length).then_some(out)
}

/// The index, version 2.
fn written(rows: &[(Id, u32, u32)], sum: &[u8]) -> Vec<u8> {
    let mut out = b"\xfftOc\0\0\0\x02".to_vec();
    let mut at = 0;
    for first in 0..=255_u8 {
        while at < rows.len() && rows[at].0.as_slice()[0] <= first {
            at += 1;
        }
        out.extend_from_slice(&(at as u32).to_be_bytes());
    }
    for (id, _, _) in rows {
        out.extend_from_slice(id.as_slice());
    }
    for (_, crc, _) in rows {
        out.extend_from_slice(&crc.to_be_bytes());
    }
    for (_, _, start) in rows {
        out.extend_from_slice(&start.to_be_bytes());
    }
    out.extend_from_slice(sum);
    let own = Sha1::digest(&out);
    out.extend_from_slice(&own);
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    #[test]
    fn differences_are_applied() {
        // Copy 3 from 1, insert "xy".
        let delta = [5, 5, 0x91, 1, 3, 2, b'x', b'y'];
        assert_eq!(apply(b"abcde", &delta).unwrap(), b"bcdxy");
    }

    #[test]
    fn bad_differences_are_refused() {
        let cases: [&[u8]; 7] = [
            &[],
            &[4, 5, 0x91, 1, 3],
            &[5, 5, 0x91, 1, 5],
            &[5, 9, 0x91, 1, 3],
            &[5, 2, 0x91, 1, 3],
            &[5, 2, 2, b'x'],
            &[5, 1, 0],
        ];
        for delta in cases {
            assert!(apply(b"abcde", delta).is_none(), "{delta:?}");
        }
    }
}
