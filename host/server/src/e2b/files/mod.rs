//! The files of a sandbox: calls, transfer and watching.

mod calls;
mod information;
mod notes;
mod removal;
mod transfer;
mod unzip;
mod watch;

use super::failure::{Code, Failure, Result};
use offshoot::Sandbox;
use offshoot_vfs::{Caller, Vfs};

pub(super) use calls::serve;
pub(super) use transfer::transfer;
pub(super) use watch::Watchers;

/// As whom files are reached: envd is root, and gives what it makes to the account of the call.
const ENVD: Caller = Caller {
    uid: 0,
    gid: 0,
    umask: 0o022,
    process: 0,
};

/// An account of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) name: String,
    pub(super) uid: u32,
    gid: u32,
    pub(super) home: String,
}

impl Account {
    /// The account of this name; without one, that which commands run as.
    pub(super) fn find(sandbox: &Sandbox, name: Option<&str>) -> Result<Account> {
        let vfs = sandbox.vfs();
        let bytes = vfs
            .read_file(&Caller::ROOT, vfs.root(), b"/etc/passwd")
            .unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let mut accounts = text.lines().filter_map(Account::parse);
        let usual = sandbox.caller().uid;
        let found = accounts.find(|account| match name {
            Some(name) => account.name == name,
            None => account.uid == usual,
        });
        let unknown = || match name {
            Some(name) => {
                Failure::new(Code::Unauthenticated, format!("invalid username: {name:?}"))
            }
            None => Failure::new(Code::Internal, "the sandbox's user has no account"),
        };
        found.ok_or_else(unknown)
    }

    /// A line of `/etc/passwd`.
    fn parse(line: &str) -> Option<Account> {
        let mut fields = line.split(':');
        Some(Account {
            name: fields.next()?.to_owned(),
            uid: fields.nth(1)?.parse().ok()?,
            gid: fields.next()?.parse().ok()?,
            home: fields.nth(1)?.to_owned(),
        })
    }

    /// Makes a directory and those above it; what is new belongs to the account.
    pub(super) fn create_directories(&self, vfs: &Vfs, path: &str) -> Result<()> {
        let ends = path.match_indices('/').map(|(end, _)| end);
        for end in ends.chain([path.len()]).filter(|end| *end > 0) {
            let part = &path[..end];
            match vfs.create_dir(&ENVD, vfs.root(), part.as_bytes(), 0o777) {
                Ok(()) => self.own(vfs, part)?,
                Err(offshoot_vfs::Error::Exist) => {}
                Err(error) => return Err(Failure::file(part, error)),
            }
        }
        Ok(())
    }

    /// Makes the account the owner.
    pub(super) fn own(&self, vfs: &Vfs, path: &str) -> Result<()> {
        let owner = (Some(self.uid), Some(self.gid));
        vfs.set_owner(&ENVD, vfs.root(), path.as_bytes(), owner, true)
            .map_err(|error| Failure::file(path, error))
    }
}

/// A path of the client's, absolute and without `.` and `..`; relative ones start at home.
pub(super) fn resolve(sandbox: &Sandbox, home: &str, path: &str) -> String {
    let rest = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.trim_start_matches('/'),
        _ if path.starts_with('/') => return sandbox.resolve_path(path),
        _ => path,
    };
    sandbox.resolve_path(&format!("{home}/{rest}"))
}

/// The directory of an absolute path.
fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(end) => &path[..end],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_read() {
        let line = "user:x:1000:1001:A User,,,:/home/user:/bin/bash";
        let expected = Account {
            name: "user".to_owned(),
            uid: 1000,
            gid: 1001,
            home: "/home/user".to_owned(),
        };
        assert_eq!(Account::parse(line), Some(expected));
        for line in ["", "user", "user:x:no:1:::"] {
            assert_eq!(Account::parse(line), None, "{line}");
        }
    }

    #[test]
    fn parents() {
        for (path, expected) in [("/a/b", "/a"), ("/a", "/"), ("/", "/")] {
            assert_eq!(parent(path), expected);
        }
    }
}
