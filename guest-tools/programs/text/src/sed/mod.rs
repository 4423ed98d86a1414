//! `sed`, after GNU sed 4.9.
//!
//! `script` parses the script into a flat list of commands, `run` executes it for each line, `input` reads lines and
//! knows which one is the last, `replacement` is the new file of `-i`. Other families use `Substitute` for a single
//! `s`: `tar --transform`, for one.
//!
//! Patterns are those of `crate::pattern`, in the dialect of `-E` or without it, with GNU's escapes. Lines are bytes;
//! where characters matter (`y`, `\U`, empty matches) they are those of UTF-8, and a byte that is in none is one of
//! its own.
//!
//! Deliberate differences: `--debug` is refused; `--posix`, `--follow-symlinks` and `-b` change nothing.
//!
//! Statuses: 0; 1 a wrong script or command line; 2 an input that cannot be read; 4 another failure with a file; or
//! what `q` and `Q` say.

mod input;
mod replacement;
mod run;
mod script;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::pattern::Dialect;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: sed [OPTION]... {script-only-if-no-other-script} [input-file]...\n\n  -n, --quiet, --silent      suppress automatic printing of pattern space\n  -e, --expression=script    add the script to the commands to be executed\n  -f, --file=script-file     add the contents of script-file to the commands\n  -i[SUFFIX], --in-place[=SUFFIX]  edit files in place\n  -l, --line-length=N        line-wrap length of the `l' command\n  -E, -r, --regexp-extended  use extended regular expressions\n  -s, --separate             consider files as separate\n  -z, --null-data            separate lines by NUL characters\n",
    options: &[
        Opt("n", "quiet", Value::No),
        Opt("n", "silent", Value::No),
        Opt("", "debug", Value::No),
        Opt("e", "expression", Value::Required),
        Opt("f", "file", Value::Required),
        Opt("", "follow-symlinks", Value::No),
        Opt("i", "in-place", Value::Optional),
        Opt("l", "line-length", Value::Required),
        Opt("", "posix", Value::No),
        Opt("Er", "regexp-extended", Value::No),
        Opt("s", "separate", Value::No),
        Opt("", "sandbox", Value::No),
        Opt("u", "unbuffered", Value::No),
        Opt("z", "null-data", Value::No),
        Opt("b", "binary", Value::No),
    ],
    permute: true,
    status: 1,
};

/// How the script is run: the options.
struct Plan {
    /// `-n`, or a script that begins with a line `#n`: nothing is printed by itself.
    quiet: bool,
    /// `-s`, which `-i` implies: each file has its own line numbers and its own last line.
    separate: bool,
    /// The suffix of backups, where files are edited in place (`-i`); empty for no backup.
    in_place: Option<Vec<u8>>,
    /// `-u`: output is flushed after each line.
    unbuffered: bool,
    /// `-l`: where `l` breaks lines; 0 and 1 mean never.
    width: usize,
    /// What ends lines: a newline, or with `-z` a zero byte.
    end: u8,
    /// `--posix`: `N` without a next line prints nothing.
    posix: bool,
}

/// An expression such as `s/a/b/g`, for names.
pub struct Substitute(script::Substitution);

impl Substitute {
    /// Reads an expression, in which commands behind the first are ignored.
    ///
    /// # Errors
    /// The message where it is none, or another command.
    pub fn new(source: &[u8], extended: bool) -> Result<Substitute, String> {
        let dialect = if extended {
            Dialect::Extended
        } else {
            Dialect::Basic
        };
        let sources = [("expression".to_owned(), source.to_vec())];
        let mut commands = script::parse(&sources, dialect, false)?.into_iter();
        match commands.next().map(|command| command.action) {
            Some(script::Action::Substitute(substitution)) => Ok(Substitute(*substitution)),
            _ => Err("expected a substitution".to_owned()),
        }
    }

    /// The text with what matches replaced; none where nothing does, and where the expression has no pattern.
    pub fn apply(&self, text: &[u8]) -> Option<Vec<u8>> {
        run::replace(self.0.pattern.as_ref()?, &self.0, text)
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match start(call) {
        Ok(status) | Err(status) => status,
    }
}

/// Reads the command line and the script, and runs it. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    if parsed.has("debug") {
        return Err(call.fail(1, "--debug is not supported"));
    }
    let mut sources: Vec<(String, Vec<u8>)> = Vec::new();
    let mut expressions = 0;
    for (key, value) in &parsed.options {
        match *key {
            "e" => {
                expressions += 1;
                // A text that ends in a backslash goes on in the next expression.
                sources.push((format!("-e expression #{expressions}"), value.clone()));
            }
            "f" => {
                let mut source = system::read_whole(value).map_err(|failure| {
                    call.fail(4, bytes!("couldn't open file ", value, ": ", failure))
                })?;
                if source.last() == Some(&b'\n') {
                    source.pop();
                }
                sources.push((String::from_utf8_lossy(value).into_owned(), source));
            }
            _ => {}
        }
    }
    let mut files = std::mem::take(&mut parsed.operands);
    if sources.is_empty() {
        if files.is_empty() {
            eprint!("{}", SYNTAX.usage);
            return Err(1);
        }
        sources.push(("-e expression #1".to_owned(), files.remove(0)));
    }
    if files.is_empty() && parsed.has("i") {
        return Err(call.fail(4, "no input files"));
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    let quiet_script = sources[0].1.starts_with(b"#n\n") || sources[0].1 == b"#n";
    let dialect = if parsed.has("E") {
        Dialect::Extended
    } else {
        Dialect::Basic
    };
    let posix = parsed.has("posix") || system::variable("POSIXLY_CORRECT").is_some();
    let commands = script::parse(&sources, dialect, parsed.has("posix")).map_err(|message| {
        // GNU's gives up on a missing label only after it read the script.
        let late = message.starts_with("can't find label") || message == script::BARE_CLASS;
        call.fail(if late { 4 } else { 1 }, message)
    })?;
    if parsed.has("sandbox") && commands.iter().any(|command| command.action.reaches_out()) {
        return Err(call.fail(1, "e/r/w commands disabled in sandbox mode"));
    }
    let in_place = parsed.value("i").map(<[u8]>::to_vec);
    let plan = Plan {
        quiet: parsed.has("n") || quiet_script,
        separate: parsed.has("s") || in_place.is_some(),
        in_place,
        unbuffered: parsed.has("u"),
        width: parsed.value("l").and_then(options::number).unwrap_or(70),
        end: if parsed.has("z") { 0 } else { b'\n' },
        posix,
    };
    Ok(run::Run::new(call, &plan, &commands, files).run())
}
