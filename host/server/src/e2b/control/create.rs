//! Making sandboxes.

use super::super::endpoint::Endpoint;
use super::super::entry::Entry;
use super::super::failure::{Code, Failure, Result};
use super::super::record::{OnTimeout, Record};
use super::super::web::{self, Response};
use super::wire::{self, NewSandbox, Sandbox};
use super::{fresh_id, parse};
use http::StatusCode;
use offshoot::lifecycle::Origin;
use serde_json::Value;
use std::sync::Arc;

pub(super) async fn create(endpoint: &Endpoint, body: &[u8]) -> Result<Response> {
    let asked: NewSandbox = parse(body)?;
    refuse(&asked)?;
    let (origin, mut record) = endpoint.origin(&asked)?;
    record.metadata = asked.metadata.unwrap_or_default();
    record.envs.extend(asked.env_vars.unwrap_or_default());
    record.auto_resume = asked.auto_resume.is_some_and(|resume| resume.enabled);
    record.on_timeout = match asked.auto_pause {
        true => OnTimeout::Pause,
        false => OnTimeout::Kill,
    };
    let entry = endpoint.start(origin, record).await?;
    let made = Sandbox::of(&entry, endpoint.keys());
    Ok(web::json(StatusCode::CREATED, &made))
}

/// Refuses what a virtual sandbox does not have, before anything is made.
fn refuse(asked: &NewSandbox) -> Result<()> {
    let is_set = |value: &Option<Value>| value.as_ref().is_some_and(|value| !value.is_null());
    for (is_asked, what) in [
        (asked.internet == Some(true), "allow_internet_access"),
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
    asked.network.as_ref().map_or(Ok(()), refuse_ways_out)
}

/// Refuses settings that open a way out; those that close one are true already.
pub(super) fn refuse_ways_out(network: &Value) -> Result<()> {
    const CLOSING: [&str; 2] = ["denyOut", "allowPublicTraffic"];
    let Value::Object(settings) = network else {
        return Ok(());
    };
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    let mut opening = settings
        .iter()
        .filter(|(name, value)| !CLOSING.contains(&name.as_str()) && !is_empty(value));
    match opening.next() {
        None => Ok(()),
        Some((name, _)) => {
            let message = format!("network.{name} is not offered here: there is no way out");
            Err(Failure::invalid(message))
        }
    }
}

impl Endpoint {
    /// What a new sandbox is made from: a template, or a snapshot by its id or name.
    fn origin(&self, asked: &NewSandbox) -> Result<(Origin, Record)> {
        let timeout = wire::timeout(asked.timeout)?;
        if let Some(make) = self.0.templates.get(&asked.template_id) {
            let record = Record::sandbox(&asked.template_id, timeout);
            return Ok((Origin::template(make()), record));
        }
        let missing = || {
            let message = format!("template '{}' not found", asked.template_id);
            Failure::new(Code::NotFound, message)
        };
        let (id, snapshot) = self.find_snapshot(&asked.template_id).ok_or_else(missing)?;
        let mut record = Record::sandbox(&asked.template_id, timeout);
        record.envs = snapshot.envs;
        Ok((Origin::sandbox(id), record))
    }

    /// Makes a sandbox and wakes it.
    pub(super) async fn start(&self, origin: Origin, record: Record) -> Result<Arc<Entry>> {
        let id = fresh_id("i");
        self.0.sandboxes.create(&id, origin).await?;
        let timeout = record.timeout;
        let entry = Arc::new(Entry::new(id, record));
        let started = async {
            self.persist(&entry).await?;
            self.wake(&entry, timeout).await
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

    #[test]
    fn what_cannot_be_had_is_refused() {
        for (fields, refused) in [
            (json!({}), None),
            (json!({"allow_internet_access": false, "mcp": null}), None),
            (
                json!({"allow_internet_access": true}),
                Some("allow_internet_access"),
            ),
            (json!({"mcp": {"exa": {}}}), Some("mcp")),
            (json!({"iam": {"tokens": {}}}), Some("iam")),
            (
                json!({"volumeMounts": [{"name": "a"}]}),
                Some("volumeMounts"),
            ),
            (
                json!({"network": {"denyOut": ["0.0.0.0/0"], "allowOut": []}}),
                None,
            ),
            (
                json!({"network": {"allowOut": ["8.8.8.8"]}}),
                Some("network.allowOut"),
            ),
            (
                json!({"network": {"rules": {"a.test": []}}}),
                Some("network.rules"),
            ),
        ] {
            let mut body = json!({"templateID": "base"});
            for (name, value) in fields.as_object().unwrap() {
                body[name] = value.clone();
            }
            let asked: NewSandbox = serde_json::from_value(body).unwrap();
            let message = refuse(&asked).map_err(|failure| failure.rest()["message"].to_string());
            match refused {
                None => assert!(message.is_ok(), "{fields}"),
                Some(what) => assert!(message.unwrap_err().contains(what), "{fields}"),
            }
        }
    }
}
