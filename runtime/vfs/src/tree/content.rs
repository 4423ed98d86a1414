//! The bytes of one file: inline while short, else shared chunks with holes between them.

use std::sync::Arc;

use super::codec::{Reader, Writer};
use super::part::{self, Part};
use super::radix::{Element, Radix, read_height};
use crate::{Error, Link, ObjectKind, ObjectSink, ObjectSource, Result};

/// The unit that forks share and a write copies.
pub(crate) const CHUNK: u64 = 64 * 1024;
/// Files up to this length are one allocation.
const INLINE: u64 = 4096;
/// Content up to this length is stored with the inode and not as an object of its own. A table
/// node holds 32 inodes, so this bounds what one changed file has written again.
const EMBEDDED: usize = 256;

/// A file's bytes. A clone is a pointer copy; a change copies at most the chunks it touches.
///
/// Each chunk stores a prefix of its 64 KiB, and the rest reads as zeros. `stored` is the exact
/// sum of these prefixes.
#[derive(Clone, Default)]
pub(crate) struct Content {
    size: u64,
    stored: u64,
    data: Data,
}

#[derive(Clone, Default)]
enum Data {
    /// Nothing but zeros.
    #[default]
    Hole,
    Inline(Chunk),
    Chunks(Radix<Chunk>),
}

/// A chunk, in memory or in a store.
type Chunk = Arc<Part<Bytes>>;

/// The bytes of a chunk.
#[derive(Clone)]
pub(crate) struct Bytes(Vec<u8>);

impl part::Body for Bytes {
    const KIND: ObjectKind = ObjectKind::Chunk;

    fn claim(&self) -> u64 {
        self.0.len() as u64
    }

    fn decode(payload: &[u8], _source: &Arc<dyn ObjectSource>) -> Result<Bytes> {
        Ok(Bytes(payload.to_vec()))
    }

    fn encode<S: ObjectSink>(&self, _sink: &mut S) -> Result<Vec<u8>, S::Error> {
        Ok(self.0.clone())
    }

    fn links(&self, _found: &mut Vec<Link>) {}
}

fn new_chunk(bytes: Vec<u8>) -> Chunk {
    Arc::new(Part::new(Bytes(bytes)))
}

fn bytes_of(chunk: &Chunk) -> Result<&[u8]> {
    chunk.get().map(|bytes| &bytes.0[..])
}

impl Element for Chunk {
    const NODE: ObjectKind = ObjectKind::File;

    fn write<S: ObjectSink>(&self, writer: &mut Writer, sink: &mut S) -> Result<(), S::Error> {
        writer.number(self.claim());
        writer.id(self.save(sink)?);
        Ok(())
    }

    fn read(reader: &mut Reader<'_>, source: &Arc<dyn ObjectSource>) -> Result<Chunk> {
        let length = reader.number_to(CHUNK)?;
        Ok(Arc::new(Part::absent(reader.id()?, length, source)))
    }

    fn links(&self, found: &mut Vec<Link>) {
        self.link(found);
    }
}

/// The part of a range that lies in one chunk.
struct Piece {
    chunk: u64,
    start: usize,
    length: usize,
}

fn pieces(offset: u64, length: usize) -> impl Iterator<Item = Piece> {
    let end = offset + length as u64;
    let mut at = offset;
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let length = (CHUNK - at % CHUNK).min(end - at) as usize;
            let piece = Piece {
                chunk: at / CHUNK,
                start: (at % CHUNK) as usize,
                length,
            };
            at += length as u64;
            piece
        })
    })
}

impl Content {
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn stored(&self) -> u64 {
        self.stored
    }

    fn chunk(&self, index: u64) -> Result<Option<&Chunk>> {
        match &self.data {
            Data::Inline(chunk) if index == 0 => Ok(Some(chunk)),
            Data::Chunks(chunks) => chunks.get(index),
            _ => Ok(None),
        }
    }

    fn bytes(&self, index: u64) -> Result<&[u8]> {
        self.chunk(index)?.map_or(Ok(&[]), bytes_of)
    }

    /// Whether a read takes no loading.
    pub(crate) fn resident(&self, offset: u64, length: usize) -> bool {
        let count = self.size.saturating_sub(offset).min(length as u64) as usize;
        let loaded = |chunk: Option<&Chunk>| chunk.is_none_or(|chunk| chunk.resident().is_some());
        match &self.data {
            Data::Hole => true,
            Data::Inline(chunk) => loaded(Some(chunk)),
            Data::Chunks(chunks) => {
                pieces(offset, count).all(|piece| chunks.resident(piece.chunk).is_some_and(loaded))
            }
        }
    }

    /// Whether both have the same bytes, without looking at what they share.
    pub(crate) fn same(&self, other: &Content) -> Result<bool> {
        if self.size != other.size {
            return Ok(false);
        }
        let mut same = true;
        let mut compare = |a: Option<&Chunk>, b: Option<&Chunk>| {
            if let (Some(a), Some(b)) = (a, b)
                && Part::same(a, b)
            {
                return Ok(());
            }
            let (a, b) = (
                a.map_or(Ok(&[][..]), bytes_of)?,
                b.map_or(Ok(&[][..]), bytes_of)?,
            );
            let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
            let tail = &long[short.len()..];
            same &= long.starts_with(short) && tail.iter().all(|&byte| byte == 0);
            Ok(())
        };
        match (&self.data, &other.data) {
            (Data::Chunks(a), Data::Chunks(b)) => a.diff(b, |_, a, b| compare(a, b))?,
            (Data::Chunks(chunks), _) => {
                compare(self.chunk(0)?, other.chunk(0)?)?;
                chunks.diff(&Radix::default(), |index, chunk, _| {
                    compare(chunk, other.chunk(index)?)
                })?;
            }
            (_, Data::Chunks(_)) => return other.same(self),
            _ => compare(self.chunk(0)?, other.chunk(0)?)?,
        }
        Ok(same)
    }

    /// Reads at most `buffer.len()` bytes; fewer only at the end.
    pub(crate) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let count = self.size.saturating_sub(offset).min(buffer.len() as u64) as usize;
        let mut rest = &mut buffer[..count];
        for piece in pieces(offset, count) {
            let (target, after) = rest.split_at_mut(piece.length);
            let stored = self.bytes(piece.chunk)?;
            let stored = stored.get(piece.start..).unwrap_or_default();
            let copied = stored.len().min(piece.length);
            target[..copied].copy_from_slice(&stored[..copied]);
            target[copied..].fill(0);
            rest = after;
        }
        Ok(count)
    }

    /// How long a prefix of a write of `length` bytes at `offset` fits where `budget` more bytes
    /// may be stored, and how many it stores more.
    pub(crate) fn affordable(
        &self,
        offset: u64,
        length: usize,
        budget: u64,
    ) -> Result<(usize, u64)> {
        let (mut fits, mut cost) = (0, 0);
        for piece in pieces(offset, length) {
            let present = self.chunk(piece.chunk)?.map_or(0, |chunk| chunk.claim());
            let growth = ((piece.start + piece.length) as u64).saturating_sub(present);
            if cost + growth > budget {
                let reach = present + (budget - cost);
                let part = reach.saturating_sub(piece.start as u64);
                let part_growth = if part > 0 { budget - cost } else { 0 };
                return Ok((fits + part as usize, cost + part_growth));
            }
            cost += growth;
            fits += piece.length;
        }
        Ok((fits, cost))
    }

    /// Writes all of `bytes`; a gap before `offset` becomes a hole. What fails changes nothing.
    pub(crate) fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        for piece in pieces(offset, bytes.len()) {
            match self.chunk(piece.chunk)? {
                Some(chunk) if !piece.covers(chunk) => drop(chunk.get()?),
                _ => {}
            }
        }
        let end = offset + bytes.len() as u64;
        if end <= INLINE && !matches!(self.data, Data::Chunks(_)) {
            self.write_inline(offset as usize, bytes)?;
        } else {
            self.write_chunks(offset, bytes)?;
        }
        self.size = self.size.max(end);
        Ok(())
    }

    fn write_inline(&mut self, offset: usize, bytes: &[u8]) -> Result<()> {
        if matches!(self.data, Data::Hole) {
            self.data = Data::Inline(new_chunk(Vec::new()));
        }
        if let Data::Inline(chunk) = &mut self.data {
            let stored = &mut Part::edit(chunk)?.0;
            self.stored += overwrite(stored, offset, bytes, INLINE as usize);
        }
        Ok(())
    }

    fn write_chunks(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut chunks = match std::mem::take(&mut self.data) {
            Data::Hole => Radix::default(),
            Data::Inline(first) => {
                let mut chunks = Radix::default();
                chunks.insert(0, first)?;
                chunks
            }
            Data::Chunks(chunks) => chunks,
        };
        let mut rest = bytes;
        for piece in pieces(offset, bytes.len()) {
            let (part, after) = rest.split_at(piece.length);
            rest = after;
            match chunks.get_mut(piece.chunk)? {
                Some(chunk) if piece.covers(chunk) => {
                    self.stored += (part.len() as u64).saturating_sub(chunk.claim());
                    replace(chunk, part);
                }
                Some(chunk) => {
                    let chunk = &mut Part::edit(chunk)?.0;
                    self.stored += overwrite(chunk, piece.start, part, CHUNK as usize);
                }
                None => {
                    let mut chunk = Vec::new();
                    self.stored += overwrite(&mut chunk, piece.start, part, CHUNK as usize);
                    chunks.insert(piece.chunk, new_chunk(chunk))?;
                }
            }
        }
        self.data = Data::Chunks(chunks);
        Ok(())
    }

    /// Cuts off, or extends with a hole.
    pub(crate) fn set_size(&mut self, size: u64) -> Result<()> {
        if size == 0 {
            *self = Content::default();
        } else if size < self.size {
            self.cut(size)?;
        }
        self.size = size;
        Ok(())
    }

    fn cut(&mut self, size: u64) -> Result<()> {
        let (last, keep) = (size / CHUNK, (size % CHUNK) as usize);
        let mut removed = 0;
        match &mut self.data {
            Data::Hole => {}
            Data::Inline(chunk) => removed = shorten(chunk, size.min(INLINE) as usize)?,
            Data::Chunks(chunks) => {
                if keep > 0
                    && let Some(chunk) = chunks.get_mut(last)?
                {
                    removed = shorten(chunk, keep)?;
                }
                let first_gone = last + u64::from(keep > 0);
                self.stored = self.stored.saturating_sub(std::mem::take(&mut removed));
                chunks.truncate(first_gone, |chunk| removed += chunk.claim())?;
            }
        }
        self.stored = self.stored.saturating_sub(removed);
        Ok(())
    }

    /// Stores the content and appends what an inode says about it.
    pub(crate) fn save<S: ObjectSink>(
        &self,
        writer: &mut Writer,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        writer.number(self.size);
        let only = match &self.data {
            Data::Hole => {
                writer.byte(Form::Hole as u8);
                return Ok(());
            }
            Data::Inline(chunk) => Some(chunk),
            Data::Chunks(chunks) => chunks.only_first(),
        };
        match (only, &self.data) {
            (Some(chunk), _) if chunk.claim() <= EMBEDDED as u64 => {
                writer.byte(Form::Embedded as u8);
                writer.bytes(bytes_of(chunk)?);
            }
            (Some(chunk), _) => {
                writer.byte(Form::Chunk as u8);
                chunk.write(writer, sink)?;
            }
            (None, Data::Chunks(chunks)) => {
                if let Some((height, id)) = chunks.save(sink)? {
                    writer.byte(Form::List as u8);
                    writer.number(self.stored);
                    writer.number(height.into());
                    writer.id(id);
                } else {
                    writer.byte(Form::Hole as u8);
                }
            }
            (None, _) => {}
        }
        Ok(())
    }

    pub(crate) fn open(reader: &mut Reader<'_>, source: &Arc<dyn ObjectSource>) -> Result<Content> {
        let size = reader.number_to(i64::MAX as u64)?;
        let (data, stored) = match reader.byte()? {
            form if form == Form::Hole as u8 => (Data::Hole, 0),
            form if form == Form::Embedded as u8 => {
                let bytes = reader.bytes(EMBEDDED as u64)?;
                (Data::Inline(new_chunk(bytes.to_vec())), bytes.len() as u64)
            }
            form if form == Form::Chunk as u8 => {
                let chunk = Chunk::read(reader, source)?;
                let stored = chunk.claim();
                if stored <= INLINE {
                    (Data::Inline(chunk), stored)
                } else {
                    let mut chunks = Radix::default();
                    chunks.insert(0, chunk)?;
                    (Data::Chunks(chunks), stored)
                }
            }
            form if form == Form::List as u8 => {
                let (stored, height) = (reader.number_to(i64::MAX as u64)?, read_height(reader)?);
                let chunks = Radix::open(height, reader.id()?, source);
                (Data::Chunks(chunks), stored)
            }
            _ => return Err(Error::Corrupt),
        };
        Ok(Content { size, stored, data })
    }

    pub(crate) fn links(&self, found: &mut Vec<Link>) {
        match &self.data {
            Data::Hole => {}
            Data::Inline(chunk) => chunk.link(found),
            // Just opened: a list that is a root in a store, or one chunk.
            Data::Chunks(chunks) => match chunks.only_first() {
                Some(chunk) => chunk.link(found),
                None => chunks.link(found),
            },
        }
    }

    /// Checks that the chunks are what the inode says, and reads them where `contents` says so.
    pub(crate) fn verify(&self, contents: bool) -> Result<()> {
        let (mut stored, mut end) = (0u64, 0);
        let mut visit = |index: u64, chunk: &Chunk| {
            stored = stored.saturating_add(chunk.claim());
            end = index.saturating_mul(CHUNK).saturating_add(chunk.claim());
            if contents {
                chunk.get().map(drop)
            } else {
                Ok(())
            }
        };
        match &self.data {
            Data::Hole => {}
            Data::Inline(chunk) => visit(0, chunk)?,
            Data::Chunks(chunks) => chunks.diff(&Radix::default(), |index, chunk, _| {
                chunk.map_or(Ok(()), |chunk| visit(index, chunk))
            })?,
        }
        if stored == self.stored && end <= self.size {
            Ok(())
        } else {
            Err(Error::Corrupt)
        }
    }
}

/// How an inode's content is stored.
#[repr(u8)]
enum Form {
    Hole = 0,
    Embedded = 1,
    Chunk = 2,
    List = 3,
}

impl Piece {
    /// Whether nothing of a chunk would be left.
    fn covers(&self, chunk: &Chunk) -> bool {
        self.start == 0 && self.length as u64 >= chunk.claim()
    }
}

/// What a node of a file's chunks leads to.
pub(crate) fn file_links(
    payload: &[u8],
    claim: Option<u64>,
    source: &Arc<dyn ObjectSource>,
) -> Result<Vec<Link>> {
    super::radix::node_links::<Chunk>(payload, claim, source)
}

/// Checks a chunk.
pub(crate) fn chunk_links(payload: &[u8], claim: Option<u64>) -> Result<Vec<Link>> {
    let length = payload.len() as u64;
    if length > CHUNK || claim.is_some_and(|claim| claim != length) {
        return Err(Error::Corrupt);
    }
    Ok(Vec::new())
}

/// Keeps the beginning of a chunk and gives back the room of the rest; returns how much that was.
fn shorten(chunk: &mut Chunk, keep: usize) -> Result<u64> {
    let removed = chunk.claim().saturating_sub(keep as u64);
    if removed > 0 {
        *chunk = new_chunk(bytes_of(chunk)?[..keep].to_vec());
    }
    Ok(removed)
}

/// Gives a chunk new bytes without copying the old ones where it is shared.
fn replace(chunk: &mut Chunk, bytes: &[u8]) {
    if Arc::get_mut(chunk).is_some()
        && chunk.resident().is_some()
        && let Ok(own) = Part::edit(chunk)
    {
        own.0.clear();
        own.0.extend_from_slice(bytes);
    } else {
        *chunk = new_chunk(bytes.to_vec());
    }
}

/// Writes into `stored`, growing it by doubling but never above `limit`; returns the growth.
fn overwrite(stored: &mut Vec<u8>, offset: usize, bytes: &[u8], limit: usize) -> u64 {
    let (before, end) = (stored.len(), offset + bytes.len());
    if end > stored.capacity() {
        let capacity = end.max(2 * stored.capacity()).min(limit);
        stored.reserve_exact(capacity - before);
    }
    if offset > before {
        stored.resize(offset, 0);
    }
    let overlap = stored.len().min(end) - offset;
    stored[offset..offset + overlap].copy_from_slice(&bytes[..overlap]);
    stored.extend_from_slice(&bytes[overlap..]);
    (stored.len() - before) as u64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Step {
        Write(u64, usize, u8),
        Resize(u64),
        Read(u64, usize),
        Clone,
    }

    fn offset() -> impl Strategy<Value = u64> {
        let near = |at: u64| (at.saturating_sub(3)..at + 3).boxed();
        prop_oneof![
            0..6000u64,
            Just(CHUNK),
            near(INLINE),
            near(CHUNK),
            near(2 * CHUNK),
            0..5 * CHUNK
        ]
    }

    fn step() -> impl Strategy<Value = Step> {
        let length = prop_oneof![0..50usize, 4000..5000usize, 60_000..140_000usize];
        prop_oneof![
            4 => (offset(), length.clone(), 1..255u8).prop_map(|(at, n, b)| Step::Write(at, n, b)),
            1 => offset().prop_map(Step::Resize),
            1 => Just(Step::Resize(0)),
            2 => (offset(), length).prop_map(|(at, length)| Step::Read(at, length)),
            1 => Just(Step::Clone),
        ]
    }

    /// What the chunks really hold.
    fn held(content: &Content) -> u64 {
        let mut sum = 0;
        match &content.data {
            Data::Hole => {}
            Data::Inline(chunk) => sum = bytes_of(chunk).unwrap().len() as u64,
            Data::Chunks(chunks) => chunks
                .for_each(|_, chunk| sum += bytes_of(chunk).unwrap().len() as u64)
                .unwrap(),
        }
        sum
    }

    fn whole(content: &Content) -> Vec<u8> {
        let mut bytes = vec![1; content.size() as usize];
        assert_eq!(content.read(0, &mut bytes).unwrap(), bytes.len());
        bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn same_as_a_vector(steps in prop::collection::vec(step(), 1..30)) {
            let (mut content, mut model) = (Content::default(), Vec::new());
            let mut kept = Vec::new();
            for step in steps {
                match step {
                    Step::Write(at, length, byte) => {
                        let bytes: Vec<_> = (0..length).map(|n| byte ^ n as u8).collect();
                        let before = content.stored();
                        let (fits, cost) = content.affordable(at, length, u64::MAX).unwrap();
                        prop_assert_eq!(fits, length);
                        content.write(at, &bytes).unwrap();
                        prop_assert_eq!(content.stored(), before + cost);
                        let end = at as usize + length;
                        if length > 0 {
                            model.resize(model.len().max(end), 0);
                            model[at as usize..end].copy_from_slice(&bytes);
                        }
                    }
                    Step::Resize(size) => {
                        content.set_size(size).unwrap();
                        model.resize(size as usize, 0);
                    }
                    Step::Read(at, length) => {
                        let mut buffer = vec![9; length];
                        let count = content.read(at, &mut buffer).unwrap();
                        let from = model.len().min(at as usize);
                        let expected = &model[from..model.len().min(from + length)];
                        prop_assert_eq!(&buffer[..count], expected);
                    }
                    Step::Clone => kept.push((content.clone(), model.clone())),
                }
                prop_assert_eq!(content.size(), model.len() as u64);
                prop_assert_eq!(content.stored(), held(&content));
            }
            kept.push((content, model));
            for (content, model) in &kept {
                prop_assert_eq!(&whole(content), model);
            }
        }

        #[test]
        fn a_budget_is_used_up_exactly(
            first in (offset(), 1..9000usize),
            second in (offset(), 1..200_000usize),
            budget in 0..150_000u64,
        ) {
            let mut content = Content::default();
            content.write(first.0, &vec![1; first.1]).unwrap();
            let before = content.stored();
            let (fits, cost) = content.affordable(second.0, second.1, budget).unwrap();
            prop_assert!(cost <= budget);
            if fits < second.1 {
                let (_, one_more) = content.affordable(second.0, fits + 1, u64::MAX).unwrap();
                prop_assert!(one_more > budget);
            }
            content.write(second.0, &vec![2; fits]).unwrap();
            prop_assert_eq!(content.stored(), before + cost);
        }
    }
}
