//! Commands that are run inside of something by way of its own exec: how they are wrapped, marked,
//! and ended with all that they started.

use offshoot_backend::{
    Capabilities, Code, Error, Exec, Result, Running, ShellResult, Signal, TIMED_OUT, collect,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The variable that marks what belongs to an execution.
pub(crate) const MARK: &str = "OFFSHOOT_EXEC";
/// How long the answer to a time-out waits for the command's end: it must not be late.
pub(crate) const GRACE: Duration = Duration::from_millis(150);
/// A string of an argument vector has at most 128 KiB.
pub(crate) const MAX_ARGUMENT: usize = 100_000;
/// The status by which our shell says that the directory is missing; its message is the mark.
pub(crate) const NO_DIRECTORY: u8 = 126;
/// The bytes of output that one execution may collect: a host with many sandboxes must not run
/// out of memory by one `yes`.
pub(crate) const OUTPUT: usize = 64 << 20;

/// What every backend of this crate can do that runs commands.
pub(crate) const COMMANDS: Capabilities = {
    let mut record = Capabilities::NONE;
    record.exec = true;
    record.snapshot = true;
    record.restore = true;
    record.fork = true;
    record.suspend = true;
    record.resume = true;
    record.separate_stderr = true;
    record.exec_environment = true;
    record.exec_directory = true;
    record.exec_timeout = true;
    record.exact_output = true;
    record.stdin = true;
    record.streaming = true;
    record.cancel = true;
    record.signals = true;
    record.snapshot_files = true;
    record.snapshot_settings = true;
    record
};

/// Leads the session: changes into `$1`, runs the words behind `$2`, and ends when nothing that
/// they started is left. Signals are for the command, not for it.
pub(crate) const LEAD: &str = r#"
trap : INT TERM
cd -- "$1" 2>/dev/null || { printf %s "$2" >&2; exit 126; }
shift 2
"$@"
c=$?
while :; do
  left=
  for f in /proc/[0-9]*/stat; do
    { read -r line <"$f"; } 2>/dev/null || continue
    line=${line##*) }
    set -- $line
    p=${f#/proc/}
    if [ "$3" = $$ ] && [ "$1" != Z ] && [ "${p%/stat}" != $$ ]; then left=1; break; fi
  done
  [ -n "$left" ] || break
  sleep 0.05
done
exit $c
"#;

/// Runs `$1` with the better shell that there is.
const SHELL: &str = r#"
b=sh; command -v bash >/dev/null 2>&1 && b=bash
exec "$b" -c "$@"
"#;

/// Sends `$2` to everything that carries the mark `$1`, and to the groups that such processes
/// lead; where that is TERM and `$3` is set, KILL follows after two seconds.
const END: &str = r#"
hit() {
  found=
  for d in /proc/[0-9]*; do
    tr '\0' '\n' 2>/dev/null <"$d/environ" | grep -qxF "OFFSHOOT_EXEC=$1" || continue
    p=${d#/proc/}; found=1
    kill -s "$2" -- "-$p" 2>/dev/null
    kill -s "$2" "$p" 2>/dev/null
  done
  [ -n "$found" ]
}
hit "$1" "$2"
[ -n "$3" ] || exit 0
i=0
while [ $i -lt 20 ] && hit "$1" CONT; do i=$((i+1)); sleep 0.1; done
hit "$1" KILL
exit 0
"#;

/// The words of the command to run inside: `lead` with the directory, the mark and the rest.
pub(crate) fn words(
    backend: &'static str,
    lead: &str,
    exec: &Exec,
    cwd: &str,
    mark: &str,
) -> Result<Vec<String>> {
    let too_long = exec.script.len() > MAX_ARGUMENT
        || exec.arguments.iter().any(|word| word.len() > MAX_ARGUMENT);
    if too_long {
        let message =
            format!("limit reached: a script or argument has at most {MAX_ARGUMENT} bytes");
        return Err(Error::new(Code::Limit, "exec", message).on(backend));
    }
    let text = |bytes: &[u8]| {
        String::from_utf8(bytes.to_vec()).map_err(|_| {
            let message = "scripts and arguments are UTF-8 here";
            Error::new(Code::Invalid, "exec", message).on(backend)
        })
    };
    let mut words = ["sh", "-c", lead, "offshoot", cwd, mark]
        .map(str::to_owned)
        .to_vec();
    if exec.replace_environment {
        words.extend(["env", "-i"].map(str::to_owned));
        words.extend(environment(exec, mark));
    }
    words.extend(["sh", "-c", SHELL, "offshoot"].map(str::to_owned));
    words.push(text(&exec.script)?);
    words.push(text(exec.name.as_deref().unwrap_or(b"bash"))?);
    for argument in &exec.arguments {
        words.push(text(argument)?);
    }
    Ok(words)
}

/// The variables of an execution, its mark among them.
pub(crate) fn environment(exec: &Exec, mark: &str) -> Vec<String> {
    exec.environment
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .chain([format!("{MARK}={mark}")])
        .collect()
}

/// The words that send a signal to everything with a mark; with `insist`, KILL follows TERM.
pub(crate) fn end<'a>(mark: &'a str, signal: &'a str, insist: bool) -> [&'a str; 7] {
    let insist = if insist { "yes" } else { "" };
    ["sh", "-c", END, "offshoot", mark, signal, insist]
}

/// A mark that no other execution on this machine has.
pub(crate) fn mark() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{:x}-{:?}-{number}", std::process::id(), Instant::now());
    mark.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "")
}

/// A signal by the name that `kill -s` takes.
pub(crate) fn signal_name(backend: &'static str, signal: Signal) -> Result<&'static str> {
    match signal {
        Signal::Interrupt => Ok("INT"),
        Signal::Terminate => Ok("TERM"),
        Signal::Kill => Ok("KILL"),
        _ => Err(Error::unsupported(backend, "signal", "this signal")),
    }
}

/// The result of a command that answers its time-out itself.
pub(crate) async fn result(
    exec: &Exec,
    running: &mut dyn Running,
    started: Instant,
) -> Result<ShellResult> {
    let mut result = collect(exec, running, started, OUTPUT).await?;
    result.timed_out = result.exit_code == TIMED_OUT
        && exec
            .timeout
            .is_some_and(|timeout| started.elapsed() >= timeout);
    Ok(result)
}
