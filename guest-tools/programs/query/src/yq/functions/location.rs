//! Functions over where nodes are: their keys, paths and parents, and what lies at a path.
//!
//! A node knows its parent and its key or place, so all of these cost the depth of the node. For `.a[0].b` of a
//! document `path` is `[a, 0, b]`, `key` is `b`, and `parent` is the mapping in the list.

use super::change::remove;
use super::two;
use crate::yq::evaluate::{Context, Found, Machine};
use crate::yq::parse::Expression;
use crate::yq::tree::{Id, Kind, Step};

/// `keys`: the keys of a mapping, or the places of a list from 0.
pub(super) fn keys(machine: &mut Machine, node: Id) -> Result<Id, String> {
    let target = machine.tree.follow(node);
    let list = machine.tree.replacement(node, Kind::Sequence, "!!seq", "");
    match machine.tree[target].kind {
        Kind::Mapping => {
            for (key, _) in machine.tree.pairs(target) {
                machine.tree.append(list, key);
            }
        }
        Kind::Sequence => {
            for at in 0..machine.tree[target].content.len() {
                let number = machine.tree.scalar("!!int", &at.to_string());
                machine.tree.attach(list, number);
            }
        }
        _ => {
            let tag = &machine.tree[target].tag;
            return Err(format!(
                "cannot get keys of {tag}, keys only works for maps and arrays"
            ));
        }
    }
    Ok(list)
}

/// `key`: the key of a node or its place in a list; `None` for a document and for a key.
pub(super) fn key(machine: &mut Machine, node: Id) -> Option<Id> {
    let data = &machine.tree[node];
    data.parent?;
    match data.key {
        Some(key) => Some(key),
        None if data.is_key => None,
        None => {
            let index = data.index.to_string();
            Some(machine.tree.scalar("!!int", &index))
        }
    }
}

/// `path`: the names and places from the document to a node, `[a, 0, b]`.
pub(super) fn path(machine: &mut Machine, node: Id) -> Id {
    let list = machine.tree.replacement(node, Kind::Sequence, "!!seq", "");
    for step in machine.tree.path(node) {
        let part = match step {
            Step::Name(name) => machine.tree.string(&name),
            Step::Index(index) => machine.tree.scalar("!!int", &index.to_string()),
        };
        machine.tree.attach(list, part);
    }
    list
}

/// `parents`: the nodes around a node, the nearest first.
pub(super) fn parents(machine: &mut Machine, node: Id) -> Result<Id, String> {
    let list = machine.tree.make(Kind::Sequence, "!!seq", "");
    let mut at = machine.tree[node].parent;
    while let Some(parent) = at {
        machine.tree.append(list, parent);
        at = machine.tree[parent].parent;
    }
    Ok(list)
}

/// `parent(N)`: the N-th node around a node, as far as there are any; 0 is the node, -1 the document.
pub(super) fn parent_at(machine: &Machine, node: Id, levels: i64) -> Id {
    let mut chain = vec![node];
    let mut at = node;
    while let Some(parent) = machine.tree[at].parent {
        chain.push(parent);
        at = parent;
    }
    let last = chain.len() as i64 - 1;
    let place = if levels < 0 {
        last + levels + 1
    } else {
        levels
    };
    chain[place.clamp(0, last) as usize]
}

/// A path given as a list of names and numbers.
fn steps(machine: &Machine, list: Id) -> Vec<Step> {
    let step = |&id: &Id| {
        let part = &machine.tree[id];
        match part.value.parse() {
            Ok(index) if &*part.tag == "!!int" => Step::Index(index),
            _ => Step::Name(part.value.clone()),
        }
    };
    machine.tree[list].content.iter().map(step).collect()
}

/// `setpath(PATH; VALUE)`: sets what lies at a path, which is made where it is missing. Gives the nodes themselves.
pub(super) fn set_path(
    machine: &mut Machine,
    context: &Context,
    argument: Option<&Expression>,
) -> Found {
    let (place, value) = two("setpath", argument)?;
    for &node in &context.nodes {
        let at = context.one(node);
        let (Some(list), Some(value)) = (
            machine.first(&at.readonly(), place)?,
            machine.first(&at.readonly(), value)?,
        ) else {
            continue;
        };
        let path = steps(machine, list);
        if let Some(target) = machine.descend(&at, node, &path)? {
            machine.update(target, value, crate::yq::parse::Flags::default());
        }
    }
    Ok(context.nodes.clone())
}

/// `delpaths(PATHS)`. All of them are looked up before the first one goes, so places mean those of the beginning.
pub(super) fn delete_paths(machine: &mut Machine, context: &Context, paths: &Expression) -> Found {
    for &node in &context.nodes {
        let at = context.one(node).readonly();
        let Some(list) = machine.first(&at, paths)? else {
            continue;
        };
        let mut targets = Vec::new();
        for path in machine.tree[list].content.clone() {
            let path = steps(machine, path);
            targets.extend(machine.descend(&at, node, &path)?);
        }
        for target in targets {
            remove(machine, target);
        }
    }
    Ok(context.nodes.clone())
}

/// `split_doc`: each node as a document of its own.
pub(super) fn split_documents(machine: &mut Machine, context: &Context) -> Found {
    let mut found = Vec::new();
    for (at, &node) in context.nodes.iter().enumerate() {
        let copy = machine.tree.copy(node);
        machine.tree[copy].document = at;
        machine.tree[copy].parent = None;
        found.push(copy);
    }
    Ok(found)
}
