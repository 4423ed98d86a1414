//! `find` of findutils 4.9.0, but for `-fstype` (always false) and the operands of `-D` and `-O`, which are ignored.
//!
//! Three stages: `expression` parses the command line into a tree, this module walks, `evaluate` and `format` apply the
//! tree to each file. The walk keeps its own stack, so depth is bounded by memory and not by the stack of the guest. It
//! holds the names of the directories on the way down: O(depth × entries). Entries of a directory come in the order of
//! their names, where the original has the directory's own order.
//!
//! A file's `stat` is asked for once and only by tests that need it; names and kinds come from reading the directory.

mod evaluate;
mod expression;
mod format;

use crate::system::File;
use std::collections::HashMap;
use std::io::Write as _;

use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Kind, Stat, Time};
use expression::{Expression, Follow, Program};

/// Runs the command. The status is 0, or 1 after any message, after a failing `-exec … +`, or where the command line is
/// wrong.
pub fn run(call: &Call) -> i32 {
    match expression::parse(call) {
        Ok(program) => Find::new(call, program).run(),
        Err(status) => status,
    }
}

/// A file that the walk came to.
pub(super) struct Found {
    /// The starting point as it was written, joined with the names below it.
    pub path: Vec<u8>,
    /// Length of the starting point's part of `path`: `%H` is what is before it, `%P` what is behind.
    pub root: usize,
    /// 0 for a starting point.
    pub depth: usize,
    /// With `-L`, and with `-H` for starting points, that of what a link leads to; a dangling link stays a link.
    pub kind: Kind,
    /// The `stat`, once it was needed; of the same file that `kind` tells of.
    pub stat: Option<Stat>,
}

/// Paths for one command of `-exec … +`.
#[derive(Default)]
pub(super) struct Batch {
    pub paths: Vec<Vec<u8>>,
    /// Their length, each with a byte for its end.
    pub bytes: usize,
}

/// The state of a run: what is written where, what is still to be run, and how the walk goes on.
pub(super) struct Find<'a> {
    call: &'a Call,
    program: Program,
    out: Output,
    /// Files of `-fprint` and its kin by name: created before the walk, shared by all actions with that name.
    files: HashMap<Vec<u8>, File>,
    /// Paths that `-exec … +` still waits with, by the number of the command.
    batches: HashMap<usize, Batch>,
    accounts: Accounts,
    zone: jiff::tz::TimeZone,
    /// The time of the start, which all ages are relative to.
    now: Time,
    /// Exit status so far.
    status: i32,
    /// `-prune` was evaluated for the file at hand: do not go below it.
    prune: bool,
    /// `-quit` was evaluated: nothing more is visited, but batches still run.
    quit: bool,
}

/// An entry of the walk's stack.
enum Step {
    /// A file that is next in turn.
    Visit(Found),
    /// The directory's content was visited. With `-depth` this is its own turn.
    Leave(Found),
}

impl<'a> Find<'a> {
    fn new(call: &'a Call, program: Program) -> Find<'a> {
        Find {
            call,
            program,
            out: Output::new(),
            files: HashMap::new(),
            batches: HashMap::new(),
            accounts: Accounts::new(),
            zone: crate::time::zone(),
            now: Time::now(),
            status: 0,
            prune: false,
            quit: false,
        }
    }

    /// Walks all starting points, runs the batches that are left and flushes the files.
    fn run(mut self) -> i32 {
        let expression = std::mem::replace(&mut self.program.expression, Expression::True);
        if let Err(message) = self.create_files(&expression) {
            return self.call.fail(1, message);
        }
        for root in std::mem::take(&mut self.program.roots) {
            self.walk(root, &expression);
            if self.quit {
                break;
            }
        }
        self.run_batches(&expression);
        for file in self.files.values_mut() {
            if file.flush().is_err() {
                self.status = 1;
            }
        }
        self.out.finish(&self.call.name, self.status, 1)
    }

    /// Reports a file that cannot be looked at; what was printed before comes out first.
    fn complain(&mut self, path: &[u8], reason: impl AsRef<[u8]>) {
        self.out.flush();
        self.status = self.call.fail(1, bytes!(quote::word(path), ": ", reason));
    }

    /// Walks below one starting point and considers each file, before its content or with `-depth` after it. Ends early
    /// at `-quit` and where nobody reads the output.
    fn walk(&mut self, root: Vec<u8>, expression: &Expression) {
        let follow = self.program.follow != Follow::Never;
        let stat = match stat_lenient(&root, follow) {
            Ok(stat) => stat,
            Err(failure) => return self.complain(&root, failure),
        };
        let device = stat.device;
        let length = root.len();
        let first = Found {
            path: root,
            root: length,
            depth: 0,
            kind: stat.kind,
            stat: Some(stat),
        };
        let mut pending = vec![Step::Visit(first)];
        // The directories that are being descended into, to see loops of symbolic links.
        let mut above: Vec<(u64, u64)> = Vec::new();
        while let Some(step) = pending.pop() {
            if self.quit || self.out.is_broken() {
                return;
            }
            let mut found = match step {
                Step::Visit(found) => found,
                Step::Leave(mut found) => {
                    above.pop();
                    if self.program.depth_first {
                        self.consider(&mut found, expression);
                    }
                    continue;
                }
            };
            self.prune = false;
            if self.loops(&mut found, &above) {
                continue;
            }
            if !self.program.depth_first {
                self.consider(&mut found, expression);
            }
            let below = found.kind == Kind::Directory
                && found.depth < self.program.most_depth
                && (!self.prune || self.program.depth_first)
                && !self.leaves_device(&mut found, device);
            if !below {
                if self.program.depth_first {
                    self.consider(&mut found, expression);
                }
                continue;
            }
            self.descend(found, &mut pending, &mut above);
        }
    }

    /// Whether a directory that a link led to is one of those above it, which are compared by device and inode: with
    /// `-L` alone. It gets a message, and status 1, instead of its turn.
    fn loops(&mut self, found: &mut Found, above: &[(u64, u64)]) -> bool {
        if self.program.follow != Follow::Always || found.kind != Kind::Directory {
            return false;
        }
        let stat = self.stat(found).map(|stat| (stat.device, stat.inode));
        let Some(first) = above.iter().position(|one| Some(*one) == stat) else {
            return false;
        };
        let same = parent(&found.path, above.len() - first).unwrap_or_default();
        self.out.flush();
        let reason = bytes!(
            "File system loop detected; ",
            quote::word(&found.path),
            " is part of the same file system loop as ",
            quote::word(same),
            "."
        );
        self.status = self.call.fail(1, reason);
        true
    }

    /// Whether `-xdev` keeps the walk out of this directory.
    fn leaves_device(&mut self, found: &mut Found, device: u64) -> bool {
        self.program.one_device && self.stat(found).is_some_and(|stat| stat.device != device)
    }

    /// Puts a directory's entries onto the stack, the first name on top, above the step that leaves it. `above` gets
    /// its identity, or where nothing is followed a pair that no file has. A directory that cannot be read has its turn
    /// nevertheless.
    fn descend(&mut self, mut found: Found, pending: &mut Vec<Step>, above: &mut Vec<(u64, u64)>) {
        let mut identity = (0, pending.len() as u64);
        if self.program.follow == Follow::Always
            && let Some(stat) = self.stat(&mut found)
        {
            identity = (stat.device, stat.inode);
        }
        let entries = match system::read_directory(&found.path) {
            Ok(entries) => entries,
            Err(failure) => {
                self.complain(&found.path.clone(), failure);
                if self.program.depth_first {
                    pending.push(Step::Leave(found));
                    above.push(identity);
                }
                return;
            }
        };
        above.push(identity);
        let (path, root, depth) = (found.path.clone(), found.root, found.depth + 1);
        pending.push(Step::Leave(found));
        for entry in entries.into_iter().rev() {
            let whole = system::join(&path, &entry.name);
            let mut next = Found {
                path: whole,
                root,
                depth,
                kind: entry.kind,
                stat: None,
            };
            if entry.kind == Kind::Symlink && self.program.follow == Follow::Always {
                match stat_lenient(&next.path, true) {
                    Ok(stat) => {
                        next.kind = stat.kind;
                        next.stat = Some(stat);
                    }
                    Err(failure) => {
                        self.complain(&next.path, failure);
                        continue;
                    }
                }
            }
            pending.push(Step::Visit(next));
        }
    }

    /// Evaluates the expression, unless the file is above `-mindepth`.
    fn consider(&mut self, found: &mut Found, expression: &Expression) {
        if found.depth >= self.program.least_depth {
            self.evaluate(expression, found);
        }
    }

    /// The file's `stat`, asked for at most once; a message and none where it cannot be had.
    pub(super) fn stat<'b>(&mut self, found: &'b mut Found) -> Option<&'b Stat> {
        if found.stat.is_none() {
            let follow = self.program.follow == Follow::Always;
            match stat_lenient(&found.path, follow) {
                Ok(stat) => found.stat = Some(stat),
                Err(failure) => self.complain(&found.path.clone(), failure),
            }
        }
        found.stat.as_ref()
    }
}

/// The path without its last `times` names; none where it has fewer slashes.
fn parent(path: &[u8], times: usize) -> Option<&[u8]> {
    let up = |path: &[u8]| path.iter().rposition(|&byte| byte == b'/');
    (0..times).try_fold(path, |path, _| Some(&path[..up(path)?]))
}

/// `stat`; with `follow`, a symbolic link that leads nowhere is taken for itself. One that leads in a circle is an
/// error.
fn stat_lenient(path: &[u8], follow: bool) -> system::Result<Stat> {
    match system::stat(path, follow) {
        Err(failure) if follow && failure.0 != system::Errno::TooManyLinks => {
            system::stat(path, false)
        }
        found => found,
    }
}
