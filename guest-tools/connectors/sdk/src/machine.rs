//! Commands by way of a service that runs words and answers with text.
//!
//! Such services have no standard input, mix streams or lose bytes that are not UTF-8, and often know no
//! variables, directories or time-outs. So a script of ours runs the command with its streams in files
//! below `/tmp`, and tells them in base64. The machine needs `bash` and the usual tools of GNU (`base64`,
//! `cat`, `env`, `head`, `rm`, `timeout`, `wc`).
//!
//! What a command leaves in the background is waited for. At a time-out the command ends with its group of
//! processes; what made a session of its own goes on.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::path::{self, unique};
use crate::{
    Capabilities, Claims, Code, Command, Error, Input, Isolation, Network, Options, Persistence,
    Result, Sandbox, ShellResult,
};

/// Bytes that are told of each stream.
const KEPT: u64 = 8 << 20;
/// Bytes that an answer of [`Machine::run`] can have: both streams in base64, and what else is said.
pub const ANSWER: usize = 48 << 20;
/// Bytes of one word, as Linux has it.
const WORD: usize = (128 << 10) - 1;
/// Bytes of an input that travels as a word, in base64.
const INLINE: usize = 90_000;
/// Bytes of a longer input that are uploaded at once: how a service wants them may take several times that.
const PIECE: usize = 8 << 20;

/// The command: `"$@"` with its streams in files that begin with `$d`. Descriptor 9 is held by all that it
/// starts, so that `cat` waits for what it left in the background.
const RUN: &str = r#"d=$1 i=$2; shift 2
{ "$@" <"$i" 9>&1 >"$d.out" 2>"$d.err"; echo $? >"$d.code"; } | cat >/dev/null
: >"$d.done""#;
/// Runs [`RUN`], which is `$r`, in the directory `$c` for at most `$l` seconds, and tells the status, the
/// lengths and at most `$n` bytes of each stream.
const TELL: &str = r#"r=$1 d=$2 n=$3 c=$4 l=$5 i=$6 b=$7; shift 7
cd -- "$c" 2>/dev/null || { [ -e "$c" ] && echo "$d conflict" || echo "$d missing"; rm -f "$d.in"; exit 0; }
unset OLDPWD
(umask 077; : >"$d.out" && : >"$d.err" && { [ -z "$b" ] || printf %s "$b" | base64 -d >"$d.in"; }) || exit
${l:+timeout -s KILL "$l"} /bin/bash -c "$r" offshoot "$d" "$i" "$@"
s=$(cat "$d.code" 2>/dev/null); [ -e "$d.done" ] || s=${l:+timeout}
echo "$d ${s:-137} $(wc -c <"$d.out") $(wc -c <"$d.err")"
head -c "$n" "$d.out" | base64; echo -; head -c "$n" "$d.err" | base64
rm -f "$d.in" "$d.out" "$d.err" "$d.code" "$d.done"
"#;

/// Puts the file `$1` to the end of `$2`.
const APPEND: &str = r#"cat -- "$1" >>"$2" && rm -f -- "$1" && echo appended"#;

/// Runs the script in the file `$0`, which is removed before.
const BY_FILE: &str = r#"s=$(cat -- "$0"); rm -f -- "$0"; eval "$s""#;
/// Moves the file `$0` to `$1`.
const MOVE: &str = r#"mv -f -- "$0" "$1" && echo offshoot-moved"#;

/// What a service has to offer.
pub trait Machine {
    /// Runs words, the first of which is a program, to their end in any directory, and gives what they wrote
    /// to standard output; more around it does no harm. The text is ASCII. A `timeout_ms` is counted by what
    /// runs: the service must not end it earlier, and later only in case.
    ///
    /// # Errors
    /// Those of the provider; the status of the words is none.
    fn run(&self, words: &[String], timeout_ms: Option<u64>) -> Result<String>;

    /// Writes a file below `/tmp` that nobody looks at yet.
    ///
    /// # Errors
    /// Those of the provider.
    fn upload(&self, path: &str, content: &[u8]) -> Result<()>;
}

/// Runs a command to its end. `environment` is what each command of the sandbox has beside its own.
///
/// # Errors
/// [`Code::NotFound`] and [`Code::Conflict`] for its directory, [`Code::NotText`] and [`Code::Limit`] for words
/// that cannot be sent, [`Code::Died`] where the script did not run, and those of the provider.
pub fn exec(
    machine: &impl Machine,
    environment: &[(String, String)],
    command: &Command,
) -> Result<ShellResult> {
    let name = format!("/tmp/.offshoot-{}", unique());
    let called = called(environment, command)?;
    let (input, inline) = input(machine, command, &name)?;
    let limit = command.timeout_ms.map(seconds).unwrap_or_default();
    let mut words = ["/bin/bash", "-c", TELL, "offshoot", RUN, &name]
        .map(str::to_owned)
        .to_vec();
    words.extend([KEPT.to_string(), command.cwd.clone(), limit, input, inline]);
    words.extend(called);
    if words.iter().any(|word| word.len() > WORD) {
        let message = format!("limit reached: a script or argument of more than {WORD} bytes");
        return Err(Error::new(Code::Limit, message));
    }
    told(
        &name,
        &command.cwd,
        &machine.run(&words, command.timeout_ms)?,
    )
}

/// A machine as the host keeps it. Commands begin in `base`, or in the directory that is `wanted` below it, which
/// is made.
///
/// # Errors
/// Those of [`path::join`] and of [`mkdir`].
pub fn placed<M: Machine>(
    machine: M,
    root: &str,
    base: String,
    wanted: Option<&str>,
    capabilities: Capabilities,
) -> Result<Sandbox<M>> {
    let mut cwd = base;
    if let Some(wanted) = wanted {
        cwd = path::join(&cwd, wanted)?;
        mkdir(&machine, &cwd)?;
    }
    Ok(Sandbox {
        root: root.to_owned(),
        cwd,
        capabilities,
        state: machine,
    })
}

/// What a backend can do by way of a machine, and what else its service offers.
pub fn capabilities(more: Claims, network: Network) -> Capabilities {
    let commands = Claims::EXEC
        | Claims::RECONNECT
        | Claims::SEPARATE_STDERR
        | Claims::EXEC_ENVIRONMENT
        | Claims::EXEC_DIRECTORY
        | Claims::EXEC_TIMEOUT
        | Claims::EXACT_OUTPUT
        | Claims::STDIN;
    Capabilities {
        claims: commands | more,
        network,
        persistence: Persistence::Durable,
        isolation: Isolation::Vm,
        timeout_unit_ms: 1,
    }
}

/// Refuses what no machine can be asked for where its provider decides over the way out.
///
/// # Errors
/// Those of [`path::join`] for the directory, [`Code::Capability`] for closing the way out, as `refusal`.
pub fn checked(root: &str, options: &Options, refusal: &str) -> Result<()> {
    if let Some(wanted) = &options.cwd {
        path::join(root, wanted)?;
    }
    match options.closed()? {
        Some(true) => Err(Error::refused(refusal)),
        _ => Ok(()),
    }
}

/// Makes a new machine ready, and ends it again where that fails.
///
/// # Errors
/// Those of `ready`.
pub fn ready_or_ended<M: Machine + Clone>(
    machine: M,
    ready: impl FnOnce(M) -> Result<Sandbox<M>>,
    end: impl FnOnce(&M) -> Result<()>,
) -> Result<Sandbox<M>> {
    ready(machine.clone()).inspect_err(|_| {
        // The error that is told is the first one.
        let _ = end(&machine);
    })
}

/// Makes a directory with its parents.
///
/// # Errors
/// [`Code::Conflict`] where something else is there, and as [`exec`].
pub fn mkdir(machine: &impl Machine, path: &str) -> Result<()> {
    let command = Command {
        script: b"mkdir -p -- \"$1\"".to_vec(),
        name: None,
        arguments: vec![path.as_bytes().to_vec()],
        cwd: "/".to_owned(),
        environment: Vec::new(),
        replace_environment: false,
        input: Input::Empty,
        timeout_ms: None,
    };
    let made = exec(machine, &[], &command)?;
    match made.exit_code {
        0 => Ok(()),
        _ => {
            let why = String::from_utf8_lossy(&made.stderr);
            let why: String = why.trim().chars().take(500).collect();
            Err(Error::new(Code::Conflict, format!("{path}: {why}")))
        }
    }
}

/// Milliseconds as `timeout` takes them; it takes 0 for no limit.
fn seconds(milliseconds: u64) -> String {
    let milliseconds = milliseconds.max(1);
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// The file that standard input comes from, and what it holds where that is short.
fn input(machine: &impl Machine, command: &Command, name: &str) -> Result<(String, String)> {
    let file = format!("{name}.in");
    match &command.input {
        Input::Bytes(bytes) if bytes.is_empty() => Ok(("/dev/null".to_owned(), String::new())),
        Input::Bytes(bytes) if bytes.len() <= INLINE => Ok((file, STANDARD.encode(bytes))),
        Input::Bytes(bytes) => {
            upload(machine, &file, bytes)?;
            Ok((file, String::new()))
        }
        Input::Empty | Input::Piped => Ok(("/dev/null".to_owned(), String::new())),
    }
}

/// Carries content into a file, piece by piece.
fn upload(machine: &impl Machine, file: &str, content: &[u8]) -> Result<()> {
    let mut pieces = content.chunks(PIECE);
    machine.upload(file, pieces.next().unwrap_or_default())?;
    for piece in pieces {
        let part = format!("{file}.part");
        machine.upload(&part, piece)?;
        let words = ["/bin/bash", "-c", APPEND, "offshoot", &part, file].map(str::to_owned);
        let told = machine.run(&words, None)?;
        if !told.contains("appended") {
            let shown: String = told.chars().take(500).collect();
            return Err(Error::new(
                Code::Died,
                format!("{file} was not written: {shown}"),
            ));
        }
    }
    Ok(())
}

/// The command's own words. Its variables are among them: the script has those of the sandbox.
fn called(sandbox: &[(String, String)], command: &Command) -> Result<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let sandbox = if command.replace_environment {
        &[]
    } else {
        sandbox
    };
    let pairs: Vec<_> = sandbox.iter().chain(&command.environment).collect();
    if command.replace_environment || !pairs.is_empty() {
        words.push("/usr/bin/env".to_owned());
    }
    if command.replace_environment {
        words.push("-i".to_owned());
    }
    words.extend(pairs.iter().map(|(name, value)| format!("{name}={value}")));
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

/// Words as one text, for services whose shell splits it: each in single quotes, and without input.
pub fn text(words: &[String]) -> String {
    let quoted = words
        .iter()
        .map(|word| format!("'{}'", word.replace('\'', r"'\''")));
    quoted.collect::<Vec<_>>().join(" ") + " </dev/null"
}

/// Words that run what the words of a [`text`] in a file say, for services that take only few bytes. The file
/// is removed before that begins.
pub fn by_file(file: &str) -> Vec<String> {
    ["/bin/bash", "-c", BY_FILE, file]
        .map(str::to_owned)
        .to_vec()
}

/// Moves a file, for services that upload to some directories only.
///
/// # Errors
/// [`Code::Died`] where it stays, and those of the provider.
pub fn moved(machine: &impl Machine, from: &str, to: &str) -> Result<()> {
    let words = ["/bin/bash", "-c", MOVE, from, to].map(str::to_owned);
    let told = machine.run(&words, None)?;
    match told.trim() {
        "offshoot-moved" => Ok(()),
        _ => Err(Error::new(Code::Died, format!("{to} was not written"))),
    }
}

/// What [`TELL`] told.
fn told(name: &str, cwd: &str, text: &str) -> Result<ShellResult> {
    let lost = || {
        let shown: String = text.chars().take(500).collect();
        Error::new(Code::Died, format!("the command was not run: {shown}"))
    };
    let begin = text.find(&format!("{name} ")).ok_or_else(lost)?;
    let mut lines = text[begin..].lines();
    let head = lines.next().unwrap_or_default();
    let head: Vec<&str> = head.split_whitespace().collect();
    let (code, [out, err]) = match head[..] {
        [_, "missing"] => return Err(Error::new(Code::NotFound, format!("{cwd}: not found"))),
        [_, "conflict"] => {
            return Err(Error::new(
                Code::Conflict,
                format!("{cwd}: not a directory"),
            ));
        }
        [_, code, out, err] => (code, [out, err]),
        _ => return Err(lost()),
    };
    let timed_out = code == "timeout";
    let (first, rest) = {
        let first: String = lines.by_ref().take_while(|line| *line != "-").collect();
        (first, lines.collect::<String>())
    };
    let bytes = |text: String| STANDARD.decode(text).map_err(Error::corrupt);
    let more = |text: &str| text.parse().is_ok_and(|length: u64| length > KEPT);
    Ok(ShellResult {
        exit_code: match timed_out {
            true => 124,
            false => code.parse().map_err(Error::corrupt)?,
        },
        stdout: bytes(first)?,
        stderr: bytes(rest)?,
        timed_out,
        truncated: more(out) || more(err),
    })
}
