//! A line as it fits on a screen: control characters made visible, and divided into pieces of one row each. A row is
//! as wide as a terminal shows its characters; sequences that colour text have no width.

use unicode_width::UnicodeWidthChar as _;

/// What begins and ends what stands out.
const MARK: (&str, &str) = ("\x1b[7m", "\x1b[27m");

/// A line with its control characters made visible (`^A`, `<FF>`), tabs as spaces, and the matches marked, which are
/// ranges of bytes in order. With `colours` the sequences that colour text stay.
pub fn shown(line: &[u8], colours: bool, matches: &[(usize, usize)]) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut column = 0;
    let mut at = 0;
    for chunk in line.utf8_chunks() {
        let valid = chunk.valid();
        let mut rest = valid;
        while let Some(character) = rest.chars().next() {
            for &(start, end) in matches {
                if at == start {
                    shown.push_str(MARK.0);
                }
                if at == end {
                    shown.push_str(MARK.1);
                }
            }
            let sequence = colour(rest).filter(|_| colours);
            let taken = sequence.unwrap_or(character.len_utf8());
            if sequence.is_some() {
                shown.push_str(&rest[..taken]);
            } else {
                let before = shown.len();
                visible(character, column, &mut shown);
                let written = shown[before..].chars();
                column += written.map(|one| one.width().unwrap_or(0)).sum::<usize>();
            }
            rest = &rest[taken..];
            at += taken;
        }
        for byte in chunk.invalid() {
            let text = format!("<{byte:02X}>");
            column += text.len();
            shown.push_str(&text);
            at += 1;
        }
    }
    if matches.iter().any(|&(_, end)| end >= at) {
        shown.push_str(MARK.1);
    }
    shown
}

/// Appends a character as it is shown at a column.
fn visible(character: char, column: usize, shown: &mut String) {
    match character {
        '\t' => (0..8 - column % 8).for_each(|_| shown.push(' ')),
        '\x7f' => shown.push_str("^?"),
        '\r' | '\0'..='\x1f' => {
            shown.push('^');
            shown.push(char::from(character as u8 + b'@'));
        }
        character => shown.push(character),
    }
}

/// The length of a sequence that colours text or clears a line (`ESC [ … m` or `K`), where one stands here.
fn colour(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("\x1b[")?;
    let end = inner.find(|character: char| !matches!(character, '0'..='9' | ';' | ':'))?;
    matches!(&inner[end..=end], "m" | "K").then_some(2 + end + 1)
}

/// A line in pieces of at most `width` columns, behind `left` columns that are left out. An empty line has one, empty
/// piece.
pub fn pieces(shown: &str, width: usize, left: usize) -> Vec<Vec<u8>> {
    let mut pieces = vec![Vec::new()];
    let (mut column, mut skipped) = (0, 0);
    let mut rest = shown;
    while let Some(character) = rest.chars().next() {
        let sequence = colour(rest);
        let taken = sequence.unwrap_or(character.len_utf8());
        let (bytes, after) = rest.split_at(taken);
        rest = after;
        let wide = match sequence {
            Some(_) => 0,
            None => character.width().unwrap_or(0),
        };
        if sequence.is_none() && skipped < left {
            skipped += wide;
            continue;
        }
        if column + wide > width {
            pieces.push(Vec::new());
            column = 0;
        }
        column += wide;
        if let Some(piece) = pieces.last_mut() {
            piece.extend_from_slice(bytes.as_bytes());
        }
    }
    pieces
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn lines_are_made_visible_and_fit() {
        assert_eq!(shown(b"a\tb\x01\xff", false, &[]), "a       b^A<FF>");
        assert_eq!(shown(b"\x1b[31mred", false, &[]), "^[[31mred");
        assert_eq!(shown(b"\x1b[31mred", true, &[]), "\x1b[31mred");
        assert_eq!(shown(b"abc", false, &[(1, 2)]), "a\x1b[7mb\x1b[27mc");
        assert_eq!(shown(b"abc", false, &[(1, 3)]), "a\x1b[7mbc\x1b[27m");
        for (line, left, expected) in [
            ("", 0, &[""][..]),
            ("abcdef", 0, &["abcd", "ef"]),
            ("abcdef", 3, &["def"]),
            ("日本語", 0, &["日本", "語"]),
            ("\x1b[31mabcd\x1b[mef", 0, &["\x1b[31mabcd\x1b[m", "ef"]),
        ] {
            let found = pieces(line, 4, left);
            let found: Vec<_> = found
                .iter()
                .map(|one| std::str::from_utf8(one).unwrap())
                .collect();
            assert_eq!(found, expected, "{line}");
        }
    }
}
