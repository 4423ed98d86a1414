//! Keys of the normal mode.
//!
//! `[COUNT]COMMAND`, `[COUNT]OPERATOR[COUNT]MOTION` or `[COUNT]PREFIX CHARACTER`. The order in which a key is looked
//! at: a prefix that waits takes it, then digits and prefixes, then an operator that waits, then motions (`operator`),
//! then the commands here.
//!
//! Commands: `i a I A R o O` insert; `x X s S D C Y` are operators with their motion; `J ~ p P u ^R .` change; `^F ^B
//! ^D ^U` scroll; `: / ?` begin a line; `ZZ` and `ZQ` end.

use offshoot_command::screen::Key;

use super::search::turned;
use super::{Editor, Lines as _, Mode, Pending, Register, Wish};
use crate::vi::motion;
use crate::vi::motion::Kind;

impl Editor {
    /// A key in normal mode.
    pub(super) fn normal(&mut self, key: Key) -> Wish {
        self.message.clear();
        if let Some(prefix) = self.pending.prefix.take() {
            return self.prefixed(prefix, key);
        }
        match key {
            Key::Escape | Key::Control('c') => {
                self.pending = Pending::default();
                return Wish::Nothing;
            }
            Key::Character(digit @ '0'..='9') if digit != '0' || self.pending.count.is_some() => {
                let before = self.pending.count.unwrap_or(0);
                let digit = digit.to_digit(10).unwrap_or(0) as usize;
                self.pending.count = Some((before * 10 + digit).min(1_000_000));
                return Wish::Nothing;
            }
            Key::Character(prefix @ ('f' | 'F' | 't' | 'T' | 'g')) => {
                self.pending.prefix = Some(prefix);
                return Wish::Nothing;
            }
            _ => {}
        }
        if let Some(operator) = self.pending.operator {
            self.operate(operator, key);
            return Wish::Nothing;
        }
        let pending = std::mem::take(&mut self.pending);
        if let Key::Character(prefix @ ('d' | 'c' | 'y' | '>' | '<')) = key {
            self.pending.operator = Some(prefix);
            self.pending.times = pending.count;
            return Wish::Nothing;
        }
        if let Key::Character(prefix @ ('r' | 'Z')) = key {
            self.pending.prefix = Some(prefix);
            self.pending.count = pending.count;
            return Wish::Nothing;
        }
        if let Some((to, _)) = self.motion(key, pending.count) {
            self.cursor = to;
            return Wish::Nothing;
        }
        self.command(key, pending.count.unwrap_or(1))
    }

    /// A command with a letter before: `gg`, `fx`, `rx`, `ZZ`.
    fn prefixed(&mut self, prefix: char, key: Key) -> Wish {
        let Key::Character(character) = key else {
            self.pending = Pending::default();
            return Wish::Nothing;
        };
        let (count, operator) = (self.pending.count, self.pending.operator);
        let target = match (prefix, character) {
            ('Z', 'Z') => {
                self.pending = Pending::default();
                return self.execute("x");
            }
            ('Z', 'Q') => return Wish::Quit { force: true },
            ('r', _) => {
                self.pending = Pending::default();
                let ((line, at), count) = (self.cursor, count.unwrap_or(1));
                if at + count <= self.buffer.len(line) {
                    self.change();
                    if let Some(line) = self.buffer.line(line) {
                        line[at..at + count].fill(character);
                    }
                    self.cursor.1 = at + count - 1;
                }
                return Wish::Nothing;
            }
            ('g', 'g') => {
                let last = self.buffer.lines.len().saturating_sub(1);
                let line = count.unwrap_or(1).saturating_sub(1).min(last);
                Some((line, motion::first(&self.buffer, line)).lines())
            }
            ('f' | 't' | 'F' | 'T', wanted) => {
                self.found = Some((prefix, wanted));
                let times = count.unwrap_or(1);
                let to = motion::find(&self.buffer, self.cursor, prefix, wanted, times);
                let kind = if prefix.is_lowercase() {
                    Kind::With
                } else {
                    Kind::Before
                };
                to.map(|to| (to, kind))
            }
            _ => None,
        };
        self.pending = Pending::default();
        match (target, operator) {
            (Some((to, kind)), Some(operator)) => self.apply(operator, to, kind),
            (Some((to, _)), None) => self.cursor = to,
            (None, _) => {}
        }
        Wish::Nothing
    }

    /// A command that is no motion and no operator; what is unknown does nothing.
    fn command(&mut self, key: Key, count: usize) -> Wish {
        let (line, at) = self.cursor;
        let length = self.buffer.len(line);
        match key {
            Key::Character(kind @ (':' | '/' | '?')) => {
                let text = String::new();
                self.mode = Mode::Line { kind, text };
            }
            Key::Character(kind @ ('i' | 'a' | 'I' | 'A' | 'R')) => {
                self.change();
                self.cursor.1 = match kind {
                    'a' => (at + 1).min(length),
                    'I' => motion::first(&self.buffer, line),
                    'A' => length,
                    _ => at,
                };
                self.begin(kind == 'R');
            }
            Key::Character(kind @ ('o' | 'O')) => {
                self.change();
                let new = line + usize::from(kind == 'o');
                self.buffer.insert_lines(new, &[Vec::new()]);
                self.cursor = (new, 0);
                self.begin(false);
            }
            Key::Character('x') | Key::Delete if length > 0 => {
                self.apply('d', (line, (at + count).min(length)), Kind::Before);
            }
            Key::Character('X') if at > 0 => {
                self.apply('d', (line, at.saturating_sub(count)), Kind::Before);
            }
            Key::Character('s') => self.apply('c', (line, (at + count).min(length)), Kind::Before),
            Key::Character('S') => self.apply('c', (line, 0), Kind::Lines),
            Key::Character('Y') => self.apply('y', (line, 0), Kind::Lines),
            Key::Character('D') => self.apply('d', (line, length), Kind::Before),
            Key::Character('C') => self.apply('c', (line, length), Kind::Before),
            Key::Character('J') => self.join(count.max(2) - 1),
            Key::Character('~') if length > 0 => {
                self.change();
                let end = (at + count).min(length);
                if let Some(line) = self.buffer.line(line) {
                    for one in &mut line[at..end] {
                        *one = turned(*one);
                    }
                }
                self.cursor.1 = end;
            }
            Key::Character(kind @ ('p' | 'P')) => self.paste(kind == 'p', count),
            Key::Character('u') => self.take_back(false, count),
            Key::Control('r') => self.take_back(true, count),
            Key::Character('.') => return self.repeat(count),
            Key::Control('f') | Key::PageDown => self.scroll(self.page as isize * count as isize),
            Key::Control('b') | Key::PageUp => self.scroll(-(self.page as isize * count as isize)),
            Key::Control('d') => self.scroll(self.page as isize / 2),
            Key::Control('u') => self.scroll(-(self.page as isize) / 2),
            _ => {}
        }
        Wish::Nothing
    }

    /// Moves cursor and screen by a number of lines, up where it is negative.
    fn scroll(&mut self, lines: isize) {
        let last = self.buffer.lines.len().saturating_sub(1);
        self.cursor.0 = self.cursor.0.saturating_add_signed(lines).min(last);
        self.top = self.top.saturating_add_signed(lines).min(last);
    }

    /// `J`: the next line comes behind this one, with a space in the place of its indentation, this many times.
    fn join(&mut self, times: usize) {
        self.change();
        for _ in 0..times {
            let line = self.cursor.0;
            if line + 1 >= self.buffer.lines.len() {
                break;
            }
            let end = self.buffer.len(line);
            let next = motion::first(&self.buffer, line + 1);
            let empty = self.buffer.len(line + 1) == 0;
            self.buffer.cut((line, end), (line + 1, next));
            if end > 0 && !empty {
                self.buffer.insert((line, end), &[vec![' ']]);
            }
            self.cursor.1 = end;
        }
    }

    /// `p` and `P`: puts the register behind or before the cursor, or the line where it has whole lines.
    fn paste(&mut self, after: bool, count: usize) {
        let Register { text, lines } = self.register.clone();
        if text.is_empty() {
            return;
        }
        self.change();
        for _ in 0..count {
            let (line, at) = self.cursor;
            if lines {
                let to = line + usize::from(after);
                self.buffer.insert_lines(to, &text);
                self.cursor = (to, motion::first(&self.buffer, to));
            } else {
                let at = (at + usize::from(after)).min(self.buffer.len(line));
                let end = self.buffer.insert((line, at), &text);
                self.cursor = (end.0, end.1.saturating_sub(1));
            }
        }
    }

    /// `u`, or with `again` `^R`.
    fn take_back(&mut self, again: bool, count: usize) {
        for _ in 0..count {
            match self.buffer.undo(self.cursor, again) {
                Some(place) => self.cursor = place,
                None => {
                    let which = if again { "newest" } else { "oldest" };
                    self.message = format!("Already at {which} change");
                    return;
                }
            }
        }
    }

    /// `.`: presses the keys of the last change again.
    fn repeat(&mut self, count: usize) -> Wish {
        let keys = self.last.clone();
        self.repeats = true;
        for _ in 0..count {
            for key in &keys {
                self.press(*key);
            }
        }
        self.repeats = false;
        self.changes = false;
        Wish::Nothing
    }
}
