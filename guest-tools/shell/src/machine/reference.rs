//! References: `name` and `name[subscript]` as text.

/// What stands between brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subscript {
    /// `[@]`
    All,
    /// `[*]`
    Joined,
    /// An expression or key.
    Index,
}

impl Subscript {
    /// What a subscript is.
    pub fn parse(text: &[u8]) -> Subscript {
        match text {
            b"@" => Subscript::All,
            b"*" => Subscript::Joined,
            _ => Subscript::Index,
        }
    }
}

/// Whether a bracket ends the subscript before its last one does; one with quotes or expansions is
/// not looked into.
pub fn ends_within(subscript: &[u8]) -> bool {
    let mut depth = 0_usize;
    for byte in subscript {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 0 => return true,
            b']' => depth -= 1,
            b'\'' | b'"' | b'\\' | b'$' | b'`' => return false,
            _ => {}
        }
    }
    false
}

/// The name and the subscript of a reference.
pub fn split(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|&byte| byte == b'[') {
        Some(open) if text.last() == Some(&b']') && open + 1 < text.len() => {
            (&text[..open], Some(&text[open + 1..text.len() - 1]))
        }
        _ => (text, None),
    }
}
