//! Known secrets, and all that must not hold them.

use log::{LevelFilter, Metadata, Record};
use offshoot_backend::{Environment, Exec};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What a logger of the host gets to see.
struct Log(Mutex<String>);

static LOG: Log = Log(Mutex::new(String::new()));

impl log::Log for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        *self.0.lock().unwrap() += &format!("{} {}\n", record.target(), record.args());
    }

    fn flush(&self) {}
}

/// What is known to be secret, and what was told.
pub struct Canary {
    host: String,
    told: Vec<(String, String)>,
}

const VARIABLE: &str = "c4nary-of-a-variable-5e6c";
const INPUT: &str = "c4nary-of-the-input-91aa";
const SCRIPT: &str = "c4nary-of-a-script-07bd";

impl Canary {
    pub fn new() -> Canary {
        let _ = log::set_logger(&LOG);
        // Below, bollard logs requests as they are, which its users are told.
        log::set_max_level(LevelFilter::Info);
        Canary {
            // A variable that this very process has, and nobody names.
            host: std::env::var("CARGO_PKG_DESCRIPTION").unwrap(),
            told: Vec::new(),
        }
    }

    /// Takes down what was told.
    pub fn tell(&mut self, what: impl Into<String>, text: impl Into<String>) {
        self.told.push((what.into(), text.into()));
    }

    /// Gives the secrets to executions, and takes down everything that an embedder is told.
    pub async fn fly(&mut self, environment: &Arc<dyn Environment>) {
        let secret = |script: &str| {
            Exec::new(format!("{script} # {SCRIPT}"))
                .env("CANARY", VARIABLE)
                .stdin(INPUT)
                .timeout_ms(60_000)
        };
        let used = environment
            .exec(secret("echo ${#CANARY}; wc -c; exit 3"))
            .await;
        let used = used.unwrap();
        let lengths = format!("{}\n{}\n", VARIABLE.len(), INPUT.len());
        assert_eq!(used.stdout_text().replace(' ', ""), lengths);
        let looks =
            "env; cat /proc/1/environ /proc/*/cmdline; cat /etc/* /tmp/* /workspace/* 2>/dev/null";
        let seen = environment.exec(looks.into()).await.unwrap();
        self.tell("a later command", seen.stdout_text());
        let hidden =
            secret("env | grep -v CANARY; tr '\\0' '\\n' </proc/1/environ; tail -f /dev/null");
        let late = environment.exec(hidden.timeout_ms(700)).await.unwrap();
        assert!(late.timed_out);
        self.tell("a command that was ended", late.stdout_text());
        for error in [
            environment
                .exec(secret("true").cwd("/no/such"))
                .await
                .map(drop),
            environment
                .exec(secret("true").env("CANARY", format!("{VARIABLE}\0")))
                .await
                .map(drop),
            environment.read_file("no/such").await.map(drop),
        ] {
            let error = error.unwrap_err();
            self.tell("an error", format!("{error} {error:?}"));
        }
        self.tell("the environment", format!("{environment:?}"));
        if let Ok(reference) = environment.reference().await {
            self.tell("the reference", format!("{reference} {reference:?}"));
        }
    }

    /// Takes down every file below a directory.
    pub fn look(&mut self, directory: &Path) {
        let mut open = vec![PathBuf::from(directory)];
        while let Some(path) = open.pop() {
            // Others are at work here: what is gone by now is no fault.
            let Ok(kind) = std::fs::symlink_metadata(&path) else {
                continue;
            };
            if kind.is_dir() {
                let entries = std::fs::read_dir(&path).into_iter().flatten();
                open.extend(entries.flatten().map(|entry| entry.path()));
            } else if kind.is_file()
                && let Ok(content) = std::fs::read(&path)
            {
                let secrets = [&*self.host, VARIABLE, INPUT, SCRIPT];
                let found = secrets
                    .iter()
                    .find(|secret| contains(&content, secret.as_bytes()));
                assert!(found.is_none(), "{found:?} is in {}", path.display());
            }
        }
    }

    /// Fails where one of the secrets was told.
    pub fn check(&self) {
        let log = LOG.0.lock().unwrap().clone();
        let log = [("the log".to_owned(), log)];
        for (what, text) in self.told.iter().chain(&log) {
            for secret in [&*self.host, VARIABLE, INPUT, SCRIPT] {
                assert!(!text.contains(secret), "{secret} is in {what}: {text}");
            }
        }
        assert!(self.told.len() > 5);
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    let mut starts = text
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == part[0]);
    starts.any(|(at, _)| text[at..].starts_with(part))
}
