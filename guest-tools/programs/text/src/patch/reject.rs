//! Hunks that could not be applied, as a patch.
//!
//! Their line numbers are those of the patched file, so that the rejects apply to it.

use super::read::{Hunk, Patch, Side};
use crate::call::bytes;

/// The rejected hunks in unified or context format. With `reverse` they were turned round, and so are the names.
pub fn text(patch: &Patch, hunks: &[Hunk], context: bool, reverse: bool) -> Vec<u8> {
    let mut out = Vec::new();
    if let (Some(old), Some(new)) = (&patch.old, &patch.new) {
        let (old, new) = if reverse { (new, old) } else { (old, new) };
        let (first, second) = if context {
            ("*** ", "--- ")
        } else {
            ("--- ", "+++ ")
        };
        let marks = [(first, old), (second, new)];
        for (mark, name) in marks {
            out.extend_from_slice(&bytes!(mark, name.path, name.rest, "\n"));
        }
    }
    for hunk in hunks {
        if context {
            context_hunk(hunk, &mut out);
        } else {
            unified_hunk(hunk, &mut out);
        }
    }
    out
}

/// A line with its mark, and the note behind one that has no newline.
fn put(out: &mut Vec<u8>, mark: &str, line: &[u8]) {
    out.extend_from_slice(mark.as_bytes());
    out.extend_from_slice(line);
    if line.last() != Some(&b'\n') {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// A hunk as `diff -u` writes it.
fn unified_hunk(hunk: &Hunk, out: &mut Vec<u8>) {
    let range = |start: usize, count: usize| match count {
        0 => format!("{},0", start.saturating_sub(1)),
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    };
    let old = range(hunk.old_start, hunk.side(Side::Old).len());
    let new = range(hunk.new_start, hunk.side(Side::New).len());
    let function = hunk.function.trim_ascii_end();
    out.extend_from_slice(&bytes!("@@ -", old, " +", new, " @@", function, "\n"));
    let is_same = |line: &(Side, Vec<u8>)| line.0 == Side::Both;
    for lines in hunk
        .lines
        .chunk_by(|one, next| is_same(one) == is_same(next))
    {
        // What goes stands before what comes, also where the hunk was turned round.
        for (of, mark) in [(Side::Both, " "), (Side::Old, "-"), (Side::New, "+")] {
            let lines = lines.iter().filter(|(side, _)| *side == of);
            lines.for_each(|(_, line)| put(out, mark, line));
        }
    }
}

/// A hunk as `diff -c` writes it. A half without changes is left out where the other has some.
fn context_hunk(hunk: &Hunk, out: &mut Vec<u8>) {
    out.extend_from_slice(&bytes!(
        "***************",
        hunk.function.trim_ascii_end(),
        "\n"
    ));
    let has = |side: Side| hunk.lines.iter().any(|(of, _)| *of == side);
    let changed = has(Side::Old) && has(Side::New);
    let halves = [
        (Side::Old, hunk.old_start, "*** ", " ****", "- "),
        (Side::New, hunk.new_start, "--- ", " ----", "+ "),
    ];
    for (side, start, mark, end, own) in halves {
        let lines = hunk.side(side);
        let range = match lines.len() {
            0 => start.saturating_sub(1).to_string(),
            1 => start.to_string(),
            count => format!("{start},{}", start + count - 1),
        };
        out.extend_from_slice(&bytes!(mark, range, end, "\n"));
        if !has(side) && !changed {
            continue;
        }
        let shown = hunk
            .lines
            .iter()
            .filter(|(of, _)| *of == Side::Both || *of == side);
        for (of, line) in shown {
            let mark = match of {
                Side::Both => "  ",
                _ if changed => "! ",
                _ => own,
            };
            put(out, mark, line);
        }
    }
}
