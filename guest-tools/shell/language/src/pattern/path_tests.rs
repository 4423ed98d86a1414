//! Pathname expansion beside bash, on the same directory.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

/// The machine's own files.
struct Host;

fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

fn kind(file: fs::FileType) -> EntryKind {
    if file.is_symlink() {
        EntryKind::Symlink
    } else if file.is_dir() {
        EntryKind::Directory
    } else {
        EntryKind::Other
    }
}

impl Files for Host {
    fn exists(&self, name: &[u8]) -> bool {
        fs::symlink_metadata(path(name)).is_ok()
    }

    fn is_directory(&self, name: &[u8]) -> bool {
        fs::metadata(path(name)).is_ok_and(|found| found.is_dir())
    }

    fn entries(&self, name: &[u8]) -> Vec<Entry> {
        let Ok(entries) = fs::read_dir(path(name)) else {
            return Vec::new();
        };
        let entries = entries.map(|entry| entry.unwrap()).map(|entry| Entry {
            name: entry.file_name().into_vec(),
            kind: kind(entry.file_type().unwrap()),
        });
        entries.collect()
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
