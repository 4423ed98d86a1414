//! Quoting, against what GNU's ls and bash printed: `tests/record` makes the table.

#![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

use offshoot_posix::quote;

/// The bytes of a field: `\xNN` is a byte, everything else itself.
fn bytes(field: &str) -> Vec<u8> {
    let mut parts = field.split("\\x");
    let mut out = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        out.push(u8::from_str_radix(&part[..2], 16).unwrap());
        out.extend_from_slice(&part.as_bytes()[2..]);
    }
    out
}

#[test]
fn names_are_quoted_as_gnu_and_bash_quote_them() {
    type Style = fn(&[u8]) -> Vec<u8>;
    let styles: [(&str, Style); 7] = [
        ("shell-escape", quote::shell_where_needed),
        ("shell-escape-always", quote::shell),
        ("shell", |name| quote::shell_raw(name, false)),
        ("c", |name| {
            [b"\"", &quote::escaped(name, false, true)[..], b"\""].concat()
        }),
        ("escape", |name| quote::escaped(name, true, false)),
        ("printf %q", quote::bash::word),
        ("${x@Q}", quote::bash::reusable),
    ];
    let mut wrong = String::new();
    let mut count = 0;
    let table = include_str!("quotes.txt").lines();
    for row in table.filter(|row| !row.starts_with("# ")) {
        let mut fields = row.split('\t').map(bytes);
        let name = fields.next().unwrap();
        for (style, quoted) in &styles {
            let (expected, got) = (fields.next().unwrap(), quoted(&name));
            count += 1;
            if got != expected {
                wrong += &format!(
                    "{style} of {}: {} and not {}\n",
                    name.escape_ascii(),
                    got.escape_ascii(),
                    expected.escape_ascii()
                );
            }
        }
    }
    assert!(count > 3000, "{count}");
    assert!(wrong.is_empty(), "{wrong}");
}
