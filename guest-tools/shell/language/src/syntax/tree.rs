//! The syntax tree: what a script says, before any of it is run.
//!
//! The parser makes it, the compiler turns it into machine code, the printer turns it back into
//! text as `declare -f` shows it. Text is bytes: a script need not be UTF-8.

use std::cell::OnceCell;
use std::ops::Deref;
use std::rc::Rc;

use super::error::SyntaxError;

/// A sequence of commands, as between two keywords.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct List {
    /// The commands in order.
    pub items: Vec<Item>,
}

/// One `&&`/`||` chain of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Item {
    /// The first pipeline.
    pub first: Pipeline,
    /// What follows it.
    pub rest: Vec<(Connector, Pipeline)>,
    /// Ended by `&`.
    pub background: bool,
    /// Followed by a newline, which is kept in the text of `$(…)`.
    pub newline: bool,
}

/// What joins two pipelines of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connector {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pipeline {
    /// Preceded by an odd number of `!`.
    pub negated: bool,
    /// Preceded by `time`; true with `-p`.
    pub timed: Option<bool>,
    /// The commands. `|&` adds a `2>&1` redirect to the command before it. Empty only for a bare
    /// `!` or `time`.
    pub stages: Vec<Command>,
}

/// One command with its redirects.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The line of its first token, from 1.
    pub line: u32,
    /// What it is.
    pub kind: CommandKind,
    /// Redirects in order; of a simple command, those between its words too.
    pub redirects: Vec<Redirect>,
}

/// The kinds of command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandKind {
    /// Assignments and words.
    Simple {
        /// The assignments before the first word.
        assignments: Vec<Assignment>,
        /// The command and its arguments. Arguments such as `a=(1 2)` of `declare`, `local`,
        /// `export`, `readonly`, `typeset`, `alias` and `eval` are `Argument::Assignment`.
        words: Vec<Argument>,
    },
    /// `{ … }`
    Group(List),
    /// `( … )`
    Subshell(List),
    /// `if`/`elif` arms and `else`.
    If {
        /// Conditions and bodies.
        arms: Vec<(List, List)>,
        /// The `else` body.
        otherwise: Option<List>,
    },
    /// `for NAME in WORDS`; without `in` the positional parameters.
    For {
        /// The loop variable, as written (bash checks it when the loop runs).
        name: Vec<u8>,
        /// The words, none for `"$@"`.
        words: Option<Vec<Word>>,
        /// The body.
        body: List,
    },
    /// `for ((…; …; …))`
    ArithmeticFor {
        /// Evaluated once.
        initial: Word,
        /// Evaluated before each round; empty counts as true.
        condition: Word,
        /// Evaluated after each round.
        step: Word,
        /// The body.
        body: List,
    },
    /// `select NAME in WORDS`
    Select {
        /// The variable.
        name: Vec<u8>,
        /// The words, none for `"$@"`.
        words: Option<Vec<Word>>,
        /// The body.
        body: List,
    },
    /// `while` and `until`.
    While {
        /// `until`
        until: bool,
        /// The condition.
        condition: List,
        /// The body.
        body: List,
    },
    /// `case`
    Case {
        /// The subject.
        word: Word,
        /// The arms.
        arms: Vec<CaseArm>,
    },
    /// `[[ … ]]`
    Conditional(Condition),
    /// `(( … ))`: the text with its expansions.
    Arithmetic(Word),
    /// A function definition.
    Function {
        /// Its name.
        name: Vec<u8>,
        /// Its body, with the redirects that belong to it.
        body: Rc<Command>,
    },
    /// `coproc`
    Coprocess {
        /// `COPROC` where none is given.
        name: Vec<u8>,
        /// The body.
        body: Box<Command>,
    },
}

impl Default for CommandKind {
    /// A simple command without words.
    fn default() -> CommandKind {
        CommandKind::Simple {
            assignments: Vec::new(),
            words: Vec::new(),
        }
    }
}

/// One word of a simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A word to expand.
    Word(Word),
    /// An assignment argument of a declaration builtin: it is not split or globbed.
    Assignment(Assignment),
}

/// An arm of `case`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseArm {
    /// The patterns between `|`.
    pub patterns: Vec<Word>,
    /// The body.
    pub body: List,
    /// What comes after it.
    pub end: CaseEnd,
}

/// How an arm of `case` ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseEnd {
    /// `;;`
    Leave,
    /// `;&`: the next body too.
    FallThrough,
    /// `;;&`: the next patterns too.
    TestNext,
}

/// `name=value`, `name+=value`, `name[subscript]=value`, `name=(…)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: Vec<u8>,
    /// The text between brackets, with its expansions.
    pub subscript: Option<Word>,
    /// `+=`
    pub append: bool,
    /// The value.
    pub value: AssignmentValue,
}

/// The right side of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssignmentValue {
    /// A word: expanded without splitting and globbing.
    Scalar(Word),
    /// `( … )`
    Array(Vec<ArrayElement>),
}

/// An element of a compound assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayElement {
    /// `[subscript]=`
    pub subscript: Option<Word>,
    /// `[subscript]+=`
    pub append: bool,
    /// The value; split and globbed only where there is no subscript.
    pub value: Word,
}

/// A redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The descriptor on its left.
    pub target: RedirectTarget,
    /// What it does.
    pub action: RedirectAction,
}

/// The left side of a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectTarget {
    /// The operator's own: 0 for input, 1 for output.
    Default,
    /// A number.
    Descriptor(u32),
    /// `{name}` or `{name[subscript]}`: the text between the braces.
    Variable(Vec<u8>),
}

/// The operator and the right side of a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectAction {
    /// `< word`
    Input(Word),
    /// `> word`
    Output(Word),
    /// `>| word`
    Clobber(Word),
    /// `>> word`
    Append(Word),
    /// `<> word`
    ReadWrite(Word),
    /// `<& word`
    DuplicateInput(Word),
    /// `>& word` (with a word that is no number and a default target: both streams to a file)
    DuplicateOutput(Word),
    /// `&> word`
    Both(Word),
    /// `&>> word`
    BothAppend(Word),
    /// A here-document: its text, expanded unless the delimiter was quoted.
    HereDocument {
        /// The text; one `Quoted` part where nothing is expanded.
        body: HereBody,
        /// The delimiter, for printing.
        delimiter: Vec<u8>,
        /// `<<-`
        strip_tabs: bool,
        /// The delimiter was quoted.
        quoted: bool,
    },
    /// `<<< word`
    HereString(Word),
}

/// The text of a here-document: a [`Word`], known once the line that announces it is over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HereBody(Rc<OnceCell<HereText>>);

/// What the text of a here-document is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct HereText {
    word: Word,
    written: Option<Vec<u8>>,
}

impl HereBody {
    /// Sets the text, and how it was written where `print` can't make it of `word`; only the first
    /// call counts.
    pub fn fill(&self, word: Word, written: Option<Vec<u8>>) {
        let _ = self.0.set(HereText { word, written });
    }

    /// How it was written, where `print` can't make it: the word has what `$'…'` stands for.
    pub fn written(&self) -> Option<&[u8]> {
        self.0.get().and_then(|text| text.written.as_deref())
    }
}

impl Deref for HereBody {
    type Target = Word;

    fn deref(&self) -> &Word {
        &self.0.get_or_init(HereText::default).word
    }
}

/// A word before expansion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    /// Its parts; none for an empty here-document or expression.
    pub parts: Vec<Part>,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Unquoted text: braces, tildes and pattern characters in it are active.
    Literal(Vec<u8>),
    /// Text that stands for itself: `'…'` and `$'…'` (already decoded); plain text between double
    /// quotes, in a here-document or in an arithmetic expression.
    Quoted(Vec<u8>),
    /// `\c`: a byte that stands for itself. Two parts may be one character of UTF-8: this one and
    /// the text after it.
    Escaped(u8),
    /// `"…"` (and `$"…"`); the parts within are Quoted, Escaped and expansions only.
    DoubleQuoted(Vec<Part>),
    /// `$name`, `${…}`
    Parameter(Box<Parameter>),
    /// `$( … )` and `` `…` ``
    Command(Rc<Substitution>),
    /// `$(( … ))`: the text with its expansions, as between double quotes.
    Arithmetic {
        /// The text.
        expression: Box<Word>,
        /// Written `$[ … ]`.
        brackets: bool,
    },
    /// `<( … )` and `>( … )`
    Process {
        /// `>( … )`
        output: bool,
        /// The commands.
        body: Rc<Substitution>,
    },
    /// An extended pattern `@( … )` and its kin. In the patterns of `${…}` it stands there whether
    /// or not `extglob` is on: where it is off when that runs, it is plain text.
    ExtendedPattern {
        /// One of `?*+@!`.
        operator: u8,
        /// The alternatives between `|`.
        alternatives: Vec<Word>,
    },
    /// Text between double quotes or in a here-document with an expansion that does not end, which is
    /// an error when it is expanded.
    Unclosed {
        /// All of the text, as it is written.
        source: Vec<u8>,
        /// What would end the expansion.
        closing: u8,
    },
}

/// The commands of a substitution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitution {
    /// The commands, with the aliases of the time when they were read.
    pub body: List,
    /// The whole text as written, where `print` can't make it: of backquotes, and beside an error.
    pub source: Option<Vec<u8>>,
    /// It was read in POSIX mode: then functions within are printed without a keyword.
    pub posix: bool,
    /// The line its commands begin on: that of the command around it counts as this one.
    pub line: u32,
    /// A syntax error that bash finds only when this runs, after the commands before it: inside
    /// backquotes, a here-document or what looks like `$((…))`.
    pub error: Option<Box<SyntaxError>>,
}

/// A parameter expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// What is expanded.
    pub reference: Reference,
    /// `${!…}`
    pub indirect: bool,
    /// What is done with it.
    pub operator: Operator,
    /// The text between `${` and `}` where the reference or the operator is bad; else none:
    /// `print` makes it.
    pub source: Vec<u8>,
    /// Written without braces.
    pub bare: bool,
}

impl Parameter {
    /// The words within, which are expanded with it.
    pub fn words(&self) -> impl Iterator<Item = &Word> {
        let subscript = match &self.reference {
            Reference::Variable {
                subscript: Some(Subscript::Index(word)),
                ..
            } => Some(word),
            _ => None,
        };
        let (first, second) = match &self.operator {
            Operator::Value
            | Operator::Length
            | Operator::Names { .. }
            | Operator::Keys
            | Operator::Transform(_)
            | Operator::Bad => (None, None),
            Operator::Default { word, .. }
            | Operator::Assign { word, .. }
            | Operator::Error { word, .. }
            | Operator::Alternative { word, .. } => (Some(word), None),
            Operator::Slice { offset, length } => (Some(offset), length.as_ref()),
            Operator::RemovePrefix { pattern, .. } | Operator::RemoveSuffix { pattern, .. } => {
                (Some(pattern), None)
            }
            Operator::Replace {
                pattern,
                replacement,
                ..
            } => (Some(pattern), replacement.as_ref()),
            Operator::Case { pattern, .. } => (pattern.as_ref(), None),
        };
        [subscript, first, second].into_iter().flatten()
    }
}

/// Which parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// A variable.
    Variable {
        /// Its name.
        name: Vec<u8>,
        /// The subscript.
        subscript: Option<Subscript>,
    },
    /// `$1`, `${10}`; 0 is `$0`.
    Positional(u32),
    /// One of `@ * # ? - $ !`.
    Special(u8),
    /// What only an error message can be made of: `${a b}`.
    Bad,
}

impl Reference {
    /// The positional parameter that digits name. To bash, those that make no number of 64 bits name
    /// the first of them.
    pub fn position(digits: &[u8]) -> u32 {
        Reference::number(digits)
            .unwrap_or_else(|| digits.first().map_or(0, |digit| u32::from(digit - b'0')))
    }

    /// The positional parameter that digits name as a number of 64 bits; none where they make no such.
    pub fn number(digits: &[u8]) -> Option<u32> {
        let text = std::str::from_utf8(digits).ok()?;
        let number = text.parse::<i64>().ok()?;
        Some(u32::try_from(number).unwrap_or(u32::MAX))
    }
}

/// The text between brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subscript {
    /// `[@]`
    All,
    /// `[*]`
    Joined,
    /// An expression, or a key.
    Index(Word),
}

/// What a parameter expansion does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operator {
    /// The value.
    Value,
    /// `${#x}`
    Length,
    /// `${!prefix*}` (joined) and `${!prefix@}`.
    Names {
        /// With `*`.
        joined: bool,
    },
    /// `${!x[@]}` and `${!x[*]}`: the keys of the array.
    Keys,
    /// `${x-w}`, `${x:-w}`
    Default {
        /// With `:`: empty counts as unset.
        colon: bool,
        /// The word.
        word: Word,
    },
    /// `${x=w}`, `${x:=w}`
    Assign {
        /// With `:`.
        colon: bool,
        /// The word.
        word: Word,
    },
    /// `${x?w}`, `${x:?w}`
    Error {
        /// With `:`.
        colon: bool,
        /// The message; none where it is missing.
        word: Word,
    },
    /// `${x+w}`, `${x:+w}`
    Alternative {
        /// With `:`.
        colon: bool,
        /// The word.
        word: Word,
    },
    /// `${x:offset:length}`
    Slice {
        /// Arithmetic text.
        offset: Word,
        /// Arithmetic text.
        length: Option<Word>,
    },
    /// `${x#p}`, `${x##p}`
    RemovePrefix {
        /// With `##`.
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `${x%p}`, `${x%%p}`
    RemoveSuffix {
        /// With `%%`.
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `${x/p/r}` and its kin.
    Replace {
        /// Where.
        anchor: ReplaceAnchor,
        /// The pattern.
        pattern: Word,
        /// The replacement; none where the second slash is missing.
        replacement: Option<Word>,
    },
    /// `${x^p}`, `${x^^p}`, `${x,p}`, `${x,,p}`, `${x~p}`, `${x~~p}`
    Case {
        /// To upper, to lower, or toggled.
        change: CaseChange,
        /// Doubled operator.
        all: bool,
        /// Which characters; none for any.
        pattern: Option<Word>,
    },
    /// `${x@Q}` and its kin: the letter.
    Transform(u8),
    /// An operator that is none: a bad substitution when it is run.
    Bad,
}

/// Where a replacement is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplaceAnchor {
    /// `/`
    First,
    /// `//`
    All,
    /// `/#`
    Prefix,
    /// `/%`
    Suffix,
}

/// How letters change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseChange {
    /// `^`
    Upper,
    /// `,`
    Lower,
    /// `~`
    Toggle,
}

/// An expression of `[[ … ]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// A single word: true where it is not empty.
    Word(Word),
    /// `-f word` and its kin: the letter.
    Unary(u8, Word),
    /// `a op b`
    Binary(BinaryTest, Word, Word),
    /// `! …`
    Not(Box<Condition>),
    /// `… && …`
    And(Box<Condition>, Box<Condition>),
    /// `… || …`
    Or(Box<Condition>, Box<Condition>),
    /// `( … )`, kept for printing.
    Group(Box<Condition>),
}

/// A binary operator of `[[ … ]]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryTest {
    /// `==`: the right side is a pattern.
    Match,
    /// `=`: the same, printed as it was written.
    MatchShort,
    /// `!=`
    NoMatch,
    /// `=~`
    Regex,
    /// `<`
    Before,
    /// `>`
    After,
    /// `-eq`
    Equal,
    /// `-ne`
    NotEqual,
    /// `-lt`
    Less,
    /// `-le`
    LessEqual,
    /// `-gt`
    Greater,
    /// `-ge`
    GreaterEqual,
    /// `-nt`
    Newer,
    /// `-ot`
    Older,
    /// `-ef`
    SameFile,
}

impl BinaryTest {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static [u8] {
        match self {
            BinaryTest::Match => b"==",
            BinaryTest::MatchShort => b"=",
            BinaryTest::NoMatch => b"!=",
            BinaryTest::Regex => b"=~",
            BinaryTest::Before => b"<",
            BinaryTest::After => b">",
            BinaryTest::Equal => b"-eq",
            BinaryTest::NotEqual => b"-ne",
            BinaryTest::Less => b"-lt",
            BinaryTest::LessEqual => b"-le",
            BinaryTest::Greater => b"-gt",
            BinaryTest::GreaterEqual => b"-ge",
            BinaryTest::Newer => b"-nt",
            BinaryTest::Older => b"-ot",
            BinaryTest::SameFile => b"-ef",
        }
    }
}
