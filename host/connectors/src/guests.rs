//! The connectors that are part of this crate, as the build script made them.

include!(concat!(env!("OUT_DIR"), "/guests.rs"));
