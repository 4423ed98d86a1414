//! A connector that does what its setting `mode` says, for the tests of its host: it lies, traps,
//! loops, floods and goes where it must not.

#![allow(clippy::panic, reason = "to trap is its work")]

use offshoot_connector::http::Request;
use offshoot_connector::{
    Capabilities, Claims, Code, Command, Connector, Error, Event, FileKind, FileStat, Isolation,
    Network, Options, Persistence, Result, Running, Sandbox, SignalName,
};
use serde::{Deserialize, Serialize};

struct Broken;

offshoot_connector::export!(Broken);

/// Also what is kept of a sandbox.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    mode: String,
    url: String,
    header: String,
}

fn capabilities(mode: &str) -> Capabilities {
    let mut claims = Claims::EXEC | Claims::FILESYSTEM | Claims::BINARY_FILES;
    match mode {
        "streaming" | "silent" | "flood" | "trap-in-stream" => {
            claims |= Claims::STREAMING | Claims::CANCEL | Claims::EXEC_TIMEOUT;
        }
        // Claimed, and not there.
        "overclaims" => claims |= Claims::SNAPSHOT | Claims::RESTORE | Claims::STDIN,
        "cancel-alone" => claims |= Claims::CANCEL,
        _ => {}
    }
    Capabilities {
        claims,
        network: Network::Provider,
        persistence: Persistence::Session,
        isolation: Isolation::Provider,
        timeout_unit_ms: 1,
    }
}

/// Computes for ever; the optimiser must not know.
fn spin() -> ! {
    let mut number = 1u64;
    loop {
        number = std::hint::black_box(number.wrapping_mul(3));
    }
}

/// Takes memory until there is none.
fn devour() -> usize {
    let mut kept = Vec::new();
    loop {
        kept.push(vec![std::hint::black_box(1u8); 1 << 20]);
        if std::hint::black_box(kept.len()) == 0 {
            return kept.len();
        }
    }
}

fn ask(settings: &Settings) -> Result<String> {
    let mut request = Request::get(&settings.url);
    if !settings.header.is_empty() {
        request = request.header("x-given", &settings.header);
    }
    let mut answer = request.send()?;
    let status = answer.status();
    let body = String::from_utf8_lossy(&answer.read(1 << 30)?).into_owned();
    Ok(format!("{status} {body}"))
}

impl Connector for Broken {
    type Settings = Settings;
    type State = Settings;

    fn describe() -> Capabilities {
        capabilities("")
    }

    fn create(mut settings: Settings, options: Options) -> Result<Sandbox<Settings>> {
        if options
            .network
            .is_some_and(|network| network != Network::Provider)
        {
            return Err(Error::refused("this way out"));
        }
        let (mut root, mut cwd) = ("/", "/home");
        let capabilities = capabilities(&settings.mode);
        match settings.mode.as_str() {
            "trap-create" => panic!("made to fail"),
            "root" => root = "not/absolute",
            "cwd" => (root, cwd) = ("/inside", "/outside"),
            "state" => settings.header = "x".repeat(1 << 20),
            _ => {}
        }
        Ok(Sandbox {
            state: settings,
            root: root.to_owned(),
            cwd: cwd.to_owned(),
            capabilities,
        })
    }

    fn cleanup(_: &Settings) -> Result<()> {
        Ok(())
    }

    fn exec(settings: &Settings, _: Command) -> Result<offshoot_connector::ShellResult> {
        let stdout = match settings.mode.as_str() {
            "trap" => panic!("made to fail"),
            "exit" => std::process::exit(3),
            "loop" => spin(),
            "memory" => devour().to_string(),
            "recursion" => deeper(1).to_string(),
            "ask" => ask(settings)?,
            "error" => {
                let message = format!("\x1b[31m{}\n", "long ".repeat(100_000));
                return Err(Error::new(Code::Conflict, message));
            }
            "talk" => {
                for _ in 0..10_000 {
                    eprintln!("{}", "talks ".repeat(100));
                }
                "talked".to_owned()
            }
            _ => "fine".to_owned(),
        };
        Ok(offshoot_connector::ShellResult {
            exit_code: 0,
            stdout: stdout.into_bytes(),
            stderr: Vec::new(),
            timed_out: false,
            truncated: false,
        })
    }

    fn readdir(settings: &Settings, _: &str) -> Result<Vec<String>> {
        Ok(match settings.mode.as_str() {
            "names" => vec!["../../etc/passwd".to_owned()],
            "many" => (0..3_000_000).map(|number| format!("a{number}")).collect(),
            _ => vec!["b".to_owned(), "a".to_owned()],
        })
    }

    fn stat(_: &Settings, _: &str) -> Result<FileStat> {
        Ok(FileStat {
            kind: FileKind::File,
            size: u64::MAX,
            modified: None,
            changed: None,
            accessed: None,
            is_symlink: None,
            mode: Some(u32::MAX),
        })
    }

    fn spawn(settings: &Settings, _: Command) -> Result<Box<dyn Running>> {
        Ok(Box::new(Talker(settings.mode.clone())))
    }

    fn signal(_: &Settings, _: &str, _: SignalName) -> Result<()> {
        Ok(())
    }
}

/// A command that never ends by itself.
struct Talker(String);

impl Running for Talker {
    fn id(&self) -> String {
        "1".to_owned()
    }

    fn next(&mut self) -> Result<Option<Event>> {
        match self.0.as_str() {
            "silent" => spin(),
            "trap-in-stream" => panic!("made to fail"),
            _ => Ok(Some(Event::Stdout(vec![b'x'; 64 << 10]))),
        }
    }
}

#[inline(never)]
#[allow(
    unconditional_recursion,
    reason = "the stack is what a test wants to see the end of"
)]
fn deeper(depth: u64) -> u64 {
    let next = std::hint::black_box(depth + 1);
    std::hint::black_box(deeper(next)) + depth
}
