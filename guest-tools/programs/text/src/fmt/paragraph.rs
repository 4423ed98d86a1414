//! Paragraphs: which lines belong together, and writing them anew.
//!
//! A paragraph is a run of lines with text, whose prefixes stand in the same column and whose indentation is the
//! same, but for the first line with `-c` and `-t`. Other lines are copied.

use super::Plan;
use super::breaks::{self, Measure, Word};
use crate::output::Output;

/// How much of a paragraph is weighed at once. A longer one is cut where that costs least.
pub const MOST_BYTES: usize = 5000;
const MOST_WORDS: usize = 999;
const TAB: usize = 8;
/// The indentation of a tagged paragraph's other lines, where it has one line only.
const TAG_INDENT: usize = 3;

/// Writes a text with its paragraphs filled.
pub fn format(text: &[u8], plan: &Plan, out: &mut Output) {
    let mut filler = Filler {
        plan,
        out,
        text,
        at: 0,
        column: 0,
        next_indent: 0,
        indent: 0,
        first_indent: 0,
        other_indent: 0,
        tabs: false,
        words: Vec::new(),
        size: 0,
        before: None,
        out_column: 0,
    };
    filler.prefix();
    while filler.paragraph() {
        let all = filler.words.len();
        filler.flush(|_| all);
    }
}

struct Filler<'a> {
    plan: &'a Plan,
    out: &'a mut Output,
    text: &'a [u8],
    /// How much of the text was read.
    at: usize,
    /// The column in the line that is read.
    column: usize,
    /// Where the prefix of that line stands.
    next_indent: usize,
    /// Where the prefixes of the paragraph stand.
    indent: usize,
    /// The column of the paragraph's first word.
    first_indent: usize,
    /// The column of the first words of its other lines.
    other_indent: usize,
    /// There was a tab, so indentation is written with tabs.
    tabs: bool,
    /// The words that are not written yet.
    words: Vec<Word>,
    /// The bytes of the words.
    size: usize,
    /// How long the line before is that was written of this paragraph.
    before: Option<usize>,
    /// The column in the line that is written.
    out_column: usize,
}

impl Filler<'_> {
    /// The next byte.
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Whether the line ends here.
    fn ends_line(&self) -> bool {
        matches!(self.peek(), None | Some(b'\n'))
    }

    /// Reads blanks, and counts their columns.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ') => self.column += 1,
                Some(b'\t') => {
                    self.tabs = true;
                    self.column = (self.column / TAB + 1) * TAB;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    /// Reads the indentation and the prefix of a line.
    fn prefix(&mut self) {
        self.column = 0;
        self.blanks();
        let prefix = &self.plan.prefix;
        if prefix.text.is_empty() {
            self.next_indent = prefix.lead.min(self.column);
            return;
        }
        self.next_indent = self.column;
        for &byte in &prefix.text {
            if self.peek() != Some(byte) {
                return;
            }
            self.column += 1;
            self.at += 1;
        }
        self.blanks();
    }

    /// Whether the line that begins here may belong to a paragraph whose prefix stands at `indent`.
    fn belongs(&self, indent: usize) -> bool {
        self.next_indent >= indent
            && self.column >= self.next_indent + self.plan.prefix.whole
            && !self.ends_line()
    }

    /// Whether the line that begins here may belong to the paragraph at hand.
    fn goes_on(&self) -> bool {
        self.next_indent == self.indent && self.belongs(self.indent)
    }

    /// Reads a paragraph after what stands before it; false where there is none.
    fn paragraph(&mut self) -> bool {
        self.before = None;
        while !self.belongs(self.plan.prefix.lead) {
            if !self.copy_line() {
                return false;
            }
            self.prefix();
        }
        self.indent = self.next_indent;
        self.first_indent = self.column;
        self.words.clear();
        self.size = 0;
        self.line();
        self.set_other_indent(self.goes_on());
        let reads = match self.plan {
            plan if plan.split => false,
            plan if plan.crown => self.goes_on(),
            plan if plan.tagged => self.goes_on() && self.column != self.first_indent,
            _ => self.goes_on() && self.column == self.other_indent,
        };
        if reads {
            self.line();
            while self.goes_on() && self.column == self.other_indent {
                self.line();
            }
        }
        if let Some(last) = self.words.last_mut() {
            (last.period, last.ends_sentence) = (true, true);
        }
        true
    }

    /// Decides the indentation of the lines behind the first, where the next line `goes_on` with the paragraph or
    /// does not.
    fn set_other_indent(&mut self, goes_on: bool) {
        let plan = self.plan;
        self.other_indent = if plan.split {
            self.first_indent
        } else if plan.crown {
            if goes_on {
                self.column
            } else {
                self.first_indent
            }
        } else if plan.tagged {
            if goes_on && self.column != self.first_indent {
                self.column
            } else if self.other_indent != self.first_indent {
                self.other_indent
            } else if self.first_indent == 0 {
                TAG_INDENT
            } else {
                0
            }
        } else {
            self.first_indent
        };
    }

    /// Copies a line that belongs to no paragraph; false at the end of the text.
    fn copy_line(&mut self) -> bool {
        self.out_column = 0;
        if self.column > self.next_indent || !self.ends_line() {
            self.indent_to(self.next_indent);
            let shown = self
                .plan
                .prefix
                .text
                .len()
                .min(self.column - self.out_column);
            let prefix = &self.plan.prefix.text[..shown];
            self.out.put(prefix);
            self.out_column += shown;
            if !self.ends_line() {
                self.indent_to(self.column);
            }
            if self.peek().is_none()
                && self.column >= self.next_indent + self.plan.prefix.text.len()
            {
                self.out.put(b"\n");
            }
        }
        let rest = &self.text[self.at..];
        let end = memchr::memchr(b'\n', rest);
        self.out.put(&rest[..end.unwrap_or(rest.len())]);
        self.at += end.map_or(rest.len(), |end| end + 1);
        if end.is_some() {
            self.out.put(b"\n");
        }
        end.is_some()
    }

    /// Reads the words of a line, and the prefix of the next one. A paragraph that becomes too long is written in
    /// part.
    fn line(&mut self) {
        while !self.ends_line() {
            let start = self.at;
            self.at += 1;
            while self.peek().is_some_and(|byte| !is_space(byte)) {
                self.at += 1;
            }
            let mut word = Word::new(self.text[start..self.at].to_vec());
            let length = word.text.len();
            while self.size + length > MOST_BYTES && !self.words.is_empty() {
                self.set_other_indent(true);
                self.flush(breaks::cut);
            }
            self.column += length;
            let end = self.column;
            self.blanks();
            word.space = self.column - end;
            word.ends_sentence = self.peek().is_none()
                || (word.period && (self.peek() == Some(b'\n') || word.space > 1));
            if self.ends_line() || self.plan.uniform {
                word.space = if word.ends_sentence { 2 } else { 1 };
            }
            if self.words.len() == MOST_WORDS - 1 {
                self.set_other_indent(true);
                self.flush(breaks::cut);
            }
            self.size += length;
            self.words.push(word);
        }
        self.at += usize::from(self.peek().is_some());
        self.prefix();
    }

    /// Writes the lines up to the one that begins with the word that `until` names; the words from there on stay.
    fn flush(&mut self, until: impl Fn(&[breaks::Line]) -> usize) {
        let words = std::mem::take(&mut self.words);
        let measure = Measure {
            width: self.plan.width,
            goal: self.plan.goal,
            first_indent: self.first_indent,
            other_indent: self.other_indent,
            before: self.before,
        };
        let lines = breaks::lines(&words, &measure);
        let end = until(&lines);
        let mut at = 0;
        while at < end {
            let indent = if at == 0 {
                self.first_indent
            } else {
                self.other_indent
            };
            let next = lines[at].next;
            self.write(&words[at..next], indent);
            at = next;
        }
        self.words = words[end..].to_vec();
        self.size = self.words.iter().map(|word| word.text.len()).sum();
    }

    /// Writes a line.
    fn write(&mut self, words: &[Word], indent: usize) {
        self.out_column = 0;
        self.indent_to(self.indent);
        self.out.put(&self.plan.prefix.text);
        self.out_column += self.plan.prefix.text.len();
        self.indent_to(indent);
        for (at, word) in words.iter().enumerate() {
            self.out.put(&word.text);
            self.out_column += word.text.len();
            if at + 1 < words.len() {
                self.indent_to(self.out_column + word.space);
            }
        }
        self.before = Some(self.out_column);
        self.out.put(b"\n");
    }

    /// Goes on to a column, with tabs where the text has some.
    fn indent_to(&mut self, column: usize) {
        let stop = column / TAB * TAB;
        if self.tabs && self.out_column + 1 < stop {
            while self.out_column < stop {
                self.out.put(b"\t");
                self.out_column = (self.out_column / TAB + 1) * TAB;
            }
        }
        let blanks = column.saturating_sub(self.out_column);
        self.out.put(" ".repeat(blanks));
        self.out_column += blanks;
    }
}

/// What ends a word: the vertical tab too.
fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
