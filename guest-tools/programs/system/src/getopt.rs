//! `getopt` of util-linux: the options of a script, sorted and quoted, as glibc's `getopt_long` reads them.
//!
//! ```text
//! getopt -o ab:c:: -l long,value: -- -a x -bv --val=w y     -a -b 'v' --value 'w' -- 'x' 'y'
//! getopt -o +ab -- -a x -b                                  -a -- 'x' '-b'
//! getopt ab: -a -b v x                                      -a -b v -- x    (the old form: nothing is quoted)
//! ```
//!
//! Long names may be shortened where that is unambiguous, `-W name` with `W;` is `--name`, and `--` ends options. A
//! first letter `+` of the option string (or `POSIXLY_CORRECT`) stops at the first operand, `-` leaves operands in
//! place, and `:` keeps it quiet. Statuses: 0, 1 for a wrong command line of the script, 2 for one of `getopt`, 4 for
//! `-T`.

use crate::call::{Call, bytes, complain};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n getopt <optstring> <parameters>\n getopt [options] [--] <optstring> <parameters>\n getopt [options] -o|--options <optstring> [options] [--] <parameters>\n\nParse command options.\n",
    options: &[
        Opt("a", "alternative", Value::No),
        Opt("l", "longoptions", Value::Required),
        Opt("n", "name", Value::Required),
        Opt("o", "options", Value::Required),
        Opt("q", "quiet", Value::No),
        Opt("Q", "quiet-output", Value::No),
        Opt("s", "shell", Value::Required),
        Opt("T", "test", Value::No),
        Opt("u", "unquoted", Value::No),
        Opt("h", "help", Value::No),
        Opt("V", "version", Value::No),
    ],
    permute: false,
    status: 2,
};

/// The status of `getopt -T`, by which scripts tell this `getopt` from others.
const ENHANCED: i32 = 4;

/// Runs `getopt`.
pub fn run(call: &Call) -> i32 {
    prepare(call).unwrap_or_else(|status| status)
}

/// Reads the own options, in the old form where the first word is no option or `GETOPT_COMPATIBLE` is set, and answers.
fn prepare(call: &Call) -> Result<i32, i32> {
    let missing = || options::usage_error(call, &SYNTAX, "missing optstring argument");
    let compatible = std::env::var_os("GETOPT_COMPATIBLE").is_some();
    let Some(first) = call.arguments.first() else {
        if compatible {
            let mut out = Output::new();
            out.line(" --");
            return Ok(out.finish(&call.name, 0, 1));
        }
        return Err(missing());
    };
    let mut settings = Settings {
        name: call.name.as_bytes().to_vec(),
        quoting: Quoting::Shell,
        says_errors: true,
        prints: true,
    };
    if compatible || first.first() != Some(&b'-') {
        let signs = first.iter().take_while(|byte| b"-+".contains(byte)).count();
        settings.quoting = Quoting::None;
        return Ok(settings.print(&first[signs..], &[], false, &call.arguments[1..]));
    }
    let parsed = options::parse(call, &SYNTAX)?;
    // What comes first decides, as each is done when it is read.
    match parsed
        .options
        .iter()
        .map(|(key, _)| *key)
        .find(|key| matches!(*key, "h" | "T"))
    {
        Some("h") => {
            let mut out = Output::new();
            out.put(options::help(&SYNTAX));
            return Ok(out.finish(&call.name, 0, 1));
        }
        Some(_) => return Ok(ENHANCED),
        None => {}
    }
    let longs = settings.take(call, &parsed)?;
    let (letters, words) = match (parsed.value("o"), parsed.operands.as_slice()) {
        (Some(letters), words) => (letters, words),
        (None, [letters, words @ ..]) => (letters.as_slice(), words),
        (None, []) => return Err(missing()),
    };
    Ok(settings.print(letters, &longs, parsed.has("a"), words))
}

/// How values are quoted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoting {
    /// Not at all: `-u`, and the old form.
    None,
    /// In single quotes for `sh` and `bash`.
    Shell,
    /// For `csh`, where `!`, blanks and newlines need a backslash as well.
    CShell,
}

/// The own options.
struct Settings {
    /// What messages call the script (`-n`).
    name: Vec<u8>,
    quoting: Quoting,
    /// Not `-q`.
    says_errors: bool,
    /// Not `-Q`.
    prints: bool,
}

/// A long option that a script has.
struct Long {
    name: Vec<u8>,
    /// Whether it takes a value: `name`, `name:` or `name::`.
    value: Value,
}

impl Settings {
    /// Takes over the options; gives the script's long options.
    fn take(&mut self, call: &Call, parsed: &Parsed) -> Result<Vec<Long>, i32> {
        let refuse = |message: &str| options::usage_error(call, &SYNTAX, message);
        let mut longs = Vec::new();
        for (key, value) in &parsed.options {
            match *key {
                "n" => self.name.clone_from(value),
                "q" => self.says_errors = false,
                "Q" => self.prints = false,
                "u" => self.quoting = Quoting::None,
                "s" => {
                    let quoting = match value.as_slice() {
                        b"bash" | b"sh" => Quoting::Shell,
                        b"csh" | b"tcsh" => Quoting::CShell,
                        _ => return Err(refuse("unknown shell after -s or --shell argument")),
                    };
                    if self.quoting != Quoting::None {
                        self.quoting = quoting;
                    }
                }
                "l" => {
                    let words = value.split(|byte| b", \t\n".contains(byte));
                    for word in words.filter(|word| !word.is_empty()) {
                        let long = long(word).ok_or_else(|| {
                            refuse("empty long option after -l or --long argument")
                        })?;
                        longs.push(long);
                    }
                }
                _ => {}
            }
        }
        Ok(longs)
    }

    /// Prints the sorted command line of the script; the status is 1 where something in it was wrong.
    fn print(&self, letters: &[u8], longs: &[Long], alternative: bool, words: &[Vec<u8>]) -> i32 {
        let mut reader = Reader::new(self, letters, longs, alternative, words);
        let (mut out, mut status) = (Output::new(), 0);
        while let Some(found) = reader.next() {
            let text = match found {
                Found::Wrong => {
                    status = 1;
                    continue;
                }
                Found::Short(letter, None) => bytes!(" -", [letter]),
                Found::Short(letter, Some(value)) => {
                    bytes!(" -", [letter], " ", self.quoted(&value))
                }
                Found::Long(name, None) => bytes!(" --", name),
                Found::Long(name, Some(value)) => bytes!(" --", name, " ", self.quoted(&value)),
                Found::Operand(word) => bytes!(" ", self.quoted(&word)),
            };
            if self.prints {
                out.put(text);
            }
        }
        if self.prints {
            out.put(" --");
            for word in reader.operands.iter().chain(&reader.words) {
                out.put(bytes!(" ", self.quoted(word)));
            }
            out.put("\n");
        }
        out.finish("getopt", status, 1)
    }

    /// A word as it is printed.
    fn quoted(&self, word: &[u8]) -> Vec<u8> {
        if self.quoting == Quoting::None {
            return word.to_vec();
        }
        let mut quoted = vec![b'\''];
        for &byte in word {
            match (byte, self.quoting) {
                (b'\'', _) => quoted.extend_from_slice(b"'\\''"),
                (b'\\', Quoting::CShell) => quoted.extend_from_slice(b"\\\\"),
                (b'\n', Quoting::CShell) => quoted.extend_from_slice(b"\\n"),
                (b'!' | b' ' | b'\t' | 0x0b | 0x0c | b'\r', Quoting::CShell) => {
                    quoted.extend_from_slice(&[b'\'', b'\\', byte, b'\'']);
                }
                _ => quoted.push(byte),
            }
        }
        quoted.push(b'\'');
        quoted
    }
}

/// A long option of the list; none where it has no name.
fn long(word: &[u8]) -> Option<Long> {
    let (name, value) = if let Some(name) = word.strip_suffix(b"::") {
        (name, Value::Optional)
    } else if let Some(name) = word.strip_suffix(b":") {
        (name, Value::Required)
    } else {
        (word, Value::No)
    };
    (!name.is_empty()).then(|| Long {
        name: name.to_vec(),
        value,
    })
}

/// What stands next on the command line of the script.
enum Found {
    /// A letter and its value; an optional value that is not there is an empty text.
    Short(u8, Option<Vec<u8>>),
    /// A long option by its full name, and its value.
    Long(Vec<u8>, Option<Vec<u8>>),
    /// An operand that stays where it is.
    Operand(Vec<u8>),
    /// Something that was complained of.
    Wrong,
}

/// What happens to words that are no options.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// They go behind the options.
    Permute,
    /// The first one ends the options.
    StopAtOperand,
    /// They stay where they are.
    Mixed,
}

/// The command line of the script, of which options are read one by one, as glibc's `getopt_long` does.
struct Reader<'a> {
    name: &'a [u8],
    letters: &'a [u8],
    longs: &'a [Long],
    /// `-a`: long options may begin with one dash.
    alternative: bool,
    order: Order,
    says_errors: bool,
    /// The words that are not read yet.
    words: std::collections::VecDeque<Vec<u8>>,
    /// Words that are no options and were passed over.
    operands: Vec<Vec<u8>>,
    /// Letters of the word that is being read.
    cluster: Vec<u8>,
}

impl<'a> Reader<'a> {
    fn new(
        settings: &'a Settings,
        letters: &'a [u8],
        longs: &'a [Long],
        alternative: bool,
        words: &[Vec<u8>],
    ) -> Reader<'a> {
        let (order, letters) = match letters {
            [b'-', rest @ ..] => (Order::Mixed, rest),
            [b'+', rest @ ..] => (Order::StopAtOperand, rest),
            _ if std::env::var_os("POSIXLY_CORRECT").is_some() => (Order::StopAtOperand, letters),
            _ => (Order::Permute, letters),
        };
        Reader {
            name: &settings.name,
            letters,
            longs,
            alternative,
            order,
            says_errors: settings.says_errors && letters.first() != Some(&b':'),
            words: words.iter().cloned().collect(),
            operands: Vec::new(),
            cluster: Vec::new(),
        }
    }

    /// Complains in the name of the script, unless that is turned off.
    fn wrong(&self, message: impl AsRef<[u8]>) -> Found {
        if self.says_errors {
            complain(&String::from_utf8_lossy(self.name), message);
        }
        Found::Wrong
    }

    /// The next option, or an operand in the mixed order. `None` at the end of the options; what is left is in
    /// `operands` and then in `words`.
    fn next(&mut self) -> Option<Found> {
        if !self.cluster.is_empty() {
            return Some(self.short());
        }
        loop {
            let word = self.words.pop_front()?;
            match word.as_slice() {
                b"--" => return None,
                [b'-', b'-', text @ ..] => return Some(self.long(text, "--")),
                [b'-', letters @ ..] if !letters.is_empty() => {
                    let is_long = self.alternative
                        && (letters.len() > 1 || !self.letters.contains(&letters[0]));
                    if is_long && (self.names(letters) || !self.letters.contains(&letters[0])) {
                        return Some(self.long(letters, "-"));
                    }
                    self.cluster = letters.to_vec();
                    return Some(self.short());
                }
                _ => match self.order {
                    Order::Permute => self.operands.push(word),
                    Order::Mixed => return Some(Found::Operand(word)),
                    Order::StopAtOperand => {
                        self.words.push_front(word);
                        return None;
                    }
                },
            }
        }
    }

    /// Whether a long option begins so.
    fn names(&self, text: &[u8]) -> bool {
        let name = text.split(|&byte| byte == b'=').next().unwrap_or_default();
        self.longs.iter().any(|long| long.name.starts_with(name))
    }

    /// The next letter of the word that is being read.
    fn short(&mut self) -> Found {
        let letter = self.cluster.remove(0);
        let place = self.letters.iter().position(|&known| known == letter);
        let Some(place) = place.filter(|_| !b":;".contains(&letter)) else {
            return self.wrong(bytes!("invalid option -- '", [letter], "'"));
        };
        let needs = || bytes!("option requires an argument -- '", [letter], "'");
        match &self.letters[place + 1..] {
            [b';', ..] if letter == b'W' && !self.longs.is_empty() => {
                let text = std::mem::take(&mut self.cluster);
                let text = if text.is_empty() {
                    self.words.pop_front()
                } else {
                    Some(text)
                };
                match text {
                    Some(text) => self.long(&text, "-W "),
                    None => self.wrong(needs()),
                }
            }
            [b':', b':', ..] => Found::Short(letter, Some(std::mem::take(&mut self.cluster))),
            [b':', ..] => {
                let value = std::mem::take(&mut self.cluster);
                let value = if value.is_empty() {
                    self.words.pop_front()
                } else {
                    Some(value)
                };
                match value {
                    Some(value) => Found::Short(letter, Some(value)),
                    None => self.wrong(needs()),
                }
            }
            _ => Found::Short(letter, None),
        }
    }

    /// A long option from what is behind its dashes. An exact name goes before longer ones that begin so.
    fn long(&mut self, text: &[u8], prefix: &str) -> Found {
        let equals = text.iter().position(|&byte| byte == b'=');
        let (name, given) = match equals {
            Some(at) => (&text[..at], Some(text[at + 1..].to_vec())),
            None => (text, None),
        };
        let longs = self.longs;
        let found: Vec<&Long> = match longs.iter().find(|long| long.name == name) {
            Some(exact) => vec![exact],
            None => longs
                .iter()
                .filter(|long| long.name.starts_with(name))
                .collect(),
        };
        let long = match found[..] {
            [long] => long,
            [] => return self.wrong(bytes!("unrecognized option '", prefix, text, "'")),
            _ => {
                let names: Vec<Vec<u8>> = found
                    .iter()
                    .map(|long| bytes!(" '", prefix, long.name, "'"))
                    .collect();
                let text = bytes!(prefix, text);
                let message = bytes!("option '", text, "' is ambiguous; possibilities:");
                return self.wrong(bytes!(message, names.concat()));
            }
        };
        let option = bytes!("option '", prefix, long.name, "' ");
        let value = match (long.value, given) {
            (Value::No, Some(_)) => return self.wrong(bytes!(option, "doesn't allow an argument")),
            (Value::No, None) => None,
            (Value::Required, None) => match self.words.pop_front() {
                Some(value) => Some(value),
                None => return self.wrong(bytes!(option, "requires an argument")),
            },
            (_, given) => Some(given.unwrap_or_default()),
        };
        Found::Long(long.name.clone(), value)
    }
}
