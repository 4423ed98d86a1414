//! The control plane: sandboxes as a whole.

use std::thread;
use std::time::Duration;

use offshoot_connector::control::{is_plain, unreachable_is_unavailable};
use offshoot_connector::grpc::{self, Status};
use offshoot_connector::path::unique;
use offshoot_connector::{Code, Error, Result, Stage};
use prost::Message;

use crate::service::{authorised, control, given, is_older, routed};
use crate::settings::{Settings, State};
use crate::wire::{
    AppGetOrCreateRequest, AppGetOrCreateResponse, BLOCKED, CREATE_IF_MISSING, Empty,
    EnvironmentGetOrCreateRequest, EnvironmentGetOrCreateResponse, GenericResult, GpuConfig,
    IDLE_TIMEOUT, Image, ImageDeleteRequest, ImageGetOrCreateRequest, ImageGetOrCreateResponse,
    ImageJoinStreamingRequest, ImageJoinStreamingResponse, NetworkAccess, OPEN, Resources, SUCCESS,
    Sandbox, SandboxCreateRequest, SandboxCreateResponse, SandboxCreateV2Response,
    SandboxGetTaskIdRequest, SandboxGetTaskIdResponse, SandboxTag, SandboxTerminateRequest,
    SandboxTerminateResponse, SandboxWaitRequest, SandboxWaitResponse, SecretGetOrCreateRequest,
    SecretGetOrCreateResponse, TERMINATED, TIMEOUT, TaskSnapshotFilesystemRequest,
    TaskSnapshotFilesystemResponse,
};

/// Between two looks at a sandbox that is not there yet.
const LOOK: Duration = Duration::from_millis(500);
/// Seconds that the service waits for an image at a time.
const IMAGE_WAIT: f32 = 55.0;
/// How the service says that an image stays until it is deleted.
pub(crate) const FOR_EVER: i64 = -1;

/// What a sandbox is made with beside the settings.
pub(crate) struct Wanted {
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) tags: Vec<(String, String)>,
    pub(crate) closed: bool,
}

/// Makes a sandbox, of an image that Modal has where one is named.
pub(crate) fn create(settings: &Settings, wanted: Wanted, image: Option<&str>) -> Result<State> {
    unreachable_is_unavailable(make(settings, wanted, image).map_err(Error::from))
}

fn make(settings: &Settings, wanted: Wanted, image: Option<&str>) -> grpc::Result<State> {
    let resources = resources(settings)?;
    let app = app(settings)?;
    let image_id = match image.or(settings.image_id.as_deref()) {
        Some(id) => id.to_owned(),
        None => built(settings, &app)?,
    };
    let access = match wanted.closed {
        true => BLOCKED,
        false => OPEN,
    };
    let tag = |(name, value): &(String, String)| SandboxTag {
        tag_name: name.clone(),
        tag_value: value.clone(),
    };
    let has_gpu = resources.gpu_config.is_some();
    let asked = SandboxCreateRequest {
        app_id: app,
        definition: Some(Sandbox {
            entrypoint_args: Vec::new(),
            image_id,
            secret_ids: secrets(settings)?,
            resources: Some(resources),
            timeout_secs: settings.lifetime_seconds,
            workdir: Some(settings.directory.clone()),
            network_access: Some(NetworkAccess {
                network_access_type: access,
            }),
        }),
        tags: wanted.tags.iter().map(tag).collect(),
        secret_sources: Vec::new(),
    };
    let mut state = State {
        id: String::new(),
        task: String::new(),
        settings: settings.clone(),
        variables: wanted.variables,
        tags: wanted.tags,
        closed: wanted.closed,
    };
    if has_gpu {
        let made: SandboxCreateResponse = control(&settings.api).call("SandboxCreate", &asked)?;
        state.id = made.sandbox_id;
    } else {
        let made: SandboxCreateV2Response = authorised(&settings.api, |service| {
            service.call("SandboxCreateV2", &asked)
        })?;
        given(&made.task_id, made.command_router_access);
        (state.id, state.task) = (made.sandbox_id, made.task_id);
    }
    if !is_plain(&state.id) || has_gpu != is_older(&state.id) {
        return Err(Error::corrupt(format!("{:?} is no id of such a sandbox", state.id)).into());
    }
    if state.task.is_empty() {
        let begun = task(&settings.api, &state.id);
        state.task = begun.inspect_err(|_| {
            // The error that is told is the first one.
            let _ = end(&state);
        })?;
    }
    Ok(state)
}

/// Processors, memory and GPUs.
fn resources(settings: &Settings) -> Result<Resources> {
    let invalid = |what: String| Err(Error::new(Code::Invalid, what));
    let milli_cpu = match settings.cpu {
        None => 0,
        // A number of at most six digits fits.
        Some(cpu) if (0.001..=1000.0).contains(&cpu) => (cpu * 1000.0).round() as u32,
        Some(cpu) => return invalid(format!("{cpu} processors")),
    };
    let gpu_config = match settings.gpu.as_deref() {
        None => None,
        Some(text) => {
            let (name, count) = text.split_once(':').unwrap_or((text, "1"));
            match count.parse() {
                Ok(count) if count > 0 && !name.is_empty() => Some(GpuConfig {
                    count,
                    gpu_type: name.to_uppercase(),
                }),
                _ => return invalid(format!("{text:?} is no GPU: A100 or A100:2")),
            }
        }
    };
    Ok(Resources {
        memory_mb: settings.memory_mb.unwrap_or(0),
        milli_cpu,
        gpu_config,
    })
}

fn app(settings: &Settings) -> grpc::Result<String> {
    let asked = AppGetOrCreateRequest {
        app_name: settings.app.clone(),
        environment_name: settings.environment.clone().unwrap_or_default(),
        object_creation_type: CREATE_IF_MISSING,
    };
    let told: AppGetOrCreateResponse = control(&settings.api).call("AppGetOrCreate", &asked)?;
    Ok(told.app_id)
}

fn secrets(settings: &Settings) -> grpc::Result<Vec<String>> {
    let id = |name: &String| {
        let asked = SecretGetOrCreateRequest {
            deployment_name: name.clone(),
            environment_name: settings.environment.clone().unwrap_or_default(),
            ..SecretGetOrCreateRequest::default()
        };
        let service = control(&settings.api);
        let told: SecretGetOrCreateResponse = service.call("SecretGetOrCreate", &asked)?;
        Ok(told.secret_id)
    };
    settings.secrets.iter().map(id).collect()
}

/// The image of a registry as Modal has it, which it may have to fetch first.
fn built(settings: &Settings, app: &str) -> grpc::Result<String> {
    let service = control(&settings.api);
    let asked = EnvironmentGetOrCreateRequest {
        deployment_name: settings.environment.clone().unwrap_or_default(),
    };
    let told: EnvironmentGetOrCreateResponse = service.call("EnvironmentGetOrCreate", &asked)?;
    let known = told.metadata.and_then(|metadata| metadata.settings);
    let asked = ImageGetOrCreateRequest {
        image: Some(Image {
            dockerfile_commands: vec![format!("FROM {}", settings.image)],
        }),
        app_id: app.to_owned(),
        builder_version: known.unwrap_or_default().image_builder_version,
    };
    let told: ImageGetOrCreateResponse = service.call("ImageGetOrCreate", &asked)?;
    let mut result = told.result.filter(|result| result.status != 0);
    let mut last = String::new();
    while result.is_none() {
        let asked = ImageJoinStreamingRequest {
            image_id: told.image_id.clone(),
            timeout: IMAGE_WAIT,
            last_entry_id: last.clone(),
        };
        let mut heard =
            service.stream::<ImageJoinStreamingResponse>("ImageJoinStreaming", &asked)?;
        while let Some(message) = heard.message()? {
            if !message.entry_id.is_empty() {
                last = message.entry_id;
            }
            result = message.result.filter(|result| result.status != 0);
            if result.is_some() {
                break;
            }
        }
    }
    match result.unwrap_or_default() {
        GenericResult {
            status: SUCCESS, ..
        } => Ok(told.image_id),
        GenericResult { exception, .. } => {
            let message = format!("the image {}: {exception}", settings.image);
            Err(Error::new(Code::Invalid, message).into())
        }
    }
}

/// What runs in a sandbox. One that waits for a machine has nothing yet.
fn task(api: &str, id: &str) -> grpc::Result<String> {
    let asked = SandboxGetTaskIdRequest {
        sandbox_id: id.to_owned(),
        timeout: None,
    };
    loop {
        let told: SandboxGetTaskIdResponse = by_kind(api, id, "SandboxGetTaskId", &asked)?;
        match (told.task_id, told.task_result) {
            (Some(task), _) if !task.is_empty() => return Ok(task),
            (_, Some(result)) => {
                let message = format!("the sandbox has ended: {}", result.exception);
                return Err(Error::new(Code::NotFound, message).into());
            }
            _ => thread::sleep(LOOK),
        }
    }
}

/// Calls the method of the name for a sandbox, which those of the newer kind have under another.
fn by_kind<A: Message + Default>(
    api: &str,
    id: &str,
    method: &str,
    asked: &impl Message,
) -> grpc::Result<A> {
    match is_older(id) {
        true => control(api).call(method, asked),
        false => authorised(api, |service| service.call(&format!("{method}V2"), asked)),
    }
}

/// How a sandbox ended; nothing while it lives.
fn result(api: &str, id: &str) -> grpc::Result<Option<GenericResult>> {
    let asked = SandboxWaitRequest {
        sandbox_id: id.to_owned(),
        timeout: 0.0,
    };
    let told: SandboxWaitResponse = by_kind(api, id, "SandboxWait", &asked)?;
    Ok(told.result.filter(|result| result.status != 0))
}

/// Reaches a sandbox by its id.
pub(crate) fn connect(id: &str, settings: &Settings) -> Result<State> {
    if !is_plain(id) {
        let message = "a reference to a sandbox of Modal is its id";
        return Err(Error::new(Code::Invalid, message));
    }
    let found = || {
        if result(&settings.api, id)?.is_some() {
            return Err(Error::new(Code::NotFound, format!("the sandbox {id} has ended")).into());
        }
        task(&settings.api, id)
    };
    let task = unreachable_is_unavailable(found().map_err(Error::from))?;
    Ok(State {
        id: id.to_owned(),
        task,
        settings: settings.clone(),
        variables: Vec::new(),
        tags: Vec::new(),
        closed: false,
    })
}

pub(crate) fn life(state: &State) -> Result<Stage> {
    match result(&state.settings.api, &state.id) {
        Ok(None) => Ok(Stage::Running),
        Ok(Some(result)) => Ok(match result.status {
            SUCCESS | TERMINATED | TIMEOUT | IDLE_TIMEOUT => Stage::Deleted,
            _ => Stage::Failed,
        }),
        Err(failure) if failure.status == Some(Status::NotFound) => Ok(Stage::Deleted),
        Err(failure) => Err(failure.error),
    }
}

/// Ends a sandbox; one that is gone is fine.
pub(crate) fn end(state: &State) -> Result<()> {
    let asked = SandboxTerminateRequest {
        sandbox_id: state.id.clone(),
    };
    let (api, id) = (&state.settings.api, &state.id);
    let ended: grpc::Result<SandboxTerminateResponse> =
        by_kind(api, id, "SandboxTerminate", &asked);
    gone_is_fine(ended)
}

/// Captures the files as an image, which stays for so many seconds.
pub(crate) fn snapshot(state: &State, ttl: i64) -> Result<String> {
    let asked = TaskSnapshotFilesystemRequest {
        task_id: state.task.clone(),
        snapshot_id: unique(),
        ttl_seconds: Some(ttl),
    };
    let taken: TaskSnapshotFilesystemResponse = routed(state, |router| {
        router.call("TaskSnapshotFilesystem", &asked)
    })?;
    Ok(taken.image_id)
}

pub(crate) fn delete_snapshot(state: &State, snapshot: &str) -> Result<()> {
    let asked = ImageDeleteRequest {
        image_id: snapshot.to_owned(),
    };
    let deleted: grpc::Result<Empty> = control(&state.settings.api).call("ImageDelete", &asked);
    gone_is_fine(deleted)
}

/// A sandbox as this one is, of an image.
pub(crate) fn beside(state: &State, image: &str) -> Result<State> {
    let wanted = Wanted {
        variables: state.variables.clone(),
        tags: state.tags.clone(),
        closed: state.closed,
    };
    create(&state.settings, wanted, Some(image))
}

fn gone_is_fine<T>(told: grpc::Result<T>) -> Result<()> {
    match told {
        Err(failure) if failure.status == Some(Status::NotFound) => Ok(()),
        told => Ok(told.map(drop)?),
    }
}
