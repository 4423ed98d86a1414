//! Looking through a store: is everything there that should be, and what it was?

use std::collections::{BTreeMap, HashMap};

use crate::inner::Inner;
use crate::object::{Target, targets};
use crate::{Commit, Error, Filter, Kind, Object, ObjectId, Result, State, Store};

/// Objects and refs that are looked at in one step.
const PAGE: usize = 1000;

/// What [`Store::check`] found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Objects that were looked at.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects that are not what was stored, or mean nothing, and why.
    pub damaged: Vec<(ObjectId, String)>,
    /// Of these, those whose bytes are what was stored: they may mean something to another version.
    /// They are never put aside.
    pub intact: Vec<ObjectId>,
    /// What reachable objects lead to that is not there.
    pub missing: Vec<ObjectId>,
    /// Refs (`ref NAME`) and pins (`pin NAME`) that do not come back whole.
    pub broken: Vec<String>,
    /// Objects that nothing leads to: left by a crash, or by what was deleted.
    pub unreachable: u64,
    /// Damaged objects that were put aside.
    pub quarantined: u64,
    /// Objects that lie aside now.
    pub aside: u64,
}

impl Report {
    /// Whether every ref and pin comes back whole and no object is damaged.
    pub fn is_clean(&self) -> bool {
        self.damaged.is_empty() && self.missing.is_empty() && self.broken.is_empty()
    }
}

/// How large a store is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Objects.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Of the objects, those that the collector has condemned.
    pub condemned: u64,
    /// Bytes on the medium, where that is known.
    pub footprint: Option<u64>,
    /// Refs in each state.
    pub refs: BTreeMap<State, u64>,
    /// Pins.
    pub pins: u64,
    /// Objects that wait in this process.
    pub waiting: u64,
}

impl Store {
    /// Reads every object, compares it with its name, and follows everything from every ref and
    /// pin. With `quarantine`, damaged objects are put aside, so that an intact copy can be stored
    /// again; [`Store::release`] is the way back.
    ///
    /// Damage is in the report; it is no error.
    ///
    /// # Errors
    /// `CORRUPT` where every object is what was stored and none means anything: the store is encrypted
    /// with another key, or this is no key for it, and nothing was put aside. Those of the store, for
    /// damage in its own structure as well.
    pub fn check(&self, quarantine: bool) -> Result<Report> {
        self.inner.objects.inspect()?;
        let mut report = Report::default();
        let mut last = None;
        let mut sound = HashMap::new();
        loop {
            let page = self.inner.objects.list(last, PAGE)?;
            for info in &page {
                report.objects += 1;
                report.bytes += info.length;
                match self.sound(info.id) {
                    Ok(kind) => {
                        sound.insert(info.id, (kind, false));
                    }
                    Err(error @ Error::Unavailable { .. }) => return Err(error),
                    // Removed since it was listed.
                    Err(Error::NotFound { .. }) => {}
                    Err(error) => {
                        report.damaged.push((info.id, error.to_string()));
                        let object = self.inner.objects.get(info.id);
                        if object.and_then(Object::verify).is_ok() {
                            report.intact.push(info.id);
                        }
                    }
                }
            }
            match page.last() {
                Some(info) => last = Some(info.id),
                None => break,
            }
        }
        // Bytes of files always mean something; that no commit does is the key's fault.
        let commits = sound.values().any(|(kind, _)| *kind == Kind::Commit);
        if !commits && !report.intact.is_empty() {
            return Err(Error::NotAuthentic {
                reason: match self.inner.is_encrypted() {
                    true => "the store is encrypted with another key, or not at all",
                    false => "the store is encrypted, and no key was given",
                },
            });
        }
        for object in self.inner.pending().all() {
            sound.insert(object.id, (object.kind, false));
        }
        for (name, commit) in self.roots()? {
            if !follow(&self.inner, commit, &mut sound, &mut report)? {
                report.broken.push(name);
            }
        }
        report.missing.sort_unstable();
        report.missing.dedup();
        report.unreachable = sound.values().filter(|(_, reached)| !reached).count() as u64;
        if quarantine {
            for (id, _) in &report.damaged {
                if !report.intact.contains(id) {
                    self.inner.objects.quarantine(*id)?;
                    report.quarantined += 1;
                }
            }
        }
        report.aside = self.inner.objects.aside()?;
        Ok(report)
    }

    /// Brings back what was put aside and is what was stored all the same; how many objects.
    ///
    /// # Errors
    /// Those of the store.
    pub fn release(&self) -> Result<u64> {
        self.inner.objects.release()
    }

    /// Whether an object is what was stored, and what kind that is.
    fn sound(&self, id: ObjectId) -> Result<Kind> {
        let object = self.inner.opened(self.inner.objects.get(id)?.verify()?)?;
        targets(&object, None)?;
        Ok(object.kind)
    }

    /// What refs and pins name.
    fn roots(&self) -> Result<Vec<(String, ObjectId)>> {
        let refs = &self.inner.refs;
        let mut roots = Vec::new();
        let mut last: Option<String> = None;
        loop {
            let page = refs.list(&Filter::default(), last.as_deref(), PAGE)?;
            for (name, found) in &page {
                if let (Some(commit), true) = (found.commit, found.state != State::Deleted) {
                    roots.push((format!("ref {name}"), commit));
                }
            }
            match page.into_iter().next_back() {
                Some((name, _)) => last = Some(name),
                None => break,
            }
        }
        let pins = refs.pins()?.into_iter();
        roots.extend(pins.map(|pin| (format!("pin {}", pin.name), pin.commit)));
        Ok(roots)
    }

    /// Reads all of one commit, contents included, and returns how many objects that were.
    ///
    /// # Errors
    /// `CORRUPT` for the first object that is damaged or missing, `NOT_FOUND` for the commit itself.
    pub fn verify(&self, commit: ObjectId) -> Result<u64> {
        let object = self.inner.get(commit)?;
        let mut pending = Commit::decode(&object)?.targets();
        let mut seen = std::collections::HashSet::new();
        while let Some(target) = pending.pop() {
            if !seen.insert(target.id) {
                continue;
            }
            let object = self.inner.get(target.id).map_err(|error| match error {
                Error::NotFound { .. } => Error::damaged(target.id, "it is missing"),
                other => other,
            })?;
            if object.kind != target.kind {
                return Err(Error::damaged(target.id, "it is of another kind"));
            }
            pending.extend(targets(&object, target.claim)?);
        }
        Ok(seen.len() as u64 + 1)
    }

    /// How large the store is.
    ///
    /// # Errors
    /// Those of the store.
    pub fn statistics(&self) -> Result<Statistics> {
        let mut found = Statistics {
            footprint: self.inner.objects.footprint()?,
            pins: self.inner.refs.pins()?.len() as u64,
            waiting: self.inner.pending().all().len() as u64,
            ..Statistics::default()
        };
        let mut last = None;
        loop {
            let page = self.inner.objects.list(last, PAGE)?;
            for info in &page {
                found.objects += 1;
                found.bytes += info.length;
                found.condemned += u64::from(info.condemned_at.is_some());
            }
            match page.last() {
                Some(info) => last = Some(info.id),
                None => break,
            }
        }
        let mut last: Option<String> = None;
        loop {
            let page = self
                .inner
                .refs
                .list(&Filter::default(), last.as_deref(), PAGE)?;
            for (_, found_ref) in &page {
                *found.refs.entry(found_ref.state).or_default() += 1;
            }
            match page.into_iter().next_back() {
                Some((name, _)) => last = Some(name),
                None => return Ok(found),
            }
        }
    }
}

/// Follows a commit through objects that are known to be sound; whether all are there.
fn follow(
    inner: &Inner,
    commit: ObjectId,
    sound: &mut HashMap<ObjectId, (Kind, bool)>,
    report: &mut Report,
) -> Result<bool> {
    let mut whole = true;
    let mut seen = std::collections::HashSet::new();
    let mut pending = vec![Target {
        kind: Kind::Commit,
        id: commit,
        claim: None,
    }];
    while let Some(target) = pending.pop() {
        if !seen.insert(target.id) {
            continue;
        }
        match sound.get_mut(&target.id) {
            Some((kind, reached)) if *kind == target.kind => *reached = true,
            Some(_) => {
                whole = false;
                let reason = "it is of another kind than what leads to it says";
                report.damaged.push((target.id, reason.into()));
                continue;
            }
            None => {
                whole = false;
                if !report.damaged.iter().any(|(id, _)| *id == target.id) {
                    report.missing.push(target.id);
                }
                continue;
            }
        }
        if matches!(target.kind, Kind::Chunk) {
            continue;
        }
        match inner
            .get(target.id)
            .and_then(|object| targets(&object, target.claim))
        {
            Ok(found) => pending.extend(found),
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            Err(error) => {
                whole = false;
                report.damaged.push((target.id, error.to_string()));
            }
        }
    }
    Ok(whole)
}
