//! `vi`, `vim` and `view`: an editor on the whole screen, with the keys that most people know.
//!
//! The parts are layered: `buffer` is the text with its past, `motion` finds places in it, `editor` turns keys into
//! changes and into a `Wish` for whatever touches files, `ex` does the lines behind `:`, and `draw` makes a screen of
//! it. Nothing but this file and `offshoot_command::screen` does input or output, so tests press keys and look at the
//! text.
//!
//! One file is edited at a time; there are no windows, no visual mode, no named registers, no marks, no macros and no
//! configuration. Bytes that are not UTF-8 survive.

mod buffer;
mod draw;
mod editor;
mod ex;
mod motion;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;

use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::system::{self, NO_ENTRY};
use buffer::Buffer;
use editor::{Editor, Wish};
use offshoot_command::screen::Screen;

/// A file that is edited.
struct File {
    /// `None` where it has no name yet.
    path: Option<Vec<u8>>,
    /// It was asked for with `view` or `-R`.
    read_only: bool,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let (mut file, line) = match arguments(call) {
        Ok(found) => found,
        Err(status) => return status,
    };
    let (buffer, message) = match load(file.path.as_deref()) {
        Ok(found) => found,
        Err(failure) => return call.fail(1, failure),
    };
    let mut editor = Editor::new(buffer);
    editor.message = message;
    if let Some(line) = line {
        editor.execute(&line);
    }
    let mut screen = match Screen::take(true) {
        None => return call.fail(1, "standard output is not a terminal"),
        Some(Err(failure)) => return call.fail(1, failure),
        Some(Ok(screen)) => screen,
    };
    loop {
        let drawn = editor.draw(screen.size(), &file.name());
        screen.draw(&drawn);
        let Some(key) = screen.key() else {
            return 1;
        };
        let wish = editor.press(key);
        if let Some(status) = grant(&mut editor, &mut file, wish) {
            return status;
        }
    }
}

impl File {
    /// The name for the status line.
    fn name(&self) -> String {
        match &self.path {
            Some(path) => String::from_utf8_lossy(path).into_owned(),
            None => "[No Name]".to_owned(),
        }
    }
}

/// The file, and what to do first: `+LINE`, `+/PATTERN`.
fn arguments(call: &Call) -> Result<(File, Option<String>), i32> {
    let mut file = File {
        path: None,
        read_only: call.name == "view",
    };
    let mut first = None;
    let mut options = true;
    for argument in &call.arguments {
        match argument.as_slice() {
            b"--" if options => options = false,
            b"--help" if options => {
                println!("Usage: {} [-R] [+LINE] [FILE]", call.name);
                return Err(0);
            }
            b"--version" if options => {
                print!("{}", crate::model::version(&call.name));
                return Err(0);
            }
            b"-R" if options => file.read_only = true,
            [b'+', rest @ ..] if options => {
                let rest = String::from_utf8_lossy(rest).into_owned();
                first = Some(if rest.is_empty() {
                    "$".to_owned()
                } else {
                    rest
                });
            }
            // How it looks, and what it reads first, is always the same.
            b"-n" | b"-e" | b"-v" | b"-N" | b"-X" if options => {}
            [b'-', _, ..] if options => {
                let message = bytes!("Unknown option argument: \"", argument, "\"");
                return Err(call.fail(1, message));
            }
            _ if file.path.is_none() => file.path = Some(argument.clone()),
            _ => return Err(call.fail(1, "only one file can be edited at a time")),
        }
    }
    Ok((file, first))
}

/// The text of a file, and the message about it. A file that does not exist is an empty text.
fn load(path: Option<&[u8]>) -> Result<(Buffer, String), Vec<u8>> {
    let Some(path) = path else {
        return Ok((Buffer::new(b""), String::new()));
    };
    let name = String::from_utf8_lossy(path).into_owned();
    match system::open_file(path) {
        Ok(mut file) => {
            let mut content = Vec::new();
            file.read_to_end(&mut content)
                .map_err(|error| bytes!(path, ": ", system::Failure::from(error)))?;
            let buffer = Buffer::new(&content);
            let lines = content.iter().filter(|&&byte| byte == b'\n').count();
            let message = format!("\"{name}\" {lines}L, {}B", content.len());
            Ok((buffer, message))
        }
        Err(NO_ENTRY) => Ok((Buffer::new(b""), format!("\"{name}\" [New]"))),
        Err(failure) => Err(bytes!(path, ": ", failure)),
    }
}

/// Does what the editor asks for; a status where it is to end. What goes wrong becomes the editor's message.
fn grant(editor: &mut Editor, file: &mut File, wish: Wish) -> Option<i32> {
    const UNSAVED: &str = "No write since last change (add ! to override)";
    match wish {
        Wish::Nothing => {}
        Wish::Quit { force } if editor.buffer.changed && !force => {
            editor.message = UNSAVED.to_owned();
        }
        Wish::Quit { .. } => return Some(0),
        Wish::Write { path, quit, force } => {
            if write(editor, file, path, force) && quit {
                return Some(0);
            }
        }
        Wish::Read(path) => match system::read_whole(path.as_bytes()) {
            Ok(content) => {
                let text = Buffer::new(&content).lines;
                let text: Vec<_> = text.iter().map(|line| line.to_vec()).collect();
                editor.change();
                editor.buffer.insert_lines(editor.cursor.0 + 1, &text);
            }
            Err(failure) => editor.message = said(&bytes!(path, ": ", failure)),
        },
        Wish::Edit { force, .. } if editor.buffer.changed && !force => {
            editor.message = UNSAVED.to_owned();
        }
        Wish::Edit { path, .. } => {
            let path = path.map(String::into_bytes).or_else(|| file.path.clone());
            match load(path.as_deref()) {
                Ok((buffer, message)) => {
                    *editor = Editor::new(buffer);
                    editor.message = message;
                    file.path = path;
                }
                Err(message) => editor.message = said(&message),
            }
        }
    }
    None
}

/// A message as text.
fn said(message: &[u8]) -> String {
    String::from_utf8_lossy(message).into_owned()
}

/// Writes the text; whether that worked. A name that is given becomes the file's where it had none.
fn write(editor: &mut Editor, file: &mut File, path: Option<String>, force: bool) -> bool {
    let own = path.is_none();
    let Some(path) = path.map(String::into_bytes).or_else(|| file.path.clone()) else {
        editor.message = "No file name".to_owned();
        return false;
    };
    if own && file.read_only && !force {
        editor.message = "'readonly' option is set (add ! to override)".to_owned();
        return false;
    }
    let content = editor.buffer.bytes();
    let written = system::create_file(&path, false).and_then(|mut file| {
        use std::io::Write as _;
        Ok(file.write_all(&content)?)
    });
    match written {
        Ok(()) => {
            let lines = content.iter().filter(|&&byte| byte == b'\n').count();
            let name = String::from_utf8_lossy(&path).into_owned();
            editor.message = format!("\"{name}\" {lines}L, {}B written", content.len());
            if own || file.path.is_none() {
                editor.buffer.changed = false;
            }
            file.path.get_or_insert(path);
            true
        }
        Err(failure) => {
            editor.message = said(&bytes!(path, ": ", failure));
            false
        }
    }
}
