//! Variables that the machine computes or that it acts on (the manual's Bash Variables).
//!
//! Dynamic ones (`RANDOM`, `LINENO`, `FUNCNAME`, …) have no value of their own until they are looked at: `value`
//! computes it. Hooked ones act where they are assigned (`assign`), unset (`unset`) or seen again behind a local one
//! (`reveal`): `PATH` empties the table of commands, `POSIXLY_CORRECT` turns POSIX mode on. Attributes of the variable
//! say which path it takes, so ordinary variables cost no comparison of names.
//!
//! A variable that is unset loses the attribute and is an ordinary one from there on, as in bash.

use std::rc::Rc;

use super::Machine;
use super::message::report;
use super::option::{SetOption, Shopt};
use super::state::State;
use super::symbol::{Symbol, known};
use super::task::Task;
use super::value::{Associative, Attributes, Indexed, Value};
use crate::text::Text;

/// Gives a fresh shell its special variables: no values, but attributes.
pub fn prepare(task_state: &mut super::state::State) {
    const DYNAMIC: &[Symbol] = &[
        known::RANDOM,
        known::SRANDOM,
        known::SECONDS,
        known::LINENO,
        known::BASHPID,
        known::EPOCHSECONDS,
        known::EPOCHREALTIME,
        known::BASH_COMMAND,
        known::BASH_SUBSHELL,
        known::FUNCNAME,
        known::BASH_SOURCE,
        known::BASH_LINENO,
        known::BASH_ARGC,
        known::BASH_ARGV,
        known::PIPESTATUS,
        known::DIRSTACK,
        known::GROUPS,
        known::BASH_ARGV0,
        known::UNDERSCORE,
        known::SHELLOPTS,
        known::BASHOPTS,
        known::BASH_ALIASES,
        known::BASH_CMDS,
        known::HISTCMD,
        known::BASH_EXECUTION_STRING,
    ];
    const HOOKED: &[Symbol] = &[
        known::OPTIND,
        known::PATH,
        known::POSIXLY_CORRECT,
        known::HISTSIZE,
        known::BASH_COMPAT,
    ];
    let set = |state: &mut super::state::State, symbol, attributes: Attributes| {
        let slot = state.variables.slot(symbol);
        slot.attributes = slot.attributes.with(attributes);
    };
    for &symbol in DYNAMIC {
        set(task_state, symbol, DYNAMIC_ATTRIBUTES);
    }
    for &symbol in HOOKED {
        set(task_state, symbol, Attributes::HOOKED);
    }
    for symbol in [known::SHELLOPTS, known::BASHOPTS] {
        set(task_state, symbol, Attributes::READONLY);
    }
    for symbol in [
        known::BASHPID,
        known::RANDOM,
        known::SRANDOM,
        known::HISTCMD,
    ] {
        set(task_state, symbol, Attributes::INTEGER);
    }
    for symbol in [
        known::FUNCNAME,
        known::BASH_SOURCE,
        known::BASH_LINENO,
        known::PIPESTATUS,
        known::DIRSTACK,
        known::GROUPS,
        known::BASH_ARGC,
        known::BASH_ARGV,
    ] {
        set(task_state, symbol, Attributes::INDEXED);
    }
    for symbol in [known::BASH_ALIASES, known::BASH_CMDS] {
        set(task_state, symbol, Attributes::ASSOCIATIVE);
    }
}

/// What all dynamic variables have.
const DYNAMIC_ATTRIBUTES: Attributes = Attributes::DYNAMIC
    .with(Attributes::HOOKED)
    .with(Attributes::DECLARED);

/// The value of a variable, computed where it is dynamic.
pub fn value(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Value {
    if !task
        .state
        .variables
        .attributes(symbol)
        .has(Attributes::DYNAMIC)
    {
        return task.state.variables.value(symbol).clone();
    }
    let value = compute(machine, task, symbol);
    if is_remembered(symbol) {
        if symbol == known::SECONDS {
            let slot = task.state.variables.slot(symbol);
            slot.attributes = slot.attributes.with(Attributes::INTEGER);
        }
        remember(task, symbol, value.clone());
    }
    value
}

/// The value that a list of all variables shows: of those that are computed when they are looked up,
/// the last one.
pub fn listed(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Value {
    if !is_remembered(symbol) {
        return match symbol {
            known::BASH_ARGC | known::BASH_ARGV => arguments(task, symbol == known::BASH_ARGV),
            _ => value(machine, task, symbol),
        };
    }
    match task.state.variables.value(symbol) {
        Value::Unset if matches!(symbol, known::DIRSTACK | known::GROUPS) => {
            Value::Indexed(Rc::default())
        }
        Value::Unset if matches!(symbol, known::BASH_ALIASES | known::BASH_CMDS) => {
            Value::Associative(Rc::default())
        }
        value => value.clone(),
    }
}

/// Whether a computed value is kept, so that lists of variables show it: bash computes these on lookup alone.
fn is_remembered(symbol: Symbol) -> bool {
    matches!(
        symbol,
        known::RANDOM
            | known::SRANDOM
            | known::SECONDS
            | known::LINENO
            | known::BASHPID
            | known::EPOCHSECONDS
            | known::EPOCHREALTIME
            | known::BASH_COMMAND
            | known::BASH_SUBSHELL
            | known::BASH_ARGV0
            | known::DIRSTACK
            | known::GROUPS
            | known::BASH_ALIASES
            | known::BASH_CMDS
            | known::HISTCMD
    )
}

/// Keeps a value, and counts its size.
fn remember(task: &mut Task, symbol: Symbol, value: Value) {
    let slot = task.state.variables.slot(symbol);
    let (old, new) = (slot.value.size(), value.size());
    slot.value = value;
    task.state.variables.account(old, new);
}

/// Computes a variable with one value.
fn compute(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Value {
    let number = |number: i64| Value::Text(Text::from(number));
    match symbol {
        known::RANDOM => number(i64::from(random(machine, task))),
        known::SRANDOM => number((machine.os.random() & 0xffff_ffff) as i64),
        known::SECONDS => number(machine.os.now().seconds - task.state.clocks.seconds_base),
        known::LINENO => number(i64::from(task.line)),
        known::BASHPID => number(i64::from(task.state.pid)),
        known::EPOCHSECONDS => number(machine.os.now().seconds),
        known::EPOCHREALTIME => {
            let now = machine.os.now();
            let text = format!("{}.{:06}", now.seconds, now.nanoseconds / 1000);
            Value::Text(Text::from(text))
        }
        known::BASH_COMMAND => Value::Text(task.command.clone()),
        known::BASH_SUBSHELL => number(i64::from(task.state.subshell_level)),
        known::BASH_ARGV0 => Value::Text(task.state.name.clone()),
        known::UNDERSCORE => Value::Text(task.state.last_argument.clone()),
        known::SHELLOPTS => Value::Text(Text::from(task.state.options.set_names())),
        known::BASHOPTS => Value::Text(Text::from(task.state.options.shopt_names())),
        known::BASH_EXECUTION_STRING => task
            .state
            .command_text
            .clone()
            .map_or(Value::Unset, Value::Text),
        known::HISTCMD => {
            let dropped = task.state.history_counts.dropped;
            number((dropped + task.state.history.len()) as i64)
        }
        _ => compute_array(machine, task, symbol),
    }
}

/// Computes a variable with elements; unset where there is nothing to list.
fn compute_array(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Value {
    let array = |items: Vec<Text>| {
        if items.is_empty() {
            Value::Unset
        } else {
            Value::Indexed(Rc::new(Indexed::from_elements(items)))
        }
    };
    match symbol {
        known::FUNCNAME if task.state.calls.in_function() => {
            let mut names: Vec<Text> = task
                .state
                .calls
                .visible()
                .map(|call| call.name.clone())
                .collect();
            if task.state.script.is_some() {
                names.push(Text::from("main"));
            }
            array(names)
        }
        known::BASH_ARGC | known::BASH_ARGV => {
            if task.state.arguments.is_none() && !task.state.calls.in_function() {
                task.state.arguments = Some(task.state.positional.clone());
            }
            arguments(task, symbol == known::BASH_ARGV)
        }
        known::BASH_SOURCE => {
            let mut sources: Vec<Text> = task
                .state
                .calls
                .visible()
                .map(|call| call.source.clone())
                .collect();
            sources.extend(task.state.script.clone());
            Value::Indexed(Rc::new(Indexed::from_elements(sources)))
        }
        known::BASH_LINENO => {
            let mut lines: Vec<Text> = task
                .state
                .calls
                .visible()
                .map(|call| Text::from(i64::from(call.line)))
                .collect();
            if task.state.script.is_some() {
                lines.push(Text::from("0"));
            }
            Value::Indexed(Rc::new(Indexed::from_elements(lines)))
        }
        known::PIPESTATUS => array(
            task.state
                .pipe_status
                .iter()
                .map(|&status| Text::from(i64::from(status)))
                .collect(),
        ),
        known::DIRSTACK => {
            let mut all = vec![task.state.directory.clone()];
            all.extend(task.state.directories.iter().cloned());
            array(all)
        }
        known::GROUPS => array(vec![Text::from(i64::from(machine.identity().gid))]),
        known::BASH_ALIASES => table(64, task.state.aliases.iter()),
        known::BASH_CMDS => table(
            256,
            task.state
                .hashed
                .iter()
                .map(|(name, found)| (name, &found.0)),
        ),
        _ => Value::Unset,
    }
}

/// `$BASH_ARGC`: how many arguments each call has, the innermost first; `$BASH_ARGV`: all of them, the last one first.
fn arguments(task: &Task, values: bool) -> Value {
    let calls = task.state.calls.visible();
    let shown = calls
        .filter_map(|call| call.arguments.as_ref())
        .chain(&task.state.arguments);
    let elements: Vec<Text> = if values {
        shown
            .flat_map(|given| given.as_slice().iter().rev().cloned())
            .collect()
    } else {
        shown
            .map(|given| Text::from(given.as_slice().len() as i64))
            .collect()
    };
    Value::Indexed(Rc::new(Indexed::from_elements(elements)))
}

/// Names and values as an associative array, with as many chains as bash's table has.
fn table<'a>(buckets: u32, pairs: impl Iterator<Item = (&'a Text, &'a Text)>) -> Value {
    let mut map = Associative::with_buckets(buckets);
    for (key, value) in pairs {
        map.set(key.clone(), value.clone());
    }
    Value::Associative(Rc::new(map))
}

/// bash's generator: x' = 16807 x mod (2^31 - 1) by Schrage's method, its halves folded to 15 bits. A task that is not
/// the one that was seeded, a subshell for example, seeds itself anew from the system.
fn random(machine: &Machine, task: &mut Task) -> u32 {
    let clocks = &mut task.state.clocks;
    if clocks.seeded_in != Some(task.state.pid) {
        clocks.random = machine.os.random() as u32;
        clocks.seeded_in = Some(task.state.pid);
        clocks.assigned = false;
    }
    let seed = if clocks.random == 0 {
        123_459_876
    } else {
        clocks.random
    };
    let (high, low) = (i64::from(seed) / 127_773, i64::from(seed) % 127_773);
    let next = 16_807 * low - 2_836 * high;
    let next = if next < 0 { next + 0x7fff_ffff } else { next };
    clocks.random = next as u32;
    let folded = (clocks.random >> 16) ^ (clocks.random & 0xffff);
    folded & 0x7fff
}

/// Acts on an assignment; true where nothing is to be stored. What is no number counts as 0.
pub fn assign(machine: &mut Machine, task: &mut Task, symbol: Symbol, value: &Text) -> bool {
    let dynamic = task
        .state
        .variables
        .attributes(symbol)
        .has(Attributes::DYNAMIC);
    match symbol {
        known::RANDOM if dynamic => {
            let seed = crate::arithmetic::plain_integer(value).unwrap_or(0);
            task.state.clocks.random = seed as u32;
            task.state.clocks.seeded_in = Some(task.state.pid);
            task.state.clocks.assigned = true;
        }
        known::SECONDS if dynamic => {
            let seconds = crate::arithmetic::plain_integer(value).unwrap_or(0);
            task.state.clocks.seconds_base = machine.os.now().seconds.wrapping_sub(seconds);
        }
        known::BASH_ARGV0 if dynamic => task.state.name = value.clone(),
        known::LINENO if dynamic => {
            task.line = crate::arithmetic::plain_integer(value).unwrap_or(0) as u32;
        }
        known::OPTIND => {
            task.state.option_offset = 0;
            return false;
        }
        known::PATH => {
            task.state.hashed = Rc::default();
            return false;
        }
        known::HISTSIZE => {
            super::history_file::resize(&mut task.state, value);
            return false;
        }
        known::POSIXLY_CORRECT => {
            set_posix(&mut task.state, true);
            return false;
        }
        known::BASH_COMPAT => {
            let level = compatibility(value);
            if level.is_none() {
                let tail = b": compatibility value out of range".as_slice();
                report(task, &[b"BASH_COMPAT: ", value.as_bytes(), tail].concat());
            }
            set_compatibility(&mut task.state, level);
            return false;
        }
        known::BASH_COMMAND if dynamic => {
            make_plain(task, symbol);
            return false;
        }
        _ => {}
    }
    let shown = [known::RANDOM, known::SECONDS, known::LINENO, known::HISTCMD];
    if dynamic && shown.contains(&symbol) {
        remember(task, symbol, Value::Text(value.clone()));
    }
    dynamic
}

/// Acts on an assignment to an element: of `BASH_ALIASES` and `BASH_CMDS` it sets the alias or the remembered path, of
/// `DIRSTACK` a directory. True where nothing is to be stored.
pub fn assign_element(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
    value: &Text,
) -> bool {
    let _ = machine;
    if !task
        .state
        .variables
        .attributes(symbol)
        .has(Attributes::DYNAMIC)
    {
        return false;
    }
    match symbol {
        known::BASH_ALIASES => {
            Rc::make_mut(&mut task.state.aliases).insert(subscript.clone(), value.clone());
        }
        known::BASH_CMDS if value.contains(&b'/') && task.state.options.restricted() => {
            report(task, &[value.as_bytes(), b": restricted"].concat());
        }
        known::BASH_CMDS => {
            Rc::make_mut(&mut task.state.hashed).insert(subscript.clone(), (value.clone(), 0));
        }
        known::DIRSTACK => {
            let at = crate::arithmetic::plain_integer(subscript).unwrap_or(0);
            let stack = Rc::make_mut(&mut task.state.directories);
            if let Some(slot) = usize::try_from(at - 1)
                .ok()
                .and_then(|at| stack.get_mut(at))
            {
                *slot = value.clone();
            }
        }
        _ => {}
    }
    true
}

/// Makes a dynamic variable an ordinary one.
fn make_plain(task: &mut Task, symbol: Symbol) {
    let slot = task.state.variables.slot(symbol);
    slot.attributes = slot.attributes.without(Attributes::DYNAMIC);
}

/// Acts where a variable is unset.
pub fn unset(task: &mut Task, symbol: Symbol) {
    match symbol {
        known::PATH => task.state.hashed = Rc::default(),
        known::OPTIND => task.state.option_offset = 0,
        known::POSIXLY_CORRECT => set_posix(&mut task.state, false),
        known::BASH_COMPAT => set_compatibility(&mut task.state, None),
        _ => {}
    }
}

/// The options that stand for older versions of bash, and their numbers.
const VERSIONS: [(u32, Shopt); 7] = [
    (31, Shopt::Compat31),
    (32, Shopt::Compat32),
    (40, Shopt::Compat40),
    (41, Shopt::Compat41),
    (42, Shopt::Compat42),
    (43, Shopt::Compat43),
    (44, Shopt::Compat44),
];
/// The number of bash's own version.
const OWN_VERSION: u32 = 52;

/// The version that a value of `$BASH_COMPAT` means: `4.2`, `42`, or nothing for the own one.
fn compatibility(value: &[u8]) -> Option<u32> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
    let number = match value {
        [] => return Some(OWN_VERSION),
        [major, b'.', minor] | [major, minor] => digit(*major)? * 10 + digit(*minor)?,
        _ => return None,
    };
    let known = VERSIONS.iter().any(|(version, _)| *version == number);
    (known || (50..=OWN_VERSION).contains(&number)).then_some(number)
}

/// Turns the option of an older version on and those of all others off.
fn set_compatibility(state: &mut State, level: Option<u32>) {
    for (version, option) in VERSIONS {
        state.options.set_shopt(option, level == Some(version));
    }
}

/// `shopt -s compat42` and its kin: the version that `$BASH_COMPAT` says from here on; none where it is no such option.
pub fn version_of(option: Shopt, on: bool) -> Option<u32> {
    let (version, _) = VERSIONS.iter().find(|(_, other)| *other == option)?;
    Some(if on { *version } else { OWN_VERSION })
}

/// Acts where a local variable ends and another value is seen again.
pub fn reveal(state: &mut State, symbol: Symbol) {
    match symbol {
        known::PATH => state.hashed = Rc::default(),
        known::POSIXLY_CORRECT => {
            let on = state.variables.value(symbol).scalar().is_some();
            set_posix(state, on);
        }
        _ => {}
    }
}

/// Turns POSIX mode on or off, and the options that go with it.
pub(super) fn set_posix(state: &mut State, on: bool) {
    let options = &mut state.options;
    options.set(SetOption::Posix, on);
    options.set_shopt(Shopt::ShiftVerbose, on);
    if on {
        options.set(SetOption::InteractiveComments, true);
        options.set_shopt(Shopt::InteractiveComments, true);
        options.set_shopt(Shopt::Sourcepath, true);
        options.set_shopt(Shopt::InheritErrexit, true);
    }
    options.set_shopt(Shopt::ExpandAliases, on || state.interactive);
}
