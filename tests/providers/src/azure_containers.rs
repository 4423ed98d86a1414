//! Azure Container Instances: the management service as PyPI `azure-mgmt-containerinstance` 10.1.0 expects it
//! (2023-05-01), and its terminals as the provider's documentation has them: the first message is the password,
//! what follows is what a terminal shows and what is typed.
//!
//! Odd as the provider is: a program takes no arguments; the terminal shows a prompt and what is typed until it
//! is told not to, writes each end of a line as two bytes, and tells no status; a group that was stopped and
//! started has a new, empty container.

use crate::machine::Machines;
use crate::service::{Answer, Request, Service, WebSocket};
use futures::{SinkExt, StreamExt};
use offshoot::backend::{Environment, Error, Event, Exec, Result, Stdin};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, mpsc};
use tokio_tungstenite::tungstenite::Message;

/// The token that the management service asks for.
pub const TOKEN: &str = "eyJ0eXAi.ac15ecre7c0de.5ecre7ac1";
/// The subscription of the resource group.
pub const SUBSCRIPTION: &str = "11111111-2222-3333-4444-666666666666";
/// The resource group.
pub const RESOURCES: &str = "resources";
/// What every password of a terminal begins with.
pub const PASSWORD: &str = "5ecre7pa55word";
/// A directory that root can make, whom containers usually are of, and commands of a virtual sandbox are not.
const MADE: &str = "/workspace";
/// The version of the client.
const VERSION: &str = "2023-05-01";

#[derive(Clone)]
struct Group {
    asked: Value,
    machine: Arc<dyn Environment>,
    /// What the next look shows.
    running: bool,
    ended: Arc<Notify>,
}

#[derive(Default)]
struct Held {
    groups: HashMap<String, Group>,
    /// Terminals that nobody opened yet, by their number.
    terminals: HashMap<String, (Group, String)>,
    numbers: u64,
    opened: u64,
}

/// The service.
pub struct Containers {
    machines: Machines,
    held: Mutex<Held>,
}

impl std::fmt::Debug for Containers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Containers")
    }
}

fn failed(status: u16, code: &str, message: &str) -> Answer {
    let told = json!({ "error": { "code": code, "message": message } });
    Answer::json(status, &told)
}

fn missing() -> Answer {
    failed(404, "ResourceNotFound", "there is no such resource")
}

/// Serves until it is dropped, the same over TLS too.
///
/// # Errors
/// Where there is no port.
pub async fn serve() -> io::Result<(Service, Arc<Containers>)> {
    let containers = Arc::new(Containers {
        machines: Machines::new().map_err(io::Error::other)?,
        held: Mutex::default(),
    });
    let served = Arc::clone(&containers);
    let service = Service::with_tls(move |request| {
        let served = Arc::clone(&served);
        async move { served.answer(request).await }
    });
    Ok((service.await?, containers))
}

impl Containers {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many terminals were opened.
    pub fn opened(&self) -> u64 {
        self.held().opened
    }

    /// What the groups that are there were asked to be.
    pub fn asked(&self) -> Vec<Value> {
        let held = self.held();
        held.groups
            .values()
            .map(|group| group.asked.clone())
            .collect()
    }

    /// Stops each group and starts it again, which makes its container anew.
    ///
    /// # Errors
    /// Those of the machines.
    pub async fn restart(&self) -> Result<()> {
        let names: Vec<String> = self.held().groups.keys().cloned().collect();
        for name in names {
            let Some(group) = self.held().groups.get(&name).cloned() else {
                continue;
            };
            group.ended.notify_waiters();
            group.machine.cleanup().await?;
            let machine = self.machine(&group.asked).await?;
            if let Some(group) = self.held().groups.get_mut(&name) {
                group.machine = machine;
            }
        }
        Ok(())
    }

    async fn answer(&self, request: Request) -> Answer {
        let path: Vec<String> = request.path.clone();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        if let ["exec", number] = path[..] {
            return self.open(number, request);
        }
        if request.header("authorization") != format!("Bearer {TOKEN}") {
            return failed(401, "AuthenticationFailed", "the token is missing or wrong");
        }
        let place = [
            "subscriptions",
            SUBSCRIPTION,
            "resourceGroups",
            RESOURCES,
            "providers",
            "Microsoft.ContainerInstance",
            "containerGroups",
        ];
        let Some([name, below @ ..]) = path.strip_prefix(&place[..]) else {
            return missing();
        };
        if request
            .query
            .get("api-version")
            .is_none_or(|given| given != VERSION)
        {
            return failed(400, "InvalidApiVersionParameter", "the version is another");
        }
        let outcome = self.route(name, below, &request).await;
        outcome.unwrap_or_else(|error| failed(500, "InternalServerError", &error.to_string()))
    }

    async fn route(
        &self,
        name: &str,
        below: &[&str],
        request: &Request,
    ) -> std::result::Result<Answer, Error> {
        match (&*request.method, below) {
            ("PUT", []) => self.create(name, request.json()).await,
            ("GET", []) => {
                let mut held = self.held();
                let Some(group) = held.groups.get_mut(name) else {
                    return Ok(missing());
                };
                let told = told(name, group);
                group.running = true;
                Ok(Answer::json(200, &told))
            }
            ("DELETE", []) => {
                let Some(group) = self.held().groups.remove(name) else {
                    return Ok(Answer::new(204, "application/json", ""));
                };
                group.ended.notify_waiters();
                group.machine.cleanup().await?;
                Ok(Answer::json(200, &told(name, &group)))
            }
            ("POST", ["containers", container, "exec"]) => {
                Ok(self.terminal(name, container, request))
            }
            _ => Ok(missing()),
        }
    }

    async fn create(&self, name: &str, asked: Value) -> std::result::Result<Answer, Error> {
        let properties = &asked["properties"];
        let container = &properties["containers"][0]["properties"];
        let needed = [
            &properties["osType"],
            &container["image"],
            &container["resources"]["requests"]["memoryInGB"],
        ];
        if needed.iter().any(|field| field.is_null()) || name.len() > 63 {
            return Ok(failed(
                400,
                "InvalidContainerGroup",
                "the group lacks something",
            ));
        }
        let group = Group {
            machine: self.machine(&asked).await?,
            asked,
            running: false,
            ended: Arc::default(),
        };
        let told = told(name, &group);
        self.held().groups.insert(name.to_owned(), group);
        Ok(Answer::json(201, &told))
    }

    async fn machine(&self, asked: &Value) -> Result<Arc<dyn Environment>> {
        let container = &asked["properties"]["containers"][0]["properties"];
        let variables = container["environmentVariables"]
            .as_array()
            .into_iter()
            .flatten();
        let pair = |one: &Value| {
            let value = one["value"].as_str().or(one["secureValue"].as_str())?;
            Some((one["name"].as_str()?.to_owned(), value.to_owned()))
        };
        self.machines
            .make(MADE, variables.filter_map(pair).collect(), None)
            .await
    }

    /// A terminal that can be opened once.
    fn terminal(&self, name: &str, container: &str, request: &Request) -> Answer {
        let mut held = self.held();
        let Some(group) = held.groups.get(name).cloned() else {
            return missing();
        };
        if !group.running || group.asked["properties"]["containers"][0]["name"] != container {
            return failed(
                409,
                "ContainerGroupTransitioning",
                "the container does not run",
            );
        }
        if request.json()["command"] != "/bin/bash" {
            return failed(400, "InvalidCommand", "a program takes no arguments");
        }
        held.numbers += 1;
        let number = held.numbers.to_string();
        let scheme = if request.secure { "wss" } else { "ws" };
        let told = json!({
            "webSocketUri": format!("{scheme}://{}/exec/{number}", request.header("host")),
            "password": format!("{PASSWORD}-{number}"),
        });
        held.terminals
            .insert(number.clone(), (group, format!("{PASSWORD}-{number}")));
        Answer::json(200, &told)
    }

    fn open(&self, number: &str, request: Request) -> Answer {
        let mut held = self.held();
        let Some((group, password)) = held.terminals.remove(number) else {
            return missing();
        };
        held.opened += 1;
        drop(held);
        Answer::websocket(request, move |socket| async move {
            let ended = Arc::clone(&group.ended);
            tokio::select! {
                // How it ends is the client's affair.
                _ = talk(socket, group.machine, &password) => {}
                () = ended.notified() => {}
            }
        })
    }
}

/// A terminal with a shell, as far as such a terminal is one: it shows what is typed, and ends of lines.
async fn talk(
    mut socket: WebSocket,
    machine: Arc<dyn Environment>,
    password: &str,
) -> std::result::Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let first = socket.next().await.transpose()?;
    if first != Some(Message::text(password)) {
        return Ok(socket.close(None).await?);
    }
    // Of a terminal's settings there is nothing inside; those that matter are made here.
    let script = "stty() { :; }; export -f stty; exec /bin/bash";
    let exec = Exec::new(script).cwd(MADE).stdin(Stdin::Piped);
    let mut running = machine.spawn(exec).await?;
    let mut input = running.take_input().ok_or("no input")?;
    let (typed, mut to_write) = mpsc::unbounded_channel::<Vec<u8>>();
    let writer = tokio::spawn(async move {
        while let Some(bytes) = to_write.recv().await {
            if input.write(&bytes).await.is_err() {
                return;
            }
        }
    });
    socket.send(Message::text("root@SandboxHost:/# ")).await?;
    let (mut echo, mut two_bytes, mut line) = (true, true, Vec::new());
    let shown = |bytes: &[u8], two_bytes: bool| match two_bytes {
        true => String::from_utf8_lossy(bytes).replace('\n', "\r\n"),
        false => String::from_utf8_lossy(bytes).into_owned(),
    };
    loop {
        tokio::select! {
            event = running.next() => match event? {
                Some(Event::Stdout(bytes) | Event::Stderr(bytes)) => {
                    if socket.send(Message::text(shown(&bytes, two_bytes))).await.is_err() {
                        break;
                    }
                }
                _ => break,
            },
            message = socket.next() => {
                let Some(Ok(message)) = message else { break };
                let bytes = match message {
                    Message::Text(text) => text.as_bytes().to_vec(),
                    Message::Binary(bytes) => bytes.to_vec(),
                    Message::Close(_) => break,
                    _ => continue,
                };
                if echo {
                    socket.send(Message::text(shown(&bytes, true))).await?;
                    line.extend_from_slice(&bytes);
                    let text = String::from_utf8_lossy(&line).into_owned();
                    if text.contains('\n') {
                        echo = !text.contains("stty -echo");
                        two_bytes = !text.contains("-onlcr");
                        line.clear();
                    }
                }
                typed.send(bytes)?;
            }
        }
    }
    writer.abort();
    // What runs goes on without its terminal.
    while let Ok(Some(event)) = running.next().await {
        if matches!(event, Event::Exit(_)) {
            break;
        }
    }
    Ok(socket.close(None).await?)
}

fn told(name: &str, group: &Group) -> Value {
    let (provisioning, state) = match group.running {
        true => ("Succeeded", "Running"),
        false => ("Pending", "Pending"),
    };
    let mut properties = group.asked["properties"].clone();
    properties["provisioningState"] = provisioning.into();
    properties["instanceView"] = json!({ "events": [], "state": state });
    // What is secure is taken and not told.
    let variables =
        properties["containers"][0]["properties"]["environmentVariables"].as_array_mut();
    for variable in variables.into_iter().flatten() {
        if let Some(variable) = variable.as_object_mut() {
            variable.remove("secureValue");
        }
    }
    json!({
        "id": format!("/subscriptions/{SUBSCRIPTION}/resourceGroups/{RESOURCES}/providers/Microsoft.ContainerInstance/containerGroups/{name}"),
        "name": name, "type": "Microsoft.ContainerInstance/containerGroups",
        "location": group.asked["location"], "tags": group.asked["tags"], "properties": properties,
    })
}
