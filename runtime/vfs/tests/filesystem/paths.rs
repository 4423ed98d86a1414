//! Rules about paths, one table row each. The expected codes are what Linux gives.

use offshoot_vfs::{Caller, Error, OpenOptions, Result, Vfs};

use crate::{ROOT, USER, new, write};

/// `d` directory with `x`, `e` empty directory, `f` file, `l` → `d`, `g` → `f`, `n` → nowhere.
fn tree() -> Vfs {
    let fs = new();
    let root = fs.root();
    for path in [&b"/d"[..], b"/e", b"/d/deep"] {
        fs.create_dir(&ROOT, root, path, 0o755).unwrap();
    }
    write(&fs, "/f", "file");
    write(&fs, "/d/x", "inside");
    for (target, path) in [
        ("d", "/l"),
        ("f", "/g"),
        ("nowhere", "/n"),
        ("/d/../f", "/up"),
    ] {
        fs.symlink(&ROOT, target.as_bytes(), root, path.as_bytes())
            .unwrap();
    }
    fs
}

fn code(result: Result<()>) -> &'static str {
    result.map_or_else(Error::code, |()| "ok")
}

fn open(fs: &Vfs, path: &str, options: OpenOptions) -> Result<()> {
    fs.open(&ROOT, fs.root(), path.as_bytes(), &options, 0o644)
        .map(drop)
}

#[test]
fn t06_trailing_slashes_and_dots_in_stat_and_open() {
    let fs = tree();
    let create = OpenOptions::APPEND;
    let exclusive = OpenOptions {
        exclusive: true,
        ..create
    };
    let no_follow = OpenOptions {
        no_follow: true,
        ..OpenOptions::READ
    };
    let directory = OpenOptions {
        directory: true,
        ..OpenOptions::READ
    };
    for (path, lstat, read, created, exclusively, unfollowed, as_directory) in [
        ("/", "ok", "ok", "EISDIR", "EEXIST", "ok", "ok"),
        ("/f", "ok", "ok", "ok", "EEXIST", "ok", "ENOTDIR"),
        (
            "/f/", "ENOTDIR", "ENOTDIR", "EISDIR", "EISDIR", "ENOTDIR", "ENOTDIR",
        ),
        (
            "/f/.", "ENOTDIR", "ENOTDIR", "ENOTDIR", "ENOTDIR", "ENOTDIR", "ENOTDIR",
        ),
        ("/d/", "ok", "ok", "EISDIR", "EISDIR", "ok", "ok"),
        ("//d///x", "ok", "ok", "ok", "EEXIST", "ok", "ENOTDIR"),
        ("/l", "ok", "ok", "EISDIR", "EEXIST", "ELOOP", "ok"),
        ("/l/", "ok", "ok", "EISDIR", "EISDIR", "ok", "ok"),
        ("/l/x", "ok", "ok", "ok", "EEXIST", "ok", "ENOTDIR"),
        (
            "/g/", "ENOTDIR", "ENOTDIR", "EISDIR", "EISDIR", "ENOTDIR", "ENOTDIR",
        ),
        ("/n", "ok", "ENOENT", "ok", "EEXIST", "ELOOP", "ENOENT"),
        (
            "/n/", "ENOENT", "ENOENT", "EISDIR", "EISDIR", "ENOENT", "ENOENT",
        ),
        ("/up", "ok", "ok", "ok", "EEXIST", "ELOOP", "ENOTDIR"),
        ("/../../f", "ok", "ok", "ok", "EEXIST", "ok", "ENOTDIR"),
        (
            "", "ENOENT", "ENOENT", "ENOENT", "ENOENT", "ENOENT", "ENOENT",
        ),
        (
            "/missing/x",
            "ENOENT",
            "ENOENT",
            "ENOENT",
            "ENOENT",
            "ENOENT",
            "ENOENT",
        ),
    ] {
        let fs = fs.fork();
        assert_eq!(
            code(fs.stat(&ROOT, fs.root(), path.as_bytes(), false).map(drop)),
            lstat,
            "lstat {path}"
        );
        assert_eq!(
            code(open(&fs, path, OpenOptions::READ)),
            read,
            "open {path}"
        );
        assert_eq!(
            code(open(&fs, path, no_follow)),
            unfollowed,
            "no_follow {path}"
        );
        assert_eq!(
            code(open(&fs, path, directory)),
            as_directory,
            "directory {path}"
        );
        assert_eq!(
            code(open(&fs, path, exclusive)),
            exclusively,
            "exclusive {path}"
        );
        assert_eq!(code(open(&fs, path, create)), created, "create {path}");
    }
}

#[test]
fn t06_trailing_slashes_in_making_and_removing() {
    let fs = tree();
    for (path, mkdir, symlink, unlink, rmdir) in [
        ("/new", "ok", "ok", "ENOENT", "ENOENT"),
        ("/new/", "ok", "ENOENT", "ENOENT", "ENOENT"),
        ("/f", "EEXIST", "EEXIST", "ok", "ENOTDIR"),
        ("/f/", "EEXIST", "EEXIST", "ENOTDIR", "ENOTDIR"),
        ("/f/x", "ENOTDIR", "ENOTDIR", "ENOTDIR", "ENOTDIR"),
        ("/d", "EEXIST", "EEXIST", "EISDIR", "ENOTEMPTY"),
        ("/d/", "EEXIST", "EEXIST", "EISDIR", "ENOTEMPTY"),
        ("/e", "EEXIST", "EEXIST", "EISDIR", "ok"),
        ("/e/", "EEXIST", "EEXIST", "EISDIR", "ok"),
        ("/e/.", "EEXIST", "EEXIST", "EISDIR", "EINVAL"),
        ("/e/..", "EEXIST", "EEXIST", "EISDIR", "ENOTEMPTY"),
        ("/", "EEXIST", "EEXIST", "EISDIR", "EBUSY"),
        ("/l", "EEXIST", "EEXIST", "ok", "ENOTDIR"),
        ("/l/", "EEXIST", "EEXIST", "ENOTDIR", "ENOTDIR"),
        ("/n", "EEXIST", "EEXIST", "ok", "ENOTDIR"),
    ] {
        let try_on = |operation: &dyn Fn(&Vfs) -> Result<()>| code(operation(&fs.fork()));
        let (root, bytes) = (fs.root(), path.as_bytes());
        assert_eq!(
            try_on(&|fs| fs.create_dir(&ROOT, root, bytes, 0o755)),
            mkdir,
            "mkdir {path}"
        );
        assert_eq!(
            try_on(&|fs| fs.symlink(&ROOT, b"t", root, bytes)),
            symlink,
            "symlink {path}"
        );
        assert_eq!(
            try_on(&|fs| fs.unlink(&ROOT, root, bytes)),
            unlink,
            "unlink {path}"
        );
        assert_eq!(
            try_on(&|fs| fs.remove_dir(&ROOT, root, bytes)),
            rmdir,
            "rmdir {path}"
        );
    }
}

#[test]
fn t06_trailing_slashes_in_renaming() {
    let fs = tree();
    for (old, new, expected) in [
        ("/f", "/d/x", "ok"),
        ("/f", "/d", "EISDIR"),
        ("/f", "/new/", "ENOTDIR"),
        ("/f/", "/new", "ENOTDIR"),
        ("/d", "/e", "ok"),
        ("/d", "/e/", "ok"),
        ("/d/", "/new/", "ok"),
        ("/e", "/d", "ENOTEMPTY"),
        ("/d", "/f", "ENOTDIR"),
        ("/d", "/d", "ok"),
        ("/d", "/d/deep", "EINVAL"),
        ("/d", "/d/deep/new", "EINVAL"),
        ("/d/deep", "/d", "ENOTEMPTY"),
        ("/d/.", "/new", "EBUSY"),
        ("/d/..", "/new", "EBUSY"),
        ("/", "/new", "EBUSY"),
        ("/f", "/d/.", "EBUSY"),
        ("/l", "/new", "ok"),
        ("/l/", "/new", "ENOTDIR"),
        ("/f", "/n", "ok"),
        ("/missing", "/new", "ENOENT"),
        ("/f", "/missing/new", "ENOENT"),
        ("/f", "/g/new", "ENOTDIR"),
    ] {
        let fork = fs.fork();
        let root = fork.root();
        let result = fork.rename(&ROOT, (root, old.as_bytes()), (root, new.as_bytes()));
        assert_eq!(code(result), expected, "{old} to {new}");
    }
    let fork = fs.fork();
    fork.rename(&ROOT, (fork.root(), b"/l"), (fork.root(), b"/moved"))
        .unwrap();
    assert_eq!(fork.read_link(&ROOT, fork.root(), b"/moved").unwrap(), b"d");
}

#[test]
fn permissions() {
    let fs = tree();
    let root = fs.root();
    let other = Caller {
        uid: 1001,
        gid: 1001,
        umask: 0,
        process: 0,
    };
    fs.create_dir(&ROOT, root, b"/tmp", 0o1777).unwrap();
    fs.create_dir(&ROOT, root, b"/own", 0o755).unwrap();
    fs.set_owner(&ROOT, root, b"/own", (Some(USER.uid), Some(USER.gid)), true)
        .unwrap();
    fs.write_file(&USER, root, b"/tmp/u", b"mine", 0o666)
        .unwrap();
    fs.write_file(&USER, root, b"/own/secret", b"mine", 0o600)
        .unwrap();
    assert_eq!(fs.stat(&USER, root, b"/tmp/u", true).unwrap().mode, 0o644);
    let checks: [(&str, Result<()>); 12] = [
        ("EACCES", fs.write_file(&USER, root, b"/new", b"", 0o644)),
        ("EACCES", fs.write_file(&USER, root, b"/f", b"", 0o644)),
        ("EACCES", fs.unlink(&USER, root, b"/f")),
        ("EPERM", fs.unlink(&other, root, b"/tmp/u")),
        (
            "EPERM",
            fs.rename(&other, (root, b"/tmp/u"), (root, b"/tmp/v")),
        ),
        (
            "EACCES",
            fs.read_file(&other, root, b"/own/secret").map(drop),
        ),
        ("EPERM", fs.set_mode(&other, root, b"/own/secret", 0o777)),
        (
            "EPERM",
            fs.set_owner(&USER, root, b"/own/secret", (Some(1001), None), true),
        ),
        (
            "EPERM",
            fs.set_owner(&USER, root, b"/own/secret", (None, Some(1001)), true),
        ),
        ("ok", fs.set_mode(&USER, root, b"/own", 0o000)),
        (
            "EACCES",
            fs.stat(&USER, root, b"/own/secret", true).map(drop),
        ),
        ("ok", fs.stat(&ROOT, root, b"/own/secret", true).map(drop)),
    ];
    for (index, (expected, result)) in checks.into_iter().enumerate() {
        assert_eq!(code(result), expected, "check {index}");
    }
}

#[test]
fn group_id_directories_pass_their_group_on() {
    let fs = new();
    let root = fs.root();
    fs.create_dir(&ROOT, root, b"/shared", 0o777).unwrap();
    fs.set_owner(&ROOT, root, b"/shared", (None, Some(50)), true)
        .unwrap();
    fs.set_mode(&ROOT, root, b"/shared", 0o2777).unwrap();
    fs.create_dir(&USER, root, b"/shared/sub", 0o777).unwrap();
    fs.write_file(&USER, root, b"/shared/f", b"", 0o644)
        .unwrap();
    let sub = fs.stat(&USER, root, b"/shared/sub", true).unwrap();
    assert_eq!((sub.gid, sub.mode), (50, 0o2755));
    assert_eq!(fs.stat(&USER, root, b"/shared/f", true).unwrap().gid, 50);
}
