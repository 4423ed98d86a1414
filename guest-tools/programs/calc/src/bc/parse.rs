//! The language of `bc`: from text to statements.
//!
//! The parser descends recursively over tokens, one line of the program at a time, so that an error costs a line and
//! not the program. Blocks and functions reach over several lines. From the loosest operator to the tightest:
//!
//! | Operators | Associate |
//! |---|---|
//! | `||`, then `&&` | left |
//! | `!` | – |
//! | `<` `<=` `==` `!=` `>=` `>` | left |
//! | `=` `+=` `-=` `*=` `/=` `%=` `^=` | right |
//! | `+` `-`, then `*` `/` `%` | left |
//! | `^` | right |
//! | `-`, `++`, `--` | – |
//!
//! So `-2^2` is 4 and `!a == b` is `!(a == b)`, other than in C; `a < b + c` and `x = y < z` read as GNU bc reads
//! them, the latter as `(x = y) < z`.
//!
//! How deep statements and operands nest is limited, since parsing recurses on the stack.

use std::collections::VecDeque;

/// An expression.
#[derive(Clone, Debug)]
pub enum Expr {
    /// Digits as they are written. The base is `ibase` at the time when the expression is evaluated.
    Number(String),
    /// A variable; `scale`, `ibase`, `obase` and `last` are among them.
    Variable(String),
    /// An element of an array, and its index.
    Element(String, Box<Expr>),
    /// A function, which need not be defined yet.
    Call(String, Vec<Argument>),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    /// An operator of two operands. `&&` and `||` evaluate the right one only where it matters.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// The operator with its `=`, the target and the value.
    Assign(&'static str, Box<Expr>, Box<Expr>),
    /// `++` and `--`: whether it is done before the value is taken, by how much (1 or -1), and to what.
    Step(bool, i64, Box<Expr>),
    /// An expression in parentheses. It is kept as such because `(a = 1)` prints its value and `a = 1` does not.
    Group(Box<Expr>),
}

/// What a function gets.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A number.
    Value(Expr),
    /// `NAME[]`: a copy of an array.
    Array(String),
}

/// One thing to print.
#[derive(Clone, Debug)]
pub enum Item {
    /// A string, in which `print` replaces escapes.
    Text(String),
    /// An expression, whose value becomes `last`.
    Value(Expr),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// An expression; its value is printed with a newline unless it is an assignment.
    Expr(Expr),
    /// A string that is printed as it is, without a newline.
    Text(String),
    /// `print`.
    Print(Vec<Item>),
    /// Condition, what follows where it is not zero, and what else.
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    /// Condition and body.
    While(Expr, Box<Statement>),
    /// Start, condition, step and body. A condition that is missing holds.
    For(Option<Expr>, Option<Expr>, Option<Expr>, Box<Statement>),
    /// Statements in braces.
    Block(Vec<Statement>),
    /// `return`, without a value 0.
    Return(Option<Expr>),
    Break,
    Continue,
    /// `halt` where it is executed, and `quit` where it is read.
    Quit,
    /// A definition, which replaces one of the same name when it is executed.
    Define(String, Function),
    /// An empty statement.
    Nothing,
}

/// A function; names that end with `[]` are arrays.
#[derive(Clone, Debug)]
pub struct Function {
    /// What it is called with, in this order.
    pub parameters: Vec<String>,
    /// The names of `auto`.
    pub locals: Vec<String>,
    /// The parameters whose array is the caller's own: `*a[]`.
    pub references: Vec<String>,
    /// It has no value, and nothing is printed for a call.
    pub is_void: bool,
    pub body: Vec<Statement>,
}

/// A word of the language.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(String),
    Name(String),
    Text(String),
    /// An operator or a bracket, from `MARKS`.
    Mark(&'static str),
    /// The end of a line, which ends statements.
    Line,
    /// The end of the program.
    End,
}

/// Operators and brackets, the longer ones first.
const MARKS: &[&str] = &[
    "&&", "||", "<=", ">=", "==", "!=", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "+", "-",
    "*", "/", "%", "^", "=", "<", ">", "!", "(", ")", "[", "]", "{", "}", ",", ";",
];

/// Reads statements.
pub struct Parser {
    tokens: Vec<(Token, usize)>,
    illegal: VecDeque<(usize, usize, char)>,
    at: usize,
    /// How many statements and operands the current one is in.
    depth: usize,
    /// How many braces are open.
    braces: usize,
    /// Whether `quit` was read: it ends the program where it stands, run or not.
    quits: bool,
}

/// The error is a message.
type Parse<T> = Result<T, String>;

/// The digits of a number, which go on behind the end of a line that a backslash hides, and what follows.
fn number(mut rest: &str) -> (String, &str) {
    let mut text = String::new();
    loop {
        let digit = |c: char| c.is_ascii_digit() || c == '.' || c.is_ascii_uppercase();
        let end = rest.find(|c| !digit(c)).unwrap_or(rest.len());
        text.push_str(&rest[..end]);
        rest = &rest[end..];
        match rest.strip_prefix("\\\n") {
            Some(after) => rest = after,
            None => return (text, rest),
        }
    }
}

/// A program in tokens.
#[derive(Default)]
struct Tokens {
    /// Each with the number of the line that it ends in; that of a newline is the next one's.
    tokens: Vec<(Token, usize)>,
    /// The characters that begin no token: how many tokens stand before them, and the number of the line.
    illegal: VecDeque<(usize, usize, char)>,
}

/// Splits a program into tokens: comments (`/* */` and `#`) and hidden ends of lines go, a lone `.` is `last`.
fn tokens(source: &str) -> Tokens {
    let mut found = Tokens::default();
    let (mut rest, mut line) = (source, 1);
    while let Some(first) = rest.chars().next() {
        let start = rest;
        let mut token = None;
        if let Some(after) = rest.strip_prefix("/*") {
            rest = after.split_once("*/").map_or("", |(_, after)| after);
        } else if first == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if let Some(after) = rest.strip_prefix("\\\n") {
            rest = after;
        } else if first == '\n' {
            token = Some(Token::Line);
            rest = &rest[1..];
        } else if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if let Some((text, after)) =
            rest.strip_prefix('"').and_then(|rest| rest.split_once('"'))
        {
            token = Some(Token::Text(text.to_owned()));
            rest = after;
        } else if first.is_ascii_digit() || first == '.' || first.is_ascii_uppercase() {
            let text;
            (text, rest) = number(rest);
            token = Some(match text.as_str() {
                "." => Token::Name("last".to_owned()),
                _ => Token::Number(text),
            });
        } else if first.is_ascii_lowercase() {
            let end =
                rest.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
            let end = end.unwrap_or(rest.len());
            token = Some(Token::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            token = Some(Token::Mark(mark));
            rest = &rest[mark.len()..];
        } else {
            let at = found.tokens.len();
            found.illegal.push_back((at, line, first));
            rest = &rest[first.len_utf8()..];
        }
        let taken = &start[..start.len() - rest.len()];
        line += taken.matches('\n').count();
        found.tokens.extend(token.map(|token| (token, line)));
    }
    found
}

/// A line of the program.
pub struct Line {
    /// What it does.
    pub statements: Vec<Statement>,
    /// The number of its first line, and the one behind it.
    pub start: usize,
    pub number: usize,
    /// What is wrong with it, and in which line; then it is not run.
    pub errors: Vec<(usize, String)>,
}

impl Parser {
    /// A parser of `source`.
    pub fn new(source: &str) -> Parser {
        let Tokens { tokens, illegal } = tokens(source);
        Parser {
            tokens,
            illegal,
            at: 0,
            depth: 0,
            braces: 0,
            quits: false,
        }
    }

    /// The next token.
    fn peek(&self) -> &Token {
        self.tokens
            .get(self.at)
            .map_or(&Token::End, |(token, _)| token)
    }

    /// The number of the line that the parser has come to.
    fn number(&self) -> usize {
        let last = self.tokens.get(self.at).or(self.tokens.last());
        last.map_or(1, |(_, line)| *line)
    }

    /// Whether the next token is this mark.
    fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(found) if *found == mark)
    }

    /// Takes this mark if it is next.
    fn take(&mut self, mark: &str) -> bool {
        let found = self.is(mark);
        self.at += usize::from(found);
        found
    }

    /// Takes this mark, which must be next.
    fn require(&mut self, mark: &str) -> Parse<()> {
        if self.take(mark) {
            Ok(())
        } else {
            Err("syntax error".to_owned())
        }
    }

    fn skip_lines(&mut self) {
        while *self.peek() == Token::Line {
            self.at += 1;
        }
    }

    /// The next line of the program; none at the end. A line with an error is skipped as a whole, and so is a last one
    /// without a newline. A line in which `quit` was read is `Quit` alone: what stands before it is not run.
    pub fn next(&mut self) -> Option<Line> {
        let mut errors = Vec::new();
        while *self.peek() == Token::Line && !self.has_illegal() {
            self.at += 1;
        }
        if *self.peek() == Token::End && !self.has_illegal() {
            return None;
        }
        (self.depth, self.braces) = (0, 0);
        let start = self.number();
        let mut statements = Vec::new();
        let line = match self.peek() {
            // Nothing but what begins no token.
            Token::End => Ok(()),
            _ => self.line(&mut statements),
        };
        let number = self.number();
        if self.quits {
            return Some(Line {
                statements: vec![Statement::Quit],
                start,
                number,
                errors,
            });
        }
        let wrong = line.as_ref().err().map(|message| (number, message.clone()));
        if line.is_err() {
            // Where the end of a list was wrong, the next line goes too.
            let ends = !statements.is_empty() && *self.peek() == Token::Line;
            self.at += usize::from(ends);
            // A block goes as a whole.
            loop {
                match self.peek() {
                    Token::End => break,
                    Token::Line if self.braces == 0 => break,
                    Token::Mark("{") => self.braces += 1,
                    Token::Mark("}") => self.braces = self.braces.saturating_sub(1),
                    _ => {}
                }
                self.at += 1;
            }
        }
        while self.has_illegal() {
            if let Some((_, line, character)) = self.illegal.pop_front() {
                errors.push((line, format!("illegal character: {character}")));
            }
        }
        errors.extend(wrong);
        Some(Line {
            statements,
            start,
            number,
            errors,
        })
    }

    /// Whether a character that begins no token stands before the next token.
    fn has_illegal(&self) -> bool {
        self.illegal.front().is_some_and(|(at, ..)| *at <= self.at)
    }

    /// Reads the statements up to the end of a line into `statements`, which has those before an error as well.
    fn line(&mut self, statements: &mut Vec<Statement>) -> Parse<()> {
        loop {
            match self.peek() {
                Token::Mark(";") => self.at += 1,
                Token::Line => return Ok(()),
                _ => {
                    let statement = self.statement()?;
                    let is_definition = matches!(statement, Statement::Define(..));
                    statements.push(statement);
                    match self.peek() {
                        _ if self.quits => return Ok(()),
                        // A definition ends with its brace.
                        _ if is_definition => {}
                        Token::Line | Token::Mark(";") => {}
                        _ => return Err("syntax error".to_owned()),
                    }
                }
            }
        }
    }

    /// A statement, at most 200 deep in others.
    fn statement(&mut self) -> Parse<Statement> {
        self.depth += 1;
        let statement = if self.depth > 200 {
            Err("nested too deep".to_owned())
        } else {
            self.statement_inner()
        };
        self.depth -= 1;
        statement
    }

    fn statement_inner(&mut self) -> Parse<Statement> {
        match self.peek().clone() {
            Token::Text(text) => {
                self.at += 1;
                Ok(Statement::Text(text))
            }
            Token::Mark("{") => {
                self.at += 1;
                Ok(Statement::Block(self.block()?))
            }
            Token::Mark(";") | Token::Line => Ok(Statement::Nothing),
            Token::Name(name) => {
                self.at += 1;
                match name.as_str() {
                    "if" => self.condition(),
                    "while" => {
                        self.require("(")?;
                        let condition = self.expression()?;
                        self.require(")")?;
                        self.skip_lines();
                        Ok(Statement::While(condition, Box::new(self.statement()?)))
                    }
                    "for" => self.for_loop(),
                    "define" => self.define(),
                    "print" => self.print(),
                    "break" => Ok(Statement::Break),
                    "continue" => Ok(Statement::Continue),
                    "quit" => {
                        self.quits = true;
                        Ok(Statement::Quit)
                    }
                    "halt" => Ok(Statement::Quit),
                    "return" => Ok(Statement::Return(match self.peek() {
                        Token::Line | Token::End | Token::Mark(";" | "}") => None,
                        _ => Some(self.expression()?),
                    })),
                    _ => {
                        self.at -= 1;
                        Ok(Statement::Expr(self.expression()?))
                    }
                }
            }
            _ => Ok(Statement::Expr(self.expression()?)),
        }
    }

    /// Statements up to `}`, behind its `{`.
    fn block(&mut self) -> Parse<Vec<Statement>> {
        let mut statements = Vec::new();
        self.braces += 1;
        loop {
            while *self.peek() == Token::Line || self.is(";") {
                self.at += 1;
            }
            if self.take("}") {
                self.braces -= 1;
                return Ok(statements);
            }
            if *self.peek() == Token::End {
                return Err("syntax error".to_owned());
            }
            statements.push(self.statement()?);
            if !matches!(self.peek(), Token::Line | Token::Mark(";" | "}")) {
                return Err("syntax error".to_owned());
            }
        }
    }

    /// `if`, behind the word. `else` may stand after ends of lines and semicolons, which are given back where it does
    /// not.
    fn condition(&mut self) -> Parse<Statement> {
        self.require("(")?;
        let condition = self.expression()?;
        self.require(")")?;
        self.skip_lines();
        let then = Box::new(self.statement()?);
        let back = self.at;
        while *self.peek() == Token::Line || self.is(";") {
            self.at += 1;
        }
        if *self.peek() == Token::Name("else".to_owned()) {
            self.at += 1;
            self.skip_lines();
            return Ok(Statement::If(
                condition,
                then,
                Some(Box::new(self.statement()?)),
            ));
        }
        self.at = back;
        Ok(Statement::If(condition, then, None))
    }

    /// `for`, behind the word. Each of its three parts may be missing.
    fn for_loop(&mut self) -> Parse<Statement> {
        self.require("(")?;
        let mut parts = [None, None, None];
        for (index, part) in parts.iter_mut().enumerate() {
            let end = if index == 2 { ")" } else { ";" };
            if !self.is(end) {
                *part = Some(self.expression()?);
            }
            self.require(end)?;
        }
        self.skip_lines();
        let [start, condition, step] = parts;
        Ok(Statement::For(
            start,
            condition,
            step,
            Box::new(self.statement()?),
        ))
    }

    /// `print`, behind the word.
    fn print(&mut self) -> Parse<Statement> {
        let mut items = Vec::new();
        loop {
            items.push(match self.peek().clone() {
                Token::Text(text) => {
                    self.at += 1;
                    Item::Text(text)
                }
                _ => Item::Value(self.expression()?),
            });
            if !self.take(",") {
                return Ok(Statement::Print(items));
            }
        }
    }

    /// Names up to `end`, and those of arrays with a star before them.
    fn names(&mut self, end: &str) -> Parse<(Vec<String>, Vec<String>)> {
        let (mut names, mut references) = (Vec::new(), Vec::new());
        while !self.is(end) {
            let is_reference = self.take("*");
            let Token::Name(mut name) = self.peek().clone() else {
                return Err("syntax error".to_owned());
            };
            self.at += 1;
            if self.take("[") {
                self.require("]")?;
                name.push_str("[]");
                references.extend(is_reference.then(|| name.clone()));
            } else if is_reference {
                return Err("syntax error".to_owned());
            }
            names.push(name);
            if !self.take(",") {
                break;
            }
        }
        Ok((names, references))
    }

    /// `define`, behind the word. `void` is read and means nothing.
    fn define(&mut self) -> Parse<Statement> {
        let Token::Name(mut name) = self.peek().clone() else {
            return Err("syntax error".to_owned());
        };
        self.at += 1;
        let mut is_void = false;
        if let ("void", Token::Name(real)) = (name.as_str(), self.peek().clone()) {
            self.at += 1;
            name = real;
            is_void = true;
        }
        self.require("(")?;
        let (parameters, references) = self.names(")")?;
        self.require(")")?;
        self.skip_lines();
        self.require("{")?;
        while *self.peek() == Token::Line || self.is(";") {
            self.at += 1;
        }
        let mut locals = Vec::new();
        if *self.peek() == Token::Name("auto".to_owned()) {
            self.at += 1;
            (locals, _) = self.names(";")?;
        }
        let doubled = |name: &&String| parameters.iter().filter(|other| other == name).count() > 1;
        if parameters.iter().any(|name| doubled(&name)) {
            return Err("duplicate parameter names".to_owned());
        }
        if locals.iter().any(|name| parameters.contains(name)) {
            return Err("variable in both parameter and auto lists".to_owned());
        }
        let body = self.block()?;
        Ok(Statement::Define(
            name,
            Function {
                parameters,
                locals,
                references,
                is_void,
                body,
            },
        ))
    }

    // --- expressions, from the loosest operator to the tightest ---

    /// An expression of any operators.
    fn expression(&mut self) -> Parse<Expr> {
        self.level(0)
    }

    /// Logical operators and comparisons: 0 is `||`, 1 is `&&`, 2 is `!` and comparisons.
    fn level(&mut self, level: usize) -> Parse<Expr> {
        const LEVELS: [&[&str]; 3] = [&["||"], &["&&"], &[]];
        const COMPARE: &[&str] = &["<=", ">=", "==", "!=", "<", ">"];
        match level {
            0 | 1 => {
                let mut left = self.level(level + 1)?;
                while let Some(mark) = self.any(LEVELS[level]) {
                    left = Expr::Binary(mark, Box::new(left), Box::new(self.level(level + 1)?));
                }
                Ok(left)
            }
            2 => {
                if self.take("!") {
                    let operand = self.nested(|parser| parser.level(2))?;
                    return Ok(Expr::Not(Box::new(operand)));
                }
                let mut left = self.assignment()?;
                while let Some(mark) = self.any(COMPARE) {
                    left = Expr::Binary(mark, Box::new(left), Box::new(self.assignment()?));
                }
                Ok(left)
            }
            _ => self.sum(),
        }
    }

    /// Takes one of these marks if it is next.
    fn any(&mut self, marks: &[&'static str]) -> Option<&'static str> {
        let mark = marks.iter().find(|mark| self.is(mark))?;
        self.at += 1;
        Some(mark)
    }

    /// A sum, or an assignment where it is a variable or an element and an operator follows.
    fn assignment(&mut self) -> Parse<Expr> {
        const ASSIGN: &[&str] = &["=", "+=", "-=", "*=", "/=", "%=", "^="];
        let left = self.sum()?;
        if !matches!(left, Expr::Variable(_) | Expr::Element(..)) {
            return Ok(left);
        }
        match self.any(ASSIGN) {
            Some(mark) => {
                let source = self.nested(Self::assignment)?;
                Ok(Expr::Assign(mark, Box::new(left), Box::new(source)))
            }
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> Parse<Expr> {
        let mut left = self.product()?;
        while let Some(mark) = self.any(&["+", "-"]) {
            left = Expr::Binary(mark, Box::new(left), Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Parse<Expr> {
        let mut left = self.power()?;
        while let Some(mark) = self.any(&["*", "/", "%"]) {
            left = Expr::Binary(mark, Box::new(left), Box::new(self.power()?));
        }
        Ok(left)
    }

    fn power(&mut self) -> Parse<Expr> {
        let left = self.unary()?;
        if self.take("^") {
            let exponent = self.nested(Self::power)?;
            return Ok(Expr::Binary("^", Box::new(left), Box::new(exponent)));
        }
        Ok(left)
    }

    /// What is read inside of something else, at most 400 deep.
    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Parse<Expr>) -> Parse<Expr> {
        self.depth += 1;
        if self.depth > 400 {
            return Err("nested too deep".to_owned());
        }
        let expr = read(self);
        self.depth -= 1;
        expr
    }

    /// An operand with its signs and steps. Only what can be assigned to has steps.
    fn unary(&mut self) -> Parse<Expr> {
        if self.take("-") {
            return Ok(Expr::Negate(Box::new(self.nested(Self::unary)?)));
        }
        let step = |mark| if mark == "++" { 1 } else { -1 };
        let before = self.any(&["++", "--"]);
        if before.is_some() && !matches!(self.peek(), Token::Name(_)) {
            return Err("syntax error".to_owned());
        }
        let primary = self.nested(Self::primary)?;
        let after = match before {
            Some(_) => None,
            None => self.any(&["++", "--"]),
        };
        let Some(mark) = before.or(after) else {
            return Ok(primary);
        };
        if !matches!(primary, Expr::Variable(_) | Expr::Element(..)) {
            self.at -= usize::from(after.is_some());
            return Err("syntax error".to_owned());
        }
        Ok(Expr::Step(before.is_some(), step(mark), Box::new(primary)))
    }

    /// A number, a variable, an element, a call or an expression in parentheses.
    fn primary(&mut self) -> Parse<Expr> {
        let token = self.peek().clone();
        if !matches!(token, Token::Number(_) | Token::Name(_) | Token::Mark("(")) {
            return Err("syntax error".to_owned());
        }
        self.at += 1;
        match token {
            Token::Number(text) => Ok(Expr::Number(text)),
            Token::Mark("(") => {
                let inner = self.expression()?;
                self.require(")")?;
                Ok(Expr::Group(Box::new(inner)))
            }
            Token::Name(name) if self.take("(") => {
                let mut arguments = Vec::new();
                while !self.is(")") {
                    arguments.push(self.argument()?);
                    if !self.take(",") {
                        break;
                    }
                }
                self.require(")")?;
                Ok(Expr::Call(name, arguments))
            }
            Token::Name(name) if self.take("[") => {
                let index = self.expression()?;
                self.require("]")?;
                Ok(Expr::Element(name, Box::new(index)))
            }
            Token::Name(name) => Ok(Expr::Variable(name)),
            _ => Err("syntax error".to_owned()),
        }
    }

    /// An argument of a call: `NAME[]` or an expression.
    fn argument(&mut self) -> Parse<Argument> {
        if let (Token::Name(name), Some(Token::Mark("[")), Some(Token::Mark("]"))) = (
            self.peek().clone(),
            self.tokens.get(self.at + 1).map(|(token, _)| token),
            self.tokens.get(self.at + 2).map(|(token, _)| token),
        ) {
            self.at += 3;
            return Ok(Argument::Array(name));
        }
        Ok(Argument::Value(self.expression()?))
    }
}
