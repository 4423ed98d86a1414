//! What sandboxes with a root file system of their own run on in tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A program in PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|directory| directory.join(program))
        .find(|path| path.is_file())
}

/// A root file system of BusyBox alone, as a tar archive.
pub fn root_file_system() -> Vec<u8> {
    let busybox = find("busybox").unwrap();
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |path: &str, kind: tar::EntryType, mode: u32, content: &[u8], link: &str| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(content.len() as u64);
        if link.is_empty() {
            archive.append_data(&mut header, path, content).unwrap();
        } else {
            archive.append_link(&mut header, path, link).unwrap();
        }
    };
    for directory in ["bin", "etc", "root", "proc", "sys", "dev", "workspace"] {
        add(directory, tar::EntryType::Directory, 0o755, b"", "");
    }
    add("tmp", tar::EntryType::Directory, 0o1777, b"", "");
    let passwd = b"root:x:0:0:root:/root:/bin/sh\n";
    add("etc/passwd", tar::EntryType::Regular, 0o644, passwd, "");
    let binary = std::fs::read(&busybox).unwrap();
    add("bin/busybox", tar::EntryType::Regular, 0o755, &binary, "");
    let applets = Command::new(&busybox)
        .arg("--list")
        .output()
        .unwrap()
        .stdout;
    for applet in String::from_utf8(applets).unwrap().lines() {
        if applet != "busybox" {
            let path = Path::new("bin").join(applet).display().to_string();
            add(&path, tar::EntryType::Symlink, 0o777, b"", "busybox");
        }
    }
    archive.into_inner().unwrap()
}
