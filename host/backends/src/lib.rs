//! Backends that the host drives itself: [`empty`], [`local`], [`docker`], [`gvisor`], [`kubernetes`] and, on
//! Linux, `microvm`.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> offshoot_backend::Result<()> {
//! use offshoot_backend::{Options, Registry};
//! let registry = Registry::strict();
//! offshoot_backends::register(&registry)?;
//! let sandbox = registry.open("local", Options::default()).await?;
//! assert_eq!(sandbox.exec("echo $((6 * 7))".into()).await?.stdout, b"42\n");
//! sandbox.cleanup().await
//! # }
//! ```
#![cfg(unix)]

mod copy;
pub mod docker;
pub mod empty;
pub mod gvisor;
mod inside;
pub mod kubernetes;
pub mod local;
#[cfg(target_os = "linux")]
pub mod microvm;
mod owner;
mod pipe;
mod space;

use offshoot_backend::{Registry, Result};
use std::sync::Arc;

/// Adds every backend of this crate to a registry.
///
/// # Errors
/// `CONFLICT` where one of the names is taken.
pub fn register(registry: &Registry) -> Result<()> {
    registry.register(Arc::new(empty::Empty))?;
    registry.register(Arc::new(local::LocalFactory::default()))?;
    registry.register(Arc::new(docker::DockerFactory::default()))?;
    registry.register(Arc::new(gvisor::GvisorFactory::default()))?;
    registry.register(Arc::new(kubernetes::KubernetesFactory::default()))?;
    #[cfg(target_os = "linux")]
    registry.register(Arc::new(microvm::MicrovmFactory::default()))?;
    Ok(())
}
