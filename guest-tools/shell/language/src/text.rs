//! Byte strings.
//!
//! What a script handles is bytes, not characters, and most of it is short. [`Text`] holds short
//! strings in place and shares long ones, so that a copy never depends on the length.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

/// The longest string that is held in place, in bytes.
pub const INLINE_CAPACITY: usize = 22;

/// A byte string that is cheap to copy.
///
/// Use it wherever a value of a script is kept. Up to [`INLINE_CAPACITY`] bytes are held in place;
/// longer strings are shared. Cloning takes constant time; appending takes amortised constant time
/// per byte while no other copy shares the string, and one copy of it otherwise.
///
/// ```
/// use offshoot_shell_language::text::Text;
///
/// let mut text = Text::from("seq ");
/// text.push_bytes(Text::from(-42).as_bytes());
/// assert_eq!(text, "seq -42");
/// ```
#[derive(Clone)]
pub struct Text(Repr);

#[derive(Clone)]
enum Repr {
    Inline {
        length: u8,
        bytes: [u8; INLINE_CAPACITY],
    },
    Shared(Rc<Vec<u8>>),
}

impl Text {
    /// The empty string.
    pub const fn new() -> Text {
        Text(Repr::Inline {
            length: 0,
            bytes: [0; INLINE_CAPACITY],
        })
    }

    /// An empty string with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Text {
        if capacity <= INLINE_CAPACITY {
            return Text::new();
        }
        Text(Repr::Shared(Rc::new(Vec::with_capacity(capacity))))
    }

    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        match &self.0 {
            Repr::Inline { length, bytes } => &bytes[..usize::from(*length)],
            Repr::Shared(bytes) => bytes,
        }
    }

    /// The string as UTF-8, with replacement characters where it is none; for messages only.
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self)
    }

    /// The bytes as a vector of their own; moves a long string that nothing else shares.
    pub fn into_vec(self) -> Vec<u8> {
        match self.0 {
            Repr::Inline { length, bytes } => bytes[..usize::from(length)].to_vec(),
            Repr::Shared(bytes) => Rc::unwrap_or_clone(bytes),
        }
    }

    /// The shared bytes of a long string.
    pub fn as_shared(&self) -> Option<&Rc<Vec<u8>>> {
        match &self.0 {
            Repr::Inline { .. } => None,
            Repr::Shared(bytes) => Some(bytes),
        }
    }

    /// A string that shares these bytes.
    pub fn from_shared(bytes: Rc<Vec<u8>>) -> Text {
        if bytes.len() <= INLINE_CAPACITY {
            return Text::from(bytes.as_slice());
        }
        Text(Repr::Shared(bytes))
    }

    /// Appends one byte.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.push_bytes(&[byte]);
    }

    /// Appends bytes.
    pub fn push_bytes(&mut self, more: &[u8]) {
        match &mut self.0 {
            Repr::Inline { length, bytes } => {
                let start = usize::from(*length);
                let end = start + more.len();
                if let Some(room) = bytes.get_mut(start..end) {
                    room.copy_from_slice(more);
                    *length = end as u8;
                    return;
                }
                let joined = grown(&bytes[..start], more);
                self.0 = Repr::Shared(Rc::new(joined));
            }
            Repr::Shared(shared) => match Rc::get_mut(shared) {
                Some(bytes) => bytes.extend_from_slice(more),
                None => *shared = Rc::new(grown(shared, more)),
            },
        }
    }

    /// Shortens the string to `length` bytes; does nothing where it is no longer.
    pub fn truncate(&mut self, length: usize) {
        match &mut self.0 {
            Repr::Inline {
                length: current, ..
            } => {
                *current = (*current).min(length.min(INLINE_CAPACITY) as u8);
            }
            Repr::Shared(shared) if length < shared.len() => match Rc::get_mut(shared) {
                Some(bytes) => bytes.truncate(length),
                None => *self = Text::from(&shared[..length]),
            },
            Repr::Shared(_) => {}
        }
    }

    /// Empties the string; keeps its room where nothing else shares it.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Bytes of memory outside of the value itself that this copy keeps alive.
    pub fn heap_size(&self) -> usize {
        match &self.0 {
            Repr::Inline { .. } => 0,
            Repr::Shared(bytes) => bytes.capacity(),
        }
    }
}

/// `left` and `right` joined, with room to grow.
fn grown(left: &[u8], right: &[u8]) -> Vec<u8> {
    let length = left.len() + right.len();
    let mut joined = Vec::with_capacity(length + length / 2);
    joined.extend_from_slice(left);
    joined.extend_from_slice(right);
    joined
}

impl Default for Text {
    fn default() -> Text {
        Text::new()
    }
}

impl Deref for Text {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl AsRef<[u8]> for Text {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Borrow<[u8]> for Text {
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl From<&[u8]> for Text {
    #[inline]
    fn from(source: &[u8]) -> Text {
        let mut bytes = [0; INLINE_CAPACITY];
        match bytes.get_mut(..source.len()) {
            Some(room) => {
                room.copy_from_slice(source);
                Text(Repr::Inline {
                    length: source.len() as u8,
                    bytes,
                })
            }
            None => Text(Repr::Shared(Rc::new(source.to_vec()))),
        }
    }
}

impl<const N: usize> From<&[u8; N]> for Text {
    fn from(source: &[u8; N]) -> Text {
        Text::from(source.as_slice())
    }
}

impl From<Vec<u8>> for Text {
    fn from(source: Vec<u8>) -> Text {
        if source.len() <= INLINE_CAPACITY {
            return Text::from(source.as_slice());
        }
        Text(Repr::Shared(Rc::new(source)))
    }
}

impl From<&str> for Text {
    fn from(source: &str) -> Text {
        Text::from(source.as_bytes())
    }
}

impl From<String> for Text {
    fn from(source: String) -> Text {
        Text::from(source.into_bytes())
    }
}

impl From<&Vec<u8>> for Text {
    fn from(source: &Vec<u8>) -> Text {
        Text::from(source.as_slice())
    }
}

impl From<Text> for Vec<u8> {
    fn from(source: Text) -> Vec<u8> {
        source.into_vec()
    }
}

impl From<i64> for Text {
    /// The number in decimal.
    fn from(number: i64) -> Text {
        // 20 bytes hold every i64 with its sign.
        let mut digits = [0; INLINE_CAPACITY];
        let mut at = INLINE_CAPACITY;
        let mut rest = number.unsigned_abs();
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if number < 0 {
            at -= 1;
            digits[at] = b'-';
        }
        Text::from(&digits[at..])
    }
}

impl Extend<u8> for Text {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        bytes.into_iter().for_each(|byte| self.push(byte));
    }
}

impl FromIterator<u8> for Text {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Text {
        let mut text = Text::new();
        text.extend(bytes);
        text
    }
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Text) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Text {}

impl PartialEq<[u8]> for Text {
    fn eq(&self, other: &[u8]) -> bool {
        self.as_bytes() == other
    }
}

impl PartialEq<&[u8]> for Text {
    fn eq(&self, other: &&[u8]) -> bool {
        self.as_bytes() == *other
    }
}

impl<const N: usize> PartialEq<&[u8; N]> for Text {
    fn eq(&self, other: &&[u8; N]) -> bool {
        self.as_bytes() == other.as_slice()
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Text {
    /// Byte order, as in the C locale.
    fn cmp(&self, other: &Text) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn is_three_words_on_64_bit() {
        assert_eq!(size_of::<Text>(), 24);
    }

    #[test]
    fn numbers_print_in_decimal() {
        for number in [0, 7, -1, 10, 1234567890, i64::MAX, i64::MIN] {
            assert_eq!(Text::from(number).as_bytes(), number.to_string().as_bytes());
        }
    }

    #[test]
    fn a_copy_keeps_its_value_when_the_original_grows() {
        for length in [0, 21, 22, 23, 100] {
            let mut text = Text::from(vec![b'a'; length]);
            let copy = text.clone();
            text.push(b'b');
            assert_eq!(copy.len(), length);
            assert_eq!(text.len(), length + 1);
            text.truncate(1);
            assert_eq!(copy.len(), length);
        }
    }

    #[test]
    fn appending_to_an_unshared_string_reallocates_seldom() {
        let mut text = Text::new();
        let mut reallocations = 0;
        let mut capacity = 0;
        for _ in 0..100_000 {
            text.push(b'x');
            if text.heap_size() != capacity {
                capacity = text.heap_size();
                reallocations += 1;
            }
        }
        assert!(reallocations < 40, "{reallocations}");
    }

    proptest! {
        #[test]
        fn behaves_as_a_vector(pieces in proptest::collection::vec(any::<Vec<u8>>(), 0..6),
                               cut in 0usize..64) {
            let mut model = Vec::new();
            let mut text = Text::new();
            let mut copies = Vec::new();
            for piece in &pieces {
                model.extend_from_slice(piece);
                text.push_bytes(piece);
                copies.push((model.clone(), text.clone()));
            }
            model.truncate(cut);
            text.truncate(cut);
            copies.push((model, text));
            for (model, text) in copies {
                prop_assert_eq!(text.as_bytes(), model.as_slice());
                prop_assert_eq!(text.into_vec(), model);
            }
        }
    }
}
