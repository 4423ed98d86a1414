//! The copying itself.

use std::io::{Read as _, Write as _};

use super::{Delete, Settings, number_of};
use crate::call::{Call, bytes};
use crate::output::{CHUNK, Output};
use crate::system::{self, Failure, Kind, Stat, Time};

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

/// What is different at the receiver.
struct Change {
    created: bool,
    content: bool,
    size: bool,
    time: bool,
    perms: bool,
    owner: bool,
    group: bool,
}

impl Change {
    fn any(&self) -> bool {
        self.created || self.content || self.time || self.perms || self.owner || self.group
    }
}

fn same_time(a: Time, b: Time) -> bool {
    a.seconds == b.seconds
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

    /// Removes from the receiver's directories what the sender has not.
    fn sweep(&mut self, sources: &[Vec<u8>], target: &[u8]) {
        for source in sources {
            let bare = trim_slash(source);
            let contents = source.ends_with(b"/") || matches!(base_name(bare), b"." | b"..");
            let is_directory =
                system::stat(bare, true).is_ok_and(|stat| stat.kind == Kind::Directory);
            if is_directory && contents {
                self.sweep_directory(bare, target, b"", 0);
            } else if is_directory {
                let name = base_name(bare).to_vec();
                self.sweep_directory(bare, &system::join(target, &name), &name, 0);
            }
        }
    }

    fn sweep_directory(&mut self, source: &[u8], target: &[u8], shown: &[u8], depth: usize) {
        let is_directory =
            |path: &[u8]| system::stat(path, false).is_ok_and(|stat| stat.kind == Kind::Directory);
        if depth > MAX_DEPTH || !(depth == 0 || is_directory(target)) {
            return;
        }
        let Ok(entries) = self.list(source, shown) else {
            return;
        };
        self.delete_extra(target, shown, &entries);
        for (name, stat) in &entries {
            if stat.kind == Kind::Directory {
                let (source, target) = (system::join(source, name), system::join(target, name));
                self.sweep_directory(&source, &target, &below(shown, name), depth + 1);
            }
        }
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
        // What cannot be copied is named before its directory is.
        for (name, stat) in &entries {
            let link = stat.kind == Kind::Symlink && self.settings.links;
            let special = stat.kind == Kind::Fifo && self.settings.specials;
            let place = system::join(target, name);
            let unseen = self.settings.existing && system::stat(&place, false).is_err();
            let copied = link || special || unseen;
            if !copied && !matches!(stat.kind, Kind::Regular | Kind::Directory) {
                self.skip(&below(shown, name));
            }
        }
        entries.sort_by(|a, b| {
            let key = |(name, stat): &(Vec<u8>, Stat)| (stat.kind == Kind::Directory, name.clone());
            key(a).cmp(&key(b))
        });
        if self.settings.prune && depth > 0 && !self.has_files(source, shown, &entries, depth) {
            return;
        }
        self.counts.directories += 1;
        let mut existing = system::stat(target, false).ok();
        if existing
            .as_ref()
            .is_some_and(|old| old.kind != Kind::Directory)
        {
            // Never into what a link leads to, unless it is the destination itself.
            if depth == 0 && system::stat(target, true).is_ok_and(|old| old.kind == Kind::Directory)
            {
                existing = system::stat(target, true).ok();
            } else if self.replace(target).is_ok() {
                existing = None;
            } else {
                return;
            }
        }
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
        if existing.is_none() {
            self.counts.created[1] += 1;
            if !self.settings.dry
                && let Err(failure) = system::make_directory(target, 0o700 | (stat.mode & 0o777))
            {
                return self.fail(bytes!(
                    "recv_generator: mkdir \"",
                    absolute(target),
                    "\" failed: ",
                    failure
                ));
            }
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

    /// Makes a named pipe like the sender's.
    fn special(&mut self, target: &[u8], shown: &[u8], stat: &Stat) {
        self.counts.specials += 1;
        let old = system::stat(target, false).ok();
        if old.as_ref().is_some_and(|old| old.kind == Kind::Fifo)
            || (old.is_some() && self.settings.ignore_existing)
            || (old.is_none() && self.settings.existing)
        {
            return;
        }
        let mut change = self.change(stat, None);
        change.content = false;
        self.report(&change, b'S', shown, true);
        self.counts.created[3] += 1;
        if self.settings.dry || (old.is_some() && self.replace(target).is_err()) {
            return;
        }
        if let Err(failure) = system::make_fifo(target, stat.mode & 0o777) {
            return self.fail(bytes!("mknod \"", absolute(target), "\" failed: ", failure));
        }
        self.attributes(target, stat, true, self.settings.times);
    }

    /// What of a directory is copied.
    fn list(&mut self, source: &[u8], shown: &[u8]) -> system::Result<Vec<(Vec<u8>, Stat)>> {
        let mut entries = Vec::new();
        for entry in system::read_directory(source)? {
            let path = system::join(source, &entry.name);
            let name = below(shown, &entry.name);
            let stat = match system::stat(&path, self.settings.follow) {
                Ok(stat) => stat,
                Err(failure) => {
                    self.fail(bytes!(
                        "symlink has no referent: \"",
                        absolute(&path),
                        "\": ",
                        failure
                    ));
                    continue;
                }
            };
            if !self
                .settings
                .filter
                .excludes(&name, stat.kind == Kind::Directory)
            {
                entries.push((entry.name, stat));
            }
        }
        Ok(entries)
    }

    fn delete_extra(&mut self, target: &[u8], shown: &[u8], entries: &[(Vec<u8>, Stat)]) {
        let Ok(mut found) = system::read_directory(target) else {
            return;
        };
        found.retain(|entry| !entries.iter().any(|(name, _)| *name == entry.name));
        found.sort_by_key(|entry| (entry.kind == Kind::Directory, entry.name.clone()));
        for entry in found.into_iter().rev() {
            let path = below(shown, &entry.name);
            let directory = entry.kind == Kind::Directory;
            if self.settings.delete_excluded || !self.settings.filter.excludes(&path, directory) {
                self.delete(&system::join(target, &entry.name), &path, directory, 0);
            }
        }
    }

    fn delete(&mut self, target: &[u8], shown: &[u8], directory: bool, depth: usize) {
        if depth > MAX_DEPTH {
            return self.fail(bytes!(target, ": nested too deep"));
        }
        if directory {
            let mut inside = system::read_directory(target).unwrap_or_default();
            inside.sort_by_key(|entry| (entry.kind == Kind::Directory, entry.name.clone()));
            for entry in inside.into_iter().rev() {
                let path = system::join(shown, &entry.name);
                self.delete(
                    &system::join(target, &entry.name),
                    &path,
                    entry.kind == Kind::Directory,
                    depth + 1,
                );
            }
        }
        let label = if directory {
            bytes!(shown, "/")
        } else {
            shown.to_vec()
        };
        if self.settings.itemize {
            self.out.line(bytes!("*deleting   ", label));
        } else if self.settings.verbose {
            self.out.line(bytes!("deleting ", label));
        }
        self.counts.deleted += 1;
        if self.settings.dry {
            return;
        }
        let removed = if directory {
            system::remove_directory(target)
        } else {
            system::unlink(target)
        };
        if let Err(failure) = removed {
            self.fail(bytes!("delete_file: ", label, " failed: ", failure));
        }
    }

    /// Makes place for something of another kind.
    fn replace(&mut self, target: &[u8]) -> Result<(), ()> {
        if self.settings.dry {
            return Ok(());
        }
        let directory = system::stat(target, false).is_ok_and(|stat| stat.kind == Kind::Directory);
        let removed = if directory {
            system::remove_directory(target)
        } else {
            system::unlink(target)
        };
        removed.map_err(|failure| {
            self.fail(bytes!(
                "could not make way for new file: ",
                absolute(target),
                ": ",
                failure
            ));
        })
    }

    fn change(&self, stat: &Stat, old: Option<&Stat>) -> Change {
        let settings = self.settings;
        let Some(old) = old else {
            return Change {
                created: true,
                content: true,
                size: true,
                time: true,
                perms: false,
                owner: false,
                group: false,
            };
        };
        let directory = stat.kind == Kind::Directory;
        Change {
            created: false,
            content: false,
            size: stat.size != old.size && stat.kind == Kind::Regular,
            time: settings.times
                && (!directory || settings.directory_times)
                && !same_time(stat.modified, old.modified),
            perms: settings.perms && stat.mode & 0o7777 != old.mode & 0o7777,
            owner: settings.owner && stat.uid != old.uid,
            group: settings.group && stat.gid != old.gid,
        }
    }

    fn link(&mut self, source: &[u8], target: &[u8], shown: &[u8], stat: &Stat) {
        self.counts.links += 1;
        let to = match system::read_link(source) {
            Ok(to) => to,
            Err(failure) => {
                return self.fail(bytes!(
                    "readlink \"",
                    absolute(source),
                    "\" failed: ",
                    failure
                ));
            }
        };
        self.counts.total_size += to.len() as u64;
        let old = system::stat(target, false).ok();
        let same = old.as_ref().is_some_and(|old| old.kind == Kind::Symlink)
            && system::read_link(target).is_ok_and(|old| old == to);
        if same {
            return self.link_time(target, &bytes!(shown, " -> ", to), stat, old.as_ref());
        }
        if (old.is_some() && self.settings.ignore_existing)
            || (old.is_none() && self.settings.existing)
        {
            return;
        }
        let mut change = self.change(stat, old.as_ref());
        change.content = true;
        let label = bytes!(shown, " -> ", to);
        self.report(&change, b'L', &label, old.is_none());
        if old.is_none() {
            self.counts.created[2] += 1;
        }
        if self.settings.dry || (old.is_some() && self.replace(target).is_err()) {
            return;
        }
        if let Err(failure) = system::symlink(&to, target) {
            self.fail(bytes!(
                "symlink \"",
                absolute(target),
                "\" -> \"",
                to,
                "\" failed: ",
                failure
            ));
        } else if self.settings.times {
            // A link whose time cannot be set is there nevertheless.
            let _ = system::set_times(target, stat.modified, stat.modified, false);
        }
    }

    /// Gives a link that is the same the sender's time.
    fn link_time(&mut self, target: &[u8], label: &[u8], stat: &Stat, old: Option<&Stat>) {
        let change = self.change(stat, old);
        if self.settings.ignore_existing || !change.time {
            return;
        }
        self.report(&change, b'L', label, false);
        if !self.settings.dry {
            // A link whose time cannot be set is there nevertheless.
            let _ = system::set_times(target, stat.modified, stat.modified, false);
        }
    }

    fn file(&mut self, source: &[u8], target: &[u8], shown: &[u8], stat: &Stat) {
        let settings = self.settings;
        if !(settings.sizes.0..=settings.sizes.1).contains(&stat.size) {
            return;
        }
        self.counts.files += 1;
        self.counts.total_size += stat.size;
        let old = system::stat(target, false).ok();
        if (old.is_none() && settings.existing) || (old.is_some() && settings.ignore_existing) {
            return;
        }
        let regular = old.as_ref().filter(|old| old.kind == Kind::Regular);
        if settings.update
            && regular.is_some_and(|old| old.modified.seconds > stat.modified.seconds)
        {
            return;
        }
        let mut change = self.change(stat, regular);
        change.content = match regular {
            None => true,
            Some(old) if settings.checksum => {
                stat.size != old.size || !same_content(source, target)
            }
            Some(old) if settings.size_only => stat.size != old.size,
            Some(old) => {
                settings.ignore_times
                    || stat.size != old.size
                    || !same_time(stat.modified, old.modified)
            }
        };
        if change.any() {
            self.report(&change, b'f', shown, regular.is_none());
        }
        if regular.is_none() {
            self.counts.created[0] += 1;
        }
        if change.content {
            self.counts.transferred += 1;
            self.counts.copied_size += stat.size;
        }
        if settings.dry {
            return;
        }
        if change.content {
            if old.is_some() && regular.is_none() && self.replace(target).is_err() {
                return;
            }
            if let Err(failure) = self.copy(source, target) {
                return self.fail(bytes!("copy \"", absolute(source), "\" failed: ", failure));
            }
            if let (Some(old), false) = (regular, settings.perms) {
                let _ = system::set_mode(target, old.mode & 0o7777);
            }
        }
        if change.any() {
            self.attributes(target, stat, regular.is_none(), settings.times);
        }
        if settings.remove_sources && system::unlink(source).is_err() {
            self.fail(bytes!("sender failed to remove ", shown));
        }
    }

    /// Writes a new file beside the old one and puts it in its place.
    fn copy(&self, source: &[u8], target: &[u8]) -> system::Result<()> {
        if self.settings.inplace {
            let mut reader = system::open_file(source)?;
            let mut writer = system::create_file(target, false)?;
            std::io::copy(&mut reader, &mut writer)?;
            return Ok(());
        }
        let at = target
            .iter()
            .rposition(|&byte| byte == b'/')
            .map_or(0, |at| at + 1);
        let temporary = bytes!(target[..at], ".", target[at..], ".rsync");
        // What is left of a run that was killed; a link there must not be followed.
        let _ = system::unlink(&temporary);
        let mut reader = system::open_file(source)?;
        let mut writer = system::create_file(&temporary, false)?;
        let mut buffer = vec![0; CHUNK];
        loop {
            let count = reader.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            if let Err(error) = writer.write_all(&buffer[..count]) {
                drop(writer);
                let _ = system::unlink(&temporary);
                return Err(Failure::from(error));
            }
        }
        drop(writer);
        system::rename(&temporary, target)
    }

    fn attributes(&mut self, target: &[u8], stat: &Stat, new: bool, times: bool) {
        let settings = self.settings;
        if settings.owner || settings.group {
            let uid = settings.owner.then_some(stat.uid);
            let gid = settings.group.then_some(stat.gid);
            // Only a privileged user can give files away; rsync does not complain either.
            let _ = system::set_owner(target, uid, gid, false);
        }
        let mode = if settings.perms {
            stat.mode & 0o7777
        } else {
            stat.mode & 0o777 & !system::umask()
        };
        if (settings.perms || new)
            && let Err(failure) = system::set_mode(target, mode)
        {
            self.fail(bytes!(
                "failed to set permissions on \"",
                absolute(target),
                "\": ",
                failure
            ));
        }
        if times && let Err(failure) = system::set_times(target, stat.modified, stat.modified, true)
        {
            self.fail(bytes!(
                "failed to set times on \"",
                absolute(target),
                "\": ",
                failure
            ));
        }
    }

    /// Says what changes; `-i` with the eleven letters.
    fn report(&mut self, change: &Change, kind: u8, shown: &[u8], created: bool) {
        if !self.settings.itemize {
            return self.say(shown);
        }
        let first = match (change.content, kind) {
            (true, b'f') => b'>',
            (_, b'd' | b'L' | b'S') if created => b'c',
            (true, b'L') => b'c',
            _ => b'.',
        };
        let flags = if change.created || created {
            "+++++++++".to_owned()
        } else {
            let flag = |set: bool, letter: char| if set { letter } else { '.' };
            let time = if self.settings.times { 't' } else { 'T' };
            [
                flag(
                    self.settings.checksum && change.content && kind == b'f',
                    'c',
                ),
                flag(change.size, 's'),
                flag(
                    change.time || (change.content && !self.settings.times),
                    time,
                ),
                flag(change.perms, 'p'),
                flag(change.owner, 'o'),
                flag(change.group, 'g'),
                '.',
                '.',
                '.',
            ]
            .iter()
            .collect()
        };
        self.out.line(bytes!([first, kind], flags, " ", shown));
    }

    fn finish(mut self) -> i32 {
        let counts = &self.counts;
        let number = |value: u64| self.settings.number(value);
        let all = counts.files + counts.directories + counts.links + counts.specials;
        let moved = counts.copied_size + 64 * all;
        let mut text = String::new();
        if self.settings.stats {
            let kinds = |values: [u64; 4]| {
                let names = ["reg", "dir", "link", "special"];
                let parts: Vec<String> = names
                    .iter()
                    .zip(values)
                    .filter(|(_, value)| *value > 0)
                    .map(|(name, value)| format!("{name}: {}", number(value)))
                    .collect();
                if parts.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", parts.join(", "))
                }
            };
            text = format!(
                "\nNumber of files: {}{}\nNumber of created files: {}{}\nNumber of deleted files: {}\n\
                 Number of regular files transferred: {}\nTotal file size: {} bytes\nTotal transferred file size: {} bytes\n\
                 Literal data: {} bytes\nMatched data: 0 bytes\n",
                number(all),
                kinds([
                    counts.files,
                    counts.directories,
                    counts.links,
                    counts.specials
                ]),
                number(counts.created.iter().sum()),
                kinds(counts.created),
                number(counts.deleted),
                number(counts.transferred),
                number(counts.total_size),
                number(counts.copied_size),
                number(if self.settings.dry {
                    0
                } else {
                    counts.copied_size
                }),
            );
        }
        if self.settings.verbose || self.settings.stats {
            let dry = if self.settings.dry { " (DRY RUN)" } else { "" };
            let speedup = counts.total_size as f64 / moved.max(1) as f64;
            text.push_str(&format!(
                "\nsent {} bytes  received 0 bytes  {}.00 bytes/sec\ntotal size is {}  speedup is {speedup:.2}{dry}\n",
                number(moved),
                number(moved),
                number(counts.total_size),
            ));
        }
        self.out.put(text);
        if self.status != 0 {
            self.out.flush();
            let message = "rsync error: some files/attrs were not transferred (see previous errors) (code 23)";
            eprintln!("{message}");
        }
        self.out.finish("rsync", self.status, 11)
    }
}

/// Makes a directory and those above it.
fn make_all(path: &[u8]) -> system::Result<()> {
    let ends = path
        .iter()
        .enumerate()
        .filter(|(at, byte)| **byte == b'/' && *at > 0);
    for end in ends.map(|(at, _)| at).chain([path.len()]) {
        if end > 0 && system::stat(&path[..end], true).is_err() {
            system::make_directory(&path[..end], 0o777 & !system::umask())?;
        }
    }
    Ok(())
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

/// A number with commas between thousands.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn trim_slash(path: &[u8]) -> &[u8] {
    let end = path
        .iter()
        .rposition(|&byte| byte != b'/')
        .map_or(1, |at| at + 1);
    &path[..end.min(path.len())]
}

fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

fn absolute(path: &[u8]) -> Vec<u8> {
    let here = std::env::current_dir().unwrap_or_default();
    system::join(here.as_os_str().as_encoded_bytes(), path)
}

fn same_content(a: &[u8], b: &[u8]) -> bool {
    let (Ok(mut a), Ok(mut b)) = (system::open_file(a), system::open_file(b)) else {
        return false;
    };
    let (mut left, mut right) = (vec![0; CHUNK], vec![0; CHUNK]);
    loop {
        let Ok(count) = a.read(&mut left) else {
            return false;
        };
        if b.read_exact(&mut right[..count]).is_err() || left[..count] != right[..count] {
            return false;
        }
        if count == 0 {
            return true;
        }
    }
}

/// A name inside a directory as it is shown.
fn below(shown: &[u8], name: &[u8]) -> Vec<u8> {
    if shown.is_empty() {
        name.to_vec()
    } else {
        system::join(shown, name)
    }
}
