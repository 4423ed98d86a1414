//! `du` and `df`.

use std::collections::HashSet;

use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::size::Unit;
use crate::system::{self, Failure, Kind};

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
        Opt("", "exclude", Value::Required),
        Opt("x", "one-file-system", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `du`.
pub fn du(call: &Call) -> i32 {
    let mut parsed = match options::parse(call, &DU) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut paths = std::mem::take(&mut parsed.operands);
    if paths.is_empty() {
        paths.push(b".".to_vec());
    }
    let unit = match unit(call, &parsed, &DU) {
        Ok(unit) => unit,
        Err(status) => return status,
    };
    let most_depth = match parsed.value("d") {
        _ if parsed.has("s") => 0,
        None => usize::MAX,
        Some(text) => match options::number(text) {
            Some(depth) => depth,
            None => {
                let message = bytes!("invalid maximum depth ", quote::word(text));
                return options::usage_error(call, &DU, message);
            }
        },
    };
    let exclude = parsed.options.iter().filter(|(key, _)| *key == "exclude");
    let exclude = exclude
        .map(|(_, value)| Glob::new(value, false, false))
        .collect();
    let out = Output::new();
    let mut du = Du {
        call,
        parsed: &parsed,
        unit,
        most_depth,
        exclude,
        seen: HashSet::new(),
        out,
        status: 0,
    };
    let mut total = 0;
    for path in &paths {
        total += du.tree(path);
    }
    if parsed.has("c") {
        du.line(total, b"total");
    }
    du.out.finish(&call.name, du.status, 1)
}

fn unit(call: &Call, parsed: &Parsed, syntax: &Syntax) -> Result<Unit, i32> {
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

struct Du<'a> {
    call: &'a Call,
    parsed: &'a Parsed,
    unit: Unit,
    most_depth: usize,
    exclude: Vec<Glob>,
    seen: HashSet<(u64, u64)>,
    out: Output,
    status: i32,
}

/// A directory that is being added up.
struct Open {
    path: Vec<u8>,
    own: u64,
    below: u64,
    entries: std::vec::IntoIter<system::Entry>,
}

impl Du<'_> {
    fn complain(&mut self, what: &str, path: &[u8], failure: Failure) {
        self.out.flush();
        let message = bytes!("cannot ", what, " ", quote::message(path), ": ", failure);
        self.status = self.call.fail(1, message);
    }

    fn line(&mut self, size: u64, path: &[u8]) {
        self.out.put(bytes!(self.unit.format(size), "\t", path));
        self.out
            .end_line(if self.parsed.has("0") { 0 } else { b'\n' });
    }

    /// The size of one file, and whether it is a directory; none where it was counted before.
    fn size(&mut self, path: &[u8], named: bool) -> Option<(u64, bool)> {
        let follow =
            self.parsed.has("L") || (named && (self.parsed.has("D") || self.parsed.has("H")));
        let stat = match system::stat(path, follow) {
            Ok(stat) => stat,
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
        Some((
            match (self.parsed.has("inodes"), apparent) {
                (true, _) => 1,
                (false, true) if is_directory => 0,
                (false, true) => stat.size,
                (false, false) => stat.blocks * 512,
            },
            is_directory,
        ))
    }

    fn open(&mut self, path: Vec<u8>, own: u64) -> Open {
        let entries = match system::read_directory(&path) {
            Ok(entries) => entries,
            Err(failure) => {
                self.complain("read directory", &path, failure);
                Vec::new()
            }
        };
        Open {
            path,
            own,
            below: 0,
            entries: entries.into_iter(),
        }
    }

    /// Adds up what is below `path`, and prints on the way.
    fn tree(&mut self, path: &[u8]) -> u64 {
        let Some((size, is_directory)) = self.size(path, true) else {
            return 0;
        };
        if !is_directory {
            self.line(size, path);
            return size;
        }
        let mut stack = vec![self.open(path.to_vec(), size)];
        loop {
            let depth = stack.len();
            let Some(top) = stack.last_mut() else {
                return 0;
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
                let Some((size, is_directory)) = self.size(&whole, false) else {
                    continue;
                };
                if is_directory {
                    let open = self.open(whole, size);
                    stack.push(open);
                    continue;
                }
                if self.parsed.has("a") && depth <= self.most_depth {
                    self.line(size, &whole);
                }
                if let Some(top) = stack.last_mut() {
                    top.own += size;
                }
                continue;
            }
            let Some(done) = stack.pop() else { return 0 };
            let total = done.own + done.below;
            let shown = if self.parsed.has("S") {
                done.own
            } else {
                total
            };
            if depth - 1 <= self.most_depth {
                self.line(shown, &done.path);
            }
            match stack.last_mut() {
                Some(above) => above.below += total,
                None => return total,
            }
        }
    }
}

const DF: Syntax = Syntax {
    usage: "Usage: df [OPTION]... [FILE]...\nShow information about the file system on which each FILE resides.\n",
    options: &[
        Opt("a", "all", Value::No),
        Opt("B", "block-size", Value::Required),
        Opt("h", "human-readable", Value::No),
        Opt("H", "si", Value::No),
        Opt("i", "inodes", Value::No),
        Opt("k", "", Value::No),
        Opt("m", "", Value::No),
        Opt("l", "local", Value::No),
        Opt("P", "portability", Value::No),
        Opt("t", "type", Value::Required),
        Opt("T", "print-type", Value::No),
        Opt("", "total", Value::No),
        Opt("x", "exclude-type", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// Runs `df`: the sandbox has one filesystem, in memory.
pub fn df(call: &Call) -> i32 {
    let mut parsed = match options::parse(call, &DF) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.has("H") {
        parsed.options.push(("si", Vec::new()));
    }
    let unit = match unit(call, &parsed, &DF) {
        Ok(unit) => unit,
        Err(status) => return status,
    };
    let mut paths = std::mem::take(&mut parsed.operands);
    if paths.is_empty() {
        paths.push(b"/".to_vec());
    }
    let inodes = parsed.has("i");
    let size = match (inodes, unit) {
        (true, _) => "Inodes".to_owned(),
        (false, Unit::Blocks(1024, _)) => if parsed.has("P") {
            "1024-blocks"
        } else {
            "1K-blocks"
        }
        .to_owned(),
        (false, Unit::Blocks(size, _)) => {
            format!("{}-blocks", Unit::Human.format(size).replace(".0", ""))
        }
        (false, _) => "Size".to_owned(),
    };
    let heads = match (inodes, matches!(unit, Unit::Blocks(..))) {
        (true, _) => ["IUsed", "IFree", "IUse%"],
        (false, true) => [
            "Used",
            "Available",
            if parsed.has("P") { "Capacity" } else { "Use%" },
        ],
        (false, false) => ["Used", "Avail", "Use%"],
    };
    let [used, free, share] = heads.map(str::to_owned);
    let mut head = vec![
        "Filesystem".to_owned(),
        size,
        used,
        free,
        share,
        "Mounted on".to_owned(),
    ];
    if parsed.has("T") {
        head.insert(1, "Type".to_owned());
    }
    let mut rows = vec![head];
    let mut status = 0;
    for path in &paths {
        let space = match system::space(path) {
            Ok(space) => space,
            Err(failure) => {
                status = call.fail(1, bytes!(path, ": ", failure));
                continue;
            }
        };
        let (total, free) = if inodes {
            (space.total_inodes, space.free_inodes)
        } else {
            (space.total_bytes, space.free_bytes)
        };
        let used = total.saturating_sub(free);
        let show = |amount: u64| match (inodes, unit) {
            (true, Unit::Blocks(..)) => amount.to_string(),
            (_, unit) => unit.format(amount),
        };
        let share = if total == 0 {
            "-".to_owned()
        } else {
            format!("{}%", (u128::from(used) * 100).div_ceil(u128::from(total)))
        };
        let mut row = vec![
            "tmpfs".to_owned(),
            show(total),
            show(used),
            show(free),
            share,
            "/".to_owned(),
        ];
        if parsed.has("T") {
            row.insert(1, "tmpfs".to_owned());
        }
        rows.push(row);
    }
    let mut out = Output::new();
    if rows.len() > 1 {
        table(&rows, parsed.has("T"), &mut out);
    }
    out.finish(&call.name, status, 1)
}

/// The first column is at least 14 wide, and names are on the left.
fn table(rows: &[Vec<String>], typed: bool, out: &mut Output) {
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = format!("{:<1$}", row[0], widths[0].max(14));
        for column in 1..columns - 1 {
            let narrow = column == usize::from(typed) + 4 || (typed && column == 1);
            let least = if narrow { 4 } else { 5 };
            let width = widths[column].max(least);
            if typed && column == 1 {
                line.push_str(&format!(" {:<width$}", row[column]));
            } else {
                line.push_str(&format!(" {:>width$}", row[column]));
            }
        }
        line.push(' ');
        line.push_str(&row[columns - 1]);
        out.line(line);
    }
}
