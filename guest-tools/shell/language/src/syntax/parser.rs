//! The public face of the parser.

use super::cursor::Cursor;
use super::error::{MessageLine, SyntaxError, SyntaxErrorKind};
use super::reader::Reader;
use super::tree::List;
use crate::record;

/// Gives the text of an alias.
pub type AliasLookup<'a> = &'a dyn Fn(&[u8]) -> Option<Vec<u8>>;

/// What changes how a script is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// `shopt -s extglob`: `@(…)` and its kin are patterns.
    pub extglob: bool,
    /// `set -o posix`
    pub posix: bool,
    /// What was malformed before.
    pub remains: Remains,
}

/// What a malformed text leaves behind for those that are read after it: bash does not begin afresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Remains {
    /// It ended within quotes: the first word of the line is no reserved word.
    pub quotes: bool,
    /// It had a malformed `[[ ]]`: any other is an error.
    pub condition: bool,
}

/// Reads a script one complete command line at a time.
///
/// Use it as bash reads: run what [`Parser::next`] gives before asking for more, because aliases,
/// `shopt -s extglob` and `set -o posix` act on the lines that follow. What stands before a syntax
/// error can so be run before it is reported. Time is linear in the text; nesting is bounded, so
/// that a parser never needs more than 512 KiB of stack.
///
/// ```
/// use offshoot_shell_language::syntax::{Options, Parser};
///
/// let mut parser = Parser::new(b"echo one\nfi", Options::default());
/// assert_eq!(parser.next(None).unwrap().unwrap().items.len(), 1);
/// let error = parser.next(None).unwrap_err();
/// assert_eq!(error.lines[0].line, 2);
/// assert_eq!(error.lines[0].text, b"syntax error near unexpected token `fi'");
/// ```
#[derive(Debug)]
pub struct Parser {
    cursor: Cursor,
    options: Options,
    warnings: Vec<MessageLine>,
}

record!(Parser {
    cursor,
    options,
    warnings
});

impl Parser {
    /// A parser of `source`, whose first line is line 1.
    pub fn new(source: &[u8], options: Options) -> Parser {
        Parser::at_line(source, options, 1)
    }

    /// A parser of `source` whose first line is `line`, as for `eval` and traps.
    pub fn at_line(source: &[u8], options: Options, line: u32) -> Parser {
        Parser {
            cursor: Cursor::new(whole_lines(source), line),
            options,
            warnings: Vec::new(),
        }
    }

    /// The options that the next command line is read with.
    pub fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// The line of the next command.
    pub fn line(&self) -> u32 {
        self.cursor.line
    }

    /// The line on which what was read last ends.
    pub fn last_line(&self) -> u32 {
        self.cursor.last_line()
    }

    /// Takes the warnings since the last call: here-documents that the end of the script ended.
    pub fn take_warnings(&mut self) -> Vec<MessageLine> {
        std::mem::take(&mut self.warnings)
    }

    /// What was not read yet. A script that comes through a descriptor shared with its commands is
    /// read line by line; see [`Parser::append`].
    pub fn rest(&self) -> &[u8] {
        self.cursor.rest()
    }

    /// The text that was read since `rest` bytes of [`Parser::rest`] were left. Where aliases were
    /// expanded, their text stands in it.
    pub fn taken(&self, rest: usize) -> &[u8] {
        let text = self.cursor.text();
        let start = text.len().saturating_sub(rest);
        text.get(start..self.cursor.position).unwrap_or_default()
    }

    /// Counts lines on from `line`, where the next one has a greater number.
    pub fn go_back_to(&mut self, line: u32) {
        self.cursor.line = self.cursor.line.min(line + 1);
    }

    /// Skips what is left of the line.
    pub fn skip_line(&mut self) {
        self.cursor.skip_line();
    }

    /// Adds whole lines at the end, as of a script that arrives line by line.
    pub fn append(&mut self, text: &[u8]) {
        self.cursor.append(&whole_lines(text));
    }

    /// Reads the next command line with its here-documents; none at the end of the script.
    ///
    /// `aliases` is asked for words where bash would look for an alias; none turns expansion off.
    ///
    /// # Errors
    ///
    /// A [`SyntaxError`] with bash's messages. Only after [`SyntaxErrorKind::CompoundValue`] there is
    /// a point in asking for the next command line.
    #[allow(clippy::should_implement_trait, reason = "aliases may differ per call")]
    pub fn next(
        &mut self,
        aliases: Option<AliasLookup<'_>>,
    ) -> Result<Option<List>, Box<SyntaxError>> {
        let cursor = std::mem::take(&mut self.cursor);
        let mut reader = Reader::new(cursor, self.options, aliases);
        let result = reader.command_line();
        self.warnings.append(&mut reader.warnings);
        self.cursor = reader.cursor;
        let kind = result.as_ref().err().map(|error| error.kind);
        if kind == Some(SyntaxErrorKind::CompoundValue) {
            self.cursor.skip_line();
        }
        result
    }
}

/// The texts of `$"…"` in a script as they are written, with the lines on which they begin, up to the first error.
pub fn translatable(source: &[u8], options: Options) -> Vec<MessageLine> {
    let mut cursor = Cursor::new(whole_lines(source), 1);
    let mut found = Vec::new();
    loop {
        let mut reader = Reader::new(cursor, options, None);
        let read = reader.command_line();
        found.append(&mut reader.translatable);
        cursor = reader.cursor;
        if !matches!(read, Ok(Some(_))) {
            return found;
        }
    }
}

/// `source` with a newline at its end, as bash reads it; a backslash there stays one.
fn whole_lines(source: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(source.len() + 1);
    text.extend_from_slice(source);
    let escapes = source
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count();
    if !source.is_empty() && !source.ends_with(b"\n") && escapes % 2 == 0 {
        text.push(b'\n');
    }
    text
}
