//! Bytes from what `xxd` wrote: `xxd -r`.
//!
//! A line of a dump has an offset, the bytes, and text that is ignored from the column on at which the line has all
//! its bytes. Bytes go where the offset says: gaps are filled with zeros, and an output file may be patched in places
//! that were written before. The reader follows xxd's own, digit by digit, so that it takes the same of what is no
//! dump.

/// How a dump is read.
pub struct Revert {
    /// Whether there are only digits, without places.
    pub plain: bool,
    /// How many bytes a line has.
    pub columns: usize,
    /// Where the place 0 of the dump is.
    pub base: i64,
    /// Whether the output can be patched.
    pub backwards: bool,
}

/// So far places may lie apart: what is between them is filled with zeros in memory.
const MOST: i64 = 1 << 30;

impl Revert {
    /// Reads a dump as `xxd` does: digits in pairs, and whatever else there is ends a line.
    ///
    /// # Errors
    /// What to say where a place cannot be reached. What was read before it is in `out`.
    pub fn run(&self, content: &[u8], out: &mut Vec<u8>) -> Result<(), &'static str> {
        // The last three digits, -1 for what is none.
        let (mut last, mut before, mut third);
        (last, before) = (-1, -1);
        let (mut count, mut leading) = (self.columns, true);
        let (mut wanted, mut place) = (0i64, 0i64);
        let mut at = 0;
        while let Some(&byte) = content.get(at) {
            at += 1;
            let mut line_ends = byte == b'\n';
            if byte == b'\r' || self.plain && matches!(byte, b' ' | b'\n' | b'\t') {
                continue;
            }
            third = before;
            before = last;
            last = char::from(byte)
                .to_digit(16)
                .map_or(-1, |digit| digit as i32);
            if last == -1 && leading {
                continue;
            }
            leading = false;
            if !self.plain && count >= self.columns {
                if last < 0 {
                    count = 0;
                } else {
                    wanted = wanted.wrapping_shl(4) | i64::from(last);
                }
                continue;
            }
            if self.base.saturating_add(wanted) != place {
                place = self.base.saturating_add(wanted);
                self.go_to(place, out)?;
            }
            if before >= 0 && last >= 0 {
                put(out, place as usize, (before << 4 | last) as u8);
                place += 1;
                wanted = wanted.wrapping_add(1);
                last = -1;
                count += 1;
                if !self.plain && count >= self.columns {
                    line_ends |= skip_line(content, &mut at);
                }
            } else if last < 0 && before < 0 && third < 0 {
                line_ends = line_ends || skip_line(content, &mut at);
            }
            if line_ends {
                if !self.plain {
                    wanted = 0;
                }
                count = self.columns;
                leading = true;
            }
        }
        Ok(())
    }

    /// Makes a place the end of the output, or one within it. The error is the message.
    fn go_to(&self, place: i64, out: &mut Vec<u8>) -> Result<(), &'static str> {
        if !(0..=MOST).contains(&place) {
            return Err("Sorry, cannot seek.");
        }
        let place = place as usize;
        if place < out.len() && !self.backwards {
            return Err("Sorry, cannot seek backwards.");
        }
        if place > out.len() {
            out.resize(place, 0);
        }
        Ok(())
    }
}

/// Goes behind the end of the line; false where there is none, at the end of the content.
fn skip_line(content: &[u8], at: &mut usize) -> bool {
    let found = memchr::memchr(b'\n', &content[*at..]);
    *at = found.map_or(content.len(), |end| *at + end + 1);
    found.is_some()
}

/// Writes a byte in its place, which is at most one behind the last.
fn put(out: &mut Vec<u8>, place: usize, byte: u8) {
    match out.get_mut(place) {
        Some(slot) => *slot = byte,
        None => out.push(byte),
    }
}
