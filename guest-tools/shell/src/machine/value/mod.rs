//! What variables hold.

mod associative;
mod indexed;

use std::rc::Rc;

use offshoot_shell_language::codec::{Codec, Context, Read, Reader, Writer};
use offshoot_shell_language::{record, variants};

pub use associative::{Associative, CONVERTED_BUCKETS};
pub use indexed::Indexed;

use crate::text::Text;

/// The value of a variable; cloning takes constant time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Value {
    /// None.
    #[default]
    Unset,
    /// A string.
    Text(Text),
    /// An indexed array.
    Indexed(Rc<Indexed>),
    /// An associative array.
    Associative(Rc<Associative>),
}

impl Value {
    /// What `$name` gives: the string, or element 0 of an array.
    pub fn scalar(&self) -> Option<&Text> {
        match self {
            Value::Unset => None,
            Value::Text(text) => Some(text),
            Value::Indexed(array) => array.get(0),
            Value::Associative(map) => map.get(b"0"),
        }
    }

    /// Whether there is any value; an empty array counts as one.
    pub fn is_set(&self) -> bool {
        !matches!(self, Value::Unset)
    }

    /// Bytes that the value takes, for the budget of variables.
    pub fn size(&self) -> usize {
        match self {
            Value::Unset => 0,
            Value::Text(text) => text.len(),
            Value::Indexed(array) => array.size(),
            Value::Associative(map) => map.size(),
        }
    }
}

/// Attributes of a variable, as `declare` shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attributes(pub u16);

impl Attributes {
    /// None.
    pub const NONE: Attributes = Attributes(0);
    /// `-a`
    pub const INDEXED: Attributes = Attributes(1);
    /// `-A`
    pub const ASSOCIATIVE: Attributes = Attributes(1 << 1);
    /// `-i`
    pub const INTEGER: Attributes = Attributes(1 << 2);
    /// `-l`
    pub const LOWER: Attributes = Attributes(1 << 3);
    /// `-u`
    pub const UPPER: Attributes = Attributes(1 << 4);
    /// `-c`
    pub const CAPITALIZE: Attributes = Attributes(1 << 5);
    /// `-n`
    pub const NAMEREF: Attributes = Attributes(1 << 6);
    /// `-r`
    pub const READONLY: Attributes = Attributes(1 << 7);
    /// `-t`
    pub const TRACE: Attributes = Attributes(1 << 8);
    /// `-x`
    pub const EXPORT: Attributes = Attributes(1 << 9);
    /// Declared, perhaps without a value.
    pub const DECLARED: Attributes = Attributes(1 << 10);
    /// The machine computes the value when it is read.
    pub const DYNAMIC: Attributes = Attributes(1 << 11);
    /// The machine acts when it is assigned or unset.
    pub const HOOKED: Attributes = Attributes(1 << 12);
    /// Bound by `VAR=x command`.
    pub const TEMPORARY: Attributes = Attributes(1 << 13);

    /// Every attribute that makes an assignment more than a store.
    pub(crate) const SLOW_SET: Attributes = Attributes(
        Self::INTEGER.0
            | Self::LOWER.0
            | Self::UPPER.0
            | Self::CAPITALIZE.0
            | Self::NAMEREF.0
            | Self::READONLY.0
            | Self::DYNAMIC.0
            | Self::HOOKED.0,
    );
    /// Every attribute that makes a read more than a load.
    pub(crate) const SLOW_GET: Attributes = Attributes(Self::NAMEREF.0 | Self::DYNAMIC.0);
    /// What `declare -p` shows.
    pub const VISIBLE: Attributes = Attributes((1 << 10) - 1);

    /// Whether any of `other` is among these.
    pub const fn has(self, other: Attributes) -> bool {
        self.0 & other.0 != 0
    }

    /// These and those.
    #[must_use]
    pub const fn with(self, other: Attributes) -> Attributes {
        Attributes(self.0 | other.0)
    }

    /// These without those.
    #[must_use]
    pub const fn without(self, other: Attributes) -> Attributes {
        Attributes(self.0 & !other.0)
    }

    /// The letters of `${x@a}` and `declare -p`, in bash's order.
    pub fn letters(self) -> String {
        const LETTERS: [(Attributes, char); 10] = [
            (Attributes::INDEXED, 'a'),
            (Attributes::ASSOCIATIVE, 'A'),
            (Attributes::INTEGER, 'i'),
            (Attributes::NAMEREF, 'n'),
            (Attributes::READONLY, 'r'),
            (Attributes::TRACE, 't'),
            (Attributes::EXPORT, 'x'),
            (Attributes::LOWER, 'l'),
            (Attributes::CAPITALIZE, 'c'),
            (Attributes::UPPER, 'u'),
        ];
        let set = LETTERS.iter().filter(|(attribute, _)| self.has(*attribute));
        set.map(|(_, letter)| letter).collect()
    }
}

/// A variable: value and attributes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variable {
    /// The value.
    pub value: Value,
    /// The attributes.
    pub attributes: Attributes,
}

impl Variable {
    /// Whether the variable exists at all.
    pub fn exists(&self) -> bool {
        self.value.is_set() || self.attributes.has(Attributes::DECLARED)
    }
}

record!(Variable { value, attributes });
variants!(Value { 0 Unset, 1 Text(text), 2 Indexed(array), 3 Associative(map) });

impl<C: Context> Codec<C> for Attributes {
    fn encode(&self, writer: &mut Writer<C>) {
        self.0.encode(writer);
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Attributes> {
        u16::decode(reader).map(Attributes)
    }
}
