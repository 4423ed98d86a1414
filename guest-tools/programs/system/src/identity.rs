//! `id`, `whoami`, `groups`, `logname`, `users`, `hostname`, `tty`, `sync` and `who`, as in coreutils.
//!
//! A process of a sandbox has one user and one group, real and effective alike; names come from `/etc/passwd` and
//! `/etc/group` (`Accounts`), and numbers stand for those that have none. Nobody is logged in: `who` and `users` print
//! nothing but headings. There is no other security context than these, so `id -Z` is refused.

use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system;

/// Options of `id`.
const ID: Syntax = Syntax {
    usage: "Usage: id [OPTION]... [USER]...\nPrint user and group information for each USER.\n",
    options: &[
        Opt("a", "", Value::No),
        Opt("Z", "context", Value::No),
        Opt("g", "group", Value::No),
        Opt("G", "groups", Value::No),
        Opt("n", "name", Value::No),
        Opt("r", "real", Value::No),
        Opt("u", "user", Value::No),
        Opt("z", "zero", Value::No),
    ],
    permute: true,
    status: 1,
};

/// For commands without options.
const PLAIN: Syntax = Syntax {
    usage: "Usage: takes no option but --help and --version\n",
    options: &[],
    permute: true,
    status: 1,
};

/// A user with the groups it is in.
struct Who {
    /// The user's number.
    uid: u32,
    /// The number of the primary group.
    gid: u32,
    /// The name by which groups list the user.
    name: String,
}

/// The user of a name, or of a number that has a name; `None` where there is none.
fn user(accounts: &Accounts, name: &[u8]) -> Option<Who> {
    let text = String::from_utf8_lossy(name);
    if let Some((uid, gid)) = accounts.find_user(&text) {
        return Some(Who {
            uid,
            gid,
            name: text.into_owned(),
        });
    }
    let name = accounts.user_name(text.parse().ok()?)?;
    let (uid, gid) = accounts.find_user(&name)?;
    Some(Who { uid, gid, name })
}

/// The user of this process.
fn own(accounts: &Accounts) -> Who {
    let own = accounts.own();
    Who {
        uid: own.uid,
        gid: own.gid,
        name: own.user.clone(),
    }
}

/// Runs `id`.
pub fn id(call: &Call) -> i32 {
    let parsed = match options::parse(call, &ID) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.has("Z") {
        let message = "--context (-Z) works only on an SELinux-enabled kernel";
        return call.fail(1, message);
    }
    let selected = ["u", "g", "G"]
        .into_iter()
        .filter(|key| parsed.has(key))
        .count();
    if selected > 1 {
        return call.fail(1, "cannot print \"only\" of more than one choice");
    }
    if selected == 0 && parsed.has("z") && !parsed.has("n") && !parsed.has("r") {
        return call.fail(1, "option --zero not permitted in default format");
    }
    if selected == 0 && (parsed.has("n") || parsed.has("r") || parsed.has("z")) {
        return call.fail(1, "cannot print only names or real IDs in default format");
    }
    let accounts = Accounts::new();
    let mut users = Vec::new();
    let mut status = 0;
    for operand in &parsed.operands {
        match user(&accounts, operand) {
            Some(found) => users.push(found),
            None => status = call.fail(1, bytes!(quote::word(operand), ": no such user")),
        }
    }
    if parsed.operands.is_empty() {
        users.push(own(&accounts));
    }
    let mut out = Output::new();
    let (end, gap) = if parsed.has("z") {
        (0, "\0")
    } else {
        (b'\n', " ")
    };
    let numeric = !parsed.has("n");
    for who in &users {
        let groups = accounts.groups_of(&who.name, who.gid);
        let text = match parsed.last(&["u", "g", "G"]) {
            Some("u") => accounts.user(who.uid, numeric),
            Some("g") => accounts.group(who.gid, numeric),
            Some(_) => groups
                .iter()
                .map(|gid| accounts.group(*gid, numeric))
                .collect::<Vec<_>>()
                .join(gap),
            None => everything(&accounts, who, &groups),
        };
        out.put(text);
        out.end_line(end);
    }
    out.finish(&call.name, status, 1)
}

/// The whole line of `id`: `uid=1000(user) gid=1000(user) groups=1000(user)`.
fn everything(accounts: &Accounts, who: &Who, groups: &[u32]) -> String {
    let named = |number: u32, name: Option<String>| match name {
        Some(name) => format!("{number}({name})"),
        None => number.to_string(),
    };
    let group = |gid: &u32| named(*gid, accounts.group_name(*gid));
    format!(
        "uid={} gid={} groups={}",
        named(who.uid, accounts.user_name(who.uid)),
        group(&who.gid),
        groups.iter().map(group).collect::<Vec<_>>().join(",")
    )
}

/// Runs `groups`: the groups of this process, or a line `USER : GROUP…` for each operand.
pub fn groups(call: &Call) -> i32 {
    let parsed = match options::parse(call, &PLAIN) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let accounts = Accounts::new();
    let names = |who: &Who| {
        let groups = accounts.groups_of(&who.name, who.gid);
        groups
            .iter()
            .map(|gid| accounts.group(*gid, false))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut out = Output::new();
    let mut status = 0;
    if parsed.operands.is_empty() {
        out.line(names(&own(&accounts)));
    }
    for operand in &parsed.operands {
        match user(&accounts, operand) {
            Some(who) => out.line(bytes!(operand, " : ", names(&who))),
            None => status = call.fail(1, bytes!(quote::word(operand), ": no such user")),
        }
    }
    out.finish(&call.name, status, 1)
}

/// Prints one line for a command without options.
fn one_line(call: &Call, operands: bool, text: impl FnOnce() -> String) -> i32 {
    let parsed = match options::parse(call, &PLAIN) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let (false, Some(extra)) = (operands, parsed.operands.first()) {
        let message = bytes!("extra operand ", quote::word(extra));
        return options::usage_error(call, &PLAIN, message);
    }
    let mut out = Output::new();
    let text = text();
    if !text.is_empty() {
        out.line(text);
    }
    out.finish(&call.name, 0, 1)
}

/// Runs `whoami` and `logname`.
pub fn whoami(call: &Call) -> i32 {
    one_line(call, false, || {
        let accounts = Accounts::new();
        accounts.user(accounts.own().uid, false)
    })
}

/// Runs `who` and `users`: nobody is logged in at a terminal.
pub fn nobody(call: &Call) -> i32 {
    const USERS: Syntax = Syntax {
        usage: "Usage: users [FILE]\nOutput who is currently logged in, which is nobody in a sandbox.\n",
        options: &[],
        permute: true,
        status: 1,
    };
    const WHO: Syntax = Syntax {
        usage: "Usage: who [OPTION]... [ FILE | ARG1 ARG2 ]\nPrint who is currently logged in, which is nobody in a sandbox.\n",
        options: &[
            Opt("a", "all", Value::No),
            Opt("b", "boot", Value::No),
            Opt("d", "dead", Value::No),
            Opt("H", "heading", Value::No),
            Opt("l", "login", Value::No),
            Opt("m", "", Value::No),
            Opt("p", "process", Value::No),
            Opt("q", "count", Value::No),
            Opt("r", "runlevel", Value::No),
            Opt("s", "short", Value::No),
            Opt("t", "time", Value::No),
            Opt("Tw", "mesg", Value::No),
            Opt("u", "users", Value::No),
            Opt("T", "message", Value::No),
            Opt("T", "writable", Value::No),
            Opt("", "lookup", Value::No),
        ],
        permute: true,
        status: 1,
    };
    let syntax = if call.name == "who" { &WHO } else { &USERS };
    let parsed = match options::parse(call, syntax) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut out = Output::new();
    if parsed.has("q") {
        // The names stand on a line of their own.
        out.line("\n# users=0");
    } else if call.name == "who" && parsed.has("H") {
        out.line(heading(&parsed));
    }
    out.finish(&call.name, 0, 1)
}

/// The heading of `who` for the columns that its options show.
fn heading(parsed: &options::Parsed) -> String {
    let has = |keys: &[&str]| keys.iter().any(|key| parsed.has(key));
    let short = has(&["s"]) && !has(&["a"]);
    let mut text = String::from(if has(&["T", "a"]) {
        "NAME       LINE         TIME            "
    } else {
        "NAME     LINE         TIME            "
    });
    let idle = has(&["u", "l", "a", "d", "r"]) && !short;
    if idle {
        text += " IDLE         ";
    }
    if idle || (has(&["b", "p", "t"]) && !short) {
        text += if idle { " PID" } else { "        PID" };
    }
    text += " COMMENT";
    if has(&["d", "a"]) {
        text += "  EXIT";
    }
    text
}

/// Runs `hostname`; all its forms give the one name.
pub fn hostname(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: hostname [-s|-f|-i]\nPrint the name of this sandbox.\n",
        options: &[
            Opt("s", "short", Value::No),
            Opt("f", "fqdn", Value::No),
            Opt("f", "long", Value::No),
            Opt("i", "ip-address", Value::No),
            Opt("I", "all-ip-addresses", Value::No),
            Opt("d", "domain", Value::No),
        ],
        permute: true,
        status: 4,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if !parsed.operands.is_empty() {
        return call.fail(1, "you must be root to change the host name");
    }
    let name = system::identity().hostname;
    let text = match parsed.last(&["s", "f", "i", "I", "d"]) {
        Some("s") => name.split('.').next().unwrap_or_default().to_owned(),
        Some("i" | "I") => "127.0.0.1".to_owned(),
        Some("d") => name
            .split_once('.')
            .map_or(String::new(), |(_, domain)| domain.to_owned()),
        _ => name,
    };
    let mut out = Output::new();
    out.line(text);
    out.finish(&call.name, 0, 1)
}

/// Runs `tty`: the terminal is `/dev/tty`; the status is 1 where standard input is none.
pub fn tty(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: tty [OPTION]...\nPrint the file name of the terminal connected to standard input.\n",
        options: &[Opt("s", "silent", Value::No), Opt("s", "quiet", Value::No)],
        permute: true,
        status: 2,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(extra) = parsed.operands.first() {
        let message = bytes!("extra operand ", quote::word(extra));
        return options::usage_error(call, &SYNTAX, message);
    }
    let terminal = system::is_terminal(0);
    let mut out = Output::new();
    if !parsed.has("s") {
        out.line(if terminal { "/dev/tty" } else { "not a tty" });
    }
    out.finish(&call.name, i32::from(!terminal), 3)
}

/// Runs `sync`: what is written is in the sandbox at once.
pub fn sync(call: &Call) -> i32 {
    let parsed = match options::parse(call, &PLAIN) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut status = 0;
    for file in &parsed.operands {
        if let Err(failure) = system::stat(file, true) {
            status = call.fail(
                1,
                bytes!("error opening ", quote::message(file), ": ", failure),
            );
        }
    }
    status
}
