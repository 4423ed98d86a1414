//! `fnmatch`: shell patterns over whole names.

use crate::pattern::{Dialect, Pattern, Settings};

/// A compiled shell pattern.
pub struct Glob {
    pattern: Option<Pattern>,
    /// The same for names that are not UTF-8, as C matches them: each byte is a character.
    bytes: Option<Pattern>,
}

impl Glob {
    /// Compiles `source`. With `path` false, `*` and `?` match slashes too, as in `find -path`.
    pub fn new(source: &[u8], ignore_case: bool, path: bool) -> Glob {
        let settings = Settings {
            ignore_case,
            ..Settings::new(Dialect::Extended)
        };
        let compiled = |source: &[u8]| {
            let text = bytes_to_expression(source, path);
            Pattern::new(&text, &settings).ok()
        };
        Glob {
            pattern: compiled(source),
            bytes: compiled(&widened(source)),
        }
    }

    /// Whether the whole of `name` matches. A pattern without a meaning matches nothing.
    pub fn matches(&self, name: &[u8]) -> bool {
        let is_match = |pattern: &Option<Pattern>, name: &[u8]| {
            let pattern = pattern.as_ref();
            pattern.is_some_and(|pattern| pattern.is_match(name))
        };
        match std::str::from_utf8(name) {
            Ok(_) => is_match(&self.pattern, name),
            Err(_) => is_match(&self.bytes, &widened(name)),
        }
    }
}

/// Each byte as the character of its number.
fn widened(text: &[u8]) -> Vec<u8> {
    let characters = text.iter().map(|byte| char::from(*byte));
    characters.collect::<String>().into_bytes()
}

fn bytes_to_expression(source: &[u8], path: bool) -> Vec<u8> {
    let mut out = b"^".to_vec();
    let mut at = 0;
    while at < source.len() {
        let byte = source[at];
        at += 1;
        match byte {
            b'*' if path => out.extend_from_slice(b"[^/]*"),
            b'*' => out.extend_from_slice(b".*"),
            b'?' if path => out.extend_from_slice(b"[^/]"),
            b'?' => out.push(b'.'),
            b'[' => at = bracket(source, at, &mut out),
            b'\\' if at < source.len() => {
                escape(&mut out, source[at]);
                at += 1;
            }
            _ => escape(&mut out, byte),
        }
    }
    out.push(b'$');
    out
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    if b"\\.[]{}()*+?^$|".contains(&byte) {
        out.push(b'\\');
    }
    out.push(byte);
}

/// Copies a bracket expression that starts after `at - 1`; without an end it is a plain `[`.
fn bracket(source: &[u8], at: usize, out: &mut Vec<u8>) -> usize {
    let negated = matches!(source.get(at), Some(b'!' | b'^'));
    let first = at + usize::from(negated);
    let mut end = first;
    while let Some(&byte) = source.get(end) {
        if byte == b']' && end > first {
            break;
        }
        let class = byte == b'[' && matches!(source.get(end + 1), Some(b':' | b'.' | b'='));
        let close = class.then(|| {
            let mark = source[end + 1];
            source[end + 2..]
                .windows(2)
                .position(|pair| pair == [mark, b']'])
        });
        end += close.flatten().map_or(1, |length| length + 4);
    }
    if end >= source.len() {
        out.extend_from_slice(b"\\[");
        return at;
    }
    out.extend_from_slice(if negated { b"[^" } else { b"[" });
    let body = &source[first..end];
    // In a shell pattern a backslash quotes inside brackets too; in an expression it is itself.
    let mut bytes = body.iter().enumerate();
    while let Some((index, &byte)) = bytes.next() {
        if byte == b'\\' && index + 1 < body.len() {
            if let Some((_, &next)) = bytes.next() {
                out.push(next);
            }
        } else {
            out.push(byte);
        }
    }
    out.push(b']');
    end + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_whole_names() {
        let cases = [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rst", false),
            ("?", "é", true),
            ("[!a]*", "b", true),
            ("[!a]*", "a", false),
            ("[[:digit:]]x", "1x", true),
            ("a\\*", "a*", true),
            ("a\\*", "ab", false),
            ("a[", "a[", true),
            ("*", "a/b", true),
            ("(a|b)+", "(a|b)+", true),
            ("", "", true),
        ];
        for (pattern, name, expected) in cases {
            let glob = Glob::new(pattern.as_bytes(), false, false);
            assert_eq!(glob.matches(name.as_bytes()), expected, "{pattern} {name}");
        }
        assert!(!Glob::new(b"*", false, true).matches(b"a/b"));
    }
}
