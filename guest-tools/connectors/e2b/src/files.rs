//! Files, by envd's service for them and its plain transfers.

use offshoot_connector::http::{Request, encoded};
use offshoot_connector::path::parent;
use offshoot_connector::{Code, Error, FileKind, FileStat, Result, time};
use serde::Deserialize;
use serde_json::json;

use crate::envd::{call, checked, dressed};
use crate::settings::State;

/// Bytes of a file that can be read at once.
const FILE_BYTES: usize = 128 << 20;
/// Links that are followed on one path, as Linux does.
const LINKS: usize = 40;

#[derive(Deserialize)]
struct Entry {
    name: String,
    #[serde(default)]
    r#type: String,
    #[serde(default)]
    size: Number,
    mode: Option<u32>,
    #[serde(rename = "modifiedTime")]
    modified: Option<String>,
    #[serde(rename = "symlinkTarget")]
    target: Option<String>,
}

/// A 64-bit number, which JSON carries as text; nothing stands for 0.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Text(String),
    Number(u64),
}

impl Default for Number {
    fn default() -> Number {
        Number::Number(0)
    }
}

#[derive(Deserialize)]
struct Found {
    entry: Entry,
}

#[derive(Deserialize)]
struct Listed {
    #[serde(default)]
    entries: Vec<Entry>,
}

/// A request that envd calls invalid is about what is there.
fn conflict(error: Error) -> Error {
    match error.code {
        Code::Invalid => error.with_code(Code::Conflict),
        _ => error,
    }
}

/// What is known of a path; a link at its end is not followed.
fn entry(state: &State, path: &str) -> Result<Entry> {
    let found: Result<Found> = call(
        state,
        "filesystem.Filesystem/Stat",
        &json!({ "path": path }),
    );
    Ok(found.map_err(conflict)?.entry)
}

impl Entry {
    fn is_directory(&self) -> bool {
        self.target.is_none() && self.kind() == FileKind::Directory
    }

    fn kind(&self) -> FileKind {
        match self.r#type.as_str() {
            "FILE_TYPE_FILE" => FileKind::File,
            "FILE_TYPE_DIRECTORY" => FileKind::Directory,
            "FILE_TYPE_SYMLINK" => FileKind::Symlink,
            _ => FileKind::Other,
        }
    }

    fn size(&self) -> Result<u64> {
        match &self.size {
            Number::Number(size) => Ok(*size),
            Number::Text(text) => text.parse().map_err(Error::corrupt),
        }
    }
}

pub(crate) fn stat(state: &State, path: &str) -> Result<FileStat> {
    let first = entry(state, path)?;
    let is_link = first.target.is_some();
    let (mut found, mut at) = (first, path.to_owned());
    for _ in 0..LINKS {
        let Some(target) = &found.target else {
            return Ok(FileStat {
                kind: found.kind(),
                size: found.size()?,
                modified: found.modified.as_deref().and_then(time::parse),
                changed: None,
                accessed: None,
                is_symlink: Some(is_link),
                mode: found.mode,
            });
        };
        at = match target.starts_with('/') {
            true => target.clone(),
            false => format!("{}/{target}", parent(&at)),
        };
        found = entry(state, &at)?;
    }
    let message = format!("{path}: too many levels of symbolic links");
    Err(Error::new(Code::Conflict, message))
}

pub(crate) fn read(state: &State, path: &str) -> Result<Vec<u8>> {
    let request = Request::get(url(state, path));
    let answer = dressed(state, request).send()?;
    checked(answer).map_err(conflict)?.read(FILE_BYTES)
}

pub(crate) fn write(state: &State, path: &str, content: Vec<u8>) -> Result<()> {
    let request = Request::post(url(state, path)).body("application/octet-stream", content);
    checked(dressed(state, request).send()?).map_err(conflict)?;
    Ok(())
}

fn url(state: &State, path: &str) -> String {
    let mut url = format!("{}/files?path={}", state.envd, encoded(path));
    if let Some(user) = &state.user {
        url.push_str(&format!("&username={}", encoded(user)));
    }
    url
}

pub(crate) fn readdir(state: &State, path: &str) -> Result<Vec<String>> {
    let asked = json!({ "path": path, "depth": 1 });
    let listed: Listed = call(state, "filesystem.Filesystem/ListDir", &asked).map_err(conflict)?;
    let mut names = Vec::with_capacity(listed.entries.len());
    for entry in listed.entries {
        is_real(state, path, &entry.name)?;
        names.push(entry.name);
    }
    Ok(names)
}

/// A name that is not UTF-8 is listed with replacement characters, and nothing has that name.
fn is_real(state: &State, directory: &str, name: &str) -> Result<()> {
    if !name.contains(char::REPLACEMENT_CHARACTER) {
        return Ok(());
    }
    match entry(
        state,
        &format!("{}/{name}", directory.trim_end_matches('/')),
    ) {
        Err(error) if error.code == Code::NotFound => {
            let message = format!("{directory}: the name {name} is not UTF-8");
            Err(Error::new(Code::NotText, message))
        }
        found => found.map(drop),
    }
}

pub(crate) fn mkdir(state: &State, path: &str, recursive: bool) -> Result<()> {
    if !recursive {
        // envd always makes the parents.
        let parent = parent(path);
        let found = stat(state, parent)?;
        if found.kind != FileKind::Directory {
            let message = format!("{parent}: not a directory");
            return Err(Error::new(Code::Conflict, message));
        }
    }
    let made: Result<serde_json::Value> = call(
        state,
        "filesystem.Filesystem/MakeDir",
        &json!({ "path": path }),
    );
    match made.map_err(conflict) {
        Err(error) if recursive && error.code == Code::Conflict => match stat(state, path)?.kind {
            FileKind::Directory => Ok(()),
            _ => Err(error),
        },
        made => made.map(drop),
    }
}

pub(crate) fn rm(state: &State, path: &str, recursive: bool, force: bool) -> Result<()> {
    // envd removes trees without asking, and finds nothing missing.
    match entry(state, path) {
        Ok(found) if found.is_directory() && !recursive => {
            let message = format!("{path}: a directory, and not recursive");
            return Err(Error::new(Code::Conflict, message));
        }
        Ok(_) => {}
        Err(error) if error.code == Code::NotFound && force => return Ok(()),
        Err(error) => return Err(error),
    }
    let removed: Result<serde_json::Value> = call(
        state,
        "filesystem.Filesystem/Remove",
        &json!({ "path": path }),
    );
    removed.map(drop).map_err(conflict)
}
