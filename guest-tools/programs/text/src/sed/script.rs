//! Reads a `sed` script.

mod argument;
mod parser;
mod substitution;

use std::collections::HashMap;
use std::rc::Rc;

use crate::pattern::{Dialect, Pattern};
use parser::Parser;

/// A line address.
pub enum Address {
    Line(u64),
    /// Lines `first`, `first + step`, …
    Step(u64, u64),
    Last,
    /// None is the pattern that was used last.
    Match(Option<Rc<Pattern>>),
}

/// Where a range ends.
pub enum End {
    Address(Address),
    /// So many lines later.
    Count(u64),
    /// At the next line that is a multiple.
    Multiple(u64),
}

/// Which lines a command is for.
pub enum Lines {
    All,
    At(Address),
    Range(Address, End),
}

/// A part of a replacement.
#[derive(Clone, Debug)]
pub enum Part {
    Literal(Vec<u8>),
    Group(usize),
    Case(Case),
}

/// `\U \L \u \l \E`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    Upper,
    Lower,
    UpperNext,
    LowerNext,
    End,
}

/// An `s` command.
pub struct Substitution {
    pub pattern: Option<Rc<Pattern>>,
    pub replacement: Vec<Part>,
    /// The replacement needs groups beyond the whole match.
    pub groups: bool,
    /// Replace from this match on.
    pub number: usize,
    pub all: bool,
    pub print: usize,
    pub evaluate: bool,
    pub file: Option<Vec<u8>>,
}

/// What a command does.
pub enum Action {
    /// `{`: where its `}` is.
    Block(usize),
    EndBlock,
    Equals,
    Append(Vec<u8>),
    Branch(Option<usize>),
    Change(Vec<u8>),
    Delete,
    DeleteFirst,
    Execute(Vec<u8>),
    FileName,
    GetHold,
    AppendHold,
    Hold,
    HoldAppend,
    Insert(Vec<u8>),
    List(Option<usize>),
    Next,
    NextAppend,
    Print,
    PrintFirst,
    Quit(i32),
    QuitSilently(i32),
    ReadFile(Vec<u8>),
    ReadLine(Vec<u8>),
    Substitute(Box<Substitution>),
    BranchIf(Option<usize>),
    BranchIfNot(Option<usize>),
    Write(Vec<u8>),
    WriteFirst(Vec<u8>),
    Exchange,
    Transliterate(HashMap<Vec<u8>, Vec<u8>>),
    Zap,
    Nothing,
}

impl Action {
    /// Whether it reads or writes files of its own, or runs commands.
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
    pub lines: Lines,
    pub negated: bool,
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
