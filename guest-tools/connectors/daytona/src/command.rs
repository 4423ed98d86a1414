//! Commands. Daytona runs a text and gives one string in which both streams are mixed and bytes that
//! are not UTF-8 are lost, and nothing at all after a time-out. So a script of ours runs the command
//! with its streams in files, and tells them in base64.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::http::Request;
use offshoot_connector::path::unique;
use offshoot_connector::{Code, Command, Error, FileKind, Input, Result, ShellResult};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::control::checked;
use crate::files;
use crate::settings::State;

/// Bytes that are told of each stream.
const KEPT: u64 = 8 << 20;
/// Bytes of the answer: both streams in base64, and what the provider's shell says.
const ANSWER: usize = 48 << 20;
/// Bytes of one word, as Linux has it.
const WORD: usize = (128 << 10) - 1;
/// Seconds of a command without a time-out. Without a number the provider takes one of its own, which
/// clients document as 10; the host's limit is a day.
const FOREVER: u64 = 24 * 3600;
/// Seconds for what collects the output of a command that was ended.
const COLLECT_SECONDS: u64 = 120;
/// The exit status where the provider could not start its shell.
const NOT_STARTED: i64 = -1;

/// Runs `"$@"` with its streams in files that begin with `$1`. Descriptor 9 is held by all that it
/// starts, so that `cat` waits for what it left in the background.
const RUN: &str = r#"d=$1 n=$2 i=$3; shift 3
(umask 077; : >"$d.out" && : >"$d.err" && : >"$d.code") || exit
{ "$@" <"$i" 9>&1 >"$d.out" 2>"$d.err"; echo $? >"$d.code"; } | cat >/dev/null
"#;
/// What begins in place of [`RUN`] after a time-out.
const ENDED: &str = "d=$1 n=$2\n";
/// Tells the status, the lengths and at most `$n` bytes of each stream.
const COLLECT: &str = r#"
echo "$d $(cat "$d.code") $(wc -c <"$d.out") $(wc -c <"$d.err")"
head -c "$n" "$d.out" | base64; echo -; head -c "$n" "$d.err" | base64
rm -f "$d.in" "$d.out" "$d.err" "$d.code"
"#;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ran {
    exit_code: Option<i64>,
    result: String,
}

/// Runs a command to its end.
pub(crate) fn run(state: &State, command: &Command) -> Result<ShellResult> {
    let name = format!("/tmp/.offshoot-{}", unique());
    let mut words = wrapped(&format!("{RUN}{COLLECT}"), &name);
    words.push(input(state, command, &name)?);
    words.extend(called(command)?);
    let seconds = match command.timeout_ms {
        Some(milliseconds) => milliseconds.div_ceil(1000),
        None => FOREVER,
    };
    let asked = json!({
        "command": text(&words)?,
        "cwd": command.cwd,
        "timeout": seconds,
    });
    match execute(state, &asked)? {
        None => {
            let words = wrapped(&format!("{ENDED}{COLLECT}"), &name);
            let asked = json!({ "command": text(&words)?, "timeout": COLLECT_SECONDS });
            let ran = execute(state, &asked)?;
            let ran = ran.ok_or_else(|| Error::new(Code::Died, "its output cannot be read"))?;
            let mut result = told(&name, &ran.result)?;
            (result.exit_code, result.timed_out) = (124, true);
            Ok(result)
        }
        Some(ran) if ran.exit_code == Some(NOT_STARTED) => Err(explained(state, command, &ran)),
        Some(ran) => told(&name, &ran.result),
    }
}

/// A script of bash with the name of the files and the limit as its first arguments.
fn wrapped(script: &str, name: &str) -> Vec<String> {
    let words = [
        "/bin/bash",
        "-c",
        script,
        "offshoot",
        name,
        &KEPT.to_string(),
    ];
    words.map(str::to_owned).to_vec()
}

/// The file that standard input comes from.
fn input(state: &State, command: &Command, name: &str) -> Result<String> {
    match &command.input {
        Input::Bytes(bytes) => {
            let path = format!("{name}.in");
            files::upload(state, &path, bytes)?;
            Ok(path)
        }
        Input::Empty | Input::Piped => Ok("/dev/null".to_owned()),
    }
}

/// The command's own words. Its variables are among them: the script has those of the sandbox.
fn called(command: &Command) -> Result<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    if command.replace_environment || !command.environment.is_empty() {
        words.push("/usr/bin/env".to_owned());
    }
    if command.replace_environment {
        words.push("-i".to_owned());
    }
    let pairs = command.environment.iter();
    words.extend(pairs.map(|(name, value)| format!("{name}={value}")));
    words.extend(["/bin/bash", "-c"].map(str::to_owned));
    let name = command.name.clone().unwrap_or_else(|| b"bash".to_vec());
    let given = [&command.script, &name];
    for word in given.into_iter().chain(&command.arguments) {
        let word = String::from_utf8(word.clone()).map_err(|_| {
            let message = "a script or argument that is not UTF-8 cannot be sent";
            Error::new(Code::NotText, message)
        })?;
        words.push(word);
    }
    Ok(words)
}

/// The words as one text. The provider's shell may be zsh, bash or sh, and reads the text where a
/// command would find its input; so there is nothing in it but a command and its words.
fn text(words: &[String]) -> Result<String> {
    if words.iter().any(|word| word.len() > WORD) {
        let message = format!("limit reached: a script or argument of more than {WORD} bytes");
        return Err(Error::new(Code::Limit, message));
    }
    let quoted = words
        .iter()
        .map(|word| format!("'{}'", word.replace('\'', r"'\''")));
    Ok(quoted.collect::<Vec<_>>().join(" ") + " </dev/null")
}

/// Has the provider run a text; nothing where its time was over.
fn execute(state: &State, asked: &Value) -> Result<Option<Ran>> {
    let request = Request::post(format!("{}/process/execute", state.toolbox)).json(asked)?;
    let answer = request.send()?;
    if answer.status() == 408 {
        return Ok(None);
    }
    let body = checked(state, answer)?.read(ANSWER)?;
    serde_json::from_slice(&body)
        .map(Some)
        .map_err(Error::corrupt)
}

/// What [`COLLECT`] told.
fn told(name: &str, result: &str) -> Result<ShellResult> {
    let lost = || {
        let shown: String = result.chars().take(500).collect();
        Error::new(Code::Died, format!("the command was not run: {shown}"))
    };
    let begin = result.find(&format!("{name} ")).ok_or_else(lost)?;
    let mut lines = result[begin..].lines();
    let head: Vec<&str> = lines
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    // After a time-out there is no status.
    let (code, [out, err]) = match head[..] {
        [_, code, out, err] => (code.parse().map_err(Error::corrupt)?, [out, err]),
        [_, out, err] => (137, [out, err]),
        _ => return Err(lost()),
    };
    let first: String = lines.by_ref().take_while(|line| *line != "-").collect();
    let second: String = lines.collect();
    let bytes = |text: String| STANDARD.decode(text).map_err(Error::corrupt);
    let more = |text: &str| text.parse().is_ok_and(|length: u64| length > KEPT);
    Ok(ShellResult {
        exit_code: code,
        stdout: bytes(first)?,
        stderr: bytes(second)?,
        timed_out: false,
        truncated: more(out) || more(err),
    })
}

/// What the provider does not run at all has most often no directory.
fn explained(state: &State, command: &Command, ran: &Ran) -> Error {
    match files::stat(state, &command.cwd) {
        Err(error) => error,
        Ok(found) if found.kind != FileKind::Directory => {
            let message = format!("{}: not a directory", command.cwd);
            Error::new(Code::Conflict, message)
        }
        Ok(_) => {
            let shown: String = ran.result.chars().take(500).collect();
            Error::new(Code::Died, format!("the command was not started: {shown}"))
        }
    }
}
