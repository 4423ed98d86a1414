//! Open files: offsets, holes, limits, times, and life after the last name.

use std::io::SeekFrom;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use offshoot_vfs::{Clock, Error, NewTime, OpenOptions, Options, Quotas, Timestamp, Vfs};

use crate::{ROOT, USER, new, with_quotas, write};

const READ_WRITE: OpenOptions = OpenOptions {
    read: true,
    truncate: false,
    ..OpenOptions::WRITE
};

#[derive(Default)]
struct Manual(AtomicI64);

impl Clock for Manual {
    fn now(&self) -> Timestamp {
        Timestamp {
            seconds: self.0.load(Ordering::Relaxed),
            nanoseconds: 7,
        }
    }
}

#[test]
fn clones_share_the_offset() {
    let fs = new();
    let file = fs
        .open(&ROOT, fs.root(), b"/f", &READ_WRITE, 0o644)
        .unwrap();
    let other = file.clone();
    file.write(b"hello ").unwrap();
    other.write(b"world").unwrap();
    assert_eq!(file.position(), 11);
    assert_eq!(file.seek(SeekFrom::End(-5)), Ok(6));
    let mut buffer = [0; 16];
    assert_eq!(other.read(&mut buffer), Ok(5));
    assert_eq!(&buffer[..5], b"world");
    assert_eq!(file.seek(SeekFrom::Current(-20)), Err(Error::Invalid));
    assert_eq!(file.seek(SeekFrom::Start(u64::MAX)), Err(Error::Invalid));
}

#[test]
fn appending_files_meet_at_the_end() {
    let fs = new();
    let files = [(); 2].map(|()| {
        fs.open(&ROOT, fs.root(), b"/log", &OpenOptions::APPEND, 0o644)
            .unwrap()
    });
    for round in 0..3u8 {
        for file in &files {
            file.write(&[b'0' + round]).unwrap();
        }
    }
    assert_eq!(fs.read_file(&ROOT, fs.root(), b"/log").unwrap(), b"001122");
}

#[test]
fn access_is_as_the_file_was_opened() {
    let fs = new();
    write(&fs, "/f", "text");
    let reader = fs
        .open(&ROOT, fs.root(), b"/f", &OpenOptions::READ, 0)
        .unwrap();
    let writer = fs
        .open(&ROOT, fs.root(), b"/f", &OpenOptions::APPEND, 0)
        .unwrap();
    assert_eq!(reader.write(b"x"), Err(Error::BadDescriptor));
    assert_eq!(reader.set_size(0), Err(Error::Invalid));
    assert_eq!(writer.read(&mut [0]), Err(Error::BadDescriptor));
    // The mode is asked when a file is opened, and never by the one who makes it.
    fs.create_dir(&ROOT, fs.root(), b"/tmp", 0o777).unwrap();
    let made = fs
        .open(&USER, fs.root(), b"/tmp/new", &READ_WRITE, 0o000)
        .unwrap();
    assert_eq!(made.write(b"x"), Ok(1));
    assert_eq!(
        fs.open(&USER, fs.root(), b"/tmp/new", &READ_WRITE, 0).err(),
        Some(Error::Access)
    );
}

#[test]
fn contents_are_there_without_a_name_and_without_the_right_to_read() {
    let vfs = new();
    let content = "0123456789".repeat(20_000);
    write(&vfs, "/f", &content);
    let file = vfs
        .open(
            &ROOT,
            vfs.root(),
            b"/f",
            &OpenOptions {
                write: true,
                ..OpenOptions::default()
            },
            0,
        )
        .unwrap();
    vfs.unlink(&ROOT, vfs.root(), b"/f").unwrap();
    assert_eq!(file.read(&mut [0]), Err(Error::BadDescriptor));
    assert!(file.contents().unwrap() == content.as_bytes());
    let folder = vfs
        .open(&ROOT, vfs.root(), b"/", &OpenOptions::default(), 0)
        .unwrap();
    assert_eq!(folder.contents(), Err(Error::Invalid));
}

#[test]
fn holes_cost_nothing_and_read_as_zeros() {
    let fs = new();
    let file = fs
        .open(&ROOT, fs.root(), b"/f", &READ_WRITE, 0o644)
        .unwrap();
    file.write_at(1 << 39, b"far").unwrap();
    let metadata = file.metadata().unwrap();
    assert_eq!(
        (metadata.size, metadata.blocks, fs.usage().bytes),
        ((1 << 39) + 3, 8, 3)
    );
    let mut buffer = [9; 8];
    file.read_at((1 << 39) - 5, &mut buffer).unwrap();
    assert_eq!(&buffer, b"\0\0\0\0\0far");
    file.set_size(1 << 20).unwrap();
    assert_eq!(fs.usage().bytes, 0);
}

#[test]
fn quotas_are_exact() {
    let quotas = Quotas {
        bytes: 10_000,
        inodes: 4,
        file_size: 50_000,
        ..Quotas::default()
    };
    let fs = with_quotas(quotas);
    let root = fs.root();
    let file = fs.open(&ROOT, root, b"/f", &READ_WRITE, 0o644).unwrap();
    assert_eq!(file.write_at(0, &[1; 20_000]), Ok(10_000));
    assert_eq!(file.write_at(10_000, b"x"), Err(Error::NoSpace));
    assert_eq!(file.write_at(0, &[2; 10_000]), Ok(10_000));
    assert_eq!(fs.usage().bytes, 10_000);
    file.set_size(100).unwrap();
    assert_eq!(fs.usage().bytes, 100);
    assert_eq!(file.write_at(49_999, b"xx"), Err(Error::NoSpace));
    file.set_size(0).unwrap();
    assert_eq!(file.set_size(50_001), Err(Error::FileTooLarge));
    assert_eq!(file.write_at(50_000, b"x"), Err(Error::FileTooLarge));
    assert_eq!(file.write_at(u64::MAX, b"x"), Err(Error::FileTooLarge));
    fs.create_dir(&ROOT, root, b"/d", 0o755).unwrap();
    fs.link(&ROOT, (root, b"/f"), (root, b"/hard"), false)
        .unwrap();
    assert_eq!(
        fs.link(&ROOT, (root, b"/f"), (root, b"/more"), false),
        Err(Error::NoSpace)
    );
    assert_eq!(
        fs.create_dir(&ROOT, root, b"/e", 0o755),
        Err(Error::NoSpace)
    );
    fs.unlink(&ROOT, root, b"/hard").unwrap();
    fs.create_dir(&ROOT, root, b"/e", 0o755).unwrap();
    let free = fs.statfs(root).unwrap();
    assert_eq!((free.free_bytes, free.free_inodes), (10_000, 0));
}

#[test]
fn times_move_as_posix_says() {
    let clock = Arc::new(Manual::default());
    let fs = Vfs::new(Options {
        clock: clock.clone(),
        ..Options::default()
    });
    let root = fs.root();
    let at = |second: i64| clock.0.store(second, Ordering::Relaxed);
    let times = |path: &[u8]| {
        let found = fs.stat(&ROOT, root, path, false).unwrap();
        [found.accessed, found.modified, found.changed, found.created].map(|time| time.seconds)
    };
    at(1);
    fs.create_dir(&ROOT, root, b"/d", 0o755).unwrap();
    at(2);
    write(&fs, "/d/f", "x");
    assert_eq!(times(b"/d"), [1, 2, 2, 1]);
    at(3);
    fs.read_file(&ROOT, root, b"/d/f").unwrap();
    assert_eq!(times(b"/d/f"), [3, 2, 2, 2]);
    at(4);
    fs.read_file(&ROOT, root, b"/d/f").unwrap();
    fs.set_mode(&ROOT, root, b"/d/f", 0o600).unwrap();
    assert_eq!(times(b"/d/f"), [3, 2, 4, 2]);
    at(5);
    fs.rename(&ROOT, (root, b"/d/f"), (root, b"/d/g")).unwrap();
    assert_eq!(times(b"/d/g"), [3, 2, 5, 2]);
    assert_eq!(times(b"/d"), [1, 5, 5, 1]);
    at(6);
    let past = NewTime::At(Timestamp {
        seconds: -5,
        nanoseconds: 1,
    });
    fs.set_times(&ROOT, root, b"/d/g", past, NewTime::Keep, true)
        .unwrap();
    assert_eq!(times(b"/d/g"), [-5, 2, 6, 2]);
    let invalid = NewTime::At(Timestamp {
        seconds: 0,
        nanoseconds: 1_000_000_000,
    });
    assert_eq!(
        fs.set_times(&ROOT, root, b"/d/g", invalid, NewTime::Keep, true),
        Err(Error::Invalid)
    );
}

#[test]
fn a_removed_directory_that_is_open_takes_nothing_new() {
    let fs = new();
    fs.create_dir(&ROOT, fs.root(), b"/d", 0o755).unwrap();
    let open = fs
        .open(&ROOT, fs.root(), b"/d", &OpenOptions::READ, 0)
        .unwrap();
    fs.remove_dir(&ROOT, fs.root(), b"/d").unwrap();
    assert_eq!(
        fs.create_dir(&ROOT, open.node(), b"x", 0o755),
        Err(Error::NoEntry)
    );
    assert_eq!(open.read_dir(), Ok(Vec::new()));
    assert_eq!(fs.path_of(open.node()), Err(Error::NoEntry));
    let node = open.node();
    drop(open);
    assert_eq!(fs.metadata(node), Err(Error::NoEntry));
}

#[test]
fn threads_and_forks_at_once() {
    let fs = new();
    std::thread::scope(|scope| {
        for thread in 0..4u8 {
            let fs = &fs;
            scope.spawn(move || {
                for step in 0..200u32 {
                    let path = format!("/{thread}-{}", step % 20).into_bytes();
                    fs.write_file(&ROOT, fs.root(), &path, &step.to_le_bytes(), 0o644)
                        .unwrap();
                    let fork = fs.fork();
                    fs.unlink(&ROOT, fs.root(), &path).unwrap();
                    let content = fork.read_file(&ROOT, fork.root(), &path).unwrap();
                    assert_eq!(content, step.to_le_bytes());
                }
            });
        }
    });
    assert_eq!((fs.usage().bytes, fs.usage().inodes), (0, 1));
}
