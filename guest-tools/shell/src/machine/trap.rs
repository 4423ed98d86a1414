//! Traps: what `trap` keeps, and the signals it knows.

pub use offshoot_posix::signal::{
    CHILD, CONTINUE, HANGUP, INTERRUPT, KILL, PIPE, STOP, TERMINATE, description,
    name as signal_name, number as signal_number,
};

use std::collections::BTreeMap;

use crate::text::Text;
use offshoot_shell_language::{record, variants};

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

/// Signals that a shell ignores apart from its own traps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ignored {
    /// Those that were ignored when it began, a bit each: no trap can be set for them.
    on_entry: u64,
    /// Those that it ignores because it runs in the background, until it sets a trap.
    in_background: u64,
}

/// SIGQUIT
const QUIT: u8 = 3;

const fn bit(signal: u8) -> u64 {
    match signal {
        1..=64 => 1 << (signal - 1),
        _ => 0,
    }
}

impl Ignored {
    /// What a shell begins with to which these traps were handed down.
    pub fn on_entry(traps: &Traps) -> Ignored {
        let mut on_entry = 0;
        for (event, action) in &traps.actions {
            if let (Event::Signal(signal), Action::Ignore) = (event, action) {
                on_entry |= bit(*signal);
            }
        }
        Ignored {
            on_entry,
            in_background: 0,
        }
    }

    /// The same of a command in the background without job control, which INT and QUIT do not reach.
    #[must_use]
    pub const fn for_background(self) -> Ignored {
        Ignored {
            in_background: bit(INTERRUPT) | bit(QUIT),
            ..self
        }
    }

    /// Whether no trap can be set.
    pub const fn is_fixed(self, signal: u8) -> bool {
        self.on_entry & bit(signal) != 0
    }

    /// Whether a signal does nothing where there is no trap.
    pub const fn holds(self, signal: u8) -> bool {
        self.in_background & bit(signal) != 0
    }

    /// A trap was set or reset.
    pub const fn forget(&mut self, signal: u8) {
        self.in_background &= !bit(signal);
    }

    /// As traps of another shell that takes the place of the command in the background.
    pub fn hand_down(self, traps: &mut Traps) {
        for signal in [INTERRUPT, QUIT] {
            if self.holds(signal) {
                traps.set(Event::Signal(signal), Some(Action::Ignore));
            }
        }
    }
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
record!(Ignored {
    on_entry,
    in_background
});
