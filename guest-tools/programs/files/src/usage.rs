//! `du` of coreutils 9.1. Directories are added up depth first with a stack; a file with several names, and a
//! directory, counts once in a run (by device and inode) unless `-l` is given.
//!
//! Without `--apparent-size` a file takes the blocks that its `stat` tells of; with it a file has its length, and
//! directories have none. `-x` has no effect.

use std::collections::HashSet;

use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::size::Unit;
use crate::system::{self, Failure, Kind, Stat, Time};

/// The options.
const DU: Syntax = Syntax {
    usage: "Usage: du [OPTION]... [FILE]...\nSummarize device usage of the set of FILEs, recursively for directories.\n",
    options: &[
        Opt("0", "null", Value::No),
        Opt("a", "all", Value::No),
        Opt("", "apparent-size", Value::No),
        Opt("b", "bytes", Value::No),
        Opt("B", "block-size", Value::Required),
        Opt("c", "total", Value::No),
        Opt("D", "dereference-args", Value::No),
        Opt("H", "", Value::No),
        Opt("d", "max-depth", Value::Required),
        Opt("h", "human-readable", Value::No),
        Opt("", "inodes", Value::No),
        Opt("k", "", Value::No),
        Opt("L", "dereference", Value::No),
        Opt("l", "count-links", Value::No),
        Opt("m", "", Value::No),
        Opt("P", "no-dereference", Value::No),
        Opt("S", "separate-dirs", Value::No),
        Opt("", "si", Value::No),
        Opt("s", "summarize", Value::No),
        Opt("t", "threshold", Value::Required),
        Opt("", "time", Value::Optional),
        Opt("", "time-style", Value::Required),
        Opt("", "exclude", Value::Required),
        Opt("X", "exclude-from", Value::Required),
        Opt("", "files0-from", Value::Required),
        Opt("x", "one-file-system", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs the command. The status is 1 where something could not be read.
pub fn du(call: &Call) -> i32 {
    let mut parsed = match options::parse(call, &DU) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    prepare(call, &mut parsed).unwrap_or_else(|status| status)
}

/// Reads the command line and adds up; `Err` is the status after a message.
fn prepare(call: &Call, parsed: &mut Parsed) -> Result<i32, i32> {
    let paths = paths(call, parsed)?;
    let unit = unit(call, parsed, &DU)?;
    let usage = |message: Vec<u8>| options::usage_error(call, &DU, message);
    let given = match parsed.value("d") {
        None => None,
        Some(text) => Some(
            options::number(text)
                .ok_or_else(|| usage(bytes!("invalid maximum depth ", quote::word(text))))?,
        ),
    };
    if parsed.has("s") {
        match given {
            _ if parsed.has("a") => {
                return Err(usage(
                    b"cannot both summarize and show all entries".to_vec(),
                ));
            }
            Some(0) => {
                call.fail(0, "warning: summarizing is the same as using --max-depth=0");
            }
            Some(depth) => {
                let text = "warning: summarizing conflicts with --max-depth=";
                return Err(usage(bytes!(text, format!("{depth}"))));
            }
            None => {}
        }
    }
    let mut du = Du {
        call,
        parsed,
        unit,
        most_depth: given.unwrap_or(if parsed.has("s") { 0 } else { usize::MAX }),
        exclude: exclude(call, parsed)?,
        threshold: threshold(call, parsed)?,
        stamp: stamp(call, parsed)?,
        zone: crate::time::zone(),
        seen: HashSet::new(),
        out: Output::new(),
        status: 0,
    };
    let mut total = Amount::default();
    for path in &paths {
        total.add(du.tree(path));
    }
    if parsed.has("c") {
        du.line(total, b"total");
    }
    Ok(du.out.finish(&call.name, du.status, 1))
}

/// What to add up: the operands, the names in the list of `--files0-from`, or the working directory.
fn paths(call: &Call, parsed: &mut Parsed) -> Result<Vec<Vec<u8>>, i32> {
    let mut paths = std::mem::take(&mut parsed.operands);
    if let Some(list) = parsed.value("files0-from") {
        if let Some(extra) = paths.first() {
            let text = "\nfile operands cannot be combined with --files0-from";
            let message = bytes!("extra operand ", quote::message(extra), text);
            return Err(options::usage_error(call, &DU, message));
        }
        let names = system::read_whole(list).map_err(|failure| {
            let name = quote::message(list);
            call.fail(1, bytes!("cannot open ", name, " for reading: ", failure))
        })?;
        let names = names.split(|&byte| byte == 0);
        return Ok(names
            .filter(|name| !name.is_empty())
            .map(<[u8]>::to_vec)
            .collect());
    }
    if paths.is_empty() {
        paths.push(b".".to_vec());
    }
    Ok(paths)
}

/// The globs of `--exclude` and `-X`.
fn exclude(call: &Call, parsed: &Parsed) -> Result<Vec<Glob>, i32> {
    let mut globs = Vec::new();
    for (key, value) in &parsed.options {
        match *key {
            "exclude" => globs.push(Glob::new(value, false, false)),
            "X" => {
                let lines = system::read_whole(value).map_err(|failure| {
                    call.fail(1, bytes!(quote::shell_where_needed(value), ": ", failure))
                })?;
                let lines = lines
                    .split(|&byte| byte == b'\n')
                    .filter(|line| !line.is_empty());
                globs.extend(lines.map(|line| Glob::new(line, false, false)));
            }
            _ => {}
        }
    }
    Ok(globs)
}

/// The least size that is shown (`-t N`), or with true the most (`-t -N`), in bytes.
fn threshold(call: &Call, parsed: &Parsed) -> Result<Option<(u64, bool)>, i32> {
    let Some(text) = parsed.value("t") else {
        return Ok(None);
    };
    let (most, size) = match text.strip_prefix(b"-") {
        Some(size) => (true, size),
        None => (false, text),
    };
    match (Unit::parse(size), size) {
        (_, b"0") if !most => Ok(None),
        (Some(Unit::Blocks(size, _)), _) => Ok(Some((size, most))),
        _ => Err(call.fail(1, bytes!("invalid --threshold argument '", text, "'"))),
    }
}

/// Which time is shown, and its format, in which `%N` are nanoseconds.
type Stamp = Option<(fn(&Stat) -> Time, String)>;

/// What `--time` and `--time-style` ask for; none without the first.
fn stamp(call: &Call, parsed: &Parsed) -> Result<Stamp, i32> {
    let Some(which) = parsed.value("time") else {
        return Ok(None);
    };
    let names = [vec!["atime", "access", "use"], vec!["ctime", "status"]];
    let time: fn(&Stat) -> Time = match which {
        b"" => |stat| stat.modified,
        _ if options::choice(call, "--time", which, &names)? == 0 => |stat| stat.accessed,
        _ => |stat| stat.changed,
    };
    let style = parsed.value("time-style").unwrap_or(b"long-iso");
    let format = match style {
        [b'+', format @ ..] => String::from_utf8_lossy(format).into_owned(),
        _ => {
            let names = ["full-iso", "long-iso", "iso"].map(|name| vec![name]);
            let formats = ["%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M", "%Y-%m-%d"];
            formats[options::choice(call, "time style", style, &names)?].to_owned()
        }
    };
    Ok(Some((time, format)))
}

/// The unit that sizes are shown in, by the last of its options; for `df` as well.
pub fn unit(call: &Call, parsed: &Parsed, syntax: &Syntax) -> Result<Unit, i32> {
    Ok(match parsed.last(&["b", "B", "h", "k", "m", "si"]) {
        _ if parsed.has("inodes") => Unit::Blocks(1, ""),
        Some("b") => Unit::Blocks(1, ""),
        Some("B") => {
            let text = parsed.value("B").unwrap_or_default();
            Unit::parse(text).ok_or_else(|| {
                let message = bytes!("invalid --block-size argument '", text, "'");
                options::usage_error(call, syntax, message)
            })?
        }
        Some("h") => Unit::Human,
        Some("m") => Unit::Blocks(1 << 20, ""),
        Some("si") => Unit::Decimal,
        _ => Unit::Blocks(1024, ""),
    })
}

/// The state of a run.
struct Du<'a> {
    call: &'a Call,
    parsed: &'a Parsed,
    unit: Unit,
    /// Directories deeper than this are added and not shown; operands have depth 0.
    most_depth: usize,
    exclude: Vec<Glob>,
    /// See `threshold`.
    threshold: Option<(u64, bool)>,
    stamp: Stamp,
    zone: jiff::tz::TimeZone,
    /// Device and inode of what counts once.
    seen: HashSet<(u64, u64)>,
    out: Output,
    status: i32,
}

/// A size in bytes (or a number of inodes), and the latest time of what has it.
#[derive(Clone, Copy, Default)]
struct Amount {
    /// In bytes; with `--inodes` a number of files.
    size: u64,
    time: Time,
}

impl Amount {
    /// Adds sizes, and takes the later time.
    fn add(&mut self, other: Amount) {
        self.size += other.size;
        self.time = self.time.max(other.time);
    }
}

/// A directory that is being added up.
struct Open {
    path: Vec<u8>,
    /// Device and inode.
    identity: (u64, u64),
    /// The directory itself and the files in it.
    own: Amount,
    /// The directories in it.
    below: Amount,
    entries: std::vec::IntoIter<system::Entry>,
}

impl Du<'_> {
    /// Reports what cannot be done with a path; the status becomes 1.
    fn complain(&mut self, what: &str, path: &[u8], failure: Failure) {
        self.out.flush();
        let message = bytes!("cannot ", what, " ", quote::message(path), ": ", failure);
        self.status = self.call.fail(1, message);
    }

    /// Prints an amount, unless the threshold hides it.
    fn line(&mut self, amount: Amount, path: &[u8]) {
        let Amount { size, time } = amount;
        match self.threshold {
            Some((least, false)) if size < least => return,
            Some((most, true)) if size > most => return,
            _ => {}
        }
        self.out.put(bytes!(self.unit.format(size), "\t"));
        if let Some((_, format)) = &self.stamp {
            let nanoseconds = format!("{:09}", time.nanoseconds);
            let format = format.replace("%N", &nanoseconds);
            let shown = crate::time::format(&crate::time::local(time, &self.zone), &format);
            self.out.put(bytes!(shown, "\t"));
        }
        self.out.put(path);
        self.out
            .end_line(if self.parsed.has("0") { 0 } else { b'\n' });
    }

    /// The size of one file, and for a directory its device and inode; none where it was counted before.
    fn size(&mut self, path: &[u8], named: bool) -> Option<(Amount, Option<(u64, u64)>)> {
        let follow = match self.parsed.last(&["L", "P", "D", "H"]) {
            Some("L") => true,
            Some("D" | "H") => named,
            _ => false,
        };
        let stat = match system::stat(path, follow) {
            Ok(stat) => stat,
            // GNU gives no reason for a link that leads nowhere.
            Err(system::NO_ENTRY) if follow && system::stat(path, false).is_ok() => {
                self.out.flush();
                let message = bytes!("cannot access ", quote::message(path));
                self.status = self.call.fail(1, message);
                return None;
            }
            Err(failure) => {
                self.complain("access", path, failure);
                return None;
            }
        };
        let is_directory = stat.kind == Kind::Directory;
        let counted = (is_directory || stat.links > 1) && !self.parsed.has("l");
        if counted && !self.seen.insert((stat.device, stat.inode)) {
            return None;
        }
        let apparent = self.parsed.has("b") || self.parsed.has("apparent-size");
        let size = match (self.parsed.has("inodes"), apparent) {
            (true, _) => 1,
            (false, true) if is_directory => 0,
            (false, true) => stat.size,
            (false, false) => stat.blocks * 512,
        };
        let time = self.stamp.as_ref();
        let time = time.map_or(Time::default(), |(time, _)| time(&stat));
        let identity = is_directory.then_some((stat.device, stat.inode));
        Some((Amount { size, time }, identity))
    }

    /// Opens a directory; one that cannot be read is empty, after a message.
    fn open(&mut self, path: Vec<u8>, identity: (u64, u64), own: Amount) -> Open {
        let entries = match system::read_directory(&path) {
            Ok(entries) => entries,
            Err(failure) => {
                self.complain("read directory", &path, failure);
                Vec::new()
            }
        };
        Open {
            path,
            identity,
            own,
            below: Amount::default(),
            entries: entries.into_iter(),
        }
    }

    /// Adds up what is below `path`, and prints each directory after those in it; with `-a` files, too. Gives the whole
    /// amount, whatever was printed.
    fn tree(&mut self, path: &[u8]) -> Amount {
        let Some((size, directory)) = self.size(path, true) else {
            return Amount::default();
        };
        let Some(identity) = directory else {
            self.line(size, path);
            return size;
        };
        let mut stack = vec![self.open(path.to_vec(), identity, size)];
        loop {
            let depth = stack.len();
            let Some(top) = stack.last_mut() else {
                return Amount::default();
            };
            if let Some(entry) = top.entries.next() {
                let whole = system::join(&top.path, &entry.name);
                if self
                    .exclude
                    .iter()
                    .any(|glob| glob.matches(&entry.name) || glob.matches(&whole))
                {
                    continue;
                }
                let Some((size, directory)) = self.size(&whole, false) else {
                    continue;
                };
                if let Some(identity) = directory {
                    // A link may have led back to a directory above it.
                    if !stack.iter().any(|above| above.identity == identity) {
                        let open = self.open(whole, identity, size);
                        stack.push(open);
                    }
                    continue;
                }
                if self.parsed.has("a") && depth <= self.most_depth {
                    self.line(size, &whole);
                }
                if let Some(top) = stack.last_mut() {
                    top.own.add(size);
                }
                continue;
            }
            let Some(done) = stack.pop() else {
                return Amount::default();
            };
            let mut total = done.own;
            total.add(done.below);
            let shown = if self.parsed.has("S") {
                done.own
            } else {
                total
            };
            if depth - 1 <= self.most_depth {
                self.line(shown, &done.path);
            }
            match stack.last_mut() {
                Some(above) => above.below.add(total),
                None => return total,
            }
        }
    }
}
