//! The compiled form of commands. What it remembers of its own evaluation is made again.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::codec::{Codec, Image, Read, Reader, Writer, record, variants};
use crate::machine::code::{
    Action, Code, Definition, Division, Ended, ExpressionText, Form, Hole, Origin, Parameter,
    PatternText, Pipeline, Redirect, RedirectKind, RedirectTarget, Target, Template, Use,
};
use crate::text::Text;

record!(Definition {
    name,
    body,
    line,
    base
});
record!(Code {
    ops,
    texts,
    line,
    words,
    parameters,
    redirects,
    codes,
    pipelines,
    functions,
    expressions,
    templates,
    patterns,
    errors,
    sources,
    with_sources,
    simple,
    origin,
    looped,
    alone,
    text,
    negations,
    loop_words,
    negated,
});
record!(Pipeline { stages });
record!(Redirect {
    target,
    kind,
    source
});
record!(Parameter {
    target,
    indirect,
    quoted,
    early,
    inner,
    action,
    source
});
variants!(Origin { 0 Commands, 1 Stage, 2 Job, 3 Substitution, 4 External });
variants!(Ended { 0 Simple, 1 Other });
variants!(Form { 0 Fields, 1 Text, 2 Pattern, 3 Condition, 4 Regex, 5 Replacement, 6 Document, 7 Argument, 8 Value });
variants!(Division { 0 None, 1 Joined, 2 First, 3 Items });
variants!(Use { 0 Append { quoted }, 1 Operand, 2 Status, 3 Test, 4 Discard });
variants!(Hole { 0 Variable(symbol), 1 Positional(number), 2 Special(name) });
variants!(Target {
    0 Variable(symbol),
    1 Element(symbol),
    2 All(symbol),
    3 Joined(symbol),
    4 Positional(number),
    5 Special(name),
    6 Bad,
});
variants!(Action {
    0 Value,
    1 Length,
    2 Names { joined },
    3 Keys,
    4 Conditional { colon },
    5 Slice { length },
    6 RemovePrefix { longest },
    7 RemoveSuffix { longest },
    8 Replace { anchor },
    9 Case { change, all, pattern },
    10 Transform(letter),
    11 Bad,
    12 Unnamed,
});
variants!(RedirectTarget { 0 Default, 1 Number(number), 2 Variable(name) });
variants!(RedirectKind {
    0 Input,
    1 Output,
    2 Clobber,
    3 Append,
    4 ReadWrite,
    5 DuplicateInput,
    6 DuplicateOutput,
    7 Both,
    8 BothAppend,
    9 Document,
    10 String,
});

impl Codec<Image> for Rc<[Text]> {
    fn encode(&self, writer: &mut Writer) {
        writer.list(self.iter());
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Rc<[Text]>> {
        Vec::decode(reader).map(Rc::from)
    }
}

impl Codec<Image> for ExpressionText {
    fn encode(&self, writer: &mut Writer) {
        let ExpressionText { text, parsed: _ } = self;
        text.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<ExpressionText> {
        Ok(ExpressionText {
            text: Codec::decode(reader)?,
            parsed: OnceCell::new(),
        })
    }
}

impl Codec<Image> for Template {
    fn encode(&self, writer: &mut Writer) {
        let Template {
            text,
            holes,
            parsed: _,
        } = self;
        text.encode(writer);
        holes.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Template> {
        Ok(Template {
            text: Codec::decode(reader)?,
            holes: Codec::decode(reader)?,
            parsed: OnceCell::new(),
        })
    }
}

impl Codec<Image> for PatternText {
    fn encode(&self, writer: &mut Writer) {
        let PatternText { text, compiled: _ } = self;
        text.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<PatternText> {
        Ok(PatternText {
            text: Codec::decode(reader)?,
            compiled: OnceCell::new(),
        })
    }
}
