//! The embedded store: one SQLite file in WAL mode, and files beside it for large objects.
//!
//! Several processes may use one store at once. What [`Refs::publish`] and [`Refs::swap`] have
//! acknowledged survives power loss; objects that were only put may be lost with it, and then
//! nothing leads to them.
//!
//! [`Refs::publish`]: crate::Refs::publish
//! [`Refs::swap`]: crate::Refs::swap

mod objects;
mod open;
mod presence;
mod refs;
mod reserve;
mod shrink;
mod spill;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::{Clock, Disk, Error, HostDisk, Result, SystemClock};
use open::Access;
use spill::Spill;

/// The name of the database in a store's directory.
const DATABASE: &str = "store.db";
/// Objects above this length become files. SQLite reads blobs below about 100 KB faster than a
/// filesystem reads files. A whole chunk stays below it, encrypted as well.
const SPILL_ABOVE: usize = 64 * 1024 + 64;
/// Bytes that the log may grow to before it is moved into the database. SQLite's own way to decide
/// that keeps its failures to itself.
const LONGEST_LOG: u64 = 16 << 20;
/// What a commit writes beside payloads, about: eight pages.
const COMMIT: u64 = 32 << 10;
/// Connections for reading that are kept open.
const READERS: usize = 4;

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
    /// It is opened to make room: what is kept in reserve for a full disk may be used.
    pub reclaim: bool,
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
            reclaim: false,
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
    access: Access,
    spill: Spill,
    writer: Mutex<Writer>,
    readers: Mutex<Vec<Connection>>,
    /// Bytes of payloads since the last commit.
    inserted: AtomicU64,
    /// Whether the folder is the host's, which holds locks and a reserve as well.
    on_host: bool,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.on_host && matches!(self.access, Access::Whole) {
            reserve::keep(self.directory());
        }
    }
}

impl Inner {
    fn directory(&self) -> &Path {
        self.database.parent().unwrap_or(Path::new("."))
    }
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
    /// A store that is there but cannot be written to, on a full disk or a read-only medium, is opened
    /// for reading: what would write fails then with the reason.
    ///
    /// # Errors
    /// Those of [`SqliteStore::open`].
    pub fn open_with(directory: impl AsRef<Path>, options: SqliteOptions) -> Result<SqliteStore> {
        let directory = directory.as_ref();
        let on_host = options.vfs.is_none() && options.disk.is_none();
        let disk = options.disk.clone();
        let disk = disk.unwrap_or_else(|| Arc::new(HostDisk::new(directory)));
        let database = directory.join(DATABASE);
        let (connection, access) = open::open(directory, &database, &options, &*disk)?;
        let writer = Writer {
            connection,
            full: true,
            suspect: false,
            logged: 0,
        };
        Ok(SqliteStore(Arc::new(Inner {
            database,
            access,
            spill: Spill::new(disk),
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            inserted: AtomicU64::new(0),
            on_host,
            options,
        })))
    }

    /// Whether there is one in a directory.
    pub(crate) fn is_at(directory: &Path) -> bool {
        directory.join(DATABASE).exists()
    }

    /// The store's folder, where it is one of the host.
    fn directory(&self) -> Option<&Path> {
        self.0.on_host.then(|| self.0.directory())
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
        self.0.access.permit()?;
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
            None => open::connect(&self.0.database, &self.0.options, &self.0.access)?,
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
