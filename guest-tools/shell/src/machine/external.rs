//! Commands outside the shell: looking them up, starting them, running scripts.
//!
//! A name is looked for in the table of remembered commands, then in each directory of `PATH`. For the commands of the
//! sandbox an applet of the shell stands in, where there is one: the directory counts, not a file, so a file of the
//! same name that comes earlier in `PATH` wins. A script is run by the shell that its `#!` line names; a text without
//! such a line by this shell, as bash does after `ENOEXEC`.
//!
//! Statuses of what cannot be run: 127 where it is not found, 126 where it is a directory, may not be executed, or is
//! binary.

use std::rc::Rc;

use super::control::keep_redirects;
use super::frame::Role;
use super::message::report;
use super::option::{SetOption, Shopt};
use super::process::{is_at_plain_end, is_replaced, keeps_level};
use super::reader::Input;
use super::run::{Run, Trouble, set_status};
use super::symbol::known;
use super::task::{Exec, Task, Waiting};
use super::{Machine, path, scope};
use crate::applet::{self, Applet};
use crate::builtin::Lookup;
use crate::format::quote;
use crate::os::{Access, Errno, FileKind, Interest, OpenOptions, Spawn};
use crate::text::Text;

/// PATH where `command -p` looks, and where applets are found.
pub const STANDARD_PATH: &[u8] = b"/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/// What stands for a command outside the shell.
pub enum Located {
    /// The shell itself, as `bash` or `sh`.
    Shell,
    /// An applet.
    Applet(Applet),
    /// A file.
    Path(Text),
    /// Nothing.
    Nothing,
}

/// Whether a name is that of the shell itself.
fn is_shell(name: &[u8]) -> bool {
    matches!(name, b"bash" | b"sh" | b"rbash")
}

/// Whether a directory holds the commands of the sandbox, for which applets stand.
pub(crate) fn is_standard(directory: &[u8]) -> bool {
    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
    matches!(
        directory,
        b"/bin" | b"/usr/bin" | b"/usr/local/bin" | b"/sbin" | b"/usr/sbin"
    )
}

/// Finds what a command word stands for. `standard` looks along the standard path instead of `PATH`.
pub fn locate(machine: &mut Machine, task: &mut Task, name: &[u8], standard: bool) -> Located {
    if let Some(slash) = name.iter().rposition(|&byte| byte == b'/') {
        let (directory, base) = (&name[..slash], &name[slash + 1..]);
        if is_standard(directory) {
            if is_shell(base) {
                return Located::Shell;
            }
            if let Some(applet) = applet_of(machine, task, base) {
                return Located::Applet(applet);
            }
        }
        return Located::Path(Text::from(name));
    }
    let search = search_path(machine, task, standard);
    let applet = applet_of(machine, task, name);
    let shell = is_shell(name);
    if applet.is_none() && !shell {
        return find(machine, task, name, standard).map_or(Located::Nothing, Located::Path);
    }
    for directory in search.split(|&byte| byte == b':') {
        if is_standard(directory) {
            return match applet {
                Some(applet) => Located::Applet(applet),
                None => Located::Shell,
            };
        }
        let path = candidate(directory, name);
        if executable(machine, task, &path) {
            return Located::Path(path);
        }
    }
    Located::Nothing
}

/// The applet of this name, unless it is left to its program.
fn applet_of(machine: &Machine, task: &Task, name: &[u8]) -> Option<Applet> {
    applet::find(name).filter(|_| !machine.is_left(task, name))
}

/// The directories to look in.
fn search_path(machine: &mut Machine, task: &mut Task, standard: bool) -> Text {
    if standard {
        return Text::from(STANDARD_PATH);
    }
    scope::get(machine, task, known::PATH).unwrap_or_default()
}

/// The path of a name in a directory; an empty directory is the working one.
fn candidate(directory: &[u8], name: &[u8]) -> Text {
    let mut path = if directory.is_empty() {
        b".".to_vec()
    } else {
        directory.to_vec()
    };
    if path.last() != Some(&b'/') {
        path.push(b'/');
    }
    path.extend_from_slice(name);
    Text::from(path)
}

/// Where a command is by an empty PATH: in the working directory.
fn here(task: &Task, name: &[u8]) -> Text {
    Text::from(path::absolute(&task.state.directory, name))
}

/// Whether a path is that of a file that may be executed.
pub(super) fn executable(machine: &Machine, task: &Task, path: &[u8]) -> bool {
    let full = path::absolute(&task.state.directory, path);
    let is_file = machine
        .os
        .stat(&full, true)
        .is_ok_and(|stat| stat.kind != FileKind::Directory);
    let access = Access {
        execute: true,
        ..Access::default()
    };
    is_file && machine.os.access(&full, access).is_ok()
}

/// Whether a path is that of anything but a directory.
fn exists(machine: &Machine, task: &Task, path: &[u8]) -> bool {
    let full = path::absolute(&task.state.directory, path);
    machine
        .os
        .stat(&full, true)
        .is_ok_and(|stat| stat.kind != FileKind::Directory)
}

/// The path of a command by PATH, remembered where `hashall` is on.
pub fn find(machine: &mut Machine, task: &mut Task, name: &[u8], standard: bool) -> Option<Text> {
    if name.is_empty() {
        return None;
    }
    if name.contains(&b'/') {
        return executable(machine, task, name).then(|| Text::from(name));
    }
    search(machine, task, name, standard, true)
}

/// The path of a command by PATH. A file that may not be executed is taken where there is no better one, so that the
/// message is about it; only what may be is remembered, where `remember` says so.
pub fn search(
    machine: &mut Machine,
    task: &mut Task,
    name: &[u8],
    standard: bool,
    remember: bool,
) -> Option<Text> {
    let hashing = remember && !standard && task.state.options.on(SetOption::Hashall);
    if hashing && let Some((path, _)) = task.state.hashed.get(name) {
        let options = &task.state.options;
        let checked = options.on(SetOption::Posix) || options.shopt(Shopt::Checkhash);
        let path = path.clone();
        if !checked || executable(machine, task, &path) {
            let entry = Rc::make_mut(&mut task.state.hashed).get_mut(name)?;
            entry.1 += 1;
            return Some(path);
        }
    }
    let search = search_path(machine, task, standard);
    let mut fallback = None;
    for directory in search.split(|&byte| byte == b':') {
        let path = match search.is_empty() {
            true => here(task, name),
            false => candidate(directory, name),
        };
        if executable(machine, task, &path) {
            if hashing {
                let entry = (path.clone(), 1);
                Rc::make_mut(&mut task.state.hashed).insert(Text::from(name), entry);
            }
            return Some(path);
        }
        if fallback.is_none() && exists(machine, task, &path) {
            fallback = Some(path);
        }
    }
    fallback
}

/// All paths of a command in PATH.
pub fn find_all(machine: &mut Machine, task: &mut Task, name: &[u8]) -> Vec<Text> {
    if name.contains(&b'/') {
        return if executable(machine, task, name) {
            vec![Text::from(name)]
        } else {
            Vec::new()
        };
    }
    let search = search_path(machine, task, false);
    let directories = search.split(|&byte| byte == b':');
    directories
        .map(|directory| candidate(directory, name))
        .filter(|path| executable(machine, task, path))
        .collect()
}

/// Whether the shell goes on after an `exec` that failed.
pub(super) fn survives_exec(task: &Task) -> bool {
    task.state.options.shopt(Shopt::Execfail) && task.state.subshell_level == 0
}

impl Machine {
    /// Starts a program and waits for it, or says why there is none. Behind `exec` and in a stage of its own it takes
    /// the task's place and number.
    #[inline(never)]
    pub(super) fn spawn(
        &mut self,
        task: &mut Task,
        words: Vec<Text>,
        path: Option<Text>,
        lookup: Option<&Lookup>,
    ) -> Run {
        if task.exec.is_begun() {
            task.exec = Exec::Begun;
        }
        if !task.output.is_empty() {
            let _ = self.deliver(task);
        }
        if is_replaced(task)
            && let Some(frame) = task.frames.last_mut()
        {
            // Whatever becomes of it, no trap runs here any more.
            frame.passes = true;
        }
        let name = &words[0];
        let in_path = name.contains(&b'/') || !search_path(self, task, false).is_empty();
        let mut path = match path {
            // An empty PATH is no search: the name is the path.
            None if !in_path && !name.is_empty() => name.clone(),
            Some(path) if !in_path && path == here(task, name) => name.clone(),
            Some(path) => path,
            None => return self.not_found(task, words),
        };
        let full = path::absolute(&task.state.directory, &path);
        if task.exec.is_begun() {
            path = whole_path(task, path);
        }
        let (name, clear) = match lookup {
            Some(Lookup::Replace { name, clear }) => (name.clone(), *clear),
            _ => (None, false),
        };
        let mut words = words;
        if let Some(run) = self.run_script(task, &words, &path) {
            return run;
        }
        let environment = if clear {
            Vec::new()
        } else {
            let mut environment = self.child_environment(task);
            environment.push((b"_".to_vec(), full.clone()));
            environment
        };
        if let Some(name) = name {
            words[0] = name;
        }
        let arguments: Vec<Vec<u8>> = words.iter().map(|word| word.to_vec()).collect();
        let own = self.coprocess_descriptors(task);
        let mut descriptors = Vec::new();
        for (number, open) in task.state.descriptors.iter() {
            if own.contains(&number) {
                continue;
            }
            if let Ok(handle) = open.handle() {
                descriptors.push((number, handle));
            }
        }
        let options = Spawn {
            path: &full,
            arguments: &arguments,
            environment: &environment,
            directory: &task.state.directory,
            umask: task.state.umask,
            descriptors: &descriptors,
            task: is_replaced(task).then_some(task.pid),
        };
        self.announce(Some(task));
        match self.os.spawn(&options) {
            Ok(pid) => {
                task.interests.push(Interest::Child(pid));
                let name = words[0].clone();
                let text = quote::command(&words);
                task.waiting = Some(Waiting::Child { pid, name, text });
                Err(Trouble::Blocked)
            }
            Err(error) => self.spawn_failed(task, words, &path, &full, error),
        }
    }

    /// What a command of the system inherits. One that takes the place of the shell is no deeper
    /// than it: `exec`, the last command of `bash -c` or of a subshell.
    pub(super) fn child_environment(&mut self, task: &mut Task) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut environment = scope::environment(self, task);
        let execed = task.exec.is_begun() && task.state.subshell_level == 0;
        if execed || is_last(task) || keeps_level(task) {
            let level = environment.iter_mut().find(|(name, _)| name == b"SHLVL");
            if let Some((_, value)) = level
                && let Some(number) = crate::arithmetic::plain_integer(value)
            {
                *value = (number - 1).to_string().into_bytes();
            }
        }
        environment
    }

    /// Explains why the system could not start a program. A text that it does not know is run by a shell.
    fn spawn_failed(
        &mut self,
        task: &mut Task,
        words: Vec<Text>,
        path: &Text,
        full: &[u8],
        error: Errno,
    ) -> Run {
        if self.is_directory(full) {
            return self.unexecutable(task, path, Errno::IsDirectory);
        }
        match error {
            Errno::NoEntry => {
                if path.contains(&b'/') || words.is_empty() || *path == words[0] {
                    return self.refuse(task, path, error.message(), 127);
                }
                self.not_found(task, words)
            }
            Errno::NoExec | Errno::NotSupported => {
                let access = Access {
                    execute: true,
                    ..Access::default()
                };
                if let Err(error) = self.os.access(full, access) {
                    return self.spawn_failed(task, words, path, full, error);
                }
                if self.is_text(full) {
                    let mut call = vec![Text::from("bash"), path.clone()];
                    call.extend(words.into_iter().skip(1));
                    return self.run_shell(task, &call, None);
                }
                let message = format!("cannot execute binary file: {}", Errno::NoExec.message());
                self.refuse(task, path, &message, 126)
            }
            error => self.unexecutable(task, path, error),
        }
    }

    /// Complains about what is there, but can't be run; `exec` does so once more.
    fn unexecutable(&mut self, task: &mut Task, path: &Text, error: Errno) -> Run {
        let refused = self.refuse(task, path, error.message(), 126);
        if task.exec.is_begun() {
            let name = Text::from([b"exec: ", path.as_bytes()].concat());
            let message = format!("cannot execute: {}", error.message());
            return self.refuse(task, &name, &message, 126);
        }
        refused
    }

    /// Complains about a command and gives the status.
    pub(super) fn refuse(
        &mut self,
        task: &mut Task,
        path: &Text,
        message: &str,
        status: u8,
    ) -> Run {
        let message = [path.as_bytes(), b": ", message.as_bytes()].concat();
        report(task, &message);
        set_status(task, status);
        if task.exec.is_begun() {
            task.exec = Exec::Failed;
        }
        Ok(())
    }

    /// Whether a path is that of a directory.
    fn is_directory(&self, full: &[u8]) -> bool {
        let stat = self.os.stat(full, true);
        stat.is_ok_and(|stat| stat.kind == FileKind::Directory)
    }

    /// `command not found`, or what `command_not_found_handle` makes of it.
    fn not_found(&mut self, task: &mut Task, words: Vec<Text>) -> Run {
        let handler = self.symbols.find(b"command_not_found_handle");
        if let Some(function) = handler
            .and_then(|symbol| task.state.functions.get(&symbol))
            .filter(|_| !task.exec.is_begun())
        {
            let mut all = vec![function.name.clone()];
            all.extend(words);
            return self.handle_not_found(task, all);
        }
        let mut name = words[0].clone();
        if quote::needs_escapes(&name) {
            name = Text::from(quote::escaped(&name));
        }
        if !task.exec.is_begun() {
            let hint = super::absent::instead(&words[0]);
            #[cfg(feature = "sandbox")]
            let hint = hint.or_else(|| super::absent::elsewhere(&words[0]));
            let message = match hint {
                Some(hint) => format!("command not found\nhint: {hint}"),
                None => "command not found".to_owned(),
            };
            return self.refuse(task, &name, &message, 127);
        }
        let full = path::absolute(&task.state.directory, &words[0]);
        let directory = !words[0].is_empty() && self.is_directory(&full);
        name = Text::from([b"exec: ", name.as_bytes()].concat());
        match directory {
            true => self.refuse(task, &name, "cannot execute: Is a directory", 126)?,
            false => self.refuse(task, &name, "not found", 127)?,
        }
        if survives_exec(task) {
            return Ok(());
        }
        // Nothing was tried yet: the EXIT trap still runs.
        keep_redirects(task, task.blocks.len());
        Err(Trouble::Exit(task.state.status))
    }

    /// The first 256 bytes of a file; none where it cannot be read.
    pub(super) fn first_bytes(&self, full: &[u8]) -> Vec<u8> {
        let options = OpenOptions {
            read: true,
            ..OpenOptions::default()
        };
        let mut block = vec![0; 256];
        let Ok(handle) = self.os.open(full, options, 0) else {
            return Vec::new();
        };
        let count = self.os.read(handle, &mut block).unwrap_or(0);
        self.os.close(handle);
        block.truncate(count);
        block
    }

    /// Whether a file may be a script: its first line has no NUL byte, and it begins with no mark of a binary.
    fn is_text(&self, full: &[u8]) -> bool {
        let block = self.first_bytes(full);
        let first = block
            .split(|&byte| byte == b'\n')
            .next()
            .unwrap_or_default();
        !first.contains(&0) && first.first() != Some(&0x7f)
    }
}

/// The path of what `exec` runs, as bash makes it.
fn whole_path(task: &Task, path: Text) -> Text {
    if path.starts_with(b"/") {
        return path;
    }
    let mut relative: &[u8] = &path;
    while let Some(rest) = relative.strip_prefix(b"./") {
        relative = rest;
    }
    let directory: &[u8] = &task.state.directory;
    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
    Text::from([directory, b"/", relative].concat())
}

/// Whether the command under way is the last one of `bash -c`, and nothing comes after it.
fn is_last(task: &Task) -> bool {
    let [frame] = task.frames.as_slice() else {
        return false;
    };
    let Role::Reader(reader) = &frame.role else {
        return false;
    };
    let Input::Text(parser) = &reader.input else {
        return false;
    };
    task.state.mode == Some(b'c')
        && task.state.traps.is_empty()
        && parser.rest().trim_ascii().is_empty()
        && is_at_plain_end(frame)
}
