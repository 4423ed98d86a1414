//! Names in columns, as many as fit, with tabs between them.

use super::settings::{Format, Settings};
use crate::output::Output;

/// Text as it is written, colours included, and its width on the screen.
pub type Cell = (Vec<u8>, usize);

/// Spaces between columns, at least.
const GAP: usize = 2;

/// Prints the cells in columns.
pub fn print(cells: &[Cell], settings: &Settings, out: &mut Output) {
    match settings.format {
        Format::Commas => commas(cells, settings.width, out),
        Format::Across | Format::Down if settings.width == 0 => one_row(cells, out),
        Format::Across | Format::Down => grid(cells, settings, out),
        Format::Lines => cells.iter().for_each(|cell| out.line(&cell.0)),
    }
}

/// `-m`: as many names on a line as fit.
fn commas(cells: &[Cell], width: usize, out: &mut Output) {
    let mut at = 0;
    for (index, (text, length)) in cells.iter().enumerate() {
        if index > 0 {
            if width == 0 || at + length + 2 < width {
                out.put(b", ");
                at += 2;
            } else {
                out.put(b",\n");
                at = 0;
            }
        }
        out.put(text);
        at += length;
    }
    if !cells.is_empty() {
        out.end_line(b'\n');
    }
}

/// All names on one line: where lines have no end, there are no columns.
fn one_row(cells: &[Cell], out: &mut Output) {
    for (index, (text, _)) in cells.iter().enumerate() {
        if index > 0 {
            out.put(b"  ");
        }
        out.put(text);
    }
    if !cells.is_empty() {
        out.end_line(b'\n');
    }
}

/// The columns: down first for `-C`, across first for `-x`.
fn grid(cells: &[Cell], settings: &Settings, out: &mut Output) {
    let across = settings.format == Format::Across;
    let widths = column_widths(cells, settings.width, across);
    let columns = widths.len().max(1);
    let rows = cells.len().div_ceil(columns);
    for row in 0..rows {
        let mut at = 0;
        let mut start = 0;
        for (column, width) in widths.iter().enumerate() {
            let index = if across {
                row * columns + column
            } else {
                column * rows + row
            };
            let Some((text, length)) = cells.get(index) else {
                break;
            };
            indent(at, start, settings.tab, out);
            out.put(text);
            at = start + length;
            start += width;
        }
        out.end_line(b'\n');
    }
}

/// Fills from one column of the screen to another. A tab takes the place of spaces where the next stop is not beyond
/// the end and more than one column away.
fn indent(mut from: usize, to: usize, tab: usize, out: &mut Output) {
    while from < to {
        if tab != 0 && to / tab > (from + 1) / tab {
            out.put(b"\t");
            from += tab - from % tab;
        } else {
            out.put(b" ");
            from += 1;
        }
    }
}

/// The widths, gaps included, of the most columns that fit; empty without cells. A column is at least three wide, so
/// that at most `width / 3` are tried: O(n × width).
fn column_widths(cells: &[Cell], width: usize, across: bool) -> Vec<usize> {
    let most = width.div_ceil(3).max(1).min(cells.len());
    for columns in (1..=most).rev() {
        let rows = cells.len().div_ceil(columns);
        let mut widths = vec![0; columns];
        for (index, (_, length)) in cells.iter().enumerate() {
            let column = if across {
                index % columns
            } else {
                index / rows
            };
            let gap = if column == columns - 1 { 0 } else { GAP };
            widths[column] = widths[column].max(length + gap).max(3);
        }
        let used = widths.iter().filter(|width| **width > 0).count();
        // As GNU has it, the least widths fit in any line.
        let fits = widths.iter().all(|width| *width <= 3) || widths.iter().sum::<usize>() < width;
        if columns == 1 || (fits && used == columns) {
            return widths;
        }
    }
    Vec::new()
}
