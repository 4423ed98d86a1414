//! The object database (gitformat-loose in Documentation, gitformat-pack): loose objects, packs, and writing loose
//! ones.
//!
//! A name is looked up in the cache, among loose objects of each folder, then in the packs, whose indexes are
//! searched in O(log n). An index is read when the first packed object is asked for, a pack's data as a whole when an
//! object of it is read: there is no mapping of files in a guest. Packs are found once; [`Objects::refresh`] looks
//! again. Of an object that is there twice, the first place counts; contents are the same by their name.
//!
//! `info/alternates` is followed, so borrowed objects are read like one's own; nothing is ever written there.
//! `.git/shallow` cuts the parents of commits in [`Objects::commit`], and with it in everything that walks history.

mod stored;

pub use stored::Stored;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::rc::Rc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use gix_hash::ObjectId;
use gix_object::Kind;

use super::stop::{Outcome, fatal, file};
use crate::call::bytes;
use crate::system;

/// The name of an object: 20 bytes.
pub type Id = ObjectId;

/// The hash that names objects. Repositories of SHA-256 are refused when they are opened.
pub const HASH: gix_hash::Kind = gix_hash::Kind::Sha1;

/// Bytes of objects that are kept for the next reading, 16 MiB. What goes over it empties the cache: trees of one
/// walk are read in a row, and an order of use would cost more than it saves.
const CACHE: usize = 16 << 20;

/// An object's kind and content, without the header. The content is shared with the cache.
pub type Object = (Kind, Rc<[u8]>);

/// Where objects are.
pub struct Objects {
    /// Our own folder first, then those of others that we borrow from, 16 at most.
    folders: Vec<Vec<u8>>,
    /// The packs of all folders; filled at the first look for a packed object.
    packs: OnceCell<Vec<Pack>>,
    /// Commits whose parents are not here.
    shallow: OnceCell<HashSet<Id>>,
    /// What was read, and how many bytes that is.
    cache: RefCell<(HashMap<Id, Object>, usize)>,
}

/// A pack and its index. Packs whose index cannot be read are passed over, as if they were not there.
struct Pack {
    index: gix_pack::index::File<Vec<u8>>,
    path: Vec<u8>,
    /// The pack's bytes once an object of it was read; none inside where that failed.
    data: OnceCell<Option<gix_pack::data::File<Vec<u8>>>>,
}

/// The object that an empty folder is. It can be read whether it was written or not.
pub fn empty_tree() -> Id {
    Id::empty_tree(HASH)
}

/// The name that all-zero bytes stand for: no object.
pub fn none() -> Id {
    Id::null(HASH)
}

/// The name of an object with this content: the SHA-1 of `KIND SIZE\0CONTENT`.
pub fn name_of(kind: Kind, content: &[u8]) -> Outcome<Id> {
    gix_object::compute_hash(HASH, kind, content).map_err(|error| fatal(error.to_string()))
}

/// Reads a whole name, 40 hexadecimal digits of either case; none for anything else.
pub fn parse_id(text: &[u8]) -> Option<Id> {
    (text.len() == 40).then(|| Id::from_hex(text).ok())?
}

/// A path as the pack library wants it; it only shows it in messages.
fn text(path: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(path).into_owned())
}

impl Objects {
    /// The database in the folder `objects`. Alternates of alternates count; paths in `info/alternates` are relative
    /// to the folder that has the file.
    pub fn new(objects: Vec<u8>) -> Objects {
        let mut folders = vec![objects];
        let mut at = 0;
        while at < folders.len() && folders.len() < 16 {
            let list = system::read_whole(&system::join(&folders[at], b"info/alternates"));
            for line in list.unwrap_or_default().split(|&byte| byte == b'\n') {
                let folder = system::join(&folders[at], line);
                if !line.is_empty() && line[0] != b'#' && !folders.contains(&folder) {
                    folders.push(folder);
                }
            }
            at += 1;
        }
        Objects {
            folders,
            packs: OnceCell::new(),
            shallow: OnceCell::new(),
            cache: RefCell::default(),
        }
    }

    /// Looks for packs that came since, as after a fetch or a repack.
    pub fn refresh(&mut self) {
        self.packs = OnceCell::new();
    }

    /// `.git/shallow`: a line for each commit whose parents were not fetched.
    fn shallow_path(&self) -> Vec<u8> {
        system::join(&self.folders[0], b"../shallow")
    }

    /// Commits that count as the first ones: their parents were not fetched.
    pub fn shallow(&self) -> &HashSet<Id> {
        self.shallow.get_or_init(|| {
            let text = system::read_whole(&self.shallow_path()).unwrap_or_default();
            text.split(|&byte| byte == b'\n')
                .filter_map(parse_id)
                .collect()
        })
    }

    /// Notes which commits count as the first ones.
    pub fn set_shallow(&mut self, ids: HashSet<Id>) -> Outcome {
        let mut lines: Vec<String> = ids.iter().map(|id| format!("{id}\n")).collect();
        lines.sort();
        if lines.is_empty() {
            // Often it was not there.
            let _ = system::unlink(&self.shallow_path());
        } else {
            write_file(&self.shallow_path(), lines.concat().as_bytes())?;
        }
        self.shallow = OnceCell::from(ids);
        Ok(())
    }

    fn packs(&self) -> &[Pack] {
        self.packs.get_or_init(|| {
            let mut packs = Vec::new();
            for folder in &self.folders {
                let folder = system::join(folder, b"pack");
                for entry in system::read_directory(&folder).unwrap_or_default() {
                    let Some(stem) = entry.name.strip_suffix(b".idx") else {
                        continue;
                    };
                    let path = system::join(&folder, &entry.name);
                    let data = system::read_whole(&path).unwrap_or_default();
                    let index = gix_pack::index::File::from_data(data, text(&path), HASH);
                    if let Ok(index) = index {
                        packs.push(Pack {
                            index,
                            path: system::join(&folder, &bytes!(stem, ".pack")),
                            data: OnceCell::new(),
                        });
                    }
                }
            }
            packs
        })
    }

    /// Where a loose object lies: `ab/cdef…` of its 40 digits.
    fn loose_path(folder: &[u8], id: &Id) -> Vec<u8> {
        let hex = id.to_hex().to_string();
        system::join(folder, bytes!(&hex[..2], "/", &hex[2..]).as_slice())
    }

    /// Whether the object is there. Looks at names only: a damaged object is there.
    pub fn has(&self, id: &Id) -> bool {
        *id == empty_tree() || self.has_stored(id)
    }

    /// The same, where the empty tree counts only if somebody wrote it.
    fn has_stored(&self, id: &Id) -> bool {
        let loose = |folder: &Vec<u8>| system::stat(&Objects::loose_path(folder, id), true).is_ok();
        self.cache.borrow().0.contains_key(id)
            || self.folders.iter().any(loose)
            || self
                .packs()
                .iter()
                .any(|pack| pack.index.lookup(id).is_some())
    }

    /// Reads an object; `fatal: bad object` where it is missing.
    pub fn read(&self, id: &Id) -> Outcome<Object> {
        match self.find(id)? {
            Some(object) => Ok(object),
            None => Err(fatal(format!("bad object {id}"))),
        }
    }

    /// Reads an object, where it is there. A file that is damaged is an error and not a missing object. The hash is
    /// not checked; `fsck` does that.
    pub fn find(&self, id: &Id) -> Outcome<Option<Object>> {
        if let Some(known) = self.cache.borrow().0.get(id) {
            return Ok(Some(known.clone()));
        }
        if *id == empty_tree() {
            return Ok(Some((Kind::Tree, Rc::from([]))));
        }
        let mut found = None;
        for folder in &self.folders {
            if let Ok(packed) = system::read_whole(&Objects::loose_path(folder, id)) {
                found = Some(
                    unpack_loose(&packed)
                        .ok_or_else(|| fatal(format!("loose object {id} is corrupt")))?,
                );
                break;
            }
        }
        if found.is_none() {
            found = self.read_packed(id)?;
        }
        if let Some(object) = &found {
            let mut cache = self.cache.borrow_mut();
            cache.1 += object.1.len();
            if cache.1 > CACHE {
                cache.0.clear();
                cache.1 = object.1.len();
            }
            cache.0.insert(*id, object.clone());
        }
        Ok(found)
    }

    /// Reads an object from the first pack that has it. Deltas are resolved against the same pack, or for a thin one
    /// against any object of the database; the chain costs one unpacking for each link.
    fn read_packed(&self, id: &Id) -> Outcome<Option<Object>> {
        for pack in self.packs() {
            let Some(at) = pack.index.lookup(id) else {
                continue;
            };
            let data = pack.data.get_or_init(|| {
                let data = system::read_whole(&pack.path).ok()?;
                gix_pack::data::File::from_data(data, text(&pack.path), HASH).ok()
            });
            let bad = |what: String| fatal(bytes!("packfile ", pack.path, " is corrupt: ", what));
            let data = data
                .as_ref()
                .ok_or_else(|| bad("cannot be read".to_owned()))?;
            let entry = data
                .entry(pack.index.pack_offset_at_index(at))
                .map_err(|error| bad(error.to_string()))?;
            let mut out = Vec::new();
            let resolve = |base: &gix_hash::oid, out: &mut Vec<u8>| {
                use gix_pack::data::decode::entry::ResolvedBase;
                if let Some(at) = pack.index.lookup(base) {
                    let entry = data.entry(pack.index.pack_offset_at_index(at))?;
                    return Ok(Some(ResolvedBase::InPack(entry)));
                }
                Ok(match self.find(&base.to_owned()) {
                    Ok(Some((kind, content))) => {
                        out.extend_from_slice(&content);
                        let end = out.len();
                        Some(ResolvedBase::OutOfPack { kind, end })
                    }
                    _ => None,
                })
            };
            let outcome = data
                .decode_entry(
                    entry,
                    &mut out,
                    &mut gix_zlib::Inflate::default(),
                    &resolve,
                    &mut gix_pack::cache::Never,
                )
                .map_err(|error| bad(error.to_string()))?;
            return Ok(Some((outcome.kind, Rc::from(out))));
        }
        Ok(None)
    }

    /// Writes an object, unless it is there in any form. The name is returned either way.
    pub fn write(&self, kind: Kind, content: &[u8]) -> Outcome<Id> {
        let id = name_of(kind, content)?;
        if !self.has_stored(&id) {
            self.write_loose(&id, kind, content)?;
        }
        Ok(id)
    }

    /// Writes an object into a file of its own, whose path it gives: compressed, read-only, and put in place by a
    /// rename, so that no reader sees half of it.
    fn write_loose(&self, id: &Id, kind: Kind, content: &[u8]) -> Outcome<Vec<u8>> {
        let path = Objects::loose_path(&self.folders[0], id);
        let folder = &path[..path.len() - 39];
        if system::stat(folder, true).is_err() {
            system::make_directory(folder, 0o777)
                .or_else(|failure| {
                    if failure == system::EXIST {
                        Ok(())
                    } else {
                        Err(failure)
                    }
                })
                .map_err(|failure| file("cannot make", folder, failure))?;
        }
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let header = format!("{kind} {}\0", content.len());
        let packed = encoder
            .write_all(header.as_bytes())
            .and_then(|()| encoder.write_all(content))
            .and_then(|()| encoder.finish())
            .map_err(|error| fatal(error.to_string()))?;
        let temporary = bytes!(folder, "/tmp_obj_", &id.to_hex().to_string()[..12]);
        write_file(&temporary, &packed)?;
        system::set_mode(&temporary, 0o444)
            .and_then(|()| system::rename(&temporary, &path))
            .map_err(|failure| file("cannot write", &path, failure))?;
        Ok(path)
    }

    /// The objects whose names begin with these digits, sorted, each once. Fewer than 4 digits, more than 40 or other
    /// characters find nothing, as git wants it.
    pub fn starting_with(&self, digits: &[u8]) -> Vec<Id> {
        let mut found = Vec::new();
        let digits = digits.to_ascii_lowercase();
        let hexadecimal = digits.iter().all(u8::is_ascii_hexdigit);
        if digits.len() < 4 || digits.len() > 40 || !hexadecimal {
            return found;
        }
        for folder in &self.folders {
            let names = system::read_directory(&system::join(folder, &digits[..2]));
            for entry in names.unwrap_or_default() {
                if entry.name.starts_with(&digits[2..]) {
                    found.extend(parse_id(&bytes!(&digits[..2], entry.name)));
                }
            }
        }
        if let Some(prefix) = std::str::from_utf8(&digits)
            .ok()
            .and_then(|digits| gix_hash::Prefix::from_hex(digits).ok())
        {
            for pack in self.packs() {
                let mut range = 0..0;
                pack.index.lookup_prefix(prefix, Some(&mut range));
                found.extend(range.map(|at| pack.index.oid_at_index(at).to_owned()));
            }
        }
        found.sort();
        found.dedup();
        found
    }

    /// The shortest beginning of a name that no other object has, as git cuts it: `least` digits, or without it half
    /// of the bits that number the packed objects, from 7; longer until it is unique. Loose objects do not count for
    /// the length, in git neither. `null` is cut without a look.
    pub fn short(&self, id: &Id, least: Option<usize>) -> String {
        let hex = id.to_hex().to_string();
        let packed: u64 = self
            .packs()
            .iter()
            .map(|pack| u64::from(pack.index.num_objects()))
            .sum();
        let bits = 64 - packed.leading_zeros() as usize;
        let mut length = least
            .unwrap_or_else(|| 7.max(bits.div_ceil(2)))
            .clamp(4, 40);
        if id.is_null() {
            return hex[..length].to_owned();
        }
        while length < 40 {
            let others = self.starting_with(&hex.as_bytes()[..length]);
            if others.iter().all(|other| other == id) {
                break;
            }
            length += 1;
        }
        hex[..length].to_owned()
    }

    /// The content of an object; the kind is not looked at.
    pub fn blob(&self, id: &Id) -> Outcome<Rc<[u8]>> {
        Ok(self.read(id)?.1)
    }

    /// A commit, taken apart; without parents where it is shallow. Tags are not followed: `revision::commit_of` does.
    pub fn commit(&self, id: &Id) -> Outcome<Commit> {
        let (kind, content) = self.read(id)?;
        if kind != Kind::Commit {
            return Err(fatal(format!("object {id} is a {kind}, not a commit")));
        }
        let mut commit = Commit::parse(*id, &content)?;
        if self.shallow().contains(id) {
            commit.parents.clear();
        }
        Ok(commit)
    }

    /// Follows tags until something else comes. The object of any other kind is its own answer.
    pub fn peel(&self, id: &Id) -> Outcome<(Id, Kind)> {
        let mut id = *id;
        loop {
            let (kind, content) = self.read(&id)?;
            if kind != Kind::Tag {
                return Ok((id, kind));
            }
            let line = content
                .split(|&byte| byte == b'\n')
                .next()
                .unwrap_or_default();
            let target = line.strip_prefix(b"object ").and_then(parse_id);
            id = target.ok_or_else(|| fatal(format!("tag {id} is corrupt")))?;
        }
    }

    /// The tree of a commit, tag or tree; an error for a blob.
    pub fn tree_of(&self, id: &Id) -> Outcome<Id> {
        match self.peel(id)? {
            (id, Kind::Tree) => Ok(id),
            (id, Kind::Commit) => Ok(self.commit(&id)?.tree),
            (id, kind) => Err(fatal(format!("object {id} is a {kind}, not a tree"))),
        }
    }
}

/// Writes a file in one go, over one that is there. Not atomic: who needs that writes beside it and renames.
pub fn write_file(path: &[u8], content: &[u8]) -> Outcome {
    system::create_file(path, false)
        .and_then(|mut file| file.write_all(content).map_err(Into::into))
        .map_err(|failure| file("cannot write", path, failure))
}

/// A loose object out of its zlib stream; none where the header is malformed or the size is not that of the body.
fn unpack_loose(packed: &[u8]) -> Option<Object> {
    let mut content = Vec::new();
    ZlibDecoder::new(packed).read_to_end(&mut content).ok()?;
    let end = content.iter().position(|&byte| byte == 0)?;
    let header = std::str::from_utf8(&content[..end]).ok()?;
    let (kind, size) = header.split_once(' ')?;
    let kind = Kind::from_bytes(kind.as_bytes()).ok()?;
    let body = &content[end + 1..];
    (size.parse() == Ok(body.len())).then(|| (kind, Rc::from(body)))
}

/// Who did something, and when: the value of `author`, `committer` and `tagger`, and the middle of a line of a
/// reflog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    pub name: Vec<u8>,
    pub mail: Vec<u8>,
    /// Seconds since 1970.
    pub time: i64,
    /// Minutes east of Greenwich.
    pub zone: i32,
}

impl Person {
    /// Reads `Name <mail> seconds zone`. Never fails: what is missing or malformed is empty or 0, since old history
    /// has all kinds of it. `A <a@b> 1700000000 +0130` has the zone 90.
    pub fn parse(line: &[u8]) -> Person {
        let open = line
            .iter()
            .position(|&byte| byte == b'<')
            .unwrap_or(line.len());
        let close = line
            .iter()
            .rposition(|&byte| byte == b'>')
            .unwrap_or(line.len());
        let rest = line.get(close + 1..).unwrap_or_default();
        let rest = String::from_utf8_lossy(rest).into_owned();
        let mut words = rest.split_whitespace();
        let time = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let zone: i32 = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        Person {
            name: line[..open].trim_ascii().to_vec(),
            mail: line.get(open + 1..close).unwrap_or_default().to_vec(),
            time,
            zone: zone / 100 * 60 + zone % 100,
        }
    }

    /// The form in which objects keep it.
    pub fn line(&self) -> Vec<u8> {
        let stamp = format!("> {} {}", self.time, zone_text(self.zone));
        bytes!(self.name, " <", self.mail, stamp)
    }
}

/// A zone as objects have it: 90 is `+0130`, -300 is `-0500`.
pub fn zone_text(minutes: i32) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.abs();
    format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
}

/// A commit's parts. Headers beside these (`gpgsig`, `encoding`, `mergetag`) are dropped: [`Commit::content`] of what
/// was read is the same object only where there were none.
#[derive(Clone, Debug)]
pub struct Commit {
    pub id: Id,
    pub tree: Id,
    pub parents: Vec<Id>,
    pub author: Person,
    pub committer: Person,
    pub message: Vec<u8>,
}

impl Commit {
    /// Takes a commit apart; an error where the object is none.
    fn parse(id: Id, content: &[u8]) -> Outcome<Commit> {
        let bad = |_| fatal(format!("commit {id} is corrupt"));
        let parts = gix_object::CommitRef::from_bytes(content, HASH).map_err(bad)?;
        Ok(Commit {
            id,
            tree: parts.tree(),
            parents: parts.parents().collect(),
            author: Person::parse(parts.author),
            committer: Person::parse(parts.committer),
            message: parts.message.to_vec(),
        })
    }

    /// The object's content, ready for [`Objects::write`]. A message that is not UTF-8 is declared as ISO-8859-1.
    pub fn content(&self) -> Vec<u8> {
        let mut out = bytes!("tree ", self.tree.to_hex().to_string(), "\n");
        for parent in &self.parents {
            out.extend_from_slice(format!("parent {parent}\n").as_bytes());
        }
        out.extend(bytes!("author ", self.author.line(), "\n"));
        out.extend(bytes!("committer ", self.committer.line(), "\n"));
        if std::str::from_utf8(&self.message).is_err() {
            out.extend_from_slice(b"encoding ISO-8859-1\n");
        }
        out.push(b'\n');
        out.extend_from_slice(&self.message);
        out
    }

    /// The first paragraph in one line.
    pub fn subject(&self) -> Vec<u8> {
        subject(&self.message)
    }
}

/// The first paragraph of a message in one line: blank lines before it are skipped, its lines are joined by blanks.
/// `"\nFix a\nand b\n\nBody"` gives `Fix a and b`.
pub fn subject(message: &[u8]) -> Vec<u8> {
    let lines = message
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let lines = lines.skip_while(|line| line.is_empty());
    lines
        .take_while(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(&b' ')
}

/// What follows the first paragraph and its blank lines, to the end; empty where there is nothing.
pub fn body(message: &[u8]) -> &[u8] {
    let mut rest = message;
    let mut seen = false;
    while !rest.is_empty() {
        let end = rest
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(rest.len(), |at| at + 1);
        let blank = rest[..end].trim_ascii().is_empty();
        if blank && seen {
            let skipped = rest
                .iter()
                .take_while(|byte| b"\n \t".contains(byte))
                .count();
            return &rest[skipped..];
        }
        seen |= !blank;
        rest = &rest[end..];
    }
    rest
}
