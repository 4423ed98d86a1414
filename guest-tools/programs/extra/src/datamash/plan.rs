//! What the operands ask for.
//!
//! The operands are `[PRIMARY [FIELDS]] (OPERATION FIELDS)...`; `Plan::read` turns them into a mode, keys and
//! operations, and `Plan::resolve` finds named columns when the header has been read. An operation with a list of
//! columns becomes one operation for each of them:
//!
//! | operands | plan |
//! |---|---|
//! | `sum 1,3` | groups without keys: `sum` of 1, `sum` of 3 |
//! | `-g 1,2 mean 3-5`, `groupby 1,2 mean 3-5` | groups with the keys 1 and 2, three means |
//! | `crosstab 1,2` | a table that counts |
//! | `round 2 md5 1` | each line |
//! | `check 3 col` | the size of the table |
//!
//! Line operations and group operations are not mixed, and keys make every operation a group operation.

use super::files::Size;
use super::input::Input;
use super::operation::{Class, Field, Operation, fields};
use super::{Settings, Stop};
use crate::call::bytes;
use crate::options::{self, Parsed};
use crate::quote;

/// The way through the input.
pub enum Mode {
    /// Columns become lines.
    Transpose,
    /// The order of the fields is reversed.
    Reverse,
    /// Compare the size of the table with what is wanted.
    Check(Size),
    /// Drop lines whose column was seen before.
    Unique(Key),
    /// Operations on each line.
    Lines,
    /// Operations on groups of lines.
    Groups,
    /// An operation for each pair of two columns' values.
    Table,
}

/// A column that lines are grouped by.
pub struct Key {
    /// The column as it was written.
    field: Field,
    /// The number of the column, from 1. It is valid once `Plan::resolve` has run.
    pub column: usize,
}

/// What is to be done.
pub struct Plan {
    /// The way through the input.
    pub mode: Mode,
    /// What lines are grouped by; empty for one group of all lines.
    pub keys: Vec<Key>,
    /// What is computed, in the order of the output's columns.
    pub operations: Vec<Operation>,
}

/// The words that choose a mode; they stand first, and nowhere else.
const PRIMARY: [&[u8]; 6] = [
    b"groupby",
    b"crosstab",
    b"transpose",
    b"reverse",
    b"check",
    b"rmdup",
];

impl Plan {
    /// Reads the operands. With `-g` the first word is an operation.
    ///
    /// # Errors
    /// `Stop::Usage` where there are no operands, a message of GNU datamash's otherwise.
    pub fn read(parsed: &Parsed) -> Result<Plan, Stop> {
        let mut words = &parsed.operands[..];
        let mut plan = Plan {
            mode: Mode::Groups,
            keys: match parsed.value("g") {
                Some(group) => keys("groupby", group)?,
                None => Vec::new(),
            },
            operations: Vec::new(),
        };
        let Some(first) = words.first() else {
            return Err(Stop::Usage("missing operation specifiers"));
        };
        if !PRIMARY.contains(&&first[..]) || parsed.has("g") {
            plan.read_operations(words)?;
            return Ok(plan);
        }
        words = &words[1..];
        match &first[..] {
            b"transpose" | b"reverse" => {
                if let Some(extra) = words.first() {
                    return Err(bytes!("extra operand ", quote::word(extra)).into());
                }
                plan.mode = match &first[..] {
                    b"transpose" => Mode::Transpose,
                    _ => Mode::Reverse,
                };
            }
            b"check" => plan.mode = Mode::Check(Size::read(words)?),
            b"rmdup" => {
                let mut keys = keys("dedup", words.first().map_or(b"", Vec::as_slice))?;
                if let Some(extra) = words.get(1) {
                    return Err(bytes!("extra operand ", quote::word(extra)).into());
                }
                match (keys.pop(), keys.is_empty()) {
                    (Some(key), true) => plan.mode = Mode::Unique(key),
                    _ => return Err("rmdup requires exactly 1 field".into()),
                }
            }
            name => plan.read_groups(name, words)?,
        }
        Ok(plan)
    }

    /// Reads what follows `groupby` and `crosstab`: keys, then operations. `crosstab` has two keys and at most one
    /// operation, which is `count` where none is given.
    fn read_groups(&mut self, name: &[u8], words: &[Vec<u8>]) -> Result<(), Stop> {
        let name = if name == b"crosstab" {
            "crosstab"
        } else {
            "groupby"
        };
        let (list, words) = match words {
            [list, words @ ..] => (&list[..], words),
            [] => (&b""[..], words),
        };
        self.keys = keys(name, list)?;
        if name == "groupby" {
            if words.is_empty() {
                return Err("missing operation".into());
            }
            return self.read_operations(words);
        }
        self.mode = Mode::Table;
        if self.keys.len() != 2 {
            let found = self.keys.len();
            return Err(format!("crosstab requires exactly 2 fields, found {found}").into());
        }
        if words.is_empty() {
            let mut count = Operation::parse(b"count")?;
            count.fields = vec![self.keys[0].field.clone()];
            self.operations.push(count);
            return Ok(());
        }
        self.read_operations(words)?;
        match self.operations.len() {
            1 => Ok(()),
            found => Err(format!("crosstab supports one operation, found {found}").into()),
        }
    }

    /// Reads pairs of an operation and its columns. The first one decides whether all are for lines or for groups.
    fn read_operations(&mut self, words: &[Vec<u8>]) -> Result<(), Stop> {
        let mut words = words.iter();
        let mut class = match self.keys.is_empty() {
            true => None,
            false => Some(Class::Numbers),
        };
        while let Some(word) = words.next() {
            if PRIMARY.contains(&&word[..]) {
                return Err(bytes!("conflicting operation ", quote::word(word)).into());
            }
            let operation = Operation::parse(word)?;
            operation.check_beside(*class.get_or_insert(operation.class))?;
            let list = words.next().map_or(&b""[..], Vec::as_slice);
            for fields in fields(operation.name, list, operation.class == Class::Pairs)? {
                self.operations.push(Operation {
                    fields,
                    ..operation.clone()
                });
            }
        }
        if class == Some(Class::Line) {
            self.mode = Mode::Lines;
        }
        Ok(())
    }

    /// Whether a first line can have the names of the columns: not where the table is taken as a whole.
    pub fn has_header(&self) -> bool {
        !matches!(self.mode, Mode::Transpose | Mode::Reverse | Mode::Check(_))
    }

    /// Finds the columns that were named. Of columns with the same name the first one is meant.
    ///
    /// # Errors
    /// A name without `-H` or `--header-in`, and one that the header does not have.
    pub fn resolve(&mut self, settings: &Settings, input: &Input) -> Result<(), Stop> {
        let column = |field: &Field| match field {
            Field::Number(number) => Ok(*number),
            Field::Name(_) if !settings.header_in => Err(Stop::from(
                "-H or --header-in must be used with named columns",
            )),
            Field::Name(name) => {
                let header = input.header.as_ref();
                let place = header.and_then(|line| line.fields().position(|field| field == name));
                match place {
                    Some(index) => Ok(index + 1),
                    None if header.is_none() => Ok(1),
                    None => Err(Stop::from(bytes!(
                        "column name ",
                        quote::word(name),
                        " not found in input file"
                    ))),
                }
            }
        };
        let own = match &mut self.mode {
            Mode::Unique(key) => Some(key),
            _ => None,
        };
        for key in self.keys.iter_mut().chain(own) {
            key.column = column(&key.field)?;
        }
        for operation in &mut self.operations {
            let columns: Result<_, _> = operation.fields.iter().map(column).collect();
            operation.columns = columns?;
        }
        Ok(())
    }

    /// The title of an operation's column in the output: `sum(field-2)`, `perc:90(score)`.
    pub fn label(&self, operation: &Operation, input: &Input) -> Vec<u8> {
        let column = operation.columns.last().copied().unwrap_or(1);
        let parameter = match operation.parameter {
            Some(value) if operation.name == "perc" => format!(":{value}"),
            _ => String::new(),
        };
        bytes!(operation.name, parameter, "(", name(column, input), ")")
    }
}

/// The name of a column, from 1: the header's, or `field-N`.
pub fn name(column: usize, input: &Input) -> Vec<u8> {
    let header = input.header.as_ref();
    match header.and_then(|line| line.get(column - 1)) {
        Some(name) => name.to_vec(),
        None => format!("field-{column}").into_bytes(),
    }
}

/// The columns of a list, flattened.
fn keys(operation: &str, list: &[u8]) -> Result<Vec<Key>, Stop> {
    let fields = fields(operation, list, false)?;
    let keys = fields.into_iter().flatten();
    Ok(keys.map(|field| Key { field, column: 1 }).collect())
}

impl Size {
    /// Reads what `check` is to find: numbers of lines and fields.
    fn read(words: &[Vec<u8>]) -> Result<Size, Stop> {
        let mut size = Size::default();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            let invalid = || bytes!("invalid option ", quote::word(word), " for operation check");
            let (number, unit) = match options::number::<u64>(word) {
                Some(number) => {
                    let unit = words.next().ok_or_else(invalid)?;
                    (number, unit)
                }
                None if unit(word).is_none() => return Err(invalid().into()),
                None => {
                    let number = words.next().and_then(|number| options::number(number));
                    let number =
                        number.ok_or("number expected after option in operation 'check'")?;
                    (number, word)
                }
            };
            if number == 0 {
                return Err("invalid value zero for lines/fields in operation 'check'".into());
            }
            let (place, what) = match self::unit(unit) {
                Some(true) => (&mut size.lines, "lines/rows"),
                Some(false) => (&mut size.fields, "fields/columns"),
                None => return Err(invalid().into()),
            };
            if place.replace(number).is_some() {
                let message = format!("number of {what} already set in operation 'check'");
                return Err(message.into());
            }
        }
        Ok(size)
    }
}

/// Whether a word means lines, or fields.
fn unit(word: &[u8]) -> Option<bool> {
    match word {
        b"line" | b"lines" | b"row" | b"rows" => Some(true),
        b"field" | b"fields" | b"column" | b"columns" | b"col" | b"cols" => Some(false),
        _ => None,
    }
}
