//! Settings that are changed while a sandbox is awake or asleep, warnings, tasks.

use offshoot::lifecycle::{
    Bootup, CreateOptions, Event, EventKind, Origin, Sandboxes, Store, Task, TaskStatus, Update,
};
use offshoot::{Code, Limits, Quotas, Sandbox};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn template() -> Origin {
    Origin::template(Sandbox::builder())
}

async fn text(sandboxes: &Sandboxes, name: &str, script: &str) -> String {
    let result = sandboxes.exec(name, script).await.unwrap();
    result.stdout_text().into_owned()
}

type Heard = Arc<Mutex<Vec<Event>>>;

/// A service that writes down what it hears.
fn listening(store: Store) -> (Sandboxes, Heard) {
    let heard = Heard::default();
    let list = Arc::clone(&heard);
    let sandboxes = Sandboxes::builder(store).on_event(move |event| {
        list.lock().unwrap().push(event);
        async { Ok(()) }
    });
    (sandboxes.build(), heard)
}

async fn until(what: &str, done: impl Fn() -> bool) {
    for _ in 0..6000 {
        if done() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} did not happen");
}

fn kinds(heard: &Heard) -> Vec<EventKind> {
    let heard = heard.lock().unwrap();
    heard.iter().map(|event| event.kind).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_changed_live_and_stay() {
    let directory = tempfile::tempdir().unwrap();
    let sandboxes = Sandboxes::open(Store::sqlite(directory.path()).unwrap());
    sandboxes.create("box", template()).await.unwrap();
    let lease = sandboxes.lease("box").await.unwrap();
    let pipe = "seq 3 | sort -r | head -n 1";
    assert_eq!(lease.exec(pipe).await.unwrap().stdout_text(), "3\n");
    let limits = Limits {
        memory: 64 << 20,
        processes: 9,
        ..Limits::default()
    };
    let update = Update::new().limits(limits.clone()).quotas(Quotas {
        file_size: 1000,
        ..Quotas::default()
    });
    sandboxes.update("box", update).await.unwrap();
    // For a lease from before as well.
    assert_eq!(lease.limits(), limits);
    let large = lease.exec("head -c 2000 /dev/zero > large").await.unwrap();
    assert_ne!(large.exit_code, 0);
    let branch = lease.fork();
    assert_eq!(branch.limits(), limits);
    drop((lease, branch));
    sandboxes.suspend("box").await.unwrap();
    // In another process, and in a branch.
    let other = Sandboxes::open(Store::sqlite(directory.path()).unwrap());
    other.create("fork", Origin::sandbox("box")).await.unwrap();
    for name in ["box", "fork"] {
        let lease = other.lease(name).await.unwrap();
        assert_eq!(lease.limits(), limits, "{name}");
        assert_eq!(lease.quotas().file_size, 1000, "{name}");
    }
    other.suspend("fork").await.unwrap();
    // Asleep: from its next start.
    let update = Update::new().limits(Limits::default());
    other.update("fork", update).await.unwrap();
    let lease = other.lease("fork").await.unwrap();
    assert_eq!(lease.limits(), Limits::default());
    assert_eq!(lease.quotas().file_size, 1000);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_said_stays() {
    let sandboxes = Sandboxes::open(Store::memory());
    let options = CreateOptions::new().title("title").tag("a");
    sandboxes
        .create_with("box", template(), options)
        .await
        .unwrap();
    let hour = Some(Duration::from_secs(3600));
    let update = Update::new().description("text").time_to_live(hour);
    let info = sandboxes.update("box", update).await.unwrap();
    assert_eq!(info.title.as_deref(), Some("title"));
    assert_eq!(info.description.as_deref(), Some("text"));
    assert_eq!(info.tags, ["a"]);
    assert!(info.expires.is_some() && info.warnings.is_empty());
    let short = Some(Duration::from_secs(30));
    let update = Update::new().time_to_live(None).hibernation_timeout(short);
    let info = sandboxes.update("box", update).await.unwrap();
    assert_eq!((info.expires, info.idle_ms), (None, Some(30_000)));
    // A short time is worth a word.
    assert_eq!(info.warnings.len(), 1);
    let long = Some(Duration::from_secs(86_401));
    for wrong in [
        Update::new().hibernation_timeout(long),
        Update::new().tags((0..11).map(|n| n.to_string())),
        Update::new().tasks([Task::new("a", "1"), Task::new("a", "2")]),
    ] {
        let refused = sandboxes.update("box", wrong).await.unwrap_err();
        assert_eq!(refused.code(), Code::Invalid);
    }
    let missing = sandboxes.update("other", Update::new().title("x")).await;
    assert_eq!(missing.unwrap_err().code(), Code::NotFound);
}

/// A hibernation timeout that is set while it is awake and unused begins at once.
#[tokio::test(flavor = "multi_thread")]
async fn idleness_is_set_live_and_warned_of() {
    let (sandboxes, heard) = listening(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    sandboxes.exec("box", "echo kept > file").await.unwrap();
    let update = Update::new()
        .hibernation_timeout(Some(Duration::from_millis(600)))
        .warning(Duration::from_millis(300));
    sandboxes.update("box", update).await.unwrap();
    let asleep = || kinds(&heard).contains(&EventKind::Hibernated);
    until("the sleep", asleep).await;
    let told = kinds(&heard);
    let soon = told
        .iter()
        .position(|kind| *kind == EventKind::HibernatesSoon);
    let slept = told.iter().position(|kind| *kind == EventKind::Hibernated);
    assert!(soon.is_some() && soon < slept, "{told:?}");
    assert!(sandboxes.is_asleep("box").await.unwrap());
    assert_eq!(text(&sandboxes, "box", "cat file").await, "kept\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_its_time_is_told_once_before() {
    let (sandboxes, heard) = listening(Store::memory());
    let options = CreateOptions::new()
        .time_to_live(Duration::from_secs(3600))
        .warning(Duration::from_secs(7200));
    sandboxes
        .create_with("box", template(), options)
        .await
        .unwrap();
    // Whoever sweeps tells it.
    for _ in 0..3 {
        sandboxes.maintenance().sweep().await.unwrap();
        sandboxes.maintenance().deliver_events("box").await.unwrap();
    }
    let count = |kinds: Vec<EventKind>| {
        let soon = |kind: &&EventKind| **kind == EventKind::ExpiresSoon;
        kinds.iter().filter(soon).count()
    };
    assert_eq!(count(kinds(&heard)), 1);
    // A new end is told anew.
    let later = Some(Duration::from_secs(5400));
    let update = Update::new().time_to_live(later);
    sandboxes.update("box", update).await.unwrap();
    sandboxes.maintenance().sweep().await.unwrap();
    sandboxes.maintenance().deliver_events("box").await.unwrap();
    assert_eq!(count(kinds(&heard)), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_run_beside_everything_else() {
    let (sandboxes, heard) = listening(Store::memory());
    let options = CreateOptions::new()
        .setup_step("make", "echo ready > /tmp/state")
        .task(
            Task::new(
                "serve",
                "cat /tmp/state; while :; do sleep 0.05; echo x >> /tmp/ticks; done",
            )
            .at_start()
            .port(3000),
        )
        .task(Task::new("once", "echo out; echo err >&2; exit 3"));
    sandboxes
        .create_with("box", template(), options)
        .await
        .unwrap();
    let listed = sandboxes.tasks("box").list().await.unwrap();
    assert_eq!(listed.len(), 2);
    assert_eq!((listed[0].port, listed[0].at_start), (Some(3000), true));
    assert!(listed.iter().all(|task| task.status == TaskStatus::Idle));
    // With the first start, after the setup.
    sandboxes.resume("box").await.unwrap();
    let status = async |task: &str| sandboxes.tasks("box").get(task).await.unwrap().status;
    for _ in 0..6000 {
        let serve = sandboxes.tasks("box").get("serve").await.unwrap();
        if serve.output == b"ready\n" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let serve = sandboxes.tasks("box").get("serve").await.unwrap();
    assert_eq!(
        (serve.status, &serve.output[..]),
        (TaskStatus::Running, &b"ready\n"[..])
    );

    sandboxes.tasks("box").run("once").await.unwrap();
    let minute = Duration::from_secs(60);
    let once = sandboxes.tasks("box").wait("once", minute).await.unwrap();
    assert_eq!((once.status, once.exit_code), (TaskStatus::Failed, Some(3)));
    assert_eq!(once.output, b"out\nerr\n");
    until("the event", || {
        kinds(&heard).contains(&EventKind::TaskEnded)
    })
    .await;

    // It sleeps and goes on with the sandbox.
    while let Err(error) = sandboxes.suspend("box").await {
        assert_eq!(error.code(), Code::Conflict, "{error}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(status("serve").await, TaskStatus::Sleeping);
    assert_eq!(sandboxes.resume("box").await.unwrap(), Bootup::Resume);
    for _ in 0..6000 {
        if status("serve").await == TaskStatus::Running {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(status("serve").await, TaskStatus::Running);
    let ticks = async || text(&sandboxes, "box", "wc -l < /tmp/ticks").await;
    let before = ticks().await;
    for _ in 0..6000 {
        if ticks().await != before {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_ne!(ticks().await, before);

    sandboxes.tasks("box").stop("serve").await.unwrap();
    assert_eq!(status("serve").await, TaskStatus::Stopped);
    sandboxes.tasks("box").restart("serve").await.unwrap();
    assert_eq!(status("serve").await, TaskStatus::Running);
    sandboxes.tasks("box").stop("serve").await.unwrap();
    for missing in [
        sandboxes.tasks("box").run("other").await,
        sandboxes.tasks("box").stop("other").await,
    ] {
        assert_eq!(missing.unwrap_err().code(), Code::NotFound);
    }
}
