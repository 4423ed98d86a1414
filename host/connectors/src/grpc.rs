//! Tokens in answers of gRPC: one message of protobuf, in which a field is known by its number.

/// Bytes before a message: whether it is compressed, and its length.
const HEADER: usize = 5;

/// A way to a field: its number, after those of the messages that it is in. Nothing for what is none: `5.1`.
pub(crate) fn path(text: &str) -> Option<Vec<u64>> {
    let numbers = text.split('.').map(|number| number.parse().ok());
    numbers.collect()
}

/// The messages of a body, each with its header.
pub(crate) fn messages(mut body: &[u8]) -> Option<Vec<&[u8]>> {
    let mut messages = Vec::new();
    while !body.is_empty() {
        let ([flag, length @ ..], rest) = body.split_first_chunk::<HEADER>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        if *flag != 0 || length > rest.len() {
            return None;
        }
        let (message, rest) = rest.split_at(length);
        messages.push(message);
        body = rest;
    }
    Some(messages)
}

/// Puts a message to the end of a body.
pub(crate) fn append(body: &mut Vec<u8>, message: &[u8]) -> Option<()> {
    let length = u32::try_from(message.len()).ok()?;
    body.push(0);
    body.extend_from_slice(&length.to_be_bytes());
    body.extend_from_slice(message);
    Some(())
}

/// The message with other texts in the fields at a path; nothing for what is no message.
pub(crate) fn replaced<E>(
    message: &[u8],
    path: &[u64],
    other: &mut dyn FnMut(&str) -> Result<String, E>,
) -> Result<Option<Vec<u8>>, E> {
    let Some((wanted, below)) = path.split_first() else {
        return Ok(None);
    };
    let mut made = Vec::with_capacity(message.len());
    let mut rest = message;
    while !rest.is_empty() {
        let Some(Field { tag, value, after }) = field(rest) else {
            return Ok(None);
        };
        match value {
            Some(value) if tag >> 3 == *wanted => {
                let value = match below.is_empty() {
                    false => replaced(value, below, other)?,
                    true => match std::str::from_utf8(value) {
                        Ok("") => Some(Vec::new()),
                        Ok(text) => Some(other(text)?.into_bytes()),
                        Err(_) => None,
                    },
                };
                let Some(value) = value else { return Ok(None) };
                put(&mut made, tag);
                put(&mut made, value.len() as u64);
                made.extend_from_slice(&value);
            }
            _ => made.extend_from_slice(&rest[..rest.len() - after.len()]),
        }
        rest = after;
    }
    Ok(Some(made))
}

/// One field of a message.
struct Field<'a> {
    tag: u64,
    /// Its bytes, where it has a length.
    value: Option<&'a [u8]>,
    /// What follows it.
    after: &'a [u8],
}

/// The first field.
fn field(message: &[u8]) -> Option<Field<'_>> {
    let (tag, rest) = varint(message)?;
    let (value, after) = match tag & 7 {
        0 => (None, varint(rest)?.1),
        1 => (None, rest.get(8..)?),
        2 => {
            let (length, rest) = varint(rest)?;
            let (value, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            (Some(value), after)
        }
        5 => (None, rest.get(4..)?),
        _ => return None,
    };
    Some(Field { tag, value, after })
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (place, byte) in bytes.iter().take(10).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((number, &bytes[place + 1..]));
        }
    }
    None
}

fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(message: &[u8], path: &[u64]) -> Option<Vec<u8>> {
        let mut other = |text: &str| Ok::<_, ()>(format!("<{text}>"));
        replaced(message, path, &mut other).unwrap()
    }

    #[test]
    fn the_field_at_a_path_has_another_text() {
        // 1: "token", 2: 300, 5: { 1: "inner", 2: "x" }, 9: four bytes.
        let message =
            b"\x0a\x05token\x10\xac\x02\x2a\x0a\x0a\x05inner\x12\x01x\x4d\x01\x02\x03\x04";
        let outer = shown(message, &[1]).unwrap();
        assert!(outer.starts_with(b"\x0a\x07<token>\x10\xac\x02\x2a\x0a\x0a\x05inner"));
        let inner = shown(message, &[5, 1]).unwrap();
        assert!(
            inner.starts_with(b"\x0a\x05token\x10\xac\x02\x2a\x0c\x0a\x07<inner>\x12\x01x\x4d")
        );
        assert_eq!(shown(message, &[7]).unwrap(), message);
        // Longer than a length of one byte can say.
        let long = [&b"\x0a\x7f"[..], &[b'a'; 127]].concat();
        assert_eq!(shown(&long, &[1]).unwrap()[..3], [0x0a, 0x81, 0x01]);
    }

    #[test]
    fn what_is_no_message_is_none() {
        for message in [
            &b"\x0a\x05tok"[..],
            b"\x0a",
            b"\x0b",
            b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x0a\x01\xff",
            b"\x09\x01",
            b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        ] {
            assert!(shown(message, &[1]).is_none(), "{message:?}");
        }
        assert!(messages(&[0, 0, 0, 0, 2, 1]).is_none());
        assert!(messages(&[1, 0, 0, 0, 0]).is_none());
        assert_eq!(
            messages(b"\0\0\0\0\x01a\0\0\0\0\0").unwrap(),
            [&b"a"[..], b""]
        );
        assert_eq!(path("5.1").unwrap(), [5, 1]);
        assert!(path("jwt").is_none() && path("5.").is_none());
    }
}
