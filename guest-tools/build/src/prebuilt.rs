//! Guests that were built before the crate was packaged: embedders need no target but their own.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::{Error, Guest, build_all, replace_if_changed, variable, workspace_root};

/// The families of commands that every sandbox has, and `extra`, which embedders may leave out.
const FAMILIES: [&str; 10] = [
    "archive",
    "calc",
    "coreutils",
    "files",
    "git",
    "query",
    "search",
    "system",
    "text",
    "extra",
];

/// The guests of every sandbox, the shell first, then the families of commands with their names; `extra`, which
/// few people use, where it is asked for.
pub fn standard(extra: bool) -> (Vec<Guest>, &'static [&'static str]) {
    let families = match extra {
        true => &FAMILIES[..],
        false => &FAMILIES[..FAMILIES.len() - 1],
    };
    let shell = Guest::library("offshoot-shell", &["component"]);
    let programs = families.iter();
    let programs = programs.map(|name| Guest::program(&format!("offshoot-{name}"), &[]));
    ([shell].into_iter().chain(programs).collect(), families)
}

/// Fills `prebuilt`, from which the packaged crate has its guests, and returns the names and sizes in bytes of its files.
///
/// They are built below `target` by Cargo, which keeps what is fresh there: in the profile for guests, or in
/// `guest-dev` where it is `for_development`. Paths of this machine are not in those of a release: the same
/// compiler makes the same bytes anywhere.
///
/// # Errors
/// Those of [`crate::build_all`] in the workspace.
#[cfg(feature = "prebuild")]
pub fn prebuild(target: &Path, for_development: bool) -> Result<Vec<(String, u64)>, Error> {
    const LEVEL: i32 = 19;
    let root = workspace_root()?;
    let (guests, _) = standard(true);
    let profile = match for_development {
        true => "guest-dev",
        false => "guest",
    };
    let mut command = crate::cargo(target, profile)?;
    if !for_development {
        let home = variable("CARGO_HOME").map_or_else(
            |_| std::env::home_dir().unwrap_or_default().join(".cargo"),
            PathBuf::from,
        );
        let remap = |from: &Path, to: &str| format!("--remap-path-prefix={}={to}", from.display());
        let flags = [remap(&root, "/offshoot"), remap(&home, "/cargo")];
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    }
    crate::ensure_target()?;
    crate::build_in(command, &guests)?;
    let built = target.join(crate::TARGET).join(profile);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("prebuilt");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Error::file(&folder))?;
    }
    fs::create_dir_all(&folder).map_err(Error::file(&folder))?;
    let mut sizes = Vec::new();
    let mut write = |name: String, bytes: Vec<u8>| {
        let path = folder.join(&name);
        sizes.push((name, bytes.len() as u64));
        fs::write(&path, bytes).map_err(Error::file(&path))
    };
    for guest in &guests {
        let wasm = built.join(&guest.file);
        let file = fs::File::open(&wasm).map_err(Error::file(&wasm))?;
        let packed = zstd::encode_all(file, LEVEL).map_err(Error::file(&wasm))?;
        write(format!("{}.zst", guest.file), packed)?;
    }
    let list = root.join("guest-tools/programs/commands.txt");
    let commands = fs::read(&list).map_err(Error::file(&list))?;
    write("commands.txt".to_owned(), commands)?;
    Ok(sizes)
}

/// What a packaged crate has of the guests. Cargo writes `Cargo.toml.orig` when it packages one.
pub(crate) fn folder() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.join("Cargo.toml.orig")
        .exists()
        .then(|| own.join("prebuilt"))
}

/// The table of the commands, of which each line begins with a name and its family.
///
/// # Errors
/// [`Error::File`], [`Error::Environment`] outside a build script.
pub fn commands() -> Result<String, Error> {
    let path = match folder() {
        Some(folder) => folder.join("commands.txt"),
        None => workspace_root()?.join("guest-tools/programs/commands.txt"),
    };
    println!("cargo::rerun-if-changed={}", path.display());
    fs::read_to_string(&path).map_err(Error::file(&path))
}

/// The components of [`crate::build_all`], each compressed by Zstandard ([RFC 8878]).
///
/// [RFC 8878]: https://www.rfc-editor.org/rfc/rfc8878
///
/// # Errors
/// Those of [`crate::build_all`].
pub fn packed(guests: &[Guest]) -> Result<Vec<PathBuf>, Error> {
    if let Some(folder) = folder() {
        return guests.iter().map(|guest| find(&folder, guest)).collect();
    }
    build_all(guests)?.iter().map(|wasm| pack(wasm)).collect()
}

/// Compresses a component by Zstandard into a file beside it.
///
/// # Errors
/// [`Error::File`].
pub fn pack(wasm: &Path) -> Result<PathBuf, Error> {
    let packed = wasm.with_extension("wasm.zst");
    let bytes = fs::read(wasm).map_err(Error::file(wasm))?;
    let draft = wasm.with_extension("draft");
    let bytes = compress_to_vec(bytes.as_slice(), CompressionLevel::Fastest);
    fs::write(&draft, bytes).map_err(Error::file(&draft))?;
    replace_if_changed(&draft, &packed)?;
    Ok(packed)
}

/// Unpacks guests for the build script that asks.
pub(crate) fn unpack_all(folder: &Path, guests: &[Guest]) -> Result<Vec<PathBuf>, Error> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let unpack = |guest: &Guest| {
        let packed = find(folder, guest)?;
        let wasm = out.join(&guest.file);
        let failed = |error: String| Error::file(&packed)(std::io::Error::other(error));
        let bytes = fs::read(&packed).map_err(Error::file(&packed))?;
        let decoder = StreamingDecoder::new(bytes.as_slice());
        let mut decoder = decoder.map_err(|error| failed(error.to_string()))?;
        let mut unpacked = Vec::new();
        let read = decoder.read_to_end(&mut unpacked);
        read.map_err(|error| failed(error.to_string()))?;
        fs::write(&wasm, unpacked).map_err(Error::file(&wasm))?;
        Ok(wasm)
    };
    guests.iter().map(unpack).collect()
}

/// The file of a guest.
fn find(folder: &Path, guest: &Guest) -> Result<PathBuf, Error> {
    let path = folder.join(format!("{}.zst", guest.file));
    match path.exists() {
        true => Ok(path),
        false => Err(Error::Prebuilt(guest.package.clone())),
    }
}
