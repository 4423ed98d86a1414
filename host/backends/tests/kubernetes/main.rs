//! The kubernetes backend on an API server of this test, whose pods are real containers.
//!
//! It needs root, `runc` and a static BusyBox, as Debian's packages runc and busybox-static bring
//! them, and runs where OFFSHOOT_KUBERNETES_TESTS is set. One test needs containerd, too.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../busybox/mod.rs"]
mod busybox;
#[path = "../canary/mod.rs"]
mod canary;
mod certificates;
mod clients;
mod cri;
mod exec;
mod node;
mod server;

use canary::Canary;
use certificates::Certificates;
use node::{IMAGE, Node};
use offshoot_backend::conformance::{self, Made};
use offshoot_backend::{Code, Environment, Exec, Factory, Options, Rules, State, Stdin, Watch};
use offshoot_backends::kubernetes::KubernetesFactory;
use serde_json::{Value, json};
use server::{Server, V4, V5};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const TOKEN: &str = "c4nary-of-the-token-77d2";

/// What it has and a twin denies, and what it lacks and a twin claims. The rest takes long, and is
/// proven on other backends.
const TWINS: [&str; 9] = [
    "background",
    "cpu_limit",
    "file_policy",
    "fork",
    "process_limit",
    "separate_stderr",
    "stdin",
    "suspend",
    "terminal",
];

/// Within what time a call ends whose server ended: many times what it takes, on a busy machine.
const SETTLED: Duration = Duration::from_secs(20);
/// Within what time something ends that nobody waits for.
const GONE: Duration = Duration::from_secs(60);

/// A server that speaks these protocols; nothing where it cannot be had here.
fn server(protocols: &[&'static str], token: Option<&str>) -> Option<Server> {
    let found = match std::env::var_os("OFFSHOOT_KUBERNETES_TESTS") {
        None => Err("OFFSHOOT_KUBERNETES_TESTS is not set".to_owned()),
        Some(_) => Server::start(protocols, token),
    };
    found
        .inspect_err(|reason| {
            // Past the capture of tests, so that a run shows what it left out.
            let _ = writeln!(std::io::stderr(), "skipped: kubernetes: {reason}");
        })
        .ok()
}

fn factory(server: &Server) -> Arc<KubernetesFactory> {
    Arc::new(KubernetesFactory::new(server.url(), Some(TOKEN.to_owned())))
}

fn options() -> Options {
    Options::default().setting("image", IMAGE)
}

/// A pod that somebody else made.
async fn given(server: &Server) -> String {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "given"},
        "spec": {"containers": [{"name": "main", "image": IMAGE,
            "command": ["sh", "-c", "trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done"]}]}});
    let kind = ("pods", "default".to_owned());
    assert_eq!(server.cluster.create(&kind, pod).0, 201);
    until("it runs", || {
        let pod = server.cluster.object("pods", "default", "given").unwrap();
        pod["status"]["phase"] == "Running"
    })
    .await;
    "given".to_owned()
}

/// Waits for what will be without anybody's doing.
async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < GONE, "{what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Fails where anything is left of sandboxes.
async fn nothing_is_left(server: &Server) {
    let cluster = &server.cluster;
    until("pods are left", || cluster.names("pods").is_empty()).await;
    until("claims are left", || {
        cluster.names("persistentvolumeclaims").is_empty()
    })
    .await;
    until("containers are left", || {
        cluster.node.containers().is_empty()
    })
    .await;
    until("volumes are left", || cluster.node.volumes().is_empty()).await;
    until("commands are left", || {
        cluster.commands.load(Ordering::Acquire) == 0
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_the_suite_and_leaves_nothing() {
    let Some(server) = server(&[V5, V4], Some(TOKEN)) else {
        return;
    };
    let subject = Made::new(factory(&server), options());
    let report = conformance::run(&subject).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    let some = |_: &str, name: &str| TWINS.contains(&name);
    let twins = conformance::run_twins(&subject, &some).await;
    assert!(twins.passed(), "\n{}", twins.table());
    assert_eq!(twins.steps.len(), TWINS.len());
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_volume_it_sleeps() {
    let Some(server) = server(&[V5], Some(TOKEN)) else {
        return;
    };
    let factory = factory(&server);
    let options = options().setting("storage", "64Mi");
    let subject = Made::new(Arc::clone(&factory) as Arc<dyn Factory>, options.clone());
    let wanted = |area: &str, _: &str| ["classic", "capability", "life"].contains(&area);
    let report = conformance::run_only(&subject, &wanted).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    assert!(report.capabilities.suspend && report.capabilities.resume);
    let some = |_: &str, name: &str| ["suspend", "resume"].contains(&name);
    let twins = conformance::run_twins(&subject, &some).await;
    assert!(twins.passed(), "\n{}", twins.table());
    nothing_is_left(&server).await;

    // Another holder finds it asleep, and wakes it; the variables are those it was made with.
    let mut options = options;
    options.env = vec![("KEPT".to_owned(), "$$ $(HOME) 'x'".to_owned())];
    let sandbox = Rules::new(factory.create(options.clone()).await.unwrap());
    sandbox.write_file("file", b"text").await.unwrap();
    let reference = sandbox.reference().await.unwrap();
    sandbox.suspend().await.unwrap();
    assert_eq!(server.cluster.names("pods"), Vec::<String>::new());
    let error = sandbox.exec("true".into()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    drop(sandbox);
    let other = KubernetesFactory::new(server.url(), Some(TOKEN.to_owned()));
    let data = &reference.provider_data;
    let attached = other.attach(data, Options::default()).await.unwrap();
    let attached = Rules::new(attached);
    assert_eq!(attached.state().await.unwrap(), State::Suspended);
    attached.resume().await.unwrap();
    let shown = attached.exec("cat file; echo \"$KEPT\"".into()).await;
    assert_eq!(shown.unwrap().stdout_text(), "text$$ $(HOME) 'x'\n");
    attached.cleanup().await.unwrap();
    assert_eq!(server.cluster.names("pods").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_older_protocol_there_is_no_standard_input() {
    let Some(server) = server(&[V4], Some(TOKEN)) else {
        return;
    };
    let factory = factory(&server);
    let subject = Made::new(Arc::clone(&factory) as Arc<dyn Factory>, options());
    let wanted = |area: &str, name: &str| match area {
        // A thousand commands, where it goes through arguments.
        "files" => name != "a file of 64 MiB",
        "classic" | "exec" | "capability" => true,
        _ => false,
    };
    let report = conformance::run_only(&subject, &wanted).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    assert!(!report.capabilities.stdin && report.capabilities.streaming);
    let twins = conformance::run_twins(&subject, &|_, name| name == "stdin").await;
    assert!(twins.passed(), "\n{}", twins.table());
    // What the API server could not end is not begun.
    let sandbox = factory.create(options()).await.unwrap();
    for stdin in [Stdin::Piped, Stdin::from("x")] {
        let error = sandbox.spawn(Exec::new("cat").stdin(stdin)).await;
        assert_eq!(error.err().unwrap().code(), Code::Capability);
    }
    let read = sandbox.exec(Exec::new("cat; echo end")).await.unwrap();
    assert_eq!(read.stdout, b"end\n");
    sandbox.cleanup().await.unwrap();
    nothing_is_left(&server).await;
}

/// Containerd serves the streams as it does for kubelets. This age of it speaks the older protocol.
#[tokio::test(flavor = "multi_thread")]
async fn passes_the_suite_on_containerd() {
    // Says why, where it cannot be had.
    if server(&[V4], None).is_none() {
        return;
    }
    let node = match Node::with_containerd() {
        Ok(node) => node,
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "skipped: containerd: {reason}");
            return;
        }
    };
    let server = Server::with(node, &[V4], Some(TOKEN));
    let subject = Made::new(factory(&server), options());
    let wanted = |_: &str, name: &str| name != "a file of 64 MiB";
    let report = conformance::run_only(&subject, &wanted).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_given_pod_is_used_and_left() {
    let Some(server) = server(&[V5, V4], Some(TOKEN)) else {
        return;
    };
    let pod = given(&server).await;
    let factory = factory(&server);
    let options = Options::default()
        .setting("pod", pod)
        .setting("workspace", "/w/s");
    let subject = Made::new(Arc::clone(&factory) as Arc<dyn Factory>, options.clone());
    // Its sandboxes share their files, so not what counts them.
    let wanted = |area: &str, name: &str| match area {
        "classic" | "exec" | "life" | "escape" => true,
        "capability" => !["memory_limit", "cpu_limit"].contains(&name),
        _ => false,
    };
    let report = conformance::run_only(&subject, &wanted).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    let mut limited = options.clone();
    limited.limits.memory_bytes = Some(1 << 20);
    let error = factory.create(limited).await.unwrap_err();
    assert_eq!(error.code(), Code::Capability);

    let mut with_variable = options.clone();
    with_variable.env = vec![("GIVEN".to_owned(), "yes".to_owned())];
    let sandbox = Rules::new(factory.create(with_variable).await.unwrap());
    let shown = sandbox.exec("echo \"$GIVEN\"; pwd".into()).await.unwrap();
    assert_eq!(shown.stdout_text(), "yes\n/w/s\n");
    // A reference that somebody made up does not open it.
    let data = r#"{"namespace":"default","pod":"given","root":"/","cwd":"/"}"#;
    let error = factory.attach(data, options.clone()).await.unwrap_err();
    assert_eq!(error.code(), Code::NotFound, "{error}");
    sandbox.cleanup().await.unwrap();
    assert_eq!(server.cluster.names("pods"), ["given"]);
    until("commands are left", || {
        server.cluster.commands.load(Ordering::Acquire) == 0
    })
    .await;

    // It ends in the middle of a call, and the call with it.
    let sandbox = factory.create(options.clone()).await.unwrap();
    let running = Arc::clone(&sandbox);
    let call = tokio::spawn(async move { running.exec(Exec::new("sleep 600")).await });
    until("it runs", || {
        server.cluster.commands.load(Ordering::Acquire) > 0
    })
    .await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.cluster.remove("pods", "default", "given");
    let error = call.await.unwrap().unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    until("it goes", || server.cluster.names("pods").is_empty()).await;
    let error = sandbox.exec(Exec::new("true")).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    let error = factory.create(options).await.unwrap_err();
    assert_eq!(error.code(), Code::NotFound, "{error}");
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ends_and_an_owner_that_ended() {
    let Some(mut server) = server(&[V5, V4], Some(TOKEN)) else {
        return;
    };
    let factory = factory(&server);
    let sandbox = factory.create(options()).await.unwrap();
    let owner = owner_of(&server);

    // What a process that is gone made is reaped; what a live one made stays, and so does what
    // another one's label is not on.
    let earlier = format!("{}/earlier/1/1", owner.split('/').next().unwrap());
    let kind = ("pods", "default".to_owned());
    for (name, label, owner) in [
        ("orphan", "sandbox", &*earlier),
        ("other", "other", &earlier),
        ("live", "sandbox", &owner),
    ] {
        let pod = json!({"metadata": {"name": name, "labels": {"offshoot.run/kind": label},
            "annotations": {"offshoot.run/owner": owner}},
            "spec": {"containers": [{"name": "main", "image": IMAGE, "command": ["sleep", "600"]}]}});
        assert_eq!(server.cluster.create(&kind, pod).0, 201);
    }
    let other = KubernetesFactory::new(server.url(), Some(TOKEN.to_owned()));
    other.reap("default").await.unwrap();
    let cluster = Arc::clone(&server.cluster);
    until("an orphan is left", || cluster.names("pods").len() == 3).await;
    for name in ["other", "live"] {
        server.cluster.remove("pods", "default", name);
    }

    // The server falls silent in the middle of a call.
    let rules = Rules::new(Arc::clone(&sandbox)).watch(Watch {
        poll: Duration::from_millis(200),
        silence: Duration::from_secs(2),
    });
    let call = tokio::spawn(async move { rules.exec(Exec::new("sleep 600")).await });
    until("it runs", || cluster.commands.load(Ordering::Acquire) > 0).await;
    cluster.is_frozen.store(true, Ordering::Release);
    let started = Instant::now();
    let error = call.await.unwrap().unwrap_err();
    assert!(started.elapsed() < SETTLED, "{:?}", started.elapsed());
    assert_eq!(error.code(), Code::Died, "{error}");
    cluster.is_frozen.store(false, Ordering::Release);

    // It is killed in the middle of a call, which then ends by itself.
    let running = Arc::clone(&sandbox);
    let call = tokio::spawn(async move { running.exec(Exec::new("sleep 600")).await });
    until("it runs", || cluster.commands.load(Ordering::Acquire) > 0).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let started = Instant::now();
    server.kill();
    let error = call.await.unwrap().unwrap_err();
    assert!(started.elapsed() < SETTLED, "{:?}", started.elapsed());
    assert_eq!(
        (error.code(), error.backend()),
        (Code::Died, Some("kubernetes"))
    );
    println!("killed, and told after {:?}", started.elapsed());
    let error = sandbox.exec(Exec::new("true")).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    assert!(error.retryable());
    let error = factory.create(options()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");

    // A server on the same cluster knows the pod; whoever made it can still use it and clean up.
    server.resume();
    let shown = sandbox.exec(Exec::new("echo again")).await.unwrap();
    assert_eq!(shown.stdout, b"again\n");
    sandbox.cleanup().await.unwrap();
    cluster.commands.store(0, Ordering::Release);
    nothing_is_left(&server).await;
}

/// Who made the only pod that is there, as it is written on it.
fn owner_of(server: &Server) -> String {
    let name = server.cluster.names("pods").remove(0);
    let pod = server.cluster.object("pods", "default", &name).unwrap();
    let owner = &pod["metadata"]["annotations"]["offshoot.run/owner"];
    owner.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_is_dropped_is_removed() {
    let Some(server) = server(&[V5, V4], Some(TOKEN)) else {
        return;
    };
    let factory = factory(&server);
    let storage = options().setting("storage", "1Mi");
    drop(factory.create(storage).await.unwrap());
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_typed_and_leave_nothing() {
    let Some(server) = server(&[V5, V4], Some(TOKEN)) else {
        return;
    };
    let owner = factory(&server);
    let create = async |options: Options| owner.create(options).await.unwrap_err();
    let missing = Options::default().setting("image", "no-such:1");
    let error = create(missing.setting("storage", "1Mi")).await;
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    assert!(error.message().contains("no-such:1"), "{error}");
    for (name, value) in [
        ("imgae", json!(IMAGE)),
        ("namespace", json!("../../../secrets")),
        ("container", json!("main")),
        ("pod", json!("given")),
        ("storage_class", json!("fast")),
        ("kubeconfig", json!("/no/such")),
        ("url", json!("http://10.0.0.1:1")),
    ] {
        let mut options = options().setting(name, value);
        if name == "url" {
            options = options.setting("token_file", "/no/such");
        }
        let error = create(options).await;
        assert_eq!(error.code(), Code::Invalid, "{name}: {error}");
    }
    let error = create(Options::default()).await;
    assert_eq!(error.code(), Code::Invalid, "{error}");
    // Without the token, and with TLS where there is none.
    let nobody = KubernetesFactory::new(server.url(), None);
    let error = nobody.create(options()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    let secure = server.url().replace("http:", "https:");
    let secure = KubernetesFactory::new(secure, None);
    let error = secure.create(options()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_anywhere() {
    let Some(server) = server(&[V5, V4], Some(TOKEN)) else {
        return;
    };
    let factory = factory(&server);
    let mut canary = Canary::new();
    let made = factory.create(options()).await.unwrap();
    let environment: Arc<dyn Environment> = Arc::new(Rules::new(made));
    canary.fly(&environment).await;
    canary.tell("the factory", format!("{factory:?} {:?}", options()));
    // The addresses, as audit logs keep them, hold nothing of a command.
    canary.tell(
        "the log of the server",
        server.cluster.log.lock().unwrap().join("\n"),
    );
    let name = server.cluster.names("pods").remove(0);
    let pod: Value = server.cluster.object("pods", "default", &name).unwrap();
    canary.tell("the pod", pod.to_string());
    let reference = environment.reference().await.unwrap().to_string();
    assert!(!reference.contains(TOKEN) && !format!("{factory:?}").contains(TOKEN));
    canary.look(server.cluster.node.path());
    canary.check();
    environment.cleanup().await.unwrap();
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configuration_file_is_read() {
    let Some(server) = server(&[V5, V4], Some(TOKEN)) else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config");
    std::fs::write(&file, kubeconfig(&server)).unwrap();
    let file = file.display().to_string();
    let factory = KubernetesFactory::default();
    let options = options().setting("kubeconfig", file);
    let subject = Made::new(Arc::new(factory), options.clone());
    let found = conformance::measure(&subject).await.unwrap();
    println!("{found:#?}");
    assert!(found.len() >= 4 && found.iter().all(|speed| speed.min_ns > 0));
    let token = directory.path().join("token");
    std::fs::write(&token, TOKEN).unwrap();
    let by_url = Options::default()
        .setting("image", IMAGE)
        .setting("url", server.url())
        .setting("token_file", token.display().to_string());
    let sandbox = KubernetesFactory::default().create(by_url).await.unwrap();
    sandbox.cleanup().await.unwrap();
    let named = options.setting("context", "none");
    let error = KubernetesFactory::default().create(named).await;
    assert_eq!(error.unwrap_err().code(), Code::Invalid);
    nothing_is_left(&server).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_tls_both_sides_show_who_they_are() {
    let Some(mut server) = server(&[V5, V4], Some(TOKEN)) else {
        return;
    };
    if busybox::find("openssl").is_none() {
        let _ = writeln!(std::io::stderr(), "skipped: TLS: there is no openssl");
        return;
    }
    let certificates = Certificates::new();
    server.secure(&certificates);
    let mut config: Value = serde_json::from_str(&kubeconfig(&server)).unwrap();
    let of = |name: &str, kind: &str| Value::from(certificates.file(name, kind));
    config["clusters"][0]["cluster"]["certificate-authority"] = of("authority", "pem");
    let user = &mut config["users"][0]["user"];
    user["client-certificate"] = of("client", "pem");
    user["client-key"] = of("client", "key");
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("config");
    std::fs::write(&file, config.to_string()).unwrap();
    let options = options().setting("kubeconfig", file.display().to_string());
    let factory = Arc::new(KubernetesFactory::default());
    let subject = Made::new(Arc::clone(&factory) as Arc<dyn Factory>, options.clone());
    let wanted = |area: &str, name: &str| match area {
        "classic" | "life" => true,
        "files" => name == "a file of 64 MiB",
        _ => ["stdin", "streaming", "exec_timeout"].contains(&name),
    };
    let report = conformance::run_only(&subject, &wanted).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    // One that no authority vouches for is not talked to, and knows nobody without a certificate.
    let token = directory.path().join("token");
    std::fs::write(&token, TOKEN).unwrap();
    let by_url = Options::default()
        .setting("image", IMAGE)
        .setting("url", server.url())
        .setting("token_file", token.display().to_string());
    for authority in [None, Some(certificates.file("authority", "pem"))] {
        let options = match authority {
            None => by_url.clone(),
            Some(file) => by_url.clone().setting("ca_file", file),
        };
        let error = factory.create(options).await.unwrap_err();
        assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    }
    nothing_is_left(&server).await;
}

/// A configuration as kubectl reads it.
fn kubeconfig(server: &Server) -> String {
    let named = |name: &str, key: &str, value: Value| json!({"name": name, key: value});
    json!({"apiVersion": "v1", "kind": "Config", "current-context": "test",
        "clusters": [named("test", "cluster", json!({"server": server.url()}))],
        "users": [named("test", "user", json!({"token": TOKEN}))],
        "contexts": [named("test", "context", json!({"cluster": "test", "user": "test"}))]})
    .to_string()
}
