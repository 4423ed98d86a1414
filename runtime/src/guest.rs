//! The guests: compiled ahead of time by the build script and embedded in the library.

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

/// The names under which commands can be called, from the table of the programs package.
pub(crate) fn command_names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().copied().chain(["bash", "sh"])
}
