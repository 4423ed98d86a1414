//! `sed -i`: the file that takes the input's place.
//!
//! It is written beside the old file under another name, and renamed when it is whole: whoever opens the name sees
//! the old content or the new one, and other names of the old file keep the old content.

use crate::system::File;
use std::io::{BufWriter, Write as _};

use crate::output::CHUNK;
use crate::system;

/// The file that is being written in place of the input.
pub struct Replacement {
    /// Where the output goes.
    pub writer: BufWriter<File>,
    /// The name that it has until it is whole, `sed` and six digits.
    pub temporary: Vec<u8>,
    target: Vec<u8>,
}

impl Replacement {
    /// Opens the new file beside the old one, under a name that nothing has.
    pub fn begin(target: &[u8]) -> system::Result<Replacement> {
        let directory = target
            .iter()
            .rposition(|&byte| byte == b'/')
            .map_or(0, |at| at + 1);
        let mut attempt = 0u32;
        loop {
            let unique = format!("sed{:06}", (system::identity().pid + attempt) % 1_000_000);
            let temporary = [&target[..directory], unique.as_bytes()].concat();
            if attempt < 100 && system::stat(&temporary, false).is_ok() {
                attempt += 1;
                continue;
            }
            let file = system::create_file(&temporary, false)?;
            return Ok(Replacement {
                writer: BufWriter::with_capacity(CHUNK, file),
                temporary,
                target: target.to_vec(),
            });
        }
    }

    /// Puts the new file in the old one's place, with its mode. With a suffix the old one is kept under another name:
    ///
    /// ```text
    /// suffix .bak     d/a → d/a.bak        suffix old_*     d/a → d/old_a        suffix b/*     d/a → b/a
    /// ```
    pub fn finish(&mut self, suffix: &[u8]) -> system::Result<()> {
        self.writer.flush()?;
        if let Ok(stat) = system::stat(&self.target, true) {
            system::set_mode(&self.temporary, stat.mode)?;
        }
        if !suffix.is_empty() {
            let at = self
                .target
                .iter()
                .rposition(|&byte| byte == b'/')
                .map_or(0, |at| at + 1);
            let (directory, name) = self.target.split_at(at);
            let backup = if suffix.contains(&b'*') {
                suffix
                    .split(|&byte| byte == b'*')
                    .collect::<Vec<_>>()
                    .join(name)
            } else {
                [name, suffix].concat()
            };
            let backup = if backup.contains(&b'/') {
                backup
            } else {
                [directory, &backup].concat()
            };
            system::rename(&self.target, &backup)?;
        }
        system::rename(&self.temporary, &self.target)
    }
}
