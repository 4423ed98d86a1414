//! A stand-in for Firecracker, where there is none and no processor that would run its machines: it serves
//! the API as Firecracker's specification has it, and QEMU runs the machine underneath.
//!
//! It is this test's own program, which a script with the name `firecracker` starts.

mod api;
mod machine;

use super::busybox::find;
use api::Call;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use machine::Machine;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::rc::Rc;
use tokio::net::UnixListener;
use tokio::sync::Mutex;

/// The words that the script was called with.
const WORDS: &str = "OFFSHOOT_STAND_IN";
/// Where requests are recorded.
const RECORD: &str = "OFFSHOOT_STAND_IN_RECORD";

/// Puts it into a directory that everybody may read, by the name `firecracker`.
pub fn install(directory: &Path, record: &Path) {
    let open = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    std::fs::create_dir_all(directory).unwrap();
    std::fs::write(record, "").unwrap();
    open(record, 0o666);
    let (program, script) = (directory.join("stand-in"), directory.join("firecracker"));
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let qemu = find(machine::PROGRAM).unwrap();
    let text = format!(
        "#!/bin/sh\nPATH={}:/usr/bin:/bin\nexport PATH\n\
         exec env {WORDS}=\"$*\" {RECORD}='{}' '{}' --exact firecracker::stands_in --ignored -q\n",
        qemu.parent().unwrap().display(),
        record.display(),
        program.display(),
    );
    std::fs::write(&script, text).unwrap();
    for path in [directory, &program, &script] {
        open(path, 0o755);
    }
}

/// Everything that was asked for: method, path and body.
pub fn recorded(record: &Path) -> Vec<(String, String, Value)> {
    let text = std::fs::read_to_string(record).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// The process itself.
#[test]
#[ignore = "the stand-in for Firecracker, which other tests start"]
fn stands_in() {
    let Ok(words) = std::env::var(WORDS) else {
        return;
    };
    let words: Vec<&str> = words.split(' ').collect();
    let [sock, socket, "--id", _] = words[..] else {
        panic!("firecracker was started with {words:?}");
    };
    assert_eq!(sock, "--api-sock");
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    let local = tokio::task::LocalSet::new();
    local.block_on(&runtime, serve(socket));
}

async fn serve(socket: &str) {
    // Firecracker leaves what is there to whoever put it there.
    let listener = UnixListener::bind(socket).unwrap();
    let machine = Rc::new(Mutex::new(Machine::default()));
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let machine = Rc::clone(&machine);
        tokio::task::spawn_local(async move {
            let answer = service_fn(move |request| answer(Rc::clone(&machine), request));
            let connection = hyper::server::conn::http1::Builder::new();
            // Whoever goes away in the middle has no answer.
            let _ = connection
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

async fn answer(
    machine: Rc<Mutex<Machine>>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (method, path) = (
        request.method().to_string(),
        request.uri().path().to_owned(),
    );
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let body = serde_json::from_slice(&body).unwrap_or_default();
    record(&method, &path, &body);
    let done = match api::check(&method, &path, &body) {
        Ok(call) => perform(&machine, call, &body).await,
        Err(refusal) => Err(refusal),
    };
    let (status, text) = match done {
        Ok(()) => (204, String::new()),
        Err(refusal) => (400, json!({"fault_message": refusal}).to_string()),
    };
    let response = Response::builder().status(status);
    Ok(response.body(Full::new(text.into())).unwrap())
}

async fn perform(machine: &Rc<Mutex<Machine>>, call: Call, body: &Value) -> Result<(), String> {
    let mut machine = machine.lock().await;
    match call {
        Call::Configure(name) => machine.configure(name, body),
        Call::Start => machine.start().await,
        Call::State => machine.change(body["state"] == "Paused").await,
        Call::Create => machine.capture(body).await,
        Call::Load => machine.load(body).await,
    }
}

fn record(method: &str, path: &str, body: &Value) {
    use std::io::Write;
    let Some(file) = std::env::var_os(RECORD) else {
        return;
    };
    let line = json!([method, path, body]).to_string() + "\n";
    let mut file = std::fs::File::options().append(true).open(file).unwrap();
    file.write_all(line.as_bytes()).unwrap();
}
