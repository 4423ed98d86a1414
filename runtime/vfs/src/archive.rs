//! Trees as tar archives.
//!
//! Import reads the archive's records itself, as raw entries, so that nothing in it decides how much
//! memory is used or where a path leads.

use std::collections::HashMap;
use std::io::{self, Read, Write};

use tar::{Archive, Builder, Entry, EntryType, Header, PaxExtensions};

use crate::{
    Caller, Error, File, Kind, Metadata, NewTime, NodeId, OpenOptions, Result, Timestamp, Vfs,
};

const ROOT: Caller = Caller::ROOT;
/// What a name or the extended header of one entry may take; against an archive that makes its
/// reader hold gigabytes of "name".
const EXTENSION: u64 = 64 * 1024;
/// What a name field of the format holds.
const FIELD: usize = 100;

impl Vfs {
    /// Writes the directory at `path` as a tar archive (pax format): modes, owners, times to the
    /// nanosecond, symbolic and hard links, pipes. Names start at the directory. What is mounted
    /// inside is left out, and so are devices.
    ///
    /// The archive shows one moment; the filesystem may be used meanwhile.
    ///
    /// # Errors
    /// `EIO` where `writer` fails, `ENOTDIR`, and those of [`Vfs::resolve`].
    pub fn export_tar(&self, path: &[u8], writer: impl Write) -> Result<()> {
        let vfs = self.fork();
        let top = vfs.resolve(&ROOT, vfs.root(), path, true)?;
        let mut export = Export {
            top,
            links: HashMap::new(),
            builder: Builder::new(writer),
            vfs,
        };
        let mut pending = vec![Vec::new()];
        while let Some(path) = pending.pop() {
            let entries = export.vfs.read_dir(&ROOT, top, &from_top(&path))?;
            for entry in entries.into_iter().rev() {
                let below = join(&path, &entry.name);
                if export.entry(&below)? {
                    pending.push(below);
                }
            }
        }
        export.builder.finish().map_err(|_| Error::Io)
    }

    /// Unpacks a tar archive into the directory at `path`, all or nothing: after an error the tree is
    /// as before. Files that are there already are replaced.
    ///
    /// # Errors
    /// [`Error::PathEscape`] for absolute paths, `..` and paths through symbolic links,
    /// [`Error::Corrupt`] for a damaged archive and for sizes that are not true, `ENOSPC` before a
    /// file is read that exceeds the quota, `ENOTSUP` for devices and sparse files, `EBUSY` where
    /// the tree was changed meanwhile, `EIO` where `reader` fails.
    pub fn import_tar(&self, path: &[u8], reader: impl Read) -> Result<()> {
        let (staged, before) = self.stage();
        let top = staged.resolve(&ROOT, staged.root(), path, true)?;
        let mut import = Import {
            vfs: &staged,
            top,
            directories: Vec::new(),
        };
        import.unpack(reader)?;
        self.commit(&staged, &before)
    }
}

struct Export<W: Write> {
    vfs: Vfs,
    top: NodeId,
    /// The first name of each file that has several.
    links: HashMap<u64, Vec<u8>>,
    builder: Builder<W>,
}

impl<W: Write> Export<W> {
    /// Writes one path; true where it is a directory whose entries are to follow.
    fn entry(&mut self, path: &[u8]) -> Result<bool> {
        let metadata = self.vfs.stat(&ROOT, self.top, path, false)?;
        if metadata.device != self.vfs.metadata(self.top)?.device {
            return Ok(false);
        }
        if metadata.kind != Kind::Directory && metadata.links > 1 {
            if let Some(first) = self.links.get(&metadata.inode) {
                let first = first.clone();
                self.record(path, &metadata, EntryType::Link, &first, 0, io::empty())?;
                return Ok(false);
            }
            self.links.insert(metadata.inode, path.to_vec());
        }
        match metadata.kind {
            Kind::Regular => {
                let file = self
                    .vfs
                    .open(&ROOT, self.top, path, &OpenOptions::READ, 0)?;
                let size = metadata.size;
                // Exactly as long as announced, whatever a source under an overlay does meanwhile.
                let content = file.chain(io::repeat(0)).take(size);
                self.record(path, &metadata, EntryType::Regular, b"", size, content)?;
            }
            Kind::Directory => {
                self.record(path, &metadata, EntryType::Directory, b"", 0, io::empty())?;
            }
            Kind::Symlink => {
                let target = self.vfs.read_link(&ROOT, self.top, path)?;
                self.record(path, &metadata, EntryType::Symlink, &target, 0, io::empty())?;
            }
            Kind::Fifo => self.record(path, &metadata, EntryType::Fifo, b"", 0, io::empty())?,
            Kind::Device => {}
        }
        Ok(metadata.kind == Kind::Directory)
    }

    fn record(
        &mut self,
        path: &[u8],
        metadata: &Metadata,
        entry_type: EntryType,
        link: &[u8],
        size: u64,
        content: impl Read,
    ) -> Result<()> {
        let mut header = Header::new_ustar();
        header.set_entry_type(entry_type);
        header.set_mode(metadata.mode);
        header.set_uid(metadata.uid.into());
        header.set_gid(metadata.gid.into());
        header.set_size(size);
        header.set_mtime(u64::try_from(metadata.modified.seconds).unwrap_or(0));
        let fields = header.as_old_mut();
        fill(&mut fields.name, path);
        fill(&mut fields.linkname, link);
        header.set_cksum();
        let time = format_time(metadata.modified);
        let extensions = [
            ("mtime", time.as_bytes()),
            ("path", path),
            ("linkpath", link),
        ];
        let needed = |(key, value): &(&str, &[u8])| *key == "mtime" || value.len() > FIELD;
        self.builder
            .append_pax_extensions(extensions.into_iter().filter(needed))
            .and_then(|()| self.builder.append(&header, content))
            .map_err(|_| Error::Io)
    }
}

fn fill(field: &mut [u8; FIELD], bytes: &[u8]) {
    let length = bytes.len().min(FIELD);
    field[..length].copy_from_slice(&bytes[..length]);
}

fn join(path: &[u8], name: &[u8]) -> Vec<u8> {
    if path.is_empty() {
        name.to_vec()
    } else {
        [path, b"/", name].concat()
    }
}

fn from_top(path: &[u8]) -> Vec<u8> {
    if path.is_empty() {
        b".".to_vec()
    } else {
        path.to_vec()
    }
}

/// What an entry says about itself, with the extensions that came before it.
#[derive(Default)]
struct Extensions {
    path: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
    modified: Option<Timestamp>,
    uid: Option<u32>,
    gid: Option<u32>,
}

struct Import<'a> {
    vfs: &'a Vfs,
    top: NodeId,
    /// Directories and their times, which are set when all is unpacked.
    directories: Vec<(NodeId, Vec<u8>, Timestamp)>,
}

impl Import<'_> {
    fn unpack(&mut self, reader: impl Read) -> Result<()> {
        let mut archive = Archive::new(reader);
        let mut extensions = Extensions::default();
        for entry in archive
            .entries()
            .map_err(|error| failure(&error))?
            .raw(true)
        {
            let mut entry = entry.map_err(|error| failure(&error))?;
            match entry.header().entry_type() {
                EntryType::XGlobalHeader => drop(extension(&mut entry)?),
                EntryType::XHeader => extensions.read_pax(&extension(&mut entry)?)?,
                EntryType::GNULongName => {
                    extensions.path = Some(terminated(extension(&mut entry)?))
                }
                EntryType::GNULongLink => {
                    extensions.link = Some(terminated(extension(&mut entry)?))
                }
                _ => self.entry(&mut entry, std::mem::take(&mut extensions))?,
            }
        }
        for (parent, name, time) in self.directories.iter().rev() {
            let time = NewTime::At(*time);
            self.vfs
                .set_times(&ROOT, *parent, name, time, time, false)?;
        }
        Ok(())
    }

    fn entry<R: Read>(&mut self, entry: &mut Entry<'_, R>, extensions: Extensions) -> Result<()> {
        let header = entry.header();
        let path = extensions
            .path
            .unwrap_or_else(|| header.path_bytes().into_owned());
        let (parent, name) = match self.place(&path, true)? {
            Some(place) => place,
            // The directory itself: its attributes stay.
            None => return Ok(()),
        };
        let corrupt = |_| Error::Corrupt;
        let size = header.entry_size().map_err(corrupt)?;
        if extensions.size.is_some_and(|said| said != size) {
            return Err(Error::Corrupt);
        }
        let link = extensions
            .link
            .or_else(|| header.link_name_bytes().map(|link| link.into_owned()));
        let link = link.unwrap_or_default();
        let number = |field: io::Result<u64>| {
            u32::try_from(field.map_err(corrupt)?).map_err(|_| Error::Corrupt)
        };
        let uid = extensions.uid.map_or_else(|| number(header.uid()), Ok)?;
        let gid = extensions.gid.map_or_else(|| number(header.gid()), Ok)?;
        let mode = header.mode().map_err(corrupt)? & 0o7777;
        // Times before 1970 are negative numbers in the binary form of the field.
        let seconds = header.mtime().map_err(corrupt)?.cast_signed();
        let modified = extensions.modified.unwrap_or(Timestamp {
            seconds,
            nanoseconds: 0,
        });
        let entry_type = header.entry_type();
        self.make(entry, entry_type, (parent, &name), &link, size)?;
        if entry_type == EntryType::Link {
            return Ok(());
        }
        self.vfs
            .set_owner(&ROOT, parent, &name, (Some(uid), Some(gid)), false)?;
        if entry_type != EntryType::Symlink {
            self.vfs.set_mode(&ROOT, parent, &name, mode)?;
        }
        let time = NewTime::At(modified);
        self.vfs
            .set_times(&ROOT, parent, &name, time, time, false)?;
        if entry_type == EntryType::Directory {
            self.directories.push((parent, name, modified));
        }
        Ok(())
    }

    fn make<R: Read>(
        &self,
        entry: &mut Entry<'_, R>,
        entry_type: EntryType,
        (parent, name): (NodeId, &[u8]),
        link: &[u8],
        size: u64,
    ) -> Result<()> {
        let vfs = self.vfs;
        let there = match vfs.stat(&ROOT, parent, name, false) {
            Err(Error::NoEntry) => None,
            found => Some(found?.kind),
        };
        if entry_type == EntryType::Directory && there == Some(Kind::Directory) {
            return Ok(());
        }
        let source = match entry_type {
            EntryType::Link => Some(self.place(link, false)?.ok_or(Error::PathEscape)?),
            _ => None,
        };
        if there.is_some() {
            vfs.unlink(&ROOT, parent, name)?;
        }
        match entry_type {
            EntryType::Regular | EntryType::Continuous => self.file(entry, parent, name, size),
            EntryType::Directory => vfs.create_dir(&ROOT, parent, name, 0o755),
            EntryType::Symlink => vfs.symlink(&ROOT, link, parent, name),
            EntryType::Fifo => vfs.create_fifo(&ROOT, parent, name, 0o644),
            EntryType::Link => match source {
                Some((from, target)) => vfs.link(&ROOT, (from, &target), (parent, name), false),
                None => Err(Error::Corrupt),
            },
            _ => Err(Error::NotSupported),
        }
    }

    fn file<R: Read>(
        &self,
        entry: &mut Entry<'_, R>,
        parent: NodeId,
        name: &[u8],
        size: u64,
    ) -> Result<()> {
        if size > self.vfs.statfs(parent)?.free_bytes {
            return Err(Error::NoSpace);
        }
        let options = OpenOptions {
            exclusive: true,
            ..OpenOptions::WRITE
        };
        let mut file: File = self.vfs.open(&ROOT, parent, name, &options, 0o644)?;
        let copied = io::copy(entry, &mut file).map_err(|error| {
            let inner = error
                .get_ref()
                .and_then(|inner| inner.downcast_ref::<Error>());
            inner.copied().unwrap_or_else(|| failure(&error))
        })?;
        if copied == size {
            Ok(())
        } else {
            Err(Error::Corrupt)
        }
    }

    /// The directory that a path's last name is in; none for the top itself. Missing directories are
    /// made where `make` says so. No symbolic link is passed.
    fn place(&self, path: &[u8], make: bool) -> Result<Option<(NodeId, Vec<u8>)>> {
        if path.first() == Some(&b'/') || path.contains(&0) {
            return Err(Error::PathEscape);
        }
        let mut names: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
        names.retain(|name| !name.is_empty() && *name != b".");
        if names.iter().any(|name| *name == b"..") {
            return Err(Error::PathEscape);
        }
        let Some(last) = names.pop() else {
            return Ok(None);
        };
        let mut directory = self.top;
        for name in names {
            match self.vfs.stat(&ROOT, directory, name, false) {
                Ok(metadata) if metadata.kind == Kind::Directory => {}
                Ok(metadata) if metadata.kind == Kind::Symlink => return Err(Error::PathEscape),
                Ok(_) => return Err(Error::NotDirectory),
                Err(Error::NoEntry) if make => {
                    self.vfs.create_dir(&ROOT, directory, name, 0o755)?;
                }
                Err(error) => return Err(error),
            }
            directory = self.vfs.resolve(&ROOT, directory, name, false)?;
        }
        Ok(Some((directory, last.to_vec())))
    }
}

impl Extensions {
    fn read_pax(&mut self, bytes: &[u8]) -> Result<()> {
        for extension in PaxExtensions::new(bytes) {
            let extension = extension.map_err(|_| Error::Corrupt)?;
            let value = extension.value_bytes();
            let number = || -> Result<u64> {
                let text = std::str::from_utf8(value).map_err(|_| Error::Corrupt)?;
                text.parse().map_err(|_| Error::Corrupt)
            };
            let id = || number().and_then(|id| u32::try_from(id).map_err(|_| Error::Corrupt));
            match extension.key_bytes() {
                b"path" => self.path = Some(value.to_vec()),
                b"linkpath" => self.link = Some(value.to_vec()),
                b"size" => self.size = Some(number()?),
                b"uid" => self.uid = Some(id()?),
                b"gid" => self.gid = Some(id()?),
                b"mtime" => self.modified = Some(parse_time(value).ok_or(Error::Corrupt)?),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The content of a record that describes another entry.
fn extension<R: Read>(entry: &mut Entry<'_, R>) -> Result<Vec<u8>> {
    let size = entry.header().entry_size().map_err(|_| Error::Corrupt)?;
    if size > EXTENSION {
        return Err(Error::Corrupt);
    }
    let mut content = Vec::new();
    entry
        .read_to_end(&mut content)
        .map_err(|error| failure(&error))?;
    if content.len() as u64 == size {
        Ok(content)
    } else {
        Err(Error::Corrupt)
    }
}

fn terminated(mut name: Vec<u8>) -> Vec<u8> {
    name.truncate(
        name.iter()
            .position(|&byte| byte == 0)
            .unwrap_or(name.len()),
    );
    name
}

/// Seconds since 1970 with a decimal fraction, as pax has it.
fn format_time(time: Timestamp) -> String {
    if time.seconds < 0 && time.nanoseconds > 0 {
        let (seconds, fraction) = (-(time.seconds + 1), 1_000_000_000 - time.nanoseconds);
        return format!("-{seconds}.{fraction:09}");
    }
    format!("{}.{:09}", time.seconds, time.nanoseconds)
}

fn parse_time(text: &[u8]) -> Option<Timestamp> {
    let text = std::str::from_utf8(text).ok()?;
    let (negative, text) = text
        .strip_prefix('-')
        .map_or((false, text), |text| (true, text));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let seconds: i64 = whole.parse().ok()?;
    let digits = format!("{:0<9}", fraction.get(..fraction.len().min(9))?);
    let nanoseconds: u32 = digits.parse().ok()?;
    Some(match (negative, nanoseconds) {
        (false, _) => Timestamp {
            seconds,
            nanoseconds,
        },
        (true, 0) => Timestamp {
            seconds: -seconds,
            nanoseconds,
        },
        (true, _) => Timestamp {
            seconds: -seconds - 1,
            nanoseconds: 1_000_000_000 - nanoseconds,
        },
    })
}

/// A failure of the reader, or what it read is no archive.
fn failure(error: &io::Error) -> Error {
    use io::ErrorKind as K;
    match error.kind() {
        K::Other | K::InvalidData | K::InvalidInput | K::UnexpectedEof => Error::Corrupt,
        _ => Error::Io,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_survive_their_text() {
        for (seconds, nanoseconds) in [
            (0, 0),
            (5, 1),
            (-1, 0),
            (-1, 1),
            (-7, 999_999_999),
            (1 << 33, 5),
        ] {
            let time = Timestamp {
                seconds,
                nanoseconds,
            };
            assert_eq!(parse_time(format_time(time).as_bytes()), Some(time));
        }
        assert_eq!(
            parse_time(b"12"),
            Some(Timestamp {
                seconds: 12,
                nanoseconds: 0
            })
        );
        assert_eq!(parse_time(b"x"), None);
    }
}
