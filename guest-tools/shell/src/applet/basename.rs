//! `basename` and `dirname`.

use super::Task;
use super::arguments::{Argument, Arguments};
use super::io::Io;

/// `basename [-az] [-s SUFFIX] NAME…`, `basename NAME [SUFFIX]`
pub(super) fn start(mut io: Io) -> Option<Task> {
    let context = io.context();
    let mut arguments = Arguments::new(&context.arguments);
    let (mut many, mut suffix, mut end) = (false, None, b'\n');
    let mut operands = Vec::new();
    while let Some(argument) = arguments.next().ok()? {
        match argument {
            Argument::Short(b'a') | Argument::Long(b"multiple") => many = true,
            Argument::Short(b's') | Argument::Long(b"suffix") => {
                suffix = Some(arguments.value()?);
                many = true;
            }
            Argument::Short(b'z') | Argument::Long(b"zero") => end = 0,
            Argument::Operand(operand) => {
                operands.push(operand);
                arguments.stop_options();
            }
            _ => return None,
        }
    }
    let names = match (many, operands.as_slice()) {
        (false, [_]) => &operands[..],
        (false, [_, last]) => {
            suffix = Some(last);
            &operands[..1]
        }
        (true, [_, ..]) => &operands[..],
        _ => return None,
    };
    for name in names {
        io.out
            .extend_from_slice(base(name, suffix.unwrap_or_default()));
        io.out.push(end);
    }
    io.task(async |_| Ok(0))
}

/// `dirname [-z] NAME…`
pub(super) fn start_dirname(mut io: Io) -> Option<Task> {
    let context = io.context();
    let mut arguments = Arguments::new(&context.arguments);
    let mut end = b'\n';
    let mut operands = Vec::new();
    while let Some(argument) = arguments.next().ok()? {
        match argument {
            Argument::Short(b'z') | Argument::Long(b"zero") => end = 0,
            Argument::Operand(operand) => operands.push(operand),
            _ => return None,
        }
    }
    if operands.is_empty() {
        return None;
    }
    for operand in operands {
        io.out.extend_from_slice(directory(operand));
        io.out.push(end);
    }
    io.task(async |_| Ok(0))
}

fn base<'a>(path: &'a [u8], suffix: &[u8]) -> &'a [u8] {
    let trimmed = trim_slashes(path);
    if trimmed.is_empty() {
        return &path[..path.len().min(1)];
    }
    let start = trimmed
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |at| at + 1);
    let name = &trimmed[start..];
    match name.strip_suffix(suffix) {
        Some(stem) if !stem.is_empty() => stem,
        _ => name,
    }
}

fn directory(path: &[u8]) -> &[u8] {
    let trimmed = trim_slashes(path);
    let Some(slash) = trimmed.iter().rposition(|&byte| byte == b'/') else {
        // Nothing but slashes, or no slash before the name.
        return if trimmed.is_empty() && !path.is_empty() {
            b"/"
        } else {
            b"."
        };
    };
    match trim_slashes(&trimmed[..slash]) {
        [] => b"/",
        directory => directory,
    }
}

fn trim_slashes(mut path: &[u8]) -> &[u8] {
    while let [rest @ .., b'/'] = path {
        path = rest;
    }
    path
}
