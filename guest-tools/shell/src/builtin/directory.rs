//! `cd`, `pwd`

use super::letters::Letters;
use super::{Context, Flow};
use crate::machine::option::{SetOption, Shopt};
use crate::os::{Access, Errno, FileKind};
use crate::text::Text;

pub(super) fn cd(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    if cx.is_restricted(b"") {
        return Flow::Status(1);
    }
    let mut letters = Letters::new("LPe", arguments);
    let mut physical = cx.on(SetOption::Physical);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'L' => physical = false,
                b'P' => physical = true,
                _ => {}
            },
            Err(flow) => return flow,
        }
    }
    let (target, mut show) = match letters.operands() {
        [] => match cx.get(b"HOME") {
            Some(home) => (home, false),
            None => {
                cx.error("HOME not set");
                return Flow::Status(1);
            }
        },
        [dash] if dash.as_bytes() == b"-" => match cx.get(b"OLDPWD") {
            Some(old) => (old, true),
            None => {
                cx.error("OLDPWD not set");
                return Flow::Status(1);
            }
        },
        [target] => (target.clone(), false),
        _ => {
            cx.error("too many arguments");
            return Flow::Status(1);
        }
    };
    if target.is_empty() {
        if !physical {
            return Flow::Status(0);
        }
        cx.error_about(&target, Errno::NoEntry.message());
        return Flow::Status(1);
    }
    if let Some(found) = search_cdpath(cx, &target, physical) {
        show |= found.1;
        return moved(cx, found.0, show);
    }
    match change(cx, &target, physical) {
        Ok(path) => moved(cx, path, show),
        Err(error) => match by_variable(cx, &target, physical) {
            Some(path) => moved(cx, path, true),
            None => {
                cx.error_about(&target, error.message());
                Flow::Status(1)
            }
        },
    }
}

/// `CDPATH`: the directory, and whether it is to be shown.
fn search_cdpath(cx: &mut Context<'_>, target: &[u8], physical: bool) -> Option<(Vec<u8>, bool)> {
    let first = target
        .split(|&byte| byte == b'/')
        .next()
        .unwrap_or_default();
    if matches!(first, b"" | b"." | b"..") {
        return None;
    }
    let path = cx.get(b"CDPATH").filter(|path| !path.is_empty())?;
    for entry in path.split(|&byte| byte == b':') {
        let full = if entry.is_empty() {
            target.to_vec()
        } else {
            [entry, b"/", target].concat()
        };
        if let Ok(found) = change(cx, &full, physical) {
            return Some((found, !entry.is_empty()));
        }
    }
    None
}

/// `shopt -s cdable_vars`
fn by_variable(cx: &mut Context<'_>, target: &[u8], physical: bool) -> Option<Vec<u8>> {
    if !cx.shopt(Shopt::CdableVars) {
        return None;
    }
    let value = cx.get(target)?;
    change(cx, &value, physical).ok()
}

/// The path that the working directory becomes.
pub(super) fn change(
    cx: &mut Context<'_>,
    target: &[u8],
    physical: bool,
) -> Result<Vec<u8>, Errno> {
    let os = cx.os();
    let full = cx.absolute(target);
    let path = if physical {
        os.canonicalize(&full)?
    } else {
        logical(cx, &full)?
    };
    if os.stat(&path, true)?.kind != FileKind::Directory {
        return Err(Errno::NotDirectory);
    }
    os.access(
        &path,
        Access {
            execute: true,
            ..Access::default()
        },
    )?;
    Ok(path)
}

/// Without `.` and `..`; what stands before `..` has to be a directory, or the working directory although
/// it was removed.
fn logical(cx: &Context<'_>, path: &[u8]) -> Result<Vec<u8>, Errno> {
    let os = cx.os();
    let mut result: Vec<u8> = Vec::with_capacity(path.len());
    for part in path.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                let left = result.is_empty() || *result == *cx.state().directory;
                if !left && os.stat(&result, true)?.kind != FileKind::Directory {
                    return Err(Errno::NotDirectory);
                }
                let end = result.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
                result.truncate(end);
            }
            part => {
                result.push(b'/');
                result.extend_from_slice(part);
            }
        }
    }
    if result.is_empty() {
        result.push(b'/');
    }
    Ok(result)
}

fn moved(cx: &mut Context<'_>, path: Vec<u8>, show: bool) -> Flow {
    if show {
        cx.out([path.as_slice(), b"\n"].concat());
    }
    Flow::Status(enter(cx, path))
}

/// Makes `path` the working directory, with `PWD` and `OLDPWD`; the status.
pub(super) fn enter(cx: &mut Context<'_>, path: Vec<u8>) -> u8 {
    let old = cx
        .get(b"PWD")
        .unwrap_or_else(|| cx.state().directory.clone());
    let path = Text::from(path);
    cx.enter_directory(path.clone());
    let old = cx.set(b"OLDPWD", old);
    let new = cx.set(b"PWD", path);
    u8::from(old.is_err() || new.is_err())
}

pub(super) fn pwd(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("LP", arguments);
    let mut physical = cx.on(SetOption::Physical);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => physical = given.letter == b'P',
            Err(flow) => return flow,
        }
    }
    let mut path = cx.state().directory.to_vec();
    if physical {
        match cx.os().canonicalize(&path) {
            Ok(real) => path = real,
            Err(error) => {
                cx.error(format!(
                    "error retrieving current directory: {}",
                    error.message()
                ));
                return Flow::Status(1);
            }
        }
    }
    path.push(b'\n');
    cx.out(path);
    Flow::Status(0)
}
