//! `file` 5.44: what is in a file, by its first bytes.
//!
//! The original interprets a compiled magic file; here the formats that occur in practice are code. `binary` has those
//! that are known by bytes at fixed places, `elf` the details of one of them, `text` encodings, line ends and
//! languages. They are asked in this order, the first answer counts, and what nothing knows is `data`.

mod binary;
mod elf;
mod text;

use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::system::{self, Kind};

/// What a file is: in words, and as a MIME type with its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What `file` prints.
    pub words: String,
    /// What `--mime-type` prints.
    pub mime: &'static str,
    /// What `--mime-encoding` prints: `us-ascii`, `utf-8`, `binary`, …
    pub charset: &'static str,
}

impl Finding {
    /// Something that is no text.
    pub fn binary(words: impl Into<String>, mime: &'static str) -> Finding {
        Finding {
            words: words.into(),
            mime,
            charset: "binary",
        }
    }
}

/// How much of a file is read: the 1 MiB of the original's default.
const MOST: u64 = 1 << 20;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: file [OPTION...] [FILE...]\nDetermine type of FILEs.\n",
    options: &[
        Opt("b", "brief", Value::No),
        Opt("E", "", Value::No),
        Opt("f", "files-from", Value::Required),
        Opt("F", "separator", Value::Required),
        Opt("h", "no-dereference", Value::No),
        Opt("i", "mime", Value::No),
        Opt("", "mime-type", Value::No),
        Opt("", "mime-encoding", Value::No),
        Opt("k", "keep-going", Value::No),
        Opt("L", "dereference", Value::No),
        Opt("n", "no-buffer", Value::No),
        Opt("N", "no-pad", Value::No),
        Opt("0", "print0", Value::No),
        Opt("p", "preserve-date", Value::No),
        Opt("r", "raw", Value::No),
        Opt("s", "special-files", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs the command. A file that cannot be read is told as its answer, and is no failure but with `-E`.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut files = Vec::new();
    for (key, list) in &parsed.options {
        if *key != "f" {
            continue;
        }
        match system::read_whole(list) {
            Ok(text) => {
                let names = text
                    .split(|&byte| byte == b'\n')
                    .filter(|name| !name.is_empty());
                files.extend(names.map(<[u8]>::to_vec));
            }
            Err(failure) => {
                let message = bytes!("Cannot open `", list, "' (", failure, ")");
                return call.fail(1, message);
            }
        }
    }
    files.extend(parsed.operands.iter().cloned());
    if files.is_empty() {
        return options::usage_error(call, &SYNTAX, "missing file operand");
    }
    let shown = |name: &[u8]| {
        if name == b"-" {
            b"/dev/stdin".to_vec()
        } else {
            name.to_vec()
        }
    };
    let width = |name: &[u8]| String::from_utf8_lossy(name).chars().count();
    let widest = files
        .iter()
        .map(|name| width(&shown(name)))
        .max()
        .unwrap_or(0);
    let separator = parsed.value("F").unwrap_or(b":");
    let (mut out, mut status) = (Output::new(), 0);
    for name in &files {
        let (answer, failed) = describe(name, &parsed);
        if failed && parsed.has("E") {
            status = 1;
        }
        if parsed.has("b") {
            out.line(answer);
            continue;
        }
        let shown = shown(name);
        out.put(&shown);
        out.put(if parsed.has("0") { b"\0" } else { &b""[..] });
        if parsed.operands.len() + files.len() > 0 {
            out.put(separator);
        }
        let gap = if parsed.has("N") {
            0
        } else {
            widest - width(&shown)
        };
        out.put(bytes!(" ".repeat(gap + 1), answer, "\n"));
    }
    out.finish(&call.name, status, 1)
}

/// What is printed after the name, and whether the file could not be read. Links are described themselves, unless `-L`
/// is given.
fn describe(name: &[u8], parsed: &Parsed) -> (Vec<u8>, bool) {
    let plain = |words: Vec<u8>, mime: &'static str| {
        let finding = Finding::binary(String::from_utf8_lossy(&words).into_owned(), mime);
        (show(&finding, parsed), false)
    };
    let mut start = Vec::new();
    if name == b"-" {
        // What could not be read is judged by what came before it.
        let _ = crate::stream::stdin()
            .lock()
            .take(MOST)
            .read_to_end(&mut start);
        return (show(&identify(&start), parsed), false);
    }
    let fail = |failure: system::Failure| {
        let what = if parsed.has("E") {
            "ERROR: cannot stat `"
        } else {
            "cannot open `"
        };
        (bytes!(what, name, "' (", failure, ")"), true)
    };
    let stat = match system::stat(name, parsed.has("L")) {
        Ok(stat) => stat,
        Err(failure) => return fail(failure),
    };
    match stat.kind {
        Kind::Directory => {
            let prefix = if stat.mode & 0o1000 == 0 {
                ""
            } else {
                "sticky, "
            };
            return plain(bytes!(prefix, "directory"), "inode/directory");
        }
        Kind::Symlink => {
            let target = system::read_link(name).unwrap_or_default();
            let broken = system::stat(name, true).is_err();
            let words = if broken {
                "broken symbolic link to "
            } else {
                "symbolic link to "
            };
            return plain(bytes!(words, target), "inode/symlink");
        }
        Kind::Fifo => return plain(b"fifo (named pipe)".to_vec(), "inode/fifo"),
        Kind::CharacterDevice if !parsed.has("s") => {
            return plain(b"character special".to_vec(), "inode/chardevice");
        }
        _ => {}
    }
    let read =
        system::open_file(name).and_then(|file| Ok(file.take(MOST).read_to_end(&mut start)?));
    match read {
        Ok(_) => (show(&identify(&start), parsed), false),
        Err(failure) => fail(failure),
    }
}

/// A finding as the options ask for.
fn show(finding: &Finding, parsed: &Parsed) -> Vec<u8> {
    match parsed.last(&["i", "mime-type", "mime-encoding"]) {
        Some("i") => format!("{}; charset={}", finding.mime, finding.charset).into_bytes(),
        Some("mime-type") => finding.mime.as_bytes().to_vec(),
        Some(_) => finding.charset.as_bytes().to_vec(),
        None => finding.words.clone().into_bytes(),
    }
}

/// What a content is; it may be cut at `MOST` bytes.
pub fn identify(content: &[u8]) -> Finding {
    if content.is_empty() {
        return Finding::binary("empty", "inode/x-empty");
    }
    binary::identify(content)
        .or_else(|| text::identify(content))
        .unwrap_or_else(|| Finding::binary("data", "application/octet-stream"))
}
