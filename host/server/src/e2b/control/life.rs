//! What happens to a sandbox between its making and its end.

use super::super::endpoint::Endpoint;
use super::super::failure::{Code, Failure, Result};
use super::wire::{self, Detail, Metric, Refresh, Sandbox, Time};
use super::{find, parse};
use crate::web::{self, Response};
use http::StatusCode;
use serde_json::Value;

pub(super) fn get(at: &Endpoint, id: &str) -> Result<Response> {
    let entry = find(at, id)?;
    Ok(web::json(StatusCode::OK, &Detail::of(&entry, at)))
}

pub(super) async fn kill(at: &Endpoint, id: &str) -> Result<Response> {
    let entry = find(at, id)?;
    at.kill(&entry).await?;
    Ok(web::empty(StatusCode::NO_CONTENT))
}

/// Wakes a paused sandbox; one that runs gets more time, never less.
pub(super) async fn connect(at: &Endpoint, id: &str, body: &[u8]) -> Result<Response> {
    let entry = find(at, id)?;
    let timeout = wire::timeout(parse::<Time>(body)?.timeout)?;
    let resumed = at.wake(&entry, timeout).await?;
    if !resumed {
        entry.change(|record| {
            let before = record.ends;
            record.extend(timeout);
            record.ends = record.ends.max(before);
        });
        at.persist(&entry).await?;
        at.arm(&entry);
    }
    let status = match resumed {
        true => StatusCode::CREATED,
        false => StatusCode::OK,
    };
    Ok(web::json(status, &Sandbox::of(&entry, at.keys())))
}

pub(super) async fn resume(at: &Endpoint, id: &str, body: &[u8]) -> Result<Response> {
    let entry = find(at, id)?;
    let timeout = wire::timeout(parse::<Time>(body)?.timeout)?;
    if !at.wake(&entry, timeout).await? {
        let message = format!("sandbox {id} is already running");
        return Err(Failure::new(Code::Conflict, message));
    }
    let made = Sandbox::of(&entry, at.keys());
    Ok(web::json(StatusCode::CREATED, &made))
}

pub(super) async fn pause(at: &Endpoint, id: &str) -> Result<Response> {
    let entry = find(at, id)?;
    at.pause(&entry).await?;
    Ok(web::empty(StatusCode::NO_CONTENT))
}

pub(super) async fn set_timeout(at: &Endpoint, id: &str, body: &[u8]) -> Result<Response> {
    let seconds = parse::<Time>(body)?.timeout;
    let missing = || Failure::invalid("the timeout is missing");
    extend(at, id, seconds.ok_or_else(missing)?, false).await
}

pub(super) async fn refresh(at: &Endpoint, id: &str, body: &[u8]) -> Result<Response> {
    let seconds = parse::<Refresh>(body)?.duration.unwrap_or(15);
    extend(at, id, seconds, true).await
}

/// Gives a running sandbox so many seconds from now, or at least so many.
async fn extend(at: &Endpoint, id: &str, seconds: u64, at_least: bool) -> Result<Response> {
    let entry = find(at, id)?;
    if entry.record().paused {
        return Err(Failure::no_sandbox(id));
    }
    let timeout = wire::timeout(Some(seconds))?;
    entry.change(|record| {
        let before = record.ends;
        record.extend(timeout);
        if at_least {
            record.ends = record.ends.max(before);
        }
    });
    at.persist(&entry).await?;
    at.arm(&entry);
    Ok(web::empty(StatusCode::NO_CONTENT))
}

/// Closes the ways out of a sandbox, or leaves it what the server's policy allows.
pub(super) async fn network(at: &Endpoint, id: &str, body: &[u8]) -> Result<Response> {
    let entry = find(at, id)?;
    let asked: Value = parse(body)?;
    let internet = asked["allow_internet_access"].as_bool();
    let offline = at.is_offline(internet, Some(&asked))?;
    entry.change(|record| record.offline = offline);
    if let Some(awake) = entry.look().await {
        awake.sandbox().set_offline(offline);
    }
    at.persist(&entry).await?;
    Ok(web::empty(StatusCode::NO_CONTENT))
}

/// What a sandbox takes now; of one that sleeps nothing is known.
pub(super) async fn metrics(at: &Endpoint, id: &str) -> Result<Response> {
    let entry = find(at, id)?;
    let now = entry.look().await.map(|awake| Metric::of(awake.sandbox()));
    Ok(web::json(
        StatusCode::OK,
        &now.into_iter().collect::<Vec<_>>(),
    ))
}
