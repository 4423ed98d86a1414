//! The lines, and what they were before the last command.

use std::rc::Rc;

/// A line without its end. It is the same line wherever it is moved, until it is changed.
pub type Line = Rc<Vec<u8>>;

/// What is edited: lines are counted from 1.
#[derive(Default)]
pub struct Buffer {
    lines: Vec<Line>,
    /// The current line; 0 before the first one.
    pub current: usize,
    /// What was cut or copied last.
    pub cut: Vec<Line>,
    marks: [Option<Line>; 26],
    is_changed: bool,
    /// What `u` brings back.
    before: Option<State>,
    /// The command that runs has changed something.
    is_begun: bool,
    /// The current line when it began.
    beginning: usize,
}

struct State {
    lines: Vec<Line>,
    current: usize,
    is_changed: bool,
}

impl Buffer {
    /// The number of the last line.
    pub fn last(&self) -> usize {
        self.lines.len()
    }

    /// The lines from one to another.
    pub fn lines(&self, from: usize, to: usize) -> &[Line] {
        let from = from.saturating_sub(1).min(self.lines.len());
        &self.lines[from..to.clamp(from, self.lines.len())]
    }

    /// A line; an empty one where there is none.
    pub fn line(&self, number: usize) -> Line {
        let line = number.checked_sub(1).and_then(|at| self.lines.get(at));
        line.cloned().unwrap_or_default()
    }

    /// Where a line is now.
    pub fn find(&self, line: &Line) -> Option<usize> {
        let found = self.lines.iter().position(|one| Rc::ptr_eq(one, line));
        found.map(|at| at + 1)
    }

    /// Whether there is something that was not written.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// All of it was written, or it may be lost.
    pub fn forget_changes(&mut self) {
        self.is_changed = false;
    }

    /// A command begins.
    pub fn keep(&mut self) {
        self.is_begun = false;
        self.beginning = self.current;
    }

    /// Makes room for lines, or removes some: those behind `after` up to `to` become `new`.
    pub fn replace(&mut self, after: usize, to: usize, new: impl IntoIterator<Item = Line>) {
        if !std::mem::replace(&mut self.is_begun, true) {
            // Pointers alone are copied.
            self.before = Some(State {
                current: self.beginning,
                ..self.state()
            });
        }
        let to = to.clamp(after, self.lines.len());
        self.lines.splice(after..to, new);
        self.is_changed = true;
    }

    fn state(&self) -> State {
        State {
            lines: self.lines.clone(),
            current: self.current,
            is_changed: self.is_changed,
        }
    }

    /// Appends lines behind one; the last of them is the current one.
    pub fn append(&mut self, after: usize, new: Vec<Line>) {
        self.current = after + new.len();
        if !new.is_empty() {
            self.replace(after, after, new);
        }
    }

    /// Cuts lines out; what follows them is the current line.
    pub fn delete(&mut self, from: usize, to: usize) {
        self.cut = self.lines(from, to).to_vec();
        self.replace(from - 1, to, []);
        self.current = from.min(self.last());
    }

    /// Undoes the last command that changed something; done again, that is undone.
    pub fn undo(&mut self) -> bool {
        let now = self.state();
        let Some(before) = self.before.take() else {
            return false;
        };
        self.before = Some(now);
        self.lines = before.lines;
        self.current = before.current;
        self.is_changed = before.is_changed;
        true
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let cut = std::mem::take(&mut self.cut);
        *self = Buffer {
            cut,
            ..Buffer::default()
        };
    }

    /// What was done so far can neither be undone nor lost.
    pub fn clear_history(&mut self) {
        self.before = None;
        self.is_changed = false;
    }

    /// Marks a line with a letter of the alphabet.
    pub fn mark(&mut self, letter: usize, line: usize) {
        self.marks[letter] = Some(self.line(line));
    }

    /// Where the line with a mark is.
    pub fn marked(&self, letter: usize) -> Option<usize> {
        self.find(self.marks[letter].as_ref()?)
    }
}
