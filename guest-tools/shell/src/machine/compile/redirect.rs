//! Redirects.

use super::{Compiler, Hole};
use crate::machine::code::{Form, Op, Redirect, RedirectKind, RedirectTarget};
use crate::syntax::tree::{self, RedirectAction, Word};
use crate::text::Text;

impl Compiler<'_> {
    #[inline(never)]
    pub(super) fn redirects(&mut self, redirects: &[tree::Redirect], line: u32) -> Vec<Hole> {
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

pub(super) fn redirect_word(action: &RedirectAction) -> &Word {
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

/// Whether a redirect counts as one of input: any that opens a file to read, and what copies to 0.
pub(super) fn gives_input(redirect: &tree::Redirect) -> bool {
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
