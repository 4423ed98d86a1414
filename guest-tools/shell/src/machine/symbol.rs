//! Names of variables and functions, numbered so that a reference is an index.

use std::collections::HashMap;

use super::hash::{FastBuild, bash_hash};
use crate::text::Text;

/// The number of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// All names that the machine has met: those in [`known`], and others from there on.
#[derive(Debug, Default)]
pub struct Symbols {
    others: Vec<Text>,
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
            /// Bytes of the longest of them.
            pub(super) const LONGEST: usize = {
                let mut longest = 0;
                $(if $name.len() > longest { longest = $name.len(); })*
                longest
            };
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
    BASH = 56 "BASH";
    BASH_VERSION = 57 "BASH_VERSION";
    BASH_VERSINFO = 58 "BASH_VERSINFO";
    COMP_WORDBREAKS = 59 "COMP_WORDBREAKS";
    HOSTNAME = 60 "HOSTNAME";
    HOSTTYPE = 61 "HOSTTYPE";
    MACHTYPE = 62 "MACHTYPE";
    OSTYPE = 63 "OSTYPE";
    SHELL = 64 "SHELL";
    TERM = 65 "TERM";
    BASH_COMPAT = 66 "BASH_COMPAT";
}

/// Places in [`PLACES`]: several for each well-known name, so that a look finds one name or none.
const ROOM: usize = 256;

/// Where the well-known names are found, from [`first_place`] on: one more than their numbers, 0 where there is none.
const PLACES: [u8; ROOM] = places();

const fn places() -> [u8; ROOM] {
    let mut places = [0; ROOM];
    let mut number = 0;
    while number < known::NAMES.len() {
        let mut place = first_place(known::NAMES[number].as_bytes());
        while places[place] != 0 {
            place = (place + 1) % ROOM;
        }
        number += 1;
        places[place] = number as u8;
    }
    places
}

/// The first place for `name`.
const fn first_place(name: &[u8]) -> usize {
    bash_hash(name) as usize % ROOM
}

/// The number of a well-known name.
fn well_known(name: &[u8]) -> Option<Symbol> {
    if name.len() > known::LONGEST {
        return None;
    }
    let mut place = first_place(name);
    loop {
        let number = usize::from(PLACES[place]).checked_sub(1)?;
        if known::NAMES[number].as_bytes() == name {
            return Some(Symbol(number as u32));
        }
        place = (place + 1) % ROOM;
    }
}

impl Symbols {
    /// The number of `name`, a new one where it has none yet.
    pub fn intern(&mut self, name: &[u8]) -> Symbol {
        if let Some(symbol) = self.find(name) {
            return symbol;
        }
        let number = known::NAMES.len() + self.others.len();
        let symbol = Symbol(u32::try_from(number).unwrap_or(u32::MAX));
        let text = Text::from(name);
        self.others.push(text.clone());
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The number of `name` where it has one.
    pub fn find(&self, name: &[u8]) -> Option<Symbol> {
        well_known(name).or_else(|| self.numbers.get(name).copied())
    }

    /// The name behind a number.
    pub fn name(&self, symbol: Symbol) -> Text {
        let number = symbol.0 as usize;
        if let Some(name) = known::NAMES.get(number) {
            return Text::from(*name);
        }
        let other = self.others.get(number - known::NAMES.len());
        other.cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_number() {
        let mut symbols = Symbols::default();
        for (number, name) in known::NAMES.iter().enumerate() {
            assert_eq!(symbols.intern(name.as_bytes()), Symbol(number as u32));
        }
        let others = [&b"x"[..], b"", b"IF", b"BASH_EXECUTION_STRINGS"];
        let numbers = others.map(|name| symbols.intern(name));
        for (name, number) in others.iter().zip(numbers) {
            assert!(number.0 as usize >= known::NAMES.len());
            assert_eq!(symbols.find(name), Some(number));
            assert_eq!(symbols.name(number), Text::from(*name));
        }
        assert_eq!(symbols.name(known::HISTSIZE), Text::from("HISTSIZE"));
        assert_eq!(symbols.find(b"y"), None);
    }
}
