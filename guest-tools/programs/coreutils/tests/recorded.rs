//! What the commands of this family print, against what the tools of Debian 12 printed.

#[test]
fn commands_print_what_the_tools_of_debian_print() -> offshoot_recorded::Result<()> {
    let package = env!("CARGO_MANIFEST_DIR");
    let program = env!("CARGO_BIN_EXE_offshoot-coreutils");
    offshoot_recorded::check(package, program, offshoot_coreutils::COMMANDS)
}
