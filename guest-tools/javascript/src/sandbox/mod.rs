//! The sandbox's own interfaces. Errors are the names that Node has for them.

#[cfg(target_os = "wasi")]
mod component;
#[cfg(not(target_os = "wasi"))]
mod elsewhere;

#[cfg(target_os = "wasi")]
pub use component::*;
#[cfg(not(target_os = "wasi"))]
pub use elsewhere::*;

/// What functions of this module give.
pub type Result<T> = std::result::Result<T, &'static str>;

/// Names with their values.
pub type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// Who a process is.
#[derive(Default)]
pub struct Identity {
    /// Its number.
    pub pid: u32,
    /// The number of the process that started it.
    pub parent: u32,
    /// User number.
    pub uid: u32,
    /// Group number.
    pub gid: u32,
    /// User name.
    pub user: String,
    /// The sandbox's name.
    pub hostname: String,
}
