//! Each capability in both directions: what is claimed works, what is not claimed is refused or
//! plainly absent.

use super::Wanted;
use super::case::{Context, Failure, LOOK, beating, sh, started, stops};
use super::report::{Outcome, Report};
use crate::environment::{Environment, State};
use crate::error::{Code, Error};
use crate::exec::{Exec, Stdin};
use crate::factory::Options;
use crate::files::RemoveOptions;
use crate::policy::{Boundary, Policy};
use crate::rules::Rules;
use crate::running::{Event, Running, Signal};
use crate::snapshot::{Reference, Snapshot};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

/// What a try of a capability gave.
pub(super) enum Probe {
    Works,
    /// Refused with the code for that.
    Refused,
    /// It neither works nor fails: it has no effect.
    Absent,
    Wrong(String),
}

use Probe::{Absent, Refused, Works};

impl From<Error> for Probe {
    fn from(error: Error) -> Probe {
        let named = error.backend().is_some();
        match error.code() {
            Code::Capability if named => Refused,
            Code::SandboxUnavailable if named && error.operation() == "fork" => Refused,
            code => Probe::Wrong(format!("{code}: {error}")),
        }
    }
}

impl From<Failure> for Probe {
    fn from(failure: Failure) -> Probe {
        match failure.code {
            Some(Code::Capability) => Refused,
            _ => Probe::Wrong(failure.message),
        }
    }
}

impl Probe {
    fn works_if(works: bool) -> Probe {
        if works { Works } else { Absent }
    }

    pub(super) fn judge(self, claimed: bool) -> Outcome {
        match (claimed, self) {
            (true, Works) => Outcome::Passed,
            (true, Refused) => Outcome::Failed("claimed, but refused".to_owned()),
            (true, Absent) => Outcome::Failed("claimed, but it does not work".to_owned()),
            (true, Probe::Wrong(message)) => Outcome::Failed(message),
            (false, Works) => Outcome::Failed("not claimed, but it works".to_owned()),
            (false, Refused | Absent) => Outcome::Refused,
            (false, Probe::Wrong(message)) => {
                Outcome::Failed(format!("not claimed, but not refused either: {message}"))
            }
        }
    }
}

/// A probe under way; both arms are an outcome, `?` ends it early.
type Trying<'a> = Pin<Box<dyn Future<Output = Result<Probe, Probe>> + Send + 'a>>;

/// What a probe works on.
struct Trial<'a> {
    context: &'a Context<'a>,
    /// Under the rules where the capability is claimed, else as the backend made it, so that a
    /// denial is the backend's own.
    environment: Arc<dyn Environment>,
    claimed: bool,
}

/// Tries every claim and adds a step for each.
pub(super) async fn add(report: &mut Report, context: &Context<'_>, wanted: Wanted<'_>) {
    for (name, claimed) in context.capabilities.claims() {
        let Some((probe, own)) = probe(name) else {
            continue;
        };
        if !wanted("capability", name) {
            continue;
        }
        let start = Instant::now();
        let trial = match trial(context, claimed, own).await {
            Ok(trial) => trial,
            Err(error) => {
                report.push(
                    "capability",
                    name,
                    Outcome::Failed(error.to_string()),
                    start,
                );
                continue;
            }
        };
        let (Ok(found) | Err(found)) = probe(&trial).await;
        let mut outcome = found.judge(claimed);
        if own && let Err(error) = trial.environment.cleanup().await {
            outcome = Outcome::Failed(format!("cleanup: {error}"));
        }
        report.push("capability", name, outcome, start);
    }
}

async fn trial<'a>(context: &'a Context<'a>, claimed: bool, own: bool) -> Result<Trial<'a>, Error> {
    let raw = match own {
        true => context.subject.open(Options::default()).await?,
        false => Arc::clone(&context.raw),
    };
    let environment = match claimed {
        true => Arc::new(Rules::new(raw)),
        false => raw,
    };
    Ok(Trial {
        context,
        environment,
        claimed,
    })
}

/// The probe of a claim, and whether it needs a sandbox of its own. Limits have their own steps.
#[allow(clippy::type_complexity, reason = "it is only written here")]
fn probe(name: &str) -> Option<(for<'a> fn(&'a Trial<'a>) -> Trying<'a>, bool)> {
    Some(match name {
        "exec" => (|t| Box::pin(exec(t)), false),
        "filesystem" => (|t| Box::pin(filesystem(t)), false),
        "binary_files" => (|t| Box::pin(binary_files(t)), false),
        "snapshot" => (|t| Box::pin(snapshot(t)), true),
        "restore" => (|t| Box::pin(restore(t)), true),
        "fork" => (|t| Box::pin(fork(t)), true),
        "suspend" => (|t| Box::pin(suspend(t)), true),
        "resume" => (|t| Box::pin(resume(t)), true),
        "reconnect" => (|t| Box::pin(reconnect(t)), true),
        "separate_stderr" => (|t| Box::pin(separate_stderr(t)), false),
        "exec_environment" => (|t| Box::pin(exec_environment(t)), false),
        "exec_directory" => (|t| Box::pin(exec_directory(t)), false),
        "exec_timeout" => (|t| Box::pin(exec_timeout(t)), false),
        "exact_output" => (|t| Box::pin(exact_output(t)), false),
        "stdin" => (|t| Box::pin(stdin(t)), false),
        "streaming" => (|t| Box::pin(streaming(t)), false),
        "cancel" => (|t| Box::pin(cancel(t)), true),
        "background" => (|t| Box::pin(background(t)), true),
        "signals" => (|t| Box::pin(signals(t)), false),
        "terminal" => (|t| Box::pin(terminal(t)), false),
        "ports" => (|t| Box::pin(ports(t)), false),
        "file_policy" => (|t| Box::pin(file_policy(t)), true),
        "command_policy" => (|t| Box::pin(command_policy(t)), true),
        "snapshot_files" => (|t| Box::pin(snapshot_files(t)), true),
        "snapshot_settings" => (|t| Box::pin(snapshot_settings(t)), false),
        "snapshot_memory" => (|t| Box::pin(snapshot_memory(t)), true),
        _ => return None,
    })
}

impl Trial<'_> {
    /// The execution as a backend gets it.
    fn exec(&self, script: impl AsRef<[u8]>) -> Exec {
        Exec::new(script).cwd(self.environment.cwd())
    }

    fn has_files(&self) -> bool {
        self.context.capabilities.filesystem
    }

    fn has_exec(&self) -> bool {
        self.context.capabilities.exec
    }

    fn at(&self, path: &str) -> String {
        self.environment.resolve_path(path)
    }

    async fn write(&self, path: &str, content: &str) -> Result<(), Probe> {
        let path = self.at(path);
        Ok(self
            .environment
            .write_file(&path, content.as_bytes())
            .await?)
    }
}

/// Whether a path of another environment holds this text.
async fn holds(environment: &dyn Environment, path: &str, text: &str) -> Result<(), Probe> {
    let read = environment
        .read_file(&environment.resolve_path(path))
        .await?;
    if read == text {
        return Ok(());
    }
    Err(Probe::Wrong(format!("{path} holds {read:?}, not {text:?}")))
}

async fn exec(t: &Trial<'_>) -> Result<Probe, Probe> {
    let result = t.environment.exec(t.exec("echo probe")).await?;
    Ok(Probe::works_if(result.stdout == b"probe\n"))
}

async fn filesystem(t: &Trial<'_>) -> Result<Probe, Probe> {
    t.write("probe", "text").await?;
    holds(&*t.environment, "probe", "text").await?;
    let path = t.at("probe");
    t.environment.rm(&path, RemoveOptions::default()).await?;
    Ok(Works)
}

async fn binary_files(t: &Trial<'_>) -> Result<Probe, Probe> {
    let all: Vec<u8> = (0..=255).collect();
    let path = t.at("probe-bytes");
    t.environment.write_file(&path, &all).await?;
    let read = t.environment.read_file_buffer(&path).await?;
    Ok(Probe::works_if(read == all))
}

async fn snapshot(t: &Trial<'_>) -> Result<Probe, Probe> {
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

async fn restore(t: &Trial<'_>) -> Result<Probe, Probe> {
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

async fn fork(t: &Trial<'_>) -> Result<Probe, Probe> {
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

async fn suspend(t: &Trial<'_>) -> Result<Probe, Probe> {
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

async fn resume(t: &Trial<'_>) -> Result<Probe, Probe> {
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

async fn reconnect(t: &Trial<'_>) -> Result<Probe, Probe> {
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

async fn separate_stderr(t: &Trial<'_>) -> Result<Probe, Probe> {
    let result = t.environment.exec(t.exec("echo out; echo err >&2")).await?;
    Ok(Probe::works_if(
        (&*result.stdout, &*result.stderr) == (b"out\n", b"err\n"),
    ))
}

async fn exec_environment(t: &Trial<'_>) -> Result<Probe, Probe> {
    let exec = t.exec("echo \"$PROBE\"").env("PROBE", "set");
    let result = t.environment.exec(exec).await?;
    Ok(Probe::works_if(result.stdout == b"set\n"))
}

async fn exec_directory(t: &Trial<'_>) -> Result<Probe, Probe> {
    let made = t.exec("mkdir -p probe-directory");
    t.environment.exec(made).await?;
    let directory = t.at("probe-directory");
    let exec = Exec::new("pwd").cwd(&*directory);
    let result = t.environment.exec(exec).await?;
    Ok(Probe::works_if(
        result.stdout_text() == format!("{directory}\n"),
    ))
}

async fn exec_timeout(t: &Trial<'_>) -> Result<Probe, Probe> {
    let exec = t.exec("sleep 4").timeout_ms(300);
    let result = t.environment.exec(exec).await?;
    Ok(Probe::works_if(result.timed_out && result.exit_code == 124))
}

async fn exact_output(t: &Trial<'_>) -> Result<Probe, Probe> {
    let script = "printf 'a\\377\\000\\r\\nb'";
    let bytes = t.environment.exec(t.exec(script)).await?;
    let line = t.environment.exec(t.exec("printf 'a\\n\\n'")).await?;
    Ok(Probe::works_if(
        bytes.stdout == b"a\xff\0\r\nb" && line.stdout == b"a\n\n",
    ))
}

async fn stdin(t: &Trial<'_>) -> Result<Probe, Probe> {
    let bytes = b"from the caller\0\xff".repeat(10_000);
    let exec = t.exec("cat").stdin(&bytes);
    let result = t.environment.exec(exec).await?;
    if t.claimed {
        // A command that does not read is no error.
        let ignored = t.exec("exit 3").stdin(&bytes);
        let code = t.environment.exec(ignored).await?.exit_code;
        if code != 3 {
            return Err(Probe::Wrong(format!("without a reader: status {code}")));
        }
    }
    Ok(Probe::works_if(result.stdout == bytes))
}

/// Reads until `text` was written to standard output; what else came is dropped.
async fn read_until(running: &mut dyn Running, text: &str) -> Result<(), Probe> {
    let mut seen = Vec::new();
    loop {
        match running.next().await? {
            Some(Event::Stdout(bytes)) => seen.extend_from_slice(&bytes),
            Some(Event::Stderr(_)) => {}
            ended => {
                let seen = String::from_utf8_lossy(&seen);
                let message = format!("waiting for {text:?}, saw {seen:?}, then {ended:?}");
                return Err(Probe::Wrong(message));
            }
        }
        if seen.ends_with(text.as_bytes()) {
            return Ok(());
        }
    }
}

/// Reads to the exit.
async fn exit_of(running: &mut dyn Running) -> Result<u8, Probe> {
    loop {
        match running.next().await? {
            Some(Event::Exit(code)) => return Ok(code),
            Some(_) => {}
            None => return Err(Probe::Wrong("it ended without a status".to_owned())),
        }
    }
}

async fn streaming(t: &Trial<'_>) -> Result<Probe, Probe> {
    let piped = t.context.capabilities.stdin;
    let script = match piped {
        true => "echo ready; read -r line; echo \"got $line\"; cat; exit 5",
        false => "echo ready; sleep 0.3; echo got one; exit 5",
    };
    let mut exec = t.exec(script);
    if piped {
        exec = exec.stdin(Stdin::Piped);
    }
    let mut running = t.environment.spawn(exec).await?;
    // Only a command whose output comes while it runs gets past this with piped input.
    read_until(&mut *running, "ready\n").await?;
    if piped {
        let Some(mut input) = running.take_input() else {
            return Err(Probe::Wrong("there is no input".to_owned()));
        };
        input.write(b"one\n").await?;
        read_until(&mut *running, "got one\n").await?;
        input.write(b"rest").await?;
        drop(input);
        read_until(&mut *running, "rest").await?;
    } else {
        read_until(&mut *running, "got one\n").await?;
    }
    let code = exit_of(&mut *running).await?;
    if code != 5 || running.next().await?.is_some() {
        return Err(Probe::Wrong(format!("it ended with {code}")));
    }
    let mut running = t.environment.spawn(t.exec("echo on; sleep 30")).await?;
    read_until(&mut *running, "on\n").await?;
    running.signal(Signal::Kill).await?;
    match exit_of(&mut *running).await? {
        137 => Ok(Works),
        code => Err(Probe::Wrong(format!("after a kill the status is {code}"))),
    }
}

async fn cancel(t: &Trial<'_>) -> Result<Probe, Probe> {
    if !t.has_exec() || !t.has_files() {
        return Ok(Absent);
    }
    let file = t.at("cancelled");
    let (environment, exec) = (Arc::clone(&t.environment), t.exec(beating(&file)));
    let task = tokio::spawn(async move { environment.exec(exec).await.map(drop) });
    started(&*t.environment, &file).await?;
    task.abort();
    Ok(Probe::works_if(stops(&*t.environment, &file).await?))
}

async fn background(t: &Trial<'_>) -> Result<Probe, Probe> {
    if !t.has_exec() || !t.has_files() {
        return Ok(Absent);
    }
    let script = "(sleep 1; echo late > background) >/dev/null 2>&1 & echo started";
    t.environment.exec(t.exec(script)).await?;
    let file = t.at("background");
    if t.environment.exists(&file).await? {
        return Ok(Absent);
    }
    for _ in 0..20 {
        tokio::time::sleep(LOOK).await;
        if t.environment.exists(&file).await? {
            return Ok(Works);
        }
    }
    Ok(Absent)
}

async fn signals(t: &Trial<'_>) -> Result<Probe, Probe> {
    let script = "trap 'echo caught; exit 7' TERM; echo ready; \
         i=0; while [ $i -lt 600 ]; do i=$((i+1)); sleep 0.1; done";
    let mut running = t.environment.spawn(t.exec(script)).await?;
    read_until(&mut *running, "ready\n").await?;
    running.signal(Signal::Terminate).await?;
    read_until(&mut *running, "caught\n").await?;
    Ok(Probe::works_if(exit_of(&mut *running).await? == 7))
}

async fn terminal(t: &Trial<'_>) -> Result<Probe, Probe> {
    if t.claimed {
        let message = "the contract has no operation that gives a terminal";
        return Err(Probe::Wrong(message.to_owned()));
    }
    let result = t.environment.exec(t.exec("test -t 0 || test -t 1")).await?;
    Ok(Probe::works_if(result.exit_code == 0))
}

async fn ports(t: &Trial<'_>) -> Result<Probe, Probe> {
    match t.claimed {
        true => Err(Probe::Wrong(
            "the contract has no operation that reaches a port".to_owned(),
        )),
        false => Ok(Absent),
    }
}

/// Ways by which a command could read `walled/secret`, or change what is in `walled`.
const AROUND: &str = "exec 2>/dev/null
     echo x > walled/kept; echo x >> walled/kept; : > walled/new; rm -rf walled; mkdir walled/dir
     mv walled moved; mv walled/kept moved; cp -f beside walled/kept; ln beside walled/new
     ln walled/kept hard && echo x > hard; ln -s walled soft; echo x > soft/kept; cat soft/secret
     chmod 777 walled/kept; touch walled/new; truncate -s 0 walled/kept; cat walled/secret
     mv walled/secret shown; cat shown; ln walled/secret linked; cat linked; cat < walled/secret
     cd walled && cat secret && echo x > kept; (cd / && cat \"$OLDPWD/secret\"); true";

async fn file_policy(t: &Trial<'_>) -> Result<Probe, Probe> {
    if !t.claimed || !t.has_files() || !t.has_exec() {
        t.environment
            .restrict(Arc::new(Boundary::new(&[])?))
            .await?;
        return Ok(Works);
    }
    t.write("walled/kept", "kept").await?;
    t.write("walled/secret", "hidden-text").await?;
    t.write("beside", "beside").await?;
    let wall = t.at("walled");
    let policy = Policy {
        write_deny: vec![format!("{wall}/**")],
        deny: vec![format!("{wall}/secret")],
        ..Policy::default()
    };
    let boundary = Boundary::new(&[policy])?;
    t.environment.restrict(Arc::new(boundary)).await?;
    let branch = match t.context.capabilities.fork {
        true => Some(t.environment.fork(None).await?),
        false => None,
    };
    for environment in [Some(&t.environment), branch.as_ref()]
        .into_iter()
        .flatten()
    {
        let shown = sh(&**environment, AROUND).await?;
        if shown.contains("hidden-text") {
            return Err(Probe::Wrong(format!("a command read it: {shown:?}")));
        }
        holds(&**environment, "walled/kept", "kept").await?;
        let names = environment
            .readdir(&environment.resolve_path("walled"))
            .await?;
        if names != ["kept", "secret"] {
            return Err(Probe::Wrong(format!("a command changed it to {names:?}")));
        }
        let fine = sh(&**environment, "cat walled/kept; echo x > beside").await?;
        if fine != "kept" {
            return Err(Probe::Wrong(format!("what is permitted gave {fine:?}")));
        }
    }
    // None at all: everything is as before.
    t.environment
        .restrict(Arc::new(Boundary::new(&[])?))
        .await?;
    sh(&*t.environment, "echo x > walled/kept").await?;
    if let Some(branch) = branch {
        branch.cleanup().await?;
    }
    Ok(Works)
}

/// Ways by which a script could run `sort` or `wc` on a line in spite of a rule.
const DISGUISED: &str = "exec 2>/dev/null
     echo hidden-text > line; sort line; command sort line; env sort line; echo line | xargs sort
     find . -name line -exec sort {} ';'; (exec -a ls sort line); bash -c 'sort line'
     s=so; $s\"rt\" line; \"$(command -v sort)\" line; eval 's\\ort line'; timeout 9 sort line
     wc line; /usr/bin/wc line; command wc < line; (exec wc line); env wc line
     cp \"$(command -v sort)\" ls; ./ls line; ln -s \"$(command -v sort)\" id; ./id line; ls line >/dev/null";

async fn command_policy(t: &Trial<'_>) -> Result<Probe, Probe> {
    let policy = Policy {
        command_deny: vec!["sort".to_owned(), "wc".to_owned(), "ls -l".to_owned()],
        ..Policy::default()
    };
    let boundary = match t.claimed && t.has_exec() {
        true => Boundary::new(&[policy])?,
        false => Boundary::new(&[])?,
    };
    t.environment.restrict(Arc::new(boundary)).await?;
    if !t.claimed || !t.has_exec() {
        return Ok(Works);
    }
    let shown = sh(&*t.environment, DISGUISED).await?;
    if !shown.is_empty() {
        return Err(Probe::Wrong(format!(
            "it ran in spite of the rule: {shown:?}"
        )));
    }
    let refused = t.environment.exec(t.exec("ls -l; exit $?")).await?;
    let permitted = t.environment.exec(t.exec("ls -a")).await?;
    let codes = (refused.exit_code, permitted.exit_code);
    match codes {
        (126, 0) => Ok(Works),
        codes => Err(Probe::Wrong(format!("statuses {codes:?}, not 126 and 0"))),
    }
}

async fn snapshot_files(t: &Trial<'_>) -> Result<Probe, Probe> {
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

async fn snapshot_settings(t: &Trial<'_>) -> Result<Probe, Probe> {
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

async fn snapshot_memory(t: &Trial<'_>) -> Result<Probe, Probe> {
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
