//! The backend that gives every sandbox a pod of a Kubernetes cluster, or takes one that is there.
//!
//! Commands go through the API server's `exec` over WebSocket, files by way of commands. The script
//! and its variables travel in that stream and not in the request's address, which API servers
//! write to their audit logs. Suspending deletes the pod and keeps its volume, so it is offered only
//! where a sandbox has one. There are no snapshots.

mod cluster;
mod manifest;
mod process;
mod sandbox;

use crate::inside::COMMANDS;
use crate::kubernetes::cluster::{Access, Cluster};
use crate::kubernetes::manifest::{Place, Plan};
use crate::kubernetes::sandbox::Sandbox;
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Factory, Isolation, Network, Options, Persistence,
    PosixOverExec, Result, path,
};
use offshoot_boxed::boxed;
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use tokio::sync::Mutex;

pub(crate) const NAME: &str = "kubernetes";

/// Makes sandboxes in a Kubernetes cluster.
///
/// The cluster is the one that the factory was made for, else the one of these settings: `url` with
/// `token_file` and `ca_file`; or `kubeconfig`, a file, with `context`; by default what `kubectl`
/// uses, or the cluster that this program runs in. `namespace` is the configuration's by default.
/// Clusters of providers are reached by the file that their tools write.
///
/// A sandbox is a pod of its own, made by these settings: `image`; `workspace`, the root of file
/// operations, `/workspace` by default; `user`, the number that commands run as; `runtime_class`;
/// `storage`, the size of a volume that holds the workspace, such as `1Gi`, and its
/// `storage_class`. With a volume it can be suspended. The variables of a sandbox stand in its pod's
/// specification, and in the note on its volume; those of a command are in neither.
///
/// Or it is a pod that is there already: `pod`, and `container` where it has several. Its cleanup
/// ends what was started and leaves the pod; others reach that by its name, so there is no reference.
///
/// What a factory made and its process did not clean up is removed by the next factory on the same
/// machine that uses the namespace, except for what is suspended.
///
/// A factory is used on one runtime, as the connections are.
#[derive(Default)]
pub struct KubernetesFactory {
    url: Option<String>,
    token: Option<String>,
    clusters: Mutex<HashMap<Access, Cluster>>,
}

impl fmt::Debug for KubernetesFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the token.
        f.debug_struct("KubernetesFactory")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// What only this backend knows.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    image: Option<String>,
    pod: Option<String>,
    container: Option<String>,
    namespace: Option<String>,
    #[serde(default = "workspace")]
    workspace: String,
    user: Option<i64>,
    runtime_class: Option<String>,
    storage: Option<String>,
    storage_class: Option<String>,
    kubeconfig: Option<String>,
    context: Option<String>,
    url: Option<String>,
    token_file: Option<String>,
    ca_file: Option<String>,
}

fn workspace() -> String {
    "/workspace".to_owned()
}

/// What a sandbox can do, without the files that go by way of commands.
fn capabilities(has_volume: bool, is_given: bool, stdin: bool) -> Capabilities {
    let mut capabilities = COMMANDS;
    capabilities.snapshot = false;
    capabilities.restore = false;
    capabilities.fork = false;
    capabilities.snapshot_files = false;
    capabilities.snapshot_settings = false;
    capabilities.suspend = has_volume;
    capabilities.resume = has_volume;
    capabilities.reconnect = !is_given;
    capabilities.network = Network::Provider;
    capabilities.persistence = match has_volume {
        true => Persistence::Durable,
        false => Persistence::Session,
    };
    capabilities.isolation = Isolation::Container;
    capabilities.memory_limit = !is_given;
    capabilities.cpu_limit = !is_given;
    capabilities.stdin = stdin;
    capabilities
}

impl KubernetesFactory {
    /// A factory for the cluster whose API server is at `url`, with this bearer token.
    pub fn new(url: impl Into<String>, token: Option<String>) -> KubernetesFactory {
        KubernetesFactory {
            url: Some(url.into()),
            token,
            clusters: Mutex::default(),
        }
    }

    /// Removes from a namespace the pods and volumes that factories of this machine left when their
    /// process ended without cleanup. Making the first sandbox does the same.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the cluster cannot be reached.
    pub async fn reap(&self, namespace: &str) -> Result<()> {
        let options = Options::default().setting("namespace", namespace);
        let settings: Settings = options.settings_as(NAME)?;
        let cluster = self.cluster("reap", &settings).await?;
        cluster.reap(namespace).await
    }

    /// The cluster that the settings name; what others left in the namespace is removed at first.
    async fn cluster(&self, operation: &'static str, settings: &Settings) -> Result<Cluster> {
        let has_own = settings.url.is_some() || settings.kubeconfig.is_some();
        let url = match has_own {
            true => settings.url.clone(),
            false => self.url.clone(),
        };
        let access = Access {
            url,
            token_file: settings.token_file.clone(),
            ca_file: settings.ca_file.clone(),
            kubeconfig: settings.kubeconfig.clone(),
            context: settings.context.clone(),
        };
        // A token is for the server that it was given with.
        let token = self.token.as_deref().filter(|_| !has_own);
        let mut clusters = self.clusters.lock().await;
        if let Some(cluster) = clusters.get(&access) {
            return Ok(cluster.clone());
        }
        let cluster = Cluster::connect(operation, &access, token).await?;
        clusters.insert(access, cluster.clone());
        Ok(cluster)
    }

    /// What the options ask for; refused before anything is made.
    fn plan(&self, settings: Settings, options: &Options, cluster: &Cluster) -> Result<Plan> {
        let invalid =
            |message: &str| Err(Error::new(Code::Invalid, "create", message.to_owned()).on(NAME));
        let root = path::resolve("/", &settings.workspace);
        let cwd = path::resolve(&root, options.cwd.as_deref().unwrap_or(""));
        if !path::is_within(&root, &cwd) {
            let message = format!("{cwd}: the path leads out of {root}");
            return Err(Error::new(Code::PathEscape, "create", message).on(NAME));
        }
        let namespace = settings
            .namespace
            .unwrap_or_else(|| cluster.namespace.clone());
        let place = |pod: String, container: Option<String>| {
            Place {
                namespace,
                pod,
                container,
                root,
                cwd,
            }
            .checked("create")
        };
        let makes = settings.image.is_some()
            || settings.storage.is_some()
            || settings.user.is_some()
            || settings.runtime_class.is_some();
        match (settings.pod, settings.image) {
            (Some(_), _) if makes => invalid(
                "settings: a pod that is there is taken as it is: no image, storage, user or runtime_class",
            ),
            (Some(pod), _) => Ok(Plan::given(place(pod, settings.container)?, &options.env)),
            (None, Some(_)) if settings.container.is_some() => {
                invalid("settings: container goes with pod")
            }
            (None, Some(_)) if settings.storage_class.is_some() && settings.storage.is_none() => {
                invalid("settings: storage_class goes with storage")
            }
            (None, Some(image)) => {
                let place = place(manifest::name(), Some(manifest::CONTAINER.to_owned()))?;
                manifest::Made {
                    image,
                    user: settings.user,
                    runtime_class: settings.runtime_class,
                    storage: settings.storage,
                    storage_class: settings.storage_class,
                    limits: options.limits,
                    variables: &options.env,
                    owner: &cluster.owner,
                }
                .plan(place)
            }
            (None, None) => invalid("settings: image is missing, or pod"),
        }
    }
}

#[boxed]
impl Factory for KubernetesFactory {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = capabilities(false, false, true);
        capabilities.filesystem = true;
        capabilities.binary_files = true;
        capabilities
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        let settings: Settings = options.settings_as(NAME)?;
        let claimed = capabilities(settings.storage.is_some(), settings.pod.is_some(), true);
        options.check(NAME, &claimed)?;
        let cluster = self.cluster("create", &settings).await?;
        let plan = self.plan(settings, &options, &cluster)?;
        let reaped = cluster.reap_once(&plan.place.namespace).await;
        reaped.map_err(|error| error.during("create"))?;
        let sandbox = Sandbox::create(cluster, plan).await?;
        Ok(Arc::new(PosixOverExec::new(Arc::new(sandbox))))
    }

    async fn attach(&self, data: &str, options: Options) -> Result<Arc<dyn Environment>> {
        let place = Place::parse(data)?;
        let settings: Settings = options.settings_as(NAME)?;
        let cluster = self.cluster("attach", &settings).await?;
        let place = place.at(options.cwd.as_deref())?;
        let sandbox = Sandbox::attach(cluster, place).await?;
        Ok(Arc::new(PosixOverExec::new(Arc::new(sandbox))))
    }
}
