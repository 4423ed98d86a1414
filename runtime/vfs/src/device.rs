//! Character devices and the directory `/dev`.

use std::sync::Arc;

use crate::{Caller, Error, Kind, Mount, Result, Source, SourceFile, SourceStat, Vfs};

/// What a device node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Device {
    /// Swallows what is written; reads as empty.
    Null,
    /// Reads as zeros without end.
    Zero,
    /// Reads as zeros; writing fails with `ENOSPC`.
    Full,
    /// Reads as random bytes.
    Random,
    /// The terminal of the process that opens it.
    Tty,
    /// A descriptor of the process that opens it: `/dev/stdin`, `/dev/fd/7`.
    Descriptor(u32),
}

const DEVICES: [(&[u8], Device); 9] = [
    (b"full", Device::Full),
    (b"null", Device::Null),
    (b"random", Device::Random),
    (b"stderr", Device::Descriptor(2)),
    (b"stdin", Device::Descriptor(0)),
    (b"stdout", Device::Descriptor(1)),
    (b"tty", Device::Tty),
    (b"urandom", Device::Random),
    (b"zero", Device::Zero),
];

impl Vfs {
    /// Fills a directory, `/dev` as a rule, with `null`, `zero`, `full`, `random`, `urandom`,
    /// `tty`, `stdin`, `stdout`, `stderr`, and `fd`, where every number below 1,024 leads to that
    /// descriptor. The directory is made where it is missing.
    ///
    /// # Errors
    /// `EEXIST` where one of them is there already, and those of [`Vfs::create_device`].
    pub fn populate_devices(&self, path: &[u8]) -> Result<()> {
        let (root, caller) = (self.root(), &Caller::ROOT);
        self.create_dir_all(caller, root, path, 0o755)?;
        let directory = self.resolve(caller, root, path, true)?;
        for (name, device) in DEVICES {
            self.create_device(caller, directory, name, device, 0o666)?;
        }
        self.create_dir(caller, directory, b"fd", 0o555)?;
        self.mount_descriptors(&[path, b"/fd"].concat())
    }

    /// Mounts on a directory, `/dev/fd` as a rule, what leads from each number below 1,024 to that
    /// descriptor.
    ///
    /// # Errors
    /// Those of [`Vfs::mount`].
    pub fn mount_descriptors(&self, path: &[u8]) -> Result<()> {
        self.mount(&Caller::ROOT, path, Mount::system(Descriptors))
    }
}

/// The directory `/dev/fd`: which descriptors are open is known to a process only, so it lists the
/// standard ones and finds them all.
struct Descriptors;

impl Source for Descriptors {
    fn stat(&self, path: &[u8]) -> Result<SourceStat> {
        if path.is_empty() {
            return Ok(SourceStat::new(Kind::Directory, 0o555));
        }
        let number = std::str::from_utf8(path)
            .ok()
            .and_then(|path| path.parse().ok());
        match number {
            Some(number @ 0..1024) if number.to_string().as_bytes() == path => Ok(SourceStat {
                device: Some(Device::Descriptor(number)),
                ..SourceStat::new(Kind::Device, 0o666)
            }),
            _ => Err(Error::NoEntry),
        }
    }

    fn read_dir(&self, _path: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok(vec![b"0".to_vec(), b"1".to_vec(), b"2".to_vec()])
    }

    fn read_link(&self, _path: &[u8]) -> Result<Vec<u8>> {
        Err(Error::Invalid)
    }

    fn open(&self, _path: &[u8]) -> Result<Arc<dyn SourceFile>> {
        Err(Error::NoDevice)
    }
}
