//! Opening a store's database: for everything, or for reading where it cannot be written to.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::{DATABASE, SqliteOptions, failed, reserve};
use crate::format::{APPLICATION_ID, SQLITE_SCHEMA};
use crate::{Disk, Error, Result, permission};

/// The journal that SQLite keeps while a database has no log yet.
const JOURNAL: &str = "store.db-journal";
/// The log of what is not in the database yet.
const LOG: &str = "store.db-wal";
/// How often somebody who opens a store looks whether another process has done with its log.
const PATIENCE: u32 = 2000;
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);

const SCHEMA: &str = "
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO meta VALUES('algorithm', 'blake3'), ('gc_epoch', 0);
CREATE TABLE objects(
    id BLOB NOT NULL UNIQUE, kind INTEGER NOT NULL, length INTEGER NOT NULL,
    codec INTEGER NOT NULL, stored_at INTEGER NOT NULL, condemned_at INTEGER, data BLOB);
CREATE TABLE quarantine(
    id BLOB NOT NULL, kind INTEGER NOT NULL, length INTEGER NOT NULL, found_at INTEGER NOT NULL, data BLOB);
CREATE TABLE refs(
    name TEXT PRIMARY KEY, state TEXT NOT NULL, commit_id BLOB, epoch INTEGER NOT NULL,
    seq INTEGER NOT NULL, owner TEXT, lease_until INTEGER, operation TEXT, reason TEXT,
    deadline INTEGER, created INTEGER NOT NULL, changed INTEGER NOT NULL, data BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX refs_deadline ON refs(deadline) WHERE deadline IS NOT NULL;
CREATE TABLE pins(name TEXT PRIMARY KEY, commit_id BLOB NOT NULL, until INTEGER) WITHOUT ROWID;
";

/// What can be done with a database.
pub(super) enum Access {
    /// Everything.
    Whole,
    /// It is read, beside others who may write.
    Reading(Error),
    /// It is read, and there is no log: nobody else is at it, or could be.
    Still(Error),
}

impl Access {
    /// Refuses to write where that is not possible.
    pub(super) fn permit(&self) -> Result<()> {
        let (Access::Reading(why) | Access::Still(why)) = self else {
            return Ok(());
        };
        let message = match why {
            Error::Unavailable { message, .. } => message.clone(),
            other => other.to_string(),
        };
        Err(Error::Unavailable {
            operation: "write to the store, which can only be read now",
            message,
            retry: false,
        })
    }
}

/// Opens a database, and makes it where it is missing.
pub(super) fn open(
    directory: &Path,
    database: &Path,
    options: &SqliteOptions,
    disk: &dyn Disk,
) -> Result<(Connection, Access)> {
    let on_host = options.vfs.is_none() && options.disk.is_none();
    if on_host && options.reclaim {
        reserve::spend(directory);
    }
    let why = match open_whole(directory, database, options, disk) {
        Ok(connection) => return Ok((connection, Access::Whole)),
        Err(why @ Error::Unavailable { .. }) if on_host && database.exists() => why,
        Err(error) => return Err(error),
    };
    if let Ok(opened) = open_for_reading(directory, database, options, &why) {
        return Ok(opened);
    }
    // What is in a log can only be read with the memory that those share who use it.
    if reserve::spend(directory)
        && let Ok(connection) = open_whole(directory, database, options, disk)
    {
        return Ok((connection, Access::Reading(why)));
    }
    Err(why)
}

fn open_whole(
    directory: &Path,
    database: &Path,
    options: &SqliteOptions,
    disk: &dyn Disk,
) -> Result<Connection> {
    if options.vfs.is_none() {
        let made = permission::create_dir(directory).and_then(|()| make_private(database));
        made.map_err(|error| Error::io("create store", &error))?;
    }
    let access = Access::Whole;
    let mut connection = connect(database, options, &access)?;
    prepare(&mut connection)?;
    require_wal(&connection)?;
    require_no_journal(disk)?;
    // SQLite does not make it durable that it has removed the journal that a new database begins
    // with, and one that comes back undoes everything since.
    disk.sync_dir(Path::new("."))
        .map_err(|error| Error::io("open store", &error))?;
    Ok(connection)
}

/// Has a database that is yet to be made be its owner's alone; its log follows it.
fn make_private(database: &Path) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    match permission::private(&mut options).open(database) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn open_for_reading(
    directory: &Path,
    database: &Path,
    options: &SqliteOptions,
    why: &Error,
) -> Result<(Connection, Access)> {
    let log = fs::metadata(directory.join(LOG));
    let access = match log.map_or(0, |log| log.len()) {
        0 => Access::Still(why.clone()),
        _ => Access::Reading(why.clone()),
    };
    let connection = connect(database, options, &access)?;
    recognise(&connection)?;
    Ok((connection, access))
}

/// A connection to a database.
pub(super) fn connect(
    database: &Path,
    options: &SqliteOptions,
    access: &Access,
) -> Result<Connection> {
    let open = |error: rusqlite::Error| failed("open store", &error);
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX
        | match access {
            Access::Whole => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
            Access::Reading(_) => OpenFlags::SQLITE_OPEN_READ_ONLY,
            Access::Still(_) => OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI,
        };
    let connection = match (&options.vfs, access) {
        (Some(vfs), _) => Connection::open_with_flags_and_vfs(database, flags, vfs.as_str()),
        (None, Access::Still(_)) => Connection::open_with_flags(unchanging(database), flags),
        (None, _) => Connection::open_with_flags(database, flags),
    };
    let is_new = options.vfs.is_none() && fs::metadata(database).is_ok_and(|data| data.len() == 0);
    let set = |connection: &Connection| {
        connection.busy_timeout(options.busy_timeout)?;
        // What undoes an unfinished change, or reads the log, comes after what says how.
        if let Access::Whole = access {
            if options.exclusive {
                connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
            }
            if is_new {
                // What is removed can be given back page by page. Said of what is there, this writes.
                connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
            }
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "cache_spill", false)?;
            connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        }
        connection.pragma_update(None, "cache_size", -16 * 1024)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(())
    };
    let connection = connection.map_err(open)?;
    set(&connection).map_err(open)?;
    Ok(connection)
}

/// The name of a database that nobody changes while it is open, as SQLite wants it.
fn unchanging(database: &Path) -> String {
    let mut name = String::from("file:");
    for byte in database.to_string_lossy().bytes() {
        match byte {
            b'?' | b'#' | b'%' => name += &format!("%{byte:02x}"),
            _ if byte.is_ascii() => name.push(char::from(byte)),
            _ => name += &format!("%{byte:02x}"),
        }
    }
    name + "?immutable=1"
}

/// Refuses a database without a log, on which nothing here would be durable.
///
/// The pragma that asks for a log answers before the change is made and may go on believing in it
/// after it has failed; how long the log is says the truth.
fn require_wal(connection: &Connection) -> Result<()> {
    let mut seen: (bool, i64) = (true, -1);
    for _ in 0..PATIENCE {
        seen = connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .map_err(|error| failed("open store", &error))?;
        // Another process that is about to move the log into the database keeps its length from us.
        if !seen.0 {
            break;
        }
        std::thread::sleep(PAUSE);
    }
    let message = match seen {
        (true, _) => "another process moves the log into the database",
        (false, ..0) => "the database does not take a write-ahead log",
        _ => return Ok(()),
    };
    Err(Error::Unavailable {
        operation: "open store",
        message: message.into(),
        retry: true,
    })
}

/// Refuses a database beside which the journal is left that a new one begins with. Removing it has
/// failed, and whoever opens the database next would undo everything by it.
fn require_no_journal(disk: &dyn Disk) -> Result<()> {
    let names = disk.list(Path::new("."));
    let names = names.map_err(|error| Error::io("open store", &error))?;
    if names.iter().any(|name| name == JOURNAL) {
        return Err(Error::Unavailable {
            operation: "open store",
            message: "a journal is left beside the database; open it again".into(),
            retry: true,
        });
    }
    Ok(())
}

/// Makes the tables of a new store, and refuses what is none.
fn prepare(connection: &mut Connection) -> Result<()> {
    let open = |error: rusqlite::Error| failed("open store", &error);
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(open)?;
    let pragma =
        |name: &str| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (
        pragma("application_id").map_err(open)?,
        pragma("user_version").map_err(open)?,
    );
    let tables: i64 = transaction
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(open)?;
    if (application, version, tables) == (0, 0, 0) {
        transaction.execute_batch(SCHEMA).map_err(open)?;
        let set = |name, value| transaction.pragma_update(None, name, value);
        set("application_id", APPLICATION_ID).map_err(open)?;
        set("user_version", SQLITE_SCHEMA).map_err(open)?;
    }
    recognise(&transaction)?;
    transaction.commit().map_err(open)
}

/// Refuses what is no store, or one of a newer version.
fn recognise(connection: &Connection) -> Result<()> {
    let open = |error: rusqlite::Error| failed("open store", &error);
    let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let corrupt = |reason| Error::Corrupt {
        what: DATABASE.into(),
        reason,
    };
    let version = pragma("user_version").map_err(open)?;
    match (pragma("application_id").map_err(open)?, version) {
        (APPLICATION_ID, SQLITE_SCHEMA) => {}
        (APPLICATION_ID, newer) if newer > SQLITE_SCHEMA => {
            return Err(Error::TooNew {
                found: newer.unsigned_abs(),
                supported: SQLITE_SCHEMA.unsigned_abs(),
            });
        }
        _ => return Err(corrupt("it is not a store")),
    }
    let algorithm: String = connection
        .query_row(
            "SELECT value FROM meta WHERE key = 'algorithm'",
            [],
            |row| row.get(0),
        )
        .map_err(open)?;
    if algorithm != crate::format::ALGORITHM {
        return Err(corrupt("it holds ids of another hash"));
    }
    Ok(())
}
