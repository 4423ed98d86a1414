//! The coreutils: those of uutils, called as GNU's are, and a few of our own.
//!
//! Our own are `cat`, which reads FIFOs and devices too (that of uutils takes them for unknown where there is no
//! Unix), and the checksums, since uutils reads their lists otherwise. For the others the model is GNU coreutils 9.1;
//! where uutils differs from it, the command line is looked at or changed before uutils sees it:
//!
//! | Module | What it does |
//! |---|---|
//! | `coreutil` | runs a command of uutils, with what follows before it |
//! | `wrong_option` | refuses unknown options and wrong numbers of operands in GNU's words |
//! | `wrong_operand` | refuses values that uutils takes and GNU does not |
//! | `dates` | turns the values of `date -d` into seconds |
//! | `widths` | turns `seq -w` into a format |
//!
//! uutils is linked into the guest alone, so these modules have no part in the native program; what they compute is
//! tested there.

mod cat;
mod checksum;
mod commands;
#[cfg(target_os = "wasi")]
mod coreutil;
#[cfg(any(target_os = "wasi", test))]
mod dates;
#[cfg(any(target_os = "wasi", test))]
mod widths;
#[cfg(target_os = "wasi")]
mod wrong_operand;
#[cfg(target_os = "wasi")]
mod wrong_option;

pub use commands::COMMANDS;

#[cfg(target_os = "wasi")]
use offshoot_command::model;
use offshoot_command::{call, options, output, quote, system};
#[cfg(any(target_os = "wasi", test))]
use offshoot_command::{time, when};
