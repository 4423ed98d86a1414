//! The vocabulary of POSIX that the shell and the commands of a sandbox share: text in, text out, without
//! files or processes.

pub mod calendar;
pub mod display;
pub mod duration;
pub mod errno;
pub mod locale;
pub mod mode;
pub mod quote;
pub mod signal;
pub mod size;
pub mod version;
