//! Loops and `case`.

use super::{Run, Trouble, set_status};
use crate::machine::Machine;
use crate::machine::code::Op;
use crate::machine::control;
use crate::machine::frame::{BlockKind, Loop};
use crate::machine::message::report;
use crate::machine::option::SetOption;
use crate::machine::scope;
use crate::machine::symbol::{Symbol, known};
use crate::machine::task::Task;
use crate::machine::value::Attributes;
use crate::text::Text;

impl Machine {
    pub(super) fn loop_instruction(&mut self, task: &mut Task, op: Op) -> Run {
        let next = task.frames.last().map_or(0, |frame| frame.next);
        match op {
            Op::Loop(exit) => begin_loop(task, next, exit, known::UNDERSCORE, Vec::new()),
            Op::LoopStep(exit) => begin_loop(task, next + 1, exit, known::UNDERSCORE, Vec::new()),
            Op::For(symbol, exit) => {
                let mut words = task.stacks.take_words();
                words.reverse();
                begin_for(task, next, exit, symbol, words);
            }
            Op::ForPositional(symbol, exit) => {
                let mut words = task.state.positional.as_slice().to_vec();
                words.reverse();
                begin_for(task, next, exit, symbol, words);
            }
            Op::ForTest => self.for_test(task),
            Op::ForDrop => {
                if let Some(inner) = innermost(task) {
                    inner.words.pop();
                }
            }
            Op::ForNext => return self.for_next(task),
            Op::SelectMenu => self.select_menu(task),
            Op::SelectNext => return self.select_next(task),
            Op::LoopName(index, ends) => return loop_name(task, index, ends),
            Op::KeepStatus => {
                let status = task.state.status;
                if let Some(inner) = innermost(task) {
                    inner.status = status;
                }
            }
            Op::RestoreStatus => {
                if let Some(inner) = innermost(task) {
                    task.state.status = inner.status;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn for_test(&mut self, task: &mut Task) {
        let Some(inner) = innermost(task) else {
            return;
        };
        if inner.words.is_empty() {
            let exit = inner.exit;
            self.leave_block(task);
            if let Some(frame) = task.frames.last_mut() {
                frame.next = exit;
            }
        }
    }

    fn for_next(&mut self, task: &mut Task) -> Run {
        let Some(inner) = innermost(task) else {
            return Ok(());
        };
        let symbol = inner.symbol;
        let word = inner.words.last().cloned().unwrap_or_default();
        let assigned = self.assign_loop(task, symbol, word);
        if task.begins_again() {
            return Err(Trouble::Discard(1));
        }
        if let Some(inner) = innermost(task) {
            inner.words.pop();
        }
        if assigned {
            return Ok(());
        }
        if task.state.options.on(SetOption::Posix) {
            return Err(crate::machine::expand::fatal(task));
        }
        if self.gives_up {
            return Err(Trouble::Discard(1));
        }
        self.leave_loops(task, 1, false, 1)
    }

    /// Gives the loop variable its next word.
    fn assign_loop(&mut self, task: &mut Task, symbol: Symbol, word: Text) -> bool {
        let attributes = task.state.variables.attributes(symbol);
        if attributes.has(Attributes::NAMEREF) {
            // A nameref as loop variable is pointed at each word.
            if scope::is_name(crate::machine::reference::split(&word).0) {
                task.state.variables.store(symbol, word);
                self.note_reference(task, symbol);
                return true;
            }
            let tail = b"': not a valid identifier".as_slice();
            report(task, &[b"`", word.as_bytes(), tail].concat());
            return false;
        }
        scope::set(self, task, symbol, word, false).is_ok()
    }

    /// Tests the subject of `case`.
    pub(super) fn case(&mut self, task: &mut Task, op: Op) {
        let (pattern, to) = match op {
            Op::CaseConstant(index, to) => {
                let code = task
                    .frames
                    .last()
                    .map(|frame| frame.code.clone())
                    .unwrap_or_default();
                (
                    self.constant_pattern(task, &code.patterns[index as usize], false),
                    to,
                )
            }
            Op::Case(to) => {
                let text = task.stacks.operand();
                (self.compiled_pattern(task, &text), to)
            }
            _ => return,
        };
        let matched = task
            .stacks
            .operands
            .last()
            .is_some_and(|subject| pattern.matches(subject));
        if matched && let Some(frame) = task.frames.last_mut() {
            frame.next = to as usize;
        }
    }
}

fn begin_loop(task: &mut Task, start: usize, exit: u32, symbol: Symbol, words: Vec<Text>) {
    let exit = exit as usize;
    task.push_block(BlockKind::Loop(Loop {
        start,
        exit,
        status: 0,
        words,
        symbol,
    }));
}

fn begin_for(task: &mut Task, start: usize, exit: u32, symbol: Symbol, words: Vec<Text>) {
    if words.is_empty() {
        task.state.status = 0;
    }
    begin_loop(task, start, exit, symbol, words);
}

/// The innermost block, where it is a loop.
pub(in crate::machine) fn innermost(task: &mut Task) -> Option<&mut Loop> {
    match task.blocks.last_mut().map(|block| &mut block.kind) {
        Some(BlockKind::Loop(inner)) => Some(inner),
        _ => None,
    }
}

/// The same, to look at.
pub(super) fn innermost_of(task: &Task) -> Option<&Loop> {
    match task.blocks.last().map(|block| &block.kind) {
        Some(BlockKind::Loop(inner)) => Some(inner),
        _ => None,
    }
}

fn loop_name(task: &mut Task, index: u32, ends: bool) -> Run {
    let frame = task.frames.last();
    let name = frame
        .and_then(|frame| frame.code.texts.get(index as usize))
        .cloned();
    let name = name.unwrap_or_default();
    report(
        task,
        &[b"`", name.as_bytes(), b"': not a valid identifier"].concat(),
    );
    if ends && task.state.options.on(SetOption::Posix) && !task.state.interactive {
        return Err(control::thrown(task, 2));
    }
    set_status(task, 1);
    Ok(())
}

/// Keeps the status of an arm of `case` below the subject: other patterns are looked at.
pub(super) fn keep_case_status(task: &mut Task) {
    let place = task.stacks.operands.len().saturating_sub(2);
    if let Some(kept) = task.stacks.operands.get_mut(place) {
        *kept = Text::from(i64::from(task.state.status));
    }
}

/// The status that was kept there: no other pattern matched.
pub(super) fn restore_case_status(task: &mut Task) {
    let kept = task.stacks.operands.iter().rev().nth(1);
    task.state.status = kept.and_then(status_of).unwrap_or(0);
}

/// `$?` is the topmost operand again, which stays.
pub(super) fn restore_kept_status(task: &mut Task) {
    let status = task.stacks.operands.last().and_then(status_of);
    // That of a substitution since is newer.
    task.state.status = task.substituted.or(status).unwrap_or_default();
}

fn status_of(text: &Text) -> Option<u8> {
    let number = crate::arithmetic::plain_integer(text)?;
    u8::try_from(number).ok()
}
