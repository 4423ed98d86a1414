//! Redirects and here-documents.

use super::super::tree::{Part, Redirect, RedirectAction, RedirectTarget, Word};
use super::Printer;
use super::word::{put_document, put_word};

impl<'a> Printer<'a> {
    pub(super) fn redirects(&mut self, redirects: &'a [Redirect]) {
        self.printed_document = false;
        for (index, redirect) in redirects.iter().enumerate() {
            if index > 0 {
                self.put(b" ");
            }
            if matches!(redirect.action, RedirectAction::HereDocument { .. }) {
                self.documents.push(redirect);
            }
            self.redirect(redirect);
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        match &redirect.action {
            RedirectAction::Input(word) => self.file(redirect, Some(0), b"< ", word),
            RedirectAction::Output(word) => self.file(redirect, Some(1), b"> ", word),
            RedirectAction::Clobber(word) => self.file(redirect, Some(1), b">| ", word),
            RedirectAction::Append(word) => self.file(redirect, Some(1), b">> ", word),
            RedirectAction::ReadWrite(word) => {
                self.target(redirect, 0, None);
                self.put(b"<> ");
                put_word(&mut self.out, word);
            }
            RedirectAction::DuplicateInput(word) => self.duplicate(redirect, 0, word),
            RedirectAction::DuplicateOutput(word) => self.duplicate(redirect, 1, word),
            RedirectAction::Both(word) => self.file(redirect, Some(1), b"&> ", word),
            RedirectAction::BothAppend(word) => self.file(redirect, Some(1), b"&>> ", word),
            RedirectAction::HereString(word) => self.file(redirect, Some(0), b"<<< ", word),
            RedirectAction::HereDocument {
                delimiter,
                strip_tabs,
                quoted,
                ..
            } => {
                self.target(redirect, 0, Some(0));
                self.put(if *strip_tabs { b"<<-" } else { b"<<" });
                if *quoted {
                    super::word::put_single_quoted(&mut self.out, delimiter);
                } else {
                    self.put(delimiter);
                }
            }
        }
    }

    fn file(&mut self, redirect: &Redirect, silent: Option<u32>, operator: &[u8], word: &Word) {
        self.target(redirect, silent.unwrap_or_default(), silent);
        self.put(operator);
        put_word(&mut self.out, word);
    }

    /// Puts the left side; `default` where there is none, nothing where it is `silent`.
    fn target(&mut self, redirect: &Redirect, default: u32, silent: Option<u32>) {
        let descriptor = match &redirect.target {
            RedirectTarget::Default => default,
            RedirectTarget::Descriptor(descriptor) => *descriptor,
            RedirectTarget::Variable(name) => {
                self.put(b"{");
                self.put(name);
                self.put(b"}");
                return;
            }
        };
        if Some(descriptor) != silent {
            self.put(descriptor.to_string().as_bytes());
        }
    }

    fn duplicate(&mut self, redirect: &Redirect, default: u32, word: &Word) {
        let literal = match word.parts.as_slice() {
            [Part::Literal(text)] => text.as_slice(),
            _ => b"",
        };
        let digits = literal.strip_suffix(b"-").unwrap_or(literal);
        let closes = literal == b"-";
        let numbered = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let silent = (!closes && !numbered).then_some(default);
        self.target(redirect, default, silent);
        let input = default == 0 && !closes;
        self.put(if input { b"<&" } else { b">&" });
        put_word(&mut self.out, word);
    }

    /// Puts the text of a here-document and its delimiter.
    pub(super) fn document_text(&mut self, document: &Redirect) {
        let RedirectAction::HereDocument {
            body, delimiter, ..
        } = &document.action
        else {
            return;
        };
        match body.written() {
            Some(text) => self.put(text),
            None => put_document(&mut self.out, body),
        }
        self.put(delimiter);
        self.put(b"\n");
    }
}
