//! Reading a text. What is wrong with one is told in Node's words.

use boa_engine::object::builtins::JsArray;
use boa_engine::property::PropertyKey;
use boa_engine::{Context, JsError, JsNativeError, JsObject, JsResult, JsString, JsValue};

/// What is shown of a text before and behind a character that is wrong.
const SHOWN: usize = 10;

/// The value of a text of units of one or two bytes.
pub fn value<U: Copy + Into<u16>>(text: &[U], context: &mut Context) -> JsResult<JsValue> {
    let mut reader = Reader { text, at: 0 };
    let mut levels: Vec<Level> = Vec::new();
    loop {
        let Some(mut value) = reader.begin(&mut levels, context)? else {
            continue;
        };
        // A value is complete: it belongs to the level around it, and may complete that.
        loop {
            let Some(level) = levels.last_mut() else {
                return reader.end().map(|()| value);
            };
            level.take(value, context)?;
            if !reader.is_done(level)? {
                break;
            }
            value = levels
                .pop()
                .map_or_else(JsValue::null, |level| level.made(context));
        }
    }
}

/// What is being read.
enum Level {
    Array(Vec<JsValue>),
    Object { made: JsObject, key: PropertyKey },
}

impl Level {
    fn take(&mut self, value: JsValue, context: &mut Context) -> JsResult<()> {
        match self {
            Level::Array(items) => items.push(value),
            Level::Object { made, key } => {
                made.create_data_property_or_throw(key.clone(), value, context)?;
            }
        }
        Ok(())
    }

    fn made(self, context: &mut Context) -> JsValue {
        match self {
            Level::Array(items) => JsArray::from_iter(items, context).into(),
            Level::Object { made, .. } => made.into(),
        }
    }
}

struct Reader<'a, U> {
    text: &'a [U],
    at: usize,
}

impl<U: Copy + Into<u16>> Reader<'_, U> {
    fn unit(&self, at: usize) -> Option<u16> {
        self.text.get(at).map(|unit| (*unit).into())
    }

    fn peek(&self) -> Option<u16> {
        self.unit(self.at)
    }

    fn is(&self, letter: u8) -> bool {
        self.peek() == Some(u16::from(letter))
    }

    fn skip(&mut self, letter: u8) -> bool {
        let found = self.is(letter);
        self.at += usize::from(found);
        found
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(0x20 | 0x0a | 0x0d | 0x09)) {
            self.at += 1;
        }
    }

    /// Begins a value: a whole one, or none where a level was entered, whose first value is the next.
    fn begin(
        &mut self,
        levels: &mut Vec<Level>,
        context: &mut Context,
    ) -> JsResult<Option<JsValue>> {
        self.blanks();
        let level = match self.peek().and_then(|unit| u8::try_from(unit).ok()) {
            Some(b'"') => return Ok(Some(self.string()?.into())),
            Some(b'-' | b'0'..=b'9') => return self.number().map(Some),
            Some(b't') => return self.word("true", true.into()),
            Some(b'f') => return self.word("false", false.into()),
            Some(b'n') => return self.word("null", JsValue::null()),
            Some(b'[') => {
                self.at += 1;
                self.blanks();
                let level = Level::Array(Vec::new());
                if self.skip(b']') {
                    return Ok(Some(level.made(context)));
                }
                level
            }
            Some(b'{') => {
                self.at += 1;
                self.blanks();
                let made = JsObject::with_object_proto(context.intrinsics());
                if self.skip(b'}') {
                    return Ok(Some(made.into()));
                }
                let key = self.key("Expected property name or '}' in JSON")?;
                Level::Object { made, key }
            }
            _ => return self.unexpected(),
        };
        levels.push(level);
        Ok(None)
    }

    /// Whether a level ends behind the value that it has just got; otherwise another value comes.
    fn is_done(&mut self, level: &mut Level) -> JsResult<bool> {
        self.blanks();
        match level {
            Level::Array(_) if self.skip(b',') => Ok(false),
            Level::Array(_) if self.skip(b']') => Ok(true),
            Level::Array(_) => self.fail("Expected ',' or ']' after array element in JSON"),
            Level::Object { key, .. } if self.skip(b',') => {
                self.blanks();
                *key = self.key("Expected double-quoted property name in JSON")?;
                Ok(false)
            }
            Level::Object { .. } if self.skip(b'}') => Ok(true),
            Level::Object { .. } => self.fail("Expected ',' or '}' after property value in JSON"),
        }
    }

    /// Nothing but blanks is left.
    fn end(&mut self) -> JsResult<()> {
        self.blanks();
        match self.peek() {
            None => Ok(()),
            Some(_) => self.fail("Unexpected non-whitespace character after JSON"),
        }
    }

    /// A property's name with its colon.
    fn key(&mut self, otherwise: &str) -> JsResult<PropertyKey> {
        if !self.is(b'"') {
            return self.fail(otherwise);
        }
        let key = self.string()?;
        self.blanks();
        if !self.skip(b':') {
            return self.fail("Expected ':' after property name in JSON");
        }
        Ok(key.into())
    }

    fn word(&mut self, word: &str, value: JsValue) -> JsResult<Option<JsValue>> {
        for letter in word.bytes() {
            if !self.skip(letter) {
                return self.unexpected();
            }
        }
        Ok(Some(value))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(0x30..=0x39)) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> JsResult<JsValue> {
        let start = self.at;
        let is_negative = self.skip(b'-');
        if self.skip(b'0') {
            if matches!(self.peek(), Some(0x30..=0x39)) {
                return self.fail("Unexpected number in JSON");
            }
        } else if self.digits() == 0 {
            return self.fail("No number after minus sign in JSON");
        }
        let mut is_whole = !is_negative && self.at - start < 10;
        if self.skip(b'.') {
            is_whole = false;
            if self.digits() == 0 {
                return self.fail("Unterminated fractional number in JSON");
            }
        }
        if self.skip(b'e') || self.skip(b'E') {
            is_whole = false;
            let _ = self.skip(b'+') || self.skip(b'-');
            if self.digits() == 0 {
                return self.fail("Exponent part is missing a number in JSON");
            }
        }
        let units = self.text.get(start..self.at).unwrap_or_default();
        if is_whole {
            let digits = units.iter().map(|unit| i32::from((*unit).into()) - 0x30);
            return Ok(digits.fold(0, |sum, digit| sum * 10 + digit).into());
        }
        let units: Vec<u16> = units.iter().map(|unit| (*unit).into()).collect();
        let number: f64 = String::from_utf16_lossy(&units).parse().unwrap_or(f64::NAN);
        Ok(number.into())
    }

    fn string(&mut self) -> JsResult<JsString> {
        self.at += 1;
        let start = self.at;
        // Most have nothing that stands for something else.
        while let Some(unit) = self.peek() {
            match unit {
                0x22 => {
                    let units = self.text.get(start..self.at).unwrap_or_default();
                    self.at += 1;
                    return Ok(owned(units));
                }
                0x5c | 0..0x20 => break,
                _ => self.at += 1,
            }
        }
        let before = self.text.get(start..self.at).unwrap_or_default();
        let mut made: Vec<u16> = before.iter().map(|unit| (*unit).into()).collect();
        while let Some(unit) = self.peek() {
            match unit {
                0x22 => {
                    self.at += 1;
                    return Ok(owned(&made));
                }
                0..0x20 => return self.fail("Bad control character in string literal in JSON"),
                0x5c => {
                    self.at += 1;
                    made.push(self.escape()?);
                }
                unit => {
                    self.at += 1;
                    made.push(unit);
                }
            }
        }
        self.fail("Unterminated string in JSON")
    }

    /// What stands behind a backslash.
    fn escape(&mut self) -> JsResult<u16> {
        let Some(unit) = self.peek() else {
            return self.unexpected();
        };
        let made = match u8::try_from(unit).unwrap_or_default() {
            b'"' | b'\\' | b'/' => unit,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => 0x0a,
            b'r' => 0x0d,
            b't' => 0x09,
            b'u' => {
                self.at += 1;
                return self.hexadecimal();
            }
            _ => return self.fail("Bad escaped character in JSON"),
        };
        self.at += 1;
        Ok(made)
    }

    fn hexadecimal(&mut self) -> JsResult<u16> {
        let mut made = 0;
        for _ in 0..4 {
            let letter = self.peek().and_then(|unit| char::from_u32(unit.into()));
            let Some(digit) = letter.and_then(|letter| letter.to_digit(16)) else {
                return self.fail("Bad Unicode escape in JSON");
            };
            made = (made << 4) | digit as u16;
            self.at += 1;
        }
        Ok(made)
    }

    fn fail<T>(&self, message: &str) -> JsResult<T> {
        Err(error(&format!("{message} at position {}", self.at)))
    }

    /// What stands here can begin nothing.
    fn unexpected<T>(&self) -> JsResult<T> {
        let Some(unit) = self.peek() else {
            return Err(error("Unexpected end of JSON input"));
        };
        let show = |from: usize, to: usize| {
            let units = self
                .text
                .get(from..to.min(self.text.len()))
                .unwrap_or_default();
            let units: Vec<u16> = units.iter().map(|unit| (*unit).into()).collect();
            String::from_utf16_lossy(&units)
        };
        let (at, length) = (self.at, self.text.len());
        let whole = if length < 32 {
            show(0, length)
        } else {
            String::new()
        };
        Err(error(&match unit {
            _ if ["undefined", "NaN", "Infinity", "[object Object]"].contains(&&*whole) => {
                format!("\"{whole}\" is not valid JSON")
            }
            0x30..=0x39 => format!("Unexpected number in JSON at position {at}"),
            0x22 => format!("Unexpected string in JSON at position {at}"),
            _ => {
                let (mut from, mut to, mut head, mut tail) = (0, length, "", "");
                if length > 2 * SHOWN {
                    if at >= SHOWN {
                        (from, head) = (at - SHOWN, "...");
                    }
                    if at + SHOWN < length {
                        (to, tail) = (at + SHOWN, "...");
                    }
                }
                let (token, shown) = (show(at, at + 1), show(from, to));
                format!("Unexpected token '{token}', {head}\"{shown}\"{tail} is not valid JSON")
            }
        }))
    }
}

fn owned<U: Copy + Into<u16>>(units: &[U]) -> JsString {
    let units: Vec<u16> = units.iter().map(|unit| (*unit).into()).collect();
    String::from_utf16(&units).map_or_else(|_| JsString::from(&*units), JsString::from)
}

fn error(message: &str) -> JsError {
    JsNativeError::syntax()
        .with_message(message.to_owned())
        .into()
}
