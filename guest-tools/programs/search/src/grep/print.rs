//! What `grep` prints: prefixes, colours, separators. The layout is `NAME:LINE:OFFSET:TAB` before a selected line, with
//! `-` in place of `:` before a line of context. Colours are the defaults of `GREP_COLORS`, which is not read.

use super::{Plan, Report};
use crate::call::bytes;
use crate::options::Parsed;
use crate::output::Output;
use crate::pattern::Pattern;

/// Prints lines and matches of one file after the other.
pub struct Printer {
    /// The file at hand, as it is shown.
    name: Vec<u8>,
    /// Names stand before lines.
    named: bool,
    /// `-n`.
    numbers: bool,
    /// `-b`: the offset of the line, or with `-o` of the match.
    offsets: bool,
    /// `-T`: numbers are at least two wide, and a tab follows the prefix.
    tab: bool,
    /// What follows a file name: NUL with `-Z`.
    null: bool,
    color: bool,
    /// Each line is written at once.
    line_buffered: bool,
    /// `-o`: context and the lines themselves are not printed.
    only_matches: bool,
    /// With `-v` nothing in a line is coloured, and `-o` prints nothing.
    invert: bool,
    /// What ends a line.
    end: u8,
    /// What stands between groups of context; none where no context was asked for, or with `--no-group-separator`.
    between: Option<Vec<u8>>,
    /// Something was printed, in this file or one before: groups of context are then set apart.
    pub started: bool,
}

/// Where a line stands.
#[derive(Clone, Copy)]
pub struct Place {
    /// Counted from 1; only valid where `Printer::wants_numbers`.
    pub number: u64,
    /// Bytes before it.
    pub offset: u64,
}

impl Printer {
    /// Prints as the options say; `named` puts the file name before each line.
    pub fn new(parsed: &Parsed, plan: &Plan, named: bool) -> Printer {
        let color = match parsed.value("color").or_else(|| parsed.value("colour")) {
            None | Some(b"never" | b"no" | b"none") => false,
            Some(b"always" | b"yes" | b"force") => true,
            Some(_) => crate::system::is_terminal(1),
        };
        let between = match parsed.last(&["group-separator", "no-group-separator"]) {
            Some("no-group-separator") => None,
            Some(_) => parsed.value("group-separator").map(<[u8]>::to_vec),
            None => Some(b"--".to_vec()),
        };
        let context = |(key, _): &(&str, Vec<u8>)| {
            matches!(*key, "A" | "B" | "C") || key.starts_with(|c: char| c.is_ascii_digit())
        };
        let between = between.filter(|_| parsed.options.iter().any(context));
        Printer {
            name: Vec::new(),
            named,
            numbers: parsed.has("n"),
            offsets: parsed.has("b"),
            tab: parsed.has("T"),
            null: parsed.has("Z"),
            color,
            line_buffered: parsed.has("line-buffered"),
            only_matches: plan.report == Report::Matches,
            invert: plan.invert,
            end: plan.end,
            between,
            started: false,
        }
    }

    /// Whether line numbers have to be counted.
    pub fn wants_numbers(&self) -> bool {
        self.numbers
    }

    /// A new file starts; `name` is how it is shown.
    pub fn begin(&mut self, name: &[u8]) {
        name.clone_into(&mut self.name);
    }

    /// Prints a selected line, given without its end, or with `-o` its matches.
    pub fn selected(&mut self, line: &[u8], place: Place, pattern: &Pattern, out: &mut Output) {
        self.started = true;
        if self.only_matches {
            if !self.invert {
                self.matches(line, place, pattern, out);
            }
            return;
        }
        self.prefix(place, b':', out);
        if self.color && !self.invert {
            self.colored(line, pattern, out);
        } else {
            out.put(line);
        }
        self.end_line(out);
    }

    /// Prints a line of context.
    pub fn context(&mut self, line: &[u8], place: Place, out: &mut Output) {
        self.started = true;
        if !self.only_matches {
            self.prefix(place, b'-', out);
            out.put(line);
            self.end_line(out);
        }
    }

    /// Whether groups of lines are set apart.
    pub fn separates(&self) -> bool {
        self.between.is_some()
    }

    /// The line between groups of context.
    pub fn separator(&self, out: &mut Output) {
        let Some(between) = &self.between else {
            return;
        };
        if !self.only_matches || !self.started {
            self.paint("36", between, out);
            out.end_line(b'\n');
        } else {
            out.put(bytes!(between, "\n"));
        }
    }

    /// Writes the number of matching lines, for `-c`.
    pub fn count(&self, count: u64, out: &mut Output) {
        if self.named {
            self.paint("35", &self.name, out);
            if self.null {
                out.put([0])
            } else {
                self.paint("36", b":", out)
            }
        }
        out.line(count.to_string());
    }

    /// Writes the name of the file, for `-l` and `-L`.
    pub fn file_name(&self, out: &mut Output) {
        self.paint("35", &self.name, out);
        out.end_line(if self.null { 0 } else { b'\n' });
    }

    /// Writes that a binary file matches.
    pub fn binary_matches(&self, out: &mut Output) {
        out.flush();
        crate::call::complain("grep", bytes!(self.name, ": binary file matches"));
    }

    /// Ends a line, and writes it where lines are not buffered.
    fn end_line(&self, out: &mut Output) {
        out.end_line(self.end);
        if self.line_buffered {
            out.flush();
        }
    }

    /// Writes text in a colour, where colours are on. `\x1b[K` clears to the end of the line as GNU's does, so that a
    /// background does not bleed.
    fn paint(&self, code: &str, text: &[u8], out: &mut Output) {
        if self.color {
            out.put(format!("\x1b[{code}m\x1b[K"));
            out.put(text);
            out.put(b"\x1b[m\x1b[K");
        } else {
            out.put(text);
        }
    }

    /// Writes what stands before a line.
    fn prefix(&self, place: Place, separator: u8, out: &mut Output) {
        if !(self.named || self.numbers || self.offsets) {
            return;
        }
        if self.named {
            self.paint("35", &self.name, out);
            if self.null {
                out.put([0])
            } else {
                self.paint("36", &[separator], out)
            }
        }
        let numbers = [(self.numbers, place.number), (self.offsets, place.offset)];
        for (_, number) in numbers.into_iter().filter(|(wanted, _)| *wanted) {
            let text = if self.tab {
                format!("{number:>2}")
            } else {
                number.to_string()
            };
            self.paint("32", text.as_bytes(), out);
            self.paint("36", &[separator], out);
        }
        if self.tab {
            out.put(b"\t");
        }
    }

    /// Prints each match that is not empty on a line of its own.
    fn matches(&self, line: &[u8], place: Place, pattern: &Pattern, out: &mut Output) {
        for (from, to) in each_match(line, pattern) {
            let offset = place.offset + from as u64;
            self.prefix(Place { offset, ..place }, b':', out);
            if self.color {
                self.paint("01;31", &line[from..to], out);
            } else {
                out.put(&line[from..to]);
            }
            self.end_line(out);
        }
    }

    /// Writes a line with its matches in colour.
    fn colored(&self, line: &[u8], pattern: &Pattern, out: &mut Output) {
        let mut done = 0;
        for (from, to) in each_match(line, pattern) {
            out.put(&line[done..from]);
            self.paint("01;31", &line[from..to], out);
            done = to;
        }
        out.put(&line[done..]);
    }
}

/// The matches of a line that are not empty, from left to right, without overlap.
fn each_match<'a>(
    line: &'a [u8],
    pattern: &'a Pattern,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at <= line.len() {
            let (from, to) = pattern.find_at(line, at)?;
            if to > from {
                at = to;
                return Some((from, to));
            }
            at = from + 1;
        }
        None
    })
}
