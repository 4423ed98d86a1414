//! `kill`

use super::letters::integer;
use super::{Context, Flow, job, synopsis};
use crate::machine::option::SetOption;
use crate::machine::trap::{TERMINATE, signal_name, signal_number};
use crate::os::Errno;
use crate::text::Text;

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let (signal, targets) = match signal(cx, arguments) {
        Ok(parsed) => parsed,
        Err(flow) => return flow,
    };
    if targets.is_empty() {
        return synopsis::usage(cx);
    }
    let mut sent = false;
    for target in targets {
        sent |= send(cx, target, signal);
    }
    Flow::Status(u8::from(!sent))
}

/// The signal that the options ask for, and what follows them.
fn signal<'a>(cx: &mut Context<'_>, arguments: &'a [Text]) -> Result<(u8, &'a [Text]), Flow> {
    let Some((first, after)) = arguments.split_first() else {
        return Ok((TERMINATE, arguments));
    };
    let (spec, rest) = match first.as_bytes() {
        b"-l" | b"-L" => return Err(list(cx, after)),
        b"--help" => return Err(super::help::describe(cx)),
        b"--" => return Ok((TERMINATE, after)),
        b"-s" | b"-n" => match after.split_first() {
            Some((value, rest)) => (value.as_bytes(), rest),
            None => {
                let option = first.to_string_lossy().into_owned();
                cx.error(format!("{option}: option requires an argument"));
                return Err(Flow::Status(1));
            }
        },
        [b'-', b's' | b'n', value @ ..] if signal_number(&first[1..]).is_none() => (value, after),
        [b'-', value @ ..] if !value.is_empty() => (value, after),
        _ => return Ok((TERMINATE, arguments)),
    };
    let Some(number) = signal_number(spec) else {
        cx.error_about(spec, "invalid signal specification");
        return Err(Flow::Status(1));
    };
    match rest.split_first() {
        Some((next, rest)) if next.as_bytes() == b"--" => Ok((number, rest)),
        _ => Ok((number, rest)),
    }
}

/// Sends a signal to a process or job, and says whether that worked.
fn send(cx: &mut Context<'_>, target: &Text, signal: u8) -> bool {
    if target.starts_with(b"%") {
        let Some(number) = job::find(cx, target) else {
            job::not_found(cx, target, target);
            return false;
        };
        return job::signal(cx, number, signal);
    }
    let Some(number) = integer(target) else {
        if target.is_empty() || target.starts_with(b"-") {
            let quoted = [b"`".as_slice(), target, b"'"].concat();
            cx.error_about(&quoted, "not a pid or valid job spec");
        } else {
            cx.error_about(target, "arguments must be process or job IDs");
        }
        return false;
    };
    let result = match (number, u32::try_from(number.unsigned_abs())) {
        (0, _) => cx.kill_group(cx.state().shell_pid, signal),
        // A group is what leads it and all that this started.
        (..0, Ok(leader)) => cx.kill_group(leader, signal),
        (_, Ok(pid)) => cx.kill(pid, signal),
        (_, Err(_)) => Err(Errno::NoProcess),
    };
    match result {
        Ok(()) => true,
        Err(error) => {
            cx.error(format!("({number}) - {}", error.message()));
            false
        }
    }
}

fn list(cx: &mut Context<'_>, names: &[Text]) -> Flow {
    if names.is_empty() {
        let list = match cx.on(SetOption::Posix) {
            true => super::trap::signal_names(),
            false => super::trap::signal_table(),
        };
        cx.out(list);
        return Flow::Status(0);
    }
    let mut status = 0;
    for name in names {
        let line = match integer(name) {
            // The status of a command that a signal ended counts too.
            Some(number) => {
                let number = if number > 128 { number - 128 } else { number };
                let number = u8::try_from(number).ok();
                number.and_then(signal_name).map(str::to_owned)
            }
            None => signal_number(name).map(|number| number.to_string()),
        };
        match line {
            Some(line) => cx.out(line + "\n"),
            None => {
                cx.error_about(name, "invalid signal specification");
                status = 1;
            }
        }
    }
    Flow::Status(status)
}
