//! Giving names, moving and taking them away.

use super::*;

impl Model {
    pub(super) fn link(
        &mut self,
        caller: &Caller,
        old: &[u8],
        new: &[u8],
        follow: bool,
    ) -> Result<Value> {
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

    pub(super) fn rename(&mut self, caller: &Caller, old: &[u8], new: &[u8]) -> Result<Value> {
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

    pub(super) fn unlink(&mut self, caller: &Caller, path: &[u8]) -> Result<Value> {
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

    pub(super) fn remove_dir(&mut self, caller: &Caller, path: &[u8]) -> Result<Value> {
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

    pub(super) fn remove_tree(&mut self, caller: &Caller, path: &[u8]) -> Result<Value> {
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
}
