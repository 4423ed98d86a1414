//! The screen of `vi`: it is drawn anew after each key, as one write of ANSI sequences.
//!
//! Lines longer than the screen are folded. A line that does not fit as a whole is shown as `@`, what is below the text
//! as `~`, as in vi; the last row has the message, the line being typed, or the name and place.

use super::editor::{Editor, Mode};

/// Columns that a tab goes on to a multiple of.
const TAB: usize = 8;

impl Editor {
    /// What draws the screen anew, the cursor included.
    pub fn draw(&mut self, (columns, rows): (usize, usize), name: &str) -> Vec<u8> {
        let page = rows.saturating_sub(1).max(1);
        self.page = page;
        let gutter = if self.numbers { 8 } else { 0 };
        let width = columns.saturating_sub(gutter).max(1);
        self.scroll_to_cursor(width, page);
        let mut drawn = b"\x1b[?25l\x1b[H".to_vec();
        let (mut row, mut line) = (0, self.top);
        let mut cursor = (0, 0);
        while row < page {
            let Some(text) = self.buffer.lines.get(line) else {
                drawn.extend_from_slice(b"~\x1b[K\r\n");
                row += 1;
                continue;
            };
            let (pieces, at) = fit(
                text,
                width,
                (line == self.cursor.0).then_some(self.cursor.1),
            );
            if pieces.len() > page - row && row > 0 {
                // A line that does not fit any more.
                drawn.extend_from_slice(b"@\x1b[K\r\n");
                row += 1;
                line = self.buffer.lines.len();
                continue;
            }
            if let Some((down, right)) = at {
                cursor = (row + down, gutter + right);
            }
            for (number, piece) in pieces.into_iter().take(page - row).enumerate() {
                match (self.numbers, number) {
                    (false, _) => {}
                    (true, 0) => drawn.extend_from_slice(format!("{:>7} ", line + 1).as_bytes()),
                    (true, _) => drawn.extend_from_slice(&[b' '; 8]),
                }
                drawn.extend_from_slice(piece.as_bytes());
                drawn.extend_from_slice(b"\x1b[K\r\n");
                row += 1;
            }
            line += 1;
        }
        let status = self.status(name);
        let status: String = status.chars().take(columns.saturating_sub(1)).collect();
        drawn.extend_from_slice(status.as_bytes());
        drawn.extend_from_slice(b"\x1b[K");
        if matches!(self.mode, Mode::Line { .. }) {
            cursor = (page, status.chars().count());
        }
        let place = format!("\x1b[{};{}H\x1b[?25h", cursor.0 + 1, cursor.1 + 1);
        drawn.extend_from_slice(place.as_bytes());
        drawn
    }

    /// The text of the last row.
    fn status(&self, name: &str) -> String {
        let place = format!("{},{}", self.cursor.0 + 1, self.cursor.1 + 1);
        match &self.mode {
            Mode::Line { kind, text } => format!("{kind}{text}"),
            _ if !self.message.is_empty() => self.message.clone(),
            Mode::Insert { over: true } => format!("-- REPLACE --  {place}"),
            Mode::Insert { .. } => format!("-- INSERT --  {place}"),
            Mode::Normal => {
                let changed = if self.buffer.changed { " [+]" } else { "" };
                format!("\"{name}\"{changed}  {place}")
            }
        }
    }

    /// Moves the text so that the cursor is on the screen: as little as possible.
    fn scroll_to_cursor(&mut self, width: usize, page: usize) {
        let line = self.cursor.0;
        if line < self.top {
            self.top = line;
        }
        let height = |line: usize| {
            let text = self.buffer.lines.get(line);
            text.map_or(1, |text| fit(text, width, None).0.len())
        };
        let (mut first, mut rows) = (line, height(line));
        while first > self.top && rows <= page {
            first -= 1;
            rows += height(first);
        }
        if rows > page && first < line {
            self.top = first + 1;
        }
    }
}

/// A line in pieces of at most `width` columns, and row and column of the cursor in them. Tabs go on to a multiple of
/// 8, control characters are `^X`, bytes that are not UTF-8 are `\xff`.
fn fit(
    line: &[char],
    width: usize,
    cursor: Option<usize>,
) -> (Vec<String>, Option<(usize, usize)>) {
    let (mut pieces, mut column) = (vec![String::new()], 0);
    let mut place = None;
    for (at, one) in line.iter().enumerate() {
        let shown = match one {
            '\t' => " ".repeat(TAB - column % TAB),
            '\x7f' => "^?".to_owned(),
            '\0'..='\x1f' => format!("^{}", char::from(*one as u8 + b'@')),
            '\u{10ff00}'..='\u{10ffff}' => format!("\\x{:02x}", *one as u32 & 0xff),
            one => one.to_string(),
        };
        let wide = match one {
            one if shown.chars().count() == 1 => {
                if is_wide(*one) {
                    2
                } else {
                    1
                }
            }
            _ => shown.chars().count(),
        };
        if column + wide > width && column > 0 {
            pieces.push(String::new());
            column = 0;
        }
        if cursor == Some(at) {
            place = Some((pieces.len() - 1, column));
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(&shown);
        }
        column += wide;
    }
    if cursor.is_some_and(|at| at >= line.len()) {
        place = Some((pieces.len() - 1, column.min(width.saturating_sub(1))));
    }
    (pieces, place)
}

/// Whether a character takes two columns: East Asian wide ones and emoji, by their blocks.
fn is_wide(one: char) -> bool {
    matches!(one as u32,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd)
}
