//! Archives and compressed files: `ar`, `tar`, `zip`, `cpio`, `zstd`, and `gzip`, `bzip2` and `xz` with their relatives.
//!
//! `tar`, `zip`, `cpio` and `ar` share `safety`, which decides whether a member's name may be written to. The rule is
//! the same for all: no member is written outside the directory that is extracted to, whatever its name, and whatever
//! symbolic links the archive itself brings. All compressions come from `offshoot_codec`, which `zgrep` and its
//! relatives read too.
//!
//! | Module | Commands | Format |
//! |---|---|---|
//! | `tar`, `create`, `extract`, `compare`, `delete`, `transform` | `tar` | ustar, pax and GNU read, GNU written |
//! | `zip` | `zip`, `unzip`, `zipinfo` | PKWARE's APPNOTE, with Info-ZIP's extra fields |
//! | `cpio` | `cpio` | `bin`, `odc`, `newc`, `crc` |
//! | `ar` | `ar`, `ranlib` | System V, GNU's and BSD's long names |
//! | `compress`, `zstd` | `gzip`, `bzip2`, `xz`, `lzma`, `zstd` and what undoes them | RFC 1952, bzip2, xz, RFC 8878 |

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
