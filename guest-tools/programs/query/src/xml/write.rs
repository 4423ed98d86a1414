//! Documents and nodes as text, as libxml2 writes them.
//!
//! An element without children is `<a/>`. With `format` elements go on lines of their own, indented by two blanks,
//! except within an element that has text among its children, whose content stays as it is. Of the declaration encoding
//! and `standalone` are kept; the output is UTF-8 in any case.

use super::dom::{Content, Document, Id, ROOT};

/// Writes a whole document with its declaration; `format` indents it.
pub fn document(document: &Document, format: bool) -> String {
    let mut out = String::from("<?xml version=\"1.0\"");
    if let Some(declaration) = &document.declaration {
        for name in ["encoding", "standalone"] {
            if let Some(value) = attribute(declaration, name) {
                out.push_str(&format!(" {name}=\"{value}\""));
            }
        }
    }
    out.push_str("?>\n");
    for &child in document.children(ROOT) {
        node(document, child, format.then_some(0), &mut out);
        out.push('\n');
    }
    out
}

/// The value of a pseudo-attribute of a declaration: `encoding` of `version="1.0" encoding="UTF-8"`.
fn attribute<'d>(declaration: &'d str, name: &str) -> Option<&'d str> {
    let rest = declaration
        .split_once(name)?
        .1
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let quote = rest.chars().next()?;
    rest[1..].split(quote).next()
}

/// Text with its special characters escaped; in attributes quotes, newlines and tabs as well.
fn escape(text: &str, attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if attribute => out.push_str("&quot;"),
            '\n' if attribute => out.push_str("&#10;"),
            '\t' if attribute => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            c => out.push(c),
        }
    }
    out
}

/// Writes a node with all that is in it. With a depth its children are indented; an attribute is written with a blank
/// in front.
pub fn node(document: &Document, id: Id, depth: Option<usize>, out: &mut String) {
    match &document[id].content {
        Content::Document => {}
        Content::Text(text) => out.push_str(&escape(text, false)),
        Content::Cdata(text) => out.push_str(&format!("<![CDATA[{text}]]>")),
        Content::Comment(text) => out.push_str(&format!("<!--{text}-->")),
        Content::Instruction { target, content } if content.is_empty() => {
            out.push_str(&format!("<?{target}?>"))
        }
        Content::Instruction { target, content } => {
            out.push_str(&format!("<?{target} {content}?>"))
        }
        Content::Doctype(text) => out.push_str(&format!("<!DOCTYPE {}>", text.trim())),
        Content::Attribute { name, value } => {
            out.push_str(&format!(" {name}=\"{}\"", escape(value, true)))
        }
        Content::Element {
            name,
            attributes,
            children,
        } => {
            out.push('<');
            out.push_str(name);
            for &attribute in attributes {
                node(document, attribute, None, out);
            }
            if children.is_empty() {
                out.push_str("/>");
                return;
            }
            out.push('>');
            let text =
                |id: &Id| matches!(document[*id].content, Content::Text(_) | Content::Cdata(_));
            let depth = depth.filter(|_| !children.iter().any(text));
            let line = |depth: Option<usize>, out: &mut String| {
                if let Some(depth) = depth {
                    out.push('\n');
                    out.extend(std::iter::repeat_n("  ", depth));
                }
            };
            for &child in children {
                line(depth.map(|depth| depth + 1), out);
                node(document, child, depth.map(|depth| depth + 1), out);
            }
            line(depth, out);
            out.push_str(&format!("</{name}>"));
        }
    }
}

/// Takes away the text between elements that is only blanks, so that `format` can indent anew. Elements with other
/// text, and those with a single child, keep theirs.
pub fn drop_blanks(document: &mut Document) {
    for place in 0..document.len() {
        let id = Id(place as u32);
        let children = document.children(id).to_vec();
        let is_text = |id: &Id| matches!(document[*id].content, Content::Text(_));
        let is_blank = |id: &Id| matches!(&document[*id].content, Content::Text(text) if text.trim().is_empty());
        if children.len() < 2 || children.iter().any(|id| is_text(id) && !is_blank(id)) {
            continue;
        }
        let kept: Vec<Id> = children
            .iter()
            .copied()
            .filter(|id| !is_blank(id))
            .collect();
        if kept.len() != children.len() {
            document.set_children(id, kept);
        }
    }
}
