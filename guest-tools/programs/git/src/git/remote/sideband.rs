//! What the other side says while it works.

use std::io::Write as _;

/// Behind a line, to cover what a terminal may show there.
const COVER: &[u8] = b"        ";

/// Lines of the other side, shown as they come.
#[derive(Default)]
pub struct Messages {
    rest: Vec<u8>,
}

impl Messages {
    /// Shows the lines that are whole now.
    pub fn add(&mut self, text: &[u8]) {
        let mut shown = Vec::new();
        for &byte in text {
            if matches!(byte, b'\n' | b'\r') {
                self.line(&mut shown, byte);
            } else {
                self.rest.push(byte);
            }
        }
        write(&shown);
    }

    fn line(&mut self, shown: &mut Vec<u8>, end: u8) {
        shown.extend_from_slice(b"remote: ");
        if !self.rest.is_empty() {
            shown.append(&mut self.rest);
            shown.extend_from_slice(COVER);
        }
        shown.push(end);
    }

    /// Shows what has no end.
    pub fn finish(mut self) {
        let mut shown = Vec::new();
        if !self.rest.is_empty() {
            self.line(&mut shown, b'\n');
        }
        write(&shown);
    }
}

fn write(text: &[u8]) {
    // Nothing is left to tell where standard error is gone.
    let _ = std::io::stderr().write_all(text);
}

/// Says what was not done as asked.
pub fn warn(message: &str) {
    write(format!("warning: {message}\n").as_bytes());
}

/// Says something of our own.
pub fn tell(text: &[u8]) {
    write(text);
}

/// Writes to standard output at once, in order with what is said on the way.
pub fn print(text: &[u8]) -> std::io::Result<()> {
    std::io::stdout().write_all(text)?;
    std::io::stdout().flush()
}
