//! The options of `ls`.

use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::size::Unit;
use crate::system;

pub const SYNTAX: Syntax = Syntax {
    usage: "Usage: ls [OPTION]... [FILE]...\nList information about the FILEs (the current directory by default).\n",
    options: &[
        Opt("a", "all", Value::No),
        Opt("A", "almost-all", Value::No),
        Opt("", "author", Value::No),
        Opt("b", "escape", Value::No),
        Opt("", "block-size", Value::Required),
        Opt("B", "ignore-backups", Value::No),
        Opt("c", "", Value::No),
        Opt("C", "", Value::No),
        Opt("", "color", Value::Optional),
        Opt("d", "directory", Value::No),
        Opt("D", "dired", Value::No),
        Opt("f", "", Value::No),
        Opt("F", "classify", Value::Optional),
        Opt("", "file-type", Value::No),
        Opt("", "format", Value::Required),
        Opt("", "full-time", Value::No),
        Opt("g", "", Value::No),
        Opt("", "group-directories-first", Value::No),
        Opt("G", "no-group", Value::No),
        Opt("h", "human-readable", Value::No),
        Opt("", "si", Value::No),
        Opt("H", "dereference-command-line", Value::No),
        Opt("", "hide", Value::Required),
        Opt("", "hyperlink", Value::Optional),
        Opt("", "indicator-style", Value::Required),
        Opt("i", "inode", Value::No),
        Opt("I", "ignore", Value::Required),
        Opt("k", "kibibytes", Value::No),
        Opt("l", "", Value::No),
        Opt("L", "dereference", Value::No),
        Opt("m", "", Value::No),
        Opt("n", "numeric-uid-gid", Value::No),
        Opt("N", "literal", Value::No),
        Opt("o", "", Value::No),
        Opt("p", "", Value::No),
        Opt("q", "hide-control-chars", Value::No),
        Opt("", "show-control-chars", Value::No),
        Opt("Q", "quote-name", Value::No),
        Opt("", "quoting-style", Value::Required),
        Opt("r", "reverse", Value::No),
        Opt("R", "recursive", Value::No),
        Opt("s", "size", Value::No),
        Opt("S", "", Value::No),
        Opt("", "sort", Value::Required),
        Opt("", "time", Value::Required),
        Opt("", "time-style", Value::Required),
        Opt("t", "", Value::No),
        Opt("T", "tabsize", Value::Required),
        Opt("u", "", Value::No),
        Opt("U", "", Value::No),
        Opt("v", "", Value::No),
        Opt("w", "width", Value::Required),
        Opt("x", "", Value::No),
        Opt("X", "", Value::No),
        Opt("Z", "context", Value::No),
        Opt("1", "", Value::No),
    ],
    permute: true,
    status: 2,
};

/// How entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Lines,
    Down,
    Across,
    Commas,
}

/// Which names that begin with a dot are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Names with a dot in front are not shown.
    Dots,
    Almost,
    All,
}

/// What entries are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    None,
    Name,
    Time,
    Size,
    Extension,
    Version,
    Width,
}

/// Which time is shown and sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    Modified,
    Accessed,
    Changed,
    Created,
}

/// How odd characters in names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    Literal,
    /// Control characters become `?`.
    Question,
    Escape,
    C,
    Shell,
    ShellAlways,
}

/// What is put behind a name to show its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indicator {
    None,
    Slash,
    FileType,
    Classify,
}

/// How times are written.
#[derive(Clone, Debug)]
pub enum TimeStyle {
    Locale,
    LongIso,
    FullIso,
    Iso,
    /// Formats for times that are not recent, and for those that are.
    Custom(String, String),
}

/// What the options ask for.
pub struct Settings {
    pub format: Format,
    pub long: bool,
    pub hidden: Hidden,
    pub hide: Vec<Glob>,
    pub ignore: Vec<Glob>,
    pub sort: Sort,
    pub stamp: Stamp,
    pub reverse: bool,
    pub recursive: bool,
    pub directory: bool,
    pub directories_first: bool,
    pub dereference: bool,
    pub dereference_operands: bool,
    pub classify: bool,
    pub indicator: Indicator,
    pub quoting: Quoting,
    pub color: bool,
    pub inode: bool,
    pub blocks: bool,
    pub numeric: bool,
    pub owner: bool,
    pub group: bool,
    pub author: bool,
    pub file_size: Unit,
    pub block_size: Unit,
    pub time_style: TimeStyle,
    pub width: usize,
    pub tab: usize,
}

impl Settings {
    /// Reads the command line.
    pub fn read(call: &Call) -> Result<(Settings, Vec<Vec<u8>>), i32> {
        let mut parsed = options::parse(call, &SYNTAX)?;
        let operands = std::mem::take(&mut parsed.operands);
        let mut settings = Settings::from_options(call, &parsed)?;
        for (key, value) in &parsed.options {
            match *key {
                "hide" => settings.hide.push(Glob::new(value, false, false)),
                "I" => settings.ignore.push(Glob::new(value, false, false)),
                "B" => settings.ignore.push(Glob::new(b"*~", false, false)),
                _ => {}
            }
        }
        Ok((settings, operands))
    }

    fn from_options(call: &Call, parsed: &Parsed) -> Result<Settings, i32> {
        let terminal = system::is_terminal(1);
        let (format, long) = format(call, parsed, terminal)?;
        let indicator = indicator(call, parsed, terminal)?;
        let human = match parsed.last(&["h", "si", "block-size", "k"]) {
            Some("h") => Some(Unit::Human),
            Some("si") => Some(Unit::Decimal),
            Some("block-size") => {
                let text = parsed.value("block-size").unwrap_or_default();
                let unit = Unit::parse(text);
                Some(unit.ok_or_else(|| {
                    call.fail(2, bytes!("invalid --block-size argument '", text, "'"))
                })?)
            }
            _ => None,
        };
        let width = match parsed.value("w") {
            Some(text) => options::number(text)
                .ok_or_else(|| call.fail(2, bytes!("invalid line width: '", text, "'")))?,
            None => std::env::var("COLUMNS")
                .ok()
                .and_then(|text| text.parse().ok())
                .unwrap_or(80),
        };
        Ok(Settings {
            format,
            long,
            hidden: match parsed.last(&["a", "A", "f"]) {
                None => Hidden::Dots,
                Some("A") => Hidden::Almost,
                Some(_) => Hidden::All,
            },
            hide: Vec::new(),
            ignore: Vec::new(),
            sort: sort(call, parsed, long)?,
            stamp: stamp(call, parsed)?,
            reverse: parsed.has("r"),
            recursive: parsed.has("R") && !parsed.has("d"),
            directory: parsed.has("d"),
            directories_first: parsed.has("group-directories-first"),
            dereference: parsed.has("L"),
            dereference_operands: parsed.has("H"),
            classify: indicator == Indicator::Classify,
            indicator,
            quoting: quoting(call, parsed, terminal)?,
            color: when(parsed.value("color"), terminal),
            inode: parsed.has("i"),
            blocks: parsed.has("s"),
            numeric: parsed.has("n"),
            owner: !parsed.has("g"),
            group: !parsed.has("o") && !parsed.has("G"),
            author: parsed.has("author"),
            file_size: human.unwrap_or(Unit::Blocks(1, "")),
            block_size: human.unwrap_or(Unit::Blocks(1024, "")),
            time_style: time_style(call, parsed)?,
            width: if width == 0 { usize::MAX / 2 } else { width },
            tab: parsed.value("T").and_then(options::number).unwrap_or(8),
        })
    }

    /// Whether each name needs its `stat`.
    pub fn needs_stat(&self) -> bool {
        self.long
            || self.inode
            || self.blocks
            || self.dereference
            || self.color
            || self.indicator == Indicator::Classify
            || matches!(self.sort, Sort::Time | Sort::Size)
    }

    /// Whether symbolic links need their targets.
    pub fn needs_targets(&self) -> bool {
        self.long || self.color || self.directories_first
    }
}

fn when(value: Option<&[u8]>, terminal: bool) -> bool {
    match value {
        None | Some(b"never" | b"no" | b"none") => false,
        Some(b"auto" | b"tty" | b"if-tty") => terminal,
        Some(_) => true,
    }
}

fn invalid<T>(call: &Call, option: &str, value: &[u8]) -> Result<T, i32> {
    // GNU ends with 1 here, and with 2 for options that do not exist.
    let message = bytes!("invalid argument '", value, "' for '--", option, "'");
    options::usage_error(call, &SYNTAX, message);
    Err(1)
}

fn format(call: &Call, parsed: &Parsed, terminal: bool) -> Result<(Format, bool), i32> {
    let long = (Format::Lines, true);
    let usual = match call.name.as_str() {
        "dir" => (Format::Down, false),
        "vdir" => long,
        _ if terminal => (Format::Down, false),
        _ => (Format::Lines, false),
    };
    let mut found = usual;
    for (key, value) in &parsed.options {
        found = match *key {
            "l" | "g" | "n" | "o" | "full-time" => long,
            "C" => (Format::Down, false),
            "x" => (Format::Across, false),
            "m" => (Format::Commas, false),
            // `-1` does not undo `-l`.
            "1" if !found.1 => (Format::Lines, false),
            "format" => match value.as_slice() {
                b"long" | b"verbose" => long,
                b"single-column" => (Format::Lines, false),
                b"vertical" => (Format::Down, false),
                b"across" | b"horizontal" => (Format::Across, false),
                b"commas" => (Format::Commas, false),
                _ => return invalid(call, "format", value),
            },
            _ => found,
        };
    }
    Ok(found)
}

fn sort(call: &Call, parsed: &Parsed, long: bool) -> Result<Sort, i32> {
    let time_only = !long && parsed.last(&["u", "c", "time"]).is_some();
    let Some(key) = parsed.last(&["t", "S", "X", "v", "U", "f", "sort"]) else {
        return Ok(if time_only { Sort::Time } else { Sort::Name });
    };
    Ok(match key {
        "t" => Sort::Time,
        "S" => Sort::Size,
        "X" => Sort::Extension,
        "v" => Sort::Version,
        "U" | "f" => Sort::None,
        _ => match parsed.value("sort").unwrap_or_default() {
            b"none" => Sort::None,
            b"name" => Sort::Name,
            b"time" => Sort::Time,
            b"size" => Sort::Size,
            b"extension" => Sort::Extension,
            b"version" => Sort::Version,
            b"width" => Sort::Width,
            value => return invalid(call, "sort", value),
        },
    })
}

fn stamp(call: &Call, parsed: &Parsed) -> Result<Stamp, i32> {
    Ok(match parsed.last(&["u", "c", "time"]) {
        None => Stamp::Modified,
        Some("u") => Stamp::Accessed,
        Some("c") => Stamp::Changed,
        Some(_) => match parsed.value("time").unwrap_or_default() {
            b"atime" | b"access" | b"use" => Stamp::Accessed,
            b"ctime" | b"status" => Stamp::Changed,
            b"birth" | b"creation" => Stamp::Created,
            b"mtime" | b"modification" => Stamp::Modified,
            value => return invalid(call, "time", value),
        },
    })
}

fn indicator(call: &Call, parsed: &Parsed, terminal: bool) -> Result<Indicator, i32> {
    Ok(
        match parsed.last(&["F", "p", "file-type", "indicator-style"]) {
            None => Indicator::None,
            Some("F") => match parsed.value("F") {
                Some(b"") => Indicator::Classify,
                value if when(value, terminal) => Indicator::Classify,
                _ => Indicator::None,
            },
            Some("p") => Indicator::Slash,
            Some("file-type") => Indicator::FileType,
            Some(_) => match parsed.value("indicator-style").unwrap_or_default() {
                b"none" => Indicator::None,
                b"slash" => Indicator::Slash,
                b"file-type" => Indicator::FileType,
                b"classify" => Indicator::Classify,
                value => return invalid(call, "indicator-style", value),
            },
        },
    )
}

fn quoting(call: &Call, parsed: &Parsed, terminal: bool) -> Result<Quoting, i32> {
    let usual = match call.name.as_str() {
        "dir" | "vdir" => Quoting::Escape,
        _ if terminal => Quoting::Shell,
        _ => Quoting::Literal,
    };
    let style = match parsed.last(&["N", "b", "Q", "q", "quoting-style"]) {
        None => usual,
        Some("N") => Quoting::Literal,
        Some("b") => Quoting::Escape,
        Some("Q") => Quoting::C,
        Some("q") => Quoting::Question,
        Some(_) => match parsed.value("quoting-style").unwrap_or_default() {
            b"literal" => Quoting::Literal,
            b"escape" => Quoting::Escape,
            b"c" => Quoting::C,
            b"shell" | b"shell-escape" => Quoting::Shell,
            b"shell-always" | b"shell-escape-always" => Quoting::ShellAlways,
            value => return invalid(call, "quoting-style", value),
        },
    };
    Ok(style)
}

fn time_style(call: &Call, parsed: &Parsed) -> Result<TimeStyle, i32> {
    if parsed.last(&["full-time", "time-style"]) == Some("full-time") {
        return Ok(TimeStyle::FullIso);
    }
    let style = parsed.value("time-style").map(<[u8]>::to_vec);
    let Some(style) = style.or_else(|| std::env::var("TIME_STYLE").ok().map(String::into_bytes))
    else {
        return Ok(TimeStyle::Locale);
    };
    let plain = style.strip_prefix(b"posix-").unwrap_or(&style);
    Ok(match plain {
        b"full-iso" => TimeStyle::FullIso,
        b"long-iso" => TimeStyle::LongIso,
        b"iso" => TimeStyle::Iso,
        b"locale" => TimeStyle::Locale,
        [b'+', format @ ..] => {
            let format = String::from_utf8_lossy(format).into_owned();
            match format.split_once('\n') {
                Some((old, recent)) => TimeStyle::Custom(old.to_owned(), recent.to_owned()),
                None => TimeStyle::Custom(format.clone(), format),
            }
        }
        _ => return invalid(call, "time-style", &style),
    })
}
