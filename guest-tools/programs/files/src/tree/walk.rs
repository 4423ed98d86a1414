//! Reading the directories of a tree, filtered and sorted. Each entry costs a `stat`, a link two more calls. The
//! recursion is as deep as the tree.

use std::collections::HashSet;

use crate::glob::Glob;
use crate::system::{self, Kind, Stat};
use crate::version;

/// What the entries are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Name,
    Version,
    /// The largest first.
    Size,
    /// The oldest first, by whole seconds.
    Modified,
    /// By the inode's change, the oldest first.
    Changed,
    /// As the directory has them, which is by name here.
    None,
}

/// Which files are shown, and in which order.
pub struct Filter {
    /// `-a`: names that begin with a dot.
    pub all: bool,
    /// `-d`; links to directories stay.
    pub directories_only: bool,
    /// `-l`: links to directories are followed, each directory once.
    pub follow: bool,
    /// Levels below the root.
    pub depth: usize,
    /// A directory with more entries is not shown.
    pub limit: usize,
    /// `-P`: files must match one of these, unless there are none.
    pub include: Vec<Glob>,
    /// `-I`: what matches one of these is not shown.
    pub exclude: Vec<Glob>,
    /// `-P` also holds for directories: all in one that matches is shown.
    pub match_directories: bool,
    /// Directories without content are not shown.
    pub prune: bool,
    /// `--du`: a directory's size is that of its content as well.
    pub add_sizes: bool,
    pub order: Order,
    pub reverse: bool,
    /// Directories before files, or after them.
    pub directories_first: Option<bool>,
}

/// A file of the tree.
pub struct Node {
    pub name: Vec<u8>,
    /// Begins with the root as it was given.
    pub path: Vec<u8>,
    /// Of the file itself, or of a root through links.
    pub stat: Stat,
    /// Where a symbolic link leads, and what is there.
    pub link: Option<(Vec<u8>, Option<Stat>)>,
    pub children: Vec<Node>,
    /// Why the directory was not read, for its line.
    pub note: Option<String>,
}

impl Node {
    /// Whether it counts as a directory; links to directories do.
    pub fn is_directory(&self) -> bool {
        let end = match &self.link {
            Some((_, Some(target))) => target.kind,
            _ => self.stat.kind,
        };
        end == Kind::Directory
    }
}

/// Reads trees.
pub struct Walk<'a> {
    filter: &'a Filter,
    /// Directories that were opened, by device and inode, so that links to them are not followed.
    seen: HashSet<(u64, u64)>,
    /// A directory could not be read.
    pub failed: bool,
}

impl<'a> Walk<'a> {
    /// Walks over what `filter` lets through.
    pub fn new(filter: &'a Filter) -> Walk<'a> {
        Walk {
            filter,
            seen: HashSet::new(),
            failed: false,
        }
    }

    /// The tree below a name of the command line; none where it is no directory.
    pub fn root(&mut self, path: &[u8]) -> Option<Node> {
        let stat = system::stat(path, true).ok()?;
        let mut node = Node {
            name: path.to_vec(),
            path: path.to_vec(),
            stat,
            link: None,
            children: Vec::new(),
            note: None,
        };
        if node.stat.kind != Kind::Directory {
            return None;
        }
        self.open(&mut node, 1, b"");
        Some(node)
    }

    /// Reads a directory and all below it; `depth` is that of its entries, `inner` its path from the root.
    fn open(&mut self, node: &mut Node, depth: usize, inner: &[u8]) {
        let matched = self.filter.match_directories && !inner.is_empty() && self.included(inner);
        self.seen.insert((node.stat.device, node.stat.inode));
        let Ok(entries) = system::read_directory(&node.path) else {
            self.failed = true;
            node.note = Some("error opening dir".to_owned());
            return;
        };
        let mut children = Vec::new();
        for entry in entries {
            let path = system::join(&node.path, &entry.name);
            // What went away in the meantime is not shown.
            let Ok(stat) = system::stat(&path, false) else {
                continue;
            };
            let link = (stat.kind == Kind::Symlink).then(|| {
                let target = system::read_link(&path).unwrap_or_default();
                (target, system::stat(&path, true).ok())
            });
            let child = Node {
                name: entry.name,
                path,
                stat,
                link,
                children: Vec::new(),
                note: None,
            };
            if self.shows(&child, matched) {
                children.push(child);
            }
        }
        if children.len() > self.filter.limit {
            let count = children.len();
            node.note = Some(format!(
                "{count} entries exceeds filelimit, not opening dir"
            ));
            return;
        }
        for child in &mut children {
            self.descend(child, depth, inner);
        }
        if self.filter.prune {
            let named = |child: &Node| self.filter.match_directories && self.included(&child.name);
            let kept =
                |child: &Node| !child.is_directory() || !child.children.is_empty() || named(child);
            children.retain(kept);
        }
        if self.filter.add_sizes {
            node.stat.size += children.iter().map(|child| child.stat.size).sum::<u64>();
        }
        self.sort(&mut children);
        node.children = children;
    }

    /// Goes on below an entry that is a directory, unless that was seen or is too deep.
    fn descend(&mut self, child: &mut Node, depth: usize, inner: &[u8]) {
        let follows = self.filter.follow && child.is_directory();
        if child.stat.kind != Kind::Directory && !follows {
            return;
        }
        if let (true, Some((_, Some(target)))) = (follows, &child.link) {
            if self.seen.contains(&(target.device, target.inode)) {
                child.note = Some("recursive, not followed".to_owned());
                return;
            }
            self.seen.insert((target.device, target.inode));
        }
        if depth >= self.filter.depth {
            return;
        }
        let inner = system::join(inner, &child.name);
        self.open(child, depth + 1, &inner);
    }

    /// Whether a glob of `-P` matches.
    fn included(&self, name: &[u8]) -> bool {
        self.filter.include.iter().any(|glob| glob.matches(name))
    }

    /// Whether an entry is part of the tree; `matched` is that its directory matched `-P`.
    fn shows(&self, child: &Node, matched: bool) -> bool {
        let filter = self.filter;
        let directory = child.stat.kind == Kind::Directory;
        if (!filter.all && child.name.starts_with(b"."))
            || (filter.directories_only && !child.is_directory())
            || filter.exclude.iter().any(|glob| glob.matches(&child.name))
        {
            return false;
        }
        let followed = filter.follow && child.is_directory();
        filter.include.is_empty() || directory || followed || matched || self.included(&child.name)
    }

    /// Sorts the entries of a directory.
    fn sort(&self, children: &mut [Node]) {
        let filter = self.filter;
        let by_name = |a: &Node, b: &Node| a.name.cmp(&b.name);
        children.sort_by(|a, b| {
            let order = match filter.order {
                Order::Name => by_name(a, b),
                Order::Version => version::compare(&a.name, &b.name),
                Order::Size => b.stat.size.cmp(&a.stat.size).then_with(|| by_name(a, b)),
                Order::Modified => a
                    .stat
                    .modified
                    .seconds
                    .cmp(&b.stat.modified.seconds)
                    .then_with(|| by_name(a, b)),
                Order::Changed => a
                    .stat
                    .changed
                    .seconds
                    .cmp(&b.stat.changed.seconds)
                    .then_with(|| by_name(a, b)),
                Order::None => std::cmp::Ordering::Equal,
            };
            let order = if filter.reverse {
                order.reverse()
            } else {
                order
            };
            match filter.directories_first {
                None => order,
                Some(true) => b.is_directory().cmp(&a.is_directory()).then(order),
                Some(false) => a.is_directory().cmp(&b.is_directory()).then(order),
            }
        });
    }
}
