//! Shell functions.

use std::cell::RefCell;
use std::rc::Rc;

use super::code::Code;
use crate::syntax::tree::{Command, CommandKind};
use crate::text::Text;

/// A shell function.
pub struct Function {
    /// Its name.
    pub name: Text,
    /// Its body.
    pub body: Rc<Command>,
    /// The file that defined it: `main` for standard input, `environment` for `-c`.
    pub source: Text,
    /// The line of its definition.
    pub line: u32,
    /// `export -f`
    pub exported: bool,
    /// `readonly -f`
    pub readonly: bool,
    /// `declare -ft`
    pub traced: bool,
    /// The compiled body, made when it is first called.
    pub(super) code: RefCell<Option<Rc<Code>>>,
}

impl Function {
    /// The line that it begins on, for what it runs: that of its `{`.
    pub fn start(&self) -> u32 {
        match self.body.kind {
            CommandKind::Group(_) => self.body.line,
            _ => self.line,
        }
    }
}

impl Clone for Function {
    fn clone(&self) -> Function {
        Function {
            name: self.name.clone(),
            body: self.body.clone(),
            source: self.source.clone(),
            line: self.line,
            exported: self.exported,
            readonly: self.readonly,
            traced: self.traced,
            code: self.code.clone(),
        }
    }
}
