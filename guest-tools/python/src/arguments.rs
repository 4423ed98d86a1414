//! The command line, which is CPython's.

use rustpython_vm::version::{MAJOR, MICRO, MINOR};

const USAGE: &str = "usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n";

const HELP: &str = "\
Options:
-b     : warn about comparing bytes with str or int (-bb: error)
-B     : don't write .pyc files on import; also PYTHONDONTWRITEBYTECODE=x
-c cmd : program passed in as string (terminates option list)
-E     : ignore PYTHON* environment variables (such as PYTHONPATH)
-h     : print this help message and exit (also -? or --help)
-I     : isolate from the user's environment (implies -E, -P and -s)
-m mod : run library module as a script (terminates option list)
-O     : remove assert and __debug__-dependent statements; -OO: docstrings too
-P     : don't prepend a potentially unsafe path to sys.path; also PYTHONSAFEPATH
-q     : accepted, without effect
-s     : don't add the user's site directory to sys.path; also PYTHONNOUSERSITE
-S     : don't import site
-u     : unbuffered stdout and stderr; also PYTHONUNBUFFERED=x
-v     : trace import statements; also PYTHONVERBOSE=x
-V     : print the Python version number and exit (also --version)
-W arg : warning control; also PYTHONWARNINGS=arg
-x     : skip the first line of the program
-X opt : set an implementation-specific option

Arguments:
file   : program read from script file
-      : program read from standard input (default)
arg ...: arguments passed to program in sys.argv[1:]

RustPython runs it, with the standard library inside. Files, standard input and output, environment and
processes (subprocess, os.system) are those of the sandbox. There are no threads, no sockets, no sqlite3,
no ctypes and no pip; there is no interactive mode. `errno` has WASI's numbers, local time is UTC, and calls
that go through native code (sorted, map, lru_cache, default arguments) nest 100 to 200 deep.
";

/// What a call asks for.
pub enum Outcome {
    /// Run a program.
    Run(Box<Call>),
    /// Print this and succeed.
    Print(String),
    /// Print this on standard error; the command line is wrong.
    Refuse(String),
}

/// Where the program is.
pub enum Program {
    /// A file, or a directory with `__main__.py`.
    File(String),
    /// The text after `-c`.
    Code(String),
    /// A module of the search path.
    Module(String),
    /// Standard input.
    Input,
}

/// What to run, and how.
pub struct Call {
    /// Where the program is.
    pub program: Program,
    /// `sys.argv`.
    pub argv: Vec<String>,
    /// The name that this was called by.
    pub name: String,
    /// `-x`
    pub skip_line: bool,
    /// The single-letter options, in order; `b` twice is `-bb`.
    pub letters: String,
    /// `-W`
    pub warnings: Vec<String>,
    /// `-X`
    pub extra: Vec<String>,
}

impl Call {
    /// How often the option was given.
    pub fn count(&self, letter: char) -> u8 {
        let count = self
            .letters
            .chars()
            .filter(|&found| found == letter)
            .count();
        u8::try_from(count).unwrap_or(u8::MAX)
    }

    /// Whether the option was given.
    pub fn has(&self, letter: char) -> bool {
        self.letters.contains(letter)
    }
}

/// `3.14.0`, say.
pub fn version() -> String {
    format!("{MAJOR}.{MINOR}.{MICRO}")
}

fn refuse(message: &str) -> Outcome {
    Outcome::Refuse(format!(
        "{message}\n{USAGE}Try `python3 -h' for more information.\n"
    ))
}

/// Takes the arguments apart; the first is the name of the program.
pub fn read(arguments: Vec<String>) -> Outcome {
    let mut arguments = arguments.into_iter();
    let mut call = Call {
        program: Program::Input,
        argv: vec![String::new()],
        name: arguments.next().unwrap_or_else(|| "python3".to_owned()),
        skip_line: false,
        letters: String::new(),
        warnings: Vec::new(),
        extra: Vec::new(),
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-" => {
                call.argv = vec![argument];
                break;
            }
            "--" => {
                if let Some(file) = arguments.next() {
                    call.argv = vec![file.clone()];
                    call.program = Program::File(file);
                }
                break;
            }
            "--help" | "--help-all" => return Outcome::Print(format!("{USAGE}{HELP}")),
            "--version" => return Outcome::Print(format!("Python {}\n", version())),
            "--check-hash-based-pycs" => drop(arguments.next()),
            long if long.starts_with("--") => {
                return refuse(&format!("unknown option {long}"));
            }
            short if short.starts_with('-') => {
                match letters(&short[1..], &mut arguments, &mut call) {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(outcome) => return outcome,
                }
            }
            _ => {
                call.argv = vec![argument.clone()];
                call.program = Program::File(argument);
                break;
            }
        }
    }
    call.argv.extend(arguments);
    Outcome::Run(Box::new(call))
}

/// One argument of letters; true where it was the last option.
fn letters(
    letters: &str,
    arguments: &mut impl Iterator<Item = String>,
    call: &mut Call,
) -> Result<bool, Outcome> {
    for (at, letter) in letters.char_indices() {
        match letter {
            'h' | '?' => return Err(Outcome::Print(format!("{USAGE}{HELP}"))),
            'V' => return Err(Outcome::Print(format!("Python {}\n", version()))),
            'i' => {
                let message = "python3: -i is not supported: there is no interactive mode\n";
                return Err(Outcome::Refuse(message.to_owned()));
            }
            'c' | 'm' | 'W' | 'X' => {
                let rest = &letters[at + 1..];
                let value = match rest.is_empty() {
                    false => Some(rest.to_owned()),
                    true => arguments.next(),
                };
                let Some(value) = value else {
                    return Err(refuse(&format!(
                        "Argument expected for the -{letter} option"
                    )));
                };
                match letter {
                    'W' => call.warnings.push(value),
                    'X' => call.extra.push(value),
                    _ => {
                        call.argv = vec![format!("-{letter}")];
                        call.program = match letter {
                            'c' => Program::Code(value),
                            _ => Program::Module(value),
                        };
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            'x' => call.skip_line = true,
            'b' | 'B' | 'd' | 'E' | 'I' | 'O' | 'P' | 'q' | 'R' | 's' | 'S' | 'u' | 'v' => {
                call.letters.push(letter);
            }
            unknown => return Err(refuse(&format!("Unknown option: -{unknown}"))),
        }
    }
    Ok(false)
}
