//! Branches and snapshots.
//!
//! A snapshot is a branch that sleeps for ever: it outlives the sandbox that it was taken of, and a
//! sandbox made from it is a branch of it.

use super::super::endpoint::Endpoint;
use super::super::entry::Entry;
use super::super::failure::{Code, Failure, Result};
use super::super::record::Record;
use super::list::{self as pages, Page};
use super::wire::{self, Fork, NewForks, NewSnapshot, Sandbox, Snapshot};
use super::{find, fresh_id, parse};
use crate::web::{self, Response};
use http::StatusCode;
use offshoot::lifecycle::{CreateOptions, Origin};
use serde_json::json;

/// Branches that are made at once.
const MOST: usize = 100;

/// Names that a message has at most.
const NAMED: usize = 20;

/// The only version that a snapshot has.
const TAG: &str = ":default";

pub(super) async fn fork(at: &Endpoint, id: &str, body: &[u8]) -> Result<Response> {
    let entry = find(at, id)?;
    let asked: NewForks = parse(body)?;
    let timeout = wire::timeout(asked.timeout)?;
    let count = asked.count.unwrap_or(1);
    if !(1..=MOST).contains(&count) {
        return Err(Failure::invalid(format!(
            "the count is 1 to {MOST}, not {count}"
        )));
    }
    let mut forks = Vec::with_capacity(count);
    for _ in 0..count {
        let record = Record::fork(&entry.record(), timeout);
        forks.push(match at.branch(&entry, record).await {
            Ok(branch) => Fork::Sandbox(Sandbox::of(&branch, at.keys())),
            Err(failure) => Fork::Error(failure.rest()),
        });
    }
    Ok(web::json(StatusCode::CREATED, &forks))
}

pub(super) async fn take(at: &Endpoint, id: &str, body: &[u8]) -> Result<Response> {
    let entry = find(at, id)?;
    let asked: NewSnapshot = parse(body)?;
    let name = asked.name.filter(|name| !name.is_empty());
    if let Some(name) = &name {
        at.check_name(name)?;
    }
    let (snapshot, record) = at.keep(&entry, name).await?;
    Ok(web::json(
        StatusCode::CREATED,
        &describe(&snapshot, &record),
    ))
}

pub(super) fn list(at: &Endpoint, query: &str) -> Result<Response> {
    let (mut page, mut source, mut named) = (Page::default(), None, None);
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*name {
            "sandboxID" => source = Some(value.into_owned()),
            "name" => named = Some(value.trim_end_matches(TAG).to_owned()),
            other => {
                page.read(other, &value)?;
            }
        }
    }
    let takes = |record: &Record| {
        (source.is_none() || record.source == source) && (named.is_none() || record.name == named)
    };
    let all = at.snapshots().clone().into_iter();
    let all = all.filter(|(_, record)| takes(record)).collect();
    let (found, next) = page.cut(all, false);
    let found = found.iter().map(|(id, record)| describe(id, record));
    Ok(pages::answer(&found.collect::<Vec<_>>(), next))
}

pub(super) async fn remove(at: &Endpoint, name: &str) -> Result<Response> {
    let missing = || at.no_template(name);
    let (id, _) = at.find_snapshot(name).ok_or_else(missing)?;
    at.0.sandboxes.delete(&id).await?;
    at.snapshots().remove(&id);
    Ok(web::empty(StatusCode::NO_CONTENT))
}

/// What stands for a name that sandboxes can be made from.
pub(super) fn alias(at: &Endpoint, name: &str) -> Result<Response> {
    let template = at.0.templates.contains_key(name).then(|| name.to_owned());
    let id = template.or_else(|| at.find_snapshot(name).map(|(id, _)| id));
    match id {
        Some(id) => Ok(web::json(
            StatusCode::OK,
            &json!({ "templateID": id, "public": false }),
        )),
        None => Err(at.no_template(name)),
    }
}

fn describe(id: &str, record: &Record) -> Snapshot {
    let name = record.name.as_deref().unwrap_or(id);
    Snapshot {
        snapshot_id: format!("{name}{TAG}"),
        names: record
            .name
            .iter()
            .map(|name| format!("{name}{TAG}"))
            .collect(),
    }
}

impl Endpoint {
    /// There is no such template, and these are.
    pub(super) fn no_template(&self, name: &str) -> Failure {
        let templates = self.0.templates.keys().cloned();
        let snapshots = self.snapshots().clone().into_values();
        let all: Vec<String> = templates
            .chain(snapshots.filter_map(|record| record.name))
            .take(NAMED)
            .collect();
        let message = format!("template '{name}' not found; there are: {}", all.join(", "));
        Failure::new(Code::NotFound, message)
    }

    /// A snapshot by its id or name, with or without the tag.
    pub(super) fn find_snapshot(&self, name: &str) -> Option<(String, Record)> {
        let name = name.strip_suffix(TAG).unwrap_or(name);
        let snapshots = self.snapshots();
        let found = match snapshots.get_key_value(name) {
            Some(found) => Some(found),
            None => snapshots
                .iter()
                .find(|(_, record)| record.name.as_deref() == Some(name)),
        };
        found.map(|(id, record)| (id.clone(), record.clone()))
    }

    /// Refuses a name that would hide a template, or that could not be asked for.
    pub(super) fn check_name(&self, name: &str) -> Result<()> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte);
        if !name.bytes().all(plain) {
            let message = format!("the name {name:?} has other characters than a-z, 0-9, - and _");
            return Err(Failure::invalid(message));
        }
        if self.0.templates.contains_key(name) {
            let message = format!("a template is called {name:?}");
            return Err(Failure::new(Code::Conflict, message));
        }
        Ok(())
    }

    /// Keeps the present state of a sandbox; an older one of the same name goes.
    pub(super) async fn keep(
        &self,
        entry: &Entry,
        name: Option<String>,
    ) -> Result<(String, Record)> {
        let record = Record::snapshot(&entry.record(), &entry.id, name.clone());
        let snapshot = fresh_id("s");
        let service = &self.0.sandboxes;
        let options = CreateOptions::new().title(record.encode());
        let origin = Origin::sandbox(&entry.id);
        service.create_with(&snapshot, origin, options).await?;
        let older = {
            let mut snapshots = self.snapshots();
            let same = |old: &Record| name.is_some() && old.name == name;
            let older = snapshots.iter().find(|(_, old)| same(old));
            let older = older.map(|(id, _)| id.clone());
            if let Some(older) = &older {
                snapshots.remove(older);
            }
            snapshots.insert(snapshot.clone(), record.clone());
            older
        };
        if let Some(older) = older {
            service.delete(&older).await?;
        }
        Ok((snapshot, record))
    }

    /// A branch of a sandbox, awake.
    async fn branch(&self, entry: &Entry, record: Record) -> Result<std::sync::Arc<Entry>> {
        self.start(Origin::sandbox(&entry.id), record).await
    }
}
