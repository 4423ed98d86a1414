//! Values as SQL, JSON, C, HTML and CSV write them. Texts are bytes; nothing here depends on their encoding.

use offshoot_sqlite::Value;

/// A text as an SQL literal.
pub fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'\''];
    for &byte in text {
        if byte == b'\'' {
            out.push(b'\'');
        }
        out.push(byte);
    }
    out.push(b'\'');
    out
}

/// A text as an SQL expression in one line.
///
/// Line ends are replaced by a text that does not occur, which the expression replaces again:
/// `replace('a\nb','\n',char(10))`.
pub fn one_line(text: &[u8]) -> Vec<u8> {
    let (newlines, returns) = (text.contains(&b'\n'), text.contains(&b'\r'));
    let newline = if newlines {
        unused(text, "\\n", "\\012")
    } else {
        String::new()
    };
    let carriage = if returns {
        unused(text, "\\r", "\\015")
    } else {
        String::new()
    };
    let mut literal = Vec::new();
    for &byte in &quoted(text) {
        match byte {
            b'\n' => literal.extend_from_slice(newline.as_bytes()),
            b'\r' => literal.extend_from_slice(carriage.as_bytes()),
            byte => literal.push(byte),
        }
    }
    let mut out = Vec::new();
    for _ in 0..usize::from(newlines) + usize::from(returns) {
        out.extend_from_slice(b"replace(");
    }
    out.extend_from_slice(&literal);
    if returns {
        out.extend_from_slice(format!(",'{carriage}',char(13))").as_bytes());
    }
    if newlines {
        out.extend_from_slice(format!(",'{newline}',char(10))").as_bytes());
    }
    out
}

/// A text that does not occur in `text`.
fn unused(text: &[u8], first: &str, second: &str) -> String {
    let occurs = |candidate: &str| memchr::memmem::find(text, candidate.as_bytes()).is_some();
    [first, second]
        .into_iter()
        .map(str::to_owned)
        .chain((0..u32::MAX).map(|number| format!("({first}{number})")))
        .find(|candidate| !occurs(candidate))
        .unwrap_or_default()
}

/// Bytes as an SQL literal.
///
/// `X'00ff'` with the given mark.
pub fn blob(bytes: &[u8], mark: char) -> Vec<u8> {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{mark}'{digits}'").into_bytes()
}

/// A number with a fraction, as exact as it is; infinity as a number that is read as infinity.
pub fn real(number: f64) -> String {
    if number.is_nan() {
        return "NULL".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "1e999" } else { "-1e999" }.to_owned();
    }
    let exponent = number.abs().log10();
    if number != 0.0 && !(-4.0..17.0).contains(&exponent) {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if digits.contains('.') { "" } else { ".0" };
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => ('-', exponent),
            None => ('+', exponent),
        };
        return format!("{digits}{point}e{sign}{exponent:0>2}");
    }
    format!("{number:?}")
}

/// A value as an SQL literal; `text` writes texts.
pub fn value(value: &Value, text: fn(&[u8]) -> Vec<u8>, blob_mark: char) -> Vec<u8> {
    match value {
        Value::Null => b"NULL".to_vec(),
        Value::Integer(number) => number.to_string().into_bytes(),
        Value::Real(number) => real(*number).into_bytes(),
        Value::Text(bytes) => text(bytes),
        Value::Blob(bytes) => blob(bytes, blob_mark),
    }
}

/// A name, in double quotes where SQL needs them.
pub fn name(name: &[u8]) -> Vec<u8> {
    let plain = name
        .first()
        .is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && !offshoot_sqlite::is_keyword(name);
    if plain {
        name.to_vec()
    } else {
        double_quoted(name)
    }
}

/// A name in double quotes.
pub fn double_quoted(name: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for &byte in name {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
    out
}

/// A text in double quotes as JSON writes it.
///
/// Bytes beyond ASCII are written as they are.
pub fn json(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..=31 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            byte => out.push(byte),
        }
    }
    out.push(b'"');
    out
}

/// A text in double quotes as C writes it.
pub fn c(text: &[u8]) -> Vec<u8> {
    let mut out = vec![b'"'];
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            32..=126 => out.push(byte),
            byte => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
        }
    }
    out.push(b'"');
    out
}

/// A text without what HTML means otherwise.
pub fn html(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in text {
        match byte {
            b'<' => out.extend_from_slice(b"&lt;"),
            b'>' => out.extend_from_slice(b"&gt;"),
            b'&' => out.extend_from_slice(b"&amp;"),
            b'"' => out.extend_from_slice(b"&quot;"),
            b'\'' => out.extend_from_slice(b"&#39;"),
            byte => out.push(byte),
        }
    }
    out
}

/// A field of a CSV file.
///
/// Quoted where it is empty or has blanks, control characters, quotes, bytes beyond ASCII or the separator in it.
pub fn csv(text: &[u8], separator: &[u8]) -> Vec<u8> {
    let special = |byte: &u8| *byte <= b' ' || *byte >= 127 || matches!(byte, b'"' | b'\'');
    let separated = !separator.is_empty() && memchr::memmem::find(text, separator).is_some();
    if text.is_empty() || text.iter().any(special) || separated {
        double_quoted(text)
    } else {
        text.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back_as_they_were() {
        for number in [
            0.0,
            0.1,
            1.5,
            1e10,
            1e15,
            123_456_789.125,
            1e17,
            1e-5,
            1.25e300,
            -2.5,
        ] {
            let text = real(number);
            assert_eq!(text.parse::<f64>(), Ok(number), "{text}");
            assert!(text.contains('.'), "{text}");
        }
        assert_eq!(real(f64::NEG_INFINITY), "-1e999");
    }

    #[test]
    fn a_line_is_made_of_many() {
        assert_eq!(one_line(b"a\nb"), b"replace('a\\nb','\\n',char(10))");
        assert_eq!(one_line(b"\\n\n"), b"replace('\\n\\012','\\012',char(10))");
    }
}
