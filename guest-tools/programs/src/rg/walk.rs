//! The files to look at.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ignore::overrides::OverrideBuilder;
use ignore::types::{Types, TypesBuilder};
use ignore::{WalkBuilder, WalkState};

use super::{fail, number, size};
use crate::call::bytes;
use crate::options::Parsed;
use crate::system;

/// A path of the command line.
pub fn path(text: &[u8]) -> Result<PathBuf, i32> {
    let text = std::str::from_utf8(text);
    text.map(PathBuf::from)
        .map_err(|_| fail("a path is not valid UTF-8"))
}

/// Keeps a walk on the filesystems that it starts on.
pub fn stay<P: AsRef<[u8]>>(walker: &mut WalkBuilder, roots: &[P]) {
    let device = |path: &[u8]| system::stat(path, true).map(|stat| stat.device);
    let devices: HashSet<u64> = roots
        .iter()
        .filter_map(|root| device(root.as_ref()).ok())
        .collect();
    walker.filter_entry(move |entry| {
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let path = entry.path().as_os_str().as_encoded_bytes();
        !is_directory || device(path).is_ok_and(|device| devices.contains(&device))
    });
}

/// An error of the walker: the file and what is wrong with it.
fn message(error: &ignore::Error) -> String {
    let text = error.to_string();
    let Some((path, rest)) = text.split_once(": ") else {
        return text;
    };
    let reason = rest.strip_prefix(&format!("IO error for operation on {path}: "));
    let reason = reason.unwrap_or(rest);
    match error.io_error().map(std::io::Error::kind) {
        // The number is Linux's on every machine.
        Some(std::io::ErrorKind::NotFound) => {
            format!("{path}: No such file or directory (os error 2)")
        }
        _ => format!("{path}: {reason}"),
    }
}

/// The file types: the built-in ones, changed and chosen by the options.
pub fn types(parsed: &Parsed) -> Result<Types, i32> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for (key, value) in &parsed.options {
        let text = String::from_utf8_lossy(value);
        match *key {
            "type-add" => builder
                .add_def(&text)
                .map_err(|error| fail(error.to_string()))?,
            "type-clear" => drop(builder.clear(&text)),
            "t" => drop(builder.select(&text)),
            "T" => drop(builder.negate(&text)),
            _ => {}
        }
    }
    builder.build().map_err(|error| fail(error.to_string()))
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
    parsed: &Parsed,
    paths: &[Vec<u8>],
    mut each: impl FnMut(Found) -> WalkState,
) -> Result<bool, i32> {
    let mut walker: Option<WalkBuilder> = None;
    for text in paths {
        let path = path(text)?;
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
                .map_err(|error| fail(error.to_string()))?;
        } else if *key == "g" {
            overrides
                .case_insensitive(false)
                .map_err(|error| fail(error.to_string()))?;
        } else {
            continue;
        }
        overrides
            .add(&glob)
            .map_err(|error| fail(error.to_string()))?;
    }
    let overrides = overrides.build().map_err(|error| fail(error.to_string()))?;
    let largest = match parsed.value("max-filesize") {
        None => None,
        Some(text) => Some(size(text)?),
    };
    walker
        .hidden(!(parsed.last(&[".", "no-hidden"]) == Some(".") || level >= 2))
        .follow_links(parsed.last(&["L", "no-follow"]) == Some("L"))
        .max_depth(number(parsed, "d", "max-depth")?)
        .max_filesize(largest)
        .ignore(dot)
        .parents(!all && !parsed.has("no-ignore-parent"))
        .git_ignore(vcs)
        .git_global(vcs && !parsed.has("no-ignore-global"))
        .git_exclude(vcs && !parsed.has("no-ignore-exclude"))
        .require_git(!parsed.has("no-require-git"))
        .ignore_case_insensitive(parsed.has("ignore-file-case-insensitive"))
        .types(types(parsed)?)
        .overrides(overrides);
    if !all {
        walker.add_custom_ignore_filename(".rgignore");
    }
    if parsed.has("one-file-system") {
        stay(&mut walker, paths);
    }
    let speaks = !parsed.has("no-messages");
    if !parsed.has("no-ignore-files") && !all {
        for (_, file) in parsed
            .options
            .iter()
            .filter(|(key, _)| *key == "ignore-file")
        {
            if let Some(error) = walker.add_ignore(path(file)?)
                && speaks
                && !parsed.has("no-ignore-messages")
            {
                fail(message(&error));
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
            let name = key.unwrap_or_default();
            let values = "[possible values: accessed, created, modified, none, path]";
            let what = bytes!(
                "error: '",
                other,
                "' isn't a valid value for '--",
                name,
                " <SORTBY>'"
            );
            return Err(fail(bytes!(what, "\n\t", values, "\n")));
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
                if speaks {
                    fail(message(&error));
                }
                continue;
            }
        };
        if let Some(error) = entry.error()
            && speaks
            && !parsed.has("no-ignore-messages")
        {
            fail(message(error));
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
