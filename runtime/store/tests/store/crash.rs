//! D01, D02, T44: the machine stops at every call of a suspend, syncs fail, the disk is full. After
//! it is opened again it is the old or the new state, whole, and what was acknowledged is there.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use offshoot_store::{Capture, Collect, ObjectId, Result, State, Store, Transition};
use offshoot_vfs::{Options, Vfs};

use crate::sim::{Dice, Fault, SimDisk};
use crate::support::*;

/// What a state looks like: a number that is in a small file, in a large one and in the session.
fn paint(fs: &Vfs, number: u8) -> Capture {
    write(fs, "/small", &[number; 100]);
    write(fs, "/large", &vec![number; 150_000]);
    write(fs, &format!("/new {number}"), &[number; 5000]);
    let large: Bytes = vec![number; 100_000].into();
    Capture {
        sessions: BTreeMap::from([("main".into(), large)]),
        ..Capture::default()
    }
}

/// Which state a commit is; every part of it must be the same one.
fn number_of(store: &Store, commit: ObjectId) -> u8 {
    let back = store.checkout(commit, Options::default()).unwrap();
    let number = read(&back.vfs, "/small")[0];
    assert_eq!(read(&back.vfs, "/small"), [number; 100]);
    assert_eq!(read(&back.vfs, "/large"), vec![number; 150_000]);
    for each in 1..=number {
        assert_eq!(read(&back.vfs, &format!("/new {each}")), [each; 5000]);
    }
    let later = format!("/new {}", number + 1);
    assert!(
        back.vfs
            .stat(&ROOT, back.vfs.root(), later.as_bytes(), true)
            .is_err()
    );
    assert_eq!(back.sessions["main"], vec![number; 100_000]);
    number
}

/// What a run was told.
#[derive(Default, Debug)]
struct Told {
    /// The last state that was acknowledged, and the one that was begun.
    acknowledged: u8,
    begun: u8,
    created: bool,
    error: Option<String>,
}

fn open(disk: &SimDisk) -> Result<Store> {
    let sqlite = Arc::new(disk.open()?);
    Store::new(sqlite.clone(), sqlite)
}

/// A life: a sandbox is made, saved several times, collected, and put to sleep.
///
/// The store is still open when it returns: closing it would write what a power loss forgets.
fn live(disk: &SimDisk) -> (Told, Option<Store>) {
    let mut told = Told::default();
    let mut opened = None;
    let result = (|| {
        let store = opened.insert(open(disk)?);
        store.create("box", None)?;
        told.created = true;
        let epoch = store
            .change("box", None, &Transition::Start(claim("a")))?
            .epoch;
        let fs = timeless();
        for number in 1..=4 {
            told.begun = number;
            let capture = paint(&fs, number);
            match number {
                4 => store.suspend("box", epoch, &fs, &capture)?,
                // Waits in memory first, and is handed over without being durable.
                2 => {
                    store.commit(&fs, &capture)?;
                    store.checkpoint("box", epoch, &fs, &capture)?
                }
                _ => store.checkpoint("box", epoch, &fs, &capture)?,
            };
            told.acknowledged = number;
            if number == 3 {
                let grace = std::time::Duration::ZERO;
                store.collect(&Collect { grace, history: 0 })?;
            }
        }
        Ok::<_, offshoot_store::Error>(())
    })();
    told.error = result.err().map(|error| error.to_string());
    (told, opened)
}

/// What must be true of a disk after a life, and that life goes on.
fn check(disk: &SimDisk, told: &Told, what: &str) {
    let store = open(disk).unwrap_or_else(|error| panic!("{what}: {error}"));
    let report = store.check(false).unwrap();
    assert!(report.is_clean(), "{what}: {report:?}");
    let found = store.refs().read("box").unwrap();
    assert!(
        found.is_some() || !told.created,
        "{what}: the ref is gone, {told:?}"
    );
    let Some(found) = found else { return };
    let number = found.commit.map_or(0, |commit| number_of(&store, commit));
    let possible = told.acknowledged..=told.begun.max(told.acknowledged);
    assert!(possible.contains(&number), "{what}: {number} of {told:?}");
    assert_eq!(found.state == State::Suspended, number == 4, "{what}");
    // A new owner takes up where that stood.
    let (name, fs) = ("again", Vfs::new(Options::default()));
    store.create(name, None).unwrap();
    let epoch = store
        .change(name, None, &Transition::Start(claim("b")))
        .unwrap()
        .epoch;
    let capture = paint(&fs, 1);
    let stored = store.suspend(name, epoch, &fs, &capture).unwrap();
    assert_eq!(number_of(&store, stored.commit), 1);
    assert!(store.check(false).unwrap().is_clean(), "{what}");
}

fn seeds() -> u64 {
    if slow() { 20 } else { 2 }
}

#[test]
fn t44_the_machine_stops_at_every_call() {
    let whole = SimDisk::new();
    let (told, _store) = live(&whole);
    assert_eq!((told.acknowledged, &told.error), (4, &None));
    let calls = whole.calls();
    assert!(calls > 100, "{calls}");
    let step = if slow() { 1 } else { 7 };
    for at in (1..=calls).step_by(step) {
        for seed in 0..seeds() {
            let disk = SimDisk::new();
            disk.set_fault(Some(Fault::Stop(at)));
            let (told, _store) = live(&disk);
            assert!(disk.stopped());
            let mut dice = Dice(at * 1000 + seed);
            let after = disk.after_power_loss(&mut dice);
            check(
                &after,
                &told,
                &format!("stopped at {at} of {calls}, seed {seed}"),
            );
        }
    }
}

/// The power goes after everything was acknowledged.
#[test]
fn what_was_acknowledged_survives_power_loss() {
    for seed in 0..seeds() * 4 {
        let disk = SimDisk::new();
        let (told, _store) = live(&disk);
        let after = disk.after_power_loss(&mut Dice(seed));
        check(&after, &told, &format!("seed {seed}"));
    }
}

#[test]
fn t44_any_call_fails() {
    let whole = SimDisk::new();
    let _open = live(&whole);
    let calls = whole.calls();
    let step = if slow() { 1 } else { 7 };
    for at in (1..=calls).step_by(step) {
        for fault in [Fault::Fail(at), Fault::Full(at)] {
            let disk = SimDisk::new();
            disk.set_fault(Some(fault));
            let (told, _store) = live(&disk);
            disk.set_fault(None);
            // The process goes on, and then the power goes as well.
            let after = disk.after_power_loss(&mut Dice(at));
            check(
                &after,
                &told,
                &format!("{fault:?} of {calls}, after power loss"),
            );
        }
    }
}

/// A sync fails, the same process tries again and is told that all is well: then it is.
#[test]
fn a_retry_after_a_failed_sync_is_durable() {
    let retry = |fault: Option<Fault>, seed: u64| {
        let disk = SimDisk::new();
        let store = open(&disk).unwrap();
        store.create("box", None).unwrap();
        let epoch = store
            .change("box", None, &Transition::Start(claim("a")))
            .unwrap()
            .epoch;
        let fs = timeless();
        store.checkpoint("box", epoch, &fs, &paint(&fs, 1)).unwrap();
        let from = disk.calls();
        disk.set_fault(fault.map(|fault| match fault {
            Fault::Fail(at) => Fault::Fail(from + at),
            Fault::Full(at) => Fault::Full(from + at),
            Fault::Stop(at) => Fault::Stop(from + at),
        }));
        let capture = paint(&fs, 2);
        // Objects first, not durable, in a transaction of their own.
        let waiting = store.commit(&fs, &capture).unwrap();
        let first = store.pin("p", waiting.commit, None);
        let tried = store.suspend("box", epoch, &fs, &capture);
        let calls = disk.calls() - from;
        disk.set_fault(None);
        let failed = first.is_err() || tried.is_err();
        let mut told = Told {
            created: true,
            begun: 2,
            acknowledged: 1,
            error: None,
        };
        let found = store.read("box").unwrap();
        if found.state == State::Running {
            assert!(tried.is_err());
            let capture = paint(&fs, 3);
            match store.suspend("box", epoch, &fs, &capture) {
                Ok(_) => told.acknowledged = 3,
                Err(error) => panic!("{fault:?}: {error}"),
            }
            told.begun = 3;
        } else {
            told.acknowledged = 2;
        }
        let after = disk.after_power_loss(&mut Dice(seed));
        drop(store);
        let store = open(&after).unwrap();
        assert!(
            store.check(false).unwrap().is_clean(),
            "{fault:?}, seed {seed}"
        );
        let found = store.read("box");
        let found = found.unwrap_or_else(|error| panic!("{fault:?}, seed {seed}: {error}"));
        let commit = found.commit.unwrap();
        let number = number_of(&store, commit);
        // Unless it was told that the suspend had failed, and saw afterwards that it had not.
        let possible = if tried.is_err() && told.acknowledged == 2 {
            1..=2
        } else {
            told.acknowledged..=told.begun
        };
        assert!(
            possible.contains(&number),
            "{fault:?}, seed {seed}: {number} of {told:?}"
        );
        (calls, failed)
    };
    let (calls, failed) = retry(None, 0);
    assert!(!failed);
    let mut failures = 0;
    for at in 1..=calls {
        for seed in 0..seeds() {
            failures += u64::from(retry(Some(Fault::Fail(at)), seed).1);
            failures += u64::from(retry(Some(Fault::Full(at)), seed).1);
        }
    }
    assert!(failures > 10, "{failures} of {calls}");
}
