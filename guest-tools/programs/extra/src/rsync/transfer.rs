//! The copying itself.

mod change;
mod deletion;
mod entry;
mod path;
mod report;

use super::{Delete, Settings, number_of};
use crate::call::{Call, bytes};
use crate::output::Output;
use crate::system;
use crate::system::{Kind, Stat};
use path::{absolute, base_name, below, make_all, trim_slash};
use report::grouped;

/// How deep directories may be nested.
const MAX_DEPTH: usize = 1_000;

/// What was done, for the summary.
#[derive(Default)]
struct Counts {
    files: u64,
    directories: u64,
    links: u64,
    specials: u64,
    created: [u64; 4],
    deleted: u64,
    transferred: u64,
    total_size: u64,
    copied_size: u64,
}

/// What is at the place where a directory goes.
enum Occupant {
    Nothing,
    Directory(Stat),
    /// Something else, which could not be removed.
    Other,
}

/// One run.
pub struct Transfer<'a> {
    call: &'a Call,
    settings: &'a Settings,
    out: Output,
    counts: Counts,
    status: i32,
    /// The directory that things are copied into was made by this run.
    made_target: bool,
}

impl<'a> Transfer<'a> {
    /// A run that has not begun.
    pub fn new(call: &'a Call, settings: &'a Settings) -> Transfer<'a> {
        Transfer {
            call,
            settings,
            out: Output::new(),
            counts: Counts::default(),
            status: 0,
            made_target: false,
        }
    }

    fn fail(&mut self, message: impl AsRef<[u8]>) {
        self.out.flush();
        self.call.fail(23, message);
        self.status = 23;
    }

    fn say(&mut self, text: impl AsRef<[u8]>) {
        if self.settings.verbose || self.settings.itemize {
            self.out.line(text);
        }
    }

    /// Copies all sources; gives the status.
    pub fn run(mut self, sources: &[Vec<u8>], target: &[u8]) -> i32 {
        let settings = self.settings;
        let whole = settings.delete && settings.when != Delete::During;
        if settings.verbose && settings.recursive {
            let head = if whole {
                "building file list ... done"
            } else {
                "sending incremental file list"
            };
            self.out.line(head);
        }
        let slash = target.ends_with(b"/");
        let target = trim_slash(target);
        let existing = system::stat(target, true).ok();
        let is_directory = existing
            .as_ref()
            .is_some_and(|stat| stat.kind == Kind::Directory);
        let one_file = sources.len() == 1
            && !slash
            && system::stat(trim_slash(&sources[0]), self.settings.follow)
                .is_ok_and(|stat| stat.kind != Kind::Directory);
        if !is_directory && !one_file {
            if existing.is_some() {
                self.fail(bytes!(
                    "ERROR: destination must be a directory when copying more than 1 file"
                ));
                return 3;
            }
            let any = sources.iter().any(|source| {
                let stat = system::stat(trim_slash(source), false);
                stat.is_ok_and(|stat| stat.kind != Kind::Directory || self.settings.recursive)
            });
            if any && let Err(failure) = self.make_target(target) {
                let why = bytes!(failure, number_of(&failure));
                self.fail(bytes!("mkdir \"", absolute(target), "\" failed: ", why));
                return 11;
            }
        } else if !is_directory && settings.make_path && !settings.dry {
            let parent = target.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
            if let Err(failure) = make_all(&target[..parent]) {
                let why = bytes!(failure, number_of(&failure));
                self.fail(bytes!("mkdir \"", absolute(target), "\" failed: ", why));
                return 11;
            }
        }
        if settings.delete && settings.when == Delete::Before {
            self.sweep(sources, target);
        }
        for source in sources {
            self.source(source, target, !is_directory && one_file);
        }
        if settings.delete && settings.when == Delete::After {
            self.sweep(sources, target);
        }
        self.finish()
    }

    fn make_target(&mut self, target: &[u8]) -> system::Result<()> {
        let missing = |path: &[u8]| system::stat(path, true).is_err();
        let parts = target.iter().enumerate();
        let ends = parts.filter(|(at, byte)| **byte == b'/' && *at > 0);
        let above = ends.filter(|(at, _)| missing(&target[..*at])).count();
        let settings = self.settings;
        if (settings.verbose || settings.itemize) && !settings.make_path {
            self.out.line(bytes!("created directory ", target));
        } else if settings.verbose || settings.itemize {
            let count = above + 1;
            let many = if count == 1 {
                "directory"
            } else {
                "directories"
            };
            self.out
                .line(bytes!(format!("created {count} {many} for "), target));
        }
        self.made_target = !settings.make_path;
        if settings.dry {
            return Ok(());
        }
        self.counts.created[1] += 1;
        if settings.make_path {
            return make_all(target);
        }
        system::make_directory(target, 0o777 & !system::umask())
    }

    fn source(&mut self, source: &[u8], target: &[u8], rename: bool) {
        let bare = trim_slash(source);
        let contents = source.ends_with(b"/") || matches!(base_name(bare), b"." | b"..");
        let stat = match system::stat(bare, self.settings.follow || source.ends_with(b"/")) {
            Ok(stat) => stat,
            Err(failure) => {
                let path = absolute(bare);
                return self.fail(bytes!(
                    "[sender] link_stat \"",
                    path,
                    "\" failed: ",
                    failure,
                    number_of(&failure)
                ));
            }
        };
        let name = base_name(bare).to_vec();
        if stat.kind != Kind::Directory {
            let place = if rename {
                target.to_vec()
            } else {
                system::join(target, &name)
            };
            if !self.settings.filter.excludes(&name, false) {
                self.entry(bare, &place, &name, &stat, 0);
            }
        } else if !self.settings.recursive {
            if !self.settings.quiet {
                let shown = if contents { b".".as_slice() } else { &name };
                self.out.line(bytes!("skipping directory ", shown));
            }
        } else if contents {
            self.directory(bare, target, b"", &stat, 0);
        } else if !self.settings.filter.excludes(&name, true) {
            let place = system::join(target, &name);
            self.directory(bare, &place, &name, &stat, 0);
        }
    }

    /// Copies one file, link or directory.
    fn entry(&mut self, source: &[u8], target: &[u8], shown: &[u8], stat: &Stat, depth: usize) {
        match stat.kind {
            Kind::Directory => self.directory(source, target, shown, stat, depth),
            Kind::Symlink if self.settings.links => self.link(source, target, shown, stat),
            Kind::Regular => self.file(source, target, shown, stat),
            Kind::Fifo if self.settings.specials => self.special(target, shown, stat),
            _ if depth > 0 => {}
            _ => self.skip(shown),
        }
    }

    fn skip(&mut self, shown: &[u8]) {
        if self.settings.quiet {
            return;
        }
        self.out
            .line(bytes!("skipping non-regular file \"", shown, "\""));
    }

    fn directory(&mut self, source: &[u8], target: &[u8], shown: &[u8], stat: &Stat, depth: usize) {
        if depth > MAX_DEPTH {
            return self.fail(bytes!(source, ": nested too deep"));
        }
        let mut entries = match self.list(source, shown) {
            Ok(entries) => entries,
            Err(failure) => {
                return self.fail(bytes!(
                    "opendir \"",
                    absolute(source),
                    "\" failed: ",
                    failure
                ));
            }
        };
        self.skip_others(target, shown, &entries);
        entries.sort_by(|a, b| {
            let key = |(name, stat): &(Vec<u8>, Stat)| (stat.kind == Kind::Directory, name.clone());
            key(a).cmp(&key(b))
        });
        if self.settings.prune && depth > 0 && !self.has_files(source, shown, &entries, depth) {
            return;
        }
        self.counts.directories += 1;
        let existing = match self.occupant(target, depth) {
            Occupant::Nothing => None,
            Occupant::Directory(stat) => Some(stat),
            Occupant::Other => return,
        };
        if existing.is_none() && self.settings.existing {
            return;
        }
        let made = self.made_target && shown.is_empty();
        let known = existing.as_ref().filter(|_| !made);
        let change = self.change(stat, known);
        let label = if shown.is_empty() {
            b"./".to_vec()
        } else {
            bytes!(shown, "/")
        };
        if self.settings.delete && self.settings.when == Delete::During && existing.is_some() {
            self.delete_extra(target, shown, &entries);
        }
        if change.any() {
            self.report(&change, b'd', &label, known.is_none());
        }
        if existing.is_none() && !self.make_directory(target, stat) {
            return;
        }
        for (name, stat) in &entries {
            let path = below(shown, name);
            self.entry(
                &system::join(source, name),
                &system::join(target, name),
                &path,
                stat,
                depth + 1,
            );
            if self.out.is_broken() {
                return;
            }
        }
        if !self.settings.dry {
            self.attributes(
                target,
                stat,
                existing.is_none(),
                self.settings.times && self.settings.directory_times,
            );
        }
    }

    /// Tells of what cannot be copied, before its directory is.
    fn skip_others(&mut self, target: &[u8], shown: &[u8], entries: &[(Vec<u8>, Stat)]) {
        for (name, stat) in entries {
            let link = stat.kind == Kind::Symlink && self.settings.links;
            let special = stat.kind == Kind::Fifo && self.settings.specials;
            let place = system::join(target, name);
            let unseen = self.settings.existing && system::stat(&place, false).is_err();
            let copied = link || special || unseen;
            if !copied && !matches!(stat.kind, Kind::Regular | Kind::Directory) {
                self.skip(&below(shown, name));
            }
        }
    }

    /// Finds what is at the place of a directory, and clears away what is none.
    fn occupant(&mut self, target: &[u8], depth: usize) -> Occupant {
        let Ok(found) = system::stat(target, false) else {
            return Occupant::Nothing;
        };
        if found.kind == Kind::Directory {
            return Occupant::Directory(found);
        }
        // Never into what a link leads to, unless it is the destination itself.
        match system::stat(target, true) {
            Ok(led) if depth == 0 && led.kind == Kind::Directory => Occupant::Directory(led),
            _ if self.replace(target).is_ok() => Occupant::Nothing,
            _ => Occupant::Other,
        }
    }

    /// Makes a directory, if this is no dry run; false where that failed and was reported.
    fn make_directory(&mut self, target: &[u8], stat: &Stat) -> bool {
        self.counts.created[1] += 1;
        if self.settings.dry {
            return true;
        }
        let made = system::make_directory(target, 0o700 | (stat.mode & 0o777));
        if let Err(failure) = &made {
            self.fail(bytes!(
                "recv_generator: mkdir \"",
                absolute(target),
                "\" failed: ",
                failure
            ));
        }
        made.is_ok()
    }

    /// Whether a directory or one in it has anything but directories.
    fn has_files(
        &mut self,
        source: &[u8],
        shown: &[u8],
        entries: &[(Vec<u8>, Stat)],
        depth: usize,
    ) -> bool {
        entries.iter().any(|(name, stat)| {
            if stat.kind != Kind::Directory || depth > MAX_DEPTH {
                return true;
            }
            let (source, shown) = (system::join(source, name), below(shown, name));
            let inside = self.list(&source, &shown).unwrap_or_default();
            self.has_files(&source, &shown, &inside, depth + 1)
        })
    }
}

impl Settings {
    /// A number as the options ask for it.
    pub fn number(&self, value: u64) -> String {
        let base = match self.numbers {
            0 => return value.to_string(),
            1 => return grouped(value),
            2 => 1000.0,
            _ => 1024.0,
        };
        let mut scaled = value as f64;
        let mut unit = 0;
        while scaled >= base && unit < 5 {
            scaled /= base;
            unit += 1;
        }
        match unit {
            0 => value.to_string(),
            _ => format!("{scaled:.2}{}", ["", "K", "M", "G", "T", "P"][unit]),
        }
    }
}
