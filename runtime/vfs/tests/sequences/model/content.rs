//! Open files, and what is in them.

use super::*;

impl Model {
    pub(super) fn open(
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

    pub(super) fn set_size(&mut self, node: usize, size: u64) -> Result<Value> {
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

    pub(super) fn write(&mut self, slot: usize, at: Option<u64>, bytes: &[u8]) -> Result<Value> {
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

    pub(super) fn read(&mut self, slot: usize, at: Option<u64>, length: usize) -> Result<Value> {
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
}
