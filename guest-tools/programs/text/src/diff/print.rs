//! The output formats of `diff`, as GNU's manual has them under "diff Output Formats".
//!
//! All are made from the list of changes. Those that do not count (`-B`, `-I`) are left out, but stay in hunks of the
//! context formats with others that do. A last line without a newline is followed by `\ No newline at end of file`.

use super::compare::Change;
use super::{File, Style};
use crate::call::bytes;
use crate::output::Output;
use crate::pattern::Pattern;
use crate::time;

/// Writes the differences of two files in one output format.
pub struct Printer<'a> {
    /// The old file and its lines.
    pub old: (&'a File, &'a [&'a [u8]]),
    /// The new file and its lines.
    pub new: (&'a File, &'a [&'a [u8]]),
    /// All changes.
    pub changes: &'a [Change],
    /// Which of them do not count.
    pub ignored: &'a [bool],
    /// The format.
    pub style: Style,
    /// Changes are coloured.
    pub color: bool,
    /// `-W`: how wide two columns are.
    pub width: usize,
    /// Two columns have only the lines that differ.
    pub suppress_common: bool,
    /// Of lines that are the same only the left one is shown.
    pub left_column: bool,
    /// `-T`: a tab follows the mark of a line, so that its own tabs line up.
    pub initial_tab: bool,
    /// What a line matches that names a function.
    pub functions: Option<&'a Pattern>,
    /// The distance of tab stops, where tabs become blanks.
    pub tab: Option<usize>,
    /// That distance in any case.
    pub tab_size: usize,
    /// No blank stands before an empty line.
    pub bare: bool,
    /// Where it is written.
    pub out: &'a mut Output,
}

/// The colour of what is removed.
const RED: &str = "31";
/// The colour of what is added.
const GREEN: &str = "32";
/// The colour of line numbers.
const CYAN: &str = "36";

impl Printer<'_> {
    /// Writes all of them.
    pub fn print(mut self) {
        match self.style {
            Style::Unified(lines) => self.unified(lines),
            Style::Context(lines) => self.context(lines),
            Style::Ed => self.ed(),
            Style::ForwardEd => self.forward_ed(),
            Style::Rcs => self.rcs(),
            Style::SideBySide => self.side_by_side(),
            Style::Normal | Style::Groups | Style::Brief => self.normal(),
        }
    }

    /// Writes a text in a colour, where there are colours.
    fn paint(&mut self, color: &str, text: &[u8]) {
        if self.color {
            self.out.put(format!("\x1b[{color}m"));
            self.out.put(text);
            self.out.put(b"\x1b[0m");
        } else {
            self.out.put(text);
        }
    }

    /// A line with its mark; one without an end is followed by a note.
    fn marked(&mut self, mark: &str, line: &[u8], color: Option<&str>) {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let gap = match self.style {
            _ if self.initial_tab => "\t",
            Style::Unified(_) => "",
            _ => " ",
        };
        let whole = match self.tab {
            _ if self.bare && text.is_empty() && mark == " " => Vec::new(),
            Some(size) => bytes!(mark, gap, expand(text, size)),
            None => bytes!(mark, gap, text),
        };
        match color {
            Some(color) => self.paint(color, &whole),
            None => self.out.put(&whole),
        }
        self.out.put(b"\n");
        if text.len() == line.len() {
            self.out.put(b"\\ No newline at end of file\n");
        }
    }

    /// The changes that count.
    fn counted(&self) -> Vec<Change> {
        let counted = self
            .changes
            .iter()
            .zip(self.ignored)
            .filter(|(_, ignored)| !**ignored);
        counted.map(|(change, _)| *change).collect()
    }

    /// The format without an option.
    fn normal(&mut self) {
        for change in self.counted() {
            let letter = letter(&change);
            let head = bytes!(range(change.from, ","), letter, range(change.to, ","), "\n");
            let head = head.strip_suffix(b"\n").unwrap_or(&head).to_vec();
            self.paint_line(CYAN, &head);
            for line in &self.old.1[change.from.0..change.from.1] {
                self.marked("<", line, Some(RED));
            }
            if letter == "c" {
                self.out.put(b"---\n");
            }
            for line in &self.new.1[change.to.0..change.to.1] {
                self.marked(">", line, Some(GREEN));
            }
        }
    }

    /// Writes a line in a colour.
    fn paint_line(&mut self, color: &str, text: &[u8]) {
        self.paint(color, text);
        self.out.put(b"\n");
    }

    /// A script for ed, from the end to the start, so that line numbers hold.
    fn ed(&mut self) {
        for change in self.counted().into_iter().rev() {
            let letter = letter(&change);
            self.out.line(bytes!(range(change.from, ","), letter));
            if letter == "d" {
                continue;
            }
            let mut inserting = true;
            for line in &self.new.1[change.to.0..change.to.1] {
                if !std::mem::replace(&mut inserting, true) {
                    self.out.line(b"a");
                }
                let text = line.strip_suffix(b"\n").unwrap_or(line);
                if text == b"." {
                    self.out.put(b"..\n.\ns/.//\n");
                    inserting = false;
                } else {
                    self.out.line(text);
                }
            }
            if inserting {
                self.out.line(b".");
            }
        }
    }

    /// What looks like a script for `ed` with the changes in their order.
    fn forward_ed(&mut self) {
        for change in self.counted() {
            let letter = letter(&change);
            self.out.line(bytes!(letter, range(change.from, " ")));
            if letter == "d" {
                continue;
            }
            for line in &self.new.1[change.to.0..change.to.1] {
                self.out.line(line.strip_suffix(b"\n").unwrap_or(line));
            }
            self.out.line(b".");
        }
    }

    fn rcs(&mut self) {
        for change in self.counted() {
            let (from, to) = (change.from, change.to);
            if from.1 > from.0 {
                self.out
                    .line(format!("d{} {}", from.0 + 1, from.1 - from.0));
            }
            if to.1 > to.0 {
                self.out.line(format!("a{} {}", from.1, to.1 - to.0));
                self.new.1[to.0..to.1]
                    .iter()
                    .for_each(|line| self.out.put(line));
            }
        }
    }

    /// Changes that are so near to each other that their context of `lines` joins them; without those of which none
    /// counts.
    fn hunks(&self, lines: usize) -> Vec<Vec<Change>> {
        let mut hunks: Vec<(Vec<Change>, bool)> = Vec::new();
        for (change, ignored) in self.changes.iter().zip(self.ignored) {
            match hunks.last_mut() {
                Some((hunk, counts))
                    if hunk
                        .last()
                        .is_some_and(|last| change.from.0 - last.from.1 <= 2 * lines) =>
                {
                    hunk.push(*change);
                    *counts |= !ignored;
                }
                _ => hunks.push((vec![*change], !ignored)),
            }
        }
        hunks
            .into_iter()
            .filter(|(_, counts)| *counts)
            .map(|(hunk, _)| hunk)
            .collect()
    }

    /// The names of both files, with their times or as their labels.
    fn header(&mut self, marks: [&str; 2]) {
        let zone = time::zone();
        for (mark, (file, _)) in marks.into_iter().zip([self.old, self.new]) {
            let name = match &file.label {
                Some(label) => label.clone(),
                None => bytes!(file.path, "\t", time::full(file.modified, &zone)),
            };
            self.paint_line("1", &bytes!(mark, " ", name));
        }
    }

    /// The lines of both files that a hunk shows.
    fn spans(&self, hunk: &[Change], lines: usize) -> ((usize, usize), (usize, usize)) {
        let (first, last) = (hunk[0], hunk[hunk.len() - 1]);
        let span = |start: usize, end: usize, length: usize| {
            (start.saturating_sub(lines), (end + lines).min(length))
        };
        (
            span(first.from.0, last.from.1, self.old.1.len()),
            span(first.to.0, last.to.1, self.new.1.len()),
        )
    }

    /// The last line above a hunk that begins a function, with a blank before it, cut to 40 bytes; nothing where
    /// there is none.
    fn function(&self, start: usize) -> Vec<u8> {
        let Some(functions) = self.functions else {
            return Vec::new();
        };
        let begins = |line: &&&[u8]| functions.is_match(line.strip_suffix(b"\n").unwrap_or(line));
        match self.old.1[..start].iter().rev().find(begins) {
            Some(line) => {
                let line = line.trim_ascii_end();
                bytes!(" ", &line[..line.len().min(40)])
            }
            None => Vec::new(),
        }
    }

    /// The unified format.
    fn unified(&mut self, lines: usize) {
        self.header(["---", "+++"]);
        for hunk in self.hunks(lines) {
            let (from, to) = self.spans(&hunk, lines);
            let head = format!("@@ -{} +{} @@", unified_range(from), unified_range(to));
            let function = self.function(from.0);
            self.paint(CYAN, head.as_bytes());
            self.out.line(&function);
            let mut at = from.0;
            for change in &hunk {
                for line in &self.old.1[at..change.from.0] {
                    self.marked(" ", line, None);
                }
                for line in &self.old.1[change.from.0..change.from.1] {
                    self.marked("-", line, Some(RED));
                }
                for line in &self.new.1[change.to.0..change.to.1] {
                    self.marked("+", line, Some(GREEN));
                }
                at = change.from.1;
            }
            for line in &self.old.1[at..from.1] {
                self.marked(" ", line, None);
            }
        }
    }

    /// The context format. A half without changes of its own has only its header.
    fn context(&mut self, lines: usize) {
        self.header(["***", "---"]);
        for hunk in self.hunks(lines) {
            let (from, to) = self.spans(&hunk, lines);
            let function = self.function(from.0);
            self.out.line(bytes!("***************", function));
            self.paint_line(CYAN, format!("*** {} ****", context_range(from)).as_bytes());
            if hunk.iter().any(|change| change.from.1 > change.from.0) {
                let changes = hunk
                    .iter()
                    .map(|change| (change.from, change.to.1 > change.to.0));
                self.context_side(self.old.1, from, changes.collect(), "-", RED);
            }
            self.paint_line(CYAN, format!("--- {} ----", context_range(to)).as_bytes());
            if hunk.iter().any(|change| change.to.1 > change.to.0) {
                let changes = hunk
                    .iter()
                    .map(|change| (change.to, change.from.1 > change.from.0));
                self.context_side(self.new.1, to, changes.collect(), "+", GREEN);
            }
        }
    }

    /// A half of a hunk. Changes are those of this file, each with whether the other file has lines there too, which
    /// are marked with `!`.
    fn context_side(
        &mut self,
        lines: &[&[u8]],
        span: (usize, usize),
        changes: Vec<((usize, usize), bool)>,
        mark: &str,
        color: &str,
    ) {
        let mut at = span.0;
        for ((start, end), both) in changes {
            for line in &lines[at..start] {
                self.marked(" ", line, None);
            }
            for line in &lines[start..end] {
                self.marked(if both { "!" } else { mark }, line, Some(color));
            }
            at = end;
        }
        for line in &lines[at..span.1] {
            self.marked(" ", line, None);
        }
    }

    /// Both files beside each other.
    fn side_by_side(&mut self) {
        let columns = Columns::new(self.width, self.tab_size, self.tab.is_some());
        let (mut i, mut j) = (0, 0);
        for change in self.counted() {
            self.alike((i, change.from.0), (j, change.to.0), &columns);
            (i, j) = (change.from.0, change.to.0);
            while i < change.from.1 && j < change.to.1 {
                self.row(Some(self.old.1[i]), b'|', Some(self.new.1[j]), &columns);
                i += 1;
                j += 1;
            }
            while j < change.to.1 {
                self.row(None, b'>', Some(self.new.1[j]), &columns);
                j += 1;
            }
            while i < change.from.1 {
                self.row(Some(self.old.1[i]), b'<', None, &columns);
                i += 1;
            }
        }
        let (old, new) = (self.old.1.len(), self.new.1.len());
        self.alike((i, old), (j, new), &columns);
    }

    /// Lines that are the same, and those whose differences do not count.
    fn alike(&mut self, old: (usize, usize), new: (usize, usize), columns: &Columns) {
        if self.suppress_common {
            return;
        }
        let (mut i, mut j) = (old.0, new.0);
        while i < old.1 && j < new.1 {
            let right = (!self.left_column).then(|| self.new.1[j]);
            let mark = if self.left_column { b'(' } else { b' ' };
            self.row(Some(self.old.1[i]), mark, right, columns);
            i += 1;
            j += 1;
        }
        for at in j..new.1 {
            self.row(None, b')', Some(self.new.1[at]), columns);
        }
        for at in i..old.1 {
            self.row(Some(self.old.1[at]), b'(', None, columns);
        }
    }

    /// A row of two columns. `|` becomes `/` or `\` where only one of the lines has a newline.
    fn row(&mut self, left: Option<&[u8]>, mark: u8, right: Option<&[u8]>, columns: &Columns) {
        let mut row = Vec::new();
        let mut column = 0;
        let ended = |line: Option<&[u8]>| line.is_some_and(|line| line.ends_with(b"\n"));
        if let Some(left) = left {
            column = columns.fit(left, &mut row);
        }
        if mark != b' ' {
            let place = (columns.half + columns.second).saturating_sub(1) / 2;
            column = columns.go(&mut row, column, place) + 1;
            row.push(match (mark, ended(left), ended(right)) {
                (b'|', true, false) => b'/',
                (b'|', false, true) => b'\\',
                _ => mark,
            });
        }
        if let Some(right) = right.filter(|right| !right.starts_with(b"\n")) {
            columns.go(&mut row, column, columns.second);
            columns.fit(right, &mut row);
        }
        self.out.put(&row);
        if ended(left) || ended(right) {
            self.out.put(b"\n");
        }
    }
}

/// How the width of two columns is divided.
struct Columns {
    /// What a half may take.
    half: usize,
    /// Where the second one starts.
    second: usize,
    /// The distance of tab stops.
    tab: usize,
    /// Tabs become blanks.
    expand: bool,
}

impl Columns {
    /// As GNU divides the width: the second column at a tab stop, a gutter of three before it.
    fn new(width: usize, tab: usize, expand: bool) -> Columns {
        const GUTTER: usize = 3;
        let step = if expand { 1 } else { tab };
        let both = step + GUTTER;
        let middle = width / 2 + both / 2 + (width & both & 1);
        let stop = middle - middle % step;
        let half = stop.saturating_sub(GUTTER).min(width.saturating_sub(stop));
        let second = if half > 0 { stop } else { width };
        Columns {
            half,
            second,
            tab,
            expand,
        }
    }

    /// Writes as much of a line as fits into a half; gives the columns it takes.
    fn fit(&self, line: &[u8], out: &mut Vec<u8>) -> usize {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        // Where the line is, and where what was written of it is.
        let (mut from, mut to) = (0, 0);
        let mut at = 0;
        while at < text.len() {
            let length = crate::pattern::character_length(&text[at..]);
            if text[at] == b'\t' {
                let step = self.tab - from % self.tab;
                if from == to && self.expand {
                    let stop = (to + step).min(self.half);
                    out.resize(out.len() + stop.saturating_sub(to), b' ');
                    to = to.max(stop);
                } else if from == to && to + step < self.half {
                    out.push(b'\t');
                    to += step;
                }
                from += step;
            } else {
                from += 1;
                if from <= self.half {
                    to = from;
                    out.extend_from_slice(&text[at..at + length]);
                }
            }
            at += length;
        }
        to
    }

    /// Goes on from a column to another one, with tabs where they are not expanded; gives the column that is reached.
    fn go(&self, out: &mut Vec<u8>, mut from: usize, to: usize) -> usize {
        let mut stop = from + self.tab - from % self.tab;
        while !self.expand && stop <= to {
            out.push(b'\t');
            (from, stop) = (stop, stop + self.tab);
        }
        out.resize(out.len() + to.saturating_sub(from), b' ');
        from.max(to)
    }
}

/// A line with blanks for its tabs, whose stops are `size` columns apart. Each character takes one column.
pub fn expand(text: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut column = 0;
    for &byte in text {
        if byte == b'\t' {
            let next = (column / size + 1) * size;
            out.resize(out.len() + next - column, b' ');
            column = next;
        } else {
            out.push(byte);
            // What goes on with a character takes no column.
            column += usize::from(byte & 0xc0 != 0x80);
        }
    }
    out
}

/// `c`, `d` or `a`: changed, deleted or added.
fn letter(change: &Change) -> &'static str {
    match (change.from.1 > change.from.0, change.to.1 > change.to.0) {
        (true, true) => "c",
        (true, false) => "d",
        _ => "a",
    }
}

/// `3` or `3,5`; of an empty range the line before it.
fn range((start, end): (usize, usize), comma: &str) -> String {
    match end - start {
        0 => start.to_string(),
        1 => end.to_string(),
        _ => format!("{}{comma}{end}", start + 1),
    }
}

/// `3` or `3,2`: the first line and how many; of an empty range the line before it and 0.
fn unified_range((start, end): (usize, usize)) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => end.to_string(),
        length => format!("{},{length}", start + 1),
    }
}

/// `3` or `3,5`: the first line and the last; of an empty range the line before it.
fn context_range((start, end): (usize, usize)) -> String {
    if end - start <= 1 {
        end.to_string()
    } else {
        format!("{},{end}", start + 1)
    }
}
