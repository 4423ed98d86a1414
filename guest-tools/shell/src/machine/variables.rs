//! The variables of one shell: a slot for each symbol, in chunks that copies share until one writes.

use std::rc::Rc;

use super::symbol::Symbol;
use super::value::{Attributes, Value, Variable};
use crate::codec::{Codec, Image, Read, Reader, Writer};
use crate::text::Text;

const CHUNK: usize = 32;

type Chunk = Rc<[Variable; CHUNK]>;

/// All variables; cloning takes constant time.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    chunks: Rc<Vec<Chunk>>,
    /// Bytes that all values take, those that calls hide among them.
    bytes: usize,
}

impl Variables {
    /// The slot of `symbol`; none where it was never written.
    #[inline]
    pub fn get(&self, symbol: Symbol) -> Option<&Variable> {
        let index = symbol.0 as usize;
        let chunk = self.chunks.get(index / CHUNK)?;
        Some(&chunk[index % CHUNK])
    }

    /// The value of `symbol`.
    #[inline]
    pub fn value(&self, symbol: Symbol) -> &Value {
        const UNSET: &Value = &Value::Unset;
        self.get(symbol).map_or(UNSET, |variable| &variable.value)
    }

    /// The attributes of `symbol`.
    #[inline]
    pub fn attributes(&self, symbol: Symbol) -> Attributes {
        self.get(symbol)
            .map_or(Attributes::NONE, |variable| variable.attributes)
    }

    /// The slot of `symbol`, to write; unshares its chunk. The caller keeps [`Variables::bytes`]
    /// right through [`Variables::account`].
    #[inline]
    pub(crate) fn slot(&mut self, symbol: Symbol) -> &mut Variable {
        let index = symbol.0 as usize;
        let chunks = Rc::make_mut(&mut self.chunks);
        while chunks.len() <= index / CHUNK {
            chunks.push(Rc::new(std::array::from_fn(|_| Variable::default())));
        }
        &mut Rc::make_mut(&mut chunks[index / CHUNK])[index % CHUNK]
    }

    /// Stores a string, attributes unchanged but for being declared.
    #[inline]
    pub(crate) fn store(&mut self, symbol: Symbol, text: Text) {
        let size = text.len();
        let slot = self.slot(symbol);
        let old = slot.value.size();
        slot.value = Value::Text(text);
        self.account(old, size);
    }

    /// Puts a whole variable in place and returns what was there.
    pub fn replace(&mut self, symbol: Symbol, variable: Variable) -> Variable {
        let size = variable.value.size();
        let old = std::mem::replace(self.slot(symbol), variable);
        self.account(old.value.size(), size);
        old
    }

    /// Puts a variable in place whose bytes are counted already: what a call hid comes back.
    pub(crate) fn reveal(&mut self, symbol: Symbol, variable: Variable) {
        let old = std::mem::replace(self.slot(symbol), variable);
        self.account(old.value.size(), 0);
    }

    /// Notes that a value of `old` bytes became one of `new` bytes.
    #[inline]
    pub(crate) fn account(&mut self, old: usize, new: usize) {
        self.bytes = (self.bytes + new).saturating_sub(old);
    }

    /// Bytes that all values take.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// All variables that exist.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &Variable)> + '_ {
        let slots = self.chunks.iter().flat_map(|chunk| chunk.iter());
        slots
            .enumerate()
            .filter(|(_, variable)| variable.exists())
            .map(|(index, variable)| (Symbol(index as u32), variable))
    }
}

impl Codec<Image> for Variables {
    /// The slots that were ever written; those of a chunk that another shell shares once.
    fn encode(&self, writer: &mut Writer) {
        writer.number(self.chunks.len() as u64);
        for (index, chunk) in self.chunks.iter().enumerate() {
            let address = Rc::as_ptr(chunk).addr();
            if let Some(number) = writer.known(address) {
                writer.number(u64::from(number) + 1);
                continue;
            }
            writer.number(0);
            writer.share(address);
            let blank = Variable::default();
            let slots = chunk.iter().enumerate();
            let slots: Vec<(usize, &Variable)> =
                slots.filter(|(_, variable)| **variable != blank).collect();
            writer.number(slots.len() as u64);
            for (offset, variable) in slots {
                Symbol((index * CHUNK + offset) as u32).encode(writer);
                variable.encode(writer);
            }
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Variables> {
        let mut variables = Variables::default();
        for _ in 0..reader.count()? {
            let slots: Rc<Vec<(Symbol, Variable)>> = Codec::decode(reader)?;
            for (symbol, variable) in slots.iter() {
                variables.replace(*symbol, variable.clone());
            }
        }
        Ok(variables)
    }
}
