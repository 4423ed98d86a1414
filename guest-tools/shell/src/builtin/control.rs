//! `break`, `continue`, `return`, `exit`, `logout`, `shift`, `let`, `eval`.
//!
//! None of them acts itself: the `Flow` that they return says what the machine is to leave, and with which status.

use super::letters::{Letters, integer};
use super::{Context, Flow};
use crate::machine::option::{SetOption, Shopt};
use crate::text::Text;

/// What follows `--`; a negative number is no option.
fn operands<'a>(cx: &mut Context<'_>, arguments: &'a [Text]) -> Result<&'a [Text], Flow> {
    match arguments.split_first() {
        Some((first, rest)) if first.as_bytes() == b"--" => Ok(rest),
        Some((first, _)) if first.as_bytes() == b"--help" => Err(super::help::describe(cx)),
        _ => Ok(arguments),
    }
}

/// Runs `break [N]`.
pub(super) fn break_loop(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    leave_loops(cx, arguments, Flow::Break)
}

/// Runs `continue [N]`.
pub(super) fn continue_loop(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    leave_loops(cx, arguments, Flow::Continue)
}

/// The loops to leave: at most as many as there are. A count that is none ends the shell, one below 1 leaves all.
fn leave_loops(cx: &mut Context<'_>, arguments: &[Text], flow: fn(u32) -> Flow) -> Flow {
    let operands = match operands(cx, arguments) {
        Ok(operands) => operands,
        Err(flow) => return flow,
    };
    let depth = cx.loop_depth();
    if depth == 0 {
        if cx.on(SetOption::Posix) {
            return Flow::Status(0);
        }
        cx.error("only meaningful in a `for', `while', or `until' loop");
        return Flow::Status(0);
    }
    let Some(first) = operands.first() else {
        return flow(1);
    };
    let Some(count) = integer(first) else {
        cx.error_about(first, "numeric argument required");
        return Flow::Exit(128);
    };
    if operands.len() > 1 {
        return too_many(cx);
    }
    if count <= 0 {
        cx.error_about(first, "loop count out of range");
        return Flow::BreakAll;
    }
    flow(u32::try_from(count).unwrap_or(u32::MAX).min(depth))
}

/// Runs `return [N]`.
pub(super) fn return_from(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let operands = match operands(cx, arguments) {
        Ok(operands) => operands,
        Err(flow) => return flow,
    };
    if operands.len() > 1 {
        return too_many(cx);
    }
    let status = exit_status(cx, operands);
    if !cx.can_return() {
        cx.error("can only `return' from a function or sourced script");
        return Flow::Fatal(2);
    }
    Flow::Return(status)
}

/// Runs `exit [N]`; jobs that stand still may keep an interactive shell from it once.
pub(super) fn exit(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let operands = match operands(cx, arguments) {
        Ok(operands) => operands,
        Err(flow) => return flow,
    };
    if operands.len() > 1 && integer(&operands[0]).is_some() {
        return too_many(cx);
    }
    let status = match operands.is_empty() {
        true => cx.ending_status(),
        false => exit_status(cx, operands),
    };
    match cx.may_exit() {
        true => Flow::Exit(status),
        false => Flow::Status(1),
    }
}

/// Runs `logout`, in a login shell only.
pub(super) fn logout(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    if cx.shopt(Shopt::LoginShell) {
        return exit(cx, arguments);
    }
    cx.error("not login shell: use `exit'");
    Flow::Status(1)
}

/// The status that a word means, modulo 256; that of the last command without one, 2 for what is no number.
fn exit_status(cx: &mut Context<'_>, operands: &[Text]) -> u8 {
    match operands.first() {
        None => cx.exit_status(),
        Some(text) => match integer(text) {
            Some(status) => status as u8,
            None => {
                cx.error_about(text, "numeric argument required");
                2
            }
        },
    }
}

/// Runs `shift [N]`. The status is 1 where there are fewer parameters, which `shift_verbose` reports.
pub(super) fn shift(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let operands = match operands(cx, arguments) {
        Ok(operands) => operands,
        Err(flow) => return flow,
    };
    if operands.len() > 1 {
        return too_many(cx);
    }
    let count = match operands.first() {
        None => 1,
        Some(text) => match integer(text) {
            Some(count) => count,
            None => {
                cx.error_about(text, "numeric argument required");
                return Flow::Status(1);
            }
        },
    };
    let shifted = usize::try_from(count)
        .ok()
        .map(|count| cx.state_mut().positional.shift(count));
    match shifted {
        Some(true) => Flow::Status(0),
        Some(false) if !cx.shopt(Shopt::ShiftVerbose) && !cx.on(SetOption::Posix) => {
            Flow::Status(1)
        }
        _ => {
            match operands.first() {
                Some(subject) => cx.error_about(subject, "shift count out of range"),
                None => cx.error("shift count out of range"),
            }
            Flow::Status(1)
        }
    }
}

/// Runs `let`: the status is 1 where the last expression is 0.
pub(super) fn evaluate(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let skip = usize::from(
        arguments
            .first()
            .is_some_and(|first| first.as_bytes() == b"--"),
    );
    let arguments = &arguments[skip..];
    if arguments.is_empty() {
        cx.error("expression expected");
        return Flow::Status(1);
    }
    let mut value = 0;
    for expression in arguments {
        match cx.arithmetic(expression) {
            Ok(result) => value = result,
            Err(_) => return Flow::Status(1),
        }
    }
    Flow::Status(u8::from(value == 0))
}

/// Runs `eval`: its words, a blank between them, are read as commands.
pub(super) fn eval(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("", arguments);
    if let Err(flow) = letters.next(cx) {
        return flow;
    }
    let operands = letters.operands();
    if operands.is_empty() {
        return Flow::Status(0);
    }
    Flow::Eval(Text::from(operands.join(&b' ')))
}

/// Refuses more than one argument: all commands under way are given up, those of `-c` too.
pub(super) fn too_many(cx: &mut Context<'_>) -> Flow {
    cx.error("too many arguments");
    cx.give_up();
    Flow::Abandon(1)
}
