//! `rm` of coreutils 9.1. A tree is removed depth first with a stack of open directories; a directory goes when all in
//! it is gone, and is left, with those above it, where something stays.
//!
//! `rm -r` refuses `.`, `..` and, unless `--no-preserve-root` is given, `/`. `--one-file-system` has no effect.

use crate::call::{Call, bytes};
use crate::copy::{base, trim};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure, Kind, Stat};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: rm [OPTION]... [FILE]...\nRemove (unlink) the FILE(s).\n",
    options: &[
        Opt("f", "force", Value::No),
        Opt("i", "", Value::No),
        Opt("I", "", Value::No),
        Opt("", "interactive", Value::Optional),
        Opt("", "one-file-system", Value::No),
        Opt("", "no-preserve-root", Value::No),
        Opt("", "preserve-root", Value::Optional),
        Opt("rR", "recursive", Value::No),
        Opt("d", "dir", Value::No),
        Opt("v", "verbose", Value::No),
    ],
    permute: true,
    status: 1,
};

/// When somebody is asked; the last of `-f`, `-i`, `-I` and `--interactive` decides.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// Where a file is write-protected and standard input is a terminal.
    Usual,
    /// `-f`, which also keeps silent about files that are not there.
    Never,
    /// `-I`: before more than three operands or a recursion.
    Once,
    /// `-i`: before each file and directory.
    Always,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and removes; `Err` is the status after a message. Without operands `-f` is content.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let paths = std::mem::take(&mut parsed.operands);
    let ask = ask(call, &parsed)?;
    match parsed.value("preserve-root") {
        None | Some(b"" | b"all") => {}
        Some(value) => {
            let message = bytes!(
                "unrecognized --preserve-root argument: ",
                quote::word(value)
            );
            return Err(call.fail(1, message));
        }
    }
    if paths.is_empty() {
        return if parsed.has("f") {
            Ok(0)
        } else {
            Err(options::usage_error(call, &SYNTAX, "missing operand"))
        };
    }
    let recursive = parsed.has("r");
    if ask == Ask::Once && (recursive || paths.len() > 3) && !agreed(call, paths.len(), recursive) {
        return Ok(0);
    }
    let mut remove = Remove {
        call,
        recursive,
        ask,
        parsed: &parsed,
        out: Output::new(),
        status: 0,
    };
    for path in paths {
        remove.operand(path);
    }
    let status = remove.status;
    Ok(remove.out.finish(&call.name, status, 1))
}

/// When to ask; status 1 after a message for a word that is none of `--interactive`.
fn ask(call: &Call, parsed: &Parsed) -> Result<Ask, i32> {
    Ok(match parsed.last(&["f", "i", "I", "interactive"]) {
        None => Ask::Usual,
        Some("f") => Ask::Never,
        Some("i") => Ask::Always,
        Some("I") => Ask::Once,
        Some(_) => match parsed.value("interactive").unwrap_or_default() {
            b"" => Ask::Always,
            value => {
                let names = [
                    vec!["never", "no", "none"],
                    vec!["once"],
                    vec!["always", "yes"],
                ];
                let at = options::choice(call, "--interactive", value, &names)?;
                [Ask::Never, Ask::Once, Ask::Always][at]
            }
        },
    })
}

/// The question of `-I`.
fn agreed(call: &Call, count: usize, recursive: bool) -> bool {
    let plural = if count == 1 { "" } else { "s" };
    let how = if recursive { " recursively" } else { "" };
    call.asks(format!("remove {count} argument{plural}{how}? "))
}

/// The state of a run.
struct Remove<'a> {
    call: &'a Call,
    parsed: &'a Parsed,
    recursive: bool,
    ask: Ask,
    out: Output,
    status: i32,
}

/// A directory that is being emptied.
struct Open {
    path: Vec<u8>,
    /// What is still to be removed from it.
    entries: std::vec::IntoIter<system::Entry>,
    /// Something in it stays.
    kept: bool,
}

impl Remove<'_> {
    /// Reports a message after what was printed before; the status becomes 1.
    fn fail(&mut self, message: Vec<u8>) {
        self.out.flush();
        self.status = self.call.fail(1, message);
    }

    /// Reports what cannot be removed.
    fn complain(&mut self, path: &[u8], failure: Failure) {
        let name = quote::message(path);
        self.fail(bytes!("cannot remove ", name, ": ", failure));
    }

    /// Removes an operand with all that is in it.
    fn operand(&mut self, path: Vec<u8>) {
        let last = base(trim(&path));
        if self.recursive && (last == b"." || last == b"..") {
            let text = "refusing to remove '.' or '..' directory: skipping ";
            return self.fail(bytes!(text, quote::message(&path)));
        }
        let is_root = || system::canonicalize(&path).is_ok_and(|path| path == b"/");
        if self.recursive && !self.parsed.has("no-preserve-root") && is_root() {
            let name = quote::message(&path);
            let same = if path == b"/" { "" } else { " (same as '/')" };
            self.fail(bytes!(
                "it is dangerous to operate recursively on ",
                name,
                same
            ));
            let text = "use --no-preserve-root to override this failsafe";
            return self.fail(text.as_bytes().to_vec());
        }
        let mut stack = Vec::new();
        self.enter(path, &mut stack);
        while let Some(top) = stack.last_mut() {
            if let Some(entry) = top.entries.next() {
                let path = system::join(&top.path, &entry.name);
                let stays = !self.enter(path, &mut stack);
                self.keep(stays, &mut stack);
            } else if let Some(done) = stack.pop() {
                let stays = done.kept || !self.remove_directory(&done.path);
                self.keep(stays, &mut stack);
            }
        }
    }

    /// Notes in the directory above that something in it stays.
    fn keep(&self, stays: bool, stack: &mut [Open]) {
        if let (true, Some(above)) = (stays, stack.last_mut()) {
            above.kept = true;
        }
    }

    /// Removes a file, or opens a directory: false where it is certain to stay. With a slash at its end a link is
    /// followed. A directory with content needs `-r`, an empty one `-r` or `-d`.
    fn enter(&mut self, path: Vec<u8>, stack: &mut Vec<Open>) -> bool {
        let stat = match system::stat(&path, path.ends_with(b"/") && path.len() > 1) {
            Ok(stat) => stat,
            Err(failure) => {
                let absent =
                    failure == system::NO_ENTRY || failure.0 == system::Errno::NotDirectory;
                if !(absent && self.parsed.has("f")) {
                    self.complain(&path, failure);
                }
                return false;
            }
        };
        if stat.kind != Kind::Directory {
            return self.remove_file(&path, &stat);
        }
        if !self.recursive && !self.parsed.has("d") {
            self.complain(&path, Failure(system::Errno::IsDirectory));
            return false;
        }
        let entries = match system::read_directory(&path) {
            Ok(entries) => entries,
            Err(failure) => {
                self.complain(&path, failure);
                return false;
            }
        };
        if !entries.is_empty() {
            if !self.recursive {
                self.complain(&path, Failure(system::Errno::NotEmpty));
                return false;
            }
            let question = bytes!("descend into directory ", quote::message(&path), "? ");
            if self.ask == Ask::Always && !self.confirmed(question) {
                return false;
            }
        }
        stack.push(Open {
            path,
            entries: entries.into_iter(),
            kept: false,
        });
        true
    }

    /// Asks, after what was printed before.
    fn confirmed(&mut self, question: Vec<u8>) -> bool {
        self.out.flush();
        self.call.asks(question)
    }

    /// Removes a file after the questions; whether it is gone.
    fn remove_file(&mut self, path: &[u8], stat: &Stat) -> bool {
        if path.ends_with(b"/") {
            self.complain(path, Failure(system::Errno::NotDirectory));
            return false;
        }
        let protected = self.ask == Ask::Usual
            && stat.kind != Kind::Symlink
            && system::is_terminal(0)
            && system::access(path, 2).is_err();
        if protected || self.ask == Ask::Always {
            let how = if protected { "write-protected " } else { "" };
            let name = quote::message(path);
            if !self.confirmed(bytes!("remove ", how, kind(stat), " ", name, "? ")) {
                return false;
            }
        }
        self.finish(path, system::unlink(path), "removed ")
    }

    /// Removes an emptied directory after the question of `-i`; whether it is gone.
    fn remove_directory(&mut self, path: &[u8]) -> bool {
        let question = bytes!("remove directory ", quote::message(path), "? ");
        if self.ask == Ask::Always && !self.confirmed(question) {
            return false;
        }
        self.finish(path, system::remove_directory(path), "removed directory ")
    }

    /// Says what was done, or why not; whether the file is gone.
    fn finish(&mut self, path: &[u8], removed: system::Result<()>, said: &str) -> bool {
        match removed {
            Ok(()) if self.parsed.has("v") => {
                self.out.line(bytes!(said, quote::message(path)));
                true
            }
            Ok(()) => true,
            Err(failure) => {
                self.complain(path, failure);
                false
            }
        }
    }
}

/// How questions call a file.
fn kind(stat: &Stat) -> &'static str {
    match stat.kind {
        Kind::Regular if stat.size == 0 => "regular empty file",
        Kind::Regular => "regular file",
        Kind::Directory => "directory",
        Kind::Symlink => "symbolic link",
        Kind::Fifo => "fifo",
        Kind::CharacterDevice => "character special file",
    }
}
