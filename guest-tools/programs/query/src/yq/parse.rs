//! Expressions of `yq`: how their words bind.
//!
//! Precedence climbing over the tokens of `token`, with the strengths of the original's operator table (`strength`).
//! Unlike most languages, operators of one strength bind to the right, as in the original: `8 - 4 - 2` is `8 - (4 -
//! 2)`. Strings with `\(…)` are parsed again, inside out.

mod token;

use token::{Token, tokens};

/// Which operator stands between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `,`
    Union,
    /// `;`, between arguments.
    Block,
    /// `:`, between a key and a value, or the bounds of a slice.
    Member,
    Or,
    And,
    /// `|`
    Pipe,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    /// `//`
    Alternative,
    /// `ireduce`
    Reduce,
}

/// What the flags of `*` and `=` ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `+`: arrays are joined.
    pub append: bool,
    /// `d`: arrays are merged item by item.
    pub deep: bool,
    /// `?`: only what is there already.
    pub only_existing: bool,
    /// `n`: only what is not there yet.
    pub only_new: bool,
    /// `c`: custom tags are overwritten.
    pub clobber: bool,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum Expression {
    /// `.`
    Itself,
    /// Nothing, as `empty` and the open end of a slice give.
    Empty,
    /// A literal: its tag and its text.
    Scalar(&'static str, String),
    /// A string with `\(…)` in it: text and what follows it, in turn; the last text has nothing behind it.
    Interpolated(Vec<(String, Option<Expression>)>),
    /// `.name`; the name may be a pattern with `*` and `?`.
    Path(String),
    /// `…[…]`; no indices means all. The flag is for `]?`: what is no index is skipped.
    Index(Box<Expression>, Option<Box<Expression>>, bool),
    /// `…[from:to]`; a bound that is left out is the start or the end.
    Slice(
        Box<Expression>,
        Option<Box<Expression>>,
        Option<Box<Expression>>,
    ),
    /// `..`, or with the flag `...`, which gives keys as well.
    Recurse(bool),
    /// `$name`
    Variable(String),
    /// `[…]`
    Collect(Option<Box<Expression>>),
    /// `{…}`
    Object(Option<Box<Expression>>),
    /// An operator between two expressions.
    Binary(Binary, Flags, Box<Expression>, Box<Expression>),
    /// `=`, or with the flag `|=`.
    Assign(bool, Flags, Box<Expression>, Box<Expression>),
    /// `+=`, `-=`, `*=`.
    Compound(Binary, Flags, Box<Expression>, Box<Expression>),
    /// `source as $name`; `ref` binds the nodes themselves and no copies.
    As(Box<Expression>, String, bool),
    /// A function and its argument.
    Call(String, Option<Box<Expression>>),
    /// A function whose argument is read as plain text: `env(X)`.
    Plain(String, String),
}

/// What besides its value a node has that can be assigned: `.a style = "double"`, `.a line_comment |= "x"`.
pub const ATTRIBUTES: &[&str] = &[
    "style",
    "tag",
    "type",
    "anchor",
    "alias",
    "comments",
    "line_comment",
    "lineComment",
    "head_comment",
    "headComment",
    "foot_comment",
    "footComment",
];

/// Reads an expression.
///
/// An empty text is `.`.
///
/// # Errors
/// Messages are the original's where scripts are likely to meet them, such as brackets that do not match.
pub fn parse(text: &str) -> Result<Expression, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        depth: 0,
    };
    if tokens.is_empty() {
        return Ok(Expression::Itself);
    }
    let expression = parser.expression(0)?;
    match parser.peek() {
        None => Ok(expression),
        Some(Token::Close(')')) => {
            Err("bad expression, got close brackets without matching opening bracket".to_owned())
        }
        Some(Token::Close(_)) => Err(
            "bad path expression, got close collect brackets without matching opening bracket"
                .to_owned(),
        ),
        Some(other) => Err(format!(
            "bad expression, please check expression syntax at {other:?}"
        )),
    }
}

/// The flags in an operator such as `*+n`.
fn flags(text: &str) -> Flags {
    Flags {
        append: text.contains('+'),
        deep: text.contains('d'),
        only_existing: text.contains('?'),
        only_new: text.contains('n'),
        clobber: text.contains('c'),
    }
}

/// How strong an operator binds.
///
/// A larger number binds tighter.
fn strength(operator: &str) -> u32 {
    match operator {
        "," | ";" => 10,
        ":" => 15,
        "or" | "and" => 20,
        "|" => 30,
        "ireduce" => 35,
        "+" | "-" | "/" | "%" | "//" => 42,
        text if text.starts_with("*=") => 42,
        text if text.starts_with('*') => 42,
        _ => 40,
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

/// How deep expressions may be nested.
const MAX_DEPTH: usize = 200;

impl Parser<'_> {
    /// The next token; none at the end.
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// Takes the next token.
    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    /// The operator that comes next, words such as `and` and assigned attributes included; none where there is none.
    fn operator(&self) -> Option<String> {
        match self.peek()? {
            Token::Operator(text) => Some(text.clone()),
            Token::Word(word)
                if matches!(word.as_str(), "or" | "and" | "as" | "ref" | "ireduce") =>
            {
                Some(word.clone())
            }
            Token::Word(word) if self.attribute().is_some() => Some(word.clone()),
            _ => None,
        }
    }

    /// The name of an attribute that is assigned to: `.a style = "double"`.
    fn attribute(&self) -> Option<String> {
        match (self.peek()?, self.tokens.get(self.at + 1)?) {
            (Token::Word(word), Token::Operator(operator))
                if ATTRIBUTES.contains(&word.as_str())
                    && !operator.starts_with("==")
                    && (operator.starts_with('=') || operator.starts_with("|=")) =>
            {
                Some(word.clone())
            }
            _ => None,
        }
    }

    /// An expression of operators that bind at least as tightly as `least`.
    fn expression(&mut self, least: u32) -> Result<Expression, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("bad expression: nested too deep".to_owned());
        }
        let mut left = self.primary()?;
        while let Some(operator) = self.operator() {
            if let Some(name) = self.attribute() {
                if strength("=") < least {
                    break;
                }
                self.at += 1;
                left = Expression::Call(name, Some(Box::new(left)));
                continue;
            }
            let strength = strength(&operator);
            if strength < least {
                break;
            }
            self.at += 1;
            if matches!(operator.as_str(), "as" | "ref") {
                let Some(Token::Variable(name)) = self.next() else {
                    return Err("RHS of 'as' operator must be a variable name e.g. $foo".to_owned());
                };
                left = Expression::As(Box::new(left), name, operator == "ref");
                continue;
            }
            let slice_end = operator == ":" && matches!(self.peek(), Some(Token::Close(']')));
            let right = if slice_end {
                Expression::Empty
            } else {
                self.expression(strength)?
            };
            left = combine(&operator, left, right)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    /// An operand with the paths and brackets that follow it directly.
    fn primary(&mut self) -> Result<Expression, String> {
        let token = self
            .next()
            .ok_or("bad expression: something is missing at its end")?;
        let mut found = match token {
            Token::Path(name) => Expression::Path(name),
            Token::Dot => Expression::Itself,
            Token::Recurse(keys) => Expression::Recurse(keys),
            Token::DotBracket => self.bracket(Expression::Itself)?,
            Token::Variable(name) => Expression::Variable(name),
            Token::Text(text) => interpolate(text)?,
            Token::Number(text) if text.contains(['.', 'e', 'E']) && !text.contains('x') => {
                Expression::Scalar("!!float", text)
            }
            Token::Number(text) => Expression::Scalar("!!int", text),
            Token::Open('(') => {
                let inside = self.expression(0)?;
                self.close(')')?;
                inside
            }
            Token::Open('[') => Expression::Collect(self.until(']')?),
            Token::Open(_) => Expression::Object(self.until('}')?),
            Token::Plain(name, text) => Expression::Plain(name, text),
            Token::Word(word) => self.word(word)?,
            // `[:2]` counts from the start.
            Token::Operator(operator) if operator == ":" => {
                self.at -= 1;
                Expression::Empty
            }
            Token::Operator(operator) => {
                return Err(format!(
                    "'{operator}' expects 2 args but there is none before it"
                ));
            }
            Token::Close(c) => return Err(format!("bad expression: nothing before `{c}`")),
            Token::CloseOptional => return Err("bad expression: nothing before `]`".to_owned()),
        };
        loop {
            found = match self.peek() {
                Some(Token::Path(name)) => {
                    let path = Expression::Path(name.clone());
                    self.at += 1;
                    pipe(found, path)
                }
                Some(Token::DotBracket) => {
                    self.at += 1;
                    self.bracket(found)?
                }
                Some(Token::Open('[')) => {
                    self.at += 1;
                    self.bracket(found)?
                }
                _ => return Ok(found),
            };
        }
    }

    /// An expression up to a closing bracket; none where there is nothing in between.
    fn until(&mut self, close: char) -> Result<Option<Box<Expression>>, String> {
        if self.peek() == Some(&Token::Close(close)) {
            self.at += 1;
            return Ok(None);
        }
        let inside = self.expression(0)?;
        self.close(close)?;
        Ok(Some(Box::new(inside)))
    }

    /// Takes the closing bracket. `]?` closes like `]`.
    fn close(&mut self, close: char) -> Result<(), String> {
        match self.next() {
            Some(Token::Close(found)) if found == close => Ok(()),
            Some(Token::CloseOptional) if close == ']' => Ok(()),
            _ => Err(format!("bad expression, could not find matching `{close}`")),
        }
    }

    /// An index after its opening bracket.
    ///
    /// `]`, `]?`, `a]`, `a]?`, `a:b]`.
    fn bracket(&mut self, target: Expression) -> Result<Expression, String> {
        let target = Box::new(target);
        if matches!(self.peek(), Some(Token::Close(']') | Token::CloseOptional)) {
            self.at += 1;
            return Ok(Expression::Index(target, None, true));
        }
        let inside = self.expression(0)?;
        let optional = self.peek() == Some(&Token::CloseOptional);
        self.close(']')?;
        Ok(match inside {
            Expression::Binary(Binary::Member, _, from, to) => {
                let bound = |side: Box<Expression>| {
                    Some(side).filter(|side| !matches!(**side, Expression::Empty))
                };
                Expression::Slice(target, bound(from), bound(to))
            }
            other => Expression::Index(target, Some(Box::new(other)), optional),
        })
    }

    /// A word: a constant, a function with or without argument, or a key of an object without quotes.
    fn word(&mut self, word: String) -> Result<Expression, String> {
        match word.to_ascii_lowercase().as_str() {
            "true" | "false" => return Ok(Expression::Scalar("!!bool", word)),
            "null" => return Ok(Expression::Scalar("!!null", word)),
            "empty" => return Ok(Expression::Empty),
            _ => {}
        }
        match self.peek() {
            Some(Token::Open('(')) => {
                self.at += 1;
                let argument = self.until(')')?;
                Ok(Expression::Call(word, argument))
            }
            // A member's name without quotes.
            Some(Token::Operator(operator)) if operator == ":" => {
                Ok(Expression::Scalar("!!str", word))
            }
            _ => Ok(Expression::Call(word, None)),
        }
    }
}

/// One expression after the other.
pub fn pipe(left: Expression, right: Expression) -> Expression {
    Expression::Binary(
        Binary::Pipe,
        Flags::default(),
        Box::new(left),
        Box::new(right),
    )
}

/// The expression of an operator and its sides.
fn combine(operator: &str, left: Expression, right: Expression) -> Result<Expression, String> {
    let (left, right) = (Box::new(left), Box::new(right));
    let binary = match operator {
        "," => Binary::Union,
        ";" => Binary::Block,
        ":" => Binary::Member,
        "or" => Binary::Or,
        "and" => Binary::And,
        "|" => Binary::Pipe,
        "ireduce" => Binary::Reduce,
        "==" => Binary::Equal,
        "!=" => Binary::NotEqual,
        "<" => Binary::Less,
        "<=" => Binary::LessOrEqual,
        ">" => Binary::Greater,
        ">=" => Binary::GreaterOrEqual,
        "+" => Binary::Add,
        "-" => Binary::Subtract,
        "/" => Binary::Divide,
        "%" => Binary::Modulo,
        "//" => Binary::Alternative,
        "+=" => {
            return Ok(Expression::Compound(
                Binary::Add,
                Flags::default(),
                left,
                right,
            ));
        }
        "-=" => {
            return Ok(Expression::Compound(
                Binary::Subtract,
                Flags::default(),
                left,
                right,
            ));
        }
        text if text.starts_with("*=") => {
            return Ok(Expression::Compound(
                Binary::Multiply,
                flags(text),
                left,
                right,
            ));
        }
        text if text.starts_with('*') => {
            return Ok(Expression::Binary(
                Binary::Multiply,
                flags(text),
                left,
                right,
            ));
        }
        text if text.starts_with("|=") => {
            return Ok(Expression::Assign(true, flags(text), left, right));
        }
        text if text.starts_with('=') => {
            return Ok(Expression::Assign(false, flags(text), left, right));
        }
        other => return Err(format!("'{other}' is not supported")),
    };
    Ok(Expression::Binary(binary, Flags::default(), left, right))
}

/// Splits a string at what it interpolates.
///
/// Parentheses are counted, without a look at strings inside.
fn interpolate(text: String) -> Result<Expression, String> {
    if !text.contains("\\(") {
        return Ok(Expression::Scalar("!!str", text));
    }
    let mut parts = Vec::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find("\\(") {
        let inside = &rest[start + 2..];
        let mut depth = 1;
        let end = inside.find(|c| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(end) = end else { break };
        parts.push((rest[..start].to_owned(), Some(parse(&inside[..end])?)));
        rest = &inside[end + 1..];
    }
    parts.push((rest.to_owned(), None));
    Ok(Expression::Interpolated(parts))
}
