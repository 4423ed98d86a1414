//! `ln` of coreutils 9.1. A link is made under a name that is free; what has the name is removed before, with `-f` or
//! `-i`, or renamed by a backup.

use crate::backup::Backup;
use crate::call::{Call, bytes};
use crate::copy::{base, parent, trim};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure, Kind};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: ln [OPTION]... [-T] TARGET LINK_NAME\n  or:  ln [OPTION]... TARGET\n  or:  ln [OPTION]... TARGET... DIRECTORY\n  or:  ln [OPTION]... -t DIRECTORY TARGET...\nMake hard links, or symbolic ones with --symbolic.\n",
    options: &[
        Opt("", "backup", Value::Optional),
        Opt("b", "", Value::No),
        Opt("dF", "directory", Value::No),
        Opt("f", "force", Value::No),
        Opt("i", "interactive", Value::No),
        Opt("L", "logical", Value::No),
        Opt("n", "no-dereference", Value::No),
        Opt("P", "physical", Value::No),
        Opt("r", "relative", Value::No),
        Opt("s", "symbolic", Value::No),
        Opt("S", "suffix", Value::Required),
        Opt("t", "target-directory", Value::Required),
        Opt("T", "no-target-directory", Value::No),
        Opt("v", "verbose", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and makes the links; `Err` is the status after a message.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let refuse = |message: Vec<u8>| options::usage_error(call, &SYNTAX, message);
    let backup = Backup::new(&parsed).map_err(refuse)?;
    let mut targets = std::mem::take(&mut parsed.operands);
    if parsed.has("r") && !parsed.has("s") {
        return Err(call.fail(1, "cannot do --relative without --symbolic"));
    }
    let directory = directory(call, &parsed, &mut targets)?;
    let mut ln = Ln {
        call,
        parsed: &parsed,
        backup,
        out: Output::new(),
        status: 0,
    };
    match directory {
        Place::Directory(directory) => {
            for target in &targets {
                ln.make(target, &system::join(&directory, base(trim(target))));
            }
        }
        Place::Name(name) => ln.make(&targets[0], &name),
    }
    let status = ln.status;
    Ok(ln.out.finish(&call.name, status, 1))
}

/// Where links go.
enum Place {
    /// Into this directory, each with the last name of its target.
    Directory(Vec<u8>),
    /// One link with this name.
    Name(Vec<u8>),
}

/// Tells targets and destination apart: the last operand is taken from `targets` where it is the destination. With `-n`
/// a link to a directory is a name like others.
///
/// # Errors
/// Status 1 after a message.
fn directory(call: &Call, parsed: &Parsed, targets: &mut Vec<Vec<u8>>) -> Result<Place, i32> {
    let refuse = |message: Vec<u8>| Err(options::usage_error(call, &SYNTAX, message));
    let Some(first) = targets.first() else {
        return refuse(b"missing file operand".to_vec());
    };
    if let Some(directory) = parsed.value("t") {
        if parsed.has("T") {
            let text = "cannot combine --target-directory and --no-target-directory";
            return refuse(text.as_bytes().to_vec());
        }
        return match system::stat(directory, true) {
            Ok(stat) if stat.kind == Kind::Directory => Ok(Place::Directory(directory.to_vec())),
            found => Err(no_directory(call, directory, found.err())),
        };
    }
    if parsed.has("T") {
        return match targets.len() {
            1 => {
                let first = quote::message(first);
                refuse(bytes!("missing destination file operand after ", first))
            }
            2 => Ok(Place::Name(targets.remove(1))),
            _ => refuse(bytes!("extra operand ", quote::message(&targets[2]))),
        };
    }
    if targets.len() == 1 {
        return Ok(Place::Directory(b".".to_vec()));
    }
    let last = targets.remove(targets.len() - 1);
    let found = system::stat(&last, !parsed.has("n"));
    match found {
        Ok(stat) if stat.kind == Kind::Directory => Ok(Place::Directory(last)),
        found if targets.len() > 1 => Err(no_directory(call, &last, found.err())),
        _ => Ok(Place::Name(last)),
    }
}

/// Says that the destination is no directory, and why; the status of that.
fn no_directory(call: &Call, name: &[u8], failure: Option<Failure>) -> i32 {
    let failure = failure.unwrap_or(Failure(system::Errno::NotDirectory));
    call.fail(1, bytes!("target ", quote::message(name), ": ", failure))
}

/// The state of a run.
struct Ln<'a> {
    call: &'a Call,
    parsed: &'a Parsed,
    backup: Backup,
    out: Output,
    status: i32,
}

impl Ln<'_> {
    /// Reports a message after what was printed before; the status becomes 1.
    fn fail(&mut self, message: Vec<u8>) {
        self.out.flush();
        self.status = self.call.fail(1, message);
    }

    /// Makes one link. A hard link's target must be there and no directory; a symbolic one may lead anywhere.
    fn make(&mut self, target: &[u8], name: &[u8]) {
        let symbolic = self.parsed.has("s");
        let shown = quote::message(name);
        let follow = self.parsed.last(&["L", "P"]) == Some("L");
        if !symbolic {
            match system::stat(target, follow) {
                Err(failure) => {
                    let target = quote::message(target);
                    return self.fail(bytes!("failed to access ", target, ": ", failure));
                }
                Ok(stat) if stat.kind == Kind::Directory => {
                    let target = quote::shell_where_needed(target);
                    return self.fail(bytes!(target, ": hard link not allowed for directory"));
                }
                Ok(_) => {}
            }
        }
        let saved = match self.clear(target, name) {
            Some(saved) => saved,
            None => return,
        };
        let relative = (symbolic && self.parsed.has("r"))
            .then(|| relative(target, name))
            .flatten();
        let source = relative.as_deref().unwrap_or(target);
        let made = if symbolic {
            system::symlink(source, name)
        } else {
            system::link(source, name, follow)
        };
        let brief = symbolic || made == Err(system::EXIST);
        let quoted = quote::message(source);
        match made {
            Ok(()) if self.parsed.has("v") => {
                let saved = saved.map(|saved| bytes!(quote::message(&saved), " ~ "));
                let arrow = if symbolic { " -> " } else { " => " };
                self.out
                    .line(bytes!(saved.unwrap_or_default(), shown, arrow, quoted));
            }
            Ok(()) => {}
            Err(failure) => {
                let kind = if symbolic { "symbolic" } else { "hard" };
                let what = bytes!("failed to create ", kind, " link ", shown);
                if brief && !source.is_empty() {
                    return self.fail(bytes!(what, ": ", failure));
                }
                let arrow = if symbolic { " -> " } else { " => " };
                self.fail(bytes!(what, arrow, quoted, ": ", failure));
            }
        }
    }

    /// Takes what has the name out of the way, where that is wanted. Gives the backup's name, if one was made; none
    /// outside where no link is to be made, after a message or the answer to `-i`.
    fn clear(&mut self, target: &[u8], name: &[u8]) -> Option<Option<Vec<u8>>> {
        let mode = self.parsed.last(&["f", "i"]);
        let Ok(old) = system::stat(name, false) else {
            return Some(None);
        };
        if mode.is_none() && !self.backup.is_on() {
            return Some(None);
        }
        let shown = quote::message(name);
        if old.kind == Kind::Directory {
            self.fail(bytes!(
                quote::shell_where_needed(name),
                ": cannot overwrite directory"
            ));
            return None;
        }
        // Another link to the same file may go, the only one may not.
        let same = system::stat(target, true).is_ok_and(|stat| {
            stat.is_same(&old) && (stat.links == 1 || is_same_name(target, name))
        });
        if same && (!self.parsed.has("s") || !self.backup.is_on()) {
            let target = quote::message(target);
            self.fail(bytes!(target, " and ", shown, " are the same file"));
            return None;
        }
        if mode == Some("i") {
            self.out.flush();
            if !self.call.asks(bytes!("replace ", shown, "? ")) {
                return None;
            }
        }
        let saved = match self.backup.make(name) {
            Ok(saved) => saved,
            Err(failure) => {
                self.fail(bytes!("cannot backup ", shown, ": ", failure));
                return None;
            }
        };
        if saved.is_none()
            && let Err(failure) = system::unlink(name)
        {
            self.fail(bytes!("cannot remove ", shown, ": ", failure));
            return None;
        }
        Some(saved)
    }
}

/// Whether both are one name in one directory, in whatever way they are written.
fn is_same_name(one: &[u8], other: &[u8]) -> bool {
    let place = |name: &[u8]| {
        let base = name.rsplit(|&byte| byte == b'/').next().map(<[u8]>::to_vec);
        parent(name).and_then(|above| Some((system::canonicalize(above).ok()?, base?)))
    };
    place(one).is_some_and(|one| place(other) == Some(one))
}

/// The way from the directory that the link stands in to its target, both without symbolic links. None where a
/// directory on the way is missing.
///
/// ```text
/// target /a/b/c, link /a/x/l   ->  ../b/c
/// target /a,     link /a/l     ->  .
/// ```
fn relative(target: &[u8], name: &[u8]) -> Option<Vec<u8>> {
    let from = system::canonicalize(parent(name)?).ok()?;
    let above = system::canonicalize(parent(target)?).ok()?;
    let to = match system::canonicalize(target) {
        Ok(to) => to,
        Err(_) => system::join(&above, base(trim(target))),
    };
    let parts = |path: &[u8]| -> Vec<Vec<u8>> {
        let parts = path.split(|&byte| byte == b'/');
        parts
            .filter(|part| !part.is_empty())
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (from, to) = (parts(&from), parts(&to));
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(b"..".to_vec(), from.len() - same);
    let way: Vec<Vec<u8>> = up.chain(to[same..].iter().cloned()).collect();
    Some(if way.is_empty() {
        b".".to_vec()
    } else {
        way.join(&b'/')
    })
}
