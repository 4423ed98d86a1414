//! A Databricks SQL warehouse as a backend: a command is a statement of SQL, whose rows are the output. The host
//! adds the token.
//!
//! There are no files, variables, directories or input: nothing here would have them.

mod rows;
mod settings;
mod statement;

use offshoot_connector::control::{is_plain, unreachable_is_unavailable};
use offshoot_connector::http::{Request, encoded};
use offshoot_connector::{
    Capabilities, Claims, Code, Command, Connector, Error, Input, Isolation, Network, Options,
    Persistence, Result, Sandbox, ShellResult, Stage,
};
use settings::Settings;

/// The directory that a sandbox must have. Nothing is in it.
const ROOT: &str = "/";

struct Warehouse;

offshoot_connector::export!(Warehouse);

fn capabilities() -> Capabilities {
    Capabilities {
        claims: Claims::EXEC
            | Claims::RECONNECT
            | Claims::SEPARATE_STDERR
            | Claims::EXEC_TIMEOUT
            | Claims::EXACT_OUTPUT,
        network: Network::Provider,
        persistence: Persistence::Durable,
        isolation: Isolation::Provider,
        timeout_unit_ms: 1,
    }
}

/// Asks whether the warehouse is there. It is the user's: nothing is made, and nothing ended.
fn found(mut settings: Settings, options: &Options) -> Result<Sandbox<Settings>> {
    for (value, variable) in [
        (&settings.host, "DATABRICKS_HOST"),
        (&settings.warehouse, "DATABRICKS_WAREHOUSE_ID"),
    ] {
        if value.is_empty() {
            let message = format!("the workspace or the warehouse is not set: {variable}");
            return Err(Error::new(Code::Invalid, message));
        }
    }
    if options.closed()? == Some(true) {
        return Err(Error::refused("closing the way out of a warehouse"));
    }
    if !options.environment.is_empty() {
        return Err(Error::refused("variables of statements"));
    }
    if options.cwd.as_ref().is_some_and(|wanted| wanted != ROOT) {
        return Err(Error::refused("directories of statements"));
    }
    settings.host = settings.host.trim_end_matches('/').to_owned();
    unreachable_is_unavailable(look(&settings))?;
    Ok(Sandbox {
        state: settings,
        root: ROOT.to_owned(),
        cwd: ROOT.to_owned(),
        capabilities: capabilities(),
    })
}

fn look(settings: &Settings) -> Result<()> {
    let (host, id) = (&settings.host, encoded(&settings.warehouse));
    let request = Request::get(format!("{host}/api/2.0/sql/warehouses/{id}"));
    request.send()?.success().map(drop)
}

impl Connector for Warehouse {
    type Settings = Settings;
    type State = Settings;

    fn describe() -> Capabilities {
        capabilities()
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<Settings>> {
        found(settings, &options)
    }

    fn attach(data: &str, mut settings: Settings, options: Options) -> Result<Sandbox<Settings>> {
        if !is_plain(data) {
            return Err(Error::new(Code::Invalid, "a reference is a warehouse's id"));
        }
        data.clone_into(&mut settings.warehouse);
        found(settings, &options)
    }

    fn exec(state: &Settings, command: Command) -> Result<ShellResult> {
        if !command.arguments.is_empty() {
            return Err(Error::refused("arguments of statements"));
        }
        if !command.environment.is_empty() {
            return Err(Error::refused("variables of statements"));
        }
        if matches!(&command.input, Input::Bytes(bytes) if !bytes.is_empty()) {
            return Err(Error::refused("input of statements"));
        }
        let statement = String::from_utf8(command.script)
            .map_err(|_| Error::new(Code::NotText, "a statement is UTF-8"))?;
        statement::run(state, &statement, command.timeout_ms)
    }

    fn cleanup(_state: &Settings) -> Result<()> {
        Ok(())
    }

    fn reference(state: &Settings) -> Result<String> {
        Ok(state.warehouse.clone())
    }

    fn life(state: &Settings) -> Result<Stage> {
        match look(state) {
            Ok(()) => Ok(Stage::Running),
            Err(error) if error.code == Code::NotFound => Ok(Stage::Deleted),
            Err(error) => Err(error),
        }
    }
}
