//! `mv` of coreutils 9.1: renames, and copies with all attributes where a file goes to another filesystem.
//!
//! POSIX leaves to `rename` what happens within a filesystem: it replaces the destination at once, so that there is no
//! moment without it.

use std::collections::HashSet;

use crate::backup::Backup;
use crate::call::{Call, bytes};
use crate::copy;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure, Kind, Stat};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: mv [OPTION]... [-T] SOURCE DEST\n  or:  mv [OPTION]... SOURCE... DIRECTORY\n  or:  mv [OPTION]... -t DIRECTORY SOURCE...\nRename SOURCE to DEST, or move SOURCE(s) to DIRECTORY.\n\n      --backup[=CONTROL]       make a backup of each existing destination file\n  -b                           like --backup but does not accept an argument\n  -f, --force                  do not prompt before overwriting\n  -i, --interactive            prompt before overwrite\n  -n, --no-clobber             do not overwrite an existing file\n      --strip-trailing-slashes remove any trailing slashes from each SOURCE argument\n  -S, --suffix=SUFFIX          override the usual backup suffix\n  -t, --target-directory=DIRECTORY  move all SOURCE arguments into DIRECTORY\n  -T, --no-target-directory    treat DEST as a normal file\n  -u, --update                 move only when the SOURCE file is newer\n                                 than the destination file or when the\n                                 destination file is missing\n  -v, --verbose                explain what is being done\n",
    options: &[
        Opt("b", "", Value::No),
        Opt("", "backup", Value::Optional),
        Opt("f", "force", Value::No),
        Opt("i", "interactive", Value::No),
        Opt("n", "no-clobber", Value::No),
        Opt("", "strip-trailing-slashes", Value::No),
        Opt("S", "suffix", Value::Required),
        Opt("t", "target-directory", Value::Required),
        Opt("T", "no-target-directory", Value::No),
        Opt("u", "update", Value::No),
        Opt("v", "verbose", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and moves; `Err` is the status after a message.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let refuse = |message: Vec<u8>| options::usage_error(call, &SYNTAX, message);
    let backup = Backup::new(&parsed).map_err(refuse)?;
    if backup.is_on() && parsed.last(&["i", "n", "f"]) == Some("n") {
        let message = "options --backup and --no-clobber are mutually exclusive";
        return Err(refuse(message.into()));
    }
    let sources = std::mem::take(&mut parsed.operands);
    let Wish {
        sources,
        target,
        into,
    } = destination(call, &parsed, sources)?;
    let mut mover = Move {
        call,
        parsed: &parsed,
        backup,
        made: HashSet::new(),
        out: Output::new(),
        status: 0,
    };
    for source in &sources {
        let plain = copy::trim(source);
        let source = if parsed.has("strip-trailing-slashes") {
            plain
        } else {
            source
        };
        let path = if into {
            system::join(&target, copy::base(plain))
        } else {
            target.clone()
        };
        mover.one(source, &path);
    }
    let status = mover.status;
    Ok(mover.out.finish(&call.name, status, 1))
}

/// What is moved where.
struct Wish {
    /// At least one.
    sources: Vec<Vec<u8>>,
    target: Vec<u8>,
    /// Whether the target is a directory to move into.
    into: bool,
}

/// Tells sources and destination apart.
///
/// # Errors
/// Status 1 after a message.
fn destination(call: &Call, parsed: &Parsed, mut sources: Vec<Vec<u8>>) -> Result<Wish, i32> {
    let refuse = |message: Vec<u8>| Err(options::usage_error(call, &SYNTAX, message));
    if parsed.has("t") && parsed.has("T") {
        let message = "cannot combine --target-directory (-t) and --no-target-directory (-T)";
        return Err(call.fail(1, message));
    }
    if sources.is_empty() {
        return refuse(b"missing file operand".to_vec());
    }
    let target = match parsed.value("t") {
        Some(directory) => directory.to_vec(),
        None if sources.len() == 1 => {
            let first = quote::message(&sources[0]);
            return refuse(bytes!("missing destination file operand after ", first));
        }
        None if parsed.has("T") && sources.len() > 2 => {
            return refuse(bytes!("extra operand ", quote::message(&sources[2])));
        }
        None => sources.remove(sources.len() - 1),
    };
    if parsed.has("T") {
        return Ok(Wish {
            sources,
            target,
            into: false,
        });
    }
    let named = parsed.has("t");
    let found = system::stat(&target, true);
    let into = found
        .as_ref()
        .is_ok_and(|stat| stat.kind == Kind::Directory);
    if !into && (named || sources.len() > 1) {
        let failure = found.err().unwrap_or(Failure(system::Errno::NotDirectory));
        let what = if named {
            "target directory "
        } else {
            "target "
        };
        let name = quote::message(&target);
        return Err(call.fail(1, bytes!(what, name, ": ", failure)));
    }
    Ok(Wish {
        sources,
        target,
        into,
    })
}

/// The state of a run.
struct Move<'a> {
    call: &'a Call,
    parsed: &'a Parsed,
    backup: Backup,
    /// What this call put in place, by device and inode: two sources with one last name must not replace each other.
    made: HashSet<(u64, u64)>,
    out: Output,
    status: i32,
}

impl Move<'_> {
    /// Reports a message after what was printed before; the status becomes 1.
    fn fail(&mut self, message: Vec<u8>) {
        self.out.flush();
        self.status = self.call.fail(1, message);
    }

    /// Moves one source to `path`. A file is not moved onto itself, but with backups under another name.
    fn one(&mut self, source: &[u8], path: &[u8]) {
        let stat = match system::stat(source, false) {
            Ok(stat) => stat,
            Err(failure) => {
                let name = quote::message(source);
                return self.fail(bytes!("cannot stat ", name, ": ", failure));
            }
        };
        let old = match system::stat(path, false) {
            Ok(old) => Some(old),
            Err(failure) if failure == system::NO_ENTRY => None,
            Err(failure) => {
                let name = quote::message(path);
                return self.fail(bytes!("cannot stat ", name, ": ", failure));
            }
        };
        if let Some(old) = &old {
            let is_kept = self.backup.is_on() && !is_same_name(source, path);
            if old.is_same(&stat) && !is_kept {
                let (source, path) = (quote::message(source), quote::message(path));
                return self.fail(bytes!(source, " and ", path, " are the same file"));
            }
            if self.keeps(path, &stat, old) || !self.may_replace(source, path, &stat, old) {
                return;
            }
        }
        let kept = match self.backup.make(path) {
            Ok(kept) => kept,
            Err(failure) => {
                let name = quote::message(path);
                return self.fail(bytes!("cannot backup ", name, ": ", failure));
            }
        };
        match system::rename(source, path) {
            Ok(()) => {
                self.made.insert((stat.device, stat.inode));
                self.say(source, path, kept);
            }
            Err(failure) if failure == system::CROSSES_DEVICES => self.carry(source, path),
            Err(failure) => {
                if let Some(kept) = kept {
                    // The old file is worth more than the backup's name.
                    let _ = system::rename(&kept, path);
                }
                self.refuse(source, path, failure);
            }
        }
    }

    /// The line of `-v`; `kept` is the backup's name.
    fn say(&mut self, source: &[u8], path: &[u8], kept: Option<Vec<u8>>) {
        if !self.parsed.has("v") {
            return;
        }
        let (source, path) = (quote::message(source), quote::message(path));
        let kept = kept.map_or_else(Vec::new, |name| {
            bytes!(" (backup: ", quote::message(&name), ")")
        });
        self.out
            .line(bytes!("renamed ", source, " -> ", path, kept));
    }

    /// Says why the system did not rename.
    fn refuse(&mut self, source: &[u8], path: &[u8], failure: Failure) {
        let (from, to) = (quote::message(source), quote::message(path));
        self.fail(if failure == system::INVALID && is_below(source, path) {
            bytes!("cannot move ", from, " to a subdirectory of itself, ", to)
        } else {
            bytes!("cannot move ", from, " to ", to, ": ", failure)
        });
    }

    /// Whether an existing file stays: `-u` finds it new enough, `-n` is given, or the answer to `-i` is no.
    fn keeps(&mut self, path: &[u8], stat: &Stat, old: &Stat) -> bool {
        if self.parsed.has("u") && old.modified >= stat.modified && old.kind != Kind::Directory {
            return true;
        }
        match self.parsed.last(&["i", "n", "f"]) {
            Some("n") => true,
            Some("i") => {
                self.out.flush();
                !self
                    .call
                    .asks(bytes!("overwrite ", quote::message(path), "? "))
            }
            _ => false,
        }
    }

    /// Whether the destination may be replaced: a directory by a directory, a file by a file, and nothing that this
    /// call made; a message otherwise.
    fn may_replace(&mut self, source: &[u8], path: &[u8], stat: &Stat, old: &Stat) -> bool {
        let (from, to) = (quote::message(source), quote::message(path));
        let is_directory = (stat.kind == Kind::Directory, old.kind == Kind::Directory);
        let message = match is_directory {
            (true, false) if !self.backup.is_on() => {
                bytes!(
                    "cannot overwrite non-directory ",
                    to,
                    " with directory ",
                    from
                )
            }
            (false, true) if !self.backup.is_on() => {
                bytes!("cannot overwrite directory ", to, " with non-directory")
            }
            (false, false) if self.made.contains(&(old.device, old.inode)) => {
                bytes!("will not overwrite just-created ", to, " with ", from)
            }
            _ => return true,
        };
        self.fail(message);
        false
    }

    /// Copies to another filesystem, and removes the original when all of it is there. What was copied stays where that
    /// fails.
    fn carry(&mut self, source: &[u8], path: &[u8]) {
        self.out.flush();
        let status = copy::whole(self.call, source, path, self.parsed.has("v"));
        if status != 0 {
            self.status = status;
        } else if let Err((at, failure)) = copy::remove(source) {
            self.fail(bytes!("cannot remove ", quote::message(&at), ": ", failure));
        } else if self.parsed.has("v") {
            self.out.line(bytes!("removed ", quote::message(source)));
        }
    }
}

/// Whether two names of one file are the same entry of the same directory.
fn is_same_name(one: &[u8], other: &[u8]) -> bool {
    let place = |path: &[u8]| {
        copy::parent(path)
            .map(system::canonicalize)
            .transpose()
            .ok()
            .flatten()
    };
    let (first, second) = (copy::trim(one), copy::trim(other));
    copy::base(first) == copy::base(second) && place(first) == place(second)
}

/// Whether `path` would lie in the directory `source`.
fn is_below(source: &[u8], path: &[u8]) -> bool {
    let above = copy::parent(path).map(system::canonicalize);
    match (system::canonicalize(source), above) {
        (Ok(source), Some(Ok(above))) => above == source || above.starts_with(&bytes!(source, "/")),
        _ => false,
    }
}
