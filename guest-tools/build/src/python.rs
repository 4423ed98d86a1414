//! CPython as a component, which a script makes from packages of the registry.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Error, replace_if_changed, target_directory, variable, workspace_root};

/// What the script's status says where the machine lacks pip or reaches no registry.
const LACKING: i32 = 3;

/// Makes `python3.wasm`, or takes the one that was made from the same sources before: they are kept beside
/// the other guests, since making one takes a minute and a download.
///
/// Where this machine has no Python with pip, or reaches no registry, there is none, and Cargo prints a
/// line that says so.
///
/// # Errors
/// [`Error::Python`] where the script fails otherwise, [`Error::File`], [`Error::Environment`].
pub fn python() -> Result<Option<PathBuf>, Error> {
    if crate::prebuilt::folder().is_some() {
        println!(
            "cargo::warning=python3 is left out of the sandbox: only a build of the whole repository makes it"
        );
        return Ok(None);
    }
    println!("cargo::rerun-if-env-changed=PYTHON");
    let root = workspace_root()?;
    let out = PathBuf::from(variable("OUT_DIR")?);
    let script = root.join("guest-tools/python/make.py");
    let parts = [
        script.clone(),
        root.join("guest-tools/python/reach.py"),
        root.join("guest-tools/python/library"),
        root.join("wit"),
    ];
    for part in &parts {
        println!("cargo::rerun-if-changed={}", part.display());
    }
    let key = key(&parts)?;
    let made = target_directory(&out)
        .join("guest/python")
        .join(format!("{key:016x}.wasm"));
    let copy = out.join("python3.wasm");
    if !made.exists() {
        let work = out.join("python");
        let interpreter = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let output = Command::new(interpreter).arg(&script).arg(&work).output();
        let reason = match output {
            Ok(output) if output.status.success() => None,
            Ok(output) if output.status.code() == Some(LACKING) => Some(last_line(&output.stderr)),
            Ok(output) => return Err(Error::Python(text(&output.stderr))),
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = reason {
            println!(
                "cargo::warning=python3 is left out of the sandbox: making it takes Python 3.10 or later with pip, and PyPI ({reason})"
            );
            return Ok(None);
        }
        keep(&work.join("python3.wasm"), &made)?;
    }
    replace_if_changed(&made, &copy)?;
    Ok(Some(copy))
}

/// Moves a component to where it is kept, whole or not at all.
fn keep(from: &Path, to: &Path) -> Result<(), Error> {
    let failed = |source| Error::File {
        path: to.to_path_buf(),
        source,
    };
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let draft = to.with_extension(format!("{}.draft", std::process::id()));
    std::fs::copy(from, &draft).map_err(failed)?;
    std::fs::rename(&draft, to).map_err(failed)
}

/// A number that changes with the content of the files and of those in the folders.
fn key(paths: &[PathBuf]) -> Result<u64, Error> {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        add(path, &mut hasher)?;
    }
    Ok(hasher.finish())
}

fn add(path: &Path, hasher: &mut DefaultHasher) -> Result<(), Error> {
    let failed = |source| Error::File {
        path: path.to_path_buf(),
        source,
    };
    if path.file_name().is_some_and(|name| name == "__pycache__") {
        return Ok(());
    }
    if path.is_dir() {
        let entries: Result<Vec<_>, _> = std::fs::read_dir(path).map_err(failed)?.collect();
        let mut entries: Vec<PathBuf> = entries
            .map_err(failed)?
            .iter()
            .map(std::fs::DirEntry::path)
            .collect();
        entries.sort();
        return entries.iter().try_for_each(|entry| add(entry, hasher));
    }
    path.file_name().hash(hasher);
    std::fs::read(path).map_err(failed)?.hash(hasher);
    Ok(())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

fn last_line(bytes: &[u8]) -> String {
    let text = text(bytes);
    text.lines().last().unwrap_or("no message").to_owned()
}
