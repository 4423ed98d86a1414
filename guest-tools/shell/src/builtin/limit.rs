//! `umask`, `ulimit`, `times`.
//!
//! The limits of `ulimit` are numbers that a script may lower and read back: they hold nothing. What holds are the
//! sandbox's own limits, which no script sees or raises. Processor time is not measured, so `times` prints zeros.

use std::rc::Rc;

use super::letters::{Letters, integer, none};
use super::{Context, Flow};
use crate::os::Errno;
use crate::text::Text;

/// Runs `umask`: `022`, or symbolic as in `u=rwx,g-w`, which says what new files may have.
pub(super) fn umask(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("pS", arguments);
    let (mut reusable, mut symbolic) = (false, false);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) if given.letter == b'p' => reusable = true,
            Ok(Some(_)) => symbolic = true,
            Err(flow) => return flow,
        }
    }
    let Some(mode) = letters.operands().first() else {
        let mask = cx.state().umask;
        let prefix = match (reusable, symbolic) {
            (true, true) => "umask -S ",
            (true, false) => "umask ",
            _ => "",
        };
        let shown = if symbolic {
            symbols(mask)
        } else {
            format!("{mask:04o}")
        };
        cx.out(format!("{prefix}{shown}\n"));
        return Flow::Status(0);
    };
    let mask = if mode.first().is_some_and(u8::is_ascii_digit) {
        match octal(mode) {
            Some(mask) => mask,
            None => {
                cx.error_about(mode, "octal number out of range");
                return Flow::Status(1);
            }
        }
    } else {
        match changed(mode, cx.state().umask) {
            Ok(mask) => mask,
            Err(message) => {
                cx.error(message);
                return Flow::Status(1);
            }
        }
    };
    cx.state_mut().umask = mask;
    if symbolic {
        cx.out(format!("{}\n", symbols(mask)));
    }
    Flow::Status(0)
}

/// An octal mask of up to four digits; the bits above the permissions are dropped.
fn octal(text: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(text).ok()?;
    u32::from_str_radix(text, 8)
        .ok()
        .filter(|mask| *mask <= 0o7777)
        .map(|mask| mask & 0o777)
}

/// What new files may get, as `u=rwx,g=rx,o=rx`.
fn symbols(mask: u32) -> String {
    let part = |who: char, shift: u32| {
        let bits = !mask >> shift;
        let letters = [(4, 'r'), (2, 'w'), (1, 'x')];
        let set = letters
            .iter()
            .filter(|(bit, _)| bits & bit != 0)
            .map(|(_, letter)| letter);
        format!("{who}={}", set.collect::<String>())
    };
    format!("{},{},{}", part('u', 6), part('g', 3), part('o', 0))
}

/// The mask after a symbolic change such as `g-w,o=`.
fn changed(text: &[u8], mask: u32) -> Result<u32, Vec<u8>> {
    let mut allowed = !mask & 0o777;
    let wrong = |byte: Option<&u8>, what: &str| {
        let shown = byte.map_or(String::new(), |&byte| char::from(byte).to_string());
        format!("`{shown}': invalid symbolic mode {what}").into_bytes()
    };
    for clause in text.split(|&byte| byte == b',') {
        let named = clause
            .iter()
            .take_while(|byte| b"ugoa".contains(byte))
            .count();
        let mut who = clause[..named].iter().fold(0, |who, letter| match letter {
            b'u' => who | 0o700,
            b'g' => who | 0o070,
            b'o' => who | 0o007,
            _ => 0o777,
        });
        if who == 0 {
            who = 0o777;
        }
        let Some((operator, letters)) = clause[named..]
            .split_first()
            .filter(|(operator, _)| b"+-=".contains(operator))
        else {
            return Err(wrong(clause.get(named), "operator"));
        };
        let mut bits = 0;
        for letter in letters {
            bits |= match letter {
                b'r' => 0o444,
                b'w' => 0o222,
                b'x' => 0o111,
                _ => return Err(wrong(Some(letter), "character")),
            };
        }
        bits &= who;
        allowed = match operator {
            b'+' => allowed | bits,
            b'-' => allowed & !bits,
            _ => allowed & !who | bits,
        };
    }
    Ok(!allowed & 0o777)
}

/// A limit: letter, what it limits, unit, value.
struct Limit(u8, &'static str, &'static str, Option<u64>);

/// What a sandbox says of its limits. The real ones are the embedder's, and no script can raise them.
const LIMITS: [Limit; 17] = [
    Limit(b'R', "real-time non-blocking time", "microseconds, ", None),
    Limit(b'c', "core file size", "blocks, ", Some(0)),
    Limit(b'd', "data seg size", "kbytes, ", None),
    Limit(b'e', "scheduling priority", "", Some(0)),
    Limit(b'f', "file size", "blocks, ", None),
    Limit(b'i', "pending signals", "", None),
    Limit(b'l', "max locked memory", "kbytes, ", Some(8192)),
    Limit(b'm', "max memory size", "kbytes, ", None),
    Limit(b'n', "open files", "", Some(1024)),
    Limit(b'p', "pipe size", "512 bytes, ", Some(8)),
    Limit(b'q', "POSIX message queues", "bytes, ", None),
    Limit(b'r', "real-time priority", "", Some(0)),
    Limit(b's', "stack size", "kbytes, ", Some(8192)),
    Limit(b't', "cpu time", "seconds, ", None),
    Limit(b'u', "max user processes", "", None),
    Limit(b'v', "virtual memory", "kbytes, ", None),
    Limit(b'x', "file locks", "", None),
];

/// What is asked of the limits.
#[derive(Default)]
struct Request {
    /// `-S`
    soft: bool,
    /// `-H`
    hard: bool,
    /// `-a`
    all: bool,
    /// Letters, and what each is to become.
    limits: Vec<(u8, Option<Text>)>,
}

/// Runs `ulimit`; without a letter it is about the size of files.
pub(super) fn ulimit(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("SHac;d;e;f;i;l;m;n;p;q;r;s;t;u;v;x;R;", arguments);
    let mut request = Request::default();
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'S' => request.soft = true,
                b'H' => request.hard = true,
                b'a' => request.all = true,
                letter => request.limits.push((letter, given.value.map(Text::from))),
            },
            Err(flow) => return flow,
        }
    }
    if request.all {
        for limit in &LIMITS {
            show(cx, limit, &request, true);
        }
        return Flow::Status(0);
    }
    if request.limits.is_empty() {
        request.limits.push((b'f', None));
    }
    if let (Some((_, value @ None)), Some(given)) =
        (request.limits.last_mut(), letters.operands().first())
    {
        *value = Some(given.clone());
    }
    let many = request.limits.len() > 1;
    let mut status = 0;
    for (letter, value) in &request.limits {
        let Some(limit) = LIMITS.iter().find(|limit| limit.0 == *letter) else {
            continue;
        };
        match value {
            None => show(cx, limit, &request, many),
            Some(value) => status |= change(cx, limit, value, &request),
        }
    }
    Flow::Status(status)
}

/// What a limit is: soft, hard.
fn present(cx: &Context<'_>, limit: &Limit) -> (Option<u64>, Option<u64>) {
    let changed = cx.state().limits.get(&limit.0).copied();
    changed.unwrap_or((limit.3, limit.3))
}

/// Prints a limit, with its name where several are printed.
fn show(cx: &mut Context<'_>, limit: &Limit, request: &Request, named: bool) {
    let (soft, hard) = present(cx, limit);
    let only_hard = request.hard && !request.soft;
    let value = if only_hard { hard } else { soft };
    let value = value.map_or_else(|| "unlimited".to_owned(), |value| value.to_string());
    if named {
        let unit = format!("({}-{}) ", limit.2, char::from(limit.0));
        cx.out(format!("{:<20} {unit:>20}{value}\n", limit.1));
    } else {
        cx.out(format!("{value}\n"));
    }
}

/// Changes a limit in name only; the hard one can be lowered and not raised.
fn change(cx: &mut Context<'_>, limit: &Limit, value: &Text, request: &Request) -> u8 {
    let (soft, hard) = present(cx, limit);
    let wanted = match value.as_bytes() {
        b"unlimited" => None,
        b"hard" => hard,
        b"soft" => soft,
        text => match integer(text).and_then(|number| u64::try_from(number).ok()) {
            Some(number) => Some(number),
            None => {
                cx.error_about(value, "invalid number");
                return 1;
            }
        },
    };
    let both = !request.soft && !request.hard;
    let new_soft = if both || request.soft { wanted } else { soft };
    let new_hard = if both || request.hard { wanted } else { hard };
    // No limit is higher than all.
    let rank = |limit: Option<u64>| limit.unwrap_or(u64::MAX);
    let refused = if limit.0 == b'p' || rank(new_soft) > rank(new_hard) {
        Some(Errno::Invalid)
    } else if rank(new_hard) > rank(hard) {
        Some(Errno::NotPermitted)
    } else {
        None
    };
    if let Some(error) = refused {
        let text = format!("{}: cannot modify limit: {}", limit.1, error.message());
        cx.error(text);
        return 1;
    }
    Rc::make_mut(&mut cx.state_mut().limits).insert(limit.0, (new_soft, new_hard));
    0
}

/// Runs `times`.
pub(super) fn times(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    if let Err(flow) = none(cx, arguments) {
        return flow;
    }
    // Processor time is not measured inside a sandbox.
    cx.out("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n");
    Flow::Status(0)
}
