//! `getconf`, as in glibc, and `locate`.
//!
//! The values of `getconf` are those of a Linux machine of 64 bits with one processor; what is not listed is unknown
//! (status 2), although it may be known elsewhere.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system;

/// The variables and their values, as on the Linux that `uname` tells of.
const VARIABLES: &[(&str, &str)] = &[
    ("ARG_MAX", "2097152"),
    ("ATEXIT_MAX", "2147483647"),
    ("CHAR_BIT", "8"),
    ("CHAR_MAX", "127"),
    ("CHAR_MIN", "-128"),
    ("CHARCLASS_NAME_MAX", "2048"),
    ("CLK_TCK", "100"),
    ("COLL_WEIGHTS_MAX", "255"),
    ("EXPR_NEST_MAX", "32"),
    ("HOST_NAME_MAX", "64"),
    ("INT_MAX", "2147483647"),
    ("INT_MIN", "-2147483648"),
    ("IOV_MAX", "1024"),
    ("LINE_MAX", "2048"),
    ("LOGIN_NAME_MAX", "256"),
    ("LOGNAME_MAX", "256"),
    ("LONG_BIT", "64"),
    ("MB_LEN_MAX", "16"),
    ("NGROUPS_MAX", "65536"),
    ("NL_ARGMAX", "4096"),
    ("NL_LANGMAX", "2048"),
    ("NL_MSGMAX", "2147483647"),
    ("NL_SETMAX", "2147483647"),
    ("NL_TEXTMAX", "2147483647"),
    ("NZERO", "20"),
    ("OPEN_MAX", "1024"),
    ("PAGESIZE", "4096"),
    ("PAGE_SIZE", "4096"),
    ("PATH", "/bin:/usr/bin"),
    ("RE_DUP_MAX", "32767"),
    ("SCHAR_MAX", "127"),
    ("SCHAR_MIN", "-128"),
    ("SHRT_MAX", "32767"),
    ("SHRT_MIN", "-32768"),
    ("SSIZE_MAX", "32767"),
    ("STREAM_MAX", "16"),
    ("SYMLOOP_MAX", ""),
    ("TTY_NAME_MAX", "32"),
    ("TZNAME_MAX", ""),
    ("UCHAR_MAX", "255"),
    ("UINT_MAX", "4294967295"),
    ("ULONG_MAX", "18446744073709551615"),
    ("USHRT_MAX", "65535"),
    ("WORD_BIT", "32"),
    ("_NPROCESSORS_CONF", "1"),
    ("_NPROCESSORS_ONLN", "1"),
    ("_POSIX_ARG_MAX", "2097152"),
    ("_POSIX_NGROUPS_MAX", "65536"),
    ("_POSIX_OPEN_MAX", "1024"),
    ("_POSIX_STREAM_MAX", "16"),
    ("_POSIX_VERSION", "200809"),
    ("_POSIX2_VERSION", "200809"),
    ("_XOPEN_VERSION", "700"),
    ("CS_PATH", "/bin:/usr/bin"),
    ("BC_BASE_MAX", "99"),
    ("BC_DIM_MAX", "2048"),
    ("BC_SCALE_MAX", "99"),
    ("BC_STRING_MAX", "1000"),
];

/// The variables of a path, for `getconf NAME PATH`.
const OF_PATHS: &[(&str, &str)] = &[
    ("FILESIZEBITS", "64"),
    ("LINK_MAX", "65000"),
    ("MAX_CANON", "255"),
    ("MAX_INPUT", "255"),
    ("NAME_MAX", "255"),
    ("PATH_MAX", "4096"),
    ("PIPE_BUF", "4096"),
    ("_POSIX_CHOWN_RESTRICTED", "1"),
    ("_POSIX_LINK_MAX", "65000"),
    ("_POSIX_NAME_MAX", "255"),
    ("_POSIX_NO_TRUNC", "1"),
    ("_POSIX_PATH_MAX", "4096"),
    ("_POSIX_PIPE_BUF", "4096"),
    ("_POSIX_VDISABLE", "0"),
];

/// Runs `getconf NAME [PATH]` or `getconf -a`. An empty value is `undefined`.
pub fn getconf(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: getconf [-v specification] variable_name [pathname]\n       getconf -a [pathname]\nGet the configuration value for variable VAR.\n",
        options: &[Opt("a", "", Value::No), Opt("v", "", Value::Required)],
        permute: false,
        status: 2,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut out = Output::new();
    if parsed.has("a") {
        for (name, value) in OF_PATHS.iter().chain(VARIABLES) {
            out.line(format!("{name:<34} {value}"));
        }
        return out.finish(&call.name, 0, 1);
    }
    let (name, path) = match parsed.operands.as_slice() {
        [name] => (name, None),
        [name, path] => (name, Some(path)),
        _ => {
            eprint!("{}", SYNTAX.usage);
            return 2;
        }
    };
    let find = |table: &[(&str, &'static str)]| {
        let known = table.iter().find(|(known, _)| known.as_bytes() == name);
        known.map(|(_, value)| *value)
    };
    let value = match path {
        None => find(VARIABLES),
        Some(_) => find(OF_PATHS),
    };
    match (value, path) {
        (Some(value), None) => out.line(if value.is_empty() { "undefined" } else { value }),
        (Some(value), Some(path)) => {
            if let Err(failure) = system::stat(path, true) {
                return call.fail(1, bytes!(path, ": ", failure));
            }
            out.line(value);
        }
        (None, _) => {
            return call.fail(2, bytes!("Unrecognized variable `", name, "'"));
        }
    }
    out.finish(&call.name, 0, 1)
}

/// Runs `locate`: there is no database, so it names the `find` that answers instead, with status 1.
pub fn locate(call: &Call) -> i32 {
    let usage =
        "Usage: locate PATTERN...\nThere is no database of file names in a sandbox: use find.\n";
    if let Some(status) = options::information(call, usage) {
        return status;
    }
    let wanted = call
        .arguments
        .iter()
        .rfind(|argument| !argument.starts_with(b"-"));
    let example = wanted.map_or_else(
        || b"'*NAME*'".to_vec(),
        |name| quote::shell(&bytes!("*", name, "*")),
    );
    call.fail(
        1,
        bytes!(
            "no database of file names is kept in a sandbox; use find / -name ",
            example
        ),
    )
}
