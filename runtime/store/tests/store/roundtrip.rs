//! What is captured comes back, all of it, and costs what it should.

use offshoot_store::{Capture, Durability, Omission, State, Store, Transition, Verified};
use offshoot_vfs::{Caller, Mount, OpenOptions, Options, Quotas, SyntheticFiles, Vfs, diff};
use proptest::prelude::*;

use crate::support::*;

#[test]
fn everything_comes_back() {
    for (_, store, _directory) in stores() {
        let fs = variety();
        let before = dump(&fs);
        let stored = store.commit(&fs, &capture()).unwrap();
        assert_eq!(stored.durability, Durability::Memory);
        let back = store.checkout(stored.commit, Options::default()).unwrap();
        assert_same(&dump(&back.vfs), &before);
        assert_eq!(back.vfs.usage(), fs.usage());
        assert_eq!(back.sessions["main"], "cwd=/tmp");
        assert_eq!(back.settings.as_deref(), Some(&b"limits"[..]));
        assert_eq!(back.receipt.verified, Verified::Root);
        assert_eq!(back.receipt.bytes, fs.usage().bytes);
        back.vfs.verify(true).unwrap();
        assert_eq!(diff(&fs, &back.vfs).unwrap(), []);
        assert!(back.faults.take().is_empty());
    }
}

#[test]
fn another_process_reads_what_was_suspended() {
    let directory = tempfile::tempdir().unwrap();
    let fs = variety();
    let before = dump(&fs);
    let commit = {
        let (_, store) = sqlite(directory.path());
        store.create("box", None).unwrap();
        let epoch = start(&store, "box");
        let stored = store.suspend("box", epoch, &fs, &capture()).unwrap();
        assert_eq!(stored.durability, Durability::Local);
        stored.commit
    };
    let (_, store) = sqlite(directory.path());
    let found = store.read("box").unwrap();
    assert_eq!(
        (found.state, found.commit),
        (State::Suspended, Some(commit))
    );
    let back = store.checkout(commit, Options::default()).unwrap();
    assert_same(&dump(&back.vfs), &before);
}

fn start(store: &Store, name: &str) -> u64 {
    let start = Transition::Start(claim("node"));
    store.change(name, None, &start).unwrap().epoch
}

#[test]
fn a_suspend_writes_what_changed() {
    for (name, store, _directory) in stores() {
        let fs = files(10_000, 10);
        store.create("box", None).unwrap();
        let epoch = start(&store, "box");
        let first = store
            .checkpoint("box", epoch, &fs, &Capture::default())
            .unwrap();
        assert!(first.new_objects > 300, "{name}");
        write(&fs, "/d50/f50", b"changed");
        let second = store
            .suspend("box", epoch, &fs, &Capture::default())
            .unwrap();
        // Three levels of inodes, the tree and the commit.
        assert!(second.new_objects <= 5, "{name}: {}", second.new_objects);
        assert!(second.new_bytes < 8 * 1024, "{name}: {}", second.new_bytes);
        let back = store.checkout(second.commit, Options::default()).unwrap();
        // Reading moves the time of access, and that is a change.
        assert_eq!(read(&back.vfs.fork(), "/d50/f50"), b"changed");
        assert_eq!(back.commit.parents, [first.commit]);

        // What was checked out and changed costs what changed as well.
        write(&back.vfs, "/d1/f1", b"changed too");
        let third = store.commit(&back.vfs, &Capture::default()).unwrap();
        assert!(third.new_objects <= 5, "{name}: {}", third.new_objects);
        let again = store.checkout(third.commit, Options::default()).unwrap();
        assert_same(&dump(&again.vfs), &dump(&back.vfs));
    }
}

/// D09: objects and bytes of a suspend grow with the depth of a tree and not with its files.
#[test]
fn a_suspend_costs_the_depth() {
    let mut costs = Vec::new();
    for count in [100, 1_000, 10_000, 100_000] {
        let directory = tempfile::tempdir().unwrap();
        let (_, store) = sqlite(directory.path());
        store.create("box", None).unwrap();
        let epoch = start(&store, "box");
        let fs = files(count, 20);
        store
            .checkpoint("box", epoch, &fs, &Capture::default())
            .unwrap();
        write(&fs, "/d0/f50", b"changed");
        let stored = store
            .suspend("box", epoch, &fs, &Capture::default())
            .unwrap();
        costs.push((stored.new_objects, stored.new_bytes));
        // A name that is new: the directory's node and the inodes on both ways.
        let epoch = {
            store
                .change("box", None, &Transition::Resume(claim("b")))
                .unwrap();
            let epoch = store.read("box").unwrap().epoch;
            store
                .change("box", Some(epoch), &Transition::Ready)
                .unwrap()
                .epoch
        };
        write(&fs, "/d0/new", b"x");
        let stored = store
            .suspend("box", epoch, &fs, &Capture::default())
            .unwrap();
        assert!(stored.new_objects <= 12, "{count}: {}", stored.new_objects);
        assert!(
            stored.new_bytes <= 16 * 1024,
            "{count}: {}",
            stored.new_bytes
        );
    }
    // One node a level, the tree and the commit; a node of inodes holds 32, a branch 32 ids.
    for (depth, (objects, bytes)) in costs.iter().enumerate() {
        assert!(*objects <= depth as u64 + 4, "{costs:?}");
        assert!(*bytes <= 4096 + 1100 * (depth as u64 + 1), "{costs:?}");
    }
}

#[test]
fn equal_content_is_stored_once() {
    let (_, store) = memory();
    let first = store
        .commit(&files(500, 5000), &Capture::default())
        .unwrap();
    let count = |store: &Store| store.objects().list(None, usize::MAX).unwrap().len();
    store.pin("a", first.commit, None).unwrap();
    let before = count(&store);
    // Another sandbox, with contents of its own that are the same.
    let second = store
        .commit(&files(500, 5000), &Capture::default())
        .unwrap();
    store.pin("b", second.commit, None).unwrap();
    // Times differ, contents don't: only nodes with times are new.
    assert!(
        count(&store) - before < 30,
        "{} then {}",
        before,
        count(&store)
    );
}

#[test]
fn a_commit_says_what_it_left_out() {
    let (_, store) = memory();
    let fs = variety();
    fs.create_dir(&ROOT, fs.root(), b"/proc", 0o555).unwrap();
    let proc = SyntheticFiles::new().file(b"version", || b"1".to_vec());
    fs.mount(&ROOT, b"/proc", Mount::source(proc)).unwrap();
    let open = fs
        .open(&ROOT, fs.root(), b"/small", &OpenOptions::READ, 0)
        .unwrap();
    fs.unlink(&ROOT, fs.root(), b"/small").unwrap();
    let asked = Capture {
        omitted: vec![Omission::Processes(2)],
        ..capture()
    };
    let stored = store.commit(&fs, &asked).unwrap();
    let expected = [
        Omission::Processes(2),
        Omission::Mount(b"/proc".to_vec()),
        Omission::UnnamedFiles(1),
    ];
    assert_eq!(stored.omitted, expected);
    let back = store
        .restore(stored.commit, Options::default(), &["exec".into()].into())
        .unwrap();
    assert_eq!(back.receipt.omitted, expected);
    assert_eq!(back.receipt.caps_delta, ["network".into()].into());
    assert!(
        back.vfs
            .stat(&ROOT, back.vfs.root(), b"/proc/version", true)
            .is_err()
    );
    drop(open);
}

#[test]
fn t34_a_declared_secret_is_not_stored() {
    let (_, store) = memory();
    let secret = || vec!["hunter2-token".into()];
    let fs = Vfs::new(Options::default());
    let refused = |fs: &Vfs, capture: Capture| {
        let capture = Capture {
            secrets: secret(),
            ..capture
        };
        let error = store.commit(fs, &capture).unwrap_err();
        assert_eq!(error.code(), "POLICY_DENIED");
        assert!(!error.to_string().contains("hunter2"));
    };
    let mut with_session = capture();
    with_session
        .sessions
        .insert("s".into(), "TOKEN=hunter2-token".into());
    refused(&fs, with_session);
    let mut with_metadata = capture();
    with_metadata
        .metadata
        .insert("k".into(), "hunter2-token".into());
    refused(&fs, with_metadata);
    for length in [0, 1000, 50_000] {
        let fs = Vfs::new(Options::default());
        write(
            &fs,
            "/env",
            &[&vec![b'x'; length][..], b"hunter2-token"].concat(),
        );
        refused(&fs, capture());
    }
    write(&fs, "/fine", b"hunter");
    let fine = Capture {
        secrets: secret(),
        ..capture()
    };
    store.commit(&fs, &fine).unwrap();
}

#[test]
fn the_limits_of_the_restoring_side_apply() {
    let (_, store) = memory();
    let stored = store.commit(&variety(), &capture()).unwrap();
    for quotas in [
        Quotas {
            bytes: 1000,
            ..Quotas::default()
        },
        Quotas {
            inodes: 10,
            ..Quotas::default()
        },
    ] {
        let options = Options {
            quotas,
            ..Options::default()
        };
        let error = store.checkout(stored.commit, options).unwrap_err();
        assert_eq!(error.code(), "LIMIT");
    }
}

#[test]
fn a_node_that_is_missing_is_a_fault_and_not_an_absence() {
    let (memory, store) = memory();
    let fs = files(2000, 1000);
    let stored = store.commit(&fs, &capture()).unwrap();
    store.pin("keep", stored.commit, None).unwrap();
    let back = store.checkout(stored.commit, Options::default()).unwrap();
    let keep = [stored.commit, back.commit.tree];
    let all = store.objects().list(None, usize::MAX).unwrap();
    let others: Vec<_> = all
        .iter()
        .map(|info| info.id)
        .filter(|id| !keep.contains(id))
        .collect();
    for id in others {
        offshoot_store::Objects::quarantine(&memory, id).unwrap();
    }
    let caller = &Caller::ROOT;
    let root = back.vfs.root();
    let error = back.vfs.read_file(caller, root, b"/d3/f3").unwrap_err();
    assert_eq!(error.code(), "EIO");
    assert_eq!(
        back.vfs.read_dir(caller, root, b"/").unwrap_err().code(),
        "EIO"
    );
    let error = back
        .vfs
        .write_file(caller, root, b"/new", b"x", 0o644)
        .unwrap_err();
    assert_eq!(error.code(), "EIO");
    let faults = back.faults.take();
    assert_eq!(faults.len(), 3);
    assert!(faults.iter().all(|fault| fault.code() == "CORRUPT"));
}

#[derive(Debug, Clone)]
enum Step {
    Write(u8, usize, usize),
    Truncate(u8, usize),
    Remove(u8),
    Rename(u8, u8),
    Link(u8, u8),
    Directory(u8),
    Commit,
    Checkout,
    Fork,
}

fn step() -> impl Strategy<Value = Step> {
    let length = prop_oneof![0..300usize, 4000..5000usize, 60_000..140_000usize];
    prop_oneof![
        6 => (any::<u8>(), 0..200_000usize, length).prop_map(|(f, at, n)| Step::Write(f, at, n)),
        2 => (any::<u8>(), 0..200_000usize).prop_map(|(file, n)| Step::Truncate(file, n)),
        2 => any::<u8>().prop_map(Step::Remove),
        2 => (any::<u8>(), any::<u8>()).prop_map(|(a, b)| Step::Rename(a, b)),
        1 => (any::<u8>(), any::<u8>()).prop_map(|(a, b)| Step::Link(a, b)),
        1 => any::<u8>().prop_map(Step::Directory),
        3 => Just(Step::Commit),
        2 => Just(Step::Checkout),
        1 => Just(Step::Fork),
    ]
}

fn name(file: u8) -> Vec<u8> {
    format!("/{}/{file}", file % 4).into_bytes()
}

/// The same step on a tree that stays in memory and on one that goes through the store.
fn run(fs: &Vfs, step: &Step) -> offshoot_vfs::Result<()> {
    let root = fs.root();
    match step {
        Step::Write(file, at, length) => {
            let options = OpenOptions {
                truncate: false,
                ..OpenOptions::WRITE
            };
            let file = fs.open(&ROOT, root, &name(*file), &options, 0o644)?;
            file.write_at(*at as u64, &pattern(*length)).map(drop)
        }
        Step::Truncate(file, size) => fs.set_size(&ROOT, root, &name(*file), *size as u64),
        Step::Remove(file) => fs.remove_tree(&ROOT, root, &name(*file)),
        Step::Rename(a, b) => fs.rename(&ROOT, (root, &name(*a)), (root, &name(*b))),
        Step::Link(a, b) => fs.link(&ROOT, (root, &name(*a)), (root, &name(*b)), false),
        Step::Directory(file) => fs.create_dir(&ROOT, root, &name(*file), 0o755),
        Step::Commit | Step::Checkout | Step::Fork => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if slow() { 400 } else { 40 }))]
    /// A tree that is stored and brought back again and again is the tree that stayed in memory.
    #[test]
    fn storing_changes_nothing(steps in prop::collection::vec(step(), 1..60)) {
        let options = || Options { clock: std::sync::Arc::new(Still), ..Options::default() };
        let store = Store::memory();
        let (model, mut subject) = (Vfs::new(options()), Vfs::new(options()));
        for fs in [&model, &subject] {
            for directory in [b"/0", b"/1", b"/2", b"/3"] {
                fs.create_dir(&ROOT, fs.root(), directory, 0o755).unwrap();
            }
        }
        let mut kept = Vec::new();
        for step in &steps {
            prop_assert_eq!(run(&model, step), run(&subject, step), "{:?}", step);
            match step {
                Step::Commit | Step::Checkout => {
                    let stored = store.commit(&subject, &Capture::default()).unwrap();
                    if kept.len() < 3 {
                        kept.push((stored.commit, dump(&model)));
                    }
                    if matches!(step, Step::Checkout) {
                        let back = store.checkout(stored.commit, options()).unwrap();
                        prop_assert_eq!(diff(&model, &back.vfs).unwrap(), []);
                        subject = back.vfs;
                    }
                }
                Step::Fork => subject = subject.fork(),
                _ => {}
            }
        }
        assert_same(&dump(&subject), &dump(&model));
        prop_assert_eq!(subject.usage(), model.usage());
        let last = store.commit(&subject, &Capture::default()).unwrap();
        kept.push((last.commit, dump(&model)));
        for (commit, expected) in kept {
            let back = store.checkout(commit, options()).unwrap().vfs;
            back.verify(true).unwrap();
            assert_same(&dump(&back), &expected);
        }
    }
}

/// What others change of a ref while its owner stores does not stop the owner, and is not lost.
#[test]
fn a_publish_goes_on_beside_other_changes() {
    for (name, store, _directory) in stores() {
        store.create("box", None).unwrap();
        let epoch = store
            .change("box", None, &Transition::Start(claim("a")))
            .unwrap()
            .epoch;
        let mut asked = 0;
        let amend = |new: &mut offshoot_store::Ref| {
            asked += 1;
            if asked == 2 {
                let note = Transition::Note {
                    deadline: Some(7),
                    data: b"theirs".to_vec(),
                };
                store.change("box", None, &note)?;
            }
            new.data.extend_from_slice(b", ours");
            Ok::<_, offshoot_store::Error>(())
        };
        let fs = files(10, 10);
        let stored = store.suspend_with("box", epoch, &fs, &capture(), amend);
        let found = store.read("box").unwrap();
        assert_eq!(found, stored.unwrap().found.unwrap(), "{name}");
        assert_eq!(found.data, b"theirs, ours", "{name}");
        assert_eq!(asked, 4, "{name}");
        let refused =
            |_: &mut offshoot_store::Ref| Err(offshoot_store::Error::Invalid { what: "no" });
        let claim = store.change("box", None, &Transition::Resume(claim("b")));
        let epoch = claim.unwrap().epoch;
        store
            .change("box", Some(epoch), &Transition::Ready)
            .unwrap();
        let error = store.suspend_with("box", epoch, &fs, &capture(), refused);
        assert_eq!(error.unwrap_err().code(), "INVALID", "{name}");
        assert_eq!(store.read("box").unwrap().state, State::Running, "{name}");
    }
}
