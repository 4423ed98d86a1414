//! What of a text a pager shows, and how keys move it.
//!
//! The view draws the whole screen for each key: it knows the line and the piece of it that are at the top, and asks
//! the text for as many lines as fit. The text is read no further than that, except for searches, `G`, `%` and `=`.

mod key;
mod text;

use super::fit::{pieces, shown};
use crate::pattern::Pattern;
use text::AHEAD;

pub use text::Text;

/// How a pager shows its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// `more`: it ends with the text, and keeps what is on the screen.
    pub more: bool,
    /// `-N`: lines have their number before them.
    pub numbers: bool,
    /// `-S`: long lines are cut and not wrapped.
    pub chop: bool,
    /// `-R` and `-r`: colours of the text are shown.
    pub colours: bool,
    /// `-i` and `-I`: patterns without capitals match letters of either case.
    pub ignore_case: bool,
    /// `-s`: several empty lines are one.
    pub squeeze: bool,
}

/// What a key asks of whoever shows the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// To draw it.
    Draw,
    /// To end.
    Quit,
    /// To show the next text.
    Next,
    /// To show the one before.
    Previous,
}

/// What is typed behind `/`, `?` or `:`, and which of these.
struct Typing {
    kind: char,
    text: String,
}

/// A text, what of it is on the screen, and what is typed.
pub struct View {
    /// The text.
    pub text: Text,
    manner: Manner,
    /// The first line and which piece of it.
    top: (usize, usize),
    /// Columns that are left out at the left; with any, lines are not wrapped.
    left: usize,
    /// The columns and lines of the screen.
    size: (usize, usize),
    /// What was looked for last.
    pattern: Option<Pattern>,
    /// The last search went backwards (`?`).
    backwards: bool,
    typing: Option<Typing>,
    /// A number typed before a command.
    number: String,
    /// What was typed before a second letter: `ZZ`.
    before: Option<char>,
    /// What is said in the last line until the next key.
    message: Option<String>,
    /// Nothing was done yet: the name is shown.
    fresh: bool,
}

impl View {
    /// The beginning of a text.
    pub fn new(text: Text, manner: Manner, size: (usize, usize)) -> View {
        View {
            text,
            manner,
            top: (0, 0),
            left: 0,
            size,
            pattern: None,
            backwards: false,
            typing: None,
            number: String::new(),
            before: None,
            message: None,
            fresh: true,
        }
    }

    /// The screen has this size, as columns and lines.
    pub fn resize(&mut self, size: (usize, usize)) {
        if self.size != size {
            self.size = size;
            self.top.1 = 0;
        }
    }

    /// Whether all of the text was seen.
    pub fn has_ended(&mut self) -> bool {
        self.is_at_end()
    }

    /// Lines of text on the screen.
    fn page(&self) -> usize {
        self.size.1.saturating_sub(1).max(1)
    }

    /// The columns for text.
    fn width(&self) -> usize {
        let numbers = if self.manner.numbers { 8 } else { 0 };
        self.size.0.saturating_sub(numbers).max(1)
    }

    /// A line as it is shown, in pieces of one line of the screen; none behind the last.
    fn pieces(&mut self, number: usize) -> Option<Vec<Vec<u8>>> {
        let (width, left, manner) = (self.width(), self.left, self.manner);
        let line = self.text.line(number)?.to_vec();
        let matches = self.matches(&line);
        let shown = shown(&line, manner.colours, &matches);
        let chop = manner.chop || left > 0;
        let mut pieces = pieces(&shown, width, if chop { left } else { 0 });
        if chop {
            pieces.truncate(1);
        }
        Some(pieces)
    }

    /// Where the pattern matches in a line.
    fn matches(&self, line: &[u8]) -> Vec<(usize, usize)> {
        let Some(pattern) = &self.pattern else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((start, end)) = pattern.find_at(line, at).filter(|_| at <= line.len()) {
            if end > start {
                found.push((start, end));
            }
            at = end.max(start + 1);
        }
        found
    }

    /// Moves down by lines of the screen as far as there is text; whether it moved at all.
    fn down(&mut self, count: usize) -> bool {
        let mut moved = false;
        for _ in 0..count {
            if self.is_at_end() {
                break;
            }
            let pieces = self.pieces(self.top.0).map_or(0, |pieces| pieces.len());
            self.top = match self.top.1 + 1 < pieces {
                true => (self.top.0, self.top.1 + 1),
                false => (self.top.0 + 1, 0),
            };
            moved = true;
        }
        moved
    }

    /// Moves up by lines of the screen as far as there is text.
    fn up(&mut self, count: usize) {
        for _ in 0..count {
            self.top = match self.top {
                (0, 0) => return,
                (line, 0) => {
                    let pieces = self.pieces(line - 1).map_or(1, |pieces| pieces.len());
                    (line - 1, pieces.saturating_sub(1))
                }
                (line, piece) => (line, piece - 1),
            };
        }
    }

    /// Whether the last line is on the screen.
    fn is_at_end(&mut self) -> bool {
        let page = self.page();
        let (mut line, mut rows) = (self.top.0, 0);
        while rows <= page {
            let Some(pieces) = self.pieces(line) else {
                return true;
            };
            rows += pieces.len();
            if line == self.top.0 {
                rows -= self.top.1.min(pieces.len());
            }
            line += 1;
        }
        false
    }

    /// Whether the whole text is on one screen.
    pub fn fits(&mut self) -> bool {
        self.top == (0, 0) && self.is_at_end()
    }

    /// Shows the last page.
    fn show_end(&mut self) {
        let count = self.text.count();
        self.top = (count, 0);
        self.up(self.page());
    }

    /// Looks for the pattern from the line behind the top on, `count` times, and shows the line where it is at the
    /// top.
    fn search(&mut self, backwards: bool, count: usize) {
        if self.pattern.is_none() {
            self.message = Some("No previous regular expression".to_owned());
            return;
        }
        let mut line = self.top.0;
        for _ in 0..count {
            let found = match backwards {
                false => self.find(line + 1, usize::MAX),
                true => (0..line).rev().find(|&line| self.is_match(line)),
            };
            match found {
                Some(found) => line = found,
                None => {
                    self.message = Some("Pattern not found".to_owned());
                    return;
                }
            }
        }
        self.top = (line, 0);
    }

    /// The first line from `from` on and before `to` that the pattern matches.
    fn find(&mut self, from: usize, to: usize) -> Option<usize> {
        let mut line = from;
        while line < to {
            self.text.line(line)?;
            if self.is_match(line) {
                return Some(line);
            }
            line += 1;
        }
        None
    }

    /// Whether the pattern matches a line.
    fn is_match(&mut self, line: usize) -> bool {
        let Some(line) = self.text.line(line).map(<[u8]>::to_vec) else {
            return false;
        };
        let pattern = self.pattern.as_ref();
        pattern.is_some_and(|pattern| pattern.is_match(&line))
    }

    /// Looks for a pattern from the beginning: `+/PATTERN`, `-p`.
    pub fn begin_at(&mut self, pattern: &str) {
        self.look_for(pattern);
        if let Some(line) = self.find(0, usize::MAX) {
            self.top = (line, 0);
        }
    }

    /// Shows the end first: `+G`.
    pub fn begin_at_end(&mut self) {
        self.show_end();
    }

    /// What `=` tells.
    fn place(&mut self) -> String {
        let name = self.text.name.as_deref().unwrap_or(b"(standard input)");
        let name = String::from_utf8_lossy(name).into_owned();
        let lines = self.text.count();
        format!(
            "{name} lines {}-{}/{lines}",
            self.top.0 + 1,
            (self.top.0 + self.page()).min(lines)
        )
    }

    /// The last line of the screen.
    fn prompt(&mut self) -> Vec<u8> {
        if let Some(typing) = &self.typing {
            return format!("{}{}", typing.kind, typing.text).into_bytes();
        }
        let marked = |text: &[u8]| [b"\x1b[7m", text, b"\x1b[27m"].concat();
        if let Some(message) = &self.message {
            return marked(format!("{message}  (press RETURN)").as_bytes());
        }
        if self.manner.more {
            if self.text.name.is_some() {
                // A file does not let one wait.
                let _ = self.text.line(self.top.0 + AHEAD);
            }
            let (known, all) = self.text.known();
            let seen = (self.top.0 + self.page()).min(known);
            return marked(&match all && known > 0 {
                true => format!("--More--({}%)", seen * 100 / known).into_bytes(),
                false => b"--More--".to_vec(),
            });
        }
        if !self.number.is_empty() {
            return format!(":{}", self.number).into_bytes();
        }
        let at_end = self.is_at_end();
        match self.text.name.clone().filter(|_| self.fresh) {
            Some(name) if at_end => marked(&[&name, b" (END)".as_slice()].concat()),
            Some(name) => marked(&name),
            None if at_end => marked(b"(END)"),
            None => b":".to_vec(),
        }
    }

    /// What draws the screen anew: all rows from the top left, each cleared to its end, and the prompt.
    pub fn draw(&mut self) -> Vec<u8> {
        let mut rows = Vec::new();
        let (mut line, mut skipped) = self.top;
        while rows.len() < self.page() {
            let Some(pieces) = self.pieces(line) else {
                break;
            };
            let first = skipped == 0;
            for (at, piece) in pieces.into_iter().skip(skipped).enumerate() {
                let number = match (self.manner.numbers, first && at == 0) {
                    (false, _) => String::new(),
                    (true, true) => format!("\x1b[1m{:>7}\x1b[m ", line + 1),
                    (true, false) => " ".repeat(8),
                };
                rows.push([number.as_bytes(), &piece].concat());
            }
            skipped = 0;
            line += 1;
        }
        rows.truncate(self.page());
        let tilde = if self.manner.more { "" } else { "~" };
        rows.resize(self.page(), tilde.as_bytes().to_vec());
        let mut drawn = b"\x1b[?25l\x1b[H".to_vec();
        for row in rows {
            drawn.extend_from_slice(&row);
            drawn.extend_from_slice(b"\x1b[m\x1b[K\r\n");
        }
        drawn.extend_from_slice(&self.prompt());
        drawn.extend_from_slice(b"\x1b[K\x1b[?25h");
        drawn
    }

    /// The text from the top of the screen on as far as the screen goes: what `more` leaves behind.
    pub fn last_page(&mut self) -> Vec<u8> {
        let drawn = self.draw();
        let end = drawn.windows(2).rposition(|part| part == b"\r\n");
        let mut kept = drawn[..end.map_or(0, |at| at + 2)].to_vec();
        kept.extend_from_slice(b"\x1b[K\x1b[?25h");
        kept
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use offshoot_command::screen::Key;

    fn view(lines: usize, manner: Manner) -> View {
        let text: String = (1..=lines).map(|line| format!("line {line}\n")).collect();
        let input = std::io::Cursor::new(text.into_bytes());
        let text = Text::new(Some(b"file".to_vec()), Box::new(input), false);
        View::new(text, manner, (20, 5))
    }

    /// Rows without what moves and colours.
    fn rows(view: &mut View) -> Vec<String> {
        let mut text = String::new();
        let drawn = String::from_utf8(view.draw()).unwrap();
        let mut rest = drawn.chars();
        while let Some(character) = rest.next() {
            if character == '\x1b' {
                let _ = rest.by_ref().skip(1).find(char::is_ascii_alphabetic);
            } else {
                text.push(character);
            }
        }
        text.split("\r\n").map(str::to_owned).collect()
    }

    fn type_in(view: &mut View, typed: &str) -> Action {
        let mut action = Action::Draw;
        for character in typed.chars() {
            action = view.press(match character {
                '\n' => Key::Enter,
                '↑' => Key::Up,
                '↓' => Key::Down,
                '→' => Key::Right,
                character => Key::Character(character),
            });
        }
        action
    }

    #[test]
    fn keys_move_the_page() {
        let mut view = view(100, Manner::default());
        assert_eq!(
            rows(&mut view),
            ["line 1", "line 2", "line 3", "line 4", "file"]
        );
        for (typed, first, prompt) in [
            (" ", "line 5", ":"),
            ("f", "line 9", ":"),
            ("b", "line 5", ":"),
            ("d", "line 7", ":"),
            ("u", "line 5", ":"),
            ("j↓\n", "line 8", ":"),
            ("k↑", "line 6", ":"),
            ("G", "line 97", "(END)"),
            (" j", "line 97", "(END)"),
            ("g", "line 1", ":"),
            ("42G", "line 42", ":"),
            ("50p", "line 51", ":"),
            ("1g/ne 2\n", "line 2", ":"),
            ("n", "line 20", ":"),
            ("2n", "line 22", ":"),
            ("N", "line 21", ":"),
            ("?ne 1\n", "line 19", ":"),
            ("n", "line 18", ":"),
            ("/none\n", "line 18", "Pattern not found  (press RETURN)"),
            ("/(\n", "line 18", "Invalid pattern  (press RETURN)"),
            ("/ab", "line 18", "/ab"),
        ] {
            assert_eq!(type_in(&mut view, typed), Action::Draw);
            let rows = rows(&mut view);
            assert_eq!(
                (rows[0].as_str(), rows[4].as_str()),
                (first, prompt),
                "{typed}"
            );
        }
    }

    #[test]
    fn it_ends() {
        for typed in ["q", "Q", ":q\n", "ZZ"] {
            assert_eq!(
                type_in(&mut view(9, Manner::default()), typed),
                Action::Quit
            );
        }
        let more = Manner {
            more: true,
            ..Manner::default()
        };
        let mut view = view(9, more);
        assert_eq!(rows(&mut view)[4], "--More--(44%)");
        assert_eq!(type_in(&mut view, " "), Action::Draw);
        assert_eq!(type_in(&mut view, " "), Action::Quit);
    }

    #[test]
    fn long_lines_are_wrapped_or_chopped() {
        let make = |chop| {
            let input = std::io::Cursor::new(b"0123456789abcdefghijklmnopqrst\nnext\n".to_vec());
            let text = Text::new(None, Box::new(input), false);
            let manner = Manner {
                chop,
                numbers: true,
                ..Manner::default()
            };
            View::new(text, manner, (20, 5))
        };
        assert_eq!(
            rows(&mut make(false)),
            [
                "      1 0123456789ab",
                "        cdefghijklmn",
                "        opqrst",
                "      2 next",
                "(END)"
            ]
        );
        let mut chopped = make(true);
        assert_eq!(
            rows(&mut chopped)[..2],
            ["      1 0123456789ab", "      2 next"]
        );
        type_in(&mut chopped, "→");
        assert_eq!(
            rows(&mut chopped)[..2],
            ["      1 6789abcdefgh", "      2 "]
        );
    }
}
