//! The endpoint: its routes, its sessions, its end.

use super::failure::{Failure, Result};
use super::invocation::{Invocation, document};
use crate::connection::{self, Patience};
use crate::e2b::fresh_uuid;
use crate::web::{self, Body, Request, Response};
use http::{HeaderValue, Method, StatusCode};
use http_body_util::BodyExt;
use offshoot::lifecycle::{Origin, Sandboxes};
use offshoot::{Code, Exec, RemoveOptions, ShellResult};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{RwLock, watch};

/// The header of an invocation's id, which is the caller's or a new one.
const INVOCATION: &str = "x-agent-invocation-id";
/// The header of the session that an invocation was for.
const SESSION: &str = "x-agent-session-id";
/// Bytes that an invocation may have.
const BODY: usize = 64 << 20;
/// Sessions that have a sandbox of this process.
const SESSIONS: usize = 256;
/// Bytes of an id that a caller gives.
const LONGEST_ID: usize = 256;
/// Between two attempts to put a sandbox to sleep, whose commands are ending.
const PAUSE: Duration = Duration::from_millis(20);
/// Such attempts. Of a sandbox that is still busy then, the files are stored as they are.
const ATTEMPTS: u32 = 100;

/// Answers what Foundry asks the container of a hosted agent, with a sandbox for each session; clones are the same
/// endpoint.
///
/// It asks nobody for a key: in Foundry only the platform reaches it, and has asked for one. Elsewhere whoever
/// reaches the port uses its sandboxes.
#[derive(Clone)]
pub struct Endpoint(Arc<Inner>);

struct Inner {
    sandboxes: Sandboxes,
    session: Option<String>,
    durable: bool,
    template: Box<dyn Fn() -> offshoot::Builder + Send + Sync>,
    /// The sandboxes that this process has used.
    used: Mutex<BTreeSet<String>>,
    /// Held, for reading, by each invocation.
    working: RwLock<()>,
    closing: watch::Sender<bool>,
}

/// Describes an [`Endpoint`].
pub struct Builder(Inner);

impl Builder {
    /// The session of invocations that name none, which Foundry says in `FOUNDRY_AGENT_SESSION_ID`; without it each
    /// of them has a session of its own.
    #[must_use]
    pub fn session(mut self, id: impl Into<String>) -> Builder {
        self.0.session = Some(id.into());
        self
    }

    /// Stores what an invocation changed before it is answered; otherwise that is done when the endpoint ends.
    #[must_use]
    pub fn durable(mut self) -> Builder {
        self.0.durable = true;
        self
    }

    /// What new sandboxes are; those of [`offshoot::Sandbox::builder`] by default.
    #[must_use]
    pub fn template(
        mut self,
        make: impl Fn() -> offshoot::Builder + Send + Sync + 'static,
    ) -> Builder {
        self.0.template = Box::new(make);
        self
    }

    /// Makes the endpoint.
    ///
    /// # Errors
    /// `INVALID` for a session that has no meaning as one.
    pub fn build(self) -> crate::Result<Endpoint> {
        if self.0.session.as_deref().is_some_and(|id| !is_id(id)) {
            return Err(crate::Error::Invalid("the session's id is none"));
        }
        Ok(Endpoint(Arc::new(self.0)))
    }
}

impl Endpoint {
    /// Describes an endpoint whose sandboxes are kept by `sandboxes`.
    pub fn builder(sandboxes: Sandboxes) -> Builder {
        Builder(Inner {
            sandboxes,
            session: None,
            durable: false,
            template: Box::new(offshoot::Sandbox::builder),
            used: Mutex::default(),
            working: RwLock::default(),
            closing: watch::Sender::new(false),
        })
    }

    /// Serves HTTP/1.1 and HTTP/2 until `shutdown` is done. Then invocations are ended, and sandboxes are put to
    /// sleep: the next endpoint on the same store has them as they are.
    ///
    /// # Errors
    /// Those of the listener.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> crate::Result<()> {
        let endpoint = self.clone();
        let closed = async move {
            shutdown.await;
            endpoint.close().await;
        };
        let answer = move |request: Request| {
            let endpoint = self.clone();
            async move { endpoint.answer(request).await }
        };
        connection::serve(listener, Patience::default(), closed, answer).await;
        Ok(())
    }

    async fn answer(&self, request: Request) -> Response {
        // The platform has asked its callers for their token.
        connection::trust(request.extensions());
        match (request.method(), request.uri().path()) {
            (&Method::GET, "/readiness" | "/liveness") => {
                web::json(StatusCode::OK, &json!({ "status": "healthy" }))
            }
            (&Method::GET, "/invocations/docs/openapi.json") => {
                web::json(StatusCode::OK, &document())
            }
            (&Method::POST, "/invocations") => self.invoked(request).await,
            (_, path) => {
                let message = format!("{} {path}: there is no such route", request.method());
                Failure::new(Code::NotFound, message).answer()
            }
        }
    }

    async fn invoked(&self, request: Request) -> Response {
        let given = request.headers().get(INVOCATION);
        let given = given.and_then(|id| id.to_str().ok()).filter(|id| is_id(id));
        let invocation = given.map_or_else(fresh_uuid, str::to_owned);
        let session = self.session(request.uri().query().unwrap_or_default());
        let done = match &session {
            Ok(session) => self.invoke(session, request).await,
            Err(id) => Err(Failure::invalid(format!("{id:?} is no session's id"))),
        };
        let mut answer = done.unwrap_or_else(|failure| failure.answer());
        let session = session.unwrap_or_default();
        for (name, value) in [(INVOCATION, &invocation), (SESSION, &session)] {
            if let Ok(value) = HeaderValue::from_str(value) {
                answer.headers_mut().insert(name, value);
            }
        }
        answer
    }

    /// The session that a query names, or what it names where that can be none.
    fn session(&self, query: &str) -> std::result::Result<String, String> {
        let pairs = form_urlencoded::parse(query.as_bytes());
        let named = pairs.filter(|(name, _)| name == "agent_session_id");
        match named.last().map(|(_, id)| id.into_owned()) {
            Some(id) if is_id(&id) => Ok(id),
            Some(id) => Err(id),
            None => Ok(self.0.session.clone().unwrap_or_else(fresh_uuid)),
        }
    }

    async fn invoke(&self, session: &str, request: Request) -> Result<Response> {
        let body = collected(request.into_body()).await?;
        let invocation = Invocation::read(&body)?;
        let exec = invocation.exec()?;
        let (endpoint, session) = (self.clone(), session.to_owned());
        // A task of its own: it goes on when nobody waits for it any more.
        let told = tokio::spawn(async move {
            let _working = endpoint.0.working.read().await;
            let mut closing = endpoint.0.closing.subscribe();
            let result = tokio::select! {
                biased;
                _ = closing.wait_for(|closing| *closing) => {
                    return Err(Failure::new(Code::SandboxUnavailable, "the agent is being stopped"));
                }
                result = endpoint.run(&session, exec, &invocation) => result?,
            };
            Ok(invocation.told(&result))
        });
        let told = told.await;
        let told = told.map_err(|error| Failure::new(Code::Died, error.to_string()))?;
        Ok(web::json(StatusCode::OK, &told?))
    }

    async fn run(
        &self,
        session: &str,
        mut exec: Exec,
        invocation: &Invocation,
    ) -> Result<ShellResult> {
        let existing = invocation.existing;
        let (sandboxes, name) = (&self.0.sandboxes, sandbox_of(session));
        let lease = loop {
            match sandboxes.lease(&name).await {
                Err(error) if error.code() == Code::NotFound && !existing => {}
                Err(error) if error.code() == Code::NotFound => {
                    let message = format!("the session {session} has no sandbox");
                    return Err(Failure::new(Code::SandboxUnavailable, message)
                        .with_status(StatusCode::GONE));
                }
                lease => break lease?,
            }
            if self.used().len() >= SESSIONS {
                let message = format!("limit reached: {SESSIONS} sessions");
                return Err(Failure::new(Code::Limit, message));
            }
            match sandboxes
                .create(&name, Origin::template((self.0.template)()))
                .await
            {
                // Another invocation of the same session has just made it.
                Err(error) if error.code() == Code::Conflict => {}
                made => drop(made?),
            }
        };
        self.used().insert(name.clone());
        if let Some(file) = &invocation.stdin_file {
            exec = exec.stdin(lease.read_file_buffer(file).await?);
            lease.rm(file, RemoveOptions::default()).await?;
        }
        let before = self.0.durable.then(|| lease.vfs().fork());
        let result = lease.exec(exec).await;
        lease.check()?;
        if before.is_some_and(|before| !lease.vfs().fork().is_same_tree(&before)) {
            sandboxes.checkpoint(&name).await?;
        }
        Ok(result?)
    }

    async fn close(&self) {
        self.0.closing.send_replace(true);
        let _alone = self.0.working.write().await;
        let used = std::mem::take(&mut *self.used());
        for name in used {
            if !self.sleeps(&name).await {
                // Nobody is left to be told of what cannot be stored: it is lost, as in a crash.
                let _ = self.0.sandboxes.checkpoint(&name).await;
            }
        }
    }

    /// Puts a sandbox to sleep; whether it could.
    async fn sleeps(&self, name: &str) -> bool {
        for _ in 0..ATTEMPTS {
            match self.0.sandboxes.suspend(name).await {
                Err(error) if error.code() == Code::Conflict => tokio::time::sleep(PAUSE).await,
                done => return done.is_ok(),
            }
        }
        false
    }

    fn used(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The whole body of an invocation.
async fn collected(mut body: Body) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame =
            frame.map_err(|error| Failure::invalid(format!("the body broke off: {error}")))?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        if bytes.len() + data.len() > BODY {
            let message = format!("limit reached: {BODY} bytes");
            return Err(
                Failure::new(Code::Limit, message).with_status(StatusCode::PAYLOAD_TOO_LARGE)
            );
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// Whether a text can be an id of a session or invocation.
fn is_id(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
    !text.is_empty() && text.len() <= LONGEST_ID && text.bytes().all(plain)
}

/// The name of a session's sandbox, which has fewer characters and bytes than ids may have.
fn sandbox_of(session: &str) -> String {
    let digest = blake3::hash(session.as_bytes()).to_hex();
    format!("session-{}", &digest[..32])
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("session", &self.0.session)
            .field("sandboxes", &self.used().len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("session", &self.0.session)
            .finish_non_exhaustive()
    }
}
