//! Containers: one commit with all it consists of, in one file.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `OFFSHOOT` |
//! | 2 · 4 | container version, schema, lowest reader, flags (1: sealed); little-endian |
//! | 4 + n | length and content of the header |
//! | (1 + 4 + n) · | kind, length and payload of each object, what others lead to first |
//! | 32 | BLAKE3 of everything before, with the key where it is sealed |
//!
//! An importer reads the whole before it believes any of it, so a container that is cut off, damaged
//! or forged changes nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{Read, Write};
use std::sync::Arc;

use offshoot_vfs::{Options, Quotas};
use serde::{Deserialize, Serialize};

use crate::format::{ALGORITHM, CONTAINER, MAGIC, MIN_READER, SCHEMA};
use crate::object::{Target, targets};
use crate::{
    Capture, Commit, Error, Key, Kind, MemoryStore, Object, ObjectId, Objects, Result, Store,
    Verified,
};

const SEALED: u16 = 1;
/// The longest header; against one that fills memory (T43).
const LONGEST_HEADER: u32 = 1 << 16;
const CHECKSUM: usize = 32;

/// How a commit is exported.
#[derive(Debug, Clone, Default)]
pub struct Export {
    /// The sandbox that it is a state of.
    pub name: String,
    /// Its epoch, so that an older container is known for what it is.
    pub epoch: u64,
    /// Seals it. Without a key anybody can make a container that looks the same.
    pub key: Option<Key>,
}

/// What an importer accepts.
#[derive(Debug, Clone)]
pub struct Import {
    /// The container must be sealed with this key. None accepts what anybody made.
    pub key: Option<Key>,
    /// The sandbox's name in it, where it must be a certain one.
    pub name: Option<String>,
    /// The newest epoch that is known of this sandbox; an older one was rolled back.
    pub at_least: u64,
    /// What the tree may hold.
    pub quotas: Quotas,
    /// The longest container.
    pub max_bytes: u64,
}

impl Default for Import {
    /// Anybody's, any sandbox, the default quotas, 4 GiB.
    fn default() -> Import {
        Import {
            key: None,
            name: None,
            at_least: 0,
            quotas: Quotas::default(),
            max_bytes: 4 << 30,
        }
    }
}

/// What a container holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The hash that ids are made with.
    pub algorithm: String,
    /// The sandbox.
    pub name: String,
    /// Its epoch.
    pub epoch: u64,
    /// The commit.
    pub commit: ObjectId,
    /// How many objects.
    pub objects: u64,
    /// Bytes of their payloads.
    pub bytes: u64,
}

/// Hashes what passes.
struct Hashed<'a, W> {
    writer: &'a mut W,
    hasher: blake3::Hasher,
}

impl<W: Write> Hashed<'_, W> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.hasher.update(bytes);
        let written = self.writer.write_all(bytes);
        written.map_err(|error| Error::io("write container", &error))
    }
}

fn hasher(key: Option<&Key>) -> blake3::Hasher {
    key.map_or_else(blake3::Hasher::new, Key::hasher)
}

fn corrupt(reason: &'static str) -> Error {
    Error::Corrupt {
        what: "container".into(),
        reason,
    }
}

impl Store {
    /// Writes a commit with all it consists of. Parents are only named.
    ///
    /// What an encrypted store holds is decrypted for it, in memory, and without its parents: a
    /// container is for others.
    ///
    /// # Errors
    /// `NOT_FOUND`, `CORRUPT`, those of the store and of the writer.
    pub fn export(
        &self,
        commit: ObjectId,
        options: &Export,
        writer: &mut impl Write,
    ) -> Result<Header> {
        if self.inner.is_encrypted() {
            let (plain, commit) = self.copy_to(&Store::memory(), commit)?;
            return plain.export(commit, options, writer);
        }
        let order = self.order(commit)?;
        let header = Header {
            algorithm: ALGORITHM.into(),
            name: options.name.clone(),
            epoch: options.epoch,
            commit,
            objects: order.len() as u64,
            bytes: order.iter().map(|(_, length)| length).sum(),
        };
        let mut out = Hashed {
            writer,
            hasher: hasher(options.key.as_ref()),
        };
        let flags = if options.key.is_some() { SEALED } else { 0 };
        out.put(&MAGIC)?;
        for number in [CONTAINER, SCHEMA, MIN_READER, flags] {
            out.put(&number.to_le_bytes())?;
        }
        let limit = |_| Error::Limit {
            what: "size of a header",
        };
        let encoded = postcard::to_stdvec(&header).map_err(limit)?;
        out.put(&(encoded.len() as u32).to_le_bytes())?;
        out.put(&encoded)?;
        for (id, _) in order {
            let object = self.inner.get(id)?;
            out.put(&[object.kind as u8])?;
            out.put(&(object.payload.len() as u32).to_le_bytes())?;
            out.put(&object.payload)?;
        }
        let checksum = out.hasher.finalize();
        out.put(checksum.as_bytes())?;
        Ok(header)
    }

    /// All objects of a commit, what others lead to first, with their lengths.
    fn order(&self, commit: ObjectId) -> Result<Vec<(ObjectId, u64)>> {
        let object = self.inner.get(commit)?;
        let mut pending = Commit::decode(&object)?.targets();
        // Commits lead to trees, trees to inodes, inodes to names and files, files to chunks, and
        // nodes to nodes of a lower level. So by kind and level what is led to comes first.
        let mut found =
            BTreeMap::from([((Kind::Commit, None, commit), object.payload.len() as u64)]);
        let mut seen = HashSet::new();
        while let Some(target) = pending.pop() {
            if seen.insert(target.id) {
                let object = self.inner.get(target.id)?;
                let length = object.payload.len() as u64;
                found.insert((target.kind, target.claim, target.id), length);
                pending.extend(targets(&object, target.claim)?);
            }
        }
        Ok(found
            .into_iter()
            .map(|((_, _, id), length)| (id, length))
            .collect())
    }

    /// Reads a container, believes nothing of it until all of it has been looked at, and stores its
    /// objects, durably. Name its commit by a ref or a pin afterwards, or the collector takes it.
    ///
    /// # Errors
    /// `CORRUPT` for anything that is not as it was exported, and for another key; `TOO_NEW`;
    /// `FENCED` for an epoch older than `at_least`; `LIMIT`. Nothing is stored then.
    pub fn import(&self, options: &Import, reader: &mut impl Read) -> Result<Header> {
        let mut bytes = Vec::new();
        reader
            .take(options.max_bytes.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| Error::io("read container", &error))?;
        if bytes.len() as u64 > options.max_bytes {
            return Err(Error::Limit {
                what: "size of a container",
            });
        }
        let (header, objects) = parse(&bytes, options)?;
        let plain = look_through(&header, &objects, options)?;
        if self.inner.is_encrypted() {
            let (_, commit) = plain.copy_to(self, header.commit)?;
            self.inner.hand_over()?;
            self.inner.objects.flush()?;
            return Ok(Header { commit, ..header });
        }
        self.inner.objects.put(&objects)?;
        self.inner.objects.flush()?;
        Ok(header)
    }

    /// Commits a state of this store to another one, where it waits in memory.
    fn copy_to(&self, other: &Store, commit: ObjectId) -> Result<(Store, ObjectId)> {
        let found = self.checkout(commit, crate::unchanged::unlimited())?;
        let capture = Capture {
            sessions: found.sessions,
            settings: found.settings,
            caps: found.commit.caps,
            omitted: found.commit.omitted,
            label: found.commit.label,
            metadata: found.commit.metadata,
            engine: found.commit.engine,
            ..Capture::default()
        };
        let copied = other.commit(&found.vfs, &capture);
        match found.faults.take().pop() {
            Some(fault) => Err(fault),
            None => Ok((other.clone(), copied?.commit)),
        }
    }
}

/// Takes a container apart.
fn parse(bytes: &[u8], options: &Import) -> Result<(Header, Vec<Object>)> {
    let mut rest = Cut(bytes);
    if rest.take(MAGIC.len())? != MAGIC {
        return Err(corrupt("it is no container"));
    }
    let (version, _schema, min_reader, flags) =
        (rest.short()?, rest.short()?, rest.short()?, rest.short()?);
    let (found, supported) = if version > CONTAINER {
        (version, CONTAINER)
    } else {
        (min_reader, SCHEMA)
    };
    if found > supported {
        return Err(Error::TooNew {
            found: found.into(),
            supported: supported.into(),
        });
    }
    if (flags & SEALED != 0) != options.key.is_some() {
        let reason = match options.key {
            Some(_) => "it is not sealed",
            None => "it is sealed, and no key was given",
        };
        return Err(Error::NotAuthentic { reason });
    }
    let body = bytes
        .len()
        .checked_sub(CHECKSUM)
        .ok_or_else(|| corrupt("it is cut off"))?;
    let (body, checksum) = bytes.split_at(body);
    let checksum: [u8; CHECKSUM] = checksum.try_into().map_err(|_| corrupt("it is cut off"))?;
    if hasher(options.key.as_ref()).update(body).finalize() != blake3::Hash::from_bytes(checksum) {
        return Err(match options.key {
            Some(_) => Error::NotAuthentic {
                reason: "the container's seal does not fit",
            },
            None => corrupt("its checksum does not fit"),
        });
    }
    let mut rest = Cut(&body[MAGIC.len() + 8..]);
    let length = rest.long()?;
    if length > LONGEST_HEADER || flags & !SEALED != 0 {
        return Err(corrupt("its header makes no sense"));
    }
    let header: Header = postcard::from_bytes(rest.take(length as usize)?)
        .map_err(|_| corrupt("its header makes no sense"))?;
    if header.algorithm != ALGORITHM {
        return Err(corrupt("its ids are made with another hash"));
    }
    if header.epoch < options.at_least {
        return Err(Error::RolledBack {
            found: header.epoch,
            expected: options.at_least,
        });
    }
    if options
        .name
        .as_ref()
        .is_some_and(|name| *name != header.name)
    {
        return Err(Error::NotAuthentic {
            reason: "it is of another sandbox",
        });
    }
    let mut objects = Vec::new();
    while !rest.0.is_empty() {
        let kind = Kind::from_number(rest.take(1)?[0])?;
        let length = rest.long()? as usize;
        objects.push(Object::new(kind, rest.take(length)?.to_vec()));
    }
    let sum: u64 = objects
        .iter()
        .map(|object| object.payload.len() as u64)
        .sum();
    if (objects.len() as u64, sum) != (header.objects, header.bytes) {
        return Err(corrupt("its header counts otherwise"));
    }
    Ok((header, objects))
}

/// Whether objects are exactly what the commit consists of, and a tree that contradicts itself
/// nowhere; they are in a store of their own afterwards.
fn look_through(header: &Header, objects: &[Object], options: &Import) -> Result<Store> {
    let mut unseen: BTreeMap<ObjectId, &Object> = BTreeMap::new();
    for object in objects {
        if unseen.insert(object.id, object).is_some() {
            return Err(corrupt("it holds an object twice"));
        }
    }
    let mut seen: HashMap<ObjectId, &Object> = HashMap::new();
    let mut pending = vec![Target {
        kind: Kind::Commit,
        id: header.commit,
        claim: None,
    }];
    while let Some(target) = pending.pop() {
        let first = unseen.remove(&target.id);
        let object = match first.or_else(|| seen.get(&target.id).copied()) {
            Some(object) if object.kind == target.kind => object,
            Some(_) => return Err(corrupt("an object is not what leads to it says")),
            None => return Err(corrupt("an object is missing")),
        };
        // What is met again must still be what is said about it.
        let found = targets(object, target.claim)?;
        if first.is_some() {
            seen.insert(target.id, object);
            pending.extend(found);
        }
    }
    if !unseen.is_empty() {
        return Err(corrupt("it holds what nothing leads to"));
    }
    let memory = Arc::new(MemoryStore::new());
    memory.put(objects)?;
    let store = Store::new(memory.clone(), memory)?;
    let vfs_options = Options {
        quotas: options.quotas,
        ..Options::default()
    };
    let back = store.checkout(header.commit, vfs_options)?;
    debug_assert_eq!(back.receipt.verified, Verified::Root);
    back.vfs
        .verify(true)
        .map_err(|_| corrupt("its tree contradicts itself"))?;
    Ok(store)
}

/// What is left of a container.
struct Cut<'a>(&'a [u8]);

impl<'a> Cut<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self
            .0
            .split_at_checked(length)
            .ok_or_else(|| corrupt("it is cut off"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn short(&mut self) -> Result<u16> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn long(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }
}
