//! `xxd`, after that of Vim: bytes in hexadecimal, and back.
//!
//! ```text
//! 00000000: 6162 630a                                abc.        normal
//! 6162630a                                                      -p
//! unsigned char a[] = {                                         -i
//! ```
//!
//! Options have one dash or two, and only their first letter counts for most of them. The input is read as a whole.
//! Statuses are xxd's: 1 a wrong option, 2 and 3 an input or output that fails, 4 a place that cannot be reached, 5
//! the same for `-r`.

use std::io::Write as _;

use super::revert::Revert;
use super::{number, visible};
use crate::call::{Call, bytes};
use crate::output::Output;
use crate::system;

/// How bytes are written.
#[derive(Clone, Copy, Default, PartialEq)]
enum Style {
    /// Offset, hexadecimal digits, text.
    #[default]
    Normal,
    /// `-p`: only digits.
    Plain,
    /// `-b`: binary digits.
    Bits,
    /// `-i`: an array of C.
    Include,
    /// `-e`: groups with the low byte first.
    LittleEndian,
}

/// What the command line asks for.
#[derive(Default)]
struct Plan {
    style: Style,
    /// `-r`.
    reverse: bool,
    /// `-a`: lines of zeros are left out.
    skip: bool,
    /// `-c`: bytes of a line.
    columns: Option<usize>,
    /// `-g`: bytes of a group.
    group: Option<usize>,
    /// `-l`: how many bytes are written.
    length: usize,
    /// `-s`: where it begins, from the end if it is negative; for `-r` what is added to offsets.
    seek: i64,
    /// `-o`: what is added to the offsets that are shown.
    offset: i64,
    /// `-u`.
    upper: bool,
    /// `-E`: text is EBCDIC.
    ebcdic: bool,
    /// `-d`: offsets are decimal.
    decimal: bool,
    /// `-C`: the names of `-i` are upper-case.
    capitals: bool,
    /// `-n`: the name of the array.
    name: Option<Vec<u8>>,
}

const USAGE: &str = "Usage:\n       xxd [options] [infile [outfile]]\n    or\n       xxd -r [-s [-]offset] [-c cols] [-ps] [infile [outfile]]\n";

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    if let Some(status) = crate::options::information(call, USAGE) {
        return status;
    }
    let mut plan = Plan {
        length: usize::MAX,
        ..Plan::default()
    };
    let mut operands = Vec::new();
    let mut arguments = call.arguments.iter();
    while let Some(argument) = arguments.next() {
        let Some(option) = argument.strip_prefix(b"-").filter(|rest| !rest.is_empty()) else {
            operands.push(argument.clone());
            continue;
        };
        let option = option.strip_prefix(b"-").unwrap_or(option);
        if read_flag(&mut plan, option) {
            continue;
        }
        let (letter, rest) = option.split_at(1.min(option.len()));
        let inline = !rest.is_empty() && !rest[0].is_ascii_alphabetic();
        let value = if inline {
            Some(rest.to_vec())
        } else {
            arguments.next().cloned()
        };
        let done = value.is_some_and(|value| read_value(&mut plan, letter, &value));
        if !done {
            call.fail(1, bytes!("wrong option: -", option));
            eprint!("{USAGE}");
            return 1;
        }
    }
    let input = operands.first().cloned().unwrap_or_else(|| b"-".to_vec());
    let content = match system::read_whole(&input) {
        Ok(content) => content,
        Err(failure) => return call.fail(2, bytes!(input, ": ", failure)),
    };
    let target = operands.get(1).filter(|path| *path != b"-");
    let mut text = Vec::new();
    let mut status = 0;
    if let Err(refused) = wrong_numbers(call, &plan) {
        return refused;
    }
    if plan.reverse {
        let revert = Revert {
            plain: plan.style == Style::Plain,
            columns: plan.columns.unwrap_or(16),
            base: plan.seek,
            backwards: target.is_some(),
        };
        if let Err(message) = revert.run(&content, &mut text) {
            status = call.fail(5, message);
        }
    } else {
        let seek = if plan.seek < 0 {
            plan.seek.saturating_add(content.len() as i64)
        } else {
            plan.seek
        };
        let is_pipe = input == b"-" && !system::stat_descriptor(0).is_ok_and(is_regular);
        // There are no files of such a size.
        let is_far = seek > i64::MAX >> 1;
        if seek < 0 || is_far || is_pipe && seek > content.len() as i64 {
            return call.fail(4, "Sorry, cannot seek.");
        }
        let start = usize::try_from(seek).unwrap_or(0).min(content.len());
        let end = start.saturating_add(plan.length).min(content.len());
        dump(&plan, &content[start..end], start, &input, &mut text);
    }
    if let Some(path) = target {
        let written =
            system::create_file(path, false).and_then(|mut file| Ok(file.write_all(&text)?));
        return match written {
            Ok(()) => status,
            Err(failure) => call.fail(3, bytes!(path, ": ", failure)),
        };
    }
    let mut out = Output::new();
    out.put(&text);
    out.finish("xxd", status, 3)
}

/// Whether it is a regular file, which can be read from any place.
fn is_regular(found: system::Stat) -> bool {
    found.kind == system::Kind::Regular
}

/// Refuses what does not go together; the status is that of `xxd`.
fn wrong_numbers(call: &Call, plan: &Plan) -> Result<(), i32> {
    if plan.reverse && !matches!(plan.style, Style::Normal | Style::Plain) {
        let message = "Sorry, cannot revert this type of hexdump";
        return Err(call.fail(255, message));
    }
    let is_little = plan.style == Style::LittleEndian;
    if is_little
        && plan
            .group
            .is_some_and(|group| group & (group.max(1) - 1) != 0)
    {
        let message = "number of octets per group must be a power of 2 with -e.";
        return Err(call.fail(1, message));
    }
    let most = if plan.style == Style::Plain {
        usize::MAX
    } else {
        256
    };
    if plan.style != Style::Include && plan.columns.is_some_and(|columns| columns > most) {
        return Err(call.fail(1, "invalid number of columns (max. 256)."));
    }
    Ok(())
}

/// Reads an option without a value; false where it is none.
fn read_flag(plan: &mut Plan, option: &[u8]) -> bool {
    match option {
        b"capitalize" => plan.capitals = true,
        b"rp" | b"r-p" => {
            plan.reverse = true;
            plan.style = Style::Plain;
        }
        // Of these only the first letter counts.
        [b'p', ..] => plan.style = Style::Plain,
        [b'b', ..] => plan.style = Style::Bits,
        [b'i', ..] => plan.style = Style::Include,
        [b'e', ..] => plan.style = Style::LittleEndian,
        [b'r', ..] => plan.reverse = true,
        [b'u', ..] => plan.upper = true,
        [b'd', ..] => plan.decimal = true,
        [b'E', ..] => plan.ebcdic = true,
        [b'C', ..] => plan.capitals = true,
        [b'a', ..] => plan.skip = !plan.skip,
        _ => return false,
    }
    true
}

/// Reads an option with its value; false where it is none, or the value is no number.
fn read_value(plan: &mut Plan, letter: &[u8], text: &[u8]) -> bool {
    let Some(value) = number(text) else {
        if letter == b"n" {
            plan.name = Some(text.to_vec());
            return true;
        }
        return false;
    };
    // What is negative is nothing; what no memory has is all.
    let size = usize::try_from(value.max(0)).unwrap_or(usize::MAX);
    match letter {
        b"c" => plan.columns = Some(size),
        b"g" => plan.group = Some(size),
        b"l" => plan.length = size,
        b"s" => plan.seek = value,
        b"o" => plan.offset = value,
        b"n" => plan.name = Some(text.to_vec()),
        _ => return false,
    }
    true
}

/// What the bytes from 64 on are in EBCDIC, where that is in ASCII; the others are dots.
const EBCDIC: &str = concat!(
    " ...........<(+|&.........!$*);~-/.........,%_>?.........`:#@'=\"",
    ".abcdefghi.......jklmnopqr^.......stuvwxyz...[...............]..",
    "{ABCDEFGHI......}JKLMNOPQR......\\.STUVWXYZ......0123456789......"
);

/// The digits, in the case of `-u`.
fn digits(plan: &Plan) -> &'static [u8; 16] {
    if plan.upper {
        b"0123456789ABCDEF"
    } else {
        b"0123456789abcdef"
    }
}

/// Writes a byte as two digits.
fn put_hex(digits: &[u8; 16], byte: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&[
        digits[usize::from(byte >> 4)],
        digits[usize::from(byte & 15)],
    ]);
}

/// Writes a content, which begins at `start` of the file `name`.
fn dump(plan: &Plan, content: &[u8], start: usize, name: &[u8], out: &mut Vec<u8>) {
    out.reserve(content.len() * 3);
    match plan.style {
        Style::Plain => plain(plan, content, out),
        Style::Include => include(plan, content, name, out),
        _ => normal(plan, content, start, out),
    }
}

/// Digits alone, 30 bytes a line.
fn plain(plan: &Plan, content: &[u8], out: &mut Vec<u8>) {
    let digits = digits(plan);
    let columns = match plan.columns {
        None => 30,
        Some(0) => content.len().max(1),
        Some(columns) => columns,
    };
    for line in content.chunks(columns) {
        line.iter().for_each(|&byte| put_hex(digits, byte, out));
        out.push(b'\n');
    }
}

/// An array of C with its length; of standard input without a name only the numbers.
fn include(plan: &Plan, content: &[u8], name: &[u8], out: &mut Vec<u8>) {
    let named = plan.name.as_deref().or((name != b"-").then_some(name));
    let identifier: Option<String> = named.map(|name| {
        let word = |&byte: &u8| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte)
            } else {
                '_'
            }
        };
        let mut text: String = name.iter().map(word).collect();
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            text.insert_str(0, "__");
        }
        if plan.capitals {
            text.to_uppercase()
        } else {
            text
        }
    });
    if let Some(identifier) = &identifier {
        out.extend_from_slice(format!("unsigned char {identifier}[] = {{\n").as_bytes());
    }
    let columns = plan.columns.filter(|&columns| columns > 0).unwrap_or(12);
    let (digits, prefix) = (digits(plan), if plan.upper { "0X" } else { "0x" });
    for (index, &byte) in content.iter().enumerate() {
        let before = match (index, index % columns) {
            (0, _) => "  ",
            (_, 0) => ",\n  ",
            _ => ", ",
        };
        out.extend_from_slice(before.as_bytes());
        out.extend_from_slice(prefix.as_bytes());
        put_hex(digits, byte, out);
    }
    if !content.is_empty() {
        out.push(b'\n');
    }
    if let Some(identifier) = &identifier {
        let length = if plan.capitals { "LEN" } else { "len" };
        let text = format!(
            "}};\nunsigned int {identifier}_{length} = {};\n",
            content.len()
        );
        out.extend_from_slice(text.as_bytes());
    }
}

/// Lines with offsets.
fn normal(plan: &Plan, content: &[u8], start: usize, out: &mut Vec<u8>) {
    let bits = plan.style == Style::Bits;
    let columns = plan
        .columns
        .filter(|&columns| columns > 0)
        .unwrap_or(if bits { 6 } else { 16 });
    let group = plan.group.unwrap_or(match plan.style {
        Style::Bits => 1,
        Style::LittleEndian => 4,
        _ => 2,
    });
    let group = if group == 0 { columns } else { group };
    let width = if bits { 8 } else { 2 };
    let layout = Layout {
        plan,
        digits: digits(plan),
        group,
        width: columns * width + columns.div_ceil(group) - 1,
    };
    let mut skipped = Skipped::default();
    for (index, line) in content.chunks(columns).enumerate() {
        let at = plan.offset.wrapping_add((start + index * columns) as i64);
        let empty = plan.skip && line.len() == columns && line.iter().all(|&byte| byte == 0);
        if !empty {
            skipped.end(0, &layout, out);
            layout.line(at, line, out);
        } else if skipped.add(at, line) {
            layout.line(at, line, out);
        }
    }
    skipped.end(1, &layout, out);
}

/// Lines of zeros that are left out.
#[derive(Default)]
struct Skipped<'a> {
    count: usize,
    last: Option<(i64, &'a [u8])>,
}

impl<'a> Skipped<'a> {
    /// One more; whether it is the first, which is shown.
    fn add(&mut self, at: i64, line: &'a [u8]) -> bool {
        self.count += 1;
        self.last = (self.count > 1).then_some((at, line));
        self.count == 1
    }

    /// Shows what stands for them; so many of the last ones are shown as they are.
    fn end(&mut self, shown: usize, layout: &Layout, out: &mut Vec<u8>) {
        let hidden = self.count.saturating_sub(1 + shown);
        let last = self.last.take();
        self.count = 0;
        if hidden > 1 {
            out.extend_from_slice(b"*\n");
        }
        let Some((at, line)) = last else {
            return;
        };
        if hidden == 1 {
            let before = at.wrapping_sub((shown * line.len()) as i64);
            layout.line(before, line, out);
        }
        if shown > 0 {
            layout.line(at, line, out);
        }
    }
}

/// How a line is written.
struct Layout<'a> {
    plan: &'a Plan,
    digits: &'static [u8; 16],
    group: usize,
    /// The columns that the numbers of a line take.
    width: usize,
}

impl Layout<'_> {
    /// Writes a line.
    fn line(&self, at: i64, line: &[u8], out: &mut Vec<u8>) {
        self.offset(at, out);
        let start = out.len();
        for (number, chunk) in line.chunks(self.group).enumerate() {
            if number > 0 {
                out.push(b' ');
            }
            self.number(chunk, out);
        }
        out.resize((start + self.width).max(out.len()) + 2, b' ');
        if self.plan.ebcdic {
            let table = EBCDIC.as_bytes();
            let letter = |byte: &u8| usize::from(*byte).checked_sub(64);
            out.extend(
                line.iter()
                    .map(|byte| letter(byte).map_or(b'.', |at| table[at])),
            );
        } else {
            out.extend(line.iter().map(|&byte| visible(byte) as u8));
        }
        out.push(b'\n');
    }

    /// Writes an offset, with at least eight digits.
    fn offset(&self, at: i64, out: &mut Vec<u8>) {
        if self.plan.decimal || at >> 32 != 0 {
            let text = if self.plan.decimal {
                format!("{at:08}")
            } else {
                format!("{at:08x}")
            };
            out.extend_from_slice(text.as_bytes());
        } else {
            for byte in (at as u32).to_be_bytes() {
                put_hex(b"0123456789abcdef", byte, out);
            }
        }
        out.extend_from_slice(b": ");
    }

    /// Writes a group.
    fn number(&self, chunk: &[u8], out: &mut Vec<u8>) {
        match self.plan.style {
            Style::LittleEndian => {
                let missing = 2 * (self.group - chunk.len());
                out.extend(std::iter::repeat_n(b' ', missing));
                let bytes = chunk.iter().rev();
                bytes.for_each(|&byte| put_hex(self.digits, byte, out));
            }
            Style::Bits => chunk.iter().for_each(|&byte| {
                let bits = (0..8).rev();
                out.extend(bits.map(|bit| b'0' + (byte >> bit & 1)));
            }),
            _ => chunk
                .iter()
                .for_each(|&byte| put_hex(self.digits, byte, out)),
        }
    }
}
