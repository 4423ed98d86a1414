//! Which pages of an instance's memory are its own, and no longer those of the image that it began as.

#![allow(
    unsafe_code,
    reason = "the system is asked for pages by their addresses"
)]

use std::ops::Range;

use wasmtime::AsContextMut;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use super::reach::BLOCK;
use super::reach::Touched;
use crate::guest::Guest;

/// The store of an instance, so that nothing of it runs meanwhile.
pub(super) trait Stored: AsContextMut<Data = Guest> {}

impl<S: AsContextMut<Data = Guest>> Stored for S {}

/// Where a memory lies. It is valid as long as the store has its instance: a memory grows where it is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    begin: usize,
    length: usize,
}

impl Place {
    pub(super) fn of(memory: &[u8]) -> Place {
        Place {
            begin: memory.as_ptr().addr(),
            length: memory.len(),
        }
    }

    /// The numbers of the blocks that may have been written to since the instance was made; none where the system
    /// does not tell.
    ///
    /// Linux tells of each page whether it is still the file's that the memory is a private mapping of. On this kind
    /// of processor its pages are [`BLOCK`] bytes.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub(super) fn written(&self) -> Touched {
        use std::io::{Read as _, Seek as _, SeekFrom};

        const ENTRY: usize = 8;
        const PRESENT: u64 = 1 << 63;
        const SWAPPED: u64 = 1 << 62;
        const OF_FILE: u64 = 1 << 61;
        if !self.begin.is_multiple_of(BLOCK) {
            return None;
        }
        let mut map = std::fs::File::open("/proc/self/pagemap").ok()?;
        let at = (self.begin / BLOCK * ENTRY) as u64;
        map.seek(SeekFrom::Start(at)).ok()?;
        let mut entries = vec![0; self.length / BLOCK * ENTRY];
        map.read_exact(&mut entries).ok()?;
        let own = |entry: &[u8; ENTRY]| {
            let entry = u64::from_ne_bytes(*entry);
            entry & SWAPPED != 0 || entry & PRESENT != 0 && entry & OF_FILE == 0
        };
        let (entries, _) = entries.as_chunks();
        let found = (0..).zip(entries).filter(|(_, entry)| own(entry));
        Some(found.map(|(number, _)| number).collect())
    }

    /// As above; no other system tells.
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    pub(super) fn written(&self) -> Touched {
        None
    }

    /// Makes these ranges of blocks the instance's own, as a write to each would. Their content stays. Where the system
    /// can't, the instance's writes do it.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    pub(super) fn own(&self, _store: &mut impl Stored, ranges: &[Range<u32>]) {
        use rustix::mm::{Advice, madvise};

        if !self.begin.is_multiple_of(BLOCK) {
            return;
        }
        for range in ranges {
            let offset = range.start as usize * BLOCK;
            let Some(begin) = self.at(offset, range.len() * BLOCK) else {
                continue;
            };
            // SAFETY: these are whole pages of the memory, and populating changes none of their bytes.
            let done = unsafe {
                madvise(
                    begin.cast(),
                    range.len() * BLOCK,
                    Advice::LinuxPopulateWrite,
                )
            };
            if done.is_err() {
                return;
            }
        }
    }

    /// As above; other systems can't.
    #[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
    pub(super) fn own(&self, _store: &mut impl Stored, _ranges: &[Range<u32>]) {}

    /// Writes to the memory; false where that ends before, and then some may be written.
    ///
    /// `_store` is the one that has it: nothing of it runs, and nobody else looks at its memory.
    pub(super) fn write(&self, _store: &mut impl Stored, regions: &[(u32, &[u8])]) -> bool {
        regions.iter().all(|(offset, bytes)| {
            let Some(target) = self.at(*offset as usize, bytes.len()) else {
                return false;
            };
            // SAFETY: the target lies within the memory, which can be written to as the instance itself does and to
            // which there is no reference; the bytes are the host's own.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len()) };
            true
        })
    }

    /// The word at an address of the memory.
    pub(super) fn word(&self, _store: &mut impl Stored, at: u32) -> Option<u32> {
        let mut word = [0; 4];
        let source = self.at(at as usize, word.len())?;
        // SAFETY: the source lies within the memory, and nothing of its store runs.
        unsafe {
            std::ptr::copy_nonoverlapping(source.cast_const(), word.as_mut_ptr(), word.len())
        };
        Some(u32::from_le_bytes(word))
    }

    /// The address of a part of the memory. The engine keeps that of the memory as a number as well.
    fn at(&self, offset: usize, length: usize) -> Option<*mut u8> {
        let end = offset.checked_add(length)?;
        let begin = std::ptr::with_exposed_provenance_mut(self.begin + offset);
        (end <= self.length).then_some(begin)
    }
}
