//! Sandboxes that are kept: sleeping, waking, branching, merging, in one process and in several.

use offshoot::lifecycle::{Bootup, ChangeKind, Origin, Promotion, Sandboxes, State, Store, Update};
use offshoot::{Code, Limits, Quotas, Sandbox, User};
use std::time::Duration;

/// A service as another process would have it.
fn another(directory: &tempfile::TempDir) -> Sandboxes {
    Sandboxes::open(Store::sqlite(directory.path()).unwrap())
}

fn template() -> Origin {
    Origin::template(
        Sandbox::builder()
            .env("MODE", "kept")
            .cwd("/home/user/work"),
    )
}

async fn output(sandboxes: &Sandboxes, name: &str, script: &str) -> String {
    let result = sandboxes.exec(name, script).await.unwrap();
    assert_eq!(result.stderr_text(), "", "{script}");
    result.stdout_text().into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_sleeps_wakes_elsewhere() {
    let directory = tempfile::tempdir().unwrap();
    let first = another(&directory);
    first.create("box", template()).await.unwrap();
    {
        let lease = first.lease("box").await.unwrap();
        assert_eq!(lease.bootup(), Bootup::Fork);
        lease
            .exec("seq 100000 > numbers; ln -s numbers link; chmod 600 numbers")
            .await
            .unwrap();
        let session = lease.session("main").await;
        session
            .exec("x=5; greet() { echo \"hello $1\"; }; cd /tmp")
            .await
            .unwrap();
    }
    let commit = first.suspend("box").await.unwrap();
    assert_eq!(first.suspend("box").await.unwrap(), commit);

    let second = another(&directory);
    let lease = second.lease("box").await.unwrap();
    assert_eq!(
        (lease.bootup(), lease.receipt().commit),
        (Bootup::Resume, commit)
    );
    let script = "echo $MODE $PWD; wc -l < link; stat -c %a numbers";
    let result = lease.exec(script).await.unwrap();
    assert_eq!(result.stdout_text(), "kept /home/user/work\n100000\n600\n");
    // What shows the system is not stored, and there all the same.
    assert!(lease.receipt().omitted.is_empty());
    let shown = lease.exec("cat /proc/self/comm; ls /dev/fd | head -n 1");
    assert_eq!(shown.await.unwrap().stdout_text(), "cat\n0\n");
    let session = lease.session("main").await;
    let result = session.exec("greet $x; pwd").await.unwrap();
    assert_eq!(result.stdout_text(), "hello 5\n/tmp\n");
    lease.check().unwrap();

    // The first process is told that somebody else has it.
    let refused = first.lease("box").await.unwrap_err();
    assert_eq!(
        (refused.code(), refused.retryable()),
        (Code::Conflict, true)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn many_callers_wake_it_once() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    let callers = (0..16).map(|_| {
        let sandboxes = sandboxes.clone();
        tokio::spawn(async move { sandboxes.lease("box").await.unwrap() })
    });
    let mut leases = Vec::new();
    for caller in callers.collect::<Vec<_>>() {
        leases.push(caller.await.unwrap());
    }
    let woken = leases
        .iter()
        .filter(|lease| lease.bootup() != Bootup::Running);
    assert_eq!(woken.count(), 1);
    let epochs = leases.iter().map(|lease| lease.receipt().epoch);
    assert!(epochs.into_iter().all(|epoch| epoch == 1));
    // It does not fall asleep under them.
    assert_eq!(
        sandboxes.suspend("box").await.unwrap_err().code(),
        Code::Conflict
    );
    drop(leases);
    sandboxes.suspend("box").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn branches_are_merged_or_refused_as_a_whole() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("main", template()).await.unwrap();
    output(&sandboxes, "main", "echo 1 > shared; echo 1 > ours").await;
    sandboxes.suspend("main").await.unwrap();
    sandboxes
        .create("idea", Origin::sandbox("main"))
        .await
        .unwrap();
    assert!(sandboxes.is_asleep("main").await.unwrap());

    output(&sandboxes, "idea", "echo 2 >> shared; echo 2 > theirs").await;
    output(&sandboxes, "main", "echo 3 >> ours").await;
    let changes = sandboxes.diff("main~", "idea").await.unwrap();
    let paths: Vec<_> = changes
        .iter()
        .map(|change| (&change.path[..], change.kind))
        .collect();
    let expected: [(&[u8], ChangeKind); 3] = [
        (b"/home/user/work/ours", ChangeKind::Added),
        (b"/home/user/work/shared", ChangeKind::Added),
        (b"/home/user/work/theirs", ChangeKind::Added),
    ];
    assert_eq!(paths, expected);

    let Promotion::Done(changes) = sandboxes.promote("idea").await.unwrap() else {
        panic!("a conflict");
    };
    assert_eq!(changes.len(), 2);
    assert_eq!(
        output(&sandboxes, "main", "cat shared ours theirs").await,
        "1\n2\n1\n3\n2\n"
    );
    assert_eq!(
        output(&sandboxes, "idea", "cat shared ours").await,
        "1\n2\n1\n"
    );

    // Once more, from where they met; then against each other.
    output(&sandboxes, "idea", "echo 4 >> theirs").await;
    assert!(matches!(
        sandboxes.promote("idea").await.unwrap(),
        Promotion::Done(_)
    ));
    output(&sandboxes, "idea", "echo 5 >> theirs; touch new").await;
    output(&sandboxes, "main", "echo 6 >> theirs").await;
    let Promotion::Conflicts(conflicts) = sandboxes.promote("idea").await.unwrap() else {
        panic!("no conflict");
    };
    assert_eq!(conflicts[0].path, b"/home/user/work/theirs");
    assert_eq!(
        output(&sandboxes, "main", "cat theirs; ls").await,
        "2\n4\n6\nours\nshared\ntheirs\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn going_back_and_forth() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    for step in ["one", "two", "three"] {
        output(&sandboxes, "box", &format!("echo {step} > state")).await;
        sandboxes.snapshots("box").take(step).await.unwrap();
        sandboxes.suspend("box").await.unwrap();
    }
    let labels = sandboxes.snapshots("box").list().await.unwrap();
    let labels: Vec<_> = labels.into_iter().map(|snapshot| snapshot.label).collect();
    assert_eq!(labels, ["one", "three", "two"]);
    sandboxes.snapshots("box").restore("box@one").await.unwrap();
    // What it was is not lost by going back.
    let log = sandboxes.snapshots("box").log(9).await.unwrap();
    assert_eq!(log[0].label.as_deref(), Some("restored box@one"));
    sandboxes
        .create("before", Origin::point("box~1"))
        .await
        .unwrap();
    assert_eq!(output(&sandboxes, "before", "cat state").await, "three\n");
    assert_eq!(output(&sandboxes, "box", "cat state").await, "one\n");
    sandboxes
        .create("branch", Origin::point("box@two"))
        .await
        .unwrap();
    assert_eq!(output(&sandboxes, "branch", "cat state").await, "two\n");
    let missing = sandboxes
        .snapshots("box")
        .restore("box@never")
        .await
        .unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_owner_is_fenced() {
    let directory = tempfile::tempdir().unwrap();
    let store = || Store::sqlite(directory.path()).unwrap();
    // Its lease runs out at once, as of a process that hangs.
    let late = Sandboxes::builder(store()).lease(Duration::ZERO).build();
    late.create("box", template()).await.unwrap();
    output(&late, "box", "echo lost > state").await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    let next = another(&directory);
    output(&next, "box", "echo kept > state").await;
    assert_eq!(late.suspend("box").await.unwrap_err().code(), Code::Fenced);
    next.suspend("box").await.unwrap();
    assert_eq!(output(&next, "box", "cat state").await, "kept\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_what_is_deleted() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    output(&sandboxes, "box", "echo old > state").await;
    sandboxes.snapshots("box").take("kept").await.unwrap();
    sandboxes
        .create("branch", Origin::sandbox("box"))
        .await
        .unwrap();
    for _ in 0..2 {
        sandboxes.delete("box").await.unwrap();
    }
    assert_eq!(
        sandboxes.get("box").await.unwrap_err().code(),
        Code::NotFound
    );
    assert!(sandboxes.snapshots("box").list().await.unwrap().is_empty());
    assert_eq!(output(&sandboxes, "branch", "cat state").await, "old\n");
    // The name is free again.
    sandboxes.create("box", template()).await.unwrap();
    assert_eq!(output(&sandboxes, "box", "ls").await, "");
    let taken = sandboxes.create("box", template()).await.unwrap_err();
    assert_eq!(taken.code(), Code::Conflict);
    assert_eq!(output(&sandboxes, "box", "echo usable").await, "usable\n");
    assert!(
        sandboxes
            .maintenance()
            .check(false)
            .await
            .unwrap()
            .is_clean()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_sandbox_falls_asleep() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    let idle = Update::new().hibernation_timeout(Some(Duration::from_millis(30)));
    sandboxes.update("box", idle).await.unwrap();
    let lease = sandboxes.lease("box").await.unwrap();
    tokio::time::sleep(Duration::from_millis(90)).await;
    assert_eq!(sandboxes.get("box").await.unwrap().state, State::Running);
    lease.exec("echo kept > state").await.unwrap();
    drop(lease);
    while !sandboxes.is_asleep("box").await.unwrap() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(output(&sandboxes, "box", "cat state").await, "kept\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_not_stored() {
    let sandboxes = Sandboxes::builder(Store::memory())
        .secret("hunter2-hunter2")
        .build();
    sandboxes.create("box", template()).await.unwrap();
    output(&sandboxes, "box", "echo token=hunter2-hunter2 > state").await;
    let refused = sandboxes.suspend("box").await.unwrap_err();
    assert_eq!(refused.code(), Code::PolicyDenied);
    output(&sandboxes, "box", "rm state").await;
    sandboxes.suspend("box").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_file_carries_a_sandbox() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("box.offshoot");
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    output(&sandboxes, "box", "seq 5 > state").await;
    sandboxes
        .export("box", std::fs::File::create(&file).unwrap())
        .await
        .unwrap();

    let elsewhere = Sandboxes::open(Store::memory());
    elsewhere
        .import("copy", std::fs::File::open(&file).unwrap())
        .await
        .unwrap();
    assert_eq!(
        output(&elsewhere, "copy", "paste -sd, state; echo $MODE").await,
        "1,2,3,4,5\nkept\n"
    );

    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = elsewhere
        .import("other", std::io::Cursor::new(bytes))
        .await
        .unwrap_err();
    assert_eq!(damaged.code(), Code::Corrupt);
    assert_eq!(
        elsewhere.get("other").await.unwrap_err().code(),
        Code::NotFound
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_have_pages_and_tags() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("main", template()).await.unwrap();
    let names = sandboxes.fork_many("main", "fork", 5).await.unwrap();
    for name in &names[..3] {
        let odd = Update::new().tags(["odd".to_owned()]);
        sandboxes.update(name, odd).await.unwrap();
    }
    let page = |after: Option<&'static str>, limit| {
        let sandboxes = sandboxes.clone();
        async move {
            let infos = sandboxes.list(&[], after, limit).await.unwrap();
            infos.into_iter().map(|info| info.name).collect::<Vec<_>>()
        }
    };
    assert_eq!(page(None, 2).await, ["fork-0", "fork-1"]);
    assert_eq!(page(Some("fork-3"), 9).await, ["fork-4", "main"]);
    let tagged = sandboxes.list(&["odd".to_owned()], None, 9).await.unwrap();
    assert_eq!(tagged.len(), 3);
    assert_eq!(sandboxes.branches("main").await.unwrap().len(), 5);
    for wrong in ["", "a/b", "a@b", "a~1", "é"] {
        let refused = sandboxes.create(wrong, template()).await.unwrap_err();
        assert_eq!(refused.code(), Code::Invalid, "{wrong}");
    }
}

/// A container that somebody made does not decide what it may take here, and who it is; nor do
/// branches and templates of it.
#[tokio::test(flavor = "multi_thread")]
async fn t43_a_container_brings_no_limits_of_its_own() {
    let forged = Sandbox::builder()
        .limits(Limits {
            processes: 4000,
            open_files: 4000,
            ..Limits::default()
        })
        .quotas(Quotas {
            bytes: 1 << 60,
            ..Quotas::default()
        })
        .user(User {
            uid: 0,
            gid: 0,
            ..User::default()
        });
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("container");
    let maker = Sandboxes::open(Store::memory());
    maker.create("box", Origin::template(forged)).await.unwrap();
    let written = std::fs::File::create(&file).unwrap();
    maker.export("box", written).await.unwrap();

    let sandboxes = Sandboxes::open(Store::memory());
    let read = std::fs::File::open(&file).unwrap();
    sandboxes.import("box", read).await.unwrap();
    sandboxes.templates().publish("box", "like").await.unwrap();
    let origins = [
        ("branch", Origin::sandbox("box")),
        ("made", Origin::published("like")),
    ];
    for (name, origin) in origins {
        sandboxes.create(name, origin).await.unwrap();
    }
    sandboxes.create("own", template()).await.unwrap();
    sandboxes.snapshots("own").restore("box~0").await.unwrap();
    for name in ["box", "branch", "made", "own"] {
        for _ in 0..2 {
            let lease = sandboxes.lease(name).await.unwrap();
            assert_eq!(lease.limits(), Limits::default(), "{name}");
            assert_eq!(lease.quotas(), Quotas::default(), "{name}");
            drop(lease);
            assert_eq!(output(&sandboxes, name, "id -u").await, "1000\n", "{name}");
            sandboxes.suspend(name).await.unwrap();
        }
    }
    // What its owner here allows counts.
    let limits = Limits {
        processes: 7,
        ..Limits::default()
    };
    let allowed = Update::new().limits(limits.clone());
    sandboxes.update("box", allowed).await.unwrap();
    let lease = sandboxes.lease("box").await.unwrap();
    assert_eq!(lease.limits(), limits);
}
