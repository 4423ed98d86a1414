//! Archives that somebody made: names that lead elsewhere, lengths that lie, links, types that nobody knows.

#![allow(clippy::unwrap_used, reason = "tests")]

use bolero::{TypeGenerator, check};
use offshoot_vfs::{Caller, Options, Quotas, Vfs};

/// One entry. What is drawn below `NAMES.len()` is a name that is likely to matter.
#[derive(Debug, TypeGenerator)]
struct Entry {
    name: Name,
    link: Name,
    kind: u8,
    mode: u16,
    content: Vec<u8>,
    /// The length that the header gives, where it lies.
    length: Option<u64>,
    sum_is_wrong: bool,
}

#[derive(Debug, TypeGenerator)]
enum Name {
    Likely(u8),
    Any(Vec<u8>),
}

const NAMES: &[&[u8]] = &[
    b"a",
    b"a/b",
    b"a/b/c",
    b"../x",
    b"/etc/x",
    b"a/../../x",
    b".",
    b"./",
    b"",
    b"a//b",
    b"link",
    b"link/x",
    b"dir/",
    b"\xff",
    b"a\0b",
    b"pax",
    b"..",
    b"link/../x",
];

impl Name {
    fn bytes(&self) -> &[u8] {
        match self {
            Name::Likely(number) => NAMES[usize::from(*number) % NAMES.len()],
            Name::Any(bytes) => bytes,
        }
    }
}

/// An archive in the format that POSIX calls ustar.
fn archive(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for entry in entries {
        let mut header = [0_u8; 512];
        let put = |header: &mut [u8; 512], at: usize, room: usize, text: &[u8]| {
            let length = text.len().min(room);
            header[at..at + length].copy_from_slice(&text[..length]);
        };
        put(&mut header, 0, 100, entry.name.bytes());
        put(
            &mut header,
            100,
            8,
            format!("{:07o}", entry.mode).as_bytes(),
        );
        let length = entry.length.unwrap_or(entry.content.len() as u64);
        put(&mut header, 124, 12, format!("{length:011o}").as_bytes());
        header[156] = match entry.kind % 16 {
            kind @ 0..8 => b'0' + kind,
            8 => b'L',
            9 => b'K',
            10 => b'x',
            11 => b'g',
            12 => b'S',
            13 => 0,
            _ => entry.kind,
        };
        put(&mut header, 157, 100, entry.link.bytes());
        put(&mut header, 257, 8, b"ustar\x0000");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        let sum = sum + u32::from(entry.sum_is_wrong);
        put(&mut header, 148, 8, format!("{sum:06o}\0 ").as_bytes());
        bytes.extend_from_slice(&header);
        bytes.extend_from_slice(&entry.content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.extend_from_slice(&[0; 1024]);
    bytes
}

/// Nothing is outside the directory that was given, and what came in can be taken out.
fn unpack(bytes: &[u8]) {
    let vfs = Vfs::new(Options {
        quotas: Quotas {
            bytes: 1 << 20,
            ..Quotas::default()
        },
        ..Options::default()
    });
    for directory in [b"/in".as_slice(), b"/out"] {
        vfs.create_dir(&Caller::ROOT, vfs.root(), directory, 0o755)
            .unwrap();
    }
    let before = listing(&vfs);
    let unpacked = vfs.import_tar(b"/in", bytes);
    assert_eq!(listing(&vfs), before);
    if unpacked.is_err() {
        // All or nothing.
        let found = vfs.read_dir(&Caller::ROOT, vfs.root(), b"/in").unwrap();
        assert!(found.is_empty());
    }
    vfs.export_tar(b"/in", std::io::sink()).unwrap();
}

/// What is in the root directory, and outside of `/in`.
fn listing(vfs: &Vfs) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    for directory in [&b"/"[..], b"/out"] {
        for entry in vfs.read_dir(&Caller::ROOT, vfs.root(), directory).unwrap() {
            names.push([directory, &entry.name[..]].concat());
        }
    }
    names
}

#[test]
fn archive_entries() {
    check!()
        .with_type::<Vec<Entry>>()
        .for_each(|entries| unpack(&archive(entries)));
}

#[test]
fn archive_bytes() {
    check!().for_each(|bytes: &[u8]| unpack(bytes));
}
