//! YAML text to nodes.
//!
//! The parser is saphyr's (YAML 1.2). It gives events with their places; comments and the names of anchors, which it
//! leaves out, are found in the text between (`comments`). Plain scalars get their tags by `scalar::resolve`. Merge
//! keys (`<<`) are kept as pairs; paths look through them, `explode` resolves them.

use std::collections::HashMap;
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

use super::comments;
use super::scalar;
use super::tree::{Id, Kind, Style, Tree};

/// How deep documents may be nested: what walks them later uses the stack of the program, and a text of many `[` would
/// otherwise end it.
const MAX_DEPTH: usize = 1_000;

/// Reads all documents of a text; gives their roots.
///
/// `file` is stored in every node. A text without a document gives no roots.
///
/// # Errors
/// `yaml: …` with the parser's message and place.
pub fn documents(tree: &mut Tree, text: &str, file: usize) -> Result<Vec<Id>, String> {
    let (leading, body) = comments::split_leading(text);
    let mut reader = Reader {
        tree,
        text: comments::Text::new(body),
        open: Vec::new(),
        roots: Vec::new(),
        entries: Vec::new(),
        anchors: HashMap::new(),
        aliases: Vec::new(),
        anchor_nodes: Vec::new(),
        file,
    };
    for event in Parser::new_from_str(body) {
        let (event, span) = event.map_err(|error| format!("yaml: {error}"))?;
        reader.event(event, span)?;
    }
    let Reader {
        tree,
        text,
        roots,
        entries,
        anchor_nodes,
        aliases,
        ..
    } = reader;
    let names = text.anchor_names();
    for (node, number) in anchor_nodes {
        if let Some(name) = names.get(number - 1) {
            tree[node].anchor.clone_from(name);
        }
    }
    for (node, target) in aliases {
        tree[node].value = tree[target].anchor.as_str().into();
    }
    comments::attach(tree, &text, &entries, &roots);
    if let Some(&first) = roots.first() {
        tree[first].leading = leading.into();
    }
    Ok(roots)
}

/// A node with the places where its text starts and ends, for the comments around it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The node.
    pub node: Id,
    /// Line and column, both from 0, of its first character.
    pub start: (usize, usize),
    /// The place behind its last character. For block collections that of their start.
    pub end: (usize, usize),
    /// It is a key or an item of a block collection, and so may have comments on lines of their own.
    pub is_block_child: bool,
}

/// A collection that has not ended.
struct Open {
    node: Id,
    /// The key whose value comes next, in a mapping.
    key: Option<Id>,
    /// It is written in brackets.
    flow: bool,
    /// The index of its entry.
    entry: usize,
}

/// The state between events.
struct Reader<'a, 't> {
    tree: &'a mut Tree,
    text: comments::Text<'t>,
    /// The collections around the next node, the innermost last.
    open: Vec<Open>,
    /// The documents so far.
    roots: Vec<Id>,
    /// All nodes in the order of the text.
    entries: Vec<Entry>,
    /// Nodes by the number that the parser gave their anchor.
    anchors: HashMap<usize, Id>,
    /// Aliases and their targets, whose names are known at the end.
    aliases: Vec<(Id, Id)>,
    /// Nodes with an anchor and its number.
    anchor_nodes: Vec<(Id, usize)>,
    file: usize,
}

/// The tag as it is written.
fn tag_text(tag: &Tag) -> String {
    if tag.is_yaml_core_schema() {
        format!("!!{}", tag.suffix)
    } else if tag.handle == "!" || tag.handle.is_empty() {
        format!("!{}", tag.suffix)
    } else {
        format!("{}{}", tag.handle, tag.suffix)
    }
}

impl Reader<'_, '_> {
    /// One event of the parser.
    fn event(&mut self, event: Event, span: Span) -> Result<(), String> {
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                self.scalar(&value, style, anchor, tag.as_deref(), span);
            }
            Event::Alias(anchor) => {
                let target = self.anchors.get(&anchor).copied();
                let target = target.ok_or("yaml: unknown anchor")?;
                let node = self.tree.make(Kind::Alias, "", "");
                self.tree[node].alias = Some(target);
                self.aliases.push((node, target));
                self.text.exclude(span, false);
                self.place(node, span);
            }
            Event::SequenceStart(anchor, tag) => {
                self.start(Kind::Sequence, "!!seq", anchor, tag.as_deref(), span)?;
            }
            Event::MappingStart(anchor, tag) => {
                self.start(Kind::Mapping, "!!map", anchor, tag.as_deref(), span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop()
                    && open.flow
                {
                    self.entries[open.entry].end = (span.end.line() - 1, span.end.col());
                }
            }
            Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::StreamStart
            | Event::StreamEnd
            | Event::Nothing => {}
        }
        Ok(())
    }

    /// A scalar. Quoted ones are strings, plain ones are what they look like.
    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        span: Span,
    ) {
        let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let (style, resolved) = match style {
            ScalarStyle::Plain => (Style::Plain, scalar::resolve(value)),
            ScalarStyle::SingleQuoted => (Style::Single, "!!str"),
            ScalarStyle::DoubleQuoted => (Style::Double, "!!str"),
            ScalarStyle::Literal => (Style::Literal, "!!str"),
            ScalarStyle::Folded => (Style::Folded, "!!str"),
        };
        let node = self.tree.scalar(resolved, value);
        self.tree[node].style = style;
        self.properties(node, anchor, tag);
        self.text.exclude(span, block);
        self.place(node, span);
    }

    /// Anchor and tag of a node; 0 is no anchor.
    fn properties(&mut self, node: Id, anchor: usize, tag: Option<&Tag>) {
        if let Some(tag) = tag {
            self.tree[node].tag = tag_text(tag).into();
            self.tree[node].tagged = true;
        }
        if anchor > 0 {
            self.anchors.insert(anchor, node);
            self.anchor_nodes.push((node, anchor));
        }
    }

    /// The start of a collection.
    fn start(
        &mut self,
        kind: Kind,
        plain: &str,
        anchor: usize,
        tag: Option<&Tag>,
        span: Span,
    ) -> Result<(), String> {
        if self.open.len() >= MAX_DEPTH {
            return Err(format!("yaml: nested deeper than {MAX_DEPTH} levels"));
        }
        let node = self.tree.make(kind, plain, "");
        self.properties(node, anchor, tag);
        let flow = self
            .text
            .character(span.start.line() - 1, span.start.col())
            .is_some_and(|c| (c == '[' || c == '{') && span.start.index() < span.end.index());
        if flow {
            self.tree[node].style = Style::Flow;
        }
        let entry = self.place(node, span);
        self.open.push(Open {
            node,
            key: None,
            flow,
            entry,
        });
        Ok(())
    }

    /// Puts a node where the parser is; gives the number of its entry.
    fn place(&mut self, node: Id, span: Span) -> usize {
        let start = (span.start.line() - 1, span.start.col());
        let end = (span.end.line() - 1, span.end.col());
        let document = self.roots.len();
        let mut is_block_child = false;
        match self.open.last_mut() {
            None => self.roots.push(node),
            Some(open) if self.tree[open.node].kind == Kind::Sequence => {
                is_block_child = !open.flow;
                self.tree.attach(open.node, node);
            }
            Some(open) => match open.key.take() {
                Some(key) => self.tree.attach_pair(open.node, key, node),
                None => {
                    is_block_child = !open.flow;
                    self.tree[node].is_key = true;
                    if self.tree[node].style == Style::Plain && &*self.tree[node].value == "<<" {
                        self.tree[node].tag = Rc::from("!!merge");
                    }
                    open.key = Some(node);
                }
            },
        }
        let data = &mut self.tree[node];
        data.document = document.saturating_sub(usize::from(document > 0 && !self.open.is_empty()));
        data.file = self.file;
        (data.line, data.column) = (start.0 + 1, start.1 + 1);
        self.entries.push(Entry {
            node,
            start,
            end,
            is_block_child,
        });
        self.entries.len() - 1
    }
}
