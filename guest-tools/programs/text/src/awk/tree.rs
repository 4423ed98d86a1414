//! An awk program, with names resolved to places.

use std::rc::Rc;

use super::value::Text;
use crate::pattern::Pattern;

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Global(usize),
    /// A parameter of the running function.
    Local(usize),
}

/// What has a value.
pub enum Expression {
    Number(f64),
    Text(Text),
    /// A regular expression by itself: whether `$0` matches.
    Regex(Rc<Pattern>),
    Variable(Place),
    Element(Place, Vec<Expression>),
    /// An element of an element: `a[i][j]`.
    Nested(Box<Expression>, Vec<Expression>),
    /// `SYMTAB[name]`: the variable of that name.
    Symbol(Box<Expression>),
    /// A regular expression as a value: `@/…/`.
    TypedRegex(Text),
    Field(Box<Expression>),
    Group(Box<Expression>),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    Plus(Box<Expression>),
    Arithmetic(Operator, Box<Expression>, Box<Expression>),
    Concatenate(Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    /// Negated or not: whether the text matches.
    Match(bool, Box<Expression>, Box<Expression>),
    In(Vec<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Condition(Box<Expression>, Box<Expression>, Box<Expression>),
    Assign(Box<Expression>, Box<Expression>),
    Update(Operator, Box<Expression>, Box<Expression>),
    /// The variable (or field), the step, and whether the value before the step is wanted.
    Step(Box<Expression>, f64, bool),
    Call(usize, Vec<Expression>),
    /// `@name(…)`: a call of the function that the variable names.
    Indirect(Place, Vec<Expression>),
    Builtin(Builtin, Vec<Expression>),
    Getline(Source, Option<Box<Expression>>),
}

/// Where `getline` reads.
pub enum Source {
    Input,
    File(Box<Expression>),
    Command(Box<Expression>),
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

    /// How many arguments it takes, at least and at most.
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
    Truncate,
    Append,
    Pipe,
    /// To a command whose output is read too.
    TwoWay,
}

/// What is executed.
pub enum Statement {
    Expression(Expression),
    Print(Vec<Expression>, Option<(Redirect, Expression)>),
    Printf(Vec<Expression>, Option<(Redirect, Expression)>),
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    While(Expression, Box<Statement>),
    Do(Box<Statement>, Expression),
    For(
        Option<Box<Statement>>,
        Option<Expression>,
        Option<Box<Statement>>,
        Box<Statement>,
    ),
    /// The variable, the array and the body.
    ForIn(Expression, Expression, Box<Statement>),
    Switch(Expression, Vec<(Option<Expression>, Vec<Statement>)>),
    Block(Vec<Statement>),
    Next,
    NextFile,
    Break,
    Continue,
    Exit(Option<Expression>),
    Return(Option<Expression>),
    /// An element, or a variable for all elements.
    Delete(Expression),
    /// What follows stands on this line of this source.
    Line(u16, u32),
}

/// When a rule runs.
pub enum Trigger {
    Begin,
    End,
    BeginFile,
    EndFile,
    Always,
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
    pub trigger: Trigger,
    /// None prints the record.
    pub body: Option<Vec<Statement>>,
}

/// A function of the program.
pub struct Function {
    pub name: Vec<u8>,
    pub parameters: Vec<Vec<u8>>,
    pub body: Vec<Statement>,
    /// It is called somewhere and defined nowhere.
    pub is_missing: bool,
}

/// A parsed program.
pub struct Program {
    pub rules: Vec<Rule>,
    pub functions: Vec<Function>,
    /// The names of the global variables, by place.
    pub globals: Vec<Vec<u8>>,
    pub ranges: usize,
    /// It reads RT.
    pub uses_terminator: bool,
    /// The names of the sources.
    pub sources: Vec<String>,
    /// Files are edited in place.
    pub in_place: bool,
}

/// The variables that awk itself reads and sets have fixed places.
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

pub const NF: usize = 0;
pub const NR: usize = 1;
pub const FNR: usize = 2;
pub const FS: usize = 3;
pub const OFS: usize = 4;
pub const ORS: usize = 5;
pub const RS: usize = 6;
pub const FILENAME: usize = 7;
pub const SUBSEP: usize = 8;
pub const RSTART: usize = 9;
pub const RLENGTH: usize = 10;
pub const ENVIRON: usize = 11;
pub const ARGC: usize = 12;
pub const ARGV: usize = 13;
pub const CONVFMT: usize = 14;
pub const OFMT: usize = 15;
pub const IGNORECASE: usize = 16;
pub const FIELDWIDTHS: usize = 17;
pub const FPAT: usize = 18;
pub const RT: usize = 19;
pub const PROCINFO: usize = 20;
pub const ERRNO: usize = 21;
pub const ARGIND: usize = 22;
pub const LINT: usize = 24;
pub const BINMODE: usize = 23;
pub const TEXTDOMAIN: usize = 25;
pub const SYMTAB: usize = 26;
pub const FUNCTAB: usize = 27;
pub const PREC: usize = 28;
pub const ROUNDMODE: usize = 29;
