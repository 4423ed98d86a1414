//! `break` and `continue`.

use std::rc::Rc;

use super::set_status;
use super::{Run, Trouble};
use crate::machine::Machine;
use crate::machine::code::Op;
use crate::machine::control::{is_of_builtin, negated, thrown};
use crate::machine::frame::{BlockKind, Frame};
use crate::machine::task::Task;
use crate::machine::trap::Event;

impl Machine {
    /// `break` and `continue` as commands: they may leave loops around the task, and such as were
    /// given up before, after which no command runs any more.
    pub(super) fn break_loops(&mut self, task: &mut Task, count: u32, again: bool) -> Run {
        let own = task.own_loop_depth();
        if count <= own || task.loop_depth() <= own {
            set_status(task, 0);
            return self.leave_loops(task, count, again, 0);
        }
        let status = negated(0, negations(&task.frames));
        Rc::make_mut(&mut task.state.traps).hide(Event::Exit);
        Err(Trouble::Exit(status))
    }

    /// Leaves loops of the task, with what each `!` around what runs makes of a status.
    pub(super) fn leave_loops(
        &mut self,
        task: &mut Task,
        count: u32,
        again: bool,
        mut status: u8,
    ) -> Run {
        let Some(index) = nth_loop(task, count) else {
            return Ok(());
        };
        let inner = task
            .frames
            .iter()
            .rposition(|frame| frame.heights.blocks <= index);
        let negations = match (inner, task.blocks.get(index).map(|block| &block.kind)) {
            (Some(at), Some(BlockKind::Loop(left))) => {
                let outer = begun(&task.frames[at], left.start as u32);
                outer + negations(&task.frames[at + 1..])
            }
            _ => 0,
        };
        let fulfilled = again && is_until_condition(task, index, inner);
        let ended = negated(status, negations);
        let timers = task.blocks.get(index).map(|block| block.heights.timers);
        self.report_times(task, timers.unwrap_or_default());
        while task
            .frames
            .last()
            .is_some_and(|frame| frame.heights.blocks > index)
        {
            let text = is_of_builtin(task.frames.last());
            status = negated(
                status,
                task.frames.last().map_or(0, |frame| begun(frame, 0)),
            );
            self.pop_frame(task);
            if text && status != 0 && task.ends_on_failure() {
                // The loops count as left: no command runs any more.
                Rc::make_mut(&mut task.state.traps).hide(Event::Exit);
                return Err(thrown(task, status));
            }
        }
        while task.blocks.len() > index + 1 {
            self.leave_block(task);
        }
        let Some(block) = task.blocks.last_mut() else {
            return Ok(());
        };
        let (heights, suppression) = (block.heights, block.suppression);
        let BlockKind::Loop(left) = &mut block.kind else {
            return Ok(());
        };
        let next = match (fulfilled, again) {
            (true, _) => left.exit - BEHIND_UNTIL,
            (_, true) => left.start,
            (_, false) => left.exit,
        };
        if !fulfilled {
            left.status = ended;
        }
        task.truncate(heights);
        if let Some(frame) = task.frames.last_mut() {
            frame.next = next;
            frame.suppression = suppression;
        }
        if !again {
            self.leave_block(task);
        }
        task.state.status = ended;
        Ok(())
    }
}

/// Instructions between the end of an `until` loop and what follows it.
const BEHIND_UNTIL: usize = 2;

/// Whether what runs is the condition of the `until` loop of a block and its frame: bash takes one that
/// `continue` leaves as fulfilled.
fn is_until_condition(task: &Task, block: usize, frame: Option<usize>) -> bool {
    let (Some(frame), Some(BlockKind::Loop(left))) = (
        frame.and_then(|at| task.frames.get(at)),
        task.blocks.get(block).map(|block| &block.kind),
    ) else {
        return false;
    };
    let ops = &frame.code.ops;
    let end = left.exit.saturating_sub(BEHIND_UNTIL);
    let tests = |op: &Op| matches!(op, Op::JumpIfSucceeded(to) if *to as usize == end);
    let rest = ops.iter().enumerate().skip(frame.next.max(left.start));
    matches!(
        ops.get(end..left.exit),
        Some([Op::RestoreStatus, Op::Leave])
    ) && rest
        .take_while(|(at, _)| *at < end)
        .any(|(_, op)| tests(op))
}

/// Where the loop is among the blocks that `count` leaves, or the outermost one.
fn nth_loop(task: &Task, count: u32) -> Option<usize> {
    let blocks = task.blocks.iter().enumerate().rev();
    let mut loops = blocks.filter(|(_, block)| matches!(block.kind, BlockKind::Loop(_)));
    let mut found = None;
    for _ in 0..count.max(1) {
        found = loops.next().or(found);
    }
    found.map(|(index, _)| index)
}

/// How many `!` surround what runs in a frame and began at `start` or later.
fn begun(frame: &Frame, start: u32) -> usize {
    let next = frame.next as u32;
    let around = |(begin, end): &&(u32, u32)| *begin >= start && *begin < next && next <= *end;
    frame.code.negations.iter().filter(around).count()
}

fn negations(frames: &[Frame]) -> usize {
    frames.iter().map(|frame| begun(frame, 0)).sum()
}
