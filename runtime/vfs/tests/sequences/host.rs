//! A real directory.

use std::os::fd::OwnedFd;
use std::path::Path;

use offshoot_vfs::{Caller, Kind, OpenOptions};
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Timespec, Timestamps};
use rustix::io::{Errno, Result};
use tempfile::TempDir;

use crate::Filesystem;
use crate::operation::{Operation, Outcome, SLOTS, Stat, Value, pattern};

pub struct Host {
    /// Keeps the directory until the end.
    _top: TempDir,
    base: OwnedFd,
    open: [Option<OwnedFd>; SLOTS],
    owner: (u32, u32),
    /// Directories of some filesystems have one link whatever they hold.
    counts_directories: bool,
}

impl Host {
    pub fn new() -> Host {
        let top = directory();
        // `..` of a sequence ends in directories that are there on both sides.
        let path = top.path().join("0/1/2/3/4/5/6/7/8/9");
        std::fs::create_dir_all(&path).unwrap();
        Host::at(top, &path)
    }

    /// The directory `path` inside `top`.
    pub fn at(top: TempDir, path: &Path) -> Host {
        let base = fs::open(path, OFlags::DIRECTORY, Mode::empty()).unwrap();
        let parent = fs::statat(&base, "..", AtFlags::empty()).unwrap();
        let stat = fs::fstat(&base).unwrap();
        let owner = (stat.st_uid, stat.st_gid);
        let counts_directories = parent.st_nlink == 3;
        Host {
            _top: top,
            base,
            open: Default::default(),
            owner,
            counts_directories,
        }
    }

    pub fn caller(&self) -> Caller {
        Caller {
            uid: self.owner.0,
            gid: self.owner.1,
            umask: 0,
            process: 0,
        }
    }

    /// What is left of a value where hosts differ.
    pub fn comparable(&self, value: Value) -> Value {
        let Value::Stat(mut stat) = value else {
            return value;
        };
        if stat.kind == Kind::Directory {
            stat.size = 0;
            if !self.counts_directories {
                stat.links = 1;
            }
        }
        if stat.modified.nanoseconds != 5 {
            stat.modified = Default::default();
        }
        stat.changed = Default::default();
        stat.owner = self.owner;
        Value::Stat(stat)
    }

    #[allow(
        clippy::unnecessary_cast,
        reason = "the width of the fields depends on the target"
    )]
    fn stat(&self, stat: fs::Stat) -> Value {
        let modified = offshoot_vfs::Timestamp {
            seconds: stat.st_mtime,
            nanoseconds: stat.st_mtime_nsec as u32,
        };
        self.comparable(Value::Stat(Stat {
            kind: kind(FileType::from_raw_mode(stat.st_mode)),
            mode: stat.st_mode & 0o7777,
            links: stat.st_nlink as u64,
            owner: (stat.st_uid, stat.st_gid),
            size: stat.st_size as u64,
            modified,
            changed: Default::default(),
        }))
    }

    fn try_run(&mut self, operation: &Operation) -> Result<Value> {
        use Operation as O;
        let base = &self.base;
        let unit = |()| Value::Unit;
        match operation {
            O::CreateDir(path, mode) => {
                fs::mkdirat(base, &path[..], Mode::from_raw_mode(*mode)).map(unit)
            }
            O::Symlink(target, path) => fs::symlinkat(&target[..], base, &path[..]).map(unit),
            O::Link(old, new, follow) => {
                let flags = if *follow {
                    AtFlags::SYMLINK_FOLLOW
                } else {
                    AtFlags::empty()
                };
                fs::linkat(base, &old[..], base, &new[..], flags).map(unit)
            }
            O::Rename(old, new) => fs::renameat(base, &old[..], base, &new[..]).map(unit),
            O::Unlink(path) => fs::unlinkat(base, &path[..], AtFlags::empty()).map(unit),
            O::RemoveDir(path) => fs::unlinkat(base, &path[..], AtFlags::REMOVEDIR).map(unit),
            O::Open(slot, path, options, mode) => {
                let flags = flags(options);
                let file = fs::openat(base, &path[..], flags, Mode::from_raw_mode(*mode))?;
                let regular = FileType::from_raw_mode(fs::fstat(&file)?.st_mode).is_file();
                self.open[*slot] = regular.then_some(file);
                Ok(Value::Unit)
            }
            O::SetMode(path, mode) => fs::chmodat(
                base,
                &path[..],
                Mode::from_raw_mode(*mode),
                AtFlags::empty(),
            )
            .map(unit),
            O::SetSize(path, size) => {
                // What `truncate` does; opening a directory for writing fails in the same way.
                let file = fs::openat(base, &path[..], OFlags::WRONLY, Mode::empty())?;
                fs::ftruncate(file, *size).map(unit)
            }
            O::SetTimes(path, time, follow) => {
                let time = Timespec {
                    tv_sec: *time,
                    tv_nsec: 5,
                };
                let times = Timestamps {
                    last_access: time,
                    last_modification: time,
                };
                fs::utimensat(base, &path[..], &times, no_follow(*follow)).map(unit)
            }
            O::Stat(path, follow) => {
                Ok(self.stat(fs::statat(base, &path[..], no_follow(*follow))?))
            }
            O::ReadDir(path) => self.read_dir(path),
            O::ReadLink(path) => fs::readlinkat(base, &path[..], Vec::new())
                .map(|target| Value::Bytes(target.into_bytes())),
            O::ReadFile(path) => {
                let file = fs::openat(base, &path[..], OFlags::RDONLY, Mode::empty())?;
                let mut content = Vec::new();
                std::io::Read::read_to_end(&mut std::fs::File::from(file), &mut content)
                    .map_err(|error| Errno::from_io_error(&error).unwrap())?;
                Ok(Value::Bytes(content))
            }
            _ => Ok(Value::Unit),
        }
    }

    fn read_dir(&self, path: &[u8]) -> Result<Value> {
        let directory = fs::openat(&self.base, path, OFlags::DIRECTORY, Mode::empty())?;
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(directory)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes().to_vec();
            if name != b"." && name != b".." {
                names.push((name, kind(entry.file_type())));
            }
        }
        names.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Value::Names(names))
    }

    fn run_open(&mut self, operation: &Operation) -> Option<Result<Value>> {
        use Operation as O;
        let (O::Read(slot, _)
        | O::Write(slot, ..)
        | O::ReadAt(slot, ..)
        | O::WriteAt(slot, ..)
        | O::Seek(slot, _)
        | O::SetSizeOpen(slot, _)
        | O::StatOpen(slot)) = operation
        else {
            return None;
        };
        let file = self.open[*slot].as_ref()?;
        let number = |count: Result<usize>| count.map(|count| Value::Number(count as u64));
        let read = |length: usize, read: &dyn Fn(&mut [u8]) -> Result<usize>| {
            let mut buffer = vec![0; length];
            let count = read(&mut buffer)?;
            buffer.truncate(count);
            Ok(Value::Bytes(buffer))
        };
        Some(match operation {
            O::Read(_, length) => read(*length, &|buffer| rustix::io::read(file, buffer)),
            O::ReadAt(_, at, length) => {
                read(*length, &|buffer| rustix::io::pread(file, buffer, *at))
            }
            O::Write(_, length, seed) => number(rustix::io::write(file, &pattern(*length, *seed))),
            O::WriteAt(_, at, length) => {
                number(rustix::io::pwrite(file, &pattern(*length, 7), *at))
            }
            O::Seek(_, at) => fs::seek(file, fs::SeekFrom::Start(*at)).map(Value::Number),
            O::SetSizeOpen(_, size) => fs::ftruncate(file, *size).map(|()| Value::Unit),
            _ => fs::fstat(file).map(|stat| self.stat(stat)),
        })
    }
}

impl Filesystem for Host {
    fn run(&mut self, _caller: &Caller, operation: &Operation) -> Outcome {
        use Operation as O;
        let code = |error: Errno| {
            name(error).unwrap_or_else(|| panic!("{error:?} of {operation:?} is no known code"))
        };
        if let O::Close(slot) = operation {
            self.open[*slot] = None;
            return Ok(Value::Unit);
        }
        let by_slot = matches!(
            operation,
            O::Read(..)
                | O::Write(..)
                | O::ReadAt(..)
                | O::WriteAt(..)
                | O::Seek(..)
                | O::SetSizeOpen(..)
                | O::StatOpen(..)
        );
        if by_slot {
            return self
                .run_open(operation)
                .map_or(Err("closed"), |result| result.map_err(code));
        }
        self.try_run(operation).map_err(code)
    }

    fn dump(&mut self) -> Vec<(Vec<u8>, Outcome, Outcome)> {
        crate::dump(self)
    }
}

/// What is left of a value where an overlay cannot know or write back more.
pub fn plain(value: Value) -> Value {
    let Value::Stat(mut stat) = value else {
        return value;
    };
    stat.links = 1;
    stat.mode &= 0o777;
    if stat.kind != Kind::Regular {
        stat.modified = Default::default();
    }
    Value::Stat(stat)
}

/// An empty directory for modes that are meant as they are.
pub fn directory() -> TempDir {
    rustix::process::umask(Mode::empty());
    tempfile::tempdir().unwrap()
}

fn no_follow(follow: bool) -> AtFlags {
    if follow {
        AtFlags::empty()
    } else {
        AtFlags::SYMLINK_NOFOLLOW
    }
}

fn flags(options: &OpenOptions) -> OFlags {
    let mut flags = match (options.read, options.write) {
        (true, true) => OFlags::RDWR,
        (false, true) => OFlags::WRONLY,
        _ => OFlags::RDONLY,
    };
    flags.set(OFlags::APPEND, options.append);
    flags.set(OFlags::CREATE, options.create);
    flags.set(OFlags::EXCL, options.exclusive);
    flags.set(OFlags::TRUNC, options.truncate);
    flags.set(OFlags::DIRECTORY, options.directory);
    flags.set(OFlags::NOFOLLOW, options.no_follow);
    flags
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::Regular,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::Symlink,
        FileType::Fifo => Kind::Fifo,
        other => panic!("{other:?} was never made"),
    }
}

fn name(error: Errno) -> Option<&'static str> {
    let names = [
        (Errno::ACCESS, "EACCES"),
        (Errno::BADF, "EBADF"),
        (Errno::BUSY, "EBUSY"),
        (Errno::EXIST, "EEXIST"),
        (Errno::FBIG, "EFBIG"),
        (Errno::INVAL, "EINVAL"),
        (Errno::ISDIR, "EISDIR"),
        (Errno::LOOP, "ELOOP"),
        (Errno::NAMETOOLONG, "ENAMETOOLONG"),
        (Errno::NOENT, "ENOENT"),
        (Errno::NOTDIR, "ENOTDIR"),
        (Errno::NOTEMPTY, "ENOTEMPTY"),
        (Errno::PERM, "EPERM"),
        (Errno::XDEV, "EXDEV"),
    ];
    names
        .iter()
        .find(|(known, _)| *known == error)
        .map(|(_, name)| *name)
}
