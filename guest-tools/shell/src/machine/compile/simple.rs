//! Simple commands: words, assignments before them, redirects around.

use super::assignment::is_of_array;
use super::assignment::with_text;
use super::redirect::redirect_word;
use super::{Compiler, Hole};
use crate::machine::code::{Ended, Op, Origin};
use crate::machine::scope;
use crate::syntax::tree::{
    self, Argument, Assignment, AssignmentValue, Command, Part, RedirectAction, Word,
};
use crate::text::Text;

impl Compiler<'_> {
    #[inline(never)]
    pub(super) fn simple(
        &mut self,
        command: &Command,
        assignments: &[Assignment],
        words: &[Argument],
    ) {
        self.line(command.line);
        if let Some(Argument::Word(word)) = words.first()
            && crate::syntax::entry::literal(word) == Some(b"trap")
        {
            self.symbols.wants_command = true;
        }
        let skip = self.source(command);
        if words.is_empty() {
            self.emit(Op::Bare);
            return self.bare(command, assignments, skip);
        }
        let keyed = self.settings.keyword.then(|| keywords(assignments, words));
        let (assignments, words) = match &keyed {
            Some((assignments, words)) => (assignments.as_slice(), words.as_slice()),
            None => (assignments, words),
        };
        self.emit(Op::Mark);
        self.arguments(words);
        let texts = assignments.iter().any(is_of_array).then(|| {
            // Without a command, they are assignments like others.
            let bare = self.hole(Op::JumpIfBare(0));
            (bare, assignments.iter().map(with_text).collect::<Vec<_>>())
        });
        let written = assignments;
        let assignments = texts.as_ref().map_or(written, |(_, texts)| texts);
        let order = Order::of(assignments, &command.redirects);
        let values = match order {
            Order::Values => self.values(assignments),
            Order::Assignments => {
                self.environment(assignments);
                0
            }
            Order::Redirects => 0,
        };
        if !command.redirects.is_empty() {
            self.emit(Op::TraceWords);
        }
        let external = self.external(command, assignments);
        let holes = self.redirects(&command.redirects, command.line);
        match order {
            Order::Values => self.assign_values(assignments),
            Order::Redirects => self.environment(assignments),
            Order::Assignments => {}
        }
        if command.redirects.is_empty() {
            self.emit(Op::TraceWords);
        }
        self.emit(Op::Run);
        self.ended = Ended::Simple;
        if order != Order::Assignments {
            self.emit(Op::Leave);
        }
        self.after_redirects(&holes, &[Op::Refuse(true)], values);
        if order == Order::Assignments && !assignments.is_empty() {
            self.emit(Op::Leave);
        }
        self.fill_skip(external);
        self.fill_skip(skip);
        self.check();
        if let Some((bare, _)) = &texts {
            let end = self.hole(Op::Jump(0));
            self.fill(bare);
            self.bare(command, written, None);
            self.fill(&end);
        }
    }

    /// What comes instead of redirects where they are those of an external command: the process that
    /// is to run it expands them.
    fn external(&mut self, command: &Command, assignments: &[Assignment]) -> Option<Hole> {
        let words = command
            .redirects
            .iter()
            .map(|redirect| redirect_word(&redirect.action));
        let effect = words.map(|word| effect(&word.parts)).max()?;
        if effect == Effect::None || !assignments.is_empty() {
            return None;
        }
        let code = self.nested(|compiler| {
            compiler.code.origin = Origin::External;
            compiler.code.simple = true;
            compiler.code.text = Text::from(crate::syntax::print::command(command));
            let holes = compiler.redirects(&command.redirects, command.line);
            compiler.emit(Op::Run);
            compiler.after_redirects(&holes, &[Op::Refuse(true)], 0);
        });
        Some(self.hole(Op::External(code, 0, effect == Effect::Sure)))
    }

    /// The end of a simple command with redirects, of which one may have failed.
    /// Where it has, the values of assignments are still operands.
    fn after_redirects(&mut self, failures: &[Hole], refused: &[Op], values: usize) {
        if failures.is_empty() {
            return;
        }
        let end = self.hole(Op::Jump(0));
        for hole in failures {
            self.fill(hole);
        }
        refused.iter().for_each(|op| self.emit(*op));
        (0..values).for_each(|_| self.emit(Op::Drop));
        self.fill(&end);
        self.emit(Op::Leave);
    }

    /// A command without words: assignments, redirects or both.
    #[inline(never)]
    fn bare(&mut self, command: &Command, assignments: &[Assignment], skip: Option<Hole>) {
        for assignment in assignments {
            self.assignment(assignment);
        }
        if !command.redirects.is_empty() {
            let holes = self.redirects(&command.redirects, command.line);
            let apart = command.redirects.iter().any(makes_process);
            if apart {
                // What was substituted does not matter to it.
                self.emit(Op::Bare);
            }
            self.emit(Op::Assigned);
            self.ended = Ended::Simple;
            // In a task of its own, nothing asks how that process ended.
            let unasked = apart && self.code.simple;
            let refused = [Op::Status(0), Op::Refuse(false)];
            self.after_redirects(&holes, &refused[usize::from(!unasked)..], 0);
        } else {
            self.emit(Op::Assigned);
            self.ended = Ended::Simple;
        }
        self.fill_skip(skip);
        self.check();
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        let mut pending: Vec<Word> = Vec::new();
        let elements = takes_elements(arguments);
        for argument in arguments {
            match argument {
                Argument::Word(word) if elements && is_element(word) => {
                    self.words(&pending);
                    pending.clear();
                    self.words(std::slice::from_ref(word));
                    self.emit(Op::ElementArgument);
                }
                Argument::Word(word) => pending.push(word.clone()),
                Argument::Assignment(assignment) => {
                    self.words(&pending);
                    pending.clear();
                    self.assignment_argument(assignment);
                }
            }
        }
        self.words(&pending);
    }
}

/// What comes first where a command has assignments before it and redirects: these do not see
/// what is assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Assignments,
    /// The values are expanded first: what the redirects open is not opened yet.
    Values,
    /// Values that may depend on the assignments before them.
    Redirects,
}

impl Order {
    pub(super) fn of(assignments: &[Assignment], redirects: &[tree::Redirect]) -> Order {
        let constant = |redirect: &tree::Redirect| {
            super::word::constant(redirect_word(&redirect.action)).is_some()
        };
        if assignments.is_empty() || redirects.iter().all(constant) {
            return Order::Assignments;
        }
        let mut words = assignments.iter().filter_map(|one| match &one.value {
            AssignmentValue::Scalar(word) if one.subscript.is_none() => Some(word),
            _ => None,
        });
        let independent = assignments.len() == 1
            || words.clone().any(|word| runs(&word.parts))
            || !words.any(|word| reads(&word.parts, assignments));
        match independent {
            true => Order::Values,
            false => Order::Redirects,
        }
    }
}

/// Whether a word is written as `name[…]`.
fn is_element(word: &Word) -> bool {
    let open = |text: &[u8]| text.iter().position(|&byte| byte == b'[');
    let element = match word.parts.first() {
        Some(Part::Literal(text)) => open(text).is_some_and(|at| scope::is_name(&text[..at])),
        _ => false,
    };
    element && matches!(word.parts.last(), Some(Part::Literal(text)) if text.ends_with(b"]"))
}

/// Whether a command is one to which `name[…]` is an element whose subscript is expanded.
fn takes_elements(arguments: &[Argument]) -> bool {
    let mut words = arguments.iter().map(|argument| match argument {
        Argument::Word(word) => crate::syntax::entry::literal(word),
        Argument::Assignment(_) => None,
    });
    let name = words.find(|word| *word != Some(b"command")).flatten();
    matches!(name, Some(b"unset" | b"read" | b"printf" | b"wait"))
}

/// `set -k`: assignments among the words of a command join those before it.
fn keywords(assignments: &[Assignment], words: &[Argument]) -> (Vec<Assignment>, Vec<Argument>) {
    let mut before = assignments.to_vec();
    let mut rest = Vec::new();
    for argument in words {
        let assignment = match argument {
            Argument::Assignment(assignment) => Some(assignment.clone()),
            Argument::Word(word) => as_assignment(word),
        };
        match assignment {
            Some(assignment) => before.push(assignment),
            None => rest.push(argument.clone()),
        }
    }
    (before, rest)
}

/// A word such as `name=value` or `name+=value` as the assignment that it looks like.
fn as_assignment(word: &Word) -> Option<Assignment> {
    let (first, rest) = word.parts.split_first()?;
    let Part::Literal(text) = first else {
        return None;
    };
    let sign = text.iter().position(|&byte| byte == b'=')?;
    let append = text[..sign].ends_with(b"+");
    let name = &text[..sign - usize::from(append)];
    if !crate::machine::scope::is_name(name) {
        return None;
    }
    let mut parts = vec![Part::Literal(text[sign + 1..].to_vec())];
    parts.extend_from_slice(rest);
    parts.retain(|part| !matches!(part, Part::Literal(text) if text.is_empty()));
    Some(Assignment {
        name: name.to_vec(),
        subscript: None,
        append,
        value: AssignmentValue::Scalar(Word { parts }),
    })
}

/// Whether a word names one of the variables that are assigned with it.
fn reads(parts: &[Part], assignments: &[Assignment]) -> bool {
    parts.iter().any(|part| match part {
        Part::Parameter(parameter) => match &parameter.reference {
            tree::Reference::Variable { name, .. } => {
                let assigns = |assignment: &Assignment| assignment.name == *name;
                parameter.indirect || assignments.iter().any(assigns)
            }
            _ => false,
        },
        Part::DoubleQuoted(parts) => reads(parts, assignments),
        _ => false,
    })
}

/// What the expansion of a word does to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    None,
    /// It fails where a variable must be set and is not.
    Unset,
    /// It may assign, or fail.
    Sure,
}

fn effect(parts: &[Part]) -> Effect {
    let of = |part: &Part| match part {
        Part::Arithmetic { .. } => Effect::Sure,
        Part::Parameter(parameter) => match parameter.operator {
            tree::Operator::Value if !parameter.indirect => Effect::Unset,
            _ => Effect::Sure,
        },
        Part::DoubleQuoted(parts) => effect(parts),
        _ => Effect::None,
    };
    parts.iter().map(of).max().unwrap_or(Effect::None)
}

/// Whether the expansion of a word may run commands.
pub(super) fn runs(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Literal(_) | Part::Quoted(_) | Part::Escaped(_) | Part::Parameter(_) => false,
        Part::DoubleQuoted(parts) => runs(parts),
        _ => true,
    })
}

/// Whether a redirect makes a process of its own of a command without words.
fn makes_process(redirect: &tree::Redirect) -> bool {
    use RedirectAction::{DuplicateInput, DuplicateOutput, Input, ReadWrite};
    let named = |word| match super::word::constant(word) {
        Some(text) => text == b"-",
        None => true,
    };
    let input = match &redirect.action {
        Input(_) | ReadWrite(_) => true,
        DuplicateInput(word) => named(word),
        _ => false,
    };
    match redirect.target {
        tree::RedirectTarget::Default => input,
        tree::RedirectTarget::Descriptor(0) => {
            input || matches!(&redirect.action, DuplicateOutput(word) if named(word))
        }
        tree::RedirectTarget::Descriptor(_) => false,
        tree::RedirectTarget::Variable(_) => true,
    }
}
