//! Upper and lower case.

use crate::syntax::tree::CaseChange;

/// The character with its case changed; itself where the other case is no single character.
pub fn change(character: char, change: CaseChange) -> char {
    let (mut upper, mut lower) = (character.to_uppercase(), character.to_lowercase());
    let single = |first: Option<char>, second: Option<char>| match (first, second) {
        (Some(only), None) => only,
        _ => character,
    };
    let upper = single(upper.next(), upper.next());
    let lower = single(lower.next(), lower.next());
    match change {
        CaseChange::Upper => upper,
        CaseChange::Lower => lower,
        CaseChange::Toggle if upper != character => upper,
        CaseChange::Toggle => lower,
    }
}

/// The text with the case of its characters changed: of all of them, or of the first, as far as
/// `wanted` takes them. Bytes that are no text stay.
///
/// ```
/// use offshoot_shell_language::format::case::convert;
/// use offshoot_shell_language::syntax::tree::CaseChange;
///
/// assert_eq!(convert("été".as_bytes(), CaseChange::Upper, true, |_| true), "ÉTÉ".as_bytes());
/// assert_eq!(convert(b"banana", CaseChange::Upper, true, |c| c == b"a"), b"bAnAnA");
/// ```
pub fn convert(
    text: &[u8],
    to: CaseChange,
    all: bool,
    mut wanted: impl FnMut(&[u8]) -> bool,
) -> Vec<u8> {
    let mut converted = Vec::with_capacity(text.len());
    let mut first = true;
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            let mut buffer = [0; 4];
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            let new = if (first || all) && wanted(bytes) {
                change(character, to)
            } else {
                character
            };
            first = false;
            converted.extend_from_slice(new.encode_utf8(&mut [0; 4]).as_bytes());
        }
        first &= chunk.invalid().is_empty();
        converted.extend_from_slice(chunk.invalid());
    }
    converted
}

/// All in upper case: `declare -u`, `${x@U}`.
pub fn upper(text: &[u8]) -> Vec<u8> {
    if text.is_ascii() {
        return text.to_ascii_uppercase();
    }
    convert(text, CaseChange::Upper, true, |_| true)
}

/// All in lower case: `declare -l`, `${x@L}`.
pub fn lower(text: &[u8]) -> Vec<u8> {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    convert(text, CaseChange::Lower, true, |_| true)
}

/// The first character in upper case: `declare -c`, `${x@u}`.
pub fn capitalized(text: &[u8]) -> Vec<u8> {
    convert(text, CaseChange::Upper, false, |_| true)
}
