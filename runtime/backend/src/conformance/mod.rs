//! The suite that every backend passes: what it claims works, what it does not claim is refused.
//!
//! [`classic`] runs the five steps by which an adapter is usually judged. [`run`] runs everything:
//! files, commands, attempts to leave the root, the lifecycle, and each capability in both
//! directions. Results are data ([`Report`]) and a table. [`run_twins`] proves that the suite would
//! fail, and [`measure`] tells how fast the backend is.
//!
//! ```
//! # async fn example(factory: std::sync::Arc<dyn offshoot_backend::Factory>) {
//! use offshoot_backend::{Options, conformance};
//! let subject = conformance::Made::new(factory, Options::default());
//! let report = conformance::run(&subject).await;
//! assert!(report.passed(), "{}", report.table());
//! # }
//! ```

mod abilities;
mod case;
mod commands;
mod escape;
mod files;
mod life;
mod limits;
mod report;
mod speed;
mod twin;

pub use report::{Outcome, Report, Step};
pub use speed::{Speed, measure};
pub use twin::run_twins;

use crate::environment::Environment;
use crate::error::{Code, Error, Result};
use crate::exec::Exec;
use crate::factory::{Factory, Options};
use crate::files::RemoveOptions;
use crate::rules::Rules;
use crate::snapshot::{Reference, Snapshot};
use async_trait::async_trait;
use case::{Context, Failure, Verdict, demand};
use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

/// What is judged: something that makes environments, as the backend itself makes them and without
/// [`Rules`] around them.
#[async_trait]
pub trait Subject: Send + Sync {
    /// The name in the report.
    fn name(&self) -> String;

    /// A fresh sandbox. `wanted` holds limits, ways out and variables that a step needs; the
    /// subject adds its own settings.
    ///
    /// # Errors
    /// As [`Factory::create`].
    async fn open(&self, wanted: Options) -> Result<Arc<dyn Environment>>;

    /// A second holder of a live sandbox; none where the subject has no way to attach.
    async fn attach(&self, reference: &Reference) -> Option<Result<Arc<dyn Environment>>> {
        let _ = reference;
        None
    }

    /// A new sandbox from a snapshot, without the settings of the first; none where the subject
    /// has no way to make one.
    async fn start(&self, snapshot: &Snapshot) -> Option<Result<Arc<dyn Environment>>> {
        let _ = snapshot;
        None
    }
}

/// What a factory makes with these options.
#[derive(Debug, Clone)]
pub struct Made {
    factory: Arc<dyn Factory>,
    options: Options,
}

impl Made {
    /// Judges the sandboxes of `factory` with `options`.
    pub fn new(factory: Arc<dyn Factory>, options: Options) -> Made {
        Made { factory, options }
    }
}

#[async_trait]
impl Subject for Made {
    fn name(&self) -> String {
        self.factory.name().to_owned()
    }

    async fn open(&self, wanted: Options) -> Result<Arc<dyn Environment>> {
        let mut options = self.options.clone();
        options.limits = wanted.limits;
        options.network = wanted.network.or(options.network);
        options.env.extend(wanted.env);
        self.factory.create(options).await
    }

    async fn attach(&self, reference: &Reference) -> Option<Result<Arc<dyn Environment>>> {
        let data = &reference.provider_data;
        Some(self.factory.attach(data, self.options.clone()).await)
    }

    async fn start(&self, snapshot: &Snapshot) -> Option<Result<Arc<dyn Environment>>> {
        Some(self.factory.start(snapshot, self.options.clone()).await)
    }
}

/// Runs the five classic steps, in this order: mkdir, writeFile, readFile, exec, rm.
///
/// They find a wrong working directory, text and bytes that change on the way, commands that are
/// misunderstood, and leftovers. They prove nothing beyond that. A step that the environment does
/// not claim passes when it is refused.
pub async fn classic(environment: Arc<dyn Environment>) -> Report {
    let name = environment.backend().to_owned();
    let environment: Arc<dyn Environment> = Arc::new(Rules::new(environment));
    let mut report = Report::new(name, environment.capabilities());
    add_classic(&mut report, &*environment).await;
    report
}

/// Whether a step is wanted, by its area and its name. The classic steps are taken together, by an
/// empty name.
pub type Wanted<'a> = &'a (dyn Fn(&str, &str) -> bool + Sync);

/// Runs everything on sandboxes of `subject`, and removes them.
pub async fn run(subject: &dyn Subject) -> Report {
    run_only(subject, &|_, _| true).await
}

/// As [`run`], but only the steps whose area and name are `wanted`.
pub async fn run_only(subject: &dyn Subject, wanted: Wanted<'_>) -> Report {
    let raw = match subject.open(Options::default()).await {
        Ok(environment) => environment,
        Err(error) => {
            let mut report = Report::new(subject.name(), crate::Capabilities::NONE);
            report.push(
                "life",
                "open",
                Outcome::Failed(error.to_string()),
                Instant::now(),
            );
            return report;
        }
    };
    let context = Context::new(subject, raw);
    let mut report = Report::new(subject.name(), context.capabilities);
    if wanted("classic", "") {
        add_classic(&mut report, &*context.environment).await;
    }
    let groups = [files::CASES, commands::CASES, escape::CASES];
    for case in groups.into_iter().flatten() {
        if !wanted(case.area, case.name) {
            continue;
        }
        let started = Instant::now();
        let outcome = match (case.needs)(&context.capabilities) {
            true => Outcome::from((case.run)(&context).await),
            false => Outcome::NotClaimed,
        };
        report.push(case.area, case.name, outcome, started);
    }
    abilities::add(&mut report, &context, wanted).await;
    limits::add(&mut report, &context, wanted).await;
    life::add(&mut report, &context, wanted).await;
    let started = Instant::now();
    let ended = context.environment.cleanup().await;
    let outcome = Outcome::from(ended.map_err(Failure::from));
    report.push("life", "the last cleanup", outcome, started);
    report
}

async fn add_classic(report: &mut Report, environment: &dyn Environment) {
    const DIRECTORY: &str = "classic";
    const FILE: &str = "classic/greeting.txt";
    const TEXT: &str = "h\u{e9}llo \u{1f30d}\nsecond line\n";
    let capabilities = environment.capabilities();
    let recursive = RemoveOptions {
        recursive: true,
        force: false,
    };
    let (files, both) = (
        capabilities.filesystem,
        capabilities.filesystem && capabilities.exec,
    );
    step(report, "mkdir", files, async {
        environment.mkdir(DIRECTORY, true).await?;
        Ok(())
    })
    .await;
    step(report, "writeFile", files, async {
        environment.write_file(FILE, TEXT.as_bytes()).await?;
        Ok(())
    })
    .await;
    step(report, "readFile", files, async {
        let text = environment.read_file(FILE).await?;
        demand(text == TEXT, || format!("read {text:?}, wrote {TEXT:?}"))
    })
    .await;
    step(report, "exec", capabilities.exec, async {
        let script = if both {
            "cat classic/greeting.txt; exit 3"
        } else {
            "printf 'h\u{e9}llo \u{1f30d}\nsecond line\n'; exit 3"
        };
        let result = environment.exec(Exec::new(script)).await?;
        let shown = (result.exit_code, result.stdout_text().into_owned());
        demand(shown == (3, TEXT.to_owned()), || {
            format!("status and output are {shown:?}")
        })
    })
    .await;
    step(report, "rm", files, async {
        environment.rm(DIRECTORY, recursive).await?;
        let exists = environment.exists(FILE).await?;
        demand(!exists, || format!("{FILE} is still there"))
    })
    .await;
}

async fn step(
    report: &mut Report,
    name: &'static str,
    claimed: bool,
    run: impl Future<Output = Verdict>,
) {
    let started = Instant::now();
    let outcome = match (claimed, run.await) {
        (true, verdict) => Outcome::from(verdict),
        (false, Err(failure)) if failure.code == Some(Code::Capability) => Outcome::Refused,
        (false, Err(failure)) => Outcome::Failed(format!("refused, but with {}", failure.message)),
        (false, Ok(())) => Outcome::Failed("it is not claimed, and works".to_owned()),
    };
    report.push("classic", name, outcome, started);
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Outcome {
        match verdict {
            Ok(()) => Outcome::Passed,
            Err(failure) => Outcome::Failed(failure.message),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure {
            message: format!("{}: {error}", error.code()),
            code: Some(error.code()),
        }
    }
}
