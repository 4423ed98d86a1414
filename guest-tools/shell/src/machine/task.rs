//! A task: a shell or subshell under way.

use std::collections::VecDeque;
use std::rc::Rc;

use super::code::Code;
use super::context::ArrayArgument;
use super::control::{Control, Suppression};
use super::descriptor::Descriptor;
use super::frame::{Block, BlockKind, Frame, Heights, Role};
use super::job::Jobs;
use super::output::Output;
use super::process::Seen;
use super::run::replay::Replaying;
use super::stacks::Stacks;
use super::state::State;
use crate::applet::Running;
use crate::builtin::{Flow, Lookup, Pending};
use crate::os::{Interest, Pid};
use crate::text::Text;

/// The place of a task in the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TaskId(pub(crate) usize);

/// A task.
pub struct Task {
    /// Its place.
    pub(crate) id: TaskId,
    /// Its number.
    pub pid: Pid,
    /// The task that started it.
    pub(crate) parent: Option<TaskId>,
    /// The execution that it belongs to.
    pub execution: usize,
    /// The state of its shell.
    pub state: State,
    /// Code under way, the innermost last.
    pub frames: Vec<Frame>,
    /// Blocks of all frames.
    pub blocks: Vec<Block>,
    /// What instructions work on.
    pub stacks: Stacks,
    /// Compound arguments of the command under way.
    pub array_arguments: Vec<(usize, ArrayArgument)>,
    /// The line that runs.
    pub line: u32,
    /// The line that the ERR trap is told.
    pub checked_line: u32,
    /// What builtins wrote and is not delivered yet.
    pub output: Output,
    /// Its jobs.
    pub jobs: Jobs,
    /// What it waits for.
    pub waiting: Option<Waiting>,
    /// What the system has to be asked for while it waits.
    pub interests: Vec<Interest>,
    /// A signal lets it stand still, until SIGCONT.
    pub paused: bool,
    /// Signals that arrived.
    pub signals: VecDeque<u8>,
    /// INT arrived while a command ran in the foreground, which is to say whether the shell ends by it.
    pub interrupted: bool,
    /// The status of the last substitution of the command under way.
    pub substituted: Option<u8>,
    /// Whether the last condition of `for (( ))` was zero.
    pub zero: bool,
    /// `$_` before the command under way.
    pub before_command: Text,
    /// The command of `$BASH_COMMAND`.
    pub command: Text,
    /// Complete commands that it has read.
    pub commands_read: u64,
    /// Whether a command takes the place of the shell.
    pub exec: Exec,
    /// The builtin under way is a special one of POSIX.
    pub special: bool,
    /// The last simple command that ran in it was `eval` or `source`: a syntax error in their text ends
    /// the shell in POSIX mode, one behind other commands does not.
    pub reads: bool,
    /// The builtin whose output is delivered.
    pub builtin: Option<&'static str>,
    /// What the rules of failures and ends have to know.
    pub control: Control,
    /// Descriptors of process substitutions: how many frames there were, and the number.
    pub process_descriptors: Vec<(usize, u32)>,
    /// When `time` began: monotonic nanoseconds, and whether the portable format is wanted.
    pub timers: Vec<(u64, bool)>,
    /// What an interactive shell does before it reads a command.
    pub prompt: Prompt,
    /// The last builtin was `jobs`, or `exit`, which warned of jobs that stand still: another `exit` ends the shell.
    pub warned: bool,
    /// The DEBUG trap refused the command to come.
    pub refused: bool,
    /// How others see it.
    pub(crate) seen: Seen,
    /// The native code under way that may have to wait for an expansion; none between instructions.
    pub(crate) replaying: Option<Box<Replaying>>,
}

/// How far `exec` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exec {
    /// There is none.
    None,
    /// The shell ends with the command under way.
    Begun,
    /// The command could not be started.
    Failed,
}

impl Exec {
    /// Whether a command takes the place of the shell.
    pub fn is_begun(self) -> bool {
        self != Exec::None
    }
}

/// How far an interactive shell is with its prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// `$PROMPT_COMMAND` is to run.
    Due,
    /// It runs; `$?` before it.
    Running(u8),
    /// The prompt was shown.
    Shown,
    /// A line was read since, and does not make a command yet.
    Answered,
}

/// What a task goes on with when it is woken.
pub enum Waiting {
    /// A foreground pipeline or subshell: processes and their statuses.
    Tasks {
        /// Processes.
        pids: Vec<Pid>,
        /// Their statuses.
        statuses: Vec<Option<u8>>,
        /// The command as text, for the message that a signal ended it; none of a pipeline.
        text: Option<Text>,
    },
    /// A command substitution.
    Substitution {
        /// The process.
        pid: Pid,
        /// Its status.
        status: Option<u8>,
        /// Where its output comes out.
        reader: Rc<Descriptor>,
        /// The output so far.
        output: Vec<u8>,
        /// Between double quotes.
        quoted: bool,
    },
    /// Output of a builtin that did not fit, and what the builtin returned.
    Output(Flow),
    /// A builtin that waits.
    Builtin {
        /// Its name.
        name: Text,
        /// Where it is.
        pending: Pending,
    },
    /// A process of the system.
    Child {
        /// Its number.
        pid: Pid,
        /// Its name.
        name: Text,
        /// The command as text.
        text: Text,
    },
    /// A command that is not started yet: because the execution is held, or the chain of builtins
    /// before it is long.
    Held {
        /// The command.
        words: Vec<Text>,
        /// How it is looked up.
        lookup: Option<Lookup>,
    },
    /// An applet.
    Applet(Running),
    /// `$(< file)`: bytes that did not fit.
    Copy(Vec<u8>),
    /// The redirect under way: the other side of a FIFO is not open yet.
    Opening(Rc<Descriptor>),
    /// The input under way is tried again.
    Input,
    /// `select` reads its answer.
    Select(Vec<u8>),
    /// The rest of an output after which the task ends.
    LastWords,
}

impl Task {
    /// A task that begins with `code`.
    pub fn new(id: TaskId, parent: Option<TaskId>, execution: usize, state: State) -> Task {
        Task {
            id,
            pid: state.pid,
            parent,
            execution,
            state,
            frames: Vec::with_capacity(4),
            blocks: Vec::new(),
            stacks: Stacks::default(),
            array_arguments: Vec::new(),
            line: 0,
            checked_line: 0,
            output: Output::default(),
            jobs: Jobs::default(),
            waiting: None,
            interests: Vec::new(),
            paused: false,
            signals: VecDeque::new(),
            interrupted: false,
            substituted: None,
            zero: false,
            before_command: Text::new(),
            command: Text::new(),
            commands_read: 0,
            exec: Exec::None,
            special: false,
            reads: false,
            builtin: None,
            control: Control::default(),
            process_descriptors: Vec::new(),
            timers: Vec::new(),
            prompt: Prompt::Due,
            warned: false,
            refused: false,
            seen: Seen::default(),
            replaying: None,
        }
    }

    /// The present heights of the stacks.
    pub fn heights(&self) -> Heights {
        Heights {
            blocks: self.blocks.len(),
            marks: self.stacks.marks.len(),
            words: self.stacks.words.len(),
            operands: self.stacks.operands.len(),
            expansions: self.stacks.expansions.len(),
            arrays: self.stacks.arrays.len(),
            timers: self.timers.len(),
        }
    }

    /// Drops what is above `heights`, but for blocks.
    pub fn truncate(&mut self, heights: Heights) {
        self.stacks.marks.truncate(heights.marks);
        self.stacks.words.truncate(heights.words);
        self.stacks.operands.truncate(heights.operands);
        self.stacks.expansions.truncate(heights.expansions);
        self.stacks.arrays.truncate(heights.arrays);
        self.timers.truncate(heights.timers);
    }

    /// Begins a frame.
    pub fn push_frame(&mut self, code: Rc<Code>, role: Role) {
        let suppression = Suppression::new(self.suppressed());
        self.frames.push(Frame {
            code,
            next: 0,
            role,
            heights: self.heights(),
            suppression,
            line: self.line,
            returned: false,
            untrapped: false,
            passes: false,
        });
    }

    /// Begins a block.
    pub fn push_block(&mut self, kind: BlockKind) {
        let frame = self.frames.last();
        let suppression = frame.map_or(Suppression::default(), |frame| frame.suppression);
        self.blocks.push(Block {
            kind,
            heights: self.heights(),
            suppression,
            input: None,
        });
    }

    /// Whether the compound command around, or what is piped to it, gives the input: commands in the
    /// background read that then, and else nothing.
    pub fn has_input(&self) -> bool {
        let of_block = self.blocks.iter().rev().find_map(|block| block.input);
        of_block.unwrap_or(self.state.has_input)
    }

    /// Whether the builtin under way has assignments before it that it sees.
    pub fn in_own_environment(&self) -> bool {
        let floor = self.frames.last().map_or(0, |frame| frame.heights.blocks);
        let own = self.blocks.get(floor..).unwrap_or_default();
        let redirects = |block: &&Block| matches!(block.kind, BlockKind::Redirects(_));
        let block = own.iter().rev().find(|block| !redirects(block));
        let kind = block.map(|block| &block.kind);
        matches!(kind, Some(BlockKind::Environment { call: true }))
    }

    /// What messages about arithmetic begin with: the name of the builtin under way.
    pub fn command_name(&self) -> Vec<u8> {
        self.builtin
            .map_or_else(Vec::new, |name| format!("{name}: ").into_bytes())
    }

    /// Whether native code under way is given up because it begins again.
    pub fn begins_again(&self) -> bool {
        let replaying = self.replaying.as_ref();
        replaying.is_some_and(|replaying| replaying.is_given_up())
    }
}
