//! Builds the guests for wasm32-wasip2, compiles them ahead of time and writes the tables that the
//! library embeds.

use offshoot_guest_build::{Guest, build_all, compiled, workspace_root};
use offshoot_kernel::Engine;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The families of commands that every sandbox has.
const FAMILIES: &[&str] = &[
    "archive",
    "calc",
    "coreutils",
    "files",
    "git",
    "query",
    "search",
    "system",
    "text",
];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut families = FAMILIES.to_vec();
    if std::env::var_os("CARGO_FEATURE_EXTRA").is_some() {
        families.push("extra");
    }
    let mut guests = vec![Guest::library("offshoot-shell", &["component"])];
    let programs = families.iter().map(|name| format!("offshoot-{name}"));
    guests.extend(programs.map(|package| Guest::program(&package, &[])));
    let (components, python) = std::thread::scope(|scope| {
        // A download and a compilation of its own, beside the others.
        let python = scope.spawn(|| python().map_err(|error| error.to_string()));
        let components = build_all(&guests)?;
        let python = python.join().map_err(|_| "making python3 panicked")??;
        Ok::<_, Box<dyn Error>>((components, python))
    })?;
    let list = workspace_root()?.join("guest-tools/programs/commands.txt");
    println!("cargo::rerun-if-changed={}", list.display());
    let list = fs::read_to_string(list)?;

    let shell = compile(&components[0])?;
    let mut table = format!(
        "/// The shell, as machine code.\n\
         pub(crate) static SHELL: &PageAligned<[u8]> = &PageAligned(*include_bytes!({shell:?}));\n\
         /// The families of commands.\n\
         pub(crate) static FAMILIES: &[Family] = &[\n"
    );
    for (family, component) in families.iter().zip(&components[1..]) {
        let code = compile(component)?;
        let names = names(&list, family);
        writeln!(
            table,
            "Family {{ code: &PageAligned(*include_bytes!({code:?})), commands: &{names:?} }},"
        )?;
    }
    table.push_str("];\n");
    writeln!(
        table,
        "/// CPython, as machine code, where this machine could make it.\n\
         #[cfg(feature = \"python\")]\n\
         pub(crate) static PYTHON: Option<&PageAligned<[u8]>> = {python};"
    )?;
    fs::write(out.join("guests.rs"), table)?;
    Ok(())
}

/// CPython as an expression of Rust.
fn python() -> Result<String, Box<dyn Error>> {
    if std::env::var_os("CARGO_FEATURE_PYTHON").is_none() {
        return Ok("None".to_owned());
    }
    let Some(wasm) = offshoot_guest_build::python()? else {
        return Ok("None".to_owned());
    };
    let code = compile(&wasm)?;
    Ok(format!("Some(&PageAligned(*include_bytes!({code:?})))"))
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

/// Compiles a component for this machine.
fn compile(wasm: &Path) -> Result<PathBuf, Box<dyn Error>> {
    compiled(wasm, Engine::fingerprint(), |bytes| {
        Ok(Engine::precompile(bytes)?)
    })
}
