//! Redirects.

use super::reader::{Parse, Reader};
use super::token::{is_meta, is_name, is_name_start};
use super::tree::{Redirect, RedirectAction, RedirectTarget, Word};

impl Reader<'_> {
    /// Reads the redirects that come next.
    pub fn redirects(&mut self, redirects: &mut Vec<Redirect>) -> Parse<()> {
        loop {
            self.skip_blanks();
            if !self.redirect(redirects)? {
                return Ok(());
            }
        }
    }

    /// Reads a redirect where one comes next.
    pub fn redirect(&mut self, redirects: &mut Vec<Redirect>) -> Parse<bool> {
        let target = match self.peek() {
            Some(b'<' | b'>') => RedirectTarget::Default,
            Some(b'&') if self.cursor.peek_second() == Some(b'>') => RedirectTarget::Default,
            Some(b'0'..=b'9') => match self.descriptor() {
                Some(target) => target,
                None => return Ok(false),
            },
            Some(b'{') => match self.descriptor_variable() {
                Some(target) => target,
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        if matches!(self.peek(), Some(b'<' | b'>')) && self.cursor.peek_second() == Some(b'(') {
            return Ok(false);
        }
        let action = self.redirect_action()?;
        redirects.push(Redirect { target, action });
        Ok(true)
    }

    /// Takes a number that a redirect follows.
    fn descriptor(&mut self) -> Option<RedirectTarget> {
        let rest = self.cursor.rest();
        let length = rest.iter().position(|byte| !byte.is_ascii_digit())?;
        self.redirect_follows(length)?;
        let digits = std::str::from_utf8(&rest[..length]).ok()?;
        let number = digits.parse::<i32>().ok()?;
        self.cursor.position += length;
        Some(RedirectTarget::Descriptor(number.unsigned_abs()))
    }

    /// Takes `{name}` that a redirect follows.
    fn descriptor_variable(&mut self) -> Option<RedirectTarget> {
        let rest = self.cursor.rest();
        let end = rest
            .iter()
            .position(|&byte| byte == b'}' || (is_meta(byte) && byte != b' '))?;
        let name = rest.get(1..end).filter(|_| rest[end] == b'}')?;
        let length = name.iter().position(|&byte| !is_name(byte));
        let valid = is_name_start(*name.first()?)
            && length.is_none_or(|length| name[length] == b'[' && name.ends_with(b"]"));
        if !valid {
            return None;
        }
        self.redirect_follows(end + 1)?;
        let name = name.to_vec();
        self.cursor.position += end + 1;
        Some(RedirectTarget::Variable(name))
    }

    fn redirect_follows(&self, length: usize) -> Option<()> {
        let operator = self.cursor.peek_after(length);
        let substitution = self.cursor.peek_after(length + 1) == Some(b'(');
        (matches!(operator, Some(b'<' | b'>')) && !substitution).then_some(())
    }

    fn redirect_action(&mut self) -> Parse<RedirectAction> {
        if self.cursor.eat(b'&') {
            self.cursor.position += 1;
            let append = self.cursor.eat(b'>');
            let word = self.redirect_word()?;
            return Ok(match append {
                true => RedirectAction::BothAppend(word),
                false => RedirectAction::Both(word),
            });
        }
        let input = self.cursor.eat(b'<');
        if !input {
            self.cursor.eat(b'>');
            return self.output_action();
        }
        if self.cursor.eat(b'<') {
            if self.cursor.eat(b'<') {
                return Ok(RedirectAction::HereString(self.redirect_word()?));
            }
            let strip_tabs = self.cursor.eat(b'-');
            self.skip_blanks();
            self.expand_after_blank(&[]);
            self.expect_word()?;
            return self.here_document(strip_tabs);
        }
        if self.cursor.eat(b'&') {
            return Ok(RedirectAction::DuplicateInput(self.redirect_word()?));
        }
        if self.cursor.eat(b'>') {
            return Ok(RedirectAction::ReadWrite(self.redirect_word()?));
        }
        Ok(RedirectAction::Input(self.redirect_word()?))
    }

    fn output_action(&mut self) -> Parse<RedirectAction> {
        if self.cursor.eat(b'>') {
            return Ok(RedirectAction::Append(self.redirect_word()?));
        }
        if self.cursor.eat(b'&') {
            return Ok(RedirectAction::DuplicateOutput(self.redirect_word()?));
        }
        if self.cursor.eat(b'|') {
            return Ok(RedirectAction::Clobber(self.redirect_word()?));
        }
        Ok(RedirectAction::Output(self.redirect_word()?))
    }

    fn redirect_word(&mut self) -> Parse<Word> {
        self.skip_blanks();
        self.expand_after_blank(&[]);
        self.expect_word()?;
        self.refuse_number()?;
        self.word()
    }

    /// A number that an operator follows belongs to that one, and is no word.
    fn refuse_number(&mut self) -> Parse<()> {
        let place = (self.cursor.position, self.cursor.line);
        if self.peek() == Some(b'{')
            && let Some(RedirectTarget::Variable(name)) = self.descriptor_variable()
        {
            // A token that bash has no name for.
            let operator = self.cursor.raw().unwrap_or_default();
            let token = [b"{".as_slice(), &name, b"}", &[operator]].concat();
            let mut error = self.unexpected_text(&token);
            error.lines[0].text = [b"syntax error near `".as_slice(), &token, b"'"].concat();
            return Err(error);
        }
        (self.cursor.position, self.cursor.line) = place;
        let rest = self.cursor.rest();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = rest.get(..digits).unwrap_or_default();
        if digits == 0 || !matches!(rest.get(digits), Some(b'<' | b'>')) {
            return Ok(());
        }
        Err(self.unexpected_text(number))
    }

    /// Fails unless a word comes next.
    pub fn expect_word(&mut self) -> Parse<()> {
        self.skip_blanks();
        match self.peek() {
            Some(b'<' | b'>') if self.cursor.peek_second() == Some(b'(') => Ok(()),
            Some(byte) if !is_meta(byte) => Ok(()),
            _ => self.unexpected(),
        }
    }
}
