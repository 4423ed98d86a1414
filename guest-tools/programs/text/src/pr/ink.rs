//! The paper: where the pen stands, and blanks that may become tabs.
//!
//! With `-i` blanks are owed and not written, until something else follows: then as many as possible become tabs. The
//! column counts bytes of printable ASCII, and a backspace takes one back.

use crate::output::{CHUNK, Output};

/// What takes the bytes of a column's line.
pub trait Pen {
    /// Takes one byte.
    fn write(&mut self, byte: u8);

    /// Whether nobody reads any more.
    fn is_broken(&self) -> bool {
        false
    }
}

/// Keeps a line for later.
impl Pen for Vec<u8> {
    fn write(&mut self, byte: u8) {
        self.push(byte);
    }
}

/// Standard output with the column that is reached.
pub struct Ink {
    /// Standard output.
    out: Output,
    /// What was written and not handed on yet, at most a chunk.
    pending: Vec<u8>,
    /// What stands for runs of blanks, and how many columns apart its stops are.
    tab: Option<(u8, i64)>,
    /// The column; nobody counts it where blanks are written as they come.
    pub position: i64,
    /// Blanks that are owed. A line that is too long for its column owes less than none.
    pub blanks: i64,
}

impl Ink {
    /// An empty sheet.
    pub fn new(tab: Option<(u8, i64)>) -> Ink {
        Ink {
            out: Output::new(),
            pending: Vec::with_capacity(CHUNK),
            tab,
            position: 0,
            blanks: 0,
        }
    }

    /// Writes bytes without counting them.
    #[inline]
    pub fn raw(&mut self, bytes: &[u8]) {
        if self.pending.len() + bytes.len() > CHUNK {
            self.drain();
        }
        self.pending.extend_from_slice(bytes);
    }

    /// Ends a line.
    pub fn newline(&mut self) {
        self.raw(b"\n");
    }

    /// The pen is at the margin again.
    pub fn begin_line(&mut self) {
        self.position = 0;
        self.blanks = 0;
    }

    /// Moves to a column, counted from 0, by blanks that are owed or written.
    pub fn move_to(&mut self, position: i64) {
        if self.tab.is_some() {
            self.blanks = position - self.position;
            return;
        }
        for _ in self.position..position {
            self.raw(b" ");
        }
        self.position = position;
    }

    /// Writes the blanks that are owed, as tabs where they reach.
    pub fn settle(&mut self) {
        if self.blanks <= 0 {
            return;
        }
        let goal = self.position + self.blanks;
        if let Some((tab, width)) = self.tab {
            while goal - self.position > 1 && next_stop(self.position, width) <= goal {
                self.raw(&[tab]);
                self.position = next_stop(self.position, width);
            }
        }
        while self.position < goal {
            self.raw(b" ");
            self.position += 1;
        }
        self.blanks = 0;
    }

    /// Writes what stands between columns. Its last blanks do not wait for what follows.
    pub fn separator(&mut self, text: &[u8]) {
        for &byte in text {
            if byte == b' ' {
                self.blanks += 1;
            } else {
                self.settle();
                self.raw(&[byte]);
                self.position += 1;
            }
        }
        self.settle();
    }

    /// Moves the column behind a tab that was written as it is.
    pub fn pass_tab(&mut self, width: i64) {
        self.position = next_stop(self.position, width);
    }

    fn drain(&mut self) {
        self.out.put(&self.pending);
        self.pending.clear();
    }

    /// Hands everything over; the status is `status` where that works.
    pub fn finish(mut self, name: &str, status: i32) -> i32 {
        self.drain();
        self.out.finish(name, status, 1)
    }
}

impl Pen for Ink {
    #[inline]
    fn write(&mut self, byte: u8) {
        if self.tab.is_some() {
            if byte == b' ' {
                self.blanks += 1;
                return;
            }
            self.settle();
            match byte {
                b' '..=b'~' => self.position += 1,
                8 => self.position -= 1,
                _ => {}
            }
        }
        self.raw(&[byte]);
    }

    fn is_broken(&self) -> bool {
        self.out.is_broken()
    }
}

/// The next tab stop behind a column.
fn next_stop(position: i64, width: i64) -> i64 {
    position + width - position % width
}
