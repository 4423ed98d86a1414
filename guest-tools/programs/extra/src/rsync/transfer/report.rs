//! What a run says at its end.

use super::Transfer;
use super::change::Change;
use crate::call::bytes;

impl<'a> Transfer<'a> {
    /// Prints what changes: the path with `-v`, and with `-i` eleven letters in front of it.
    ///
    /// The first is `>` for a file's content, `c` for something made, `.` for attributes alone; the second is the kind
    /// (`f`, `d`, `L`, `S`). Then come checksum, size, time, mode, owner and group, each a point where it is the same,
    /// or nine `+` for what is new: `>f.st...... a`, `cd+++++++++ d/`. Without `-t` the time is `T`.
    pub(super) fn report(&mut self, change: &Change, kind: u8, shown: &[u8], created: bool) {
        if !self.settings.itemize {
            return self.say(shown);
        }
        let first = match (change.content, kind) {
            (true, b'f') => b'>',
            (_, b'd' | b'L' | b'S') if created => b'c',
            (true, b'L') => b'c',
            _ => b'.',
        };
        let flags = if change.created || created {
            "+++++++++".to_owned()
        } else {
            let flag = |set: bool, letter: char| if set { letter } else { '.' };
            let time = if self.settings.times { 't' } else { 'T' };
            [
                flag(
                    self.settings.checksum && change.content && kind == b'f',
                    'c',
                ),
                flag(change.size, 's'),
                flag(
                    change.time || (change.content && !self.settings.times),
                    time,
                ),
                flag(change.perms, 'p'),
                flag(change.owner, 'o'),
                flag(change.group, 'g'),
                '.',
                '.',
                '.',
            ]
            .iter()
            .collect()
        };
        self.out.line(bytes!([first, kind], flags, " ", shown));
    }

    /// Prints `--stats` and the summary, and gives the exit status. The bytes "sent" are those that were copied and 64
    /// for each entry, since there is no protocol to count.
    pub(super) fn finish(mut self) -> i32 {
        let counts = &self.counts;
        let number = |value: u64| self.settings.number(value);
        let all = counts.files + counts.directories + counts.links + counts.specials;
        let moved = counts.copied_size + 64 * all;
        let mut text = String::new();
        if self.settings.stats {
            let kinds = |values: [u64; 4]| {
                let names = ["reg", "dir", "link", "special"];
                let parts: Vec<String> = names
                    .iter()
                    .zip(values)
                    .filter(|(_, value)| *value > 0)
                    .map(|(name, value)| format!("{name}: {}", number(value)))
                    .collect();
                if parts.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", parts.join(", "))
                }
            };
            text = format!(
                "\nNumber of files: {}{}\nNumber of created files: {}{}\nNumber of deleted files: {}\n\
                 Number of regular files transferred: {}\nTotal file size: {} bytes\nTotal transferred file size: {} bytes\n\
                 Literal data: {} bytes\nMatched data: 0 bytes\n",
                number(all),
                kinds([
                    counts.files,
                    counts.directories,
                    counts.links,
                    counts.specials
                ]),
                number(counts.created.iter().sum()),
                kinds(counts.created),
                number(counts.deleted),
                number(counts.transferred),
                number(counts.total_size),
                number(counts.copied_size),
                number(if self.settings.dry {
                    0
                } else {
                    counts.copied_size
                }),
            );
        }
        if self.settings.verbose || self.settings.stats {
            let dry = if self.settings.dry { " (DRY RUN)" } else { "" };
            let speedup = counts.total_size as f64 / moved.max(1) as f64;
            text.push_str(&format!(
                "\nsent {} bytes  received 0 bytes  {}.00 bytes/sec\ntotal size is {}  speedup is {speedup:.2}{dry}\n",
                number(moved),
                number(moved),
                number(counts.total_size),
            ));
        }
        self.out.put(text);
        if self.status != 0 {
            self.out.flush();
            let message = "rsync error: some files/attrs were not transferred (see previous errors) (code 23)";
            eprintln!("{message}");
        }
        self.out.finish("rsync", self.status, 11)
    }
}

/// A number with commas between thousands.
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
