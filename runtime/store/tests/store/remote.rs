//! Stores on object stores: a local directory, memory, and a real S3 server.

use std::sync::Arc;
use std::time::Duration;

use object_store::ObjectStore;
use object_store::memory::InMemory;
use offshoot_store::{
    Collect, Durability, Objects, RemoteObjects, RemoteOptions, RemoteRefs, SqliteStore, Store,
    Transition, conformance,
};
use offshoot_vfs::Options;

use crate::support::*;

fn quick() -> RemoteOptions {
    RemoteOptions {
        settle: Duration::from_millis(10),
        clock_check: Duration::from_millis(50),
        ..RemoteOptions::default()
    }
}

/// Times of a service may have a resolution of a second.
fn pass() {
    std::thread::sleep(Duration::from_millis(1100));
}

fn pair(store: &Arc<dyn ObjectStore>, prefix: &str) -> (RemoteObjects, RemoteRefs) {
    let objects = RemoteObjects::new(Arc::clone(store), prefix, quick()).unwrap();
    let refs = RemoteRefs::new(Arc::clone(store), prefix, quick()).unwrap();
    (objects, refs)
}

fn opened(store: &Arc<dyn ObjectStore>, prefix: &str) -> (RemoteObjects, Store) {
    let (objects, refs) = pair(store, prefix);
    let store = Store::new(Arc::new(objects.clone()), Arc::new(refs)).unwrap();
    (objects, store)
}

/// One life of a sandbox over two processes' views of a service.
fn live(service: &Arc<dyn ObjectStore>, prefix: &str) {
    let (objects, store) = opened(service, prefix);
    let fs = variety();
    let expected = dump(&fs);
    store.create("box", None).unwrap();
    let epoch = store
        .change("box", None, &Transition::Start(claim("a")))
        .unwrap()
        .epoch;
    let stored = store.suspend("box", epoch, &fs, &capture()).unwrap();
    assert_eq!(stored.durability, Durability::Replicated);
    drop((objects, store, fs));

    let (_, other) = opened(service, prefix);
    let found = other
        .change("box", None, &Transition::Resume(claim("b")))
        .unwrap();
    let back = other
        .checkout(found.commit.unwrap(), Options::default())
        .unwrap();
    assert_same(&dump(&back.vfs), &expected);
    other
        .change("box", Some(found.epoch), &Transition::Ready)
        .unwrap();
    let late = Transition::Checkpoint(stored.commit);
    assert_eq!(
        other.change("box", Some(epoch), &late).unwrap_err().code(),
        "FENCED"
    );
    write(&back.vfs, "/tiny", b"changed");
    other
        .suspend("box", found.epoch, &back.vfs, &capture())
        .unwrap();

    // What only the first state had goes; a view from before still reads what is left.
    let (objects, third) = opened(service, prefix);
    let before = objects.list(None, usize::MAX).unwrap().len();
    let options = Collect {
        grace: Duration::ZERO,
        history: 0,
    };
    for _ in 0..3 {
        pass();
        third.collect(&options).unwrap();
    }
    let after = objects.list(None, usize::MAX).unwrap().len();
    assert!(after < before, "{after} of {before}");
    for view in [&other, &third] {
        let commit = view.read("box").unwrap().commit.unwrap();
        view.verify(commit).unwrap();
        assert!(view.check(false).unwrap().is_clean());
        let back = view.checkout(commit, Options::default()).unwrap();
        assert_eq!(read(&back.vfs, "/tiny"), b"changed");
        assert_eq!(read(&back.vfs, "/large"), pattern(5_000_000));
    }
}

#[test]
fn memory_of_the_crate_conforms() {
    let service: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let (objects, refs) = pair(&service, "some/prefix");
    conformance::check_slowly(&objects, &refs, Duration::from_millis(5)).unwrap();
    live(&service, "other");
}

#[test]
fn a_local_directory_with_refs_in_sqlite_conforms() {
    let directory = tempfile::tempdir().unwrap();
    let objects = RemoteObjects::local(directory.path().join("objects")).unwrap();
    let refs = SqliteStore::open(directory.path()).unwrap();
    conformance::check_slowly(&objects, &refs, Duration::from_millis(20)).unwrap();
    let store = Store::new(Arc::new(objects), Arc::new(refs)).unwrap();
    let fs = variety();
    let stored = store.snapshot("s", &fs, &capture()).unwrap();
    assert_eq!(stored.durability, Durability::Local);
    let again = RemoteObjects::local(directory.path().join("objects")).unwrap();
    let refs = SqliteStore::open(directory.path()).unwrap();
    let again = Store::new(Arc::new(again), Arc::new(refs)).unwrap();
    let back = again.checkout(stored.commit, Options::default()).unwrap();
    assert_same(&dump(&back.vfs), &dump(&fs));
}

/// What a suspend costs in requests: one pack and its index.
#[test]
fn a_suspend_is_one_pack() {
    let service: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let (_, store) = opened(&service, "");
    store.create("box", None).unwrap();
    let epoch = store
        .change("box", None, &Transition::Start(claim("a")))
        .unwrap()
        .epoch;
    let fs = files(3000, 600);
    let packs = || {
        use futures::{StreamExt, executor::block_on};
        let packs = service.list(Some(&"packs".into()));
        block_on(packs.collect::<Vec<_>>()).len()
    };
    store.checkpoint("box", epoch, &fs, &capture()).unwrap();
    assert_eq!(packs(), 1);
    write(&fs, "/d1/f1", b"x");
    store.suspend("box", epoch, &fs, &capture()).unwrap();
    assert_eq!(packs(), 2);
}

#[cfg(feature = "s3")]
mod s3 {
    //! Against SeaweedFS, which the test starts where `OFFSHOOT_S3_SERVER` names its program `weed`.

    use std::net::TcpListener;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use object_store::aws::AmazonS3Builder;

    use super::*;

    struct Server(Child);

    impl Drop for Server {
        fn drop(&mut self) {
            // It takes long to stop when asked politely.
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    fn port() -> u16 {
        // Low enough that the gRPC port, 10,000 above, exists.
        loop {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            if port < 50_000 && TcpListener::bind(("127.0.0.1", port + 10_000)).is_ok() {
                return port;
            }
        }
    }

    fn start(weed: &Path, directory: &Path) -> (Server, String) {
        let config = r#"{"identities":[{"name":"t","credentials":[{"accessKey":"ak","secretKey":"sk"}],
            "actions":["Admin","Read","Write","List"]}]}"#;
        let config_path = directory.join("s3.json");
        std::fs::write(&config_path, config).unwrap();
        std::fs::create_dir_all(directory.join("data")).unwrap();
        let [master, volume, filer, s3] = [port(), port(), port(), port()];
        let child = Command::new(weed)
            .arg("server")
            .arg(format!("-dir={}", directory.join("data").display()))
            .args(["-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3"])
            .arg(format!("-master.port={master}"))
            .arg(format!("-volume.port={volume}"))
            .arg(format!("-filer.port={filer}"))
            .arg(format!("-s3.port={s3}"))
            .arg(format!("-s3.config={}", config_path.display()))
            .args(["-volume.max=100", "-master.volumeSizeLimitMB=64"])
            // Its sockets as well stay where they are removed.
            .env("TMPDIR", directory)
            .current_dir(directory)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        (Server(child), format!("http://127.0.0.1:{s3}"))
    }

    fn bucket(endpoint: &str) -> Arc<dyn ObjectStore> {
        // The client of HTTP asks for one, also where nothing is encrypted; it is installed once.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let service = AmazonS3Builder::new()
            .with_endpoint(endpoint)
            .with_allow_http(true)
            .with_region("us-east-1")
            .with_bucket_name("snapshots")
            .with_access_key_id("ak")
            .with_secret_access_key("sk")
            .build()
            .unwrap();
        Arc::new(service)
    }

    /// The server makes the bucket for the first request that puts into it, once it is up.
    fn ready(endpoint: &str) {
        for _ in 0..240 {
            if RemoteRefs::new(bucket(endpoint), "probe", quick()).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(500));
        }
        panic!("the server did not start");
    }

    /// Of many writers that expect the same, one wins, round after round.
    fn races(service: &Arc<dyn ObjectStore>) {
        let store = || opened(service, "races").1;
        let first = store();
        first.create("box", None).unwrap();
        for round in 0..5 {
            let (won, epoch) = (AtomicUsize::new(0), first.read("box").unwrap().epoch);
            std::thread::scope(|scope| {
                for writer in 0..8 {
                    let (store, won) = (store(), &won);
                    scope.spawn(move || {
                        let claim = claim(&format!("{round}/{writer}"));
                        let transition = match round {
                            0 => Transition::Start(claim),
                            _ => Transition::Resume(claim),
                        };
                        match store.change("box", None, &transition) {
                            Ok(_) => won.fetch_add(1, Ordering::SeqCst),
                            Err(error) => {
                                assert_eq!(error.code(), "CONFLICT", "{error}");
                                0
                            }
                        };
                    });
                }
            });
            assert_eq!(won.into_inner(), 1, "round {round}");
            let found = first.read("box").unwrap();
            assert_eq!(found.epoch, epoch + 1);
            if round > 0 {
                first
                    .change("box", Some(found.epoch), &Transition::Ready)
                    .unwrap();
            }
            first
                .suspend("box", found.epoch, &files(3, 100), &capture())
                .unwrap();
        }
    }

    #[test]
    fn s3_conforms() {
        let Some(weed) = std::env::var_os("OFFSHOOT_S3_SERVER") else {
            return;
        };
        let directory = tempfile::tempdir().unwrap();
        let (_server, endpoint) = start(weed.as_ref(), directory.path());
        ready(&endpoint);
        let service = bucket(&endpoint);
        let (objects, refs) = pair(&service, "conformance");
        conformance::check_slowly(&objects, &refs, Duration::from_millis(1100)).unwrap();
        live(&service, "live");
        races(&service);
        // Nobody who reads the bucket learns anything.
        let (objects, refs) = pair(&service, "encrypted");
        let key = offshoot_store::Key::derive(b"a key");
        let store = Store::encrypted(Arc::new(objects), Arc::new(refs), &key).unwrap();
        let fs = variety();
        let stored = store.snapshot("s", &fs, &capture()).unwrap();
        let (objects, refs) = pair(&service, "encrypted");
        let again = Store::encrypted(Arc::new(objects), Arc::new(refs), &key).unwrap();
        let back = again.checkout(stored.commit, Options::default()).unwrap();
        assert_same(&dump(&back.vfs), &dump(&fs));
    }
}
