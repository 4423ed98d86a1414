//! Path resolution.

use super::NodeId;
use super::state::{ROOT, State};
use crate::tree::{Body, Entry, Name, Permission};
use crate::{Caller, Error, Kind, Result};

/// Symbolic links that one resolution may pass, as on Linux; against endless loops.
const LINKS: u32 = 40;

/// Whether a symbolic link in the last place is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Follow {
    Always,
    /// Only where a slash comes after it: what `lstat` does.
    Slash,
    /// Only where no slash comes after it: with one, nothing can be created.
    NoSlash,
    /// What creates and removes names.
    Never,
}

impl Follow {
    fn passes(self, slash: bool) -> bool {
        match self {
            Follow::Always => true,
            Follow::Slash => slash,
            Follow::NoSlash => !slash,
            Follow::Never => false,
        }
    }
}

/// The last component of a path.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Last {
    Name(Name),
    Dot,
    DotDot,
    Root,
}

impl Last {
    fn of(name: &[u8]) -> Last {
        match name {
            b"." => Last::Dot,
            b".." => Last::DotDot,
            name => Last::Name(Name::new(name)),
        }
    }
}

/// Where a path leads.
pub(crate) struct Found {
    /// The directory that holds the last component.
    pub(crate) parent: NodeId,
    pub(crate) last: Last,
    /// A slash follows the last component.
    pub(crate) slash: bool,
    /// What the last component leads to, where it exists.
    pub(crate) node: Option<NodeId>,
}

impl Found {
    /// The node, which must exist, and be a directory where a slash says so.
    pub(crate) fn existing(&self, state: &State) -> Result<NodeId> {
        let node = self.node.ok_or(Error::NoEntry)?;
        if self.slash && state.inode(node)?.kind() != Kind::Directory {
            return Err(Error::NotDirectory);
        }
        Ok(node)
    }
}

/// One component and where it stands in the path.
struct Component {
    start: usize,
    end: usize,
    last: bool,
    slash: bool,
}

fn component(path: &[u8], from: usize) -> Option<Component> {
    let start = from + path[from..].iter().position(|&byte| byte != b'/')?;
    let end = path[start..]
        .iter()
        .position(|&byte| byte == b'/')
        .map_or(path.len(), |n| start + n);
    let last = path[end..].iter().all(|&byte| byte == b'/');
    Some(Component {
        start,
        end,
        last,
        slash: last && end < path.len(),
    })
}

impl State {
    /// Resolves `path` from the directory `at`, or from the root where it is absolute.
    pub(crate) fn walk(
        &mut self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        follow: Follow,
    ) -> Result<Found> {
        self.check_path(path)?;
        let mut directory = if path[0] == b'/' { ROOT } else { at };
        // Where symbolic links were met: the target and what came after it.
        let mut expanded: Option<Vec<u8>> = None;
        let (mut position, mut links) = (0, 0);
        loop {
            let whole = expanded.as_deref().unwrap_or(path);
            let Some(part) = component(whole, position) else {
                return Ok(Found {
                    parent: directory,
                    last: Last::Root,
                    slash: true,
                    node: Some(directory),
                });
            };
            let name = &whole[part.start..part.end];
            let found = self.step(caller, directory, name)?;
            if let Some((node, Kind::Symlink)) = found
                && (!part.last || follow.passes(part.slash))
                && let Some(target) = self.link_target(node)?
            {
                links += 1;
                if links > LINKS {
                    return Err(Error::TooManyLinks);
                }
                if target.first() == Some(&b'/') {
                    directory = ROOT;
                }
                expanded = Some([target, &whole[part.end..]].concat());
                position = 0;
                continue;
            }
            let node = found.map(|(node, _)| node);
            if part.last {
                return Ok(Found {
                    parent: directory,
                    last: Last::of(name),
                    slash: part.slash,
                    node,
                });
            }
            directory = node.ok_or(Error::NoEntry)?;
            position = part.end;
        }
    }

    /// Looks one component up; a missing name is not an error here.
    fn step(
        &mut self,
        caller: &Caller,
        directory: NodeId,
        name: &[u8],
    ) -> Result<Option<(NodeId, Kind)>> {
        let inode = self.inode(directory)?;
        let Body::Directory(own) = &inode.body else {
            return Err(Error::NotDirectory);
        };
        if !inode.permits(caller, Permission::EXECUTE) {
            return Err(Error::Access);
        }
        let entry = match name {
            b"." => return Ok(Some((directory, Kind::Directory))),
            b".." => return Ok(Some((self.parent(directory)?, Kind::Directory))),
            _ if name.len() > self.quotas.name_length => return Err(Error::NameTooLong),
            // Only what comes from a source needs more than a look.
            _ if own.origin.is_none() => own.names.get(name)?,
            _ => self.lookup_entry(directory, name, caller.process)?,
        };
        Ok(entry.map(|Entry { inode, kind }| (self.enter(NodeId { inode, ..directory }), kind)))
    }

    fn check_path(&self, path: &[u8]) -> Result<()> {
        if path.is_empty() {
            return Err(Error::NoEntry);
        }
        // The limit counts the NUL that a C caller would add.
        if path.len() >= self.quotas.path_length {
            return Err(Error::NameTooLong);
        }
        if path.contains(&0) {
            return Err(Error::Invalid);
        }
        Ok(())
    }

    /// Resolves a path whose last component must exist.
    pub(crate) fn find(
        &mut self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        follow: bool,
    ) -> Result<NodeId> {
        let follow = if follow {
            Follow::Always
        } else {
            Follow::Slash
        };
        let found = self.walk(caller, at, path, follow)?;
        found.existing(self)
    }
}
