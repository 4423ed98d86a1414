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

/// Whether a subscript ends where its last bracket is, and what it opens ends within it.
pub fn is_whole(subscript: &[u8]) -> bool {
    let closed = [subscript, b"]"].concat();
    subscript_end(&closed) == Some(subscript.len())
}

/// Where the bracket is that ends the subscript which `text` begins with.
pub fn subscript_end(text: &[u8]) -> Option<usize> {
    // What ends the constructs under way.
    let mut ends: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let next = text.get(at + 1).copied();
        match (ends.last().copied(), byte) {
            (Some(end), byte) if end == byte => {
                ends.pop();
            }
            (Some(b'\''), _) => {}
            (_, b'\\') => at += 1,
            (Some(b'`'), _) => {}
            (_, b'$') if matches!(next, Some(b'(' | b'{')) => {
                ends.push(if next == Some(b'(') { b')' } else { b'}' });
                at += 1;
            }
            (_, b'`') => ends.push(byte),
            (Some(b'"'), _) => {}
            (_, b'\'' | b'"') => ends.push(byte),
            (Some(b')'), b'(') => ends.push(b')'),
            (None | Some(b']'), b'[') => ends.push(b']'),
            (None, b']') => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
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
