//! Names of members that would lead out of the directory they are extracted to.
//!
//! A name may lead out in three ways: it is absolute, it goes up by `..`, or it passes through a symbolic link.
//! `check_name` sees the first two in the name alone, before anything is written; `check_parents` looks at the files
//! for the third. The extracting commands make symbolic links of the archive last, so that `check_parents` meets only
//! links that were there before. Between a check and the write nothing is locked: another process that replaces a
//! directory by a link in between is not defended against.

use crate::system::{self, Kind};

/// Why a name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// It starts at the root.
    Absolute,
    /// It goes up.
    Parent,
    /// A part of it is a symbolic link.
    Link,
}

impl Escape {
    /// What a message says about it.
    pub fn reason(self) -> &'static str {
        match self {
            Escape::Absolute => "its name is absolute",
            Escape::Parent => "its name contains '..'",
            Escape::Link => "a directory in its name is a symbolic link that leads elsewhere",
        }
    }
}

/// Whether a member's name alone leads out. Any part `..` is refused, also where it would stay inside, as in
/// `a/../b`: what it means depends on links.
pub fn check_name(name: &[u8]) -> Result<(), Escape> {
    if name.starts_with(b"/") {
        return Err(Escape::Absolute);
    }
    if name.split(|&byte| byte == b'/').any(|part| part == b"..") {
        return Err(Escape::Parent);
    }
    Ok(())
}

/// Whether a link that is already there leads a name below `base` out of it. Each parent that is a symbolic link is
/// resolved and must lie inside of the resolved `base`; one that dangles is refused. Empty means the working
/// directory. The last part of the name is not looked at: whoever writes removes a link of that name first, or makes
/// its file anew.
///
/// The cost is one `lstat` for each parent.
pub fn check_parents(base: &[u8], name: &[u8]) -> Result<(), Escape> {
    let slashes = name
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'/' && at > 0);
    for (at, _) in slashes {
        let parent = system::join(base, &name[..at]);
        let is_link = system::stat(&parent, false).is_ok_and(|stat| stat.kind == Kind::Symlink);
        if !is_link {
            continue;
        }
        let base = if base.is_empty() { b"." } else { base };
        let inside = match (system::canonicalize(base), system::canonicalize(&parent)) {
            (Ok(base), Ok(parent)) => {
                let rest = parent.strip_prefix(base.as_slice());
                base == b"/" || rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
            }
            _ => false,
        };
        if !inside {
            return Err(Escape::Link);
        }
    }
    Ok(())
}

/// Makes the directories that lead to a file. Those that exist, also as links to directories, are left as they are.
pub fn make_parents(path: &[u8]) -> system::Result<()> {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) if at > 0 => make_directories(&path[..at]),
        _ => Ok(()),
    }
}

/// Makes a directory and those it is in, outer ones first, with mode 0777 less the umask.
pub fn make_directories(path: &[u8]) -> system::Result<()> {
    let ends = path
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'/' && at > 0);
    let ends = ends.map(|(at, _)| at).chain([path.len()]);
    for end in ends {
        match system::make_directory(&path[..end], 0o777) {
            Ok(()) | Err(system::EXIST) => {}
            Err(failure) => match system::stat(&path[..end], true) {
                Ok(found) if found.kind == Kind::Directory => {}
                _ => return Err(failure),
            },
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out() {
        let cases = [
            ("a/b", Ok(())),
            ("a/..b/c..", Ok(())),
            ("/a", Err(Escape::Absolute)),
            ("..", Err(Escape::Parent)),
            ("a/../../b", Err(Escape::Parent)),
            ("a/..", Err(Escape::Parent)),
        ];
        for (name, expected) in cases {
            assert_eq!(check_name(name.as_bytes()), expected, "{name}");
        }
    }
}
