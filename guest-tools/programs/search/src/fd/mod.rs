//! `fd` 8.6: finds entries by name and leaves out what ignore files name, on the walker of ripgrep (the crate
//! `ignore`).
//!
//! The walk collects all results and sorts them by path before anything is printed or run; the original prints them as
//! its threads find them. So the order is the same in each run, `--max-results` cuts the walk and not the sorted list,
//! and memory grows with the number of results. `-j` is checked and has no effect.
//!
//! `exec` runs commands, `filter` decides what is a result, `time` reads dates, `color` paints. Messages and the two
//! statuses for errors (1 for what goes wrong, 2 for a wrong command line) are those of the original.

mod color;
mod exec;
mod filter;
mod time;

use crate::stream::eprintln;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;

use crate::call::Call;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::rg::walk::{Follow, Make, Step};
use crate::system::{self, Kind};

use color::Colors;
use filter::Filter;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: fd [OPTIONS] [pattern] [path]...\nFind entries in the filesystem, respecting ignore files.\n",
    options: &[
        Opt("H", "hidden", Value::No),
        Opt("", "no-hidden", Value::No),
        Opt("I", "no-ignore", Value::No),
        Opt("", "no-ignore-vcs", Value::No),
        Opt("", "no-ignore-parent", Value::No),
        Opt("u", "unrestricted", Value::No),
        Opt("s", "case-sensitive", Value::No),
        Opt("i", "ignore-case", Value::No),
        Opt("g", "glob", Value::No),
        Opt("", "regex", Value::No),
        Opt("F", "fixed-strings", Value::No),
        Opt("F", "literal", Value::No),
        Opt("a", "absolute-path", Value::No),
        Opt("L", "follow", Value::No),
        Opt("p", "full-path", Value::No),
        Opt("0", "print0", Value::No),
        Opt("d", "max-depth", Value::Required),
        Opt("d", "maxdepth", Value::Required),
        Opt("", "min-depth", Value::Required),
        Opt("", "exact-depth", Value::Required),
        Opt("E", "exclude", Value::Required),
        Opt("", "prune", Value::No),
        Opt("t", "type", Value::Required),
        Opt("e", "extension", Value::Required),
        Opt("S", "size", Value::Required),
        Opt("", "changed-within", Value::Required),
        Opt("", "changed-after", Value::Required),
        Opt("", "newer", Value::Required),
        Opt("", "changed-before", Value::Required),
        Opt("", "older", Value::Required),
        Opt("c", "color", Value::Required),
        Opt("j", "threads", Value::Required),
        Opt("", "max-results", Value::Required),
        Opt("1", "", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("q", "has-results", Value::No),
        Opt("", "show-errors", Value::No),
        Opt("", "base-directory", Value::Required),
        Opt("", "search-path", Value::Required),
        Opt("", "strip-cwd-prefix", Value::No),
        Opt("", "one-file-system", Value::No),
        Opt("", "xdev", Value::No),
        Opt("", "mount", Value::No),
        Opt("", "and", Value::Required),
        Opt("", "ignore", Value::No),
        Opt("", "ignore-vcs", Value::No),
        Opt("", "relative-path", Value::No),
        Opt("", "no-follow", Value::No),
        Opt("", "batch-size", Value::Required),
        Opt("", "ignore-file", Value::Required),
        Opt("", "path-separator", Value::Required),
        Opt("l", "list-details", Value::No),
        Opt("", "change-newer-than", Value::Required),
        Opt("", "change-older-than", Value::Required),
        Opt("h", "", Value::No),
        Opt("V", "", Value::No),
    ],
    permute: true,
    status: 2,
};

/// An entry that the walk came to.
pub struct Entry {
    /// Starts with the search path it was found below.
    path: PathBuf,
    /// What it is; with `-L` what a link leads to. `Fifo` also stands for everything that is not a file, directory or
    /// link.
    kind: Kind,
    /// Levels below the search path, which itself has 0 and is no result.
    depth: usize,
}

/// Says what went wrong; gives the status of errors.
fn error(message: impl AsRef<str>) -> i32 {
    eprintln!("[fd error]: {}", message.as_ref());
    1
}

/// Says what is wrong with the command line; gives the status of that.
fn misused(message: impl AsRef<str>) -> i32 {
    eprintln!(
        "error: {}\n\nFor more information try '--help'",
        message.as_ref()
    );
    2
}

/// The value of an option that takes a number, none where the option is absent. `name` is how messages call it.
fn number(parsed: &Parsed, key: &str, name: &str) -> Result<Option<usize>, i32> {
    let Some(text) = parsed.value(key) else {
        return Ok(None);
    };
    let wrong = || {
        let text = String::from_utf8_lossy(text);
        let why = "invalid digit found in string";
        misused(format!("Invalid value '{text}' for '{name}': {why}"))
    };
    options::number(text).map(Some).ok_or_else(wrong)
}

/// Refuses options that exclude each other and numbers of threads that cannot be, with status 2.
fn check(parsed: &Parsed) -> Result<(), i32> {
    const CONFLICTS: [(&str, &str, &str, &str); 4] = [
        (
            "exact-depth",
            "min-depth",
            "--exact-depth <depth>",
            "--min-depth <depth>",
        ),
        (
            "exact-depth",
            "d",
            "--exact-depth <depth>",
            "--max-depth <depth>",
        ),
        ("q", "max-results", "--quiet", "--max-results <count>"),
        ("q", "1", "--quiet", "--max-one-result"),
    ];
    for (one, other, first, second) in CONFLICTS {
        if parsed.has(one) && parsed.has(other) {
            let what = format!("The argument '{first}' cannot be used with '{second}'");
            return Err(misused(what));
        }
    }
    if let Some(text) = parsed.value("j") {
        let text = String::from_utf8_lossy(text);
        let why = match text.parse::<i64>() {
            Ok(1..=0xffff_ffff) => return Ok(()),
            Ok(_) => format!("{text} is not in 1..=4294967295"),
            Err(_) => "invalid digit found in string".to_owned(),
        };
        let what = format!("Invalid value '{text}' for '--threads <num>': {why}");
        return Err(misused(what));
    }
    Ok(())
}

/// Whether results are coloured: `-c`, or with `auto` where standard output is a terminal and `NO_COLOR` is not set.
fn is_colored(parsed: &Parsed) -> Result<bool, i32> {
    match parsed.value("c") {
        None | Some(b"auto") => {
            let plain = std::env::var_os("NO_COLOR").is_some();
            Ok(system::is_terminal(1) && !plain)
        }
        Some(b"always") => Ok(true),
        Some(b"never") => Ok(false),
        Some(other) => {
            let other = String::from_utf8_lossy(other);
            let values = "[possible values: auto, always, never]";
            let what = "isn't a valid value for '--color <when>'";
            Err(misused(format!("'{other}' {what}\n  {values}")))
        }
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// The places that are searched, and how results are shown.
struct Job<'a> {
    /// The options, without operands.
    parsed: &'a Parsed,
    /// Value of `--base-directory`: where relative paths start, and what commands run in.
    base: Option<Vec<u8>>,
    /// Search paths that are directories, joined to `base`; never empty. Absolute with `-a`.
    roots: Vec<PathBuf>,
    /// Search paths were given, as operands or by `--search-path`. Without one, results begin at `./` or bare.
    named: bool,
}

/// Bytes as a path; bytes that are not UTF-8 become U+FFFD, since WASI's paths are text.
fn path_of(text: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(text).into_owned())
}

fn is_directory(path: &[u8]) -> bool {
    system::stat(path, true).is_ok_and(|stat| stat.kind == Kind::Directory)
}

impl Job<'_> {
    /// Collects the search paths: `--search-path` first, then operands, else `.`. One that is no directory gets a
    /// message and is left out.
    ///
    /// # Errors
    /// Status 1 where the base is no directory or no search path is left.
    fn new<'a>(parsed: &'a Parsed, operands: &[Vec<u8>]) -> Result<Job<'a>, i32> {
        let base = parsed.value("base-directory").map(<[u8]>::to_vec);
        if let Some(base) = base.as_ref().filter(|base| !is_directory(base)) {
            let base = String::from_utf8_lossy(base);
            let what = format!("The '--base-directory' path '{base}' is not a directory.");
            return Err(error(what));
        }
        let given = parsed.options.iter();
        let given = given.filter(|(key, _)| *key == "search-path");
        let mut paths: Vec<Vec<u8>> = given.map(|(_, path)| path.clone()).collect();
        paths.extend_from_slice(operands);
        let named = !paths.is_empty();
        if !named {
            paths.push(b".".to_vec());
        }
        let mut roots = Vec::new();
        for path in &paths {
            let place = match &base {
                Some(base) => system::join(base, path),
                None => path.clone(),
            };
            if !is_directory(&place) {
                let path = String::from_utf8_lossy(path);
                error(format!("Search path '{path}' is not a directory."));
            } else if parsed.has("a") {
                let whole = system::canonicalize(&place);
                roots.push(path_of(&whole.unwrap_or(place)));
            } else {
                roots.push(path_of(&place));
            }
        }
        if roots.is_empty() {
            return Err(error("No valid search paths given."));
        }
        Ok(Job {
            parsed,
            base,
            roots,
            named,
        })
    }

    /// A walk below `roots`. `gone` is how many levels lie between the search path and `roots`, which is more than 0
    /// for walks below links; `--max-depth` is shortened by it.
    ///
    /// Sources of ignore rules, each with the options that switch it off: `.ignore` and `.fdignore` (`-I`, `-u`),
    /// `.gitignore`, git's exclude file and global excludes (also `--no-ignore-vcs`), those of parent directories (also
    /// `--no-ignore-parent`), `~/.config/fd/ignore`. Files of `--ignore-file` hold in any case. `-E` globs are
    /// overrides that exclude.
    fn walker(&self, roots: &[PathBuf], gone: usize) -> Result<WalkBuilder, i32> {
        let parsed = self.parsed;
        let mut walker = WalkBuilder::new(&roots[0]);
        for root in &roots[1..] {
            walker.add(root);
        }
        let all = parsed.has("u");
        let ignores = !all && parsed.last(&["I", "ignore"]) != Some("I");
        let vcs = ignores && parsed.last(&["no-ignore-vcs", "ignore-vcs"]) != Some("no-ignore-vcs");
        let hidden = all || parsed.last(&["H", "no-hidden"]) == Some("H");
        let deepest = number(parsed, "d", "--max-depth <depth>")?;
        let exact = number(parsed, "exact-depth", "--exact-depth <depth>")?;
        let mut overrides = OverrideBuilder::new(&self.roots[0]);
        for (_, glob) in parsed.options.iter().filter(|(key, _)| *key == "E") {
            let glob = format!("!{}", String::from_utf8_lossy(glob));
            let added = overrides.add(&glob);
            added.map_err(|wrong| error(format!("Malformed exclude pattern: {wrong}")))?;
        }
        let overrides = overrides.build();
        let overrides = overrides.map_err(|_| error("Mismatch in exclude patterns"))?;
        walker
            .hidden(!hidden)
            .ignore(ignores)
            .git_ignore(vcs)
            .git_global(vcs)
            .git_exclude(vcs)
            .parents(ignores && !parsed.has("no-ignore-parent"))
            .max_depth(deepest.or(exact).map(|most| most.saturating_sub(gone)))
            .overrides(overrides);
        if ["one-file-system", "xdev", "mount"]
            .iter()
            .any(|key| parsed.has(key))
        {
            let roots: Vec<&[u8]> = self
                .roots
                .iter()
                .map(|root| root.as_os_str().as_encoded_bytes())
                .collect();
            crate::rg::walk::stay(&mut walker, &roots);
        }
        if ignores {
            walker.add_custom_ignore_filename(".fdignore");
            if let Some(home) = std::env::var_os("HOME") {
                let file = Path::new(&home).join(".config/fd/ignore");
                if file.is_file() {
                    // Lines of it that are wrong are as if they were not there.
                    let _ = walker.add_ignore(file);
                }
            }
        }
        for (_, file) in parsed
            .options
            .iter()
            .filter(|(key, _)| *key == "ignore-file")
        {
            if let Some(wrong) = walker.add_ignore(path_of(file)) {
                error(format!("Malformed pattern in custom ignore file. {wrong}."));
            }
        }
        Ok(walker)
    }

    /// Walks, filters and sorts by path. `--max-results 0` means no limit; `-1` and `-q` stop at the first result. With
    /// `--prune` what is below a matching directory is walked but is no result.
    fn find(&self, filter: &Filter) -> Result<Vec<Entry>, i32> {
        let parsed = self.parsed;
        let most = match number(parsed, "max-results", "--max-results <count>")? {
            _ if parsed.has("1") || parsed.has("q") => 1,
            None | Some(0) => usize::MAX,
            Some(most) => most,
        };
        let mut found = Vec::new();
        let mut pruned: Vec<PathBuf> = Vec::new();
        let walker = self.walker(&self.roots, 0)?;
        let follows = parsed.last(&["L", "no-follow"]) == Some("L");
        let make: Make = Box::new(|path: &Path, gone: usize| {
            self.walker(std::slice::from_ref(&path.to_path_buf()), gone)
        });
        let complain = |text: String| {
            if parsed.has("show-errors") {
                error(text);
            }
        };
        for step in Follow::new(&walker, follows.then_some(make)) {
            let entry = match step {
                Step::Entry(entry, depth, end) => Entry {
                    kind: end.unwrap_or_else(|| kind_of(&entry)),
                    depth,
                    path: entry.into_path(),
                },
                // A link that leads nowhere is an entry nevertheless.
                Step::Broken(path, depth) => Entry {
                    path,
                    kind: Kind::Symlink,
                    depth,
                },
                Step::Loop(text) => {
                    complain(text);
                    continue;
                }
                Step::Failed(wrong) => {
                    complain(wrong.to_string());
                    continue;
                }
            };
            let below = |above: &PathBuf| entry.path.starts_with(above);
            if entry.depth == 0 || pruned.iter().any(below) || !filter.matches(&entry) {
                continue;
            }
            if parsed.has("prune") && entry.kind == Kind::Directory {
                pruned.push(entry.path.clone());
            }
            found.push(entry);
            if found.len() >= most {
                break;
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// How a path is written: relative to the base, with `--path-separator` in place of slashes. `bare` leaves out a
    /// leading `./`.
    ///
    /// ```text
    /// base none, path ./a/b    ->  ./a/b   (bare: a/b)
    /// base x,    path x/a      ->  ./a     (without search paths)
    /// ```
    fn shown(&self, path: &Path, bare: bool) -> String {
        let base = self.base.as_ref().map(|base| path_of(base));
        let inner = base.and_then(|base| path.strip_prefix(base).ok().map(Path::to_path_buf));
        let path = match inner {
            Some(inner) if !self.named => Path::new(".").join(inner),
            Some(inner) => inner,
            None => path.to_path_buf(),
        };
        let path = if bare {
            path.strip_prefix("./").unwrap_or(&path)
        } else {
            &path
        };
        let text = path.to_string_lossy().into_owned();
        match self.parsed.value("path-separator") {
            Some(separator) => text.replace('/', &String::from_utf8_lossy(separator)),
            None => text,
        }
    }
}

/// What the walker says an entry is, without a `stat`.
fn kind_of(entry: &ignore::DirEntry) -> Kind {
    match entry.file_type() {
        Some(kind) if kind.is_dir() => Kind::Directory,
        Some(kind) if kind.is_symlink() => Kind::Symlink,
        Some(kind) if kind.is_file() => Kind::Regular,
        _ => Kind::Fifo,
    }
}

/// Parses, walks, then prints or runs. `Err` is a status after its message. `-q` prints nothing and is 1 where nothing
/// was found; otherwise finding nothing is no failure.
fn start(call: &Call) -> Result<i32, i32> {
    let (call, mut actions) = exec::actions(call)?;
    let mut parsed = options::parse(&call, &SYNTAX)?;
    if parsed.has("h") {
        print!("{}", options::help(&SYNTAX));
        return Ok(0);
    }
    if parsed.has("V") {
        print!("{}", crate::model::version(&call.name));
        return Ok(0);
    }
    check(&parsed)?;
    let mut operands = std::mem::take(&mut parsed.operands);
    let text = if operands.is_empty() {
        Vec::new()
    } else {
        operands.remove(0)
    };
    let job = Job::new(&parsed, &operands)?;
    refuse_path(&parsed, &text)?;
    let filter = Filter::new(&parsed, &text)?;
    let color = is_colored(&parsed)?;
    if parsed.has("l") {
        actions.push(exec::list(color));
    }
    let found = job.find(&filter)?;
    if parsed.has("q") {
        return Ok(i32::from(found.is_empty()));
    }
    let plain = actions.is_empty() && !parsed.has("0");
    let bare = !job.named && (plain || parsed.has("strip-cwd-prefix"));
    if actions.is_empty() {
        return Ok(print(&call, &job, &found, bare, color));
    }
    let paths: Vec<Vec<u8>> = found
        .iter()
        .map(|entry| job.shown(&entry.path, bare).into_bytes())
        .collect();
    let size = number(&parsed, "batch-size", "--batch-size <size>")?.unwrap_or(0);
    let size = if size == 0 { usize::MAX } else { size };
    let directory = job.base.as_deref();
    Ok(exec::perform(&call, &actions, &paths, size, directory))
}

/// Refuses a pattern that is an existing directory and has a slash: names have none, so it would never match. What is
/// said is how to search there instead.
fn refuse_path(parsed: &Parsed, text: &[u8]) -> Result<(), i32> {
    if parsed.has("p") || !text.contains(&b'/') || !is_directory(text) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(text);
    Err(error(format!(
        "The search pattern '{text}' contains a path-separation character ('/') and will not lead to any search results.\n\n\
         If you want to search for all files inside the '{text}' directory, use a match-all pattern:\n\n  fd . '{text}'\n\n\
         Instead, if you want your pattern to match the full file path, use:\n\n  fd --full-path '{text}'"
    )))
}

/// Prints the results, each followed by a newline, or NUL with `-0`. Directories end with a slash.
fn print(call: &Call, job: &Job, found: &[Entry], bare: bool, color: bool) -> i32 {
    let colors = color.then(Colors::new);
    let mut out = Output::new();
    let end = if job.parsed.has("0") { 0 } else { b'\n' };
    for entry in found {
        let shown = job.shown(&entry.path, bare);
        let is_directory = entry.kind == Kind::Directory;
        match &colors {
            Some(colors) => colors.put(&mut out, &shown, &entry.path, is_directory),
            None => {
                out.put(&shown);
                if is_directory {
                    out.put("/");
                }
            }
        }
        out.end_line(end);
    }
    out.finish(&call.name, 0, 1)
}
