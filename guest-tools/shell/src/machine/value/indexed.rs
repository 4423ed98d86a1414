//! Indexed arrays: dense while the indices allow it, a tree where they are sparse.

use std::collections::BTreeMap;

use offshoot_shell_language::codec::{Codec, Context, Corrupt, Read, Reader, Writer};

use crate::text::Text;

/// An array whose indices are whole numbers from 0.
#[derive(Debug, Clone, Default)]
pub struct Indexed {
    store: Store,
    /// Elements that are set.
    count: usize,
    /// Bytes of all elements.
    bytes: usize,
    /// See [`Indexed::has_names`].
    names: bool,
}

#[derive(Debug, Clone)]
enum Store {
    Dense(Vec<Option<Text>>),
    Sparse(BTreeMap<u64, Text>),
}

impl Default for Store {
    fn default() -> Store {
        Store::Dense(Vec::new())
    }
}

/// A dense array may grow over a gap of this many elements.
const GAP: u64 = 64;

impl Indexed {
    /// An array of these elements from 0 on.
    pub fn from_elements(elements: impl IntoIterator<Item = Text>) -> Indexed {
        let mut array = Indexed::default();
        for element in elements {
            array.push(element);
        }
        array
    }

    /// How many elements are set.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether no element is set.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        self.bytes + self.count * std::mem::size_of::<Text>()
    }

    /// Whether an element was more than a number: evaluated as an expression, it may lead to other
    /// variables or run commands.
    pub fn has_names(&self) -> bool {
        self.names
    }

    /// The element at `index`.
    pub fn get(&self, index: u64) -> Option<&Text> {
        match &self.store {
            Store::Dense(items) => items.get(usize::try_from(index).ok()?)?.as_ref(),
            Store::Sparse(items) => items.get(&index),
        }
    }

    /// Sets the element at `index`; amortised constant time where it is at most a little beyond
    /// the end.
    pub fn set(&mut self, index: u64, value: Text) {
        self.bytes += value.len();
        self.names = self.names || may_name(&value);
        let old = match &mut self.store {
            Store::Dense(items) => {
                let end = items.len() as u64;
                if index < end {
                    items[index as usize].replace(value)
                } else if index - end <= GAP.max(end) {
                    items.resize(index as usize, None);
                    items.push(Some(value));
                    None
                } else {
                    let mut sparse = into_sparse(std::mem::take(items));
                    sparse.insert(index, value);
                    self.store = Store::Sparse(sparse);
                    None
                }
            }
            Store::Sparse(items) => items.insert(index, value),
        };
        match old {
            Some(old) => self.bytes -= old.len(),
            None => self.count += 1,
        }
    }

    /// Appends `more` to the element at `index`.
    pub fn append_at(&mut self, index: u64, more: &[u8]) {
        let slot = match &mut self.store {
            Store::Dense(items) => usize::try_from(index)
                .ok()
                .and_then(|index| items.get_mut(index))
                .and_then(Option::as_mut),
            Store::Sparse(items) => items.get_mut(&index),
        };
        match slot {
            Some(text) => {
                text.push_bytes(more);
                self.bytes += more.len();
                self.names = self.names || may_name(more);
            }
            None => self.set(index, Text::from(more)),
        }
    }

    /// Sets the element after the last one.
    pub fn push(&mut self, value: Text) {
        self.set(self.end(), value);
    }

    /// One more than the highest index that is set.
    pub fn end(&self) -> u64 {
        match &self.store {
            Store::Dense(items) => items.len() as u64,
            Store::Sparse(items) => items.last_key_value().map_or(0, |(index, _)| index + 1),
        }
    }

    /// Removes the element at `index`.
    pub fn remove(&mut self, index: u64) {
        let old = match &mut self.store {
            Store::Dense(items) => {
                let old = usize::try_from(index)
                    .ok()
                    .and_then(|index| items.get_mut(index))
                    .and_then(Option::take);
                while matches!(items.last(), Some(None)) {
                    items.pop();
                }
                old
            }
            Store::Sparse(items) => items.remove(&index),
        };
        if let Some(old) = old {
            self.count -= 1;
            self.bytes -= old.len();
        }
    }

    /// Indices and elements, in order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (u64, &Text)> + '_> {
        match &self.store {
            Store::Dense(items) => Box::new(
                items
                    .iter()
                    .enumerate()
                    .filter_map(|(index, item)| item.as_ref().map(|item| (index as u64, item))),
            ),
            Store::Sparse(items) => Box::new(items.iter().map(|(&index, item)| (index, item))),
        }
    }

    /// Indices and elements from `start` on.
    pub fn iter_from(&self, start: u64) -> Box<dyn Iterator<Item = (u64, &Text)> + '_> {
        match &self.store {
            Store::Dense(items) => {
                let first = usize::try_from(start)
                    .unwrap_or(usize::MAX)
                    .min(items.len());
                Box::new(
                    items[first..]
                        .iter()
                        .enumerate()
                        .filter_map(move |(index, item)| {
                            item.as_ref().map(|item| ((first + index) as u64, item))
                        }),
                )
            }
            Store::Sparse(items) => {
                Box::new(items.range(start..).map(|(&index, item)| (index, item)))
            }
        }
    }
}

impl PartialEq for Indexed {
    fn eq(&self, other: &Indexed) -> bool {
        self.count == other.count && self.iter().eq(other.iter())
    }
}

impl Eq for Indexed {}

/// Whether a text is more than a number when it is evaluated.
#[inline]
pub(super) fn may_name(text: &[u8]) -> bool {
    let number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b' ');
    !text.iter().all(number)
}

fn into_sparse(items: Vec<Option<Text>>) -> BTreeMap<u64, Text> {
    let numbered = items.into_iter().enumerate();
    numbered
        .filter_map(|(index, item)| item.map(|item| (index as u64, item)))
        .collect()
}

impl<C: Context> Codec<C> for Indexed {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.number(self.len() as u64);
        for (index, item) in self.iter() {
            index.encode(writer);
            item.encode(writer);
        }
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Indexed> {
        let mut array = Indexed::default();
        for _ in 0..reader.count()? {
            let index = u64::decode(reader)?;
            // The highest index is that of bash.
            if i64::try_from(index).is_err() {
                return Err(Corrupt);
            }
            array.set(index, Text::decode(reader)?);
        }
        Ok(array)
    }
}
