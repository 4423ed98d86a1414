//! The four patterns of use, with the faults of their published versions.

use offshoot::lifecycle::{
    CallbackError, CreateOptions, GitRemote, Grant, LeaseOptions, OnLastRelease, Origin, Retire,
    Sandboxes, Store,
};
use offshoot::{Code, Sandbox};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const WORK: &str = "/home/user/work";

fn template() -> Origin {
    Origin::template(Sandbox::builder().cwd(WORK))
}

fn managed(folder: &std::path::Path, loads: &Arc<AtomicUsize>) -> Sandboxes {
    let (load, save) = (
        GitRemote::new(folder, "main"),
        GitRemote::new(folder, "main"),
    );
    let loads = Arc::clone(loads);
    Sandboxes::builder(Store::memory())
        .callback("load", move |sandboxes, name| {
            let remote = load.clone();
            loads.fetch_add(1, Ordering::SeqCst);
            async move {
                let lease = sandboxes.lease(&name).await?;
                remote.load(&lease, WORK).await
            }
        })
        .callback("save", move |sandboxes, name| {
            let remote = save.clone();
            async move {
                let lease = sandboxes.lease(&name).await?;
                remote.save(&lease, WORK, "saved").await
            }
        })
        .build()
}

fn saving() -> LeaseOptions {
    LeaseOptions::new().on_last_release(OnLastRelease::SaveAndDelete("save".to_owned()))
}

/// Faults d, f and h: one sandbox for all who come at once, whose id is the live one, and nothing is
/// left of it.
#[tokio::test(flavor = "multi_thread")]
async fn p2_files_outlive_the_sandbox() {
    let directory = tempfile::tempdir().unwrap();
    let loads = Arc::new(AtomicUsize::new(0));
    let sandboxes = managed(directory.path(), &loads);
    for round in 1..3 {
        let callers = (0..8).map(|number| {
            let sandboxes = sandboxes.clone();
            tokio::spawn(async move {
                let leases = sandboxes.leases("project");
                let ensured = leases.ensure(template, "load", saving());
                let lease = ensured.await.unwrap();
                let script =
                    format!("echo {round} > file-{number}; mkdir -p d; echo x > d/{number}");
                assert!(lease.exec(script).await.unwrap().success());
                lease
            })
        });
        let mut leases = Vec::new();
        for caller in callers.collect::<Vec<_>>() {
            leases.push(caller.await.unwrap());
        }
        assert_eq!(loads.load(Ordering::SeqCst), round);
        assert_eq!(sandboxes.list(&[], None, 9).await.unwrap().len(), 1);
        for lease in leases {
            lease.release().await.unwrap();
        }
        assert!(sandboxes.list(&[], None, 9).await.unwrap().is_empty());
        assert!(sandboxes.store().pins().unwrap().is_empty());
    }
    let fresh = Sandbox::new().unwrap();
    let remote = GitRemote::new(directory.path(), "main");
    remote.load(&fresh, WORK).await.unwrap();
    let script = format!("cd {WORK}; cat file-*; ls d | wc -l; git log --format=%s; git status -s");
    let seen = fresh.exec(script).await.unwrap();
    let expected = format!("{}8\nsaved\nsaved\n", "2\n".repeat(8));
    assert_eq!(seen.stdout_text(), expected, "{}", seen.stderr_text());
}

/// Two that worked on the same state: the second one does not overwrite the first one.
#[tokio::test(flavor = "multi_thread")]
async fn p2_what_cannot_be_saved_stays() {
    let directory = tempfile::tempdir().unwrap();
    let loads = Arc::new(AtomicUsize::new(0));
    let sandboxes = managed(directory.path(), &loads);
    let lease = sandboxes
        .leases("project")
        .ensure(template, "load", saving())
        .await
        .unwrap();
    lease.exec("echo ours > file").await.unwrap();
    let rival = Sandbox::new().unwrap();
    let remote = GitRemote::new(directory.path(), "main");
    remote.load(&rival, WORK).await.unwrap();
    rival
        .exec(format!("echo theirs > {WORK}/file"))
        .await
        .unwrap();
    remote.save(&rival, WORK, "theirs").await.unwrap();

    let failed = lease.release().await.unwrap_err();
    assert!(failed.to_string().contains("has moved"), "{failed}");
    let kept = sandboxes.exec("project", "cat file").await.unwrap();
    assert_eq!(kept.stdout_text(), "ours\n");
    assert!(sandboxes.get("project").await.unwrap().failure.is_some());
    let read: Result<(), CallbackError> = async {
        let fresh = Sandbox::new()?;
        remote.load(&fresh, WORK).await?;
        assert_eq!(fresh.read_file(&format!("{WORK}/file")).await?, "theirs\n");
        Ok(())
    }
    .await;
    read.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn p2_what_cannot_be_loaded_is_not_used() {
    let tries = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&tries);
    let sandboxes = Sandboxes::builder(Store::memory())
        .callback("load", move |_, _| {
            let first = count.fetch_add(1, Ordering::SeqCst) == 0;
            async move { if first { Err("away".into()) } else { Ok(()) } }
        })
        .build();
    let leases = sandboxes.leases("box");
    let ensure = || leases.ensure(template, "load", LeaseOptions::new());
    let failed = ensure().await.unwrap_err();
    assert!(failed.to_string().contains("away") && failed.retryable());
    drop(ensure().await.unwrap());
    drop(ensure().await.unwrap());
    assert_eq!(tries.load(Ordering::SeqCst), 2);
}

/// Fault a: the promoted branch is never deleted, the old main does not leak.
#[tokio::test(flavor = "multi_thread")]
async fn p3_one_branch_is_promoted() {
    let sandboxes = Sandboxes::open(Store::memory());
    let project = sandboxes.projects().named("shop");
    project.start(template()).await.unwrap();
    sandboxes.exec("shop", "echo base > file").await.unwrap();
    sandboxes.suspend("shop").await.unwrap();
    for name in ["a", "b", "c"] {
        project.branch(name).await.unwrap();
    }
    assert!(sandboxes.is_asleep("shop").await.unwrap());
    let again = project.branch("a").await.unwrap_err();
    assert_eq!(again.code(), Code::Conflict);
    sandboxes
        .exec("shop.b", "echo better > file")
        .await
        .unwrap();
    let unchanged = sandboxes.exec("shop", "cat file").await.unwrap();
    assert_eq!(unchanged.stdout_text(), "base\n");
    project.discard("shop.c").await.unwrap();

    for _ in 0..2 {
        project.promote("shop.b", Retire::Delete).await.unwrap();
    }
    assert_eq!(project.main().await.unwrap(), "shop.b");
    let left = sandboxes.list(&[], None, 9).await.unwrap();
    let left: Vec<_> = left.into_iter().map(|info| info.name).collect();
    assert_eq!(left, ["shop.b"]);
    let read = sandboxes.exec("shop.b", "cat file").await.unwrap();
    assert_eq!(read.stdout_text(), "better\n");
    for refused in [
        project.promote("shop.a", Retire::Keep).await,
        project.discard("shop.b").await,
        sandboxes
            .projects()
            .named("other")
            .promote("x", Retire::Keep)
            .await,
    ] {
        assert!(refused.is_err());
    }
    project.branch("d").await.unwrap();
    project.promote("shop.d", Retire::Keep).await.unwrap();
    assert!(sandboxes.get("shop.b").await.is_ok());
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
async fn p4_code_inside_asks_for_what_it_was_granted() {
    let sandboxes = Sandboxes::open(Store::memory());
    for (name, grants) in [
        ("none", &[][..]),
        ("sleepy", &[Grant::Suspend, Grant::Extend]),
        ("mortal", &[Grant::Delete]),
    ] {
        let options = grants
            .iter()
            .fold(CreateOptions::new(), |options, grant| options.grant(*grant));
        sandboxes
            .create_with(name, template(), options)
            .await
            .unwrap();
    }
    let run = async |name: &str, script: &str| sandboxes.exec(name, script).await.unwrap();
    assert_eq!(run("none", "lifecycle suspend").await.exit_code, 127);
    let refused = run("sleepy", "lifecycle delete").await;
    assert_eq!(refused.exit_code, 77);
    assert!(refused.stderr_text().contains("not granted"));
    for wrong in [
        "",
        "x",
        "extend",
        "extend x",
        "extend 99999999",
        "suspend now",
    ] {
        let usage = run("sleepy", &format!("lifecycle {wrong}")).await;
        assert_eq!(usage.exit_code, 2, "{wrong}");
    }
    assert_eq!(run("sleepy", "lifecycle extend 60").await.exit_code, 0);
    // The script that asks goes on to its end.
    let asked = run("sleepy", "lifecycle suspend; echo still here > state").await;
    assert_eq!(asked.exit_code, 0);
    while !sandboxes.is_asleep("sleepy").await.unwrap() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(
        run("sleepy", "cat state").await.stdout_text(),
        "still here\n"
    );
    // A branch has no grant of its parent's.
    let origin = Origin::sandbox("sleepy");
    sandboxes.create("branch", origin).await.unwrap();
    assert_ne!(run("branch", "lifecycle suspend").await.exit_code, 0);
    assert_eq!(run("mortal", "lifecycle delete").await.exit_code, 0);
    while sandboxes.get("mortal").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
