//! `offshoot shell`: typing to a shell in a fresh sandbox.

use crate::arguments::Shell;
use crate::completion::Assistant;
use crate::run;
use anyhow::Context;
use offshoot::{Exec, Sandbox, Terminal, TerminalEvent};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{CompletionType, Config, Editor};
use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The prompt, led by where the shell is as terminals report it (OSC 7): completion needs to know.
const PROMPT: &str = r"\[\e]7;file://\h$PWD\a\]\u@\h:\w\$ ";

/// How long an interrupt may take to bring a new prompt.
const ANSWER: Duration = Duration::from_millis(200);

/// What opens and closes that report.
const REPORT: (&str, char) = ("\x1b]7;file://", '\x07');

/// Runs the shell and returns the status to end with.
///
/// # Errors
/// Where the sandbox could not be made, or the terminal fails.
pub fn run(options: &Shell) -> anyhow::Result<u8> {
    let runtime = run::runtime()?;
    let mut builder = options.setting.builder()?;
    for mount in options.mounts.parse()? {
        builder = mount.add(builder)?;
    }
    let sandbox = options.reach.apply(builder)?.build()?;
    let status = if std::io::stdin().is_terminal() {
        converse(&runtime, &sandbox, options)
    } else {
        // Commands from a file or a pipe.
        let exec = Exec::new("exec bash -s");
        runtime.block_on(run::connect(&sandbox, exec, None::<tokio::io::Stdin>))
    };
    runtime.shutdown_background();
    status
}

/// Reads lines from the user and shows what comes of them, until the shell ends.
fn converse(runtime: &Runtime, sandbox: &Sandbox, options: &Shell) -> anyhow::Result<u8> {
    let mut exec = Exec::default();
    let has_prompt = |text: &String| text.starts_with("PS1=") || text == "PS1";
    if !options.setting.env.iter().any(has_prompt) {
        exec = exec.env("PS1", PROMPT);
    }
    let _guard = runtime.enter();
    let mut terminal = sandbox.terminal(exec)?;
    let directory = Rc::new(RefCell::new(options.setting.cwd.clone()));
    let mut editor = editor(runtime, sandbox, &directory)?;
    let mut interrupted = false;
    while let Some(written) = runtime.block_on(show(&mut terminal, interrupted))? {
        interrupted = false;
        let prompt = take_report(&written, &mut directory.borrow_mut());
        match editor.readline(&prompt) {
            Ok(line) => {
                editor.add_history_entry(&line)?;
                // Where the shell has just ended, the next round sees it.
                let _ = runtime.block_on(terminal.write(format!("{line}\n").as_bytes()));
            }
            Err(ReadlineError::Interrupted) => {
                terminal.interrupt();
                interrupted = true;
            }
            Err(ReadlineError::Eof) => terminal.end_input(),
            Err(error) => return Err(error).context("reading a line"),
        }
    }
    Ok(runtime.block_on(terminal.wait())?)
}

fn editor(
    runtime: &Runtime,
    sandbox: &Sandbox,
    directory: &Rc<RefCell<String>>,
) -> anyhow::Result<Editor<Assistant, DefaultHistory>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(false)
        .build();
    let mut editor = Editor::with_config(config).context("the terminal")?;
    editor.set_helper(Some(Assistant {
        runtime: runtime.handle().clone(),
        sandbox: sandbox.clone(),
        directory: Rc::clone(directory),
    }));
    Ok(editor)
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
