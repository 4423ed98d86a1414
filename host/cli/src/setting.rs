//! The sandbox that the flags describe.

use crate::arguments::{MountArgument, MountMode, Mounts, Setting, environment};
use anyhow::{Context, bail};
use offshoot::{Builder, Limits, Mount, Sandbox};
use std::path::{Component, Path};

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
            builder = builder.limits(Limits::default().with_memory(bytes));
        }
        Ok(builder)
    }

    /// Refuses a working directory that a mounted folder does not have: what is elsewhere is made where it is
    /// missing, but a folder of the host is not to get what was only misspelt.
    ///
    /// # Errors
    /// Where it is not there.
    pub fn check_directory(&self, mounts: &[MountArgument]) -> anyhow::Result<()> {
        let cwd = Path::new(&self.cwd);
        let depth = |mount: &&MountArgument| Path::new(&mount.guest).components().count();
        let mount = mounts
            .iter()
            .filter(|mount| cwd.starts_with(&mount.guest))
            .max_by_key(depth);
        let Some(mount) = mount else { return Ok(()) };
        let below = cwd.strip_prefix(&mount.guest)?;
        // The guest's own `..` and links lead elsewhere than the host's.
        let plain = below
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let folder = mount.host.join(below);
        if plain && matches!(folder.try_exists(), Ok(false)) {
            bail!(
                "--cwd {}: the host has no folder {}",
                self.cwd,
                folder.display()
            );
        }
        Ok(())
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
