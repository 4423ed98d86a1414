//! Fills `prebuilt` before the crate is packaged: `cargo run -p offshoot-guest-build --features prebuild`. With a
//! target directory behind `--`, they are guests for development, built there.

use std::path::PathBuf;

fn main() -> Result<(), offshoot_guest_build::Error> {
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    let for_development = given.is_some();
    let own = || Ok(offshoot_guest_build::workspace_root()?.join("target/prebuild"));
    let target = given.map_or_else(own, Ok)?;
    let written = offshoot_guest_build::prebuild(&target, for_development)?;
    for (name, size) in &written {
        println!("{size:9} {name}");
    }
    let all: u64 = written.iter().map(|(_, size)| size).sum();
    println!("{all:9} bytes in all");
    Ok(())
}
