//! Runs expressions: every expression turns a list of nodes into a list of nodes of the same tree.
//!
//! Nodes are not copied on their way, so an assignment changes the document that the result is part of, and `.a | .b =
//! 1` changes it deep inside. What is computed is a new node in the place of its operand (`Tree::replacement`).
//!
//! A path that does not exist is made while it is followed, as assignments need, unless the context is read-only.
//! Binary operators, `select` and arguments run in read-only contexts.

mod access;
mod assign;
mod construct;

use std::collections::HashMap;
use std::rc::Rc;

use super::parse::{Binary, Expression, Flags};
use super::tree::{Id, Tree};
use super::{arithmetic, functions};
use assign::is_assignment;

pub use access::glob;

/// A list of nodes, or the message for the user.
pub type Found = Result<Vec<Id>, String>;

/// What an expression is run against.
#[derive(Clone)]
pub struct Context {
    /// What `.` stands for. Several nodes are seen one after the other, or all at once with `eval-all`.
    pub nodes: Vec<Id>,
    /// Paths that are not there are not made.
    pub readonly: bool,
    /// What `$name` stands for.
    pub variables: Rc<HashMap<String, Vec<Id>>>,
}

impl Context {
    /// The same with other nodes.
    pub fn with(&self, nodes: Vec<Id>) -> Context {
        Context {
            nodes,
            readonly: self.readonly,
            variables: self.variables.clone(),
        }
    }

    /// The same with one node.
    pub fn one(&self, node: Id) -> Context {
        self.with(vec![node])
    }

    /// The same where paths are not made.
    pub fn readonly(&self) -> Context {
        Context {
            readonly: true,
            ..self.clone()
        }
    }

    /// The same with one more variable.
    fn bind(&self, name: &str, nodes: Vec<Id>) -> Context {
        let mut context = self.clone();
        Rc::make_mut(&mut context.variables).insert(name.to_owned(), nodes);
        context
    }
}

/// The machine with its nodes.
pub struct Machine {
    /// All nodes of this run.
    pub tree: Tree,
    /// The names of the files that documents came from, by `Node::file`.
    pub files: Vec<String>,
    /// Expressions may read the environment; `--security-disable-env-ops` takes that away.
    pub env: bool,
    /// Expressions may read files; `--security-disable-file-ops` takes that away.
    pub file: bool,
}

impl Machine {
    /// Refuses what reads the environment, where that is disabled.
    ///
    /// # Errors
    /// What is said to the user.
    pub fn may_read_environment(&self) -> Result<(), String> {
        if self.env {
            return Ok(());
        }
        Err("env operations have been disabled".to_owned())
    }

    /// Refuses what reads files, where that is disabled.
    ///
    /// # Errors
    /// What is said to the user.
    pub fn may_read_files(&self) -> Result<(), String> {
        if self.file {
            return Ok(());
        }
        Err("file operations have been disabled".to_owned())
    }
}

impl Machine {
    /// Runs an expression.
    ///
    /// # Errors
    /// What is said to the user, after `Error: `.
    pub fn run(&mut self, context: &Context, expression: &Expression) -> Found {
        match expression {
            Expression::Itself => Ok(context.nodes.clone()),
            Expression::Empty => Ok(Vec::new()),
            Expression::Scalar(tag, text) => Ok(self.literal(context, tag, text)),
            Expression::Interpolated(parts) => self.interpolate(context, parts),
            Expression::Path(name) => self.path(context, name),
            Expression::Index(target, indices, optional) => {
                self.index(context, target, indices.as_deref(), *optional)
            }
            Expression::Slice(target, from, to) => {
                self.slice(context, target, from.as_deref(), to.as_deref())
            }
            Expression::Recurse(keys) => {
                let mut found = Vec::new();
                for &node in &context.nodes {
                    self.recurse(node, *keys, true, &mut found);
                }
                Ok(found)
            }
            Expression::Variable(name) => match context.variables.get(name) {
                Some(nodes) => Ok(nodes.clone()),
                None => Ok(Vec::new()),
            },
            Expression::Collect(inside) => self.collect(context, inside.as_deref()),
            Expression::Object(inside) => self.object(context, inside.as_deref()),
            Expression::Binary(binary, flags, left, right) => {
                self.binary(context, *binary, *flags, left, right)
            }
            Expression::Assign(update, flags, left, right) => {
                self.assign(context, *update, *flags, left, right)
            }
            Expression::Compound(binary, flags, left, right) => {
                self.compound(context, *binary, *flags, left, right)
            }
            Expression::As(..) => {
                Err("must use variable with a pipe, e.g. `exp as $x | ...`".to_owned())
            }
            Expression::Call(name, argument) => {
                functions::call(self, context, name, argument.as_deref())
            }
            Expression::Plain(name, text) => functions::plain(self, context, name, text),
        }
    }

    /// The first result of an expression.
    ///
    /// None where it gives nothing.
    pub fn first(
        &mut self,
        context: &Context,
        expression: &Expression,
    ) -> Result<Option<Id>, String> {
        Ok(self.run(context, expression)?.first().copied())
    }

    /// Whether the nodes are those of `eval-all`; true for no nodes.
    fn together(&self, context: &Context) -> bool {
        context.nodes.iter().all(|&node| self.tree[node].together)
    }

    /// The contexts in which binary operators see nodes: one by one, or all at once.
    fn each(&self, context: &Context) -> Vec<Context> {
        if self.together(context) {
            vec![context.clone()]
        } else {
            context
                .nodes
                .iter()
                .map(|&node| context.one(node))
                .collect()
        }
    }

    /// An operator between two expressions.
    ///
    /// `a, b` gives the results of both once where the right one is an assignment that gives the same nodes again.
    fn binary(
        &mut self,
        context: &Context,
        binary: Binary,
        flags: Flags,
        left: &Expression,
        right: &Expression,
    ) -> Found {
        match binary {
            Binary::Pipe => self.pipe(context, left, right),
            Binary::Union => {
                let mut found = self.run(context, left)?;
                let more = self.run(context, right)?;
                if more != found || !is_assignment(right) {
                    found.extend(more);
                }
                Ok(found)
            }
            Binary::Block => Ok(Vec::new()),
            Binary::Member => self.object(
                context,
                Some(&Expression::Binary(
                    binary,
                    flags,
                    Box::new(left.clone()),
                    Box::new(right.clone()),
                )),
            ),
            Binary::Reduce => self.reduce(context, left, right),
            Binary::And | Binary::Or => self.logic(context, binary, left, right),
            Binary::Alternative => self.alternative(context, left, right),
            _ => {
                let mut found = Vec::new();
                for context in self.each(context) {
                    let context = context.readonly();
                    let lefts = self.run(&context, left)?;
                    let rights = self.run(&context, right)?;
                    arithmetic::combine(
                        self,
                        binary,
                        flags,
                        (&lefts, &rights),
                        &context,
                        &mut found,
                    )?;
                }
                Ok(found)
            }
        }
    }

    /// `LEFT | RIGHT`, and with a variable on the left `SOURCE as $x | BODY`: the body runs once for each value, or
    /// once without the variable where there is none.
    fn pipe(&mut self, context: &Context, left: &Expression, right: &Expression) -> Found {
        let Expression::As(source, name, reference) = left else {
            let nodes = self.run(context, left)?;
            return self.run(&context.with(nodes), right);
        };
        let mut found = Vec::new();
        for context in self.each(context) {
            let values = self.run(&context.readonly(), source)?;
            if values.is_empty() {
                found.extend(self.run(&context, right)?);
            }
            for value in values {
                let value = if *reference {
                    value
                } else {
                    self.tree.copy(value)
                };
                let inner = context.bind(name, vec![value]);
                found.extend(self.run(&inner, right)?);
            }
        }
        Ok(found)
    }

    /// `SOURCE as $x ireduce (START; BODY)`.
    fn reduce(&mut self, context: &Context, left: &Expression, right: &Expression) -> Found {
        let (Expression::As(source, name, _), Expression::Binary(Binary::Block, _, start, body)) =
            (left, right)
        else {
            return Err("reduce must be given a variables assignment and a block".to_owned());
        };
        let items = self.run(context, source)?;
        let mut result = self.run(context, start)?;
        result.truncate(1);
        for item in items {
            let inner = context.with(result).bind(name, vec![item]);
            result = self.run(&inner, body)?;
        }
        Ok(result)
    }

    /// `and` and `or`. The right side is run only where the left one does not decide; a side without values counts as
    /// `null`.
    fn logic(
        &mut self,
        context: &Context,
        binary: Binary,
        left: &Expression,
        right: &Expression,
    ) -> Found {
        let mut found = Vec::new();
        for context in self.each(context) {
            let context = context.readonly();
            let mut lefts = self.run(&context, left)?;
            if lefts.is_empty() {
                lefts.push(self.tree.null());
            }
            for value in lefts {
                let truth = self.tree.is_true(value);
                if truth == (binary == Binary::Or) {
                    found.push(functions::truth(self, value, truth));
                    continue;
                }
                let mut rights = self.run(&context, right)?;
                if rights.is_empty() {
                    rights.push(self.tree.null());
                }
                for other in rights {
                    let truth = self.tree.is_true(other);
                    found.push(functions::truth(self, value, truth));
                }
            }
        }
        Ok(found)
    }

    /// `//`: values of the left side that are true, and the right side's values in the place of each other one.
    fn alternative(&mut self, context: &Context, left: &Expression, right: &Expression) -> Found {
        let mut found = Vec::new();
        for context in self.each(context) {
            let context = context.readonly();
            let lefts = self.run(&context, left)?;
            if lefts.is_empty() {
                found.extend(self.run(&context, right)?);
            }
            for value in lefts {
                if self.tree.is_true(value) {
                    found.push(value);
                } else {
                    let rights = self.run(&context, right)?;
                    if rights.is_empty() {
                        found.push(value);
                    }
                    found.extend(rights);
                }
            }
        }
        Ok(found)
    }
}
