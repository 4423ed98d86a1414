//! What can be done with a column.

use super::Stop;
use super::number::parse;
use crate::call::bytes;
use crate::options;
use crate::quote;

/// What an operation works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Each line by itself.
    Line,
    /// All numbers of a group.
    Numbers,
    /// All texts of a group.
    Texts,
    /// All pairs of numbers of a group.
    Pairs,
}

impl Class {
    /// What messages call it.
    fn word(self) -> &'static str {
        match self {
            Class::Line => "line",
            _ => "groupby",
        }
    }
}

/// All operations but the primary ones, by what they work on.
const NAMES: &[(Class, &[&str])] = &[
    (
        Class::Line,
        &[
            "base64", "debase64", "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "bin",
            "strbin", "round", "floor", "ceil", "trunc", "frac", "dirname", "basename", "barename",
            "extname", "getnum", "cut",
        ],
    ),
    (
        Class::Numbers,
        &[
            "sum", "min", "max", "absmin", "absmax", "range", "mean", "geomean", "harmmean",
            "trimmean", "median", "q1", "q3", "iqr", "perc", "mode", "antimode", "pstdev",
            "sstdev", "pvar", "svar", "mad", "madraw", "pskew", "sskew", "pkurt", "skurt", "dpo",
            "jarque",
        ],
    ),
    (
        Class::Texts,
        &[
            "count",
            "first",
            "last",
            "rand",
            "unique",
            "collapse",
            "countunique",
        ],
    ),
    (Class::Pairs, &["scov", "pcov", "spearson", "ppearson"]),
];

/// A column, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A number from 1.
    Number(usize),
    /// A name of the header, with backslashes resolved.
    Name(Vec<u8>),
}

/// An operation and its columns.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The name, one of `NAMES`.
    pub name: &'static str,
    /// What it works on.
    pub class: Class,
    /// The parameter behind a colon, as in `perc:90`, `bin:5` or `trimmean:0.2`; `None` for the default of the
    /// operation.
    pub parameter: Option<f64>,
    /// The kind of number that `getnum` looks for.
    pub letter: u8,
    /// One column, or two for pairs.
    pub fields: Vec<Field>,
    /// The numbers of the columns, one for each entry of `fields`; empty until `Plan::resolve`.
    pub columns: Vec<usize>,
}

impl Operation {
    /// Reads `NAME[:PARAMETER]`, without the columns.
    ///
    /// # Errors
    /// An unknown name, a parameter where none is taken, or one that is out of range (`perc` takes 1 to 100, `trimmean`
    /// 0 to 0.5).
    pub fn parse(word: &[u8]) -> Result<Operation, Stop> {
        let mut parts = word.split(|byte| *byte == b':');
        let name = parts.next().unwrap_or_default();
        let found = NAMES.iter().find_map(|(class, names)| {
            let name = names.iter().find(|known| known.as_bytes() == name)?;
            Some((*class, *name))
        });
        let (class, known) =
            found.ok_or_else(|| bytes!("invalid operation ", quote::word(name)))?;
        let mut operation = Operation {
            name: known,
            class,
            parameter: None,
            letter: b'p',
            fields: Vec::new(),
            columns: Vec::new(),
        };
        let refuse = |why: &str| bytes!(why, " for operation ", quote::word(name));
        if let Some(parameter) = parts.next() {
            if parameter.is_empty() {
                return Err(refuse("missing parameter").into());
            }
            let takes = ["bin", "strbin", "perc", "trimmean", "getnum"].contains(&known);
            if !takes || parts.next().is_some() {
                return Err(refuse("too many parameters").into());
            }
            operation.set_parameter(parameter)?;
        }
        Ok(operation)
    }

    /// Takes the text behind the colon: a letter for `getnum`, a number for the others.
    fn set_parameter(&mut self, text: &[u8]) -> Result<(), Stop> {
        if self.name == "getnum" {
            let letter = text.first().filter(|letter| b"nidpho".contains(letter));
            self.letter = *letter.ok_or_else(|| bytes!("invalid getnum type '", text, "'"))?;
            return Ok(());
        }
        let name = quote::word(self.name.as_bytes());
        let refuse = || bytes!("invalid parameter ", text, " for operation ", name);
        let value = match self.name {
            "bin" | "trimmean" => parse(text),
            _ => options::number::<u32>(text).map(f64::from),
        };
        let value = value.ok_or_else(refuse)?;
        if self.name == "perc" && !(1.0..=100.0).contains(&value) {
            return Err(bytes!("invalid percentile value ", text).into());
        }
        if self.name == "trimmean" && !(0.0..=0.5).contains(&value) {
            let expected = " (expected 0 <= X <= 0.5)";
            return Err(bytes!("invalid trim mean value ", text, expected).into());
        }
        self.parameter = Some(value);
        Ok(())
    }

    /// Refuses a group operation among line operations, and the other way round.
    pub fn check_beside(&self, first: Class) -> Result<(), Stop> {
        let (wanted, found) = (first.word(), self.class.word());
        if wanted == found {
            return Ok(());
        }
        let name = quote::word(self.name.as_bytes());
        let start =
            format!("conflicting operation found: expecting {wanted} operations, but found ");
        Err(bytes!(start, found, " operation ", name).into())
    }
}

/// Reads a list of columns: one entry for each column or pair of columns.
///
/// | text | entries |
/// |---|---|
/// | `1,3` | column 1; column 3 |
/// | `2-4` | columns 2, 3 and 4, an entry each |
/// | `x:y` with `takes_pairs` | one entry of two columns |
/// | `a\-b` | the column named `a-b` |
///
/// # Errors
/// An empty item, a pair where none is taken (or none where one is), a range that descends or has names.
pub fn fields(name: &str, text: &[u8], takes_pairs: bool) -> Result<Vec<Vec<Field>>, Stop> {
    let quoted = quote::word(name.as_bytes());
    let refuse = |why: &str| Stop::from(bytes!(why, " for operation ", quoted));
    let mut list = Vec::new();
    for item in text.split(|byte| *byte == b',') {
        if item.is_empty() {
            return Err(refuse("missing field"));
        }
        let (first, rest) = field(item, &refuse)?;
        let is_pair = rest.first() == Some(&b':');
        if is_pair && !takes_pairs {
            return Err(bytes!("operation ", quoted, " cannot use pair of fields").into());
        }
        if takes_pairs && !is_pair {
            return Err(bytes!("operation ", quoted, " requires field pairs").into());
        }
        match (rest, &first) {
            ([], _) => list.push(vec![first]),
            ([b':', second @ ..], _) => match field(second, &refuse) {
                Ok((second, [])) => list.push(vec![first, second]),
                _ => return Err(refuse("invalid field pair")),
            },
            (_, Field::Name(_)) => {
                return Err(bytes!("field range for ", quoted, " must be numeric").into());
            }
            ([b'-', last @ ..], Field::Number(start)) => {
                let last = options::number::<usize>(last).filter(|last| last >= start);
                let last = last.ok_or_else(|| refuse("invalid field range"))?;
                list.extend((*start..=last).map(|number| vec![Field::Number(number)]));
            }
            _ => return Err(bytes!("invalid numeric value '", item, "'").into()),
        }
    }
    Ok(list)
}

/// The column at the start of a text, and what follows it.
fn field<'a>(text: &'a [u8], refuse: &dyn Fn(&str) -> Stop) -> Result<(Field, &'a [u8]), Stop> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 {
        return match options::number(&text[..digits]) {
            Some(0) => Err(refuse(&format!(
                "invalid field '{}'",
                String::from_utf8_lossy(&text[..digits])
            ))),
            Some(number) => Ok((Field::Number(number), &text[digits..])),
            None => Err(bytes!("invalid numeric value '", text, "'").into()),
        };
    }
    let mut name = Vec::new();
    let mut rest = text;
    loop {
        match rest {
            [b'\\', byte, after @ ..] => {
                name.push(*byte);
                rest = after;
            }
            [] | [b':' | b'-', ..] if !name.is_empty() => return Ok((Field::Name(name), rest)),
            [byte, after @ ..] => {
                name.push(*byte);
                rest = after;
            }
            [] => return Err(refuse("missing field")),
        }
    }
}
