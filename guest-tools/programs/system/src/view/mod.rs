//! What the sandbox looks like from inside: processes, memory, processors, mounts.

mod free;
mod lscpu;
mod mount;
mod pidof;
mod ps;
mod pstree;
mod top;
mod uptime;
mod vmstat;

pub use free::free;
pub use lscpu::lscpu;
pub use mount::mount;
pub use pidof::pidof;
pub use ps::ps;
pub use pstree::pstree;
pub use top::top;
pub use uptime::uptime;
pub use vmstat::vmstat;
