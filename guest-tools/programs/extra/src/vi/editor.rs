//! What keys do in `vi`: an editor is a state machine over keys.
//!
//! `Editor::press` takes a key in the present mode. A command of the normal mode may have several keys (`3d2w`, `fx`);
//! what was typed of it is in `Pending`. `.` replays the keys of the last command that changed something, including
//! what was typed in insert mode, so there is one way through which changes come about. `u` goes back to copies of the
//! list of lines, in which lines are shared.

mod command;
mod operator;
mod search;

use offshoot_command::pattern::Pattern;
use offshoot_command::screen::Key;

use super::buffer::{Buffer, Place};
use super::motion;
use super::motion::Kind;

/// How keys are understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Keys are commands.
    Normal,
    /// What is typed is put in, or replaces what stands there.
    Insert {
        /// `R`: characters replace what stands there.
        over: bool,
    },
    /// A line behind `:`, `/` or `?`.
    Line {
        /// The key that began it.
        kind: char,
        text: String,
    },
}

/// What `d`, `y` and their kin took last, for `p`.
#[derive(Clone, Debug, Default)]
struct Register {
    /// The lines; the first and the last may be parts of lines.
    text: Vec<Vec<char>>,
    /// Whole lines, which are put between others.
    lines: bool,
}

/// What an editor wants from whoever runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Nothing outside of the editor.
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
    /// The count that is being typed.
    count: Option<usize>,
    /// `d`, `c`, `y`, `>` or `<` waits for a motion.
    operator: Option<char>,
    /// The count before the operator.
    times: Option<usize>,
    /// `f`, `r`, `g`, `Z` and so on wait for one more key.
    prefix: Option<char>,
}

/// An editor: text, cursor and mode.
pub struct Editor {
    /// The text.
    pub buffer: Buffer,
    /// Where the cursor is; `clamp` keeps it within the text.
    pub cursor: Place,
    /// How the next key is understood.
    pub mode: Mode,
    /// What the last row says; the next key of the normal mode clears it.
    pub message: String,
    /// The first line on the screen.
    pub top: usize,
    /// Whether lines are numbered.
    pub numbers: bool,
    /// The last pattern of a search or a substitution.
    pub pattern: Option<Pattern>,
    /// Lines of text on the screen.
    pub page: usize,
    /// The last search was `?`.
    backwards: bool,
    pending: Pending,
    register: Register,
    /// The last of `f`, `t`, `F` and `T`, and its character.
    found: Option<(char, char)>,
    /// The operator that a search is typed for.
    searching: Option<char>,
    /// The keys of the command under way.
    keys: Vec<Key>,
    /// The keys of the last command that changed something, for `.`.
    last: Vec<Key>,
    /// `.` is at work, so keys are not recorded.
    repeats: bool,
    /// The command under way has changed something.
    changes: bool,
}

impl Editor {
    /// An editor at the start of a text.
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

    /// Keeps the cursor in the text: on a character, or behind the last one in insert mode.
    pub fn clamp(&mut self) {
        self.cursor.0 = self.cursor.0.min(self.buffer.lines.len().saturating_sub(1));
        let length = self.buffer.len(self.cursor.0);
        let most = match self.mode {
            Mode::Insert { .. } => length,
            _ => length.saturating_sub(1),
        };
        self.cursor.1 = self.cursor.1.min(most);
    }

    /// Announces a change: `u` takes back what follows, and `.` does it again. It is called once for each command.
    pub fn change(&mut self) {
        self.buffer.remember(self.cursor);
        self.changes = true;
    }

    /// Begins to insert, or with `over` to replace.
    fn begin(&mut self, over: bool) {
        self.mode = Mode::Insert { over };
    }

    /// A key in insert mode.
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

    /// Types one character.
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

/// A place that stands for its line.
trait Lines {
    fn lines(self) -> (Place, Kind);
}

impl Lines for Place {
    fn lines(self) -> (Place, Kind) {
        (self, Kind::Lines)
    }
}
