//! Commands that list, make, move and change files.
//!
//! The oracle is Debian 12: coreutils 9.1, util-linux 2.38, file 5.44, tree 2.1 and Perl's rename 2.0. What these print
//! is recorded in `tests/cases`. Files are reached through `system`, which has modes, owners, links and times that
//! WASI's own functions lack. Trees are walked with stacks of their own where a recursion would be as deep as the tree
//! (`tree` alone recurses).

mod backup;
mod chmod;
mod chown;
mod commands;
mod copy;
mod dd;
mod df;
mod fallocate;
mod file;
mod ln;
mod ls;
mod make;
mod mktemp;
mod mv;
mod remove;
mod rename;
mod stat;
mod touch;
mod tree;
mod usage;
mod which;

pub use commands::COMMANDS;

use offshoot_command::{
    accounts, call, glob, mode, options, output, pattern, quote, size, stream, system, time,
    version, when,
};
