//! What the dot commands and options set.

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Ascii,
    Box,
    Column,
    Csv,
    Html,
    Insert,
    Json,
    Line,
    List,
    Markdown,
    Quote,
    Table,
    Tabs,
    Tcl,
}

impl Mode {
    /// All names, as `.mode` lists them.
    pub const NAMES: &str =
        "ascii box column csv html insert json line list markdown qbox quote table tabs tcl";

    /// The mode of a name or the beginning of one.
    ///
    /// At least two letters of a name are needed, unless it is the whole name.
    pub fn find(name: &str) -> Option<Mode> {
        const MODES: [(&str, Mode); 15] = [
            ("lines", Mode::Line),
            ("columns", Mode::Column),
            ("list", Mode::List),
            ("html", Mode::Html),
            ("tcl", Mode::Tcl),
            ("csv", Mode::Csv),
            ("tabs", Mode::Tabs),
            ("insert", Mode::Insert),
            ("quote", Mode::Quote),
            ("ascii", Mode::Ascii),
            ("markdown", Mode::Markdown),
            ("table", Mode::Table),
            ("box", Mode::Box),
            ("qbox", Mode::Box),
            ("json", Mode::Json),
        ];
        let long = name.len() >= 2;
        MODES
            .into_iter()
            .find(|(known, _)| known.starts_with(name) && (long || *known == name))
            .map(|(_, mode)| mode)
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Ascii => "ascii",
            Mode::Box => "box",
            Mode::Column => "column",
            Mode::Csv => "csv",
            Mode::Html => "html",
            Mode::Insert => "insert",
            Mode::Json => "json",
            Mode::Line => "line",
            Mode::List | Mode::Tabs => "list",
            Mode::Markdown => "markdown",
            Mode::Quote => "quote",
            Mode::Table => "table",
            Mode::Tcl => "tcl",
        }
    }

    /// Whether all rows are needed before the first is printed.
    pub fn is_columnar(self) -> bool {
        matches!(
            self,
            Mode::Box | Mode::Column | Mode::Markdown | Mode::Table
        )
    }
}

/// How rows are printed, in full.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How rows are laid out.
    pub mode: Mode,
    /// Names of columns are printed.
    pub headers: bool,
    /// Headers were asked for or refused, so that a mode does not change that.
    pub headers_set: bool,
    /// What stands between columns.
    pub column: Vec<u8>,
    /// What ends a row.
    pub row: Vec<u8>,
    /// What NULL looks like.
    pub null: Vec<u8>,
    /// Widths of columns; negative ones align to the right, 0 is as wide as needed.
    pub widths: Vec<i64>,
    /// The most characters of a column's line; 0 for any number.
    pub wrap: i64,
    /// Lines break between words.
    pub word_wrap: bool,
    /// Values in columns are written as SQL literals.
    pub quote: bool,
    /// The table that `.mode insert` names.
    pub table: Vec<u8>,
    /// Texts with newlines stay as they are.
    pub newlines: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            mode: Mode::List,
            headers: false,
            headers_set: false,
            column: b"|".to_vec(),
            row: b"\n".to_vec(),
            null: Vec::new(),
            widths: Vec::new(),
            wrap: 0,
            word_wrap: false,
            quote: false,
            table: b"table".to_vec(),
            newlines: false,
        }
    }
}

impl Settings {
    /// Sets the separators that a mode comes with.
    pub fn separate(&mut self, mode: Mode) {
        let (column, row): (&[u8], &[u8]) = match mode {
            Mode::List => (b"|", b"\n"),
            Mode::Tcl => (b" ", b"\n"),
            Mode::Csv => (b",", b"\r\n"),
            Mode::Tabs => (b"\t", b"\n"),
            Mode::Quote => (b",", b"\n"),
            Mode::Ascii => (b"\x1f", b"\x1e"),
            _ => return,
        };
        self.column = column.to_vec();
        self.row = row.to_vec();
    }

    /// The table's name in `INSERT`.
    pub fn target(&self) -> Vec<u8> {
        super::literal::name(&self.table)
    }
}
