//! Sandboxes that are kept in a store, from the command line.

use crate::arguments::{Kept, Life, Place};
use crate::publish::{publish, templates};
use crate::report::{age, changes_json, changes_text, draw, info_json, letter, size};
use crate::{patch, progress, run, transfer};
use anyhow::{Context, bail};
use offshoot::lifecycle::{
    ChangeKind, Collect, CreateOptions, Info, Key, Lease, Origin, Promotion, Sandboxes,
    SandboxesBuilder, Store, Update,
};
use offshoot::{Exec, Execution, Stdin};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// How long a command waits for another terminal that uses the same sandbox.
const PATIENCE: Duration = Duration::from_secs(30);

/// The status of `exec` where the sandbox was suspended under the script: `EX_TEMPFAIL`.
const SUSPENDED: u8 = 75;

/// A shorter key could be found by trying.
const SHORTEST_KEY: usize = 16;

/// The status of `diff` and `promote` where there is something to say, and of `fsck` for damage.
const DIFFERENT: u8 = 1;

/// Does what the command line asks for and returns the status to end with.
///
/// # Errors
/// Where it cannot be done.
pub fn run(command: Kept) -> anyhow::Result<u8> {
    let runtime = run::runtime()?;
    let status = runtime.block_on(execute(command));
    runtime.shutdown_background();
    status
}

async fn execute(command: Kept) -> anyhow::Result<u8> {
    match command {
        Kept::Create {
            name,
            from,
            template,
            title,
            tag,
            step,
            life,
            setting,
            place,
        } => {
            let options = options(&step, title, tag)?;
            let origin = match (from, template) {
                (Some(point), _) => Origin::point(point),
                (None, Some(version)) => Origin::published(version),
                (None, None) => Origin::template(setting.builder()?),
            };
            if !setting.mount.is_empty() {
                bail!(
                    "--mount: a folder of the host is not kept; copy it in with exec and standard input"
                );
            }
            create(&place, &name, origin, options, &life).await
        }
        Kept::Set {
            name,
            title,
            tag,
            life,
            place,
        } => {
            let mut update = life.update();
            if let Some(title) = title {
                update = update.title(title);
            }
            if !tag.is_empty() {
                update = update.tags(tag);
            }
            let info = open(&place)?.update(&name, update).await?;
            warn(&info)?;
            place.say(&info_json(&info), String::new)
        }
        Kept::Exec {
            name,
            script,
            words,
            session,
            resume: Some(number),
            place,
            ..
        } if script.is_none() && words.is_empty() && session.is_none() => {
            go_on(&place, &name, number).await
        }
        Kept::Exec {
            name,
            script,
            words,
            session,
            resume: _,
            timeout,
            reach,
            place,
        } => {
            let sandboxes = reach.apply_to_all(builder(&place)?)?.build();
            let exec = run::request(script.as_deref(), &words, timeout)?;
            let script_is_stdin = words.first().is_some_and(|word| word == "-");
            execute_in(
                &sandboxes,
                place.json,
                &name,
                exec,
                session,
                script_is_stdin,
            )
            .await
        }
        Kept::Fork {
            parent,
            branch,
            place,
        } => {
            let info = open(&place)?.create(&branch, Origin::point(parent)).await?;
            place.say(&info_json(&info), || format!("{branch} is made"))
        }
        Kept::Snapshot {
            name,
            label,
            remove,
            place,
        } => snapshot(&place, &name, label, remove).await,
        Kept::Publish {
            name,
            template,
            alias,
            place,
        } => publish(&place, &name, &template, alias).await,
        Kept::Templates {
            template,
            remove,
            place,
        } => templates(&place, template, remove).await,
        Kept::Restore { name, point, place } => {
            let commit = open(&place)?.restore(&name, &point).await?.to_string();
            place.say(&json!({ "commit": commit }), || {
                format!("{name} is at {commit}")
            })
        }
        Kept::Suspend { name, place } => {
            let commit = open(&place)?.ask_to_suspend(&name).await?.to_string();
            place.say(&json!({ "commit": commit }), || {
                format!("{name} sleeps at {commit}")
            })
        }
        Kept::Resume { name, place } => resume(&place, &name).await,
        Kept::Ls {
            tag,
            after,
            limit,
            place,
        } => {
            let infos = open(&place)?.list(&tag, after.as_deref(), limit).await?;
            list(&place, &infos)
        }
        Kept::Tree { place } => {
            let infos = open(&place)?.list(&[], None, usize::MAX >> 1).await?;
            let documents: Vec<Value> = infos.iter().map(info_json).collect();
            place.say(&Value::Array(documents), || draw(&infos))
        }
        Kept::Diff {
            before,
            after,
            patch: true,
            place,
        } => {
            let sandboxes = open(&place)?;
            let work = sandboxes.diff_contents(&before, &after, patch::LONGEST);
            let changes = progress::during(&progress::waiting("comparing"), work).await?;
            place.say(&patch::document(&changes), || patch::text(&changes))?;
            Ok(if changes.is_empty() { 0 } else { DIFFERENT })
        }
        Kept::Diff {
            before,
            after,
            patch: false,
            place,
        } => {
            let changes = open(&place)?.diff(&before, &after).await?;
            place.say(&changes_json(&changes), || changes_text(&changes))?;
            Ok(if changes.is_empty() { 0 } else { DIFFERENT })
        }
        Kept::Promote { branch, place } => promote(&place, &branch).await,
        Kept::Log { name, limit, place } => log(&place, &name, limit).await,
        Kept::Export {
            name,
            file,
            tar,
            place,
        } => transfer::export(&place, &name, file, tar).await,
        Kept::Import {
            name,
            file,
            tar,
            place,
        } => transfer::import(&place, &name, &file, tar).await,
        Kept::Rm { names, place } => {
            let sandboxes = open(&place)?;
            for name in &names {
                if sandboxes.get(name).await.is_err() {
                    bail!("no sandbox is called {name}");
                }
                sandboxes.delete(name).await?;
            }
            place.say(&json!({ "deleted": names }), String::new)
        }
        Kept::Gc { grace, place } => collect(&place, grace).await,
        Kept::Fsck { quarantine, place } => fsck(&place, quarantine).await,
    }
}

impl Life {
    /// What they change.
    fn update(&self) -> Update {
        let mut update = Update::new();
        if let Some(idle) = self.idle {
            update = update.hibernation_timeout(idle.0);
        }
        if let Some(time) = self.ttl {
            update = update.time_to_live(time.0);
        }
        if let Some(history) = self.history {
            update = update.history(history);
        }
        update
    }
}

impl Place {
    /// Prints an answer.
    ///
    /// # Errors
    /// Where standard output takes it not.
    pub fn say(&self, document: &Value, text: impl FnOnce() -> String) -> anyhow::Result<u8> {
        let text = if self.json {
            document.to_string()
        } else {
            text()
        };
        if !text.is_empty() {
            writeln!(std::io::stdout(), "{text}")?;
        }
        Ok(0)
    }

    /// The key of the store, where it is encrypted.
    fn key(&self) -> anyhow::Result<Option<Key>> {
        let variable = std::env::var_os("OFFSHOOT_KEY_FILE").map(PathBuf::from);
        let Some(file) = self.key_file.clone().or(variable) else {
            return Ok(None);
        };
        let secret = std::fs::read(&file).context(file.display().to_string())?;
        let secret = secret.trim_ascii_end();
        if secret.len() < SHORTEST_KEY {
            bail!(
                "{}: a key has at least {SHORTEST_KEY} bytes",
                file.display()
            );
        }
        Ok(Some(Key::derive(secret)))
    }

    /// The folder of the store.
    fn folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.store {
            return Ok(folder.clone());
        }
        if let Some(folder) = std::env::var_os("OFFSHOOT_STORE") {
            return Ok(folder.into());
        }
        let data = match std::env::var_os("XDG_DATA_HOME") {
            Some(data) if !data.is_empty() => PathBuf::from(data),
            _ => {
                let home = std::env::home_dir().context("no home folder: give --store DIR")?;
                home.join(".local/share")
            }
        };
        Ok(data.join("offshoot"))
    }
}

/// The sandboxes of a store.
///
/// # Errors
/// Where the store cannot be opened.
pub fn open(place: &Place) -> anyhow::Result<Sandboxes> {
    Ok(builder(place)?.build())
}

fn builder(place: &Place) -> anyhow::Result<SandboxesBuilder> {
    let folder = place.folder()?;
    let store = match place.key()? {
        Some(key) => Store::sqlite_encrypted(&folder, &key),
        None => Store::sqlite(&folder),
    };
    let store = store.with_context(|| format!("the store {}", folder.display()))?;
    Ok(Sandboxes::builder(store).patience(PATIENCE))
}

async fn create(
    place: &Place,
    name: &str,
    origin: Origin,
    options: CreateOptions,
    life: &Life,
) -> anyhow::Result<u8> {
    let sandboxes = open(place)?;
    sandboxes.create_with(name, origin, options).await?;
    let info = sandboxes.update(name, life.update()).await?;
    warn(&info)?;
    place.say(&info_json(&info), || format!("{name} is made"))
}

/// What a sandbox is made with.
fn options(
    steps: &[String],
    title: Option<String>,
    tags: Vec<String>,
) -> anyhow::Result<CreateOptions> {
    let mut options = CreateOptions::new();
    if let Some(title) = title {
        options = options.title(title);
    }
    for tag in tags {
        options = options.tag(tag);
    }
    for step in steps {
        let Some((name, command)) = step.split_once('=') else {
            bail!("--setup {step}: write NAME=COMMAND");
        };
        options = options.setup_step(name, command);
    }
    Ok(options)
}

/// Says what is odd about the settings of a sandbox.
fn warn(info: &Info) -> anyhow::Result<()> {
    for warning in &info.warnings {
        writeln!(std::io::stderr(), "offshoot: {}: {warning}", info.name)?;
    }
    Ok(())
}

async fn execute_in(
    sandboxes: &Sandboxes,
    as_json: bool,
    name: &str,
    exec: Exec,
    session: Option<String>,
    script_is_stdin: bool,
) -> anyhow::Result<u8> {
    let lease = sandboxes.lease(name).await?;
    lease.label(&exec.text()).await;
    let ran = match session {
        Some(session) => {
            let session = lease.session(&session).await;
            session
                .exec(exec)
                .await
                .map_err(Into::into)
                .and_then(|result| {
                    std::io::stdout().write_all(&result.stdout)?;
                    std::io::stderr().write_all(&result.stderr)?;
                    Ok(result.exit_code)
                })
        }
        None if as_json => run::report(&lease, exec).await,
        None => {
            let running = lease.spawn(exec.stdin(Stdin::Piped))?;
            let input = script_is_stdin.then(tokio::io::empty);
            return stay(sandboxes, lease, running, input).await;
        }
    };
    finish(sandboxes, name, lease, ran).await
}

/// Goes on with a script that sleeps.
async fn go_on(place: &Place, name: &str, number: Option<u64>) -> anyhow::Result<u8> {
    let sandboxes = open(place)?;
    let lease = sandboxes.lease(name).await?;
    let sleeping = lease.sleeping_scripts().await?;
    let id = match (number, &sleeping[..]) {
        (Some(number), _) => number,
        (None, [one]) => one.id,
        (None, all) => {
            let ids: Vec<String> = all.iter().map(|script| script.id.to_string()).collect();
            let found = if ids.is_empty() {
                "none".to_owned()
            } else {
                ids.join(", ")
            };
            drop(lease);
            sandboxes.suspend(name).await?;
            bail!("--resume needs the number of a script that sleeps in {name}: {found}");
        }
    };
    match lease.resume_script(id).await {
        Ok(running) => stay(&sandboxes, lease, running, None::<tokio::io::Empty>).await,
        Err(error) => finish(&sandboxes, name, lease, Err(error.into())).await,
    }
}

/// Stays with a script to its end, or until the sandbox is to be put to sleep.
async fn stay(
    sandboxes: &Sandboxes,
    lease: Lease,
    running: Execution,
    input: Option<impl tokio::io::AsyncRead + Unpin + Send + 'static>,
) -> anyhow::Result<u8> {
    let (name, id) = (lease.name().to_owned(), running.id());
    let mut attended = std::pin::pin!(run::attend(running, input));
    tokio::select! {
        ran = &mut attended => finish(sandboxes, &name, lease, ran).await,
        asked = sandboxes.asked_to_suspend(&name) => {
            asked?;
            drop(lease);
            // What it has written is shown meanwhile.
            let (suspended, ran) = tokio::join!(sandboxes.suspend_patiently(&name), attended);
            suspended.with_context(|| format!("keeping {name}"))?;
            if let Ok(status) = ran {
                return Ok(status);
            }
            let mut stderr = std::io::stderr();
            writeln!(stderr, "offshoot: {name} sleeps; offshoot exec {name} --resume {id} goes on")?;
            Ok(SUSPENDED)
        }
    }
}

/// Keeps what a script changed, however it ended.
async fn finish(
    sandboxes: &Sandboxes,
    name: &str,
    lease: Lease,
    ran: anyhow::Result<u8>,
) -> anyhow::Result<u8> {
    let whole = lease.check();
    drop(lease);
    let kept = sandboxes.suspend(name).await;
    kept.with_context(|| format!("keeping {name}"))?;
    whole?;
    ran
}

async fn snapshot(
    place: &Place,
    name: &str,
    label: Option<String>,
    remove: bool,
) -> anyhow::Result<u8> {
    let sandboxes = open(place)?;
    let Some(label) = label else {
        sandboxes.get(name).await?;
        let all = sandboxes.snapshots(name).await?;
        let document = all.iter().map(|snapshot| {
            json!({ "label": snapshot.label, "commit": snapshot.commit.to_string(),
                "bytes": snapshot.bytes, "files": snapshot.files, "created": snapshot.created })
        });
        let lines = all.iter().map(|snapshot| {
            let size = size(snapshot.bytes);
            format!(
                "{:<24} {:>8} {:>8} files",
                snapshot.label, size, snapshot.files
            )
        });
        let lines: Vec<String> = lines.collect();
        return place.say(&document.collect(), || lines.join("\n"));
    };
    if remove {
        if !sandboxes.remove_snapshot(name, &label).await? {
            bail!("{name} has no snapshot {label}");
        }
        return place.say(&json!({ "removed": label }), String::new);
    }
    let made = sandboxes.snapshot(name, &label).await?;
    let commit = made.commit.to_string();
    place.say(&json!({ "label": label, "commit": commit }), || {
        format!("{name}@{label} is {commit}")
    })
}

async fn resume(place: &Place, name: &str) -> anyhow::Result<u8> {
    let sandboxes = open(place)?;
    let lease = sandboxes.lease(name).await?;
    let (receipt, bootup) = (lease.receipt().clone(), lease.bootup().as_str());
    let scripts = lease.sleeping_scripts().await?;
    drop(lease);
    let store = sandboxes.store().clone();
    let commit = receipt.commit;
    let work = tokio::task::spawn_blocking(move || store.verify(commit));
    let objects = progress::during(&progress::waiting("verifying"), work).await??;
    sandboxes.suspend(name).await?;
    let document = json!({
        "bootup": bootup, "commit": commit.to_string(), "bytes": receipt.bytes,
        "files": receipt.files, "epoch": receipt.epoch, "engine": receipt.engine,
        "objects": objects, "omitted": receipt.omitted.len(),
        "scripts": scripts.iter()
            .map(|script| json!({ "number": script.id, "script": script.script }))
            .collect::<Value>(),
    });
    place.say(&document, || {
        let (bytes, files) = (size(receipt.bytes), receipt.files);
        let mut text =
            format!("{name} is whole: {files} files, {bytes}, {objects} objects, commit {commit}");
        for script in scripts {
            let first = script.script.lines().next().unwrap_or_default();
            text += &format!("\nscript {} sleeps: {first}", script.id);
        }
        text
    })
}

fn list(place: &Place, infos: &[Info]) -> anyhow::Result<u8> {
    let documents = infos.iter().map(info_json).collect();
    place.say(&documents, || {
        let now = std::time::SystemTime::now();
        let now = now
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        let line = |info: &Info| {
            let parent = info.parent.as_ref().map_or("", |parent| &parent.name);
            let age = age(now, info.changed);
            let (state, size) = (info.state.name(), size(info.bytes));
            format!("{:<24} {state:<10} {size:>8} {age:>6}  {parent}", info.name)
        };
        let lines: Vec<String> = infos.iter().map(line).collect();
        lines.join("\n")
    })
}

async fn promote(place: &Place, branch: &str) -> anyhow::Result<u8> {
    match open(place)?.promote(branch).await? {
        Promotion::Done(changes) => place
            .say(&json!({ "changes": changes_json(&changes) }), || {
                changes_text(&changes)
            }),
        Promotion::Conflicts(conflicts) => {
            let path = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
            let document = conflicts.iter().map(|conflict| {
                let kind = |kind: Option<ChangeKind>| kind.map(|kind| letter(kind).to_string());
                json!({ "path": path(&conflict.path), "ours": kind(conflict.ours),
                    "theirs": kind(conflict.theirs) })
            });
            place.say(&json!({ "conflicts": document.collect::<Value>() }), || {
                let lines = conflicts
                    .iter()
                    .map(|conflict| format!("C {}", path(&conflict.path)));
                lines.collect::<Vec<_>>().join("\n")
            })?;
            Ok(DIFFERENT)
        }
        _ => bail!("an outcome that this command does not know"),
    }
}

async fn log(place: &Place, name: &str, limit: usize) -> anyhow::Result<u8> {
    let entries = open(place)?.log(name, limit).await?;
    let document = entries.iter().map(|entry| {
        json!({ "commit": entry.commit.to_string(), "created": entry.created,
            "bytes": entry.bytes, "files": entry.files, "label": entry.label })
    });
    place.say(&document.collect(), || {
        let lines = entries.iter().enumerate().map(|(index, entry)| {
            let (size, files) = (size(entry.bytes), entry.files);
            let label = entry.label.as_deref().unwrap_or_default();
            let label = label.lines().next().unwrap_or_default();
            let line = format!(
                "{name}~{index:<4} {} {size:>8} {files:>8} files  {label}",
                entry.commit
            );
            line.trim_end().to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    })
}

async fn collect(place: &Place, grace: Duration) -> anyhow::Result<u8> {
    let options = Collect {
        grace,
        ..Collect::default()
    };
    let sandboxes = open(place)?;
    let work = sandboxes.collect(options);
    let done = progress::during(&progress::waiting("collecting"), work).await?;
    let document = json!({ "objects": done.objects, "kept": done.kept,
        "condemned": done.condemned, "removed": done.removed,
        "removed_bytes": done.removed_bytes });
    place.say(&document, || {
        let bytes = size(done.removed_bytes);
        let (removed, condemned, kept) = (done.removed, done.condemned, done.kept);
        format!("removed {removed} objects ({bytes}), condemned {condemned}, kept {kept}")
    })
}

async fn fsck(place: &Place, quarantine: bool) -> anyhow::Result<u8> {
    let sandboxes = open(place)?;
    let work = sandboxes.check(quarantine);
    let report = progress::during(&progress::waiting("verifying"), work).await?;
    let damaged = report.damaged.iter();
    let damaged: Vec<String> = damaged
        .map(|(id, reason)| format!("{id}: {reason}"))
        .collect();
    let missing: Vec<String> = report.missing.iter().map(ToString::to_string).collect();
    let document = json!({ "objects": report.objects, "bytes": report.bytes,
        "damaged": damaged, "missing": missing, "broken": report.broken,
        "unreachable": report.unreachable, "quarantined": report.quarantined });
    place.say(&document, || {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(damaged.iter().map(|text| format!("damaged {text}")));
        lines.extend(missing.iter().map(|id| format!("missing {id}")));
        lines.extend(report.broken.iter().map(|name| format!("broken {name}")));
        let verdict = if report.is_clean() {
            "clean"
        } else {
            "damaged"
        };
        let (objects, bytes) = (report.objects, size(report.bytes));
        lines.push(format!("{objects} objects, {bytes}: {verdict}"));
        lines.join("\n")
    })?;
    Ok(if report.is_clean() { 0 } else { DIFFERENT })
}
