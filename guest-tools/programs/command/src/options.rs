//! Command lines as GNU's `getopt_long` reads them: clustered short options, long options that may be
//! abbreviated, operands anywhere unless the command stops at the first one.

use crate::stream::eprintln;
use std::io::Write as _;

use crate::call::{Call, bytes, complain};
use crate::model::version;
use crate::quote;

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// It takes none.
    No,
    /// It takes one: the rest of the word, or the next word.
    Required,
    /// It takes the rest of the word, if there is one.
    Optional,
}

/// One option: its letters, its long name (either may be empty) and its value.
#[derive(Clone, Copy, Debug)]
pub struct Opt(pub &'static str, pub &'static str, pub Value);

impl Opt {
    /// What the option is known by: its first letter, or else its long name.
    fn key(&self) -> &'static str {
        if self.0.is_empty() {
            self.1
        } else {
            &self.0[..1]
        }
    }
}

/// The options of a command.
pub struct Syntax {
    /// What `--help` prints.
    pub usage: &'static str,
    /// The options besides `--help` and `--version`.
    pub options: &'static [Opt],
    /// Options may follow operands.
    pub permute: bool,
    /// The status of a wrong command line.
    pub status: i32,
}

/// A command line, read.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The options in order: first letter or long name, and value.
    pub options: Vec<(&'static str, Vec<u8>)>,
    /// What is no option.
    pub operands: Vec<Vec<u8>>,
    /// For each operand before `--` how many options stand before it.
    places: Vec<usize>,
    /// The options that stand in one word with the one before them, by their index.
    joined: Vec<usize>,
}

/// A word of the command line, for commands where the order of options and operands says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// An option: first letter or long name, and value.
    Option(&'static str, &'a [u8]),
    /// What is no option.
    Operand(&'a [u8]),
    /// An operand after `--`.
    Literal(&'a [u8]),
}

impl Parsed {
    /// Whether an option was given.
    pub fn has(&self, key: &str) -> bool {
        self.options.iter().any(|(given, _)| *given == key)
    }

    /// The value of the last `key`.
    pub fn value(&self, key: &str) -> Option<&[u8]> {
        self.options
            .iter()
            .rev()
            .find(|(given, _)| *given == key)
            .map(|(_, value)| value.as_slice())
    }

    /// Whether the option with this index stands in one word with the one before it, as the second of `-12`.
    pub fn is_joined(&self, index: usize) -> bool {
        self.joined.binary_search(&index).is_ok()
    }

    /// Options and operands in the order in which they were given.
    pub fn words(&self) -> Vec<Word<'_>> {
        let mut words = Vec::with_capacity(self.options.len() + self.operands.len());
        let (early, late) = self.operands.split_at(self.places.len());
        let mut early = early.iter().zip(&self.places).peekable();
        for (at, (key, value)) in self.options.iter().enumerate() {
            while let Some((operand, _)) = early.next_if(|(_, place)| **place <= at) {
                words.push(Word::Operand(operand));
            }
            words.push(Word::Option(key, value));
        }
        words.extend(early.map(|(operand, _)| Word::Operand(operand)));
        words.extend(late.iter().map(|operand| Word::Literal(operand)));
        words
    }

    /// The last of the options in `keys` that was given.
    pub fn last(&self, keys: &[&str]) -> Option<&'static str> {
        self.options
            .iter()
            .rev()
            .map(|(given, _)| *given)
            .find(|given| keys.contains(given))
    }
}

/// Reads the command line; `Err` is the status to end with, after the message was printed.
pub fn parse(call: &Call, syntax: &Syntax) -> Result<Parsed, i32> {
    let mut reader = Reader {
        call,
        syntax,
        parsed: Parsed::default(),
    };
    let mut arguments = call.arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_slice() {
            b"--" => {
                reader.parsed.operands.extend(arguments.cloned());
                break;
            }
            [b'-', b'-', long @ ..] => reader.long(long, &mut arguments)?,
            [b'-', short @ ..] if !short.is_empty() => reader.short(short, &mut arguments)?,
            _ => {
                let place = reader.parsed.options.len();
                reader.parsed.places.push(place);
                reader.parsed.operands.push(argument.clone());
                if !syntax.permute {
                    reader.parsed.operands.extend(arguments.cloned());
                    break;
                }
            }
        }
    }
    Ok(reader.parsed)
}

/// Says that the command line is wrong, and how to learn more.
pub fn usage_error(call: &Call, syntax: &Syntax, message: impl AsRef<[u8]>) -> i32 {
    complain(&call.name, message);
    // GNU's diffutils put their name before the hint too.
    let prefix = if matches!(
        call.name.as_str(),
        "diff" | "diff3" | "cmp" | "patch" | "sdiff"
    ) {
        format!("{}: ", call.name)
    } else {
        String::new()
    };
    if matches!(call.name.as_str(), "grep" | "egrep" | "fgrep") {
        eprintln!("Usage: {} [OPTION]... PATTERNS [FILE]...", call.name);
    }
    let usage = if call.name == "cpio" {
        " or 'cpio --usage'"
    } else {
        ""
    };
    let name = &call.name;
    eprintln!("{prefix}Try '{name} --help'{usage} for more information.");
    syntax.status
}

/// Which of several values an option's argument names; each may have more than one name, and a start
/// that fits only one value is enough.
///
/// # Errors
/// The status to end with, after the message.
pub fn choice(call: &Call, option: &str, given: &[u8], values: &[Vec<&str>]) -> Result<usize, i32> {
    let named = |fits: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let values = values.iter().enumerate();
        let fitting = values.filter(|(_, names)| names.iter().any(|name| fits(name)));
        fitting.map(|(at, _)| at).collect()
    };
    if let [at, ..] = named(&|name| name.as_bytes() == given)[..] {
        return Ok(at);
    }
    let found = named(&|name| name.as_bytes().starts_with(given));
    if let [at] = found[..] {
        return Ok(at);
    }
    let wrong = if found.is_empty() {
        "invalid"
    } else {
        "ambiguous"
    };
    let given = quote::word(given);
    let option = quote::word(option.as_bytes());
    complain(
        &call.name,
        bytes!(wrong, " argument ", given, " for ", option),
    );
    eprintln!("Valid arguments are:");
    for names in values {
        let names: Vec<Vec<u8>> = names
            .iter()
            .map(|name| quote::word(name.as_bytes()))
            .collect();
        eprintln!("  - {}", String::from_utf8_lossy(&names.join(&b", "[..])));
    }
    eprintln!("Try '{} --help' for more information.", call.name);
    Err(1)
}

type Rest<'a> = std::slice::Iter<'a, Vec<u8>>;

struct Reader<'a> {
    call: &'a Call,
    syntax: &'a Syntax,
    parsed: Parsed,
}

impl Reader<'_> {
    fn refuse(&self, message: impl AsRef<[u8]>) -> i32 {
        usage_error(self.call, self.syntax, message)
    }

    fn short(&mut self, letters: &[u8], rest: &mut Rest) -> Result<(), i32> {
        for (index, &letter) in letters.iter().enumerate() {
            let find = |opt: &&Opt| opt.0.as_bytes().contains(&letter);
            let Some(opt) = self.syntax.options.iter().find(find) else {
                return Err(self.refuse(bytes!("invalid option -- '", [letter], "'")));
            };
            if opt.1 == "version" {
                return Err(print(&version(&self.call.name)));
            }
            if index > 0 {
                self.parsed.joined.push(self.parsed.options.len());
            }
            let after = &letters[index + 1..];
            let value = match opt.2 {
                Value::No => {
                    self.parsed.options.push((opt.key(), Vec::new()));
                    continue;
                }
                Value::Required if after.is_empty() => rest.next().cloned().ok_or_else(|| {
                    self.refuse(bytes!("option requires an argument -- '", [letter], "'"))
                })?,
                _ => after.to_vec(),
            };
            self.parsed.options.push((opt.key(), value));
            break;
        }
        Ok(())
    }

    fn long(&mut self, text: &[u8], rest: &mut Rest) -> Result<(), i32> {
        let equals = text.iter().position(|&byte| byte == b'=');
        let (name, given) = match equals {
            Some(at) => (&text[..at], Some(text[at + 1..].to_vec())),
            None => (text, None),
        };
        let opt = self.find_long(name, text)?;
        let value = match (opt.2, given) {
            (Value::No, Some(_)) => {
                return Err(self.refuse(format!("option '--{}' doesn't allow an argument", opt.1)));
            }
            (Value::Required, None) => rest
                .next()
                .cloned()
                .ok_or_else(|| self.refuse(format!("option '--{}' requires an argument", opt.1)))?,
            (_, given) => given.unwrap_or_default(),
        };
        self.parsed.options.push((opt.key(), value));
        Ok(())
    }

    fn find_long(&self, name: &[u8], word: &[u8]) -> Result<Opt, i32> {
        const COMMON: [Opt; 2] = [Opt("", "help", Value::No), Opt("", "version", Value::No)];
        let all = || {
            self.syntax
                .options
                .iter()
                .chain(&COMMON)
                .filter(|opt| !opt.1.is_empty())
        };
        let found: Vec<&Opt> = match all().find(|opt| opt.1.as_bytes() == name) {
            Some(exact) => vec![exact],
            None => all()
                .filter(|opt| opt.1.as_bytes().starts_with(name))
                .collect(),
        };
        let same = |opt: &&Opt| opt.key() == found[0].key();
        match found.first() {
            None => Err(self.refuse(bytes!("unrecognized option '--", word, "'"))),
            Some(opt) if opt.1 == "help" => Err(print(&help(self.syntax))),
            Some(opt) if opt.1 == "version" => Err(print(&version(&self.call.name))),
            Some(opt) if found.iter().all(same) => Ok(**opt),
            Some(_) => {
                let names: String = found.iter().map(|opt| format!(" '--{}'", opt.1)).collect();
                let message = bytes!("option '--", word, "' is ambiguous; possibilities:", names);
                Err(self.refuse(message))
            }
        }
    }
}

fn print(text: &str) -> i32 {
    i32::from(crate::stream::stdout().write_all(text.as_bytes()).is_err())
}

/// The usage, with a list of the options where it has none.
pub fn help(syntax: &Syntax) -> String {
    let mut text = syntax.usage.to_owned();
    if text.contains("\n  -") || text.contains("\n -") || syntax.options.is_empty() {
        return text;
    }
    text.push('\n');
    for Opt(letters, long, value) in syntax.options {
        let short: Vec<String> = letters.chars().map(|letter| format!("-{letter}")).collect();
        let mut names = short.join(", ");
        if names.is_empty() {
            names.push_str("   ");
        }
        if !long.is_empty() {
            names.push_str(if letters.is_empty() { " --" } else { ", --" });
            names.push_str(long);
        }
        text.push_str("  ");
        text.push_str(&names);
        text.push_str(match (value, long.is_empty()) {
            (Value::No, _) => "",
            (Value::Required, true) => " VALUE",
            (Value::Required, false) => "=VALUE",
            (Value::Optional, true) => "[VALUE]",
            (Value::Optional, false) => "[=VALUE]",
        });
        text.push('\n');
    }
    text
}

/// What `--help` or `--version` as the first argument gives, for commands that read their own options.
pub fn information(call: &Call, usage: &str) -> Option<i32> {
    match call.arguments.first()?.as_slice() {
        b"--help" => Some(print(usage)),
        b"--version" => Some(print(&version(&call.name))),
        _ => None,
    }
}

/// A whole decimal number as C reads it, between `least` and `most`; the error ends GNU's message.
pub fn integer(text: &[u8], least: i64, most: i64) -> Result<i64, &'static str> {
    const TOO_LARGE: &str = ": Value too large for defined data type";
    let bare = text.trim_ascii_start();
    let digits = bare.strip_prefix(b"+").or(bare.strip_prefix(b"-"));
    let digits = digits.unwrap_or(bare);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err("");
    }
    let value: i64 = number(bare).ok_or(TOO_LARGE)?;
    if (least..=most).contains(&value) {
        Ok(value)
    } else if value.unsigned_abs() > (i32::MAX / 2).unsigned_abs().into() {
        Err(TOO_LARGE)
    } else {
        Err(": Numerical result out of range")
    }
}

/// A number as C writes it, in blocks of 512 (`b`) or 1024 (`B`) bytes too, of at most `most`; the error ends
/// GNU's message.
pub fn integer_argument(text: &[u8], most: u64) -> Result<(), &'static str> {
    let text = std::str::from_utf8(text).map_err(|_| "")?.trim_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    let (text, unit) = match text.as_bytes() {
        [.., b'b'] if !text.starts_with("0x") => (&text[..text.len() - 1], 512),
        [.., b'B'] if !text.starts_with("0x") => (&text[..text.len() - 1], 1024),
        _ => (text, 1),
    };
    let (digits, base) = match text.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return Err("");
    }
    let value = u64::from_str_radix(digits, base).ok();
    match value.and_then(|value| value.checked_mul(unit)) {
        Some(value) if value <= most => Ok(()),
        Some(value) if value <= u64::from(i32::MAX.unsigned_abs() / 2) => {
            Err(": Numerical result out of range")
        }
        _ => Err(": Value too large for defined data type"),
    }
}

/// A whole decimal number.
pub fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNTAX: Syntax = Syntax {
        usage: "",
        options: &[
            Opt("aA", "all", Value::No),
            Opt("n", "number", Value::Required),
            Opt("", "color", Value::Optional),
        ],
        permute: true,
        status: 2,
    };

    fn read(line: &str) -> Result<String, i32> {
        let arguments = line
            .split(' ')
            .map(|word| word.as_bytes().to_vec())
            .collect();
        let parsed = parse(
            &Call {
                name: "t".to_owned(),
                arguments,
            },
            &SYNTAX,
        )?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let options = parsed
            .options
            .iter()
            .map(|(key, value)| format!("{key}={}", text(value)));
        let operands = parsed.operands.iter().map(|operand| text(operand));
        Ok(options.chain(operands).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn words_keep_their_order() {
        let arguments = ["x", "-a", "y", "-n5", "--", "-z"];
        let call = Call {
            name: "t".to_owned(),
            arguments: arguments.map(|word| word.as_bytes().to_vec()).to_vec(),
        };
        let parsed = parse(&call, &SYNTAX).unwrap_or_default();
        let expected = [
            Word::Operand(b"x"),
            Word::Option("a", b""),
            Word::Operand(b"y"),
            Word::Option("n", b"5"),
            Word::Literal(b"-z"),
        ];
        assert_eq!(parsed.words(), expected);
    }

    #[test]
    fn reads_as_getopt_long_does() {
        let cases = [
            ("x -a y", "a= x y"),
            ("-an5 x", "a= n=5 x"),
            ("-A -n 5", "a= n=5"),
            ("--num=3 --all", "n=3 a="),
            ("--number 3 --color --color=x", "n=3 color= color=x"),
            ("-- -a", "-a"),
            ("- -a", "a= -"),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line).as_deref(), Ok(expected), "{line}");
        }
        for line in ["-x", "--nope", "-n", "--number", "--all=1"] {
            assert_eq!(read(line), Err(2), "{line}");
        }
    }
}
