//! Functions that choose among nodes, or tell what holds for them.
//!
//! | call | of `[1, 5, 3]`, or `{a: 1, b: 2}` |
//! |---|---|
//! | `.[] \| select(. > 2)` | `5`, `3` |
//! | `filter(. > 2)` | `[5, 3]` |
//! | `has(1)`, `has("a")` | `true` |
//! | `contains([5])` | `true` |
//! | `pick(["a"])`, `omit(["a"])` | `{a: 1}`, `{b: 2}` |
//! | `first(. > 2)` | `5` |
//! | `any_c(. > 4)`, `all_c(. > 4)` (of the list) | `true`, `false` |
//! | `length` | `3`, `2` |
//!
//! Arguments are evaluated with each node as the context, read-only: a path that does not exist is not made by asking.

use super::truth;
use crate::yq::evaluate::{Context, Found, Machine};
use crate::yq::parse::Expression;
use crate::yq::tree::{Id, Kind};

/// `select(CONDITION)`: the nodes for which any value of the condition is true.
pub(super) fn select(machine: &mut Machine, context: &Context, condition: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let values = machine.run(&context.one(node).readonly(), condition)?;
        if values.iter().any(|&value| machine.tree.is_true(value)) {
            found.push(node);
        }
    }
    Ok(found)
}

/// `filter(CONDITION)`: a new list of the items, or of the values of a mapping, for which it holds.
pub(super) fn filter(machine: &mut Machine, context: &Context, condition: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let items = machine.all(&context.readonly(), node);
        let kept = select(machine, &context.with(items), condition)?;
        let list = machine.tree.replacement(node, Kind::Sequence, "!!seq", "");
        for item in kept {
            machine.tree.append(list, item);
        }
        found.push(list);
    }
    Ok(found)
}

/// `has(KEY)`: whether a mapping has a key or a list a place; false for scalars.
pub(super) fn has(machine: &mut Machine, context: &Context, wanted: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let wanted = machine.first(&context.one(node).readonly(), wanted)?;
        let name = wanted
            .map(|id| machine.tree[id].value.clone())
            .unwrap_or_default();
        let data = &machine.tree[machine.tree.follow(node)];
        let truth_value = match data.kind {
            Kind::Mapping => {
                let mut keys = data.content.chunks_exact(2).map(|two| two[0]);
                keys.any(|key| machine.tree[key].value == name)
            }
            Kind::Sequence => name
                .parse::<usize>()
                .is_ok_and(|at| at < data.content.len()),
            _ => false,
        };
        found.push(truth(machine, node, truth_value));
    }
    Ok(found)
}

/// `contains(VALUE)`: whether each node has all that a value has, a result for each value.
pub(super) fn contains(machine: &mut Machine, context: &Context, wanted: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        for wanted in machine.run(&context.one(node).readonly(), wanted)? {
            let result = holds(machine, node, wanted)?;
            found.push(truth(machine, node, result));
        }
    }
    Ok(found)
}

/// Whether a node contains another one: a text a part, a list an item for each wanted one, a mapping a member for each
/// wanted one, whose key may be a pattern with `*`. Other scalars have to be equal.
///
/// # Errors
/// Kinds that do not go together; a list may be asked for a single item.
fn holds(machine: &Machine, node: Id, wanted: Id) -> Result<bool, String> {
    let tree = &machine.tree;
    let (node, wanted) = (tree.follow(node), tree.follow(wanted));
    let (x, y) = (&tree[node], &tree[wanted]);
    if x.kind != y.kind {
        return match x.kind {
            Kind::Sequence => {
                let found: Result<Vec<bool>, String> = x
                    .content
                    .iter()
                    .map(|&item| holds(machine, item, wanted))
                    .collect();
                Ok(found?.into_iter().any(|held| held))
            }
            _ => Err(format!("{} cannot check contained in {}", y.tag, x.tag)),
        };
    }
    Ok(match x.kind {
        Kind::Mapping => tree.pairs(wanted).into_iter().all(|(key, value)| {
            tree.pairs(node).into_iter().any(|(other, held)| {
                crate::yq::evaluate::glob(&tree[other].value, &tree[key].value)
                    && holds(machine, held, value).unwrap_or(false)
            })
        }),
        Kind::Sequence => y.content.iter().all(|&wanted| {
            x.content
                .iter()
                .any(|&item| holds(machine, item, wanted).unwrap_or(false))
        }),
        _ if &*x.tag == "!!str" && &*y.tag == "!!str" => x.value.contains(&*y.value),
        _ => tree.is_equal(node, wanted),
    })
}

/// `pick(LIST)` in the order of the list, and `omit(LIST)` in the order of the node; names that are not there are
/// passed over.
pub(super) fn choose(
    machine: &mut Machine,
    context: &Context,
    wanted: &Expression,
    pick: bool,
) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let list = machine.first(&context.one(node).readonly(), wanted)?;
        let names: Vec<_> = match list {
            Some(list) => machine.tree[list]
                .content
                .iter()
                .map(|&id| machine.tree[id].value.clone())
                .collect(),
            None => Vec::new(),
        };
        let new = machine.tree.copy_empty(node);
        if machine.tree[node].kind == Kind::Mapping {
            let pairs = machine.tree.pairs(node);
            let chosen: Vec<(Id, Id)> = if pick {
                let find = |name: &std::rc::Rc<str>| {
                    pairs
                        .iter()
                        .find(|(key, _)| machine.tree[*key].value == *name)
                        .copied()
                };
                names.iter().filter_map(find).collect()
            } else {
                let kept = pairs
                    .iter()
                    .filter(|(key, _)| !names.contains(&machine.tree[*key].value));
                kept.copied().collect()
            };
            for (key, value) in chosen {
                machine.tree.insert(new, key, value);
            }
        } else {
            let items = machine.tree[node].content.clone();
            let chosen: Vec<Id> = if pick {
                names
                    .iter()
                    .filter_map(|name| items.get(name.parse::<usize>().ok()?).copied())
                    .collect()
            } else {
                let kept = items
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| !names.iter().any(|name| **name == *at.to_string()));
                kept.map(|(_, &item)| item).collect()
            };
            for item in chosen {
                machine.tree.append(new, item);
            }
        }
        found.push(new);
    }
    Ok(found)
}

/// `first` and `first(CONDITION)`: the first item or value of each node; nothing where there is none.
pub(super) fn first(
    machine: &mut Machine,
    context: &Context,
    condition: Option<&Expression>,
) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        for item in machine.all(&context.readonly(), node) {
            let fits = match condition {
                None => true,
                Some(condition) => {
                    let value = machine.first(&context.one(item).readonly(), condition)?;
                    value.is_some_and(|value| machine.tree.is_true(value))
                }
            };
            if fits {
                found.push(item);
                break;
            }
        }
    }
    Ok(found)
}

/// `any`, `all` and their forms with a condition; `any` says which. Of an empty list `any` is false and `all` true.
pub(super) fn any(
    machine: &mut Machine,
    context: &Context,
    condition: Option<&Expression>,
    any: bool,
) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        if machine.tree[node].kind != Kind::Sequence {
            return Err(format!(
                "{} only supports arrays, was {}",
                if any { "any" } else { "all" },
                machine.tree[node].tag
            ));
        }
        let mut result = !any;
        for item in machine.tree[node].content.clone() {
            let value = match condition {
                None => Some(item),
                Some(condition) => machine.first(&context.one(item).readonly(), condition)?,
            };
            if value.is_some_and(|value| machine.tree.is_true(value)) == any {
                result = any;
                break;
            }
        }
        found.push(truth(machine, node, result));
    }
    Ok(found)
}

/// `length`: members of a mapping, items of a list, characters of a scalar, 0 for null.
pub(super) fn length(machine: &mut Machine, node: Id) -> Result<Id, String> {
    let target = machine.tree.follow(node);
    let data = &machine.tree[target];
    let length = match data.kind {
        Kind::Mapping => data.content.len() / 2,
        Kind::Sequence => data.content.len(),
        _ if machine.tree.is_null(target) => 0,
        _ => data.value.chars().count(),
    };
    Ok(machine
        .tree
        .replacement(node, Kind::Scalar, "!!int", &length.to_string()))
}
