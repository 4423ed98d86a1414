//! Sessions of commands in sandboxes that are kept, forked, put to sleep, taken over by another process
//! and disturbed between their steps: every step does what it does in a sandbox that nobody disturbs.
//!
//! `OFFSHOOT_SESSIONS` says how many are drawn, or as `N..M` which; without it a few, or some more
//! of them where `OFFSHOOT_SLOW_TESTS` is set.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use offshoot::lifecycle::{Lease, Origin, Sandboxes, Store};
use offshoot::{Builder, Exec, Execution, Sandbox, ShellResult};
use tempfile::TempDir;

use crate::support::{Random, drawn};
use crate::watchdog::{Moved, standstill};

/// Scripts that people and their agents run, each ended by a line of `----`. What they print depends on the
/// files alone.
const STEPS: &str = include_str!("steps.txt");

/// Scripts that do not end by themselves and change nothing, once they have said so.
const ENDLESS: &[&str] = &[
    "echo ready; while :; do :; done",
    "echo ready; sleep 1000 | cat",
    "echo ready; yes | tr y n > /dev/null",
    "(sleep 1000 & wait) & echo ready; wait",
    "echo ready; env tail -f /dev/null",
];

/// What the files are.
const FILES: &str = "find . -type f ! -name index | sort | xargs -d '\\n' cksum; find . ! -type f -printf '%y %m %p %l\\n' | sort";

/// Sessions after which the process has all that it keeps.
const WARM: u64 = 5;

fn template() -> Builder {
    let mut builder = Sandbox::builder().cwd("/home/user/work");
    for who in ["AUTHOR", "COMMITTER"] {
        builder = builder.env(format!("GIT_{who}_DATE"), "2024-05-06T07:08:09Z");
    }
    builder
}

fn steps() -> Vec<&'static str> {
    STEPS.split("----\n").map(str::trim_end).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kept_sandboxes_do_what_fresh_ones_do() {
    let fresh = template().build().unwrap();
    let numbers = drawn("OFFSHOOT_SESSIONS", 4, 8);
    let (mut wrong, mut before) = (String::new(), None);
    for number in numbers.clone() {
        let session = Session::draw(number);
        let progress = Arc::<Progress>::default();
        let both = async {
            let expected = session.undisturbed(fresh.fork(), &progress).await;
            let mut kept = Kept::new(Arc::clone(&progress)).await;
            (expected, kept.run(&session).await)
        };
        let (expected, found) = tokio::select! {
            both = both => both,
            still = progress.standstill() => panic!("session {number} {still}"),
        };
        for ((step, expected), found) in session.0.iter().zip(&expected).zip(&found) {
            if expected != found {
                wrong += &format!("session {number}, {step:?}\n{expected}---\n{found}\n");
                break;
            }
        }
        if number == numbers.start + WARM {
            before = Some(held());
        }
    }
    assert_eq!(wrong, "");
    if let Some(before) = before {
        let now = held();
        // The pool of threads that block breathes.
        assert!(
            now.files.len() <= before.files.len() && now.threads <= before.threads + 8,
            "{before:#?} became {now:#?}"
        );
    }
}

/// What this process holds.
#[derive(Debug)]
struct Held {
    /// What its descriptors lead to.
    files: Vec<PathBuf>,
    threads: usize,
}

fn held() -> Held {
    let files = std::fs::read_dir("/proc/self/fd").unwrap();
    let mut files: Vec<_> = files
        .filter_map(|file| std::fs::read_link(file.ok()?.path()).ok())
        .collect();
    files.sort();
    Held {
        files,
        threads: std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count),
    }
}

/// What happens before a step.
#[derive(Clone, Copy, Debug)]
enum Before {
    Nothing,
    /// The sandbox sleeps, and another process has it then.
    Sleep,
    /// What follows happens in a fork.
    Fork,
    /// A script that does not end is killed.
    Kill(usize),
    /// One is dropped with whoever waits for it.
    Drop(usize),
}

#[derive(Debug)]
struct Step {
    before: Before,
    script: &'static str,
    /// The sandbox sleeps while the script runs.
    sleeps: bool,
}

struct Session(Vec<Step>);

impl Session {
    fn draw(number: u64) -> Session {
        let mut random = Random::new(number);
        let scripts = steps();
        let count = 8 + random.below(16);
        let mut steps = Vec::with_capacity(count + 1);
        for _ in 0..count {
            let before = match random.below(9) {
                0 | 1 => Before::Sleep,
                2 => Before::Fork,
                3 => Before::Kill(random.below(ENDLESS.len())),
                4 => Before::Drop(random.below(ENDLESS.len())),
                _ => Before::Nothing,
            };
            steps.push(Step {
                before,
                script: scripts[random.below(scripts.len())],
                sleeps: random.below(5) == 0,
            });
        }
        steps.push(Step {
            before: Before::Sleep,
            script: FILES,
            sleeps: false,
        });
        Session(steps)
    }

    async fn undisturbed(&self, sandbox: Sandbox, progress: &Progress) -> Vec<String> {
        progress.runs_in(Awake::Alone(sandbox.clone()));
        let mut outcomes = Vec::new();
        for step in &self.0 {
            progress.step(format!("undisturbed in {:?}", step.script));
            let result = sandbox.exec(step.script).await.unwrap();
            outcomes.push(outcome(&result));
        }
        outcomes
    }
}

fn outcome(result: &ShellResult) -> String {
    let (stdout, stderr) = (result.stdout_text(), result.stderr_text());
    format!("{}\n{stdout}{stderr}", result.exit_code)
}

/// How far a session is, for the watchdog and for whoever reads what it says.
#[derive(Default)]
struct Progress {
    moved: Moved,
    place: Mutex<String>,
    /// The sandbox where a script runs in it.
    awake: Mutex<Option<Awake>>,
}

/// A sandbox in which something runs.
enum Awake {
    Alone(Sandbox),
    Kept(Sandboxes, String),
}

impl Awake {
    /// What its processes have open, unless that stands still, too.
    async fn processes(self) -> String {
        let exec = Exec::new(PROCESSES).timeout_ms(20_000);
        let result = match &self {
            Awake::Alone(sandbox) => sandbox.exec(exec).await,
            Awake::Kept(service, name) => service.exec(name, exec).await,
        };
        match result {
            Ok(result) => result.stdout_text().into_owned(),
            Err(error) => error.to_string(),
        }
    }
}

impl Progress {
    fn step(&self, place: String) {
        self.moved.add(0);
        *self.place.lock().unwrap() = place;
    }

    fn runs_in(&self, awake: Awake) {
        *self.awake.lock().unwrap() = Some(awake);
    }

    /// Ends where the session stands still, with where it does and what its processes have open.
    async fn standstill(&self) -> String {
        let still = standstill(&self.moved).await;
        let awake = self.awake.lock().unwrap().take();
        let processes = match awake {
            Some(awake) => awake.processes().await,
            None => "asleep".to_owned(),
        };
        format!("{still}, {}:\n{processes}", self.place.lock().unwrap())
    }
}

/// The processes with what they have open.
const PROCESSES: &str =
    "ps -ef; for p in /proc/[0-9]*; do echo $p; grep State $p/status; ls -l $p/fd; done 2>&1";

/// A sandbox in a store.
struct Kept {
    progress: Arc<Progress>,
    store: TempDir,
    service: Sandboxes,
    name: String,
    forks: usize,
}

impl Kept {
    async fn new(progress: Arc<Progress>) -> Kept {
        progress.step("while it is made".to_owned());
        progress.awake.lock().unwrap().take();
        let store = tempfile::tempdir().unwrap();
        let service = service(&store);
        let name = "box".to_owned();
        let origin = Origin::template(template());
        service.create(&name, origin).await.unwrap();
        Kept {
            progress,
            store,
            service,
            name,
            forks: 0,
        }
    }

    async fn run(&mut self, session: &Session) -> Vec<String> {
        let mut outcomes = Vec::new();
        for step in &session.0 {
            self.progress.step(format!("before {step:?}"));
            self.prepare(step.before).await;
            self.progress.step(format!("in {step:?}"));
            self.progress
                .runs_in(Awake::Kept(self.service.clone(), self.name.clone()));
            outcomes.push(match step.sleeps {
                true => self.sleep_through(step.script).await,
                false => {
                    let result = self.service.exec(&self.name, step.script).await;
                    outcome(&result.unwrap())
                }
            });
        }
        outcomes
    }

    async fn lease(&self) -> Lease {
        self.service.lease(&self.name).await.unwrap()
    }

    async fn prepare(&mut self, before: Before) {
        match before {
            Before::Nothing => {}
            Before::Sleep => self.move_on().await,
            Before::Fork => {
                self.forks += 1;
                let fork = format!("fork-{}", self.forks);
                let origin = Origin::sandbox(&self.name);
                self.service.create(&fork, origin).await.unwrap();
                // The origin changes, and the fork does not.
                let gone = self.service.exec(&self.name, "rm -rf * .[!.]*; echo x > x");
                gone.await.unwrap();
                self.name = fork;
            }
            Before::Kill(which) => {
                let mut running = at_rest(&self.lease().await, ENDLESS[which]).await;
                running.kill();
                running.wait().await.unwrap();
            }
            Before::Drop(which) => drop(at_rest(&self.lease().await, ENDLESS[which]).await),
        }
    }

    async fn move_on(&mut self) {
        self.service.suspend_patiently(&self.name).await.unwrap();
        self.service = service(&self.store);
    }

    /// Runs a script during which the sandbox sleeps, as often as it can, and wakes elsewhere.
    async fn sleep_through(&mut self, script: &str) -> String {
        let mut running = self.lease().await.spawn(script).unwrap();
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        for pause in 0.. {
            let read = async {
                let (mut out, mut err) = (
                    running.take_stdout().unwrap(),
                    running.take_stderr().unwrap(),
                );
                let (out, err) = tokio::join!(out.read_to_end(), err.read_to_end());
                stdout.extend(out);
                stderr.extend(err);
            };
            let sleep = async {
                tokio::time::sleep(Duration::from_millis(5 * pause)).await;
                self.service.suspend_patiently(&self.name).await.unwrap();
                self.progress
                    .step(format!("asleep for time {pause} in {script:?}"));
            };
            self.progress
                .runs_in(Awake::Kept(self.service.clone(), self.name.clone()));
            self.progress
                .step(format!("to sleep for time {pause} in {script:?}"));
            tokio::join!(read, sleep);
            self.progress
                .step(format!("awake after time {pause} in {script:?}"));
            self.service = service(&self.store);
            let lease = self.lease().await;
            let Some(sleeping) = lease.sleeping_scripts().await.unwrap().pop() else {
                break;
            };
            running = lease.resume_script(sleeping.id).await.unwrap();
        }
        let status = running.wait().await.unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        format!("{status}\n{}{}", text(&stdout), text(&stderr))
    }
}

/// A service as another process would have it.
fn service(store: &TempDir) -> Sandboxes {
    Sandboxes::open(Store::sqlite(store.path()).unwrap())
}

/// The script, when it has said that it is ready.
async fn at_rest(lease: &Lease, script: &str) -> Execution {
    let mut running = lease.spawn(Exec::new(script)).unwrap();
    let mut stdout = running.take_stdout().unwrap();
    let mut seen = Vec::new();
    while !seen.ends_with(b"ready\n") {
        seen.extend(stdout.read().await.unwrap());
    }
    running
}
