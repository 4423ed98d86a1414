//! The files to look at.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ignore::overrides::OverrideBuilder;
use ignore::types::{Types, TypesBuilder};
use ignore::{WalkBuilder, WalkState};

use super::{number, size};
use crate::call::{Call, bytes};
use crate::options::Parsed;

/// A path of the command line.
pub fn path(call: &Call, text: &[u8]) -> Result<PathBuf, i32> {
    let text = std::str::from_utf8(text);
    text.map(PathBuf::from)
        .map_err(|_| call.fail(2, "a path is not valid UTF-8"))
}

/// The file types: the built-in ones, changed and chosen by the options.
pub fn types(call: &Call, parsed: &Parsed) -> Result<Types, i32> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for (key, value) in &parsed.options {
        let text = String::from_utf8_lossy(value);
        match *key {
            "type-add" => builder
                .add_def(&text)
                .map_err(|error| call.fail(2, error.to_string()))?,
            "type-clear" => drop(builder.clear(&text)),
            "t" => drop(builder.select(&text)),
            "T" => drop(builder.negate(&text)),
            _ => {}
        }
    }
    builder
        .build()
        .map_err(|error| call.fail(2, error.to_string()))
}

/// How results are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Path,
    Modified,
    Accessed,
    Created,
}

/// A file that was found.
pub struct Found {
    pub path: PathBuf,
    /// It was named on the command line.
    pub named: bool,
    /// It is standard input.
    pub is_input: bool,
}

/// Calls `each` with the files below `paths` until it says to stop; gives whether something could
/// not be read.
pub fn files(
    call: &Call,
    parsed: &Parsed,
    paths: &[Vec<u8>],
    mut each: impl FnMut(Found) -> WalkState,
) -> Result<bool, i32> {
    let mut walker: Option<WalkBuilder> = None;
    for text in paths {
        let path = path(call, text)?;
        match &mut walker {
            None => walker = Some(WalkBuilder::new(path)),
            Some(walker) => drop(walker.add(path)),
        }
    }
    let Some(mut walker) = walker else {
        return Ok(false);
    };
    let level = parsed.options.iter().filter(|(key, _)| *key == "u").count();
    let all = parsed.has("no-ignore") || level >= 1;
    let (dot, vcs) = (
        !all && !parsed.has("no-ignore-dot"),
        !all && !parsed.has("no-ignore-vcs"),
    );
    let mut overrides = OverrideBuilder::new(".");
    for (key, value) in &parsed.options {
        let glob = String::from_utf8_lossy(value);
        if *key == "iglob" || (*key == "g" && parsed.has("glob-case-insensitive")) {
            overrides
                .case_insensitive(true)
                .map_err(|error| call.fail(2, error.to_string()))?;
        } else if *key == "g" {
            overrides
                .case_insensitive(false)
                .map_err(|error| call.fail(2, error.to_string()))?;
        } else {
            continue;
        }
        overrides
            .add(&glob)
            .map_err(|error| call.fail(2, error.to_string()))?;
    }
    let overrides = overrides
        .build()
        .map_err(|error| call.fail(2, error.to_string()))?;
    let largest = match parsed.value("max-filesize") {
        None => None,
        Some(text) => Some(size(text).ok_or_else(|| {
            call.fail(
                2,
                bytes!(
                    "error parsing flag --max-filesize: invalid size '",
                    text,
                    "'"
                ),
            )
        })?),
    };
    walker
        .hidden(!(parsed.last(&[".", "no-hidden"]) == Some(".") || level >= 2))
        .follow_links(parsed.last(&["L", "no-follow"]) == Some("L"))
        .max_depth(number(call, parsed, "d", "max-depth")?)
        .max_filesize(largest)
        .ignore(dot)
        .parents(!all && !parsed.has("no-ignore-parent"))
        .git_ignore(vcs)
        .git_global(vcs && !parsed.has("no-ignore-global"))
        .git_exclude(vcs && !parsed.has("no-ignore-exclude"))
        .require_git(!parsed.has("no-require-git"))
        .ignore_case_insensitive(parsed.has("ignore-file-case-insensitive"))
        .types(types(call, parsed)?)
        .overrides(overrides);
    if dot {
        walker.add_custom_ignore_filename(".rgignore");
    }
    if !parsed.has("no-ignore-files") && !all {
        for (_, file) in parsed
            .options
            .iter()
            .filter(|(key, _)| *key == "ignore-file")
        {
            if let Some(error) = walker.add_ignore(path(call, file)?) {
                call.fail(2, error.to_string());
            }
        }
    }
    let key = parsed.last(&["sort", "sortr"]);
    let order = match key.and_then(|key| parsed.value(key)) {
        None | Some(b"none") => None,
        Some(b"path") => Some(Order::Path),
        Some(b"modified") => Some(Order::Modified),
        Some(b"accessed") => Some(Order::Accessed),
        Some(b"created") => Some(Order::Created),
        Some(other) => {
            return Err(call.fail(
                2,
                bytes!(
                    "error parsing flag --sort: choice '",
                    other,
                    "' is unrecognized"
                ),
            ));
        }
    };
    // The directory's own order means nothing: names give every run the same.
    walker.sort_by_file_name(std::cmp::Ord::cmp);
    let mut failed = false;
    let mut found = Vec::new();
    for entry in walker.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                failed = true;
                if !parsed.has("no-messages") {
                    call.fail(2, error.to_string());
                }
                continue;
            }
        };
        if let Some(error) = entry.error()
            && !parsed.has("no-messages")
            && !parsed.has("no-ignore-messages")
        {
            call.fail(2, error.to_string());
        }
        let named = entry.depth() == 0;
        let regular = entry.is_stdin()
            || entry
                .file_type()
                .is_some_and(|kind| kind.is_file() || (named && !kind.is_dir()));
        if !regular {
            continue;
        }
        let is_input = entry.is_stdin();
        let entry = Found {
            path: entry.into_path(),
            named,
            is_input,
        };
        match order {
            Some(_) => found.push(entry),
            None => {
                if each(entry) == WalkState::Quit {
                    return Ok(failed);
                }
            }
        }
    }
    if let Some(order) = order {
        match order {
            Order::Path => found.sort_by(|a, b| a.path.cmp(&b.path)),
            order => found.sort_by_key(|entry| stamp(&entry.path, order)),
        }
        if key == Some("sortr") {
            found.reverse();
        }
        for entry in found {
            if each(entry) == WalkState::Quit {
                break;
            }
        }
    }
    Ok(failed)
}

fn stamp(path: &Path, order: Order) -> Option<SystemTime> {
    let stat = path.metadata().ok()?;
    match order {
        Order::Accessed => stat.accessed().ok(),
        Order::Created => stat.created().ok(),
        Order::Modified | Order::Path => stat.modified().ok(),
    }
}
