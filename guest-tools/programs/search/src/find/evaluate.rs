//! Evaluates an expression for one file, and does what its actions say.
//!
//! Evaluation is the recursion over the tree that POSIX describes: `-a` and `-o` stop as soon as their value is
//! certain, so that actions on the right do not happen. After `-quit` nothing further is evaluated. An action is true
//! where it succeeded.

use std::io::Write as _;

use super::expression::{Command, Expression, Number, Stamp, Target};
use super::{Batch, Find, Found};
use crate::call::{bytes, complain};
use crate::launch;
use crate::quote;
use crate::system::{self, Kind, Stat, Time};

/// How many bytes of paths one command of `-exec … +` gets, each with a terminating NUL: 128 KiB as in findutils. A
/// batch runs when a path makes it longer, so that it may exceed this by one path.
const BATCH: usize = 128 * 1024;

impl Find<'_> {
    /// Whether the expression holds for the file. Actions have happened when it returns, but for batches (see
    /// `run_batches`).
    pub(super) fn evaluate(&mut self, expression: &Expression, found: &mut Found) -> bool {
        match expression {
            Expression::True => true,
            Expression::False => false,
            Expression::Not(inner) => !self.evaluate(inner, found),
            Expression::And(parts) => parts
                .iter()
                .all(|part| self.evaluate(part, found) && !self.quit),
            Expression::Or(parts) => parts
                .iter()
                .any(|part| self.quit || self.evaluate(part, found)),
            Expression::List(parts) => parts
                .iter()
                .fold(true, |_, part| !self.quit && self.evaluate(part, found)),
            Expression::Name(glob) => glob.matches(base_name(&found.path)),
            Expression::Path(glob) => glob.matches(&found.path),
            Expression::LinkName(glob) => {
                found.kind == Kind::Symlink
                    && system::read_link(&found.path).is_ok_and(|target| glob.matches(&target))
            }
            Expression::Regex(pattern) => pattern.is_match(&found.path),
            Expression::Type(letters, other) => self.has_type(letters, *other, found),
            Expression::Empty => self.is_empty(found),
            Expression::Access(bits) => system::access(&found.path, *bits).is_ok(),
            Expression::Prune => {
                self.prune = true;
                true
            }
            Expression::Quit => {
                self.quit = true;
                true
            }
            Expression::Delete => self.delete(found),
            Expression::Print(end, target) => {
                let line = bytes!(found.path, [*end]);
                self.write(target, &line)
            }
            Expression::Format(format, target) => {
                let text = self.format(format, found);
                self.write(target, &text)
            }
            Expression::List2(target) => {
                let text = self.long(found);
                self.write(target, &text)
            }
            Expression::Run(command) => self.command(command, found),
            _ => self.test(expression, found),
        }
    }

    /// Tests that need the file's `stat`; false where it cannot be had.
    ///
    /// Sizes are rounded up to units before they are compared, so that `-size -1M` holds for empty files alone. `-perm`
    /// compares all twelve bits: `MODE` exactly, `-MODE` all of these, `/MODE` any of these (`/0` is always true).
    fn test(&mut self, expression: &Expression, found: &mut Found) -> bool {
        let Some(stat) = self.stat(found).cloned() else {
            return false;
        };
        match expression {
            Expression::Size(number, unit) => number.holds(stat.size.div_ceil(*unit)),
            Expression::Age(stamp, number, unit) => self.has_age(*stamp, *number, *unit, &stat),
            Expression::Newer(stamp, time) => stamp.of(&stat) > *time,
            Expression::Permissions(how, change) => {
                let wanted = change.apply(0, stat.kind == Kind::Directory, 0);
                match how {
                    b'-' => stat.mode & wanted == wanted,
                    b'/' => wanted == 0 || stat.mode & wanted != 0,
                    _ => stat.mode == wanted,
                }
            }
            Expression::Links(number) => number.holds(u64::from(stat.links)),
            Expression::Inode(number) => number.holds(stat.inode),
            Expression::User(number) => number.holds(u64::from(stat.uid)),
            Expression::Group(number) => number.holds(u64::from(stat.gid)),
            Expression::NoUser => self.accounts.user_name(stat.uid).is_none(),
            Expression::NoGroup => self.accounts.group_name(stat.gid).is_none(),
            Expression::SameFile(device, inode) => (stat.device, stat.inode) == (*device, *inode),
            _ => false,
        }
    }

    /// `-type`, and with `other` `-xtype`: for a link the type of what it leads to; a dangling link is `l`.
    fn has_type(&mut self, letters: &[u8], other: bool, found: &mut Found) -> bool {
        let kind = if other && found.kind == Kind::Symlink {
            system::stat(&found.path, true).map_or(Kind::Symlink, |stat| stat.kind)
        } else {
            found.kind
        };
        let letter = if kind == Kind::Regular {
            b'f'
        } else {
            kind.letter()
        };
        letters.contains(&letter)
    }

    /// An empty file, or a directory without entries; other kinds are never empty.
    fn is_empty(&mut self, found: &mut Found) -> bool {
        match found.kind {
            Kind::Directory => {
                system::read_directory(&found.path).is_ok_and(|names| names.is_empty())
            }
            Kind::Regular => self.stat(found).is_some_and(|stat| stat.size == 0),
            _ => false,
        }
    }

    /// `-mtime` and its kin (`unit` is 86400 seconds) and `-mmin` (60). Days are cut to whole ones before the
    /// comparison, minutes are not:
    ///
    /// ```text
    /// -mtime 0     less than 24 hours ago
    /// -mtime +1    48 hours ago or more
    /// -mtime -1    less than 24 hours ago (or in the future)
    /// -mmin +5     more than 300 seconds ago
    /// -mmin 5      more than 240, at most 300 seconds ago
    /// ```
    ///
    /// With `-daystart` ages are measured from the end of the day, in the local zone.
    fn has_age(&self, stamp: Stamp, number: Number, unit: u64, stat: &Stat) -> bool {
        let mut now = self.now;
        if self.program.from_day_start {
            now = self.end_of_day();
        }
        let time = stamp.of(stat);
        let age = now.as_f64() - time.as_f64();
        if unit == 60 {
            // Minutes are compared exactly, and `n` is the minute that ends n minutes ago.
            let limit = number.value as f64 * 60.0;
            return match number.sign {
                b'+' => age > limit,
                b'-' => age < limit,
                _ => age > limit - 60.0 && age <= limit,
            };
        }
        let units = (age / unit as f64).floor();
        match number.sign {
            b'+' => units > number.value as f64,
            b'-' => units < number.value as f64,
            _ => units == number.value as f64,
        }
    }

    /// The next midnight of the local zone.
    fn end_of_day(&self) -> Time {
        let next = crate::time::local(self.now, &self.zone)
            .tomorrow()
            .and_then(|tomorrow| tomorrow.start_of_day());
        let seconds = next.map_or(self.now.seconds, |next| next.timestamp().as_second());
        Time {
            seconds,
            nanoseconds: 0,
        }
    }

    /// `-delete`: of the working directory itself it is true without doing anything. A directory must be empty, which
    /// `-depth` takes care of.
    fn delete(&mut self, found: &Found) -> bool {
        if found.path == b"." || found.path == b"./" {
            return true;
        }
        let removed = match found.kind {
            Kind::Directory => system::remove_directory(&found.path),
            _ => system::unlink(&found.path),
        };
        if let Err(failure) = removed {
            self.out.flush();
            complain(
                "find",
                bytes!("cannot delete ", quote::word(&found.path), ": ", failure),
            );
            self.status = 1;
        }
        removed.is_ok()
    }

    /// Creates the files that actions of the expression write to, before anything is visited.
    ///
    /// # Errors
    /// A message for the first that cannot be written.
    pub(super) fn create_files(&mut self, expression: &Expression) -> Result<(), Vec<u8>> {
        match expression {
            Expression::Print(_, Some(path))
            | Expression::Format(_, Some(path))
            | Expression::List2(Some(path)) => {
                if !self.files.contains_key(path) {
                    let file = system::create_file(path, false)
                        .map_err(|failure| bytes!(quote::word(path), ": ", failure))?;
                    self.files.insert(path.clone(), file);
                }
                Ok(())
            }
            Expression::Not(inner) => self.create_files(inner),
            Expression::And(parts) | Expression::Or(parts) | Expression::List(parts) => {
                parts.iter().try_for_each(|part| self.create_files(part))
            }
            _ => Ok(()),
        }
    }

    /// Writes to standard output or to the file of the action; false, with status 1, where that fails.
    fn write(&mut self, target: &Target, text: &[u8]) -> bool {
        let Some(path) = target else {
            self.out.put(text);
            return true;
        };
        let written = self
            .files
            .get_mut(path)
            .is_some_and(|file| file.write_all(text).is_ok());
        self.status = if written { self.status } else { 1 };
        written
    }

    /// Runs `-exec` and its kin. Every `{}` within a word is replaced. For `-execdir` and `-okdir` the path is
    /// `./NAME`, and the command starts in the file's directory; with `+` each of these runs alone. What is added to a
    /// batch counts as true. Otherwise it is whether the command exited with 0.
    fn command(&mut self, command: &Command, found: &Found) -> bool {
        let (path, directory) = if command.in_directory {
            let at = found.path.iter().rposition(|&byte| byte == b'/');
            let directory = at.map_or(b".".to_vec(), |at| found.path[..at.max(1)].to_vec());
            (bytes!("./", base_name(&found.path)), Some(directory))
        } else {
            (found.path.clone(), None)
        };
        if command.batch && !command.in_directory {
            let batch = self.batches.entry(command.number).or_default();
            batch.bytes += path.len() + 1;
            batch.paths.push(path);
            if batch.bytes > BATCH {
                self.run_batch(command);
            }
            return true;
        }
        let mut words: Vec<Vec<u8>> = command
            .words
            .iter()
            .map(|word| replace(word, b"{}", &path))
            .collect();
        if command.batch {
            words.push(path);
        }
        if command.ask && !ask(&words, &found.path) {
            return false;
        }
        self.start(&words, directory.as_deref()) == 0
    }

    /// Runs a command with the paths that have gathered; a status other than 0 makes 1 of that of `find`.
    fn run_batch(&mut self, command: &Command) {
        let Some(Batch { paths, .. }) = self.batches.remove(&command.number) else {
            return;
        };
        let words: Vec<Vec<u8>> = command.words.iter().cloned().chain(paths).collect();
        if self.start(&words, None) != 0 {
            self.status = 1;
        }
    }

    /// Runs what is left in batches at the end, in the order of the command line. A batch that is empty does not run.
    pub(super) fn run_batches(&mut self, expression: &Expression) {
        match expression {
            Expression::Run(command) if command.batch => self.run_batch(command),
            Expression::Not(inner) => self.run_batches(inner),
            Expression::And(parts) | Expression::Or(parts) | Expression::List(parts) => {
                parts.iter().for_each(|part| self.run_batches(part));
            }
            _ => {}
        }
    }

    /// Starts a command after the output so far is out, waits for it, and gives its status; 126 or 127 where it cannot
    /// start.
    fn start(&mut self, words: &[Vec<u8>], directory: Option<&[u8]>) -> i32 {
        self.out.flush();
        let started = launch::start(self.call, words, &system::environment(), directory);
        match started.and_then(|pid| system::wait(pid).map_err(|_| 1)) {
            Ok(exit) => exit.status(),
            Err(status) => status,
        }
    }
}

/// The question of `-ok`, to standard error: `< ls ... ./a > ? `. The answer is a line of standard input that begins
/// with `y` or `Y`.
fn ask(words: &[Vec<u8>], path: &[u8]) -> bool {
    let question = bytes!("< ", words[0], " ... ", path, " > ? ");
    let mut answer = String::new();
    crate::stream::stderr().write_all(&question).is_ok()
        && crate::stream::stdin().read_line(&mut answer).is_ok()
        && answer.starts_with(['y', 'Y'])
}

/// The last component without slashes behind it; of `/` itself, `/`.
pub(super) fn base_name(path: &[u8]) -> &[u8] {
    let end = path
        .iter()
        .rposition(|&byte| byte != b'/')
        .map_or(1, |last| last + 1);
    let path = &path[..end.min(path.len())];
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) if path.len() > 1 => &path[at + 1..],
        _ => path,
    }
}

/// `text` with every `from` in it replaced, from left to right.
fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + to.len());
    let mut rest = text;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    out.extend_from_slice(rest);
    out
}
