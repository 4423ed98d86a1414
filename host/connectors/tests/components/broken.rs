//! Components that lie, trap, loop, flood and go where they must not: each is a typed error of that
//! backend, and the next call is served as if nothing had been.

use crate::engine;
use crate::service::{Answer, Service};
use offshoot_backend::{
    Code, Environment, Error, Exec, Factory, Network, Options, Rules, conformance,
};
use offshoot_connectors::{Connector, Credential, Limits, Manifest, Token};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SECRET: &str = "s3cr3t-of-the-operator";
const TOKEN: &str = "t0k3n-of-one-sandbox";

/// Limits that are reached soon.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.compute_ms = 300;
    limits.call_ms = 20_000;
    limits.memory_bytes = 64 << 20;
    limits.response_bytes = 1 << 20;
    limits.output_bytes = 1 << 20;
    limits
}

async fn load(manifest: &Manifest) -> Connector {
    let wasm = std::fs::read(env!("BROKEN_WASM")).unwrap();
    Connector::load(engine(), "broken", &wasm, manifest)
        .await
        .unwrap()
}

async fn connector() -> Connector {
    let manifest = Manifest {
        limits: limits(),
        ..Manifest::default()
    };
    load(&manifest).await
}

/// A sandbox whose component does what `mode` says.
async fn made(connector: &Connector, mode: &str) -> Result<Arc<dyn Environment>, Error> {
    connector
        .create(Options::default().setting("mode", mode))
        .await
}

async fn fails(connector: &Connector, mode: &str) -> Error {
    let environment = made(connector, mode).await.unwrap();
    let error = environment.exec(Exec::new("x")).await.unwrap_err();
    assert_eq!(error.backend(), Some("broken"), "{mode}: {error}");
    error
}

#[tokio::test(flavor = "multi_thread")]
async fn traps_loops_and_floods_are_errors_of_that_call() {
    let connector = connector().await;
    for (mode, code, words) in [
        ("trap", Code::Died, "made to fail"),
        ("exit", Code::Died, "the connector failed"),
        ("recursion", Code::Died, "the connector failed"),
        ("loop", Code::Limit, "time to compute"),
        ("memory", Code::Limit, "memory of the connector"),
        ("error", Code::Conflict, "long"),
    ] {
        let error = fails(&connector, mode).await;
        assert_eq!(error.code(), code, "{mode}: {error}");
        assert!(error.message().contains(words), "{mode}: {error}");
        assert!(error.message().len() <= 4 << 10, "{mode}");
        assert!(!error.message().contains(char::is_control), "{mode}");
        let fine = made(&connector, "fine").await.unwrap();
        let result = fine.exec(Exec::new("x")).await.unwrap();
        assert_eq!(result.stdout, b"fine", "after {mode}");
    }
    let talks = made(&connector, "talk").await.unwrap();
    assert_eq!(talks.exec(Exec::new("x")).await.unwrap().stdout, b"talked");
}

#[tokio::test(flavor = "multi_thread")]
async fn t26_a_loop_delays_nobody_else() {
    let connector = connector().await;
    let fine = made(&connector, "fine").await.unwrap();
    let looping = made(&connector, "loop").await.unwrap();
    let loops = (0..4).map(|_| looping.exec(Exec::new("x")));
    let other = async {
        for _ in 0..20 {
            fine.exec(Exec::new("x")).await.unwrap();
        }
    };
    let (looped, ()) = futures::future::join(futures::future::join_all(loops), other).await;
    assert!(looped.iter().all(|result| {
        result
            .as_ref()
            .is_err_and(|error| error.code() == Code::Limit)
    }));
}

#[tokio::test(flavor = "multi_thread")]
async fn lies_about_the_sandbox_are_corrupt() {
    let connector = connector().await;
    for (mode, code) in [
        ("trap-create", Code::Died),
        ("root", Code::Corrupt),
        ("cwd", Code::Corrupt),
        ("state", Code::Corrupt),
        ("cancel-alone", Code::Corrupt),
    ] {
        let error = made(&connector, mode).await.map(drop).unwrap_err();
        assert_eq!(
            (error.code(), error.backend()),
            (code, Some("broken")),
            "{mode}"
        );
    }
    let unknown = Options::default().setting("no such", 1);
    let error = connector.create(unknown).await.map(drop).unwrap_err();
    assert_eq!(error.code(), Code::Invalid, "{error}");
    let mut other_way = Options::default();
    other_way.network = Some(Network::None);
    let error = connector.create(other_way).await.map(drop).unwrap_err();
    assert_eq!(error.code(), Code::Capability, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn lies_about_files_are_corrupt_or_bounded() {
    let connector = connector().await;
    let names = made(&connector, "names").await.unwrap();
    let error = names.readdir("/").await.unwrap_err();
    assert_eq!(error.code(), Code::Corrupt, "{error}");
    // T28: more than an instance may hold or move is refused, and not taken.
    let many = made(&connector, "many").await.unwrap();
    let error = many.readdir("/").await.unwrap_err();
    assert!(matches!(error.code(), Code::Limit | Code::Died), "{error}");
    let fine = made(&connector, "fine").await.unwrap();
    assert_eq!(fine.readdir("/").await.unwrap(), ["a", "b"]);
    let stat = fine.stat("/a").await.unwrap();
    assert_eq!((stat.size, stat.mode), (u64::MAX, Some(0o7777)));
    // What is not claimed is refused by the host, whatever the component would say.
    let error = fine.snapshot(None).await.unwrap_err();
    assert_eq!(error.code(), Code::Capability, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_never_ends_is_cut_and_timed() {
    let connector = connector().await;
    let flood = Rules::new(made(&connector, "flood").await.unwrap());
    let error = flood.exec(Exec::new("x")).await.unwrap_err();
    let kept = error.output().map_or(0, |output| output.stdout.len());
    assert_eq!((error.code(), kept), (Code::Limit, 1 << 20), "{error}");
    let started = Instant::now();
    let exec = Exec::new("x").timeout_ms(300);
    let silent = Rules::new(made(&connector, "silent").await.unwrap());
    let ended = silent.exec(exec).await;
    assert!(started.elapsed() >= Duration::from_millis(299));
    match ended {
        Ok(result) => assert!(result.timed_out && result.exit_code == 124),
        Err(error) => assert_eq!(error.code(), Code::Limit, "{error}"),
    }
    let traps = made(&connector, "trap-in-stream").await.unwrap();
    let error = traps.exec(Exec::new("x")).await.unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    let mut dropped = made(&connector, "streaming")
        .await
        .unwrap()
        .spawn(Exec::new("x"))
        .await
        .unwrap();
    assert!(dropped.next().await.unwrap().is_some());
    drop(dropped);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_suite_finds_what_is_claimed_and_not_there() {
    let connector = connector().await;
    let options = Options::default().setting("mode", "overclaims");
    let subject = conformance::Made::new(Arc::new(connector), options);
    let wanted = |area: &str, name: &str| {
        area == "capability" && ["snapshot", "stdin", "binary_files"].contains(&name)
    };
    let report = conformance::run_only(&subject, &wanted).await;
    assert!(!report.passed());
    let table = report.table();
    assert_eq!(table.matches("FAILED").count().max(3), 3, "{table}");
}

/// A connector that may ask `service` with a credential and a token.
async fn trusted(service: &Service, more: &[String]) -> Connector {
    let origin = service.url();
    let mut hosts = vec![format!("GET {origin}")];
    hosts.extend_from_slice(more);
    load(&Manifest {
        hosts,
        credentials: vec![Credential {
            origin: origin.clone(),
            header: "x-key".into(),
            env: String::new(),
            prefix: "Key ".into(),
            value: Some(SECRET.into()),
        }],
        tokens: vec![Token {
            field: "token".into(),
            origin: format!("{origin}/control/"),
            used: format!("{origin}/data/"),
        }],
        limits: limits(),
        ..Manifest::default()
    })
    .await
}

/// Has the component ask a URL, with a header of its own.
async fn ask(connector: &Connector, url: &str, header: &str) -> Result<String, Error> {
    let options = Options::default()
        .setting("mode", "ask")
        .setting("url", url)
        .setting("header", header);
    let environment = connector.create(options).await?;
    let result = environment.exec(Exec::new("x")).await?;
    Ok(result.stdout_text().into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_credentials_and_tokens_stay_with_the_host() {
    let service = Service::start(|request| match request.path.as_str() {
        "/control/make" => Answer::json(&format!(r#"{{"deep":[{{"token":"{TOKEN}"}}]}}"#)),
        // What the service saw comes back.
        _ => Answer::text(&request.head),
    });
    let connector = trusted(&service, &[]).await;
    let url = |path: &str| format!("{}{path}", service.url());
    let seen = ask(&connector, &url("/echo"), "mine").await.unwrap();
    assert!(
        seen.contains("x-key: [secret]") || seen.contains("X-Key: [secret]"),
        "{seen}"
    );
    assert!(service.heads().last().unwrap().contains(SECRET));
    let made = ask(&connector, &url("/control/make"), "").await.unwrap();
    assert!(!made.contains(TOKEN), "{made}");
    let at = made.find("offshoot-token-").unwrap();
    let stand_in = &made[at..at + 47];
    // In its own place the token is put in, and taken out of the answer again.
    let seen = ask(&connector, &url("/data/x"), stand_in).await.unwrap();
    assert!(service.heads().last().unwrap().contains(TOKEN));
    assert!(seen.contains(stand_in) && !seen.contains(TOKEN), "{seen}");
    // Elsewhere it stays what it is.
    ask(&connector, &url("/other"), stand_in).await.unwrap();
    assert!(!service.heads().last().unwrap().contains(TOKEN));
}

#[tokio::test(flavor = "multi_thread")]
async fn t35_t36_what_is_not_listed_is_not_asked() {
    let other = Service::start(|_| Answer::text("not for you"));
    let elsewhere = other.url();
    let target = elsewhere.clone();
    let service = Service::start(move |_| Answer::redirect(&format!("{target}/x")));
    let connector = trusted(&service, &[]).await;
    let own = service.url();
    let port = own.rsplit(':').next().unwrap();
    for url in [
        elsewhere.clone(),
        format!("http://127.0.0.2:{port}/"),
        format!(
            "http://2130706433:{}/",
            elsewhere.rsplit(':').next().unwrap()
        ),
        format!("http://user@127.0.0.1:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        "http://169.254.169.254/latest".to_owned(),
        "http://[::ffff:127.0.0.1]/".to_owned(),
        "http://evil.test/".to_owned(),
    ] {
        let error = ask(&connector, &url, "x").await.unwrap_err();
        let refused = matches!(error.code(), Code::PolicyDenied | Code::Invalid);
        assert!(refused, "{url}: {} {error}", error.code());
    }
    // A redirect is an answer; nobody follows it.
    let answer = ask(&connector, &own, "x").await.unwrap();
    assert!(answer.starts_with("302"), "{answer}");
    assert!(other.heads().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn t37_answers_are_limited() {
    let service = Service::start(|request| match request.path.as_str() {
        "/large" => Answer::text(&"x".repeat(2 << 20)),
        "/headers" => Answer::headers(5_000),
        "/endless" => Answer::endless(),
        _ => Answer::text("small"),
    });
    let connector = trusted(&service, &[]).await;
    let url = |path: &str| format!("{}{path}", service.url());
    for path in ["/large", "/headers", "/endless"] {
        let error = ask(&connector, &url(path), "").await.unwrap_err();
        let bounded = matches!(error.code(), Code::Limit | Code::Died);
        assert!(bounded, "{path}: {} {error}", error.code());
    }
    let error = ask(&connector, &url("/"), &"h".repeat(1 << 20))
        .await
        .unwrap_err();
    assert!(error.backend().is_some(), "{error}");
    let small = ask(&connector, &url("/"), "").await.unwrap();
    assert_eq!(small, "200 small");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_connector_is_refused() {
    let manifest = Manifest::default();
    let module = b"\0asm\x01\0\0\0".as_slice();
    let empty = b"\0asm\x0d\0\x01\0".as_slice();
    for bytes in [b"".as_slice(), b"text", module, empty] {
        let error = Connector::load(engine(), "none", bytes, &manifest).await;
        let error = error.map(drop).unwrap_err();
        assert_eq!(
            (error.code(), error.backend()),
            (Code::Invalid, Some("none")),
            "{error}"
        );
    }
    let wasm = std::fs::read(env!("BROKEN_WASM")).unwrap();
    let without_key = Manifest {
        credentials: vec![Credential {
            origin: "https://api.example.com".into(),
            header: "x-key".into(),
            env: "OFFSHOOT_TEST_NO_SUCH_VARIABLE".into(),
            prefix: String::new(),
            value: None,
        }],
        ..Manifest::default()
    };
    let loaded = Connector::load(engine(), "broken", &wasm, &without_key).await;
    let error = loaded
        .unwrap()
        .create(Options::default())
        .await
        .map(drop)
        .unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    assert!(
        error.message().contains("OFFSHOOT_TEST_NO_SUCH_VARIABLE"),
        "{error}"
    );
}
