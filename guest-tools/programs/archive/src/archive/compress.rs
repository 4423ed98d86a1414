//! `gzip`, `bzip2`, `xz`, `lzma` and the commands that undo them: one implementation behind thirteen names.
//!
//! The name of the command decides the codec, the direction and whether standard output is written (`gzip`, `gunzip`,
//! `zcat`; `uncompress` is `gunzip`). Options, messages and statuses are those of GNU gzip 1.12, bzip2 1.0.8 and XZ
//! Utils 5.4 each. Formats are RFC 1952, bzip2's, xz's, and the older one of LZMA; the codecs themselves are in
//! `offshoot_codec`.
//!
//! Data streams in constant memory. A file is replaced in this order: the result is written, gets mode and times of
//! the source, then the source is removed. Where the conversion fails the result is removed and the source stays.
//!
//! Deliberate differences: `xz` and `lzma` decompress no dictionary above 8 MiB; `-T`, `-C`, and limits of memory are
//! accepted and ignored; `uncompress` does not know the format of `compress`.
//!
//! Statuses: 0; 1 for an error; 2 for a warning of gzip and xz (a name without a known suffix, trailing garbage), and
//! for bzip2 for data that is none of its format. An error is not replaced by a warning that follows.

mod report;
mod wording;

use std::io::{self, BufReader, Read, Write};

use super::codec::{Codec, Encoder, TrailingGarbage};
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::system::{self, Failure, Kind, Stat};
use report::{Listing, Sizes, framed};
use wording::{Obstacle, ending, original};

/// The options of levels, of which the last one counts.
const LEVELS: &[&str] = &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The options that all of them have, and those of one's own.
macro_rules! options {
    ($($own:expr),*) => {
        &[
            Opt("c", "stdout", Value::No),
            Opt("d", "decompress", Value::No),
            Opt("f", "force", Value::No),
            Opt("k", "keep", Value::No),
            Opt("q", "quiet", Value::No),
            Opt("t", "test", Value::No),
            Opt("v", "verbose", Value::No),
            Opt("1", "fast", Value::No),
            Opt("2", "", Value::No),
            Opt("3", "", Value::No),
            Opt("4", "", Value::No),
            Opt("5", "", Value::No),
            Opt("6", "", Value::No),
            Opt("7", "", Value::No),
            Opt("8", "", Value::No),
            Opt("9", "best", Value::No),
            $($own),*
        ]
    };
}

const GZIP: Syntax = Syntax {
    usage: "Usage: gzip [OPTION]... [FILE]...\nCompress or uncompress FILEs (by default, compress FILES in-place).\nWith no FILE, or when FILE is -, read standard input.\n",
    options: options![
        Opt("c", "to-stdout", Value::No),
        Opt("d", "uncompress", Value::No),
        Opt("l", "list", Value::No),
        Opt("n", "no-name", Value::No),
        Opt("N", "name", Value::No),
        Opt("r", "recursive", Value::No),
        Opt("S", "suffix", Value::Required),
        Opt("V", "", Value::No),
        Opt("", "rsyncable", Value::No),
        Opt("", "synchronous", Value::No)
    ],
    permute: true,
    status: 1,
};

const BZIP2: Syntax = Syntax {
    usage: "Usage: bzip2 [OPTION]... [FILE]...\nCompress or decompress FILEs in the .bz2 format.\nWith no FILE, or when FILE is -, read standard input.\n",
    options: options![
        Opt("z", "compress", Value::No),
        Opt("s", "small", Value::No)
    ],
    permute: true,
    status: 1,
};

const XZ: Syntax = Syntax {
    usage: "Usage: xz [OPTION]... [FILE]...\nCompress or decompress FILEs in the .xz format.\nWith no FILE, or when FILE is -, read standard input.\n",
    options: options![
        Opt("c", "to-stdout", Value::No),
        Opt("d", "uncompress", Value::No),
        Opt("z", "compress", Value::No),
        Opt("e", "extreme", Value::No),
        Opt("0", "", Value::No),
        Opt("Q", "no-warn", Value::No),
        Opt("S", "suffix", Value::Required),
        Opt("T", "threads", Value::Required),
        Opt("F", "format", Value::Required),
        Opt("C", "check", Value::Required),
        Opt("M", "memlimit", Value::Required),
        Opt("", "no-sparse", Value::No),
        Opt("", "single-stream", Value::No),
        Opt("", "ignore-check", Value::No)
    ],
    permute: true,
    status: 1,
};

/// One call of the command.
struct Plan<'a> {
    call: &'a Call,
    parsed: Parsed,
    /// What the name of a compressed file ends with: `.gz`, or what `-S` gives.
    suffix: Vec<u8>,
    conversion: Conversion,
    /// Results go to standard output, or nowhere for `-t`.
    stdout: bool,
    listing: Listing,
    /// The length of the longest operand, to which bzip2 aligns what it says.
    longest: usize,
    out: Output,
    /// The exit status so far.
    status: i32,
}

/// What is done with each input.
pub(super) struct Conversion {
    /// The compression that the name of the command stands for.
    codec: Codec,
    /// From 0 or 1 to 9; without an option 9 for bzip2 and 6 for the others.
    level: u32,
    /// Decompression.
    undo: bool,
    /// What is not compressed passes as it is: `-f` with standard output, so that `zcat -f` is `cat`.
    passes: bool,
    /// Only the format of `codec` is undone: xz undoes the older one, too, unless `--format` says which.
    strict: bool,
}

/// Counts the bytes that pass.
struct Counter<T> {
    inner: T,
    count: u64,
}

impl<T> Counter<T> {
    fn new(inner: T) -> Counter<T> {
        Counter { inner, count: 0 }
    }
}

impl<T: Read> Read for Counter<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

impl<T: Write> Write for Counter<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Why a conversion ended early: the exit status, and what follows the name in the message, with its `: `.
pub(super) struct Refused(pub i32, pub Vec<u8>);

/// Runs the command; its name says which compression, and whether it is undone.
pub fn run(call: &Call) -> i32 {
    let name = call.name.as_str();
    let (syntax, codec, suffix) = match name {
        "bzip2" | "bunzip2" | "bzcat" => (&BZIP2, Codec::Bzip2, ".bz2"),
        "xz" | "unxz" | "xzcat" => (&XZ, Codec::Xz, ".xz"),
        "lzma" | "unlzma" | "lzcat" => (&XZ, Codec::Lzma, ".lzma"),
        _ => (&GZIP, Codec::Gzip, ".gz"),
    };
    let mut parsed = match options::parse(call, syntax) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.has("V") {
        print!("{}", crate::model::version(name));
        return 0;
    }
    let format = match format(call, &parsed) {
        Ok(format) => format,
        Err(status) => return status,
    };
    let (codec, suffix) = match format {
        Some(Codec::Lzma) => (Codec::Lzma, ".lzma"),
        Some(_) => (Codec::Xz, ".xz"),
        None => (codec, suffix),
    };
    let cat = name.ends_with("cat");
    let level = parsed.last(LEVELS).and_then(|level| level.parse().ok());
    let default = if codec == Codec::Bzip2 { 9 } else { 6 };
    let mut operands = std::mem::take(&mut parsed.operands);
    if operands.is_empty() {
        operands.push(b"-".to_vec());
    }
    let suffix = parsed.value("S").unwrap_or(suffix.as_bytes()).to_vec();
    let reads = ["d", "t", "l"].iter().any(|key| parsed.has(key));
    let stdout = parsed.has("c") || cat || parsed.has("t") || parsed.has("l");
    let mut plan = Plan {
        call,
        suffix,
        conversion: Conversion {
            codec,
            level: level.unwrap_or(default),
            undo: !parsed.has("z") && (reads || cat || name.contains("un")),
            passes: parsed.has("f") && stdout,
            strict: format.is_some_and(|format| format != Codec::None),
        },
        stdout,
        listing: Listing::new(parsed.has("v"), parsed.has("q")),
        longest: operands.iter().map(Vec::len).max().unwrap_or(0),
        parsed,
        out: Output::new(),
        status: 0,
    };
    for operand in &operands {
        plan.one(operand);
    }
    plan.listing.total(&mut plan.out);
    plan.out.finish(name, plan.status, 1)
}

/// The format that `--format` of xz names, `Codec::None` for `auto`; none where it was not given.
fn format(call: &Call, parsed: &Parsed) -> Result<Option<Codec>, i32> {
    if let Some(check) = parsed.value("C")
        && !matches!(check, b"none" | b"crc32" | b"crc64" | b"sha256")
    {
        return Err(call.fail(1, bytes!(check, ": Unsupported integrity check type")));
    }
    Ok(match parsed.value("F") {
        None => None,
        Some(b"auto") => Some(Codec::None),
        Some(b"xz") => Some(Codec::Xz),
        Some(b"lzma" | b"alone") => Some(Codec::Lzma),
        Some(other) => {
            return Err(call.fail(1, bytes!(other, ": Unknown file format type")));
        }
    })
}

impl Plan<'_> {
    /// Says a message in the name of the command, which is `gzip` for all of its relatives. `-q` hides warnings,
    /// which have status 2.
    fn complain(&mut self, status: i32, message: Vec<u8>) {
        self.out.flush();
        if !(self.parsed.has("q") && status == 2) {
            let name = match self.call.name.as_str() {
                "gunzip" | "zcat" | "uncompress" => "gzip",
                name => name,
            };
            crate::call::complain(name, message);
        }
        if self.status != 1 && status != 0 {
            self.status = status;
        }
    }

    /// Says what is in the way of `path`, which is left alone.
    fn leave(&mut self, obstacle: &Obstacle, path: &[u8]) {
        let (status, message) = obstacle.message(self.conversion.codec, path);
        self.complain(status, message);
    }

    fn one(&mut self, path: &[u8]) {
        if path == b"-" {
            return self.write_to_output(Box::new(io::stdin()), None, None);
        }
        let found = system::stat(path, true).map(|found| (path.to_vec(), found));
        let found = found.or_else(|failure| {
            let longer = bytes!(path, self.suffix);
            match system::stat(&longer, true) {
                Ok(found) if self.conversion.undo => Ok((longer, found)),
                _ => Err(failure),
            }
        });
        match found {
            Ok((path, found)) if found.kind == Kind::Directory => self.directory(&path),
            Ok((path, found)) => self.file(&path, &found),
            Err(failure) => self.leave(&Obstacle::Unreadable(&failure), path),
        }
    }

    /// Converts everything below a directory with `-r`, and refuses it without.
    fn directory(&mut self, path: &[u8]) {
        if !self.parsed.has("r") {
            return self.leave(&Obstacle::Directory, path);
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

    /// The name of the result; none where the source's name does not fit.
    ///
    /// ```text
    /// gzip       a → a.gz        a.gz → none
    /// gunzip     a.gz → a        a.tgz → a.tar      a → none
    /// bunzip2    a.bz2 → a       a → a.out
    /// ```
    fn target(&self, path: &[u8]) -> Option<Vec<u8>> {
        let codec = self.conversion.codec;
        if !self.conversion.undo {
            let forced = codec == Codec::Gzip && self.parsed.has("f");
            let has = path.ends_with(&self.suffix) || ending(codec, path).is_some();
            let has = has && !forced;
            return (!has).then(|| bytes!(path, self.suffix));
        }
        let stem = path.strip_suffix(self.suffix.as_slice());
        let stem = stem.filter(|stem| !stem.is_empty()).map(<[u8]>::to_vec);
        stem.or_else(|| original(codec, path))
    }

    /// Converts a file into a file beside it, or to standard output. A result that exists is kept unless `-f` is
    /// given: nobody is asked.
    fn file(&mut self, path: &[u8], found: &Stat) {
        if let Some(obstacle) = self.obstacle(path, found) {
            return self.leave(&obstacle, path);
        }
        let target = self.target(path);
        let input = match system::open_input(path) {
            Ok(input) => input,
            Err(failure) => return self.leave(&Obstacle::Unreadable(&failure), path),
        };
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let kept = (!self.parsed.has("n")).then_some((name, found.modified.seconds as u32));
        if self.parsed.has("l") {
            return self.list(path, input, target);
        }
        if self.stdout {
            return self.write_to_output(input, Some(path), kept);
        }
        let target = match target {
            Some(target) => target,
            None if self.conversion.undo && self.conversion.codec == Codec::Bzip2 => {
                self.leave(&Obstacle::NoSuffix, path);
                bytes!(path, ".out")
            }
            None => return self.misnamed(path, input),
        };
        let (target, input) = match self.named(path, target, input) {
            Ok(named) => named,
            Err(failure) => return self.complain(1, bytes!(path, ": ", failure)),
        };
        if !self.parsed.has("f") && system::stat(&target, false).is_ok() {
            return self.leave(&Obstacle::Exists, &target);
        }
        if let Some(sizes) = self.convert_to_file(input, path, kept, &target) {
            self.replaced(path, found, &target, &sizes);
        }
    }

    /// What is in the way of replacing a file: it is a symbolic link, or it has other names.
    fn obstacle(&self, path: &[u8], found: &Stat) -> Option<Obstacle<'static>> {
        let xz = matches!(self.conversion.codec, Codec::Xz | Codec::Lzma);
        if self.stdout || self.parsed.has("f") || xz && self.parsed.has("k") {
            return None;
        }
        if system::stat(path, false).is_ok_and(|stat| stat.kind == Kind::Symlink) {
            return Some(Obstacle::Symlink);
        }
        (found.links > 1).then(|| Obstacle::Links(found.links - 1))
    }

    /// A name that is not what this compression makes, or what it has made already.
    fn misnamed(&mut self, path: &[u8], input: Box<dyn Read>) {
        let codec = self.conversion.codec;
        if !self.conversion.undo {
            let own = String::from_utf8_lossy(&self.suffix).into_owned();
            let suffix = ending(codec, path).unwrap_or(&own);
            let hushed = codec == Codec::Gzip && (self.parsed.has("r") || self.parsed.has("q"));
            if hushed && !self.parsed.has("v") {
                return;
            }
            return self.leave(&Obstacle::Suffix(suffix), path);
        }
        // xz looks at the content before the name.
        if matches!(codec, Codec::Xz | Codec::Lzma)
            && let Err(Refused(status, message)) = self.conversion.check(input)
        {
            return self.complain(status, bytes!(path, message));
        }
        self.leave(&Obstacle::NoSuffix, path);
    }

    /// The result's name, or for `gunzip -N` the one that gzip kept, in the directory of the source: directories in a
    /// kept name are ignored. Gives an input at its start as well, since the header was read.
    fn named(
        &self,
        path: &[u8],
        target: Vec<u8>,
        input: Box<dyn Read>,
    ) -> system::Result<(Vec<u8>, Box<dyn Read>)> {
        if !(self.conversion.undo && self.conversion.codec == Codec::Gzip && self.parsed.has("N")) {
            return Ok((target, input));
        }
        let decoder = flate2::read::GzDecoder::new(input);
        let kept = decoder.header().and_then(|header| header.filename());
        let kept = kept.and_then(|name| name.rsplit(|&byte| byte == b'/').next());
        let target = match kept {
            Some(name) if !name.is_empty() => {
                let folder = path.iter().rposition(|&byte| byte == b'/');
                bytes!(path[..folder.map_or(0, |at| at + 1)], name)
            }
            _ => target,
        };
        Ok((target, system::open_input(path)?))
    }

    /// A line of `gzip -l`: compressed and uncompressed size in bytes, ratio, and name. The data is decompressed, so
    /// that sizes above 4 GiB, which the format's own field cannot hold, are right.
    fn list(&mut self, path: &[u8], input: Box<dyn Read>, target: Option<Vec<u8>>) {
        match self.conversion.run(input, None, &mut io::sink()) {
            Err(Refused(status, message)) => self.complain(status, bytes!(path, message)),
            Ok(sizes) => {
                let shown = target.unwrap_or_else(|| path.to_vec());
                self.listing.row(&mut self.out, path, &sizes, &shown);
            }
        }
    }

    /// Converts a file, or standard input, to standard output, or only looks at it, and says so.
    fn write_to_output(
        &mut self,
        input: Box<dyn Read>,
        path: Option<&[u8]>,
        kept: Option<(&[u8], u32)>,
    ) {
        if self.parsed.has("l") {
            return self.list(path.unwrap_or(b"-"), input, Some(b"stdout".to_vec()));
        }
        let name = path.unwrap_or(self.conversion.input_name());
        let Some(sizes) = self.convert_to_output(input, name, kept) else {
            return;
        };
        let gunzips = self.conversion.undo && self.conversion.codec == Codec::Gzip;
        if path.is_some() || !gunzips || self.parsed.has("t") {
            self.tell(name, &sizes, path.map(|_| b"stdout".as_slice()));
        }
    }

    /// Converts to standard output, or to nowhere for `-t`; none after a message.
    fn convert_to_output(
        &mut self,
        input: Box<dyn Read>,
        name: &[u8],
        kept: Option<(&[u8], u32)>,
    ) -> Option<Sizes> {
        let result = if self.parsed.has("t") {
            self.conversion.run(input, kept, &mut io::sink())
        } else {
            self.conversion.run(input, kept, &mut self.out)
        };
        self.settle(result, name)
    }

    /// Converts to a file, which is gone again where that fails.
    fn convert_to_file(
        &mut self,
        input: Box<dyn Read>,
        name: &[u8],
        kept: Option<(&[u8], u32)>,
        target: &[u8],
    ) -> Option<Sizes> {
        let mut file = match system::create_file(target, false) {
            Ok(file) => file,
            Err(failure) => {
                self.complain(1, bytes!(target, ": ", failure));
                return None;
            }
        };
        let result = self.conversion.run(input, kept, &mut file);
        drop(file);
        let sizes = self.settle(result, name);
        if sizes.is_none() {
            // Half a file is worse than none.
            let _ = system::unlink(target);
        }
        sizes
    }

    /// Says what was wrong with a conversion, if anything; none where it failed.
    fn settle(&mut self, result: Result<Sizes, Refused>, name: &[u8]) -> Option<Sizes> {
        match result {
            // What was wrong with standard output is said at the end.
            Err(_) if self.out.is_broken() => None,
            Ok(sizes) => {
                if sizes.garbage && self.conversion.codec == Codec::Bzip2 {
                    self.out.flush();
                    let message = bytes!(name, ": trailing garbage after EOF ignored");
                    // bzip2 begins a line of its own here.
                    let _ = std::io::stderr().write_all(b"\n");
                    crate::call::complain(&self.call.name, message);
                } else if sizes.garbage {
                    self.complain(2, bytes!(name, ": ", TrailingGarbage.to_string()));
                }
                Some(sizes)
            }
            Err(Refused(status, message)) => {
                self.complain(status, bytes!(name, message));
                None
            }
        }
    }

    /// What follows a conversion into a file: the result gets mode and times as far as that is allowed, the source is
    /// removed unless `-k` is given, and `-v` says so.
    fn replaced(&mut self, path: &[u8], found: &Stat, target: &[u8], sizes: &Sizes) {
        let _ = system::set_mode(target, found.mode);
        let _ = system::set_times(target, found.accessed, found.modified, true);
        let keep = self.parsed.has("k");
        if !keep && let Err(failure) = system::unlink(path) {
            return self.complain(1, bytes!(path, ": ", failure));
        }
        self.tell(path, sizes, Some(target));
    }

    /// What `-v` says of a file that was converted or tested.
    fn tell(&mut self, path: &[u8], sizes: &Sizes, target: Option<&[u8]>) {
        if !self.parsed.has("v") {
            return;
        }
        self.out.flush();
        let (undo, tests) = (self.conversion.undo, self.parsed.has("t"));
        let name = String::from_utf8_lossy(path);
        match self.conversion.codec {
            Codec::Bzip2 => {
                let done = match (undo, tests) {
                    (_, true) => "ok".to_owned(),
                    (true, _) => "done".to_owned(),
                    _ => sizes.of_bzip2(),
                };
                let pad = self.longest.max("(stdin)".len()).saturating_sub(path.len());
                eprintln!("  {name}: {:pad$}{done}", "");
            }
            Codec::Xz | Codec::Lzma => eprintln!("{name}: {}", sizes.of_xz(undo)),
            _ if tests => eprintln!("{name}:\t OK"),
            _ => {
                let saved = sizes.saved(undo);
                let Some(target) = target else {
                    return eprintln!("{saved:5.1}%");
                };
                let verb = if self.parsed.has("k") {
                    "created"
                } else {
                    "replaced with"
                };
                let target = String::from_utf8_lossy(target);
                eprintln!("{name}:\t{saved:5.1}% -- {verb} {target}");
            }
        }
    }
}

/// How much of the input is looked at before it is undone: a header with a name in it.
const START: usize = 512;

impl Conversion {
    /// What standard input is called in messages.
    fn input_name(&self) -> &'static [u8] {
        match self.codec {
            Codec::Gzip => b"stdin",
            _ => b"(stdin)",
        }
    }

    /// Compresses or decompresses, in constant memory.
    fn run(
        &self,
        input: Box<dyn Read>,
        kept: Option<(&[u8], u32)>,
        out: &mut dyn Write,
    ) -> Result<Sizes, Refused> {
        let (mut input, mut out) = (Counter::new(input), Counter::new(out));
        let (mut garbage, mut frame) = (false, framed(kept.map(|(name, _)| name.len())));
        if self.undo {
            (garbage, frame) = self.decode(&mut input, &mut out)?;
        } else {
            Encoder::new(self.codec, &mut out, self.level, kept)
                .and_then(|mut encoder| {
                    let mut reader = BufReader::with_capacity(CHUNK, &mut input);
                    io::copy(&mut reader, &mut encoder)?;
                    encoder.finish().map(drop)
                })
                .map_err(|error| Refused(1, bytes!(": ", Failure::from(error))))?;
        }
        Ok(Sizes {
            before: input.count,
            after: out.count,
            frame,
            garbage,
        })
    }

    /// Whether the input begins as something that is undone; nothing is decompressed.
    fn check(&self, mut input: impl Read) -> Result<(), Refused> {
        self.recognize(&mut input).map(drop)
    }

    /// What the input is compressed with, and its first six bytes, which are taken from it. It must be the command's
    /// own compression, but `xz` decompresses LZMA's as well. `Codec::None` means that it passes as it is.
    fn recognize(&self, input: &mut dyn Read) -> Result<(Codec, Vec<u8>), Refused> {
        let refuse = |error: io::Error| Refused(1, bytes!(": ", Failure::from(error)));
        let mut start = Vec::with_capacity(START);
        input
            .take(START as u64)
            .read_to_end(&mut start)
            .map_err(refuse)?;
        let codec = match (Codec::of(&start), self.codec) {
            (Codec::Lzma, Codec::Xz) if !self.strict => Codec::Lzma,
            (found, wanted) if found == wanted => found,
            _ => Codec::None,
        };
        if codec == Codec::None && !self.passes {
            return Err(self.unknown(start.is_empty()));
        }
        Ok((codec, start))
    }

    /// Decompresses; whether garbage follows, and what gzip's header and end take.
    fn decode(&self, input: &mut dyn Read, out: &mut dyn Write) -> Result<(bool, u64), Refused> {
        let (codec, start) = self.recognize(input)?;
        let header = flate2::read::GzDecoder::new(start.as_slice());
        let name = header.header().and_then(|header| header.filename());
        let frame = framed(name.map(<[u8]>::len));
        let whole = start.as_slice().chain(input);
        let mut decoded = codec.reader(BufReader::with_capacity(CHUNK, whole));
        match io::copy(&mut decoded, out) {
            Ok(_) => Ok((false, frame)),
            Err(error) if TrailingGarbage::is(&error) => Ok((true, frame)),
            Err(error) => {
                let (status, reason) = self.codec.broken(error);
                Err(Refused(status, reason))
            }
        }
    }

    /// The input is in no format that is known, in the words of each command. For gzip an empty input is one that
    /// ends early.
    fn unknown(&self, empty: bool) -> Refused {
        match self.codec {
            Codec::Gzip if empty => Refused(1, bytes!(": unexpected end of file")),
            // GNU's begins a line of its own here.
            Codec::Gzip => {
                let _ = std::io::stderr().write_all(b"\n");
                Refused(1, bytes!(": not in gzip format"))
            }
            Codec::Bzip2 => Refused(2, bytes!(" is not a bzip2 file.")),
            _ => Refused(1, bytes!(": File format not recognized")),
        }
    }
}
