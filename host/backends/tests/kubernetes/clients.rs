//! Clients that nobody here wrote judge the API server of these tests. They run where
//! OFFSHOOT_KUBERNETES_CLIENTS names what `install` made.

use crate::node::IMAGE;
use crate::server::{Server, V4, V5};
use crate::{given, kubeconfig, nothing_is_left, server};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

/// A server without a token, which kubectl does not send without TLS; its configuration; and where
/// the clients are.
fn judged(protocols: &[&'static str]) -> Option<(Server, tempfile::NamedTempFile, PathBuf)> {
    let Some(clients) = std::env::var_os("OFFSHOOT_KUBERNETES_CLIENTS") else {
        let reason = "OFFSHOOT_KUBERNETES_CLIENTS is not set";
        let _ = writeln!(std::io::stderr(), "skipped: clients: {reason}");
        return None;
    };
    let server = server(protocols, None)?;
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(kubeconfig(&server).as_bytes()).unwrap();
    Some((server, file, PathBuf::from(clients).join("bin")))
}

/// What a program wrote to both streams, and its status.
async fn run(command: &mut Command, input: &str) -> (String, String, Option<i32>) {
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).await.unwrap();
    drop(stdin);
    let output = child.wait_with_output().await.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn kubectl_sees_an_api_server() {
    let Some((server, config, clients)) = judged(&[V5]) else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    given(&server).await;
    let kubectl = async |words: &[&str], input: &str| {
        let mut command = Command::new(clients.join("kubectl"));
        command.env("HOME", home.path()).arg("--kubeconfig");
        command.arg(config.path()).args(words);
        run(&mut command, input).await
    };
    let (shown, errors, code) = kubectl(&["get", "pod", "given", "-o", "name"], "").await;
    assert_eq!((&*shown, code), ("pod/given\n", Some(0)), "{errors}");
    let script = "echo out; echo err >&2; cat; exit 7";
    let exec = ["exec", "-i", "given", "--", "sh", "-c", script];
    let (shown, errors, code) = kubectl(&exec, "in\n").await;
    assert_eq!((&*shown, code), ("out\nin\n", Some(7)), "{errors}");
    assert!(errors.starts_with("err\n"), "{errors}");
    let wait = [
        "wait",
        "--for=jsonpath={.status.phase}=Running",
        "pod/given",
    ];
    let (_, errors, code) = kubectl(&wait, "").await;
    assert_eq!(code, Some(0), "{errors}");
    let (_, errors, code) = kubectl(&["get", "pod", "none"], "").await;
    assert!(code == Some(1) && errors.contains("NotFound"), "{errors}");
    let (_, errors, code) = kubectl(&["delete", "pod", "given"], "").await;
    assert_eq!(code, Some(0), "{errors}");
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_sees_an_api_server() {
    let Some((server, config, clients)) = judged(&[V5, V4]) else {
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kubernetes/client.py");
    let mut python = Command::new(clients.join("python"));
    python.arg(script).arg(config.path()).arg(IMAGE);
    let (shown, errors, code) = run(&mut python, "").await;
    assert_eq!((&*shown, code), ("seen\n", Some(0)), "{errors}");
    nothing_is_left(&server).await;
}
