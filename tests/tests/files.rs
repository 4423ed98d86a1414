//! File operations beyond those of the contract: batches, copies, archives, watching.

use offshoot::FileEventKind::{Added, Attributes, Moved, Removed, Written};
use offshoot::{Code, FileEventKind, FileKind, Sandbox, WatchOptions};

fn sandbox() -> Sandbox {
    Sandbox::builder()
        .file("/data/a/one", "1")
        .file("/data/two", "22")
        .build()
        .unwrap()
}

#[tokio::test]
async fn operations_on_two_paths_say_what_is_wrong() {
    let sandbox = sandbox();
    for (from, to, recursive, code) in [
        ("/data/a", "/data/b", false, Code::Conflict),
        ("/data/a", "/data/a/in/it", true, Code::Invalid),
        ("/data/a", "/data/two", true, Code::Conflict),
        ("/data/none", "/data/b", true, Code::NotFound),
        ("../../../etc", "/data/b", true, Code::PathEscape),
        ("/data/a", "../../../b", true, Code::PathEscape),
        ("/etc/hostname", "/usr/new", true, Code::PolicyDenied),
    ] {
        let error = sandbox.copy(from, to, recursive).await.unwrap_err();
        assert_eq!(error.code(), code, "copy {from} {to}: {error}");
    }
    for (from, to, code) in [
        ("/data/a", "/data/a/in", Code::Invalid),
        ("/data/none", "/data/new/x", Code::NotFound),
        ("/etc/hostname", "/data/x", Code::PolicyDenied),
        ("..//../../x", "/data/x", Code::PathEscape),
    ] {
        let error = sandbox.rename(from, to).await.unwrap_err();
        assert_eq!(error.code(), code, "rename {from} {to}: {error}");
        assert_eq!(error.operation(), "rename");
    }
    assert!(!sandbox.exists("/data/new").await);
}

#[tokio::test]
async fn copies_and_moves_make_parents() {
    let sandbox = Sandbox::new().unwrap();
    sandbox.write_file("a/one", "1").await.unwrap();
    sandbox.copy("a", "b/c", true).await.unwrap();
    sandbox.rename("a/one", "d/e/uno").await.unwrap();
    let found = sandbox.exec("find . -type f | sort; cat b/c/one d/e/uno");
    let found = found.await.unwrap();
    assert_eq!(found.stdout_text(), "./b/c/one\n./d/e/uno\n11");
}

#[tokio::test]
async fn entries_say_what_is_there() {
    let sandbox = Sandbox::new().unwrap();
    let made = sandbox.exec("mkdir d; printf 123 > f; ln -s nowhere l; mkfifo p");
    made.await.unwrap();
    let entries = sandbox.entries(".").await.unwrap();
    let found = entries
        .iter()
        .map(|entry| (entry.name.as_str(), entry.stat.kind, entry.stat.size));
    let found: Vec<_> = found.filter(|(name, ..)| !name.starts_with('.')).collect();
    assert_eq!(found[0].0, "d");
    assert_eq!(found[0].1, FileKind::Directory);
    assert_eq!(found[1], ("f", FileKind::File, 3));
    assert_eq!(found[2], ("l", FileKind::Symlink, 7));
    assert_eq!(found[3], ("p", FileKind::Other, 0));
    let error = sandbox.entries("f").await.unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
}

#[tokio::test]
async fn archives_come_back() {
    let (sandbox, other) = (Sandbox::new().unwrap(), Sandbox::new().unwrap());
    let made = sandbox.exec("mkdir -p t/d; echo x > t/d/f; chmod 750 t/d/f; ln -s d/f t/l");
    made.await.unwrap();
    let mut archive = Vec::new();
    sandbox.export_tar("t", &mut archive).await.unwrap();
    other.mkdir("back", false).await.unwrap();
    other.import_tar("back", &archive[..]).await.unwrap();
    let found = other.exec("cat back/l; stat -c %a back/d/f").await.unwrap();
    assert_eq!(found.stdout_text(), "x\n750\n");
    let cut = other.import_tar("back", &archive[..700]).await.unwrap_err();
    assert_eq!(cut.code(), Code::Corrupt, "{cut}");
    let error = sandbox.export_tar("/root", Vec::new()).await.unwrap_err();
    assert_eq!(error.code(), Code::PolicyDenied);
}

/// What a script does, and what a watcher of the home directory sees of it.
type Seen = (&'static str, &'static [(&'static str, FileEventKind)]);

const SEEN: &[Seen] = &[
    ("echo 1 > new", &[("new", Added)]),
    ("echo 2 >> old", &[("old", Written)]),
    ("chmod 600 old", &[("old", Attributes)]),
    ("rm old", &[("old", Removed)]),
    ("mv old other", &[("old", Moved), ("other", Added)]),
    ("rm old; mkdir old", &[("old", Written)]),
    ("mkdir d; echo > d/deep", &[("d", Added), ("d/deep", Added)]),
    ("mkdir skip; echo > skip/deep; echo > a.log", &[]),
    ("echo > x; rm x; cat old > /dev/null", &[]),
    ("echo > /tmp/elsewhere", &[]),
];

#[tokio::test]
async fn watchers_see_what_changed() {
    for (script, expected) in SEEN {
        let sandbox = Sandbox::builder().file("/home/user/old", "1").build();
        let sandbox = sandbox.unwrap();
        let options = || WatchOptions::new().exclude("**/skip").exclude("*.log");
        let mut deep = sandbox.watch(".", options().recursive()).await.unwrap();
        let mut flat = sandbox.watch(".", options()).await.unwrap();
        sandbox.exec(*script).await.unwrap();
        let events = deep.look().unwrap();
        let seen: Vec<_> = events
            .iter()
            .map(|event| (event.path.trim_start_matches("/home/user/"), event.kind))
            .collect();
        assert_eq!(seen, *expected, "{script}");
        let (flat, nested) = (flat.look().unwrap(), |path: &str| path.contains('/'));
        let direct = expected.iter().filter(|(path, _)| !nested(path)).count();
        assert_eq!(flat.len(), direct, "{script}");
        assert!(deep.look().unwrap().is_empty(), "{script}");
    }
}

#[tokio::test]
async fn watching_waits_and_ends_with_the_sandbox() {
    let sandbox = Sandbox::new().unwrap();
    let mut watcher = sandbox.watch("/tmp", WatchOptions::new()).await.unwrap();
    let writing = sandbox.exec("sleep 0.2; echo > /tmp/late");
    let (events, _) = tokio::join!(watcher.next(), writing);
    assert_eq!(events.unwrap()[0].path, "/tmp/late");
    sandbox.cleanup().await;
    let error = watcher.next().await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    let sandbox = Sandbox::new().unwrap();
    for (path, glob, code) in [
        ("/etc/hostname", "x", Code::Conflict),
        ("/root", "x", Code::PolicyDenied),
        ("/none", "x", Code::NotFound),
        ("/tmp", "[", Code::Invalid),
    ] {
        let refused = sandbox.watch(path, WatchOptions::new().exclude(glob)).await;
        assert_eq!(refused.unwrap_err().code(), code, "{path} {glob}");
    }
}

#[test]
fn new_files_have_the_mode_that_the_umask_leaves() {
    let script = r"
        umask 0; echo a > f; (umask 077; echo a > g; bash -c 'echo a > h')
        umask 02; echo a > i; cp i j; mkdir d; touch t; mkfifo p
        printf 'echo a > k; umask 027; : > l\n' > s; bash s; chmod +x s; ./s
        cat f > m | cat; : > n & wait
        stat -c '%a %n' ?; umask
    ";
    let expected = "775 d\n666 f\n600 g\n600 h\n664 i\n664 j\n664 k\n640 l\n664 m\n664 n\n664 p\n\
                    775 s\n664 t\n0002\n";
    let sandbox = Sandbox::builder().build_blocking().unwrap();
    let result = sandbox.exec(script).unwrap();
    assert_eq!(result.stdout_text(), expected, "{}", result.stderr_text());
}
