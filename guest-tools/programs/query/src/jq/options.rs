//! The command line.

use super::json::{Reader, Style};
use super::value::{Members, Value};
use crate::call::Call;
use crate::stream::eprintln;
use crate::stream::println;
use crate::system;

/// How strings are printed, and what ends a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Print {
    Json,
    Raw,
    Joined,
    Nul,
}

/// What the command line asks for.
pub struct Options {
    pub program: String,
    pub program_file: Option<Vec<u8>>,
    pub files: Vec<Vec<u8>>,
    pub named: Value,
    pub positional: Vec<Value>,
    pub search: Vec<Vec<u8>>,
    pub style: Style,
    pub print: Print,
    pub null_input: bool,
    pub raw_input: bool,
    pub slurp: bool,
    pub stream: bool,
    pub sequence: bool,
    pub exit_status: bool,
    pub unbuffered: bool,
}

const USAGE: &str = "Usage:\tjq [OPTIONS] FILTER [FILES...]\n\tjq [OPTIONS] -f FILE [FILES...]\n\tjq [OPTIONS] --args FILTER [STRINGS...]\n\tjq [OPTIONS] --jsonargs FILTER [JSON_VALUES...]\n";

/// Long options, by their letters.
const LONG: &[(&str, char)] = &[
    ("raw-output", 'r'),
    ("join-output", 'j'),
    ("ascii-output", 'a'),
    ("compact-output", 'c'),
    ("null-input", 'n'),
    ("slurp", 's'),
    ("sort-keys", 'S'),
    ("exit-status", 'e'),
    ("raw-input", 'R'),
    ("color-output", 'C'),
    ("monochrome-output", 'M'),
    ("from-file", 'f'),
    ("library-path", 'L'),
    ("help", 'h'),
    ("version", 'V'),
    ("raw-output0", '0'),
    ("unbuffered", 'u'),
];

/// What operands are.
#[derive(PartialEq)]
enum Rest {
    Files,
    Strings,
    Json,
}

struct Reading<'a> {
    options: Options,
    program: Option<Vec<u8>>,
    named: Members,
    indent: Option<String>,
    from_file: bool,
    rest: Rest,
    color: bool,
    arguments: std::slice::Iter<'a, Vec<u8>>,
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn wrong(message: &str) -> i32 {
    eprintln!("jq: error: {message}");
    eprintln!(
        "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://jqlang.github.io/jq"
    );
    2
}

impl Options {
    /// Reads the command line; `Err` is the status to end with.
    pub fn read(call: &Call) -> Result<Options, i32> {
        let mut reading = Reading {
            options: Options {
                program: String::new(),
                program_file: None,
                files: Vec::new(),
                named: Value::Null,
                positional: Vec::new(),
                search: Vec::new(),
                style: Style::default(),
                print: Print::Json,
                null_input: false,
                raw_input: false,
                slurp: false,
                stream: false,
                sequence: false,
                exit_status: false,
                unbuffered: false,
            },
            program: None,
            named: Members::new(),
            indent: Some("  ".to_owned()),
            from_file: false,
            rest: Rest::Files,
            color: system::is_terminal(1)
                && crate::system::variable("NO_COLOR").is_none_or(|value| value.is_empty()),
            arguments: call.arguments.iter(),
        };
        reading.all()?;
        reading.finish()
    }
}

impl Reading<'_> {
    fn all(&mut self) -> Result<(), i32> {
        let mut only_operands = false;
        while let Some(argument) = self.arguments.next() {
            match argument.as_slice() {
                _ if only_operands => self.operand(argument)?,
                b"--" => only_operands = true,
                [b'-', b'-', name @ ..] => self.long(&lossy(name))?,
                [b'-', b'L', directory @ ..] if !directory.is_empty() => {
                    self.options.search.push(directory.to_vec());
                }
                [b'-', letters @ ..] if !letters.is_empty() => {
                    for &letter in letters {
                        self.short(char::from(letter))?;
                    }
                }
                _ => self.operand(argument)?,
            }
        }
        Ok(())
    }

    fn operand(&mut self, argument: &[u8]) -> Result<(), i32> {
        if self.program.is_none() {
            self.program = Some(argument.to_vec());
            return Ok(());
        }
        match self.rest {
            Rest::Files => self.options.files.push(argument.to_vec()),
            Rest::Strings => self.options.positional.push(lossy(argument).into()),
            Rest::Json => match one_value(argument) {
                Some(value) => self.options.positional.push(value),
                None => {
                    return Err(wrong(&format!(
                        "Invalid JSON text passed to --jsonargs: {}",
                        lossy(argument)
                    )));
                }
            },
        }
        Ok(())
    }

    fn next(&mut self, what: &str) -> Result<Vec<u8>, i32> {
        self.arguments.next().cloned().ok_or_else(|| wrong(what))
    }

    fn long(&mut self, name: &str) -> Result<(), i32> {
        if let Some((_, letter)) = LONG.iter().find(|(long, _)| *long == name) {
            return self.short(*letter);
        }
        match name {
            "tab" => self.indent = Some("\t".to_owned()),
            "indent" => {
                let width = self.next("--indent takes one parameter")?;
                match lossy(&width).parse::<usize>() {
                    Ok(0) => self.indent = None,
                    Ok(width) if width <= 7 => self.indent = Some(" ".repeat(width)),
                    Ok(_) => return Err(wrong("Cannot indent more than 7 characters")),
                    Err(_) => return Err(wrong("--indent takes a number")),
                }
            }
            "seq" => self.options.sequence = true,
            "stream" => self.options.stream = true,
            "stream-errors" => self.options.stream = true,
            "args" => self.rest = Rest::Strings,
            "jsonargs" => self.rest = Rest::Json,
            "arg" | "argjson" | "slurpfile" | "rawfile" | "argfile" => self.variable(name)?,
            "build-configuration" => {
                println!("decnum oniguruma-compatible");
                return Err(0);
            }
            _ => {
                eprintln!("jq: Unknown option: --{name}");
                eprint!("{USAGE}");
                return Err(2);
            }
        }
        Ok(())
    }

    fn variable(&mut self, option: &str) -> Result<(), i32> {
        let two = format!(
            "--{option} takes two parameters (e.g. --{option} varname {})",
            if option.contains("file") {
                "filename"
            } else {
                "value"
            }
        );
        let name = lossy(&self.next(&two)?);
        let text = self.next(&two)?;
        let value = match option {
            "arg" => Value::from(lossy(&text)),
            "argjson" => match one_value(&text) {
                Some(value) => value,
                None => {
                    return Err(wrong(&format!(
                        "Invalid JSON text passed to --argjson: {}",
                        lossy(&text)
                    )));
                }
            },
            _ => {
                let bad = |reason: &str| {
                    wrong(&format!(
                        "Bad JSON in --{option} {name} {}: {reason}",
                        lossy(&text)
                    ))
                };
                let content = system::read_whole(&text).map_err(|failure| {
                    bad(&format!("Could not open {}: {}", lossy(&text), failure.0))
                })?;
                if option == "rawfile" {
                    lossy(&content).into()
                } else {
                    let mut reader = Reader::new(&content);
                    let mut values = Vec::new();
                    while let Some(value) = reader.next().map_err(|error| bad(&error.0))? {
                        values.push(value);
                    }
                    values.into()
                }
            }
        };
        self.named.entry(name.into()).or_insert(value);
        Ok(())
    }

    fn short(&mut self, letter: char) -> Result<(), i32> {
        let options = &mut self.options;
        match letter {
            'r' if options.print == Print::Json => options.print = Print::Raw,
            'r' => {}
            'j' => options.print = Print::Joined,
            '0' => options.print = Print::Nul,
            'a' => options.style.ascii = true,
            'c' => self.indent = None,
            'n' => options.null_input = true,
            's' => options.slurp = true,
            'S' => options.style.sort = true,
            'e' => options.exit_status = true,
            'R' => options.raw_input = true,
            'u' => options.unbuffered = true,
            'C' => self.color = true,
            'M' => self.color = false,
            'f' => self.from_file = true,
            'L' => {
                let directory =
                    self.next("-L takes a parameter: (e.g. -L /search/path or -L/search/path)")?;
                self.options.search.push(directory);
            }
            'h' => {
                print!("{USAGE}");
                return Err(0);
            }
            'V' => {
                println!("jq-1.8.1");
                return Err(0);
            }
            _ => {
                eprintln!("jq: Unknown option: -{letter}");
                eprint!("{USAGE}");
                return Err(2);
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Options, i32> {
        let Some(program) = self.program.take() else {
            if self.from_file || system::is_terminal(0) {
                eprint!("{USAGE}");
                return Err(2);
            }
            self.options.program = ".".to_owned();
            return Ok(self.done());
        };
        if self.from_file {
            self.options.program_file = Some(program);
        } else {
            self.options.program = lossy(&program);
        }
        Ok(self.done())
    }

    fn done(mut self) -> Options {
        self.options.named = self.named.into();
        self.options.style.indent = self.indent;
        if self.color {
            self.options.style.colors = Some(colors());
        }
        self.options
    }
}

fn one_value(text: &[u8]) -> Option<Value> {
    let mut reader = Reader::new(text);
    let value = reader.next().ok()??;
    matches!(reader.next(), Ok(None)).then_some(value)
}

/// The colours, changed by `JQ_COLORS`.
fn colors() -> [String; 8] {
    let mut colors = [
        "0;90", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "34;1",
    ]
    .map(|color| format!("\x1b[{color}m"));
    if let Some(changes) = crate::system::text_variable("JQ_COLORS") {
        let valid = |color: &str| {
            color
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b';')
        };
        for (slot, color) in colors.iter_mut().zip(changes.split(':')) {
            if !valid(color) {
                break;
            }
            *slot = format!("\x1b[{color}m");
        }
    }
    colors
}
