//! The machine: compiles commands and runs them on an explicit stack, in tasks that take turns.
//!
//! A [`Machine`] is one instance of the shell. [`Machine::session`] makes the state of a shell,
//! [`Machine::start`] an execution on it, and [`Machine::poll`] runs whatever can run. Nothing
//! blocks, and scripts do not use the native stack however deep they nest.

mod absent;
mod arithmetic;
pub mod call;
mod code;
mod compile;
mod condition;
pub mod context;
mod control;
pub mod descriptor;
mod execution;
mod expand;
mod external;
mod frame;
pub mod function;
pub(crate) mod hash;
mod held;
mod history;
pub(crate) mod history_expansion;
pub mod history_file;
mod image;
mod interpreter;
mod invocation;
pub mod job;
mod message;
mod meter;
mod nested;
pub mod option;
mod output;
pub mod path;
mod pipeline;
mod process;
mod prompt;
mod reader;
mod redirect;
pub(crate) mod reference;
mod restricted;
mod run;
mod save;
mod scheduler;
pub(crate) mod scope;
mod select;
mod special;
mod stacks;
mod startup;
pub mod state;
pub mod symbol;
mod task;
mod time;
mod trace;
pub mod trap;
mod usage;
pub mod value;
pub mod variables;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use self::descriptor::Ready;
use self::execution::Execution;
use self::hash::FastBuild;
use self::meter::Meter;
use self::symbol::{Symbol, Symbols, known};
use self::task::{Task, TaskId};
use self::value::Value;
use crate::arithmetic::{Evaluator, Expression};
use crate::os::{Identity, Os, Pid, TaskInfo};
use crate::pattern::regex::Regex;
use crate::pattern::{self, Pattern};
use crate::text::Text;

pub(crate) use condition::ShellFacts;
pub use execution::{ExecutionId, Outcome, Progress, Request, Session, Setup, Source};
pub use expand::{change_case, compound};
#[cfg(feature = "programs")]
pub(crate) use external::is_standard;
pub use image::{SuspendError, Suspended};
pub use save::StateError;
pub(crate) use special::version_of;

/// How many compiled patterns are kept.
const PATTERNS: usize = 256;
/// How many compiled regular expressions are kept: they take more than patterns.
const REGEXES: usize = 16;
/// Bytes that one word may expand to where there is no budget.
const DEFAULT_EXPANSION: usize = 1 << 28;

/// A resource that is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Instructions.
    Steps,
    /// Nesting.
    Depth,
    /// Bytes written.
    Output,
    /// Bytes of one expansion.
    Expansion,
    /// Bytes of variables.
    Variables,
}

/// What an execution may use; 0 means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budgets {
    /// Instructions of the machine.
    pub steps: u64,
    /// Nesting of functions, substitutions, subshells, `eval` and `source`.
    pub depth: u32,
    /// Bytes written by builtins.
    pub output: u64,
    /// Bytes that one word expansion may produce.
    pub expansion: u64,
    /// Bytes that variables hold.
    pub variables: u64,
}

/// One instance of the shell.
pub struct Machine {
    os: Rc<dyn Os>,
    symbols: Symbols,
    tasks: Vec<Option<Box<Task>>>,
    free: Vec<usize>,
    ready: Ready,
    /// Ends of tasks that their parents have not heard of: parent, process, status.
    mail: Vec<(TaskId, Pid, u8)>,
    /// Processes that a signal ended, whose parents do not know it yet.
    killed: Vec<(Pid, u8)>,
    executions: Vec<Option<Execution>>,
    /// The number of the newest task; none before the first.
    last_pid: Option<Pid>,
    /// Who runs, which stays the same as long as the instance.
    identity: OnceCell<Identity>,
    /// The tasks that others know of.
    announced: Vec<TaskInfo>,
    /// Tasks or what they run changed since.
    changed: bool,
    /// Parsed expressions by their text.
    expressions: HashMap<Text, Rc<Expression>, FastBuild>,
    evaluators: Vec<Evaluator>,
    patterns: HashMap<(Text, pattern::Options), Rc<Pattern>, FastBuild>,
    regexes: HashMap<(Text, pattern::Options), Rc<Regex>, FastBuild>,
    /// Builtins that run one another.
    chain: u32,
    /// What applets did in this turn, in instructions.
    applet_steps: u32,
    /// What the applet under way may write, and what it did.
    meter: Rc<Meter>,
    /// Expansions that run within one another on the native stack.
    nesting: u32,
    /// Namerefs to elements whose subscripts have to be evaluated.
    references: Vec<Symbol>,
    /// An expression failed where bash gives up everything up to the top: in a subscript or in the
    /// value of an integer.
    pub(crate) gives_up: bool,
    /// The same, and the shell ends with this status.
    pub(crate) ends: Option<u8>,
}

impl Machine {
    /// An instance over a system, which is not asked for anything yet.
    pub fn new(os: Rc<dyn Os>) -> Machine {
        Machine {
            symbols: Symbols::default(),
            tasks: Vec::new(),
            free: Vec::new(),
            ready: Ready::default(),
            mail: Vec::new(),
            killed: Vec::new(),
            executions: Vec::new(),
            last_pid: None,
            identity: OnceCell::new(),
            announced: Vec::new(),
            changed: false,
            expressions: HashMap::default(),
            evaluators: Vec::new(),
            patterns: HashMap::default(),
            regexes: HashMap::default(),
            chain: 0,
            applet_steps: 0,
            meter: Rc::default(),
            nesting: 0,
            references: Vec::new(),
            gives_up: false,
            ends: None,
            os,
        }
    }

    fn identity(&self) -> &Identity {
        self.identity.get_or_init(|| self.os.identity())
    }

    /// The number of the newest task, or the one before the first.
    fn last_pid(&self) -> Pid {
        let first = || process::first_pid(self.identity().pid);
        self.last_pid.unwrap_or_else(first)
    }

    fn new_pid(&mut self) -> Pid {
        let pid = self.last_pid() + 1;
        self.last_pid = Some(pid);
        pid
    }

    fn budgets(&self, execution: usize) -> Budgets {
        let found = self.executions.get(execution).and_then(Option::as_ref);
        found.map_or_else(Budgets::default, |execution| execution.budgets)
    }

    fn expansion_limit(&self, task: &Task) -> usize {
        match self.budgets(task.execution).expansion {
            0 => DEFAULT_EXPANSION,
            limit => usize::try_from(limit).unwrap_or(usize::MAX),
        }
    }

    fn check_expansion(&self, task: &mut Task, size: usize) -> run::Run {
        if size > 65_536 && size > self.expansion_limit(task) {
            message::report(task, b"expansion: result too large");
            return Err(run::Trouble::Exceeded(Limit::Expansion));
        }
        Ok(())
    }

    /// Whether a character is a byte: the locale is C or POSIX.
    fn bytewise(&mut self, task: &Task) -> bool {
        for symbol in [known::LC_ALL, known::LC_CTYPE, known::LANG] {
            if let Value::Text(text) = task.state.variables.value(symbol)
                && !text.is_empty()
            {
                return matches!(text.as_bytes(), b"C" | b"POSIX");
            }
        }
        true
    }

    /// The compiled expression; none where the text is none.
    fn regex_with(&mut self, text: &Text, options: pattern::Options) -> Option<Rc<Regex>> {
        let key = (text.clone(), options);
        if let Some(regex) = self.regexes.get(&key) {
            return Some(regex.clone());
        }
        let regex = Rc::new(Regex::new(text, options).ok()?);
        if self.regexes.len() >= REGEXES {
            self.regexes.clear();
        }
        self.regexes.insert(key, regex.clone());
        Some(regex)
    }

    fn pattern_with(&mut self, text: &Text, options: pattern::Options) -> Rc<Pattern> {
        let key = (text.clone(), options);
        if let Some(pattern) = self.patterns.get(&key) {
            return pattern.clone();
        }
        let pattern = Rc::new(Pattern::new(text, options));
        if self.patterns.len() >= PATTERNS {
            self.patterns.clear();
        }
        self.patterns.insert(key, pattern.clone());
        pattern
    }
}
