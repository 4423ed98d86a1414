//! `gzip`, `bzip2`, `xz` and the commands that undo them.

use std::io::{BufRead as _, BufReader, Read, Write as _};

use super::codec::{Codec, Encoder};
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::system::{self, Kind};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: gzip [OPTION]... [FILE]...\nCompress or uncompress FILEs (by default, compress FILES in-place).\n",
    options: &[
        Opt("c", "stdout", Value::No),
        Opt("c", "to-stdout", Value::No),
        Opt("d", "decompress", Value::No),
        Opt("d", "uncompress", Value::No),
        Opt("f", "force", Value::No),
        Opt("k", "keep", Value::No),
        Opt("l", "list", Value::No),
        Opt("n", "no-name", Value::No),
        Opt("N", "name", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("r", "recursive", Value::No),
        Opt("S", "suffix", Value::Required),
        Opt("t", "test", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("z", "compress", Value::No),
        Opt("T", "threads", Value::Required),
        Opt("1", "fast", Value::No),
        Opt("2", "", Value::No),
        Opt("3", "", Value::No),
        Opt("4", "", Value::No),
        Opt("5", "", Value::No),
        Opt("6", "", Value::No),
        Opt("7", "", Value::No),
        Opt("8", "", Value::No),
        Opt("9", "best", Value::No),
    ],
    permute: true,
    status: 1,
};

struct Plan<'a> {
    call: &'a Call,
    parsed: Parsed,
    codec: Codec,
    suffix: Vec<u8>,
    undo: bool,
    stdout: bool,
    level: u32,
    out: Output,
    status: i32,
}

/// Runs the command; its name says which compression, and whether it is undone.
pub fn run(call: &Call) -> i32 {
    let mut parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let name = call.name.as_str();
    let (codec, suffix) = match name {
        "bzip2" | "bunzip2" | "bzcat" => (Codec::Bzip2, ".bz2"),
        "xz" | "unxz" | "xzcat" => (Codec::Xz, ".xz"),
        _ => (Codec::Gzip, ".gz"),
    };
    let cat = name.ends_with("cat");
    let level = parsed.last(&["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    let default = if codec == Codec::Bzip2 { 9 } else { 6 };
    let mut operands = std::mem::take(&mut parsed.operands);
    if operands.is_empty() {
        operands.push(b"-".to_vec());
    }
    let mut plan = Plan {
        call,
        codec,
        suffix: parsed
            .value("S")
            .map_or_else(|| suffix.as_bytes().to_vec(), <[u8]>::to_vec),
        undo: !parsed.has("z")
            && (parsed.has("d")
                || parsed.has("t")
                || parsed.has("l")
                || cat
                || name.contains("un")),
        stdout: parsed.has("c") || cat || parsed.has("t"),
        level: level
            .and_then(|level| level.parse().ok())
            .unwrap_or(default),
        parsed,
        out: Output::new(),
        status: 0,
    };
    if plan.parsed.has("l") {
        plan.out
            .line("         compressed        uncompressed  ratio uncompressed_name");
    }
    for operand in &operands {
        plan.one(operand);
    }
    plan.out.finish(name, plan.status, 1)
}

impl Plan<'_> {
    fn complain(&mut self, status: i32, message: Vec<u8>) {
        self.out.flush();
        if !(self.parsed.has("q") && status == 2) {
            self.call.fail(status, message);
        }
        if self.status != 1 {
            self.status = status;
        }
    }

    fn one(&mut self, path: &[u8]) {
        if path == b"-" {
            let mut text = Vec::new();
            if let Err(error) = std::io::stdin().lock().read_to_end(&mut text) {
                let failure = system::Failure::from(error);
                return self.complain(1, bytes!("stdin: ", failure));
            }
            if let Some(result) = self.convert(&text, b"stdin", None)
                && !self.parsed.has("t")
            {
                self.out.put(&result);
            }
            return;
        }
        let path = match system::stat(path, true) {
            Ok(found) if found.kind == Kind::Directory => return self.directory(path),
            Ok(_) => path.to_vec(),
            Err(failure) => {
                let longer = bytes!(path, self.suffix);
                if !self.undo || system::stat(&longer, true).is_err() {
                    return self.complain(1, bytes!(path, ": ", failure));
                }
                longer
            }
        };
        self.file(&path);
    }

    fn directory(&mut self, path: &[u8]) {
        if !self.parsed.has("r") {
            return self.complain(2, bytes!(path, " is a directory -- ignored"));
        }
        match system::read_directory(path) {
            Ok(entries) => {
                for entry in entries {
                    self.one(&system::join(path, &entry.name));
                }
            }
            Err(failure) => self.complain(1, bytes!(path, ": ", failure)),
        }
    }

    /// The name of the result.
    fn target(&self, path: &[u8]) -> Option<Vec<u8>> {
        if !self.undo {
            return (!path.ends_with(&self.suffix)).then(|| bytes!(path, self.suffix));
        }
        let short: &[(&[u8], &str)] = &[
            (&self.suffix, ""),
            (b".tgz", ".tar"),
            (b".taz", ".tar"),
            (b".tbz2", ".tar"),
            (b".tbz", ".tar"),
            (b".txz", ".tar"),
        ];
        short.iter().find_map(|(suffix, new)| {
            let stem = path.strip_suffix(*suffix).filter(|stem| !stem.is_empty())?;
            Some(bytes!(stem, new))
        })
    }

    fn file(&mut self, path: &[u8]) {
        let target = self.target(path);
        if target.is_none() && !self.stdout && !self.parsed.has("l") {
            let message = if self.undo {
                bytes!(path, ": unknown suffix -- ignored")
            } else {
                bytes!(path, " already has ", self.suffix, " suffix -- unchanged")
            };
            return self.complain(2, message);
        }
        let (found, text) = match (system::stat(path, true), system::read_whole(path)) {
            (Ok(found), Ok(text)) => (found, text),
            (Err(failure), _) | (_, Err(failure)) => {
                return self.complain(1, bytes!(path, ": ", failure));
            }
        };
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let kept = (!self.parsed.has("n")).then_some((name, found.modified.seconds as u32));
        let Some(result) = self.convert(&text, path, kept) else {
            return;
        };
        if self.parsed.has("l") {
            let saved = 100.0 * (1.0 - text.len() as f64 / result.len().max(1) as f64);
            let shown = target.unwrap_or_else(|| path.to_vec());
            self.out.line(bytes!(
                format!("{:19} {:19} {saved:5.1}% ", text.len(), result.len()),
                shown
            ));
            return;
        }
        if self.stdout {
            if !self.parsed.has("t") {
                self.out.put(&result);
            }
            return;
        }
        let Some(target) = target else { return };
        if !self.parsed.has("f") && system::stat(&target, false).is_ok() {
            return self.complain(2, bytes!(target, " already exists; not overwritten"));
        }
        let written =
            system::create_file(&target, false).and_then(|mut file| Ok(file.write_all(&result)?));
        if let Err(failure) = written {
            return self.complain(1, bytes!(target, ": ", failure));
        }
        // The result keeps what it can of the file.
        let _ = system::set_mode(&target, found.mode);
        let _ = system::set_times(&target, found.accessed, found.modified);
        if !self.parsed.has("k")
            && let Err(failure) = system::unlink(path)
        {
            return self.complain(1, bytes!(path, ": ", failure));
        }
        if self.parsed.has("v") {
            let done = if self.parsed.has("k") {
                "created"
            } else {
                "replaced with"
            };
            let (small, large) = if self.undo {
                (&text, &result)
            } else {
                (&result, &text)
            };
            let saved = 100.0 * (1.0 - small.len() as f64 / large.len().max(1) as f64);
            eprintln!(
                "{}:\t{saved:5.1}% -- {done} {}",
                String::from_utf8_lossy(path),
                String::from_utf8_lossy(&target)
            );
        }
    }

    /// Compresses or decompresses; none after a message.
    fn convert(&mut self, text: &[u8], name: &[u8], kept: Option<(&[u8], u32)>) -> Option<Vec<u8>> {
        let mut result = Vec::with_capacity(text.len());
        if !self.undo {
            let encoded =
                Encoder::new(self.codec, &mut result, self.level, kept).and_then(|mut encoder| {
                    encoder.write_all(text)?;
                    encoder.finish().map(|_| ())
                });
            return match encoded {
                Ok(()) => Some(result),
                Err(_) => {
                    self.complain(1, bytes!(name, ": cannot be compressed"));
                    None
                }
            };
        }
        let codec = Codec::of(text);
        if codec == Codec::None {
            if self.parsed.has("f") && self.stdout {
                return Some(text.to_vec());
            }
            let format = match self.codec {
                Codec::Gzip if text.is_empty() => ": unexpected end of file",
                Codec::Gzip => ": not in gzip format",
                Codec::Bzip2 => ": not a bzip2 file.",
                _ => ": File format not recognized",
            };
            self.complain(1, bytes!(name, format));
            return None;
        }
        let mut reader = BufReader::with_capacity(CHUNK, text);
        let filled = reader.fill_buf().is_ok();
        match codec.reader(reader).read_to_end(&mut result) {
            Ok(_) if filled => Some(result),
            // Zeros and other padding may follow the compressed data.
            Err(_) if !result.is_empty() && codec == Codec::Gzip && text.ends_with(&[0]) => {
                Some(result)
            }
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                self.out.put(if self.stdout { &result[..] } else { &[] });
                self.complain(1, bytes!(name, ": unexpected end of file"));
                None
            }
            _ => {
                self.complain(
                    1,
                    bytes!(name, ": invalid compressed data--format violated"),
                );
                None
            }
        }
    }
}
