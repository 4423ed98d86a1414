//! `mkdir`, `mkfifo`, `mknod` and `install` of coreutils 9.1. `mknod` makes FIFOs alone: a sandbox has no devices but
//! those of `/dev`.

use std::collections::HashSet;

use crate::accounts::Accounts;
use crate::backup::Backup;
use crate::call::{Call, bytes};
use crate::mode::Change;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure, Kind};

/// The options of `mkfifo`, which `mknod` shares.
const MKFIFO: Syntax = Syntax {
    usage: "Usage: mkfifo [OPTION]... NAME...\nCreate named pipes (FIFOs) with the given NAMEs.\n",
    options: &[Opt("m", "mode", Value::Required), Opt("Z", "", Value::No)],
    permute: true,
    status: 1,
};

/// Runs `mkfifo`.
pub fn fifo(call: &Call) -> i32 {
    let parsed = match options::parse(call, &MKFIFO) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.is_empty() {
        return options::usage_error(call, &MKFIFO, "missing operand");
    }
    let mode = match mode(call, &parsed) {
        Ok(mode) => mode,
        Err(status) => return status,
    };
    let mut status = 0;
    for path in &parsed.operands {
        if let Err(failure) = make(path, mode) {
            let name = quote::message(path);
            status = call.fail(1, bytes!("cannot create fifo ", name, ": ", failure));
        }
    }
    status
}

/// The usage of `mknod`.
const MKNOD: Syntax = Syntax {
    usage: "Usage: mknod [OPTION]... NAME TYPE [MAJOR MINOR]\nCreate the special file NAME of the given TYPE.\n\n  -m, --mode=MODE  set file permission bits to MODE, not a=rw - umask\n\nTYPE may be p, which creates a FIFO; a sandbox has no other devices than those of /dev.\n",
    ..MKFIFO
};

/// Runs `mknod`.
pub fn node(call: &Call) -> i32 {
    node_inner(call).unwrap_or_else(|status| status)
}

/// Checks the operands and makes a FIFO; devices are refused with EPERM, as for a user without privileges. `Err` is the
/// status after a message.
fn node_inner(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &MKNOD)?;
    let refuse = |message: &[u8]| options::usage_error(call, &MKNOD, message);
    let operands = parsed.operands.as_slice();
    let is_fifo = operands.get(1).is_some_and(|kind| kind.starts_with(b"p"));
    let wanted = if is_fifo { 2 } else { 4 };
    if let Some(extra) = operands.get(wanted) {
        return Err(refuse(&bytes!("extra operand ", quote::word(extra))));
    }
    let Some(path) = operands.first() else {
        return Err(refuse(b"missing operand"));
    };
    if operands.len() < wanted {
        let last = quote::word(&operands[operands.len() - 1]);
        let devices = if operands.len() < 2 {
            ""
        } else {
            "\nSpecial files require major and minor device numbers."
        };
        return Err(refuse(&bytes!("missing operand after ", last, devices)));
    }
    let mode = mode(call, &parsed)?;
    let kind = &operands[1];
    if !is_fifo && !matches!(kind.first(), Some(b'b' | b'c' | b'u')) {
        return Err(refuse(&bytes!("invalid device type ", quote::word(kind))));
    }
    let made = if is_fifo {
        make(path, mode)
    } else {
        Err(Failure(system::Errno::NotPermitted))
    };
    made.map_err(|failure| call.fail(1, bytes!(quote::shell_where_needed(path), ": ", failure)))?;
    Ok(0)
}

/// The mode that `-m` asks for, applied to the usual one of FIFOs; none without the option, and status 1 for one that
/// is invalid.
fn mode(call: &Call, parsed: &Parsed) -> Result<Option<u32>, i32> {
    let Some(text) = parsed.value("m") else {
        return Ok(None);
    };
    let change = Change::parse(text).ok_or_else(|| call.fail(1, "invalid mode"))?;
    Ok(Some(change.apply(0o666, false, system::umask())))
}

/// Makes a FIFO; a mode that was asked for is not subject to the umask.
fn make(path: &[u8], mode: Option<u32>) -> system::Result<()> {
    system::make_fifo(path, mode.unwrap_or(0o666))?;
    mode.map_or(Ok(()), |mode| system::set_mode(path, mode))
}

/// The options of `mkdir`.
const MKDIR: Syntax = Syntax {
    usage: "Usage: mkdir [OPTION]... DIRECTORY...\nCreate the DIRECTORY(ies), if they do not already exist.\n",
    options: &[
        Opt("m", "mode", Value::Required),
        Opt("p", "parents", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("Z", "", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `mkdir`. The status is 1 where any directory could not be made.
pub fn directory(call: &Call) -> i32 {
    let parsed = match options::parse(call, &MKDIR) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.is_empty() {
        return options::usage_error(call, &MKDIR, "missing operand");
    }
    let mode = match parsed
        .value("m")
        .map(|text| Change::parse(text).ok_or(text))
    {
        None => None,
        Some(Ok(change)) => Some(change.apply(0o777, true, system::umask())),
        Some(Err(text)) => return call.fail(1, bytes!("invalid mode ", quote::word(text))),
    };
    let mut out = Output::new();
    let mut status = 0;
    for path in &parsed.operands {
        if let Err((path, failure)) = make_one(path, mode, &parsed, &mut out) {
            out.flush();
            let name = quote::word(&path);
            status = call.fail(1, bytes!("cannot create directory ", name, ": ", failure));
        }
    }
    out.finish(&call.name, status, 1)
}

/// Makes a directory, with `-p` also those above it. `mode` is for the last one; those above it get the usual mode and
/// are writable by their owner whatever the umask says. With `-p` an existing directory is no error.
///
/// # Errors
/// The path that could not be made, and why.
fn make_one(
    path: &[u8],
    mode: Option<u32>,
    parsed: &Parsed,
    out: &mut Output,
) -> Result<(), (Vec<u8>, Failure)> {
    let parents = parsed.has("p");
    let trimmed = path
        .iter()
        .rposition(|&byte| byte != b'/')
        .map_or(path.len(), |last| last + 1);
    let inner = (1..trimmed).filter(|&at| parents && path[at] == b'/' && path[at - 1] != b'/');
    for end in inner.chain([path.len()]) {
        let part = &path[..end];
        let last = end == path.len();
        match system::make_directory(part, 0o777) {
            Ok(()) => {
                if parsed.has("v") {
                    out.line(bytes!("mkdir: created directory ", quote::message(part)));
                }
                // Who makes directories on the way can go on below them.
                let umask = system::umask();
                let way = (umask & 0o300 != 0).then_some(0o777 & !umask | 0o300);
                if let Some(mode) = if last { mode } else { way } {
                    system::set_mode(part, mode).map_err(|failure| (part.to_vec(), failure))?;
                }
            }
            Err(_)
                if parents && system::stat(part, true).is_ok_and(|s| s.kind == Kind::Directory) => {
            }
            Err(system::EXIST) if !last => {
                return Err((part.to_vec(), Failure(system::Errno::NotDirectory)));
            }
            Err(failure) => return Err((part.to_vec(), failure)),
        }
    }
    Ok(())
}

/// The options of `install`.
const INSTALL: Syntax = Syntax {
    usage: "Usage: install [OPTION]... [-T] SOURCE DEST\n  or:  install [OPTION]... SOURCE... DIRECTORY\n  or:  install [OPTION]... -t DIRECTORY SOURCE...\n  or:  install [OPTION]... -d DIRECTORY...\nCopy files and set attributes.\n",
    options: &[
        Opt("b", "", Value::No),
        Opt("", "backup", Value::Optional),
        Opt("c", "", Value::No),
        Opt("C", "compare", Value::No),
        Opt("d", "directory", Value::No),
        Opt("D", "", Value::No),
        Opt("g", "group", Value::Required),
        Opt("m", "mode", Value::Required),
        Opt("o", "owner", Value::Required),
        Opt("p", "preserve-timestamps", Value::No),
        Opt("S", "suffix", Value::Required),
        Opt("t", "target-directory", Value::Required),
        Opt("T", "no-target-directory", Value::No),
        Opt("v", "verbose", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `install`. The status is 1 after any message.
pub fn install(call: &Call) -> i32 {
    let parsed = match options::parse(call, &INSTALL) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let change = match parsed.value("m") {
        None => Change::Octal {
            mode: 0o755,
            digits: 5,
        },
        Some(text) => match Change::parse(text) {
            Some(change) => change,
            None => return call.fail(1, bytes!("invalid mode ", quote::word(text))),
        },
    };
    let accounts = Accounts::new();
    let named = |key: &str| {
        parsed
            .value(key)
            .map(|text| String::from_utf8_lossy(text).into_owned())
    };
    let find = |name: Option<String>, known: &dyn Fn(&str) -> Option<u32>| match name {
        None => Ok(None),
        Some(name) => known(&name)
            .or_else(|| name.parse().ok())
            .map(Some)
            .ok_or(name),
    };
    let owner = find(named("o"), &|name| {
        accounts.find_user(name).map(|user| user.0)
    });
    let group = find(named("g"), &|name| accounts.find_group(name));
    let (uid, gid) = match (owner, group) {
        (Ok(uid), Ok(gid)) => (uid, gid),
        (Err(name), _) => {
            return call.fail(1, bytes!("invalid user ", quote::word(name.as_bytes())));
        }
        (_, Err(name)) => {
            return call.fail(1, bytes!("invalid group ", quote::word(name.as_bytes())));
        }
    };
    let backup = match Backup::new(&parsed) {
        Ok(backup) => backup,
        Err(message) => return options::usage_error(call, &INSTALL, message),
    };
    let mut install = Install {
        call,
        backup,
        parsed: &parsed,
        change,
        uid,
        gid,
        made: HashSet::new(),
        out: Output::new(),
    };
    let status = if parsed.has("d") {
        install.directories()
    } else {
        install.files()
    };
    install.out.finish(&call.name, status, 1)
}

/// The state of a run.
struct Install<'a> {
    call: &'a Call,
    backup: Backup,
    parsed: &'a Parsed,
    /// The mode that is set, applied to no bits: 0755 unless `-m` is given.
    change: Change,
    /// `-o`; none leaves the owner as it is created.
    uid: Option<u32>,
    gid: Option<u32>,
    /// What was copied into a directory, where another operand may have the same name.
    made: HashSet<Vec<u8>>,
    out: Output,
}

impl Install<'_> {
    /// Sets owner, group and mode.
    fn attributes(&self, path: &[u8], is_directory: bool) -> system::Result<()> {
        if self.uid.is_some() || self.gid.is_some() {
            system::set_owner(path, self.uid, self.gid, true)?;
        }
        system::set_mode(path, self.change.apply(0, is_directory, 0))
    }

    /// `-d`: makes the operands, with those above them.
    fn directories(&mut self) -> i32 {
        let mut status = 0;
        for path in &self.parsed.operands {
            if let Err(failure) = self
                .make_path(path)
                .and_then(|()| self.attributes(path, true))
            {
                let name = quote::word(path);
                status = self
                    .call
                    .fail(1, bytes!("cannot create directory ", name, ": ", failure));
            }
        }
        status
    }

    /// Makes a directory and the missing ones above it, with mode 0755 but for the umask.
    fn make_path(&mut self, path: &[u8]) -> system::Result<()> {
        let ends = (1..=path.len()).filter(|&at| at == path.len() || path[at] == b'/');
        for end in ends {
            let part = &path[..end];
            match system::make_directory(part, 0o755) {
                Ok(()) if self.parsed.has("v") => {
                    self.out
                        .line(bytes!("install: creating directory ", quote::message(part)));
                }
                Ok(()) => {}
                Err(_) if system::stat(part, true).is_ok_and(|s| s.kind == Kind::Directory) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    /// Copies the sources to a file or into a directory, which `-D` makes. Gives the status.
    fn files(&mut self) -> i32 {
        let mut sources = self.parsed.operands.clone();
        if sources.is_empty() {
            return options::usage_error(self.call, &INSTALL, "missing file operand");
        }
        let target = match self.parsed.value("t") {
            Some(directory) => directory.to_vec(),
            None if sources.len() == 1 => {
                let message = bytes!(
                    "missing destination file operand after ",
                    quote::message(&sources[0])
                );
                return options::usage_error(self.call, &INSTALL, message);
            }
            None => sources.remove(sources.len() - 1),
        };
        if self.parsed.has("D") {
            let above = match (
                self.parsed.has("t"),
                target.iter().rposition(|&b| b == b'/'),
            ) {
                (true, _) => target.as_slice(),
                (false, Some(at)) => &target[..at],
                (false, None) => b"",
            };
            if !above.is_empty()
                && let Err(failure) = self.make_path(above)
            {
                let name = quote::message(above);
                return self
                    .call
                    .fail(1, bytes!("cannot create directory ", name, ": ", failure));
            }
        }
        let is_directory =
            system::stat(&target, true).is_ok_and(|stat| stat.kind == Kind::Directory);
        let into = is_directory && !self.parsed.has("T");
        if (sources.len() > 1 || self.parsed.has("t")) && !into {
            let failure = system::stat(&target, true).err();
            let failure = failure.unwrap_or(Failure(system::Errno::NotDirectory));
            let name = quote::message(&target);
            return self.call.fail(1, bytes!("target ", name, ": ", failure));
        }
        let mut status = 0;
        let many = into && sources.len() > 1 && !self.backup.is_numbered();
        for source in &sources {
            let base = source.rsplit(|&byte| byte == b'/').next().unwrap_or(source);
            let path = if into {
                system::join(&target, base)
            } else {
                target.clone()
            };
            if self.made.contains(&path) {
                let (path, source) = (quote::message(&path), quote::message(source));
                let text = "will not overwrite just-created ";
                status = self.call.fail(1, bytes!(text, path, " with ", source));
                continue;
            }
            let copied = self.copy(source, &path);
            if many && matches!(copied, Ok(true)) {
                self.made.insert(path);
            }
            if let Err((name, what, failure)) = copied {
                if name.is_empty() {
                    status = 1;
                    continue;
                }
                status = self.call.fail(
                    1,
                    bytes!("cannot ", what, " ", quote::message(&name), ": ", failure),
                );
            }
        }
        status
    }

    /// Whether a file is there already with all that it is to have: content, mode and owner. Reads both files whole.
    fn is_same(&self, source: &[u8], path: &[u8], old: &system::Stat) -> bool {
        let content = |path: &[u8]| system::read_whole(path).ok();
        let own = system::identity();
        old.kind == Kind::Regular
            && old.mode & 0o7777 == self.change.apply(0, false, 0)
            && self.uid.unwrap_or(own.uid) == old.uid
            && self.gid.unwrap_or(own.gid) == old.gid
            && content(source).is_some_and(|text| Some(text) == content(path))
    }

    /// Copies one file over what has its name, which is removed or becomes a backup first, so that those who have it
    /// open keep the old content. False where `-C` found it there already.
    ///
    /// # Errors
    /// A path, what could not be done with it, and why; an empty path where a message was printed already.
    fn copy(
        &mut self,
        source: &[u8],
        path: &[u8],
    ) -> Result<bool, (Vec<u8>, &'static str, Failure)> {
        let stat =
            system::stat(source, true).map_err(|failure| (source.to_vec(), "stat", failure))?;
        if stat.kind == Kind::Directory {
            self.call
                .fail(1, bytes!("omitting directory ", quote::message(source)));
            return Err((Vec::new(), "", Failure(system::Errno::IsDirectory)));
        }
        let old = system::stat(path, false).ok();
        if self.parsed.has("C")
            && old
                .as_ref()
                .is_some_and(|old| self.is_same(source, path, old))
        {
            return Ok(false);
        }
        if old.as_ref().is_some_and(|old| old.kind == Kind::Directory) {
            let name = quote::message(path);
            self.call.fail(
                1,
                bytes!("cannot overwrite directory ", name, " with non-directory"),
            );
            return Err((Vec::new(), "", Failure(system::Errno::Invalid)));
        }
        let removes = old.is_some() && self.parsed.has("v");
        let write = || -> system::Result<bool> {
            let mut removed = false;
            let mut input = system::open_file(source)?;
            // The new file replaces the old one, also where that is read-only.
            if system::stat(path, false).is_ok() && self.backup.make(path)?.is_none() {
                system::unlink(path)?;
                removed = removes;
            }
            std::io::copy(&mut input, &mut system::create_file(path, false)?)?;
            self.attributes(path, false)?;
            if self.parsed.has("p") {
                let (accessed, modified) = (stat.accessed, stat.modified);
                system::set_times(path, accessed, modified, true)?;
            }
            Ok(removed)
        };
        let removed = write().map_err(|failure| (path.to_vec(), "create regular file", failure))?;
        if removed {
            self.out.line(bytes!("removed ", quote::message(path)));
        }
        if self.parsed.has("v") {
            self.out
                .line(bytes!(quote::message(source), " -> ", quote::message(path)));
        }
        Ok(true)
    }
}
