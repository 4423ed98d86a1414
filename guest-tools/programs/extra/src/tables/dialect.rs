//! Reading rows as Python's `csv` module does: a port of the state machine in CPython's `Modules/_csv.c`.
//!
//! Like `csv.reader` it is never strict: a quote within a cell is text, text behind a closing quote belongs to the cell
//! (`"a"b` is `ab`), and a quoted cell without an end takes the rest of the input.

/// What stands between cells and around them.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// What separates cells.
    pub delimiter: char,
    /// What encloses cells that have delimiters or ends of lines in them.
    pub quote: char,
    /// What takes the meaning of the next character away; nothing by default.
    pub escape: Option<char>,
    /// Two quotes in a quoted cell are one.
    pub double: bool,
    /// Spaces after the delimiter are left out.
    pub skips_space: bool,
    /// What quotes mean.
    pub quoting: Quoting,
    /// The longest cell, in characters.
    pub limit: usize,
}

/// What quotes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// Quotes enclose cells; all cells are text.
    Usual,
    /// Cells without quotes are numbers.
    NonNumeric,
    /// A quote is a character like others.
    None,
}

/// Why reading ended.
#[derive(Debug)]
pub enum Fault {
    /// A cell is too long, on this line.
    Limit(usize),
    /// A cell without quotes is no number.
    Number(String),
}

/// Rows, each with the number of its last line, and why there are no more.
pub type Rows = (Vec<(Vec<String>, usize)>, Option<Fault>);

/// Where the reader is in a row; the names are those of CPython.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    StartRecord,
    StartField,
    Escaped,
    InField,
    Quoted,
    EscapedInQuotes,
    QuoteInQuotes,
    End,
}

/// The state of the machine between two characters.
struct Reader<'d> {
    dialect: &'d Dialect,
    state: State,
    /// The cells of the row so far.
    row: Vec<String>,
    /// The cell that is being read.
    cell: String,
    /// Its length in characters, against `Dialect::limit`.
    length: usize,
    /// Whether the cell has to be a number: it began without a quote.
    numeric: bool,
}

impl Dialect {
    /// The rows of a text whose lines end with `\n`.
    pub fn rows(&self, text: &str) -> Rows {
        let mut reader = Reader {
            dialect: self,
            state: State::StartRecord,
            row: Vec::new(),
            cell: String::new(),
            length: 0,
            numeric: false,
        };
        let mut rows = Vec::new();
        let mut number = 0;
        for line in text.split_inclusive('\n') {
            number += 1;
            let signs = line.chars().map(Some).chain([None]);
            for sign in signs {
                match reader.take(sign) {
                    Ok(()) => {}
                    Err(Fault::Limit(_)) => return (rows, Some(Fault::Limit(number))),
                    Err(fault) => return (rows, Some(fault)),
                }
            }
            if reader.state == State::StartRecord {
                rows.push((std::mem::take(&mut reader.row), number));
            }
        }
        let open = reader.length > 0 || reader.state == State::Quoted;
        if reader.state != State::StartRecord && (open || !reader.row.is_empty()) {
            if let Err(fault) = reader.save() {
                return (rows, Some(fault));
            }
            rows.push((reader.row, number));
        }
        (rows, None)
    }
}

impl Reader<'_> {
    /// Appends a character to the cell; `Fault::Limit` where the cell is too long.
    fn add(&mut self, sign: char) -> Result<(), Fault> {
        if self.length >= self.dialect.limit {
            return Err(Fault::Limit(0));
        }
        self.cell.push(sign);
        self.length += 1;
        Ok(())
    }

    /// Ends the cell.
    fn save(&mut self) -> Result<(), Fault> {
        let mut cell = std::mem::take(&mut self.cell);
        self.length = 0;
        if std::mem::take(&mut self.numeric) {
            let number: Result<f64, _> = cell.trim().parse();
            cell = match number {
                Ok(number) => super::json::float(number),
                Err(_) => return Err(Fault::Number(cell)),
            };
        }
        self.row.push(cell);
        Ok(())
    }

    /// Takes a character, or the end of a line after its `\n`.
    fn take(&mut self, sign: Option<char>) -> Result<(), Fault> {
        let dialect = self.dialect;
        let is_end = matches!(sign, None | Some('\n'));
        let quotes = dialect.quoting != Quoting::None;
        let is_quote = quotes && sign == Some(dialect.quote);
        let is_escape = sign.is_some() && sign == dialect.escape;
        let is_delimiter = sign == Some(dialect.delimiter);
        let end = if sign.is_none() {
            State::StartRecord
        } else {
            State::End
        };
        match self.state {
            State::End => self.state = end,
            State::StartRecord if is_end => self.state = end,
            State::StartRecord | State::StartField if is_end => {
                self.save()?;
                self.state = end;
            }
            State::StartRecord | State::StartField => match sign {
                _ if is_quote => self.state = State::Quoted,
                _ if is_escape => self.state = State::Escaped,
                Some(' ') if dialect.skips_space => self.state = State::StartField,
                _ if is_delimiter => {
                    self.save()?;
                    self.state = State::StartField;
                }
                Some(sign) => {
                    self.numeric = dialect.quoting == Quoting::NonNumeric;
                    self.add(sign)?;
                    self.state = State::InField;
                }
                None => {}
            },
            State::Escaped => {
                self.add(sign.unwrap_or('\n'))?;
                self.state = State::InField;
            }
            State::InField if is_end => {
                self.save()?;
                self.state = end;
            }
            State::InField if is_escape => self.state = State::Escaped,
            State::InField if is_delimiter => {
                self.save()?;
                self.state = State::StartField;
            }
            State::InField => self.add(sign.unwrap_or('\n'))?,
            State::Quoted => match sign {
                None => {}
                _ if is_escape => self.state = State::EscapedInQuotes,
                _ if is_quote && dialect.double => self.state = State::QuoteInQuotes,
                _ if is_quote => self.state = State::InField,
                Some(sign) => self.add(sign)?,
            },
            State::EscapedInQuotes => {
                self.add(sign.unwrap_or('\n'))?;
                self.state = State::Quoted;
            }
            State::QuoteInQuotes if is_quote => {
                self.add(dialect.quote)?;
                self.state = State::Quoted;
            }
            State::QuoteInQuotes if is_delimiter => {
                self.save()?;
                self.state = State::StartField;
            }
            State::QuoteInQuotes if is_end => {
                self.save()?;
                self.state = end;
            }
            State::QuoteInQuotes => {
                self.add(sign.unwrap_or('\n'))?;
                self.state = State::InField;
            }
        }
        Ok(())
    }
}
