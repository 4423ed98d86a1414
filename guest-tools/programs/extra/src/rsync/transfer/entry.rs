//! What is not a directory: files, symbolic links and named pipes.
//!
//! A file's content is written to `.NAME.rsync` beside it and renamed into place, so a reader never sees half of it,
//! and hard links of the old file keep the old content. What is there already is compared first:
//!
//! | options | the content is copied where |
//! |---|---|
//! | none | size or time (in seconds) differ |
//! | `-I` | always |
//! | `--size-only` | the size differs |
//! | `-c` | the size or the bytes differ |
//!
//! A file that needs no content still gets mode, owner and time where these are asked for and differ.

use std::io::{Read as _, Write as _};

use super::Transfer;
use super::change::same_time;
use super::path::absolute;
use crate::call::bytes;
use crate::output::CHUNK;
use crate::system;
use crate::system::{Failure, Kind, Stat};

impl<'a> Transfer<'a> {
    /// Makes a named pipe like the sender's.
    pub(super) fn special(&mut self, target: &[u8], shown: &[u8], stat: &Stat) {
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

    /// Makes a symbolic link like the sender's. One that refers to the same path stays and gets the time at most.
    pub(super) fn link(&mut self, source: &[u8], target: &[u8], shown: &[u8], stat: &Stat) {
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

    /// Copies a file where it differs, sets its attributes, and removes the source with `--remove-source-files`.
    pub(super) fn file(&mut self, source: &[u8], target: &[u8], shown: &[u8], stat: &Stat) {
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

    /// Writes the content: to a temporary name that replaces the target, or straight into it with `--inplace`. A target
    /// that cannot be written leaves no temporary file behind.
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

    /// Sets owner, mode and time, as far as options ask for them. A `new` entry gets a mode in any case.
    pub(super) fn attributes(&mut self, target: &[u8], stat: &Stat, new: bool, times: bool) {
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
}

/// Whether two files of the same size have the same bytes; false where one cannot be read.
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
