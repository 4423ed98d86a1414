//! Words of an expression.
//!
//! The lexer knows a little about what came before, as a minus is a sign or an operator, and about functions whose
//! argument is plain text: `env(HOME)` is one token, since `HOME` is no expression.

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// `.name` or `."name"`, without quotes and a `?` at its end.
    Path(String),
    /// `.`
    Dot,
    /// `..`, or with the flag `...`.
    Recurse(bool),
    /// An opening bracket.
    Open(char),
    /// A closing bracket; `]?` has a question mark of its own.
    Close(char),
    /// `]?`
    CloseOptional,
    /// `.[`
    DotBracket,
    /// `$name`, which may have dashes in it.
    Variable(String),
    /// A string in double quotes; `\(` is kept for the interpolation.
    Text(String),
    /// A number as it is written.
    Number(String),
    /// A function, a keyword or a constant.
    Word(String),
    /// A function and the text of its argument.
    Plain(String, String),
    /// An operator with its flags: `*+n`, `=c`.
    Operator(String),
}

/// Longer operators come before their own beginnings.
const OPERATORS: &[&str] = &[
    "|=", "==", "!=", ">=", "<=", "//", "+=", "-=", "*=", "/=", "%=", "=", "|", ",", ";", ":", ">",
    "<", "*", "/", "%", "+", "-", "?",
];

/// Splits an expression. Comments reach from `#` to the end of the line.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut lexer = Lexer {
        rest: text,
        found: Vec::new(),
    };
    while lexer.step()? {}
    Ok(lexer.found)
}

/// What is left of the text, and the words so far.
struct Lexer<'a> {
    rest: &'a str,
    found: Vec<Token>,
}

/// Whether a name may have the character.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> Lexer<'a> {
    /// The next `length` bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    /// Reads one word; false at the end.
    fn step(&mut self) -> Result<bool, String> {
        self.rest = self.rest.trim_start();
        let Some(first) = self.rest.chars().next() else {
            return Ok(false);
        };
        let token = match first {
            '#' => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(end);
                return Ok(true);
            }
            '.' => self.dot()?,
            '(' | '[' | '{' => {
                self.take(1);
                Token::Open(first)
            }
            ']' if self.rest.starts_with("]?") => {
                self.take(2);
                Token::CloseOptional
            }
            ')' | ']' | '}' => {
                self.take(1);
                Token::Close(first)
            }
            '$' => {
                self.take(1);
                let end = self
                    .rest
                    .find(|c| !is_word(c) && c != '-')
                    .unwrap_or(self.rest.len());
                Token::Variable(self.take(end).to_owned())
            }
            '"' => self.text()?,
            '~' => {
                self.take(1);
                Token::Word("null".to_owned())
            }
            '0'..='9' => self.number(),
            '-' if self.rest[1..].starts_with(|c: char| c.is_ascii_digit())
                && !self.after_value() =>
            {
                self.number()
            }
            'a'..='z' | 'A'..='Z' | '_' | '@' => self.word(),
            _ => self.operator()?,
        };
        self.found.push(token);
        Ok(true)
    }

    /// Whether a minus sign here is an operator.
    ///
    /// `.a -1` subtracts, `[-1]` does not.
    fn after_value(&self) -> bool {
        matches!(
            self.found.last(),
            Some(
                Token::Path(_)
                    | Token::Close(_)
                    | Token::Number(_)
                    | Token::Text(_)
                    | Token::Variable(_)
                    | Token::Dot
                    | Token::Word(_)
                    | Token::CloseOptional
            )
        )
    }

    /// What begins with a dot. A name ends at a bracket, a comma, an operator such as `|` and `=`, or white space; it
    /// may have dashes, `*` and `$`.
    fn dot(&mut self) -> Result<Token, String> {
        if self.rest.starts_with("...") {
            self.take(3);
            return Ok(Token::Recurse(true));
        }
        if self.rest.starts_with("..") {
            self.take(2);
            return Ok(Token::Recurse(false));
        }
        if self.rest.starts_with(".[") {
            self.take(2);
            return Ok(Token::DotBracket);
        }
        if self.rest.starts_with(".\"") {
            self.take(1);
            let Token::Text(name) = self.text()? else {
                return Err("bad path expression".to_owned());
            };
            self.optional();
            return Ok(Token::Path(name));
        }
        self.take(1);
        let end = self
            .rest
            .find([
                ' ', ';', '}', '{', ':', '[', ']', ',', '|', '.', '(', ')', '=', '\n', '!', '\t',
            ])
            .unwrap_or(self.rest.len());
        if end == 0 {
            return Ok(Token::Dot);
        }
        let name = self.take(end).trim_end_matches('?');
        Ok(Token::Path(name.to_owned()))
    }

    /// Skips a question mark.
    fn optional(&mut self) {
        if self.rest.starts_with('?') {
            self.take(1);
        }
    }

    /// A string in double quotes; what it interpolates stays as it is.
    fn text(&mut self) -> Result<Token, String> {
        self.take(1);
        let mut out = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.take(at + 1);
                    return Ok(Token::Text(out));
                }
                '\\' => match characters.next().map(|(_, c)| c) {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    Some('"') => out.push('"'),
                    Some('\\') => out.push('\\'),
                    Some('(') => out.push_str("\\("),
                    Some(other) => out.extend(['\\', other]),
                    None => break,
                },
                c => out.push(c),
            }
        }
        Err("bad expression: a string is not closed".to_owned())
    }

    /// A number: decimal, hexadecimal or with an exponent, perhaps with a minus sign.
    fn number(&mut self) -> Token {
        let bytes = self.rest.as_bytes();
        let mut end = usize::from(bytes[0] == b'-');
        if bytes[end..].starts_with(b"0x") {
            end += 2;
            while bytes.get(end).is_some_and(u8::is_ascii_hexdigit) {
                end += 1;
            }
            return Token::Number(self.take(end).to_owned());
        }
        let digits = |at: &mut usize| {
            while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
                *at += 1;
            }
        };
        digits(&mut end);
        if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            end += 1;
            digits(&mut end);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
                end += 1 + sign;
                digits(&mut end);
            }
        }
        Token::Number(self.take(end).to_owned())
    }

    /// A word, with its argument where that is plain text.
    pub(super) fn word(&mut self) -> Token {
        let end = self.rest[1..]
            .find(|c| !is_word(c))
            .map_or(self.rest.len(), |at| at + 1);
        let name = self.take(end).to_owned();
        let takes_text = matches!(
            name.as_str(),
            "env"
                | "strenv"
                | "envsubst"
                | "parent"
                | "flatten"
                | "to_json"
                | "to_yaml"
                | "to_xml"
                | "tojson"
                | "toyaml"
                | "toxml"
        );
        if takes_text
            && self.rest.starts_with('(')
            && let Some(close) = self.rest.find(')')
        {
            let inside = self.take(close + 1);
            return Token::Plain(name, inside[1..close].trim().to_owned());
        }
        Token::Word(name)
    }

    /// An operator and its flags.
    pub(super) fn operator(&mut self) -> Result<Token, String> {
        let found = OPERATORS
            .iter()
            .find(|operator| self.rest.starts_with(**operator));
        let Some(operator) = found else {
            return Err(format!("lexer: invalid input text {:?}", self.rest));
        };
        self.take(operator.len());
        let mut text = (*operator).to_owned();
        if matches!(*operator, "*" | "*=" | "=" | "|=") {
            let allowed = if operator.starts_with('*') {
                "+?cdn"
            } else {
                "c"
            };
            let end = self
                .rest
                .find(|c| !allowed.contains(c))
                .unwrap_or(self.rest.len());
            // A letter that goes on is no flag.
            let goes_on = self.rest[end..].starts_with(is_word);
            if !goes_on {
                text.push_str(self.take(end));
            }
        }
        Ok(Token::Operator(text))
    }
}
