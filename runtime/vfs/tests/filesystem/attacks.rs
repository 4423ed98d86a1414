//! Attacks of the security catalogue, by their ids, as far as they are the filesystem's. Those on
//! host directories are in `host`, those on archives in `archive`.

use std::io::SeekFrom;

use offshoot_vfs::{Error, Mount, OpenOptions, Quotas};

use crate::{ROOT, new, read, with_quotas, write};

#[test]
fn t01_dots_are_clamped_at_the_root() {
    let fs = new();
    fs.create_dir(&ROOT, fs.root(), b"/etc", 0o755).unwrap();
    write(&fs, "/etc/passwd", "guest");
    for path in [
        "/../../../etc/passwd",
        "/./..//../etc/./passwd",
        "//etc//passwd",
        "/etc/../../etc/passwd",
    ] {
        assert_eq!(read(&fs, path).unwrap(), "guest", "{path}");
        assert_eq!(
            fs.canonicalize(&ROOT, fs.root(), path.as_bytes()).unwrap(),
            b"/etc/passwd"
        );
    }
    assert_eq!(read(&fs, "/../../../etc/shadow"), Err(Error::NoEntry));
}

#[test]
fn t02_links_are_resolved_inside() {
    let fs = new();
    let root = fs.root();
    fs.create_dir(&ROOT, root, b"/d", 0o755).unwrap();
    for (target, path) in [
        ("/etc/passwd", "/x"),
        ("../../..", "/d/up"),
        ("d/up/d/up", "/chain"),
    ] {
        fs.symlink(&ROOT, target.as_bytes(), root, path.as_bytes())
            .unwrap();
    }
    assert_eq!(read(&fs, "/x"), Err(Error::NoEntry));
    assert_eq!(read(&fs, "/chain/etc/passwd"), Err(Error::NoEntry));
    assert_eq!(fs.resolve(&ROOT, root, b"/chain/d/up/..", true), Ok(root));
}

#[test]
fn t03_loops_and_long_chains_of_links_end() {
    let fs = new();
    let root = fs.root();
    fs.symlink(&ROOT, b"b", root, b"/a").unwrap();
    fs.symlink(&ROOT, b"a", root, b"/b").unwrap();
    fs.symlink(&ROOT, b"self/x", root, b"/self").unwrap();
    write(&fs, "/link0", "end");
    for index in 0..41 {
        let (target, path) = (format!("link{index}"), format!("/link{}", index + 1));
        fs.symlink(&ROOT, target.as_bytes(), root, path.as_bytes())
            .unwrap();
    }
    for (path, expected) in [
        ("/a", Err(Error::TooManyLinks)),
        ("/a/x", Err(Error::TooManyLinks)),
        ("/self", Err(Error::TooManyLinks)),
        ("/link40", Ok("end".to_owned())),
        ("/link41", Err(Error::TooManyLinks)),
    ] {
        assert_eq!(read(&fs, path), expected, "{path}");
    }
}

#[test]
fn t04_links_are_moved_and_not_followed() {
    let fs = new();
    let root = fs.root();
    fs.create_dir(&ROOT, root, b"/m", 0o755).unwrap();
    fs.mount(&ROOT, b"/m", Mount::tree(&new())).unwrap();
    write(&fs, "/secret", "x");
    fs.symlink(&ROOT, b"/secret", root, b"/l").unwrap();
    assert_eq!(
        fs.rename(&ROOT, (root, b"/l"), (root, b"/m/l")),
        Err(Error::CrossDevice)
    );
    assert_eq!(
        fs.link(&ROOT, (root, b"/l"), (root, b"/m/l"), false),
        Err(Error::CrossDevice)
    );
    fs.rename(&ROOT, (root, b"/l"), (root, b"/k")).unwrap();
    assert_eq!(fs.read_link(&ROOT, root, b"/k").unwrap(), b"/secret");
}

#[test]
fn t05_names_are_bytes_and_never_cut_off() {
    let fs = new();
    let root = fs.root();
    let longest = vec![b'n'; 255];
    let names: [&[u8]; 6] = [
        b"new\nline",
        b"\xff\xfe",
        "\u{202e}txt.exe".as_bytes(),
        b" ",
        b"-rf",
        &longest,
    ];
    for name in names {
        fs.write_file(&ROOT, root, name, name, 0o644).unwrap();
        assert_eq!(fs.read_file(&ROOT, root, name).unwrap(), name);
    }
    let mut listed: Vec<_> = names.iter().map(|name| name.to_vec()).collect();
    listed.sort();
    let found = fs.read_dir(&ROOT, root, b"/").unwrap();
    assert_eq!(
        found
            .into_iter()
            .map(|entry| entry.name)
            .collect::<Vec<_>>(),
        listed
    );
    assert_eq!(
        fs.write_file(&ROOT, root, &[b'n'; 256], b"", 0o644),
        Err(Error::NameTooLong)
    );
    assert_eq!(
        fs.write_file(&ROOT, root, b"a\0b", b"", 0o644),
        Err(Error::Invalid)
    );
    assert_eq!(
        fs.stat(&ROOT, root, &b"./".repeat(2048), true),
        Err(Error::NameTooLong)
    );
    assert!(fs.stat(&ROOT, root, &b"./".repeat(2047), true).is_ok());
}

#[test]
fn t07_names_of_other_systems_are_plain() {
    let fs = new();
    for name in [
        "CON",
        "COM¹",
        "nul.txt",
        "C:",
        "C:\\x",
        "\\\\server\\share",
        "AUX.c",
    ] {
        write(&fs, &format!("/{name}"), name);
        assert_eq!(read(&fs, &format!("/{name}")).unwrap(), name);
    }
    assert_eq!(crate::names(&fs, "/").len(), 7);
}

#[test]
fn t11_a_directory_never_gets_into_itself() {
    let fs = new();
    let root = fs.root();
    fs.create_dir_all(&ROOT, root, b"/a/b/c", 0o755).unwrap();
    fs.symlink(&ROOT, b"/a/b", root, b"/l").unwrap();
    for to in ["/a/x", "/a/b/c/x", "/l/x", "/a/b/c/../../x"] {
        let result = fs.rename(&ROOT, (root, b"/a"), (root, to.as_bytes()));
        assert_eq!(result, Err(Error::Invalid), "{to}");
    }
    assert_eq!(
        fs.link(&ROOT, (root, b"/a"), (root, b"/a/b/loop"), false),
        Err(Error::NotPermitted)
    );
}

#[test]
fn t14_many_files_and_deep_directories_meet_a_quota_and_no_stack() {
    let quota = 20_000;
    let fs = with_quotas(Quotas {
        inodes: quota,
        ..Quotas::default()
    });
    let root = fs.root();
    // Deep, made and removed relative to where one stands, as a guest would.
    let mut at = root;
    for _ in 0..10_000 {
        fs.create_dir(&ROOT, at, b"d", 0o755).unwrap();
        at = fs.resolve(&ROOT, at, b"d", true).unwrap();
    }
    assert_eq!(fs.path_of(at).unwrap().len(), 20_000);
    assert_eq!(
        fs.rename(&ROOT, (root, b"/d"), (at, b"x")),
        Err(Error::Invalid)
    );
    let fork = fs.fork();
    fs.remove_tree(&ROOT, root, b"/d").unwrap();
    assert_eq!(fs.usage().inodes, 1);
    drop(fork);
    let made = (0..quota * 2)
        .take_while(|index| {
            fs.write_file(&ROOT, root, format!("/f{index}").as_bytes(), b"", 0o644)
                .is_ok()
        })
        .count();
    assert_eq!(made as u64, quota - 1);
    assert_eq!(
        fs.write_file(&ROOT, root, b"/more", b"", 0o644),
        Err(Error::NoSpace)
    );
    assert_eq!(
        fs.read_dir(&ROOT, root, b"/").unwrap().len() as u64,
        quota - 1
    );
}

#[test]
fn t15_the_edge_of_numbers_allocates_nothing() {
    let fs = new();
    write(&fs, "/f", "x");
    let options = OpenOptions {
        write: true,
        ..OpenOptions::READ
    };
    let file = fs.open(&ROOT, fs.root(), b"/f", &options, 0).unwrap();
    assert_eq!(file.set_size(8 << 60), Err(Error::FileTooLarge));
    assert_eq!(file.set_size(u64::MAX), Err(Error::FileTooLarge));
    assert_eq!(
        file.seek(SeekFrom::Start(i64::MAX as u64)),
        Ok(i64::MAX as u64)
    );
    assert_eq!(file.write(b"x"), Err(Error::FileTooLarge));
    assert_eq!(file.read(&mut [0; 8]), Ok(0));
    assert_eq!(file.seek(SeekFrom::Current(1)), Err(Error::Invalid));
    assert_eq!(file.write_at(u64::MAX, b"xy"), Err(Error::FileTooLarge));
    assert_eq!(fs.usage().bytes, 1);
}

#[test]
fn t16_overwriting_is_counted_once() {
    let fs = with_quotas(Quotas {
        bytes: 300_000,
        ..Quotas::default()
    });
    let options = OpenOptions {
        truncate: false,
        ..OpenOptions::WRITE
    };
    let file = fs.open(&ROOT, fs.root(), b"/f", &options, 0o644).unwrap();
    for round in 0..100_000u64 {
        assert_eq!(file.write_at(round % 7 * 20_000, &[1; 100]), Ok(100));
    }
    // The last write ends at 120,100: one full chunk and the rest.
    assert_eq!(fs.usage().bytes, 65_536 - 5_436 + (120_100 - 65_536));
}
