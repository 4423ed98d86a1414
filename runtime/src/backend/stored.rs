//! Virtual sandboxes that are kept in a store, under the contract of all backends.

use super::{CAPABILITIES, NAME, Settings, builder, directory};
use crate::lifecycle::{Attached, Origin, RefOptions, Sandboxes};
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Exec, Factory, FileStat, Network, Options, Persistence,
    Reference, RemoveOptions, Result, ShellResult, State,
};
use offshoot_boxed::boxed;
use offshoot_kernel::SystemRandom;
use offshoot_vfs::Random;
use std::sync::Arc;
use tokio::sync::{RwLock, RwLockReadGuard};

/// What such a sandbox can do: it sleeps and has references, but its commands have no streams.
const KEPT: Capabilities = {
    let mut record = CAPABILITIES;
    record.snapshot = false;
    record.restore = false;
    record.snapshot_files = false;
    record.snapshot_settings = false;
    record.streaming = false;
    record.signals = false;
    record.file_policy = false;
    record.command_policy = false;
    record.suspend = true;
    record.resume = true;
    record.reconnect = true;
    record.persistence = Persistence::Durable;
    record
};

/// The same for the sandboxes of a service, which may have a network.
fn kept(sandboxes: &Sandboxes) -> Capabilities {
    let mut record = KEPT;
    if sandboxes.has_network() {
        record.network = Network::Policy;
    }
    record
}

/// Makes virtual sandboxes in a store, in place of [`VirtualFactory`](super::VirtualFactory): they sleep
/// there, and a reference reaches them from any process with the same store and key.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::backend::{Options, Registry, StoredFactory};
/// use offshoot::lifecycle::{Key, Sandboxes, Store};
/// let sandboxes = Sandboxes::builder(Store::memory())
///     .reference_key(Key::derive(b"from the configuration"))
///     .build();
/// let registry = Registry::strict();
/// registry.register(std::sync::Arc::new(StoredFactory::new(sandboxes)))?;
/// let sandbox = registry.open("virtual", Options::default()).await?;
/// let reference = sandbox.reference().await?.to_string();
///
/// let other = registry.attach(&reference.parse()?, Options::default()).await?;
/// other.write_file("note", b"for both").await?;
/// assert_eq!(sandbox.read_file("note").await?, "for both");
/// sandbox.cleanup().await
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct StoredFactory(Sandboxes);

impl StoredFactory {
    /// Keeps sandboxes with this service, which needs a
    /// [`reference_key`](crate::lifecycle::SandboxesBuilder::reference_key).
    pub fn new(sandboxes: Sandboxes) -> StoredFactory {
        StoredFactory(sandboxes)
    }

    /// Refuses what cannot be honoured; the network is the service's for all its sandboxes.
    fn settings(&self, options: &Options) -> Result<Settings> {
        let settings: Settings = options.settings_as(NAME)?;
        if !settings.network.is_empty() {
            let what = "a network of one sandbox that is kept";
            return Err(Error::unsupported(NAME, "create", what));
        }
        options.check(NAME, &kept(&self.0))?;
        Ok(settings)
    }
}

#[boxed]
impl Factory for StoredFactory {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        kept(&self.0)
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        let template = Origin::template(builder(&options, self.settings(&options)?)?);
        let made = Stored::made(&self.0, "create", template).await;
        Ok(Arc::new(made.map_err(|error| error.on(NAME))?))
    }

    async fn attach(&self, data: &str, options: Options) -> Result<Arc<dyn Environment>> {
        self.settings(&options)?;
        let text = Reference::new(NAME, data).to_string();
        let attached = self
            .0
            .references()
            .attach(&text)
            .await
            .map_err(|error| error.on(NAME))?;
        let usual = attached.cwd().to_owned();
        let cwd = directory(&options, &usual)?.unwrap_or(usual);
        Ok(Arc::new(Stored::new(&self.0, attached, text, cwd, false)))
    }
}

/// One holder of a sandbox that is kept.
#[derive(Debug)]
struct Stored {
    sandboxes: Sandboxes,
    name: String,
    /// What it attaches by.
    text: String,
    cwd: String,
    is_owner: bool,
    held: RwLock<Held>,
}

#[derive(Debug)]
enum Held {
    Awake(Box<Attached>),
    Asleep,
    Ended,
}

impl Stored {
    fn new(
        sandboxes: &Sandboxes,
        attached: Attached,
        text: String,
        cwd: String,
        is_owner: bool,
    ) -> Stored {
        Stored {
            sandboxes: sandboxes.clone(),
            name: attached.name().to_owned(),
            text,
            cwd,
            is_owner,
            held: RwLock::new(Held::Awake(Box::new(attached))),
        }
    }

    /// A new sandbox, and its owner.
    async fn made(
        sandboxes: &Sandboxes,
        operation: &'static str,
        origin: Origin,
    ) -> Result<Stored> {
        let mut nonce = [0; 12];
        SystemRandom.fill(&mut nonce);
        let name: String = nonce.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!("sandbox-{name}");
        let made = sandboxes.create(&name, origin).await;
        made.map_err(|error| error.during(operation))?;
        let owned = async {
            let text = sandboxes.references().register(&name, &name).await?;
            let attached = sandboxes.references().attach(&text).await?;
            let cwd = attached.cwd().to_owned();
            Ok(Stored::new(sandboxes, attached, text, cwd, true))
        };
        match owned.await {
            Ok(stored) => Ok(stored),
            Err(error) => {
                let error: Error = error;
                sandboxes.delete(&name).await?;
                Err(error.during(operation))
            }
        }
    }

    /// Keeps it from falling asleep during an operation.
    async fn enter(&self, operation: &'static str) -> Result<RwLockReadGuard<'_, Attached>> {
        let held = self.held.read().await;
        RwLockReadGuard::try_map(held, |held| match held {
            Held::Awake(attached) => Some(attached.as_ref()),
            _ => None,
        })
        .map_err(|held| match &*held {
            Held::Ended => Error::ended(operation).on(NAME),
            _ => {
                let message = "the sandbox is suspended; resume it first";
                Error::new(Code::SandboxUnavailable, operation, message).on(NAME)
            }
        })
    }
}

/// The same error, of this backend.
fn named<T>(result: Result<T>) -> Result<T> {
    result.map_err(|error| error.on(NAME))
}

#[boxed]
impl Environment for Stored {
    fn backend(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        kept(&self.sandboxes)
    }

    fn cwd(&self) -> &str {
        &self.cwd
    }

    async fn exec(&self, mut exec: Exec) -> Result<ShellResult> {
        exec.cwd.get_or_insert_with(|| self.cwd.clone());
        named(self.enter("exec").await?.exec(exec).await)
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        let attached = self.enter("read_file_buffer").await?;
        named(attached.read_file_buffer(path).await)
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let attached = self.enter("write_file").await?;
        named(attached.write_file(path, content).await)
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        named(self.enter("stat").await?.stat(path).await)
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        named(self.enter("readdir").await?.readdir(path).await)
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        named(self.enter("mkdir").await?.mkdir(path, recursive).await)
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        named(self.enter("rm").await?.rm(path, options).await)
    }

    async fn cleanup(&self) -> Result<()> {
        if matches!(*self.held.read().await, Held::Ended) {
            return Ok(());
        }
        if self.is_owner {
            // It ends what runs, which would keep the sandbox from anything else.
            named(self.sandboxes.delete(&self.name).await)?;
        }
        *self.held.write().await = Held::Ended;
        Ok(())
    }

    async fn fork(&self, _: Option<&str>) -> Result<Arc<dyn Environment>> {
        let _awake = self.enter("fork").await?;
        let origin = Origin::sandbox(&self.name);
        let branch = Stored::made(&self.sandboxes, "fork", origin).await;
        Ok(Arc::new(named(branch)?))
    }

    async fn suspend(&self) -> Result<()> {
        let mut held = self.held.write().await;
        match &*held {
            Held::Asleep => return Ok(()),
            Held::Ended => return Err(Error::ended("suspend").on(NAME)),
            Held::Awake(_) => *held = Held::Asleep,
        }
        let slept = self.sandboxes.suspend(&self.name).await;
        if slept.is_err() {
            let attached = named(self.sandboxes.references().attach(&self.text).await)?;
            *held = Held::Awake(Box::new(attached));
        }
        named(slept.map(drop))
    }

    async fn resume(&self) -> Result<()> {
        let mut held = self.held.write().await;
        match &*held {
            Held::Awake(_) => Ok(()),
            Held::Ended => Err(Error::ended("resume").on(NAME)),
            Held::Asleep => {
                let attached = self.sandboxes.references().attach(&self.text).await;
                let attached = named(attached.map_err(|error| error.during("resume")))?;
                *held = Held::Awake(Box::new(attached));
                Ok(())
            }
        }
    }

    async fn reference(&self) -> Result<Reference> {
        if matches!(*self.held.read().await, Held::Ended) {
            return Err(Error::ended("reference").on(NAME));
        }
        let text = self
            .sandboxes
            .references()
            .issue(&self.name, RefOptions::new())
            .await;
        named(text)?.parse()
    }

    async fn state(&self) -> Result<State> {
        // A change of state that is under way ends one way or the other.
        Ok(match self.held.try_read().as_deref() {
            Ok(Held::Ended) => State::Deleted,
            Ok(Held::Asleep) => State::Suspended,
            _ => State::Running,
        })
    }
}
