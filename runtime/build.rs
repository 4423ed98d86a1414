//! Builds the guests for wasm32-wasip2, compiles them ahead of time and writes the table that the
//! library embeds.

use offshoot_guest_build::{Guest, build, watch_sources, workspace_root};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    watch_sources()?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let shell = build(&Guest::library("offshoot-shell", &["component"]))?;
    let programs = build(&Guest::program("offshoot-programs", &[]))?;
    let shell = compile(&shell, &out)?;
    let programs = compile(&programs, &out)?;
    let names = fs::read_to_string(workspace_root()?.join("guest-tools/programs/commands.txt"))?;
    let names: Vec<&str> = names
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let table = format!(
        "use offshoot_kernel::PageAligned;\n\
         /// The shell, as machine code.\n\
         pub(crate) static SHELL: &PageAligned<[u8]> = &PageAligned(*include_bytes!({shell:?}));\n\
         /// The multi-call program, as machine code.\n\
         pub(crate) static PROGRAMS: &PageAligned<[u8]> = &PageAligned(*include_bytes!({programs:?}));\n\
         /// The commands of the multi-call program.\n\
         static COMMANDS: &[&str] = &{names:?};\n"
    );
    fs::write(out.join("guests.rs"), table)?;
    Ok(())
}

/// Compiles a component for this machine, unless that was done before with the same bytes and
/// the same engine.
fn compile(wasm: &Path, out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let bytes = fs::read(wasm)?;
    let name = wasm.file_stem().unwrap_or_default().to_string_lossy();
    let artifact = out.join(format!("{name}.cwasm"));
    let source = out.join(format!("{name}.compiled-from"));
    let fingerprint = offshoot_kernel::Engine::fingerprint();
    let mut made_from = fingerprint.to_le_bytes().to_vec();
    made_from.extend_from_slice(&bytes);
    if !artifact.exists() || !fs::read(&source).is_ok_and(|old| old == made_from) {
        fs::write(&artifact, offshoot_kernel::Engine::precompile(&bytes)?)?;
        fs::write(&source, made_from)?;
    }
    Ok(artifact)
}
