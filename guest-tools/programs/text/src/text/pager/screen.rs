//! Paging on a terminal: which file is shown, and what is shown of it first.

use crate::stream::eprintln;
use std::io::{Read, Write as _};

use super::view::{Action, Manner, Text, View};
use crate::call::Call;
use crate::system;
use offshoot_command::screen::Screen;

/// How to page, as the command line says.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    manner: Manner,
    /// `-F`: what fits on a screen is only printed.
    only_if_longer: bool,
    /// `-X`: what is on the screen is not put aside.
    in_place: bool,
    beginning: Beginning,
}

/// What is shown first.
#[derive(Clone, Debug, Default)]
enum Beginning {
    /// The first line.
    #[default]
    Start,
    /// The last page (`+G`).
    End,
    /// This line, counted from 1 (`+N`).
    Line(usize),
    /// The first line that matches (`+/PATTERN`, `-p`).
    Pattern(String),
}

/// What opens a file; it says itself what cannot be opened where it gives nothing.
type Opened = Option<Result<Box<dyn Read>, Vec<u8>>>;

impl Paging {
    /// The usual way of `less` or `more`, with the options of `$LESS`.
    pub fn new(less: bool) -> Paging {
        let mut paging = Paging::default();
        paging.manner.more = !less;
        paging.in_place = !less;
        if less && let Some(options) = crate::system::text_variable("LESS") {
            let letters = options
                .split_whitespace()
                .map(|word| word.trim_start_matches('-'));
            letters
                .flat_map(str::bytes)
                .for_each(|letter| paging.letter(letter));
        }
        paging
    }

    /// An option of one letter.
    pub fn letter(&mut self, letter: u8) {
        match letter {
            b's' => self.manner.squeeze = true,
            // The others of `more` are about how it draws.
            _ if self.manner.more => {}
            b'N' => self.manner.numbers = true,
            b'S' => self.manner.chop = true,
            b'R' | b'r' => self.manner.colours = true,
            b'i' | b'I' => self.manner.ignore_case = true,
            b'F' => self.only_if_longer = true,
            b'X' => self.in_place = true,
            _ => {}
        }
    }

    /// An option of one letter with a value.
    pub fn value(&mut self, letter: u8, value: &[u8]) {
        if letter == b'p' {
            self.beginning = Beginning::Pattern(String::from_utf8_lossy(value).into_owned());
        }
    }

    /// An option with a name.
    pub fn name(&mut self, name: &[u8]) {
        let letter = match name {
            b"LINE-NUMBERS" => b'N',
            b"chop-long-lines" => b'S',
            b"RAW-CONTROL-CHARS" | b"raw-control-chars" => b'R',
            b"ignore-case" | b"IGNORE-CASE" => b'i',
            b"squeeze-blank-lines" | b"squeeze" => b's',
            b"quit-if-one-screen" => b'F',
            b"no-init" => b'X',
            _ => return,
        };
        self.letter(letter);
    }

    /// `+COMMAND`: `/PATTERN`, `G`, `N` or `Ng`. Others are ignored.
    pub fn begin(&mut self, command: &[u8]) {
        let command = String::from_utf8_lossy(command);
        self.beginning = match command.strip_prefix('/') {
            Some(pattern) => Beginning::Pattern(pattern.to_owned()),
            None if command == "G" => Beginning::End,
            None => match command.trim_end_matches('g').parse() {
                Ok(line) => Beginning::Line(line),
                Err(_) => Beginning::Start,
            },
        };
    }

    /// Pages through the files, and returns the exit status; none where there is no terminal for it. What fits on a
    /// screen is printed only, by `more` and with `-F`, if there is one file.
    pub fn run(
        &self,
        call: &Call,
        files: &[Vec<u8>],
        open: impl Fn(&[u8]) -> Opened,
    ) -> Option<i32> {
        system::terminal_size(1)?;
        let (mut readable, mut status) = (Vec::new(), 0);
        for file in files {
            match open(file) {
                Some(Ok(input)) => readable.push((file, Some(input))),
                Some(Err(message)) => {
                    status = 1;
                    eprintln!("{}", String::from_utf8_lossy(&message));
                }
                None => status = 1,
            }
        }
        let mut at = 0;
        let mut screen = None;
        while let Some((file, input)) = readable.get_mut(at) {
            // One that is looked at again is read again.
            let input = match input.take().map(Ok).or_else(|| open(file)) {
                Some(Ok(input)) => input,
                _ => return Some(1),
            };
            let name = (*file != b"-").then(|| file.to_vec());
            let text = Text::new(name, input, self.manner.squeeze);
            let size = screen.as_ref().map_or_else(size, Screen::size);
            let mut view = View::new(text, self.manner, size);
            if files.len() == 1 && (self.only_if_longer || self.manner.more) && view.fits() {
                return Some(print(&mut view.text));
            }
            if screen.is_none() {
                screen = Some(match Screen::take(!self.in_place)? {
                    Ok(screen) => screen,
                    Err(failure) => return Some(call.fail(1, failure)),
                });
            }
            let shown = screen.as_mut()?;
            self.prepare(&mut view);
            at = match self.page(shown, &mut view) {
                Action::Next if at + 1 < files.len() => at + 1,
                // `more` goes on with the next file by itself.
                Action::Quit if self.manner.more && view.has_ended() => at + 1,
                Action::Previous => at.saturating_sub(1),
                Action::Next => at,
                _ => break,
            };
        }
        Some(status)
    }

    /// Shows what is to be shown first.
    fn prepare(&self, view: &mut View) {
        match &self.beginning {
            Beginning::Start => {}
            Beginning::End => view.begin_at_end(),
            Beginning::Line(line) => view.go_to(*line),
            Beginning::Pattern(pattern) => view.begin_at(pattern),
        }
    }

    /// Shows a text until another one is to be shown, or none.
    fn page(&self, screen: &mut Screen, view: &mut View) -> Action {
        loop {
            view.resize(screen.size());
            screen.draw(&view.draw());
            let action = screen.key().map_or(Action::Quit, |key| view.press(key));
            if action == Action::Draw {
                continue;
            }
            if self.manner.more {
                screen.draw(&view.last_page());
            } else if self.in_place {
                screen.draw(b"\r\x1b[K");
            }
            return action;
        }
    }
}

/// The columns and lines of the terminal.
fn size() -> (usize, usize) {
    let (columns, lines) = system::terminal_size(1).unwrap_or((80, 24));
    (usize::from(columns.max(1)), usize::from(lines.max(1)))
}

/// Prints a text as it is; gives the exit status.
fn print(text: &mut Text) -> i32 {
    let mut output = crate::stream::stdout().lock();
    let mut number = 0;
    while let Some(line) = text.line(number) {
        if output
            .write_all(line)
            .and_then(|()| output.write_all(b"\n"))
            .is_err()
        {
            return 1;
        }
        number += 1;
    }
    i32::from(output.flush().is_err())
}
