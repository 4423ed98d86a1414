//! The documents of `yq` as one arena of nodes.
//!
//! Operators change nodes in place, so that comments, styles and anchors stay where they were, and find the parent of
//! a node (`parent`, `path`), which owned trees could not tell. Nodes are never freed: a run ends before that matters.
//! A node's `parent`, `key` and `index` say where it stands. A result of a computation stands where its operand stood
//! without being in the parent's `content`; that is how `path` works on results.

use std::rc::Rc;

/// The number of a node in its tree.
///
/// Valid in the tree that gave it, and for as long as that lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id(u32);

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Scalar,
    Sequence,
    Mapping,
    /// `*name`: `alias` has the node and `value` the name.
    Alias,
}

/// How a node is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Without quotes, where the value allows that; collections in block style.
    #[default]
    Plain,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// `[…]` and `{…}`.
    Flow,
}

/// The comments of a node. Each line begins with its `#`, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// Lines above the node.
    pub head: String,
    /// What follows the node on its line.
    pub line: String,
    /// Lines below the node.
    pub foot: String,
}

/// One node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// The tag, resolved: `!!str`, `!!int`, `!!map`, or one of somebody's own as it is written.
    pub tag: Rc<str>,
    /// Whether the tag is written out.
    pub tagged: bool,
    /// The text of a scalar without quotes and escapes; the name of an alias; empty for collections.
    pub value: Rc<str>,
    /// How it is written. `Plain` leaves the choice of quotes to the writer.
    pub style: Style,
    /// Items; for mappings keys and values in turn.
    pub content: Vec<Id>,
    /// The collection that it is in; none for roots.
    pub parent: Option<Id>,
    /// The key node of a mapping's value.
    pub key: Option<Id>,
    /// The place in a sequence.
    pub index: usize,
    /// It is the key of a pair.
    pub is_key: bool,
    /// The comments around it.
    pub comments: Comments,
    /// What stands before the first document, as it is written.
    pub leading: Rc<str>,
    /// The name of `&name`; empty without one.
    pub anchor: String,
    /// The node that an alias stands for.
    pub alias: Option<Id>,
    /// The number of its document in the file, from 0. Set on what was read; copies keep it.
    pub document: usize,
    /// The number of its file among the operands, from 0.
    pub file: usize,
    /// Operators see all such nodes at once (`eval-all`).
    pub together: bool,
    /// The line it was read from, from 1; 0 for nodes that were made.
    pub line: usize,
    /// The column it was read from, from 1.
    pub column: usize,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key of a mapping.
    Name(Rc<str>),
    /// The place in a sequence.
    Index(usize),
}

/// All nodes of one run.
pub struct Tree {
    nodes: Vec<Node>,
    /// The empty text, shared by all nodes without leading text.
    empty: Rc<str>,
}

impl std::ops::Index<Id> for Tree {
    type Output = Node;
    fn index(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

impl std::ops::IndexMut<Id> for Tree {
    fn index_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }
}

impl Tree {
    /// A tree without nodes.
    pub fn new() -> Tree {
        Tree {
            nodes: Vec::new(),
            empty: "".into(),
        }
    }

    /// Adds a node.
    pub fn add(&mut self, node: Node) -> Id {
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node);
        id
    }

    /// Adds a node of a kind without content.
    pub fn make(&mut self, kind: Kind, tag: &str, value: &str) -> Id {
        let node = Node {
            kind,
            tag: tag.into(),
            tagged: false,
            value: value.into(),
            style: Style::Plain,
            content: Vec::new(),
            parent: None,
            key: None,
            index: 0,
            is_key: false,
            comments: Comments::default(),
            leading: self.empty.clone(),
            anchor: String::new(),
            alias: None,
            document: 0,
            file: 0,
            together: false,
            line: 0,
            column: 0,
        };
        self.add(node)
    }

    /// Adds a scalar.
    pub fn scalar(&mut self, tag: &str, value: &str) -> Id {
        self.make(Kind::Scalar, tag, value)
    }

    /// Adds a string.
    pub fn string(&mut self, value: &str) -> Id {
        self.scalar("!!str", value)
    }

    /// Adds `null`.
    pub fn null(&mut self) -> Id {
        self.scalar("!!null", "null")
    }

    /// Adds a new node that stands where `owner` stands.
    pub fn replacement(&mut self, owner: Id, kind: Kind, tag: &str, value: &str) -> Id {
        let new = self.make(kind, tag, value);
        let Node {
            parent,
            key,
            index,
            document,
            file,
            together,
            is_key,
            ..
        } = self[owner].clone();
        let node = &mut self[new];
        (node.parent, node.key, node.index) = (parent, key, index);
        (node.document, node.file, node.together, node.is_key) = (document, file, together, is_key);
        new
    }

    /// Copies a node with all that is below it; the copy keeps the place of the original.
    ///
    /// O(size), without recursion.
    pub fn copy(&mut self, id: Id) -> Id {
        let mut pending = Vec::new();
        let root = self.shallow(id);
        pending.push(root);
        while let Some(at) = pending.pop() {
            let mut key = None;
            let mapping = self[at].kind == Kind::Mapping;
            for place in 0..self[at].content.len() {
                let child = self.shallow(self[at].content[place]);
                self[at].content[place] = child;
                self[child].parent = Some(at);
                if mapping && place % 2 == 0 {
                    key = Some(child);
                } else if mapping {
                    self[child].key = key;
                }
                pending.push(child);
            }
        }
        root
    }

    /// A copy of one node; its content is shared with the original.
    fn shallow(&mut self, id: Id) -> Id {
        let node = self[id].clone();
        self.add(node)
    }

    /// Copies a node without what is below it.
    pub fn copy_empty(&mut self, id: Id) -> Id {
        let new = self.shallow(id);
        self[new].content = Vec::new();
        new
    }

    /// A copy of `value` that stands where `owner` stands.
    pub fn copy_into_place(&mut self, owner: Id, value: Id) -> Id {
        let new = self.copy(value);
        let Node {
            parent,
            key,
            index,
            is_key,
            document,
            file,
            ..
        } = self[owner].clone();
        let node = &mut self[new];
        (node.parent, node.key, node.index, node.is_key) = (parent, key, index, is_key);
        (node.document, node.file) = (document, file);
        new
    }

    /// Appends a copy of `item` to a sequence.
    pub fn append(&mut self, sequence: Id, item: Id) -> Id {
        let copy = self.copy(item);
        self.attach(sequence, copy);
        copy
    }

    /// Appends `item` itself to a sequence.
    pub fn attach(&mut self, sequence: Id, item: Id) {
        let index = self[sequence].content.len();
        let node = &mut self[item];
        (node.parent, node.key, node.index, node.is_key) = (Some(sequence), None, index, false);
        self[sequence].content.push(item);
    }

    /// Appends copies of a key and a value to a mapping; gives the copies.
    pub fn insert(&mut self, mapping: Id, key: Id, value: Id) -> (Id, Id) {
        let (key, value) = (self.copy(key), self.copy(value));
        self.attach_pair(mapping, key, value);
        (key, value)
    }

    /// Appends a key and a value themselves to a mapping.
    pub fn attach_pair(&mut self, mapping: Id, key: Id, value: Id) {
        let node = &mut self[key];
        (node.parent, node.key, node.is_key) = (Some(mapping), None, true);
        let node = &mut self[value];
        (node.parent, node.key, node.is_key) = (Some(mapping), Some(key), false);
        self[mapping].content.extend([key, value]);
    }

    /// Gives a mapping's or sequence's content again, with the places in it counted anew.
    ///
    /// Parents are left as they are.
    pub fn set_content(&mut self, id: Id, content: Vec<Id>) {
        if self[id].kind == Kind::Sequence {
            for (index, &child) in content.iter().enumerate() {
                self[child].index = index;
            }
        }
        self[id].content = content;
    }

    /// The pairs of a mapping.
    pub fn pairs(&self, id: Id) -> Vec<(Id, Id)> {
        let content = &self[id].content;
        content
            .chunks_exact(2)
            .map(|two| (two[0], two[1]))
            .collect()
    }

    /// The value of a mapping under exactly this key.
    ///
    /// Of several pairs with the same key the first. O(number of pairs). Merged mappings are not looked at.
    pub fn member(&self, id: Id, key: &str) -> Option<Id> {
        let found = self[id].content.chunks_exact(2);
        found
            .filter(|two| &*self[two[0]].value == key)
            .map(|two| two[1])
            .next()
    }

    /// The node an alias stands for; the node itself where it is none.
    ///
    /// A cycle of aliases ends somewhere in the cycle.
    pub fn follow(&self, mut id: Id) -> Id {
        for _ in 0..self.nodes.len() {
            match (self[id].kind, self[id].alias) {
                (Kind::Alias, Some(target)) => id = target,
                _ => break,
            }
        }
        id
    }

    /// Where a node is, from the root of its document.
    pub fn path(&self, mut id: Id) -> Vec<Step> {
        let mut steps = Vec::new();
        loop {
            let node = &self[id];
            let parent = node.parent;
            match (node.is_key, node.key, parent) {
                (true, _, _) => steps.push(Step::Name(node.value.clone())),
                (_, Some(key), _) => steps.push(Step::Name(self[key].value.clone())),
                (_, None, Some(_)) => steps.push(Step::Index(node.index)),
                _ => {}
            }
            match parent {
                Some(parent) => id = parent,
                None => break,
            }
        }
        steps.reverse();
        steps
    }

    /// The path as messages show it.
    ///
    /// `a.b[0].c`.
    pub fn nice_path(&self, id: Id) -> String {
        let mut text = String::new();
        for step in self.path(id) {
            match step {
                Step::Name(name) if text.is_empty() => text.push_str(&name),
                Step::Name(name) => {
                    text.push('.');
                    text.push_str(&name);
                }
                Step::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }

    /// Whether a node is `null`.
    pub fn is_null(&self, id: Id) -> bool {
        self[id].kind == Kind::Scalar && &*self[id].tag == "!!null"
    }

    /// Everything but `null` and `false`.
    pub fn is_true(&self, id: Id) -> bool {
        let node = &self[id];
        let falsehood = matches!(&*node.value, "false" | "False" | "FALSE");
        !(self.is_null(id) || (&*node.tag == "!!bool" && falsehood))
    }

    /// Whether two nodes have the same value, whatever their styles.
    ///
    /// Numbers are equal by value, other scalars by tag and text, sequences item by item, mappings regardless of
    /// order.
    pub fn is_equal(&self, a: Id, b: Id) -> bool {
        let (x, y) = (&self[a], &self[b]);
        if x.kind != y.kind {
            return false;
        }
        match x.kind {
            Kind::Scalar if &*x.tag != "!!str" && is_number(&x.tag) && is_number(&y.tag) => {
                x.value == y.value || number(&x.value) == number(&y.value)
            }
            Kind::Scalar if &*x.tag == "!!null" => &*y.tag == "!!null",
            Kind::Scalar => x.value == y.value && x.tag == y.tag,
            Kind::Alias => x.value == y.value,
            Kind::Sequence => {
                x.content.len() == y.content.len()
                    && x.content
                        .iter()
                        .zip(&y.content)
                        .all(|(&p, &q)| self.is_equal(p, q))
            }
            Kind::Mapping => {
                x.content.len() == y.content.len()
                    && self.pairs(a).into_iter().all(|(key, value)| {
                        self.pairs(b)
                            .into_iter()
                            .find(|(other, _)| self[*other].value == self[key].value)
                            .is_some_and(|(_, other)| self.is_equal(value, other))
                    })
            }
        }
    }
}

/// Whether a tag is that of a number.
pub fn is_number(tag: &str) -> bool {
    matches!(tag, "!!int" | "!!float")
}

/// The number a scalar stands for.
///
/// `.inf`, `.nan`, `1_000.5` and integers of any base; none for everything else.
pub fn number(text: &str) -> Option<f64> {
    if let Some(whole) = integer(text) {
        return Some(whole as f64);
    }
    match text
        .trim_start_matches(['-', '+'])
        .to_ascii_lowercase()
        .as_str()
    {
        ".inf" if text.starts_with('-') => Some(f64::NEG_INFINITY),
        ".inf" => Some(f64::INFINITY),
        ".nan" => Some(f64::NAN),
        plain if plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            text.replace('_', "").parse().ok()
        }
        _ => None,
    }
}

/// The whole number a scalar stands for, hexadecimal and octal ones too.
///
/// `0x1F`, `0o17`, `0b101`, `-12`. None beyond 64 bits.
pub fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (digits, radix) = match digits.get(..2) {
        Some("0x" | "0X") => (&digits[2..], 16),
        Some("0o") => (&digits[2..], 8),
        Some("0b") => (&digits[2..], 2),
        _ => (digits, 10),
    };
    if digits.starts_with(['-', '+']) {
        return None;
    }
    i64::from_str_radix(digits, radix)
        .ok()
        .map(|value| sign * value)
}
