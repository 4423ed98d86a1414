//! Modal, as its client `modal` 1.6.4 expects it: the control plane and the command router, on one port.
//!
//! Odd as the provider is: an image is built while the client listens; sandboxes with GPUs are of an older kind, whose
//! ids have another shape, which are scheduled after they were made, and whose calls have other names; what ended is
//! not there any more for the router.

mod grpc;
mod router;
mod workspace;

/// The messages, which are the connector's: that their numbers are right is what the client proves.
#[path = "../../../guest-tools/connectors/modal/src/wire.rs"]
mod wire;

use crate::machine::Machines;
use crate::service::{Answer, Request, Service};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use grpc::{Failed, Outcome, asked, reply};
use offshoot::backend::Environment;
use router::Execution;
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;
use wire::*;

/// The id of the token that is asked for.
pub const TOKEN_ID: &str = "ak-5ecre7";
/// Its secret.
pub const TOKEN_SECRET: &str = "as-5ecre7c0de5ecre7c0de5ecre7c0de";
/// The directory of a sandbox.
pub const HOME: &str = "/home/user";
/// A secret of the workspace, with the variable `FROM_SECRET`.
pub const SECRET: &str = "offshoot-secret";
/// What the control plane is called.
const CONTROL: &str = "modal.client.ModalClient";
/// What command routers are called.
const ROUTER: &str = "modal.task_command_router.TaskCommandRouter";

/// A sandbox.
struct Made {
    machine: Arc<dyn Environment>,
    task: String,
    definition: Sandbox,
    app: String,
    tags: Vec<SandboxTag>,
    created: f64,
    executions: HashMap<String, Arc<Execution>>,
    /// How it ended.
    result: watch::Sender<Option<GenericResult>>,
    /// Whether somebody asked for its task, which is not there at the first look.
    looked: bool,
}

#[derive(Default)]
struct Held {
    made: HashMap<String, Made>,
    /// Images of registries, with what they are made of.
    images: HashMap<String, String>,
    /// Images by the ids that a snapshot was asked for with.
    snapshots: HashMap<String, String>,
    apps: HashMap<String, String>,
    secrets: HashMap<String, Variables>,
    numbers: u64,
    executions: u64,
    /// Tokens of this number are taken.
    epoch: u64,
}

impl Held {
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// The sandbox of a task that runs.
    fn of_task(&mut self, task: &str) -> Result<&mut Made, Failed> {
        let mut made = self.made.values_mut();
        let found = made.find(|made| made.task == task && made.result.borrow().is_none());
        found.ok_or_else(|| Failed::not_found(format!("Task {task} not found")))
    }

    fn sandbox(&mut self, id: &str) -> Result<&mut Made, Failed> {
        let found = self.made.get_mut(id);
        found.ok_or_else(|| Failed::not_found(format!("Sandbox {id} not found")))
    }
}

/// The service.
pub struct Modal {
    machines: Machines,
    held: Mutex<Held>,
}

impl std::fmt::Debug for Modal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Modal")
    }
}

/// A token that says when it ends, as the client reads it.
fn jwt(what: &str, epoch: u64) -> String {
    let ends = now() + 3600.0;
    let part = |text: String| URL_SAFE_NO_PAD.encode(text);
    let body = json!({ "exp": ends.trunc(), "what": what, "epoch": epoch });
    format!(
        "{}.{}.{}",
        part(json!({ "alg": "none" }).to_string()),
        part(body.to_string()),
        part(format!("signature of {what}"))
    )
}

/// Whether a token is for this, and is still taken.
fn is_token(token: &str, what: &str, epoch: u64) -> bool {
    let body = token.split('.').nth(1);
    let body = body.and_then(|body| URL_SAFE_NO_PAD.decode(body).ok());
    let body: serde_json::Value = body
        .and_then(|body| serde_json::from_slice(&body).ok())
        .unwrap_or_default();
    body["what"] == what && body["epoch"] == epoch
}

fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

/// Serves until it is dropped.
///
/// # Errors
/// Where there is no port.
pub async fn serve() -> io::Result<(Service, Arc<Modal>)> {
    let modal = Arc::new(Modal {
        machines: Machines::new().map_err(io::Error::other)?,
        held: Mutex::default(),
    });
    let served = Arc::clone(&modal);
    let service = Service::http2(move |request| {
        let served = Arc::clone(&served);
        async move { served.answer(request).await }
    });
    Ok((service.await?, modal))
}

impl Modal {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many commands were begun.
    pub fn executions(&self) -> u64 {
        self.held().executions
    }

    /// Takes no token any more that was given so far.
    pub fn expire(&self) {
        self.held().epoch += 1;
    }

    /// What a sandbox was made with, shown.
    pub fn definition(&self, id: &str) -> String {
        let held = self.held();
        held.made
            .get(id)
            .map(|made| format!("{:?} {:?}", made.definition, made.tags))
            .unwrap_or_default()
    }

    /// How many sandboxes live.
    pub fn alive(&self) -> usize {
        let held = self.held();
        let alive = held.made.values();
        alive.filter(|made| made.result.borrow().is_none()).count()
    }

    async fn answer(&self, request: Request) -> Answer {
        let kind = request.header("content-type");
        if !kind.starts_with("application/grpc") || request.header("te") != "trailers" {
            return Answer::new(415, "text/plain", "gRPC is spoken here");
        }
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        let outcome = match path[..] {
            [CONTROL, method] => self.control(method, &request).await,
            [ROUTER, method] => self.router(method, &request).await,
            _ => Err(Failed::unimplemented("no such service")),
        };
        outcome.unwrap_or_else(Failed::answer)
    }

    async fn control(&self, method: &str, request: &Request) -> Outcome {
        let epoch = self.held().epoch;
        if request.header("x-modal-token-id") != TOKEN_ID
            || request.header("x-modal-token-secret") != TOKEN_SECRET
        {
            return Err(Failed::unauthenticated("Token ID or secret is wrong"));
        }
        if request.header("x-modal-client-version").is_empty()
            || request.header("x-modal-client-type").is_empty()
        {
            return Err(Failed::precondition("The client says no version"));
        }
        let newer = method.strip_suffix("V2");
        let authorised = newer.is_some() || method == "SandboxGetCommandRouterAccess";
        if authorised && !is_token(request.header("x-modal-auth-token"), CONTROL, epoch) {
            return Err(Failed::unauthenticated("The auth token is not valid"));
        }
        match newer.unwrap_or(method) {
            "ClientHello" => reply(&ClientHelloResponse {
                image_builder_version: "2025.06".to_owned(),
            }),
            "AuthTokenGet" => reply(&AuthTokenGetResponse {
                token: jwt(CONTROL, epoch),
            }),
            "EnvironmentGetOrCreate" => self.environment(&asked(request)?),
            "AppGetOrCreate" => self.app(asked(request)?),
            "SecretGetOrCreate" => self.secret(asked(request)?),
            "ImageGetOrCreate" => self.image(asked(request)?),
            "ImageJoinStreaming" => self.join(asked(request)?),
            "ImageFromId" => self.image_by_id(asked(request)?),
            "ImageDelete" => self.delete_image(&asked(request)?),
            "SandboxCreate" => self.create(asked(request)?, newer.is_some()).await,
            "SandboxGetTaskId" => self.task(&asked(request)?),
            "SandboxGetCommandRouterAccess" => self.access(request, asked(request)?),
            "TaskGetCommandRouterAccess" => self.older_access(request, &asked(request)?),
            "SandboxTerminate" => self.terminate(&asked(request)?).await,
            "SandboxWait" => self.wait(&asked(request)?).await,
            "SandboxList" => self.list(&asked(request)?),
            _ => Err(Failed::unimplemented(method)),
        }
    }

    /// The variables that secrets and calls bring.
    fn variables(&self, sources: &[SecretSource]) -> Result<Variables, Failed> {
        let held = self.held();
        let mut all = Variables::new();
        for source in sources {
            match (&source.secret_id, &source.env) {
                (Some(id), _) => {
                    let found = held.secrets.get(id).cloned();
                    all.extend(
                        found.ok_or_else(|| Failed::not_found(format!("Secret {id} not found")))?,
                    );
                }
                (None, env) => all.extend(env.clone().unwrap_or_default().contents),
            }
        }
        Ok(all)
    }

    async fn create(&self, asked: SandboxCreateRequest, newer: bool) -> Outcome {
        let definition = asked.definition.unwrap_or_default();
        let resources = definition.resources.clone().unwrap_or_default();
        let gpus = resources.gpu_config.filter(|gpu| !gpu.gpu_type.is_empty());
        if newer && gpus.is_some() {
            return Err(Failed::invalid("GPUs are not supported"));
        }
        let (number, epoch) = {
            let mut held = self.held();
            if !held.apps.values().any(|id| *id == asked.app_id) {
                return Err(Failed::not_found("no such app"));
            }
            if !self.is_image(&held, &definition.image_id) {
                return Err(Failed::not_found("no such image"));
            }
            (held.number(), held.epoch)
        };
        let mut variables = self.variables(&asked.secret_sources)?;
        let by_id = |id: &String| SecretSource {
            secret_id: Some(id.clone()),
            env: None,
        };
        let more: Vec<_> = definition.secret_ids.iter().map(by_id).collect();
        variables.extend(self.variables(&more)?);
        let snapshot = self.machines.has(&definition.image_id);
        let snapshot = snapshot.then_some(&*definition.image_id);
        let variables = variables.into_iter().collect();
        let machine = self.machines.make(HOME, variables, snapshot).await?;
        let (id, task) = match newer {
            true => (format!("sb-V{number:026}"), format!("ta-{number:026}V")),
            false => (format!("sb-{number:022}"), format!("ta-{number:022}")),
        };
        let access = CommandRouterAccess {
            jwt: jwt(&task, epoch),
            url: String::new(),
        };
        let made = Made {
            machine,
            task: task.clone(),
            definition,
            app: asked.app_id,
            tags: asked.tags,
            created: now(),
            executions: HashMap::new(),
            result: watch::Sender::new(None),
            looked: newer,
        };
        self.held().made.insert(id.clone(), made);
        match newer {
            true => reply(&SandboxCreateV2Response {
                sandbox_id: id,
                task_id: task,
                // Its address is not known here, so the client asks for it.
                command_router_access: None,
                sandbox_token: access.jwt,
            }),
            false => reply(&SandboxCreateResponse { sandbox_id: id }),
        }
    }

    fn task(&self, asked: &SandboxGetTaskIdRequest) -> Outcome {
        let mut held = self.held();
        let made = held.sandbox(&asked.sandbox_id)?;
        let is_there = std::mem::replace(&mut made.looked, true);
        reply(&SandboxGetTaskIdResponse {
            task_id: is_there.then(|| made.task.clone()),
            task_result: made.result.borrow().clone(),
        })
    }

    fn access(&self, request: &Request, asked: SandboxGetCommandRouterAccessRequest) -> Outcome {
        let mut held = self.held();
        let epoch = held.epoch;
        let task = match (asked.sandbox_id, asked.task_id) {
            (Some(id), _) => held.sandbox(&id)?.task.clone(),
            (None, task) => task.unwrap_or_default(),
        };
        held.of_task(&task)?;
        reply(&CommandRouterAccess {
            jwt: jwt(&task, epoch),
            url: format!("http://{}", request.authority()),
        })
    }

    fn older_access(
        &self,
        request: &Request,
        asked: &TaskGetCommandRouterAccessRequest,
    ) -> Outcome {
        let mut held = self.held();
        let epoch = held.epoch;
        held.of_task(&asked.task_id)?;
        reply(&CommandRouterAccess {
            jwt: jwt(&asked.task_id, epoch),
            url: format!("http://{}", request.authority()),
        })
    }

    async fn terminate(&self, asked: &SandboxTerminateRequest) -> Outcome {
        let (machine, existing) = {
            let mut held = self.held();
            let made = held.sandbox(&asked.sandbox_id)?;
            let ended = GenericResult {
                status: TERMINATED,
                exitcode: 137,
                ..GenericResult::default()
            };
            let existing = made.result.borrow().clone();
            if existing.is_none() {
                made.result.send_replace(Some(ended));
            }
            (Arc::clone(&made.machine), existing)
        };
        if existing.is_none() {
            machine.cleanup().await?;
        }
        reply(&SandboxTerminateResponse {
            existing_result: existing,
        })
    }

    async fn wait(&self, asked: &SandboxWaitRequest) -> Outcome {
        let mut result = {
            let mut held = self.held();
            held.sandbox(&asked.sandbox_id)?.result.subscribe()
        };
        let longest = Duration::from_secs_f32(asked.timeout.clamp(0.0, 60.0));
        let ended = tokio::time::timeout(longest, result.wait_for(Option::is_some)).await;
        let result = match ended {
            Ok(Ok(result)) => result.clone(),
            _ => None,
        };
        reply(&SandboxWaitResponse {
            result: Some(result.unwrap_or_default()),
        })
    }

    fn list(&self, asked: &SandboxListRequest) -> Outcome {
        let held = self.held();
        let wanted = |(_, made): &(&String, &Made)| {
            (asked.app_id.is_empty() || made.app == asked.app_id)
                && (asked.include_finished || made.result.borrow().is_none())
                && asked.tags.iter().all(|tag| made.tags.contains(tag))
                && (asked.before_timestamp == 0.0 || made.created < asked.before_timestamp)
        };
        let mut sandboxes: Vec<SandboxInfo> = held
            .made
            .iter()
            .filter(wanted)
            .map(|(id, made)| SandboxInfo {
                id: id.clone(),
                created_at: made.created,
                task_info: Some(TaskInfo {
                    id: made.task.clone(),
                    result: made.result.borrow().clone(),
                }),
                app_id: made.app.clone(),
                tags: made.tags.clone(),
            })
            .collect();
        sandboxes.sort_by(|one, other| other.created_at.total_cmp(&one.created_at));
        reply(&SandboxListResponse { sandboxes })
    }
}

/// Variables by their names.
type Variables = BTreeMap<String, String>;
