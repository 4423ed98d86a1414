//! The table of the commands of this family: which function runs a name, and which options of the original are refused.
//! `commands.txt` and `docs/commands.md` are made from it.

use offshoot_command::family::Command;

/// Every name that this component answers to. `ls`, `dir` and `vdir`, `chown` and `chgrp`, and the names of `rename`
/// share a function, which looks at `Call::name`.
pub const COMMANDS: &[Command] = &[
    Command::new("dd", crate::dd::run),
    Command::new("ln", crate::ln::run),
    Command::new("mktemp", crate::mktemp::run),
    Command::new("rm", crate::remove::run),
    Command::new("touch", crate::touch::run),
    Command::new("ls", crate::ls::run).without("--dired (-D), --hyperlink=always"),
    Command::new("dir", crate::ls::run).without("--dired (-D), --hyperlink=always"),
    Command::new("vdir", crate::ls::run).without("--dired (-D), --hyperlink=always"),
    Command::new("stat", crate::stat::run),
    Command::new("chmod", crate::chmod::run),
    Command::new("chown", crate::chown::run),
    Command::new("chgrp", crate::chown::run),
    Command::new("fallocate", crate::fallocate::run).without(
        "-c, -i (--collapse-range, --insert-range); there are no holes, so that -d changes nothing",
    ),
    Command::new("which", crate::which::run),
    Command::new("mkfifo", crate::make::fifo),
    Command::new("mknod", crate::make::node).without("devices"),
    Command::new("install", crate::make::install).without("-s"),
    Command::new("du", crate::usage::du),
    Command::new("df", crate::df::df),
    Command::new("mkdir", crate::make::directory),
    Command::new("cp", crate::copy::run),
    Command::new("mv", crate::mv::run),
    Command::new("tree", crate::tree::run).without("-A, -H, -R, --gitignore, --info, --fromfile"),
    Command::new("rename", crate::rename::run),
    Command::new("prename", crate::rename::run),
    Command::new("file-rename", crate::rename::run),
    Command::new("rename.ul", crate::rename::run),
    Command::new("file", crate::file::run).without("-c, -C, -z, --extension"),
];
