//! Room on the disk that is kept for the time when there is none: a full disk would not even take the log
//! that says what is to be removed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use crate::permission;

/// The file that holds the room.
const NAME: &str = "reserve";

/// Bytes of it: the shared memory and the log of several small changes.
const ROOM: usize = 1 << 20;

/// Gives the room back; whether there was any.
pub(super) fn spend(directory: &Path) -> bool {
    fs::remove_file(directory.join(NAME)).is_ok()
}

/// Takes the room where it is not taken and is to be had.
pub(super) fn keep(directory: &Path) {
    let path = directory.join(NAME);
    if !path.exists() && fill(&path).is_err() {
        let _ = fs::remove_file(&path);
    }
}

fn fill(path: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    let mut file = permission::private(&mut options).open(path)?;
    // Some file systems keep neither zeros nor what repeats.
    let mut noise = blake3::Hasher::new().update(NAME.as_bytes()).finalize_xof();
    let mut block = [0; 1 << 16];
    for _ in 0..ROOM / block.len() {
        noise.fill(&mut block);
        file.write_all(&block)?;
    }
    Ok(())
}
