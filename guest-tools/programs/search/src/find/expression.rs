//! The command line of `find` as an expression.
//!
//! The grammar, from weak to strong binding, is `list := or (',' or)*`, `or := and ('-o' and)*`, `and := not (['-a']
//! not)*`, `not := '!'* primary`. `parser` has the operators, `predicate` the names of tests, options and actions,
//! `test` those whose argument has a syntax of its own.
//!
//! ```text
//! find . -name '*.o' -o -size +1k -delete
//!   ->  Or[Name("*.o"), And[Size(+1, 1024), Delete]]
//! find . -name x       (no action: printed)
//!   ->  And[Name("x"), Print('\n')]
//! ```

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

/// When symbolic links are followed; the last of `-P`, `-H`, `-L` and `-follow` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// `-P`, the default.
    Never,
    /// `-H`: starting points, and references of `-newer` and `-samefile`.
    Operands,
    /// `-L`.
    Always,
}

/// What to do.
pub struct Program {
    /// Starting points in their order; `.` where none was given.
    pub roots: Vec<Vec<u8>>,
    /// What is evaluated for each file, with the implied `-print`.
    pub expression: Expression,
    pub follow: Follow,
    /// A directory's content comes before it: `-depth`, `-d`, and implied by `-delete`.
    pub depth_first: bool,
    /// `-xdev`.
    pub one_device: bool,
    /// `-mindepth`: files above it are walked through and not evaluated.
    pub least_depth: usize,
    /// `-maxdepth`; 0 means starting points alone.
    pub most_depth: usize,
    /// Ages count from the end of today.
    pub from_day_start: bool,
}

/// A number with a sign for its comparison.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// `+` for more, `-` for less, `=` for exactly.
    pub sign: u8,
    pub value: u64,
}

impl Number {
    /// `+5`, `-5` or `5`; none for anything else.
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

/// Which time of a file: the letters `a`, `c`, `m` and `B` of `-newerXY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    Accessed,
    Changed,
    Modified,
    /// Time of birth.
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

/// The file that a print action writes to; none is standard output.
pub type Target = Option<Vec<u8>>;

/// A command of `-exec`, `-execdir`, `-ok` or `-okdir`.
pub struct Command {
    /// Its place among the commands of the expression, from 1; the key of its batch.
    pub number: usize,
    /// The command and its arguments, never empty; without the final `{}` where `batch` is set.
    pub words: Vec<Vec<u8>>,
    /// Many files at once: it ended with `{} +`.
    pub batch: bool,
    /// `-execdir`, `-okdir`: run in the file's directory.
    pub in_directory: bool,
    /// `-ok`, `-okdir`: ask first.
    pub ask: bool,
}

/// A test, an action, or a combination of them.
pub enum Expression {
    /// Options such as `-maxdepth` become this, too.
    True,
    False,
    Not(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    /// The comma: all are evaluated, the last one's value counts.
    List(Vec<Expression>),
    /// `-name`: the last component matches.
    Name(Glob),
    /// `-path`: the whole path matches, with wildcards over slashes.
    Path(Glob),
    /// `-lname`: it is a link, and its target's text matches.
    LinkName(Glob),
    /// `-regex`: the whole path matches.
    Regex(Pattern),
    /// Letters of `-type`; with true those of `-xtype`.
    Type(Vec<u8>, bool),
    /// The number, and the unit in bytes that sizes are rounded up to.
    Size(Number, u64),
    Empty,
    /// Which time, how many units ago, and the unit in seconds: 60 or 86400.
    Age(Stamp, Number, u64),
    /// Which time, and the moment that it must be later than.
    Newer(Stamp, Time),
    /// `-`, `/` or `=`, and the mode as it would be given to `chmod`, applied to no bits.
    Permissions(u8, Change),
    Links(Number),
    Inode(Number),
    User(Number),
    Group(Number),
    NoUser,
    NoGroup,
    /// Device and inode.
    SameFile(u64, u64),
    /// 4 to read, 2 to write, 1 to execute.
    Access(u32),
    Prune,
    Quit,
    Delete,
    /// What follows the path: newline or NUL.
    Print(u8, Target),
    /// A format of `-printf`, with its escapes.
    Format(Vec<u8>, Target),
    /// `-ls`.
    List2(Target),
    Run(Command),
}

/// Reads the command line: options `-H`, `-L`, `-P`, `-D`, `-O`, then starting points up to the first word that begins
/// an expression (`-x`, `(`, `)`, `!` or `,`), then the expression. `-print` is added where no action is in it but
/// `-prune` and `-quit`.
///
/// # Errors
/// The status after the message was printed; 0 for `--help` and `--version`.
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
        predicate: None,
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
