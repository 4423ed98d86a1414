//! The time that each operation takes, ours beside the provider's own client's, against the same service in the same
//! run. It prints a table:
//!
//!     cargo test -p offshoot-providers -- --ignored --nocapture speed
//!
//! `OFFSHOOT_PROVIDER_SDKS`, `OFFSHOOT_E2B_SDK` and `OFFSHOOT_DAYTONA_SDK` name the clients' directories, which
//! `install`, `host/server/tests/sdk/install` and `host/cli/tests/daytona/install` fill; providers whose client is
//! missing are left out, and said. `OFFSHOOT_SPEED_ROUNDS` is how often each operation is measured, and
//! `OFFSHOOT_SPEED_ONLY` the one provider that is. `docs/speed.md` has such a table.

mod boxes;
mod providers;

use offshoot::Exec;
use offshoot::backend::{Factory, Options};
use offshoot_connectors::Connector;
use serde_json::{Map, Value};
use std::any::Any;
use std::collections::BTreeMap;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// What is measured, in the order of the table.
const OPERATIONS: [&str; 11] = [
    "create",
    "exec true",
    "write 1 KiB",
    "read 1 KiB",
    "write 1 MiB",
    "read 1 MiB",
    "snapshot",
    "fork",
    "suspend",
    "resume",
    "kill",
];

/// How often each is measured, where nothing else is said.
const ROUNDS: usize = 7;

/// Milliseconds by operation.
type Times = BTreeMap<String, f64>;

/// A provider with its service, our connector and the client's process.
struct Subject {
    name: &'static str,
    /// The client and its version.
    client: &'static str,
    connector: Connector,
    options: Options,
    /// What `true` is where commands are no scripts.
    script: &'static str,
    other: Client,
    /// The service, which ends with this.
    _service: Box<dyn Any + Send>,
}

/// A client's process, which does a round for each line.
struct Client {
    _child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Client {
    /// Starts a script of `clients/speed` in the environment that an installed client has.
    fn start(sdk: &Path, script: &str, variables: &[(&str, &str)]) -> Client {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("clients/speed")
            .join(script);
        let (program, path) = if script.ends_with(".py") {
            (sdk.join("python/bin/python"), path)
        } else {
            // A module looks for others beside itself.
            let copy = sdk.join("node").join(script);
            std::fs::copy(path, &copy).unwrap();
            (PathBuf::from("node"), copy)
        };
        let mut child = Command::new(program)
            .arg(path)
            .envs(variables.iter().copied())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Client {
            _child: child,
            input,
            output,
        }
    }

    async fn round(&mut self) -> Times {
        self.input.write_all(b"round\n").await.unwrap();
        let line = self.output.next_line().await.unwrap();
        // One that has ended has said why.
        let times: Map<String, Value> = serde_json::from_str(&line.unwrap()).unwrap();
        let times = times.into_iter();
        times
            .map(|(name, time)| (name, time.as_f64().unwrap()))
            .collect()
    }
}

impl Subject {
    /// The same operations by our connector.
    async fn round(&self) -> Times {
        let mut times = Times::new();
        let options = self.options.clone();
        let made = timed(&mut times, "create", self.connector.create(options));
        let sandbox = made.await.unwrap();
        let can = sandbox.capabilities();
        let mut exec = Exec::new(self.script);
        if can.exec_directory {
            exec = exec.cwd(sandbox.cwd());
        }
        let ran = timed(&mut times, "exec true", sandbox.exec(exec)).await;
        assert_eq!(ran.unwrap().exit_code, 0);
        for (size, bytes) in [("1 KiB", 1 << 10), ("1 MiB", 1 << 20)] {
            if !can.filesystem {
                break;
            }
            let (path, content) = (format!("{}/{bytes}", sandbox.cwd()), vec![b'a'; bytes]);
            let written = sandbox.write_file(&path, &content);
            let written = timed(&mut times, &format!("write {size}"), written).await;
            written.unwrap();
            let read = sandbox.read_file_buffer(&path);
            let read = timed(&mut times, &format!("read {size}"), read).await;
            assert!(read.unwrap() == content);
        }
        if can.snapshot {
            let taken = timed(&mut times, "snapshot", sandbox.snapshot(None)).await;
            sandbox.delete_snapshot(&taken.unwrap()).await.unwrap();
        }
        if can.fork {
            let branch = timed(&mut times, "fork", sandbox.fork(None)).await;
            branch.unwrap().cleanup().await.unwrap();
        }
        if can.suspend {
            let slept = timed(&mut times, "suspend", sandbox.suspend()).await;
            slept.unwrap();
            let woke = timed(&mut times, "resume", sandbox.resume()).await;
            woke.unwrap();
        }
        timed(&mut times, "kill", sandbox.cleanup()).await.unwrap();
        times
    }
}

async fn timed<T>(times: &mut Times, name: &str, work: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let done = work.await;
    times.insert(name.to_owned(), begun.elapsed().as_secs_f64() * 1000.0);
    done
}

/// The median of what rounds gave for an operation.
fn median(rounds: &[Times], name: &str) -> Option<f64> {
    let mut found: Vec<f64> = rounds
        .iter()
        .filter_map(|times| times.get(name).copied())
        .collect();
    found.sort_by(f64::total_cmp);
    found.get(found.len() / 2).copied()
}

fn shown(time: Option<f64>) -> String {
    match time {
        Some(time) if time < 10.0 => format!("{time:.1}"),
        Some(time) => format!("{time:.0}"),
        None => "–".to_owned(),
    }
}

/// A line of the table: ours and the client's, in milliseconds.
async fn line(mut subject: Subject, rounds: usize) -> String {
    let (mut ours, mut others) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let (mine, other) = (subject.round().await, subject.other.round().await);
        // The first one finds nothing that is warm.
        if round > 0 {
            ours.push(mine);
            others.push(other);
        }
    }
    let cells = OPERATIONS.map(|name| match (median(&ours, name), median(&others, name)) {
        (None, None) => "–".to_owned(),
        (mine, other) => format!("{} / {}", shown(mine), shown(other)),
    });
    format!(
        "| {} | {} | {} |",
        subject.name,
        subject.client,
        cells.join(" | ")
    )
}

/// What the kernel says of how busy the machine is.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').take(1).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "a measurement, not a test"]
async fn the_table_of_times() {
    let rounds = std::env::var("OFFSHOOT_SPEED_ROUNDS").ok();
    let rounds = rounds.map_or(ROUNDS, |rounds| rounds.parse().unwrap());
    let only = std::env::var("OFFSHOOT_SPEED_ONLY").unwrap_or_default();
    let before = load();
    let mut lines = Vec::new();
    for name in providers::NAMES {
        if !only.is_empty() && only != name {
            continue;
        }
        match providers::subject(name).await {
            Some(subject) => {
                lines.push(line(subject, rounds).await);
                eprintln!("{name}");
            }
            None => eprintln!("left out, since its client is missing: {name}"),
        }
    }
    println!(
        "Medians of {rounds} rounds in milliseconds, ours / the client's; load {before} before and {} after.\n",
        load()
    );
    println!("| provider | client | {} |", OPERATIONS.join(" | "));
    println!("|---|---|{}", "---|".repeat(OPERATIONS.len()));
    println!("{}", lines.join("\n"));
}
