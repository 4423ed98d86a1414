//! The sandbox that the flags describe.

use crate::arguments::{MountArgument, MountMode, Mounts, Setting, environment};
use anyhow::Context;
use offshoot::{Builder, Limits, Mount, Sandbox};

impl Setting {
    /// A sandbox with these variables and limits.
    ///
    /// # Errors
    /// For a flag that cannot be read.
    pub fn builder(&self) -> anyhow::Result<Builder> {
        let mut builder = Sandbox::builder().cwd(&self.cwd);
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

impl Mounts {
    /// What is to be mounted.
    ///
    /// # Errors
    /// For a flag that cannot be read.
    pub fn parse(&self) -> anyhow::Result<Vec<MountArgument>> {
        self.mount
            .iter()
            .map(|text| MountArgument::parse(text))
            .collect()
    }
}

impl MountArgument {
    /// The folder as a mount.
    ///
    /// # Errors
    /// For a folder that cannot be mounted.
    pub fn open(&self) -> anyhow::Result<Mount> {
        let mount = match self.mode {
            MountMode::ReadOnly => Mount::read_only(&self.host),
            MountMode::CopyOnWrite => Mount::copy_on_write(&self.host),
        };
        mount.with_context(|| format!("--mount {}", self.host.display()))
    }

    /// Mounts it.
    ///
    /// # Errors
    /// For a folder that cannot be mounted.
    pub fn add(&self, builder: Builder) -> anyhow::Result<Builder> {
        Ok(builder.mount(self.guest.as_str(), self.open()?))
    }
}
