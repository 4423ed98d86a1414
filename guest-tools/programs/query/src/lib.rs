//! Commands that ask JSON, YAML, XML and SQL.

mod commands;
mod jq;
mod sqlite3;
mod xml;
mod yq;

pub use commands::COMMANDS;

use offshoot_command::{calendar, call, launch, model, options, output, system, time};
