//! Functions that order values: `sort_by`, `group_by`, `unique_by`, `min`, `max`, `sort_keys`.
//!
//! Sorting is stable. Grouping and uniqueness go by the text of the key's first value and keep the order of the input,
//! unlike `jq`'s, which sort.

use std::cmp::Ordering;

use super::evaluate::{Context, Found, Machine};
use super::parse::Expression;
use super::tree::{Id, Kind, Tree, is_number, number};

/// The order of two values: null, booleans (false first), numbers by value, everything else by text.
fn compare(tree: &Tree, a: Id, b: Id) -> Ordering {
    let rank = |id: Id| match &*tree[id].tag {
        "!!null" => 0,
        "!!bool" => 1,
        _ => 2,
    };
    let (x, y) = (&tree[a], &tree[b]);
    rank(a).cmp(&rank(b)).then_with(|| {
        if rank(a) == 1 {
            return tree.is_true(a).cmp(&tree.is_true(b));
        }
        if is_number(&x.tag)
            && is_number(&y.tag)
            && let (Some(a), Some(b)) = (number(&x.value), number(&y.value))
        {
            return a.total_cmp(&b);
        }
        x.value.cmp(&y.value)
    })
}

/// The items of a collection, each with what an expression gives for it.
fn keyed(
    machine: &mut Machine,
    context: &Context,
    items: &[Id],
    by: &Expression,
) -> Result<Vec<(Id, Vec<Id>)>, String> {
    let mut keyed = Vec::with_capacity(items.len());
    for &item in items {
        keyed.push((item, machine.run(&context.one(item).readonly(), by)?));
    }
    Ok(keyed)
}

/// Sorts each sequence by its items, and each mapping by its values. Keys of several values compare one by one.
///
/// # Errors
/// A node that is no collection.
pub fn sort(machine: &mut Machine, context: &Context, by: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        if !matches!(machine.tree[node].kind, Kind::Sequence | Kind::Mapping) {
            return Err(format!(
                "node at path [{}] is not an array or map (it's a {})",
                machine.tree.nice_path(node),
                machine.tree[node].tag
            ));
        }
        let mapping = machine.tree[node].kind == Kind::Mapping;
        let items: Vec<Id> = if mapping {
            machine
                .tree
                .pairs(node)
                .into_iter()
                .map(|(_, value)| value)
                .collect()
        } else {
            machine.tree[node].content.clone()
        };
        let mut keyed = keyed(machine, context, &items, by)?;
        keyed.sort_by(|(_, a), (_, b)| {
            let pairs = a.iter().zip(b).map(|(&x, &y)| compare(&machine.tree, x, y));
            let first = pairs.into_iter().find(|order| *order != Ordering::Equal);
            first.unwrap_or_else(|| a.len().cmp(&b.len()))
        });
        let new = machine.tree.copy_empty(node);
        for (item, _) in keyed {
            match machine.tree[item].key {
                Some(key) if mapping => {
                    machine.tree.insert(new, key, item);
                }
                _ => {
                    machine.tree.append(new, item);
                }
            }
        }
        found.push(new);
    }
    Ok(found)
}

/// The items of a sequence; `name` is for the message.
fn list(machine: &Machine, node: Id, name: &str) -> Result<Vec<Id>, String> {
    if machine.tree[node].kind != Kind::Sequence {
        return Err(format!(
            "only arrays are supported for {name}, not {}",
            machine.tree[node].tag
        ));
    }
    Ok(machine.tree[node].content.clone())
}

/// The text by which items are the same: the first value of the key, `null` where there is none.
fn name(machine: &Machine, values: &[Id]) -> String {
    match values.first() {
        None => "null".to_owned(),
        Some(&value) => super::functions::text(machine, value),
    }
}

/// Keeps the first item of each key.
pub fn unique(machine: &mut Machine, context: &Context, by: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let items = list(machine, node, "unique")?;
        let keyed = keyed(machine, context, &items, by)?;
        let new = machine.tree.copy_empty(node);
        let mut seen = std::collections::HashSet::new();
        for (item, values) in keyed {
            if seen.insert(name(machine, &values)) {
                machine.tree.append(new, item);
            }
        }
        found.push(new);
    }
    Ok(found)
}

/// Puts the items of each key into a list of their own.
///
/// O(items × groups).
pub fn group(machine: &mut Machine, context: &Context, by: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let items = list(machine, node, "group by")?;
        let keyed = keyed(machine, context, &items, by)?;
        let new = machine.tree.copy_empty(node);
        let mut groups: Vec<(String, Id)> = Vec::new();
        for (item, values) in keyed {
            let name = name(machine, &values);
            let known = groups.iter().find(|(other, _)| *other == name);
            let group = match known {
                Some((_, group)) => *group,
                None => {
                    let group = machine.tree.make(Kind::Sequence, "!!seq", "");
                    groups.push((name, group));
                    group
                }
            };
            machine.tree.append(group, item);
        }
        for (_, group) in groups {
            machine.tree.attach(new, group);
        }
        found.push(new);
    }
    Ok(found)
}

/// The least or the greatest item of each list.
///
/// Nothing for an empty list.
pub fn extreme(machine: &mut Machine, context: &Context, greatest: bool) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let items = machine.all(&context.readonly(), node).into_iter();
        let order = |a: &Id, b: &Id| compare(&machine.tree, *a, *b);
        found.extend(if greatest {
            items.max_by(order)
        } else {
            items.min_by(order)
        });
    }
    Ok(found)
}

/// Sorts the members of the mappings that an expression names.
///
/// In place, by the bytes of the keys. Only the named mappings themselves: `sort_keys(..)` sorts at every level.
pub fn sort_keys(machine: &mut Machine, context: &Context, targets: &Expression) -> Found {
    for &node in &context.nodes {
        for target in machine.run(&context.one(node).readonly(), targets)? {
            if machine.tree[target].kind == Kind::Mapping {
                let mut pairs = machine.tree.pairs(target);
                pairs.sort_by(|a, b| machine.tree[a.0].value.cmp(&machine.tree[b.0].value));
                machine.tree[target].content = pairs
                    .into_iter()
                    .flat_map(|(key, value)| [key, value])
                    .collect();
            }
        }
    }
    Ok(context.nodes.clone())
}
