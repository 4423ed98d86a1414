//! Building objects and strings, and assignments.
//!
//! Where a part gives several values, every combination is built. Strings and objects take their parts from the last
//! to the first, so the first varies fastest: `"\(1,2)-\(3,4)"` is `1-3`, `2-3`, `1-4`, `2-4`.

use std::rc::Rc;

use super::code::{Assign, Node};
use super::env::Env;
use super::formats;
use super::json::shortened;
use super::operators;
use super::paths;
use super::run::{Flow, Item, Machine, Out, Path, Stop};
use super::value::{Members, Value};

impl<'a> Machine<'a> {
    /// A string of pieces. `format` is applied to each interpolated value; none is plain text.
    pub(super) fn string(
        &self,
        format: Option<&str>,
        parts: &'a [(Option<Value>, Option<Node>)],
        env: &Env<'a>,
        input: &Value,
        out: &mut dyn FnMut(Value) -> Flow,
    ) -> Flow {
        let Some(((text, code), rest)) = parts.split_last() else {
            return out("".into());
        };
        let add = |value: Value, last: &str| match value {
            Value::String(text) => format!("{text}{last}").into(),
            other => other,
        };
        match (text, code) {
            (Some(Value::String(text)), _) => {
                self.string(format, rest, env, input, &mut |value| out(add(value, text)))
            }
            (_, Some(code)) => self.values(code, env, input, &mut |value| {
                let last = formats::apply(format.unwrap_or("text"), &value)?;
                let last = last.text().unwrap_or_default();
                self.string(format, rest, env, input, &mut |value| out(add(value, last)))
            }),
            _ => Ok(()),
        }
    }

    /// An object of these members. A later member of the same name replaces an earlier one at its place.
    pub(super) fn object(
        &self,
        members: &'a [(Node, Node)],
        env: &Env<'a>,
        input: &Value,
        object: Members,
        out: &mut dyn FnMut(Value) -> Flow,
    ) -> Flow {
        // jq varies the first member fastest where values are many: the last one is the outer loop.
        if members
            .iter()
            .all(|(name, value)| name.single && value.single)
        {
            let mut object = object;
            for (name, value) in members {
                let name = self.one(name, env, input)?;
                object.insert(member_name(&name)?, self.one(value, env, input)?);
            }
            return out(object.into());
        }
        let mut chosen = Vec::with_capacity(members.len());
        self.object_many(members, env, input, &mut chosen, out)
    }

    /// Every combination, the members in `rest` still to be chosen; `chosen` has those behind them, last first.
    fn object_many(
        &self,
        members: &'a [(Node, Node)],
        env: &Env<'a>,
        input: &Value,
        chosen: &mut Vec<(Rc<str>, Value)>,
        out: &mut dyn FnMut(Value) -> Flow,
    ) -> Flow {
        let Some(((name, value), rest)) = members.split_last() else {
            let object: Members = chosen.iter().rev().cloned().collect();
            return out(object.into());
        };
        self.values(name, env, input, &mut |name| {
            let name = member_name(&name)?;
            self.values(value, env, input, &mut |value| {
                chosen.push((name.clone(), value));
                let flow = self.object_many(rest, env, input, chosen, out);
                chosen.pop();
                flow
            })
        })
    }

    /// An assignment. `|=` runs its right side on what is there; the others run it on the input, once for each of its
    /// values:
    ///
    /// ```text
    /// {"a":1} | .a |= . + 1     → {"a":2}
    /// {"a":1} | .a = (1, 2)     → {"a":1} {"a":2}
    /// [1,2,3] | .[] |= empty    → []
    /// ```
    pub(super) fn assign(
        &self,
        how: Assign,
        target: &'a Node,
        source: &'a Node,
        env: &Env<'a>,
        item: &Item,
        out: Out,
    ) -> Flow {
        if how == Assign::Update {
            let first = |old: Value| {
                let mut found = None;
                let flow = self.eval(source, env, Item::plain(old), &mut |item| {
                    found = Some(item.value);
                    Err(Stop::Enough)
                });
                match flow {
                    Ok(()) | Err(Stop::Enough) => Ok(found),
                    Err(stop) => Err(stop),
                }
            };
            let value = self.update(target, env, &item.value, &first)?;
            return out(item.result(value));
        }
        self.values(source, env, &item.value, &mut |new| {
            let value = self.update(target, env, &item.value, &|old| {
                Ok(Some(match how {
                    Assign::Compute(operator) => operators::binary(operator, old, new.clone())?,
                    Assign::Default if old.is_true() => old,
                    _ => new.clone(),
                }))
            })?;
            out(item.result(value))
        })
    }

    /// Changes what is at each path of `target`; what changes to nothing is deleted at the end.
    ///
    /// Paths are those of the input as it was; the value at each is read from the result so far.
    fn update(
        &self,
        target: &'a Node,
        env: &Env<'a>,
        input: &Value,
        change: &dyn Fn(Value) -> Flow<Option<Value>>,
    ) -> Flow<Value> {
        let mut result = input.clone();
        let mut deleted = Vec::new();
        self.each_path(target, env, input, &mut |path| {
            let old = paths::get(&result, &path)?;
            match change(old)? {
                Some(new) => {
                    let whole = std::mem::replace(&mut result, Value::Null);
                    result = paths::set(whole, &path, new)?;
                }
                None => deleted.push(Value::from(path)),
            }
            Ok(())
        })?;
        if deleted.is_empty() {
            return Ok(result);
        }
        Ok(paths::delete(result, &deleted)?)
    }

    /// The paths that `node` gives.
    ///
    /// # Errors
    /// `Invalid path expression …` for a value that was computed.
    pub fn each_path(
        &self,
        node: &'a Node,
        env: &Env<'a>,
        input: &Value,
        out: &mut dyn FnMut(Vec<Value>) -> Flow,
    ) -> Flow {
        let start = Item {
            value: input.clone(),
            path: Path::At(None),
        };
        self.eval(node, env, start, &mut |item| out(paths::keys(&item)?))
    }
}

/// The name of a member, which must be a string.
fn member_name(name: &Value) -> Flow<Rc<str>> {
    match name {
        Value::String(name) => Ok(name.clone()),
        other => Err(format!(
            "Object keys must be strings, not {} ({})",
            other.kind(),
            shortened(other)
        )
        .into()),
    }
}
