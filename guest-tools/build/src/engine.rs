//! The engine of JavaScript with our changes to it, `guest-tools/javascript/engine.diff`: a copy of what Cargo has of the
//! released crate, which a build takes instead of that by Cargo's `paths`. So `Cargo.lock` names what was released.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Error, TARGET, variable};

/// The crate that is changed.
const ENGINE: &str = "boa_engine";

/// The changes, beside the manifest of the workspace.
pub(crate) const DIFF: &str = "engine.diff";

/// Writes the changed crate below `target`, where it is not yet as it should be, and returns its folder.
///
/// # Errors
/// [`Error::Engine`] where the released crate is not found or is not what the changes were made of.
pub(crate) fn changed(root: &Path, target: &Path) -> Result<PathBuf, Error> {
    let released = released(root)?;
    let folder = target.join(ENGINE);
    let path = root.join(DIFF);
    let diff = fs::read_to_string(&path).map_err(Error::file(&path))?;
    let diff = sections(&diff);
    let manifest = released.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(Error::file(&manifest))?;
    // Its lints are for those who write it, and Cargo holds them back in what is released only.
    let plain = text.split("\n[lints").next().unwrap_or_default();
    write(&folder.join("Cargo.toml"), plain.as_bytes())?;
    let names = diff.iter().map(|(name, _)| released.join(name));
    let changed: Vec<PathBuf> = names.chain([manifest]).collect();
    copy(&released, &folder, &changed)?;
    for (name, lines) in diff {
        let from = released.join(name);
        let text = fs::read_to_string(&from).map_err(Error::file(&from))?;
        let changed = apply(&text, &lines)
            .ok_or_else(|| Error::Engine(format!("{DIFF} was made of another {name}")))?;
        write(&folder.join(name), changed.as_bytes())?;
    }
    Ok(folder)
}

/// The folder of the crate as it was released, which Cargo fetches.
fn released(root: &Path) -> Result<PathBuf, Error> {
    let output = Command::new(variable("CARGO")?)
        .current_dir(root)
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(["--filter-platform", TARGET])
        .output()
        .map_err(|error| Error::Engine(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Error::Engine(said));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let manifest = manifest(&text).map(PathBuf::from);
    let folder = manifest.as_deref().and_then(Path::parent);
    folder
        .map(Path::to_path_buf)
        .ok_or_else(|| Error::Engine(format!("Cargo does not know {ENGINE}")))
}

/// The path of the crate's manifest, of what Cargo tells in JSON.
fn manifest(metadata: &str) -> Option<String> {
    let package = metadata
        .split_once(&format!("\"name\":\"{ENGINE}\",\"version\":"))?
        .1;
    let path = package.split_once("\"manifest_path\":\"")?.1;
    Some(path.split_once('"')?.0.replace("\\\\", "\\"))
}

/// What a unified diff does to each file, by its name.
fn sections(diff: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in diff.lines() {
        if let Some(name) = line.strip_prefix("+++ b/") {
            sections.push((name, Vec::new()));
        } else if let Some((_, lines)) = sections.last_mut()
            && !line.starts_with("--- a/")
        {
            lines.push(line);
        }
    }
    sections
}

/// A text after the hunks of its section; none where it does not have what these take away or keep.
fn apply(text: &str, section: &[&str]) -> Option<String> {
    let old: Vec<&str> = text.lines().collect();
    let mut new: Vec<&str> = Vec::new();
    let mut at = 0;
    for line in section {
        if let Some(place) = line.strip_prefix("@@ -") {
            let first: usize = place.split([',', ' ']).next()?.parse().ok()?;
            new.extend(old.get(at..first.checked_sub(1)?)?);
            at = first - 1;
        } else if let Some(added) = line.strip_prefix('+') {
            new.push(added);
        } else {
            let known = old.get(at)?;
            at += 1;
            match line.strip_prefix('-') {
                Some(removed) if removed == *known => {}
                None if line.strip_prefix(' ') == Some(*known) => new.push(known),
                _ => return None,
            }
        }
    }
    new.extend(old.get(at..)?);
    Some(new.join("\n") + "\n")
}

/// Copies the files of a folder, but those that are changed.
fn copy(from: &Path, to: &Path, changed: &[PathBuf]) -> Result<(), Error> {
    for entry in fs::read_dir(from).map_err(Error::file(from))? {
        let path = entry.map_err(Error::file(from))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target, changed)?;
        } else if !changed.contains(&path) {
            write(&target, &fs::read(&path).map_err(Error::file(&path))?)?;
        }
    }
    Ok(())
}

/// Writes a file, unless it has this content: Cargo goes by the times of files. It appears whole, since another build
/// may be at the same.
fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
    }
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    fs::write(&draft, content).map_err(Error::file(&draft))?;
    fs::rename(&draft, path).map_err(Error::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "--- a/src/one.rs\n+++ b/src/one.rs\n@@ -2,3 +2,3 @@ fn head() {\n b\n-c\n+C\n d\n@@ -6 +6,2 @@\n f\n+g\n";

    #[test]
    fn hunks_change_what_they_were_made_of() {
        let sections = sections(DIFF);
        assert_eq!(sections.len(), 1);
        assert_eq!(sections[0].0, "src/one.rs");
        let changed = apply("a\nb\nc\nd\ne\nf\n", &sections[0].1);
        assert_eq!(changed.as_deref(), Some("a\nb\nC\nd\ne\nf\ng\n"));
    }

    #[test]
    fn another_text_is_refused() {
        let sections = sections(DIFF);
        for text in ["a\nb\nx\nd\ne\nf\n", "a\nb\n", ""] {
            assert_eq!(apply(text, &sections[0].1), None, "{text:?}");
        }
    }

    #[test]
    fn the_manifest_is_found() {
        let told = r#"{"packages":[{"name":"boa_engine","version":"0.22.0","dependencies":[{"name":"boa_gc"}],"manifest_path":"C:\\r\\boa_engine\\Cargo.toml"}]}"#;
        let expected = "C:\\r\\boa_engine\\Cargo.toml";
        assert_eq!(manifest(told).as_deref(), Some(expected));
    }
}
