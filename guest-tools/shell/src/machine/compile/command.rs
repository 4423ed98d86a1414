//! Commands, assignments and redirects.

use super::{Compiler, Hole};
use crate::machine::code::{
    Definition, Ended, Form, Op, Origin, Redirect, RedirectKind, RedirectTarget, Use,
};
use crate::machine::scope;
use crate::machine::symbol::Symbol;
use crate::syntax::tree::{
    self, Argument, Assignment, AssignmentValue, Command, CommandKind, Part, RedirectAction, Word,
};
use crate::text::Text;

impl Compiler<'_> {
    pub(super) fn command(&mut self, command: &Command) {
        if let CommandKind::Simple { assignments, words } = &command.kind {
            self.negated = None;
            return self.simple(command, assignments, words);
        }
        let line = match command.kind {
            CommandKind::Conditional(_) | CommandKind::Arithmetic(_) => command.line,
            _ => self.context,
        };
        let negated = std::mem::take(&mut self.negated);
        let whole = std::mem::take(&mut self.whole);
        if let CommandKind::Subshell(list) = &command.kind {
            return self.subshell(command, list, negated.is_some());
        }
        if !command.redirects.is_empty() {
            self.at(line);
        }
        let holes = self.redirects(&command.redirects, 0);
        if !command.redirects.is_empty() {
            self.emit(Op::Input(command.redirects.iter().any(gives_input)));
        }
        self.compound(command);
        if !command.redirects.is_empty() {
            self.emit(Op::Leave);
            let end = self.hole(Op::Jump(0));
            for hole in &holes {
                self.fill(hole);
            }
            self.emit(Op::Leave);
            self.refusal(negated, whole);
            self.fill(&end);
            self.line = 0;
        }
    }

    /// `( … )`, whose redirects are made within.
    #[inline(never)]
    fn subshell(&mut self, command: &Command, list: &tree::List, negated: bool) {
        let only = std::mem::take(&mut self.only);
        self.line(command.line);
        let text = crate::syntax::print::command(command);
        let source = self.settings.sources.then(|| Text::from(text.as_slice()));
        let text = match negated {
            true => [b"! ", text.as_slice()].concat(),
            false => text,
        };
        let code = self.nested(|compiler| {
            compiler.code.negated = is_negated(list);
            compiler.context = command.line;
            compiler.code.text = Text::from(text);
            let holes = compiler.redirects(&command.redirects, 0);
            if !holes.is_empty() {
                compiler.emit(Op::Input(command.redirects.iter().any(gives_input)));
                compiler.emit(Op::KeepRedirects);
            }
            compiler.only = is_subshell(list);
            compiler.code.alone = only_command(list)
                .is_some_and(|only| matches!(only.kind, CommandKind::Simple { .. }));
            compiler.subshell_list(list);
            if !holes.is_empty() {
                let end = compiler.hole(Op::Jump(0));
                for hole in &holes {
                    compiler.fill(hole);
                }
                // `!` turns it once more.
                compiler.emit(Op::Status(u8::from(!negated)));
                compiler.fill(&end);
            }
        });
        if let Some(source) = source {
            self.code.sources.push(source);
            self.emit(Op::NameTrapped((self.code.sources.len() - 1) as u32));
        }
        self.emit(Op::Subshell(code));
        self.ended = Ended::Other;
        if !only {
            self.check();
        }
    }

    /// The commands of a subshell. Where they are one pipeline behind `!`, that turns the status of the
    /// whole: ERR and `set -e` look at what stands behind it.
    fn subshell_list(&mut self, list: &tree::List) {
        let turned = |list: &tree::List| {
            let pipeline = list.items.first().map(|item| &item.first);
            pipeline.is_some_and(|first| first.timed.is_none() && !first.stages.is_empty())
        };
        if !self.code.negated || !turned(list) {
            return self.list(list);
        }
        let mut plain = list.clone();
        for item in &mut plain.items {
            item.first.negated = false;
        }
        let start = self.here();
        self.list(&plain);
        let end = self.here();
        self.code.negations.push((start, end));
        self.emit(Op::Negate);
    }

    /// What follows a redirect of a compound command that failed: `!` does not turn its status.
    fn refusal(&mut self, negated: Option<Option<Op>>, whole: bool) {
        if negated.is_none() {
            match (whole, self.code.origin == Origin::Stage) {
                (false, _) => self.check(),
                (true, true) => self.emit(Op::CheckInShell(self.ended)),
                (true, false) => {}
            }
        }
        if let Some(end) = negated {
            if let Some(end) = end {
                self.emit(end);
            }
            let end = self.hole(Op::Jump(0));
            self.refused.push(end);
        }
    }

    /// Compiles what has a line of its own around its commands.
    fn within(&mut self, line: u32, build: impl FnOnce(&mut Self)) {
        let context = std::mem::replace(&mut self.context, line);
        build(self);
        self.context = context;
    }

    /// Everything but simple commands.
    fn compound(&mut self, command: &Command) {
        match &command.kind {
            CommandKind::Simple { .. } | CommandKind::Subshell(_) => {}
            CommandKind::Group(list) => self.list(list),
            CommandKind::If { arms, otherwise } => self.conditional(arms, otherwise.as_ref()),
            CommandKind::For { name, words, body } => {
                self.at(command.line);
                let head = crate::syntax::print::head(command).unwrap_or_default();
                self.within(command.line, |compiler| {
                    compiler.for_loop(&head, name, words.as_deref(), body);
                });
            }
            CommandKind::ArithmeticFor {
                initial,
                condition,
                step,
                body,
            } => {
                self.at(command.line);
                self.arithmetic_for(command.line, [initial, condition, step], body);
            }
            CommandKind::Select { name, words, body } => {
                self.at(command.line);
                let head = crate::syntax::print::head(command).unwrap_or_default();
                self.within(command.line, |compiler| {
                    compiler.select(&head, name, words.as_deref(), body);
                });
            }
            CommandKind::While {
                until,
                condition,
                body,
            } => {
                self.while_loop(*until, condition, body);
            }
            CommandKind::Case { word, arms } => {
                self.at(command.line);
                let head = crate::syntax::print::head(command).unwrap_or_default();
                self.within(command.line, |compiler| {
                    compiler.case(&head, word, arms);
                });
            }
            CommandKind::Conditional(condition) => {
                self.line(command.line);
                let skip = self.source(command);
                self.whole_condition(condition);
                self.emit(Op::Tested);
                self.ended = Ended::Other;
                self.fill_skip(skip);
                self.check();
            }
            CommandKind::Arithmetic(word) => {
                self.line(command.line);
                let skip = self.source(command);
                self.arithmetic(word, Use::Status);
                self.ended = Ended::Other;
                self.fill_skip(skip);
                self.check();
            }
            CommandKind::Function { name, body } => {
                let bad = name.iter().any(|byte| matches!(byte, b'$' | b'`'));
                self.line(if bad { self.context } else { command.line });
                self.code.functions.push(Definition {
                    name: name.clone(),
                    body: body.clone(),
                    line: self.shown(command.line),
                    base: self.base,
                });
                self.emit(Op::Define((self.code.functions.len() - 1) as u32));
            }
            CommandKind::Coprocess { name, body } => {
                self.line(command.line);
                let name = self.text(name);
                let code = self.nested(|compiler| compiler.command(body));
                self.emit(Op::Coprocess(code, name));
            }
        }
    }

    /// The text of a command for `$BASH_COMMAND`; the DEBUG trap may refuse the command.
    fn source(&mut self, command: &Command) -> Option<Hole> {
        if !self.settings.sources {
            return None;
        }
        if std::mem::take(&mut self.noted) {
            // The trap saw it where its task was begun.
            let text = crate::syntax::print::command(command);
            self.code.sources.push(Text::from(text));
            self.emit(Op::Name((self.code.sources.len() - 1) as u32));
            return None;
        }
        self.note(command);
        Some(self.hole(Op::SkipRefused(0)))
    }

    /// The text of a command that runs in a task of its own, which no trap sees.
    pub(super) fn note(&mut self, command: &Command) {
        if self.settings.sources {
            let text = match &command.kind {
                // Those are made before it.
                CommandKind::Conditional(_) | CommandKind::Arithmetic(_) => {
                    let redirects = Vec::new();
                    crate::syntax::print::command(&Command {
                        redirects,
                        ..command.clone()
                    })
                }
                _ => crate::syntax::print::command(command),
            };
            self.announce(&text);
        }
    }

    /// Names the command to come, where something may ask for it.
    pub(super) fn announce(&mut self, text: &[u8]) {
        self.code.sources.push(Text::from(text));
        self.emit(Op::Source((self.code.sources.len() - 1) as u32));
    }

    /// The same for something that the DEBUG trap may refuse.
    pub(super) fn refusable(&mut self, text: &[u8]) -> Option<Hole> {
        if !self.settings.sources {
            return None;
        }
        self.announce(text);
        Some(self.hole(Op::SkipRefused(0)))
    }

    pub(super) fn fill_skip(&mut self, skip: Option<Hole>) {
        if let Some(hole) = skip {
            self.fill(&hole);
        }
    }

    #[inline(never)]
    fn simple(&mut self, command: &Command, assignments: &[Assignment], words: &[Argument]) {
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

    #[inline(never)]
    fn assignment_argument(&mut self, assignment: &Assignment) {
        match &assignment.value {
            AssignmentValue::Array(elements) => {
                let symbol = self.symbols.intern(&assignment.name);
                self.emit(Op::ArrayBegin);
                self.array_argument_elements(elements, symbol);
                self.emit(Op::ArrayArgument(symbol, assignment.append));
            }
            AssignmentValue::Scalar(word) => {
                if self.has_braces(word) {
                    // What braces make of it is no assignment any more: it is split.
                    let mut parts = vec![Part::Literal(crate::syntax::print::assignment(
                        &Assignment {
                            value: AssignmentValue::Scalar(Word::default()),
                            ..assignment.clone()
                        },
                    ))];
                    parts.extend(word.parts.iter().cloned());
                    return self.elements(&[Word { parts }]);
                }
                self.emit(Op::Begin(Form::Argument));
                let place = super::word::Place::new(Form::Argument);
                let mut text = assignment.name.clone();
                if let Some(subscript) = &assignment.subscript {
                    text.push(b'[');
                    self.quoted_text(&text);
                    // The builtin expands it once more.
                    self.parts(&subscript.parts, place);
                    text = b"]".to_vec();
                }
                text.extend_from_slice(if assignment.append { b"+=" } else { b"=" });
                self.quoted_text(&text);
                self.lead = text;
                let value = super::word::Place {
                    unsplit: None,
                    ..super::word::Place::value()
                };
                self.parts_with_tilde(&word.parts, value, true);
                self.emit(Op::EndWord);
            }
        }
    }

    fn quoted_text(&mut self, text: &[u8]) {
        let index = self.text(text);
        self.emit(Op::Quoted(index));
    }

    /// The assignments before a command.
    fn environment(&mut self, assignments: &[Assignment]) {
        if assignments.is_empty() {
            return;
        }
        self.emit(Op::Environment);
        for assignment in assignments {
            self.temporary(assignment);
        }
    }

    /// Their values alone, as operands; how many.
    fn values(&mut self, assignments: &[Assignment]) -> usize {
        let count = assignments.iter().filter(|one| one.subscript.is_none());
        let count = count.count();
        let mut traced = Vec::new();
        for assignment in assignments {
            match (&assignment.value, &assignment.subscript) {
                (AssignmentValue::Scalar(word), None) => {
                    let symbol = self.symbols.intern(&assignment.name);
                    self.temporary_value(symbol, word);
                    let depth = (count - traced.len() - 1) as u32;
                    traced.push(Op::TraceValue(symbol, depth, assignment.append));
                }
                (_, subscript) => self.no_element(assignment, subscript.as_ref()),
            }
        }
        traced.iter().for_each(|op| self.emit(*op));
        count
    }

    /// An element cannot be assigned before a command.
    fn no_element(&mut self, assignment: &Assignment, subscript: Option<&Word>) {
        let subscript = subscript.map(crate::syntax::print::word);
        let parts: [&[u8]; 5] = [
            b"`",
            &assignment.name,
            b"[",
            &subscript.unwrap_or_default(),
            b"]': not a valid identifier",
        ];
        let text = self.text(&parts.concat());
        self.emit(Op::RefuseAssignment(text));
    }

    fn temporary_value(&mut self, symbol: Symbol, word: &Word) {
        let readonly = self.hole(Op::RefuseReadonly(symbol, 0));
        self.value(word);
        self.fill(&readonly);
    }

    /// The assignments of these values.
    fn assign_values(&mut self, assignments: &[Assignment]) {
        self.emit(Op::Environment);
        let plain = assignments.iter().filter(|one| one.subscript.is_none());
        for assignment in plain.rev() {
            let symbol = self.symbols.intern(&assignment.name);
            self.emit(Op::TemporaryShown(symbol, assignment.append));
        }
    }

    /// An assignment before a command.
    fn temporary(&mut self, assignment: &Assignment) {
        match (&assignment.value, &assignment.subscript) {
            (AssignmentValue::Scalar(word), None) => {
                let symbol = self.symbols.intern(&assignment.name);
                self.temporary_value(symbol, word);
                self.emit(Op::Temporary(symbol, assignment.append));
            }
            (_, subscript) => self.no_element(assignment, subscript.as_ref()),
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        let symbol = self.symbols.intern(&assignment.name);
        match (&assignment.value, &assignment.subscript) {
            (AssignmentValue::Array(elements), None) => {
                let text = self.text(&crate::syntax::print::assignment(assignment));
                self.emit(Op::Trace(text));
                self.emit(Op::ArrayDeclare(symbol));
                self.emit(Op::ArrayBegin);
                self.array_value(elements, symbol);
                self.emit(Op::ArrayAssign(symbol, assignment.append));
            }
            (AssignmentValue::Array(_), Some(subscript)) => {
                let subscript = crate::syntax::print::word(subscript);
                let element = [b"[", subscript.as_slice(), b"]"];
                let tail = b": cannot assign list to array member".as_slice();
                let text = self.text(&[&assignment.name, &element.concat(), tail].concat());
                self.emit(Op::Error(text));
            }
            (AssignmentValue::Scalar(word), None) => {
                self.value(word);
                self.emit(Op::Assign(symbol, assignment.append));
            }
            (AssignmentValue::Scalar(_), Some(subscript)) if subscript.parts.is_empty() => {
                let name = [assignment.name.as_slice(), b"[]: bad array subscript"].concat();
                let text = self.text(&name);
                self.emit(Op::Error(text));
            }
            (AssignmentValue::Scalar(word), Some(subscript)) => {
                self.value(word);
                self.subscript(symbol, subscript);
                let written = self.text(&crate::syntax::print::word(subscript));
                self.emit(Op::AssignElement(symbol, assignment.append, written));
            }
        }
    }

    #[inline(never)]
    fn redirects(&mut self, redirects: &[tree::Redirect], line: u32) -> Vec<Hole> {
        if redirects.is_empty() {
            return Vec::new();
        }
        if line > 0 {
            self.line(line);
        }
        self.emit(Op::Redirects);
        redirects
            .iter()
            .map(|redirect| self.redirect(redirect))
            .collect()
    }

    pub(super) fn redirect(&mut self, redirect: &tree::Redirect) -> Hole {
        let (kind, word) = match &redirect.action {
            RedirectAction::Input(word) => (RedirectKind::Input, word),
            RedirectAction::Output(word) => (RedirectKind::Output, word),
            RedirectAction::Clobber(word) => (RedirectKind::Clobber, word),
            RedirectAction::Append(word) => (RedirectKind::Append, word),
            RedirectAction::ReadWrite(word) => (RedirectKind::ReadWrite, word),
            RedirectAction::DuplicateInput(word) => (RedirectKind::DuplicateInput, word),
            RedirectAction::DuplicateOutput(word) => (RedirectKind::DuplicateOutput, word),
            RedirectAction::Both(word) => (RedirectKind::Both, word),
            RedirectAction::BothAppend(word) => (RedirectKind::BothAppend, word),
            RedirectAction::HereDocument { body, .. } => (RedirectKind::Document, &**body),
            RedirectAction::HereString(word) => (RedirectKind::String, word),
        };
        let mut source = Vec::new();
        match kind {
            RedirectKind::Document => self.document(word),
            RedirectKind::String => self.value(word),
            _ => {
                source = crate::syntax::print::word(word);
                self.emit(Op::MarkWithin);
                if super::word::constant(word).is_some() || self.has_braces(word) {
                    self.words(std::slice::from_ref(word));
                } else {
                    self.emit(Op::BeginTarget);
                    let place = super::word::Place::new(Form::Fields);
                    self.parts_with_tilde(&word.parts, place, false);
                    self.emit(Op::EndTarget);
                }
            }
        }
        let target = match &redirect.target {
            tree::RedirectTarget::Default => RedirectTarget::Default,
            tree::RedirectTarget::Descriptor(number) => RedirectTarget::Number(*number),
            tree::RedirectTarget::Variable(name) => RedirectTarget::Variable(Text::from(name)),
        };
        self.code.redirects.push(Redirect {
            target,
            kind,
            source: Text::from(source),
        });
        let index = (self.code.redirects.len() - 1) as u32;
        self.hole(Op::Redirect(index, 0))
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
    fn of(assignments: &[Assignment], redirects: &[tree::Redirect]) -> Order {
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

/// Whether it assigns to an element or a whole array.
fn is_of_array(assignment: &Assignment) -> bool {
    assignment.subscript.is_some() || matches!(assignment.value, AssignmentValue::Array(_))
}

/// The assignment before a command: a compound value is a text there, `(1 2)`.
fn with_text(assignment: &Assignment) -> Assignment {
    let AssignmentValue::Array(elements) = &assignment.value else {
        return assignment.clone();
    };
    let literal = |text: &[u8]| Part::Literal(text.to_vec());
    let mut parts = vec![literal(b"(")];
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            parts.push(literal(b" "));
        }
        if let Some(subscript) = &element.subscript {
            parts.push(literal(b"["));
            parts.extend(subscript.parts.iter().cloned());
            let end: &[u8] = if element.append { b"]+=" } else { b"]=" };
            parts.push(literal(end));
        }
        parts.extend(element.value.parts.iter().cloned());
    }
    parts.push(literal(b")"));
    Assignment {
        value: AssignmentValue::Scalar(Word { parts }),
        ..assignment.clone()
    }
}

/// Whether a list is one subshell, neither timed nor behind `!`.
fn is_subshell(list: &tree::List) -> bool {
    only_command(list).is_some_and(|only| matches!(only.kind, CommandKind::Subshell(_)))
}

/// The command that is all of a list, neither timed nor behind `!`.
fn only_command(list: &tree::List) -> Option<&Command> {
    let [only] = list.items.as_slice() else {
        return None;
    };
    let alone = only.rest.is_empty() && !only.background;
    let plain = !only.first.negated && only.first.timed.is_none();
    match only.first.stages.as_slice() {
        [command] if alone && plain => Some(command),
        _ => None,
    }
}

/// Whether a list is one pipeline behind `!`.
fn is_negated(list: &tree::List) -> bool {
    match list.items.as_slice() {
        [only] => only.first.negated && only.rest.is_empty() && !only.background,
        _ => false,
    }
}

fn redirect_word(action: &RedirectAction) -> &Word {
    match action {
        RedirectAction::Input(word)
        | RedirectAction::Output(word)
        | RedirectAction::Clobber(word)
        | RedirectAction::Append(word)
        | RedirectAction::ReadWrite(word)
        | RedirectAction::DuplicateInput(word)
        | RedirectAction::DuplicateOutput(word)
        | RedirectAction::Both(word)
        | RedirectAction::BothAppend(word)
        | RedirectAction::HereString(word) => word,
        RedirectAction::HereDocument { body, .. } => body,
    }
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
fn runs(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Literal(_) | Part::Quoted(_) | Part::Escaped(_) | Part::Parameter(_) => false,
        Part::DoubleQuoted(parts) => runs(parts),
        _ => true,
    })
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

/// Whether a command is one to which `name[…]` is an element whose subscript is expanded.
fn takes_elements(arguments: &[Argument]) -> bool {
    let mut words = arguments.iter().map(|argument| match argument {
        Argument::Word(word) => crate::syntax::entry::literal(word),
        Argument::Assignment(_) => None,
    });
    let name = words.find(|word| *word != Some(b"command")).flatten();
    matches!(name, Some(b"unset" | b"read" | b"printf" | b"wait"))
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

/// Whether a redirect counts as one of input: any that opens a file to read, and what copies to 0.
fn gives_input(redirect: &tree::Redirect) -> bool {
    match redirect.action {
        RedirectAction::Input(_)
        | RedirectAction::ReadWrite(_)
        | RedirectAction::HereDocument { .. }
        | RedirectAction::HereString(_) => true,
        RedirectAction::DuplicateInput(_) => matches!(
            redirect.target,
            tree::RedirectTarget::Default | tree::RedirectTarget::Descriptor(0)
        ),
        _ => false,
    }
}
