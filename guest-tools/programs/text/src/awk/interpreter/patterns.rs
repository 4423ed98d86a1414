//! Regular expressions that are made while the program runs. Up to 500 compiled ones are kept by their text; then all
//! are dropped, which is cheap where a program has few and bounds memory where it makes many.

use std::rc::Rc;

use super::{Interpreter, Outcome, fail};
use crate::awk::lexer::regex_escapes;
use crate::awk::tree::*;
use crate::awk::value::Text;
use crate::pattern::{Dialect, Pattern, Settings};

impl<'p> Interpreter<'p> {
    /// The pattern of a text that is used as a regular expression. One that is invalid is fatal.
    pub(in crate::awk) fn pattern(&mut self, source: &Text) -> Outcome<Rc<Pattern>> {
        if let Some(pattern) = self.patterns.get(source) {
            return Ok(Rc::clone(pattern));
        }
        for message in regex_escapes(source) {
            self.warn(&message);
        }
        let settings = Settings {
            ignore_case: self.ignore_case,
            ..Settings::new(Dialect::Awk)
        };
        let pattern = match Pattern::new(source, &settings) {
            Ok(pattern) => Rc::new(pattern),
            Err(message) => {
                let source = String::from_utf8_lossy(source);
                return fail(format!("invalid regexp: {message}: /{source}/"));
            }
        };
        if self.patterns.len() > 500 {
            self.patterns.clear();
        }
        self.patterns.insert(Rc::clone(source), Rc::clone(&pattern));
        Ok(pattern)
    }

    /// The pattern that an expression stands for: a literal, or the text of a value.
    pub(in crate::awk) fn pattern_of(
        &mut self,
        expression: &'p Expression,
    ) -> Outcome<Rc<Pattern>> {
        match expression {
            Expression::Regex(pattern) if !self.ignore_case => Ok(Rc::clone(pattern)),
            Expression::Regex(pattern) => self.pattern(&Rc::new(pattern.source().to_vec())),
            Expression::TypedRegex(source) => self.pattern(source),
            Expression::Group(inner) if matches!(**inner, Expression::Regex(_)) => {
                self.pattern_of(inner)
            }
            _ => {
                let source = self.text(expression)?;
                self.pattern(&source)
            }
        }
    }
}
