//! Where a new archive is written: beside the old one under another name, or into memory for standard output.

use std::io::{self, BufWriter, Cursor, Seek, SeekFrom, Write};

use crate::output::{CHUNK, Output};
use crate::system::{self, File, Kind};

/// A new archive.
pub(super) enum Target {
    /// For standard output, which cannot be sought.
    Memory(Cursor<Vec<u8>>),
    /// A file that is going to take the archive's place.
    File(Temporary),
}

/// A file beside the archive, which is removed where it does not become the archive.
pub(super) struct Temporary {
    writer: BufWriter<File>,
    path: Vec<u8>,
    archive: Vec<u8>,
}

impl Target {
    /// A place for the archive `path`.
    ///
    /// # Errors
    /// Nothing can be made beside it.
    pub(super) fn begin(path: &[u8], to_output: bool) -> system::Result<Target> {
        if to_output {
            return Ok(Target::Memory(Cursor::new(Vec::new())));
        }
        let directory = path.iter().rposition(|&byte| byte == b'/');
        let directory = &path[..directory.map_or(0, |at| at + 1)];
        let mut attempt = 0;
        loop {
            let number = system::identity().pid.wrapping_add(attempt) % 1_000_000;
            let temporary = [directory, format!("zi{number:06}").as_bytes()].concat();
            match system::create_new(&temporary) {
                Err(system::EXIST) if attempt < 100 => attempt += 1,
                made => {
                    return Ok(Target::File(Temporary {
                        writer: BufWriter::with_capacity(CHUNK, made?),
                        path: temporary,
                        archive: path.to_vec(),
                    }));
                }
            }
        }
    }

    /// Makes the content the archive, or puts it out.
    pub(super) fn finish(self, out: &mut Output) -> system::Result<()> {
        match self {
            Target::Memory(content) => {
                out.put(content.into_inner());
                Ok(())
            }
            Target::File(mut temporary) => temporary.replace(),
        }
    }
}

impl Temporary {
    /// Takes the archive's place and gets its mode. One with several names, or behind a symbolic link, is written
    /// over.
    fn replace(&mut self) -> system::Result<()> {
        self.writer.flush()?;
        let old = system::stat(&self.archive, false).ok();
        if old
            .as_ref()
            .is_some_and(|old| old.kind == Kind::Symlink || old.links > 1)
        {
            let mut source = system::open_file(&self.path)?;
            let mut archive = system::create_file(&self.archive, false)?;
            io::copy(&mut source, &mut archive)?;
            return Ok(());
        }
        if let Some(old) = old {
            system::set_mode(&self.path, old.mode)?;
        }
        system::rename(&self.path, &self.archive)?;
        self.path.clear();
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.path.is_empty() {
            // What is left is only in the way; nobody is left to tell.
            let _ = system::unlink(&self.path);
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Memory(content) => content.write(bytes),
            Target::File(file) => file.writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Memory(_) => Ok(()),
            Target::File(file) => file.writer.flush(),
        }
    }
}

impl Seek for Target {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Target::Memory(content) => content.seek(to),
            Target::File(file) => file.writer.seek(to),
        }
    }
}
