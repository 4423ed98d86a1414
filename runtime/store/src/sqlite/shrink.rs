//! Giving the room of what was removed back to the file system.

use rusqlite::Connection;

use super::{SqliteStore, failed, presence};
use crate::Result;

/// Pages that are given back in one step.
const STEP: u32 = 64;

/// What `PRAGMA auto_vacuum` answers for a database that gives back page by page.
const INCREMENTAL: i64 = 2;

impl SqliteStore {
    /// Moves what is in use to the front of the database, and cuts off what is free then.
    pub(super) fn give_back(&self) -> Result<()> {
        self.0.access.permit()?;
        if let Some(directory) = self.directory() {
            presence::tidy(directory);
        }
        let mut writer = self.writer();
        writer.recover()?;
        writer.wait_for_disk(true)?;
        let mut left = pragma(&writer.connection, "freelist_count")?;
        if left > 0 && pragma(&writer.connection, "auto_vacuum")? != INCREMENTAL {
            // Made by a version that did not ask for it; from now on it can.
            let whole = "PRAGMA auto_vacuum = INCREMENTAL; VACUUM";
            let done = writer.connection.execute_batch(whole);
            done.map_err(|error| failed("shrink store", &error))?;
            left = 0;
        }
        while left > 0 {
            let step = format!("PRAGMA incremental_vacuum({STEP})");
            let done = writer.connection.execute_batch(&step);
            done.map_err(|error| failed("shrink store", &error))?;
            writer.checkpoint("PASSIVE")?;
            let now = pragma(&writer.connection, "freelist_count")?;
            if now >= left {
                break;
            }
            left = now;
        }
        writer.checkpoint("TRUNCATE").map(drop)
    }
}

fn pragma(connection: &Connection, name: &str) -> Result<i64> {
    let found = connection.pragma_query_value(None, name, |row| row.get(0));
    found.map_err(|error| failed("shrink store", &error))
}
