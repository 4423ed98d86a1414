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
    tokens: Vec<Token>,
    at: usize,
    /// How many statements and operands the current one is in.
    depth: usize,
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

/// Splits a program into tokens: comments (`/* */` and `#`) and hidden ends of lines go, a lone `.` is `last`.
///
/// # Errors
/// A string without its end, or a character that begins no token. The whole program is refused then.
fn tokens(source: &str) -> Parse<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("/*") {
            rest = after.split_once("*/").map_or("", |(_, after)| after);
        } else if first == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if let Some(after) = rest.strip_prefix("\\\n") {
            rest = after;
        } else if first == '\n' {
            tokens.push(Token::Line);
            rest = &rest[1..];
        } else if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if first == '"' {
            let (text, after) = rest[1..].split_once('"').ok_or("unterminated string")?;
            tokens.push(Token::Text(text.to_owned()));
            rest = after;
        } else if first.is_ascii_digit() || first == '.' || first.is_ascii_uppercase() {
            let text;
            (text, rest) = number(rest);
            tokens.push(match text.as_str() {
                "." => Token::Name("last".to_owned()),
                _ => Token::Number(text),
            });
        } else if first.is_ascii_lowercase() {
            let end =
                rest.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
            let end = end.unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..end].to_owned()));
            rest = &rest[end..];
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            tokens.push(Token::Mark(mark));
            rest = &rest[mark.len()..];
        } else {
            return Err(format!("illegal character: {first}"));
        }
    }
    Ok(tokens)
}

impl Parser {
    /// A parser of `source`.
    ///
    /// # Errors
    /// Those of `tokens`.
    pub fn new(source: &str) -> Parse<Parser> {
        Ok(Parser {
            tokens: tokens(source)?,
            at: 0,
            depth: 0,
            quits: false,
        })
    }

    /// The next token.
    fn peek(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&Token::End)
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

    /// The statements of the next line of the program; none at the end. A line with an error is skipped as a whole,
    /// and so is a last one without a newline. A line in which `quit` was read is `Quit` alone: what stands before it
    /// is not run.
    pub fn next(&mut self) -> Option<Parse<Vec<Statement>>> {
        while *self.peek() == Token::Line {
            self.at += 1;
        }
        if *self.peek() == Token::End {
            return None;
        }
        let mut statements = Vec::new();
        let line = self.line(&mut statements);
        if self.quits {
            return Some(Ok(vec![Statement::Quit]));
        }
        if line.is_err() {
            // Where the end of a list was wrong, the next line goes too.
            let ends = !statements.is_empty() && *self.peek() == Token::Line;
            self.at += usize::from(ends);
            while !matches!(self.peek(), Token::Line | Token::End) {
                self.at += 1;
            }
        }
        Some(line.map(|()| statements))
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
        loop {
            while *self.peek() == Token::Line || self.is(";") {
                self.at += 1;
            }
            if self.take("}") {
                return Ok(statements);
            }
            if *self.peek() == Token::End {
                return Err("syntax error".to_owned());
            }
            statements.push(self.statement()?);
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
                    return Ok(Expr::Not(Box::new(self.level(2)?)));
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
            Some(mark) => Ok(Expr::Assign(
                mark,
                Box::new(left),
                Box::new(self.assignment()?),
            )),
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
            return Ok(Expr::Binary("^", Box::new(left), Box::new(self.power()?)));
        }
        Ok(left)
    }

    /// An operand with its signs and steps, at most 400 deep in others.
    fn unary(&mut self) -> Parse<Expr> {
        self.depth += 1;
        if self.depth > 400 {
            return Err("nested too deep".to_owned());
        }
        let expr = if self.take("-") {
            Ok(Expr::Negate(Box::new(self.unary()?)))
        } else if let Some(mark) = self.any(&["++", "--"]) {
            let step = if mark == "++" { 1 } else { -1 };
            Ok(Expr::Step(true, step, Box::new(self.unary()?)))
        } else {
            let primary = self.primary()?;
            match self.any(&["++", "--"]) {
                Some(mark) => Ok(Expr::Step(
                    false,
                    if mark == "++" { 1 } else { -1 },
                    Box::new(primary),
                )),
                None => Ok(primary),
            }
        };
        self.depth -= 1;
        expr
    }

    /// A number, a variable, an element, a call or an expression in parentheses.
    fn primary(&mut self) -> Parse<Expr> {
        let token = self.peek().clone();
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
            self.tokens.get(self.at + 1),
            self.tokens.get(self.at + 2),
        ) {
            self.at += 3;
            return Ok(Argument::Array(name));
        }
        Ok(Argument::Value(self.expression()?))
    }
}
