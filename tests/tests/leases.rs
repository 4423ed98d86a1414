//! Counted leases, deadlines that any process enforces, owners that are gone.

use offshoot::lifecycle::{
    LeaseOptions, OnCrash, OnLastRelease, Origin, Sandboxes, SandboxesBuilder, State, Store, Update,
};
use offshoot::{Code, Sandbox};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

fn another(directory: &tempfile::TempDir) -> SandboxesBuilder {
    Sandboxes::builder(Store::sqlite(directory.path()).unwrap())
}

fn template() -> Origin {
    Origin::template(Sandbox::builder())
}

fn suspending() -> LeaseOptions {
    LeaseOptions::new().on_last_release(OnLastRelease::Suspend)
}

async fn until(what: impl AsyncFn() -> bool) {
    while !what().await {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_of_several_processes_puts_it_to_sleep() {
    let directory = tempfile::tempdir().unwrap();
    let (first, second) = (another(&directory).build(), another(&directory).build());
    first.create("box", template()).await.unwrap();
    let lease = first.leases("box").acquire(suspending()).await.unwrap();
    lease.exec("echo kept > state").await.unwrap();
    let hold = second
        .leases("box")
        .hold(LeaseOptions::new().holder("b"))
        .await
        .unwrap();
    let holders = second.leases("box").list().await.unwrap();
    assert_eq!(holders.len(), 2);
    assert!(holders.iter().any(|found| found.holder == "b"));

    // Not the last one: it stays awake, and nobody else can put it to sleep.
    lease.release().await.unwrap();
    assert_eq!(first.get("box").await.unwrap().state, State::Running);
    assert_eq!(
        first.suspend("box").await.unwrap_err().code(),
        Code::Conflict
    );
    // Released twice, counted once.
    assert!(second.leases("box").release("b").await.unwrap());
    assert!(!second.leases("box").release("b").await.unwrap());
    hold.release().await.unwrap();
    // The owner is another process, which looks when it renews; a sweep of the owner does it now.
    assert_eq!(
        first.maintenance().sweep().await.unwrap().suspended,
        ["box"]
    );
    let read = second.exec("box", "cat state").await.unwrap();
    assert_eq!(read.stdout_text(), "kept\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_holder_that_dies_is_forgotten() {
    let directory = tempfile::tempdir().unwrap();
    let dying = another(&directory).lease(Duration::from_millis(60)).build();
    dying.create("box", template()).await.unwrap();
    let options = suspending().ttl(Duration::from_millis(60)).holder("dead");
    let lease = dying.leases("box").acquire(options).await.unwrap();
    lease.exec("echo kept > state").await.unwrap();
    dying.snapshots("box").take("last").await.unwrap();
    // Neither released nor renewed any more, as of a process that was killed.
    let watcher = another(&directory).build();
    assert!(!lease.hold().unwrap().is_lost());
    std::mem::forget(lease);
    drop(dying);
    until(async || watcher.leases("box").list().await.unwrap().is_empty()).await;
    until(async || {
        let swept = watcher.maintenance().sweep().await.unwrap();
        assert!(swept.failed.is_empty(), "{swept:?}");
        watcher.is_asleep("box").await.unwrap()
    })
    .await;
    let read = watcher.exec("box", "cat state").await.unwrap();
    assert_eq!(read.stdout_text(), "kept\n");
    let gone = watcher
        .leases("box")
        .heartbeat("dead", Duration::from_secs(1))
        .await;
    assert_eq!(gone.unwrap_err().code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn coming_back_while_it_is_put_to_sleep() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    for round in 0..20 {
        let lease = sandboxes.leases("box").acquire(suspending()).await.unwrap();
        lease.exec(format!("echo {round} >> state")).await.unwrap();
        let next = {
            let sandboxes = sandboxes.clone();
            tokio::spawn(async move { sandboxes.leases("box").acquire(suspending()).await })
        };
        // Dropping and coming back meet in every order; either way the next one has it all.
        drop(lease);
        let next = next.await.unwrap().unwrap();
        let lines = next.exec("wc -l < state").await.unwrap();
        assert_eq!(lines.stdout_text(), format!("{}\n", round + 1));
        next.release().await.unwrap();
    }
    until(async || sandboxes.is_asleep("box").await.unwrap()).await;
    assert!(sandboxes.leases("box").list().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grace_waits_for_the_next_one() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    let patient = || {
        LeaseOptions::new()
            .on_last_release(OnLastRelease::Delete)
            .grace(Duration::from_millis(50))
    };
    let lease = sandboxes.leases("box").acquire(patient()).await.unwrap();
    lease.release().await.unwrap();
    let lease = sandboxes.leases("box").acquire(patient()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(120)).await;
    assert_eq!(sandboxes.get("box").await.unwrap().leases, 1);
    lease.release().await.unwrap();
    until(async || sandboxes.get("box").await.is_err()).await;
    // Nothing is counted for what is not there.
    let missing = sandboxes
        .leases("box")
        .acquire(patient())
        .await
        .unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_saved_is_not_deleted() {
    let saves = Arc::new(AtomicUsize::new(0));
    let broken = Arc::new(AtomicBool::new(true));
    let (count, fails) = (Arc::clone(&saves), Arc::clone(&broken));
    let sandboxes = Sandboxes::builder(Store::memory())
        .callback("save", move |sandboxes, name| {
            let (count, fails) = (Arc::clone(&count), Arc::clone(&fails));
            async move {
                count.fetch_add(1, Ordering::SeqCst);
                if fails.load(Ordering::SeqCst) {
                    return Err("the remote is gone".into());
                }
                sandboxes.exec(&name, "test -f state").await?;
                Ok(())
            }
        })
        .build();
    sandboxes.create("box", template()).await.unwrap();
    let saving = OnLastRelease::SaveAndDelete("save".to_owned());
    let options = LeaseOptions::new().on_last_release(saving);
    let lease = sandboxes.leases("box").acquire(options).await.unwrap();
    lease.exec("echo precious > state").await.unwrap();
    let failed = lease.release().await.unwrap_err();
    assert!(
        failed.to_string().contains("the remote is gone"),
        "{failed}"
    );
    assert!(failed.retryable());
    let info = sandboxes.get("box").await.unwrap();
    assert!(info.failure.unwrap().contains("the remote is gone"));
    let read = sandboxes.exec("box", "cat state").await.unwrap();
    assert_eq!(read.stdout_text(), "precious\n");

    broken.store(false, Ordering::SeqCst);
    until(async || {
        let _ = sandboxes.maintenance().sweep().await.unwrap();
        sandboxes.get("box").await.is_err()
    })
    .await;
    assert!(saves.load(Ordering::SeqCst) >= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_that_is_gone_is_dealt_with() {
    for (policy, expected) in [
        (OnCrash::Suspend, Some(State::Suspended)),
        (OnCrash::Adopt, Some(State::Running)),
        (OnCrash::Delete, None),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let crashed = another(&directory).lease(Duration::ZERO).build();
        crashed.create("box", template()).await.unwrap();
        crashed
            .update("box", Update::new().on_crash(policy))
            .await
            .unwrap();
        crashed.exec("box", "echo kept > state").await.unwrap();
        crashed.snapshots("box").take("last").await.unwrap();
        crashed.exec("box", "echo lost > state").await.unwrap();
        tokio::time::sleep(Duration::from_millis(10)).await;

        let finder = another(&directory).build();
        let swept = finder.maintenance().sweep().await.unwrap();
        assert!(swept.failed.is_empty(), "{swept:?}");
        let lists = [&swept.recovered, &swept.adopted, &swept.dropped];
        assert_eq!(lists.map(Vec::len).iter().sum::<usize>(), 1, "{swept:?}");
        match (finder.get("box").await, expected) {
            (Ok(info), Some(state)) => {
                assert_eq!(info.state, state);
                let read = finder.exec("box", "cat state").await.unwrap();
                assert_eq!(read.stdout_text(), "kept\n");
            }
            (found, None) => assert_eq!(found.unwrap_err().code(), Code::NotFound),
            (found, _) => panic!("{policy:?}: {found:?}"),
        }
        // The late one cannot take it back.
        assert!(crashed.suspend("box").await.is_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn idleness_and_age_are_enforced_by_whoever_is_there() {
    let directory = tempfile::tempdir().unwrap();
    let gone = another(&directory).lease(Duration::from_millis(1)).build();
    for name in ["idle", "mortal", "kept"] {
        gone.create(name, template()).await.unwrap();
    }
    let short = Some(Duration::from_millis(20));
    let idle = Update::new().hibernation_timeout(short);
    gone.update("idle", idle).await.unwrap();
    let age = Update::new().time_to_live(short);
    gone.update("mortal", age).await.unwrap();
    let lease = gone.lease("idle").await.unwrap();
    std::mem::forget(lease);
    drop(gone);
    tokio::time::sleep(Duration::from_millis(40)).await;

    let enforcer = another(&directory).build();
    let _reconciler = enforcer.maintenance().reconcile(Duration::from_millis(10));
    until(async || enforcer.get("mortal").await.is_err()).await;
    until(async || enforcer.is_asleep("idle").await.unwrap()).await;
    assert_eq!(enforcer.get("kept").await.unwrap().leases, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_left_behind_is_found() {
    let sandboxes = Sandboxes::open(Store::memory());
    sandboxes.create("box", template()).await.unwrap();
    let commit = sandboxes.get("box").await.unwrap().commit.unwrap();
    let store = sandboxes.store().clone();
    // As creations and deletions leave them that were cut off.
    for pin in ["base/box/0-1", "base/gone/0-2", "snapshot/gone/label"] {
        store.pin(pin, commit, None).unwrap();
    }
    store
        .pin(&format!("base/soon/{:x}-3", u64::MAX), commit, None)
        .unwrap();
    assert_eq!(
        sandboxes.maintenance().sweep().await.unwrap().leaks.len(),
        3
    );
    let left = store.pins().unwrap();
    let left: Vec<_> = left.iter().map(|pin| pin.name.as_str()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    assert!(sandboxes.exec("box", "true").await.is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_at_the_same_time_are_all_kept() {
    let directory = tempfile::tempdir().unwrap();
    let first = another(&directory).build();
    first.create("box", template()).await.unwrap();
    let tasks = (0..12).map(|number| {
        let sandboxes = another(&directory).build();
        tokio::spawn(async move {
            let hold = LeaseOptions::new().holder(format!("holder-{number}"));
            let hold = sandboxes.leases("box").hold(hold).await.unwrap();
            std::mem::forget(hold);
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(first.leases("box").list().await.unwrap().len(), 12);
}

/// Whoever was stopped for so long that another process took over is told so, and told once.
#[test]
fn t54_an_owner_that_was_stopped_hears_what_it_lost() {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_all().build().unwrap()
    };
    let lease = Duration::from_millis(200);
    for renews in [false, true] {
        let directory = tempfile::tempdir().unwrap();
        // Nothing of it runs between two calls of `block_on`, as in a process that is stopped.
        let (stopped, first) = (runtime(), another(&directory).lease(lease).build());
        let held = stopped.block_on(async {
            first.create("box", template()).await.unwrap();
            let held = first.lease("box").await.unwrap();
            held.exec("echo mine > state").await.unwrap();
            held
        });
        let second = another(&directory)
            .patience(Duration::from_secs(60))
            .build();
        runtime().block_on(async {
            second.exec("box", "echo theirs > state").await.unwrap();
            second.suspend("box").await.unwrap();
        });
        stopped.block_on(async {
            if renews {
                until(async || held.check().is_err()).await;
                assert_eq!(held.check().unwrap_err().code(), Code::Fenced);
            }
            drop(held);
            let told = first.suspend("box").await.unwrap_err();
            assert_eq!(told.code(), Code::Fenced, "{told}");
            first.suspend("box").await.unwrap();
            let read = first.exec("box", "cat state").await.unwrap();
            assert_eq!(read.stdout_text(), "theirs\n");
            first.suspend("box").await.unwrap();
        });
    }
}

/// A process that has ended is taken over from before its lease runs out.
#[tokio::test(flavor = "multi_thread")]
async fn an_owner_that_has_ended_is_not_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let forever = Duration::from_secs(3600);
    let first = another(&directory).lease(forever).build();
    first.create("box", template()).await.unwrap();
    first.exec("box", "echo kept > state").await.unwrap();
    first.suspend("box").await.unwrap();
    let lease = first.lease("box").await.unwrap();
    let second = another(&directory).lease(forever).build();
    let refused = second.lease("box").await.unwrap_err();
    assert_eq!(refused.code(), Code::Conflict);
    drop(lease);
    drop(first);
    let read = second.exec("box", "cat state").await.unwrap();
    assert_eq!(read.stdout_text(), "kept\n");
}
