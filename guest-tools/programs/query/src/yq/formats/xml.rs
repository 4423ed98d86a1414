//! XML: attributes and text of an element become members with names of their own (`XmlNames`).
//!
//! ```text
//! <a id="1">x<b/><b>y</b></a>      a:
//!                                    +content: x
//!                                    +@id: "1"
//!                                    b:
//!                                      -
//!                                      - y
//! ```
//!
//! Elements of the same name make a list. An element with nothing but text is a string, an empty one null. The
//! declaration and processing instructions are `+p_NAME`, the document type is `+directive`, and comments are YAML's.
//! Which text stood between which elements is lost, so is the order of different elements that alternate. Parsing is
//! that of `crate::xml`.

use super::super::tree::{Id, Kind, Tree};
use super::XmlNames;
use crate::xml::dom::{Content, Document, Id as Part, ROOT};
use crate::xml::parse;

/// Reads a document.
pub fn read(tree: &mut Tree, text: &str, names: &XmlNames) -> Result<Id, String> {
    let document = parse::document(text.trim_start_matches('\u{feff}'))
        .map_err(|wrong| format!("XML syntax error on line {}: {}", wrong.line, wrong.message))?;
    let root = tree.make(Kind::Mapping, "!!map", "");
    if let Some(declaration) = &document.declaration {
        let key = tree.string(&format!("{}xml", names.processing));
        let value = tree.string(declaration);
        tree.attach_pair(root, key, value);
    }
    children(tree, &document, ROOT, root, names);
    Ok(root)
}

/// A comment as YAML has it, a `#` in front of each line.
fn comment(text: &str) -> String {
    let text = text.trim_end();
    let text = text
        .strip_prefix(|c: char| c.is_whitespace())
        .map_or(text, str::trim_start);
    let lines: Vec<String> = text
        .lines()
        .map(|line| format!("# {}", line.trim()))
        .collect();
    lines.join("\n")
}

/// Adds the children of an element to a mapping, but for text. Comments go above the member that follows, the last ones
/// below.
fn children(tree: &mut Tree, document: &Document, part: Part, mapping: Id, names: &XmlNames) {
    let mut head = String::new();
    let mut last: Option<Id> = None;
    for &child in document.children(part) {
        let (name, value) = match &document[child].content {
            Content::Comment(text) => {
                let text = comment(text);
                if head.is_empty() {
                    head = text;
                } else {
                    head = format!("{head}\n{text}");
                }
                continue;
            }
            Content::Element { name, .. } => (name.clone(), element(tree, document, child, names)),
            Content::Instruction { target, content } => (
                format!("{}{target}", names.processing),
                tree.string(content),
            ),
            Content::Doctype(text) => (
                names.directive.clone(),
                tree.string(&format!("DOCTYPE {text}")),
            ),
            _ => continue,
        };
        let key = put(tree, mapping, &name, value);
        if !head.is_empty() {
            tree[key].comments.head = std::mem::take(&mut head);
        }
        last = Some(key);
    }
    if let (false, Some(last)) = (head.is_empty(), last) {
        tree[last].comments.foot = head;
    }
}

/// Adds a member; one that is there already becomes a list. Gives the key.
fn put(tree: &mut Tree, mapping: Id, name: &str, value: Id) -> Id {
    match tree.member(mapping, name) {
        None => {
            let key = tree.string(name);
            tree.attach_pair(mapping, key, value);
            key
        }
        Some(old) => {
            let key = tree[old].key.unwrap_or(old);
            if tree[old].kind == Kind::Sequence {
                tree.attach(old, value);
                return value;
            }
            let list = tree.make(Kind::Sequence, "!!seq", "");
            tree.attach(list, old);
            tree.attach(list, value);
            (tree[list].parent, tree[list].key) = (Some(mapping), Some(key));
            let content: Vec<Id> = tree[mapping]
                .content
                .iter()
                .map(|&id| if id == old { list } else { id })
                .collect();
            tree[mapping].content = content;
            value
        }
    }
}

/// An element as a node.
fn element(tree: &mut Tree, document: &Document, part: Part, names: &XmlNames) -> Id {
    let texts: Vec<String> = document
        .children(part)
        .iter()
        .filter_map(|&child| match &document[child].content {
            Content::Text(text) | Content::Cdata(text) => Some(text.trim().to_owned()),
            _ => None,
        })
        .filter(|text| !text.is_empty())
        .collect();
    let has_elements = document.children(part).iter().any(|&child| {
        matches!(
            document[child].content,
            Content::Element { .. } | Content::Instruction { .. }
        )
    });
    let attributes = document.attributes(part);
    if attributes.is_empty() && !has_elements {
        let value = content(tree, &texts);
        for &child in document.children(part) {
            if let Content::Comment(text) = &document[child].content {
                tree[value].comments.line = comment(text);
            }
        }
        return value;
    }
    let mapping = tree.make(Kind::Mapping, "!!map", "");
    if !texts.is_empty() {
        let key = tree.string(&names.content);
        let value = content(tree, &texts);
        tree.attach_pair(mapping, key, value);
    }
    for &attribute in attributes {
        if let Content::Attribute { name, value } = &document[attribute].content {
            let key = tree.string(&format!("{}{name}", names.attribute));
            let value = tree.string(value);
            tree.attach_pair(mapping, key, value);
        }
    }
    children(tree, document, part, mapping, names);
    mapping
}

/// Texts as one node: null, a string, or a list of strings.
fn content(tree: &mut Tree, texts: &[String]) -> Id {
    match texts {
        [] => tree.scalar("!!null", ""),
        [text] => tree.string(text),
        _ => {
            let list = tree.make(Kind::Sequence, "!!seq", "");
            for text in texts {
                let text = tree.string(text);
                tree.attach(list, text);
            }
            list
        }
    }
}

/// Writes a mapping as a document; a scalar as escaped text. An `indent` of 0 writes no line breaks.
pub fn write(tree: &Tree, id: Id, indent: usize, names: &XmlNames) -> Result<String, String> {
    let mut writer = Writer {
        tree,
        names,
        indent,
        out: String::new(),
    };
    match tree[id].kind {
        Kind::Mapping => writer.top(id)?,
        Kind::Scalar => {
            writer.out.push_str(&escape(&tree[id].value));
            writer.out.push('\n');
        }
        _ => return Err(format!("unsupported type {}", tree[id].tag)),
    }
    if indent == 0 && !writer.out.ends_with('\n') {
        writer.out.push('\n');
    }
    Ok(writer.out)
}

/// The text that is written.
struct Writer<'a> {
    tree: &'a Tree,
    names: &'a XmlNames,
    indent: usize,
    out: String,
}

/// Text and attributes with the five special characters escaped, as Go's `encoding/xml` writes them.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

impl Writer<'_> {
    /// Begins a line at a depth, but at the start of the text.
    fn line(&mut self, depth: usize) {
        if self.indent > 0 && !self.out.is_empty() {
            if !self.out.ends_with('\n') {
                self.out.push('\n');
            }
            self.out
                .extend(std::iter::repeat_n(' ', self.indent * depth));
        }
    }

    /// Writes comments as one XML comment; `--` in it becomes `- -`.
    fn comments(&mut self, text: &str, depth: usize) {
        if text.is_empty() {
            return;
        }
        self.line(depth);
        let lines: Vec<&str> = text
            .lines()
            .map(|line| line.trim_start_matches('#').trim())
            .collect();
        self.out.push_str(&format!(
            "<!-- {} -->",
            lines.join(" ").replace("--", "- -")
        ));
    }

    /// Writes the members of the document.
    fn top(&mut self, id: Id) -> Result<(), String> {
        let leading = self.tree[id].leading.clone();
        self.comments(leading.trim(), 0);
        for (key, value) in self.tree.pairs(id) {
            let name = self.tree[key].value.to_string();
            let node = &self.tree[self.tree.follow(value)];
            if name == self.names.directive {
                self.line(0);
                self.out.push_str(&format!("<!{}>", node.value));
            } else if let Some(target) = name.strip_prefix(&self.names.processing) {
                self.line(0);
                self.out.push_str(&format!("<?{target} {}?>", node.value));
            } else {
                let comments = self.tree[key].comments.clone();
                self.comments(&comments.head, 0);
                self.element(&name, value, 0)?;
                self.comments(&comments.foot, 0);
            }
        }
        if self.indent > 0 && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        Ok(())
    }

    /// Writes a member: a list as elements of the same name, a mapping as one with children.
    fn element(&mut self, name: &str, value: Id, depth: usize) -> Result<(), String> {
        const MAX_DEPTH: usize = 256;
        if depth > MAX_DEPTH {
            return Err("xml: nested too deep".to_owned());
        }
        let value = self.tree.follow(value);
        match self.tree[value].kind {
            Kind::Sequence => {
                for &item in &self.tree[value].content {
                    self.element(name, item, depth)?;
                }
                Ok(())
            }
            Kind::Mapping => self.mapping(name, value, depth),
            _ => {
                self.line(depth);
                let node = &self.tree[value];
                let text = if self.tree.is_null(value) {
                    String::new()
                } else {
                    escape(&node.value)
                };
                self.out.push_str(&format!("<{name}>{text}</{name}>"));
                let comment = node.comments.line.clone();
                if !comment.is_empty() {
                    self.out.truncate(self.out.len() - name.len() - 3);
                    self.out.push_str(&format!(
                        "<!-- {} --></{name}>",
                        comment.trim_start_matches('#').trim()
                    ));
                }
                Ok(())
            }
        }
    }

    /// Writes an element with attributes and children. An attribute has to be a scalar.
    fn mapping(&mut self, name: &str, value: Id, depth: usize) -> Result<(), String> {
        self.line(depth);
        self.out.push_str(&format!("<{name}"));
        let mut inside = Vec::new();
        for (key, member) in self.tree.pairs(value) {
            let label = self.tree[key].value.to_string();
            let special = label == self.names.content
                || label == self.names.directive
                || label.starts_with(&self.names.processing);
            match label.strip_prefix(&self.names.attribute) {
                Some(attribute) if !special => {
                    let member = self.tree.follow(member);
                    if self.tree[member].kind != Kind::Scalar {
                        return Err(format!(
                            "cannot use {} as attribute, only scalars are supported",
                            self.tree[member].tag
                        ));
                    }
                    let text = escape(&self.tree[member].value);
                    self.out.push_str(&format!(" {attribute}=\"{text}\""));
                }
                _ => inside.push((key, label, member)),
            }
        }
        self.out.push('>');
        let mut lines = false;
        for (key, label, member) in inside {
            let comments = self.tree[key].comments.clone();
            self.comments(&comments.head, depth + 1);
            if label == self.names.content {
                let member = self.tree.follow(member);
                let text = match self.tree[member].kind {
                    Kind::Sequence => {
                        let items = self.tree[member].content.iter();
                        items
                            .map(|&item| escape(&self.tree[item].value))
                            .collect::<String>()
                    }
                    _ => escape(&self.tree[member].value),
                };
                self.out.push_str(&text);
            } else if let Some(target) = label.strip_prefix(&self.names.processing) {
                self.line(depth + 1);
                self.out
                    .push_str(&format!("<?{target} {}?>", self.tree[member].value));
                lines = true;
            } else {
                self.element(&label, member, depth + 1)?;
                lines = true;
            }
            self.comments(&comments.foot, depth + 1);
        }
        if lines {
            self.line(depth);
        }
        self.out.push_str(&format!("</{name}>"));
        Ok(())
    }
}
