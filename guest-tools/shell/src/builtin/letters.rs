//! Options of builtins: bundles of letters before the operands.

use super::{Context, Flow, synopsis};
use crate::machine::reference::is_whole;
use crate::text::Text;

/// An option that was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Given<'a> {
    /// The letter.
    pub(super) letter: u8,
    /// After `+` instead of `-`.
    pub(super) plus: bool,
    /// Its value, where it takes one.
    pub(super) value: Option<&'a [u8]>,
}

/// Reads the options of a builtin one after the other.
///
/// `known` holds the letters; one that takes a value is followed by `:`, one whose value is optional
/// by `;`: what begins with `-` is none. A `+` in front lets options begin with `+` too.
pub(super) struct Letters<'a> {
    known: &'static str,
    arguments: &'a [Text],
    index: usize,
    bundle: usize,
}

impl<'a> Letters<'a> {
    pub(super) fn new(known: &'static str, arguments: &'a [Text]) -> Letters<'a> {
        Letters {
            known,
            arguments,
            index: 0,
            bundle: 0,
        }
    }

    /// The next option; none at the first operand or after `--`. A wrong one is reported, and the
    /// builtin ends with the flow that `Err` holds.
    pub(super) fn next(&mut self, cx: &mut Context<'_>) -> Result<Option<Given<'a>>, Flow> {
        let Some(argument) = self.arguments.get(self.index) else {
            return Ok(None);
        };
        if self.bundle == 0 {
            let plus = argument.starts_with(b"+") && self.known.starts_with('+');
            if argument.len() < 2 || !(argument.starts_with(b"-") || plus) {
                return Ok(None);
            }
            if argument.as_bytes() == b"--" {
                self.index += 1;
                return Ok(None);
            }
            if argument.as_bytes() == b"--help" {
                return Err(super::help::describe(cx));
            }
            self.bundle = 1;
        }
        let plus = argument[0] == b'+';
        let letter = argument[self.bundle];
        self.bundle += 1;
        let at_end = self.bundle == argument.len();
        let known = self
            .known
            .strip_prefix('+')
            .unwrap_or(self.known)
            .as_bytes();
        let place = known
            .iter()
            .position(|&known| known == letter && !b":;".contains(&letter));
        let Some(place) = place else {
            let sign = if plus { '+' } else { '-' };
            let shown = String::from_utf8_lossy(&[letter]).into_owned();
            cx.error(format!("{sign}{shown}: invalid option"));
            return Err(synopsis::usage(cx));
        };
        let value = match known.get(place + 1) {
            Some(b':') if !at_end => Some(&argument[self.bundle..]),
            Some(b':') => {
                self.index += 1;
                let Some(value) = self.arguments.get(self.index) else {
                    cx.error(format!(
                        "-{}: option requires an argument",
                        char::from(letter)
                    ));
                    return Err(synopsis::usage(cx));
                };
                Some(value.as_bytes())
            }
            Some(b';') if !at_end => Some(&argument[self.bundle..]),
            Some(b';') => {
                let next = self.arguments.get(self.index + 1);
                let value = next.filter(|next| !next.starts_with(b"-"));
                self.index += usize::from(value.is_some());
                value.map(Text::as_bytes)
            }
            _ => None,
        };
        if at_end || value.is_some() {
            self.index += 1;
            self.bundle = 0;
        }
        Ok(Some(Given {
            letter,
            plus,
            value,
        }))
    }

    /// What follows the options.
    pub(super) fn operands(&self) -> &'a [Text] {
        self.arguments.get(self.index..).unwrap_or_default()
    }

    /// How many arguments the options took.
    pub(super) fn count(&self) -> usize {
        self.index
    }
}

/// Reads builtins' options that none may be given to: only `--` is skipped.
pub(super) fn none<'a>(cx: &mut Context<'_>, arguments: &'a [Text]) -> Result<&'a [Text], Flow> {
    let mut letters = Letters::new("", arguments);
    letters.next(cx)?;
    Ok(letters.operands())
}

/// A decimal integer with a sign and blanks around it.
pub(crate) fn integer(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text)
        .ok()?
        .trim_matches([' ', '\t', '\n']);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Whether a word can name a variable.
pub(super) fn is_name(word: &[u8]) -> bool {
    let starts = word
        .first()
        .is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_');
    starts
        && word
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a word is a name, or a name with a subscript.
pub(super) fn is_reference(word: &[u8]) -> bool {
    let (name, subscript) = split_subscript(word);
    is_name(name) && subscript.is_none_or(|text| !text.is_empty() && is_whole(text))
}

/// A name and what stands between the brackets after it.
pub(super) fn split_subscript(word: &[u8]) -> (&[u8], Option<&[u8]>) {
    match (word.iter().position(|&byte| byte == b'['), word) {
        (Some(open), [.., b']']) => (&word[..open], Some(&word[open + 1..word.len() - 1])),
        _ => (word, None),
    }
}

/// Prints ``NAME: `WORD': not a valid identifier``.
pub(super) fn invalid_identifier(cx: &mut Context<'_>, word: &[u8]) {
    let quoted = [b"`".as_slice(), word, b"'"].concat();
    cx.error_about(&quoted, "not a valid identifier");
}
