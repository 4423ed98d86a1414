//! File names in messages, quoted as the GNU tools quote them.

/// The name in quotes, always: `cannot open 'x'`.
pub(super) fn always(name: &[u8]) -> Vec<u8> {
    shell_escape(name, true)
}

/// The name, in quotes only where a shell would need them: `cat: x: …`.
pub(super) fn if_needed(name: &[u8]) -> Vec<u8> {
    shell_escape(name, false)
}

fn shell_escape(name: &[u8], always: bool) -> Vec<u8> {
    let text = std::str::from_utf8(name);
    let printable = text.is_ok_and(|text| !text.chars().any(char::is_control));
    let special = |byte: &u8| b" !\"$&()*;<=>[\\]^`|'\t\n".contains(byte);
    let leading = name.first().is_some_and(|byte| b"#~".contains(byte));
    if printable && !always && !name.is_empty() && !name.iter().any(special) && !leading {
        return name.to_vec();
    }
    let for_double = |byte: &u8| !b"\"$`\\!".contains(byte);
    if printable && name.contains(&b'\'') && name.iter().all(for_double) {
        return [b"\"", name, b"\""].concat();
    }
    let mut quoted = vec![b'\''];
    let mut escaped = false;
    for piece in pieces(name) {
        let escape = match piece {
            Piece::Text(_) => None,
            Piece::Escape(escape) => Some(escape),
        };
        match (escape, escaped) {
            (Some(_), false) => quoted.extend_from_slice(b"'$'"),
            (None, true) => quoted.extend_from_slice(b"''"),
            _ => {}
        }
        escaped = escape.is_some();
        match piece {
            Piece::Text(b"'") => quoted.extend_from_slice(b"'\\''"),
            Piece::Text(text) => quoted.extend_from_slice(text),
            Piece::Escape(byte) => quoted.extend_from_slice(&escape_of(byte)),
        }
    }
    quoted.push(b'\'');
    quoted
}

enum Piece<'a> {
    Text(&'a [u8]),
    Escape(u8),
}

/// Characters that print, and the bytes of what does not.
fn pieces(name: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for chunk in name.utf8_chunks() {
        for (at, character) in chunk.valid().char_indices() {
            let bytes = &chunk.valid().as_bytes()[at..at + character.len_utf8()];
            if character.is_control() {
                pieces.extend(bytes.iter().map(|&byte| Piece::Escape(byte)));
            } else {
                pieces.push(Piece::Text(bytes));
            }
        }
        pieces.extend(chunk.invalid().iter().map(|&byte| Piece::Escape(byte)));
    }
    pieces
}

fn escape_of(byte: u8) -> Vec<u8> {
    match byte {
        7 => b"\\a".to_vec(),
        8 => b"\\b".to_vec(),
        9 => b"\\t".to_vec(),
        10 => b"\\n".to_vec(),
        11 => b"\\v".to_vec(),
        12 => b"\\f".to_vec(),
        13 => b"\\r".to_vec(),
        _ => format!("\\{byte:03o}").into_bytes(),
    }
}
