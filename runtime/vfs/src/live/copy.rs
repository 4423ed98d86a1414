//! Copies that share content.

use super::lazy;
use super::{NodeId, Vfs};
use crate::tree::Body;
use crate::{Caller, Error, Kind, Metadata, OpenOptions, Result, SourceFile};

/// The permission bits that a copy takes over.
const PERMISSIONS: u32 = 0o777;

impl Vfs {
    /// Copies a file, or a directory with all that is in it, in one step that no other operation sees
    /// half done. It costs what there are names: content is shared ([`crate::File::reflink`]).
    ///
    /// Symbolic links are copied as links. Permission bits are kept, as far as the umask lets them
    /// through; owner and times are those of something new. A file replaces the content of a file;
    /// nothing else is replaced.
    ///
    /// # Errors
    /// `EEXIST` where something else is at `to` already, `EINVAL` for a directory into itself and
    /// for devices, and those of [`Vfs::open`] and [`Vfs::create_dir`]; nothing is copied then.
    ///
    /// ```
    /// use offshoot_vfs::{Caller, Options, Vfs};
    ///
    /// let (fs, who) = (Vfs::new(Options::default()), Caller::ROOT);
    /// fs.create_dir(&who, fs.root(), b"/a", 0o755)?;
    /// fs.write_file(&who, fs.root(), b"/a/text", b"hello", 0o644)?;
    /// fs.copy(&who, (fs.root(), b"/a"), (fs.root(), b"/b"))?;
    /// assert_eq!(fs.read_file(&who, fs.root(), b"/b/text")?, b"hello");
    /// # Ok::<(), offshoot_vfs::Error>(())
    /// ```
    pub fn copy(&self, caller: &Caller, from: (NodeId, &[u8]), to: (NodeId, &[u8])) -> Result<()> {
        self.atomically(|vfs| {
            let copying = Copying {
                vfs,
                caller,
                from: from.0,
                to: to.0,
            };
            copying.all(from.1, to.1)
        })
    }

    /// Gives the file `to` the content of `from`; of `source`, while it is still there.
    pub(crate) fn share(
        &self,
        from: NodeId,
        source: Option<&dyn SourceFile>,
        to: NodeId,
    ) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let content = match &state.inode(from)?.body {
            Body::File(content) => content.clone(),
            Body::Remote { .. } => {
                let limit = state.quotas.file_size;
                drop(state);
                let content = lazy::copy(source.ok_or(Error::Io)?, limit)?;
                state = self.lock();
                content
            }
            _ => return Err(Error::Invalid),
        };
        let quotas = state.quotas;
        if content.size() > quotas.file_size {
            return Err(Error::FileTooLarge);
        }
        if from == to {
            return Ok(());
        }
        let tree = state.writable(to.mount)?;
        let free = tree.free_bytes(&quotas) + tree.inode(to.inode)?.stored();
        if content.stored() > free {
            return Err(Error::NoSpace);
        }
        state.set_size(to, 0, now)?;
        state.writable(to.mount)?.store(to.inode, |empty| {
            *empty = content;
            Ok(())
        })
    }
}

/// One copy; both paths start at directories of their own.
struct Copying<'a> {
    vfs: &'a Vfs,
    caller: &'a Caller,
    from: NodeId,
    to: NodeId,
}

impl Copying<'_> {
    fn all(&self, from: &[u8], to: &[u8]) -> Result<()> {
        let top = self.stat(from)?;
        if top.kind == Kind::Directory {
            self.require_outside(from, to)?;
        }
        // Bits that would keep the rest out are set last, inner directories first.
        let mut modes = Vec::new();
        let mut pending = vec![(from.to_vec(), to.to_vec(), top)];
        while let Some((from, to, metadata)) = pending.pop() {
            self.one(&from, &to, &metadata)?;
            if metadata.kind != Kind::Directory {
                continue;
            }
            for entry in self.vfs.read_dir(self.caller, self.from, &from)? {
                let below = join(&from, &entry.name);
                let metadata = self.stat(&below)?;
                pending.push((below, join(&to, &entry.name), metadata));
            }
            modes.push((to, metadata.mode & PERMISSIONS & !self.caller.umask));
        }
        let mut modes = modes.into_iter().rev();
        modes.try_for_each(|(path, mode)| self.vfs.set_mode(self.caller, self.to, &path, mode))
    }

    fn stat(&self, path: &[u8]) -> Result<Metadata> {
        self.vfs.stat(self.caller, self.from, path, false)
    }

    /// Refuses a directory that would be copied into itself.
    fn require_outside(&self, from: &[u8], to: &[u8]) -> Result<()> {
        let parent = match to.iter().rposition(|byte| *byte == b'/') {
            Some(0) => &b"/"[..],
            Some(slash) => &to[..slash],
            None => b".",
        };
        let top = self.vfs.resolve(self.caller, self.from, from, true)?;
        let mut directory = self.vfs.resolve(self.caller, self.to, parent, true)?;
        let state = self.vfs.lock();
        loop {
            if directory == top {
                return Err(Error::Invalid);
            }
            let above = state.parent(directory)?;
            if above == directory {
                return Ok(());
            }
            directory = above;
        }
    }

    fn one(&self, from: &[u8], to: &[u8], metadata: &Metadata) -> Result<()> {
        let (vfs, caller) = (self.vfs, self.caller);
        match metadata.kind {
            Kind::Regular => {
                let source = vfs.open(caller, self.from, from, &OpenOptions::READ, 0)?;
                let options = OpenOptions {
                    truncate: false,
                    ..OpenOptions::WRITE
                };
                let mode = metadata.mode & PERMISSIONS;
                let target = match vfs.open(caller, self.to, to, &options, mode) {
                    Err(Error::IsDirectory) => return Err(Error::Exist),
                    opened => opened?,
                };
                if target.kind() != Kind::Regular {
                    return Err(Error::Exist);
                }
                target.reflink(&source)
            }
            Kind::Directory => vfs.create_dir(caller, self.to, to, 0o700),
            Kind::Symlink => {
                let target = vfs.read_link(caller, self.from, from)?;
                vfs.symlink(caller, &target, self.to, to)
            }
            Kind::Fifo => vfs.create_fifo(caller, self.to, to, metadata.mode & PERMISSIONS),
            Kind::Device => Err(Error::Invalid),
        }
    }
}

fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    [directory, b"/", name].concat()
}
