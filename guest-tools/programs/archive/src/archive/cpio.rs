//! `cpio`, after GNU cpio 2.13: the binary (`bin`), the portable (`odc`) and the new (`newc`, `crc`) format.
//!
//! The three modes are `-o` (names on standard input → an archive), `-i` (an archive → files; `-t` lists) and `-p`
//! (names → copies in another directory), which is `-o` and `-i` in one, over an archive in memory. So memory is
//! O(archive) always. `gather` makes archives, `extract` reads them, `header` knows the formats.
//!
//! Deliberate differences: `-p` copies, `-l` for links is not known; the formats of tar are refused; the checksums of
//! `crc` are written and not compared. A name that leads out of the directory refuses the archive before anything is
//! written, also without `--no-absolute-filenames`.
//!
//! Statuses: 0; 2 for an error; 64 for an option that does not exist.

mod extract;
mod gather;
mod header;

use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::options::{Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::{options, system};
use extract::Reader;
use gather::{gather, owner};
use header::Format;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: cpio [OPTION...] [destination-directory]\nGNU `cpio' copies files to and from archives\n  cpio -o < name-list > archive\n  cpio -i < archive\n  cpio -p destination-directory < name-list\n",
    options: &[
        Opt("o", "create", Value::No),
        Opt("i", "extract", Value::No),
        Opt("p", "pass-through", Value::No),
        Opt("t", "list", Value::No),
        Opt("0", "null", Value::No),
        Opt("B", "", Value::No),
        Opt("c", "", Value::No),
        Opt("C", "io-size", Value::Required),
        Opt("d", "make-directories", Value::No),
        Opt("D", "directory", Value::Required),
        Opt("E", "pattern-file", Value::Required),
        Opt("f", "nonmatching", Value::No),
        Opt("F", "file", Value::Required),
        Opt("H", "format", Value::Required),
        Opt("I", "", Value::Required),
        Opt("O", "", Value::Required),
        Opt("L", "dereference", Value::No),
        Opt("m", "preserve-modification-time", Value::No),
        Opt("n", "numeric-uid-gid", Value::No),
        Opt("", "no-absolute-filenames", Value::No),
        Opt("", "no-preserve-owner", Value::No),
        Opt("", "quiet", Value::No),
        Opt("R", "owner", Value::Required),
        Opt("", "reproducible", Value::No),
        Opt("", "to-stdout", Value::No),
        Opt("u", "unconditional", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("V", "dot", Value::No),
    ],
    permute: true,
    status: 2,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and runs one of the modes. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    // An option that it does not know is a usage error of its own.
    const UNKNOWN: i32 = 64;
    let wrong = |status| {
        if status == SYNTAX.status {
            UNKNOWN
        } else {
            status
        }
    };
    let mut parsed = options::parse(call, &SYNTAX).map_err(wrong)?;
    let modes = ["o", "i", "p"].iter().filter(|key| parsed.has(key)).count();
    if modes > 1 {
        return Err(options::usage_error(call, &SYNTAX, "Mode already defined"));
    }
    if let Some(file) = parsed.value("E") {
        let lines = system::read_whole(file)
            .map_err(|failure| call.fail(2, bytes!(file, ": Cannot open: ", failure)))?;
        let patterns = lines.split(|&byte| byte == b'\n');
        let patterns = patterns.filter(|line| !line.is_empty());
        parsed.operands.extend(patterns.map(<[u8]>::to_vec));
    }
    let block = block_size(call, &parsed)?;
    let format = format(call, &parsed)?;
    if parsed.has("o") {
        return create(call, &parsed, format, block);
    }
    if parsed.has("p") {
        return pass(call, parsed, block);
    }
    if !parsed.has("i") && !parsed.has("t") {
        let message = "You must specify one of -oipt options.";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let file = parsed.value("I").or(parsed.value("F")).unwrap_or(b"-");
    let content = system::read_whole(file)
        .map_err(|failure| call.fail(2, bytes!("Cannot open ", file, ": ", failure)))?;
    let mut reader = Reader::new(call, &parsed, base(&parsed));
    reader.owner = owner(call, &parsed)?;
    reader.all(&content)?;
    blocks(&parsed, content.len(), block);
    Ok(reader.finish())
}

/// The folder that `-D` names.
fn base(parsed: &Parsed) -> Vec<u8> {
    parsed.value("D").unwrap_or_default().to_vec()
}

/// The format of the archive that is made: `-H`, else `odc` with `-c`, else `bin`. What is read tells its format
/// itself.
fn format(call: &Call, parsed: &Parsed) -> Result<Format, i32> {
    match parsed.value("H") {
        None if parsed.has("c") => Ok(Format::Portable),
        None | Some(b"bin") => Ok(Format::Binary),
        Some(b"newc") => Ok(Format::New),
        Some(b"crc") => Ok(Format::Checked),
        Some(b"odc") => Ok(Format::Portable),
        Some(other) => {
            let message = bytes!(
                "archive format '",
                other,
                "' is not supported; bin, newc, crc and odc are"
            );
            Err(options::usage_error(call, &SYNTAX, message))
        }
    }
}

/// `-o`: writes an archive of the files that standard input names, filled up with zeros to whole blocks.
fn create(call: &Call, parsed: &Parsed, format: Format, block: usize) -> Result<i32, i32> {
    let (mut archive, mut status) = gather(call, parsed, &base(parsed), format)?;
    let full = archive.len().next_multiple_of(block);
    archive.resize(full, 0);
    match parsed.value("O").or(parsed.value("F")) {
        Some(file) => {
            let written =
                system::create_file(file, false).and_then(|mut out| Ok(out.write_all(&archive)?));
            written.map_err(|failure| call.fail(2, bytes!("Cannot open ", file, ": ", failure)))?;
        }
        None => {
            let mut out = Output::new();
            out.put(&archive);
            status = out.finish("cpio", status, 2);
        }
    }
    blocks(parsed, archive.len(), block);
    Ok(status)
}

/// `-p`: copying is writing an archive and reading it elsewhere. The target is the last operand.
fn pass(call: &Call, mut parsed: Parsed, block: usize) -> Result<i32, i32> {
    let Some(target) = parsed.operands.pop() else {
        return Err(options::usage_error(call, &SYNTAX, "Not enough arguments"));
    };
    let (archive, status) = gather(call, &parsed, &base(&parsed), Format::New)?;
    let mut reader = Reader::new(call, &parsed, target);
    reader.owner = owner(call, &parsed)?;
    reader.globs = Vec::new();
    reader.all(&archive)?;
    blocks(&parsed, archive.len(), block);
    Ok(status.max(reader.finish()))
}

/// The size of a block in bytes: 512, ten times that with `-B`, or what `-C` says.
fn block_size(call: &Call, parsed: &Parsed) -> Result<usize, i32> {
    let Some(text) = parsed.value("C") else {
        return Ok(if parsed.has("B") { 5120 } else { 512 });
    };
    let size = options::number(text).filter(|size| (1..=1 << 30).contains(size));
    size.ok_or_else(|| call.fail(2, "invalid block size"))
}

/// Says on standard error how many blocks an archive of `size` bytes has, unless `--quiet` is given.
fn blocks(parsed: &Parsed, size: usize, block: usize) {
    if parsed.has("V") {
        eprintln!();
    }
    if !parsed.has("quiet") {
        let count = size.div_ceil(block);
        eprintln!("{count} block{}", if count == 1 { "" } else { "s" });
    }
}
