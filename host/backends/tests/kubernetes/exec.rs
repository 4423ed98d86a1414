//! `exec` over WebSocket, as an API server and a kubelet answer it together.

use crate::server::{Body, Cluster, V4, V5, respond, status};
use futures::{SinkExt, StreamExt};
use http_body_util::{BodyExt, Empty};
use hyper::body::Incoming;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};
use tokio_tungstenite::{WebSocketStream, client_async};

const STDIN: u8 = 0;
const STDOUT: u8 = 1;
const STDERR: u8 = 2;
const STATUS: u8 = 3;
const CLOSE: u8 = 255;

/// What is to be run.
struct Wanted {
    id: String,
    words: Vec<String>,
    stdin: bool,
    is_v5: bool,
}

pub fn answer(
    cluster: Arc<Cluster>,
    mut request: Request<Incoming>,
    pod: Value,
    query: &[(String, String)],
) -> Response<Body> {
    let all = |name: &str| {
        let found = query.iter().filter(|(key, _)| key == name);
        found.map(|(_, value)| value.clone()).collect::<Vec<_>>()
    };
    let is = |name: &str| {
        all(name)
            .iter()
            .any(|value| value == "true" || value == "1")
    };
    let container = &pod["spec"]["containers"][0]["name"];
    if let Some(named) = all("container").first()
        && container != named
    {
        let message = format!("container {named} is not valid for pod");
        return respond(status(400, "BadRequest", &message));
    }
    if pod["status"]["containerStatuses"][0]["state"]["running"].is_null() {
        return respond(status(500, "InternalError", "container not found"));
    }
    let headers = request.headers();
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(key), Some(offered)) = (
        text("sec-websocket-key").map(str::to_owned),
        text("sec-websocket-protocol"),
    ) else {
        return respond(status(400, "BadRequest", "you must request a WebSocket"));
    };
    let mut offered = offered.split(',').map(str::trim);
    let Some(protocol) = offered.find(|one| cluster.protocols.contains(one)) else {
        return respond(status(403, "Forbidden", "no protocol is spoken by both"));
    };
    let wanted = Wanted {
        id: pod["metadata"]["uid"].as_str().unwrap().to_owned(),
        words: all("command"),
        stdin: is("stdin"),
        is_v5: protocol == V5,
    };
    let response = Response::builder()
        .status(StatusCode::SWITCHING_PROTOCOLS)
        .header("connection", "Upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-accept", derive_accept_key(key.as_bytes()))
        .header("sec-websocket-protocol", protocol)
        .body(Empty::new().boxed());
    tokio::spawn(async move {
        let upgraded = hyper::upgrade::on(&mut request).await.unwrap();
        let socket =
            WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
        cluster.commands.fetch_add(1, Ordering::AcqRel);
        run(&cluster, socket, wanted).await;
        cluster.commands.fetch_sub(1, Ordering::AcqRel);
    });
    response.unwrap()
}

type Socket = WebSocketStream<TokioIo<hyper::upgrade::Upgraded>>;

/// Hands the messages of both sides on, where another one runs the command.
async fn pass(mut client: Socket, url: &str, protocol: &'static str) {
    let mut request = url.replace("http:", "ws:").into_client_request().unwrap();
    let headers = request.headers_mut();
    headers.insert("sec-websocket-protocol", protocol.parse().unwrap());
    let address = request.uri().authority().unwrap().to_string();
    let stream = TcpStream::connect(address).await.unwrap();
    let connected = client_async(request, stream).await;
    let mut runtime = connected.unwrap().0;
    loop {
        tokio::select! {
            Some(Ok(message)) = client.next() => {
                let is_end = message.is_close();
                if runtime.send(message).await.is_err() || is_end {
                    return;
                }
            }
            Some(Ok(message)) = runtime.next() => {
                let is_end = message.is_close();
                if client.send(message).await.is_err() || is_end {
                    return;
                }
            }
            else => return,
        }
    }
}

async fn run(cluster: &Cluster, socket: Socket, wanted: Wanted) {
    if let Some(cri) = &cluster.node.cri {
        let url = cri.exec(&wanted.id, &wanted.words, wanted.stdin).await;
        return pass(socket, &url.unwrap(), V4).await;
    }
    let (mut sink, mut stream) = socket.split();
    // As containerd does.
    let _ = sink.send(message(STDOUT, b"")).await;
    let mut command = cluster.node.command(&wanted.id, &wanted.words);
    let child = command
        .stdin(match wanted.stdin {
            true => Stdio::piped(),
            false => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    let mut input = child.stdin.take();
    let is_v5 = wanted.is_v5;
    let reader = tokio::spawn(async move {
        while let Some(Ok(received)) = stream.next().await {
            // Text is data like any other.
            let bytes = match received {
                Message::Binary(bytes) => bytes,
                Message::Text(text) => text.into(),
                _ => continue,
            };
            match &*bytes {
                [STDIN, rest @ ..] => {
                    if let Some(pipe) = &mut input
                        && pipe.write_all(rest).await.is_err()
                    {
                        input = None;
                    }
                }
                [CLOSE, STDIN] if is_v5 => input = None,
                _ => {}
            }
        }
    });
    let (sender, mut messages) = mpsc::channel(8);
    let out = tokio::spawn(copy(child.stdout.take().unwrap(), STDOUT, sender.clone()));
    let err = tokio::spawn(copy(child.stderr.take().unwrap(), STDERR, sender));
    let mut is_connected = true;
    while let Some(message) = messages.recv().await {
        // Whoever has gone does not end what runs.
        is_connected = is_connected && sink.send(message).await.is_ok();
    }
    let _ = (out.await, err.await);
    let code = child.wait().await.unwrap().code().unwrap();
    let status = match code {
        0 => json!({"metadata": {}, "status": "Success"}),
        // What runc itself says when the container goes is no status of the command.
        255 if !cluster.is_there(&wanted.id) => {
            status(500, "InternalError", "container is not running").1
        }
        code => json!({"metadata": {}, "status": "Failure", "reason": "NonZeroExitCode",
            "message": format!("command terminated with non-zero exit code: exit status {code}"),
            "details": {"causes": [{"reason": "ExitCode", "message": code.to_string()}]}}),
    };
    let _ = sink
        .send(message(STATUS, status.to_string().as_bytes()))
        .await;
    let normal = CloseFrame {
        code: CloseCode::Normal,
        reason: "".into(),
    };
    let _ = sink.send(Message::Close(Some(normal))).await;
    reader.abort();
}

fn message(channel: u8, bytes: &[u8]) -> Message {
    Message::Binary([&[channel], bytes].concat().into())
}

async fn copy(mut from: impl AsyncRead + Unpin, channel: u8, to: mpsc::Sender<Message>) {
    let mut buffer = vec![0; 32 << 10];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        let _ = to.send(message(channel, &buffer[..length])).await;
    }
}
