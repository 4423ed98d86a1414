//! Every applet against the GNU program of the same name.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

use offshoot_vfs::{Caller, Vfs};

use super::{Context, HandleStream, Outcome, Progress, Stream, Wait, find};
use crate::os::Os;
use crate::os::linked::{LinkedOs, Settings};

/// The files that every case starts with.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a", b"one\ntwo\nthree\n".to_vec()),
        ("b", b"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n".to_vec()),
        ("empty", Vec::new()),
        ("noeol", b"x\ny z".to_vec()),
        ("blank", b"p\n\n\n\nq\tr\n \n\n".to_vec()),
        ("bytes", (0..=255).collect()),
        ("zeros", b"a\0bb\0c\0".to_vec()),
        (
            "words",
            b"pear 3\napple 10\nfig 3\napple 2\nPear 1\n\n".to_vec(),
        ),
        ("table", b"a:b:c\nd:e\nplain\n:x:\n".to_vec()),
        ("utf8", "žluť\nkůň ab\nää\n".as_bytes().to_vec()),
        (
            "long",
            (0..30_000)
                .flat_map(|n| format!("line {n}\n").into_bytes())
                .collect(),
        ),
        ("it's", b"quoted\n".to_vec()),
    ]
}

/// One command line and what it reads.
struct Case {
    arguments: Vec<Vec<u8>>,
    stdin: Vec<u8>,
}

#[derive(Debug, PartialEq, Eq)]
struct Result {
    status: u8,
    stdout: String,
    stderr: String,
}

fn text(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|&byte| std::ascii::escape_default(byte))
        .map(char::from)
        .collect()
}

/// A fresh filesystem with the files in `/base`.
fn linked() -> Rc<LinkedOs> {
    let vfs = Vfs::new(offshoot_vfs::Options::default());
    vfs.create_dir_all(&Caller::ROOT, vfs.root(), b"/base/dir", 0o755)
        .unwrap();
    for (name, content) in files() {
        let path = format!("/base/{name}");
        vfs.write_file(&Caller::ROOT, vfs.root(), path.as_bytes(), &content, 0o644)
            .unwrap();
    }
    Rc::new(LinkedOs::new(vfs, Settings::default()))
}

/// Runs an applet; none where it declines.
fn ours(case: &Case, os: &Rc<LinkedOs>) -> Option<Result> {
    let system: Rc<dyn Os> = os.clone();
    let stdin = os.input(case.stdin.clone()).unwrap();
    let (stdout, out) = os.output().unwrap();
    let (stderr, err) = os.output().unwrap();
    let stream = |handle| -> Rc<dyn Stream> {
        Rc::new(HandleStream {
            os: system.clone(),
            handle,
        })
    };
    let context = Rc::new(Context {
        os: system.clone(),
        arguments: case.arguments.clone(),
        environment: Rc::new([(b"LC_ALL".to_vec(), b"C.UTF-8".to_vec())]),
        directory: b"/base".to_vec(),
        umask: 0o022,
        budgets: crate::machine::Budgets::default(),
        spent: std::cell::Cell::new(0),
        streams: vec![(0, stream(stdin)), (1, stream(stdout)), (2, stream(stderr))],
    });
    let applet = find(&case.arguments[0]).unwrap_or_else(|| panic!("no such applet"));
    let mut running = applet.start(&context)?;
    let status = loop {
        match running.poll() {
            Progress::Done(Outcome::Exit(status)) => break status,
            Progress::Done(Outcome::BrokenPipe) => break 141,
            Progress::More => {}
            Progress::Waiting(Wait::System(interest)) if os.is_ready(interest) => {}
            Progress::Waiting(Wait::System(_)) => std::thread::yield_now(),
            Progress::Waiting(other) => panic!("waits for {other:?}"),
        }
    };
    Some(Result {
        status,
        stdout: text(&out.take()),
        stderr: text(&err.take()),
    })
}

/// A directory with the files, removed when it is dropped.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Directory {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("offshoot-applet-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(path.join("dir")).unwrap();
        for (name, content) in files() {
            std::fs::write(path.join(name), content).unwrap();
        }
        Directory(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn gnu(case: &Case, directory: &Path) -> Result {
    use std::os::unix::ffi::OsStrExt;
    let words = case
        .arguments
        .iter()
        .map(|word| std::ffi::OsStr::from_bytes(word));
    let words: Vec<_> = words.collect();
    let mut child = Command::new(words[0])
        .args(&words[1..])
        .current_dir(directory)
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that doesn't read ends before it takes this.
    let _ = child.stdin.take().unwrap().write_all(&case.stdin);
    let output = child.wait_with_output().unwrap();
    Result {
        status: output.status.code().unwrap_or(141) as u8,
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

/// Splits a row: words between spaces, `'…'` for what has spaces, `\n`, `\t`, `\0` and `\\`
/// everywhere, and after ` < ` what is read.
fn parse(row: &str) -> Case {
    let (line, stdin) = row.split_once(" < ").unwrap_or((row, ""));
    let mut words = vec![Vec::new()];
    let mut quoted = false;
    for byte in unescape(line) {
        match byte {
            b'\'' => quoted = !quoted,
            b' ' if !quoted => words.push(Vec::new()),
            byte => words.last_mut().unwrap().push(byte),
        }
    }
    Case {
        arguments: words,
        stdin: unescape(stdin),
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(b'0') => 0,
                Some(b'q') => b'\'',
                Some(other) => other,
                None => b'\\',
            },
            byte => byte,
        });
    }
    bytes
}

fn has_gnu() -> bool {
    let version = Command::new("cat").arg("--version").output();
    version.is_ok_and(|output| output.stdout.starts_with(b"cat (GNU coreutils) 9."))
}

/// Everything in a tree of files: names, kinds, contents.
fn tree_of_host(path: &Path, prefix: &str, into: &mut Vec<String>) {
    let mut entries: Vec<_> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap())
        .collect();
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let name = format!("{prefix}/{}", entry.file_name().to_str().unwrap());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            into.push(format!("{name}/"));
            tree_of_host(&entry.path(), &name, into);
        } else if kind.is_symlink() {
            into.push(format!(
                "{name} -> {}",
                entry.path().read_link().unwrap().display()
            ));
        } else {
            into.push(format!(
                "{name} {}",
                text(&std::fs::read(entry.path()).unwrap())
            ));
        }
    }
}

fn tree_of_vfs(vfs: &Vfs, path: &str, prefix: &str, into: &mut Vec<String>) {
    let root = Caller::ROOT;
    for entry in vfs.read_dir(&root, vfs.root(), path.as_bytes()).unwrap() {
        let base = String::from_utf8(entry.name).unwrap();
        let (name, full) = (format!("{prefix}/{base}"), format!("{path}/{base}"));
        match entry.kind {
            offshoot_vfs::Kind::Directory => {
                into.push(format!("{name}/"));
                tree_of_vfs(vfs, &full, &name, into);
            }
            offshoot_vfs::Kind::Symlink => {
                let target = vfs.read_link(&root, vfs.root(), full.as_bytes()).unwrap();
                into.push(format!("{name} -> {}", String::from_utf8(target).unwrap()));
            }
            _ => {
                let content = vfs.read_file(&root, vfs.root(), full.as_bytes()).unwrap();
                into.push(format!("{name} {}", text(&content)));
            }
        }
    }
}

#[test]
fn applets_do_what_the_gnu_programs_do() {
    if !has_gnu() {
        eprintln!("skipped: there are no GNU coreutils here to compare with");
        return;
    }
    let mut failures = Vec::new();
    for row in include_str!("cases.txt").lines() {
        if row.is_empty() || row.starts_with('#') {
            continue;
        }
        let case = parse(row);
        let os = linked();
        let Some(ours) = ours(&case, &os) else {
            failures.push(format!("{row}\n  declined"));
            continue;
        };
        let directory = Directory::new();
        let gnu = gnu(&case, &directory.0);
        if ours != gnu {
            failures.push(format!("{row}\n  ours {ours:?}\n  gnu  {gnu:?}"));
            continue;
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        tree_of_vfs(os.vfs(), "/base", "", &mut left);
        tree_of_host(&directory.0, "", &mut right);
        if left != right {
            failures.push(format!("{row}\n  left {left:?}\n  gnu  {right:?}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} rows differ\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn applets_decline_what_they_do_not_implement() {
    for row in [
        "cat --help",
        "head --version",
        "basename",
        "head -n x",
        "cat --number=1",
    ] {
        let os = linked();
        assert_eq!(ours(&parse(row), &os), None, "{row}");
    }
}

#[test]
fn the_table_is_sorted() {
    assert!(super::APPLETS.iter().is_sorted_by_key(super::Applet::name));
}
