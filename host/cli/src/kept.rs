//! Sandboxes that are kept in a store, from the command line.

use crate::arguments::kept::{Create, Diff, Exec, Fork, Restore, Set, Suspend};
use crate::arguments::{Kept, Life, Past, Place};
use crate::execute::{self, Order, go_on, rest};
use crate::publish::{publish, templates};
use crate::report::{changes_json, changes_text, draw, info_json, letter, line, shown, size, verb};
use crate::setup::{self, Wanted};
use crate::{patch, progress, run, transfer};
use anyhow::{Context, bail};
use offshoot::lifecycle::{
    ChangeKind, Collect, CreateOptions, Info, Key, Origin, Promotion, Retention, Sandboxes,
    SandboxesBuilder, SqliteOptions, Store, Update,
};
use offshoot::{Code, Error};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// How long a command waits for another terminal that uses the same sandbox.
const PATIENCE: Duration = Duration::from_secs(30);

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
        Kept::Create(it) => create(it).await,
        Kept::Set(it) => set(it).await,
        Kept::Exec(it) => exec(it).await,
        Kept::Setup(it) => {
            let wanted = Wanted {
                rerun: it.rerun,
                skip: it.skip,
            };
            setup::setup(&it.place, &it.reach, &it.name, wanted).await
        }
        Kept::Fork(it) => fork(it).await,
        Kept::Snapshot(it) => snapshot(&it.place, &it.name, it.label, it.remove).await,
        Kept::Publish(it) => publish(&it.place, &it.name, &it.template, it.alias).await,
        Kept::Templates(it) => templates(&it.place, it.template, it.remove).await,
        Kept::Restore(it) => restore(it).await,
        Kept::Suspend(it) => suspend(it).await,
        Kept::Resume(it) => resume(&it.place, &it.name).await,
        Kept::Ls(it) => {
            let after = it.after.as_deref();
            let infos = match open_to_list(&it.place).await? {
                Some(sandboxes) => sandboxes.list(&it.tag, after, it.limit).await?,
                None => Vec::new(),
            };
            list(&it.place, &infos)
        }
        Kept::Tree(it) => tree(&it.place).await,
        Kept::Diff(it) => diff(it).await,
        Kept::Promote(it) => promote(&it.place, &it.branch).await,
        Kept::Log(it) => log(&it.place, &it.name, it.limit).await,
        Kept::Export(it) => transfer::export(&it.place, &it.name, it.file, it.tar).await,
        Kept::Import(it) => transfer::import(&it.place, &it.name, &it.file, it.tar).await,
        Kept::Rm(it) => remove(&it.place, &it.names).await,
        Kept::Gc(it) => collect(&it.place, it.grace).await,
        Kept::Fsck(it) => fsck(&it.place, it.quarantine, it.release).await,
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
        match self.history {
            Some(Past::All(whole)) => {
                let most = (!whole).then(|| Retention::states(0));
                update = update.history(whole).retention(most.unwrap_or_default());
            }
            Some(Past::States(count)) => update = update.retention(Retention::states(count)),
            Some(Past::Age(age)) => update = update.retention(Retention::age(age)),
            None => {}
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
        let file = self.key_file.clone();
        let Some(file) = file.or_else(|| variable("OFFSHOOT_KEY_FILE")) else {
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
        if let Some(folder) = self.named()? {
            return Ok(folder);
        }
        let data = match variable("XDG_DATA_HOME") {
            Some(data) => data,
            None => {
                let home = std::env::home_dir().context("no home folder: give --store DIR")?;
                home.join(".local/share")
            }
        };
        Ok(data.join("offshoot"))
    }

    /// The folder that the user has named.
    fn named(&self) -> anyhow::Result<Option<PathBuf>> {
        match &self.store {
            Some(folder) if folder.as_os_str().is_empty() => {
                bail!("--store: the folder is missing")
            }
            Some(folder) => Ok(Some(folder.clone())),
            None => Ok(variable("OFFSHOOT_STORE")),
        }
    }
}

/// A variable of the host that names a path; an empty one is as good as none.
fn variable(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os(name).filter(|path| !path.is_empty());
    path.map(PathBuf::from)
}

/// The sandboxes of a store, with what was due for them done.
///
/// # Errors
/// Where there is no store, or it cannot be opened.
pub async fn open(place: &Place) -> anyhow::Result<Sandboxes> {
    Ok(ready(builder(place)?.build()).await)
}

/// The same for a command that makes a sandbox, and the store where there is none.
///
/// # Errors
/// Where the store cannot be made or opened.
pub async fn open_or_make(place: &Place) -> anyhow::Result<Sandboxes> {
    let builder = build(place.folder()?, place, SqliteOptions::default())?;
    Ok(ready(builder.build()).await)
}

/// The same for a command that lists: nobody has made anything yet where the store that nobody named is not there.
///
/// # Errors
/// Those of [`open`].
pub async fn open_to_list(place: &Place) -> anyhow::Result<Option<Sandboxes>> {
    if place.named()?.is_none() && !Store::is_sqlite_at(place.folder()?) {
        return Ok(None);
    }
    open(place).await.map(Some)
}

/// The same for a command that makes room: it also works on a full disk.
async fn open_to_remove(place: &Place) -> anyhow::Result<Sandboxes> {
    let options = SqliteOptions {
        reclaim: true,
        ..SqliteOptions::default()
    };
    Ok(ready(build(existing(place)?, place, options)?.build()).await)
}

/// Does what is due: nobody else does for those who only use this command.
pub async fn ready(sandboxes: Sandboxes) -> Sandboxes {
    // What cannot be done now, in a store that is only read for instance, is due again next time.
    let _ = sandboxes.maintenance().attend_due().await;
    sandboxes
}

/// Describes the sandboxes of a store.
///
/// # Errors
/// Where there is no store, or it cannot be opened.
pub fn builder(place: &Place) -> anyhow::Result<SandboxesBuilder> {
    build(existing(place)?, place, SqliteOptions::default())
}

/// The folder of a store that is there.
fn existing(place: &Place) -> anyhow::Result<PathBuf> {
    let folder = place.folder()?;
    if !Store::is_sqlite_at(&folder) {
        let message = format!(
            "no store is in {}: offshoot create NAME makes one",
            folder.display()
        );
        return Err(Error::new(Code::NotFound, "--store", message).into());
    }
    Ok(folder)
}

fn build(
    folder: PathBuf,
    place: &Place,
    options: SqliteOptions,
) -> anyhow::Result<SandboxesBuilder> {
    let key = place.key()?;
    let store = Store::sqlite_with(&folder, options, key.as_ref());
    let store = store.with_context(|| format!("the store {}", folder.display()))?;
    let told = |what: &str| {
        let _ = writeln!(std::io::stderr(), "offshoot: {what}");
    };
    Ok(Sandboxes::builder(store).patience(PATIENCE).on_wait(told))
}

async fn create(wanted: Create) -> anyhow::Result<u8> {
    let (name, place) = (&wanted.name, &wanted.place);
    let options = options(&wanted.step, wanted.title, wanted.tag)?;
    let origin = match (wanted.from, wanted.template) {
        (Some(point), _) => Origin::point(point),
        (None, Some(version)) => Origin::published(version),
        (None, None) => Origin::template(wanted.setting.builder()?),
    };
    let sandboxes = open_or_make(place).await?;
    sandboxes.create_with(name, origin, options).await?;
    let info = sandboxes.update(name, wanted.life.update()).await?;
    warn(&info)?;
    place.say(&info_json(&info), || format!("{name} is made"))
}

async fn set(wanted: Set) -> anyhow::Result<u8> {
    let mut update = wanted.life.update();
    if let Some(title) = wanted.title {
        update = update.title(title);
    }
    if !wanted.tag.is_empty() {
        update = update.tags(wanted.tag);
    }
    let sandboxes = open(&wanted.place).await?;
    let info = sandboxes.update(&wanted.name, update).await?;
    warn(&info)?;
    wanted.place.say(&info_json(&info), String::new)
}

async fn exec(wanted: Exec) -> anyhow::Result<u8> {
    let Exec { name, place, .. } = wanted;
    let sandboxes = wanted.reach.apply_to_all(builder(&place)?, None)?;
    let sandboxes = ready(sandboxes.build()).await;
    if let Some(number) = wanted.resume {
        return go_on(&sandboxes, &name, number).await;
    }
    let (script, words) = (wanted.script, wanted.words);
    let mut exec = run::request(script.as_deref(), &words, wanted.timeout)?;
    exec.waits = wanted.wait;
    let order = Order {
        exec,
        session: wanted.session,
        is_stdin: script.is_none() && words.first().is_some_and(|word| word == "-"),
        json: place.json,
    };
    execute::execute(&sandboxes, &name, order).await
}

async fn fork(wanted: Fork) -> anyhow::Result<u8> {
    let (branch, place) = (wanted.branch, wanted.place);
    let sandboxes = open(&place).await?;
    let origin = Origin::point(wanted.parent);
    let info = sandboxes.create(&branch, origin).await?;
    place.say(&info_json(&info), || format!("{branch} is made"))
}

async fn restore(wanted: Restore) -> anyhow::Result<u8> {
    let Restore { name, point, place } = wanted;
    let sandboxes = open(&place).await?;
    let commit = sandboxes.snapshots(&name).restore(&point).await?;
    let commit = commit.to_string();
    place.say(&json!({ "commit": commit }), || {
        format!("{name} is at {commit}")
    })
}

async fn suspend(wanted: Suspend) -> anyhow::Result<u8> {
    let Suspend { name, place } = wanted;
    let commit = open(&place).await?.ask_to_suspend(&name).await?.to_string();
    place.say(&json!({ "commit": commit }), || {
        format!("{name} sleeps at {commit}")
    })
}

async fn tree(place: &Place) -> anyhow::Result<u8> {
    let infos = match open_to_list(place).await? {
        Some(sandboxes) => sandboxes.list(&[], None, usize::MAX >> 1).await?,
        None => Vec::new(),
    };
    let documents: Vec<Value> = infos.iter().map(info_json).collect();
    place.say(&Value::Array(documents), || draw(&infos))
}

async fn diff(wanted: Diff) -> anyhow::Result<u8> {
    let (before, after, place) = (&wanted.before, &wanted.after, &wanted.place);
    let sandboxes = open(place).await?;
    let differs = if wanted.patch {
        let work = sandboxes.diff_contents(before, after, patch::LONGEST);
        let changes = progress::during(&progress::waiting("comparing"), work).await?;
        place.say(&patch::document(&changes), || patch::text(&changes))?;
        !changes.is_empty()
    } else {
        let changes = sandboxes.diff(before, after).await?;
        place.say(&changes_json(&changes), || changes_text(&changes))?;
        !changes.is_empty()
    };
    Ok(if differs { DIFFERENT } else { 0 })
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

async fn snapshot(
    place: &Place,
    name: &str,
    label: Option<String>,
    remove: bool,
) -> anyhow::Result<u8> {
    let sandboxes = open(place).await?;
    let Some(label) = label else {
        sandboxes.get(name).await?;
        let all = sandboxes.snapshots(name).list().await?;
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
        if !sandboxes.snapshots(name).remove(&label).await? {
            bail!("{name} has no snapshot {label}");
        }
        return place.say(&json!({ "removed": label }), String::new);
    }
    let made = sandboxes.snapshots(name).take(&label).await?;
    let commit = made.commit.to_string();
    place.say(&json!({ "label": label, "commit": commit }), || {
        format!("{name}@{label} is {commit}")
    })
}

async fn resume(place: &Place, name: &str) -> anyhow::Result<u8> {
    let sandboxes = open(place).await?;
    let lease = sandboxes.lease(name).await?;
    let (receipt, bootup) = (lease.receipt().clone(), lease.bootup().as_str());
    let scripts = lease.sleeping_scripts().await?;
    drop(lease);
    let store = sandboxes.store().clone();
    let commit = receipt.commit;
    let work = tokio::task::spawn_blocking(move || store.verify(commit));
    let objects = progress::during(&progress::waiting("verifying"), work).await??;
    rest(&sandboxes, name).await?;
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
        let lines: Vec<String> = infos.iter().map(|info| line(info, now)).collect();
        lines.join("\n")
    })
}

async fn remove(place: &Place, names: &[String]) -> anyhow::Result<u8> {
    let sandboxes = open_to_remove(place).await?;
    let mut branches = Vec::new();
    for name in names {
        if let Err(error) = sandboxes.get(name).await {
            match error.code() {
                Code::NotFound => bail!("no sandbox is called {name}"),
                _ => return Err(error.into()),
            }
        }
        branches.extend(sandboxes.branches(name).await?);
        sandboxes.delete(name).await?;
    }
    branches.retain(|branch| !names.contains(branch));
    let document = json!({ "deleted": names, "branches": branches });
    place.say(&document, || match branches.is_empty() {
        true => String::new(),
        false => format!("branches of it stay: {}", branches.join(", ")),
    })
}

async fn promote(place: &Place, branch: &str) -> anyhow::Result<u8> {
    let sandboxes = open(place).await?;
    match sandboxes.promote(branch).await? {
        Promotion::Done(changes) => place
            .say(&json!({ "changes": changes_json(&changes) }), || {
                changes_text(&changes)
            }),
        Promotion::Conflicts(conflicts) => {
            let document = conflicts.iter().map(|conflict| {
                let kind = |kind: Option<ChangeKind>| kind.map(|kind| letter(kind).to_string());
                let path = String::from_utf8_lossy(&conflict.path);
                json!({ "path": path, "ours": kind(conflict.ours),
                    "theirs": kind(conflict.theirs) })
            });
            let parent = sandboxes.get(branch).await?.parent;
            let parent = parent.map_or_else(|| "its parent".to_owned(), |parent| parent.name);
            place.say(&json!({ "conflicts": document.collect::<Value>() }), || {
                let lines = conflicts.iter().map(|conflict| {
                    let (ours, theirs) = (verb(conflict.ours), verb(conflict.theirs));
                    let path = shown(&conflict.path);
                    format!("C {path}: {ours} in {parent}, {theirs} in {branch}")
                });
                lines.collect::<Vec<_>>().join("\n")
            })?;
            let count = conflicts.len();
            writeln!(
                std::io::stderr(),
                "offshoot: nothing is brought to {parent}: both changed {count} paths"
            )?;
            Ok(DIFFERENT)
        }
        _ => bail!("an outcome that this command does not know"),
    }
}

async fn log(place: &Place, name: &str, limit: usize) -> anyhow::Result<u8> {
    let entries = open(place).await?.snapshots(name).log(limit).await?;
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
    let sandboxes = open_to_remove(place).await?;
    let maintenance = sandboxes.maintenance();
    let work = async {
        let mut done = maintenance.collect(options.clone()).await?;
        if grace.is_zero() && done.condemned > 0 {
            // Nothing has to wait: what was found now goes now. Times are whole milliseconds.
            tokio::time::sleep(Duration::from_millis(2)).await;
            let second = maintenance.collect(options).await?;
            done.condemned = second.condemned;
            done.kept = second.kept;
            done.removed += second.removed;
            done.removed_bytes += second.removed_bytes;
        }
        anyhow::Ok(done)
    };
    let done = progress::during(&progress::waiting("collecting"), work).await?;
    let store = sandboxes.store().clone();
    let footprint = tokio::task::spawn_blocking(move || store.objects().footprint()).await??;
    let document = json!({ "objects": done.objects, "kept": done.kept,
        "condemned": done.condemned, "removed": done.removed,
        "removed_bytes": done.removed_bytes, "footprint": footprint });
    place.say(&document, || {
        let bytes = size(done.removed_bytes);
        let (removed, condemned, kept) = (done.removed, done.condemned, done.kept);
        let takes = footprint.map_or_else(String::new, |bytes| {
            format!("; the store takes {}", size(bytes))
        });
        format!("removed {removed} objects ({bytes}), condemned {condemned}, kept {kept}{takes}")
    })
}

async fn fsck(place: &Place, quarantine: bool, release: bool) -> anyhow::Result<u8> {
    let maintenance = open(place).await?.maintenance();
    let released = match release {
        true => maintenance.release_quarantined().await?,
        false => 0,
    };
    let work = maintenance.check(quarantine);
    let report = progress::during(&progress::waiting("verifying"), work).await?;
    let damaged = report.damaged.iter();
    let damaged: Vec<String> = damaged
        .map(|(id, reason)| format!("{id}: {reason}"))
        .collect();
    let missing: Vec<String> = report.missing.iter().map(ToString::to_string).collect();
    let document = json!({ "objects": report.objects, "bytes": report.bytes,
        "damaged": damaged, "missing": missing, "broken": report.broken,
        "unreachable": report.unreachable, "quarantined": report.quarantined,
        "aside": report.aside, "released": released });
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
        if released > 0 {
            lines.push(format!("{released} objects are brought back"));
        }
        if report.aside > 0 {
            let aside = report.aside;
            lines.push(format!(
                "{aside} objects lie aside; --release brings back what is whole"
            ));
        }
        lines.push(format!("{objects} objects, {bytes}: {verdict}"));
        lines.join("\n")
    })?;
    Ok(if report.is_clean() { 0 } else { DIFFERENT })
}
