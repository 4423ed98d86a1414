//! `find`.

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

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match expression::parse(call) {
        Ok(program) => Find::new(call, program).run(),
        Err(status) => status,
    }
}

/// A file that was found.
pub(super) struct Found {
    pub path: Vec<u8>,
    /// How long the starting point's part of the path is.
    pub root: usize,
    pub depth: usize,
    pub kind: Kind,
    /// The `stat`, once it was needed.
    pub stat: Option<Stat>,
}

/// What is written where, and what is still to be run.
pub(super) struct Find<'a> {
    call: &'a Call,
    program: Program,
    out: Output,
    files: HashMap<Vec<u8>, File>,
    batches: HashMap<usize, Vec<Vec<u8>>>,
    accounts: Accounts,
    zone: jiff::tz::TimeZone,
    now: Time,
    status: i32,
    /// Do not go below the directory that is being looked at.
    prune: bool,
    quit: bool,
}

enum Step {
    Visit(Found),
    /// The directory's content was visited: now it is its own turn.
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

    fn run(mut self) -> i32 {
        let expression = std::mem::replace(&mut self.program.expression, Expression::True);
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

    fn complain(&mut self, path: &[u8], reason: impl AsRef<[u8]>) {
        self.out.flush();
        self.status = self.call.fail(1, bytes!(quote::word(path), ": ", reason));
    }

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

    /// Whether a directory is one of those above it; a message where it is.
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

    fn leaves_device(&mut self, found: &mut Found, device: u64) -> bool {
        self.program.one_device && self.stat(found).is_some_and(|stat| stat.device != device)
    }

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

    fn consider(&mut self, found: &mut Found, expression: &Expression) {
        if found.depth >= self.program.least_depth {
            self.evaluate(expression, found);
        }
    }

    /// The file's `stat`; a message where it cannot be had.
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

/// The directory that a path is in, so many times.
fn parent(path: &[u8], times: usize) -> Option<&[u8]> {
    let up = |path: &[u8]| path.iter().rposition(|&byte| byte == b'/');
    (0..times).try_fold(path, |path, _| Some(&path[..up(path)?]))
}

/// `stat`; a symbolic link that leads nowhere is taken for itself.
fn stat_lenient(path: &[u8], follow: bool) -> system::Result<Stat> {
    match system::stat(path, follow) {
        Err(failure) if follow && failure.0 != system::Errno::TooManyLinks => {
            system::stat(path, false)
        }
        found => found,
    }
}
