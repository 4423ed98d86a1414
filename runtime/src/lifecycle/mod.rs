//! Sandboxes that outlive the process: created by name, put to sleep, woken, branched, merged.
//!
//! [`Sandboxes`] keeps them in a [`Store`]. A sandbox sleeps as a commit and a
//! record; a [`Lease`] wakes it and keeps it awake. Several processes may use one store: a sandbox has one
//! owner at a time, and one whose owner is gone is taken over from its last commit when the owner's
//! lease has run out.
//!
//! What concerns one sandbox as a whole is a method of [`Sandboxes`]. The rest is in groups, each a small
//! value that can be kept or thrown away:
//!
//! | | for |
//! |---|---|
//! | [`sandboxes.snapshots(name)`](Snapshots) | states that are kept, and going back to earlier ones |
//! | [`sandboxes.leases(name)`](Leases) | leases that several processes count, and what follows the last |
//! | [`sandboxes.setup(name)`](SetupControl) | the steps that make a sandbox ready |
//! | [`sandboxes.tasks(name)`](Tasks) | commands that run beside everything else |
//! | [`sandboxes.templates()`](Templates) | versions of states that sandboxes are made from |
//! | [`sandboxes.projects()`](Projects) | a main sandbox and branches of which one is promoted |
//! | [`sandboxes.references()`](References) | texts by which others attach |
//! | [`sandboxes.maintenance()`](Maintenance) | what is due, left behind or to be collected in the store |
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
mod archive;
mod ask;
mod attached;
mod branch;
mod builder;
mod claim;
mod claims;
mod contend;
mod create;
mod document;
mod event;
mod git;
mod grant;
mod hold;
mod lease;
mod leases;
mod maintenance;
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
mod slot;
mod snapshot;
mod task;
mod template;
mod update;
#[cfg(feature = "network")]
mod webhook;

pub use attached::Attached;
pub use branch::{ContentChange, Promotion};
pub use builder::SandboxesBuilder;
pub use create::Origin;
pub use event::{Event, EventKind};
pub use git::GitRemote;
pub(crate) use grant::COMMAND as GRANTED;
pub use grant::Grant;
pub use hold::{Hold, HolderInfo, LeaseOptions, OnCrash, OnLastRelease};
pub use lease::{Bootup, Lease};
pub use leases::Leases;
pub use maintenance::{Leak, Maintenance, Reconciler, Swept};
pub use offshoot_store::{
    Collect, Collected, Error as StoreError, Key, Known, ObjectId, Receipt, Report, SqliteOptions,
    State, Store, Stored,
};
pub use offshoot_vfs::{Change, ChangeKind, Conflict};
pub use options::{CreateOptions, ListOptions, Order, Page};
pub use project::{Project, Projects, Retire};
pub use record::{Info, Parent};
pub use reference::{RefOptions, References};
pub use release::CallbackError;
pub use retention::Retention;
pub use script::SleepingScript;
pub use service::Sandboxes;
pub use setup::{Setup, SetupControl, SetupStatus, SetupStep, StepStatus};
pub use snapshot::{LogEntry, SnapshotInfo, Snapshots};
pub use task::{Task, TaskInfo, TaskStatus, Tasks};
pub use template::{TemplateVersion, Templates};
pub use update::Update;
#[cfg(feature = "network")]
pub use webhook::{Webhook, verify_webhook};
