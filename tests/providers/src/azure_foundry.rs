//! Hosted agents of Azure's Foundry, as PyPI `azure-ai-projects` 2.10.0 expects them: agents with versions, and
//! sessions, each of which has a container.
//!
//! A container is our own server in the shape of the image, on a port of its own with a directory of its own, begun
//! when something is invoked and stopped when the session is. Odd as the provider is: what is invoked without a
//! session, or wakes one that is idle, begins a container; the caller's token ends at the service.

mod container;
mod files;

use crate::service::{Answer, Request, Service};
use container::Container;
use offshoot_server::foundry::Image;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The token that the project asks for.
pub const TOKEN: &str = "eyJ0eXAi.f0undry5ecre7.c0de5ecre7";
/// The agent that is there from the beginning.
pub const AGENT: &str = "boxes";
/// The path of the project.
pub const PROJECT: &str = "/api/projects/one";
/// The service's version.
const VERSION: &str = "v1";

/// A session of an agent.
struct Session {
    agent: String,
    version: String,
    created: u64,
    deleted: bool,
    home: Arc<tempfile::TempDir>,
    /// What runs; none while it is idle.
    container: Arc<tokio::sync::Mutex<Option<Container>>>,
}

#[derive(Default)]
struct Held {
    /// The definitions of each agent, the first of which is version 1.
    agents: BTreeMap<String, Vec<Value>>,
    sessions: HashMap<String, Session>,
    numbers: u64,
    /// The headers of what reached containers.
    handed: Vec<String>,
}

/// The service.
pub struct Foundry {
    held: Mutex<Held>,
}

impl std::fmt::Debug for Foundry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Foundry")
    }
}

/// An answer, or an error's status, code and message.
type Outcome = Result<Answer, (u16, &'static str, String)>;

fn missing(what: &str) -> (u16, &'static str, String) {
    (404, "not_found", format!("{what} was not found"))
}

fn invalid(why: &str) -> (u16, &'static str, String) {
    (400, "invalid_request", why.to_owned())
}

/// A fault of the service.
fn broken(error: impl std::fmt::Display) -> (u16, &'static str, String) {
    (500, "server_error", error.to_string())
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs())
}

/// Serves until it is dropped, over TLS as well. One agent is there: [`AGENT`].
///
/// # Errors
/// Where there is no port.
pub async fn serve() -> io::Result<(Service, Arc<Foundry>)> {
    let image = Image::new(AGENT, "registry.example/boxes:1");
    let definition = image.definition().map_err(io::Error::other)?;
    let held = Held {
        agents: BTreeMap::from([(AGENT.to_owned(), vec![definition])]),
        ..Held::default()
    };
    let foundry = Arc::new(Foundry {
        held: Mutex::new(held),
    });
    let served = Arc::clone(&foundry);
    let service = Service::with_tls(move |request| {
        let served = Arc::clone(&served);
        async move { served.answer(request).await }
    });
    Ok((service.await?, foundry))
}

impl Foundry {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sessions that are there.
    pub fn sessions(&self) -> Vec<String> {
        let held = self.held();
        let there = held.sessions.iter().filter(|(_, one)| !one.deleted);
        there.map(|(id, _)| id.clone()).collect()
    }

    /// The headers of what reached containers, as text.
    pub fn handed(&self) -> Vec<String> {
        self.held().handed.clone()
    }

    /// Loses what a session's container has stored, as when its disk is gone.
    ///
    /// # Errors
    /// Where it cannot be removed.
    pub async fn lose(&self, id: &str) -> io::Result<()> {
        let found = {
            let held = self.held();
            let session = held.sessions.get(id);
            session.map(|one| (Arc::clone(&one.container), Arc::clone(&one.home)))
        };
        let Some((container, home)) = found else {
            return Ok(());
        };
        if let Some(container) = container.lock().await.take() {
            container.stop().await;
        }
        std::fs::remove_dir_all(home.path().join(container::STORE))
    }

    async fn answer(&self, request: Request) -> Answer {
        let outcome = match request.header("authorization") == format!("Bearer {TOKEN}") {
            true => self.routed(&request).await,
            false => Err((
                401,
                "unauthorized",
                "the token is missing or wrong".to_owned(),
            )),
        };
        outcome.unwrap_or_else(|(status, code, message)| {
            Answer::json(
                status,
                &json!({ "error": { "code": code, "message": message } }),
            )
        })
    }

    async fn routed(&self, request: &Request) -> Outcome {
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        let ["api", "projects", "one", "agents", agent, rest @ ..] = &path[..] else {
            return Err(missing("the project"));
        };
        let given = |name: &str| request.query.get(name).map_or("", String::as_str);
        if given("api-version") != VERSION {
            return Err(invalid("the api-version is missing or unknown"));
        }
        match (&*request.method, rest) {
            ("POST", ["versions"]) => self.deploy(agent, request),
            ("GET", []) => {
                let latest = self.version(agent, None)?;
                let about = json!({
                    "object": "agent", "id": agent, "name": agent, "state": "enabled",
                    "configuration_state": "enabled", "versions": { "latest": latest },
                });
                Ok(Answer::json(200, &about))
            }
            ("GET", ["versions", version]) => {
                Ok(Answer::json(200, &self.version(agent, Some(*version))?))
            }
            ("POST", ["endpoint", "sessions"]) => self.create(agent, request).await,
            ("GET", ["endpoint", "sessions"]) => self.list(agent).await,
            ("POST", ["endpoint", "protocols", "invocations"]) => {
                let id = match given("agent_session_id") {
                    "" => self.begin(agent, None, &self.latest(agent)?)?,
                    id => id.to_owned(),
                };
                self.invoke(agent, &id, request).await
            }
            ("GET", ["endpoint", "sessions", id]) => {
                Ok(Answer::json(200, &self.told(agent, id).await?))
            }
            ("POST", ["endpoint", "sessions", verb]) => match verb.strip_suffix(":stop") {
                Some(id) => self.stop(agent, id, false).await,
                None => Err(missing("the route")),
            },
            ("DELETE", ["endpoint", "sessions", id]) => self.stop(agent, id, true).await,
            (method, ["endpoint", "sessions", id, "files", rest @ ..]) => {
                let (_, home) = self.session(agent, id)?;
                files::serve(home.path(), (method, rest), request)
            }
            _ => Err(missing("the route")),
        }
    }

    /// Makes a version of an agent, which is there from then on.
    fn deploy(&self, agent: &str, request: &Request) -> Outcome {
        let definition = request.json()["definition"].clone();
        let image = definition["container_configuration"]["image"].as_str();
        let speaks = definition["protocol_versions"].as_array();
        let speaks =
            speaks.is_some_and(|all| all.iter().any(|one| one["protocol"] == "invocations"));
        let sized = definition["cpu"].is_string() && definition["memory"].is_string();
        if definition["kind"] != "hosted" || image.is_none() || !speaks || !sized {
            return Err(invalid("this is no hosted agent with invocations"));
        }
        let mut held = self.held();
        held.agents
            .entry(agent.to_owned())
            .or_default()
            .push(definition);
        drop(held);
        Ok(Answer::json(200, &self.version(agent, None)?))
    }

    fn latest(&self, agent: &str) -> Result<String, (u16, &'static str, String)> {
        let held = self.held();
        let versions = held.agents.get(agent).ok_or_else(|| missing("the agent"))?;
        Ok(versions.len().to_string())
    }

    /// What is told of a version.
    fn version(
        &self,
        agent: &str,
        version: Option<&str>,
    ) -> Result<Value, (u16, &'static str, String)> {
        let latest = self.latest(agent)?;
        let version = version.unwrap_or(&latest);
        let definition = self.definition(agent, version)?;
        Ok(json!({
            "object": "agent.version", "id": format!("{agent}:{version}"), "name": agent,
            "version": version, "metadata": {}, "created_at": now(), "status": "active",
            "definition": definition,
        }))
    }

    fn definition(&self, agent: &str, version: &str) -> Result<Value, (u16, &'static str, String)> {
        let held = self.held();
        let versions = held.agents.get(agent).ok_or_else(|| missing("the agent"))?;
        let number = version.parse::<usize>().ok();
        let found = number.and_then(|number| versions.get(number.checked_sub(1)?));
        found.cloned().ok_or_else(|| missing("the version"))
    }

    /// Makes a session, whose container is begun when it is first needed.
    fn begin(
        &self,
        agent: &str,
        id: Option<&str>,
        version: &str,
    ) -> Result<String, (u16, &'static str, String)> {
        self.definition(agent, version)?;
        let home = tempfile::tempdir().map_err(broken)?;
        std::fs::create_dir(home.path().join(container::FILES)).map_err(broken)?;
        let mut held = self.held();
        held.numbers += 1;
        let id = id.map_or_else(|| format!("session-{}", held.numbers), str::to_owned);
        if held.sessions.get(&id).is_some_and(|one| !one.deleted) {
            return Err((409, "conflict", "there is such a session".to_owned()));
        }
        let session = Session {
            agent: agent.to_owned(),
            version: version.to_owned(),
            created: now(),
            deleted: false,
            home: Arc::new(home),
            container: Arc::default(),
        };
        held.sessions.insert(id.clone(), session);
        Ok(id)
    }

    async fn create(&self, agent: &str, request: &Request) -> Outcome {
        let asked = request.json();
        let indicator = &asked["version_indicator"];
        let version = indicator["agent_version"].as_str();
        let (Some(version), true) = (version, indicator["type"] == "version_ref") else {
            return Err(invalid("version_indicator is missing"));
        };
        let id = self.begin(agent, asked["agent_session_id"].as_str(), version)?;
        self.wake(agent, &id).await?;
        Ok(Answer::json(201, &self.told(agent, &id).await?))
    }

    async fn list(&self, agent: &str) -> Outcome {
        let mut data = Vec::new();
        for id in self.sessions() {
            data.extend(self.told(agent, &id).await.ok());
        }
        Ok(Answer::json(
            200,
            &json!({ "object": "list", "data": data, "has_more": false }),
        ))
    }

    #[allow(
        clippy::type_complexity,
        reason = "what a session has, for its callers here"
    )]
    fn session(
        &self,
        agent: &str,
        id: &str,
    ) -> Result<
        (
            Arc<tokio::sync::Mutex<Option<Container>>>,
            Arc<tempfile::TempDir>,
        ),
        (u16, &'static str, String),
    > {
        let held = self.held();
        match held.sessions.get(id) {
            Some(one) if one.agent == agent && !one.deleted => {
                Ok((Arc::clone(&one.container), Arc::clone(&one.home)))
            }
            _ => Err(missing("the session")),
        }
    }

    /// What is told of a session.
    async fn told(&self, agent: &str, id: &str) -> Result<Value, (u16, &'static str, String)> {
        let (container, _) = self.session(agent, id)?;
        let runs = container.lock().await.is_some();
        let held = self.held();
        let session = held
            .sessions
            .get(id)
            .ok_or_else(|| missing("the session"))?;
        Ok(json!({
            "agent_session_id": id,
            "version_indicator": { "type": "version_ref", "agent_version": session.version },
            "status": if runs { "active" } else { "idle" },
            "created_at": session.created, "last_accessed_at": now(),
            "expires_at": now() + 30 * 86_400,
        }))
    }

    /// The port of a session's container, which is begun where none runs, and is ready.
    async fn wake(&self, agent: &str, id: &str) -> Result<String, (u16, &'static str, String)> {
        let (container, home) = self.session(agent, id)?;
        let mut container = container.lock().await;
        if container.is_none() {
            let began = Container::start(id, home.path()).await.map_err(broken)?;
            began.ready().await.map_err(broken)?;
            *container = Some(began);
        }
        let url = container.as_ref().map(Container::url);
        url.ok_or_else(|| broken("the container is gone"))
    }

    async fn invoke(&self, agent: &str, id: &str, request: &Request) -> Outcome {
        let url = self.wake(agent, id).await?;
        let (answer, handed) = container::hand_on(&url, id, request)
            .await
            .map_err(broken)?;
        self.held().handed.push(handed);
        Ok(answer)
    }

    /// Stops a session's container, and deletes the session where that is wanted.
    async fn stop(&self, agent: &str, id: &str, delete: bool) -> Outcome {
        let (container, _) = self.session(agent, id)?;
        if delete && let Some(session) = self.held().sessions.get_mut(id) {
            session.deleted = true;
        }
        if let Some(container) = container.lock().await.take() {
            container.stop().await;
        }
        Ok(Answer::new(204, "application/json", ""))
    }
}
