//! The interpreter of resolved programs.
//!
//! A `jq` expression gives any number of values, one after the other. `Machine::eval` hands each to a callback (`Out`)
//! instead of collecting them: a generator holds no list, a consumer ends it by answering `Stop::Enough`, and
//! backtracking is ordinary nesting of calls. `1, 2 | . + 10` calls the callback with 11 and then with 12.
//!
//! Two shortcuts keep ordinary programs fast:
//! - A node marked `single` gives exactly one value. `Machine::one` computes it as a return value, without callbacks.
//! - `eval_tail` loops where the last thing an expression does is another expression: the right side of a pipe, a
//!   branch, the body of a function. Tail recursion, such as `def f: if . > 1e6 then . else . + 1 | f end`, needs no
//!   stack.
//!
//! All other nesting is bounded by `MAX_NESTING`, so that a deep program ends with an error that `try` can catch and
//! not with an exhausted wasm stack.
//!
//! Path expressions (`path(f)`, the left side of `|=`) are evaluated by the same code: every value is an `Item`, which
//! records how it was reached when somebody asks.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::code::{Alternative, Expr, Function, Node, Pattern, Program};
use super::env::{Entry, Env, bind_closures};
use super::formats;
use super::modules::Modules;
use super::operators;
use super::paths;
use super::value::{Members, Value};

/// Why evaluation ends early. Travels as the error of `Flow` through every callback in between.
#[derive(Debug)]
pub enum Stop {
    /// An error with its value, which `try … catch` receives: `error("x")`, or a message of a builtin.
    Error(Value),
    /// `break $label`: ends the `label` expression with this number. Numbers are unique within a machine.
    Break(u64),
    /// `halt` and `halt_error`: ends the program with this exit status. `try` does not see it.
    Halt(i32),
    /// The taker of the values wants no more, as for `first(f)` and `limit`. Each user of it makes sure that it takes
    /// its own.
    Enough,
}

impl From<Value> for Stop {
    fn from(value: Value) -> Stop {
        Stop::Error(value)
    }
}

impl From<String> for Stop {
    fn from(message: String) -> Stop {
        Stop::Error(message.into())
    }
}

impl From<&str> for Stop {
    fn from(message: &str) -> Stop {
        Stop::Error(message.into())
    }
}

/// The result of evaluation: done, or why it ended early.
pub type Flow<T = ()> = Result<T, Stop>;

/// One step of a path. Paths are lists from the last step to the first, so that siblings share their common beginning.
#[derive(Debug)]
pub struct Step {
    /// A name, an index, or an object with `start` and `end` for a slice.
    pub key: Value,
    /// The step before; none for the first.
    pub parent: Option<Rc<Step>>,
}

/// Where a value was found in the input of a path expression.
#[derive(Clone, Debug)]
pub enum Path {
    /// Nobody asks.
    Off,
    /// Reached by these steps from the input; none is the input itself.
    At(Option<Rc<Step>>),
    /// Computed, so it has no path. Using it as one fails with `Invalid path expression with result …`.
    Lost,
}

/// A value and its path.
#[derive(Clone, Debug)]
pub struct Item {
    /// The value.
    pub value: Value,
    /// Its path, as far as anybody asks for it.
    pub path: Path,
}

impl Item {
    /// A value nobody asks the path of.
    pub fn plain(value: Value) -> Item {
        Item {
            value,
            path: Path::Off,
        }
    }

    /// The child at `key`, with its path one step longer. `value` is what the caller found there.
    pub fn child(&self, key: &Value, value: Value) -> Item {
        let path = match &self.path {
            Path::At(parent) => Path::At(Some(Rc::new(Step {
                key: key.clone(),
                parent: parent.clone(),
            }))),
            other => other.clone(),
        };
        Item { value, path }
    }

    /// What a computation gave for this input. A result that is the very same value keeps the path: the same array or
    /// object in memory, or an equal number, boolean or `null`. On the input 1, `path(1)` is therefore `[]`, as in
    /// `jq`.
    pub fn result(&self, value: Value) -> Item {
        let path = match &self.path {
            Path::Off => Path::Off,
            _ if value.is_same(&self.value) => self.path.clone(),
            _ => Path::Lost,
        };
        Item { value, path }
    }
}

/// Where `input` gets its values from.
pub trait Inputs {
    /// The next value; none at the end of the last file. An error is that of reading JSON, and the end of the input.
    fn next(&mut self) -> Option<Result<Value, String>>;
    /// The name of the file that is being read, as `input_filename` gives it; `null` for standard input or before the
    /// start.
    fn file(&self) -> Value;
    /// The number of newlines that were read of the present file, as `input_line_number` gives it.
    fn line(&self) -> usize;
}

/// Takes the values of an expression, one call each. An `Err` ends the generator and comes back as its result.
pub type Out<'o> = &'o mut dyn FnMut(Item) -> Flow;

/// A running program.
pub struct Machine<'a> {
    /// The resolved program.
    pub program: &'a Program,
    /// Where `modulemeta` finds modules.
    pub modules: &'a Modules,
    /// What `input` and `inputs` read. The driver reads its own values from the same source.
    pub inputs: RefCell<&'a mut dyn Inputs>,
    /// The last number given to a `label`.
    labels: Cell<u64>,
    /// How many calls of `eval` are on the stack.
    depth: Cell<usize>,
}

/// How deep evaluation may be nested before it is an error. A guest's stack is small, and a program such as
/// `def f: 1 + f; f` would otherwise trap the whole process.
const MAX_NESTING: usize = 2_500;

/// What is called.
enum Callee<'a> {
    /// A body in its scope.
    Body(&'a Node, Env<'a>),
    /// A function with parameters that are values, the scope that it was defined in, and what it is given.
    Function(&'a Function, Env<'a>, &'a [Node]),
}

impl<'a> Machine<'a> {
    /// A machine for `program` that reads `inputs`.
    pub fn new(
        program: &'a Program,
        modules: &'a Modules,
        inputs: &'a mut dyn Inputs,
    ) -> Machine<'a> {
        let inputs = RefCell::new(inputs);
        Machine {
            program,
            modules,
            inputs,
            labels: Cell::new(0),
            depth: Cell::new(0),
        }
    }

    /// Runs the program on `input` and hands each result to `out`. May be called again with the next input.
    pub fn run(&self, input: Value, out: &mut dyn FnMut(Value) -> Flow) -> Flow {
        let Some(main) = &self.program.main else {
            return Ok(());
        };
        self.depth.set(0);
        self.eval(main, &Env::default(), Item::plain(input), &mut |item| {
            out(item.value)
        })
    }

    /// Evaluates `node` in `env` on `item` and hands each value to `out`.
    ///
    /// # Errors
    /// Whatever ends the evaluation early, that of `out` included. Values that were handed over before stay so.
    pub fn eval(&self, node: &'a Node, env: &Env<'a>, item: Item, out: Out) -> Flow {
        let depth = self.depth.get();
        if depth > MAX_NESTING {
            return Err("the program is nested too deep".into());
        }
        self.depth.set(depth + 1);
        let flow = self.eval_tail(node, env.clone(), item, out);
        self.depth.set(depth);
        flow
    }

    /// What a call goes on with.
    #[inline]
    fn callee(&self, node: &'a Node, env: &Env<'a>) -> Result<Callee<'a>, Stop> {
        let (function, home, arguments) = match &node.expr {
            Expr::CallGlobal(index, arguments) => match self.program.globals.get(*index) {
                Some(Some(function)) => (function, Env::default(), arguments),
                _ => return Err("unbound".into()),
            },
            Expr::Call(distance, arguments) => {
                let Some(found) = env.at(*distance).cloned() else {
                    return Err("unbound".into());
                };
                match found.entry(0) {
                    Some(Entry::Closure(body, inner)) => {
                        return Ok(Callee::Body(body, inner.clone()));
                    }
                    Some(Entry::Function(function)) => (*function, found, arguments),
                    _ => return Err("unbound".into()),
                }
            }
            _ => return Err("unbound".into()),
        };
        Ok(if function.variables.is_empty() {
            Callee::Body(&function.body, bind_closures(&home, arguments, env))
        } else {
            Callee::Function(function, home, arguments)
        })
    }

    /// The loop of `eval`: the frequent expressions, and whatever is in tail position. The rest is in `eval_other`.
    ///
    /// `Expr::Call` finds a closure (an argument, run in the caller's environment) or a function (run in its own, with
    /// the arguments bound as closures). Parameters with a `$` need their values first, and so a frame of the stack
    /// (`call`).
    fn eval_tail(&self, mut node: &'a Node, mut env: Env<'a>, mut item: Item, out: Out) -> Flow {
        loop {
            if node.single && matches!(item.path, Path::Off) {
                let value = self.one(node, &env, &item.value)?;
                return out(Item::plain(value));
            }
            match &node.expr {
                Expr::Identity => return out(item),
                Expr::Pipe(left, right) => {
                    if left.single && matches!(item.path, Path::Off) {
                        item = Item::plain(self.one(left, &env, &item.value)?);
                        node = right;
                        continue;
                    }
                    return self.eval(left, &env, item, &mut |item| {
                        self.eval(right, &env, item, out)
                    });
                }
                Expr::Comma(operands) => {
                    let Some((last, others)) = operands.split_last() else {
                        return Ok(());
                    };
                    for operand in others {
                        self.eval(operand, &env, item.clone(), out)?;
                    }
                    node = last;
                }
                Expr::If(condition, then, otherwise) => {
                    if !condition.single {
                        return self.eval_if(
                            condition,
                            then,
                            otherwise.as_deref(),
                            &env,
                            item,
                            out,
                        );
                    }
                    node = match (self.one(condition, &env, &item.value)?.is_true(), otherwise) {
                        (true, _) => then,
                        (false, Some(otherwise)) => otherwise,
                        (false, None) => return out(item),
                    };
                }
                Expr::Define(function, rest) => {
                    env = env.push(Entry::Function(function));
                    node = rest;
                }
                Expr::Call(..) | Expr::CallGlobal(..) => match self.callee(node, &env)? {
                    Callee::Body(body, inner) => (node, env) = (body, inner),
                    Callee::Function(function, found, arguments) => {
                        return self.call(function, &found, arguments, &env, item, out);
                    }
                },
                Expr::Bind(source, alternatives, body) => {
                    if let (
                        [
                            Alternative {
                                pattern: Pattern::Variable,
                                ..
                            },
                        ],
                        true,
                    ) = (alternatives.as_slice(), source.single)
                    {
                        let value = self.one(source, &env, &item.value)?;
                        env = env.push(Entry::Value(value));
                        node = body;
                        continue;
                    }
                    return self.bind(source, alternatives, body, &env, item, out);
                }
                _ => return self.eval_other(node, &env, item, out),
            }
        }
    }

    /// The expressions that are never in tail position. Binary operators run the right side outermost:
    /// `[(1,2) + (10,20)]` is `[11,12,21,22]`.
    fn eval_other(&self, node: &'a Node, env: &Env<'a>, item: Item, out: Out) -> Flow {
        match &node.expr {
            Expr::Index(..) | Expr::Slice(..) | Expr::Iterate(_) => {
                self.access(node, false, env, item, out)
            }
            Expr::Optional(access) => self.access(access, true, env, item, out),
            Expr::Try(body, catch) => self.catch(body, catch.as_deref(), env, item, out),
            Expr::Negate(operand) => self.values(operand, env, &item.value, &mut |value| {
                out(item.result(operators::negate(&value)?))
            }),
            Expr::Binary(operator, left, right) => {
                self.values(right, env, &item.value, &mut |right| {
                    self.values(left, env, &item.value, &mut |left| {
                        out(item.result(operators::binary(*operator, left, right.clone())?))
                    })
                })
            }
            Expr::And(left, right) => self.values(left, env, &item.value, &mut |left| {
                if !left.is_true() {
                    return out(item.result(false.into()));
                }
                self.values(right, env, &item.value, &mut |right| {
                    out(item.result(right.is_true().into()))
                })
            }),
            Expr::Or(left, right) => self.values(left, env, &item.value, &mut |left| {
                if left.is_true() {
                    return out(item.result(true.into()));
                }
                self.values(right, env, &item.value, &mut |right| {
                    out(item.result(right.is_true().into()))
                })
            }),
            Expr::Alternative(left, right) => self.alternative(left, right, env, item, out),
            Expr::Assign(how, target, source) => self.assign(*how, target, source, env, &item, out),
            Expr::Reduce(source, pattern, start, update) => {
                self.eval(start, env, item.clone(), &mut |start| {
                    out(self.reduce(source, pattern, update, env, &item.value, start)?)
                })
            }
            Expr::Foreach(source, pattern, start, update, extract) => {
                self.eval(start, env, item.clone(), &mut |start| {
                    self.foreach(
                        source,
                        pattern,
                        (update, extract.as_deref()),
                        env,
                        &item.value,
                        start,
                        out,
                    )
                })
            }
            Expr::Label(body) => {
                let label = self.labels.get() + 1;
                self.labels.set(label);
                match self.eval(body, &env.push(Entry::Label(label)), item, out) {
                    Err(Stop::Break(to)) if to == label => Ok(()),
                    flow => flow,
                }
            }
            Expr::Break(distance) => match env.entry(*distance) {
                Some(Entry::Label(label)) => Err(Stop::Break(*label)),
                _ => Err("break".into()),
            },
            Expr::Special(special, arguments) => self.special(*special, arguments, env, item, out),
            Expr::Native(native, arguments) => self.product(
                arguments,
                env,
                &item.value,
                &mut Vec::new(),
                &mut |values| out(item.result((native.run)(&item.value, values)?)),
            ),
            Expr::String(format, parts) => {
                self.string(format.as_deref(), parts, env, &item.value, &mut |value| {
                    out(item.result(value))
                })
            }
            Expr::Object(members) => {
                self.object(members, env, &item.value, Members::new(), &mut |value| {
                    out(item.result(value))
                })
            }
            _ => {
                let value = self.one(node, env, &item.value)?;
                out(item.result(value))
            }
        }
    }

    /// The one value of a single-valued expression.
    ///
    /// Computes without callbacks where it can. `node.single` must hold; a node that gives nothing after all is an
    /// error, and of several values the last is taken.
    pub fn one(&self, node: &'a Node, env: &Env<'a>, input: &Value) -> Flow<Value> {
        match &node.expr {
            Expr::Identity => Ok(input.clone()),
            Expr::Literal(value) => Ok(value.clone()),
            Expr::Variable(distance) => match env.entry(*distance) {
                Some(Entry::Value(value)) => Ok(value.clone()),
                _ => Err("unbound".into()),
            },
            Expr::Index(target, key) if node.single => {
                let key = self.one(key, env, input)?;
                if let Expr::Identity = target.expr {
                    return Ok(paths::index(input, &key)?);
                }
                Ok(paths::index(&self.one(target, env, input)?, &key)?)
            }
            Expr::Pipe(left, right) if node.single => {
                let mut value = self.one(left, env, input)?;
                let mut rest = right;
                while let Expr::Pipe(left, right) = &rest.expr {
                    value = self.one(left, env, &value)?;
                    rest = right;
                }
                self.one(rest, env, &value)
            }
            Expr::Binary(operator, left, right) if node.single => {
                let right = self.one(right, env, input)?;
                let left = self.one(left, env, input)?;
                Ok(operators::binary(*operator, left, right)?)
            }
            Expr::Negate(operand) if node.single => {
                Ok(operators::negate(&self.one(operand, env, input)?)?)
            }
            Expr::If(condition, then, otherwise) if node.single => {
                match (self.one(condition, env, input)?.is_true(), otherwise) {
                    (true, _) => self.one(then, env, input),
                    (false, Some(otherwise)) => self.one(otherwise, env, input),
                    (false, None) => Ok(input.clone()),
                }
            }
            Expr::And(left, right) if node.single => {
                let truth =
                    self.one(left, env, input)?.is_true() && self.one(right, env, input)?.is_true();
                Ok(truth.into())
            }
            Expr::Or(left, right) if node.single => {
                let truth =
                    self.one(left, env, input)?.is_true() || self.one(right, env, input)?.is_true();
                Ok(truth.into())
            }
            Expr::Format(name) => Ok(formats::apply(name, input)?),
            Expr::Array(None) => Ok(Vec::new().into()),
            Expr::Array(Some(body)) => {
                let mut items = Vec::new();
                self.values(body, env, input, &mut |value| {
                    items.push(value);
                    Ok(())
                })?;
                Ok(items.into())
            }
            Expr::Native(native, arguments) if node.single => {
                let values: Vec<Value> = arguments
                    .iter()
                    .map(|node| self.one(node, env, input))
                    .collect::<Flow<_>>()?;
                Ok((native.run)(input, &values)?)
            }
            _ => {
                let mut found = None;
                self.eval_other(node, env, Item::plain(input.clone()), &mut |item| {
                    found = Some(item.value);
                    Ok(())
                })?;
                found.ok_or_else(|| "no value".into())
            }
        }
    }

    /// All values of an expression whose paths nobody asks for: arguments, keys, conditions.
    pub fn values(
        &self,
        node: &'a Node,
        env: &Env<'a>,
        input: &Value,
        out: &mut dyn FnMut(Value) -> Flow,
    ) -> Flow {
        if node.single {
            return out(self.one(node, env, input)?);
        }
        self.eval(node, env, Item::plain(input.clone()), &mut |item| {
            out(item.value)
        })
    }

    /// All combinations of the arguments' values, in the order of the arguments. The last argument is the outermost
    /// loop: `setpath((["a"],["b"]); 1,2)` gives `{"a":1}`, `{"b":1}`, `{"a":2}`, `{"b":2}`. `values` is scratch space
    /// and is left as it was found.
    pub fn product(
        &self,
        arguments: &'a [Node],
        env: &Env<'a>,
        input: &Value,
        values: &mut Vec<Value>,
        out: &mut dyn FnMut(&[Value]) -> Flow,
    ) -> Flow {
        let Some((last, rest)) = arguments.split_last() else {
            let ordered: Vec<Value> = values.iter().rev().cloned().collect();
            return out(&ordered);
        };
        self.values(last, env, input, &mut |value| {
            values.push(value);
            let flow = self.product(rest, env, input, values, out);
            values.pop();
            flow
        })
    }

    /// `if` with a condition of several values: a branch runs for each. Without `else` the input passes through.
    fn eval_if(
        &self,
        condition: &'a Node,
        then: &'a Node,
        otherwise: Option<&'a Node>,
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        self.values(
            condition,
            env,
            &item.value,
            &mut |value| match (value.is_true(), otherwise) {
                (true, _) => self.eval(then, env, item.clone(), out),
                (false, Some(otherwise)) => self.eval(otherwise, env, item.clone(), out),
                (false, None) => out(item.clone()),
            },
        )
    }

    /// What is at a place of each value of the target; where `optional`, values without one are left out.
    fn access(&self, node: &'a Node, optional: bool, env: &Env<'a>, item: Item, out: Out) -> Flow {
        match &node.expr {
            Expr::Index(target, key) => self.values(key, env, &item.value, &mut |key| {
                self.index(target, &key, optional, env, item.clone(), out)
            }),
            Expr::Slice(target, from, to) => {
                let bounds = (from.as_deref(), to.as_deref());
                self.slices(bounds, env, &item.value, &mut |key| {
                    self.index(target, &key, optional, env, item.clone(), out)
                })
            }
            Expr::Iterate(target) => self.eval(target, env, item, &mut |item| {
                if optional && !matches!(item.value, Value::Array(_) | Value::Object(_)) {
                    return Ok(());
                }
                paths::iterate(&item, out)
            }),
            _ => self.eval(node, env, item, out),
        }
    }

    /// `TARGET[KEY]` for one key. With `optional` (`TARGET[KEY]?`) a value that cannot be indexed by it gives nothing.
    fn index(
        &self,
        target: &'a Node,
        key: &Value,
        optional: bool,
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        self.eval(target, env, item, &mut |item| {
            paths::check(&item, Some(key))?;
            match paths::index(&item.value, key) {
                Ok(value) => out(item.child(key, value)),
                Err(_) if optional => Ok(()),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// The key of a slice for every pair of bounds: `{"start":FROM,"end":TO}`, `null` for a bound that is left out.
    fn slices(
        &self,
        (from, to): (Option<&'a Node>, Option<&'a Node>),
        env: &Env<'a>,
        input: &Value,
        out: &mut dyn FnMut(Value) -> Flow,
    ) -> Flow {
        let bound = |node: Option<&'a Node>, out: &mut dyn FnMut(Value) -> Flow| match node {
            Some(node) => self.values(node, env, input, out),
            None => out(Value::Null),
        };
        bound(from, &mut |from| {
            bound(to, &mut |to| {
                let mut members = Members::new();
                members.insert("start".into(), from.clone());
                members.insert("end".into(), to);
                out(members.into())
            })
        })
    }

    /// `try BODY catch HANDLER`, and `BODY?` without a handler.
    ///
    /// Only errors of the body itself are caught. An error of whoever takes its values passes through: in `(try 1) |
    /// error("x")` the `try` has nothing to do with the error. The body ends at its first error; there is no retry.
    fn catch(
        &self,
        body: &'a Node,
        catch: Option<&'a Node>,
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        // What fails after the body gave a value is not the body's error.
        let mut beyond = None;
        let flow = self.eval(body, env, item, &mut |item| {
            out(item).map_err(|stop| {
                beyond = Some(stop);
                Stop::Enough
            })
        });
        if let Some(stop) = beyond {
            return Err(stop);
        }
        match (flow, catch) {
            (Err(Stop::Error(error)), Some(catch)) => {
                self.eval(catch, env, Item::plain(error), out)
            }
            (Err(Stop::Error(_)), None) => Ok(()),
            (flow, _) => flow,
        }
    }

    /// `LEFT // RIGHT`: the values of the left side that are true, with its errors suppressed; the right side where
    /// there is none. `(false, 1, null, 2) // 3` gives 1 and 2.
    fn alternative(
        &self,
        left: &'a Node,
        right: &'a Node,
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        let mut some = false;
        let mut beyond = None;
        let flow = self.eval(left, env, item.clone(), &mut |item| {
            if !item.value.is_true() {
                return Ok(());
            }
            some = true;
            out(item).map_err(|stop| {
                beyond = Some(stop);
                Stop::Enough
            })
        });
        if let Some(stop) = beyond {
            return Err(stop);
        }
        match flow {
            Ok(()) | Err(Stop::Error(_)) if some => Ok(()),
            Ok(()) | Err(Stop::Error(_)) => self.eval(right, env, item, out),
            other => other,
        }
    }

    /// Calls a function with `$` parameters. `home` is the environment in which it was defined.
    fn call(
        &self,
        function: &'a Function,
        home: &Env<'a>,
        arguments: &'a [Node],
        env: &Env<'a>,
        item: Item,
        out: Out,
    ) -> Flow {
        let inner = bind_closures(home, arguments, env);
        self.call_with(function, arguments, 0, inner, env, &item, out)
    }

    /// Binds the values of the `$` parameters from `index` on, in every combination, then runs the body.
    #[allow(clippy::too_many_arguments, reason = "the state of one call")]
    fn call_with(
        &self,
        function: &'a Function,
        arguments: &'a [Node],
        index: usize,
        inner: Env<'a>,
        env: &Env<'a>,
        item: &Item,
        out: Out,
    ) -> Flow {
        let Some(&variable) = function.variables.get(index) else {
            return self.eval(&function.body, &inner, item.clone(), out);
        };
        self.values(&arguments[variable], env, &item.value, &mut |value| {
            let inner = inner.push(Entry::Value(value));
            self.call_with(function, arguments, index + 1, inner, env, item, out)
        })
    }
}
