//! The sandbox that the flags describe.

use crate::arguments::{MountArgument, MountMode, Setting, environment};
use anyhow::Context;
use offshoot::{Builder, Limits, Mount, Sandbox};

impl Setting {
    /// A sandbox with these mounts, variables and limits.
    ///
    /// # Errors
    /// For a flag that cannot be read, and a folder that cannot be mounted.
    pub fn builder(&self) -> anyhow::Result<Builder> {
        let mut builder = Sandbox::builder().cwd(&self.cwd);
        for text in &self.mount {
            let (guest, mount) = mount(text)?;
            builder = builder.mount(guest, mount);
        }
        for text in &self.env {
            let (name, value) = environment(text)?;
            builder = builder.env(name, value);
        }
        if let Some(bytes) = self.memory {
            builder = builder.limits(Limits {
                memory: bytes,
                ..Limits::default()
            });
        }
        Ok(builder)
    }
}

/// What a `--mount` asks for, and where.
///
/// # Errors
/// For a flag that cannot be read, and a folder that cannot be mounted.
pub fn mount(text: &str) -> anyhow::Result<(String, Mount)> {
    let MountArgument { host, guest, mode } = MountArgument::parse(text)?;
    let mount = match mode {
        MountMode::ReadOnly => Mount::read_only(&host),
        MountMode::CopyOnWrite => Mount::copy_on_write(&host),
    };
    Ok((guest, mount.with_context(|| format!("--mount {text}"))?))
}
