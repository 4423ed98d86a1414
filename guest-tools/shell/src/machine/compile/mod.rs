//! From the syntax tree to code.
//!
//! Conditions and loops become jumps, words become instructions on an expansion under way, and
//! what runs in a task of its own becomes code of its own.

mod assignment;
mod command;
mod compound;
mod condition;
mod control;
mod expression;
mod lists;
mod parameter;
mod redirect;
mod simple;
mod substitution;
mod value;
mod word;

use std::rc::Rc;

use super::code::{Code, Ended, ExpressionText, Op, Origin, PatternText, Pipeline};
use super::function::Function;
use super::symbol::Symbols;
use crate::syntax::tree::{Command, CommandKind, Connector, Item, List, Word};
use crate::text::Text;

/// What the compiler has to know of the shell.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// `braceexpand`
    pub braces: bool,
    /// Commands are kept as text, for `$BASH_COMMAND`.
    pub sources: bool,
    /// Words that look like assignments are none: posix mode.
    pub posix: bool,
    /// A person types: lines of a function count from where it begins.
    pub interactive: bool,
    /// `set -k`: assignments among the words of a command come before it.
    pub keyword: bool,
    /// How many words one brace expansion may make.
    pub brace_limit: usize,
}

/// Compiles commands, which end on the line `end`.
pub fn list(list: &List, symbols: &mut Symbols, settings: Settings, end: u32) -> Rc<Code> {
    with_sources(symbols, settings, |compiler| {
        compiler.context = end;
        compiler.list(list);
    })
}

/// Compiles, and where something in it asks for the text of commands, once more with that.
fn with_sources(
    symbols: &mut Symbols,
    settings: Settings,
    build: impl Fn(&mut Compiler<'_>),
) -> Rc<Code> {
    let mut compiler = Compiler::new(symbols, settings, false);
    build(&mut compiler);
    let code = compiler.finish();
    if settings.sources || !symbols.wants_command {
        return code;
    }
    let settings = Settings {
        sources: true,
        ..settings
    };
    let mut compiler = Compiler::new(symbols, settings, false);
    build(&mut compiler);
    compiler.finish()
}

/// Compiles the body of a function.
pub fn body(symbols: &mut Symbols, settings: Settings, function: &Function) -> Rc<Code> {
    with_sources(symbols, settings, |compiler| {
        compiler.base = function.base;
        if settings.interactive {
            compiler.base += i64::from(function.line.saturating_sub(1));
        }
        let start = i64::from(function.start()) + function.base;
        compiler.context = u32::try_from(start).unwrap_or(0);
        compiler.code.line = compiler.shown(compiler.context);
        compiler.command(&function.body);
    })
}

/// Compiles a word to code that leaves one operand.
pub fn operand(word: &Word, symbols: &mut Symbols, settings: Settings) -> Rc<Code> {
    let mut compiler = Compiler::new(symbols, settings, true);
    compiler.operand(word);
    compiler.finish()
}

/// Compiles a key of an associative array to code that leaves one operand.
pub fn key(word: &Word, symbols: &mut Symbols, settings: Settings) -> Rc<Code> {
    let mut compiler = Compiler::new(symbols, settings, true);
    compiler.key(word);
    compiler.finish()
}

/// Compiles the subscript of an indexed array to code that leaves one operand.
pub fn subscript(word: &Word, symbols: &mut Symbols, settings: Settings) -> Rc<Code> {
    let mut compiler = Compiler::new(symbols, settings, true);
    compiler.expanded(word);
    compiler.finish()
}

/// Compiles a word to code that leaves its fields.
pub fn fields(word: &Word, symbols: &mut Symbols, settings: Settings) -> Rc<Code> {
    let mut compiler = Compiler::new(symbols, settings, true);
    compiler.emit(Op::MarkWithin);
    compiler.elements(std::slice::from_ref(word));
    compiler.finish()
}

/// Compiles the elements of a compound assignment, to the associative array `keyed` or an indexed
/// one, to code that leaves them in a list under way.
pub fn elements(
    elements: &[crate::syntax::tree::ArrayElement],
    keyed: Option<&[u8]>,
    symbols: &mut Symbols,
    settings: Settings,
) -> Rc<Code> {
    let mut compiler = Compiler::new(symbols, settings, true);
    compiler.array_text_elements(elements, keyed);
    compiler.finish()
}

struct Compiler<'a> {
    code: Code,
    symbols: &'a mut Symbols,
    settings: Settings,
    /// The status of what is compiled is looked at by something: `set -e` does not act.
    suppressed: bool,
    line: u32,
    /// The line that failed redirects of compound commands name: that of the function or loop
    /// around them, or of the end of what was read.
    context: u32,
    /// What is taken off the numbers of lines.
    base: i64,
    /// The simple command to come is one whose text was noted already.
    noted: bool,
    /// The command to come is a subshell and all that is in a subshell, which bash runs as one: its
    /// status is looked at once.
    only: bool,
    /// The command is all of a stage of a pipeline or of what `&` runs.
    whole: bool,
    /// The command to come stands behind `!`, and what ends that, where it keeps `set -e` from acting.
    negated: Option<Option<Op>>,
    /// How many commands behind `!` are under way.
    negations: u32,
    /// The condition under way has `$?` among its operands.
    keeps_status: bool,
    /// The command that came last.
    ended: Ended,
    /// Jumps past that `!`.
    refused: Vec<Hole>,
    /// The words of `for` are compiled.
    looped: bool,
    /// The text under way, where it has an expansion that is none: what is said of that names it.
    bad: Text,
    /// What of an argument stands before the text to come.
    lead: Vec<u8>,
}

/// An instruction whose target is not known yet.
struct Hole(usize);

impl<'a> Compiler<'a> {
    fn new(symbols: &'a mut Symbols, settings: Settings, suppressed: bool) -> Compiler<'a> {
        Compiler {
            code: Code::default(),
            symbols,
            settings,
            suppressed,
            line: 0,
            context: 0,
            base: 0,
            noted: false,
            only: false,
            whole: false,
            negated: None,
            negations: 0,
            keeps_status: false,
            ended: Ended::Simple,
            refused: Vec::new(),
            looped: false,
            bad: Text::default(),
            lead: Vec::new(),
        }
    }

    fn finish(self) -> Rc<Code> {
        let mut code = self.code;
        code.with_sources = self.settings.sources;
        Rc::new(code)
    }

    fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// Emits a jump to be filled in.
    fn hole(&mut self, op: Op) -> Hole {
        self.emit(op);
        Hole(self.code.ops.len() - 1)
    }

    /// Lets a jump go to what comes next.
    fn fill(&mut self, hole: &Hole) {
        let here = self.here();
        match &mut self.code.ops[hole.0] {
            Op::Jump(to)
            | Op::JumpIfFailed(to)
            | Op::JumpIfSucceeded(to)
            | Op::Loop(to)
            | Op::LoopStep(to)
            | Op::Template(_, to, _)
            | Op::JumpIfZero(to)
            | Op::For(_, to)
            | Op::ForPositional(_, to)
            | Op::Default(_, to)
            | Op::SkipUnset(_, to)
            | Op::External(_, to, _)
            | Op::Alternative(_, to)
            | Op::AssignDefault(_, to)
            | Op::Redirect(_, to)
            | Op::SkipRefused(to)
            | Op::CaseConstant(_, to)
            | Op::RefuseReadonly(_, to)
            | Op::Case(to)
            | Op::JumpIfDeclaresKeys(_, to)
            | Op::JumpIfAssociative(_, to)
            | Op::JumpIfBare(to) => *to = here,
            _ => {}
        }
    }

    fn text(&mut self, text: &[u8]) -> u32 {
        self.code.texts.push(Text::from(text));
        (self.code.texts.len() - 1) as u32
    }

    fn expression(&mut self, text: &[u8]) -> u32 {
        let parsed = std::cell::OnceCell::new();
        self.code.expressions.push(ExpressionText {
            text: Text::from(text),
            parsed,
        });
        (self.code.expressions.len() - 1) as u32
    }

    fn pattern(&mut self, text: Vec<u8>) -> u32 {
        let compiled = std::cell::OnceCell::new();
        self.code.patterns.push(PatternText {
            text: Text::from(text),
            compiled,
        });
        (self.code.patterns.len() - 1) as u32
    }

    /// Compiles something to code of its own.
    fn nested(&mut self, build: impl FnOnce(&mut Compiler<'_>)) -> u32 {
        let mut compiler = self.inner_compiler();
        build(&mut compiler);
        let code = compiler.finish_inner();
        self.code.codes.push(code);
        (self.code.codes.len() - 1) as u32
    }

    /// The compiler of code within; not on the stack, which it would fill where code nests deep.
    #[inline(never)]
    fn inner_compiler(&mut self) -> Box<Compiler<'_>> {
        let (context, base, looped) = (self.context, self.base, self.looped);
        let mut compiler = Box::new(Compiler::new(self.symbols, self.settings, false));
        compiler.code.looped = looped;
        compiler.context = context;
        compiler.base = base;
        compiler
    }

    #[inline(never)]
    fn finish_inner(&mut self) -> Rc<Code> {
        self.code.with_sources = self.settings.sources;
        Rc::new(std::mem::take(&mut self.code))
    }

    /// The number that messages have for a line.
    fn shown(&self, line: u32) -> u32 {
        let shown = i64::from(line).saturating_sub(self.base);
        u32::try_from(shown.max(0)).unwrap_or(u32::MAX)
    }

    fn line(&mut self, line: u32) {
        if line != self.line {
            self.line = line;
            self.emit(Op::Line(self.shown(line)));
        }
    }

    /// Sets the line for messages; the ERR trap is told that of the last command.
    fn at(&mut self, line: u32) {
        self.line = 0;
        self.emit(Op::At(self.shown(line)));
    }

    fn check(&mut self) {
        if !self.suppressed {
            self.emit(Op::Check(self.ended));
        }
    }

    /// Compiles with `set -e` off, or as before.
    fn suppressing<T>(&mut self, suppress: bool, build: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.suppressed;
        self.suppressed |= suppress;
        if suppress && !before {
            self.emit(Op::Suppress(true));
        }
        let result = build(self);
        if suppress && !before {
            self.emit(Op::Suppress(false));
        }
        self.suppressed = before;
        result
    }

    fn list(&mut self, list: &List) {
        for item in &list.items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &Item) {
        if item.background {
            return self.background(item);
        }
        let Some((last, before)) = item.rest.split_last() else {
            return self.pipeline(&item.first);
        };
        self.suppressing(true, |compiler| compiler.pipeline(&item.first));
        for (connector, pipeline) in before {
            let hole = self.connector(*connector);
            self.suppressing(true, |compiler| compiler.pipeline(pipeline));
            self.fill(&hole);
        }
        let hole = self.connector(last.0);
        self.pipeline(&last.1);
        self.fill(&hole);
        // A jump leaves the line unknown.
        self.line = 0;
    }

    fn connector(&mut self, connector: Connector) -> Hole {
        let hole = self.hole(match connector {
            Connector::And => Op::JumpIfFailed(0),
            Connector::Or => Op::JumpIfSucceeded(0),
        });
        self.line = 0;
        hole
    }

    fn background(&mut self, item: &Item) {
        let mut foreground = Item {
            background: false,
            ..item.clone()
        };
        let source = crate::syntax::print::item(&foreground);
        let only = match (item.first.stages.as_slice(), item.rest.as_slice()) {
            ([only], []) => Some(only),
            _ => None,
        };
        let simple = only.filter(|only| is_simple(only));
        // bash knows no `!` before a pipeline in the background, and no `time` before a subshell.
        if item.rest.is_empty() {
            foreground.first.negated = false;
        }
        if only.is_some_and(is_subshell) {
            foreground.first.timed = None;
        }
        let line = item
            .first
            .stages
            .first()
            .map_or(self.line, |stage| stage.line);
        self.line(line);
        if let Some(command) = simple {
            self.note(command);
        }
        let code = self.nested(|compiler| {
            compiler.noted = simple.is_some();
            compiler.code.simple = simple.is_some();
            compiler.code.origin = Origin::Job;
            // What ends a task is no failure within it.
            compiler.suppressed = simple.is_some();
            compiler.whole = only.is_some();
            compiler.item(&foreground);
        });
        let text = self.text(&source);
        self.emit(Op::Background(code, text));
    }

    fn pipeline(&mut self, pipeline: &crate::syntax::tree::Pipeline) {
        if let Some(portable) = pipeline.timed {
            self.emit(Op::Time(portable));
        }
        let start = self.here();
        match pipeline.stages.as_slice() {
            [] => self.emit(Op::Status(0)),
            [only] if pipeline.negated && !self.suppressed => self.negated_command(only),
            [only] => {
                self.negated = pipeline.negated.then_some(None);
                self.command(only);
            }
            stages => self.stages(stages, pipeline.negated),
        }
        if pipeline.negated {
            let end = self.here();
            self.code.negations.push((start, end));
            self.emit(Op::Negate);
            if let [only] = pipeline.stages.as_slice()
                && let CommandKind::Conditional(_) | CommandKind::Arithmetic(_) = only.kind
            {
                self.emit(Op::PipeStatus);
            }
        }
        for hole in std::mem::take(&mut self.refused) {
            self.fill(&hole);
        }
        if pipeline.timed.is_some() {
            self.emit(Op::Timed);
        }
    }

    /// A command behind `!`. Those within a compound one are still looked at by the ERR trap.
    fn negated_command(&mut self, command: &Command) {
        let compound = !is_simple(command)
            && !is_subshell(command)
            && !matches!(
                command.kind,
                CommandKind::Conditional(_) | CommandKind::Arithmetic(_)
            );
        let level = self.negations;
        let told_apart = level + 1 < crate::machine::control::NEGATIONS;
        let op = |begins| match told_apart {
            true => Op::SuppressNegated(level, begins),
            false => Op::Suppress(begins),
        };
        self.emit(op(true));
        self.suppressed = !(compound && told_apart);
        self.negations += 1;
        self.negated = Some(Some(op(false)));
        self.command(command);
        self.negations -= 1;
        self.suppressed = false;
        self.emit(op(false));
    }

    fn stages(&mut self, stages: &[Command], negated: bool) {
        let suppressed = self.suppressed || negated;
        let codes = stages.iter().map(|stage| {
            let mut compiler = Compiler::new(self.symbols, self.settings, is_simple(stage));
            compiler.context = self.context;
            compiler.base = self.base;
            compiler.noted = is_simple(stage);
            compiler.code.simple = is_simple(stage);
            compiler.code.origin = Origin::Stage;
            compiler.code.text = Text::from(crate::syntax::print::command(stage));
            compiler.whole = true;
            compiler.command(stage);
            compiler.finish()
        });
        let stages_code: Vec<Rc<Code>> = codes.collect();
        if let Some(first) = stages.first() {
            self.line(first.line);
        }
        for stage in stages.iter().filter(|stage| is_simple(stage)) {
            self.line(stage.line);
            self.note(stage);
        }
        self.code.pipelines.push(Pipeline {
            stages: stages_code,
        });
        let index = (self.code.pipelines.len() - 1) as u32;
        if suppressed && !self.suppressed {
            self.emit(Op::Suppress(true));
        }
        self.emit(Op::Pipeline(index));
        self.ended = Ended::Other;
        if suppressed && !self.suppressed {
            self.emit(Op::Suppress(false));
        }
        if !suppressed {
            if matches!(stages.last(), Some(last) if is_subshell(last)) {
                // bash looks at the status of a subshell, then at that of the pipeline.
                self.check();
            }
            self.check();
        }
    }
}

fn is_subshell(command: &Command) -> bool {
    matches!(command.kind, crate::syntax::tree::CommandKind::Subshell(_))
}

fn is_simple(command: &Command) -> bool {
    matches!(
        command.kind,
        crate::syntax::tree::CommandKind::Simple { .. }
    )
}
