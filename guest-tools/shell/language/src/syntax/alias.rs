//! Aliases at command position.

use std::borrow::Cow;

use super::reader::{MAX_ALIASES, Parse, Reader};
use super::token::{Reserved, is_meta};

impl Reader<'_> {
    /// Skips blanks and expands the aliases that stand where a command begins.
    #[inline]
    pub fn skip_to_command(&mut self) {
        self.skip_blanks();
        if self.aliases.is_some() {
            while self.expand_alias(|_| true) {
                self.skip_blanks();
            }
        }
    }

    /// Skips lines to where a command begins; also those that aliases left empty.
    pub fn skip_lines_to_command(&mut self) -> Parse<()> {
        loop {
            self.skip_newlines()?;
            self.skip_to_command();
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
        }
    }

    /// Expands the word that comes next, where an alias whose text ended in a blank is before it. In posix mode
    /// these reserved words, which have a meaning here, are none.
    #[inline]
    pub fn expand_after_blank(&mut self, kept: &[Reserved]) {
        if self.aliases.is_some() && self.cursor.follows_blank_alias() {
            while self.expand_alias(|word| kept.contains(&word)) {
                self.skip_blanks();
            }
        }
    }

    /// The same for a word that newlines may stand before.
    pub fn skip_lines_after_blank(&mut self, kept: &[Reserved]) -> Parse<()> {
        loop {
            self.skip_newlines()?;
            self.expand_after_blank(kept);
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
        }
    }

    /// Replaces the word that comes next by the text of the alias that it names.
    fn expand_alias(&mut self, is_kept: impl Fn(Reserved) -> bool) -> bool {
        let Some(lookup) = self.aliases else {
            return false;
        };
        let Some((length, name)) = self.plain_word() else {
            return false;
        };
        if self.options.posix && Reserved::from_bytes(&name).is_some_and(is_kept) {
            return false;
        }
        if self.cursor.is_expanding(&name) || self.expanded >= MAX_ALIASES {
            return false;
        }
        let Some(text) = lookup(&name) else {
            return false;
        };
        self.cursor.expand_alias(length, name.into_owned(), &text);
        self.expanded += 1;
        true
    }

    /// The length of the word that comes next, where it has no quotes and no expansions, and the word without the
    /// line continuations in it.
    fn plain_word(&self) -> Option<(usize, Cow<'_, [u8]>)> {
        let rest = self.cursor.rest();
        let ends = |byte: u8| is_meta(byte) || matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'$');
        let find = |from: usize| {
            let length = rest[from..].iter().position(|&byte| ends(byte));
            length.map_or(rest.len(), |length| from + length)
        };
        let mut end = find(0);
        let mut name = Cow::Borrowed(&rest[..end]);
        while rest[end..].starts_with(b"\\\n") {
            let from = end + 2;
            end = find(from);
            name.to_mut().extend_from_slice(&rest[from..end]);
        }
        // The number of a descriptor is no word.
        let is_number =
            matches!(rest.get(end), Some(b'<' | b'>')) && name.iter().all(u8::is_ascii_digit);
        let delimited = rest.get(end).is_none_or(|&byte| is_meta(byte));
        (!name.is_empty() && delimited && !is_number).then_some((end, name))
    }
}
