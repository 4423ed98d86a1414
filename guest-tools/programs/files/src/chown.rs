//! `chown` and `chgrp` of coreutils 9.1. Accounts are those of `/etc/passwd` and `/etc/group`; a name that is none of
//! these may be a number.

use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure, Kind, Stat};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: chown [OPTION]... [OWNER][:[GROUP]] FILE...\n  or:  chgrp [OPTION]... GROUP FILE...\nChange the owner and group of each FILE.\n",
    options: &[
        Opt("c", "changes", Value::No),
        Opt("f", "quiet", Value::No),
        Opt("f", "silent", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("", "dereference", Value::No),
        Opt("h", "no-dereference", Value::No),
        Opt("", "from", Value::Required),
        Opt("", "no-preserve-root", Value::No),
        Opt("", "preserve-root", Value::No),
        Opt("", "reference", Value::Required),
        Opt("R", "recursive", Value::No),
        Opt("H", "", Value::No),
        Opt("L", "", Value::No),
        Opt("P", "", Value::No),
    ],
    permute: true,
    status: 1,
};

/// The new owner and group; none keeps what a file has.
#[derive(Clone)]
struct Owner {
    uid: Option<u32>,
    gid: Option<u32>,
    /// How the command line names them, which `-v` shows again.
    text: String,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let accounts = Accounts::new();
    match prepare(call, &accounts) {
        Ok((parsed, owner, from, files)) => {
            let out = Output::new();
            let mut chown = Chown {
                call,
                parsed,
                accounts,
                owner,
                from,
                out,
                status: 0,
            };
            files.into_iter().for_each(|file| chown.change(file));
            chown.out.finish(&call.name, chown.status, 1)
        }
        Err(status) => status,
    }
}

/// Options, new owner, the owner of `--from`, and the files.
type Prepared = (Parsed, Owner, Owner, Vec<Vec<u8>>);

/// Reads the command line.
///
/// # Errors
/// Status 1 after a message. A dot between owner and group gets a warning alone.
fn prepare(call: &Call, accounts: &Accounts) -> Result<Prepared, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let mut files = std::mem::take(&mut parsed.operands);
    let group_only = call.name == "chgrp";
    let refuse = |message| Err(options::usage_error(call, &SYNTAX, message));
    let owner = if let Some(reference) = parsed.value("reference") {
        let found = system::stat(reference, true).map_err(|failure| {
            let name = quote::message(reference);
            call.fail(
                1,
                bytes!("failed to get attributes of ", name, ": ", failure),
            )
        })?;
        Owner {
            uid: (!group_only).then_some(found.uid),
            gid: Some(found.gid),
            text: format!("{}:{}", found.uid, found.gid),
        }
    } else {
        if files.is_empty() {
            return refuse(b"missing operand".to_vec());
        }
        let text = files.remove(0);
        if files.is_empty() {
            return refuse(bytes!("missing operand after ", quote::word(&text)));
        }
        let colon = text.contains(&b':')
            || accounts
                .find_user(&String::from_utf8_lossy(&text))
                .is_some();
        if !group_only && !colon && text.contains(&b'.') {
            let text = quote::word(&text);
            call.fail(0, bytes!("warning: '.' should be ':': ", text));
        }
        owner(&text, group_only, accounts)
            .map_err(|what| call.fail(1, bytes!("invalid ", what, ": ", quote::word(&text))))?
    };
    let follow = parsed.last(&["H", "L", "P"]);
    let dereference = parsed.last(&["h", "dereference"]) == Some("dereference");
    if parsed.has("R") && dereference && matches!(follow, None | Some("P")) {
        return Err(call.fail(1, "-R --dereference requires either -H or -L"));
    }
    let from = match parsed.value("from") {
        None => Owner {
            uid: None,
            gid: None,
            text: String::new(),
        },
        Some(text) => owner_of(text, accounts)
            .map_err(|what| call.fail(1, bytes!("invalid ", what, ": ", quote::word(text))))?,
    };
    Ok((parsed, owner, from, files))
}

/// The owner that the operand means: a group for `chgrp`, else see `owner_of`. The error names what is invalid.
fn owner(text: &[u8], group_only: bool, accounts: &Accounts) -> Result<Owner, &'static str> {
    if !group_only {
        return owner_of(text, accounts);
    }
    let gid = if text.is_empty() {
        None
    } else {
        Some(group(text, accounts)?)
    };
    Ok(Owner {
        uid: None,
        gid,
        text: String::from_utf8_lossy(text).into_owned(),
    })
}

/// The number of a group; an existing name wins over a number.
fn group(text: &[u8], accounts: &Accounts) -> Result<u32, &'static str> {
    let name = String::from_utf8_lossy(text);
    accounts
        .find_group(&name)
        .or_else(|| name.parse().ok())
        .ok_or("group")
}

/// `OWNER`, `OWNER:GROUP`, `OWNER:` (the owner's main group) or `:GROUP`; a dot may stand for the colon. The error
/// names what is invalid: `user` or `group`.
///
/// ```text
/// root       ->  uid 0, no group      root:  ->  uid 0, gid 0
/// :staff     ->  no uid, gid 50       7:8    ->  uid 7, gid 8
/// ```
fn owner_of(text: &[u8], accounts: &Accounts) -> Result<Owner, &'static str> {
    let text = String::from_utf8_lossy(text);
    let (user, group_name) = match text.split_once(':').or_else(|| text.split_once('.')) {
        Some((user, group)) => (user, Some(group)),
        None => (&*text, None),
    };
    let found = match user {
        "" => None,
        _ => Some(
            accounts
                .find_user(user)
                .or_else(|| user.parse().ok().map(|uid| (uid, uid)))
                .ok_or("user")?,
        ),
    };
    let gid = match group_name {
        None => None,
        Some("") => found.map(|(_, gid)| gid),
        Some(name) => Some(group(name.as_bytes(), accounts)?),
    };
    let shown = text.strip_prefix(':').unwrap_or(&text).to_owned();
    Ok(Owner {
        uid: found.map(|(uid, _)| uid),
        gid,
        text: shown,
    })
}

/// What is next in turn.
enum Step {
    /// A file, or a directory before its content.
    Visit(Vec<u8>),
    /// A directory after its content.
    Leave(Vec<u8>),
}

/// The state of a run.
struct Chown<'a> {
    call: &'a Call,
    parsed: Parsed,
    accounts: Accounts,
    owner: Owner,
    /// `--from`: files of others are left as they are.
    from: Owner,
    out: Output,
    status: i32,
}

impl Chown<'_> {
    /// Reports a failure, unless `-f` is given; the status becomes 1.
    fn complain(&mut self, what: &str, path: &[u8], failure: Failure) {
        self.status = 1;
        if !self.parsed.has("f") {
            self.out.flush();
            self.call
                .fail(1, bytes!(what, " ", quote::message(path), ": ", failure));
        }
    }

    /// Changes an operand, and with `-R` what is below it, a directory after its content. What a link leads to is
    /// changed, unless `-h` is given, or `-R` without `-H` and `-L`. Links are descended into with `-L`, operands with
    /// `-H`, too, but for those that lead to a directory above them.
    fn change(&mut self, path: Vec<u8>) {
        let recursive = self.parsed.has("R");
        let descends = match self.parsed.last(&["H", "L", "P"]) {
            Some(option) if recursive => option,
            _ => "P",
        };
        let own = self.parsed.last(&["h", "dereference"]) == Some("h");
        let follow = !own && (!recursive || descends != "P");
        let mut above: Vec<(u64, u64)> = Vec::new();
        let mut pending = vec![Step::Visit(path)];
        while let Some(step) = pending.pop() {
            let path = match step {
                Step::Visit(path) => path,
                Step::Leave(path) => {
                    above.pop();
                    self.reach(&path, follow);
                    continue;
                }
            };
            let into = descends == "L" || (descends == "H" && above.is_empty());
            let found = system::stat(&path, into);
            let directory = found
                .ok()
                .filter(|stat| recursive && stat.kind == Kind::Directory)
                .map(|stat| (stat.device, stat.inode))
                .filter(|identity| !above.contains(identity));
            let Some(identity) = directory else {
                self.reach(&path, follow);
                continue;
            };
            match system::read_directory(&path) {
                Ok(entries) => {
                    above.push(identity);
                    let below = entries.iter().rev();
                    let below = below.map(|entry| Step::Visit(system::join(&path, &entry.name)));
                    let below: Vec<Step> = below.collect();
                    pending.push(Step::Leave(path));
                    pending.extend(below);
                }
                Err(failure) => {
                    self.complain("cannot read directory", &path, failure);
                    self.failed(&path, None);
                }
            }
        }
    }

    /// Changes one file, with `follow` what a link leads to.
    fn reach(&mut self, path: &[u8], follow: bool) {
        match system::stat(path, follow) {
            Ok(stat) => self.set(path, &stat, follow),
            Err(failure) => {
                let link = system::stat(path, false).ok();
                let what = match link {
                    Some(_) => "cannot dereference",
                    None => "cannot access",
                };
                self.complain(what, path, failure);
                self.failed(path, link.as_ref());
            }
        }
    }

    /// The line of `-v` about a file that could not be changed; `stat` tells whose it is.
    fn failed(&mut self, path: &[u8], stat: Option<&Stat>) {
        if !self.parsed.has("v") {
            return;
        }
        let what = if self.owner.uid.is_some() {
            "ownership"
        } else {
            "group"
        };
        let from = stat.map_or(String::new(), |stat| {
            format!(" from {}", self.shown(stat.uid, stat.gid))
        });
        let text = format!("{from} to {}", self.owner.text);
        let name = quote::message(path);
        self.out
            .line(bytes!("failed to change ", what, " of ", name, text));
    }

    /// The names of an owner and a group, or the one that is changed.
    fn shown(&self, uid: u32, gid: u32) -> String {
        let user = self.accounts.user(uid, false);
        let group = self.accounts.group(gid, false);
        match (self.owner.uid, self.owner.gid) {
            (Some(_), Some(_)) => format!("{user}:{group}"),
            (Some(_), None) => user,
            _ => group,
        }
    }

    /// Sets owner and group, and says so for `-v`, and for `-c` where something changed.
    fn set(&mut self, path: &[u8], stat: &Stat, follow: bool) {
        let from = &self.from;
        if from.uid.is_some_and(|uid| uid != stat.uid)
            || from.gid.is_some_and(|gid| gid != stat.gid)
        {
            return;
        }
        let Owner { uid, gid, .. } = self.owner;
        if let Err(failure) = system::set_owner(path, uid, gid, follow) {
            let what = if uid.is_some() {
                "changing ownership of"
            } else {
                "changing group of"
            };
            return self.complain(what, path, failure);
        }
        let changed =
            uid.is_some_and(|uid| uid != stat.uid) || gid.is_some_and(|gid| gid != stat.gid);
        if !(self.parsed.has("v") || (self.parsed.has("c") && changed)) {
            return;
        }
        let what = if uid.is_some() { "ownership" } else { "group" };
        let name = quote::message(path);
        let old = self.shown(stat.uid, stat.gid);
        let new = &self.owner.text;
        let text = if changed && uid.is_some() {
            bytes!("changed ownership of ", name, " from ", old, " to ", new)
        } else if changed {
            bytes!("changed group of ", name, " from ", old, " to ", new)
        } else {
            bytes!(what, " of ", name, " retained as ", old)
        };
        self.out.line(text);
    }
}
