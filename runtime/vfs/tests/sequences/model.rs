//! A filesystem that is as simple as can be: a table of nodes, whole contents, counting by looking
//! at everything.

use std::collections::{BTreeMap, BTreeSet};

use offshoot_vfs::{Caller, Change, ChangeKind, Kind, OpenOptions, Quotas, Timestamp, Usage};

use crate::Filesystem;
use crate::operation::{Operation, Outcome, SLOTS, Stat, Value, pattern};

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

    fn link(&mut self, caller: &Caller, old: &[u8], new: &[u8], follow: bool) -> Result<Value> {
        let node = self.find(caller, old, follow)?;
        let found = self.walk(caller, self.at, new, 0, &mut 0)?;
        let name = Model::free_name(&found, false)?;
        self.change(caller, found.parent)?;
        if self.kind(node) == Kind::Directory {
            return Err("EPERM");
        }
        if self.usage().inodes >= self.quotas.inodes {
            return Err("ENOSPC");
        }
        self.names_mut(found.parent).insert(name, node);
        self.nodes[node].changed = self.now();
        Ok(Value::Unit)
    }

    fn is_above(&self, node: usize, mut directory: usize) -> bool {
        while directory != node && directory != 0 {
            directory = self.parent(directory);
        }
        directory == node
    }

    fn rename(&mut self, caller: &Caller, old: &[u8], new: &[u8]) -> Result<Value> {
        let old = self.walk(caller, self.at, old, 0, &mut 0)?;
        let new = self.walk(caller, self.at, new, 0, &mut 0)?;
        let (Some(old_name), Some(new_name)) = (&old.name, &new.name) else {
            return Err("EBUSY");
        };
        let node = old.node.ok_or("ENOENT")?;
        let directory = self.kind(node) == Kind::Directory;
        if !directory && (old.slash || new.slash) {
            return Err("ENOTDIR");
        }
        if directory && self.is_above(node, new.parent) {
            return Err("EINVAL");
        }
        if let Some(target) = new.node
            && self.kind(target) == Kind::Directory
            && self.is_above(target, old.parent)
        {
            return Err("ENOTEMPTY");
        }
        if new.node == Some(node) {
            return Ok(Value::Unit);
        }
        self.removal(caller, old.parent, node)?;
        match new.node {
            Some(target) => self.removal(caller, new.parent, target)?,
            None => self.change(caller, new.parent)?,
        }
        if let Some(target) = new.node {
            match (directory, self.names(target).map(Names::is_empty)) {
                (true, Err(_)) => return Err("ENOTDIR"),
                (false, Ok(_)) => return Err("EISDIR"),
                _ => {}
            }
        }
        if directory && old.parent != new.parent {
            self.allowed(caller, node, WRITE)?;
        }
        if new
            .node
            .is_some_and(|target| self.names(target).is_ok_and(|names| !names.is_empty()))
        {
            return Err("ENOTEMPTY");
        }
        if let Some(target) = new.node {
            self.nodes[target].changed = self.now();
        }
        self.names_mut(old.parent).remove(old_name);
        self.names_mut(new.parent).insert(new_name.clone(), node);
        self.nodes[node].changed = self.now();
        Ok(Value::Unit)
    }

    fn unlink(&mut self, caller: &Caller, path: &[u8]) -> Result<Value> {
        let found = self.walk(caller, self.at, path, 0, &mut 0)?;
        let name = found.name.ok_or("EISDIR")?;
        let node = found.node.ok_or("ENOENT")?;
        let directory = self.kind(node) == Kind::Directory;
        if found.slash {
            return Err(if directory { "EISDIR" } else { "ENOTDIR" });
        }
        self.removal(caller, found.parent, node)?;
        if directory {
            return Err("EISDIR");
        }
        self.detach(found.parent, &name, node);
        Ok(Value::Unit)
    }

    fn remove_dir(&mut self, caller: &Caller, path: &[u8]) -> Result<Value> {
        let found = self.walk(caller, self.at, path, 0, &mut 0)?;
        let Some(name) = &found.name else {
            return Err(if found.special == "." {
                "EINVAL"
            } else {
                "ENOTEMPTY"
            });
        };
        let node = found.node.ok_or("ENOENT")?;
        self.removal(caller, found.parent, node)?;
        if !self.names(node)?.is_empty() {
            return Err("ENOTEMPTY");
        }
        self.detach(found.parent, name, node);
        Ok(Value::Unit)
    }

    fn remove_tree(&mut self, caller: &Caller, path: &[u8]) -> Result<Value> {
        let found = self.walk(caller, self.at, path, 0, &mut 0)?;
        let name = found.name.ok_or("EBUSY")?;
        let node = found.node.ok_or("ENOENT")?;
        if found.slash {
            self.names(node)?;
        }
        self.remove_below(caller, found.parent, &name, node)?;
        Ok(Value::Unit)
    }

    fn remove_below(
        &mut self,
        caller: &Caller,
        parent: usize,
        name: &[u8],
        node: usize,
    ) -> Result<()> {
        if let Ok(names) = self.names(node).cloned()
            && !names.is_empty()
        {
            self.allowed(caller, node, READ)?;
            // What is no directory, or an empty one, goes first; then the last directory, then the rest.
            let full = |node: usize| self.names(node).is_ok_and(|names| !names.is_empty());
            let (later, first): (Vec<_>, Vec<_>) =
                names.into_iter().partition(|(_, node)| full(*node));
            for (name, child) in first.into_iter().chain(later.into_iter().rev()) {
                self.remove_below(caller, node, &name, child)?;
            }
        }
        self.removal(caller, parent, node)?;
        self.detach(parent, name, node);
        Ok(())
    }

    fn open(
        &mut self,
        caller: &Caller,
        slot: usize,
        path: &[u8],
        options: &OpenOptions,
        mode: u32,
    ) -> Result<Value> {
        let follow = match () {
            () if options.create && (options.exclusive || options.no_follow) => 0,
            () if options.create => 3,
            () if options.no_follow => 1,
            () => 2,
        };
        let found = self.walk(caller, self.at, path, follow, &mut 0)?;
        let node = match found.node {
            None if options.create => {
                let name = found.name.filter(|_| !found.slash).ok_or("EISDIR")?;
                let body = Body::File(Vec::new(), BTreeMap::new());
                self.attach(caller, found.parent, name, body, mode & !caller.umask)?
            }
            None => return Err("ENOENT"),
            Some(node) => {
                let named = found.name.is_some();
                self.open_existing(caller, node, (found.slash, named), options)?;
                node
            }
        };
        let open = Open {
            node,
            offset: 0,
            options: *options,
        };
        self.open[slot] = (self.kind(node) == Kind::Regular).then_some(open);
        Ok(Value::Unit)
    }

    fn open_existing(
        &mut self,
        caller: &Caller,
        node: usize,
        (slash, named): (bool, bool),
        options: &OpenOptions,
    ) -> Result<()> {
        let kind = self.kind(node);
        match kind {
            _ if options.create && slash && named => return Err("EISDIR"),
            _ if options.exclusive => return Err("EEXIST"),
            Kind::Directory if options.create => return Err("EISDIR"),
            Kind::Symlink if options.directory => return Err("ENOTDIR"),
            Kind::Symlink => return Err("ELOOP"),
            Kind::Regular | Kind::Fifo if options.directory || slash => return Err("ENOTDIR"),
            Kind::Directory if options.write => return Err("EISDIR"),
            _ => {}
        }
        let wanted = [(options.read, READ), (options.write, WRITE)];
        for (_, permission) in wanted.iter().filter(|(asked, _)| *asked) {
            self.allowed(caller, node, *permission)?;
        }
        if options.truncate && kind == Kind::Regular {
            self.set_size(node, 0).map(drop)
        } else {
            Ok(())
        }
    }

    fn set_size(&mut self, node: usize, size: u64) -> Result<Value> {
        let now = self.now();
        let file = &mut self.nodes[node];
        let Body::File(content, stored) = &mut file.body else {
            return Err("EINVAL");
        };
        let size = size as usize;
        content.resize(size, 0);
        stored.retain(|chunk, _| chunk * CHUNK < size);
        for (chunk, length) in stored.iter_mut() {
            *length = (*length).min(size - chunk * CHUNK);
        }
        file.modified = now;
        file.changed = now;
        Ok(Value::Unit)
    }

    fn write(&mut self, slot: usize, at: Option<u64>, bytes: &[u8]) -> Result<Value> {
        let open = self.open[slot].clone().ok_or("closed")?;
        if !open.options.write {
            return Err("EBADF");
        }
        let free = self.quotas.bytes.saturating_sub(self.usage().bytes) as usize;
        let now = self.now();
        let file = &mut self.nodes[open.node];
        let Body::File(content, stored) = &mut file.body else {
            panic!("only files are open")
        };
        let start = match at {
            _ if open.options.append => content.len(),
            Some(at) => at as usize,
            None => open.offset as usize,
        };
        // A byte at a time: each takes its chunk as far as itself.
        let (mut written, mut grown) = (0, 0);
        for index in start..start + bytes.len() {
            let (chunk, reach) = (index / CHUNK, index % CHUNK + 1);
            let more = reach.saturating_sub(stored.get(&chunk).copied().unwrap_or(0));
            if grown + more > free {
                break;
            }
            grown += more;
            let length = stored.entry(chunk).or_insert(0);
            *length = (*length).max(reach);
            written += 1;
        }
        if written > 0 {
            content.resize(content.len().max(start + written), 0);
            content[start..start + written].copy_from_slice(&bytes[..written]);
            file.modified = now;
            file.changed = now;
        } else if !bytes.is_empty() {
            return Err("ENOSPC");
        }
        if at.is_none()
            && written > 0
            && let Some(open) = &mut self.open[slot]
        {
            open.offset = (start + written) as u64;
        }
        Ok(Value::Number(written as u64))
    }

    fn read(&mut self, slot: usize, at: Option<u64>, length: usize) -> Result<Value> {
        let open = self.open[slot].clone().ok_or("closed")?;
        if !open.options.read {
            return Err("EBADF");
        }
        let Body::File(content, _) = &self.nodes[open.node].body else {
            panic!("only files are open")
        };
        let start = content.len().min(at.unwrap_or(open.offset) as usize);
        let bytes = content[start..content.len().min(start + length)].to_vec();
        if at.is_none()
            && let Some(open) = &mut self.open[slot]
        {
            open.offset += bytes.len() as u64;
        }
        Ok(Value::Bytes(bytes))
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

/// The difference by looking at every path.
pub fn diff(before: &Model, after: &Model) -> Vec<Change> {
    let list = |model: &Model| {
        let (mut paths, mut pending) = (BTreeMap::new(), vec![(Vec::new(), 0)]);
        while let Some((path, node)) = pending.pop() {
            if let Ok(names) = model.names(node) {
                pending.extend(
                    names
                        .iter()
                        .map(|(name, node)| ([&path[..], b"/", name].concat(), *node)),
                );
            }
            paths.insert(path, model.nodes[node].clone());
        }
        paths
    };
    let same = |a: &Node, b: &Node| {
        let attributes = |node: &Node| (node.mode, node.uid, node.gid);
        attributes(a) == attributes(b)
            && match (&a.body, &b.body) {
                (Body::File(x, _), Body::File(y, _)) => x == y && a.modified == b.modified,
                (Body::Symlink(x), Body::Symlink(y)) => x == y,
                (Body::Directory(_), Body::Directory(_)) | (Body::Fifo, Body::Fifo) => true,
                _ => false,
            }
    };
    let (old, new) = (list(before), list(after));
    let kind = |path: &Vec<u8>| match (old.get(path), new.get(path)) {
        (Some(a), Some(b)) => (!same(a, b)).then_some(ChangeKind::Modified),
        (Some(_), None) => Some(ChangeKind::Removed),
        _ => Some(ChangeKind::Added),
    };
    let paths: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    paths
        .into_iter()
        .filter_map(|path| {
            kind(path).map(|kind| Change {
                path: path.clone(),
                kind,
            })
        })
        .collect()
}
