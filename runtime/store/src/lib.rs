//! Snapshots of sandboxes that are never emptier than what was captured.
//!
//! A [`Store`] keeps two things. **Objects** are immutable and named by the hash of what they hold:
//! chunks of files, nodes of trees, sessions, settings, commits. **Refs** are the only mutable thing:
//! each says where one sandbox stands and which commit is its last, and changes by compare-and-swap
//! on an epoch that fences late owners and a number that grows with each change. Both are traits,
//! [`Objects`] and [`Refs`], that memory, SQLite and object stores implement, and that
//! [`conformance`] puts to the test.
//!
//! The nodes of a [`offshoot_vfs::Vfs`] know what they were stored as until they change, so a commit
//! costs what changed. [`Store::checkout`] reads one object and the rest when it is looked at. What
//! is acknowledged was durable before the ref moved: objects, then durability, then the ref, then
//! the answer.
//!
//! ```
//! use offshoot_store::{Capture, Claim, Store, Transition};
//! use offshoot_vfs::{Caller, Options, Vfs};
//!
//! let store = Store::memory();
//! let fs = Vfs::new(Options::default());
//! fs.write_file(&Caller::ROOT, fs.root(), b"/greeting", b"hello", 0o644)?;
//!
//! // A sandbox that runs, and is put to sleep.
//! store.create("box", None)?;
//! let claim = Claim { owner: "node-1".into(), lease_until: None };
//! let epoch = store.change("box", None, &Transition::Start(claim))?.epoch;
//! let receipt = store.suspend("box", epoch, &fs, &Capture::default())?;
//!
//! // The same one, somewhere else.
//! let awake = store.checkout(receipt.commit, Options::default())?;
//! assert_eq!(awake.vfs.read_file(&Caller::ROOT, awake.vfs.root(), b"/greeting")?, b"hello");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
#[cfg_attr(not(feature = "encryption"), path = "plain.rs")]
mod cipher;
mod clock;
mod commit;
pub mod conformance;
mod container;
mod disk;
mod error;
pub mod format;
mod gc;
mod inner;
mod key;
mod machine;
mod memory;
mod object;
mod objects;
mod pending;
mod permission;
mod presence;
mod refs;
#[cfg(feature = "object-store")]
mod remote;
mod restore;
#[cfg(feature = "encryption")]
mod sealed;
mod sink;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod unchanged;
mod walk;

pub use check::{Report, Statistics};
pub use clock::{Clock, SystemClock};
pub use commit::{Capture, Commit, Omission};
pub use container::{Export, Header, Import};
pub use disk::{Disk, HostDisk};
pub use error::{Error, Result};
pub use gc::{Collect, Collected, History, Named};
pub use key::{Key, Root, Seal};
pub use machine::{Claim, Transition};
pub use memory::MemoryStore;
pub use object::{Kind, Object, Target, targets};
pub use objects::{Durability, ObjectInfo, Objects};
pub use offshoot_vfs::ObjectId;
pub use presence::Presence;
pub use refs::{Filter, Pin, Published, Ref, Refs, State, Swap, Version};
#[cfg(feature = "object-store")]
pub use remote::{RemoteObjects, RemoteOptions, RemoteRefs};
pub use restore::{Faults, Receipt, Restored, Verified};
#[cfg(feature = "encryption")]
pub use sealed::{Known, SealedRefs};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteOptions, SqliteStore};
pub use store::{Store, Stored};
