//! `cp` of coreutils 9.1: with modes, owners, times and links, which WASI's own file functions lack. `mv` uses it to
//! move files to another filesystem.
//!
//! The tree is copied depth first with a stack. Directories are made writable first, and get their modes and times in
//! reverse order when everything is in them, since copying into them would change their times. There are no holes,
//! clones and extended attributes: `--sparse`, `--reflink`, `-x` and `--preserve=context,xattr` are accepted and have
//! no effect.

use std::collections::{HashMap, HashSet};

use crate::backup::Backup;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure, Kind, Stat};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: cp [OPTION]... [-T] SOURCE DEST\n  or:  cp [OPTION]... SOURCE... DIRECTORY\n  or:  cp [OPTION]... -t DIRECTORY SOURCE...\nCopy SOURCE to DEST, or multiple SOURCE(s) to DIRECTORY.\n",
    options: &[
        Opt("a", "archive", Value::No),
        Opt("", "attributes-only", Value::No),
        Opt("b", "", Value::No),
        Opt("", "backup", Value::Optional),
        Opt("d", "", Value::No),
        Opt("f", "force", Value::No),
        Opt("i", "interactive", Value::No),
        Opt("H", "", Value::No),
        Opt("l", "link", Value::No),
        Opt("L", "dereference", Value::No),
        Opt("n", "no-clobber", Value::No),
        Opt("P", "no-dereference", Value::No),
        Opt("p", "", Value::No),
        Opt("", "preserve", Value::Optional),
        Opt("", "no-preserve", Value::Required),
        Opt("", "parents", Value::No),
        Opt("Rr", "recursive", Value::No),
        Opt("", "reflink", Value::Optional),
        Opt("", "remove-destination", Value::No),
        Opt("", "sparse", Value::Required),
        Opt("", "strip-trailing-slashes", Value::No),
        Opt("s", "symbolic-link", Value::No),
        Opt("S", "suffix", Value::Required),
        Opt("t", "target-directory", Value::Required),
        Opt("T", "no-target-directory", Value::No),
        Opt("u", "update", Value::Optional),
        Opt("v", "verbose", Value::No),
        Opt("x", "one-file-system", Value::No),
    ],
    permute: true,
    status: 1,
};

/// What a copy keeps of its original.
#[derive(Clone, Copy, Default)]
struct Preserve {
    /// All twelve bits; otherwise a new file gets the original's permissions without those of the umask.
    mode: bool,
    /// `--no-preserve=mode`: copies get the mode of new files.
    no_mode: bool,
    owner: bool,
    /// Those of access and modification.
    times: bool,
    /// Hard links among the files of one call stay links to each other.
    links: bool,
}

impl Preserve {
    /// Sets what a list such as `mode,timestamps` names, or all of it, to `value`. `option` is how messages call its
    /// option.
    fn set(&mut self, call: &Call, option: &str, list: &[u8], value: bool) -> Result<(), i32> {
        let names = [
            "mode",
            "timestamps",
            "ownership",
            "links",
            "context",
            "xattr",
            "all",
        ];
        let names = names.map(|name| vec![name]);
        for word in list.split(|&byte| byte == b',') {
            let at = options::choice(call, option, word, &names)?;
            let is = |wanted: usize| at == wanted || at == 6;
            if is(0) {
                (self.mode, self.no_mode) = (value, !value);
            }
            if is(1) {
                self.times = value;
            }
            if is(2) {
                self.owner = value;
            }
            if is(3) {
                self.links = value;
            }
        }
        Ok(())
    }
}

/// Runs the command. The status is 1 where anything could not be copied.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// What the options ask to preserve; the values of others are looked at, too.
fn preserved(call: &Call, parsed: &Parsed) -> Result<Preserve, i32> {
    let mut preserve = Preserve::default();
    for (key, value) in &parsed.options {
        let option = format!("--{key}");
        let mut set = |list: &[u8], value| preserve.set(call, &option, list, value);
        match (*key, value.as_slice()) {
            ("a", _) => set(b"all", true)?,
            ("d", _) => set(b"links", true)?,
            ("p", _) | ("preserve", b"") => set(b"mode,ownership,timestamps", true)?,
            ("preserve", list) => set(list, true)?,
            ("no-preserve", list) => set(list, false)?,
            ("sparse", value) => {
                let names = ["never", "auto", "always"].map(|name| vec![name]);
                options::choice(call, &option, value, &names)?;
            }
            ("reflink", value) if !value.is_empty() => {
                let names = ["auto", "always", "never"].map(|name| vec![name]);
                options::choice(call, &option, value, &names)?;
            }
            _ => {}
        }
    }
    Ok(preserve)
}

/// Reads the command line and copies. `Err` is the status after a message.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let preserve = preserved(call, &parsed)?;
    let mut sources = std::mem::take(&mut parsed.operands);
    let refuse = |message: Vec<u8>| Err(options::usage_error(call, &SYNTAX, message));
    let backup =
        Backup::new(&parsed).map_err(|message| options::usage_error(call, &SYNTAX, message))?;
    if sources.is_empty() {
        return refuse(b"missing file operand".to_vec());
    }
    let target = match parsed.value("t") {
        Some(directory) => directory.to_vec(),
        None if sources.len() == 1 => {
            let first = quote::message(&sources[0]);
            return refuse(bytes!("missing destination file operand after ", first));
        }
        None => sources.remove(sources.len() - 1),
    };
    let is_directory = system::stat(&target, true).is_ok_and(|stat| stat.kind == Kind::Directory);
    let into = is_directory && !parsed.has("T");
    if parsed.has("parents") && !into {
        return refuse(b"with --parents, the destination must be a directory".to_vec());
    }
    if !into && (sources.len() > 1 || parsed.has("t")) {
        let name = quote::message(&target);
        return match system::stat(&target, true) {
            Err(failure) if failure == system::NO_ENTRY => {
                Err(call.fail(1, bytes!("target ", name, ": ", failure)))
            }
            _ => Err(call.fail(1, bytes!("target ", name, ": Not a directory"))),
        };
    }
    let mut copy = Copy {
        call,
        recursive: parsed.has("R") || parsed.has("a"),
        parsed: &parsed,
        backup,
        verb: "",
        preserve,
        links: HashMap::new(),
        sources: HashSet::new(),
        may_repeat: false,
        made: HashSet::new(),
        out: Output::new(),
        status: 0,
    };
    let many = into && sources.len() > 1;
    for source in &sources {
        let trimmed = trim(source);
        if many && copy.is_repeated(source) {
            continue;
        }
        let path = if !into {
            target.clone()
        } else if parsed.has("parents") {
            copy.make_parents(&target, trimmed);
            system::join(&target, trimmed)
        } else {
            let base = base(trimmed);
            if base == b".." || base == b"." {
                target.clone()
            } else {
                system::join(&target, base)
            }
        };
        copy.may_repeat = many && !copy.backup.is_numbered();
        copy.tree(source.clone(), path);
    }
    let status = copy.status;
    Ok(copy.out.finish(&call.name, status, 1))
}

/// Copies `source` with all its attributes over what is at `path`, as `mv` does between filesystems; gives the status.
pub fn whole(call: &Call, source: &[u8], path: &[u8], verbose: bool) -> i32 {
    let mut parsed = Parsed::default();
    parsed.options.push(("a", Vec::new()));
    parsed.options.push(("remove-destination", Vec::new()));
    parsed.options.extend(verbose.then(|| ("v", Vec::new())));
    let mut copy = Copy {
        call,
        parsed: &parsed,
        backup: Backup::none(),
        verb: "copied ",
        recursive: true,
        preserve: Preserve {
            mode: true,
            no_mode: false,
            owner: true,
            times: true,
            links: true,
        },
        links: HashMap::new(),
        sources: HashSet::new(),
        may_repeat: false,
        made: HashSet::new(),
        out: Output::new(),
        status: 0,
    };
    copy.tree(source.to_vec(), path.to_vec());
    let status = copy.status;
    copy.out.finish(&call.name, status, 1)
}

/// Removes a file, or a directory with all that is in it; `Err` names the first that could not be removed, where it
/// stops.
pub fn remove(path: &[u8]) -> Result<(), (Vec<u8>, Failure)> {
    let mut pending = vec![(path.to_vec(), false)];
    while let Some((path, emptied)) = pending.pop() {
        let at = |failure| (path.clone(), failure);
        if emptied {
            system::remove_directory(&path).map_err(at)?;
        } else if system::stat(&path, false).map_err(at)?.kind == Kind::Directory {
            let entries = system::read_directory(&path).map_err(at)?;
            pending.push((path.clone(), true));
            let inside = entries
                .iter()
                .map(|entry| (system::join(&path, &entry.name), false));
            pending.extend(inside);
        } else {
            system::unlink(&path).map_err(at)?;
        }
    }
    Ok(())
}

/// The last name of a path that has no slashes at its end.
pub fn base(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// The path without slashes at its end; of `//` one slash is left.
pub fn trim(path: &[u8]) -> &[u8] {
    let end = path
        .iter()
        .rposition(|&byte| byte != b'/')
        .map_or(1, |last| last + 1);
    &path[..end.min(path.len())]
}

/// The state of a run.
struct Copy<'a> {
    call: &'a Call,
    parsed: &'a Parsed,
    backup: Backup,
    /// What stands before a line of `-v`: `copied ` for `mv`.
    verb: &'static str,
    /// `-R` or `-a`: directories are copied, and FIFOs made instead of read.
    recursive: bool,
    preserve: Preserve,
    /// Where files with several names went, by device and inode, for `Preserve::links`.
    links: HashMap<(u64, u64), Vec<u8>>,
    /// Operands so far: last names and files.
    sources: HashSet<(Vec<u8>, u64, u64)>,
    /// Several operands go into one directory, where one may have the name of another.
    may_repeat: bool,
    /// What operands became, where `may_repeat` is set.
    made: HashSet<Vec<u8>>,
    out: Output,
    status: i32,
}

impl Copy<'_> {
    /// Reports a message after what was printed before; the status becomes 1.
    fn fail(&mut self, message: Vec<u8>) {
        self.out.flush();
        self.status = self.call.fail(1, message);
    }

    /// Reports what could not be done with a path, and why.
    fn complain(&mut self, what: &str, path: &[u8], failure: Failure) {
        let purpose = if what == "open" { " for reading" } else { "" };
        let name = bytes!(quote::message(path), purpose);
        self.fail(bytes!("cannot ", what, " ", name, ": ", failure));
    }

    /// Whether an operand was there before, by its last name and file, and no backup makes that useful; it gets a
    /// warning.
    fn is_repeated(&mut self, source: &[u8]) -> bool {
        let Ok(stat) = system::stat(source, self.follows(true)) else {
            return false;
        };
        let is_directory = stat.kind == Kind::Directory;
        if self.backup.is_on() || (is_directory && !self.recursive) {
            return false;
        }
        let name = base(trim(source)).to_vec();
        if self.sources.insert((name, stat.device, stat.inode)) {
            return false;
        }
        self.out.flush();
        let kind = if is_directory { "directory" } else { "file" };
        let name = quote::message(source);
        let text = bytes!(
            "warning: source ",
            kind,
            " ",
            name,
            " specified more than once"
        );
        self.call.fail(0, text);
        true
    }

    /// The line of `-v`.
    fn say(&mut self, source: &[u8], path: &[u8]) {
        if self.parsed.has("v") {
            let (source, path) = (quote::message(source), quote::message(path));
            self.out.line(bytes!(self.verb, source, " -> ", path));
        }
    }

    /// Makes the directories of `--parents`, which `source` has, below `target`, with the mode of new directories.
    fn make_parents(&mut self, target: &[u8], source: &[u8]) {
        for at in memchr::memchr_iter(b'/', source).filter(|at| *at > 0) {
            let path = system::join(
                target,
                source[..at].strip_prefix(b"/").unwrap_or(&source[..at]),
            );
            if system::stat(&path, true).is_ok() {
                continue;
            }
            match system::make_directory(&path, 0o777) {
                Ok(()) if self.parsed.has("v") => {
                    self.out.line(bytes!(&source[..at], " -> ", path));
                }
                Ok(()) => {}
                Err(failure) => self.complain("create directory", &path, failure),
            }
        }
    }

    /// Whether a symbolic link is copied as what it points to; `named` is an operand. The last of `-L`, `-P`, `-d`,
    /// `-a` and `-H` decides; without one, links are followed unless `-R` is given.
    fn follows(&self, named: bool) -> bool {
        match self.parsed.last(&["L", "P", "d", "a", "H"]) {
            Some("L") => true,
            Some("H") => named,
            Some(_) => false,
            None => !self.recursive,
        }
    }

    /// Copies a file, or a directory with its content, to `path`. What fails is reported, and the rest goes on.
    fn tree(&mut self, source: Vec<u8>, path: Vec<u8>) {
        let root = path.clone();
        // Directories get their attributes when everything is in them.
        let mut directories: Vec<(Vec<u8>, Stat, bool)> = Vec::new();
        let mut pending = vec![(source, path, true)];
        while let Some((source, path, named)) = pending.pop() {
            let stat = match system::stat(&source, self.follows(named)) {
                Ok(stat) => stat,
                Err(failure) => {
                    self.complain("stat", &source, failure);
                    continue;
                }
            };
            if stat.kind != Kind::Directory {
                self.one(&source, &path, &stat, named);
                continue;
            }
            if !self.recursive {
                self.fail(bytes!(
                    "-r not specified; omitting directory ",
                    quote::message(&source)
                ));
                continue;
            }
            let Some(made) = self.directory(&source, &path, &stat, &root) else {
                continue;
            };
            directories.push((path.clone(), stat, made));
            match system::read_directory(&source) {
                Ok(entries) => pending.extend(entries.iter().rev().map(|entry| {
                    (
                        system::join(&source, &entry.name),
                        system::join(&path, &entry.name),
                        false,
                    )
                })),
                Err(failure) => self.complain("access", &source, failure),
            }
        }
        for (path, stat, made) in directories.into_iter().rev() {
            let mode = match (self.preserve.mode, self.preserve.no_mode) {
                (true, _) => stat.mode,
                (_, true) => 0o777 & !system::umask(),
                _ => stat.mode & !system::umask(),
            };
            let mode = (made || self.preserve.mode).then_some(mode);
            if let Err(failure) = self.attributes(&path, &stat, mode) {
                self.fail(bytes!(
                    "setting permissions for ",
                    quote::message(&path),
                    ": ",
                    failure
                ));
            }
        }
    }

    /// Makes a directory where there is none: true where it was made, false where it was there, none after a message.
    /// Refuses to copy a directory into itself; `root` is the destination of the whole tree, for that message.
    fn directory(&mut self, source: &[u8], path: &[u8], stat: &Stat, root: &[u8]) -> Option<bool> {
        match system::stat(path, true) {
            Ok(old) if old.kind != Kind::Directory => {
                let (path, source) = (quote::message(path), quote::message(source));
                let text = "cannot overwrite non-directory ";
                self.fail(bytes!(text, path, " with directory ", source));
                return None;
            }
            Ok(_) => return Some(false),
            Err(_) => {}
        }
        let inside = match (
            system::canonicalize(source),
            parent(path).map(system::canonicalize),
        ) {
            (Ok(source), Some(Ok(above))) => {
                above == source || above.starts_with(&bytes!(source, "/"))
            }
            _ => false,
        };
        if inside {
            let (source, root) = (quote::message(source), quote::message(root));
            self.fail(bytes!(
                "cannot copy a directory, ",
                source,
                ", into itself, ",
                root
            ));
            return None;
        }
        if let Err(failure) = system::make_directory(path, stat.mode | 0o700) {
            self.complain("create directory", path, failure);
            return None;
        }
        self.say(source, path);
        Some(true)
    }

    /// Whether an existing file is left as it is: by `-n`, by the answer to `-i`, or because `-u` finds it new enough.
    fn keeps(&mut self, path: &[u8], stat: &Stat, old: &Stat) -> bool {
        let newer = |parsed: &Parsed| match parsed.value("u") {
            None | Some(b"all") => false,
            Some(b"none" | b"none-fail") => true,
            Some(_) => old.modified >= stat.modified,
        };
        let last = self.parsed.last(&["i", "n", "f"]);
        if last == Some("n") || newer(self.parsed) {
            return true;
        }
        if last != Some("i") {
            return false;
        }
        self.out.flush();
        let question = bytes!("overwrite ", quote::message(path), "? ");
        !self.call.asks(question)
    }

    /// Copies anything but a directory. Refuses to overwrite a directory, a file with itself, or an operand (`named`)
    /// with another; makes the backup before it writes.
    fn one(&mut self, source: &[u8], path: &[u8], stat: &Stat, named: bool) {
        let old = system::stat(path, false).ok();
        let seen = system::stat(path, true).ok();
        if let Some(old) = seen.as_ref().or(old.as_ref()) {
            let is_link = |found: &Stat| found.kind == Kind::Symlink;
            let replaced = self.parsed.has("remove-destination")
                && system::stat(path, false).is_ok_and(|found| is_link(&found));
            if old.is_same(stat) && !is_link(old) && !replaced {
                let (source, path) = (quote::message(source), quote::message(path));
                return self.fail(bytes!(source, " and ", path, " are the same file"));
            }
            if old.kind == Kind::Directory {
                let text = "cannot overwrite directory ";
                return self.fail(bytes!(text, quote::message(path), " with non-directory"));
            }
            if self.keeps(path, stat, old) {
                return;
            }
            if named && self.made.contains(path) {
                let (source, path) = (quote::message(source), quote::message(path));
                let text = "will not overwrite just-created ";
                return self.fail(bytes!(text, path, " with ", source));
            }
            if let Err(failure) = self.backup.make(path) {
                return self.complain("backup", path, failure);
            }
        }
        match self.write(source, path, stat, old.is_some()) {
            Ok(()) => {
                if named && self.may_repeat {
                    self.made.insert(path.to_vec());
                }
                self.say(source, path);
            }
            // What was said already.
            Err(("", ..)) => {}
            Err((what, at, failure)) => self.complain(what, &at, failure),
        }
    }

    /// Makes the copy at `path`. Symbolic links, FIFOs and with `-f` links of `-l` and `-s` replace what is there; a file
    /// is written into, and keeps its mode unless modes are preserved. `exists` is whether something was there before
    /// the backup.
    ///
    /// # Errors
    /// What failed, at which path, and why; an empty text where a message was printed already.
    fn write(
        &mut self,
        source: &[u8],
        path: &[u8],
        stat: &Stat,
        exists: bool,
    ) -> Result<(), (&'static str, Vec<u8>, Failure)> {
        let at = |what: &'static str, path: &[u8]| {
            let path = path.to_vec();
            move |failure: Failure| (what, path.clone(), failure)
        };
        let special = stat.kind != Kind::Regular && self.recursive;
        let replaces = self.parsed.has("remove-destination")
            || (self.parsed.has("l") && self.parsed.last(&["f", "i"]).is_some())
            || (self.parsed.has("s") && self.parsed.has("f"))
            || special
            || stat.kind == Kind::Symlink;
        let still = exists && system::stat(path, false).is_ok();
        if still && (replaces || (self.parsed.has("f") && system::access(path, 2).is_err())) {
            system::unlink(path).map_err(at("remove", path))?;
        }
        if self.parsed.has("l") {
            let made = system::link(source, path, false);
            return made.map_err(|failure| self.refused("hard", source, path, failure));
        }
        if self.parsed.has("s") {
            let here = || system::stat(b".", true);
            let beside = |above| Some(here().ok()?.is_same(&system::stat(above, true).ok()?));
            if !source.starts_with(b"/") && parent(path).and_then(beside) != Some(true) {
                let text = ": can make relative symbolic links only in current directory";
                self.fail(bytes!(quote::shell_where_needed(path), text));
                return Err(("", Vec::new(), Failure(system::Errno::Invalid)));
            }
            let made = system::symlink(source, path);
            return made.map_err(|failure| self.refused("symbolic", source, path, failure));
        }
        if stat.kind == Kind::Symlink {
            let target = system::read_link(source).map_err(at("read symbolic link", source))?;
            return system::symlink(&target, path).map_err(at("create symbolic link", path));
        }
        if self.preserve.links && stat.links > 1 {
            if let Some(first) = self.links.get(&(stat.device, stat.inode)) {
                if system::stat(path, false).is_ok() {
                    system::unlink(path).map_err(at("remove", path))?;
                }
                return system::link(first, path, false).map_err(at("create hard link", path));
            }
            self.links.insert((stat.device, stat.inode), path.to_vec());
        }
        if stat.kind == Kind::Fifo && self.recursive {
            return system::make_fifo(path, stat.mode).map_err(at("create fifo", path));
        }
        let is_new = system::stat(path, true).is_err();
        if !self.parsed.has("attributes-only") {
            let mut input = system::open_file(source).map_err(at("open", source))?;
            let mut output = create(path).map_err(at("create regular file", path))?;
            let copied = std::io::copy(&mut input, &mut output);
            copied.map_err(|error| ("write", path.to_vec(), Failure::from(error)))?;
        }
        let mode = match (self.preserve.mode, self.preserve.no_mode) {
            (true, _) => stat.mode,
            (_, true) => 0o666 & !system::umask(),
            _ => stat.mode & 0o777 & !system::umask(),
        };
        let mode = (is_new || self.preserve.mode).then_some(mode);
        self.attributes(path, stat, mode)
            .map_err(at("set permissions of", path))
    }

    /// The message about a link of `-l` or `-s` that could not be made; what is returned says that it was printed.
    fn refused(
        &mut self,
        kind: &str,
        source: &[u8],
        path: &[u8],
        failure: Failure,
    ) -> (&'static str, Vec<u8>, Failure) {
        let (source, path) = (quote::message(source), quote::message(path));
        let what = bytes!("cannot create ", kind, " link ", path, " to ", source);
        self.fail(bytes!(what, ": ", failure));
        ("", Vec::new(), failure)
    }

    /// Sets owner and times, where they are kept, and the mode after the owner, whose change takes set-ID bits away. In
    /// a file that stays another's they are not set.
    ///
    /// # Errors
    /// The mode could not be set; for times there is a message.
    fn attributes(&mut self, path: &[u8], stat: &Stat, mode: Option<u32>) -> system::Result<()> {
        // Only root can give files away; a copy keeps what it can.
        let owned = !self.preserve.owner
            || system::set_owner(path, Some(stat.uid), Some(stat.gid), false).is_ok();
        let set = match mode {
            Some(mode) if owned => system::set_mode(path, mode),
            Some(mode) => system::set_mode(path, mode & 0o777),
            None => Ok(()),
        };
        if self.preserve.times
            && let Err(failure) = system::set_times(path, stat.accessed, stat.modified, true)
        {
            self.fail(bytes!(
                "preserving times for ",
                quote::message(path),
                ": ",
                failure
            ));
        }
        set
    }
}

/// A new or emptied file. A name that ends with a slash asks for a directory, hence the error.
fn create(path: &[u8]) -> system::Result<crate::system::File> {
    match system::create_file(path, false) {
        Err(Failure(system::Errno::IsDirectory)) if path.ends_with(b"/") => {
            Err(Failure(system::Errno::NotDirectory))
        }
        made => made,
    }
}

/// The directory that holds what `path` names: `.` for a bare name, `/` for names directly below it.
pub fn parent(path: &[u8]) -> Option<&[u8]> {
    let path = trim(path);
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(0) => Some(b"/"),
        Some(at) => Some(&path[..at]),
        None => Some(b"."),
    }
}
