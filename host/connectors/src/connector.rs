//! A component as a backend.

use std::path::Path;
use std::sync::Arc;

use offshoot_backend::{
    Capabilities, Code, Environment, Error, Factory, Options, PosixOverExec, Result, Snapshot, path,
};
use offshoot_boxed::boxed;
use offshoot_kernel::{Artifact, Engine};
use offshoot_network::Client;
use serde_json::{Map, Value};
use wasmtime::component::Component;

use crate::bindings::wit;
use crate::convert;
use crate::environment::Remote;
use crate::instance::{Instances, call};
use crate::manifest::{Files, Manifest};
use crate::outgoing::Way;
use crate::vault::Vault;

/// Bytes that the state of a sandbox may have.
const STATE: usize = 64 << 10;

/// A backend whose work is done by a component; clones share it.
///
/// Its futures need a Tokio runtime.
///
/// ```no_run
/// # async fn example(engine: offshoot_kernel::Engine) -> offshoot_backend::Result<()> {
/// use offshoot_backend::{Options, Registry};
/// use offshoot_connectors::{Connector, Manifest};
/// use std::path::Path;
/// let manifest = Manifest::read(Path::new("connectors/boxes.json"))?;
/// let wasm = std::fs::read("connectors/boxes.wasm").unwrap_or_default();
/// let boxes = Connector::load(&engine, "boxes", &wasm, &manifest).await?;
/// let registry = Registry::strict();
/// registry.register(std::sync::Arc::new(boxes))?;
/// let sandbox = registry.open("boxes", Options::default()).await?;
/// sandbox.cleanup().await
/// # }
/// ```
#[derive(Clone)]
pub struct Connector(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) name: String,
    pub(crate) instances: Instances,
    pub(crate) vault: Arc<Vault>,
    capabilities: Capabilities,
    settings: Map<String, Value>,
    files: Files,
    /// Variables of credentials that are not set.
    missing: Vec<String>,
}

impl std::fmt::Debug for Connector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connector")
            .field("name", &self.0.name)
            .finish_non_exhaustive()
    }
}

impl Connector {
    /// Compiles a component and asks it what it can do.
    ///
    /// It is compiled in this process: load only components that you trust as far as compilation
    /// goes. Running needs no trust.
    ///
    /// # Errors
    /// `INVALID` for what is no connector of this version, or a manifest without a meaning; what a
    /// component gives that fails at once.
    pub async fn load(
        engine: &Engine,
        name: &str,
        wasm: &[u8],
        manifest: &Manifest,
    ) -> Result<Connector> {
        let component = engine
            .compile(wasm)
            .map_err(|error| refused(name, &error))?;
        Connector::with(engine, name, &component, manifest).await
    }

    /// Loads `NAME.wasm` with the manifest beside it, `NAME.json`.
    ///
    /// # Errors
    /// `NOT_FOUND` where one of the two is missing; as [`Connector::load`].
    pub async fn open(engine: &Engine, file: &Path) -> Result<Connector> {
        let name = file.file_stem().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        let manifest = Manifest::read(&file.with_extension("json"))?;
        let wasm = std::fs::read(file).map_err(|error| {
            let message = format!("{}: {error}", file.display());
            Error::new(Code::NotFound, "load", message)
        })?;
        Connector::load(engine, name, &wasm, &manifest).await
    }

    /// Takes a component that was compiled while this program was built.
    pub(crate) async fn precompiled(
        engine: &Engine,
        name: &str,
        artifact: Artifact,
        manifest: &Manifest,
    ) -> Result<Connector> {
        let component = artifact
            .load(engine)
            .map_err(|error| refused(name, &error))?;
        Connector::with(engine, name, &component, manifest).await
    }

    async fn with(
        engine: &Engine,
        name: &str,
        component: &Component,
        manifest: &Manifest,
    ) -> Result<Connector> {
        let on = |error: Error| error.on(name.to_owned());
        let (policy, missing) = manifest.policy().map_err(on)?;
        let vault = Arc::new(Vault::new(&manifest.tokens).map_err(on)?);
        let client = Client::new(policy).map_err(|error| {
            on(Error::new(
                Code::SandboxUnavailable,
                "load",
                error.to_string(),
            ))
        })?;
        let way = Way {
            client,
            vault: Arc::clone(&vault),
        };
        let instances = Instances::new(name, engine, component, manifest.limits, Some(way))?;
        let mut lease = instances.lease("load").await?;
        let (store, backend) = lease.split();
        let described = async { backend.call_describe(store).await.map(Ok) };
        let described = instances
            .drive(described, Some(instances.call_time()))
            .await;
        let described = lease.settle(described)?;
        Ok(Connector(Arc::new(Inner {
            name: name.to_owned(),
            instances,
            vault,
            capabilities: with_files(convert::capabilities(&described), manifest.files),
            settings: manifest.settings.clone(),
            files: manifest.files,
            missing,
        })))
    }

    /// Refuses what could not be honoured, before the component is asked.
    fn check(&self, operation: &'static str, options: &Options) -> Result<()> {
        if let Some(name) = self.0.missing.first() {
            let message = format!("its credential is missing: the variable {name} is not set");
            return Err(self.0.error(Code::SandboxUnavailable, operation, message));
        }
        // Which ways out there are depends on the settings; the sandbox that is made says it.
        let mut limits = options.clone();
        limits.network = None;
        limits.check(&self.0.name, &self.0.capabilities)
    }

    fn options(&self, options: &Options) -> wit::Options {
        convert::options(options, &self.0.settings)
    }

    /// The sandbox that the component made, where it can be one.
    async fn made(&self, sandbox: wit::Sandbox, options: Options) -> Result<Arc<dyn Environment>> {
        let wanted = options.network;
        match self.0.accept(&sandbox) {
            Ok(record) if wanted.is_none_or(|wanted| wanted == record.network) => {
                Ok(self.reached(sandbox, record, Some(options)))
            }
            judged => {
                let refusal = match judged {
                    Ok(_) => Error::unsupported(self.0.name.clone(), "create", "this way out"),
                    Err(error) => error,
                };
                // What was made is of no use; the first error is the one to tell.
                let _ = self.0.end(&sandbox.state).await;
                Err(refusal)
            }
        }
    }

    /// The sandbox, with files by way of commands where the manifest says so.
    fn reached(
        &self,
        sandbox: wit::Sandbox,
        record: Capabilities,
        options: Option<Options>,
    ) -> Arc<dyn Environment> {
        let remote = Arc::new(Remote::new(self, sandbox, record, options));
        match self.0.files {
            Files::Connector => remote,
            Files::Exec => Arc::new(PosixOverExec::new(remote)),
        }
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.0
    }

    /// A branch of a sandbox.
    pub(crate) async fn branch(
        &self,
        sandbox: wit::Sandbox,
        options: Option<Options>,
    ) -> Result<Arc<dyn Environment>> {
        self.made(sandbox, options.unwrap_or_default()).await
    }
}

/// The record with the files that the host adds.
fn with_files(mut record: Capabilities, files: Files) -> Capabilities {
    if files == Files::Exec {
        record.filesystem = record.exec;
        record.binary_files = record.exec;
    }
    record
}

fn refused(name: &str, error: &offshoot_kernel::Error) -> Error {
    Error::new(Code::Invalid, "load", error.to_string()).on(name.to_owned())
}

impl Inner {
    pub(crate) fn error(
        &self,
        code: Code,
        operation: &'static str,
        message: impl Into<String>,
    ) -> Error {
        Error::new(code, operation, message).on(self.name.clone())
    }

    /// Judges what a component says of a sandbox.
    pub(crate) fn accept(&self, sandbox: &wit::Sandbox) -> Result<Capabilities> {
        let lie = |what: String| Err(self.error(Code::Corrupt, "create", convert::plain(&what)));
        if sandbox.state.len() > STATE {
            return lie(format!("a state of {} bytes", sandbox.state.len()));
        }
        for (what, directory) in [("root", &sandbox.root), ("cwd", &sandbox.cwd)] {
            if path::resolve("/", directory) != *directory || directory.contains('\0') {
                return lie(format!(
                    "the {what} {directory:?} is not absolute and normalised"
                ));
            }
        }
        if !path::is_within(&sandbox.root, &sandbox.cwd) {
            return lie(format!("{} is not below {}", sandbox.cwd, sandbox.root));
        }
        let record = convert::capabilities(&sandbox.capabilities);
        if record.cancel && !record.streaming {
            return lie("cancel is claimed without streaming".to_owned());
        }
        Ok(record)
    }

    /// Ends a sandbox at the provider.
    pub(crate) async fn end(&self, state: &str) -> Result<()> {
        call!(self.instances, "cleanup", call_cleanup(state))
    }
}

#[boxed]
impl Factory for Connector {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        self.check("create", &options)?;
        let asked = self.options(&options);
        let sandbox = call!(self.0.instances, "create", call_create(&asked))?;
        self.made(sandbox, options).await
    }

    async fn attach(&self, data: &str, options: Options) -> Result<Arc<dyn Environment>> {
        self.check("attach", &options)?;
        let asked = self.options(&options);
        let sandbox = call!(self.0.instances, "attach", call_attach(data, &asked))?;
        let record = self.0.accept(&sandbox)?;
        Ok(self.reached(sandbox, record, None))
    }

    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        let id = snapshot.of(&self.0.name, "start")?;
        self.check("start", &options)?;
        let asked = self.options(&options);
        let sandbox = call!(self.0.instances, "start", call_start(id, &asked))?;
        self.made(sandbox, options).await
    }
}
