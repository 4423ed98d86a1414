//! Plain data as bytes, for scripts that are suspended while they run.
//!
//! A type says in one line what it consists of ([`record`](crate::record), [`variants`](crate::variants)); a field or
//! variant that is forgotten there does not compile. What is shared through [`Rc`] can be written once and shared
//! again after reading ([`Context::SHARED`]). Numbers are written seven bits a byte, the lowest first.
//!
//! What bytes need besides themselves (names, handles, clocks) is the [`Context`] of whoever writes and
//! reads; plain data has a [`Codec`] in all of them.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use crate::text::Text;

/// Bytes that no writer of this version made, or that are damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corrupt;

impl std::fmt::Display for Corrupt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the bytes are damaged")
    }
}

impl std::error::Error for Corrupt {}

/// The result of reading.
pub type Read<T> = Result<T, Corrupt>;

/// What the data of one kind of bytes refers to.
pub trait Context {
    /// What an [`Rc`] shares is written once, and shared again. Otherwise equal data gives equal bytes, however it is
    /// shared.
    const SHARED: bool = true;
    /// What is gathered while they are written.
    type Writing;
    /// What has to be known where they are read.
    type Reading<'a>;
}

/// Bytes that need nothing besides themselves.
impl Context for () {
    const SHARED: bool = false;
    type Writing = ();
    type Reading<'a> = ();
}

/// Something that can be written and read again.
pub trait Codec<C: Context>: Sized {
    /// Appends it.
    fn encode(&self, writer: &mut Writer<C>);

    /// Takes it from the front.
    ///
    /// # Errors
    /// [`Corrupt`] where the bytes are not what [`Codec::encode`] wrote.
    fn decode(reader: &mut Reader<'_, C>) -> Read<Self>;
}

/// Bytes under way.
pub struct Writer<C: Context> {
    /// What was written.
    pub bytes: Vec<u8>,
    /// What it refers to.
    pub context: C::Writing,
    /// The numbers of shared things by their addresses.
    shared: HashMap<usize, u32>,
    depth: u32,
    /// Something was nested deeper than can be read again, and was left out.
    pub too_deep: bool,
}

impl<C: Context> Writer<C> {
    /// An empty one.
    pub fn new(context: C::Writing) -> Writer<C> {
        Writer {
            bytes: Vec::new(),
            context,
            shared: HashMap::new(),
            depth: 0,
            too_deep: false,
        }
    }

    /// Appends a byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Appends a number.
    pub fn number(&mut self, number: u64) {
        let mut rest = number;
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    /// Appends bytes with their number before them.
    pub fn slice(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends items with their number before them.
    pub fn list<'a, T: Codec<C> + 'a>(&mut self, items: impl ExactSizeIterator<Item = &'a T>) {
        self.number(items.len() as u64);
        for item in items {
            item.encode(self);
        }
    }

    /// The number of a shared thing, where it was written before.
    pub fn known(&self, address: usize) -> Option<u32> {
        self.shared.get(&address).copied()
    }

    /// Writes something that may hold more of its kind; see [`Reader::nested`].
    pub fn nested(&mut self, write: impl FnOnce(&mut Writer<C>)) {
        if self.depth >= MAX_DEPTH {
            self.too_deep = true;
            return;
        }
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    /// Numbers a shared thing that is about to be written.
    pub fn share(&mut self, address: usize) {
        if !C::SHARED {
            return;
        }
        let number = self.shared.len() as u32;
        self.shared.insert(address, number);
    }
}

/// Bytes that are read, and what they are read into.
pub struct Reader<'a, C: Context> {
    bytes: &'a [u8],
    /// What they refer to.
    pub context: C::Reading<'a>,
    shared: Vec<Option<Rc<dyn Any>>>,
    depth: u32,
}

/// Nesting of data beyond which bytes are not written, and damaged where they are read: what
/// decodes calls itself, and the stack of a guest ends at 512 KiB.
const MAX_DEPTH: u32 = 1000;

impl<'a, C: Context> Reader<'a, C> {
    /// One at the start of `bytes`.
    pub fn new(bytes: &'a [u8], context: C::Reading<'a>) -> Reader<'a, C> {
        Reader {
            bytes,
            context,
            shared: Vec::new(),
            depth: 0,
        }
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// [`Corrupt`] where there are fewer, as in all that reads here.
    pub fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(Corrupt)?;
        self.bytes = rest;
        Ok(taken)
    }

    /// The next byte.
    ///
    /// # Errors
    /// [`Corrupt`]
    pub fn byte(&mut self) -> Read<u8> {
        Ok(self.take(1)?[0])
    }

    /// The next number.
    ///
    /// # Errors
    /// [`Corrupt`], also where it has more than 64 bits.
    pub fn number(&mut self) -> Read<u64> {
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
        Err(Corrupt)
    }

    /// How many items follow; each takes at least a byte.
    ///
    /// # Errors
    /// [`Corrupt`], also where so many bytes are not left.
    pub fn count(&mut self) -> Read<usize> {
        let count = usize::try_from(self.number()?).map_err(|_| Corrupt)?;
        if count > self.bytes.len() {
            return Err(Corrupt);
        }
        Ok(count)
    }

    /// Bytes that their number precedes.
    ///
    /// # Errors
    /// [`Corrupt`]
    pub fn slice(&mut self) -> Read<&'a [u8]> {
        let count = self.count()?;
        self.take(count)
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Numbers a shared thing that is about to be read.
    pub fn reserve(&mut self) -> usize {
        self.shared.push(None);
        self.shared.len() - 1
    }

    /// Notes what was read under a number.
    pub fn fill(&mut self, number: usize, thing: Rc<dyn Any>) {
        if let Some(slot) = self.shared.get_mut(number) {
            *slot = Some(thing);
        }
    }

    /// The shared thing of a number.
    ///
    /// # Errors
    /// [`Corrupt`] where none of this type has it.
    pub fn shared<T: Any>(&self, number: u64) -> Read<Rc<T>> {
        let number = usize::try_from(number).map_err(|_| Corrupt)?;
        let thing = self.shared.get(number).and_then(Option::as_ref);
        let thing = thing.cloned().ok_or(Corrupt)?;
        thing.downcast().map_err(|_| Corrupt)
    }

    /// Reads something that may hold more of its kind.
    ///
    /// # Errors
    /// [`Corrupt`], also where it is nested deeper than a stack allows.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Corrupt);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

/// Reads in a stack frame of its own: what has many variants would need room for all at once, on
/// every level of nested data.
///
/// # Errors
/// Those of `read`.
#[inline(never)]
pub fn apart<C: Context, T>(
    reader: &mut Reader<'_, C>,
    read: impl FnOnce(&mut Reader<'_, C>) -> Read<T>,
) -> Read<T> {
    read(reader)
}

/// [`Codec`](crate::codec::Codec) of a type with named fields; in one context alone with `in Context;` before it.
#[macro_export]
macro_rules! record {
    (in $context:ty; $($rest:tt)*) => {
        $crate::record!(@ [] [$context] $($rest)*);
    };
    (@ [$($generic:tt)*] [$context:ty] $type:ty { $($field:ident),* $(,)? }) => {
        impl $($generic)* $crate::codec::Codec<$context> for $type {
            fn encode(&self, writer: &mut $crate::codec::Writer<$context>) {
                let Self { $($field),* } = self;
                $($crate::codec::Codec::encode($field, writer);)*
            }

            fn decode(
                reader: &mut $crate::codec::Reader<'_, $context>,
            ) -> $crate::codec::Read<Self> {
                Ok(Self { $($field: $crate::codec::Codec::decode(reader)?),* })
            }
        }
    };
    ($($rest:tt)*) => {
        $crate::record!(@ [<C: $crate::codec::Context>] [C] $($rest)*);
    };
}

/// [`Codec`](crate::codec::Codec) of a type with variants, each with its number; in one context alone with `in Context;`
/// before it.
#[macro_export]
macro_rules! variants {
    (in $context:ty; $($rest:tt)*) => {
        $crate::variants!(@ [] [$context] $($rest)*);
    };
    (@ [$($generic:tt)*] [$context:ty] $type:ty {
        $($tag:literal $variant:ident
            $(( $($item:ident),* ))? $({ $($field:ident),* $(,)? })?),* $(,)?
    }) => {
        impl $($generic)* $crate::codec::Codec<$context> for $type {
            fn encode(&self, writer: &mut $crate::codec::Writer<$context>) {
                match self {
                    $(Self::$variant $(( $($item),* ))? $({ $($field),* })? => {
                        writer.byte($tag);
                        $($($crate::codec::Codec::encode($item, writer);)*)?
                        $($($crate::codec::Codec::encode($field, writer);)*)?
                    })*
                }
            }

            fn decode(
                reader: &mut $crate::codec::Reader<'_, $context>,
            ) -> $crate::codec::Read<Self> {
                match reader.byte()? {
                    $($tag => $crate::codec::apart(reader, |_reader| Ok(Self::$variant
                        $(( $({
                            let $item = $crate::codec::Codec::decode(_reader)?;
                            $item
                        }),* ))?
                        $({ $($field: $crate::codec::Codec::decode(_reader)?),* })?)),)*
                    _ => Err($crate::codec::Corrupt),
                }
            }
        }
    };
    ($($rest:tt)*) => {
        $crate::variants!(@ [<C: $crate::codec::Context>] [C] $($rest)*);
    };
}

macro_rules! numbers {
    ($($type:ty)*) => {
        $(impl<C: Context> Codec<C> for $type {
            fn encode(&self, writer: &mut Writer<C>) {
                writer.number(*self as u64);
            }

            fn decode(reader: &mut Reader<'_, C>) -> Read<$type> {
                <$type>::try_from(reader.number()?).map_err(|_| Corrupt)
            }
        })*
    };
}

numbers! { u16 u32 u64 usize }

impl<C: Context> Codec<C> for u8 {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.byte(*self);
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<u8> {
        reader.byte()
    }
}

impl<C: Context> Codec<C> for i64 {
    fn encode(&self, writer: &mut Writer<C>) {
        // The sign goes into the lowest bit, so that small numbers stay short.
        writer.number(((self << 1) ^ (self >> 63)) as u64);
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<i64> {
        let bits = reader.number()?;
        Ok((bits >> 1) as i64 ^ -((bits & 1) as i64))
    }
}

impl<C: Context> Codec<C> for bool {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.byte(u8::from(*self));
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<bool> {
        match reader.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Corrupt),
        }
    }
}

impl<C: Context, T: Codec<C>> Codec<C> for Option<T> {
    fn encode(&self, writer: &mut Writer<C>) {
        self.is_some().encode(writer);
        if let Some(item) = self {
            item.encode(writer);
        }
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Option<T>> {
        bool::decode(reader)?.then(|| T::decode(reader)).transpose()
    }
}

impl<C: Context, T: Codec<C>> Codec<C> for Vec<T> {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.list(self.iter());
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Vec<T>> {
        // A loop of its own: the adaptors of iterators are frames on every level of nested data.
        let mut items = Vec::new();
        for _ in 0..reader.count()? {
            items.push(T::decode(reader)?);
        }
        Ok(items)
    }
}

impl<C: Context, T: Codec<C>> Codec<C> for VecDeque<T> {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.list(self.iter());
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<VecDeque<T>> {
        Vec::decode(reader).map(VecDeque::from)
    }
}

impl<C: Context, T: Codec<C> + Ord> Codec<C> for BTreeSet<T> {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.list(self.iter());
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<BTreeSet<T>> {
        (0..reader.count()?).map(|_| T::decode(reader)).collect()
    }
}

impl<C: Context, K: Codec<C> + Ord, V: Codec<C>> Codec<C> for BTreeMap<K, V> {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.number(self.len() as u64);
        for (key, value) in self {
            key.encode(writer);
            value.encode(writer);
        }
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<BTreeMap<K, V>> {
        (0..reader.count()?)
            .map(|_| <(K, V)>::decode(reader))
            .collect()
    }
}

impl<C: Context, T: Codec<C>> Codec<C> for Box<T> {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.nested(|writer| (**self).encode(writer));
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Box<T>> {
        reader.nested(T::decode).map(Box::new)
    }
}

impl<C: Context, A: Codec<C>, B: Codec<C>> Codec<C> for (A, B) {
    fn encode(&self, writer: &mut Writer<C>) {
        self.0.encode(writer);
        self.1.encode(writer);
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<(A, B)> {
        Ok((A::decode(reader)?, B::decode(reader)?))
    }
}

impl<C: Context, A: Codec<C>, B: Codec<C>, D: Codec<C>> Codec<C> for (A, B, D) {
    fn encode(&self, writer: &mut Writer<C>) {
        self.0.encode(writer);
        self.1.encode(writer);
        self.2.encode(writer);
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<(A, B, D)> {
        Ok((A::decode(reader)?, B::decode(reader)?, D::decode(reader)?))
    }
}

impl<C: Context, T: Codec<C> + 'static> Codec<C> for Rc<T> {
    fn encode(&self, writer: &mut Writer<C>) {
        let address = Rc::as_ptr(self).addr();
        if let Some(number) = writer.known(address) {
            writer.number(u64::from(number) + 1);
            return;
        }
        writer.number(0);
        writer.share(address);
        writer.nested(|writer| (**self).encode(writer));
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Rc<T>> {
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

impl<C: Context> Codec<C> for Text {
    fn encode(&self, writer: &mut Writer<C>) {
        match self
            .as_shared()
            .filter(|bytes| C::SHARED && bytes.len() > SHORT)
        {
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

    fn decode(reader: &mut Reader<'_, C>) -> Read<Text> {
        match reader.number()? {
            0 => Rc::<Vec<u8>>::decode(reader).map(Text::from_shared),
            length => {
                let length = usize::try_from(length - 1).map_err(|_| Corrupt)?;
                reader.take(length).map(Text::from)
            }
        }
    }
}
