//! The files that every sandbox starts with.
//!
//! The tree is made once a process and forked for each sandbox, so it costs a pointer.

use crate::{guest, no_network};
use offshoot_vfs::{Caller, Mount, Vfs};
use serde::{Deserialize, Serialize};

/// The search path of commands.
pub(crate) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Directories, with their permission bits.
const DIRECTORIES: &[(&str, u32)] = &[
    ("/dev", 0o755),
    ("/etc", 0o755),
    ("/home", 0o755),
    ("/mnt", 0o755),
    ("/opt", 0o755),
    ("/proc", 0o555),
    ("/root", 0o700),
    ("/run", 0o755),
    ("/srv", 0o755),
    ("/tmp", 0o1777),
    ("/usr", 0o755),
    ("/usr/bin", 0o755),
    ("/usr/lib", 0o755),
    ("/usr/local", 0o755),
    ("/usr/local/bin", 0o755),
    ("/usr/sbin", 0o755),
    ("/usr/share", 0o755),
    ("/var", 0o755),
    ("/var/log", 0o755),
    ("/var/tmp", 0o1777),
];

/// Symbolic links, target first, as on a merged-/usr Linux.
const LINKS: &[(&str, &str)] = &[
    ("usr/bin", "/bin"),
    ("usr/lib", "/lib"),
    ("usr/sbin", "/sbin"),
    ("/proc/mounts", "/etc/mtab"),
];

/// Small files that scripts read.
const FILES: &[(&str, &str)] = &[
    (
        "/etc/os-release",
        concat!(
            "NAME=\"Offshoot\"\nID=offshoot\nPRETTY_NAME=\"Offshoot ",
            env!("CARGO_PKG_VERSION"),
            "\"\nVERSION_ID=\"",
            env!("CARGO_PKG_VERSION"),
            "\"\n",
        ),
    ),
    (
        "/etc/shells",
        "/bin/sh\n/bin/bash\n/usr/bin/sh\n/usr/bin/bash\n",
    ),
    ("/etc/hosts", "127.0.0.1\tlocalhost\n::1\tlocalhost\n"),
    ("/etc/issue", "Offshoot\n"),
    ("/etc/fstab", ""),
    (
        "/etc/lsb-release",
        concat!(
            "DISTRIB_ID=Offshoot\nDISTRIB_RELEASE=",
            env!("CARGO_PKG_VERSION"),
            "\n"
        ),
    ),
    (
        "/etc/nsswitch.conf",
        "passwd: files\ngroup: files\nhosts: files\n",
    ),
    ("/etc/timezone", "Etc/UTC\n"),
    ("/etc/profile", "export PATH=/usr/local/bin:/usr/bin:/bin\n"),
];

/// Writes the tree into an empty filesystem.
pub(crate) fn populate(vfs: &Vfs) -> offshoot_vfs::Result<()> {
    let (root, at) = (Caller::ROOT, vfs.root());
    for (path, mode) in DIRECTORIES {
        vfs.create_dir(&root, at, path.as_bytes(), *mode)?;
        // Again, because the umask took bits away.
        vfs.set_mode(&root, at, path.as_bytes(), *mode)?;
    }
    for (target, path) in LINKS {
        vfs.symlink(&root, target.as_bytes(), at, path.as_bytes())?;
    }
    for (path, text) in FILES {
        vfs.write_file(&root, at, path.as_bytes(), text.as_bytes(), 0o644)?;
    }
    for name in guest::command_names().chain(no_network::names()) {
        write_command(vfs, name)?;
    }
    if guest::python().is_some() {
        populate_python(vfs)?;
    }
    if guest::javascript().is_some() {
        write_command(vfs, "node")?;
        vfs.symlink(&root, b"node", at, b"/usr/bin/nodejs")?;
    }
    vfs.populate_devices(b"/dev")?;
    vfs.mount(&root, b"/proc", Mount::views())
}

/// What starts CPython: its own names are one program, so that the name by which it was called arrives.
fn populate_python(vfs: &Vfs) -> offshoot_vfs::Result<()> {
    let (root, at) = (Caller::ROOT, vfs.root());
    write_command(vfs, "python3")?;
    for name in ["python", "python3.14"] {
        let path = format!("/usr/bin/{name}");
        vfs.symlink(&root, b"python3", at, path.as_bytes())?;
    }
    for name in ["pip", "pip3"] {
        let path = format!("/usr/bin/{name}");
        vfs.write_file(&root, at, path.as_bytes(), PIP, 0o755)?;
        vfs.set_mode(&root, at, path.as_bytes(), 0o755)?;
    }
    vfs.create_dir_all(&root, at, b"/usr/lib/python3.14", 0o755)
}

/// The command `pip`.
const PIP: &[u8] = b"#!/usr/bin/python3
import sys
from pip._internal.cli.main import main
sys.exit(main())
";

/// Mounts what belongs to the system again on files that come from a store, where mounts are left out.
/// Where a directory for it is missing, it is not there.
pub(crate) fn attach(vfs: &Vfs) {
    let mounts = vfs.mounts();
    let mounted = |path: &[u8]| mounts.iter().any(|mount| mount.path == path);
    if !mounted(b"/proc") {
        let _ = vfs.mount(&Caller::ROOT, b"/proc", Mount::views());
    }
    if !mounted(b"/dev/fd") {
        let _ = vfs.mount_descriptors(b"/dev/fd");
    }
}

/// Makes the executable file that stands for the program `name`.
pub(crate) fn write_command(vfs: &Vfs, name: &str) -> offshoot_vfs::Result<()> {
    let (root, at) = (Caller::ROOT, vfs.root());
    let path = format!("/usr/bin/{name}");
    vfs.write_file(
        &root,
        at,
        path.as_bytes(),
        &offshoot_kernel::marker(name),
        0o755,
    )?;
    vfs.set_mode(&root, at, path.as_bytes(), 0o755)
}

/// [`write_command`], unless it is there.
pub(crate) fn ensure_command(vfs: &Vfs, name: &str) -> offshoot_vfs::Result<()> {
    let path = format!("/usr/bin/{name}");
    match vfs.read_file(&Caller::ROOT, vfs.root(), path.as_bytes()) {
        Ok(content) if content == offshoot_kernel::marker(name) => Ok(()),
        _ => write_command(vfs, name),
    }
}

/// Makes what depends on who the user is: accounts, the home directory, the host's name.
pub(crate) fn personalize(vfs: &Vfs, user: &User) -> offshoot_vfs::Result<()> {
    let (root, at) = (Caller::ROOT, vfs.root());
    let User {
        name,
        uid,
        gid,
        home,
        hostname,
    } = user;
    let mut passwd = String::from("root:x:0:0:root:/root:/bin/bash\n");
    let mut group = String::from("root:x:0:\n");
    if *uid != 0 {
        passwd += &format!("{name}:x:{uid}:{gid}:{name}:{home}:/bin/bash\n");
    }
    if *gid != 0 {
        group += &format!("{name}:x:{gid}:\n");
    }
    for (path, text) in [
        ("/etc/passwd", passwd),
        ("/etc/group", group),
        ("/etc/hostname", format!("{hostname}\n")),
    ] {
        vfs.write_file(&root, at, path.as_bytes(), text.as_bytes(), 0o644)?;
    }
    vfs.create_dir_all(&root, at, home.as_bytes(), 0o755)?;
    vfs.set_owner(&root, at, home.as_bytes(), (Some(*uid), Some(*gid)), true)
}

/// The account that commands run as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// Account name; also the group's.
    pub name: String,
    /// User number; 0 bypasses permission bits inside the sandbox.
    pub uid: u32,
    /// Group number.
    pub gid: u32,
    /// Home directory.
    pub home: String,
    /// What `hostname` answers.
    pub hostname: String,
}

impl Default for User {
    /// `user`, 1000:1000, at home in `/home/user` on the host `sandbox`.
    fn default() -> User {
        User {
            name: "user".to_owned(),
            uid: 1000,
            gid: 1000,
            home: "/home/user".to_owned(),
            hostname: "sandbox".to_owned(),
        }
    }
}

/// Writes a file that `who` owns, with missing parents that `who` owns too.
pub(crate) fn write_owned(
    vfs: &Vfs,
    who: &Caller,
    path: &str,
    content: &[u8],
) -> offshoot_vfs::Result<()> {
    if let Some((parent, _)) = path.rsplit_once('/') {
        create_owned(vfs, who, parent)?;
    }
    let (root, at) = (Caller::ROOT, vfs.root());
    vfs.write_file(&root, at, path.as_bytes(), content, 0o644)?;
    vfs.set_owner(
        &root,
        at,
        path.as_bytes(),
        (Some(who.uid), Some(who.gid)),
        true,
    )
}

/// Makes a directory that `who` owns, and missing ones above it; those that exist keep their owner.
pub(crate) fn create_owned(vfs: &Vfs, who: &Caller, path: &str) -> offshoot_vfs::Result<()> {
    let (root, at) = (Caller::ROOT, vfs.root());
    let ends = path
        .match_indices('/')
        .map(|(end, _)| end)
        .chain([path.len()]);
    for end in ends.filter(|end| *end > 0) {
        let part = &path.as_bytes()[..end];
        match vfs.create_dir(&root, at, part, 0o755) {
            Ok(()) => vfs.set_owner(&root, at, part, (Some(who.uid), Some(who.gid)), true)?,
            Err(offshoot_vfs::Error::Exist) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
