//! What a guard refuses cannot be reached by any way round.

use std::sync::Arc;

use offshoot_vfs::{Access, AccessMode, Caller, Error, Guard, NewTime, OpenOptions, Result, Vfs};

use crate::{ROOT, new};

/// Nothing below `/secret` may be read, nothing below `/fixed` may be written.
struct Walls;

fn below(path: &[u8], wall: &[u8]) -> bool {
    path.strip_prefix(wall)
        .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
}

impl Guard for Walls {
    fn permits(&self, path: &[u8], access: Access) -> bool {
        match access {
            Access::Read => !below(path, b"/secret"),
            Access::Write => !below(path, b"/fixed"),
        }
    }

    fn permits_tree(&self, directory: &[u8], access: Access) -> bool {
        let wall: &[u8] = match access {
            Access::Read => b"/secret",
            Access::Write => b"/fixed",
        };
        !below(directory, wall) && !below(wall, directory) && directory != b"/"
    }
}

fn guarded() -> Vfs {
    let vfs = new();
    for directory in ["/secret", "/fixed", "/fixed/dir", "/open", "/open/dir"] {
        vfs.create_dir(&ROOT, vfs.root(), directory.as_bytes(), 0o755)
            .unwrap();
    }
    for file in ["/secret/a", "/fixed/a", "/open/a"] {
        vfs.write_file(&ROOT, vfs.root(), file.as_bytes(), b"kept", 0o644)
            .unwrap();
    }
    for (target, link) in [
        ("/fixed", "/open/to-fixed"),
        ("/fixed/a", "/open/to-file"),
        ("/fixed/made", "/open/dangling"),
        ("/secret", "/open/to-secret"),
    ] {
        vfs.symlink(&ROOT, target.as_bytes(), vfs.root(), link.as_bytes())
            .unwrap();
    }
    vfs.set_guard(Some(Arc::new(Walls)));
    vfs
}

/// An attempt, and its name.
type Attempt = (&'static str, fn(&Vfs) -> Result<()>);

fn open(vfs: &Vfs, path: &str, options: OpenOptions) -> Result<()> {
    let opened = vfs.open(&ROOT, vfs.root(), path.as_bytes(), &options, 0o644);
    opened.map(drop)
}

fn write(vfs: &Vfs, path: &str) -> Result<()> {
    vfs.write_file(&ROOT, vfs.root(), path.as_bytes(), b"changed", 0o644)
}

const REFUSED: &[Attempt] = &[
    ("write", |v| write(v, "/fixed/a")),
    ("write by dots", |v| write(v, "/open/../fixed/./a")),
    ("write through a link", |v| write(v, "/open/to-fixed/a")),
    ("write through a file's link", |v| write(v, "/open/to-file")),
    ("write through a dangling link", |v| {
        write(v, "/open/dangling")
    }),
    ("create", |v| write(v, "/fixed/new")),
    ("truncate", |v| {
        open(
            v,
            "/fixed/a",
            OpenOptions {
                read: true,
                truncate: true,
                ..OpenOptions::default()
            },
        )
    }),
    ("append", |v| {
        open(
            v,
            "/fixed/a",
            OpenOptions {
                append: true,
                ..OpenOptions::default()
            },
        )
    }),
    ("set size", |v| {
        v.set_size(&ROOT, v.root(), b"/open/to-file", 0)
    }),
    ("mkdir", |v| {
        v.create_dir(&ROOT, v.root(), b"/fixed/d", 0o755)
    }),
    ("mkfifo", |v| {
        v.create_fifo(&ROOT, v.root(), b"/fixed/f", 0o644)
    }),
    ("symlink", |v| v.symlink(&ROOT, b"x", v.root(), b"/fixed/l")),
    ("unlink", |v| v.unlink(&ROOT, v.root(), b"/open/to-fixed/a")),
    ("rmdir", |v| v.remove_dir(&ROOT, v.root(), b"/fixed/dir")),
    ("rm -r", |v| v.remove_tree(&ROOT, v.root(), b"/fixed")),
    ("rename away", |v| {
        v.rename(&ROOT, (v.root(), b"/fixed/a"), (v.root(), b"/open/b"))
    }),
    ("rename over", |v| {
        v.rename(&ROOT, (v.root(), b"/open/a"), (v.root(), b"/fixed/a"))
    }),
    ("rename the wall", |v| {
        v.rename(&ROOT, (v.root(), b"/fixed"), (v.root(), b"/elsewhere"))
    }),
    ("rename into its place", |v| {
        v.rename(&ROOT, (v.root(), b"/open/dir"), (v.root(), b"/fixed/dir"))
    }),
    ("link out", |v| {
        v.link(
            &ROOT,
            (v.root(), b"/fixed/a"),
            (v.root(), b"/open/l"),
            false,
        )
    }),
    ("link in", |v| {
        v.link(
            &ROOT,
            (v.root(), b"/open/a"),
            (v.root(), b"/fixed/l"),
            false,
        )
    }),
    ("chmod", |v| v.set_mode(&ROOT, v.root(), b"/fixed/a", 0o777)),
    ("fchmod", |v| {
        let file = v.open(&ROOT, v.root(), b"/fixed/a", &OpenOptions::READ, 0)?;
        file.set_mode(&ROOT, 0o777)
    }),
    ("chown", |v| {
        v.set_owner(&ROOT, v.root(), b"/fixed/a", (Some(7), None), true)
    }),
    ("touch", |v| {
        v.set_times(
            &ROOT,
            v.root(),
            b"/fixed/a",
            NewTime::Now,
            NewTime::Now,
            true,
        )
    }),
    ("access", |v| {
        let mode = AccessMode {
            write: true,
            ..AccessMode::default()
        };
        v.access(&ROOT, v.root(), b"/fixed/a", mode, true)
    }),
    ("read", |v| {
        v.read_file(&ROOT, v.root(), b"/secret/a").map(drop)
    }),
    ("read through a link", |v| {
        v.read_file(&ROOT, v.root(), b"/open/to-secret/a").map(drop)
    }),
    ("list", |v| {
        v.read_dir(&ROOT, v.root(), b"/secret").map(drop)
    }),
    ("move to where it can be read", |v| {
        v.rename(&ROOT, (v.root(), b"/secret/a"), (v.root(), b"/open/b"))
    }),
    ("move the secrets", |v| {
        v.rename(&ROOT, (v.root(), b"/secret"), (v.root(), b"/open/s"))
    }),
    ("link a secret", |v| {
        v.link(
            &ROOT,
            (v.root(), b"/secret/a"),
            (v.root(), b"/open/l"),
            false,
        )
    }),
];

#[test]
fn nothing_gets_round_a_guard() {
    for (name, attempt) in REFUSED {
        let vfs = guarded();
        assert_eq!(attempt(&vfs).unwrap_err(), Error::Access, "{name}");
        vfs.set_guard(None);
        let read = |path: &[u8]| vfs.read_file(&ROOT, vfs.root(), path).unwrap();
        assert_eq!(read(b"/fixed/a"), b"kept", "{name}");
        assert_eq!(read(b"/secret/a"), b"kept", "{name}");
        let list = |path: &[u8]| vfs.read_dir(&ROOT, vfs.root(), path).unwrap().len();
        assert_eq!((list(b"/fixed"), list(b"/open")), (2, 6), "{name}");
    }
}

#[test]
fn what_is_permitted_goes_on() {
    let vfs = guarded();
    write(&vfs, "/open/a").unwrap();
    write(&vfs, "/secret/b").unwrap();
    vfs.read_file(&ROOT, vfs.root(), b"/fixed/a").unwrap();
    vfs.rename(&ROOT, (vfs.root(), b"/open/dir"), (vfs.root(), b"/open/d"))
        .unwrap();
    vfs.remove_tree(&ROOT, vfs.root(), b"/open").unwrap();
}

#[test]
fn forks_inherit_a_guard_and_open_files_stay_open() {
    let vfs = guarded();
    let branch = vfs.fork();
    assert_eq!(write(&branch, "/fixed/a").unwrap_err(), Error::Access);
    vfs.set_guard(None);
    let file = vfs
        .open(&ROOT, vfs.root(), b"/fixed/a", &OpenOptions::WRITE, 0)
        .unwrap();
    vfs.set_guard(Some(Arc::new(Walls)));
    file.write(b"more").unwrap();
    assert_eq!(write(&branch, "/fixed/a").unwrap_err(), Error::Access);
}

#[test]
fn root_is_judged_like_everybody() {
    let vfs = guarded();
    let caller = Caller {
        uid: 1000,
        gid: 1000,
        umask: 0,
        process: 0,
    };
    for caller in [ROOT, caller] {
        let read = vfs.read_file(&caller, vfs.root(), b"/secret/a");
        assert_eq!(read.unwrap_err(), Error::Access);
    }
}
