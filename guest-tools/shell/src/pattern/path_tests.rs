//! Pathname expansion beside bash, on the same directory.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;
use crate::os::*;

/// The machine's own files; everything but looking at them is refused.
struct Host;

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn kind(file: fs::FileType) -> FileKind {
    if file.is_symlink() {
        FileKind::Symlink
    } else if file.is_dir() {
        FileKind::Directory
    } else {
        FileKind::Regular
    }
}

impl Os for Host {
    fn stat(&self, name: &[u8], follow: bool) -> Result<Stat> {
        let found = if follow {
            fs::metadata(path(name))
        } else {
            fs::symlink_metadata(path(name))
        };
        let file_type = found.map_err(|_| Errno::NoEntry)?.file_type();
        Ok(Stat {
            kind: kind(file_type),
            device: 0,
            inode: 0,
            mode: 0,
            links: 0,
            uid: 0,
            gid: 0,
            size: 0,
            blocks: 0,
            accessed: Timestamp::default(),
            modified: Timestamp::default(),
            changed: Timestamp::default(),
        })
    }
    fn read_directory(&self, name: &[u8]) -> Result<Vec<DirectoryEntry>> {
        let entries = fs::read_dir(path(name)).map_err(|_| Errno::NoEntry)?;
        Ok(entries
            .map(|entry| entry.unwrap())
            .map(|entry| DirectoryEntry {
                name: entry.file_name().into_vec(),
                kind: kind(entry.file_type().unwrap()),
            })
            .collect())
    }
    fn identity(&self) -> Identity {
        Identity {
            pid: 1,
            parent: 0,
            uid: 0,
            gid: 0,
            user: String::new(),
            group: String::new(),
            hostname: String::new(),
        }
    }
    fn open(&self, _: &[u8], _: OpenOptions, _: u32) -> Result<Handle> {
        Err(Errno::NotSupported)
    }
    fn close(&self, _: Handle) {}
    fn read(&self, _: Handle, _: &mut [u8]) -> Result<usize> {
        Err(Errno::NotSupported)
    }
    fn write(&self, _: Handle, _: &[u8]) -> Result<usize> {
        Err(Errno::NotSupported)
    }
    fn seek(&self, _: Handle, _: i64, _: Whence) -> Result<u64> {
        Err(Errno::NotSupported)
    }
    fn stat_handle(&self, _: Handle) -> Result<Stat> {
        Err(Errno::NotSupported)
    }
    fn is_terminal(&self, _: Handle) -> bool {
        false
    }
    fn access(&self, _: &[u8], _: Access) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn read_link(&self, _: &[u8]) -> Result<Vec<u8>> {
        Err(Errno::NotSupported)
    }
    fn canonicalize(&self, _: &[u8]) -> Result<Vec<u8>> {
        Err(Errno::NotSupported)
    }
    fn make_directory(&self, _: &[u8], _: u32) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn make_fifo(&self, _: &[u8], _: u32) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn symlink(&self, _: &[u8], _: &[u8]) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn link(&self, _: &[u8], _: &[u8], _: bool) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn rename(&self, _: &[u8], _: &[u8]) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn unlink(&self, _: &[u8]) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn remove_directory(&self, _: &[u8]) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn set_mode(&self, _: &[u8], _: u32) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn set_times(&self, _: &[u8], _: Option<Timestamp>, _: Option<Timestamp>) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn pipe(&self) -> Result<(Handle, Handle)> {
        Err(Errno::NotSupported)
    }
    fn spawn(&self, _: &Spawn<'_>) -> Result<Pid> {
        Err(Errno::NotSupported)
    }
    fn try_wait(&self, _: Pid) -> Result<Option<ExitStatus>> {
        Err(Errno::NotSupported)
    }
    fn kill(&self, _: Pid, _: u8) -> Result<()> {
        Err(Errno::NotSupported)
    }
    fn now(&self) -> Timestamp {
        Timestamp::default()
    }
    fn monotonic(&self) -> u64 {
        0
    }
    fn random(&self) -> u64 {
        0
    }
}

/// A directory of its own for a test.
struct Playground(PathBuf);

impl Playground {
    fn new(name: &str) -> Playground {
        let root = std::env::temp_dir().join(format!("offshoot-{name}-{}", std::process::id()));
        for directory in ["a/b/c", ".h", "d/.e"] {
            fs::create_dir_all(root.join(directory)).unwrap();
        }
        for file in [
            "a/1", "a/b/2", "a/b/c/3", ".h/x", ".h/y", "d/.e/z", "top", ".dot", "q*r", "aé", "a[",
        ] {
            fs::write(root.join(file), "").unwrap();
        }
        for (target, link) in [("a", "link"), ("top", "flink"), ("nowhere", "broken")] {
            std::os::unix::fs::symlink(target, root.join(link)).unwrap();
        }
        Playground(root)
    }
}

impl Drop for Playground {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

const PATTERNS: &[&str] = &[
    "*",
    "**",
    "**/",
    "**/**",
    "**/*",
    "a/**",
    "a/**/",
    "a/**/**",
    "a/**/**/",
    "a/**/**/**",
    "./**/**",
    "!([*)*",
    "@(a|[b)*",
    "@(a|[b])*",
    "**/3",
    "link/**",
    "**/c",
    "*/",
    ".*",
    ".*/",
    "*/.*",
    "*//1",
    "./*",
    "link/*",
    "*/*/",
    "**/.*",
    ".h/**",
    "a**",
    "**a",
    "**/b/**",
    "**/**/c",
    "!(a)",
    "@(.dot|top)",
    "?(.)dot",
    "*(.)dot",
    ".!(dot)",
    "[.]dot",
    "q\\**",
    "brok*",
    "b*/",
    "a/*/.",
    "a/./*",
    "a/../*p",
    "nosuch/*",
    "top/*",
    "a/b/c/*/",
    "a\\/*",
    "[a/]*",
    "@(a|d)/*",
    "link/**/",
    "**/link/*",
    "**/../a",
    "**/.",
    "@(a|.dot|!(x))",
    "!(.dot)",
    "*(.)*",
    "+(.)*",
    "**.*",
    "a/b*/c*/3*",
    "***",
    "***/3",
    "**//3",
    "a/*b/",
    "flink/*",
    "flin*/",
    "**/**/**",
    ".//a/*",
    "a/**/b/**/3",
    "!(a).dot",
    "@(!(x))",
    "*(a)!(q)",
    "!(a)?dot",
    "**/b",
    "**/1",
    "*/**",
    "*/**/",
    "a/*/**",
    "**/*/**",
    "**/*/**/*",
    "**/a/**",
    "./**",
    "./**/",
    "**/**/",
    "**/*/",
    "**/..",
    "link/**/c",
    "**/link/**",
    "d/**",
    "top/**",
    "none/**",
    "a//**",
    "a/**//3",
    "**/b/",
    "**/[b]/",
    "@(a|d)/**",
    "@(.|..|a)",
    "@(.*|a)",
    "a?",
    "a[[]",
    "a[",
    "/",
    "/*/../t[m]p",
];

/// What bash expands each pattern to, in the same order.
fn bash(root: &Path, options: &str, patterns: &[&str]) -> Option<Vec<Vec<String>>> {
    let mut script = format!("shopt -s extglob nullglob {options}\n");
    for pattern in patterns {
        script.push_str(&format!("printf '<%s>' {pattern}; echo\n"));
    }
    let output = Command::new("bash")
        .args(["-O", "extglob", "-c", &script])
        .env("LC_ALL", "C.UTF-8")
        .current_dir(root)
        .output()
        .ok()?;
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(
        lines
            .lines()
            .map(|line| {
                line.trim_matches(['<', '>'])
                    .split("><")
                    .map(str::to_owned)
                    .collect()
            })
            .collect(),
    )
}

#[test]
fn expands_as_bash_does() {
    let place = Playground::new("glob");
    let plain = GlobOptions::default();
    let extended = Options {
        extended: true,
        ..Options::default()
    };
    let folding = Options {
        ignore_case: true,
        ..extended
    };
    for (shopt, options) in [
        (
            "globstar",
            GlobOptions {
                globstar: true,
                ..plain
            },
        ),
        (
            "nocaseglob",
            GlobOptions {
                matching: folding,
                ..plain
            },
        ),
        (
            "globstar dotglob",
            GlobOptions {
                globstar: true,
                dots: true,
                ..plain
            },
        ),
    ] {
        let ignore_case = options.matching.ignore_case;
        let options = GlobOptions {
            matching: Options {
                ignore_case,
                ..extended
            },
            ..options
        };
        let Some(expected) = bash(&place.0, shopt, PATTERNS) else {
            return;
        };
        for (pattern, expected) in PATTERNS.iter().zip(expected) {
            if !has_magic(pattern.as_bytes(), true) {
                continue;
            }
            let root = place.0.as_os_str().as_bytes();
            let found = glob(&Host, root, pattern.as_bytes(), &options).unwrap();
            let found: Vec<String> = found
                .into_iter()
                .map(|path| String::from_utf8(path).unwrap())
                .collect();
            let expected: Vec<String> = expected
                .into_iter()
                .filter(|path| !path.is_empty())
                .collect();
            assert_eq!(found, expected, "{pattern} with {shopt}");
        }
    }
}

#[test]
fn dots_match_without_globskipdots() {
    let place = Playground::new("dots");
    let root = place.0.as_os_str().as_bytes();
    let options = GlobOptions {
        skip_dots: false,
        ..GlobOptions::default()
    };
    let found = glob(&Host, root, b".*", &options).unwrap();
    assert_eq!(
        found,
        [
            b".".to_vec(),
            b"..".to_vec(),
            b".dot".to_vec(),
            b".h".to_vec()
        ]
    );
}

#[test]
fn the_number_of_names_is_bounded() {
    let place = Playground::new("bound");
    let root = place.0.as_os_str().as_bytes();
    let options = GlobOptions {
        globstar: true,
        limit: 20,
        ..GlobOptions::default()
    };
    assert_eq!(
        glob(&Host, root, b"**/*/**/*/**", &options),
        Err(TooManyNames)
    );
    assert!(glob(&Host, root, b"*", &options).is_ok());
}
