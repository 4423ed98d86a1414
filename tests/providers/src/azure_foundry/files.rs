//! The files of a session: those in the directory of its container.

use super::{Outcome, broken, invalid, missing};
use crate::service::{Answer, Request};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Serves what is below the route of a session's files.
pub(super) fn serve(home: &Path, (method, rest): (&str, &[&str]), request: &Request) -> Outcome {
    let given = request.query.get("path").map_or("", String::as_str);
    let relative = Path::new(given);
    let plain = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if !relative.components().all(plain) {
        return Err(invalid("the path leaves the session's directory"));
    }
    let path = home.join(relative);
    match (method, rest) {
        ("PUT", ["content"]) => {
            std::fs::write(&path, &request.body).map_err(|error| told(&error))?;
            let about = json!({ "path": given, "bytes_written": request.body.len() });
            Ok(Answer::json(201, &about))
        }
        ("GET", ["content"]) => {
            let content = std::fs::read(&path).map_err(|error| told(&error))?;
            Ok(Answer::new(200, "application/octet-stream", content))
        }
        ("GET", []) => list(path),
        ("DELETE", []) => {
            let recursive = request
                .query
                .get("recursive")
                .is_some_and(|given| given == "true");
            let done = match (path.is_dir(), recursive) {
                (true, true) => std::fs::remove_dir_all(&path),
                (true, false) => std::fs::remove_dir(&path),
                (false, _) => std::fs::remove_file(&path),
            };
            done.map_err(|error| told(&error))?;
            Ok(Answer::new(204, "application/json", ""))
        }
        _ => Err(missing("the route")),
    }
}

fn list(path: PathBuf) -> Outcome {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| told(&error))? {
        let entry = entry.map_err(broken)?;
        let about = entry.metadata().map_err(broken)?;
        let since = about.modified().map_err(broken)?.duration_since(UNIX_EPOCH);
        entries.push(json!({
            "name": entry.file_name().to_string_lossy(),
            "size": if about.is_dir() { 0 } else { about.len() },
            "is_directory": about.is_dir(),
            "modified_time": since.map_or(0, |time| time.as_secs()),
        }));
    }
    Ok(Answer::json(
        200,
        &json!({ "path": ".", "entries": entries }),
    ))
}

fn told(error: &std::io::Error) -> (u16, &'static str, String) {
    match error.kind() {
        ErrorKind::NotFound => missing("the file"),
        _ => invalid(&error.to_string()),
    }
}
