//! Commands, assignments and redirects.

use super::redirect::gives_input;
use super::{Compiler, Hole};
use crate::machine::code::{Definition, Ended, Op, Origin, Use};
use crate::syntax::tree::{self, Command, CommandKind};
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
    pub(super) fn compound(&mut self, command: &Command) {
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
    pub(super) fn source(&mut self, command: &Command) -> Option<Hole> {
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
