//! Trees to store, and what can be seen of them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use offshoot_store::{Capture, Claim, Clock, MemoryStore, SqliteStore, Store};
use offshoot_vfs::{Caller, Kind, Metadata, NodeId, Options, Vfs};

pub const ROOT: Caller = Caller::ROOT;

/// A clock that stands still until it is told.
#[derive(Default)]
pub struct ManualClock(pub AtomicU64);

impl Clock for ManualClock {
    fn now(&self) -> u64 {
        1_000_000 + self.0.load(Ordering::SeqCst)
    }
}

/// Every kind of store, with a name and what must live as long as it.
pub fn stores() -> Vec<(&'static str, Store, Option<tempfile::TempDir>)> {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = Store::sqlite(directory.path()).unwrap();
    vec![
        ("memory", Store::memory(), None),
        ("sqlite", sqlite, Some(directory)),
    ]
}

pub fn memory() -> (MemoryStore, Store) {
    let memory = MemoryStore::new();
    let shared = Arc::new(memory.clone());
    (memory, Store::new(shared.clone(), shared).unwrap())
}

pub fn sqlite(directory: &std::path::Path) -> (SqliteStore, Store) {
    let sqlite = SqliteStore::open(directory).unwrap();
    let shared = Arc::new(sqlite.clone());
    (sqlite, Store::new(shared.clone(), shared).unwrap())
}

pub fn claim(owner: &str) -> Claim {
    Claim {
        owner: owner.into(),
        lease_until: None,
    }
}

pub fn write(fs: &Vfs, path: &str, content: &[u8]) {
    fs.write_file(&ROOT, fs.root(), path.as_bytes(), content, 0o644)
        .unwrap();
}

pub fn read(fs: &Vfs, path: &str) -> Vec<u8> {
    fs.read_file(&ROOT, fs.root(), path.as_bytes()).unwrap()
}

/// `count` files of `length` bytes, a hundred to a directory.
pub fn files(count: usize, length: usize) -> Vfs {
    let fs = Vfs::new(Options::default());
    for index in 0..count {
        let directory = format!("/d{}", index / 100);
        if index % 100 == 0 {
            fs.create_dir(&ROOT, fs.root(), directory.as_bytes(), 0o755)
                .unwrap();
        }
        let mut content = format!("{index} ").into_bytes();
        content.resize(length.max(content.len()), b'x');
        write(&fs, &format!("{directory}/f{}", index % 100), &content);
    }
    fs
}

/// A tree with something of everything.
pub fn variety() -> Vfs {
    let fs = Vfs::new(Options::default());
    let root = fs.root();
    write(&fs, "/empty", b"");
    write(&fs, "/tiny", b"tiny");
    write(&fs, "/small", &[7; 3000]);
    write(&fs, "/middle", &pattern(60_000));
    write(&fs, "/large", &pattern(5_000_000));
    fs.set_size(&ROOT, root, b"/empty", 1 << 30).unwrap();
    fs.create_dir_all(&ROOT, root, b"/a/b/c", 0o1777).unwrap();
    for index in 0..200 {
        write(
            &fs,
            &format!("/a/b/file with a rather long name {index}"),
            b"x",
        );
    }
    fs.link(&ROOT, (root, b"/tiny"), (root, b"/a/link"), false)
        .unwrap();
    fs.symlink(&ROOT, b"../tiny", root, b"/a/symlink").unwrap();
    fs.create_fifo(&ROOT, root, b"/a/fifo", 0o600).unwrap();
    fs.create_device(&ROOT, root, b"/a/null", offshoot_vfs::Device::Null, 0o666)
        .unwrap();
    fs.set_owner(&ROOT, root, b"/small", (Some(1000), Some(100)), true)
        .unwrap();
    fs
}

pub fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|n| (n * 7 + n / 251) as u8).collect()
}

/// Everything that can be seen of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub metadata: Metadata,
    /// A hash of the content.
    pub content: Option<blake3::Hash>,
    pub target: Option<Vec<u8>>,
}

/// Everything that can be seen of a tree. Reading moves times of access, so it looks at a fork.
pub fn dump(fs: &Vfs) -> BTreeMap<Vec<u8>, Seen> {
    try_dump(fs).unwrap()
}

pub fn try_dump(fs: &Vfs) -> offshoot_vfs::Result<BTreeMap<Vec<u8>, Seen>> {
    let fs = fs.fork();
    let (mut all, mut contents) = (BTreeMap::<_, Seen>::new(), Vec::new());
    let mut pending: Vec<(Vec<u8>, NodeId)> = vec![(Vec::new(), fs.root())];
    while let Some((path, directory)) = pending.pop() {
        let seen = Seen {
            metadata: fs.metadata(directory)?,
            content: None,
            target: None,
        };
        all.insert(path.clone(), seen);
        for entry in fs.read_dir(&ROOT, directory, b".")? {
            let below = [&path[..], b"/", &entry.name].concat();
            let metadata = fs.stat(&ROOT, directory, &entry.name, false)?;
            assert_eq!(metadata.inode, entry.inode);
            let mut seen = Seen {
                metadata,
                content: None,
                target: None,
            };
            match entry.kind {
                Kind::Directory => {
                    let node = fs.resolve(&ROOT, directory, &entry.name, false)?;
                    pending.push((below, node));
                    continue;
                }
                Kind::Regular if metadata.size < 1 << 24 => contents.push(below.clone()),
                Kind::Symlink => {
                    seen.target = Some(fs.read_link(&ROOT, directory, &entry.name)?);
                }
                _ => {}
            }
            all.insert(below, seen);
        }
    }
    // Last, for reading a file moves the time of access of all its names.
    for path in contents {
        let content = fs.read_file(&ROOT, fs.root(), &path)?;
        all.entry(path)
            .and_modify(|seen| seen.content = Some(blake3::hash(&content)));
    }
    Ok(all)
}

/// Whether two trees look the same; says where not.
pub fn assert_same(a: &BTreeMap<Vec<u8>, Seen>, b: &BTreeMap<Vec<u8>, Seen>) {
    for path in a.keys().chain(b.keys()) {
        let name = String::from_utf8_lossy(path);
        assert_eq!(a.get(path), b.get(path), "{name}");
    }
}

pub fn capture() -> Capture {
    Capture {
        sessions: BTreeMap::from([("main".into(), "cwd=/tmp".into())]),
        settings: Some("limits".into()),
        caps: ["exec".into(), "network".into()].into(),
        engine: "test 1".into(),
        ..Capture::default()
    }
}

/// Whether tests that take long are wanted.
pub fn slow() -> bool {
    std::env::var_os("OFFSHOOT_SLOW_TESTS").is_some()
}

/// A filesystem's clock that stands still.
pub struct Still;

impl offshoot_vfs::Clock for Still {
    fn now(&self) -> offshoot_vfs::Timestamp {
        offshoot_vfs::Timestamp {
            seconds: 1,
            nanoseconds: 5,
        }
    }
}

/// A filesystem in which it is always the same time.
pub fn timeless() -> Vfs {
    Vfs::new(Options {
        clock: Arc::new(Still),
        ..Options::default()
    })
}
