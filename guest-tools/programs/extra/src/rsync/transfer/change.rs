//! What is different at the receiver, and how that is printed.

use super::Transfer;
use super::path::{absolute, below};
use crate::call::bytes;
use crate::system;
use crate::system::{Kind, Stat, Time};

/// What is different at the receiver.
pub(super) struct Change {
    /// There is nothing at the receiver.
    pub(super) created: bool,
    /// The content is copied.
    pub(super) content: bool,
    /// A file has another size.
    pub(super) size: bool,
    /// The time differs, and is kept (`-t`).
    pub(super) time: bool,
    /// The mode differs, and is kept (`-p`).
    pub(super) perms: bool,
    /// The owner differs, and is kept (`-o`).
    pub(super) owner: bool,
    /// The group differs, and is kept (`-g`).
    pub(super) group: bool,
}

impl Change {
    /// Whether there is anything to do. A different size alone is not: `content` goes along with it.
    pub(super) fn any(&self) -> bool {
        self.created || self.content || self.time || self.perms || self.owner || self.group
    }
}

/// Whether two times are the same second, which is what rsync compares by default.
pub(super) fn same_time(a: Time, b: Time) -> bool {
    a.seconds == b.seconds
}

impl<'a> Transfer<'a> {
    /// The entries of a directory that filters let through, in no order. With `-L` a link that leads nowhere is
    /// reported.
    pub(super) fn list(
        &mut self,
        source: &[u8],
        shown: &[u8],
    ) -> system::Result<Vec<(Vec<u8>, Stat)>> {
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

    /// How an entry differs from `old`; all of it where there is none. For files `content` is set by the caller.
    pub(super) fn change(&self, stat: &Stat, old: Option<&Stat>) -> Change {
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
}
