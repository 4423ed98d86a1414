//! Formats of groups and lines: `-D`, `--GTYPE-group-format`, `--LTYPE-line-format` (GNU diffutils' manual,
//! "If-then-else").
//!
//! A group is a run of lines that are unchanged, only in the old file, only in the new one, or changed. Its format
//! has
//!
//! | Text | Stands for |
//! |---|---|
//! | `%<` `%>` `%=` | its lines of the old file, of the new file, those in common, each in the format of lines |
//! | `%dn`, `%5.2xN` and so on | a number as printf has it: `e f l m n` of the old group, `E F L M N` of the new one |
//! | `%(A=B?T:E)` | T where the two numbers are equal, else E |
//! | `%c'C'`, `%c'\42'`, `%%` | a character |
//!
//! The letters are the lines before, first, last and after the group, and their number. A format of lines has `%l`
//! (the line), `%L` (with its newline) and `%dn` (its number). What is no directive is written as it stands.

use super::compare::Change;
use crate::call::bytes;
use crate::options::Parsed;
use crate::output::Output;

/// What is written for groups of lines, and for the lines in them.
pub struct Formats {
    /// Of a group that both files have.
    unchanged: Vec<u8>,
    /// Of a group that only the old file has.
    old: Vec<u8>,
    /// Of a group that only the new file has.
    new: Vec<u8>,
    /// Of a group that differs.
    changed: Vec<u8>,
    /// Of a line that both files have.
    unchanged_line: Vec<u8>,
    /// Of a line of the old file.
    old_line: Vec<u8>,
    /// Of a line of the new file.
    new_line: Vec<u8>,
}

/// The options that ask for formats.
pub const OPTIONS: &[&str] = &[
    "D",
    "line-format",
    "old-line-format",
    "new-line-format",
    "unchanged-line-format",
    "old-group-format",
    "new-group-format",
    "unchanged-group-format",
    "changed-group-format",
];

impl Formats {
    /// The formats that the options give, and what follows from them for the others: `-D NAME` stands for those that
    /// make `#ifdef` and `#endif` of the groups; groups of one file default to the format of changed ones, and that
    /// to both of theirs.
    pub fn new(parsed: &Parsed) -> Formats {
        let value = |key: &str| parsed.value(key).map(<[u8]>::to_vec);
        let name = parsed.value("D");
        let guarded = |head: &str, body: &str, tail: &str| {
            name.map(|name| bytes!(head, name, "\n", body, "#endif /* ", tail, name, " */\n"))
        };
        let both = name.map(|name| {
            let (otherwise, end) = (bytes!("%<#else /* ", name), bytes!("%>#endif /* ", name));
            bytes!("#ifndef ", name, "\n", otherwise, " */\n", end, " */\n")
        });
        let changed = value("changed-group-format").or(both);
        let old = value("old-group-format")
            .or_else(|| guarded("#ifndef ", "%<", "! "))
            .or_else(|| changed.clone())
            .unwrap_or_else(|| b"%<".to_vec());
        let new = value("new-group-format")
            .or_else(|| guarded("#ifdef ", "%>", ""))
            .or_else(|| changed.clone())
            .unwrap_or_else(|| b"%>".to_vec());
        let line = |key: &str| {
            let all = || value("line-format").unwrap_or_else(|| b"%l\n".to_vec());
            value(key).unwrap_or_else(all)
        };
        Formats {
            unchanged: value("unchanged-group-format").unwrap_or_else(|| b"%=".to_vec()),
            changed: changed.unwrap_or_else(|| [&old[..], &new].concat()),
            old,
            new,
            unchanged_line: line("unchanged-line-format"),
            old_line: line("old-line-format"),
            new_line: line("new-line-format"),
        }
    }

    /// Writes both files: what they share, and their changes, in their order.
    pub fn print(&self, old: &[&[u8]], new: &[&[u8]], changes: &[Change], out: &mut Output) {
        let mut at = (0, 0);
        let end = Change {
            from: (old.len(), old.len()),
            to: (new.len(), new.len()),
        };
        for change in changes.iter().chain([&end]) {
            let mut group = Group {
                formats: self,
                old: (at.0, change.from.0),
                new: (at.1, change.to.0),
                files: (old, new),
            };
            if group.old.0 < group.old.1 || group.new.0 < group.new.1 {
                group.write(&self.unchanged, out);
            }
            (group.old, group.new) = (change.from, change.to);
            at = (change.from.1, change.to.1);
            match (change.from.0 < change.from.1, change.to.0 < change.to.1) {
                (true, true) => group.write(&self.changed, out),
                (true, false) => group.write(&self.old, out),
                (false, true) => group.write(&self.new, out),
                (false, false) => {}
            }
        }
    }
}

/// Lines of both files that belong together.
struct Group<'a> {
    formats: &'a Formats,
    /// The lines of the old file, counted from 0.
    old: (usize, usize),
    /// The lines of the new file.
    new: (usize, usize),
    /// All lines of both files.
    files: (&'a [&'a [u8]], &'a [&'a [u8]]),
}

impl Group<'_> {
    /// Writes the group in a format.
    fn write(&self, format: &[u8], out: &mut Output) {
        self.part(format, None, &mut Some(out));
    }

    /// Writes a format up to `end`, or only skips it where `out` is none; gives what follows.
    fn part<'f>(
        &self,
        format: &'f [u8],
        end: Option<u8>,
        out: &mut Option<&mut Output>,
    ) -> &'f [u8] {
        let mut rest = format;
        while let Some((&byte, after)) = rest.split_first() {
            if Some(byte) == end {
                break;
            }
            rest = after;
            if byte == b'%' {
                match after.split_first() {
                    Some((b'%', after)) => rest = after,
                    Some((b'(', condition)) => {
                        if let Some(after) = self.condition(condition, out) {
                            rest = after;
                            continue;
                        }
                    }
                    Some((&letter @ (b'<' | b'=' | b'>'), after)) => {
                        if let Some(out) = out {
                            self.lines(letter, out);
                        }
                        rest = after;
                        continue;
                    }
                    _ => {
                        if let Some((text, after)) = specified(after, |letter| self.letter(letter))
                        {
                            if let Some(out) = out {
                                out.put(text);
                            }
                            rest = after;
                            continue;
                        }
                    }
                }
            }
            if let Some(out) = out {
                out.put([byte]);
            }
        }
        rest
    }

    /// `A=B?THEN:ELSE)`, after the parenthesis; gives what follows it, or none where it is no condition.
    fn condition<'f>(&self, text: &'f [u8], out: &mut Option<&mut Output>) -> Option<&'f [u8]> {
        let (left, rest) = self.operand(text)?;
        let (right, rest) = self.operand(rest.strip_prefix(b"=")?)?;
        let rest = rest.strip_prefix(b"?")?;
        let rest = match left == right {
            true => self.part(rest, Some(b':'), out),
            false => self.part(rest, Some(b':'), &mut None),
        };
        let Some(rest) = rest.strip_prefix(b":") else {
            return Some(rest);
        };
        let rest = match left == right {
            true => self.part(rest, Some(b')'), &mut None),
            false => self.part(rest, Some(b')'), out),
        };
        Some(rest.strip_prefix(b")").unwrap_or(rest))
    }

    /// A number, or a letter that stands for one.
    fn operand<'f>(&self, text: &'f [u8]) -> Option<(usize, &'f [u8])> {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 {
            return Some((crate::options::number(&text[..digits])?, &text[digits..]));
        }
        let (&letter, rest) = text.split_first()?;
        Some((self.letter(letter)?, rest))
    }

    /// The number that a letter stands for: of the old group, or a capital one of the new.
    fn letter(&self, letter: u8) -> Option<usize> {
        let (from, to) = match letter.is_ascii_lowercase() {
            true => self.old,
            false => self.new,
        };
        Some(match letter.to_ascii_lowercase() {
            b'e' => from,
            b'f' => from + 1,
            b'l' => to,
            b'm' => to + 1,
            b'n' => to - from,
            _ => return None,
        })
    }

    /// Writes the lines that `%<`, `%=` or `%>` stands for.
    fn lines(&self, letter: u8, out: &mut Output) {
        let (format, file, (from, to)) = match letter {
            b'<' => (&self.formats.old_line, self.files.0, self.old),
            b'=' => (&self.formats.unchanged_line, self.files.0, self.old),
            _ => (&self.formats.new_line, self.files.1, self.new),
        };
        for (line, number) in file[from..to].iter().zip(from + 1..) {
            put_line(format, line, number, out);
        }
    }
}

/// Writes a line in a format.
fn put_line(format: &[u8], line: &[u8], number: usize, out: &mut Output) {
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let plain = match after.first() {
                Some(b'%') => Some(&b"%"[..]),
                Some(b'l') => Some(line.strip_suffix(b"\n").unwrap_or(line)),
                Some(b'L') => Some(line),
                _ => None,
            };
            if let Some(text) = plain {
                out.put(text);
                rest = &after[1..];
                continue;
            }
            let value = |letter| (letter == b'n').then_some(number);
            if let Some((text, after)) = specified(after, value) {
                out.put(text);
                rest = after;
                continue;
            }
        }
        out.put([byte]);
    }
}

/// A conversion as printf has it before the letter of a number, or `c'C'`, after the `%`: its text and what follows.
/// None where it is no conversion, or `value` knows no such letter.
fn specified(text: &[u8], value: impl Fn(u8) -> Option<usize>) -> Option<(Vec<u8>, &[u8])> {
    let count =
        |text: &[u8], fits: fn(&u8) -> bool| text.iter().take_while(|byte| fits(byte)).count();
    let flags = count(text, |byte| b"-'0".contains(byte));
    let (flags, rest) = text.split_at(flags);
    let width = count(rest, u8::is_ascii_digit);
    let (width, mut rest) = rest.split_at(width);
    let mut precision = None;
    if let Some(after) = rest.strip_prefix(b".") {
        let digits = count(after, u8::is_ascii_digit);
        precision = Some(crate::options::number(&after[..digits]).unwrap_or(0));
        rest = &after[digits..];
    }
    let (&conversion, rest) = rest.split_first()?;
    let (&letter, rest) = rest.split_first()?;
    if conversion == b'c' {
        return (letter == b'\'').then(|| literal(rest)).flatten();
    }
    if !b"doxX".contains(&conversion) {
        return None;
    }
    let number = value(letter)?;
    let digits = match conversion {
        b'd' => number.to_string(),
        b'o' => format!("{number:o}"),
        b'x' => format!("{number:x}"),
        _ => format!("{number:X}"),
    };
    let digits = format!("{digits:0>precision$}", precision = precision.unwrap_or(1));
    // As with printf, no format is wider than the largest int.
    let width: usize = crate::options::number(width).unwrap_or(0);
    let width = width.min(i32::MAX as usize);
    let text = match (
        flags.contains(&b'-'),
        flags.contains(&b'0') && precision.is_none(),
    ) {
        (true, _) => format!("{digits:<width$}"),
        (false, true) => format!("{digits:0>width$}"),
        (false, false) => format!("{digits:>width$}"),
    };
    Some((text.into_bytes(), rest))
}

/// `C'` or `\OOO'`: the character and what follows.
fn literal(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (&first, rest) = text.split_first().filter(|(first, _)| **first != b'\'')?;
    if first != b'\\' {
        return Some((vec![first], rest.strip_prefix(b"'")?));
    }
    let end = rest.iter().position(|&byte| byte == b'\'')?;
    let digits = std::str::from_utf8(&rest[..end]).ok()?;
    let value = (1..=3)
        .contains(&end)
        .then(|| u32::from_str_radix(digits, 8).ok())??;
    Some((vec![value as u8], &rest[end + 1..]))
}
