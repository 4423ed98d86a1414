//! The nodes of an XML document, in one arena. `xmllint` and `yq` read XML into it.

/// The number of a node in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The root.
    Document,
    Element {
        name: String,
        attributes: Vec<Id>,
        /// Written as one tag where it has no children.
        children: Vec<Id>,
    },
    Attribute {
        name: String,
        value: String,
    },
    /// Text, with references resolved.
    Text(String),
    /// `<![CDATA[…]]>` without its brackets.
    Cdata(String),
    /// `<!--…-->` without its marks.
    Comment(String),
    Instruction {
        target: String,
        content: String,
    },
    /// `<!DOCTYPE …>` without its brackets.
    Doctype(String),
}

/// A node with its parent.
#[derive(Clone, Debug)]
pub struct Node {
    /// The node above; of an attribute its element. None for the root.
    pub parent: Option<Id>,
    /// What it is.
    pub content: Content,
}

/// A document: node 0 is its root; the numbers follow the order of the text.
#[derive(Clone, Debug)]
pub struct Document {
    /// All nodes by their number.
    nodes: Vec<Node>,
    /// The children of the root.
    pub top: Vec<Id>,
    /// What the declaration says, where there is one: `version="1.0"`.
    pub declaration: Option<String>,
}

impl Default for Document {
    fn default() -> Document {
        Document {
            nodes: vec![Node {
                parent: None,
                content: Content::Document,
            }],
            top: Vec::new(),
            declaration: None,
        }
    }
}

impl std::ops::Index<Id> for Document {
    type Output = Node;
    fn index(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

/// The root of every document.
pub const ROOT: Id = Id(0);

impl Document {
    /// Adds a node below another one.
    ///
    /// The number is one more than the last, so nodes must be added in the order of the text.
    pub fn add(&mut self, parent: Id, content: Content) -> Id {
        let id = Id(self.nodes.len() as u32);
        let attribute = matches!(content, Content::Attribute { .. });
        self.nodes.push(Node {
            parent: Some(parent),
            content,
        });
        match &mut self.nodes[parent.0 as usize].content {
            Content::Element { attributes, .. } if attribute => attributes.push(id),
            Content::Element { children, .. } => children.push(id),
            _ => self.top.push(id),
        }
        id
    }

    /// The children of a node in their order.
    pub fn children(&self, id: Id) -> &[Id] {
        match &self[id].content {
            Content::Document => &self.top,
            Content::Element { children, .. } => children,
            _ => &[],
        }
    }

    /// The attributes of a node in their order.
    pub fn attributes(&self, id: Id) -> &[Id] {
        match &self[id].content {
            Content::Element { attributes, .. } => attributes,
            _ => &[],
        }
    }

    /// The name of an element, attribute or instruction.
    pub fn name(&self, id: Id) -> &str {
        match &self[id].content {
            Content::Element { name, .. } | Content::Attribute { name, .. } => name,
            Content::Instruction { target, .. } => target,
            _ => "",
        }
    }

    /// All text below a node, as XPath's `string` has it.
    pub fn text(&self, id: Id) -> String {
        match &self[id].content {
            Content::Attribute { value, .. } => value.clone(),
            Content::Text(text) | Content::Cdata(text) | Content::Comment(text) => text.clone(),
            Content::Instruction { content, .. } => content.clone(),
            Content::Doctype(_) => String::new(),
            Content::Document | Content::Element { .. } => {
                let mut out = String::new();
                let mut pending: Vec<Id> = self.children(id).iter().rev().copied().collect();
                while let Some(at) = pending.pop() {
                    match &self[at].content {
                        Content::Text(text) | Content::Cdata(text) => out.push_str(text),
                        Content::Element { children, .. } => pending.extend(children.iter().rev()),
                        _ => {}
                    }
                }
                out
            }
        }
    }
}

impl Document {
    /// Takes children away from a node.
    ///
    /// The others stay in the arena but cannot be reached from the root.
    pub fn set_children(&mut self, id: Id, kept: Vec<Id>) {
        match &mut self.nodes[id.0 as usize].content {
            Content::Element { children, .. } => *children = kept,
            _ => self.top = kept,
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds text, to the text before it where there is some.
    pub fn add_text(&mut self, parent: Id, text: &str) {
        let last = self.children(parent).last().copied();
        if let Some(last) = last
            && let Content::Text(before) = &mut self.nodes[last.0 as usize].content
        {
            before.push_str(text);
            return;
        }
        self.add(parent, Content::Text(text.to_owned()));
    }
}
