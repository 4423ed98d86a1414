//! `tput`, as in ncurses: what a terminal can do, by the name of the capability.
//!
//! ```text
//! tput cup 4 9         moves to row 4, column 9 (from 0)
//! tput setaf 1         red
//! tput colors          256
//! tput -S              several lines of these from standard input
//! ```
//!
//! Statuses: 0; 1 for a flag that is not set or a string that the terminal lacks; 2 usage; 3 for an unknown terminal; 4
//! for an unknown capability, and with `-S` more than 4 by the number of lines that failed.

use std::collections::VecDeque;
use std::io::Read as _;

use super::expand::{self, Item};
use super::terminfo::{Capability, Terminal};
use super::without_terminal;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: tput [options] [command]\n\nOptions:\n  -S <<       read commands from standard input\n  -T TERM     use this instead of $TERM\n  -V          print curses-version\n  -x          do not try to clear scrollback\n\nCommands:\n  clear       clear the screen\n  init        initialize the terminal\n  reset       reinitialize the terminal\n  capname     unlike clear/init/reset, print value for capability \"capname\"\n",
    options: &[
        Opt("S", "", Value::No),
        Opt("T", "", Value::Required),
        Opt("V", "version", Value::No),
        Opt("x", "", Value::No),
    ],
    permute: true,
    status: 2,
};

/// The capabilities whose parameters after the first are text.
const WITH_TEXT: &[&str] = &["pfkey", "pfloc", "pfx", "pln", "pfxl"];

/// Runs `tput`.
pub fn run(call: &Call) -> i32 {
    prepare(call).unwrap_or_else(|status| status)
}

/// Finds the terminal (`-T`, else `TERM`) and answers; `Err` is the exit status.
fn prepare(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    if parsed.operands.is_empty() && !parsed.has("S") {
        eprint!("{}", SYNTAX.usage);
        return Err(2);
    }
    let name = parsed.value("T").map(<[u8]>::to_vec);
    let name = name.or_else(|| std::env::var_os("TERM").map(|name| name.into_encoded_bytes()));
    let name = name
        .filter(|name| !name.is_empty())
        .ok_or_else(|| call.fail(2, "No value for $TERM and no -T specified"))?;
    let terminal = Terminal::find(&String::from_utf8_lossy(&name))
        .ok_or_else(|| call.fail(3, bytes!("unknown terminal \"", name, "\"")))?;
    let mut tput = Tput {
        call,
        terminal,
        keeps_scrollback: parsed.has("x"),
        out: Output::new(),
    };
    let status = if parsed.has("S") {
        tput.lines()
    } else {
        tput.words(parsed.operands.into())
    };
    let status = status.unwrap_or_else(|status| status);
    Ok(tput.out.finish(&call.name, status, 4))
}

/// A run.
struct Tput<'a> {
    call: &'a Call,
    /// The terminal that is asked about.
    terminal: Terminal,
    /// `-x`: `clear` leaves what was scrolled out of the screen.
    keeps_scrollback: bool,
    out: Output,
}

impl Tput<'_> {
    /// One line of standard input after the other; the status tells how many had what is not there.
    fn lines(&mut self) -> Result<i32, i32> {
        const FAILED: i32 = 4;
        let mut text = Vec::new();
        if std::io::stdin().read_to_end(&mut text).is_err() {
            return Err(FAILED);
        }
        let mut failures = 0;
        for line in text.split(|&byte| byte == b'\n') {
            let words = line.split(u8::is_ascii_whitespace);
            let words = words.filter(|word| !word.is_empty()).map(<[u8]>::to_vec);
            failures += i32::from(self.words(words.collect())? != 0);
        }
        Ok(if failures == 0 { 0 } else { FAILED + failures })
    }

    /// Capabilities with their parameters, up to the first that is not there.
    fn words(&mut self, mut words: VecDeque<Vec<u8>>) -> Result<i32, i32> {
        while let Some(name) = words.pop_front() {
            let status = self.one(&name, &mut words)?;
            if status != 0 {
                return Ok(status);
            }
        }
        Ok(0)
    }

    /// Prints one capability; a string takes its parameters from the words behind it. `Err` ends the run.
    fn one(&mut self, name: &[u8], rest: &mut VecDeque<Vec<u8>>) -> Result<i32, i32> {
        let text = String::from_utf8_lossy(name);
        match text.as_ref() {
            "clear" => return Ok(self.clear()),
            "init" | "reset" => return self.start(&text),
            "longname" => {
                self.out.put(self.terminal.description);
                return Ok(0);
            }
            "cols" => return Ok(self.size("COLUMNS", |size| size.0, "cols", 80)),
            "lines" => return Ok(self.size("LINES", |size| size.1, "lines", 24)),
            _ => {}
        }
        match self.terminal.get(&text) {
            None => {
                let message = bytes!("unknown terminfo capability '", name, "'");
                Err(self.call.fail(4, message))
            }
            Some(Capability::Flag(set)) => Ok(i32::from(!set)),
            Some(Capability::Number(number)) => {
                self.out.line(number.to_string());
                Ok(0)
            }
            Some(Capability::Text(None)) => Ok(1),
            Some(Capability::Text(Some(value))) => {
                let value = if rest.is_empty() {
                    value
                } else {
                    let parameters = parameters(&text, &value, rest);
                    expand::expand(&value, &parameters)
                };
                self.out.put(expand::without_padding(&value));
                Ok(0)
            }
        }
    }

    /// `cols` and `lines`: the variable, else the size of the terminal on descriptor 1, 2 or 0, else the description,
    /// else the default.
    fn size(
        &mut self,
        variable: &str,
        of_terminal: fn((u16, u16)) -> u16,
        capability: &str,
        default: i64,
    ) -> i32 {
        let given = std::env::var(variable).ok();
        let given = given
            .and_then(|text| text.parse().ok())
            .filter(|&size: &i64| size > 0);
        let given = given.or_else(|| {
            let mut sizes = [1, 2, 0].into_iter().filter_map(system::terminal_size);
            sizes.next().map(|size| i64::from(of_terminal(size)))
        });
        let size = given.unwrap_or_else(|| match self.terminal.get(capability) {
            Some(Capability::Number(size)) if size > 0 => size,
            _ => default,
        });
        self.out.line(size.to_string());
        0
    }

    /// `clear`; 2 where the terminal has no such string.
    fn clear(&mut self) -> i32 {
        match super::clear::sequence(&self.terminal, self.keeps_scrollback) {
            Some(sequence) => {
                self.out.put(sequence);
                0
            }
            None => 2,
        }
    }

    /// `init` and `reset`, which need a terminal.
    fn start(&mut self, how: &str) -> Result<i32, i32> {
        if let Some(status) = without_terminal(self.call) {
            return Err(status);
        }
        self.out
            .put(super::clear::start(&self.terminal, how == "reset"));
        Ok(0)
    }
}

/// Takes as many words as the string has parameters; text for some function keys, else the digits at the start of a
/// word.
fn parameters(name: &str, value: &[u8], rest: &mut VecDeque<Vec<u8>>) -> Vec<Item> {
    let count = expand::arity(value).min(rest.len());
    let words = rest.drain(..count).enumerate();
    let item = |(at, word): (usize, Vec<u8>)| {
        if at > 0 && WITH_TEXT.contains(&name) {
            return Item::Text(word);
        }
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        Item::Number(options::number(&word[..digits]).unwrap_or(0))
    };
    words.map(item).collect()
}
