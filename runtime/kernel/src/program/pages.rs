//! Which pages of an instance's memory are its own, and no longer those of the image that it began as.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use super::reach::BLOCK;
use super::reach::Touched;

/// Blocks that every instance may have for its own: the pool writes them anew for the next one in its place.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
const KEPT: usize = (64 << 10) / BLOCK;

/// The numbers of the blocks of `memory` that may have been written to since its instance was made; none where
/// the system does not tell.
///
/// Linux tells of each page whether it is still the file's that the memory is a private mapping of. On this kind of
/// processor its pages are [`BLOCK`] bytes.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(super) fn written(memory: &[u8]) -> Touched {
    use std::io::{Read as _, Seek as _, SeekFrom};

    const ENTRY: usize = 8;
    const PRESENT: u64 = 1 << 63;
    const SWAPPED: u64 = 1 << 62;
    const OF_FILE: u64 = 1 << 61;
    let begin = memory.as_ptr().addr();
    if !begin.is_multiple_of(BLOCK) {
        return None;
    }
    let mut map = std::fs::File::open("/proc/self/pagemap").ok()?;
    let at = (begin / BLOCK * ENTRY) as u64;
    map.seek(SeekFrom::Start(at)).ok()?;
    let mut entries = vec![0; memory.len() / BLOCK * ENTRY];
    map.read_exact(&mut entries).ok()?;
    let own = |entry: &[u8; ENTRY]| {
        let entry = u64::from_ne_bytes(*entry);
        entry & SWAPPED != 0 || entry & PRESENT != 0 && entry & OF_FILE == 0
    };
    let (entries, _) = entries.as_chunks();
    let numbered = (0..).zip(entries);
    let found = numbered.filter(|(number, entry)| (*number as usize) < KEPT || own(entry));
    Some(found.map(|(number, _)| number).collect())
}

/// As above; no other system tells.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) fn written(_: &[u8]) -> Touched {
    None
}
