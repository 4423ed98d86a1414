//! The functions of the language, by name; those of strings are in `text`, those that order values in `sorting`.
//!
//! Names are compared without underscores and case, so `sort_by`, `sortBy` and `sortby` are one function. Look-up goes
//! along a chain of matches: here, `look`, `text::call`, `moment::call`, `formats::call`, which refuses what nobody
//! knows.

mod change;
mod choice;
mod location;

use super::attribute::attribute;
use super::entry::{array_to_map, entries, from_entries, pivot, with_entries};
use super::evaluate::{Context, Found, Machine};
use super::explode::explode;
use super::parse::{Binary, Expression};
use super::tree::{Id, Kind};
use super::{formats, sorting, text as strings, write};
use change::{delete, flatten, map, map_values, reverse, with};
use choice::{any, choose, contains, filter, first, has, length, select};
use location::{delete_paths, key, keys, parent_at, parents, path, set_path, split_documents};

pub use change::each;

/// `true` or `false` in the place of a node.
///
/// It has the path of `owner`, so that `.a == 1 | path` is the path of `a`.
pub fn truth(machine: &mut Machine, owner: Id, truth: bool) -> Id {
    machine.tree.replacement(
        owner,
        Kind::Scalar,
        "!!bool",
        if truth { "true" } else { "false" },
    )
}

/// The text of a scalar, and YAML for everything else.
pub fn text(machine: &Machine, id: Id) -> String {
    if machine.tree[id].kind == Kind::Scalar {
        return machine.tree[id].value.to_string();
    }
    write::document(&machine.tree, id, 2, false)
        .trim_end_matches('\n')
        .to_owned()
}

/// The message for a function without its argument.
fn missing(name: &str) -> String {
    format!("'{name}' expects 1 arg but there is none")
}

/// The two sides of an argument `a; b` or `a, b`.
///
/// # Errors
/// Any other argument.
pub fn two<'e>(
    name: &str,
    argument: Option<&'e Expression>,
) -> Result<(&'e Expression, &'e Expression), String> {
    match argument {
        Some(Expression::Binary(Binary::Block | Binary::Union, _, left, right)) => {
            Ok((left, right))
        }
        _ => Err(format!("{name} takes two arguments")),
    }
}

/// Calls a function.
///
/// `select` and `with` run their argument on each node; `system` is never there.
pub fn call(
    machine: &mut Machine,
    context: &Context,
    name: &str,
    argument: Option<&Expression>,
) -> Found {
    let need = || argument.ok_or_else(|| missing(name));
    let plain = name.replace('_', "").to_ascii_lowercase();
    match plain.as_str() {
        "select" => select(machine, context, need()?),
        "map" => map(machine, context, need()?),
        "mapvalues" => map_values(machine, context, need()?),
        "filter" => filter(machine, context, need()?),
        "del" => delete(machine, context, need()?),
        "with" => with(machine, context, argument),
        "has" => has(machine, context, need()?),
        "contains" => contains(machine, context, need()?),
        "pick" | "omit" => choose(machine, context, need()?, plain == "pick"),
        "sortby" => sorting::sort(machine, context, need()?),
        "sort" => sorting::sort(machine, context, &Expression::Itself),
        "uniqueby" => sorting::unique(machine, context, need()?),
        "unique" => sorting::unique(machine, context, &Expression::Itself),
        "groupby" => sorting::group(machine, context, need()?),
        "min" | "max" => sorting::extreme(machine, context, plain == "max"),
        "sortkeys" => sorting::sort_keys(machine, context, need()?),
        "reverse" => each(machine, context, reverse),
        "flatten" => each(machine, context, |machine, node| {
            flatten(machine, node, usize::MAX)
        }),
        "first" => first(machine, context, argument),
        "any" | "all" | "anyc" | "allc" => {
            any(machine, context, argument, plain.starts_with("any"))
        }
        "not" => each(machine, context, |machine, node| {
            let truth_value = !machine.tree.is_true(node);
            Ok(truth(machine, node, truth_value))
        }),
        "toentries" => entries(machine, context),
        "fromentries" => each(machine, context, from_entries),
        "withentries" => with_entries(machine, context, need()?),
        "arraytomap" => each(machine, context, array_to_map),
        "pivot" => each(machine, context, pivot),
        "setpath" => set_path(machine, context, argument),
        "delpaths" => delete_paths(machine, context, need()?),
        "eval" => evaluate(machine, context, need()?),
        "error" => {
            let message = machine.first(context, need()?)?;
            Err(message.map(|id| text(machine, id)).unwrap_or_default())
        }
        "explode" => explode(machine, context, need()?),
        "splitdoc" => split_documents(machine, context),
        "load" | "loadstr" | "strload" | "loadxml" | "xmlload" | "loadprops" | "loadbase64" => {
            machine.may_read_files()?;
            formats::load(machine, context, &plain, need()?)
        }
        "system" | "systemops" => Err("system operations are disabled".to_owned()),
        _ => look(machine, context, &plain, name, argument),
    }
}

/// Functions that say something about each node.
fn look(
    machine: &mut Machine,
    context: &Context,
    plain: &str,
    name: &str,
    argument: Option<&Expression>,
) -> Found {
    match plain {
        "length" => each(machine, context, length),
        "keys" => each(machine, context, keys),
        "key" => Ok(context
            .nodes
            .iter()
            .filter_map(|&node| key(machine, node))
            .collect()),
        "iskey" => each(machine, context, |machine, node| {
            let is_key = machine.tree[node].is_key;
            Ok(truth(machine, node, is_key))
        }),
        "path" => each(machine, context, |machine, node| Ok(path(machine, node))),
        "parent" => Ok(context
            .nodes
            .iter()
            .filter_map(|&node| machine.tree[node].parent)
            .collect()),
        "parents" => each(machine, context, parents),
        "root" => Ok(context
            .nodes
            .iter()
            .map(|&node| parent_at(machine, node, -1))
            .collect()),
        "kind" => each(machine, context, |machine, node| {
            let kind = match machine.tree[node].kind {
                Kind::Scalar => "scalar",
                Kind::Sequence => "seq",
                Kind::Mapping => "map",
                Kind::Alias => "alias",
            };
            Ok(machine.tree.replacement(node, Kind::Scalar, "!!str", kind))
        }),
        "style" | "tag" | "type" | "anchor" | "alias" | "linecomment" | "headcomment"
        | "footcomment" => each(machine, context, |machine, node| {
            Ok(attribute(machine, node, plain))
        }),
        "line" | "column" | "documentindex" | "di" | "fileindex" | "fi" => {
            each(machine, context, |machine, node| {
                let data = &machine.tree[node];
                let number = match plain {
                    "line" => data.line,
                    "column" => data.column,
                    "fileindex" | "fi" => data.file,
                    _ => data.document,
                };
                Ok(machine
                    .tree
                    .replacement(node, Kind::Scalar, "!!int", &number.to_string()))
            })
        }
        "filename" => each(machine, context, |machine, node| {
            let name = machine
                .files
                .get(machine.tree[node].file)
                .cloned()
                .unwrap_or_default();
            Ok(machine.tree.replacement(node, Kind::Scalar, "!!str", &name))
        }),
        _ => strings::call(machine, context, plain, name, argument),
    }
}

/// Calls a function whose argument is plain text.
///
/// These are the names of `token::Lexer::word`: `env(X)`, `strenv(X)`, `envsubst(nu)`, `parent(2)`, `flatten(1)`,
/// `to_json(0)` and its relatives. `env` reads the variable as YAML, `strenv` as a string; one that is not set is an
/// error.
pub fn plain(machine: &mut Machine, context: &Context, name: &str, argument: &str) -> Found {
    let number = argument.parse::<i64>();
    match name {
        "env" | "strenv" => {
            machine.may_read_environment()?;
            let value = std::env::var(argument).map_err(|_| {
                format!("value for env variable '{argument}' not provided in env()")
            })?;
            let node = if name == "strenv" {
                machine.tree.string(&value)
            } else {
                let mut roots = super::read::documents(&mut machine.tree, &value, 0)?;
                match roots.pop() {
                    Some(root) => root,
                    None => machine.tree.string(""),
                }
            };
            Ok(vec![node])
        }
        "parent" => {
            let levels = number.map_err(|_| "parent takes a number".to_owned())?;
            Ok(context
                .nodes
                .iter()
                .map(|&node| parent_at(machine, node, levels))
                .collect())
        }
        "flatten" => {
            let depth = number.map_err(|_| "flatten takes a number".to_owned())?;
            let depth = usize::try_from(depth).unwrap_or(usize::MAX);
            each(machine, context, |machine, node| {
                flatten(machine, node, depth)
            })
        }
        "envsubst" => {
            machine.may_read_environment()?;
            strings::substitute_variables(machine, context, argument)
        }
        _ => {
            let indent = number.map_err(|_| format!("{name} takes a number"))?;
            let format = name.trim_start_matches("to").trim_start_matches('_');
            formats::encode_nodes(
                machine,
                context,
                format,
                usize::try_from(indent).unwrap_or(2),
            )
        }
    }
}

/// `eval(EXPRESSION)`: runs the text that the expression gives as an expression of its own.
fn evaluate(machine: &mut Machine, context: &Context, source: &Expression) -> Found {
    let mut found = Vec::new();
    for value in machine.run(&context.readonly(), source)? {
        let inner = super::parse::parse(&machine.tree[value].value.clone())?;
        found.extend(machine.run(context, &inner)?);
    }
    Ok(found)
}
