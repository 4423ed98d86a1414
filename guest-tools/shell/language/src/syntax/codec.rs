//! The syntax tree as bytes: bodies of functions, and errors that are reported when they are reached.

use super::tree::{
    Argument, ArrayElement, Assignment, AssignmentValue, BinaryTest, CaseArm, CaseChange, CaseEnd,
    Command, CommandKind, Condition, Connector, HereBody, Item, List, Operator, Parameter, Part,
    Pipeline, Redirect, RedirectAction, RedirectTarget, Reference, ReplaceAnchor, Subscript,
    Substitution, Word,
};
use super::{MessageLine, Options, Remains, SyntaxError, SyntaxErrorKind};
use crate::codec::{Codec, Context, Read, Reader, Writer};
use crate::{record, variants};

record!(List { items });
record!(Item {
    first,
    rest,
    background,
    newline
});
variants!(Connector { 0 And, 1 Or });
record!(Pipeline {
    negated,
    timed,
    stages
});
record!(CaseArm {
    patterns,
    body,
    end
});
variants!(CaseEnd { 0 Leave, 1 FallThrough, 2 TestNext });
variants!(Argument { 0 Word(word), 1 Assignment(assignment) });
record!(Assignment {
    name,
    subscript,
    append,
    value
});
variants!(AssignmentValue { 0 Scalar(word), 1 Array(elements) });
record!(ArrayElement {
    subscript,
    append,
    value
});
record!(Redirect { target, action });
variants!(RedirectTarget { 0 Default, 1 Descriptor(number), 2 Variable(name) });
variants!(RedirectAction {
    0 Input(word),
    1 Output(word),
    2 Clobber(word),
    3 Append(word),
    4 ReadWrite(word),
    5 DuplicateInput(word),
    6 DuplicateOutput(word),
    7 Both(word),
    8 BothAppend(word),
    9 HereDocument { body, delimiter, strip_tabs, quoted },
    10 HereString(word),
});
variants!(CommandKind {
    0 Simple { assignments, words },
    1 Group(list),
    2 Subshell(list),
    3 If { arms, otherwise },
    4 For { name, words, body },
    5 ArithmeticFor { initial, condition, step, body },
    6 Select { name, words, body },
    7 While { until, condition, body },
    8 Case { word, arms },
    9 Conditional(condition),
    10 Arithmetic(word),
    11 Function { name, body },
    12 Coprocess { name, body },
});
variants!(Part {
    0 Literal(text),
    1 Quoted(text),
    2 Escaped(byte),
    3 DoubleQuoted(parts),
    4 Parameter(parameter),
    5 Command(substitution),
    6 Arithmetic { expression, brackets },
    7 Process { output, body },
    8 ExtendedPattern { operator, alternatives },
    9 Unclosed { source, closing },
});
record!(Substitution {
    body,
    source,
    posix,
    line,
    error
});
record!(Parameter {
    reference,
    indirect,
    operator,
    source,
    bare
});
variants!(Reference {
    0 Variable { name, subscript },
    1 Positional(number),
    2 Special(name),
    3 Bad,
});
variants!(Subscript { 0 All, 1 Joined, 2 Index(word) });
variants!(Operator {
    0 Value,
    1 Length,
    2 Names { joined },
    3 Keys,
    4 Default { colon, word },
    5 Assign { colon, word },
    6 Error { colon, word },
    7 Alternative { colon, word },
    8 Slice { offset, length },
    9 RemovePrefix { longest, pattern },
    10 RemoveSuffix { longest, pattern },
    11 Replace { anchor, pattern, replacement },
    12 Case { change, all, pattern },
    13 Transform(letter),
    14 Bad,
});
variants!(ReplaceAnchor { 0 First, 1 All, 2 Prefix, 3 Suffix });
variants!(CaseChange { 0 Upper, 1 Lower, 2 Toggle });
variants!(Condition {
    0 Word(word),
    1 Unary(operator, word),
    2 Binary(test, left, right),
    3 Not(inner),
    4 And(left, right),
    5 Or(left, right),
    6 Group(inner),
});
variants!(BinaryTest {
    0 Match,
    1 MatchShort,
    2 NoMatch,
    3 Regex,
    4 Before,
    5 After,
    6 Equal,
    7 NotEqual,
    8 Less,
    9 LessEqual,
    10 Greater,
    11 GreaterEqual,
    12 Newer,
    13 Older,
    14 SameFile,
});
record!(SyntaxError {
    kind,
    lines,
    substituted,
    incomplete
});
record!(MessageLine { line, text });
variants!(SyntaxErrorKind {
    0 UnexpectedToken,
    1 UnexpectedEnd,
    2 Unmatched,
    3 Conditional,
    4 CompoundValue,
    5 TooDeep,
    6 ConditionalEnd,
    7 Sections,
    8 ConditionalUnmatched,
});
record!(Options {
    extglob,
    posix,
    remains
});
record!(Remains { quotes, condition });

impl<C: Context> Codec<C> for Command {
    fn encode(&self, writer: &mut Writer<C>) {
        let Command {
            line,
            kind,
            redirects,
        } = self;
        writer.nested(|writer| {
            line.encode(writer);
            kind.encode(writer);
            redirects.encode(writer);
        });
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Command> {
        reader.nested(|reader| {
            Ok(Command {
                line: Codec::decode(reader)?,
                kind: Codec::decode(reader)?,
                redirects: Codec::decode(reader)?,
            })
        })
    }
}

impl<C: Context> Codec<C> for Word {
    fn encode(&self, writer: &mut Writer<C>) {
        writer.nested(|writer| self.parts.encode(writer));
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Word> {
        let parts = reader.nested(Codec::decode)?;
        Ok(Word { parts })
    }
}

impl<C: Context> Codec<C> for HereBody {
    fn encode(&self, writer: &mut Writer<C>) {
        (**self).encode(writer);
        self.written().map(<[u8]>::to_vec).encode(writer);
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<HereBody> {
        let body = HereBody::default();
        body.fill(Word::decode(reader)?, Codec::decode(reader)?);
        Ok(body)
    }
}
