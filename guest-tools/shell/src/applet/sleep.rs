//! `sleep`, whose whole state is a point in time, so that a script that sleeps can be suspended.

use super::Task;
use super::io::Io;

/// `sleep NUMBER[smhd]…`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let (_, operands) = context.arguments.split_first()?;
    let operands = match operands.split_first() {
        Some((first, rest)) if first == b"--" => rest,
        _ => operands,
    };
    if operands.is_empty() {
        return None;
    }
    let mut nanoseconds = 0u64;
    for operand in operands {
        nanoseconds = nanoseconds.saturating_add(interval(operand)?);
    }
    let now = context.os.monotonic();
    Some(Task::Until(now.saturating_add(nanoseconds)))
}

/// Nanoseconds of a decimal number with its unit; none for what is written otherwise.
fn interval(operand: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(operand).ok()?;
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 60 * 60,
        "d" => 24 * 60 * 60,
        _ => return None,
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let decimal = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !decimal(whole) || !decimal(fraction) || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let seconds = match whole {
        "" => 0,
        // Too many digits are longer than anybody waits.
        whole => whole.parse::<u64>().unwrap_or(u64::MAX),
    };
    let nanoseconds = format!("{fraction:0<9}");
    let nanoseconds: u64 = nanoseconds.get(..9)?.parse().ok()?;
    let all = seconds.saturating_mul(1_000_000_000);
    Some(all.saturating_add(nanoseconds).saturating_mul(unit))
}
