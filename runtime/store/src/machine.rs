//! The states of a sandbox and what leads from one to another.

use crate::{Error, ObjectId, Ref, Result, State};

/// A change of a ref that the rules know. Each is one compare-and-swap.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transition {
    /// pending → running. The first owner.
    Start(Claim),
    /// running → suspending, with the name of the operation.
    BeginSuspend(String),
    /// suspending → running: something came in between, or storing failed.
    CancelSuspend,
    /// suspending or running → suspended, with the commit that is durable by now.
    FinishSuspend(ObjectId),
    /// running → running, with a commit that is durable by now.
    Checkpoint(ObjectId),
    /// suspended → resuming, with a new owner.
    Resume(Claim),
    /// resuming → running: the commit is loaded.
    Ready,
    /// resuming → suspended: loading failed and may be tried again.
    AbandonResume,
    /// running, suspending or resuming → resuming, with a new owner, where the lease has expired.
    TakeOver(Claim),
    /// The same where the owner is known to be gone, whose lease may last; see
    /// [`Refs::is_gone`](crate::Refs::is_gone).
    Succeed(Claim),
    /// The owner's lease lasts until this time.
    Renew(u64),
    /// Any but deleted → failed, with a reason.
    Fail(String),
    /// Any → deleted.
    Delete,
    /// A new deadline and new data, in any state but deleted.
    Note {
        /// See [`Ref::deadline`].
        deadline: Option<u64>,
        /// See [`Ref::data`].
        data: Vec<u8>,
    },
}

/// Who becomes the owner.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Claim {
    /// A name that no other node has.
    pub owner: String,
    /// When somebody else may take over, by the store's clock; never where there is none.
    pub lease_until: Option<u64>,
}

impl Ref {
    /// A ref that was never run, with the commit that it was forked from where there is one.
    pub fn pending(commit: Option<ObjectId>, now: u64) -> Ref {
        Ref {
            state: State::Pending,
            commit,
            epoch: 0,
            seq: 0,
            owner: None,
            lease_until: None,
            operation: None,
            reason: None,
            deadline: None,
            created: now,
            changed: now,
            data: Vec::new(),
        }
    }

    /// A ref that is suspended from the beginning: a fork of a stored commit.
    pub fn suspended(commit: ObjectId, now: u64) -> Ref {
        Ref {
            state: State::Suspended,
            ..Ref::pending(Some(commit), now)
        }
    }

    /// What a transition makes of it at time `now`. The owner's transitions need the owner's epoch;
    /// for the others it is checked where it is given.
    ///
    /// # Errors
    /// `FENCED` for another epoch, `CONFLICT` where the state does not allow it.
    pub fn after(&self, transition: &Transition, epoch: Option<u64>, now: u64) -> Result<Ref> {
        use State::*;
        use Transition as T;
        let presented = match transition {
            T::BeginSuspend(_)
            | T::CancelSuspend
            | T::FinishSuspend(_)
            | T::Checkpoint(_)
            | T::Ready
            | T::AbandonResume
            | T::Renew(_) => epoch.unwrap_or(0),
            _ => epoch.unwrap_or(self.epoch),
        };
        if presented != self.epoch {
            return Err(Error::Fenced {
                presented,
                current: self.epoch,
            });
        }
        let mut new = Ref {
            seq: self.seq + 1,
            changed: now,
            ..self.clone()
        };
        match (self.state, transition) {
            (Pending, T::Start(claim)) => new.give(Running, claim),
            (Running, T::BeginSuspend(operation)) => {
                new.state = Suspending;
                new.operation = Some(operation.clone());
            }
            (Suspending, T::CancelSuspend) => new.settle(Running),
            (Suspending | Running, T::FinishSuspend(commit)) => {
                new.commit = Some(*commit);
                new.release(Suspended);
            }
            (Running, T::Checkpoint(commit)) => new.commit = Some(*commit),
            (Suspended, T::Resume(claim)) => new.give(Resuming, claim),
            (Resuming, T::Ready) => new.settle(Running),
            (Resuming, T::AbandonResume) => new.release(Suspended),
            (Running | Suspending | Resuming, T::TakeOver(claim)) => {
                if self.lease_until.is_none_or(|until| until >= now) {
                    return Err(Error::conflict("the owner's lease has not expired"));
                }
                new.give(Resuming, claim);
            }
            (Running | Suspending | Resuming, T::Succeed(claim)) => new.give(Resuming, claim),
            (Running | Suspending | Resuming, T::Renew(until)) => new.lease_until = Some(*until),
            (Pending | Running | Suspending | Suspended | Resuming | Failed, T::Fail(reason)) => {
                new.release(Failed);
                new.reason = Some(reason.clone());
            }
            (_, T::Delete) => {
                new.release(Deleted);
                new.deadline = None;
            }
            (state, T::Note { deadline, data }) if state != Deleted => {
                new.deadline = *deadline;
                new.data.clone_from(data);
            }
            (state, _) => {
                let state = state.name();
                return Err(Error::conflict(format!("it is {state}")));
            }
        }
        Ok(new)
    }

    fn settle(&mut self, state: State) {
        self.state = state;
        self.operation = None;
    }

    fn give(&mut self, state: State, claim: &Claim) {
        self.settle(state);
        self.epoch += 1;
        self.owner = Some(claim.owner.clone());
        self.lease_until = claim.lease_until;
    }

    fn release(&mut self, state: State) {
        self.settle(state);
        self.owner = None;
        self.lease_until = None;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    fn claim(owner: &str, until: u64) -> Claim {
        Claim {
            owner: owner.into(),
            lease_until: Some(until),
        }
    }

    /// Every transition from every state: what the table of states allows, and nothing else.
    #[test]
    fn the_table_of_states() {
        use State::*;
        use Transition as T;
        let commit = ObjectId([7; 32]);
        let note = T::Note {
            deadline: Some(9),
            data: vec![1],
        };
        let owned: &[State] = &[Running, Suspending, Resuming];
        let alive: &[State] = &[Pending, Running, Suspending, Suspended, Resuming, Failed];
        let cases: [(T, &[State], Option<State>); 14] = [
            (T::Start(claim("b", 9)), &[Pending], Some(Running)),
            (T::BeginSuspend("o".into()), &[Running], Some(Suspending)),
            (T::CancelSuspend, &[Suspending], Some(Running)),
            (
                T::FinishSuspend(commit),
                &[Suspending, Running],
                Some(Suspended),
            ),
            (T::Checkpoint(commit), &[Running], Some(Running)),
            (T::Resume(claim("b", 9)), &[Suspended], Some(Resuming)),
            (T::Ready, &[Resuming], Some(Running)),
            (T::AbandonResume, &[Resuming], Some(Suspended)),
            (T::TakeOver(claim("b", 99)), owned, Some(Resuming)),
            (T::Succeed(claim("b", 99)), owned, Some(Resuming)),
            (T::Renew(50), owned, None),
            (T::Fail("why".into()), alive, Some(Failed)),
            (T::Delete, &State::ALL, Some(Deleted)),
            (note, alive, None),
        ];
        for state in State::ALL {
            let old = Ref {
                state,
                epoch: 3,
                seq: 8,
                owner: Some("a".into()),
                lease_until: Some(4),
                ..Ref::pending(None, 1)
            };
            for (transition, from, to) in &cases {
                let new = old.after(transition, Some(3), 5);
                assert_eq!(
                    new.is_ok(),
                    from.contains(&state),
                    "{state:?} {transition:?}"
                );
                let Ok(new) = new else { continue };
                assert_eq!(new.state, to.unwrap_or(state));
                assert_eq!((new.seq, new.changed), (9, 5));
                let claims = matches!(
                    transition,
                    T::Start(_) | T::Resume(_) | T::TakeOver(_) | T::Succeed(_)
                );
                assert_eq!(new.epoch, if claims { 4 } else { 3 });
                let owned = [Running, Suspending, Resuming].contains(&new.state);
                if to.is_some() && !owned {
                    assert_eq!((new.owner, new.lease_until), (None, None));
                }
                let error = old.after(transition, Some(2), 5).unwrap_err();
                assert_eq!(error.code(), "FENCED");
            }
        }
    }

    #[test]
    fn t45_a_lease_that_has_not_expired() {
        let old = Ref::pending(None, 1);
        let running = old
            .after(&Transition::Start(claim("a", 10)), None, 1)
            .unwrap();
        let take = Transition::TakeOver(claim("b", 30));
        assert_eq!(
            running.after(&take, None, 10).unwrap_err().code(),
            "CONFLICT"
        );
        let taken = running.after(&take, None, 11).unwrap();
        assert_eq!((taken.epoch, taken.owner.as_deref()), (2, Some("b")));
        let late = Transition::FinishSuspend(ObjectId::default());
        assert_eq!(
            taken.after(&late, Some(1), 12).unwrap_err().code(),
            "FENCED"
        );
        assert_eq!(taken.after(&late, None, 12).unwrap_err().code(), "FENCED");
    }
}
