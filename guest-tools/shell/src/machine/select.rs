//! `select`

use super::context::Failed;
use super::descriptor::{Direction, ReadStep};
use super::run::{Run, Trouble, innermost};
use super::symbol::known;
use super::task::{Task, Waiting};
use super::{Machine, scope};
use crate::text::Text;

/// The width that the menu is fitted to where `$COLUMNS` says nothing.
const WIDTH: usize = 80;
/// What stands between the number and the word of an item.
const SEPARATOR: &str = ") ";
/// Places from one tab stop to the next.
const TAB: usize = 8;

impl Machine {
    /// Prints the menu.
    pub(super) fn select_menu(&mut self, task: &mut Task) {
        let words: Vec<Text> = match innermost(task) {
            Some(inner) => inner.words.iter().rev().cloned().collect(),
            None => Vec::new(),
        };
        let columns = self.symbols.find(b"COLUMNS");
        let columns = columns.and_then(|symbol| scope::get(self, task, symbol));
        let columns = columns.and_then(|text| crate::arithmetic::plain_integer(text.trim_ascii()));
        let columns = columns.and_then(|number| usize::try_from(number).ok());
        let width = columns.filter(|columns| *columns > 0).unwrap_or(WIDTH);
        let menu = menu(&words, width);
        task.output.push(2, &menu);
    }

    /// Prompts and reads an answer.
    pub(super) fn select_next(&mut self, task: &mut Task) -> Run {
        if innermost(task).is_none_or(|inner| inner.words.is_empty()) {
            self.leave_select(task, 0);
            return Ok(());
        }
        let prompt = scope::get(self, task, known::PS3).unwrap_or_else(|| Text::from("#? "));
        task.output.push(2, &prompt);
        let _ = self.deliver(task);
        self.resume_select(task, Vec::new())
    }

    fn leave_select(&mut self, task: &mut Task, status: u8) {
        let exit = innermost(task).map(|inner| inner.exit);
        self.leave_block(task);
        if let (Some(exit), Some(frame)) = (exit, task.frames.last_mut()) {
            frame.next = exit;
        }
        task.state.status = status;
    }

    /// Goes on reading the answer.
    pub(super) fn resume_select(&mut self, task: &mut Task, line: Vec<u8>) -> Run {
        let mut line = line;
        let Some(open) = task.state.descriptors.get(0).cloned() else {
            self.leave_select(task, 1);
            return Ok(());
        };
        match open.read_to(b'\n', usize::MAX, &mut line) {
            Ok(ReadStep::Delimiter) => {}
            Ok(ReadStep::Blocked) => {
                self.wait_descriptor(task, &open, Direction::Read);
                task.waiting = Some(Waiting::Select(line));
                return Err(Trouble::Blocked);
            }
            _ => {
                task.output.push(1, b"\n");
                let _ = self.deliver(task);
                self.leave_select(task, 1);
                return Ok(());
            }
        }
        let reply = Text::from(line);
        let failed = |Failed| Trouble::Discard(1);
        scope::set(self, task, known::REPLY, reply.clone(), false).map_err(failed)?;
        if reply.trim_ascii().is_empty() {
            // An empty answer shows the menu again.
            self.select_menu(task);
            return self.select_next(task);
        }
        let Some(inner) = innermost(task) else {
            return Ok(());
        };
        let number = crate::arithmetic::plain_integer(reply.trim_ascii()).unwrap_or(0);
        let at = usize::try_from(number - 1).ok();
        let chosen = at.and_then(|at| inner.words.iter().rev().nth(at)).cloned();
        let symbol = inner.symbol;
        if scope::set(self, task, symbol, chosen.unwrap_or_default(), false).is_err() {
            if self.gives_up {
                return Err(Trouble::Discard(1));
            }
            self.leave_select(task, 1);
        }
        Ok(())
    }
}

/// The menu in columns, as bash prints it within a width.
fn menu(words: &[Text], width: usize) -> Vec<u8> {
    let length = |word: &Text| word.to_string_lossy().chars().count();
    let digits = |number: usize| number.to_string().len();
    let longest = words.iter().map(length).max().unwrap_or(0);
    let cell = longest + digits(words.len()) + SEPARATOR.len() + 2;
    let columns = (width / cell).max(1);
    let rows = words.len().div_ceil(columns).max(1);
    // One row is shown as one column.
    let rows = if rows == 1 { words.len() } else { rows };
    let mut text = Vec::new();
    for row in 0..rows {
        let mut start = 0;
        for (at, word) in words.iter().enumerate().skip(row).step_by(rows) {
            let room = match start {
                0 => digits(rows),
                _ => digits(words.len()),
            };
            text.extend_from_slice(format!("{:>room$}{SEPARATOR}", at + 1).as_bytes());
            text.extend_from_slice(word);
            if at + rows < words.len() {
                let end = start + room + SEPARATOR.len() + length(word);
                indent(&mut text, end, start + cell);
            }
            start += cell;
        }
        text.push(b'\n');
    }
    text
}

/// Fills up from one place of a line to another, with tabs where these help.
fn indent(text: &mut Vec<u8>, from: usize, to: usize) {
    let mut at = from;
    while at < to {
        if to / TAB > at / TAB {
            text.push(b'\t');
            at += TAB - at % TAB;
        } else {
            text.push(b' ');
            at += 1;
        }
    }
}
