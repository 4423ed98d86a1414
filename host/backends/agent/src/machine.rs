//! The machine around the agent: modules, file systems, the way to the host, clock and randomness.

use crate::vsock;
use offshoot_agent::{PORT, WHOLE};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::{Mode, OFlags};
use rustix::mount::MountFlags;
use rustix::time::{ClockId, Timespec};
use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

/// Where the agent and its modules lie.
const OWN: &str = "/.offshoot";
/// How long one waits for the port to appear.
const LOOK: Duration = Duration::from_millis(5);
/// The same for a wait that a host ends.
const SOON: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 5_000_000,
};

/// How the host is reached.
#[derive(Debug)]
pub(crate) enum Host {
    /// By a port that is there for ever.
    Port(OwnedFd),
    /// By one stream after the other, which are accepted here.
    Listener(OwnedFd),
}

/// Makes the machine ready and gives the way to the host.
pub(crate) fn prepare() -> io::Result<Host> {
    let plain = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    let shared = MountFlags::NOSUID | MountFlags::NODEV;
    let device = MountFlags::NOSUID | MountFlags::NOEXEC;
    for (path, kind, flags, needed) in [
        ("/proc", "proc", plain, true),
        ("/sys", "sysfs", plain, true),
        ("/sys/fs/cgroup", "cgroup2", plain, false),
        ("/dev", "devtmpfs", MountFlags::NOSUID, true),
        ("/dev/pts", "devpts", device, false),
        ("/dev/shm", "tmpfs", shared, false),
    ] {
        // Some are there by the kernel or the root file system.
        let _ = fs::create_dir_all(path);
        let mounted = rustix::mount::mount(kind, path, kind, flags, None);
        if needed && mounted.is_err_and(|error| error != rustix::io::Errno::BUSY) {
            return Err(io::Error::other(format!("{path} cannot be mounted")));
        }
    }
    for (target, path) in [
        ("/proc/self/fd", "/dev/fd"),
        ("fd/0", "/dev/stdin"),
        ("fd/1", "/dev/stdout"),
        ("fd/2", "/dev/stderr"),
    ] {
        // It may be there.
        let _ = symlink(target, path);
    }
    // At first it was as large as what the archive of its files left; now that is free.
    let _ = rustix::mount::mount_remount("/", MountFlags::empty(), "size=80%");
    let _ = rustix::system::sethostname(b"offshoot");
    modules(&Path::new(OWN).join("modules"))?;
    // What runs out of memory is what was started, never the agent.
    let _ = fs::write("/proc/self/oom_score_adj", "-1000");
    host()
}

/// Loads modules in the order of their names.
fn modules(directory: &Path) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(directory) else {
        // The kernel has everything built in.
        return Ok(());
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let file = fs::File::open(&path)?;
        match rustix::system::finit_module(&file, c"", 0) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(io::Error::other(format!("{}: {error}", path.display()))),
        }
    }
    Ok(())
}

/// Waits for the port, whose driver finds it after the modules are there, or for a host that calls by vsock.
fn host() -> io::Result<Host> {
    // A kernel that knows nothing of it has a port.
    let mut listener = vsock::listen().ok();
    loop {
        if let Some(port) = port()? {
            return Ok(Host::Port(port));
        }
        let Some(listening) = &listener else {
            std::thread::sleep(LOOK);
            continue;
        };
        let mut poll = [PollFd::new(listening, PollFlags::IN)];
        let _ = rustix::event::poll(&mut poll, Some(&SOON));
        let is_called = poll[0].revents().contains(PollFlags::IN);
        if let Some(listener) = listener.take_if(|_| is_called) {
            return Ok(Host::Listener(listener));
        }
    }
}

/// The port, if it is there.
fn port() -> io::Result<Option<OwnedFd>> {
    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let entries = fs::read_dir("/sys/class/virtio-ports");
    for entry in entries.into_iter().flatten() {
        let entry = entry?;
        let name = fs::read_to_string(entry.path().join("name")).unwrap_or_default();
        if name.trim() != PORT {
            continue;
        }
        let path = Path::new("/dev").join(entry.file_name());
        if let Ok(port) = rustix::fs::open(&path, flags, Mode::empty()) {
            return Ok(Some(port));
        }
    }
    Ok(None)
}

/// Whether the kernel unpacked everything.
pub(crate) fn is_whole() -> bool {
    Path::new("/").join(WHOLE).exists()
}

/// Sets the clock to nanoseconds since 1970.
pub(crate) fn set_clock(time: u64) {
    let (seconds, nanoseconds) = (time / 1_000_000_000, time % 1_000_000_000);
    let time = Timespec {
        tv_sec: i64::try_from(seconds).unwrap_or(i64::MAX),
        tv_nsec: nanoseconds.try_into().unwrap_or_default(),
    };
    // A clock that stays as it is does no harm.
    let _ = rustix::time::clock_settime(ClockId::Realtime, time);
}

/// Mixes bytes that nobody else knows into the kernel's randomness: machines that go on from the same
/// snapshot would draw the same numbers.
pub(crate) fn reseed(seed: &[u8]) {
    let Ok(mut device) = fs::OpenOptions::new().write(true).open("/dev/urandom") else {
        return;
    };
    if device.write_all(seed).is_ok() {
        // Where it is refused, the kernel takes the bytes in with its next reseeding.
        let _ = reseed_now(&device);
    }
}

#[allow(unsafe_code, reason = "the request has no safe wrapper")]
fn reseed_now(device: &fs::File) -> rustix::io::Result<()> {
    const RNDRESEEDCRNG: rustix::ioctl::Opcode = rustix::ioctl::opcode::none(b'R', 7);
    // SAFETY: RNDRESEEDCRNG of linux/random.h has no argument and touches no memory of ours.
    unsafe { rustix::ioctl::ioctl(device, rustix::ioctl::NoArg::<RNDRESEEDCRNG>::new()) }
}
