//! What the command line of `pr` asks for, before one option has its effect on another: what the options say, in the
//! order in which they say it where that matters.

use super::glyph::Unprintable;
use super::pages;
use crate::call::{Call, bytes};
use crate::options::{self, Parsed, Syntax, Word};
use crate::quote;

/// Line numbers.
#[derive(Clone, Copy)]
pub struct Numbers {
    /// What stands after a number.
    pub separator: u8,
    /// How many digits it has at least; of longer numbers the last ones are shown.
    pub digits: i64,
}

/// The command line, read.
pub struct Request {
    /// The files; none is standard input.
    pub files: Vec<Vec<u8>>,
    /// `-N` or `--columns`.
    pub columns: Option<i64>,
    /// The first page that is printed, counted from 1 (`+N` or `--pages`).
    pub first_page: Option<u64>,
    /// The last one.
    pub last_page: u64,
    /// `-a`: columns are filled line by line.
    pub across: bool,
    /// `-m`: files stand side by side.
    pub merge: bool,
    /// `-J`: lines are not cut, and columns not aligned.
    pub join: bool,
    /// `-d`: an empty line follows each line.
    pub double: bool,
    /// `-F`: pages end with a form feed, and not with empty lines.
    pub feeds: bool,
    /// Pages have headers and trailers: not with `-t` and `-T`.
    pub headed: bool,
    /// Form feeds of the input are kept (`-t`).
    pub keeps_feeds: bool,
    /// `-r`: nothing is said of files that cannot be opened.
    pub quiet: bool,
    /// `-c` and `-v`.
    pub unprintable: Unprintable,
    /// `-e`: what is a tab, and the distance of its stops; it becomes blanks.
    pub expand: Option<(u8, i64)>,
    /// `-i`: what replaces blanks, and the distance of its stops.
    pub tabs: Option<(u8, i64)>,
    /// `-n`.
    pub numbers: Option<Numbers>,
    /// `-N`: the number of the first line that is printed.
    pub first_number: Option<i64>,
    /// `-D`: the format of the date in headers.
    pub date: Option<Vec<u8>>,
    /// `-h`: what headers have in the place of the file's name.
    pub header: Option<Vec<u8>>,
    /// `-l`: the lines of a page with its header and trailer.
    pub length: i64,
    /// `-o`: the blanks before each line.
    pub margin: i64,
    /// `-w` and `-W`: the columns of a line.
    pub width: i64,
    /// Lines are cut: `-W`.
    pub cut: bool,
    /// `-w` was given after all `-W`.
    pub narrow: bool,
    /// `-s` was given after all `-S`. Like `-w` it is for columns only.
    pub short_separator: bool,
    /// `-S` was given.
    pub string_separator: bool,
    /// What stands between columns, as `-s` or `-S` gives it.
    pub separator: Vec<u8>,
}

/// The largest number that an option takes.
const MOST: i64 = i32::MAX as i64;

/// Reads the command line.
///
/// # Errors
/// The status, after the message.
pub fn read(call: &Call, syntax: &Syntax, parsed: &Parsed) -> Result<Request, i32> {
    let mut reader = Reader {
        call,
        syntax,
        request: Request::default(),
        digits: Vec::new(),
        digits_go_on: false,
    };
    for word in parsed.words() {
        match word {
            Word::Option(key @ ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"), _) => {
                if !std::mem::replace(&mut reader.digits_go_on, true) {
                    reader.digits.clear();
                }
                reader.digits.extend_from_slice(key.as_bytes());
                continue;
            }
            Word::Option(key, value) => reader.option(key, value)?,
            Word::Operand(word) => reader.operand(word)?,
            Word::Literal(word) => reader.request.files.push(word.to_vec()),
        }
        reader.digits_go_on = false;
    }
    if !reader.digits.is_empty() {
        let digits = std::mem::take(&mut reader.digits);
        reader.columns(&digits)?;
    }
    Ok(reader.request)
}

impl Default for Request {
    fn default() -> Request {
        Request {
            files: Vec::new(),
            columns: None,
            first_page: None,
            last_page: u64::MAX,
            across: false,
            merge: false,
            join: false,
            double: false,
            feeds: false,
            headed: true,
            keeps_feeds: false,
            quiet: false,
            unprintable: Unprintable::AsIs,
            expand: None,
            tabs: None,
            numbers: None,
            first_number: None,
            date: None,
            header: None,
            length: 66,
            margin: 0,
            width: 72,
            cut: false,
            narrow: false,
            short_separator: false,
            string_separator: false,
            separator: Vec::new(),
        }
    }
}

/// A command line that is being read.
struct Reader<'a> {
    call: &'a Call,
    syntax: &'a Syntax,
    request: Request,
    /// The number of columns as it is written, one option a digit.
    digits: Vec<u8>,
    /// The last word was a digit too: `-1 -2` is 12, and `-1 -d -2` is 2.
    digits_go_on: bool,
}

impl Reader<'_> {
    /// An option with its value. The error is the status, after a message.
    fn option(&mut self, key: &str, value: &[u8]) -> Result<(), i32> {
        let request = &mut self.request;
        match key {
            "a" => request.across = true,
            "c" if request.unprintable == Unprintable::AsIs => {
                request.unprintable = Unprintable::Caret;
            }
            "v" => request.unprintable = Unprintable::Octal,
            "d" => request.double = true,
            "D" => request.date = Some(value.to_vec()),
            "F" => request.feeds = true,
            "h" => request.header = Some(value.to_vec()),
            "J" => request.join = true,
            "m" => request.merge = true,
            "r" => request.quiet = true,
            "s" => self.short_separator(value),
            "S" => {
                request.short_separator = false;
                request.string_separator = true;
                request.separator = value.to_vec();
            }
            "t" => (request.headed, request.keeps_feeds) = (false, true),
            "T" => (request.headed, request.keeps_feeds) = (false, false),
            _ => self.valued(key, value)?,
        }
        Ok(())
    }

    /// An option whose value must be looked at.
    fn valued(&mut self, key: &str, value: &[u8]) -> Result<(), i32> {
        match key {
            "columns" => {
                self.digits.clear();
                self.columns(value)?;
            }
            "pages" => self.page_range(value)?,
            "e" => self.request.expand = Some(self.tab("e", value, self.request.expand)?),
            "i" => self.request.tabs = Some(self.tab("i", value, self.request.tabs)?),
            "l" => {
                let what = "'-l PAGE_LENGTH' invalid number of lines";
                self.request.length = self.number(value, 1, what)?;
            }
            "n" => self.numbers(value)?,
            "N" => {
                let what = "'-N NUMBER' invalid starting line number";
                let number = self.number(value, i64::from(i32::MIN), what)?;
                self.request.first_number = Some(number);
            }
            "o" => {
                self.request.margin = self.number(value, 0, "'-o MARGIN' invalid line offset")?;
            }
            "w" => {
                let what = "'-w PAGE_WIDTH' invalid number of characters";
                let width = self.number(value, 1, what)?;
                self.request.narrow = true;
                if !self.request.cut {
                    self.request.width = width;
                }
            }
            "W" => {
                let what = "'-W PAGE_WIDTH' invalid number of characters";
                self.request.width = self.number(value, 1, what)?;
                (self.request.cut, self.request.narrow) = (true, false);
            }
            _ => {}
        }
        Ok(())
    }

    /// `-s`, whose value counts only where no `-S` was given.
    fn short_separator(&mut self, value: &[u8]) {
        self.request.short_separator = true;
        if !self.request.string_separator && !value.is_empty() {
            self.request.separator = value.to_vec();
        }
    }

    /// A file, or `+FIRST[:LAST]`.
    fn operand(&mut self, word: &[u8]) -> Result<(), i32> {
        if let Some(pages) = word.strip_prefix(b"+")
            && self.request.first_page.is_none()
            && self.pages("+", pages)?
        {
            return Ok(());
        }
        self.request.files.push(word.to_vec());
        Ok(())
    }

    /// The number of columns.
    fn columns(&mut self, text: &[u8]) -> Result<(), i32> {
        let columns = self.number(text, 1, "invalid number of columns")?;
        self.request.columns = Some(columns);
        Ok(())
    }

    /// A number of at least `least`; `what` begins the message where it is none.
    fn number(&self, text: &[u8], least: i64, what: &str) -> Result<i64, i32> {
        options::integer(text, least, MOST).map_err(|reason| {
            let message = bytes!(what, ": ", quote::word(text), reason);
            self.call.fail(1, message)
        })
    }

    /// The separator and the digits of `-n`.
    fn numbers(&mut self, value: &[u8]) -> Result<(), i32> {
        let before = self.request.numbers.map(|old| (old.separator, old.digits));
        let (separator, digits) = self.tab("n", value, before.or(Some((b'\t', 5))))?;
        self.request.numbers = Some(Numbers { separator, digits });
        Ok(())
    }

    /// A character and a number, where they are given, in place of those that were: `-e:4` is `:` and 4, `-e4` only
    /// the number.
    fn tab(&self, option: &str, text: &[u8], old: Option<(u8, i64)>) -> Result<(u8, i64), i32> {
        let (mut byte, mut number) = old.unwrap_or((b'\t', 8));
        let digits = match text {
            [first, rest @ ..] if !first.is_ascii_digit() => {
                byte = *first;
                rest
            }
            _ => text,
        };
        if !digits.is_empty() {
            let given = options::integer(digits, i64::MIN, MOST);
            let given = given.and_then(|number| if number > 0 { Ok(number) } else { Err("") });
            number = given.map_err(|reason| {
                let what =
                    format!("'-{option}' extra characters or invalid number in the argument: ");
                let message = bytes!(what, quote::word(digits), reason);
                options::usage_error(self.call, self.syntax, message)
            })?;
        }
        Ok((byte, number))
    }

    /// Reads `FIRST[:LAST]`; false where it is none.
    fn pages(&mut self, option: &str, text: &[u8]) -> Result<bool, i32> {
        let found = pages::read(text).map_err(|problem| {
            let message = bytes!(problem.words(), option, " argument '", text, "'");
            self.call.fail(1, bytes!(message, problem.more_words()))
        })?;
        if let Some((first, last)) = found {
            self.request.first_page = Some(first);
            self.request.last_page = last.unwrap_or(self.request.last_page);
        }
        Ok(found.is_some())
    }

    /// The value of `--pages`.
    fn page_range(&mut self, text: &[u8]) -> Result<(), i32> {
        if self.pages("--pages", text)? {
            return Ok(());
        }
        let message = bytes!("invalid page range ", quote::word(text));
        Err(self.call.fail(1, message))
    }
}
