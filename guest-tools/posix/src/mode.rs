//! Modes as text: octal, or symbolic as in `u+rwX,go=`.

/// A change of permission bits.
#[derive(Clone, Debug)]
pub enum Change {
    /// A number of octal digits.
    Octal {
        /// The bits.
        mode: u32,
        /// How many digits it was written with.
        digits: usize,
    },
    /// Clauses such as `u+x`, in order.
    Symbolic(Vec<Clause>),
}

/// One `[ugoa]*([-+=][rwxXst]*|[ugo])+`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The bits of the classes named; none where none is named.
    who: Option<u32>,
    operator: u8,
    permissions: Permissions,
}

#[derive(Clone, Copy, Debug)]
enum Permissions {
    Bits {
        bits: u32,
        conditional: bool,
    },
    /// What the class at this shift has.
    Copy(u32),
}

impl Change {
    /// Reads a mode.
    pub fn parse(text: &[u8]) -> Option<Change> {
        if text.first()?.is_ascii_digit() {
            let digits = std::str::from_utf8(text).ok()?;
            let mode = u32::from_str_radix(digits, 8)
                .ok()
                .filter(|mode| *mode <= 0o7777)?;
            return Some(Change::Octal {
                mode,
                digits: text.len(),
            });
        }
        let mut clauses = Vec::new();
        for part in text.split(|&byte| byte == b',') {
            parse_clause(part, &mut clauses)?;
        }
        Some(Change::Symbolic(clauses))
    }

    /// The new mode of a file; without a class, bits of the umask stay as they are.
    pub fn apply(&self, old: u32, is_directory: bool, umask: u32) -> u32 {
        match self {
            // A short octal mode keeps a directory's set-id bits.
            Change::Octal { mode, digits } if is_directory && *digits < 5 => mode | (old & 0o6000),
            Change::Octal { mode, .. } => *mode,
            Change::Symbolic(clauses) => clauses
                .iter()
                .fold(old, |mode, clause| clause.apply(mode, is_directory, umask)),
        }
    }
}

fn parse_clause(part: &[u8], clauses: &mut Vec<Clause>) -> Option<()> {
    let classes = part
        .iter()
        .take_while(|byte| b"ugoa".contains(byte))
        .count();
    let mut who = None;
    for class in &part[..classes] {
        *who.get_or_insert(0) |= match class {
            b'u' => 0o4700,
            b'g' => 0o2070,
            b'o' => 0o1007,
            _ => 0o7777,
        };
    }
    let mut rest = &part[classes..];
    if rest.is_empty() {
        return None;
    }
    while let Some((&operator, after)) = rest.split_first() {
        if !b"+-=".contains(&operator) {
            return None;
        }
        let length = after
            .iter()
            .take_while(|byte| !b"+-=".contains(byte))
            .count();
        let permissions = parse_permissions(&after[..length])?;
        clauses.push(Clause {
            who,
            operator,
            permissions,
        });
        rest = &after[length..];
    }
    Some(())
}

fn parse_permissions(text: &[u8]) -> Option<Permissions> {
    match text {
        b"u" => return Some(Permissions::Copy(6)),
        b"g" => return Some(Permissions::Copy(3)),
        b"o" => return Some(Permissions::Copy(0)),
        _ => {}
    }
    let (mut bits, mut conditional) = (0, false);
    for letter in text {
        match letter {
            b'r' => bits |= 0o444,
            b'w' => bits |= 0o222,
            b'x' => bits |= 0o111,
            b'X' => conditional = true,
            b's' => bits |= 0o6000,
            b't' => bits |= 0o1000,
            _ => return None,
        }
    }
    Some(Permissions::Bits { bits, conditional })
}

impl Clause {
    fn apply(&self, old: u32, is_directory: bool, umask: u32) -> u32 {
        let mut bits = match self.permissions {
            Permissions::Copy(shift) => ((old >> shift) & 7) * 0o111,
            Permissions::Bits { bits, conditional } => {
                let executes = conditional && (is_directory || old & 0o111 != 0);
                bits | if executes { 0o111 } else { 0 }
            }
        };
        let mut who = self.who.unwrap_or(0o7777);
        if self.who.is_none() {
            bits &= !umask;
        }
        if is_directory && self.operator == b'=' {
            // A directory's set-id bits change only where they are named.
            who &= !0o6000 | (bits & 0o6000);
        }
        bits &= self.who.unwrap_or(0o7777);
        match self.operator {
            b'+' => old | bits,
            b'-' => old & !bits,
            _ => (old & !who) | bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_modes_as_chmod_does() {
        let cases = [
            ("755", 0o600, false, Some(0o755)),
            ("u+x", 0o644, false, Some(0o744)),
            ("+x", 0o644, false, Some(0o755)),
            ("a-w", 0o666, false, Some(0o444)),
            ("go=", 0o777, false, Some(0o700)),
            ("g=u", 0o640, false, Some(0o660)),
            ("u=rw,go=r", 0o777, false, Some(0o644)),
            ("+X", 0o644, false, Some(0o644)),
            ("+X", 0o644, true, Some(0o755)),
            ("u+s", 0o755, false, Some(0o4755)),
            ("+t", 0o755, true, Some(0o1755)),
            ("=rw", 0o777, false, Some(0o644)),
            ("+w", 0o444, false, Some(0o644)),
            ("u+x-w", 0o644, false, Some(0o544)),
            ("755", 0o2700, true, Some(0o2755)),
            ("8", 0, false, None),
            ("u", 0, false, None),
            ("u+q", 0, false, None),
        ];
        for (text, old, is_directory, expected) in cases {
            let change = Change::parse(text.as_bytes());
            let found = change.map(|change| change.apply(old, is_directory, 0o022));
            assert_eq!(found, expected, "{text}");
        }
    }
}
