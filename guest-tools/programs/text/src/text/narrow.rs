//! `colrm` and `look`, after util-linux.

use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system;

/// Runs `colrm`: takes columns out of the lines of standard input, from the first operand to the second, or to the
/// end of the line. Columns count from 1, as a terminal shows characters; a tab that is cut becomes blanks, and a
/// backspace goes back.
pub fn colrm(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: colrm [startcol [endcol]]\nFilter out the specified columns.\n",
        options: &[],
        permute: true,
        status: 1,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut limits = [usize::MAX, usize::MAX];
    for (limit, text) in limits.iter_mut().zip(&parsed.operands) {
        match options::number(text) {
            Some(number) => *limit = number,
            None => return call.fail(1, bytes!("first argument: ", quote::message(text))),
        }
    }
    let [first, last] = limits;
    let mut text = Vec::new();
    if let Err(error) = crate::stream::stdin().lock().read_to_end(&mut text) {
        return call.fail(1, bytes!("read failed: ", system::Failure::from(error)));
    }
    let mut out = Output::new();
    let mut column = 0;
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid().char_indices();
        let valid = valid.map(|(at, char)| &chunk.valid().as_bytes()[at..at + char.len_utf8()]);
        for char in valid.chain(chunk.invalid().chunks(1)) {
            match char {
                b"\n" => column = 0,
                b"\t" => {
                    let end = (column / 8 + 1) * 8;
                    // What is left of a tab that is cut are blanks.
                    let kept: Vec<usize> = (column + 1..=end)
                        .filter(|at| *at < first || *at > last)
                        .collect();
                    let whole = kept.len() == end - column;
                    column = end;
                    if whole {
                        out.put("\t");
                    } else {
                        out.put(vec![b' '; kept.len()]);
                    }
                    continue;
                }
                b"\x08" => column = column.saturating_sub(1),
                char => {
                    column +=
                        std::str::from_utf8(char).map_or(1, unicode_width::UnicodeWidthStr::width);
                }
            }
            if char == b"\n" || column < first || column > last {
                out.put(char);
            }
        }
    }
    out.finish(&call.name, 0, 1)
}

/// Runs `look`: the lines of a sorted file that start with a text, found by binary search in O(log lines)
/// comparisons. Without a file it looks in the words of the system, with `-d` and `-f`. The status is 1 where there
/// is none.
pub fn look(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: look [options] <string> [<file>...]\nDisplay lines beginning with a specified string.\n",
        options: &[
            Opt("a", "alternative", Value::No),
            Opt("d", "alphanum", Value::No),
            Opt("f", "ignore-case", Value::No),
            Opt("t", "terminate", Value::Required),
        ],
        permute: true,
        status: 1,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let (wanted, file) = match parsed.operands.as_slice() {
        [wanted] => (wanted, &b"/usr/share/dict/words"[..]),
        [wanted, file] => (wanted, file.as_slice()),
        _ => return options::usage_error(call, &SYNTAX, "bad usage"),
    };
    let words_file = parsed.operands.len() == 1;
    let (letters_only, fold) = (parsed.has("d") || words_file, parsed.has("f") || words_file);
    let content = match system::read_whole(file) {
        Ok(content) => content,
        Err(failure) => return call.fail(1, bytes!(file, ": ", failure)),
    };
    let comparable = |text: &[u8]| -> Vec<u8> {
        let kept = |byte: &&u8| !letters_only || byte.is_ascii_alphanumeric() || **byte >= 0x80;
        let text = text.iter().filter(kept);
        if fold {
            text.map(u8::to_ascii_lowercase).collect()
        } else {
            text.copied().collect()
        }
    };
    let mut wanted = wanted.as_slice();
    if let Some(end) = parsed.value("t").and_then(|text| text.first())
        && let Some(at) = wanted.iter().position(|byte| byte == end)
    {
        wanted = &wanted[..=at];
    }
    let wanted = comparable(wanted);
    let lines: Vec<&[u8]> = content.split_inclusive(|&byte| byte == b'\n').collect();
    let start = |line: &[u8]| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let mut line = comparable(line);
        line.truncate(wanted.len());
        line
    };
    let from = lines.partition_point(|line| start(line) < wanted);
    let found = lines[from..]
        .iter()
        .take_while(|line| start(line) == wanted);
    let mut out = Output::new();
    let mut status = 1;
    for line in found {
        status = 0;
        out.put(line);
        if line.last() != Some(&b'\n') {
            out.put("\n");
        }
    }
    out.finish(&call.name, status, 1)
}
