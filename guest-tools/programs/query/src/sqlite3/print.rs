//! Rows, one after the other: the modes that need no look at later rows.

use offshoot_sqlite::{Statement, Value};

use super::literal;
use super::settings::{Mode, Settings};

/// Prints the rows of one statement.
pub struct Printer<'settings> {
    settings: &'settings Settings,
    /// The names of the columns.
    names: Vec<Vec<u8>>,
    /// How many rows were printed.
    rows: u64,
}

impl<'settings> Printer<'settings> {
    /// A printer for the rows of a statement that was prepared.
    pub fn new(settings: &'settings Settings, statement: &Statement<'_>) -> Printer<'settings> {
        Printer {
            settings,
            names: (0..statement.columns())
                .map(|column| statement.name(column))
                .collect(),
            rows: 0,
        }
    }

    /// The row that the statement stands on, with the headers where it is the first.
    pub fn row(&mut self, statement: &Statement<'_>, out: &mut Vec<u8>) {
        let first = self.rows == 0;
        self.rows += 1;
        match self.settings.mode {
            Mode::Line => self.line(statement, first, out),
            Mode::Html => self.html(statement, first, out),
            Mode::Insert => self.insert(statement, out),
            Mode::Json => self.json(statement, first, out),
            _ => self.separated(statement, first, out),
        }
    }

    /// What comes behind the last row.
    pub fn end(&self, out: &mut Vec<u8>) {
        if self.settings.mode == Mode::Json && self.rows > 0 {
            out.extend_from_slice(b"]\n");
        }
    }

    /// The text of a column, with the text for NULL.
    fn text(&self, statement: &Statement<'_>, column: usize) -> Vec<u8> {
        let text = statement.text(column);
        visible(text.unwrap_or_else(|| self.settings.null.clone()))
    }

    /// `list`, `csv`, `quote`, `tcl`, `tabs` and `ascii`.
    fn separated(&self, statement: &Statement<'_>, first: bool, out: &mut Vec<u8>) {
        let settings = self.settings;
        let header = |name: &Vec<u8>| match settings.mode {
            Mode::Csv => literal::csv(name, &settings.column),
            Mode::Quote => literal::quoted(name),
            Mode::Tcl => literal::c(name),
            _ => name.clone(),
        };
        if first && settings.headers {
            out.extend_from_slice(
                &self
                    .names
                    .iter()
                    .map(header)
                    .collect::<Vec<_>>()
                    .join(&settings.column[..]),
            );
            out.extend_from_slice(&settings.row);
        }
        let field = |column: usize| match settings.mode {
            Mode::Csv => match statement.text(column) {
                None => settings.null.clone(),
                Some(text) => literal::csv(&visible(text), &settings.column),
            },
            Mode::Quote => literal::value(&statement.value(column), literal::quoted, 'X'),
            Mode::Tcl => literal::c(&self.text(statement, column)),
            _ => self.text(statement, column),
        };
        let fields: Vec<_> = (0..self.names.len()).map(field).collect();
        out.extend_from_slice(&fields.join(&settings.column[..]));
        out.extend_from_slice(&settings.row);
    }

    /// `line`: `NAME = VALUE`, names aligned to the right, a blank line between rows.
    fn line(&self, statement: &Statement<'_>, first: bool, out: &mut Vec<u8>) {
        let width = self.names.iter().map(Vec::len).max().unwrap_or(0).max(5);
        if !first {
            out.extend_from_slice(&self.settings.row);
        }
        for (column, name) in self.names.iter().enumerate() {
            out.resize(out.len() + width - name.len(), b' ');
            out.extend_from_slice(name);
            out.extend_from_slice(b" = ");
            out.extend_from_slice(&self.text(statement, column));
            out.extend_from_slice(&self.settings.row);
        }
    }

    fn html(&self, statement: &Statement<'_>, first: bool, out: &mut Vec<u8>) {
        let mut row = |tag: &str, cells: Vec<Vec<u8>>| {
            out.extend_from_slice(b"<TR>");
            for cell in cells {
                out.extend_from_slice(format!("<{tag}>").as_bytes());
                out.extend_from_slice(&literal::html(&cell));
                out.extend_from_slice(format!("</{tag}>\n").as_bytes());
            }
            out.extend_from_slice(b"</TR>\n");
        };
        if first && self.settings.headers {
            row("TH", self.names.clone());
        }
        let cells = (0..self.names.len()).map(|column| self.text(statement, column));
        row("TD", cells.collect());
    }

    /// `insert`: a statement for each row.
    fn insert(&self, statement: &Statement<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"INSERT INTO ");
        out.extend_from_slice(&self.settings.target());
        if self.settings.headers {
            let names: Vec<_> = self.names.iter().map(|name| literal::name(name)).collect();
            out.push(b'(');
            out.extend_from_slice(&names.join(&b','));
            out.push(b')');
        }
        let text = if self.settings.newlines {
            literal::quoted
        } else {
            literal::one_line
        };
        let values =
            (0..self.names.len()).map(|column| literal::value(&statement.value(column), text, 'X'));
        out.extend_from_slice(b" VALUES(");
        out.extend_from_slice(&values.collect::<Vec<_>>().join(&b','));
        out.extend_from_slice(b");\n");
    }

    /// `json`: an array of objects. Infinity is `1e999`, which SQLite reads as infinity.
    fn json(&self, statement: &Statement<'_>, first: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(if first { b"[{" } else { b",\n{" });
        for (column, name) in self.names.iter().enumerate() {
            if column > 0 {
                out.push(b',');
            }
            out.extend_from_slice(&literal::json(name));
            out.push(b':');
            out.extend_from_slice(&match statement.value(column) {
                Value::Null => b"null".to_vec(),
                Value::Integer(number) => number.to_string().into_bytes(),
                Value::Real(number) if number.is_nan() => b"null".to_vec(),
                Value::Real(number) => literal::real(number).into_bytes(),
                Value::Text(text) | Value::Blob(text) => literal::json(&text),
            });
        }
        out.push(b'}');
    }
}

/// What is printed of a text: a NUL ends it, as in C.
pub fn visible(mut text: Vec<u8>) -> Vec<u8> {
    if let Some(end) = memchr::memchr(0, &text) {
        text.truncate(end);
    }
    text
}
