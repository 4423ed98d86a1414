//! `sort`: everything in memory, since the sandbox's temporary files are in memory too.

mod key;

use std::cmp::Ordering;
use std::hash::RandomState;
use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system;
use key::{By, Flags, Key};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: sort [OPTION]... [FILE]...\nWrite sorted concatenation of all FILE(s) to standard output.\n",
    options: &[
        Opt("b", "ignore-leading-blanks", Value::No),
        Opt("d", "dictionary-order", Value::No),
        Opt("f", "ignore-case", Value::No),
        Opt("g", "general-numeric-sort", Value::No),
        Opt("h", "human-numeric-sort", Value::No),
        Opt("i", "ignore-nonprinting", Value::No),
        Opt("M", "month-sort", Value::No),
        Opt("n", "numeric-sort", Value::No),
        Opt("R", "random-sort", Value::No),
        Opt("", "random-source", Value::Required),
        Opt("r", "reverse", Value::No),
        Opt("", "sort", Value::Required),
        Opt("V", "version-sort", Value::No),
        Opt("", "batch-size", Value::Required),
        Opt("c", "", Value::No),
        Opt("", "check", Value::Optional),
        Opt("C", "", Value::No),
        Opt("", "compress-program", Value::Required),
        Opt("", "files0-from", Value::Required),
        Opt("k", "key", Value::Required),
        Opt("m", "merge", Value::No),
        Opt("o", "output", Value::Required),
        Opt("s", "stable", Value::No),
        Opt("S", "buffer-size", Value::Required),
        Opt("t", "field-separator", Value::Required),
        Opt("T", "temporary-directory", Value::Required),
        Opt("", "parallel", Value::Required),
        Opt("u", "unique", Value::No),
        Opt("z", "zero-terminated", Value::No),
    ],
    permute: true,
    status: 2,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let mut files = std::mem::take(&mut parsed.operands);
    if let Some(list) = parsed.value("files0-from") {
        let names = system::read_whole(list).map_err(|failure| {
            call.fail(2, bytes!("cannot open ", list, " for reading: ", failure))
        })?;
        files.extend(
            names
                .split(|&byte| byte == 0)
                .filter(|name| !name.is_empty())
                .map(<[u8]>::to_vec),
        );
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    let sort = Sort::new(call, &parsed)?;
    let check = match parsed.last(&["c", "C", "check"]) {
        Some("check") => match parsed.value("check") {
            Some(b"quiet" | b"silent") => Some(true),
            _ => Some(false),
        },
        Some(option) => Some(option == "C"),
        None => None,
    };
    if let (Some(_), Some(extra)) = (check, files.get(1)) {
        return Err(call.fail(
            2,
            bytes!(
                "extra operand ",
                quote::message(extra),
                " not allowed with -c"
            ),
        ));
    }
    let mut content = Vec::new();
    for file in &files {
        let read = system::read_whole(file)
            .map_err(|failure| call.fail(2, bytes!("cannot read: ", file, ": ", failure)))?;
        if content.is_empty() {
            content = read;
        } else {
            content.extend_from_slice(&read);
        }
        if content.last().is_some_and(|last| *last != sort.end) {
            content.push(sort.end);
        }
    }
    if let Some(quiet) = check {
        return Ok(sort.check(&content, &files[0], quiet));
    }
    sort.write(&content, parsed.value("o"))
}

struct Sort<'a> {
    call: &'a Call,
    keys: Vec<Key>,
    tab: Option<u8>,
    reverse: bool,
    stable: bool,
    unique: bool,
    end: u8,
    random: RandomState,
}

/// A line with the part of its first key, and what can be compared at once.
struct Line<'a> {
    text: &'a [u8],
    key: &'a [u8],
    /// The first bytes of the key, or a number whose order is that of the numbers.
    rank: u64,
    /// Equal ranks do not decide.
    inexact: bool,
}

impl<'a> Sort<'a> {
    fn new(call: &'a Call, parsed: &Parsed) -> Result<Sort<'a>, i32> {
        let mut global = Flags::default();
        let mut keys = Vec::new();
        for (key, value) in &parsed.options {
            match *key {
                "k" => keys.push(read_key(value).map_err(|message| call.fail(2, message))?),
                "sort" => {
                    global.by = match value.as_slice() {
                        b"general-numeric" => By::General,
                        b"human-numeric" => By::Human,
                        b"month" => By::Month,
                        b"numeric" => By::Number,
                        b"random" => By::Random,
                        b"version" => By::Version,
                        _ => {
                            let message =
                                bytes!("invalid argument ", quote::word(value), " for '--sort'");
                            return Err(options::usage_error(call, &SYNTAX, message));
                        }
                    }
                }
                option => {
                    if let [letter] = option.as_bytes() {
                        set(&mut global, *letter, true, true);
                    }
                }
            }
        }
        let tab = match parsed.value("t") {
            None => None,
            Some(b"\\0") => Some(0),
            Some([byte]) => Some(*byte),
            Some(b"") => return Err(call.fail(2, "empty tab")),
            Some(text) => {
                return Err(call.fail(2, bytes!("multi-character tab ", quote::word(text))));
            }
        };
        if keys.is_empty() {
            keys.push(Key {
                flags: global,
                ..Key::default()
            });
        }
        for key in keys.iter_mut().filter(|key| key.flags.is_plain()) {
            key.flags = global;
        }
        Ok(Sort {
            call,
            keys,
            tab,
            reverse: global.reverse,
            stable: parsed.has("s"),
            unique: parsed.has("u"),
            end: if parsed.has("z") { 0 } else { b'\n' },
            random: RandomState::new(),
        })
    }

    fn lines<'b>(&self, content: &'b [u8]) -> Vec<Line<'b>> {
        let first = &self.keys[0];
        let whole = first.start == 0
            && first.start_character == 0
            && first.end.is_none()
            && !first.flags.start_blanks;
        let plain = !(first.flags.dictionary || first.flags.printable || first.flags.fold);
        let mut lines = Vec::with_capacity(content.len() / 32 + 1);
        let mut start = 0;
        for end in memchr::memchr_iter(self.end, content) {
            let text = &content[start..end];
            start = end + 1;
            let key = if whole {
                text
            } else {
                first.of(text, self.tab)
            };
            let (rank, inexact) = match first.flags.by {
                By::Text if plain => (prefix(key), true),
                By::Number => match key::exact(key) {
                    Some(number) => (float_rank(number), false),
                    None => (0, true),
                },
                _ => (0, true),
            };
            lines.push(Line {
                text,
                key,
                rank,
                inexact,
            });
        }
        lines
    }

    /// Compares by the keys alone.
    fn by_keys(&self, a: &Line, b: &Line) -> Ordering {
        let first = &self.keys[0];
        let text = first.flags.by == By::Text;
        // A rank that is not exact decides only between prefixes of texts.
        if a.rank != b.rank && ((!a.inexact && !b.inexact) || text) {
            let order = a.rank.cmp(&b.rank);
            return if first.flags.reverse {
                order.reverse()
            } else {
                order
            };
        }
        let order = if !a.inexact && !b.inexact {
            Ordering::Equal
        } else {
            first.compare(a.key, b.key, &self.random)
        };
        order.then_with(|| {
            let rest = self.keys[1..].iter();
            let mut orders = rest.map(|key| {
                key.compare(
                    key.of(a.text, self.tab),
                    key.of(b.text, self.tab),
                    &self.random,
                )
            });
            orders
                .find(|order| *order != Ordering::Equal)
                .unwrap_or(Ordering::Equal)
        })
    }

    fn compare(&self, a: &Line, b: &Line) -> Ordering {
        self.by_keys(a, b).then_with(|| {
            let last = if self.stable || self.unique {
                Ordering::Equal
            } else {
                a.text.cmp(b.text)
            };
            if self.reverse { last.reverse() } else { last }
        })
    }

    fn check(&self, content: &[u8], name: &[u8], quiet: bool) -> i32 {
        let lines = self.lines(content);
        let wrong = lines
            .windows(2)
            .position(|pair| match self.compare(&pair[0], &pair[1]) {
                Ordering::Greater => true,
                Ordering::Equal => self.unique,
                Ordering::Less => false,
            });
        let Some(at) = wrong else { return 0 };
        if !quiet {
            let line = &lines[at + 1];
            self.call.fail(
                1,
                bytes!(name, format!(":{}: disorder: ", at + 2), line.text),
            );
        }
        1
    }

    fn write(&self, content: &[u8], target: Option<&[u8]>) -> Result<i32, i32> {
        let mut lines = self.lines(content);
        lines.sort_by(|a, b| self.compare(a, b));
        if self.unique {
            lines.dedup_by(|next, before| self.by_keys(before, next) == Ordering::Equal);
        }
        let Some(target) = target else {
            let mut out = Output::new();
            for line in &lines {
                out.put(line.text);
                out.put([self.end]);
            }
            return Ok(out.finish(&self.call.name, 0, 2));
        };
        let wrong = |failure: system::Failure| {
            self.call
                .fail(2, bytes!("open failed: ", target, ": ", failure))
        };
        let file = system::create_file(target, false).map_err(wrong)?;
        let mut writer = std::io::BufWriter::with_capacity(CHUNK, file);
        let written = lines
            .iter()
            .try_for_each(|line| {
                writer
                    .write_all(line.text)
                    .and_then(|()| writer.write_all(&[self.end]))
            })
            .and_then(|()| writer.flush());
        written.map(|()| 0).map_err(|error| wrong(error.into()))
    }
}

/// The first eight bytes, in an order that is theirs.
fn prefix(text: &[u8]) -> u64 {
    let mut first = [0; 8];
    let length = text.len().min(8);
    first[..length].copy_from_slice(&text[..length]);
    u64::from_be_bytes(first)
}

/// Floats as integers of the same order.
fn float_rank(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

fn set(flags: &mut Flags, letter: u8, start: bool, end: bool) -> bool {
    match letter {
        b'b' => {
            flags.start_blanks |= start;
            flags.end_blanks |= end;
        }
        b'd' => flags.dictionary = true,
        b'f' => flags.fold = true,
        b'g' => flags.by = By::General,
        b'h' => flags.by = By::Human,
        b'i' => flags.printable = true,
        b'M' => flags.by = By::Month,
        b'n' => flags.by = By::Number,
        b'R' => flags.by = By::Random,
        b'r' => flags.reverse = true,
        b'V' => flags.by = By::Version,
        _ => return false,
    }
    true
}

/// Reads `F[.C][OPTS][,F[.C][OPTS]]`.
fn read_key(text: &[u8]) -> Result<Key, Vec<u8>> {
    let refuse = |what: &str| bytes!(what, ": invalid field specification ", quote::word(text));
    let mut at = 0;
    let number = |at: &mut usize| -> Option<usize> {
        let digits = text[*at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let found = options::number(&text[*at..*at + digits]);
        *at += digits;
        found
    };
    let mut key = Key::default();
    let field = number(&mut at).ok_or_else(|| {
        bytes!(
            "invalid number at field start: invalid count at start of ",
            quote::word(text)
        )
    })?;
    key.start = field
        .checked_sub(1)
        .ok_or_else(|| refuse("field number is zero"))?;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let character = number(&mut at).ok_or_else(|| refuse("invalid number after '.'"))?;
        key.start_character = character
            .checked_sub(1)
            .ok_or_else(|| refuse("character offset is zero"))?;
    }
    while text
        .get(at)
        .is_some_and(|letter| set(&mut key.flags, *letter, true, false))
    {
        at += 1;
    }
    if text.get(at) == Some(&b',') {
        at += 1;
        let field = number(&mut at).ok_or_else(|| refuse("invalid number after ','"))?;
        let field = field
            .checked_sub(1)
            .ok_or_else(|| refuse("field number is zero"))?;
        let mut character = 0;
        if text.get(at) == Some(&b'.') {
            at += 1;
            character = number(&mut at).ok_or_else(|| refuse("invalid number after '.'"))?;
        }
        key.end = Some((field, character));
        while text
            .get(at)
            .is_some_and(|letter| set(&mut key.flags, *letter, false, true))
        {
            at += 1;
        }
    }
    if at < text.len() {
        return Err(refuse("stray character in field spec"));
    }
    Ok(key)
}
