//! Key sequences: as they are written, as bytes, as they are shown.

/// The bytes of a sequence with its escapes.
pub(super) fn translate(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte == b'\\' && !rest.is_empty() {
            let (translated, after) = escape(rest);
            bytes.push(translated);
            rest = after;
        } else {
            bytes.push(*byte);
        }
    }
    bytes
}

/// What follows a backslash: a byte, and the text after it.
fn escape(text: &[u8]) -> (u8, &[u8]) {
    let (mut control, mut meta) = (false, false);
    let mut rest = text;
    loop {
        match rest {
            [b'C', b'-', after @ ..] if !after.is_empty() => control = true,
            [b'M', b'-', after @ ..] if !after.is_empty() => meta = true,
            _ => break,
        }
        rest = &rest[2..];
        match rest {
            [b'\\', b'C' | b'M', b'-', ..] => rest = &rest[1..],
            _ => break,
        }
    }
    let modified = control || meta;
    let (byte, rest) = match rest {
        [b'\\', rest @ ..] if modified && !rest.is_empty() => simple(rest),
        [byte, rest @ ..] if modified => (*byte, rest),
        rest => simple(rest),
    };
    let byte = if control { controlled(byte) } else { byte };
    (if meta { byte | 0x80 } else { byte }, rest)
}

/// An escape of one character, an octal or a hexadecimal number.
fn simple(text: &[u8]) -> (u8, &[u8]) {
    let Some((first, rest)) = text.split_first() else {
        return (b'\\', text);
    };
    let number = |digits: &[u8], radix| {
        digits.iter().fold(0_u32, |sum, digit| {
            sum * radix + char::from(*digit).to_digit(radix).unwrap_or(0)
        }) as u8
    };
    let byte = match first {
        b'a' => 7,
        b'b' => 8,
        b'd' => 0x7f,
        b'e' => 0x1b,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'x' => {
            let digits = rest
                .iter()
                .take(2)
                .take_while(|byte| byte.is_ascii_hexdigit());
            let count = digits.count();
            return (number(&rest[..count], 16), &rest[count..]);
        }
        b'0'..=b'7' => {
            let count = text
                .iter()
                .take(3)
                .take_while(|byte| matches!(byte, b'0'..=b'7'))
                .count();
            return (number(&text[..count], 8), &text[count..]);
        }
        other => *other,
    };
    (byte, rest)
}

fn controlled(byte: u8) -> u8 {
    match byte {
        b'?' => 0x7f,
        byte => byte.to_ascii_uppercase() & 0x1f,
    }
}

/// The byte of a key that is named without quotes, as `Control-x` or `Meta-Rubout`.
pub(super) fn named(name: &[u8]) -> Option<u8> {
    let lower = name.to_ascii_lowercase();
    let last = lower.iter().rposition(|&byte| byte == b'-');
    let (modifiers, key) = match last {
        Some(at) if at + 1 < name.len() => (&lower[..=at], &name[at + 1..]),
        _ => (&lower[..0], name),
    };
    let has = |names: [&[u8]; 2]| {
        modifiers
            .split(|&byte| byte == b'-')
            .any(|part| names.contains(&part))
    };
    let byte = match key.to_ascii_lowercase().as_slice() {
        b"del" | b"rubout" => 0x7f,
        b"esc" | b"escape" => 0x1b,
        b"lfd" | b"newline" => b'\n',
        b"ret" | b"return" => b'\r',
        b"spc" | b"space" => b' ',
        b"tab" => b'\t',
        _ => *key.first()?,
    };
    let byte = if has([b"control", b"c"]) {
        controlled(byte)
    } else {
        byte
    };
    Some(if has([b"meta", b"m"]) {
        byte | 0x80
    } else {
        byte
    })
}

/// A sequence as `bind` shows it.
pub(super) fn shown(bytes: &[u8]) -> Vec<u8> {
    if bytes == [0] {
        return b"\\C-@".to_vec();
    }
    let mut text = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            0 | 0x80.. => text.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            0x1b => text.extend_from_slice(b"\\e"),
            0x7f => text.extend_from_slice(b"\\C-?"),
            0x1c => text.extend_from_slice(b"\\C-\\\\"),
            1..=0x1f => {
                text.extend_from_slice(&[b'\\', b'C', b'-', (byte | 0x40).to_ascii_lowercase()])
            }
            b'"' | b'\\' => text.extend_from_slice(&[b'\\', byte]),
            byte => text.push(byte),
        }
    }
    text
}
