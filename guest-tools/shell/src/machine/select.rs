//! `select`

use super::context::Failed;
use super::descriptor::{Direction, ReadStep};
use super::run::{Run, Trouble, innermost};
use super::symbol::known;
use super::task::{Task, Waiting};
use super::{Machine, scope};
use crate::text::Text;

/// The width that the menu is fitted to.
const WIDTH: usize = 80;

impl Machine {
    /// Prints the menu.
    pub(super) fn select_menu(&mut self, task: &mut Task) {
        let words: Vec<Text> = match innermost(task) {
            Some(inner) => inner.words.iter().rev().cloned().collect(),
            None => Vec::new(),
        };
        let menu = menu(&words);
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

/// The menu: columns as bash prints them.
fn menu(words: &[Text]) -> Vec<u8> {
    let digits = words.len().to_string().len();
    let longest = words.iter().map(|word| word.len()).max().unwrap_or(0) + digits + 2;
    let cell = longest + 2;
    let columns = (WIDTH / cell).max(1);
    let rows = words.len().div_ceil(columns);
    let columns = if rows == 0 {
        0
    } else {
        words.len().div_ceil(rows)
    };
    let (rows, columns) = if rows == 1 {
        (columns, 1)
    } else {
        (rows, columns)
    };
    let mut text = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let at = column * rows + row;
            let Some(word) = words.get(at) else {
                continue;
            };
            let number = format!("{:>digits$}) ", at + 1);
            text.extend_from_slice(number.as_bytes());
            text.extend_from_slice(word);
            if (column + 1) * rows + row < words.len() {
                text.resize(text.len() + cell - digits - 2 - word.len(), b' ');
            }
        }
        text.push(b'\n');
    }
    text
}
