//! What a run of the suite found.

use crate::capabilities::Capabilities;
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// What a run found, step by step.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Report {
    /// What was judged.
    pub subject: String,
    /// What it claims.
    pub capabilities: Capabilities,
    /// The steps in their order.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// What it belongs to: classic, files, exec, escape, capability, life.
    pub area: &'static str,
    /// What it checks.
    pub name: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// How long it took.
    pub duration_ms: u64,
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// It works as the contract says.
    Passed,
    /// It is not claimed, and refused with a typed error or plainly absent.
    Refused,
    /// It checks something that is not claimed; the claim itself is checked by another step.
    NotClaimed,
    /// It does not do what is claimed, or does what is not claimed.
    Failed(String),
}

impl Report {
    pub(super) fn new(subject: String, capabilities: Capabilities) -> Report {
        Report {
            subject,
            capabilities,
            steps: Vec::new(),
        }
    }

    pub(super) fn push(
        &mut self,
        area: &'static str,
        name: &'static str,
        outcome: Outcome,
        started: Instant,
    ) {
        self.steps.push(Step {
            area,
            name,
            outcome,
            duration_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        });
    }

    /// Whether no step failed.
    pub fn passed(&self) -> bool {
        self.failures().next().is_none()
    }

    /// The steps that failed, with what was wrong.
    pub fn failures(&self) -> impl Iterator<Item = (&Step, &str)> {
        self.steps.iter().filter_map(|step| match &step.outcome {
            Outcome::Failed(message) => Some((step, message.as_str())),
            _ => None,
        })
    }

    /// The report as aligned text, a step a line.
    pub fn table(&self) -> String {
        let width = self
            .steps
            .iter()
            .map(|step| step.name.chars().count())
            .max()
            .unwrap_or(0);
        let mut table = String::new();
        for step in &self.steps {
            let (mark, note) = match &step.outcome {
                Outcome::Passed => ("ok", ""),
                Outcome::Refused => ("ok", "refused, as declared"),
                Outcome::NotClaimed => ("--", "not claimed"),
                Outcome::Failed(message) => ("FAILED", message.as_str()),
            };
            // Writing to a string does not fail.
            let _ = writeln!(
                table,
                "{mark:<6} {:<10} {:<width$} {:>6} ms  {note}",
                step.area, step.name, step.duration_ms
            );
        }
        let failed = self.failures().count();
        let _ = writeln!(
            table,
            "{}: {} steps, {failed} failed",
            self.subject,
            self.steps.len()
        );
        table
    }
}
