//! `offshoot shell`: typing to a shell in a fresh sandbox, or in one that is kept.

use crate::arguments::Shell;
use crate::completion::Assistant;
use crate::{execute, kept, run};
use anyhow::Context;
use offshoot::{Exec, Sandbox, Terminal, TerminalEvent};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Editor, Event, EventContext,
    EventHandler, KeyEvent, RepeatCount,
};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, Runtime};

/// The prompt, led by where the shell is as terminals report it (OSC 7): completion needs to know.
const PROMPT: &str = r"\[\e]7;file://\h$PWD\a\]\u@\h:\w\$ ";

/// Where a shell begins.
const HOME: &str = "/home/user";

/// How long an interrupt may take to bring a new prompt.
const ANSWER: Duration = Duration::from_millis(200);

/// What opens and closes that report.
const REPORT: (&str, char) = ("\x1b]7;file://", '\x07');

/// Runs the shell and returns the status to end with.
///
/// # Errors
/// Where the sandbox could not be made, the terminal fails, or what changed cannot be kept.
pub fn run(options: Shell) -> anyhow::Result<u8> {
    let runtime = run::runtime()?;
    let status = match options.name.clone() {
        Some(name) => runtime.block_on(in_kept(options, name)),
        None => in_fresh(&runtime, options),
    };
    runtime.shutdown_background();
    status
}

fn in_fresh(runtime: &Runtime, options: Shell) -> anyhow::Result<u8> {
    let mut builder = options.setting.builder()?;
    for mount in options.mounts.parse()? {
        builder = mount.add(builder)?;
    }
    let sandbox = options.reach.apply(builder)?.build()?;
    runtime.block_on(talk(sandbox, options.setting.cwd, options.setting.env))
}

/// What is changed is kept, however the conversation ends.
async fn in_kept(options: Shell, name: String) -> anyhow::Result<u8> {
    let sandboxes = options.reach.apply_to_all(kept::builder(&options.place)?)?;
    let sandboxes = kept::ready(sandboxes.build()).await;
    let talk = |sandbox| talk(sandbox, HOME.to_owned(), Vec::new());
    execute::converse(&sandboxes, &name, talk).await
}

/// A conversation where somebody types; otherwise commands are read from a file or a pipe. The user has
/// set what is in `given`.
async fn talk(sandbox: Sandbox, directory: String, given: Vec<String>) -> anyhow::Result<u8> {
    if std::io::stdin().is_terminal() {
        return converse(sandbox, directory, &given).await;
    }
    let exec = Exec::new("exec bash -s");
    run::connect(&sandbox, exec, None::<tokio::io::Stdin>).await
}

/// Reads lines from the user and shows what comes of them, until the shell ends.
async fn converse(sandbox: Sandbox, directory: String, given: &[String]) -> anyhow::Result<u8> {
    let directory = Arc::new(Mutex::new(directory));
    let last_argument = LastArgument::default();
    let mut editor = editor(sandbox.clone(), &directory, &last_argument)?;
    let (columns, lines) = editor.dimensions().unwrap_or((80, 24));
    let mut variables = vec![
        ("PS1", PROMPT.to_owned()),
        ("COLUMNS", columns.to_string()),
        ("LINES", lines.to_string()),
    ];
    if let Ok(kind) = std::env::var("TERM") {
        variables.push(("TERM", kind));
    }
    let is_given = |name: &str| {
        given
            .iter()
            .any(|text| text.split('=').next() == Some(name))
    };
    variables.retain(|(name, _)| !is_given(name));
    let mut exec = Exec::default();
    for (name, value) in variables {
        exec = exec.env(name, value);
    }
    let mut terminal = sandbox.terminal(exec)?;
    let mut interrupted = false;
    while let Some(written) = show(&mut terminal, interrupted).await? {
        interrupted = false;
        let prompt = take_report(
            &written,
            &mut directory.lock().unwrap_or_else(PoisonError::into_inner),
        );
        // Keys are read on a thread of their own, so that a signal finds somebody awake.
        let read = move || {
            let line = editor.readline(&prompt);
            (editor, line)
        };
        let (back, line) = tokio::task::spawn_blocking(read).await?;
        editor = back;
        match line {
            Ok(line) => {
                editor.add_history_entry(&line)?;
                last_argument.learn(&line);
                // Where the shell has just ended, the next round sees it.
                let _ = terminal.write(format!("{line}\n").as_bytes()).await;
            }
            Err(ReadlineError::Interrupted) => {
                terminal.interrupt();
                interrupted = true;
            }
            Err(ReadlineError::Eof) => terminal.end_input(),
            Err(error) => return Err(error).context("reading a line"),
        }
    }
    Ok(terminal.wait().await?)
}

fn editor(
    sandbox: Sandbox,
    directory: &Arc<Mutex<String>>,
    last_argument: &LastArgument,
) -> anyhow::Result<Editor<Assistant, DefaultHistory>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(false)
        .build();
    let mut editor = Editor::with_config(config).context("the terminal")?;
    editor.set_helper(Some(Assistant {
        runtime: Handle::current(),
        sandbox,
        directory: Arc::clone(directory),
    }));
    let handler = EventHandler::Conditional(Box::new(last_argument.clone()));
    editor.bind_sequence(KeyEvent::alt('.'), handler);
    Ok(editor)
}

/// Alt-. writes the last word of the line before.
#[derive(Debug, Clone, Default)]
struct LastArgument(Arc<Mutex<String>>);

impl LastArgument {
    fn learn(&self, line: &str) {
        if let Some(word) = line.split_whitespace().next_back() {
            let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            word.clone_into(&mut last);
        }
    }
}

impl ConditionalEventHandler for LastArgument {
    fn handle(
        &self,
        _event: &Event,
        _count: RepeatCount,
        _positive: bool,
        _context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Cmd::Insert(1, last.clone()))
    }
}

/// Shows what is written until it is the user's turn, and returns the unfinished line: the prompt.
/// None where the shell ended.
async fn show(terminal: &mut Terminal, interrupted: bool) -> anyhow::Result<Option<String>> {
    let mut unfinished = Vec::new();
    let answer = Instant::now() + ANSWER;
    loop {
        let event = tokio::select! {
            event = terminal.next() => event,
            _ = tokio::signal::ctrl_c() => {
                terminal.interrupt();
                continue;
            }
        };
        match event {
            TerminalEvent::Output(bytes) => {
                unfinished.extend_from_slice(&bytes);
                let whole = unfinished.iter().rposition(|&byte| byte == b'\n');
                let rest = unfinished.split_off(whole.map_or(0, |at| at + 1));
                let mut stdout = std::io::stdout().lock();
                stdout.write_all(&unfinished)?;
                stdout.flush()?;
                unfinished = rest;
            }
            // What waited before the interrupt may not have seen it yet.
            TerminalEvent::Turn
                if interrupted && unfinished.is_empty() && Instant::now() < answer =>
            {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            TerminalEvent::Turn => {
                return Ok(Some(String::from_utf8_lossy(&unfinished).into_owned()));
            }
            _ => {
                std::io::stdout().write_all(&unfinished)?;
                return Ok(None);
            }
        }
    }
}

/// The prompt without the report of the working directory, which is taken over.
fn take_report(written: &str, directory: &mut String) -> String {
    let (open, close) = REPORT;
    let Some((before, rest)) = written.split_once(open) else {
        return written.to_owned();
    };
    let Some((place, after)) = rest.split_once(close) else {
        return written.to_owned();
    };
    if let Some(at) = place.find('/') {
        place[at..].clone_into(directory);
    }
    [before, after].concat()
}

#[cfg(test)]
mod tests {
    use super::take_report;

    #[test]
    fn the_report_leaves_the_prompt() {
        let mut directory = String::from("/home/user");
        for (written, prompt, expected) in [
            ("Name: ", "Name: ", "/home/user"),
            (
                "\x1b]7;file://sandbox/tmp\x07u@h:/tmp$ ",
                "u@h:/tmp$ ",
                "/tmp",
            ),
            (
                "\x1b]7;file://sandbox/never closed",
                "\x1b]7;file://sandbox/never closed",
                "/tmp",
            ),
        ] {
            assert_eq!(take_report(written, &mut directory), prompt);
            assert_eq!(directory, expected);
        }
    }
}
