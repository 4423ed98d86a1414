//! Words of awk's language. Whether a slash begins a regular expression only the parser can tell: `next` takes it for a
//! division, and the parser asks for `regex` where an operand is expected.

use std::cell::Cell;
use std::rc::Rc;

/// One word.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    End,
    /// Newlines end statements, but for those that the parser skips.
    Newline,
    Number(f64),
    /// A string, its escapes replaced.
    Text(Vec<u8>),
    /// The source of a regular expression, as written.
    Regex(Vec<u8>),
    /// A variable, or a function that is defined.
    Name(Vec<u8>),
    /// A name with its parenthesis right behind it, which is a call.
    Function(Vec<u8>),
    /// A name of `Builtin`.
    Builtin(Vec<u8>),
    Keyword(&'static str),
    Symbol(&'static str),
}

const KEYWORDS: [&str; 22] = [
    "BEGIN",
    "BEGINFILE",
    "END",
    "ENDFILE",
    "break",
    "case",
    "continue",
    "default",
    "delete",
    "do",
    "else",
    "exit",
    "for",
    "func",
    "function",
    "getline",
    "if",
    "in",
    "next",
    "nextfile",
    "print",
    "printf",
];
const MORE_KEYWORDS: [&str; 3] = ["return", "switch", "while"];

/// The longest come first, so that the first that fits is the right one. `**` is read as `^`.
const SYMBOLS: [&str; 45] = [
    "**=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "==", "<=", ">=",
    "!=", "!~", ">>", "|&", "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^",
    "!", ">", "<", "|", "?", ":", "~", "$", "=", "@", "&", ".",
];

/// Reads tokens; cheap to copy, for looking ahead.
#[derive(Clone)]
pub struct Lexer {
    source: Rc<[u8]>,
    /// Offset of the next token, or of blanks before it.
    pub at: usize,
    /// Line at `at`, from 1.
    pub line: u32,
    /// Where the last token begins.
    pub began: usize,
    /// The letters behind backslashes in strings that are no escapes.
    pub unknown: Vec<u8>,
}

impl Lexer {
    /// Reads `source` from its beginning.
    pub fn new(source: &[u8]) -> Lexer {
        Lexer {
            source: Rc::from(source),
            at: 0,
            line: 1,
            began: 0,
            unknown: Vec::new(),
        }
    }

    /// The line of the last token: its number, its text, and how many bytes are before the token.
    pub fn last_line(&self) -> (usize, String, usize) {
        let (before, after) = self.source.split_at(self.began.min(self.source.len()));
        let start = before.iter().rposition(|&byte| byte == b'\n');
        let start = start.map_or(0, |at| at + 1);
        let end = after.iter().position(|&byte| byte == b'\n');
        let end = before.len() + end.unwrap_or(after.len());
        let number = memchr::memchr_iter(b'\n', before).count() + 1;
        let text = String::from_utf8_lossy(&self.source[start..end]);
        (number, text.into_owned(), before.len() - start)
    }

    /// The next byte; 0 at the end.
    fn peek(&self) -> u8 {
        self.source.get(self.at).copied().unwrap_or(0)
    }

    /// What was not read yet.
    fn rest(&self) -> &[u8] {
        &self.source[self.at..]
    }

    /// Skips blanks, comments and lines that a backslash continues.
    fn blanks(&mut self) {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r', ..] => self.at += 1,
                [b'\\', b'\n', ..] => {
                    self.at += 2;
                    self.line += 1;
                }
                [b'\\', b'\r', b'\n', ..] => {
                    self.at += 3;
                    self.line += 1;
                }
                [b'#', ..] => {
                    let end = self.rest().iter().position(|&byte| byte == b'\n');
                    self.at += end.unwrap_or(self.rest().len());
                }
                _ => return,
            }
        }
    }

    /// The next token. A slash is a division here; see [`Lexer::regex`].
    ///
    /// # Errors
    /// A message for a character that begins no token, or a string that does not end on its line.
    pub fn next(&mut self) -> Result<Token, String> {
        self.blanks();
        self.began = self.at;
        let Some(&byte) = self.source.get(self.at) else {
            return Ok(Token::End);
        };
        match byte {
            b'\n' => {
                self.at += 1;
                self.line += 1;
                Ok(Token::Newline)
            }
            b'"' => self.text(),
            b'0'..=b'9' => Ok(self.number()),
            b'.' if self.source.get(self.at + 1).is_some_and(u8::is_ascii_digit) => {
                Ok(self.number())
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => Ok(self.word()),
            _ => {
                let symbol = SYMBOLS
                    .iter()
                    .find(|symbol| self.rest().starts_with(symbol.as_bytes()));
                let Some(symbol) = symbol else {
                    return Err(format!(
                        "syntax error: unexpected character '{}'",
                        byte.escape_ascii()
                    ));
                };
                self.at += symbol.len();
                Ok(Token::Symbol(match *symbol {
                    "**" => "^",
                    "**=" => "^=",
                    symbol => symbol,
                }))
            }
        }
    }

    /// A number: decimal, hexadecimal (`0x1F`) or, as in gawk programs, octal (`017`).
    fn number(&mut self) -> Token {
        let source = Rc::clone(&self.source);
        let rest = &source[self.at..];
        if let [b'0', b'x' | b'X', digit, ..] = rest
            && digit.is_ascii_hexdigit()
        {
            let count = rest[2..]
                .iter()
                .take_while(|byte| byte.is_ascii_hexdigit())
                .count();
            self.at += 2 + count;
            let value = rest[2..2 + count].iter().fold(0.0, |value, digit| {
                value * 16.0 + f64::from(char::from(*digit).to_digit(16).unwrap_or(0))
            });
            return Token::Number(value);
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let octal = rest[0] == b'0'
            && digits > 1
            && rest[..digits].iter().all(|digit| *digit < b'8')
            && !matches!(rest.get(digits), Some(b'.' | b'e' | b'E'));
        if octal {
            self.at += digits;
            let digits = rest[..digits].iter();
            return Token::Number(
                digits.fold(0.0, |value, digit| value * 8.0 + f64::from(digit - b'0')),
            );
        }
        let (value, used) = super::value::prefix_number(rest);
        self.at += used.max(1);
        Token::Number(value)
    }

    /// A keyword, a function or a name, which may have a namespace.
    fn word(&mut self) -> Token {
        let source = Rc::clone(&self.source);
        let rest = &source[self.at..];
        let fits = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let mut length = rest.iter().take_while(fits).count();
        // The name in a namespace.
        if let [b':', b':', first, ..] = &rest[length..]
            && (first.is_ascii_alphabetic() || *first == b'_')
        {
            length += 2 + rest[length + 2..].iter().take_while(fits).count();
        }
        let word = &rest[..length];
        self.at += length;
        let mut keywords = KEYWORDS.iter().chain(&MORE_KEYWORDS);
        if let Some(keyword) = keywords.find(|keyword| keyword.as_bytes() == word) {
            return Token::Keyword(if *keyword == "func" {
                "function"
            } else {
                keyword
            });
        }
        if super::tree::Builtin::find(word).is_some() {
            return Token::Builtin(word.to_vec());
        }
        if self.peek() == b'(' {
            return Token::Function(word.to_vec());
        }
        Token::Name(word.to_vec())
    }

    /// A string from its opening quote.
    fn text(&mut self) -> Result<Token, String> {
        self.at += 1;
        let start = self.at;
        loop {
            match self.peek() {
                b'"' => break,
                b'\\' => {
                    let breaks = line_break(&self.source[self.at + 1..]);
                    self.line += u32::from(breaks > 0);
                    self.at += 1 + breaks.max(1);
                }
                b'\n' => return Err("unterminated string".to_owned()),
                _ => self.at += 1,
            }
            if self.at >= self.source.len() {
                return Err("unterminated string".to_owned());
            }
        }
        let text = unescape(&self.source[start..self.at], &mut |letter| {
            self.unknown.push(letter);
        });
        self.at += 1;
        Ok(Token::Text(text))
    }

    /// Reads a regular expression whose opening slash was just read, as `consumed` bytes (`/` or `/=`). Escapes stay,
    /// since the pattern's own parser reads them; a slash within brackets does not end it.
    pub fn regex(&mut self, consumed: usize) -> Result<Token, String> {
        self.at -= consumed - 1;
        let start = self.at;
        self.began = start;
        let mut bracket = false;
        loop {
            match self.peek() {
                b'/' if !bracket => break,
                b'\\' => self.at += line_break(&self.source[self.at + 1..]).max(1),
                b'[' if !bracket => {
                    bracket = true;
                    // `[]` and `[^]` do not end with their first bracket.
                    self.at += usize::from(self.source.get(self.at + 1) == Some(&b'^'));
                    self.at += usize::from(self.source.get(self.at + 1) == Some(&b']'));
                }
                b'[' if matches!(self.source.get(self.at + 1), Some(b':')) => {
                    let end = self.rest().windows(2).position(|pair| pair == b":]");
                    self.at += end.map_or(0, |end| end + 1);
                }
                b']' => bracket = false,
                b'\n' | 0 => return Err("unterminated regexp".to_owned()),
                _ => {}
            }
            self.at += 1;
            if self.at >= self.source.len() {
                return Err("unterminated regexp".to_owned());
            }
        }
        let mut source = Vec::with_capacity(self.at - start);
        let mut at = start;
        while at < self.at {
            let escaped = self.source[at] == b'\\';
            let breaks = if escaped {
                line_break(&self.source[at + 1..])
            } else {
                0
            };
            let taken = match (escaped, breaks) {
                (_, 1..) => 0,
                (true, _) => 2.min(self.at - at),
                (false, _) => 1,
            };
            source.extend_from_slice(&self.source[at..at + taken]);
            self.line += u32::from(breaks > 0);
            at += taken.max(1 + breaks * usize::from(taken == 0));
        }
        self.at += 1;
        Ok(Token::Regex(source))
    }
}

/// How many bytes the end of a line at the beginning of `text` takes; 0 where there is none.
fn line_break(text: &[u8]) -> usize {
    match text {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

thread_local! {
    /// The letters that a warning told of: in strings, and in regular expressions.
    static TOLD: [[Cell<bool>; 256]; 2] = const { [const { [const { Cell::new(false) }; 256] }; 2] };
}

/// Notes that a warning tells of a letter; whether one did before.
fn told(kind: usize, letter: u8) -> bool {
    TOLD.with(|told| told[kind][usize::from(letter)].replace(true))
}

/// Makes every warning one for the first time again.
pub fn forget_warnings() {
    TOLD.with(|told| told.iter().flatten().for_each(|told| told.set(false)));
}

/// The warning about an escape in a string that is none, the first time.
pub fn plain_escape(letter: u8) -> Option<String> {
    let told = told(0, letter);
    let shown = char::from(letter);
    (!told && letter.is_ascii())
        .then(|| format!("escape sequence `\\{shown}' treated as plain `{shown}'"))
}

/// The warnings about escapes in a regular expression that are none, each the first time.
pub fn regex_escapes(source: &[u8]) -> Vec<String> {
    const KNOWN: &[u8] = b"<>`'BywWsS{}()|*+?.^$\\[]/-abfnrtvx01234567\n";
    let mut warnings = Vec::new();
    let mut rest = source;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let Some(&letter) = rest.get(at + 1) else {
            break;
        };
        rest = &rest[at + 2..];
        let known = KNOWN.contains(&letter) || !letter.is_ascii();
        if known || told(1, letter) {
            continue;
        }
        let shown = char::from(letter);
        warnings.push(if letter.is_ascii_digit() {
            format!("regexp escape sequence `\\{shown}' treated as plain `{shown}'")
        } else {
            format!("regexp escape sequence `\\{shown}' is not a known regexp operator")
        });
    }
    warnings
}

/// Replaces the escapes of a string; what is none goes without its backslash, and to `unknown`.
///
/// ```text
/// \n \t \\ \"    as in C          \101  octal, up to three digits
/// \x41           two digits       \u00e9  up to eight, in UTF-8
/// \q             q, with a warning
/// ```
pub fn unescape(text: &[u8], unknown: &mut dyn FnMut(u8)) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        at += 1;
        if byte != b'\\' || at >= text.len() {
            out.push(byte);
            continue;
        }
        let escape = text[at];
        at += 1;
        match escape {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'\n' => {}
            b'\r' if text.get(at) == Some(&b'\n') => at += 1,
            b'u' if text.get(at).is_some_and(u8::is_ascii_hexdigit) => {
                let digits = text[at..].iter().take(8);
                let digits = digits.take_while(|byte| byte.is_ascii_hexdigit()).count();
                let value = text[at..at + digits].iter().fold(0u32, |value, digit| {
                    value * 16 + char::from(*digit).to_digit(16).unwrap_or(0)
                });
                let character = char::from_u32(value).unwrap_or('?');
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                at += digits;
            }
            b'x' if text.get(at).is_some_and(u8::is_ascii_hexdigit) => {
                let digits = text[at..]
                    .iter()
                    .take(2)
                    .take_while(|b| b.is_ascii_hexdigit())
                    .count();
                let value = text[at..at + digits].iter().fold(0u32, |value, digit| {
                    value * 16 + char::from(*digit).to_digit(16).unwrap_or(0)
                });
                out.push(value as u8);
                at += digits;
            }
            b'0'..=b'7' => {
                let count = text[at - 1..]
                    .iter()
                    .take(3)
                    .take_while(|b| (b'0'..=b'7').contains(b))
                    .count();
                let digits = &text[at - 1..at - 1 + count];
                out.push(
                    digits
                        .iter()
                        .fold(0u32, |value, digit| value * 8 + u32::from(digit - b'0'))
                        as u8,
                );
                at += count - 1;
            }
            b'\\' | b'"' => out.push(escape),
            _ => {
                unknown(escape);
                out.push(escape);
            }
        }
    }
    out
}
