//! From the syntax of POSIX to that of the `regex` crates.

use std::borrow::Cow;

use super::InvalidRegex;

/// The most that POSIX lets an expression be repeated; glibc has the same limit.
const MAX_REPEAT: u32 = 32767;

/// How deep groups may nest; the engine has such a limit too.
const MAX_DEPTH: usize = 200;

/// How many `{…}` may follow one another on one expression.
const MAX_STACKED: usize = 100;

/// The text with a byte 0 before every byte that is special in an expression.
pub fn quote(text: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(text.len());
    for &byte in text {
        if b".[\\()*+?{|^$".contains(&byte) {
            quoted.push(0);
        }
        quoted.push(byte);
    }
    quoted
}

/// An expression as it is shown: what was quoted has a backslash.
pub fn shown(text: &[u8]) -> Vec<u8> {
    let text = without_quotes_in_brackets(text);
    let shown = text
        .iter()
        .map(|&byte| if byte == 0 { b'\\' } else { byte });
    shown.collect()
}

/// Translates an expression; without `unicode`, for texts of ASCII alone.
pub(super) fn translate(pattern: &[u8], unicode: bool) -> Result<String, InvalidRegex> {
    let pattern = without_quotes_in_brackets(pattern);
    let mut translator = Translator {
        pattern: &pattern,
        at: 0,
        unicode,
        output: String::new(),
        atom: None,
        groups: Vec::new(),
    };
    translator.run()?;
    Ok(translator.output)
}

/// Quotes mean nothing within brackets: `["a-c"]` is `[a-c]`, and `["a]"]` is `[a]]`.
fn without_quotes_in_brackets(pattern: &[u8]) -> Cow<'_, [u8]> {
    if !pattern.contains(&0) {
        return Cow::Borrowed(pattern);
    }
    let mut text = Vec::with_capacity(pattern.len());
    let mut rest = pattern.iter().copied();
    while let Some(byte) = rest.next() {
        text.push(byte);
        match byte {
            0 | b'\\' => text.extend(rest.next()),
            b'[' => bracket_text(&mut rest.by_ref().filter(|byte| *byte != 0), &mut text),
            _ => {}
        }
    }
    Cow::Owned(text)
}

/// Copies what stands between brackets, and the bracket that closes.
fn bracket_text(rest: &mut dyn Iterator<Item = u8>, text: &mut Vec<u8>) {
    let begin = text.len();
    // The mark of `[:alpha:]` and its kin.
    let mut class = None;
    for byte in rest {
        let before = text.last().copied();
        let first = text.len() == begin || text.len() == begin + 1 && before == Some(b'^');
        text.push(byte);
        match (byte, class) {
            (b']', Some(mark)) if before == Some(mark) => class = None,
            (b']', None) if !first => return,
            (b':' | b'=' | b'.', None) if before == Some(b'[') && text.len() > begin + 1 => {
                class = Some(byte);
            }
            _ => {}
        }
    }
}

/// What an operator like `*` applies to.
#[derive(Clone, Copy)]
struct Atom {
    /// Where it begins in the output.
    start: usize,
    /// The operator that it already has, which further ones merge with.
    operator: Option<char>,
    stacked: usize,
}

struct Translator<'a> {
    pattern: &'a [u8],
    at: usize,
    unicode: bool,
    output: String,
    atom: Option<Atom>,
    /// Where the open groups begin in the output.
    groups: Vec<usize>,
}

impl Translator<'_> {
    fn run(&mut self) -> Result<(), InvalidRegex> {
        while let Some(&byte) = self.pattern.get(self.at) {
            let start = self.output.len();
            self.at += 1;
            match byte {
                0 => {
                    self.character()?;
                }
                b'\\' => self.escape()?,
                b'*' | b'+' | b'?' => {
                    self.repeat(char::from(byte))?;
                    continue;
                }
                b'{' => {
                    self.interval()?;
                    continue;
                }
                b'(' if self.groups.len() >= MAX_DEPTH => return Err(InvalidRegex),
                b'(' => {
                    self.groups.push(start);
                    self.output.push('(');
                    self.atom = None;
                    continue;
                }
                // One that closes nothing stands for itself.
                b')' if !self.groups.is_empty() => {
                    let start = self.groups.pop().unwrap_or_default();
                    self.output.push(')');
                    self.atom = Some(Atom {
                        start,
                        operator: None,
                        stacked: 0,
                    });
                    continue;
                }
                b'|' | b'^' => {
                    self.output.push(char::from(byte));
                    self.atom = None;
                    continue;
                }
                b'$' => self.output.push_str("(?:$)"),
                b'.' => self.output.push('.'),
                b'[' => self.bracket()?,
                _ => {
                    self.at -= 1;
                    self.character()?;
                }
            }
            self.atom = Some(Atom {
                start,
                operator: None,
                stacked: 0,
            });
        }
        if self.groups.is_empty() {
            Ok(())
        } else {
            Err(InvalidRegex)
        }
    }

    /// The character at hand, as itself.
    fn character(&mut self) -> Result<(), InvalidRegex> {
        match self.take_character().ok_or(InvalidRegex)? {
            Ok(character) => {
                if !character.is_alphanumeric() && character.is_ascii() {
                    self.output
                        .push_str(&format!("\\x{:02x}", u32::from(character)));
                } else {
                    self.output.push(character);
                }
            }
            Err(byte) => self.output.push_str(&format!("(?-u:\\x{byte:02x})")),
        }
        Ok(())
    }

    /// Takes a character, or a byte that belongs to none.
    fn take_character(&mut self) -> Option<Result<char, u8>> {
        let rest = self
            .pattern
            .get(self.at..)
            .filter(|rest| !rest.is_empty())?;
        let end = rest.len().min(4);
        let chunk = rest[..end].utf8_chunks().next()?;
        match chunk.valid().chars().next() {
            Some(character) => {
                self.at += character.len_utf8();
                Some(Ok(character))
            }
            None => {
                self.at += 1;
                Some(Err(rest[0]))
            }
        }
    }

    fn escape(&mut self) -> Result<(), InvalidRegex> {
        let &byte = self.pattern.get(self.at).ok_or(InvalidRegex)?;
        let assertion = match byte {
            b'1'..=b'9' => return Err(InvalidRegex),
            b'w' => "\\w",
            b'W' => "\\W",
            b's' => "\\s",
            b'S' => "\\S",
            b'b' => "\\b",
            b'B' => "\\B",
            b'<' => "\\b{start}",
            b'>' => "\\b{end}",
            b'`' => "\\A",
            b'\'' => "\\z",
            _ => {
                // A quoting byte 0 may stand between the two.
                self.at += usize::from(byte == 0);
                return self.character();
            }
        };
        self.at += 1;
        self.output.push_str(assertion);
        Ok(())
    }

    /// `*`, `+` and `?`. A second one makes at most a `*` of the first: in the other syntax it would
    /// ask for the shortest match.
    fn repeat(&mut self, operator: char) -> Result<(), InvalidRegex> {
        let atom = self.atom.as_mut().ok_or(InvalidRegex)?;
        match atom.operator {
            None => self.output.push(operator),
            Some(before) if before == operator || before == '*' => return Ok(()),
            Some(_) => {
                self.output.pop();
                self.output.push('*');
                atom.operator = Some('*');
                return Ok(());
            }
        }
        atom.operator = Some(operator);
        Ok(())
    }

    /// `{n}`, `{n,}`, `{,m}`, `{n,m}`
    fn interval(&mut self) -> Result<(), InvalidRegex> {
        let atom = self.atom.ok_or(InvalidRegex)?;
        let rest = &self.pattern[self.at..];
        let end = rest
            .iter()
            .position(|&byte| byte == b'}')
            .ok_or(InvalidRegex)?;
        let text = std::str::from_utf8(&rest[..end]).map_err(|_| InvalidRegex)?;
        self.at += end + 1;
        let (least, most) = text
            .split_once(',')
            .map_or((text, None), |(least, most)| (least, Some(most)));
        let number = |text: &str| {
            let number = if text.bytes().all(|byte| byte.is_ascii_digit()) {
                text.parse().ok()
            } else {
                None
            };
            number
                .filter(|&number: &u32| number <= MAX_REPEAT)
                .ok_or(InvalidRegex)
        };
        let (least, most) = match (least, most) {
            ("", None) => return Err(InvalidRegex),
            (least, None) => (number(least)?, Some(number(least)?)),
            (least, Some(most)) => {
                let least = if least.is_empty() { 0 } else { number(least)? };
                (
                    least,
                    if most.is_empty() {
                        None
                    } else {
                        Some(number(most)?)
                    },
                )
            }
        };
        if most.is_some_and(|most| most < least) || atom.stacked > MAX_STACKED {
            return Err(InvalidRegex);
        }
        self.output.insert_str(atom.start, "(?:");
        self.output.push(')');
        match most {
            Some(most) => self.output.push_str(&format!("{{{least},{most}}}")),
            None => self.output.push_str(&format!("{{{least},}}")),
        }
        // Wrapped, so that a further operator applies to the whole.
        self.output.insert_str(atom.start, "(?:");
        self.output.push(')');
        self.atom = Some(Atom {
            start: atom.start,
            operator: None,
            stacked: atom.stacked + 1,
        });
        Ok(())
    }

    fn bracket(&mut self) -> Result<(), InvalidRegex> {
        let negated = self.pattern.get(self.at) == Some(&b'^');
        self.at += usize::from(negated);
        let mut class = Class {
            unicode: self.unicode,
            items: String::new(),
        };
        let mut first = true;
        loop {
            let rest = self.pattern.get(self.at..).unwrap_or_default();
            match rest {
                [] => return Err(InvalidRegex),
                [b']', ..] if !first => break,
                [b'[', b':', ..] => {
                    let name = self.delimited(b':')?;
                    class.named(name)?;
                }
                [b'[', b'=', ..] => {
                    let single = self.single()?;
                    class.range(single, single);
                }
                _ => {
                    let start = self.single()?;
                    let end = match self.pattern.get(self.at..) {
                        Some([b'-', next, ..]) if *next != b']' => {
                            self.at += 1;
                            if matches!(self.pattern.get(self.at..), Some([b'[', b':' | b'=', ..]))
                            {
                                return Err(InvalidRegex);
                            }
                            self.single()?
                        }
                        _ => start,
                    };
                    if end < start {
                        return Err(InvalidRegex);
                    }
                    class.range(start, end);
                }
            }
            first = false;
        }
        self.at += 1;
        class.finish(negated, &mut self.output);
        Ok(())
    }

    /// One character of a bracket expression: plain, quoted, `[.x.]` or `[=x=]`.
    fn single(&mut self) -> Result<char, InvalidRegex> {
        let rest = self.pattern.get(self.at..).unwrap_or_default();
        if let [b'[', mark @ (b'.' | b'='), ..] = rest {
            let name = self.delimited(*mark)?;
            let name = std::str::from_utf8(name).map_err(|_| InvalidRegex)?;
            let mut characters = name.chars();
            return match (characters.next(), characters.next()) {
                (Some(only), None) => Ok(only),
                _ => Err(InvalidRegex),
            };
        }
        self.at += usize::from(rest.first() == Some(&0));
        self.take_character()
            .and_then(Result::ok)
            .ok_or(InvalidRegex)
    }

    /// The text between `[:` and `:]`, and its kin.
    fn delimited(&mut self, mark: u8) -> Result<&[u8], InvalidRegex> {
        let start = self.at + 2;
        let rest = self.pattern.get(start..).ok_or(InvalidRegex)?;
        let length = rest
            .windows(2)
            .position(|two| two == [mark, b']'])
            .ok_or(InvalidRegex)?;
        self.at = start + length + 2;
        Ok(&self.pattern[start..start + length])
    }
}

/// A bracket expression.
struct Class {
    unicode: bool,
    items: String,
}

impl Class {
    fn range(&mut self, start: char, end: char) {
        if self.unicode {
            self.items.push_str(&format!(
                "\\x{{{:x}}}-\\x{{{:x}}}",
                u32::from(start),
                u32::from(end)
            ));
        } else if start.is_ascii() {
            let end = u32::from(end).min(0x7f);
            self.items
                .push_str(&format!("\\x{:02x}-\\x{end:02x}", u32::from(start)));
        }
    }

    fn named(&mut self, name: &[u8]) -> Result<(), InvalidRegex> {
        let (ascii, unicode) = match name {
            b"alnum" => ("[:alnum:]", "\\p{Alphabetic}\\p{N}"),
            b"alpha" => ("[:alpha:]", "\\p{Alphabetic}"),
            b"blank" => ("[:blank:]", "[:blank:]"),
            b"cntrl" => ("[:cntrl:]", "\\p{Cc}"),
            b"digit" => ("[:digit:]", "[:digit:]"),
            b"graph" => ("[:graph:]", "[^\\s\\p{Cc}]"),
            b"lower" => ("[:lower:]", "\\p{Lowercase}"),
            b"print" => ("[:print:]", "[^\\p{Cc}]"),
            b"punct" => ("[:punct:]", "[:punct:]\\p{P}\\p{S}"),
            b"space" => ("[:space:]", "\\s"),
            b"upper" => ("[:upper:]", "\\p{Uppercase}"),
            b"xdigit" => ("[:xdigit:]", "[:xdigit:]"),
            _ => return Err(InvalidRegex),
        };
        self.items
            .push_str(if self.unicode { unicode } else { ascii });
        Ok(())
    }

    fn finish(self, negated: bool, output: &mut String) {
        output.push('[');
        if self.items.is_empty() {
            // Only characters that the text cannot have.
            output.push_str(if negated {
                "\\x00-\\x7f"
            } else {
                "^\\x00-\\xff"
            });
        } else {
            if negated {
                output.push('^');
            }
            output.push_str(&self.items);
        }
        output.push(']');
    }
}
