//! The tokens of an expression.

use std::ops::Range;

use super::error::Problem;
use super::expression::BinaryOp;
use super::number::constant;

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    End,
    Number(i64),
    /// A value that is put in when the expression is evaluated.
    Hole,
    /// A name, and the text between the brackets after it.
    Variable {
        name: Range<usize>,
        subscript: Option<Range<usize>>,
    },
    Binary(BinaryOp),
    And,
    Or,
    Not,
    Complement,
    /// `++` or `--` before a name.
    Before {
        up: bool,
    },
    /// `++` or `--` after a name.
    After {
        up: bool,
    },
    Assign,
    AssignWith(BinaryOp),
    Question,
    Colon,
    Comma,
    Open,
    Close,
}

/// What matters of the tokens before: bash tells some apart by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Start,
    Value,
    Variable,
    Step,
    Other,
}

impl Token {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Token::Number(_) | Token::Hole => Kind::Value,
            Token::Variable { .. } => Kind::Variable,
            Token::Before { .. } => Kind::Step,
            _ => Kind::Other,
        }
    }
}

/// The byte that stands for a hole in a template: no text of the shell has it.
pub(super) const HOLE: u8 = 0;

/// Reads tokens.
pub(super) struct Lexer<'a> {
    pub(super) text: &'a [u8],
    /// The place after the last token.
    pub(super) at: usize,
    /// The place of the last token.
    pub(super) start: usize,
}

/// What is wrong, and the end of the text as far as bash shows it.
pub(super) struct LexicalError {
    pub(super) problem: Problem,
    pub(super) end: usize,
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer {
            text,
            at: 0,
            start: 0,
        }
    }

    /// Whether a single `=` comes next.
    pub(super) fn before_assignment(&self) -> bool {
        let at = self.skip_spaces(self.at);
        self.text.get(at) == Some(&b'=') && self.text.get(at + 1) != Some(&b'=')
    }

    /// The next token; `current` and `last` are the kinds of the two before it.
    pub(super) fn next(&mut self, current: Kind, last: Kind) -> Result<Token, LexicalError> {
        let at = self.skip_spaces(self.at);
        let Some(&byte) = self.text.get(at) else {
            self.at = at;
            return Ok(Token::End);
        };
        (self.start, self.at) = (at, at + 1);
        match byte {
            HOLE => Ok(Token::Hole),
            b'0'..=b'9' => self.number(),
            _ if is_name_start(byte) => self.variable(),
            _ => self.operator(byte, current, last),
        }
    }

    fn skip_spaces(&self, at: usize) -> usize {
        at + self.text[at..]
            .iter()
            .take_while(|&&byte| is_space(byte))
            .count()
    }

    fn error(&self, problem: Problem) -> LexicalError {
        LexicalError {
            problem,
            end: self.text.len(),
        }
    }

    fn number(&mut self) -> Result<Token, LexicalError> {
        let rest = &self.text[self.start..];
        let length = rest
            .iter()
            .take_while(|&&byte| is_name(byte) || byte == b'#' || byte == b'@')
            .count();
        self.at = self.start + length;
        match constant(&rest[..length]) {
            Ok(value) => Ok(Token::Number(value)),
            Err(problem) => Err(LexicalError {
                problem,
                end: self.at,
            }),
        }
    }

    fn variable(&mut self) -> Result<Token, LexicalError> {
        let rest = &self.text[self.start..];
        let end = self.start + rest.iter().take_while(|&&byte| is_name(byte)).count();
        let name = self.start..end;
        self.at = end;
        if self.text.get(end) != Some(&b'[') {
            return Ok(Token::Variable {
                name,
                subscript: None,
            });
        }
        let close = subscript_end(self.text, end + 1);
        let close = close.ok_or_else(|| self.error(Problem::BadSubscript))?;
        self.at = close + 1;
        Ok(Token::Variable {
            name,
            subscript: Some(end + 1..close),
        })
    }

    fn operator(&mut self, byte: u8, current: Kind, last: Kind) -> Result<Token, LexicalError> {
        let second = self.text.get(self.at).copied().unwrap_or(HOLE);
        let double = |lexer: &mut Self, token| {
            lexer.at += 1;
            Ok(token)
        };
        match (byte, second) {
            (b'=', b'=') => double(self, Token::Binary(BinaryOp::Equal)),
            (b'!', b'=') => double(self, Token::Binary(BinaryOp::NotEqual)),
            (b'>', b'=') => double(self, Token::Binary(BinaryOp::GreaterEqual)),
            (b'<', b'=') => double(self, Token::Binary(BinaryOp::LessEqual)),
            (b'<', b'<') => Ok(self.shift(BinaryOp::ShiftLeft)),
            (b'>', b'>') => Ok(self.shift(BinaryOp::ShiftRight)),
            (b'&', b'&') => double(self, Token::And),
            (b'|', b'|') => double(self, Token::Or),
            (b'*', b'*') => double(self, Token::Binary(BinaryOp::Power)),
            (b'+', b'+') | (b'-', b'-') => self.step(byte == b'+', current, last),
            (_, b'=') if arithmetic(byte).is_some_and(BinaryOp::assigns) => {
                let operator = arithmetic(byte).unwrap_or(BinaryOp::Add);
                double(self, Token::AssignWith(operator))
            }
            _ => match single(byte) {
                Some(token) => Ok(token),
                None if matches!(current, Kind::Start | Kind::Other | Kind::Step) => {
                    Err(self.error(Problem::OperandExpected))
                }
                None => Err(self.error(Problem::InvalidOperator)),
            },
        }
    }

    fn shift(&mut self, operator: BinaryOp) -> Token {
        self.at += 1;
        if self.text.get(self.at) == Some(&b'=') {
            self.at += 1;
            return Token::AssignWith(operator);
        }
        Token::Binary(operator)
    }

    /// `++` and `--`, or a sign where they make no sense.
    fn step(&mut self, up: bool, current: Kind, last: Kind) -> Result<Token, LexicalError> {
        if current == Kind::Variable {
            self.at += 1;
            return Ok(Token::After { up });
        }
        if current == Kind::Value && last == Kind::Step {
            return Err(self.error(if up {
                Problem::IncrementNotAssignable
            } else {
                Problem::DecrementNotAssignable
            }));
        }
        let next = self.skip_spaces(self.at + 1);
        if self.text.get(next).is_some_and(|&byte| is_name_start(byte)) {
            self.at += 1;
            return Ok(Token::Before { up });
        }
        Ok(Token::Binary(if up {
            BinaryOp::Add
        } else {
            BinaryOp::Subtract
        }))
    }
}

/// The `]` that ends the subscript whose text begins at `from`.
fn subscript_end(text: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = from;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\'' | b'"' | b'`' => {
                at += 1 + text
                    .get(at + 1..)?
                    .iter()
                    .position(|&other| other == byte)?;
            }
            b'[' => depth += 1,
            b']' if depth == 0 => return Some(at),
            b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

fn arithmetic(byte: u8) -> Option<BinaryOp> {
    Some(match byte {
        b'*' => BinaryOp::Multiply,
        b'/' => BinaryOp::Divide,
        b'%' => BinaryOp::Remainder,
        b'+' => BinaryOp::Add,
        b'-' => BinaryOp::Subtract,
        b'&' => BinaryOp::BitAnd,
        b'^' => BinaryOp::BitXor,
        b'|' => BinaryOp::BitOr,
        b'<' => BinaryOp::Less,
        b'>' => BinaryOp::Greater,
        _ => return None,
    })
}

fn single(byte: u8) -> Option<Token> {
    Some(match byte {
        b'=' => Token::Assign,
        b'!' => Token::Not,
        b'~' => Token::Complement,
        b'?' => Token::Question,
        b':' => Token::Colon,
        b',' => Token::Comma,
        b'(' => Token::Open,
        b')' => Token::Close,
        _ => return arithmetic(byte).map(Token::Binary),
    })
}
