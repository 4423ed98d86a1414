//! The parser: tokens to resolved code, by recursive descent and precedence climbing.
//!
//! The grammar is that of `jq` 1.8's `parser.y`, from loose to tight:
//!
//! ```text
//! |                           right
//! ,                           left
//! //                          right
//! = |= += -= *= /= %= //=     none
//! or                          left
//! and                         left
//! == != < <= > >=             none
//! + -                         left
//! * / %                       left
//! ```
//!
//! `SOURCE as PATTERN | BODY` and `def … ; BODY` reach as far to the right as they can, and so does `label $x | BODY`.
//! Unary minus and `try` bind a postfix term. Names are resolved while parsing (see `terms`), modules are loaded when
//! their `import` is met (see `modules`), and there is no later pass.

mod modules;
mod terms;

use std::collections::HashMap;

use self::terms::combine;
pub use self::terms::describe;
use super::code::{Alternative, Expr, Node, Pattern, Program};
use super::modules::Modules;
use super::natives;
use super::prelude;
use super::token::{self, Kind, Origin, Token, Wrong};
use super::value::Value;

/// What a name in scope stands for. The scope is a stack of these; its order is that of `Env` at run time.
#[derive(Clone, Debug)]
enum Binding {
    /// `$name`, bound by `as`, `reduce`, `foreach` or a `$` parameter.
    Variable(String),
    /// A parameter of a function: code that runs in the caller's environment.
    Closure(String),
    /// A local function and its number of parameters.
    Function(String, usize),
    /// The target of `break $name`.
    Label(String),
}

/// Global functions by name and number of parameters, with their index in `Program::globals`.
pub type Names = HashMap<(String, usize), usize>;

/// Reads a program, and the modules and prelude functions that it uses.
pub struct Parser<'a> {
    /// The tokens of the text at hand; those of an interpolation or a module replace them for a while.
    tokens: Vec<Token>,
    /// The index of the next token.
    at: usize,
    /// Local names, the innermost last.
    scope: Vec<Binding>,
    /// The functions of the text at hand, with those that it imports.
    names: Names,
    /// Functions of the prelude that were read already.
    builtins: Names,
    /// Variables whose values are known: `$ENV`, `$ARGS`, `$__search_list` and those of `--arg` and its relatives.
    constants: HashMap<String, Value>,
    /// Where modules are found.
    modules: &'a Modules,
    /// What is being built. Complete after `main` has succeeded.
    pub program: Program,
    /// How deep expressions are nested, bounded to protect the stack.
    depth: usize,
    /// The modules that were read, by their file; none for one that is being read.
    loaded: HashMap<Vec<u8>, Option<Names>>,
}

/// A result of parsing, or what is wrong and where.
type Parse<T> = Result<T, Wrong>;

/// The directory part of a file's path, as `dirname` gives it: `a/b` → `a`, `/b` → `/`, `b` → `.`.
pub fn folder(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(0) => b"/",
        Some(at) => &path[..at],
        None => b".",
    }
}

/// The words that no function can be called. They may be members: `.and` and `{if: 1}`.
const KEYWORDS: &[&str] = &[
    "def", "module", "import", "include", "if", "then", "else", "elif", "end", "as", "reduce",
    "foreach", "try", "catch", "label", "and", "or", "__loc__",
];

/// How deep expressions may be nested: a guest's stack is small.
const DEEPEST: usize = 400;

/// How many stages or operands one pipeline or one chain of operators may have, for the same reason.
const LONGEST: usize = 3_000;

impl<'a> Parser<'a> {
    /// A parser that knows these variables and finds modules there.
    pub fn new(constants: HashMap<String, Value>, modules: &'a Modules) -> Parser<'a> {
        Parser {
            tokens: Vec::new(),
            at: 0,
            scope: Vec::new(),
            names: Names::new(),
            builtins: Names::new(),
            constants,
            modules,
            program: Program::default(),
            depth: 0,
            loaded: HashMap::new(),
        }
    }

    /// Reads the main program: perhaps imports, perhaps definitions, and an expression. An empty one is `.`.
    ///
    /// `~/.jq`, where it is a file, is read first, and its definitions are known to the program.
    ///
    /// # Errors
    /// A syntax error or an unknown name, with its offset; or a module that cannot be loaded.
    pub fn main(&mut self, source: &str) -> Parse<()> {
        self.tokens = token::tokens(source)?;
        if let Some(file) = self.modules.own() {
            self.names = self.module(&file)?;
        }
        self.directives(self.modules.start())?;
        let body = if self.at == self.tokens.len() {
            Node::new(Expr::Identity)
        } else {
            self.top()?
        };
        self.end()?;
        self.program.main = Some(body);
        let mut names: Vec<String> = prelude::names().chain(natives::names()).collect();
        names.retain(|name| !name.starts_with('_'));
        self.program.names = names;
        Ok(())
    }

    /// Definitions, and at the end perhaps no expression.
    ///
    /// Definitions without an expression are a program, too, which passes its input through: `jq 'def f: 1;'`.
    fn top(&mut self) -> Parse<Node> {
        let mut functions = Vec::new();
        while self.is_name("def") {
            self.bounded(functions.len())?;
            functions.push(self.definition(false)?);
        }
        let mut node = if self.at == self.tokens.len() {
            Node::new(Expr::Identity)
        } else {
            self.pipe()?
        };
        while let Some(function) = functions.pop() {
            self.scope.pop();
            node = Node::new(Expr::Define(Box::new(function), Box::new(node)));
        }
        Ok(node)
    }

    // --- tokens ---

    /// The next token; none at the end.
    fn kind(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    /// Takes the next token.
    fn next(&mut self) -> Option<Kind> {
        let kind = self.kind().cloned();
        self.at += 1;
        kind
    }

    /// Whether the next token is this operator or bracket.
    fn is(&self, mark: &str) -> bool {
        matches!(self.kind(), Some(Kind::Mark(found)) if *found == mark)
    }

    /// Takes the next token where it is this operator or bracket, and says whether it was.
    fn take(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        self.at += usize::from(found);
        found
    }

    /// Whether the next token is this word.
    fn is_name(&self, name: &str) -> bool {
        matches!(self.kind(), Some(Kind::Name(found)) if found == name)
    }

    /// Takes the next token where it is this word, and says whether it was.
    fn take_name(&mut self, name: &str) -> bool {
        let found = self.is_name(name);
        self.at += usize::from(found);
        found
    }

    /// Takes this operator or bracket.
    fn require(&mut self, mark: &str) -> Parse<()> {
        if self.take(mark) {
            Ok(())
        } else {
            self.unexpected()
        }
    }

    /// Takes this word.
    fn expect_name(&mut self, name: &str) -> Parse<()> {
        if self.take_name(name) {
            Ok(())
        } else {
            self.unexpected()
        }
    }

    /// Makes sure that no token is left.
    fn end(&self) -> Parse<()> {
        if self.at < self.tokens.len() {
            self.unexpected()
        } else {
            Ok(())
        }
    }

    /// An error at the present token, or at the last one.
    fn wrong<T>(&self, message: impl Into<String>) -> Parse<T> {
        let at = self
            .tokens
            .get(self.at)
            .or(self.tokens.last())
            .map_or(0, |token| token.at);
        Err(Wrong {
            message: message.into(),
            at,
            origin: Origin::Program,
        })
    }

    /// The error for the present token, with the names that `jq`'s grammar has for kinds of tokens.
    fn unexpected<T>(&self) -> Parse<T> {
        let what = match self.kind() {
            None => "end of file".to_owned(),
            Some(Kind::Mark(mark)) => format!("'{mark}'"),
            Some(Kind::Name(name)) if KEYWORDS.contains(&name.as_str()) => name.clone(),
            Some(Kind::Name(_)) => "IDENT".to_owned(),
            Some(Kind::Field(_)) => "FIELD".to_owned(),
            Some(Kind::Variable(_)) => "BINDING".to_owned(),
            Some(Kind::Format(_)) => "FORMAT".to_owned(),
            Some(Kind::Number(_)) => "LITERAL".to_owned(),
            Some(Kind::String(_)) => "QQSTRING_START".to_owned(),
        };
        self.wrong(format!("syntax error, unexpected {what}"))
    }

    // --- expressions ---

    /// An expression of any kind.
    fn pipe(&mut self) -> Parse<Node> {
        self.nested(Parser::pipe_inner)
    }

    /// Parses something that may hold itself. Every nesting passes through here, so the depth is counted here.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEEPEST {
            return self.wrong("the program is nested too deep");
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Makes sure that a chain of so many parts may have another one.
    fn bounded(&self, parts: usize) -> Parse<()> {
        if parts < LONGEST {
            Ok(())
        } else {
            self.wrong("the program is nested too deep")
        }
    }

    /// `def`, `label`, or terms joined by `|`, which binds to the right: a `def` or `label` among them takes the rest.
    fn pipe_inner(&mut self) -> Parse<Node> {
        if self.is_name("def") {
            let function = self.definition(false)?;
            let rest = self.pipe()?;
            self.scope.pop();
            return Ok(Node::new(Expr::Define(Box::new(function), Box::new(rest))));
        }
        if self.take_name("label") {
            let Some(Kind::Variable(name)) = self.next() else {
                return self.unexpected();
            };
            self.require("|")?;
            self.scope.push(Binding::Label(name));
            let body = self.pipe()?;
            self.scope.pop();
            return Ok(Node::new(Expr::Label(Box::new(body))));
        }
        let first = self.comma()?;
        self.stages(first, |parser| {
            if parser.is_name("def") || parser.is_name("label") {
                parser.pipe()
            } else {
                parser.comma()
            }
        })
    }

    /// What follows the first stage of a pipeline, each stage after its `|`.
    fn stages(&mut self, first: Node, stage: impl Fn(&mut Self) -> Parse<Node>) -> Parse<Node> {
        let mut stages = vec![first];
        while self.take("|") {
            self.bounded(stages.len())?;
            stages.push(stage(self)?);
        }
        let joined = stages
            .into_iter()
            .rev()
            .reduce(|rest, stage| Node::new(Expr::Pipe(Box::new(stage), Box::new(rest))));
        Ok(joined.unwrap_or(Node::new(Expr::Identity)))
    }

    /// Expressions joined by `,`.
    fn comma(&mut self) -> Parse<Node> {
        let first = self.operand()?;
        if !self.is(",") {
            return Ok(first);
        }
        let mut operands = vec![first];
        while self.take(",") {
            operands.push(self.operand()?);
        }
        Ok(Node::new(Expr::Comma(operands)))
    }

    /// What stands between commas: an expression, or a binding of all of it: `1 + 2 as $x | …`.
    fn operand(&mut self) -> Parse<Node> {
        let source = self.operators(0)?;
        if self.take_name("as") {
            return self.binding(source);
        }
        Ok(source)
    }

    /// `SOURCE as PATTERN ?// … | BODY`, after `as`.
    ///
    /// With alternatives all variables of all patterns are bound in BODY, `null` where the pattern that matched has
    /// none of that name. `slots` maps the variables of each pattern to places among all of them.
    fn binding(&mut self, source: Node) -> Parse<Node> {
        let base = self.scope.len();
        let mut patterns = Vec::new();
        let mut names: Vec<Vec<String>> = Vec::new();
        loop {
            patterns.push(self.pattern()?);
            let bound = self
                .scope
                .drain(base..)
                .filter_map(|binding| match binding {
                    Binding::Variable(name) => Some(name),
                    _ => None,
                });
            names.push(bound.collect());
            if !self.take("?//") {
                break;
            }
        }
        let mut all: Vec<String> = Vec::new();
        if names.len() == 1 {
            all.clone_from(&names[0]);
        } else {
            for name in names.iter().flatten() {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
        }
        let slots = |names: &Vec<String>| -> Vec<usize> {
            let last = |name| all.iter().rposition(|other| other == name).unwrap_or(0);
            names.iter().map(last).collect()
        };
        let alternatives = patterns
            .into_iter()
            .zip(&names)
            .map(|(pattern, names)| Alternative {
                pattern,
                slots: slots(names),
                total: all.len(),
            })
            .collect();
        self.require("|")?;
        self.scope
            .extend(all.iter().cloned().map(Binding::Variable));
        let body = self.pipe()?;
        self.scope.truncate(base);
        Ok(Node::new(Expr::Bind(
            Box::new(source),
            alternatives,
            Box::new(body),
        )))
    }

    /// A pattern; its variables enter the scope.
    ///
    /// The order in which they enter is that in which `bind` gives values at run time.
    fn pattern(&mut self) -> Parse<Pattern> {
        self.nested(Parser::pattern_inner)
    }

    fn pattern_inner(&mut self) -> Parse<Pattern> {
        match self.next() {
            Some(Kind::Variable(name)) => {
                self.scope.push(Binding::Variable(name));
                Ok(Pattern::Variable)
            }
            Some(Kind::Mark("[")) => {
                let mut items = vec![self.pattern()?];
                while self.take(",") {
                    items.push(self.pattern()?);
                }
                self.require("]")?;
                Ok(Pattern::Array(items))
            }
            Some(Kind::Mark("{")) => {
                let mut members = vec![self.member_pattern()?];
                while self.take(",") {
                    members.push(self.member_pattern()?);
                }
                self.require("}")?;
                Ok(Pattern::Object(members))
            }
            _ => {
                self.at -= 1;
                let mut wrong = self.unexpected();
                if let Err(wrong) = &mut wrong {
                    wrong.message.push_str(", expecting BINDING or '[' or '{'");
                }
                wrong
            }
        }
    }

    /// A member of an object pattern: whether its name is a variable too, the name, and the pattern of its value.
    ///
    /// `{a: $x}`, `{"a": $x}`, `{(EXPR): $x}`, `{$a}` for `{a: $a}`, `{$a: [$b]}` for both.
    fn member_pattern(&mut self) -> Parse<(bool, Node, Option<Pattern>)> {
        let literal = |name: &str| Node::new(Expr::Literal(Value::from(name)));
        let (variable, key) = match self.next() {
            Some(Kind::Variable(name)) => {
                let key = literal(&name);
                self.scope.push(Binding::Variable(name));
                (true, key)
            }
            Some(Kind::Name(name)) => (false, literal(&name)),
            Some(Kind::String(parts)) => (false, self.string(None, parts)?),
            Some(Kind::Mark("(")) => (false, self.computed_key()?),
            _ => {
                self.at -= 1;
                return self.unexpected();
            }
        };
        let value = if variable && !self.is(":") {
            None
        } else {
            self.require(":")?;
            Some(self.pattern()?)
        };
        Ok((variable, key, value))
    }

    /// Binary operators of at least the given level.
    ///
    /// Precedence climbing. An operator that does not associate (`==`, `=`) must not be followed by one of its level:
    /// `1 == 1 == 1` is a syntax error.
    fn operators(&mut self, least: u8) -> Parse<Node> {
        let mut left = self.unary()?;
        for parts in 1.. {
            let Some((level, right_level, again)) = self.operator_level() else {
                return Ok(left);
            };
            if level < least {
                return Ok(left);
            }
            self.bounded(parts)?;
            let operator = self.next();
            let right = self.nested(|parser| parser.operators(right_level))?;
            left = combine(operator.as_ref(), left, right);
            if !again
                && self
                    .operator_level()
                    .is_some_and(|(next, ..)| next == level)
            {
                return self.unexpected();
            }
        }
        Ok(left)
    }

    /// The level of the operator here, the least level to its right, and whether another may follow.
    ///
    /// See the table at the head of this file. The right side of `//` begins at the same level, so it binds to the
    /// right.
    fn operator_level(&self) -> Option<(u8, u8, bool)> {
        Some(match self.kind()? {
            Kind::Mark("//") => (1, 1, true),
            Kind::Mark("=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=") => (2, 3, false),
            Kind::Name(name) if name == "or" => (3, 4, true),
            Kind::Name(name) if name == "and" => (4, 5, true),
            Kind::Mark("==" | "!=" | "<" | "<=" | ">" | ">=") => (5, 6, false),
            Kind::Mark("+" | "-") => (6, 7, true),
            Kind::Mark("*" | "/" | "%") => (7, 8, true),
            _ => return None,
        })
    }

    /// A definition that stands before an operand, or a postfix term: `1 + def f: 2; f`.
    fn unary(&mut self) -> Parse<Node> {
        if self.is_name("def") {
            let function = self.definition(false)?;
            let rest = self.pipe()?;
            self.scope.pop();
            return Ok(Node::new(Expr::Define(Box::new(function), Box::new(rest))));
        }
        self.postfix()
    }

    /// A term with everything that may follow it: `.a`, `."a"`, `[…]`, `?`, in any number; or `-TERM`, `try TERM catch
    /// TERM`.
    ///
    /// A `?` directly after an access is that access made optional, which keeps generators going: `.[]?` skips what
    /// cannot be iterated. After anything else it is `try`.
    fn postfix(&mut self) -> Parse<Node> {
        if self.take("-") {
            let operand = self.nested(Parser::postfix)?;
            return Ok(Node::new(Expr::Negate(Box::new(operand))));
        }
        if self.take_name("try") {
            let body = self.nested(Parser::postfix)?;
            let catch = if self.take_name("catch") {
                Some(Box::new(self.nested(Parser::postfix)?))
            } else {
                None
            };
            return Ok(Node::new(Expr::Try(Box::new(body), catch)));
        }
        let mut term = self.term()?;
        let mut access = false;
        for parts in 1.. {
            self.bounded(parts)?;
            let question = matches!(self.kind(), Some(Kind::Mark("?")));
            term = match self.kind() {
                Some(Kind::Field(name)) => {
                    let key = Node::new(Expr::Literal(Value::from(name.as_str())));
                    self.at += 1;
                    Node::new(Expr::Index(Box::new(term), Box::new(key)))
                }
                Some(Kind::Mark(".")) => {
                    self.at += 1;
                    match self.kind().cloned() {
                        Some(Kind::String(parts)) => {
                            self.at += 1;
                            let key = self.string(None, parts)?;
                            Node::new(Expr::Index(Box::new(term), Box::new(key)))
                        }
                        Some(Kind::Mark("[")) => {
                            self.at += 1;
                            self.brackets(term)?
                        }
                        _ => return self.unexpected(),
                    }
                }
                Some(Kind::Mark("[")) => {
                    self.at += 1;
                    self.brackets(term)?
                }
                Some(Kind::Mark("?")) => {
                    self.at += 1;
                    Node::new(if access {
                        Expr::Optional(Box::new(term))
                    } else {
                        Expr::Try(Box::new(term), None)
                    })
                }
                _ => return Ok(term),
            };
            access = !question;
        }
        Ok(term)
    }

    /// What follows `TERM[`.
    ///
    /// `]` iterates, `a]` indexes, `a:b]`, `a:]` and `:b]` slice.
    fn brackets(&mut self, target: Node) -> Parse<Node> {
        let target = Box::new(target);
        if self.take("]") {
            return Ok(Node::new(Expr::Iterate(target)));
        }
        if self.take(":") {
            let to = self.pipe()?;
            self.require("]")?;
            return Ok(Node::new(Expr::Slice(target, None, Some(Box::new(to)))));
        }
        let key = Box::new(self.pipe()?);
        if self.take(":") {
            let to = if self.is("]") {
                None
            } else {
                Some(Box::new(self.pipe()?))
            };
            self.require("]")?;
            return Ok(Node::new(Expr::Slice(target, Some(key), to)));
        }
        self.require("]")?;
        Ok(Node::new(Expr::Index(target, key)))
    }
}
