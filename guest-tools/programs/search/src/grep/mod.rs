//! `grep`, `egrep`, `fgrep`, `rgrep`, and `zgrep` and its relatives, as GNU grep 3.8.
//!
//! This module reads the options and goes through the files, `search` finds the lines of one input, `print` writes
//! them. Patterns are compiled once, by `command/src/pattern`, to an automaton, or for back-references and `-P` to a
//! backtracking engine that is given one line at a time.
//!
//! The names that begin with `z`, `bz`, `xz` or `zstd` decompress their files in-process, where Debian's are scripts
//! around the decompressor; so they refuse the options that these scripts refuse.
//!
//! Entries of a directory are searched in the order of their names.
//!
//! The exit status is 0 where a line was selected, 1 where none was, 2 after an error; with `-q` a selected line
//! outweighs errors.

mod print;
mod search;

use crate::stream::eprintln;
use std::io::Read;
use std::rc::Rc;

use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::pattern::{Dialect, Pattern, Settings, Whole, has_bare_class};
use crate::system::{self, Failure, Kind};
use offshoot_codec::{self as archive, Family};
use print::Printer;
use search::Search;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: grep [OPTION]... PATTERNS [FILE]...\nSearch for PATTERNS in each FILE.\n",
    options: &[
        Opt("E", "extended-regexp", Value::No),
        Opt("F", "fixed-strings", Value::No),
        Opt("G", "basic-regexp", Value::No),
        Opt("P", "perl-regexp", Value::No),
        Opt("e", "regexp", Value::Required),
        Opt("f", "file", Value::Required),
        Opt("iy", "ignore-case", Value::No),
        Opt("", "no-ignore-case", Value::No),
        Opt("w", "word-regexp", Value::No),
        Opt("x", "line-regexp", Value::No),
        Opt("z", "null-data", Value::No),
        Opt("s", "no-messages", Value::No),
        Opt("v", "invert-match", Value::No),
        Opt("V", "version", Value::No),
        Opt("m", "max-count", Value::Required),
        Opt("b", "byte-offset", Value::No),
        Opt("n", "line-number", Value::No),
        Opt("", "line-buffered", Value::No),
        Opt("H", "with-filename", Value::No),
        Opt("h", "no-filename", Value::No),
        Opt("", "label", Value::Required),
        Opt("o", "only-matching", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("q", "silent", Value::No),
        Opt("", "binary-files", Value::Required),
        Opt("a", "text", Value::No),
        Opt("I", "", Value::No),
        Opt("d", "directories", Value::Required),
        Opt("D", "devices", Value::Required),
        Opt("r", "recursive", Value::No),
        Opt("R", "dereference-recursive", Value::No),
        Opt("", "include", Value::Required),
        Opt("", "exclude", Value::Required),
        Opt("", "exclude-from", Value::Required),
        Opt("", "exclude-dir", Value::Required),
        Opt("L", "files-without-match", Value::No),
        Opt("l", "files-with-matches", Value::No),
        Opt("c", "count", Value::No),
        Opt("T", "initial-tab", Value::No),
        Opt("Z", "null", Value::No),
        Opt("B", "before-context", Value::Required),
        Opt("A", "after-context", Value::Required),
        Opt("C", "context", Value::Required),
        Opt("", "group-separator", Value::Required),
        Opt("", "no-group-separator", Value::No),
        Opt("", "color", Value::Optional),
        Opt("", "colour", Value::Optional),
        Opt("U", "binary", Value::No),
        Opt("u", "unix-byte-offsets", Value::No),
        Opt("0", "", Value::No),
        Opt("1", "", Value::No),
        Opt("2", "", Value::No),
        Opt("3", "", Value::No),
        Opt("4", "", Value::No),
        Opt("5", "", Value::No),
        Opt("6", "", Value::No),
        Opt("7", "", Value::No),
        Opt("8", "", Value::No),
        Opt("9", "", Value::No),
    ],
    permute: true,
    status: 2,
};

/// What is printed of a file. `-q` outranks `-l` and `-L`, these `-c`, and this `-o`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// Selected lines with their context.
    Lines,
    /// `-o`: the matching parts alone.
    Matches,
    /// `-c`.
    Count,
    /// `-l`: reading ends at the first selected line.
    NamesWith,
    /// `-L`.
    NamesWithout,
    /// `-q`: everything ends at the first selected line.
    Nothing,
}

/// How binary files are treated. A file is binary from where a NUL byte was read (unless lines end with NUL), or from a
/// selected line that is not valid UTF-8 in such a locale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    /// Instead of the first selected line after that a message says that the file matches.
    Message,
    /// `-a`: like any other file.
    Text,
    /// `-I`: as if nothing matched.
    Skip,
}

/// What the options ask for.
pub(super) struct Plan {
    pub report: Report,
    pub binary: Binary,
    /// `-v`: lines that do not match are selected.
    pub invert: bool,
    /// `-m`: selected lines of each file; a negative number is no limit.
    pub limit: u64,
    /// Lines of context before a selected one.
    pub before: u64,
    /// Lines of context after a selected one.
    pub after: u64,
    /// What ends a line: newline, or NUL with `-z`.
    pub end: u8,
    /// The locale's encoding is UTF-8.
    pub utf8: bool,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    Grep::new(call).map_or_else(|status| status, Grep::run)
}

/// The state of a run.
struct Grep<'a> {
    call: &'a Call,
    parsed: Parsed,
    plan: Plan,
    pattern: Pattern,
    filters: Filters,
    files: Vec<Vec<u8>>,
    /// `-r`, `-R`, `-d recurse`, or the name `rgrep`.
    recursive: bool,
    /// What the files are compressed with, for `zgrep` and the like.
    family: Option<Family>,
    /// A line was selected in some file.
    found: bool,
    /// Something could not be searched, whether or not `-s` silenced it.
    failed: bool,
}

impl<'a> Grep<'a> {
    /// Reads the command line. `Err` is a status after its message, or 1 where no pattern was given by an empty `-f`
    /// file.
    fn new(call: &'a Call) -> Result<Grep<'a>, i32> {
        let mut parsed = options::parse(call, &SYNTAX)?;
        if parsed.has("u") {
            call.fail(0, "warning: --unix-byte-offsets (-u) is obsolete");
        }
        refuse_files(call, &parsed)?;
        let plan = plan(call, &parsed)?;
        let sources = sources(call, &mut parsed)?;
        if sources.is_empty() && !parsed.has("v") && plan.report != Report::NamesWithout {
            // Nothing can match: GNU's does not even look.
            return Err(1);
        }
        let dialect = dialect(call, &parsed)?;
        let settings = Settings {
            ignore_case: parsed.last(&["i", "no-ignore-case"]) == Some("i"),
            line_end: Some(plan.end),
            whole: match (parsed.has("x"), parsed.has("w")) {
                (true, _) => Whole::Line,
                (false, true) => Whole::Word,
                (false, false) => Whole::No,
            },
            ..Settings::new(dialect)
        };
        let pattern = compile(&sources, &settings).map_err(|message| call.fail(2, message))?;
        let recursive = ["r", "R"].iter().any(|key| parsed.has(key))
            || parsed.value("d") == Some(b"recurse")
            || call.name == "rgrep";
        let files = std::mem::take(&mut parsed.operands);
        let filters = Filters::new(call, &parsed)?;
        Ok(Grep {
            call,
            parsed,
            plan,
            pattern,
            filters,
            files,
            recursive,
            family: archive::family(&call.name).map(|(family, _)| family),
            found: false,
            failed: false,
        })
    }

    /// Searches the operands, else standard input, or with `-r` the working directory. Names stand before lines where
    /// there are several operands or one is searched recursively, unless `-H` or `-h` decides.
    fn run(mut self) -> i32 {
        let mut out = Output::new();
        let files = std::mem::take(&mut self.files);
        let named = match self.parsed.last(&["H", "h"]) {
            Some(option) => option == "H",
            None => match files.as_slice() {
                [only] => self.recursive && is_directory(only),
                [] => self.recursive,
                _ => true,
            },
        };
        let mut printer = Printer::new(&self.parsed, &self.plan, named);
        if files.is_empty() && self.recursive {
            self.walk(b"", &mut printer, &mut out);
        } else if files.is_empty() {
            self.file(b"-", &mut printer, &mut out);
        }
        for file in files {
            if self.is_done(&out) {
                break;
            }
            if is_directory(&file) {
                self.directory(&file, &mut printer, &mut out);
            } else if file == b"-" || self.filters.accepts(&file, true) {
                self.file(&file, &mut printer, &mut out);
            }
        }
        let status = match (self.found, self.failed) {
            (true, _) if self.plan.report == Report::Nothing => 0,
            (_, true) => 2,
            (found, false) => i32::from(!found),
        };
        out.finish(&self.call.name, status, 2)
    }

    /// Nothing more can change the outcome.
    fn is_done(&self, out: &Output) -> bool {
        out.is_broken() || (self.found && self.plan.report == Report::Nothing)
    }

    /// An operand that is a directory: searched with `-r`, else reported, or with `-d skip` passed over.
    fn directory(&mut self, path: &[u8], printer: &mut Printer, out: &mut Output) {
        if self.recursive {
            if self.filters.accepts_directory(path) {
                self.walk(path, printer, out);
            }
        } else if self.parsed.value("d") != Some(b"skip") {
            self.complain(path, Failure(system::Errno::IsDirectory));
        }
    }

    /// Reports what could not be searched, unless `-s` is given; the status becomes 2.
    fn complain(&mut self, path: &[u8], failure: Failure) {
        self.failed = true;
        if !self.parsed.has("s") {
            self.call.fail(2, bytes!(path, ": ", failure));
        }
    }

    /// Searches the files below `path`, in the order of their names.
    fn walk(&mut self, path: &[u8], printer: &mut Printer, out: &mut Output) {
        let mut pending = vec![(path.to_vec(), Kind::Directory)];
        while let Some((path, kind)) = pending.pop() {
            if self.is_done(out) {
                return;
            }
            if kind != Kind::Directory {
                self.file(&path, printer, out);
                continue;
            }
            let listed = if path.is_empty() {
                b".".as_slice()
            } else {
                &path
            };
            let entries = match system::read_directory(listed) {
                Ok(entries) => entries,
                Err(failure) => {
                    self.complain(listed, failure);
                    continue;
                }
            };
            for entry in entries.into_iter().rev() {
                let whole = system::join(&path, &entry.name);
                if let Some(kind) = self.kept(&whole, &entry.name, entry.kind) {
                    pending.push((whole, kind));
                }
            }
        }
    }

    /// What to treat an entry of a directory as; none where it is left out. Links are followed with `-R` alone, and
    /// what is not a file or directory is not searched.
    fn kept(&self, path: &[u8], name: &[u8], kind: Kind) -> Option<Kind> {
        let kind = match kind {
            Kind::Symlink if !self.parsed.has("R") => return None,
            Kind::Symlink => system::stat(path, true).ok()?.kind,
            kind => kind,
        };
        let accepted = match kind {
            Kind::Directory => self.filters.accepts_directory(name),
            Kind::Regular => self.filters.accepts(name, false),
            _ => false,
        };
        accepted.then_some(kind)
    }

    /// Searches one file, or standard input for `-`, whose name is that of `--label`. What was read of standard input
    /// beyond the last line that `-m` allows is given back, so that the next command of a script finds it.
    fn file(&mut self, path: &[u8], printer: &mut Printer, out: &mut Output) {
        let label = self.parsed.value("label").unwrap_or(b"(standard input)");
        let name = if path == b"-" {
            label.to_vec()
        } else {
            path.to_vec()
        };
        let damaged = Rc::default();
        if self.family.is_some() {
            // The decompressor's messages stand where they would among the lines.
            out.flush();
        }
        let input: Box<dyn Read> = match self.family {
            Some(family) => match family.open(path, &damaged) {
                Some(input) => Box::new(input),
                // bzip2's scripts do not look at its status.
                None => return self.failed |= family.tool != "bzip2",
            },
            None => match system::open_input(path) {
                Ok(input) => input,
                Err(failure) => return self.complain(path, failure),
            },
        };
        printer.begin(&name);
        let search = Search {
            plan: &self.plan,
            pattern: &self.pattern,
            printer,
            out,
        };
        match search.run(input) {
            Ok((selected, unused)) => {
                self.found |= selected;
                if path == b"-" && self.family.is_none() {
                    system::give_back(unused);
                }
            }
            Err(failure) => self.complain(path, failure),
        }
        self.failed |= damaged.get();
    }
}

/// Whether an operand is a directory. `-` is standard input, whatever that is.
fn is_directory(path: &[u8]) -> bool {
    path != b"-" && system::stat(path, true).is_ok_and(|stat| stat.kind == Kind::Directory)
}

/// The options for files, which mean nothing where what is searched comes from a decompressor.
fn refuse_files(call: &Call, parsed: &Parsed) -> Result<(), i32> {
    const FILES: &[&str] = &[
        "d",
        "r",
        "R",
        "z",
        "Z",
        "D",
        "include",
        "exclude",
        "exclude-from",
        "exclude-dir",
    ];
    let Some(option) = FILES.iter().find(|key| parsed.has(key)) else {
        return Ok(());
    };
    if archive::family(&call.name).is_none() {
        return Ok(());
    }
    let dashes = if option.len() == 1 { "-" } else { "--" };
    Err(call.fail(2, format!("{dashes}{option}: option not supported")))
}

/// The syntax of the patterns. Two different ones of `-E`, `-F`, `-G` and `-P` exclude each other, as does an option
/// that differs from what the name `egrep` or `fgrep` implies.
///
/// # Errors
/// Status 2 after a message.
fn dialect(call: &Call, parsed: &Parsed) -> Result<Dialect, i32> {
    let matchers = ["E", "F", "G", "P"];
    let given: Vec<_> = matchers.iter().filter(|key| parsed.has(key)).collect();
    let name = archive::family(&call.name).map_or(call.name.as_str(), |(_, plain)| plain);
    let named = match name {
        "egrep" => Some(&"E"),
        "fgrep" => Some(&"F"),
        _ => None,
    };
    let other = given
        .first()
        .filter(|key| named.is_some_and(|named| named != **key));
    if given.len() > 1 || other.is_some() {
        return Err(call.fail(2, "conflicting matchers specified"));
    }
    Ok(match parsed.last(&matchers) {
        Some("E") => Dialect::Extended,
        Some("F") => Dialect::Fixed,
        Some("P") => Dialect::Perl,
        Some(_) => Dialect::Basic,
        None if name == "egrep" => Dialect::Extended,
        None if name == "fgrep" => Dialect::Fixed,
        None => Dialect::Basic,
    })
}

/// The patterns of `-e`, `-f` or the first operand. Newlines separate patterns; `-f` of an empty file gives none,
/// whereas an empty line is an empty pattern, which matches everything.
///
/// ```text
/// -e 'a'$'\n''b' -e c   ->  a, b, c
/// -e ''                 ->  (one empty pattern)
/// -f /dev/null          ->  (none: nothing matches)
/// ```
fn sources(call: &Call, parsed: &mut Parsed) -> Result<Vec<Vec<u8>>, i32> {
    let mut sources = Vec::new();
    let mut given = false;
    for (key, value) in &parsed.options {
        match *key {
            "e" => sources.extend(value.split(|&byte| byte == b'\n').map(<[u8]>::to_vec)),
            "f" => {
                let whole = system::read_whole(value)
                    .map_err(|failure| call.fail(2, bytes!(value, ": ", failure)))?;
                let content = whole.strip_suffix(b"\n").unwrap_or(&whole);
                if !whole.is_empty() {
                    sources.extend(content.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
                }
            }
            _ => continue,
        }
        given = true;
    }
    if !given {
        if parsed.operands.is_empty() {
            eprintln!("Usage: {0} [OPTION]... PATTERNS [FILE]...", call.name);
            eprintln!("Try '{} --help' for more information.", call.name);
            return Err(2);
        }
        let pattern = parsed.operands.remove(0);
        sources.extend(pattern.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
    }
    Ok(sources)
}

/// Compiles all patterns to one. `-P` takes a single pattern.
fn compile(sources: &[Vec<u8>], settings: &Settings) -> Result<Pattern, String> {
    if sources.is_empty() {
        // No pattern matches nothing.
        return Pattern::new(
            b"[^\\x00-\\x{10ffff}]",
            &Settings {
                dialect: Dialect::Perl,
                ..*settings
            },
        );
    }
    if settings.dialect == Dialect::Perl && sources.len() > 1 {
        return Err("the -P option only supports a single pattern".to_owned());
    }
    let has_classes = matches!(settings.dialect, Dialect::Basic | Dialect::Extended);
    if has_classes && sources.iter().any(|source| has_bare_class(source)) {
        return Err("character class syntax is [[:space:]], not [:space:]".to_owned());
    }
    Pattern::new(&sources.join(&b'\n'), settings)
}

/// Refuses values that `-d`, `-D` and `--color` do not have, even where a later option would override them.
fn refuse_values(call: &Call, parsed: &Parsed) -> Result<(), i32> {
    let names = ["read", "recurse", "skip"].map(|name| vec![name]);
    for (key, value) in &parsed.options {
        match *key {
            "d" => {
                options::choice(call, "--directories", value, &names).map_err(|_| 2)?;
            }
            "D" if !matches!(value.as_slice(), b"read" | b"skip") => {
                return Err(call.fail(2, "unknown devices method"));
            }
            "color" if !value.is_empty() => {
                let names = [
                    vec!["always", "yes", "force"],
                    vec!["never", "no", "none"],
                    vec!["auto", "tty", "if-tty"],
                ];
                options::choice(call, "--color", value, &names).map_err(|_| 2)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// What the options ask for; status 2 after a message for a value that cannot be read.
fn plan(call: &Call, parsed: &Parsed) -> Result<Plan, i32> {
    refuse_values(call, parsed)?;
    let report = match parsed.last(&["l", "L"]) {
        _ if parsed.has("q") => Report::Nothing,
        Some("l") => Report::NamesWith,
        Some(_) => Report::NamesWithout,
        None if parsed.has("c") => Report::Count,
        None if parsed.has("o") => Report::Matches,
        None => Report::Lines,
    };
    let binary = match (
        parsed.last(&["a", "I", "binary-files"]),
        parsed.value("binary-files"),
    ) {
        (Some("a"), _) | (Some("binary-files"), Some(b"text")) => Binary::Text,
        (Some("I"), _) | (Some("binary-files"), Some(b"without-match")) => Binary::Skip,
        (Some("binary-files"), value) if value != Some(b"binary") => {
            return Err(call.fail(2, "unknown binary-files type"));
        }
        _ => Binary::Message,
    };
    let limit = match parsed.value("m") {
        None => u64::MAX,
        Some(text) => match (text.strip_prefix(b"-").and_then(count), count(text)) {
            (Some(_), _) => u64::MAX,
            (None, Some(limit)) => limit,
            (None, None) => return Err(call.fail(2, "invalid max count")),
        },
    };
    let (before, after) = context(call, parsed)?;
    let utf8 = system::is_utf8();
    let end = if parsed.has("z") { 0 } else { b'\n' };
    Ok(Plan {
        report,
        binary,
        invert: parsed.has("v"),
        limit,
        before,
        after,
        end,
        utf8,
    })
}

/// A count of lines; one that no file has that many of is the greatest number.
fn count(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b"+").unwrap_or(text);
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| options::number(digits).unwrap_or(u64::MAX))
}

/// Lines of context before and after. `-A` and `-B` outrank `-C` and `-NUM` in any order; the last `-NUM` holds.
fn context(call: &Call, parsed: &Parsed) -> Result<(u64, u64), i32> {
    let is_digit = |key: &str| key.as_bytes()[0].is_ascii_digit();
    let (mut before, mut after, mut both) = (None, None, None);
    let mut digits = Vec::new();
    for (at, (key, value)) in parsed.options.iter().enumerate() {
        let target = match *key {
            "A" => &mut after,
            "B" => &mut before,
            "C" => &mut both,
            digit if is_digit(digit) => {
                if !parsed.is_joined(at) || !is_digit(parsed.options[at - 1].0) {
                    digits.clear();
                }
                digits.push(digit.as_bytes()[0]);
                both = count(&digits);
                continue;
            }
            _ => continue,
        };
        let number = count(value)
            .ok_or_else(|| call.fail(2, bytes!(value, ": invalid context length argument")))?;
        *target = Some(number);
    }
    Ok((before.or(both).unwrap_or(0), after.or(both).unwrap_or(0)))
}

/// `--include`, `--exclude`, `--exclude-from` and `--exclude-dir`.
struct Filters {
    /// Globs for files in their order; true is `--include`.
    files: Vec<(bool, Glob)>,
    /// Globs for directories that are left out, without a slash at the end.
    directories: Vec<Glob>,
}

impl Filters {
    /// Reads the options; status 2 where a list of `--exclude-from` cannot be read.
    fn new(call: &Call, parsed: &Parsed) -> Result<Filters, i32> {
        let mut filters = Filters {
            files: Vec::new(),
            directories: Vec::new(),
        };
        for (key, value) in &parsed.options {
            let glob = || Glob::new(value, false, false);
            match *key {
                "include" => filters.files.push((true, glob())),
                "exclude" => filters.files.push((false, glob())),
                "exclude-dir" => {
                    let value = value.strip_suffix(b"/").unwrap_or(value);
                    filters.directories.push(Glob::new(value, false, false));
                }
                "exclude-from" => {
                    let list = system::read_whole(value)
                        .map_err(|failure| call.fail(2, bytes!(value, ": ", failure)))?;
                    let lines = list
                        .split(|&byte| byte == b'\n')
                        .filter(|line| !line.is_empty());
                    filters
                        .files
                        .extend(lines.map(|line| (false, Glob::new(line, false, false))));
                }
                _ => {}
            }
        }
        Ok(filters)
    }

    /// Whether a file is searched: the last glob that matches decides, and where none does the file is searched unless
    /// the first rule is `--include`. Globs see the last name; a file named on the command line (`named`) may match as
    /// a whole path too.
    fn accepts(&self, path: &[u8], named: bool) -> bool {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let hit = |glob: &Glob| glob.matches(name) || (named && glob.matches(path));
        match self.files.iter().rev().find(|(_, glob)| hit(glob)) {
            Some((include, _)) => *include,
            // Nothing matches: left out where the first rule includes.
            None => !self.files.first().is_some_and(|(include, _)| *include),
        }
    }

    /// Whether a directory is searched; `--exclude-dir` sees its last name or the path as given.
    fn accepts_directory(&self, path: &[u8]) -> bool {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        !self
            .directories
            .iter()
            .any(|glob| glob.matches(name) || glob.matches(path))
    }
}
