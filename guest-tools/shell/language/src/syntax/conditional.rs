//! `[[ … ]]`: conditions, and what bash says of malformed ones.
//!
//! From loose to tight: `||`, `&&`, `!`, then a group or a test. Both sides of `==` and `=~` are words, which are read
//! by the rules of patterns and regular expressions. A chain of operators makes a tree as deep as it is long, so
//! `depth` counts them.
//!
//! Half of this file is errors: bash reports two lines for most of them, drops the rest of the line, and names tokens
//! in its own way. `condition_line` is the line that `$LINENO` has in the command.

use super::error::{MessageLine, SyntaxError, SyntaxErrorKind};
use super::reader::{Parse, Reader};
use super::token::is_meta;
use super::tree::{BinaryTest, CommandKind, Condition, Part, Word};
use super::word::Ends;

/// What bash shows of a first word that has no end is the character -1.
const FIRST_ENDED: &[u8] = b"unexpected token `\xff' in conditional command";
/// The same for the operand of a unary operator.
const UNARY_ENDED: &[u8] = b"unexpected argument to conditional unary operator";
/// The same for the right side of a binary operator.
const BINARY_ENDED: &[u8] = b"unexpected argument to conditional binary operator";

/// The letters of unary operators.
const UNARY: &[u8] = b"abcdefghknoprstuvwxzGLNORS";

impl Reader<'_> {
    /// Reads `[[ … ]]`.
    #[inline(never)]
    pub fn conditional(&mut self, kind: &mut CommandKind) -> Parse<()> {
        self.peek();
        let line = self.cursor.line;
        self.cursor.position += 1;
        self.cursor.eat(b'[');
        if self.options.remains.condition && self.substitutions == 0 {
            return self.unexpected();
        }
        let condition = self.any_condition()?;
        self.skip_condition_blanks()?;
        if self.eat_word(b"]]") {
            *kind = CommandKind::Conditional(condition);
            return Ok(());
        }
        let mut text = b"syntax error in conditional expression".to_vec();
        if self.cursor.rest().is_empty() {
            text = b"unexpected EOF while looking for `]]'".to_vec();
            return Err(SyntaxError::new(
                SyntaxErrorKind::ConditionalEnd,
                line,
                text,
            ));
        }
        let word = self.at_word();
        let token = self.condition_token().map_err(|mut error| {
            if error.is_at_end() {
                let text = b"unexpected EOF while looking for `]]'".to_vec();
                error.lines.push(MessageLine { line, text });
            }
            error
        })?;
        if !word {
            text.extend_from_slice(&[b": unexpected token `".as_slice(), &token, b"'"].concat());
        }
        Err(SyntaxError::new(SyntaxErrorKind::Conditional, line, text))
    }

    /// Blanks and newlines are the same here.
    fn skip_condition_blanks(&mut self) -> Parse<()> {
        self.skip_newlines()
    }

    /// Reads conditions with `||` between them.
    fn any_condition(&mut self) -> Parse<Condition> {
        let depth = self.depth;
        self.enter()?;
        let mut left = self.all_conditions()?;
        loop {
            self.skip_condition_blanks()?;
            if matches!(left, Condition::Or(..)) {
                self.condition_line = self.cursor.line;
            }
            if !self.eat_pair(b'|') {
                self.depth = depth;
                return Ok(left);
            }
            // Each operator makes the tree one level deeper.
            self.enter()?;
            let right = self.all_conditions()?;
            left = Condition::Or(Box::new(left), Box::new(right));
        }
    }

    /// Reads conditions with `&&` between them.
    fn all_conditions(&mut self) -> Parse<Condition> {
        let depth = self.depth;
        let mut left = self.condition()?;
        loop {
            self.skip_condition_blanks()?;
            if matches!(left, Condition::And(..)) {
                self.condition_line = self.cursor.line;
            }
            if !self.eat_pair(b'&') {
                self.depth = depth;
                return Ok(left);
            }
            self.enter()?;
            let right = self.condition()?;
            left = Condition::And(Box::new(left), Box::new(right));
        }
    }

    /// Takes `byte` twice.
    fn eat_pair(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte) && self.cursor.peek_second() == Some(byte);
        if found {
            self.cursor.position += 1;
            self.cursor.eat(byte);
        }
        found
    }

    /// Reads a test or a group, with `!` before it.
    fn condition(&mut self) -> Parse<Condition> {
        self.skip_condition_blanks()?;
        if self.peek() == Some(b'(') {
            return self.grouped_condition();
        }
        let mut negations = 0u32;
        while self.at_negation() {
            self.cursor.position += 1;
            negations += 1;
            self.enter()?;
            self.skip_condition_blanks()?;
        }
        let mut condition = match self.peek() {
            Some(b'(') => self.grouped_condition()?,
            _ => {
                let test = self.test()?;
                self.condition_line = self.cursor.line;
                test
            }
        };
        for _ in 0..negations {
            condition = Condition::Not(Box::new(condition));
            self.leave();
        }
        Ok(condition)
    }

    /// Whether a `!` comes next that is a word of its own, and not the start of a pattern `!(…)`.
    fn at_negation(&mut self) -> bool {
        let pattern = self.options.extglob && self.cursor.raw_at(1) == Some(b'(');
        self.peek() == Some(b'!') && self.cursor.raw_at(1).is_none_or(is_meta) && !pattern
    }

    /// Reads `( … )`.
    fn grouped_condition(&mut self) -> Parse<Condition> {
        let line = self.cursor.line;
        self.cursor.position += 1;
        let inner = match self.any_condition() {
            Ok(inner) => inner,
            Err(mut error) => {
                let conditional = error.kind == SyntaxErrorKind::Conditional;
                if (conditional || error.is_at_end()) && !error.lines.is_empty() {
                    error.lines.push(MessageLine {
                        line,
                        text: b"expected `)'".to_vec(),
                    });
                }
                return Err(error);
            }
        };
        self.skip_condition_blanks()?;
        if self.cursor.eat(b')') {
            self.condition_line = self.cursor.line;
            return Ok(Condition::Group(Box::new(inner)));
        }
        let result = match self.at_word() && !self.at_condition_end() {
            true => self.condition_message(b"expected `)'".to_vec()),
            false => self.condition_error(b"expected `)'"),
        };
        result.map_err(|mut error: Box<SyntaxError>| {
            error
                .lines
                .iter_mut()
                .for_each(|message| message.line = line);
            error
        })
    }

    /// Reads a word with its operator.
    #[inline(never)]
    fn test(&mut self) -> Parse<Condition> {
        if !self.at_condition_word() {
            return self.condition_missing();
        }
        let left = self.word();
        let left = left.map_err(|error| self.ended(error, FIRST_ENDED))?;
        if let Some(letter) = unary_operator(&left) {
            self.skip_blanks();
            if !self.at_condition_word() {
                return self.condition_argument_error(b"unary");
            }
            let operand = self.word();
            let operand = operand.map_err(|error| self.ended(error, UNARY_ENDED))?;
            return Ok(Condition::Unary(letter, operand));
        }
        self.skip_blanks();
        let Some(operator) = self.binary_operator()? else {
            return Ok(Condition::Word(left));
        };
        self.skip_blanks();
        let ends = match operator {
            BinaryTest::Match | BinaryTest::MatchShort | BinaryTest::NoMatch => Ends::Pattern,
            BinaryTest::Regex => Ends::Regex,
            _ => Ends::Command,
        };
        // Before an operator of the shell it is empty.
        let regex =
            ends == Ends::Regex && self.peek().is_some_and(|byte| b"()|;&<>".contains(&byte));
        if !regex && !self.at_condition_word() {
            return self.condition_argument_error(b"binary");
        }
        let right = self.word_until(ends);
        let right = right.map_err(|error| self.ended(error, BINARY_ENDED))?;
        Ok(Condition::Binary(operator, left, right))
    }

    /// The text ended in a word: what bash says of the condition that this leaves incomplete.
    #[cold]
    #[inline(never)]
    fn ended(&self, mut error: Box<SyntaxError>, text: &[u8]) -> Box<SyntaxError> {
        if error.is_at_end() {
            if error.kind == SyntaxErrorKind::Unmatched {
                error.kind = SyntaxErrorKind::ConditionalUnmatched;
            }
            error.lines.push(MessageLine {
                line: self.cursor.line,
                text: text.to_vec(),
            });
        }
        error
    }

    /// Whether a word other than `]]` comes next.
    fn at_condition_word(&mut self) -> bool {
        if self.at_condition_end() {
            return false;
        }
        match self.peek() {
            Some(b'<' | b'>') => self.cursor.peek_second() == Some(b'('),
            Some(byte) => !is_meta(byte),
            None => false,
        }
    }

    /// Whether `]]` comes next, as a word of its own.
    fn at_condition_end(&mut self) -> bool {
        self.peek() == Some(b']')
            && self.cursor.raw_at(1) == Some(b']')
            && self.cursor.raw_at(2).is_none_or(is_meta)
    }

    /// Takes the operator between two words; none where the first stands alone.
    fn binary_operator(&mut self) -> Parse<Option<BinaryTest>> {
        if self.at_condition_end() {
            return Ok(None);
        }
        match self.peek() {
            Some(b'<') if self.cursor.peek_second() != Some(b'(') => {
                self.cursor.position += 1;
                return Ok(Some(BinaryTest::Before));
            }
            Some(b'>') if self.cursor.peek_second() != Some(b'(') => {
                self.cursor.position += 1;
                return Ok(Some(BinaryTest::After));
            }
            Some(b')') => return Ok(None),
            Some(byte @ (b'&' | b'|')) if self.cursor.peek_second() == Some(byte) => {
                return Ok(None);
            }
            Some(byte) if !is_meta(byte) => {
                for (text, operator) in OPERATORS {
                    if self.eat_word(text) {
                        return Ok(Some(operator));
                    }
                }
            }
            _ => return self.condition_error(b"conditional binary operator expected"),
        }
        let text = b"conditional binary operator expected";
        let token = self.token_text();
        token.map_err(|error| self.ended(error, text))?;
        self.condition_message(text.to_vec())
    }

    /// The token that comes next, for a message.
    fn condition_token(&mut self) -> Parse<Vec<u8>> {
        let token = self.token_text()?;
        Ok(token.unwrap_or_else(|| b"EOF".to_vec()))
    }

    /// The token that comes next is wrong; `expected` says what would be right.
    fn condition_error<T>(&mut self, expected: &[u8]) -> Parse<T> {
        let token = self.condition_token()?;
        let text = [b"unexpected token `".as_slice(), &token, b"', ", expected].concat();
        self.condition_message(text)
    }

    /// There is no condition where one must be. Of `]]` bash says nothing at all.
    fn condition_missing<T>(&mut self) -> Parse<T> {
        let silent = self.at_condition_end();
        let token = self.condition_token()?;
        let text = [
            b"unexpected token `".as_slice(),
            &token,
            b"' in conditional command",
        ]
        .concat();
        let incomplete = self.peek().is_none();
        self.condition_message(text).map_err(|mut error| {
            error.incomplete = incomplete;
            if silent {
                error.lines.clear();
            }
            error
        })
    }

    /// The operand of an operator is missing; `kind` is `unary` or `binary`.
    fn condition_argument_error<T>(&mut self, kind: &[u8]) -> Parse<T> {
        let token = self.condition_token()?;
        let text = [
            b"unexpected argument `".as_slice(),
            &token,
            b"' to conditional ",
            kind,
            b" operator",
        ]
        .concat();
        self.condition_message(text)
    }

    /// After a malformed condition bash drops tokens up to the end of the line; what is wrong among
    /// them is said as well.
    #[cold]
    pub fn recovered(&mut self, mut error: Box<SyntaxError>) -> Box<SyntaxError> {
        if error.kind != SyntaxErrorKind::Conditional || error.substituted {
            return error;
        }
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'\n') => return error,
                None => {
                    // bash looked for what ends a quote.
                    error.incomplete = true;
                    return error;
                }
                Some(_) => {}
            }
            if let Err(inner) = self.skip_token() {
                error.lines.extend(inner.lines);
                if inner.substituted {
                    error.kind = inner.kind;
                    error.substituted = true;
                    return error;
                }
                self.cursor.position = self.cursor.text().len();
            }
        }
    }

    /// Skips a word, an operator or an arithmetic command.
    fn skip_token(&mut self) -> Parse<()> {
        let Some(byte) = self.peek() else {
            return Ok(());
        };
        let substitution = matches!(byte, b'<' | b'>') && self.cursor.peek_second() == Some(b'(');
        if !is_meta(byte) || substitution {
            return self.token_text().map(drop);
        }
        if byte == b'(' && self.cursor.peek_second() == Some(b'(') {
            let (place, line) = (self.cursor.position, self.cursor.line);
            self.cursor.position += 1;
            self.cursor.eat(b'(');
            if self.try_arithmetic(line)?.is_some() {
                return Ok(());
            }
            (self.cursor.position, self.cursor.line) = (place, line);
        }
        self.cursor.position += 1;
        Ok(())
    }

    /// A syntax error of a condition.
    fn condition_message<T>(&mut self, text: Vec<u8>) -> Parse<T> {
        let line = self.cursor.line;
        // What ends with the script is an error like any other.
        let ends = matches!(self.cursor.rest(), b"" | b"\n") && names_end(&text);
        let kind = match ends {
            true => SyntaxErrorKind::ConditionalEnd,
            false => SyntaxErrorKind::Conditional,
        };
        Err(SyntaxError::new(kind, line, text))
    }
}

/// Whether the token that a message names is the end of a line or of the script.
fn names_end(text: &[u8]) -> bool {
    let names = |token: &[u8]| text.windows(token.len()).any(|part| part == token);
    names(b"`newline'") || names(b"`EOF'")
}

/// Operators between two words.
const OPERATORS: [(&[u8], BinaryTest); 13] = [
    (b"==", BinaryTest::Match),
    (b"=", BinaryTest::MatchShort),
    (b"!=", BinaryTest::NoMatch),
    (b"=~", BinaryTest::Regex),
    (b"-eq", BinaryTest::Equal),
    (b"-ne", BinaryTest::NotEqual),
    (b"-lt", BinaryTest::Less),
    (b"-le", BinaryTest::LessEqual),
    (b"-gt", BinaryTest::Greater),
    (b"-ge", BinaryTest::GreaterEqual),
    (b"-nt", BinaryTest::Newer),
    (b"-ot", BinaryTest::Older),
    (b"-ef", BinaryTest::SameFile),
];

/// The letter of a word that is a unary operator and not quoted.
fn unary_operator(word: &Word) -> Option<u8> {
    let [Part::Literal(text)] = word.parts.as_slice() else {
        return None;
    };
    match text.as_slice() {
        [b'-', letter] if UNARY.contains(letter) => Some(*letter),
        _ => None,
    }
}
