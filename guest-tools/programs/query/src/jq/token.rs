//! The tokens of a program.
//!
//! Strings are read together with the tokens of their interpolations, which the parser reads in place. Keywords are
//! names; the parser tells them apart, since `.if` and `{if: 1}` are fine. A negative number is a minus and a number.

use super::json::hexadecimal;

/// One token and the line it is in.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// The line in which it starts, counted from 1, for `$__loc__`.
    pub line: usize,
    /// The byte at which it starts in the program.
    pub at: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A name or keyword, with its module: `a::b`.
    Name(String),
    /// `.name`
    Field(String),
    /// `$name`
    Variable(String),
    /// `@name`
    Format(String),
    /// A number as it is written; `1.` and `.5` are complete. The value is computed by the parser.
    Number(String),
    /// A string in its parts. Without text or code it has one empty text.
    String(Vec<Part>),
    /// An operator or bracket.
    Mark(&'static str),
}

/// A piece of a string.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text with its escapes resolved.
    Text(String),
    /// The tokens of `\(…)`.
    Code(Vec<Token>),
}

/// What is wrong, and where.
#[derive(Debug)]
pub struct Wrong {
    /// The message without a place.
    pub message: String,
    /// The byte offset in `origin`.
    pub at: usize,
    /// Which text the offset counts in.
    pub origin: Origin,
}

/// What an offset counts in.
#[derive(Debug)]
pub enum Origin {
    /// The program.
    Program,
    /// The module of this file, with this text.
    Module(Vec<u8>, String),
    /// No text is wrong.
    Nowhere,
}

impl Wrong {
    /// What is wrong with something else than a text.
    pub fn nowhere(message: String) -> Wrong {
        Wrong {
            message,
            at: 0,
            origin: Origin::Nowhere,
        }
    }
}

/// Operators and brackets. Longer ones come before their own beginnings, since the first that fits is taken.
const MARKS: &[&str] = &[
    "?//=", "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..",
    "|", ",", ".", "[", "]", "(", ")", "{", "}", ":", ";", "=", "<", ">", "+", "-", "*", "/", "%",
    "?", "$",
];

/// Cuts a program into tokens.
///
/// # Errors
/// A character that begins no token, an escape that does not exist, or a string without an end.
pub fn tokens(source: &str) -> Result<Vec<Token>, Wrong> {
    Lexer {
        source,
        at: 0,
        line: 1,
        depth: 0,
    }
    .run(false)
}

/// A position in the source.
struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: usize,
    /// How many interpolations are around the present place.
    depth: usize,
}

/// How deep strings may be nested in their own interpolations: a guest's stack is small.
const DEEPEST: usize = 200;

/// Whether a name may begin with the byte.
fn is_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

impl<'a> Lexer<'a> {
    /// The byte so far ahead; 0 beyond the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.source
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn wrong<T>(&self, message: &str) -> Result<T, Wrong> {
        Err(Wrong {
            message: message.to_owned(),
            at: self.at,
            origin: Origin::Program,
        })
    }

    /// Reads to the end, or inside a string to the closing parenthesis.
    fn run(&mut self, inside: bool) -> Result<Vec<Token>, Wrong> {
        let mut tokens = Vec::new();
        let mut depth = 0_usize;
        loop {
            self.skip();
            if self.at >= self.source.len() {
                return if inside {
                    self.wrong("syntax error, unexpected end of file")
                } else {
                    Ok(tokens)
                };
            }
            let (at, line) = (self.at, self.line);
            let kind = self.token()?;
            match &kind {
                Kind::Mark("(") => depth += 1,
                Kind::Mark(")") if inside && depth == 0 => return Ok(tokens),
                Kind::Mark(")") => depth = depth.saturating_sub(1),
                _ => {}
            }
            tokens.push(Token { kind, line, at });
        }
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        while self.at < self.source.len() {
            match self.peek(0) {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' => {}
                b'#' => {
                    self.comment();
                    continue;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    /// A comment goes on where an odd number of backslashes ends its line.
    fn comment(&mut self) {
        while self.at < self.source.len() && self.peek(0) != b'\n' {
            self.at += 1;
            if self.source.as_bytes()[self.at - 1] == b'\\' {
                if self.peek(0) == b'\r' && self.peek(1) == b'\n' {
                    self.at += 1;
                }
                self.line += usize::from(self.peek(0) == b'\n');
                self.at += usize::from(self.at < self.source.len());
                while !self.source.is_char_boundary(self.at) {
                    self.at += 1;
                }
            }
        }
    }

    /// A name with its modules: `a::b::c`.
    fn name(&mut self) -> &'a str {
        let start = self.at;
        loop {
            while is_start(self.peek(0)) || self.peek(0).is_ascii_digit() {
                self.at += 1;
            }
            if self.peek(0) == b':' && self.peek(1) == b':' && is_start(self.peek(2)) {
                self.at += 2;
                continue;
            }
            return &self.source[start..self.at];
        }
    }

    /// One token; the caller has skipped white space and is not at the end.
    fn token(&mut self) -> Result<Kind, Wrong> {
        let (first, second) = (self.peek(0), self.peek(1));
        if first == b'"' {
            self.at += 1;
            return Ok(Kind::String(self.string()?));
        }
        if first == b'.' && is_start(second) {
            self.at += 1;
            let start = self.at;
            while is_start(self.peek(0)) || self.peek(0).is_ascii_digit() {
                self.at += 1;
            }
            return Ok(Kind::Field(self.source[start..self.at].to_owned()));
        }
        if first.is_ascii_digit() || (first == b'.' && second.is_ascii_digit()) {
            return Ok(self.number());
        }
        if is_start(first) {
            return Ok(Kind::Name(self.name().to_owned()));
        }
        if first == b'$' && is_start(second) {
            self.at += 1;
            return Ok(Kind::Variable(self.name().to_owned()));
        }
        if first == b'@' && is_start(second) {
            self.at += 1;
            return Ok(Kind::Format(self.name().to_owned()));
        }
        let rest = &self.source[self.at..];
        match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            Some(mark) => {
                self.at += mark.len();
                Ok(Kind::Mark(mark))
            }
            None => self.wrong("syntax error, unexpected INVALID_CHARACTER"),
        }
    }

    /// A number. An `e` without digits after it is not part of it: `1e` is `1` and the name `e`.
    fn number(&mut self) -> Kind {
        let start = self.at;
        while self.peek(0).is_ascii_digit() {
            self.at += 1;
        }
        if self.peek(0) == b'.' {
            self.at += 1;
            while self.peek(0).is_ascii_digit() {
                self.at += 1;
            }
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                while self.peek(0).is_ascii_digit() {
                    self.at += 1;
                }
            }
        }
        Kind::Number(self.source[start..self.at].to_owned())
    }

    /// A string after its opening quote.
    fn string(&mut self) -> Result<Vec<Part>, Wrong> {
        let mut parts = Vec::new();
        let mut text = String::new();
        loop {
            let Some(character) = self.source[self.at..].chars().next() else {
                return self.wrong("syntax error, unexpected end of file in a string");
            };
            self.at += character.len_utf8();
            match character {
                '"' => {
                    if !text.is_empty() || parts.is_empty() {
                        parts.push(Part::Text(text));
                    }
                    return Ok(parts);
                }
                '\n' => {
                    self.line += 1;
                    text.push('\n');
                }
                '\\' if self.peek(0) == b'(' => {
                    self.at += 1;
                    if !text.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut text)));
                    }
                    if self.depth == DEEPEST {
                        return self.wrong("the program is nested too deep");
                    }
                    self.depth += 1;
                    parts.push(Part::Code(self.run(true)?));
                    self.depth -= 1;
                }
                '\\' => self.escape(&mut text)?,
                _ => text.push(character),
            }
        }
    }

    /// One escape after its backslash, the two of a surrogate pair included.
    fn escape(&mut self, text: &mut String) -> Result<(), Wrong> {
        let byte = self.peek(0);
        self.at += 1;
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut unit = self.unit()?;
                if (0xd800..0xdc00).contains(&unit) && self.source[self.at..].starts_with("\\u") {
                    self.at += 2;
                    let low = self.unit()?;
                    unit = if (0xdc00..0xe000).contains(&low) {
                        0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
                    } else {
                        text.push('\u{fffd}');
                        low
                    };
                }
                char::from_u32(unit).unwrap_or('\u{fffd}')
            }
            _ => {
                self.at -= 1;
                return self.wrong("invalid escape in a string");
            }
        };
        text.push(character);
        Ok(())
    }

    /// The four hexadecimal digits of `\uXXXX`.
    fn unit(&mut self) -> Result<u32, Wrong> {
        let digits = self.source.get(self.at..self.at + 4);
        match digits.and_then(hexadecimal) {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => self.wrong("invalid \\uXXXX escape"),
        }
    }
}
