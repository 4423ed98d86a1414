//! An awk program as a tree, with names resolved to places.
//!
//! `parser` makes it and `interpreter` walks it. Variables and functions are indexes, so that nothing is looked up by
//! name while the program runs, but for `SYMTAB` and indirect calls. Patterns that are constants are compiled
//! already.

use std::rc::Rc;

use super::value::Text;
use crate::pattern::Pattern;

/// Where a variable lives.
///
/// The first globals are those of `SPECIAL`, at the places of the constants below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A global variable, as an index into `Program::globals`.
    Global(usize),
    /// A parameter of the running function.
    Local(usize),
}

/// What has a value.
pub enum Expression {
    /// A constant number.
    Number(f64),
    /// A constant string.
    Text(Text),
    /// A regular expression by itself: whether `$0` matches.
    Regex(Rc<Pattern>),
    /// A variable.
    Variable(Place),
    /// An element of an array; several indexes are joined by SUBSEP.
    Element(Place, Vec<Expression>),
    /// An element of an element: `a[i][j]`.
    Nested(Box<Expression>, Vec<Expression>),
    /// `SYMTAB[name]`: the variable of that name.
    Symbol(Box<Expression>),
    /// A regular expression as a value: `@/…/`.
    TypedRegex(Text),
    /// `$`: a field by its number.
    Field(Box<Expression>),
    /// An expression in parentheses, which is not always the same as without them: a regular expression, for one.
    Group(Box<Expression>),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    /// A sign that makes a number of its operand.
    Plus(Box<Expression>),
    Arithmetic(Operator, Box<Expression>, Box<Expression>),
    Concatenate(Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// Negated or not: whether the text matches.
    Match(bool, Box<Expression>, Box<Expression>),
    /// `(i, j) in array`.
    In(Vec<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    /// `a ? b : c`
    Condition(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `=`: the target and the value.
    Assign(Box<Expression>, Box<Expression>),
    /// `+=` and so on.
    Update(Operator, Box<Expression>, Box<Expression>),
    /// `++` and `--`: the variable (or field), the step (1 or -1), and whether the value before the step is wanted.
    Step(Box<Expression>, f64, bool),
    /// A function of the program, as an index into `Program::functions`.
    Call(usize, Vec<Expression>),
    /// `@name(…)`: a call of the function that the variable names.
    Indirect(Place, Vec<Expression>),
    /// A function of awk, with as many arguments as it takes.
    Builtin(Builtin, Vec<Expression>),
    /// `getline`, and the variable that the record goes to.
    Getline(Source, Option<Box<Expression>>),
}

/// Where `getline` reads.
pub enum Source {
    /// The files of the command line.
    Input,
    /// `< FILE`
    File(Box<Expression>),
    /// `COMMAND |`
    Command(Box<Expression>),
    /// `COMMAND |&`
    Coprocess(Box<Expression>),
}

/// The binary operators of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
}

/// The comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
}

/// The functions that awk has built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    And,
    Asort,
    Asorti,
    Atan2,
    Bindtextdomain,
    Close,
    Compl,
    Cos,
    Dcgettext,
    Dcngettext,
    Exp,
    Fflush,
    Gensub,
    Gsub,
    Index,
    Int,
    Isarray,
    Length,
    Log,
    Lshift,
    Match,
    Mkbool,
    Mktime,
    Or,
    Patsplit,
    Rand,
    Rshift,
    Sin,
    Split,
    Sprintf,
    Sqrt,
    Srand,
    Strftime,
    Strtonum,
    Sub,
    Substr,
    System,
    Systime,
    Tolower,
    Toupper,
    Typeof,
    Xor,
}

impl Builtin {
    /// The names of all of them.
    pub const NAMES: [(&'static [u8], Builtin); 42] = {
        use Builtin as B;
        [
            (b"and", B::And),
            (b"asort", B::Asort),
            (b"asorti", B::Asorti),
            (b"atan2", B::Atan2),
            (b"bindtextdomain", B::Bindtextdomain),
            (b"close", B::Close),
            (b"compl", B::Compl),
            (b"cos", B::Cos),
            (b"dcgettext", B::Dcgettext),
            (b"dcngettext", B::Dcngettext),
            (b"exp", B::Exp),
            (b"fflush", B::Fflush),
            (b"gensub", B::Gensub),
            (b"gsub", B::Gsub),
            (b"index", B::Index),
            (b"int", B::Int),
            (b"isarray", B::Isarray),
            (b"length", B::Length),
            (b"log", B::Log),
            (b"lshift", B::Lshift),
            (b"match", B::Match),
            (b"mkbool", B::Mkbool),
            (b"mktime", B::Mktime),
            (b"or", B::Or),
            (b"patsplit", B::Patsplit),
            (b"rand", B::Rand),
            (b"rshift", B::Rshift),
            (b"sin", B::Sin),
            (b"split", B::Split),
            (b"sprintf", B::Sprintf),
            (b"sqrt", B::Sqrt),
            (b"srand", B::Srand),
            (b"strftime", B::Strftime),
            (b"strtonum", B::Strtonum),
            (b"sub", B::Sub),
            (b"substr", B::Substr),
            (b"system", B::System),
            (b"systime", B::Systime),
            (b"tolower", B::Tolower),
            (b"toupper", B::Toupper),
            (b"typeof", B::Typeof),
            (b"xor", B::Xor),
        ]
    };

    /// The builtin of a name.
    pub fn find(name: &[u8]) -> Option<Builtin> {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, builtin)| *builtin)
    }

    /// How many arguments it takes, at least and at most. The parser checks it.
    pub fn arity(self) -> (usize, usize) {
        use Builtin as B;
        match self {
            B::Rand | B::Systime => (0, 0),
            B::Fflush | B::Length | B::Srand => (0, 1),
            B::Strftime => (0, 3),
            B::Cos
            | B::Exp
            | B::Int
            | B::Isarray
            | B::Log
            | B::Mkbool
            | B::Sin
            | B::Sqrt
            | B::Strtonum
            | B::System
            | B::Tolower
            | B::Toupper
            | B::Typeof
            | B::Compl => (1, 1),
            B::Bindtextdomain | B::Close | B::Mktime => (1, 2),
            B::Asort | B::Asorti | B::Dcgettext => (1, 3),
            B::Sprintf => (1, usize::MAX),
            B::And | B::Or | B::Xor => (2, usize::MAX),
            B::Atan2 | B::Index | B::Lshift | B::Rshift => (2, 2),
            B::Gsub | B::Match | B::Sub | B::Substr => (2, 3),
            B::Split | B::Patsplit => (2, 4),
            B::Gensub => (3, 4),
            B::Dcngettext => (3, 5),
        }
    }
}

/// Where `print` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirect {
    /// `>`: the file is emptied when it is opened.
    Truncate,
    /// `>>`
    Append,
    /// `|`: to a command.
    Pipe,
    /// `|&`: to a command whose output is read too.
    TwoWay,
}

/// What is executed.
pub enum Statement {
    /// An expression, for its effects.
    Expression(Expression),
    /// `print`, without expressions of `$0`, and where it writes.
    Print(Vec<Expression>, Option<(Redirect, Expression)>),
    /// `printf`, whose first expression is the format.
    Printf(Vec<Expression>, Option<(Redirect, Expression)>),
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    While(Expression, Box<Statement>),
    Do(Box<Statement>, Expression),
    /// `for (start; condition; step) body`; a condition that is missing holds.
    For(
        Option<Box<Statement>>,
        Option<Expression>,
        Option<Box<Statement>>,
        Box<Statement>,
    ),
    /// The variable, the array and the body.
    ForIn(Expression, Expression, Box<Statement>),
    /// `switch`: the cases in their order, none for `default`; they fall through.
    Switch(Expression, Vec<(Option<Expression>, Vec<Statement>)>),
    Block(Vec<Statement>),
    Next,
    NextFile,
    Break,
    Continue,
    /// `exit`, with its status.
    Exit(Option<Expression>),
    Return(Option<Expression>),
    /// `delete`: an element, or a variable for all elements.
    Delete(Expression),
    /// What follows stands on this line of this source, an index into `Program::sources`; for messages.
    Line(u16, u32),
}

/// When a rule runs.
pub enum Trigger {
    /// `BEGIN`: before any input.
    Begin,
    /// `END`: after all input.
    End,
    /// `BEGINFILE`: before each file.
    BeginFile,
    /// `ENDFILE`: after each file.
    EndFile,
    /// For each record.
    Always,
    /// For each record of which this is true.
    When(Expression),
    /// From the first record to the second; the number tells the ranges apart.
    Range(Expression, Expression, usize),
}

impl Trigger {
    /// The word that the rule begins with, where it has one.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Trigger::Begin => Some("BEGIN"),
            Trigger::End => Some("END"),
            Trigger::BeginFile => Some("BEGINFILE"),
            Trigger::EndFile => Some("ENDFILE"),
            Trigger::Always | Trigger::When(_) | Trigger::Range(..) => None,
        }
    }
}

/// A pattern with its action.
pub struct Rule {
    /// When it runs.
    pub trigger: Trigger,
    /// None prints the record.
    pub body: Option<Vec<Statement>>,
}

/// A function of the program.
pub struct Function {
    /// Its name, for messages and indirect calls.
    pub name: Vec<u8>,
    /// The names of its parameters, which are locals too.
    pub parameters: Vec<Vec<u8>>,
    /// What it does.
    pub body: Vec<Statement>,
    /// It is called somewhere and defined nowhere.
    pub is_missing: bool,
}

/// A parsed program.
pub struct Program {
    /// The rules, in the order of the sources.
    pub rules: Vec<Rule>,
    /// The functions.
    pub functions: Vec<Function>,
    /// The names of the global variables, by place.
    pub globals: Vec<Vec<u8>>,
    /// How many ranges there are.
    pub ranges: usize,
    /// It reads RT, which otherwise is not kept.
    pub uses_terminator: bool,
    /// The names of the sources.
    pub sources: Vec<String>,
    /// Files are edited in place (`-i inplace`).
    pub in_place: bool,
}

/// The variables that awk itself reads and sets have fixed places: the indexes in this list, which the constants
/// below name.
pub const SPECIAL: [&str; 30] = [
    "NF",
    "NR",
    "FNR",
    "FS",
    "OFS",
    "ORS",
    "RS",
    "FILENAME",
    "SUBSEP",
    "RSTART",
    "RLENGTH",
    "ENVIRON",
    "ARGC",
    "ARGV",
    "CONVFMT",
    "OFMT",
    "IGNORECASE",
    "FIELDWIDTHS",
    "FPAT",
    "RT",
    "PROCINFO",
    "ERRNO",
    "ARGIND",
    "BINMODE",
    "LINT",
    "TEXTDOMAIN",
    "SYMTAB",
    "FUNCTAB",
    "PREC",
    "ROUNDMODE",
];

/// How many fields the record has.
pub const NF: usize = 0;
/// How many records were read.
pub const NR: usize = 1;
/// How many of them of the current file.
pub const FNR: usize = 2;
/// What separates fields.
pub const FS: usize = 3;
/// What `print` writes between its expressions.
pub const OFS: usize = 4;
/// What `print` writes behind them.
pub const ORS: usize = 5;
/// What separates records.
pub const RS: usize = 6;
/// The current file.
pub const FILENAME: usize = 7;
/// What joins several indexes of an element.
pub const SUBSEP: usize = 8;
/// Where `match` found something, from 1.
pub const RSTART: usize = 9;
/// How long that is.
pub const RLENGTH: usize = 10;
/// The environment.
pub const ENVIRON: usize = 11;
/// How many elements of ARGV are looked at.
pub const ARGC: usize = 12;
/// The operands, from 1; 0 is the command.
pub const ARGV: usize = 13;
/// How numbers become strings.
pub const CONVFMT: usize = 14;
/// How `print` writes numbers.
pub const OFMT: usize = 15;
/// Whether letters of either case are equal.
pub const IGNORECASE: usize = 16;
/// The widths of fields.
pub const FIELDWIDTHS: usize = 17;
/// What fields match.
pub const FPAT: usize = 18;
/// What ended the record.
pub const RT: usize = 19;
/// Facts about the process, and settings.
pub const PROCINFO: usize = 20;
/// What went wrong last.
pub const ERRNO: usize = 21;
/// The index of the current file in ARGV.
pub const ARGIND: usize = 22;
/// Warnings, of which there are none: setting it has no effect.
pub const LINT: usize = 24;
/// How files are opened on other systems: setting it has no effect.
pub const BINMODE: usize = 23;
/// The text domain of the program, `messages` at first.
pub const TEXTDOMAIN: usize = 25;
/// All global variables by name.
pub const SYMTAB: usize = 26;
/// The names of all functions.
pub const FUNCTAB: usize = 27;
/// The precision of numbers in bits, 53 at first. There is no arbitrary precision.
pub const PREC: usize = 28;
/// How arbitrary precision rounds, `N` at first.
pub const ROUNDMODE: usize = 29;
