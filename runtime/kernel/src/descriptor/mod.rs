//! What a process reads and writes: open objects, the table that numbers them, and the embedder's ends.

mod host;
mod lock;
mod object;
mod screen;
mod table;

pub use host::{ByteReader, ByteWriter, Capture, Stdio};
pub(crate) use lock::Locks;
pub(crate) use object::Object;
pub use screen::Screen;
pub(crate) use table::Descriptors;
