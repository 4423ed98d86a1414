//! What a script that is no script gets to hear.

use std::fmt;

/// Why a script could not be parsed.
///
/// `lines` holds what bash prints: each gets the shell's name and `line N: ` in front.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// What kind of error it is.
    pub kind: SyntaxErrorKind,
    /// The messages in order, mostly one and the source line.
    pub lines: Vec<MessageLine>,
    /// It is in `$( … )`: bash then gives up the whole shell.
    pub substituted: bool,
    /// More text could still make it right, or end what is open behind a malformed `[[ … ]]`: an
    /// interactive shell asks for another line.
    pub incomplete: bool,
}

/// One line of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageLine {
    /// The line of the script, from 1.
    pub line: u32,
    /// The text after `line N: `.
    pub text: Vec<u8>,
}

/// The kinds of syntax error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxErrorKind {
    /// A token where the grammar has no place for it.
    UnexpectedToken,
    /// The script ends inside a command.
    UnexpectedEnd,
    /// The script ends inside quotes, parentheses or braces.
    Unmatched,
    /// A malformed `[[ … ]]`. Bash then gives the script up with the status of its last command;
    /// in some cases without a message, so that `lines` is empty.
    Conditional,
    /// The script ends inside `[[ … ]]`.
    ConditionalEnd,
    /// The script ends inside quotes, parentheses or braces of a word in `[[ … ]]`.
    ConditionalUnmatched,
    /// A `for ((…))` that has not three sections.
    Sections,
    /// A malformed compound value, `a=(1 ; 2)`. The line fails with status 1; bash goes on with the
    /// next one, and so does the parser.
    CompoundValue,
    /// Nested deeper than the parser's limit.
    TooDeep,
}

impl SyntaxErrorKind {
    /// A stable code.
    pub fn code(self) -> &'static str {
        match self {
            SyntaxErrorKind::UnexpectedToken => "SYNTAX_TOKEN",
            SyntaxErrorKind::UnexpectedEnd => "SYNTAX_END",
            SyntaxErrorKind::Unmatched => "SYNTAX_UNMATCHED",
            SyntaxErrorKind::Conditional => "SYNTAX_CONDITIONAL",
            SyntaxErrorKind::ConditionalEnd => "SYNTAX_CONDITIONAL_END",
            SyntaxErrorKind::ConditionalUnmatched => "SYNTAX_CONDITIONAL_UNMATCHED",
            SyntaxErrorKind::Sections => "SYNTAX_SECTIONS",
            SyntaxErrorKind::CompoundValue => "SYNTAX_COMPOUND",
            SyntaxErrorKind::TooDeep => "SYNTAX_DEPTH",
        }
    }
}

impl SyntaxError {
    /// An error with one message.
    pub(super) fn new(kind: SyntaxErrorKind, line: u32, text: Vec<u8>) -> Box<SyntaxError> {
        Box::new(SyntaxError {
            kind,
            lines: vec![MessageLine { line, text }],
            substituted: false,
            incomplete: false,
        })
    }

    /// Whether the text came to its end in what is open, which whatever is around it complains of
    /// as well.
    pub(super) fn is_at_end(&self) -> bool {
        !self.substituted
            && match self.kind {
                SyntaxErrorKind::Unmatched
                | SyntaxErrorKind::UnexpectedEnd
                | SyntaxErrorKind::ConditionalEnd
                | SyntaxErrorKind::ConditionalUnmatched => true,
                SyntaxErrorKind::Conditional => self.incomplete,
                _ => false,
            }
    }

    /// What would end what is open at the end of the text.
    pub(super) fn closing(&self) -> Option<u8> {
        let text = match (self.kind, self.lines.as_slice()) {
            (SyntaxErrorKind::Unmatched, [line]) if !self.substituted => line.text.as_slice(),
            _ => return None,
        };
        text.strip_suffix(b"'")?.last().copied()
    }

    /// The line of the first message.
    pub fn line(&self) -> u32 {
        self.lines.first().map_or(0, |message| message.line)
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, message) in self.lines.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            let text = String::from_utf8_lossy(&message.text);
            write!(formatter, "{separator}line {}: {text}", message.line)?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}
