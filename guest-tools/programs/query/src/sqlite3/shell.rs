//! Input, line by line: dot commands, and statements that may take several lines.
//!
//! A line that begins with a dot outside a statement is a dot command, one that begins with `#` a comment. Everything
//! else is collected until SQLite calls it complete (`is_complete`: it ends with a semicolon outside strings, comments
//! and the body of a trigger), and is then run statement by statement. `/` or `go` on a line of its own is a
//! semicolon, too. What is left at the end of the input is run as it is.
//!
//! An error does not end the input unless `.bail` is on; it makes the exit status 1.

use std::io::BufRead;
use std::time::Instant;

use offshoot_sqlite::{Connection, Error, Open, Statement, Value, is_complete};

use super::print::Printer;
use super::settings::{Mode, Settings};
use super::sink::Sink;
use super::{columns, dot, functions, local_time, tables};

/// How deep `.read` may go. A file that reads itself would otherwise fill the stack.
const DEEPEST: u32 = 25;

/// What a dot command or a statement leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    Go,
    /// It failed; go on unless `.bail` is on.
    Failed,
    /// End with this exit status.
    Exit(i32),
}

/// Everything that lasts from one line to the next.
pub struct Shell {
    /// The database, opened when it is first needed, so that `sqlite3 FILE .help` does not make a file.
    connection: Option<Connection>,
    /// The file of the database; `:memory:` is one in memory.
    pub path: Vec<u8>,
    /// How it is opened.
    pub how: Open,
    /// How rows are printed.
    pub settings: Settings,
    /// Where they are printed.
    pub out: Sink,
    /// Print what is run (`.echo`).
    pub echo: bool,
    /// End at the first error (`.bail`).
    pub bail: bool,
    /// Print the number of changed rows (`.changes`).
    pub changes: bool,
    /// Print the time that statements take (`.timer`).
    pub timer: bool,
    /// Print the plan of each statement.
    pub plan: bool,
    /// Milliseconds to wait for a lock (`.timeout`).
    pub timeout: i32,
    /// How many inputs are being read.
    depth: u32,
}

impl Shell {
    /// A shell over an empty database in memory.
    pub fn new() -> Shell {
        Shell {
            connection: None,
            path: b":memory:".to_vec(),
            how: Open::default(),
            settings: Settings::default(),
            out: Sink::new(),
            echo: false,
            bail: false,
            changes: false,
            timer: false,
            plan: false,
            timeout: 0,
            depth: 0,
        }
    }

    /// Writes a message to standard error, behind what was printed so far.
    pub fn complain(&mut self, message: impl AsRef<[u8]>) {
        use std::io::Write as _;
        self.out.flush();
        let mut line = message.as_ref().to_vec();
        line.push(b'\n');
        // Nothing is left to tell where standard error is gone.
        let _ = crate::stream::stderr().write_all(&line);
    }

    /// Opens the database unless it is open.
    ///
    /// The functions of the shell are added (`functions`, `tables`).
    ///
    /// # Errors
    /// The exit status, after a message.
    pub fn open(&mut self) -> Result<(), i32> {
        if self.connection.is_some() {
            return Ok(());
        }
        let opened = Connection::open(&self.path, self.how).and_then(|connection| {
            connection.set_timeout(self.timeout);
            functions::add(&connection)?;
            tables::add(&connection)?;
            Ok(connection)
        });
        match opened {
            Ok(connection) => {
                self.connection = Some(connection);
                Ok(())
            }
            Err(error) => {
                let path = String::from_utf8_lossy(&self.path).into_owned();
                self.complain(format!(
                    "Error: unable to open database \"{path}\": {error}"
                ));
                Err(1)
            }
        }
    }

    /// Closes the database; the next use opens `path`.
    pub fn close(&mut self) {
        self.connection = None;
    }

    /// The connection, which [`Shell::open`] made.
    pub fn connection(&self) -> Result<&Connection, Error> {
        self.connection.as_ref().ok_or_else(|| {
            let message = "no database is open".to_owned();
            functions::error(message)
        })
    }

    /// Runs one argument of the command line: a dot command, or statements. `Err` is the status to end with.
    pub fn argument(&mut self, text: &[u8]) -> Result<(), i32> {
        if text.first() == Some(&b'.') {
            return match dot::run(self, text) {
                Next::Go => Ok(()),
                Next::Failed => Err(1),
                Next::Exit(status) => Err(status),
            };
        }
        self.open()?;
        match self.execute(text) {
            Ok(()) => Ok(()),
            Err(failure) => {
                self.complain(["Error: ".as_bytes(), &failure.text].concat());
                Err(failure.code)
            }
        }
    }

    /// Reads lines up to the end, or up to a command that ends it.
    pub fn input(&mut self, reader: &mut dyn BufRead) -> Next {
        if self.depth >= DEEPEST {
            self.complain(format!(
                "Input nesting limit ({DEEPEST}) reached at line 0. Check recursion."
            ));
            return Next::Failed;
        }
        self.depth += 1;
        let next = self.lines(reader);
        self.depth -= 1;
        next
    }

    /// The loop of `input`. Messages have the line at which the statement began, counted from 1.
    fn lines(&mut self, reader: &mut dyn BufRead) -> Next {
        let (mut sql, mut start, mut number, mut failed) = (Vec::new(), 0, 0, false);
        let mut line = Vec::new();
        while !self.ends(failed) {
            line.clear();
            if !matches!(reader.read_until(b'\n', &mut line), Ok(count) if count > 0) {
                break;
            }
            number += 1;
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if sql.is_empty() {
                if is_blank(text) {
                    if self.echo {
                        self.out.put([text, b"\n"].concat());
                    }
                    continue;
                }
                if matches!(text.first(), Some(b'.' | b'#')) {
                    if self.echo {
                        self.out.put([text, b"\n"].concat());
                    }
                    if text[0] == b'.' {
                        match dot::run(self, text) {
                            Next::Go => {}
                            Next::Failed => failed = true,
                            Next::Exit(0) => {
                                return if failed { Next::Exit(1) } else { Next::Exit(0) };
                            }
                            exit @ Next::Exit(_) => return exit,
                        }
                    }
                    continue;
                }
                start = number;
            } else {
                sql.push(b'\n');
            }
            let whole = matches!(
                text.trim_ascii().to_ascii_lowercase().as_slice(),
                b"/" | b"go"
            );
            sql.extend_from_slice(if whole && is_complete(&[&sql[..], b";"].concat()) {
                b";"
            } else {
                text
            });
            if memchr::memchr(b';', text).is_some() || whole {
                if is_complete(&sql) {
                    failed |= !self.statements(&sql, start);
                    sql.clear();
                }
            } else if is_blank(&sql) {
                if self.echo {
                    self.out.put([&sql[..], b"\n"].concat());
                }
                sql.clear();
            }
        }
        if !sql.is_empty() && !self.ends(failed) {
            failed |= !self.statements(&sql, start);
        }
        if failed { Next::Failed } else { Next::Go }
    }

    /// Whether nothing more is to be read.
    fn ends(&self, failed: bool) -> bool {
        failed && self.bail || self.out.is_broken()
    }

    /// Runs what was read from line `start` on; whether all of it succeeded.
    fn statements(&mut self, sql: &[u8], start: u32) -> bool {
        if self.open().is_err() {
            return false;
        }
        if self.echo {
            self.out.put([sql, b"\n"].concat());
        }
        let begun = Instant::now();
        let result = self.execute(sql);
        if self.timer {
            let seconds = begun.elapsed().as_secs_f64();
            self.out.put(format!(
                "Run Time: real {seconds:.3} user {seconds:.6} sys 0.000000\n"
            ));
        }
        self.out.after();
        match result {
            Err(failure) => {
                let (kind, text) = match failure.text.strip_prefix(b"in prepare, ") {
                    Some(text) => ("Parse error", text),
                    None => match failure.text.strip_prefix(b"stepping, ") {
                        Some(text) => ("Runtime error", text),
                        None => ("Error", &failure.text[..]),
                    },
                };
                self.complain([format!("{kind} near line {start}: ").as_bytes(), text].concat());
                false
            }
            Ok(()) => {
                if self.changes
                    && let Ok(connection) = self.connection()
                {
                    let (last, all) = (connection.changes(), connection.total_changes());
                    self.out
                        .put(format!("changes: {last}   total_changes: {all}\n"));
                }
                true
            }
        }
    }

    /// Runs statements and prints their rows.
    ///
    /// `.parameter` values are bound by name. Rows that came before an error are printed.
    pub fn execute(&mut self, sql: &[u8]) -> Result<(), Failure> {
        let Shell {
            connection: Some(connection),
            settings,
            out,
            plan,
            ..
        } = self
        else {
            return Ok(());
        };
        if local_time::is_needed(sql) {
            local_time::add(connection).map_err(|error| Failure::new("Error", &error, b""))?;
        }
        let mut rest = sql;
        while !rest.is_empty() {
            let (statement, taken) = connection
                .prepare(rest)
                .map_err(|error| Failure::new("in prepare", &error, rest))?;
            rest = rest[taken..].trim_ascii_start();
            let Some(mut statement) = statement else {
                continue;
            };
            bind(connection, &mut statement);
            if *plan && statement.explains() == 0 {
                let text = [
                    b"EXPLAIN QUERY PLAN ",
                    &sql[sql.len() - rest.len() - taken..],
                ]
                .concat();
                if let Ok((Some(mut plan), _)) = connection.prepare(&text) {
                    print_plan(&mut plan, out)
                        .map_err(|error| Failure::new("stepping", &error, b""))?;
                }
            }
            rows(settings, &mut statement, out)
                .map_err(|error| Failure::new("stepping", &error, b""))?;
        }
        Ok(())
    }
}

/// Prints the rows of a statement in the mode that is set. `EXPLAIN` has a layout of its own in the default mode.
fn rows(settings: &Settings, statement: &mut Statement<'_>, out: &mut Sink) -> Result<(), Error> {
    let mut text = Vec::new();
    if statement.explains() == 2 {
        return print_plan(statement, out);
    }
    if statement.explains() == 1 && settings.mode == Mode::List {
        let explain = Settings {
            mode: Mode::Column,
            headers: true,
            widths: vec![4, 13, 4, 4, 4, 13, 2, 13],
            ..Settings::default()
        };
        let result = columns::print(&explain, statement, &mut text);
        out.put(text);
        return result;
    }
    if settings.mode.is_columnar() {
        let result = columns::print(settings, statement, &mut text);
        out.put(text);
        return result;
    }
    let mut printer = Printer::new(settings, statement);
    let result = loop {
        match statement.step() {
            Ok(true) if statement.columns() > 0 => printer.row(statement, &mut text),
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(error) => break Err(error),
        }
        out.put(&text);
        text.clear();
        if out.is_broken() {
            break Ok(());
        }
    };
    printer.end(&mut text);
    out.put(&text);
    result
}

/// Prints the answer of `EXPLAIN QUERY PLAN` as a tree.
///
/// Walks the nodes with a list of its own instead of recursion.
fn print_plan(statement: &mut Statement<'_>, out: &mut Sink) -> Result<(), Error> {
    let mut nodes = Vec::new();
    while statement.step()? {
        let number = |column| match statement.value(column) {
            Value::Integer(number) => number,
            _ => 0,
        };
        nodes.push((number(0), number(1), statement.text(3).unwrap_or_default()));
    }
    if nodes.is_empty() {
        return Ok(());
    }
    out.put("QUERY PLAN\n");
    // The nodes that are still to be printed, each with what stands before it: the last one first.
    let mut pending: Vec<(usize, String)> = Vec::new();
    let push_children = |parent: i64, prefix: &str, pending: &mut Vec<(usize, String)>| {
        let children = (0..nodes.len())
            .rev()
            .filter(|&index| nodes[index].1 == parent);
        pending.extend(children.map(|index| (index, prefix.to_owned())));
    };
    push_children(0, "", &mut pending);
    while let Some((index, prefix)) = pending.pop() {
        let (id, parent, text) = &nodes[index];
        let last = !nodes[index + 1..].iter().any(|node| node.1 == *parent);
        out.put(
            [
                prefix.as_bytes(),
                if last { b"`--" } else { b"|--" },
                text,
                b"\n",
            ]
            .concat(),
        );
        push_children(
            *id,
            &format!("{prefix}{}", if last { "   " } else { "|  " }),
            &mut pending,
        );
    }
    Ok(())
}

/// Sets the parameters that `.parameter` knows.
fn bind(connection: &Connection, statement: &mut Statement<'_>) {
    for index in 1..=statement.parameters() {
        let Some(name) = statement.parameter(index) else {
            continue;
        };
        let query = b"SELECT value FROM temp.sqlite_parameters WHERE key=?1";
        let Ok((Some(mut lookup), _)) = connection.prepare(query) else {
            return;
        };
        let found = lookup
            .bind(1, &Value::Text(name.into_bytes()))
            .and_then(|()| lookup.step());
        if matches!(found, Ok(true)) {
            // What does not fit stays NULL.
            let _ = statement.bind(index, &lookup.value(0));
        }
    }
}

/// A statement that failed: the status, and the text that is shown.
pub struct Failure {
    /// SQLite's primary code, at least 1.
    pub code: i32,
    /// The phase, the message, and the place in the statement: `in prepare, near "x": syntax error`.
    pub text: Vec<u8>,
}

impl Failure {
    /// The failure of a phase; `sql` is what was prepared, empty where the place does not matter.
    fn new(phase: &str, error: &Error, sql: &[u8]) -> Failure {
        let code = match error.code {
            0 | 1 => String::new(),
            code => format!(" ({code})"),
        };
        let mut text = format!("{phase}, {error}{code}").into_bytes();
        text.extend_from_slice(&context(error.offset, sql));
        Failure {
            code: error.code.max(1),
            text,
        }
    }
}

/// The place of an error in its statement.
///
/// At most 78 bytes of the statement in one line, with `^--- error here` or `error here ---^` below the place.
fn context(offset: Option<usize>, sql: &[u8]) -> Vec<u8> {
    let Some(mut offset) = offset.filter(|offset| *offset < sql.len()) else {
        return Vec::new();
    };
    let mut start = 0;
    let continues = |index: usize| sql.get(index).is_some_and(|byte| byte & 0xc0 == 0x80);
    while offset > 50 {
        offset -= 1;
        start += 1;
        while continues(start) {
            start += 1;
            offset -= 1;
        }
    }
    let mut end = sql.len();
    if end - start > 78 {
        end = start + 78;
        while end > start && continues(end) {
            end -= 1;
        }
    }
    let blank = |byte: &u8| {
        if byte.is_ascii_whitespace() {
            b' '
        } else {
            *byte
        }
    };
    let shown: Vec<u8> = sql[start..end].iter().map(blank).collect();
    let pointer = if offset < 25 {
        format!("{:offset$}^--- error here", "")
    } else {
        format!("{:1$}error here ---^", "", offset - 14)
    };
    [b"\n  ", &shown[..], b"\n  ", pointer.as_bytes()].concat()
}

/// Whether there is nothing but blanks and comments.
fn is_blank(mut text: &[u8]) -> bool {
    loop {
        text = text.trim_ascii_start();
        if text.is_empty() {
            return true;
        }
        if text.starts_with(b"--") {
            let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
            text = &text[end..];
        } else if text.starts_with(b"/*") {
            match memchr::memmem::find(&text[2..], b"*/") {
                Some(end) => text = &text[end + 4..],
                None => return false,
            }
        } else {
            return false;
        }
    }
}
