//! `history`, `fc` (the manual's Bash History Builtins).
//!
//! The list is a vector of lines, the oldest first; the number that is shown for one is its place, from 1, and how many
//! were dropped before. `history_counts` knows how many lines came since the file was written (`fresh`) and how many of
//! the file are known (`in_file`), for `-a` and `-n`. A script's commands are recorded with `set -o history` only.
//!
//! | call | what it does |
//! |---|---|
//! | `history 3` | the last three lines |
//! | `history -d -1`, `-d 2-4` | forgets the last one, or three |
//! | `fc -l -2` | lists from the line before the last one on |
//! | `fc -s a=b ec` | the last line that begins with `ec`, with `b` for `a` |

use std::rc::Rc;

use super::letters::{Letters, integer};
use super::{Context, Flow, command, synopsis};
use crate::format::time::strftime;
use crate::machine::history_expansion::{Expanded, expand};
use crate::machine::history_file::{self, Line, Writing};
use crate::machine::option::Shopt;
use crate::os::{Errno, OpenOptions};
use crate::text::Text;

/// Bytes that the time of a line may take.
const LONGEST_TIME: usize = 128;

/// Runs `history`. Of `-a`, `-n`, `-r` and `-w` there may be one.
pub(super) fn history(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("anrwcpsd:", arguments);
    let (mut file_action, mut store, mut print, mut place) = (None, false, false, None);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'c' => {
                    let state = cx.state_mut();
                    state.history = Rc::default();
                    state.history_counts.dropped = 0;
                    state.history_counts.fresh = 0;
                    state.recorded = false;
                }
                b'd' => place = given.value.map(<[u8]>::to_vec),
                b's' => store = true,
                b'p' => print = true,
                letter => {
                    if file_action
                        .replace(letter)
                        .is_some_and(|other| other != letter)
                    {
                        cx.error("cannot use more than one of -anrw");
                        return Flow::Status(1);
                    }
                }
            },
            Err(flow) => return flow,
        }
    }
    let operands = letters.operands();
    if store || print {
        // The command itself is no part of the history.
        forget_command(cx);
    }
    if store {
        if !operands.is_empty() {
            let line = Text::from(operands.join(&b' '));
            cx.machine.push_history(cx.task, line);
        }
        return Flow::Status(0);
    }
    if print {
        return show_expanded(cx, operands);
    }
    if let Some(place) = place {
        return delete(cx, &place);
    }
    match file_action {
        Some(letter) => file(cx, letter, operands.first()),
        None if arguments.len() > operands.len() => Flow::Status(0),
        None => list(cx, operands),
    }
}

/// `-p`: prints words with their events expanded.
fn show_expanded(cx: &mut Context<'_>, words: &[Text]) -> Flow {
    let mut status = 0;
    for word in words {
        let first = cx.state().history_counts.dropped + 1;
        match expand(word, &cx.state().history, first) {
            Ok(Expanded::Same) => cx.out([word.as_bytes(), b"\n"].concat()),
            Ok(Expanded::Run(line) | Expanded::Show(line)) => {
                cx.out([line.as_slice(), b"\n"].concat());
            }
            Err(_) => {
                cx.error_about(word, "history expansion failed");
                status = 1;
            }
        }
    }
    Flow::Status(status)
}

/// Takes the line of the command under way out of the history.
fn forget_command(cx: &mut Context<'_>) {
    if std::mem::take(&mut cx.state_mut().recorded) {
        let state = cx.state_mut();
        Rc::make_mut(&mut state.history).pop();
        state.history_counts.fresh = state.history_counts.fresh.saturating_sub(1);
    }
}

/// Prints the last lines, or all.
fn list(cx: &mut Context<'_>, operands: &[Text]) -> Flow {
    cx.machine.stifle_history(cx.task);
    let lines = cx.state().history.clone();
    let dropped = cx.state().history_counts.dropped;
    if operands.len() > 1 {
        return super::control::too_many(cx);
    }
    let count = match operands.first() {
        None => lines.len(),
        Some(word) => match integer(word) {
            Some(count) => usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX),
            None => {
                cx.error_about(word, "numeric argument required");
                return Flow::Status(1);
            }
        },
    };
    let first = lines.len().saturating_sub(count);
    let format = cx.get(b"HISTTIMEFORMAT").filter(|text| !text.is_empty());
    let zone = format.as_ref().map(|_| super::printf::zone(cx));
    for (at, line) in lines.iter().enumerate().skip(first) {
        let time = match (&format, &zone, line.time) {
            (Some(format), Some(zone), Some(time)) => strftime(format, time, zone, LONGEST_TIME),
            (Some(_), ..) => b"??".to_vec(),
            _ => Vec::new(),
        };
        let number = format!("{:5}  ", dropped + at + 1);
        cx.out([number.as_bytes(), &time, line, b"\n"].concat());
    }
    Flow::Status(0)
}

/// `-d OFFSET` and `-d START-END`
fn delete(cx: &mut Context<'_>, place: &[u8]) -> Flow {
    let length = cx.state().history.len();
    let dash = place.iter().skip(1).position(|&byte| byte == b'-');
    let range = match dash {
        Some(at) => range(cx, &place[..=at], &place[at + 2..]),
        None => {
            let number = integer(place).filter(|number| *number != 0);
            let at = number.and_then(|number| index(cx, number));
            at.map(|at| (at, at)).ok_or(place)
        }
    };
    let (first, last) = match range {
        Ok((first, last)) if first > last => return Flow::Status(1),
        Ok(range) => range,
        Err(wrong) => {
            let whole = integer(wrong).map_or(place, |_| wrong);
            cx.error_about(whole, "history position out of range");
            return Flow::Status(1);
        }
    };
    if last + 1 == length {
        cx.state_mut().recorded = false;
    }
    let state = cx.state_mut();
    Rc::make_mut(&mut state.history).drain(first..=last);
    let count = last + 1 - first;
    state.history_counts.fresh = state.history_counts.fresh.saturating_sub(count);
    Flow::Status(0)
}

/// The lines from `start` to `end`; fails with the one of them that is no number or out of range.
fn range<'t>(cx: &Context<'_>, start: &'t [u8], end: &'t [u8]) -> Result<(usize, usize), &'t [u8]> {
    let first = integer(start).ok_or(start)?;
    let last = integer(end).ok_or(end)?;
    let first = index(cx, first).ok_or(start)?;
    Ok((first, index(cx, last).ok_or(end)?))
}

/// Where the line with this number is kept; a negative number counts from the end.
fn index(cx: &Context<'_>, number: i64) -> Option<usize> {
    let length = cx.state().history.len();
    let at = match number {
        ..0 => length as i64 + number,
        0 => 0,
        _ => number - 1 - cx.state().history_counts.dropped as i64,
    };
    usize::try_from(at).ok().filter(|at| *at < length)
}

/// The file of the history; none where nothing names one.
fn file_name(cx: &mut Context<'_>, named: Option<&Text>) -> Option<Text> {
    if let Some(file) = named.cloned().or_else(|| cx.get(b"HISTFILE")) {
        return Some(file);
    }
    let home = cx.get(b"HOME")?;
    Some(Text::from([home.as_bytes(), b"/.history"].concat()))
}

/// `-r` and `-n` read, `-w` and `-a` write.
fn file(cx: &mut Context<'_>, letter: u8, named: Option<&Text>) -> Flow {
    if let Some(path) = named
        && path.contains(&b'/')
        && cx.is_restricted(path)
    {
        return Flow::Status(1);
    }
    if letter == b'a' && cx.state().history_counts.fresh == 0 {
        return Flow::Status(0);
    }
    let Some(path) = file_name(cx, named) else {
        return Flow::Status(1);
    };
    let nameless = named.is_none() && cx.get(b"HISTFILE").is_none();
    if letter == b'a' && nameless && cx.os().stat(&cx.absolute(&path), true).is_err() {
        // Only a file that has a name is made.
        return Flow::Status(1);
    }
    let done = match letter {
        b'r' | b'n' => read(cx, &path, letter == b'n'),
        letter => write(cx, &path, letter == b'a'),
    };
    match done {
        Ok(()) => Flow::Status(0),
        Err(_) if matches!(letter, b'r' | b'n') => Flow::Status(1),
        Err(error) => {
            cx.error_about(&path, error.message());
            Flow::Status(1)
        }
    }
}

/// Adds the lines of a file; with `new` those that were not read before.
fn read(cx: &mut Context<'_>, path: &Text, new: bool) -> Result<(), Errno> {
    let content = command::read(cx, path)?;
    let lines = history_file::lines(&content, cx.machine.stamps(cx.task));
    let appends = cx.shopt(Shopt::Histappend);
    let state = cx.state_mut();
    let counts = &mut state.history_counts;
    let known = if new { counts.in_file } else { 0 };
    let found = lines.get(known..).unwrap_or_default();
    if new && !appends {
        counts.fresh += found.len();
    }
    counts.in_file = lines.len();
    Rc::make_mut(&mut state.history).extend_from_slice(found);
    cx.machine.stifle_history(cx.task);
    Ok(())
}

/// Writes all lines to a file, or appends those that are new.
fn write(cx: &mut Context<'_>, path: &Text, append: bool) -> Result<(), Errno> {
    cx.machine.stifle_history(cx.task);
    let lines = cx.state().history.clone();
    let fresh = cx.state().history_counts.fresh;
    let (first, writing) = if append {
        (lines.len().saturating_sub(fresh), Writing::Append)
    } else {
        (0, Writing::Whole)
    };
    let os = cx.os();
    let mode = 0o600 & !cx.state().umask;
    let writing = (writing, cx.machine.stamps(cx.task).written);
    history_file::write(&*os, &cx.absolute(path), &lines[first..], writing, mode)?;
    let counts = &mut cx.state_mut().history_counts;
    if append {
        counts.in_file += fresh;
        counts.fresh = 0;
    } else {
        counts.in_file = lines.len();
    }
    Ok(())
}

/// Runs `fc`: lists lines (`-l`), runs one again (`-s`), or lets an editor have some and runs what it leaves.
pub(super) fn fc(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    // A negative number is a place in the history, not an option.
    let negative =
        |word: &Text| matches!(word.as_bytes(), [b'-', digit, ..] if digit.is_ascii_digit());
    let end = arguments.iter().position(negative);
    let mut letters = Letters::new("e:lnrs", &arguments[..end.unwrap_or(arguments.len())]);
    let (mut show, mut numbers, mut reverse, mut again) = (false, true, false, false);
    let mut editor = None;
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'l' => show = true,
                b'n' => numbers = false,
                b'r' => reverse = true,
                b's' => again = true,
                _ => {
                    again |= given.value == Some(b"-");
                    editor = given.value;
                }
            },
            Err(flow) => return flow,
        }
    }
    let operands = &arguments[letters.count()..];
    if again {
        return repeat(cx, operands);
    }
    let lines = cx.state().history.clone();
    let Some(last) = last_line(cx) else {
        if show {
            return Flow::Status(0);
        }
        cx.error("no command found");
        return Flow::Status(1);
    };
    if operands.len() > 2 && !show {
        return synopsis::usage(cx);
    }
    let dropped = cx.state().history_counts.dropped;
    let place = |word: &Text| place(word, &lines, last, show, dropped);
    let range = match operands {
        [] if show => Some((last.saturating_sub(15), last)),
        [] => Some((last, last)),
        [first] => place(first).map(|at| (at, if show { last } else { at })),
        [first, end, ..] => place(first).zip(place(end)),
    };
    let Some((from, to)) = range else {
        cx.error("no command found");
        return Flow::Status(1);
    };
    if !show {
        let lines = lines.get(from.min(to)..=from.max(to)).unwrap_or_default();
        let mut lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        if reverse || from > to {
            lines.reverse();
        }
        return edit(cx, editor, &lines.join(b"\n".as_slice()));
    }
    let mut range: Vec<usize> = (from.min(to)..=from.max(to)).collect();
    if reverse || from > to {
        range.reverse();
    }
    for at in range {
        let number = if numbers {
            (dropped + at + 1).to_string()
        } else {
            String::new()
        };
        cx.out([number.as_bytes(), b"\t ", &lines[at], b"\n"].concat());
    }
    Flow::Status(0)
}

/// Lets an editor have commands, and runs what it leaves, which is shown first. This is an `eval` of a text, so that
/// the editor and the commands run as any others do.
fn edit(cx: &mut Context<'_>, editor: Option<&[u8]>, commands: &[u8]) -> Flow {
    let path = format!("/tmp/bash-fc.{:016x}", cx.os().random());
    let options = OpenOptions {
        write: true,
        create: true,
        exclusive: true,
        ..OpenOptions::default()
    };
    let text = [commands, b"\n"].concat();
    let written = cx
        .os()
        .open(path.as_bytes(), options, 0o600)
        .and_then(|file| {
            let written = cx.os().write(file, &text);
            cx.os().close(file);
            written
        });
    if let Err(error) = written {
        cx.error(format!(
            "{path}: cannot open temp file: {}",
            error.message()
        ));
        return Flow::Status(1);
    }
    let editor = editor.unwrap_or(b"${FCEDIT:-${EDITOR:-vi}}");
    let run = format!(
        " {path} && command cat {path} >&2 && eval \"$(command cat {path}; command rm -f {path})\""
    );
    Flow::Eval(Text::from([editor, run.as_bytes()].concat()))
}

/// The last line before the command under way.
fn last_line(cx: &Context<'_>) -> Option<usize> {
    let length = cx.state().history.len();
    let own = usize::from(cx.state().recorded && length > 1);
    length.checked_sub(1 + own)
}

/// The line that a word of `fc` means, as an index: a number from the start or from the end (0 is the last), or the
/// last line that begins so.
fn place(word: &Text, lines: &[Line], last: usize, show: bool, dropped: usize) -> Option<usize> {
    match integer(word) {
        Some(0) if show && word.starts_with(b"-") => Some(lines.len() - 1),
        Some(0) => Some(last),
        Some(at) if at < 0 => Some(usize::try_from(last as i64 + at + 1).unwrap_or(0)),
        Some(at) => {
            let at = usize::try_from(at - 1 - dropped as i64).unwrap_or(usize::MAX);
            Some(if at > last { 0 } else { at })
        }
        None => lines[..=last]
            .iter()
            .rposition(|line| line.starts_with(word)),
    }
}

/// `fc -s [OLD=NEW] … [COMMAND]`
fn repeat(cx: &mut Context<'_>, operands: &[Text]) -> Flow {
    let mut changes: Vec<(&[u8], &[u8])> = Vec::new();
    let mut rest = operands;
    while let Some((word, after)) = rest.split_first() {
        let Some(at) = word.iter().position(|&byte| byte == b'=') else {
            break;
        };
        changes.push((&word[..at], &word[at + 1..]));
        rest = after;
    }
    let lines = cx.state().history.clone();
    let dropped = cx.state().history_counts.dropped;
    let found = last_line(cx).and_then(|last| match rest.first() {
        None => Some(last),
        Some(word) => place(word, &lines, last, false, dropped),
    });
    let Some(found) = found else {
        cx.error("no command found");
        return Flow::Status(1);
    };
    let mut text = lines[found].to_vec();
    for (old, new) in changes {
        text = replaced(&text, old, new);
    }
    cx.err([text.as_slice(), b"\n"].concat());
    if cx.state().recorded {
        forget_command(cx);
        cx.machine.push_history(cx.task, Text::from(&text));
    }
    Flow::Eval(Text::from(text))
}

/// A text with all occurrences of another one replaced.
fn replaced(text: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while !old.is_empty()
        && let Some(at) = rest.windows(old.len()).position(|part| part == old)
    {
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(new);
        rest = &rest[at + old.len()..];
    }
    result.extend_from_slice(rest);
    result
}
