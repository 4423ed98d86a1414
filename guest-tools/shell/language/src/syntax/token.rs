//! Reserved words, operators and the text of tokens for messages.

use super::print;
use super::reader::{Parse, Reader};
use super::tree::Word;
use super::word::Ends;

/// Whether `byte` ends a word.
#[inline]
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>'
    )
}

/// Whether `byte` can begin a name.
#[inline]
pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether `byte` can be within a name.
#[inline]
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The words that mean something where a command begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserved {
    If,
    Then,
    Else,
    Elif,
    Fi,
    For,
    Select,
    While,
    Until,
    Do,
    Done,
    Case,
    Esac,
    In,
    Function,
    Coproc,
    Time,
    Bang,
    OpenBrace,
    CloseBrace,
    OpenConditional,
}

/// The length of the longest reserved word.
const LONGEST: usize = 8;

impl Reserved {
    /// The reserved word `text`.
    pub fn from_bytes(text: &[u8]) -> Option<Reserved> {
        Some(match text {
            b"if" => Reserved::If,
            b"then" => Reserved::Then,
            b"else" => Reserved::Else,
            b"elif" => Reserved::Elif,
            b"fi" => Reserved::Fi,
            b"for" => Reserved::For,
            b"select" => Reserved::Select,
            b"while" => Reserved::While,
            b"until" => Reserved::Until,
            b"do" => Reserved::Do,
            b"done" => Reserved::Done,
            b"case" => Reserved::Case,
            b"esac" => Reserved::Esac,
            b"in" => Reserved::In,
            b"function" => Reserved::Function,
            b"coproc" => Reserved::Coproc,
            b"time" => Reserved::Time,
            b"!" => Reserved::Bang,
            b"{" => Reserved::OpenBrace,
            b"}" => Reserved::CloseBrace,
            b"[[" => Reserved::OpenConditional,
            _ => return None,
        })
    }

    /// Whether it can only end a list.
    pub fn ends_list(self) -> bool {
        matches!(
            self,
            Reserved::Then
                | Reserved::Else
                | Reserved::Elif
                | Reserved::Fi
                | Reserved::Do
                | Reserved::Done
                | Reserved::Esac
                | Reserved::CloseBrace
        )
    }
}

impl Reader<'_> {
    /// The reserved word that comes next.
    #[inline]
    pub fn reserved(&mut self) -> Option<Reserved> {
        match self.peek()? {
            b'a'..=b'z' | b'{' | b'}' | b'!' | b'[' => self.reserved_slow().map(|(word, _)| word),
            _ => None,
        }
    }

    /// Takes the reserved word `expected` where it comes next.
    pub fn eat_reserved(&mut self, expected: Reserved) -> bool {
        let Some((_, length)) = self.reserved_slow().filter(|(word, _)| *word == expected) else {
            return false;
        };
        let end = self.cursor.position + length;
        self.cursor.skip_to(end);
        true
    }

    /// Takes the reserved word `expected`, or fails on what is there instead.
    pub fn expect_reserved(&mut self, expected: Reserved) -> Parse<()> {
        if self.eat_reserved(expected) {
            return Ok(());
        }
        self.unexpected()
    }

    fn reserved_slow(&mut self) -> Option<(Reserved, usize)> {
        self.peek()?;
        if self.unreserved == Some(self.cursor.position) {
            return None;
        }
        let rest = self.cursor.rest();
        let mut word = [0; LONGEST];
        let mut count = 0;
        let mut length = 0;
        loop {
            match rest.get(length) {
                Some(b'\\') if rest.get(length + 1) == Some(&b'\n') => length += 2,
                Some(&byte) if !is_meta(byte) => {
                    *word.get_mut(count)? = byte;
                    count += 1;
                    length += 1;
                }
                _ => return Reserved::from_bytes(&word[..count]).map(|word| (word, length)),
            }
        }
    }

    /// Whether what comes next cannot begin a command because it ends a list.
    pub fn at_list_end(&mut self) -> bool {
        match self.peek() {
            None | Some(b')') => true,
            Some(b';') => matches!(self.cursor.peek_second(), Some(b';' | b'&')),
            _ => self.reserved().is_some_and(Reserved::ends_list),
        }
    }

    /// The text of the token that comes next, as `print` has it, which is skipped up to the end of its line; none at
    /// the end of the script.
    pub fn token_text(&mut self) -> Parse<Option<Vec<u8>>> {
        let Some(byte) = self.peek() else {
            return Ok(None);
        };
        if byte == b'\n' {
            return Ok(Some(b"newline".to_vec()));
        }
        let substitution = matches!(byte, b'<' | b'>') && self.cursor.peek_second() == Some(b'(');
        if is_meta(byte) && !substitution {
            return Ok(Some(self.operator_text()));
        }
        let mut parts = Vec::new();
        self.word_parts(&mut parts, Ends::Command)?;
        Ok(Some(print::word(&Word { parts })))
    }

    fn operator_text(&mut self) -> Vec<u8> {
        const OPERATORS: [&[u8]; 18] = [
            b"&>>", b"<<<", b"<<-", b";;&", b"&&", b"&>", b"||", b"|&", b";;", b";&", b"<<", b"<&",
            b"<>", b">>", b">&", b">|", b"((", b"))",
        ];
        let mut next = Vec::with_capacity(3);
        let position = self.cursor.position;
        while let Some(byte) = self.peek().filter(|_| next.len() < 3) {
            next.push(byte);
            self.cursor.position += 1;
        }
        self.cursor.position = position;
        let operator = OPERATORS[..16]
            .iter()
            .find(|operator| next.starts_with(operator));
        operator.map_or_else(|| vec![next[0]], |operator| operator.to_vec())
    }
}
