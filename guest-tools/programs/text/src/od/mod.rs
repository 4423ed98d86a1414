//! `od`, after GNU coreutils 9.1: bytes as numbers and characters.
//!
//! `types` reads `-t`, `input` makes one input of all files, `line` writes blocks. The input streams; a block that
//! repeats the one before is `*`, unless `-v` is given. The old form with an offset among the operands counts where
//! no option of the newer forms is given, or with `--traditional`:
//!
//! ```text
//! od f +10        from byte 8 on         od f +10.b      from byte 5120 on
//! od f 0x20       from byte 32 on        od --traditional f 10 0    the same as +10, labelled from 0
//! ```
//!
//! Deliberate difference: long doubles (`-t fL`) are refused.

mod input;
mod line;
mod types;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use input::Input;
use line::{Layout, Radix};
use types::{Kind, Type};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: od [OPTION]... [FILE]...\n  or:  od [-abcdfilosx]... [FILE] [[+]OFFSET[.][b]]\n  or:  od --traditional [OPTION]... [FILE] [[+]OFFSET[.][b] [+][LABEL][.][b]]\n\nWrite an unambiguous representation, octal bytes by default, of FILE to standard output.\n\n  -A, --address-radix=RADIX   output format for file offsets; RADIX is one\n                                of [doxn], for Decimal, Octal, Hex or None\n      --endian={big|little}   swap input bytes according the specified order\n  -j, --skip-bytes=BYTES      skip BYTES input bytes first\n  -N, --read-bytes=BYTES      limit dump to BYTES input bytes\n  -S BYTES, --strings[=BYTES]  output strings of at least BYTES graphic chars;\n                                3 is implied when BYTES is not specified\n  -t, --format=TYPE           select output format or formats\n  -v, --output-duplicates     do not use * to mark line suppression\n  -w[BYTES], --width[=BYTES]  output BYTES bytes per output line;\n                                32 is implied when BYTES is not specified\n      --traditional           accept arguments in third form above\n\n  -a  same as -t a\n  -b  same as -t o1\n  -c  same as -t c\n  -d  same as -t u2\n  -f  same as -t fF\n  -i  same as -t dI\n  -l  same as -t dL\n  -o  same as -t o2\n  -s  same as -t d2\n  -x  same as -t x2\n\nTYPE is made up of one or more of: a, c, d[SIZE], f[SIZE], o[SIZE], u[SIZE], x[SIZE].\nAdding a z suffix to any type displays printable characters at the end of each line.\n",
    options: &[
        Opt("A", "address-radix", Value::Required),
        Opt("j", "skip-bytes", Value::Required),
        Opt("N", "read-bytes", Value::Required),
        Opt("S", "", Value::Required),
        Opt("S", "strings", Value::Optional),
        Opt("t", "format", Value::Required),
        Opt("v", "output-duplicates", Value::No),
        Opt("w", "width", Value::Optional),
        Opt("", "traditional", Value::No),
        Opt("", "endian", Value::Required),
        Opt("a", "", Value::No),
        Opt("b", "", Value::No),
        Opt("c", "", Value::No),
        Opt("D", "", Value::No),
        Opt("d", "", Value::No),
        Opt("Fe", "", Value::No),
        Opt("f", "", Value::No),
        Opt("HX", "", Value::No),
        Opt("xh", "", Value::No),
        Opt("i", "", Value::No),
        Opt("lLI", "", Value::No),
        Opt("O", "", Value::No),
        Opt("oB", "", Value::No),
        Opt("s", "", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and writes the dump. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let fail = |message: &[u8]| call.fail(1, message);
    let radix = radix(&parsed).map_err(|message| fail(&message))?;
    let number = |key: &str| match parsed.value(key) {
        None => Ok(None),
        Some(text) => match amount(text) {
            Some(number) => Ok(Some(number)),
            None if text.first().is_some_and(u8::is_ascii_digit) => {
                let text = quote::message(text);
                Err(fail(&bytes!(
                    "invalid suffix in -",
                    key,
                    " argument ",
                    text
                )))
            }
            None => Err(fail(&bytes!(
                "invalid -",
                key,
                " argument ",
                quote::message(text)
            ))),
        },
    };
    let (mut skip, limit) = (number("j")?.unwrap_or(0), number("N")?);
    let text_length = match parsed.value("S") {
        Some(b"") => Some(3),
        _ => number("S")?,
    };
    let wanted = match parsed.value("w") {
        Some(b"") => Some(32),
        _ => number("w")?,
    };
    let mut label = None;
    if let Some(old) = old_places(call, &mut parsed)? {
        (skip, label) = (old.skip, old.label);
    }
    let types = chosen(&parsed).map_err(|message| fail(&message))?;
    let mut files = std::mem::take(&mut parsed.operands);
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    let most = limit.map_or(u64::MAX, |limit| limit.saturating_add(skip));
    let mut input = Input::new(call, &files, most);
    if !input.opened {
        return Ok(input.status);
    }
    if !input.skip(skip) {
        return Err(fail(b"cannot skip past end of combined input"));
    }
    let mut layout = Layout::new(&types, block(call, &types, wanted), radix);
    layout.label = label.map(|label| (label as i64).wrapping_sub(skip as i64));
    layout.big_endian = is_big(call, &parsed)?;
    let mut out = Output::new();
    match text_length {
        Some(least) => strings(&mut input, radix, (skip, least as usize), &mut out),
        None => dump(&mut input, &layout, (skip, parsed.has("v")), &mut out),
    }
    Ok(out.finish(&call.name, input.status, 1))
}

/// The base of offsets (`-A`), of which the first letter counts. The error is the message.
fn radix(parsed: &Parsed) -> Result<Radix, Vec<u8>> {
    let given = parsed.value("A").unwrap_or(b"o");
    Ok(match &given[..given.len().min(1)] {
        b"o" => Radix::Octal,
        b"d" => Radix::Decimal,
        b"x" => Radix::Hexadecimal,
        b"n" => Radix::None,
        letter => {
            let reason = "'; it must be one character from [doxn]";
            return Err(bytes!("invalid output address radix '", letter, reason));
        }
    })
}

/// Whether values have their high byte first (`--endian`).
fn is_big(call: &Call, parsed: &Parsed) -> Result<bool, i32> {
    let orders = [vec!["little"], vec!["big"]];
    match parsed.value("endian") {
        None => Ok(false),
        Some(text) => Ok(options::choice(call, "--endian", text, &orders)? == 1),
    }
}

/// The types in the order of the options; octal words where none is asked for. The error is the message.
fn chosen(parsed: &Parsed) -> Result<Vec<Type>, Vec<u8>> {
    let mut types = Vec::new();
    for (key, value) in &parsed.options {
        if *key == "t" {
            types.extend(types::parse(value)?);
        } else {
            types.extend(types::of_letter(key));
        }
    }
    if types.is_empty() {
        types.push(Type::new(Kind::Octal, 2));
    }
    Ok(types)
}

/// How many bytes a line has: whole values of every type. A width that `-w` asks for and that is none such is
/// replaced, with a warning.
fn block(call: &Call, types: &[Type], wanted: Option<u64>) -> usize {
    // All sizes are powers of two.
    let least = types.iter().map(|kind| kind.size).max().unwrap_or(1);
    match wanted {
        None => least.max(16),
        Some(wanted) => {
            let width = usize::try_from(wanted).unwrap_or(0);
            if width > 0 && width % least == 0 && width <= CHUNK {
                return width;
            }
            call.fail(
                0,
                format!("warning: invalid width {wanted}; using {least} instead"),
            );
            least
        }
    }
}

/// A number of bytes: decimal, `0…` or `0x…`, and a unit: `b` is 512, `K` 1024, `kB` 1000.
fn amount(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.trim_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    let (text, radix) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(rest) => (rest, 16),
        None if text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    let end = text.find(|char: char| !char.is_digit(radix));
    let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
    let number = match digits {
        "" if radix != 10 || unit.is_empty() => return None,
        "" => 1,
        digits => u64::from_str_radix(digits, radix).ok()?,
    };
    let scale = |letters: &str| -> Option<u64> {
        let mut letters = letters.chars();
        let power = "KMGTPE".find(letters.next()?.to_ascii_uppercase())? as u32 + 1;
        match letters.as_str() {
            "" | "iB" => Some(1024u64.pow(power)),
            "B" => Some(1000u64.pow(power)),
            _ => None,
        }
    };
    number.checked_mul(match unit {
        "" => 1,
        "b" => 512,
        unit => scale(unit)?,
    })
}

/// What the operands of the old form say.
struct Old {
    skip: u64,
    /// Where the offset in parentheses begins.
    label: Option<u64>,
}

/// Takes offset and label from the operands, where the old form is used; none where it is not.
fn old_places(call: &Call, parsed: &mut Parsed) -> Result<Option<Old>, i32> {
    let traditional = parsed.has("traditional");
    let is_modern = ["A", "j", "N", "S", "t", "v", "w", "endian"]
        .iter()
        .any(|key| parsed.has(key));
    if is_modern && !traditional {
        return Ok(None);
    }
    let operands = &mut parsed.operands;
    let looks = |word: &[u8], digit: bool| {
        let first = word.first().copied().unwrap_or(0);
        traditional || first == b'+' || digit && first.is_ascii_digit()
    };
    let found = match operands.as_slice() {
        [only] if looks(only, false) => old_place(only).map(|skip| (1, Old { skip, label: None })),
        [first, last] if looks(last, true) => match (old_place(first), old_place(last)) {
            (Some(skip), Some(label)) if traditional => {
                let label = Some(label);
                Some((2, Old { skip, label }))
            }
            (_, last) => last.map(|skip| (1, Old { skip, label: None })),
        },
        [_, second, third] if traditional => {
            let label = old_place(third);
            old_place(second)
                .filter(|_| label.is_some())
                .map(|skip| (2, Old { skip, label }))
        }
        _ => None,
    };
    let taken = found.as_ref().map_or(0, |(count, _)| *count);
    operands.truncate(operands.len() - taken);
    if traditional && let Some(extra) = operands.get(1) {
        call.fail(1, bytes!("extra operand ", quote::word(extra)));
        let message = "compatibility mode supports at most one file";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    Ok(found.map(|(_, old)| old))
}

/// `[+]OFFSET[.][b]`: octal, decimal with a point, or hexadecimal with `0x`; `b` multiplies by 512.
fn old_place(word: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(word).ok()?;
    let text = text.strip_prefix('+').unwrap_or(text);
    let (text, unit) = match text.strip_suffix(['b', 'B']) {
        Some(rest) if !text.starts_with("0x") => (rest, 512),
        _ => (text, 1),
    };
    let number = match (text.strip_suffix('.'), text.strip_prefix("0x")) {
        (Some(digits), _) => digits.parse().ok(),
        (_, Some(digits)) => u64::from_str_radix(digits, 16).ok(),
        _ => u64::from_str_radix(text, 8).ok(),
    };
    number?.checked_mul(unit)
}

/// Writes all blocks, and the offset at which the last one ends. `skip` is the offset of the first byte.
fn dump(input: &mut Input, layout: &Layout, (skip, all): (u64, bool), out: &mut Output) {
    let size = layout.block;
    let mut buffer = vec![0; CHUNK / size * size];
    let (mut previous, mut starred) = (Vec::new(), false);
    let (mut place, mut text) = (skip, Vec::new());
    loop {
        let count = input.fill(&mut buffer);
        for block in buffer[..count].chunks(size) {
            if !all && block.len() == size && previous == block {
                if !starred {
                    text.extend_from_slice(b"*\n");
                }
                starred = true;
            } else {
                starred = false;
                layout.write(place, block, &mut text);
                previous.clear();
                previous.extend_from_slice(block);
            }
            place += block.len() as u64;
        }
        out.put(&text);
        text.clear();
        if count < buffer.len() || out.is_broken() {
            break;
        }
    }
    if layout.radix != Radix::None || layout.label.is_some() {
        layout.place(place, &mut text);
        text.push(b'\n');
        out.put(&text);
    }
}

/// Writes the printable texts that end with a zero and have at least so many characters, each with its offset (`-S`).
fn strings(input: &mut Input, radix: Radix, (skip, least): (u64, usize), out: &mut Output) {
    let mut buffer = vec![0; CHUNK];
    let (mut place, mut found, mut text) = (skip, Vec::new(), Vec::new());
    loop {
        let count = input.fill(&mut buffer);
        for &byte in &buffer[..count] {
            if (b' '..=b'~').contains(&byte) {
                found.push(byte);
            } else {
                if byte == 0 && found.len() >= least {
                    radix.place(place - found.len() as u64, &mut text);
                    if radix != Radix::None {
                        text.push(b' ');
                    }
                    text.extend_from_slice(&found);
                    text.push(b'\n');
                }
                found.clear();
            }
            place += 1;
        }
        out.put(&text);
        text.clear();
        if count < buffer.len() || out.is_broken() {
            return;
        }
    }
}
