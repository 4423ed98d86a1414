//! The functions of the language that look at nodes and collections; those of strings are in `text`.

use super::attribute::attribute;
use super::entry::{array_to_map, entries, from_entries, pivot, with_entries};
use super::evaluate::{Context, Found, Machine};
use super::explode::explode;
use super::parse::{Binary, Expression};
use super::sorting;
use super::tree::{Id, Kind, Step};
use super::{formats, text as strings, write};

/// `true` or `false` in the place of a node.
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

fn missing(name: &str) -> String {
    format!("'{name}' expects 1 arg but there is none")
}

/// The two sides of an argument `a; b` or `a, b`.
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

fn select(machine: &mut Machine, context: &Context, condition: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let values = machine.run(&context.one(node).readonly(), condition)?;
        if values.iter().any(|&value| machine.tree.is_true(value)) {
            found.push(node);
        }
    }
    Ok(found)
}

fn map(machine: &mut Machine, context: &Context, body: &Expression) -> Found {
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

fn map_values(machine: &mut Machine, context: &Context, body: &Expression) -> Found {
    for &node in &context.nodes {
        for item in machine.all(&context.readonly(), node) {
            if let Some(value) = machine.first(&context.one(item), body)? {
                machine.update(item, value, super::parse::Flags::default());
            }
        }
    }
    Ok(context.nodes.clone())
}

fn filter(machine: &mut Machine, context: &Context, condition: &Expression) -> Found {
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

/// Takes a node out of its parent.
fn remove(machine: &mut Machine, node: Id) {
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

fn delete(machine: &mut Machine, context: &Context, targets: &Expression) -> Found {
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

fn with(machine: &mut Machine, context: &Context, argument: Option<&Expression>) -> Found {
    let Some(Expression::Binary(Binary::Block, _, target, body)) = argument else {
        return Err("with must be given a block (;), got something else instead".to_owned());
    };
    for node in machine.run(context, target)? {
        machine.run(&context.one(node), body)?;
    }
    Ok(context.nodes.clone())
}

fn has(machine: &mut Machine, context: &Context, wanted: &Expression) -> Found {
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

fn contains(machine: &mut Machine, context: &Context, wanted: &Expression) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        for wanted in machine.run(&context.one(node).readonly(), wanted)? {
            let result = holds(machine, node, wanted)?;
            found.push(truth(machine, node, result));
        }
    }
    Ok(found)
}

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
                super::evaluate::glob(&tree[other].value, &tree[key].value)
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

fn choose(machine: &mut Machine, context: &Context, wanted: &Expression, pick: bool) -> Found {
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

fn reverse(machine: &mut Machine, node: Id) -> Result<Id, String> {
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

fn flatten(machine: &mut Machine, node: Id, depth: usize) -> Result<Id, String> {
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

fn first(machine: &mut Machine, context: &Context, condition: Option<&Expression>) -> Found {
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

fn any(
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

fn length(machine: &mut Machine, node: Id) -> Result<Id, String> {
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

fn keys(machine: &mut Machine, node: Id) -> Result<Id, String> {
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

fn key(machine: &mut Machine, node: Id) -> Option<Id> {
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

fn path(machine: &mut Machine, node: Id) -> Id {
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

fn parents(machine: &mut Machine, node: Id) -> Result<Id, String> {
    let list = machine.tree.make(Kind::Sequence, "!!seq", "");
    let mut at = machine.tree[node].parent;
    while let Some(parent) = at {
        machine.tree.append(list, parent);
        at = machine.tree[parent].parent;
    }
    Ok(list)
}

fn parent_at(machine: &Machine, node: Id, levels: i64) -> Id {
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

fn set_path(machine: &mut Machine, context: &Context, argument: Option<&Expression>) -> Found {
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
            machine.update(target, value, super::parse::Flags::default());
        }
    }
    Ok(context.nodes.clone())
}

fn delete_paths(machine: &mut Machine, context: &Context, paths: &Expression) -> Found {
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

fn evaluate(machine: &mut Machine, context: &Context, source: &Expression) -> Found {
    let mut found = Vec::new();
    for value in machine.run(&context.readonly(), source)? {
        let inner = super::parse::parse(&machine.tree[value].value.clone())?;
        found.extend(machine.run(context, &inner)?);
    }
    Ok(found)
}

fn split_documents(machine: &mut Machine, context: &Context) -> Found {
    let mut found = Vec::new();
    for (at, &node) in context.nodes.iter().enumerate() {
        let copy = machine.tree.copy(node);
        machine.tree[copy].document = at;
        machine.tree[copy].parent = None;
        found.push(copy);
    }
    Ok(found)
}
