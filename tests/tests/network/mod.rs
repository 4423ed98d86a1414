//! Requests from inside: as curl and wget make them, and as attackers would like them.

mod canary;
mod commands;
mod git;
mod policy;
mod server;
