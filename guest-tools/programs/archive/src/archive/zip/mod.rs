//! `zip`, `unzip` and `zipinfo`, after Info-ZIP's zip 3.0 and UnZip 6.0.
//!
//! The format is PKWARE's APPNOTE; the crate `zip` reads and writes it, for the methods Stored and Deflated. Modes
//! come from the external attributes of members that were made on Unix. Times are local ones with a resolution of two
//! seconds, unless the extra field 0x5455 ("UT") has seconds since 1970. Encrypted members and split archives are
//! refused.
//!
//! `write` makes archives and `extract` reads them from a file; `Member` is what both know of a member
//! without reading its content.

mod extract;
mod list;
mod write;

pub use extract::{information, run as unzip};
pub use write::run as zip;

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};

use ::zip::{CompressionMethod, ZipArchive};

use crate::system::Time;
use crate::time;

/// An archive that is read.
type Archive = ZipArchive<BufReader<File>>;

/// What the central directory of an archive says of a member.
#[derive(Clone, Debug)]
struct Member {
    /// Its place in the directory, which is how the library calls it.
    index: usize,
    /// Its name as it is stored. That of a directory ends with `/`.
    name: Vec<u8>,
    /// How many bytes its content has. A claim of the archive: nobody has counted.
    size: u64,
    /// How many bytes it takes in the archive.
    packed: u64,
    /// The CRC-32 of its content.
    crc: u32,
    method: CompressionMethod,
    /// Type and permission bits, where the archive has them.
    mode: Option<u32>,
    /// The time of the DOS fields as year, month, day, hour, minute and second, in the local time zone.
    date: [u16; 6],
    /// The time in seconds since 1970, where it is known exactly.
    stamp: Option<i64>,
    is_encrypted: bool,
    /// Bit 0 of the internal attributes: the content is text.
    is_text: bool,
    /// It has extra fields.
    has_extra: bool,
    /// The version of the format that it was made for, as major and minor.
    version: (u8, u8),
    /// It was made on Unix, so that its mode is one.
    unix: bool,
}

impl Member {
    fn is_directory(&self) -> bool {
        self.name.ends_with(b"/")
    }

    fn is_link(&self) -> bool {
        self.mode.is_some_and(|mode| mode & 0o170_000 == 0o120_000)
    }

    /// Whether a file of that time is newer; the time of DOS may have lost a second.
    fn is_older_than(&self, time: Time) -> bool {
        let lost = i64::from(self.stamp.is_none());
        time.seconds > self.modified().seconds.saturating_add(lost)
    }

    /// When the file was changed: the exact time if there is one, else the DOS time in the zone of `TZ`.
    fn modified(&self) -> Time {
        let [year, month, day, hour, minute, second] = self.date.map(i64::from);
        let seconds = self.stamp.unwrap_or_else(|| {
            let days = crate::calendar::days_from_civil(year, month - 1, day);
            let local = days * 86_400 + hour * 3600 + minute * 60 + second;
            let zone = time::zone();
            let guess = time::local(
                Time {
                    seconds: local,
                    nanoseconds: 0,
                },
                &zone,
            );
            local - i64::from(guess.offset().seconds())
        });
        Time {
            seconds,
            nanoseconds: 0,
        }
    }
}

/// The members in the order of the central directory. `file` is the archive once more: the internal attributes are
/// read from it, which the library does not tell (offset 36 of a directory header).
fn members(archive: &mut Archive, file: &mut File) -> ::zip::result::ZipResult<Vec<Member>> {
    let mut members = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index)?;
        let date = entry.last_modified().unwrap_or_default();
        let stamp = entry.extra_data_fields().find_map(|field| match field {
            ::zip::extra_fields::ExtraField::ExtendedTimestamp(stamp) => stamp.mod_time(),
            _ => None,
        });
        let mut attributes = [0; 2];
        let place = SeekFrom::Start(entry.central_header_start() + 36);
        let read = file
            .seek(place)
            .and_then(|_| file.read_exact(&mut attributes));
        members.push(Member {
            index,
            name: entry.name_raw().to_vec(),
            size: entry.size(),
            packed: entry.compressed_size(),
            crc: entry.crc32(),
            method: entry.compression(),
            mode: entry.unix_mode(),
            date: [
                date.year(),
                date.month().into(),
                date.day().into(),
                date.hour().into(),
                date.minute().into(),
                date.second().into(),
            ],
            stamp: stamp.map(i64::from),
            is_encrypted: entry.encrypted(),
            is_text: read.is_ok() && attributes[0] & 1 == 1,
            has_extra: entry.extra_data().is_some_and(|data| !data.is_empty()),
            version: entry.version_made_by(),
            unix: entry.system() == ::zip::System::Unix,
        });
    }
    Ok(members)
}

/// How much smaller something became in per cent, rounded to the nearest number as Info-ZIP does. Negative where it
/// grew, 0 for what is empty.
fn percent(size: u64, packed: u64) -> i64 {
    if size == 0 {
        return 0;
    }
    // The sizes are claims of an archive, and may be any.
    let (size, packed) = (i128::from(size), i128::from(packed));
    let share = (200 * (size - packed) / size + 1).div_euclid(2);
    i64::try_from(share).unwrap_or(i64::MIN)
}
