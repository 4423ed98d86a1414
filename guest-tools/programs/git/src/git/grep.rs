//! `git grep` (Documentation/git-grep): lines of tracked files that match.
//!
//! Files are those of the index, read from the work tree (by default), from the index (`--cached`) or from trees.
//! Patterns are those of `grep`: basic, `-E`, `-F`, `-P`, or what `grep.patternType` says. `--and` and `--not`
//! combine them, where parentheses are not here; nor is colour. Status 1 where nothing was found.

use std::rc::Rc;

use super::diff::revisions_and_paths;
use super::flags::{Flags, NUMBER};
use super::ignore::Ignored;
use super::lines::is_binary;
use super::pathspec::Pathspec;
use super::quoting::quoted;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, fatal, file, usage};
use super::worktree::Ask;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::pattern::{Dialect, Pattern, Settings, Whole};
use crate::system;

/// The options that are read.
const OPTIONS: &[Opt] = &[
    Opt("", NUMBER, Value::No),
    Opt("n", "line-number", Value::No),
    Opt("", "column", Value::No),
    Opt("c", "count", Value::No),
    Opt("l", "files-with-matches", Value::No),
    Opt("l", "name-only", Value::No),
    Opt("L", "files-without-match", Value::No),
    Opt("i", "ignore-case", Value::No),
    Opt("w", "word-regexp", Value::No),
    Opt("v", "invert-match", Value::No),
    Opt("e", "", Value::Required),
    Opt("f", "", Value::Required),
    Opt("", "and", Value::No),
    Opt("", "or", Value::No),
    Opt("", "not", Value::No),
    Opt("E", "extended-regexp", Value::No),
    Opt("F", "fixed-strings", Value::No),
    Opt("G", "basic-regexp", Value::No),
    Opt("P", "perl-regexp", Value::No),
    Opt("h", "no-filename", Value::No),
    Opt("H", "", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("o", "only-matching", Value::No),
    Opt("m", "max-count", Value::Required),
    Opt("z", "null", Value::No),
    Opt("a", "text", Value::No),
    Opt("I", "", Value::No),
    Opt("r", "recursive", Value::No),
    Opt("A", "after-context", Value::Required),
    Opt("B", "before-context", Value::Required),
    Opt("C", "context", Value::Required),
    Opt("", "cached", Value::No),
    Opt("", "untracked", Value::No),
    Opt("", "full-name", Value::No),
    Opt("", "color", Value::Optional),
    Opt("", "threads", Value::Required),
    Opt("", "textconv", Value::No),
];

/// A pattern, and whether it must not match.
type Term = (bool, Pattern);

/// What is searched for, and what is printed.
struct Search {
    /// One of these must fit, with all of its terms.
    groups: Vec<Vec<Term>>,
    invert: bool,
    /// Only names are printed: of files with (`-l`) or without (`-L`) a line that fits.
    names: Option<bool>,
    count: bool,
    quiet: bool,
    /// Only the matching parts (`-o`).
    only: bool,
    /// Line numbers (`-n`, `grep.lineNumber`).
    number: bool,
    column: bool,
    /// Names stand before lines; `-h` leaves them out.
    named: bool,
    nul: bool,
    /// Binary files are searched as text (`-a`).
    text: bool,
    skip_binary: bool,
    /// At most so many lines a file (`-m`).
    limit: usize,
    /// Lines of context before a hit.
    before: usize,
    after: usize,
    /// A line was printed, so a mark stands before the next group.
    shown: bool,
    out: Vec<u8>,
}

/// `git grep`. Without paths, what is below the working directory. Files of a revision are shown as `REV:PATH`.
pub fn grep(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let mut flags = Flags::read(arguments, OPTIONS)?;
    if flags
        .value("color")
        .is_some_and(|when| !matches!(when, b"never" | b"auto"))
    {
        return Err(usage("option `--color' is not supported"));
    }
    let mut search = Search::new(repository, &mut flags)?;
    let (revisions, mut paths) = revisions_and_paths(repository, &flags)?;
    if paths.is_empty() && !repository.prefix.is_empty() {
        paths.push(b".".to_vec());
    }
    let paths = Pathspec::new(repository, &paths)?;
    let mut found = false;
    if revisions.is_empty() {
        for (path, content) in own_files(repository, &flags, &paths)? {
            let name = shown(repository, &flags, &path);
            found |= search.file(&name, &content);
        }
    } else if flags.has("cached") || flags.has("untracked") {
        return Err(fatal(
            "--cached and --untracked cannot be used with revisions",
        ));
    }
    for word in &revisions {
        let id = revision::resolve(repository, word)?;
        let (peeled, kind) = repository.objects.peel(&id)?;
        if kind == gix_object::Kind::Blob {
            found |= search.file(word, &repository.objects.blob(&peeled)?);
            continue;
        }
        for (path, item) in repository.items(&peeled)? {
            if item.mode & 0o170_000 == 0o100_000 && paths.matches(&path) {
                let name = bytes!(word, ":", shown(repository, &flags, &path));
                found |= search.file(&name, &repository.objects.blob(&item.id)?);
            }
        }
    }
    repository.out.put(&search.out);
    Ok(i32::from(!found))
}

/// A path as it is shown: from the working directory or the top (`--full-name`), quoted unless `-z`.
fn shown(repository: &Repository, flags: &Flags, path: &[u8]) -> Vec<u8> {
    let path = if flags.has("full-name") {
        path.to_vec()
    } else {
        repository.path_from_here(path)
    };
    if flags.has("z") { path } else { quoted(&path) }
}

/// Paths with content.
type Files = Vec<(Vec<u8>, Rc<[u8]>)>;

/// The files of the index, each path once, as they are in it or in the work tree; with `--untracked` those that git
/// does not know as well. Contents are all read before the search.
fn own_files(repository: &Repository, flags: &Flags, paths: &Pathspec) -> Outcome<Files> {
    let index = repository.index()?;
    let mut files = Files::new();
    let mut last: Vec<u8> = Vec::new();
    let work = |path: &[u8], files: &mut Files| -> Outcome {
        if let Ok(stat) = system::stat(&repository.file(path)?, false)
            && stat.kind == system::Kind::Regular
        {
            files.push((path.to_vec(), Rc::from(repository.content(path, &stat)?)));
        }
        Ok(())
    };
    for (path, _, entry) in index.all() {
        let regular = entry.item.mode & 0o170_000 == 0o100_000;
        if !regular || path == last.as_slice() || !paths.matches(path) {
            continue;
        }
        last = path.to_vec();
        if !flags.has("cached") {
            work(path, &mut files)?;
        } else if !entry.intended {
            files.push((path.to_vec(), repository.objects.blob(&entry.item.id)?));
        }
    }
    if flags.has("untracked") {
        let ask = Ask {
            paths,
            fold: false,
            only_ignored: false,
            all: false,
        };
        let ignored = Ignored::new(repository)?;
        for path in repository.untracked(&index, &ignored, &ask)? {
            work(&path, &mut files)?;
        }
        files.sort_by(|one, two| one.0.cmp(&two.0));
    }
    Ok(files)
}

/// Which kind of pattern: the last of the options, then the settings.
fn dialect(repository: &Repository, flags: &Flags) -> Outcome<Dialect> {
    Ok(match flags.last(&["E", "F", "G", "P"]) {
        Some("E") => Dialect::Extended,
        Some("F") => Dialect::Fixed,
        Some("P") => Dialect::Perl,
        Some(_) => Dialect::Basic,
        None => match repository.config.get("grep.patterntype") {
            Some(b"extended") => Dialect::Extended,
            Some(b"fixed") => Dialect::Fixed,
            Some(b"perl") => Dialect::Perl,
            None | Some(b"default") if repository.config.truth("grep.extendedregexp", false) => {
                Dialect::Extended
            }
            _ => Dialect::Basic,
        },
    })
}

/// Reads the patterns with what stands between them: a list of alternatives, each a list of terms that must all fit.
/// `-e a --and --not -e b -e c` is `(a and not b) or c`.
fn patterns(repository: &Repository, flags: &mut Flags) -> Outcome<Vec<Vec<Term>>> {
    let settings = Settings {
        ignore_case: flags.has("i"),
        whole: if flags.has("w") {
            Whole::Word
        } else {
            Whole::No
        },
        ..Settings::new(dialect(repository, flags)?)
    };
    let compile = |source: &[u8], place: &str| {
        Pattern::new(source, &settings)
            .map_err(|why| fatal(bytes!(place, ", '", source, "': ", why)))
    };
    if !flags.has("e") && !flags.has("f") {
        if flags.operands.is_empty() {
            return Err(fatal("no pattern given"));
        }
        let source = flags.operands.remove(0);
        if source == b"(" {
            return Err(usage("parentheses between patterns are not supported"));
        }
        return Ok(vec![vec![(false, compile(&source, "command line")?)]]);
    }
    if flags
        .operands
        .iter()
        .any(|word| word == b"(" || word == b")")
    {
        return Err(usage("parentheses between patterns are not supported"));
    }
    let mut groups: Vec<Vec<Term>> = Vec::new();
    let (mut joined, mut negated) = (false, false);
    for (key, value) in flags.in_order() {
        let sources: Vec<Vec<u8>> = match key {
            "and" => {
                joined = true;
                continue;
            }
            "not" => {
                negated = !negated;
                continue;
            }
            "e" => vec![value.to_vec()],
            "f" => {
                let text = system::read_whole(value)
                    .map_err(|failure| file("cannot open", value, failure))?;
                let lines = text.split(|&byte| byte == b'\n');
                lines
                    .filter(|line| !line.is_empty())
                    .map(<[u8]>::to_vec)
                    .collect()
            }
            _ => continue,
        };
        for source in sources {
            let term = (negated, compile(&source, "command line")?);
            match groups.last_mut() {
                Some(group) if joined => group.push(term),
                None if joined => return Err(fatal("--and not followed by pattern expression")),
                _ => groups.push(vec![term]),
            }
        }
        (joined, negated) = (false, false);
    }
    if joined || negated {
        let what = if joined { "--and" } else { "--not" };
        return Err(fatal(bytes!(what, " not followed by pattern expression")));
    }
    Ok(groups)
}

impl Search {
    /// Reads the options.
    fn new(repository: &Repository, flags: &mut Flags) -> Outcome<Search> {
        let groups = patterns(repository, flags)?;
        let both = match flags.last(&["C", NUMBER]) {
            Some(key) => flags.number(key)?.unwrap_or(0),
            None => 0,
        };
        let search = Search {
            groups,
            invert: flags.has("v"),
            names: flags.last(&["l", "L"]).map(|key| key == "l"),
            count: flags.has("c"),
            quiet: flags.has("q"),
            only: flags.has("o"),
            number: flags.has("n")
                || (!flags.denied("n") && repository.config.truth("grep.linenumber", false)),
            column: flags.has("column"),
            named: flags.last(&["h", "H"]) != Some("h"),
            nul: flags.has("z"),
            text: flags.has("a"),
            skip_binary: flags.has("I"),
            limit: match flags.value("m") {
                Some(b"-1") | None => usize::MAX,
                Some(_) => flags.number("m")?.unwrap_or(usize::MAX),
            },
            before: flags.number("B")?.unwrap_or(both),
            after: flags.number("A")?.unwrap_or(both),
            shown: false,
            out: Vec::new(),
        };
        if search.invert && (search.column || search.only) {
            return Err(usage(
                "options `--column' and `-o' are not supported with `-v'",
            ));
        }
        Ok(search)
    }

    /// Whether a line is one that is searched for, `-v` considered.
    fn fits(&self, line: &[u8]) -> bool {
        let term = |(negated, pattern): &Term| pattern.is_match(line) != *negated;
        self.groups.iter().any(|group| group.iter().all(term)) != self.invert
    }

    /// The first place at or behind `start` that one of the patterns matches; of several there the longest.
    fn place(&self, line: &[u8], start: usize) -> Option<(usize, usize)> {
        let patterns = self.groups.iter().flatten();
        patterns
            .filter_map(|(_, pattern)| pattern.find_at(line, start))
            .min_by_key(|&(from, to)| (from, usize::MAX - to))
    }

    /// Searches one file; whether it counts as found.
    fn file(&mut self, name: &[u8], content: &[u8]) -> bool {
        let binary = !self.text && is_binary(content);
        if binary && self.skip_binary {
            return false;
        }
        let body = content.strip_suffix(b"\n").unwrap_or(content);
        let lines: Vec<&[u8]> = match content.is_empty() {
            true => Vec::new(),
            false => body.split(|&byte| byte == b'\n').collect(),
        };
        let fitting = (0..lines.len()).filter(|at| self.fits(lines[*at]));
        let only_first = self.quiet || self.names.is_some();
        let most = if only_first {
            1.min(self.limit)
        } else {
            self.limit
        };
        let hits: Vec<usize> = fitting.take(most).collect();
        let found = !hits.is_empty();
        if let Some(with) = self.names {
            if found == with && !self.quiet {
                let end = if self.nul { "\0" } else { "\n" };
                self.out.extend(bytes!(name, end));
            }
            return found == with;
        }
        match (found, self.quiet) {
            (false, _) => return false,
            (true, true) => return true,
            (true, false) => {}
        }
        if self.count {
            self.name(name, b':');
            self.out.extend(format!("{}\n", hits.len()).into_bytes());
        } else if binary {
            self.out.extend(bytes!("Binary file ", name, " matches\n"));
        } else {
            self.lines(name, &lines, &hits);
        }
        true
    }

    /// Prints the lines that were found and those around them.
    fn lines(&mut self, name: &[u8], lines: &[&[u8]], hits: &[usize]) {
        let around = self.before + self.after > 0;
        let mut next = 0;
        let mut first = true;
        for (at, &hit) in hits.iter().enumerate() {
            let start = hit.saturating_sub(self.before).max(next);
            if around && (if first { self.shown } else { start > next }) {
                self.out.extend_from_slice(b"--\n");
            }
            for (number, line) in (start..hit).zip(&lines[start..hit]) {
                self.line(name, number, line, b'-');
            }
            self.line(name, hit, lines[hit], b':');
            let limit = hits.get(at + 1).copied().unwrap_or(lines.len());
            let end = (hit + 1 + self.after).min(limit);
            for (number, line) in (hit + 1..end).zip(&lines[hit + 1..end]) {
                self.line(name, number, line, b'-');
            }
            (next, first) = (end, false);
        }
        self.shown = true;
    }

    fn name(&mut self, name: &[u8], mark: u8) {
        if self.named {
            self.out.extend_from_slice(name);
            self.out.push(if self.nul { 0 } else { mark });
        }
    }

    /// What stands before a line: name, number, column, each with its mark: `:` for hits, `-` for context, NUL with
    /// `-z`.
    fn head(&mut self, name: &[u8], number: usize, column: Option<usize>, mark: u8) {
        self.name(name, mark);
        let mark = if self.nul { '\0' } else { char::from(mark) };
        if self.number {
            self.out
                .extend(format!("{}{mark}", number + 1).into_bytes());
        }
        if let Some(column) = column.filter(|_| self.column) {
            self.out
                .extend(format!("{}{mark}", column + 1).into_bytes());
        }
    }

    /// Prints a line, or with `-o` each of its matches.
    fn line(&mut self, name: &[u8], number: usize, line: &[u8], mark: u8) {
        let mut place = match mark {
            b':' => self.place(line, 0),
            _ => None,
        };
        if !self.only {
            self.head(name, number, place.map(|place| place.0), mark);
            self.out.extend(bytes!(line, "\n"));
            return;
        }
        // As in git, only the first column is where the match is: then ends of matches are added up.
        let mut column = place.map_or(0, |place| place.0);
        let mut before = 0;
        while let Some((start, end)) = place.filter(|(start, end)| end > start) {
            self.head(name, number, Some(column), mark);
            self.out.extend(bytes!(&line[start..end], "\n"));
            place = self.place(line, end);
            column += end - before;
            before = end;
        }
    }
}
