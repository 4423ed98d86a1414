//! What keys do in `vi`.

use super::buffer::{Buffer, Place};
use super::motion::{self, Kind};
use offshoot_command::pattern::{Dialect, Pattern, Settings};
use offshoot_command::screen::Key;

/// How keys are understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    Normal,
    /// What is typed is put in, or replaces what stands there.
    Insert {
        over: bool,
    },
    /// A line behind `:`, `/` or `?`.
    Line {
        kind: char,
        text: String,
    },
}

/// What was taken with `d`, `y` and their kin.
#[derive(Clone, Debug, Default)]
struct Register {
    text: Vec<Vec<char>>,
    lines: bool,
}

/// What an editor wants from whoever runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    Nothing,
    /// To write to this file, or its own, and then to end where `quit` says so.
    Write {
        path: Option<String>,
        quit: bool,
        force: bool,
    },
    /// To read this file in, at the cursor.
    Read(String),
    /// To edit another file.
    Edit {
        path: Option<String>,
        force: bool,
    },
    Quit {
        force: bool,
    },
}

/// A command of keys that is not whole yet.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    count: Option<usize>,
    operator: Option<char>,
    /// The count before the operator.
    times: Option<usize>,
    /// `f`, `r`, `g`, `Z` and so on wait for one more key.
    prefix: Option<char>,
}

pub struct Editor {
    pub buffer: Buffer,
    pub cursor: Place,
    pub mode: Mode,
    pub message: String,
    /// The first line on the screen.
    pub top: usize,
    pub numbers: bool,
    pub pattern: Option<Pattern>,
    /// Lines of text on the screen.
    pub page: usize,
    backwards: bool,
    pending: Pending,
    register: Register,
    found: Option<(char, char)>,
    /// The operator that a search is typed for.
    searching: Option<char>,
    /// Keys of the command under way, and of the last one that changed something.
    keys: Vec<Key>,
    last: Vec<Key>,
    repeats: bool,
    changes: bool,
}

impl Editor {
    pub fn new(buffer: Buffer) -> Editor {
        Editor {
            buffer,
            cursor: (0, 0),
            mode: Mode::Normal,
            message: String::new(),
            top: 0,
            numbers: false,
            pattern: None,
            page: 23,
            backwards: false,
            pending: Pending::default(),
            register: Register::default(),
            found: None,
            searching: None,
            keys: Vec::new(),
            last: Vec::new(),
            repeats: false,
            changes: false,
        }
    }

    /// Does what a key means.
    pub fn press(&mut self, key: Key) -> Wish {
        if !self.repeats {
            self.keys.push(key);
        }
        let wish = match self.mode.clone() {
            Mode::Normal => self.normal(key),
            Mode::Insert { over } => {
                self.insert(key, over);
                Wish::Nothing
            }
            Mode::Line { kind, text } => self.line(key, kind, text),
        };
        let whole = self.mode == Mode::Normal
            && self.pending.prefix.is_none()
            && self.pending.operator.is_none()
            && self.pending.count.is_none();
        if whole && !self.repeats {
            let keys = std::mem::take(&mut self.keys);
            if std::mem::take(&mut self.changes) {
                self.last = keys;
            }
        }
        self.clamp();
        wish
    }

    /// Keeps the cursor in the text.
    pub fn clamp(&mut self) {
        self.cursor.0 = self.cursor.0.min(self.buffer.lines.len().saturating_sub(1));
        let length = self.buffer.len(self.cursor.0);
        let most = match self.mode {
            Mode::Insert { .. } => length,
            _ => length.saturating_sub(1),
        };
        self.cursor.1 = self.cursor.1.min(most);
    }

    /// What is done now can be taken back, and done again.
    pub fn change(&mut self) {
        self.buffer.remember(self.cursor);
        self.changes = true;
    }

    fn begin(&mut self, over: bool) {
        self.mode = Mode::Insert { over };
    }

    fn insert(&mut self, key: Key, over: bool) {
        let (line, at) = self.cursor;
        match key {
            Key::Escape | Key::Control('c') => {
                self.mode = Mode::Normal;
                self.cursor.1 = at.saturating_sub(1);
            }
            Key::Enter => {
                self.cursor = self.buffer.insert((line, at), &[Vec::new(), Vec::new()]);
            }
            Key::Tab => self.put('\t', over),
            Key::Character(character) => self.put(character, over),
            Key::Backspace | Key::Control('h') if at > 0 => {
                self.buffer.cut((line, at - 1), (line, at));
                self.cursor.1 -= 1;
            }
            Key::Backspace | Key::Control('h') if line > 0 => {
                let end = self.buffer.len(line - 1);
                self.buffer.cut((line - 1, end), (line, 0));
                self.cursor = (line - 1, end);
            }
            Key::Control('w') => {
                let from = motion::word_back(&self.buffer, self.cursor, false);
                let from = if from.0 == line { from } else { (line, 0) };
                self.buffer.cut(from, (line, at));
                self.cursor = from;
            }
            Key::Control('u') => {
                self.buffer.cut((line, 0), (line, at));
                self.cursor.1 = 0;
            }
            Key::Delete => drop(self.buffer.cut((line, at), (line, at + 1))),
            Key::Up | Key::Down | Key::Left | Key::Right | Key::Home | Key::End => {
                if let Some((to, _)) = self.motion(key, None) {
                    self.cursor = to;
                }
                if key == Key::End || key == Key::Right {
                    let length = self.buffer.len(self.cursor.0);
                    let next = if key == Key::End { length } else { at + 1 };
                    self.cursor.1 = next.min(length);
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, character: char, over: bool) {
        let (line, at) = self.cursor;
        if let Some(line) = self.buffer.line(line) {
            if over && at < line.len() {
                line[at] = character;
            } else {
                line.insert(at.min(line.len()), character);
            }
        }
        self.cursor.1 += 1;
    }

    fn line(&mut self, key: Key, kind: char, mut text: String) -> Wish {
        match key {
            Key::Escape | Key::Control('c') => {
                self.mode = Mode::Normal;
                self.searching = None;
            }
            Key::Backspace | Key::Control('h') if text.pop().is_none() => self.mode = Mode::Normal,
            Key::Enter => {
                self.mode = Mode::Normal;
                if kind == ':' {
                    return self.execute(&text);
                }
                self.backwards = kind == '?';
                let (operator, before) = (self.searching.take(), self.cursor);
                if self.look_for(&text) {
                    self.search(self.backwards);
                }
                if let Some(operator) = operator
                    && self.cursor != before
                {
                    let to = std::mem::replace(&mut self.cursor, before);
                    self.apply(operator, to, Kind::Before);
                }
            }
            key => {
                if let Key::Character(character) = key {
                    text.push(character);
                }
                self.mode = Mode::Line { kind, text };
            }
        }
        Wish::Nothing
    }

    /// Takes over a pattern; nothing means the last one. False where there is none.
    pub fn look_for(&mut self, text: &str) -> bool {
        if !text.is_empty() {
            match Pattern::new(text.as_bytes(), &Settings::new(Dialect::Basic)) {
                Ok(pattern) => self.pattern = Some(pattern),
                Err(error) => {
                    self.message = error;
                    return false;
                }
            }
        }
        if self.pattern.is_none() {
            self.message = "No previous regular expression".to_owned();
        }
        self.pattern.is_some()
    }

    /// Goes to the next match, and on at the other end of the text.
    fn search(&mut self, backwards: bool) {
        let Some(pattern) = &self.pattern else {
            return;
        };
        let (lines, (line, at)) = (self.buffer.lines.len(), self.cursor);
        let found = (0..=lines).find_map(|step| {
            let number = match backwards {
                false => (line + step) % lines,
                true => (line + lines - step) % lines,
            };
            let starts = starts(pattern, &self.buffer.lines[number]);
            let mut fitting = starts.into_iter().filter(|&start| match (step, backwards) {
                (0, false) => start > at,
                (0, true) => start < at,
                _ => true,
            });
            let start = if backwards {
                fitting.next_back()
            } else {
                fitting.next()
            };
            Some((number, start?))
        });
        match found {
            Some(place) => self.cursor = place,
            None => self.message = "Pattern not found".to_owned(),
        }
    }

    /// Where a motion leads, and what it covers.
    fn motion(&mut self, key: Key, count: Option<usize>) -> Option<(Place, Kind)> {
        let ((line, at), times) = (self.cursor, count.unwrap_or(1));
        let last = self.buffer.lines.len().saturating_sub(1);
        let again = |from: Place, step: fn(&Buffer, Place, bool) -> Place, big| {
            (0..times).fold(from, |place, _| step(&self.buffer, place, big))
        };
        Some(match key {
            Key::Character('h') | Key::Left | Key::Backspace => {
                ((line, at.saturating_sub(times)), Kind::Before)
            }
            Key::Character('l' | ' ') | Key::Right => (
                (line, (at + times).min(self.buffer.len(line))),
                Kind::Before,
            ),
            Key::Character('j') | Key::Down | Key::Control('n' | 'j') => {
                ((line + times).min(last), at).lines()
            }
            Key::Character('k') | Key::Up | Key::Control('p') => {
                (line.saturating_sub(times), at).lines()
            }
            Key::Character('+') | Key::Enter => {
                let to = (line + times).min(last);
                (to, motion::first(&self.buffer, to)).lines()
            }
            Key::Character('-') => {
                let to = line.saturating_sub(times);
                (to, motion::first(&self.buffer, to)).lines()
            }
            Key::Character('0') | Key::Home => ((line, 0), Kind::Before),
            Key::Character('^') => ((line, motion::first(&self.buffer, line)), Kind::Before),
            Key::Character('$') | Key::End => {
                let to = (line + times - 1).min(last);
                ((to, self.buffer.len(to).saturating_sub(1)), Kind::With)
            }
            Key::Character(kind @ ('w' | 'W')) => {
                (again(self.cursor, motion::word, kind == 'W'), Kind::Before)
            }
            Key::Character(kind @ ('b' | 'B')) => (
                again(self.cursor, motion::word_back, kind == 'B'),
                Kind::Before,
            ),
            Key::Character(kind @ ('e' | 'E')) => (
                again(self.cursor, motion::word_end, kind == 'E'),
                Kind::With,
            ),
            Key::Character('G') => {
                let to = count
                    .map_or(last, |count| count.saturating_sub(1))
                    .min(last);
                (to, motion::first(&self.buffer, to)).lines()
            }
            Key::Character('{') => (motion::paragraph(&self.buffer, line, false), Kind::Before),
            Key::Character('}') => (motion::paragraph(&self.buffer, line, true), Kind::Before),
            Key::Character('%') => (motion::bracket(&self.buffer, self.cursor)?, Kind::With),
            Key::Character('H') => (self.top.min(last), 0).lines(),
            Key::Character('M') => ((self.top + self.page / 2).min(last), 0).lines(),
            Key::Character('L') => ((self.top + self.page - 1).min(last), 0).lines(),
            Key::Character(kind @ (';' | ',')) => {
                let (how, wanted) = self.found?;
                let how = match (kind, how) {
                    (';', how) => how,
                    (_, how) if how.is_lowercase() => how.to_ascii_uppercase(),
                    (_, how) => how.to_ascii_lowercase(),
                };
                let to = motion::find(&self.buffer, self.cursor, how, wanted, times)?;
                (
                    to,
                    if how.is_lowercase() {
                        Kind::With
                    } else {
                        Kind::Before
                    },
                )
            }
            Key::Character(kind @ ('n' | 'N')) => {
                let before = self.cursor;
                for _ in 0..times {
                    self.search(self.backwards != (kind == 'N'));
                }
                (std::mem::replace(&mut self.cursor, before), Kind::Before)
            }
            _ => return None,
        })
    }

    fn normal(&mut self, key: Key) -> Wish {
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

    /// An operator and the key behind it.
    fn operate(&mut self, operator: char, key: Key) {
        let pending = std::mem::take(&mut self.pending);
        let count = match (pending.times, pending.count) {
            (None, count) | (count, None) => count,
            (Some(times), Some(count)) => Some(times * count),
        };
        if let Key::Character(kind @ ('/' | '?')) = key {
            self.searching = Some(operator);
            let text = String::new();
            self.mode = Mode::Line { kind, text };
            return;
        }
        if key == Key::Character(operator) {
            let last = self.buffer.lines.len().saturating_sub(1);
            let to = (self.cursor.0 + count.unwrap_or(1) - 1).min(last);
            return self.apply(operator, (to, 0), Kind::Lines);
        }
        let key = match (operator, key) {
            // `cw` leaves the space behind the word.
            ('c', Key::Character('w')) if self.is_in_word() => Key::Character('e'),
            ('c', Key::Character('W')) if self.is_in_word() => Key::Character('E'),
            (_, key) => key,
        };
        let Some((mut to, kind)) = self.motion(key, count) else {
            return;
        };
        let word = matches!(key, Key::Character('w' | 'W'));
        if word && to.0 > self.cursor.0 && to.1 <= motion::first(&self.buffer, to.0) {
            // The last word of a line does not take the end of the line along.
            to = (to.0 - 1, self.buffer.len(to.0 - 1));
        }
        self.apply(operator, to, kind);
    }

    fn is_in_word(&self) -> bool {
        self.buffer
            .at(self.cursor)
            .is_some_and(|one| !one.is_whitespace())
    }

    fn apply(&mut self, operator: char, to: Place, kind: Kind) {
        let (mut from, mut to) = (self.cursor.min(to), self.cursor.max(to));
        if operator != 'y' {
            self.change();
        }
        if matches!(operator, '>' | '<') {
            for line in from.0..=to.0 {
                self.shift(line, operator == '>');
            }
            self.cursor = (from.0, motion::first(&self.buffer, from.0));
            return;
        }
        if kind == Kind::Lines {
            let text: Vec<_> = (from.0..=to.0)
                .map(|line| self.buffer.lines[line].to_vec())
                .collect();
            self.register = Register { text, lines: true };
            match operator {
                'd' => {
                    self.buffer.cut_lines(from.0, to.0);
                    let line = from.0.min(self.buffer.lines.len() - 1);
                    self.cursor = (line, motion::first(&self.buffer, line));
                }
                'c' => {
                    self.buffer.cut_lines(from.0, to.0);
                    if self.buffer.lines.len() > 1 || self.buffer.len(0) > 0 {
                        self.buffer.insert_lines(from.0, &[Vec::new()]);
                    }
                    self.cursor = (from.0, 0);
                    self.begin(false);
                }
                _ => self.cursor.0 = from.0,
            }
            return;
        }
        if kind == Kind::With {
            to.1 = (to.1 + 1).min(self.buffer.len(to.0));
        }
        from.1 = from.1.min(self.buffer.len(from.0));
        let text = match operator {
            'y' => self.buffer.copy(from, to),
            _ => self.buffer.cut(from, to),
        };
        self.register = Register { text, lines: false };
        self.cursor = from;
        if operator == 'c' {
            self.begin(false);
        }
    }

    fn shift(&mut self, line: usize, right: bool) {
        let Some(line) = self.buffer.line(line) else {
            return;
        };
        match right {
            true if !line.is_empty() => line.insert(0, '\t'),
            true => {}
            false if line.first() == Some(&'\t') => drop(line.remove(0)),
            false => {
                let spaces = line.iter().take(8).take_while(|one| **one == ' ').count();
                line.drain(..spaces);
            }
        }
    }

    /// A command that is no motion and no operator.
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

    fn scroll(&mut self, lines: isize) {
        let last = self.buffer.lines.len().saturating_sub(1);
        self.cursor.0 = self.cursor.0.saturating_add_signed(lines).min(last);
        self.top = self.top.saturating_add_signed(lines).min(last);
    }

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

/// Where a pattern matches in a line, in characters.
pub fn starts(pattern: &Pattern, line: &[char]) -> Vec<usize> {
    let text: String = line.iter().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at <= text.len()
        && let Some((start, end)) = pattern.find_at(text.as_bytes(), at)
    {
        found.push(text.get(..start).map_or(0, |before| before.chars().count()));
        at = end.max(start + 1);
    }
    found
}

fn turned(one: char) -> char {
    let other = match one.is_uppercase() {
        true => one.to_lowercase().next(),
        false => one.to_uppercase().next(),
    };
    other.unwrap_or(one)
}

/// A place that stands for its line.
trait Lines {
    fn lines(self) -> (Place, Kind);
}

impl Lines for Place {
    fn lines(self) -> (Place, Kind) {
        (self, Kind::Lines)
    }
}
