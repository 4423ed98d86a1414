//! What stands above a page: date, name and number.
//!
//! ```text
//! 2024-05-01 10:00                       file                       Page 1
//! ```
//!
//! The name is in the middle of what the date and the page leave of the width, and at least one blank is on either
//! side.

use unicode_width::UnicodeWidthChar as _;

use super::request::Request;
use crate::system::{self, Time};
use crate::time;

/// What the headers of a file have in common.
#[derive(Default)]
pub struct Header {
    /// When the file was changed, formatted.
    date: Vec<u8>,
    /// The name of the file, or what `-h` gives.
    name: Vec<u8>,
    /// The columns that are left for blanks and the number of the page.
    left: i64,
}

impl Header {
    /// The header of a file, or of what has no name; that has the date of today.
    pub fn new(request: &Request, file: Option<&[u8]>) -> Header {
        let file = file.filter(|name| *name != b"-");
        let stat = file.and_then(|name| system::stat(name, true).ok());
        let changed = stat.map_or_else(Time::now, |stat| stat.modified);
        let format = match &request.date {
            Some(format) => String::from_utf8_lossy(format).into_owned(),
            None => "%Y-%m-%d %H:%M".to_owned(),
        };
        let date = time::format(&time::local(changed, &time::zone()), &format).into_bytes();
        let name = request.header.as_deref().or(file).unwrap_or_default();
        Header {
            left: request.width - width(&date) - width(name),
            date,
            name: name.to_vec(),
        }
    }

    /// The line of a page, without its margin and its newline.
    pub fn line(&self, page: u64) -> Vec<u8> {
        let page = format!("Page {page}");
        let left = (self.left - page.len() as i64).max(0);
        let blanks = |count: i64| vec![b' '; usize::try_from(count.max(1)).unwrap_or(1)];
        let mut line = self.date.clone();
        line.extend(blanks(left / 2));
        line.extend_from_slice(&self.name);
        line.extend(blanks(left - left / 2));
        line.extend_from_slice(page.as_bytes());
        line
    }
}

/// The columns that a text takes; a byte that is part of no character takes one.
fn width(text: &[u8]) -> i64 {
    let mut width = 0;
    for chunk in text.utf8_chunks() {
        let characters = chunk.valid().chars();
        width += characters.filter_map(char::width).sum::<usize>();
        width += chunk.invalid().len();
    }
    i64::try_from(width).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_a_terminal() {
        let cases: [(&[u8], i64); 4] = [
            (b"abc", 3),
            ("é漢".as_bytes(), 3),
            (b"a\xff", 2),
            (b"a\x07", 1),
        ];
        for (text, expected) in cases {
            assert_eq!(width(text), expected, "{text:?}");
        }
    }
}
