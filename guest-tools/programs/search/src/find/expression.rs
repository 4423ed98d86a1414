//! The command line of `find` as an expression.

mod parser;
mod predicate;
mod test;

use crate::call::{Call, complain};
use crate::glob::Glob;
use crate::mode::Change;
use crate::options;
use crate::pattern::{Dialect, Pattern};
use crate::stream::println;
use crate::system::{Stat, Time};
use parser::Parser;

/// When symbolic links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    Never,
    Operands,
    Always,
}

/// What to do.
pub struct Program {
    pub roots: Vec<Vec<u8>>,
    pub expression: Expression,
    pub follow: Follow,
    pub depth_first: bool,
    pub one_device: bool,
    pub least_depth: usize,
    pub most_depth: usize,
    /// Ages count from the end of today.
    pub from_day_start: bool,
}

/// A number with a sign for its comparison: `+5`, `-5`, `5`.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub sign: u8,
    pub value: u64,
}

impl Number {
    fn parse(text: &[u8]) -> Option<Number> {
        let (sign, digits) = match text.split_first()? {
            (sign @ (b'+' | b'-'), rest) => (*sign, rest),
            _ => (b'=', text),
        };
        Some(Number {
            sign,
            value: options::number(digits)?,
        })
    }

    /// Whether `found` is what `+n`, `-n` or `n` asks for.
    pub fn holds(self, found: u64) -> bool {
        match self.sign {
            b'+' => found > self.value,
            b'-' => found < self.value,
            _ => found == self.value,
        }
    }
}

/// Which time of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    Accessed,
    Changed,
    Modified,
    Created,
}

impl Stamp {
    /// That time of a file.
    pub fn of(self, stat: &Stat) -> Time {
        match self {
            Stamp::Accessed => stat.accessed,
            Stamp::Changed => stat.changed,
            Stamp::Modified => stat.modified,
            Stamp::Created => stat.created,
        }
    }
}

/// Where a print action writes; none is standard output.
pub type Target = Option<Vec<u8>>;

/// A command of `-exec` and its kin.
pub struct Command {
    pub number: usize,
    pub words: Vec<Vec<u8>>,
    /// Many files at once.
    pub batch: bool,
    /// Run it in the file's directory.
    pub in_directory: bool,
    /// Ask first.
    pub ask: bool,
}

/// A test, an action, or a combination of them.
pub enum Expression {
    True,
    False,
    Not(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    List(Vec<Expression>),
    Name(Glob),
    Path(Glob),
    LinkName(Glob),
    Regex(Pattern),
    Type(Vec<u8>, bool),
    Size(Number, u64),
    Empty,
    Age(Stamp, Number, u64),
    Newer(Stamp, Time),
    Permissions(u8, Change),
    Links(Number),
    Inode(Number),
    User(Number),
    Group(Number),
    NoUser,
    NoGroup,
    SameFile(u64, u64),
    Access(u32),
    Prune,
    Quit,
    Delete,
    Print(u8, Target),
    Format(Vec<u8>, Target),
    List2(Target),
    Run(Command),
}

/// Reads the command line; `Err` is the status after the message was printed.
pub fn parse(call: &Call) -> Result<Program, i32> {
    let mut program = Program {
        roots: Vec::new(),
        expression: Expression::True,
        follow: Follow::Never,
        depth_first: false,
        one_device: false,
        least_depth: 0,
        most_depth: usize::MAX,
        from_day_start: false,
    };
    let mut at = 0;
    let words = &call.arguments;
    while let Some(word) = words.get(at) {
        match word.as_slice() {
            b"-H" => program.follow = Follow::Operands,
            b"-L" => program.follow = Follow::Always,
            b"-P" => program.follow = Follow::Never,
            b"-D" => at += 1,
            b"--help" | b"-help" => {
                println!("Usage: find [-H] [-L] [-P] [path...] [expression]");
                return Err(0);
            }
            b"--version" | b"-version" => {
                print!("{}", crate::model::version("find"));
                return Err(0);
            }
            [b'-', b'O', ..] => {}
            b"--" => {
                at += 1;
                break;
            }
            _ => break,
        }
        at += 1;
    }
    let is_expression = |word: &Vec<u8>| {
        matches!(word.as_slice(), b"(" | b")" | b"!" | b",") || (word.len() > 1 && word[0] == b'-')
    };
    while let Some(word) = words.get(at).filter(|word| !is_expression(word)) {
        program.roots.push(word.clone());
        at += 1;
    }
    if program.roots.is_empty() {
        program.roots.push(b".".to_vec());
    }
    let mut parser = Parser {
        words,
        at,
        program,
        dialect: Dialect::Basic,
        emacs: true,
        acts: false,
        commands: 0,
        depth: 0,
    };
    let expression = parser.whole().map_err(|message| {
        complain(&call.name, message);
        1
    })?;
    let acts = parser.acts;
    let print = || Expression::Print(b'\n', None);
    let expression = if acts {
        expression
    } else {
        Expression::And(vec![expression, print()])
    };
    Ok(Program {
        expression,
        ..parser.program
    })
}
