//! Hunks that are chosen one by one: read from a printed patch, split, edited, and applied to a file by the numbers
//! of their lines.
//!
//! A change of the mode is a hunk of its own, the first one. Since hunks come from a comparison with exactly the
//! content that is changed, applying needs no search: [`Hunk::runs`] says which lines go and come, [`changed`] does
//! it. Parts of a split hunk overlap in context lines only.

use super::super::change::Change;
use super::super::lines;
use crate::call::bytes;

/// What the user said of a hunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Undecided,
    Skip,
    Take,
}

/// Lines of a patch that are taken together.
#[derive(Clone, Debug)]
pub struct Hunk {
    /// Counted from 1; with no lines the line before, as patches have it.
    pub old_start: usize,
    /// The same for the new side.
    pub new_start: usize,
    /// Mark and text with its end, where it has one.
    pub lines: Vec<(u8, Vec<u8>)>,
    /// What stands behind the second `@@`, with its blank.
    heading: Vec<u8>,
    /// `old mode` and `new mode` instead of lines.
    pub mode: Option<Vec<u8>>,
    /// What the user said of it.
    pub chosen: Use,
}

/// Lines of the file that is changed, and what comes in their place.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// Counted from 0.
    pub start: usize,
    /// How many lines from `start` on go.
    pub lost: usize,
    /// The lines that come, with their ends.
    pub lines: Vec<Vec<u8>>,
}

/// The patch of one file.
#[derive(Debug)]
pub struct File {
    /// What stands above the first hunk.
    pub header: Vec<u8>,
    pub hunks: Vec<Hunk>,
    /// The old side does not exist.
    pub added: bool,
    /// The new side does not exist.
    pub deleted: bool,
    /// There are no hunks: nothing can be chosen.
    pub binary: bool,
    /// Both sides, from which contents and modes are taken.
    pub change: Change,
}

impl File {
    /// Reads the patch that was printed for a change: the lines about modes become a hunk, the rest up to the first
    /// `@@` is the header.
    pub fn read(change: Change, patch: &[u8]) -> File {
        let mut file = File {
            header: Vec::new(),
            hunks: Vec::new(),
            added: change.old.is_none(),
            deleted: change.new.is_none(),
            binary: false,
            change,
        };
        let mut modes = Vec::new();
        for line in lines::split(patch) {
            if line.starts_with(b"@@ ") {
                file.hunks.extend(Hunk::head(line));
            } else if let Some(hunk) = file.hunks.last_mut() {
                hunk.push(line);
            } else if line.starts_with(b"old mode ") || line.starts_with(b"new mode ") {
                modes.extend_from_slice(line);
            } else {
                file.binary |= line.starts_with(b"Binary files ");
                file.header.extend_from_slice(line);
            }
        }
        if !modes.is_empty() {
            let hunk = Hunk {
                mode: Some(modes),
                ..Hunk::empty()
            };
            file.hunks.insert(0, hunk);
        }
        file
    }

    /// Whether the first hunk is that of the mode.
    pub fn has_mode(&self) -> bool {
        self.hunks.first().is_some_and(|hunk| hunk.mode.is_some())
    }

    /// Puts the parts of a hunk in its place, and says how many there are; each is as decided as the whole was.
    pub fn split(&mut self, at: usize) -> usize {
        let parts = self.hunks[at].parts();
        let count = parts.len();
        self.hunks.splice(at..=at, parts);
        count
    }
}

impl Hunk {
    /// A hunk without lines.
    fn empty() -> Hunk {
        Hunk {
            old_start: 0,
            new_start: 0,
            lines: Vec::new(),
            heading: Vec::new(),
            mode: None,
            chosen: Use::Undecided,
        }
    }

    /// Reads `@@ -3,4 +5 @@ heading`; none for a line that is none. Counts are not kept: they follow from the lines.
    fn head(line: &[u8]) -> Option<Hunk> {
        let text = line.strip_prefix(b"@@ -")?;
        let end = text.windows(3).position(|part| part == b" @@")?;
        let places = std::str::from_utf8(&text[..end]).ok()?;
        let (old, new) = places.split_once(" +")?;
        let start = |place: &str| place.split(',').next()?.parse().ok();
        Some(Hunk {
            old_start: start(old)?,
            new_start: start(new)?,
            heading: text[end + 3..].trim_ascii_end().to_vec(),
            ..Hunk::empty()
        })
    }

    /// Adds a line of the patch. `\ No newline at end of file` takes the end of the line before.
    fn push(&mut self, line: &[u8]) {
        match line.split_first() {
            Some((b'\\', _)) => {
                if let Some((_, last)) = self.lines.last_mut() {
                    last.pop();
                }
            }
            // An editor may have taken the blank of an empty line.
            Some((b'\n', _)) => self.lines.push((b' ', b"\n".to_vec())),
            Some((mark, text)) => self.lines.push((*mark, text.to_vec())),
            None => {}
        }
    }

    /// How many lines the old and the new side have.
    pub fn counts(&self) -> (usize, usize) {
        let without = |mark: u8| self.lines.iter().filter(|line| line.0 != mark).count();
        (without(b'+'), without(b'-'))
    }

    /// The hunk as a patch has it, with counts for the lines that it has.
    pub fn text(&self) -> Vec<u8> {
        if let Some(mode) = &self.mode {
            return mode.clone();
        }
        let (old, new) = self.counts();
        let span = |start: usize, count: usize| match count {
            1 => start.to_string(),
            count => format!("{start},{count}"),
        };
        let place = format!(
            "@@ -{} +{} @@",
            span(self.old_start, old),
            span(self.new_start, new)
        );
        let mut out = bytes!(place, self.heading, "\n");
        for (mark, text) in &self.lines {
            out.push(*mark);
            out.extend_from_slice(text);
            if !text.ends_with(b"\n") {
                out.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
        out
    }

    /// One line about the hunk, 80 bytes at most: ` -1,5 +1,6          +first changed line`.
    pub fn summary(&self) -> Vec<u8> {
        let (old, new) = self.counts();
        let place = format!(" -{},{old} +{},{new} ", self.old_start, self.new_start);
        let mut out = format!("{place:<20}").into_bytes();
        if let Some((mark, text)) = self.lines.iter().find(|(mark, _)| *mark != b' ') {
            out.extend(bytes!([*mark], text));
        }
        out.truncate(80);
        if !out.ends_with(b"\n") {
            out.push(b'\n');
        }
        out
    }

    /// Where runs of changed lines begin and end.
    fn changed(&self) -> Vec<std::ops::Range<usize>> {
        let mut found: Vec<std::ops::Range<usize>> = Vec::new();
        for (at, (mark, _)) in self.lines.iter().enumerate() {
            match found.last_mut() {
                _ if *mark == b' ' => {}
                Some(last) if last.end == at => last.end = at + 1,
                _ => found.push(at..at + 1),
            }
        }
        found
    }

    /// How many hunks it can be split into: its runs of changed lines with context between. 1 is none.
    pub fn splits_into(&self) -> usize {
        self.changed().len()
    }

    /// The hunk in parts, which share the lines between them.
    fn parts(&self) -> Vec<Hunk> {
        let changed = self.changed();
        let mut parts = Vec::new();
        for at in 0..changed.len() {
            let from = match at.checked_sub(1) {
                Some(before) => changed[before].end,
                None => 0,
            };
            let to = changed
                .get(at + 1)
                .map_or(self.lines.len(), |next| next.start);
            let before = &self.lines[..from];
            let old = before.iter().filter(|line| line.0 != b'+').count();
            let new = before.iter().filter(|line| line.0 != b'-').count();
            parts.push(Hunk {
                old_start: self.old_start + old,
                new_start: self.new_start + new,
                lines: self.lines[from..to].to_vec(),
                heading: if at == 0 {
                    self.heading.clone()
                } else {
                    Vec::new()
                },
                mode: None,
                chosen: self.chosen,
            });
        }
        parts
    }

    /// The lines that the hunk finds, of the new side with `reverse`.
    fn found(&self, reverse: bool) -> impl Iterator<Item = &Vec<u8>> {
        let come = if reverse { b'-' } else { b'+' };
        let found = self.lines.iter().filter(move |(mark, _)| *mark != come);
        found.map(|(_, text)| text)
    }

    /// What the hunk does to the file: to that of the new side with `reverse`, where it is taken back.
    pub fn runs(&self, reverse: bool) -> Vec<Run> {
        let (start, count, come) = if reverse {
            (self.new_start, self.counts().1, b'-')
        } else {
            (self.old_start, self.counts().0, b'+')
        };
        let mut at = start - usize::from(count > 0 && start > 0);
        let mut runs: Vec<Run> = Vec::new();
        let mut open = false;
        for (mark, text) in &self.lines {
            if *mark == b' ' {
                open = false;
                at += 1;
                continue;
            }
            if !open {
                runs.push(Run {
                    start: at,
                    lost: 0,
                    lines: Vec::new(),
                });
            }
            open = true;
            if let Some(run) = runs.last_mut() {
                if *mark == come {
                    run.lines.push(text.clone());
                } else {
                    run.lost += 1;
                    at += 1;
                }
            }
        }
        runs
    }

    /// The hunk as the user edited it; none where it does not fit what it changes: the lines that must be found are
    /// those of this hunk, in order, and each begins with a mark. Lines with `#` and the heading are passed over.
    pub fn edited(&self, text: &[u8], reverse: bool) -> Option<Hunk> {
        let mut hunk = Hunk {
            lines: Vec::new(),
            ..self.clone()
        };
        for line in lines::split(text) {
            if line.starts_with(b"@@ ") {
                continue;
            }
            if !line.starts_with(b"#") {
                hunk.push(line);
            }
        }
        let marks = hunk.lines.iter().all(|(mark, _)| b" +-".contains(mark));
        let fits = hunk.found(reverse).eq(self.found(reverse));
        (marks && fits).then_some(hunk)
    }
}

/// A file's content after the runs of the chosen hunks. Runs may come in any order and do not overlap.
pub fn changed(content: &[u8], mut runs: Vec<Run>) -> Vec<u8> {
    let lines = lines::split(content);
    runs.sort_by_key(|run| run.start);
    let mut out = Vec::with_capacity(content.len());
    let mut at = 0;
    for run in runs {
        let start = run.start.clamp(at, lines.len());
        out.extend(lines[at..start].concat());
        out.extend(run.lines.concat());
        at = (start + run.lost).min(lines.len());
    }
    out.extend(lines[at..].concat());
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    fn hunk(text: &str) -> Option<Hunk> {
        let mut lines = lines::split(text.as_bytes()).into_iter();
        let mut hunk = Hunk::head(lines.next()?)?;
        lines.for_each(|line| hunk.push(line));
        Some(hunk)
    }

    #[test]
    fn parts_share_the_lines_between_them() {
        let whole = hunk("@@ -1,5 +1,6 @@ fn\n a\n-b\n+B\n c\n+d\n e\n f\n").unwrap();
        assert_eq!(
            whole.text(),
            b"@@ -1,5 +1,6 @@ fn\n a\n-b\n+B\n c\n+d\n e\n f\n"
        );
        let parts: Vec<_> = whole.parts().iter().map(Hunk::text).collect();
        let parts: Vec<_> = parts
            .iter()
            .map(|part| String::from_utf8_lossy(part))
            .collect();
        assert_eq!(
            parts,
            [
                "@@ -1,3 +1,3 @@ fn\n a\n-b\n+B\n c\n",
                "@@ -3,3 +3,4 @@\n c\n+d\n e\n f\n"
            ]
        );
    }

    #[test]
    fn runs_lead_from_one_side_to_the_other() {
        let (old, new) = (b"a\nb\nc\ne\nf\n", b"a\nB\nc\nd\ne\nf\n");
        let whole = hunk("@@ -1,5 +1,6 @@\n a\n-b\n+B\n c\n+d\n e\n f\n").unwrap();
        assert_eq!(changed(old, whole.runs(false)), new);
        assert_eq!(changed(new, whole.runs(true)), old);
        let parts = whole.parts();
        assert_eq!(changed(old, parts[1].runs(false)), b"a\nb\nc\nd\ne\nf\n");
        assert_eq!(changed(new, parts[0].runs(true)), b"a\nb\nc\nd\ne\nf\n");
    }

    #[test]
    fn an_edit_must_fit() {
        let whole = hunk("@@ -1,2 +1,2 @@\n a\n-b\n+B\n").unwrap();
        let kept = whole.edited(b"# c\n@@ -1,2 +1,2 @@\n a\n b\n+x\n# d\n", false);
        let kept = kept.map(|hunk| changed(b"a\nb\n", hunk.runs(false)));
        assert_eq!(kept.as_deref(), Some(b"a\nb\nx\n".as_slice()));
        assert!(whole.edited(b" a\n-c\n+x\n", false).is_none());
        assert!(whole.edited(b" a\n-c\n+B\n", true).is_some());
    }
}
