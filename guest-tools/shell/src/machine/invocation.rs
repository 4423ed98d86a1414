//! The command line of the shell: `bash -c …`, `bash FILE …`, `bash -s …`, options (the manual's Invoking Bash).
//!
//! A shell that is started within the sandbox is a task of the same machine, not a process of its own: `plan` reads its
//! words and files and says what it is to run, `run_shell` begins the task. Options may be several and come before the
//! script; with `-c` the first word behind them is the text, the next one `$0`.
//!
//! | words | name `$0` | parameters | commands come from |
//! |---|---|---|---|
//! | `-c 'echo $1' x y` | `x` | `y` | the text |
//! | `f a` | `f` | `a` | the file `f`, also found through `PATH` |
//! | `-s a` | as it was | `a` | standard input |
//!
//! Statuses of a script that cannot be run: 127 where it is not there, 126 where it cannot be read, is a directory or
//! binary; 2 for a wrong option.

use std::rc::Rc;

use super::Machine;
use super::call::Positional;
use super::descriptor::Descriptor;
use super::execution::Source;
use super::history_file::{self, default_variable};
use super::option::{Options, SetOption, Shopt};
use super::path;
use super::process::is_replaced;
use super::redirect::device_number;
use super::restricted;
use super::run::{Run, Trouble};
use super::startup::{enter_posix, set_parent};
use super::state::State;
use super::symbol::{Symbols, known};
use super::task::Task;
use super::trap::Ignored;
use super::usage::{self, Strings};
use crate::builtin::Lookup;
use crate::format::quote;
use crate::os::{Errno, FileKind, OpenOptions, Os};
use crate::syntax;
use crate::text::Text;

/// What a shell that was just started does.
pub enum Plan {
    /// Runs this text.
    Text(Vec<u8>),
    /// Reads commands from this as they arrive, or from standard input.
    Input(Option<Rc<Descriptor>>),
    /// Prints a message and ends with a status.
    Failed(Vec<u8>, u8),
}

/// Applies a source to the state of a shell. `startup` becomes the commands that run before it.
pub fn plan(
    os: &Rc<dyn Os>,
    state: &mut State,
    symbols: &mut Symbols,
    source: Source,
    startup: &mut Vec<u8>,
) -> Plan {
    match source {
        Source::Text(text) => {
            state.mode = Some(b'c');
            state.command_text = Some(Text::from(&text));
            Plan::Text(text)
        }
        Source::File(file) => script(os, state, &file),
        Source::Script(text) => {
            state.script = Some(state.name.clone());
            Plan::Text(text)
        }
        Source::Input => {
            state.mode = Some(b's');
            Plan::Input(None)
        }
        Source::Invocation(words) => invocation(os, state, symbols, words, startup),
    }
}

/// The plan for a script's file. A regular file is read at once; a pipe, a device or `/dev/fd/N` is read as it arrives.
fn script(os: &Rc<dyn Os>, state: &mut State, file: &[u8]) -> Plan {
    let failed = |message: &[u8], status| {
        let name = state.name.to_vec();
        Plan::Failed(
            [name.as_slice(), b": ", file, b": ", message, b"\n"].concat(),
            status,
        )
    };
    if let Some(open) = device_number(file).and_then(|number| state.descriptors.get(number)) {
        return stream(open.clone(), state, file);
    }
    let mut full = path::absolute(&state.directory, file);
    if os.stat(&full, true).is_err() && !file.contains(&b'/') {
        // A name without a slash is looked for in PATH too.
        let search = state
            .variables
            .value(known::PATH)
            .scalar()
            .cloned()
            .unwrap_or_default();
        for directory in search.split(|&byte| byte == b':') {
            let candidate = path::absolute(directory, file);
            if os.stat(&candidate, true).is_ok() {
                full = candidate;
                break;
            }
        }
    }
    // What is there gives the shell its name.
    let refused = |message: &[u8]| {
        let parts = [file, b": ", file, b": ", message, b"\n"];
        Plan::Failed(parts.concat(), 126)
    };
    match os.stat(&full, true) {
        Ok(stat) if stat.kind == FileKind::Directory => {
            return refused(Errno::IsDirectory.message().as_bytes());
        }
        Ok(stat) if stat.kind != FileKind::Regular => {
            return match os.open(&full, READING, 0) {
                Ok(handle) => stream(Descriptor::owned(os, handle), state, file),
                Err(error) => failed(error.message().as_bytes(), 126),
            };
        }
        Ok(_) => {}
        Err(error) => return failed(error.message().as_bytes(), 127),
    }
    match read_file(&**os, &full) {
        Ok(text) => {
            let head = &text[..text.len().min(80)];
            let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
            if line.contains(&0) {
                return refused(b"cannot execute binary file");
            }
            state.name = Text::from(file);
            state.script = Some(Text::from(file));
            Plan::Text(text)
        }
        Err(error) => failed(error.message().as_bytes(), 126),
    }
}

/// A script that comes through a pipe or device runs as it arrives.
fn stream(open: Rc<Descriptor>, state: &mut State, file: &[u8]) -> Plan {
    state.name = Text::from(file);
    state.script = Some(Text::from(file));
    Plan::Input(Some(open))
}

/// Options of `open` for reading.
const READING: OpenOptions = OpenOptions {
    read: true,
    write: false,
    append: false,
    create: false,
    exclusive: false,
    truncate: false,
    directory: false,
};

/// The whole of a file.
pub(super) fn read_file(os: &dyn Os, full: &[u8]) -> Result<Vec<u8>, Errno> {
    let handle = os.open(full, READING, 0)?;
    let mut text = Vec::new();
    let mut block = vec![0; 65_536];
    let result = loop {
        match os.read(handle, &mut block) {
            Ok(0) => break Ok(()),
            Ok(count) => text.extend_from_slice(&block[..count]),
            Err(error) => break Err(error),
        }
    };
    os.close(handle);
    result.map(|()| text)
}

/// Restricts the shell, and leaves `$?` as it is.
const RESTRICT: &[u8] = b"builtin eval \"builtin set -r; (builtin exit $?)\"\n";

/// Options of a command line, read from the left.
struct Arguments {
    /// What is not read yet.
    words: std::vec::IntoIter<Vec<u8>>,
    /// `-c`
    command: bool,
    /// `-s`
    input: bool,
    /// `-o history`
    history: bool,
    /// `--rcfile`
    rc: Option<Vec<u8>>,
    /// `--norc`
    no_rc: bool,
    /// `--noprofile`
    no_profile: bool,
    /// `-D`, `--dump-strings`, `--dump-po-strings`
    strings: Option<Strings>,
}

/// Reads the words behind the shell's own. The order is bash's: options, whether it is interactive, history, then the
/// files that are read before the script.
fn invocation(
    os: &Rc<dyn Os>,
    state: &mut State,
    symbols: &mut Symbols,
    words: Vec<Vec<u8>>,
    startup: &mut Vec<u8>,
) -> Plan {
    let mut arguments = Arguments {
        words: words.into_iter(),
        command: false,
        input: false,
        history: false,
        rc: None,
        no_rc: false,
        no_profile: false,
        strings: None,
    };
    state.last_argument = state.name.clone();
    let is_restricted = restricted::is_restricted_name(&state.name)
        || restricted::is_asked_for(arguments.words.as_slice());
    if is_restricted {
        restricted::distrust(state);
    }
    let first = match read_options(state, &mut arguments) {
        Ok(first) => first,
        Err(plan) => return plan,
    };
    if first.is_none()
        && !arguments.command
        && [0, 2].iter().all(|&number| at_terminal(state, number))
    {
        enter_interactive(state);
    }
    if state.interactive && at_terminal(state, 2) {
        state.options.set(SetOption::Monitor, true);
    }
    if state.interactive {
        let prompts = [("PS1", "\\s-\\v\\$ "), ("PS2", "> ")];
        for (name, value) in prompts {
            default_variable(state, symbols, name.as_bytes(), value.as_bytes());
        }
        name_history(state, symbols);
    }
    if arguments.history || state.interactive && !arguments.command {
        state.options.set(SetOption::History, true);
        history_file::load(&**os, state, symbols);
    }
    *startup = startup_files(&**os, state, symbols, &arguments);
    match is_restricted {
        true if startup.is_empty() => restricted::restrict(state, symbols),
        // These files are not restricted.
        true => startup.extend_from_slice(RESTRICT),
        false => {}
    }
    let mut rest: Vec<Text> = arguments.words.map(Text::from).collect();
    if arguments.command {
        let Some(text) = first else {
            let message = b": -c: option requires an argument\n";
            return Plan::Failed([state.name.as_bytes(), message].concat(), 2);
        };
        if !rest.is_empty() {
            state.name = rest.remove(0);
        }
        state.positional = Positional::new(rest);
        state.mode = Some(b'c');
        state.command_text = Some(Text::from(&text));
        return listing(state, arguments.strings, Plan::Text(text));
    }
    match first {
        Some(file) if !arguments.input => {
            state.positional = Positional::new(rest);
            let plan = script(os, state, &file);
            listing(state, arguments.strings, plan)
        }
        first => {
            let mut all: Vec<Text> = first.map(Text::from).into_iter().collect();
            all.extend(rest);
            state.positional = Positional::new(all);
            state.mode = Some(b's');
            Plan::Input(None)
        }
    }
}

/// Reads the options, and gives the word behind them.
///
/// # Errors
/// What is done instead, where an option asks for that or is none.
fn read_options(state: &mut State, arguments: &mut Arguments) -> Result<Option<Vec<u8>>, Plan> {
    loop {
        let Some(word) = arguments.words.next() else {
            return Ok(None);
        };
        match word.as_slice() {
            b"--" | b"-" => return Ok(arguments.words.next()),
            word if word.starts_with(b"--") => {
                if let Some(plan) = long_option(state, word, arguments) {
                    return Err(plan);
                }
            }
            [b'-' | b'+', letters @ ..] if !letters.is_empty() => {
                let on = word[0] == b'-';
                if let Some(plan) = letters_option(state, letters, on, arguments) {
                    return Err(plan);
                }
            }
            _ => return Ok(Some(word)),
        }
    }
}

/// The plan for a script of which only the texts of `$"…"` are listed, where an option says so.
fn listing(state: &State, strings: Option<Strings>, plan: Plan) -> Plan {
    match (strings, plan) {
        (Some(strings), Plan::Text(text)) => {
            let list = strings.list(&text, &state.name, syntax::Options::default());
            Plan::Text(usage::printing(&list))
        }
        (_, plan) => plan,
    }
}

/// Whether a descriptor is a terminal.
fn at_terminal(state: &State, number: u32) -> bool {
    let open = state.descriptors.get(number);
    open.is_some_and(|open| open.is_terminal())
}

/// Makes the shell interactive, with the options that go along with that.
fn enter_interactive(state: &mut State) {
    state.interactive = true;
    for option in [SetOption::Histexpand, SetOption::Emacs] {
        state.options.set(option, true);
    }
    state.options.set_shopt(Shopt::ExpandAliases, true);
}

/// `$HISTFILE` of an interactive shell.
fn name_history(state: &mut State, symbols: &mut Symbols) {
    let home = state.variables.value(known::HOME).scalar().cloned();
    let name = if state.options.on(SetOption::Posix) {
        b"/.sh_history".as_slice()
    } else {
        b"/.bash_history"
    };
    let file = [home.unwrap_or_default().as_bytes(), name].concat();
    default_variable(state, symbols, b"HISTFILE", &file);
}

/// Commands that source the files which a shell reads before its script: profiles of a login shell, `~/.bashrc` (or
/// `--rcfile`) of an interactive one, `$BASH_ENV` of another; none of the last two in POSIX mode.
fn startup_files(
    os: &dyn Os,
    state: &State,
    symbols: &mut Symbols,
    arguments: &Arguments,
) -> Vec<u8> {
    let value = |name: &str, symbols: &mut Symbols| {
        let value = state.variables.value(symbols.intern(name.as_bytes()));
        value.scalar().cloned().filter(|text| !text.is_empty())
    };
    let home = value("HOME", symbols).unwrap_or_default();
    let mut text = Vec::new();
    let mut source = |path: &[u8]| {
        let full = path::absolute(&state.directory, path);
        let found = os.stat(&full, true);
        let readable = found.is_ok_and(|stat| stat.kind != FileKind::Directory);
        if readable {
            text.extend_from_slice(b"builtin source ");
            text.extend_from_slice(&quote::single(path));
            text.push(b'\n');
        }
        readable
    };
    let posix = state.options.on(SetOption::Posix);
    if state.options.shopt(Shopt::LoginShell) && !arguments.no_profile {
        source(b"/etc/profile");
        let own: &[&[u8]] = if posix {
            &[b"/.profile"]
        } else {
            &[b"/.bash_profile", b"/.bash_login", b"/.profile"]
        };
        let _ = own
            .iter()
            .any(|name| source(&[home.as_bytes(), name].concat()));
    } else if state.interactive && !posix && !arguments.no_rc {
        match &arguments.rc {
            Some(file) => source(file),
            None => source(&[home.as_bytes(), b"/.bashrc"].concat()),
        };
    } else if !state.interactive
        && !posix
        && let Some(file) = value("BASH_ENV", symbols)
    {
        if file.iter().any(|byte| matches!(byte, b'$' | b'`' | b'~')) {
            text.extend_from_slice(&[b"builtin source \"", file.as_bytes(), b"\"\n"].concat());
        } else {
            source(&file);
        }
    }
    text
}

/// Applies a long option; a plan where it ends the shell.
fn long_option(state: &mut State, word: &[u8], arguments: &mut Arguments) -> Option<Plan> {
    match word {
        b"--posix" => enter_posix(state),
        b"--norc" => arguments.no_rc = true,
        b"--noprofile" => arguments.no_profile = true,
        b"--login" => state.options.set_shopt(Shopt::LoginShell, true),
        b"--noediting" | b"--restricted" | b"--debugger" => {}
        b"--verbose" => state.options.set(SetOption::Verbose, true),
        b"--rcfile" | b"--init-file" => {
            arguments.rc = arguments.words.next();
            if arguments.rc.is_none() {
                let tail = b": option requires an argument\n".as_slice();
                let message = [state.name.as_bytes(), b": ", &word[2..], tail].concat();
                return Some(Plan::Failed(message, 2));
            }
        }
        b"--dump-strings" => arguments.strings = Some(Strings::Plain),
        b"--dump-po-strings" => arguments.strings = Some(Strings::Catalogue),
        b"--debug" => {}
        b"--help" => {
            let text = usage::help(state.name.as_bytes());
            return Some(Plan::Text(usage::printing(&text)));
        }
        b"--version" => {
            let text = b"echo 'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)'";
            return Some(Plan::Text(text.to_vec()));
        }
        word => {
            return Some(invalid(state, word));
        }
    }
    None
}

/// Applies the letters of one word, which may take the words behind it; a plan where one of them is none.
fn letters_option(
    state: &mut State,
    letters: &[u8],
    on: bool,
    arguments: &mut Arguments,
) -> Option<Plan> {
    for &letter in letters {
        match letter {
            b'c' => arguments.command = true,
            b's' => arguments.input = true,
            b'i' if on => enter_interactive(state),
            b'l' => state.options.set_shopt(Shopt::LoginShell, on),
            b'D' => arguments.strings = Some(Strings::Plain),
            b'i' | b'r' => {}
            b'o' => {
                let name = arguments.words.next().unwrap_or_default();
                match SetOption::find(&name) {
                    Some(SetOption::Posix) if on => enter_posix(state),
                    Some(SetOption::History) if on => arguments.history = true,
                    Some(option) => state.options.set(option, on),
                    None => {
                        let own = state.name.as_bytes();
                        let tail = b": invalid option name\n".as_slice();
                        let parts = [own, b": line 0: ", own, b": ", &name, tail];
                        return Some(Plan::Failed(parts.concat(), 2));
                    }
                }
            }
            b'O' => {
                let name = arguments.words.next().unwrap_or_default();
                let Some(option) = Shopt::find(&name) else {
                    let own = state.name.as_bytes();
                    let tail = b": invalid shell option name\n".as_slice();
                    let message = [own, b": line 0: ", &name, tail].concat();
                    return Some(Plan::Failed(message, 2));
                };
                state.options.set_shopt(option, on);
            }
            letter => match Options::by_letter(letter) {
                Some(option) => state.options.set(option, on),
                None => {
                    let sign = if on { b'-' } else { b'+' };
                    return Some(invalid(state, &[sign, letter]));
                }
            },
        }
    }
    None
}

/// The end of a shell that was given an option which there is not.
fn invalid(state: &State, option: &[u8]) -> Plan {
    let name = state.name.as_bytes();
    let mut message = [name, b": ", option, b": invalid option\n"].concat();
    message.extend_from_slice(&usage::usage(name));
    Plan::Failed(message, 2)
}

impl Machine {
    /// Runs `bash` or `sh` as a fresh task of this instance: with the exported variables, the descriptors and the
    /// ignored signals of the caller, its directory and umask. Behind `exec` the task itself becomes it and keeps
    /// its number.
    pub(super) fn run_shell(
        &mut self,
        task: &mut Task,
        words: &[Text],
        lookup: Option<&Lookup>,
    ) -> Run {
        let environment = self.child_environment(task);
        let base = words[0]
            .rsplit(|&byte| byte == b'/')
            .next()
            .unwrap_or_default();
        let (name, clear) = match lookup {
            Some(Lookup::Replace { name, clear }) => (name.clone(), *clear),
            _ => (None, false),
        };
        let setup = super::Setup {
            environment: if clear { Vec::new() } else { environment },
            directory: task.state.directory.to_vec(),
            umask: task.state.umask,
            posix: base == b"sh",
        };
        let mut state = self.fresh_state(&setup);
        state.name = name.unwrap_or_else(|| words[0].clone());
        if state.name.starts_with(b"-") {
            state.options.set_shopt(Shopt::LoginShell, true);
        }
        state.descriptors = task.state.descriptors.clone();
        let in_place = is_replaced(task);
        state.pid = if in_place { task.pid } else { self.new_pid() };
        state.shell_pid = state.pid;
        match in_place {
            true => set_parent(&mut state, task.seen.parent),
            // `exec` keeps the parent of the process.
            false if task.exec.is_begun() => {}
            false => set_parent(&mut state, task.pid),
        }
        let mut traps = task.state.traps.for_subshell(false, false).own();
        if in_place && task.frames.last().is_some_and(|frame| frame.code.simple) {
            task.state.ignored.hand_down(&mut traps);
        }
        state.ignored = Ignored::on_entry(&traps);
        state.traps = Rc::new(traps);
        let arguments: Rc<[Vec<u8>]> = words.iter().map(|word| word.to_vec()).collect();
        let source = Source::Invocation(arguments.iter().skip(1).cloned().collect());
        self.changed = true;
        if in_place {
            self.begin_in_place(task, state, source);
            task.seen.arguments = Some(arguments);
            return Err(Trouble::NestedEnd);
        }
        let pid = state.pid;
        let parent = Some(task.id);
        let depth = task.depth();
        let id = self.begin(parent, task.execution, state, source, Vec::new());
        if let Some(child) = self.task_mut(id) {
            child.control.around.depth = depth;
            child.seen.parent = task.pid;
            child.seen.arguments = Some(arguments);
        }
        self.wait_for_task(task, pid, quote::command(words))
    }
}
