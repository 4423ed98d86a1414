//! Limits and the way out: what is claimed is enforced, what is not claimed is refused before
//! anything is made.

use super::Wanted;
use super::abilities::Probe;
use super::case::{Context, sh};
use super::report::{Outcome, Report};
use crate::capabilities::Network;
use crate::environment::Environment;
use crate::error::{Code, Error};
use crate::exec::Exec;
use crate::factory::{Options, ResourceLimits};
use crate::rules::Rules;
use std::time::Instant;
use tokio::net::TcpListener;

/// What the limited sandbox gets.
const MEMORY: u64 = 64 << 20;
const PROCESSES: u32 = 24;
const CPUS: f64 = 0.5;

/// Adds a step for each limit and for the network.
pub(super) async fn add(report: &mut Report, context: &Context<'_>, wanted: Wanted<'_>) {
    let claimed = &context.capabilities;
    let none = ResourceLimits::default();
    let memory = ResourceLimits {
        memory_bytes: Some(MEMORY),
        ..none
    };
    let processes = ResourceLimits {
        processes: Some(PROCESSES),
        ..none
    };
    let cpus = ResourceLimits {
        cpus: Some(CPUS),
        ..none
    };
    for (name, limits, claimed) in [
        ("memory_limit", memory, claimed.memory_limit),
        ("process_limit", processes, claimed.process_limit),
        ("cpu_limit", cpus, claimed.cpu_limit),
    ] {
        if !wanted("capability", name) {
            continue;
        }
        let started = Instant::now();
        let (Ok(found) | Err(found)) = limit(context, name, limits).await;
        report.push("capability", name, found.judge(claimed), started);
    }
    if !wanted("capability", "network") {
        return;
    }
    let started = Instant::now();
    let outcome = match network(context).await {
        Ok(()) => Outcome::Passed,
        Err(message) => Outcome::Failed(message),
    };
    report.push("capability", "network", outcome, started);
}

async fn limit(context: &Context<'_>, name: &str, limits: ResourceLimits) -> Result<Probe, Probe> {
    let options = Options {
        limits,
        ..Options::default()
    };
    let environment = Rules::new(context.subject.open(options).await?);
    if !context.capabilities.exec {
        environment.cleanup().await?;
        return Ok(Probe::Absent);
    }
    let script = match name {
        // tail keeps all of it before it writes anything.
        "memory_limit" => "head -c 300000000 /dev/zero | tail -c 250000000 | wc -c",
        "process_limit" => {
            "i=0; while [ $i -lt 60 ]; do (sleep 2) & i=$((i+1)); done; wait; echo all"
        }
        _ => {
            "cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu/cpu.cfs_quota_us \
             /sys/fs/cgroup/cpu/cpu.cfs_period_us 2>/dev/null | tr '\\n' ' '"
        }
    };
    let result = environment.exec(Exec::new(script).timeout_ms(30_000)).await;
    environment.cleanup().await?;
    let held = match (name, result) {
        ("memory_limit", Ok(result)) => result.stdout_text().trim() != "250000000",
        ("process_limit", Ok(result)) => {
            let errors = result.stderr_text();
            errors.contains("fork") || errors.contains("unavailable") || !result.success()
        }
        ("cpu_limit", Ok(result)) => {
            let shown = result.stdout_text();
            let numbers: Vec<f64> = shown
                .split_whitespace()
                .filter_map(|word| word.parse().ok())
                .collect();
            matches!(numbers[..], [quota, period, ..] if quota > 0.0 && quota <= period * CPUS)
        }
        (_, Err(error)) if matches!(error.code(), Code::Limit | Code::Died) => true,
        (_, Err(error)) => return Err(error.into()),
        _ => false,
    };
    Ok(match held {
        true => Probe::Works,
        false => Probe::Absent,
    })
}

/// The declared way out is the real one, and another one is refused.
async fn network(context: &Context<'_>) -> Result<(), String> {
    let declared = context.capabilities.network;
    for other in [Network::None, Network::Host] {
        if other == declared {
            continue;
        }
        let options = Options {
            network: Some(other),
            ..Options::default()
        };
        match context.subject.open(options).await {
            Err(error) if error.code() == Code::Capability => {}
            Err(error) => return Err(format!("asked for {other}: {error}")),
            Ok(environment) => {
                let got = environment.capabilities().network;
                let _ = environment.cleanup().await;
                if got != other {
                    return Err(format!("asked for {other}, it says {got}"));
                }
            }
        }
    }
    if !context.capabilities.exec {
        return Ok(());
    }
    let reached = reaches_host(context)
        .await
        .map_err(|error| error.to_string())?;
    match (declared, reached) {
        (Network::None | Network::Policy, true) => Err(format!(
            "declared {declared}, but a port of the host is reached"
        )),
        (Network::Host, false) => {
            Err("declared host, but no port of the host is reached".to_owned())
        }
        _ => Ok(()),
    }
}

/// Whether a command inside can connect to a port that listens on the host's loopback.
async fn reaches_host(context: &Context<'_>) -> Result<bool, Error> {
    let failed = |error: std::io::Error| Error::new(Code::Died, "network", error.to_string());
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let script = format!(
        "(exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null \
         || wget -q -T 2 -t 1 -O - http://127.0.0.1:{port}/ 2>/dev/null \
         || nc -w 2 127.0.0.1 {port} </dev/null 2>/dev/null; true"
    );
    let tried = sh(&*context.environment, &script);
    tokio::select! {
        accepted = listener.accept() => return accepted.map(|_| true).map_err(failed),
        _ = tried => {}
    }
    // Who connected last may be in the queue, and the runtime not told of it yet.
    let listener = listener.into_std().map_err(failed)?;
    match listener.accept() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(failed(error)),
    }
}
