//! A sandbox that is a pod.

use super::cluster::{Cluster, Phase, phase};
use super::manifest::{KIND, OWNER, POD, Place, Plan, SANDBOX, Source};
use super::process::{self, Process};
use super::{NAME, capabilities};
use crate::inside;
use k8s_openapi::api::core::v1::Pod;
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Event, Exec, Reference, Result, Running, ShellResult,
    Signal, State, Stdin,
};
use offshoot_boxed::boxed;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Makes the directories `$1` and `$2`.
const PREPARE: &str = "mkdir -p -- \"$1\" \"$2\"";

/// One holder of a pod.
pub(super) struct Sandbox {
    cluster: Cluster,
    place: Place,
    variables: Vec<(String, String)>,
    is_owner: bool,
    is_given: bool,
    has_volume: bool,
    /// Whether commands get standard input.
    stdin: bool,
    ended: Arc<AtomicBool>,
    asleep: AtomicBool,
    /// Suspending and resuming wait for each other.
    changing: tokio::sync::Mutex<()>,
    marks: Marks,
}

/// The marks of the commands that run.
#[derive(Debug, Clone, Default)]
struct Marks(Arc<Mutex<HashSet<String>>>);

impl Marks {
    fn all(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sandbox {
    pub(super) async fn create(cluster: Cluster, plan: Plan) -> Result<Sandbox> {
        cluster.make(&plan.place, &plan.source).await?;
        let is_given = matches!(plan.source, Source::Given);
        let has_volume = matches!(plan.source, Source::Volume(..));
        let mut sandbox = Sandbox::new(cluster, plan.place, is_given, has_volume, true);
        sandbox.variables = plan.variables;
        // Where it fails, the sandbox is dropped, and its pod with it.
        sandbox.prepare("create").await?;
        Ok(sandbox)
    }

    /// A second holder of a pod that this backend made; a reference opens no other one.
    pub(super) async fn attach(cluster: Cluster, place: Place) -> Result<Sandbox> {
        let none = |what: &str| {
            let message = format!("the pod {} {what}", place.pod);
            Err(Error::new(Code::NotFound, "attach", message).on(NAME))
        };
        let is_ours = |labels: Option<&BTreeMap<String, String>>| {
            labels
                .and_then(|labels| labels.get(KIND))
                .map(String::as_str)
                == Some(SANDBOX)
        };
        let Some(pod) = cluster.pod("attach", &place).await? else {
            let claim = cluster.claim("attach", &place).await?;
            if !claim.is_some_and(|claim| is_ours(claim.metadata.labels.as_ref())) {
                return none("is not there");
            }
            // What the protocol can do is not known yet; the newer one is the rule.
            let sandbox = Sandbox::new(cluster, place, false, true, false);
            sandbox.asleep.store(true, Ordering::Release);
            return Ok(sandbox);
        };
        if !is_ours(pod.metadata.labels.as_ref()) {
            return none("is no sandbox");
        }
        match phase(Some(&pod), place.container.as_deref()) {
            Phase::Running | Phase::Pending(_) => {}
            _ => return none("has ended"),
        }
        let volumes = pod.spec.and_then(|spec| spec.volumes).unwrap_or_default();
        let mut claims = volumes
            .into_iter()
            .filter_map(|volume| volume.persistent_volume_claim);
        let has_volume = claims.any(|claim| claim.claim_name == place.pod);
        let mut sandbox = Sandbox::new(cluster, place, false, has_volume, false);
        sandbox.prepare("attach").await?;
        Ok(sandbox)
    }

    fn new(
        cluster: Cluster,
        place: Place,
        is_given: bool,
        has_volume: bool,
        is_owner: bool,
    ) -> Sandbox {
        Sandbox {
            cluster,
            place,
            variables: Vec::new(),
            is_owner,
            is_given,
            has_volume,
            stdin: true,
            ended: Arc::default(),
            asleep: AtomicBool::new(false),
            changing: tokio::sync::Mutex::default(),
            marks: Marks::default(),
        }
    }

    /// Makes the directories, and learns what the protocol can do.
    async fn prepare(&mut self, operation: &'static str) -> Result<()> {
        let exec = Exec::new(PREPARE)
            .name("offshoot")
            .arguments([&self.place.root, &self.place.cwd])
            .cwd("/");
        let started = Instant::now();
        let mut command = self.command(operation, exec.clone()).await?;
        self.stdin = command.process.closes_stdin;
        let made = inside::result(&exec, &mut command, started).await;
        let made = made.map_err(|error| error.during(operation))?;
        if made.success() {
            return Ok(());
        }
        let message = format!("{}: {}", self.place.root, made.stderr_text().trim());
        Err(Error::new(Code::Invalid, operation, message).on(NAME))
    }

    fn alive(&self, operation: &'static str) -> Result<()> {
        if self.ended.load(Ordering::Acquire) {
            return Err(Error::ended(operation).on(NAME));
        }
        Ok(())
    }

    async fn command(&self, operation: &'static str, mut exec: Exec) -> Result<Command> {
        self.alive(operation)?;
        exec.cwd.get_or_insert_with(|| self.place.cwd.clone());
        if !exec.replace_environment {
            exec.environment.splice(..0, self.variables.iter().cloned());
        }
        let (cluster, place) = (self.cluster.clone(), self.place.clone());
        let ended = Arc::clone(&self.ended);
        let started = Process::start(cluster, place, &exec, ended).await;
        let mut process = started.map_err(|error| error.during(operation))?;
        if let Stdin::Bytes(bytes) = std::mem::take(&mut exec.stdin) {
            process.feed(bytes);
        }
        self.marks.all().insert(process.mark().to_owned());
        let marks = self.marks.clone();
        let command = Command { process, marks };
        // Cleanup may have looked for marks before; then dropping it ends it.
        self.alive(operation)?;
        Ok(command)
    }

    /// Kills the commands of this holder in a pod that stays.
    async fn kill(&self) -> Result<()> {
        let marks: Vec<String> = self.marks.all().drain().collect();
        let ends = marks
            .iter()
            .map(|mark| process::end(&self.cluster, &self.place, mark, "KILL", false));
        for ended in futures::future::join_all(ends).await {
            match ended.map_err(|error| super::cluster::typed("cleanup", error)) {
                // The pod is gone, and everything with it.
                Err(error) if error.code() != Code::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// The pod to make when it resumes, as it was noted with the volume.
    async fn noted(&self) -> Result<Pod> {
        let gone = |message: String| Error::new(Code::NotFound, "resume", message).on(NAME);
        let claim = self.cluster.claim("resume", &self.place).await?;
        let Some(claim) = claim else {
            return Err(gone(format!("the volume of {} is gone", self.place.pod)));
        };
        let annotations = claim.metadata.annotations.unwrap_or_default();
        let noted = annotations.get(POD).map(|text| serde_json::from_str(text));
        let Some(Ok(noted)) = noted else {
            return Err(gone(format!(
                "the volume of {} notes no pod",
                self.place.pod
            )));
        };
        let mut pod: Pod = noted;
        // It is made anew, by whoever resumes.
        let owner = self.cluster.owner.to_string();
        let annotations = pod.metadata.annotations.get_or_insert_default();
        annotations.insert(OWNER.to_owned(), owner);
        Ok(pod)
    }
}

/// A command of a sandbox.
struct Command {
    process: Process,
    marks: Marks,
}

#[boxed]
impl Running for Command {
    async fn next(&mut self) -> Result<Option<Event>> {
        self.process.next().await
    }

    fn take_input(&mut self) -> Option<Box<dyn offshoot_backend::Input>> {
        self.process.take_input()
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        self.process.signal(signal).await
    }
}

impl Drop for Command {
    fn drop(&mut self) {
        self.marks.all().remove(self.process.mark());
    }
}

#[boxed]
impl Environment for Sandbox {
    fn backend(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(self.has_volume, self.is_given, self.stdin)
    }

    fn root(&self) -> &str {
        &self.place.root
    }

    fn cwd(&self) -> &str {
        &self.place.cwd
    }

    async fn exec(&self, mut exec: Exec) -> Result<ShellResult> {
        let started = Instant::now();
        if exec.stdin == Stdin::Piped {
            exec.stdin = Stdin::Empty;
        }
        let mut command = self.command("exec", exec.clone()).await?;
        inside::result(&exec, &mut command, started).await
    }

    async fn cleanup(&self) -> Result<()> {
        let was_ended = self.ended.swap(true, Ordering::AcqRel);
        let cleaned = match (self.is_owner, self.is_given) {
            (true, false) => self.cluster.remove("cleanup", &self.place, true).await,
            (true, true) => self.kill().await,
            (false, _) => Ok(()),
        };
        if cleaned.is_err() && !was_ended {
            // It is tried again by the next call, or when the sandbox is dropped.
            self.ended.store(false, Ordering::Release);
        }
        cleaned
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        Ok(Box::new(self.command("spawn", exec).await?))
    }

    async fn suspend(&self) -> Result<()> {
        self.alive("suspend")?;
        if !self.has_volume {
            return Err(self.refusal("suspend", "suspending without a volume"));
        }
        let _only_one = self.changing.lock().await;
        self.asleep.store(true, Ordering::Release);
        let removed = self.cluster.remove("suspend", &self.place, false).await;
        if removed.is_err() {
            self.asleep.store(false, Ordering::Release);
        }
        removed
    }

    async fn resume(&self) -> Result<()> {
        self.alive("resume")?;
        if !self.has_volume {
            return Err(self.refusal("resume", "suspending without a volume"));
        }
        let _only_one = self.changing.lock().await;
        let container = self.place.container.as_deref();
        let found = self.cluster.pod("resume", &self.place).await?;
        match phase(found.as_ref(), container) {
            Phase::Running => {
                self.asleep.store(false, Ordering::Release);
                return Ok(());
            }
            Phase::Missing | Phase::Pending(_) => {}
            // What failed has its files all the same.
            Phase::Ending | Phase::Failed(_) => {
                self.cluster.remove("resume", &self.place, false).await?;
            }
        }
        let pod = self.noted().await?;
        match self.cluster.run("resume", &self.place, &pod).await {
            // Another holder resumes it, too.
            Err(error) if error.code() == Code::Conflict => {
                self.cluster.runs("resume", &self.place).await?;
            }
            done => done?,
        }
        self.asleep.store(false, Ordering::Release);
        Ok(())
    }

    async fn reference(&self) -> Result<Reference> {
        self.alive("reference")?;
        if self.is_given {
            return Err(self.refusal("reference", "references to a given pod"));
        }
        let data = serde_json::to_string(&self.place)
            .map_err(|error| Error::new(Code::Invalid, "reference", error.to_string()).on(NAME))?;
        Ok(Reference::new(NAME, data))
    }

    async fn state(&self) -> Result<State> {
        if self.ended.load(Ordering::Acquire) {
            return Ok(State::Deleted);
        }
        let pod = self.cluster.pod("state", &self.place).await?;
        let found = phase(pod.as_ref(), self.place.container.as_deref());
        Ok(match found {
            Phase::Running => State::Running,
            Phase::Pending(_) if self.asleep.load(Ordering::Acquire) => State::Resuming,
            Phase::Pending(_) => State::Pending,
            Phase::Ending if self.has_volume => State::Suspending,
            Phase::Missing if self.has_volume => {
                match self.cluster.claim("state", &self.place).await? {
                    Some(_) => State::Suspended,
                    None => State::Deleted,
                }
            }
            Phase::Ending | Phase::Missing => State::Deleted,
            Phase::Failed(_) => State::Failed,
        })
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let is_kept = !self.is_owner || self.is_given || self.asleep.load(Ordering::Acquire);
        if is_kept || self.ended.load(Ordering::Acquire) {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (cluster, place) = (self.cluster.clone(), self.place.clone());
            runtime.spawn(async move {
                // Without cleanup nobody hears of a failure; the reaper removes what is left.
                let _ = cluster.remove("cleanup", &place, true).await;
            });
        }
    }
}
