//! `cpio`: the binary (`bin`), the portable (`odc`) and the new (`newc`, `crc`) format.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};

use super::safety;
use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::system::{self, Kind, Time};
use crate::time;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: cpio [OPTION...] [destination-directory]\nGNU `cpio' copies files to and from archives\n  cpio -o < name-list > archive\n  cpio -i < archive\n  cpio -p destination-directory < name-list\n",
    options: &[
        Opt("o", "create", Value::No),
        Opt("i", "extract", Value::No),
        Opt("p", "pass-through", Value::No),
        Opt("t", "list", Value::No),
        Opt("0", "null", Value::No),
        Opt("B", "", Value::No),
        Opt("c", "", Value::No),
        Opt("C", "io-size", Value::Required),
        Opt("d", "make-directories", Value::No),
        Opt("D", "directory", Value::Required),
        Opt("E", "pattern-file", Value::Required),
        Opt("f", "nonmatching", Value::No),
        Opt("F", "file", Value::Required),
        Opt("H", "format", Value::Required),
        Opt("I", "", Value::Required),
        Opt("O", "", Value::Required),
        Opt("L", "dereference", Value::No),
        Opt("m", "preserve-modification-time", Value::No),
        Opt("n", "numeric-uid-gid", Value::No),
        Opt("", "no-absolute-filenames", Value::No),
        Opt("", "no-preserve-owner", Value::No),
        Opt("", "quiet", Value::No),
        Opt("R", "owner", Value::Required),
        Opt("", "reproducible", Value::No),
        Opt("", "to-stdout", Value::No),
        Opt("u", "unconditional", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("V", "dot", Value::No),
    ],
    permute: true,
    status: 2,
};

/// A member of an archive.
struct Member<'a> {
    name: &'a [u8],
    inode: (u64, u64),
    mode: u32,
    uid: u32,
    gid: u32,
    links: u32,
    modified: i64,
    content: &'a [u8],
    /// Its format has the content of a file with several names once: with the last of them.
    is_once: bool,
}

impl Member<'_> {
    fn kind(&self) -> u32 {
        self.mode & 0o170_000
    }
}

/// How an archive is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Binary,
    New,
    Checked,
    Portable,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

fn start(call: &Call) -> Result<i32, i32> {
    // An option that it does not know is a usage error of its own.
    const UNKNOWN: i32 = 64;
    let wrong = |status| {
        if status == SYNTAX.status {
            UNKNOWN
        } else {
            status
        }
    };
    let mut parsed = options::parse(call, &SYNTAX).map_err(wrong)?;
    let modes = ["o", "i", "p"].iter().filter(|key| parsed.has(key)).count();
    if modes > 1 {
        return Err(options::usage_error(call, &SYNTAX, "Mode already defined"));
    }
    if let Some(file) = parsed.value("E") {
        let lines = system::read_whole(file)
            .map_err(|failure| call.fail(2, bytes!(file, ": Cannot open: ", failure)))?;
        let patterns = lines.split(|&byte| byte == b'\n');
        let patterns = patterns.filter(|line| !line.is_empty());
        parsed.operands.extend(patterns.map(<[u8]>::to_vec));
    }
    let block = block_size(call, &parsed)?;
    let format = match parsed.value("H") {
        None if parsed.has("c") => Format::Portable,
        None | Some(b"bin") => Format::Binary,
        Some(b"newc") => Format::New,
        Some(b"crc") => Format::Checked,
        Some(b"odc") => Format::Portable,
        Some(other) => {
            let message = bytes!(
                "archive format '",
                other,
                "' is not supported; bin, newc, crc and odc are"
            );
            return Err(options::usage_error(call, &SYNTAX, message));
        }
    };
    let base = parsed.value("D").unwrap_or_default().to_vec();
    if parsed.has("o") {
        let (mut archive, status) = gather(call, &parsed, &base, format)?;
        let full = archive.len().next_multiple_of(block);
        archive.resize(full, 0);
        let archive = (archive, status);
        let file = parsed.value("O").or(parsed.value("F"));
        return match file {
            Some(file) => {
                let written = system::create_file(file, false)
                    .and_then(|mut out| Ok(out.write_all(&archive.0)?));
                written
                    .map_err(|failure| call.fail(2, bytes!("Cannot open ", file, ": ", failure)))?;
                blocks(&parsed, archive.0.len(), block);
                Ok(archive.1)
            }
            None => {
                let mut out = Output::new();
                out.put(&archive.0);
                let status = out.finish("cpio", archive.1, 2);
                blocks(&parsed, archive.0.len(), block);
                Ok(status)
            }
        };
    }
    if parsed.has("p") {
        let Some(target) = parsed.operands.pop() else {
            return Err(options::usage_error(call, &SYNTAX, "Not enough arguments"));
        };
        // Copying is writing an archive and reading it elsewhere.
        let (archive, status) = gather(call, &parsed, &base, Format::New)?;
        let mut reader = Reader::new(call, &parsed, target);
        reader.owner = owner(call, &parsed)?;
        reader.globs = Vec::new();
        reader.all(&archive)?;
        blocks(&parsed, archive.len(), block);
        return Ok(status.max(reader.finish()));
    }
    if !parsed.has("i") && !parsed.has("t") {
        let message = "You must specify one of -oipt options.";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let file = parsed
        .value("I")
        .or(parsed.value("F"))
        .unwrap_or(b"-")
        .to_vec();
    let content = system::read_whole(&file)
        .map_err(|failure| call.fail(2, bytes!("Cannot open ", file, ": ", failure)))?;
    let mut reader = Reader::new(call, &parsed, base);
    reader.owner = owner(call, &parsed)?;
    reader.all(&content)?;
    blocks(&parsed, content.len(), block);
    Ok(reader.finish())
}

/// The size of a record: 512 bytes, ten of these or what `-C` says.
fn block_size(call: &Call, parsed: &Parsed) -> Result<usize, i32> {
    let Some(text) = parsed.value("C") else {
        return Ok(if parsed.has("B") { 5120 } else { 512 });
    };
    let size = options::number(text).filter(|size| (1..=1 << 30).contains(size));
    size.ok_or_else(|| call.fail(2, "invalid block size"))
}

fn blocks(parsed: &Parsed, size: usize, block: usize) {
    if parsed.has("V") {
        eprintln!();
    }
    if !parsed.has("quiet") {
        let count = size.div_ceil(block);
        eprintln!("{count} block{}", if count == 1 { "" } else { "s" });
    }
}

/// A file whose place in the archive is not known yet.
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

/// The archive of the files that standard input names, and the status.
fn gather(
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
    let mut archive = Vec::new();
    let mut status = 0;
    let mut inodes: HashMap<(u64, u64), u64> = HashMap::new();
    let mut deferred: Vec<Deferred> = Vec::new();
    let is_once = matches!(format, Format::New | Format::Checked);
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
        if is_once && stat.kind == Kind::Regular && stat.links > 1 {
            // The names of a file wait for the last one, which has the content.
            let waiting = deferred.iter().filter(|other| other.inode == inode).count();
            if waiting + 1 < stat.links as usize {
                deferred.push(head);
            } else {
                let others = deferred.iter().rev().filter(|other| other.inode == inode);
                others.for_each(|other| put(&mut archive, &other.member(b""), format));
                deferred.retain(|other| other.inode != inode);
                put(&mut archive, &head.member(&head.content), format);
            }
        } else {
            put(&mut archive, &head.member(&head.content), format);
        }
        if parsed.has("V") {
            eprint!(".");
        } else if parsed.has("v") && !parsed.has("p") {
            eprintln!("{}", String::from_utf8_lossy(name));
        }
    }
    while let Some(head) = deferred.pop() {
        let is_last = deferred.iter().all(|other| other.inode != head.inode);
        let content: &[u8] = if is_last { &head.content } else { b"" };
        put(&mut archive, &head.member(content), format);
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
    put(&mut archive, &trailer, format);
    Ok((archive, status))
}

/// The user and the group of `-R USER:GROUP`.
fn owner(call: &Call, parsed: &Parsed) -> Result<(Option<u32>, Option<u32>), i32> {
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

fn put(archive: &mut Vec<u8>, member: &Member, format: Format) {
    let size = member.content.len();
    let name = member.name.len() + 1;
    let modified = member.modified.max(0);
    if format == Format::Portable {
        let head = format!(
            "070707{:06o}{:06o}{:06o}{:06o}{:06o}{:06o}{:06o}{modified:011o}{name:06o}{size:011o}",
            member.inode.0 & 0o777_777,
            member.inode.1 & 0o777_777,
            member.mode,
            member.uid & 0o777_777,
            member.gid & 0o777_777,
            member.links,
            0
        );
        archive.extend_from_slice(&bytes!(head, member.name, "\0", member.content));
        return;
    }
    if format == Format::Binary {
        let fields = [
            0o070_707,
            0,
            member.inode.1,
            u64::from(member.mode),
            u64::from(member.uid),
            u64::from(member.gid),
            u64::from(member.links),
            0,
            modified as u64 >> 16,
            modified as u64,
            name as u64,
            size as u64 >> 16,
            size as u64,
        ];
        for field in fields {
            archive.extend_from_slice(&(field as u16).to_le_bytes());
        }
        archive.extend_from_slice(&bytes!(member.name, "\0"));
        archive.resize(archive.len().next_multiple_of(2), 0);
        archive.extend_from_slice(member.content);
        archive.resize(archive.len().next_multiple_of(2), 0);
        return;
    }
    let checked = format == Format::Checked && member.kind() == 0o100_000;
    let check = if checked {
        member
            .content
            .iter()
            .fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)))
    } else {
        0
    };
    let magic = if format == Format::Checked {
        "070702"
    } else {
        "070701"
    };
    let head = format!(
        "{magic}{:08X}{:08X}{:08X}{:08X}{:08X}{modified:08X}{size:08X}{:08X}{:08X}{:08X}{:08X}{name:08X}{check:08X}",
        member.inode.1, member.mode, member.uid, member.gid, member.links, 0, 0, 0, 0
    );
    archive.extend_from_slice(&bytes!(head, member.name, "\0"));
    archive.resize(archive.len().next_multiple_of(4), 0);
    archive.extend_from_slice(member.content);
    archive.resize(archive.len().next_multiple_of(4), 0);
}

fn digits(text: &[u8], radix: u32) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(text).ok()?, radix).ok()
}

/// A member of the binary format, in either byte order.
fn take_binary(rest: &[u8]) -> Option<(Member<'_>, usize)> {
    let big = rest.starts_with(&0o070_707_u16.to_be_bytes());
    let field = |index: usize| {
        let pair = rest.get(2 * index..2 * index + 2)?;
        let pair = [pair[0], pair[1]];
        let value = if big {
            u16::from_be_bytes(pair)
        } else {
            u16::from_le_bytes(pair)
        };
        Some(u32::from(value))
    };
    let long = |index: usize| Some(field(index)? << 16 | field(index + 1)?);
    let (name, size) = (field(10)? as usize, long(11)? as usize);
    let start = 26 + name.next_multiple_of(2);
    let end = start.checked_add(size)?;
    let member = Member {
        name: rest.get(26..(26 + name).checked_sub(1)?)?,
        inode: (u64::from(field(1)?), u64::from(field(2)?)),
        mode: field(3)?,
        uid: field(4)?,
        gid: field(5)?,
        links: field(6)?,
        modified: i64::from(long(8)?),
        content: rest.get(start..end)?,
        is_once: false,
    };
    Some((member, end.next_multiple_of(2)))
}

/// The member at the start of `rest`, and how long it is.
fn take(rest: &[u8]) -> Option<(Member<'_>, usize)> {
    let number = |at: usize, length: usize, radix| digits(rest.get(at..at + length)?, radix);
    let size_of = |number: u64| usize::try_from(number).ok();
    if rest.starts_with(&[0xc7, 0x71]) || rest.starts_with(&[0x71, 0xc7]) {
        return take_binary(rest);
    }
    let new = matches!(rest.get(..6)?, b"070701" | b"070702");
    let (head, name, size) = if new {
        (
            110,
            size_of(number(94, 8, 16)?)?,
            size_of(number(54, 8, 16)?)?,
        )
    } else if rest.starts_with(b"070707") {
        (
            76,
            size_of(number(59, 6, 8)?)?,
            size_of(number(65, 11, 8)?)?,
        )
    } else {
        return None;
    };
    let pad = |at: usize| {
        if new {
            at.checked_next_multiple_of(4)
        } else {
            Some(at)
        }
    };
    let start = pad(head + name)?;
    let end = start.checked_add(size)?;
    let content = rest.get(start..end)?;
    let text = rest.get(head..(head + name).checked_sub(1)?)?;
    let field = |narrow: (usize, usize), wide: usize| {
        if new {
            number(wide, 8, 16)
        } else {
            number(narrow.0, narrow.1, 8)
        }
    };
    let device = if new {
        number(62, 8, 16)? << 32 | number(70, 8, 16)?
    } else {
        number(6, 6, 8)?
    };
    let member = Member {
        name: text,
        inode: (device, field((12, 6), 6)?),
        mode: field((18, 6), 14)? as u32,
        uid: field((24, 6), 22)? as u32,
        gid: field((30, 6), 30)? as u32,
        links: field((36, 6), 38)? as u32,
        modified: field((48, 11), 46)? as i64,
        content,
        is_once: new,
    };
    Some((member, pad(end)?))
}

/// What a file is given once it is there.
#[derive(Clone, Copy)]
struct Attributes {
    mode: u32,
    uid: u32,
    gid: u32,
    modified: i64,
}

impl Member<'_> {
    fn attributes(&self) -> Attributes {
        Attributes {
            mode: self.mode,
            uid: self.uid,
            gid: self.gid,
            modified: self.modified,
        }
    }
}

struct Reader<'a> {
    call: &'a Call,
    parsed: &'a Parsed,
    directory: Vec<u8>,
    globs: Vec<Glob>,
    accounts: Accounts,
    out: Output,
    status: i32,
    /// The first name of files with several.
    known: HashMap<(u64, u64), Vec<u8>>,
    /// Names of files whose content comes with another name: where they go, and what they are.
    waiting: Vec<((u64, u64), Vec<u8>, Attributes)>,
    links: Vec<(Vec<u8>, Vec<u8>)>,
    directories: Vec<(Vec<u8>, u32, i64)>,
    /// Who `-R` gives files to.
    owner: (Option<u32>, Option<u32>),
}

impl<'a> Reader<'a> {
    fn new(call: &'a Call, parsed: &'a Parsed, directory: Vec<u8>) -> Reader<'a> {
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

    fn complain(&mut self, message: Vec<u8>) {
        self.out.flush();
        self.status = self.call.fail(2, message);
    }

    fn all(&mut self, archive: &[u8]) -> Result<(), i32> {
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

    fn finish(self) -> i32 {
        self.out.finish("cpio", self.status, 2)
    }

    fn selects(&self, name: &[u8]) -> bool {
        let matches = self.globs.is_empty() || self.globs.iter().any(|glob| glob.matches(name));
        matches != (self.parsed.has("f") && !self.globs.is_empty())
    }

    fn name(&self, member: &Member) -> Vec<u8> {
        let name = member.name;
        let slashes = name.iter().take_while(|&&byte| byte == b'/').count();
        if self.parsed.has("no-absolute-filenames") {
            name[slashes..].to_vec()
        } else {
            name.to_vec()
        }
    }

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

    /// Gives a file to its owner, where it is there already.
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

    fn complain_newer(&mut self, name: &[u8]) {
        self.out.flush();
        self.call.fail(
            0,
            bytes!(name, " not created: newer or same age version exists"),
        );
    }

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
