//! Aliases at command position.

use super::reader::{MAX_ALIASES, Reader};
use super::token::is_meta;

impl Reader<'_> {
    /// Skips blanks and expands the aliases that stand where a command begins.
    #[inline]
    pub fn skip_to_command(&mut self) {
        self.skip_blanks();
        if self.aliases.is_some() {
            while self.expand_alias() {
                self.skip_blanks();
            }
        }
    }

    /// Expands the word that comes next, where an alias whose text ended in a blank is before it.
    #[inline]
    pub fn expand_after_blank(&mut self) {
        if self.aliases.is_some() && self.cursor.follows_blank_alias() {
            while self.expand_alias() {
                self.skip_blanks();
            }
        }
    }

    /// Replaces the word that comes next by the text of the alias that it names.
    fn expand_alias(&mut self) -> bool {
        let Some(lookup) = self.aliases else {
            return false;
        };
        let Some(length) = self.plain_word_length() else {
            return false;
        };
        let name = &self.cursor.rest()[..length];
        if self.options.posix && super::token::Reserved::from_bytes(name).is_some() {
            return false;
        }
        if self.cursor.is_expanding(name) || self.expanded >= MAX_ALIASES {
            return false;
        }
        let Some(text) = lookup(name) else {
            return false;
        };
        self.cursor.expand_alias(length, &text);
        self.expanded += 1;
        true
    }

    /// The length of the word that comes next, where it has no quotes and no expansions.
    fn plain_word_length(&self) -> Option<usize> {
        let rest = self.cursor.rest();
        let length = rest
            .iter()
            .position(|&byte| is_meta(byte) || matches!(byte, b'\\' | b'\'' | b'"' | b'`' | b'$'))
            .unwrap_or(rest.len());
        let delimited = rest.get(length).is_none_or(|&byte| is_meta(byte));
        (length > 0 && delimited).then_some(length)
    }
}
