//! The control plane: sandboxes and snapshots.

mod build;
mod create;
mod life;
mod list;
mod snapshots;
mod templates;
mod wire;

use super::endpoint::Endpoint;
use super::entry::Entry;
use super::failure::{Failure, Result};
use crate::connection;
use crate::web::{self, Request, Response};
use http::Method;
use offshoot_vfs::{Random, SystemRandom};
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use templates::Place;

pub(crate) use build::fresh_uuid;
pub(super) use templates::Builds;

/// Bytes that the body of a request may have.
const LONGEST: usize = 1 << 20;

/// Serves the control plane.
pub(super) async fn serve(at: &Endpoint, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let place = Place::of(at, parts.uri.path(), parts.uri.query().unwrap_or_default());
    if let (&Method::PUT, Some(place)) = (&parts.method, place) {
        connection::trust(&parts.extensions);
        return templates::receive(at, &place, body).await;
    }
    if let Err(failure) = at.keys().check(&parts.headers) {
        web::drain(body).await;
        return Err(failure);
    }
    connection::trust(&parts.extensions);
    let body = web::collect(body, LONGEST).await?;
    let query = parts.uri.query().unwrap_or_default();
    let path = parts.uri.path().split('/').skip(1);
    let path: Vec<_> = path
        .map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned())
        .collect();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let (is_second, path) = match path.as_slice() {
        ["v2", path @ ..] => (true, path),
        ["v3", path @ ..] => (false, path),
        path => (false, path),
    };
    match (parts.method, path) {
        (Method::POST, ["sandboxes"]) => create::create(at, &parts.headers, &body).await,
        (Method::GET, ["sandboxes"]) if is_second => list::page(at, query),
        (Method::GET, ["sandboxes"]) => list::running(at, query),
        (Method::GET, ["snapshots"]) => snapshots::list(at, query),
        (Method::GET, ["templates"]) => Ok(templates::list(at)),
        (Method::POST, ["templates"]) => templates::begin(at, &body),
        (Method::GET, ["templates", id, "files", hash]) => {
            templates::link(at, &parts.headers, id, hash)
        }
        (Method::POST, ["templates", id, "builds", _]) => templates::start(at, id, &body),
        (Method::GET, ["templates", id, "builds", _, "status"]) => templates::status(at, id, query),
        (Method::GET, ["templates", "aliases", name]) => snapshots::alias(at, name),
        (Method::DELETE, ["templates", name]) => snapshots::remove(at, name).await,
        (Method::GET, ["sandboxes", id]) => life::get(at, id),
        (Method::DELETE, ["sandboxes", id]) => life::kill(at, id).await,
        (Method::PUT, ["sandboxes", id, "network"]) => life::network(at, id, &body).await,
        (Method::GET, ["sandboxes", id, "metrics"]) => life::metrics(at, id).await,
        (Method::POST, ["sandboxes", id, action]) => match *action {
            "connect" => life::connect(at, id, &body).await,
            "resume" => life::resume(at, id, &body).await,
            "pause" => life::pause(at, id).await,
            "timeout" => life::set_timeout(at, id, &body).await,
            "refreshes" => life::refresh(at, id, &body).await,
            "fork" => snapshots::fork(at, id, &body).await,
            "snapshots" => snapshots::take(at, id, &body).await,
            _ => Err(Failure::no_route()),
        },
        _ => Err(Failure::no_route()),
    }
}

/// A request's body; an empty one is the empty object.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    let body = match body.is_empty() {
        true => &b"{}"[..],
        false => body,
    };
    serde_json::from_slice(body).map_err(|error| Failure::invalid(format!("the body: {error}")))
}

/// The sandbox of this id, as the control plane looks for it.
fn find(endpoint: &Endpoint, id: &str) -> Result<Arc<Entry>> {
    endpoint.entry(id).ok_or_else(|| Failure::no_sandbox(id))
}

/// A name that nothing else has: `prefix` and 20 letters and digits.
fn fresh_id(prefix: &str) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz012345";
    let mut bytes = [0; 20];
    SystemRandom::default().fill(&mut bytes);
    let letters = bytes
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(byte % 32)]));
    prefix.chars().chain(letters).collect()
}
