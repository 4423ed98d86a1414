//! Setup: the steps that make a new sandbox, or one that was shut down, ready.

use super::amend::{Attempt, Kept};
use super::event::EventKind;
use super::lease::Bootup;
use super::service::Sandboxes;
use super::slot::Slot;
use crate::error::{Code, Error, Result};
use offshoot_backend::ShellResult;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Bytes of a step's output that are kept with the record; what comes first gives way.
const OUTPUT: usize = 8 << 10;

/// The pause between two looks at a setup that runs.
const PAUSE: Duration = Duration::from_millis(10);

/// How far a setup is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum SetupStatus {
    /// It did not begin.
    #[default]
    Idle,
    /// It runs.
    InProgress,
    /// Every step succeeded or was skipped.
    Finished,
    /// A step failed, and the rest did not run.
    Stopped,
}

/// How a step ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum StepStatus {
    /// It did not run.
    #[default]
    Idle,
    /// Its command ended with status 0.
    Succeeded,
    /// It ended otherwise.
    Failed,
    /// It is not to run.
    Skipped,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SetupStep {
    /// Its name.
    pub name: String,
    /// What runs.
    pub command: String,
    /// How it ended.
    pub status: StepStatus,
    /// The exit status.
    pub exit_code: Option<u8>,
    /// What it wrote to both streams, the last 8 KiB of it.
    pub output: String,
    /// Bytes of output before those.
    pub omitted: u64,
}

/// A setup and how far it is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Setup {
    /// All in all.
    pub status: SetupStatus,
    /// The steps, in order.
    pub steps: Vec<SetupStep>,
}

impl Setup {
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(super) fn push(&mut self, name: String, command: String) {
        self.steps.push(SetupStep {
            name,
            command,
            status: StepStatus::Idle,
            exit_code: None,
            output: String::new(),
            omitted: 0,
        });
    }

    /// Everything is to run again but what is skipped.
    pub(super) fn reset(&mut self) {
        self.status = SetupStatus::Idle;
        for step in &mut self.steps {
            if step.status != StepStatus::Skipped {
                step.status = StepStatus::Idle;
            }
        }
    }

    fn next(&self) -> Option<usize> {
        let waits = |step: &SetupStep| matches!(step.status, StepStatus::Idle | StepStatus::Failed);
        self.steps.iter().position(waits)
    }

    fn failed(&self) -> Option<&SetupStep> {
        let failed = |step: &&SetupStep| step.status == StepStatus::Failed;
        self.steps.iter().find(failed)
    }
}

impl SetupStep {
    fn note(&mut self, result: &ShellResult) {
        self.exit_code = Some(result.exit_code);
        self.status = match result.success() {
            true => StepStatus::Succeeded,
            false => StepStatus::Failed,
        };
        let mut bytes = result.stdout.clone();
        bytes.extend_from_slice(&result.stderr);
        let over = bytes.len().saturating_sub(OUTPUT);
        self.omitted = over as u64;
        self.output = String::from_utf8_lossy(&bytes[over..]).into_owned();
    }
}

/// The setup of one sandbox: how far it is, waiting for it, and mending it. See [`Sandboxes::setup`].
///
/// A setup is for what makes a sandbox ready before anybody works in it: cloning, installing, filling a
/// database. Its [steps](super::CreateOptions::setup_step) run by themselves when the sandbox first wakes, and
/// again after it was shut down. Where one fails, what it wrote is kept, and the step is skipped or all of
/// them run again.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Sandbox, lifecycle::{CreateOptions, Origin, Sandboxes, SetupStatus, Store}};
/// use std::time::Duration;
/// let sandboxes = Sandboxes::open(Store::memory());
/// let options = CreateOptions::new().setup_step("folders", "mkdir work").setup_step("network", "false");
/// sandboxes.create_with("box", Origin::template(Sandbox::builder()), options).await?;
///
/// let setup = sandboxes.setup("box");
/// assert!(setup.wait(Duration::from_secs(600)).await.is_err());
/// assert_eq!(setup.get().await?.status, SetupStatus::Stopped);
/// setup.skip(Some("network")).await?;
/// setup.wait(Duration::from_secs(600)).await?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct SetupControl {
    sandboxes: Sandboxes,
    name: String,
}

impl Sandboxes {
    /// The setup of a sandbox.
    pub fn setup(&self, name: impl Into<String>) -> SetupControl {
        SetupControl {
            sandboxes: self.clone(),
            name: name.into(),
        }
    }

    /// Begins or goes on with a setup that is due after a wake-up of this kind.
    /// Whether there is one.
    pub(super) fn setup_after(&self, name: &str, bootup: Bootup, setup: &Setup) -> bool {
        let due = matches!(setup.status, SetupStatus::Idle | SetupStatus::InProgress);
        let begins = bootup != Bootup::Running && due && !setup.is_empty();
        if begins {
            self.setup(name).start();
        }
        begins
    }
}

impl SetupControl {
    /// Its steps and how far it is.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn get(&self) -> Result<Setup> {
        Ok(self.sandboxes.read(&self.name).await?.1.setup)
    }

    /// Waits until it has gone through. The sandbox is woken, which starts the
    /// setup where it is due.
    ///
    /// # Errors
    /// `DIED` where a step failed: [`Error::output`] has what it wrote; `TIMEOUT`; those of
    /// [`Sandboxes::lease`].
    pub async fn wait(&self, timeout: Duration) -> Result<()> {
        let end = Instant::now() + timeout;
        let _lease = self.sandboxes.lease(&self.name).await?;
        loop {
            let setup = self.get().await?;
            match setup.status {
                _ if setup.is_empty() => return Ok(()),
                SetupStatus::Finished => return Ok(()),
                SetupStatus::Stopped => return Err(stopped(&self.name, &setup)),
                SetupStatus::Idle | SetupStatus::InProgress => {}
            }
            if Instant::now() >= end {
                let message = format!("{}: the setup is not complete", self.name);
                return Err(Error::new(Code::Timeout, "setup", message).with_retryable(true));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until no setup of the sandbox runs that this service has begun, however it ends. Waking a
    /// sandbox begins its setup where it is due, and until it has ended the sandbox cannot be put to
    /// sleep.
    pub async fn settled(&self) {
        let mut setups = self.sandboxes.slot(&self.name).setups.subscribe();
        // The slot is kept by whoever runs a setup.
        let _ = setups.wait_for(|count| *count == 0).await;
    }

    /// Has a step left out from now on, or all of them without a name; what waits for them goes on.
    ///
    /// # Errors
    /// `NOT_FOUND` for the sandbox or the step, those of the store.
    pub async fn skip(&self, step: Option<&str>) -> Result<()> {
        let wanted = step.map(str::to_owned);
        self.sandboxes
            .amend("setup", &self.name, Kept::Durably, move |attempt| {
                let steps = attempt.record.setup.steps.iter_mut();
                let meant = |step: &&mut SetupStep| {
                    wanted.as_ref().is_none_or(|wanted| step.name == *wanted)
                };
                let mut found = false;
                for step in steps.filter(meant) {
                    (step.status, found) = (StepStatus::Skipped, true);
                }
                if !found && wanted.is_some() {
                    let message = "the setup has no such step";
                    return Err(Error::new(Code::NotFound, "setup", message));
                }
                // Who waits from now on waits for what is left.
                let setup = &mut attempt.record.setup;
                if setup.status == SetupStatus::Stopped {
                    setup.status = SetupStatus::Idle;
                }
                Ok(())
            })
            .await?;
        self.start();
        Ok(())
    }

    /// Runs the whole setup again, in the background.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn rerun(&self) -> Result<()> {
        let reset = |attempt: &mut Attempt| {
            attempt.record.setup.reset();
            Ok(())
        };
        self.sandboxes
            .amend("setup", &self.name, Kept::Durably, reset)
            .await?;
        self.start();
        Ok(())
    }

    fn start(&self) {
        // What runs in the background does not keep the service.
        let (service, name) = (Arc::downgrade(&self.sandboxes.0), self.name.clone());
        let begun = Begun::new(self.sandboxes.slot(&name));
        tokio::spawn(async move {
            let _begun = begun;
            if let Some(service) = service.upgrade() {
                // What fails here is in the record, or the sandbox is gone.
                let _ = Box::pin(Sandboxes(service).setup(name).run()).await;
            }
        });
    }

    async fn run(&self) -> Result<()> {
        let (sandboxes, name) = (&self.sandboxes, self.name.as_str());
        let slot = sandboxes.slot(name);
        // One at a time; whoever comes second finds nothing left to do.
        let _turn = slot.setup.lock().await;
        let lease = sandboxes.lease(name).await?;
        loop {
            let begun = sandboxes
                .amend("setup", name, Kept::Durably, |attempt| {
                    let setup = &mut attempt.record.setup;
                    let next = setup.next();
                    let step = next.and_then(|index| setup.steps.get(index)).cloned();
                    if step.is_some() {
                        setup.status = SetupStatus::InProgress;
                    } else if setup.status != SetupStatus::Finished {
                        setup.status = SetupStatus::Finished;
                        attempt.tell(EventKind::SetupFinished, None);
                    }
                    Ok(step)
                })
                .await?;
            let Some(step) = begun.answer else {
                sandboxes.tasks_after(name, Bootup::Clean, &begun.record);
                sandboxes.deliver_later(name);
                return Ok(());
            };
            // Both streams in the order in which they were written.
            let result = lease.exec(format!("exec 2>&1\n{}", step.command)).await;
            let result = match result {
                Ok(result) => result,
                Err(error) => match error.output().cloned() {
                    Some(output) => output,
                    None => return Err(error),
                },
            };
            let stopped = !result.success();
            let noted = sandboxes.amend("setup", name, Kept::Durably, move |attempt| {
                let setup = &mut attempt.record.setup;
                let same = |found: &&mut SetupStep| found.name == step.name;
                if let Some(found) = setup.steps.iter_mut().find(same) {
                    found.note(&result);
                }
                if stopped {
                    setup.status = SetupStatus::Stopped;
                    attempt.tell(EventKind::SetupFailed, Some(step.name.clone()));
                }
                Ok(())
            });
            noted.await?;
            if stopped {
                sandboxes.deliver_later(name);
                return Ok(());
            }
        }
    }
}

/// Counts a setup for as long as it lives.
struct Begun(Arc<Slot>);

impl Begun {
    fn new(slot: Arc<Slot>) -> Begun {
        slot.setups.send_modify(|count| *count += 1);
        Begun(slot)
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.setups.send_modify(|count| *count -= 1);
    }
}

fn stopped(name: &str, setup: &Setup) -> Error {
    let Some(step) = setup.failed() else {
        return Error::new(Code::Died, "setup", format!("{name}: the setup stopped"));
    };
    let exit_code = step.exit_code.unwrap_or(1);
    let message = format!(
        "{name}: the step {} failed with status {exit_code}",
        step.name
    );
    let mut output = ShellResult::new(&step.command, exit_code);
    output.stdout = step.output.clone().into_bytes();
    Error::new(Code::Died, "setup", message).with_output(output)
}
