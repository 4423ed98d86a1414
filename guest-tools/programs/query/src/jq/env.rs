//! The names in scope at run time: a linked list that grows at its head and is shared by closures.
//!
//! Names are gone by then. The parser has replaced each by its distance from the head, so pushing is O(1), copying is
//! one counter, and a look-up is as many steps as the distance, which is small.

use std::rc::Rc;

use super::code::{Expr, Function, Node};
use super::value::Value;

/// What a name in scope is bound to.
pub enum Entry<'a> {
    /// The value of a variable.
    Value(Value),
    /// An argument: code, and the scope of the caller to run it in.
    Closure(&'a Node, Env<'a>),
    /// A local function. Its scope is this entry and those behind it, so it can call itself.
    Function(&'a Function),
    /// A label with the number of its activation.
    Label(u64),
}

/// One binding, and those around it.
pub struct Link<'a> {
    entry: Entry<'a>,
    rest: Env<'a>,
}

/// The names in scope; none is the scope of global functions.
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

    /// The scope that many entries up; 0 is the whole. None beyond the end.
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
