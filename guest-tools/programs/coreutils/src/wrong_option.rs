//! What GNU's words are where an option of uutils is wrong.
//!
//! The parser of the command, which uutils publishes, is run on the words before the command is. Where it fails, the
//! kind of its error is put into the words of GNU's `getopt_long` and the command's own. Most calls have nothing that
//! looks like an option, and are let through without a parser.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::call::Call;
use crate::quote;

/// Commands that read their words themselves before their parser sees them, so that its errors mean nothing.
const READS_ITSELF: &[&str] = &["echo", "factor", "false", "printf", "true"];

/// Options of uutils that the tools of Debian do not have: they are refused as any other unknown one.
const FOREIGN: &[(&str, &[&str])] = &[
    ("cut", &["fields-merged", "whitespace-delimited"]),
    ("expand", &["no-utf8"]),
    ("factor", &["exponents"]),
    ("fold", &["characters"]),
    ("realpath", &["canonicalize"]),
    ("seq", &["terminator"]),
    ("shuf", &["random-seed"]),
    ("unexpand", &["no-utf8"]),
    ("wc", &["total"]),
];

/// Commands with numbers that look like options, such as `head -5` and `seq -1 1`. The parser does not see these.
const NUMBERS: &[&str] = &["expand", "fold", "head", "nl", "seq", "unexpand"];

/// Commands that do nothing without an operand.
const NEEDS_OPERAND: &[&str] = &[
    "dirname", "mkfifo", "pathchk", "readlink", "realpath", "rmdir", "shred", "sleep", "truncate",
];

/// Commands that want a certain number of operands.
const COUNTS: &[&str] = &[
    "hostid", "link", "nproc", "seq", "shuf", "truncate", "unlink",
];

/// What GNU says where the value of an option is no number that it takes: the command, the option, and what its value
/// is.
const VALUES: &[(&str, &str, &str)] = &[
    ("nl", "--number-width", "line number field width"),
    ("nl", "--line-increment", "line number increment"),
    ("nl", "--starting-line-number", "starting line number"),
    ("nl", "--join-blank-lines", "line number of blank lines"),
    ("nproc", "--ignore", "number"),
    ("shuf", "--head-count", "line count"),
    ("shuf", "--input-range", "input range"),
];

/// Says what is wrong with the options of a command, as GNU does. The exit status, which is 2 for `printenv` and 1
/// for all others; none where the command is to run. `--help` is answered here for commands with options that are
/// refused.
pub fn refuse(call: &Call, parser: fn() -> Command) -> Option<i32> {
    let foreign = FOREIGN.iter().find(|(name, _)| *name == call.name);
    let parser = move || foreign.map_or_else(parser, |(_, foreign)| without(parser(), foreign));
    if foreign.is_some() && call.arguments.iter().any(|word| word == b"--help") {
        let error = parser()
            .try_get_matches_from([&call.name, "--help"])
            .err()?;
        return Some(i32::from(error.print().is_err()));
    }
    // `seq` takes what looks like an option for a number.
    let terminates = |word: &&Vec<u8>| word.starts_with(b"-t") || word.starts_with(b"--t");
    if let Some(word) = call.arguments.iter().find(terminates)
        && call.name == "seq"
    {
        let given = String::from_utf8_lossy(word);
        let given = if given.starts_with("--") {
            &given
        } else {
            "-t"
        };
        let message = unknown(call, given);
        let hint = "\nTry 'seq --help' for more information.";
        return Some(call.fail(1, message + hint));
    }
    let is_option = |argument: &Vec<u8>| argument.len() > 1 && argument[0] == b'-';
    let name = call.name.as_str();
    let counts = NEEDS_OPERAND.contains(&name) && call.arguments.is_empty();
    let looked_at = counts || COUNTS.contains(&name) || call.arguments.iter().any(is_option);
    let by_itself = READS_ITSELF.contains(&name) && foreign.is_none();
    if !looked_at || by_itself {
        return None;
    }
    let message = wrong_option(call, parser)?;
    let status = if name == "printenv" { 2 } else { 1 };
    // GNU gives no hint where only a value is wrong.
    let is_value = |(known, _, what): &(&str, &str, &str)| {
        *known == name && message.starts_with(&format!("invalid {what}: "))
    };
    let hint = if VALUES.iter().any(is_value) {
        String::new()
    } else {
        format!("\nTry '{name} --help' for more information.")
    };
    Some(call.fail(status, message + &hint))
}

/// The parser as if it had never known these options: they are renamed to what nobody types, and hidden. At most two
/// of them.
fn without(mut parser: Command, foreign: &[&'static str]) -> Command {
    // Names that nobody types.
    for (name, long) in foreign.iter().zip(["\n", "\n\n"]) {
        parser = parser.mut_arg(name, |option| option.short(None).long(long).hide(true));
    }
    parser
}

/// What GNU says of the options and operands; nothing where they are right, or wrong otherwise.
fn wrong_option(call: &Call, parser: impl Fn() -> Command) -> Option<String> {
    let numbers = NUMBERS.contains(&call.name.as_str());
    let is_number = |word: &std::ffi::OsString| {
        matches!(
            word.as_encoded_bytes(),
            [b'-' | b'+', b'0'..=b'9' | b'.', ..]
        )
    };
    let mut is_value = false;
    let words = std::env::args_os().filter(|word| {
        let kept = !(numbers && is_number(word)) || std::mem::take(&mut is_value);
        is_value = matches!(word.as_encoded_bytes(), b"-t" | b"--tabs");
        kept
    });
    let error = parser().try_get_matches_from(words).err()?;
    match error.kind() {
        ErrorKind::ArgumentConflict if call.name == "shuf" => {
            let is_range = |word: &Vec<u8>| word.starts_with(b"-i") || word.starts_with(b"--i");
            let operand = call.arguments.last().filter(|word| !word.starts_with(b"-"));
            let range = call.arguments.iter().position(is_range)?;
            match operand.filter(|_| range + 2 < call.arguments.len()) {
                Some(extra) if !call.arguments.contains(&b"-e".to_vec()) => {
                    let extra = quoted(&String::from_utf8_lossy(extra));
                    Some(format!("extra operand {extra}"))
                }
                _ => Some("cannot combine -e and -i options".to_owned()),
            }
        }
        ErrorKind::WrongNumberOfValues if call.name == "link" && call.arguments.len() > 2 => {
            let extra = String::from_utf8_lossy(&call.arguments[2]);
            Some(format!("extra operand {}", quoted(&extra)))
        }
        ErrorKind::MissingRequiredArgument if call.name == "truncate" => truncate(call),
        ErrorKind::MissingRequiredArgument | ErrorKind::WrongNumberOfValues => {
            let is_operand = |word: &&Vec<u8>| !word.starts_with(b"-") || word.len() == 1;
            let last = call.arguments.iter().rfind(is_operand);
            Some(match last {
                None => "missing operand".to_owned(),
                Some(last) => {
                    let last = quoted(&String::from_utf8_lossy(last));
                    format!("missing operand after {last}")
                }
            })
        }
        kind => {
            let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else {
                return None;
            };
            let value = error.get(ContextKind::InvalidValue);
            match kind {
                ErrorKind::UnknownArgument if !given.starts_with('-') => {
                    Some(format!("extra operand {}", quoted(given)))
                }
                ErrorKind::UnknownArgument => Some(unknown(call, given)),
                ErrorKind::ValueValidation => invalid_value(call, given, value?),
                ErrorKind::TooManyValues => {
                    let long = given.split(['[', '=', ' ']).next().unwrap_or(given);
                    let ContextValue::String(value) = value? else {
                        return None;
                    };
                    Some(if long.starts_with("--") {
                        format!("option '{long}' doesn't allow an argument")
                    } else {
                        format!("extra operand {}", quoted(value))
                    })
                }
                ErrorKind::InvalidValue => lacks_value(call, value)
                    .or_else(|| wrong_value(given, value, error.get(ContextKind::ValidValue))),
                _ => None,
            }
        }
    }
}

/// A word as GNU quotes it in messages.
fn quoted(text: &str) -> String {
    String::from_utf8_lossy(&quote::word(text.as_bytes())).into_owned()
}

/// What is missing from the words of `truncate`: its file, or a size.
fn truncate(call: &Call) -> Option<String> {
    let is_size = |argument: &Vec<u8>| {
        argument.starts_with(b"-s") || argument.starts_with(b"-r") || argument.starts_with(b"--")
    };
    Some(if call.arguments.iter().any(is_size) {
        "missing file operand".to_owned()
    } else {
        let (size, reference) = (quoted("--size"), quoted("--reference"));
        format!("you must specify either {size} or {reference}")
    })
}

/// A value that is no number, or 0 where that is none that is taken; nothing for options that are not in `VALUES`.
fn invalid_value(call: &Call, option: &str, value: &ContextValue) -> Option<String> {
    let ContextValue::String(value) = value else {
        return None;
    };
    let is_meant = |(name, long, _): &&(&str, &str, &str)| {
        *name == call.name && option.split(['[', '=', ' ']).next() == Some(*long)
    };
    let (_, _, what) = VALUES.iter().find(is_meant)?;
    let reason = if value == "0" {
        ": Numerical result out of range"
    } else {
        ""
    };
    Some(format!("invalid {what}: {}{reason}", quoted(value)))
}

/// A value that is none of those that the option has, which are listed.
fn wrong_value(
    option: &str,
    value: Option<&ContextValue>,
    valid: Option<&ContextValue>,
) -> Option<String> {
    let (Some(ContextValue::String(value)), Some(ContextValue::Strings(valid))) = (value, valid)
    else {
        return None;
    };
    let option = option.split(['[', '=', ' ']).next().unwrap_or(option);
    let mut text = format!(
        "invalid argument {} for {}\nValid arguments are:",
        quoted(value),
        quoted(option)
    );
    for name in valid {
        text.push_str(&format!("\n  - {}", quoted(name)));
    }
    Some(text)
}

/// An option that does not exist. A long one is shown as it was typed, with its value.
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

/// An option without its value, which can only be missing at the end.
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
