//! `df` of coreutils 9.1. The sandbox has one filesystem, of type `tmpfs` and mounted on `/`, so each operand is a row
//! of its own that shows the same figures.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::size::Unit;
use crate::usage::unit;
use crate::{quote, system};

/// The options; `unit` of `usage` reads those for sizes.
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
        Opt("", "output", Value::Optional),
        Opt("P", "portability", Value::No),
        Opt("t", "type", Value::Required),
        Opt("T", "print-type", Value::No),
        Opt("", "total", Value::No),
        Opt("x", "exclude-type", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// Runs the command. The status is 1 where a path has no filesystem or a type excludes all.
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
    let fields = match Field::chosen(call, &parsed) {
        Ok(fields) => fields,
        Err(status) => return status,
    };
    let named = !paths.is_empty();
    if !named {
        paths.push(b"/".to_vec());
    }
    let inodes = parsed.has("i");
    let size = size_head(&parsed, unit);
    if let Some(fields) = fields {
        if (parsed.has("t") && !is_type(&parsed, "t")) || is_type(&parsed, "x") {
            return call.fail(1, "no file systems processed");
        }
        return chosen(call, &parsed, unit, &size, &fields, &paths, named);
    }
    let mut rows = vec![head(&parsed, unit, size)];
    let mut status = 0;
    if (parsed.has("t") && !is_type(&parsed, "t")) || is_type(&parsed, "x") {
        return call.fail(1, "no file systems processed");
    }
    let mut sums = (0, 0);
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
        sums = (sums.0 + total, sums.1 + free);
        rows.push(row(&parsed, unit, ["tmpfs", "tmpfs", "/"], total, free));
    }
    if parsed.has("total") && rows.len() > 1 {
        rows.push(row(&parsed, unit, ["total", "-", "-"], sums.0, sums.1));
    }
    let mut out = Output::new();
    if rows.len() > 1 {
        table(&rows, parsed.has("T"), &mut out);
    }
    out.finish(&call.name, status, 1)
}

/// The head of the column of sizes, such as `1K-blocks`.
fn size_head(parsed: &Parsed, unit: Unit) -> String {
    match unit {
        _ if parsed.has("i") => "Inodes".to_owned(),
        Unit::Blocks(1024, _) if parsed.has("P") => "1024-blocks".to_owned(),
        Unit::Blocks(1024, _) => "1K-blocks".to_owned(),
        Unit::Blocks(size, _) => format!("{}-blocks", block_name(size)),
        _ => "Size".to_owned(),
    }
}

/// The heads of all columns but those of `--output`.
fn head(parsed: &Parsed, unit: Unit, size: String) -> Vec<String> {
    let heads = match (parsed.has("i"), matches!(unit, Unit::Blocks(..))) {
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
    head
}

/// Whether an option names the one type that everything is of.
fn is_type(parsed: &Parsed, key: &str) -> bool {
    let mut types = parsed.options.iter().filter(|(given, _)| *given == key);
    types.any(|(_, name)| name == b"tmpfs")
}

/// A column of `--output`.
#[derive(Clone, Copy, PartialEq)]
enum Field {
    Source,
    Type,
    Inodes,
    InodesUsed,
    InodesFree,
    /// Per cent of inodes that are used.
    InodesShare,
    Size,
    Used,
    Free,
    /// Per cent of bytes that are used.
    Share,
    /// The operand; `-` where none was given.
    File,
    Target,
}

impl Field {
    /// The columns in their usual order, each with its name and its head; the head of sizes depends on the unit.
    const ALL: [(Field, &str, &str); 12] = [
        (Field::Source, "source", "Filesystem"),
        (Field::Type, "fstype", "Type"),
        (Field::Inodes, "itotal", "Inodes"),
        (Field::InodesUsed, "iused", "IUsed"),
        (Field::InodesFree, "iavail", "IFree"),
        (Field::InodesShare, "ipcent", "IUse%"),
        (Field::Size, "size", ""),
        (Field::Used, "used", "Used"),
        (Field::Free, "avail", "Avail"),
        (Field::Share, "pcent", "Use%"),
        (Field::File, "file", "File"),
        (Field::Target, "target", "Mounted on"),
    ];

    /// The columns that `--output` asks for, none where it is absent.
    ///
    /// # Errors
    /// Status 1 after a message for an unknown column, one that is named twice, or an option that excludes it.
    fn chosen(call: &Call, parsed: &Parsed) -> Result<Option<Vec<(Field, &'static str)>>, i32> {
        let refuse = |message: Vec<u8>| Err(options::usage_error(call, &DF, message));
        let mut found: Vec<(Field, &'static str)> = Vec::new();
        for (_, value) in parsed.options.iter().filter(|(key, _)| *key == "output") {
            for (key, name) in [("i", "-i"), ("P", "-P"), ("T", "-T")] {
                if parsed.has(key) {
                    let message = bytes!("options ", name, " and --output are mutually exclusive");
                    return refuse(message);
                }
            }
            if value.is_empty() {
                found.extend(Field::ALL.map(|(field, _, head)| (field, head)));
                continue;
            }
            for name in value.split(|&byte| byte == b',') {
                let field = Field::ALL.iter().find(|field| field.1.as_bytes() == name);
                let wrong = match field {
                    None => " unknown",
                    Some(field) if found.iter().any(|known| known.0 == field.0) => {
                        " used more than once"
                    }
                    Some(field) => {
                        found.push((field.0, field.2));
                        continue;
                    }
                };
                return refuse(bytes!("option --output: field ", quote::word(name), wrong));
            }
        }
        Ok((!found.is_empty()).then_some(found))
    }

    /// Whether the column is aligned on the left, and how wide it is at least.
    fn layout(self) -> (bool, usize) {
        match self {
            Field::Source => (true, 14),
            Field::Type => (true, 4),
            Field::File | Field::Target => (true, 0),
            Field::Share | Field::InodesShare => (false, 4),
            _ => (false, 5),
        }
    }
}

/// The table of `--output`, and the status. `named` is whether operands were given.
fn chosen(
    call: &Call,
    parsed: &Parsed,
    unit: Unit,
    size: &str,
    fields: &[(Field, &str)],
    paths: &[Vec<u8>],
    named: bool,
) -> i32 {
    let mut status = 0;
    let mut sums = [0; 4];
    let line = |names: [&[u8]; 4], [inodes, inodes_free, total, free]: [u64; 4]| {
        let cell = |field: Field| -> Vec<u8> {
            let count = |amount: u64| match unit {
                Unit::Blocks(..) => amount.to_string(),
                unit => unit.format(amount),
            };
            let text = match field {
                Field::Source => return names[0].to_vec(),
                Field::Type => return names[1].to_vec(),
                Field::File => return names[2].to_vec(),
                Field::Target => return names[3].to_vec(),
                Field::Inodes => count(inodes),
                Field::InodesUsed => count(inodes.saturating_sub(inodes_free)),
                Field::InodesFree => count(inodes_free),
                Field::InodesShare => share(inodes, inodes_free),
                Field::Size => unit.format(total),
                Field::Used => unit.format(total.saturating_sub(free)),
                Field::Free => unit.format(free),
                Field::Share => share(total, free),
            };
            text.into_bytes()
        };
        fields.iter().map(|(field, _)| cell(*field)).collect()
    };
    let head = |(field, head): &(Field, &str)| match field {
        Field::Size => size.as_bytes().to_vec(),
        _ => head.as_bytes().to_vec(),
    };
    let mut rows: Vec<Vec<Vec<u8>>> = vec![fields.iter().map(head).collect()];
    for path in paths {
        let space = match system::space(path) {
            Ok(space) => space,
            Err(failure) => {
                status = call.fail(1, bytes!(path, ": ", failure));
                continue;
            }
        };
        let amounts = [
            space.total_inodes,
            space.free_inodes,
            space.total_bytes,
            space.free_bytes,
        ];
        for (sum, amount) in sums.iter_mut().zip(amounts) {
            *sum += amount;
        }
        let file: &[u8] = if named { path } else { b"-" };
        rows.push(line([b"tmpfs", b"tmpfs", file, b"/"], amounts));
    }
    if parsed.has("total") && rows.len() > 1 {
        let sourced = fields.iter().any(|(field, _)| *field == Field::Source);
        let target: &[u8] = if sourced { b"-" } else { b"total" };
        rows.push(line([b"total", b"-", b"-", target], sums));
    }
    let mut out = Output::new();
    if rows.len() > 1 {
        for row in &rows {
            let mut text = Vec::new();
            for (column, (field, _)) in fields.iter().enumerate() {
                let (left, least) = field.layout();
                let widest = rows.iter().map(|row| row[column].len()).max();
                let missing = widest.unwrap_or(0).max(least) - row[column].len();
                let last = column + 1 == fields.len();
                if column > 0 {
                    text.push(b' ');
                }
                if !left {
                    text.resize(text.len() + missing, b' ');
                }
                text.extend(&row[column]);
                if left && !last {
                    text.resize(text.len() + missing, b' ');
                }
            }
            out.line(text);
        }
    }
    out.finish(&call.name, status, 1)
}

/// How much of it is used, in whole per cent rounded up; `-` of nothing.
fn share(total: u64, free: u64) -> String {
    let used = total.saturating_sub(free);
    if total == 0 {
        "-".to_owned()
    } else {
        format!("{}%", (u128::from(used) * 100).div_ceil(u128::from(total)))
    }
}

/// A line of the table: name, type and place of a filesystem, and what it has in total and free.
fn row(parsed: &Parsed, unit: Unit, names: [&str; 3], total: u64, free: u64) -> Vec<String> {
    let [name, kind, place] = names;
    let inodes = parsed.has("i");
    let used = total.saturating_sub(free);
    let show = |amount: u64| match (inodes, unit) {
        (true, Unit::Blocks(..)) => amount.to_string(),
        (_, unit) => unit.format(amount),
    };
    let share = share(total, free);
    let mut row = vec![name.to_owned()];
    row.extend(parsed.has("T").then(|| kind.to_owned()));
    row.extend([show(total), show(used), show(free), share, place.to_owned()]);
    row
}

/// Writes the rows in columns: names on the left, the first column at least 14 wide.
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
/// A block size as `df` heads its column, in the base that divides it more often: `1K`, `1kB`, `512B`.
fn block_name(size: u64) -> String {
    let (mut decimal, mut binary) = (size, size);
    let thousands = loop {
        let by = (decimal.is_multiple_of(1000), binary.is_multiple_of(1024));
        (decimal, binary) = (decimal / 1000, binary / 1024);
        if by != (true, true) {
            break by != (false, true);
        }
    };
    if thousands {
        Unit::Decimal.format(size).replace(".0", "") + "B"
    } else {
        Unit::Human.format(size).replace(".0", "")
    }
}
