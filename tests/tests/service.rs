//! The service's verbs: what each start has, setup, events, listings, histories, many branches.

use offshoot::lifecycle::{
    Bootup, CreateOptions, Event, EventKind, LeaseOptions, ListOptions, OnLastRelease, Order,
    Origin, Sandboxes, SetupStatus, State, StepStatus, Store,
};
use offshoot::{Code, Sandbox};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn template() -> Origin {
    Origin::template(Sandbox::builder())
}

async fn text(sandboxes: &Sandboxes, name: &str, script: &str) -> String {
    let result = sandboxes.exec(name, script).await.unwrap();
    result.stdout_text().into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_start_says_what_it_has() {
    let sandboxes = Sandboxes::open(Store::memory());
    let made = sandboxes.create("box", template()).await.unwrap();
    assert_eq!((made.bootup, made.state), (Bootup::Fork, State::Suspended));
    let session = async || {
        let lease = sandboxes.lease("box").await.unwrap();
        let session = lease.session("main").await;
        let result = session.exec("echo ${x:-none}; x=set; touch file").await;
        result.unwrap().stdout_text().into_owned()
    };
    assert_eq!(sandboxes.resume("box").await.unwrap(), Bootup::Fork);
    assert_eq!(sandboxes.resume("box").await.unwrap(), Bootup::Running);
    assert_eq!(session().await, "none\n");
    sandboxes.hibernate("box").await.unwrap();
    assert_eq!(sandboxes.resume("box").await.unwrap(), Bootup::Resume);
    assert_eq!(session().await, "set\n");
    for _ in 0..2 {
        sandboxes.shutdown("box").await.unwrap();
    }
    assert_eq!(sandboxes.resume("box").await.unwrap(), Bootup::Clean);
    assert_eq!(session().await, "none\n");
    assert_eq!(sandboxes.restart("box").await.unwrap(), Bootup::Clean);
    assert_eq!(session().await, "none\n");
    assert_eq!(text(&sandboxes, "box", "ls").await, "file\n");
    assert_eq!(sandboxes.get("box").await.unwrap().bootup, Bootup::Clean);
    // Nothing is ended under somebody's hands.
    let lease = sandboxes.lease("box").await.unwrap();
    for refused in [
        sandboxes.shutdown("box").await.map(|()| Bootup::Running),
        sandboxes.restart("box").await,
    ] {
        assert_eq!(refused.unwrap_err().code(), Code::Conflict);
    }
    drop(lease);
    sandboxes.hibernate("box").await.unwrap();
    assert_eq!(sandboxes.restart("box").await.unwrap(), Bootup::Clean);
}

#[tokio::test(flavor = "multi_thread")]
async fn setup_runs_once_and_again_after_a_shutdown() {
    let sandboxes = Sandboxes::open(Store::memory());
    let options = CreateOptions::new()
        .setup_step("fetch", "echo fetching; echo a >> /tmp/runs")
        .setup_step(
            "build",
            "test -f /tmp/ready || { echo not ready >&2; exit 3; }",
        );
    sandboxes
        .create_with("box", template(), options)
        .await
        .unwrap();
    let idle = sandboxes.setup("box").get().await.unwrap();
    assert_eq!(idle.status, SetupStatus::Idle);
    let wait = |name: &'static str| {
        let sandboxes = sandboxes.clone();
        async move {
            let time = Duration::from_secs(60);
            sandboxes.setup(name).wait(time).await
        }
    };
    let failed = wait("box").await.unwrap_err();
    assert!(failed.to_string().contains("build"), "{failed}");
    let output = failed.output().unwrap();
    assert_eq!(output.stdout_text(), "not ready\n");
    assert_eq!(output.exit_code, 3);
    let setup = sandboxes.setup("box").get().await.unwrap();
    assert_eq!(setup.status, SetupStatus::Stopped);
    let ends = setup.steps.iter().map(|step| step.status);
    let ends: Vec<_> = ends.collect();
    assert_eq!(ends, [StepStatus::Succeeded, StepStatus::Failed]);
    assert_eq!(setup.steps[0].output, "fetching\n");

    sandboxes.exec("box", "touch /tmp/ready").await.unwrap();
    sandboxes.setup("box").rerun().await.unwrap();
    wait("box").await.unwrap();
    assert_eq!(text(&sandboxes, "box", "wc -l < /tmp/runs").await, "2\n");
    // Neither a wake-up nor a branch runs it; a shutdown does.
    sandboxes.hibernate("box").await.unwrap();
    wait("box").await.unwrap();
    sandboxes
        .create("branch", Origin::sandbox("box"))
        .await
        .unwrap();
    wait("branch").await.unwrap();
    assert_eq!(text(&sandboxes, "branch", "wc -l < /tmp/runs").await, "2\n");
    while let Err(error) = sandboxes.shutdown("box").await {
        assert_eq!(error.code(), Code::Conflict);
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    wait("box").await.unwrap();
    assert_eq!(text(&sandboxes, "box", "wc -l < /tmp/runs").await, "3\n");

    let options = CreateOptions::new().setup_step("never", "exit 1");
    sandboxes
        .create_with("skipped", template(), options)
        .await
        .unwrap();
    sandboxes.setup("skipped").skip(None).await.unwrap();
    wait("skipped").await.unwrap();
    let missing = sandboxes.setup("skipped").skip(Some("other")).await;
    assert_eq!(missing.unwrap_err().code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_is_told_in_order_at_least_once() {
    let directory = tempfile::tempdir().unwrap();
    let heard: Arc<Mutex<Vec<Event>>> = Arc::default();
    let calls = Arc::new(AtomicUsize::new(0));
    let service = || {
        let (heard, calls) = (Arc::clone(&heard), Arc::clone(&calls));
        Sandboxes::builder(Store::sqlite(directory.path()).unwrap())
            .on_event(move |event| {
                let (heard, calls) = (Arc::clone(&heard), Arc::clone(&calls));
                async move {
                    // Every third call fails, as a listener that is away now and then.
                    if calls.fetch_add(1, Ordering::SeqCst) % 3 == 2 {
                        return Err("not now".into());
                    }
                    heard.lock().unwrap().push(event);
                    Ok(())
                }
            })
            .build()
    };
    let first = service();
    first.create("box", template()).await.unwrap();
    let options = LeaseOptions::new().on_last_release(OnLastRelease::Suspend);
    let lease = first.leases("box").acquire(options).await.unwrap();
    lease.release().await.unwrap();
    first.shutdown("box").await.unwrap();
    drop(first);
    // Another process tells what this one did not, and goes on counting over the deletion.
    let second = service();
    second.delete("box").await.unwrap();
    second.create("box", template()).await.unwrap();
    while second.maintenance().deliver_events("box").await.is_err() {}
    second.maintenance().deliver_events("box").await.unwrap();

    let mut seen = heard.lock().unwrap().clone();
    seen.dedup_by_key(|event| event.sequence);
    let mut once = BTreeSet::new();
    seen.retain(|event| once.insert(event.sequence));
    let kinds: Vec<_> = seen.iter().map(|event| event.kind).collect();
    let expected = [
        EventKind::Created,
        EventKind::Resumed,
        EventKind::Released,
        EventKind::Hibernated,
        EventKind::Shutdown,
        EventKind::Deleted,
        EventKind::Created,
    ];
    assert_eq!(kinds, expected);
    let numbers: Vec<_> = seen.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, (0..7).collect::<Vec<u64>>());
    assert_eq!(seen[1].detail.as_deref(), Some("FORK"));
    assert!(second.get("box").await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn listings_have_orders_and_pages() {
    let sandboxes = Sandboxes::open(Store::memory());
    for (name, tag) in [("b", "x"), ("c", "y"), ("a", "x"), ("d", "x")] {
        let options = CreateOptions::new().tag(tag).title(name).description("d");
        sandboxes
            .create_with(name, template(), options)
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
    sandboxes.resume("c").await.unwrap();
    let names = |options: ListOptions| {
        let sandboxes = sandboxes.clone();
        async move {
            let mut all = Vec::new();
            let mut options = options.limit(2);
            loop {
                let page = sandboxes.list_page(options.clone()).await.unwrap();
                assert!(page.sandboxes.len() <= 2);
                all.extend(page.sandboxes.into_iter().map(|info| info.name));
                match page.next {
                    Some(next) => options = options.after(next),
                    None => return all.concat(),
                }
            }
        }
    };
    let new = ListOptions::new;
    assert_eq!(names(new()).await, "abcd");
    assert_eq!(names(new().descending()).await, "dcba");
    assert_eq!(names(new().tag("x")).await, "abd");
    assert_eq!(names(new().order(Order::Created)).await, "bcad");
    assert_eq!(
        names(new().order(Order::Updated).descending()).await,
        "cdab"
    );
    assert_eq!(names(new().state(State::Running)).await, "c");
    assert_eq!(names(new().tag("x").order(Order::Created)).await, "bad");
    let wrong = new().descending().after("a");
    let wrong = sandboxes.list_page(wrong).await.unwrap_err();
    assert_eq!(wrong.code(), Code::Invalid);
    let many = (0..11).fold(CreateOptions::new(), |options, n| {
        options.tag(n.to_string())
    });
    for refused in [
        many,
        CreateOptions::new().hibernation_timeout(Duration::from_secs(86_401)),
        CreateOptions::new().hibernation_timeout(Duration::ZERO),
    ] {
        let refused = sandboxes.create_with("z", template(), refused).await;
        assert_eq!(refused.unwrap_err().code(), Code::Invalid);
    }
    assert!(sandboxes.get("z").await.is_err());
    assert_eq!(sandboxes.store().pins().unwrap().len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_can_be_gone_back_to() {
    let sandboxes = Sandboxes::open(Store::memory());
    let options = CreateOptions::new().history();
    sandboxes
        .create_with("box", template(), options)
        .await
        .unwrap();
    for number in 0..5 {
        let script = format!("echo {number} > state");
        sandboxes.exec("box", script).await.unwrap();
        // What only reads makes no state.
        sandboxes.exec("box", "cat state; ls /").await.unwrap();
    }
    let log = sandboxes.snapshots("box").log(99).await.unwrap();
    let labels: Vec<_> = log.iter().map(|entry| entry.label.as_deref()).collect();
    let expected: Vec<_> = (0..5).rev().map(|n| format!("echo {n} > state")).collect();
    let expected = expected.iter().map(|label| Some(label.as_str()));
    assert_eq!(labels, expected.chain([None]).collect::<Vec<_>>());
    sandboxes
        .create("past", Origin::point("box~3"))
        .await
        .unwrap();
    assert_eq!(text(&sandboxes, "past", "cat state").await, "1\n");
    sandboxes.suspend("box").await.unwrap();
    sandboxes.snapshots("box").restore("box~4").await.unwrap();
    assert_eq!(text(&sandboxes, "box", "cat state").await, "0\n");
}

/// T46: what siblings draw differs, unless they are seeded.
#[tokio::test(flavor = "multi_thread")]
async fn siblings_draw_numbers_of_their_own() {
    let draw = "echo $RANDOM $RANDOM $SRANDOM; mktemp -u; uuidgen";
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("main", template()).await.unwrap();
    let lease = sandboxes.lease("main").await.unwrap();
    let session = lease.session("main").await;
    session.exec("echo $RANDOM").await.unwrap();
    drop((session, lease));
    sandboxes.suspend("main").await.unwrap();
    let names = sandboxes.fork_many("main", "fork", 8).await.unwrap();
    let mut drawn = BTreeSet::new();
    for name in &names {
        let lease = sandboxes.lease(name).await.unwrap();
        drawn.insert(lease.exec(draw).await.unwrap().stdout);
        let session = lease.session("main").await;
        drawn.insert(session.exec(draw).await.unwrap().stdout);
    }
    assert_eq!(drawn.len(), 16);
    let live = Sandbox::new().unwrap();
    live.exec(draw).await.unwrap();
    let (one, other) = (live.fork(), live.fork());
    assert_ne!(
        one.exec(draw).await.unwrap().stdout,
        other.exec(draw).await.unwrap().stdout
    );
    let seeded = Sandbox::builder().deterministic(7).build().unwrap();
    let (one, other) = (seeded.fork(), seeded.fork());
    assert_eq!(
        one.exec(draw).await.unwrap().stdout,
        other.exec(draw).await.unwrap().stdout
    );
}

/// A thousand branches that are written at the same time are what one after the other gives.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_branches_do_not_meet() {
    let main = Sandbox::new().unwrap();
    main.exec("echo main > name; mkdir d; seq 100 > d/list")
        .await
        .unwrap();
    let branches = main.fork_many(1_000);
    let tasks = branches.into_iter().enumerate().map(|(number, branch)| {
        tokio::spawn(async move {
            let path = format!("d/{}", number % 7);
            branch.write_file(&path, number.to_string()).await.unwrap();
            branch
                .write_file("name", format!("branch {number}"))
                .await
                .unwrap();
            if number % 3 == 0 {
                let options = offshoot::RemoveOptions::default();
                branch.rm("d/list", options).await.unwrap();
            }
            (number, branch)
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        let (number, branch) = task.await.unwrap();
        let mut expected = vec![(number % 7).to_string()];
        if number % 3 != 0 {
            expected.push("list".to_owned());
        }
        assert_eq!(branch.readdir("d").await.unwrap(), expected);
        let name = branch.read_file("name").await.unwrap();
        assert_eq!(name, format!("branch {number}"));
    }
    assert_eq!(main.readdir("d").await.unwrap(), ["list"]);
    assert_eq!(main.read_file("name").await.unwrap(), "main\n");
}
