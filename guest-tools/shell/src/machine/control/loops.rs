//! The loops around what runs, for `break` and `continue`.

use crate::machine::frame::{Block, BlockKind, Frame, Role};
use crate::machine::task::Task;

impl Task {
    /// How many loops of the innermost function surround what runs, those of the tasks around it
    /// included.
    pub fn loop_depth(&self) -> u32 {
        let in_function = self
            .frames
            .iter()
            .any(|frame| matches!(frame.role, Role::Function));
        let around = if in_function {
            0
        } else {
            self.control.around.loops
        };
        around + self.own_loop_depth() + self.given_up_loops()
    }

    /// Those of the innermost function that were given up.
    fn given_up_loops(&self) -> u32 {
        let inner = self.frames.iter().rev();
        let inner = inner.take_while(|frame| !matches!(frame.role, Role::Function));
        let given_up = inner.map(|frame| match &frame.role {
            Role::Reader(reader) => reader.given_up,
            _ => 0,
        });
        given_up.sum()
    }

    /// Loops of a frame and those above it, functions that they call aside.
    pub fn loops_within(&self, frame: usize) -> u32 {
        let floor = self.frames[frame].heights.blocks;
        let call = self.frames[frame + 1..]
            .iter()
            .find(|frame| matches!(frame.role, Role::Function));
        let end = call.map_or(self.blocks.len(), |frame| frame.heights.blocks);
        let called = |frame: &&Frame| !matches!(frame.role, Role::Function);
        let own = self.frames[frame..].iter().take(1);
        let above = self.frames[frame + 1..].iter().take_while(called);
        let begun = own.chain(above).filter(|frame| frame.is_in_loop_words());
        count_loops(&self.blocks[floor..end]) + begun.count() as u32
    }

    /// The same without the loops around the task.
    pub fn own_loop_depth(&self) -> u32 {
        let boundary = |frame: &&Frame| matches!(frame.role, Role::Function | Role::Task);
        let floor = self
            .frames
            .iter()
            .rev()
            .find(boundary)
            .map_or(0, |frame| frame.heights.blocks);
        count_loops(self.blocks.get(floor..).unwrap_or(&[]))
    }
}

fn count_loops(blocks: &[Block]) -> u32 {
    let loops = blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Loop(_)));
    loops.count() as u32
}
