//! Fills `prebuilt` before the crate is packaged: `cargo run -p offshoot-guest-build --features prebuild`, with a
//! folder of components behind `--` where they are built already.

use std::path::Path;

fn main() -> Result<(), offshoot_guest_build::Error> {
    let built = std::env::args_os().nth(1);
    let target = offshoot_guest_build::workspace_root()?.join("target/prebuild");
    let written = offshoot_guest_build::prebuild(built.as_deref().map(Path::new), &target)?;
    for (name, size) in &written {
        println!("{size:9} {name}");
    }
    let all: u64 = written.iter().map(|(_, size)| size).sum();
    println!("{all:9} bytes in all");
    Ok(())
}
