//! JSON (RFC 8259) in and out of the tree of `yq`, with numbers as they are written and members in their order.
//!
//! The input may be several values one after the other, each of which is a document. A scalar keeps its text: `1e3`
//! stays `1e3`, and `1.0` stays `1.0`. Of members with the same name all stay, as in a YAML mapping. Written out,
//! scalars of YAML become JSON's: `0x10` is 16, `True` is `true`, `.inf` is the string `".inf"`, and an alias is what
//! it stands for.
//!
//! Reading and writing take O(n); values nested deeper than `MAX_DEPTH` are an error both ways.

use super::super::tree::{Id, Kind, Style, Tree, integer, number};

/// How deep values may be nested: both directions call themselves, and a guest's stack is limited.
const MAX_DEPTH: usize = 1_000;

/// Reads all values of a text; an empty text has none. The error is a message with the byte at which it was found.
pub fn read(tree: &mut Tree, text: &str) -> Result<Vec<Id>, String> {
    let mut reader = Reader { tree, text, at: 0 };
    let mut roots = Vec::new();
    reader.skip();
    while reader.at < text.len() {
        roots.push(reader.value(0)?);
        reader.skip();
    }
    Ok(roots)
}

/// A parser by recursive descent over bytes.
struct Reader<'a> {
    tree: &'a mut Tree,
    text: &'a str,
    /// The byte that comes next; always at the boundary of a character.
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes over JSON's whitespace.
    fn skip(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The error for what stands at this place.
    fn wrong<T>(&self) -> Result<T, String> {
        match self.text[self.at..].chars().next() {
            None => Err("json: unexpected end of JSON input".to_owned()),
            Some(c) => Err(format!("json: invalid character {c:?} at byte {}", self.at)),
        }
    }

    /// Reads one value of any kind.
    fn value(&mut self, depth: usize) -> Result<Id, String> {
        if depth > MAX_DEPTH {
            return Err(format!("json: nested deeper than {MAX_DEPTH} levels"));
        }
        self.skip();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => {
                let text = self.string()?;
                Ok(self.tree.string(&text))
            }
            _ => self.word(),
        }
    }

    /// Reads an object whose `{` comes next. Keys have to be strings; a comma at the end is an error.
    fn object(&mut self, depth: usize) -> Result<Id, String> {
        self.at += 1;
        let mapping = self.tree.make(Kind::Mapping, "!!map", "");
        self.skip();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(mapping);
        }
        loop {
            self.skip();
            if self.peek() != Some(b'"') {
                return self.wrong();
            }
            let key = self.string()?;
            let key = self.tree.string(&key);
            self.skip();
            if self.peek() != Some(b':') {
                return self.wrong();
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            self.tree.attach_pair(mapping, key, value);
            self.skip();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return self.wrong(),
            }
        }
        self.at += 1;
        Ok(mapping)
    }

    /// Reads an array whose `[` comes next.
    fn array(&mut self, depth: usize) -> Result<Id, String> {
        self.at += 1;
        let list = self.tree.make(Kind::Sequence, "!!seq", "");
        self.skip();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(list);
        }
        loop {
            let value = self.value(depth + 1)?;
            self.tree.attach(list, value);
            self.skip();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return self.wrong(),
            }
        }
        self.at += 1;
        Ok(list)
    }

    /// Reads a string whose quote comes next. Control characters are taken as they are.
    fn string(&mut self) -> Result<String, String> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find(['"', '\\']) else {
                self.at = self.text.len();
                return self.wrong();
            };
            out.push_str(&rest[..end]);
            self.at += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Ok(out);
            }
            self.escape(&mut out)?;
        }
    }

    /// Reads what follows a backslash.
    fn escape(&mut self, out: &mut String) -> Result<(), String> {
        let Some(byte) = self.peek() else {
            return self.wrong();
        };
        let plain = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(out),
            _ => return self.wrong(),
        };
        self.at += 1;
        out.push(plain);
        Ok(())
    }

    /// Reads the `uXXXX` of an escape, of which the `u` comes next.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at + 1..self.at + 5)?;
        let unit = u32::from_str_radix(digits, 16).ok()?;
        self.at += 5;
        Some(unit)
    }

    /// Reads a `\u` escape, or two that make one character; half of a pair becomes U+FFFD.
    fn unicode(&mut self, out: &mut String) -> Result<(), String> {
        let Some(mut unit) = self.unit() else {
            return self.wrong();
        };
        if (0xd800..0xdc00).contains(&unit) && self.text[self.at..].starts_with("\\u") {
            self.at += 1;
            if let Some(low @ 0xdc00..0xe000) = self.unit() {
                unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            }
        }
        out.push(char::from_u32(unit).unwrap_or('\u{fffd}'));
        Ok(())
    }

    /// Reads `null`, `true`, `false` or a number, which keeps its text.
    fn word(&mut self) -> Result<Id, String> {
        let rest = &self.text[self.at..];
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
            .unwrap_or(rest.len());
        let word = &rest[..end];
        let tag = match word {
            "null" => "!!null",
            "true" | "false" => "!!bool",
            _ if !word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                return self.wrong();
            }
            _ if integer(word).is_some() => "!!int",
            _ if number(word).is_some() => "!!float",
            _ => return self.wrong(),
        };
        self.at += end;
        Ok(self.tree.scalar(tag, word))
    }
}

/// Writes a value and a newline; aliases are written as what they stand for.
///
/// An `indent` of 0 writes it in one line without spaces, any other number of blanks a member or an item a line.
pub fn write(tree: &Tree, id: Id, indent: usize) -> Result<String, String> {
    let mut out = String::new();
    value(tree, id, indent, 0, &mut out)?;
    out.push('\n');
    Ok(out)
}

/// Writes a value of any kind at a depth.
fn value(tree: &Tree, id: Id, indent: usize, depth: usize, out: &mut String) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("json: nested deeper than {MAX_DEPTH} levels"));
    }
    let id = tree.follow(id);
    let node = &tree[id];
    match node.kind {
        Kind::Scalar => scalar(tree, id, out),
        Kind::Alias => out.push_str("null"),
        Kind::Sequence => {
            let items: Vec<(Option<Id>, Id)> =
                node.content.iter().map(|&item| (None, item)).collect();
            list(tree, &items, ('[', ']'), indent, depth, out)?;
        }
        Kind::Mapping => {
            let pairs: Vec<(Option<Id>, Id)> = tree
                .pairs(id)
                .into_iter()
                .map(|(key, value)| (Some(key), value))
                .collect();
            list(tree, &pairs, ('{', '}'), indent, depth, out)?;
        }
    }
    Ok(())
}

/// Writes the members of an object (with keys) or the items of an array (without).
fn list(
    tree: &Tree,
    items: &[(Option<Id>, Id)],
    (open, close): (char, char),
    indent: usize,
    depth: usize,
    out: &mut String,
) -> Result<(), String> {
    out.push(open);
    let line = |depth: usize, out: &mut String| {
        if indent > 0 {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent * depth));
        }
    };
    for (place, &(key, item)) in items.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        line(depth + 1, out);
        if let Some(key) = key {
            string(&tree[tree.follow(key)].value, out);
            out.push_str(if indent > 0 { ": " } else { ":" });
        }
        value(tree, item, indent, depth + 1, out)?;
    }
    if !items.is_empty() {
        line(depth, out);
    }
    out.push(close);
    Ok(())
}

/// Writes a scalar by its tag. A number that JSON cannot write becomes a string.
fn scalar(tree: &Tree, id: Id, out: &mut String) {
    let node = &tree[id];
    let text = &*node.value;
    let plain = matches!(node.style, Style::Plain | Style::Flow);
    match &*node.tag {
        "!!null" => out.push_str("null"),
        "!!bool" => out.push_str(&text.to_ascii_lowercase()),
        "!!int" => match integer(text) {
            Some(value) => out.push_str(&value.to_string()),
            None => out.push_str(text),
        },
        "!!float"
            if plain
                && text.starts_with(|c: char| c.is_ascii_digit() || c == '-')
                && !text.ends_with('.') =>
        {
            match number(text) {
                Some(value) if value.is_finite() => out.push_str(text),
                _ => string(text, out),
            }
        }
        "!!float" => match number(text) {
            Some(value) if value.is_finite() => {
                out.push_str(&super::super::text::number_text(value))
            }
            _ => string(text, out),
        },
        _ => string(text, out),
    }
}

/// Writes a string. Beyond what JSON asks for, U+2028 and U+2029 are escaped, as Go's encoder does.
fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
