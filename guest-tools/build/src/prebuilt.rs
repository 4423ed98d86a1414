//! Guests that were built before the crate was packaged: embedders need no target but their own.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use ruzstd::decoding::{Dictionary, FrameDecoder, StreamingDecoder};

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

/// The family that the other guests are packed against: what several of them link is in it.
const BASE: &str = "offshoot-text";

/// What a frame of Zstandard begins with that decoders skip.
const SKIPPABLE: [u8; 4] = 0x184d_2a50_u32.to_le_bytes();

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
/// See [`unpack`] for how they are packed.
///
/// They are built below `target` by Cargo, which keeps what is fresh there: in the profile for guests, or in
/// `guest-dev` where it is `for_development`. Paths of this machine are not in those of a release: the same
/// compiler makes the same bytes anywhere.
///
/// # Errors
/// Those of [`crate::build_all`] in the workspace.
#[cfg(feature = "prebuild")]
pub fn prebuild(target: &Path, for_development: bool) -> Result<Vec<(String, u64)>, Error> {
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
        let flags = [
            remap(&root, "/offshoot"),
            remap(&home, "/cargo"),
            // These flags replace those of `.cargo/config.toml`.
            "-Ctarget-feature=+simd128".to_owned(),
        ];
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
    // Those of a build for development are packed for one run of tests.
    let level = if for_development { 3 } else { 19 };
    for (name, bytes) in compress(&built, &guests, level)? {
        write(name, bytes)?;
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
    let bytes = compressed(&bytes).map_err(Error::file(wasm))?;
    fs::write(&draft, bytes).map_err(Error::file(&draft))?;
    replace_if_changed(&draft, &packed)?;
    Ok(packed)
}

/// A frame of Zstandard, as small as it gets in a release.
#[cfg(feature = "compact")]
fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let is_debug = variable("PROFILE").is_ok_and(|profile| profile == "debug");
    zstd::encode_all(bytes, if is_debug { 1 } else { 19 })
}

/// A frame of Zstandard.
#[cfg(not(feature = "compact"))]
fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    Ok(compress_to_vec(bytes, CompressionLevel::Fastest))
}

/// The packed guest that `guests` are unpacked against, for [`unpack`]: of a packaged crate alone.
///
/// # Errors
/// [`Error::Prebuilt`] where it is missing.
pub fn base() -> Result<Option<PathBuf>, Error> {
    folder()
        .map(|folder| find(&folder, &Guest::program(BASE, &[])))
        .transpose()
}

/// What a packed guest was before it was packed.
///
/// A file is a frame of Zstandard ([RFC 8878]). In the packaged crate it is compressed with a dictionary, so that what
/// several guests link, Rust's standard library before all, is there once: the tables in the skippable frame that
/// `base` begins with, followed by the component in `base`.
///
/// [RFC 8878]: https://www.rfc-editor.org/rfc/rfc8878
///
/// # Errors
/// `InvalidData` for what is no such file, and for one that needs a `base` where there is none.
pub fn unpack(packed: &[u8], base: Option<&[u8]>) -> io::Result<Vec<u8>> {
    let mut decoder = FrameDecoder::new();
    let (_, frame) = tables(packed);
    if let Some(base) = base.filter(|base| *base != packed) {
        let (tables, base) = tables(base);
        let dictionary = [tables, &read(FrameDecoder::new(), base)?].concat();
        let dictionary = Dictionary::decode_dict(&dictionary).map_err(invalid)?;
        decoder.add_dict(dictionary).map_err(invalid)?;
    }
    read(decoder, frame)
}

/// The content of the skippable frame that a file may begin with, and what follows it.
fn tables(packed: &[u8]) -> (&[u8], &[u8]) {
    let split = || {
        let rest = packed.strip_prefix(&SKIPPABLE)?;
        let (length, rest) = rest.split_first_chunk()?;
        rest.split_at_checked(u32::from_le_bytes(*length) as usize)
    };
    split().unwrap_or((&[], packed))
}

fn read(decoder: FrameDecoder, frame: &[u8]) -> io::Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    let decoder = StreamingDecoder::new_with_decoder(frame, decoder);
    decoder.map_err(invalid)?.read_to_end(&mut unpacked)?;
    Ok(unpacked)
}

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

/// Packs the guests in the folder `built` as [`unpack`] has it, side by side.
#[cfg(feature = "prebuild")]
fn compress(built: &Path, guests: &[Guest], level: i32) -> Result<Vec<(String, Vec<u8>)>, Error> {
    const SAMPLE: usize = 16 << 10;
    const TRAINED: usize = 64 << 10;
    // What comes from the dictionary must be within the window that a component ends in.
    const WINDOW: u32 = 24;
    let base = Guest::program(BASE, &[]).file;
    let path = built.join(&base);
    let wasm = fs::read(&path).map_err(Error::file(&path))?;
    // All that is wanted of what was trained are the tables before its content.
    let tables = || -> io::Result<Vec<u8>> {
        let samples: Vec<usize> = wasm.chunks(SAMPLE).map(<[u8]>::len).collect();
        let mut trained = zstd::dict::from_continuous(&wasm, &samples, TRAINED)?;
        let content = Dictionary::decode_dict(&trained)
            .map_err(invalid)?
            .dict_content;
        trained.truncate(trained.len() - content.len());
        Ok(trained)
    };
    let tables = tables().map_err(Error::file(&path))?;
    let dictionary = [tables.as_slice(), &wasm].concat();
    let pack = |name: &str| -> io::Result<Vec<u8>> {
        let (dictionary, mut packed) = match name == base {
            true => {
                let length = (tables.len() as u32).to_le_bytes();
                (&[][..], [&SKIPPABLE, &length, tables.as_slice()].concat())
            }
            false => (dictionary.as_slice(), Vec::new()),
        };
        let wasm = fs::read(built.join(name))?;
        let mut encoder = zstd::Encoder::with_dictionary(&mut packed, level, dictionary)?;
        encoder.set_pledged_src_size(Some(wasm.len() as u64))?;
        encoder.window_log(WINDOW)?;
        encoder.include_checksum(true)?;
        io::copy(&mut wasm.as_slice(), &mut encoder)?;
        encoder.finish()?;
        Ok(packed)
    };
    std::thread::scope(|scope| {
        let packing = guests.iter().map(|guest| {
            let name = guest.file.as_str();
            let packing = scope.spawn(|| pack(name));
            (name, packing)
        });
        // All begin before the first is waited for.
        let packing: Vec<_> = packing.collect();
        let packed = packing.into_iter().map(|(name, packing)| {
            let packed = packing.join();
            let packed = packed.unwrap_or_else(|_| Err(io::Error::other("packing it panicked")));
            let packed = packed.map_err(Error::file(&built.join(name)))?;
            Ok((format!("{name}.zst"), packed))
        });
        packed.collect()
    })
}

/// Unpacks guests for the build script that asks.
pub(crate) fn unpack_all(folder: &Path, guests: &[Guest]) -> Result<Vec<PathBuf>, Error> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let read = |path: &Path| fs::read(path).map_err(Error::file(path));
    let base = read(&find(folder, &Guest::program(BASE, &[]))?)?;
    let unpack = |guest: &Guest| {
        let packed = find(folder, guest)?;
        let wasm = out.join(&guest.file);
        let component = unpack(&read(&packed)?, Some(&base)).map_err(Error::file(&packed))?;
        fs::write(&wasm, component).map_err(Error::file(&wasm))?;
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
