//! Making sandboxes.

use super::super::endpoint::Endpoint;
use super::super::entry::Entry;
use super::super::failure::{Code, Failure, Result};
use super::super::process;
use super::super::record::{OnTimeout, Record};
use super::wire::{self, NewSandbox, Sandbox};
use super::{fresh_id, parse};
use crate::web::{self, Response};
use http::{HeaderMap, StatusCode};
use offshoot::Exec;
use offshoot::lifecycle::{CreateOptions, Origin};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How long what a template starts may take until it is ready.
const READY: Duration = Duration::from_secs(30);

/// The pause between two looks whether it is.
const AGAIN: Duration = Duration::from_millis(100);

/// The longest time of one look, in milliseconds.
const ASKED: u64 = 5_000;

/// By which a client that asks again gets what it has made already.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// All addresses.
const EVERYTHING: &str = "0.0.0.0/0";

pub(super) async fn create(
    endpoint: &Endpoint,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<Response> {
    let key = headers.get(IDEMPOTENCY_KEY).map(|key| {
        let digest = blake3::hash(key.as_bytes());
        digest.to_hex().to_string()
    });
    let Some(key) = key else {
        let entry = make(endpoint, body, None).await?;
        return made(endpoint, &entry);
    };
    // Of those who send the same key at once, one makes it.
    let turn = endpoint.turn_of(&key);
    let _turn = turn.lock().await;
    let known = endpoint.entries().into_iter();
    let known = known.filter(|entry| !entry.is_gone());
    let mut known = known.filter(|entry| entry.record().key.as_ref() == Some(&key));
    match known.next() {
        Some(entry) => made(endpoint, &entry),
        None => {
            let entry = make(endpoint, body, Some(key.clone())).await?;
            made(endpoint, &entry)
        }
    }
}

fn made(endpoint: &Endpoint, entry: &Entry) -> Result<Response> {
    let made = Sandbox::of(entry, endpoint.keys());
    Ok(web::json(StatusCode::CREATED, &made))
}

async fn make(endpoint: &Endpoint, body: &[u8], key: Option<String>) -> Result<Arc<Entry>> {
    let asked: NewSandbox = parse(body)?;
    refuse(&asked)?;
    let timeout = wire::timeout(asked.timeout)?;
    let (origin, mut record) = endpoint.origin(&asked.template_id, timeout)?;
    record.key = key;
    record.offline = endpoint.is_offline(asked.internet, asked.network.as_ref())?;
    record.metadata = asked.metadata.unwrap_or_default();
    record.envs.extend(asked.env_vars.unwrap_or_default());
    record.auto_resume = asked.auto_resume.is_some_and(|resume| resume.enabled);
    record.on_timeout = match asked.auto_pause {
        true => OnTimeout::Pause,
        false => OnTimeout::Kill,
    };
    endpoint.start(origin, record).await
}

/// Refuses what a virtual sandbox does not have, before anything is made.
fn refuse(asked: &NewSandbox) -> Result<()> {
    let is_set = |value: &Option<Value>| value.as_ref().is_some_and(|value| !value.is_null());
    for (is_asked, what) in [
        (is_set(&asked.mcp), "mcp"),
        (is_set(&asked.iam), "iam"),
        (
            asked
                .volume_mounts
                .as_ref()
                .is_some_and(|mounts| !mounts.is_empty()),
            "volumeMounts",
        ),
    ] {
        if is_asked {
            return Err(Failure::invalid(format!("{what} is not offered here")));
        }
    }
    Ok(())
}

/// Whether settings close all ways out. Those that open one are refused: what can be reached is said where
/// the server is started, and not by who uses it.
fn closes(network: &Value, has_network: bool) -> Result<bool> {
    let Value::Object(settings) = network else {
        return Ok(false);
    };
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    let mut is_closed = false;
    for (name, value) in settings.iter().filter(|(_, value)| !is_empty(value)) {
        let all = Value::from(EVERYTHING);
        match name.as_str() {
            "allowPublicTraffic" | "allow_internet_access" => {}
            "denyOut" if value.as_array().is_some_and(|items| items.contains(&all)) => {
                is_closed = true;
            }
            // What nothing reaches need not be closed.
            "denyOut" if !has_network => {}
            _ => {
                let message = format!(
                    "network.{name} is not offered here: what sandboxes reach is said by the server's \
                     own policy"
                );
                return Err(Failure::invalid(message));
            }
        }
    }
    Ok(is_closed)
}

impl Endpoint {
    /// Whether a sandbox with these settings reaches nothing, whatever the server's policy says.
    pub(super) fn is_offline(
        &self,
        internet: Option<bool>,
        network: Option<&Value>,
    ) -> Result<bool> {
        let has_network = self.0.sandboxes.has_network();
        let is_closed = network.map_or(Ok(false), |network| closes(network, has_network))?;
        Ok(is_closed || internet == Some(false))
    }

    /// What a new sandbox is made from: a template, or a snapshot by its id or name.
    pub(super) fn origin(&self, name: &str, timeout: Duration) -> Result<(Origin, Record)> {
        if let Some(make) = self.0.templates.get(name) {
            let record = Record::sandbox(name, timeout);
            return Ok((Origin::template(make()), record));
        }
        let missing = || self.no_template(name);
        let (id, snapshot) = self.find_snapshot(name).ok_or_else(missing)?;
        let mut record = Record::sandbox(name, timeout);
        (record.envs, record.notes) = (snapshot.envs, snapshot.notes);
        (record.start, record.contexts) = (snapshot.start, snapshot.contexts);
        Ok((Origin::sandbox(id), record))
    }

    /// Starts what the template has run in the sandbox.
    pub(super) async fn begin(&self, entry: &Arc<Entry>) -> Result<()> {
        let awake = self.enter(entry).await?;
        process::launch(entry, &awake)
    }

    /// Waits until what the template has run in the sandbox is ready.
    pub(super) async fn ready(&self, entry: &Arc<Entry>) -> Result<()> {
        let start = entry.record().start;
        let Some(start) = start.filter(|start| !start.ready.is_empty()) else {
            return Ok(());
        };
        let end = Instant::now() + READY;
        loop {
            let awake = self.enter(entry).await?;
            let sandbox = awake.sandbox().clone();
            drop(awake);
            let asked = Exec::new(&start.ready).timeout_ms(ASKED);
            if sandbox.exec(asked).await?.exit_code == 0 {
                return Ok(());
            }
            if Instant::now() >= end {
                let message = format!(
                    "what the template starts was not ready after {} s: {:?} does not succeed",
                    READY.as_secs(),
                    start.ready
                );
                return Err(Failure::new(Code::Unavailable, message));
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Makes a sandbox and wakes it.
    pub(super) async fn start(&self, origin: Origin, record: Record) -> Result<Arc<Entry>> {
        let id = fresh_id("i");
        // With its record from the beginning, so that no crash leaves one that nobody knows of.
        let options = CreateOptions::new().title(record.encode());
        self.0.sandboxes.create_with(&id, origin, options).await?;
        let timeout = record.timeout;
        let entry = Arc::new(Entry::new(id, record, &self.0.share));
        let started = async {
            self.wake(&entry, timeout).await?;
            self.ready(&entry).await
        };
        if let Err(failure) = started.await {
            // Nobody knows of it, so nobody else would remove it.
            let _ = self.0.sandboxes.delete(&entry.id).await;
            return Err(failure);
        }
        self.insert(Arc::clone(&entry));
        self.arm(&entry);
        Ok(entry)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use serde_json::json;

    fn refusal(done: Result<impl std::fmt::Debug>) -> String {
        done.unwrap_err().rest()["message"].to_string()
    }

    #[test]
    fn what_cannot_be_had_is_refused() {
        for (fields, refused) in [
            (json!({}), None),
            (json!({"allow_internet_access": true, "mcp": null}), None),
            (json!({"mcp": {"exa": {}}}), Some("mcp")),
            (json!({"iam": {"tokens": {}}}), Some("iam")),
            (
                json!({"volumeMounts": [{"name": "a"}]}),
                Some("volumeMounts"),
            ),
        ] {
            let mut body = json!({"templateID": "base"});
            for (name, value) in fields.as_object().unwrap() {
                body[name] = value.clone();
            }
            let asked: NewSandbox = serde_json::from_value(body).unwrap();
            match refused {
                None => assert!(refuse(&asked).is_ok(), "{fields}"),
                Some(what) => assert!(refusal(refuse(&asked)).contains(what), "{fields}"),
            }
        }
    }

    #[test]
    fn ways_out_are_closed_and_never_opened() {
        for (network, has_network, closed) in [
            (json!({}), true, Ok(false)),
            (
                json!({"denyOut": ["0.0.0.0/0"], "allowOut": []}),
                true,
                Ok(true),
            ),
            (json!({"denyOut": ["8.8.8.8"]}), false, Ok(false)),
            (
                json!({"denyOut": ["8.8.8.8"]}),
                true,
                Err("network.denyOut"),
            ),
            (
                json!({"allowOut": ["8.8.8.8"]}),
                true,
                Err("network.allowOut"),
            ),
            (
                json!({"rules": {"a.test": []}}),
                false,
                Err("network.rules"),
            ),
        ] {
            match closed {
                Ok(closed) => assert_eq!(closes(&network, has_network).unwrap(), closed),
                Err(what) => assert!(refusal(closes(&network, has_network)).contains(what)),
            }
        }
    }
}
