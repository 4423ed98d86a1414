//! The operations that sequences are made of, and what they result in.

use offshoot_vfs::{Kind, OpenOptions, Timestamp};
use proptest::prelude::*;

pub type Path = Vec<u8>;
/// A value, or the code of the error.
pub type Outcome = Result<Value, &'static str>;

/// How many files a sequence has open at most.
pub const SLOTS: usize = 2;

#[derive(Debug, Clone)]
pub enum Operation {
    CreateDir(Path, u32),
    CreateFifo(Path, u32),
    Symlink(Vec<u8>, Path),
    Link(Path, Path, bool),
    Rename(Path, Path),
    Unlink(Path),
    RemoveDir(Path),
    RemoveTree(Path),
    Open(usize, Path, OpenOptions, u32),
    Read(usize, usize),
    Write(usize, usize, u8),
    ReadAt(usize, u64, usize),
    WriteAt(usize, u64, usize),
    Seek(usize, u64),
    SetSizeOpen(usize, u64),
    StatOpen(usize),
    Close(usize),
    SetMode(Path, u32),
    SetOwner(Path, Option<u32>, Option<u32>),
    SetSize(Path, u64),
    SetTimes(Path, i64, bool),
    Stat(Path, bool),
    ReadDir(Path),
    ReadLink(Path),
    ReadFile(Path),
    Canonicalize(Path),
    Fork,
    Switch(usize),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Unit,
    Number(u64),
    Bytes(Vec<u8>),
    Names(Vec<(Vec<u8>, Kind)>),
    Stat(Stat),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    pub kind: Kind,
    pub mode: u32,
    pub links: u64,
    pub owner: (u32, u32),
    pub size: u64,
    pub modified: Timestamp,
    pub changed: Timestamp,
}

/// What shows the content of a file of this kind.
pub fn content(kind: Kind, path: &[u8]) -> Operation {
    match kind {
        Kind::Directory => Operation::ReadDir(path.to_vec()),
        Kind::Symlink => Operation::ReadLink(path.to_vec()),
        Kind::Regular => Operation::ReadFile(path.to_vec()),
        _ => Operation::Stat(path.to_vec(), false),
    }
}

/// Whether an operation stays below its directory and makes nothing that an overlay cannot write
/// back to the host: hard links, and symbolic links that might lead out.
pub fn fits_overlay(operation: &Operation) -> bool {
    use Operation as O;
    let paths: &[&Path] = match operation {
        O::Link(..) => return false,
        O::Symlink(a, b) | O::Rename(a, b) => &[a, b],
        O::CreateDir(path, _)
        | O::Unlink(path)
        | O::RemoveDir(path)
        | O::RemoveTree(path)
        | O::Open(_, path, ..)
        | O::SetMode(path, _)
        | O::SetSize(path, _)
        | O::SetTimes(path, ..)
        | O::Stat(path, _)
        | O::ReadDir(path)
        | O::ReadLink(path)
        | O::ReadFile(path) => &[path],
        _ => &[],
    };
    paths
        .iter()
        .all(|path| !path.windows(2).any(|pair| pair == b".."))
}

/// The bytes of one write.
pub fn pattern(length: usize, seed: u8) -> Vec<u8> {
    (0..length)
        .map(|index| seed.wrapping_add(index as u8))
        .collect()
}

fn name() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        12 => prop::sample::select(vec!["a", "b", "c"]),
        1 => Just("."),
        1 => Just(".."),
    ]
}

fn path() -> impl Strategy<Value = Path> {
    let slash = prop_oneof![12 => Just(""), 1 => Just("/"), 1 => Just("//"), 1 => Just("/.")];
    let parts = prop_oneof![
        7 => prop::collection::vec(name(), 1..2),
        5 => prop::collection::vec(name(), 2..3),
        2 => prop::collection::vec(name(), 3..5),
    ];
    (parts, slash).prop_map(|(parts, slash)| (parts.join("/") + slash).into_bytes())
}

fn size() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0),
        1..100u64,
        4000..4200u64,
        65_500..65_600u64,
        100_000..200_000u64
    ]
}

fn mode() -> impl Strategy<Value = u32> {
    prop_oneof![
        6 => Just(0o777),
        2 => Just(0o755),
        1 => Just(0o1777),
        2 => 0..0o1000u32,
    ]
}

fn options() -> impl Strategy<Value = OpenOptions> {
    let flag = prop::bool::weighted;
    (
        any::<[bool; 2]>(),
        flag(0.2),
        flag(0.5),
        flag(0.2),
        flag(0.2),
        flag(0.1),
        flag(0.1),
    )
        .prop_map(
            |([read, write], append, create, exclusive, truncate, directory, no_follow)| {
                // What POSIX leaves open is left out: truncating without writing, creating a directory.
                let write = write || append;
                OpenOptions {
                    read: read || !write,
                    write,
                    append,
                    create: create && !directory,
                    exclusive: exclusive && create && !directory,
                    truncate: truncate && write,
                    directory,
                    no_follow,
                }
            },
        )
}

/// Operations that every filesystem has.
fn portable() -> impl Strategy<Value = Operation> {
    use Operation as O;
    let slot = 0..SLOTS;
    let names = prop_oneof![
        6 => (path(), mode()).prop_map(|(path, mode)| O::CreateDir(path, mode)),
        4 => (path(), path()).prop_map(|(target, path)| O::Symlink(target, path)),
        4 => (path(), path(), any::<bool>()).prop_map(|(old, new, follow)| O::Link(old, new, follow)),
        8 => (path(), path()).prop_map(|(old, new)| O::Rename(old, new)),
        4 => path().prop_map(O::Unlink),
        3 => path().prop_map(O::RemoveDir),
    ];
    let open = (slot.clone(), path(), options(), mode());
    let files = prop_oneof![
        16 => open.prop_map(|(slot, path, options, mode)| O::Open(slot, path, options, mode)),
        3 => (slot.clone(), 0..9000usize).prop_map(|(slot, length)| O::Read(slot, length)),
        6 => (slot.clone(), size(), any::<u8>())
            .prop_map(|(slot, length, seed)| O::Write(slot, length as usize, seed)),
        2 => (slot.clone(), size(), size())
            .prop_map(|(slot, at, length)| O::ReadAt(slot, at, length as usize)),
        3 => (slot.clone(), size(), size())
            .prop_map(|(slot, at, length)| O::WriteAt(slot, at, length as usize)),
        2 => (slot.clone(), size()).prop_map(|(slot, at)| O::Seek(slot, at)),
        2 => (slot.clone(), size()).prop_map(|(slot, size)| O::SetSizeOpen(slot, size)),
        1 => slot.clone().prop_map(O::StatOpen),
        2 => slot.prop_map(O::Close),
    ];
    let attributes = prop_oneof![
        2 => (path(), mode()).prop_map(|(path, mode)| O::SetMode(path, mode)),
        2 => (path(), size()).prop_map(|(path, size)| O::SetSize(path, size)),
        1 => (path(), -9..9i64, any::<bool>()).prop_map(|(path, time, follow)| O::SetTimes(path, time, follow)),
    ];
    let looks = prop_oneof![
        3 => (path(), any::<bool>()).prop_map(|(path, follow)| O::Stat(path, follow)),
        2 => path().prop_map(O::ReadDir),
        1 => path().prop_map(O::ReadLink),
        1 => path().prop_map(O::ReadFile),
    ];
    prop_oneof![6 => names, 5 => files, 1 => attributes, 2 => looks]
}

/// Operations that need a clock, users or forks of our own, or that a host does otherwise.
fn own() -> impl Strategy<Value = Operation> {
    use Operation as O;
    let owner = prop::option::of(prop::sample::select(vec![1000, 1001, 1002]));
    prop_oneof![
        1 => (path(), mode()).prop_map(|(path, mode)| O::CreateFifo(path, mode)),
        2 => (path(), owner.clone(), owner).prop_map(|(path, uid, gid)| O::SetOwner(path, uid, gid)),
        1 => path().prop_map(O::RemoveTree),
        1 => path().prop_map(O::Canonicalize),
        1 => Just(O::Fork),
        2 => (0..4usize).prop_map(O::Switch),
    ]
}

/// Steps, each with the index of who takes it.
pub fn sequence(with_own: bool) -> impl Strategy<Value = Vec<(usize, Operation)>> {
    let step = if with_own {
        prop_oneof![5 => portable(), 1 => own()].boxed()
    } else {
        portable().boxed()
    };
    // Most steps are root's, so that there is something to be refused.
    let who = prop_oneof![3 => 0..2usize, 2 => 2..5usize];
    (prepared(), prop::collection::vec((who, step), 1..80)).prop_map(|(mut before, steps)| {
        before.extend(steps);
        before
    })
}

/// Something to work on, or nothing.
fn prepared() -> impl Strategy<Value = Vec<(usize, Operation)>> {
    use Operation as O;
    let path = |text: &str| text.as_bytes().to_vec();
    let steps = [
        (0, O::CreateDir(path("a"), 0o777)),
        (0, O::CreateDir(path("a/b"), 0o1777)),
        (
            0,
            O::Open(
                0,
                path("a/c"),
                OpenOptions {
                    read: true,
                    ..OpenOptions::WRITE
                },
                0o666,
            ),
        ),
        (0, O::Write(0, 70_000, 1)),
        (0, O::Symlink(path("../a"), path("a/b/a"))),
        (0, O::Open(1, path("c"), OpenOptions::APPEND, 0o666)),
        (0, O::Link(path("c"), path("a/b/b"), false)),
    ];
    (0..=steps.len()).prop_map(move |count| steps[..count].to_vec())
}
