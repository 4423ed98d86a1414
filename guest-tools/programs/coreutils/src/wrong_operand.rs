//! Values that uutils takes and GNU refuses. Only the commands that are named in `refuse` are looked at; their
//! messages and statuses are GNU's.

use crate::call::{Call, bytes};
use crate::quote;

/// Says what is wrong with the values of a command, as GNU does. The exit status; none where nothing is wrong.
pub fn refuse(call: &Call) -> Option<i32> {
    match call.name.as_str() {
        "nl" => blank_lines(call),
        "pathchk" => empty_name(call),
        "tr" => call.arguments.iter().find_map(|set| equivalence(call, set)),
        _ => None,
    }
}

/// `nl -l 0`, also as `-l0`, `--join-blank-lines=0` and abbreviated.
fn blank_lines(call: &Call) -> Option<i32> {
    const LONG: &[u8] = b"--join-blank-lines";
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        let name = word.split(|&byte| byte == b'=').next().unwrap_or_default();
        let long = name.len() > 2 && LONG.starts_with(name);
        let value = match word.strip_prefix(b"-l") {
            Some([]) => words.next()?.as_slice(),
            Some(value) => value,
            None if long && name.len() < word.len() => &word[name.len() + 1..],
            None if long => words.next()?,
            None => continue,
        };
        if !value.is_empty() && value.iter().all(|&byte| byte == b'0') {
            let message = bytes!(
                "invalid line number of blank lines: ",
                quote::word(value),
                ": Numerical result out of range"
            );
            return Some(call.fail(1, message));
        }
    }
    None
}

/// `pathchk ''`, whose message depends on `-p` and `-P`.
fn empty_name(call: &Call) -> Option<i32> {
    call.arguments.iter().find(|name| name.is_empty())?;
    let portable = |word: &Vec<u8>| {
        word == b"--portability" || word.starts_with(b"-p") || word.starts_with(b"-P")
    };
    Some(if call.arguments.iter().any(portable) {
        call.fail(1, "empty file name")
    } else {
        call.fail(1, "'': No such file or directory")
    })
}

/// `[=ab=]` in a set of `tr`. A class may be of one character, of `=` itself (`[===]`), or of one that is escaped.
fn equivalence(call: &Call, set: &[u8]) -> Option<i32> {
    let mut rest = set;
    while let Some(start) = rest.windows(2).position(|pair| pair == b"[=") {
        let inner = &rest[start + 2..];
        // The class may be of `=` itself.
        let end = 1 + inner.get(1..)?.windows(2).position(|pair| pair == b"=]")?;
        let text = &inner[..end];
        if text.len() > 1 && !text.starts_with(b"\\") {
            let shown = quote::escaped(text, false, false);
            let message = bytes!(
                shown,
                ": equivalence class operand must be a single character"
            );
            return Some(call.fail(1, message));
        }
        rest = &inner[end + 2..];
    }
    None
}
