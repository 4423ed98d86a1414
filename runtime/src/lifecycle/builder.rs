//! Describing a service: how long claims last, who is told what, and what all its sandboxes have.

use super::event::{Event, Listener, listener};
use super::hold::OnCrash;
use super::release::{Callback, CallbackError};
use super::service::{Sandboxes, Service};
use crate::command::Command;
#[cfg(feature = "network")]
use crate::error::Result;
use bytes::Bytes;
use offshoot_kernel::SystemRandom;
use offshoot_store::{Key, Store};
use offshoot_vfs::{Mount, Random};
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// Who is told what an operation waits for.
pub(super) type Waiting = Box<dyn Fn(&str) + Send + Sync>;

/// Describes a [`Sandboxes`].
pub struct SandboxesBuilder {
    store: Store,
    lease: Duration,
    patience: Duration,
    on_crash: OnCrash,
    on_wait: Option<Waiting>,
    callbacks: HashMap<String, Callback>,
    key: Option<Key>,
    listeners: Vec<Listener>,
    commands: Vec<(String, Command)>,
    mounts: Vec<(String, Mount)>,
    secrets: Vec<Bytes>,
}

impl Sandboxes {
    /// Describes a service.
    pub fn builder(store: Store) -> SandboxesBuilder {
        SandboxesBuilder {
            store,
            lease: Duration::from_secs(30),
            patience: Duration::ZERO,
            on_crash: OnCrash::Suspend,
            on_wait: None,
            callbacks: HashMap::new(),
            key: None,
            listeners: Vec::new(),
            commands: Vec::new(),
            mounts: Vec::new(),
            secrets: Vec::new(),
        }
    }
}

impl SandboxesBuilder {
    /// How long a sandbox stays this process's when the process is gone; 30 seconds. It is renewed
    /// while the process lives.
    #[must_use]
    pub fn lease(mut self, time: Duration) -> SandboxesBuilder {
        self.lease = time;
        self
    }

    /// How long an operation waits for a sandbox that another process has awake; not at all by
    /// default.
    #[must_use]
    pub fn patience(mut self, time: Duration) -> SandboxesBuilder {
        self.patience = time;
        self
    }

    /// Tells what an operation waits for that has begun to wait, up to its
    /// [patience](SandboxesBuilder::patience).
    #[must_use]
    pub fn on_wait(mut self, told: impl Fn(&str) + Send + Sync + 'static) -> SandboxesBuilder {
        self.on_wait = Some(Box::new(told));
        self
    }

    /// What [`Maintenance::sweep`](super::Maintenance::sweep) does with a sandbox whose owner is gone; it sleeps at its last
    /// commit by default. [`Update::on_crash`](super::Update::on_crash) says it for one.
    #[must_use]
    pub fn on_crash(mut self, policy: OnCrash) -> SandboxesBuilder {
        self.on_crash = policy;
        self
    }

    /// Registers what [`Callback`](super::OnLastRelease::Callback) and [`SaveAndDelete`](super::OnLastRelease::SaveAndDelete) name. It is
    /// given the service and the sandbox's name; of several processes, one runs it, and again where it
    /// failed.
    #[must_use]
    pub fn callback<F, R>(mut self, name: impl Into<String>, function: F) -> SandboxesBuilder
    where
        F: Fn(Sandboxes, String) -> R + Send + Sync + 'static,
        R: Future<Output = std::result::Result<(), CallbackError>> + Send + 'static,
    {
        let callback: Callback =
            Arc::new(move |sandboxes, name| Box::pin(function(sandboxes, name)));
        self.callbacks.insert(name.into(), callback);
        self
    }

    /// Tells a function everything that happens to sandboxes through services of this store that
    /// have listeners: in order for each sandbox, and at least once. One that it fails for is told
    /// again, and the next ones wait.
    #[must_use]
    pub fn on_event<F, R>(mut self, function: F) -> SandboxesBuilder
    where
        F: Fn(Event) -> R + Send + Sync + 'static,
        R: Future<Output = std::result::Result<(), CallbackError>> + Send + 'static,
    {
        self.listeners.push(listener(function));
        self
    }

    /// Tells a server everything that happens to sandboxes, as [`SandboxesBuilder::on_event`] tells a
    /// function: in order for each sandbox, at least once, signed. What could not be told is in the
    /// store, and a later process with the same webhook tells it.
    ///
    /// # Errors
    /// `INVALID` for what is no URL of a server, `DIED` where the host cannot start what requests run
    /// on.
    #[cfg(feature = "network")]
    pub fn webhook(mut self, webhook: super::webhook::Webhook) -> Result<SandboxesBuilder> {
        self.listeners.push(webhook.listener()?);
        Ok(self)
    }

    /// The key that portable references are signed with. Services that are to understand each other's
    /// have the same one; it is never stored, and is no credential for anything else.
    #[must_use]
    pub fn reference_key(mut self, key: Key) -> SandboxesBuilder {
        self.key = Some(key);
        self
    }

    /// Registers a command of the embedder in every sandbox of the service.
    #[must_use]
    pub fn command(
        mut self,
        name: impl Into<String>,
        command: impl Into<Command>,
    ) -> SandboxesBuilder {
        self.commands.push((name.into(), command.into()));
        self
    }

    /// Mounts this at `path` in every sandbox of the service whenever it wakes; the directory is made
    /// where it is missing. What is mounted is not stored: writes to a copy-on-write mount are gone when
    /// the sandbox sleeps.
    #[must_use]
    pub fn mount(mut self, path: impl Into<String>, mount: Mount) -> SandboxesBuilder {
        self.mounts.push((path.into(), mount));
        self
    }

    /// Lets `curl` and `wget` reach what `policy` allows, in every sandbox of the service.
    ///
    /// # Errors
    /// `DIED` where the host cannot start what requests run on.
    #[cfg(feature = "network")]
    pub fn network(mut self, policy: crate::network::Policy) -> Result<SandboxesBuilder> {
        self.commands.extend(crate::network::commands(policy)?);
        Ok(self)
    }

    /// Declares a value that must never be stored: a suspend that would write it fails with
    /// `POLICY_DENIED`.
    #[must_use]
    pub fn secret(mut self, value: impl AsRef<[u8]>) -> SandboxesBuilder {
        self.secrets.push(Bytes::copy_from_slice(value.as_ref()));
        self
    }

    /// Makes the service.
    pub fn build(self) -> Sandboxes {
        let mut nonce = [0; 12];
        SystemRandom.fill(&mut nonce);
        let hex: String = nonce.iter().map(|byte| format!("{byte:02x}")).collect();
        Sandboxes(Arc::new(Service {
            store: self.store,
            nonce: format!("{}-{hex}", std::process::id()),
            presence: OnceLock::new(),
            on_wait: self.on_wait,
            lease: self.lease,
            patience: self.patience,
            on_crash: self.on_crash,
            callbacks: self.callbacks,
            key: self.key,
            listeners: self.listeners,
            commands: self.commands,
            mounts: self.mounts,
            secrets: self.secrets,
            slots: Mutex::default(),
        }))
    }
}

impl fmt::Debug for SandboxesBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Secrets are not shown.
        f.debug_struct("SandboxesBuilder")
            .field("lease", &self.lease)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}
