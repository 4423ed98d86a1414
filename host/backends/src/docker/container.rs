//! A sandbox that is a container.

use super::process::Process;
use super::{Engine, NAME, Plan, capabilities, labels, status, typed};
use crate::inside;
use bollard::models::{ContainerConfig, ContainerStateStatusEnum};
use bollard::query_parameters::{
    CommitContainerOptionsBuilder, RemoveImageOptions, RemoveImageOptionsBuilder,
};
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Exec, Network, Reference, Result, Running, ShellResult,
    Snapshot, State, Stdin, path,
};
use offshoot_boxed::boxed;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The repository of images that this backend makes.
const REPOSITORY: &str = "offshoot";

/// One holder of a container.
#[derive(Debug)]
pub(super) struct Container {
    engine: Engine,
    plan: Plan,
    live: Mutex<Live>,
    is_owner: bool,
    ended: Arc<AtomicBool>,
    parent: Mutex<Option<String>>,
}

/// What a restore replaces.
#[derive(Debug, Clone)]
struct Live {
    id: String,
    /// An image that was made for this container alone.
    image: Option<String>,
}

impl Container {
    pub(super) async fn create(
        engine: Engine,
        plan: Plan,
        image: &str,
        own_image: Option<String>,
    ) -> Result<Container> {
        let id = engine.run(&plan, image).await?;
        let live = Live {
            id,
            image: own_image,
        };
        Ok(Container::new(engine, plan, live, true))
    }

    /// A second holder of a container that this backend made.
    pub(super) async fn attach(engine: Engine, id: &str, cwd: Option<&str>) -> Result<Container> {
        let found = engine.docker.inspect_container(id, None).await;
        let found = found.map_err(|error| typed("attach", error))?;
        let config = found.config.unwrap_or_default();
        let marks = config.labels.unwrap_or_default();
        let (Some(root), Some(usual)) = (marks.get(labels::ROOT), marks.get(labels::CWD)) else {
            let message = format!("the container {id} is no sandbox");
            return Err(Error::new(Code::NotFound, "attach", message).on(NAME));
        };
        let host = found.host_config.unwrap_or_default();
        let network = match host.network_mode.as_deref() {
            Some("none") => Network::None,
            _ => Network::Provider,
        };
        let plan = Plan {
            root: root.clone(),
            cwd: cwd.map_or_else(|| usual.clone(), |cwd| path::resolve(usual, cwd)),
            variables: Vec::new(),
            user: config.user.filter(|user| !user.is_empty()),
            network,
            memory: host.memory.filter(|limit| *limit > 0),
            nano_cpus: host.nano_cpus.filter(|limit| *limit > 0),
            processes: host.pids_limit.filter(|limit| *limit > 0),
        };
        let live = Live {
            id: found.id.unwrap_or_else(|| id.to_owned()),
            image: None,
        };
        Ok(Container::new(engine, plan, live, false))
    }

    fn new(engine: Engine, plan: Plan, live: Live, is_owner: bool) -> Container {
        Container {
            engine,
            plan,
            live: Mutex::new(live),
            is_owner,
            ended: Arc::default(),
            parent: Mutex::default(),
        }
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn id(&self) -> String {
        self.live().id.clone()
    }

    fn alive(&self, operation: &'static str) -> Result<()> {
        if self.ended.load(Ordering::Acquire) {
            return Err(Error::ended(operation).on(NAME));
        }
        Ok(())
    }

    async fn process(&self, operation: &'static str, mut exec: Exec) -> Result<Process> {
        self.alive(operation)?;
        exec.cwd.get_or_insert_with(|| self.plan.cwd.clone());
        let (docker, user) = (self.engine.docker.clone(), self.plan.user.clone());
        let ended = Arc::clone(&self.ended);
        let started = Process::start(docker, self.id(), user, &exec, ended).await;
        let mut process = started.map_err(|error| error.during(operation))?;
        if let Stdin::Bytes(bytes) = std::mem::take(&mut exec.stdin) {
            process.feed(bytes);
        }
        Ok(process)
    }

    /// Commits the container and gives the image's name and size. The engine pauses it meanwhile,
    /// unless it is paused already.
    async fn commit(&self, operation: &'static str, kind: &str) -> Result<(String, Option<u64>)> {
        self.alive(operation)?;
        let tag = unique();
        let options = CommitContainerOptionsBuilder::default()
            .container(&self.id())
            .repo(&format!("{REPOSITORY}/{kind}"))
            .tag(&tag)
            .pause(true)
            .build();
        let marks = HashMap::from([
            (labels::KIND.to_owned(), kind.to_owned()),
            (labels::OWNER.to_owned(), self.engine.owner.to_string()),
            (labels::CWD.to_owned(), self.plan.cwd.clone()),
        ]);
        let config = ContainerConfig {
            labels: Some(marks),
            ..ContainerConfig::default()
        };
        let committed = self.engine.docker.commit_container(options, config).await;
        committed.map_err(|error| typed(operation, error))?;
        let name = format!("{REPOSITORY}/{kind}:{tag}");
        let size = self.engine.docker.inspect_image(&name).await;
        let size = size.ok().and_then(|image| image.size?.try_into().ok());
        Ok((name, size))
    }

    async fn remove_image(&self, name: &str) -> Result<()> {
        // By force: what stands on it keeps its layers, and only the name goes.
        let options = RemoveImageOptionsBuilder::default().force(true).build();
        let removed = self.engine.docker.remove_image(name, Some(options), None);
        match removed.await {
            Err(error) if !matches!(status(&error), Some(404 | 409)) => {
                Err(typed("delete_snapshot", error))
            }
            _ => Ok(()),
        }
    }

    /// Removes a container and the image that only it used.
    async fn discard(&self, live: &Live) -> Result<()> {
        let found = self.engine.docker.inspect_container(&live.id, None).await;
        self.engine.remove(&live.id).await?;
        if let Some(image) = &live.image {
            self.remove_image(image).await?;
        }
        // The image of a snapshot that was deleted meanwhile has no name left, and no other user.
        if let Some(image) = found.ok().and_then(|found| found.image)
            && let Ok(nameless) = self.engine.docker.inspect_image(&image).await
            && nameless.repo_tags.unwrap_or_default().is_empty()
        {
            let removed = self
                .engine
                .docker
                .remove_image(&image, None::<RemoveImageOptions>, None)
                .await;
            drop(removed);
        }
        Ok(())
    }

    async fn made_from(&self, image: &str, own: Option<String>) -> Result<Arc<dyn Environment>> {
        let (engine, plan) = (self.engine.clone(), self.plan.clone());
        let branch = Container::create(engine, plan, image, own).await?;
        Ok(Arc::new(branch))
    }
}

/// A tag that no other image has.
fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    format!(
        "{:x}-{:x}-{:x}",
        std::process::id(),
        time.map_or(0, |time| time.as_nanos()),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

#[boxed]
impl Environment for Container {
    fn backend(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(self.plan.network)
    }

    fn root(&self) -> &str {
        &self.plan.root
    }

    fn cwd(&self) -> &str {
        &self.plan.cwd
    }

    async fn exec(&self, mut exec: Exec) -> Result<ShellResult> {
        let started = Instant::now();
        if exec.stdin == Stdin::Piped {
            exec.stdin = Stdin::Empty;
        }
        let mut process = self.process("exec", exec.clone()).await?;
        inside::result(&exec, &mut process, started).await
    }

    async fn cleanup(&self) -> Result<()> {
        self.ended.store(true, Ordering::Release);
        if !self.is_owner {
            return Ok(());
        }
        let live = self.live().clone();
        self.discard(&live).await
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        Ok(Box::new(self.process("spawn", exec).await?))
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        let (name, size) = self.commit("snapshot", labels::SNAPSHOT).await?;
        let mut snapshot = Snapshot::new(NAME, &*name).labelled(label);
        snapshot.size = size;
        let mut parent = self.parent.lock().unwrap_or_else(PoisonError::into_inner);
        snapshot.parent = parent.replace(name);
        Ok(snapshot)
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.alive("restore")?;
        let image = snapshot.of(NAME, "restore")?;
        let id = self.engine.run(&self.plan, image).await;
        let id = id.map_err(|error| error.during("restore"))?;
        let fresh = Live { id, image: None };
        let old = std::mem::replace(&mut *self.live(), fresh);
        self.discard(&old).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        self.alive("start")?;
        let image = snapshot.of(NAME, "start")?;
        let started = self.made_from(image, None).await;
        started.map_err(|error| error.during("start"))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.remove_image(snapshot.of(NAME, "delete_snapshot")?)
            .await
    }

    async fn fork(&self, _: Option<&str>) -> Result<Arc<dyn Environment>> {
        let (image, _) = self.commit("fork", labels::BRANCH).await?;
        let branch = self.made_from(&image, Some(image.clone())).await;
        if branch.is_err() {
            self.remove_image(&image).await?;
        }
        branch.map_err(|error| error.during("fork"))
    }

    async fn suspend(&self) -> Result<()> {
        self.alive("suspend")?;
        match self.engine.docker.pause_container(&self.id()).await {
            // It is paused already, or does not run; the state tells.
            Err(error) if status(&error) == Some(409) => match self.state().await? {
                State::Suspended => Ok(()),
                _ => Err(typed("suspend", error)),
            },
            done => done.map_err(|error| typed("suspend", error)),
        }
    }

    async fn resume(&self) -> Result<()> {
        self.alive("resume")?;
        if self.state().await? != State::Suspended {
            return Ok(());
        }
        let done = self.engine.docker.unpause_container(&self.id()).await;
        done.map_err(|error| typed("resume", error))
    }

    async fn reference(&self) -> Result<Reference> {
        self.alive("reference")?;
        Ok(Reference::new(NAME, self.id()))
    }

    async fn state(&self) -> Result<State> {
        if self.ended.load(Ordering::Acquire) {
            return Ok(State::Deleted);
        }
        let found = self.engine.docker.inspect_container(&self.id(), None).await;
        let found = match found {
            Ok(found) => found,
            Err(error) if status(&error) == Some(404) => return Ok(State::Deleted),
            Err(error) => return Err(typed("state", error)),
        };
        use ContainerStateStatusEnum as Status;
        Ok(match found.state.and_then(|state| state.status) {
            Some(Status::RUNNING) => State::Running,
            Some(Status::PAUSED) => State::Suspended,
            Some(Status::CREATED | Status::RESTARTING) => State::Pending,
            _ => State::Failed,
        })
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        if !self.is_owner || self.ended.load(Ordering::Acquire) {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (engine, live) = (self.engine.clone(), self.live().clone());
            runtime.spawn(async move {
                // Without cleanup nobody hears of a failure; the reaper removes what is left.
                let _ = engine.remove(&live.id).await;
            });
        }
    }
}
