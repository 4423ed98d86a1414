//! Why a command was refused.

/// Why a command was refused: `h` tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A line that is not there.
    Address,
    /// A number that is too large.
    Range,
    /// A command that takes no lines was given some.
    Unexpected,
    /// No command is called so.
    Command,
    /// What follows the command is no part of it.
    Suffix,
    /// A name has to stand apart.
    UnexpectedSuffix,
    /// Lines cannot be moved into themselves.
    Destination,
    /// Marks are lower-case letters.
    Mark,
    /// A pattern was not found.
    NoMatch,
    /// There is no last pattern.
    NoPattern,
    /// A pattern cannot stand between these.
    Delimiter,
    /// A pattern is wrong.
    Pattern(String),
    /// There is no last `s`.
    NoSubstitution,
    /// An empty match would be replaced for ever.
    Endless,
    /// A list of commands cannot have another one in it.
    Nested,
    /// There is no last list, or no last command of the shell.
    NoCommand,
    /// Nothing was changed.
    NoChange,
    /// Nothing was cut.
    NothingCut,
    /// No file was named.
    NoName,
    /// A name that `red` does not take.
    Directory,
    /// A command of the shell in `red`.
    Shell,
    /// The file is not there.
    NoFile,
    /// The file cannot be opened.
    Input,
    /// The file cannot be read.
    Read,
    /// The file cannot be written.
    Output,
    /// A command of the shell did not take what was written.
    Close,
    /// Changes would be lost; the same command again does it.
    Changed,
}

impl std::fmt::Display for Error {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Error::Address => "Invalid address",
            Error::Range => "Number out of range",
            Error::Unexpected => "Unexpected address",
            Error::Command => "Unknown command",
            Error::Suffix => "Invalid command suffix",
            Error::UnexpectedSuffix => "Unexpected command suffix",
            Error::Destination => "Invalid destination",
            Error::Mark => "Invalid mark character",
            Error::NoMatch => "No match",
            Error::NoPattern => "No previous pattern",
            Error::Delimiter => "Invalid pattern delimiter",
            Error::Pattern(reason) => reason,
            Error::NoSubstitution => "No previous substitution",
            Error::Endless => "Infinite substitution loop",
            Error::Nested => "Cannot nest global commands",
            Error::NoCommand => "No previous command",
            Error::NoChange => "Nothing to undo",
            Error::NothingCut => "Nothing to put",
            Error::NoName => "No current filename",
            Error::Directory => "Directory access restricted",
            Error::Shell => "Shell access restricted",
            Error::NoFile | Error::Input => "Cannot open input file",
            Error::Read => "Cannot read input file",
            Error::Output => "Cannot open output file",
            Error::Close => "Cannot close output file",
            Error::Changed => "Warning: buffer modified",
        })
    }
}
