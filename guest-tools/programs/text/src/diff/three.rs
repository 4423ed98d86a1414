//! `diff3`, after GNU diffutils 3.8, and `merge` of RCS.
//!
//! Both sides are compared with the common file, and changes that overlap or touch become one block. Where both sides
//! made the same of it the block is common; where they did not, it is a conflict:
//!
//! ```text
//! <<<<<<< mine
//! lines of mine
//! ||||||| old          with -A alone
//! lines of old
//! =======
//! lines of yours
//! >>>>>>> yours
//! ```
//!
//! The cost is that of two comparisons. `script` writes the same blocks as a script for ed. Statuses: 0, 1 where
//! there were conflicts, 2 trouble; `diff3` without a merge has 0 whatever differs.

mod script;

use crate::stream::eprintln;
use std::collections::HashMap;
use std::io::Write as _;
use std::ops::Range;

use super::compare::{self, Change};
use super::lines;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system;

const DIFF3: Syntax = Syntax {
    usage: "Usage: diff3 [OPTION]... MYFILE OLDFILE YOURFILE\nCompare three files line by line.\n",
    options: &[
        Opt("A", "show-all", Value::No),
        Opt("e", "ed", Value::No),
        Opt("E", "show-overlap", Value::No),
        Opt("3", "easy-only", Value::No),
        Opt("x", "overlap-only", Value::No),
        Opt("X", "", Value::No),
        Opt("i", "", Value::No),
        Opt("m", "merge", Value::No),
        Opt("a", "text", Value::No),
        Opt("", "strip-trailing-cr", Value::No),
        Opt("T", "initial-tab", Value::No),
        Opt("L", "label", Value::Required),
    ],
    permute: true,
    status: 2,
};

const MERGE: Syntax = Syntax {
    usage: "Usage: merge [-AeEpq] [-L lab [-L lab [-L lab]]] file1 file2 file3\n",
    options: &[
        Opt("A", "", Value::No),
        Opt("e", "", Value::No),
        Opt("E", "", Value::No),
        Opt("p", "", Value::No),
        Opt("q", "", Value::No),
        Opt("L", "", Value::Required),
    ],
    permute: true,
    status: 2,
};

/// Which of three files differs from the others in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Odd {
    /// Only mine has other lines.
    Mine,
    /// Only yours has other lines.
    Yours,
    /// Mine and yours have the same, and the common file other lines.
    Common,
    /// All differ.
    Each,
}

/// Lines of two files and of the one they are compared with, which belong together. Ranges count from 0 and may be
/// empty.
struct Block {
    odd: Odd,
    mine: Range<usize>,
    yours: Range<usize>,
    common: Range<usize>,
}

/// Lines with their ends.
type Lines<'a> = Vec<&'a [u8]>;

/// Runs `diff3`.
pub fn diff3(call: &Call) -> i32 {
    let parsed = match options::parse(call, &DIFF3) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let kinds = ["A", "e", "E", "3", "x", "X"];
    let kinds = kinds.iter().filter(|key| parsed.has(key)).count();
    let merges = parsed.has("m");
    let is_plain = kinds == 0 && merges;
    let flags = is_plain || ["A", "E"].iter().any(|key| parsed.has(key));
    if kinds > 1 || (merges && parsed.has("i")) || (parsed.has("L") && !flags) {
        return options::usage_error(call, &DIFF3, "incompatible options");
    }
    let mut contents = match contents(call, &DIFF3, &parsed) {
        Ok(contents) => contents,
        Err(status) => return status,
    };
    if parsed.has("strip-trailing-cr") {
        contents = contents.map(|content| without_returns(&content));
    }
    let files: [Lines; 3] = [0, 1, 2].map(|at| lines(&contents[at]));
    let mut out = Output::new();
    let mut status = 0;
    if merges || kinds > 0 {
        let labels = labels(&parsed);
        let marks = Marks {
            labels: [&labels[0], &labels[1], &labels[2]],
            all: is_plain || parsed.has("A"),
            flags,
            simple: !parsed.has("x") && !parsed.has("X"),
            overlaps: !parsed.has("3"),
        };
        let (text, conflicts) = match merges {
            true => marks.merge(&files),
            false => script::script(&marks, &files, parsed.has("i")),
        };
        out.put(text);
        status = i32::from(conflicts);
    } else {
        listing(&files, parsed.has("T"), &mut out);
    }
    out.finish(&call.name, status, 2)
}

/// Runs `merge`.
pub fn merge(call: &Call) -> i32 {
    let parsed = match options::parse(call, &MERGE) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let contents = match contents(call, &MERGE, &parsed) {
        Ok(contents) => contents,
        Err(status) => return status,
    };
    // RCS hands its labels to `diff3 -e`, which takes none.
    if parsed.has("e") {
        eprintln!("/usr/bin/diff3: incompatible options");
        eprintln!("/usr/bin/diff3: Try '/usr/bin/diff3 --help' for more information.");
        return 1;
    }
    let files: [Lines; 3] = [0, 1, 2].map(|at| lines(&contents[at]));
    let labels = labels(&parsed);
    let marks = Marks {
        labels: [&labels[0], &labels[1], &labels[2]],
        all: parsed.has("A"),
        flags: true,
        simple: true,
        overlaps: true,
    };
    let (text, conflicts) = marks.merge(&files);
    let target = &parsed.operands[0];
    let mut out = Output::new();
    if parsed.has("p") {
        out.put(text);
    } else if let Err(failure) = system::create_file(target, false)
        .and_then(|mut file| file.write_all(&text).map_err(system::Failure::from))
    {
        return call.fail(2, bytes!(target, ": ", failure));
    }
    if conflicts && !parsed.has("q") {
        out.flush();
        call.fail(1, "warning: conflicts during merge");
    }
    out.finish(&call.name, i32::from(conflicts), 2)
}

/// What the three operands hold: mine, old, yours. The error is the exit status.
fn contents(call: &Call, syntax: &Syntax, parsed: &Parsed) -> Result<[Vec<u8>; 3], i32> {
    let [mine, old, yours] = parsed.operands.as_slice() else {
        let message = match parsed.operands.get(3) {
            Some(extra) => bytes!("extra operand ", quote::message(extra)),
            None => {
                let name = call.name.clone().into_bytes();
                let last = call.arguments.last().unwrap_or(&name);
                bytes!("missing operand after ", quote::message(last))
            }
        };
        return Err(options::usage_error(call, syntax, message));
    };
    let read = |path: &Vec<u8>| {
        let content = system::read_whole(path);
        content.map_err(|failure| call.fail(2, bytes!(path, ": ", failure)))
    };
    Ok([read(mine)?, read(old)?, read(yours)?])
}

/// The names of the three files in marks: those of `-L`, in this order, else the operands.
fn labels(parsed: &Parsed) -> [Vec<u8>; 3] {
    let given = parsed.options.iter().filter(|(key, _)| *key == "L");
    let given: Vec<&Vec<u8>> = given.map(|(_, label)| label).collect();
    [0, 1, 2].map(|at| (*given.get(at).unwrap_or(&&parsed.operands[at])).clone())
}

/// A content without carriage returns at the ends of lines.
fn without_returns(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len());
    for line in lines(content) {
        match line.strip_suffix(b"\r\n") {
            Some(text) => out.extend([text, b"\n"].concat()),
            None => out.extend_from_slice(line),
        }
    }
    out
}

/// Where two files differ from a common one, in order, with the changes that overlap or touch as one.
fn blocks(mine: &Lines, yours: &Lines, common: &Lines) -> Vec<Block> {
    let (own, other) = (differences(mine, common), differences(yours, common));
    let (mut own, mut other) = (own.iter().peekable(), other.iter().peekable());
    // The ends of the last changes: in the side and in the common file.
    let (mut own_end, mut other_end) = ((0, 0), (0, 0));
    let mut found = Vec::new();
    loop {
        let starts = [own.peek(), other.peek()].map(|change| change.map(|change| change.to.0));
        let Some(start) = starts.into_iter().flatten().min() else {
            return found;
        };
        let before = (own_end, other_end);
        let mut end = start;
        let mut changed = [false; 2];
        loop {
            if let Some(change) = own.next_if(|change| change.to.0 <= end) {
                own_end = (change.from.1, change.to.1);
                end = end.max(change.to.1);
                changed[0] = true;
            } else if let Some(change) = other.next_if(|change| change.to.0 <= end) {
                other_end = (change.from.1, change.to.1);
                end = end.max(change.to.1);
                changed[1] = true;
            } else {
                break;
            }
        }
        // What follows a change is as far from its end in the side as in the common file.
        let place = |anchor: (usize, usize), at: usize| anchor.0 + at - anchor.1;
        let mut block = Block {
            odd: Odd::Each,
            mine: place(before.0, start)..place(own_end, end),
            yours: place(before.1, start)..place(other_end, end),
            common: start..end,
        };
        block.odd = match changed {
            [true, false] => Odd::Mine,
            [false, true] => Odd::Yours,
            _ if mine[block.mine.clone()] == yours[block.yours.clone()] => Odd::Common,
            _ => Odd::Each,
        };
        found.push(block);
    }
}

/// The changes from a side to the common file.
fn differences<'a>(side: &Lines<'a>, common: &Lines<'a>) -> Vec<Change> {
    let mut known: HashMap<&'a [u8], u32> = HashMap::new();
    let mut number = |line: &&'a [u8]| {
        let next = known.len() as u32;
        *known.entry(line).or_insert(next)
    };
    let side: Vec<u32> = side.iter().map(&mut number).collect();
    let common: Vec<u32> = common.iter().map(&mut number).collect();
    compare::changes(&side, &common)
}

/// Writes all blocks with the lines of each file: the format of `diff3` without an option. Of two files that are the
/// same the lines are written once.
fn listing(files: &[Lines; 3], tab: bool, out: &mut Output) {
    let prefix = if tab { "\t" } else { "  " };
    for block in blocks(&files[0], &files[1], &files[2]) {
        let (mark, order, silent) = match block.odd {
            Odd::Mine => ("1", [0, 1, 2], Some(1)),
            Odd::Yours => ("2", [0, 2, 1], Some(0)),
            Odd::Common => ("3", [0, 1, 2], Some(0)),
            Odd::Each => ("", [0, 1, 2], None),
        };
        out.line(bytes!("====", mark));
        let ranges = [&block.mine, &block.yours, &block.common];
        for at in order {
            let range = ranges[at];
            let name = at + 1;
            out.line(match range.len() {
                0 => format!("{name}:{}a", range.start),
                1 => format!("{name}:{}c", range.end),
                _ => format!("{name}:{},{}c", range.start + 1, range.end),
            });
            if silent == Some(at) {
                continue;
            }
            for line in &files[at][range.clone()] {
                out.put(prefix);
                out.put(line);
            }
            let last = files[at][range.clone()].last();
            if last.is_some_and(|line| !line.ends_with(b"\n")) {
                out.put("\n\\ No newline at end of file\n");
            }
        }
    }
}

/// How a merge shows what both sides changed.
struct Marks<'a> {
    labels: [&'a [u8]; 3],
    /// The old lines are shown too, also where both sides made the same of them.
    all: bool,
    /// Conflicts are marked.
    flags: bool,
    /// Changes of one side are taken.
    simple: bool,
    /// Changes of both sides are taken or marked.
    overlaps: bool,
}

impl Marks<'_> {
    /// Whether a block of this kind is marked as a conflict; none where it is left as mine has it.
    fn conflict(&self, odd: Odd) -> Option<bool> {
        match odd {
            Odd::Mine => None,
            Odd::Common => self.all.then_some(true),
            Odd::Yours => self.simple.then_some(false),
            Odd::Each => self.overlaps.then_some(self.flags),
        }
    }

    /// Mine with the changes from old to yours, and whether there were conflicts.
    fn merge(&self, files: &[Lines; 3]) -> (Vec<u8>, bool) {
        let [mine, old, yours] = files;
        let mut out = Vec::new();
        let mut conflicts = false;
        let mut at = 0;
        let put = |lines: &[&[u8]], out: &mut Vec<u8>| {
            lines.iter().for_each(|line| out.extend_from_slice(line));
        };
        for block in blocks(mine, yours, old) {
            let Some(conflict) = self.conflict(block.odd) else {
                continue;
            };
            conflicts |= conflict;
            put(&mine[at..block.mine.start], &mut out);
            at = block.mine.end;
            let each = block.odd == Odd::Each;
            if conflict {
                let label = self.labels[usize::from(!each)];
                out.extend(bytes!("<<<<<<< ", label, "\n"));
                if each {
                    put(&mine[block.mine.clone()], &mut out);
                }
                if self.all {
                    if each {
                        out.extend(bytes!("||||||| ", self.labels[1], "\n"));
                    }
                    put(&old[block.common.clone()], &mut out);
                }
                out.extend_from_slice(b"=======\n");
            }
            put(&yours[block.yours.clone()], &mut out);
            if conflict {
                out.extend(bytes!(">>>>>>> ", self.labels[2], "\n"));
            }
        }
        put(&mine[at..], &mut out);
        (out, conflicts)
    }
}
