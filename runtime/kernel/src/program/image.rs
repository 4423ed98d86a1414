//! What a program holds while it rests, as data.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::reach::{BLOCK, PAGE, Region};
use crate::{Error, Result};

/// What begins the bytes of an image.
const MARK: &[u8; 8] = b"offimage";
/// The version that writes them, and the oldest one that can read them.
const VERSION: (u32, u32) = (1, 1);
/// Pages that a memory may have.
const MOST_PAGES: u32 = 1 << 16;

/// What a program held between two of its rounds; see [`crate::Rounds::capture`]. Clones share it.
///
/// It is the memory of an instance as far as it differs from what every instance begins with. A program with more
/// than what it opens at its start, such as a file, has none.
#[derive(Clone)]
pub struct Image(Arc<Held>);

struct Held {
    head: Head,
    regions: Vec<Region>,
}

/// All but the memory.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Head {
    /// Which component it is of.
    pub(crate) component: u64,
    /// Pages of the memory.
    pub(crate) pages: u32,
    pub(crate) umask: u32,
    pub(crate) knows_directory: bool,
    /// The working directory that it has told of.
    pub(crate) directory: Vec<u8>,
}

/// What comes before the bytes of the regions.
#[derive(Serialize, Deserialize)]
struct Index {
    head: Head,
    /// Where each region begins, and its length.
    regions: Vec<(u32, u32)>,
}

impl Image {
    pub(super) fn new(head: Head, regions: Vec<Region>) -> Image {
        Image(Arc::new(Held { head, regions }))
    }

    pub(super) fn head(&self) -> &Head {
        &self.0.head
    }

    pub(super) fn regions(&self) -> &[Region] {
        &self.0.regions
    }

    /// The numbers of the blocks that it has, by region.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Range<u32>> {
        self.regions().iter().map(|(offset, bytes)| {
            let first = offset / BLOCK as u32;
            first..first + (bytes.len() / BLOCK) as u32
        })
    }

    /// Bytes of memory that it has.
    pub fn size(&self) -> u64 {
        let regions = self.0.regions.iter();
        regions.map(|(_, bytes)| bytes.len() as u64).sum()
    }

    /// Whether it is a clone of the other one.
    pub fn is_same(&self, other: &Image) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The image as bytes, with the version that wrote them and the oldest one that can read them.
    ///
    /// # Errors
    /// [`Error::Engine`] where they don't fit into memory.
    pub fn to_bytes(&self) -> Result<Bytes> {
        let lengths = self.0.regions.iter();
        let index = Index {
            head: self.0.head.clone(),
            regions: lengths
                .map(|(offset, bytes)| (*offset, bytes.len() as u32))
                .collect(),
        };
        let begin = postcard::to_stdvec(&(VERSION, index))
            .map_err(|error| Error::Engine(error.to_string()))?;
        let length = begin.len() as u32;
        let parts = [&MARK[..], &length.to_le_bytes(), &begin];
        let size = parts.iter().map(|part| part.len()).sum::<usize>() + self.size() as usize;
        let mut bytes = Vec::with_capacity(size);
        parts.iter().for_each(|part| bytes.extend_from_slice(part));
        let regions = self.0.regions.iter();
        regions.for_each(|(_, region)| bytes.extend_from_slice(region));
        Ok(bytes.into())
    }

    /// The image that [`Image::to_bytes`] wrote, which shares the bytes.
    ///
    /// Whoever can change them can change what the program does in its own sandbox, and nothing else.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for damaged bytes, [`Error::TooNew`] where they ask for a newer version.
    pub fn from_bytes(bytes: &Bytes) -> Result<Image> {
        let (mark, rest) = bytes.split_first_chunk().ok_or(Error::Corrupt)?;
        let (length, rest) = rest.split_first_chunk().ok_or(Error::Corrupt)?;
        let length = u32::from_le_bytes(*length) as usize;
        let begin = rest.get(..length).ok_or(Error::Corrupt)?;
        if mark != MARK {
            return Err(Error::Corrupt);
        }
        let damaged = |_| Error::Corrupt;
        let ((_, oldest), begin): ((u32, u32), _) =
            postcard::take_from_bytes(begin).map_err(damaged)?;
        if oldest > VERSION.0 {
            return Err(Error::TooNew);
        }
        let Index { head, regions } = postcard::from_bytes(begin).map_err(damaged)?;
        let first = bytes.len() - rest.len() + length;
        let content = bytes.slice(first..);
        let regions = placed(&head, &regions, &content).ok_or(Error::Corrupt)?;
        Ok(Image::new(head, regions))
    }
}

/// The regions, where they are in order, apart, whole blocks, and within the memory, and `content` is theirs.
fn placed(head: &Head, lengths: &[(u32, u32)], content: &Bytes) -> Option<Vec<Region>> {
    if head.pages > MOST_PAGES {
        return None;
    }
    let end = u64::from(head.pages) * PAGE as u64;
    let (mut next, mut at) = (0, 0);
    let mut regions = Vec::new();
    for (offset, length) in lengths {
        let is_whole = |number: u32| (number as usize).is_multiple_of(BLOCK);
        let begin = u64::from(*offset);
        let after = begin + u64::from(*length);
        if !is_whole(*offset) || !is_whole(*length) || begin < next || after > end {
            return None;
        }
        let to = at + *length as usize;
        content.get(at..to)?;
        regions.push((*offset, content.slice(at..to)));
        (next, at) = (after, to);
    }
    (at == content.len()).then_some(regions)
}

/// Blocks of a memory by their numbers; zeros are what it has not.
#[derive(Default)]
pub(crate) struct Blocks {
    /// Those that it has, in order; none where it has all from the first one on.
    numbers: Option<Vec<u32>>,
    bytes: Vec<u8>,
}

impl Blocks {
    /// These of the memory, in order, or all.
    pub(super) fn of(memory: &[u8], numbers: Option<&[u32]>) -> Blocks {
        let Some(numbers) = numbers else {
            return Blocks {
                numbers: None,
                bytes: memory.to_vec(),
            };
        };
        let (all, _) = memory.as_chunks::<BLOCK>();
        let blocks = numbers.iter().map(|number| all.get(*number as usize));
        let blocks = blocks.flat_map(|block| block.unwrap_or(&[0; BLOCK]));
        Blocks {
            bytes: blocks.copied().collect(),
            numbers: Some(numbers.to_vec()),
        }
    }

    /// Whether it has all of them.
    pub(super) fn has(&self, numbers: &[u32]) -> bool {
        let own = self.numbers.as_ref();
        own.is_none_or(|own| numbers.iter().all(|one| own.binary_search(one).is_ok()))
    }

    pub(super) fn get(&self, number: u32) -> &[u8; BLOCK] {
        let at = match &self.numbers {
            None => Some(number as usize),
            Some(numbers) => numbers.binary_search(&number).ok(),
        };
        let block = at.and_then(|at| self.bytes.as_chunks().0.get(at));
        block.unwrap_or(&[0; BLOCK])
    }
}

/// The blocks of `memory` that an instance has to get: of those that were touched, or of all, those that differ from
/// what it begins with, where that is known. Neighbours are one region.
pub(super) fn changed(
    memory: &[u8],
    touched: Option<&[u32]>,
    pristine: Option<&Blocks>,
) -> Vec<Region> {
    let (blocks, _) = memory.as_chunks::<BLOCK>();
    let is_changed = |number: &usize| {
        pristine.is_none_or(|pristine| blocks[*number] != *pristine.get(*number as u32))
    };
    let numbers: Box<dyn Iterator<Item = usize>> = match touched {
        Some(touched) => Box::new(touched.iter().map(|number| *number as usize)),
        None => Box::new(0..blocks.len()),
    };
    let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
    for number in numbers
        .filter(|number| *number < blocks.len())
        .filter(is_changed)
    {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => ranges.push(number..number + 1),
        }
    }
    let region = |range: std::ops::Range<usize>| {
        let offset = (range.start * BLOCK) as u32;
        (offset, Bytes::copy_from_slice(blocks[range].as_flattened()))
    };
    ranges.into_iter().map(region).collect()
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Image")
            .field("pages", &self.0.head.pages)
            .field("size", &self.size())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn image() -> Image {
        let head = Head {
            component: 7,
            pages: 2,
            umask: 0o22,
            knows_directory: true,
            directory: b"/tmp".to_vec(),
        };
        let block = |byte| Bytes::from(vec![byte; BLOCK]);
        Image::new(head, vec![(0, block(1)), (3 * BLOCK as u32, block(2))])
    }

    #[test]
    fn bytes_give_the_image_again() {
        let image = image();
        let read = Image::from_bytes(&image.to_bytes().unwrap()).unwrap();
        assert_eq!(read.regions(), image.regions());
        assert_eq!((read.head().component, read.head().pages), (7, 2));
        assert_eq!(read.head().directory, b"/tmp");
    }

    #[test]
    fn damaged_and_forged_bytes_are_refused() {
        let whole = image().to_bytes().unwrap();
        for length in 0..whole.len() {
            let part = whole.slice(..length);
            assert!(
                matches!(Image::from_bytes(&part), Err(Error::Corrupt)),
                "{length}"
            );
        }
        let longer = Bytes::from([&whole[..], b"x"].concat());
        assert!(matches!(Image::from_bytes(&longer), Err(Error::Corrupt)));
        let block = |offset| (offset, Bytes::from(vec![1; BLOCK]));
        let wrong = [
            vec![block(1)],
            vec![block(2 * PAGE as u32)],
            vec![block(u32::MAX - 4095)],
            vec![block(4096), block(0)],
            vec![block(0), block(0)],
            vec![(0, Bytes::from_static(b"short"))],
        ];
        for regions in wrong {
            let forged = Image::new(image().head().clone(), regions)
                .to_bytes()
                .unwrap();
            assert!(matches!(Image::from_bytes(&forged), Err(Error::Corrupt)));
        }
        let huge = Head {
            pages: MOST_PAGES + 1,
            ..image().head().clone()
        };
        let forged = Image::new(huge, Vec::new()).to_bytes().unwrap();
        assert!(matches!(Image::from_bytes(&forged), Err(Error::Corrupt)));
    }

    #[test]
    fn only_what_differs_is_kept() {
        let mut memory = vec![0; 8 * BLOCK];
        let pristine = Blocks::of(&[0; 2 * BLOCK], None);
        (memory[BLOCK], memory[2 * BLOCK], memory[6 * BLOCK]) = (1, 2, 3);
        let found = changed(&memory, None, Some(&pristine));
        let places: Vec<_> = found
            .iter()
            .map(|(at, bytes)| (*at as usize, bytes.len()))
            .collect();
        assert_eq!(places, [(BLOCK, 2 * BLOCK), (6 * BLOCK, BLOCK)]);
        let found = changed(&memory, Some(&[0, 1, 7, 100]), None);
        let places: Vec<_> = found
            .iter()
            .map(|(at, bytes)| (*at as usize, bytes.len()))
            .collect();
        assert_eq!(places, [(0, 2 * BLOCK), (7 * BLOCK, BLOCK)]);
        // Of what was touched, what is again as it was is left out.
        let pristine = Blocks::of(&vec![0; 7 * BLOCK], Some(&[0, 1, 6, 7]));
        let found = changed(&memory, Some(&[0, 1, 6, 7]), Some(&pristine));
        let places: Vec<_> = found.iter().map(|(at, _)| *at as usize / BLOCK).collect();
        assert_eq!(places, [1, 6]);
    }

    #[test]
    fn blocks_are_found_by_their_numbers() {
        let mut memory = vec![0; 4 * BLOCK];
        memory[2 * BLOCK] = 7;
        let some = Blocks::of(&memory, Some(&[0, 2, 9]));
        assert_eq!((some.get(2)[0], some.get(3)[0], some.get(9)[0]), (7, 0, 0));
        assert!(some.has(&[2, 9]) && !some.has(&[1, 2]));
        let all = Blocks::of(&memory, None);
        assert_eq!((all.get(2)[0], all.get(100)[0]), (7, 0));
        assert!(all.has(&[1, 100]));
    }
}
