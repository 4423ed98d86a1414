//! Archives and compressed files: `ar`, `tar`, `zip`, `cpio`, `zstd`, and `gzip`, `bzip2` and `xz` with their relatives.

mod ar;
mod compare;
mod compress;
mod cpio;
mod create;
mod delete;
mod extract;
mod safety;
mod tar;
mod transform;
mod zip;
mod zstd;

pub use ar::{ranlib, run as ar};
pub use compress::run as compress;
pub use cpio::run as cpio;
pub use tar::run as tar;
pub use zip::{information as zipinfo, unzip, zip};
pub use zstd::run as zstd;

use offshoot_codec::codec;
