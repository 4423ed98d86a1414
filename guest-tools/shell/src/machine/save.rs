//! Saved sessions: the state of a shell as bytes.
//!
//! The bytes begin with a magic, the version that wrote them and the oldest version that can read
//! them, then sections of length-prefixed fields, each sorted, so that equal states give equal
//! bytes. Functions are kept as text.

use std::rc::Rc;

use super::descriptor::HIGHEST;
use super::descriptor::kept::{OpenFile, Origin};
use super::function::Function;
use super::option::Options;
use super::state::State;
use super::symbol::Symbols;
use super::trap::{Action, Event, Traps};
use super::value::{Associative, Attributes, Indexed, Value, Variable};
use crate::codec::Corrupt;
use crate::syntax::tree::CommandKind;
use crate::syntax::{self, Parser, print};
use crate::text::Text;

/// Why state could not be loaded or saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// The bytes are no saved state, or are damaged.
    Corrupt,
    /// A newer version wrote them.
    TooNew,
    /// An execution is in flight.
    Busy,
}

impl StateError {
    /// A stable code.
    pub fn code(self) -> &'static str {
        match self {
            StateError::Corrupt => "CORRUPT",
            StateError::TooNew => "TOO_NEW",
            StateError::Busy => "CONFLICT",
        }
    }
}

impl std::fmt::Display for StateError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            StateError::Corrupt => "the saved shell state is damaged",
            StateError::TooNew => "the saved shell state is from a newer version",
            StateError::Busy => "an execution is in flight",
        })
    }
}

impl std::error::Error for StateError {}

impl From<Corrupt> for StateError {
    fn from(Corrupt: Corrupt) -> StateError {
        StateError::Corrupt
    }
}

const MAGIC: &[u8; 8] = b"OFFSHELL";
const VERSION: u32 = 3;
const OLDEST_READER: u32 = 3;

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn short(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Unset => self.short(0),
            Value::Text(text) => {
                self.short(1);
                self.bytes(text);
            }
            Value::Indexed(array) => {
                self.short(2);
                self.number(array.len() as u64);
                for (index, item) in array.iter() {
                    self.number(index);
                    self.bytes(item);
                }
            }
            Value::Associative(map) => {
                self.short(3);
                self.number(map.len() as u64);
                // The newest of each chain first is the order of iteration: read backwards, it is
                // an order of insertion that gives the same again.
                for (key, item) in map.iter() {
                    self.bytes(key);
                    self.bytes(item);
                }
            }
        }
    }

    fn texts(&mut self, texts: &[Text]) {
        self.number(texts.len() as u64);
        for text in texts {
            self.bytes(text);
        }
    }
}

struct Reader<'a>(&'a [u8]);

type Read<T> = Result<T, StateError>;

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(StateError::Corrupt)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Read<u64> {
        let bytes = self.take(8)?.try_into().map_err(|_| StateError::Corrupt)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn short(&mut self) -> Read<u32> {
        let bytes = self.take(4)?.try_into().map_err(|_| StateError::Corrupt)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn bytes(&mut self) -> Read<&'a [u8]> {
        let length = usize::try_from(self.number()?).map_err(|_| StateError::Corrupt)?;
        self.take(length)
    }

    fn text(&mut self) -> Read<Text> {
        self.bytes().map(Text::from)
    }

    /// A count of things that take at least `least` bytes each.
    fn count(&mut self, least: usize) -> Read<usize> {
        let count = usize::try_from(self.number()?).map_err(|_| StateError::Corrupt)?;
        if count.saturating_mul(least) > self.0.len() {
            return Err(StateError::Corrupt);
        }
        Ok(count)
    }

    fn texts(&mut self) -> Read<Vec<Text>> {
        let count = self.count(8)?;
        (0..count).map(|_| self.text()).collect()
    }

    fn value(&mut self) -> Read<Value> {
        Ok(match self.short()? {
            0 => Value::Unset,
            1 => Value::Text(self.text()?),
            2 => {
                let mut array = Indexed::default();
                for _ in 0..self.count(16)? {
                    let index = self.number()?;
                    if i64::try_from(index).is_err() {
                        return Err(StateError::Corrupt);
                    }
                    array.set(index, self.text()?);
                }
                Value::Indexed(Rc::new(array))
            }
            3 => {
                let mut pairs = Vec::new();
                for _ in 0..self.count(16)? {
                    pairs.push((self.text()?, self.text()?));
                }
                let mut map = Associative::default();
                for (key, value) in pairs.into_iter().rev() {
                    map.set(key, value);
                }
                Value::Associative(Rc::new(map))
            }
            _ => return Err(StateError::Corrupt),
        })
    }
}

/// The state as bytes.
pub(super) fn save(state: &State, symbols: &Symbols) -> Vec<u8> {
    let mut writer = Writer(MAGIC.to_vec());
    writer.short(VERSION);
    writer.short(OLDEST_READER);
    writer.bytes(&state.name);
    writer.bytes(&state.directory);
    writer.short(state.umask);
    let (set, shopt) = state.options.bits();
    writer.number(set);
    writer.number(shopt);
    writer.short(u32::from(state.status));
    writer.bytes(&state.pipe_status);
    writer.bytes(&state.last_argument);
    writer.short(state.option_offset);
    writer.number(state.clocks.seconds_base as u64);
    // Of two copies of a state, each draws numbers of its own, unless it was told which.
    let assigned = state.clocks.assigned;
    writer.short(if assigned { state.clocks.random } else { 0 });
    writer.short(u32::from(assigned));
    writer.texts(state.positional.as_slice());
    writer.texts(&state.directories);
    writer.texts(&state.history);
    write_variables(&mut writer, state, symbols);
    write_functions(&mut writer, state);
    writer.number(state.aliases.len() as u64);
    for (name, text) in state.aliases.iter() {
        writer.bytes(name);
        writer.bytes(text);
    }
    write_traps(&mut writer, &state.traps);
    writer.number(state.hashed.len() as u64);
    for (name, (path, count)) in state.hashed.iter() {
        writer.bytes(name);
        writer.bytes(path);
        writer.short(*count);
    }
    let disabled: Vec<Text> = state.disabled.iter().cloned().collect();
    writer.texts(&disabled);
    writer.number(state.completions.len() as u64);
    for (name, words) in state.completions.iter() {
        writer.bytes(name);
        writer.texts(words);
    }
    write_limits(&mut writer, state);
    writer.number(state.bindings.len() as u64);
    for (key, change) in state.bindings.iter() {
        writer.bytes(key);
        writer.bytes(change);
    }
    write_files(&mut writer, &state.files);
    writer.0
}

fn write_files(writer: &mut Writer, files: &[OpenFile]) {
    writer.number(files.len() as u64);
    for file in files {
        let OpenFile {
            number,
            origin,
            offset,
            shares,
        } = file;
        writer.short(*number);
        writer.bytes(&origin.path);
        let flags =
            u32::from(origin.read) | u32::from(origin.write) << 1 | u32::from(origin.append) << 2;
        writer.short(flags);
        writer.number(*offset);
        // 0 is never kept.
        writer.short(shares.unwrap_or(0));
    }
}

fn write_limits(writer: &mut Writer, state: &State) {
    writer.number(state.limits.len() as u64);
    for (letter, (soft, hard)) in state.limits.iter() {
        writer.short(u32::from(*letter));
        for limit in [soft, hard] {
            writer.short(u32::from(limit.is_some()));
            writer.number(limit.unwrap_or(0));
        }
    }
}

fn write_variables(writer: &mut Writer, state: &State, symbols: &Symbols) {
    let mut variables: Vec<(Text, &Variable)> = state
        .variables
        .iter()
        .map(|(symbol, variable)| (symbols.name(symbol), variable))
        .collect();
    variables.sort_by(|a, b| a.0.cmp(&b.0));
    writer.number(variables.len() as u64);
    for (name, variable) in variables {
        writer.bytes(&name);
        writer.short(u32::from(variable.attributes.0));
        writer.value(&variable.value);
    }
}

fn write_functions(writer: &mut Writer, state: &State) {
    let mut functions: Vec<&Rc<Function>> = state.functions.values().collect();
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    writer.number(functions.len() as u64);
    for function in functions {
        writer.bytes(&function.name);
        writer.bytes(&print::function(&function.name, &function.body));
        writer.bytes(&function.source);
        writer.short(function.line);
        let flags = u32::from(function.exported)
            | u32::from(function.readonly) << 1
            | u32::from(function.traced) << 2;
        writer.short(flags);
    }
}

fn write_traps(writer: &mut Writer, traps: &Traps) {
    let listed: Vec<(Event, &Action)> = traps.listed().collect();
    writer.number(listed.len() as u64);
    for (event, action) in listed {
        writer.short(event_number(event));
        match action {
            Action::Ignore => writer.short(0),
            Action::Run(text) => {
                writer.short(1);
                writer.bytes(text);
            }
        }
    }
}

fn event_number(event: Event) -> u32 {
    match event {
        Event::Exit => 0,
        Event::Signal(number) => u32::from(number),
        Event::Debug => 1000,
        Event::Error => 1001,
        Event::Return => 1002,
    }
}

fn event_of(number: u32) -> Read<Event> {
    Ok(match number {
        0 => Event::Exit,
        1000 => Event::Debug,
        1001 => Event::Error,
        1002 => Event::Return,
        number @ 1..=64 => Event::Signal(number as u8),
        _ => return Err(StateError::Corrupt),
    })
}

/// Gives a fresh state what was saved.
pub(super) fn load(bytes: &[u8], state: &mut State, symbols: &mut Symbols) -> Read<()> {
    let mut reader = Reader(bytes);
    if reader.take(MAGIC.len())? != MAGIC {
        return Err(StateError::Corrupt);
    }
    let (version, oldest) = (reader.short()?, reader.short()?);
    if oldest > VERSION {
        return Err(StateError::TooNew);
    }
    state.name = reader.text()?;
    state.directory = reader.text()?;
    state.umask = reader.short()? & 0o777;
    state.options = Options::from_bits(reader.number()?, reader.number()?);
    state.status = u8::try_from(reader.short()?).map_err(|_| StateError::Corrupt)?;
    state.pipe_status = reader.text()?;
    state.last_argument = reader.text()?;
    state.option_offset = reader.short()?;
    state.clocks.seconds_base = reader.number()? as i64;
    state.clocks.random = reader.short()?;
    state.clocks.assigned = reader.short()? != 0;
    state.clocks.seeded_in = state.clocks.assigned.then_some(state.pid);
    state.positional = super::call::Positional::new(reader.texts()?);
    state.directories = Rc::new(reader.texts()?);
    state.history = Rc::new(reader.texts()?);
    read_variables(&mut reader, state, symbols)?;
    read_functions(&mut reader, state, symbols)?;
    let aliases = Rc::make_mut(&mut state.aliases);
    for _ in 0..reader.count(16)? {
        aliases.insert(reader.text()?, reader.text()?);
    }
    read_traps(&mut reader, state)?;
    let hashed = Rc::make_mut(&mut state.hashed);
    for _ in 0..reader.count(20)? {
        let name = reader.text()?;
        hashed.insert(name, (reader.text()?, reader.short()?));
    }
    state.disabled = Rc::new(reader.texts()?.into_iter().collect());
    let completions = Rc::make_mut(&mut state.completions);
    for _ in 0..reader.count(16)? {
        let name = reader.text()?;
        completions.insert(name, Rc::new(reader.texts()?));
    }
    if version > 1 {
        read_limits(&mut reader, state)?;
        let bindings = Rc::make_mut(&mut state.bindings);
        for _ in 0..reader.count(16)? {
            bindings.insert(reader.text()?, reader.text()?);
        }
    }
    if version > 2 {
        read_files(&mut reader, state)?;
    }
    if reader.0.is_empty() {
        Ok(())
    } else {
        Err(StateError::Corrupt)
    }
}

fn read_files(reader: &mut Reader<'_>, state: &mut State) -> Read<()> {
    let mut files = Vec::new();
    for _ in 0..reader.count(28)? {
        let number = reader.short()?;
        let path = reader.text()?;
        let flags = reader.short()?;
        let origin = Origin {
            path,
            read: flags & 1 != 0,
            write: flags & 2 != 0,
            append: flags & 4 != 0,
        };
        let offset = reader.number()?;
        let shares = Some(reader.short()?).filter(|&number| number != 0);
        if number > HIGHEST {
            return Err(StateError::Corrupt);
        }
        files.push(OpenFile {
            number,
            origin,
            offset,
            shares,
        });
    }
    state.files = Rc::new(files);
    Ok(())
}

fn read_limits(reader: &mut Reader<'_>, state: &mut State) -> Read<()> {
    let limits = Rc::make_mut(&mut state.limits);
    for _ in 0..reader.count(28)? {
        let letter = u8::try_from(reader.short()?).map_err(|_| StateError::Corrupt)?;
        let mut limit = || -> Read<Option<u64>> {
            let given = reader.short()? != 0;
            Ok(Some(reader.number()?).filter(|_| given))
        };
        limits.insert(letter, (limit()?, limit()?));
    }
    Ok(())
}

fn read_variables(reader: &mut Reader<'_>, state: &mut State, symbols: &mut Symbols) -> Read<()> {
    state.variables = super::variables::Variables::default();
    for _ in 0..reader.count(16)? {
        let symbol = symbols.intern(reader.bytes()?);
        let bits = u16::try_from(reader.short()?).map_err(|_| StateError::Corrupt)?;
        let variable = Variable {
            value: reader.value()?,
            attributes: Attributes(bits),
        };
        state.variables.replace(symbol, variable);
    }
    Ok(())
}

fn read_functions(reader: &mut Reader<'_>, state: &mut State, symbols: &mut Symbols) -> Read<()> {
    for _ in 0..reader.count(32)? {
        let name = reader.text()?;
        let text = reader.bytes()?;
        let source = reader.text()?;
        let line = reader.short()?;
        let flags = reader.short()?;
        let options = syntax::Options {
            extglob: true,
            posix: false,
            remains: syntax::Remains::default(),
        };
        let list = Parser::new(text, options).next(None);
        let Ok(Some(list)) = list else {
            return Err(StateError::Corrupt);
        };
        let command = list
            .items
            .first()
            .and_then(|item| item.first.stages.first());
        let Some(CommandKind::Function { body, .. }) = command.map(|command| &command.kind) else {
            return Err(StateError::Corrupt);
        };
        let function = Function {
            name: name.clone(),
            body: body.clone(),
            source,
            line,
            base: 0,
            exported: flags & 1 != 0,
            readonly: flags & 2 != 0,
            traced: flags & 4 != 0,
            code: std::cell::RefCell::default(),
        };
        let symbol = symbols.intern(&name);
        Rc::make_mut(&mut state.functions).insert(symbol, Rc::new(function));
    }
    Ok(())
}

fn read_traps(reader: &mut Reader<'_>, state: &mut State) -> Read<()> {
    let mut traps = Traps::default();
    for _ in 0..reader.count(8)? {
        let event = event_of(reader.short()?)?;
        let action = match reader.short()? {
            0 => Action::Ignore,
            1 => Action::Run(reader.text()?),
            _ => return Err(StateError::Corrupt),
        };
        traps.set(event, Some(action));
    }
    state.traps = Rc::new(traps);
    Ok(())
}
