//! Patterns with back-references or look-around. The engine works on text, so bytes that are no
//! UTF-8 are matched as Latin-1 characters.

use std::borrow::Cow;

use fancy_regex::{Regex, RegexBuilder};

use super::{Groups, Settings};

/// A matcher for what no automaton can match: back-references and look-around.
pub struct Backtracking {
    regex: Regex,
}

impl Backtracking {
    /// Compiles `text`.
    pub fn new(text: &str, settings: &Settings) -> Result<Backtracking, String> {
        let flags = match (
            settings.multi_line || settings.line_end.is_some(),
            settings.line_end,
        ) {
            (true, None) => "(?ms)",
            (true, Some(_)) => "(?m)",
            (false, _) => "(?s)",
        };
        let regex = RegexBuilder::new(&format!("{flags}{text}"))
            .case_insensitive(settings.ignore_case)
            .backtrack_limit(5_000_000)
            .build()
            .map_err(|_| "Invalid regular expression".to_owned())?;
        Ok(Backtracking { regex })
    }

    /// The number of capturing groups.
    pub fn group_count(&self) -> usize {
        self.regex.captures_len() - 1
    }

    /// The first match at or after `start`.
    pub fn find_at(&self, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let text = Decoded::new(text);
        let found = self
            .regex
            .find_from_pos(&text.text, text.inner(start))
            .ok()??;
        Some((text.outer(found.start()), text.outer(found.end())))
    }

    /// The first match at or after `start` with its groups.
    pub fn groups_at(&self, text: &[u8], start: usize) -> Option<Groups> {
        let text = Decoded::new(text);
        let found = self
            .regex
            .captures_from_pos(&text.text, text.inner(start))
            .ok()??;
        let place = |index| {
            found.get(index).map(|group: fancy_regex::Match| {
                (text.outer(group.start()), text.outer(group.end()))
            })
        };
        Some((0..found.len()).map(place).collect())
    }
}

struct Decoded<'a> {
    text: Cow<'a, str>,
    latin: bool,
}

impl Decoded<'_> {
    fn new(bytes: &[u8]) -> Decoded<'_> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Decoded {
                text: Cow::Borrowed(text),
                latin: false,
            },
            Err(_) => {
                let text = bytes.iter().map(|&byte| char::from(byte)).collect();
                Decoded {
                    text: Cow::Owned(text),
                    latin: true,
                }
            }
        }
    }

    /// The place in the text of a place in the bytes.
    fn inner(&self, offset: usize) -> usize {
        if !self.latin {
            let mut offset = offset;
            while !self.text.is_char_boundary(offset) {
                offset += 1;
            }
            return offset;
        }
        self.text
            .char_indices()
            .nth(offset)
            .map_or(self.text.len(), |(at, _)| at)
    }

    fn outer(&self, offset: usize) -> usize {
        if self.latin {
            self.text[..offset].chars().count()
        } else {
            offset
        }
    }
}
