//! Running the commands of a recipe (GNU make manual, "Writing Recipes in Rules").
//!
//! A whole recipe is expanded before its first command runs. Each line is one call of `$(SHELL) $(.SHELLFLAGS) LINE`,
//! or with `.ONESHELL` the whole recipe is.

use super::rules::Recipe;
use super::{Make, Outcome};
use crate::system::{self, Exit, Failure, Spawn, Streams};
use offshoot_command::launch::Environment;

/// A command of a recipe with the signs before it.
struct Command {
    /// The line of the makefile.
    line: usize,
    /// What the shell gets.
    text: String,
    /// `@`: it is not printed.
    silent: bool,
    /// `-`: its failure is.
    ignored: bool,
    /// `+`, or `$(MAKE)` in the line: it runs in spite of `-n`, `-q` and `-t`.
    always: bool,
}

/// A shell's program, where it is found, and the words that it is called with.
type Shell = (Result<Vec<u8>, Failure>, Vec<Vec<u8>>);

impl Make {
    /// Runs a recipe; false where a command failed.
    ///
    /// With `-q` nothing runs; that something would have is counted.
    pub fn run_recipe(&mut self, name: &str, recipe: &Recipe) -> Outcome<bool> {
        let mut commands = Vec::new();
        for (line, raw) in &recipe.lines {
            let recursive = raw.contains("$(MAKE)") || raw.contains("${MAKE}");
            self.place = Some(super::Place {
                file: recipe.file.clone(),
                line: *line,
            });
            let text = self.expand(raw)?;
            for part in split(&text) {
                if self.one_shell && !commands.is_empty() {
                    add_line(&mut commands, &part);
                    continue;
                }
                commands.push(command(*line, &part, recursive));
            }
        }
        self.place = None;
        commands.retain(|command| !command.text.is_empty());
        if self.settings.question && !commands.is_empty() {
            self.ran += 1;
            return Ok(true);
        }
        if self.settings.touch && !commands.iter().any(|command| command.always) {
            return self.touch(name);
        }
        let before = system::stat(name.as_bytes(), true)
            .ok()
            .map(|found| found.modified);
        for command in commands {
            if !self.run_command(name, recipe, &command)? {
                self.delete_target(name, before);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// `-t`: gives the target the present time instead of running its recipe.
    fn touch(&mut self, name: &str) -> Outcome<bool> {
        if self.file(name).phony {
            return Ok(true);
        }
        self.ran += 1;
        if !self.settings.silent {
            self.out.line(format!("touch {name}"));
        }
        let now = system::Time::now();
        let touched = system::create_file(name.as_bytes(), true)
            .and_then(|_| system::set_times(name.as_bytes(), now, now, true));
        match touched {
            Ok(()) => Ok(true),
            Err(failure) => self.fatal(&format!("touch: {name}: {}", failure.0)),
        }
    }

    /// Runs one command. A failure is printed as `*** [PLACE: TARGET] Error N`; false where it counts.
    fn run_command(&mut self, name: &str, recipe: &Recipe, command: &Command) -> Outcome<bool> {
        self.ran += 1;
        let hidden = command.silent || self.settings.silent;
        if !hidden || self.settings.dry || self.settings.trace {
            self.out.line(&command.text);
        }
        if self.settings.dry && !command.always {
            return Ok(true);
        }
        self.out.flush();
        let environment = self.environment()?;
        let exit = match self.start(&command.text, &environment)? {
            Ok(pid) => system::wait(pid),
            Err(failure) => Err(failure),
        };
        let place = format!("{}: {name}", recipe.place(command.line));
        let what = match exit {
            Ok(Exit::Code(0)) => return Ok(true),
            Ok(Exit::Code(code)) => format!("[{place}] Error {code}"),
            Ok(Exit::Signal(number)) => format!("[{place}] {}", signal_name(number)),
            Err(failure) => {
                let shell = self.value("SHELL", 0)?;
                self.complain(&format!("{shell}: {}", failure.0));
                format!("[{place}] Error 127")
            }
        };
        if command.ignored || self.settings.ignore_errors {
            self.complain(&format!("{what} (ignored)"));
            return Ok(true);
        }
        self.complain(&format!("*** {what}"));
        Ok(false)
    }

    /// Removes a target that a failing recipe has changed, with `.DELETE_ON_ERROR`. `before` is its time before the
    /// recipe.
    fn delete_target(&mut self, name: &str, before: Option<system::Time>) {
        let now = system::stat(name.as_bytes(), true)
            .ok()
            .map(|found| found.modified);
        let changed = now.is_some() && now != before;
        if self.delete_on_error && changed && !self.file(name).phony && !self.file(name).kept {
            self.complain(&format!("*** Deleting file '{name}'"));
            // What is gone already need not go.
            let _ = system::unlink(name.as_bytes());
        }
    }

    /// Starts a command through the shell of `SHELL`.
    ///
    /// The outer result is for errors of expansion, the inner one for a shell that cannot be started.
    fn start(&mut self, command: &str, environment: &Environment) -> Outcome<Result<u32, Failure>> {
        let (shell, mut arguments) = self.shell_words()?;
        let flags = self.value(".SHELLFLAGS", 0)?;
        arguments.extend(
            flags
                .split_whitespace()
                .map(|word| word.as_bytes().to_vec()),
        );
        arguments.push(command.as_bytes().to_vec());
        Ok(shell.and_then(|path| {
            system::spawn(&Spawn {
                path: &path,
                arguments: &arguments,
                environment,
                directory: None,
                streams: Streams::default(),
            })
        }))
    }

    /// The program of `SHELL`, and the words of it.
    pub fn shell_words(&mut self) -> Outcome<Shell> {
        let shell = self.value("SHELL", 0)?;
        let mut words: Vec<Vec<u8>> = shell
            .split_whitespace()
            .map(|word| word.as_bytes().to_vec())
            .collect();
        if words.is_empty() {
            words.push(b"/bin/sh".to_vec());
        }
        Ok((
            system::find_program(&words[0], &system::search_path()),
            words,
        ))
    }

    /// The environment of commands.
    ///
    /// `SHELL` is that of `make`'s own environment; `MAKELEVEL` is one more than ours.
    fn environment(&mut self) -> Outcome<Environment> {
        let mut environment = system::environment();
        let wanted = self.variables.exported(self.export_all);
        let is_ours = |name: &[u8]| matches!(name, b"SHELL" | b"MAKELEVEL" | b"MAKEFLAGS");
        environment.retain(|(name, _)| name == b"SHELL");
        for name in wanted {
            if !is_ours(name.as_bytes()) {
                let value = self.value(&name, 0)?;
                environment.push((name.into_bytes(), value.into_bytes()));
            }
        }
        let level: u32 = self.value("MAKELEVEL", 0)?.trim().parse().unwrap_or(0);
        environment.push((b"MAKELEVEL".to_vec(), (level + 1).to_string().into_bytes()));
        environment.push((b"MAKEFLAGS".to_vec(), self.settings.flags().into_bytes()));
        Ok(environment)
    }
}

/// The text of a signal in messages, as `strsignal` has it.
fn signal_name(number: u8) -> String {
    let text = match number {
        1 => "Hangup",
        2 => "Interrupt",
        6 => "Aborted",
        9 => "Killed",
        11 => "Segmentation fault",
        13 => "Broken pipe",
        15 => "Terminated",
        _ => return format!("Signal {number}"),
    };
    text.to_owned()
}

/// Lines of an expanded recipe line, which a backslash joins.
fn split(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut joined = false;
    for line in text.split('\n') {
        match parts.last_mut() {
            Some(last) if joined => {
                last.push('\n');
                last.push_str(line);
            }
            _ => parts.push(line.to_owned()),
        }
        joined = super::parse::continues(line);
    }
    parts
}

/// A command without the signs `@`, `-` and `+` before it.
fn command(line: usize, text: &str, recursive: bool) -> Command {
    let is_sign = |letter: char| "@-+ \t".contains(letter);
    let bare = text.trim_start_matches(is_sign);
    let signs = &text[..text.len() - bare.len()];
    Command {
        line,
        text: bare.to_owned(),
        silent: signs.contains('@'),
        ignored: signs.contains('-'),
        always: recursive || signs.contains('+'),
    }
}

/// With `.ONESHELL`: one more line of the only command.
fn add_line(commands: &mut [Command], line: &str) {
    if let Some(first) = commands.first_mut() {
        first.text.push('\n');
        first.text.push_str(line);
    }
}
