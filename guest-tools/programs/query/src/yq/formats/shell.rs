//! Single strings for the shell and for addresses, and documents as assignments.
//!
//! ```text
//! yq -o shell     {a: {b: 1, c d: it's}}     a_b=1
//!                                            a_c_d='it'"'"'s'
//! ```

use super::super::tree::{Id, Kind, Tree};

/// A string as one word of the shell: only what needs it is put in single quotes, and a quote is `\'`, so `it's` is
/// `it\'s`.
pub fn quote(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    let mut out = String::new();
    let mut quoted = false;
    for c in text.chars() {
        if c == '\'' {
            if quoted {
                out.push('\'');
                quoted = false;
            }
            out.push_str("\\'");
            continue;
        }
        if !safe(c) && !quoted {
            out.push('\'');
            quoted = true;
        }
        out.push(c);
    }
    if quoted {
        out.push('\'');
    }
    out
}

/// A string as a value in a query: unreserved characters stay, a space is `+`, other bytes are percent signs and two
/// digits.
pub fn encode_uri(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte))
            }
            b' ' => out.push('+'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The other way round. A percent sign without two digits stays; bytes that are not UTF-8 are replaced.
pub fn decode_uri(text: &str) -> String {
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let hex = text
            .get(at + 1..at + 3)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (bytes[at], hex) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// One assignment for each scalar. Names are the keys and places on the way, joined by the separator; characters that
/// names cannot have become `_`. A scalar at the top is `value`.
pub fn variables(tree: &Tree, id: Id, separator: &str) -> String {
    let mut out = String::new();
    assign(tree, id, "", separator, 0, &mut out);
    out
}

/// Writes a node under a name; what is nested deeper than 1,000 levels is left out.
fn assign(tree: &Tree, id: Id, name: &str, separator: &str, depth: usize, out: &mut String) {
    const MAX_DEPTH: usize = 1_000;
    let id = tree.follow(id);
    let below = |key: &str| {
        let key: String = key
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '_' {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        match (
            name.is_empty(),
            key.starts_with(|c: char| c.is_ascii_digit()),
        ) {
            (true, true) => format!("_{key}"),
            (true, false) => key,
            (false, _) => format!("{name}{separator}{key}"),
        }
    };
    if depth > MAX_DEPTH {
        return;
    }
    match tree[id].kind {
        Kind::Mapping => {
            for (key, value) in tree.pairs(id) {
                assign(
                    tree,
                    value,
                    &below(&tree[key].value),
                    separator,
                    depth + 1,
                    out,
                );
            }
        }
        Kind::Sequence => {
            for (place, &item) in tree[id].content.iter().enumerate() {
                assign(
                    tree,
                    item,
                    &below(&place.to_string()),
                    separator,
                    depth + 1,
                    out,
                );
            }
        }
        _ => {
            let value = &tree[id].value;
            let value = if tree.is_null(id) { "" } else { value };
            let name = if name.is_empty() { "value" } else { name };
            let plain = !value.is_empty()
                && value
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_-+./,:@%=".contains(c));
            let shown = if plain || value.is_empty() {
                value.to_owned()
            } else if value.contains(|c: char| c < ' ') {
                format!("$'{}'", value.escape_default())
            } else {
                format!("'{}'", value.replace('\'', "'\"'\"'"))
            };
            out.push_str(&format!("{name}={shown}\n"));
        }
    }
}
