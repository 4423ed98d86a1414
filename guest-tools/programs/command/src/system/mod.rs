//! Files and processes as the commands see them: POSIX, with byte paths. In a sandbox they come from
//! the `vfs` and `process` interfaces; natively from the machine, for unit tests; and where commands are
//! linked into the shell (feature `linked`), from the [host](linked::Host) of the run.

#[cfg(feature = "linked")]
pub mod linked;
#[cfg(all(not(target_os = "wasi"), not(feature = "linked")))]
mod native;
#[cfg(not(feature = "linked"))]
mod process;
#[cfg(all(target_os = "wasi", not(feature = "linked")))]
mod sandbox;
pub mod text;

#[cfg(feature = "linked")]
pub use linked::*;
#[cfg(all(not(target_os = "wasi"), not(feature = "linked")))]
pub use native::*;
#[cfg(not(feature = "linked"))]
pub use process::*;
#[cfg(all(target_os = "wasi", not(feature = "linked")))]
pub use sandbox::*;

pub use offshoot_posix::errno::Errno;
pub use offshoot_posix::locale::is_utf8;

use std::io::{self, Read};

use crate::stream;

/// What a directory entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file with content.
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A character device.
    CharacterDevice,
}

impl Kind {
    /// The file type bits of `st_mode`.
    pub fn bits(self) -> u32 {
        match self {
            Kind::Fifo => 0o010_000,
            Kind::CharacterDevice => 0o020_000,
            Kind::Directory => 0o040_000,
            Kind::Regular => 0o100_000,
            Kind::Symlink => 0o120_000,
        }
    }

    /// The letter that `ls -l` starts a line with.
    pub fn letter(self) -> u8 {
        match self {
            Kind::Fifo => b'p',
            Kind::CharacterDevice => b'c',
            Kind::Directory => b'd',
            Kind::Regular => b'-',
            Kind::Symlink => b'l',
        }
    }
}

/// How a terminal takes what is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalMode {
    /// It is shown.
    pub echo: bool,
    /// It is edited, and arrives by lines.
    pub lines: bool,
    /// Keys such as Ctrl-C are signals.
    pub signals: bool,
}

/// A point in time since 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Whole seconds; negative before 1970.
    pub seconds: i64,
    /// What is over, below 1,000,000,000.
    pub nanoseconds: u32,
}

impl Time {
    /// The present.
    #[cfg(feature = "linked")]
    pub fn now() -> Time {
        linked::now()
    }

    /// The present.
    #[cfg(not(feature = "linked"))]
    pub fn now() -> Time {
        let elapsed = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        Time {
            seconds: elapsed.as_secs() as i64,
            nanoseconds: elapsed.subsec_nanos(),
        }
    }

    /// The time that was `ago` earlier.
    #[cfg(all(target_os = "wasi", not(feature = "linked")))]
    pub fn before(self, ago: std::time::Duration) -> Time {
        let total = i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanoseconds)
            - ago.as_nanos() as i128;
        Time {
            seconds: total.div_euclid(1_000_000_000) as i64,
            nanoseconds: total.rem_euclid(1_000_000_000) as u32,
        }
    }

    /// Seconds as a number.
    pub fn as_f64(self) -> f64 {
        self.seconds as f64 + f64::from(self.nanoseconds) / 1e9
    }
}

/// What `stat` reports.
#[derive(Clone, Debug)]
pub struct Stat {
    /// What it is.
    pub kind: Kind,
    /// The number of its filesystem.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// Permission bits and set-id bits, without the type.
    pub mode: u32,
    /// How many names it has.
    pub links: u32,
    /// Its owner.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
    /// Bytes of content.
    pub size: u64,
    /// Blocks of 512 bytes that it takes.
    pub blocks: u64,
    /// When it was read.
    pub accessed: Time,
    /// When its content changed.
    pub modified: Time,
    /// When its content or attributes changed.
    pub changed: Time,
    /// When it was made.
    pub created: Time,
}

impl Stat {
    /// The ten characters of `ls -l`: `-rw-r--r--`.
    pub fn permissions(&self) -> String {
        format!(
            "{}{}",
            char::from(self.kind.letter()),
            mode_letters(self.mode)
        )
    }

    /// Whether both are the same file.
    pub fn is_same(&self, other: &Stat) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// One name in a directory.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The name, without a folder.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: Kind,
}

/// Size and use of a filesystem.
#[derive(Clone, Debug)]
pub struct Space {
    /// Bytes it has room for.
    pub total_bytes: u64,
    /// Bytes that are left.
    pub free_bytes: u64,
    /// Files it has room for.
    pub total_inodes: u64,
    /// Files that are left.
    pub free_inodes: u64,
}

/// Who runs.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Its owner.
    pub uid: u32,
    /// Its group.
    pub gid: u32,
    /// The user's name.
    pub user: String,
    /// The group's name.
    pub group: String,
    /// The host's name.
    pub hostname: String,
    /// The process's number.
    pub pid: u32,
    /// Its parent's number.
    pub parent: u32,
}

/// A live process.
#[derive(Clone, Debug)]
pub struct Process {
    /// The process's number.
    pub pid: u32,
    /// Its parent's number.
    pub parent: u32,
    /// When it began.
    pub started: Time,
    /// The arguments, the name first.
    pub arguments: Vec<Vec<u8>>,
}

impl Process {
    /// The name of the program, without the folder.
    pub fn name(&self) -> &[u8] {
        let first = self
            .arguments
            .first()
            .map(Vec::as_slice)
            .unwrap_or_default();
        first.rsplit(|&byte| byte == b'/').next().unwrap_or(first)
    }
}

/// How a child gets its standard input, output and error.
#[derive(Default)]
pub struct Streams<'a> {
    /// Read from this file instead of ours.
    pub input: Option<&'a Handle>,
    /// Write to this file instead of ours.
    pub output: Option<&'a Handle>,
    /// Write messages to this file instead of our standard error.
    pub errors: Option<&'a Handle>,
    /// Stays open for it too, as descriptor 3.
    pub kept: Option<&'a Handle>,
}

/// How a file is locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Others may hold it shared too.
    Shared,
    /// Nobody else may hold it.
    Exclusive,
    /// No lock.
    None,
}

/// A command to start.
pub struct Spawn<'a> {
    /// Path of the program.
    pub path: &'a [u8],
    /// The arguments, the name first.
    pub arguments: &'a [Vec<u8>],
    /// The whole environment.
    pub environment: &'a [(Vec<u8>, Vec<u8>)],
    /// The working directory; none keeps ours.
    pub directory: Option<&'a [u8]>,
    /// Redirections.
    pub streams: Streams<'a>,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It ended with this status.
    Code(u8),
    /// This signal ended it.
    Signal(u8),
}

impl Exit {
    /// As a shell reports it: 128 and the signal's number.
    pub fn status(self) -> i32 {
        match self {
            Exit::Code(code) => i32::from(code),
            Exit::Signal(signal) => 128 + i32::from(signal),
        }
    }
}

/// Why an operation failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(pub Errno);

/// No such file or directory.
pub const NO_ENTRY: Failure = Failure(Errno::NoEntry);
/// There are as many processes as there may be.
pub const AGAIN: Failure = Failure(Errno::Again);
/// The file exists.
pub const EXIST: Failure = Failure(Errno::Exist);
/// The call makes no sense.
pub const INVALID: Failure = Failure(Errno::Invalid);
/// The two places are on different filesystems.
pub const CROSSES_DEVICES: Failure = Failure(Errno::CrossDevice);
/// The permission bits refuse.
pub const ACCESS: Failure = Failure(Errno::Access);

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        use io::ErrorKind as K;
        Failure(match error.kind() {
            K::NotFound => return NO_ENTRY,
            K::PermissionDenied => return ACCESS,
            K::AlreadyExists => return EXIST,
            K::IsADirectory => Errno::IsDirectory,
            K::NotADirectory => Errno::NotDirectory,
            K::DirectoryNotEmpty => Errno::NotEmpty,
            K::BrokenPipe => Errno::BrokenPipe,
            K::InvalidInput => return INVALID,
            K::StorageFull => Errno::NoSpace,
            K::FileTooLarge => Errno::FileTooLarge,
            K::ReadOnlyFilesystem => Errno::ReadOnly,
            K::CrossesDevices => return CROSSES_DEVICES,
            K::ResourceBusy => Errno::Busy,
            K::Unsupported => Errno::NotSupported,
            K::InvalidFilename => Errno::NameTooLong,
            K::NotSeekable => Errno::CannotSeek,
            K::ArgumentListTooLong => Errno::ArgumentsTooLong,
            _ => return other(&error),
        })
    }
}

/// What the standard library has no kind for, by the text that the C library gives it.
fn other(error: &io::Error) -> Failure {
    const KNOWN: [Errno; 6] = [
        Errno::TooManyLinks,
        Errno::NotPermitted,
        Errno::BadDescriptor,
        Errno::TooManyDescriptors,
        Errno::NoDevice,
        Errno::NoExec,
    ];
    let text = error.to_string();
    if text.starts_with("Symbolic link loop") {
        return Failure(Errno::TooManyLinks);
    }
    let known = KNOWN
        .into_iter()
        .find(|errno| text.starts_with(errno.message()));
    match known {
        Some(errno) => Failure(errno),
        None => stream_failure().unwrap_or(Failure(Errno::Io)),
    }
}

impl AsRef<[u8]> for Failure {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

/// What an operation gives.
pub type Result<T> = std::result::Result<T, Failure>;

/// Permission bits as the nine letters of `ls -l`: `rwsr-xr-t`.
pub fn mode_letters(mode: u32) -> String {
    let mut text = String::with_capacity(9);
    let special = [(0o4000, 's', 'S'), (0o2000, 's', 'S'), (0o1000, 't', 'T')];
    for (class, (bit, set, only)) in special.into_iter().enumerate() {
        let bits = mode >> (6 - 3 * class);
        text.push(if bits & 4 != 0 { 'r' } else { '-' });
        text.push(if bits & 2 != 0 { 'w' } else { '-' });
        text.push(match (mode & bit != 0, bits & 1 != 0) {
            (true, true) => set,
            (true, false) => only,
            (false, true) => 'x',
            (false, false) => '-',
        });
    }
    text
}

/// `path` below the directory `base`.
pub fn join(base: &[u8], path: &[u8]) -> Vec<u8> {
    if path.first() == Some(&b'/') || base.is_empty() {
        return path.to_vec();
    }
    let mut whole = base.to_vec();
    if whole.last() != Some(&b'/') {
        whole.push(b'/');
    }
    whole.extend_from_slice(path);
    whole
}

/// The program that the word `name` stands for, looked up in `path` where it has no slash.
pub fn find_program(name: &[u8], path: &[u8]) -> Result<Vec<u8>> {
    let usable = |file: &[u8]| match stat(file, true) {
        Ok(found) if found.kind == Kind::Directory => Err(ACCESS),
        Ok(_) => access(file, 1),
        Err(failure) => Err(failure),
    };
    if name.contains(&b'/') {
        return usable(name).map(|()| name.to_vec());
    }
    let mut worst = NO_ENTRY;
    for directory in path.split(|&byte| byte == b':') {
        let directory = if directory.is_empty() {
            b".".as_slice()
        } else {
            directory
        };
        let file = join(directory, name);
        match usable(&file) {
            Ok(()) => return Ok(file),
            Err(ACCESS) if stat(&file, true).is_ok_and(|s| s.kind != Kind::Directory) => {
                worst = ACCESS
            }
            Err(_) => {}
        }
    }
    Err(worst)
}

/// The value of `PATH`, or the usual one.
pub fn search_path() -> Vec<u8> {
    variable("PATH").unwrap_or_else(|| b"/usr/bin:/bin".to_vec())
}

/// A variable of the environment as text; none where it is not UTF-8.
pub fn text_variable(name: &str) -> Option<String> {
    variable(name).and_then(|value| String::from_utf8(value).ok())
}

/// Opens a file for reading; `-` is standard input.
pub fn open_input(path: &[u8]) -> Result<Box<dyn Read>> {
    if path == b"-" {
        return Ok(Box::new(stream::stdin()));
    }
    if is_plain(path, &stat(path, true)?) {
        return Ok(Box::new(open_handle(path, false)?));
    }
    Ok(Box::new(open_file(path)?))
}

/// Whether a path is opened as a descriptor of the sandbox, which takes fewer calls than a file of WASI. That one waits
/// for a FIFO without asking again and again, and has an offset of its own below `/dev/fd`.
fn is_plain(path: &[u8], found: &Stat) -> bool {
    found.kind == Kind::Regular && !path.starts_with(b"/dev/")
}

/// A file that has so many bytes, as its metadata says; what it has got since is left out. One of none may be made as
/// it is read, and is read to its end.
pub fn read_sized(path: &[u8], size: u64) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    content.reserve_exact(usize::try_from(size).unwrap_or(0));
    let most = if size == 0 { u64::MAX } else { size };
    let file = open_handle(path, false)?;
    file.take(most).read_to_end(&mut content)?;
    Ok(content)
}

/// A whole file, or standard input for `-`.
pub fn read_whole(path: &[u8]) -> Result<Vec<u8>> {
    if path != b"-"
        && let Ok(found) = stat(path, true)
        && is_plain(path, &found)
    {
        let mut content = Vec::new();
        content.reserve_exact(usize::try_from(found.size).unwrap_or(0) + 1);
        open_handle(path, false)?.read_to_end(&mut content)?;
        return Ok(content);
    }
    let mut content = Vec::new();
    open_input(path)?.read_to_end(&mut content)?;
    Ok(content)
}
