//! Python as a component of its own: built here, and run inside a sandbox against what CPython 3.11 printed.
//! Building it takes minutes, so this runs where `OFFSHOOT_SLOW_TESTS` is set.

use std::path::{Path, PathBuf};
use std::process::Command as Process;

use offshoot::Command;
use offshoot::blocking::Sandbox;

use crate::commands;

fn component(package: &Path) -> PathBuf {
    // Beside the other guests, so that it is kept from one run to the next.
    let sandbox = PathBuf::from(env!("SANDBOX_WASM"));
    let profile = sandbox.ancestors().find(|folder| folder.ends_with("build"));
    let target = profile.unwrap().parent().unwrap().join("../python");
    // Its Cargo.toml says why the compiler's version is not asked for.
    let status = Process::new(env!("CARGO"))
        .current_dir(package)
        .args(["build", "--quiet", "--locked", "--release"])
        .arg("--ignore-rust-version")
        .args(["--target", "wasm32-wasip2", "--target-dir"])
        .arg(&target)
        .env_remove("RUSTFLAGS")
        .status()
        .unwrap();
    assert!(status.success());
    target.join("wasm32-wasip2/release/offshoot-python.wasm")
}

#[test]
fn scripts_print_what_cpython_prints() {
    if std::env::var_os("OFFSHOOT_SLOW_TESTS").is_none() {
        return;
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest-tools/python");
    let wasm = std::fs::read(component(&package)).unwrap();
    let python = Command::component(&wasm).unwrap();
    let sandbox = Sandbox::builder()
        .user(commands::root_user())
        .command("python3", python)
        .build_blocking()
        .unwrap();
    let cases = commands::cases(&package.join("tests/cases.t"));
    commands::check(&sandbox, &cases);
}
