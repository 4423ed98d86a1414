//! Here-documents: announced on a line, read after it.

use super::error::MessageLine;
use super::quote::{QuotedEnds, open_text};
use super::reader::{Parse, Reader};
use super::tree::{HereBody, Part, RedirectAction, Word};
use super::word::{Ends, join};

/// A here-document whose text was not read yet.
pub(super) struct Pending {
    body: HereBody,
    delimiter: Vec<u8>,
    strip_tabs: bool,
    quoted: bool,
}

impl Reader<'_> {
    /// Reads the delimiter after `<<` or `<<-`.
    pub fn here_document(&mut self, strip_tabs: bool) -> Parse<RedirectAction> {
        let start = self.cursor.position;
        let mut parts = Vec::new();
        self.word_parts(&mut parts, Ends::Command)?;
        let raw = join(&self.cursor.text()[start..self.cursor.position]);
        let delimiter = remove_quotes(&raw);
        let quoted = raw.iter().any(|byte| matches!(byte, b'\'' | b'"' | b'\\'));
        let body = HereBody::default();
        self.pending.push(Pending {
            body: body.clone(),
            delimiter: delimiter.clone(),
            strip_tabs,
            quoted,
        });
        Ok(RedirectAction::HereDocument {
            body,
            delimiter,
            strip_tabs,
            quoted,
        })
    }

    /// Reads the texts of the here-documents that are due.
    #[cold]
    #[inline(never)]
    pub fn read_here_documents(&mut self) -> Parse<()> {
        let due = self.pending.split_off(self.pending_base);
        for document in due {
            self.read_here_document(document)?;
        }
        Ok(())
    }

    fn read_here_document(&mut self, document: Pending) -> Parse<()> {
        let first_line = self.cursor.line;
        let whole_lines = self.cursor.text().last() == Some(&b'\n') || self.cursor.raw().is_some();
        let line = first_line.saturating_sub(u32::from(whole_lines)).max(1);
        let mut text = Vec::new();
        loop {
            if self.cursor.raw().is_none() {
                let ended = self.cursor.text().last() == Some(&b'\n');
                let last = self.cursor.line.saturating_sub(u32::from(ended)).max(1);
                self.warn_ended(&document, line, last);
                break;
            }
            if document.strip_tabs && self.is_delimiter(&document) {
                break;
            }
            let start = text.len();
            let terminated = self.document_line(&mut text, &document);
            let written = &text[start..];
            if written == document.delimiter {
                text.truncate(start);
                break;
            }
            if self.ends_at_parenthesis(written, &document.delimiter, terminated) {
                text.truncate(start);
                self.warn_ended(&document, line, self.cursor.line);
                break;
            }
            text.push(b'\n');
        }
        let ansi = memchr::memmem::find(&text, b"$'").is_some();
        let written = (ansi && !document.quoted).then(|| text.clone());
        let body = self.document_word(text, &document, first_line)?;
        document.body.fill(body, written);
        Ok(())
    }

    /// Takes a line that is the delimiter with its tabs.
    fn is_delimiter(&mut self, document: &Pending) -> bool {
        let Some(after) = self.cursor.rest().strip_prefix(&document.delimiter[..]) else {
            return false;
        };
        let newline = usize::from(after.first() == Some(&b'\n'));
        if document.delimiter.is_empty() || newline == 0 && !after.is_empty() {
            return false;
        }
        self.cursor.position += document.delimiter.len() + newline;
        if newline > 0 {
            self.cursor.count_line();
        }
        true
    }

    /// Adds the next line to `text`, without its newline; whether it has one.
    fn document_line(&mut self, text: &mut Vec<u8>, document: &Pending) -> bool {
        if document.strip_tabs {
            while self.cursor.raw() == Some(b'\t') {
                self.cursor.position += 1;
            }
        }
        loop {
            let rest = self.cursor.rest();
            let length = rest.iter().position(|&byte| byte == b'\n');
            let line = &rest[..length.unwrap_or(rest.len())];
            let escapes = line.iter().rev().take_while(|&&byte| byte == b'\\').count();
            let continued = !document.quoted && escapes % 2 == 1 && length.is_some();
            text.extend_from_slice(&line[..line.len() - usize::from(continued)]);
            self.cursor.position += line.len();
            if length.is_some() {
                self.cursor.position += 1;
                self.cursor.count_line();
            }
            if !continued {
                if length.is_none() && !document.quoted && escapes % 2 == 1 {
                    // Nothing is left for this backslash to act on.
                    text.push(b'\\');
                }
                return length.is_some();
            }
        }
    }

    /// Within `$(…)` the delimiter may be followed by the closing parenthesis; then reading goes
    /// on behind the delimiter.
    fn ends_at_parenthesis(&mut self, line: &[u8], delimiter: &[u8], terminated: bool) -> bool {
        let Some(after) = line.strip_prefix(delimiter) else {
            return false;
        };
        if self.substitutions == 0 || !after.contains(&b')') {
            return false;
        }
        self.cursor.position -= after.len() + usize::from(terminated);
        if terminated {
            self.cursor.line -= 1;
        }
        true
    }

    fn document_word(&mut self, text: Vec<u8>, document: &Pending, line: u32) -> Parse<Word> {
        if text.is_empty() {
            return Ok(Word::default());
        }
        let active = |byte: &u8| matches!(byte, b'$' | b'`' | b'\\');
        if document.quoted || !text.iter().any(active) {
            let parts = vec![Part::Quoted(text)];
            return Ok(Word { parts });
        }
        self.enter()?;
        let word = self.nested(text, line, |reader| reader.document_text());
        self.leave();
        Ok(word)
    }

    /// Reads the whole text as that of a here-document. A syntax error in it is reported when it
    /// is expanded.
    pub fn document_text(&mut self) -> Word {
        let line = self.cursor.line;
        let mut parts = Vec::new();
        self.quotes.document = true;
        if let Err(error) = self.quoted_parts(&mut parts, QuotedEnds::Document) {
            let text = self.cursor.text().to_vec();
            parts = vec![open_text(error, text, self.options.posix, line)];
        }
        Word { parts }
    }

    /// A document that was announced on the line `first` ends on the line `last` without its
    /// delimiter.
    fn warn_ended(&mut self, document: &Pending, first: u32, last: u32) {
        let mut text =
            format!("warning: here-document at line {first} delimited by end-of-file (wanted `",)
                .into_bytes();
        text.extend_from_slice(&document.delimiter);
        text.extend_from_slice(b"')");
        self.warnings.push(MessageLine { line: last, text });
    }

    /// A substitution ended before the texts of `count` here-documents within it.
    pub fn warn_unterminated(&mut self, count: usize) {
        let plural = if count == 1 { "" } else { "s" };
        self.warnings.push(MessageLine {
            line: self.cursor.line,
            text: format!(
                "warning: command substitution: {count} unterminated here-document{plural}"
            )
            .into_bytes(),
        });
    }
}

/// The delimiter that `raw` stands for.
fn remove_quotes(raw: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(raw.len());
    let mut quote = None;
    let mut bytes = raw.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\'' | b'"', None) => quote = Some(byte),
            (_, Some(open)) if byte == open => quote = None,
            (b'$', None) if matches!(bytes.peek(), Some(b'\'' | b'"')) => {}
            (b'\\', None) => text.extend(bytes.next()),
            (b'\\', Some(b'"')) if matches!(bytes.peek(), Some(b'"' | b'\\' | b'$' | b'`')) => {
                text.extend(bytes.next());
            }
            _ => text.push(byte),
        }
    }
    text
}
