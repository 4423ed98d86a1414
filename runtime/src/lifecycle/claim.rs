//! The claim of a process on a sandbox that it has awake: made when it wakes, renewed until it sleeps.

use super::amend::{Attempt, Kept};
use super::contend::busy;
use super::event::EventKind;
use super::hold::millis;
use super::lease::{Bootup, Why};
use super::record::is_awake;
use super::service::Sandboxes;
use super::slot::Slot;
use crate::error::{Code, Error, Result};
use offshoot_store::{Claim, ObjectId, Transition};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The shortest time between two renewals of a claim.
const SHORTEST_RENEWAL: Duration = Duration::from_millis(100);

impl Sandboxes {
    /// Renews the claim on a sandbox until it sleeps. Where somebody else has taken it over, it is
    /// ended here.
    pub(super) fn keep_renewed(&self, name: &str, slot: &Arc<Slot>, epoch: u64) {
        let (service, slot) = (Arc::downgrade(&self.0), Arc::downgrade(slot));
        let (name, lease) = (name.to_owned(), self.0.lease);
        tokio::spawn(async move {
            let mut given = 0;
            loop {
                tokio::time::sleep((lease / 3).max(SHORTEST_RENEWAL)).await;
                let (Some(service), Some(slot)) = (service.upgrade(), slot.upgrade()) else {
                    return;
                };
                let sandboxes = Sandboxes(service);
                // Boxed, so that what waits between renewals is small.
                if !Box::pin(sandboxes.renew(slot, &name, epoch, &mut given)).await {
                    return;
                }
            }
        });
    }

    /// Renews a claim once; whether it is to be renewed again.
    async fn renew(&self, slot: Arc<Slot>, name: &str, epoch: u64, given: &mut u64) -> bool {
        let lease = millis(self.0.lease);
        let mut live = slot.live.lock().await;
        if live.as_ref().is_none_or(|live| live.epoch != epoch) {
            return false;
        }
        let used = slot.leases() > 0 || slot.given.load(Ordering::Acquire) != *given;
        *given = slot.given.load(Ordering::Acquire);
        let renew = move |attempt: &mut Attempt| attempt.renew(epoch, lease, used);
        let renewed = self.amend("renew", name, Kept::WhileRunning, renew).await;
        if let (Ok(renewed), Some(live)) = (&renewed, live.as_mut()) {
            // Others may have changed its settings.
            slot.follow(live, &renewed.record);
        }
        let gone =
            |error: &Error| matches!(error.code(), Code::Fenced | Code::NotFound | Code::Conflict);
        match renewed {
            // Where a script has a program in flight, the next renewal tries again.
            Ok(renewed) if renewed.record.asleep && slot.leases() == 0 => {
                let _ = self.suspend_live(name, &slot, &mut live, Why::Asked).await;
            }
            // What another process released is put to sleep by the owner.
            Ok(renewed) if renewed.answer => {
                drop(live);
                let _ = self.attend(name).await;
            }
            Err(error) if gone(&error) && !error.retryable() => {
                if let Some(live) = live.take() {
                    match error.code() {
                        Code::NotFound => slot.set_asleep(),
                        _ => {
                            slot.lose(live.epoch);
                            slot.unreported.store(true, Ordering::Release);
                        }
                    }
                    live.sandbox.cleanup().await;
                }
                return false;
            }
            // Where the store cannot be reached now, it may be next time.
            _ => {}
        }
        true
    }
}

impl Attempt {
    /// Makes `owner` the owner of a sandbox whose commit it has loaded.
    pub(super) fn claim(
        &mut self,
        name: &str,
        commit: ObjectId,
        owner: &str,
        lease: u64,
    ) -> Result<Bootup> {
        if self.found.commit != Some(commit) {
            return Err(busy("lease", name, &self.found));
        }
        let claim = Claim {
            owner: owner.to_owned(),
            lease_until: Some(self.now.saturating_add(lease)),
        };
        match is_awake(self.found.state) {
            false => self.apply(&Transition::Resume(claim), None)?,
            true if self.is_lapsed() => self.take_over(claim)?,
            true => return Err(busy("lease", name, &self.found)),
        }
        let epoch = self.found.epoch;
        self.apply(&Transition::Ready, Some(epoch))?;
        self.record.used = self.now;
        let bootup = match (epoch == self.record.born + 1, self.record.clean) {
            (true, _) => Bootup::Fork,
            (false, true) => Bootup::Clean,
            (false, false) => Bootup::Resume,
        };
        if bootup == Bootup::Clean {
            self.record.setup.reset();
        }
        self.record.clean = false;
        self.record.asleep = false;
        self.record.bootup = Some(bootup);
        self.tell(EventKind::Resumed, Some(bootup.as_str().to_owned()));
        Ok(bootup)
    }

    /// Renews the owner's claim; whether something is due.
    fn renew(&mut self, epoch: u64, lease: u64, used: bool) -> Result<bool> {
        let until = self.now.saturating_add(lease);
        self.apply(&Transition::Renew(until), Some(epoch))?;
        if used {
            self.record.used = self.now;
        }
        self.record.drop_lapsed(self.now);
        Ok(self.record.due(self.found.state, self.now).is_some())
    }
}
