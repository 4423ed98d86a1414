//! Rewrites POSIX and Perl patterns in the syntax of the regex engines.

use std::fmt::Write as _;

use super::Settings;

/// The syntax of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// POSIX basic, with GNU's `\+ \? \|`.
    Basic,
    /// POSIX extended.
    Extended,
    /// awk's: extended, with C escapes also inside brackets and no back-references.
    Awk,
    /// Perl's.
    Perl,
    /// No special characters; each line is an alternative.
    Fixed,
}

/// A pattern for the engines.
pub struct Translated {
    pub text: String,
    /// It needs the backtracking engine.
    pub backtracks: bool,
    /// Its first match may not be its longest one.
    pub ambiguous: bool,
}

/// Rewrites `source`.
pub fn translate(source: &[u8], settings: &Settings) -> Result<Translated, String> {
    match settings.dialect {
        Dialect::Fixed => Ok(fixed(source)),
        Dialect::Perl => super::perl::perl(source, settings.line_end.is_some()),
        _ => Translator::new(source, settings).run(),
    }
}

/// One literal byte or character, escaped.
pub(super) fn literal(out: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_ascii() && !character.is_ascii_alphanumeric() && character != '_' {
                escape_ascii(out, character);
            } else {
                out.push(character);
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "(?-u:\\x{byte:02x})");
        }
    }
}

fn escape_ascii(out: &mut String, character: char) {
    // `\<` and `\>` are the edges of words.
    if character.is_ascii_control() || " <>".contains(character) {
        let _ = write!(out, "\\x{:02x}", u32::from(character));
    } else {
        out.push('\\');
        out.push(character);
    }
}

fn fixed(source: &[u8]) -> Translated {
    let mut words: Vec<&[u8]> = source.split(|&byte| byte == b'\n').collect();
    // The longest first: then the first alternative that matches is the longest match.
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut text = String::with_capacity(source.len() + 8);
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            text.push('|');
        }
        literal(&mut text, word);
    }
    Translated {
        text,
        backtracks: false,
        ambiguous: false,
    }
}

struct Translator<'a> {
    source: &'a [u8],
    at: usize,
    settings: &'a Settings,
    extended: bool,
    out: String,
    /// Where the last atom starts in `out`; none where a repetition has nothing to repeat.
    atom: Option<usize>,
    /// The last atom carries a repetition already.
    repeated: bool,
    /// Where the open groups start in `out`.
    open: Vec<usize>,
    groups: usize,
    /// How many of them are of the patterns before this one, in a list.
    before: usize,
    backtracks: bool,
    ambiguous: bool,
}

impl<'a> Translator<'a> {
    fn new(source: &'a [u8], settings: &'a Settings) -> Translator<'a> {
        Translator {
            source,
            at: 0,
            settings,
            extended: settings.dialect != Dialect::Basic,
            out: String::with_capacity(source.len() * 2),
            atom: None,
            repeated: false,
            open: Vec::new(),
            groups: 0,
            before: 0,
            backtracks: false,
            ambiguous: false,
        }
    }

    fn run(mut self) -> Result<Translated, String> {
        while self.at < self.source.len() {
            self.step()?;
        }
        if !self.open.is_empty() {
            return Err(unmatched('('));
        }
        Ok(Translated {
            text: self.out,
            backtracks: self.backtracks,
            ambiguous: self.ambiguous,
        })
    }

    fn rest(&self) -> &'a [u8] {
        &self.source[self.at..]
    }

    fn step(&mut self) -> Result<(), String> {
        match (self.source[self.at], self.extended) {
            (b'\\', _) => return self.escape(),
            (b'[', _) => return self.bracket(),
            (b'.', _) => self.push_negated(""),
            (b'*', _) => return self.star(),
            (b'+' | b'?', true) => return self.repeat_operator(),
            (b'{', true) => return self.interval(),
            (b'(', true) => self.open_group(),
            (b')', true) if !self.open.is_empty() => return self.close_group(),
            // Without its partner it is an error, but not in grep.
            (b')', true) if self.settings.line_end.is_none() => return Err(unmatched(')')),
            (b'|', true) => self.alternative(),
            (b'\n', _) if self.settings.line_end.is_some() => {
                self.alternative();
                self.before = self.groups;
            }
            (b'^', _) if self.extended || self.at_start() => self.anchor("^"),
            (b'$', _) if self.extended || self.at_end() => self.anchor("$"),
            _ => self.literal_atom(),
        }
        self.at += 1;
        Ok(())
    }

    /// In basic syntax `^` is an anchor at the start of an alternative only.
    fn at_start(&self) -> bool {
        let before = &self.source[..self.at];
        before.is_empty()
            || before.ends_with(b"\\(")
            || before.ends_with(b"\\|")
            || before.ends_with(b"\n")
    }

    fn at_end(&self) -> bool {
        let after = &self.source[self.at + 1..];
        after.is_empty()
            || after.starts_with(b"\\)")
            || after.starts_with(b"\\|")
            || after.starts_with(b"\n")
    }

    fn anchor(&mut self, text: &str) {
        self.out.push_str(text);
        self.atom = None;
    }

    fn push_atom(&mut self, text: &str) {
        self.atom = Some(self.out.len());
        self.repeated = false;
        self.out.push_str(text);
    }

    /// Any character but those of `items`, and but the line end.
    fn push_negated(&mut self, items: &str) {
        let end = line_end(self.settings);
        if items.is_empty() && end.is_empty() {
            self.push_atom(".");
        } else {
            self.push_atom(&format!("[^{items}{end}]"));
        }
    }

    /// The character at `at`, of one or more bytes; leaves `at` on its last byte.
    fn literal_atom(&mut self) {
        let length = character_length(self.rest());
        let character = &self.rest()[..length];
        self.atom = Some(self.out.len());
        self.repeated = false;
        literal(&mut self.out, character);
        self.at += length - 1;
    }

    fn alternative(&mut self) {
        self.out.push('|');
        self.atom = None;
        self.ambiguous = true;
    }

    fn open_group(&mut self) {
        self.open.push(self.out.len());
        self.groups += 1;
        self.out.push('(');
        self.atom = None;
    }

    fn close_group(&mut self) -> Result<(), String> {
        let start = self.open.pop().ok_or_else(|| unmatched(')'))?;
        self.out.push(')');
        self.atom = Some(start);
        self.repeated = false;
        self.at += 1;
        Ok(())
    }

    fn star(&mut self) -> Result<(), String> {
        // Where there is nothing to repeat, a star stands for itself; grep -E leaves it out.
        let left_out = self.settings.line_end.is_some() || self.out.ends_with('^');
        if self.atom.is_none() && !(self.extended && left_out) {
            self.literal_atom();
            self.at += 1;
            return Ok(());
        }
        self.repeat_operator()
    }

    fn repeat_operator(&mut self) -> Result<(), String> {
        let operator = char::from(self.source[self.at]);
        self.at += 1;
        self.repeat(&operator.to_string(), operator != '+');
        Ok(())
    }

    /// Repeats the last atom. A second repetition needs a group, since the engine reads `+?` as lazy.
    fn repeat(&mut self, operator: &str, optional: bool) {
        let Some(start) = self.atom else {
            return;
        };
        if self.repeated {
            self.out.insert_str(start, "(?:");
            self.out.push(')');
        }
        if optional && self.out[start..].starts_with('(') {
            self.ambiguous = true;
        }
        self.out.push_str(operator);
        self.repeated = true;
    }

    /// `{n,m}` in extended syntax, `\{n,m\}` in basic; `at` is on the brace.
    fn interval(&mut self) -> Result<(), String> {
        let close: &[u8] = if self.extended { b"}" } else { b"\\}" };
        let body = &self.source[self.at + 1..];
        let end = body.windows(close.len()).position(|window| window == close);
        let bounds = end.map(|end| &body[..end]).and_then(parse_bounds);
        let Some(((low, high), end)) = bounds.zip(end) else {
            if self.extended {
                self.literal_atom();
                self.at += 1;
                return Ok(());
            }
            return Err(match end {
                None => "Unmatched \\{".to_owned(),
                Some(_) => "Invalid content of \\{\\}".to_owned(),
            });
        };
        if high.is_some_and(|high| high < low) {
            return Err("Invalid content of \\{\\}".to_owned());
        }
        if low > 32767 || high.is_some_and(|high| high > 32767) {
            return Err("Regular expression too big".to_owned());
        }
        self.at += 1 + end + close.len();
        let high = high.map_or(String::new(), |high| high.to_string());
        let text = if high == low.to_string() {
            format!("{{{low}}}")
        } else {
            format!("{{{low},{high}}}")
        };
        self.repeat(&text, low == 0);
        Ok(())
    }

    fn escape(&mut self) -> Result<(), String> {
        let Some(&next) = self.source.get(self.at + 1) else {
            return Err("Trailing backslash".to_owned());
        };
        if self.settings.dialect == Dialect::Awk && self.awk_escape(next) {
            return Ok(());
        }
        if !self.extended && self.basic_operator(next)? {
            return Ok(());
        }
        match next {
            b'w' => self.push_atom("[\\w]"),
            b'W' => self.push_negated("\\w"),
            b's' if self.settings.line_end == Some(b'\n') => self.push_atom("[\\s--\\n]"),
            b's' => self.push_atom("\\s"),
            b'S' => self.push_atom("\\S"),
            b'b' => self.anchor("\\b"),
            b'B' => self.anchor("\\B"),
            b'y' if self.settings.dialect == Dialect::Awk => self.anchor("\\b"),
            b'<' => self.anchor("\\b{start}"),
            b'>' => self.anchor("\\b{end}"),
            b'`' => self.anchor("\\A"),
            b'\'' => self.anchor("\\z"),
            b'1'..=b'9' if self.settings.dialect != Dialect::Awk => self.back_reference(next)?,
            b'n' => self.push_atom("\\n"),
            b't' => self.push_atom("\\t"),
            _ => {
                self.at += 1;
                self.literal_atom();
                self.at += 1;
                return Ok(());
            }
        }
        self.at += 2;
        Ok(())
    }

    /// `\( \) \{ \| \+ \?`; true where it was one of them.
    fn basic_operator(&mut self, next: u8) -> Result<bool, String> {
        self.at += 1;
        match next {
            b'(' => self.open_group(),
            b')' => {
                self.close_group()?;
                return Ok(true);
            }
            b'{' => {
                self.interval()?;
                return Ok(true);
            }
            b'|' => self.alternative(),
            b'+' | b'?' if self.atom.is_some() => {
                self.repeat_operator()?;
                return Ok(true);
            }
            _ => {
                self.at -= 1;
                return Ok(false);
            }
        }
        self.at += 1;
        Ok(true)
    }

    fn back_reference(&mut self, digit: u8) -> Result<(), String> {
        let number = self.before + usize::from(digit - b'0');
        if number > self.groups {
            return Err("Invalid back reference".to_owned());
        }
        self.backtracks = true;
        self.push_atom(&format!("(?:\\{number})"));
        Ok(())
    }

    /// C escapes; true where it was one.
    fn awk_escape(&mut self, next: u8) -> bool {
        let (byte, length) = match next {
            b'a' => (7, 2),
            b'b' => (8, 2),
            b'f' => (12, 2),
            b'r' => (13, 2),
            b'v' => (11, 2),
            b'0'..=b'7' => {
                let digits = &self.rest()[1..];
                let count = digits
                    .iter()
                    .take(3)
                    .take_while(|b| (b'0'..=b'7').contains(b))
                    .count();
                let value = digits[..count]
                    .iter()
                    .fold(0u32, |v, d| v * 8 + u32::from(d - b'0'));
                (value as u8, 1 + count)
            }
            _ => return false,
        };
        self.atom = Some(self.out.len());
        self.repeated = false;
        literal(&mut self.out, &[byte]);
        self.at += length;
        true
    }

    fn bracket(&mut self) -> Result<(), String> {
        let escapes = self.settings.dialect == Dialect::Awk;
        let mut reader = Bracket {
            source: self.source,
            at: self.at + 1,
            escapes,
        };
        let class = reader.read(line_end(self.settings))?;
        self.at = reader.at;
        self.push_atom(&class);
        Ok(())
    }
}

/// The character that no match contains, for use inside brackets.
fn line_end(settings: &Settings) -> &'static str {
    match settings.line_end {
        None => "",
        Some(0) => "\\x00",
        Some(_) => "\\n",
    }
}

/// Whether the basic or extended pattern has a class without the brackets around it, as `[:space:]`, which is the set of
/// its letters. False for a pattern that is wrong otherwise.
pub fn has_bare_class(source: &[u8]) -> bool {
    let mut at = 0;
    while let Some(byte) = source.get(at) {
        match byte {
            b'\\' => at += 2,
            b'[' => {
                let mut bracket = Bracket {
                    source,
                    at: at + 1,
                    escapes: false,
                };
                let Ok(items) = bracket.read("") else {
                    return false;
                };
                let body = &source[at + 1..bracket.at - 1];
                let body = body.strip_prefix(b"^").unwrap_or(body);
                // A class, a range or an escape of the engine: not the name of a class.
                let is_set = body.contains(&b'[') || body.contains(&b'-') || items.contains("\\p");
                if let [b':', name @ .., b':'] = body
                    && !is_set
                    && name.iter().any(|&byte| byte != b':')
                {
                    return true;
                }
                at = bracket.at;
            }
            _ => at += 1,
        }
    }
    false
}

fn unmatched(parenthesis: char) -> String {
    format!("Unmatched {parenthesis} or \\{parenthesis}")
}

fn parse_bounds(body: &[u8]) -> Option<(u32, Option<u32>)> {
    let text = std::str::from_utf8(body).ok()?;
    let number = |text: &str| -> Option<u32> {
        text.bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| text.parse().ok())?
    };
    match text.split_once(',') {
        None => number(text).map(|count| (count, Some(count))),
        Some(("", "")) => Some((0, None)),
        Some(("", high)) => Some((0, Some(number(high)?))),
        Some((low, "")) => Some((number(low)?, None)),
        Some((low, high)) => Some((number(low)?, Some(number(high)?))),
    }
}

/// How many bytes the first character has; one where it is no UTF-8.
pub fn character_length(text: &[u8]) -> usize {
    let expected = match text.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => 1,
    };
    match text.get(..expected) {
        Some(character) if std::str::from_utf8(character).is_ok() => expected,
        _ => 1,
    }
}

/// Reads one bracket expression; `at` is after the `[`.
struct Bracket<'a> {
    source: &'a [u8],
    at: usize,
    escapes: bool,
}

const UNMATCHED: &str = "Unmatched [, [^, [:, [., or [=";

impl Bracket<'_> {
    fn peek(&self) -> Result<u8, String> {
        self.source
            .get(self.at)
            .copied()
            .ok_or_else(|| UNMATCHED.to_owned())
    }

    fn read(&mut self, line_end: &str) -> Result<String, String> {
        let negated = self.peek()? == b'^';
        self.at += usize::from(negated);
        let mut items = String::new();
        let first = self.at;
        loop {
            match self.peek()? {
                b']' if self.at > first => break,
                b'[' if self.source.get(self.at + 1) == Some(&b':') => {
                    let name = self.delimited(b':')?;
                    items.push_str(class(name)?);
                }
                _ => self.range(&mut items)?,
            }
        }
        self.at += 1;
        if negated {
            return Ok(format!("[^{items}{line_end}]"));
        }
        // Only classes, ranges and escapes may hold the line end.
        let plain = line_end.is_empty() || !items.contains(['\\', '-']);
        Ok(if plain {
            format!("[{items}]")
        } else {
            format!("[[{items}]--[{line_end}]]")
        })
    }

    /// The text of `[:name:]`, `[.x.]` or `[=x=]`.
    fn delimited(&mut self, mark: u8) -> Result<&[u8], String> {
        let start = self.at + 2;
        let body = self.source.get(start..).ok_or(UNMATCHED)?;
        let end = body
            .windows(2)
            .position(|pair| pair == [mark, b']'])
            .ok_or(UNMATCHED)?;
        self.at = start + end + 2;
        Ok(&self.source[start..start + end])
    }

    fn range(&mut self, items: &mut String) -> Result<(), String> {
        let low = self.element()?;
        let is_range = self.source.get(self.at) == Some(&b'-')
            && self
                .source
                .get(self.at + 1)
                .is_some_and(|&after| after != b']');
        if !is_range {
            push_element(items, low);
            return Ok(());
        }
        self.at += 1;
        let high = self.element()?;
        if value(low) > value(high) {
            return Err("Invalid range end".to_owned());
        }
        push_element(items, low);
        items.push('-');
        push_element(items, high);
        Ok(())
    }

    fn element(&mut self) -> Result<Element, String> {
        let byte = self.peek()?;
        let next = self.source.get(self.at + 1).copied();
        if let (b'[', Some(mark @ (b'.' | b'='))) = (byte, next) {
            let text = self.delimited(mark)?;
            return match std::str::from_utf8(text).ok().and_then(single) {
                Some(character) => Ok(Element::Character(character)),
                None => Err("Invalid collation character".to_owned()),
            };
        }
        if self.escapes
            && byte == b'\\'
            && let Some(next) = next
        {
            return Ok(self.escaped(next));
        }
        let length = character_length(&self.source[self.at..]);
        let text = &self.source[self.at..self.at + length];
        self.at += length;
        Ok(match std::str::from_utf8(text).ok().and_then(single) {
            Some(character) => Element::Character(character),
            None => Element::Byte(byte),
        })
    }

    fn escaped(&mut self, next: u8) -> Element {
        self.at += 2;
        let byte = match next {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'f' => 12,
            b'v' => 11,
            b'a' => 7,
            b'b' => 8,
            b'0'..=b'7' => {
                let digits = &self.source[self.at - 1..];
                let count = digits
                    .iter()
                    .take(3)
                    .take_while(|b| (b'0'..=b'7').contains(b))
                    .count();
                self.at += count - 1;
                digits[..count]
                    .iter()
                    .fold(0u32, |v, d| v * 8 + u32::from(d - b'0')) as u8
            }
            _ => {
                self.at -= 1;
                let length = character_length(&self.source[self.at..]);
                let text = std::str::from_utf8(&self.source[self.at..self.at + length]);
                self.at += length;
                return match text.ok().and_then(single) {
                    Some(character) => Element::Character(character),
                    None => Element::Byte(next),
                };
            }
        };
        Element::Character(char::from(byte))
    }
}

#[derive(Clone, Copy)]
enum Element {
    Character(char),
    Byte(u8),
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn value(element: Element) -> u32 {
    match element {
        Element::Character(character) => u32::from(character),
        Element::Byte(byte) => u32::from(byte),
    }
}

fn push_element(items: &mut String, element: Element) {
    match element {
        Element::Character(character) if character.is_alphanumeric() => items.push(character),
        Element::Character(character) => {
            let _ = write!(items, "\\x{{{:x}}}", u32::from(character));
        }
        // A byte that is no character matches none of the text's characters.
        Element::Byte(byte) => {
            let _ = write!(items, "\\x{{{:x}}}", u32::from(byte));
        }
    }
}

fn class(name: &[u8]) -> Result<&'static str, String> {
    Ok(match name {
        b"alpha" => "\\p{Alphabetic}",
        b"digit" => "0-9",
        b"alnum" => "\\p{Alphabetic}\\p{N}",
        b"upper" => "\\p{Uppercase}",
        b"lower" => "\\p{Lowercase}",
        b"space" => "\\s",
        b"blank" => "\\x20\\t",
        b"punct" => "[[:punct:]][\\p{P}\\p{S}--\\x00-\\x7f]",
        b"print" => "\\x20-\\x7e[\\u{a0}-\\u{10ffff}--\\p{C}]",
        b"graph" => "\\x21-\\x7e[\\u{a1}-\\u{10ffff}--\\p{C}]",
        b"cntrl" => "\\x00-\\x1f\\x7f\\u{80}-\\u{9f}",
        b"xdigit" => "0-9A-Fa-f",
        _ => return Err("Invalid character class name".to_owned()),
    })
}
