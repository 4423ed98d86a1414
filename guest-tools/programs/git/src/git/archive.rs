//! `git archive` (Documentation/git-archive): a tree as tar, gzip or zip, byte for byte as git makes them for tar.
//!
//! Tar is POSIX's ustar with pax headers: a global one names the commit, and one before a member has a path or target
//! that does not fit (pax's `path`, `linkpath`). Times are the commit's, owners root, modes as `tar.umask` 0002 gives
//! them. The whole archive is made in memory. Attributes `export-ignore` and `export-subst` are refused where a
//! `.gitattributes` has them; submodules are empty folders.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use gix_object::Kind;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::flags::{Flags, NUMBER};
use super::objects::{Id, write_file};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, Stop, fatal, usage};
use super::tree::{self, FOLDER, Item, LINK};
use crate::calendar::Broken;
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The options that are read.
const OPTIONS: &[Opt] = &[
    Opt("", NUMBER, Value::No),
    Opt("", "format", Value::Required),
    Opt("", "prefix", Value::Required),
    Opt("o", "output", Value::Required),
    Opt("l", "list", Value::No),
    Opt("v", "verbose", Value::No),
];

/// The size of a block of a tar archive.
const BLOCK: usize = 512;
/// How many bytes are written at once: an archive is a multiple of it.
const RECORD: usize = 20 * BLOCK;

/// A file or folder of the archive.
struct Member {
    /// With the prefix; folders and submodules end in a slash.
    name: Vec<u8>,
    item: Item,
}

/// What goes into an archive.
struct Source {
    /// The commit, where a commit or a tag of one was named: its name goes along.
    commit: Option<Id>,
    /// The time of all members: the commit's, or the present for a tree.
    time: i64,
    members: Vec<Member>,
}

/// `git archive TREE [PATH…]`. The format is `--format`'s, else that of the output's name, else tar.
pub fn archive(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    if flags.has("l") {
        repository.out.put("tar\ntgz\ntar.gz\nzip\n");
        return Ok(0);
    }
    let Some((name, paths)) = flags.operands.split_first() else {
        return Err(Stop {
            status: 129,
            message: b"fatal: must specify tree-ish".to_vec(),
        });
    };
    let behind = flags.paths.iter().flatten();
    let paths: Vec<Vec<u8>> = paths.iter().chain(behind).cloned().collect();
    let source = source(repository, &flags, name, &paths)?;
    if flags.has("v") {
        for member in &source.members {
            repository.say(&member.name);
        }
    }
    let level = match flags.value(NUMBER) {
        Some(text) => crate::options::number(text)
            .filter(|level| *level < 10)
            .ok_or_else(|| usage(bytes!("unknown compression level -", text)))?,
        None => 6,
    };
    let output = flags.value("o");
    let packed = match format(&flags, output)? {
        Format::Tar => tar(repository, &source)?,
        Format::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
            encoder
                .write_all(&tar(repository, &source)?)
                .and_then(|()| encoder.finish())
                .map_err(|error| fatal(error.to_string()))?
        }
        Format::Zip => zip(repository, &source, level)?,
    };
    match output {
        Some(path) => write_file(path, &packed)?,
        None => repository.out.put(&packed),
    }
    Ok(0)
}

/// The formats.
enum Format {
    Tar,
    Gzip,
    Zip,
}

fn format(flags: &Flags, output: Option<&[u8]>) -> Outcome<Format> {
    match flags.value("format") {
        Some(b"tar") => return Ok(Format::Tar),
        Some(b"tgz" | b"tar.gz") => return Ok(Format::Gzip),
        Some(b"zip") => return Ok(Format::Zip),
        Some(name) => return Err(fatal(bytes!("Unknown archive format '", name, "'"))),
        None => {}
    }
    Ok(match output {
        Some(path) if path.ends_with(b".zip") => Format::Zip,
        Some(path) if path.ends_with(b".tgz") || path.ends_with(b".tar.gz") => Format::Gzip,
        _ => Format::Tar,
    })
}

/// What goes into the archive: below the working directory's folder in the tree, of the paths that are named.
fn source(
    repository: &Repository,
    flags: &Flags,
    name: &[u8],
    paths: &[Vec<u8>],
) -> Outcome<Source> {
    let missing = || fatal(bytes!("not a valid object name: ", name));
    let id = revision::find(repository, name)?.ok_or_else(missing)?;
    let (peeled, kind) = repository.objects.peel(&id)?;
    let (commit, time) = match kind {
        Kind::Commit => {
            let commit = repository.objects.commit(&peeled)?;
            (Some(peeled), commit.committer.time)
        }
        _ => (
            None,
            super::repository::parse_date(b"now").map_or(0, |now| now.0),
        ),
    };
    let mut root = repository.objects.tree_of(&id)?;
    if !repository.prefix.is_empty() {
        let inner = tree::find(&repository.objects, &root, &repository.prefix)?;
        let inner = inner.filter(|item| item.mode == FOLDER);
        root = inner
            .ok_or_else(|| fatal("current working directory is untracked"))?
            .id;
    }
    // Paths are those below the working directory.
    let top: Vec<Vec<u8>> = paths.iter().map(|path| bytes!(":/", path)).collect();
    let spec = Pathspec::new(repository, &top)?;
    let mut source = Source {
        commit,
        time,
        members: Vec::new(),
    };
    let prefix = flags.value("prefix").unwrap_or_default();
    if prefix.ends_with(b"/") {
        let item = Item {
            mode: FOLDER,
            id: root,
        };
        source.members.push(Member {
            name: prefix.to_vec(),
            item,
        });
    }
    collect(repository, &spec, (&root, b""), prefix, &mut source.members)?;
    let names: Vec<Vec<u8>> = tree::flatten(&repository.objects, &root)?
        .into_keys()
        .collect();
    if let Some(lost) = spec.unmatched(&names).first() {
        let lost = lost.strip_prefix(b":/").unwrap_or(lost);
        return Err(fatal(bytes!(
            "pathspec '",
            lost,
            "' did not match any files"
        )));
    }
    Ok(source)
}

/// Adds the files of a folder in the order of its tree, each folder before what is in it. Folders in which nothing
/// was chosen are left out.
fn collect(
    repository: &Repository,
    spec: &Pathspec,
    (id, path): (&Id, &[u8]),
    prefix: &[u8],
    out: &mut Vec<Member>,
) -> Outcome {
    for (name, item) in tree::entries(&repository.objects, id)? {
        let whole = crate::system::join(path, &name);
        if name == b".gitattributes" {
            let text = repository.objects.blob(&item.id)?;
            if text.windows(7).any(|part| part == b"export-") {
                return Err(fatal(
                    "the attributes export-ignore and export-subst are not supported",
                ));
            }
        }
        if item.mode == FOLDER {
            let before = out.len();
            let name = bytes!(prefix, whole, "/");
            out.push(Member { name, item });
            collect(repository, spec, (&item.id, &whole), prefix, out)?;
            if out.len() == before + 1 && !spec.matches(&whole) {
                out.pop();
            }
        } else if spec.matches(&whole) {
            let name = bytes!(
                prefix,
                whole,
                if item.mode == tree::COMMIT { "/" } else { "" }
            );
            out.push(Member { name, item });
        }
    }
    Ok(())
}

/// A member's content; empty for folders and submodules.
fn content(repository: &Repository, item: &Item) -> Outcome<std::rc::Rc<[u8]>> {
    match item.mode {
        FOLDER | tree::COMMIT => Ok(std::rc::Rc::from([])),
        _ => repository.objects.blob(&item.id),
    }
}

/// The bits of a member's mode: what is writable by the owner is by the group.
fn mode(item: &Item) -> u32 {
    match item.mode {
        LINK => 0o777,
        FOLDER | tree::COMMIT | tree::EXECUTABLE => 0o775,
        _ => 0o664,
    }
}

/// Puts a text at a place of a header.
fn put(header: &mut [u8; BLOCK], at: usize, text: &[u8]) {
    header[at..at + text.len()].copy_from_slice(text);
}

/// A header of ustar without its sum. Names longer than 100 bytes are cut: the caller splits them or has a pax
/// header.
fn header(name: &[u8], kind: u8, mode: u32, size: usize, time: i64) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    put(&mut header, 0, &name[..name.len().min(100)]);
    put(&mut header, 100, format!("{mode:07o}").as_bytes());
    put(&mut header, 108, b"0000000");
    put(&mut header, 116, b"0000000");
    put(&mut header, 124, format!("{size:011o}").as_bytes());
    put(&mut header, 136, format!("{:011o}", time.max(0)).as_bytes());
    header[156] = kind;
    put(&mut header, 257, b"ustar\x0000");
    put(&mut header, 265, b"root");
    put(&mut header, 297, b"root");
    put(&mut header, 329, b"0000000");
    put(&mut header, 337, b"0000000");
    header
}

/// Fills in the sum and appends header and content in whole blocks.
fn append(out: &mut Vec<u8>, mut header: [u8; BLOCK], content: &[u8]) {
    let blanks = 8 * u32::from(b' ');
    let sum = blanks + header.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    put(&mut header, 148, format!("{sum:07o}").as_bytes());
    out.extend_from_slice(&header);
    out.extend_from_slice(content);
    out.resize(out.len().next_multiple_of(BLOCK), 0);
}

/// A line `length key=value` that counts itself.
fn record(key: &str, value: &[u8]) -> Vec<u8> {
    let rest = bytes!(" ", key, "=", value, "\n");
    let mut length = rest.len() + 1;
    while length != rest.len() + length.to_string().len() {
        length = rest.len() + length.to_string().len();
    }
    bytes!(length.to_string(), rest)
}

/// A tar archive.
fn tar(repository: &Repository, source: &Source) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    let time = source.time;
    if let Some(id) = &source.commit {
        let text = record("comment", id.to_string().as_bytes());
        let head = header(b"pax_global_header", b'g', 0o666, text.len(), time);
        append(&mut out, head, &text);
    }
    for member in &source.members {
        let content = content(repository, &member.item)?;
        let (kind, size) = match member.item.mode {
            LINK => (b'2', 0),
            FOLDER | tree::COMMIT => (b'5', 0),
            _ => (b'0', content.len()),
        };
        let name = &member.name;
        let id = member.item.id;
        let mut more = Vec::new();
        let split = split(name);
        let short = match split {
            Some(at) => name[at..].to_vec(),
            None => {
                more.extend(record("path", name));
                format!("{id}.data").into_bytes()
            }
        };
        let mut head = header(&short, kind, mode(&member.item), size, time);
        if let Some(at) = split.filter(|at| *at > 0) {
            put(&mut head, 345, &name[..at - 1]);
        }
        if kind == b'2' {
            let mut target = content.to_vec();
            if target.len() > 100 {
                more.extend(record("linkpath", &target));
                target = format!("see {id}.paxheader").into_bytes();
            }
            put(&mut head, 157, &target);
        }
        if !more.is_empty() {
            let name = format!("{id}.paxheader");
            let extra = header(name.as_bytes(), b'x', 0o666, more.len(), time);
            append(&mut out, extra, &more);
        }
        append(&mut out, head, if kind == b'0' { &content } else { b"" });
    }
    let end = out.len() + 2 * BLOCK;
    out.resize(end.next_multiple_of(RECORD), 0);
    Ok(out)
}

/// Where the part of a long name starts that stands apart from its folders (ustar's `prefix`); 0 for a name that fits
/// as it is, none where no slash parts it into 155 and 100 bytes.
fn split(name: &[u8]) -> Option<usize> {
    if name.len() <= 100 {
        return Some(0);
    }
    let body = name.strip_suffix(b"/").unwrap_or(name);
    let longest = body.len().min(156);
    let slash = body[..longest].iter().rposition(|&byte| byte == b'/')?;
    (name.len() - slash - 1 <= 100).then_some(slash + 1)
}

/// A zip archive. Empty files and links are stored, others deflated.
fn zip(repository: &Repository, source: &Source, level: u32) -> Outcome<Vec<u8>> {
    let failed = |error: zip::result::ZipError| fatal(error.to_string());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    if let Some(id) = &source.commit {
        writer.set_comment(id.to_string()).map_err(failed)?;
    }
    let stamp =
        String::from_utf8_lossy(&Broken::from_seconds(source.time).format(b"%Y-%m-%dT%H:%M:%S"))
            .into_owned();
    let part = |range: std::ops::Range<usize>| stamp.get(range)?.parse::<u16>().ok();
    let byte = |at: usize| part(at..at + 2).map_or(0, |number| number as u8);
    let date = DateTime::from_date_and_time(
        part(0..4).unwrap_or(1980),
        byte(5),
        byte(8),
        byte(11),
        byte(14),
        byte(17),
    )
    .unwrap_or_default();
    for member in &source.members {
        let content = content(repository, &member.item)?;
        let name = String::from_utf8_lossy(&member.name).into_owned();
        let stored = content.is_empty() || level == 0 || member.item.mode == LINK;
        // That the group may write is of tar's alone (`tar.umask`).
        let permissions = match member.item.mode {
            LINK => 0o777,
            _ => mode(&member.item) & 0o755,
        };
        let options = SimpleFileOptions::default()
            .last_modified_time(date)
            .unix_permissions(permissions)
            .compression_method(match stored {
                true => CompressionMethod::Stored,
                false => CompressionMethod::Deflated,
            })
            .compression_level((!stored).then(|| i64::from(level)));
        match member.item.mode {
            LINK => {
                let target = String::from_utf8_lossy(&content).into_owned();
                writer.add_symlink(name, target, options).map_err(failed)?;
            }
            FOLDER | tree::COMMIT => writer.add_directory(name, options).map_err(failed)?,
            _ => {
                writer.start_file(name, options).map_err(failed)?;
                writer
                    .write_all(&content)
                    .map_err(|error| fatal(error.to_string()))?;
            }
        }
    }
    let packed = writer.finish().map_err(failed)?;
    Ok(packed.into_inner())
}
