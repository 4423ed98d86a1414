//! The functions that the shell adds and that give rows: `generate_series` and `fsdir`.

use offshoot_sqlite::{Connection, Error, Rows, TableFunction, Value};

use super::functions::{integer, text};
use crate::system::{self, Failure, Kind, Stat};

/// Adds them to a connection.
pub fn add(connection: &Connection) -> Result<(), Error> {
    connection.add_table_function(TableFunction {
        name: "generate_series",
        columns: &["value"],
        arguments: &["start", "stop", "step"],
        missing: "first argument to \"generate_series()\" missing or unusable",
        bounded_by: 2,
        call: |arguments| Box::new(Series::new(arguments)),
    })?;
    connection.add_table_function(TableFunction {
        name: "fsdir",
        columns: &["name", "mode", "mtime", "data"],
        arguments: &["path", "dir"],
        missing: "table function fsdir requires an argument",
        bounded_by: 1,
        call: |arguments| Box::new(Tree::new(arguments)),
    })
}

/// `generate_series(START, STOP, STEP)`: whole numbers at equal distances. It ends before a number that 64 bits do not
/// hold.
struct Series {
    /// The first number; 0 where it is not given.
    start: i64,
    /// The bound, which is part of the series where a step meets it.
    stop: i64,
    /// The distance, which may be negative; 0 counts as 1.
    step: i64,
    /// The number of the current row.
    value: i64,
    /// The number of the next row; `None` after the last, and from the start where an argument is NULL.
    next: Option<i64>,
}

impl Series {
    /// A series without end goes to the highest number of 32 bits, as SQLite's does.
    fn new(arguments: &[Option<Value>]) -> Series {
        let number = |index: usize, default: i64| match arguments.get(index) {
            Some(Some(value)) => integer(value),
            _ => default,
        };
        let (start, stop) = (number(0, 0), number(1, i64::from(u32::MAX)));
        let step = match number(2, 1) {
            0 => 1,
            step => step,
        };
        let has_null = arguments.contains(&Some(Value::Null));
        Series {
            start,
            stop,
            step,
            value: start,
            next: (!has_null).then_some(start),
        }
    }
}

impl Rows for Series {
    fn advance(&mut self) -> Result<bool, String> {
        let is_within = |value: &i64| match self.step > 0 {
            true => *value <= self.stop,
            false => *value >= self.stop,
        };
        let Some(value) = self.next.filter(is_within) else {
            return Ok(false);
        };
        self.value = value;
        self.next = value.checked_add(self.step);
        Ok(true)
    }

    fn column(&self, index: usize) -> Result<Value, String> {
        Ok(Value::Integer(match index {
            0 => self.value,
            1 => self.start,
            2 => self.stop,
            _ => self.step,
        }))
    }
}

/// `fsdir(PATH, DIR)`: a file, or a directory with all that is below it, each directory before what is in it and names
/// in ascending order. A row holds the content of its file, so a large file costs its size.
struct Tree {
    /// What `dir` said.
    directory: Option<Vec<u8>>,
    /// Names still to come, the next one last.
    waiting: Vec<Vec<u8>>,
    /// The name of the current row.
    name: Vec<u8>,
    /// What is known of it; `None` before the first row.
    stat: Option<Stat>,
}

impl Tree {
    fn new(arguments: &[Option<Value>]) -> Tree {
        let given = |index: usize| match arguments.get(index) {
            Some(Some(value)) if *value != Value::Null => Some(text(value)),
            _ => None,
        };
        Tree {
            waiting: given(0).into_iter().collect(),
            directory: given(1),
            name: Vec::new(),
            stat: None,
        }
    }

    /// The path of the current name: names are below `dir` where it was given.
    fn place(&self) -> Vec<u8> {
        match &self.directory {
            Some(directory) => system::join(directory, &self.name),
            None => self.name.clone(),
        }
    }
}

impl Rows for Tree {
    fn advance(&mut self) -> Result<bool, String> {
        let Some(name) = self.waiting.pop() else {
            return match self.stat {
                Some(_) => Ok(false),
                None => Err("table function fsdir requires a non-NULL argument".to_owned()),
            };
        };
        self.name = name;
        let place = self.place();
        let failed = |what: &'static str| {
            let place = String::from_utf8_lossy(&place).into_owned();
            move |_: Failure| format!("cannot {what}: {place}")
        };
        let stat = system::stat(&place, false).map_err(failed("stat file"))?;
        if stat.kind == Kind::Directory {
            let mut entries = system::read_directory(&place).map_err(failed("read directory"))?;
            entries.sort_by(|left, right| right.name.cmp(&left.name));
            let below = entries
                .iter()
                .map(|entry| system::join(&self.name, &entry.name));
            self.waiting.extend(below);
        }
        self.stat = Some(stat);
        Ok(true)
    }

    fn column(&self, index: usize) -> Result<Value, String> {
        let Some(stat) = &self.stat else {
            return Ok(Value::Null);
        };
        Ok(match index {
            0 => Value::Text(self.name.clone()),
            1 => Value::Integer(i64::from(stat.kind.bits() | stat.mode)),
            2 => Value::Integer(stat.modified.seconds),
            3 if stat.kind == Kind::Symlink => {
                system::read_link(&self.place()).map_or(Value::Null, Value::Text)
            }
            3 if stat.kind != Kind::Directory => {
                system::read_whole(&self.place()).map_or(Value::Null, Value::Blob)
            }
            _ => Value::Null,
        })
    }
}
