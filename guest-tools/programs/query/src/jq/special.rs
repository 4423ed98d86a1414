//! The functions that run their arguments themselves: generators, searches, orderings, input and output.
//!
//! Each decides how often an argument runs and when it stops, which a function of values (`natives`) cannot. Several
//! are definitions in the language in `jq` itself; here they are native because they are frequent or would recurse
//! deeply. `Machine::unfold` is behind `recurse(f)`, `recurse(f; cond)` and `while`.

use std::cmp::Ordering;
use std::io::Write as _;

use super::code::{Node, Special};
use super::env::Env;
use super::json::compact;
use super::natives;
use super::operators::compare;
use super::paths;
use super::run::{Flow, Item, Machine, Out, Path, Stop};
use super::value::Value;

impl<'a> Machine<'a> {
    /// Runs a special form. Generators that pass on parts of their input (`select`, `getpath`, `recurse`, `first`)
    /// keep paths, so they may stand on the left of `|=`; those that compute lose them.
    pub(super) fn special(
        &self,
        special: Special,
        arguments: &'a [Node],
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        match (special, arguments) {
            (Special::Empty, _) => Ok(()),
            (Special::Error, []) => Err(Stop::Error(item.value)),
            (Special::Error, [message, ..]) => {
                self.values(message, env, &item.value, &mut |message| {
                    Err(Stop::Error(message))
                })
            }
            (Special::Path, [body, ..]) => self.each_path(body, env, &item.value, &mut |path| {
                out(item.result(path.into()))
            }),
            (Special::GetPath, [path, ..]) => self.values(path, env, &item.value, &mut |path| {
                get_path(&item, &path, out)
            }),
            (Special::Select, [condition, ..]) => {
                self.values(condition, env, &item.value, &mut |truth| {
                    if truth.is_true() {
                        out(item.clone())
                    } else {
                        Ok(())
                    }
                })
            }
            (Special::Recurse, _) => recurse(&item, out),
            (Special::Repeat, [body, ..]) => loop {
                self.eval(body, env, item.clone(), out)?;
            },
            (Special::RecurseWith, [step, ..]) => {
                self.unfold(item, out, &|item, out| out(item), &|item, out| {
                    self.eval(step, env, item, out)
                })
            }
            (Special::RecurseWhile, [step, condition]) => {
                self.recurse_while(step, condition, env, item, out)
            }
            (Special::Range, _) => self.range(arguments, env, &item, out),
            (Special::Limit, [count, body]) => self.limit(count, body, env, item, out),
            (Special::Skip, [count, body]) => self.skip(count, body, env, item, out),
            (Special::First, [body, ..]) => self.first(body, env, item, out),
            (Special::While, [condition, step]) => self.while_true(condition, step, env, item, out),
            (Special::Until, [condition, step]) => self.until(condition, step, env, item, out),
            (Special::Any, [body, condition]) => {
                self.search(body, condition, true, env, &item, out)
            }
            (Special::All, [body, condition]) => {
                self.search(body, condition, false, env, &item, out)
            }
            (Special::IsEmpty, [body, ..]) => {
                let mut empty = true;
                let flow = self.values(body, env, &item.value, &mut |_| {
                    empty = false;
                    Err(Stop::Enough)
                });
                match flow {
                    Ok(()) | Err(Stop::Enough) => out(item.result(empty.into())),
                    flow => flow,
                }
            }
            (
                Special::SortBy
                | Special::GroupBy
                | Special::UniqueBy
                | Special::MinBy
                | Special::MaxBy,
                [key, ..],
            ) => {
                let value = self.order_by(special, key, env, &item.value)?;
                out(item.result(value))
            }
            (Special::DebugMessage, [message, ..]) => {
                self.values(message, env, &item.value, &mut |message| {
                    debug(&message);
                    Ok(())
                })?;
                out(item)
            }
            _ => self.outside(special, arguments, env, item, out),
        }
    }

    /// What has to do with the world outside the program.
    ///
    /// `debug` writes `["DEBUG:",VALUE]` to standard error, `stderr` the value without a newline. `input` at the end
    /// of the input is the error `break`, which `jq` has as a plain string, too.
    fn outside(
        &self,
        special: Special,
        arguments: &'a [Node],
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        match (special, arguments) {
            (Special::Debug, _) => {
                debug(&item.value);
                out(item)
            }
            (Special::Stderr, _) => {
                // Where standard error is gone nobody reads the message.
                let _ = crate::stream::stderr().write_all(compact(&item.value).as_bytes());
                out(item)
            }
            (Special::Input, _) => match self.next_input()? {
                Some(value) => out(item.result(value)),
                None => Err("break".into()),
            },
            (Special::Inputs, _) => {
                while let Some(value) = self.next_input()? {
                    out(item.result(value))?;
                }
                Ok(())
            }
            (Special::InputLine, _) => {
                let line = self.inputs.borrow().line();
                out(item.result(line.into()))
            }
            (Special::InputFile, _) => {
                let file = self.inputs.borrow().file();
                out(item.result(file))
            }
            (Special::Halt, _) => Err(Stop::Halt(0)),
            (Special::HaltError, []) => Err(halt_error(&item.value, 5)),
            (Special::HaltError, [status, ..]) => {
                self.values(status, env, &item.value, &mut |status| {
                    let Some(status) = status.number() else {
                        return Err("halt_error/1: number required".into());
                    };
                    Err(halt_error(&item.value, status as i32))
                })
            }
            (Special::Builtins, _) => {
                let names: Vec<Value> = self
                    .program
                    .names
                    .iter()
                    .map(|name| name.as_str().into())
                    .collect();
                out(item.result(names.into()))
            }
            (Special::ModuleMeta, _) => {
                let Some(name) = item.value.text() else {
                    return Err("modulemeta input module name must be a string".into());
                };
                let value = self.modules.meta(name)?;
                out(item.result(value))
            }
            _ => Err("wrong number of arguments".into()),
        }
    }

    /// The next value of the input; none at the end.
    fn next_input(&self) -> Flow<Option<Value>> {
        match self.inputs.borrow_mut().next() {
            Some(Ok(value)) => Ok(Some(value)),
            Some(Err(message)) => Err(message.into()),
            None => Ok(None),
        }
    }

    /// Gives a value and all that follow from it. The last value of a step is followed in a loop, so
    /// that a chain of any length needs no stack.
    ///
    /// `visit` gives the value itself, `step` what follows from it. The order is that of the recursive definition
    /// `def r: ., (f | r); r`. A step that fails first lets the values before it be followed.
    fn unfold(
        &self,
        mut item: Item,
        out: Out,
        visit: &dyn Fn(Item, Out) -> Flow,
        step: &dyn Fn(Item, Out) -> Flow,
    ) -> Flow {
        loop {
            visit(item.clone(), out)?;
            let mut last: Option<Item> = None;
            let flow = step(item, &mut |next| match last.replace(next) {
                Some(earlier) => self.unfold(earlier, out, visit, step),
                None => Ok(()),
            });
            match (flow, last) {
                (Ok(()), Some(next)) => item = next,
                (Err(stop), Some(next)) => {
                    self.unfold(next, out, visit, step)?;
                    return Err(stop);
                }
                (flow, None) => return flow,
            }
        }
    }

    /// `recurse(f; condition)`: as `recurse(f)`, but only values that meet the condition are given and followed.
    fn recurse_while(
        &self,
        step: &'a Node,
        condition: &'a Node,
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        self.unfold(item, out, &|item, out| out(item), &|item, out| {
            self.eval(step, env, item, &mut |next| {
                self.values(condition, env, &next.value, &mut |truth| {
                    if truth.is_true() {
                        out(next.clone())
                    } else {
                        Ok(())
                    }
                })
            })
        })
    }

    /// `while(condition; step)`: the input and what follows from it, as long as the condition holds.
    fn while_true(
        &self,
        condition: &'a Node,
        step: &'a Node,
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        let holds = |item: Item, out: Out| {
            self.values(condition, env, &item.value, &mut |truth| {
                if truth.is_true() {
                    out(item.clone())
                } else {
                    Ok(())
                }
            })
        };
        holds(item, &mut |item| {
            self.unfold(item, out, &|item, out| out(item), &|item, out| {
                self.eval(step, env, item, &mut |next| holds(next, out))
            })
        })
    }

    /// `until(condition; step)`. Where both give one value and no path is asked for it is a plain loop without stack.
    fn until(
        &self,
        condition: &'a Node,
        step: &'a Node,
        env: &Env<'a>,
        mut item: Item,
        out: Out,
    ) -> Flow {
        while condition.single && step.single && matches!(item.path, Path::Off) {
            if self.one(condition, env, &item.value)?.is_true() {
                return out(item);
            }
            item.value = self.one(step, env, &item.value)?;
        }
        self.values(condition, env, &item.value, &mut |truth| {
            if truth.is_true() {
                return out(item.clone());
            }
            self.eval(step, env, item.clone(), &mut |next| {
                self.until(condition, step, env, next, out)
            })
        })
    }

    /// `range(to)`, `range(from; to)`, `range(from; to; by)`, with every combination of the arguments' values.
    ///
    /// A step of 0 repeats `from` for ever where it is less than `to`, as in `jq`. The bounds are doubles: `range(0;
    /// 1; 0.3)` gives `0, 0.3, 0.6, 0.8999999999999999`.
    fn range(&self, arguments: &'a [Node], env: &Env<'a>, item: &Item, out: Out) -> Flow {
        let mut run = |from: &Value, to: &Value, by: &Value| {
            let (Some(from), Some(to), Some(by)) = (from.number(), to.number(), by.number()) else {
                return Err(Stop::from("Range bounds must be numeric"));
            };
            let mut at = from;
            while (by > 0.0 && at < to) || (by < 0.0 && at > to) {
                out(item.result(at.into()))?;
                at += by;
            }
            if by == 0.0 && from < to {
                loop {
                    out(item.result(from.into()))?;
                }
            }
            Ok(())
        };
        let input = &item.value;
        let (zero, one) = (Value::Number(0.0), Value::Number(1.0));
        match arguments {
            [to] => self.values(to, env, input, &mut |to| run(&zero, &to, &one)),
            [from, to] => self.values(from, env, input, &mut |from| {
                self.values(to, env, input, &mut |to| run(&from, &to, &one))
            }),
            [from, to, by] => self.values(from, env, input, &mut |from| {
                self.values(to, env, input, &mut |to| {
                    self.values(by, env, input, &mut |by| run(&from, &to, &by))
                })
            }),
            _ => Ok(()),
        }
    }

    /// `limit(n; f)`: the first `n` values. The generator is not run again after the last of them, and not at all for
    /// 0.
    ///
    /// # Errors
    /// `limit doesn't support negative count`.
    fn limit(&self, count: &'a Node, body: &'a Node, env: &Env<'a>, item: Item, out: Out) -> Flow {
        self.values(count, env, &item.value, &mut |count| {
            let Some(mut left) = count.number() else {
                return Err("limit count must be a number".into());
            };
            if left < 0.0 {
                return Err("limit doesn't support negative count".into());
            }
            if left == 0.0 {
                return Ok(());
            }
            let mut done = false;
            let flow = self.eval(body, env, item.clone(), &mut |item| {
                left -= 1.0;
                out(item)?;
                if left > 0.0 {
                    return Ok(());
                }
                done = true;
                Err(Stop::Enough)
            });
            match flow {
                Err(Stop::Enough) if done => Ok(()),
                flow => flow,
            }
        })
    }

    /// `skip(n; f)`: all but the first `n` values.
    ///
    /// # Errors
    /// `skip doesn't support negative count`.
    fn skip(&self, count: &'a Node, body: &'a Node, env: &Env<'a>, item: Item, out: Out) -> Flow {
        self.values(count, env, &item.value, &mut |count| {
            let Some(mut left) = count.number() else {
                return Err("skip count must be a number".into());
            };
            if left < 0.0 {
                return Err("skip doesn't support negative count".into());
            }
            self.eval(body, env, item.clone(), &mut |item| {
                if left > 0.0 {
                    left -= 1.0;
                    return Ok(());
                }
                out(item)
            })
        })
    }

    /// `first(f)`: the first value, or nothing where there is none.
    fn first(&self, body: &'a Node, env: &Env<'a>, item: Item, out: Out) -> Flow {
        let mut found = None;
        match self.eval(body, env, item, &mut |item| {
            found = Some(item);
            Err(Stop::Enough)
        }) {
            Ok(()) => Ok(()),
            Err(Stop::Enough) => found.map_or(Ok(()), out),
            flow => flow,
        }
    }

    /// Whether a condition holds for some value, or fails for some.
    ///
    /// `any` is a search for a true condition, `all` one for a false condition; both end at the first that is found.
    /// The result is the same without one: `[] | any` is false, `[] | all` is true.
    fn search(
        &self,
        body: &'a Node,
        condition: &'a Node,
        wanted: bool,
        env: &Env<'a>,
        item: &Item,
        out: Out,
    ) -> Flow {
        let mut found = false;
        let flow = self.values(body, env, &item.value, &mut |value| {
            self.values(condition, env, &value, &mut |truth| {
                if truth.is_true() != wanted {
                    return Ok(());
                }
                found = true;
                Err(Stop::Enough)
            })
        });
        match flow {
            Ok(()) | Err(Stop::Enough) => out(item.result((found == wanted).into())),
            flow => flow,
        }
    }

    /// `sort_by`, `group_by`, `unique_by`, `min_by` and `max_by`. The key of an item is the array of all values of the
    /// key expression, so `sort_by(.a, .b)` orders by `.a` first. Sorting is stable, O(n log n) comparisons of keys.
    fn order_by(
        &self,
        special: Special,
        key: &'a Node,
        env: &Env<'a>,
        input: &Value,
    ) -> Flow<Value> {
        let Some(items) = input.items() else {
            return Err(natives::not_an_array(input, special == Special::GroupBy).into());
        };
        let mut keyed = Vec::with_capacity(items.len());
        for item in items {
            let mut keys = Vec::new();
            self.values(key, env, item, &mut |key| {
                keys.push(key);
                Ok(())
            })?;
            keyed.push((Value::from(keys), item.clone()));
        }
        let mut failed = None;
        let mut order = |a: &Value, b: &Value| {
            compare(a, b).unwrap_or_else(|message| {
                failed = Some(message);
                Ordering::Equal
            })
        };
        let value = match special {
            Special::MinBy | Special::MaxBy => {
                let mut best: Option<(Value, Value)> = None;
                for (key, item) in keyed {
                    let better = best.as_ref().is_none_or(|(found, _)| {
                        let order = order(&key, found);
                        if special == Special::MinBy {
                            order.is_lt()
                        } else {
                            order.is_ge()
                        }
                    });
                    if better {
                        best = Some((key, item));
                    }
                }
                best.map_or(Value::Null, |(_, item)| item)
            }
            _ => {
                keyed.sort_by(|a, b| order(&a.0, &b.0));
                arrange(special, keyed, &mut order)
            }
        };
        failed.map_or(Ok(value), |message| Err(message.into()))
    }
}

/// Sorted items as they are, in groups, or one of each group.
///
/// Groups are runs of equal keys in the sorted list; `unique_by` keeps the first item of each.
fn arrange(
    special: Special,
    keyed: Vec<(Value, Value)>,
    order: &mut dyn FnMut(&Value, &Value) -> Ordering,
) -> Value {
    if special == Special::SortBy {
        return keyed
            .into_iter()
            .map(|(_, item)| item)
            .collect::<Vec<_>>()
            .into();
    }
    let mut groups: Vec<(Value, Vec<Value>)> = Vec::new();
    for (key, item) in keyed {
        match groups.last_mut() {
            Some((last, group)) if order(last, &key).is_eq() => group.push(item),
            _ => groups.push((key, vec![item])),
        }
    }
    let group = |(_, mut group): (Value, Vec<Value>)| {
        if special == Special::GroupBy {
            group.into()
        } else {
            group.swap_remove(0)
        }
    };
    groups.into_iter().map(group).collect::<Vec<_>>().into()
}

/// `getpath(PATH)`: the value there, `null` below a `null`, and its path for path expressions.
fn get_path(item: &Item, path: &Value, out: Out) -> Flow {
    let Value::Array(keys) = path else {
        return Err("Path must be specified as an array".into());
    };
    paths::check(item, Some(path))?;
    let value = paths::get(&item.value, keys)?;
    let mut found = item.clone();
    for key in keys.iter() {
        found = found.child(key, Value::Null);
    }
    found.value = value;
    out(found)
}

/// `recurse` and `..`: the value, then all below it, depth first. The recursion is as deep as the value.
fn recurse(item: &Item, out: Out) -> Flow {
    out(item.clone())?;
    match &item.value {
        Value::Array(_) | Value::Object(_) => {
            paths::iterate(item, &mut |child| recurse(&child, out))
        }
        _ => Ok(()),
    }
}

/// Writes a message of `debug` to standard error.
fn debug(value: &Value) {
    // Where standard error is gone nobody reads the message.
    let _ = writeln!(crate::stream::stderr(), "[\"DEBUG:\",{}]", compact(value));
}

/// Says why the program halts: strings as they are.
///
/// A string is written without quotes and without a newline, anything else as JSON with one.
fn halt_error(value: &Value, status: i32) -> Stop {
    let text = value
        .text()
        .map_or_else(|| compact(value) + "\n", str::to_owned);
    // Where standard error is gone nobody reads the message.
    let _ = crate::stream::stderr().write_all(text.as_bytes());
    Stop::Halt(status)
}
