//! `git diff --check`: blanks that nobody wants, and marks of conflicts that were left.

use super::change::Change;
use super::lines;
use super::patch::Style;
use super::repository::Repository;
use super::stop::{Outcome, fatal};
use crate::call::bytes;

/// How many signs a mark of a conflict has.
const MARK: usize = 7;

/// Appends a line for each fault in the lines that came.
pub fn check(
    repository: &Repository,
    changes: &[Change],
    style: &Style,
    out: &mut Vec<u8>,
) -> Outcome {
    if repository.config.get("core.whitespace").is_some() {
        return Err(fatal(
            "the setting core.whitespace is not supported by --check",
        ));
    }
    for change in changes.iter().filter(|change| !change.unmerged) {
        let Some(side) = &change.new else { continue };
        let new = side.bytes(&repository.objects)?;
        let old = match &change.old {
            Some(side) => side.bytes(&repository.objects)?.to_vec(),
            None => Vec::new(),
        };
        if style.text || !(lines::is_binary(&old) || lines::is_binary(&new)) {
            file(change.path(), &old, &new, style, out);
        }
    }
    Ok(())
}

fn file(path: &[u8], old: &[u8], new: &[u8], style: &Style, out: &mut Vec<u8>) {
    let (old, new) = (lines::split(old), lines::split(new));
    let mut say = |number: usize, what: &str, line: &[u8]| {
        out.extend(bytes!(path, format!(":{number}: {what}\n"), line));
    };
    for change in lines::compare(&old, &new, style.algorithm, style.blanks) {
        for at in change.new {
            let line = new[at].strip_suffix(b"\n").unwrap_or(new[at]);
            if is_mark(line) {
                say(at + 1, "leftover conflict marker", b"");
            }
            if let Some(fault) = fault(line) {
                say(at + 1, fault, &bytes!("+", line, "\n"));
            }
        }
    }
    let blank = |lines: &[&[u8]]| {
        let blank = |line: &&&[u8]| line.trim_ascii().is_empty();
        lines.iter().rev().take_while(blank).count()
    };
    let (before, after) = (blank(&old), blank(&new));
    if after > before {
        say(new.len() - after + 1, "new blank line at EOF.", b"");
    }
}

fn is_mark(line: &[u8]) -> bool {
    let Some((mark, rest)) = line.split_at_checked(MARK) else {
        return false;
    };
    let open = rest.first().is_none_or(u8::is_ascii_whitespace);
    open && b"<>=|".contains(&mark[0]) && mark.iter().all(|byte| *byte == mark[0])
}

/// What is wrong with the blanks of a line.
fn fault(line: &[u8]) -> Option<&'static str> {
    let text = line.trim_ascii_end();
    let indent = text.iter().take_while(|byte| b" \t".contains(byte)).count();
    let mixed = text[..indent].windows(2).any(|pair| pair == b" \t");
    match (text.len() < line.len(), mixed) {
        (true, true) => Some("trailing whitespace, space before tab in indent."),
        (true, false) => Some("trailing whitespace."),
        (false, true) => Some("space before tab in indent."),
        (false, false) => None,
    }
}
