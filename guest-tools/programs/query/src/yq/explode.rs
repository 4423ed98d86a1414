//! `explode`: aliases and merged mappings, replaced by what they stand for.
//!
//! Nodes change in place. Copies share nothing with the anchored node, so later changes of one leave the other alone.
//! Anchors below are removed.

use super::evaluate::{Context, Found, Machine};
use super::parse::Expression;
use super::tree::{Id, Kind};

/// Explodes what the expression names in each node; the results are the nodes themselves.
pub fn explode(machine: &mut Machine, context: &Context, targets: &Expression) -> Found {
    for &node in &context.nodes {
        for target in machine.run(&context.one(node), targets)? {
            explode_node(machine, target, 0)?;
        }
    }
    Ok(context.nodes.clone())
}

/// Replaces aliases and merged mappings below a node by what they stand for.
///
/// # Errors
/// More than 500 levels, which a cycle of aliases reaches, too.
fn explode_node(machine: &mut Machine, node: Id, depth: usize) -> Result<(), String> {
    const MAX_DEPTH: usize = 500;
    if depth > MAX_DEPTH {
        return Err("explode: nested too deep".to_owned());
    }
    machine.tree[node].anchor.clear();
    match machine.tree[node].kind {
        Kind::Alias => {
            let target = machine.tree.follow(node);
            let copy = machine.tree.copy(target);
            let data = machine.tree[copy].clone();
            for &child in &data.content {
                machine.tree[child].parent = Some(node);
            }
            let new = &mut machine.tree[node];
            (new.kind, new.tag, new.value, new.style) =
                (data.kind, data.tag, data.value, data.style);
            (new.content, new.alias) = (data.content, None);
            if machine.tree[node].kind != Kind::Scalar {
                explode_node(machine, node, depth + 1)?;
            }
            Ok(())
        }
        Kind::Sequence => {
            for item in machine.tree[node].content.clone() {
                explode_node(machine, item, depth + 1)?;
            }
            Ok(())
        }
        Kind::Mapping => {
            explode_mapping(machine, node, depth)?;
            Ok(())
        }
        Kind::Scalar => Ok(()),
    }
}

/// Replaces `<<` by the pairs it stands for, at its place. Of several merged mappings the first wins, and a pair of
/// the mapping itself wins over all of them.
fn explode_mapping(machine: &mut Machine, node: Id, depth: usize) -> Result<(), String> {
    let pairs = machine.tree.pairs(node);
    let mut new: Vec<(Id, Id)> = Vec::new();
    for (place, &(key, value)) in pairs.iter().enumerate() {
        let sources = if &*machine.tree[key].value == "<<" {
            let merged = machine.tree.follow(value);
            match machine.tree[merged].kind {
                Kind::Sequence => {
                    let items = machine.tree[merged].content.iter().rev();
                    items.map(|&item| machine.tree.follow(item)).collect()
                }
                _ => vec![merged],
            }
        } else {
            put(machine, &mut new, &pairs[place + 1..], key, value);
            continue;
        };
        for source in sources {
            if machine.tree[source].kind != Kind::Mapping {
                let tag = &machine.tree[source].tag;
                return Err(format!(
                    "can only use merge anchors with maps (!!map) or sequences (!!seq) of maps, but got sequence containing {tag}"
                ));
            }
            let copy = machine.tree.copy(source);
            explode_node(machine, copy, depth + 1)?;
            for (key, value) in machine.tree.pairs(copy) {
                put(machine, &mut new, &pairs[place + 1..], key, value);
            }
        }
    }
    machine.tree[node].content.clear();
    for (key, value) in new {
        explode_node(machine, key, depth + 1)?;
        explode_node(machine, value, depth + 1)?;
        machine.tree.attach_pair(node, key, value);
    }
    Ok(())
}

/// Adds a pair, unless a later one of the mapping itself has the same key.
fn put(machine: &Machine, new: &mut Vec<(Id, Id)>, later: &[(Id, Id)], key: Id, value: Id) {
    let name = &machine.tree[key].value;
    if let Some(old) = new
        .iter_mut()
        .find(|(other, _)| machine.tree[*other].value == *name)
    {
        old.1 = value;
    } else if !later
        .iter()
        .any(|(other, _)| machine.tree[*other].value == *name)
    {
        new.push((key, value));
    }
}
