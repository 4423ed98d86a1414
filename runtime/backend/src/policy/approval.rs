//! Who is asked before something happens.

use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;

/// Decides about operations that a [`Policy`](super::Policy) wants approved: a person, or a program.
///
/// The operation waits for the answer; where it takes too long, it is refused.
#[async_trait]
pub trait Approver: Send + Sync + 'static {
    /// Whether this may happen.
    async fn decide(&self, approval: &Approval) -> Decision;
}

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Approval {
    /// The backend.
    pub backend: String,
    /// The operation: `exec`, `write_file` …
    pub operation: &'static str,
    /// The script, the path, or the words of a command.
    pub subject: String,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// It may.
    Approve,
    /// It may not, for this reason, which the caller sees.
    Deny(String),
}

impl Approval {
    pub(super) fn new(backend: &str, operation: &'static str, subject: &str) -> Approval {
        Approval {
            backend: backend.to_owned(),
            operation,
            subject: subject.to_owned(),
        }
    }
}

/// Where operations wait for their answer.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) backend: String,
    pub(super) approver: Option<Arc<dyn Approver>>,
    pub(super) patience: Duration,
}

impl Desk {
    /// Waits for the answer; why it may not happen, where it may not.
    pub(super) async fn refusal(&self, operation: &'static str, subject: &str) -> Option<String> {
        let Some(approver) = &self.approver else {
            return Some(format!(
                "{subject}: it needs an approval, and nobody gives any"
            ));
        };
        let approval = Approval::new(&self.backend, operation, subject);
        match tokio::time::timeout(self.patience, approver.decide(&approval)).await {
            Ok(Decision::Approve) => None,
            Ok(Decision::Deny(reason)) => Some(format!("{subject}: not approved: {reason}")),
            Err(_) => {
                let patience = self.patience.as_millis();
                Some(format!("{subject}: no answer within {patience} ms"))
            }
        }
    }
}
