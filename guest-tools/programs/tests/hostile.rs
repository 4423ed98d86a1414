//! Archives that want to write outside the directory, or more than they say, get nothing there.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failure shows as a failed test"
)]

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs a command in `directory` with an input; gives its status and messages.
fn run(directory: &Path, arguments: &[&str], input: &[u8]) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_offshoot-programs"))
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses early does not read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap(), text)
}

/// All files below a directory.
fn files(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_path_buf()];
    while let Some(path) = pending.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                pending.push(path);
            } else {
                found.push(path.strip_prefix(directory).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, content) in members {
        match content.strip_prefix("-> ") {
            Some(target) => writer.add_symlink(*name, target, options).unwrap(),
            None => {
                writer.start_file(*name, options).unwrap();
                writer.write_all(content.as_bytes()).unwrap();
            }
        }
    }
    writer.finish().unwrap().into_inner()
}

fn tar(members: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_mode(0o644);
        let link = content
            .strip_prefix("-> ")
            .map(|target| (tar::EntryType::Symlink, target));
        let link = link.or_else(|| Some((tar::EntryType::Link, content.strip_prefix("=> ")?)));
        let content = match link {
            Some((kind, target)) => {
                header.set_entry_type(kind);
                header.as_old_mut().linkname[..target.len()].copy_from_slice(target.as_bytes());
                ""
            }
            None => content,
        };
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, content.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap()
}

fn cpio(members: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, content) in members.iter().chain(&[("TRAILER!!!", "")]) {
        let (mode, content) = match content.strip_prefix("-> ") {
            Some(target) => (0o120_777, target),
            None => (0o100_644, *content),
        };
        let (size, length) = (content.len(), name.len() + 1);
        write!(
            archive,
            "070701{:08X}{mode:08X}{:08X}{:08X}{:08X}{:08X}{size:08X}{:08X}{:08X}{:08X}{:08X}{length:08X}{:08X}{name}\0",
            1, 0, 0, 1, 0, 0, 0, 0, 0, 0
        )
        .unwrap();
        archive.resize(archive.len().next_multiple_of(4), 0);
        archive.extend_from_slice(content.as_bytes());
        archive.resize(archive.len().next_multiple_of(4), 0);
    }
    archive
}

#[test]
fn nothing_is_written_outside() {
    let hostile: [&[(&str, &str)]; 4] = [
        &[("good", "x"), ("../evil", "x")],
        &[("good", "x"), ("a/../../evil", "x")],
        &[("link", "-> .."), ("link/evil", "x")],
        &[("link", "-> /"), ("link/evil-offshoot", "x")],
    ];
    for members in hostile {
        for kind in ["zip", "tar", "cpio"] {
            let place = tempfile::tempdir().unwrap();
            let inside = place.path().join("inside");
            fs::create_dir(&inside).unwrap();
            let (archive, arguments): (_, &[&str]) = match kind {
                "zip" => (zip(members), &["unzip", "-o", "../archive"]),
                "tar" => (tar(members), &["tar", "xf", "../archive"]),
                _ => (cpio(members), &["cpio", "-id", "-F", "../archive"]),
            };
            fs::write(place.path().join("archive"), archive).unwrap();
            let (status, _) = run(&inside, arguments, b"");
            let outside: Vec<String> = files(place.path())
                .into_iter()
                .filter(|name| name != "archive" && !name.starts_with("inside/"))
                .collect();
            assert!(outside.is_empty(), "{kind} {members:?}: {outside:?}");
            assert!(!Path::new("/evil-offshoot").exists(), "{kind} {members:?}");
            let climbs = members.iter().any(|(name, _)| name.contains(".."));
            assert!(
                !climbs || status != 0,
                "{kind} {members:?}: status {status}"
            );
        }
    }
}

#[test]
fn one_bad_name_refuses_the_whole_zip_or_cpio_archive() {
    for bad in ["../evil", "/evil-offshoot"] {
        let members = [("good", "x"), (bad, "x")];
        for (archive, arguments) in [
            (zip(&members), ["unzip", "-o", "../archive"].as_slice()),
            (cpio(&members), &["cpio", "-id", "-F", "../archive"]),
        ] {
            let place = tempfile::tempdir().unwrap();
            let inside = place.path().join("inside");
            fs::create_dir(&inside).unwrap();
            fs::write(place.path().join("archive"), archive).unwrap();
            let (status, message) = run(&inside, arguments, b"");
            assert_eq!(status, 2, "{bad} {message}");
            assert!(message.contains("refused"), "{message}");
            assert!(files(&inside).is_empty(), "{bad} {arguments:?}");
        }
    }
}

#[test]
fn a_link_that_was_there_before_is_not_followed_out() {
    let members = [("link/evil", "x")];
    for (archive, arguments) in [
        (zip(&members), ["unzip", "-o", "../archive"].as_slice()),
        (tar(&members), &["tar", "xf", "../archive"]),
        (cpio(&members), &["cpio", "-id", "-F", "../archive"]),
    ] {
        let place = tempfile::tempdir().unwrap();
        let (inside, other) = (place.path().join("inside"), place.path().join("other"));
        fs::create_dir(&inside).unwrap();
        fs::create_dir(&other).unwrap();
        std::os::unix::fs::symlink(&other, inside.join("link")).unwrap();
        fs::write(place.path().join("archive"), archive).unwrap();
        let (status, message) = run(&inside, arguments, b"");
        assert_ne!(status, 0, "{arguments:?}");
        assert!(
            message.contains("symbolic link"),
            "{arguments:?}: {message}"
        );
        assert!(files(&other).is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_hard_link_does_not_lead_out() {
    let place = tempfile::tempdir().unwrap();
    let inside = place.path().join("inside");
    fs::create_dir(&inside).unwrap();
    fs::write(place.path().join("secret"), "secret").unwrap();
    let archive = tar(&[("stolen", "=> ../secret"), ("stolen", "changed")]);
    fs::write(place.path().join("archive"), archive).unwrap();
    let (status, _) = run(&inside, &["tar", "xf", "../archive"], b"");
    assert_ne!(status, 0);
    let secret = fs::read_to_string(place.path().join("secret")).unwrap();
    assert_eq!(secret, "secret");
}

#[test]
fn a_member_gets_no_longer_than_the_archive_says() {
    let text = "x".repeat(100_000);
    let mut archive = Vec::new();
    {
        let mut writer = zip::ZipWriter::new(Cursor::new(&mut archive));
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file("bomb", options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        writer.finish().unwrap();
    }
    // The size in the directory, and in front of the data.
    let lie = |archive: &mut Vec<u8>, magic: &[u8], at: usize| {
        let start = archive
            .windows(4)
            .rposition(|window| window == magic)
            .unwrap();
        archive[start + at..start + at + 4].copy_from_slice(&10_u32.to_le_bytes());
    };
    lie(&mut archive, b"PK\x01\x02", 24);
    lie(&mut archive, b"PK\x03\x04", 22);
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("archive"), archive).unwrap();
    let (status, _) = run(place.path(), &["unzip", "-o", "archive"], b"");
    assert_ne!(status, 0);
    assert_eq!(files(place.path()), ["archive"]);
}

#[test]
fn patches_do_not_write_outside() {
    for name in ["../evil", "/evil-offshoot", "link/evil"] {
        let place = tempfile::tempdir().unwrap();
        let (inside, other) = (place.path().join("inside"), place.path().join("other"));
        fs::create_dir(&inside).unwrap();
        fs::create_dir(&other).unwrap();
        std::os::unix::fs::symlink(&other, inside.join("link")).unwrap();
        let patch = format!("--- {name}\n+++ {name}\n@@ -0,0 +1 @@\n+evil\n");
        let (status, _) = run(&inside, &["patch", "-p0", "-f"], patch.as_bytes());
        assert_ne!(status, 0, "{name}");
        assert_eq!(files(place.path()), ["inside/link"], "{name}");
    }
}
