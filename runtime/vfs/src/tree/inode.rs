//! One file of any kind: attributes and body.

#[cfg(feature = "host")]
use std::collections::HashSet;
use std::sync::Arc;

use super::codec::{Reader, Writer};
use super::content::Content;
use super::name::Name;
#[cfg(feature = "host")]
use super::names::Entry;
use super::names::{Names, kind_of, number_of};
use super::radix::Element;
use super::{MAX_INODE, radix};
use crate::{
    Caller, Device, Error, Kind, Link, Metadata, ObjectKind, ObjectSink, ObjectSource, Result,
    Timestamp,
};

/// The bits of a mode that are permissions, set-id and sticky.
pub(crate) const MODE_BITS: u32 = 0o7777;
/// What a directory reports as its size, as on ext4.
const DIRECTORY_SIZE: u64 = 4096;
/// The longest target of a symbolic link and name of an entry that can be stored.
const MAX_TEXT: u64 = 1 << 16;

#[derive(Clone)]
pub(crate) struct Inode {
    pub(crate) mode: u32,
    pub(crate) links: u32,
    /// The directory that has the newest of its names; the root's is the root.
    pub(crate) parent: u64,
    /// Its name there, which a file with several names may have lost again.
    pub(crate) name: Name,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) accessed: Timestamp,
    pub(crate) modified: Timestamp,
    pub(crate) changed: Timestamp,
    /// Of what comes from a source, when the source had changed it last as it was looked at.
    pub(crate) created: Timestamp,
    /// Changed by the guest since it was made from a source or applied to one.
    pub(crate) dirty: bool,
    pub(crate) body: Body,
}

#[derive(Clone)]
pub(crate) enum Body {
    File(Content),
    /// A regular file whose content is still in the source of its mount.
    Remote {
        path: Arc<[u8]>,
        size: u64,
    },
    Directory(Directory),
    Symlink(Arc<[u8]>),
    Fifo,
    Device(Device),
}

#[derive(Clone, Default)]
pub(crate) struct Directory {
    pub(crate) names: Names,
    pub(crate) origin: Option<Arc<Origin>>,
}

/// Where a directory comes from.
#[derive(Clone)]
pub(crate) struct Origin {
    /// Its path in the source of its mount.
    pub(crate) path: Box<[u8]>,
    /// The names when all were taken over from the source; none before that.
    pub(crate) base: Option<Names>,
    /// When the source had last changed what the names lead to, by inode in ascending order.
    #[cfg_attr(
        not(feature = "host"),
        allow(
            dead_code,
            reason = "only to a directory of the host is anything written back"
        )
    )]
    pub(crate) seen: Vec<(u64, Timestamp)>,
}

impl Origin {
    /// A directory of the source that has not been listed.
    pub(crate) fn unlisted(path: &[u8]) -> Origin {
        Origin {
            path: path.into(),
            base: None,
            seen: Vec::new(),
        }
    }

    /// When the source had last changed what stood for this inode.
    #[cfg(feature = "host")]
    pub(crate) fn seen(&self, inode: u64) -> Option<Timestamp> {
        let found = self.seen.binary_search_by_key(&inode, |seen| seen.0);
        found.ok().map(|found| self.seen[found].1)
    }

    /// Notes what the source has under a name now; none: nothing.
    #[cfg(feature = "host")]
    pub(crate) fn note(&mut self, name: &Name, now: Option<(Entry, Timestamp)>) -> Result<()> {
        let Some(base) = &mut self.base else {
            return Ok(());
        };
        let Some((entry, time)) = now else {
            return base.remove(name).map(drop);
        };
        base.insert(name.clone(), entry)?;
        match self.seen.binary_search_by_key(&entry.inode, |seen| seen.0) {
            Ok(found) => self.seen[found].1 = time,
            Err(at) => self.seen.insert(at, (entry.inode, time)),
        }
        // What has gone is forgotten before it is more than what is there.
        if self.seen.len() > 2 * base.len() + SPARE {
            let there = base.iter().map(|known| Ok(known?.1.inode));
            let there = there.collect::<Result<HashSet<u64>>>()?;
            self.seen.retain(|seen| there.contains(&seen.0));
        }
        Ok(())
    }
}

/// Inodes that a directory may remember beyond twice its names.
#[cfg(feature = "host")]
const SPARE: usize = 64;

impl Directory {
    /// Its origin, while the source may have names that are not taken over.
    pub(crate) fn unlisted(&self) -> Option<Arc<Origin>> {
        self.origin
            .as_ref()
            .filter(|origin| origin.base.is_none())
            .cloned()
    }

    /// Notes that the names are those of the source at `path`, which had last changed them at these times.
    pub(crate) fn rebase(&mut self, path: Box<[u8]>, mut seen: Vec<(u64, Timestamp)>) {
        seen.sort_unstable_by_key(|seen| seen.0);
        self.origin = Some(Arc::new(Origin {
            path,
            base: Some(self.names.clone()),
            seen,
        }));
    }
}

/// What permission bits can grant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Permission(u32);

impl Permission {
    pub(crate) const EXECUTE: Permission = Permission(1);
    pub(crate) const WRITE: Permission = Permission(2);
    pub(crate) const READ: Permission = Permission(4);
    /// What changing a directory's entries takes.
    pub(crate) const CHANGE: Permission = Permission(3);
}

impl Inode {
    pub(crate) fn new(body: Body, mode: u32, uid: u32, gid: u32, now: Timestamp) -> Inode {
        let links = if matches!(body, Body::Directory(_)) {
            2
        } else {
            1
        };
        let (accessed, modified, changed, created) = (now, now, now, now);
        let (mode, parent, name) = (mode & MODE_BITS, 0, Name::default());
        Inode {
            mode,
            links,
            parent,
            name,
            uid,
            gid,
            accessed,
            modified,
            changed,
            created,
            dirty: true,
            body,
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.body {
            Body::File(_) | Body::Remote { .. } => Kind::Regular,
            Body::Directory(_) => Kind::Directory,
            Body::Symlink(_) => Kind::Symlink,
            Body::Fifo => Kind::Fifo,
            Body::Device(_) => Kind::Device,
        }
    }

    /// Bytes that count against the quota.
    pub(crate) fn stored(&self) -> u64 {
        match &self.body {
            Body::File(content) => content.stored(),
            Body::Symlink(target) => target.len() as u64,
            _ => 0,
        }
    }

    pub(crate) fn permits(&self, caller: &Caller, wanted: Permission) -> bool {
        if caller.uid == 0 {
            let executable = self.mode & 0o111 != 0 || self.kind() == Kind::Directory;
            return executable || wanted.0 & Permission::EXECUTE.0 == 0;
        }
        let bits = if caller.uid == self.uid {
            self.mode >> 6
        } else if caller.gid == self.gid {
            self.mode >> 3
        } else {
            self.mode
        };
        bits & wanted.0 == wanted.0
    }

    pub(crate) fn owned_by(&self, caller: &Caller) -> bool {
        caller.uid == 0 || caller.uid == self.uid
    }

    /// Notes where it stands now.
    pub(crate) fn settle(&mut self, parent: u64, name: &Name) {
        self.parent = parent;
        self.name = name.clone();
    }

    /// Marks a change of the content.
    pub(crate) fn touch(&mut self, now: Timestamp) {
        self.modified = now;
        self.changed = now;
    }

    pub(crate) fn metadata(&self, device: u64, inode: u64) -> Metadata {
        let (size, stored) = match &self.body {
            Body::File(content) => (content.size(), content.stored()),
            Body::Remote { size, .. } => (*size, *size),
            Body::Directory(_) => (DIRECTORY_SIZE, DIRECTORY_SIZE),
            Body::Symlink(target) => (target.len() as u64, 0),
            Body::Fifo | Body::Device(_) => (0, 0),
        };
        let special = match self.body {
            Body::Device(device) => Some(device),
            _ => None,
        };
        Metadata {
            kind: self.kind(),
            special,
            device,
            inode,
            mode: self.mode,
            links: self.links,
            uid: self.uid,
            gid: self.gid,
            size,
            blocks: stored.div_ceil(4096) * 8,
            accessed: self.accessed,
            modified: self.modified,
            changed: self.changed,
            created: self.created,
        }
    }
}

/// Which of an inode's times are the same as the one before, in the order accessed, modified,
/// changed, created.
const SAME: [u8; 3] = [1, 2, 4];

impl Element for Arc<Inode> {
    const NODE: ObjectKind = ObjectKind::Inodes;

    fn write<S: ObjectSink>(&self, writer: &mut Writer, sink: &mut S) -> Result<(), S::Error> {
        writer.byte(number_of(self.kind()));
        writer.number(self.mode.into());
        writer.number(self.links.into());
        writer.number(self.parent);
        writer.bytes(&self.name);
        writer.number(self.uid.into());
        writer.number(self.gid.into());
        let times = [self.accessed, self.modified, self.changed, self.created];
        let same = |index: usize| times[index] == times[index + 1];
        writer.byte(
            (0..3)
                .filter(|&index| same(index))
                .map(|index| SAME[index])
                .sum(),
        );
        writer.time(times[0]);
        for index in (0..3).filter(|&index| !same(index)) {
            writer.time(times[index + 1]);
        }
        match &self.body {
            Body::File(content) => content.save(writer, sink)?,
            Body::Directory(directory) => directory.names.save(writer, sink)?,
            Body::Symlink(target) => writer.bytes(target),
            Body::Fifo => {}
            Body::Device(device) => writer.number(device_number(*device)),
            // Only mounts have sources, and mounts are not stored.
            Body::Remote { .. } => return Err(Error::NotSupported.into()),
        }
        Ok(())
    }

    fn read(reader: &mut Reader<'_>, source: &Arc<dyn ObjectSource>) -> Result<Arc<Inode>> {
        let kind = kind_of(reader.byte()?)?;
        let mode = reader.number_to(MODE_BITS.into())? as u32;
        // Far from where counting on would overflow.
        let links = reader.number_to(u64::from(u32::MAX / 2))? as u32;
        let parent = reader.number_to(MAX_INODE)?;
        let name = Name::new(reader.bytes(MAX_TEXT)?);
        let (uid, gid) = (reader.small()?, reader.small()?);
        let same = reader.byte()?;
        let mut times = [reader.time()?; 4];
        for index in 0..3 {
            times[index + 1] = if same & SAME[index] == 0 {
                reader.time()?
            } else {
                times[index]
            };
        }
        let [accessed, modified, changed, created] = times;
        let body = match kind {
            Kind::Regular => Body::File(Content::open(reader, source)?),
            Kind::Directory => Body::Directory(Directory {
                names: Names::open(reader, source)?,
                origin: None,
            }),
            Kind::Symlink => Body::Symlink(reader.bytes(MAX_TEXT)?.into()),
            Kind::Fifo => Body::Fifo,
            Kind::Device => Body::Device(device_of(reader.number()?)?),
        };
        let dirty = true;
        Ok(Arc::new(Inode {
            mode,
            links,
            parent,
            name,
            uid,
            gid,
            accessed,
            modified,
            changed,
            created,
            dirty,
            body,
        }))
    }

    fn links(&self, found: &mut Vec<Link>) {
        match &self.body {
            Body::File(content) => content.links(found),
            Body::Directory(directory) => directory.names.links(found),
            _ => {}
        }
    }
}

/// What a node of a table of inodes leads to.
pub(crate) fn inodes_links(
    payload: &[u8],
    claim: Option<u64>,
    source: &Arc<dyn ObjectSource>,
) -> Result<Vec<Link>> {
    radix::node_links::<Arc<Inode>>(payload, claim, source)
}

/// Descriptors start here in stored nodes.
const DESCRIPTORS: u64 = 16;

fn device_number(device: Device) -> u64 {
    match device {
        Device::Null => 0,
        Device::Zero => 1,
        Device::Full => 2,
        Device::Random => 3,
        Device::Tty => 4,
        Device::Descriptor(number) => DESCRIPTORS + u64::from(number),
    }
}

fn device_of(number: u64) -> Result<Device> {
    match number {
        0 => Ok(Device::Null),
        1 => Ok(Device::Zero),
        2 => Ok(Device::Full),
        3 => Ok(Device::Random),
        4 => Ok(Device::Tty),
        DESCRIPTORS.. => u32::try_from(number - DESCRIPTORS)
            .map(Device::Descriptor)
            .map_err(|_| Error::Corrupt),
        _ => Err(Error::Corrupt),
    }
}
