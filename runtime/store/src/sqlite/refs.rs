//! Refs and pins in the database.

use rusqlite::{Connection, OptionalExtension, Row, ToSql, Transaction, params};

use super::{SqliteStore, failed, presence};
use crate::{
    Error, Filter, Object, ObjectId, Objects, Pin, Presence, Published, Ref, Refs, Result, State,
    Swap, Version,
};

const COLUMNS: &str = "name, state, commit_id, epoch, seq, owner, lease_until, operation, reason,
    deadline, created, changed, data";

impl Refs for SqliteStore {
    fn now(&self) -> Result<u64> {
        Ok(SqliteStore::now(self))
    }

    fn read(&self, name: &str) -> Result<Option<Ref>> {
        SqliteStore::read(self, |connection| {
            let mut select = connection
                .prepare_cached(&format!("SELECT {COLUMNS} FROM refs WHERE name = ?1"))
                .map_err(|error| failed("read ref", &error))?;
            let found = select.query_row([name], |row| Ok(parse(row))).optional();
            let found = found.map_err(|error| failed("read ref", &error))?;
            found.transpose().map(|found| found.map(|(_, found)| found))
        })
    }

    fn swap(&self, swap: Swap<'_>) -> Result<()> {
        self.write(true, |transaction| change(transaction, swap))
    }

    fn swap_soon(&self, swap: Swap<'_>) -> Result<()> {
        self.write(false, |transaction| change(transaction, swap))
    }

    fn make(&self, refs: &[(String, Ref)], pins: &[Pin]) -> Result<()> {
        let expected = None;
        self.write(true, |transaction| {
            pins.iter().try_for_each(|pin| set_pin(transaction, pin))?;
            refs.iter().try_for_each(|(name, new)| {
                let swap = Swap {
                    name,
                    expected,
                    new,
                };
                change(transaction, swap)
            })
        })
    }

    fn forget(&self, name: &str, expected: Version) -> Result<()> {
        let delete = "DELETE FROM refs WHERE name = ?1 AND epoch = ?2 AND seq = ?3";
        self.write(true, |transaction| {
            let changed = transaction
                .execute(delete, params![name, expected.epoch, expected.seq])
                .map_err(|error| failed("remove ref", &error))?;
            if changed == 1 {
                Ok(())
            } else {
                Err(lost(name))
            }
        })
    }

    fn list(
        &self,
        filter: &Filter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Ref)>> {
        let failed = |error: rusqlite::Error| failed("list refs", &error);
        let state = filter.state.map(State::name);
        // One bound, for of two SQLite would seek to one and step over what the other leaves out.
        let behind = after.filter(|after| *after >= filter.prefix.as_str());
        let (start, bound) = match behind {
            Some(after) => (after, ">"),
            None => (filter.prefix.as_str(), ">="),
        };
        let mut query = format!("SELECT {COLUMNS} FROM refs WHERE name {bound} ?");
        let mut values: Vec<&dyn ToSql> = vec![&start];
        if let Some(state) = &state {
            query.push_str(" AND state = ?");
            values.push(state);
        }
        if let Some(time) = &filter.due_before {
            query.push_str(" AND deadline < ?");
            values.push(time);
        }
        if let Some(time) = &filter.lapsed_before {
            query.push_str(" AND lease_until < ?");
            values.push(time);
        }
        query.push_str(" ORDER BY name LIMIT ?");
        let limit = limit.min(i64::MAX as usize);
        values.push(&limit);
        // Names with a prefix stand together, and the first one behind them ends the page.
        SqliteStore::read(self, |connection| {
            let mut select = connection.prepare_cached(&query).map_err(failed)?;
            let rows = select
                .query_map(&values[..], |row| Ok(parse(row)))
                .map_err(failed)?;
            let mut page = Vec::new();
            for row in rows {
                let (name, found) = row.map_err(failed)??;
                if !name.starts_with(&filter.prefix) {
                    break;
                }
                page.push((name, found));
            }
            Ok(page)
        })
    }

    fn pin(&self, pin: &Pin) -> Result<()> {
        self.write(true, |transaction| set_pin(transaction, pin))
    }

    fn unpin(&self, name: &str) -> Result<bool> {
        self.write(true, |transaction| {
            let changed = transaction
                .execute("DELETE FROM pins WHERE name = ?1", [name])
                .map_err(|error| failed("unpin", &error))?;
            Ok(changed == 1)
        })
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        self.pins_of("")
    }

    fn pins_of(&self, prefix: &str) -> Result<Vec<Pin>> {
        let failed = |error: rusqlite::Error| failed("list pins", &error);
        let query = "SELECT name, commit_id, until FROM pins WHERE name >= ?1 ORDER BY name";
        SqliteStore::read(self, |connection| {
            let mut select = connection.prepare_cached(query).map_err(failed)?;
            let pin = |row: &Row<'_>| {
                Ok(Pin {
                    name: row.get(0)?,
                    commit: ObjectId(row.get(1)?),
                    until: row.get(2)?,
                })
            };
            let rows = select.query_map([prefix], pin).map_err(failed)?;
            // Names with a prefix stand together.
            let of_it = |pin: &rusqlite::Result<Pin>| {
                pin.as_ref().is_err() || pin.as_ref().is_ok_and(|pin| pin.name.starts_with(prefix))
            };
            let rows = rows.take_while(of_it);
            rows.collect::<Result<_, _>>().map_err(failed)
        })
    }

    fn gc_epoch(&self) -> Result<u64> {
        SqliteStore::read(self, gc_epoch)
    }

    fn announce(&self, owner: &str) -> Result<Option<Presence>> {
        match self.directory() {
            Some(directory) => presence::announce(directory, owner).map(Some),
            None => Ok(None),
        }
    }

    fn is_gone(&self, owner: &str) -> bool {
        let directory = self.directory();
        directory.is_some_and(|directory| presence::is_gone(directory, owner))
    }

    fn advance_gc_epoch(&self) -> Result<u64> {
        self.write(true, |transaction| {
            transaction
                .execute(
                    "UPDATE meta SET value = value + 1 WHERE key = 'gc_epoch'",
                    [],
                )
                .map_err(|error| failed("advance the collector's epoch", &error))?;
            gc_epoch(transaction)
        })
    }

    fn publish(
        &self,
        objects: &dyn Objects,
        batch: &[Object],
        gc_epoch: u64,
        swap: Swap<'_>,
    ) -> Result<Published> {
        // Where the objects are in this database, one transaction does everything.
        let durability = if objects.place().is_some() && objects.place() == Objects::place(self) {
            self.spill(batch)?;
            None
        } else {
            objects.put(batch)?;
            Some(objects.flush()?)
        };
        let moved = self.write(true, |transaction| {
            if self::gc_epoch(transaction)? != gc_epoch {
                return Ok(true);
            }
            if durability.is_none() {
                self.insert(transaction, batch)?;
            }
            change(transaction, swap)?;
            Ok(false)
        })?;
        if moved {
            return Ok(Published::Moved);
        }
        let local = crate::Durability::Local;
        Ok(Published::Done(
            durability.map_or(local, |objects| objects.min(local)),
        ))
    }
}

fn gc_epoch(connection: &Connection) -> Result<u64> {
    let failed = |error: rusqlite::Error| failed("read the collector's epoch", &error);
    let mut select = connection
        .prepare_cached("SELECT value FROM meta WHERE key = 'gc_epoch'")
        .map_err(failed)?;
    select.query_row([], |row| row.get(0)).map_err(failed)
}

fn set_pin(transaction: &Transaction<'_>, pin: &Pin) -> Result<()> {
    let failed = |error: rusqlite::Error| failed("pin", &error);
    let mut insert = transaction
        .prepare_cached("INSERT OR REPLACE INTO pins VALUES(?1, ?2, ?3)")
        .map_err(failed)?;
    let values = params![pin.name, pin.commit.0, pin.until];
    insert.execute(values).map_err(failed).map(drop)
}

fn lost(name: &str) -> Error {
    Error::conflict(format!("ref {name:?} was changed meanwhile"))
}

fn change(transaction: &Transaction<'_>, swap: Swap<'_>) -> Result<()> {
    let failed = |error: rusqlite::Error| failed("change ref", &error);
    let new = swap.new;
    let statement = match swap.expected {
        Some(_) => {
            "UPDATE refs SET state = ?2, commit_id = ?3, epoch = ?4, seq = ?5, owner = ?6,
             lease_until = ?7, operation = ?8, reason = ?9, deadline = ?10, created = ?11,
             changed = ?12, data = ?13 WHERE name = ?1 AND epoch = ?14 AND seq = ?15"
        }
        None => {
            "INSERT INTO refs SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
             WHERE ?14 IS NULL AND ?15 IS NULL ON CONFLICT(name) DO NOTHING"
        }
    };
    let mut statement = transaction.prepare_cached(statement).map_err(failed)?;
    let changed = statement
        .execute(params![
            swap.name,
            new.state.name(),
            new.commit.map(|commit| commit.0),
            new.epoch,
            new.seq,
            new.owner,
            new.lease_until,
            new.operation,
            new.reason,
            new.deadline,
            new.created,
            new.changed,
            new.data,
            swap.expected.map(|version| version.epoch),
            swap.expected.map(|version| version.seq),
        ])
        .map_err(failed)?;
    if changed == 1 {
        Ok(())
    } else {
        Err(lost(swap.name))
    }
}

fn parse(row: &Row<'_>) -> Result<(String, Ref)> {
    let failed = |error: rusqlite::Error| failed("read ref", &error);
    let read = |row: &Row<'_>| -> rusqlite::Result<_> {
        let state: String = row.get(1)?;
        let commit: Option<[u8; 32]> = row.get(2)?;
        let found = Ref {
            state: State::Failed,
            commit: commit.map(ObjectId),
            epoch: row.get(3)?,
            seq: row.get(4)?,
            owner: row.get(5)?,
            lease_until: row.get(6)?,
            operation: row.get(7)?,
            reason: row.get(8)?,
            deadline: row.get(9)?,
            created: row.get(10)?,
            changed: row.get(11)?,
            data: row.get(12)?,
        };
        Ok((row.get::<_, String>(0)?, state, found))
    };
    let (name, state, found) = read(row).map_err(failed)?;
    let state = State::from_name(&state).ok_or_else(|| Error::Corrupt {
        what: format!("ref {name:?}"),
        reason: "there is no such state",
    })?;
    Ok((name, Ref { state, ..found }))
}
