//! `mount`, as in util-linux: what is mounted, from `/proc/mounts`. Mounting is the embedder's, so operands are
//! refused.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n mount [-l] [-t <list>]\n\nShow what is mounted in the sandbox.\n",
    options: &[
        Opt("l", "show-labels", Value::No),
        Opt("t", "types", Value::Required),
    ],
    permute: true,
    status: 2,
};

/// Runs `mount`.
pub fn mount(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(place) = parsed.operands.last() {
        return call.fail(1, bytes!(place, ": must be superuser to use mount."));
    }
    let mounts = std::fs::read("/proc/mounts").unwrap_or_default();
    let mut out = Output::new();
    for line in mounts.split(|&byte| byte == b'\n') {
        if let Some(line) = describe(line, parsed.value("t")) {
            out.line(line);
        }
    }
    out.finish(&call.name, 0, 1)
}

/// One line of `/proc/mounts` in words, `None` where `-t` does not want its type: a list, or one behind `no`.
fn describe(line: &[u8], types: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut fields = line.split(|&byte| byte == b' ');
    let [source, place, kind, settings] = std::array::from_fn(|_| fields.next());
    let (kind, settings) = (kind?, settings?);
    if let Some(types) = types {
        let (list, wanted) = match types.strip_prefix(b"no") {
            Some(list) => (list, false),
            None => (types, true),
        };
        if list.split(|&byte| byte == b',').any(|one| one == kind) != wanted {
            return None;
        }
    }
    Some(bytes!(
        unescape(source?),
        " on ",
        unescape(place?),
        " type ",
        kind,
        " (",
        settings,
        ")"
    ))
}

/// Spaces and the like are written in octal there.
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((&byte, after)) = rest.split_first() {
        let octal = after.get(..3).filter(|_| byte == b'\\');
        let code = octal
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        out.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[3..] } else { after };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_is_mounted_where() {
        let cases: [(&str, Option<&str>, Option<&str>); 4] = [
            (
                "tmpfs / tmpfs rw 0 0",
                None,
                Some("tmpfs on / type tmpfs (rw)"),
            ),
            (
                "host /my\\040data host ro 0 0",
                None,
                Some("host on /my data type host (ro)"),
            ),
            ("tmpfs / tmpfs rw 0 0", Some("proc,host"), None),
            ("tmpfs / tmpfs rw 0 0", Some("notmpfs"), None),
        ];
        for (line, types, expected) in cases {
            let found = describe(line.as_bytes(), types.map(str::as_bytes));
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{line}");
        }
    }
}
