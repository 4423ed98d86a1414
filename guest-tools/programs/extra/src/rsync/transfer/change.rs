//! What is different at the receiver, and how that is printed.

use super::Transfer;
use super::path::{absolute, below};
use crate::call::bytes;
use crate::system;
use crate::system::{Kind, Stat, Time};

/// What is different at the receiver.
pub(super) struct Change {
    pub(super) created: bool,
    pub(super) content: bool,
    pub(super) size: bool,
    pub(super) time: bool,
    pub(super) perms: bool,
    pub(super) owner: bool,
    pub(super) group: bool,
}

impl Change {
    pub(super) fn any(&self) -> bool {
        self.created || self.content || self.time || self.perms || self.owner || self.group
    }
}

pub(super) fn same_time(a: Time, b: Time) -> bool {
    a.seconds == b.seconds
}

impl<'a> Transfer<'a> {
    /// What of a directory is copied.
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
