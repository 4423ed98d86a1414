//! Command substitutions.

use super::Compiler;
use crate::machine::code::{Op, Origin};
use crate::syntax::tree::{CommandKind, List, Pipeline, Substitution};
use crate::syntax::{Options, Parser, print};

impl Compiler<'_> {
    pub(super) fn substitution(&mut self, substitution: &Substitution, copy: bool) -> u32 {
        let first = substitution.line;
        let printed = as_printed(substitution, first);
        let substitution = printed.as_ref().unwrap_or(substitution);
        let input = copy.then(|| input_only(&substitution.body)).flatten();
        let line = match self.line {
            0 => self.context,
            line => line,
        };
        self.nested(|compiler| {
            compiler.code.origin = Origin::Substitution;
            if line > 0 {
                compiler.base += i64::from(first) - i64::from(line);
            }
            if let Some(redirect) = input {
                compiler.emit(Op::Redirects);
                let hole = compiler.redirect(redirect);
                compiler.emit(Op::Copy);
                compiler.fill(&hole);
                compiler.emit(Op::Leave);
            } else {
                compiler.list(&substitution.body);
            }
            if let Some(error) = &substitution.error {
                compiler.code.errors.push((**error).clone());
                let index = compiler.code.errors.len() - 1;
                compiler.emit(Op::SyntaxError(index as u32));
            }
        })
    }
}

/// A substitution with the lines that it has for bash, which keeps no text of one but that which
/// it prints; none where they are those of the script.
#[inline(never)]
fn as_printed(substitution: &Substitution, first: u32) -> Option<Substitution> {
    if substitution.source.is_some() || is_line(&substitution.body, first) {
        return None;
    }
    let text = print::list(&substitution.body);
    let options = Options {
        extglob: true,
        ..Options::default()
    };
    let mut parser = Parser::at_line(&text, options, first);
    let mut body = List::default();
    while let Some(list) = parser.next(None).ok()? {
        body.items.extend(list.items);
    }
    Some(Substitution {
        body,
        ..substitution.clone()
    })
}

/// Whether a list stands on one line, and is printed on one.
fn is_line(list: &List, first: u32) -> bool {
    let plain = |pipeline: &Pipeline| {
        pipeline.stages.iter().all(|command| {
            matches!(command.kind, CommandKind::Simple { .. }) && command.line == first
        })
    };
    let mut items = list.items.iter();
    items.all(|item| plain(&item.first) && item.rest.iter().all(|(_, rest)| plain(rest)))
}

/// The redirect of `$(< file)`.
fn input_only(list: &List) -> Option<&crate::syntax::tree::Redirect> {
    use crate::syntax::tree::{RedirectAction, RedirectTarget};
    let [item] = list.items.as_slice() else {
        return None;
    };
    let [command] = item.first.stages.as_slice() else {
        return None;
    };
    let plain = item.rest.is_empty() && !item.background && !item.first.negated;
    let CommandKind::Simple { assignments, words } = &command.kind else {
        return None;
    };
    match command.redirects.as_slice() {
        [redirect]
            if plain
                && assignments.is_empty()
                && words.is_empty()
                && redirect.target == RedirectTarget::Default
                && matches!(redirect.action, RedirectAction::Input(_)) =>
        {
            Some(redirect)
        }
        _ => None,
    }
}
