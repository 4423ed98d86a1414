//! Records that the only rule does not select are passed over where they lie, in the input's buffer: `awk '/x/ { … }'`
//! searches for the next `x` instead of reading line by line.
//!
//! Where most records are selected, the search is not worth it: after each record that was selected at once, twice as
//! many are read one by one before it is tried again.

use super::Interpreter;
use crate::awk::record::Separator;
use crate::awk::tree::*;
use crate::pattern::{Dialect, Pattern, Settings};

/// After how many records in a row that were selected the search is tried again.
const LONGEST_PAUSE: u32 = 1024;

/// The pattern that selects records, for lines of a longer text.
pub(super) struct Ahead {
    pattern: Pattern,
    /// Records that are still read one by one.
    pause: u32,
    /// The next pause, should the next record be selected, too.
    next_pause: u32,
}

impl Ahead {
    /// None where there are other rules for records, or somebody could tell the difference: by RT, or by a pattern that
    /// means something else within a longer text.
    pub(super) fn new(program: &Program) -> Option<Ahead> {
        let mut triggers = program.rules.iter().filter_map(|rule| match &rule.trigger {
            Trigger::When(condition) => Some(Some(condition)),
            Trigger::Always | Trigger::Range(..) => Some(None),
            _ => None,
        });
        let (Some(Some(Expression::Regex(pattern))), None) = (triggers.next(), triggers.next())
        else {
            return None;
        };
        if program.uses_terminator || !means_the_same_in_lines(pattern.source()) {
            return None;
        }
        let settings = Settings {
            line_end: Some(b'\n'),
            ..Settings::new(Dialect::Awk)
        };
        let pattern = Pattern::new(pattern.source(), &settings).ok()?;
        pattern.is_linear().then_some(Ahead {
            pattern,
            pause: 0,
            next_pause: 0,
        })
    }
}

/// Whether a pattern matches a line of a longer text where it matches the line alone: it has no newline, no
/// escape but those of punctuation, and no star that might stand for itself.
fn means_the_same_in_lines(source: &[u8]) -> bool {
    let mut bytes = source.iter().peekable();
    let mut before = b'(';
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\n' => return false,
            b'\\'
                if !bytes
                    .next()
                    .is_some_and(|next| b"./$^*+?()[]{}|\"-".contains(next)) =>
            {
                return false;
            }
            b'*' | b'+' | b'?' | b'{' if b"(|^".contains(&before) => return false,
            _ => {}
        }
        before = byte;
    }
    true
}

impl Interpreter<'_> {
    /// Passes over the records that come next and are not selected.
    pub(super) fn pass_over(&mut self, ahead: &mut Ahead) {
        if ahead.pause > 0 {
            ahead.pause -= 1;
            return;
        }
        let lines = matches!(self.separator, Separator::Byte(b'\n')) && !self.ignore_case;
        let Some(reader) = self.input.as_mut().filter(|_| lines) else {
            return;
        };
        let passed = reader.pass(|text| ahead.pattern.line_at(text, 0));
        if passed > 0 {
            self.count(passed as f64);
            ahead.next_pause = 0;
        } else {
            ahead.pause = ahead.next_pause;
            ahead.next_pause = (2 * ahead.next_pause + 1).min(LONGEST_PAUSE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_see_more_than_their_line_are_left_out() {
        for same in ["a", "^a.*b$", "word1[0-9] ", "(a|b)+\\.", "[^a]*", "^$", ""] {
            assert!(means_the_same_in_lines(same.as_bytes()), "{same}");
        }
        for other in [
            "\\`a", "a\\'", "a\nb", "a\\nb", "\\Bx", "*a", "(*a)", "a|*", "\\",
        ] {
            assert!(!means_the_same_in_lines(other.as_bytes()), "{other}");
        }
    }
}
