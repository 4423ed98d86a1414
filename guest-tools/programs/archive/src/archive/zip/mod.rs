//! `zip`, `unzip` and `zipinfo`.

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

/// What an archive says of a member.
#[derive(Clone, Debug)]
struct Member {
    index: usize,
    name: Vec<u8>,
    size: u64,
    packed: u64,
    crc: u32,
    method: CompressionMethod,
    mode: Option<u32>,
    /// The time of the DOS fields, as the zone's.
    date: [u16; 6],
    /// The time in seconds since 1970, where it is known exactly.
    stamp: Option<i64>,
    is_encrypted: bool,
    is_text: bool,
    has_extra: bool,
    version: (u8, u8),
    unix: bool,
}

impl Member {
    fn is_directory(&self) -> bool {
        self.name.ends_with(b"/")
    }

    fn is_link(&self) -> bool {
        self.mode.is_some_and(|mode| mode & 0o170_000 == 0o120_000)
    }

    /// When the file was changed.
    fn modified(&self) -> Time {
        let [year, month, day, hour, minute, second] = self.date.map(i64::from);
        let seconds = self.stamp.unwrap_or_else(|| {
            let days = crate::calendar::days_from_civil(year, month, day);
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

/// The members in the order of the directory.
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

/// How much smaller something became, as Info-ZIP rounds it.
fn percent(size: u64, packed: u64) -> i64 {
    if size == 0 {
        return 0;
    }
    let saved = size as i64 - packed as i64;
    (200 * saved / size as i64 + 1).div_euclid(2)
}
