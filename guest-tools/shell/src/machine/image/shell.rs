//! The state of a shell: variables, functions, options.

use std::cell::RefCell;

use crate::codec::{Codec, Corrupt, Image, Read, Reader, Writer, record, variants};
use crate::machine::function::Function;
use crate::machine::history_file::HistoryCounts;
use crate::machine::option::Options;
use crate::machine::state::{Clocks, State};
use crate::machine::value::{Attributes, Indexed, Value, Variable};
use crate::text::Text;

record!(State {
    variables,
    functions,
    aliases,
    options,
    traps,
    positional,
    arguments,
    name,
    source,
    directory,
    umask,
    has_input,
    limits,
    files,
    hashed,
    directories,
    disabled,
    completions,
    bindings,
    history,
    history_counts,
    recorded,
    interactive,
    calls,
    descriptors,
    status,
    pipe_status,
    background,
    last_argument,
    subshell_level,
    pid,
    shell_pid,
    clocks,
    option_offset,
    script,
    command_text,
    mode,
    unsplit,
    remains,
});
record!(Clocks {
    seconds_base,
    random,
    seeded_in,
    assigned
});
record!(HistoryCounts {
    dropped,
    fresh,
    in_file
});
record!(Variable { value, attributes });
variants!(Value { 0 Unset, 1 Text(text), 2 Indexed(array), 3 Associative(map) });

impl Codec<Image> for Attributes {
    fn encode(&self, writer: &mut Writer) {
        self.0.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Attributes> {
        u16::decode(reader).map(Attributes)
    }
}

impl Codec<Image> for Indexed {
    fn encode(&self, writer: &mut Writer) {
        writer.number(self.len() as u64);
        for (index, item) in self.iter() {
            index.encode(writer);
            item.encode(writer);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Indexed> {
        let mut array = Indexed::default();
        for _ in 0..reader.count()? {
            let index = u64::decode(reader)?;
            // The highest index is that of bash.
            if i64::try_from(index).is_err() {
                return Err(Corrupt);
            }
            array.set(index, Text::decode(reader)?);
        }
        Ok(array)
    }
}

impl Codec<Image> for Options {
    fn encode(&self, writer: &mut Writer) {
        self.bits().encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Options> {
        let (set, shopt) = Codec::decode(reader)?;
        Ok(Options::from_bits(set, shopt))
    }
}

impl Codec<Image> for Function {
    fn encode(&self, writer: &mut Writer) {
        let Function {
            name,
            body,
            source,
            line,
            base,
            exported,
            readonly,
            traced,
            code,
        } = self;
        name.encode(writer);
        body.encode(writer);
        source.encode(writer);
        (*line, *base).encode(writer);
        (*exported, *readonly, *traced).encode(writer);
        code.borrow().encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Function> {
        let (name, body) = Codec::decode(reader)?;
        let source = Codec::decode(reader)?;
        let (line, base) = Codec::decode(reader)?;
        let (exported, readonly, traced) = Codec::decode(reader)?;
        let code = RefCell::new(Codec::decode(reader)?);
        Ok(Function {
            name,
            body,
            source,
            line,
            base,
            exported,
            readonly,
            traced,
            code,
        })
    }
}
