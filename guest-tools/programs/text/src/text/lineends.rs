//! `dos2unix`, `unix2dos`, `mac2unix` and `unix2mac`: the ends of lines.
//!
//! Files are converted in place, or with `-n` from one to the other; without files standard input is, to standard
//! output. UTF-16 with a byte order mark becomes UTF-8. A file with control characters that texts do not have is
//! binary and skipped, unless `-f` is given.
//!
//! The status is 2 where a file could not be read or written, unless `-q` is given; what is skipped leaves it 0.
//! Deliberate differences: the conversion mode `iso` is refused, and files are written over and not replaced.

use std::io::{Read as _, Write as _};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::system::{self, Kind};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: dos2unix [options] [file ...] [-n infile outfile ...]\nConvert the line ends of text files.\n",
    options: &[
        Opt("b", "keep-bom", Value::No),
        Opt("c", "convmode", Value::Required),
        Opt("f", "force", Value::No),
        Opt("i", "info", Value::Optional),
        Opt("k", "keepdate", Value::No),
        Opt("l", "newline", Value::No),
        Opt("m", "add-bom", Value::No),
        Opt("n", "newfile", Value::No),
        Opt("o", "oldfile", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("r", "remove-bom", Value::No),
        Opt("s", "safe", Value::No),
        Opt("v", "verbose", Value::No),
    ],
    permute: true,
    status: 1,
};

/// What is changed into what: the name of the command, and `-c mac`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// CR LF to LF.
    DosToUnix,
    /// CR to LF, where no LF follows.
    MacToUnix,
    /// LF to CR LF, where no CR stands before it.
    UnixToDos,
    /// LF to CR, likewise.
    UnixToMac,
}

impl Direction {
    /// What messages call the result.
    fn target(self) -> &'static str {
        match self {
            Direction::DosToUnix | Direction::MacToUnix => "Unix",
            Direction::UnixToDos => "DOS",
            Direction::UnixToMac => "Mac",
        }
    }

    /// How many line ends are converted, and how many there are.
    fn count(self, text: &[u8]) -> (usize, usize) {
        let ends = memchr::memchr_iter(b'\n', text).count();
        let pairs = memchr::memmem::find_iter(text, b"\r\n").count();
        let alone = memchr::memchr_iter(b'\r', text).count() - pairs;
        match self {
            Direction::DosToUnix => (pairs, ends),
            Direction::MacToUnix => (alone, ends + alone),
            Direction::UnixToDos | Direction::UnixToMac => (ends - pairs, ends),
        }
    }

    /// The text with other line ends; with `double` (`-l`) each that is converted is there twice.
    fn convert(self, text: &[u8], double: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() + text.len() / 32);
        let mut before = 0;
        for (at, &byte) in text.iter().enumerate() {
            let after = text.get(at + 1).copied().unwrap_or(0);
            match (self, byte) {
                (Direction::DosToUnix, b'\r') if after == b'\n' => {}
                (Direction::DosToUnix, b'\n') if double && before == b'\r' => {
                    out.extend_from_slice(b"\n\n");
                }
                (Direction::MacToUnix, b'\r') if after != b'\n' => {
                    out.extend_from_slice(if double { b"\n\n" } else { b"\n" });
                }
                (Direction::UnixToDos, b'\n') if before != b'\r' => {
                    out.extend_from_slice(if double { b"\r\n\r\n" } else { b"\r\n" });
                }
                (Direction::UnixToMac, b'\n') if before != b'\r' => {
                    out.extend_from_slice(if double { b"\r\r" } else { b"\r" });
                }
                _ => out.push(byte),
            }
            before = byte;
        }
        out
    }
}

/// The state of one call.
struct Job<'a> {
    call: &'a Call,
    parsed: Parsed,
    direction: Direction,
    /// What is no ASCII becomes a blank, byte by byte (`-c 7bit`).
    narrow: bool,
    out: Output,
    status: i32,
}

/// Runs the command; its name says the direction.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let (back, mut mac) = (call.name.starts_with("unix2"), call.name.contains("mac"));
    let mut narrow = false;
    match parsed.value("c").map(<[u8]>::to_ascii_lowercase).as_deref() {
        None => {}
        Some(b"ascii") => mac = false,
        Some(b"7bit") => narrow = true,
        Some(b"mac") => mac = true,
        Some(b"iso") => {
            return call.fail(2, "the conversion mode iso is not supported");
        }
        Some(other) => {
            return call.fail(1, bytes!("invalid ", other, " conversion mode specified"));
        }
    }
    let direction = match (back, mac) {
        (false, false) => Direction::DosToUnix,
        (false, true) => Direction::MacToUnix,
        (true, false) => Direction::UnixToDos,
        (true, true) => Direction::UnixToMac,
    };
    let mut job = Job {
        call,
        direction,
        narrow,
        out: Output::new(),
        status: 0,
        parsed,
    };
    let files = job.parsed.operands.clone();
    if let Some(flags) = job.parsed.value("i").map(<[u8]>::to_vec) {
        if let Some(wrong) = flags.iter().find(|flag| !b"0dumbtchp".contains(flag)) {
            return call.fail(1, bytes!("invalid flag ", [*wrong], " for option -i"));
        }
        if flags.contains(&b'h') {
            job.header(&flags);
        }
        for file in &files {
            job.info(file, &flags);
        }
    } else if files.is_empty() {
        let mut text = Vec::new();
        if let Err(error) = crate::stream::stdin().lock().read_to_end(&mut text) {
            return call.fail(1, bytes!("can not read: ", system::Failure::from(error)));
        }
        let text = job.converted(b"stdin", &text);
        job.out.put(text);
    } else if job.parsed.has("n") {
        for pair in files.chunks(2) {
            match pair {
                [from, to] => job.file(from, to),
                _ => {
                    job.status = job.call.fail(
                        1,
                        bytes!(
                            "target of file ",
                            pair[0],
                            " not specified in new-file mode"
                        ),
                    );
                }
            }
        }
    } else {
        for file in &files {
            job.file(file, file);
        }
    }
    let status = job.status;
    job.out.finish(&call.name, status, 1)
}

/// The first byte that texts do not have, and the line it is in, counted from 1.
fn binary(text: &[u8]) -> Option<(u8, usize)> {
    let odd = |byte: &u8| *byte < b' ' && !b"\n\r\t\x0c".contains(byte);
    let at = text.iter().position(odd)?;
    let line = 1 + memchr::memchr_iter(b'\n', &text[..at]).count();
    Some((text[at], line))
}

/// The byte order mark in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

impl Job<'_> {
    /// A text with other line ends. A byte order mark goes on the way to Unix and stays on the way to DOS, unless
    /// `-b`, `-m` or `-r` say otherwise.
    fn converted(&self, name: &[u8], text: &[u8]) -> Vec<u8> {
        let utf16 = match text {
            [0xff, 0xfe, rest @ ..] => Some((rest, false)),
            [0xfe, 0xff, rest @ ..] => Some((rest, true)),
            _ => None,
        };
        let decoded = utf16.map(|(text, big)| {
            let unit = |pair: &[u8]| match (pair, big) {
                ([a, b], true) => u16::from_be_bytes([*a, *b]),
                ([a, b], false) => u16::from_le_bytes([*a, *b]),
                _ => 0xfffd,
            };
            let units: Vec<u16> = text.chunks(2).map(unit).collect();
            String::from_utf16_lossy(&units).into_bytes()
        });
        let marked = text.starts_with(MARK) || decoded.is_some();
        let text = decoded.as_deref().unwrap_or(text);
        let text = text.strip_prefix(MARK).unwrap_or(text);
        let unix = matches!(self.direction, Direction::DosToUnix | Direction::MacToUnix);
        let keeps = match self.parsed.last(&["b", "m", "r"]) {
            Some("b") => marked,
            Some("m") => true,
            Some(_) => false,
            None => marked && !unix,
        };
        if self.parsed.has("v") {
            if marked {
                self.say(bytes!("Input file ", name, " has UTF-8 BOM."));
            }
            if keeps {
                self.say(b"Writing UTF-8 BOM.".to_vec());
            }
            let (changed, all) = self.direction.count(text);
            let line = format!("Converted {changed} out of {all} line breaks.");
            self.say(line.into_bytes());
        }
        let mut out = self.direction.convert(text, self.parsed.has("l"));
        if self.narrow {
            out.iter_mut()
                .filter(|byte| !byte.is_ascii())
                .for_each(|byte| *byte = b' ');
        }
        if keeps {
            out.splice(0..0, MARK.iter().copied());
        }
        out
    }

    /// A message that `-q` leaves out.
    fn say(&self, message: Vec<u8>) {
        if !self.parsed.has("q") {
            self.call.fail(0, message);
        }
    }

    /// A message that makes the status 2.
    fn fail(&mut self, message: Vec<u8>) {
        if !self.parsed.has("q") {
            self.status = 2;
        }
        self.say(message);
    }

    /// Converts a file into another one, or into itself.
    fn file(&mut self, from: &[u8], to: &[u8]) {
        let found = match system::stat(from, true) {
            Ok(found) => found,
            Err(failure) => {
                self.fail(bytes!(from, ": ", failure));
                return self.say(bytes!("Skipping ", from, ", not a regular file."));
            }
        };
        if found.kind != Kind::Regular {
            return self.say(bytes!("Skipping ", from, ", not a regular file."));
        }
        let is_link = system::stat(from, false).is_ok_and(|stat| stat.kind == Kind::Symlink);
        if is_link && from == to {
            return self.say(bytes!("Skipping symbolic link ", from, "."));
        }
        let text = match system::read_whole(from) {
            Ok(text) => text,
            Err(failure) => return self.fail(bytes!(from, ": ", failure)),
        };
        let utf16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
        if let Some((byte, line)) = binary(&text).filter(|_| !self.parsed.has("f") && !utf16) {
            let place = format!("Binary symbol 0x{byte:02X} found at line {line}");
            self.say(place.into_bytes());
            return self.say(bytes!("Skipping binary file ", from));
        }
        let result = self.converted(from, &text);
        let target = self.direction.target();
        self.say(if from == to {
            bytes!("converting file ", from, " to ", target, " format...")
        } else {
            bytes!(
                "converting file ",
                from,
                " to file ",
                to,
                " in ",
                target,
                " format..."
            )
        });
        let written =
            system::create_file(to, false).and_then(|mut file| Ok(file.write_all(&result)?));
        if let Err(failure) = written {
            return self.fail(bytes!(to, ": ", failure));
        }
        if self.parsed.has("k") {
            // The text is converted; its time is a wish.
            let _ = system::set_times(to, found.accessed, found.modified, true);
        }
    }

    /// The line of titles above what `-i` says.
    fn header(&mut self, flags: &[u8]) {
        let titles = [
            (b'd', "     DOS"),
            (b'u', "    UNIX"),
            (b'm', "     MAC"),
            (b'b', "  BOM     "),
            (b't', "  TXTBIN"),
        ];
        let shown = titles.iter().filter(|(flag, _)| shows(flags, *flag));
        let line: String = shown.map(|(_, title)| *title).collect();
        self.out.put(line + "  FILE");
        self.out.end_line(end(flags));
    }

    /// How many line ends of each kind a file has (`-i`): DOS, Unix and Mac, then its byte order mark and whether it
    /// is text. With the flag `c` only the names of files that would be converted.
    fn info(&mut self, file: &[u8], flags: &[u8]) {
        let text = match system::read_whole(file) {
            Ok(text) => text,
            Err(failure) => return self.fail(bytes!(file, ": ", failure)),
        };
        let base = file.rsplit(|&byte| byte == b'/').next();
        let name = base.filter(|_| flags.contains(&b'p')).unwrap_or(file);
        let pairs = memchr::memmem::find_iter(&text, b"\r\n").count();
        let count = |wanted| memchr::memchr_iter(wanted, &text).count() - pairs;
        let (unix, mac) = (count(b'\n'), count(b'\r'));
        let mark = match text.as_slice() {
            [0xef, 0xbb, 0xbf, ..] => "UTF-8",
            [0xff, 0xfe, ..] => "UTF-16LE",
            [0xfe, 0xff, ..] => "UTF-16BE",
            _ => "no_bom",
        };
        let kind = if binary(&text).is_some() {
            "binary"
        } else {
            "text"
        };
        if flags.contains(&b'c') {
            let needed = match self.direction {
                Direction::DosToUnix => pairs > 0,
                Direction::MacToUnix => mac > 0,
                Direction::UnixToDos | Direction::UnixToMac => unix > 0,
            };
            if needed && kind == "text" {
                self.out.put(name);
                self.out.end_line(end(flags));
            }
            return;
        }
        let mut line = String::new();
        for (flag, number) in [(b'd', pairs), (b'u', unix), (b'm', mac)] {
            if shows(flags, flag) {
                line += &format!("  {number:6}");
            }
        }
        if shows(flags, b'b') {
            line += &format!("  {mark:8}");
        }
        if shows(flags, b't') {
            line += &format!("  {kind:6}");
        }
        self.out.put(bytes!(line, "  ", name));
        self.out.end_line(end(flags));
    }
}

/// Whether a column is wanted: all are where none is named.
fn shows(flags: &[u8], flag: u8) -> bool {
    flags.contains(&flag) || !flags.iter().any(|flag| b"dumbt".contains(flag))
}

/// What ends the lines of `-i`.
fn end(flags: &[u8]) -> u8 {
    if flags.contains(&b'0') { 0 } else { b'\n' }
}
