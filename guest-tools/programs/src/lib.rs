//! All commands of a sandbox, family by family, for tests of what crosses families.

use offshoot_command::family::Command;

/// The families by name, with their commands.
pub const FAMILIES: &[(&str, &[Command])] = &[
    ("archive", offshoot_archive::COMMANDS),
    ("calc", offshoot_calc::COMMANDS),
    ("coreutils", offshoot_coreutils::COMMANDS),
    ("extra", offshoot_extra::COMMANDS),
    ("files", offshoot_files::COMMANDS),
    ("git", offshoot_git::COMMANDS),
    ("query", offshoot_query::COMMANDS),
    ("search", offshoot_search::COMMANDS),
    ("system", offshoot_system::COMMANDS),
    ("text", offshoot_text::COMMANDS),
];

/// The commands of all families.
pub fn commands() -> Vec<Command> {
    let families = FAMILIES.iter();
    families
        .flat_map(|(_, commands)| *commands)
        .copied()
        .collect()
}
