//! What a script has open: written down when it is suspended, and opened again.

use std::collections::{HashMap, HashSet};
use std::io::SeekFrom;
use std::sync::Arc;

use bytes::Bytes;
use offshoot_vfs::{Caller, Error as FileError, File, Kind, NodeId, OpenOptions, Pipe, Vfs};

use super::suspended::{Body, Kept, Node, NodeKind, Numbered};
use crate::descriptor::{Descriptors, Object};
use crate::process::Group;
use crate::{Error, Limit, Result, Stdio, Suspended};

/// Bytes of files without a name that are kept with a script: they become memory of the host,
/// holes included, which a guest can make as large as it likes (T23).
const UNNAMED_BYTES: u64 = 64 << 20;

/// The descriptors of a script, written down.
#[derive(Default)]
pub(super) struct Keeper {
    pub(super) nodes: Vec<Node>,
    pub(super) objects: Vec<Kept>,
    pub(super) descriptors: Vec<Numbered>,
    /// The objects in order, by which each is known again.
    known: Vec<Arc<Object>>,
    known_nodes: HashMap<NodeId, u32>,
    unnamed: u64,
}

impl Keeper {
    /// Writes down what `numbers` are in `table`. `lent` are the numbers in the script and in the
    /// table of what the embedder gave.
    pub(super) fn keep(
        vfs: &Vfs,
        table: &Descriptors,
        numbers: &[u32],
        lent: &[(u32, u32)],
    ) -> Result<Keeper> {
        let mut keeper = Keeper::default();
        for &number in numbers {
            let object = table
                .get(number)
                .map_err(|_| Error::Kept(format!("descriptor {number} is closed")))?;
            let given = |(_, own): &&(u32, u32)| {
                let own = table.get(*own);
                own.is_ok_and(|own| Arc::ptr_eq(own, object))
            };
            let given = lent.iter().find(given).map(|(given, _)| *given);
            let object = keeper.object(vfs, object, given)?;
            let lent = lent.iter().find(|(_, own)| *own == number);
            keeper.descriptors.push(Numbered {
                number,
                object,
                lent: lent.map(|(given, _)| *given),
            });
        }
        keeper.fifo_contents();
        Ok(keeper)
    }

    fn object(&mut self, vfs: &Vfs, object: &Arc<Object>, given: Option<u32>) -> Result<u32> {
        let known = self
            .known
            .iter()
            .position(|known| Arc::ptr_eq(known, object));
        if let Some(known) = known {
            return Ok(known as u32);
        }
        let kept = match (given, object.file()) {
            (Some(number), _) => {
                let (unread, open) = object.unread();
                Kept::Given {
                    number,
                    unread,
                    open,
                }
            }
            (None, Some(file)) => Kept::File {
                node: self.node(vfs, file, object.path())?,
                read: file.can_read(),
                write: file.can_write(),
                append: file.is_append(),
                offset: file.position(),
                opened: object.is_opened(),
            },
            (None, None) => {
                let message = format!("{object:?} belongs to somebody else too");
                return Err(Error::Kept(message));
            }
        };
        self.known.push(Arc::clone(object));
        self.objects.push(kept);
        Ok(self.objects.len() as u32 - 1)
    }

    fn node(&mut self, vfs: &Vfs, file: &File, path: Option<&[u8]>) -> Result<u32> {
        if let Some(known) = self.known_nodes.get(&file.node()) {
            return Ok(*known);
        }
        let metadata = file.metadata()?;
        let path = match metadata.links {
            0 => None,
            _ => Some(path_of(vfs, file, path)?),
        };
        let kind = match file.kind() {
            Kind::Directory => NodeKind::Directory,
            Kind::Fifo => NodeKind::Fifo,
            Kind::Device => NodeKind::Device,
            Kind::Regular | Kind::Symlink => NodeKind::Regular,
        };
        let mut content = Vec::new();
        if path.is_none() {
            match kind {
                NodeKind::Regular => {
                    self.unnamed += metadata.size;
                    if self.unnamed > UNNAMED_BYTES {
                        let most = UNNAMED_BYTES >> 20;
                        let message = format!("files without a name of more than {most} MiB");
                        return Err(Error::Kept(message));
                    }
                    content = file.contents()?;
                }
                NodeKind::Fifo => {}
                NodeKind::Directory | NodeKind::Device => {
                    let message = "a directory or device without a name".to_owned();
                    return Err(Error::Kept(message));
                }
            }
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            kind,
            path,
            mode: metadata.mode & 0o7777,
            owner: (metadata.uid, metadata.gid),
            content,
        });
        self.known_nodes.insert(file.node(), number);
        Ok(number)
    }

    /// What is in a FIFO goes with the script where nobody else has it open.
    fn fifo_contents(&mut self) {
        for (id, number) in &self.known_nodes {
            let files = self.known.iter().filter_map(|object| object.file());
            let files: Vec<&File> = files.filter(|file| file.node() == *id).collect();
            let readers = files.iter().filter(|file| file.can_read()).count();
            let writers = files.iter().filter(|file| file.can_write()).count();
            if let Some(pipe) = files.first().and_then(|file| file.pipe())
                && (pipe.readers(), pipe.writers()) == (readers, writers)
                && let Some(node) = self.nodes.get_mut(*number as usize)
            {
                node.content = pipe.contents();
            }
        }
    }
}

/// A path of an open file that has one: the one by which it was opened, or where that leads
/// elsewhere by now, the first that is found.
fn path_of(vfs: &Vfs, file: &File, path: Option<&[u8]>) -> Result<Vec<u8>> {
    let leads_to = |path: &[u8], follow| {
        vfs.resolve(&Caller::ROOT, vfs.root(), path, follow) == Ok(file.node())
    };
    if let Some(path) = path.filter(|path| leads_to(path, true)) {
        return Ok(path.to_vec());
    }
    let lost = || Error::Kept("an open file cannot be found by a path".to_owned());
    if file.kind() == Kind::Directory {
        return vfs.path_of(file.node()).map_err(|_| lost());
    }
    let metadata = file.metadata()?;
    let root = vfs.root();
    let on_its_mount = |path: &[u8]| {
        let found = vfs.stat(&Caller::ROOT, root, path, false);
        found.is_ok_and(|found| found.device == metadata.device)
    };
    let mounts: HashSet<Vec<u8>> = vfs.mounts().into_iter().map(|mount| mount.path).collect();
    let mut folders: Vec<Vec<u8>> = mounts.iter().cloned().chain([b"/".to_vec()]).collect();
    folders.retain(|folder| on_its_mount(folder));
    while let Some(folder) = folders.pop() {
        for entry in vfs.read_dir(&Caller::ROOT, root, &folder)? {
            let slash: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
            let path = [&folder, slash, &entry.name].concat();
            if entry.kind == Kind::Directory {
                if !mounts.contains(&path) {
                    folders.push(path);
                }
            } else if entry.inode == metadata.inode && leads_to(&path, false) {
                return Ok(path);
            }
        }
    }
    Err(lost())
}

/// A suspended script whose files are open again; see [`crate::Kernel::reopen`].
pub struct Reopened {
    pub(super) body: Arc<Body>,
    pub(super) files: Files,
}

/// The files among the objects of a script, in their places. They are given away with the descriptors:
/// whoever kept one would keep the other end of a FIFO waiting.
pub(super) struct Files(Vec<Option<Arc<Object>>>);

impl Reopened {
    pub(crate) fn new(vfs: &Vfs, suspended: &Suspended) -> Result<Reopened> {
        let body = Arc::clone(&suspended.0);
        let mut places = Places::new(vfs, &body)?;
        let opened = open_all(&mut places, &body);
        places.clear();
        let files = Files(opened?);
        Ok(Reopened { body, files })
    }
}

impl Files {
    /// Puts everything in place in the table of an instance: what the embedder gives, paid for by
    /// `group`, and the files. Returns the old numbers with the new ones, and what is lent.
    pub(super) fn install(
        self,
        body: &Body,
        given: &[(u32, Stdio)],
        group: &Arc<Group>,
        table: &mut Descriptors,
    ) -> Result<Installed> {
        let objects: Vec<Arc<Object>> = body
            .objects
            .iter()
            .zip(self.0)
            .map(|(kept, file)| match (kept, file) {
                (_, Some(file)) => file,
                (Kept::Given { number, unread, .. }, None) => {
                    let stdio = given.iter().find(|(known, _)| known == number);
                    let stdio = stdio.map_or(Stdio::Null, |(_, stdio)| stdio.clone());
                    let object = Object::from_host(stdio, group);
                    Arc::new(object.behind(Bytes::copy_from_slice(unread)))
                }
                (Kept::File { .. }, None) => Arc::new(Object::closed()),
            })
            .collect();
        let mut installed = Installed::default();
        let mut ordered: Vec<&Numbered> = body.descriptors.iter().collect();
        // Standard streams keep their numbers in an instance that has nothing else open.
        ordered.sort_by_key(|kept| (kept.lent.is_none(), kept.lent, kept.number));
        for kept in ordered {
            let object = objects.get(kept.object as usize).ok_or(Error::Corrupt)?;
            let own = table.insert(Arc::clone(object));
            let own = own.map_err(|_| Error::Limit(Limit::OpenFiles))?;
            installed.numbers.push((kept.number, own));
            installed.lent.extend(kept.lent.map(|number| (number, own)));
        }
        Ok(installed)
    }
}

/// The descriptors of a script that goes on.
#[derive(Default)]
pub(super) struct Installed {
    /// By which number a descriptor was known, and by which it is now.
    pub(super) numbers: Vec<(u32, u32)>,
    /// The number in the script and the one in the instance.
    pub(super) lent: Vec<(u32, u32)>,
}

/// Opens the files of a script.
fn open_all(places: &mut Places<'_>, body: &Body) -> Result<Vec<Option<Arc<Object>>>> {
    let mut files = Vec::with_capacity(body.objects.len());
    for kept in &body.objects {
        let Kept::File {
            node,
            read,
            write,
            append,
            offset,
            opened,
        } = *kept
        else {
            files.push(None);
            continue;
        };
        let known = body.nodes.get(node as usize).ok_or(Error::Corrupt)?;
        let options = OpenOptions {
            read,
            write,
            append,
            ..OpenOptions::default()
        };
        let (file, path) = places.open(node, known, &options)?;
        if known.kind == NodeKind::Regular {
            file.seek(SeekFrom::Start(offset))
                .map_err(|_| Error::Corrupt)?;
        }
        let object = Object::from_path(file, &path);
        files.push(Some(Arc::new(match opened {
            true => object.opened(),
            false => object,
        })));
    }
    // All ends are taken, so what is put into a FIFO stays there.
    for (kept, object) in body.objects.iter().zip(&files) {
        if let Kept::File { node, .. } = kept
            && let Some(known) = body.nodes.get(*node as usize)
            && let Some(pipe) = object.as_ref().and_then(|object| object.file()?.pipe())
        {
            places.fill(*node, &known.content, pipe);
        }
    }
    Ok(files)
}

/// Where the nodes of a script are: those without a name have one as long as they are opened.
struct Places<'a> {
    vfs: &'a Vfs,
    temporary: HashMap<u32, Vec<u8>>,
    filled: HashSet<u32>,
}

impl<'a> Places<'a> {
    fn new(vfs: &'a Vfs, body: &Body) -> Result<Places<'a>> {
        let mut places = Places {
            vfs,
            temporary: HashMap::new(),
            filled: HashSet::new(),
        };
        for (number, node) in (0..).zip(&body.nodes) {
            if node.path.is_none()
                && let Err(error) = places.create(number, node)
            {
                places.clear();
                return Err(error.into());
            }
        }
        Ok(places)
    }

    /// Makes a file that has no name under a name that nobody has.
    fn create(&mut self, number: u32, node: &Node) -> Result<(), FileError> {
        let (vfs, root) = (self.vfs, self.vfs.root());
        let mut tries = 0..1000u32;
        let path = loop {
            let attempt = tries.next().ok_or(FileError::Exist)?;
            let path = format!("/.resumed-{number}-{attempt}").into_bytes();
            let made = match node.kind {
                NodeKind::Fifo => vfs.create_fifo(&Caller::ROOT, root, &path, node.mode),
                _ => self.create_file(&path, node),
            };
            match made {
                Err(FileError::Exist) => {}
                made => break made.map(|()| path),
            }
        }?;
        let (uid, gid) = node.owner;
        self.temporary.insert(number, path.clone());
        vfs.set_owner(&Caller::ROOT, root, &path, (Some(uid), Some(gid)), false)
    }

    fn create_file(&self, path: &[u8], node: &Node) -> Result<(), FileError> {
        let options = OpenOptions {
            write: true,
            create: true,
            exclusive: true,
            ..OpenOptions::default()
        };
        let root = self.vfs.root();
        let file = self
            .vfs
            .open(&Caller::ROOT, root, path, &options, node.mode)?;
        let mut rest = node.content.as_slice();
        while !rest.is_empty() {
            match file.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) => {
                    let _ = self.vfs.unlink(&Caller::ROOT, root, path);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn open(&mut self, number: u32, node: &Node, options: &OpenOptions) -> Result<(File, Vec<u8>)> {
        let path = match (&node.path, self.temporary.get(&number)) {
            (Some(path), _) | (None, Some(path)) => path.clone(),
            (None, None) => return Err(Error::Corrupt),
        };
        let shown = || String::from_utf8_lossy(&path).into_owned();
        // The script had it open, whatever its mode says by now.
        let file = self
            .vfs
            .open(&Caller::ROOT, self.vfs.root(), &path, options, 0)
            .map_err(|error| Error::Reopen {
                path: shown(),
                error,
            })?;
        let same = match node.kind {
            NodeKind::Regular => file.kind() == Kind::Regular,
            NodeKind::Directory => file.kind() == Kind::Directory,
            NodeKind::Fifo => file.kind() == Kind::Fifo,
            NodeKind::Device => file.kind() == Kind::Device,
        };
        match same {
            true => Ok((file, path)),
            false => Err(Error::Replaced(shown())),
        }
    }

    /// Puts back what a FIFO held.
    fn fill(&mut self, number: u32, content: &[u8], pipe: &Pipe) {
        if !content.is_empty() && self.filled.insert(number) {
            let _reader = pipe.reader();
            // A FIFO holds no more than fits, so nothing is left over.
            let _ = pipe.writer().try_write(content);
        }
    }

    /// Takes temporary names away.
    fn clear(&mut self) {
        for path in std::mem::take(&mut self.temporary).into_values() {
            let _ = self.vfs.unlink(&Caller::ROOT, self.vfs.root(), &path);
        }
    }
}
