//! Evaluations that wait for the shell to expand a subscript.

use std::rc::Rc;

use super::evaluate::{Evaluator, Frame, Holes, Index};
use super::expression::Expression;
use super::{Failure, Scope};
use crate::text::Text;
use crate::{record, variants};

/// An evaluation under way, as plain data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paused {
    values: Vec<i64>,
    indices: Vec<Index>,
    frames: Vec<Place>,
    holes: Vec<i64>,
}

/// A place in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    text: Text,
    template: bool,
    next: usize,
    holes: Holes,
    in_subscript: bool,
}

record!(Paused {
    values,
    indices,
    frames,
    holes
});
record!(Place {
    text,
    template,
    next,
    holes,
    in_subscript
});
variants!(Index { 0 Number(number), 1 Key(text) });
variants!(Holes { 0 None, 1 From(first) });

impl Evaluator {
    /// Takes the evaluation that the scope refused to go on with; [`Evaluator::resume`] asks the
    /// scope the same again.
    pub fn pause(&mut self, holes: &[i64]) -> Paused {
        let frames = self.frames.drain(..);
        let frames = frames.map(|frame| Place {
            text: frame.expression.text.clone(),
            template: !frame.expression.holes.is_empty(),
            next: frame.next,
            holes: frame.holes,
            in_subscript: frame.in_subscript,
        });
        Paused {
            frames: frames.collect(),
            values: std::mem::take(&mut self.values),
            indices: std::mem::take(&mut self.indices),
            holes: holes.to_vec(),
        }
    }

    /// Goes on with an evaluation.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`].
    pub fn resume<S: Scope>(
        &mut self,
        paused: &Paused,
        scope: &mut S,
    ) -> Result<i64, Failure<S::Error>> {
        self.values.clone_from(&paused.values);
        self.indices.clone_from(&paused.indices);
        let frames = paused.frames.iter().map(|place| Frame {
            expression: Rc::new(place.expression(scope)),
            next: place.next,
            holes: place.holes,
            in_subscript: place.in_subscript,
        });
        self.frames = frames.collect();
        self.go_on(&paused.holes, scope)
    }
}

impl Paused {
    /// The numbers in the holes of the outermost expression.
    pub fn holes(&self) -> &[i64] {
        &self.holes
    }
}

impl Place {
    fn expression<S: Scope>(&self, scope: &mut S) -> Expression {
        let mut intern = |name: &[u8]| scope.intern(name);
        let template = self
            .template
            .then(|| Expression::template(&self.text, &mut intern));
        match template.flatten() {
            Some(expression) => expression,
            None => Expression::parse(&self.text, &mut intern),
        }
    }
}
