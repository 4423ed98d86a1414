//! What ends the pieces: the operands after the file. Each may be followed by `{N}` or `{*}`.
//!
//! ```text
//! 10            up to line 10                     /x/-2      up to two lines before a match
//! %x%           skips up to a match               {2}        twice more
//! ```

use crate::call::{Call, bytes};
use crate::options;
use crate::pattern::{Dialect, Pattern, Settings};
use crate::quote;

/// What ends one piece, and how often that is repeated.
pub struct Control {
    /// The operand, for messages.
    pub text: Vec<u8>,
    /// What ends the piece.
    pub until: Until,
    /// How often.
    pub times: Times,
}

/// What ends a piece.
pub enum Until {
    /// The line of this number.
    Line(u64),
    /// A line that matches, and so many lines on.
    Match {
        pattern: Pattern,
        /// How many lines behind the match the piece ends, before it where negative.
        offset: i64,
        /// `%`: the lines before it are dropped.
        skips: bool,
    },
}

/// How often a control is repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// So many times more than once.
    More(u64),
    /// As often as it matches (`{*}`).
    Always,
}

impl Times {
    /// Whether there is this repetition; the first time is 0.
    pub fn allows(self, repetition: u64) -> bool {
        match self {
            Times::More(count) => repetition <= count,
            Times::Always => true,
        }
    }
}

/// Reads the operands. Line numbers must grow; one that is given twice is a warning.
///
/// # Errors
/// The status, after the message was printed.
pub fn controls(call: &Call, operands: &[Vec<u8>]) -> Result<Vec<Control>, i32> {
    let mut controls = Vec::new();
    let mut last = 0;
    let mut operands = operands.iter().peekable();
    while let Some(text) = operands.next() {
        let until = match text.first() {
            Some(&delimiter @ (b'/' | b'%')) => matching(call, text, delimiter)?,
            _ => Until::Line(line(call, text, &mut last)?),
        };
        let times = match operands.next_if(|next| next.starts_with(b"{")) {
            Some(count) => repetitions(call, count)?,
            None => Times::More(0),
        };
        controls.push(Control {
            text: text.clone(),
            until,
            times,
        });
    }
    Ok(controls)
}

/// Reads `/PATTERN/[OFFSET]`, or the same with `%`.
fn matching(call: &Call, text: &[u8], delimiter: u8) -> Result<Until, i32> {
    let refuse = |message: &str| call.fail(1, bytes!(quote::word(text), ": ", message));
    let end = text
        .iter()
        .rposition(|byte| *byte == delimiter)
        .filter(|end| *end > 0);
    let end = end.ok_or_else(|| {
        let delimiter = [delimiter];
        let message = bytes!(text, ": closing delimiter '", delimiter, "' missing");
        call.fail(1, message)
    })?;
    let pattern = Pattern::new(&text[1..end], &Settings::new(Dialect::Basic))
        .map_err(|reason| refuse(&format!("invalid regular expression: {reason}")))?;
    let offset = match &text[end + 1..] {
        [] => 0,
        offset => std::str::from_utf8(offset)
            .ok()
            .and_then(|offset| offset.parse().ok())
            .ok_or_else(|| refuse("integer expected after delimiter"))?,
    };
    Ok(Until::Match {
        pattern,
        offset,
        skips: delimiter == b'%',
    })
}

/// Reads a line number, which becomes `last`.
fn line(call: &Call, text: &[u8], last: &mut u64) -> Result<u64, i32> {
    let number: u64 = options::number(text)
        .ok_or_else(|| call.fail(1, bytes!(quote::word(text), ": invalid pattern")))?;
    if number == 0 {
        let message = bytes!(text, ": line number must be greater than zero");
        return Err(call.fail(1, message));
    }
    let quoted = quote::word(text);
    if number < *last {
        let before = last.to_string();
        let message = bytes!(
            "line number ",
            quoted,
            " is smaller than preceding line number, ",
            before
        );
        return Err(call.fail(1, message));
    }
    if number == *last {
        let message = bytes!(
            "warning: line number ",
            quoted,
            " is the same as preceding line number"
        );
        call.fail(0, message);
    }
    *last = number;
    Ok(number)
}

fn repetitions(call: &Call, text: &[u8]) -> Result<Times, i32> {
    let Some(inner) = text.strip_suffix(b"}") else {
        let message = bytes!(quote::word(text), ": '}' is required in repeat count");
        return Err(call.fail(1, message));
    };
    match &inner[1..] {
        b"*" => Ok(Times::Always),
        count => options::number(count).map(Times::More).ok_or_else(|| {
            let message = "}: integer required between '{' and '}'";
            call.fail(1, bytes!(quote::word(inner), message))
        }),
    }
}
