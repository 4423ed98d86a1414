//! The changes from old to yours as a script for `ed`, which brings them into mine.

use super::{Lines, Marks, Odd, blocks};

/// The script, from the end of the file to its start so that line numbers hold, and whether it marks conflicts. With
/// `saves` it writes the file and ends.
pub fn script(marks: &Marks, files: &[Lines; 3], saves: bool) -> (Vec<u8>, bool) {
    let [mine, old, yours] = files;
    let mut script = Script::default();
    let mut conflicts = false;
    // From the end, so that the numbers of what is left stay.
    for block in blocks(mine, yours, old).iter().rev() {
        let Some(conflict) = marks.conflict(block.odd) else {
            continue;
        };
        let (low, high) = (block.mine.start + 1, block.mine.end);
        let old = &old[block.common.clone()];
        let yours = &yours[block.yours.clone()];
        let each = block.odd == Odd::Each;
        let label = |at: usize| String::from_utf8_lossy(marks.labels[at]).into_owned();
        if conflict {
            conflicts = true;
            script.command(format!("{high}a\n"));
            let mut dotted = false;
            if each {
                if marks.all {
                    script.command(format!("||||||| {}\n", label(1)));
                    dotted = script.lines(old);
                }
                script.command("=======\n");
                dotted |= script.lines(yours);
            }
            script.command(format!(">>>>>>> {}\n", label(2)));
            script.end(dotted, high + 2, old.len() + yours.len() + 1);

            let first = label(usize::from(!each));
            script.command(format!("{}a\n<<<<<<< {first}\n", low - 1));
            dotted = false;
            if !each {
                dotted = script.lines(old);
                script.command("=======\n");
            }
            script.end(dotted, low + 1, old.len());
        } else if yours.is_empty() {
            let range = range(low, high);
            script.command(format!("{range}d\n"));
        } else {
            script.command(match block.mine.is_empty() {
                true => format!("{high}a\n"),
                false => format!("{}c\n", range(low, high)),
            });
            let dotted = script.lines(yours);
            script.end(dotted, low, yours.len());
        }
    }
    if saves {
        script.command("w\nq\n");
    }
    (script.0, conflicts)
}

/// `3` or `3,5`.
fn range(low: usize, high: usize) -> String {
    match low == high {
        true => low.to_string(),
        false => format!("{low},{high}"),
    }
}

/// A script that is being written.
#[derive(Default)]
struct Script(Vec<u8>);

impl Script {
    /// Appends a text as it is.
    fn command(&mut self, text: impl AsRef<[u8]>) {
        self.0.extend_from_slice(text.as_ref());
    }

    /// Appends lines to insert; whether one begins with a dot, which gets a second that `end` takes away again: a dot
    /// alone would end the insertion.
    fn lines(&mut self, lines: &[&[u8]]) -> bool {
        let mut dotted = false;
        for line in lines {
            if line.starts_with(b".") {
                dotted = true;
                self.0.push(b'.');
            }
            self.0.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                self.0.push(b'\n');
            }
        }
        dotted
    }

    /// Ends an insertion, of `count` lines from `start`.
    fn end(&mut self, dotted: bool, start: usize, count: usize) {
        self.command(".\n");
        if dotted {
            let range = range(start, start + count - 1);
            self.command(format!("{range}s/^\\.//\n"));
        }
    }
}
