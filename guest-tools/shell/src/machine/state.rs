//! The state of one shell: everything that a subshell gets a copy of.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::call::{Calls, Positional};
use super::descriptor::Descriptors;
use super::descriptor::kept::OpenFile;
use super::function::Function;
use super::history_file::{HistoryCounts, Line};
use super::option::Options;
use super::symbol::Symbol;
use super::trap::{Ignored, Traps};
use super::variables::Variables;
use crate::os::Pid;
use crate::syntax::Remains;
use crate::text::Text;

/// A soft limit and a hard one; none means that there is none.
pub type SoftAndHard = (Option<u64>, Option<u64>);

/// The state of a shell; cloning takes constant time.
#[derive(Clone)]
pub struct State {
    /// Variables.
    pub variables: Variables,
    /// Functions.
    pub functions: Rc<BTreeMap<Symbol, Rc<Function>>>,
    /// Aliases.
    pub aliases: Rc<BTreeMap<Text, Text>>,
    /// `set` and `shopt`.
    pub options: Options,
    /// `trap`
    pub traps: Rc<Traps>,
    /// Signals that are ignored apart from these.
    pub ignored: Ignored,
    /// `$1` and on.
    pub positional: Positional,
    /// The positional parameters as `$BASH_ARGV` shows them, once something asked.
    pub arguments: Option<Positional>,
    /// `$0`
    pub name: Text,
    /// What error messages begin with, where it is not the source of the running function.
    pub source: Option<Text>,
    /// The working directory, as `cd` left it.
    pub directory: Text,
    /// `umask`
    pub umask: u32,
    /// A pipe or a redirect around it gives its input, which commands in the background read then.
    pub has_input: bool,
    /// What `ulimit` changed, by letter.
    pub limits: Rc<BTreeMap<u8, SoftAndHard>>,
    /// Between executions: files that stay open.
    pub(super) files: Rc<Vec<OpenFile>>,
    /// Paths of commands that were found: path and how often it was used.
    pub hashed: Rc<BTreeMap<Text, (Text, u32)>>,
    /// The directory stack below the working directory.
    pub directories: Rc<Vec<Text>>,
    /// Builtins that `enable -n` turned off.
    pub disabled: Rc<BTreeSet<Text>>,
    /// Completion specifications, by command: the words of the `complete` command.
    pub completions: Rc<BTreeMap<Text, Rc<Vec<Text>>>>,
    /// What `bind` changed: keymap and keys, and what they do.
    pub bindings: Rc<BTreeMap<Text, Text>>,
    /// Lines of `history`.
    pub history: Rc<Vec<Line>>,
    /// What became of its lines.
    pub history_counts: HistoryCounts,
    /// The last of them is the command under way.
    pub recorded: bool,
    /// The shell was started with `-i`.
    pub interactive: bool,
    /// Running functions and sourced files.
    pub calls: Calls,
    /// Descriptors.
    pub descriptors: Descriptors,
    /// `$?`
    pub status: u8,
    /// `$PIPESTATUS`, one status a byte.
    pub pipe_status: Text,
    /// `$!`
    pub background: Option<Pid>,
    /// `$_`
    pub last_argument: Text,
    /// `$BASH_SUBSHELL`
    pub subshell_level: u32,
    /// `$BASHPID`
    pub pid: Pid,
    /// `$$`
    pub shell_pid: Pid,
    /// What the dynamic variables count from.
    pub clocks: Clocks,
    /// Where `getopts` stands within `$OPTIND`.
    pub option_offset: u32,
    /// The file of `bash FILE`; none for `-c` and standard input.
    pub script: Option<Text>,
    /// `$BASH_EXECUTION_STRING`: the text of `bash -c`.
    pub command_text: Option<Text>,
    /// How the shell was called, for `$-`: `c` or `s`.
    pub mode: Option<u8>,
    /// It began within what is not split: an unquoted `$*` is one word where nothing separates.
    pub unsplit: bool,
    /// What malformed texts left behind.
    pub remains: Remains,
}

/// Starting points of `$SECONDS` and `$RANDOM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clocks {
    /// Wall clock seconds at which `$SECONDS` was 0.
    pub seconds_base: i64,
    /// The state of `$RANDOM`.
    pub random: u32,
    /// The process that `random` was seeded in: a subshell draws numbers of its own.
    pub seeded_in: Option<Pid>,
    /// A script assigned the seed, so the numbers are to repeat.
    pub assigned: bool,
}

impl State {
    /// The empty state of a shell in `directory`.
    pub fn new(name: Text, directory: Text, umask: u32, pid: Pid) -> State {
        State {
            variables: Variables::default(),
            functions: Rc::default(),
            aliases: Rc::default(),
            options: Options::default(),
            traps: Rc::default(),
            ignored: Ignored::default(),
            positional: Positional::default(),
            arguments: None,
            name,
            source: None,
            directory,
            umask,
            has_input: false,
            limits: Rc::default(),
            files: Rc::default(),
            hashed: Rc::default(),
            directories: Rc::default(),
            disabled: Rc::default(),
            completions: Rc::default(),
            bindings: Rc::default(),
            history: Rc::default(),
            history_counts: HistoryCounts::default(),
            recorded: false,
            interactive: false,
            calls: Calls::default(),
            descriptors: Descriptors::default(),
            status: 0,
            pipe_status: Text::new(),
            background: None,
            last_argument: Text::new(),
            subshell_level: 0,
            pid,
            shell_pid: pid,
            clocks: Clocks::default(),
            option_offset: 0,
            script: None,
            command_text: None,
            mode: None,
            unsplit: false,
            remains: Remains::default(),
        }
    }
}
