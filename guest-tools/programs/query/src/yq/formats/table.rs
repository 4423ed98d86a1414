//! CSV and TSV (RFC 4180).
//!
//! ```text
//! name,tags                 - name: Ann
//! Ann,"[x, y]"        ↔       tags: [x, y]
//! ```
//!
//! A table with a header is a list of mappings; rows may be shorter or longer than the header, and cells beyond it are
//! dropped.

use super::super::scalar;
use super::super::tree::{Id, Kind, Style, Tree};

/// Reads a table with a header into a list of mappings.
pub fn read(tree: &mut Tree, text: &str, separator: u8, auto_parse: bool) -> Result<Id, String> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let list = tree.make(Kind::Sequence, "!!seq", "");
    let mut names: Option<Vec<String>> = None;
    for row in reader.records() {
        let row = row.map_err(|error| error.to_string())?;
        let Some(names) = &names else {
            names = Some(row.iter().map(str::to_owned).collect());
            continue;
        };
        let mapping = tree.make(Kind::Mapping, "!!map", "");
        for (name, cell) in names.iter().zip(row.iter()) {
            let key = tree.string(name);
            let value = value(tree, cell, auto_parse);
            tree.attach_pair(mapping, key, value);
        }
        tree.attach(list, mapping);
    }
    Ok(list)
}

/// A cell as a node: with `auto_parse` a collection in flow style, or a scalar with the type that YAML gives it.
fn value(tree: &mut Tree, cell: &str, auto_parse: bool) -> Id {
    if !auto_parse {
        return tree.string(cell);
    }
    // Cells that hold a collection in flow style are read as one.
    if cell.starts_with(['{', '['])
        && let Ok(roots) = super::super::read::documents(tree, cell, 0)
        && let [root] = roots[..]
    {
        tree[root].style = Style::Plain;
        return root;
    }
    let tag = scalar::resolve(cell);
    tree.scalar(tag, cell)
}

/// Writes a list: of scalars as one row, of lists as rows, of mappings as a table whose columns are the keys of the
/// first one.
///
/// # Errors
/// What is not a list, items of another kind than the first, and collections in cells.
pub fn write(tree: &Tree, id: Id, separator: u8) -> Result<String, String> {
    let id = tree.follow(id);
    let node = &tree[id];
    if node.kind == Kind::Scalar {
        return Ok(format!("{}\n", node.value));
    }
    if node.kind != Kind::Sequence {
        return Err(format!(
            "csv encoding only works for arrays, got: {}",
            node.tag
        ));
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    let first = node
        .content
        .first()
        .map(|&first| tree[tree.follow(first)].kind);
    match first {
        None => return Ok("\n".to_owned()),
        Some(Kind::Mapping) => {
            let items: Vec<Id> = node.content.iter().map(|&item| tree.follow(item)).collect();
            let names: Vec<String> = tree
                .pairs(items[0])
                .into_iter()
                .map(|(key, _)| tree[key].value.to_string())
                .collect();
            for &item in &items {
                if tree[item].kind != Kind::Mapping {
                    return Err(format!(
                        "csv object encoding only works for arrays of flat objects (string key => string/numbers/boolean value), child[{}] is a {}",
                        rows.len(),
                        tree[item].tag
                    ));
                }
                let row: Result<Vec<String>, String> = names
                    .iter()
                    .map(|name| {
                        tree.member(item, name)
                            .map_or(Ok(String::new()), |value| cell(tree, value))
                    })
                    .collect();
                rows.push(row?);
            }
            rows.insert(0, names);
        }
        Some(Kind::Sequence) => {
            for &item in &node.content {
                let item = tree.follow(item);
                if tree[item].kind != Kind::Sequence {
                    return Err(format!(
                        "csv encoding only works for arrays of scalars (string/numbers/booleans), child[{}] is a {}",
                        rows.len(),
                        tree[item].tag
                    ));
                }
                let row: Result<Vec<String>, String> = tree[item]
                    .content
                    .iter()
                    .map(|&value| cell(tree, value))
                    .collect();
                rows.push(row?);
            }
        }
        Some(_) => {
            let row: Result<Vec<String>, String> = node
                .content
                .iter()
                .map(|&value| cell(tree, value))
                .collect();
            rows.push(row?);
        }
    }
    let mut writer = csv::WriterBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .from_writer(Vec::new());
    for row in rows {
        writer
            .write_record(&row)
            .map_err(|error| error.to_string())?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The text of a scalar; null is empty.
fn cell(tree: &Tree, id: Id) -> Result<String, String> {
    let node = &tree[tree.follow(id)];
    match node.kind {
        Kind::Scalar if &*node.tag == "!!null" => Ok(String::new()),
        Kind::Scalar => Ok(node.value.to_string()),
        _ => Err(format!(
            "csv encoding only works for arrays of scalars (string/numbers/booleans), child[0] is a {}",
            node.tag
        )),
    }
}
