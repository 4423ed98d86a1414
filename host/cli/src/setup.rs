//! `offshoot setup`: how far the setup of a kept sandbox is, and having it run again.

use crate::arguments::{Place, Reach};
use crate::execute::{complete, rest};
use crate::kept::{builder, ready};
use crate::report::setup_json;
use offshoot::lifecycle::{Sandboxes, Setup, SetupStatus, StepStatus};

/// The status where a step failed.
const FAILED: u8 = 1;

/// What is to be done about a setup.
pub struct Wanted {
    /// Every step that is not left out runs again.
    pub rerun: bool,
    /// A step is left out from now on, or all of them.
    pub skip: Option<Option<String>>,
}

/// Does it, and shows the setup.
///
/// # Errors
/// Where there is no such sandbox or step, or it cannot be woken.
pub async fn setup(place: &Place, reach: &Reach, name: &str, wanted: Wanted) -> anyhow::Result<u8> {
    let sandboxes = ready(reach.apply_to_all(builder(place)?, None)?.build()).await;
    let Wanted { rerun, skip } = wanted;
    let changes = rerun || skip.is_some();
    if let Some(step) = skip {
        sandboxes.setup(name).skip(step.as_deref()).await?;
    }
    if rerun {
        sandboxes.setup(name).rerun().await?;
    }
    if changes {
        run(&sandboxes, name).await?;
    }
    let setup = sandboxes.setup(name).get().await?;
    place.say(&setup_json(&setup), || lines(&setup))?;
    Ok(match setup.status {
        SetupStatus::Stopped => FAILED,
        _ => 0,
    })
}

/// Runs what is left of a setup; that a step fails is shown with the rest.
async fn run(sandboxes: &Sandboxes, name: &str) -> anyhow::Result<()> {
    let lease = sandboxes.lease(name).await?;
    let done = complete(sandboxes, name).await;
    drop(lease);
    rest(sandboxes, name).await?;
    let stopped = sandboxes.setup(name).get().await?.status == SetupStatus::Stopped;
    match done {
        Err(_) if stopped => Ok(()),
        done => done,
    }
}

fn lines(setup: &Setup) -> String {
    let mut lines = Vec::new();
    for step in &setup.steps {
        let status = match (step.status, step.exit_code) {
            (StepStatus::Succeeded, _) => "done".to_owned(),
            (StepStatus::Failed, Some(code)) => format!("failed with status {code}"),
            (StepStatus::Failed, None) => "failed".to_owned(),
            (StepStatus::Skipped, _) => "left out".to_owned(),
            _ => "to do".to_owned(),
        };
        lines.push(format!("{:<24} {status}", step.name));
        if step.status == StepStatus::Failed {
            lines.extend(step.output.lines().map(|line| format!("    {line}")));
        }
    }
    lines.join("\n")
}
