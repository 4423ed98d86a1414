//! Rules as they were read.

use std::rc::Rc;

use super::parse::Definition;
use super::variables::Origin;

/// The lines of a recipe, each with its number in the makefile.
#[derive(Debug, Default)]
pub struct Recipe {
    /// The makefile.
    pub file: String,
    /// Number and text; a text may have several physical lines.
    pub lines: Vec<(usize, String)>,
}

/// The file that the rules that are always there are said to be in.
pub const BUILTIN: &str = "<builtin>";

impl Recipe {
    /// A line of it, for messages.
    pub fn place(&self, line: usize) -> String {
        match self.file.as_str() {
            BUILTIN => BUILTIN.to_owned(),
            file => format!("{file}:{line}"),
        }
    }
}

/// What one rule says of its targets.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// What is made before and makes the target out of date.
    pub prerequisites: Vec<String>,
    /// What is made before and does not (`|`).
    pub order_only: Vec<String>,
    /// The prerequisites are expanded once more (`.SECONDEXPANSION`).
    pub expands_again: bool,
    /// The recipe; one without lines is none.
    pub recipe: Option<Rc<Recipe>>,
}

/// How far a file has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Nothing was done yet.
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
    /// What is set.
    pub definition: Definition,
    /// On whose behalf.
    pub origin: Origin,
    /// Commands get it.
    pub exported: bool,
}

/// What is known of a file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// All its single-colon rules together.
    pub body: Body,
    /// The rules with `::`.
    pub doubles: Vec<Body>,
    /// Variables of this target.
    pub locals: Vec<Local>,
    /// A rule has it as a target.
    pub is_target: bool,
    /// A makefile names it.
    pub mentioned: bool,
    /// It is no file.
    pub phony: bool,
    /// Is not removed, whatever made it.
    pub kept: bool,
    /// The stem of the static or implicit pattern that makes it.
    pub stem: Option<String>,
    /// What the same run of the recipe makes.
    pub siblings: Vec<String>,
    /// How far it has come.
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
    /// The targets; one recipe run makes all of them.
    pub targets: Vec<String>,
    /// Prerequisites and recipe, with `%` in them.
    pub body: Body,
    /// Its prerequisites are not made by other patterns.
    pub terminal: bool,
}
