//! Rules as they were read.

use std::rc::Rc;

use super::parse::Definition;
use super::variables::Origin;

/// The lines of a recipe, each with its number in the makefile.
#[derive(Debug, Default)]
pub struct Recipe {
    pub file: String,
    pub lines: Vec<(usize, String)>,
}

/// What one rule says of its targets.
#[derive(Clone, Debug, Default)]
pub struct Body {
    pub prerequisites: Vec<String>,
    pub order_only: Vec<String>,
    pub recipe: Option<Rc<Recipe>>,
}

/// How far a file has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    New,
    /// Its prerequisites are being made.
    Busy,
    /// Whether it could be made.
    Done(bool),
}

/// A definition for a target and what it needs.
#[derive(Clone, Debug)]
pub struct Local {
    pub definition: Definition,
    pub origin: Origin,
    pub exported: bool,
}

/// What is known of a file.
#[derive(Clone, Debug, Default)]
pub struct File {
    pub body: Body,
    /// The rules with `::`.
    pub doubles: Vec<Body>,
    pub locals: Vec<Local>,
    pub is_target: bool,
    /// A makefile names it.
    pub mentioned: bool,
    pub phony: bool,
    /// Is not removed, whatever made it.
    pub kept: bool,
    pub stem: Option<String>,
    /// What the same run of the recipe makes.
    pub siblings: Vec<String>,
    pub state: State,
    /// Counts as new although its time is old.
    pub renewed: bool,
}

impl File {
    /// Whether a rule of its own has commands.
    pub fn has_recipe(&self) -> bool {
        self.body.recipe.is_some() || !self.doubles.is_empty()
    }
}

/// A rule whose targets have a `%`.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub targets: Vec<String>,
    pub body: Body,
    /// Its prerequisites are not made by other patterns.
    pub terminal: bool,
}
