//! `pr`, after GNU coreutils 9.1: text as pages with headers, in columns, or files side by side.
//!
//! The parts are named after a printing shop: `request` is the command line as it was given, `layout` what it means
//! taken together, `press` prints files, page by page (`page`), line by line (`line`), with the state of each column;
//! `stored` holds the lines of a page whose columns are filled downwards, `skip` passes over pages that are not
//! wanted, `ink` writes and counts columns, `glyph` says what a byte becomes, `source` reads files.
//!
//! The three ways to fill a page:
//!
//! | Options | A column | Its lines |
//! |---|---|---|
//! | `-N` | is filled before the next one, evenly | stored, since the number of lines must be known |
//! | `-N -a` | gets every N-th line | printed as they are read |
//! | `-m` | is a file | printed as they are read |
//!
//! Widths of lines are counted in bytes, as GNU's are. Memory is that of a page at most.

mod glyph;
mod header;
mod ink;
mod layout;
mod line;
mod page;
mod pages;
mod press;
mod request;
mod skip;
mod source;
mod stored;

use crate::call::Call;
use crate::options::{self, Opt, Syntax, Value};
use layout::Layout;
use press::Press;

const SYNTAX: Syntax = Syntax {
    usage: include_str!("usage.txt"),
    options: &[
        Opt("0", "", Value::No),
        Opt("1", "", Value::No),
        Opt("2", "", Value::No),
        Opt("3", "", Value::No),
        Opt("4", "", Value::No),
        Opt("5", "", Value::No),
        Opt("6", "", Value::No),
        Opt("7", "", Value::No),
        Opt("8", "", Value::No),
        Opt("9", "", Value::No),
        Opt("", "columns", Value::Required),
        Opt("", "pages", Value::Required),
        Opt("a", "across", Value::No),
        Opt("b", "", Value::No),
        Opt("c", "show-control-chars", Value::No),
        Opt("D", "date-format", Value::Required),
        Opt("d", "double-space", Value::No),
        Opt("e", "expand-tabs", Value::Optional),
        Opt("Ff", "form-feed", Value::No),
        Opt("h", "header", Value::Required),
        Opt("i", "output-tabs", Value::Optional),
        Opt("J", "join-lines", Value::No),
        Opt("l", "length", Value::Required),
        Opt("m", "merge", Value::No),
        Opt("N", "first-line-number", Value::Required),
        Opt("n", "number-lines", Value::Optional),
        Opt("o", "indent", Value::Required),
        Opt("r", "no-file-warnings", Value::No),
        Opt("S", "sep-string", Value::Optional),
        Opt("s", "separator", Value::Optional),
        Opt("T", "omit-pagination", Value::No),
        Opt("t", "omit-header", Value::No),
        Opt("v", "show-nonprinting", Value::No),
        Opt("W", "page-width", Value::Required),
        Opt("w", "width", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and prints. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let request = request::read(call, &SYNTAX, &parsed)?;
    let layout = Layout::new(call, &request)?;
    let mut press = Press::new(call, &request, &layout);
    let done = match request.files.as_slice() {
        [] => press.job(&[b"-".to_vec()]),
        files if layout.merge => press.job(files),
        files => files.chunks(1).try_for_each(|file| press.job(file)),
    };
    Ok(press.finish(done))
}
