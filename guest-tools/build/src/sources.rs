//! What guests are made of, so that a build script runs again only when that changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Error, Guest};

/// Tells Cargo which files of the workspace at `root` the guests are made of: those that Cargo listed beside each
/// component, the manifests of their packages, and what all `shared`.
pub(crate) fn watch(
    root: &Path,
    shared: &[&str],
    built: &Path,
    guests: &[Guest],
) -> Result<(), Error> {
    let mut files: BTreeSet<PathBuf> = shared.iter().map(|name| root.join(name)).collect();
    for guest in guests {
        let list = built.join(&guest.file).with_extension("d");
        let text = fs::read_to_string(&list).map_err(Error::file(&list))?;
        for source in sources(&text) {
            files.extend(manifest(&source, root));
            files.insert(source);
        }
    }
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    Ok(())
}

/// The files that a rule of make names behind its colon; blanks within a name stand behind a backslash.
fn sources(rule: &str) -> Vec<PathBuf> {
    let Some((_, names)) = rule.split_once(": ") else {
        return Vec::new();
    };
    let names = names.trim_end().replace("\\ ", "\0");
    let names = names.split(' ').filter(|name| !name.is_empty());
    names
        .map(|name| PathBuf::from(name.replace('\0', " ")))
        .collect()
}

/// The manifest of the package that a file belongs to.
fn manifest(source: &Path, root: &Path) -> Option<PathBuf> {
    let folders = source.ancestors().skip(1);
    let mut own = folders.take_while(|folder| folder.starts_with(root) && *folder != root);
    own.find_map(|folder| Some(folder.join("Cargo.toml")).filter(|path| path.exists()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_blanks_are_read_whole() {
        let rule = "/t/a.wasm: /w/a.rs /w/with\\ blank.rs /w/b.rs\n";
        let expected = ["/w/a.rs", "/w/with blank.rs", "/w/b.rs"].map(PathBuf::from);
        assert_eq!(sources(rule), expected);
        assert!(sources("").is_empty());
    }
}
