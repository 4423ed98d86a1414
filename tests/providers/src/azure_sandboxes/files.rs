//! Files of a sandbox that runs.

use super::{Outcome, failed, missing};
use crate::service::{Answer, Request};
use offshoot::backend::{Environment, FileKind, RemoveOptions, Result};
use serde_json::{Value, json};

pub(super) async fn answer(
    machine: &dyn Environment,
    method: &str,
    what: &[&str],
    request: &Request,
) -> Outcome {
    let given = |name: &str| request.query.get(name).map_or("", String::as_str);
    let asked = request.json();
    let path = match what {
        ["mkdir"] => asked["path"].as_str().unwrap_or_default(),
        _ => given("path"),
    };
    if !path.starts_with('/') {
        return Ok(failed(400, "BadRequest", "an absolute path is needed"));
    }
    let done = json!({ "success": true });
    let told = match (method, what) {
        ("GET", []) => {
            let content = machine.read_file_buffer(path).await?;
            return Ok(Answer::new(200, "application/octet-stream", content));
        }
        ("PUT", []) => {
            if given("createDirs") == "true" {
                let parent = path.rsplit_once('/').map_or("/", |(parent, _)| parent);
                machine.mkdir(parent, true).await?;
            }
            machine.write_file(path, &request.body).await?;
            json!({ "success": true, "bytesWritten": request.body.len() })
        }
        ("DELETE", []) => {
            let how = RemoveOptions {
                recursive: given("recursive") == "true",
                force: false,
            };
            machine.rm(path, how).await?;
            done
        }
        ("GET", ["stat"]) => about(machine, path).await?,
        ("GET", ["list"]) => {
            let mut entries = Vec::new();
            for name in machine.readdir(path).await? {
                let child = format!("{}/{name}", path.trim_end_matches('/'));
                entries.push(about(machine, &child).await?);
            }
            json!({ "path": path, "entries": entries })
        }
        ("POST", ["mkdir"]) => {
            machine.mkdir(path, true).await?;
            done
        }
        _ => return Ok(missing()),
    };
    Ok(Answer::json(200, &told))
}

/// As the client reads it; the specification has `isDir` beside that, and the mode as a number.
async fn about(machine: &dyn Environment, path: &str) -> Result<Value> {
    let stat = machine.stat(path).await?;
    let directory = stat.kind == FileKind::Directory;
    Ok(json!({
        "name": path.rsplit('/').next(), "path": path, "size": stat.size, "isDirectory": directory,
        "isDir": directory, "modifiedAt": "2026-11-01T00:00:00Z", "mode": "0644",
    }))
}
