//! What an interactive shell does before it reads.

use std::rc::Rc;

use super::read::input;
use super::replay::{Call, substitutes};
use super::{Run, controls_jobs};
use crate::machine::Machine;
use crate::machine::frame::Role;
use crate::machine::option::Shopt;
use crate::machine::reader::{Input, Purpose, Reader};
use crate::machine::scope;
use crate::machine::task::{Prompt, Task};
use crate::text::Text;

impl Machine {
    /// Runs `$PROMPT_COMMAND` and shows the prompt where an interactive shell is about to read; true
    /// where commands were begun.
    pub(super) fn before_prompt(&mut self, task: &mut Task) -> Run<bool> {
        let reads = task.frames.len() == 1 && matches!(input(task), Some(Input::Descriptor { .. }));
        if !reads {
            return Ok(false);
        }
        match task.prompt {
            Prompt::Shown | Prompt::Answered => return Ok(false),
            Prompt::Running(status) => task.state.status = status,
            Prompt::Due => {
                self.tell_of_jobs(task);
                self.take_terminal(task);
                task.prompt = Prompt::Running(task.state.status);
                let symbol = self.symbols.intern(b"PROMPT_COMMAND");
                let value = scope::value(self, task, symbol);
                let commands = scope::items(&value);
                if commands.iter().any(|command| !command.is_empty()) {
                    // The last one is pushed first.
                    for command in commands.iter().rev() {
                        let parser = self.parser(task, command, task.line.max(1));
                        let reader = Reader::new(
                            Input::Text(parser),
                            Purpose::Eval(task.state.last_argument.clone()),
                        );
                        task.push_frame(Rc::default(), Role::Reader(Box::new(reader)));
                    }
                    return Ok(true);
                }
            }
        }
        self.prompt_for(task, b"PS1")
    }

    /// Has the terminal as a shell needs it, whatever a program left behind, and knows how big it is.
    pub(super) fn take_terminal(&mut self, task: &mut Task) {
        if !controls_jobs(task) {
            return;
        }
        if let Some(input) = task
            .state
            .descriptors
            .get(0)
            .filter(|one| one.is_terminal())
        {
            input.set_terminal(true, true);
        }
        self.check_size(task);
    }

    /// `$COLUMNS` and `$LINES` are those of the terminal.
    pub(super) fn check_size(&mut self, task: &mut Task) {
        if !task.state.options.shopt(Shopt::Checkwinsize) {
            return;
        }
        let errors = task.state.descriptors.get(2);
        let Some((columns, lines)) = errors.and_then(|open| open.terminal_size()) else {
            return;
        };
        for (name, size) in [(b"COLUMNS".as_slice(), columns), (b"LINES", lines)] {
            let symbol = self.symbols.intern(name);
            let value = Text::from(i64::from(size));
            if scope::get(self, task, symbol).as_ref() != Some(&value) {
                // One that is readonly stays.
                let _ = scope::set(self, task, symbol, value, false);
            }
        }
    }

    /// Tells the user of jobs that have ended or stand still since the last prompt.
    pub(super) fn tell_of_jobs(&mut self, task: &mut Task) {
        if !controls_jobs(task) {
            return;
        }
        let news = task.jobs.news();
        let lines = news
            .iter()
            .filter_map(|&number| task.jobs.line(number, false));
        let lines = lines.collect::<Vec<_>>().concat();
        task.output.push(2, &lines);
        for number in news {
            match task.jobs.get_mut(number) {
                Some(job) if job.status().is_none() => job.reported = true,
                _ => task.jobs.remove(number),
            }
        }
    }

    /// Shows a prompt; true where commands in it were begun first.
    pub(super) fn prompt_for(&mut self, task: &mut Task, variable: &[u8]) -> Run<bool> {
        task.prompt = Prompt::Shown;
        let symbol = self.symbols.intern(variable);
        if scope::get(self, task, symbol).is_some_and(|text| substitutes(&text)) {
            let variable = Text::from(variable);
            self.replay(task, Call::Prompt { variable })?;
            return Ok(true);
        }
        self.show_prompt(task, variable);
        Ok(false)
    }

    pub(super) fn show_prompt(&mut self, task: &mut Task, variable: &[u8]) {
        let symbol = self.symbols.intern(variable);
        let prompt = scope::get(self, task, symbol).unwrap_or_default();
        let status = task.state.status;
        let shown = self.prompt(task, &prompt);
        task.state.status = status;
        if let Ok(shown) = shown {
            task.output.push(2, &shown);
            if task.replaying.is_none() {
                let _ = self.deliver(task);
            }
        }
    }
}
