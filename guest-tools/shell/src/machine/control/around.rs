//! What surrounds a task.

use super::expands_words;
use crate::codec::record;
use crate::machine::code::Code;
use crate::machine::frame::{Role, TrapSaved};
use crate::machine::option::SetOption;
use crate::machine::reader::Purpose;
use crate::machine::task::Task;
use crate::machine::trap::Event;

/// What the rules ask of the tasks around one, as it was when they began it.
#[derive(Debug, Clone, Default)]
pub struct Around {
    /// Their nesting.
    pub depth: u32,
    /// The depth that `set -x` shows.
    pub trace_depth: u32,
    /// Loops whose `break` ends the task.
    pub loops: u32,
    /// A text of commands is around all of it.
    pub within_text: bool,
    /// It is one simple command of the shell itself, which errors in it end as they end the shell.
    pub of_main: bool,
    /// It was begun within such an `eval` as [`Task::ignores_errors`] is about.
    pub ignores_errors: bool,
    /// It was begun within a text as [`Task::leaves_unchecked`] is about.
    pub leaves_unchecked: bool,
    /// The status that matters for `set -e` is known to be looked at: `!` or a condition.
    pub suppressed: bool,
    /// The traps within which it was begun, as a substitution or one simple command: they still run.
    pub traps: Vec<Event>,
}

record!(Around {
    depth,
    trace_depth,
    loops,
    within_text,
    of_main,
    ignores_errors,
    leaves_unchecked,
    suppressed,
    traps
});

impl Around {
    /// What surrounds any task that `task` begins.
    pub fn new(task: &Task) -> Around {
        Around {
            depth: task.depth(),
            // Only what is traced needs it.
            trace_depth: match task.state.options.on(SetOption::Xtrace) {
                true => task.trace_depth(),
                false => task.control.around.trace_depth,
            },
            ignores_errors: task.ignores_errors(),
            leaves_unchecked: task.leaves_unchecked(),
            ..Around::default()
        }
    }

    /// What surrounds the code of a subshell or of a stage.
    pub fn subshell(task: &Task, code: &Code) -> Around {
        Around {
            suppressed: task.suppressed(),
            ..Around::background(task, code)
        }
    }

    /// The same of what `&` runs: nothing looks at its status.
    pub fn background(task: &Task, code: &Code) -> Around {
        let around = Around::new(task);
        if !code.simple {
            return around;
        }
        Around {
            loops: task.loop_depth() + u32::from(code.looped),
            within_text: task.is_within_text(),
            of_main: task.is_of_main(),
            traps: task.running_traps(),
            ..around
        }
    }

    /// What surrounds a substitution, `levels` deeper for `set -x`.
    pub fn substitution(task: &Task, code: &Code, levels: u32) -> Around {
        let around = Around::new(task);
        let suppressed = around.leaves_unchecked || task.suppressed() && expands_words(task);
        Around {
            loops: task.loop_depth() + u32::from(code.looped),
            within_text: true,
            traps: task.running_traps(),
            trace_depth: around.trace_depth + levels,
            leaves_unchecked: around.leaves_unchecked || suppressed,
            suppressed,
            ..around
        }
    }

    /// What surrounds the redirects and the end of an external command.
    pub fn external(task: &Task, suppressed: bool) -> Around {
        Around {
            within_text: task.is_within_text(),
            of_main: task.is_of_main(),
            suppressed,
            ..Around::new(task)
        }
    }

    /// What surrounds an external command that is the job in the foreground.
    pub fn job(task: &Task) -> Around {
        Around {
            suppressed: task.suppressed(),
            ..Around::new(task)
        }
    }
}

impl Task {
    /// Nesting of what runs, with the tasks around it.
    pub fn depth(&self) -> u32 {
        self.control.around.depth + self.frames.len() as u32
    }

    /// Whether this is the shell itself or one simple command of it.
    pub fn is_of_main(&self) -> bool {
        self.pid == self.state.shell_pid || self.control.around.of_main
    }

    /// The status before the innermost trap that runs.
    pub fn trap_status(&self) -> Option<u8> {
        self.innermost_trap().map(|saved| saved.status)
    }

    /// The innermost trap that runs.
    pub fn innermost_trap(&self) -> Option<&TrapSaved> {
        self.frames
            .iter()
            .rev()
            .find_map(|frame| match &frame.role {
                Role::Reader(reader) => match &reader.purpose {
                    Purpose::Trap(saved) => Some(saved),
                    _ => None,
                },
                _ => None,
            })
    }

    /// Whether a trap for this event is running.
    pub fn in_trap(&self, event: Event) -> bool {
        self.own_traps().any(|own| own == event) || self.control.around.traps.contains(&event)
    }

    /// What runs traps are for.
    pub fn running_traps(&self) -> Vec<Event> {
        if self.state.traps.is_empty() && self.control.ending.status.is_none() {
            return Vec::new();
        }
        let around = self.control.around.traps.clone();
        self.own_traps().chain(around).collect()
    }

    fn own_traps(&self) -> impl Iterator<Item = Event> + '_ {
        self.frames.iter().filter_map(|frame| match &frame.role {
            Role::Reader(reader) => match &reader.purpose {
                Purpose::Trap(saved) => Some(saved.event),
                _ => None,
            },
            _ => None,
        })
    }
}
