//! TOML 1.0, by the library `toml_edit`.
//!
//! Numbers keep their text but for underscores; `inf` and `nan` are YAML's `.inf` and `.nan`; dates are `!!timestamp`.
//! Tables are mappings, arrays and inline tables are collections in flow style, and flow style is written as such
//! again. Null has no form in TOML and is left out.

use toml_edit::{Item, Table, TableLike, Value};

use super::super::tree::{Id, Kind, Style, Tree, integer, number};

/// Reads a document.
pub fn read(tree: &mut Tree, text: &str) -> Result<Id, String> {
    let document: toml_edit::DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| format!("bad TOML: {}", error.message()))?;
    Ok(table(tree, document.as_table()))
}

/// A table, of any style, as a mapping.
fn table(tree: &mut Tree, table: &dyn TableLike) -> Id {
    let mapping = tree.make(Kind::Mapping, "!!map", "");
    for (name, entry) in table.iter() {
        let key = tree.string(name);
        let child = item(tree, entry);
        tree.attach_pair(mapping, key, child);
    }
    mapping
}

/// What a key stands for, as a node.
fn item(tree: &mut Tree, entry: &Item) -> Id {
    match entry {
        Item::None => tree.null(),
        Item::Value(found) => value(tree, found),
        Item::Table(inner) => table(tree, inner),
        Item::ArrayOfTables(tables) => {
            let list = tree.make(Kind::Sequence, "!!seq", "");
            for inner in tables {
                let child = table(tree, inner);
                tree.attach(list, child);
            }
            list
        }
    }
}

/// A value as a node.
fn value(tree: &mut Tree, found: &Value) -> Id {
    let written = |fallback: String, repr: Option<&str>| repr.map_or(fallback, str::to_owned);
    match found {
        Value::String(text) => tree.string(text.value()),
        Value::Integer(whole) => {
            let repr = whole.as_repr().and_then(|repr| repr.as_raw().as_str());
            let text = written(whole.value().to_string(), repr).replace('_', "");
            tree.scalar("!!int", &text)
        }
        Value::Float(float) => {
            let repr = float.as_repr().and_then(|repr| repr.as_raw().as_str());
            let text = written(float.value().to_string(), repr).replace('_', "");
            let text = text.replace("inf", ".inf").replace("nan", ".nan");
            tree.scalar("!!float", &text)
        }
        Value::Boolean(truth) => tree.scalar("!!bool", &truth.value().to_string()),
        Value::Datetime(time) => tree.scalar("!!timestamp", &time.value().to_string()),
        Value::Array(items) => {
            let list = tree.make(Kind::Sequence, "!!seq", "");
            for inner in items {
                let child = value(tree, inner);
                tree.attach(list, child);
            }
            tree[list].style = Style::Flow;
            list
        }
        Value::InlineTable(inner) => {
            let mapping = table(tree, inner);
            tree[mapping].style = Style::Flow;
            mapping
        }
    }
}

/// Writes a mapping; a scalar is written as its text, anything else is an error.
pub fn write(tree: &Tree, id: Id) -> Result<String, String> {
    if tree[id].kind == Kind::Scalar {
        return Ok(format!("{}\n", tree[id].value));
    }
    if tree[id].kind != Kind::Mapping {
        return Err(format!(
            "TOML encoder expects a mapping at the root level, got {}",
            tree[id].tag
        ));
    }
    let mut document = toml_edit::DocumentMut::new();
    fill(tree, id, document.as_table_mut(), 0)?;
    Ok(document.to_string())
}

/// Fills a table from a mapping: mappings become `[tables]`, lists of mappings `[[arrays of tables]]`, the rest values.
/// A table that has only tables gets no header of its own.
fn fill(tree: &Tree, id: Id, table: &mut Table, depth: usize) -> Result<(), String> {
    const MAX_DEPTH: usize = 200;
    if depth > MAX_DEPTH {
        return Err("toml: nested too deep".to_owned());
    }
    for (key, member) in tree.pairs(id) {
        let member = tree.follow(member);
        let name = &*tree[key].value;
        let node = &tree[member];
        let tables = |items: &[Id]| {
            !items.is_empty()
                && items
                    .iter()
                    .all(|&item| tree[tree.follow(item)].kind == Kind::Mapping)
        };
        let entry = match node.kind {
            _ if tree.is_null(member) => continue,
            Kind::Mapping if node.style != Style::Flow => {
                let mut inner = Table::new();
                fill(tree, member, &mut inner, depth + 1)?;
                let only_tables = !inner.is_empty()
                    && inner
                        .iter()
                        .all(|(_, item)| item.is_table() || item.is_array_of_tables());
                inner.set_implicit(only_tables);
                Item::Table(inner)
            }
            Kind::Sequence if node.style != Style::Flow && tables(&node.content) => {
                let mut list = toml_edit::ArrayOfTables::new();
                for &child in &node.content {
                    let mut inner = Table::new();
                    fill(tree, tree.follow(child), &mut inner, depth + 1)?;
                    list.push(inner);
                }
                Item::ArrayOfTables(list)
            }
            _ => Item::Value(inline(tree, member, depth + 1)?),
        };
        table.insert(name, entry);
    }
    Ok(())
}

/// A node as a value. What cannot be read as its tag says is a string.
fn inline(tree: &Tree, id: Id, depth: usize) -> Result<Value, String> {
    if depth > 200 {
        return Err("toml: nested too deep".to_owned());
    }
    let id = tree.follow(id);
    let node = &tree[id];
    let text = &*node.value;
    Ok(match node.kind {
        Kind::Mapping => {
            let mut table = toml_edit::InlineTable::new();
            for (key, member) in tree.pairs(id) {
                if !tree.is_null(member) {
                    table.insert(&*tree[key].value, inline(tree, member, depth + 1)?);
                }
            }
            Value::InlineTable(table)
        }
        Kind::Sequence => {
            let mut list = toml_edit::Array::new();
            for &item in &node.content {
                list.push(inline(tree, item, depth + 1)?);
            }
            Value::Array(list)
        }
        _ => match &*node.tag {
            "!!int" => match integer(text) {
                Some(whole) => whole.into(),
                None => text.into(),
            },
            "!!float" => number(text).map_or_else(|| text.into(), Value::from),
            "!!bool" => text.eq_ignore_ascii_case("true").into(),
            "!!timestamp" => match text.parse::<toml_edit::Datetime>() {
                Ok(time) => time.into(),
                Err(_) => text.into(),
            },
            _ => text.into(),
        },
    })
}
