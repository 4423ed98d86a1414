//! `diff`, `sdiff`, `diff3` and `merge`, after GNU diffutils 3.8 and RCS.
//!
//! `command_line` reads the options, `pair` decides what two names are (files, directories, links), `compare` finds
//! the changes, and they are written by `print` in the usual formats and by `groups` in those of
//! `--GTYPE-group-format`. Files are read as a whole.
//!
//! Lines become numbers first, the same for lines that are equal under `-i`, `-w` and so on, so that the search
//! compares integers. `-d`, `-H` and `--horizon-lines` change nothing: the changes are the fewest, unless the search
//! gives up.
//!
//! Deliberate differences: `--from-file` and `--to-file` are not known, `-l` is accepted and does not paginate.
//!
//! Statuses: 0 no difference, 1 some, 2 trouble.

mod command_line;
mod compare;
mod groups;
mod pair;
mod print;
mod side;
mod three;

use std::borrow::Cow;

use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::pattern::Pattern;
use crate::{options, quote, system};
use command_line::{tab_size, takes_next};
use pair::File;
use rustc_hash::FxHashMap;

pub use side::run as side_by_side;
pub use three::{diff3, merge};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: diff [OPTION]... FILES\nCompare FILES line by line.\n",
    options: &[
        Opt("", "normal", Value::No),
        Opt("q", "brief", Value::No),
        Opt("s", "report-identical-files", Value::No),
        Opt("c", "", Value::No),
        Opt("C", "context", Value::Optional),
        Opt("u", "", Value::No),
        Opt("U", "unified", Value::Optional),
        Opt("e", "ed", Value::No),
        Opt("f", "forward-ed", Value::No),
        Opt("n", "rcs", Value::No),
        Opt("y", "side-by-side", Value::No),
        Opt("D", "ifdef", Value::Required),
        Opt("", "line-format", Value::Required),
        Opt("", "old-line-format", Value::Required),
        Opt("", "new-line-format", Value::Required),
        Opt("", "unchanged-line-format", Value::Required),
        Opt("", "old-group-format", Value::Required),
        Opt("", "new-group-format", Value::Required),
        Opt("", "unchanged-group-format", Value::Required),
        Opt("", "changed-group-format", Value::Required),
        Opt("W", "width", Value::Required),
        Opt("", "left-column", Value::No),
        Opt("", "suppress-common-lines", Value::No),
        Opt("p", "show-c-function", Value::No),
        Opt("F", "show-function-line", Value::Required),
        Opt("L", "label", Value::Required),
        Opt("t", "expand-tabs", Value::No),
        Opt("T", "initial-tab", Value::No),
        Opt("", "tabsize", Value::Required),
        Opt("", "suppress-blank-empty", Value::No),
        Opt("l", "paginate", Value::No),
        Opt("r", "recursive", Value::No),
        Opt("", "no-dereference", Value::No),
        Opt("N", "new-file", Value::No),
        Opt("P", "unidirectional-new-file", Value::No),
        Opt("", "ignore-file-name-case", Value::No),
        Opt("", "no-ignore-file-name-case", Value::No),
        Opt("x", "exclude", Value::Required),
        Opt("X", "exclude-from", Value::Required),
        Opt("S", "starting-file", Value::Required),
        Opt("i", "ignore-case", Value::No),
        Opt("E", "ignore-tab-expansion", Value::No),
        Opt("Z", "ignore-trailing-space", Value::No),
        Opt("b", "ignore-space-change", Value::No),
        Opt("w", "ignore-all-space", Value::No),
        Opt("B", "ignore-blank-lines", Value::No),
        Opt("I", "ignore-matching-lines", Value::Required),
        Opt("a", "text", Value::No),
        Opt("", "strip-trailing-cr", Value::No),
        Opt("d", "minimal", Value::No),
        Opt("H", "speed-large-files", Value::No),
        Opt("", "horizon-lines", Value::Required),
        Opt("", "color", Value::Optional),
        Opt("0", "", Value::No),
        Opt("1", "", Value::No),
        Opt("2", "", Value::No),
        Opt("3", "", Value::No),
        Opt("4", "", Value::No),
        Opt("5", "", Value::No),
        Opt("6", "", Value::No),
        Opt("7", "", Value::No),
        Opt("8", "", Value::No),
        Opt("9", "", Value::No),
    ],
    permute: true,
    status: 2,
};

/// How differences are written. The number is how many lines of context there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `3c3`, `<` and `>`.
    Normal,
    /// `-c` and `-C`.
    Context(usize),
    /// `-u` and `-U`.
    Unified(usize),
    /// `-e`: a script for ed.
    Ed,
    ForwardEd,
    Rcs,
    /// `-y`.
    SideBySide,
    /// `-D` and the formats of groups and lines.
    Groups,
    /// `-q`: only that there are some.
    Brief,
}

impl Style {
    /// Whether files without differences are written too.
    fn shows_equal(self) -> bool {
        matches!(self, Style::SideBySide | Style::Groups)
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match Diff::new(call) {
        Ok((diff, old, new)) => diff.run(old, new),
        Err(status) => status,
    }
}

/// The state of one call.
struct Diff<'a> {
    call: &'a Call,
    parsed: Parsed,
    style: Style,
    /// `-x` and `-X`: names in directories that are left out.
    exclude: Vec<Glob>,
    /// `-I`: what all lines of a change match that does not count.
    ignore_matching: Option<Pattern>,
    /// `-F` and `-p`: what a line matches that is shown in the headers of the hunks behind it.
    functions: Option<Pattern>,
    /// `--color`.
    color: bool,
    /// Contents that were decompressed (`zdiff`), by the name that stands for each.
    given: Vec<(Vec<u8>, Vec<u8>)>,
    out: Output,
    status: i32,
}

impl<'a> Diff<'a> {
    /// Compares two names; gives the exit status.
    fn run(mut self, old: Vec<u8>, new: Vec<u8>) -> i32 {
        self.pair(old, new, true);
        self.out.finish(&self.call.name, self.status, 2)
    }

    /// Says that a file cannot be read; the status becomes 2.
    fn complain(&mut self, path: &[u8], failure: system::Failure) {
        self.out.flush();
        self.status = self.call.fail(2, bytes!(path, ": ", failure));
    }

    /// There is a difference; the status becomes 1 unless it is 2.
    fn differ(&mut self) {
        self.status = self.status.max(1);
    }

    /// Compares two files. `top` is false for those of a recursion, whose differences begin with a line of their own.
    fn files(&mut self, old: Vec<u8>, new: Vec<u8>, top: bool) {
        // Standard input is there once.
        let twice = old == b"-" && new == b"-";
        let Some(mut old) = self.read(old) else {
            return;
        };
        let read = if twice {
            Some(old.clone())
        } else {
            self.read(new)
        };
        let Some(mut new) = read else {
            return;
        };
        (old.label, new.label) = (
            self.label(0).map(<[u8]>::to_vec),
            self.label(1).map(<[u8]>::to_vec),
        );
        let silent = !self.style.shows_equal();
        let identical = (silent && old.content == new.content) || self.compare(&old, &new, top);
        if identical {
            self.identical(&old.path, &new.path);
        }
    }

    /// Writes the differences of two files; true where there is none that counts. Files with a zero byte in their
    /// first 32 KiB are binary, and only said to differ, unless `-a` is given.
    fn compare(&mut self, old: &File, new: &File, top: bool) -> bool {
        const LOOKED_AT: usize = 32 * 1024;
        let binary = |file: &File| {
            memchr::memchr(0, &file.content[..file.content.len().min(LOOKED_AT)]).is_some()
        };
        if !self.parsed.has("a") && (binary(old) || binary(new)) {
            let what = if self.style == Style::Brief {
                "Files "
            } else {
                "Binary files "
            };
            self.out
                .line(bytes!(what, old.name(), " and ", new.name(), " differ"));
            self.differ();
            return false;
        }
        let (a, b) = (lines(&old.content), lines(&new.content));
        let (x, y) = self.numbers(&a, &b);
        let changes = compare::changes(&x, &y);
        let counts = |change: &compare::Change| {
            let both = a[change.from.0..change.from.1]
                .iter()
                .chain(&b[change.to.0..change.to.1]);
            !both.clone().all(|line| self.is_ignored(line))
        };
        if !changes.iter().any(counts) && !self.style.shows_equal() {
            return true;
        }
        let ignored: Vec<bool> = changes.iter().map(|change| !counts(change)).collect();
        if self.style == Style::Brief {
            self.out
                .line(bytes!("Files ", old.name(), " and ", new.name(), " differ"));
            self.differ();
            return false;
        }
        if !top && !self.style.shows_equal() {
            self.command_line(old.name(), new.name());
        }
        if self.style == Style::Groups {
            let all = changes.iter().zip(&ignored);
            let counted = all.filter(|(_, ignored)| !**ignored);
            let counted: Vec<_> = counted.map(|(change, _)| *change).collect();
            groups::Formats::new(&self.parsed).print(&a, &b, &counted, &mut self.out);
            if counted.is_empty() {
                return true;
            }
            self.differ();
            return false;
        }
        print::Printer {
            old: (old, &a),
            new: (new, &b),
            changes: &changes,
            ignored: &ignored,
            style: self.style,
            color: self.color,
            width: self
                .parsed
                .value("W")
                .and_then(options::number)
                .unwrap_or(130),
            suppress_common: self.parsed.has("suppress-common-lines"),
            left_column: self.parsed.has("left-column"),
            initial_tab: self.parsed.has("T"),
            functions: self.functions.as_ref(),
            tab: expanded(&self.parsed),
            tab_size: tab_size(&self.parsed),
            bare: self.parsed.has("suppress-blank-empty"),
            out: &mut self.out,
        }
        .print();
        if ignored.iter().any(|ignored| !ignored) {
            self.differ();
        }
        false
    }

    /// Writes `diff OPTIONS OLD NEW`, which stands before the differences of each pair of a recursion.
    fn command_line(&mut self, old: &[u8], new: &[u8]) {
        let mut line = b"diff".to_vec();
        let mut words = self.call.arguments.iter();
        while let Some(word) = words.next() {
            if word.len() < 2 || word[0] != b'-' {
                continue;
            }
            // The values of options are words of their own.
            let value = takes_next(word).then(|| words.next()).flatten();
            for word in std::iter::once(word).chain(value) {
                line.push(b' ');
                line.extend_from_slice(&quote::shell_where_needed(word));
            }
        }
        self.out.line(bytes!(line, " ", old, " ", new));
    }

    /// Whether `-B` or `-I` ignores a line. A change of such lines alone does not count.
    fn is_ignored(&self, line: &[u8]) -> bool {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let blank = self.parsed.has("B")
            && (text.is_empty()
                || (self.parsed.has("w") && text.iter().all(u8::is_ascii_whitespace)));
        blank
            || self
                .ignore_matching
                .as_ref()
                .is_some_and(|pattern| pattern.is_match(text))
    }

    /// The lines of both files as numbers, the same for lines that count as equal, from 0 on without gaps.
    fn numbers<'l>(&self, a: &[&'l [u8]], b: &[&'l [u8]]) -> (Vec<u32>, Vec<u32>) {
        let has = |key| self.parsed.has(key);
        let plain = !["i", "w", "b", "Z", "E", "strip-trailing-cr"]
            .into_iter()
            .any(has);
        let mut known: FxHashMap<Cow<[u8]>, u32> = FxHashMap::default();
        known.reserve(a.len());
        let mut number = |line: &&'l [u8]| {
            let key = if plain {
                Cow::Borrowed(*line)
            } else {
                Cow::Owned(self.normalized(line))
            };
            let next = known.len() as u32;
            *known.entry(key).or_insert(next)
        };
        let x = a.iter().map(&mut number).collect();
        (x, b.iter().map(&mut number).collect())
    }

    /// A line as it is compared: without what `-i`, `-E`, `-Z`, `-b`, `-w` and `--strip-trailing-cr` ignore. A
    /// missing newline counts, unless blanks do not.
    fn normalized(&self, line: &[u8]) -> Vec<u8> {
        let ended = line.last() == Some(&b'\n');
        let mut text = line.strip_suffix(b"\n").unwrap_or(line).to_vec();
        if self.parsed.has("strip-trailing-cr") && text.last() == Some(&b'\r') {
            text.pop();
        }
        if self.parsed.has("i") {
            // GNU's folds bytes, and so no letters beyond ASCII.
            text.make_ascii_lowercase();
        }
        if self.parsed.has("E") {
            text = print::expand(&text, tab_size(&self.parsed));
        }
        if self.parsed.has("w") {
            text.retain(|byte| !byte.is_ascii_whitespace());
        } else if self.parsed.has("b") || self.parsed.has("Z") {
            let end = text
                .iter()
                .rposition(|byte| !byte.is_ascii_whitespace())
                .map_or(0, |at| at + 1);
            text.truncate(end);
            if self.parsed.has("b") {
                text.dedup_by(|next, before| {
                    next.is_ascii_whitespace() && before.is_ascii_whitespace()
                });
                text.iter_mut()
                    .filter(|byte| byte.is_ascii_whitespace())
                    .for_each(|byte| *byte = b' ');
            }
        }
        let blanks = ["w", "b", "Z"].into_iter().any(|key| self.parsed.has(key));
        if ended || blanks {
            text.push(b'\n');
        }
        text
    }
}

/// The distance of tab stops, where tabs become blanks.
fn expanded(parsed: &Parsed) -> Option<usize> {
    parsed.has("t").then(|| tab_size(parsed))
}

/// The lines with their ends; the last one may have none.
fn lines(content: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::with_capacity(content.len() / 32);
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', content) {
        lines.push(&content[start..=end]);
        start = end + 1;
    }
    if start < content.len() {
        lines.push(&content[start..]);
    }
    lines
}
