//! `ar` and `ranlib`, after GNU Binutils 2.40: archives of object files.
//!
//! The first word is a cluster of one operation (`d`, `m`, `p`, `q`, `r`, `t`, `x`, or `s` alone) and modifiers, with
//! a dash or without. Operands follow in this order: the member of `a`, `b` or `i`, the count of `N`, the archive,
//! the files.
//!
//! ```text
//! ar rcs lib.a x.o y.o     replace or add, without a message, with an index
//! ar rb y.o lib.a z.o      put z.o before y.o
//! ar xN 2 lib.a x.o        extract the second member of this name
//! ```
//!
//! An archive is read into memory as a whole and written anew, with an index of symbols unless `S` is given. Times
//! and owners are zero and modes 0644 unless `U` is given, so that the same files give the same bytes: Binutils calls
//! that `D`, and Debian builds it as the default.
//!
//! Statuses: 0; 1 for an error; 9 where an archive that is to be read does not exist.

mod change;
mod format;
mod show;
mod symbols;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::system::{self, Kind, Time};
use format::Member;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: ar [emulation options] [-]{dmpqrstx}[abcDfilMNoOPsSTuvV] [--plugin <name>] [member-name] [count] archive-file file...\n commands:\n  d            - delete file(s) from the archive\n  m[ab]        - move file(s) in the archive\n  p            - print file(s) found in the archive\n  q[f]         - quick append file(s) to the archive\n  r[ab][f][u]  - replace existing or insert new file(s) into the archive\n  s            - act as ranlib\n  t[O][v]      - display contents of the archive\n  x[o]         - extract file(s) from the archive\n command specific modifiers:\n  [a]          - put file(s) after [member-name]\n  [b]          - put file(s) before [member-name] (same as [i])\n  [D]          - use zero for timestamps and uids/gids (default)\n  [U]          - use actual timestamps and uids/gids\n  [N]          - use instance [count] of name\n  [f]          - truncate inserted file names\n  [P]          - use full path names when matching\n  [o]          - preserve original dates\n  [O]          - display offsets of files in the archive\n  [u]          - only replace files that are newer than current archive contents\n generic modifiers:\n  [c]          - do not warn if the library had to be created\n  [s]          - create an archive index (cf. ranlib)\n  [S]          - do not build a symbol table\n  [v]          - be verbose\n  [V]          - display the version number\n  --output=DIRNAME - specify the output directory for extraction operations\n",
    options: &[
        Opt("h", "help", Value::No),
        Opt("V", "version", Value::No),
        Opt("d", "", Value::No),
        Opt("m", "", Value::No),
        Opt("p", "", Value::No),
        Opt("q", "", Value::No),
        Opt("r", "", Value::No),
        Opt("s", "", Value::No),
        Opt("t", "", Value::No),
        Opt("x", "", Value::No),
        Opt("a", "", Value::No),
        Opt("bi", "", Value::No),
        Opt("c", "", Value::No),
        Opt("D", "", Value::No),
        Opt("f", "", Value::No),
        Opt("l", "", Value::Required),
        Opt("N", "", Value::No),
        Opt("o", "", Value::No),
        Opt("O", "", Value::No),
        Opt("P", "", Value::No),
        Opt("S", "", Value::No),
        Opt("u", "", Value::No),
        Opt("U", "", Value::No),
        Opt("v", "", Value::No),
        Opt("", "output", Value::Required),
    ],
    permute: true,
    status: 1,
};

const RANLIB: Syntax = Syntax {
    usage: "Usage: ranlib [options] archive\n Generate an index to speed access to archives\n The options are:\n  -D                           Use zero for symbol map timestamp (default)\n  -U                           Use an actual symbol map timestamp\n  -h --help                    Print this help message\n  -v --version                 Print version information\n",
    options: &[
        Opt("D", "", Value::No),
        Opt("U", "", Value::No),
        Opt("h", "help", Value::No),
        Opt("vV", "version", Value::No),
    ],
    permute: true,
    status: 1,
};

/// One call of `ar`.
struct Ar<'a> {
    call: &'a Call,
    parsed: Parsed,
    archive: Vec<u8>,
    /// The member beside which others are put.
    place: Option<Vec<u8>>,
    /// Which of several members of one name is meant (`N`), counted from 1.
    count: Option<usize>,
    /// The files or members that are named. None of them means all members for `t`, `p` and `x`.
    files: Vec<Vec<u8>>,
}

/// Runs `ar`.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

fn start(call: &Call) -> Result<i32, i32> {
    let mut arguments = call.arguments.clone();
    // The first word is options, with a dash or without.
    if let Some(first) = arguments
        .first_mut()
        .filter(|first| !first.starts_with(b"-"))
    {
        first.insert(0, b'-');
    }
    let call = &Call {
        name: call.name.clone(),
        arguments,
    };
    let parsed = options::parse(call, &SYNTAX)?;
    if parsed.has("h") {
        return Ok(information(&SYNTAX));
    }
    if parsed.has("l") {
        return Err(call.fail(1, "the dependencies of a library (l) are not supported"));
    }
    let operations = ["d", "m", "p", "q", "r", "t", "x"];
    let given = |key: &&&str| parsed.has(key);
    let chosen: Vec<&str> = operations.iter().filter(given).copied().collect();
    let repeated = parsed
        .options
        .iter()
        .filter(|(key, _)| operations.contains(key));
    if chosen.len() > 1 || repeated.count() > 1 {
        return Err(call.fail(1, "two different operation options specified"));
    }
    let mut words = parsed.operands.clone().into_iter();
    let mut next = || words.next().ok_or_else(|| usage(&SYNTAX));
    let Some(operation) = chosen.first().copied().or(parsed.has("s").then_some("s")) else {
        return Err(usage(&SYNTAX));
    };
    let positioned = parsed.has("a") || parsed.has("b");
    let place = if positioned { Some(next()?) } else { None };
    let count = match parsed.has("N") {
        true if !matches!(operation, "x" | "d") => {
            let message = "`N' is only meaningful with the `x' and `d' options.";
            return Err(call.fail(1, message));
        }
        true => {
            let count = options::number(&next()?).filter(|count: &usize| *count > 0);
            Some(count.ok_or_else(|| call.fail(1, "Value for `N' must be positive."))?)
        }
        false => None,
    };
    let archive = next()?;
    if parsed.has("u") && !parsed.has("U") {
        let message = "`u' modifier ignored since `D' is the default (see `U')";
        call.fail(0, message);
    }
    let ar = Ar {
        call,
        archive,
        place,
        count,
        files: words.collect(),
        parsed,
    };
    match operation {
        "s" => index(call, &ar.archive, ar.parsed.has("U")).map(|()| 0),
        "p" | "t" | "x" => {
            let members = ar.read()?;
            ar.show(operation, members)
        }
        _ => ar.change(operation),
    }
}

impl Ar<'_> {
    /// The members of the archive, which must be there.
    fn read(&self) -> Result<Vec<Member>, i32> {
        read(self.call, &self.archive, 9)
    }

    fn is_verbose(&self) -> bool {
        self.parsed.has("v")
    }

    /// The name of the member that stands for the file `path`: its last part, or with `P` all of it.
    fn name_of<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        if self.parsed.has("P") {
            return path;
        }
        path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
    }

    /// The index of the member that `file` names, by `N` the one that is meant. Members that an earlier operand has
    /// taken do not count, so that a name that is given twice stands for two members. With `f` a name of 15 bytes
    /// stands for all longer names that begin with it.
    fn find(&self, members: &[Member], file: &[u8]) -> Option<usize> {
        let name = self.name_of(file);
        let mut found = members.iter().enumerate().filter(|(_, member)| {
            let cut = self.parsed.has("f") && name.starts_with(&member.name);
            let named = member.name == name || cut && member.name.len() == format::SHORT_NAME;
            named && !member.is_taken
        });
        found.nth(self.count.unwrap_or(1) - 1).map(|(at, _)| at)
    }

    /// Writes the archive anew, with an index unless `S` is given.
    fn write(&self, members: &[Member]) -> Result<(), i32> {
        let index = (!self.parsed.has("S")).then(|| self.time());
        write(self.call, &self.archive, members, index)
    }

    /// The time of an index.
    fn time(&self) -> i64 {
        now(self.parsed.has("U"))
    }
}

/// The present in seconds since 1970, or 0 where archives are to be the same each time.
fn now(is_real: bool) -> i64 {
    if is_real { Time::now().seconds } else { 0 }
}

/// Writes an archive; `index` is the time of its index of symbols. The error is the status, after a message.
fn write(call: &Call, path: &[u8], members: &[Member], index: Option<i64>) -> Result<(), i32> {
    use std::io::Write as _;
    let archive = format::write(members, index);
    let written =
        system::create_file(path, false).and_then(|mut file| Ok(file.write_all(&archive)?));
    written.map_err(|failure| call.fail(1, bytes!(path, ": ", failure)))
}

/// The members of an archive; `missing` is the status where there is no such file. The error is the status, after a
/// message.
fn read(call: &Call, path: &[u8], missing: i32) -> Result<Vec<Member>, i32> {
    let refuse =
        |status: i32, reason: &dyn AsRef<[u8]>| call.fail(status, bytes!(path, ": ", reason));
    let stat = system::stat(path, true).map_err(|failure| refuse(missing, &failure))?;
    if stat.kind == Kind::Directory {
        return Err(refuse(1, &format::Error::Unknown.reason()));
    }
    let content = system::read_whole(path).map_err(|failure| refuse(1, &failure))?;
    format::read(&content).map_err(|error| refuse(1, &error.reason()))
}

/// Writes an archive anew with an index of symbols: `ranlib` and `ar s`.
fn index(call: &Call, path: &[u8], is_real: bool) -> Result<(), i32> {
    match system::stat(path, true) {
        Err(system::NO_ENTRY) => {
            return Err(call.fail(1, bytes!("'", path, "': No such file")));
        }
        Ok(stat) if stat.kind == Kind::Directory => {
            return Err(call.fail(1, bytes!("Warning: '", path, "' is a directory")));
        }
        _ => {}
    }
    let members = read(call, path, 1)?;
    write(call, path, &members, Some(now(is_real)))
}

/// Runs `ranlib`. Each archive is tried; the status is that of the last one that failed.
pub fn ranlib(call: &Call) -> i32 {
    let parsed = match options::parse(call, &RANLIB) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.has("h") {
        return information(&RANLIB);
    }
    if parsed.operands.is_empty() {
        return usage(&RANLIB);
    }
    let is_real = parsed.last(&["D", "U"]) == Some("U");
    let mut status = 0;
    for archive in &parsed.operands {
        if let Err(failed) = index(call, archive, is_real) {
            status = failed;
        }
    }
    status
}

/// The help on standard output, for `-h`.
fn information(syntax: &Syntax) -> i32 {
    let mut out = crate::output::Output::new();
    out.put(syntax.usage);
    out.finish("ar", 0, 1)
}

/// The help on standard error, where operands are missing; gives the status.
fn usage(syntax: &Syntax) -> i32 {
    eprint!("{}", syntax.usage);
    syntax.status
}
