//! Machine code of components that is kept from one process to the next.
//!
//! Decision: a cache of ours and not wasmtime's, which brings a compressor in C and a configuration file,
//! and does not ask who else may write to its directory.

use std::borrow::Cow;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use wasmtime::component::Component;

use super::Engine;
use super::artifact::load_kept;
use crate::{Error, Result};

/// How many components are kept, the guests of the library among them where those are compiled when first
/// used: code is about three times as large as WebAssembly.
const KEPT: usize = 48;
/// What the names of the files end with.
const SUFFIX: &str = "cwasm";

/// The component, compiled now or before.
pub(crate) fn component(engine: &Engine, bytes: &[u8], directory: &Path) -> Result<Component> {
    packed(engine, bytes, || Ok(Cow::Borrowed(bytes)), directory)
}

/// The component that `unpack` makes of `bytes`, by which it is known again.
pub(super) fn packed<'a>(
    engine: &Engine,
    bytes: &[u8],
    unpack: impl FnOnce() -> Result<Cow<'a, [u8]>>,
    directory: &Path,
) -> Result<Component> {
    let path = directory.join(name(engine, bytes));
    let kept = read(directory, &path).and_then(|code| load_kept(engine, &code).ok());
    if let Some(component) = kept {
        return Ok(component);
    }
    let code = engine
        .wasm()
        .precompile_component(&unpack()?)
        .map_err(|error| Error::Refused(format!("{error:#}")))?;
    // Without the file, the next process compiles again; this one needs it not.
    if keep(directory, &path, &code).is_some() {
        forget_oldest(directory);
    }
    load_kept(engine, &code)
}

/// A name that tells the component and the engine.
fn name(engine: &Engine, bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    engine
        .wasm()
        .precompile_compatibility_hash()
        .hash(&mut hasher);
    let component = blake3::hash(bytes).to_hex();
    format!("{component}-{:016x}.{SUFFIX}", hasher.finish())
}

/// The code, where it and its directory are this user's alone.
fn read(directory: &Path, path: &Path) -> Option<Vec<u8>> {
    if !is_private(&fs::symlink_metadata(directory).ok()?) {
        return None;
    }
    let mut file = File::open(path).ok()?;
    // The open file is asked, which nobody can exchange any more.
    let found = file.metadata().ok()?;
    if !found.is_file() || !is_private(&found) {
        return None;
    }
    let mut code = Vec::with_capacity(usize::try_from(found.len()).ok()?);
    file.read_to_end(&mut code).ok()?;
    Some(code)
}

/// Writes the file whole or not at all.
fn keep(directory: &Path, path: &Path, code: &[u8]) -> Option<()> {
    make_private(directory)?;
    let mut random = [0; 8];
    getrandom::fill(&mut random).ok()?;
    let draft = directory.join(format!("{:016x}.draft", u64::from_le_bytes(random)));
    let written = write(&draft, code).and_then(|()| fs::rename(&draft, path).ok());
    if written.is_none() {
        // What is left of it is small, or not there.
        let _ = fs::remove_file(&draft);
    }
    written
}

fn write(draft: &Path, code: &[u8]) -> Option<()> {
    let mut file = create_private(draft)?;
    file.write_all(code).ok()?;
    // A name must not lead to half a file after a power cut.
    file.sync_all().ok()
}

/// Removes all but the newest.
fn forget_oldest(directory: &Path) {
    let mut found: Vec<(SystemTime, PathBuf)> = fs::read_dir(directory)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok())
        .filter(|entry| entry.path().extension().is_some_and(|end| end == SUFFIX))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    found.sort();
    let surplus = found.len().saturating_sub(KEPT);
    for (_, path) in found.iter().take(surplus) {
        // Another process may have removed it.
        let _ = fs::remove_file(path);
    }
}

/// Whether it is this user's, and nobody else may write to it.
#[cfg(unix)]
fn is_private(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let mine = found.uid() == rustix::process::geteuid().as_raw();
    !found.is_symlink() && mine && found.mode() & 0o077 == 0
}

#[cfg(unix)]
fn make_private(directory: &Path) -> Option<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .ok()?;
    let found = fs::symlink_metadata(directory).ok()?;
    (found.is_dir() && is_private(&found)).then_some(())
}

#[cfg(unix)]
fn create_private(path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = File::options();
    options.write(true).create_new(true).mode(0o600);
    options.open(path).ok()
}

/// Elsewhere owners and modes cannot be asked for, so nothing is kept.
#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn make_private(_: &Path) -> Option<()> {
    None
}

#[cfg(not(unix))]
fn create_private(_: &Path) -> Option<File> {
    None
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::EngineOptions;
    use std::os::unix::fs::PermissionsExt as _;

    const COMPONENT: &[u8] = b"(component)";

    fn engine() -> Engine {
        let options = EngineOptions {
            processes: 1,
            ..EngineOptions::default()
        };
        Engine::new(&options).unwrap()
    }

    fn files(directory: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(directory).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn code_is_kept_for_its_user_alone_and_read_again() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("a/compiled");
        let (engine, wasm) = (engine(), wat::parse_bytes(COMPONENT).unwrap());
        component(&engine, &wasm, &directory).unwrap();
        let kept = files(&directory);
        assert_eq!(kept.len(), 1);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&directory), mode(&kept[0])), (0o700, 0o600));
        let before = fs::metadata(&kept[0]).unwrap().modified().unwrap();
        assert!(read(&directory, &kept[0]).is_some());
        component(&engine, &wasm, &directory).unwrap();
        let after = fs::metadata(&kept[0]).unwrap().modified().unwrap();
        assert_eq!(before, after);
    }

    #[test]
    fn what_others_may_write_to_is_not_read() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("compiled");
        let (engine, wasm) = (engine(), wat::parse_bytes(COMPONENT).unwrap());
        component(&engine, &wasm, &directory).unwrap();
        let kept = files(&directory).remove(0);
        for (path, mode, right) in [(&kept, 0o622, 0o600), (&directory, 0o722, 0o700)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            assert!(read(&directory, &kept).is_none(), "{}", path.display());
            component(&engine, &wasm, &directory).unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(right)).unwrap();
        }
        let other = place.path().join("link");
        std::os::unix::fs::symlink(&directory, &other).unwrap();
        assert!(read(&other, &other.join(kept.file_name().unwrap())).is_none());
    }

    #[test]
    fn damaged_code_is_compiled_anew_and_old_code_is_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("compiled");
        let (engine, wasm) = (engine(), wat::parse_bytes(COMPONENT).unwrap());
        component(&engine, &wasm, &directory).unwrap();
        let kept = files(&directory).remove(0);
        fs::write(&kept, b"no code").unwrap();
        component(&engine, &wasm, &directory).unwrap();
        assert!(fs::metadata(&kept).unwrap().len() > 100);
        for number in 0..KEPT + 5 {
            fs::write(directory.join(format!("{number}.{SUFFIX}")), b"").unwrap();
        }
        forget_oldest(&directory);
        assert_eq!(files(&directory).len(), KEPT);
    }
}
