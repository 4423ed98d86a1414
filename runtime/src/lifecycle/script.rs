//! Scripts and contexts that sleep with their sandbox.
//!
//! They are kept in a commit among the sessions, under keys that no session has: these begin with
//! NUL. A session whose name does so has another NUL before it.

use super::lease::{Lease, Live};
use crate::error::{Code, Error, Result};
use crate::execution::Execution;
use crate::suspended::Suspended;
use bytes::Bytes;
use offshoot_kernel::Suspender;
use std::collections::BTreeMap;

const PREFIX: &str = "\0script/";
const CONTEXT: &str = "\0context/";

/// The key of a script.
pub(super) fn key(id: u64) -> String {
    format!("{PREFIX}{id}")
}

/// The key of a context.
pub(super) fn context_key(id: &str) -> String {
    format!("{CONTEXT}{id}")
}

/// The contexts among what a commit has, by their ids.
pub(super) fn contexts(kept: &BTreeMap<String, Bytes>) -> Vec<(String, Bytes)> {
    let named = kept.iter();
    let own = named.filter_map(|(key, bytes)| Some((key.strip_prefix(CONTEXT)?, bytes)));
    own.map(|(id, bytes)| (id.to_owned(), bytes.clone()))
        .collect()
}

/// The key of a session.
pub(super) fn session_key(name: &str) -> String {
    match name.starts_with('\0') {
        true => format!("\0{name}"),
        false => name.to_owned(),
    }
}

/// Sessions by name and scripts by number, of what a commit has. What is neither is a later
/// version's, which nobody asks for here.
pub(super) fn split(
    kept: &BTreeMap<String, Bytes>,
) -> (BTreeMap<String, Bytes>, BTreeMap<u64, Bytes>) {
    let (mut sessions, mut scripts) = (BTreeMap::new(), BTreeMap::new());
    for (key, bytes) in kept {
        match key.strip_prefix('\0') {
            None => drop(sessions.insert(key.clone(), bytes.clone())),
            Some(name) if name.starts_with('\0') => {
                sessions.insert(name.to_owned(), bytes.clone());
            }
            Some(_) => {
                let id = key.strip_prefix(PREFIX).and_then(|id| id.parse().ok());
                scripts.extend(id.map(|id: u64| (id, bytes.clone())));
            }
        }
    }
    (sessions, scripts)
}

/// A script as it slept when its sandbox woke.
#[derive(Clone)]
pub(super) struct Sleeping {
    bytes: Bytes,
    /// What tells whether it goes on since.
    resumed: Option<Suspender>,
}

impl Sleeping {
    pub(super) fn new(bytes: Bytes) -> Sleeping {
        let resumed = None;
        Sleeping { bytes, resumed }
    }

    /// What it is, unless it goes on by now. Where resuming it has failed it sleeps as before.
    pub(super) fn bytes(&self) -> Option<&Bytes> {
        let gone_on = self.resumed.as_ref().is_some_and(Suspender::has_begun);
        (!gone_on).then_some(&self.bytes)
    }
}

/// A script that sleeps with its sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SleepingScript {
    /// Its number: [`Execution::id`] when it ran.
    pub id: u64,
    /// Its text.
    pub script: String,
    /// Bytes that it takes in the store.
    pub bytes: u64,
}

fn missing(id: u64) -> Error {
    Error::new(
        Code::NotFound,
        "resume_script",
        format!("no script {id} sleeps"),
    )
}

impl Live {
    /// Whether a script of this number sleeps.
    pub(super) fn sleeps(&self, id: u64) -> bool {
        let script = self.scripts.get(&id);
        script.is_some_and(|script| script.bytes().is_some())
    }

    /// Lets a script go on that sleeps.
    pub(super) fn go_on(&mut self, id: u64) -> Result<Execution> {
        let sandbox = self.sandbox.clone();
        let script = self.scripts.get_mut(&id);
        // One that is about to go on sleeps no longer, unless that fails.
        let asleep =
            script.filter(|script| script.bytes().is_some() && !sandbox.running().contains(id));
        let script = asleep.ok_or_else(|| missing(id))?;
        let suspended = Suspended::from_bytes(&script.bytes)?;
        let running = Execution::resume(sandbox, &suspended, Some(id))?;
        script.resumed = Some(running.suspender().clone());
        Ok(running)
    }
}

impl Lease {
    /// The scripts that were suspended with the sandbox and were not resumed, by number.
    ///
    /// # Errors
    /// `CORRUPT` and `TOO_NEW` for what cannot be read.
    pub async fn sleeping_scripts(&self) -> Result<Vec<SleepingScript>> {
        let live = self.slot.live.lock().await;
        let scripts = live.as_ref().map(|live| live.scripts.clone());
        drop(live);
        let scripts = scripts.unwrap_or_default();
        // One that is about to go on sleeps no longer, unless that fails.
        let running = self.sandbox.running();
        let asleep = scripts.iter().filter(|(id, _)| !running.contains(**id));
        let asleep = asleep.filter_map(|(id, script)| Some((*id, script.bytes()?)));
        let read = |(id, bytes): (u64, &Bytes)| {
            Ok(SleepingScript {
                id,
                script: Suspended::from_bytes(bytes)?.script().into_owned(),
                bytes: bytes.len() as u64,
            })
        };
        asleep.map(read).collect()
    }

    /// Lets a script go on that was suspended with the sandbox; see
    /// [`Sandbox::resume`](crate::Sandbox::resume). From when it goes on it sleeps no longer, and it is
    /// suspended with the sandbox again where it still runs then.
    ///
    /// Where it cannot go on, here or in [`Execution::wait`], it is as if it had not been asked to: it
    /// sleeps with the sandbox, and can be resumed again. So it is where the process ends before
    /// the sandbox's next state is stored.
    ///
    /// # Errors
    /// `NOT_FOUND` where no script of this number sleeps, those of
    /// [`Sandbox::resume`](crate::Sandbox::resume); it goes on sleeping then.
    pub async fn resume_script(&self, id: u64) -> Result<Execution> {
        let mut live = self.slot.live.lock().await;
        live.as_mut().ok_or_else(|| missing(id))?.go_on(id)
    }

    /// Forgets a script that sleeps; whether there was one.
    pub async fn discard_script(&self, id: u64) -> bool {
        let mut live = self.slot.live.lock().await;
        let scripts = live.as_mut().map(|live| &mut live.scripts);
        let removed = scripts.and_then(|scripts| scripts.remove(&id));
        removed.is_some_and(|script| script.bytes().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_sessions_and_scripts_never_meet() {
        let names = [
            "",
            "main",
            "\0script/1",
            "\0context/1",
            "\0",
            "\0\0x",
            "script/1",
        ];
        let mut kept: BTreeMap<String, Bytes> = names
            .iter()
            .map(|name| (session_key(name), Bytes::from(name.as_bytes().to_vec())))
            .collect();
        for id in [0, 1, u64::MAX] {
            kept.insert(key(id), Bytes::from(id.to_string()));
        }
        kept.insert("\0later/1".to_owned(), Bytes::new());
        kept.insert(context_key("0f"), Bytes::from_static(b"0f"));
        assert_eq!(kept.len(), names.len() + 5);
        assert_eq!(
            contexts(&kept),
            [("0f".to_owned(), Bytes::from_static(b"0f"))]
        );
        let (sessions, scripts) = split(&kept);
        assert_eq!(sessions.len(), names.len());
        assert!(
            sessions
                .iter()
                .all(|(name, bytes)| name.as_bytes() == bytes)
        );
        assert_eq!(
            scripts.keys().copied().collect::<Vec<_>>(),
            [0, 1, u64::MAX]
        );
        assert!(
            scripts
                .iter()
                .all(|(id, bytes)| id.to_string().as_bytes() == bytes)
        );
    }
}
