//! Mounts of trees and sources.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use offshoot_vfs::{
    Caller, Device, Error, Kind, Mount, OpenOptions, Result, Source, SourceFile, SourceStat,
    SyntheticFiles, Vfs, Views,
};

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

/// A file with its number for each process up to the one that looks, and a link to its own.
struct Numbers;

impl Views for Numbers {
    fn view(self: Arc<Self>, process: u32) -> Arc<dyn Source> {
        Arc::new(UpTo(process))
    }
}

struct UpTo(u32);

impl UpTo {
    fn number(&self, path: &[u8]) -> Result<u32> {
        let number = std::str::from_utf8(path)
            .ok()
            .and_then(|path| path.parse().ok());
        number
            .filter(|number| *number <= self.0)
            .ok_or(Error::NoEntry)
    }
}

impl Source for UpTo {
    fn stat(&self, path: &[u8]) -> Result<SourceStat> {
        match path {
            b"" => Ok(SourceStat::new(Kind::Directory, 0o555)),
            b"self" => Ok(SourceStat::new(Kind::Symlink, 0o777)),
            _ => self
                .number(path)
                .map(|_| SourceStat::new(Kind::Regular, 0o444)),
        }
    }

    fn read_dir(&self, _path: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok((1..=self.0)
            .map(|number| number.to_string().into())
            .collect())
    }

    fn read_link(&self, _path: &[u8]) -> Result<Vec<u8>> {
        Ok(self.0.to_string().into())
    }

    fn open(&self, path: &[u8]) -> Result<Arc<dyn SourceFile>> {
        Ok(Arc::new(
            format!("{} of {}", self.number(path)?, self.0).into_bytes(),
        ))
    }
}

#[test]
fn views_depend_on_the_filesystem_and_on_who_looks() {
    let fs = with_directory(b"/proc");
    fs.mount(&ROOT, b"/proc", Mount::views()).unwrap();
    assert!(names(&fs, "/proc").is_empty());
    let numbers = Arc::new(Numbers);
    let views: Arc<dyn Views> = numbers;
    fs.set_views(Arc::downgrade(&views));
    let who = |process| Caller { process, ..USER };
    let read = |fs: &Vfs, process, path: &[u8]| fs.read_file(&who(process), fs.root(), path);
    for process in [3, 700, 2] {
        let own = format!("{process} of {process}").into_bytes();
        assert_eq!(read(&fs, process, b"/proc/self"), Ok(own));
    }
    assert_eq!(read(&fs, 2, b"/proc/3"), Err(Error::NoEntry));
    let opened = fs.open(&who(2), fs.root(), b"/proc", &OpenOptions::READ, 0);
    assert_eq!(opened.unwrap().read_dir().unwrap().len(), 2);
    // A fork has none until it is given its own, and none is left when they are gone.
    let fork = fs.fork();
    assert_eq!(read(&fork, 2, b"/proc/1"), Err(Error::NoEntry));
    drop(views);
    assert_eq!(read(&fs, 2, b"/proc/1"), Err(Error::NoEntry));
    assert!(fs.mounts().iter().all(|mount| mount.system));
}

#[test]
fn names_that_a_view_no_longer_has_are_dropped() {
    /// The process that looks, alone.
    struct Alone(u32);
    impl Views for Loners {
        fn view(self: Arc<Self>, process: u32) -> Arc<dyn Source> {
            Arc::new(Alone(process))
        }
    }
    struct Loners;
    impl Source for Alone {
        fn stat(&self, path: &[u8]) -> Result<SourceStat> {
            match path {
                b"" => Ok(SourceStat::new(Kind::Directory, 0o555)),
                _ if path == self.0.to_string().as_bytes() => {
                    Ok(SourceStat::new(Kind::Regular, 0o444))
                }
                _ => Err(Error::NoEntry),
            }
        }
        fn read_dir(&self, _path: &[u8]) -> Result<Vec<Vec<u8>>> {
            Ok(vec![self.0.to_string().into()])
        }
        fn read_link(&self, _path: &[u8]) -> Result<Vec<u8>> {
            Err(Error::Invalid)
        }
        fn open(&self, _path: &[u8]) -> Result<Arc<dyn SourceFile>> {
            Ok(Arc::new(Vec::new()))
        }
    }
    let fs = with_directory(b"/proc");
    fs.mount(&ROOT, b"/proc", Mount::views()).unwrap();
    let views: Arc<dyn Views> = Arc::new(Loners);
    fs.set_views(Arc::downgrade(&views));
    for process in 1..=5_000 {
        let who = Caller { process, ..USER };
        let path = format!("/proc/{process}");
        fs.stat(&who, fs.root(), path.as_bytes(), true).unwrap();
    }
    let proc = fs.resolve(&ROOT, fs.root(), b"/proc", true).unwrap();
    let stat = fs.statfs(proc).unwrap();
    assert!(stat.total_inodes - stat.free_inodes <= 300);
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
