//! The archive that a kernel unpacks as its first file system: cpio in the form "newc".

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const TRAILER: &[u8] = b"TRAILER!!!";

/// An archive that is written to `out`.
pub(super) struct Archive<W: Write> {
    out: W,
    /// For inodes, of which the kernel makes hard links.
    number: u32,
    linked: HashMap<(u64, u64), u32>,
}

/// What stands in front of an entry.
#[derive(Debug, Clone, Copy, Default)]
struct Head {
    inode: u32,
    mode: u32,
    user: u32,
    group: u32,
    links: u32,
    time: u32,
    size: u32,
    major: u32,
    minor: u32,
}

impl<W: Write> Archive<W> {
    pub(super) fn new(out: W) -> Archive<W> {
        Archive {
            out,
            number: 0,
            linked: HashMap::new(),
        }
    }

    /// Adds a directory.
    pub(super) fn directory(&mut self, name: &str) -> io::Result<()> {
        let head = Head {
            inode: self.inode(),
            mode: 0o040_755,
            links: 2,
            ..Head::default()
        };
        self.entry(head, name.as_bytes(), b"")
    }

    /// Adds a file that root may run.
    pub(super) fn program(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let head = Head {
            inode: self.inode(),
            mode: 0o100_755,
            links: 1,
            size: size(content.len() as u64)?,
            ..Head::default()
        };
        self.entry(head, name.as_bytes(), content)
    }

    /// Adds everything below a directory. Sockets are left out: a copy of one has no meaning.
    pub(super) fn tree(&mut self, root: &Path) -> io::Result<()> {
        // Not recursive: a tree may be deeper than a stack.
        let mut open = vec![root.to_owned()];
        while let Some(directory) = open.pop() {
            let mut entries = fs::read_dir(&directory)?.collect::<io::Result<Vec<_>>>()?;
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let (path, metadata) = (entry.path(), entry.metadata()?);
                if metadata.is_dir() {
                    open.push(path.clone());
                }
                let name = path.strip_prefix(root).map_err(io::Error::other)?;
                self.leaf(&path, name.as_os_str().as_bytes(), &metadata)?;
            }
        }
        Ok(())
    }

    fn leaf(&mut self, path: &Path, name: &[u8], metadata: &Metadata) -> io::Result<()> {
        use rustix::fs::FileType;
        let kind = FileType::from_raw_mode(metadata.mode());
        let place = (metadata.dev(), metadata.ino());
        let known = self.linked.get(&place).copied();
        let inode = known.unwrap_or_else(|| self.inode());
        if metadata.nlink() > 1 && kind != FileType::Directory {
            self.linked.insert(place, inode);
        }
        let mut head = Head {
            inode,
            mode: metadata.mode(),
            user: metadata.uid(),
            group: metadata.gid(),
            links: u32::try_from(metadata.nlink()).unwrap_or(u32::MAX),
            time: u32::try_from(metadata.mtime()).unwrap_or(0),
            ..Head::default()
        };
        match kind {
            // The content of a file with several names comes with the first.
            FileType::RegularFile if known.is_none() => {
                let mut file = File::open(path)?;
                head.size = size(metadata.size())?;
                self.head(head, name)?;
                let copied = io::copy(
                    &mut io::Read::take(&mut file, metadata.size()),
                    &mut self.out,
                )?;
                if copied != metadata.size() {
                    let message = format!("{}: it was changed meanwhile", path.display());
                    return Err(io::Error::other(message));
                }
                self.pad(copied)
            }
            FileType::Symlink => {
                let target = fs::read_link(path)?;
                let target = target.as_os_str().as_bytes();
                head.size = size(target.len() as u64)?;
                self.entry(head, name, target)
            }
            FileType::CharacterDevice | FileType::BlockDevice => {
                head.major = rustix::fs::major(metadata.rdev());
                head.minor = rustix::fs::minor(metadata.rdev());
                self.entry(head, name, b"")
            }
            FileType::RegularFile | FileType::Directory | FileType::Fifo => {
                self.entry(head, name, b"")
            }
            _ => Ok(()),
        }
    }

    /// Writes the end.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let head = Head {
            links: 1,
            ..Head::default()
        };
        self.entry(head, TRAILER, b"")?;
        self.out.flush()
    }

    fn inode(&mut self) -> u32 {
        self.number += 1;
        self.number
    }

    fn entry(&mut self, head: Head, name: &[u8], content: &[u8]) -> io::Result<()> {
        self.head(head, name)?;
        self.out.write_all(content)?;
        self.pad(content.len() as u64)
    }

    fn head(&mut self, head: Head, name: &[u8]) -> io::Result<()> {
        let Head {
            inode,
            mode,
            user,
            group,
            links,
            time,
            size,
            major,
            minor,
        } = head;
        let length = u32::try_from(name.len() + 1).map_err(io::Error::other)?;
        let fields = [
            inode, mode, user, group, links, time, size, 0, 0, major, minor, length, 0,
        ];
        self.out.write_all(b"070701")?;
        for field in fields {
            write!(self.out, "{field:08x}")?;
        }
        self.out.write_all(name)?;
        self.out.write_all(b"\0")?;
        self.pad(110 + u64::from(length))
    }

    /// Every part begins at a multiple of four.
    fn pad(&mut self, length: u64) -> io::Result<()> {
        let missing = length.next_multiple_of(4) - length;
        self.out.write_all(&[0; 4][..missing as usize])
    }
}

/// A size that the archive's form can express.
fn size(bytes: u64) -> io::Result<u32> {
    u32::try_from(bytes).map_err(|_| io::Error::other("a file of 4 GiB or more"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn an_archive_has_every_kind_of_file_and_contents_once() {
        let base = tempfile::tempdir().unwrap();
        fs::create_dir(base.path().join("directory")).unwrap();
        fs::write(base.path().join("directory/file"), b"content").unwrap();
        fs::hard_link(base.path().join("directory/file"), base.path().join("same")).unwrap();
        std::os::unix::fs::symlink("same", base.path().join("link")).unwrap();
        let mut bytes = Vec::new();
        let mut archive = Archive::new(&mut bytes);
        archive.directory(".own").unwrap();
        archive.program(".own/agent", b"\x7fELF").unwrap();
        archive.tree(base.path()).unwrap();
        archive.finish().unwrap();
        assert_eq!(bytes.len() % 4, 0);
        let text = String::from_utf8_lossy(&bytes);
        for (part, times) in [
            ("content", 1),
            ("directory/file\0", 1),
            ("070701", 7),
            ("TRAILER!!!\0", 1),
        ] {
            assert_eq!(text.matches(part).count(), times, "{part}");
        }
    }
}
