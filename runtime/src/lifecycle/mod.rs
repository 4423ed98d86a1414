//! Sandboxes that outlive the process: created by name, put to sleep, woken, branched, merged.
//!
//! [`Sandboxes`] keeps them in a [`Store`]. A sandbox sleeps as a commit and a
//! record; a [`Lease`] wakes it and keeps it awake. Several processes may use one store: a sandbox has one
//! owner at a time, and one whose owner is gone is taken over from its last commit when the owner's
//! lease has run out.
//!
//! ```
//! # #[tokio::main] async fn main() -> offshoot::Result<()> {
//! use offshoot::{Exec, Sandbox, lifecycle::{Origin, Sandboxes, Store}};
//!
//! let sandboxes = Sandboxes::open(Store::memory());
//! sandboxes.create("main", Origin::template(Sandbox::builder())).await?;
//! sandboxes.exec("main", "echo one > notes").await?;
//! sandboxes.suspend("main").await?;
//!
//! // A branch of what sleeps; the parent is not woken.
//! sandboxes.create("idea", Origin::sandbox("main")).await?;
//! sandboxes.exec("idea", "echo two >> notes").await?;
//! assert_eq!(sandboxes.diff("main", "idea").await?.len(), 1);
//! sandboxes.promote("idea").await?;
//! assert_eq!(sandboxes.exec("main", "cat notes").await?.stdout_text(), "one\ntwo\n");
//! # Ok(()) }
//! ```

mod amend;
mod ask;
mod branch;
mod contend;
mod document;
mod event;
mod git;
mod grant;
mod hold;
mod lease;
mod operate;
mod options;
mod point;
mod project;
mod record;
mod reference;
mod release;
mod retention;
mod script;
mod service;
mod setup;
mod snapshot;
mod sweep;
mod task;
mod template;
mod update;
#[cfg(feature = "network")]
mod webhook;

pub use branch::{ContentChange, Promotion};
pub use event::{Event, EventKind};
pub use git::GitRemote;
pub(crate) use grant::COMMAND as GRANTED;
pub use grant::Grant;
pub use hold::{Hold, HolderInfo, LeaseOptions, OnCrash, OnLastRelease};
pub use lease::{Bootup, Lease};
pub use offshoot_store::{
    Collect, Collected, Error as StoreError, Key, Known, ObjectId, Receipt, Report, SqliteOptions,
    State, Store, Stored,
};
pub use offshoot_vfs::{Change, ChangeKind, Conflict};
pub use options::{CreateOptions, ListOptions, Order, Page};
pub use project::{Project, Retire};
pub use record::{Info, Parent};
pub use reference::{Attached, RefOptions};
pub use release::CallbackError;
pub use retention::Retention;
pub use script::SleepingScript;
pub use service::{Origin, Sandboxes, SandboxesBuilder};
pub use setup::{Setup, SetupStatus, SetupStep, StepStatus};
pub use snapshot::{LogEntry, SnapshotInfo};
pub use sweep::{Leak, Reconciler, Swept};
pub use task::{Task, TaskInfo, TaskStatus};
pub use template::TemplateVersion;
pub use update::Update;
#[cfg(feature = "network")]
pub use webhook::{Webhook, verify_webhook};
