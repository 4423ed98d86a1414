//! Each capability in both directions: what is claimed works, what is not claimed is refused or
//! plainly absent.

mod commands;
mod states;
mod walls;

use super::Wanted;
use super::case::{Context, Failure};
use super::report::{Outcome, Report};
use crate::environment::Environment;
use crate::error::{Code, Error};
use crate::exec::Exec;
use crate::factory::Options;
use crate::files::RemoveOptions;
use crate::rules::Rules;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

/// What a try of a capability gave.
pub(super) enum Probe {
    Works,
    /// Refused with the code for that.
    Refused,
    /// It neither works nor fails: it has no effect.
    Absent,
    Wrong(String),
}

use Probe::{Absent, Refused, Works};

impl From<Error> for Probe {
    fn from(error: Error) -> Probe {
        let named = error.backend().is_some();
        match error.code() {
            Code::Capability if named => Refused,
            Code::SandboxUnavailable if named && error.operation() == "fork" => Refused,
            code => Probe::Wrong(format!("{code}: {error}")),
        }
    }
}

impl From<Failure> for Probe {
    fn from(failure: Failure) -> Probe {
        match failure.code {
            Some(Code::Capability) => Refused,
            _ => Probe::Wrong(failure.message),
        }
    }
}

impl Probe {
    fn works_if(works: bool) -> Probe {
        if works { Works } else { Absent }
    }

    pub(super) fn judge(self, claimed: bool) -> Outcome {
        match (claimed, self) {
            (true, Works) => Outcome::Passed,
            (true, Refused) => Outcome::Failed("claimed, but refused".to_owned()),
            (true, Absent) => Outcome::Failed("claimed, but it does not work".to_owned()),
            (true, Probe::Wrong(message)) => Outcome::Failed(message),
            (false, Works) => Outcome::Failed("not claimed, but it works".to_owned()),
            (false, Refused | Absent) => Outcome::Refused,
            (false, Probe::Wrong(message)) => {
                Outcome::Failed(format!("not claimed, but not refused either: {message}"))
            }
        }
    }
}

/// A probe under way; both arms are an outcome, `?` ends it early.
type Trying<'a> = Pin<Box<dyn Future<Output = Result<Probe, Probe>> + Send + 'a>>;

/// What a probe works on.
struct Trial<'a> {
    context: &'a Context<'a>,
    /// Under the rules where the capability is claimed, else as the backend made it, so that a
    /// denial is the backend's own.
    environment: Arc<dyn Environment>,
    claimed: bool,
}

/// Tries every claim and adds a step for each.
pub(super) async fn add(report: &mut Report, context: &Context<'_>, wanted: Wanted<'_>) {
    for (name, claimed) in context.capabilities.claims() {
        let Some((probe, own)) = probe(name) else {
            continue;
        };
        if !wanted("capability", name) {
            continue;
        }
        let start = Instant::now();
        let trial = match trial(context, claimed, own).await {
            Ok(trial) => trial,
            Err(error) => {
                report.push(
                    "capability",
                    name,
                    Outcome::Failed(error.to_string()),
                    start,
                );
                continue;
            }
        };
        let (Ok(found) | Err(found)) = probe(&trial).await;
        let mut outcome = found.judge(claimed);
        if own && let Err(error) = trial.environment.cleanup().await {
            outcome = Outcome::Failed(format!("cleanup: {error}"));
        }
        report.push("capability", name, outcome, start);
    }
}

async fn trial<'a>(context: &'a Context<'a>, claimed: bool, own: bool) -> Result<Trial<'a>, Error> {
    let raw = match own {
        true => context.subject.open(Options::default()).await?,
        false => Arc::clone(&context.raw),
    };
    let environment = match claimed {
        true => Arc::new(Rules::new(raw)),
        false => raw,
    };
    Ok(Trial {
        context,
        environment,
        claimed,
    })
}

/// The probe of a claim, and whether it needs a sandbox of its own. Limits have their own steps.
#[allow(clippy::type_complexity, reason = "it is only written here")]
fn probe(name: &str) -> Option<(for<'a> fn(&'a Trial<'a>) -> Trying<'a>, bool)> {
    Some(match name {
        "exec" => (|t| Box::pin(exec(t)), false),
        "filesystem" => (|t| Box::pin(filesystem(t)), false),
        "binary_files" => (|t| Box::pin(binary_files(t)), false),
        "snapshot" => (|t| Box::pin(states::snapshot(t)), true),
        "restore" => (|t| Box::pin(states::restore(t)), true),
        "fork" => (|t| Box::pin(states::fork(t)), true),
        "suspend" => (|t| Box::pin(states::suspend(t)), true),
        "resume" => (|t| Box::pin(states::resume(t)), true),
        "reconnect" => (|t| Box::pin(states::reconnect(t)), true),
        "separate_stderr" => (|t| Box::pin(commands::separate_stderr(t)), false),
        "exec_environment" => (|t| Box::pin(commands::exec_environment(t)), false),
        "exec_directory" => (|t| Box::pin(commands::exec_directory(t)), false),
        "exec_timeout" => (|t| Box::pin(commands::exec_timeout(t)), false),
        "exact_output" => (|t| Box::pin(commands::exact_output(t)), false),
        "stdin" => (|t| Box::pin(commands::stdin(t)), false),
        "streaming" => (|t| Box::pin(commands::streaming(t)), false),
        "cancel" => (|t| Box::pin(commands::cancel(t)), true),
        "background" => (|t| Box::pin(commands::background(t)), true),
        "signals" => (|t| Box::pin(commands::signals(t)), false),
        "terminal" => (|t| Box::pin(commands::terminal(t)), false),
        "ports" => (|t| Box::pin(commands::ports(t)), false),
        "file_policy" => (|t| Box::pin(walls::file_policy(t)), true),
        "command_policy" => (|t| Box::pin(walls::command_policy(t)), true),
        "snapshot_files" => (|t| Box::pin(states::snapshot_files(t)), true),
        "snapshot_settings" => (|t| Box::pin(states::snapshot_settings(t)), false),
        "snapshot_memory" => (|t| Box::pin(states::snapshot_memory(t)), true),
        _ => return None,
    })
}

impl Trial<'_> {
    /// The execution as a backend gets it.
    fn exec(&self, script: impl AsRef<[u8]>) -> Exec {
        Exec::new(script).cwd(self.environment.cwd())
    }

    fn has_files(&self) -> bool {
        self.context.capabilities.filesystem
    }

    fn has_exec(&self) -> bool {
        self.context.capabilities.exec
    }

    fn at(&self, path: &str) -> String {
        self.environment.resolve_path(path)
    }

    async fn write(&self, path: &str, content: &str) -> Result<(), Probe> {
        let path = self.at(path);
        Ok(self
            .environment
            .write_file(&path, content.as_bytes())
            .await?)
    }
}

/// Whether a path of another environment holds this text.
async fn holds(environment: &dyn Environment, path: &str, text: &str) -> Result<(), Probe> {
    let read = environment
        .read_file(&environment.resolve_path(path))
        .await?;
    if read == text {
        return Ok(());
    }
    Err(Probe::Wrong(format!("{path} holds {read:?}, not {text:?}")))
}

async fn exec(t: &Trial<'_>) -> Result<Probe, Probe> {
    let result = t.environment.exec(t.exec("echo probe")).await?;
    Ok(Probe::works_if(result.stdout == b"probe\n"))
}

async fn filesystem(t: &Trial<'_>) -> Result<Probe, Probe> {
    t.write("probe", "text").await?;
    holds(&*t.environment, "probe", "text").await?;
    let path = t.at("probe");
    t.environment.rm(&path, RemoveOptions::default()).await?;
    Ok(Works)
}

async fn binary_files(t: &Trial<'_>) -> Result<Probe, Probe> {
    let all: Vec<u8> = (0..=255).collect();
    let path = t.at("probe-bytes");
    t.environment.write_file(&path, &all).await?;
    let read = t.environment.read_file_buffer(&path).await?;
    Ok(Probe::works_if(read == all))
}
