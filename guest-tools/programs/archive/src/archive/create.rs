//! `tar -c`, `-r` and `-u`: writing archives.
//!
//! Headers are GNU's (magic `ustar  `): names and targets of links above 100 bytes go into entries of their own
//! before the header, of type `L` and `K`; the header has their first 100 bytes. The archive ends with two blocks of
//! zeros and is filled up to a record of 10,240 bytes, in the uncompressed stream.
//!
//! `-r` and `-u` write behind the last member of the old archive, which must not be compressed. A file that shrinks
//! while it is read is filled up with zeros to the size in its header, as GNU's does it. Memory is constant but for
//! the names of files that have several, or are to be removed.
//!
//! `--remove-files` removes what was packed, once the archive is written: nothing is lost where that fails.

use std::collections::HashMap;
use std::io::{BufWriter, Read, Seek as _, SeekFrom, Write};

use ::tar::{Builder, EntryType, Header};

use super::codec::{Codec, Encoder};
use super::extract;
use super::tar::{Member, Mode, Plan};
use super::transform::Scope;
use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::output::{CHUNK, Output};
use crate::system::{self, Kind, Stat};

type Outcome<T = ()> = Result<T, Vec<u8>>;

/// The length that an archive is a multiple of: twenty blocks.
pub const RECORD: usize = 20 * 512;

/// Counts what is written, and fills it up to whole records at the end.
struct Blocks {
    /// The compression, or none, in front of the file.
    encoder: Encoder<Box<dyn Write>>,
    /// How much the archive has, before it is compressed.
    written: u64,
}

impl Blocks {
    /// Fills the last record with zeros and ends the compressed data. Gives the file, which is not flushed.
    fn finish(mut self) -> std::io::Result<Box<dyn Write>> {
        let rest = self.written.next_multiple_of(RECORD as u64) - self.written;
        self.encoder.write_all(&vec![0; rest as usize])?;
        self.encoder.finish()
    }
}

impl Write for Blocks {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.encoder.write(bytes)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.encoder.flush()
    }
}

/// What is said where options stand behind all names that they could be about.
const MISPLACED: &str = "The following options were used after any non-optional arguments in archive create or update mode.  These options are positional and affect only arguments that follow them.  Please, rearrange them properly.";

/// What a file has, in the length that its header says: no more, and zeros for what it does not have.
struct Body {
    file: Option<system::File>,
    /// How much is still to be given.
    rest: u64,
    /// Why reading ended.
    failure: Option<std::io::Error>,
    /// How much the file did not have.
    missing: u64,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = usize::try_from(self.rest).map_or(buffer.len(), |rest| rest.min(buffer.len()));
        let buffer = &mut buffer[..most];
        let mut count = 0;
        if let Some(file) = self.file.as_mut().filter(|_| most > 0) {
            match file.read(buffer) {
                Ok(0) => {
                    self.file = None;
                    self.missing = self.rest;
                }
                Ok(read) => count = read,
                Err(error) => {
                    self.file = None;
                    self.failure = Some(error);
                }
            }
        }
        if count == 0 {
            buffer.fill(0);
            count = most;
        }
        self.rest -= count as u64;
        Ok(count)
    }
}

struct Writer<'a> {
    call: &'a Call,
    plan: &'a Plan,
    accounts: Accounts,
    builder: Builder<Blocks>,
    /// The member's name of each file that may come again, by device and inode. A second one becomes a hard link to
    /// it: a file with several names, and any file that several operands may lead to.
    links: HashMap<(u64, u64), Vec<u8>>,
    /// The member that is being packed.
    member: &'a Member,
    /// What was packed and is to be removed, in this order, with its name.
    packed: Vec<(Vec<u8>, Vec<u8>, Kind)>,
    /// Times of members that the archive has already, in seconds since 1970. Empty for `-c`.
    known: HashMap<Vec<u8>, u64>,
    /// The names of `-v`.
    listing: Output,
    /// That leading parts are removed from names was said.
    stripped: bool,
    status: i32,
    /// The archive itself, which is not packed into itself.
    archive: Option<Stat>,
}

/// Creates the archive, or adds to it; gives the exit status, which is 2 where a file could not be packed.
///
/// # Errors
/// The message for what ends the command at once: the archive cannot be read or written, or a directory of `-C` is
/// not there.
pub fn run(call: &Call, plan: &Plan) -> Outcome<i32> {
    let (mut end, mut known) = (0, HashMap::new());
    let grows = plan.mode != Mode::Create && system::stat(&plan.archive, true).is_ok();
    if grows {
        (end, known) = extract::scan(plan)?;
    }
    let file: Box<dyn Write> = if plan.archive == b"-" {
        // Not a line at a time, as standard output has it.
        let output = std::io::stdout().lock();
        Box::new(BufWriter::with_capacity(CHUNK, output))
    } else {
        let opened = match grows {
            true => system::update_file(&plan.archive).and_then(|mut file| {
                file.seek(SeekFrom::Start(end))?;
                Ok(file)
            }),
            false => system::create_file(&plan.archive, false),
        };
        let file = opened.map_err(|failure| bytes!(plan.archive, ": Cannot open: ", failure))?;
        Box::new(BufWriter::with_capacity(CHUNK, file))
    };
    let fail = |error: std::io::Error| {
        bytes!(
            plan.archive,
            ": Cannot write: ",
            system::Failure::from(error)
        )
    };
    let codec = plan.codec.unwrap_or(Codec::None);
    let encoder = Encoder::new(codec, file, plan.level, None).map_err(fail)?;
    let encoder = Blocks {
        encoder,
        written: end,
    };
    let mut writer = Writer {
        call,
        plan,
        accounts: Accounts::new(),
        builder: Builder::new(encoder),
        links: HashMap::new(),
        member: &Member::default(),
        packed: Vec::new(),
        known,
        listing: Output::new(),
        stripped: false,
        status: 0,
        archive: system::stat(&plan.archive, true).ok(),
    };
    if !plan.idle.is_empty() {
        call.fail(2, MISPLACED);
        for option in &plan.idle {
            call.fail(2, bytes!(option, " has no effect"));
        }
        writer.status = 2;
    }
    let mut entered: &[u8] = b".";
    for member in &plan.members {
        let Member {
            directory, name, ..
        } = member;
        if directory != entered {
            super::tar::enter(directory)?;
            entered = directory;
        }
        writer.member = member;
        let path = if directory == b"." {
            name.clone()
        } else {
            system::join(directory, name)
        };
        writer.add(&path, name)?;
    }
    let packed = std::mem::take(&mut writer.packed);
    let finished = writer.builder.into_inner().and_then(Blocks::finish);
    finished.and_then(|mut file| file.flush()).map_err(fail)?;
    let mut status = writer.status;
    let listed = writer.listing.finish("tar", status, 2);
    for (path, name, kind) in packed {
        status = status.max(remove(call, &path, &name, kind));
    }
    Ok(listed.max(status))
}

/// Removes what was packed; gives the status. A name that is gone already, since it was packed twice, is none.
fn remove(call: &Call, path: &[u8], name: &[u8], kind: Kind) -> i32 {
    let (removed, what) = match kind {
        // The directory of `-C` itself is called `.` in it.
        Kind::Directory => {
            let path = path.strip_suffix(b"/.").unwrap_or(path);
            (system::remove_directory(path), ": Cannot rmdir: ")
        }
        _ => (system::unlink(path), ": Cannot unlink: "),
    };
    match removed {
        Ok(()) | Err(system::NO_ENTRY) => 0,
        Err(failure) => call.fail(2, bytes!(name, what, failure)),
    }
}

impl Writer<'_> {
    /// Says what could not be packed; the status becomes 2, and the next file follows.
    fn complain(&mut self, message: Vec<u8>) {
        self.status = self.call.fail(2, message);
    }

    /// Says that a file cannot be read, which counts unless it is to be ignored.
    fn unreadable(&mut self, name: &[u8], what: &str, failure: system::Failure) {
        if self.plan.ignores_unreadable {
            self.call
                .fail(0, bytes!(name, ": Warning: ", what, ": ", failure));
        } else {
            self.complain(bytes!(name, ": ", what, ": ", failure));
        }
    }

    fn show(&mut self, name: &[u8]) {
        if self.plan.verbose == 0 {
            return;
        }
        // The listing must not get into an archive on standard output.
        if self.plan.archive == b"-" {
            let _ = std::io::stderr().write_all(&bytes!(self.plan.quoting.show(name), "\n"));
        } else {
            self.listing.line(self.plan.quoting.show(name));
        }
    }

    /// The name in the archive: relative, and inside. What is removed is said once for the whole archive.
    ///
    /// ```text
    /// /a/b → a/b     ../a → a     a/../../b → b     / → ./
    /// ```
    fn member_name(&mut self, name: &[u8]) -> Vec<u8> {
        if self.plan.absolute {
            return name.to_vec();
        }
        let mut rest = name;
        if let Some(at) = name
            .windows(4)
            .rposition(|part| part == b"/../")
            .map(|at| at + 4)
        {
            rest = &name[at..];
        } else if let Some(after) = name.strip_prefix(b"../") {
            rest = after;
        }
        rest = &rest[rest.iter().take_while(|&&byte| byte == b'/').count()..];
        if rest.len() < name.len() && !self.stripped {
            self.stripped = true;
            let prefix = &name[..name.len() - rest.len()];
            self.listing.flush();
            self.call.fail(
                0,
                bytes!("Removing leading `", prefix, "' from member names"),
            );
        }
        if rest.is_empty() {
            b"./".to_vec()
        } else {
            rest.to_vec()
        }
    }

    /// Packs a file, and what is in it if it is a directory, depth first and in the order of
    /// `system::read_directory`. `path` is where it is, `name` what the command line calls it; they differ by the
    /// directory of `-C`. What cannot be read is said and left out.
    ///
    /// # Errors
    /// The archive cannot be written.
    fn add(&mut self, path: &[u8], name: &[u8]) -> Outcome {
        if self.plan.excludes_by(name, self.member.excludes) {
            return Ok(());
        }
        let found = match system::stat(path, self.plan.dereference) {
            Ok(found) => found,
            Err(failure) => {
                self.unreadable(name, "Cannot stat", failure);
                return Ok(());
            }
        };
        if self
            .archive
            .as_ref()
            .is_some_and(|archive| archive.is_same(&found))
            && self.plan.archive != b"-"
        {
            self.call
                .fail(0, bytes!(name, ": file is the archive; not dumped"));
            return Ok(());
        }
        let mut shown = name.to_vec();
        if found.kind == Kind::Directory && !shown.ends_with(b"/") {
            shown.push(b'/');
        }
        let member = self.plan.transform.apply(&shown, Scope::Member);
        let member = self.member_name(&member);
        let is_directory = found.kind == Kind::Directory;
        let newer = |known: &u64| !is_directory && found.modified.seconds.max(0) as u64 > *known;
        let wanted = self.plan.mode != Mode::Update || self.known.get(&member).is_none_or(newer);
        let recent = self.plan.newer.is_none_or(|newer| found.modified >= newer);
        let wanted = wanted && (recent || is_directory);
        let packed = wanted && self.entry(path, &found, &shown, &member)?;
        if is_directory && self.member.recurse {
            match system::read_directory(path) {
                Ok(entries) => {
                    for entry in entries {
                        self.add(&system::join(path, &entry.name), &bytes!(shown, entry.name))?;
                    }
                }
                Err(failure) => self.complain(bytes!(name, ": Cannot open: ", failure)),
            }
        }
        if self.plan.remove && packed {
            self.packed.push((path.to_vec(), name.to_vec(), found.kind));
        }
        Ok(())
    }

    /// The header of a file with what does not depend on its kind. Devices have no numbers.
    fn header(&self, found: &Stat) -> Header {
        let mut header = Header::new_gnu();
        let is_directory = found.kind == Kind::Directory;
        let change = self.plan.mode_change.as_ref();
        header.set_mode(change.map_or(found.mode, |change| {
            change.apply(found.mode, is_directory, 0)
        }));
        header.set_uid(u64::from(found.uid));
        header.set_gid(u64::from(found.gid));
        let own = found.modified.seconds;
        let modified = self.plan.mtime.map_or(own, |time| match self.plan.clamps {
            true => own.min(time),
            false => time,
        });
        header.set_mtime(modified.max(0) as u64);
        header.set_size(0);
        let accounts = &self.accounts;
        let user = match &self.plan.owner {
            Some(owner) => {
                let (name, number) =
                    named(owner, |name| accounts.find_user(name).map(|user| user.0));
                let number = number.unwrap_or(found.uid);
                header.set_uid(u64::from(number));
                name.or_else(|| accounts.user_name(number))
            }
            None => accounts.user_name(found.uid),
        };
        let group = match &self.plan.group {
            Some(group) => {
                let (name, number) = named(group, |name| accounts.find_group(name));
                let number = number.unwrap_or(found.gid);
                header.set_gid(u64::from(number));
                name.or_else(|| accounts.group_name(number))
            }
            None => accounts.group_name(found.gid),
        };
        if !self.plan.numeric {
            // A name that is too long is left out; the number stays.
            let _ = header.set_username(&user.unwrap_or_default());
            let _ = header.set_groupname(&group.unwrap_or_default());
        }
        header
    }

    /// Writes one entry; whether it could be read. `shown` is its name for messages, `member` the one in the archive.
    fn entry(&mut self, path: &[u8], found: &Stat, shown: &[u8], member: &[u8]) -> Outcome<bool> {
        let mut header = self.header(found);
        let mut content: Option<system::File> = None;
        let mut link = None;
        let known = self.links.get(&(found.device, found.inode)).cloned();
        let known = known.filter(|_| !self.plan.hard_dereference);
        let may_return = found.links > 1 || self.plan.members.len() > 1;
        if known.is_none() && may_return && found.kind != Kind::Directory {
            let inode = (found.device, found.inode);
            self.links.insert(inode, member.to_vec());
        }
        match found.kind {
            Kind::Regular | Kind::Symlink if known.is_some() => {
                header.set_entry_type(EntryType::Link);
                link = known;
            }
            Kind::Directory => header.set_entry_type(EntryType::Directory),
            Kind::Fifo => header.set_entry_type(EntryType::Fifo),
            Kind::CharacterDevice => header.set_entry_type(EntryType::Char),
            Kind::Symlink => {
                header.set_entry_type(EntryType::Symlink);
                let target = system::read_link(path).ok();
                link = target.map(|target| self.plan.transform.apply(&target, Scope::Symlink));
            }
            Kind::Regular => {
                header.set_entry_type(EntryType::Regular);
                match system::open_file(path) {
                    Ok(file) => content = Some(file),
                    Err(failure) => {
                        self.links.remove(&(found.device, found.inode));
                        self.unreadable(shown, "Cannot open", failure);
                        return Ok(false);
                    }
                }
                header.set_size(found.size);
            }
        }
        self.show(if self.plan.shows_transformed {
            member
        } else {
            shown
        });
        let fail = |error: std::io::Error| {
            bytes!(
                self.plan.archive,
                ": Cannot write: ",
                system::Failure::from(error)
            )
        };
        let mut body = Body {
            rest: content.as_ref().map_or(0, |_| found.size),
            file: content,
            failure: None,
            missing: 0,
        };
        self.append(header, member, link.as_deref(), &mut body)
            .map_err(fail)?;
        if let Some(failure) = body.failure {
            self.complain(bytes!(
                shown,
                ": Cannot read: ",
                system::Failure::from(failure)
            ));
            return Ok(false);
        }
        if body.missing > 0 {
            let (count, plural) = (body.missing, if body.missing == 1 { "" } else { "s" });
            let what = format!(": File shrank by {count} byte{plural}; padding with zeros");
            self.call.fail(1, bytes!(shown, what));
            self.status = self.status.max(1);
            return Ok(false);
        }
        Ok(true)
    }

    /// Appends an entry with the names of any length. The fields are filled here, and not by the library, which takes
    /// names as text, and a `\` in them for a separator on this target.
    fn append(
        &mut self,
        mut header: Header,
        name: &[u8],
        link: Option<&[u8]>,
        content: impl Read,
    ) -> std::io::Result<()> {
        self.append_long(b'K', link.unwrap_or_default())?;
        self.append_long(b'L', name)?;
        let fields = header.as_old_mut();
        fill(&mut fields.name, name);
        fill(&mut fields.linkname, link.unwrap_or_default());
        header.set_cksum();
        self.builder.append(&header, content)
    }

    /// Appends GNU's entry `././@LongLink`, whose content is a name that is too long for a header, with a zero byte
    /// at its end. `kind` is `L` for the name of the next entry, `K` for the target of its link. A name that fits
    /// needs none.
    fn append_long(&mut self, kind: u8, name: &[u8]) -> std::io::Result<()> {
        if name.len() <= LONGEST {
            return Ok(());
        }
        let mut header = Header::new_gnu();
        fill(&mut header.as_old_mut().name, b"././@LongLink");
        header.set_entry_type(EntryType::new(kind));
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_size(name.len() as u64 + 1);
        header.set_cksum();
        self.builder.append(&header, &[name, b"\0"].concat()[..])
    }
}

/// How long a name in a header may be; one of that length has no zero byte at its end.
const LONGEST: usize = 100;

/// Puts a name into its field: cut after 100 bytes, filled up with zeros.
fn fill(field: &mut [u8; LONGEST], name: &[u8]) {
    let length = name.len().min(LONGEST);
    field.fill(0);
    field[..length].copy_from_slice(&name[..length]);
}

/// The name and the number that the value of `--owner` or `--group` stands for.
///
/// ```text
/// root:7   root, 7
/// 7        no name, 7
/// root     root, and the number that `find` knows
/// ```
fn named(text: &str, find: impl Fn(&str) -> Option<u32>) -> (Option<String>, Option<u32>) {
    match text.split_once(':') {
        Some((name, number)) => (Some(name.to_owned()), number.parse().ok()),
        None => match text.parse() {
            Ok(number) => (None, Some(number)),
            Err(_) => (Some(text.to_owned()), find(text)),
        },
    }
}
