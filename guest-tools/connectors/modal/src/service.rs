//! The two services: the control plane, and the command router of each sandbox. Their tokens expire, and a new one is
//! asked for where one is refused.

use std::cell::RefCell;
use std::collections::HashMap;

use offshoot_connector::grpc::{Result, Service, Status};
use offshoot_connector::{Code, Error};

use crate::settings::State;
use crate::wire::{
    AuthTokenGetResponse, CommandRouterAccess, Empty, SandboxGetCommandRouterAccessRequest,
    TaskGetCommandRouterAccessRequest,
};

/// What the control plane wants to know of who asks: whose messages these are.
const CLIENT: [(&str, &str); 3] = [
    ("x-modal-client-type", "1"),
    ("x-modal-client-version", "1.6.4"),
    ("x-modal-python-version", "3.12.0"),
];
/// Tokens that an instance remembers.
const REMEMBERED: usize = 64;

thread_local! {
    /// Stand-ins for tokens, by what they are for: an address or a task.
    static TOKENS: RefCell<HashMap<String, CommandRouterAccess>> = RefCell::default();
}

/// The token for `what`, the remembered one where there is one.
fn token(
    what: &str,
    ask: impl FnOnce() -> Result<CommandRouterAccess>,
) -> Result<CommandRouterAccess> {
    let known = TOKENS.with_borrow(|tokens| tokens.get(what).cloned());
    if let Some(known) = known {
        return Ok(known);
    }
    let access = ask()?;
    remember(what, access.clone());
    Ok(access)
}

fn remember(what: &str, access: CommandRouterAccess) {
    TOKENS.with_borrow_mut(|tokens| {
        if tokens.len() >= REMEMBERED {
            tokens.clear();
        }
        tokens.insert(what.to_owned(), access);
    });
}

/// Asks again with a new token where the first is refused: nothing was done then.
fn renewed<T>(what: &str, call: impl Fn() -> Result<T>) -> Result<T> {
    match call() {
        Err(failure) if failure.status == Some(Status::Unauthenticated) => {
            TOKENS.with_borrow_mut(|tokens| tokens.remove(what));
            call()
        }
        told => told,
    }
}

/// The control plane, as the calls of older sandboxes want it.
pub(crate) fn control(api: &str) -> Service {
    let service = Service::new(api, "modal.client.ModalClient");
    CLIENT
        .iter()
        .fold(service, |service, (name, value)| service.with(name, *value))
}

/// Asks the control plane with the token that it gives to who has the credential.
pub(crate) fn authorised<T>(api: &str, call: impl Fn(&Service) -> Result<T>) -> Result<T> {
    renewed(api, || {
        let access = token(api, || {
            let told: AuthTokenGetResponse = control(api).call("AuthTokenGet", &Empty {})?;
            Ok(CommandRouterAccess {
                jwt: told.token,
                url: String::new(),
            })
        })?;
        call(&control(api).with("x-modal-auth-token", access.jwt))
    })
}

/// Whether a sandbox is of the older kind, which alone has GPUs: their ids have this shape.
pub(crate) fn is_older(id: &str) -> bool {
    let digits = id.strip_prefix("sb-").unwrap_or_default();
    digits.len() == 22 && digits.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Asks the command router of a sandbox. What is not there any more ended with the sandbox.
pub(crate) fn routed<T>(state: &State, call: impl Fn(&Service) -> Result<T>) -> Result<T> {
    let told = renewed(&state.task, || {
        let access = token(&state.task, || access(state))?;
        let router = Service::new(&access.url, "modal.task_command_router.TaskCommandRouter");
        call(&router.with("authorization", format!("Bearer {}", access.jwt)))
    });
    told.map_err(|mut failure| {
        if failure.status == Some(Status::NotFound) {
            let message = format!("the sandbox is gone: {}", failure.error.message);
            failure.error = Error::new(Code::SandboxUnavailable, message);
        }
        failure
    })
}

fn access(state: &State) -> Result<CommandRouterAccess> {
    let api = &state.settings.api;
    if is_older(&state.id) {
        let asked = TaskGetCommandRouterAccessRequest {
            task_id: state.task.clone(),
        };
        return control(api).call("TaskGetCommandRouterAccess", &asked);
    }
    let asked = SandboxGetCommandRouterAccessRequest {
        sandbox_id: Some(state.id.clone()),
        task_id: None,
    };
    authorised(api, |service| {
        service.call("SandboxGetCommandRouterAccess", &asked)
    })
}

/// Keeps the access that came with a new sandbox.
pub(crate) fn given(task: &str, access: Option<CommandRouterAccess>) {
    if let Some(access) = access.filter(|access| !access.jwt.is_empty()) {
        remember(task, access);
    }
}
