//! Every backend of this crate passes the public suite, and the suite finds broken ones.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use offshoot_backend::conformance::{self, Made, Subject};
use offshoot_backend::{
    Code, Environment, Exec, Factory, IdleSuspend, Options, Policy, Recorder, RemoveOptions,
    Restricted, Result, Rules, Snapshot, Traced,
};
use offshoot_backends::empty::Empty;
use offshoot_backends::local::LocalFactory;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

async fn passes(factory: Arc<dyn Factory>) {
    let report = conformance::run(&Made::new(factory, Options::default())).await;
    assert!(report.passed(), "\n{}", report.table());
}

#[tokio::test(flavor = "multi_thread")]
async fn empty() {
    passes(Arc::new(Empty)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn local() {
    passes(Arc::new(LocalFactory::default())).await;
}

/// A local sandbox in a directory that is there already.
async fn local_in(directory: &Path, cwd: Option<&str>) -> Result<Arc<dyn Environment>> {
    let shown = directory.display().to_string();
    let mut options = Options::default().setting("directory", shown);
    options.cwd = cwd.map(str::to_owned);
    LocalFactory::default().create(options).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_working_directory_is_not_made_outside() {
    let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(outside.path(), inside.path().join("link")).unwrap();
    let error = local_in(inside.path(), Some("link/made"))
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::PathEscape, "{error}");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    let sandbox = local_in(inside.path(), Some("made/here")).await.unwrap();
    let rules = Rules::new(sandbox);
    assert!(rules.exec("pwd".into()).await.unwrap().success());
    let error = rules
        .exec(Exec::new("pwd").cwd("../../link"))
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::PathEscape, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_plain_file_does_not_keep_the_host_waiting() {
    let sandbox = LocalFactory::default()
        .create(Options::default())
        .await
        .unwrap();
    let rules = Rules::new(sandbox);
    let script = "mkfifo pipe; ln -s pipe link; truncate -s 1T sparse; ln -s later dangling
        mkdir many; cd many; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo d$i; done | xargs mkdir
        cd ..; echo x > one; ln one two";
    rules.exec(script.into()).await.unwrap();
    for (path, code) in [
        ("pipe", Code::Conflict),
        ("link", Code::Conflict),
        ("sparse", Code::Limit),
    ] {
        let error = rules.read_file_buffer(path).await.unwrap_err();
        assert_eq!(error.code(), code, "{path}: {error}");
    }
    let error = rules.write_file("pipe", b"x").await.unwrap_err();
    assert_eq!(error.code(), Code::Conflict, "{error}");
    // More directories than a process may have open, where names of a file are counted.
    assert_eq!(rules.read_file("two").await.unwrap(), "x\n");
    // A link whose end becomes a pipe while it is written through.
    let swap = rules
        .exec("i=0; while [ $i -lt 300 ]; do i=$((i+1)); rm -f later; mkfifo later; done".into());
    let write = async {
        for _ in 0..50 {
            // Which of both is there is open; what counts is that it ends.
            let _ = rules.write_file("dangling", b"x").await;
        }
    };
    let (swapped, ()) = futures::future::join(swap, write).await;
    swapped.unwrap();
    let tree = RemoveOptions {
        recursive: true,
        force: true,
    };
    rules.rm("many", tree).await.unwrap();
    rules.cleanup().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn t20_a_fork_bomb_ends_with_its_sandbox() {
    let sandbox = LocalFactory::default()
        .create(Options::default())
        .await
        .unwrap();
    // Each makes its successor, in a session of its own, and ends: nobody is there for long.
    let script =
        "hop() { setsid bash -c \"$(declare -f hop); sleep 0.01; hop\" & }; hop; hop; hop; echo on";
    let mut running = Rules::new(Arc::clone(&sandbox))
        .spawn(script.into())
        .await
        .unwrap();
    running.next().await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    sandbox.cleanup().await.unwrap();
    drop(running);
    let hops = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        lines
            .filter(|line| String::from_utf8_lossy(line).contains("hop ()"))
            .count()
    };
    let started = Instant::now();
    while hops() > 0 {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "{} are left",
            hops()
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reference_opens_no_other_directory() {
    let factory = LocalFactory::default();
    let base = tempfile::tempdir().unwrap();
    for directory in [Path::new("/"), base.path()] {
        let data = format!(r#"{{"directory": "{}"}}"#, directory.display());
        let error = factory.attach(&data, Options::default()).await.unwrap_err();
        assert_eq!(error.code(), Code::NotFound, "{error}");
    }
    // One that another factory made is reached, as another process would.
    let sandbox = factory.create(Options::default()).await.unwrap();
    sandbox
        .write_file(&sandbox.resolve_path("file"), b"x")
        .await
        .unwrap();
    let reference = sandbox.reference().await.unwrap();
    let other = LocalFactory::default();
    let attached = other
        .attach(&reference.provider_data, Options::default())
        .await
        .unwrap();
    assert!(
        attached
            .exists(&attached.resolve_path("file"))
            .await
            .unwrap()
    );
    attached.cleanup().await.unwrap();
    sandbox.cleanup().await.unwrap();
    let gone = other
        .attach(&reference.provider_data, Options::default())
        .await;
    assert_eq!(gone.unwrap_err().code(), Code::NotFound);
}

/// The local backend with wrappers around it.
struct Wrapped(LocalFactory, bool);

impl Wrapped {
    async fn wrap(&self, inner: Arc<dyn Environment>) -> Result<Arc<dyn Environment>> {
        if self.1 {
            return Ok(Arc::new(Traced::new(Arc::new(Recorder::new(inner)), "id")));
        }
        let layers = [Policy::default(), Policy::default()];
        let restricted = Restricted::new(inner, &layers, None).await?;
        Ok(IdleSuspend::wrap(Arc::new(restricted), 600_000, true))
    }
}

#[async_trait::async_trait]
impl Subject for Wrapped {
    fn name(&self) -> String {
        "local, wrapped".to_owned()
    }

    async fn open(&self, wanted: Options) -> Result<Arc<dyn Environment>> {
        self.wrap(self.0.create(wanted).await?).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Option<Result<Arc<dyn Environment>>> {
        let started = self.0.start(snapshot, Options::default()).await;
        Some(match started {
            Ok(started) => self.wrap(started).await,
            Err(error) => Err(error),
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrappers_keep_the_contract_and_say_what_they_take_away() {
    for is_recorded in [true, false] {
        let subject = Wrapped(LocalFactory::default(), is_recorded);
        let wanted = |area: &str, _: &str| ["classic", "capability", "life"].contains(&area);
        let report = conformance::run_only(&subject, &wanted).await;
        assert!(report.passed(), "\n{}", report.table());
        let claimed = &report.capabilities;
        assert_eq!((claimed.fork, claimed.reconnect), (!is_recorded, false));
    }
}
