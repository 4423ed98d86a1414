//! What the command line of `join` asks for. Options that may be given once only, and are given again with another
//! value, are errors.

use super::side::{Rules, Separator};
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::pattern::character_length;
use crate::quote;

/// The options that there are.
pub const SYNTAX: Syntax = Syntax {
    usage: "Usage: join [OPTION]... FILE1 FILE2\nFor each pair of input lines with identical join fields, write a line to\nstandard output. The default join field is the first, delimited by blanks.\n",
    options: &[
        Opt("a", "", Value::Required),
        Opt("e", "", Value::Required),
        Opt("i", "ignore-case", Value::No),
        Opt("j", "", Value::Required),
        Opt("o", "", Value::Required),
        Opt("t", "", Value::Required),
        Opt("v", "", Value::Required),
        Opt("1", "", Value::Required),
        Opt("2", "", Value::Required),
        Opt("", "check-order", Value::No),
        Opt("", "nocheck-order", Value::No),
        Opt("", "header", Value::No),
        Opt("z", "zero-terminated", Value::No),
    ],
    permute: true,
    status: 1,
};

/// A field of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The join field.
    Key,
    /// A field of the first (0) or of the second file (1), counted from 0.
    Field(usize, usize),
}

/// What is asked for.
pub struct Plan<'a> {
    /// How lines are read and compared.
    pub rules: Rules<'a>,
    /// The join field of each file, counted from 0.
    pub keys: [usize; 2],
    /// Lines of a file are written that have no partner (`-a` and `-v`).
    pub unpaired: [bool; 2],
    /// Lines that have one are (not with `-v`).
    pub paired: bool,
    /// The fields of a row (`-o`); none stands for the join field and all others.
    pub columns: Vec<Column>,
    /// `-o auto`: the first lines tell how many fields are written.
    pub automatic: bool,
    /// `-e`: what stands for a field that is empty or missing.
    pub filler: Vec<u8>,
    /// `--header`: the first lines are joined whatever they are.
    pub header: bool,
}

impl<'a> Plan<'a> {
    /// Reads the options; `Err` is the status to end with.
    pub fn new(call: &'a Call, parsed: &Parsed) -> Result<Plan<'a>, i32> {
        let mut reader = Reader {
            call,
            keys: [None; 2],
            separator: None,
            filler: None,
        };
        let (mut unpaired, mut paired) = ([false; 2], true);
        let (mut columns, mut automatic) = (Vec::new(), false);
        for (key, value) in &parsed.options {
            match *key {
                "a" | "v" => {
                    unpaired[reader.file(value)?] = true;
                    paired &= *key == "a";
                }
                "e" => reader.fill(value)?,
                "1" => reader.join_field(0, value)?,
                "2" => reader.join_field(1, value)?,
                "j" => {
                    reader.join_field(0, value)?;
                    reader.join_field(1, value)?;
                }
                "o" if value == b"auto" => automatic = true,
                "o" => {
                    for column in value.split(|byte| b", \t".contains(byte)) {
                        columns.push(reader.column(column)?);
                    }
                }
                "t" => reader.separate(value)?,
                _ => {}
            }
        }
        let order = match parsed.last(&["check-order", "nocheck-order"]) {
            Some("check-order") => Some(true),
            Some(_) => None,
            None => Some(false),
        };
        Ok(Plan {
            rules: Rules {
                call,
                separator: reader.separator.unwrap_or(Separator::Blanks),
                fold: parsed.has("i"),
                end: if parsed.has("z") { 0 } else { b'\n' },
                order,
            },
            keys: reader.keys.map(|key| key.unwrap_or(0)),
            unpaired,
            paired,
            columns,
            automatic,
            filler: reader.filler.unwrap_or_default(),
            header: parsed.has("header"),
        })
    }
}

/// Options that are being read.
struct Reader<'a> {
    call: &'a Call,
    keys: [Option<usize>; 2],
    separator: Option<Separator>,
    filler: Option<Vec<u8>>,
}

impl Reader<'_> {
    /// Says that a value is none; the error is the status.
    fn refuse<T>(&self, message: &str, value: &[u8]) -> Result<T, i32> {
        Err(self.call.fail(1, bytes!(message, quote::word(value))))
    }

    /// The number of a file, `1` or `2`, as 0 or 1.
    fn file(&self, value: &[u8]) -> Result<usize, i32> {
        match options::number(value) {
            Some(number @ 1..=2usize) => Ok(number - 1),
            _ => self.refuse("invalid field number: ", value),
        }
    }

    /// The number of a field, from 0 on.
    fn field(&self, value: &[u8]) -> Result<usize, i32> {
        let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        match options::number(value) {
            Some(number @ 1usize..) if digits => Ok(number - 1),
            // More fields than a line can have.
            None if digits => Ok(usize::MAX - 1),
            _ => self.refuse("invalid field number: ", value),
        }
    }

    /// The join field of a file.
    fn join_field(&mut self, file: usize, value: &[u8]) -> Result<(), i32> {
        let field = self.field(value)?;
        match self.keys[file].replace(field) {
            Some(other) if other != field => {
                let message = format!("incompatible join fields {}, {}", other + 1, field + 1);
                Err(self.call.fail(1, message))
            }
            _ => Ok(()),
        }
    }

    /// A column of `-o`: `0`, `1.N` or `2.N`.
    fn column(&self, text: &[u8]) -> Result<Column, i32> {
        match text {
            b"0" => Ok(Column::Key),
            [file @ (b'1' | b'2'), b'.', field @ ..] => {
                Ok(Column::Field(usize::from(file - b'1'), self.field(field)?))
            }
            [b'0' | b'1' | b'2', ..] => self.refuse("invalid field specifier: ", text),
            _ => self.refuse("invalid file number in field spec: ", text),
        }
    }

    /// The separator of `-t`: one character; nothing and a newline make the line one field.
    fn separate(&mut self, value: &[u8]) -> Result<(), i32> {
        let separator = match value {
            b"" => Separator::None,
            b"\\0" => Separator::Text(vec![0]),
            b"\n" => Separator::None,
            value if character_length(value) < value.len() => {
                return self.refuse("multi-character tab ", value);
            }
            value => Separator::Text(value.to_vec()),
        };
        match self.separator.replace(separator.clone()) {
            Some(other) if other != separator => Err(self.call.fail(1, "incompatible tabs")),
            _ => Ok(()),
        }
    }

    /// The text of `-e`.
    fn fill(&mut self, value: &[u8]) -> Result<(), i32> {
        match self.filler.replace(value.to_vec()) {
            Some(other) if other != value => {
                let message = "conflicting empty-field replacement strings";
                Err(self.call.fail(1, message))
            }
            _ => Ok(()),
        }
    }
}
