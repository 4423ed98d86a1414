//! How fast a backend is, by the same operations on each.

use super::Subject;
use crate::environment::Environment;
use crate::error::Result;
use crate::exec::Exec;
use crate::factory::Options;
use crate::rules::Rules;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most repetitions of an operation.
const MOST: usize = 200;
/// The least, however slow it is.
const LEAST: usize = 5;
/// Beyond the least, an operation is repeated no longer than this.
const ENOUGH: Duration = Duration::from_secs(3);
/// The size of the file.
const FILE: usize = 1 << 20;

/// What one operation took.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Speed {
    /// The operation.
    pub name: &'static str,
    /// The median, in nanoseconds.
    pub median_ns: u64,
    /// The fastest, in nanoseconds.
    pub min_ns: u64,
    /// How often it was measured.
    pub times: usize,
}

/// Measures sandboxes of `subject`, and removes them: creation with a first execution, an execution
/// in a sandbox that had one, a file of 1 MiB written and read, a fork. What a backend does not claim is
/// left out.
///
/// # Errors
/// The first operation's that failed.
pub async fn measure(subject: &dyn Subject) -> Result<Vec<Speed>> {
    let sandbox = open(subject).await?;
    let capabilities = sandbox.capabilities();
    let mut found = Vec::new();
    if capabilities.exec {
        let mut samples = Samples::default();
        while samples.more() {
            let started = Instant::now();
            let fresh = open(subject).await?;
            fresh.exec(Exec::new("echo hi")).await?;
            samples.add(started);
            fresh.cleanup().await?;
        }
        found.push(samples.speed("create and first exec"));
        sandbox.exec(Exec::new("echo hi")).await?;
        let mut samples = Samples::default();
        while samples.more() {
            let started = Instant::now();
            sandbox.exec(Exec::new("echo hi")).await?;
            samples.add(started);
        }
        found.push(samples.speed("warm exec"));
    }
    if capabilities.filesystem {
        let mut content: Vec<u8> = (0..FILE).map(|at| (at * 31 % 251) as u8).collect();
        let (mut written, mut read) = (Samples::default(), Samples::default());
        while written.more() || read.more() {
            content.rotate_left(1);
            let started = Instant::now();
            sandbox.write_file("speed", &content).await?;
            written.add(started);
            let started = Instant::now();
            sandbox.read_file_buffer("speed").await?;
            read.add(started);
        }
        found.push(written.speed("write 1 MiB"));
        found.push(read.speed("read 1 MiB"));
    }
    if capabilities.fork {
        let mut samples = Samples::default();
        while samples.more() {
            let started = Instant::now();
            let branch = sandbox.fork(None).await?;
            samples.add(started);
            branch.cleanup().await?;
        }
        found.push(samples.speed("fork"));
    }
    sandbox.cleanup().await?;
    Ok(found)
}

async fn open(subject: &dyn Subject) -> Result<Arc<dyn Environment>> {
    let raw = subject.open(Options::default()).await?;
    Ok(Arc::new(Rules::new(raw)))
}

#[derive(Default)]
struct Samples {
    taken: Vec<Duration>,
    total: Duration,
}

impl Samples {
    fn more(&self) -> bool {
        let count = self.taken.len();
        count < LEAST || (count < MOST && self.total < ENOUGH)
    }

    fn add(&mut self, started: Instant) {
        let elapsed = started.elapsed();
        self.total += elapsed;
        self.taken.push(elapsed);
    }

    fn speed(mut self, name: &'static str) -> Speed {
        self.taken.sort_unstable();
        let ns = |at: usize| {
            let taken = self.taken.get(at).copied().unwrap_or_default();
            u64::try_from(taken.as_nanos()).unwrap_or(u64::MAX)
        };
        Speed {
            name,
            median_ns: ns(self.taken.len() / 2),
            min_ns: ns(0),
            times: self.taken.len(),
        }
    }
}
