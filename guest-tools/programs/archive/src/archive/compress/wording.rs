//! What is in the way of a conversion, in the words of each tool, and the names that each of them makes.

use crate::archive::codec::Codec;
use crate::call::bytes;
use crate::system::Failure;

/// Why a file is left alone.
pub(super) enum Obstacle<'a> {
    /// It cannot be opened.
    Unreadable(&'a Failure),
    /// It is a directory, and `-r` was not given.
    Directory,
    /// It has that many other names, which would keep the content that is replaced.
    Links(u32),
    /// It is a symbolic link, which would be replaced instead of the file.
    Symlink,
    /// The result is there already.
    Exists,
    /// Its name has this ending of the compression's results.
    Suffix(&'a str),
    /// Its name has no such ending, so that the result has no name.
    NoSuffix,
}

impl Obstacle<'_> {
    /// The status, and the message after the command's name; `path` is the file, or for `Exists` its result.
    pub(super) fn message(&self, codec: Codec, path: &[u8]) -> (i32, Vec<u8>) {
        match codec {
            Codec::Bzip2 => (1, self.of_bzip2(path)),
            Codec::Xz | Codec::Lzma => self.of_xz(path),
            _ => self.of_gzip(path),
        }
    }

    fn of_gzip(&self, path: &[u8]) -> (i32, Vec<u8>) {
        match self {
            Obstacle::Unreadable(failure) => (1, bytes!(path, ": ", failure)),
            Obstacle::Symlink => (1, bytes!(path, ": Too many levels of symbolic links")),
            Obstacle::Directory => (2, bytes!(path, " is a directory -- ignored")),
            Obstacle::Links(others) => {
                let (count, ending) = (others.to_string(), plural(*others));
                let message = bytes!(path, " has ", count, " other link", ending);
                (2, bytes!(message, " -- file ignored"))
            }
            Obstacle::Exists => (2, bytes!(path, " already exists;\tnot overwritten")),
            // This alone leaves the status as it is.
            Obstacle::Suffix(suffix) => {
                let ending = bytes!(suffix, " suffix -- unchanged");
                (0, bytes!(path, " already has ", ending))
            }
            Obstacle::NoSuffix => (2, bytes!(path, ": unknown suffix -- ignored")),
        }
    }

    fn of_bzip2(&self, path: &[u8]) -> Vec<u8> {
        match self {
            Obstacle::Unreadable(failure) => {
                bytes!("Can't open input file ", path, ": ", failure, ".")
            }
            Obstacle::Symlink => bytes!("Input file ", path, " is not a normal file."),
            Obstacle::Directory => bytes!("Input file ", path, " is a directory."),
            Obstacle::Links(others) => {
                let (count, ending) = (others.to_string(), plural(*others));
                let start = bytes!("Input file ", path, " has ", count);
                bytes!(start, " other link", ending, ".")
            }
            Obstacle::Exists => bytes!("Output file ", path, " already exists."),
            Obstacle::Suffix(suffix) => {
                bytes!("Input file ", path, " already has ", suffix, " suffix.")
            }
            Obstacle::NoSuffix => {
                let made = bytes!(path, ".out");
                bytes!("Can't guess original name for ", path, " -- using ", made)
            }
        }
    }

    fn of_xz(&self, path: &[u8]) -> (i32, Vec<u8>) {
        match self {
            Obstacle::Unreadable(failure) => (1, bytes!(path, ": ", failure)),
            Obstacle::Symlink => (2, bytes!(path, ": Is a symbolic link, skipping")),
            Obstacle::Directory => (2, bytes!(path, ": Is a directory, skipping")),
            Obstacle::Links(_) => {
                let reason = ": Input file has more than one hard link, skipping";
                (2, bytes!(path, reason))
            }
            Obstacle::Exists => (1, bytes!(path, ": File exists")),
            Obstacle::Suffix(suffix) => {
                let reason = bytes!(": File already has `", suffix, "' suffix, skipping");
                (2, bytes!(path, reason))
            }
            Obstacle::NoSuffix => {
                let reason = ": Filename has an unknown suffix, skipping";
                (2, bytes!(path, reason))
            }
        }
    }
}

fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The endings that a compression's results have, and what the names end in without it.
fn endings(codec: Codec) -> &'static [(&'static str, &'static str)] {
    match codec {
        Codec::Bzip2 => &[
            (".bz2", ""),
            (".bz", ""),
            (".tbz2", ".tar"),
            (".tbz", ".tar"),
        ],
        Codec::Xz => &[(".xz", ""), (".txz", ".tar")],
        Codec::Lzma => &[(".lzma", ""), (".tlz", ".tar")],
        _ => &[
            (".gz", ""),
            (".z", ""),
            (".taz", ".tar"),
            (".tgz", ".tar"),
            ("-gz", ""),
            ("-z", ""),
            ("_z", ""),
        ],
    }
}

/// The ending that marks `path` as a result of the compression, if it has one.
pub(super) fn ending(codec: Codec, path: &[u8]) -> Option<&'static str> {
    let mut known = endings(codec).iter().map(|(ending, _)| *ending);
    known.find(|ending| stem(codec, path, ending).is_some())
}

/// The name of what `path` was made from, by its ending; xz undoes the older format as well.
pub(super) fn original(codec: Codec, path: &[u8]) -> Option<Vec<u8>> {
    let older = if codec == Codec::Xz {
        Codec::Lzma
    } else {
        Codec::Xz
    };
    let other: &[_] = match codec {
        Codec::Xz | Codec::Lzma => endings(older),
        _ => &[],
    };
    let mut known = endings(codec).iter().chain(other);
    known.find_map(|(ending, new)| Some(bytes!(stem(codec, path, ending)?, new)))
}

/// What stands before the ending, if that is a name; gzip does not mind the case of letters.
fn stem<'a>(codec: Codec, path: &'a [u8], ending: &str) -> Option<&'a [u8]> {
    let at = path.len().checked_sub(ending.len())?;
    let (stem, found) = path.split_at(at);
    let matches = match codec {
        Codec::Gzip => found.eq_ignore_ascii_case(ending.as_bytes()),
        _ => found == ending.as_bytes(),
    };
    (matches && !stem.is_empty() && !stem.ends_with(b"/")).then_some(stem)
}
