//! The console of the user, where no line editor has it: keys as they come, lines that are not shown.

use anyhow::Context;
use console::{Key, Term};
use std::thread;
use tokio::sync::mpsc;

/// The columns and lines of the console; 80 and 24 where it does not say.
pub fn size() -> (u16, u16) {
    let size = Term::stdout().size_checked();
    size.map_or((80, 24), |(lines, columns)| (columns, lines))
}

/// What is typed, key by key, until this is dropped; one more key is taken then, and lost, since nothing ends the wait
/// for it.
pub struct Keys {
    typed: mpsc::Receiver<Vec<u8>>,
}

impl Keys {
    /// Takes the keys from now on.
    ///
    /// # Errors
    /// Where no thread can be started.
    pub fn take() -> anyhow::Result<Keys> {
        let (sender, typed) = mpsc::channel(16);
        let read = move || {
            let console = Term::stdout();
            while let Ok(key) = console.read_key_raw() {
                if sender.blocking_send(bytes(&key)).is_err() {
                    break;
                }
            }
        };
        let reader = thread::Builder::new().spawn(read);
        reader.context("waiting for keys")?;
        Ok(Keys { typed })
    }

    /// The next ones; none where the console is gone.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        self.typed.recv().await
    }
}

/// What a terminal of Unix sends for a key; nothing for those that it has not.
fn bytes(key: &Key) -> Vec<u8> {
    let known: &[u8] = match key {
        Key::Char(character) => return character.to_string().into_bytes(),
        Key::ArrowUp => b"\x1b[A",
        Key::ArrowDown => b"\x1b[B",
        Key::ArrowRight => b"\x1b[C",
        Key::ArrowLeft => b"\x1b[D",
        Key::End => b"\x1b[F",
        Key::Home => b"\x1b[H",
        Key::BackTab => b"\x1b[Z",
        Key::Insert => b"\x1b[2~",
        Key::Del => b"\x1b[3~",
        Key::PageUp => b"\x1b[5~",
        Key::PageDown => b"\x1b[6~",
        Key::CtrlC => b"\x03",
        Key::Tab => b"\t",
        Key::Enter => b"\r",
        Key::Escape => b"\x1b",
        Key::Backspace => b"\x7f",
        _ => b"",
    };
    known.to_vec()
}

/// A line that is typed without being shown, with its end.
///
/// # Errors
/// Where the console cannot be read.
pub fn hidden_line() -> anyhow::Result<Vec<u8>> {
    let line = Term::stdout().read_secure_line();
    let mut line = line.context("reading a line")?.into_bytes();
    line.push(b'\n');
    Ok(line)
}
