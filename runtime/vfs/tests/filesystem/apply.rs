//! What `apply` refuses, and that it names the path.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use offshoot_vfs::{ApplyError, ChangeKind, Error, HostDirectory, Protected, Vfs};

use tempfile::TempDir;

use crate::{ROOT, host, names, write};

/// A mount of a directory whose files are old: what changes has another time.
fn mounted() -> (TempDir, Vfs) {
    let (host, fs) = host::mounted(true);
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for path in ["src/a.txt", "src/deep/b.txt", "big"] {
        let file = fs::File::options()
            .append(true)
            .open(host.path().join(path))
            .unwrap();
        file.set_modified(old).unwrap();
    }
    (host, fs)
}

fn apply(fs: &Vfs, top: &Path, protected: Protected) -> Result<usize, ApplyError> {
    let directory = HostDirectory::open(top).unwrap();
    fs.apply(b"/m", &directory, protected)
        .map(|changes| changes.len())
}

fn refused(fs: &Vfs, top: &Path) -> (String, Error) {
    let error = apply(fs, top, Protected::Refuse).unwrap_err();
    assert_eq!(error.written, []);
    (String::from_utf8(error.path).unwrap(), error.reason)
}

fn rename(fs: &Vfs, from: &str, to: &str) {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    fs.rename(&ROOT, (fs.root(), from), (fs.root(), to))
        .unwrap();
}

/// Replaces a file as editors do: a new one beside it takes its name.
fn replace(fs: &Vfs, path: &str) {
    write(fs, "/m/beside", "replaced");
    rename(fs, "/m/beside", path);
}

type Act<T> = fn(&T);

#[test]
fn what_the_host_changed_meanwhile_is_neither_overwritten_nor_removed() {
    // What the guest does, what the host does after that, and the path that is in the way.
    let table: &[(Act<Vfs>, Act<Path>, &str)] = &[
        (
            |fs| write(fs, "/m/src/a.txt", "guest"),
            |top| fs::write(top.join("src/a.txt"), "host").unwrap(),
            "src/a.txt",
        ),
        (
            |fs| replace(fs, "/m/src/a.txt"),
            |top| fs::write(top.join("src/a.txt"), "host").unwrap(),
            "src/a.txt",
        ),
        (
            |fs| write(fs, "/m/src/a.txt", "guest"),
            |top| fs::remove_file(top.join("src/a.txt")).unwrap(),
            "src/a.txt",
        ),
        (
            |fs| fs.set_mode(&ROOT, fs.root(), b"/m/big", 0o600).unwrap(),
            |top| fs::write(top.join("big"), "host").unwrap(),
            "big",
        ),
        (
            |fs| write(fs, "/m/src/new", "guest"),
            |top| fs::write(top.join("src/new"), "host").unwrap(),
            "src/new",
        ),
        (
            |fs| write(fs, "/m/src/deep/new", "guest"),
            |top| fs::remove_dir_all(top.join("src/deep")).unwrap(),
            "src/deep/new",
        ),
        (
            |fs| fs.create_dir(&ROOT, fs.root(), b"/m/new", 0o755).unwrap(),
            |top| fs::write(top.join("new"), "host").unwrap(),
            "new",
        ),
        (
            |fs| fs.unlink(&ROOT, fs.root(), b"/m/src/a.txt").unwrap(),
            |top| fs::write(top.join("src/a.txt"), "host").unwrap(),
            "src/a.txt",
        ),
        (
            |fs| fs.unlink(&ROOT, fs.root(), b"/m/link").unwrap(),
            |top| {
                fs::remove_file(top.join("link")).unwrap();
                fs::write(top.join("link"), "host").unwrap();
            },
            "link",
        ),
        (
            |fs| fs.remove_tree(&ROOT, fs.root(), b"/m/src").unwrap(),
            |top| fs::write(top.join("src/deep/b.txt"), "host").unwrap(),
            "src/deep/b.txt",
        ),
        (
            |fs| fs.remove_tree(&ROOT, fs.root(), b"/m/src").unwrap(),
            |top| fs::write(top.join("src/deep/new"), "host").unwrap(),
            "src/deep/new",
        ),
        (
            |fs| fs.remove_tree(&ROOT, fs.root(), b"/m/src").unwrap(),
            |top| fs::create_dir(top.join("src/made")).unwrap(),
            "src/made",
        ),
        (
            |fs| {
                names(fs, "/m/src/deep");
                rename(fs, "/m/src/deep", "/m/moved");
            },
            |top| fs::write(top.join("src/deep/new"), "host").unwrap(),
            "src/deep/new",
        ),
    ];
    for (index, (guest, host, path)) in table.iter().enumerate() {
        let (host_directory, fs) = mounted();
        let top = host_directory.path();
        guest(&fs);
        write(&fs, "/m/also", "guest");
        host(top);
        let before = listed(top);
        let expected = ((*path).to_owned(), Error::Conflict);
        assert_eq!(refused(&fs, top), expected, "{index}");
        assert_eq!(listed(top), before, "{index}: {path}");
    }
}

/// Paths with what is in them.
fn listed(top: &Path) -> Vec<(String, Vec<u8>)> {
    let (mut found, mut pending) = (Vec::new(), vec![top.to_owned()]);
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => pending.push(path),
                false => found.push((
                    path.display().to_string(),
                    fs::read(&path).unwrap_or_default(),
                )),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn what_the_host_changed_elsewhere_is_in_nobodys_way() {
    let (host, fs) = mounted();
    let top = host.path();
    write(&fs, "/m/src/a.txt", "guest");
    fs.remove_tree(&ROOT, fs.root(), b"/m/src/deep").unwrap();
    replace(&fs, "/m/big");
    fs::write(top.join("src/other"), "host").unwrap();
    fs::write(top.join("more"), "host").unwrap();
    // What the guest sees late is what the host has then.
    fs::create_dir(top.join("later")).unwrap();
    assert_eq!(apply(&fs, top, Protected::Refuse), Ok(3));
    assert_eq!(fs::read_to_string(top.join("big")).unwrap(), "replaced");
    assert_eq!(fs::read_to_string(top.join("more")).unwrap(), "host");
    // Both have removed it.
    fs.remove_tree(&ROOT, fs.root(), b"/m/src").unwrap();
    fs::remove_file(top.join("src/other")).unwrap();
    fs::remove_file(top.join("src/a.txt")).unwrap();
    assert_eq!(apply(&fs, top, Protected::Refuse), Ok(1));
    assert!(!top.join("src").exists());
}

#[test]
fn t13_a_directory_takes_nothing_along_that_is_protected() {
    let (host, _) = mounted();
    let top = host.path();
    fs::create_dir_all(top.join("project/.git/hooks")).unwrap();
    fs::write(top.join("project/.git/config"), "[core]").unwrap();
    fs::write(top.join("project/.git/HEAD"), "ref").unwrap();
    let fresh = || {
        let fs = crate::new();
        fs.create_dir(&ROOT, fs.root(), b"/m", 0o755).unwrap();
        let mount = offshoot_vfs::Mount::copy_on_write(top).unwrap();
        fs.mount(&ROOT, b"/m", mount).unwrap();
        fs
    };
    let config = ("project/.git/config".to_owned(), Error::Protected);
    for path in ["/m/project/.git", "/m/project"] {
        let fs = fresh();
        fs.remove_tree(&ROOT, fs.root(), path.as_bytes()).unwrap();
        assert_eq!(refused(&fs, top), config, "{path}");
        let fs = fresh();
        rename(&fs, path, "/m/elsewhere");
        assert_eq!(refused(&fs, top).1, Error::Protected, "{path}");
    }
    assert!(top.join("project/.git/config").exists());
    let fs = fresh();
    fs.remove_tree(&ROOT, fs.root(), b"/m/project").unwrap();
    assert_eq!(apply(&fs, top, Protected::Allow), Ok(1));
    assert!(!top.join("project").exists());
}

#[test]
fn refusals_name_the_path_without_what_terminals_obey() {
    let (host, fs) = mounted();
    write(&fs, "/m/.bashrc", "x");
    let text = |fs: &Vfs| {
        apply(fs, host.path(), Protected::Refuse)
            .unwrap_err()
            .to_string()
    };
    let expected =
        "\".bashrc\": it could make the host run something, and is not changed without permission";
    assert_eq!(text(&fs), expected);
    fs.unlink(&ROOT, fs.root(), b"/m/.bashrc").unwrap();
    fs.symlink(&ROOT, b"/etc/passwd", fs.root(), b"/m/a\x1b[31m")
        .unwrap();
    let expected = "\"a\\u{1b}[31m\": the symbolic link leads out of the directory";
    assert_eq!(text(&fs), expected);
}

#[test]
fn after_a_failure_the_same_call_writes_the_rest() {
    let (host, fs) = mounted();
    let top = host.path();
    write(&fs, "/m/a", "first");
    fs.create_dir(&ROOT, fs.root(), b"/m/b", 0o755).unwrap();
    write(&fs, "/m/b/in", "second");
    replace(&fs, "/m/big");
    fs.remove_tree(&ROOT, fs.root(), b"/m/src").unwrap();
    write(&fs, "/m/src", "a file now");
    write(&fs, "/m/z", "last");
    // The file that is written first cannot be made.
    fs::create_dir(top.join(".offshoot-z")).unwrap();
    let error = apply(&fs, top, Protected::Refuse).unwrap_err();
    assert_eq!((&error.path[..], error.reason), (&b"z"[..], Error::Exist));
    assert_eq!(error.written.len(), 6);
    assert_eq!(error.written[0].kind, ChangeKind::Removed);
    assert_eq!(fs::read_to_string(top.join("src")).unwrap(), "a file now");
    fs::remove_dir(top.join(".offshoot-z")).unwrap();
    apply(&fs, top, Protected::Refuse).unwrap();
    for (path, content) in [
        ("a", "first"),
        ("b/in", "second"),
        ("big", "replaced"),
        ("src", "a file now"),
        ("z", "last"),
    ] {
        assert_eq!(fs::read_to_string(top.join(path)).unwrap(), content);
    }
    assert_eq!(fs.changes(b"/m").unwrap(), []);
}
