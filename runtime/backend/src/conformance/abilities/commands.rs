//! How commands are run: what they are given, what comes back while they run, and their end.

use super::super::case::{LOOK, beating, started, stops};
use super::Probe::{Absent, Works};
use super::{Probe, Trial};
use crate::exec::{Exec, Stdin};
use crate::running::{Event, Running, Signal};
use std::sync::Arc;

pub(super) async fn separate_stderr(t: &Trial<'_>) -> Result<Probe, Probe> {
    let result = t.environment.exec(t.exec("echo out; echo err >&2")).await?;
    Ok(Probe::works_if(
        (&*result.stdout, &*result.stderr) == (b"out\n", b"err\n"),
    ))
}

pub(super) async fn exec_environment(t: &Trial<'_>) -> Result<Probe, Probe> {
    let exec = t.exec("echo \"$PROBE\"").env("PROBE", "set");
    let result = t.environment.exec(exec).await?;
    Ok(Probe::works_if(result.stdout == b"set\n"))
}

pub(super) async fn exec_directory(t: &Trial<'_>) -> Result<Probe, Probe> {
    let made = t.exec("mkdir -p probe-directory");
    t.environment.exec(made).await?;
    let directory = t.at("probe-directory");
    let exec = Exec::new("pwd").cwd(&*directory);
    let result = t.environment.exec(exec).await?;
    Ok(Probe::works_if(
        result.stdout_text() == format!("{directory}\n"),
    ))
}

pub(super) async fn exec_timeout(t: &Trial<'_>) -> Result<Probe, Probe> {
    let exec = t.exec("sleep 4").timeout_ms(300);
    let result = t.environment.exec(exec).await?;
    Ok(Probe::works_if(result.timed_out && result.exit_code == 124))
}

pub(super) async fn exact_output(t: &Trial<'_>) -> Result<Probe, Probe> {
    let script = "printf 'a\\377\\000\\r\\nb'";
    let bytes = t.environment.exec(t.exec(script)).await?;
    let line = t.environment.exec(t.exec("printf 'a\\n\\n'")).await?;
    Ok(Probe::works_if(
        bytes.stdout == b"a\xff\0\r\nb" && line.stdout == b"a\n\n",
    ))
}

pub(super) async fn stdin(t: &Trial<'_>) -> Result<Probe, Probe> {
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

pub(super) async fn streaming(t: &Trial<'_>) -> Result<Probe, Probe> {
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

pub(super) async fn cancel(t: &Trial<'_>) -> Result<Probe, Probe> {
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

pub(super) async fn background(t: &Trial<'_>) -> Result<Probe, Probe> {
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

pub(super) async fn signals(t: &Trial<'_>) -> Result<Probe, Probe> {
    let script = "trap 'echo caught; exit 7' TERM; echo ready; \
         i=0; while [ $i -lt 600 ]; do i=$((i+1)); sleep 0.1; done";
    let mut running = t.environment.spawn(t.exec(script)).await?;
    read_until(&mut *running, "ready\n").await?;
    running.signal(Signal::Terminate).await?;
    read_until(&mut *running, "caught\n").await?;
    Ok(Probe::works_if(exit_of(&mut *running).await? == 7))
}

pub(super) async fn terminal(t: &Trial<'_>) -> Result<Probe, Probe> {
    if t.claimed {
        let message = "the contract has no operation that gives a terminal";
        return Err(Probe::Wrong(message.to_owned()));
    }
    let result = t.environment.exec(t.exec("test -t 0 || test -t 1")).await?;
    Ok(Probe::works_if(result.exit_code == 0))
}

pub(super) async fn ports(t: &Trial<'_>) -> Result<Probe, Probe> {
    match t.claimed {
        true => Err(Probe::Wrong(
            "the contract has no operation that reaches a port".to_owned(),
        )),
        false => Ok(Absent),
    }
}
