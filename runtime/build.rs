//! Takes the guests, compiles them ahead of time where the feature `embed` is on, and writes the tables that the
//! library embeds.

use offshoot_guest_build::{Guest, commands, standard};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let (guests, families) = standard(std::env::var_os("CARGO_FEATURE_EXTRA").is_some());
    let (codes, python, javascript) = std::thread::scope(|scope| {
        // Downloads and compilations of their own, beside the others.
        let python = scope.spawn(|| language("PYTHON", offshoot_guest_build::python));
        let javascript = scope.spawn(|| language("JAVASCRIPT", offshoot_guest_build::javascript));
        let codes = made(&guests)?;
        let python = python.join().map_err(|_| "making python3 panicked")??;
        let javascript = javascript.join().map_err(|_| "making node panicked")??;
        Ok::<_, Box<dyn Error>>((codes, python, javascript))
    })?;
    let list = commands()?;

    let mut table = format!(
        "/// The shell.\n\
         pub(crate) static SHELL: Code = {};\n\
         /// The families of commands.\n\
         pub(crate) static FAMILIES: &[Family] = &[\n",
        included(&codes[0])
    );
    for (family, code) in families.iter().zip(&codes[1..]) {
        let (code, names) = (included(code), names(&list, family));
        writeln!(table, "Family {{ code: {code}, commands: &{names:?} }},")?;
    }
    table.push_str("];\n");
    writeln!(
        table,
        "/// CPython, where this machine could make it.\n\
         #[cfg(feature = \"python\")]\n\
         pub(crate) static PYTHON: Option<Code> = {python};\n\
         /// JavaScript, where this is a build of the whole repository.\n\
         #[cfg(feature = \"javascript\")]\n\
         pub(crate) static JAVASCRIPT: Option<Code> = {javascript};"
    )?;
    #[cfg(not(feature = "embed"))]
    writeln!(
        table,
        "/// What the other guests are unpacked against, where they are prebuilt.\n\
         static BASE: Option<Code> = {};",
        match offshoot_guest_build::base()? {
            Some(base) => format!("Some({})", included(&base)),
            None => "None".to_owned(),
        }
    )?;
    fs::write(out.join("guests.rs"), table)?;
    Ok(())
}

/// The interpreter of a language as an expression of Rust: none where its feature is off, or it cannot be made here.
fn language(
    feature: &str,
    make: fn() -> Result<Option<PathBuf>, offshoot_guest_build::Error>,
) -> Result<String, String> {
    if std::env::var_os(format!("CARGO_FEATURE_{feature}")).is_none() {
        return Ok("None".to_owned());
    }
    let Some(wasm) = make().map_err(|error| error.to_string())? else {
        return Ok("None".to_owned());
    };
    let code = one(wasm).map_err(|error| error.to_string())?;
    Ok(format!("Some({})", included(&code)))
}

/// The names of a family's commands.
fn names<'a>(list: &'a str, family: &str) -> Vec<&'a str> {
    let rows = list.lines().filter(|line| !line.starts_with('#'));
    let rows = rows.filter_map(|line| {
        let mut words = line.split(' ');
        Some((words.next()?, words.next()?))
    });
    rows.filter(|(_, own)| *own == family)
        .map(|(name, _)| name)
        .collect()
}

/// The guests as machine code.
#[cfg(feature = "embed")]
fn made(guests: &[Guest]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let components = offshoot_guest_build::build_all(guests)?;
    components.into_iter().map(one).collect()
}

/// Compiles a component for processors like this machine's.
#[cfg(feature = "embed")]
fn one(wasm: PathBuf) -> Result<PathBuf, Box<dyn Error>> {
    use offshoot_kernel::Engine;
    offshoot_guest_build::compiled(&wasm, Engine::fingerprint(), |bytes| {
        Ok(Engine::precompile(bytes)?)
    })
}

/// A file of machine code as an expression of Rust.
#[cfg(feature = "embed")]
fn included(path: &PathBuf) -> String {
    format!("&offshoot_kernel::PageAligned(*include_bytes!({path:?}))")
}

/// The guests as packed components.
#[cfg(not(feature = "embed"))]
fn made(guests: &[Guest]) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    Ok(offshoot_guest_build::packed(guests)?)
}

/// Packs a component.
#[cfg(not(feature = "embed"))]
fn one(wasm: PathBuf) -> Result<PathBuf, Box<dyn Error>> {
    Ok(offshoot_guest_build::pack(&wasm)?)
}

/// A packed file as an expression of Rust.
#[cfg(not(feature = "embed"))]
fn included(path: &PathBuf) -> String {
    format!("include_bytes!({path:?})")
}
