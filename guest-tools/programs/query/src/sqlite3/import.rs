//! `.import`: rows from a file or a command.
//!
//! CSV is read as RFC 4180 describes it: quoted fields may have separators and line ends in them, `""` is a quote.
//! Without options the separators are those of the output mode. All rows are inserted in one transaction; a row that
//! fails is reported, and the others go in.

use offshoot_sqlite::{Error, Value};

use super::dot::number;
use super::literal;
use super::settings::Mode;
use super::shell::Shell;
use crate::launch;
use crate::system;

/// What is printed for wrong options.
const USAGE: &str = ".import FILE TABLE       Import data from FILE into TABLE
   Options:
     --ascii               Use \\037 and \\036 as column and row separators
     --csv                 Use , and \\n as column and row separators
     --skip N              Skip the first N rows of input
     --schema S            Target table to be S.TABLE
     -v                    \"Verbose\" - increase auxiliary output
   Notes:
     *  If TABLE does not exist, it is created.  The first row of input
        determines the column names.
     *  If neither --csv or --ascii are used, the input mode is derived
        from the \".mode\" output mode
     *  If FILE begins with \"|\" then it is a command that generates the
        input text.";

/// What a command of the shell prints.
pub fn output_of(command: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let failed = |_| ["Error: cannot open \"|".as_bytes(), command, b"\""].concat();
    launch::output_of(command).map_err(failed)
}

/// What the command line asks for.
struct Wanted {
    file: Vec<u8>,
    /// The table, without its database.
    table: Vec<u8>,
    /// The database of the table (`--schema`).
    schema: Option<Vec<u8>>,
    /// Rows to leave out at the start.
    skip: i64,
    /// The byte that ends a field.
    column: u8,
    /// The byte that ends a row.
    row: u8,
    /// Quotes have no meaning, and an empty field at the start of a row ends the import.
    ascii: bool,
}

/// Reads the words after `.import`.
fn wanted(shell: &mut Shell, words: &[Vec<u8>]) -> Result<Wanted, Vec<u8>> {
    let error = |text: &str| format!("ERROR: {text}. Usage:\n{USAGE}").into_bytes();
    let (mut names, mut schema, mut skip, mut separators) = (Vec::new(), None, 0, None);
    let mut ascii = shell.settings.mode == Mode::Ascii;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let Some(option) = word.strip_prefix(b"-") else {
            names.push(word.clone());
            continue;
        };
        match option.strip_prefix(b"-").unwrap_or(option) {
            b"v" => {}
            b"schema" => schema = rest.next().cloned(),
            b"skip" => skip = rest.next().map_or(0, |count| number(count)),
            b"csv" => (separators, ascii) = (Some((b',', b'\n')), false),
            b"ascii" => (separators, ascii) = (Some((0x1f, 0x1e)), true),
            _ => {
                return Err(error(&format!(
                    "unknown option: \"{}\"",
                    String::from_utf8_lossy(word)
                )));
            }
        }
    }
    let mut names = names.into_iter();
    let file = names.next().ok_or_else(|| error("missing FILE argument"))?;
    let table = names
        .next()
        .ok_or_else(|| error("missing TABLE argument"))?;
    if let Some(extra) = names.next() {
        return Err(error(&format!(
            "extra argument: \"{}\"",
            String::from_utf8_lossy(&extra)
        )));
    }
    let (column, row) = match separators {
        Some(separators) => separators,
        None => (single(&shell.settings.column, "column")?, {
            // What is printed afterwards ends so as well.
            if shell.settings.mode == Mode::Csv && shell.settings.row == b"\r\n" {
                shell.settings.row = b"\n".to_vec();
            }
            single(&shell.settings.row, "row")?
        }),
    };
    Ok(Wanted {
        file,
        table,
        schema,
        skip,
        column,
        row,
        ascii,
    })
}

/// The one byte of a separator; `which` is for the message.
fn single(separator: &[u8], which: &str) -> Result<u8, Vec<u8>> {
    match separator {
        [one] => Ok(*one),
        [] => Err(format!("Error: non-null {which} separator required for import").into_bytes()),
        _ => Err(
            format!("Error: multi-character {which} separators not allowed for import")
                .into_bytes(),
        ),
    }
}

/// Runs `.import`. A table that does not exist is made, with columns of type `TEXT` named by the first row.
pub fn run(shell: &mut Shell, words: &[Vec<u8>]) -> Result<(), Vec<u8>> {
    let wanted = wanted(shell, words)?;
    let text = match wanted.file.strip_prefix(b"|") {
        Some(command) => output_of(command)?,
        None => system::read_whole(&wanted.file)
            .map_err(|_| ["Error: cannot open \"".as_bytes(), &wanted.file, b"\""].concat())?,
    };
    let mut fields = Fields::new(&text, &wanted);
    for _ in 0..wanted.skip {
        while let Some(field) = fields.next()
            && field.end == End::Column
        {}
    }
    let failed = |error: Error| format!("Error: {error}").into_bytes();
    let prefix = wanted.schema.as_ref().map_or_else(Vec::new, |schema| {
        [&literal::double_quoted(schema)[..], b"."].concat()
    });
    let target = [&prefix[..], &literal::double_quoted(&wanted.table)].concat();
    let target = String::from_utf8_lossy(&target).into_owned();
    let connection = shell.connection().map_err(failed)?;
    let query = format!("SELECT * FROM {target}");
    let columns = match connection.prepare(query.as_bytes()) {
        Ok((statement, _)) => statement.map_or(0, |statement| statement.columns()),
        Err(error) if error.message.starts_with("no such table") => {
            let names = header(&mut fields);
            if names.is_empty() {
                return Err([&wanted.file[..], b": empty file"].concat());
            }
            connection
                .execute(&creation(&target, &names))
                .map_err(|error| {
                    format!("{} failed:\n{error}", creation(&target, &names)).into_bytes()
                })?;
            names.len()
        }
        Err(error) => return Err(failed(error)),
    };
    let own = connection.is_autocommit();
    if own {
        connection.execute("BEGIN").map_err(failed)?;
    }
    let messages = insert(shell, &wanted, &target, columns, &mut fields);
    if own && let Ok(connection) = shell.connection() {
        connection.execute("COMMIT").map_err(failed)?;
    }
    for message in messages? {
        shell.complain(message);
    }
    Ok(())
}

/// The first row: the names of the columns.
fn header(fields: &mut Fields<'_>) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    while let Some(field) = fields.next() {
        names.push(field.text);
        if field.end != End::Column {
            break;
        }
    }
    names
}

/// The statement that makes the table.
fn creation(target: &str, names: &[Vec<u8>]) -> String {
    let mut text = format!("CREATE TABLE {target}(\n");
    for (index, name) in unique(names).iter().enumerate() {
        if index > 0 {
            text.push_str(if index % 4 == 0 { ",\n " } else { ", " });
        }
        text.push_str(&String::from_utf8_lossy(&literal::double_quoted(name)));
        text.push_str(" TEXT");
    }
    text + ")"
}

/// The names, each with its number where two are equal.
///
/// `a,b,a` gives `a_1`, `b`, `a_3`; an empty name in place 2 gives `?_2`.
fn unique(names: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let same = |left: &[u8], right: &[u8]| left.eq_ignore_ascii_case(right);
    let repeated = |name: &Vec<u8>| names.iter().filter(|other| same(name, other)).count() > 1;
    let name = |(index, name): (usize, &Vec<u8>)| match name.is_empty() {
        true => format!("?_{}", index + 1).into_bytes(),
        false if repeated(name) => [&name[..], format!("_{}", index + 1).as_bytes()].concat(),
        false => name.clone(),
    };
    names.iter().enumerate().map(name).collect()
}

/// Inserts the rows that are left; what is to be said about them.
///
/// A short row is filled with NULL, a long one is cut; both are reported.
fn insert(
    shell: &Shell,
    wanted: &Wanted,
    target: &str,
    columns: usize,
    fields: &mut Fields<'_>,
) -> Result<Vec<Vec<u8>>, Vec<u8>> {
    let failed = |error: Error| format!("Error: {error}").into_bytes();
    let sql = format!(
        "INSERT INTO {target} VALUES({})",
        vec!["?"; columns].join(",")
    );
    let (statement, _) = shell
        .connection()
        .and_then(|connection| connection.prepare(sql.as_bytes()))
        .map_err(failed)?;
    let Some(mut statement) = statement else {
        return Ok(Vec::new());
    };
    let mut messages = Vec::new();
    loop {
        let line = fields.line;
        let say = |text: String| [&wanted.file[..], format!(":{line}: {text}").as_bytes()].concat();
        let (mut count, mut more) = (0, true);
        while more {
            let Some(field) = fields.next() else {
                break;
            };
            if wanted.ascii && count == 0 && field.text.is_empty() {
                break;
            }
            more = field.end == End::Column;
            count += 1;
            if count <= columns {
                statement
                    .bind(count, &Value::Text(field.text))
                    .map_err(failed)?;
            }
        }
        if count == 0 {
            return Ok(messages);
        }
        if count < columns {
            messages.push(say(format!(
                "expected {columns} columns but found {count} - filling the rest with NULL"
            )));
            for index in count + 1..=columns {
                statement.bind(index, &Value::Null).map_err(failed)?;
            }
        } else if count > columns {
            messages.push(say(format!(
                "expected {columns} columns but found {count} - extras ignored"
            )));
        }
        if let Err(error) = statement.step() {
            messages.push(say(format!("INSERT failed: {error}")));
        }
        statement.reset();
    }
}

/// What ended a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Column,
    Row,
    File,
}

/// A field without its quotes, and what ended it.
struct Field {
    text: Vec<u8>,
    end: End,
}

/// The fields of a file, one after the other.
struct Fields<'text> {
    text: &'text [u8],
    at: usize,
    column: u8,
    row: u8,
    ascii: bool,
    /// The line that is being read, from 1, counted by row separators and by newlines in quotes.
    line: u32,
}

impl<'text> Fields<'text> {
    fn new(text: &'text [u8], wanted: &Wanted) -> Fields<'text> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        Fields {
            text,
            at: 0,
            column: wanted.column,
            row: wanted.row,
            ascii: wanted.ascii,
            line: 1,
        }
    }

    /// The next field; none at the end of the file.
    fn next(&mut self) -> Option<Field> {
        if self.at >= self.text.len() {
            return None;
        }
        if !self.ascii && self.text[self.at] == b'"' {
            return Some(self.quoted());
        }
        let rest = &self.text[self.at..];
        let length = rest
            .iter()
            .position(|&byte| byte == self.column || byte == self.row)
            .unwrap_or(rest.len());
        let mut text = rest[..length].to_vec();
        let end = self.finish(length);
        if end == End::Row && !self.ascii && self.row == b'\n' && text.last() == Some(&b'\r') {
            text.pop();
        }
        Some(Field { text, end })
    }

    /// Goes behind what ended the field, `length` bytes further on.
    fn finish(&mut self, length: usize) -> End {
        self.at += length;
        let end = match self.text.get(self.at) {
            None => End::File,
            Some(byte) if *byte == self.column => End::Column,
            Some(_) => End::Row,
        };
        self.line += u32::from(end == End::Row);
        self.at += 1;
        end
    }

    /// A quoted field. A lone quote inside is kept as it is.
    fn quoted(&mut self) -> Field {
        let mut text = Vec::new();
        let mut at = self.at + 1;
        while let Some(&byte) = self.text.get(at) {
            let next = self.text.get(at + 1).copied();
            at += 1;
            if byte != b'"' {
                self.line += u32::from(byte == b'\n');
                text.push(byte);
                continue;
            }
            match next {
                Some(b'"') => {
                    text.push(b'"');
                    at += 1;
                }
                Some(next) if next == self.column || next == self.row => break,
                Some(b'\r') if self.text.get(at + 1) == Some(&self.row) => {
                    at += 1;
                    break;
                }
                None => break,
                Some(_) => text.push(b'"'),
            }
        }
        self.at = at;
        let end = self.finish(0);
        Field { text, end }
    }
}
