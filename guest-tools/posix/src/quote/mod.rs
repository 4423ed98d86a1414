//! Names in messages and listings, quoted as GNU's tools do; [`bash`] quotes as bash does.

pub mod bash;

/// Quotes as GNU messages do: always, with `'`.
pub fn message(name: &[u8]) -> Vec<u8> {
    shell(name)
}

/// Quotes a word that is no file name: with `‘…’` in a UTF-8 locale.
pub fn word(word: &[u8]) -> Vec<u8> {
    let word = escaped(word, false, false);
    if crate::locale::is_utf8() {
        return ["‘".as_bytes(), &word, "’".as_bytes()].concat();
    }
    [b"'", &word[..], b"'"].concat()
}

/// Quotes a name that a colon follows in a message: where a shell would need it, and where it has
/// colons itself.
pub fn before_colon(name: &[u8]) -> Vec<u8> {
    if name.contains(&b':') {
        shell(name)
    } else {
        shell_where_needed(name)
    }
}

/// Quotes where a shell would need it, as `ls --quoting-style=shell-escape` does.
///
/// ```
/// use offshoot_posix::quote::shell_where_needed;
///
/// assert_eq!(shell_where_needed(b"a b"), b"'a b'");
/// assert_eq!(shell_where_needed(b"a]b"), b"a]b");
/// ```
pub fn shell_where_needed(name: &[u8]) -> Vec<u8> {
    if is_plain(name) && !has_unprintable(name) {
        name.to_vec()
    } else {
        shell(name)
    }
}

/// Quotes for a shell: `'…'`, `"…"` where there are only single quotes to hide, `$'…'` for what cannot be
/// shown.
pub fn shell(name: &[u8]) -> Vec<u8> {
    if fits_double_quotes(name) && !has_unprintable(name) {
        return [b"\"", name, b"\""].concat();
    }
    let mut out = vec![b'\''];
    let mut escaping = false;
    for piece in pieces(name) {
        match piece {
            Piece::Shown(b"'") => {
                out.extend_from_slice(b"'\\''");
                escaping = false;
            }
            Piece::Shown(text) => {
                if escaping {
                    out.extend_from_slice(b"''");
                }
                out.extend_from_slice(text);
                escaping = false;
            }
            Piece::Escaped(byte) => {
                if !escaping {
                    out.extend_from_slice(b"'$'");
                }
                escape(&mut out, byte);
                escaping = true;
            }
        }
    }
    out.push(b'\'');
    out
}

/// Quotes for a shell with control characters as they stand, everywhere or where it is needed.
pub fn shell_raw(name: &[u8], always: bool) -> Vec<u8> {
    if !always && is_plain(name) {
        return name.to_vec();
    }
    if fits_double_quotes(name) {
        return [b"\"", name, b"\""].concat();
    }
    let parts: Vec<&[u8]> = name.split(|&byte| byte == b'\'').collect();
    [b"'", &parts.join(&b"'\\''"[..])[..], b"'"].concat()
}

/// Escapes as in C strings; with `spaces` also blanks, with `quotes` also `"`.
pub fn escaped(name: &[u8], spaces: bool, quotes: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    for piece in pieces(name) {
        match piece {
            Piece::Shown(b" ") if spaces => out.extend_from_slice(b"\\ "),
            Piece::Shown(b"\"") if quotes => out.extend_from_slice(b"\\\""),
            Piece::Shown(b"\\") => out.extend_from_slice(b"\\\\"),
            Piece::Shown(text) => out.extend_from_slice(text),
            Piece::Escaped(byte) => escape(&mut out, byte),
        }
    }
    out
}

/// Whether a shell would read the name as it stands.
fn is_plain(name: &[u8]) -> bool {
    let special = |byte: &u8| b" \t\n\r!\"$&'()*;<=>?[\\^`|".contains(byte);
    let leading = matches!(name, [] | [b'#' | b'~', ..] | [b'{' | b'}']);
    !leading && !name.iter().any(special)
}

/// Whether the name has a single quote, and nothing that means something between double quotes or that GNU
/// does not trust there.
fn fits_double_quotes(name: &[u8]) -> bool {
    let trusted = |(at, byte): (usize, &u8)| match byte {
        b'#' | b'~' => at == 0,
        b' ' | b'\'' | b'%' | b'+'..=b':' | b'@' | b']' | b'_' => true,
        0x80.. => true,
        byte => byte.is_ascii_alphanumeric(),
    };
    name.contains(&b'\'') && name.iter().enumerate().all(trusted)
}

fn has_unprintable(name: &[u8]) -> bool {
    let escaped = |piece| matches!(piece, Piece::Escaped(_));
    name.iter().any(|byte| !matches!(byte, b' '..0x7f)) && pieces(name).any(escaped)
}

/// A character that prints, or a byte of what does not.
enum Piece<'a> {
    Shown(&'a [u8]),
    Escaped(u8),
}

fn pieces(name: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    name.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid();
        let shown = valid.char_indices().flat_map(move |(at, character)| {
            let bytes = &valid.as_bytes()[at..at + character.len_utf8()];
            let printable = is_printable(character);
            let whole = printable.then_some(Piece::Shown(bytes));
            let parts: &[u8] = if printable { &[] } else { bytes };
            whole
                .into_iter()
                .chain(parts.iter().copied().map(Piece::Escaped))
        });
        shown.chain(chunk.invalid().iter().copied().map(Piece::Escaped))
    })
}

/// Whether the C library would print it: no control character, and no end of a line or paragraph.
fn is_printable(character: char) -> bool {
    !character.is_control() && !matches!(character, '\u{2028}' | '\u{2029}')
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    match byte {
        7 => out.extend_from_slice(b"\\a"),
        8 => out.extend_from_slice(b"\\b"),
        9 => out.extend_from_slice(b"\\t"),
        10 => out.extend_from_slice(b"\\n"),
        11 => out.extend_from_slice(b"\\v"),
        12 => out.extend_from_slice(b"\\f"),
        13 => out.extend_from_slice(b"\\r"),
        _ => octal(byte, out),
    }
}

fn octal(byte: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&[
        b'\\',
        b'0' + (byte >> 6),
        b'0' + (byte >> 3 & 7),
        b'0' + (byte & 7),
    ]);
}
