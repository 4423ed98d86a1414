//! What every rule of the grammar works on.

use super::cursor::Cursor;
use super::error::{MessageLine, SyntaxError, SyntaxErrorKind};
use super::heredoc::Pending;
use super::parser::{AliasLookup, Options};
use crate::format::quote;

/// The result of a rule.
pub(super) type Parse<T> = Result<T, Box<SyntaxError>>;

/// How deep constructs may nest, in levels of compound commands or quotes. A level takes at most
/// 900 bytes of stack; a test holds the parser to 512 KiB.
pub(super) const MAX_DEPTH: u32 = 400;

/// How many aliases one command line may expand.
pub const MAX_ALIASES: u32 = 100_000;

/// How many levels a substitution or a function counts as, for the stack that it takes.
pub(super) const SUBSTITUTION_LEVELS: u32 = 3;

/// What stands around a place within one command.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Quotes {
    /// Double quotes, at any distance.
    pub double: bool,
    /// Double quotes around the command substitution that this is in.
    pub outside: bool,
    /// A here-document or the like: bash reads its text only when it is expanded.
    pub document: bool,
    /// Double quotes within a here-document, or an operand there that is no pattern: bash has not
    /// looked for `$'…'` in it.
    pub unread: bool,
    /// What `$'…'` means there.
    pub ansi: Ansi,
}

/// What `$'…'` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Ansi {
    /// Quoted text.
    #[default]
    Quoted,
    /// Text that goes on with what stands before it: in an operand between double quotes.
    Bare,
    /// A dollar, and quotes that are text: there in POSIX mode.
    Text,
    /// A dollar, and quotes: where bash did not look for it.
    Dollar,
}

/// The state of one command line being read.
pub(super) struct Reader<'a> {
    pub cursor: Cursor,
    pub options: Options,
    pub aliases: Option<AliasLookup<'a>>,
    /// The here-documents whose text comes after this line.
    pub pending: Vec<Pending>,
    /// Those before this index belong to lines around a substitution.
    pub pending_base: usize,
    pub warnings: Vec<MessageLine>,
    /// Texts of `$"…"` that were read, and the lines on which they begin.
    pub translatable: Vec<MessageLine>,
    pub depth: u32,
    /// How many substitutions `$(…)` and `<(…)` are open.
    pub substitutions: u32,
    /// How many errors within `$((` were put off.
    pub recoveries: u32,
    /// How many aliases were expanded.
    pub expanded: u32,
    /// The line on which bash knew the last test or operator of a `[[ … ]]`.
    pub condition_line: u32,
    /// The line of the `for ((` that was read last.
    pub for_line: u32,
    /// The line of the `{` of the function that was read last.
    pub body_line: u32,
    /// What stands around the place.
    pub quotes: Quotes,
    /// Only the end of an operand is looked for.
    pub measures: bool,
    /// The word there is no reserved one.
    pub unreserved: Option<usize>,
    /// A reserved word may come without a separator: the last command was compound.
    pub closed: bool,
}

impl<'a> Reader<'a> {
    /// A reader that goes on at `cursor`.
    pub fn new(cursor: Cursor, options: Options, aliases: Option<AliasLookup<'a>>) -> Reader<'a> {
        Reader {
            cursor,
            options,
            aliases,
            pending: Vec::new(),
            pending_base: 0,
            warnings: Vec::new(),
            translatable: Vec::new(),
            depth: 0,
            substitutions: 0,
            recoveries: 0,
            expanded: 0,
            condition_line: 0,
            for_line: 0,
            body_line: 0,
            quotes: Quotes::default(),
            measures: false,
            unreserved: None,
            closed: false,
        }
    }

    /// The next byte after line continuations.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        self.cursor.peek()
    }

    /// Skips blanks, line continuations and a comment.
    #[inline]
    pub fn skip_blanks(&mut self) {
        loop {
            match self.cursor.peek() {
                Some(b' ' | b'\t') => self.cursor.position += 1,
                Some(b'#') => {
                    let rest = self.cursor.rest();
                    let length = rest.iter().position(|&byte| byte == b'\n');
                    self.cursor.position += length.unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Skips blanks, comments and newlines; reads the here-documents that become due.
    pub fn skip_newlines(&mut self) -> Parse<()> {
        self.skip_blanks();
        while self.peek() == Some(b'\n') {
            self.newline()?;
            self.skip_blanks();
        }
        Ok(())
    }

    /// Takes the newline that comes next, with the here-documents after it.
    #[inline]
    pub fn newline(&mut self) -> Parse<()> {
        self.cursor.position += 1;
        self.cursor.count_line();
        if self.pending.len() > self.pending_base {
            self.read_here_documents()?;
        }
        Ok(())
    }

    /// One level deeper.
    #[inline]
    pub fn enter(&mut self) -> Parse<()> {
        self.enter_levels(1)
    }

    /// Several levels deeper.
    #[inline]
    pub fn enter_levels(&mut self, levels: u32) -> Parse<()> {
        self.depth += levels;
        if self.depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        Ok(())
    }

    /// Several levels up.
    #[inline]
    pub fn leave_levels(&mut self, levels: u32) {
        self.depth -= levels;
    }

    /// One level up.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    #[cold]
    fn too_deep(&self) -> Box<SyntaxError> {
        let text = format!("syntax error: nested deeper than {MAX_DEPTH} levels").into_bytes();
        SyntaxError::new(SyntaxErrorKind::TooDeep, self.cursor.line, text)
    }

    /// Refuses what aliases make too long: each may stand for several others.
    #[inline]
    pub fn check_aliases(&self) -> Parse<()> {
        if self.expanded < MAX_ALIASES {
            return Ok(());
        }
        let text = format!("syntax error: more than {MAX_ALIASES} aliases in a command");
        let kind = SyntaxErrorKind::TooDeep;
        Err(SyntaxError::new(kind, self.cursor.line, text.into_bytes()))
    }

    /// The line that bash names where the script ended too early.
    pub fn last_line(&self) -> u32 {
        let ended = self.cursor.text().last().is_none_or(|&byte| byte == b'\n');
        self.cursor.line + u32::from(!ended)
    }

    /// The script ended before `closing` that matches what began on `line`.
    #[cold]
    pub fn unmatched(&self, closing: u8, line: u32) -> Box<SyntaxError> {
        let text = [
            b"unexpected EOF while looking for matching `".as_slice(),
            &[closing],
            b"'",
        ]
        .concat();
        let mut error = SyntaxError::new(SyntaxErrorKind::Unmatched, line, text);
        error.incomplete = true;
        error
    }

    /// The token that comes next has no place here.
    #[cold]
    pub fn unexpected<T>(&mut self) -> Parse<T> {
        self.skip_blanks();
        let Some(token) = self.token_text()? else {
            return Err(self.unexpected_end());
        };
        let mut error = self.unexpected_text(&token);
        // The token goes on in the next line.
        error.incomplete = self.peek().is_none() && self.cursor.text().ends_with(b"\\\n");
        Err(error)
    }

    #[cold]
    fn unexpected_end(&self) -> Box<SyntaxError> {
        if self.substitutions > 0 {
            let mut error = self.unmatched(b')', self.last_line());
            error.kind = SyntaxErrorKind::UnexpectedEnd;
            return error;
        }
        let text = b"syntax error: unexpected end of file".to_vec();
        let mut error = SyntaxError::new(SyntaxErrorKind::UnexpectedEnd, self.last_line(), text);
        error.incomplete = true;
        error
    }

    /// `token`, whose line the cursor is on, has no place here.
    #[cold]
    pub fn unexpected_text(&self, token: &[u8]) -> Box<SyntaxError> {
        let token = &match quote::needs_escapes(token) {
            true => quote::escaped(token),
            false => token.to_vec(),
        };
        let text = [
            b"syntax error near unexpected token `".as_slice(),
            token,
            b"'",
        ]
        .concat();
        let line = self.cursor.line;
        let mut error = SyntaxError::new(SyntaxErrorKind::UnexpectedToken, line, text);
        error.lines.push(self.source_line());
        error
    }

    /// The second line of a message: the source.
    pub fn source_line(&self) -> MessageLine {
        let text = [b"`".as_slice(), self.cursor.current_line(), b"'"].concat();
        MessageLine {
            line: self.cursor.line,
            text,
        }
    }
}
