//! What the cases of the suite share.

use super::Subject;
use crate::capabilities::Capabilities;
use crate::environment::Environment;
use crate::error::{Code, Result};
use crate::exec::Exec;
use crate::rules::Rules;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// How many times a case looks for what must become true in the end.
const LOOKS: u32 = 100;
/// The time between two looks.
pub(super) const LOOK: Duration = Duration::from_millis(100);

/// One case: a name that states what holds.
pub(super) struct Case {
    pub(super) area: &'static str,
    pub(super) name: &'static str,
    pub(super) needs: fn(&Capabilities) -> bool,
    pub(super) run: for<'a> fn(&'a Context<'a>) -> Checking<'a>,
}

/// A check under way.
pub(super) type Checking<'a> = Pin<Box<dyn Future<Output = Verdict> + Send + 'a>>;

/// What a check found.
pub(super) type Verdict = std::result::Result<(), Failure>;

/// Why a check failed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    /// The code of the error that it failed with, where there was one.
    pub(super) code: Option<Code>,
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure {
            message,
            code: None,
        }
    }
}

impl From<&str> for Failure {
    fn from(message: &str) -> Failure {
        Failure::from(message.to_owned())
    }
}

/// Fails with `message` unless `holds`.
pub(super) fn demand(holds: bool, message: impl FnOnce() -> String) -> Verdict {
    if holds {
        return Ok(());
    }
    Err(Failure::from(message()))
}

/// Fails unless the operation was refused with one of `codes`.
pub(super) fn refused<T: std::fmt::Debug>(
    what: &str,
    result: Result<T>,
    codes: &[Code],
) -> Verdict {
    match result {
        Err(error) if codes.contains(&error.code()) => Ok(()),
        Err(error) => {
            Err(format!("{what}: expected {codes:?}, got {}: {error}", error.code()).into())
        }
        Ok(value) => Err(format!("{what}: expected {codes:?}, got {value:?}").into()),
    }
}

/// A table of cases: area, what they need, then a name and a body each.
macro_rules! cases {
    ($area:literal, $needs:expr; $($name:literal => $function:ident),* $(,)?) => {
        &[$(Case {
            area: $area,
            name: $name,
            needs: $needs,
            run: |context| Box::pin($function(context)),
        }),*]
    };
}
pub(super) use cases;

/// What a case works with.
pub(super) struct Context<'a> {
    pub(super) subject: &'a dyn Subject,
    /// The environment as the backend made it.
    pub(super) raw: Arc<dyn Environment>,
    /// The same under the rules.
    pub(super) environment: Arc<dyn Environment>,
    pub(super) capabilities: Capabilities,
}

impl<'a> Context<'a> {
    pub(super) fn new(subject: &'a dyn Subject, raw: Arc<dyn Environment>) -> Context<'a> {
        let capabilities = raw.capabilities();
        let environment = Arc::new(Rules::new(Arc::clone(&raw)));
        Context {
            subject,
            raw,
            environment,
            capabilities,
        }
    }

    /// Runs a script that must succeed, and gives its output.
    pub(super) async fn sh(&self, script: &str) -> std::result::Result<String, Failure> {
        sh(&*self.environment, script).await
    }

    /// The path below the working directory.
    pub(super) fn at(&self, path: &str) -> String {
        self.environment.resolve_path(path)
    }
}

/// Runs a script that must succeed, and gives its output.
pub(super) async fn sh(
    environment: &dyn Environment,
    script: &str,
) -> std::result::Result<String, Failure> {
    let result = environment.exec(Exec::new(script)).await?;
    if !result.success() {
        let (code, errors) = (result.exit_code, result.stderr_text());
        return Err(format!("{script}: status {code}: {errors}").into());
    }
    Ok(result.stdout_text().into_owned())
}

/// A script that counts in `file` about every tenth of a second, a minute at most.
pub(super) fn beating(file: &str) -> String {
    format!("i=0; while [ $i -lt 600 ]; do i=$((i+1)); echo $i > {file}; sleep 0.1; done")
}

/// Waits until `file` has a content.
pub(super) async fn started(environment: &dyn Environment, file: &str) -> Verdict {
    for _ in 0..LOOKS {
        match environment.read_file(file).await {
            Ok(text) if !text.is_empty() => return Ok(()),
            _ => tokio::time::sleep(LOOK).await,
        }
    }
    Err(format!("{file} was never written").into())
}

/// Whether `file` stops changing: true as soon as it stood still for two seconds, false where it
/// still changes after about ten. A shorter look would take a busy machine for a stopped process, or
/// for one that goes on.
pub(super) async fn stops(
    environment: &dyn Environment,
    file: &str,
) -> std::result::Result<bool, Failure> {
    let mut last = environment.read_file(file).await?;
    let mut still = 0;
    for _ in 0..LOOKS {
        tokio::time::sleep(LOOK).await;
        let now = environment.read_file(file).await?;
        still = if now == last { still + 1 } else { 0 };
        if still == 20 {
            return Ok(true);
        }
        last = now;
    }
    Ok(false)
}
