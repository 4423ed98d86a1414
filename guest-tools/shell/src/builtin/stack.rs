//! `pushd`, `popd`, `dirs` (the manual's Directory Stack Builtins).
//!
//! The state keeps the stack without its top, which is the working directory. `+N` counts from the top, `-N` from the
//! bottom, both from 0.
//!
//! | stack `a b c`, call | stack after |
//! |---|---|
//! | `pushd d` | `d a b c` |
//! | `pushd` | `b a c` |
//! | `pushd +2` | `c a b` |
//! | `popd`, `popd +1` | `b c`, `a c` |

use std::rc::Rc;

use super::letters::integer;
use super::{Context, Flow, directory, synopsis};
use crate::text::Text;

/// The whole stack, the working directory first.
fn stack(cx: &Context<'_>) -> Vec<Text> {
    let mut all = vec![cx.state().directory.clone()];
    all.extend(cx.state().directories.iter().cloned());
    all
}

/// Replaces all but the top.
fn set_rest(cx: &mut Context<'_>, rest: Vec<Text>) {
    cx.state_mut().directories = Rc::new(rest);
}

/// A place in the stack: `+N` from the top, `-N` from the bottom; none where it is no such thing.
fn rotation(argument: &[u8]) -> Option<(u8, usize)> {
    let (sign, digits) = argument.split_first()?;
    if !b"+-".contains(sign) || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let count = integer(digits).and_then(|count| usize::try_from(count).ok());
    Some((*sign, count.unwrap_or(usize::MAX)))
}

/// The index that a rotation means; reports where the stack is too short.
fn index(cx: &mut Context<'_>, argument: &[u8], place: (u8, usize)) -> Option<usize> {
    let length = stack(cx).len();
    let at = match place {
        (b'+', count) => Some(count),
        (_, count) => (length - 1).checked_sub(count),
    };
    if let Some(at) = at.filter(|at| *at < length) {
        return Some(at);
    }
    if length == 1 {
        cx.error("directory stack empty");
    } else {
        // dirs names the number alone.
        let shown = match cx.name() {
            b"dirs" => argument.get(1..).unwrap_or_default(),
            _ => argument,
        };
        cx.error_about(shown, "directory stack index out of range");
    }
    None
}

/// The words of `pushd` and `popd`.
struct Parsed<'a> {
    /// `-n`: the working directory stays.
    stay: bool,
    /// A directory or a place.
    operand: Option<&'a Text>,
}

/// `-n` and one operand.
fn parse<'a>(cx: &mut Context<'_>, arguments: &'a [Text]) -> Result<Parsed<'a>, Flow> {
    let mut parsed = Parsed {
        stay: false,
        operand: None,
    };
    let mut rest = arguments.iter();
    for argument in rest.by_ref() {
        match argument.as_bytes() {
            b"-n" => parsed.stay = true,
            b"--help" => return Err(super::help::describe(cx)),
            b"--" => {
                parsed.operand = rest.next();
                break;
            }
            other => {
                let is_number = rotation(other).is_some();
                if other.starts_with(b"-") && other.len() > 1 && !is_number {
                    cx.error_about(other, "invalid number");
                    return Err(synopsis::usage(cx));
                }
                parsed.operand = Some(argument);
                break;
            }
        }
    }
    if rest.next().is_some() {
        cx.error("too many arguments");
        return Err(Flow::Status(1));
    }
    Ok(parsed)
}

/// Runs `pushd`.
pub(super) fn pushd(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let parsed = match parse(cx, arguments) {
        Ok(parsed) => parsed,
        Err(flow) => return flow,
    };
    let mut all = stack(cx);
    let Some(operand) = parsed.operand else {
        if parsed.stay {
            return Flow::Status(0);
        }
        if all.len() < 2 {
            cx.error("no other directory");
            return Flow::Status(1);
        }
        all.swap(0, 1);
        return put(cx, all, false);
    };
    if let Some(place) = rotation(operand) {
        let Some(at) = index(cx, operand, place) else {
            return Flow::Status(1);
        };
        all.rotate_left(at);
        if parsed.stay {
            set_rest(cx, all.split_off(1));
            return Flow::Status(0);
        }
        return put(cx, all, false);
    }
    if parsed.stay {
        let full = cx.absolute(operand);
        all.insert(1, Text::from(full));
        return put(cx, all, true);
    }
    let target = match operand.as_bytes() {
        b"-" => cx.get(b"OLDPWD").unwrap_or_default(),
        _ => operand.clone(),
    };
    all.insert(0, target);
    put(cx, all, false)
}

/// Goes to the first directory and keeps the others, then shows the stack.
fn put(cx: &mut Context<'_>, mut all: Vec<Text>, stay: bool) -> Flow {
    let first = all.remove(0);
    if !stay {
        if cx.is_restricted(b"") {
            return Flow::Status(1);
        }
        match directory::change(cx, &first, false) {
            Ok(path) => {
                directory::enter(cx, path);
            }
            Err(error) => {
                cx.error_about(&first, error.message());
                return Flow::Status(1);
            }
        }
    }
    set_rest(cx, all);
    show(cx);
    Flow::Status(0)
}

/// Runs `popd`.
pub(super) fn popd(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let parsed = match parse(cx, arguments) {
        Ok(parsed) => parsed,
        Err(flow) => return flow,
    };
    let place = match parsed.operand {
        None => (b'+', 0),
        Some(operand) => match rotation(operand) {
            Some(place) => place,
            None => {
                cx.error_about(operand, "invalid argument");
                return synopsis::usage(cx);
            }
        },
    };
    let mut all = stack(cx);
    if all.len() == 1 {
        cx.error("directory stack empty");
        return Flow::Status(1);
    }
    let operand = parsed.operand.cloned().unwrap_or_default();
    let Some(at) = index(cx, &operand, place) else {
        return Flow::Status(1);
    };
    if at == 0 && !parsed.stay {
        all.remove(0);
        return put(cx, all, false);
    }
    all.remove(at.max(1));
    put(cx, all, true)
}

/// Runs `dirs`: the stack in one line, one entry a line (`-p`), with numbers (`-v`), or one entry (`+N`).
pub(super) fn dirs(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let (mut long, mut style) = (false, b' ');
    let mut place = None;
    for argument in arguments {
        if let Some(found) = rotation(argument) {
            place = Some((argument, found));
            continue;
        }
        let letters = argument.strip_prefix(b"-").unwrap_or_default();
        if letters.is_empty() || !letters.iter().all(|letter| b"clpv".contains(letter)) {
            if argument.as_bytes() == b"--help" {
                return super::help::describe(cx);
            }
            let number = argument.starts_with(b"-");
            let message = ["invalid option", "invalid number"][usize::from(number)];
            cx.error_about(argument, message);
            return synopsis::usage(cx);
        }
        for letter in letters {
            match letter {
                b'c' => {
                    set_rest(cx, Vec::new());
                    return Flow::Status(0);
                }
                b'l' => long = true,
                // -v says more than -p.
                b'p' if style == b'v' => {}
                letter => style = *letter,
            }
        }
    }
    let all = stack(cx);
    if let Some((argument, found)) = place {
        let Some(at) = index(cx, argument, found) else {
            return Flow::Status(1);
        };
        let mut line = display(cx, &all[at], long);
        if style == b'v' {
            line = [format!("{at:2}  ").as_bytes(), &line].concat();
        }
        line.push(b'\n');
        cx.out(line);
        return Flow::Status(0);
    }
    let mut text = Vec::new();
    for (at, entry) in all.iter().enumerate() {
        if style == b'v' {
            text.extend_from_slice(format!("{at:2}  ").as_bytes());
        } else if style == b' ' && at > 0 {
            text.push(b' ');
        }
        text.extend_from_slice(&display(cx, entry, long));
        if style != b' ' {
            text.push(b'\n');
        }
    }
    if style == b' ' {
        text.push(b'\n');
    }
    cx.out(text);
    Flow::Status(0)
}

fn show(cx: &mut Context<'_>) {
    dirs(cx, &[]);
}

/// A directory with `~` for the home directory.
fn display(cx: &mut Context<'_>, path: &[u8], long: bool) -> Vec<u8> {
    let home = cx.get(b"HOME").filter(|home| home.len() > 1 && !long);
    let rest = home
        .as_ref()
        .and_then(|home| path.strip_prefix(home.as_bytes()));
    match rest {
        Some(rest) if rest.is_empty() || rest.starts_with(b"/") => [b"~", rest].concat(),
        _ => path.to_vec(),
    }
}
