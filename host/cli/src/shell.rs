//! `offshoot shell`: typing to a shell in a fresh sandbox, or in one that is kept.

use crate::arguments::Shell;
use crate::completion::{Assistant, Told};
use crate::system::keys::{self, Keys};
use crate::{execute, kept, run, system};
use anyhow::Context;
use offshoot::{Exec, Sandbox, Terminal, TerminalEvent};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Editor, Event, EventContext,
    EventHandler, ExternalPrinter, KeyEvent, RepeatCount,
};
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::{Handle, Runtime};

/// The prompt, led by where the shell is as terminals report it (OSC 7), and by the names that it has:
/// completion needs to know.
const PROMPT: &str = concat!(
    r"\[\e]7;file://\h$PWD\a\e]7701;",
    r"$(echo $(compgen -P \$ -v; compgen -A function -a))",
    r"\a\]\u@\h:\w\$ "
);

/// What somebody who types expects of commands, unless the user's own file says otherwise: done before
/// the first prompt, and nowhere but here.
const BEGINNING: &str = r#"unset PROMPT_COMMAND
for REPLY in ls dir vdir grep egrep fgrep; do
  alias "$REPLY" &> /dev/null || alias "$REPLY=$REPLY --color=auto"
done
unset REPLY"#;

/// Where a shell begins.
const HOME: &str = "/home/user";

/// How long an interrupt may take to bring a new prompt.
const ANSWER: Duration = Duration::from_millis(200);

/// How often it is looked whether the terminal has another size, or is taken otherwise.
const LOOK: Duration = Duration::from_millis(100);

/// What opens the reports, and what closes them.
const PLACE: &str = "\x1b]7;file://";
const NAMES: &str = "\x1b]7701;";
const CLOSE: char = '\x07';

/// Behind which the cursor stands at the beginning of a line: the last one ends a program on the whole screen.
const BEGINNINGS: [&[u8]; 3] = [b"\n", b"\r", b"\x1b[?1049l"];

/// Ctrl-C and Ctrl-Z.
const INTERRUPT: u8 = 3;
const SUSPEND: u8 = 26;

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
    let mounts = options.mounts.parse()?;
    options.setting.check_directory(&mounts)?;
    for mount in &mounts {
        builder = mount.add(builder)?;
    }
    let sandbox = options.reach.apply(builder)?.build()?;
    runtime.block_on(talk(sandbox, options.setting.cwd, options.setting.env))
}

/// What is changed is kept, however the conversation ends.
async fn in_kept(options: Shell, name: String) -> anyhow::Result<u8> {
    let sandboxes = options
        .reach
        .apply_to_all(kept::builder(&options.place)?, None)?;
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
    let told = Arc::new(Mutex::new(Told {
        directory,
        names: Vec::new(),
    }));
    let mut typist = Typist::new(sandbox.clone(), &told)?;
    let size = keys::size();
    let mut terminal = sandbox.terminal(beginning(size, given))?;
    terminal.resize(size.0, size.1);
    let mut interrupted = false;
    while let Some(written) = show(&mut terminal, interrupted).await? {
        let (prompt, is_own) = take_reports(
            &written,
            &mut told.lock().unwrap_or_else(PoisonError::into_inner),
        );
        let line = match terminal.echoes() {
            true => typist.line(&mut terminal, prompt, is_own).await?,
            false => hidden_line(&prompt).await?,
        };
        resize(&terminal);
        interrupted = matches!(line, Typed::Interrupt | Typed::Suspend);
        match line {
            // Where the shell has just ended, the next round sees it.
            Typed::Line(line) => drop(terminal.write(&line).await),
            Typed::Interrupt => terminal.interrupt(),
            Typed::Suspend => terminal.suspend(),
            Typed::End => terminal.end_input(),
        }
    }
    Ok(terminal.wait().await?)
}

/// How the shell begins. The user has set what is in `given`.
fn beginning((columns, lines): (u16, u16), given: &[String]) -> Exec {
    let mut variables = vec![
        ("PS1", PROMPT.to_owned()),
        ("PROMPT_COMMAND", BEGINNING.to_owned()),
        ("COLUMNS", columns.to_string()),
        ("LINES", lines.to_string()),
        ("EDITOR", "vi".to_owned()),
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
    let exec = Exec::default();
    variables
        .into_iter()
        .fold(exec, |exec, (name, value)| exec.env(name, value))
}

/// What the user did at a prompt.
enum Typed {
    Line(Vec<u8>),
    Interrupt,
    Suspend,
    End,
}

/// The line editor.
struct Typist {
    /// None while a thread reads keys with it.
    editor: Option<Editor<Assistant, DefaultHistory>>,
    last_argument: LastArgument,
    suspension: Suspension,
}

impl Typist {
    fn new(sandbox: Sandbox, told: &Arc<Mutex<Told>>) -> anyhow::Result<Typist> {
        let (last_argument, suspension) = (LastArgument::default(), Suspension::default());
        let editor = editor(sandbox, told, &last_argument, &suspension)?;
        Ok(Typist {
            editor: Some(editor),
            last_argument,
            suspension,
        })
    }

    /// A line, behind the prompt of the shell itself or of a program. What jobs write meanwhile appears
    /// above it.
    async fn line(
        &mut self,
        terminal: &mut Terminal,
        prompt: String,
        is_own: bool,
    ) -> anyhow::Result<Typed> {
        let mut editor = self.editor.take().context("the line editor is gone")?;
        let mut printer = editor.create_external_printer().context("the terminal")?;
        self.suspension.begin(is_own);
        // Keys are read on a thread of their own, so that a signal finds somebody awake.
        let read = move || {
            let line = editor.readline(&prompt);
            (editor, line)
        };
        let mut reading = tokio::task::spawn_blocking(read);
        let mut ended = false;
        let (editor, line) = loop {
            tokio::select! {
                done = &mut reading => break done?,
                written = terminal.written(), if !ended => match written {
                    Some(bytes) => printer.print(String::from_utf8_lossy(&bytes).into_owned())?,
                    None => ended = true,
                },
            }
        };
        let editor = self.editor.insert(editor);
        Ok(match line {
            Ok(line) => {
                editor.add_history_entry(&line)?;
                self.last_argument.learn(&line);
                Typed::Line(format!("{line}\n").into_bytes())
            }
            Err(ReadlineError::Interrupted) if self.suspension.was_asked() => Typed::Suspend,
            Err(ReadlineError::Interrupted) => Typed::Interrupt,
            Err(ReadlineError::Eof) => Typed::End,
            Err(error) => return Err(error).context("reading a line"),
        })
    }
}

/// A line that nobody sees.
async fn hidden_line(prompt: &str) -> anyhow::Result<Typed> {
    {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(prompt.as_bytes())?;
        stdout.flush()?;
    }
    let reading = tokio::task::spawn_blocking(keys::hidden_line);
    let line = tokio::select! {
        line = reading => line??,
        _ = tokio::signal::ctrl_c() => {
            println!();
            return Ok(Typed::Interrupt);
        }
    };
    Ok(match line.is_empty() {
        true => Typed::End,
        false => Typed::Line(line),
    })
}

/// The shell hears of the terminal's size.
fn resize(terminal: &Terminal) {
    let (columns, lines) = keys::size();
    terminal.resize(columns, lines);
}

fn editor(
    sandbox: Sandbox,
    told: &Arc<Mutex<Told>>,
    last_argument: &LastArgument,
    suspension: &Suspension,
) -> anyhow::Result<Editor<Assistant, DefaultHistory>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .auto_add_history(false)
        .build();
    let mut editor = Editor::with_config(config).context("the terminal")?;
    editor.set_helper(Some(Assistant {
        runtime: Handle::current(),
        sandbox,
        told: Arc::clone(told),
    }));
    let handler = EventHandler::Conditional(Box::new(last_argument.clone()));
    editor.bind_sequence(KeyEvent::alt('.'), handler);
    let handler = EventHandler::Conditional(Box::new(suspension.clone()));
    editor.bind_sequence(KeyEvent::ctrl('Z'), handler);
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

/// Ctrl-Z stops the program that reads; at the shell's own prompt it does nothing.
#[derive(Debug, Clone, Default)]
struct Suspension(Arc<Mutex<(bool, bool)>>);

impl Suspension {
    fn lock(&self) -> MutexGuard<'_, (bool, bool)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, is_own: bool) {
        *self.lock() = (is_own, false);
    }

    fn was_asked(&self) -> bool {
        self.lock().1
    }
}

impl ConditionalEventHandler for Suspension {
    fn handle(
        &self,
        _event: &Event,
        _count: RepeatCount,
        _positive: bool,
        _context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let mut state = self.lock();
        if state.0 {
            return Some(Cmd::Noop);
        }
        state.1 = true;
        Some(Cmd::Interrupt)
    }
}

/// Shows what is written until it is the user's turn, and returns the unfinished line: the prompt.
/// None where the shell ended.
async fn show(terminal: &mut Terminal, interrupted: bool) -> anyhow::Result<Option<String>> {
    let mut unfinished = Vec::new();
    let answer = Instant::now() + ANSWER;
    let mut stop = system::Suspension::new()?;
    loop {
        if !terminal.takes_lines() {
            print(&unfinished)?;
            unfinished.clear();
            unfinished = forward(terminal).await?;
            show_lines(&mut unfinished)?;
        }
        let event = tokio::select! {
            event = terminal.next() => event,
            _ = tokio::signal::ctrl_c() => {
                println!();
                terminal.interrupt();
                continue;
            }
            () = stop.asked() => {
                println!();
                terminal.suspend();
                continue;
            }
            () = tokio::time::sleep(LOOK) => {
                resize(terminal);
                continue;
            }
        };
        match event {
            TerminalEvent::Output(bytes) => {
                unfinished.extend_from_slice(&bytes);
                show_lines(&mut unfinished)?;
            }
            TerminalEvent::Turn if !terminal.takes_lines() => {}
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
                print(&unfinished)?;
                return Ok(None);
            }
        }
    }
}

fn print(bytes: &[u8]) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// Shows what was written, but for a line that is not finished.
fn show_lines(written: &mut Vec<u8>) -> std::io::Result<()> {
    let rest = written.split_off(end_of_lines(written));
    print(written)?;
    *written = rest;
    Ok(())
}

/// Where what belongs to a prompt begins: behind lines, and behind what programs leave of the screen. The line
/// editor takes whatever is in a prompt and is no colour to have a width.
fn end_of_lines(written: &[u8]) -> usize {
    let ends = BEGINNINGS.iter().filter_map(|beginning| {
        let found = written
            .windows(beginning.len())
            .rposition(|part| part == *beginning);
        Some(found? + beginning.len())
    });
    let mut end = ends.max().unwrap_or(0);
    while let Some(length) = control(&written[end..]) {
        end += length;
    }
    end
}

/// The length of a control sequence (ECMA-48) that begins here and sets no colour.
fn control(written: &[u8]) -> Option<usize> {
    let parameters = written.strip_prefix(b"\x1b[")?;
    let last = parameters
        .iter()
        .position(|byte| (b'@'..=b'~').contains(byte))?;
    (parameters[last] != b'm').then_some(last + 3)
}

/// Hands every key to a program as it comes, for as long as it wants that. What was written since then is
/// not shown yet, but returned: it may end with a prompt.
async fn forward(terminal: &mut Terminal) -> anyhow::Result<Vec<u8>> {
    let mut keys = Keys::take()?;
    while !terminal.takes_lines() {
        tokio::select! {
            written = terminal.written() => match written {
                Some(bytes) if terminal.takes_lines() => return Ok(bytes.to_vec()),
                Some(bytes) => print(&bytes)?,
                None => break,
            },
            typed = keys.next() => match typed {
                Some(typed) => {
                    resize(terminal);
                    press(terminal, &typed).await?;
                }
                None => {
                    terminal.end_input();
                    break;
                }
            },
            () = tokio::time::sleep(LOOK) => resize(terminal),
        }
    }
    Ok(Vec::new())
}

/// Keys as they come, but for those that are signals.
async fn press(terminal: &mut Terminal, typed: &[u8]) -> anyhow::Result<()> {
    let is_signal = |byte: &u8| matches!(*byte, INTERRUPT | SUSPEND);
    for keys in typed.chunk_by(|one, next| !is_signal(one) && !is_signal(next)) {
        match keys {
            [INTERRUPT] if terminal.takes_signals() => terminal.interrupt(),
            [SUSPEND] if terminal.takes_signals() => terminal.suspend(),
            keys => {
                if terminal.echoes() {
                    print(keys)?;
                }
                let mut keys = keys.to_vec();
                if terminal.takes_lines() || terminal.takes_signals() {
                    // As the driver of a terminal has it.
                    keys.iter_mut()
                        .filter(|key| **key == b'\r')
                        .for_each(|key| *key = b'\n');
                }
                // Whoever has ended meanwhile needs none.
                let _ = terminal.write(&keys).await;
            }
        }
    }
    Ok(())
}

/// The prompt without the reports, which are taken over, and whether there were any: the shell itself
/// prompts then.
fn take_reports(written: &str, told: &mut Told) -> (String, bool) {
    let (prompt, place) = take_report(written, PLACE);
    if let Some(place) = place
        && let Some(at) = place.find('/')
    {
        place[at..].clone_into(&mut told.directory);
    }
    let (prompt, names) = take_report(&prompt, NAMES);
    let is_own = names.is_some();
    if let Some(names) = names {
        told.names = names.split(' ').map(str::to_owned).collect();
    }
    (prompt, is_own)
}

/// A text without the report that begins so, and the report.
fn take_report(written: &str, open: &str) -> (String, Option<String>) {
    let found = written.split_once(open).and_then(|(before, rest)| {
        let (report, after) = rest.split_once(CLOSE)?;
        Some(([before, after].concat(), Some(report.to_owned())))
    });
    found.unwrap_or_else(|| (written.to_owned(), None))
}

#[cfg(test)]
mod tests {
    use super::{Told, end_of_lines, take_reports};

    #[test]
    fn reports_leave_the_prompt() {
        let mut told = Told {
            directory: String::from("/home/user"),
            names: Vec::new(),
        };
        let whole = "\x1b]7;file://sandbox/tmp\x07\x1b]7701;$HOME ll\x07u@h:/tmp$ ";
        for (written, prompt, own, directory, names) in [
            ("Name: ", "Name: ", false, "/home/user", &[][..]),
            (whole, "u@h:/tmp$ ", true, "/tmp", &["$HOME", "ll"]),
            (
                "\x1b]7;file://sandbox/never closed",
                "\x1b]7;file://sandbox/never closed",
                false,
                "/tmp",
                &["$HOME", "ll"],
            ),
        ] {
            let (shown, is_own) = take_reports(written, &mut told);
            assert_eq!((shown.as_str(), is_own), (prompt, own));
            assert_eq!(told.directory, directory);
            assert_eq!(told.names, names);
        }
    }

    #[test]
    fn a_prompt_begins_behind_lines_and_screens() {
        for (written, end) in [
            ("", 0),
            ("$ ", 0),
            ("one\ntwo\n$ ", 8),
            ("one\n\x1b[?1049l$ ", 12),
            ("--More--\r\x1b[K$ ", 12),
            ("line\r\n\x1b[K\x1b[?25h$ ", 15),
            ("\x1b[32m$ ", 0),
            ("\x1b[", 0),
            ("99 %\r$ ", 5),
        ] {
            assert_eq!(end_of_lines(written.as_bytes()), end, "{written:?}");
        }
    }
}
