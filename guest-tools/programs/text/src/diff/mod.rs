//! `diff` and `sdiff`.

mod compare;
mod groups;
mod print;
mod side;
mod three;

pub use side::run as side_by_side;
pub use three::{diff3, merge};

use std::collections::{BTreeMap, HashMap};

use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::pattern::Pattern;
use crate::quote;
use crate::system::{self, Kind, Stat, Time};
use offshoot_codec as archive;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: diff [OPTION]... FILES\nCompare FILES line by line.\n",
    options: &[
        Opt("", "normal", Value::No),
        Opt("q", "brief", Value::No),
        Opt("s", "report-identical-files", Value::No),
        Opt("c", "", Value::No),
        Opt("C", "context", Value::Optional),
        Opt("u", "", Value::No),
        Opt("U", "unified", Value::Optional),
        Opt("e", "ed", Value::No),
        Opt("n", "rcs", Value::No),
        Opt("y", "side-by-side", Value::No),
        Opt("D", "ifdef", Value::Required),
        Opt("", "line-format", Value::Required),
        Opt("", "old-line-format", Value::Required),
        Opt("", "new-line-format", Value::Required),
        Opt("", "unchanged-line-format", Value::Required),
        Opt("", "old-group-format", Value::Required),
        Opt("", "new-group-format", Value::Required),
        Opt("", "unchanged-group-format", Value::Required),
        Opt("", "changed-group-format", Value::Required),
        Opt("W", "width", Value::Required),
        Opt("", "left-column", Value::No),
        Opt("", "suppress-common-lines", Value::No),
        Opt("p", "show-c-function", Value::No),
        Opt("F", "show-function-line", Value::Required),
        Opt("L", "label", Value::Required),
        Opt("t", "expand-tabs", Value::No),
        Opt("T", "initial-tab", Value::No),
        Opt("", "tabsize", Value::Required),
        Opt("", "suppress-blank-empty", Value::No),
        Opt("l", "paginate", Value::No),
        Opt("r", "recursive", Value::No),
        Opt("", "no-dereference", Value::No),
        Opt("N", "new-file", Value::No),
        Opt("P", "unidirectional-new-file", Value::No),
        Opt("", "ignore-file-name-case", Value::No),
        Opt("", "no-ignore-file-name-case", Value::No),
        Opt("x", "exclude", Value::Required),
        Opt("X", "exclude-from", Value::Required),
        Opt("S", "starting-file", Value::Required),
        Opt("i", "ignore-case", Value::No),
        Opt("E", "ignore-tab-expansion", Value::No),
        Opt("Z", "ignore-trailing-space", Value::No),
        Opt("b", "ignore-space-change", Value::No),
        Opt("w", "ignore-all-space", Value::No),
        Opt("B", "ignore-blank-lines", Value::No),
        Opt("I", "ignore-matching-lines", Value::Required),
        Opt("a", "text", Value::No),
        Opt("", "strip-trailing-cr", Value::No),
        Opt("d", "minimal", Value::No),
        Opt("H", "speed-large-files", Value::No),
        Opt("", "horizon-lines", Value::Required),
        Opt("", "color", Value::Optional),
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

/// How differences are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Normal,
    Context(usize),
    Unified(usize),
    Ed,
    Rcs,
    SideBySide,
    Groups,
    Brief,
}

impl Style {
    /// Whether files without differences are written too.
    fn shows_equal(self) -> bool {
        matches!(self, Style::SideBySide | Style::Groups)
    }
}

/// One side of a comparison.
#[derive(Clone)]
struct File {
    path: Vec<u8>,
    label: Option<Vec<u8>>,
    content: Vec<u8>,
    modified: Time,
}

impl File {
    /// Its label, if it has one, or its path.
    fn name(&self) -> &[u8] {
        self.label.as_ref().unwrap_or(&self.path)
    }
}

/// What `diff` calls a kind of file.
fn called(stat: &Stat) -> &'static str {
    match stat.kind {
        Kind::Directory => "directory",
        Kind::Symlink => "symbolic link",
        Kind::Fifo => "fifo",
        Kind::Regular if stat.size == 0 => "regular empty file",
        Kind::Regular => "regular file",
        Kind::CharacterDevice => "character special file",
    }
}

/// Whether two names are of one file, whose content is equal to itself.
fn is_same(old: (&[u8], &Option<Stat>), new: (&[u8], &Option<Stat>)) -> bool {
    match (old, new) {
        ((b"-", _), (b"-", _)) => true,
        ((_, Some(old)), (_, Some(new))) => {
            old.inode != 0 && (old.device, old.inode) == (new.device, new.inode)
        }
        _ => false,
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match Diff::new(call) {
        Ok((diff, old, new)) => diff.run(old, new),
        Err(status) => status,
    }
}

struct Diff<'a> {
    call: &'a Call,
    parsed: Parsed,
    style: Style,
    exclude: Vec<Glob>,
    ignore_matching: Option<Pattern>,
    /// What the line above a hunk matches where it names a function.
    functions: Option<Pattern>,
    color: bool,
    /// Contents that were decompressed, by the name that stands for each.
    given: Vec<(Vec<u8>, Vec<u8>)>,
    out: Output,
    status: i32,
}

impl<'a> Diff<'a> {
    fn new(call: &'a Call) -> Result<(Diff<'a>, Vec<u8>, Vec<u8>), i32> {
        // `-C` and `-U` take their number from the next word, unlike their long names.
        let mut arguments = Vec::with_capacity(call.arguments.len());
        let mut words = call.arguments.iter();
        while let Some(word) = words.next() {
            let mut word = word.clone();
            if matches!(word.as_slice(), b"-U" | b"-C") {
                word.extend(words.next().into_iter().flatten());
            }
            arguments.push(word);
        }
        let mut parsed = options::parse(
            &Call {
                name: call.name.clone(),
                arguments,
            },
            &SYNTAX,
        )?;
        let mut operands = std::mem::take(&mut parsed.operands);
        let mut given = Vec::new();
        if let Some((family, _)) = archive::family(&call.name) {
            let compared = family.compare(call, &operands)?;
            operands = compared.names.to_vec();
            given = compared.given;
        }
        let mut operands = operands.into_iter();
        let (old, new) = match (operands.next(), operands.next(), operands.next()) {
            (Some(old), Some(new), None) => (old, new),
            (_, _, Some(extra)) => {
                let message = bytes!("extra operand ", quote::message(&extra));
                return Err(options::usage_error(call, &SYNTAX, message));
            }
            (last, ..) => {
                let last = last.or_else(|| call.arguments.last().cloned());
                let last = last.unwrap_or_else(|| call.name.clone().into_bytes());
                let message = bytes!("missing operand after ", quote::message(&last));
                return Err(options::usage_error(call, &SYNTAX, message));
            }
        };
        for (key, what) in [("tabsize", "tabsize"), ("W", "width")] {
            let positive = |text: &[u8]| options::number(text).is_some_and(|size: usize| size > 0);
            if let Some(text) = parsed.value(key).filter(|text| !positive(text)) {
                let message = bytes!("invalid ", what, " '", text, "'");
                return Err(options::usage_error(call, &SYNTAX, message));
            }
        }
        let style = style(call, &parsed)?;
        let functions = functions(call, &parsed)?;
        let mut exclude = Vec::new();
        for (key, value) in &parsed.options {
            match *key {
                "x" => exclude.push(Glob::new(value, false, false)),
                "X" => {
                    let list = system::read_whole(value)
                        .map_err(|failure| call.fail(2, bytes!(value, ": ", failure)))?;
                    let lines = list
                        .split(|&byte| byte == b'\n')
                        .filter(|line| !line.is_empty());
                    exclude.extend(lines.map(|line| Glob::new(line, false, false)));
                }
                _ => {}
            }
        }
        let ignore: Vec<&[u8]> = parsed
            .options
            .iter()
            .filter(|(key, _)| *key == "I")
            .map(|(_, value)| value.as_slice())
            .collect();
        let ignore_matching = if ignore.is_empty() {
            None
        } else {
            let settings = crate::pattern::Settings::new(crate::pattern::Dialect::Basic);
            let source = ignore.join(&b"\\|"[..]);
            let pattern = Pattern::new(&source, &settings);
            Some(pattern.map_err(|message| call.fail(2, message))?)
        };
        let color = match parsed.value("color") {
            None | Some(b"never") => false,
            Some(b"always") => true,
            Some(b"" | b"auto") => system::is_terminal(1),
            Some(other) => {
                let message = bytes!("invalid color '", other, "'");
                return Err(options::usage_error(call, &SYNTAX, message));
            }
        };
        let out = Output::new();
        let diff = Diff {
            call,
            parsed,
            style,
            exclude,
            ignore_matching,
            functions,
            color,
            given,
            out,
            status: 0,
        };
        Ok((diff, old, new))
    }

    fn run(mut self, old: Vec<u8>, new: Vec<u8>) -> i32 {
        self.pair(old, new, true);
        self.out.finish(&self.call.name, self.status, 2)
    }

    fn complain(&mut self, path: &[u8], failure: system::Failure) {
        self.out.flush();
        self.status = self.call.fail(2, bytes!(path, ": ", failure));
    }

    fn differ(&mut self) {
        self.status = self.status.max(1);
    }

    fn stat(&self, path: &[u8]) -> system::Result<Option<Stat>> {
        if self.given.iter().any(|(name, _)| name == path) {
            return Ok(None);
        }
        let found = if path == b"-" {
            system::stat_descriptor(0)
        } else {
            system::stat(path, !self.parsed.has("no-dereference"))
        };
        match found {
            Err(system::NO_ENTRY) if self.takes_absent() => Ok(None),
            // A pipe that has no `stat` is still standard input.
            Err(_) if path == b"-" => Ok(None),
            found => found.map(Some),
        }
    }

    /// Whether a file that is not there is an empty one.
    fn takes_absent(&self) -> bool {
        self.parsed.has("N") || self.parsed.has("P")
    }

    fn pair(&mut self, mut old: Vec<u8>, mut new: Vec<u8>, top: bool) {
        let (a, b) = (self.stat(&old), self.stat(&new));
        for (path, outcome) in [(&old, &a), (&new, &b)] {
            if let Err(failure) = outcome {
                self.complain(path, *failure);
            }
        }
        let (Ok(a), Ok(b)) = (a, b) else {
            return;
        };
        let kind = |stat: &Option<Stat>| stat.as_ref().map(|stat| stat.kind);
        let is_directory = |stat| kind(stat) == Some(Kind::Directory);
        match (is_directory(&a), is_directory(&b)) {
            (true, true) if top || self.parsed.has("r") => {
                return self.directories(&old, &new, top);
            }
            (true, true) => {
                let line = bytes!("Common subdirectories: ", old, " and ", new);
                return self.out.line(line);
            }
            // A directory and a file: the file of that name in the directory.
            (true, false) if top => old = system::join(&old, base_name(&new)),
            (false, true) if top => new = system::join(&new, base_name(&old)),
            (false, false) => match (kind(&a), kind(&b)) {
                (Some(Kind::Symlink), Some(Kind::Symlink)) => return self.links(&old, &new),
                (Some(Kind::Symlink), _) | (_, Some(Kind::Symlink)) => {
                    return self.kinds((&old, &a), (&new, &b));
                }
                // What has no end is not read without being asked for.
                (Some(one), Some(other)) if !top && [one, other] != [Kind::Regular; 2] => {
                    return self.kinds((&old, &a), (&new, &b));
                }
                _ => {}
            },
            _ => return self.kinds((&old, &a), (&new, &b)),
        }
        if self.style.shows_equal() || !is_same((&old, &a), (&new, &b)) {
            return self.files(old, new, top);
        }
        self.identical(&old, &new);
    }

    /// What a file is called: by its label, if it has one.
    fn name<'n>(&'n self, side: usize, path: &'n [u8]) -> &'n [u8] {
        self.label(side).unwrap_or(path)
    }

    fn label(&self, side: usize) -> Option<&[u8]> {
        let labels = self.parsed.options.iter().filter(|(key, _)| *key == "L");
        labels.map(|(_, label)| label.as_slice()).nth(side)
    }

    fn identical(&mut self, old: &[u8], new: &[u8]) {
        if self.parsed.has("s") {
            let (old, new) = (self.name(0, old), self.name(1, new));
            let line = bytes!("Files ", old, " and ", new, " are identical");
            self.out.line(line);
        }
    }

    /// Two files that cannot be compared.
    fn kinds(&mut self, old: (&[u8], &Option<Stat>), new: (&[u8], &Option<Stat>)) {
        let (a, b) = match (old.1, new.1) {
            (Some(a), Some(b)) => (called(a), called(b)),
            (None, _) => return self.complain(old.0, system::NO_ENTRY),
            (_, None) => return self.complain(new.0, system::NO_ENTRY),
        };
        let (old, new) = (self.name(0, old.0), self.name(1, new.0));
        let line = bytes!("File ", old, " is a ", a, " while file ", new, " is a ", b);
        self.out.line(line);
        self.differ();
    }

    /// Two symbolic links that are not followed.
    fn links(&mut self, old: &[u8], new: &[u8]) {
        let (a, b) = match (system::read_link(old), system::read_link(new)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(failure), _) => return self.complain(old, failure),
            (_, Err(failure)) => return self.complain(new, failure),
        };
        if a == b {
            return self.identical(old, new);
        }
        let line = bytes!("Symbolic links ", old, " and ", new, " differ");
        self.out.line(line);
        self.differ();
    }

    fn directories(&mut self, old: &[u8], new: &[u8], top: bool) {
        if self.parsed.has("D") {
            self.out.flush();
            self.status = self
                .call
                .fail(2, "-D option not supported with directories");
            return;
        }
        let mut names: BTreeMap<Vec<u8>, [bool; 2]> = BTreeMap::new();
        for (side, directory) in [old, new].into_iter().enumerate() {
            let entries = match system::read_directory(directory) {
                Ok(entries) => entries,
                Err(system::NO_ENTRY) if self.parsed.has("N") => Vec::new(),
                Err(failure) => return self.complain(directory, failure),
            };
            for entry in entries {
                if self.exclude.iter().any(|glob| glob.matches(&entry.name)) {
                    continue;
                }
                names.entry(entry.name).or_default()[side] = true;
            }
        }
        let first = self.parsed.value("S").filter(|_| top).map(<[u8]>::to_vec);
        let skipped = |name: &Vec<u8>| first.as_ref().is_some_and(|first| name < first);
        for (name, sides) in names.into_iter().filter(|(name, _)| !skipped(name)) {
            let (a, b) = (system::join(old, &name), system::join(new, &name));
            let both = sides == [true, true];
            let absent = self.parsed.has("N") || (self.parsed.has("P") && sides == [false, true]);
            if both || absent {
                self.pair(a, b, false);
            } else {
                let directory = if sides[0] { old } else { new };
                let line = bytes!(
                    "Only in ",
                    directory.strip_suffix(b"/").unwrap_or(directory),
                    ": ",
                    name
                );
                self.out.line(line);
                self.differ();
            }
        }
    }

    fn read(&mut self, path: Vec<u8>) -> Option<File> {
        if let Some((_, content)) = self.given.iter().find(|(name, _)| *name == path) {
            return Some(File {
                content: content.clone(),
                label: None,
                modified: Time::now(),
                path,
            });
        }
        let stat = self.stat(&path).ok().flatten();
        let content = match system::read_whole(&path) {
            Ok(content) => content,
            Err(system::NO_ENTRY) if self.takes_absent() => Vec::new(),
            Err(failure) => {
                self.complain(&path, failure);
                return None;
            }
        };
        let modified = match (&stat, path.as_slice()) {
            (Some(stat), _) => stat.modified,
            (None, b"-") => Time::now(),
            (None, _) => Time::default(),
        };
        Some(File {
            path,
            label: None,
            content,
            modified,
        })
    }

    fn files(&mut self, old: Vec<u8>, new: Vec<u8>, top: bool) {
        // Standard input is there once.
        let twice = old == b"-" && new == b"-";
        let Some(mut old) = self.read(old) else {
            return;
        };
        let read = if twice {
            Some(old.clone())
        } else {
            self.read(new)
        };
        let Some(mut new) = read else {
            return;
        };
        (old.label, new.label) = (
            self.label(0).map(<[u8]>::to_vec),
            self.label(1).map(<[u8]>::to_vec),
        );
        let silent = !self.style.shows_equal();
        let identical = (silent && old.content == new.content) || self.compare(&old, &new, top);
        if identical {
            self.identical(&old.path, &new.path);
        }
    }

    /// Writes the differences of two files; true where there is none that counts.
    fn compare(&mut self, old: &File, new: &File, top: bool) -> bool {
        const LOOKED_AT: usize = 32 * 1024;
        let binary = |file: &File| {
            memchr::memchr(0, &file.content[..file.content.len().min(LOOKED_AT)]).is_some()
        };
        if !self.parsed.has("a") && (binary(old) || binary(new)) {
            let what = if self.style == Style::Brief {
                "Files "
            } else {
                "Binary files "
            };
            self.out
                .line(bytes!(what, old.name(), " and ", new.name(), " differ"));
            self.differ();
            return false;
        }
        let (a, b) = (lines(&old.content), lines(&new.content));
        let (x, y) = self.numbers(&a, &b);
        let changes = compare::changes(&x, &y);
        let counts = |change: &compare::Change| {
            let both = a[change.from.0..change.from.1]
                .iter()
                .chain(&b[change.to.0..change.to.1]);
            !both.clone().all(|line| self.is_ignored(line))
        };
        if !changes.iter().any(counts) && !self.style.shows_equal() {
            return true;
        }
        let ignored: Vec<bool> = changes.iter().map(|change| !counts(change)).collect();
        if self.style == Style::Brief {
            self.out
                .line(bytes!("Files ", old.name(), " and ", new.name(), " differ"));
            self.differ();
            return false;
        }
        if !top && !self.style.shows_equal() {
            self.command_line(old.name(), new.name());
        }
        if self.style == Style::Groups {
            let all = changes.iter().zip(&ignored);
            let counted = all.filter(|(_, ignored)| !**ignored);
            let counted: Vec<_> = counted.map(|(change, _)| *change).collect();
            groups::Formats::new(&self.parsed).print(&a, &b, &counted, &mut self.out);
            if counted.is_empty() {
                return true;
            }
            self.differ();
            return false;
        }
        print::Printer {
            old: (old, &a),
            new: (new, &b),
            changes: &changes,
            ignored: &ignored,
            style: self.style,
            color: self.color,
            width: self
                .parsed
                .value("W")
                .and_then(options::number)
                .unwrap_or(130),
            suppress_common: self.parsed.has("suppress-common-lines"),
            left_column: self.parsed.has("left-column"),
            initial_tab: self.parsed.has("T"),
            functions: self.functions.as_ref(),
            tab: expanded(&self.parsed),
            tab_size: tab_size(&self.parsed),
            bare: self.parsed.has("suppress-blank-empty"),
            out: &mut self.out,
        }
        .print();
        if ignored.iter().any(|ignored| !ignored) {
            self.differ();
        }
        false
    }

    /// `diff OPTIONS OLD NEW`, which stands before the differences of each pair of a recursion.
    fn command_line(&mut self, old: &[u8], new: &[u8]) {
        let mut line = b"diff".to_vec();
        let mut words = self.call.arguments.iter();
        while let Some(word) = words.next() {
            if word.len() < 2 || word[0] != b'-' {
                continue;
            }
            // The values of options are words of their own.
            let value = takes_next(word).then(|| words.next()).flatten();
            for word in std::iter::once(word).chain(value) {
                line.push(b' ');
                line.extend_from_slice(&quote::shell_where_needed(word));
            }
        }
        self.out.line(bytes!(line, " ", old, " ", new));
    }

    fn is_ignored(&self, line: &[u8]) -> bool {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let blank = self.parsed.has("B")
            && (text.is_empty()
                || (self.parsed.has("w") && text.iter().all(u8::is_ascii_whitespace)));
        blank
            || self
                .ignore_matching
                .as_ref()
                .is_some_and(|pattern| pattern.is_match(text))
    }

    /// Gives lines that count as equal the same number.
    fn numbers(&self, a: &[&[u8]], b: &[&[u8]]) -> (Vec<u32>, Vec<u32>) {
        let has = |key| self.parsed.has(key);
        let plain = !["i", "w", "b", "Z", "E", "strip-trailing-cr"]
            .into_iter()
            .any(has);
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut number = |line: &&[u8]| {
            let key = if plain {
                line.to_vec()
            } else {
                self.normalized(line)
            };
            let next = known.len() as u32;
            *known.entry(key).or_insert(next)
        };
        let x = a.iter().map(&mut number).collect();
        (x, b.iter().map(&mut number).collect())
    }

    fn normalized(&self, line: &[u8]) -> Vec<u8> {
        let ended = line.last() == Some(&b'\n');
        let mut text = line.strip_suffix(b"\n").unwrap_or(line).to_vec();
        if self.parsed.has("strip-trailing-cr") && text.last() == Some(&b'\r') {
            text.pop();
        }
        if self.parsed.has("i") {
            text = String::from_utf8_lossy(&text).to_lowercase().into_bytes();
        }
        if self.parsed.has("E") {
            text = print::expand(&text, tab_size(&self.parsed));
        }
        if self.parsed.has("w") {
            text.retain(|byte| !byte.is_ascii_whitespace());
        } else if self.parsed.has("b") || self.parsed.has("Z") {
            let end = text
                .iter()
                .rposition(|byte| !byte.is_ascii_whitespace())
                .map_or(0, |at| at + 1);
            text.truncate(end);
            if self.parsed.has("b") {
                text.dedup_by(|next, before| {
                    next.is_ascii_whitespace() && before.is_ascii_whitespace()
                });
                text.iter_mut()
                    .filter(|byte| byte.is_ascii_whitespace())
                    .for_each(|byte| *byte = b' ');
            }
        }
        let blanks = ["w", "b", "Z"].into_iter().any(|key| self.parsed.has(key));
        if ended || blanks {
            text.push(b'\n');
        }
        text
    }
}

fn style(call: &Call, parsed: &Parsed) -> Result<Style, i32> {
    let mut digits = String::new();
    let mut style = Style::Normal;
    let refuse = |value: &[u8]| {
        let message = bytes!("invalid context length '", value, "'");
        options::usage_error(call, &SYNTAX, message)
    };
    for (key, value) in &parsed.options {
        let lines = if value.is_empty() {
            Some(3)
        } else {
            options::number(value)
        };
        style = match *key {
            "c" => Style::Context(3),
            "u" => Style::Unified(3),
            "C" => Style::Context(lines.ok_or_else(|| refuse(value))?),
            "U" => Style::Unified(lines.ok_or_else(|| refuse(value))?),
            "e" => Style::Ed,
            "n" => Style::Rcs,
            "y" => Style::SideBySide,
            format if groups::OPTIONS.contains(&format) => Style::Groups,
            "normal" => Style::Normal,
            digit if digit.as_bytes()[0].is_ascii_digit() => {
                digits.push_str(digit);
                style
            }
            _ => style,
        };
    }
    if let (Ok(count), Style::Unified(_) | Style::Context(_)) = (digits.parse::<usize>(), style) {
        style = if matches!(style, Style::Unified(_)) {
            Style::Unified(count)
        } else {
            Style::Context(count)
        };
    }
    if style == Style::Normal && parsed.has("p") {
        style = Style::Context(3);
    }
    Ok(if parsed.has("q") { Style::Brief } else { style })
}

/// Whether the value of the last option of a word is the next word.
fn takes_next(word: &[u8]) -> bool {
    let required = |opt: &&Opt| opt.2 == Value::Required;
    match word {
        [b'-', b'-', long @ ..] if !long.contains(&b'=') => {
            let starts = |opt: &Opt| !long.is_empty() && opt.1.as_bytes().starts_with(long);
            SYNTAX.options.iter().filter(required).any(starts)
        }
        [b'-', b'-', ..] => false,
        [b'-', letters @ ..] => {
            let valued = |letter: &u8| {
                let mut options = SYNTAX.options.iter().filter(required);
                b"CU".contains(letter) || options.any(|opt| opt.0.as_bytes().contains(letter))
            };
            letters.iter().position(valued) == Some(letters.len() - 1)
        }
        _ => false,
    }
}

/// The pattern of `-F`, or that of `-p`.
fn functions(call: &Call, parsed: &Parsed) -> Result<Option<Pattern>, i32> {
    let mut sources: Vec<&[u8]> = Vec::new();
    for (key, value) in &parsed.options {
        match *key {
            "p" => sources.push(b"^[[:alpha:]$_]"),
            "F" => sources.push(value),
            _ => {}
        }
    }
    if sources.is_empty() {
        return Ok(None);
    }
    let settings = crate::pattern::Settings::new(crate::pattern::Dialect::Basic);
    let pattern = Pattern::new(&sources.join(&b"\\|"[..]), &settings);
    pattern.map(Some).map_err(|message| call.fail(2, message))
}

fn tab_size(parsed: &Parsed) -> usize {
    let size = parsed.value("tabsize").and_then(options::number);
    size.filter(|size| *size > 0).unwrap_or(8)
}

/// The distance of tab stops, where tabs become blanks.
fn expanded(parsed: &Parsed) -> Option<usize> {
    parsed.has("t").then(|| tab_size(parsed))
}

fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// The lines with their ends.
fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|&byte| byte == b'\n').collect()
}
