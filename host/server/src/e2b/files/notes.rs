//! What clients write down about files. The filesystem has no extended attributes, so it is kept in the
//! sandbox's record.

use super::super::access::Call;
use super::super::failure::{Code, Failure, Result};
use super::super::record::{Note, Notes};
use super::ENVD;
use offshoot_vfs::Vfs;
use std::collections::BTreeMap;

/// Bytes of all notes of a sandbox: its record is read and written as a whole.
const MOST: usize = 256 << 10;

impl Call {
    /// Keeps what a client says of a file that it has written, in place of what was said before.
    pub(super) async fn annotate(
        &self,
        inode: u64,
        path: &str,
        metadata: &BTreeMap<String, String>,
    ) -> Result<()> {
        let is_noted = self
            .entry
            .change(|record| record.notes.contains_key(&inode));
        if metadata.is_empty() && !is_noted {
            return Ok(());
        }
        let awake = self.endpoint.enter(&self.entry).await?;
        let vfs = awake.sandbox().vfs().clone();
        drop(awake);
        let note = Note {
            path: path.to_owned(),
            metadata: metadata.clone(),
        };
        self.entry.change(|record| {
            record.notes.remove(&inode);
            if note.metadata.is_empty() {
                return Ok(());
            }
            if size(&record.notes) + length(&note) > MOST {
                record
                    .notes
                    .retain(|inode, note| is_there(&vfs, *inode, note));
            }
            if size(&record.notes) + length(&note) > MOST {
                let message = format!("the metadata of a sandbox's files has at most {MOST} bytes");
                return Err(Failure::new(Code::NoSpace, message));
            }
            record.notes.insert(inode, note);
            Ok(())
        })?;
        self.endpoint.persist(&self.entry).await
    }
}

/// Whether the file is where it was. One that was moved away is forgotten when the room is needed.
fn is_there(vfs: &Vfs, inode: u64, note: &Note) -> bool {
    let found = vfs.stat(&ENVD, vfs.root(), note.path.as_bytes(), true);
    found.is_ok_and(|found| found.inode == inode)
}

fn size(notes: &Notes) -> usize {
    notes.values().map(length).sum()
}

fn length(note: &Note) -> usize {
    let pairs = note.metadata.iter();
    note.path.len()
        + pairs
            .map(|(key, value)| key.len() + value.len())
            .sum::<usize>()
}
