//! A connector to begin with: copy the folder, and change what speaks of boxes.
//!
//! Boxes is a made-up service. It makes a box with `POST /boxes`, runs `POST /boxes/ID/run`, and keeps
//! files under `/boxes/ID/files?path=…` (GET, PUT, DELETE), with `?about=…` for facts and names and
//! `POST …?directory=…` for directories. Bytes travel in JSON as base64. docs/connectors.md goes
//! through this file.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::http::{Request, Response};
use offshoot_connector::{
    Capabilities, Claims, Code, Command, Connector, Error, FileKind, FileStat, Input, Isolation,
    Network, Options, Persistence, Result, Sandbox, ShellResult,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

struct Boxes;

offshoot_connector::export!(Boxes);

// Settings and state

/// What an operator or a user may set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// The address of the service.
    api: String,
}

/// What later calls need to find the box. The token is a stand-in: the host keeps the real one.
#[derive(Serialize, Deserialize)]
struct State {
    api: String,
    id: String,
    token: String,
}

impl State {
    /// A request about this box.
    fn request(&self, make: fn(String) -> Request, path: &str) -> Request {
        let url = format!("{}/boxes/{}{path}", self.api, self.id);
        make(url).header("authorization", format!("Bearer {}", self.token))
    }
}

fn put(url: String) -> Request {
    Request::new(
        offshoot_connector::bindings::wasi::http::types::Method::Put,
        url,
    )
}

// What the service can do

fn capabilities() -> Capabilities {
    Capabilities {
        claims: Claims::EXEC
            | Claims::FILESYSTEM
            | Claims::BINARY_FILES
            | Claims::SEPARATE_STDERR
            | Claims::EXEC_ENVIRONMENT
            | Claims::EXEC_DIRECTORY
            | Claims::EXEC_TIMEOUT
            | Claims::EXACT_OUTPUT
            | Claims::STDIN,
        network: Network::None,
        persistence: Persistence::Session,
        isolation: Isolation::Provider,
        timeout_unit_ms: 1,
    }
}

impl Connector for Boxes {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities()
    }

    // A box from its making to its end

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        if options
            .network
            .is_some_and(|network| network != Network::None)
        {
            return Err(Error::refused("a way out"));
        }
        #[derive(Deserialize)]
        struct Made {
            id: String,
            token: String,
            root: String,
            home: String,
        }
        let variables: serde_json::Map<String, Value> = options
            .environment
            .into_iter()
            .map(|(name, value)| (name, value.into()))
            .collect();
        let made: Made = Request::post(format!("{}/boxes", settings.api))
            .json(&json!({ "variables": variables, "directory": options.cwd }))?
            .send()?
            .success()?
            .json()?;
        Ok(Sandbox {
            state: State {
                api: settings.api,
                id: made.id,
                token: made.token,
            },
            root: made.root,
            cwd: made.home,
            capabilities: capabilities(),
        })
    }

    fn cleanup(state: &State) -> Result<()> {
        match state.request(Request::delete, "").send()?.success() {
            Err(error) if error.code == Code::NotFound => Ok(()),
            answer => answer.map(drop),
        }
    }

    // Commands

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        #[derive(Deserialize)]
        struct Ran {
            status: u8,
            stdout: String,
            stderr: String,
            timed_out: bool,
            truncated: bool,
        }
        let stdin = match &command.input {
            Input::Bytes(bytes) => STANDARD.encode(bytes),
            Input::Empty | Input::Piped => String::new(),
        };
        let words = command.arguments.iter().map(|word| STANDARD.encode(word));
        let ran: Ran = state
            .request(Request::post, "/run")
            .json(&json!({
                "script": STANDARD.encode(&command.script),
                "name": command.name.as_ref().map(|name| STANDARD.encode(name)),
                "arguments": words.collect::<Vec<_>>(),
                "directory": command.cwd,
                "variables": command.environment,
                "only_these": command.replace_environment,
                "stdin": stdin,
                "timeout_ms": command.timeout_ms,
            }))?
            .send()?
            .success()?
            .json()?;
        Ok(ShellResult {
            exit_code: ran.status,
            stdout: bytes(&ran.stdout)?,
            stderr: bytes(&ran.stderr)?,
            timed_out: ran.timed_out,
            truncated: ran.truncated,
        })
    }

    // Files

    fn read_file(state: &State, path: &str) -> Result<Vec<u8>> {
        let request = state.request(Request::get, &at("path", path));
        request.send()?.success()?.read(256 << 20)
    }

    fn write_file(state: &State, path: &str, content: Vec<u8>) -> Result<()> {
        let request = state.request(put, &at("path", path));
        let request = request.body("application/octet-stream", content);
        request.send()?.success().map(drop)
    }

    fn stat(state: &State, path: &str) -> Result<FileStat> {
        let about = about(state, path)?;
        Ok(FileStat {
            kind: match about.kind.as_str() {
                "file" => FileKind::File,
                "directory" => FileKind::Directory,
                _ => FileKind::Other,
            },
            size: about.size,
            modified: None,
            changed: None,
            accessed: None,
            is_symlink: None,
            mode: None,
        })
    }

    fn readdir(state: &State, path: &str) -> Result<Vec<String>> {
        let missing = || Error::new(Code::Conflict, format!("{path}: not a directory"));
        about(state, path)?.names.ok_or_else(missing)
    }

    fn mkdir(state: &State, path: &str, recursive: bool) -> Result<()> {
        let more = format!("&recursive={recursive}");
        let request = state.request(Request::post, &(at("directory", path) + &more));
        request.send()?.success().map(drop)
    }

    fn rm(state: &State, path: &str, recursive: bool, force: bool) -> Result<()> {
        let more = format!("&recursive={recursive}&force={force}");
        let request = state.request(Request::delete, &(at("path", path) + &more));
        request.send()?.success().map(drop)
    }
}

fn bytes(text: &str) -> Result<Vec<u8>> {
    STANDARD.decode(text).map_err(Error::corrupt)
}

/// What the service tells of a path.
#[derive(Deserialize)]
struct About {
    kind: String,
    size: u64,
    names: Option<Vec<String>>,
}

fn about(state: &State, path: &str) -> Result<About> {
    let answer: Result<Response> = state.request(Request::get, &at("about", path)).send();
    answer?.success()?.json()
}

/// The path of a request that names a file.
fn at(what: &str, path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    let encoded: String = path
        .bytes()
        .map(|byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect();
    format!("/files?{what}={encoded}")
}
