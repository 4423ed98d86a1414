//! Names of variables and functions, numbered so that a reference is an index.

use std::collections::HashMap;

use super::hash::FastBuild;
use crate::text::Text;

/// The number of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// All names that the machine has met.
#[derive(Debug, Default)]
pub struct Symbols {
    names: Vec<Text>,
    numbers: HashMap<Text, Symbol, FastBuild>,
    /// A script has named `$BASH_COMMAND`.
    pub(super) wants_command: bool,
}

macro_rules! well_known {
    ($($constant:ident = $number:literal $name:literal;)*) => {
        /// Names with a meaning to the machine, in the order of their numbers.
        pub mod known {
            use super::Symbol;
            $(#[doc = concat!("`", $name, "`")] pub const $constant: Symbol = Symbol($number);)*
            pub(super) const NAMES: &[&str] = &[$($name),*];
        }
    };
}

well_known! {
    IFS = 0 "IFS";
    PATH = 1 "PATH";
    HOME = 2 "HOME";
    PWD = 3 "PWD";
    OLDPWD = 4 "OLDPWD";
    OPTIND = 5 "OPTIND";
    OPTARG = 6 "OPTARG";
    OPTERR = 7 "OPTERR";
    RANDOM = 8 "RANDOM";
    SRANDOM = 9 "SRANDOM";
    SECONDS = 10 "SECONDS";
    LINENO = 11 "LINENO";
    BASHPID = 12 "BASHPID";
    EPOCHSECONDS = 13 "EPOCHSECONDS";
    EPOCHREALTIME = 14 "EPOCHREALTIME";
    BASH_COMMAND = 15 "BASH_COMMAND";
    BASH_SUBSHELL = 16 "BASH_SUBSHELL";
    FUNCNAME = 17 "FUNCNAME";
    BASH_SOURCE = 18 "BASH_SOURCE";
    BASH_LINENO = 19 "BASH_LINENO";
    PIPESTATUS = 20 "PIPESTATUS";
    DIRSTACK = 21 "DIRSTACK";
    GROUPS = 22 "GROUPS";
    BASH_ARGV0 = 23 "BASH_ARGV0";
    UNDERSCORE = 24 "_";
    SHELLOPTS = 25 "SHELLOPTS";
    BASHOPTS = 26 "BASHOPTS";
    BASH_ALIASES = 27 "BASH_ALIASES";
    BASH_CMDS = 28 "BASH_CMDS";
    BASH_REMATCH = 29 "BASH_REMATCH";
    REPLY = 30 "REPLY";
    PS4 = 31 "PS4";
    SHLVL = 32 "SHLVL";
    COPROC = 33 "COPROC";
    POSIXLY_CORRECT = 34 "POSIXLY_CORRECT";
    TIMEFORMAT = 35 "TIMEFORMAT";
    BASH_ENV = 36 "BASH_ENV";
    GLOBIGNORE = 37 "GLOBIGNORE";
    BASH_ARGC = 38 "BASH_ARGC";
    BASH_ARGV = 39 "BASH_ARGV";
    HISTCMD = 40 "HISTCMD";
    BASH_EXECUTION_STRING = 41 "BASH_EXECUTION_STRING";
    PS3 = 42 "PS3";
    ENV = 43 "ENV";
    MAPFILE = 44 "MAPFILE";
    CDPATH = 45 "CDPATH";
    UID = 46 "UID";
    EUID = 47 "EUID";
    PPID = 48 "PPID";
    BASH_XTRACEFD = 49 "BASH_XTRACEFD";
    FUNCNEST = 50 "FUNCNEST";
    LC_ALL = 51 "LC_ALL";
    LANG = 52 "LANG";
    LC_CTYPE = 53 "LC_CTYPE";
    EXECIGNORE = 54 "EXECIGNORE";
    HISTSIZE = 55 "HISTSIZE";
}

impl Symbols {
    /// The table with the well-known names.
    pub fn new() -> Symbols {
        let mut symbols = Symbols::default();
        for name in known::NAMES {
            symbols.intern(name.as_bytes());
        }
        symbols
    }

    /// The number of `name`, a new one where it has none yet.
    pub fn intern(&mut self, name: &[u8]) -> Symbol {
        if let Some(&symbol) = self.numbers.get(name) {
            return symbol;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let text = Text::from(name);
        self.names.push(text.clone());
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The number of `name` where it has one.
    pub fn find(&self, name: &[u8]) -> Option<Symbol> {
        self.numbers.get(name).copied()
    }

    /// The name behind a number.
    pub fn name(&self, symbol: Symbol) -> Text {
        self.names
            .get(symbol.0 as usize)
            .cloned()
            .unwrap_or_default()
    }
}
