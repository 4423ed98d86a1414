//! Processes: how they start, run, are counted, signalled and ended.

mod end;
mod entry;
mod group;
mod image;
mod options;
mod run;
pub(crate) mod signal;
mod supervise;
mod table;
mod task;

pub use end::ProcessEnd;
pub use options::{Process, SpawnOptions};

pub(crate) use end::Ended;
pub(crate) use entry::Entry;
pub(crate) use group::Group;
pub(crate) use image::{Environment, Image, Variables};
pub(crate) use options::{Origin, Startup};
pub(crate) use run::{end_of, start};
pub(crate) use supervise::{Delivery, supervise};
pub(crate) use table::Table;
pub(crate) use task::{Task, Tasks};
