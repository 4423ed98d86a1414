//! Plain data as bytes, for scripts that are suspended while they run.
//!
//! A type says in one line what it consists of ([`record`], [`variants`]); a field or variant that
//! is forgotten there does not compile. What is shared through [`Rc`] is written once and shared
//! again after reading. Numbers are written seven bits a byte, the lowest first.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use crate::machine::StateError;
use crate::machine::descriptor::Ready;
use crate::os::{Handle, Os};
use crate::text::Text;

/// The result of reading.
pub(crate) type Read<T> = Result<T, StateError>;

/// Something that can be written and read again.
pub(crate) trait Codec: Sized {
    /// Appends it.
    fn encode(&self, writer: &mut Writer);
    /// Takes it from the front.
    fn decode(reader: &mut Reader<'_>) -> Read<Self>;
}

/// Bytes under way.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
    /// The numbers of shared things by their addresses.
    shared: HashMap<usize, u32>,
    /// The numbers of names here, by their numbers in the machine.
    names: HashMap<u32, u32>,
    /// Names of the machine, in the order of their numbers here.
    pub(crate) used_names: Vec<u32>,
    /// Handles of the system that were met.
    pub(crate) handles: BTreeSet<Handle>,
    /// The present of the monotonic clock: points in time are written relative to it.
    pub(crate) now: u64,
    /// Places of tasks in the machine, in the order of their numbers here.
    pub(crate) tasks: Vec<usize>,
    depth: u32,
    /// Something was nested deeper than can be read again, and was left out.
    pub(crate) too_deep: bool,
}

impl Writer {
    /// An empty one, at a present of the monotonic clock, for tasks at these places.
    pub(crate) fn new(now: u64, tasks: Vec<usize>) -> Writer {
        Writer {
            now,
            tasks,
            ..Writer::default()
        }
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(crate) fn number(&mut self, number: u64) {
        let mut rest = number;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    pub(crate) fn slice(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn list<'a, T: Codec + 'a>(&mut self, items: impl ExactSizeIterator<Item = &'a T>) {
        self.number(items.len() as u64);
        for item in items {
            item.encode(self);
        }
    }

    /// A point in time on the monotonic clock.
    pub(crate) fn moment(&mut self, moment: u64) {
        let ahead = moment.wrapping_sub(self.now) as i64;
        ahead.encode(self);
    }

    /// The number of a name of the machine.
    pub(crate) fn name(&mut self, name: u32) {
        let next = self.used_names.len() as u32;
        let number = *self.names.entry(name).or_insert(next);
        if number == next {
            self.used_names.push(name);
        }
        self.number(u64::from(number));
    }

    /// The number of a shared thing, where it was written before.
    pub(crate) fn known(&self, address: usize) -> Option<u32> {
        self.shared.get(&address).copied()
    }

    /// Writes something that may hold more of its kind; see [`Reader::nested`].
    pub(crate) fn nested(&mut self, write: impl FnOnce(&mut Writer)) {
        if self.depth >= MAX_DEPTH {
            self.too_deep = true;
            return;
        }
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// Numbers a shared thing that is about to be written.
    pub(crate) fn share(&mut self, address: usize) {
        let number = self.shared.len() as u32;
        self.shared.insert(address, number);
    }
}

/// Bytes that are read, and what they are read into.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    shared: Vec<Option<Rc<dyn Any>>>,
    /// Names of the machine by their numbers here.
    pub(crate) names: Vec<u32>,
    /// Handles of the system by those that were written.
    pub(crate) handles: &'a dyn Fn(Handle) -> Option<Handle>,
    pub(crate) os: Rc<dyn Os>,
    pub(crate) ready: Ready,
    /// The present of the monotonic clock.
    pub(crate) now: u64,
    /// Places of tasks in the machine by their numbers here.
    pub(crate) tasks: Vec<usize>,
    depth: u32,
}

/// Nesting of data beyond which bytes are not written, and damaged where they are read: what
/// decodes calls itself, and the stack of a guest ends at 512 KiB.
const MAX_DEPTH: u32 = 1000;

impl<'a> Reader<'a> {
    pub(crate) fn new(
        bytes: &'a [u8],
        handles: &'a dyn Fn(Handle) -> Option<Handle>,
        os: Rc<dyn Os>,
        ready: Ready,
    ) -> Reader<'a> {
        Reader {
            bytes,
            shared: Vec::new(),
            names: Vec::new(),
            handles,
            now: os.monotonic(),
            os,
            ready,
            tasks: Vec::new(),
            depth: 0,
        }
    }

    pub(crate) fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(count)
            .ok_or(StateError::Corrupt)?;
        self.bytes = rest;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Read<u8> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn number(&mut self) -> Read<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(StateError::Corrupt)
    }

    /// How many items follow; each takes at least a byte.
    pub(crate) fn count(&mut self) -> Read<usize> {
        let count = usize::try_from(self.number()?).map_err(|_| StateError::Corrupt)?;
        if count > self.bytes.len() {
            return Err(StateError::Corrupt);
        }
        Ok(count)
    }

    pub(crate) fn slice(&mut self) -> Read<&'a [u8]> {
        let count = self.count()?;
        self.take(count)
    }

    pub(crate) fn moment(&mut self) -> Read<u64> {
        let ahead = i64::decode(self)?;
        Ok(self.now.saturating_add_signed(ahead))
    }

    pub(crate) fn name(&mut self) -> Read<u32> {
        let number = usize::try_from(self.number()?).map_err(|_| StateError::Corrupt)?;
        self.names.get(number).copied().ok_or(StateError::Corrupt)
    }

    pub(crate) fn handle(&mut self) -> Read<Handle> {
        let handle = Handle::decode(self)?;
        (self.handles)(handle).ok_or(StateError::Corrupt)
    }

    /// Whether everything was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Numbers a shared thing that is about to be read.
    pub(crate) fn reserve(&mut self) -> usize {
        self.shared.push(None);
        self.shared.len() - 1
    }

    /// Notes what was read under a number.
    pub(crate) fn fill(&mut self, number: usize, thing: Rc<dyn Any>) {
        if let Some(slot) = self.shared.get_mut(number) {
            *slot = Some(thing);
        }
    }

    /// The shared thing of a number.
    pub(crate) fn shared<T: Any>(&self, number: u64) -> Read<Rc<T>> {
        let number = usize::try_from(number).map_err(|_| StateError::Corrupt)?;
        let thing = self.shared.get(number).and_then(Option::as_ref);
        let thing = thing.cloned().ok_or(StateError::Corrupt)?;
        thing.downcast().map_err(|_| StateError::Corrupt)
    }

    /// Reads something that may hold more of its kind.
    pub(crate) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(StateError::Corrupt);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

/// Reads in a stack frame of its own: what has many variants would need room for all at once, on
/// every level of nested data.
#[inline(never)]
pub(crate) fn apart<T>(
    reader: &mut Reader<'_>,
    read: impl FnOnce(&mut Reader<'_>) -> Read<T>,
) -> Read<T> {
    read(reader)
}

/// Codec of a type with named fields.
macro_rules! record {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::codec::Codec for $type {
            fn encode(&self, writer: &mut $crate::codec::Writer) {
                let Self { $($field),* } = self;
                $($crate::codec::Codec::encode($field, writer);)*
            }

            fn decode(reader: &mut $crate::codec::Reader<'_>) -> $crate::codec::Read<Self> {
                Ok(Self { $($field: $crate::codec::Codec::decode(reader)?),* })
            }
        }
    };
}

/// Codec of a type with variants, each with its number.
macro_rules! variants {
    ($type:ty {
        $($tag:literal $variant:ident
            $(( $($item:ident),* ))? $({ $($field:ident),* $(,)? })?),* $(,)?
    }) => {
        impl $crate::codec::Codec for $type {
            fn encode(&self, writer: &mut $crate::codec::Writer) {
                match self {
                    $(Self::$variant $(( $($item),* ))? $({ $($field),* })? => {
                        writer.byte($tag);
                        $($($crate::codec::Codec::encode($item, writer);)*)?
                        $($($crate::codec::Codec::encode($field, writer);)*)?
                    })*
                }
            }

            fn decode(reader: &mut $crate::codec::Reader<'_>) -> $crate::codec::Read<Self> {
                match reader.byte()? {
                    $($tag => $crate::codec::apart(reader, |_reader| Ok(Self::$variant
                        $(( $({
                            let $item = $crate::codec::Codec::decode(_reader)?;
                            $item
                        }),* ))?
                        $({ $($field: $crate::codec::Codec::decode(_reader)?),* })?)),)*
                    _ => Err($crate::machine::StateError::Corrupt),
                }
            }
        }
    };
}

/// Defines an enumeration with its codec; variants are numbered in their order.
macro_rules! instructions {
    ($(#[$meta:meta])* pub enum $name:ident {
        $($(#[$about:meta])* $variant:ident $(($($item:ty),*))?,)*
    }) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$about])* $variant $(($($item),*))?,)*
        }

        impl $crate::codec::Codec for $name {
            fn encode(&self, writer: &mut $crate::codec::Writer) {
                #[repr(u8)]
                enum Tag { $($variant),* }
                $($crate::codec::instruction!(
                    self, writer, $name::$variant, Tag::$variant $(, $($item),*)?
                );)*
            }

            fn decode(reader: &mut $crate::codec::Reader<'_>) -> $crate::codec::Read<Self> {
                #[repr(u8)]
                enum Tag { $($variant),* }
                let tag = reader.byte()?;
                $(if tag == Tag::$variant as u8 {
                    return Ok($name::$variant
                        $(($(<$item as $crate::codec::Codec>::decode(reader)?),*))?);
                })*
                Err($crate::machine::StateError::Corrupt)
            }
        }
    };
}

/// Writes a value and returns where it is of one variant, by how many items that has.
macro_rules! instruction {
    ($value:ident, $writer:ident, $variant:path, $tag:path) => {
        if let $variant = $value {
            return $writer.byte($tag as u8);
        }
    };
    ($value:ident, $writer:ident, $variant:path, $tag:path, $a:ty) => {
        if let $variant(a) = $value {
            $writer.byte($tag as u8);
            return a.encode($writer);
        }
    };
    ($value:ident, $writer:ident, $variant:path, $tag:path, $a:ty, $b:ty) => {
        if let $variant(a, b) = $value {
            $writer.byte($tag as u8);
            a.encode($writer);
            return b.encode($writer);
        }
    };
    ($value:ident, $writer:ident, $variant:path, $tag:path, $a:ty, $b:ty, $c:ty) => {
        if let $variant(a, b, c) = $value {
            $writer.byte($tag as u8);
            a.encode($writer);
            b.encode($writer);
            return c.encode($writer);
        }
    };
}

pub(crate) use {instruction, instructions, record, variants};

macro_rules! numbers {
    ($($type:ty)*) => {
        $(impl Codec for $type {
            fn encode(&self, writer: &mut Writer) {
                writer.number(*self as u64);
            }

            fn decode(reader: &mut Reader<'_>) -> Read<$type> {
                <$type>::try_from(reader.number()?).map_err(|_| StateError::Corrupt)
            }
        })*
    };
}

numbers! { u16 u32 u64 usize }

impl Codec for u8 {
    fn encode(&self, writer: &mut Writer) {
        writer.byte(*self);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<u8> {
        reader.byte()
    }
}

impl Codec for i64 {
    fn encode(&self, writer: &mut Writer) {
        // The sign goes into the lowest bit, so that small numbers stay short.
        writer.number(((self << 1) ^ (self >> 63)) as u64);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<i64> {
        let bits = reader.number()?;
        Ok((bits >> 1) as i64 ^ -((bits & 1) as i64))
    }
}

impl Codec for bool {
    fn encode(&self, writer: &mut Writer) {
        writer.byte(u8::from(*self));
    }

    fn decode(reader: &mut Reader<'_>) -> Read<bool> {
        match reader.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(StateError::Corrupt),
        }
    }
}

impl<T: Codec> Codec for Option<T> {
    fn encode(&self, writer: &mut Writer) {
        self.is_some().encode(writer);
        if let Some(item) = self {
            item.encode(writer);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Option<T>> {
        bool::decode(reader)?.then(|| T::decode(reader)).transpose()
    }
}

impl<T: Codec> Codec for Vec<T> {
    fn encode(&self, writer: &mut Writer) {
        writer.list(self.iter());
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Vec<T>> {
        // A loop of its own: the adaptors of iterators are frames on every level of nested data.
        let mut items = Vec::new();
        for _ in 0..reader.count()? {
            items.push(T::decode(reader)?);
        }
        Ok(items)
    }
}

impl<T: Codec> Codec for VecDeque<T> {
    fn encode(&self, writer: &mut Writer) {
        writer.list(self.iter());
    }

    fn decode(reader: &mut Reader<'_>) -> Read<VecDeque<T>> {
        Vec::decode(reader).map(VecDeque::from)
    }
}

impl<T: Codec + Ord> Codec for BTreeSet<T> {
    fn encode(&self, writer: &mut Writer) {
        writer.list(self.iter());
    }

    fn decode(reader: &mut Reader<'_>) -> Read<BTreeSet<T>> {
        (0..reader.count()?).map(|_| T::decode(reader)).collect()
    }
}

impl<K: Codec + Ord, V: Codec> Codec for BTreeMap<K, V> {
    fn encode(&self, writer: &mut Writer) {
        writer.number(self.len() as u64);
        for (key, value) in self {
            key.encode(writer);
            value.encode(writer);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<BTreeMap<K, V>> {
        (0..reader.count()?)
            .map(|_| <(K, V)>::decode(reader))
            .collect()
    }
}

impl<T: Codec> Codec for Box<T> {
    fn encode(&self, writer: &mut Writer) {
        writer.nested(|writer| (**self).encode(writer));
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Box<T>> {
        reader.nested(T::decode).map(Box::new)
    }
}

impl<A: Codec, B: Codec> Codec for (A, B) {
    fn encode(&self, writer: &mut Writer) {
        self.0.encode(writer);
        self.1.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<(A, B)> {
        Ok((A::decode(reader)?, B::decode(reader)?))
    }
}

impl<A: Codec, B: Codec, C: Codec> Codec for (A, B, C) {
    fn encode(&self, writer: &mut Writer) {
        self.0.encode(writer);
        self.1.encode(writer);
        self.2.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<(A, B, C)> {
        Ok((A::decode(reader)?, B::decode(reader)?, C::decode(reader)?))
    }
}

impl<T: Codec + 'static> Codec for Rc<T> {
    fn encode(&self, writer: &mut Writer) {
        let address = Rc::as_ptr(self).addr();
        if let Some(number) = writer.known(address) {
            writer.number(u64::from(number) + 1);
            return;
        }
        writer.number(0);
        writer.share(address);
        writer.nested(|writer| (**self).encode(writer));
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Rc<T>> {
        match reader.number()? {
            0 => {
                let number = reader.reserve();
                let thing = Rc::new(reader.nested(T::decode)?);
                reader.fill(number, thing.clone());
                Ok(thing)
            }
            number => reader.shared(number - 1),
        }
    }
}

/// Strings longer than this are shared where they were.
const SHORT: usize = 64;

impl Codec for Text {
    fn encode(&self, writer: &mut Writer) {
        match self.as_shared().filter(|bytes| bytes.len() > SHORT) {
            None => {
                writer.number(self.len() as u64 + 1);
                writer.bytes.extend_from_slice(self);
            }
            Some(bytes) => {
                writer.number(0);
                bytes.encode(writer);
            }
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Text> {
        match reader.number()? {
            0 => Rc::<Vec<u8>>::decode(reader).map(Text::from_shared),
            length => {
                let length = usize::try_from(length - 1).map_err(|_| StateError::Corrupt)?;
                reader.take(length).map(Text::from)
            }
        }
    }
}
