//! The command line of `jq` 1.8.
//!
//! Options may stand anywhere. The first operand is the program, or with `-f` its file, and the others are files, or
//! after `--args` and `--jsonargs` values for `$ARGS.positional`. Letters combine (`-nr`), with `-L` alone taking what
//! follows it in its word. Long options are exact; there are no abbreviations and no `--name=value`.

use super::json::{Reader, Style};
use super::value::{Members, Value};
use crate::call::Call;
use crate::stream::eprintln;
use crate::stream::println;
use crate::system;

/// How strings are printed, and what ends a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Print {
    /// JSON texts, each with a newline.
    Json,
    /// Strings without quotes, each with a newline (`-r`).
    Raw,
    /// Strings without quotes, no newline (`-j`).
    Joined,
    /// Strings without quotes, each with a NUL byte (`--raw-output0`).
    Nul,
}

/// What the command line asks for.
pub struct Options {
    /// The program's text, where it is on the command line; `.` where there is none and standard input is no terminal.
    pub program: String,
    /// The program's file (`-f`).
    pub program_file: Option<Vec<u8>>,
    /// The input files; none means standard input.
    pub files: Vec<Vec<u8>>,
    /// An object of the variables of `--arg`, `--argjson`, `--slurpfile` and `--rawfile`. The first of a name counts.
    pub named: Value,
    /// The values of `--args` and `--jsonargs`, in order.
    pub positional: Vec<Value>,
    /// The directories of `-L`, in order.
    pub search: Vec<Vec<u8>>,
    /// How values are written: indentation, order, colours.
    pub style: Style,
    /// How strings are printed, and what ends a value.
    pub print: Print,
    /// The program runs once, on `null` (`-n`).
    pub null_input: bool,
    /// Each line is a string (`-R`); with `slurp` the whole input is one.
    pub raw_input: bool,
    /// The whole input is one array (`-s`).
    pub slurp: bool,
    /// Values are read as events of paths and leaves (`--stream`).
    pub stream: bool,
    /// Each value is preceded by a record separator (`--seq`, RFC 7464).
    pub sequence: bool,
    /// The last value decides the exit status (`-e`): 1 for `null` and `false`, 4 where there was none.
    pub exit_status: bool,
    /// Output is flushed after each value.
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

/// What operands after the program are.
#[derive(PartialEq)]
enum Rest {
    /// Input files.
    Files,
    /// Strings for `$ARGS.positional`.
    Strings,
    /// JSON texts for `$ARGS.positional`.
    Json,
}

/// The state of reading the command line.
struct Reading<'a> {
    options: Options,
    /// The first operand: the program, or with `-f` its file.
    program: Option<Vec<u8>>,
    /// The variables so far.
    named: Members,
    /// What a level is indented by; none for one line.
    indent: Option<String>,
    from_file: bool,
    rest: Rest,
    /// Whether to colour: at the start whether output is a terminal and `NO_COLOR` is empty or not set.
    color: bool,
    arguments: std::slice::Iter<'a, Vec<u8>>,
}

/// The text of an argument, with U+FFFD for what is not UTF-8.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Reports wrong usage; the exit status is 2.
fn wrong(message: &str) -> i32 {
    eprintln!("jq: error: {message}");
    eprintln!(
        "Use jq --help for help with command-line options,\nor see the jq manpage, or online docs  at https://jqlang.github.io/jq"
    );
    2
}

impl Options {
    /// Reads the command line; `Err` is the status to end with.
    ///
    /// A status of 0 means that help or the version was printed.
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
    /// Reads all arguments.
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

    /// The program, or one of what `rest` says.
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

    /// The value of an option, from the next argument; `what` is the message where there is none.
    fn next(&mut self, what: &str) -> Result<Vec<u8>, i32> {
        self.arguments.next().cloned().ok_or_else(|| wrong(what))
    }

    /// A long option without its dashes.
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

    /// The options that define a variable: `--arg NAME VALUE` and the like.
    ///
    /// `--slurpfile` and `--argfile` give the array of all JSON texts of a file, `--rawfile` its text.
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

    /// A letter. `-r` does not take back what `-j` said.
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

    /// Settles what depends on the whole line, above all whether the first operand is the program or its file.
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

    /// Moves what was collected into the options.
    fn done(mut self) -> Options {
        self.options.named = self.named.into();
        self.options.style.indent = self.indent;
        if self.color {
            self.options.style.colors = Some(colors());
        }
        self.options
    }
}

/// The value of exactly one JSON text; none for any other text.
fn one_value(text: &[u8]) -> Option<Value> {
    let mut reader = Reader::new(text);
    let value = reader.next().ok()??;
    matches!(reader.next(), Ok(None)).then_some(value)
}

/// The colours, changed by `JQ_COLORS`.
///
/// A list such as `0;31:0;32` replaces the first colours, up to the first entry that is no list of numbers.
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
