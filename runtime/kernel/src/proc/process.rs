//! The directory of one process.

use offshoot_vfs::MountInfo;

use crate::process::Image;
use crate::{Kernel, Limits, ProcessInfo};

/// Bytes of a page, in which `stat` and `statm` count memory.
const PAGE: u64 = 4096;
/// Nanoseconds of a tick of `stat`'s clock.
const TICK: u64 = 10_000_000;
/// Bytes of a name in `comm`.
const NAME: usize = 15;

/// What the directory of a process holds.
pub(super) const NAMES: &[&str] = &[
    "cgroup",
    "cmdline",
    "comm",
    "cwd",
    "environ",
    "exe",
    "fd",
    "limits",
    "mountinfo",
    "mounts",
    "root",
    "stat",
    "statm",
    "status",
    "task",
];
/// What the directory of its thread holds.
pub(super) const THREAD: &[&str] = &[
    "cgroup",
    "children",
    "cmdline",
    "comm",
    "cwd",
    "environ",
    "exe",
    "fd",
    "limits",
    "mountinfo",
    "mounts",
    "root",
    "stat",
    "statm",
    "status",
];

/// Who reads a file.
pub(super) struct Reader<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) process: u32,
}

/// Makes what a file holds.
pub(super) type Content = fn(&Seen, &Reader<'_>) -> Vec<u8>;

/// The permission bits of a file of a process, and what makes it.
pub(super) fn content(name: &str) -> Option<(u32, Content)> {
    let content: Content = match name {
        "cgroup" => |_, _| b"0::/\n".to_vec(),
        "children" => |seen, reader| children(seen, reader.kernel).into_bytes(),
        "cmdline" => |seen, _| joined(seen.info.arguments.iter().map(Vec::as_slice)),
        "comm" => |seen, _| [seen.name(), b"\n"].concat(),
        "environ" => return Some((0o400, |seen, _| seen.environ())),
        "limits" => |_, reader| limits(&reader.kernel.limits()).into_bytes(),
        "mountinfo" => |_, reader| mounts(reader.kernel, true),
        "mounts" => |_, reader| mounts(reader.kernel, false),
        "stat" => |seen, reader| seen.stat(reader),
        "statm" => |seen, _| seen.statm().into_bytes(),
        "status" => |seen, reader| seen.status(reader),
        _ => return None,
    };
    Some((0o444, content))
}

/// A process, or a task of a shell, at the moment when it was looked at.
pub(super) struct Seen {
    pub(super) info: ProcessInfo,
    pub(super) program: Vec<u8>,
    pub(super) directory: Vec<u8>,
    image: Image,
    memory: u64,
    paused: bool,
}

/// The process of this number that is alive.
pub(super) fn find(kernel: &Kernel, pid: u32) -> Option<Seen> {
    let table = kernel.table();
    let own = table.get(pid).filter(|entry| entry.is_alive()).cloned();
    let (entry, task) = match own {
        Some(entry) => (entry, None),
        None => {
            let holder = table.living().find(|entry| entry.tasks.has(pid))?;
            (holder.clone(), holder.tasks.get(pid))
        }
    };
    drop(table);
    let image = entry.image();
    let (info, directory, paused) = match task {
        Some(task) => (task.info, task.directory, task.stopped || entry.is_paused()),
        None => (entry.info(), image.directory.clone(), entry.is_paused()),
    };
    let program = program_of(kernel, &info, &image);
    Some(Seen {
        info,
        program,
        directory,
        memory: entry.memory(),
        paused,
        image,
    })
}

/// The file that it runs: a command that a shell runs itself stands for the program of its name.
fn program_of(kernel: &Kernel, info: &ProcessInfo, image: &Image) -> Vec<u8> {
    let name = base(&info.arguments);
    let known = std::str::from_utf8(name).is_ok_and(|name| {
        let programs = &kernel.settings().programs;
        programs.get(name).is_some()
    });
    match known && info.arguments != image.arguments {
        true => [b"/usr/bin/", name].concat(),
        false => image.program.to_vec(),
    }
}

/// The name that it is called by, without the folder.
fn base(arguments: &[Vec<u8>]) -> &[u8] {
    let first = arguments.first().map(Vec::as_slice).unwrap_or_default();
    first.rsplit(|&byte| byte == b'/').next().unwrap_or(first)
}

/// Each part and a NUL.
fn joined<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    parts
        .flat_map(|part| [part, b"\0"])
        .flatten()
        .copied()
        .collect()
}

impl Seen {
    fn name(&self) -> &[u8] {
        let name = base(&self.info.arguments);
        &name[..name.len().min(NAME)]
    }

    /// The environment that it began with; a task has that of its shell.
    fn environ(&self) -> Vec<u8> {
        let environment = self.image.environment.as_deref();
        let variables = environment.map_or(&[][..], |environment| environment.variables());
        let one = |(name, value): &(Vec<u8>, Vec<u8>)| [name, &b"="[..], value].concat();
        let lines: Vec<_> = variables.iter().map(one).collect();
        joined(lines.iter().map(Vec::as_slice))
    }

    /// The descriptors that it began with; a shell has numbers of its own.
    pub(super) fn descriptors(&self) -> &[u32] {
        self.image.descriptors.as_deref().unwrap_or(&[0, 1, 2])
    }

    pub(super) fn has_descriptor(&self, number: u32) -> bool {
        match &self.image.descriptors {
            Some(known) => known.contains(&number),
            None => number < 1024,
        }
    }

    /// Its parent, or the first process where that is gone.
    fn parent(&self, kernel: &Kernel) -> u32 {
        let processes = kernel.processes();
        let own = processes.iter().find(|one| one.pid == self.info.pid);
        own.map_or(self.info.parent, |own| own.parent)
    }

    /// Whoever reads runs, and all others wait.
    fn state(&self, reader: &Reader<'_>) -> (char, &'static str) {
        match self.info.pid == reader.process {
            true => ('R', "running"),
            false if self.paused => ('T', "stopped"),
            false => ('S', "sleeping"),
        }
    }

    /// What is not counted is 0: faults, processor time, addresses, signals.
    fn stat(&self, reader: &Reader<'_>) -> Vec<u8> {
        let pid = self.info.pid;
        let (state, _) = self.state(reader);
        let rest = format!(
            ") {state} {parent} {pid} {pid} 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 {started} {size} {pages} \
             18446744073709551615{before} 17{after}\n",
            parent = self.parent(reader.kernel),
            started = self.info.started / TICK,
            size = self.memory,
            pages = self.memory / PAGE,
            before = " 0".repeat(12),
            after = " 0".repeat(14),
        );
        [format!("{pid} (").as_bytes(), self.name(), rest.as_bytes()].concat()
    }

    fn statm(&self) -> String {
        let pages = self.memory / PAGE;
        format!("{pages} {pages} 0 0 0 {pages} 0\n")
    }

    fn status(&self, reader: &Reader<'_>) -> Vec<u8> {
        let identity = &reader.kernel.settings().identity;
        let (uid, gid) = (identity.uid, identity.gid);
        let pid = self.info.pid;
        let (letter, word) = self.state(reader);
        let size = self.memory / 1024;
        let mut rest = format!(
            "\nState:\t{letter} ({word})\nTgid:\t{pid}\nNgid:\t0\nPid:\t{pid}\nPPid:\t{parent}\n\
             TracerPid:\t0\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{gid}\t{gid}\t{gid}\t{gid}\n\
             FDSize:\t{descriptors}\nGroups:\t{gid} \n",
            parent = self.parent(reader.kernel),
            descriptors = reader.kernel.limits().open_files,
        );
        let amounts = [
            ("VmPeak", size),
            ("VmSize", size),
            ("VmLck", 0),
            ("VmPin", 0),
            ("VmHWM", size),
            ("VmRSS", size),
            ("RssAnon", size),
            ("RssFile", 0),
            ("RssShmem", 0),
            ("VmData", size),
            ("VmSwap", 0),
        ];
        for (name, amount) in amounts {
            rest += &format!("{name}:\t{amount:>8} kB\n");
        }
        rest += "Threads:\t1\nCpus_allowed:\t1\nCpus_allowed_list:\t0\n";
        [b"Name:\t", self.name(), rest.as_bytes()].concat()
    }
}

fn children(seen: &Seen, kernel: &Kernel) -> String {
    let processes = kernel.processes();
    let own = processes.iter().filter(|one| one.parent == seen.info.pid);
    own.map(|one| format!("{} ", one.pid)).collect()
}

fn limits(limits: &Limits) -> String {
    let seconds = limits.cpu_time.map(|time| time.as_secs());
    let rows = [
        ("cpu time", seconds, "seconds"),
        ("file size", None, "bytes"),
        ("data size", None, "bytes"),
        ("core file size", Some(0), "bytes"),
        ("resident set", None, "bytes"),
        ("processes", Some(limits.processes as u64), "processes"),
        ("open files", Some(limits.open_files as u64), "files"),
        ("address space", Some(limits.memory), "bytes"),
    ];
    let titles = ("Limit", "Soft Limit", "Hard Limit", "Units");
    let line = |(name, soft, hard, unit): (&str, &str, &str, &str)| {
        format!("{name:<25} {soft:<20} {hard:<20} {unit:<10}\n")
    };
    let row = |(name, most, unit): (&str, Option<u64>, &str)| {
        let most = most.map_or("unlimited".to_owned(), |most| most.to_string());
        line((&format!("Max {name}"), &most, &most, unit))
    };
    rows.into_iter()
        .fold(line(titles), |all, one| all + &row(one))
}

/// The root, what the embedder mounted, and this. Where the host keeps it is not said.
fn mounts(kernel: &Kernel, numbered: bool) -> Vec<u8> {
    let mut all = Vec::new();
    let root = MountInfo {
        path: b"/".to_vec(),
        read_only: false,
        system: false,
    };
    let shown = |mount: &MountInfo| !mount.system || mount.path == b"/proc";
    let mounts = kernel.vfs().mounts().into_iter().filter(shown);
    for (at, mount) in std::iter::once(root).chain(mounts).enumerate() {
        let access = if mount.read_only { "ro" } else { "rw" };
        let kind = match (at, mount.system) {
            (0, _) => "tmpfs",
            (_, true) => "proc",
            _ => "overlay",
        };
        let path = escaped(&mount.path);
        let number = at + 1;
        let line = match numbered {
            true => format!("{number} 1 0:{number} / {path} {access} - {kind} {kind} {access}\n"),
            false => format!("{kind} {path} {kind} {access} 0 0\n"),
        };
        all.extend_from_slice(line.as_bytes());
    }
    all
}

/// A path with what would end a field written in octal.
fn escaped(path: &[u8]) -> String {
    let text = String::from_utf8_lossy(path);
    let one = |letter: char| match letter {
        ' ' | '\t' | '\n' | '\\' => format!("\\{:03o}", u32::from(letter)),
        letter => letter.to_string(),
    };
    text.chars().map(one).collect()
}
