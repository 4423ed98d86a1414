//! `offshoot bench-json`: timings of single executions, one JSON object a line.

use crate::system::processor_time;
use anyhow::{Context, bail};
use offshoot::blocking::Sandbox;
use offshoot::{Limits, ShellResult};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

/// How many bytes of the streams an answer carries.
const TAIL: usize = 200;

/// What to measure.
#[derive(Debug, Deserialize)]
struct Request {
    id: String,
    script: String,
    iterations: usize,
    #[serde(default)]
    setup: Option<String>,
    #[serde(default)]
    mode: Mode,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default = "ten")]
    max_seconds: f64,
}

/// What one iteration is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// An execution in one sandbox for all.
    #[default]
    Warm,
    /// An execution in a prepared sandbox of its own.
    Fresh,
    /// Creation and execution.
    Cold,
    /// A fork; the execution in it is not measured.
    Fork,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Answer {
    id: String,
    median_ms: f64,
    p99_ms: f64,
    min_ms: f64,
    cpu_ms: Option<f64>,
    iterations: usize,
    stdout_tail: String,
    stderr_tail: String,
    status: u8,
}

/// One iteration's time and outcome.
type Step = (Duration, ShellResult);

fn ten() -> f64 {
    10.0
}

/// Answers requests until standard input ends.
///
/// # Errors
/// Where a line is no request, or the answer cannot be written.
pub fn serve() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{}",
        serde_json::json!({"name": "offshoot", "version": env!("CARGO_PKG_VERSION")})
    )?;
    out.flush()?;
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?).context("the request")?;
        match measure(&request) {
            Ok(answer) => serde_json::to_writer(&mut out, &answer)?,
            Err(error) => {
                let problem = serde_json::json!({"id": request.id, "error": format!("{error:#}")});
                serde_json::to_writer(&mut out, &problem)?;
            }
        }
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

fn measure(request: &Request) -> anyhow::Result<Answer> {
    let shared = match request.mode {
        Mode::Warm | Mode::Fork => Some(prepared(request)?),
        Mode::Fresh | Mode::Cold => None,
    };
    let step = || -> anyhow::Result<Step> {
        match (&shared, request.mode) {
            (Some(parent), Mode::Fork) => fork(parent, request),
            (Some(sandbox), _) => timed(|| Ok(sandbox.exec(request.script.as_str())?)),
            (None, Mode::Fresh) => {
                let sandbox = prepared(request)?;
                timed(|| Ok(sandbox.exec(request.script.as_str())?))
            }
            (None, _) => timed(|| Ok(Sandbox::new()?.exec(request.script.as_str())?)),
        }
    };
    step()?;
    let (started, cpu) = (Instant::now(), processor_time());
    let mut times = Vec::with_capacity(request.iterations);
    let mut last = None;
    while times.len() < request.iterations {
        let (elapsed, result) = step()?;
        times.push(elapsed);
        last = Some(result);
        if started.elapsed().as_secs_f64() > request.max_seconds && times.len() >= 3 {
            break;
        }
    }
    let used = processor_time().zip(cpu);
    let used = used.map(|(now, before)| now.saturating_sub(before));
    let Some(result) = last else {
        bail!("no iterations asked for")
    };
    times.sort_unstable();
    Ok(Answer {
        id: request.id.clone(),
        median_ms: milliseconds(times[times.len() / 2]),
        p99_ms: milliseconds(times[(times.len() * 99).div_ceil(100).max(1) - 1]),
        min_ms: milliseconds(times[0]),
        cpu_ms: used.map(|used| milliseconds(used) / times.len() as f64),
        iterations: times.len(),
        stdout_tail: tail(&result.stdout),
        stderr_tail: tail(&result.stderr),
        status: result.exit_code,
    })
}

/// A sandbox with the files and the set-up of the request. Limits are raised: nothing is cut off.
fn prepared(request: &Request) -> anyhow::Result<Sandbox> {
    let sandbox = Sandbox::builder().limits(limits()).build_blocking()?;
    for (name, path) in &request.files {
        sandbox.write_file(name, std::fs::read(path).context(path.clone())?)?;
    }
    if let Some(setup) = &request.setup {
        let result = sandbox.exec(setup.as_str())?;
        if result.exit_code != 0 {
            bail!(
                "the set-up ended with {}: {}",
                result.exit_code,
                tail(&result.stderr)
            );
        }
    }
    Ok(sandbox)
}

/// Limits that cut nothing off.
fn limits() -> Limits {
    Limits {
        output: u64::MAX,
        processes: 1_000,
        ..Limits::default()
    }
}

/// Measures the fork, then runs the script in the copy.
fn fork(parent: &Sandbox, request: &Request) -> anyhow::Result<Step> {
    let started = Instant::now();
    let branch = parent.fork();
    let elapsed = started.elapsed();
    Ok((elapsed, branch.exec(request.script.as_str())?))
}

fn timed(run: impl FnOnce() -> anyhow::Result<ShellResult>) -> anyhow::Result<Step> {
    let started = Instant::now();
    let result = run()?;
    Ok((started.elapsed(), result))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn tail(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(TAIL)..]).into_owned()
}
