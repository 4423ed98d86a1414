//! Associative arrays in bash's own order, which scripts see and their authors' tests record.
//!
//! bash keeps chains of entries, the newest first, in 1,024 buckets at first (128 where a string becomes an array) and
//! four times as many whenever there are twice as many entries as buckets.

use offshoot_shell_language::codec::{Codec, Context, Corrupt, Read, Reader, Writer};

use super::super::hash::bash_hash;
use super::indexed::may_name;
use crate::text::Text;

/// An array whose indices are strings.
#[derive(Debug, Clone)]
pub struct Associative {
    entries: Vec<Entry>,
    /// Entries that were removed and can be taken again.
    free: Vec<u32>,
    /// The first entry of each chain; empty while the array is small.
    heads: Vec<u32>,
    bucket_count: u32,
    count: usize,
    bytes: usize,
    /// See [`Associative::has_names`].
    names: bool,
}

#[derive(Debug, Clone)]
struct Entry {
    key: Text,
    value: Option<Text>,
    hash: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;
const FIRST_BUCKETS: u32 = 1024;
/// Buckets of what was a string before.
pub const CONVERTED_BUCKETS: u32 = 128;
/// The fewest buckets that any array has.
const LEAST_BUCKETS: u32 = 64;
/// Up to this many entries a search is a scan.
const SMALL: usize = 8;

impl Default for Associative {
    fn default() -> Associative {
        Associative {
            entries: Vec::new(),
            free: Vec::new(),
            heads: Vec::new(),
            bucket_count: FIRST_BUCKETS,
            count: 0,
            bytes: 0,
            names: false,
        }
    }
}

impl Associative {
    /// An array that begins with so many chains, a power of two, as the tables do that bash makes of something else.
    pub fn with_buckets(bucket_count: u32) -> Associative {
        Associative {
            bucket_count,
            ..Associative::default()
        }
    }

    /// An array without keys and with the chains of this one.
    #[must_use]
    pub fn emptied(&self) -> Associative {
        Associative::with_buckets(self.bucket_count)
    }

    /// How many keys it has.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether it has no key.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        self.bytes + self.count * std::mem::size_of::<Entry>()
    }

    /// Whether a value was more than a number: evaluated as an expression, it may lead to other
    /// variables or run commands.
    pub fn has_names(&self) -> bool {
        self.names
    }

    fn find(&self, key: &[u8], hash: u32) -> Option<usize> {
        if self.heads.is_empty() {
            let matches = |entry: &Entry| {
                entry.value.is_some() && entry.hash == hash && entry.key.as_bytes() == key
            };
            return self.entries.iter().position(matches);
        }
        let mut at = self.heads[(hash & (self.bucket_count - 1)) as usize];
        while at != NONE {
            let entry = &self.entries[at as usize];
            if entry.hash == hash && entry.key.as_bytes() == key {
                return Some(at as usize);
            }
            at = entry.next;
        }
        None
    }

    /// The value of `key`.
    pub fn get(&self, key: &[u8]) -> Option<&Text> {
        let at = self.find(key, bash_hash(key))?;
        self.entries[at].value.as_ref()
    }

    /// The value of `key`, to change it.
    pub fn append(&mut self, key: &Text, more: &[u8]) {
        match self.find(key, bash_hash(key)) {
            Some(at) => {
                if let Some(value) = &mut self.entries[at].value {
                    value.push_bytes(more);
                    self.bytes += more.len();
                    self.names = self.names || may_name(more);
                }
            }
            None => self.set(key.clone(), Text::from(more)),
        }
    }

    /// Sets `key`; amortised constant time.
    pub fn set(&mut self, key: Text, value: Text) {
        let hash = bash_hash(&key);
        self.bytes += value.len();
        self.names = self.names || may_name(&value);
        if let Some(at) = self.find(&key, hash) {
            if let Some(old) = self.entries[at].value.replace(value) {
                self.bytes -= old.len();
            }
            return;
        }
        self.bytes += key.len();
        if self.count >= self.bucket_count as usize * 2 {
            self.grow();
        }
        self.count += 1;
        let entry = Entry {
            key,
            value: Some(value),
            hash,
            next: NONE,
        };
        let at = match self.free.pop() {
            // A small array keeps the order of insertion, so that the newest is known.
            Some(at) if !self.heads.is_empty() => {
                self.entries[at as usize] = entry;
                at
            }
            _ => {
                self.entries.push(entry);
                (self.entries.len() - 1) as u32
            }
        };
        if !self.heads.is_empty() {
            self.link(at);
        } else if self.entries.len() > SMALL {
            self.index();
        }
    }

    fn link(&mut self, at: u32) {
        let bucket = (self.entries[at as usize].hash & (self.bucket_count - 1)) as usize;
        self.entries[at as usize].next = self.heads[bucket];
        self.heads[bucket] = at;
    }

    /// Makes the chains of an array that was small.
    fn index(&mut self) {
        self.entries.retain(|entry| entry.value.is_some());
        self.free.clear();
        self.heads = vec![NONE; self.bucket_count as usize];
        for at in 0..self.entries.len() {
            self.link(at as u32);
        }
    }

    fn grow(&mut self) {
        let order = self.order();
        self.bucket_count *= 4;
        self.heads = vec![NONE; self.bucket_count as usize];
        for at in order {
            self.link(at);
        }
    }

    /// Removes `key`.
    pub fn remove(&mut self, key: &[u8]) {
        let hash = bash_hash(key);
        let Some(at) = self.find(key, hash) else {
            return;
        };
        if self.heads.is_empty() {
            let old = self.entries.remove(at);
            self.bytes -= old.key.len() + old.value.map_or(0, |value| value.len());
            self.count -= 1;
            return;
        }
        let bucket = (hash & (self.bucket_count - 1)) as usize;
        let next = self.entries[at].next;
        if self.heads[bucket] as usize == at {
            self.heads[bucket] = next;
        } else {
            let mut before = self.heads[bucket] as usize;
            while self.entries[before].next as usize != at {
                before = self.entries[before].next as usize;
            }
            self.entries[before].next = next;
        }
        let old = std::mem::take(&mut self.entries[at].key);
        let value = self.entries[at].value.take();
        self.bytes -= old.len() + value.map_or(0, |value| value.len());
        self.count -= 1;
        self.free.push(at as u32);
    }

    fn order(&self) -> Vec<u32> {
        if self.heads.is_empty() {
            let mut order: Vec<u32> = (0..self.entries.len() as u32).rev().collect();
            order.sort_by_key(|&at| self.entries[at as usize].hash & (self.bucket_count - 1));
            return order;
        }
        let mut order = Vec::with_capacity(self.count);
        for &head in &self.heads {
            let mut at = head;
            while at != NONE {
                order.push(at);
                at = self.entries[at as usize].next;
            }
        }
        order
    }

    /// Keys and values in bash's order.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, &Text)> + '_ {
        self.order().into_iter().filter_map(|at| {
            let entry = &self.entries[at as usize];
            entry.value.as_ref().map(|value| (&entry.key, value))
        })
    }
}

impl PartialEq for Associative {
    fn eq(&self, other: &Associative) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl Eq for Associative {}

/// More buckets than memory has room for entries.
const MOST_BUCKETS: u32 = 1 << 26;

impl<C: Context> Codec<C> for Associative {
    fn encode(&self, writer: &mut Writer<C>) {
        self.bucket_count.encode(writer);
        writer.number(self.count as u64);
        for (key, value) in self.iter() {
            key.encode(writer);
            value.encode(writer);
        }
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Associative> {
        let mut map = Associative {
            bucket_count: Codec::decode(reader)?,
            ..Associative::default()
        };
        let buckets = map.bucket_count;
        if !buckets.is_power_of_two() || !(LEAST_BUCKETS..=MOST_BUCKETS).contains(&buckets) {
            return Err(Corrupt);
        }
        let pairs: Vec<(Text, Text)> = Codec::decode(reader)?;
        // The newest of each chain comes first.
        for (key, value) in pairs.into_iter().rev() {
            map.set(key, value);
        }
        Ok(map)
    }
}
