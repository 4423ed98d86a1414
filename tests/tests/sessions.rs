//! Sessions with environments and rights of their own, and references to them.

use offshoot::lifecycle::{CreateOptions, Grant, Key, Origin, RefOptions, Sandboxes, Store};
use offshoot::{Code, Sandbox, SessionOptions};

async fn service(options: CreateOptions) -> Sandboxes {
    let key = Key::derive(b"tests");
    let sandboxes = Sandboxes::builder(Store::memory())
        .reference_key(key)
        .build();
    let origin = Origin::template(Sandbox::builder());
    sandboxes.create_with("box", origin, options).await.unwrap();
    sandboxes
}

#[tokio::test]
async fn sessions_see_files_but_not_each_others_variables() {
    let sandboxes = service(CreateOptions::new()).await;
    let lease = sandboxes.lease("box").await.unwrap();
    let with = |who: &str| {
        SessionOptions::new()
            .env("WHO", who)
            .git_identity(who, "x@y.z")
    };
    let one = lease.session_with("one", with("one")).await.unwrap();
    let two = lease.session_with("two", with("two")).await.unwrap();
    let both = tokio::join!(
        one.exec("private=1; echo $WHO > one.txt; git init -q .; git add .; git commit -qm m"),
        two.exec("echo $WHO > two.txt"),
    );
    assert_eq!(both.0.unwrap().exit_code, 0);
    both.1.unwrap();
    let seen = two.exec("cat one.txt two.txt; echo ${private-unset}; git log --format=%an");
    assert_eq!(seen.await.unwrap().stdout_text(), "one\ntwo\nunset\none\n");
    // The options count where it begins; afterwards it is what it is.
    let again = lease.session_with("one", with("three")).await.unwrap();
    let seen = again.exec("echo $WHO $private").await.unwrap();
    assert_eq!(seen.stdout_text(), "one 1\n");
    for name in ["", "a b", "ä", "123456789012345678901"] {
        let refused = lease.session_with(name, SessionOptions::new()).await;
        assert_eq!(refused.unwrap_err().code(), Code::Invalid, "{name}");
    }
}

/// What would change the sandbox, from inside a session that may only read.
const CHANGES: &[&str] = &[
    "echo x > new",
    "echo x >> kept",
    "rm kept",
    "mv kept other",
    "chmod 000 kept",
    "ln -s kept link",
    "sed -i s/k/x/ kept",
    "git init -q repository",
    "(sleep 0.05; echo x > late) & wait",
    "exec 7> open; echo x >&7",
    "lifecycle delete",
    "xargs lifecycle delete < /dev/null",
];

#[tokio::test]
async fn a_session_that_reads_changes_nothing() {
    let sandboxes = service(CreateOptions::new().grant(Grant::Delete)).await;
    sandboxes.exec("box", "echo kept > kept").await.unwrap();
    let lease = sandboxes.lease("box").await.unwrap();
    let reader = lease.session_with("reader", SessionOptions::new().read_only());
    let reader = reader.await.unwrap();
    let before = lease.fork();
    for change in CHANGES {
        let ran = reader.exec(*change).await.unwrap();
        let changed = offshoot_vfs::diff(before.vfs(), lease.vfs()).unwrap();
        assert!(changed.is_empty(), "{change}: {changed:?} {ran:?}");
    }
    let refused = reader.exec("lifecycle delete").await.unwrap();
    assert_eq!(refused.exit_code, 126);
    assert_eq!(
        refused.stderr_text(),
        "lifecycle: the session is read-only\n"
    );
    // It sees what others write, and keeps its own variables.
    reader.exec("seen=$(cat kept)").await.unwrap();
    lease.exec("echo more >> kept").await.unwrap();
    let seen = reader.exec("echo $seen; cat kept").await.unwrap();
    assert_eq!(seen.stdout_text(), "kept\nkept\nmore\n");
    drop((reader, lease));
    assert!(sandboxes.get("box").await.is_ok());
}

#[tokio::test]
async fn a_reference_to_a_session_keeps_its_rights_over_sleep() {
    let sandboxes = service(CreateOptions::new().grant(Grant::Delete)).await;
    let references = sandboxes.references();
    let options = || RefOptions::new().session("guest");
    let writer = references.issue("box", options()).await.unwrap();
    let reader = references.issue("box", options().read_only());
    let reader = reader.await.unwrap();
    let attached = references.attach(&writer).await.unwrap();
    attached.exec("n=1; echo first > file").await.unwrap();
    drop(attached);
    for round in 2..4 {
        sandboxes.suspend("box").await.unwrap();
        let attached = references.attach(&reader).await.unwrap();
        let script = "n=$((n + 1)); echo $n; echo changed > file; lifecycle delete";
        let ran = attached.exec(script).await.unwrap();
        assert_eq!(ran.stdout_text(), format!("{round}\n"));
        assert_eq!(ran.exit_code, 126);
        assert_eq!(attached.read_file_buffer("file").await.unwrap(), b"first\n");
    }
    let refused = references.issue("box", RefOptions::new().session("a/b"));
    assert_eq!(refused.await.unwrap_err().code(), Code::Invalid);
}

#[tokio::test]
async fn a_reference_that_only_reads_asks_for_nothing() {
    let sandboxes = service(CreateOptions::new().grant(Grant::Delete)).await;
    let references = sandboxes.references();
    let text = references.issue("box", RefOptions::new().read_only());
    let attached = references.attach(&text.await.unwrap()).await.unwrap();
    let ran = attached.exec("lifecycle delete").await.unwrap();
    assert_eq!(ran.exit_code, 126);
    drop(attached);
    assert!(sandboxes.get("box").await.is_ok());
}
