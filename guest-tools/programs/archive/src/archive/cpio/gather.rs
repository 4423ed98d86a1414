//! `cpio -o`: archives that are made, in memory.
//!
//! Inodes are numbered anew from 0 in the order of the names, and devices are 0, so that an archive does not depend
//! on where the files lie. Names lose one `./` at their start.

use std::collections::HashMap;
use std::io::Read as _;

use super::header::{Format, Member, put};
use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::options::Parsed;
use crate::system;
use crate::system::Kind;

/// A file with its content, whose place in the archive is not known yet.
struct Deferred {
    name: Vec<u8>,
    inode: u64,
    mode: u32,
    uid: u32,
    gid: u32,
    links: u32,
    modified: i64,
    content: Vec<u8>,
}

impl Deferred {
    /// The member that it is, with its content or without.
    fn member<'a>(&'a self, content: &'a [u8]) -> Member<'a> {
        Member {
            name: &self.name,
            inode: (0, self.inode),
            mode: self.mode,
            uid: self.uid,
            gid: self.gid,
            links: self.links,
            modified: self.modified,
            content,
            is_once: false,
        }
    }
}

/// The archive of the files that standard input names, one a line or with `-0` up to a zero byte each, and the
/// status. A file that cannot be read is said and left out, with status 2.
///
/// # Errors
/// The status, after a message: standard input cannot be read, or `-R` names nobody.
pub(super) fn gather(
    call: &Call,
    parsed: &Parsed,
    base: &[u8],
    format: Format,
) -> Result<(Vec<u8>, i32), i32> {
    let owner = owner(call, parsed)?;
    let mut names = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut names)
        .map_err(|error| call.fail(2, bytes!("standard input: ", system::Failure::from(error))))?;
    let end = if parsed.has("0") { 0 } else { b'\n' };
    let mut status = 0;
    let mut inodes: HashMap<(u64, u64), u64> = HashMap::new();
    let mut making = Making {
        archive: Vec::new(),
        deferred: Vec::new(),
        format,
    };
    let names: Vec<&[u8]> = names
        .split(|&byte| byte == end)
        .filter(|name| !name.is_empty())
        .collect();
    let path = |name: &[u8]| system::join(base, name);
    for name in &names {
        let found = system::stat(&path(name), parsed.has("L")).and_then(|stat| {
            let content = match stat.kind {
                Kind::Symlink => system::read_link(&path(name))?,
                Kind::Regular => system::read_whole(&path(name))?,
                _ => Vec::new(),
            };
            Ok((stat, content))
        });
        let (stat, content) = match found {
            Ok(found) => found,
            Err(failure) => {
                status = call.fail(2, bytes!(name, ": Cannot stat: ", failure));
                continue;
            }
        };
        let count = inodes.len() as u64;
        let inode = *inodes.entry((stat.device, stat.inode)).or_insert(count);
        let shown = name
            .strip_prefix(b"./")
            .filter(|rest| !rest.is_empty())
            .unwrap_or(name);
        let head = Deferred {
            name: shown.to_vec(),
            inode,
            mode: stat.kind.bits() | stat.mode,
            uid: owner.0.unwrap_or(stat.uid),
            gid: owner.1.unwrap_or(stat.gid),
            links: stat.links,
            modified: stat.modified.seconds,
            content,
        };
        making.add(head, stat.kind);
        if parsed.has("V") {
            eprint!(".");
        } else if parsed.has("v") && !parsed.has("p") {
            eprintln!("{}", String::from_utf8_lossy(name));
        }
    }
    Ok((making.finish(), status))
}

/// An archive that is being made.
struct Making {
    archive: Vec<u8>,
    /// Names of files with several, of which some are still to come: in the new formats alone.
    deferred: Vec<Deferred>,
    format: Format,
}

impl Making {
    /// Adds a file. In the new formats the names of a file wait for the last one, which has the content. They are
    /// then written in reverse order, as GNU's does.
    fn add(&mut self, head: Deferred, kind: Kind) {
        let is_once = matches!(self.format, Format::New | Format::Checked);
        if !is_once || kind != Kind::Regular || head.links <= 1 {
            return put(&mut self.archive, &head.member(&head.content), self.format);
        }
        let inode = head.inode;
        let others = self.deferred.iter().rev();
        let others = others.filter(|other| other.inode == inode);
        if others.clone().count() + 1 < head.links as usize {
            self.deferred.push(head);
            return;
        }
        others.for_each(|other| put(&mut self.archive, &other.member(b""), self.format));
        self.deferred.retain(|other| other.inode != inode);
        put(&mut self.archive, &head.member(&head.content), self.format);
    }

    /// The archive with the names that still wait, the last of each file with its content, and with
    /// the member that ends it.
    fn finish(mut self) -> Vec<u8> {
        while let Some(head) = self.deferred.pop() {
            let is_last = self.deferred.iter().all(|other| other.inode != head.inode);
            let content: &[u8] = if is_last { &head.content } else { b"" };
            put(&mut self.archive, &head.member(content), self.format);
        }
        let trailer = Member {
            name: b"TRAILER!!!",
            inode: (0, 0),
            mode: 0,
            uid: 0,
            gid: 0,
            links: 1,
            modified: 0,
            content: b"",
            is_once: false,
        };
        put(&mut self.archive, &trailer, self.format);
        self.archive
    }
}

/// The user and the group of `-R USER:GROUP`, by name or number; none without it.
///
/// ```text
/// -R 5       user 5          -R :7      group 7
/// -R 5:7     both            -R root:   root, and root's group
/// ```
pub(super) fn owner(call: &Call, parsed: &Parsed) -> Result<(Option<u32>, Option<u32>), i32> {
    let Some(text) = parsed.value("R") else {
        return Ok((None, None));
    };
    let accounts = Accounts::new();
    let text = String::from_utf8_lossy(text).into_owned();
    let (user, group) = text.split_once([':', '.']).unwrap_or((&text, ""));
    let known = accounts.find_user(user);
    let uid = user.parse().ok().or(known.map(|(uid, _)| uid));
    let mut gid = group.parse().ok().or_else(|| accounts.find_group(group));
    if group.is_empty() && text.len() > user.len() && !user.is_empty() {
        gid = known.map(|(_, gid)| gid);
    }
    if !user.is_empty() && uid.is_none() {
        return Err(call.fail(2, format!("{text}: invalid user")));
    }
    if !group.is_empty() && gid.is_none() {
        return Err(call.fail(2, format!("{text}: invalid group")));
    }
    Ok((uid, gid))
}

/// What a file is given once it is there.
#[derive(Clone, Copy)]
pub(super) struct Attributes {
    /// Type and permission bits.
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    /// In seconds since 1970.
    pub(super) modified: i64,
}
