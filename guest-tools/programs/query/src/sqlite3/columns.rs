//! Rows in columns: `.mode box`, `column`, `markdown` and `table`.
//!
//! All rows are held until the last is known, since widths depend on all of them. A value may take several lines, by
//! its own line ends or by `--wrap`; where any does, rows are kept apart by a line. Widths count characters, not cells
//! of a terminal, as in SQLite 3.40.

use offshoot_sqlite::{Error, Statement};

use super::literal;
use super::print::visible;
use super::settings::{Mode, Settings};

/// The lines between rows of a mode: what begins, joins and ends them, and what they are drawn with.
struct Frame {
    /// Begins the line.
    start: &'static str,
    /// Joins two columns.
    join: &'static str,
    /// Ends the line.
    end: &'static str,
    /// Fills a column.
    dash: &'static str,
}

const PLUS: Frame = Frame {
    start: "+",
    join: "+",
    end: "+",
    dash: "-",
};
const PIPE: Frame = Frame {
    start: "|",
    join: "|",
    end: "|",
    dash: "-",
};
const TOP: Frame = Frame {
    start: "┌",
    join: "┬",
    end: "┐",
    dash: "─",
};
const MIDDLE: Frame = Frame {
    start: "├",
    join: "┼",
    end: "┤",
    dash: "─",
};
const BOTTOM: Frame = Frame {
    start: "└",
    join: "┴",
    end: "┘",
    dash: "─",
};

/// One printed line of a row, and whether another line of the same row follows.
struct Line {
    /// The text of each column.
    cells: Vec<Vec<u8>>,
    /// Another line of the same row follows.
    continues: bool,
}

/// Prints all rows of a statement; what came before an error is printed as well.
pub fn print(
    settings: &Settings,
    statement: &mut Statement<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let columns = statement.columns();
    let mut lines = Vec::new();
    let ended = loop {
        match statement.step() {
            Ok(true) => row(settings, columns, statement, &mut lines),
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    if lines.is_empty() || columns == 0 {
        return ended;
    }
    let header: Vec<Vec<u8>> = (0..columns)
        .map(|column| {
            split(
                &statement.name(column),
                limit(settings, column),
                settings.word_wrap,
            )
            .0
        })
        .collect();
    Grid::new(settings, header, lines).print(out);
    ended
}

/// The most characters of a line in this column.
fn limit(settings: &Settings, column: usize) -> i64 {
    match settings.widths.get(column) {
        Some(width) if *width != 0 => width.abs(),
        _ => settings.wrap,
    }
}

/// Adds the lines of the row that the statement stands on.
fn row(settings: &Settings, columns: usize, statement: &Statement<'_>, lines: &mut Vec<Line>) {
    let mut rest: Vec<Option<Vec<u8>>> = (0..columns)
        .map(|column| {
            Some(if settings.quote {
                literal::value(&statement.value(column), literal::quoted, 'x')
            } else {
                let text = statement.text(column);
                visible(text.unwrap_or_else(|| settings.null.clone()))
            })
        })
        .collect();
    loop {
        let mut cells = Vec::with_capacity(columns);
        for (column, text) in rest.iter_mut().enumerate() {
            let whole = text.take().unwrap_or_default();
            let (cell, more) = split(&whole, limit(settings, column), settings.word_wrap);
            cells.push(cell);
            *text = more;
        }
        let continues = rest.iter().any(Option::is_some);
        lines.push(Line { cells, continues });
        if !continues {
            return;
        }
    }
}

/// The first line of a text, with tabs as blanks, and what is left.
///
/// `limit` is in characters, 0 or less for any number; with `words` no word is broken where that can be avoided.
fn split(text: &[u8], limit: i64, words: bool) -> (Vec<u8>, Option<Vec<u8>>) {
    let limit = match usize::try_from(limit) {
        Ok(limit) if limit > 0 => limit,
        _ => 1_000_000,
    };
    let at = |index: usize| text.get(index).copied().unwrap_or(0);
    let (mut end, mut width) = (0, 0);
    while width < limit {
        match at(end) {
            b'\t' => {
                width = (width / 8 + 1) * 8;
                width = width.min(limit.max(1));
                end += 1;
            }
            byte if byte >= b' ' => {
                width += 1;
                end += 1;
                while at(end) & 0xc0 == 0x80 {
                    end += 1;
                }
            }
            _ => break,
        }
    }
    let (mut shown, mut next) = (end, end);
    if width >= limit && words {
        (shown, next) = word_end(text, end);
    }
    let rest = if width >= limit && at(next) >= b' ' {
        Some(next)
    } else if at(next) == b'\r' && at(next + 1) == b'\n' {
        Some(next + 2)
    } else {
        Some(next + 1)
    };
    let rest = rest
        .filter(|rest| *rest < text.len())
        .map(|rest| text[rest..].to_vec());
    (expand(&text[..shown], limit), rest)
}

/// Where a line that is full ends so that no word is broken, and where the next one begins.
///
/// The last blank in the second half of the line, or else the last border between letters and others.
fn word_end(text: &[u8], end: usize) -> (usize, usize) {
    let at = |index: usize| text.get(index).copied().unwrap_or(0);
    let half = end / 2;
    let space = (half + 1..=end)
        .rev()
        .find(|&index| at(index - 1).is_ascii_whitespace());
    let border = || {
        (half + 1..=end).rev().find(|&index| {
            at(index - 1).is_ascii_alphanumeric() != at(index).is_ascii_alphanumeric()
                && at(index) & 0xc0 != 0x80
        })
    };
    match space.or_else(border) {
        None => (end, end),
        Some(found) => {
            let blanks = text[found..]
                .iter()
                .take_while(|byte| **byte == b' ')
                .count();
            (found, found + blanks)
        }
    }
}

/// The text with its tabs as blanks.
fn expand(text: &[u8], limit: usize) -> Vec<u8> {
    let (mut out, mut width) = (Vec::with_capacity(text.len()), 0);
    for &byte in text {
        if byte == b'\t' {
            loop {
                out.push(b' ');
                width += 1;
                if width % 8 == 0 || width >= limit {
                    break;
                }
            }
            continue;
        }
        width += usize::from(byte & 0xc0 != 0x80);
        out.push(byte);
    }
    out
}

fn characters(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// All lines with the widths of their columns.
struct Grid<'settings> {
    settings: &'settings Settings,
    header: Vec<Vec<u8>>,
    lines: Vec<Line>,
    /// The width of each column: the widest cell, and at least what `.width` says.
    widths: Vec<usize>,
}

impl<'settings> Grid<'settings> {
    fn new(
        settings: &'settings Settings,
        header: Vec<Vec<u8>>,
        lines: Vec<Line>,
    ) -> Grid<'settings> {
        let mut widths: Vec<usize> = (0..header.len())
            .map(|column| {
                settings
                    .widths
                    .get(column)
                    .map_or(0, |width| width.unsigned_abs() as usize)
            })
            .collect();
        for cells in lines.iter().map(|line| &line.cells).chain([&header]) {
            for (width, cell) in widths.iter_mut().zip(cells) {
                *width = characters(cell).max(*width);
            }
        }
        Grid {
            settings,
            header,
            lines,
            widths,
        }
    }

    /// Prints everything.
    fn print(&self, out: &mut Vec<u8>) {
        let (start, join, end) = match self.settings.mode {
            Mode::Column => ("", "  ", ""),
            Mode::Box => ("│ ", " │ ", " │"),
            _ => ("| ", " | ", " |"),
        };
        self.head(start, join, end, out);
        let spaced = self.lines.iter().any(|line| line.continues);
        for (index, line) in self.lines.iter().enumerate() {
            out.extend_from_slice(start.as_bytes());
            for (column, cell) in line.cells.iter().enumerate() {
                if column > 0 {
                    out.extend_from_slice(join.as_bytes());
                }
                self.cell(column, cell, out);
            }
            out.extend_from_slice(end.as_bytes());
            out.push(b'\n');
            if spaced && !line.continues && index + 1 < self.lines.len() {
                match self.settings.mode {
                    Mode::Table => self.rule(&PLUS, out),
                    Mode::Box => self.rule(&MIDDLE, out),
                    Mode::Column => out.push(b'\n'),
                    _ => {}
                }
            }
        }
        match self.settings.mode {
            Mode::Table => self.rule(&PLUS, out),
            Mode::Box => self.rule(&BOTTOM, out),
            _ => {}
        }
    }

    /// The header with the lines around it, names centred.
    fn head(&self, start: &str, join: &str, end: &str, out: &mut Vec<u8>) {
        match self.settings.mode {
            Mode::Column => return self.plain_head(out),
            Mode::Table => self.rule(&PLUS, out),
            Mode::Box => self.rule(&TOP, out),
            _ => {}
        }
        out.extend_from_slice(start.as_bytes());
        for (column, name) in self.header.iter().enumerate() {
            if column > 0 {
                out.extend_from_slice(join.as_bytes());
            }
            let blank = self.widths[column] - characters(name);
            out.resize(out.len() + blank / 2, b' ');
            out.extend_from_slice(name);
            out.resize(out.len() + blank.div_ceil(2), b' ');
        }
        out.extend_from_slice(end.as_bytes());
        out.push(b'\n');
        match self.settings.mode {
            Mode::Table => self.rule(&PLUS, out),
            Mode::Box => self.rule(&MIDDLE, out),
            _ => self.rule(&PIPE, out),
        }
    }

    /// The header of `.mode column`, underlined.
    fn plain_head(&self, out: &mut Vec<u8>) {
        if !self.settings.headers {
            return;
        }
        let last = self.header.len() - 1;
        for (column, name) in self.header.iter().enumerate() {
            self.cell(column, name, out);
            out.extend_from_slice(if column == last { b"\n" } else { b"  " });
        }
        for (column, width) in self.widths.iter().enumerate() {
            out.resize(out.len() + width, b'-');
            out.extend_from_slice(if column == last { b"\n" } else { b"  " });
        }
    }

    /// One cell, padded; a negative width aligns it to the right.
    fn cell(&self, column: usize, text: &[u8], out: &mut Vec<u8>) {
        let blank = self.widths[column] - characters(text);
        let right = self
            .settings
            .widths
            .get(column)
            .is_some_and(|width| *width < 0);
        if right {
            out.resize(out.len() + blank, b' ');
        }
        out.extend_from_slice(text);
        if !right {
            out.resize(out.len() + blank, b' ');
        }
    }

    /// A line between rows.
    fn rule(&self, frame: &Frame, out: &mut Vec<u8>) {
        let dashes = self.widths.iter().map(|width| frame.dash.repeat(width + 2));
        let dashes: Vec<String> = dashes.collect();
        out.extend_from_slice(frame.start.as_bytes());
        out.extend_from_slice(dashes.join(frame.join).as_bytes());
        out.extend_from_slice(frame.end.as_bytes());
        out.push(b'\n');
    }
}
