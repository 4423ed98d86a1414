//! A cluster: how it is reached, and what is made, awaited and removed in it.

use super::NAME;
use super::manifest::{KIND, OWNER, Place, SANDBOX, Source};
use crate::owner::Owner;
use futures::TryStreamExt;
use k8s_openapi::api::core::v1::{ContainerStatus, PersistentVolumeClaim, Pod};
use kube::Client;
use kube::api::{Api, DeleteParams, ListParams, PostParams, WatchEvent, WatchParams};
use kube::config::{Config, KubeConfigOptions, Kubeconfig};
use offshoot_backend::{Code, Error, Result};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep, timeout_at};

/// How long a pod may take until it runs: a node may have to be added for it first.
const START: Duration = Duration::from_secs(300);
/// How long a pod may take to end.
const END: Duration = Duration::from_secs(60);
/// How long the API server may take for one answer.
const ANSWER: Duration = Duration::from_secs(60);
/// Between two looks where watching is not possible.
const LOOK: Duration = Duration::from_millis(500);

/// What a container waits for that will not come by waiting.
const HOPELESS: [&str; 6] = [
    "CrashLoopBackOff",
    "CreateContainerConfigError",
    "CreateContainerError",
    "ErrImageNeverPull",
    "ImagePullBackOff",
    "InvalidImageName",
];

/// Which cluster is meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Access {
    pub(super) url: Option<String>,
    pub(super) token_file: Option<String>,
    pub(super) ca_file: Option<String>,
    pub(super) kubeconfig: Option<String>,
    pub(super) context: Option<String>,
}

/// A connection, and who uses it.
#[derive(Clone)]
pub(super) struct Cluster {
    pub(super) client: Client,
    pub(super) namespace: String,
    pub(super) owner: Arc<Owner>,
    /// The namespaces where nothing is left of others.
    reaped: Arc<Mutex<HashSet<String>>>,
}

impl Access {
    async fn config(&self, operation: &'static str, token: Option<&str>) -> Result<Config> {
        let invalid = |message: String| Error::new(Code::Invalid, operation, message).on(NAME);
        let options = KubeConfigOptions {
            context: self.context.clone(),
            ..KubeConfigOptions::default()
        };
        let mut config = match (&self.url, &self.kubeconfig) {
            (Some(_), Some(_)) => {
                return Err(invalid("settings: url or kubeconfig, not both".to_owned()));
            }
            (Some(url), None) => {
                let parsed = url.parse();
                let parsed = parsed.map_err(|error| invalid(format!("settings: url: {error}")))?;
                let mut config = Config::new(parsed);
                config.auth_info.token = token.map(|token| token.to_owned().into());
                config.auth_info.token_file.clone_from(&self.token_file);
                config.root_cert_file = self.ca_file.as_ref().map(Into::into);
                config
            }
            (None, Some(file)) => {
                let read = Kubeconfig::read_from(Path::new(file));
                let read = read.map_err(|error| invalid(format!("settings: {error}")))?;
                let config = Config::from_custom_kubeconfig(read, &options).await;
                config.map_err(|error| invalid(format!("settings: kubeconfig: {error}")))?
            }
            (None, None) if self.context.is_some() => {
                let config = Config::from_kubeconfig(&options).await;
                config.map_err(|error| invalid(format!("settings: context: {error}")))?
            }
            (None, None) => Config::infer().await.map_err(|error| {
                let message = format!("no cluster is configured: {error}");
                Error::new(Code::SandboxUnavailable, operation, message).on(NAME)
            })?,
        };
        let auth = &config.auth_info;
        let has_secret = auth.token.is_some()
            || auth.token_file.is_some()
            || auth.password.is_some()
            || auth.exec.is_some();
        let host = config.cluster_url.host().unwrap_or_default();
        if has_secret && config.cluster_url.scheme_str() != Some("https") && !is_loopback(host) {
            let message = format!("{host}: a token is not sent without TLS");
            return Err(invalid(message));
        }
        // A command that was started may not be started again; callers are told what can be retried.
        config.default_retry = false;
        Ok(config)
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Where a pod is in its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Phase {
    Missing,
    /// It will be there without anybody's doing; why it is not yet, where that is known.
    Pending(Option<String>),
    Running,
    Ending,
    /// It ended by itself, or will never run.
    Failed(String),
}

/// The phase of a pod, and of one container in it.
pub(super) fn phase(pod: Option<&Pod>, container: Option<&str>) -> Phase {
    let Some(pod) = pod else {
        return Phase::Missing;
    };
    if pod.metadata.deletion_timestamp.is_some() {
        return Phase::Ending;
    }
    let status = pod.status.clone().unwrap_or_default();
    let said = status.message.or(status.reason);
    if let Some("Succeeded" | "Failed" | "Unknown") = status.phase.as_deref() {
        return Phase::Failed(said.unwrap_or_else(|| "the pod ended".to_owned()));
    }
    let containers = status.container_statuses.unwrap_or_default();
    let is_ours = |found: &&ContainerStatus| container.is_none_or(|name| found.name == name);
    let Some(state) = containers.iter().find(is_ours).map(|found| &found.state) else {
        let conditions = status.conditions.unwrap_or_default();
        let unscheduled = conditions
            .into_iter()
            .find(|one| one.type_ == "PodScheduled");
        return Phase::Pending(unscheduled.and_then(|one| one.message).or(said));
    };
    let state = state.clone().unwrap_or_default();
    if state.running.is_some() {
        return Phase::Running;
    }
    if let Some(ended) = state.terminated {
        let why = ended.message.or(ended.reason).unwrap_or_default();
        return Phase::Failed(format!("the container ended: {why}"));
    }
    let waiting = state.waiting.unwrap_or_default();
    let reason = waiting.reason.unwrap_or_default();
    let told = match waiting.message {
        Some(message) => format!("{reason}: {message}"),
        None => reason.clone(),
    };
    match HOPELESS.contains(&&*reason) {
        true => Phase::Failed(told),
        false => Phase::Pending(Some(told).filter(|told| !told.is_empty())),
    }
}

impl Cluster {
    pub(super) async fn connect(
        operation: &'static str,
        access: &Access,
        token: Option<&str>,
    ) -> Result<Cluster> {
        let config = access.config(operation, token).await?;
        let namespace = config.default_namespace.clone();
        let client = Client::try_from(config).map_err(|error| typed(operation, error))?;
        Ok(Cluster {
            client,
            namespace,
            owner: Arc::new(Owner::this_process()),
            reaped: Arc::default(),
        })
    }

    fn pods(&self, namespace: &str) -> Api<Pod> {
        Api::namespaced(self.client.clone(), namespace)
    }

    fn claims(&self, namespace: &str) -> Api<PersistentVolumeClaim> {
        Api::namespaced(self.client.clone(), namespace)
    }

    /// The pod of a sandbox, where it is there.
    pub(super) async fn pod(&self, operation: &'static str, place: &Place) -> Result<Option<Pod>> {
        let pods = self.pods(&place.namespace);
        answered(operation, pods.get_opt(&place.pod)).await
    }

    /// The claim of a sandbox's volume, where it is there.
    pub(super) async fn claim(
        &self,
        operation: &'static str,
        place: &Place,
    ) -> Result<Option<PersistentVolumeClaim>> {
        let claims = self.claims(&place.namespace);
        answered(operation, claims.get_opt(&place.pod)).await
    }

    /// Makes what a sandbox needs, and returns when its pod runs. What was made is removed where
    /// something fails.
    pub(super) async fn make(&self, place: &Place, source: &Source) -> Result<()> {
        let made = match source {
            Source::Given => return self.runs("create", place).await,
            Source::Pod(pod) => self.run("create", place, pod).await,
            Source::Volume(pod, claim) => {
                let claims = self.claims(&place.namespace);
                let parameters = PostParams::default();
                answered("create", claims.create(&parameters, claim)).await?;
                self.run("create", place, pod).await
            }
        };
        if made.is_err() {
            // The first failure is what the caller is told.
            let _ = self.remove("create", place, true).await;
        }
        made
    }

    /// Makes a pod and returns when it runs.
    pub(super) async fn run(
        &self,
        operation: &'static str,
        place: &Place,
        pod: &Pod,
    ) -> Result<()> {
        let pods = self.pods(&place.namespace);
        let parameters = PostParams::default();
        answered(operation, pods.create(&parameters, pod)).await?;
        self.runs(operation, place).await
    }

    /// Returns when a pod runs.
    pub(super) async fn runs(&self, operation: &'static str, place: &Place) -> Result<()> {
        let last = self
            .until(operation, place, START, |phase| {
                !matches!(phase, Phase::Pending(_))
            })
            .await?;
        let (code, message) = match last {
            Phase::Running => return Ok(()),
            Phase::Missing => (Code::NotFound, "there is no such pod".to_owned()),
            Phase::Ending => (Code::SandboxUnavailable, "the pod is ending".to_owned()),
            Phase::Failed(why) => (Code::SandboxUnavailable, why),
            Phase::Pending(why) => {
                let why = why.unwrap_or_else(|| "nothing is known of why".to_owned());
                let message = format!("the pod does not run after {} s: {why}", START.as_secs());
                (Code::SandboxUnavailable, message)
            }
        };
        let message = format!("{}: {message}", place.pod);
        Err(Error::new(code, operation, message).on(NAME))
    }

    /// Waits for a phase of a pod, and gives the last one seen.
    async fn until(
        &self,
        operation: &'static str,
        place: &Place,
        within: Duration,
        wanted: impl Fn(&Phase) -> bool,
    ) -> Result<Phase> {
        let deadline = Instant::now() + within;
        let container = place.container.as_deref();
        let pods = self.pods(&place.namespace);
        let only = WatchParams::default()
            .fields(&format!("metadata.name={}", place.pod))
            .timeout(60);
        loop {
            let pod = self.pod(operation, place).await?;
            let mut last = phase(pod.as_ref(), container);
            if wanted(&last) || Instant::now() >= deadline {
                return Ok(last);
            }
            let version = pod.and_then(|pod| pod.metadata.resource_version);
            let watched = async {
                let version = version.unwrap_or_else(|| "0".to_owned());
                let mut events = Box::pin(pods.watch(&only, &version).await?);
                while let Some(event) = events.try_next().await? {
                    last = match event {
                        WatchEvent::Added(pod) | WatchEvent::Modified(pod) => {
                            phase(Some(&pod), container)
                        }
                        WatchEvent::Deleted(_) => Phase::Missing,
                        WatchEvent::Bookmark(_) => continue,
                        // The version is too old, say: looking again helps.
                        WatchEvent::Error(_) => break,
                    };
                    if wanted(&last) {
                        return Ok(true);
                    }
                }
                Ok::<bool, kube::Error>(false)
            };
            match timeout_at(deadline, watched).await {
                Ok(Ok(true)) | Err(_) => return Ok(last),
                // It ended, or is not permitted; what is permitted is to look again.
                Ok(Ok(false) | Err(_)) => sleep(LOOK).await,
            }
        }
    }

    /// Removes a sandbox's pod, and its volume where that is asked for; returns when the pod is gone.
    pub(super) async fn remove(
        &self,
        operation: &'static str,
        place: &Place,
        with_volume: bool,
    ) -> Result<()> {
        let parameters = DeleteParams::default();
        let pods = self.pods(&place.namespace);
        deleted(answered(operation, pods.delete(&place.pod, &parameters)).await)?;
        if with_volume {
            let claims = self.claims(&place.namespace);
            deleted(answered(operation, claims.delete(&place.pod, &parameters)).await)?;
        }
        match self
            .until(operation, place, END, |phase| *phase == Phase::Missing)
            .await?
        {
            Phase::Missing => Ok(()),
            _ => {
                let message = format!("{}: the pod does not end", place.pod);
                let error = Error::new(Code::Died, operation, message).on(NAME);
                Err(error.with_retryable(true))
            }
        }
    }

    /// Removes what others left in a namespace, where that was not done yet.
    pub(super) async fn reap_once(&self, namespace: &str) -> Result<()> {
        let mut reaped = self.reaped.lock().await;
        if reaped.contains(namespace) {
            return Ok(());
        }
        match self.reap(namespace).await {
            // Who may not list may still make.
            Err(error) if error.code() != Code::PolicyDenied => return Err(error),
            _ => {}
        }
        reaped.insert(namespace.to_owned());
        Ok(())
    }

    /// Removes pods, and then volumes, whose owner is gone. A volume without a pod stays: it is a
    /// sandbox that sleeps, and its reference may be all that somebody has.
    pub(super) async fn reap(&self, namespace: &str) -> Result<()> {
        let ours = ListParams::default().labels(&format!("{KIND}={SANDBOX}"));
        let pods = self.pods(namespace);
        let claims = self.claims(namespace);
        let parameters = DeleteParams::default();
        for pod in answered("reap", pods.list(&ours)).await? {
            let is_orphan = self.is_orphan(pod.metadata.annotations.as_ref());
            if let Some(name) = pod.metadata.name.filter(|_| is_orphan) {
                deleted(answered("reap", pods.delete(&name, &parameters)).await)?;
                deleted(answered("reap", claims.delete(&name, &parameters)).await)?;
            }
        }
        Ok(())
    }

    fn is_orphan(&self, annotations: Option<&BTreeMap<String, String>>) -> bool {
        let owner = annotations.and_then(|found| found.get(OWNER));
        let owner = owner.and_then(|text| Owner::parse(text));
        owner.is_some_and(|owner| owner.is_gone(&self.owner))
    }
}

/// What the API server answers, but not later than is sensible.
async fn answered<T>(
    operation: &'static str,
    answer: impl Future<Output = std::result::Result<T, kube::Error>>,
) -> Result<T> {
    match tokio::time::timeout(ANSWER, answer).await {
        Ok(answer) => answer.map_err(|error| typed(operation, error)),
        Err(_) => {
            let message = format!("the API server gave no answer in {} s", ANSWER.as_secs());
            let error = Error::new(silent(operation), operation, message).on(NAME);
            Err(error.with_retryable(true))
        }
    }
}

/// What it is called that the API server cannot be reached.
fn silent(operation: &str) -> Code {
    match operation {
        "attach" | "create" | "reap" => Code::SandboxUnavailable,
        _ => Code::Died,
    }
}

/// A deletion; a missing object is fine.
fn deleted<T>(answer: Result<T>) -> Result<()> {
    match answer {
        Err(error) if error.code() != Code::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The typed form of what the API server answered, or of its silence.
pub(super) fn typed(operation: &'static str, error: kube::Error) -> Error {
    let (code, message) = match error {
        kube::Error::Api(status) => {
            let code = match status.code {
                404 => Code::NotFound,
                400 | 422 => Code::Invalid,
                403 if status.message.contains("exceeded quota") => Code::Limit,
                403 => Code::PolicyDenied,
                409 => Code::Conflict,
                401 | 429 | 503 => Code::SandboxUnavailable,
                _ => Code::Died,
            };
            let message = match status.message.is_empty() {
                true => format!("the API server answered {}", status.code),
                false => status.message.clone(),
            };
            (code, message)
        }
        // What a credential plug-in wrote is not repeated: it may hold the credential.
        kube::Error::Auth(_) => {
            let message = "the cluster's credentials cannot be had";
            (Code::SandboxUnavailable, message.to_owned())
        }
        kube::Error::HyperError(_) | kube::Error::Service(_) => {
            let message = format!("the API server cannot be reached: {}", causes(&error));
            (silent(operation), message)
        }
        error => (Code::Died, causes(&error)),
    };
    Error::new(code, operation, message)
        .on(NAME)
        .with_retryable(matches!(code, Code::Died | Code::SandboxUnavailable))
}

/// An error with what caused it.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        next = cause.source();
    }
    text
}
