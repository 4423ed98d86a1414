//! The `vfs` crate on both sides.

use std::io::{Read, Write};

use offshoot_vfs::{AsFileSystem, Error, FileSystemSource, Mount};
use vfs::{MemoryFS, VfsPath};

use crate::{ROOT, names, new, read, write};

#[test]
fn any_filesystem_of_the_vfs_crate_can_be_mounted() {
    let other = MemoryFS::new();
    {
        use vfs::FileSystem;
        other.create_dir("/d").unwrap();
        other
            .create_file("/d/f")
            .unwrap()
            .write_all(b"theirs")
            .unwrap();
    }
    let fs = new();
    fs.create_dir(&ROOT, fs.root(), b"/m", 0o755).unwrap();
    fs.mount(&ROOT, b"/m", Mount::overlay(FileSystemSource(other)))
        .unwrap();
    assert_eq!(names(&fs, "/m/d"), ["f"]);
    assert_eq!(read(&fs, "/m/d/f").unwrap(), "theirs");
    assert_eq!(read(&fs, "/m/d/none"), Err(Error::NoEntry));
    write(&fs, "/m/d/f", "ours");
    assert_eq!(read(&fs, "/m/d/f").unwrap(), "ours");
}

#[test]
fn our_tree_is_a_filesystem_of_the_vfs_crate() {
    let fs = new();
    let root = VfsPath::new(AsFileSystem::new(fs.clone(), ROOT));
    root.join("a/b").unwrap().create_dir_all().unwrap();
    let file = root.join("a/b/f").unwrap();
    file.create_file().unwrap().write_all(b"one ").unwrap();
    file.append_file().unwrap().write_all(b"two").unwrap();
    assert_eq!(read(&fs, "/a/b/f").unwrap(), "one two");
    let mut text = String::new();
    file.open_file().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "one two");
    assert_eq!(file.metadata().unwrap().len, 7);
    file.copy_file(&root.join("copy").unwrap()).unwrap();
    root.join("a")
        .unwrap()
        .move_dir(&root.join("moved").unwrap())
        .unwrap();
    let walked: Vec<_> = root
        .walk_dir()
        .unwrap()
        .map(|path| path.unwrap().as_str().to_owned())
        .collect();
    assert_eq!(walked.len(), 4);
    assert!(walked.contains(&"/moved/b/f".to_owned()), "{walked:?}");
    assert!(!file.exists().unwrap());
    root.join("moved").unwrap().remove_dir_all().unwrap();
    assert_eq!(names(&fs, "/"), ["copy"]);
    assert!(root.join("none").unwrap().open_file().is_err());
}
