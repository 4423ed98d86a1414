//! Snapshots and what they hold, branches, sleep, and reaching a sandbox again.

use super::super::case::{beating, sh, started, stops};
use super::Probe::{Absent, Works};
use super::{Probe, Trial, holds};
use crate::environment::{Environment, State};
use crate::error::Code;
use crate::factory::Options;
use crate::files::RemoveOptions;
use crate::rules::Rules;
use crate::snapshot::{Reference, Snapshot};
use std::sync::Arc;

pub(super) async fn snapshot(t: &Trial<'_>) -> Result<Probe, Probe> {
    let snapshot = t.environment.snapshot(Some("a label")).await?;
    let backend = t.environment.backend();
    if snapshot.backend != backend || snapshot.label.as_deref() != Some("a label") {
        return Err(Probe::Wrong(format!("it is {snapshot:?}")));
    }
    if t.claimed {
        t.environment.delete_snapshot(&snapshot).await?;
        t.environment.delete_snapshot(&snapshot).await?;
    }
    Ok(Works)
}

/// A state with something of every kind, and a script that destroys it.
const BEFORE: &str = "mkdir -p tree/deep && printf 'a\\377\\0b' > tree/bytes && echo x > tree/deep/x \
     && chmod 750 tree/deep/x && ln -s deep/x tree/link && : > tree/.hidden";
const DESTROY: &str = "echo changed > tree/bytes; rm -rf tree/deep; mv tree/.hidden tree/shown; \
     rm tree/link; mkdir tree/link; echo new > tree/new";
const LISTING: &str = "cd tree && find . | LC_ALL=C sort && od -An -c bytes && cat deep/x \
     && test -x deep/x && readlink link";

pub(super) async fn restore(t: &Trial<'_>) -> Result<Probe, Probe> {
    let environment = &*t.environment;
    if !t.context.capabilities.snapshot {
        let none = Snapshot::new(environment.backend(), "offshoot-none");
        environment.restore(&none).await?;
        return Ok(Works);
    }
    if !t.has_files() {
        let snapshot = environment.snapshot(None).await?;
        environment.restore(&snapshot).await?;
        environment.start(&snapshot).await?.cleanup().await?;
        return Ok(Works);
    }
    let listing = match t.has_exec() {
        true => {
            sh(environment, BEFORE).await?;
            sh(environment, LISTING).await?
        }
        false => String::new(),
    };
    t.write("kept", "before").await?;
    let snapshot = environment.snapshot(None).await?;
    if t.has_exec() {
        sh(environment, DESTROY).await?;
    }
    t.write("kept", "after").await?;
    t.write("added", "after").await?;
    let branch = environment.start(&snapshot).await?;
    holds(&*branch, "kept", "before").await?;
    holds(environment, "kept", "after").await?;
    environment.restore(&snapshot).await?;
    for restored in [environment, &*branch] {
        holds(restored, "kept", "before").await?;
        if restored.exists(&restored.resolve_path("added")).await? {
            return Err(Probe::Wrong("a later file survived".to_owned()));
        }
        if t.has_exec() {
            let now = sh(restored, LISTING).await?;
            if now != listing {
                return Err(Probe::Wrong(format!("{listing} was restored as {now}")));
            }
        }
    }
    branch.cleanup().await?;
    environment.delete_snapshot(&snapshot).await?;
    holds(environment, "kept", "before").await?;
    let gone = environment.restore(&snapshot).await;
    match gone {
        Err(error) if error.code() == Code::NotFound => Ok(Works),
        other => Err(Probe::Wrong(format!("a deleted snapshot: {other:?}"))),
    }
}

pub(super) async fn fork(t: &Trial<'_>) -> Result<Probe, Probe> {
    let environment = &*t.environment;
    if !t.has_files() {
        let branch = environment.fork(None).await?;
        branch.cleanup().await?;
        return Ok(Works);
    }
    if t.claimed {
        for name in ["shared", "dir/renamed", "dir/deleted"] {
            t.write(name, name).await?;
        }
    }
    let (one, two) =
        futures::future::join(environment.fork(Some("one")), environment.fork(Some("two"))).await;
    let (one, two) = (one?, two?);
    let write = |holder: Arc<dyn Environment>, text: &'static str| async move {
        let path = holder.resolve_path("shared");
        holder.write_file(&path, text.as_bytes()).await
    };
    write(Arc::clone(&one), "by one").await?;
    write(Arc::clone(&t.environment), "by the origin").await?;
    let tree = RemoveOptions {
        recursive: true,
        force: false,
    };
    one.rm(&one.resolve_path("dir"), tree).await?;
    holds(&*one, "shared", "by one").await?;
    holds(&*two, "shared", "shared").await?;
    holds(environment, "shared", "by the origin").await?;
    holds(&*two, "dir/deleted", "dir/deleted").await?;
    holds(environment, "dir/deleted", "dir/deleted").await?;
    if t.has_exec() {
        // Through the shell too, by absolute paths, and in the other direction.
        sh(
            &*two,
            "mv dir/renamed \"$PWD/dir/new\" && echo x > \"$(pwd)/late\"",
        )
        .await?;
        holds(environment, "dir/renamed", "dir/renamed").await?;
        sh(environment, "rm -rf dir").await?;
        holds(&*two, "dir/new", "dir/renamed").await?;
        if environment
            .exists(&environment.resolve_path("late"))
            .await?
        {
            return Err(Probe::Wrong("a file of a branch is in the origin".into()));
        }
    }
    let second = one.fork(None).await?;
    one.cleanup().await?;
    holds(&*second, "shared", "by one").await?;
    environment.cleanup().await?;
    holds(&*second, "shared", "by one").await?;
    holds(&*two, "shared", "shared").await?;
    second.cleanup().await?;
    two.cleanup().await?;
    Ok(Works)
}

pub(super) async fn suspend(t: &Trial<'_>) -> Result<Probe, Probe> {
    t.environment.suspend().await?;
    t.environment.suspend().await?;
    let state = t.environment.state().await?;
    if t.context.capabilities.resume {
        t.environment.resume().await?;
    }
    match state {
        State::Suspended => Ok(Works),
        state => Err(Probe::Wrong(format!("after it the state is {state:?}"))),
    }
}

pub(super) async fn resume(t: &Trial<'_>) -> Result<Probe, Probe> {
    let environment = &*t.environment;
    environment.resume().await?;
    if !t.context.capabilities.suspend {
        return Ok(Works);
    }
    if t.has_files() {
        t.write("slept", "text").await?;
    }
    environment.suspend().await?;
    environment.resume().await?;
    environment.resume().await?;
    if t.has_files() {
        holds(environment, "slept", "text").await?;
    }
    if t.has_exec() {
        let awake = sh(environment, "echo awake").await?;
        return Ok(Probe::works_if(awake == "awake\n"));
    }
    Ok(Works)
}

pub(super) async fn reconnect(t: &Trial<'_>) -> Result<Probe, Probe> {
    let environment = &*t.environment;
    let reference = environment.reference().await?;
    let text = reference.to_string();
    if text.parse::<Reference>()? != reference || reference.provider != environment.backend() {
        return Err(Probe::Wrong(format!("the reference is {text}")));
    }
    let Some(attached) = t.context.subject.attach(&reference).await else {
        return Ok(Works);
    };
    let attached = attached?;
    if t.has_files() {
        t.write("from-owner", "text").await?;
        holds(&*attached, "from-owner", "text").await?;
        let path = attached.resolve_path("from-second");
        attached.write_file(&path, b"text").await?;
        attached.cleanup().await?;
        holds(environment, "from-second", "text").await?;
    }
    let Some(Ok(attached)) = t.context.subject.attach(&reference).await else {
        return Err(Probe::Wrong("it cannot be attached to twice".to_owned()));
    };
    environment.cleanup().await?;
    if t.has_files() {
        let late = attached.write_file(&attached.resolve_path("x"), b"").await;
        if !late.is_err_and(|error| error.code() == Code::SandboxUnavailable) {
            let message = "an attachment outlives the owner's cleanup";
            return Err(Probe::Wrong(message.to_owned()));
        }
    }
    let bad = Reference::new(environment.backend(), "\u{0}no such/\u{1f30d}");
    match t.context.subject.attach(&bad).await {
        Some(Err(error)) if matches!(error.code(), Code::Invalid | Code::NotFound) => Ok(Works),
        other => Err(Probe::Wrong(format!("malformed data gave {other:?}"))),
    }
}

pub(super) async fn snapshot_files(t: &Trial<'_>) -> Result<Probe, Probe> {
    if !t.context.capabilities.restore || !t.has_files() {
        return Ok(Absent);
    }
    t.write("captured", "text").await?;
    let snapshot = t.environment.snapshot(None).await?;
    let branch = t.environment.start(&snapshot).await?;
    let found = branch.exists(&branch.resolve_path("captured")).await?;
    branch.cleanup().await?;
    t.environment.delete_snapshot(&snapshot).await?;
    Ok(Probe::works_if(found))
}

pub(super) async fn snapshot_settings(t: &Trial<'_>) -> Result<Probe, Probe> {
    if !t.context.capabilities.restore || !t.has_exec() {
        return Ok(Absent);
    }
    let options = Options {
        env: vec![("OFFSHOOT_PROBE".to_owned(), "kept".to_owned())],
        ..Options::default()
    };
    let origin = Rules::new(t.context.subject.open(options).await?);
    let snapshot = origin.snapshot(None).await?;
    let Some(started) = t.context.subject.start(&snapshot).await else {
        origin.cleanup().await?;
        return Ok(Absent);
    };
    let branch = Rules::new(started?);
    let shown = sh(&branch, "echo \"$OFFSHOOT_PROBE\"").await?;
    branch.cleanup().await?;
    origin.delete_snapshot(&snapshot).await?;
    origin.cleanup().await?;
    Ok(Probe::works_if(shown == "kept\n"))
}

pub(super) async fn snapshot_memory(t: &Trial<'_>) -> Result<Probe, Probe> {
    let claims = &t.context.capabilities;
    if !claims.restore || !claims.streaming || !t.has_files() {
        return Ok(Absent);
    }
    let running = match claims.background {
        // It need not be able to capture a command whose streams are held outside.
        true => {
            let script = format!("({}) </dev/null >/dev/null 2>&1 &", beating("beat"));
            t.environment.exec(t.exec(script)).await?;
            None
        }
        false => Some(t.environment.spawn(t.exec(beating("beat"))).await?),
    };
    started(&*t.environment, &t.at("beat")).await?;
    let snapshot = t.environment.snapshot(None).await?;
    let branch = t.environment.start(&snapshot).await?;
    let goes_on = !stops(&*branch, &branch.resolve_path("beat")).await?;
    drop(running);
    branch.cleanup().await?;
    t.environment.delete_snapshot(&snapshot).await?;
    Ok(Probe::works_if(goes_on))
}
