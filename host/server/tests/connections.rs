//! Clients that hold what they can: connections, uploads, streams, input.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod raw;

use offshoot::lifecycle::{Sandboxes, Store};
use offshoot_server::e2b::{Builder, Endpoint};
use raw::{Answer, ask, begin, envelope};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

const KEY: &str = "a key";

/// An endpoint on a thread of its own.
struct Served {
    at: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    done: Option<std::thread::JoinHandle<()>>,
}

impl Served {
    fn start(set: impl FnOnce(Builder) -> Builder) -> Served {
        let builder = set(Endpoint::builder(Sandboxes::open(Store::memory()), KEY));
        let (stop, stopped) = oneshot::channel::<()>();
        let (told, address) = std::sync::mpsc::channel();
        let done = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let endpoint = builder.open().await.unwrap();
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                told.send(listener.local_addr().unwrap()).unwrap();
                let shutdown = async move { stopped.await.unwrap_or(()) };
                endpoint.serve(listener, shutdown).await.unwrap();
            });
        });
        Served {
            at: address.recv().unwrap(),
            stop: Some(stop),
            done: Some(done),
        }
    }

    /// Ends it and waits for its end.
    fn stop(mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        self.done.take().unwrap().join().unwrap();
    }

    fn control(&self, line: &str, body: &str) -> Answer {
        ask(self.at, line, &[("X-API-Key", KEY)], body.as_bytes())
    }

    fn sandbox(&self) -> Sandbox<'_> {
        let made = self.control("POST /sandboxes", "{\"templateID\":\"base\"}");
        assert_eq!(made.status, 201, "{}", made.text());
        Sandbox {
            served: self,
            id: made.field("sandboxID"),
            token: made.field("envdAccessToken"),
        }
    }
}

struct Sandbox<'a> {
    served: &'a Served,
    id: String,
    token: String,
}

impl Sandbox<'_> {
    fn headers<'h>(&'h self, more: &[(&'h str, &'h str)]) -> Vec<(&'h str, &'h str)> {
        let own = [
            ("E2b-Sandbox-Id", self.id.as_str()),
            ("X-Access-Token", self.token.as_str()),
        ];
        own.iter().chain(more).copied().collect()
    }

    fn call(&self, method: &str, body: &str) -> Answer {
        let headers = self.headers(&[("Content-Type", "application/json")]);
        ask(
            self.served.at,
            &format!("POST /{method}"),
            &headers,
            body.as_bytes(),
        )
    }

    /// Starts a command and leaves its stream unread.
    fn start(&self, message: &str, more: &[(&str, &str)]) -> TcpStream {
        let own = [("Content-Type", "application/connect+json")];
        let more: Vec<_> = own.iter().chain(more).copied().collect();
        let (headers, body) = (self.headers(&more), envelope(message));
        let line = "POST /process.Process/Start";
        let mut stream = begin(self.served.at, line, &headers, body.len() as u64);
        stream.write_all(&body).unwrap();
        stream
    }

    fn run(&self, script: &str, more: &[(&str, &str)]) -> String {
        let message = format!(
            "{{\"process\":{{\"cmd\":\"/bin/bash\",\"args\":[\"-l\",\"-c\",\"{script}\"]}},\"stdin\":false}}"
        );
        raw::read(&mut self.start(&message, more)).text()
    }
}

/// Reads until the other side ends the connection.
fn until_closed(mut stream: TcpStream) {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
}

#[test]
fn connections_that_send_nothing_or_a_part_are_closed() {
    let served = Served::start(|builder| builder.idle_connections(Duration::from_millis(200)));
    let settings = b"\0\0\0\x04\0\0\0\0\0";
    let preface = [&b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..], settings].concat();
    for part in [
        &b""[..],
        b"PRI * HT",
        &preface,
        b"GET /health HTTP/1.1\r\nHo",
    ] {
        let mut stream = TcpStream::connect(served.at).unwrap();
        stream.write_all(part).unwrap();
        until_closed(stream);
    }
    // One that is used stays as long as something is in flight.
    let sandbox = served.sandbox();
    assert!(sandbox.run("sleep 1; echo slept", &[]).contains("c2xlcHQK"));
    served.stop();
}

#[test]
fn strangers_make_room_for_newcomers() {
    let served = Served::start(|builder| builder.connections(64, 4));
    let idle: Vec<_> = (0..40)
        .map(|_| TcpStream::connect(served.at).unwrap())
        .collect();
    let sandbox = served.sandbox();
    assert!(sandbox.run("echo answered", &[]).contains("YW5zd2VyZWQK"));
    for stream in idle.into_iter().take(36) {
        until_closed(stream);
    }
    served.stop();
}

#[test]
fn times_beyond_every_clock_are_taken() {
    let served = Served::start(|builder| builder);
    let sandbox = served.sandbox();
    for number in ["18446744073709551615", "9223372036854775807"] {
        let headers = [
            ("Keepalive-Ping-Interval", number),
            ("Connect-Timeout-Ms", number),
        ];
        let said = sandbox.run("echo said", &headers);
        assert!(said.contains("c2FpZAo="), "{said}");
    }
    served.stop();
}

#[test]
fn what_is_too_long_is_refused_before_it_is_sent() {
    let served = Served::start(|builder| builder);
    let sandbox = served.sandbox();
    let headers = sandbox.headers(&[("Content-Type", "application/octet-stream")]);
    let mut stream = begin(served.at, "POST /files?path=/tmp/a", &headers, 10 << 30);
    assert_eq!(raw::read(&mut stream).status, 507);
    let mut stream = begin(
        served.at,
        "POST /sandboxes",
        &[("X-API-Key", KEY)],
        10 << 30,
    );
    assert_eq!(raw::read(&mut stream).status, 429);
    served.stop();
}

#[test]
fn what_one_sandbox_holds_is_bounded() {
    let served = Served::start(|builder| builder);
    let (greedy, other) = (served.sandbox(), served.sandbox());
    let headers = greedy.headers(&[("Content-Type", "application/octet-stream")]);
    let upload = || begin(served.at, "POST /files?path=/tmp/a", &headers, 400 << 20);
    // Each announces more than a third of what may wait, and sends nothing
    // more: whichever is counted last is refused.
    let mut held = [upload(), upload(), upload()];
    for stream in &mut held {
        stream
            .set_read_timeout(Some(Duration::from_millis(100)))
            .unwrap();
        stream.write_all(b"begun").unwrap();
    }
    let mut first = [0; 12];
    let refused = loop {
        if held.iter_mut().any(|it| it.read_exact(&mut first).is_ok()) {
            break String::from_utf8_lossy(&first).into_owned();
        }
    };
    assert_eq!(refused, "HTTP/1.1 429");
    let headers = other.headers(&[("Content-Type", "application/octet-stream")]);
    let answer = ask(
        served.at,
        "POST /files?path=/tmp/a",
        &headers,
        &vec![7; 3 << 20],
    );
    assert_eq!(answer.status, 200, "{}", answer.text());
    drop(held);
    served.stop();
}

#[test]
fn an_end_does_not_wait_for_who_does_not_read() {
    let served = Served::start(|builder| builder);
    let sandbox = served.sandbox();
    let message = "{\"process\":{\"cmd\":\"/bin/bash\",\"args\":[\"-c\",\"yes\"]}}";
    let mut unread = sandbox.start(message, &[]);
    let mut first = [0; 1];
    unread.read_exact(&mut first).unwrap();
    served.stop();
    drop(unread);
}

#[test]
fn a_terminal_that_is_not_read_takes_little_and_is_killed_at_once() {
    let served = Served::start(|builder| builder);
    let sandbox = served.sandbox();
    let message = "{\"process\":{\"cmd\":\"/bin/bash\",\"args\":[\"-i\"]},\"pty\":{\"size\":{\"cols\":80,\"rows\":24}},\"tag\":\"t\"}";
    let mut stream = sandbox.start(message, &[]);
    let mut first = [0; 1];
    stream.read_exact(&mut first).unwrap();
    let input = |bytes: &str| {
        format!("{{\"process\":{{\"tag\":\"t\"}},\"input\":{{\"pty\":\"{bytes}\"}}}}")
    };
    // `sleep 1000` and a line's end.
    assert_eq!(
        sandbox
            .call("process.Process/SendInput", &input("c2xlZXAgMTAwMA0="))
            .status,
        200
    );
    let flood = input(&"YQ0K".repeat(1 << 20));
    let answer = std::thread::scope(|scope| {
        let flooding = scope.spawn(|| sandbox.call("process.Process/SendInput", &flood));
        let kill = "{\"process\":{\"tag\":\"t\"},\"signal\":\"SIGNAL_SIGKILL\"}";
        assert_eq!(sandbox.call("process.Process/SendSignal", kill).status, 200);
        let ended = raw::read(&mut stream).text();
        assert!(ended.contains("killed"), "{ended}");
        flooding.join().unwrap()
    });
    // It came too late, or part of it waited when the terminal ended.
    assert!([400, 404].contains(&answer.status), "{}", answer.text());
    served.stop();
}

#[test]
fn commands_of_a_sandbox_that_is_killed_end_as_unavailable() {
    let served = Served::start(|builder| builder);
    let sandbox = served.sandbox();
    let message = "{\"process\":{\"cmd\":\"sleep\",\"args\":[\"1000\"]}}";
    let mut stream = sandbox.start(message, &[]);
    let mut first = [0; 1];
    stream.read_exact(&mut first).unwrap();
    let line = format!("DELETE /sandboxes/{}", sandbox.id);
    assert_eq!(served.control(&line, "").status, 204);
    let said = raw::read(&mut stream).text();
    assert!(
        said.contains("\"unavailable\"") && said.contains("was killed"),
        "{said}"
    );
    served.stop();
}

#[test]
fn what_is_not_there_is_answered_by_what_is() {
    let served = Served::start(|builder| builder);
    let make = |template: &str| {
        let body = format!("{{\"templateID\":\"{template}\"}}");
        served.control("POST /sandboxes", &body)
    };
    let answer = make("no-such");
    assert_eq!(answer.status, 404);
    assert!(
        answer.text().contains("there are: base"),
        "{}",
        answer.text()
    );
    assert_eq!(make("code-interpreter-v1").status, 201);
    // The code interpreter's client has a token and no key.
    let answer = ask(served.at, "POST /execute", &[], b"{}");
    assert_eq!(answer.status, 401);
    served.stop();
}

#[test]
fn the_same_key_makes_one_sandbox() {
    let served = Served::start(|builder| builder);
    let make = |key: &str| {
        let headers = [("X-API-Key", KEY), ("Idempotency-Key", key)];
        let made = ask(
            served.at,
            "POST /v2/sandboxes",
            &headers,
            b"{\"templateID\":\"base\"}",
        );
        made.field("sandboxID")
    };
    let ids: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| make("one"))).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_ne!(make("two"), ids[0]);
    // One that is gone is made again.
    let line = format!("DELETE /sandboxes/{}", ids[0]);
    assert_eq!(served.control(&line, "").status, 204);
    assert_ne!(make("one"), ids[0]);
    served.stop();
}

/// Numbers from a seed, as xorshift makes them.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap()
    }

    /// The bytes with one thing wrong.
    fn mutated(&mut self, bytes: &mut Vec<u8>) {
        const PIECES: [&[u8]; 12] = [
            b"\r\n",
            b"\0",
            b"\xff\xff\xff\xff",
            b"-1",
            b"18446744073709551616",
            b"%00",
            b"..",
            b"Transfer-Encoding: chunked\r\n",
            b"Content-Length: 7\r\n",
            b"\r\n\r\n",
            b"{",
            b"\"",
        ];
        let at = self.below(bytes.len() + 1);
        let end = (at + 1 + self.below(12)).min(bytes.len());
        match self.below(5) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            3 => bytes.truncate(at),
            _ => drop(bytes.splice(at..at, PIECES[self.below(PIECES.len())].iter().copied())),
        }
    }
}

/// Requests with everything wrong that happens to them on the way; as many more where the slow tests run.
#[test]
fn t59_requests_that_are_none_harm_nobody() {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        before(panic);
    }));
    let served = Served::start(|builder| builder);
    let sandbox = served.sandbox();
    let headers = sandbox.headers(&[]);
    let head = |line: &str, kind: &str, body: &[u8]| {
        let own = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"));
        let own: String = own.collect();
        let head = format!(
            "{line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-API-Key: {KEY}\r\n{own}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    };
    let start = envelope(
        "{\"process\":{\"cmd\":\"/bin/bash\",\"args\":[\"-c\",\"echo a\"]},\"stdin\":false}",
    );
    let form = b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"/tmp/a\"\r\n\r\ntext\r\n--b--\r\n";
    let requests = [
        head("POST /sandboxes", "application/json", b"{\"templateID\":\"base\",\"timeout\":5,\"metadata\":{\"a\":\"b\"}}"),
        head("POST /process.Process/Start", "application/connect+json", &start),
        // A protobuf of the same: a message with a message of strings.
        head("POST /process.Process/Start", "application/connect+proto", b"\0\0\0\0\x15\x0a\x13\x0a\x09/bin/bash\x12\x02-c\x12\x02ls"),
        head("POST /filesystem.Filesystem/ListDir", "application/json", b"{\"path\":\"/tmp\",\"depth\":1}"),
        head("POST /filesystem.Filesystem/Stat", "application/proto", b"\x0a\x04/tmp"),
        head("POST /files?path=/tmp/a&username=user", "multipart/form-data; boundary=b", form),
        head("GET /files?path=/etc/passwd", "text/plain", b""),
        head("POST /execute", "application/json", b"{\"code\":\"1\",\"language\":\"bash\"}"),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0d\0\0\x05\x01\x05\0\0\0\x01\x82\x86\x84\x41\0".to_vec(),
    ];
    let rounds = match std::env::var_os("OFFSHOOT_SLOW_TESTS") {
        Some(_) => 3_000,
        None => 300,
    };
    let mut draws = Draws(0x0FF5_4007);
    for round in 0..rounds {
        let mut request = requests[round % requests.len()].clone();
        for _ in 0..=draws.below(4) {
            draws.mutated(&mut request);
        }
        let mut stream = TcpStream::connect(served.at).unwrap();
        // The server may have answered and gone before it has read all.
        let _ = stream.write_all(&request);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let is_http =
            answer.is_empty() || answer.starts_with(b"HTTP/1.") || request.starts_with(b"PRI");
        let shown = || {
            (
                String::from_utf8_lossy(&request).into_owned(),
                String::from_utf8_lossy(&answer).into_owned(),
            )
        };
        assert!(is_http, "round {round}: {:?}", shown());
        assert!(
            !answer.starts_with(b"HTTP/1.1 500"),
            "round {round}: {:?}",
            shown()
        );
        assert_eq!(
            PANICS.load(Ordering::Relaxed),
            0,
            "round {round}: {:?}",
            shown()
        );
    }
    assert!(sandbox.run("echo alive", &[]).contains("YWxpdmUK"));
    served.stop();
}
