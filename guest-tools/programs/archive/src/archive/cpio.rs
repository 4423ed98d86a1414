//! `cpio`: the binary (`bin`), the portable (`odc`) and the new (`newc`, `crc`) format.

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
    let format = match parsed.value("H") {
        None if parsed.has("c") => Format::Portable,
        None | Some(b"bin") => Format::Binary,
        Some(b"newc") => Format::New,
        Some(b"crc") => Format::Checked,
        Some(b"odc") => Format::Portable,
        Some(other) => {
            let message = bytes!(
                "archive format '",
                other,
                "' is not supported; bin, newc, crc and odc are"
            );
            return Err(options::usage_error(call, &SYNTAX, message));
        }
    };
    let base = parsed.value("D").unwrap_or_default().to_vec();
    if parsed.has("o") {
        let (mut archive, status) = gather(call, &parsed, &base, format)?;
        let full = archive.len().next_multiple_of(block);
        archive.resize(full, 0);
        let archive = (archive, status);
        let file = parsed.value("O").or(parsed.value("F"));
        return match file {
            Some(file) => {
                let written = system::create_file(file, false)
                    .and_then(|mut out| Ok(out.write_all(&archive.0)?));
                written
                    .map_err(|failure| call.fail(2, bytes!("Cannot open ", file, ": ", failure)))?;
                blocks(&parsed, archive.0.len(), block);
                Ok(archive.1)
            }
            None => {
                let mut out = Output::new();
                out.put(&archive.0);
                let status = out.finish("cpio", archive.1, 2);
                blocks(&parsed, archive.0.len(), block);
                Ok(status)
            }
        };
    }
    if parsed.has("p") {
        let Some(target) = parsed.operands.pop() else {
            return Err(options::usage_error(call, &SYNTAX, "Not enough arguments"));
        };
        // Copying is writing an archive and reading it elsewhere.
        let (archive, status) = gather(call, &parsed, &base, Format::New)?;
        let mut reader = Reader::new(call, &parsed, target);
        reader.owner = owner(call, &parsed)?;
        reader.globs = Vec::new();
        reader.all(&archive)?;
        blocks(&parsed, archive.len(), block);
        return Ok(status.max(reader.finish()));
    }
    if !parsed.has("i") && !parsed.has("t") {
        let message = "You must specify one of -oipt options.";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let file = parsed
        .value("I")
        .or(parsed.value("F"))
        .unwrap_or(b"-")
        .to_vec();
    let content = system::read_whole(&file)
        .map_err(|failure| call.fail(2, bytes!("Cannot open ", file, ": ", failure)))?;
    let mut reader = Reader::new(call, &parsed, base);
    reader.owner = owner(call, &parsed)?;
    reader.all(&content)?;
    blocks(&parsed, content.len(), block);
    Ok(reader.finish())
}

/// The size of a record: 512 bytes, ten of these or what `-C` says.
fn block_size(call: &Call, parsed: &Parsed) -> Result<usize, i32> {
    let Some(text) = parsed.value("C") else {
        return Ok(if parsed.has("B") { 5120 } else { 512 });
    };
    let size = options::number(text).filter(|size| (1..=1 << 30).contains(size));
    size.ok_or_else(|| call.fail(2, "invalid block size"))
}

fn blocks(parsed: &Parsed, size: usize, block: usize) {
    if parsed.has("V") {
        eprintln!();
    }
    if !parsed.has("quiet") {
        let count = size.div_ceil(block);
        eprintln!("{count} block{}", if count == 1 { "" } else { "s" });
    }
}
