//! What clients make this process hold beside the sandboxes themselves, and how much of it one may.

use super::failure::{Code, Failure, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How much may be held.
#[derive(Debug, Clone, Copy)]
pub(super) struct Most {
    /// Calls that go on: outputs of commands, watching, transfers.
    pub(super) streams: u32,
    /// Bytes of uploads, listings and downloads.
    pub(super) bytes: u64,
}

/// For one sandbox. A client that does not read or does not end its upload has these held as long as it
/// likes, and nobody else's.
pub(super) const OF_A_SANDBOX: Most = Most {
    streams: 256,
    bytes: 1 << 30,
};

/// For all sandboxes together.
pub(super) const OF_ALL: Most = Most {
    streams: 4_096,
    bytes: 4 << 30,
};

/// What is held for a sandbox, or for all of them.
#[derive(Debug)]
pub(super) struct Share {
    whose: &'static str,
    most: Most,
    held: Mutex<(u32, u64)>,
    /// What it is a part of.
    whole: Option<Arc<Share>>,
}

impl Share {
    /// What all have together.
    pub(super) fn of_all(most: Most) -> Arc<Share> {
        Arc::new(Share {
            whose: "of all sandboxes together",
            most,
            held: Mutex::default(),
            whole: None,
        })
    }

    /// One sandbox's part.
    pub(super) fn of_a_sandbox(whole: &Arc<Share>, most: Most) -> Arc<Share> {
        Arc::new(Share {
            whose: "of a sandbox",
            most,
            held: Mutex::default(),
            whole: Some(Arc::clone(whole)),
        })
    }

    /// A call that goes on until what is returned is dropped.
    pub(super) fn stream(self: &Arc<Share>) -> Result<Charge> {
        self.charge(1, 0)
    }

    /// Bytes that are held until what is returned is dropped.
    pub(super) fn bytes(self: &Arc<Share>, bytes: u64) -> Result<Charge> {
        self.charge(0, bytes)
    }

    fn charge(self: &Arc<Share>, streams: u32, bytes: u64) -> Result<Charge> {
        self.take(streams, bytes)?;
        Ok(Charge {
            share: Arc::clone(self),
            streams,
            bytes,
        })
    }

    fn take(&self, streams: u32, bytes: u64) -> Result<()> {
        {
            let mut held = self.lock();
            let (Some(streams), Some(bytes)) =
                (held.0.checked_add(streams), held.1.checked_add(bytes))
            else {
                return Err(self.full());
            };
            if streams > self.most.streams || bytes > self.most.bytes {
                return Err(self.full());
            }
            *held = (streams, bytes);
        }
        let Some(whole) = &self.whole else {
            return Ok(());
        };
        whole.take(streams, bytes).inspect_err(|_| {
            let mut held = self.lock();
            *held = (held.0 - streams, held.1 - bytes);
        })
    }

    fn give_back(&self, streams: u32, bytes: u64) {
        {
            let mut held = self.lock();
            *held = (held.0 - streams, held.1 - bytes);
        }
        if let Some(whole) = &self.whole {
            whole.give_back(streams, bytes);
        }
    }

    fn full(&self) -> Failure {
        let Most { streams, bytes } = self.most;
        let message = format!(
            "at most {streams} streams and transfers with {} MiB {} may be open at once; try again when \
             some have ended",
            bytes >> 20,
            self.whose
        );
        Failure::new(Code::ResourceExhausted, message)
    }

    fn lock(&self) -> MutexGuard<'_, (u32, u64)> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that is held.
#[derive(Debug)]
pub(super) struct Charge {
    share: Arc<Share>,
    streams: u32,
    bytes: u64,
}

impl Charge {
    /// Makes it at least so many bytes.
    pub(super) fn grow_to(&mut self, bytes: u64) -> Result<()> {
        let more = bytes.saturating_sub(self.bytes);
        if more > 0 {
            self.share.take(0, more)?;
            self.bytes = bytes;
        }
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.share.give_back(self.streams, self.bytes);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn what_is_held_is_bounded_and_given_back() {
        let (few, more) = (
            Most {
                streams: 2,
                bytes: 100,
            },
            Most {
                streams: 3,
                bytes: 150,
            },
        );
        let whole = Share::of_all(more);
        let one = Share::of_a_sandbox(&whole, few);
        let other = Share::of_a_sandbox(&whole, few);
        let refused = |result: Result<Charge>| result.unwrap_err().code();
        let streams = [one.stream().unwrap(), one.stream().unwrap()];
        assert_eq!(refused(one.stream()), Code::ResourceExhausted);
        // What one cannot have is left to others, and all together are bounded.
        let third = other.stream().unwrap();
        assert_eq!(refused(other.stream()), Code::ResourceExhausted);
        drop((streams, third));
        let mut upload = one.bytes(60).unwrap();
        upload.grow_to(100).unwrap();
        upload.grow_to(10).unwrap();
        assert!(upload.grow_to(101).is_err());
        assert_eq!(refused(other.bytes(51)), Code::ResourceExhausted);
        assert_eq!(refused(other.bytes(u64::MAX)), Code::ResourceExhausted);
        let rest = other.bytes(50).unwrap();
        drop((upload, rest));
        assert_eq!(*whole.lock(), (0, 0));
        assert_eq!(*one.lock(), (0, 0));
    }
}
