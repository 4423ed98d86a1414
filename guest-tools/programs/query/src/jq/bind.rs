//! Variables: destructuring with `as`, and `reduce` and `foreach`.
//!
//! A pattern is matched against a value by pushing one entry for each of its variables, in the order in which the
//! parser counted them. Keys of object patterns are expressions and may give several values; each combination goes on
//! separately.

use super::code::{Alternative, Expr, Node, Operator, Pattern};
use super::env::{Entry, Env};
use super::operators;
use super::paths;
use super::run::{Flow, Item, Machine, Out, Path, Stop};
use super::value::Value;

impl<'a> Machine<'a> {
    /// `SOURCE as P1 ?// P2 … | BODY`: for each value of SOURCE the first alternative without an error.
    ///
    /// An error in the pattern or in the body makes the next alternative run, even after values were given; an error
    /// of the taker does not. The error of the last alternative is the result.
    pub(super) fn bind(
        &self,
        source: &'a Node,
        alternatives: &'a [Alternative],
        body: &'a Node,
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        self.values(source, env, &item.value, &mut |value| {
            if let [only] = alternatives {
                return self.destructure(&only.pattern, &value, env, &mut |inner| {
                    self.eval(body, &inner, item.clone(), out)
                });
            }
            for (index, alternative) in alternatives.iter().enumerate() {
                let mut beyond = None;
                let flow = self.destructure(&alternative.pattern, &value, env, &mut |inner| {
                    let inner = arrange(alternative, &inner, env);
                    self.eval(body, &inner, item.clone(), &mut |item| {
                        out(item).map_err(|stop| {
                            beyond = Some(stop);
                            Stop::Enough
                        })
                    })
                });
                match (beyond, flow) {
                    (Some(stop), _) => return Err(stop),
                    (None, Err(Stop::Error(_))) if index + 1 < alternatives.len() => {}
                    (None, flow) => return flow,
                }
            }
            Ok(())
        })
    }

    /// Matches `pattern` and calls `then` with the environment that has its variables.
    fn destructure(
        &self,
        pattern: &'a Pattern,
        value: &Value,
        env: &Env<'a>,
        then: &mut dyn FnMut(Env<'a>) -> Flow,
    ) -> Flow {
        match pattern {
            Pattern::Variable => then(env.push(Entry::Value(value.clone()))),
            Pattern::Array(items) => self.destructure_items(items, 0, value, env, then),
            Pattern::Object(members) => self.destructure_members(members, value, env, then),
        }
    }

    /// The patterns of an array from `index` on. Items that are not there are `null`: `[1] as [$a,$b]` binds `$b` to
    /// `null`.
    fn destructure_items(
        &self,
        items: &'a [Pattern],
        index: usize,
        value: &Value,
        env: &Env<'a>,
        then: &mut dyn FnMut(Env<'a>) -> Flow,
    ) -> Flow {
        let Some(pattern) = items.get(index) else {
            return then(env.clone());
        };
        let item = paths::index(value, &index.into())?;
        self.destructure(pattern, &item, env, &mut |env| {
            self.destructure_items(items, index + 1, value, &env, then)
        })
    }

    /// The patterns of an object's members. A name that is no string is an error.
    fn destructure_members(
        &self,
        members: &'a [(bool, Node, Option<Pattern>)],
        value: &Value,
        env: &Env<'a>,
        then: &mut dyn FnMut(Env<'a>) -> Flow,
    ) -> Flow {
        let Some(((variable, key, pattern), rest)) = members.split_first() else {
            return then(env.clone());
        };
        self.values(key, env, value, &mut |key| {
            if key.text().is_none() {
                return Err(format!("Cannot index {} with {}", value.kind(), key.kind()).into());
            }
            let member = paths::index(value, &key)?;
            let env = if *variable {
                env.push(Entry::Value(member.clone()))
            } else {
                env.clone()
            };
            match pattern {
                Some(pattern) => self.destructure(pattern, &member, &env, &mut |env| {
                    self.destructure_members(rest, value, &env, then)
                }),
                None => self.destructure_members(rest, value, &env, then),
            }
        })
    }

    /// `reduce`: the last state. An update that gives nothing leaves `null`, one that gives several values the last of
    /// them.
    ///
    /// The old state is moved into the update and not copied, so that it may be changed in place.
    pub(super) fn reduce(
        &self,
        source: &'a Node,
        pattern: &'a Pattern,
        update: &'a Node,
        env: &Env<'a>,
        input: &Value,
        start: Item,
    ) -> Flow<Item> {
        let mut state = start;
        self.values(source, env, input, &mut |value| {
            self.destructure(pattern, &value, env, &mut |env| {
                let current = std::mem::replace(&mut state, Item::plain(Value::Null));
                if let Path::Off = current.path
                    && update.single
                {
                    state.value = self.take_one(update, &env, current.value)?;
                    return Ok(());
                }
                self.eval(update, &env, current, &mut |item| {
                    state = item;
                    Ok(())
                })
            })
        })?;
        Ok(state)
    }

    /// Like `one`, but an addition may extend the value, which nobody else holds, in place.
    ///
    /// `reduce … (.; . + [$x])` is linear because of it.
    fn take_one(&self, node: &'a Node, env: &Env<'a>, input: Value) -> Flow<Value> {
        if let Expr::Binary(Operator::Add, left, right) = &node.expr
            && let Expr::Identity = left.expr
        {
            let right = self.one(right, env, &input)?;
            return Ok(operators::binary(Operator::Add, input, right)?);
        }
        self.one(node, env, &input)
    }

    /// `foreach`: every state, or what `extract` makes of it.
    #[allow(clippy::too_many_arguments, reason = "the parts of one expression")]
    pub(super) fn foreach(
        &self,
        source: &'a Node,
        pattern: &'a Pattern,
        (update, extract): (&'a Node, Option<&'a Node>),
        env: &Env<'a>,
        input: &Value,
        start: Item,
        out: Out,
    ) -> Flow {
        let mut state = start;
        self.values(source, env, input, &mut |value| {
            self.destructure(pattern, &value, env, &mut |env| {
                let current = std::mem::replace(&mut state, Item::plain(Value::Null));
                self.eval(update, &env, current, &mut |item| {
                    state = item.clone();
                    match extract {
                        Some(extract) => self.eval(extract, &env, item, out),
                        None => out(item),
                    }
                })
            })
        })
    }
}

/// The variables of all alternatives, those of this one set.
///
/// Variables that this alternative does not have are `null`.
fn arrange<'a>(alternative: &Alternative, bound: &Env<'a>, outer: &Env<'a>) -> Env<'a> {
    let mut values = vec![Value::Null; alternative.total];
    let count = alternative.slots.len();
    for (index, &slot) in alternative.slots.iter().enumerate() {
        if let Some(Entry::Value(value)) = bound.entry(count - 1 - index) {
            values[slot] = value.clone();
        }
    }
    let mut env = outer.clone();
    for value in values {
        env = env.push(Entry::Value(value));
    }
    env
}
