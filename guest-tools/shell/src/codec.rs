//! The bytes of a suspended script: what they refer to outside of themselves.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use offshoot_shell_language::codec;

use crate::machine::descriptor::Ready;
use crate::machine::symbol::Symbol;
use crate::os::{Handle, Os};

pub(crate) use codec::{Codec, Context, Corrupt, Read};

/// The context of such bytes.
pub(crate) struct Image;

/// Bytes of a suspended script under way.
pub(crate) type Writer = codec::Writer<Image>;

/// Such bytes that are read.
pub(crate) type Reader<'a> = codec::Reader<'a, Image>;

impl Context for Image {
    type Writing = Written;
    type Reading<'a> = Known<'a>;
}

/// What an image refers to while it is written.
#[derive(Default)]
pub(crate) struct Written {
    /// The numbers of names here, by their numbers in the machine.
    numbers: HashMap<u32, u32>,
    /// Names of the machine, in the order of their numbers here.
    pub(crate) names: Vec<u32>,
    /// Handles of the system that were met.
    pub(crate) handles: BTreeSet<Handle>,
    /// The present of the monotonic clock: points in time are written relative to it.
    pub(crate) now: u64,
    /// Places of tasks in the machine, in the order of their numbers here.
    pub(crate) tasks: Vec<usize>,
}

impl Written {
    /// Nothing yet, at a present of the monotonic clock, for tasks at these places.
    pub(crate) fn new(now: u64, tasks: Vec<usize>) -> Written {
        Written {
            now,
            tasks,
            ..Written::default()
        }
    }
}

/// What an image that is read refers to.
pub(crate) struct Known<'a> {
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
}

/// A point in time on the monotonic clock.
pub(crate) struct Moment(pub(crate) u64);

impl Codec<Image> for Moment {
    fn encode(&self, writer: &mut Writer) {
        let ahead = self.0.wrapping_sub(writer.context.now) as i64;
        ahead.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Moment> {
        let ahead = i64::decode(reader)?;
        Ok(Moment(reader.context.now.saturating_add_signed(ahead)))
    }
}

impl Codec<Image> for Symbol {
    fn encode(&self, writer: &mut Writer) {
        let written = &mut writer.context;
        let next = written.names.len() as u32;
        let number = *written.numbers.entry(self.0).or_insert(next);
        if number == next {
            written.names.push(self.0);
        }
        writer.number(u64::from(number));
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Symbol> {
        let number = usize::try_from(reader.number()?).map_err(|_| Corrupt)?;
        let name = reader.context.names.get(number).copied();
        name.map(Symbol).ok_or(Corrupt)
    }
}

/// The handle of this system for one that was written.
pub(crate) fn read_handle(reader: &mut Reader<'_>) -> Read<Handle> {
    let handle = Handle::decode(reader)?;
    (reader.context.handles)(handle).ok_or(Corrupt)
}

/// [`Codec`] of a type with named fields.
macro_rules! record {
    ($($rest:tt)*) => {
        offshoot_shell_language::record!(in $crate::codec::Image; $($rest)*);
    };
}

/// [`Codec`] of a type with variants, each with its number.
macro_rules! variants {
    ($($rest:tt)*) => {
        offshoot_shell_language::variants!(in $crate::codec::Image; $($rest)*);
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

        impl $crate::codec::Codec<$crate::codec::Image> for $name {
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
                        $(($(<$item as $crate::codec::Codec<$crate::codec::Image>>::decode(reader)?),*))?);
                })*
                Err($crate::codec::Corrupt)
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
