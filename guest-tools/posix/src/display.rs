//! What `cat` makes of lines: numbers, ends, tabs and bytes that do not print.

/// What is shown beside the text itself.
///
/// # Examples
/// ```
/// use offshoot_posix::display::{Display, Shown};
///
/// let mut shown = Shown::default();
/// assert!(shown.add(b'n') && shown.add(b'T') && !shown.add(b'x'));
/// let mut out = Vec::new();
/// Display::new(shown).line(&mut out, b"a\tb\n");
/// assert_eq!(out, b"     1\ta^Ib\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    number: bool,
    number_nonblank: bool,
    squeeze: bool,
    ends: bool,
    tabs: bool,
    nonprinting: bool,
}

impl Shown {
    /// The letters of the options, and their long names.
    pub const OPTIONS: [(u8, &'static str); 10] = [
        (b'A', "show-all"),
        (b'b', "number-nonblank"),
        (b'e', ""),
        (b'E', "show-ends"),
        (b'n', "number"),
        (b's', "squeeze-blank"),
        (b't', ""),
        (b'T', "show-tabs"),
        (b'u', ""),
        (b'v', "show-nonprinting"),
    ];

    /// Adds what the option of this letter asks for; false where there is none.
    pub fn add(&mut self, letter: u8) -> bool {
        self.number |= matches!(letter, b'n' | b'b');
        self.number_nonblank |= letter == b'b';
        self.squeeze |= letter == b's';
        self.ends |= matches!(letter, b'A' | b'e' | b'E');
        self.tabs |= matches!(letter, b'A' | b't' | b'T');
        self.nonprinting |= matches!(letter, b'A' | b'e' | b't' | b'v');
        Shown::OPTIONS.iter().any(|(known, _)| *known == letter)
    }

    /// Whether the text goes out as it is.
    pub fn is_plain(&self) -> bool {
        !(self.number || self.squeeze || self.ends || self.tabs || self.nonprinting)
    }

    fn byte(self, out: &mut Vec<u8>, byte: u8) {
        match byte {
            b'\t' if self.tabs => out.extend_from_slice(b"^I"),
            b'\t' => out.push(b'\t'),
            _ if !self.nonprinting => out.push(byte),
            0..32 => out.extend_from_slice(&[b'^', byte + 64]),
            32..127 => out.push(byte),
            127 => out.extend_from_slice(b"^?"),
            128..160 => out.extend_from_slice(&[b'M', b'-', b'^', byte - 128 + 64]),
            160..255 => out.extend_from_slice(&[b'M', b'-', byte - 128]),
            255 => out.extend_from_slice(b"M-^?"),
        }
    }
}

/// Lines on their way out; what it counts goes on from one file to the next.
#[derive(Debug)]
pub struct Display {
    shown: Shown,
    line: u64,
    at_line_start: bool,
    blank_lines: u32,
}

impl Display {
    /// Before the first line.
    pub fn new(shown: Shown) -> Display {
        Display {
            shown,
            line: 0,
            at_line_start: true,
            blank_lines: 0,
        }
    }

    /// Writes a line, or what a block has of it, to `out`.
    pub fn line(&mut self, out: &mut Vec<u8>, line: &[u8]) {
        let shown = self.shown;
        let (text, ended) = match line {
            [text @ .., b'\n'] => (text, true),
            text => (text, false),
        };
        if self.at_line_start {
            let blank = text.is_empty();
            self.blank_lines = if blank { self.blank_lines + 1 } else { 0 };
            if shown.squeeze && self.blank_lines > 1 {
                return;
            }
            if shown.number && !(shown.number_nonblank && blank) {
                self.line += 1;
                out.extend_from_slice(format!("{:6}\t", self.line).as_bytes());
            }
        }
        // A carriage return at the end of a line is shown by -E alone too.
        let (text, carriage) = match text {
            [before @ .., b'\r'] if ended && shown.ends && !shown.nonprinting => (before, true),
            _ => (text, false),
        };
        if shown.nonprinting || shown.tabs {
            text.iter().for_each(|&byte| shown.byte(out, byte));
        } else {
            out.extend_from_slice(text);
        }
        if carriage {
            out.extend_from_slice(b"^M");
        }
        if ended {
            if shown.ends {
                out.push(b'$');
            }
            out.push(b'\n');
        }
        self.at_line_start = ended;
    }
}
