//! The dot commands, by the manual page "Command Line Shell For SQLite", section 4.
//!
//! A name may be shortened to any beginning of at least two letters; the first command in the order of `COMMANDS`
//! wins. What the original has and this has not is in `MISSING` and is refused by name. Errors are texts that the
//! caller prints to standard error; the command has failed then.

mod table;
mod words;

use offshoot_sqlite::{Connection, Open};

use super::settings::{Mode, Settings};
use super::shell::{Next, Shell};
use super::{dump, import, literal, schema};
use crate::system::Streams;
use crate::{launch, system};
use table::{COMMANDS, MISSING};
use words::{boolean, flag, only, split};

pub use words::number;

/// Runs a line that begins with a dot.
pub fn run(shell: &mut Shell, line: &[u8]) -> Next {
    let words = split(&line[1..]);
    let Some((name, words)) = words.split_first() else {
        return Next::Go;
    };
    let name = String::from_utf8_lossy(name).into_owned();
    let found = COMMANDS
        .iter()
        .find(|(known, ..)| known[1..] == name)
        .or_else(|| {
            COMMANDS.iter().find(|(known, ..)| {
                name.len() > usize::from(name != "q") && known[1..].starts_with(&name)
            })
        });
    let Some((known, ..)) = found else {
        if MISSING.contains(&name.as_str()) {
            shell.complain(format!("Error: .{name} is not supported"));
        } else {
            shell.complain(format!(
                "Error: unknown command or invalid arguments:  \"{name}\". Enter \".help\" for help"
            ));
        }
        return Next::Failed;
    };
    match dispatch(shell, &known[1..], words) {
        Ok(next) => next,
        Err(message) => {
            shell.complain(message);
            Next::Failed
        }
    }
}

/// Commands that need no open database. `name` is the full name without its dot.
fn dispatch(shell: &mut Shell, name: &str, words: &[Vec<u8>]) -> Result<Next, Vec<u8>> {
    let first = words.first().map(Vec::as_slice);
    match name {
        "bail" => shell.bail = flag(shell, name, words)?,
        "changes" => shell.changes = flag(shell, name, words)?,
        "echo" => shell.echo = flag(shell, name, words)?,
        "eqp" => shell.plan = flag(shell, name, words)?,
        "timer" => shell.timer = flag(shell, name, words)?,
        "headers" => {
            shell.settings.headers = flag(shell, name, words)?;
            shell.settings.headers_set = true;
        }
        "quit" => return Ok(Next::Exit(0)),
        "exit" => return Ok(Next::Exit(first.map_or(0, |code| number(code) as i32))),
        "print" => shell.out.put([words.join(&b' '), b"\n".to_vec()].concat()),
        "prompt" => {}
        "nullvalue" => shell.settings.null = only(words, ".nullvalue STRING")?.to_vec(),
        "separator" => match words {
            [] => return Err(b"Usage: .separator COL ?ROW?".to_vec()),
            [column, row @ ..] => {
                shell.settings.column.clone_from(column);
                if let Some(row) = row.first() {
                    shell.settings.row.clone_from(row);
                }
            }
        },
        "width" => shell.settings.widths = words.iter().map(|word| number(word)).collect(),
        "mode" => mode(shell, words)?,
        "show" => show(shell),
        "help" => help(shell, first),
        "version" => {
            let (version, source) = offshoot_sqlite::version();
            shell.out.put(format!("SQLite {version} {source}\n"));
        }
        "timeout" => {
            shell.timeout = first.map_or(0, |time| number(time) as i32);
            let timeout = shell.timeout;
            if let Ok(connection) = shell.connection() {
                connection.set_timeout(timeout);
            }
        }
        "cd" => {
            let folder = only(words, ".cd DIRECTORY")?;
            std::env::set_current_dir(String::from_utf8_lossy(folder).as_ref()).map_err(|_| {
                ["Cannot change to directory \"".as_bytes(), folder, b"\""].concat()
            })?;
        }
        "output" | "once" => {
            let once = name == "once";
            shell
                .out
                .redirect(first.filter(|path| !path.starts_with(b"-")), once)
                .map_err(|_| {
                    [
                        "Error: cannot open \"".as_bytes(),
                        first.unwrap_or_default(),
                        b"\"",
                    ]
                    .concat()
                })?;
        }
        "read" => return read(shell, words),
        "shell" | "system" => {
            system_command(shell, words)?;
        }
        "open" => open(shell, words)?,
        _ => return with_database(shell, name, words),
    }
    Ok(Next::Go)
}

/// The commands that need the database.
fn with_database(shell: &mut Shell, name: &str, words: &[Vec<u8>]) -> Result<Next, Vec<u8>> {
    if let Err(status) = shell.open() {
        return Ok(if status == 0 { Next::Go } else { Next::Failed });
    }
    match name {
        "tables" | "indexes" => schema::names(shell, name == "indexes", words)?,
        "databases" => schema::databases(shell)?,
        "schema" => schema::print(shell, words)?,
        "fullschema" => schema::full(shell)?,
        "dump" => dump::run(shell, words)?,
        "import" => import::run(shell, words)?,
        "backup" | "save" => copy(shell, name, words, true)?,
        "restore" => copy(shell, name, words, false)?,
        "parameter" => parameter(shell, words)?,
        _ => {}
    }
    Ok(Next::Go)
}

/// `.mode`: the mode, its options, and for `insert` the table.
fn mode(shell: &mut Shell, words: &[Vec<u8>]) -> Result<(), Vec<u8>> {
    if words.is_empty() {
        let text = describe(&shell.settings);
        shell.out.put(format!("current output mode: {text}\n"));
        return Ok(());
    }
    let (mut name, mut table, mut wrap, mut words_wrap, mut quote) = (None, None, 60, false, false);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = String::from_utf8_lossy(word).into_owned();
        match text
            .strip_prefix('-')
            .map(|option| option.strip_prefix('-').unwrap_or(option))
        {
            Some("wrap") => wrap = rest.next().map_or(0, |value| number(value)),
            Some("wordwrap") => words_wrap = rest.next().is_some_and(|value| boolean(shell, value)),
            Some("ww") => words_wrap = true,
            Some("quote") => quote = true,
            Some("noquote") => quote = false,
            Some(_) => {
                return Err(format!(
                    "unknown option: {text}\noptions:\n  --noquote\n  --quote\n  --wordwrap on/off\n  --wrap N\n  --ww"
                )
                .into_bytes());
            }
            None if name.is_none() => {
                quote |= text == "qbox";
                name = Some(text);
            }
            None if table.is_none() => table = Some(word.clone()),
            None => return Err(format!("extra argument: \"{text}\"").into_bytes()),
        }
    }
    let found = match &name {
        Some(name) => Mode::find(name)
            .ok_or_else(|| format!("Error: mode should be one of: {}", Mode::NAMES))?,
        None => shell.settings.mode,
    };
    let settings = &mut shell.settings;
    settings.mode = if found == Mode::Tabs {
        Mode::List
    } else {
        found
    };
    settings.separate(found);
    if found.is_columnar() {
        (settings.wrap, settings.word_wrap, settings.quote) = (wrap, words_wrap, quote);
        if found == Mode::Column && !settings.headers_set {
            settings.headers = true;
        }
    }
    if found == Mode::Insert {
        settings.table = table.unwrap_or_else(|| b"table".to_vec());
    }
    Ok(())
}

/// The mode with its options, as `.mode` and `.show` print it.
fn describe(settings: &Settings) -> String {
    let name = settings.mode.name();
    if settings.mode.is_columnar() {
        let on = |on: bool| if on { "on" } else { "off" };
        let quote = if settings.quote { "" } else { "no" };
        return format!(
            "{name} --wrap {} --wordwrap {} --{quote}quote",
            settings.wrap,
            on(settings.word_wrap)
        );
    }
    name.to_owned()
}

/// `.show`: all settings.
fn show(shell: &mut Shell) {
    let on = |on: bool| if on { "on" } else { "off" };
    let settings = &shell.settings;
    let mode = describe(settings);
    let widths: String = settings
        .widths
        .iter()
        .map(|width| format!("{width} "))
        .collect();
    let lines: [(&str, Vec<u8>); 12] = [
        ("echo", on(shell.echo).into()),
        ("eqp", on(shell.plan).into()),
        ("explain", "auto".into()),
        ("headers", on(settings.headers).into()),
        ("mode", mode.into()),
        ("nullvalue", literal::c(&settings.null)),
        ("output", shell.out.name()),
        ("colseparator", literal::c(&settings.column)),
        ("rowseparator", literal::c(&settings.row)),
        ("stats", "off".into()),
        ("width", widths.into()),
        ("filename", shell.path.clone()),
    ];
    for (name, value) in lines {
        shell
            .out
            .put([format!("{name:>12}: ").as_bytes(), &value, b"\n"].concat());
    }
}

/// `.help`: the commands whose names begin with the pattern.
fn help(shell: &mut Shell, pattern: Option<&[u8]>) {
    let pattern = pattern.map(|pattern| String::from_utf8_lossy(pattern).into_owned());
    let wanted = |name: &str| {
        pattern
            .as_ref()
            .is_none_or(|pattern| name[1..].starts_with(pattern.trim_start_matches('.')))
    };
    let lines: Vec<String> = COMMANDS
        .iter()
        .filter(|(name, ..)| wanted(name))
        .map(|(name, takes, text)| format!("{:<24} {text}\n", format!("{name} {takes}")))
        .collect();
    if lines.is_empty() {
        shell.out.put(format!(
            "Nothing matches '{}'\n",
            pattern.unwrap_or_default()
        ));
    }
    shell.out.put(lines.concat());
}

/// `.read FILE` and `.read |COMMAND`.
fn read(shell: &mut Shell, words: &[Vec<u8>]) -> Result<Next, Vec<u8>> {
    let file = only(words, ".read FILE")?;
    let text = match file.strip_prefix(b"|") {
        Some(command) => import::output_of(command)?,
        None => system::read_whole(file)
            .map_err(|_| ["Error: cannot open \"".as_bytes(), file, b"\""].concat())?,
    };
    Ok(match shell.input(&mut &text[..]) {
        // `.quit` ends the file alone.
        Next::Exit(0) => Next::Go,
        next => next,
    })
}

/// `.shell` and `.system`: words with blanks or quotes in them are put in double quotes.
fn system_command(shell: &mut Shell, words: &[Vec<u8>]) -> Result<(), Vec<u8>> {
    if words.is_empty() {
        return Err(b"Usage: .system COMMAND".to_vec());
    }
    let quoted = words.iter().map(|word| {
        if memchr::memchr2(b' ', b'\'', word).is_some() {
            [b"\"", &word[..], b"\""].concat()
        } else {
            word.clone()
        }
    });
    let command = quoted.collect::<Vec<_>>().join(&b' ');
    shell.out.flush();
    let failed =
        |failure: system::Failure| format!("Error: cannot run sh: {}", failure.0).into_bytes();
    let status = launch::shell(&command, None, Streams::default())
        .and_then(system::wait)
        .map_err(failed)?
        .status();
    if status != 0 {
        shell.complain(format!("System command returns {}", status << 8));
    }
    Ok(())
}

/// `.open`: closes the database and opens another one.
fn open(shell: &mut Shell, words: &[Vec<u8>]) -> Result<(), Vec<u8>> {
    let (mut path, mut how, mut new) = (b":memory:".to_vec(), Open::default(), false);
    for word in words {
        match word.as_slice() {
            b"--readonly" | b"-readonly" => how.read_only = true,
            b"--new" | b"-new" => new = true,
            option if option.starts_with(b"-") => {
                return Err(["unknown option: ".as_bytes(), option].concat());
            }
            name => path = name.to_vec(),
        }
    }
    shell.close();
    if new {
        // A file that is not there is new as it is.
        let _ = system::unlink(&path);
    }
    (shell.path, shell.how) = (path, how);
    // The message was printed.
    let _ = shell.open();
    Ok(())
}

/// `.backup`, `.save` and `.restore`.
///
/// `out` copies the named database into the file, otherwise the file into the database. Pages are copied as they are.
fn copy(shell: &mut Shell, name: &str, words: &[Vec<u8>], out: bool) -> Result<(), Vec<u8>> {
    if let Some(option) = words.iter().find(|word| word.starts_with(b"-")) {
        return Err(["unknown option: ".as_bytes(), option].concat());
    }
    let (schema, file) = match words {
        [file] => (b"main".to_vec(), file),
        [schema, file] => (schema.clone(), file),
        _ => return Err(format!("Usage: .{name} ?DB? FILE").into_bytes()),
    };
    let schema = String::from_utf8_lossy(&schema).into_owned();
    let other = Connection::open(file, Open { read_only: !out })
        .map_err(|_| ["Error: cannot open \"".as_bytes(), file, b"\""].concat())?;
    let mine = shell
        .connection()
        .map_err(|error| format!("Error: {error}"))?;
    let done = if out {
        other.restore("main", mine, &schema)
    } else {
        mine.restore(&schema, &other, "main")
    };
    done.map_err(|error| format!("Error: {error}").into_bytes())
}

/// `.parameter`: values for `?`, `:name` and the like, in a temporary table. A value is an SQL expression, or a text
/// where that fails.
fn parameter(shell: &mut Shell, words: &[Vec<u8>]) -> Result<(), Vec<u8>> {
    const TABLE: &str = "CREATE TABLE IF NOT EXISTS temp.sqlite_parameters(key TEXT PRIMARY KEY, value) WITHOUT ROWID";
    const USAGE: &str = "Usage: .parameter clear|init|list|set NAME VALUE|unset NAME";
    let words: Vec<String> = words
        .iter()
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let quoted =
        |text: &str| String::from_utf8_lossy(&literal::quoted(text.as_bytes())).into_owned();
    let run = |shell: &mut Shell, sql: &str| -> Result<(), Vec<u8>> {
        let connection = shell
            .connection()
            .map_err(|error| format!("Error: {error}"))?;
        connection
            .execute("PRAGMA writable_schema=ON; ")
            .and_then(|()| connection.execute(sql))
            .and_then(|()| connection.execute("PRAGMA writable_schema=OFF"))
            .map_err(|error| format!("Error: {error}").into_bytes())
    };
    match words[..] {
        ["clear"] => run(shell, "DROP TABLE IF EXISTS temp.sqlite_parameters"),
        ["init"] => run(shell, TABLE),
        ["unset", name] => run(
            shell,
            &format!(
                "{TABLE}; DELETE FROM temp.sqlite_parameters WHERE key={}",
                quoted(name)
            ),
        ),
        ["set", name, value] => {
            let key = quoted(name);
            let insert = |value: &str| {
                format!("{TABLE}; REPLACE INTO temp.sqlite_parameters VALUES({key},{value})")
            };
            run(shell, &insert(value)).or_else(|_| run(shell, &insert(&quoted(value))))
        }
        ["list"] => {
            let rows = schema::rows(
                shell,
                "SELECT key, quote(value) FROM temp.sqlite_parameters",
            )
            .unwrap_or_default();
            let width = rows.iter().map(|row| row[0].len()).max().unwrap_or(0);
            for row in rows {
                let mut line = row[0].clone();
                line.resize(width + 1, b' ');
                line.extend_from_slice(&row[1]);
                line.push(b'\n');
                shell.out.put(line);
            }
            Ok(())
        }
        _ => Err(USAGE.as_bytes().to_vec()),
    }
}
