//! The copying itself: sources are walked depth first, and each entry is compared, reported and copied in turn.
//!
//! Within a directory files come before directories, each sorted by the bytes of their names, which is the order of
//! rsync's file list. So the report is in the same order as rsync's, whatever `readdir` says. The walk calls itself
//! once for each level, up to `MAX_DEPTH`.
//!
//! | sources and destination | result |
//! |---|---|
//! | `a b` (`a` a directory) | `b/a/…` |
//! | `a/ b` | `b/…`: the contents alone |
//! | `f b` (`f` a file, `b` no directory) | the file `b` |
//! | `f g b` | `b/f`, `b/g`; `b` is made |
//!
//! Exit statuses are rsync's: 0; 3 where the destination is not a directory and should be; 11 where it cannot be made,
//! or standard output fails; 23 where some entries could not be copied, and the others were.

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

/// How deep directories may be nested: deeper ones are reported and left out, so that the stack of a guest suffices.
const MAX_DEPTH: usize = 1_000;

/// What was found and done, for `--stats` and the summary.
#[derive(Default)]
struct Counts {
    /// Regular files among the sources, within the bounds of size.
    files: u64,
    /// Directories that were visited.
    directories: u64,
    /// Symbolic links.
    links: u64,
    /// Named pipes.
    specials: u64,
    /// What was made anew: files, directories, links, named pipes.
    created: [u64; 4],
    /// What was removed from the receiver.
    deleted: u64,
    /// Files whose content was copied.
    transferred: u64,
    /// Bytes of all files, and of the targets of links.
    total_size: u64,
    /// Bytes of the files whose content was copied.
    copied_size: u64,
}

/// What is at the place where a directory goes.
enum Occupant {
    /// There is nothing, or it was cleared away.
    Nothing,
    /// A directory, which is used.
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
    /// The exit status so far: 0 or 23.
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

    /// Reports an entry that could not be copied; the run goes on and ends with status 23.
    fn fail(&mut self, message: impl AsRef<[u8]>) {
        self.out.flush();
        self.call.fail(23, message);
        self.status = 23;
    }

    /// Prints a line with `-v` or `-i`.
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

    /// Makes the directory of the destination: its parent has to exist, unless `--mkpath` is given.
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

    /// Copies one source of the command line. With `rename` the destination is the new name and not the directory.
    ///
    /// A trailing slash, `.` and `..` mean the contents of the directory.
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

    /// Copies one file, link or directory. `shown` is its path from the top of what is copied, which reports and
    /// filters use.
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

    /// Reports what is neither copied nor asked for.
    fn skip(&mut self, shown: &[u8]) {
        if self.settings.quiet {
            return;
        }
        self.out
            .line(bytes!("skipping non-regular file \"", shown, "\""));
    }

    /// Copies a directory with its contents. Its attributes are set last, since what is written into it changes its
    /// times.
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
