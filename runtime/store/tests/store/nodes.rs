//! D05: several nodes over one store that fails, is slow, and answers with an error after it has
//! succeeded; nodes die and clocks run. One thread, a seed, no sleep: a failure prints its seed and
//! comes again with it.
//!
//! Each sandbox is an account in files: every acknowledged save adds one to a number and appends it to a
//! ledger. Whatever happens, the last acknowledged number is in the store, whole, and only one node at a time has
//! added to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use offshoot_store::{
    Capture, Claim, Clock, Collect, Durability, Error, Filter, MemoryStore, Object, ObjectId,
    ObjectInfo, Objects, Pin, Published, Ref, Refs, Result, State, Store, Swap, Transition,
    Version,
};
use offshoot_vfs::{Options, Vfs};

use crate::sim::Dice;
use crate::support::*;

const NODES: usize = 3;
const SANDBOXES: usize = 4;
const LEASE: u64 = 50;

/// A store whose answers cannot be relied on.
#[derive(Clone)]
struct Faulty {
    inner: MemoryStore,
    dice: Arc<AtomicU64>,
    calm: Arc<AtomicBool>,
}

impl Faulty {
    /// Fails before, after, or not at all.
    fn call<T>(&self, run: impl FnOnce() -> Result<T>) -> Result<T> {
        let mut dice = Dice(self.dice.fetch_add(0x1234_5678_9abc_def1, Ordering::SeqCst));
        let broken = || Error::Unavailable {
            operation: "simulated",
            message: "no answer".into(),
            retry: true,
        };
        if self.calm.load(Ordering::SeqCst) {
            return run();
        }
        match dice.below(150) {
            0 => Err(broken()),
            1 => run().and_then(|_| Err(broken())),
            _ => run(),
        }
    }
}

impl Objects for Faulty {
    fn put(&self, objects: &[Object]) -> Result<()> {
        // A part may arrive.
        let mut dice = Dice(self.dice.load(Ordering::SeqCst));
        let part = dice.below(objects.len() as u64 + 1) as usize;
        self.call(|| self.inner.put(objects)).inspect_err(|_| {
            let _ = self.inner.put(&objects[..part]);
        })
    }
    fn flush(&self) -> Result<Durability> {
        self.call(|| self.inner.flush())
    }
    fn get(&self, id: ObjectId) -> Result<Object> {
        self.call(|| self.inner.get(id))
    }
    fn contains(&self, ids: &[ObjectId]) -> Result<Vec<bool>> {
        self.call(|| self.inner.contains(ids))
    }
    fn list(&self, after: Option<ObjectId>, limit: usize) -> Result<Vec<ObjectInfo>> {
        self.call(|| Objects::list(&self.inner, after, limit))
    }
    fn condemn(&self, ids: &[ObjectId]) -> Result<()> {
        self.call(|| self.inner.condemn(ids))
    }
    fn reprieve(&self, ids: &[ObjectId]) -> Result<()> {
        self.call(|| self.inner.reprieve(ids))
    }
    fn remove(&self, ids: &[ObjectId], condemned_before: u64) -> Result<u64> {
        self.call(|| self.inner.remove(ids, condemned_before))
    }
    fn quarantine(&self, id: ObjectId) -> Result<()> {
        self.call(|| self.inner.quarantine(id))
    }
}

impl Refs for Faulty {
    fn now(&self) -> Result<u64> {
        self.call(|| self.inner.now())
    }
    fn read(&self, name: &str) -> Result<Option<Ref>> {
        self.call(|| self.inner.read(name))
    }
    fn swap(&self, swap: Swap<'_>) -> Result<()> {
        self.call(|| self.inner.swap(swap))
    }
    fn forget(&self, name: &str, expected: Version) -> Result<()> {
        self.call(|| self.inner.forget(name, expected))
    }
    fn list(
        &self,
        filter: &Filter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Ref)>> {
        self.call(|| Refs::list(&self.inner, filter, after, limit))
    }
    fn pin(&self, pin: &Pin) -> Result<()> {
        self.call(|| self.inner.pin(pin))
    }
    fn unpin(&self, name: &str) -> Result<bool> {
        self.call(|| self.inner.unpin(name))
    }
    fn pins(&self) -> Result<Vec<Pin>> {
        self.call(|| self.inner.pins())
    }
    fn gc_epoch(&self) -> Result<u64> {
        self.call(|| self.inner.gc_epoch())
    }
    fn advance_gc_epoch(&self) -> Result<u64> {
        self.call(|| self.inner.advance_gc_epoch())
    }
    fn publish(
        &self,
        objects: &dyn Objects,
        batch: &[Object],
        gc_epoch: u64,
        swap: Swap<'_>,
    ) -> Result<Published> {
        self.call(|| self.inner.publish(objects, batch, gc_epoch, swap))
    }
}

/// A sandbox that a node has in memory.
struct Awake {
    epoch: u64,
    vfs: Vfs,
    number: u64,
}

struct Node {
    name: String,
    store: Store,
    awake: Vec<Option<Awake>>,
}

/// What is known about a sandbox from outside.
#[derive(Clone, Default)]
struct Truth {
    /// The last number that was acknowledged, and the highest that may have been stored.
    acknowledged: u64,
    attempted: u64,
}

fn number_of(vfs: &Vfs) -> offshoot_vfs::Result<u64> {
    let bytes = vfs.read_file(&ROOT, vfs.root(), b"/number")?;
    let number = u64::from_le_bytes(bytes.try_into().unwrap());
    // The ledger has every number once: nobody's save was lost in between.
    let ledger = vfs.read_file(&ROOT, vfs.root(), b"/ledger")?;
    let entries: Vec<u64> = ledger
        .chunks(8)
        .map(|entry| u64::from_le_bytes(entry.try_into().unwrap()))
        .collect();
    assert!(
        entries.iter().copied().eq(1..=number),
        "{entries:?} is not 1 to {number}"
    );
    Ok(number)
}

impl Node {
    fn new(name: String, store: &Faulty) -> Result<Node> {
        let shared = Arc::new(store.clone());
        Ok(Node {
            name,
            store: Store::new(shared.clone(), shared)?,
            awake: (0..SANDBOXES).map(|_| None).collect(),
        })
    }

    /// Gets hold of a sandbox that is asleep or whose owner is gone.
    fn wake(&mut self, index: usize) -> Result<()> {
        let sandbox = format!("box-{index}");
        let found = self.store.read(&sandbox)?;
        let claim = Claim {
            owner: self.name.clone(),
            lease_until: Some(self.store.now()? + LEASE),
        };
        let transition = match found.state {
            State::Pending => Transition::Start(claim),
            State::Suspended => Transition::Resume(claim),
            _ => Transition::TakeOver(claim),
        };
        let taken = self.store.change(&sandbox, None, &transition)?;
        let vfs = match taken.commit {
            Some(commit) => self.store.checkout(commit, Options::default())?.vfs,
            None => {
                let vfs = timeless();
                write(&vfs, "/number", &0u64.to_le_bytes());
                write(&vfs, "/ledger", b"");
                for filler in 0..40 {
                    write(&vfs, &format!("/filler {filler}"), &[filler; 400]);
                }
                vfs
            }
        };
        let number = number_of(&vfs)?;
        if taken.state == State::Resuming {
            self.store
                .change(&sandbox, Some(taken.epoch), &Transition::Ready)?;
        }
        self.awake[index] = Some(Awake {
            epoch: taken.epoch,
            vfs,
            number,
        });
        Ok(())
    }

    /// Adds one and saves; with `sleep` the sandbox is put to sleep.
    fn save(&mut self, index: usize, sleep: bool, truth: &mut Truth) -> Result<()> {
        let sandbox = format!("box-{index}");
        let Some(awake) = self.awake[index].as_mut() else {
            return Ok(());
        };
        let number = awake.number + 1;
        let branch = awake.vfs.fork();
        write(&branch, "/number", &number.to_le_bytes());
        let ledger = branch.open(
            &ROOT,
            branch.root(),
            b"/ledger",
            &offshoot_vfs::OpenOptions::APPEND,
            0,
        )?;
        ledger.append(&number.to_le_bytes())?;
        drop(ledger);
        truth.attempted = truth.attempted.max(number);
        let capture = Capture::default();
        let saved = if sleep {
            self.store.suspend(&sandbox, awake.epoch, &branch, &capture)
        } else {
            self.store
                .checkpoint(&sandbox, awake.epoch, &branch, &capture)
        };
        match saved {
            Ok(_) => {
                assert!(
                    number > truth.acknowledged,
                    "{sandbox}: {number} was acknowledged twice"
                );
                truth.acknowledged = number;
                awake.number = number;
                awake.vfs = branch;
                if sleep {
                    self.awake[index] = None;
                }
                Ok(())
            }
            Err(error) => {
                // It may have come to pass. Whoever does not know starts from what is stored.
                self.awake[index] = None;
                Err(error)
            }
        }
    }
}

fn simulate(seed: u64, steps: u64) -> u64 {
    let clock = Arc::new(ManualClock::default());
    let memory = MemoryStore::with_clock(clock.clone());
    let faulty = Faulty {
        inner: memory,
        dice: Arc::new(AtomicU64::new(seed.wrapping_mul(77))),
        calm: Arc::new(AtomicBool::new(true)),
    };
    let mut dice = Dice(seed);
    let mut nodes: Vec<Node> = (0..NODES)
        .map(|index| Node::new(format!("node-{index}"), &faulty).unwrap())
        .collect();
    let mut truths = vec![Truth::default(); SANDBOXES];
    for index in 0..SANDBOXES {
        nodes[0]
            .store
            .create(&format!("box-{index}"), None)
            .unwrap();
    }
    faulty.calm.store(false, Ordering::SeqCst);
    let collect = Collect {
        grace: Duration::from_millis(30),
        history: 0,
    };
    for _ in 0..steps {
        let at = dice.below(NODES as u64) as usize;
        let index = dice.below(SANDBOXES as u64) as usize;
        let outcome = match dice.below(20) {
            0..=3 => nodes[at].wake(index),
            4..=12 => nodes[at].save(index, false, &mut truths[index]),
            13..=14 => nodes[at].save(index, true, &mut truths[index]),
            15..=16 => {
                clock.0.fetch_add(dice.below(40), Ordering::SeqCst);
                Ok(())
            }
            17 => nodes[at].store.collect(&collect).map(drop),
            18 if dice.one_in(3) => {
                // The node dies with all it knew, and comes back.
                let name = nodes[at].name.clone();
                faulty.calm.store(true, Ordering::SeqCst);
                nodes[at] = Node::new(name, &faulty).unwrap();
                faulty.calm.store(false, Ordering::SeqCst);
                Ok(())
            }
            _ => {
                let epoch = nodes[at].awake[index].as_ref().map(|awake| awake.epoch);
                let until = clock.now() + LEASE;
                let renew = Transition::Renew(until);
                let sandbox = format!("box-{index}");
                epoch.map_or(Ok(()), |epoch| {
                    nodes[at]
                        .store
                        .change(&sandbox, Some(epoch), &renew)
                        .map(drop)
                })
            }
        };
        if let Err(error) = outcome {
            let code = error.code();
            let expected = ["SANDBOX_UNAVAILABLE", "CONFLICT", "FENCED", "EIO"];
            assert!(expected.contains(&code), "seed {seed}: {code}: {error}");
        }
    }
    faulty.calm.store(true, Ordering::SeqCst);
    let mut sum = 0;
    let report = nodes[0].store.check(false).unwrap();
    assert!(report.is_clean(), "seed {seed}: {report:?}");
    for (index, truth) in truths.iter().enumerate() {
        let found = nodes[0].store.read(&format!("box-{index}")).unwrap();
        let number = found.commit.map_or(0, |commit| {
            let back = nodes[0].store.checkout(commit, Options::default()).unwrap();
            number_of(&back.vfs).unwrap()
        });
        let possible = truth.acknowledged..=truth.attempted;
        assert!(
            possible.contains(&number),
            "seed {seed}: {number} is not in {possible:?}"
        );
        sum += truth.acknowledged;
    }
    sum
}

#[test]
fn t45_no_acknowledged_save_is_lost() {
    let (seeds, steps) = if slow() { (2000, 600) } else { (60, 300) };
    let mut saves = 0;
    for seed in 0..seeds {
        let run = std::panic::catch_unwind(|| simulate(seed, steps));
        saves += run.unwrap_or_else(|_| panic!("seed {seed}"));
    }
    assert!(saves > seeds * 10, "{saves}");
}
