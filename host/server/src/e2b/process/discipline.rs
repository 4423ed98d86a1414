//! What a terminal does to bytes on their way: echo, editing of the line, control keys.

/// Bytes of a line that is typed. The bell rings for more, which would wait here without an end.
const LONGEST_LINE: usize = 64 << 10;

/// What is typed, until the line is complete.
#[derive(Default)]
pub(super) struct Discipline {
    line: Vec<u8>,
}

/// What a key leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// These bytes are shown.
    Echo(Vec<u8>),
    /// This line goes to who reads.
    Line(Vec<u8>),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D on an empty line.
    End,
}

impl Discipline {
    /// What these bytes do.
    pub(super) fn typed(&mut self, bytes: &[u8]) -> Vec<Effect> {
        let mut effects = Vec::new();
        for byte in bytes {
            match *byte {
                b'\r' | b'\n' => {
                    self.line.push(b'\n');
                    echo(&mut effects, b"\r\n");
                    effects.push(Effect::Line(std::mem::take(&mut self.line)));
                }
                3 => {
                    self.line.clear();
                    echo(&mut effects, b"^C\r\n");
                    effects.push(Effect::Interrupt);
                }
                4 if self.line.is_empty() => effects.push(Effect::End),
                4 => effects.push(Effect::Line(std::mem::take(&mut self.line))),
                8 | 0x7f => {
                    self.erase(&mut effects);
                }
                // Ctrl-U
                21 => while self.erase(&mut effects) {},
                _ if self.line.len() >= LONGEST_LINE => echo(&mut effects, b"\x07"),
                byte => {
                    self.line.push(byte);
                    match byte {
                        b'\t' | b' '.. => echo(&mut effects, &[byte]),
                        control => echo(&mut effects, &[b'^', control ^ 0x40]),
                    }
                }
            }
        }
        effects
    }

    /// Takes the last character back; whether there was one.
    fn erase(&mut self, effects: &mut Vec<Effect>) -> bool {
        while let Some(byte) = self.line.pop() {
            // What continues a character of UTF-8 goes with it.
            if byte & 0xc0 != 0x80 {
                echo(effects, b"\x08 \x08");
                return true;
            }
        }
        false
    }
}

/// Shows more, in one piece with what is shown before it.
fn echo(effects: &mut Vec<Effect>, bytes: &[u8]) {
    match effects.last_mut() {
        Some(Effect::Echo(before)) => before.extend_from_slice(bytes),
        _ => effects.push(Effect::Echo(bytes.to_vec())),
    }
}

/// What programs wrote, as a terminal gets it: lines also go back to their beginning.
pub(super) fn shown(bytes: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(bytes.len());
    for byte in bytes {
        if *byte == b'\n' {
            shown.push(b'\r');
        }
        shown.push(*byte);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines that are read, and everything that is shown.
    fn played(keys: &[u8]) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (mut lines, mut echo) = (Vec::new(), Vec::new());
        for effect in Discipline::default().typed(keys) {
            match effect {
                Effect::Echo(bytes) => echo.extend(bytes),
                Effect::Line(line) => lines.push(line),
                Effect::Interrupt => lines.push(b"<interrupt>".to_vec()),
                Effect::End => lines.push(b"<end>".to_vec()),
            }
        }
        (lines, echo)
    }

    #[test]
    fn keys_edit_the_line() {
        for (keys, lines, echo) in [
            (&b"ls\r"[..], vec![&b"ls\n"[..]], &b"ls\r\n"[..]),
            (b"lx\x7fs\n", vec![b"ls\n"], b"lx\x08 \x08s\r\n"),
            (
                "é\x7fa\n".as_bytes(),
                vec![b"a\n"],
                "é\x08 \x08a\r\n".as_bytes(),
            ),
            (b"ab\x15c\n", vec![b"c\n"], b"ab\x08 \x08\x08 \x08c\r\n"),
            (b"ab\x03", vec![b"<interrupt>"], b"ab^C\r\n"),
            (b"\x04", vec![b"<end>"], b""),
            (b"ab\x04", vec![b"ab"], b"ab"),
            (b"\x7f\x1b", vec![], b"^["),
        ] {
            let expected: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
            assert_eq!(played(keys), (expected, echo.to_vec()), "{keys:?}");
        }
    }

    #[test]
    fn lines_go_back_to_their_beginning() {
        assert_eq!(shown(b"a\nb\n"), b"a\r\nb\r\n");
    }
}
