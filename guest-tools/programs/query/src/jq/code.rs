//! Programs, read and resolved: every variable and function is found by its distance in the
//! environment, or is global.

use super::natives::Native;
use super::value::Value;

/// An expression.
#[derive(Debug)]
pub struct Node {
    pub expr: Expr,
    /// It gives exactly one value, or an error.
    pub single: bool,
}

/// How to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// How an assignment changes what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assign {
    /// `=`
    Set,
    /// `|=`
    Update,
    /// `+=` and the like.
    Compute(Operator),
    /// `//=`
    Default,
}

/// What `reduce` and `foreach` and `as` take apart.
#[derive(Debug)]
pub enum Pattern {
    Variable,
    Array(Vec<Pattern>),
    /// For each member whether its name is also a variable, the name, and the pattern for the value.
    Object(Vec<(bool, Node, Option<Pattern>)>),
}

/// The functions that run their arguments as they please.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    Empty,
    Error,
    Path,
    GetPath,
    Select,
    Recurse,
    RecurseWith,
    RecurseWhile,
    Range,
    Limit,
    Skip,
    First,
    Until,
    While,
    Repeat,
    Any,
    All,
    IsEmpty,
    Input,
    Inputs,
    SortBy,
    GroupBy,
    UniqueBy,
    MinBy,
    MaxBy,
    Debug,
    DebugMessage,
    Stderr,
    InputLine,
    InputFile,
    Halt,
    HaltError,
    Builtins,
    ModuleMeta,
}

/// The expressions.
#[derive(Debug)]
pub enum Expr {
    Identity,
    Literal(Value),
    /// The variable that many entries up.
    Variable(usize),
    /// Text and code, formatted.
    String(Option<String>, Vec<(Option<Value>, Option<Node>)>),
    Format(String),
    Index(Box<Node>, Box<Node>),
    Slice(Box<Node>, Option<Box<Node>>, Option<Box<Node>>),
    Iterate(Box<Node>),
    /// An index, slice or iteration that gives nothing for a value that has no such thing; others go on.
    Optional(Box<Node>),
    Try(Box<Node>, Option<Box<Node>>),
    Negate(Box<Node>),
    Pipe(Box<Node>, Box<Node>),
    Comma(Box<Node>, Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Alternative(Box<Node>, Box<Node>),
    Assign(Assign, Box<Node>, Box<Node>),
    If(Box<Node>, Box<Node>, Option<Box<Node>>),
    /// Source, pattern, its variables, start, update.
    Reduce(Box<Node>, Box<Pattern>, Box<Node>, Box<Node>),
    Foreach(
        Box<Node>,
        Box<Pattern>,
        Box<Node>,
        Box<Node>,
        Option<Box<Node>>,
    ),
    /// Source, patterns to try with the number of variables of all of them, body.
    Bind(Box<Node>, Vec<Alternative>, Box<Node>),
    Label(Box<Node>),
    Break(usize),
    Define(Box<Function>, Box<Node>),
    /// A function that many entries up.
    Call(usize, Vec<Node>),
    /// A function of the program's table.
    CallGlobal(usize, Vec<Node>),
    Native(&'static Native, Vec<Node>),
    Special(Special, Vec<Node>),
    Array(Option<Box<Node>>),
    Object(Vec<(Node, Node)>),
}

/// One pattern of a binding with alternatives; the slots say which of all variables each of its own is.
#[derive(Debug)]
pub struct Alternative {
    pub pattern: Pattern,
    pub slots: Vec<usize>,
    pub total: usize,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Which parameters are variables too.
    pub variables: Vec<usize>,
    pub body: Node,
}

/// A program.
#[derive(Debug, Default)]
pub struct Program {
    /// None while a function's own body is read.
    pub globals: Vec<Option<Function>>,
    pub main: Option<Node>,
    /// The names of all builtin functions.
    pub names: Vec<String>,
}

impl Node {
    /// An expression, marked as single where that is certain.
    pub fn new(expr: Expr) -> Node {
        use Expr as E;
        let one = |node: &Node| node.single;
        let single = match &expr {
            E::Identity | E::Literal(_) | E::Variable(_) | E::Format(_) | E::Array(_) => true,
            E::String(_, parts) => parts.iter().all(|(_, code)| code.as_ref().is_none_or(one)),
            E::Index(a, b) | E::Pipe(a, b) | E::Binary(_, a, b) | E::And(a, b) | E::Or(a, b) => {
                a.single && b.single
            }
            E::Slice(target, from, to) => {
                target.single
                    && from.as_ref().is_none_or(|node| node.single)
                    && to.as_ref().is_none_or(|node| node.single)
            }
            E::Negate(operand) => operand.single,
            E::If(condition, then, otherwise) => {
                condition.single && then.single && otherwise.as_ref().is_none_or(|node| node.single)
            }
            E::Native(_, arguments) => arguments.iter().all(one),
            E::Object(members) => members
                .iter()
                .all(|(name, value)| name.single && value.single),
            _ => false,
        };
        Node { expr, single }
    }
}
