//! The stack of calls: functions, sourced files and temporary environments, and what each one has
//! to put back when it ends.
//!
//! It is a persistent list, so that a subshell inside a deep recursion shares it.

use std::rc::Rc;

use super::option::Options;
use super::symbol::Symbol;
use super::trap::{Action, Event};
use super::value::Variable;
use crate::codec::{Codec, Image, Read, Reader, Writer, record, variants};
use crate::text::Text;

/// What kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// A shell function.
    Function,
    /// `source`
    Source,
    /// `VAR=x command`
    Environment,
}

/// One call.
#[derive(Debug, Clone)]
pub struct Call {
    /// What kind.
    pub kind: CallKind,
    /// The function, or `source`.
    pub name: Text,
    /// The file that holds its text.
    pub source: Text,
    /// The line of the call.
    pub line: u32,
    /// Variables that it hides, oldest first.
    pub saved: Vec<(Symbol, Variable)>,
    /// What its variables were given stays when it ends.
    pub keeps: bool,
    /// The caller's positional parameters.
    pub positional: Option<Positional>,
    /// Options to restore: `local -`.
    pub options: Option<Options>,
    /// Traps that do not hold within; they come back unless others were set.
    pub traps: Vec<(Event, Action)>,
    /// What `$BASH_ARGV` shows of it.
    pub arguments: Option<Positional>,
    /// `$_` after it.
    pub last_argument: Option<Text>,
    /// Where `getopts` of the caller is within its word: comes back where `$OPTIND` was local.
    pub option_offset: u32,
    /// The calls around it.
    pub parent: Calls,
    depth: u32,
}

impl Call {
    /// How many calls there are up to this one.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether it hides a variable of this name.
    pub fn hides(&self, symbol: Symbol) -> bool {
        self.saved.iter().any(|(saved, _)| *saved == symbol)
    }
}

/// A stack of calls; cloning takes constant time.
#[derive(Debug, Clone, Default)]
pub struct Calls(Option<Rc<Call>>);

impl Calls {
    /// Begins a call.
    pub fn push(&mut self, kind: CallKind, name: Text, source: Text, line: u32) {
        let parent = Calls(self.0.take());
        let depth = parent.depth() + 1;
        self.0 = Some(Rc::new(Call {
            kind,
            name,
            source,
            line,
            saved: Vec::new(),
            keeps: false,
            positional: None,
            options: None,
            traps: Vec::new(),
            arguments: None,
            last_argument: None,
            option_offset: 0,
            parent,
            depth,
        }));
    }

    /// Ends the innermost call.
    pub fn pop(&mut self) -> Option<Call> {
        let mut call = Rc::unwrap_or_clone(self.0.take()?);
        self.0 = call.parent.0.take();
        Some(call)
    }

    /// How many calls there are.
    pub fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |call| call.depth)
    }

    /// The innermost call.
    pub fn top(&self) -> Option<&Call> {
        self.0.as_deref()
    }

    /// The innermost call, to change it.
    pub fn top_mut(&mut self) -> Option<&mut Call> {
        self.0.as_mut().map(Rc::make_mut)
    }

    /// All calls, the innermost first.
    pub fn iter(&self) -> impl Iterator<Item = &Call> + '_ {
        std::iter::successors(self.top(), |call| call.parent.top())
    }

    /// The innermost function, to change it.
    pub fn function_mut(&mut self) -> Option<&mut Call> {
        self.find_mut(|call| call.kind == CallKind::Function)
    }

    /// The innermost call that `wanted` accepts, to change it.
    pub fn find_mut(&mut self, wanted: impl Fn(&Call) -> bool) -> Option<&mut Call> {
        let mut at = self;
        loop {
            let call = Rc::make_mut(at.0.as_mut()?);
            if wanted(call) {
                return Some(call);
            }
            at = &mut call.parent;
        }
    }

    /// Functions and sourced files, the innermost first.
    pub fn visible(&self) -> impl Iterator<Item = &Call> + '_ {
        self.iter()
            .filter(|call| call.kind != CallKind::Environment)
    }

    /// Whether a function is running.
    pub fn in_function(&self) -> bool {
        self.iter().any(|call| call.kind == CallKind::Function)
    }

    /// Whether a function or a sourced file is running.
    pub fn can_return(&self) -> bool {
        self.visible().next().is_some()
    }
}

impl Drop for Calls {
    /// Without recursion: the stack can be deep.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(call) = next {
            next = match Rc::try_unwrap(call) {
                Ok(mut call) => call.parent.0.take(),
                Err(_) => None,
            };
        }
    }
}

/// Positional parameters; cloning takes constant time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Positional {
    all: Rc<Vec<Text>>,
    start: usize,
}

impl Positional {
    /// These parameters.
    pub fn new(parameters: Vec<Text>) -> Positional {
        Positional {
            all: Rc::new(parameters),
            start: 0,
        }
    }

    /// `$1` and on.
    #[inline]
    pub fn as_slice(&self) -> &[Text] {
        self.all.get(self.start..).unwrap_or(&[])
    }

    /// Drops the first `count`; false where there are fewer.
    pub fn shift(&mut self, count: usize) -> bool {
        if count > self.as_slice().len() {
            return false;
        }
        self.start += count;
        true
    }
}

record!(Positional { all, start });
variants!(CallKind { 0 Function, 1 Source, 2 Environment });

impl Codec<Image> for Calls {
    /// From the outside in, without recursion; calls that another stack has too are written once.
    fn encode(&self, writer: &mut Writer) {
        let mut fresh = Vec::new();
        let mut at = &self.0;
        let mut base = None;
        while let Some(call) = at {
            base = writer.known(Rc::as_ptr(call).addr());
            if base.is_some() {
                break;
            }
            fresh.push(call);
            at = &call.parent.0;
        }
        base.encode(writer);
        writer.number(fresh.len() as u64);
        for call in fresh.into_iter().rev() {
            writer.share(Rc::as_ptr(call).addr());
            let Call {
                kind,
                name,
                source,
                line,
                saved,
                keeps,
                positional,
                options,
                traps,
                arguments,
                last_argument,
                option_offset,
                parent: _,
                depth: _,
            } = &**call;
            kind.encode(writer);
            name.encode(writer);
            source.encode(writer);
            line.encode(writer);
            saved.encode(writer);
            keeps.encode(writer);
            positional.encode(writer);
            options.encode(writer);
            traps.encode(writer);
            arguments.encode(writer);
            last_argument.encode(writer);
            option_offset.encode(writer);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Calls> {
        let base = Option::<u32>::decode(reader)?;
        let base = base.map(|number| reader.shared::<Call>(u64::from(number)));
        let mut calls = Calls(base.transpose()?);
        for _ in 0..reader.count()? {
            let number = reader.reserve();
            let depth = calls.depth() + 1;
            let call = Rc::new(Call {
                kind: Codec::decode(reader)?,
                name: Codec::decode(reader)?,
                source: Codec::decode(reader)?,
                line: Codec::decode(reader)?,
                saved: Codec::decode(reader)?,
                keeps: Codec::decode(reader)?,
                positional: Codec::decode(reader)?,
                options: Codec::decode(reader)?,
                traps: Codec::decode(reader)?,
                arguments: Codec::decode(reader)?,
                last_argument: Codec::decode(reader)?,
                option_offset: Codec::decode(reader)?,
                parent: calls,
                depth,
            });
            reader.fill(number, call.clone());
            calls = Calls(Some(call));
        }
        Ok(calls)
    }
}
