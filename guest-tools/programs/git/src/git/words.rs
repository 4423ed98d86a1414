//! Changes within lines: `--word-diff` and `--color-words`.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::flags::Flags;
use super::stop::{Outcome, fatal, usage};
use crate::call::bytes;
use crate::pattern::{Dialect, Pattern, Settings};

/// How changed words are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `[-old-]{+new+}`
    Plain,
    /// By their colours alone.
    Color,
    /// A line each, for programs.
    Porcelain,
}

/// What `--word-diff` asks for.
#[derive(Clone, Debug)]
pub struct Words {
    pub mark: Mark,
    /// What a word is, other than what stands between blanks.
    pattern: Option<Vec<u8>>,
}

impl Words {
    /// Reads the options.
    pub fn new(flags: &Flags) -> Outcome<Option<Words>> {
        let mut mark = None;
        let mut pattern = None;
        for (key, value) in flags.in_order() {
            match (key, value) {
                ("word-diff", b"" | b"plain") => mark = Some(Mark::Plain),
                ("word-diff", b"color") => mark = Some(Mark::Color),
                ("word-diff", b"porcelain") => mark = Some(Mark::Porcelain),
                ("word-diff", b"none") => mark = None,
                ("word-diff", value) => {
                    return Err(usage(bytes!("bad --word-diff argument: ", value)));
                }
                ("color-words", value) => {
                    mark = Some(Mark::Color);
                    pattern = (!value.is_empty()).then(|| value.to_vec()).or(pattern);
                }
                ("word-diff-regex", value) => {
                    mark = mark.or(Some(Mark::Plain));
                    pattern = Some(value.to_vec());
                }
                _ => {}
            }
        }
        if let Some(source) = &pattern {
            compile(source).map_err(|_| fatal(bytes!("invalid regular expression: ", source)))?;
        }
        Ok(mark.map(|mark| Words { mark, pattern }))
    }

    /// Writes lines that were replaced: what both have, and the words that differ.
    pub fn write(&self, out: &mut Vec<u8>, old: &[u8], new: &[u8], color: bool) {
        let marks = Marks {
            mark: self.mark,
            color: color || self.mark == Mark::Color,
        };
        if new.is_empty() {
            return marks.put(out, Kind::Old, old);
        }
        let pattern = self
            .pattern
            .as_deref()
            .and_then(|source| compile(source).ok());
        let (before, after) = (words(old, pattern.as_ref()), words(new, pattern.as_ref()));
        let mut input: InternedInput<&[u8]> = InternedInput {
            before: Vec::new(),
            after: Vec::new(),
            interner: imara_diff::Interner::new(before.len() + after.len()),
        };
        input.update_before(before.iter().map(|word| &old[word.clone()]));
        input.update_after(after.iter().map(|word| &new[word.clone()]));
        let mut diff = Diff::compute(Algorithm::Myers, &input);
        diff.postprocess_no_heuristic(&input);
        let mut at = 0;
        for hunk in diff.hunks() {
            let (gone, come) = (span(&before, &hunk.before), span(&after, &hunk.after));
            marks.put(out, Kind::Both, &new[at..come.start]);
            marks.put(out, Kind::Old, &old[gone]);
            marks.put(out, Kind::New, &new[come.clone()]);
            at = come.end;
        }
        marks.put(out, Kind::Both, &new[at..]);
    }
}

fn compile(source: &[u8]) -> Result<Pattern, String> {
    Pattern::new(source, &Settings::new(Dialect::Extended))
}

/// The text from the first to the last of some words; without any, the place behind the word before.
fn span(words: &[Range<usize>], range: &Range<u32>) -> Range<usize> {
    let (start, end) = (range.start as usize, range.end as usize);
    if start == end {
        let place = start.checked_sub(1).map_or(0, |before| words[before].end);
        return place..place;
    }
    words[start].start..words[end - 1].end
}

/// Where the words of a text are.
fn words(text: &[u8], pattern: Option<&Pattern>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let word = match pattern {
            None => {
                let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
                let start = text[at..].iter().position(|byte| !is_blank(byte));
                start.map(|start| {
                    let start = at + start;
                    let length = text[start..].iter().position(is_blank);
                    start..length.map_or(text.len(), |length| start + length)
                })
            }
            // No word goes beyond its line.
            Some(pattern) => pattern.find_at(text, at).map(|(start, end)| {
                let line = memchr::memchr(b'\n', &text[start..end]);
                start..line.map_or(end, |length| start + length)
            }),
        };
        let Some(word) = word else { break };
        at = word.end.max(at);
        if word.is_empty() {
            at = word.start + 1;
            continue;
        }
        found.push(word);
    }
    found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Both,
    Old,
    New,
}

struct Marks {
    mark: Mark,
    color: bool,
}

impl Marks {
    /// Writes text, marked in each of its lines.
    fn put(&self, out: &mut Vec<u8>, kind: Kind, text: &[u8]) {
        let (before, after) = match (self.mark, kind) {
            (Mark::Porcelain, Kind::Both) => (" ", "\n"),
            (Mark::Porcelain, Kind::Old) => ("-", "\n"),
            (Mark::Porcelain, Kind::New) => ("+", "\n"),
            (Mark::Plain, Kind::Old) => ("[-", "-]"),
            (Mark::Plain, Kind::New) => ("{+", "+}"),
            _ => ("", ""),
        };
        let (paint, reset) = match kind {
            _ if !self.color => ("", ""),
            Kind::Old => ("\x1b[31m", "\x1b[m"),
            Kind::New => ("\x1b[32m", "\x1b[m"),
            Kind::Both => ("", ""),
        };
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let bare = line.strip_suffix(b"\n").unwrap_or(line);
            if !bare.is_empty() {
                out.extend(bytes!(paint, before, bare, after, reset));
            }
            if bare.len() < line.len() {
                out.extend_from_slice(self.end_line());
            }
        }
    }

    fn end_line(&self) -> &'static [u8] {
        match self.mark {
            Mark::Porcelain => b"~\n",
            _ => b"\n",
        }
    }
}

/// The text of lines, each with its end.
pub fn joined(lines: &[&[u8]]) -> Vec<u8> {
    let mut text = lines.concat();
    if text.last().is_some_and(|&byte| byte != b'\n') {
        text.push(b'\n');
    }
    text
}
