//! A `sed` script, and reading it.
//!
//! A script becomes a flat list of commands. Blocks and labels become indexes into it: `{` knows its `}`, and jumps
//! know their target, so that running needs no stack.
//!
//! ```text
//! /a/{s/x/y/;b end};p;:end     0 {→3   1 s   2 b→5   3 }   4 p   5 (nothing)
//! ```
//!
//! `parser` reads addresses and commands, `argument` what follows their letters, `substitution` the arguments of `s`
//! and `y`.

mod argument;
mod parser;
mod substitution;

use std::collections::HashMap;
use std::rc::Rc;

use crate::pattern::{Dialect, Pattern};
use parser::Parser;

/// A line address. Lines are counted from 1.
pub enum Address {
    /// `N`, that line; `0` before a pattern alone.
    Line(u64),
    /// `FIRST~STEP`: lines `first`, `first + step`, …; with a step of 0 the first alone.
    Step(u64, u64),
    /// `$`.
    Last,
    /// `/PATTERN/`; none is the empty pattern, which stands for the one that was used last.
    Match(Option<Rc<Pattern>>),
}

/// Where a range ends, which is looked for from the line behind its first one.
pub enum End {
    /// At the next line of an address, or at once where that is a line number that has passed.
    Address(Address),
    /// `+N`: so many lines later.
    Count(u64),
    /// `~N`: at the next line that is a multiple.
    Multiple(u64),
}

/// Which lines a command is for.
pub enum Lines {
    /// No address.
    All,
    /// One address.
    At(Address),
    /// Two addresses.
    Range(Address, End),
}

/// A part of a replacement.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text, with its escapes replaced.
    Literal(Vec<u8>),
    /// What a group matched, `\1` to `\9`, or with 0 all of it (`&`).
    Group(usize),
    /// A change of case from here on.
    Case(Case),
}

/// `\U \L \u \l \E`: what becomes of the letters that follow in a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `\U`: upper-case up to `\E`.
    Upper,
    /// `\L`: lower-case up to `\E`.
    Lower,
    /// `\u`: the next character is upper-case.
    UpperNext,
    /// `\l`: the next character is lower-case.
    LowerNext,
    /// `\E`: ends `\U` and `\L`.
    End,
}

/// An `s` command: `s/PATTERN/REPLACEMENT/FLAGS`.
///
/// | Flags | `number` | `all` |
/// |---|---|---|
/// | none | 1 | false |
/// | `g` | 1 | true |
/// | `2` | 2 | false |
/// | `2g` | 2 | true |
pub struct Substitution {
    /// What is looked for; none is the pattern that was used last.
    pub pattern: Option<Rc<Pattern>>,
    /// What takes its place.
    pub replacement: Vec<Part>,
    /// The replacement needs groups beyond the whole match, which cost more to find.
    pub groups: bool,
    /// The match that is replaced, counted from 1.
    pub number: usize,
    /// All that follow it are replaced too.
    pub all: bool,
    /// `p`: how often the result is printed.
    pub print: usize,
    /// `e`: the result is run as a command, whose output takes its place.
    pub evaluate: bool,
    /// `w`: the file that the result is written to.
    pub file: Option<Vec<u8>>,
}

/// What a command does.
pub enum Action {
    /// `{`: the index of its `}`.
    Block(usize),
    /// `}`.
    EndBlock,
    /// `=`.
    Equals,
    /// `a`: the text with its newline, as for `c` and `i`.
    Append(Vec<u8>),
    /// `b`: the index that it goes to; none is the end of the script, as for `t` and `T`.
    Branch(Option<usize>),
    /// `c`.
    Change(Vec<u8>),
    /// `d`.
    Delete,
    /// `D`.
    DeleteFirst,
    /// `e`: the command, or nothing for the pattern space.
    Execute(Vec<u8>),
    /// `F`.
    FileName,
    /// `g`.
    GetHold,
    /// `G`.
    AppendHold,
    /// `h`.
    Hold,
    /// `H`.
    HoldAppend,
    /// `i`.
    Insert(Vec<u8>),
    /// `l`, with a width of its own.
    List(Option<usize>),
    /// `n`.
    Next,
    /// `N`.
    NextAppend,
    /// `p`.
    Print,
    /// `P`.
    PrintFirst,
    /// `q`, with the exit status.
    Quit(i32),
    /// `Q`, likewise.
    QuitSilently(i32),
    /// `r`.
    ReadFile(Vec<u8>),
    /// `R`.
    ReadLine(Vec<u8>),
    /// `s`.
    Substitute(Box<Substitution>),
    /// `t`.
    BranchIf(Option<usize>),
    /// `T`.
    BranchIfNot(Option<usize>),
    /// `w`.
    Write(Vec<u8>),
    /// `W`.
    WriteFirst(Vec<u8>),
    /// `x`.
    Exchange,
    /// `y`: what each character becomes.
    Transliterate(HashMap<Vec<u8>, Vec<u8>>),
    /// `z`.
    Zap,
    /// A comment, a label or `v`.
    Nothing,
}

impl Action {
    /// Whether it reads or writes files of its own, or runs commands: what `--sandbox` refuses.
    pub fn reaches_out(&self) -> bool {
        match self {
            Action::Execute(_)
            | Action::ReadFile(_)
            | Action::ReadLine(_)
            | Action::Write(_)
            | Action::WriteFirst(_) => true,
            Action::Substitute(substitution) => {
                substitution.evaluate || substitution.file.is_some()
            }
            _ => false,
        }
    }
}

/// An action with the addresses that it is for.
pub struct Command {
    /// The lines that it is for.
    pub lines: Lines,
    /// `!`: it is for all others.
    pub negated: bool,
    /// What it does.
    pub action: Action,
}

/// The message about a class without brackets around it.
pub const BARE_CLASS: &str = "character class syntax is [[:space:]], not [:space:]";

/// Reads the parts of a script; `Err` is the message without the program's name. With `posix` patterns have no operators
/// of GNU's own.
pub fn parse(
    sources: &[(String, Vec<u8>)],
    dialect: Dialect,
    posix: bool,
) -> Result<Vec<Command>, String> {
    let mut whole = Vec::new();
    for (index, (_, source)) in sources.iter().enumerate() {
        if index > 0 {
            whole.push(b'\n');
        }
        whole.extend_from_slice(source);
    }
    let name = sources.first().map_or("-e expression #1", |(name, _)| name);
    let mut parser = Parser {
        source: &whole,
        at: 0,
        dialect,
        posix,
        commands: Vec::new(),
        open: Vec::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
    };
    match parser.script() {
        Ok(()) => parser
            .finish()
            .map_err(|message| match message.strip_prefix('@') {
                Some(message) => format!("{name}, {message}"),
                None => message,
            }),
        Err(message) if message == BARE_CLASS => Err(message),
        Err(message) if name.starts_with("-e") => {
            Err(format!("{name}, char {}: {message}", parser.at))
        }
        Err(message) => {
            let line = 1 + parser.source[..parser.at.min(parser.source.len())]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            Err(format!("file {name} line {line}: {message}"))
        }
    }
}
