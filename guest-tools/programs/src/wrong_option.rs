//! What GNU's words are where an option of uutils is wrong.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::call::Call;

/// Commands that read old forms of their options, or negative numbers, before their parser sees them.
const READS_ITSELF: &[&str] = &[
    "basename", "echo", "expand", "factor", "false", "fold", "head", "nl", "numfmt", "od", "pr",
    "printf", "seq", "split", "tail", "true", "unexpand", "uniq",
];

/// Says what is wrong with the options of a command, as GNU does; the status, where something is.
pub fn refuse(call: &Call, parser: fn() -> Command) -> Option<i32> {
    let is_option = |argument: &Vec<u8>| argument.len() > 1 && argument[0] == b'-';
    if !call.arguments.iter().any(is_option) || READS_ITSELF.contains(&call.name.as_str()) {
        return None;
    }
    let message = wrong_option(call, parser)?;
    let status = if call.name == "printenv" { 2 } else { 1 };
    let hint = format!("\nTry '{} --help' for more information.", call.name);
    Some(call.fail(status, message + &hint))
}

/// What GNU's `getopt_long` says of the options; nothing where they are right, or wrong otherwise.
fn wrong_option(call: &Call, parser: fn() -> Command) -> Option<String> {
    let error = parser().try_get_matches_from(std::env::args_os()).err()?;
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    match error.kind() {
        ErrorKind::UnknownArgument => Some(unknown(call, given)),
        ErrorKind::InvalidValue => lacks_value(call, error.get(ContextKind::InvalidValue)),
        _ => None,
    }
}

fn unknown(call: &Call, given: &str) -> String {
    if !given.starts_with("--") {
        return format!("invalid option -- '{}'", given.trim_start_matches('-'));
    }
    let arguments = call
        .arguments
        .iter()
        .map(|argument| String::from_utf8_lossy(argument));
    let whole = arguments
        .into_iter()
        .find(|argument| argument.starts_with(given));
    format!(
        "unrecognized option '{}'",
        whole.as_deref().unwrap_or(given)
    )
}

/// A value can only be missing at the end.
fn lacks_value(call: &Call, value: Option<&ContextValue>) -> Option<String> {
    let is_missing = match value {
        None => true,
        Some(ContextValue::String(value)) => value.is_empty(),
        Some(_) => false,
    };
    let last = String::from_utf8_lossy(call.arguments.last()?);
    if !is_missing || !last.starts_with('-') || last.contains('=') {
        return None;
    }
    Some(match last.strip_prefix("--") {
        Some(_) => format!("option '{last}' requires an argument"),
        None => format!("option requires an argument -- '{}'", last.chars().last()?),
    })
}
