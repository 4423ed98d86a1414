//! `stat` of coreutils 9.1. Every output is a format: the usual and the terse ones are the constants below. All files
//! are on one filesystem of type `tmpfs` with blocks of 4096 bytes; device numbers of device files are shown as 0.

use jiff::tz::TimeZone;

use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Kind, Space, Stat, Time};
use crate::time;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: stat [OPTION]... FILE...\nDisplay file or file system status.\n",
    options: &[
        Opt("L", "dereference", Value::No),
        Opt("f", "file-system", Value::No),
        Opt("c", "format", Value::Required),
        Opt("", "printf", Value::Required),
        Opt("", "cached", Value::Required),
        Opt("t", "terse", Value::No),
    ],
    permute: true,
    status: 1,
};

/// The format without `-c`.
const USUAL: &str = "  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %Hd,%Ld\tInode: %-10i  Links: %h\nAccess: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w\n";
/// The format of `-t`.
const TERSE: &str = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n";
/// The format of `-f`.
const USUAL_SPACE: &str = "  File: \"%n\"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s Fundamental block size: %S\nBlocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n";
/// The format of `-f -t`.
const TERSE_SPACE: &str = "%n %i %l %t %s %S %b %f %a %c %d\n";

/// The block size that is reported for every file.
const BLOCK: u64 = 4096;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.is_empty() {
        return options::usage_error(call, &SYNTAX, "missing operand");
    }
    let mut printer = Printer::new(&parsed);
    let mut out = Output::new();
    let mut status = 0;
    for path in &parsed.operands {
        let Err(problem) = printer.file(path, &parsed, &mut out) else {
            continue;
        };
        out.flush();
        match problem {
            Problem::File(message) => status = call.fail(1, message),
            Problem::Format(message) => return call.fail(1, message),
        }
    }
    out.finish(&call.name, status, 1)
}

/// Why a file is not shown.
enum Problem {
    /// It cannot be looked at.
    File(Vec<u8>),
    /// The format is wrong for every file.
    Format(Vec<u8>),
}

/// A format and what its directives need.
struct Printer {
    format: Vec<u8>,
    /// `\n` and the like are escapes: in `--printf`.
    escapes: bool,
    /// The format is one of our own: `%N` does not quote.
    usual: bool,
    accounts: Accounts,
    zone: TimeZone,
}

/// A directive: `%-10.3HX` is flags `-`, width 10, precision 3, modifier `H`, letter `X`.
#[derive(Default)]
struct Spec {
    flags: Vec<u8>,
    /// In bytes; 0 where none was given.
    width: usize,
    /// For a point without digits 9 in times, else 0.
    precision: Option<usize>,
    /// `H` or `L`, else 0.
    modifier: u8,
    /// 0 where the format ended.
    letter: u8,
}

impl Printer {
    /// The format that the options ask for; `-c` ends it with a newline.
    fn new(parsed: &Parsed) -> Printer {
        let space = parsed.has("f");
        let (format, escapes, usual) = match parsed.last(&["c", "printf"]) {
            Some("printf") => (
                parsed.value("printf").unwrap_or_default().to_vec(),
                true,
                false,
            ),
            Some(_) => (
                bytes!(parsed.value("c").unwrap_or_default(), "\n"),
                false,
                false,
            ),
            None => {
                let format = match (space, parsed.has("t")) {
                    (false, false) => USUAL,
                    (false, true) => TERSE,
                    (true, false) => USUAL_SPACE,
                    (true, true) => TERSE_SPACE,
                };
                (format.as_bytes().to_vec(), false, true)
            }
        };
        Printer {
            format,
            escapes,
            usual,
            accounts: Accounts::new(),
            zone: time::zone(),
        }
    }

    /// Prints one file, `-` being standard input, or with `-f` its filesystem. The error has a message.
    fn file(&mut self, path: &[u8], parsed: &Parsed, out: &mut Output) -> Result<(), Problem> {
        let name = || quote::message(path);
        if parsed.has("f") {
            let space = system::space(path).map_err(|failure| {
                let text = "cannot read file system information for ";
                Problem::File(bytes!(text, name(), ": ", failure))
            })?;
            return self.print(out, |_, spec| space_value(path, &space, spec));
        }
        let stat = if path == b"-" {
            system::stat_descriptor(0)
                .map_err(|failure| Problem::File(bytes!("cannot stat standard input: ", failure)))?
        } else {
            system::stat(path, parsed.has("L"))
                .map_err(|failure| Problem::File(bytes!("cannot statx ", name(), ": ", failure)))?
        };
        self.print(out, |printer, spec| printer.value(path, &stat, spec))
    }

    /// Goes through the format. `value` gives what a directive stands for; one that does not exist is `?`.
    ///
    /// # Errors
    /// A message for a directive without a letter; what stands before it was printed.
    fn print(
        &self,
        out: &mut Output,
        value: impl Fn(&Printer, &Spec) -> Option<Vec<u8>>,
    ) -> Result<(), Problem> {
        let mut rest = self.format.as_slice();
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            match byte {
                b'%' if after.first() == Some(&b'%') => {
                    out.put(b"%");
                    rest = &after[1..];
                }
                b'%' if after.is_empty() || after == b"\n" => out.put(b"%"),
                b'%' => {
                    let (spec, behind) = parse(after);
                    rest = behind;
                    if matches!(spec.letter, 0 | b'%' | b'\n') {
                        let text = after[..after.len() - rest.len()].trim_ascii_end();
                        let text = quote::word(&bytes!("%", text));
                        return Err(Problem::Format(bytes!(text, ": invalid directive")));
                    }
                    match value(self, &spec) {
                        Some(text) => out.put(pad(text, &spec)),
                        None => out.put(b"?"),
                    }
                }
                b'\\' if self.escapes => rest = escape(after, out),
                _ => out.put([byte]),
            }
        }
        Ok(())
    }

    /// What a directive stands for; none for an unknown letter.
    fn value(&self, path: &[u8], stat: &Stat, spec: &Spec) -> Option<Vec<u8>> {
        let (major, minor) = ((stat.device >> 8) & 0xfff, stat.device & 0xff);
        let text = match (spec.modifier, spec.letter) {
            (b'H', b'd') => major.to_string(),
            (b'L', b'd') => minor.to_string(),
            (b'H' | b'L', b'r') => "0".to_owned(),
            (_, b'a') if spec.flags.contains(&b'#') => format!("0{:o}", stat.mode),
            (_, b'a') => format!("{:o}", stat.mode),
            (_, b'A') => stat.permissions(),
            (_, b'b') => stat.blocks.to_string(),
            (_, b'B') => "512".to_owned(),
            (_, b'C') => "?".to_owned(),
            (_, b'd') => stat.device.to_string(),
            (_, b'D') => format!("{:x}", stat.device),
            (_, b'f') => format!("{:x}", stat.kind.bits() | stat.mode),
            (_, b'F') => kind(stat).to_owned(),
            (_, b'g') => stat.gid.to_string(),
            (_, b'G') => self
                .accounts
                .group_name(stat.gid)
                .unwrap_or_else(|| "UNKNOWN".to_owned()),
            (_, b'h') => stat.links.to_string(),
            (_, b'i') => stat.inode.to_string(),
            (_, b'm') => "/".to_owned(),
            (_, b'n') => return Some(path.to_vec()),
            (_, b'N') => return Some(self.name(path, stat)),
            (_, b'o') => BLOCK.to_string(),
            (_, b's') => stat.size.to_string(),
            (_, b'r' | b'R' | b't' | b'T') => "0".to_owned(),
            (_, b'u') => stat.uid.to_string(),
            (_, b'U') => self
                .accounts
                .user_name(stat.uid)
                .unwrap_or_else(|| "UNKNOWN".to_owned()),
            (_, b'w') => time::full(stat.created, &self.zone),
            (_, b'W') => seconds(stat.created, spec),
            (_, b'x') => time::full(stat.accessed, &self.zone),
            (_, b'X') => seconds(stat.accessed, spec),
            (_, b'y') => time::full(stat.modified, &self.zone),
            (_, b'Y') => seconds(stat.modified, spec),
            (_, b'z') => time::full(stat.changed, &self.zone),
            (_, b'Z') => seconds(stat.changed, spec),
            _ => return None,
        };
        Some(text.into_bytes())
    }

    /// `%N`: the quoted name, and for a link where it leads.
    fn name(&self, path: &[u8], stat: &Stat) -> Vec<u8> {
        let quoted = |name: &[u8]| {
            if self.usual {
                name.to_vec()
            } else {
                quote::shell(name)
            }
        };
        match system::read_link(path) {
            Ok(target) if stat.kind == Kind::Symlink => {
                bytes!(quoted(path), " -> ", quoted(&target))
            }
            _ => quoted(path),
        }
    }
}

/// `%F`: the kind in words.
fn kind(stat: &Stat) -> &'static str {
    match stat.kind {
        Kind::Regular if stat.size == 0 => "regular empty file",
        Kind::Regular => "regular file",
        Kind::Directory => "directory",
        Kind::Symlink => "symbolic link",
        Kind::Fifo => "fifo",
        Kind::CharacterDevice => "character special file",
    }
}

/// Seconds since the epoch, with as many decimals as the precision asks for. These are cut, not rounded.
fn seconds(time: Time, spec: &Spec) -> String {
    match spec.precision {
        None | Some(0) => time.seconds.to_string(),
        Some(digits) => {
            let decimals = format!("{:09}", time.nanoseconds);
            let shown: String = decimals
                .chars()
                .chain(std::iter::repeat('0'))
                .take(digits)
                .collect();
            format!("{}.{shown}", time.seconds)
        }
    }
}

/// What a directive of `-f` stands for; none for an unknown letter.
fn space_value(path: &[u8], space: &Space, spec: &Spec) -> Option<Vec<u8>> {
    let text = match spec.letter {
        b'a' | b'f' => (space.free_bytes / BLOCK).to_string(),
        b'b' => (space.total_bytes / BLOCK).to_string(),
        b'c' => space.total_inodes.to_string(),
        b'd' => space.free_inodes.to_string(),
        b'i' => "0".to_owned(),
        b'l' => "255".to_owned(),
        b'n' => return Some(path.to_vec()),
        b's' | b'S' => BLOCK.to_string(),
        b't' => "1021994".to_owned(),
        b'T' => "tmpfs".to_owned(),
        _ => return None,
    };
    Some(text.into_bytes())
}

/// Reads a directive behind its `%`, and gives what follows it.
fn parse(mut text: &[u8]) -> (Spec, &[u8]) {
    let mut spec = Spec::default();
    let flags = text
        .iter()
        .take_while(|byte| b"#-+ 0'".contains(byte))
        .count();
    spec.flags = text[..flags].to_vec();
    text = &text[flags..];
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    spec.width = options::number(&text[..digits]).unwrap_or(0);
    text = &text[digits..];
    let mut precise = None;
    if let Some(after) = text.strip_prefix(b".") {
        let digits = after
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        precise = Some(options::number(&after[..digits]));
        text = &after[digits..];
    }
    if let [modifier @ (b'H' | b'L'), _, ..] = text {
        spec.modifier = *modifier;
        text = &text[1..];
    }
    let (letter, after) = match text.split_first() {
        Some((&letter, after)) => (letter, after),
        None => (0, text),
    };
    let usual = if is_time(letter) { 9 } else { 0 };
    spec.precision = precise.map(|given| given.unwrap_or(usual));
    (Spec { letter, ..spec }, after)
}

/// Whether the letter is one of seconds since the epoch.
fn is_time(letter: u8) -> bool {
    b"WXYZ".contains(&letter)
}

/// Cuts texts to the precision and fills numbers up to it, and fills to the width: spaces on the right for `-`, zeros
/// for `0` before numbers without a precision and times, else spaces on the left. Sizes and times have a sign for `+`
/// or a space.
fn pad(mut text: Vec<u8>, spec: &Spec) -> Vec<u8> {
    let has = |flag: u8| spec.flags.contains(&flag);
    let is_text = b"nNAFGUCmwxyz".contains(&spec.letter);
    let is_time = is_time(spec.letter);
    match spec.precision {
        Some(precision) if is_text => text.truncate(precision),
        Some(precision) if !is_time => {
            let zeros = precision.saturating_sub(text.len());
            text.splice(..0, std::iter::repeat_n(b'0', zeros));
        }
        _ => {}
    }
    let sign: &[u8] = match text.first() {
        Some(b'-') => b"",
        _ if !is_time && spec.letter != b's' => b"",
        _ if has(b'+') => b"+",
        _ if has(b' ') => b" ",
        _ => b"",
    };
    let missing = spec.width.saturating_sub(text.len() + sign.len());
    let is_zero = has(b'0') && !is_text && (is_time || spec.precision.is_none());
    if has(b'-') {
        bytes!(sign, text, vec![b' '; missing])
    } else if is_zero {
        bytes!(sign, vec![b'0'; missing], text)
    } else {
        bytes!(vec![b' '; missing], sign, text)
    }
}

/// Prints the escape after a backslash and gives what follows it. Octal escapes have up to three digits, hexadecimal
/// ones up to two; an unknown one is its character.
fn escape<'a>(text: &'a [u8], out: &mut Output) -> &'a [u8] {
    let Some((&byte, after)) = text.split_first() else {
        out.put(b"\\");
        return text;
    };
    let plain = match byte {
        b'n' => b'\n',
        b't' => b'\t',
        b'a' => 7,
        b'b' => 8,
        b'e' => 27,
        b'f' => 12,
        b'r' => b'\r',
        b'v' => 11,
        b'0'..=b'7' => {
            let count = text
                .iter()
                .take(3)
                .take_while(|b| (b'0'..=b'7').contains(b))
                .count();
            let value = text[..count]
                .iter()
                .fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0'));
            out.put([value as u8]);
            return &text[count..];
        }
        b'x' => {
            let digits = text[1..].iter().take(2);
            let digits = digits.map_while(|digit| char::from(*digit).to_digit(16));
            let digits: Vec<u32> = digits.collect();
            let value = digits.iter().fold(0, |value, digit| value * 16 + digit);
            if !digits.is_empty() {
                out.put([value as u8]);
                return &text[1 + digits.len()..];
            }
            byte
        }
        _ => byte,
    };
    out.put([plain]);
    after
}
