//! What the tests of all connectors share.

use offshoot::backend::conformance::{self, Made, Report};
use offshoot::backend::{Code, Environment, Factory, Options, Rules, Watch};
use offshoot_connectors::{Connector, providers};
use offshoot_providers::service::Service;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::process::Command;

/// The connector of a provider, with variables and a credential in place of the process's.
pub async fn connector(name: &str, variables: &[(&str, &str)], key: &str) -> Connector {
    let set = |wanted: &str| {
        let found = variables.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, value)| (*value).to_owned())
    };
    let mut manifest = providers::manifest_with(name, &set).unwrap();
    for credential in &mut manifest.credentials {
        credential.value = Some(key.to_owned());
    }
    let engine = offshoot::engine().unwrap();
    providers::connector(engine, name, &manifest).await.unwrap()
}

/// Runs the suite; `OFFSHOOT_LIVE_ONLY` names an area or a case.
pub async fn suite(connector: Connector, options: Options) {
    let subject = Made::new(Arc::new(connector), options);
    let only = std::env::var("OFFSHOOT_LIVE_ONLY").unwrap_or_default();
    let wanted = |area: &str, name: &str| only.is_empty() || only == area || only == name;
    let report = conformance::run_only(&subject, &wanted).await;
    assert!(report.passed(), "{}", report.table());
}

/// Runs the twins of some claims, each of which must be found.
pub async fn twins(connector: Connector, claims: &[&str]) -> Report {
    let subject = Made::new(Arc::new(connector), Options::default());
    let wanted = |_: &str, name: &str| claims.contains(&name);
    let report = conformance::run_twins(&subject, &wanted).await;
    assert!(report.passed(), "{}", report.table());
    assert_eq!(report.steps.len(), claims.len(), "{}", report.table());
    report
}

/// Ends the service in the middle of a command: what waits is told so, and what comes then too.
pub async fn settles_when_the_service_dies(connector: Connector, end: impl Future<Output = ()>) {
    let made = connector.create(Options::default()).await.unwrap();
    let watch = Watch {
        poll: Duration::from_millis(200),
        silence: Duration::from_secs(2),
    };
    let sandbox = Arc::new(Rules::new(made).watch(watch));
    let running = {
        let sandbox = Arc::clone(&sandbox);
        tokio::spawn(async move { sandbox.exec("echo begun > begun; sleep 60".into()).await })
    };
    while !sandbox.exists("begun").await.unwrap() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    end.await;
    let killed = Instant::now();
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    assert_eq!(error.backend(), Some(connector.name()));
    assert!(killed.elapsed() < Duration::from_secs(30));
    let error = sandbox.read_file("begun").await.unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    let error = connector
        .create(Options::default())
        .await
        .map(drop)
        .unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
}

/// Uses a sandbox in many ways: the credential is in nothing that the component tells.
pub async fn tells_no_credential(connector: Connector, key: &str) {
    let sandbox = connector.create(Options::default()).await.unwrap();
    let mut told = vec![format!("{connector:?} {sandbox:?}")];
    let cwd = sandbox.cwd().to_owned();
    let seen = sandbox
        .exec(offshoot::Exec::new("env; cat /proc/self/environ").cwd(&cwd))
        .await;
    told.push(seen.unwrap().stdout_text().into_owned());
    let mut errors = vec![
        sandbox
            .read_file_buffer("/no/such")
            .await
            .map(drop)
            .unwrap_err(),
        sandbox
            .exec(offshoot::Exec::new("true").cwd("/no/such"))
            .await
            .map(drop)
            .unwrap_err(),
    ];
    if sandbox.capabilities().reconnect {
        told.push(sandbox.reference().await.unwrap().to_string());
        for wrong in ["no-such", "\u{0}"] {
            let attached = connector.attach(wrong, Options::default()).await;
            errors.push(attached.map(drop).unwrap_err());
        }
    }
    told.extend(errors.iter().map(|error| format!("{error} {error:?}")));
    sandbox.cleanup().await.unwrap();
    assert!(
        told.iter().all(|text| !text.contains(key)),
        "the key is in {told:?}"
    );
}

/// Uses a sandbox in many ways: the credential is in every request whose first line `carries` it and in no
/// other, and in nothing that the component tells.
pub async fn keeps_the_credential_back(
    connector: Connector,
    service: &Service,
    key: &str,
    carries: impl Fn(&str) -> bool,
) {
    tells_no_credential(connector, key).await;
    let seen = service.seen();
    assert!(seen.len() > 3);
    for one in seen {
        let expected = usize::from(carries(&one.line));
        assert_eq!(one.headers.matches(key).count(), expected, "{one:?}");
        assert!(!one.line.contains(key), "{one:?}");
    }
}

/// Where the clients are, if they are.
pub fn clients() -> Option<PathBuf> {
    let directory = std::env::var_os("OFFSHOOT_PROVIDER_SDKS").map(PathBuf::from);
    if directory.is_none() {
        eprintln!(
            "skipped: run tests/providers/install DIRECTORY and set OFFSHOOT_PROVIDER_SDKS to it"
        );
    }
    directory
}

/// Runs a script of a client to its end, in Python or on Node.
pub async fn client(directory: &Path, script: &str, variables: &[(&str, &str)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("clients")
        .join(script);
    let (program, place, path) = if script.ends_with(".py") {
        (
            directory.join("python/bin/python"),
            directory.to_owned(),
            path,
        )
    } else {
        // A module looks for others beside itself.
        let place = directory.join("node");
        let copy = place.join(script);
        std::fs::copy(path, &copy).unwrap();
        (PathBuf::from("node"), place, copy)
    };
    let output = Command::new(program)
        .arg(path)
        .current_dir(place)
        .envs(variables.iter().copied())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{script}\n{out}\n{err}");
}

/// Runs a script of a client, where the clients are, against a service over TLS: `variables` have its address there,
/// and the credential is `TOKEN`.
pub async fn client_over_tls(
    script: &str,
    certificate: &Path,
    variables: &[(&str, &str)],
    token: &str,
) {
    let Some(directory) = clients() else { return };
    let certificate = certificate.display().to_string();
    let trust = [("TOKEN", token), ("REQUESTS_CA_BUNDLE", &certificate)];
    client(&directory, script, &[variables, &trust].concat()).await;
}

/// Runs the part `exec` of a module's live test with a service over TLS as the provider, in a process of its own: whom
/// a process trusts, it is asked once.
pub async fn over_tls(module: &str, certificate: &Path, variables: &[(&str, &str)]) {
    let test = format!("{module}::a_sandbox_at_the_provider_keeps_the_contract");
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &test])
        .envs(variables.iter().copied())
        .env("OFFSHOOT_LIVE_ONLY", "exec")
        .env("SSL_CERT_FILE", certificate)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("1 passed"), "{told}");
}

/// Reaches the provider itself where its variable is set, and runs the suite there.
pub async fn live(name: &str, variable: &str) {
    if std::env::var_os(variable).is_none() {
        eprintln!("skipped: set {variable} and the provider's own variables to run it");
        return;
    }
    let manifest = providers::manifest(name).unwrap();
    let engine = offshoot::engine().unwrap();
    let connector = providers::connector(engine, name, &manifest).await.unwrap();
    suite(connector, Options::default()).await;
}
