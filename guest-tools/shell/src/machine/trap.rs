//! Traps: what `trap` keeps, and the signals it knows.

use std::collections::BTreeMap;

use crate::codec::{record, variants};
use crate::text::Text;

/// What a trap is set for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// `EXIT`
    Exit,
    /// A signal by its number.
    Signal(u8),
    /// `DEBUG`
    Debug,
    /// `ERR`
    Error,
    /// `RETURN`
    Return,
}

/// What is done then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Nothing: `trap '' EVENT`.
    Ignore,
    /// This command.
    Run(Text),
}

/// The traps of a shell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traps {
    actions: BTreeMap<Event, Action>,
    /// What a subshell lists until it sets a trap of its own: its parent's.
    inherited: BTreeMap<Event, Action>,
}

/// The names of the signals, by number.
const SIGNALS: [&str; 65] = [
    "EXIT", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
    "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU",
    "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS", "32", "33", "RTMIN",
    "RTMIN+1", "RTMIN+2", "RTMIN+3", "RTMIN+4", "RTMIN+5", "RTMIN+6", "RTMIN+7", "RTMIN+8",
    "RTMIN+9", "RTMIN+10", "RTMIN+11", "RTMIN+12", "RTMIN+13", "RTMIN+14", "RTMIN+15", "RTMAX-14",
    "RTMAX-13", "RTMAX-12", "RTMAX-11", "RTMAX-10", "RTMAX-9", "RTMAX-8", "RTMAX-7", "RTMAX-6",
    "RTMAX-5", "RTMAX-4", "RTMAX-3", "RTMAX-2", "RTMAX-1", "RTMAX",
];

/// SIGHUP
pub const HANGUP: u8 = 1;
/// SIGINT
pub const INTERRUPT: u8 = 2;
/// SIGKILL
pub const KILL: u8 = 9;
/// SIGPIPE
pub const PIPE: u8 = 13;
/// SIGTERM
pub const TERMINATE: u8 = 15;
/// SIGCHLD
pub const CHILD: u8 = 17;
/// SIGCONT
pub const CONTINUE: u8 = 18;
/// SIGSTOP
pub const STOP: u8 = 19;

/// The name of a signal without `SIG`; of 0 it is `EXIT`.
pub fn signal_name(number: u8) -> Option<&'static str> {
    SIGNALS
        .get(usize::from(number))
        .copied()
        .filter(|name| !matches!(*name, "32" | "33"))
}

/// The signal of a name, with or without `SIG`, in any case, or of a number as text.
pub fn signal_number(name: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(name).ok()?;
    if let Ok(number) = text.parse::<u8>() {
        return (number < 65).then_some(number);
    }
    let upper = text.to_ascii_uppercase();
    let bare = upper.strip_prefix("SIG").unwrap_or(&upper);
    let found = SIGNALS.iter().position(|name| *name == bare)?;
    (!matches!(bare, "32" | "33")).then_some(found as u8)
}

impl Event {
    /// The event of a name or number as `trap` accepts it.
    pub fn parse(name: &[u8]) -> Option<Event> {
        match name.to_ascii_uppercase().as_slice() {
            b"DEBUG" => Some(Event::Debug),
            b"ERR" => Some(Event::Error),
            b"RETURN" => Some(Event::Return),
            b"SIGEXIT" => None,
            _ => signal_number(name).map(|number| match number {
                0 => Event::Exit,
                number => Event::Signal(number),
            }),
        }
    }

    /// The name as `trap -p` prints it.
    pub fn name(self) -> String {
        match self {
            Event::Exit => "EXIT".into(),
            Event::Debug => "DEBUG".into(),
            Event::Error => "ERR".into(),
            Event::Return => "RETURN".into(),
            Event::Signal(number) => format!("SIG{}", signal_name(number).unwrap_or("?")),
        }
    }
}

impl Traps {
    /// The action for an event.
    pub fn get(&self, event: Event) -> Option<&Action> {
        self.actions.get(&event)
    }

    /// Sets or, with none, resets an event.
    pub fn set(&mut self, event: Event, action: Option<Action>) {
        self.inherited.clear();
        match action {
            Some(action) => self.actions.insert(event, action),
            None => self.actions.remove(&event),
        };
    }

    /// Takes the action for an event away for a while; see [`Traps::put_back`].
    pub fn hide(&mut self, event: Event) -> Option<Action> {
        self.actions.remove(&event)
    }

    /// Puts an action back where no other was set since.
    pub fn put_back(&mut self, event: Event, action: Action) {
        self.actions.entry(event).or_insert(action);
    }

    /// What `trap` lists, in order.
    pub fn listed(&self) -> impl Iterator<Item = (Event, &Action)> + '_ {
        let all = if self.inherited.is_empty() {
            &self.actions
        } else {
            &self.inherited
        };
        all.iter().map(|(event, action)| (*event, action))
    }

    /// Whether nothing is set or inherited.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty() && self.inherited.is_empty()
    }

    /// Whether [`Traps::listed`] names those of a parent.
    pub fn lists_others(&self) -> bool {
        !self.inherited.is_empty()
    }

    /// These without what a subshell would list of its parent's.
    #[must_use]
    pub fn own(self) -> Traps {
        Traps {
            actions: self.actions,
            inherited: BTreeMap::new(),
        }
    }

    /// The traps of a subshell: ignored signals stay ignored; `DEBUG` and `RETURN` stay with
    /// `functrace`, `ERR` with `errtrace`.
    #[must_use]
    pub fn for_subshell(&self, functrace: bool, errtrace: bool) -> Traps {
        let kept = |event: &Event, action: &Action| match event {
            Event::Debug | Event::Return => functrace,
            Event::Error => errtrace,
            Event::Exit => false,
            Event::Signal(_) => *action == Action::Ignore,
        };
        Traps {
            actions: self
                .actions
                .iter()
                .filter(|(event, action)| kept(event, action))
                .map(|(event, action)| (*event, action.clone()))
                .collect(),
            inherited: self
                .listed()
                .map(|(event, action)| (event, action.clone()))
                .collect(),
        }
    }
}

variants!(Event { 0 Exit, 1 Signal(number), 2 Debug, 3 Error, 4 Return });
variants!(Action { 0 Ignore, 1 Run(text) });
record!(Traps { actions, inherited });

/// What is said of a process that a signal ended.
pub fn description(signal: u8) -> Option<&'static str> {
    const SIGNALS: [(u8, &str); 15] = [
        (1, "Hangup"),
        (2, "Interrupt"),
        (3, "Quit"),
        (4, "Illegal instruction"),
        (6, "Aborted"),
        (7, "Bus error"),
        (8, "Floating point exception"),
        (9, "Killed"),
        (10, "User defined signal 1"),
        (11, "Segmentation fault"),
        (12, "User defined signal 2"),
        (13, "Broken pipe"),
        (14, "Alarm clock"),
        (15, "Terminated"),
        (24, "CPU time limit exceeded"),
    ];
    let known = SIGNALS.iter().find(|(number, _)| *number == signal);
    known.map(|(_, text)| *text)
}
