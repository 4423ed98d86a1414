//! The compiled form of commands: instructions and the tables that they refer to.

use std::cell::OnceCell;
use std::rc::Rc;

use super::symbol::Symbol;
use crate::arithmetic::Expression;
use crate::codec::instructions;
use crate::pattern::Pattern;
use crate::syntax::tree::{self, BinaryTest, CaseChange, ReplaceAnchor};
use crate::text::Text;

/// Compiled commands. Immutable; a frame holds a reference and its place in it.
#[derive(Default)]
pub struct Code {
    /// The instructions.
    pub ops: Vec<Op>,
    /// Strings.
    pub texts: Vec<Text>,
    /// Words that need no expansion, each list a run of arguments.
    pub words: Vec<Rc<[Text]>>,
    /// Parameter expansions.
    pub parameters: Vec<Parameter>,
    /// Redirects.
    pub redirects: Vec<Redirect>,
    /// The line that a function begins on.
    pub line: u32,
    /// Commands that run in tasks of their own.
    pub codes: Vec<Rc<Code>>,
    /// Pipelines.
    pub pipelines: Vec<Pipeline>,
    /// Function definitions: name, body, line.
    pub functions: Vec<Definition>,
    /// Arithmetic expressions with constant text.
    pub expressions: Vec<ExpressionText>,
    /// Arithmetic expressions with `$name` in them.
    pub templates: Vec<Template>,
    /// Patterns with constant text.
    pub patterns: Vec<PatternText>,
    /// Syntax errors inside backquotes.
    pub errors: Vec<crate::syntax::SyntaxError>,
    /// Commands as text, where something may ask for it.
    pub sources: Vec<Text>,
    /// All its commands are among the sources.
    pub with_sources: bool,
    /// It is a simple command, for which a task of its own is no other shell: `break` acts there.
    pub simple: bool,
    /// What it is to the commands around it.
    pub origin: Origin,
    /// It stands among the words of `for`, which count as within the loop.
    pub looped: bool,
    /// It is all of a `( … )` that is one simple command: bash makes no process for an external one.
    pub alone: bool,
    /// The command as text, for the message that a signal ended it.
    pub text: Text,
    /// Where commands behind `!` begin and end among the instructions.
    pub negations: Vec<(u32, u32)>,
    /// Where the words of `for` and `select` begin and end, which count as within the loop.
    pub loop_words: Vec<(u32, u32)>,
    /// It is one command behind `!`, which turns the status of a subshell that is given up, too.
    pub negated: bool,
}

/// What code is to the commands around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Origin {
    /// Commands that were read, the body of a function, or a subshell.
    #[default]
    Commands,
    /// A stage of a pipeline: a subshell there is the task itself.
    Stage,
    /// The same of what `&` runs.
    Job,
    /// A substitution: within, `bash -c` does not say that a signal ended a command.
    Substitution,
    /// The redirects and the end of an external command, or the handler of one that was not found, run in a task of
    /// its own.
    External,
}

impl Origin {
    /// Whether a task was begun for one command of a pipeline or a list.
    pub fn is_part(self) -> bool {
        matches!(self, Origin::Stage | Origin::Job)
    }
}

/// An arithmetic expression and its parsed form, made when it is first evaluated.
pub struct ExpressionText {
    /// The text.
    pub text: Text,
    /// The parsed form.
    pub parsed: OnceCell<Rc<Expression>>,
}

/// An arithmetic expression with holes for parameters.
pub struct Template {
    /// The text, with a byte 0 for each hole.
    pub text: Text,
    /// What goes into the holes.
    pub holes: Vec<Hole>,
    /// The parsed form; none where numbers in the holes could mean something else.
    pub parsed: OnceCell<Option<Rc<Expression>>>,
}

/// What goes into a hole of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hole {
    /// `$name`
    Variable(Symbol),
    /// `$1`
    Positional(u32),
    /// `$#` and its kin.
    Special(u8),
}

/// A pattern and its compiled form, made when it is first matched.
pub struct PatternText {
    /// The text.
    pub text: Text,
    /// The compiled form.
    pub compiled: OnceCell<Rc<Pattern>>,
}

/// The stages of a pipeline.
pub struct Pipeline {
    /// Each as code of its own.
    pub stages: Vec<Rc<Code>>,
}

/// Added to the number of a positional parameter that stands in braces: messages name it otherwise.
pub const BRACED: u32 = 1 << 31;

/// How a word that becomes one string is split all the same, because a list is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    /// It is not.
    None,
    /// Blanks are put between the parts.
    Joined,
    /// Only the first part counts.
    First,
    /// Blanks are put between the parts, and the items of a list that is not quoted are split too.
    Items,
}

/// What an expansion under way becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Fields: split, and expanded to paths.
    Fields,
    /// One string.
    Text,
    /// A pattern: what was quoted is escaped.
    Pattern,
    /// A pattern of `[[ ]]`: every quoted character is escaped, as `set -x` shows it.
    Condition,
    /// A regular expression: what was quoted is escaped.
    Regex,
    /// The replacement of `${x/p/r}`: a quoted `&` is escaped.
    Replacement,
    /// A here-document: `$*` is joined by blanks.
    Document,
    /// An assignment among the words of a command: where nothing separates, `$*` is joined by blanks.
    Argument,
    /// The value of an assignment.
    Value,
}

/// What becomes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Part of the word under way.
    Append {
        /// Between double quotes.
        quoted: bool,
    },
    /// An operand, as text.
    Operand,
    /// `(( ))`: the status.
    Status,
    /// The condition of `for (( ))`: whether it is zero.
    Test,
    /// Nothing.
    Discard,
}

/// What ended before its status is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ended {
    /// A simple command, or nothing yet.
    #[default]
    Simple,
    /// A subshell, a pipeline, `[[ ]]` or `(( ))`.
    Other,
}

instructions! {
/// One instruction. Operands are taken from stacks: `words` (fields), `operands` (strings),
/// `expansions` (words under way).
#[derive(Debug, Clone, Copy)]
pub enum Op {
    /// Goes on at an index.
    Jump(u32),
    /// Goes on there where the status is not 0.
    JumpIfFailed(u32),
    /// Goes on there where the status is 0.
    JumpIfSucceeded(u32),
    /// Goes on there where the condition of `for (( ))` was zero.
    JumpIfZero(u32),
    /// Goes on there where the variable is an associative array.
    JumpIfAssociative(Symbol, u32),
    /// Goes on there where the declaration under way has an associative array of this name.
    JumpIfDeclaresKeys(Symbol, u32),
    /// Goes on there where no words came to be since the last mark, which it takes.
    JumpIfBare(u32),
    /// Sets the status.
    Status(u8),
    /// Notes the status of a loop's body.
    KeepStatus,
    /// Makes that the status of the loop.
    RestoreStatus,
    /// `!`
    Negate,
    /// The line of what follows.
    Line(u32),
    /// The line for messages alone.
    At(u32),
    /// The text of the command that follows, for `$BASH_COMMAND`; DEBUG traps run here.
    Source(u32),
    /// Goes on there where the DEBUG trap refused the command.
    SkipRefused(u32),
    /// Names a command that the DEBUG trap does not see.
    Name(u32),
    /// The same of a subshell, where an ERR trap is set.
    NameTrapped(u32),
    /// A command's status is known: `set -e` and the ERR trap look at it.
    Check(Ended),
    /// The same where the code is no task of its own: the last stage of a pipeline with `lastpipe`.
    CheckInShell(Ended),
    /// What follows is a condition: `set -e` does not act within; false ends that.
    Suppress(bool),
    /// The same behind `!`, where only `set -e` does not act and only if it is on by then. The number
    /// is that of such commands around.
    SuppressNegated(u32, bool),
    /// Shows a string where `set -x` is on.
    Trace(u32),
    /// Begins a loop that ends there; its first instruction is the next.
    Loop(u32),
    /// The same, with a jump over the step of `for (( ))` first.
    LoopStep(u32),
    /// Begins a loop over the words since the mark that ends there.
    For(Symbol, u32),
    /// Begins a loop over the positional parameters.
    ForPositional(Symbol, u32),
    /// Leaves the loop where no word is left.
    ForTest,
    /// Drops the next word.
    ForDrop,
    /// Ends a word and adds it to the one around it, quoted for a subscript.
    EndQuoted,
    /// Keeps the status of an arm of `case` in the operand below the subject: other patterns are
    /// looked at.
    CaseKeep,
    /// The status that was kept there: no other pattern matched.
    CaseStatus,
    /// Assigns the next word.
    ForNext,
    /// `select`: prints the menu.
    SelectMenu,
    /// `select`: reads a line into `REPLY`, assigns; at the end of input leaves
    /// the loop.
    SelectNext,
    /// Refuses the name of a loop variable, a string; true for `for`, which ends the shell in posix
    /// mode.
    LoopName(u32, bool),
    /// Leaves the innermost block.
    Leave,
    /// A brace expansion is too large; the string says how.
    TooLarge(u32),
    /// Begins the words of a command.
    Mark,
    /// Begins a list of words within a command.
    MarkWithin,
    /// Adds constant words.
    Words(u32),
    /// Adds the fields of `$name`, or of `${name}`.
    WordVariable(Symbol, bool),
    /// Adds `"$name"`, or `"${name}"`.
    WordQuoted(Symbol, bool),
    /// Begins a word.
    Begin(Form),
    /// Adds unquoted text of the script.
    Literal(u32),
    /// Adds unquoted text with pattern characters.
    Glob(u32),
    /// Adds unquoted text inside an expansion: it is split.
    Split(u32),
    /// Begins what is split by itself: white space at its beginning divides nothing.
    SetApart,
    /// What an operand ended with that was split divides nothing.
    Rejoin,
    /// Begins an operand with a list that is not quoted: where blanks separate nothing, what is split in
    /// it becomes one again.
    Gather,
    /// Ends it.
    Gathered,
    /// Begins a text between double quotes that dividers may divide.
    BeginDividers,
    /// Begins an operand in it.
    OpenOperand,
    /// Adds such a quoted character of an operand.
    Divider(u8),
    /// Ends the operand.
    CloseOperand,
    /// Ends the text.
    EndDividers,
    /// What is not quoted in the word is split, as it has a quoted list; the parts become one string.
    Divide(Division),
    /// The same, as it has a list that is not quoted, where what separates first is no blank.
    DivideUnquoted(Division),
    /// The same, as an operand or a reference in it may stand for a list, where one does.
    DivideIfListed(Division),
    /// Adds quoted text.
    Quoted(u32),
    /// The word stays where it is empty.
    Present,
    /// Adds a home directory; the string is what follows `~`.
    Tilde(u32),
    /// Adds `$name`, between double quotes or not, or `${name}`.
    Variable(Symbol, bool, bool),
    /// Adds `$1`.
    Positional(u32, bool),
    /// Adds `$?` and its kin.
    Special(u8, bool),
    /// Adds a parameter expansion.
    Expand(u32),
    /// `${x-w}`: adds the value and jumps, or falls to the word.
    Default(u32, u32),
    /// `${x+w}`: falls to the word, or jumps.
    Alternative(u32, u32),
    /// `${x=w}`: adds the value and jumps, or falls to the word.
    AssignDefault(u32, u32),
    /// Assigns the operand and adds it: after `AssignDefault`.
    StoreDefault(u32),
    /// Fails with the operand as message: after `Default` of `${x?w}`.
    Fail(u32),
    /// Adds the output of commands: between double quotes; whether what they are part of is not split, where that is known.
    Substitute(u32, bool, Option<bool>),
    /// Adds the name of a pipe to commands; true for `>( )`.
    Process(u32, bool),
    /// Evaluates a constant expression.
    Arithmetic(u32, Use),
    /// Evaluates a template whose holes are numbers and jumps, or falls to the text's expansion.
    Template(u32, u32, Use),
    /// Evaluates the operand.
    Evaluate(Use),
    /// Shows the operand, an expression of `for (( ))`, and runs the DEBUG trap.
    Section(Use),
    /// Evaluates it.
    EvaluateSection(Use),
    /// Ends a word of several whose paths are looked for together.
    EndField,
    /// Ends a word: fields.
    EndFields,
    /// Ends a word: one field of the words.
    EndWord,
    /// Ends a word: an operand.
    EndOperand,
    /// Adds a constant operand.
    Operand(u32),
    /// Adds `$name` as an operand.
    OperandVariable(Symbol),
    /// Drops an operand.
    Drop,
    /// Assigns the operand: `name=value`.
    Assign(Symbol, bool),
    /// Assigns the operand for the command to come, or for good where there are no words.
    Temporary(Symbol, bool),
    /// Assigns to an element: subscript and value are operands.
    AssignElement(Symbol, bool, u32),
    /// Makes a variable an array, before the elements that it is to have are expanded.
    ArrayDeclare(Symbol),
    /// Begins a compound assignment.
    ArrayBegin,
    /// Adds the fields since the mark as elements.
    ArrayFields,
    /// Adds an element: subscript and value are operands.
    ArrayElement(bool),
    /// The same for an associative array; the string is the message where the key is empty.
    ArrayKey(bool, u32),
    /// Adds an element that is none; the string is the message.
    ArrayRefused(u32),
    /// Ends a compound assignment; the string is its text.
    ArrayAssign(Symbol, bool),
    /// Ends a compound argument of a declaration builtin: a word for the name, elements aside.
    ArrayArgument(Symbol, bool),
    /// The last word is `name[…]`, and its subscript expanded.
    ElementArgument,
    /// Begins a command without words.
    Bare,
    /// A command of assignments only ends: its status is that of its last substitution.
    Assigned,
    /// Begins the assignments before a command; they are permanent where there are no words.
    Environment,
    /// Goes on with the code in a task of its own, and then there, where the words since the mark
    /// are an external command: what the expansion of its redirects does, no other command sees. It
    /// has an effect, or may have under `set -u` where that is false.
    External(u32, u32, bool),
    /// Begins redirects.
    Redirects,
    /// The redirects under way are those of a compound command, and of its input: what runs in the
    /// background there reads that.
    Input(bool),
    /// What the redirects under way changed stays changed.
    KeepRedirects,
    /// Makes a redirect; where it fails, goes on there.
    Redirect(u32, u32),
    /// Begins the target of a redirect: in posix mode it is not split and stands for no paths.
    BeginTarget,
    /// Ends it.
    EndTarget,
    /// Reports an assignment before a command that cannot be made.
    RefuseAssignment(u32),
    /// Shows the command to come, where `set -x` is on: its redirects do not hold for that.
    TraceWords,
    /// Takes the value of a parameter as an operand; where it has none, jumps behind the expansion.
    SkipUnset(u32, u32),
    /// Runs the words since the mark.
    Run,
    /// Runs commands in a subshell.
    Subshell(u32),
    /// Runs a pipeline.
    Pipeline(u32),
    /// Runs commands in the background; the string is their text.
    Background(u32, u32),
    /// `coproc`; the string is its name.
    Coprocess(u32, u32),
    /// Defines a function.
    Define(u32),
    /// `case`: tests the top operand against a constant pattern and jumps where it matches.
    CaseConstant(u32, u32),
    /// `case`: tests the operand below the top against the top, drops that, jumps where it matches.
    Case(u32),
    /// `[[ word ]]`; true after `!`.
    TestWord(bool),
    /// `[[ -f word ]]`
    TestUnary(u8, bool),
    /// `[[ a op b ]]`
    TestBinary(BinaryTest, bool),
    /// `[[ a == constant ]]`
    TestMatch(u32, BinaryTest, bool),
    /// `[[ ]]` ends.
    Tested,
    /// An error that is reported when it is reached.
    Error(u32),
    /// A syntax error inside backquotes.
    SyntaxError(u32),
    /// Begins `time`; true with `-p`.
    Time(bool),
    /// Ends `time`.
    Timed,
    /// `$(< file)`: copies standard input to standard output.
    Copy,
    /// `$PIPESTATUS` is `$?` alone.
    PipeStatus,
    /// A simple command does not run, for one of its redirects failed; whether it has words.
    Refuse(bool),
    /// Shows the assignment to come of the operand at this depth, where `set -x` is on.
    TraceValue(Symbol, u32, bool),
    /// Like `Temporary`, of what was shown.
    TemporaryShown(Symbol, bool),
    /// `$?` is the topmost operand again, which stays.
    KeptStatus,
    /// Refuses an assignment before a command to a readonly variable, with an empty operand in place
    /// of its value: goes on there.
    RefuseReadonly(Symbol, u32),
}
}

/// A parameter expansion.
pub struct Parameter {
    /// Which parameter.
    pub target: Target,
    /// `${!x}`
    pub indirect: bool,
    /// Between double quotes.
    pub quoted: bool,
    /// Its value is an operand: it was taken before those of the operator were expanded.
    pub early: bool,
    /// In the operand of another one.
    pub inner: bool,
    /// What is done.
    pub action: Action,
    /// The text between the braces; of a slice what is sliced.
    pub source: Text,
}

/// Which parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A variable.
    Variable(Symbol),
    /// An element; its subscript is an operand.
    Element(Symbol),
    /// `${a[@]}`
    All(Symbol),
    /// `${a[*]}`
    Joined(Symbol),
    /// `$1`
    Positional(u32),
    /// `$@` and its kin. A digit: what `${!x}` leads to where that is no number of 64 bits.
    Special(u8),
    /// None: a bad substitution.
    Bad,
}

/// What defines a function.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Its name.
    pub name: Vec<u8>,
    /// Its body.
    pub body: Rc<tree::Command>,
    /// The line of the definition.
    pub line: u32,
    /// How far the lines of the body are above those that messages have.
    pub base: i64,
}

/// What a parameter expansion does; operands in the order in which they are named here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The value.
    Value,
    /// `${#x}`
    Length,
    /// `${!prefix*}`
    Names {
        /// With `*`.
        joined: bool,
    },
    /// `${!a[@]}`
    Keys,
    /// `-`, `=`, `?`, `+`; with `:` empty counts as unset.
    Conditional {
        /// With `:`.
        colon: bool,
    },
    /// Operands: offset, and length.
    Slice {
        /// The text of the length among the texts, where there is one.
        length: Option<u32>,
    },
    /// Operand: pattern.
    RemovePrefix {
        /// `##`
        longest: bool,
    },
    /// Operand: pattern.
    RemoveSuffix {
        /// `%%`
        longest: bool,
    },
    /// Operands: pattern, replacement.
    Replace {
        /// Where.
        anchor: ReplaceAnchor,
    },
    /// Operand: pattern where there is one.
    Case {
        /// How.
        change: CaseChange,
        /// All characters.
        all: bool,
        /// There is a pattern.
        pattern: bool,
    },
    /// `${x@Q}`
    Transform(u8),
    /// `${x@}`
    Unnamed,
    /// A bad substitution.
    Bad,
}

/// A redirect; its word is in the words since the mark, or an operand for text.
pub struct Redirect {
    /// The descriptor.
    pub target: RedirectTarget,
    /// What it does.
    pub kind: RedirectKind,
    /// The word as written, for messages.
    pub source: Text,
}

/// The descriptor of a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectTarget {
    /// The operator's own.
    Default,
    /// This one.
    Number(u32),
    /// A new one, its number stored in this variable.
    Variable(Text),
}

/// What a redirect does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    /// `<`
    Input,
    /// `>`
    Output,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateInput,
    /// `>&`
    DuplicateOutput,
    /// `&>`
    Both,
    /// `&>>`
    BothAppend,
    /// Text: a here-document.
    Document,
    /// Text and a newline: `<<<`.
    String,
}
