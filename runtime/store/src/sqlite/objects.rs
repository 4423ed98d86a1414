//! Objects in the database.

use std::sync::atomic::Ordering;

use bytes::Bytes;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::{SqliteStore, failed};
use crate::{Durability, Error, Kind, Object, ObjectId, ObjectInfo, Objects, Result};

/// Objects that are worked on at a time where the disk is full: what the log takes for them fits into what
/// is kept in reserve.
const FEW: usize = 8;

impl SqliteStore {
    /// Adds objects in a transaction that is open. Large ones are on the disk before.
    pub(super) fn insert(&self, transaction: &Transaction<'_>, objects: &[Object]) -> Result<()> {
        let failed = |error: rusqlite::Error| failed("store objects", &error);
        let now = self.now();
        let mut insert = transaction
            .prepare_cached(
                "INSERT INTO objects(id, kind, length, codec, stored_at, data)
                 VALUES(?1, ?2, ?3, 0, ?4, ?5)
                 ON CONFLICT(id) DO UPDATE SET condemned_at = NULL, stored_at = ?4
                 WHERE condemned_at IS NOT NULL",
            )
            .map_err(failed)?;
        // Ids are random: in their order, a page of the table is visited once.
        let mut objects: Vec<&Object> = objects.iter().collect();
        objects.sort_unstable_by_key(|object| object.id);
        for object in objects {
            let (kind, length) = (object.kind as u8, object.payload.len());
            let data = (!self.spills(object)).then_some(&object.payload[..]);
            insert
                .execute(params![object.id.0, kind, length, now, data])
                .map_err(failed)?;
            let stored = data.map_or(0, <[u8]>::len) as u64;
            self.0.inserted.fetch_add(stored, Ordering::Relaxed);
        }
        Ok(())
    }

    pub(super) fn spill(&self, objects: &[Object]) -> Result<()> {
        let large = objects.iter().filter(|object| self.spills(object));
        large
            .into_iter()
            .try_for_each(|object| self.0.spill.put(object))
    }

    fn spills(&self, object: &Object) -> bool {
        object.payload.len() > self.0.options.spill_above
    }

    /// Removes files that no object leads to, left by a crash between two steps.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    pub fn remove_leftovers(&self) -> Result<u64> {
        // Nobody writes meanwhile, so a file that is being written is not taken for a leftover.
        self.write(false, |transaction| {
            self.0.spill.leftovers(|id| {
                let known = "SELECT 1 FROM objects WHERE id = ?1 AND data IS NULL
                             UNION ALL SELECT 1 FROM quarantine WHERE id = ?1";
                let found = transaction.query_row(known, [id.0], |_| Ok(())).optional();
                let found = found.map_err(|error| failed("look for leftovers", &error))?;
                Ok(found.is_some())
            })
        })
    }

    /// Works on many objects at once, or on few at a time where that does not fit on the disk and room
    /// is to be made.
    fn in_steps<T: Default + std::ops::AddAssign>(
        &self,
        ids: &[ObjectId],
        work: impl Fn(&[ObjectId]) -> Result<T>,
    ) -> Result<T> {
        match work(ids) {
            Err(Error::Unavailable { .. }) if self.0.options.reclaim && ids.len() > FEW => {}
            done => return done,
        }
        let mut all = T::default();
        for few in ids.chunks(FEW) {
            // What the log held is in the database then, and its room is free for the next ones.
            self.writer().checkpoint("TRUNCATE")?;
            all += work(few)?;
        }
        Ok(all)
    }

    /// Sets or clears the time since when objects are condemned.
    fn mark(&self, ids: &[ObjectId], condemned_at: Option<u64>) -> Result<u64> {
        let failed = |error: rusqlite::Error| failed("mark objects", &error);
        self.write(true, |transaction| {
            let mut statement = transaction
                .prepare_cached(
                    "UPDATE objects SET condemned_at = ?2
                     WHERE id = ?1 AND (condemned_at IS NULL) <> (?2 IS NULL)",
                )
                .map_err(failed)?;
            let mut marked = 0;
            for id in ids {
                let changed = statement.execute(params![id.0, condemned_at]);
                marked += changed.map_err(failed)? as u64;
            }
            Ok(marked)
        })
    }

    /// Removes those of `ids` that were condemned before a time.
    fn delete(&self, ids: &[ObjectId], condemned_before: u64) -> Result<u64> {
        let failed = |error: rusqlite::Error| failed("remove objects", &error);
        let mut files = Vec::new();
        // SQLite's numbers have a sign.
        let before = condemned_before.min(i64::MAX as u64);
        let removed = self.write(true, |transaction| {
            let mut delete = transaction
                .prepare_cached(
                    "DELETE FROM objects WHERE id = ?1 AND condemned_at < ?2
                     RETURNING data IS NULL",
                )
                .map_err(failed)?;
            let mut removed = 0;
            for id in ids {
                let spilled: Option<bool> = delete
                    .query_row(params![id.0, before], |row| row.get(0))
                    .optional()
                    .map_err(failed)?;
                removed += u64::from(spilled.is_some());
                if spilled == Some(true) {
                    files.push(*id);
                }
            }
            Ok(removed)
        })?;
        // Under the lock again, for somebody may have stored one of them meanwhile.
        self.write(false, |transaction| {
            for id in files {
                let known = "SELECT 1 FROM objects WHERE id = ?1";
                let known = transaction.query_row(known, [id.0], |_| Ok(())).optional();
                if known.map_err(failed)?.is_none() {
                    self.0.spill.remove(id)?;
                }
            }
            Ok(())
        })?;
        Ok(removed)
    }
}

impl Objects for SqliteStore {
    fn put(&self, objects: &[Object]) -> Result<()> {
        if objects.is_empty() {
            return Ok(());
        }
        self.spill(objects)?;
        self.write(false, |transaction| self.insert(transaction, objects))
    }

    fn flush(&self) -> Result<Durability> {
        // A commit that waits for the disk has the whole log wait, with all commits before it.
        self.write(true, |transaction| {
            transaction
                .execute("UPDATE meta SET value = value WHERE key = 'gc_epoch'", [])
                .map_err(|error| failed("flush", &error))
        })?;
        Ok(Durability::Local)
    }

    fn get(&self, id: ObjectId) -> Result<Object> {
        let found = self.read(|connection| {
            let mut select = connection
                .prepare_cached("SELECT kind, length, codec, data FROM objects WHERE id = ?1")
                .map_err(|error| failed("read object", &error))?;
            let row = select.query_row([id.0], |row| {
                let data: Option<Vec<u8>> = row.get(3)?;
                Ok((
                    row.get::<_, u8>(0)?,
                    row.get::<_, u64>(1)?,
                    row.get::<_, u8>(2)?,
                    data,
                ))
            });
            row.optional()
                .map_err(|error| failed("read object", &error))
        })?;
        let (kind, length, codec, data) = found.ok_or(Error::no_object(id))?;
        let payload = match data {
            Some(data) => data,
            None => self.0.spill.get(id)?,
        };
        if payload.len() as u64 != length || codec != 0 {
            return Err(Error::damaged(id, "it has another length"));
        }
        Ok(Object {
            id,
            kind: Kind::from_number(kind)?,
            payload: Bytes::from(payload),
        })
    }

    fn contains(&self, ids: &[ObjectId]) -> Result<Vec<bool>> {
        self.read(|connection| ids.iter().map(|id| is_there(connection, *id)).collect())
    }

    fn list(&self, after: Option<ObjectId>, limit: usize) -> Result<Vec<ObjectInfo>> {
        let failed = |error: rusqlite::Error| failed("list objects", &error);
        let after = after.map_or(Vec::new(), |id| id.0.to_vec());
        let limit = limit.min(i64::MAX as usize);
        self.read(|connection| {
            let mut select = connection
                .prepare_cached(
                    "SELECT id, length, stored_at, condemned_at FROM objects
                     WHERE id > ?1 ORDER BY id LIMIT ?2",
                )
                .map_err(failed)?;
            let rows = select
                .query_map(params![after, limit], info)
                .map_err(failed)?;
            rows.collect::<Result<_, _>>().map_err(failed)
        })
    }

    fn condemn(&self, ids: &[ObjectId]) -> Result<()> {
        let now = self.now();
        self.in_steps(ids, |ids| self.mark(ids, Some(now)))
            .map(drop)
    }

    fn reprieve(&self, ids: &[ObjectId]) -> Result<()> {
        self.mark(ids, None).map(drop)
    }

    fn remove(&self, ids: &[ObjectId], condemned_before: u64) -> Result<u64> {
        self.in_steps(ids, |ids| self.delete(ids, condemned_before))
    }

    fn quarantine(&self, id: ObjectId) -> Result<()> {
        let failed = |error: rusqlite::Error| failed("quarantine object", &error);
        let now = self.now();
        self.write(true, |transaction| {
            let copy = "INSERT INTO quarantine SELECT id, kind, length, ?2, data FROM objects
                        WHERE id = ?1";
            transaction
                .execute(copy, params![id.0, now])
                .map_err(failed)?;
            let delete = "DELETE FROM objects WHERE id = ?1";
            transaction.execute(delete, [id.0]).map_err(failed)?;
            Ok(())
        })
    }

    fn release(&self) -> Result<u64> {
        let failed = |error: rusqlite::Error| failed("release objects", &error);
        let aside = self.read(|connection| {
            let mut select = connection
                .prepare("SELECT rowid, id, kind, length, data FROM quarantine")
                .map_err(failed)?;
            let rows = select.query_map([], |row| {
                let (number, id, kind): (i64, [u8; 32], u8) =
                    (row.get(0)?, row.get(1)?, row.get(2)?);
                Ok((
                    number,
                    ObjectId(id),
                    kind,
                    row.get::<_, u64>(3)?,
                    row.get(4)?,
                ))
            });
            let rows = rows.map_err(failed)?.collect::<Result<Vec<_>, _>>();
            rows.map_err(failed)
        })?;
        let mut released = 0;
        for (number, id, kind, length, data) in aside {
            let data: Option<Vec<u8>> = data;
            let payload = data.clone().map_or_else(|| self.0.spill.get(id), Ok);
            let (Ok(kind), Ok(payload)) = (Kind::from_number(kind), payload) else {
                continue;
            };
            let payload = Bytes::from(payload);
            if payload.len() as u64 != length || (Object { id, kind, payload }).verify().is_err() {
                continue;
            }
            let now = self.now();
            self.write(true, |transaction| {
                let back = "INSERT OR IGNORE INTO objects(id, kind, length, codec, stored_at, data)
                            SELECT id, kind, length, 0, ?2, data FROM quarantine WHERE rowid = ?1";
                transaction
                    .execute(back, params![number, now])
                    .map_err(failed)?;
                let gone = "DELETE FROM quarantine WHERE rowid = ?1";
                transaction.execute(gone, [number]).map_err(failed)
            })?;
            released += 1;
        }
        Ok(released)
    }

    fn aside(&self) -> Result<u64> {
        self.read(|connection| {
            let count = "SELECT count(*) FROM quarantine";
            let count = connection.query_row(count, [], |row| row.get(0));
            count.map_err(|error| failed("count objects", &error))
        })
    }

    fn shrink(&self) -> Result<()> {
        self.give_back()
    }

    fn place(&self) -> Option<&str> {
        self.0.database.to_str()
    }

    fn inspect(&self) -> Result<()> {
        self.check_integrity()
    }

    fn footprint(&self) -> Result<Option<u64>> {
        let failed = |error: rusqlite::Error| failed("measure store", &error);
        self.read(|connection| {
            let pragma =
                |name| connection.pragma_query_value(None, name, |row| row.get::<_, u64>(0));
            let pages = pragma("page_count").map_err(failed)?;
            let size = pragma("page_size").map_err(failed)?;
            let files = "SELECT coalesce(sum(length), 0) FROM objects WHERE data IS NULL";
            let files: u64 = connection
                .query_row(files, [], |row| row.get(0))
                .map_err(failed)?;
            Ok(Some(pages * size + files))
        })
    }
}

fn is_there(connection: &Connection, id: ObjectId) -> Result<bool> {
    let failed = |error: rusqlite::Error| failed("look up object", &error);
    let mut select = connection
        .prepare_cached("SELECT 1 FROM objects WHERE id = ?1 AND condemned_at IS NULL")
        .map_err(failed)?;
    let found = select.query_row([id.0], |_| Ok(())).optional();
    Ok(found.map_err(failed)?.is_some())
}

fn info(row: &Row<'_>) -> rusqlite::Result<ObjectInfo> {
    Ok(ObjectInfo {
        id: ObjectId(row.get(0)?),
        length: row.get(1)?,
        stored_at: row.get(2)?,
        condemned_at: row.get(3)?,
    })
}
