//! Copies that share content, and several changes in one step.

use std::sync::atomic::{AtomicBool, Ordering};

use offshoot_vfs::{Error, Kind, OpenOptions, Quotas, Vfs};

use super::{ROOT, USER, new, read, with_quotas, write};

fn copy(fs: &Vfs, from: &str, to: &str) -> Result<(), Error> {
    let at = fs.root();
    fs.copy(&ROOT, (at, from.as_bytes()), (at, to.as_bytes()))
}

#[test]
fn a_tree_is_copied_with_all_kinds_and_bits() {
    let fs = new();
    let at = fs.root();
    fs.create_dir(&ROOT, at, b"/a", 0o755).unwrap();
    fs.create_dir(&ROOT, at, b"/a/closed", 0o755).unwrap();
    write(&fs, "/a/closed/deep", "deep");
    fs.set_mode(&ROOT, at, b"/a/closed", 0o500).unwrap();
    write(&fs, "/a/run", "#!");
    fs.set_mode(&ROOT, at, b"/a/run", 0o4755).unwrap();
    fs.symlink(&ROOT, b"run", at, b"/a/link").unwrap();
    fs.create_fifo(&ROOT, at, b"/a/fifo", 0o600).unwrap();
    copy(&fs, "/a", "/b").unwrap();
    let stat = |path: &[u8]| fs.stat(&ROOT, at, path, false).unwrap();
    assert_eq!(read(&fs, "/b/closed/deep").unwrap(), "deep");
    assert_eq!(stat(b"/b/closed").mode, 0o500);
    // A copy is nobody else's: set-id bits stay behind.
    assert_eq!(stat(b"/b/run").mode, 0o755);
    assert_eq!(fs.read_link(&ROOT, at, b"/b/link").unwrap(), b"run");
    assert_eq!(stat(b"/b/fifo").kind, Kind::Fifo);
    write(&fs, "/b/run", "changed");
    assert_eq!(read(&fs, "/a/run").unwrap(), "#!");
}

#[test]
fn what_cannot_be_copied_changes_nothing() {
    let fs = new();
    let at = fs.root();
    fs.create_dir(&ROOT, at, b"/a", 0o755).unwrap();
    fs.create_dir(&ROOT, at, b"/a/b", 0o755).unwrap();
    write(&fs, "/a/file", "1");
    write(&fs, "/file", "2");
    fs.symlink(&ROOT, b"a/b", at, b"/way").unwrap();
    for (from, to, error) in [
        ("/a", "/a/c", Error::Invalid),
        ("/a", "/a/b/c", Error::Invalid),
        ("/a", "/way/c", Error::Invalid),
        ("/", "/a/c", Error::Invalid),
        ("/a", "/file", Error::Exist),
        ("/file", "/a", Error::Exist),
        ("/a", "/a", Error::Exist),
        ("/nothing", "/c", Error::NoEntry),
        ("/file", "/nothing/c", Error::NoEntry),
    ] {
        let before = fs.fork();
        assert_eq!(copy(&fs, from, to), Err(error), "{from} to {to}");
        let changed = offshoot_vfs::diff(&before, &fs).unwrap();
        assert!(changed.is_empty(), "{from} to {to}: {changed:?}");
    }
    // A file may be copied onto a file, itself included.
    copy(&fs, "/file", "/a/file").unwrap();
    copy(&fs, "/file", "/file").unwrap();
    assert_eq!(read(&fs, "/a/file").unwrap(), "2");
    assert_eq!(read(&fs, "/file").unwrap(), "2");
}

#[test]
fn what_may_not_be_read_is_not_copied() {
    let fs = new();
    let at = fs.root();
    fs.set_mode(&ROOT, at, b"/", 0o777).unwrap();
    fs.create_dir(&ROOT, at, b"/a", 0o755).unwrap();
    write(&fs, "/a/open", "1");
    write(&fs, "/a/secret", "2");
    fs.set_mode(&ROOT, at, b"/a/secret", 0o600).unwrap();
    let copied = fs.copy(&USER, (at, b"/a"), (at, b"/b"));
    assert_eq!(copied, Err(Error::Access));
    assert_eq!(fs.stat(&USER, at, b"/b", false), Err(Error::NoEntry));
}

#[test]
fn a_copy_counts_for_the_quota_but_takes_no_time() {
    let quotas = Quotas {
        bytes: 25 << 20,
        ..Quotas::default()
    };
    let fs = with_quotas(quotas);
    write(&fs, "/big", &"x".repeat(10 << 20));
    let one = fs.usage().bytes;
    copy(&fs, "/big", "/second").unwrap();
    assert_eq!(fs.usage().bytes, 2 * one);
    assert_eq!(copy(&fs, "/big", "/third"), Err(Error::NoSpace));
    assert_eq!(fs.usage().bytes, 2 * one);
    // What is replaced is given back first.
    copy(&fs, "/big", "/second").unwrap();
    assert_eq!(fs.usage().bytes, 2 * one);
}

#[test]
fn a_reflink_takes_what_it_says() {
    let (fs, other) = (new(), new());
    write(&fs, "/a", "text");
    write(&other, "/a", "text");
    let open = |fs: &Vfs, path: &str, options: &OpenOptions| {
        fs.open(&ROOT, fs.root(), path.as_bytes(), options, 0o644)
            .unwrap()
    };
    let reader = open(&fs, "/a", &OpenOptions::READ);
    let writer = open(&fs, "/b", &OpenOptions::WRITE);
    let foreign = open(&other, "/a", &OpenOptions::READ);
    let directory = open(&fs, "/", &OpenOptions::READ);
    assert_eq!(writer.reflink(&foreign), Err(Error::CrossDevice));
    assert_eq!(reader.reflink(&reader), Err(Error::Invalid));
    assert_eq!(writer.reflink(&writer), Err(Error::Invalid));
    assert_eq!(writer.reflink(&directory), Err(Error::Invalid));
    writer.reflink(&reader).unwrap();
    assert_eq!(read(&fs, "/b").unwrap(), "text");
}

#[test]
fn others_see_all_of_a_step_or_nothing() {
    let fs = new();
    write(&fs, "/a", "0");
    write(&fs, "/b", "0");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 1..500 {
                let text = round.to_string();
                let step = fs.atomically(|fs| {
                    write(fs, "/a", &text);
                    write(fs, "/b", &text);
                    Ok::<(), Error>(())
                });
                step.unwrap();
            }
            done.store(true, Ordering::Release);
        });
        while !done.load(Ordering::Acquire) {
            let moment = fs.fork();
            assert_eq!(read(&moment, "/a"), read(&moment, "/b"));
        }
    });
}

#[test]
fn open_files_live_through_a_step() {
    let fs = new();
    let at = fs.root();
    write(&fs, "/a", "old");
    let open = fs.open(&ROOT, at, b"/a", &OpenOptions::READ, 0).unwrap();
    fs.atomically(|fs| {
        fs.unlink(&ROOT, fs.root(), b"/a")?;
        write(fs, "/a", "new");
        Ok::<(), Error>(())
    })
    .unwrap();
    assert_eq!(open.contents().unwrap(), b"old");
    assert_eq!(read(&fs, "/a").unwrap(), "new");
    drop(open);
    assert_eq!(fs.usage().bytes, 3);
}
