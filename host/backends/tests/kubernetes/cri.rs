//! Pods on a real containerd, by the protocol that kubelets speak to it. The streams of `exec` are
//! served by the code that kubelets serve them with.

use crate::busybox::{find, root_file_system};
use crate::node::IMAGE;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tokio::net::UnixStream;

/// How long containerd may take to answer first, and to end.
const START: Duration = Duration::from_secs(60);

/// Where a namespace is the node's, and where the container's own.
const OWN: i32 = 1;
const NODE: i32 = 2;

/// A containerd of this test alone.
pub struct Cri {
    process: Child,
    directory: PathBuf,
    /// The sandbox and the container of each pod.
    pods: Mutex<HashMap<String, (String, String)>>,
}

/// The parts of `k8s.io/cri-api` that are needed.
mod api {
    use prost::Message;

    #[derive(Clone, PartialEq, Message)]
    pub struct Version {
        #[prost(string, tag = "1")]
        pub version: String,
    }

    /// What has one text at the first place: most requests and answers.
    #[derive(Clone, PartialEq, Message)]
    pub struct Id {
        #[prost(string, tag = "1")]
        pub id: String,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Run {
        #[prost(message, optional, tag = "1")]
        pub config: Option<Sandbox>,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Sandbox {
        #[prost(message, optional, tag = "1")]
        pub metadata: Option<SandboxName>,
        #[prost(message, optional, tag = "8")]
        pub linux: Option<LinuxSandbox>,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct SandboxName {
        #[prost(string, tag = "1")]
        pub name: String,
        #[prost(string, tag = "2")]
        pub uid: String,
        #[prost(string, tag = "3")]
        pub namespace: String,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct LinuxSandbox {
        #[prost(message, optional, tag = "2")]
        pub security: Option<SandboxSecurity>,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct SandboxSecurity {
        #[prost(message, optional, tag = "1")]
        pub namespaces: Option<Namespaces>,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Namespaces {
        #[prost(int32, tag = "1")]
        pub network: i32,
        #[prost(int32, tag = "2")]
        pub pid: i32,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Create {
        #[prost(string, tag = "1")]
        pub sandbox: String,
        #[prost(message, optional, tag = "2")]
        pub config: Option<Container>,
        #[prost(message, optional, tag = "3")]
        pub sandbox_config: Option<Sandbox>,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Container {
        #[prost(message, optional, tag = "1")]
        pub metadata: Option<Id>,
        #[prost(message, optional, tag = "2")]
        pub image: Option<Id>,
        #[prost(string, repeated, tag = "3")]
        pub command: Vec<String>,
        #[prost(message, repeated, tag = "6")]
        pub variables: Vec<Variable>,
        #[prost(message, repeated, tag = "7")]
        pub mounts: Vec<Mount>,
        #[prost(message, optional, tag = "15")]
        pub linux: Option<LinuxContainer>,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Variable {
        #[prost(string, tag = "1")]
        pub name: String,
        #[prost(string, tag = "2")]
        pub value: String,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Mount {
        #[prost(string, tag = "1")]
        pub inside: String,
        #[prost(string, tag = "2")]
        pub source: String,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct LinuxContainer {
        #[prost(message, optional, tag = "1")]
        pub resources: Option<Resources>,
        #[prost(message, optional, tag = "2")]
        pub security: Option<ContainerSecurity>,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Resources {
        #[prost(int64, tag = "1")]
        pub period: i64,
        #[prost(int64, tag = "2")]
        pub quota: i64,
        #[prost(int64, tag = "4")]
        pub memory: i64,
        #[prost(int64, tag = "10")]
        pub swap: i64,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct ContainerSecurity {
        #[prost(message, optional, tag = "3")]
        pub namespaces: Option<Namespaces>,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Exec {
        #[prost(string, tag = "1")]
        pub container: String,
        #[prost(string, repeated, tag = "2")]
        pub words: Vec<String>,
        #[prost(bool, tag = "4")]
        pub stdin: bool,
        #[prost(bool, tag = "5")]
        pub stdout: bool,
        #[prost(bool, tag = "6")]
        pub stderr: bool,
    }

    #[derive(Clone, PartialEq, Message)]
    pub struct Nothing {}
}

impl Cri {
    /// Starts one in a directory, or says why it cannot.
    pub fn start(directory: &Path) -> Result<Cri, String> {
        for program in ["containerd", "ctr", "runc", "sha256sum"] {
            if find(program).is_none() {
                return Err(format!("there is no {program}"));
            }
        }
        let directory = directory.join("containerd");
        std::fs::create_dir_all(&directory).unwrap();
        let at = |name: &str| directory.join(name).display().to_string();
        let config = format!(
            "version = 2\nroot = {:?}\nstate = {:?}\n\
             [grpc]\naddress = {:?}\n\
             [plugins.\"io.containerd.grpc.v1.cri\"]\n\
             stream_server_address = \"127.0.0.1\"\nstream_server_port = \"0\"\n\
             restrict_oom_score_adj = true\ndisable_hugetlb_controller = true\n\
             sandbox_image = \"docker.io/{IMAGE}\"\n\
             [plugins.\"io.containerd.grpc.v1.cri\".containerd]\nsnapshotter = \"native\"\n\
             [plugins.\"io.containerd.internal.v1.opt\"]\npath = {:?}\n",
            at("root"),
            at("state"),
            at("socket"),
            at("opt")
        );
        std::fs::write(directory.join("config.toml"), config).unwrap();
        let log = std::fs::File::create(directory.join("log")).unwrap();
        let process = Command::new("containerd")
            .arg("--config")
            .arg(directory.join("config.toml"))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut cri = Cri {
            process,
            directory,
            pods: Mutex::default(),
        };
        let started = Instant::now();
        while let Err(error) = cri.call::<_, api::Nothing>("Version", api::Version::default()) {
            if cri.process.try_wait().unwrap().is_some() || started.elapsed() > START {
                let log = std::fs::read_to_string(cri.directory.join("log")).unwrap();
                return Err(format!("containerd does not answer: {error}\n{log}"));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        cri.import()?;
        Ok(cri)
    }

    /// Gives it the image.
    fn import(&self) -> Result<(), String> {
        let directory = self.directory.join("image");
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("layer.tar"), root_file_system()).unwrap();
        let sum = Command::new("sha256sum")
            .arg(directory.join("layer.tar"))
            .output();
        let sum = String::from_utf8(sum.unwrap().stdout).unwrap();
        let sum = sum.split(' ').next().unwrap();
        let architecture = match std::env::consts::ARCH {
            "aarch64" => "arm64",
            _ => "amd64",
        };
        let config = json!({"architecture": architecture, "os": "linux",
            "config": {"Cmd": ["sleep", "1000000"],
                "Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]},
            "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{sum}")]}});
        let manifest = json!([{"Config": "config.json", "RepoTags": [IMAGE],
            "Layers": ["layer.tar"]}]);
        std::fs::write(directory.join("config.json"), config.to_string()).unwrap();
        std::fs::write(directory.join("manifest.json"), manifest.to_string()).unwrap();
        let archive = self.directory.join("image.tar");
        let mut tar = tar::Builder::new(std::fs::File::create(&archive).unwrap());
        for name in ["manifest.json", "config.json", "layer.tar"] {
            tar.append_path_with_name(directory.join(name), name)
                .unwrap();
        }
        tar.finish().unwrap();
        let imported = Command::new("ctr")
            .arg("--address")
            .arg(self.directory.join("socket"))
            .args(["--namespace", "k8s.io", "images", "import"])
            .args(["--snapshotter", "native"])
            .arg(&archive)
            .output()
            .unwrap();
        match imported.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8_lossy(&imported.stderr).into_owned()),
        }
    }

    /// Starts a pod, or says why it cannot.
    pub fn run(&self, id: &str, spec: &Value, volumes: &[(String, PathBuf)]) -> Result<(), String> {
        let namespaces = |pid| api::Namespaces { network: NODE, pid };
        let sandbox = api::Sandbox {
            metadata: Some(api::SandboxName {
                name: id.to_owned(),
                uid: id.to_owned(),
                namespace: "default".to_owned(),
            }),
            linux: Some(api::LinuxSandbox {
                security: Some(api::SandboxSecurity {
                    namespaces: Some(namespaces(OWN)),
                }),
            }),
        };
        let config = Some(sandbox.clone());
        let pod: api::Id = self.call("RunPodSandbox", api::Run { config })?;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let words = spec["process"]["args"].as_array().unwrap();
        let variables = spec["process"]["env"].as_array().unwrap();
        let variables = variables.iter().map(|variable| {
            let (name, value) = variable.as_str().unwrap().split_once('=').unwrap();
            let (name, value) = (name.to_owned(), value.to_owned());
            api::Variable { name, value }
        });
        let limits = &spec["linux"]["resources"];
        let limit = |value: &Value| value.as_i64().unwrap_or(0);
        let mount = |(inside, source): &(String, PathBuf)| api::Mount {
            inside: inside.clone(),
            source: source.display().to_string(),
        };
        let container = api::Container {
            metadata: Some(api::Id {
                id: "main".to_owned(),
            }),
            image: Some(api::Id {
                id: format!("docker.io/{IMAGE}"),
            }),
            command: words.iter().map(text).collect(),
            variables: variables.collect(),
            mounts: volumes.iter().map(mount).collect(),
            linux: Some(api::LinuxContainer {
                resources: Some(api::Resources {
                    period: limit(&limits["cpu"]["period"]),
                    quota: limit(&limits["cpu"]["quota"]),
                    memory: limit(&limits["memory"]["limit"]),
                    swap: limit(&limits["memory"]["swap"]),
                }),
                security: Some(api::ContainerSecurity {
                    namespaces: Some(namespaces(OWN)),
                }),
            }),
        };
        let create = api::Create {
            sandbox: pod.id.clone(),
            config: Some(container),
            sandbox_config: Some(sandbox),
        };
        let made: Result<api::Id, String> = self.call("CreateContainer", create);
        let made = made.map(|made| made.id);
        let container = made.clone().unwrap_or_default();
        self.pods
            .lock()
            .unwrap()
            .insert(id.to_owned(), (pod.id, container));
        self.call("StartContainer", api::Id { id: made? })
            .map(|api::Nothing {}| ())
    }

    /// Ends a pod; a missing one is fine.
    pub fn end(&self, id: &str) {
        let pod = self.pods.lock().unwrap().get(id).cloned();
        let Some((pod, _)) = pod else {
            return;
        };
        for method in ["StopPodSandbox", "RemovePodSandbox"] {
            let id = pod.clone();
            let _: api::Nothing = self.call(method, api::Id { id }).unwrap();
        }
        self.pods.lock().unwrap().remove(id);
    }

    /// The pods that are there.
    pub fn pods(&self) -> Vec<String> {
        self.pods.lock().unwrap().keys().cloned().collect()
    }

    /// Where the streams of a command are to be had.
    pub async fn exec(&self, id: &str, words: &[String], stdin: bool) -> Result<String, String> {
        let pod = self.pods.lock().unwrap().get(id).cloned();
        let (_, container) = pod.ok_or("container not found")?;
        let exec = api::Exec {
            container,
            words: words.to_vec(),
            stdin,
            stdout: true,
            stderr: true,
        };
        let found: api::Id = ask(&self.directory.join("socket"), "Exec", exec).await?;
        Ok(found.id)
    }

    /// As [`ask`], from where nothing is awaited.
    fn call<Q: Message, A: Message + Default>(
        &self,
        method: &str,
        request: Q,
    ) -> Result<A, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(ask(&self.directory.join("socket"), method, request))
    }
}

impl Drop for Cri {
    fn drop(&mut self) {
        for id in self.pods() {
            // Its runtime may be this one.
            std::thread::scope(|scope| {
                scope.spawn(|| self.end(&id)).join().unwrap();
            });
        }
        if let Some(pid) = i32::try_from(self.process.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let started = Instant::now();
        while let Ok(None) = self.process.try_wait() {
            if started.elapsed() > START {
                let _ = self.process.kill();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// One call over a connection of its own.
async fn ask<Q: Message, A: Message + Default>(
    socket: &Path,
    method: &str,
    request: Q,
) -> Result<A, String> {
    let told = |error: &dyn std::fmt::Display| format!("{method}: {error}");
    let stream = UnixStream::connect(socket).await;
    let stream = TokioIo::new(stream.map_err(|error| told(&error))?);
    let connected = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await;
    let (mut sender, connection) = connected.map_err(|error| told(&error))?;
    tokio::spawn(connection);
    let message = request.encode_to_vec();
    let mut body = vec![0];
    body.extend_from_slice(&u32::try_from(message.len()).unwrap().to_be_bytes());
    body.extend_from_slice(&message);
    let request = Request::post(format!(
        "http://localhost/runtime.v1.RuntimeService/{method}"
    ))
    .header("content-type", "application/grpc")
    .header("te", "trailers")
    .body(Full::new(Bytes::from(body)))
    .unwrap();
    let answer = sender.send_request(request).await;
    let answer = answer.map_err(|error| told(&error))?;
    let headers = answer.headers().clone();
    let body = answer.into_body().collect().await;
    let body = body.map_err(|error| told(&error))?;
    let trailers = body.trailers().cloned().unwrap_or(headers);
    let text = |name: &str| {
        let value = trailers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    if text("grpc-status") != "0" {
        return Err(told(&text("grpc-message")));
    }
    A::decode(body.to_bytes().slice(5..)).map_err(|error| told(&error))
}
