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
    /// How far the lines of the body are above those that messages have.
    pub base: i64,
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
        let line = match self.body.kind {
            CommandKind::Group(_) => i64::from(self.body.line) - self.base,
            _ => return self.line,
        };
        u32::try_from(line).unwrap_or(0)
    }
}

impl Clone for Function {
    fn clone(&self) -> Function {
        Function {
            name: self.name.clone(),
            body: self.body.clone(),
            source: self.source.clone(),
            line: self.line,
            base: self.base,
            exported: self.exported,
            readonly: self.readonly,
            traced: self.traced,
            code: self.code.clone(),
        }
    }
}
