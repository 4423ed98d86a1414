//! Upkeep of the object database and the references: what `gc` does, in the commands that it consists of.
//!
//! `reach` walks what is in use from all roots of all work trees; `prune` removes loose objects that it did not meet,
//! `repack` puts those that it met into a pack, `fsck` tells what is missing, `expire` shortens histories, `count`
//! counts.

mod count;
mod expire;
mod fsck;
mod gc;
mod pack_refs;
mod prune;
mod reach;
mod repack;

pub use count::count_objects;
pub use expire::{delete, expire};
pub use fsck::fsck;
pub use gc::{gc, maintenance};
pub use pack_refs::pack_refs;
pub use prune::{prune, prune_packed};
pub use repack::repack;

use super::repository::parse_date;
use super::stop::{Outcome, fatal};
use crate::call::bytes;
use crate::system::{Stat, Time};

/// A point in time: what is older than it is old enough to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expiry(i64);

impl Expiry {
    /// All is old enough.
    pub const ALL: Expiry = Expiry(i64::MAX);
    /// Nothing is.
    pub const NEVER: Expiry = Expiry(0);

    /// Reads `now`, `never`, `2.weeks.ago` or a date.
    ///
    /// # Errors
    /// Where it is none of these.
    pub fn parse(text: &[u8]) -> Outcome<Expiry> {
        match text {
            b"now" | b"all" => Ok(Expiry::ALL),
            b"never" | b"false" => Ok(Expiry::NEVER),
            _ => match parse_date(text) {
                Some((seconds, _)) => Ok(Expiry(seconds)),
                None => Err(fatal(bytes!("malformed expiration date '", text, "'"))),
            },
        }
    }

    /// So many days ago.
    pub fn days(count: i64) -> Expiry {
        Expiry(Time::now().seconds - count * 86_400)
    }

    /// Whether a time is long enough ago. Nothing is for [`Expiry::NEVER`], everything for [`Expiry::ALL`].
    pub fn is_over(self, seconds: i64) -> bool {
        seconds < self.0
    }

    /// Whether a file was written long enough ago.
    pub fn is_old(self, stat: &Stat) -> bool {
        self == Expiry::ALL || stat.modified.seconds <= self.0
    }
}
