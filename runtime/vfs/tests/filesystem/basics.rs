//! The everyday operations, one short test for each promise.

use offshoot_vfs::{Error, Kind, NewTime, NodeId, OpenOptions, Pipe, Timestamp, Vfs};

use crate::{ROOT, new};

#[test]
fn files_directories_and_links() {
    let fs = new();
    let root = fs.root();
    fs.create_dir_all(&ROOT, root, b"/a/b", 0o755).unwrap();
    fs.write_file(&ROOT, root, b"/a/b/f", b"text", 0o640)
        .unwrap();
    fs.symlink(&ROOT, b"b/f", root, b"/a/s").unwrap();
    fs.link(&ROOT, (root, b"/a/s"), (root, b"/a/h"), true)
        .unwrap();
    assert_eq!(fs.read_file(&ROOT, root, b"/a/s").unwrap(), b"text");
    assert_eq!(fs.stat(&ROOT, root, b"/a/h", true).unwrap().links, 2);
    assert_eq!(
        fs.stat(&ROOT, root, b"/a/s", false).unwrap().kind,
        Kind::Symlink
    );
    assert_eq!(
        fs.canonicalize(&ROOT, root, b"/a/../a/./s").unwrap(),
        b"/a/b/f"
    );
    assert_eq!(fs.stat(&ROOT, root, b"/a", true).unwrap().links, 3);
    let names: Vec<_> = fs
        .read_dir(&ROOT, root, b"a")
        .unwrap()
        .into_iter()
        .map(|entry| entry.name)
        .collect();
    assert_eq!(names, [b"b".to_vec(), b"h".to_vec(), b"s".to_vec()]);
    fs.remove_tree(&ROOT, root, b"/a").unwrap();
    assert_eq!(fs.stat(&ROOT, root, b"/a", true), Err(Error::NoEntry));
    assert_eq!((fs.usage().bytes, fs.usage().inodes), (0, 1));
}

#[test]
fn a_fork_is_the_same_tree_until_either_changes() {
    let fs = new();
    let root = fs.root();
    fs.write_file(&ROOT, root, b"/f", b"text", 0o644).unwrap();
    let (fork, other) = (fs.fork(), fs.fork());
    assert!(fs.is_same_tree(&fork) && fork.is_same_tree(&fs) && fs.is_same_tree(&fs));
    fs.write_file(&ROOT, root, b"/f", b"text", 0o644).unwrap();
    assert!(!fs.is_same_tree(&fork));
    other.unlink(&ROOT, root, b"/f").unwrap();
    assert!(!other.is_same_tree(&fork) && fork.is_same_tree(&fork.fork()));
}

#[test]
fn reading_is_told_from_changing() {
    type Step = (&'static str, bool, fn(&Vfs, NodeId));
    let steps: [Step; 8] = [
        ("nothing", true, |_, _| ()),
        ("read", true, |fs, root| {
            assert_eq!(fs.read_file(&ROOT, root, b"/d/f").unwrap(), b"text");
            assert_eq!(fs.read_dir(&ROOT, root, b"/d").unwrap().len(), 1);
        }),
        ("the same again", false, |fs, root| {
            fs.write_file(&ROOT, root, b"/d/f", b"text", 0o644).unwrap();
        }),
        ("mode", false, |fs, root| {
            fs.set_mode(&ROOT, root, b"/d/f", 0o600).unwrap();
        }),
        ("a name", false, |fs, root| {
            fs.link(&ROOT, (root, b"/d/f"), (root, b"/g"), false)
                .unwrap();
        }),
        ("removed", false, |fs, root| {
            fs.unlink(&ROOT, root, b"/d/f").unwrap();
        }),
        ("new and gone", false, |fs, root| {
            fs.write_file(&ROOT, root, b"/d/g", b"", 0o644).unwrap();
            fs.unlink(&ROOT, root, b"/d/g").unwrap();
        }),
        ("time of a directory", false, |fs, root| {
            let time = NewTime::At(Timestamp::default());
            fs.set_times(&ROOT, root, b"/d", NewTime::Keep, time, true)
                .unwrap();
        }),
    ];
    for (what, only_read, step) in steps {
        let fs = new();
        let root = fs.root();
        fs.create_dir(&ROOT, root, b"/d", 0o755).unwrap();
        fs.write_file(&ROOT, root, b"/d/f", b"text", 0o644).unwrap();
        let before = fs.fork();
        std::thread::sleep(std::time::Duration::from_millis(2));
        step(&fs, root);
        assert_eq!(fs.is_only_read_since(&before).unwrap(), only_read, "{what}");
    }
}

#[test]
fn open_files_survive_unlink_and_stay_out_of_forks() {
    let fs = new();
    let root = fs.root();
    fs.write_file(&ROOT, root, b"/f", b"text", 0o644).unwrap();
    let file = fs.open(&ROOT, root, b"/f", &OpenOptions::READ, 0).unwrap();
    fs.unlink(&ROOT, root, b"/f").unwrap();
    let fork = fs.fork();
    let mut buffer = [0; 9];
    assert_eq!(file.read(&mut buffer).unwrap(), 4);
    assert_eq!((fs.usage().bytes, fork.usage().bytes), (4, 0));
    drop(file);
    assert_eq!(fs.usage().bytes, 0);
}

#[test]
fn pipe_carries_bytes_and_ends() {
    let (reader, writer) = Pipe::ends();
    let mut buffer = [0; 8];
    assert_eq!(reader.try_read(&mut buffer), Err(Error::Again));
    assert_eq!(writer.try_write(b"abc"), Ok(3));
    assert_eq!(reader.try_read(&mut buffer), Ok(3));
    let filled = writer.try_write(&[0; 100_000]).unwrap();
    assert_eq!(filled, 65_536);
    assert_eq!(writer.try_write(b"x"), Err(Error::Again));
    drop(reader);
    assert_eq!(writer.try_write(b"x"), Err(Error::BrokenPipe));
}
