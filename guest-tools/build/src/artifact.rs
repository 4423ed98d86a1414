//! What is made of guests, machine code before all, kept by content: the same component is compiled once for all build scripts of a
//! target directory, whatever features they were run for.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{Error, replace_if_changed, target_directory, variable};

/// How many compiled forms of one component are kept.
const KEPT: usize = 6;

/// The path of what `compile` makes of the component `wasm`, which is not called where an engine of the same
/// `fingerprint` has compiled the same bytes before.
///
/// # Errors
/// What `compile` says, and [`Error::File`] or [`Error::Environment`] turned into it.
pub fn compiled<E: From<Error>>(
    wasm: &Path,
    fingerprint: u64,
    compile: impl FnOnce(&[u8]) -> Result<Vec<u8>, E>,
) -> Result<PathBuf, E> {
    made(wasm, ("compiled", "cwasm"), fingerprint, compile)
}

/// The path of what `make` makes of the component `wasm`: kept in the folder of this kind, and copied to a file
/// with this ending.
pub(crate) fn made<E: From<Error>>(
    wasm: &Path,
    (kind, ending): (&str, &str),
    fingerprint: u64,
    make: impl FnOnce(&[u8]) -> Result<Vec<u8>, E>,
) -> Result<PathBuf, E> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let folder = target_directory(&out).join("guest").join(kind);
    fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
    let name = wasm.file_stem().unwrap_or_default().to_string_lossy();
    let bytes = fs::read(wasm).map_err(Error::file(wasm))?;
    let mut hasher = DefaultHasher::new();
    (fingerprint, &bytes).hash(&mut hasher);
    let kept = folder.join(format!("{name}.{:016x}", hasher.finish()));
    if !kept.exists() {
        // Another build may be at the same: the file appears whole.
        let draft = folder.join(format!("{name}.{}.draft", std::process::id()));
        fs::write(&draft, make(&bytes)?).map_err(Error::file(&draft))?;
        fs::rename(&draft, &kept).map_err(Error::file(&kept))?;
        forget_oldest(&folder, &format!("{name}."));
    }
    let copy = out.join(format!("{name}.{ending}"));
    replace_if_changed(&kept, &copy)?;
    Ok(copy)
}

/// Removes all but the newest of the files whose names begin with `prefix`.
fn forget_oldest(folder: &Path, prefix: &str) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    let mut found: Vec<(SystemTime, PathBuf)> = ours
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    found.sort();
    let surplus = found.len().saturating_sub(KEPT);
    for (_, path) in found.iter().take(surplus) {
        // Another build may have removed it.
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_newest_of_one_name_stay() {
        let place = tempfile::tempdir().unwrap();
        for number in 0..KEPT + 3 {
            fs::write(place.path().join(format!("a.{number}")), "").unwrap();
        }
        fs::write(place.path().join("b.1"), "").unwrap();
        forget_oldest(place.path(), "a.");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), KEPT + 1);
        assert!(place.path().join("b.1").exists());
    }
}
