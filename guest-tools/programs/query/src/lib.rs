//! Commands that ask JSON, YAML, XML and SQL.

mod commands;
mod jq;
#[cfg(feature = "sqlite")]
mod sqlite3;
mod xml;
mod yq;

pub use commands::COMMANDS;

#[cfg(feature = "sqlite")]
use offshoot_command::launch;
use offshoot_command::{calendar, call, model, options, output, stream, system, time};
