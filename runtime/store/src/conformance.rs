//! What every store must do. Each implementation, of this crate or another, passes it.
//!
//! ```
//! use offshoot_store::{MemoryStore, conformance};
//!
//! let store = MemoryStore::new();
//! conformance::check(&store, &store)?;
//! # Ok::<(), conformance::Violation>(())
//! ```

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::{
    Error, Filter, Kind, Object, ObjectId, Objects, Pin, Published, Ref, Refs, State, Swap, Version,
};

/// A rule that a store has broken.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{rule}: {detail}")]
#[non_exhaustive]
pub struct Violation {
    /// The rule.
    pub rule: &'static str,
    /// What happened instead.
    pub detail: String,
}

type Outcome = Result<(), Violation>;

fn broken(rule: &'static str, detail: impl Into<String>) -> Violation {
    let detail = detail.into();
    Violation { rule, detail }
}

fn require(holds: bool, rule: &'static str) -> Outcome {
    if holds {
        Ok(())
    } else {
        Err(broken(rule, "it does not hold"))
    }
}

/// Turns a failure of the store into a violation of the rule under test.
trait Under<T> {
    fn under(self, rule: &'static str) -> Result<T, Violation>;
}

impl<T> Under<T> for Result<T, Error> {
    fn under(self, rule: &'static str) -> Result<T, Violation> {
        self.map_err(|error| broken(rule, format!("{}: {error}", error.code())))
    }
}

/// Requires an error with this code.
fn refused<T>(result: Result<T, Error>, code: &str, rule: &'static str) -> Outcome {
    match result {
        Err(error) if error.code() == code => Ok(()),
        Err(error) => Err(broken(rule, format!("{}: {error}", error.code()))),
        Ok(_) => Err(broken(rule, format!("success instead of {code}"))),
    }
}

/// Checks everything. The store may hold other things; nobody else changes it meanwhile.
///
/// # Errors
/// The first rule that is broken.
pub fn check(objects: &dyn Objects, refs: &dyn Refs) -> Result<(), Violation> {
    check_slowly(objects, refs, Duration::ZERO)
}

/// [`check`] for a store whose clock is coarse: waits so long where one time must come after another.
///
/// # Errors
/// The first rule that is broken.
pub fn check_slowly(
    objects: &dyn Objects,
    refs: &dyn Refs,
    tick: Duration,
) -> Result<(), Violation> {
    storing(objects)?;
    listing(objects)?;
    collecting(objects, tick)?;
    quarantine(objects)?;
    swapping(refs)?;
    races(refs)?;
    pages(refs)?;
    pins(refs)?;
    batches(refs)?;
    publishing(objects, refs)
}

/// Content that no other call has made.
fn unique(kind: Kind, length: usize) -> Object {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let seed = format!(
        "{} {number} {:?}",
        std::process::id(),
        std::time::SystemTime::now()
    );
    let mut payload = vec![0; length.max(32)];
    blake3::Hasher::new()
        .update(seed.as_bytes())
        .finalize_xof()
        .fill(&mut payload);
    Object::new(kind, payload)
}

fn unique_name(what: &str) -> String {
    format!("{what}-{}", unique(Kind::Session, 32).id)
}

fn storing(objects: &dyn Objects) -> Outcome {
    let rule = "an object that was put is read back whole";
    let lengths = [32, 4096, 64 * 1024, 64 * 1024 + 1, 1 << 20];
    let batch = lengths.map(|length| unique(Kind::Chunk, length));
    let empty = Object::new(Kind::Session, Vec::new());
    objects.put(&batch).under(rule)?;
    objects.put(std::slice::from_ref(&empty)).under(rule)?;
    objects.put(&[]).under("an empty batch is no error")?;
    objects.flush().under("flush succeeds")?;
    for object in batch.iter().chain([&empty]) {
        require(objects.get(object.id).under(rule)? == *object, rule)?;
    }
    let rule = "putting again changes nothing";
    objects.put(&batch[..2]).under(rule)?;
    require(objects.get(batch[0].id).under(rule)? == batch[0], rule)?;
    let stranger = unique(Kind::Chunk, 32).id;
    refused(
        objects.get(stranger),
        "NOT_FOUND",
        "what was never put is not found",
    )?;
    let asked = [batch[1].id, stranger, empty.id];
    let rule = "contains answers for each in turn";
    require(
        objects.contains(&asked).under(rule)? == [true, false, true],
        rule,
    )
}

fn listing(objects: &dyn Objects) -> Outcome {
    let rule = "a listing has every object once, in the order of ids, page by page";
    let batch: Vec<_> = (0..25).map(|_| unique(Kind::Names, 40)).collect();
    objects.put(&batch).under(rule)?;
    objects.flush().under(rule)?;
    let mut seen = Vec::new();
    loop {
        let page = objects.list(seen.last().copied(), 7).under(rule)?;
        require(page.len() <= 7, rule)?;
        seen.extend(page.iter().map(|info| info.id));
        if page.len() < 7 {
            break;
        }
    }
    require(seen.is_sorted_by(|a, b| a < b), rule)?;
    require(
        batch
            .iter()
            .all(|object| seen.binary_search(&object.id).is_ok()),
        rule,
    )
}

fn info(objects: &dyn Objects, id: ObjectId) -> Result<Option<crate::ObjectInfo>, Violation> {
    let mut before = id.0;
    // The id just below, so that the page begins with this one.
    for byte in before.iter_mut().rev() {
        *byte = byte.wrapping_sub(1);
        if *byte != 255 {
            break;
        }
    }
    let page = objects.list(Some(ObjectId(before)), 1).under("a listing")?;
    Ok(page.into_iter().find(|info| info.id == id))
}

fn collecting(objects: &dyn Objects, tick: Duration) -> Outcome {
    let object = unique(Kind::File, 100);
    let id = object.id;
    let put = || {
        objects
            .put(std::slice::from_ref(&object))
            .and_then(|()| objects.flush())
            .under("put")
    };
    put()?;
    let rule = "what is not condemned is not removed";
    require(objects.remove(&[id], u64::MAX).under(rule)? == 0, rule)?;
    let rule = "a condemned object is read, and denied by contains";
    objects.condemn(&[id]).under(rule)?;
    require(objects.contains(&[id]).under(rule)? == [false], rule)?;
    require(objects.get(id).under(rule)? == object, rule)?;
    let found = info(objects, id)?;
    let condemned = found.and_then(|found| found.condemned_at);
    require(condemned.is_some(), "a listing tells what is condemned")?;
    std::thread::sleep(tick);
    let rule = "what was condemned later is not removed";
    require(
        objects.remove(&[id], condemned.unwrap_or(0)).under(rule)? == 0,
        rule,
    )?;
    let rule = "putting a condemned object brings it back";
    put()?;
    require(objects.contains(&[id]).under(rule)? == [true], rule)?;
    require(objects.remove(&[id], u64::MAX).under(rule)? == 0, rule)?;
    let rule = "a reprieved object is back";
    objects.condemn(&[id]).under(rule)?;
    objects.reprieve(&[id]).under(rule)?;
    require(objects.contains(&[id]).under(rule)? == [true], rule)?;
    let rule = "a condemned object is removed, and can be put again";
    objects.condemn(&[id]).under(rule)?;
    require(objects.remove(&[id], u64::MAX).under(rule)? == 1, rule)?;
    refused(objects.get(id), "NOT_FOUND", rule)?;
    put()?;
    require(objects.get(id).under(rule)? == object, rule)?;
    let rule = "marks of what is not there are passed over";
    let stranger = unique(Kind::Chunk, 32).id;
    objects.condemn(&[stranger]).under(rule)?;
    objects.reprieve(&[stranger]).under(rule)?;
    require(
        objects.remove(&[stranger], u64::MAX).under(rule)? == 0,
        rule,
    )
}

fn quarantine(objects: &dyn Objects) -> Outcome {
    for length in [100, 1 << 20] {
        let object = unique(Kind::Session, length);
        let rule = "what is in quarantine is not found, and can be put again";
        let batch = std::slice::from_ref(&object);
        objects.put(batch).under(rule)?;
        objects.quarantine(object.id).under(rule)?;
        refused(objects.get(object.id), "NOT_FOUND", rule)?;
        require(objects.contains(&[object.id]).under(rule)? == [false], rule)?;
        objects.put(batch).under(rule)?;
        require(objects.get(object.id).under(rule)? == object, rule)?;
    }
    Ok(())
}

/// A ref with something in every field.
fn full(now: u64) -> Ref {
    Ref {
        state: State::Suspending,
        commit: Some(ObjectId([9; 32])),
        epoch: 4,
        seq: 1,
        owner: Some("node \u{1f980}".into()),
        lease_until: Some(now + 1000),
        operation: Some("op-1".into()),
        reason: Some("none".into()),
        deadline: Some(now + 5000),
        created: now,
        changed: now,
        data: vec![0, 255, 10],
    }
}

fn put_ref(refs: &dyn Refs, name: &str, expected: Option<Version>, new: &Ref) -> Result<(), Error> {
    refs.swap(Swap {
        name,
        expected,
        new,
    })
}

fn swapping(refs: &dyn Refs) -> Outcome {
    let now = refs.now().under("the clock can be read")?;
    let name = unique_name("sandbox/ä b");
    let rule = "a ref that was never made is not there";
    require(refs.read(&name).under(rule)?.is_none(), rule)?;
    let first = full(now);
    let rule = "a ref is read back whole";
    put_ref(refs, &name, None, &first).under(rule)?;
    require(refs.read(&name).under(rule)?.as_ref() == Some(&first), rule)?;
    let rule = "a ref is made once";
    refused(put_ref(refs, &name, None, &first), "CONFLICT", rule)?;
    let second = Ref {
        seq: 2,
        owner: None,
        deadline: None,
        ..first.clone()
    };
    let rule = "a swap that expects another epoch or number is refused and changes nothing";
    for wrong in [(4, 2), (4, 0), (3, 1), (5, 1)] {
        let expected = Version {
            epoch: wrong.0,
            seq: wrong.1,
        };
        refused(
            put_ref(refs, &name, Some(expected), &second),
            "CONFLICT",
            rule,
        )?;
        refused(refs.forget(&name, expected), "CONFLICT", rule)?;
    }
    require(refs.read(&name).under(rule)?.as_ref() == Some(&first), rule)?;
    let rule = "a swap that expects what is there succeeds once";
    put_ref(refs, &name, Some(first.version()), &second).under(rule)?;
    require(
        refs.read(&name).under(rule)?.as_ref() == Some(&second),
        rule,
    )?;
    refused(
        put_ref(refs, &name, Some(first.version()), &second),
        "CONFLICT",
        rule,
    )?;
    let rule = "a ref that is forgotten is gone";
    refs.forget(&name, second.version()).under(rule)?;
    require(refs.read(&name).under(rule)?.is_none(), rule)?;
    let swap = put_ref(refs, &name, Some(second.version()), &second);
    refused(swap, "CONFLICT", rule)?;
    refused(refs.forget(&name, second.version()), "CONFLICT", rule)
}

fn races(refs: &dyn Refs) -> Outcome {
    const RACERS: u64 = 8;
    let rule = "of several that swap at once, one wins";
    let now = refs.now().under(rule)?;
    let name = unique_name("race");
    let mut present: Option<Ref> = None;
    for round in 0..10 {
        let expected = present.as_ref().map(Ref::version);
        let race = |racer: u64| {
            let new = Ref {
                seq: round + 1,
                owner: Some(format!("racer {racer}")),
                ..full(now)
            };
            put_ref(refs, &name, expected, &new).is_ok().then_some(new)
        };
        let winners: Vec<Ref> = std::thread::scope(|scope| {
            let race = &race;
            let racers = (0..RACERS).map(|racer| scope.spawn(move || race(racer)));
            let racers: Vec<_> = racers.collect();
            racers
                .into_iter()
                .filter_map(|racer| racer.join().ok().flatten())
                .collect()
        });
        let found = refs.read(&name).under(rule)?;
        if winners.len() != 1 || found.as_ref() != winners.first() {
            let count = winners.len();
            return Err(broken(
                rule,
                format!("{count} of {RACERS} won in round {round}"),
            ));
        }
        present = found;
    }
    Ok(())
}

fn pages(refs: &dyn Refs) -> Outcome {
    let rule = "a listing has every ref that the filter means, in order, page by page";
    let now = refs.now().under(rule)?;
    let prefix = unique_name("page");
    let mut expected = Vec::new();
    for index in 0..23u64 {
        let state = State::ALL[index as usize % State::ALL.len()];
        let deadline = (index % 3 > 0).then_some(now + index);
        let made = Ref {
            state,
            deadline,
            ..full(now)
        };
        let name = format!("{prefix}/{index:02}");
        put_ref(refs, &name, None, &made).under(rule)?;
        expected.push((name, made));
    }
    let filters = [
        (None, None),
        (Some(State::Suspended), None),
        (None, Some(now + 10)),
        (Some(State::Running), Some(now + 20)),
    ];
    for (state, due_before) in filters {
        let filter = Filter {
            prefix: format!("{prefix}/"),
            state,
            due_before,
            lapsed_before: None,
        };
        let mut seen: Vec<(String, Ref)> = Vec::new();
        loop {
            let after = seen.last().map(|(name, _)| name.clone());
            let page = refs.list(&filter, after.as_deref(), 4).under(rule)?;
            let count = page.len();
            seen.extend(page);
            if count < 4 {
                break;
            }
        }
        let meant = expected
            .iter()
            .filter(|(name, made)| filter.matches(name, made));
        require(seen.iter().eq(meant), rule)?;
    }
    for (name, made) in &expected {
        refs.forget(name, made.version()).under(rule)?;
    }
    Ok(())
}

fn pins(refs: &dyn Refs) -> Outcome {
    let rule = "a pin is kept under its name until it is removed";
    let mut pin = Pin {
        name: unique_name("pin"),
        commit: ObjectId([1; 32]),
        until: None,
    };
    refs.pin(&pin).under(rule)?;
    (pin.commit, pin.until) = (ObjectId([2; 32]), Some(77));
    refs.pin(&pin).under(rule)?;
    let all = refs.pins().under(rule)?;
    let found: Vec<_> = all.iter().filter(|found| found.name == pin.name).collect();
    require(found == [&pin], rule)?;
    require(refs.unpin(&pin.name).under(rule)?, rule)?;
    require(!refs.unpin(&pin.name).under(rule)?, rule)?;
    let rule = "the collector's epoch grows by one";
    let before = refs.gc_epoch().under(rule)?;
    require(refs.advance_gc_epoch().under(rule)? == before + 1, rule)?;
    require(refs.gc_epoch().under(rule)? == before + 1, rule)
}

fn batches(refs: &dyn Refs) -> Outcome {
    let rule = "refs are made together with their pins";
    let now = refs.now().under(rule)?;
    let prefix = unique_name("batch");
    let made: Vec<_> = (0..5u64)
        .map(|index| {
            let lease_until = (index > 0).then_some(now + index);
            let new = Ref {
                lease_until,
                ..full(now)
            };
            (format!("{prefix}/{index}"), new)
        })
        .collect();
    let pin = |(name, _): &(String, Ref)| Pin {
        name: name.clone(),
        commit: ObjectId([3; 32]),
        until: None,
    };
    let pins: Vec<_> = made.iter().map(pin).collect();
    refs.make(&made, &pins).under(rule)?;
    for (name, new) in &made {
        require(refs.read(name).under(rule)?.as_ref() == Some(new), rule)?;
    }
    let rule = "pins are found by how their names begin";
    require(
        refs.pins_of(&format!("{prefix}/")).under(rule)? == pins,
        rule,
    )?;
    require(
        refs.pins_of(&format!("{prefix}/4")).under(rule)? == pins[4..],
        rule,
    )?;
    let rule = "refs whose owner's lease ran out are found";
    let filter = Filter {
        prefix: format!("{prefix}/"),
        lapsed_before: Some(now + 3),
        ..Filter::default()
    };
    let found = refs.list(&filter, None, 9).under(rule)?;
    require(found == made[1..3], rule)?;
    let rule = "refs are not made over others";
    refused(refs.make(&made[4..], &[]), "CONFLICT", rule)?;
    for ((name, new), pin) in made.iter().zip(&pins) {
        refs.forget(name, new.version()).under(rule)?;
        refs.unpin(&pin.name).under(rule)?;
    }
    Ok(())
}

fn publishing(objects: &dyn Objects, refs: &dyn Refs) -> Outcome {
    let rule = "what is published is there, objects and ref";
    let now = refs.now().under(rule)?;
    let name = unique_name("publish");
    let batch = [unique(Kind::Chunk, 300), unique(Kind::Session, 1 << 20)];
    let new = Ref {
        commit: Some(batch[0].id),
        ..full(now)
    };
    let epoch = refs.gc_epoch().under(rule)?;
    let swap = |expected| Swap {
        name: &name,
        expected,
        new: &new,
    };
    let stale = refs.publish(objects, &batch, epoch.wrapping_sub(1), swap(None));
    let rule_moved = "nothing is published under an epoch of the collector that is past";
    require(stale.under(rule_moved)? == Published::Moved, rule_moved)?;
    require(refs.read(&name).under(rule_moved)?.is_none(), rule_moved)?;
    let published = refs
        .publish(objects, &batch, epoch, swap(None))
        .under(rule)?;
    require(matches!(published, Published::Done(_)), rule)?;
    for object in &batch {
        require(objects.get(object.id).under(rule)? == *object, rule)?;
    }
    require(refs.read(&name).under(rule)?.as_ref() == Some(&new), rule)?;
    let rule = "a publish that expects another ref is refused";
    refused(
        refs.publish(objects, &[], epoch, swap(None)),
        "CONFLICT",
        rule,
    )?;
    refs.forget(&name, new.version()).under(rule)
}
