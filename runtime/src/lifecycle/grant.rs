//! Lifecycle calls from inside a sandbox: a command that a sandbox has only by grant.
//!
//! Inside, it is `lifecycle suspend`, `lifecycle delete` and `lifecycle extend SECONDS`. What it asks for
//! happens when nobody uses the sandbox any more, so the script that asks goes on to its end.

use super::amend::{Attempt, Kept};
use super::hold::{OnLastRelease, millis};
use super::service::{Sandboxes, Service};
use crate::command::Command;
use crate::error::Result;
use offshoot_kernel::Invocation;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Weak;
use std::time::Duration;

/// The name of the command.
pub(crate) const COMMAND: &str = "lifecycle";

/// The longest time that one call may ask for: a sandbox that extends itself for ever is found by
/// the log of its calls, and not by a time that lies beyond everybody's patience.
const LONGEST: Duration = Duration::from_secs(86_400);

/// What the command ends with where the grant does not cover what it was asked.
const REFUSED: u8 = 77;

/// What code inside a sandbox may ask for; see
/// [`CreateOptions::grant`](super::CreateOptions::grant).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Grant {
    /// To be put to sleep.
    Suspend,
    /// To be deleted.
    Delete,
    /// To live longer, and not to be idle.
    Extend,
}

/// The command of one sandbox.
pub(super) fn command(
    service: Weak<Service>,
    name: &str,
    grants: &BTreeSet<Grant>,
) -> (String, Command) {
    let (name, grants) = (name.to_owned(), grants.clone());
    let function = Command::function(move |call: Invocation| {
        let (service, name, grants) = (service.clone(), name.clone(), grants.clone());
        async move { run(call, service, &name, &grants).await }
    });
    (COMMAND.to_owned(), function)
}

async fn run(
    mut call: Invocation,
    service: Weak<Service>,
    name: &str,
    grants: &BTreeSet<Grant>,
) -> u8 {
    let (status, text) = match asked(&call) {
        None => {
            let usage = "usage: lifecycle suspend | delete | extend SECONDS";
            (2, usage.to_owned())
        }
        Some((grant, _)) if !grants.contains(&grant) => {
            (REFUSED, format!("lifecycle: {grant:?} is not granted"))
        }
        Some((grant, time)) => match service.upgrade() {
            None => (1, "lifecycle: the service has ended".to_owned()),
            Some(service) => match Sandboxes(service).ask(name, grant, time).await {
                Ok(()) => return 0,
                Err(error) => (1, format!("lifecycle: {error}")),
            },
        },
    };
    let _ = call.stderr.write_all(format!("{text}\n").as_bytes()).await;
    status
}

fn asked(call: &Invocation) -> Option<(Grant, Duration)> {
    match (call.argument(1)?, call.argument(2)) {
        ("suspend", None) => Some((Grant::Suspend, Duration::ZERO)),
        ("delete", None) => Some((Grant::Delete, Duration::ZERO)),
        ("extend", Some(seconds)) => {
            let time = Duration::from_secs(seconds.parse().ok()?);
            (time <= LONGEST).then_some((Grant::Extend, time))
        }
        _ => None,
    }
}

impl Sandboxes {
    /// Does what code inside has asked for, when nobody uses the sandbox any more.
    async fn ask(&self, name: &str, grant: Grant, time: Duration) -> Result<()> {
        let action = match grant {
            Grant::Suspend => OnLastRelease::Suspend,
            Grant::Delete => OnLastRelease::Delete,
            Grant::Extend => return self.extend(name, time).await,
        };
        let change = move |attempt: &mut Attempt| {
            let record = &mut attempt.record;
            record.asked = Some(action.clone());
            record.release_at = Some(attempt.now);
            Ok(())
        };
        self.amend("lifecycle", name, Kept::Durably, change).await?;
        self.slot(name).attend_when_free();
        Ok(())
    }

    /// Gives a sandbox the time of one more lease.
    async fn extend(&self, name: &str, time: Duration) -> Result<()> {
        let change = move |attempt: &mut Attempt| {
            let more = millis(time);
            let record = &mut attempt.record;
            record.expires = record.expires.map(|end| end.saturating_add(more));
            record.used = attempt.now.saturating_add(more);
            Ok(())
        };
        let extended = self.amend("extend", name, Kept::WhileRunning, change);
        extended.await.map(drop)
    }
}
