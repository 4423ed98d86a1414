//! Cloudflare's bridge: its own code (npm `@cloudflare/sandbox` 0.12.10) in `workerd`, over containers that
//! this stands in for.
//!
//! All that a connector sees is Cloudflare's. What the bridge asks of a container was read in its source:
//! a start, an end, the version, `/api/execute`, `/api/execute/stream` and `/api/write`. A command is text
//! for `bash` in `/workspace`; what is not UTF-8 in its output is lost.

use crate::machine::{self, Job, Machines, Said};
use crate::service::{Answer, Request, Service};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures::stream::StreamExt;
use offshoot::backend::{Environment, Error, Exec};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;

/// The key that the bridge asks for.
pub const KEY: &str = "5ecre7c0de5ecre7c0de5ecre7c0de";
/// The directory of a sandbox, the only one that the bridge reads and writes.
pub const WORKSPACE: &str = "/workspace";
/// Bytes of a command: it is one argument of a shell.
const COMMAND: usize = (128 << 10) - 1;

#[derive(Clone)]
struct Container {
    machine: Arc<dyn Environment>,
    /// True from its end on.
    ended: Arc<watch::Sender<bool>>,
}

/// The containers.
pub struct Containers {
    machines: Machines,
    held: Mutex<HashMap<String, Container>>,
}

impl std::fmt::Debug for Containers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Containers")
    }
}

type Outcome = Result<Answer, Error>;

impl Containers {
    fn held(&self) -> MutexGuard<'_, HashMap<String, Container>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many containers there are.
    pub fn count(&self) -> usize {
        self.held().len()
    }

    /// Ends all containers, as their sleep does.
    ///
    /// # Errors
    /// Those of the machines.
    pub async fn sleep(&self) -> Result<(), Error> {
        let ended: Vec<Container> = self.held().drain().map(|(_, one)| one).collect();
        for one in ended {
            one.end().await?;
        }
        Ok(())
    }

    async fn answer(&self, request: Request) -> Answer {
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        let outcome = self.routed(&path, &request).await;
        outcome.unwrap_or_else(|error| failed(500, "INTERNAL_ERROR", &error.to_string()))
    }

    async fn routed(&self, path: &[&str], request: &Request) -> Outcome {
        let (id, rest) = path.split_first().unwrap_or((&"", &[]));
        if (&*request.method, rest) == ("PUT", &[]) {
            let container = Container {
                machine: self.machines.make(WORKSPACE, Vec::new(), None).await?,
                ended: Arc::new(watch::Sender::new(false)),
            };
            self.held().insert((*id).to_owned(), container);
            return Ok(Answer::json(200, &json!({})));
        }
        let found = self.held().get(*id).cloned();
        let Some(container) = found else {
            return Ok(failed(404, "NOT_FOUND", "there is no such container"));
        };
        match (&*request.method, rest) {
            ("DELETE", []) => {
                self.held().remove(*id);
                container.end().await?;
                Ok(Answer::json(200, &json!({})))
            }
            ("GET", ["ended"]) => {
                // A sender that is gone has ended, too.
                let _ = container.ended.subscribe().wait_for(|ended| *ended).await;
                Ok(Answer::json(200, &json!({})))
            }
            ("GET", ["" | "ping"] | []) => Ok(Answer::new(200, "text/plain", "ok")),
            ("GET", ["api", "version"]) => {
                let told = json!({ "success": true, "version": "0.12.10" });
                Ok(Answer::json(200, &told))
            }
            ("POST", ["api", "execute"]) => Ok(container.execute(&request.json()).await),
            ("POST", ["api", "execute", "stream"]) => Ok(container.stream(&request.json())),
            ("POST", ["api", "write"]) => container.write(&request.json()).await,
            _ => Ok(failed(404, "NOT_FOUND", "no such route")),
        }
    }
}

fn failed(status: u16, code: &str, message: &str) -> Answer {
    Answer::json(status, &json!({ "code": code, "message": message }))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Container {
    async fn end(&self) -> Result<(), Error> {
        self.ended.send_replace(true);
        self.machine.cleanup().await
    }

    fn start(&self, asked: &Value) -> Option<Arc<Job>> {
        let command = asked["command"].as_str()?;
        if command.len() > COMMAND {
            return None;
        }
        let exec = Exec::new("").cwd(asked["cwd"].as_str().unwrap_or(WORKSPACE));
        let words = ["/bin/bash", "-c", command].map(str::to_owned);
        Some(machine::start(Arc::clone(&self.machine), &words, exec))
    }

    async fn execute(&self, asked: &Value) -> Answer {
        let Some(job) = self.start(asked) else {
            return failed(
                400,
                "INVALID_COMMAND",
                "no command, or one that is too long",
            );
        };
        let (mut out, mut err, mut status) = (Vec::new(), Vec::new(), 255);
        let mut said = Box::pin(job.listen());
        while let Some(said) = said.next().await {
            match said {
                Said::Out(bytes) => out.extend_from_slice(&bytes),
                Said::Err(bytes) => err.extend_from_slice(&bytes),
                Said::End(code) => status = code,
                Said::Failed(why) => return failed(500, "COMMAND_EXECUTION_ERROR", &why),
            }
        }
        let told = json!({
            "success": status == 0, "exitCode": status, "stdout": text(&out), "stderr": text(&err),
            "command": asked["command"], "timestamp": "2026-11-01T00:00:00Z",
        });
        Answer::json(200, &told)
    }

    fn stream(&self, asked: &Value) -> Answer {
        let Some(job) = self.start(asked) else {
            return failed(
                400,
                "INVALID_COMMAND",
                "no command, or one that is too long",
            );
        };
        let begun = json!({ "type": "start", "command": asked["command"] });
        let told = job.listen().map(|said| match said {
            Said::Out(bytes) => json!({ "type": "stdout", "data": text(&bytes) }),
            Said::Err(bytes) => json!({ "type": "stderr", "data": text(&bytes) }),
            Said::End(status) => json!({ "type": "complete", "exitCode": status }),
            Said::Failed(why) => json!({ "type": "error", "data": why }),
        });
        let events = futures::stream::once(async move { begun }).chain(told);
        let pieces = events.map(|event| Ok(Bytes::from(format!("data: {event}\n\n"))));
        Answer::stream("text/event-stream", pieces)
    }

    async fn write(&self, asked: &Value) -> Outcome {
        let content = asked["content"].as_str().unwrap_or_default();
        let content = match asked["encoding"].as_str() {
            Some("base64") => STANDARD.decode(content).ok(),
            _ => Some(content.as_bytes().to_vec()),
        };
        let (Some(path), Some(content)) = (asked["path"].as_str(), content) else {
            return Ok(failed(
                400,
                "VALIDATION_FAILED",
                "a path and content are needed",
            ));
        };
        self.machine.write_file(path, &content).await?;
        let told = json!({ "success": true, "path": path, "timestamp": "2026-11-01T00:00:00Z" });
        Ok(Answer::json(200, &told))
    }
}

/// The bridge in a process of its own; dropping it ends the process and the containers.
#[derive(Debug)]
pub struct Bridge {
    url: String,
    containers: Arc<Containers>,
    // In this order: who asks ends before who answers.
    _workerd: Child,
    _service: Service,
    _directory: tempfile::TempDir,
}

impl Bridge {
    /// Bundles the worker with what `install` put below `clients`, and serves it.
    ///
    /// # Errors
    /// Where it cannot be bundled or does not begin; what its programs say goes to standard error.
    pub async fn start(clients: &Path) -> io::Result<Bridge> {
        let containers = Arc::new(Containers {
            machines: Machines::new().map_err(io::Error::other)?,
            held: Mutex::default(),
        });
        let served = Arc::clone(&containers);
        let service = Service::start(move |request| {
            let served = Arc::clone(&served);
            async move { served.answer(request).await }
        })
        .await?;
        let (directory, node) = (tempfile::tempdir()?, clients.join("node"));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/cloudflare_worker.js");
        bundle(&node, &source, directory.path()).await?;
        let config = directory.path().join("config.capnp");
        let storage = directory.path().join("storage");
        std::fs::create_dir(&storage)?;
        std::fs::write(&config, configuration(&service.url(), &storage))?;
        let program = Command::new("node")
            .args(["-p", "require('workerd').default"])
            .current_dir(&node)
            .output()
            .await?;
        let mut workerd = Command::new(text(&program.stdout).trim())
            .args(["serve", "--experimental", "--control-fd=1"])
            .arg(&config)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            // It logs every command.
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        let port = port(&mut workerd).await?;
        Ok(Bridge {
            url: format!("http://127.0.0.1:{port}"),
            containers,
            _workerd: workerd,
            _service: service,
            _directory: directory,
        })
    }

    /// Where the bridge is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The containers.
    pub fn containers(&self) -> &Containers {
        &self.containers
    }
}

/// Makes one module of the worker and of what it imports, which is looked for below `node`.
async fn bundle(node: &Path, source: &Path, out: &Path) -> io::Result<()> {
    let bundled = Command::new(node.join("node_modules/.bin/esbuild"))
        .args(["--bundle", "--format=esm", "--log-level=warning"])
        .args(["--conditions=workerd,worker,import"])
        .args(["--external:cloudflare:*", "--external:node:*"])
        .arg(format!("--outfile={}", out.join("worker.js").display()))
        .arg(source)
        .env("NODE_PATH", node.join("node_modules"))
        .stdin(Stdio::null())
        .status()
        .await?;
    match bundled.success() {
        true => Ok(()),
        false => Err(io::Error::other("the worker was not bundled")),
    }
}

/// The port, which is told once it is open.
async fn port(workerd: &mut Child) -> io::Result<u64> {
    let out = workerd.stdout.take();
    let out = out.ok_or_else(|| io::Error::other("there is no standard output"))?;
    let mut lines = BufReader::new(out).lines();
    while let Some(line) = lines.next_line().await? {
        let told: Value = serde_json::from_str(&line).unwrap_or_default();
        if let (Some("listen"), Some(port)) = (told["event"].as_str(), told["port"].as_u64()) {
            return Ok(port);
        }
    }
    Err(io::Error::other("the worker did not begin"))
}

fn configuration(containers: &str, storage: &Path) -> String {
    let storage = storage.display();
    format!(
        r#"using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "containers", network = (allow = ["private"])),
    (name = "storage", disk = (path = "{storage}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-07-01",
  compatibilityFlags = ["nodejs_compat"],
  globalOutbound = "containers",
  bindings = [
    (name = "Sandbox", durableObjectNamespace = "Sandbox"),
    (name = "WarmPool", durableObjectNamespace = "WarmPool"),
    (name = "CONTAINERS", text = "{containers}"),
    (name = "SANDBOX_API_KEY", text = "{KEY}"),
    (name = "SANDBOX_TRANSPORT", text = "http"),
  ],
  durableObjectNamespaces = [
    (className = "Sandbox", uniqueKey = "sandbox", enableSql = true),
    (className = "WarmPool", uniqueKey = "pool", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "storage"),
);
"#
    )
}
