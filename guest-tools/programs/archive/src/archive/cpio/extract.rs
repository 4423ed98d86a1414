//! `cpio -i` and `-t`: archives that are read.
//!
//! The members are read first and then listed or unpacked, so that a damaged archive, or one name that leads out,
//! leaves no file behind. What is order-dependent is left to the end: files whose content another name brings,
//! symbolic links, and the modes and times of directories.
//!
//! Files with several names: in `bin` and `odc` each name has the content, and the second and later ones become links
//! to the first. In `newc` and `crc` only the last name has it: the ones before wait for it in `waiting`.

use std::collections::HashMap;
use std::io::Write as _;

use super::gather::Attributes;
use super::header::{Member, take};
use crate::accounts::Accounts;
use crate::archive::safety;
use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::Parsed;
use crate::output::Output;
use crate::system::{Kind, Time};
use crate::{system, time};

/// The state of one pass through an archive.
pub(super) struct Reader<'a> {
    pub(super) call: &'a Call,
    pub(super) parsed: &'a Parsed,
    /// Where files go; empty is the working directory.
    directory: Vec<u8>,
    /// The patterns that choose members; none of them chooses all.
    pub(super) globs: Vec<Glob>,
    pub(super) accounts: Accounts,
    out: Output,
    pub(super) status: i32,
    /// The path of each file with several names that was made, by device and inode of the archive.
    known: HashMap<(u64, u64), Vec<u8>>,
    /// Names of files whose content comes with another name: device and inode, where they go, and what they are.
    waiting: Vec<((u64, u64), Vec<u8>, Attributes)>,
    /// Symbolic links to make at the end: the text, and where.
    pub(super) links: Vec<(Vec<u8>, Vec<u8>)>,
    /// Directories that get mode and time (in seconds since 1970) at the end.
    directories: Vec<(Vec<u8>, u32, i64)>,
    /// The user and the group that `-R` gives files to, in place of those of the archive.
    pub(super) owner: (Option<u32>, Option<u32>),
}

impl<'a> Reader<'a> {
    /// A reader into `directory`, with the operands for patterns and no `-R`.
    pub(super) fn new(call: &'a Call, parsed: &'a Parsed, directory: Vec<u8>) -> Reader<'a> {
        let globs = parsed
            .operands
            .iter()
            .map(|pattern| Glob::new(pattern, false, false));
        Reader {
            call,
            parsed,
            directory,
            globs: globs.collect(),
            accounts: Accounts::new(),
            out: Output::new(),
            status: 0,
            known: HashMap::new(),
            waiting: Vec::new(),
            links: Vec::new(),
            directories: Vec::new(),
            owner: (None, None),
        }
    }

    /// Says an error; the status becomes 2, and the next member follows.
    fn complain(&mut self, message: Vec<u8>) {
        self.out.flush();
        self.status = self.call.fail(2, message);
    }

    /// Lists or unpacks the members of an archive, up to its trailer.
    ///
    /// # Errors
    /// The status, after a message, where the archive is damaged or refused; nothing is written then.
    pub(super) fn all(&mut self, archive: &[u8]) -> Result<(), i32> {
        let mut members = Vec::new();
        let mut rest = archive;
        loop {
            let Some((member, length)) = take(rest) else {
                let magics: [&[u8]; 3] = [b"0707", &[0xc7, 0x71], &[0x71, 0xc7]];
                let message = if magics.iter().any(|magic| rest.starts_with(magic)) {
                    "premature end of file"
                } else {
                    "premature end of archive"
                };
                return Err(self.call.fail(2, message));
            };
            if member.name == b"TRAILER!!!" {
                break;
            }
            members.push(member);
            rest = rest.get(length..).unwrap_or_default();
        }
        let lists = self.parsed.has("t");
        if !lists && !self.parsed.has("to-stdout") {
            // All or nothing: one name that leads out refuses the archive.
            for member in members.iter().filter(|member| self.selects(member.name)) {
                let name = self.name(member);
                if let Err(escape) = safety::check_name(&name) {
                    let message = bytes!(member.name, ": refused: ", escape.reason());
                    return Err(self.call.fail(2, message));
                }
            }
        }
        for member in &members {
            if !self.selects(member.name) {
                continue;
            }
            if lists {
                self.list(member);
            } else if self.parsed.has("to-stdout") {
                self.tell(member.name);
                self.out.put(member.content);
            } else {
                self.extract(member);
            }
        }
        // Nobody had the content of these: they are empty.
        for (inode, path, attributes) in std::mem::take(&mut self.waiting) {
            let made = match self.known.get(&inode) {
                Some(first) => system::link(first, &path, false),
                None => self.create(&path, b"", attributes),
            };
            match made {
                Ok(()) => {
                    self.own(attributes, &path);
                    self.known.entry(inode).or_insert(path);
                }
                Err(failure) => self.complain(bytes!(path, ": Cannot open: ", failure)),
            }
        }
        for (target, path) in std::mem::take(&mut self.links) {
            if let Err(failure) = system::symlink(&target, &path) {
                self.complain(bytes!(path, ": Cannot symlink: ", failure));
            }
        }
        for (path, mode, modified) in std::mem::take(&mut self.directories).into_iter().rev() {
            // What a link leads to keeps what it has.
            let found = system::stat(&path, false);
            if !found.is_ok_and(|found| found.kind == Kind::Directory) {
                continue;
            }
            // A directory that is not ours keeps what it has.
            let _ = system::set_mode(&path, mode & !system::umask());
            if self.parsed.has("m") {
                let time = Time {
                    seconds: modified,
                    nanoseconds: 0,
                };
                let _ = system::set_times(&path, time, time, true);
            }
        }
        Ok(())
    }

    /// Writes what is left of the output; gives the exit status.
    pub(super) fn finish(self) -> i32 {
        self.out.finish("cpio", self.status, 2)
    }

    /// Whether the patterns choose a name, or with `-f` none of them does.
    fn selects(&self, name: &[u8]) -> bool {
        let matches = self.globs.is_empty() || self.globs.iter().any(|glob| glob.matches(name));
        matches != (self.parsed.has("f") && !self.globs.is_empty())
    }

    /// The name of a member, without leading slashes with `-p` and `--no-absolute-filenames`.
    pub(super) fn name(&self, member: &Member) -> Vec<u8> {
        let name = member.name;
        let slashes = name.iter().take_while(|&&byte| byte == b'/').count();
        // What is passed through goes below the other directory, wherever it came from.
        if self.parsed.has("no-absolute-filenames") || self.parsed.has("p") {
            name[slashes..].to_vec()
        } else {
            name.to_vec()
        }
    }

    /// A line of `-t`, and with `-v` one like that of `ls -l`, whose time has the year for what is not of the last
    /// 180 days.
    fn list(&mut self, member: &Member) {
        if self.parsed.has("V") && !self.parsed.has("v") {
            self.tell(member.name);
        }
        if !self.parsed.has("v") {
            return self.out.line(self.name(member));
        }
        let kind = match member.kind() {
            0o040_000 => Kind::Directory,
            0o120_000 => Kind::Symlink,
            0o010_000 => Kind::Fifo,
            0o020_000 => Kind::CharacterDevice,
            _ => Kind::Regular,
        };
        let stat = system::Stat {
            kind,
            device: 0,
            inode: 0,
            mode: member.mode & 0o7777,
            links: member.links,
            uid: member.uid,
            gid: member.gid,
            size: 0,
            blocks: 0,
            accessed: Time::default(),
            modified: Time::default(),
            changed: Time::default(),
            created: Time::default(),
        };
        let stamp = Time {
            seconds: member.modified,
            nanoseconds: 0,
        };
        let age = Time::now().seconds - member.modified;
        let format = if (0..180 * 86_400).contains(&age) {
            "%b %e %H:%M"
        } else {
            "%b %e  %Y"
        };
        let when = time::format(&time::local(stamp, &time::zone()), format);
        let numeric = self.parsed.has("n");
        let line = format!(
            "{} {:3} {:<8} {:<8} {:8} {when} ",
            stat.permissions(),
            member.links,
            self.accounts.user(member.uid, numeric),
            self.accounts.group(member.gid, numeric),
            member.content.len()
        );
        let target = if kind == Kind::Symlink {
            bytes!(" -> ", member.content)
        } else {
            Vec::new()
        };
        self.out.line(bytes!(line, self.name(member), target));
    }

    /// Unpacks a member. A file that is there and not older stays unless `-u` is given; parents are made only with
    /// `-d`.
    fn extract(&mut self, member: &Member) {
        let name = self.name(member);
        if let Err(escape) = safety::check_parents(&self.directory, &name) {
            return self.complain(bytes!(name, ": refused: ", escape.reason()));
        }
        let path = system::join(&self.directory, &name);
        if self.parsed.has("d")
            && let Err(failure) = safety::make_parents(&path)
        {
            return self.complain(bytes!(name, ": Cannot mkdir: ", failure));
        }
        if member.kind() == 0o040_000 {
            self.tell(&name);
            match system::make_directory(&path, 0o777) {
                Ok(()) | Err(system::EXIST) => {
                    self.directories
                        .push((path, member.mode & 0o7777, member.modified))
                }
                Err(failure) => self.complain(bytes!(name, ": Cannot mkdir: ", failure)),
            }
            return;
        }
        if let Ok(found) = system::stat(&path, false) {
            if found.modified.seconds >= member.modified && !self.parsed.has("u") {
                self.complain_newer(&name);
                return self.tell(&name);
            }
            self.tell(&name);
            // What takes its place is a new file, not a change of the old one.
            let _ = system::unlink(&path);
        } else {
            self.tell(&name);
        }
        let made = match member.kind() {
            0o120_000 => {
                self.links.push((member.content.to_vec(), path));
                return;
            }
            0o010_000 => system::make_fifo(&path, member.mode & 0o7777),
            0o100_000 => self.file(member, &path),
            _ => return self.complain(bytes!(name, ": unknown file type")),
        };
        match made {
            Ok(()) => self.own(member.attributes(), &path),
            Err(failure) => {
                let shown = if self.parsed.has("p") { &path } else { &name };
                self.complain(bytes!(shown, ": Cannot open: ", failure));
            }
        }
    }

    /// Names a member, or shows a dot for it.
    fn tell(&mut self, name: &[u8]) {
        self.out.flush();
        let pass = self.parsed.has("p");
        if self.parsed.has("V") && !pass {
            eprint!(".");
        } else if self.parsed.has("v") && pass {
            let path = system::join(&self.directory, name);
            eprintln!("{}", String::from_utf8_lossy(&path));
        } else if self.parsed.has("v") {
            eprintln!("{}", String::from_utf8_lossy(name));
        }
    }

    /// Gives a file to its owner, where it is there already. A caller who may not do that keeps it.
    fn own(&self, attributes: Attributes, path: &[u8]) {
        let (uid, gid) = self.owner;
        let forced = uid.is_some() || gid.is_some();
        if self.parsed.has("no-preserve-owner") && !forced {
            return;
        }
        let (uid, gid) = (uid.or(Some(attributes.uid)), gid.or(Some(attributes.gid)));
        // Who may not give files away keeps them; the mode is lost with the owner.
        let owned = system::set_owner(path, uid, gid, false);
        if owned.is_ok() && attributes.mode & 0o170_000 == 0o100_000 {
            let _ = system::set_mode(path, attributes.mode & 0o7777 & !system::umask());
        }
    }

    /// Says that a file stays. That is no error.
    fn complain_newer(&mut self, name: &[u8]) {
        self.out.flush();
        self.call.fail(
            0,
            bytes!(name, " not created: newer or same age version exists"),
        );
    }

    /// Makes a regular file: with its content, as another name of one that is there, or later when its content comes.
    fn file(&mut self, member: &Member, path: &[u8]) -> system::Result<()> {
        if member.links > 1 {
            if member.is_once && member.content.is_empty() {
                self.waiting
                    .push((member.inode, path.to_vec(), member.attributes()));
                return Ok(());
            }
            if let Some(first) = self.known.get(&member.inode) {
                return system::link(first, path, false);
            }
        }
        self.create(path, member.content, member.attributes())?;
        if member.links > 1 {
            self.known.insert(member.inode, path.to_vec());
            let others = self
                .waiting
                .iter()
                .filter(|(inode, ..)| *inode == member.inode);
            for (_, other, _) in others {
                system::link(path, other, false)?;
            }
            self.waiting.retain(|(inode, ..)| *inode != member.inode);
        }
        Ok(())
    }

    /// A new file with its content, mode and time.
    fn create(&self, path: &[u8], content: &[u8], attributes: Attributes) -> system::Result<()> {
        system::create_file(path, false)?.write_all(content)?;
        system::set_mode(path, attributes.mode & 0o7777 & !system::umask())?;
        if self.parsed.has("m") {
            let time = Time {
                seconds: attributes.modified,
                nanoseconds: 0,
            };
            system::set_times(path, time, time, true)?;
        }
        Ok(())
    }
}
