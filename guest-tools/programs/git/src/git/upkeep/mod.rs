//! Keeping a repository small and whole: `git gc`, `repack`, `prune`, `fsck` and what they consist of.

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

/// What is older than this is old enough to go.
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

    /// Whether a time is long enough ago.
    pub fn is_over(self, seconds: i64) -> bool {
        seconds < self.0
    }

    /// Whether a file was written long enough ago.
    pub fn is_old(self, stat: &Stat) -> bool {
        self == Expiry::ALL || stat.modified.seconds <= self.0
    }
}
