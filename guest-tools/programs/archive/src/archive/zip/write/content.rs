//! What a source of `zip` has, and how much it is when it is packed.

use std::io::{self, Read, Seek as _, SeekFrom, Write};

use super::{Source, Writer};
use crate::system::{self, Kind};

/// How much of a source is held in memory.
const HELD: u64 = 4 << 20;

/// What a source has: its start in memory, and what is longer is read while it is packed.
pub(super) struct Content {
    start: Vec<u8>,
    rest: Option<Box<dyn Rewind>>,
    /// Whether `rest` can be read once more.
    pub(super) rewinds: bool,
    /// How much was read in the last pass.
    pub(super) size: u64,
    /// Why reading failed, if it did.
    pub(super) failure: Option<system::Failure>,
}

/// What may be read once more from where `Content` has it.
trait Rewind: Read {
    fn rewind(&mut self) -> io::Result<()>;
}

impl Rewind for system::File {
    fn rewind(&mut self) -> io::Result<()> {
        self.seek(SeekFrom::Start(HELD)).map(drop)
    }
}

impl Rewind for io::Stdin {
    fn rewind(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::NotSeekable.into())
    }
}

impl Content {
    /// The source, opened and read up to `HELD`.
    pub(super) fn read(source: &Source) -> system::Result<Content> {
        let held = |start: Vec<u8>| Content {
            size: start.len() as u64,
            start,
            rest: None,
            rewinds: false,
            failure: None,
        };
        let mut rest: Box<dyn Rewind> = match (&source.path, &source.stat) {
            (None, _) => Box::new(io::stdin()),
            (Some(path), Some(stat)) if stat.kind == Kind::Symlink => {
                return system::read_link(path).map(held);
            }
            (Some(_), Some(stat)) if stat.kind == Kind::Directory => return Ok(held(Vec::new())),
            (Some(path), _) => Box::new(system::open_file(path)?),
        };
        let mut start = Vec::new();
        rest.as_mut().take(HELD).read_to_end(&mut start)?;
        let is_long = start.len() as u64 == HELD;
        let mut content = held(start);
        content.rest = Some(rest).filter(|_| is_long);
        content.rewinds = source.path.is_some();
        Ok(content)
    }

    /// Whether it is longer than what is held.
    pub(super) fn is_large(&self) -> bool {
        self.rest.is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Goes back to the start, for another `copy`.
    pub(super) fn rewind(&mut self) -> io::Result<()> {
        self.rest.as_mut().map_or(Ok(()), |rest| rest.rewind())
    }

    /// Writes all of it. Where reading fails that is noted, and an error.
    pub(super) fn copy(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.start)?;
        self.size = self.start.len() as u64;
        let Some(rest) = &mut self.rest else {
            return Ok(());
        };
        let mut buffer = vec![0; crate::output::CHUNK];
        loop {
            match rest.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    self.size += count as u64;
                    out.write_all(&buffer[..count])?;
                }
                Err(error) => {
                    let kind = error.kind();
                    self.failure = Some(error.into());
                    return Err(kind.into());
                }
            }
        }
    }
}

/// How much something is when it is packed.
pub(super) struct Packed(flate2::write::DeflateEncoder<Count>);

/// Counts what is written.
struct Count(u64);

impl Packed {
    /// With nothing in it.
    pub(super) fn new(level: flate2::Compression) -> Packed {
        Packed(flate2::write::DeflateEncoder::new(Count(0), level))
    }

    /// The size; nothing is written afterwards.
    pub(super) fn size(&mut self) -> io::Result<u64> {
        self.0.try_finish()?;
        Ok(self.0.get_ref().0)
    }
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes to both.
pub(super) struct Both<'a>(pub &'a mut Writer, pub &'a mut Packed);

impl Write for Both<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(bytes)?;
        self.1.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
