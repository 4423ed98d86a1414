//! `offshoot run`: one script in a fresh sandbox, its output as it comes.

use crate::apply;
use crate::arguments::Run;
use crate::system::Ending;
use anyhow::{Context, bail};
use offshoot::{ByteReader, ByteWriter, Exec, Execution, Sandbox, ShellResult, Stdin};
use serde_json::Value;
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The status where a limit of the sandbox ended the script.
const LIMIT: u8 = 125;

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
    for mount in &mounts {
        builder = mount.add(builder)?;
    }
    let sandbox = options.reach.apply(builder)?.build()?;
    let status = if options.json {
        let (document, status) = observe(&sandbox, exec).await?;
        writeln!(std::io::stdout(), "{document}")?;
        status
    } else {
        stream(&sandbox, exec, &options).await?
    };
    if options.apply {
        apply::apply(&sandbox, &mounts, status).await?;
    }
    Ok(status)
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
    let (_, _, ended) = tokio::join!(stdout, stderr, running.wait());
    match ended {
        Ok(status) => Ok(status),
        Err(error) if error.code() == offshoot::Code::Limit => {
            let _ = writeln!(std::io::stderr(), "offshoot: {error}");
            Ok(LIMIT)
        }
        Err(error) => Err(error.into()),
    }
}

async fn copy(from: Option<ByteReader>, mut to: impl AsyncWriteExt + Unpin) {
    let Some(mut from) = from else { return };
    while let Some(bytes) = from.read().await {
        if to.write_all(&bytes).await.is_err() || to.flush().await.is_err() {
            break;
        }
    }
}
