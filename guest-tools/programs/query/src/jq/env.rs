//! The names in scope: a list that closures share.

use std::rc::Rc;

use super::code::{Expr, Function, Node};
use super::value::Value;

/// What a name in scope is bound to.
pub enum Entry<'a> {
    Value(Value),
    Closure(&'a Node, Env<'a>),
    Function(&'a Function),
    Label(u64),
}

/// One binding, and those around it.
pub struct Link<'a> {
    entry: Entry<'a>,
    rest: Env<'a>,
}

/// The names in scope.
#[derive(Clone, Default)]
pub struct Env<'a>(Option<Rc<Link<'a>>>);

impl<'a> Env<'a> {
    /// The scope with one more name.
    pub fn push(&self, entry: Entry<'a>) -> Env<'a> {
        Env(Some(Rc::new(Link {
            entry,
            rest: self.clone(),
        })))
    }

    /// The scope that many entries up.
    pub fn at(&self, distance: usize) -> Option<&Env<'a>> {
        let mut env = self;
        for _ in 0..distance {
            env = &env.0.as_ref()?.rest;
        }
        Some(env)
    }

    /// What the name that many entries up is bound to.
    pub fn entry(&self, distance: usize) -> Option<&Entry<'a>> {
        Some(&self.at(distance)?.0.as_ref()?.entry)
    }
}

/// The scope of a function's body: each parameter stands for what the caller gave.
pub fn bind_closures<'a>(home: &Env<'a>, arguments: &'a [Node], env: &Env<'a>) -> Env<'a> {
    let mut inner = home.clone();
    for argument in arguments {
        // A call of a closure alone stands for the closure: recursion passes it on without end.
        let entry = match &argument.expr {
            Expr::Call(distance, none) if none.is_empty() => match env.entry(*distance) {
                Some(Entry::Closure(body, home)) => Entry::Closure(body, home.clone()),
                _ => Entry::Closure(argument, env.clone()),
            },
            _ => Entry::Closure(argument, env.clone()),
        };
        inner = inner.push(entry);
    }
    inner
}
