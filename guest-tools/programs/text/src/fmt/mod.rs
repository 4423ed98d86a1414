//! `fmt`, after GNU coreutils 9.1: paragraphs with lines of even length.
//!
//! `paragraph` reads paragraphs and writes them anew, `breaks` decides where their lines are broken. Widths are in
//! bytes. Files are read as a whole.

mod breaks;
mod paragraph;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Kind};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: fmt [-WIDTH] [OPTION]... [FILE]...\nReformat each paragraph in the FILE(s), writing to standard output.\n",
    options: &[
        Opt("c", "crown-margin", Value::No),
        Opt("g", "goal", Value::Required),
        Opt("p", "prefix", Value::Required),
        Opt("s", "split-only", Value::No),
        Opt("t", "tagged-paragraph", Value::No),
        Opt("u", "uniform-spacing", Value::No),
        Opt("w", "width", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// The largest width: lines as wide as all that is kept of a paragraph could not be weighed against each other.
const WIDEST: usize = paragraph::MOST_BYTES / 2;

/// What is a paragraph, and what it becomes: the options.
struct Plan {
    /// `-c`: the second line has the indentation of those that follow.
    crown: bool,
    /// `-t`: the first line is indented differently, or is a paragraph by itself.
    tagged: bool,
    /// `-s`: lines are split and never joined.
    split: bool,
    /// `-u`: one blank stands between words, two behind sentences.
    uniform: bool,
    /// `-w`: what lines must be shorter than, unless they are a single word.
    width: usize,
    /// `-g`: how long lines should be, without the option 93.5 per cent of the width.
    goal: usize,
    /// `-p`.
    prefix: Prefix,
}

/// What stands before each line of a paragraph. Lines without it are copied as they are.
#[derive(Default)]
struct Prefix {
    text: Vec<u8>,
    /// The blanks before it.
    lead: usize,
    /// How long it is with the blanks after it.
    whole: usize,
}

impl Prefix {
    /// The prefix of `-p`, or none.
    fn new(given: &[u8]) -> Prefix {
        let text = given.trim_ascii_start();
        let lead = given.len() - text.len();
        let end = text.iter().rposition(|&byte| byte != b' ');
        Prefix {
            text: text[..end.map_or(0, |end| end + 1)].to_vec(),
            lead,
            whole: text.len(),
        }
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line, where `-N` is `-w N`, and formats the files. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let mut arguments = call.arguments.clone();
    if let Some([b'-', digits @ ..]) = arguments.first().map(Vec::as_slice)
        && digits.first().is_some_and(u8::is_ascii_digit)
    {
        arguments[0] = bytes!("-w", digits);
    }
    let call = Call {
        name: call.name.clone(),
        arguments,
    };
    let parsed = options::parse(&call, &SYNTAX)?;
    let plan = plan(&call, &parsed)?;
    let mut out = Output::new();
    let mut status = 0;
    let standard = [b"-".to_vec()];
    let files = if parsed.operands.is_empty() {
        &standard[..]
    } else {
        &parsed.operands
    };
    for file in files {
        let is_directory = || {
            let found = system::stat(file, true).ok();
            found.is_some_and(|found| found.kind == Kind::Directory)
        };
        match system::read_whole(file) {
            Ok(text) => paragraph::format(&text, &plan, &mut out),
            Err(failure) => {
                out.flush();
                let name = quote::message(file);
                status = call.fail(
                    1,
                    if is_directory() {
                        b"read error".to_vec()
                    } else {
                        bytes!("cannot open ", name, " for reading: ", failure)
                    },
                );
            }
        }
    }
    Ok(out.finish(&call.name, status, 1))
}

/// What the options ask for. The error is the status, after a message.
fn plan(call: &Call, parsed: &Parsed) -> Result<Plan, i32> {
    let number = |key: &str, most: usize| match parsed.value(key) {
        None => Ok(None),
        Some(text) => match options::number(text).filter(|number| *number <= most) {
            Some(number) => Ok(Some(number)),
            None => {
                let too_large = text.iter().all(u8::is_ascii_digit) && !text.is_empty();
                let reason = if too_large {
                    ": Numerical result out of range"
                } else {
                    ""
                };
                Err(call.fail(1, bytes!("invalid width: ", quote::word(text), reason)))
            }
        },
    };
    let width = number("w", WIDEST)?;
    let goal = number("g", width.unwrap_or(75))?;
    let width = width.unwrap_or_else(|| goal.map_or(75, |goal| goal + 10));
    Ok(Plan {
        crown: parsed.has("c"),
        tagged: parsed.has("t"),
        split: parsed.has("s"),
        uniform: parsed.has("u"),
        width,
        // Lines may be longer than wanted by as much as they may be shorter.
        goal: goal.unwrap_or(width * 187 / 200),
        prefix: Prefix::new(parsed.value("p").unwrap_or_default()),
    })
}
