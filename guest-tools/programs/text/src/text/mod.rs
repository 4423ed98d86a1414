//! Small tools for text: `rev`, `tac`, `strings`, `column`, `colrm`, `look`, `envsubst`, `dos2unix`, pagers.
//!
//! | Commands | After |
//! |---|---|
//! | `rev`, `column`, `colrm`, `look`, `more` | util-linux |
//! | `tac` | GNU coreutils |
//! | `strings` | GNU Binutils |
//! | `envsubst` | GNU gettext |
//! | `dos2unix` and its relatives | dos2unix |
//! | `less` | less |
//!
//! Most read each file as a whole.

mod column;
mod lineends;
mod narrow;
mod pager;
mod reverse;
mod strings;
mod substitute;

pub use column::run as column;
pub use lineends::run as line_ends;
pub use narrow::{colrm, look};
pub use pager::run as pager;
pub use reverse::run as reverse;
pub use strings::run as strings;
pub use substitute::run as substitute;

use crate::call::{Call, bytes};
use crate::options::{self, Syntax};
use crate::output::Output;
use crate::system;

/// Calls `each` with the name and the content of every file, standard input where there are none; gives 1 where one
/// could not be read, which is said with `message` before its name.
fn each_file(
    call: &Call,
    files: &[Vec<u8>],
    message: &str,
    mut each: impl FnMut(&[u8], &[u8]),
) -> i32 {
    let standard = [b"-".to_vec()];
    let files = if files.is_empty() { &standard } else { files };
    let mut status = 0;
    for file in files {
        match system::read_whole(file) {
            Ok(content) => each(file, &content),
            Err(failure) => status = call.fail(1, bytes!(message, file, ": ", failure)),
        }
    }
    status
}

/// Runs `rev`: the characters of each line backwards. Bytes that are in no character of UTF-8 are turned one by one.
pub fn rev(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: rev [options] [file ...]\nReverse lines characterwise.\n",
        options: &[],
        permute: true,
        status: 1,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let end = b'\n';
    let mut out = Output::new();
    let status = each_file(call, &parsed.operands, "cannot open ", |_, content| {
        for line in content.split_inclusive(|&byte| byte == end) {
            let (line, ended) = match line.split_last() {
                Some((&last, line)) if last == end => (line, true),
                _ => (line, false),
            };
            let chunks: Vec<_> = line.utf8_chunks().collect();
            for chunk in chunks.iter().rev() {
                let invalid: Vec<u8> = chunk.invalid().iter().rev().copied().collect();
                out.put(invalid);
                out.put(chunk.valid().chars().rev().collect::<String>());
            }
            if ended {
                out.end_line(end);
            }
        }
    });
    out.finish(&call.name, status, 1)
}
