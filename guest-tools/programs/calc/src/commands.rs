//! The commands of this family.

use offshoot_command::family::Command;

/// Every command, with what there is to say about it.
pub const COMMANDS: &[Command] = &[
    Command::new("bc", crate::bc::run)
        .on("num-bigint")
        .without("-i"),
    Command::new("numfmt", crate::numfmt::run),
    Command::new("expr", crate::expr::run),
];
