//! Functions that make other collections of nodes, and those that change nodes in place.
//!
//! `map`, `reverse` and `flatten` give new nodes; `map_values`, `del` and `with` change the tree and give the nodes
//! they were called on.

use crate::yq::evaluate::{Context, Found, Machine};
use crate::yq::parse::{Binary, Expression};
use crate::yq::tree::{Id, Kind};

/// One result for each node.
pub fn each(
    machine: &mut Machine,
    context: &Context,
    mut function: impl FnMut(&mut Machine, Id) -> Result<Id, String>,
) -> Found {
    context
        .nodes
        .iter()
        .map(|&node| function(machine, node))
        .collect()
}

/// `map(EXPRESSION)`: a list of all results for the items, or for the values of a mapping.
pub(super) fn map(machine: &mut Machine, context: &Context, body: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let items = machine.all(&context.readonly(), node);
        let results = machine.run(&context.with(items), body)?;
        let list = machine.tree.replacement(node, Kind::Sequence, "!!seq", "");
        machine.tree[list].style = machine.tree[node].style;
        for result in results {
            machine.tree.append(list, result);
        }
        found.push(list);
    }
    Ok(found)
}

/// `map_values(EXPRESSION)`: each item or value becomes the first result for it; it stays where there is none.
pub(super) fn map_values(machine: &mut Machine, context: &Context, body: &Expression) -> Found {
    for &node in &context.nodes {
        for item in machine.all(&context.readonly(), node) {
            if let Some(value) = machine.first(&context.one(item), body)? {
                machine.update(item, value, crate::yq::parse::Flags::default());
            }
        }
    }
    Ok(context.nodes.clone())
}

/// Takes a node out of its parent.
pub(super) fn remove(machine: &mut Machine, node: Id) {
    let Some(parent) = machine.tree[node].parent else {
        return;
    };
    let content = machine.tree[parent].content.clone();
    let kept: Vec<Id> = if machine.tree[parent].kind == Kind::Mapping {
        let pairs = content
            .chunks_exact(2)
            .filter(|two| two[0] != node && two[1] != node);
        pairs.flatten().copied().collect()
    } else {
        content.into_iter().filter(|&child| child != node).collect()
    };
    machine.tree.set_content(parent, kept);
}

/// `del(EXPRESSION)`: takes out what it finds, the last one first; a document itself is dropped from the results.
pub(super) fn delete(machine: &mut Machine, context: &Context, targets: &Expression) -> Found {
    let mut kept = context.nodes.clone();
    for target in machine.run(&context.readonly(), targets)?.into_iter().rev() {
        if machine.tree[target].parent.is_none() {
            kept.retain(|&node| node != target);
        } else {
            remove(machine, target);
        }
    }
    Ok(kept)
}

/// `with(TARGET; BODY)`: evaluates the body with each target as the context, for its assignments.
pub(super) fn with(
    machine: &mut Machine,
    context: &Context,
    argument: Option<&Expression>,
) -> Found {
    let Some(Expression::Binary(Binary::Block, _, target, body)) = argument else {
        return Err("with must be given a block (;), got something else instead".to_owned());
    };
    for node in machine.run(context, target)? {
        machine.run(&context.one(node), body)?;
    }
    Ok(context.nodes.clone())
}

/// `reverse`: the items of a list from the last to the first.
pub(super) fn reverse(machine: &mut Machine, node: Id) -> Result<Id, String> {
    if machine.tree[node].kind != Kind::Sequence {
        return Err(format!(
            "node at path [{}] is not an array (it's a {})",
            machine.tree.nice_path(node),
            machine.tree[node].tag
        ));
    }
    let new = machine.tree.copy_empty(node);
    for item in machine.tree[node].content.clone().into_iter().rev() {
        machine.tree.append(new, item);
    }
    Ok(new)
}

/// `flatten(DEPTH)`: lists within a list are replaced by their items, down to a depth. It does not call itself.
pub(super) fn flatten(machine: &mut Machine, node: Id, depth: usize) -> Result<Id, String> {
    if machine.tree[node].kind != Kind::Sequence {
        return Err(format!(
            "only arrays are supported for flatten, not {}",
            machine.tree[node].tag
        ));
    }
    let mut items = Vec::new();
    let mut pending: Vec<(Id, usize)> = machine.tree[node]
        .content
        .iter()
        .rev()
        .map(|&item| (item, 0))
        .collect();
    while let Some((item, level)) = pending.pop() {
        let inner = machine.tree.follow(item);
        if machine.tree[inner].kind == Kind::Sequence && level < depth {
            pending.extend(
                machine.tree[inner]
                    .content
                    .iter()
                    .rev()
                    .map(|&item| (item, level + 1)),
            );
        } else {
            items.push(item);
        }
    }
    let new = machine.tree.copy_empty(node);
    for item in items {
        machine.tree.append(new, item);
    }
    Ok(new)
}
