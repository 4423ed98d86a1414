//! A filesystem that is as simple as can be: a table of nodes, whole contents, counting by looking
//! at everything.

mod content;
mod diff;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use offshoot_vfs::{Caller, Change, ChangeKind, Kind, OpenOptions, Quotas, Timestamp, Usage};

use crate::Filesystem;
use crate::operation::{Operation, Outcome, SLOTS, Stat, Value, pattern};

pub use diff::diff;

type Result<T> = std::result::Result<T, &'static str>;
type Names = BTreeMap<Vec<u8>, usize>;

const CHUNK: usize = 65_536;
const READ: u32 = 4;
const WRITE: u32 = 2;
const EXECUTE: u32 = 1;

#[derive(Clone)]
enum Body {
    /// Content, and how much of each chunk was ever written.
    File(Vec<u8>, BTreeMap<usize, usize>),
    Directory(Names),
    Symlink(Vec<u8>),
    Fifo,
}

#[derive(Clone)]
struct Node {
    body: Body,
    mode: u32,
    uid: u32,
    gid: u32,
    modified: Timestamp,
    changed: Timestamp,
}

#[derive(Clone)]
struct Open {
    node: usize,
    offset: u64,
    options: OpenOptions,
}

#[derive(Clone)]
pub struct Model {
    /// Node 0 is the root. Nodes are never dropped; what counts is what can be reached.
    nodes: Vec<Node>,
    at: usize,
    open: [Option<Open>; SLOTS],
    time: i64,
    quotas: Quotas,
}

/// Where a path leads: directory, name (none for `.`, `..`, `/`), node, slash.
struct Found {
    parent: usize,
    name: Option<Vec<u8>>,
    special: &'static str,
    node: Option<usize>,
    slash: bool,
}

impl Model {
    pub fn new(quotas: Quotas) -> Model {
        let node = |names| Node {
            body: Body::Directory(names),
            mode: 0o777,
            uid: 0,
            gid: 0,
            modified: Timestamp::default(),
            changed: Timestamp::default(),
        };
        let mut nodes: Vec<_> = (0..10u8)
            .map(|depth| node(Names::from([(vec![b'0' + depth], usize::from(depth) + 1)])))
            .collect();
        nodes.push(node(Names::new()));
        nodes[0].mode = 0o755;
        Model {
            nodes,
            at: 10,
            open: Default::default(),
            time: 0,
            quotas,
        }
    }

    pub fn fork(&self) -> Model {
        Model {
            open: Default::default(),
            ..self.clone()
        }
    }

    pub fn usage(&self) -> Usage {
        let mut names: Vec<usize> = vec![0];
        for node in self.reachable() {
            if let Body::Directory(entries) = &self.nodes[node].body {
                names.extend(entries.values());
            }
        }
        let mut kept: BTreeSet<usize> = names.iter().copied().collect();
        let mut orphans = 0;
        for open in self.open.iter().flatten() {
            orphans += u64::from(kept.insert(open.node));
        }
        let stored = |node: &usize| match &self.nodes[*node].body {
            Body::File(_, stored) => stored.values().sum::<usize>() as u64,
            Body::Symlink(target) => target.len() as u64,
            _ => 0,
        };
        Usage {
            bytes: kept.iter().map(stored).sum(),
            inodes: names.len() as u64 + orphans,
        }
    }

    fn reachable(&self) -> BTreeSet<usize> {
        let (mut seen, mut pending) = (BTreeSet::new(), vec![0]);
        while let Some(node) = pending.pop() {
            if seen.insert(node)
                && let Body::Directory(names) = &self.nodes[node].body
            {
                pending.extend(names.values());
            }
        }
        seen
    }

    fn now(&self) -> Timestamp {
        Timestamp {
            seconds: self.time,
            nanoseconds: 0,
        }
    }

    fn kind(&self, node: usize) -> Kind {
        match self.nodes[node].body {
            Body::File(..) => Kind::Regular,
            Body::Directory(_) => Kind::Directory,
            Body::Symlink(_) => Kind::Symlink,
            Body::Fifo => Kind::Fifo,
        }
    }

    fn names(&self, node: usize) -> Result<&Names> {
        match &self.nodes[node].body {
            Body::Directory(names) => Ok(names),
            _ => Err("ENOTDIR"),
        }
    }

    fn names_mut(&mut self, node: usize) -> &mut Names {
        let now = self.now();
        self.nodes[node].modified = now;
        self.nodes[node].changed = now;
        match &mut self.nodes[node].body {
            Body::Directory(names) => names,
            _ => panic!("not a directory"),
        }
    }

    fn parent(&self, directory: usize) -> usize {
        let holds = |node: &usize| {
            self.names(*node)
                .is_ok_and(|names| names.values().any(|child| *child == directory))
        };
        self.reachable().into_iter().find(holds).unwrap_or(0)
    }

    fn links(&self, node: usize) -> u64 {
        let reachable = self.reachable();
        let names = reachable.iter().filter_map(|node| self.names(*node).ok());
        match &self.nodes[node].body {
            Body::Directory(entries) => {
                let below = entries
                    .values()
                    .filter(|node| self.kind(**node) == Kind::Directory);
                2 + below.count() as u64
            }
            _ => names
                .flat_map(Names::values)
                .filter(|child| **child == node)
                .count() as u64,
        }
    }

    fn allowed(&self, caller: &Caller, node: usize, wanted: u32) -> Result<()> {
        let file = &self.nodes[node];
        let bits = if caller.uid == 0 {
            READ | WRITE
                | if file.mode & 0o111 != 0 || self.names(node).is_ok() {
                    EXECUTE
                } else {
                    0
                }
        } else if caller.uid == file.uid {
            file.mode >> 6
        } else if caller.gid == file.gid {
            file.mode >> 3
        } else {
            file.mode
        };
        if bits & wanted == wanted {
            Ok(())
        } else {
            Err("EACCES")
        }
    }

    fn find(&self, caller: &Caller, path: &[u8], follow: bool) -> Result<usize> {
        let found = self.walk(caller, self.at, path, if follow { 2 } else { 1 }, &mut 0)?;
        let node = found.node.ok_or("ENOENT")?;
        if found.slash {
            self.names(node)?;
        }
        Ok(node)
    }

    /// `follow`: 0 never in the last place, 1 where a slash comes after, 2 always, 3 where none does.
    fn walk(
        &self,
        caller: &Caller,
        at: usize,
        path: &[u8],
        follow: u8,
        links: &mut u32,
    ) -> Result<Found> {
        let mut at = at;
        let parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        let real: Vec<usize> = (0..parts.len())
            .filter(|index| !parts[*index].is_empty())
            .collect();
        for (count, index) in real.iter().enumerate() {
            let (name, last) = (parts[*index], count + 1 == real.len());
            let slash = last && index + 1 < parts.len();
            let names = self.names(at)?;
            self.allowed(caller, at, EXECUTE)?;
            let (special, node) = match name {
                b"." => (".", Some(at)),
                b".." => ("..", Some(self.parent(at))),
                name => ("", names.get(name).copied()),
            };
            let through = !last || follow == 2 || follow == if slash { 1 } else { 3 };
            if through
                && let Some(node) = node
                && let Body::Symlink(target) = &self.nodes[node].body
            {
                *links += 1;
                if *links > 40 {
                    return Err("ELOOP");
                }
                let rest: Vec<u8> = parts[index + 1..]
                    .iter()
                    .flat_map(|part| [b"/", *part].concat())
                    .collect();
                return self.walk(caller, at, &[&target[..], &rest].concat(), follow, links);
            }
            if last {
                let name = special.is_empty().then(|| name.to_vec());
                return Ok(Found {
                    parent: at,
                    name,
                    special,
                    node,
                    slash,
                });
            }
            at = node.ok_or("ENOENT")?;
        }
        Err("ENOENT")
    }

    fn change(&self, caller: &Caller, directory: usize) -> Result<()> {
        self.allowed(caller, directory, WRITE | EXECUTE)
    }

    fn removal(&self, caller: &Caller, directory: usize, node: usize) -> Result<()> {
        self.change(caller, directory)?;
        let (above, file) = (&self.nodes[directory], &self.nodes[node]);
        let own = [0, above.uid, file.uid].contains(&caller.uid);
        if above.mode & 0o1000 != 0 && !own {
            Err("EPERM")
        } else {
            Ok(())
        }
    }

    fn free_name(found: &Found, directory: bool) -> Result<Vec<u8>> {
        let name = found.name.clone().ok_or("EEXIST")?;
        if found.node.is_some() {
            return Err("EEXIST");
        }
        if found.slash && !directory {
            Err("ENOENT")
        } else {
            Ok(name)
        }
    }

    fn room(&self, bytes: u64) -> Result<()> {
        let usage = self.usage();
        let full = usage.inodes >= self.quotas.inodes || usage.bytes + bytes > self.quotas.bytes;
        if full { Err("ENOSPC") } else { Ok(()) }
    }

    fn attach(
        &mut self,
        caller: &Caller,
        parent: usize,
        name: Vec<u8>,
        body: Body,
        mode: u32,
    ) -> Result<usize> {
        self.change(caller, parent)?;
        self.room(if let Body::Symlink(target) = &body {
            target.len() as u64
        } else {
            0
        })?;
        let (node, now) = (self.nodes.len(), self.now());
        let (uid, gid) = (caller.uid, caller.gid);
        self.nodes.push(Node {
            body,
            mode,
            uid,
            gid,
            modified: now,
            changed: now,
        });
        self.names_mut(parent).insert(name, node);
        Ok(node)
    }

    fn make(&mut self, caller: &Caller, path: &[u8], body: Body, mode: u32) -> Result<Value> {
        let found = self.walk(caller, self.at, path, 0, &mut 0)?;
        let name = Model::free_name(&found, matches!(body, Body::Directory(_)))?;
        self.attach(caller, found.parent, name, body, mode)?;
        Ok(Value::Unit)
    }

    fn detach(&mut self, parent: usize, name: &[u8], node: usize) {
        self.names_mut(parent).remove(name);
        self.nodes[node].changed = self.now();
    }

    fn owner_only(&self, caller: &Caller, node: usize) -> Result<()> {
        if [0, self.nodes[node].uid].contains(&caller.uid) {
            Ok(())
        } else {
            Err("EPERM")
        }
    }

    fn set_mode(&mut self, caller: &Caller, path: &[u8], mode: u32) -> Result<Value> {
        let (node, now) = (self.find(caller, path, true)?, self.now());
        self.owner_only(caller, node)?;
        self.nodes[node].mode = mode;
        self.nodes[node].changed = now;
        Ok(Value::Unit)
    }

    fn set_owner(
        &mut self,
        caller: &Caller,
        path: &[u8],
        uid: Option<u32>,
        gid: Option<u32>,
    ) -> Result<Value> {
        let (node, now) = (self.find(caller, path, true)?, self.now());
        let file = &mut self.nodes[node];
        let same_user = uid.is_none_or(|uid| uid == file.uid);
        let own_group = gid.is_none_or(|gid| gid == file.gid || gid == caller.gid);
        let nothing = uid.is_none() && gid.is_none();
        if caller.uid != 0 && !nothing && !(caller.uid == file.uid && same_user && own_group) {
            return Err("EPERM");
        }
        file.uid = uid.unwrap_or(file.uid);
        file.gid = gid.unwrap_or(file.gid);
        file.changed = now;
        Ok(Value::Unit)
    }

    fn stat(&self, node: usize) -> Value {
        let file = &self.nodes[node];
        let size = match &file.body {
            Body::File(content, _) => content.len() as u64,
            Body::Directory(_) => 4096,
            Body::Symlink(target) => target.len() as u64,
            Body::Fifo => 0,
        };
        Value::Stat(Stat {
            kind: self.kind(node),
            mode: file.mode,
            links: self.links(node),
            owner: (file.uid, file.gid),
            size,
            modified: file.modified,
            changed: file.changed,
        })
    }

    fn canonicalize(&self, caller: &Caller, path: &[u8]) -> Result<Value> {
        let found = self.walk(caller, self.at, path, 2, &mut 0)?;
        let node = found.node.ok_or("ENOENT")?;
        if found.slash {
            self.names(node)?;
        }
        let (mut directory, mut parts) = match found.name {
            Some(name) => (found.parent, vec![name]),
            None => (node, Vec::new()),
        };
        while directory != 0 {
            let parent = self.parent(directory);
            let names = self.names(parent)?;
            let name = names
                .iter()
                .find(|(_, node)| **node == directory)
                .map(|(name, _)| name.clone());
            parts.push(name.unwrap_or_default());
            directory = parent;
        }
        let path: Vec<u8> = parts
            .iter()
            .rev()
            .flat_map(|part| [b"/", &part[..]].concat())
            .collect();
        Ok(Value::Bytes(if path.is_empty() {
            b"/".to_vec()
        } else {
            path
        }))
    }

    fn try_run(&mut self, caller: &Caller, operation: &Operation) -> Outcome {
        use Operation as O;
        let masked = |mode: &u32| mode & !caller.umask;
        match operation {
            O::CreateDir(path, mode) => {
                self.make(caller, path, Body::Directory(Names::new()), masked(mode))
            }
            O::CreateFifo(path, mode) => self.make(caller, path, Body::Fifo, masked(mode)),
            O::Symlink(target, path) => {
                self.make(caller, path, Body::Symlink(target.clone()), 0o777)
            }
            O::Link(old, new, follow) => self.link(caller, old, new, *follow),
            O::Rename(old, new) => self.rename(caller, old, new),
            O::Unlink(path) => self.unlink(caller, path),
            O::RemoveDir(path) => self.remove_dir(caller, path),
            O::RemoveTree(path) => self.remove_tree(caller, path),
            O::Open(slot, path, options, mode) => self.open(caller, *slot, path, options, *mode),
            O::Read(slot, length) => self.read(*slot, None, *length),
            O::ReadAt(slot, at, length) => self.read(*slot, Some(*at), *length),
            O::Write(slot, length, seed) => self.write(*slot, None, &pattern(*length, *seed)),
            O::WriteAt(slot, at, length) => self.write(*slot, Some(*at), &pattern(*length, 7)),
            O::Seek(slot, at) => {
                self.open[*slot].as_mut().ok_or("closed")?.offset = *at;
                Ok(Value::Number(*at))
            }
            O::SetSizeOpen(slot, size) => {
                let open = self.open[*slot].clone().ok_or("closed")?;
                if open.options.write {
                    self.set_size(open.node, *size)
                } else {
                    Err("EINVAL")
                }
            }
            O::StatOpen(slot) => Ok(self.stat(self.open[*slot].as_ref().ok_or("closed")?.node)),
            O::Close(slot) => {
                self.open[*slot] = None;
                Ok(Value::Unit)
            }
            O::SetMode(path, mode) => self.set_mode(caller, path, *mode),
            O::SetOwner(path, uid, gid) => self.set_owner(caller, path, *uid, *gid),
            O::SetSize(path, size) => {
                let node = self.find(caller, path, true)?;
                if self.kind(node) == Kind::Directory {
                    return Err("EISDIR");
                }
                self.allowed(caller, node, WRITE)?;
                self.set_size(node, *size)
            }
            O::SetTimes(path, time, follow) => {
                let (node, now) = (self.find(caller, path, *follow)?, self.now());
                self.owner_only(caller, node)?;
                self.nodes[node].modified = Timestamp {
                    seconds: *time,
                    nanoseconds: 5,
                };
                self.nodes[node].changed = now;
                Ok(Value::Unit)
            }
            O::Stat(path, follow) => Ok(self.stat(self.find(caller, path, *follow)?)),
            O::ReadDir(path) => {
                let node = self.find(caller, path, true)?;
                let names = self.names(node)?;
                self.allowed(caller, node, READ)?;
                let entry = |(name, node): (&Vec<u8>, &usize)| (name.clone(), self.kind(*node));
                Ok(Value::Names(names.iter().map(entry).collect()))
            }
            O::ReadLink(path) => match &self.nodes[self.find(caller, path, false)?].body {
                Body::Symlink(target) => Ok(Value::Bytes(target.clone())),
                _ => Err("EINVAL"),
            },
            O::ReadFile(path) => {
                let node = self.find(caller, path, true)?;
                self.allowed(caller, node, READ)?;
                match &self.nodes[node].body {
                    Body::File(content, _) => Ok(Value::Bytes(content.clone())),
                    Body::Directory(_) => Err("EISDIR"),
                    _ => Err("EINVAL"),
                }
            }
            O::Canonicalize(path) => self.canonicalize(caller, path),
            O::Fork | O::Switch(_) => Ok(Value::Unit),
        }
    }
}

impl Filesystem for Model {
    fn run(&mut self, caller: &Caller, operation: &Operation) -> Outcome {
        self.time += 1;
        self.try_run(caller, operation)
    }

    fn dump(&mut self) -> Vec<(Vec<u8>, Outcome, Outcome)> {
        crate::dump(self)
    }
}
