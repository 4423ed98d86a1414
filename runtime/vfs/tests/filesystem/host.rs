//! Mounts of host directories.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use offshoot_vfs::{
    ApplyError, ChangeKind, Error, HostDirectory, Mount, OpenOptions, Protected, Vfs,
};
use tempfile::TempDir;

use crate::{ROOT, USER, names, new, read, write};

/// A host directory and a filesystem with it at `/m`.
pub(crate) fn mounted(copy_on_write: bool) -> (TempDir, Vfs) {
    let host = tempfile::tempdir().unwrap();
    let top = host.path();
    std::fs::create_dir_all(top.join("src/deep")).unwrap();
    std::fs::write(top.join("src/a.txt"), "alpha").unwrap();
    std::fs::write(top.join("src/deep/b.txt"), "beta").unwrap();
    std::fs::write(top.join("big"), vec![b'x'; 200_000]).unwrap();
    symlink("src/a.txt", top.join("link")).unwrap();
    std::fs::set_permissions(top.join("big"), PermissionsExt::from_mode(0o640)).unwrap();
    let fs = new();
    fs.create_dir(&ROOT, fs.root(), b"/m", 0o755).unwrap();
    let mount = if copy_on_write {
        Mount::copy_on_write(top)
    } else {
        Mount::read_only(top)
    };
    fs.mount(&ROOT, b"/m", mount.unwrap().owned_by(USER.uid, USER.gid))
        .unwrap();
    (host, fs)
}

fn change(fs: &Vfs, old: &str, new: &str) {
    fs.rename(
        &ROOT,
        (fs.root(), old.as_bytes()),
        (fs.root(), new.as_bytes()),
    )
    .unwrap();
}

fn text(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn read_only_mounts_show_the_host_as_it_is() {
    let (host, fs) = mounted(false);
    assert_eq!(names(&fs, "/m"), ["big", "link", "src"]);
    assert_eq!(read(&fs, "/m/link").unwrap(), "alpha");
    let big = fs.stat(&USER, fs.root(), b"/m/big", true).unwrap();
    assert_eq!((big.size, big.mode, big.uid), (200_000, 0o640, USER.uid));
    std::fs::write(host.path().join("src/a.txt"), "changed").unwrap();
    std::fs::write(host.path().join("src/new"), "n").unwrap();
    std::fs::remove_dir_all(host.path().join("src/deep")).unwrap();
    assert_eq!(read(&fs, "/m/link").unwrap(), "changed");
    assert_eq!(
        fs.stat(&ROOT, fs.root(), b"/m/src/a.txt", true)
            .unwrap()
            .size,
        7
    );
    assert_eq!(names(&fs, "/m/src"), ["a.txt", "new"]);
    assert_eq!(read(&fs, "/m/src/deep/b.txt"), Err(Error::NoEntry));
    // A file that is open stays as it was opened, also when the host replaces it.
    let open = fs
        .open(&ROOT, fs.root(), b"/m/src/new", &OpenOptions::READ, 0)
        .unwrap();
    std::fs::remove_file(host.path().join("src/new")).unwrap();
    std::fs::create_dir(host.path().join("src/new")).unwrap();
    assert_eq!(open.read(&mut [0; 4]), Ok(1));
    assert_eq!(names(&fs, "/m/src/new"), [""; 0]);
}

#[test]
fn what_the_host_removes_is_forgotten() {
    let (host, fs) = mounted(false);
    let free = || {
        names(&fs, "/m/src");
        fs.statfs(fs.resolve(&ROOT, fs.root(), b"/m", true).unwrap())
            .unwrap()
            .free_inodes
    };
    let before = free();
    for round in 0..20 {
        let tree = host.path().join("src/tree");
        std::fs::create_dir_all(tree.join("a/b")).unwrap();
        std::fs::write(tree.join("a/b/c"), "c").unwrap();
        assert_eq!(read(&fs, "/m/src/tree/a/b/c").unwrap(), "c");
        let open = fs
            .open(
                &ROOT,
                fs.root(),
                b"/m/src/tree/a/b/c",
                &OpenOptions::READ,
                0,
            )
            .unwrap();
        std::fs::remove_dir_all(&tree).unwrap();
        assert_eq!(before - free(), 1, "round {round}: the open file is kept");
        assert_eq!(open.read(&mut [0; 4]), Ok(1));
        drop(open);
        assert_eq!(free(), before, "round {round}");
    }
}

#[test]
fn t09_nothing_writes_to_a_read_only_mount() {
    let (host, fs) = mounted(false);
    let root = fs.root();
    let before: Vec<_> = ["big", "src/a.txt"]
        .map(|name| std::fs::metadata(host.path().join(name)).unwrap())
        .map(|found| (found.len(), found.mtime(), found.mode()))
        .into();
    let truncate = OpenOptions {
        truncate: true,
        ..OpenOptions::READ
    };
    let refused = [
        fs.write_file(&ROOT, root, b"/m/src/a.txt", b"", 0o644),
        fs.open(&ROOT, root, b"/m/src/a.txt", &OpenOptions::APPEND, 0)
            .map(drop),
        fs.open(&ROOT, root, b"/m/src/a.txt", &truncate, 0)
            .map(drop),
        fs.set_size(&ROOT, root, b"/m/big", 0),
        fs.set_size(&ROOT, root, b"/m/big", 5),
        fs.set_mode(&ROOT, root, b"/m/big", 0o777),
        fs.set_owner(&ROOT, root, b"/m/big", (Some(0), None), true),
        fs.set_times(
            &ROOT,
            root,
            b"/m/big",
            Default::default(),
            offshoot_vfs::NewTime::Now,
            true,
        ),
        fs.create_dir(&ROOT, root, b"/m/new", 0o755),
        fs.symlink(&ROOT, b"x", root, b"/m/new"),
        fs.create_fifo(&ROOT, root, b"/m/new", 0o644),
        fs.unlink(&ROOT, root, b"/m/big"),
        fs.remove_dir(&ROOT, root, b"/m/src"),
        fs.remove_tree(&ROOT, root, b"/m/src"),
        fs.rename(&ROOT, (root, b"/m/big"), (root, b"/m/other")),
        fs.link(&ROOT, (root, b"/m/big"), (root, b"/m/other"), false),
    ];
    for (index, result) in refused.into_iter().enumerate() {
        assert_eq!(result, Err(Error::ReadOnly), "attempt {index}");
    }
    let after: Vec<_> = ["big", "src/a.txt"]
        .map(|name| std::fs::metadata(host.path().join(name)).unwrap())
        .map(|found| (found.len(), found.mtime(), found.mode()))
        .into();
    assert_eq!(before, after);
}

#[test]
fn t10_no_link_or_rename_crosses_a_mount() {
    let (_host, fs) = mounted(true);
    let root = fs.root();
    write(&fs, "/f", "own");
    for (from, to) in [("/f", "/m/f"), ("/m/big", "/big")] {
        let (from, to) = ((root, from.as_bytes()), (root, to.as_bytes()));
        assert_eq!(fs.rename(&ROOT, from, to), Err(Error::CrossDevice));
        assert_eq!(fs.link(&ROOT, from, to, false), Err(Error::CrossDevice));
    }
}

#[test]
fn t02_host_links_lead_into_the_guests_tree() {
    let (host, fs) = mounted(false);
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "host").unwrap();
    symlink(outside.path(), host.path().join("out")).unwrap();
    symlink(outside.path().join("secret"), host.path().join("file")).unwrap();
    symlink("../../../../../../etc/passwd", host.path().join("up")).unwrap();
    for path in ["/m/out/secret", "/m/file", "/m/up"] {
        assert_eq!(read(&fs, path), Err(Error::NoEntry), "{path}");
    }
    fs.create_dir(&ROOT, fs.root(), b"/etc", 0o755).unwrap();
    write(&fs, "/etc/passwd", "guest");
    assert_eq!(read(&fs, "/m/up").unwrap(), "guest");
}

#[test]
fn t08_a_directory_swapped_for_a_link_leads_nowhere() {
    let (host, fs) = mounted(false);
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("a.txt"), "secret").unwrap();
    let node = fs.resolve(&ROOT, fs.root(), b"/m/src", true).unwrap();
    std::fs::rename(host.path().join("src"), host.path().join("moved")).unwrap();
    symlink(outside.path(), host.path().join("src")).unwrap();
    // The node of the directory still stands for the path `src` of the host, now a link out.
    let open = fs.open(&ROOT, node, b"a.txt", &OpenOptions::READ, 0);
    assert!(open.is_err(), "{open:?}");
    assert_eq!(read(&fs, "/m/src/a.txt"), Err(Error::NoEntry));
}

#[test]
fn special_files_of_the_host_are_not_there() {
    let (host, fs) = mounted(false);
    let socket = std::os::unix::net::UnixListener::bind(host.path().join("socket")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        host.path().join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    assert_eq!(names(&fs, "/m"), ["big", "link", "src"]);
    assert_eq!(read(&fs, "/m/pipe"), Err(Error::NoEntry));
    drop(socket);
}

#[test]
fn t12_directories_with_secrets_are_refused() {
    for path in ["/", "/etc", "/proc"] {
        assert_eq!(
            HostDirectory::open(path).err(),
            Some(Error::Refused),
            "{path}"
        );
        assert!(HostDirectory::open_sensitive(path).is_ok(), "{path}");
    }
    let top = tempfile::tempdir().unwrap();
    let keys = top.path().join(".ssh");
    std::fs::create_dir(&keys).unwrap();
    symlink(&keys, top.path().join("innocent")).unwrap();
    assert_eq!(HostDirectory::open(&keys).err(), Some(Error::Refused));
    assert_eq!(
        HostDirectory::open(top.path().join("innocent")).err(),
        Some(Error::Refused)
    );
    assert_eq!(
        HostDirectory::open(top.path().join("none")).err(),
        Some(Error::NoEntry)
    );
    // So is what has keys in it.
    let refused = HostDirectory::open(top.path()).err();
    assert_eq!(refused, Some(Error::Refused));
}

#[test]
fn t52_a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    use offshoot_vfs::Source;
    use std::sync::atomic::{AtomicBool, Ordering};
    let top = tempfile::tempdir().unwrap();
    let at = |name: &str| top.path().join(name);
    std::fs::write(at("file"), "text").unwrap();
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    let fifo = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, at("other"), fifo, mode, 0).unwrap();
    let host = HostDirectory::open(top.path()).unwrap();
    let (done, mut refused) = (AtomicBool::new(false), 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for (from, to) in [("file", "spare"), ("other", "file"), ("spare", "other")] {
                    std::fs::rename(at(from), at(to)).unwrap();
                }
            }
        });
        // A blocking open would stay in one of these for ever.
        for _ in 0..20_000 {
            match host.open(b"file") {
                Ok(file) => assert_eq!(file.read_at(0, &mut [0; 8]), Ok(4)),
                Err(error) => {
                    assert_eq!(error, Error::NoEntry);
                    refused += 1;
                }
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(refused > 0);
}

#[test]
fn copy_on_write_leaves_the_host_alone_until_apply() {
    let (host, fs) = mounted(true);
    let (root, top) = (fs.root(), host.path());
    write(&fs, "/m/src/a.txt", "ALPHA");
    write(&fs, "/m/src/new.txt", "new");
    fs.create_dir_all(&ROOT, root, b"/m/made/below", 0o750)
        .unwrap();
    fs.symlink(&ROOT, b"../src", root, b"/m/made/link").unwrap();
    change(&fs, "/m/src/deep", "/m/made/deep");
    fs.unlink(&ROOT, root, b"/m/link").unwrap();
    fs.set_mode(&ROOT, root, b"/m/big", 0o600).unwrap();
    let fork = fs.fork();
    fork.remove_tree(&ROOT, root, b"/m/src").unwrap();
    assert_eq!(
        (text(top.join("src/a.txt")), top.join("made").exists()),
        ("alpha".into(), false)
    );
    let listed: Vec<_> = fs
        .changes(b"/m")
        .unwrap()
        .into_iter()
        .map(|change| (String::from_utf8(change.path).unwrap(), change.kind))
        .collect();
    use ChangeKind::{Added, Modified, Removed};
    for expected in [
        ("link", Removed),
        ("src/deep", Removed),
        ("made", Added),
        ("made/below", Added),
        ("made/deep", Added),
        ("made/deep/b.txt", Added),
        ("made/link", Added),
        ("big", Modified),
        ("src/a.txt", Modified),
        ("src/new.txt", Added),
    ] {
        assert!(
            listed.contains(&(expected.0.into(), expected.1)),
            "{expected:?} in {listed:?}"
        );
    }
    assert_eq!(listed.len(), 10, "{listed:?}");
    let host_directory = HostDirectory::open(top).unwrap();
    assert_eq!(
        fs.apply(b"/m", &host_directory, Protected::Refuse)
            .unwrap()
            .len(),
        10
    );
    assert_eq!(text(top.join("src/a.txt")), "ALPHA");
    assert_eq!(text(top.join("src/new.txt")), "new");
    assert_eq!(text(top.join("made/deep/b.txt")), "beta");
    assert_eq!(text(top.join("made/link/a.txt")), "ALPHA");
    assert_eq!(
        std::fs::metadata(top.join("made/below")).unwrap().mode() & 0o777,
        0o750
    );
    assert_eq!(
        std::fs::metadata(top.join("big")).unwrap().mode() & 0o777,
        0o600
    );
    assert!(!top.join("link").exists() && !top.join("src/deep").exists());
    assert_eq!(
        std::fs::read_dir(top.join("src")).unwrap().count(),
        2,
        "nothing is left over"
    );
    assert_eq!(fs.changes(b"/m").unwrap(), []);
    assert_eq!(read(&fs, "/m/made/deep/b.txt").unwrap(), "beta");
    // What comes after counts from there.
    write(&fs, "/m/src/new.txt", "newer");
    change(&fs, "/m/made/deep/b.txt", "/m/made/deep/c.txt");
    fs.apply(b"/m", &host_directory, Protected::Refuse).unwrap();
    assert_eq!(text(top.join("src/new.txt")), "newer");
    assert_eq!(text(top.join("made/deep/c.txt")), "beta");
    assert!(!top.join("made/deep/b.txt").exists());
}

#[test]
fn a_kind_that_changed_is_replaced() {
    let (host, fs) = mounted(true);
    let (root, top) = (fs.root(), host.path());
    fs.remove_tree(&ROOT, root, b"/m/src").unwrap();
    write(&fs, "/m/src", "a file now");
    fs.unlink(&ROOT, root, b"/m/big").unwrap();
    fs.create_dir(&ROOT, root, b"/m/big", 0o755).unwrap();
    fs.unlink(&ROOT, root, b"/m/link").unwrap();
    fs.symlink(&ROOT, b"src", root, b"/m/link").unwrap();
    fs.apply(b"/m", &HostDirectory::open(top).unwrap(), Protected::Refuse)
        .unwrap();
    assert_eq!(text(top.join("link")), "a file now");
    assert!(top.join("big").is_dir());
}

/// The path and the reason.
fn refusal<T: std::fmt::Debug>(applied: Result<T, ApplyError>) -> (String, Error) {
    let error = applied.unwrap_err();
    (String::from_utf8(error.path).unwrap(), error.reason)
}

#[test]
fn t13_hooks_and_links_out_are_not_applied() {
    let (host, fs) = mounted(true);
    let (root, top) = (fs.root(), host.path());
    let directory = HostDirectory::open(top).unwrap();
    fs.create_dir_all(&ROOT, root, b"/m/.git/hooks", 0o755)
        .unwrap();
    write(&fs, "/m/.git/hooks/post-checkout", "#!/bin/sh\nevil\n");
    write(&fs, "/m/fine", "x");
    assert_eq!(
        refusal(fs.apply(b"/m", &directory, Protected::Refuse)),
        (".git/hooks".into(), Error::Protected)
    );
    assert!(!top.join("fine").exists());
    fs.apply(b"/m", &directory, Protected::Allow).unwrap();
    assert!(top.join(".git/hooks/post-checkout").exists());
    fs.symlink(&ROOT, b"../../etc", root, b"/m/src/out")
        .unwrap();
    write(&fs, "/m/later", "x");
    assert_eq!(
        refusal(fs.apply(b"/m", &directory, Protected::Allow)),
        ("src/out".into(), Error::PathEscape)
    );
    assert!(!top.join("later").exists());
}

#[test]
fn t16_changing_modes_copies_no_content() {
    let (_host, fs) = mounted(true);
    let root = fs.root();
    // From here on the links of the source are known, and counted.
    names(&fs, "/m");
    let held = || {
        fs.statfs(fs.resolve(&ROOT, root, b"/m", true).unwrap())
            .unwrap()
            .free_bytes
    };
    let before = held();
    for round in 0..1000 {
        fs.set_mode(&ROOT, root, b"/m/big", 0o600 + round % 8)
            .unwrap();
    }
    assert_eq!(held(), before);
    let file = fs
        .open(&ROOT, root, b"/m/big", &OpenOptions::APPEND, 0)
        .unwrap();
    file.write(b"!").unwrap();
    assert_eq!(before - held(), 200_001);
    for round in 0..1000u32 {
        let path = format!("/m/churn{}", round % 3).into_bytes();
        write(&fs, "/m/src/a.txt", "other");
        fs.write_file(&ROOT, root, &path, b"12345", 0o644).unwrap();
        fs.unlink(&ROOT, root, &path).unwrap();
    }
    assert_eq!(before - held(), 200_006);
}
