//! The options of `ls`, and what they mean together. Later options win over earlier ones of the same group, such as
//! formats, orders and quoting styles.

use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::quote;
use crate::size::Unit;
use crate::system;

/// The options, shared by `dir` and `vdir`.
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
        Opt("", "dereference-command-line-symlink-to-dir", Value::No),
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
        Opt("", "zero", Value::No),
        Opt("1", "", Value::No),
    ],
    permute: true,
    status: 2,
};

/// How entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One a line: `-1`, `-l`, and where standard output is no terminal.
    Lines,
    /// Columns, filled from top to bottom: `-C`.
    Down,
    /// Columns, filled from left to right: `-x`.
    Across,
    /// `-m`.
    Commas,
}

/// Which names that begin with a dot are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// Names with a dot in front are not shown.
    Dots,
    /// `-A`: all but `.` and `..`.
    Almost,
    /// `-a`, `-f`.
    All,
}

/// What entries are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// `-U`: as the directory has them, which is by name here.
    None,
    Name,
    /// The newest first.
    Time,
    /// The largest first.
    Size,
    Extension,
    /// Numbers within names by value: `-v`.
    Version,
    /// The narrowest on the screen first.
    Width,
}

/// Which time is shown and sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    Modified,
    /// `-u`.
    Accessed,
    /// `-c`: of the inode.
    Changed,
    /// `--time=birth`.
    Created,
}

/// How odd characters in names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// `-N`, and where standard output is no terminal.
    Literal,
    /// Control characters become `?`.
    Question,
    /// `-b`: with backslashes, as in C.
    Escape,
    /// `-Q`: the same between double quotes.
    C,
    /// Quoted for a shell where needed; control characters stand as they are.
    Shell,
    /// The same, always quoted.
    ShellAlways,
    /// Quoted for a shell where needed, with `$'…'` for control characters: usual on terminals.
    ShellEscape,
    /// The same, always quoted.
    ShellEscapeAlways,
    /// As in C, with the quotes of the locale.
    Locale,
}

/// What is put behind a name to show its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indicator {
    None,
    /// `/` for directories: `-p`.
    Slash,
    /// Also `@` for links and `|` for FIFOs: `--file-type`.
    FileType,
    /// Also `*` for what may be executed: `-F`.
    Classify,
}

/// How times are written.
#[derive(Clone, Debug)]
pub enum TimeStyle {
    /// `Nov 29 02:25`, or with the year for what is not recent.
    Locale,
    /// `2026-11-29 02:25`.
    LongIso,
    /// With nanoseconds and zone.
    FullIso,
    /// `11-29 02:25`, or the date with its year.
    Iso,
    /// Formats for times that are not recent, and for those that are.
    Custom(String, String),
}

/// What the options ask for.
pub struct Settings {
    pub format: Format,
    pub long: bool,
    pub hidden: Hidden,
    /// `--hide`, which `-a` and `-A` override.
    pub hide: Vec<Glob>,
    /// `-I` and `-B`, which nothing overrides.
    pub ignore: Vec<Glob>,
    pub sort: Sort,
    pub stamp: Stamp,
    pub reverse: bool,
    pub recursive: bool,
    /// `-d`: directories are listed themselves.
    pub directory: bool,
    pub directories_first: bool,
    /// `-L`: everywhere links are shown as what they lead to.
    pub dereference: bool,
    /// `-H`.
    pub dereference_operands: bool,
    /// Operands that are links to directories.
    pub dereference_directories: bool,
    pub classify: bool,
    pub indicator: Indicator,
    pub quoting: Quoting,
    pub color: bool,
    pub inode: bool,
    /// `-s`.
    pub blocks: bool,
    /// `-n`: owners as numbers.
    pub numeric: bool,
    pub owner: bool,
    pub group: bool,
    pub author: bool,
    /// `-Z`: a `?`, since nothing has a security context.
    pub context: bool,
    /// What ends a line: NUL with `--zero`.
    pub end: u8,
    /// The unit of sizes in the long format: bytes unless asked for otherwise.
    pub file_size: Unit,
    /// The unit of blocks: 1024 bytes unless asked for otherwise.
    pub block_size: Unit,
    pub time_style: TimeStyle,
    /// Columns of the screen, from `-w`, `COLUMNS` or 80; 0 is no limit.
    pub width: usize,
    /// Distance of tab stops; 0 for no tabs.
    pub tab: usize,
}

impl Settings {
    /// Reads the command line: settings and operands.
    ///
    /// # Errors
    /// Status 2 after a message (1 where an option is given a value that it does not have).
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

    /// The settings but for globs.
    fn from_options(call: &Call, parsed: &Parsed) -> Result<Settings, i32> {
        let terminal = system::is_terminal(1);
        refuse_links(call, parsed, terminal)?;
        let zero = parsed.has("zero");
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
                .ok_or_else(|| call.fail(2, bytes!("invalid line width: ", quote::word(text))))?,
            None if zero => 0,
            None => crate::system::text_variable("COLUMNS")
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
            dereference_directories: parsed.has("dereference-command-line-symlink-to-dir"),
            classify: indicator == Indicator::Classify,
            indicator,
            quoting: quoting(call, parsed, terminal)?,
            color: when(call, "--color", parsed.value("color"), terminal)?
                && parsed.last(&["color", "f"]) == Some("color")
                && !zero,
            inode: parsed.has("i"),
            blocks: parsed.last(&["s", "f"]) == Some("s"),
            numeric: parsed.has("n"),
            owner: !parsed.has("g"),
            group: !parsed.has("o") && !parsed.has("G"),
            author: parsed.has("author"),
            context: parsed.has("Z"),
            end: if zero { 0 } else { b'\n' },
            file_size: human.unwrap_or(Unit::Blocks(1, "")),
            block_size: human.unwrap_or(Unit::Blocks(1024, "")),
            time_style: time_style(call, parsed)?,
            width,
            tab: match parsed.value("T") {
                Some(text) => options::number(text)
                    .ok_or_else(|| call.fail(2, bytes!("invalid tab size: ", quote::word(text))))?,
                None => 8,
            },
        })
    }

    /// Whether each name needs its `stat`: kinds come with the names.
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

/// What an option that may be `always`, `never` or `auto` says.
fn when(call: &Call, option: &str, value: Option<&[u8]>, terminal: bool) -> Result<bool, i32> {
    let names = [
        vec!["always", "yes", "force"],
        vec!["never", "no", "none"],
        vec!["auto", "tty", "if-tty"],
    ];
    Ok(match value {
        None => false,
        Some(b"") => true,
        Some(value) => match options::choice(call, option, value, &names)? {
            0 => true,
            1 => false,
            _ => terminal,
        },
    })
}

/// Refuses hyperlinks, which are meant for terminals that reach the files.
fn refuse_links(call: &Call, parsed: &Parsed, terminal: bool) -> Result<(), i32> {
    if when(call, "--hyperlink", parsed.value("hyperlink"), terminal)? {
        return Err(call.fail(2, "--hyperlink is not supported"));
    }
    Ok(())
}

/// The layout, and whether it is long: options in their order change what the name of the command and the terminal
/// suggest.
fn format(call: &Call, parsed: &Parsed, terminal: bool) -> Result<(Format, bool), i32> {
    let long = (Format::Lines, true);
    let usual = match call.name.as_str() {
        "dir" => (Format::Down, false),
        "vdir" => long,
        _ if terminal => (Format::Down, false),
        _ => (Format::Lines, false),
    };
    let formats = [
        vec!["verbose", "long"],
        vec!["commas"],
        vec!["horizontal", "across"],
        vec!["vertical"],
        vec!["single-column"],
    ];
    let mut found = usual;
    for (key, value) in &parsed.options {
        found = match *key {
            "l" | "g" | "n" | "o" | "full-time" => long,
            "C" => (Format::Down, false),
            "x" => (Format::Across, false),
            "m" => (Format::Commas, false),
            "f" if found.1 => usual,
            // `-1` does not undo `-l`.
            "1" if !found.1 => (Format::Lines, false),
            "zero" if !found.1 => (Format::Lines, false),
            "format" => match options::choice(call, "--format", value, &formats)? {
                0 => long,
                1 => (Format::Commas, false),
                2 => (Format::Across, false),
                3 => (Format::Down, false),
                _ => (Format::Lines, false),
            },
            _ => found,
        };
    }
    Ok(found)
}

/// What is sorted by. Asking for a time other than that of modification sorts by it, unless the format is long.
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
        _ => {
            let value = parsed.value("sort").unwrap_or_default();
            let ways = [
                ("none", Sort::None),
                ("time", Sort::Time),
                ("size", Sort::Size),
                ("extension", Sort::Extension),
                ("version", Sort::Version),
                ("width", Sort::Width),
            ];
            let names = ways.map(|(name, _)| vec![name]);
            ways[options::choice(call, "--sort", value, &names)?].1
        }
    })
}

/// Which time is meant by the last of `-u`, `-c` and `--time`.
fn stamp(call: &Call, parsed: &Parsed) -> Result<Stamp, i32> {
    Ok(match parsed.last(&["u", "c", "time"]) {
        None => Stamp::Modified,
        Some("u") => Stamp::Accessed,
        Some("c") => Stamp::Changed,
        Some(_) => {
            let value = parsed.value("time").unwrap_or_default();
            let names = [
                vec!["atime", "access", "use"],
                vec!["ctime", "status"],
                vec!["birth", "creation"],
            ];
            match value {
                b"mtime" | b"modification" => Stamp::Modified,
                _ => match options::choice(call, "--time", value, &names)? {
                    0 => Stamp::Accessed,
                    1 => Stamp::Changed,
                    _ => Stamp::Created,
                },
            }
        }
    })
}

/// The last of `-F`, `-p`, `--file-type` and `--indicator-style`.
fn indicator(call: &Call, parsed: &Parsed, terminal: bool) -> Result<Indicator, i32> {
    Ok(
        match parsed.last(&["F", "p", "file-type", "indicator-style"]) {
            None => Indicator::None,
            Some("F") => match parsed.value("F") {
                value if when(call, "--classify", value, terminal)? => Indicator::Classify,
                _ => Indicator::None,
            },
            Some("p") => Indicator::Slash,
            Some("file-type") => Indicator::FileType,
            Some(_) => {
                let value = parsed.value("indicator-style").unwrap_or_default();
                let styles = [
                    ("none", Indicator::None),
                    ("slash", Indicator::Slash),
                    ("file-type", Indicator::FileType),
                    ("classify", Indicator::Classify),
                ];
                let names = styles.map(|(name, _)| vec![name]);
                styles[options::choice(call, "--indicator-style", value, &names)?].1
            }
        },
    )
}

/// The last option for quoting, else what is usual for the command and a terminal. `QUOTING_STYLE` is not read.
fn quoting(call: &Call, parsed: &Parsed, terminal: bool) -> Result<Quoting, i32> {
    let usual = match call.name.as_str() {
        "dir" | "vdir" => Quoting::Escape,
        _ if terminal => Quoting::ShellEscape,
        _ => Quoting::Literal,
    };
    let keys = ["N", "b", "Q", "q", "quoting-style", "zero"];
    let style = match parsed.last(&keys) {
        None => usual,
        Some("N" | "zero") => Quoting::Literal,
        Some("b") => Quoting::Escape,
        Some("Q") => Quoting::C,
        Some("q") => Quoting::Question,
        Some(_) => {
            let value = parsed.value("quoting-style").unwrap_or_default();
            let styles = [
                ("literal", Quoting::Literal),
                ("shell", Quoting::Shell),
                ("shell-always", Quoting::ShellAlways),
                ("shell-escape", Quoting::ShellEscape),
                ("shell-escape-always", Quoting::ShellEscapeAlways),
                ("c", Quoting::C),
                ("c-maybe", Quoting::C),
                ("escape", Quoting::Escape),
                ("locale", Quoting::Locale),
                ("clocale", Quoting::Locale),
            ];
            let names = styles.map(|(name, _)| vec![name]);
            styles[options::choice(call, "--quoting-style", value, &names)?].1
        }
    };
    Ok(style)
}

/// `--full-time`, `--time-style` or `TIME_STYLE`. `posix-` before a style has no effect; `+OLD\nNEW` has two formats,
/// for old and for recent times.
fn time_style(call: &Call, parsed: &Parsed) -> Result<TimeStyle, i32> {
    if parsed.last(&["full-time", "time-style"]) == Some("full-time") {
        return Ok(TimeStyle::FullIso);
    }
    let style = parsed.value("time-style").map(<[u8]>::to_vec);
    let Some(style) =
        style.or_else(|| crate::system::text_variable("TIME_STYLE").map(String::into_bytes))
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
        _ => {
            let given = quote::word(&style);
            let message = bytes!(
                "invalid argument ",
                given,
                " for ",
                quote::word(b"time style"),
                "\nValid arguments are:\n  - [posix-]full-iso\n  - [posix-]long-iso\n",
                "  - [posix-]iso\n  - [posix-]locale\n",
                "  - +FORMAT (e.g., +%H:%M) for a 'date'-style format"
            );
            return Err(options::usage_error(call, &SYNTAX, message));
        }
    })
}
