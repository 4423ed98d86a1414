//! `tar -x` and `-t`: reading archives. Nothing is written outside the directory that is extracted to.
//!
//! Four rules keep to that, unless `-P` is given:
//!
//! 1. Leading slashes are taken from names, with a message once for the whole archive; a name with a part `..` is
//!    refused.
//! 2. Symbolic links that are absolute or have a part `..` are made last, in `Reader::finish`, when nothing can be
//!    written through them any more; an empty file keeps their place. Other links lead to where nothing else can be but
//!    what rule 3 lets pass.
//! 3. A parent that is a symbolic link and leads out of the directory refuses the member (`safety::check_parents`),
//!    and so it does for links that are made last, for the directories that get their mode then, and for what a hard
//!    link leads to.
//! 4. A hard link is refused where its target has a part `..`.
//!
//! Directories get their mode and time at the end too, in reverse order: one without write permission can be filled
//! first, and what is put into a directory does not change its time any more. What has taken the place of a directory
//! meanwhile keeps what it has.
//!
//! The archive is a stream: memory is constant but for links and directories, which are kept until the end. Archives
//! with POSIX's, pax's and GNU's headers are read by the crate `tar`; the compression is recognised by the first
//! bytes, with `-z`, `-j` and `-J` or without. `create` and `delete` use `scan`, `globs`, `selects` and
//! `not_found` as well.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read, Write as _};

use ::tar::{Archive, EntryType, Header};

use super::codec::Codec;
use super::safety::{self, Escape};
use super::tar::{COMPRESSED, Mode, Plan};
use super::transform::Scope;
use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system::{self, Kind, Time};
use crate::time;

type Outcome<T = ()> = Result<T, Vec<u8>>;

/// The length that archives are a multiple of: twenty blocks of 512 bytes.
const RECORD: u64 = 10_240;

/// Whether an entry is a file with a content.
fn is_file(header: &Header) -> bool {
    matches!(
        header.entry_type(),
        EntryType::Regular | EntryType::Continuous
    )
}

/// The archive without its compression, whichever it has.
///
/// # Errors
/// The archive cannot be opened or read, or has another compression than the one asked for. The latter is said in the
/// words of the decompressor, as if GNU tar had started it.
fn open(plan: &Plan) -> Outcome<Box<dyn Read>> {
    let file = system::open_input(&plan.archive)
        .map_err(|failure| bytes!(plan.archive, ": Cannot open: ", failure))?;
    let mut reader = BufReader::with_capacity(CHUNK, file);
    let start = reader.fill_buf().map_err(|error| {
        bytes!(
            plan.archive,
            ": Cannot read: ",
            system::Failure::from(error)
        )
    })?;
    let codec = Codec::of(start);
    let wanted = plan.codec.filter(|codec| *codec != Codec::None);
    if let Some(wanted) = wanted.filter(|wanted| *wanted != codec) {
        let (message, status) = match wanted {
            Codec::Gzip => ("\ngzip: stdin: not in gzip format\n", 1),
            Codec::Bzip2 => ("bzip2: (stdin) is not a bzip2 file.\n", 2),
            _ => ("xz: (stdin): File format not recognized\n", 1),
        };
        // As the decompressor would say it.
        let _ = std::io::stderr().write_all(message.as_bytes());
        return Err(format!("Child returned status {status}").into_bytes());
    }
    Ok(codec.reader(reader))
}

/// The times of members by name, in seconds since 1970. Of several members of one name the last counts.
pub type Times = HashMap<Vec<u8>, u64>;

/// Where the members of an archive end, and the time of each of them, for `-r` and `-u`. The place is a multiple of
/// 512 bytes.
///
/// # Errors
/// The archive is compressed, or damaged: what is put behind its members would be lost.
pub fn scan(plan: &Plan) -> Outcome<(u64, Times)> {
    let file = system::open_file(&plan.archive)
        .map_err(|failure| bytes!(plan.archive, ": Cannot open: ", failure))?;
    let length = file.metadata().map_or(u64::MAX, |found| found.len());
    let mut reader = BufReader::with_capacity(CHUNK, file);
    let start = reader.fill_buf().unwrap_or_default();
    if Codec::of(start) != Codec::None {
        return Err(COMPRESSED.into());
    }
    let (mut known, mut end) = (HashMap::new(), 0);
    let mut archive = Archive::new(reader);
    let broken = |end| match end {
        0 => b"This does not look like a tar archive".to_vec(),
        _ => b"Unexpected EOF in archive".to_vec(),
    };
    for entry in archive.entries().map_err(|_| broken(0))? {
        let entry = entry.map_err(|_| broken(end))?;
        let size = entry.header().entry_size().unwrap_or(0);
        let content = entry.raw_file_position().saturating_add(size);
        if content > length {
            return Err(broken(length));
        }
        end = content.next_multiple_of(512);
        known.insert(
            entry.path_bytes().into_owned(),
            entry.header().mtime().unwrap_or(0),
        );
    }
    Ok((end, known))
}

/// The state of one pass through the members of an archive, for `-x`, `-t` and `-d`.
pub(super) struct Reader<'a> {
    pub(super) call: &'a Call,
    pub(super) plan: &'a Plan,
    /// Standard output. It is flushed before each message, so that both come in the order in which they arose.
    pub(super) out: Output,
    /// The names asked for as patterns, for `--wildcards`: as many as `Plan::members`.
    globs: Vec<Glob>,
    /// Which of the names asked for were in a member.
    found: Vec<bool>,
    /// Symbolic links to make at the end.
    links: Vec<Waiting>,
    /// Directories that get their mode and their time (in seconds since 1970) at the end, in the order of the
    /// archive.
    directories: Vec<(Vec<u8>, u32, u64)>,
    /// How wide owner, group and size together are in the listing of `-tv`. It grows with what does not fit and stays
    /// so.
    width: usize,
    /// That leading parts are removed from names was said.
    stripped: bool,
    /// The exit status so far.
    pub(super) status: i32,
}

/// A symbolic link that is made at the end.
struct Waiting {
    /// What the archive calls it.
    name: Vec<u8>,
    path: Vec<u8>,
    /// Where it leads.
    text: Vec<u8>,
    /// The file that keeps its place.
    kept: system::Stat,
}

/// Lists or extracts the archive, or compares it with the files; gives the exit status.
///
/// # Errors
/// The message for what ends the command at once: the archive cannot be opened, or ends within a member that is
/// extracted. What is wrong with one member is said and counts for the status. A header that cannot be read ends the
/// pass with status 2, after the links of the members before it.
pub fn run(call: &Call, plan: &Plan) -> Outcome<i32> {
    let mut input = open(plan)?;
    let mut reader = Reader {
        call,
        plan,
        out: Output::new(),
        globs: globs(plan),
        found: vec![false; plan.members.len()],
        links: Vec::new(),
        directories: Vec::new(),
        width: 18,
        stripped: false,
        status: 0,
    };
    let broken = b"This does not look like a tar archive".to_vec();
    // The library takes nothing at all for an archive without members.
    let mut first = Vec::new();
    let read = input.by_ref().take(1).read_to_end(&mut first);
    if read.is_ok_and(|read| read == 0) {
        call.fail(2, broken);
        return Ok(reader.out.finish("tar", 2, 2));
    }
    let mut archive = Archive::new(first.as_slice().chain(input));
    let entries = archive.entries().map_err(|_| broken.clone())?;
    let mut some = false;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(_) => {
                let message = if some {
                    &b"Unexpected EOF in archive"[..]
                } else {
                    &broken
                };
                reader.out.flush();
                call.fail(2, message);
                reader.finish();
                return Ok(reader.out.finish("tar", 2, 2));
            }
        };
        some = true;
        // What holds for all members is none itself; git writes the commit's id so.
        if entry.header().entry_type() == EntryType::XGlobalHeader {
            continue;
        }
        let name = entry.path_bytes().into_owned();
        if !selects(plan, &reader.globs, &mut reader.found, &name) || plan.excludes(&name) {
            continue;
        }
        let link = entry.link_name_bytes().map(std::borrow::Cow::into_owned);
        let header = entry.header().clone();
        if plan.mode == Mode::Extract {
            let scope = match header.entry_type() {
                EntryType::Link => Scope::HardLink,
                _ => Scope::Symlink,
            };
            let target = plan.transform.apply(&name, Scope::Member);
            let link = link.map(|link| plan.transform.apply(&link, scope));
            let shown = if plan.shows_transformed {
                &target
            } else {
                &name
            };
            reader.extract(shown, &target, &header, link, &mut entry)?;
        } else if plan.mode == Mode::Compare {
            reader.compare(&name, &header, link.as_deref(), &mut entry);
        } else {
            if name.starts_with(b"/") && !plan.absolute {
                reader.note_stripped("/");
            }
            let shown = match plan.shows_transformed {
                true => plan.transform.apply(&name, Scope::Member),
                false => name,
            };
            reader.list(&shown, &header, link.as_deref(), plan.verbose);
        }
    }
    if plan.archive == b"-" {
        // Whoever writes to the pipe is not to fail for the rest of the last record.
        let rest = &mut archive.into_inner().take(RECORD);
        let _ = std::io::copy(rest, &mut std::io::sink());
    }
    reader.finish();
    reader.out.flush();
    if not_found(call, plan, &reader.found) {
        reader.status = 2;
    }
    let status = reader.status;
    Ok(reader.out.finish("tar", status, 2))
}

/// Says which of the names asked for were in no member; whether there is one. A name with `*`, `?` or `[` gets the
/// hint at `--wildcards` first.
pub fn not_found(call: &Call, plan: &Plan, found: &[bool]) -> bool {
    let missing = plan.members.iter().zip(found).filter(|(_, found)| !**found);
    let missing: Vec<&[u8]> = missing.map(|(member, _)| member.name.as_slice()).collect();
    let is_pattern = |name: &&[u8]| name.iter().any(|byte| b"*?[".contains(byte));
    if !plan.wildcards && missing.iter().any(is_pattern) {
        call.fail(0, "Pattern matching characters used in file names");
        let how = "Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning";
        call.fail(0, how);
    }
    for name in &missing {
        call.fail(2, bytes!(name, ": Not found in archive"));
    }
    !missing.is_empty()
}

/// Whether the member is one of those asked for, or inside one; `found` is set for each that it matches. A call
/// without names selects all.
///
/// ```text
/// tar -x d         selects d, d/ and d/a, not da
/// tar -x 'd/*'     selects nothing; with --wildcards d/a and d/a/b
/// ```
pub fn selects(plan: &Plan, globs: &[Glob], found: &mut [bool], name: &[u8]) -> bool {
    if plan.members.is_empty() {
        return true;
    }
    let bare = name.strip_suffix(b"/").unwrap_or(name);
    let mut selected = false;
    for (index, member) in plan.members.iter().enumerate() {
        let wanted = member.name.strip_suffix(b"/").unwrap_or(&member.name);
        let inside = bare
            .strip_prefix(wanted)
            .is_some_and(|rest| rest.is_empty() || rest[0] == b'/');
        if inside || (plan.wildcards && globs[index].matches(bare)) {
            found[index] = true;
            selected = true;
        }
    }
    selected
}

/// The names asked for as patterns, in their order. `*` matches slashes too.
pub fn globs(plan: &Plan) -> Vec<Glob> {
    let names = plan.members.iter();
    names
        .map(|member| Glob::new(&member.name, false, false))
        .collect()
}

impl Reader<'_> {
    /// Shows a member as a line: the name alone, or with its details for `-tv` and `-xvv`.
    ///
    /// ```text
    /// -rw-r--r-- user/group        12 2024-05-01 10:00 a
    /// hrw-r--r-- user/group         0 2024-05-01 10:00 b link to a
    /// ```
    pub(super) fn list(&mut self, name: &[u8], header: &Header, link: Option<&[u8]>, verbose: u8) {
        let mut line = Vec::new();
        if verbose > (if self.plan.mode == Mode::List { 0 } else { 1 }) {
            line = self.details(header);
        }
        let is_short = line.is_empty();
        line.extend(self.plan.quoting.show(name));
        if let (Some(link), false) = (link, is_short) {
            let arrow = if header.entry_type() == EntryType::Link {
                " link to "
            } else {
                " -> "
            };
            line.extend(bytes!(arrow, self.plan.quoting.show(link)));
        }
        // With `-O` standard output has the contents alone.
        if self.plan.to_stdout {
            self.out.flush();
            line.push(b'\n');
            let _ = std::io::stderr().write_all(&line);
        } else {
            self.out.line(&line);
        }
    }

    /// What `tar -tv` shows before the name: type and permissions, owners, size and local time. The size is padded so
    /// that the times stand below each other.
    fn details(&mut self, header: &Header) -> Vec<u8> {
        let kind = match header.entry_type() {
            EntryType::Directory => 'd',
            EntryType::Symlink => 'l',
            EntryType::Link => 'h',
            EntryType::Char => 'c',
            EntryType::Block => 'b',
            EntryType::Fifo => 'p',
            _ => '-',
        };
        let letters = system::mode_letters(header.mode().unwrap_or(0));
        let owner = |name: Option<&[u8]>, number: u64| match name {
            Some(name) if !name.is_empty() && !self.plan.numeric => {
                String::from_utf8_lossy(name).into_owned()
            }
            _ => number.to_string(),
        };
        let user = owner(header.username_bytes(), header.uid().unwrap_or(0));
        let group = owner(header.groupname_bytes(), header.gid().unwrap_or(0));
        let size = header.size().unwrap_or(0).to_string();
        let taken = user.len() + group.len() + size.len() + 1;
        self.width = self.width.max(taken);
        let room = self.width - taken + size.len();
        let stamp = Time {
            seconds: header.mtime().unwrap_or(0) as i64,
            nanoseconds: 0,
        };
        let zone = match self.plan.utc {
            true => time::zone_named("UTC"),
            false => time::zone(),
        };
        let form = match self.plan.full_time {
            true => "%Y-%m-%d %H:%M:%S",
            false => "%Y-%m-%d %H:%M",
        };
        let when = time::format(&time::local(stamp, &zone), form);
        format!("{kind}{letters} {user}/{group} {size:>room$} {when} ").into_bytes()
    }

    /// The path to write to: in the directory of `-C`, without the parts that `--strip-components` removes; none
    /// where it has no more parts than those. Without `-P` everything up to the last `..` goes as well.
    ///
    /// ```text
    /// --strip-components=1                a/b → b, a → none
    /// --one-top-level=t                   a/b → t/a/b, t/b → t/b
    /// -C d                                /a/b → d/a/b
    /// ```
    fn target(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let mut parts: Vec<&[u8]> = name
            .split(|&byte| byte == b'/')
            .filter(|part| !part.is_empty())
            .collect();
        if self.plan.strip >= parts.len() && self.plan.strip > 0 {
            return None;
        }
        parts.drain(..self.plan.strip);
        if let Some(top) = &self.plan.top
            && parts.first() != Some(&top.as_slice())
        {
            parts.insert(0, top);
        }
        // Each file has one path.
        parts.retain(|part| *part != b".");
        if self.plan.absolute {
            let start: &[u8] = if name.starts_with(b"/") && self.plan.strip == 0 {
                b"/"
            } else {
                b""
            };
            return Some(system::join(
                &self.plan.directory,
                &bytes!(start, parts.join(&b"/"[..])),
            ));
        }
        let outside = parts.iter().rposition(|part| *part == b"..");
        if let Some(at) = outside {
            parts.drain(..=at);
        }
        if outside.is_some() {
            self.note_stripped("../");
        } else if name.starts_with(b"/") {
            self.note_stripped("/");
        }
        let path = parts.join(&b"/"[..]);
        let path = if path.is_empty() { b".".to_vec() } else { path };
        Some(if self.plan.directory == b"." {
            path
        } else {
            system::join(&self.plan.directory, &path)
        })
    }

    /// Says once that names lose their beginning.
    fn note_stripped(&mut self, prefix: &str) {
        if !std::mem::replace(&mut self.stripped, true) {
            self.out.flush();
            let what = bytes!("Removing leading `", prefix, "' from member names");
            self.call.fail(0, what);
        }
    }

    /// Whether no link leads `path`, which `target` gave, out of the directory that is extracted to.
    fn stays_inside(&self, path: &[u8]) -> Result<(), Escape> {
        if self.plan.absolute {
            return Ok(());
        }
        let directory = self.plan.directory.as_slice();
        let rest = match directory {
            // Such a path has no directory in front; what begins with a dot may be a name.
            b"." => path,
            _ => path.strip_prefix(directory).unwrap_or(path),
        };
        let slashes = rest.iter().take_while(|&&byte| byte == b'/').count();
        safety::check_parents(directory, &rest[slashes..])
    }

    /// Says that something failed with a member; the status becomes 2.
    fn complain(&mut self, name: &[u8], what: &str, failure: system::Failure) {
        self.out.flush();
        let name = quote::escaped(name, false, false);
        self.status = self.call.fail(2, bytes!(name, ": ", what, ": ", failure));
    }

    /// Extracts one entry. What is wrong with it is said and counts for the status.
    ///
    /// # Errors
    /// The archive ends within the content.
    fn extract(
        &mut self,
        shown: &[u8],
        name: &[u8],
        header: &Header,
        link: Option<Vec<u8>>,
        content: &mut dyn Read,
    ) -> Outcome {
        if self.plan.to_stdout {
            if self.plan.verbose > 0 {
                self.list(shown, header, link.as_deref(), self.plan.verbose);
            }
            let copied = match is_file(header) {
                true => std::io::copy(content, &mut self.out),
                false => Ok(0),
            };
            // Where the output broke, `Output::finish` says it.
            return match copied {
                Err(_) if !self.out.is_broken() => Err(b"Unexpected EOF in archive".to_vec()),
                _ => Ok(()),
            };
        }
        if !self.plan.absolute && safety::check_name(name) == Err(Escape::Parent) {
            self.refuse(bytes!(name, ": Member name contains '..'"));
            return Ok(());
        }
        let Some(path) = self.target(name) else {
            return Ok(());
        };
        if let Err(escape) = self.stays_inside(&path) {
            self.refuse(bytes!(name, ": refused: ", escape.reason()));
            return Ok(());
        }
        if self.plan.verbose > 0 {
            self.list(shown, header, link.as_deref(), self.plan.verbose);
        }
        if header.entry_type() == EntryType::Directory {
            self.make_directory(name, path, header);
            return Ok(());
        }
        if let Some(at) = path
            .iter()
            .rposition(|&byte| byte == b'/')
            .filter(|&at| at > 0)
            && let Err(failure) = make_directories(&path[..at])
        {
            self.complain(name, "Cannot open", failure);
            return Ok(());
        }
        if self.make_room(name, &path, header, link.as_deref()) {
            self.make(name, path, header, link, content);
        }
        Ok(())
    }

    /// Says why an entry is not extracted.
    fn refuse(&mut self, message: Vec<u8>) {
        self.out.flush();
        self.status = self.call.fail(2, message);
    }

    /// Makes a directory; its mode and time are set at the end. A file or a link of this name makes room.
    fn make_directory(&mut self, name: &[u8], path: Vec<u8>, header: &Header) {
        let old = system::stat(&path, false).ok();
        if old.is_some_and(|old| old.kind != Kind::Directory) {
            let path_shown = quote::escaped(name.strip_suffix(b"/").unwrap_or(name), false, false);
            if self.plan.skip_old && self.plan.verbose > 0 {
                self.out.flush();
                let message = bytes!(path_shown, ": skipping existing file");
                self.call.fail(0, message);
            }
            let is_newer = self.plan.keep_newer && self.is_newer(&path, header);
            if self.plan.keep_old || self.plan.skip_old || is_newer {
                return;
            }
            self.remove(&path);
        }
        if let Err(failure) = make_directories(&path) {
            self.complain(name, "Cannot mkdir", failure);
        }
        self.directories.push((
            path,
            header.mode().unwrap_or(0o755),
            header.mtime().unwrap_or(0),
        ));
    }

    /// Whether what is there already is not older than the entry, which is said.
    fn is_newer(&mut self, path: &[u8], header: &Header) -> bool {
        let time = header.mtime().unwrap_or(0);
        let old = system::stat(path, false);
        let is_newer =
            old.is_ok_and(|old| u64::try_from(old.modified.seconds).is_ok_and(|old| old >= time));
        if is_newer {
            self.out.flush();
            let path = quote::word(path);
            self.call
                .fail(0, bytes!("Current ", path, " is newer or same age"));
        }
        is_newer
    }

    /// Removes what is in the way of an entry, as far as the options allow; whether the entry is to be made.
    ///
    /// | There is | Without options | `--overwrite` |
    /// |---|---|---|
    /// | a file | it is removed | it is written over |
    /// | an empty directory | it is removed | it stays, and the entry fails |
    /// | a directory with entries | an error | the entry fails |
    /// | another name of the same file, for a hard link | nothing is done | nothing is done |
    ///
    /// `--keep-newer-files`, `--skip-old-files` and `-k` come before these, in this order.
    fn make_room(
        &mut self,
        name: &[u8],
        path: &[u8],
        header: &Header,
        link: Option<&[u8]>,
    ) -> bool {
        let Ok(old) = system::stat(path, false) else {
            return true;
        };
        if self.plan.keep_newer && self.is_newer(path, header) {
            return false;
        }
        if self.plan.skip_old {
            return false;
        }
        if self.plan.keep_old {
            let what = match (header.entry_type(), link) {
                (EntryType::Symlink, Some(link)) => {
                    bytes!("Cannot create symlink to ", quote::word(link))
                }
                (EntryType::Link, Some(link)) => bytes!("Cannot hard link to ", quote::word(link)),
                _ => b"Cannot open".to_vec(),
            };
            self.complain(name, &String::from_utf8_lossy(&what), system::EXIST);
            return false;
        }
        // A name that is a link to the file already may come twice.
        let is_there = header.entry_type() == EntryType::Link
            && link
                .and_then(|link| self.target(link))
                .and_then(|existing| system::stat(&existing, false).ok())
                .is_some_and(|existing| existing.is_same(&old));
        if is_there {
            return false;
        }
        match old.kind {
            Kind::Regular if self.plan.overwrite && is_file(header) => {}
            // One that is not empty stays, and is in the way.
            Kind::Directory if !self.plan.overwrite => {
                if system::remove_directory(path).is_err() {
                    self.complain(name, "Cannot open", system::EXIST);
                    return false;
                }
            }
            // What takes its place is a new file, not a change of the old one.
            _ => self.remove(path),
        }
        true
    }

    /// Removes what makes room. A link that waited there is not made any more.
    fn remove(&mut self, path: &[u8]) {
        // What could not be removed is in the way of what follows.
        let _ = system::unlink(path);
        self.links.retain(|waiting| waiting.path != path);
    }

    /// Makes an entry that is no directory. Symbolic links that may lead out are only noted; devices are left out
    /// silently.
    fn make(
        &mut self,
        name: &[u8],
        path: Vec<u8>,
        header: &Header,
        link: Option<Vec<u8>>,
        content: &mut dyn Read,
    ) {
        let made = match header.entry_type() {
            EntryType::Symlink => {
                let text = link.unwrap_or_default();
                if !self.plan.absolute && safety::check_name(&text).is_err() {
                    self.wait(name, path, text);
                } else {
                    self.make_symlink(name, &text, &path);
                }
                return;
            }
            EntryType::Link => {
                if let Some(link) = link {
                    self.make_link(name, path, &link);
                }
                return;
            }
            EntryType::Fifo => system::make_fifo(&path, header.mode().unwrap_or(0o644)),
            EntryType::Char | EntryType::Block => return,
            _ => self.write(&path, header, content),
        };
        if let Err(failure) = made {
            self.complain(name, "Cannot open", failure);
        }
    }

    /// Makes another name of the file that the archive calls `link`. The target undergoes the same changes as a
    /// member's name, so that both lie in the directory that is extracted to.
    fn make_link(&mut self, name: &[u8], path: Vec<u8>, link: &[u8]) {
        if !self.plan.absolute && safety::check_name(link) == Err(Escape::Parent) {
            self.refuse(bytes!(name, ": refused: the link leads out"));
            return;
        }
        let Some(existing) = self.target(link) else {
            return;
        };
        if let Err(escape) = self.stays_inside(&existing) {
            self.refuse(bytes!(name, ": refused: ", escape.reason()));
            return;
        }
        // A symbolic link is made last: another name of it is one more with the same text.
        let waiting = self.links.iter().find(|waiting| waiting.path == existing);
        if let Some(text) = waiting.map(|waiting| waiting.text.clone()) {
            self.wait(name, path, text);
            return;
        }
        if let Err(failure) = system::link(&existing, &path, false) {
            let link = quote::word(link);
            let what = format!("Cannot hard link to {}", String::from_utf8_lossy(&link));
            self.complain(name, &what, failure);
        }
    }

    /// Writes a regular file with its mode and time. Sparse files of GNU's format come with their holes as zeros.
    fn write(&self, path: &[u8], header: &Header, content: &mut dyn Read) -> system::Result<()> {
        let mut file = system::create_file(path, false)?;
        std::io::copy(content, &mut file)?;
        drop(file);
        let mode = header.mode().unwrap_or(0o644) & 0o7777;
        let mask = if self.plan.preserve || system::identity().uid == 0 {
            0
        } else {
            system::umask()
        };
        system::set_mode(path, mode & !mask)?;
        if !self.plan.touch {
            set_time(path, header.mtime().unwrap_or(0))?;
        }
        Ok(())
    }

    /// Makes a symbolic link to what `text` says.
    fn make_symlink(&mut self, name: &[u8], text: &[u8], path: &[u8]) {
        if let Err(failure) = system::symlink(text, path) {
            let text = quote::word(text);
            let what = format!(
                "Cannot create symlink to {}",
                String::from_utf8_lossy(&text)
            );
            self.complain(name, &what, failure);
        }
    }

    /// Notes a symbolic link that is made at the end, and keeps its place.
    fn wait(&mut self, name: &[u8], path: Vec<u8>, text: Vec<u8>) {
        let kept = system::create_new(&path).and_then(|_| system::stat(&path, false));
        match kept {
            Ok(kept) => self.links.push(Waiting {
                name: name.to_vec(),
                path,
                text,
                kept,
            }),
            Err(failure) => self.complain(name, "Cannot open", failure),
        }
    }

    /// Makes the symbolic links that were noted, then sets mode and time of the directories, inner ones before the
    /// outer. One of these links may be a parent of what follows it.
    fn finish(&mut self) {
        for waiting in std::mem::take(&mut self.links) {
            let Waiting {
                name, path, text, ..
            } = &waiting;
            if let Err(escape) = self.stays_inside(path) {
                self.refuse(bytes!(name, ": refused: ", escape.reason()));
                continue;
            }
            // What has taken its place stays.
            let found = system::stat(path, false);
            if found.is_ok_and(|found| found.is_same(&waiting.kept)) {
                let _ = system::unlink(path);
                self.make_symlink(name, text, path);
            }
        }
        let mask = if self.plan.preserve || system::identity().uid == 0 {
            0
        } else {
            system::umask()
        };
        for (path, mode, modified) in std::mem::take(&mut self.directories).into_iter().rev() {
            let found = system::stat(&path, false);
            let is_directory = found.is_ok_and(|found| found.kind == Kind::Directory);
            if !is_directory || self.stays_inside(&path).is_err() {
                continue;
            }
            // A directory that is not ours keeps what it has.
            let _ = system::set_mode(&path, mode & 0o7777 & !mask);
            if !self.plan.touch {
                let _ = set_time(&path, modified);
            }
        }
    }
}

/// Sets both times of a file, in seconds since 1970. A symbolic link is followed.
fn set_time(path: &[u8], seconds: u64) -> system::Result<()> {
    let time = Time {
        seconds: seconds as i64,
        nanoseconds: 0,
    };
    system::set_times(path, time, time, true)
}

/// Makes a directory and those it is in. A symbolic link to a directory counts as one.
fn make_directories(path: &[u8]) -> system::Result<()> {
    match system::make_directory(path, 0o777) {
        Ok(()) => Ok(()),
        Err(system::EXIST) => Ok(()),
        Err(system::NO_ENTRY) => {
            let parent = path
                .iter()
                .rposition(|&byte| byte == b'/')
                .ok_or(system::NO_ENTRY)?;
            make_directories(&path[..parent])?;
            system::make_directory(path, 0o777)
        }
        Err(failure) => match system::stat(path, true) {
            Ok(found) if found.kind == Kind::Directory => Ok(()),
            _ => Err(failure),
        },
    }
}
