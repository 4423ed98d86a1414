//! Java properties: a name with dots for each scalar.
//!
//! ```text
//! # who
//! name.first = Ann          name: {first: Ann, tags: [x, y]}
//! name.tags.0 = x           with the comment above `first`
//! name.tags.1 = y
//! ```
//!
//! `=` and `:` separate name and value, `#` and `!` begin comments, which go along with the next name, and a backslash
//! at the end of a line continues it. Values are read as YAML scalars.

use super::super::scalar;
use super::super::tree::{Id, Kind, Tree};
use super::Layout;

/// Reads properties; names with dots become mappings, and numbers in them places of lists.
pub fn read(tree: &mut Tree, text: &str) -> Id {
    let root = tree.make(Kind::Mapping, "!!map", "");
    let mut comment = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut line = line.trim_start().to_owned();
        if line.is_empty() {
            continue;
        }
        if line.starts_with(['#', '!']) {
            if !comment.is_empty() {
                comment.push('\n');
            }
            comment.push_str(&format!("# {}", line[1..].trim()));
            continue;
        }
        while line.ends_with('\\') && !line.ends_with("\\\\") {
            line.pop();
            let Some(next) = lines.next() else { break };
            line.push_str(next.trim_start());
        }
        let split = line.find(['=', ':']).unwrap_or(line.len());
        let name = line[..split].trim();
        let value = unescape(line.get(split + 1..).unwrap_or_default().trim());
        let value = tree.scalar(scalar::resolve(&value), &value);
        if let Some(key) = put(tree, root, name, value) {
            tree[key].comments.head = std::mem::take(&mut comment);
        }
    }
    root
}

/// A value with `\n`, `\t`, `\r` and other backslashes resolved.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, c == '\\') {
            (_, true) => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => {}
            },
            (c, false) => out.push(c),
        }
    }
    out
}

/// How long a list may become because of one number in a name: `a.4000000000 = x` must not take the memory for it. A
/// larger number is a name.
const MAX_LENGTH: usize = 100_000;

/// Puts a value under a dotted name; gives its key. `None` where a part of the name is a scalar already.
///
/// A number is a place in a list where there is a list, or nothing yet below the top; missing places are null.
fn put(tree: &mut Tree, root: Id, name: &str, value: Id) -> Option<Id> {
    let parts: Vec<&str> = name.split('.').collect();
    let mut at = root;
    for (place, part) in parts.iter().enumerate() {
        let last = place + 1 == parts.len();
        let index = part
            .parse::<usize>()
            .ok()
            .filter(|index| *index < MAX_LENGTH);
        let fits = tree[at].kind == Kind::Sequence || (tree[at].content.is_empty() && at != root);
        if let (Some(index), true) = (index, fits) {
            tree[at].kind = Kind::Sequence;
            tree[at].tag = "!!seq".into();
            while tree[at].content.len() <= index {
                let null = tree.null();
                tree.attach(at, null);
            }
            let child = if last {
                value
            } else {
                container(tree, tree[at].content[index])
            };
            (tree[child].parent, tree[child].index) = (Some(at), index);
            tree[at].content[index] = child;
            at = child;
            continue;
        }
        if tree[at].kind != Kind::Mapping {
            return None;
        }
        match tree.member(at, part) {
            Some(old) if !last => at = old,
            Some(old) => {
                let data = tree[value].clone();
                (tree[old].value, tree[old].tag) = (data.value, data.tag);
                at = old;
            }
            None => {
                let key = tree.string(part);
                let child = if last {
                    value
                } else {
                    tree.make(Kind::Mapping, "!!map", "")
                };
                tree.attach_pair(at, key, child);
                at = child;
            }
        }
    }
    tree[at].key
}

/// What was at a place of a list if it can have members, else a new mapping.
fn container(tree: &mut Tree, old: Id) -> Id {
    if tree[old].kind == Kind::Scalar {
        tree.make(Kind::Mapping, "!!map", "")
    } else {
        old
    }
}

/// Writes one line for each scalar, with the comments of its key above it.
pub fn write(tree: &Tree, id: Id, layout: &Layout) -> Result<String, String> {
    let mut out = String::new();
    if tree[id].kind == Kind::Scalar {
        return Ok(format!("{}\n", tree[id].value));
    }
    line(tree, id, "", layout, 0, &mut out)?;
    Ok(out)
}

/// Writes a node whose dotted name is known.
fn line(
    tree: &Tree,
    id: Id,
    name: &str,
    layout: &Layout,
    depth: usize,
    out: &mut String,
) -> Result<(), String> {
    const MAX_DEPTH: usize = 1_000;
    if depth > MAX_DEPTH {
        return Err("props: nested too deep".to_owned());
    }
    let id = tree.follow(id);
    let node = &tree[id];
    match node.kind {
        Kind::Mapping => {
            for (key, value) in tree.pairs(id) {
                let key_node = &tree[key];
                for head in key_node.comments.head.lines() {
                    out.push_str(head);
                    out.push('\n');
                }
                let text = &key_node.value;
                let below = if name.is_empty() {
                    text.to_string()
                } else {
                    format!("{name}.{text}")
                };
                line(tree, value, &below, layout, depth + 1, out)?;
            }
        }
        Kind::Sequence => {
            for (place, &item) in node.content.iter().enumerate() {
                let below = match (name.is_empty(), layout.brackets) {
                    (true, _) => place.to_string(),
                    (false, true) => format!("{name}[{place}]"),
                    (false, false) => format!("{name}.{place}"),
                };
                line(tree, item, &below, layout, depth + 1, out)?;
            }
        }
        _ => {
            for comment in node.comments.head.lines().chain(node.comments.line.lines()) {
                out.push_str(comment);
                out.push('\n');
            }
            let value = node.value.replace('\n', "\\n");
            let value = if !layout.unwrap && &*node.tag == "!!str" {
                format!("\"{value}\"")
            } else {
                value
            };
            let line = format!(
                "{}{}{value}",
                name.replace(' ', "\\ "),
                layout.properties_separator
            );
            out.push_str(line.trim_end_matches('\0'));
            out.push('\n');
        }
    }
    Ok(())
}
