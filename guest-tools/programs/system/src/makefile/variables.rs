//! Variables of `make`: where they come from decides who may change them.
//!
//! Global variables are one table. Above it lie the scopes of the targets that are being made, one for each level,
//! which also hold automatic variables and those of `foreach`, `let` and `call`. A look-up goes from the innermost
//! scope outwards.

use std::collections::HashMap;

/// Where a value comes from; the later ones win over the earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Set by `make` itself.
    Default,
    /// From the environment.
    Environment,
    /// Set in a makefile.
    File,
    /// From the environment, with `-e`.
    EnvironmentOverride,
    /// A definition among the operands.
    CommandLine,
    /// `override` in a makefile.
    Override,
    /// `$@` and the like, and parameters of functions.
    Automatic,
}

impl Origin {
    /// What `$(origin NAME)` says.
    pub fn text(self) -> &'static str {
        match self {
            Origin::Default => "default",
            Origin::Environment => "environment",
            Origin::File => "file",
            Origin::EnvironmentOverride => "environment override",
            Origin::CommandLine => "command line",
            Origin::Override => "override",
            Origin::Automatic => "automatic",
        }
    }
}

/// When a value is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// Each time it is used.
    Recursive,
    /// Once, when it was set.
    Simple,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The value, as far as its flavor has it expanded.
    pub value: String,
    /// When it is expanded.
    pub flavor: Flavor,
    /// Who set it.
    pub origin: Origin,
    /// It is being expanded: another use within is a cycle.
    pub expanding: bool,
    /// Where a makefile set it.
    pub place: Option<super::Place>,
}

/// The variables of makefiles, and above them those of targets.
#[derive(Default)]
pub struct Variables {
    base: HashMap<String, Variable>,
    scopes: Vec<HashMap<String, Variable>>,
    /// What `export` and `unexport` said of names.
    exported: HashMap<String, bool>,
}

impl Variables {
    /// The variable of this name.
    pub fn get(&self, name: &str) -> Option<&Variable> {
        let inner = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        inner.or_else(|| self.base.get(name))
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Variable> {
        for scope in self.scopes.iter_mut().rev() {
            if let Some(found) = scope.get_mut(name) {
                return Some(found);
            }
        }
        self.base.get_mut(name)
    }

    /// Sets a variable unless who set it before is stronger.
    pub fn set(&mut self, name: &str, value: &str, flavor: Flavor, origin: Origin) {
        if self.get(name).is_some_and(|known| known.origin > origin) {
            return;
        }
        let variable = new(value, flavor, origin);
        self.base.insert(name.to_owned(), variable);
    }

    /// Sets a variable of the innermost target.
    ///
    /// Without a scope nothing is set.
    pub fn set_inner(&mut self, name: &str, value: &str, flavor: Flavor, origin: Origin) {
        let wins = origin == Origin::Automatic
            || self.get(name).is_none_or(|known| known.origin <= origin);
        if let Some(scope) = self.scopes.last_mut()
            && wins
        {
            scope.insert(name.to_owned(), new(value, flavor, origin));
        }
    }

    /// Removes a variable that nobody stronger has set.
    pub fn remove(&mut self, name: &str, origin: Origin) {
        if self.get(name).is_some_and(|known| known.origin <= origin) {
            self.base.remove(name);
        }
    }

    /// Begins the variables of a target.
    pub fn push(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Ends them.
    pub fn pop(&mut self) {
        self.scopes.pop();
    }

    /// Says whether commands get a variable.
    pub fn export(&mut self, name: &str, wanted: bool) {
        self.exported.insert(name.to_owned(), wanted);
    }

    /// The names that commands get, sorted.
    ///
    /// What `export` says counts most; otherwise what came from the environment and the command line. `all` adds what
    /// makefiles set.
    pub fn exported(&self, all: bool) -> Vec<String> {
        let scopes = self.scopes.iter().chain([&self.base]);
        let mut names: Vec<&String> = scopes.flat_map(HashMap::keys).collect();
        names.sort_unstable();
        names.dedup();
        let is_exported = |name: &&&String| match self.exported.get(**name) {
            Some(wanted) => *wanted,
            None => self
                .get(name)
                .is_some_and(|variable| match variable.origin {
                    Origin::Environment | Origin::EnvironmentOverride => true,
                    Origin::CommandLine => is_name(name),
                    Origin::File | Origin::Override => all && is_name(name),
                    Origin::Default | Origin::Automatic => false,
                }),
        };
        names
            .iter()
            .filter(is_exported)
            .map(|name| (*name).clone())
            .collect()
    }
}

/// A variable that no makefile has a place for yet.
fn new(value: &str, flavor: Flavor, origin: Origin) -> Variable {
    Variable {
        value: value.to_owned(),
        flavor,
        origin,
        expanding: false,
        place: None,
    }
}

/// Whether a shell takes it for the name of a variable.
fn is_name(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
