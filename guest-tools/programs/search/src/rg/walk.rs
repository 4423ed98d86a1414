//! The files to look at: the walk, its ignore rules and globs, and symbolic links. `fd` shares `Follow` and `stay`.
//!
//! The crate `ignore` walks and applies ignore files, in the order of names. Its own following of links is off, since
//! it cannot tell a loop on every system; instead `Follow` begins a walk of its own below each link. Errors of the walk
//! are reported and make the status 2; the walk goes on.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, Match, Walk, WalkBuilder, WalkState};

use super::{fail, number, size};
use crate::call::bytes;
use crate::options::Parsed;
use crate::system::{self, Kind};

/// A path of the command line, which must be valid UTF-8 as WASI's paths are; otherwise status 2.
pub fn path(text: &[u8]) -> Result<PathBuf, i32> {
    let text = std::str::from_utf8(text);
    text.map(PathBuf::from)
        .map_err(|_| fail("a path is not valid UTF-8"))
}

/// Whether links are followed.
fn follows(parsed: &Parsed) -> bool {
    parsed.last(&["L", "no-follow"]) == Some("L")
}

/// The globs of `-g` and `--iglob`. As in ripgrep they outrank ignore files; the last one that matches decides, and `!`
/// excludes.
fn overrides(parsed: &Parsed) -> Result<Override, i32> {
    let mut overrides = OverrideBuilder::new(".");
    for (key, value) in &parsed.options {
        let glob = String::from_utf8_lossy(value);
        if *key == "iglob" || (*key == "g" && parsed.has("glob-case-insensitive")) {
            overrides
                .case_insensitive(true)
                .map_err(|error| fail(error.to_string()))?;
        } else if *key == "g" {
            overrides
                .case_insensitive(false)
                .map_err(|error| fail(error.to_string()))?;
        } else {
            continue;
        }
        overrides
            .add(&glob)
            .map_err(|error| fail(error.to_string()))?;
    }
    overrides.build().map_err(|error| fail(error.to_string()))
}

/// What the globs and types let through, for entries that may be links.
struct Choice {
    overrides: Override,
    types: Types,
}

impl Choice {
    /// Whether an entry is taken, as what it leads to. Types restrict files alone.
    fn takes(&self, path: &Path, is_directory: bool) -> bool {
        let path = path.strip_prefix("./").unwrap_or(path);
        match self.overrides.matched(path, is_directory) {
            Match::Whitelist(_) => true,
            Match::Ignore(_) => false,
            Match::None => is_directory || !self.types.matched(path, false).is_ignore(),
        }
    }
}

/// Which entries a walk that follows links goes on with: links as what they lead to. The walker's own filters would see
/// the link and not its end.
fn judge(
    parsed: &Parsed,
    roots: &[Vec<u8>],
    overrides: Override,
) -> Result<impl Fn(&DirEntry) -> bool + Send + Sync + 'static, i32> {
    let types = types(parsed)?;
    let choice = Choice { overrides, types };
    let devices = parsed.has("one-file-system").then(|| devices(roots));
    Ok(move |entry: &DirEntry| {
        let Ok(stat) = system::stat(entry.path().as_os_str().as_encoded_bytes(), true) else {
            // A link that leads nowhere is an error that is told.
            return true;
        };
        let is_directory = stat.kind == Kind::Directory;
        let away = |devices: &HashSet<u64>| is_directory && !devices.contains(&stat.device);
        let begins = entry.depth() == 0;
        begins || (choice.takes(entry.path(), is_directory) && !devices.as_ref().is_some_and(away))
    })
}

/// The devices of what the walk begins at.
fn devices<P: AsRef<[u8]>>(roots: &[P]) -> HashSet<u64> {
    let stats = roots.iter().map(|root| system::stat(root.as_ref(), true));
    stats.flatten().map(|stat| stat.device).collect()
}

/// Keeps a walk on the filesystems that it starts on (`--one-file-system`).
pub fn stay<P: AsRef<[u8]>>(walker: &mut WalkBuilder, roots: &[P]) {
    let device = |path: &[u8]| system::stat(path, true).map(|stat| stat.device);
    let devices = devices(roots);
    walker.filter_entry(move |entry| {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let path = entry.path().as_os_str().as_encoded_bytes();
        !is_directory || device(path).is_ok_and(|device| devices.contains(&device))
    });
}

/// An error of the walker in ripgrep's words: the file and what is wrong with it, once.
fn message(error: &ignore::Error) -> String {
    let text = error.to_string();
    let Some((path, rest)) = text.split_once(": ") else {
        return text;
    };
    let reason = rest.strip_prefix(&format!("IO error for operation on {path}: "));
    let reason = reason.unwrap_or(rest);
    match error.io_error().map(std::io::Error::kind) {
        // The number is Linux's on every machine.
        Some(std::io::ErrorKind::NotFound) => {
            format!("{path}: No such file or directory (os error 2)")
        }
        _ => format!("{path}: {reason}"),
    }
}

/// The file types: the built-in ones, changed and chosen by the options.
pub fn types(parsed: &Parsed) -> Result<Types, i32> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for (key, value) in &parsed.options {
        let text = String::from_utf8_lossy(value);
        match *key {
            "type-add" => builder
                .add_def(&text)
                .map_err(|error| fail(error.to_string()))?,
            "type-clear" => drop(builder.clear(&text)),
            "t" => drop(builder.select(&text)),
            "T" => drop(builder.negate(&text)),
            _ => {}
        }
    }
    builder.build().map_err(|error| fail(error.to_string()))
}

/// How results are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Path,
    Modified,
    Accessed,
    Created,
}

/// What `--sort` and `--sortr` ask for. Sorting gathers all files first.
struct Sorting {
    order: Order,
    reversed: bool,
}

impl Sorting {
    /// The last of the two options; none where the files come as they are found.
    fn read(parsed: &Parsed) -> Result<Option<Sorting>, i32> {
        let key = parsed.last(&["sort", "sortr"]);
        let order = match key.and_then(|key| parsed.value(key)) {
            None | Some(b"none") => return Ok(None),
            Some(b"path") => Order::Path,
            Some(b"modified") => Order::Modified,
            Some(b"accessed") => Order::Accessed,
            Some(b"created") => Order::Created,
            Some(other) => {
                let name = key.unwrap_or_default();
                let values = "[possible values: accessed, created, modified, none, path]";
                let what = bytes!(
                    "error: '",
                    other,
                    "' isn't a valid value for '--",
                    name,
                    " <SORTBY>'"
                );
                return Err(fail(bytes!(what, "\n\t", values, "\n")));
            }
        };
        let reversed = key == Some("sortr");
        Ok(Some(Sorting { order, reversed }))
    }

    /// Sorts in place; equal times keep the order of the walk, and `--sortr` reverses the whole.
    fn sort(&self, found: &mut [Found]) {
        match self.order {
            Order::Path => found.sort_by(|a, b| a.path.cmp(&b.path)),
            order => found.sort_by_key(|entry| stamp(&entry.path, order)),
        }
        if self.reversed {
            found.reverse();
        }
    }
}

/// A file that was found.
pub struct Found {
    /// As the walk gave it, beginning with the operand.
    pub path: PathBuf,
    /// It was named on the command line.
    pub named: bool,
    /// It is standard input.
    pub is_input: bool,
}

impl Found {
    /// The file of an entry; none where it is not looked into. Named files may be of any kind but directories, others
    /// must be regular. `end` is what a link leads to, if one was followed.
    fn of(entry: DirEntry, named: bool, end: Option<Kind>) -> Option<Found> {
        let is_file = |kind: std::fs::FileType| kind.is_file() || (named && !kind.is_dir());
        let regular = entry.is_stdin()
            || end == Some(Kind::Regular)
            || (end.is_none() && entry.file_type().is_some_and(is_file));
        let is_input = entry.is_stdin();
        regular.then(|| Found {
            path: entry.into_path(),
            named,
            is_input,
        })
    }
}

/// A walk that goes through links itself, depth first. Loops are found by comparing a directory with those above it on
/// its path: O(depth) calls of `stat` for each link to a directory.
pub struct Follow<'a> {
    /// The walks that are under way, the innermost last, each with the depth of the link it began at.
    walks: Vec<(Walk, usize)>,
    /// Gives the walk below a link; without it links are entries like others.
    make: Option<Make<'a>>,
}

/// Gives the walk below a link that lies so many levels below the operand.
pub type Make<'a> = Box<dyn Fn(&Path, usize) -> Result<WalkBuilder, i32> + 'a>;

/// What a walk finds.
pub enum Step {
    /// The entry, its depth below the operand, and what a link that was followed leads to.
    Entry(DirEntry, usize, Option<Kind>),
    /// A link that leads nowhere, and its depth.
    Broken(PathBuf, usize),
    /// A link to a directory that it is in: the message.
    Loop(String),
    /// An error of the walker.
    Failed(ignore::Error),
}

impl<'a> Follow<'a> {
    /// Begins a walk.
    pub fn new(walker: &WalkBuilder, make: Option<Make<'a>>) -> Follow<'a> {
        Follow {
            walks: vec![(walker.build(), 0)],
            make,
        }
    }

    /// Looks through a link, and begins a walk below it where it leads to a directory.
    fn follow(&mut self, entry: DirEntry, depth: usize) -> Step {
        let path = entry.path().to_path_buf();
        let text = path.as_os_str().as_encoded_bytes();
        let Ok(stat) = system::stat(text, true) else {
            return Step::Broken(path, depth);
        };
        if stat.kind == Kind::Directory {
            let is_same = |above: &&Path| {
                let above = above.as_os_str().as_encoded_bytes();
                let above = if above.is_empty() { b"." } else { above };
                system::stat(above, true).is_ok_and(|above| above.is_same(&stat))
            };
            let above = path.ancestors().skip(1).take(depth);
            if let Some(above) = above.into_iter().find(is_same) {
                let (path, above) = (path.display(), above.display());
                return Step::Loop(format!(
                    "File system loop found: {path} points to an ancestor {above}"
                ));
            }
            let inner = self.make.as_ref().and_then(|make| make(&path, depth).ok());
            if let Some(inner) = inner {
                self.walks.push((inner.build(), depth));
            }
        }
        Step::Entry(entry, depth, Some(stat.kind))
    }
}

impl Iterator for Follow<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        loop {
            let inside = self.walks.len() > 1;
            let (walk, base) = self.walks.last_mut()?;
            let base = *base;
            match walk.next() {
                None => {
                    self.walks.pop();
                }
                Some(Err(error)) => return Some(Step::Failed(error)),
                // The link itself was found by the walk that led here.
                Some(Ok(entry)) if inside && entry.depth() == 0 => {}
                Some(Ok(entry)) => {
                    let depth = base + entry.depth();
                    let is_link = entry.file_type().is_some_and(|kind| kind.is_symlink());
                    if is_link && entry.depth() > 0 && self.make.is_some() {
                        return Some(self.follow(entry, depth));
                    }
                    return Some(Step::Entry(entry, depth, None));
                }
            }
        }
    }
}

/// Calls `each` with the files below `paths` until it says to stop. Gives whether something could not be read, which
/// has been reported unless `--no-messages` is set.
pub fn files(
    parsed: &Parsed,
    paths: &[Vec<u8>],
    mut each: impl FnMut(Found) -> WalkState,
) -> Result<bool, i32> {
    let Some(mut walker) = builder(paths)? else {
        return Ok(false);
    };
    configure(parsed, &mut walker, paths, 0)?;
    let sorting = Sorting::read(parsed)?;
    let speaks = !parsed.has("no-messages");
    let make: Make = Box::new(|path: &Path, gone: usize| {
        let mut walker = WalkBuilder::new(path);
        configure(parsed, &mut walker, paths, gone)?;
        Ok(walker)
    });
    let mut failed = false;
    let mut found = Vec::new();
    let mut report = |text: String| {
        failed = true;
        if speaks {
            fail(text);
        }
    };
    for step in Follow::new(&walker, follows(parsed).then_some(make)) {
        let (entry, depth, end) = match step {
            Step::Entry(entry, depth, end) => (entry, depth, end),
            Step::Failed(error) => {
                report(message(&error));
                continue;
            }
            Step::Broken(path, _) => {
                let what = "No such file or directory (os error 2)";
                report(format!("{}: {what}", path.display()));
                continue;
            }
            Step::Loop(text) => {
                report(text);
                continue;
            }
        };
        if let Some(error) = entry.error()
            && speaks
            && !parsed.has("no-ignore-messages")
        {
            fail(message(error));
        }
        let Some(entry) = Found::of(entry, depth == 0, end) else {
            continue;
        };
        if sorting.is_some() {
            found.push(entry);
        } else if each(entry) == WalkState::Quit {
            return Ok(failed);
        }
    }
    if let Some(sorting) = sorting {
        sorting.sort(&mut found);
        for entry in found {
            if each(entry) == WalkState::Quit {
                break;
            }
        }
    }
    Ok(failed)
}

/// A walk that begins at all of the paths; none where there are none.
fn builder(paths: &[Vec<u8>]) -> Result<Option<WalkBuilder>, i32> {
    let mut walker: Option<WalkBuilder> = None;
    for text in paths {
        let path = path(text)?;
        match &mut walker {
            None => walker = Some(WalkBuilder::new(path)),
            Some(walker) => drop(walker.add(path)),
        }
    }
    Ok(walker)
}

/// Adds git's global excludes (`core.excludesFile`): the walker asks the system for a home, which WASI has none of. As
/// with the original they hold in repositories alone, or with `--no-require-git` (`anywhere`).
fn global_excludes(walker: &mut WalkBuilder, paths: &[Vec<u8>], anywhere: bool) {
    let home = crate::system::variable("HOME");
    let Some(home) = home else {
        return;
    };
    let in_repository = |path: &Vec<u8>| {
        let found = system::canonicalize(path).unwrap_or_default();
        let above = std::path::Path::new(std::str::from_utf8(&found).unwrap_or_default());
        above.ancestors().any(|folder| folder.join(".git").exists())
    };
    if !anywhere && !paths.iter().any(in_repository) {
        return;
    }
    let Some(excludes) = offshoot_git::global_excludes(&home) else {
        return;
    };
    if let Ok(file) = std::str::from_utf8(&excludes) {
        // A file that is not there excludes nothing.
        let _ = walker.add_ignore(file);
    }
}

/// Sets up a walk as the options say. `gone` is how many levels lie above where it begins. `-u` switches ignore files
/// off, `-uu` also shows hidden files.
fn configure(
    parsed: &Parsed,
    walker: &mut WalkBuilder,
    paths: &[Vec<u8>],
    gone: usize,
) -> Result<(), i32> {
    let level = parsed.options.iter().filter(|(key, _)| *key == "u").count();
    let all = parsed.has("no-ignore") || level >= 1;
    let (dot, vcs) = (
        !all && !parsed.has("no-ignore-dot"),
        !all && !parsed.has("no-ignore-vcs"),
    );
    let overrides = overrides(parsed)?;
    let largest = match parsed.value("max-filesize") {
        None => None,
        Some(text) => Some(size(text)?),
    };
    let deepest = number(parsed, "d", "max-depth")?;
    walker
        .hidden(!(parsed.last(&[".", "no-hidden"]) == Some(".") || level >= 2))
        .max_depth(deepest.map(|deepest: usize| deepest.saturating_sub(gone)))
        .max_filesize(largest)
        .ignore(dot)
        .parents(!all && !parsed.has("no-ignore-parent"))
        .git_ignore(vcs)
        .git_global(vcs && !parsed.has("no-ignore-global"))
        .git_exclude(vcs && !parsed.has("no-ignore-exclude"))
        .require_git(!parsed.has("no-require-git"))
        .ignore_case_insensitive(parsed.has("ignore-file-case-insensitive"));
    if follows(parsed) {
        // What a link leads to is judged, not the link.
        walker.filter_entry(judge(parsed, paths, overrides)?);
    } else {
        walker.types(types(parsed)?).overrides(overrides);
        if parsed.has("one-file-system") {
            stay(walker, paths);
        }
    }
    if !all {
        walker.add_custom_ignore_filename(".rgignore");
    }
    let speaks = !parsed.has("no-messages");
    if vcs && !parsed.has("no-ignore-global") && cfg!(target_os = "wasi") {
        global_excludes(walker, paths, parsed.has("no-require-git"));
    }
    if !parsed.has("no-ignore-files") && !all {
        for (_, file) in parsed
            .options
            .iter()
            .filter(|(key, _)| *key == "ignore-file")
        {
            if let Some(error) = walker.add_ignore(path(file)?)
                && speaks
                && gone == 0
                && !parsed.has("no-ignore-messages")
            {
                fail(message(&error));
            }
        }
    }
    // The directory's own order means nothing: names give every run the same.
    walker.sort_by_file_name(std::cmp::Ord::cmp);
    Ok(())
}

/// The time that results are sorted by; none, which comes first, where it cannot be had.
fn stamp(path: &Path, order: Order) -> Option<SystemTime> {
    let stat = path.metadata().ok()?;
    match order {
        Order::Accessed => stat.accessed().ok(),
        Order::Created => stat.created().ok(),
        Order::Modified | Order::Path => stat.modified().ok(),
    }
}
