//! The backend that gives every sandbox a container of a Docker engine.
//!
//! Commands go through the engine's `exec`, files by way of commands, so that links are judged
//! inside the container. Suspend is the engine's pause, a snapshot is a commit, a branch a
//! container from one. No path of the host is mounted, and there is no network unless it is asked
//! for.

mod container;
mod process;
mod reap;

use crate::docker::container::Container;
use crate::inside::COMMANDS;
use crate::owner::Owner;
use bollard::models::{ContainerCreateBody, HostConfig};
use bollard::query_parameters::{
    CreateContainerOptionsBuilder, CreateImageOptionsBuilder, RemoveContainerOptionsBuilder,
    StartContainerOptions,
};
use bollard::{API_DEFAULT_VERSION, Docker};
use futures::TryStreamExt;
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Factory, Isolation, Network, Options, Persistence,
    PosixOverExec, Result, Snapshot, path,
};
use offshoot_boxed::boxed;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

pub(crate) const NAME: &str = "docker";

/// Where the engine listens by default.
const SOCKET: &str = "/var/run/docker.sock";
/// How long the engine may take for one answer, in seconds.
const ANSWER: u64 = 120;
/// The container's own process: it does nothing but take in processes whose parent is gone.
const INIT: &str = "trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done";

/// What the backend writes on containers and images, to find them again.
mod labels {
    /// What it is: a sandbox, a branch's image, a snapshot.
    pub(super) const KIND: &str = "run.offshoot.kind";
    /// Who made it, so that it can be reaped.
    pub(super) const OWNER: &str = "run.offshoot.owner";
    /// The root of file operations.
    pub(super) const ROOT: &str = "run.offshoot.root";
    /// The working directory.
    pub(super) const CWD: &str = "run.offshoot.cwd";
    pub(super) const SANDBOX: &str = "sandbox";
    pub(super) const BRANCH: &str = "branch";
    pub(super) const SNAPSHOT: &str = "snapshot";
}

/// Makes sandboxes on a Docker engine.
///
/// Settings: `image`, which the engine must have (see [`DockerFactory::import`]); `workspace`, the
/// root of file operations, `/workspace` by default; `user`, who commands run as; `socket`, the Unix
/// socket of the engine, by default the factory's own, else what `DOCKER_HOST` names, else
/// `/var/run/docker.sock`.
///
/// Below the level of information, `bollard`, the client, logs its requests with the scripts and
/// variables in them: a host whose logs others read leaves its target out.
///
/// What a factory made and its process did not clean up is removed by the next factory on the same
/// machine that uses the engine.
#[derive(Debug, Default)]
pub struct DockerFactory {
    socket: Option<String>,
    /// By their sockets.
    engines: Mutex<HashMap<String, Engine>>,
}

/// A connection, and who uses it.
#[derive(Debug, Clone)]
struct Engine {
    docker: Docker,
    owner: Arc<Owner>,
}

/// What only this backend knows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    image: Option<String>,
    #[serde(default = "workspace")]
    workspace: String,
    user: Option<String>,
    socket: Option<String>,
}

fn workspace() -> String {
    "/workspace".to_owned()
}

/// What a container is made of, and its branches after it.
#[derive(Debug, Clone)]
struct Plan {
    root: String,
    cwd: String,
    variables: Vec<String>,
    user: Option<String>,
    network: Network,
    memory: Option<i64>,
    nano_cpus: Option<i64>,
    processes: Option<i64>,
}

fn capabilities(network: Network) -> Capabilities {
    let mut capabilities = COMMANDS;
    capabilities.network = network;
    capabilities.reconnect = true;
    capabilities.persistence = Persistence::Durable;
    capabilities.isolation = Isolation::Container;
    capabilities.memory_limit = true;
    capabilities.cpu_limit = true;
    capabilities.process_limit = true;
    capabilities
}

impl DockerFactory {
    /// A factory for the engine that listens on this Unix socket.
    pub fn new(socket: impl Into<String>) -> DockerFactory {
        DockerFactory {
            socket: Some(socket.into()),
            engines: Mutex::default(),
        }
    }

    /// Makes an image from a tar archive of a root file system, which needs no registry.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the engine cannot be reached, `INVALID` where it refuses.
    pub async fn import(&self, image: &str, archive: Vec<u8>) -> Result<()> {
        let engine = self.engine("import", None).await?;
        let (repository, tag) = image.rsplit_once(':').unwrap_or((image, "latest"));
        let options = CreateImageOptionsBuilder::default()
            .from_src("-")
            .repo(repository)
            .tag(tag)
            .build();
        let body = bollard::body_full(archive.into());
        let progress = engine.docker.create_image(Some(options), Some(body), None);
        progress
            .try_for_each(|_| async { Ok(()) })
            .await
            .map_err(|error| typed("import", error))
    }

    /// Removes the containers and images that factories of this machine left when their process
    /// ended without cleanup. Making the first sandbox does the same.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the engine cannot be reached.
    pub async fn reap(&self) -> Result<()> {
        let engine = self.engine("reap", None).await?;
        reap::reap(&engine).await
    }

    /// The engine on a socket: the given one, or the usual one.
    async fn engine(&self, operation: &'static str, socket: Option<&str>) -> Result<Engine> {
        let socket = match socket.or(self.socket.as_deref()) {
            Some(socket) => path_of(operation, socket)?,
            None => match std::env::var("DOCKER_HOST").unwrap_or_default().as_str() {
                "" => SOCKET.to_owned(),
                named => path_of(operation, named)?,
            },
        };
        let mut engines = self.engines.lock().await;
        if let Some(engine) = engines.get(&socket) {
            return Ok(engine.clone());
        }
        let engine = Engine::connect(operation, &socket).await?;
        engines.insert(socket, engine.clone());
        Ok(engine)
    }

    async fn open(
        &self,
        operation: &'static str,
        options: Options,
        snapshot: Option<&str>,
    ) -> Result<Arc<dyn Environment>> {
        let network = options.network.unwrap_or(Network::None);
        if !matches!(network, Network::None | Network::Provider) {
            let what = format!("the network {network}");
            return Err(Error::unsupported(NAME, operation, &what));
        }
        options.check(NAME, &capabilities(network))?;
        let settings: Settings = options.settings_as(NAME)?;
        let root = path::resolve("/", &settings.workspace);
        let mut cwd = path::resolve(&root, options.cwd.as_deref().unwrap_or(""));
        if !path::is_within(&root, &cwd) {
            let message = format!("{cwd}: the path leads out of {root}");
            return Err(Error::new(Code::PathEscape, operation, message).on(NAME));
        }
        let engine = self.engine(operation, settings.socket.as_deref()).await?;
        let image = match (snapshot, &settings.image) {
            (Some(snapshot), _) => snapshot.to_owned(),
            (None, Some(image)) => image.clone(),
            (None, None) => {
                let message = "settings: image is missing";
                return Err(Error::new(Code::Invalid, operation, message).on(NAME));
            }
        };
        if snapshot.is_some() && options.cwd.is_none() {
            let inspected = engine.docker.inspect_image(&image).await;
            let inspected = inspected.map_err(|error| typed(operation, error))?;
            let labels = inspected.config.and_then(|config| config.labels);
            if let Some(captured) = labels.and_then(|mut labels| labels.remove(labels::CWD)) {
                cwd = captured;
            }
        }
        let limits = &options.limits;
        let plan = Plan {
            root,
            cwd,
            variables: options
                .env
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect(),
            user: settings.user,
            network,
            memory: limits.memory_bytes.and_then(|bytes| bytes.try_into().ok()),
            nano_cpus: limits.cpus.map(nano_cpus),
            processes: limits.processes.map(i64::from),
        };
        let container = Container::create(engine.clone(), plan, &image, None).await;
        let container = container.map_err(|error| error.during(operation))?;
        Ok(Arc::new(PosixOverExec::new(Arc::new(container))))
    }
}

/// Processors in the engine's unit.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a float's conversion saturates, and there is no other one"
)]
fn nano_cpus(cpus: f64) -> i64 {
    (cpus * 1e9) as i64
}

/// The path of a Unix socket, as `DOCKER_HOST` may name it.
fn path_of(operation: &'static str, socket: &str) -> Result<String> {
    let path = socket.strip_prefix("unix://").unwrap_or(socket);
    if path.starts_with('/') {
        return Ok(path.to_owned());
    }
    let message = format!("{socket}: an engine is reached by a Unix socket: unix:///PATH");
    Err(Error::new(Code::Invalid, operation, message).on(NAME))
}

impl Engine {
    /// Reaches an engine, and removes what processes left there that are gone.
    async fn connect(operation: &'static str, socket: &str) -> Result<Engine> {
        let connected = Docker::connect_with_unix(socket, ANSWER, API_DEFAULT_VERSION);
        let docker = match connected {
            Ok(docker) => docker.negotiate_version().await,
            Err(error) => Err(error),
        };
        let docker = docker.map_err(|error| {
            let message = format!("no engine answers on {socket}: {error}");
            Error::new(Code::SandboxUnavailable, operation, message)
                .on(NAME)
                .with_retryable(true)
        })?;
        let engine = Engine {
            docker,
            owner: Arc::new(Owner::this_process()),
        };
        reap::reap(&engine).await?;
        Ok(engine)
    }

    /// Makes and starts a container.
    async fn run(&self, plan: &Plan, image: &str) -> Result<String> {
        let labels = HashMap::from([
            (labels::KIND.to_owned(), labels::SANDBOX.to_owned()),
            (labels::OWNER.to_owned(), self.owner.to_string()),
            (labels::ROOT.to_owned(), plan.root.clone()),
            (labels::CWD.to_owned(), plan.cwd.clone()),
        ]);
        let host = HostConfig {
            network_mode: Some(match plan.network {
                Network::Provider => "default".to_owned(),
                _ => "none".to_owned(),
            }),
            memory: plan.memory,
            // As much as memory alone: no swap.
            memory_swap: plan.memory,
            nano_cpus: plan.nano_cpus,
            pids_limit: plan.processes,
            ..HostConfig::default()
        };
        let body = ContainerCreateBody {
            image: Some(image.to_owned()),
            entrypoint: Some(Vec::new()),
            cmd: Some(["sh", "-c", INIT].map(str::to_owned).to_vec()),
            env: Some(plan.variables.clone()),
            working_dir: Some(plan.cwd.clone()),
            user: plan.user.clone(),
            labels: Some(labels),
            host_config: Some(host),
            ..ContainerCreateBody::default()
        };
        let options = CreateContainerOptionsBuilder::default().build();
        let made = self.docker.create_container(Some(options), body).await;
        let id = made.map_err(|error| typed("create", error))?.id;
        let started = self
            .docker
            .start_container(&id, None::<StartContainerOptions>)
            .await;
        if let Err(error) = started {
            let _ = self.remove(&id).await;
            return Err(typed("create", error));
        }
        Ok(id)
    }

    /// Ends and removes a container; a missing one is fine.
    async fn remove(&self, id: &str) -> Result<()> {
        let options = RemoveContainerOptionsBuilder::default()
            .force(true)
            .v(true)
            .build();
        match self.docker.remove_container(id, Some(options)).await {
            Err(error) if status(&error) != Some(404) => Err(typed("cleanup", error)),
            _ => Ok(()),
        }
    }
}

#[boxed]
impl Factory for DockerFactory {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = capabilities(Network::None);
        capabilities.filesystem = true;
        capabilities.binary_files = true;
        capabilities
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        self.open("create", options, None).await
    }

    async fn attach(&self, data: &str, options: Options) -> Result<Arc<dyn Environment>> {
        if data.is_empty() || !data.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let message = "not a reference of this backend: a container's id is hexadecimal";
            return Err(Error::new(Code::Invalid, "attach", message).on(NAME));
        }
        let settings: Settings = options.settings_as(NAME)?;
        let engine = self.engine("attach", settings.socket.as_deref()).await?;
        let container = Container::attach(engine.clone(), data, options.cwd.as_deref()).await?;
        Ok(Arc::new(PosixOverExec::new(Arc::new(container))))
    }

    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        let image = snapshot.of(NAME, "start")?;
        self.open("start", options, Some(image)).await
    }
}

/// The engine's status of a refused request.
fn status(error: &bollard::errors::Error) -> Option<u16> {
    match error {
        bollard::errors::Error::DockerResponseServerError { status_code, .. } => Some(*status_code),
        _ => None,
    }
}

/// The typed form of what the engine answered, or of its silence.
fn typed(operation: &'static str, error: bollard::errors::Error) -> Error {
    let code = match status(&error) {
        Some(404) => Code::NotFound,
        Some(400) => Code::Invalid,
        Some(409) => Code::Conflict,
        _ => Code::Died,
    };
    Error::new(code, operation, error.to_string())
        .on(NAME)
        .with_retryable(code == Code::Died)
}
