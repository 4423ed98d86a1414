//! Mounts of trees and sources.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use offshoot_vfs::{Device, Error, Kind, Mount, OpenOptions, SyntheticFiles, Vfs};

use crate::{ROOT, USER, names, new};

fn with_directory(path: &[u8]) -> Vfs {
    let fs = new();
    fs.create_dir_all(&ROOT, fs.root(), path, 0o755).unwrap();
    fs
}

#[test]
fn devices_answer_as_on_linux() {
    let fs = new();
    fs.populate_devices(b"/dev").unwrap();
    let open = |path: &[u8]| {
        fs.open(
            &USER,
            fs.root(),
            path,
            &OpenOptions {
                write: true,
                ..OpenOptions::READ
            },
            0,
        )
        .unwrap()
    };
    let mut buffer = [7; 64];
    assert_eq!(open(b"/dev/null").read(&mut buffer), Ok(0));
    assert_eq!(open(b"/dev/null").write(b"gone"), Ok(4));
    assert_eq!(open(b"/dev/zero").read(&mut buffer), Ok(64));
    assert_eq!(buffer, [0; 64]);
    assert_eq!(open(b"/dev/full").write(b"x"), Err(Error::NoSpace));
    assert_eq!(open(b"/dev/urandom").read(&mut buffer), Ok(64));
    assert_ne!(buffer, [0; 64]);
    for (path, number) in [
        (&b"/dev/stdin"[..], 0),
        (b"/dev/fd/7", 7),
        (b"/dev/fd/63", 63),
    ] {
        assert_eq!(open(path).device(), Some(Device::Descriptor(number)));
    }
    for path in [
        &b"/dev/fd/07"[..],
        b"/dev/fd/-1",
        b"/dev/fd/x",
        b"/dev/fd/9999",
    ] {
        assert_eq!(fs.stat(&USER, fs.root(), path, true), Err(Error::NoEntry));
    }
    assert_eq!(names(&fs, "/dev/fd"), ["0", "1", "2"]);
    assert_eq!(
        fs.unlink(&ROOT, fs.root(), b"/dev/fd/0"),
        Err(Error::ReadOnly)
    );
}

#[test]
fn live_sources_are_looked_at_anew() {
    let fs = with_directory(b"/proc");
    let reads = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&reads);
    let source = SyntheticFiles::new()
        .file(b"uptime", move || {
            counter
                .fetch_add(1, Ordering::Relaxed)
                .to_string()
                .into_bytes()
        })
        .file(b"sys/kernel/ostype", || b"Linux\n".to_vec());
    fs.mount(&ROOT, b"/proc", Mount::source(source)).unwrap();
    assert_eq!(names(&fs, "/proc"), ["sys", "uptime"]);
    assert_eq!(
        fs.stat(&ROOT, fs.root(), b"/proc/uptime", true)
            .unwrap()
            .size,
        0
    );
    let file = fs
        .open(&ROOT, fs.root(), b"/proc/uptime", &OpenOptions::READ, 0)
        .unwrap();
    let mut buffer = [0; 8];
    assert_eq!(file.read(&mut buffer), Ok(1));
    assert_eq!(file.read(&mut buffer), Ok(0));
    assert_eq!(buffer[0], b'0');
    assert_eq!(
        fs.read_file(&ROOT, fs.root(), b"/proc/uptime").unwrap(),
        b"1"
    );
    let write = fs.write_file(&ROOT, fs.root(), b"/proc/uptime", b"9", 0o644);
    assert_eq!(write, Err(Error::ReadOnly));
    assert_eq!(
        fs.path_of(fs.resolve(&ROOT, fs.root(), b"/proc/sys", true).unwrap())
            .unwrap(),
        b"/proc/sys"
    );
    assert_eq!(
        fs.canonicalize(&ROOT, fs.root(), b"/proc/sys/../..")
            .unwrap(),
        b"/"
    );
}

#[test]
fn overlays_keep_changes_in_memory_and_forks_apart() {
    let fs = with_directory(b"/m");
    let source = SyntheticFiles::new()
        .file(b"d/a", || b"aaa".to_vec())
        .file(b"d/b", || b"bbb".to_vec())
        .file(b"top", || vec![b't'; 100_000]);
    fs.mount(&ROOT, b"/m", Mount::overlay(source)).unwrap();
    let fork = fs.fork();
    let append = fs
        .open(&ROOT, fs.root(), b"/m/top", &OpenOptions::APPEND, 0)
        .unwrap();
    append.write(b"!").unwrap();
    assert_eq!(append.metadata().unwrap().size, 100_001);
    fs.unlink(&ROOT, fs.root(), b"/m/d/a").unwrap();
    fs.rename(&ROOT, (fs.root(), b"/m/d"), (fs.root(), b"/m/e"))
        .unwrap();
    assert_eq!(fs.read_file(&ROOT, fs.root(), b"/m/e/b").unwrap(), b"bbb");
    assert_eq!(names(&fs, "/m/e"), ["b"]);
    assert_eq!(
        fs.stat(&ROOT, fs.root(), b"/m/d", true),
        Err(Error::NoEntry)
    );
    fs.write_file(&ROOT, fs.root(), b"/m/e/a", b"new", 0o644)
        .unwrap();
    assert_eq!(fs.read_file(&ROOT, fs.root(), b"/m/e/a").unwrap(), b"new");
    assert_eq!(names(&fork, "/m"), ["d", "top"]);
    assert_eq!(
        fork.read_file(&ROOT, fork.root(), b"/m/d/a").unwrap(),
        b"aaa"
    );
    assert_eq!(
        fork.read_file(&ROOT, fork.root(), b"/m/top").unwrap().len(),
        100_000
    );
}

#[test]
fn trees_are_mounted_as_forks() {
    let other = with_directory(b"/lib");
    other
        .write_file(&ROOT, other.root(), b"/lib/f", b"one", 0o644)
        .unwrap();
    let fs = with_directory(b"/a/b");
    fs.mount(&ROOT, b"/a/b", Mount::tree(&other)).unwrap();
    fs.mount(&ROOT, b"/a/b/lib", Mount::tree(&other).refusing_writes())
        .unwrap();
    assert_eq!(
        fs.read_file(&ROOT, fs.root(), b"/a/b/lib/lib/f").unwrap(),
        b"one"
    );
    fs.write_file(&ROOT, fs.root(), b"/a/b/x", b"two", 0o644)
        .unwrap();
    assert_eq!(
        other.stat(&ROOT, other.root(), b"/x", true),
        Err(Error::NoEntry)
    );
    assert_eq!(fs.unmount(&ROOT, b"/a/b"), Err(Error::Busy));
    let paths: Vec<_> = fs
        .mounts()
        .into_iter()
        .map(|mount| (mount.path, mount.read_only))
        .collect();
    assert_eq!(
        paths,
        [(b"/a/b".to_vec(), false), (b"/a/b/lib".to_vec(), true)]
    );
    for path in [&b"/a/b"[..], b"/a/b/lib"] {
        assert_eq!(fs.remove_dir(&ROOT, fs.root(), path), Err(Error::Busy));
        assert_eq!(
            fs.rename(&ROOT, (fs.root(), path), (fs.root(), b"/z"))
                .unwrap_err()
                .code()
                .len(),
            5
        );
        assert_eq!(fs.remove_tree(&ROOT, fs.root(), path), Err(Error::Busy));
    }
    fs.unmount(&ROOT, b"/a/b/lib").unwrap();
    assert_eq!(
        fs.read_file(&ROOT, fs.root(), b"/a/b/lib/f").unwrap(),
        b"one"
    );
    assert_eq!(
        fs.stat(&ROOT, fs.root(), b"/a/b/lib/..", true)
            .unwrap()
            .inode,
        1
    );
    fs.unmount(&ROOT, b"/a/b").unwrap();
    assert_eq!(names(&fs, "/a/b"), [""; 0]);
    assert_eq!(
        fs.stat(&ROOT, fs.root(), b"/a/b", true).unwrap().kind,
        Kind::Directory
    );
    assert_eq!(fs.unmount(&ROOT, b"/a"), Err(Error::Invalid));
    assert_eq!(fs.mount(&ROOT, b"/", Mount::tree(&other)), Err(Error::Busy));
}
