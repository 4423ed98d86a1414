//! JSON text (RFC 8259) to values and back, with the tolerances and the layout of `jq`.
//!
//! The reader takes a stream of values without separators between them, `nan` and the infinities, numbers such as
//! `.5`, a byte order mark at the start, and the record separators of RFC 7464. Invalid UTF-8 becomes U+FFFD. Messages
//! have line and column as `jq` has them, though `jq` parses incrementally and may name a neighbouring place.
//!
//! Values are read and written to at most `MAX_DEPTH` levels, in O(n) and with a stack of their own.

use std::rc::Rc;

use super::value::{MAX_DEPTH, Members, Value, format_number, parse_number};

/// Reads values from text, one after the other.
///
/// After an error it is not to be used further: the position is where the error was found.
pub struct Reader<'a> {
    /// The whole text.
    text: &'a [u8],
    /// The offset of the next byte.
    at: usize,
    /// Where the text begins, for messages.
    start: Place,
}

/// A place in a text: the number of newlines before it, and of bytes since the last one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    lines: usize,
    column: usize,
}

impl Place {
    /// The place behind `text`, which begins here.
    pub fn after(self, text: &[u8]) -> Place {
        let newline = memchr::memrchr(b'\n', text);
        Place {
            lines: self.lines + memchr::memchr_iter(b'\n', text).count(),
            column: newline.map_or(self.column + text.len(), |at| text.len() - at - 1),
        }
    }
}

/// Why the text is no JSON: `Unfinished string at EOF at line 1, column 4`.
#[derive(Debug)]
pub struct Malformed(pub String);

type Read<T> = Result<T, Malformed>;

/// What is read in part.
enum Open {
    Array(Vec<Value>),
    /// The members so far, and the name of the next one.
    Object(Members, Rc<str>),
}

impl<'a> Reader<'a> {
    /// Reads `text` from its start.
    pub fn new(text: &'a [u8]) -> Reader<'a> {
        Reader::resume(text, 0, Place::default())
    }

    /// Reads `text`, which begins at `start`, from the offset `at`.
    pub fn resume(text: &'a [u8], at: usize, start: Place) -> Reader<'a> {
        let marked = at == 0 && text.starts_with(b"\xef\xbb\xbf");
        let at = if marked { 3 } else { at };
        Reader { text, at, start }
    }

    /// The offset of what is not read yet.
    pub fn position(&self) -> usize {
        self.at
    }

    /// The next value; none at the end.
    pub fn next(&mut self) -> Read<Option<Value>> {
        self.skip_space();
        // RFC 7464 separates texts with this character.
        while self.peek() == Some(0x1e) {
            self.at += 1;
            self.skip_space();
        }
        if self.at == self.text.len() {
            return Ok(None);
        }
        self.value().map(Some)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// An error with the place that was reached, or `EOF` at the end of the text. Lines and columns count from 1, in
    /// bytes.
    fn fail<T>(&self, what: &str) -> Read<T> {
        let end = (self.at + 1).min(self.text.len());
        let Place { lines, column } = self.start.after(&self.text[..end]);
        let place = if self.at >= self.text.len() {
            "EOF at line"
        } else {
            "line"
        };
        Err(Malformed(format!(
            "{what} at {place} {}, column {column}",
            lines + 1
        )))
    }

    /// The value that begins at the present byte. What is open lies on a stack of its own.
    fn value(&mut self) -> Read<Value> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            if open.len() >= MAX_DEPTH && matches!(self.peek(), Some(b'[' | b'{')) {
                return self.fail("Exceeds depth limit for parsing");
            }
            let value = match self.peek() {
                Some(b'[') => match self.opens(b']') {
                    true => {
                        open.push(Open::Array(Vec::new()));
                        continue;
                    }
                    false => Vec::new().into(),
                },
                Some(b'{') => match self.opens(b'}') {
                    true => {
                        open.push(Open::Object(Members::new(), self.name()?));
                        continue;
                    }
                    false => Members::new().into(),
                },
                Some(b'"') => {
                    self.at += 1;
                    Value::String(self.string()?)
                }
                Some(b'}') => return self.fail("Unmatched '}'"),
                Some(b']') => return self.fail("Unmatched ']'"),
                Some(b':') => return self.fail("':' not as part of an object"),
                Some(b',') => return self.fail("Expected value before ','"),
                None => return self.fail("Unfinished JSON term"),
                _ => self.word()?,
            };
            if let Some(value) = self.close(value, &mut open)? {
                return Ok(value);
            }
        }
    }

    /// Takes a bracket, and the one that closes it where it follows; whether there is something between them.
    fn opens(&mut self, end: u8) -> bool {
        self.at += 1;
        self.skip_space();
        let is_empty = self.peek() == Some(end);
        self.at += usize::from(is_empty);
        !is_empty
    }

    /// Puts a value into what is open, and takes what follows it. Gives the value where nothing is open any more; the
    /// next one begins here where there is none.
    fn close(&mut self, mut value: Value, open: &mut Vec<Open>) -> Read<Option<Value>> {
        while let Some(around) = open.pop() {
            self.skip_space();
            let next = self.peek();
            let end = match around {
                Open::Array(_) => b']',
                Open::Object(..) => b'}',
            };
            match next {
                Some(b',') => self.at += 1,
                Some(byte) if byte == end => self.at += 1,
                None => return self.fail("Unfinished JSON term"),
                Some(_) => return self.fail("Expected separator between values"),
            }
            let goes_on = next == Some(b',');
            match around {
                Open::Array(mut items) => {
                    items.push(value);
                    if goes_on {
                        self.skip_space();
                        // A comma before the `]` is an error, as in JSON proper.
                        if self.peek() == Some(b']') {
                            return self.fail("Expected another array element");
                        }
                        open.push(Open::Array(items));
                        return Ok(None);
                    }
                    value = items.into();
                }
                Open::Object(mut members, name) => {
                    // Of members of the same name the last counts, at the place of the first.
                    members.insert(name, value);
                    if goes_on {
                        open.push(Open::Object(members, self.name()?));
                        return Ok(None);
                    }
                    value = members.into();
                }
            }
        }
        Ok(Some(value))
    }

    /// The name of a member and its colon, up to the value.
    fn name(&mut self) -> Read<Rc<str>> {
        self.skip_space();
        match self.peek() {
            Some(b'"') => self.at += 1,
            Some(b'}') => return self.fail("Expected another key-value pair"),
            None => return self.fail("Unfinished JSON term"),
            Some(b'\'') => {
                self.word()?;
            }
            Some(_) => return self.fail("Object keys must be strings"),
        }
        let name = self.string()?;
        self.skip_space();
        if self.peek() != Some(b':') {
            return self.fail("Objects must consist of key:value pairs");
        }
        self.at += 1;
        self.skip_space();
        Ok(name)
    }

    /// `null`, `true`, `false`, a number, or an error. A word ends at white space, a bracket, a comma, a colon or a
    /// quote.
    fn word(&mut self) -> Read<Value> {
        let start = self.at;
        while let Some(byte) = self.peek() {
            if matches!(
                byte,
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"'
            ) {
                break;
            }
            self.at += 1;
        }
        match &self.text[start..self.at] {
            [b'\'', ..] => self.fail("Invalid string literal; expected \", but got '"),
            b"null" => Ok(Value::Null),
            b"true" => Ok(Value::Bool(true)),
            b"false" => Ok(Value::Bool(false)),
            b"nan" | b"NaN" | b"-nan" | b"-NaN" => Ok(Value::Number(f64::NAN)),
            b"Infinity" => Ok(Value::Number(f64::INFINITY)),
            b"-Infinity" => Ok(Value::Number(f64::NEG_INFINITY)),
            word => {
                let number = std::str::from_utf8(word)
                    .ok()
                    .filter(|text| is_number(text));
                match number.and_then(parse_number) {
                    Some(number) => Ok(number),
                    None if word.iter().all(u8::is_ascii_alphabetic)
                        && !b"nN-".contains(&word[0]) =>
                    {
                        self.fail("Invalid literal")
                    }
                    None => self.fail("Invalid numeric literal"),
                }
            }
        }
    }

    /// A string whose quote was read.
    ///
    /// A string without escapes is copied in one piece. Control characters in it are taken as they are.
    fn string(&mut self) -> Read<Rc<str>> {
        let rest = &self.text[self.at..];
        let Some(end) = memchr::memchr2(b'"', b'\\', rest) else {
            self.at = self.text.len();
            return self.fail("Unfinished string");
        };
        if rest[end] == b'"' {
            self.at += end + 1;
            return Ok(String::from_utf8_lossy(&rest[..end]).into());
        }
        let mut out = Vec::with_capacity(end + 16);
        loop {
            let Some(byte) = self.peek() else {
                return self.fail("Unfinished string");
            };
            self.at += 1;
            match byte {
                b'"' => return Ok(String::from_utf8_lossy(&out).into()),
                b'\\' => self.escape(&mut out)?,
                _ => out.push(byte),
            }
        }
    }

    /// One escape after its backslash, appended as UTF-8. A surrogate without its partner becomes U+FFFD.
    fn escape(&mut self, out: &mut Vec<u8>) -> Read<()> {
        let Some(byte) = self.peek() else {
            return self.fail("Unfinished string");
        };
        self.at += 1;
        out.push(match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let mut unit = self.unit()?;
                if (0xd800..0xdc00).contains(&unit) && self.text[self.at..].starts_with(b"\\u") {
                    let back = self.at;
                    self.at += 2;
                    let low = self.unit()?;
                    if (0xdc00..0xe000).contains(&low) {
                        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    } else {
                        self.at = back;
                    }
                }
                let character = char::from_u32(unit).unwrap_or('\u{fffd}');
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return self.fail("Invalid escape"),
        });
        Ok(())
    }

    /// The four hexadecimal digits of a `\u` escape.
    fn unit(&mut self) -> Read<u32> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .and_then(|hex| std::str::from_utf8(hex).ok());
        match digits.and_then(hexadecimal) {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => self.fail("Invalid escape"),
        }
    }
}

/// The value of hexadecimal digits; none where anything else is among them, a sign included.
pub fn hexadecimal(digits: &str) -> Option<u32> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain
        .then(|| u32::from_str_radix(digits, 16).ok())
        .flatten()
}

/// Whether the text has the form of a number as `jq` reads them: `.5` and `5.` are numbers too.
pub fn is_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let digits = |at: &mut usize| {
        let start = *at;
        while bytes.get(*at).is_some_and(u8::is_ascii_digit) {
            *at += 1;
        }
        *at > start
    };
    let mut some = digits(&mut at);
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        some |= digits(&mut at);
    }
    if some && matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'-' | b'+')));
        some = digits(&mut at);
    }
    some && at == bytes.len()
}

/// How values are written. The default is one line without colours, as `tojson` writes.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// What one level is indented by: blanks or a tab. None writes all in one line.
    pub indent: Option<String>,
    /// Members are sorted by name at every level (`-S`).
    pub sort: bool,
    /// Everything beyond ASCII is written as `\uXXXX`, in UTF-16 units (`-a`).
    pub ascii: bool,
    /// The escape sequences for null, false, true, numbers, strings, arrays, objects and member names, in this order.
    pub colors: Option<[String; 8]>,
}

/// Appends `value` to `out`, without a newline at its end.
pub fn write(out: &mut Vec<u8>, value: &Value, style: &Style) {
    Writer {
        out,
        style,
        depth: 0,
    }
    .value(value);
}

/// The value in one line.
///
/// The form of `tojson` and `tostring`.
pub fn compact(value: &Value) -> String {
    let mut out = Vec::new();
    write(&mut out, value, &Style::default());
    String::from_utf8(out).unwrap_or_default()
}

/// The value in one line, cut where it is longer than messages show.
///
/// At most 29 bytes, cut between characters, with the closing bracket or quote kept: `[1,2,3,4,5,6,7,8,9,10,11,...]`.
pub fn shortened(value: &Value) -> String {
    const LENGTH: usize = 29;
    let text = compact(value);
    if text.len() <= LENGTH {
        return text;
    }
    // A closing quote is kept, so that strings look like strings.
    let tail = match value {
        Value::String(_) => "\"",
        Value::Array(_) => "]",
        Value::Object(_) => "}",
        _ => "",
    };
    let mut end = LENGTH - 3 - tail.len();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}...{tail}", &text[..end])
}

/// The state of writing one value.
struct Writer<'a> {
    out: &'a mut Vec<u8>,
    style: &'a Style,
    /// The number of arrays and objects around the present place.
    depth: usize,
}

/// Ends a colour.
const RESET: &[u8] = b"\x1b[0m";

impl Writer<'_> {
    /// Begins the colour of that index, with colours on.
    fn color(&mut self, index: usize) {
        if let Some(colors) = &self.style.colors {
            self.out.extend_from_slice(colors[index].as_bytes());
        }
    }

    /// Ends a colour, with colours on.
    fn reset(&mut self) {
        if self.style.colors.is_some() {
            self.out.extend_from_slice(RESET);
        }
    }

    /// A new line at the present level, where values take several.
    fn line(&mut self) {
        if let Some(indent) = &self.style.indent {
            self.out.push(b'\n');
            for _ in 0..self.depth {
                self.out.extend_from_slice(indent.as_bytes());
            }
        }
    }

    /// A value. The arrays and objects around the present place lie on a stack of their own.
    fn value(&mut self, value: &Value) {
        let mut open = Vec::new();
        self.begin(value, &mut open);
        while let Some(around) = open.last_mut() {
            let index = around.index;
            around.index += 1;
            let next = match &mut around.rest {
                Rest::Items(items) => items.next().map(|item| (None, item)),
                Rest::Members(members) => members.next().map(|(name, value)| (Some(name), value)),
                Rest::Sorted(members) => members.next().map(|(name, value)| (Some(name), value)),
            };
            match next {
                Some((name, value)) => {
                    match name {
                        Some(name) => self.member(index, name),
                        None => self.item(index),
                    }
                    self.begin(value, &mut open);
                }
                None => {
                    let end = match around.rest {
                        Rest::Items(_) => (5, b']'),
                        _ => (6, b'}'),
                    };
                    open.pop();
                    self.end(end, index == 0);
                }
            }
        }
    }

    /// Writes a scalar, or the bracket of what is pushed to `open`. The sequence of colour changes is that of `jq` 1.8,
    /// redundant ones included, so that output is identical.
    fn begin<'v>(&mut self, value: &'v Value, open: &mut Vec<Around<'v>>) {
        let color = match value {
            Value::Null => 0,
            Value::Bool(false) => 1,
            Value::Bool(true) => 2,
            Value::Number(_) | Value::Exact(..) => 3,
            Value::String(_) => 4,
            Value::Array(_) => 5,
            Value::Object(_) => 6,
        };
        if self.depth > MAX_DEPTH {
            self.out.extend_from_slice(b"<skipped: too deep>");
            return;
        }
        self.color(color);
        let (bracket, rest) = match value {
            Value::Array(items) => (b'[', Rest::Items(items.iter())),
            Value::Object(members) if self.style.sort => {
                let members = Value::sorted_members(members).into_iter();
                (b'{', Rest::Sorted(members))
            }
            Value::Object(members) => (b'{', Rest::Members(members.iter())),
            scalar => {
                self.scalar(scalar);
                self.reset();
                return;
            }
        };
        self.out.push(bracket);
        self.depth += 1;
        open.push(Around { rest, index: 0 });
    }

    fn scalar(&mut self, value: &Value) {
        match value {
            Value::Bool(true) => self.out.extend_from_slice(b"true"),
            Value::Bool(false) => self.out.extend_from_slice(b"false"),
            Value::Number(number) => self
                .out
                .extend_from_slice(format_number(*number).as_bytes()),
            Value::Exact(_, text) => self.out.extend_from_slice(text.as_bytes()),
            Value::String(text) => write_string(self.out, text, self.style.ascii),
            _ => self.out.extend_from_slice(b"null"),
        }
    }

    /// What stands before an item of an array.
    fn item(&mut self, index: usize) {
        if index > 0 {
            self.color(5);
            self.out.push(b',');
        }
        self.line();
        self.reset();
    }

    /// The end of an array or an object.
    fn end(&mut self, (color, bracket): (usize, u8), is_empty: bool) {
        self.depth -= 1;
        self.color(color);
        if !is_empty {
            self.line();
        }
        self.color(color);
        self.out.push(bracket);
        self.reset();
    }

    /// The name of a member, with the comma before it.
    fn member(&mut self, index: usize, name: &str) {
        if index > 0 {
            self.color(6);
            self.out.push(b',');
        }
        self.line();
        self.reset();
        self.color(7);
        write_string(self.out, name, self.style.ascii);
        self.reset();
        self.color(6);
        self.out.push(b':');
        if self.style.indent.is_some() {
            self.out.push(b' ');
        }
        self.reset();
    }
}

/// An array or an object that is being written.
struct Around<'v> {
    rest: Rest<'v>,
    /// How many items or members were written.
    index: usize,
}

/// What is still to be written of it.
enum Rest<'v> {
    Items(std::slice::Iter<'v, Value>),
    Members(indexmap::map::Iter<'v, Rc<str>, Value>),
    Sorted(std::vec::IntoIter<(&'v Rc<str>, &'v Value)>),
}

/// A string with quotes. Escaped are quotes, backslashes, control characters, DEL, and with `ascii` all beyond ASCII.
fn write_string(out: &mut Vec<u8>, text: &str, ascii: bool) {
    out.push(b'"');
    let mut plain = 0;
    for (at, character) in text.char_indices() {
        if !(character < ' '
            || matches!(character, '"' | '\\' | '\u{7f}')
            || (ascii && !character.is_ascii()))
        {
            continue;
        }
        out.extend_from_slice(&text.as_bytes()[plain..at]);
        plain = at + character.len_utf8();
        let short: &[u8] = match character {
            '"' => b"\\\"",
            '\\' => b"\\\\",
            '\n' => b"\\n",
            '\t' => b"\\t",
            '\r' => b"\\r",
            '\u{8}' => b"\\b",
            '\u{c}' => b"\\f",
            _ => b"",
        };
        if short.is_empty() {
            for unit in character.encode_utf16(&mut [0; 2]) {
                out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
            }
        } else {
            out.extend_from_slice(short);
        }
    }
    out.extend_from_slice(&text.as_bytes()[plain..]);
    out.push(b'"');
}
