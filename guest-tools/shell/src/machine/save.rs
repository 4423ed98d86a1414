//! Saved sessions: the state of a shell between executions as bytes.
//!
//! The bytes begin with a magic, the version that wrote them and the oldest version that can read
//! them, both of four bytes, the lowest first; then [`Saved`] follows. What has names is in the
//! order of these. Functions are kept as text.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use offshoot_shell_language::record;

use super::call::Positional;
use super::descriptor::HIGHEST;
use super::descriptor::kept::OpenFile;
use super::function::Function;
use super::history_file::Line;
use super::option::Options;
use super::state::{SoftAndHard, State};
use super::symbol::Symbols;
use super::trap::Traps;
use super::value::Variable;
use super::variables::Variables;
use crate::codec::{Codec, Corrupt};
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
const VERSION: u32 = 5;
const OLDEST_READER: u32 = 5;
/// The oldest version whose bytes are read.
const OLDEST_WRITER: u32 = 4;
/// From this version on the times of the history's lines come last.
const WITH_TIMES: u32 = 5;

type Writer = offshoot_shell_language::codec::Writer<()>;
type Reader<'a> = offshoot_shell_language::codec::Reader<'a, ()>;

/// What is saved of a state, in the order of the bytes.
struct Saved {
    name: Text,
    directory: Text,
    umask: u32,
    options: Options,
    status: u8,
    pipe_status: Text,
    last_argument: Text,
    option_offset: u32,
    seconds_base: i64,
    /// The seed of `$RANDOM` where it was assigned: otherwise each of two copies draws numbers of its own.
    random: Option<u32>,
    positional: Vec<Text>,
    directories: Rc<Vec<Text>>,
    history: Vec<Text>,
    variables: Vec<(Text, Variable)>,
    functions: Vec<SavedFunction>,
    aliases: Rc<BTreeMap<Text, Text>>,
    traps: Rc<Traps>,
    hashed: Rc<BTreeMap<Text, (Text, u32)>>,
    disabled: Rc<BTreeSet<Text>>,
    completions: Rc<BTreeMap<Text, Rc<Vec<Text>>>>,
    limits: Rc<BTreeMap<u8, SoftAndHard>>,
    bindings: Rc<BTreeMap<Text, Text>>,
    files: Rc<Vec<OpenFile>>,
}

record!(Saved {
    name,
    directory,
    umask,
    options,
    status,
    pipe_status,
    last_argument,
    option_offset,
    seconds_base,
    random,
    positional,
    directories,
    history,
    variables,
    functions,
    aliases,
    traps,
    hashed,
    disabled,
    completions,
    limits,
    bindings,
    files,
});

/// A function as text: what a later version compiles is its own.
struct SavedFunction {
    name: Text,
    text: Text,
    source: Text,
    line: u32,
    exported: bool,
    readonly: bool,
    traced: bool,
}

record!(SavedFunction {
    name,
    text,
    source,
    line,
    exported,
    readonly,
    traced,
});

/// The state as bytes.
pub(super) fn save(state: &State, symbols: &Symbols) -> Vec<u8> {
    let mut writer = Writer::new(());
    writer.bytes.extend_from_slice(MAGIC);
    writer.bytes.extend_from_slice(&VERSION.to_le_bytes());
    writer.bytes.extend_from_slice(&OLDEST_READER.to_le_bytes());
    Saved::of(state, symbols).encode(&mut writer);
    let times: Vec<Option<i64>> = state.history.iter().map(|line| line.time).collect();
    times.encode(&mut writer);
    writer.bytes
}

/// Gives a fresh state what was saved.
pub(super) fn load(
    bytes: &[u8],
    state: &mut State,
    symbols: &mut Symbols,
) -> Result<(), StateError> {
    let mut reader = Reader::new(bytes, ());
    if reader.take(MAGIC.len())? != MAGIC {
        return Err(StateError::Corrupt);
    }
    let mut version = || -> Result<u32, StateError> {
        let bytes = reader.take(4)?.try_into().map_err(|_| Corrupt)?;
        Ok(u32::from_le_bytes(bytes))
    };
    let (written_by, oldest) = (version()?, version()?);
    if oldest > VERSION {
        return Err(StateError::TooNew);
    }
    if written_by < OLDEST_WRITER {
        return Err(StateError::Corrupt);
    }
    let saved = Saved::decode(&mut reader)?;
    let times: Vec<Option<i64>> = match written_by {
        WITH_TIMES.. => Codec::decode(&mut reader)?,
        _ => vec![None; saved.history.len()],
    };
    if !reader.is_empty() || times.len() != saved.history.len() {
        return Err(StateError::Corrupt);
    }
    saved.restore(state, symbols)?;
    for (line, time) in Rc::make_mut(&mut state.history).iter_mut().zip(times) {
        line.time = time;
    }
    Ok(())
}

impl Saved {
    fn of(state: &State, symbols: &Symbols) -> Saved {
        let named = state.variables.iter();
        let mut variables: Vec<(Text, Variable)> = named
            .map(|(symbol, variable)| (symbols.name(symbol), variable.clone()))
            .collect();
        variables.sort_by(|a, b| a.0.cmp(&b.0));
        let mut functions: Vec<SavedFunction> = state
            .functions
            .values()
            .map(|function| SavedFunction::of(function))
            .collect();
        functions.sort_by(|a, b| a.name.cmp(&b.name));
        let clocks = &state.clocks;
        Saved {
            name: state.name.clone(),
            directory: state.directory.clone(),
            umask: state.umask,
            options: state.options,
            status: state.status,
            pipe_status: state.pipe_status.clone(),
            last_argument: state.last_argument.clone(),
            option_offset: state.option_offset,
            seconds_base: clocks.seconds_base,
            random: clocks.assigned.then_some(clocks.random),
            positional: state.positional.as_slice().to_vec(),
            directories: state.directories.clone(),
            history: state.history.iter().map(|line| line.text.clone()).collect(),
            variables,
            functions,
            aliases: state.aliases.clone(),
            traps: state.traps.clone(),
            hashed: state.hashed.clone(),
            disabled: state.disabled.clone(),
            completions: state.completions.clone(),
            limits: state.limits.clone(),
            bindings: state.bindings.clone(),
            files: state.files.clone(),
        }
    }

    fn restore(self, state: &mut State, symbols: &mut Symbols) -> Result<(), StateError> {
        if self.files.iter().any(|file| file.number > HIGHEST) {
            return Err(StateError::Corrupt);
        }
        state.name = self.name;
        state.directory = self.directory;
        state.umask = self.umask & 0o777;
        state.options = self.options;
        state.status = self.status;
        state.pipe_status = self.pipe_status;
        state.last_argument = self.last_argument;
        state.option_offset = self.option_offset;
        state.clocks.seconds_base = self.seconds_base;
        state.clocks.random = self.random.unwrap_or(0);
        state.clocks.assigned = self.random.is_some();
        state.clocks.seeded_in = self.random.map(|_| state.pid);
        state.positional = Positional::new(self.positional);
        state.directories = self.directories;
        let lines = self.history.into_iter();
        let lines = lines.map(|text| Line { text, time: None });
        state.history = Rc::new(lines.collect());
        state.variables = Variables::default();
        for (name, variable) in self.variables {
            state.variables.replace(symbols.intern(&name), variable);
        }
        let functions = Rc::make_mut(&mut state.functions);
        for saved in self.functions {
            let symbol = symbols.intern(&saved.name);
            functions.insert(symbol, Rc::new(saved.restore()?));
        }
        state.aliases = self.aliases;
        state.traps = self.traps;
        state.hashed = self.hashed;
        state.disabled = self.disabled;
        state.completions = self.completions;
        state.limits = self.limits;
        state.bindings = self.bindings;
        state.files = self.files;
        Ok(())
    }
}

impl SavedFunction {
    fn of(function: &Function) -> SavedFunction {
        SavedFunction {
            name: function.name.clone(),
            text: print::function(&function.name, &function.body).into(),
            source: function.source.clone(),
            line: function.line,
            exported: function.exported,
            readonly: function.readonly,
            traced: function.traced,
        }
    }

    fn restore(self) -> Result<Function, StateError> {
        let options = syntax::Options {
            extglob: true,
            posix: false,
            remains: syntax::Remains::default(),
        };
        let Ok(Some(list)) = Parser::new(&self.text, options).next(None) else {
            return Err(StateError::Corrupt);
        };
        let first = list.items.first();
        let command = first.and_then(|item| item.first.stages.first());
        let Some(CommandKind::Function { body, .. }) = command.map(|command| &command.kind) else {
            return Err(StateError::Corrupt);
        };
        Ok(Function {
            body: body.clone(),
            name: self.name,
            source: self.source,
            line: self.line,
            base: 0,
            exported: self.exported,
            readonly: self.readonly,
            traced: self.traced,
            code: RefCell::default(),
        })
    }
}
