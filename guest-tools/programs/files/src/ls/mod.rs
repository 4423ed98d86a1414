//! `ls`, `dir` and `vdir` of coreutils 9.1. `settings` reads the options, this module gathers and sorts names, `print`
//! makes lines of them, `columns` lays these out, `colors` knows `LS_COLORS`.
//!
//! Names are compared by bytes, as in the locale C. A directory's names come sorted by that; its `stat`s are asked for
//! only where output or order needs them (`Settings::needs_stat`). Listing n names costs O(n log n), columns O(n ×
//! columns).
//!
//! The status is 1 where something below an operand cannot be read, 2 where an operand cannot.

mod colors;
mod columns;
mod print;
mod settings;

use std::cmp::Ordering;

use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure, Kind, Stat, Time};
use settings::{Hidden, Settings, Sort, Stamp};

/// One name to list.
pub(super) struct Item {
    /// As it is shown: an operand as given, an entry without its directory.
    pub name: Vec<u8>,
    pub kind: Kind,
    /// None where the listing does not need it, or where it cannot be had.
    pub stat: Option<Stat>,
    pub target: Option<Target>,
}

/// What a symbolic link points to.
pub(super) struct Target {
    /// The content of the link.
    pub text: Vec<u8>,
    /// What is there; none for a dangling link.
    pub stat: Option<Stat>,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match Settings::read(call) {
        Ok((settings, operands)) => List {
            call,
            settings: &settings,
            status: 0,
        }
        .run(operands),
        Err(status) => status,
    }
}

/// The state of a run.
struct List<'a> {
    call: &'a Call,
    settings: &'a Settings,
    status: i32,
}

impl List<'_> {
    /// Lists operands that are no directories, then each directory, with `-R` followed by those below it. Titles are
    /// shown where there are several operands or with `-R`.
    fn run(mut self, mut operands: Vec<Vec<u8>>) -> i32 {
        let mut out = Output::new();
        if operands.is_empty() {
            // A directory that was removed while somebody stood in it is empty.
            if system::stat(b".", true).is_err_and(|failure| failure == system::NO_ENTRY) {
                return 0;
            }
            operands.push(b".".to_vec());
        }
        let several = operands.len() > 1;
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        for operand in operands {
            match self.operand(operand) {
                Some(item) if item.kind == Kind::Directory && !self.settings.directory => {
                    directories.push(item);
                }
                Some(item) => files.push(item),
                None => {}
            }
        }
        self.sort(&mut files);
        self.sort(&mut directories);
        let mut printer = print::Printer::new(self.settings);
        printer.items(&files, &mut out);
        let titled = several || self.settings.recursive;
        let mut pending: Vec<Vec<u8>> = directories
            .into_iter()
            .rev()
            .map(|item| item.name)
            .collect();
        let mut first = files.is_empty();
        let mut top = pending.len();
        while let Some(path) = pending.pop() {
            let named = pending.len() < top;
            top = top.min(pending.len());
            let Some(items) = self.read(&path, named) else {
                continue;
            };
            if titled {
                if !first {
                    out.put(b"\n");
                }
                printer.title(&path, &mut out);
            }
            first = false;
            printer.total(&items, &mut out);
            printer.items(&items, &mut out);
            if self.settings.recursive {
                let below = items.iter().rev().filter(|item| is_below(item));
                pending.extend(below.map(|item| system::join(&path, &item.name)));
            }
            if out.is_broken() {
                break;
            }
        }
        out.finish(&self.call.name, self.status, 2)
    }

    /// Reports what cannot be done with a path. The status only rises.
    fn complain(&mut self, status: i32, what: &str, path: &[u8], failure: Failure) {
        self.call.fail(
            0,
            bytes!("cannot ", what, " ", quote::message(path), ": ", failure),
        );
        self.status = self.status.max(status);
    }

    /// An operand; symbolic links to directories are followed where the format is not long.
    fn operand(&mut self, path: Vec<u8>) -> Option<Item> {
        let settings = self.settings;
        let follow_directory = !settings.long && !settings.classify && !settings.directory;
        let follow = settings.dereference || settings.dereference_operands;
        let found = system::stat(&path, follow).or_else(|failure| {
            let lenient = follow && !settings.dereference;
            if lenient {
                system::stat(&path, false)
            } else {
                Err(failure)
            }
        });
        let mut stat = match found {
            Ok(stat) => stat,
            Err(failure) => {
                self.complain(2, "access", &path, failure);
                return None;
            }
        };
        if stat.kind == Kind::Symlink
            && (follow_directory || settings.dereference_directories)
            && let Ok(followed) = system::stat(&path, true)
            && followed.kind == Kind::Directory
        {
            stat = followed;
        }
        Some(self.item(path.clone(), &path, stat.kind, Some(stat)))
    }

    /// An item of a name; links get their targets where these are shown or sorted by.
    fn item(&self, name: Vec<u8>, path: &[u8], kind: Kind, stat: Option<Stat>) -> Item {
        let wanted = kind == Kind::Symlink && self.settings.needs_targets();
        let target = wanted.then(|| Target {
            text: system::read_link(path).unwrap_or_default(),
            stat: system::stat(path, true).ok(),
        });
        Item {
            name,
            kind,
            stat,
            target,
        }
    }

    /// The items of a directory, sorted; none after a message. `named` is an operand, for the status.
    fn read(&mut self, path: &[u8], named: bool) -> Option<Vec<Item>> {
        let entries = match system::read_directory(path) {
            Ok(entries) => entries,
            Err(failure) => {
                self.complain(if named { 2 } else { 1 }, "open directory", path, failure);
                return None;
            }
        };
        let mut items = Vec::with_capacity(entries.len() + 2);
        if self.settings.hidden == Hidden::All {
            for name in [b".".as_slice(), b".."] {
                let stat = system::stat(&system::join(path, name), true).ok();
                items.push(Item {
                    name: name.to_vec(),
                    kind: Kind::Directory,
                    stat,
                    target: None,
                });
            }
        }
        for entry in entries {
            if self.is_hidden(&entry.name) {
                continue;
            }
            let whole = system::join(path, &entry.name);
            let mut kind = entry.kind;
            let mut stat = None;
            if self.settings.needs_stat() {
                match system::stat(&whole, self.settings.dereference) {
                    Ok(found) => {
                        kind = found.kind;
                        stat = Some(found);
                    }
                    Err(failure) => self.complain(1, "access", &whole, failure),
                }
            }
            items.push(self.item(entry.name, &whole, kind, stat));
        }
        self.sort(&mut items);
        Some(items)
    }

    /// Whether an entry is left out: names with a dot and those of `--hide`, unless `-a` or `-A` is given; and those of
    /// `-I` and `-B`.
    fn is_hidden(&self, name: &[u8]) -> bool {
        let matched = |globs: &[Glob]| globs.iter().any(|glob| glob.matches(name));
        let shown = self.settings.hidden != Hidden::Dots;
        (!shown && (name.first() == Some(&b'.') || matched(&self.settings.hide)))
            || matched(&self.settings.ignore)
    }

    /// Sorts by the option's key and then by name, newest and largest first. Directories (and links to them) come
    /// before files with `--group-directories-first`, which `-r` does not turn around.
    fn sort(&self, items: &mut [Item]) {
        let settings = self.settings;
        let stamp = |item: &Item| {
            item.stat
                .as_ref()
                .map_or(Time::default(), |stat| settings.time_of(stat))
        };
        let size = |item: &Item| item.stat.as_ref().map_or(0, |stat| stat.size);
        let by_name = |a: &Item, b: &Item| a.name.cmp(&b.name);
        let compare = |a: &Item, b: &Item| match settings.sort {
            Sort::None => Ordering::Equal,
            Sort::Name => by_name(a, b),
            Sort::Time => stamp(b).cmp(&stamp(a)).then_with(|| by_name(a, b)),
            Sort::Size => size(b).cmp(&size(a)).then_with(|| by_name(a, b)),
            Sort::Extension => extension(&a.name)
                .cmp(extension(&b.name))
                .then_with(|| by_name(a, b)),
            Sort::Version => crate::version::compare(&a.name, &b.name).then_with(|| by_name(a, b)),
            Sort::Width => print::width(&a.name)
                .cmp(&print::width(&b.name))
                .then_with(|| by_name(a, b)),
        };
        let is_directory = |item: &Item| {
            let target = item.target.as_ref().and_then(|target| target.stat.as_ref());
            target.map_or(item.kind, |stat| stat.kind) == Kind::Directory
        };
        items.sort_by(|a, b| {
            let first = is_directory(b).cmp(&is_directory(a));
            let first = if settings.directories_first {
                first
            } else {
                Ordering::Equal
            };
            let order = if settings.reverse {
                compare(b, a)
            } else {
                compare(a, b)
            };
            first.then(order)
        });
    }
}

/// Whether `-R` goes on there.
fn is_below(item: &Item) -> bool {
    item.kind == Kind::Directory && item.name != b"." && item.name != b".."
}

/// From the last dot to the end; empty without one.
fn extension(name: &[u8]) -> &[u8] {
    name.iter()
        .rposition(|&byte| byte == b'.')
        .map_or(b"", |dot| &name[dot..])
}

impl Settings {
    /// The time that is shown and sorted by.
    fn time_of(&self, stat: &Stat) -> Time {
        match self.stamp {
            Stamp::Modified => stat.modified,
            Stamp::Accessed => stat.accessed,
            Stamp::Changed => stat.changed,
            Stamp::Created => stat.created,
        }
    }
}
