//! The embedded store: one SQLite file in WAL mode, and files beside it for large objects.
//!
//! Several processes may use one store at once. What [`Refs::publish`] and [`Refs::swap`] have
//! acknowledged survives power loss; objects that were only put may be lost with it, and then
//! nothing leads to them.
//!
//! [`Refs::publish`]: crate::Refs::publish
//! [`Refs::swap`]: crate::Refs::swap

mod objects;
mod refs;
mod spill;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::format::{APPLICATION_ID, SQLITE_SCHEMA};
use crate::{Clock, Disk, Error, HostDisk, Result, SystemClock};
use spill::Spill;

/// The name of the database in a store's directory.
const DATABASE: &str = "store.db";
/// The journal that SQLite keeps while a database has no log yet.
const JOURNAL: &str = "store.db-journal";
/// Objects above this length become files. SQLite reads blobs below about 100 KB faster than a
/// filesystem reads files. A whole chunk stays below it, encrypted as well.
const SPILL_ABOVE: usize = 64 * 1024 + 64;
/// Bytes that the log may grow to before it is moved into the database. SQLite's own way to decide
/// that keeps its failures to itself.
const LONGEST_LOG: u64 = 16 << 20;
/// What a commit writes beside payloads, about: eight pages.
const COMMIT: u64 = 32 << 10;
/// How often somebody who opens a store looks whether another process has done with its log.
const PATIENCE: u32 = 2000;
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);
/// Connections for reading that are kept open.
const READERS: usize = 4;

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

/// How a [`SqliteStore`] is opened.
#[derive(Clone)]
pub struct SqliteOptions {
    /// How long to wait for another process.
    pub busy_timeout: Duration,
    /// Objects above this length become files beside the database.
    pub spill_above: usize,
    /// This process alone uses the store, over one connection. Needs no shared memory.
    pub exclusive: bool,
    /// The name of a registered SQLite VFS, where it is not the platform's own.
    pub vfs: Option<String>,
    /// Where files of large objects are, where it is not the store's directory.
    pub disk: Option<Arc<dyn Disk>>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}

impl Default for SqliteOptions {
    fn default() -> SqliteOptions {
        SqliteOptions {
            busy_timeout: Duration::from_secs(10),
            spill_above: SPILL_ABOVE,
            exclusive: false,
            vfs: None,
            disk: None,
            clock: Arc::new(SystemClock),
        }
    }
}

/// Objects and refs in one directory of this machine. Clones are handles on the same store.
#[derive(Clone)]
pub struct SqliteStore(Arc<Inner>);

struct Inner {
    database: PathBuf,
    options: SqliteOptions,
    spill: Spill,
    writer: Mutex<Writer>,
    readers: Mutex<Vec<Connection>>,
    /// Bytes of payloads since the last commit.
    inserted: AtomicU64,
}

/// The connection that writes.
struct Writer {
    connection: Connection,
    /// Whether its commits wait for the disk.
    full: bool,
    /// A sync may have failed. What was written before it may be lost with the power although it can
    /// be read, and although later syncs succeed; so nothing after it in the log would be durable.
    suspect: bool,
    /// Bytes in the log since it was last moved into the database, about.
    logged: u64,
}

impl SqliteStore {
    /// Opens the store in a directory, and makes it where it is missing.
    ///
    /// # Errors
    /// `TOO_NEW`, `CORRUPT` where the file is no store, `SANDBOX_UNAVAILABLE`.
    pub fn open(directory: impl AsRef<Path>) -> Result<SqliteStore> {
        SqliteStore::open_with(directory, SqliteOptions::default())
    }

    /// [`SqliteStore::open`] with options.
    ///
    /// # Errors
    /// Those of [`SqliteStore::open`].
    pub fn open_with(directory: impl AsRef<Path>, options: SqliteOptions) -> Result<SqliteStore> {
        let directory = directory.as_ref();
        if options.vfs.is_none() {
            std::fs::create_dir_all(directory)
                .map_err(|error| Error::io("create store", &error))?;
        }
        let database = directory.join(DATABASE);
        let disk = options
            .disk
            .clone()
            .unwrap_or_else(|| Arc::new(HostDisk::new(directory)));
        let connection = connect(&database, &options)?;
        let mut writer = Writer {
            connection,
            full: true,
            suspect: false,
            logged: 0,
        };
        prepare(&mut writer.connection)?;
        require_wal(&writer.connection)?;
        require_no_journal(&*disk)?;
        // SQLite does not make it durable that it has removed the journal that a new database begins
        // with, and one that comes back undoes everything since.
        disk.sync_dir(Path::new("."))
            .map_err(|error| Error::io("open store", &error))?;
        Ok(SqliteStore(Arc::new(Inner {
            database,
            spill: Spill::new(disk),
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            inserted: AtomicU64::new(0),
            options,
        })))
    }

    fn now(&self) -> u64 {
        self.0.options.clock.now()
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        // A transaction that a panic left open is rolled back when it is dropped.
        self.0.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs one transaction; `durable` ones wait for the disk.
    fn write<T>(
        &self,
        durable: bool,
        change: impl FnOnce(&Transaction<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut writer = self.writer();
        writer.recover()?;
        writer.wait_for_disk(durable)?;
        let transaction = writer
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|error| failed("begin", &error))?;
        let result = change(&transaction)?;
        if let Err(error) = transaction.commit() {
            writer.suspect = true;
            return Err(failed("commit", &error));
        }
        writer.logged += COMMIT + self.0.inserted.swap(0, Ordering::Relaxed);
        if writer.logged >= LONGEST_LOG {
            // What was committed is durable in the log; a failure here is the next one's matter.
            writer.suspect |= writer.checkpoint("PASSIVE").is_err();
        }
        Ok(result)
    }

    /// Runs a query on a connection of its own, so that readers never wait for a writer.
    fn read<T>(&self, query: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        if self.0.options.exclusive {
            return query(&self.writer().connection);
        }
        let readers = || {
            self.0
                .readers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let free = readers().pop();
        let connection = match free {
            Some(connection) => connection,
            None => connect(&self.0.database, &self.0.options)?,
        };
        let result = query(&connection);
        let mut readers = readers();
        if readers.len() < READERS {
            readers.push(connection);
        }
        result
    }

    /// Moves the log into the database, as far as readers allow.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    pub fn checkpoint(&self) -> Result<()> {
        self.writer().checkpoint("PASSIVE").map(drop)
    }

    /// Looks through the database's own structure.
    ///
    /// # Errors
    /// `CORRUPT`, with what SQLite found first.
    pub fn check_integrity(&self) -> Result<()> {
        let found: String = self.read(|connection| {
            connection
                .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
                .map_err(|error| failed("check", &error))
        })?;
        if found == "ok" {
            Ok(())
        } else {
            Err(Error::Corrupt {
                what: found,
                reason: "SQLite's integrity check failed",
            })
        }
    }
}

impl Writer {
    /// Moves the log into the database; whether all of it.
    fn checkpoint(&mut self, mode: &str) -> Result<bool> {
        let done = self
            .connection
            .query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |row| {
                row.get(0)
            })
            .map(|busy: i64| busy == 0);
        self.logged = 0;
        done.map_err(|error| failed("checkpoint", &error))
    }

    /// After a failed sync, has everything written anew, into the database itself, before anything
    /// else is acknowledged.
    fn recover(&mut self) -> Result<()> {
        if !self.suspect {
            return Ok(());
        }
        if !self.checkpoint("TRUNCATE")? {
            return Err(Error::Unavailable {
                operation: "recover from a failed sync",
                message: "somebody is reading".into(),
                retry: true,
            });
        }
        self.suspect = false;
        Ok(())
    }

    fn wait_for_disk(&mut self, full: bool) -> Result<()> {
        if self.full != full {
            let level = if full { "FULL" } else { "NORMAL" };
            self.connection
                .pragma_update(None, "synchronous", level)
                .map_err(|error| failed("set synchronous", &error))?;
            self.full = full;
        }
        Ok(())
    }
}

fn connect(database: &Path, options: &SqliteOptions) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match &options.vfs {
        Some(vfs) => Connection::open_with_flags_and_vfs(database, flags, vfs.as_str()),
        None => Connection::open_with_flags(database, flags),
    };
    let set = |connection: &Connection| {
        connection.busy_timeout(options.busy_timeout)?;
        if options.exclusive {
            connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "cache_size", -16 * 1024)?;
        connection.pragma_update(None, "cache_spill", false)?;
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(())
    };
    let open = |error: rusqlite::Error| failed("open store", &error);
    let connection = connection.map_err(open)?;
    set(&connection).map_err(open)?;
    Ok(connection)
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
    let corrupt = |reason| Error::Corrupt {
        what: DATABASE.into(),
        reason,
    };
    match (application, version) {
        (0, 0) if tables == 0 => {
            transaction.execute_batch(SCHEMA).map_err(open)?;
            let set = |name, value| transaction.pragma_update(None, name, value);
            set("application_id", APPLICATION_ID).map_err(open)?;
            set("user_version", SQLITE_SCHEMA).map_err(open)?;
        }
        (APPLICATION_ID, SQLITE_SCHEMA) => {}
        (APPLICATION_ID, newer) if newer > SQLITE_SCHEMA => {
            return Err(Error::TooNew {
                found: newer.unsigned_abs(),
                supported: SQLITE_SCHEMA.unsigned_abs(),
            });
        }
        _ => return Err(corrupt("it is not a store")),
    }
    let algorithm: String = transaction
        .query_row(
            "SELECT value FROM meta WHERE key = 'algorithm'",
            [],
            |row| row.get(0),
        )
        .map_err(open)?;
    if algorithm != crate::format::ALGORITHM {
        return Err(corrupt("it holds ids of another hash"));
    }
    transaction.commit().map_err(open)
}

/// What SQLite says, as an error of ours.
fn failed(operation: &'static str, error: &rusqlite::Error) -> Error {
    use rusqlite::ErrorCode as C;
    let code = error.sqlite_error_code();
    if matches!(code, Some(C::DatabaseCorrupt | C::NotADatabase)) {
        return Error::Corrupt {
            what: DATABASE.into(),
            reason: "SQLite cannot read it",
        };
    }
    let busy = [
        C::DatabaseBusy,
        C::DatabaseLocked,
        C::DiskFull,
        C::SystemIoFailure,
    ];
    Error::Unavailable {
        operation,
        message: error.to_string(),
        retry: code.is_some_and(|code| busy.contains(&code)),
    }
}
