//! The stacks that instructions work on.

use super::context::{Element, Key};
use super::expand::Expansion;
use crate::text::Text;

/// Stacks of a task, which its frames share: each has what is above its heights.
#[derive(Default)]
pub struct Stacks {
    /// Where lists of words begin.
    pub marks: Vec<usize>,
    /// Fields.
    pub words: Vec<Text>,
    /// Strings that instructions work on.
    pub operands: Vec<Text>,
    /// Words under way.
    pub expansions: Vec<Expansion>,
    /// Compound assignments under way.
    pub arrays: Vec<Vec<Element>>,
}

impl Stacks {
    /// Takes the words since the last mark.
    pub fn take_words(&mut self) -> Vec<Text> {
        let start = self.marks.pop().unwrap_or(0);
        self.words.split_off(start)
    }

    /// Adds an element to the compound value under way.
    pub fn add_element(&mut self, key: Key, append: bool, value: Text) {
        if let Some(elements) = self.arrays.last_mut() {
            elements.push(Element { key, append, value });
        }
    }

    /// Takes an operand.
    pub fn operand(&mut self) -> Text {
        self.operands.pop().unwrap_or_default()
    }
}
