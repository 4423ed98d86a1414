//! The command line of `sort`: options that hold for all keys, keys with their own, and what does not go together.
//!
//! A key without letters of its own takes those of the command, `-r` included; one that has any takes none.

use super::key::{By, Flags, Key};
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::quote;

/// The options that there are. `--random-source` is opened and not read; `--compress-program`, `--parallel` and
/// `--batch-size` change nothing, and their values are checked.
pub const SYNTAX: Syntax = Syntax {
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

/// The command line with keys in the form before `-k`, `+POS1` and `-POS2` behind it, as that option. Positions count from
/// 0.
///
/// ```text
/// sort +1 -2 FILE     ->  sort -k 2.1,2 FILE
/// sort +0.3n -2.1     ->  sort -k 1.4n,3.1
/// ```
pub fn modern(call: &Call) -> Call {
    let mut arguments: Vec<Vec<u8>> = Vec::with_capacity(call.arguments.len());
    let mut rest = call.arguments.iter().peekable();
    while let Some(word) = rest.next() {
        let start = word.strip_prefix(b"+").and_then(position);
        let is_value = arguments.last().is_some_and(|last| takes_next(last));
        let Some((field, character, flags)) = start.filter(|_| !is_value) else {
            arguments.push(word.clone());
            if word == b"--" {
                break;
            }
            continue;
        };
        let mut key = bytes!(format!("{}.{}", field + 1, character + 1), flags);
        let end = rest
            .peek()
            .and_then(|word| position(word.strip_prefix(b"-")?));
        if let Some((field, character, flags)) = end {
            rest.next();
            let end = match character {
                0 => format!(",{}", field.max(1)),
                _ => format!(",{}.{character}", field + 1),
            };
            key.extend(bytes!(end, flags));
        }
        arguments.extend([b"-k".to_vec(), key]);
    }
    arguments.extend(rest.cloned());
    Call {
        name: call.name.clone(),
        arguments,
    }
}

/// A position such as `1.2n`: field, character, and letters of an order.
fn position(text: &[u8]) -> Option<(u32, u32, &[u8])> {
    let number = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (field, mut rest) = text.split_at(number(text));
    let mut character = 0;
    if let Some(after) = rest.strip_prefix(b".") {
        let (digits, after) = after.split_at(number(after));
        character = options::number::<u32>(digits)?;
        rest = after;
    }
    let field = options::number::<u32>(field)?;
    let fits = rest.iter().all(|letter| b"bdfghiMnRrV".contains(letter));
    (fits && field < u32::MAX && character < u32::MAX).then_some((field, character, rest))
}

/// Whether the next word is the value of an option at the end of this one.
fn takes_next(word: &[u8]) -> bool {
    let is_valued = |letter: &u8| b"koStT".contains(letter);
    match word {
        [b'-', letters @ ..] if !letters.starts_with(b"-") => {
            letters.iter().position(is_valued).map(|at| at + 1) == Some(letters.len())
        }
        _ => false,
    }
}

/// How to look at lines that should be in order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The first one is said.
    Loud,
    /// The status says it.
    Quiet,
}

/// What the options say.
pub struct Settings {
    /// The keys in their order; without `-k` one that is the whole line.
    pub keys: Vec<Key>,
    /// `-t`.
    pub tab: Option<u8>,
    /// `-r` of the command, which the comparison of last resort follows.
    pub reverse: bool,
    /// `-s`: there is no such comparison.
    pub stable: bool,
    /// `-u`.
    pub unique: bool,
    /// `-m`.
    pub merge: bool,
    /// `-c`, `-C` and `--check`.
    pub check: Option<Check>,
    /// What ends a line.
    pub end: u8,
    /// `-o`.
    pub output: Option<Vec<u8>>,
    /// Bytes that lines may take in memory before they are written to files (`-S`).
    pub memory: usize,
    /// Where these files are (`-T`).
    pub directory: Vec<u8>,
}

/// How much memory is used without `-S`, and at most with it: a process has 256 MiB unless it is told otherwise, and
/// what holds lines grows by doubling.
const MEMORY: usize = 64 << 20;

/// How much is used at least: less holds too few lines to be worth a file.
const LEAST: usize = 16 << 10;

impl Settings {
    /// Reads the options.
    ///
    /// # Errors
    /// Status 2, after a message: a key that is none, ways to compare that exclude each other, options that do so.
    pub fn new(call: &Call, parsed: &Parsed) -> Result<Settings, i32> {
        let mut global = Flags::default();
        let mut letters = Vec::new();
        let mut keys = Vec::new();
        for (option, value) in &parsed.options {
            match *option {
                "k" => {
                    keys.push(read_key(value).map_err(|message| call.fail(2, message))?);
                    refuse_mixed(call, value)?;
                }
                "sort" => letters.push(way(call, value)?),
                option if option.len() == 1 => letters.push(option.as_bytes()[0]),
                _ => {}
            }
        }
        letters.retain(|letter| set(&mut global, *letter, true, true));
        if keys.is_empty() {
            refuse_mixed(call, &letters)?;
            let flags = global;
            keys.push(Key {
                flags,
                ..Key::default()
            });
        }
        for key in keys.iter_mut().filter(|key| key.flags.is_plain()) {
            key.flags = global;
        }
        let settings = Settings {
            keys,
            tab: tab(call, parsed)?,
            reverse: global.reverse,
            stable: parsed.has("s"),
            unique: parsed.has("u"),
            merge: parsed.has("m"),
            check: check(call, parsed)?,
            end: if parsed.has("z") { 0 } else { b'\n' },
            output: output(call, parsed)?,
            memory: memory(parsed.value("S")),
            directory: directory(parsed.value("T")),
        };
        refuse_rest(call, parsed, &settings)?;
        Ok(settings)
    }
}

/// The letter of a value of `--sort`, which may be abbreviated.
fn way(call: &Call, value: &[u8]) -> Result<u8, i32> {
    let ways: [(&str, u8); 6] = [
        ("general-numeric", b'g'),
        ("human-numeric", b'h'),
        ("month", b'M'),
        ("numeric", b'n'),
        ("random", b'R'),
        ("version", b'V'),
    ];
    let names = ways.map(|(name, _)| vec![name]);
    let at = options::choice(call, "--sort", value, &names)?;
    Ok(ways[at].1)
}

/// Refuses ways to compare that exclude each other: two of `g`, `h`, `M` and `n`, or one of these with any of `d`,
/// `i`, `R` and `V`.
fn refuse_mixed(call: &Call, letters: &[u8]) -> Result<(), i32> {
    let has = |letter: &u8| letters.contains(letter);
    let ways = b"ghMn".iter().filter(|letter| has(letter)).count();
    if ways + usize::from(b"diRV".iter().any(has)) < 2 {
        return Ok(());
    }
    let mixed: Vec<u8> = b"dfghiMnRV".iter().copied().filter(has).collect();
    Err(call.fail(2, bytes!("options '-", mixed, "' are incompatible")))
}

/// The separator of `-t`: one byte, or `\0`. It may be given again only as the same.
fn tab(call: &Call, parsed: &Parsed) -> Result<Option<u8>, i32> {
    let mut found = None;
    for (_, value) in parsed.options.iter().filter(|(option, _)| *option == "t") {
        let tab = match value.as_slice() {
            b"\\0" => 0,
            [byte] => *byte,
            b"" => return Err(call.fail(2, "empty tab")),
            text => {
                return Err(call.fail(2, bytes!("multi-character tab ", quote::word(text))));
            }
        };
        if found.is_some_and(|before| before != tab) {
            return Err(call.fail(2, "incompatible tabs"));
        }
        found = Some(tab);
    }
    Ok(found)
}

/// What `-c`, `-C` and `--check` ask for, which must not be both.
fn check(call: &Call, parsed: &Parsed) -> Result<Option<Check>, i32> {
    let (mut quiet, mut loud) = (parsed.has("C"), parsed.has("c"));
    for (_, value) in parsed
        .options
        .iter()
        .filter(|(option, _)| *option == "check")
    {
        let names = [vec!["quiet", "silent"], vec!["diagnose-first"]];
        let at = if value.is_empty() {
            1
        } else {
            options::choice(call, "--check", value, &names)?
        };
        (quiet, loud) = (quiet || at == 0, loud || at == 1);
    }
    match (quiet, loud) {
        (true, true) => Err(call.fail(2, "options '-cC' are incompatible")),
        (true, false) => Ok(Some(Check::Quiet)),
        (false, true) => Ok(Some(Check::Loud)),
        (false, false) => Ok(None),
    }
}

/// The file of `-o`, which may be given again only as the same.
fn output(call: &Call, parsed: &Parsed) -> Result<Option<Vec<u8>>, i32> {
    let mut names = parsed.options.iter().filter(|(option, _)| *option == "o");
    let first = names.next().map(|(_, name)| name.clone());
    if names.any(|(_, name)| Some(name) != first.as_ref()) {
        return Err(call.fail(2, "multiple output files specified"));
    }
    Ok(first)
}

/// The memory that `-S` allows, between `LEAST` and `MEMORY`: in units of 1024 bytes without a letter. Per cent, and
/// units above `M`, give the most.
fn memory(size: Option<&[u8]>) -> usize {
    let Some(size) = size else { return MEMORY };
    let digits = size.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number: usize = options::number(&size[..digits]).unwrap_or(usize::MAX);
    let unit = match size.get(digits) {
        Some(b'b') => 1,
        Some(b'k' | b'K') | None => 1 << 10,
        Some(b'm' | b'M') => 1 << 20,
        _ => MEMORY,
    };
    number.saturating_mul(unit).clamp(LEAST, MEMORY)
}

/// The folder for temporary files.
fn directory(given: Option<&[u8]>) -> Vec<u8> {
    let variable = || crate::system::variable("TMPDIR");
    let found = given.map(<[u8]>::to_vec).or_else(variable);
    found.unwrap_or_else(|| b"/tmp".to_vec())
}

/// Refuses wrong values also of options that a sandbox has no use for.
fn refuse_rest(call: &Call, parsed: &Parsed, settings: &Settings) -> Result<(), i32> {
    if let (Some(check), Some(_)) = (settings.check, &settings.output) {
        let letter = if check == Check::Quiet { 'C' } else { 'c' };
        return Err(call.fail(2, format!("options '-{letter}o' are incompatible")));
    }
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    for (option, value) in &parsed.options {
        let count: Option<u64> = options::number(value);
        match *option {
            "batch-size" if count.is_none_or(|count| count < 2) => {
                call.fail(
                    2,
                    bytes!("invalid --batch-size argument ", quote::word(value)),
                );
                return Err(match count {
                    Some(_) => call.fail(2, "minimum --batch-size argument is ‘2’"),
                    None => 2,
                });
            }
            "parallel" if count == Some(0) => {
                return Err(call.fail(2, "number in parallel must be nonzero"));
            }
            "parallel" if count.is_none() => {
                return Err(call.fail(
                    2,
                    bytes!("invalid --parallel argument ", quote::word(value)),
                ));
            }
            "S" => match &value[digits(value)..] {
                b""
                | b"%"
                | [
                    b'b' | b'k' | b'K' | b'm' | b'M' | b'g' | b'G' | b't' | b'T' | b'P' | b'E'
                    | b'Z' | b'Y',
                ] if digits(value) > 0 => {}
                _ => return Err(call.fail(2, bytes!("invalid -S argument '", value, "'"))),
            },
            _ => {}
        }
    }
    Ok(())
}

/// Sets what a letter means; false where it is none. `start` and `end` are the ends of the key that `b` is for.
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

/// Reads `F[.C][OPTS][,F[.C][OPTS]]`, whose numbers count from 1. The error is the message.
///
/// ```text
/// 2          from field 2 to the end of the line
/// 2,2nr      field 2, as numbers, backwards
/// 1.3b,1.5   characters 3 to 5 behind the blanks of field 1
/// ```
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
