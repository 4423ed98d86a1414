//! The options of `sqlite3`, and the order in which everything is run.
//!
//! `~/.sqliterc` or the file of `-init` comes first, then the options once more, then `-cmd` commands, and at last the
//! SQL arguments or, without any, standard input. Options have one dash or two.

use crate::stream::eprintln;
use std::io::BufReader;

use super::settings::Mode;
use super::shell::{Next, Shell};
use crate::call::Call;
use crate::system;

const USAGE: &str = "Usage: sqlite3 [OPTIONS] FILENAME [SQL]
FILENAME is the name of an SQLite database. A new database is created
if the file does not previously exist.
OPTIONS include:
   -ascii               set output mode to 'ascii'
   -bail                stop after hitting an error
   -batch               force batch I/O
   -box                 set output mode to 'box'
   -column              set output mode to 'column'
   -cmd COMMAND         run \"COMMAND\" before reading stdin
   -csv                 set output mode to 'csv'
   -echo                print inputs before execution
   -init FILENAME       read/process named file
   -[no]header          turn headers on or off
   -help                show this message
   -html                set output mode to HTML
   -json                set output mode to 'json'
   -line                set output mode to 'line'
   -list                set output mode to 'list'
   -markdown            set output mode to 'markdown'
   -newline SEP         set output row separator. Default: '\\n'
   -nullvalue TEXT      set text string for NULL values. Default ''
   -quote               set output mode to 'quote'
   -readonly            open the database read-only
   -separator SEP       set output column separator. Default: '|'
   -table               set output mode to 'table'
   -tabs                set output mode to 'tabs'
   -version             show SQLite version
";

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let mut shell = Shell::new();
    let status = match arguments(call, &mut shell) {
        Ok(status) | Err(status) => status,
    };
    shell.close();
    shell.out.finish(status)
}

/// What stands on the command line besides settings.
#[derive(Default)]
struct Line<'call> {
    /// The database: the first operand.
    path: Option<&'call [u8]>,
    /// The other operands, run one after the other instead of standard input.
    statements: Vec<&'call [u8]>,
    /// The file of `-init`.
    init: Option<&'call [u8]>,
    /// What `-cmd` gave.
    commands: Vec<&'call [u8]>,
}

/// Runs everything; both results are the exit status, `Err` that of an early end.
fn arguments(call: &Call, shell: &mut Shell) -> Result<i32, i32> {
    let line = read(call, shell)?;
    if let Some(path) = line.path {
        shell.path = path.to_vec();
    }
    let home = std::env::var("HOME").unwrap_or_default();
    let init = line
        .init
        .map_or_else(|| format!("{home}/.sqliterc").into_bytes(), <[u8]>::to_vec);
    match system::read_whole(&init) {
        Ok(text) => {
            if let Next::Exit(status) = shell.input(&mut &text[..]) {
                return Err(status);
            }
        }
        Err(_) if line.init.is_some() => {
            shell.complain(["cannot open: \"".as_bytes(), &init, b"\""].concat());
            return Err(1);
        }
        Err(_) => {}
    }
    // What the command line sets stands above what the file set.
    read(call, shell)?;
    for command in &line.commands {
        shell.argument(command)?;
    }
    if line.statements.is_empty() {
        if line.path.is_some() {
            shell.open()?;
        }
        return Ok(
            match shell.input(&mut BufReader::new(crate::stream::stdin().lock())) {
                Next::Go => 0,
                Next::Failed => 1,
                Next::Exit(status) => status,
            },
        );
    }
    for statement in &line.statements {
        shell.argument(statement)?;
    }
    Ok(0)
}

/// Reads the options and applies the settings to the shell. Called twice.
fn read<'call>(call: &'call Call, shell: &mut Shell) -> Result<Line<'call>, i32> {
    let mut line = Line::default();
    let mut arguments = call.arguments.iter().map(Vec::as_slice);
    while let Some(argument) = arguments.next() {
        let Some(option) = argument.strip_prefix(b"-").filter(|_| argument.len() > 1) else {
            match line.path {
                None => line.path = Some(argument),
                Some(_) => line.statements.push(argument),
            }
            continue;
        };
        let option = String::from_utf8_lossy(option.strip_prefix(b"-").unwrap_or(option));
        let mut value = || {
            arguments.next().ok_or_else(|| {
                eprintln!("sqlite3: Error: missing argument to -{option}");
                1
            })
        };
        match option.as_ref() {
            "separator" => shell.settings.column = value()?.to_vec(),
            "newline" => shell.settings.row = value()?.to_vec(),
            "nullvalue" => shell.settings.null = value()?.to_vec(),
            "cmd" => line.commands.push(value()?),
            "init" => line.init = Some(value()?),
            "header" | "headers" => headers(shell, true),
            "noheader" | "noheaders" => headers(shell, false),
            "bail" => shell.bail = true,
            "echo" => shell.echo = true,
            "readonly" => shell.how.read_only = true,
            "batch" => {}
            "version" => {
                let (version, source) = offshoot_sqlite::version();
                shell.out.put(format!("{version} {source}\n"));
                return Err(0);
            }
            "help" | "h" => {
                shell.out.put(USAGE);
                return Err(0);
            }
            "ascii" | "box" | "column" | "csv" | "html" | "json" | "line" | "list" | "markdown"
            | "quote" | "table" | "tabs" => {
                if let Some(mode) = Mode::find(&option) {
                    shell.settings.mode = mode;
                    let row = shell.settings.row.clone();
                    shell.settings.separate(mode);
                    // Lines end as they do elsewhere; `.mode csv` is what asks for more.
                    if option == "csv" {
                        shell.settings.row = row;
                    }
                }
            }
            _ => {
                eprintln!("sqlite3: Error: unknown option: -{option}");
                eprintln!("Use -help for a list of options.");
                return Err(1);
            }
        }
    }
    Ok(line)
}

/// Sets the headers so that modes do not change them.
fn headers(shell: &mut Shell, on: bool) {
    shell.settings.headers = on;
    shell.settings.headers_set = true;
}
