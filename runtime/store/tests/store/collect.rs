//! The collector removes what nothing leads to, nothing else, and not too early.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use offshoot_store::{
    Capture, Collect, History, MemoryStore, Objects, SqliteOptions, SqliteStore, Store, Transition,
};
use offshoot_vfs::{Caller, Options};

use crate::support::*;

const GRACE: u64 = 1000;

fn options(history: u32) -> Collect {
    Collect {
        grace: Duration::from_millis(GRACE),
        history,
    }
}

/// A store, its objects, its clock, and what must live as long as it.
type Timed = (
    Arc<ManualClock>,
    Arc<dyn Objects>,
    Store,
    Option<tempfile::TempDir>,
);

/// Every kind of store with a clock that the test moves.
fn timed() -> Vec<Timed> {
    let clock = Arc::new(ManualClock::default());
    let memory = Arc::new(MemoryStore::with_clock(clock.clone()));
    let store = Store::new(memory.clone(), memory.clone()).unwrap();
    let objects: Arc<dyn Objects> = memory;
    let mut all = vec![(clock, objects, store, None)];
    let clock = Arc::new(ManualClock::default());
    let directory = tempfile::tempdir().unwrap();
    let with = SqliteOptions {
        clock: clock.clone(),
        spill_above: 2000,
        ..SqliteOptions::default()
    };
    let sqlite = Arc::new(SqliteStore::open_with(directory.path(), with).unwrap());
    let store = Store::new(sqlite.clone(), sqlite.clone()).unwrap();
    let objects: Arc<dyn Objects> = sqlite;
    all.push((clock, objects, store, Some(directory)));
    all
}

fn pass(clock: &ManualClock) {
    clock.0.fetch_add(GRACE + 1, Ordering::SeqCst);
}

fn count(objects: &dyn Objects) -> usize {
    objects.list(None, usize::MAX).unwrap().len()
}

#[test]
fn what_nothing_names_goes_after_two_graces() {
    for (clock, objects, store, _directory) in timed() {
        let keep = store.snapshot("keep", &variety(), &capture()).unwrap();
        let kept = count(&*objects);
        let go = store.snapshot("go", &files(300, 3000), &capture()).unwrap();
        assert!(store.unpin("go").unwrap());
        let all = count(&*objects);
        // Too young.
        let report = store.collect(&options(0)).unwrap();
        assert_eq!((report.condemned, report.removed), (0, 0));
        pass(&clock);
        let report = store.collect(&options(0)).unwrap();
        assert_eq!((report.condemned, report.removed), ((all - kept) as u64, 0));
        store.checkout(go.commit, Options::default()).unwrap();
        pass(&clock);
        let report = store.collect(&options(0)).unwrap();
        assert_eq!((report.condemned, report.removed), (0, (all - kept) as u64));
        assert_eq!(count(&*objects), kept);
        let error = store.checkout(go.commit, Options::default()).unwrap_err();
        assert_eq!(error.code(), "NOT_FOUND");
        let back = store.checkout(keep.commit, Options::default()).unwrap();
        assert_eq!(dump(&back.vfs).len(), dump(&variety()).len());
        assert!(store.check(false).unwrap().is_clean());
    }
}

/// A live fork builds on what only a deleted sandbox had stored.
#[test]
fn a_live_fork_outlives_what_it_was_made_from() {
    for (clock, objects, store, _directory) in timed() {
        let fs = files(500, 1000);
        store.snapshot("base", &fs, &capture()).unwrap();
        let expected = dump(&fs);
        store.unpin("base").unwrap();
        for _ in 0..3 {
            pass(&clock);
            store.collect(&options(0)).unwrap();
        }
        assert_eq!(count(&*objects), 0);
        // The nodes still believe that they are stored.
        let stored = store.snapshot("fork", &fs, &capture()).unwrap();
        assert!(store.check(false).unwrap().is_clean());
        let back = store.checkout(stored.commit, Options::default()).unwrap();
        assert_same(&dump(&back.vfs), &expected);
    }
}

#[test]
fn what_is_condemned_and_used_again_stays() {
    for (clock, _objects, store, _directory) in timed() {
        let fs = files(200, 1000);
        store.snapshot("base", &fs, &capture()).unwrap();
        store.unpin("base").unwrap();
        pass(&clock);
        assert!(store.collect(&options(0)).unwrap().condemned > 0);
        write(&fs, "/d0/f0", b"new");
        let stored = store.snapshot("again", &fs, &capture()).unwrap();
        pass(&clock);
        pass(&clock);
        store.collect(&options(0)).unwrap();
        assert!(store.check(false).unwrap().is_clean());
        assert_eq!(
            store.verify(stored.commit).unwrap(),
            store.statistics().unwrap().objects
        );
    }
}

/// A commit that only waits in memory, whose base is collected before it is named.
#[test]
fn a_commit_in_memory_is_not_named_without_its_base() {
    for (clock, objects, store, _directory) in timed() {
        let fs = files(200, 1000);
        store.snapshot("base", &fs, &capture()).unwrap();
        write(&fs, "/d0/f0", b"new");
        let waiting = store.commit(&fs, &capture()).unwrap();
        store.unpin("base").unwrap();
        // Another process collects: it knows nothing of what waits in this one.
        pass(&clock);
        let all: Vec<_> = objects.list(None, usize::MAX).unwrap();
        let ids: Vec<_> = all.iter().map(|info| info.id).collect();
        objects.condemn(&ids).unwrap();
        store.refs().advance_gc_epoch().unwrap();
        objects.remove(&ids, u64::MAX).unwrap();
        let error = store.pin("late", waiting.commit, None).unwrap_err();
        assert_eq!(error.code(), "NOT_FOUND");
        // The filesystem itself is whole, and so is what is made of it now.
        let stored = store.snapshot("new", &fs, &capture()).unwrap();
        store.verify(stored.commit).unwrap();
        assert!(store.check(false).unwrap().is_clean());
    }
}

#[test]
fn history_is_kept_as_long_as_asked() {
    for (clock, _objects, store, _directory) in timed() {
        store.create("box", None).unwrap();
        let start = Transition::Start(claim("a"));
        let epoch = store.change("box", None, &start).unwrap().epoch;
        let fs = files(100, 10);
        let mut commits = Vec::new();
        for index in 0..5 {
            write(&fs, "/d0/f1", format!("state {index}").as_bytes());
            let stored = store.checkpoint("box", epoch, &fs, &Capture::default());
            commits.push(stored.unwrap().commit);
        }
        for _ in 0..3 {
            pass(&clock);
            store.collect(&options(2)).unwrap();
        }
        for (index, commit) in commits.iter().enumerate() {
            let there = store.checkout(*commit, Options::default());
            assert_eq!(there.is_ok(), index >= 2, "{index}");
            if let Ok(back) = there {
                assert_eq!(
                    read(&back.vfs, "/d0/f1"),
                    format!("state {index}").as_bytes()
                );
            }
        }
        assert!(store.check(false).unwrap().is_clean());
    }
}

#[test]
fn pins_run_out_and_tombstones_go() {
    for (clock, _objects, store, _directory) in timed() {
        let stored = store.snapshot("s", &files(10, 10), &capture()).unwrap();
        store
            .pin("short", stored.commit, Some(store.now().unwrap() + 10))
            .unwrap();
        store.create("box", Some(stored.commit)).unwrap();
        store.change("box", None, &Transition::Delete).unwrap();
        pass(&clock);
        let report = store.collect(&options(0)).unwrap();
        assert_eq!(report.tombstones, 1);
        assert_eq!(store.pins().unwrap().len(), 1);
        assert_eq!(store.read("box").unwrap_err().code(), "NOT_FOUND");
    }
}

/// With something reachable damaged, what else is reachable is not known, so nothing goes.
#[test]
fn nothing_is_removed_while_something_is_damaged() {
    let clock = Arc::new(ManualClock::default());
    let memory = MemoryStore::with_clock(clock.clone());
    let shared = Arc::new(memory.clone());
    let store = Store::new(shared.clone(), shared).unwrap();
    let stored = store.snapshot("s", &files(300, 3000), &capture()).unwrap();
    let tree = store.get_commit(stored.commit).unwrap().tree;
    memory.damage(tree, |payload| payload[5] ^= 1);
    pass(&clock);
    let before = count(&memory);
    assert_eq!(store.collect(&options(0)).unwrap_err().code(), "CORRUPT");
    assert_eq!(count(&memory), before);
    assert!(
        memory
            .list(None, 9999)
            .unwrap()
            .iter()
            .all(|info| info.condemned_at.is_none())
    );
}

#[test]
fn each_name_keeps_what_it_says_of_its_past() {
    for (clock, objects, store, _directory) in timed() {
        let fs = files(10, 3000);
        store.create("box", None).unwrap();
        let claim = Transition::Start(claim("a"));
        let epoch = store.change("box", None, &claim).unwrap().epoch;
        let mut commits = Vec::new();
        for round in 0..6u8 {
            pass(&clock);
            write(&fs, "/changes", &[round; 3000]);
            commits.push(
                store
                    .checkpoint("box", epoch, &fs, &capture())
                    .unwrap()
                    .commit,
            );
        }
        let made = store.get_commit(commits[3]).unwrap().created;
        for (history, kept) in [
            (History::generations(u32::MAX), 6),
            (
                History {
                    generations: 4,
                    since: 0,
                },
                5,
            ),
            (
                History {
                    generations: u32::MAX,
                    since: made,
                },
                3,
            ),
            (History::generations(0), 1),
        ] {
            for _ in 0..2 {
                pass(&clock);
                store.collect_with(&options(9), &|_| history).unwrap();
            }
            let there = objects.contains(&commits).unwrap();
            assert_eq!(
                there.iter().filter(|there| **there).count(),
                kept,
                "{history:?}"
            );
            assert!(there[5]);
        }
        store.verify(commits[5]).unwrap();
        store.shrink().unwrap();
        assert!(store.check(false).unwrap().is_clean());
    }
}

#[test]
fn a_state_that_changes_nothing_is_the_last_one() {
    for (clock, _, store, _directory) in timed() {
        let fs = files(10, 3000);
        write(&fs, "/changes", &[7]);
        store.create("box", None).unwrap();
        let claim = Transition::Start(claim("a"));
        let epoch = store.change("box", None, &claim).unwrap().epoch;
        let only_changes = Capture {
            only_changes: true,
            ..capture()
        };
        let first = store.checkpoint("box", epoch, &fs, &only_changes).unwrap();
        let labelled = Capture {
            label: Some("looked".into()),
            ..only_changes.clone()
        };
        let same = store.checkpoint("box", epoch, &fs, &labelled).unwrap();
        assert_eq!((same.commit, same.new_objects), (first.commit, 0));
        // Nor does reading change it.
        pass(&clock);
        let (who, root) = (Caller::ROOT, fs.root());
        fs.read_dir(&who, root, b"/").unwrap();
        assert_eq!(fs.read_file(&who, root, b"/changes").unwrap(), [7]);
        let read = store.checkpoint("box", epoch, &fs, &only_changes).unwrap();
        assert_eq!((read.commit, read.new_objects), (first.commit, 0));
        // Where every state is wanted, it is another one.
        let every = store.checkpoint("box", epoch, &fs, &capture()).unwrap();
        assert_ne!(every.commit, first.commit);
        write(&fs, "/new", b"x");
        let changed = store.suspend("box", epoch, &fs, &only_changes).unwrap();
        assert_ne!(changed.commit, every.commit);
        assert_eq!(
            store.get_commit(changed.commit).unwrap().parents,
            [every.commit]
        );
        store.verify(changed.commit).unwrap();
    }
}
