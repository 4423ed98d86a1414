//! Differences between the lines of two files.

use std::borrow::Cow;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

/// What makes no difference between two lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blanks {
    #[default]
    Count,
    /// Those at the end of lines: `--ignore-space-at-eol`.
    End,
    /// How many there are: `-b`.
    Amount,
    /// All: `-w`.
    All,
}

/// Lines that were replaced by others, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The lines of a text with their ends.
pub fn split(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|&byte| byte == b'\n').collect()
}

fn key<'a>(line: &'a [u8], blanks: Blanks) -> Cow<'a, [u8]> {
    let is_blank = |byte: &u8| b" \t\r\n\x0b\x0c".contains(byte);
    match blanks {
        Blanks::Count => Cow::Borrowed(line),
        Blanks::End => Cow::Borrowed(line.trim_ascii_end()),
        Blanks::All => line
            .iter()
            .copied()
            .filter(|byte| !is_blank(byte))
            .collect(),
        Blanks::Amount => {
            let mut out = Vec::with_capacity(line.len());
            for &byte in line.trim_ascii_end() {
                if !is_blank(&byte) {
                    out.push(byte);
                } else if out.last() != Some(&b' ') {
                    out.push(b' ');
                }
            }
            Cow::Owned(out)
        }
    }
}

/// The differences between two texts.
pub fn compare(
    old: &[&[u8]],
    new: &[&[u8]],
    algorithm: Algorithm,
    blanks: Blanks,
) -> Vec<Replaced> {
    let mut input: InternedInput<Cow<[u8]>> = InternedInput {
        before: Vec::new(),
        after: Vec::new(),
        interner: imara_diff::Interner::new(old.len() + new.len()),
    };
    input.update_before(old.iter().map(|line| key(line, blanks)));
    input.update_after(new.iter().map(|line| key(line, blanks)));
    let mut diff = Diff::compute(algorithm, &input);
    diff.postprocess_lines(&input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    let hunks = diff.hunks().map(|hunk| Replaced {
        old: range(hunk.before),
        new: range(hunk.after),
    });
    hunks.collect()
}

/// Changes that are shown together, with the lines around them.
pub struct Group<'a> {
    pub old: Range<usize>,
    pub new: Range<usize>,
    pub changes: &'a [Replaced],
}

/// Puts changes together whose surroundings of `context` lines meet.
pub fn group(changes: &[Replaced], context: usize, old: usize, new: usize) -> Vec<Group<'_>> {
    let mut groups = Vec::new();
    let mut start = 0;
    for at in 0..changes.len() {
        let next = changes.get(at + 1);
        if next.is_some_and(|next| next.old.start - changes[at].old.end <= 2 * context) {
            continue;
        }
        let (first, last) = (&changes[start], &changes[at]);
        let before = context.min(first.old.start).min(first.new.start);
        let after = context.min(old - last.old.end).min(new - last.new.end);
        groups.push(Group {
            old: first.old.start - before..last.old.end + after,
            new: first.new.start - before..last.new.end + after,
            changes: &changes[start..=at],
        });
        start = at + 1;
    }
    groups
}

/// `start,count` of a hunk's head.
pub fn span(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        count => format!("{},{count}", range.start + 1),
    }
}

/// The line above `before` that names what the lines are part of.
pub fn heading<'a>(lines: &[&'a [u8]], before: usize) -> Option<&'a [u8]> {
    let names = |line: &&&[u8]| {
        line.first()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || b"_$".contains(byte))
    };
    let line = lines[..before.min(lines.len())].iter().rev().find(names)?;
    Some(line[..line.len().min(80)].trim_ascii_end())
}

/// Whether git takes the content for no text.
pub fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(8000)].contains(&0)
}
