//! `offshoot run`: one script in a fresh sandbox, its output as it comes.

use crate::arguments::{MountArgument, Run};
use crate::system::Ending;
use crate::{apply, failure};
use anyhow::{Context, bail};
use offshoot::{Builder, ByteReader, ByteWriter, Exec, Execution, Sandbox, ShellResult, Stdin};
use serde_json::Value;
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The status where a limit of the sandbox ended the script.
const LIMIT: u8 = 125;

/// Where scripts of other interpreters than a shell lie inside.
const SCRIPTS: &str = "/tmp/.offshoot";

/// What runs them.
const START: &[u8] = br#"chmod 700 "$0" && exec "$0" "$@""#;

/// Runs the script and returns the status to end with.
///
/// # Errors
/// Where the script could not be started: a missing file, a mount that cannot be read, a wrong flag.
pub fn run(options: Run) -> anyhow::Result<u8> {
    let runtime = runtime()?;
    let status = runtime.block_on(start(options));
    // A thread may still wait in a read of the terminal; nobody needs its answer.
    runtime.shutdown_background();
    status
}

/// Where sandboxes run.
///
/// # Errors
/// Where no thread can be started.
pub fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("starting the runtime")
}

async fn start(options: Run) -> anyhow::Result<u8> {
    let mut exec = request(options.script.as_deref(), &options.words, options.timeout)?;
    exec.waits = options.wait;
    let mut builder = options.setting.builder()?;
    let mounts = options.mounts.parse()?;
    options.setting.check_directory(&mounts)?;
    let folders = match options.apply {
        true => apply::folders(&mounts)?,
        false => Vec::new(),
    };
    for mount in &mounts {
        builder = mount.add(builder)?;
    }
    builder = interpreted(&mut exec, builder);
    let sandbox = options.reach.apply(builder)?.build()?;
    if options.json {
        return report(&sandbox, exec, folders).await;
    }
    let status = stream(&sandbox, exec, &options).await?;
    let (applied, done) = apply::apply(&sandbox, folders, status).await;
    for line in applied.lines(status) {
        writeln!(std::io::stderr(), "{line}")?;
    }
    done.map(|()| status)
}

/// Runs to the end, and says all of it in one JSON object: what was applied to folders, too.
async fn report(sandbox: &Sandbox, exec: Exec, folders: Vec<MountArgument>) -> anyhow::Result<u8> {
    let (mut document, mut status) = observe(sandbox, exec).await?;
    if !folders.is_empty() {
        let (applied, done) = apply::apply(sandbox, folders, status).await;
        let (written, withheld) = applied.json();
        document["applied"] = written;
        document["withheld"] = withheld.into();
        if let Err(error) = done {
            document["error"] = failure::document(&error);
            failure::say(&error);
            status = failure::OWN;
        }
    }
    writeln!(std::io::stdout(), "{document}")?;
    Ok(status)
}

/// A script whose `#!` line names no shell lies in the sandbox as a file, and its interpreter runs it.
fn interpreted(exec: &mut Exec, builder: Builder) -> Builder {
    if !exec.from_file || !names_another(&exec.script) {
        return builder;
    }
    let name = exec.name.take().unwrap_or_default();
    let name = String::from_utf8_lossy(&name).into_owned();
    let name = Path::new(&name).file_name().unwrap_or_default();
    let path = format!("{SCRIPTS}/{}", name.to_string_lossy());
    let script = std::mem::replace(&mut exec.script, START.to_vec());
    exec.from_file = false;
    exec.name = Some(path.clone().into_bytes());
    builder.file(path, script)
}

/// Whether the `#!` line of a script names something that is no shell.
fn names_another(script: &[u8]) -> bool {
    let line = script.split(|&byte| byte == b'\n').next();
    let Some(line) = line.and_then(|line| line.strip_prefix(b"#!")) else {
        return false;
    };
    let line = String::from_utf8_lossy(line);
    let base = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let mut words = line.split_whitespace();
    let mut interpreter = words.next().map(base);
    if interpreter.as_deref() == Some("env") {
        let plain = |word: &&str| !word.starts_with('-') && !word.contains('=');
        interpreter = words.find(plain).map(base);
    }
    interpreter.is_some_and(|name| !name.ends_with("sh"))
}

/// What is to be executed: a text, a file of the host or standard input, with arguments.
///
/// # Errors
/// Where there is nothing to run, or it cannot be read.
pub fn request(
    script: Option<&str>,
    words: &[String],
    timeout: Option<Duration>,
) -> anyhow::Result<Exec> {
    let mut words = words.iter().cloned();
    let mut exec = if let Some(script) = script {
        let mut exec = Exec::new(script);
        if let Some(name) = words.next() {
            exec = exec.name(name);
        }
        exec
    } else {
        match words.next().as_deref() {
            Some("-") => {
                let mut script = Vec::new();
                std::io::stdin()
                    .read_to_end(&mut script)
                    .context("reading the script")?;
                Exec::new(script)
            }
            Some(file) => Exec::file(file, read(file)?),
            None => bail!("nothing to run: give -c SCRIPT, a FILE or - (see --help)"),
        }
    };
    exec = exec.arguments(words);
    if let Some(limit) = timeout {
        exec = exec.timeout_ms(u64::try_from(limit.as_millis()).unwrap_or(u64::MAX).max(1));
    }
    Ok(exec)
}

fn read(file: &str) -> anyhow::Result<Vec<u8>> {
    let read = std::fs::read(file);
    read.map_err(|error| match error.kind() {
        // Text that stands where a file is meant.
        std::io::ErrorKind::NotFound if !file.contains('/') || file.contains(' ') => {
            anyhow::anyhow!(
                "the host has no file {file:?}; to run it as a script, write -c {file:?}"
            )
        }
        _ => anyhow::Error::from(error).context(file.to_owned()),
    })
}

/// Runs to the end; what there is to say of it as JSON, and the status to end with.
///
/// # Errors
/// Where the sandbox fails.
pub async fn observe(sandbox: &Sandbox, exec: Exec) -> anyhow::Result<(Value, u8)> {
    let started = Instant::now();
    let (result, limit) = match sandbox.exec(exec).await {
        Ok(result) => (result, None),
        Err(error) => match error.output().cloned() {
            Some(output) => (output, Some(error.to_string())),
            None => return Err(error.into()),
        },
    };
    let status = match limit {
        Some(_) => LIMIT,
        None => result.exit_code,
    };
    Ok((document(&result, limit, Some(started.elapsed())), status))
}

/// What a script did, as JSON.
pub fn document(result: &ShellResult, limit: Option<String>, time: Option<Duration>) -> Value {
    serde_json::json!({
        "status": result.exit_code,
        "stdout": String::from_utf8_lossy(&result.stdout),
        "stderr": String::from_utf8_lossy(&result.stderr),
        "duration_ms": time.map(|time| time.as_secs_f64() * 1e3),
        "limit": limit,
    })
}

/// Runs with this command's own streams.
async fn stream(sandbox: &Sandbox, exec: Exec, options: &Run) -> anyhow::Result<u8> {
    if let Some(path) = &options.stdin {
        let file = tokio::fs::File::open(path).await;
        let file = file.context(path.display().to_string())?;
        return connect(sandbox, exec, Some(file)).await;
    }
    if options.words.first().is_some_and(|word| word == "-") {
        // The script was all of standard input.
        return connect(sandbox, exec, Some(tokio::io::empty())).await;
    }
    connect(sandbox, exec, None::<tokio::io::Stdin>).await
}

/// Runs with `input`, or this command's standard input, and this command's outputs.
///
/// # Errors
/// Where the sandbox fails; what the script does is its status.
pub async fn connect(
    sandbox: &Sandbox,
    exec: Exec,
    input: Option<impl AsyncReadExt + Unpin + Send + 'static>,
) -> anyhow::Result<u8> {
    let ending = Ending::new()?;
    attend(sandbox.spawn(exec.stdin(Stdin::Piped))?, input, ending).await
}

/// Stays with a script to its end, with `input` or this command's standard input, and this command's
/// outputs.
///
/// # Errors
/// Those of [`connect`].
pub async fn attend(
    mut running: Execution,
    input: Option<impl AsyncReadExt + Unpin + Send + 'static>,
    mut ending: Ending,
) -> anyhow::Result<u8> {
    let stdin = running.take_stdin();
    let feeder = match input {
        Some(input) => tokio::spawn(feed(input, stdin)),
        None => tokio::spawn(feed(tokio::io::stdin(), stdin)),
    };
    let status = tokio::select! {
        status = drain(&mut running) => status,
        status = ending.status() => {
            running.kill();
            Ok(status)
        }
    };
    feeder.abort();
    status
}

/// Copies the host's input into the sandbox until either side is closed.
async fn feed(mut from: impl AsyncReadExt + Unpin, to: Option<ByteWriter>) {
    let Some(mut to) = to else { return };
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut buffer).await {
        if to.write(&buffer[..length]).await.is_err() {
            break;
        }
    }
}

/// Copies both output streams to this command's until the script has ended.
async fn drain(running: &mut Execution) -> anyhow::Result<u8> {
    let stdout = copy(running.take_stdout(), tokio::io::stdout());
    let stderr = copy(running.take_stderr(), tokio::io::stderr());
    let (stdout, stderr, ended) = tokio::join!(stdout, stderr, running.wait());
    match ended {
        Ok(status) => {
            stdout.context("writing standard output")?;
            stderr.context("writing standard error")?;
            Ok(status)
        }
        Err(error) if error.code() == offshoot::Code::Limit => {
            let _ = writeln!(std::io::stderr(), "offshoot: {error}");
            Ok(LIMIT)
        }
        Err(error) => Err(error.into()),
    }
}

/// Copies until either side is closed: that nobody reads any more is no failure of this command, and the script
/// hears of it.
async fn copy(from: Option<ByteReader>, mut to: impl AsyncWriteExt + Unpin) -> std::io::Result<()> {
    let Some(mut from) = from else { return Ok(()) };
    while let Some(bytes) = from.read().await {
        let written = match to.write_all(&bytes).await {
            Ok(()) => to.flush().await,
            failed => failed,
        };
        match written {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => break,
            written => written?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::{copy, names_another};
    use offshoot::{Exec, Sandbox};

    #[test]
    fn the_first_line_says_whose_script_it_is() {
        for (script, another) in [
            ("echo hi", false),
            ("#!/bin/bash\n", false),
            ("#! /usr/bin/env -S zsh -f\n", false),
            ("#!\n", false),
            ("#!/usr/bin/python3\nprint(1)", true),
            ("#!/usr/bin/env -S A=1 node --no-warnings\n", true),
            ("#!/usr/bin/awk -f\n", true),
            ("\n#!/usr/bin/awk -f\n", false),
        ] {
            assert_eq!(names_another(script.as_bytes()), another, "{script}");
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn output_that_finds_no_room_is_an_error() {
        let sandbox = Sandbox::builder().build().unwrap();
        let mut running = sandbox.spawn(Exec::new("echo text")).unwrap();
        let full = std::fs::File::options().write(true).open("/dev/full");
        let full = tokio::fs::File::from_std(full.unwrap());
        let copied = copy(running.take_stdout(), full).await;
        assert_eq!(copied.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    }
}
