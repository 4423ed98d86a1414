//! What terminals can do, as ncurses describes the usual ones.
//!
//! Descriptions are compiled in as text and searched line by line; a name costs a pass over the file. There is no
//! `TERMINFO` directory.

/// `infocmp -0 -x` of each terminal, one a line.
const TERMINALS: &str = include_str!("terminals.txt");

/// The names that capabilities may have: those of flags, of numbers, and of strings, one line each.
const CAPABILITIES: &str = include_str!("capabilities.txt");

/// A description.
pub struct Terminal {
    /// Flags, numbers and strings as they stand in the description.
    fields: Vec<&'static str>,
    /// What it is called in full.
    pub description: &'static str,
}

/// What a name stands for on a terminal.
pub enum Capability {
    /// Whether the terminal has it.
    Flag(bool),
    /// A number; -1 where the terminal does not have it.
    Number(i64),
    /// None where the terminal does not have it.
    Text(Option<Vec<u8>>),
}

impl Terminal {
    /// The terminal of that name.
    pub fn find(name: &str) -> Option<Terminal> {
        TERMINALS.lines().find_map(|line| {
            let fields = split(line);
            let mut names: Vec<&str> = fields.first()?.split('|').collect();
            let description = names.pop()?;
            names.contains(&name).then_some(Terminal {
                fields,
                description,
            })
        })
    }

    /// What `name` stands for; none where no terminal knows it.
    pub fn get(&self, name: &str) -> Option<Capability> {
        if let Some(text) = self.text(name) {
            return Some(Capability::Text(Some(text)));
        }
        if let Some(number) = self.number(name) {
            return Some(Capability::Number(number));
        }
        if self.fields.contains(&name) {
            return Some(Capability::Flag(true));
        }
        let mut kinds = CAPABILITIES.lines();
        match kinds.position(|names| names.split(' ').any(|known| known == name))? {
            0 => Some(Capability::Flag(false)),
            1 => Some(Capability::Number(-1)),
            _ => Some(Capability::Text(None)),
        }
    }

    /// What follows a name and its mark (`#` for numbers, `=` for strings).
    fn value(&self, name: &str, mark: char) -> Option<&'static str> {
        let values = self.fields.iter().skip(1);
        let mut found = values.filter_map(|field| field.strip_prefix(name)?.strip_prefix(mark));
        found.next()
    }

    /// A number, in decimal or with `0x`.
    fn number(&self, name: &str) -> Option<i64> {
        let text = self.value(name, '#')?;
        match text.strip_prefix("0x") {
            Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16).ok(),
            None => text.parse().ok(),
        }
    }

    /// The bytes of a string.
    pub fn text(&self, name: &str) -> Option<Vec<u8>> {
        Some(unescape(self.value(name, '=')?))
    }
}

/// Cuts a description at the commas that nothing quotes.
fn split(line: &str) -> Vec<&str> {
    let mut fields = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            b',' if !quoted => {
                fields.push(&line[start..at]);
                start = at + 1;
            }
            b'\\' | b'^' if !quoted => {
                quoted = true;
                continue;
            }
            _ => {}
        }
        quoted = false;
    }
    fields
}

/// Escapes such as `\E`, `^G` and `\033` as what they stand for.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = text.bytes().peekable();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        let meant = match byte {
            b'^' => bytes.next().map_or(b'^', |letter| match letter {
                b'?' => 0x7f,
                letter => letter & 0x1f,
            }),
            b'\\' => match bytes.next() {
                Some(b'E' | b'e') => 0x1b,
                Some(b'n' | b'l') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'b') => 8,
                Some(b'f') => 12,
                Some(b's') => b' ',
                Some(b'a') => 7,
                Some(first @ b'0'..=b'7') => {
                    let mut value = u32::from(first - b'0');
                    for _ in 0..2 {
                        let Some(digit) = bytes.next_if(|byte| (b'0'..=b'7').contains(byte)) else {
                            break;
                        };
                        value = value * 8 + u32::from(digit - b'0');
                    }
                    value as u8
                }
                Some(other) => other,
                None => b'\\',
            },
            other => other,
        };
        out.push(meant);
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    #[test]
    fn descriptions_are_read() {
        for line in TERMINALS.lines() {
            let name = line.split('|').next().unwrap();
            let terminal = Terminal::find(name).unwrap();
            assert!(terminal.text("cr").is_some(), "{name}");
            assert!(terminal.number("cols").unwrap_or(80) >= 80, "{name}");
        }
        let terminal = Terminal::find("xterm-256color").unwrap();
        assert_eq!(terminal.text("clear").unwrap(), b"\x1b[H\x1b[2J");
        assert_eq!(terminal.number("colors"), Some(256));
        assert!(matches!(terminal.get("am"), Some(Capability::Flag(true))));
        assert!(matches!(terminal.get("hc"), Some(Capability::Flag(false))));
        assert!(terminal.get("nope").is_none());
    }
}
