//! The end of a sandbox.

use super::Wanted;
use super::case::{Context, Verdict, demand, refused};
use super::report::{Outcome, Report};
use crate::error::Code;
use crate::exec::Exec;
use crate::factory::Options;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Adds the steps about cleanup.
pub(super) async fn add(report: &mut Report, context: &Context<'_>, wanted: Wanted<'_>) {
    let name = "cleanup may be repeated, and ends every operation";
    if wanted("life", name) {
        let started = Instant::now();
        let outcome = Outcome::from(twice(context).await);
        report.push("life", name, outcome, started);
    }
    let name = "cleanup ends what runs";
    if wanted("life", name) {
        let started = Instant::now();
        let outcome = match context.capabilities.exec {
            true => Outcome::from(in_flight(context).await),
            false => Outcome::NotClaimed,
        };
        report.push("life", name, outcome, started);
    }
}

async fn twice(context: &Context<'_>) -> Verdict {
    let raw = context.subject.open(Options::default()).await?;
    let claimed = raw.capabilities();
    let path = raw.resolve_path("file");
    if claimed.filesystem {
        raw.write_file(&path, b"x").await?;
    }
    raw.cleanup().await?;
    raw.cleanup().await?;
    let ended = &[Code::SandboxUnavailable];
    if claimed.exec {
        let exec = Exec::new("true").cwd(raw.cwd());
        refused("exec", raw.exec(exec).await, ended)?;
    }
    if claimed.filesystem {
        refused("read", raw.read_file_buffer(&path).await, ended)?;
        refused("write", raw.write_file(&path, b"y").await, ended)?;
        refused("stat", raw.stat(&path).await, ended)?;
        refused("readdir", raw.readdir(raw.cwd()).await, ended)?;
        refused("exists", raw.exists(&path).await, ended)?;
        refused("mkdir", raw.mkdir(&path, true).await, ended)?;
        let options = crate::files::RemoveOptions::default();
        refused("rm", raw.rm(&path, options).await, ended)?;
    }
    if claimed.snapshot {
        refused("snapshot", raw.snapshot(None).await, ended)?;
    }
    Ok(())
}

async fn in_flight(context: &Context<'_>) -> Verdict {
    let raw = context.subject.open(Options::default()).await?;
    let exec = Exec::new("sleep 20; exit 0").cwd(raw.cwd());
    let running = {
        let raw = Arc::clone(&raw);
        tokio::spawn(async move { raw.exec(exec).await })
    };
    tokio::time::sleep(Duration::from_millis(500)).await;
    raw.cleanup().await?;
    let settled = running.await.map_err(|error| error.to_string())?;
    demand(!settled.is_ok_and(|result| result.success()), || {
        "the command went on to its end".to_owned()
    })
}
