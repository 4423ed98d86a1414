//! Building a template step by step.

use super::super::endpoint::Endpoint;
use super::super::entry::Entry;
use super::super::failure::{Failure, Result};
use super::super::files::Account;
use super::super::record::Start;
use super::templates::{Build, Fault};
use offshoot::{Exec, Sandbox};
use offshoot_vfs::{Caller, Kind, Random, SystemRandom};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// The images that stand for the template `base`.
const BASE: [&str; 2] = ["e2bdev/base", "e2bdev/base:latest"];

/// The longest time of one step, in milliseconds.
const STEP: u64 = 600_000;

/// The longest time of a build.
const BUILD: Duration = Duration::from_secs(3_600);

/// Where an archive is unpacked from, and where to.
const ARCHIVE: &str = "/tmp/.template.tar";
const UNPACKED: &str = "/tmp/.template";

/// The first half of `COPY`: the archive in a directory of its own.
const UNPACK: &str = r#"mkdir -p "$3" && tar "$1" -x -f "$2" -C "$3" && rm "$2""#;

/// The other half, as Docker has it: of a directory what is in it, and a file under its own name where the
/// destination is a directory.
const COPY: &str = r#"
set -e
cd "$1"
source=$2 destination=$3 mode=$4
shopt -s nullglob dotglob
count=0 IFS=
for item in $source; do
  count=$((count + 1))
  [ -z "$mode" ] || chmod -R "$mode" "$item"
  if [ -d "$item" ]; then
    mkdir -p "$destination"
    cp -a "$item/." "$destination/"
  else
    cp -a "$item" "$destination"
  fi
done
cd / && rm -rf "$1"
[ $count -gt 0 ] || { echo "COPY $source: there is no such file" >&2; exit 1; }
"#;

/// How a gzip file begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What a template is made of.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Plan {
    from_image: Option<String>,
    from_template: Option<String>,
    start_cmd: Option<String>,
    ready_cmd: Option<String>,
    steps: Vec<Step>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Step {
    r#type: String,
    args: Vec<String>,
    files_hash: Option<String>,
}

impl Plan {
    /// Refuses what cannot be built, before anything is.
    pub(super) fn check(&self) -> Result<()> {
        if let Some(image) = self
            .from_image
            .as_deref()
            .filter(|image| !BASE.contains(image))
        {
            let message = format!(
                "the image {image:?} cannot be used: sandboxes here are no containers. Start from \
                 from_base_image() or from_template(NAME), and add files, variables and commands; what \
                 needs an image needs a backend with containers, such as docker or gvisor"
            );
            return Err(Failure::invalid(message));
        }
        for step in &self.steps {
            step.check()?;
        }
        Ok(())
    }

    fn template(&self) -> &str {
        self.from_template.as_deref().unwrap_or("base")
    }
}

impl Step {
    fn check(&self) -> Result<()> {
        let user = match self.r#type.as_str() {
            "COPY" => self.args.get(2),
            "RUN" => self.args.get(1),
            "USER" => self.args.first(),
            "ENV" | "WORKDIR" => None,
            other => {
                let message =
                    format!("{other} is not offered here: steps are COPY, ENV, RUN, USER, WORKDIR");
                return Err(Failure::invalid(message));
            }
        };
        let user = user
            .and_then(|user| user.split(':').next())
            .unwrap_or_default();
        match user {
            "" | "user" => Ok(()),
            other => {
                let message = format!(
                    "{} as {other:?} is not offered here: everything runs as \"user\". Commands that need \
                     root, such as apt-get, change a system that sandboxes do not have: give the server what \
                     they would install with --command NAME=FILE.wasm, or copy files",
                    self.r#type
                );
                Err(Failure::invalid(message))
            }
        }
    }

    fn argument(&self, number: usize) -> &str {
        self.args
            .get(number)
            .map(String::as_str)
            .unwrap_or_default()
    }
}

/// Runs a build to its end, and leaves the template as a snapshot.
pub(super) async fn run(
    at: &Endpoint,
    build: &Build,
    plan: &Plan,
) -> std::result::Result<(), Fault> {
    let whole = |failure: Failure| Fault {
        message: failure.message().to_owned(),
        step: None,
    };
    let (origin, mut record) = at.origin(plan.template(), BUILD).map_err(whole)?;
    record.template.clone_from(&build.name);
    let entry = at.start(origin, record).await.map_err(whole)?;
    let done = steps(at, &entry, build, plan).await;
    let kept = match done {
        Ok(()) => at
            .keep(&entry, Some(build.name.clone()))
            .await
            .map(drop)
            .map_err(whole),
        Err(fault) => Err(fault),
    };
    // What it ran in is of no use any more; at the end of its time it goes anyway.
    let _ = at.kill(&entry).await;
    kept
}

async fn steps(
    at: &Endpoint,
    entry: &Arc<Entry>,
    build: &Build,
    plan: &Plan,
) -> std::result::Result<(), Fault> {
    let mut start = entry.record().start.unwrap_or_default();
    for (number, step) in plan.steps.iter().enumerate() {
        build.log("info", format!("{} {}", step.r#type, step.args.join(" ")));
        let done = take(at, entry, (build, step), &mut start).await;
        done.map_err(|failure| Fault {
            message: failure.message().to_owned(),
            step: Some((number + 1).to_string()),
        })?;
    }
    start.command = plan.start_cmd.clone().unwrap_or(start.command);
    start.ready = plan.ready_cmd.clone().unwrap_or(start.ready);
    let is_used = start != Start::default();
    entry.change(|record| record.start = is_used.then_some(start));
    let begun = async {
        at.begin(entry).await?;
        at.ready(entry).await
    };
    begun.await.map_err(|failure| Fault {
        message: failure.message().to_owned(),
        step: Some("finalize".to_owned()),
    })
}

/// Takes one step.
async fn take(
    at: &Endpoint,
    entry: &Arc<Entry>,
    (build, step): (&Build, &Step),
    start: &mut Start,
) -> Result<()> {
    let awake = at.enter(entry).await?;
    let sandbox = awake.sandbox().clone();
    drop(awake);
    let account = Account::find(&sandbox, None)?;
    let directory = match start.directory.is_empty() {
        true => account.home.clone(),
        false => start.directory.clone(),
    };
    let within = |path: &str| match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{directory}/{path}"),
    };
    match step.r#type.as_str() {
        "ENV" => {
            let pairs = step.args.chunks_exact(2);
            let pairs = pairs.map(|pair| (pair[0].clone(), pair[1].clone()));
            entry.change(|record| record.envs.extend(pairs));
            Ok(())
        }
        "WORKDIR" => {
            let path = sandbox.resolve_path(&within(step.argument(0)));
            account.create_directories(sandbox.vfs(), &path)?;
            start.directory = path;
            Ok(())
        }
        "COPY" => {
            let hash = step.files_hash.as_deref().unwrap_or_default();
            let archive = build.archive(hash);
            let missing = || Failure::invalid("the files of this step were not sent");
            let archive = archive.ok_or_else(missing)?;
            let (source, destination) = (step.argument(0), within(step.argument(1)));
            let vfs = sandbox.vfs();
            vfs.write_file(
                &Caller::ROOT,
                vfs.root(),
                ARCHIVE.as_bytes(),
                &archive,
                0o644,
            )
            .map_err(|error| Failure::file(ARCHIVE, error))?;
            account.own(vfs, ARCHIVE)?;
            let flag = match archive.starts_with(&GZIP) {
                true => "-z",
                false => "-p",
            };
            let unpack = Exec::new(UNPACK).name("COPY");
            let unpack = unpack.arguments([flag, ARCHIVE, UNPACKED]);
            finish(&sandbox, build, unpack).await?;
            prepare(&sandbox, &account, (source, &destination))?;
            let words = [UNPACKED, source, &destination, step.argument(3)];
            let copy = Exec::new(COPY).name("COPY").arguments(words);
            finish(&sandbox, build, copy).await
        }
        "RUN" => {
            let record = entry.record();
            let exec = Exec::new(step.argument(0)).name("RUN").cwd(directory);
            let exec = record
                .envs
                .iter()
                .fold(exec, |exec, (name, value)| exec.env(name, value));
            finish(&sandbox, build, exec).await
        }
        _ => Ok(()),
    }
}

/// Makes the directory that something is copied into, wherever it is: only root may make some of them.
fn prepare(
    sandbox: &Sandbox,
    account: &Account,
    (source, destination): (&str, &str),
) -> Result<()> {
    let vfs = sandbox.vfs();
    let unpacked = format!("{UNPACKED}/{source}");
    let found = vfs.stat(&Caller::ROOT, vfs.root(), unpacked.as_bytes(), true);
    let is_directory = found.is_ok_and(|found| found.kind == Kind::Directory);
    let path = match destination.strip_suffix('/') {
        Some(path) => path,
        None if is_directory => destination,
        None => destination.rsplit_once('/').map_or("", |(path, _)| path),
    };
    match path.is_empty() {
        true => Ok(()),
        false => account.create_directories(vfs, &sandbox.resolve_path(path)),
    }
}

/// Runs a command of a build to its end.
async fn finish(sandbox: &Sandbox, build: &Build, exec: Exec) -> Result<()> {
    let result = sandbox.exec(exec.timeout_ms(STEP)).await?;
    let (stdout, stderr) = (result.stdout_text(), result.stderr_text());
    for line in stdout.lines() {
        build.log("info", line);
    }
    for line in stderr.lines() {
        build.log("warn", line);
    }
    match result.exit_code {
        0 => Ok(()),
        code => {
            let last = stderr.lines().last().unwrap_or_default();
            Err(Failure::invalid(format!("exit status {code}: {last}")))
        }
    }
}

/// A name in the form of a random UUID, which some clients insist on.
pub(crate) fn fresh_uuid() -> String {
    let mut bytes = [0; 16];
    SystemRandom::default().fill(&mut bytes);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ]
    .join("-")
}
