//! Containers that somebody forged.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::OnceLock;

use bolero::{TypeGenerator, check};
use offshoot_store::{Capture, Export, Import, Store};
use offshoot_vfs::{Caller, Options, Quotas, Vfs};

/// What a forger changes.
#[derive(Clone, Debug, TypeGenerator)]
enum Change {
    Set { at: u16, to: u8 },
    Cut { at: u16, length: u8 },
    Insert { at: u16, bytes: Vec<u8> },
    Repeat { at: u16, length: u8 },
}

/// A container with some files.
fn genuine() -> &'static [u8] {
    static CONTAINER: OnceLock<Vec<u8>> = OnceLock::new();
    CONTAINER.get_or_init(|| {
        let store = Store::memory();
        let vfs = Vfs::new(Options::default());
        let (root, top) = (Caller::ROOT, vfs.root());
        for number in 0..20 {
            let directory = format!("/d{number}");
            vfs.create_dir(&root, top, directory.as_bytes(), 0o755)
                .unwrap();
            let path = format!("{directory}/file");
            let content = vec![number; 300 * usize::from(number)];
            vfs.write_file(&root, top, path.as_bytes(), &content, 0o644)
                .unwrap();
        }
        vfs.symlink(&root, b"d1", top, b"/link").unwrap();
        let committed = store.commit(&vfs, &Capture::default()).unwrap();
        let mut bytes = Vec::new();
        store
            .export(committed.commit, &Export::default(), &mut bytes)
            .unwrap();
        bytes
    })
}

fn forge(changes: &[Change]) -> Vec<u8> {
    let mut bytes = genuine().to_vec();
    bytes.truncate(bytes.len() - 32);
    for change in changes {
        let place = |at: u16| usize::from(at) % (bytes.len() + 1);
        match change {
            Change::Set { at, to } => {
                let at = place(*at);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = *to;
                }
            }
            Change::Cut { at, length } => {
                let at = place(*at);
                let end = (at + usize::from(*length)).min(bytes.len());
                bytes.drain(at..end);
            }
            Change::Insert { at, bytes: new } => {
                let at = place(*at);
                bytes.splice(at..at, new.iter().copied());
            }
            Change::Repeat { at, length } => {
                let at = place(*at);
                let end = (at + usize::from(*length)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
        }
    }
    // Without a key anybody can make a checksum that fits.
    let checksum = blake3::hash(&bytes);
    bytes.extend_from_slice(checksum.as_bytes());
    bytes
}

fn accepting() -> Import {
    Import {
        quotas: Quotas {
            bytes: 1 << 20,
            ..Quotas::default()
        },
        ..Import::default()
    }
}

/// What is taken in is a whole tree; all else is an error.
fn import(bytes: &[u8]) {
    let store = Store::memory();
    if let Ok(header) = store.import(&accepting(), &mut &*bytes) {
        let found = store.checkout(header.commit, Options::default()).unwrap();
        let mut archive = Vec::new();
        found.vfs.export_tar(b"/", &mut archive).unwrap();
        assert!(found.faults.take().is_empty());
    }
}

#[test]
fn container_forged() {
    assert!(
        Store::memory()
            .import(&accepting(), &mut &mut genuine())
            .is_ok()
    );
    check!()
        .with_type::<Vec<Change>>()
        .for_each(|changes| import(&forge(changes)));
}

#[test]
fn container_bytes() {
    check!().for_each(|bytes: &[u8]| import(bytes));
}
