//! Frames and blocks: where a task is, and what has to be put back when it leaves.

use std::rc::Rc;

use super::code::{Code, Op, Use};
use super::control::Suppression;
use super::descriptor::Descriptor;
use super::reader::Reader;
use super::run::replay::Replay;
use super::symbol::Symbol;
use super::trap::Event;
use crate::arithmetic::Paused;
use crate::builtin::Pending;
use crate::syntax::Remains;
use crate::text::Text;

/// Code under way.
pub struct Frame {
    /// The code.
    pub code: Rc<Code>,
    /// The next instruction.
    pub next: usize,
    /// What it is there for.
    pub role: Role,
    /// Heights of the task's stacks when the frame began.
    pub heights: Heights,
    /// The conditions around the present instruction.
    pub suppression: Suppression,
    /// The line of the caller.
    pub line: u32,
    /// The RETURN trap ran for it.
    pub returned: bool,
    /// The command that it belongs to began where no ERR trap was set.
    pub untrapped: bool,
    /// The next check runs no ERR trap: its command began before one was set.
    pub passes: bool,
}

impl Frame {
    /// The instruction that was done last.
    pub fn done(&self) -> Option<Op> {
        let at = self.next.checked_sub(1)?;
        self.code.ops.get(at).copied()
    }

    /// Whether the words of a loop are expanded, which has begun as far as `break` is concerned.
    pub fn is_in_loop_words(&self) -> bool {
        let next = self.next as u32;
        let around = |(begin, end): &(u32, u32)| *begin < next && next <= *end;
        self.code.loop_words.iter().any(around)
    }
}

/// What a frame is there for.
pub enum Role {
    /// Commands whose end is the end of the task.
    Task,
    /// A function's body.
    Function,
    /// Reads commands one at a time and runs each.
    Reader(Box<Reader>),
    /// An expansion run for the machine itself: its result is an operand or fields.
    Nested,
    /// The subscript that an arithmetic instruction waits for, and how it goes on.
    Subscript(Box<Evaluation>),
    /// The expansion that native code waits for.
    Replay(Box<Replay>),
    /// The last stage of a pipeline, run by the shell itself: the other stages, and how those that
    /// have ended did.
    LastStage(Vec<(crate::os::Pid, Option<u8>)>),
}

/// An arithmetic instruction under way.
#[derive(Debug)]
pub struct Evaluation {
    /// How far it came.
    pub paused: Paused,
    /// What becomes of its value.
    pub usage: Use,
}

/// What a trap's commands put back at their end.
#[derive(Debug, Clone)]
pub struct TrapSaved {
    /// What it was set for.
    pub event: Event,
    /// `$?` before.
    pub status: u8,
    /// `$PIPESTATUS` before.
    pub pipe_status: Text,
    /// The `wait` or `read` that goes on then, under the name that it was called by.
    pub wait: Option<(Text, Pending)>,
    /// What malformed texts had left behind.
    pub remains: Remains,
    /// [`Task::reads`](crate::machine::task::Task::reads) before.
    pub reads: bool,
}

/// Heights of the stacks of a task.
#[derive(Debug, Clone, Copy, Default)]
pub struct Heights {
    /// Blocks.
    pub blocks: usize,
    /// Marks.
    pub marks: usize,
    /// Words.
    pub words: usize,
    /// Operands.
    pub operands: usize,
    /// Expansions under way.
    pub expansions: usize,
    /// Compound assignments under way.
    pub arrays: usize,
    /// Pipelines that are timed.
    pub timers: usize,
}

/// Something to leave in order.
pub struct Block {
    /// What.
    pub kind: BlockKind,
    /// Heights of the stacks when it began.
    pub heights: Heights,
    /// Conditions that surrounded it.
    pub suppression: Suppression,
    /// Whether input is redirected, where it holds the redirects of a compound command.
    pub input: Option<bool>,
}

/// The kinds of block.
pub enum BlockKind {
    /// A loop.
    Loop(Loop),
    /// Redirects: what the numbers stood for.
    Redirects(Vec<(u32, Option<Rc<Descriptor>>)>),
    /// Assignments before a command: a call of kind `Environment`, or none where they last.
    Environment {
        /// There is a call to end.
        call: bool,
    },
}

/// A loop.
pub struct Loop {
    /// Where the next round begins.
    pub start: usize,
    /// What follows the loop.
    pub exit: usize,
    /// The status of the last round.
    pub status: u8,
    /// The words that are left, the next one last.
    pub words: Vec<Text>,
    /// The loop variable.
    pub symbol: Symbol,
}
