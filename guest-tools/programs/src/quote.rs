//! Names in messages and listings, quoted as GNU's tools do.

/// Quotes as GNU messages do: always, with `'`.
pub fn message(name: &[u8]) -> Vec<u8> {
    if name
        .iter()
        .all(|&byte| byte >= b' ' && byte != b'\'' && byte != 0x7f)
    {
        let mut out = vec![b'\''];
        out.extend_from_slice(name);
        out.push(b'\'');
        return out;
    }
    shell(name)
}

/// Quotes a word that is no file name: with `‘…’` in a UTF-8 locale.
pub fn word(word: &[u8]) -> Vec<u8> {
    let word = escaped(word, false, false);
    if crate::system::is_utf8() {
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

/// Quotes where a shell would need it.
pub fn shell_where_needed(name: &[u8]) -> Vec<u8> {
    let special = |byte: &u8| {
        b" \t\n!\"#$&'()*;<=>?[\\]^`{|}~".contains(byte) || *byte < b' ' || *byte == 0x7f
    };
    let leading = |byte: &u8| b"#~".contains(byte);
    let needed = name.iter().enumerate().any(|(index, byte)| {
        if b"#~{}=]".contains(byte) {
            index == 0 && leading(byte)
        } else {
            special(byte)
        }
    });
    if name.is_empty() || needed {
        shell(name)
    } else {
        name.to_vec()
    }
}

/// Quotes for a shell: `'…'`, `"…"` where there are only single quotes to hide, `$'…'` for
/// control characters.
pub fn shell(name: &[u8]) -> Vec<u8> {
    let control = |byte: &u8| *byte < b' ' || *byte == 0x7f;
    if name.contains(&b'\'') && !name.iter().any(|b| control(b) || b"\"$`\\!".contains(b)) {
        return [b"\"", name, b"\""].concat();
    }
    let mut out = vec![b'\''];
    let mut at = 0;
    while at < name.len() {
        let byte = name[at];
        if byte == b'\'' {
            out.extend_from_slice(b"'\\''");
        } else if control(&byte) {
            out.extend_from_slice(b"'$'");
            while at < name.len() && control(&name[at]) {
                escape(&mut out, name[at]);
                at += 1;
            }
            out.extend_from_slice(b"''");
            continue;
        } else {
            out.push(byte);
        }
        at += 1;
    }
    out.push(b'\'');
    if out.ends_with(b"''''") {
        out.truncate(out.len() - 2)
    }
    out
}

/// Quotes for a shell with control characters as they stand, everywhere or where it is needed.
pub fn shell_raw(name: &[u8], always: bool) -> Vec<u8> {
    if !always && shell_where_needed(name) == name {
        return name.to_vec();
    }
    if name.contains(&b'\'') && !name.iter().any(|byte| b"\"$`\\!".contains(byte)) {
        return [b"\"", name, b"\""].concat();
    }
    let parts: Vec<&[u8]> = name.split(|&byte| byte == b'\'').collect();
    [b"'", &parts.join(&b"'\\''"[..])[..], b"'"].concat()
}

/// Escapes as in C strings; with `spaces` also blanks.
pub fn escaped(name: &[u8], spaces: bool, quotes: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    for &byte in name {
        match byte {
            b' ' if spaces => out.extend_from_slice(b"\\ "),
            b'"' if quotes => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0..b' ' | 0x7f => escape(&mut out, byte),
            _ => out.push(byte),
        }
    }
    out
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
        _ => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_as_gnu_does() {
        let cases: [(&[u8], &[u8]); 6] = [
            (b"a", b"a"),
            (b"a b", b"'a b'"),
            (b"it's", b"\"it's\""),
            (b"a\nb", b"'a'$'\\n''b'"),
            (b"a=b", b"a=b"),
            (b"$x'", b"'$x'\\'''"),
        ];
        for (name, expected) in cases {
            assert_eq!(
                shell_where_needed(name),
                expected,
                "{}",
                name.escape_ascii()
            );
        }
        assert_eq!(message(b"a b"), b"'a b'");
    }
}
