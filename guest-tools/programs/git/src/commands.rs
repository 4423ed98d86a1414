//! The commands of this family.

use offshoot_command::family::Command;

/// Every command, with what there is to say about it.
pub const COMMANDS: &[Command] = &[Command::new("git", crate::git::run).on("gix").without(
    "ssh and the dumb protocol, partial clones; submodule summary, rebase -r, notes merge, cruft packs, commit graphs, rerere.enabled",
)];
