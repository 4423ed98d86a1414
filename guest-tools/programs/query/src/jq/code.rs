//! Programs, read and resolved: every variable and function is found by its distance in the environment, or is global.
//!
//! The parser makes these nodes and the interpreter (`run`) walks them; there is no bytecode. A node knows whether it
//! gives exactly one value (`single`), which is decided once, bottom up, when it is made. That is what lets the
//! interpreter compute most of a program with plain function calls.
//!
//! An environment is a list that grows at its head. A number in `Variable`, `Call` or `Break` counts from the head, 0
//! being the innermost binding at that place of the program.

use super::natives::Native;
use super::value::Value;

/// An expression.
#[derive(Debug)]
pub struct Node {
    /// What it does.
    pub expr: Expr,
    /// It gives exactly one value, or an error.
    ///
    /// A guess on the safe side: false may still be single.
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
    /// `=`: the right side is run on the input as a whole, once for each of its values.
    Set,
    /// `|=`: the right side is run on what is there; its first value replaces it, and none deletes it.
    Update,
    /// `+=` and the like: the right side is run on the input as a whole.
    Compute(Operator),
    /// `//=`: what is there stays where it is neither `null` nor `false`.
    Default,
}

/// What `reduce` and `foreach` and `as` take apart.
#[derive(Debug)]
pub enum Pattern {
    /// `$name`: binds the value.
    Variable,
    /// `[P, …]`: binds items by their index, `null` where there is none.
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
    ///
    /// A value entry.
    Variable(usize),
    /// Text and code, formatted.
    ///
    /// The name of the format, none for plain text; then pieces, of which each has either a value or code.
    String(Option<String>, Vec<(Option<Value>, Option<Node>)>),
    /// `@name` as a filter.
    Format(String),
    /// Target and key. The key is run on the input of the whole expression, as in `.a[.b]`.
    Index(Box<Node>, Box<Node>),
    /// Target, start and end.
    Slice(Box<Node>, Option<Box<Node>>, Option<Box<Node>>),
    /// `TARGET[]`.
    Iterate(Box<Node>),
    /// An index, slice or iteration that gives nothing for a value that has no such thing; others go on.
    Optional(Box<Node>),
    /// Body and handler. Without a handler errors vanish.
    Try(Box<Node>, Option<Box<Node>>),
    Negate(Box<Node>),
    Pipe(Box<Node>, Box<Node>),
    /// At least two expressions, one after the other.
    Comma(Vec<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    /// `//`.
    Alternative(Box<Node>, Box<Node>),
    Assign(Assign, Box<Node>, Box<Node>),
    /// Condition, branch, and the other branch; without one the input passes.
    If(Box<Node>, Box<Node>, Option<Box<Node>>),
    /// Source, pattern, its variables, start, update.
    Reduce(Box<Node>, Box<Pattern>, Box<Node>, Box<Node>),
    /// Source, pattern, start, update, and what is given of each state, all of it where there is none.
    Foreach(
        Box<Node>,
        Box<Pattern>,
        Box<Node>,
        Box<Node>,
        Option<Box<Node>>,
    ),
    /// Source, patterns to try with the number of variables of all of them, body.
    Bind(Box<Node>, Vec<Alternative>, Box<Node>),
    /// Body; its `break` entries find the label by distance.
    Label(Box<Node>),
    /// The label that many entries up.
    Break(usize),
    /// A local function, and the expression that it is known in.
    Define(Box<Function>, Box<Node>),
    /// A function that many entries up.
    Call(usize, Vec<Node>),
    /// A function of the program's table.
    CallGlobal(usize, Vec<Node>),
    /// A function of values.
    Native(&'static Native, Vec<Node>),
    /// A function that runs its arguments itself.
    Special(Special, Vec<Node>),
    /// `[BODY]`; none for `[]`.
    Array(Option<Box<Node>>),
    /// Names and values; several values of any of them make several objects.
    Object(Vec<(Node, Node)>),
}

/// One pattern of a binding with alternatives; the slots say which of all variables each of its own is.
#[derive(Debug)]
pub struct Alternative {
    /// What the value must look like. One that does not fit makes the next alternative run.
    pub pattern: Pattern,
    /// For each variable of this pattern, in its order, the place among all variables.
    pub slots: Vec<usize>,
    /// The number of variables of all alternatives together.
    pub total: usize,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// The indices of the parameters that are written with `$`, in order.
    pub variables: Vec<usize>,
    /// What it computes, in an environment of all parameters as closures and then the variables.
    pub body: Node,
}

/// A program.
#[derive(Debug, Default)]
pub struct Program {
    /// Functions of `~/.jq`, modules and the prelude, by index. None while a function's own body is read.
    pub globals: Vec<Option<Function>>,
    /// The expression that runs; none before it was read.
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
