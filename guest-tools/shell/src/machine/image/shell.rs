//! The state of a shell: variables, functions, options.

use std::cell::RefCell;

use crate::codec::{Codec, Image, Read, Reader, Writer, record};
use crate::machine::function::Function;
use crate::machine::history_file::HistoryCounts;
use crate::machine::state::{Clocks, State};

record!(State {
    variables,
    functions,
    aliases,
    options,
    traps,
    ignored,
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
