//! References: attaching to a sandbox, owners, rights, and what ends them.

use offshoot::lifecycle::{Key, LeaseOptions, Origin, RefOptions, Sandboxes, Store};
use offshoot::{Code, RemoveOptions, Sandbox};
use std::time::Duration;

const GONE: &str = "no longer alive (owner cleanup ran)";

fn service(store: Store) -> Sandboxes {
    let key = Key::derive(b"a secret of the operator");
    Sandboxes::builder(store).reference_key(key).build()
}

async fn with_box() -> Sandboxes {
    let sandboxes = service(Store::memory());
    let origin = Origin::template(Sandbox::builder());
    sandboxes.create("box", origin).await.unwrap();
    sandboxes
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_ends_it_for_everyone_and_the_attached_only_detach() {
    let sandboxes = with_box().await;
    let references = sandboxes.references();
    let owner = references.register("box", "first").await.unwrap();
    let second = references.register("box", "second").await.unwrap_err();
    assert_eq!(second.code(), Code::Conflict);
    let text = references.issue("box", RefOptions::new()).await.unwrap();

    let owner = references.attach(&owner).await.unwrap();
    let (one, two) = (
        references.attach(&text).await.unwrap(),
        references.attach(&text).await.unwrap(),
    );
    assert!(owner.is_owner() && !one.is_owner());
    // The same live instance, not a copy.
    one.write_file("shared", b"by one\n").await.unwrap();
    let read = two.exec("cat shared; sleep 0 & wait").await.unwrap();
    assert_eq!(read.stdout_text(), "by one\n");
    one.cleanup().await.unwrap();
    assert!(two.exec("true").await.is_ok());

    owner.cleanup().await.unwrap();
    for error in [
        two.exec("true").await.unwrap_err(),
        two.read_file_buffer("shared").await.unwrap_err(),
        two.write_file("shared", b"").await.unwrap_err(),
        references.attach(&text).await.unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::SandboxUnavailable);
        assert!(error.to_string().contains(GONE), "{error}");
    }
    // Nothing is lost, and the next one can own it.
    let read = sandboxes.exec("box", "cat shared").await.unwrap();
    assert_eq!(read.stdout_text(), "by one\n");
    references.register("box", "second").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_does_not_write() {
    let sandboxes = with_box().await;
    let references = sandboxes.references();
    sandboxes.exec("box", "echo kept > state").await.unwrap();
    let options = RefOptions::new().read_only();
    let text = references.issue("box", options).await.unwrap();
    let reader = references.attach(&text).await.unwrap();
    assert!(reader.is_read_only());
    assert_eq!(reader.read_file_buffer("state").await.unwrap(), b"kept\n");
    assert_eq!(reader.readdir(".").await.unwrap(), ["state"]);
    let remove = RemoveOptions {
        recursive: true,
        force: true,
    };
    for refused in [
        reader.write_file("state", b"x").await,
        reader.mkdir("new", true).await,
        reader.rm("state", remove).await,
    ] {
        assert_eq!(refused.unwrap_err().code(), Code::PolicyDenied);
    }
    let ran = reader
        .exec("cat state; rm state; echo x > other")
        .await
        .unwrap();
    assert_eq!(ran.stdout_text(), "kept\n");
    let left = sandboxes.exec("box", "ls").await.unwrap();
    assert_eq!(left.stdout_text(), "state\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn references_end() {
    let sandboxes = with_box().await;
    let references = sandboxes.references();
    let short = RefOptions::new().lifetime(Duration::from_millis(30));
    let short = references.issue("box", short).await.unwrap();
    let attached = references.attach(&short).await.unwrap();
    tokio::time::sleep(Duration::from_millis(60)).await;
    let expired = attached.exec("true").await.unwrap_err();
    assert_eq!(expired.code(), Code::SandboxUnavailable);
    assert!(expired.to_string().contains("expired"), "{expired}");

    let options = RefOptions::new;
    let (revoked, other) = (
        references.issue("box", options()).await.unwrap(),
        references.issue("box", options()).await.unwrap(),
    );
    let attached = references.attach(&revoked).await.unwrap();
    references.revoke(&revoked).await.unwrap();
    for error in [
        attached.exec("true").await.unwrap_err(),
        references.attach(&revoked).await.unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::SandboxUnavailable);
        assert!(error.to_string().contains("revoked"), "{error}");
    }
    references.attach(&other).await.unwrap();

    // One of the same name is another one.
    sandboxes.delete("box").await.unwrap();
    let origin = || Origin::template(Sandbox::builder());
    sandboxes.create("box", origin()).await.unwrap();
    let gone = references.attach(&other).await.unwrap_err();
    assert_eq!(gone.code(), Code::SandboxUnavailable);
    assert!(gone.to_string().contains(GONE), "{gone}");
}

#[tokio::test(flavor = "multi_thread")]
async fn ownership_is_handed_over_once() {
    let sandboxes = with_box().await;
    let references = sandboxes.references();
    let first = references.register("box", "first").await.unwrap();
    let late = references.attach(&first).await.unwrap();
    let second = references.transfer(&first, "second").await.unwrap();
    let again = references.transfer(&first, "third").await.unwrap_err();
    assert_eq!(again.code(), Code::Fenced);
    assert_eq!(late.cleanup().await.unwrap_err().code(), Code::Fenced);
    // The old one is like anybody attached.
    let old = references.attach(&first).await.unwrap();
    assert!(!old.is_owner());
    old.cleanup().await.unwrap();
    let new = references.attach(&second).await.unwrap();
    assert!(new.exec("true").await.is_ok());
    // Counted leases of others do not keep the owner from ending it.
    let _hold = sandboxes
        .leases("box")
        .hold(LeaseOptions::new())
        .await
        .unwrap();
    new.cleanup().await.unwrap();
    assert!(sandboxes.is_asleep("box").await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn references_cross_processes_and_carry_no_secret() {
    let directory = tempfile::tempdir().unwrap();
    let open = || Store::sqlite(directory.path()).unwrap();
    let first = service(open());
    let secret = "hunter2-hunter2";
    let origin = Origin::template(Sandbox::builder().env("TOKEN", secret));
    first.create("box", origin).await.unwrap();
    first.exec("box", "echo kept > state").await.unwrap();
    let text = first
        .references()
        .issue("box", RefOptions::new())
        .await
        .unwrap();
    for hidden in [secret, "a secret of the operator"] {
        let hex: String = hidden.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!text.contains(hidden) && !text.contains(&hex));
    }
    first.suspend("box").await.unwrap();

    let second = service(open());
    let attached = second.references().attach(&text).await.unwrap();
    let read = attached.exec("cat state").await.unwrap();
    assert_eq!(read.stdout_text(), "kept\n");
    // Where it is awake, others are told to come back.
    let busy = first.references().attach(&text).await.unwrap_err();
    assert_eq!((busy.code(), busy.retryable()), (Code::Conflict, true));

    let stranger = Sandboxes::builder(open())
        .reference_key(Key::derive(b"another"))
        .build();
    let refused = stranger.references().attach(&text).await.unwrap_err();
    assert_eq!(refused.code(), Code::PolicyDenied);
    let keyless = Sandboxes::open(open());
    let refused = keyless.references().attach(&text).await.unwrap_err();
    assert_eq!(refused.code(), Code::Invalid);
}
