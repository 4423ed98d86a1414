//! What a node has besides its value: style, tag, anchor, comments; the pages "Style", "Tag", "Anchor and Alias" and
//! "Comment Operators" of the manual.

use super::evaluate::Machine;
use super::tree::{Id, Kind, Style};

/// The name of a style, as `style` gives it; empty for plain.
fn style_name(style: Style) -> &'static str {
    match style {
        Style::Plain => "",
        Style::Single => "single",
        Style::Double => "double",
        Style::Literal => "literal",
        Style::Folded => "folded",
        Style::Flow => "flow",
    }
}

/// The text of an attribute in the place of the node. `name` is without underscores and in lower case.
///
/// Comments are without their `#`. The head comment of the first document is what stands before it.
pub fn attribute(machine: &mut Machine, node: Id, name: &str) -> Id {
    let data = &machine.tree[node];
    let bare = |comment: &str| {
        let lines: Vec<&str> = comment
            .lines()
            .map(|line| {
                line.strip_prefix("# ")
                    .unwrap_or(line.strip_prefix('#').unwrap_or(line))
            })
            .collect();
        lines.join("\n")
    };
    let text = match name {
        "style" => style_name(data.style).to_owned(),
        "tag" | "type" => data.tag.to_string(),
        "anchor" => data.anchor.clone(),
        "alias" if data.kind == Kind::Alias => data.value.to_string(),
        "alias" => String::new(),
        "linecomment" => bare(&data.comments.line),
        "headcomment" if !data.leading.is_empty() => {
            let lines: Vec<&str> = data
                .leading
                .trim_end()
                .lines()
                .filter(|line| *line != "---")
                .collect();
            bare(&lines.join("\n"))
        }
        "headcomment" => bare(&data.comments.head),
        _ => bare(&data.comments.foot),
    };
    let new = machine.tree.replacement(node, Kind::Scalar, "!!str", &text);
    machine.tree[new].is_key = false;
    new
}

/// Sets what `style`, `tag` and the like name.
///
/// Comments are stored as they are given; the writer adds `# `. A tag of YAML's core is not written out, others are.
/// `alias` makes the node an alias of that name, whatever it was.
///
/// # Errors
/// A style that does not exist.
pub fn set_attribute(
    machine: &mut Machine,
    node: Id,
    name: &str,
    text: &str,
) -> Result<(), String> {
    let data = &mut machine.tree[node];
    match name.replace('_', "").to_ascii_lowercase().as_str() {
        "style" => {
            data.style = match text {
                "" => Style::Plain,
                "single" => Style::Single,
                "double" => Style::Double,
                "literal" => Style::Literal,
                "folded" => Style::Folded,
                "flow" => Style::Flow,
                "tagged" => {
                    data.tagged = true;
                    return Ok(());
                }
                other => return Err(format!("unknown style {other}")),
            }
        }
        "tag" | "type" => {
            data.tag = text.into();
            let core = [
                "str",
                "int",
                "float",
                "bool",
                "null",
                "map",
                "seq",
                "timestamp",
                "merge",
            ];
            data.tagged = !text
                .strip_prefix("!!")
                .is_some_and(|name| core.contains(&name));
        }
        "anchor" => data.anchor = text.to_owned(),
        "alias" if !text.is_empty() => {
            (data.kind, data.value) = (Kind::Alias, text.into());
            data.content = Vec::new();
        }
        "alias" => {}
        "linecomment" => data.comments.line = text.to_owned(),
        "headcomment" => {
            data.comments.head = text.to_owned();
            data.leading = "".into();
        }
        "footcomment" => data.comments.foot = text.to_owned(),
        _ => {
            data.comments.line = text.to_owned();
            data.comments.head = text.to_owned();
            data.comments.foot = text.to_owned();
            data.leading = "".into();
        }
    }
    Ok(())
}
