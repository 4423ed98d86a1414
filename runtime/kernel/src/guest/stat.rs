//! What `wasi:filesystem` says of files, from what the filesystem knows of them.

use offshoot_vfs::{Kind, Metadata, NewTime, Timestamp};

use super::bindings::wasi::clocks::wall_clock::Datetime;
use super::bindings::wasi::filesystem::types::{
    DescriptorStat, DescriptorType, MetadataHashValue, NewTimestamp,
};
use super::{Errno, Failure};

/// The time that a guest sets.
pub(super) fn new_time(time: NewTimestamp) -> Result<NewTime, Failure> {
    match time {
        NewTimestamp::NoChange => Ok(NewTime::Keep),
        NewTimestamp::Now => Ok(NewTime::Now),
        NewTimestamp::Timestamp(Datetime {
            seconds,
            nanoseconds,
        }) => {
            let seconds = i64::try_from(seconds).map_err(|_| Errno::Overflow)?;
            if nanoseconds >= 1_000_000_000 {
                return Err(Errno::Invalid.into());
            }
            Ok(NewTime::At(Timestamp {
                seconds,
                nanoseconds,
            }))
        }
    }
}

/// WASI has no time before 1970; such a one is unknown to the guest.
fn datetime(time: Timestamp) -> Option<Datetime> {
    let seconds = u64::try_from(time.seconds).ok()?;
    Some(Datetime {
        seconds,
        nanoseconds: time.nanoseconds,
    })
}

/// Which file it is: equal for two names of one file, different for any two files.
pub(super) fn hash(metadata: &Metadata) -> MetadataHashValue {
    MetadataHashValue {
        lower: metadata.inode,
        upper: metadata.device,
    }
}

impl From<Kind> for DescriptorType {
    fn from(kind: Kind) -> DescriptorType {
        match kind {
            Kind::Regular => DescriptorType::RegularFile,
            Kind::Directory => DescriptorType::Directory,
            Kind::Symlink => DescriptorType::SymbolicLink,
            Kind::Fifo => DescriptorType::Fifo,
            Kind::Device => DescriptorType::CharacterDevice,
        }
    }
}

impl From<Metadata> for DescriptorStat {
    fn from(metadata: Metadata) -> DescriptorStat {
        DescriptorStat {
            type_: metadata.kind.into(),
            link_count: u64::from(metadata.links),
            size: metadata.size,
            data_access_timestamp: datetime(metadata.accessed),
            data_modification_timestamp: datetime(metadata.modified),
            status_change_timestamp: datetime(metadata.changed),
        }
    }
}
