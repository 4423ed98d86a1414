//! Files: an archive is unpacked, bytes are read, one directory is made.

use super::{Outcome, failed};
use crate::service::{Answer, Request};
use flate2::read::GzDecoder;
use offshoot::backend::{Code, Environment, FileKind, path};
use serde_json::json;
use std::io::Read;

pub(super) async fn answer(machine: &dyn Environment, what: &str, request: &Request) -> Outcome {
    let asked = request.json();
    let cwd = asked["cwd"].as_str().unwrap_or(machine.cwd());
    let place = path::resolve(cwd, asked["path"].as_str().unwrap_or_default());
    match what {
        "write" => unpack(machine, request).await,
        "mkdir" => {
            machine.mkdir(&place, false).await?;
            Ok(Answer::json(200, &json!({})))
        }
        "read" => match machine.read_file_buffer(&place).await {
            Ok(content) => Ok(Answer::new(200, "application/octet-stream", content)),
            Err(error) if error.code() == Code::NotFound => {
                Ok(failed(404, "not_found", "File not found."))
            }
            Err(error) => Err(error),
        },
        _ => Ok(failed(404, "not_found", "no such route")),
    }
}

async fn unpack(machine: &dyn Environment, request: &Request) -> Outcome {
    if request.header("content-type") != "application/gzip" {
        return Ok(failed(400, "bad_request", "an archive is application/gzip"));
    }
    let into = match request.header("x-cwd") {
        "" => machine.cwd().to_owned(),
        directory => directory.to_owned(),
    };
    let mut files = Vec::new();
    let mut archive = tar::Archive::new(GzDecoder::new(&request.body[..]));
    let unreadable = || failed(400, "bad_request", "the archive cannot be read");
    let Ok(entries) = archive.entries() else {
        return Ok(unreadable());
    };
    for entry in entries {
        let Ok(mut entry) = entry else {
            return Ok(unreadable());
        };
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let (directory, mode) = (entry.header().entry_type().is_dir(), entry.header().mode());
        let mut content = Vec::new();
        if entry.read_to_end(&mut content).is_err() {
            return Ok(unreadable());
        }
        files.push((
            path::resolve(&into, &name),
            directory,
            mode.unwrap_or(0o644),
            content,
        ));
    }
    for (place, directory, mode, content) in files {
        let parent = place.rsplit_once('/').map_or("/", |(parent, _)| parent);
        let needed = if directory { place.as_str() } else { parent };
        if !needed.is_empty() {
            machine.mkdir(needed, true).await?;
        }
        if directory {
            continue;
        }
        machine.write_file(&place, &content).await?;
        if machine.stat(&place).await?.kind == FileKind::File {
            let script = format!("chmod {mode:o} -- \"$1\"");
            machine
                .exec(offshoot::Exec::new(script).arguments([&place]))
                .await?;
        }
    }
    Ok(Answer::json(200, &json!({})))
}
