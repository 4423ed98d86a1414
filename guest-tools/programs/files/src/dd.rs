//! `dd` of coreutils 9.1; POSIX.1-2017, Shell & Utilities, "dd".
//!
//! Input is read in blocks of `ibs`, converted, and gathered to blocks of `obs`; with `bs` alone each block is written
//! as it was read, however short. Memory is one block of each. `skip` reads and discards, so that it works on pipes.
//! The conversions `ascii`, `ebcdic` and `ibm` are refused. `conv=sparse`, `noerror`, `fsync` and `fdatasync` have no
//! effect, nor have flags other than `fullblock`, `append` and those that count in bytes.

use crate::stream::eprintln;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek as _, SeekFrom, Write};
use std::time::Instant;

use crate::call::{Call, bytes};
use crate::options::{self, Syntax};
use crate::quote;
use crate::system::{self, Failure};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: dd [OPERAND]...\n  or:  dd OPTION\nCopy a file, converting and formatting according to the operands.\n",
    options: &[],
    permute: true,
    status: 1,
};

/// What the operands ask for.
#[derive(Default)]
struct Plan {
    /// `if`; none is standard input.
    input: Option<Vec<u8>>,
    /// `of`; none is standard output.
    output: Option<Vec<u8>>,
    /// `ibs`, in bytes: 512 unless given.
    input_block: usize,
    /// `obs`, in bytes: 512 unless given.
    output_block: usize,
    /// One `bs`: each block is written as it was read.
    single: bool,
    /// How much is copied; without it everything.
    count: Option<Amount>,
    /// What is left out of the input's start, in input blocks.
    skip: Amount,
    /// What is left out of the output's start, in output blocks.
    seek: Amount,
    /// The words of `conv`, all of them known.
    conversions: Vec<String>,
    input_flags: Vec<String>,
    output_flags: Vec<String>,
    /// `none`, `noxfer`, `progress`, or empty. Progress is not reported on the way.
    status: String,
    /// `cbs`: the record size of `block` and `unblock`; 0 where it was not given, and these have no effect then.
    record: usize,
}

/// So many blocks, or with `in_bytes` so many bytes: `count=4B`, or the flags `count_bytes`, `skip_bytes` and
/// `seek_bytes`.
#[derive(Clone, Copy, Default)]
struct Amount {
    number: u64,
    in_bytes: bool,
}

impl Amount {
    /// The amount in bytes, for blocks of a size.
    fn bytes(self, block: usize) -> u64 {
        if self.in_bytes {
            self.number
        } else {
            self.number.saturating_mul(block as u64)
        }
    }
}

/// Words of `conv`.
const CONVERSIONS: &[&str] = &[
    "ascii",
    "block",
    "ebcdic",
    "excl",
    "fdatasync",
    "fsync",
    "ibm",
    "lcase",
    "nocreat",
    "noerror",
    "notrunc",
    "sparse",
    "swab",
    "sync",
    "ucase",
    "unblock",
];

/// Words of `iflag` and `oflag`.
const FLAGS: &[&str] = &[
    "append",
    "binary",
    "cio",
    "count_bytes",
    "direct",
    "directory",
    "dsync",
    "fullblock",
    "noatime",
    "nocache",
    "noctty",
    "nofollow",
    "nolinks",
    "nonblock",
    "seek_bytes",
    "skip_bytes",
    "sync",
    "text",
];

/// A number with factors and units.
///
/// ```text
/// 4k     4096             1MB    1000000
/// 2x512  1024             4B     4, in bytes rather than blocks
/// 1b     512              1w     2
/// ```
fn number(text: &str) -> Option<Amount> {
    let mut total = 1_u64;
    let mut in_bytes = false;
    for part in text.trim_ascii_start().split('x') {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let count: u64 = part[..digits].parse().ok()?;
        let suffix = &part[digits..];
        let factor = match suffix {
            "" => 1,
            "B" => {
                in_bytes = true;
                1
            }
            "c" => 1,
            "w" => 2,
            "b" => 512,
            _ => {
                let power = "kKMGTPE".find(suffix.chars().next()?)?.max(1) as u32;
                match &suffix[1..] {
                    "" | "iB" => 1024_u64.checked_pow(power)?,
                    "B" => 1000_u64.checked_pow(power)?,
                    _ => return None,
                }
            }
        };
        total = total.checked_mul(count.checked_mul(factor)?)?;
    }
    Some(Amount {
        number: total,
        in_bytes,
    })
}

/// Reads the operands; of one that is given twice the last counts, while flags and conversions add up. `bs` outranks
/// `ibs` and `obs`.
///
/// # Errors
/// Status 1 after a message, 2 for a conversion that is missing here.
fn read(call: &Call) -> Result<Plan, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let mut plan = Plan {
        input_block: 512,
        output_block: 512,
        ..Plan::default()
    };
    let mut single = None;
    for operand in &parsed.operands {
        let text = String::from_utf8_lossy(operand);
        let refuse =
            |what: &str| options::usage_error(call, &SYNTAX, bytes!(what, quote::word(operand)));
        let Some((name, value)) = text.split_once('=') else {
            return Err(refuse("unrecognized operand "));
        };
        let amount = || {
            number(value).ok_or_else(|| {
                call.fail(1, bytes!("invalid number: ", quote::word(value.as_bytes())))
            })
        };
        // More at once than this would not fit into memory.
        let block = || match amount()?.number {
            size @ 1..=0x1000_0000 => Ok(size as usize),
            _ => Err(call.fail(1, bytes!("invalid number: ", quote::word(value.as_bytes())))),
        };
        let list = |known: &[&str], what: &str| {
            let words: Vec<String> = value.split(',').map(str::to_owned).collect();
            match words.iter().find(|word| !known.contains(&word.as_str())) {
                None => Ok(words),
                Some(word) => {
                    let message = bytes!("invalid ", what, ": ", quote::word(word.as_bytes()));
                    Err(options::usage_error(call, &SYNTAX, message))
                }
            }
        };
        match name {
            "if" => plan.input = Some(operand[3..].to_vec()),
            "of" => plan.output = Some(operand[3..].to_vec()),
            "ibs" => plan.input_block = block()?,
            "obs" => plan.output_block = block()?,
            "bs" => single = Some(block()?),
            "cbs" => plan.record = block()?,
            "count" => plan.count = Some(amount()?),
            "skip" | "iseek" => plan.skip = amount()?,
            "seek" | "oseek" => plan.seek = amount()?,
            "conv" => plan.conversions.extend(list(CONVERSIONS, "conversion")?),
            "iflag" => plan.input_flags.extend(list(FLAGS, "input flag")?),
            "oflag" => plan.output_flags.extend(list(FLAGS, "output flag")?),
            "status" if ["none", "noxfer", "progress"].contains(&value) => {
                plan.status = value.to_owned()
            }
            "status" => {
                let message = bytes!("invalid status level: ", quote::word(value.as_bytes()));
                return Err(options::usage_error(call, &SYNTAX, message));
            }
            _ => return Err(refuse("unrecognized operand ")),
        }
    }
    if let Some(size) = single {
        (plan.input_block, plan.output_block, plan.single) = (size, size, true);
    }
    for missing in ["ascii", "ebcdic", "ibm"] {
        if plan.converts(missing) {
            return Err(call.fail(2, format!("conversion '{missing}' is not supported")));
        }
    }
    let has = |flags: &[String], flag: &str| flags.iter().any(|given| given == flag);
    if has(&plan.input_flags, "skip_bytes") {
        plan.skip.in_bytes = true;
    }
    if has(&plan.output_flags, "seek_bytes") {
        plan.seek.in_bytes = true;
    }
    if let Some(count) = &mut plan.count
        && has(&plan.input_flags, "count_bytes")
    {
        count.in_bytes = true;
    }
    Ok(plan)
}

impl Plan {
    /// Whether a conversion was asked for.
    fn converts(&self, name: &str) -> bool {
        self.conversions.iter().any(|given| given == name)
    }
}

/// Whole and partial blocks, as the report counts them: `2+1`.
#[derive(Default)]
struct Records {
    whole: u64,
    partial: u64,
}

impl Records {
    /// Counts a block of `length` bytes.
    fn add(&mut self, length: usize, block: usize) {
        if length == block {
            self.whole += 1;
        } else {
            self.partial += 1;
        }
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// A path as text, which WASI's files need; status 1 after a message otherwise.
fn path_text<'a>(call: &Call, path: &'a [u8]) -> Result<&'a str, i32> {
    std::str::from_utf8(path).map_err(|_| {
        call.fail(
            1,
            bytes!(
                "failed to open ",
                quote::message(path),
                ": Invalid or incomplete multibyte or wide character"
            ),
        )
    })
}

/// Opens `of`: emptied, or with `notrunc` as it is, and cut at the offset of `seek`, where writing begins.
fn open_output(call: &Call, plan: &Plan, path: &[u8]) -> Result<File, i32> {
    let append = plan.output_flags.iter().any(|flag| flag == "append");
    let offset = plan.seek.bytes(plan.output_block);
    let cuts = !plan.converts("notrunc");
    let mut options = OpenOptions::new();
    options.write(true).append(append);
    if plan.converts("excl") {
        options.create_new(true);
    } else {
        options.create(!plan.converts("nocreat"));
    }
    options.truncate(cuts && offset == 0 && !append);
    let opened = options.open(path_text(call, path)?).map_err(Failure::from);
    let mut file = opened.map_err(|failure| {
        call.fail(
            1,
            bytes!("failed to open ", quote::message(path), ": ", failure),
        )
    })?;
    if offset > 0 && !append {
        let regular = system::stat(path, true).is_ok_and(|stat| stat.kind == system::Kind::Regular);
        let placed = if cuts && regular {
            file.set_len(offset)
        } else {
            Ok(())
        };
        placed
            .and_then(|()| file.seek(SeekFrom::Start(offset)).map(|_| ()))
            .map_err(|error| {
                let failure = Failure::from(error);
                call.fail(1, bytes!(quote::message(path), ": cannot seek: ", failure))
            })?;
    }
    Ok(file)
}

/// Standard output, moved on by `seek` from wherever whoever opened it has left it. It is never truncated.
fn standard_output(call: &Call, plan: &Plan) -> Result<system::Standard, i32> {
    let opened = system::standard(1);
    let mut output = opened
        .map_err(|failure| call.fail(1, bytes!("error writing 'standard output': ", failure)))?;
    let offset = plan.seek.bytes(plan.output_block);
    if offset > 0 {
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        output.seek(SeekFrom::Current(offset)).map_err(|error| {
            let failure = Failure::from(error);
            call.fail(1, bytes!("'standard output': cannot seek: ", failure))
        })?;
    }
    Ok(output)
}

/// Copies and reports; the report is printed after errors as well.
fn start(call: &Call) -> Result<i32, i32> {
    let plan = read(call)?;
    let began = Instant::now();
    let name = plan.input.as_deref().unwrap_or(b"standard input");
    let mut input: Box<dyn Read> = match &plan.input {
        // Who shares it reads what is not asked for here.
        None => Box::new(system::standard(0).map_err(|failure| {
            call.fail(1, bytes!("error reading 'standard input': ", failure))
        })?),
        Some(path) => {
            let opened = system::open_file(path);
            Box::new(opened.map_err(|failure| {
                call.fail(
                    1,
                    bytes!("failed to open ", quote::message(path), ": ", failure),
                )
            })?)
        }
    };
    let target = plan.output.as_deref().unwrap_or(b"standard output");
    let mut output: Box<dyn Write> = match &plan.output {
        None => Box::new(standard_output(call, &plan)?),
        Some(path) => Box::new(open_output(call, &plan, path)?),
    };
    let skip = plan.skip.bytes(plan.input_block);
    let skipped = std::io::copy(&mut (&mut input).take(skip), &mut std::io::sink());
    if skip > 0 && skipped.is_ok_and(|skipped| skipped < skip) {
        call.fail(
            0,
            bytes!(
                quote::shell_where_needed(name),
                ": cannot skip to specified offset"
            ),
        );
    }
    let mut copy = Copy {
        plan: &plan,
        waiting: Vec::new(),
        column: 0,
        spaces: 0,
        truncated: 0,
        taken: Records::default(),
        given: Records::default(),
        written: 0,
    };
    let mut status = 0;
    let failed = copy.all(&mut input, &mut output);
    let flushed = output.flush().map_err(|error| (false, error));
    if let Err((reading, error)) = failed.and(flushed) {
        let failure = Failure::from(error);
        let (what, name) = if reading {
            ("error reading ", name)
        } else {
            ("error writing ", target)
        };
        status = call.fail(1, bytes!(what, quote::message(name), ": ", failure));
    }
    copy.report(began);
    Ok(status)
}

/// The state of the copy.
struct Copy<'a> {
    plan: &'a Plan,
    /// Bytes that do not fill an output block yet.
    waiting: Vec<u8>,
    /// Where in its line or record the next byte stands.
    column: usize,
    /// Spaces of the record that may be its last ones.
    spaces: usize,
    /// Lines that were longer than a record.
    truncated: u64,
    /// Blocks that were read.
    taken: Records,
    /// Blocks that were written.
    given: Records,
    /// Bytes that were written.
    written: u64,
}

/// An error, and whether it came from reading.
type Broken = (bool, std::io::Error);

impl Copy<'_> {
    /// Copies until `count` or the end of the input. Without `fullblock` one read is one block, however short, as on
    /// pipes.
    fn all(&mut self, input: &mut dyn Read, output: &mut dyn Write) -> Result<(), Broken> {
        let plan = self.plan;
        let full = plan.input_flags.iter().any(|flag| flag == "fullblock");
        let mut buffer = vec![0; plan.input_block];
        let (mut blocks, mut total) = (0, 0);
        loop {
            let most = match plan.count {
                None => plan.input_block,
                Some(Amount {
                    number,
                    in_bytes: false,
                }) if blocks >= number => break,
                Some(Amount {
                    in_bytes: false, ..
                }) => plan.input_block,
                Some(Amount { number, .. }) => {
                    let left = usize::try_from(number - total).unwrap_or(usize::MAX);
                    left.min(plan.input_block)
                }
            };
            if most == 0 {
                break;
            }
            let mut length = 0;
            while length < most {
                match input.read(&mut buffer[length..most]) {
                    Ok(0) => break,
                    Ok(count) => length += count,
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err((true, error)),
                }
                if !full {
                    break;
                }
            }
            if length == 0 {
                break;
            }
            self.taken.add(length, plan.input_block);
            blocks += 1;
            total += length as u64;
            let mut block = buffer[..length].to_vec();
            if plan.converts("sync") {
                let filler = if self.records() { b' ' } else { 0 };
                block.resize(plan.input_block, filler);
            }
            self.convert(&mut block);
            if self.records() {
                block = self.reshape(&block);
            } else if plan.single {
                self.put(&block, output)?;
                continue;
            }
            self.waiting.extend_from_slice(&block);
            while self.waiting.len() >= plan.output_block {
                let rest = self.waiting.split_off(plan.output_block);
                let whole = std::mem::replace(&mut self.waiting, rest);
                self.put(&whole, output)?;
            }
        }
        self.end_record();
        let rest = std::mem::take(&mut self.waiting);
        if rest.is_empty() {
            Ok(())
        } else {
            self.put(&rest, output)
        }
    }

    /// Whether lines become records of one size, or records lines.
    fn records(&self) -> bool {
        let converts = self.plan.converts("block") || self.plan.converts("unblock");
        converts && self.plan.record > 0
    }

    /// Makes records of lines (`block`) or lines of records (`unblock`). State goes from one block to the next in
    /// `column` and `spaces`.
    ///
    /// ```text
    /// cbs=4 conv=block    "ab\ncdefg\n"  ->  "ab  cdef"    (one truncated record)
    /// cbs=4 conv=unblock  "ab  cdef"     ->  "ab\ncdef\n"
    /// ```
    fn reshape(&mut self, block: &[u8]) -> Vec<u8> {
        let record = self.plan.record;
        let mut made = Vec::new();
        for &byte in block {
            if self.plan.converts("block") {
                if byte == b'\n' {
                    made.resize(made.len() + record.saturating_sub(self.column), b' ');
                    self.column = 0;
                    continue;
                }
                self.truncated += u64::from(self.column == record);
                if self.column < record {
                    made.push(byte);
                }
                self.column += 1;
                continue;
            }
            // A record's spaces at its end are not of the line.
            if self.column == record {
                (self.column, self.spaces) = (0, 0);
                made.push(b'\n');
            }
            self.column += 1;
            if byte == b' ' {
                self.spaces += 1;
            } else {
                made.resize(made.len() + std::mem::take(&mut self.spaces), b' ');
                made.push(byte);
            }
        }
        made
    }

    /// Ends the last line or record, which the input left open.
    fn end_record(&mut self) {
        if !self.records() || self.column == 0 {
            return;
        }
        if self.plan.converts("block") {
            let missing = self.plan.record.saturating_sub(self.column);
            self.waiting.resize(self.waiting.len() + missing, b' ');
        } else {
            self.waiting.push(b'\n');
        }
    }

    /// Conversions that keep the length: `swab`, `lcase`, `ucase`. Bytes are swapped within a block; the last one of an
    /// odd block stays.
    fn convert(&self, block: &mut [u8]) {
        if self.plan.converts("swab") {
            block.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
        }
        if self.plan.converts("lcase") {
            block.make_ascii_lowercase();
        }
        if self.plan.converts("ucase") {
            block.make_ascii_uppercase();
        }
    }

    /// Writes a block and counts it.
    fn put(&mut self, block: &[u8], output: &mut dyn Write) -> Result<(), Broken> {
        output.write_all(block).map_err(|error| (false, error))?;
        self.given.add(block.len(), self.plan.output_block);
        self.written += block.len() as u64;
        Ok(())
    }

    /// The lines at the end, to standard error.
    fn report(&self, began: Instant) {
        if self.plan.status == "none" {
            return;
        }
        eprintln!("{}+{} records in", self.taken.whole, self.taken.partial);
        eprintln!("{}+{} records out", self.given.whole, self.given.partial);
        if self.truncated > 0 {
            let plural = if self.truncated == 1 { "" } else { "s" };
            eprintln!("{} truncated record{plural}", self.truncated);
        }
        if self.plan.status == "noxfer" {
            return;
        }
        let seconds = began.elapsed().as_secs_f64();
        let count = self.written;
        let plural = if count == 1 { "" } else { "s" };
        let scale = |value: f64, base: f64, letters: [&str; 6]| {
            let mut value = value;
            let mut unit = "";
            for letter in letters {
                if value < base {
                    break;
                }
                value /= base;
                unit = letter;
            }
            if value < 10.0 && !unit.is_empty() {
                format!("{value:.1} {unit}B")
            } else {
                format!("{value:.0} {unit}B")
            }
        };
        let decimal = ["k", "M", "G", "T", "P", "E"];
        let size = match count {
            0..1000 => String::new(),
            1000..1024 => format!(" ({})", scale(count as f64, 1000.0, decimal)),
            _ => format!(
                " ({}, {})",
                scale(count as f64, 1000.0, decimal),
                scale(count as f64, 1024.0, ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"])
            ),
        };
        let rate = if seconds > 0.0 {
            scale(count as f64 / seconds, 1000.0, decimal)
        } else {
            "Infinity B".to_owned()
        };
        eprintln!("{count} byte{plural}{size} copied, {seconds:.9} s, {rate}/s");
    }
}
