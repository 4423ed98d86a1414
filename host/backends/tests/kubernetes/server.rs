//! An API server: pods and claims of volumes, watching, and `exec` over WebSocket. Its pods run, as
//! a [`Node`] runs them.

use crate::certificates::Certificates;
use crate::exec;
use crate::node::Node;
use futures::channel::mpsc;
use futures::{Stream, StreamExt};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

pub type Body = BoxBody<Bytes, Infallible>;

pub const V4: &str = "v4.channel.k8s.io";
pub const V5: &str = "v5.channel.k8s.io";

/// Pods or claims, in a namespace.
type Kind = (&'static str, String);

/// A server that can be stopped and started, and what it knows.
pub struct Server {
    pub cluster: Arc<Cluster>,
    address: SocketAddr,
    runtime: Option<Runtime>,
    tls: Option<TlsAcceptor>,
}

/// What outlives the server.
pub struct Cluster {
    pub node: Node,
    objects: Mutex<BTreeMap<(Kind, String), Value>>,
    events: Mutex<Vec<(Kind, Value)>>,
    version: watch::Sender<usize>,
    /// The protocols of `exec` that are spoken.
    pub protocols: Vec<&'static str>,
    token: Option<String>,
    /// The addresses that were asked for, as an audit log has them.
    pub log: Mutex<Vec<String>>,
    /// Whether nothing is answered.
    pub is_frozen: AtomicBool,
    /// The commands that run.
    pub commands: AtomicUsize,
    /// The containers that are being made.
    starting: Mutex<BTreeSet<String>>,
}

impl Server {
    /// A server that speaks these protocols, or why there is none.
    pub fn start(protocols: &[&'static str], token: Option<&str>) -> Result<Server, String> {
        Ok(Server::with(Node::new()?, protocols, token))
    }

    /// The same with this node.
    pub fn with(node: Node, protocols: &[&'static str], token: Option<&str>) -> Server {
        let cluster = Arc::new(Cluster {
            node,
            objects: Mutex::default(),
            events: Mutex::default(),
            version: watch::Sender::new(1),
            protocols: protocols.to_vec(),
            token: token.map(str::to_owned),
            log: Mutex::default(),
            is_frozen: AtomicBool::new(false),
            commands: AtomicUsize::new(0),
            starting: Mutex::default(),
        });
        let mut server = Server {
            cluster,
            address: (Ipv4Addr::LOCALHOST, 0).into(),
            runtime: None,
            tls: None,
        };
        server.resume();
        server
    }

    /// Speaks TLS from now on.
    pub fn secure(&mut self, certificates: &Certificates) {
        self.kill();
        self.tls = Some(certificates.acceptor());
        self.resume();
    }

    pub fn url(&self) -> String {
        let scheme = match self.tls {
            None => "http",
            Some(_) => "https",
        };
        format!("{scheme}://{}", self.address)
    }

    /// Stops it at once, with all connections.
    pub fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    /// Starts it, on the same port as before.
    pub fn resume(&mut self) {
        let runtime = Runtime::new().unwrap();
        // One that was killed a moment ago may still hold the port.
        let listener = loop {
            match std::net::TcpListener::bind(self.address) {
                Err(error) if error.kind() == ErrorKind::AddrInUse => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                bound => break bound.unwrap(),
            }
        };
        listener.set_nonblocking(true).unwrap();
        self.address = listener.local_addr().unwrap();
        let (cluster, tls) = (Arc::clone(&self.cluster), self.tls.clone());
        runtime.spawn(async move {
            let listener = TcpListener::from_std(listener).unwrap();
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (cluster, tls) = (Arc::clone(&cluster), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => serve(cluster, stream).await,
                        // Whoever has no certificate gets no answer.
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(cluster, stream).await;
                            }
                        }
                    }
                });
            }
        });
        self.runtime = Some(runtime);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        // What was asked of it may still be under way, and hold the cluster.
        let node = &self.cluster.node;
        std::thread::scope(|scope| {
            for id in node.containers() {
                scope.spawn(move || node.end(&id));
            }
        });
    }
}

impl Cluster {
    fn objects(&self) -> MutexGuard<'_, BTreeMap<(Kind, String), Value>> {
        self.objects.lock().unwrap()
    }

    /// The names of all objects of a kind.
    pub fn names(&self, kind: &str) -> Vec<String> {
        let objects = self.objects();
        let found = objects.keys().filter(|((found, _), _)| *found == kind);
        found.map(|(_, name)| name.clone()).collect()
    }

    /// An object as it is now.
    pub fn object(&self, kind: &'static str, namespace: &str, name: &str) -> Option<Value> {
        let kind = (kind, namespace.to_owned());
        self.objects().get(&(kind, name.to_owned())).cloned()
    }

    /// Whether the pod with this id is there to stay.
    pub fn is_there(&self, id: &str) -> bool {
        let objects = self.objects();
        let mut found = objects.values().map(|object| &object["metadata"]);
        found.any(|metadata| metadata["uid"] == id && metadata["deletionTimestamp"].is_null())
    }

    /// Writes an object, and tells whoever watches.
    fn put(&self, kind: &Kind, mut object: Value, event: &str) -> Value {
        let mut objects = self.objects();
        let mut events = self.events.lock().unwrap();
        let version = events.len() + 2;
        object["metadata"]["resourceVersion"] = version.to_string().into();
        let name = object["metadata"]["name"].as_str().unwrap().to_owned();
        match event {
            "DELETED" => drop(objects.remove(&(kind.clone(), name))),
            _ => drop(objects.insert((kind.clone(), name), object.clone())),
        }
        events.push((kind.clone(), json!({"type": event, "object": object})));
        self.version.send_replace(version);
        object
    }

    /// Makes an object, and runs it where it is a pod.
    pub fn create(self: &Arc<Self>, kind: &Kind, mut object: Value) -> (u16, Value) {
        let name = object["metadata"]["name"].as_str().unwrap_or("").to_owned();
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || !name.bytes().all(is_name) {
            return status(
                422,
                "Invalid",
                &format!("metadata.name: Invalid value: {name:?}"),
            );
        }
        if self.objects().contains_key(&(kind.clone(), name.clone())) {
            return status(
                409,
                "AlreadyExists",
                &format!("{} {name:?} already exists", kind.0),
            );
        }
        let id = Node::name();
        object["metadata"]["uid"] = id.into();
        object["metadata"]["namespace"] = kind.1.clone().into();
        object["metadata"]["creationTimestamp"] = "2026-01-01T00:00:00Z".into();
        object["status"]["phase"] = "Pending".into();
        let object = self.put(kind, object, "ADDED");
        if kind.0 == "pods" {
            let id = object["metadata"]["uid"].as_str().unwrap();
            self.starting.lock().unwrap().insert(id.to_owned());
            let (cluster, kind, pod) = (Arc::clone(self), kind.clone(), object.clone());
            std::thread::spawn(move || cluster.run(&kind, pod));
        }
        (201, object)
    }

    fn run(&self, kind: &Kind, mut pod: Value) {
        let id = pod["metadata"]["uid"].as_str().unwrap().to_owned();
        let name = pod["spec"]["containers"][0]["name"].clone();
        let state = |state: Value| {
            json!([{"name": name, "state": state, "ready": true,
            "image": "", "imageID": "", "restartCount": 0}])
        };
        pod["status"]["containerStatuses"] =
            state(json!({"waiting": {"reason": "ContainerCreating"}}));
        pod = self.put(kind, pod, "MODIFIED");
        match self.node.start(&id, &pod) {
            Ok(()) => {
                pod["status"]["phase"] = "Running".into();
                pod["status"]["containerStatuses"] = state(json!({"running": {}}));
            }
            Err((reason, message)) => {
                let waiting = json!({"waiting": {"reason": reason, "message": message}});
                pod["status"]["containerStatuses"] = state(waiting);
            }
        }
        // It may have been deleted meanwhile.
        let now = self.object("pods", &kind.1, pod["metadata"]["name"].as_str().unwrap());
        match now {
            Some(now) if now["metadata"]["uid"] == *id => {
                if !now["metadata"]["deletionTimestamp"].is_null() {
                    pod["metadata"] = now["metadata"].clone();
                }
                self.put(kind, pod, "MODIFIED");
            }
            _ => {}
        }
        self.starting.lock().unwrap().remove(&id);
    }

    /// Deletes an object, as somebody else would.
    pub fn remove(self: &Arc<Self>, kind: &'static str, namespace: &str, name: &str) {
        let object = self.object(kind, namespace, name).unwrap();
        self.delete(&(kind, namespace.to_owned()), object);
    }

    fn delete(self: &Arc<Self>, kind: &Kind, mut object: Value) -> Value {
        object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:01Z".into();
        let object = self.put(kind, object, "MODIFIED");
        let (cluster, kind, gone) = (Arc::clone(self), kind.clone(), object.clone());
        std::thread::spawn(move || {
            let name = gone["metadata"]["name"].as_str().unwrap();
            if kind.0 == "pods" {
                let id = gone["metadata"]["uid"].as_str().unwrap();
                while cluster.starting.lock().unwrap().contains(id) {
                    std::thread::sleep(Duration::from_millis(20));
                }
                cluster.node.end(id);
                cluster.put(&kind, gone, "DELETED");
                return;
            }
            // A claim stays while a pod uses it, which has its name here.
            while cluster.names("pods").iter().any(|pod| pod == name) {
                std::thread::sleep(Duration::from_millis(20));
            }
            cluster.node.forget(name);
            cluster.put(&kind, gone, "DELETED");
        });
        object
    }

    /// What happens to objects of a kind from a version on, a line each.
    fn changes(
        self: &Arc<Self>,
        kind: Kind,
        from: usize,
        name: Option<String>,
    ) -> impl Stream<Item = Bytes> + Send + use<> {
        let (sender, receiver) = mpsc::unbounded();
        let cluster = Arc::clone(self);
        let mut version = cluster.version.subscribe();
        let mut next = from.saturating_sub(1);
        tokio::spawn(async move {
            loop {
                let news = cluster.events.lock().unwrap()[next..].to_vec();
                next += news.len();
                for (found, event) in news {
                    let named = name
                        .as_deref()
                        .is_none_or(|name| event["object"]["metadata"]["name"] == name);
                    let line = Bytes::from(format!("{event}\n"));
                    if found == kind && named && sender.unbounded_send(line).is_err() {
                        return;
                    }
                }
                tokio::select! {
                    changed = version.changed() => if changed.is_err() { return; },
                    () = tokio::time::sleep(Duration::from_millis(500)) => {}
                }
                if sender.is_closed() {
                    return;
                }
            }
        });
        receiver
    }
}

/// What the API server says instead of an object.
pub fn status(code: u16, reason: &str, message: &str) -> (u16, Value) {
    let status = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "reason": reason, "message": message, "code": code});
    (code, status)
}

pub fn respond((code, value): (u16, Value)) -> Response<Body> {
    let body = Full::new(Bytes::from(value.to_string()));
    Response::builder()
        .status(StatusCode::from_u16(code).unwrap())
        .header("content-type", "application/json")
        .body(body.boxed())
        .unwrap()
}

/// Answers all that comes over a connection.
async fn serve(
    cluster: Arc<Cluster>,
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
) {
    let service = service_fn(|request| {
        let cluster = Arc::clone(&cluster);
        async move { Ok::<_, Infallible>(answer(cluster, request).await) }
    });
    let http = hyper::server::conn::http1::Builder::new();
    let served = http.serve_connection(TokioIo::new(stream), service);
    let _ = served.with_upgrades().await;
}

async fn answer(cluster: Arc<Cluster>, request: Request<Incoming>) -> Response<Body> {
    cluster.log.lock().unwrap().push(request.uri().to_string());
    if cluster.is_frozen.load(Ordering::Acquire) {
        std::future::pending::<()>().await;
    }
    if let Some(token) = &cluster.token {
        let shown = request.headers().get("authorization");
        if shown.is_none_or(|shown| shown != &*format!("Bearer {token}")) {
            return respond(status(401, "Unauthorized", "Unauthorized"));
        }
    }
    let query = request.uri().query().unwrap_or("");
    let query: Vec<(String, String)> = url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    let path = request.uri().path().trim_matches('/').to_owned();
    let parts: Vec<&str> = path.split('/').collect();
    let (namespace, kind, rest) = match &*parts {
        ["api", "v1", "namespaces", namespace, kind, rest @ ..] => (*namespace, *kind, rest),
        _ => return respond(discovery(&path)),
    };
    let kind = match kind {
        "pods" => ("pods", namespace.to_owned()),
        "persistentvolumeclaims" => ("persistentvolumeclaims", namespace.to_owned()),
        _ => {
            return respond(status(
                404,
                "NotFound",
                "the server could not find the requested resource",
            ));
        }
    };
    let missing = |name: &str| {
        respond(status(
            404,
            "NotFound",
            &format!("{} {name:?} not found", kind.0),
        ))
    };
    match (request.method().clone(), rest) {
        (Method::POST, []) => {
            let body = request.into_body().collect().await.unwrap().to_bytes();
            respond(cluster.create(&kind, serde_json::from_slice(&body).unwrap()))
        }
        (Method::GET, []) => list(&cluster, kind, &query),
        (Method::GET, [name]) => match cluster.object(kind.0, namespace, name) {
            Some(object) => respond((200, object)),
            None => missing(name),
        },
        (Method::DELETE, [name]) => match cluster.object(kind.0, namespace, name) {
            Some(object) if object["metadata"]["deletionTimestamp"].is_null() => {
                respond((200, cluster.delete(&kind, object)))
            }
            Some(object) => respond((200, object)),
            None => missing(name),
        },
        (_, [name, "exec"]) if kind.0 == "pods" => match cluster.object("pods", namespace, name) {
            Some(pod) => exec::answer(cluster, request, pod, &query),
            None => missing(name),
        },
        _ => respond(status(405, "MethodNotAllowed", "no such method")),
    }
}

fn list(cluster: &Arc<Cluster>, kind: Kind, query: &[(String, String)]) -> Response<Body> {
    let of = |name: &str| {
        let mut found = query.iter().filter(|(key, _)| key == name);
        found.next().map(|(_, value)| value.as_str())
    };
    let name =
        of("fieldSelector").map(|only| only.strip_prefix("metadata.name=").unwrap().to_owned());
    if of("sendInitialEvents").is_some() {
        // As a server says that does not have it; clients then list first.
        let message = "sendInitialEvents: Forbidden: the WatchList feature gate is not enabled";
        return respond(status(422, "Invalid", message));
    }
    if matches!(of("watch"), Some("true" | "1")) {
        let from = of("resourceVersion").unwrap_or("0").parse().unwrap();
        let frames = cluster
            .changes(kind, from, name)
            .map(|line| Ok(Frame::data(line)));
        return Response::builder()
            .header("content-type", "application/json")
            .body(BodyExt::boxed(StreamBody::new(frames)))
            .unwrap();
    }
    let label = of("labelSelector").map(|only| only.split_once('=').unwrap());
    let objects = cluster.objects();
    let found = objects.iter().filter(|((found, own), object)| {
        let labels = &object["metadata"]["labels"];
        *found == kind
            && label.is_none_or(|(key, value)| labels[key] == value)
            && name.as_ref().is_none_or(|name| own == name)
    });
    let items: Vec<&Value> = found.map(|(_, object)| object).collect();
    let version = cluster.version.borrow().to_string();
    respond((
        200,
        json!({"kind": if kind.0 == "pods" { "PodList" } else { "PersistentVolumeClaimList" },
        "apiVersion": "v1", "metadata": {"resourceVersion": version}, "items": items}),
    ))
}

/// What clients ask for before anything else.
fn discovery(path: &str) -> (u16, Value) {
    let verbs = json!(["create", "delete", "get", "list", "watch"]);
    match path {
        "api" => (
            200,
            json!({"kind": "APIVersions", "versions": ["v1"],
            "serverAddressByClientCIDRs": []}),
        ),
        "apis" => (
            200,
            json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": []}),
        ),
        "api/v1" => (
            200,
            json!({"kind": "APIResourceList", "groupVersion": "v1", "resources": [
                {"name": "pods", "singularName": "pod", "namespaced": true, "kind": "Pod",
                    "shortNames": ["po"], "verbs": verbs},
                {"name": "pods/exec", "singularName": "", "namespaced": true, "kind": "PodExecOptions",
                    "verbs": ["create", "get"]},
                {"name": "persistentvolumeclaims", "singularName": "persistentvolumeclaim",
                    "namespaced": true, "kind": "PersistentVolumeClaim", "shortNames": ["pvc"],
                    "verbs": verbs},
            ]}),
        ),
        "version" => (
            200,
            json!({"major": "1", "minor": "33", "gitVersion": "v1.33.0"}),
        ),
        _ => status(
            404,
            "NotFound",
            "the server could not find the requested resource",
        ),
    }
}
