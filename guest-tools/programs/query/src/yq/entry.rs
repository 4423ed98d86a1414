//! Mappings as lists of entries, lists as mappings, and tables turned round.

use super::evaluate::{Context, Found, Machine};
use super::parse::Expression;
use super::tree::{Id, Kind};

/// `to_entries`: `{a: 1}` → `[{key: a, value: 1}]`. A sequence has its indices as keys; `null` gives nothing.
pub fn entries(machine: &mut Machine, context: &Context) -> Found {
    let mut found = Vec::new();
    for &node in &context.nodes {
        let target = machine.tree.follow(node);
        let pairs: Vec<(Id, Id)> = match machine.tree[target].kind {
            Kind::Mapping => machine.tree.pairs(target),
            Kind::Sequence => {
                let items = machine.tree[target].content.clone();
                let number =
                    |(at, item): (usize, Id)| (machine.tree.scalar("!!int", &at.to_string()), item);
                items.into_iter().enumerate().map(number).collect()
            }
            _ if machine.tree.is_null(target) => continue,
            _ => return Err(format!("{} has no keys", machine.tree[target].tag)),
        };
        let list = machine.tree.replacement(node, Kind::Sequence, "!!seq", "");
        machine.tree[list].comments = machine.tree[node].comments.clone();
        machine.tree[list].leading = machine.tree[node].leading.clone();
        for (key, value) in pairs {
            let entry = machine.tree.make(Kind::Mapping, "!!map", "");
            let (name, label) = (machine.tree.string("key"), machine.tree.string("value"));
            let (key, value) = (machine.tree.copy(key), machine.tree.copy(value));
            machine.tree.attach_pair(entry, name, key);
            machine.tree.attach_pair(entry, label, value);
            machine.tree.attach(list, entry);
        }
        found.push(list);
    }
    Ok(found)
}

/// `from_entries`: the mapping of a list of entries. The tag and comments of the list stay.
///
/// # Errors
/// An entry without `key` or `value`, with its position.
pub fn from_entries(machine: &mut Machine, node: Id) -> Result<Id, String> {
    if machine.tree[node].kind != Kind::Sequence {
        return Err("from entries only runs against arrays".to_owned());
    }
    let new = machine.tree.copy_empty(node);
    machine.tree[new].kind = Kind::Mapping;
    machine.tree[new].tag = "!!map".into();
    for (place, entry) in machine.tree[node].content.clone().into_iter().enumerate() {
        let part = |name: &str| {
            let found = machine.tree.member(entry, name);
            found.ok_or_else(|| {
                format!("expected to find one '{name}' entry but found 0 in position {place}")
            })
        };
        let (key, value) = (part("key")?, part("value")?);
        machine.tree.insert(new, key, value);
    }
    Ok(new)
}

/// `with_entries(BODY)`: both conversions with BODY run on each entry in between. What BODY drops is gone.
pub fn with_entries(machine: &mut Machine, context: &Context, body: &Expression) -> Found {
    let mut found = Vec::new();
    for list in entries(machine, context)? {
        let mut results = Vec::new();
        for entry in machine.tree[list].content.clone() {
            results.extend(machine.run(&context.one(entry), body)?);
        }
        let collected = machine.tree.copy_empty(list);
        for result in results {
            machine.tree.append(collected, result);
        }
        found.push(from_entries(machine, collected)?);
    }
    Ok(found)
}

/// `array_to_map`: indices become keys; nulls are left out.
pub fn array_to_map(machine: &mut Machine, node: Id) -> Result<Id, String> {
    let new = machine.tree.replacement(node, Kind::Mapping, "!!map", "");
    for (at, item) in machine.tree[node].content.clone().into_iter().enumerate() {
        if !machine.tree.is_null(item) {
            let key = machine.tree.scalar("!!int", &at.to_string());
            machine.tree.insert(new, key, item);
        }
    }
    Ok(new)
}

/// `pivot`: rows to columns. Of a list of mappings a mapping of lists, of a list of lists a list of lists:
///
/// ```text
/// [{a: 1, b: 2}, {a: 3}] → {a: [1, 3], b: [2, null]}
/// [[1, 2], [3]]          → [[1, 3], [2, null]]
/// ```
pub fn pivot(machine: &mut Machine, node: Id) -> Result<Id, String> {
    let rows = machine.tree[node].content.clone();
    if machine.tree[node].kind != Kind::Sequence || rows.is_empty() {
        return Err("can only pivot elements of !!seq types".to_owned());
    }
    if rows
        .iter()
        .all(|&row| machine.tree[row].kind == Kind::Mapping)
    {
        let new = machine.tree.replacement(node, Kind::Mapping, "!!map", "");
        let mut names: Vec<(Id, std::rc::Rc<str>)> = Vec::new();
        for &row in &rows {
            for (key, _) in machine.tree.pairs(row) {
                let name = machine.tree[key].value.clone();
                if !names.iter().any(|(_, other)| *other == name) {
                    names.push((key, name));
                }
            }
        }
        for (key, name) in names {
            let list = machine.tree.make(Kind::Sequence, "!!seq", "");
            for &row in &rows {
                let value = machine.tree.member(row, &name);
                let value = value.unwrap_or_else(|| machine.tree.scalar("!!null", ""));
                machine.tree.append(list, value);
            }
            machine.tree.insert(new, key, list);
        }
        return Ok(new);
    }
    let new = machine.tree.replacement(node, Kind::Sequence, "!!seq", "");
    let columns = rows
        .iter()
        .map(|&row| machine.tree[row].content.len())
        .max()
        .unwrap_or(0);
    for column in 0..columns {
        let list = machine.tree.make(Kind::Sequence, "!!seq", "");
        for &row in &rows {
            let value = machine.tree[row].content.get(column).copied();
            let value = value.unwrap_or_else(|| machine.tree.scalar("!!null", ""));
            machine.tree.append(list, value);
        }
        machine.tree.attach(new, list);
    }
    Ok(new)
}
