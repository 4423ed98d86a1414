//! Files: by Daytona's service where it does what is asked, else by a script.

use offshoot_connector::bindings::wasi::http::types::Method;
use offshoot_connector::http::{Request, encoded};
use offshoot_connector::path::{parent, unique};
use offshoot_connector::{Code, Command, Error, FileKind, FileStat, Input, Result, time};
use serde::Deserialize;

use crate::command;
use crate::control::checked;
use crate::settings::State;

/// Bytes of a file that can be read at once.
const FILE_BYTES: usize = 128 << 20;
/// How long a script may take.
const SCRIPT_MS: u64 = 120_000;

/// Statuses by which the scripts tell why they failed.
const NOT_FOUND: u8 = 40;
const CONFLICT: u8 = 41;

/// Puts the file `$1` in the place of `$2`, in one step and with the mode that it had. The service
/// itself would write into it, so that readers see a part.
const REPLACE: &str = r#"trap 'rm -f -- "$1"' EXIT
p=$2
if [ -L "$p" ]; then p=$(readlink -f -- "$p" && echo x) || exit 41; p=${p%?x}; fi
d=${p%/*}; d=${d:-/}
[ ! -d "$p" ] || exit 41
if [ ! -d "$d" ]; then
  while [ ! -e "$d" ] && [ -n "$d" ]; do d=${d%/*}; done
  [ -d "${d:-/}" ] && exit 40; exit 41
fi
m=; [ -e "$p" ] && m=$(stat -c %a -- "$p")
f=$d/.offshoot-$$-write
cat -- "$1" >"$f" && { [ -z "$m" ] || chmod "$m" "$f"; } && mv -f -- "$f" "$p" || { rm -f -- "$f"; exit 1; }
"#;
/// Writes the names in `$1`, a NUL after each. The service leaves out links that lead nowhere.
const NAMES: &str = r#"[ -d "$1" ] || { [ -e "$1" ] && exit 41; exit 40; }
cd -- "$1" && find . -mindepth 1 -maxdepth 1 -print0
"#;
/// Removes `$1`, a directory only where `$2` is set. The service follows links before it removes.
const REMOVE: &str = r#"[ -e "$1" ] || [ -L "$1" ] || exit 40
if [ -d "$1" ] && [ ! -L "$1" ]; then [ -n "$2" ] || exit 41; fi
rm -rf -- "$1"
"#;

/// A file as the service tells it; links are followed.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Info {
    is_dir: bool,
    size: u64,
    #[serde(default)]
    mode: String,
    #[serde(default)]
    permissions: String,
    modified_at: Option<String>,
}

fn ask(state: &State, method: Method, what: &str, path: &str) -> Request {
    let path = encoded(path);
    Request::new(method, format!("{}/{what}path={path}", state.toolbox))
}

pub(crate) fn stat(state: &State, path: &str) -> Result<FileStat> {
    let answer = ask(state, Method::Get, "files/info?", path).send()?;
    let info: Info = checked(state, answer)?.json()?;
    let kind = match (info.is_dir, info.mode.chars().next()) {
        (true, _) => FileKind::Directory,
        (false, Some('-') | None) => FileKind::File,
        (false, Some(_)) => FileKind::Other,
    };
    Ok(FileStat {
        kind,
        size: info.size,
        modified: info.modified_at.as_deref().and_then(time::parse),
        changed: None,
        accessed: None,
        is_symlink: None,
        mode: u32::from_str_radix(&info.permissions, 8).ok(),
    })
}

pub(crate) fn read(state: &State, path: &str) -> Result<Vec<u8>> {
    let answer = ask(state, Method::Get, "files/download?", path).send()?;
    checked(state, answer)?.read(FILE_BYTES)
}

pub(crate) fn write(state: &State, path: &str, content: &[u8]) -> Result<()> {
    let from = format!("/tmp/.offshoot-{}", unique());
    upload(state, &from, content)?;
    script(state, REPLACE, &[&from, path]).map(drop)
}

/// Sends a file to where nobody looks yet.
pub(crate) fn upload(state: &State, path: &str, content: &[u8]) -> Result<()> {
    let boundary = format!("offshoot-{}", unique());
    let mut body = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"files[0].path\"\r\n\r\n{path}\r\n\
         --{boundary}\r\nContent-Disposition: form-data; name=\"files[0].file\"; \
         filename=\"content\"\r\nContent-Type: application/octet-stream\r\n\r\n"
    )
    .into_bytes();
    let end = format!("\r\n--{boundary}--\r\n");
    body.reserve_exact(content.len() + end.len());
    body.extend_from_slice(content);
    body.extend_from_slice(end.as_bytes());
    let request = Request::post(format!("{}/files/bulk-upload", state.toolbox))
        .body(&format!("multipart/form-data; boundary={boundary}"), body);
    checked(state, request.send()?).map(drop)
}

pub(crate) fn readdir(state: &State, path: &str) -> Result<Vec<String>> {
    let listed = script(state, NAMES, &[path])?;
    let names = listed.split(|byte| *byte == 0).filter(|n| !n.is_empty());
    let names = names.map(|name| {
        let name = name.strip_prefix(b"./").unwrap_or(name);
        String::from_utf8(name.to_vec()).map_err(|error| {
            let shown = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let message = format!("{path}: the name {shown} is not UTF-8");
            Error::new(Code::NotText, message)
        })
    });
    names.collect()
}

pub(crate) fn mkdir(state: &State, path: &str, recursive: bool) -> Result<()> {
    // The service always makes the parents, and finds nothing wrong with what is there.
    if !recursive {
        directory(state, parent(path))?;
    }
    match stat(state, path) {
        Ok(found) if recursive && found.kind == FileKind::Directory => return Ok(()),
        Ok(_) => {
            let message = format!("{path}: something is there");
            return Err(Error::new(Code::Conflict, message));
        }
        Err(error) if error.code == Code::NotFound => {}
        Err(error) => return Err(error),
    }
    let answer = ask(state, Method::Post, "files/folder?mode=755&", path).send()?;
    checked(state, answer).map(drop)
}

/// Refuses what is no directory.
fn directory(state: &State, path: &str) -> Result<()> {
    match stat(state, path)?.kind {
        FileKind::Directory => Ok(()),
        _ => {
            let message = format!("{path}: not a directory");
            Err(Error::new(Code::Conflict, message))
        }
    }
}

pub(crate) fn rm(state: &State, path: &str, recursive: bool, force: bool) -> Result<()> {
    match script(state, REMOVE, &[path, if recursive { "1" } else { "" }]) {
        Err(error) if force && error.code == Code::NotFound => Ok(()),
        removed => removed.map(drop),
    }
}

/// What a script writes.
fn script(state: &State, script: &str, arguments: &[&str]) -> Result<Vec<u8>> {
    let command = Command {
        script: script.into(),
        name: Some(b"offshoot".to_vec()),
        arguments: arguments
            .iter()
            .map(|word| word.as_bytes().to_vec())
            .collect(),
        cwd: "/".to_owned(),
        environment: Vec::new(),
        replace_environment: false,
        input: Input::Empty,
        timeout_ms: Some(SCRIPT_MS),
    };
    let result = command::run(state, &command)?;
    let code = match result.exit_code {
        0 if result.truncated => Code::Limit,
        0 => return Ok(result.stdout),
        NOT_FOUND => Code::NotFound,
        CONFLICT => Code::Conflict,
        _ if result.timed_out => Code::Timeout,
        _ => Code::PolicyDenied,
    };
    let path = arguments.last().copied().unwrap_or_default();
    let why = String::from_utf8_lossy(&result.stderr);
    let why: String = why.trim().chars().take(500).collect();
    Err(Error::new(code, format!("{path}: refused {why}")))
}
