//! Nodes to YAML text, laid out as go-yaml 3 does, which is what mikefarah's `yq` prints.
//!
//! What decides about the output of a node is its style: collections are blocks unless they are empty or in flow
//! style, scalars keep their quotes where the value allows them. A sequence below a key is indented by one step more
//! than the key unless `compact`. Text after a dash begins two columns further, whatever the step is.

use super::scalar;
use super::tree::{Id, Kind, Style, Tree};

/// Writes one document without its leading text.
///
/// `step` is the number of blanks for a level. The text ends with a newline.
pub fn document(tree: &Tree, id: Id, step: usize, compact: bool) -> String {
    let mut writer = Writer {
        tree,
        out: String::new(),
        step,
        compact,
    };
    writer.root(id);
    writer.out
}

struct Writer<'a> {
    tree: &'a Tree,
    out: String,
    /// Blanks for a level.
    step: usize,
    /// Items of a sequence below a key are not indented.
    compact: bool,
}

impl Writer<'_> {
    /// The root with comments above and below it.
    fn root(&mut self, id: Id) {
        let comments = &self.tree[id].comments;
        self.comment(&comments.head, 0);
        if self.is_block(id) {
            let properties = self.properties(id);
            if !properties.is_empty() {
                self.out.push_str(properties.trim_end());
                self.out.push('\n');
            }
            self.block(id, 0, false);
        } else if self.is_block_scalar(id) {
            let text = self.block_scalar(id, self.step);
            self.out.push_str(&text);
        } else {
            let text = self.inline(id, false);
            self.out.push_str(&text);
            self.line_comment(&comments.line);
            self.out.push('\n');
        }
        if !comments.foot.is_empty() {
            self.out.push('\n');
            self.comment(&comments.foot, 0);
        }
    }

    /// Indentation.
    fn pad(&mut self, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Lines of a comment, each with `# ` where it has no `#` of its own.
    fn comment(&mut self, text: &str, indent: usize) {
        for line in text.lines() {
            if !line.is_empty() {
                self.pad(indent);
                if !line.starts_with('#') {
                    self.out.push_str("# ");
                }
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }

    /// A comment at the end of a line. Line ends in it become blanks.
    fn line_comment(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let text = text.replace('\n', " ");
        let mark = if text.starts_with('#') { " " } else { " # " };
        self.out.push_str(mark);
        self.out.push_str(&text);
    }

    /// Whether a node is a collection that takes lines of its own.
    fn is_block(&self, id: Id) -> bool {
        let node = &self.tree[id];
        matches!(node.kind, Kind::Sequence | Kind::Mapping)
            && node.style != Style::Flow
            && !node.content.is_empty()
    }

    /// Whether a node is written as `|` or `>`.
    ///
    /// A plain string with line ends becomes a literal; one with special characters needs double quotes.
    fn is_block_scalar(&self, id: Id) -> bool {
        let node = &self.tree[id];
        if node.kind != Kind::Scalar {
            return false;
        }
        let can = !node.value.is_empty()
            && !node
                .value
                .chars()
                .any(|c| c != '\n' && c != '\t' && scalar::has_special(&c.to_string()));
        match node.style {
            Style::Literal | Style::Folded => can,
            Style::Plain => {
                let space = node.value.contains(" \n") && node.style == Style::Folded;
                can && node.value.contains('\n') && !space && !scalar::is_other(&node.tag)
            }
            _ => false,
        }
    }

    /// Tag and anchor, with a blank after them.
    fn properties(&self, id: Id) -> String {
        let node = &self.tree[id];
        let mut text = String::new();
        if !node.anchor.is_empty() && node.kind != Kind::Alias {
            text.push('&');
            text.push_str(&node.anchor);
            text.push(' ');
        }
        let custom = node.tag.starts_with('!') && !node.tag.starts_with("!!");
        if (node.tagged || custom) && !node.tag.is_empty() && node.kind != Kind::Alias {
            text.push_str(&node.tag);
            text.push(' ');
        }
        text
    }

    /// A collection that takes lines of its own. With `inside` the first line goes on where a dash was written.
    fn block(&mut self, id: Id, indent: usize, mut inside: bool) {
        if self.tree[id].kind == Kind::Mapping {
            let pairs = self.tree.pairs(id);
            let count = pairs.len();
            for (place, (key, value)) in pairs.into_iter().enumerate() {
                self.pair(key, value, indent, std::mem::take(&mut inside));
                self.foot(key, value, indent, place + 1 < count);
            }
        } else {
            let items = &self.tree[id].content;
            for (place, &item) in items.iter().enumerate() {
                self.item(item, indent, std::mem::take(&mut inside));
                self.foot(item, item, indent, place + 1 < items.len());
            }
        }
    }

    /// The foot comment of a pair or item, with a blank line after it where more follows.
    fn foot(&mut self, key: Id, value: Id, indent: usize, more: bool) {
        let mut foot = &self.tree[key].comments.foot;
        if foot.is_empty() {
            foot = &self.tree[value].comments.foot;
        }
        if !foot.is_empty() {
            self.comment(foot, indent);
            if more {
                self.out.push('\n');
            }
        }
    }

    /// A key and its value.
    fn pair(&mut self, key: Id, value: Id, indent: usize, inside: bool) {
        let head = &self.tree[key].comments.head;
        if !head.is_empty() {
            if inside {
                // After a dash: the comment goes on the dash's line.
                self.out.truncate(self.out.trim_end_matches(' ').len());
                self.out.push(' ');
                let mut lines = head.lines();
                self.out.push_str(lines.next().unwrap_or_default());
                self.out.push('\n');
                for line in lines {
                    self.comment(line, indent);
                }
            } else {
                self.comment(head, indent);
            }
        }
        if !inside || !head.is_empty() {
            self.pad(indent);
        }
        let text = self.inline(key, true);
        self.out.push_str(&text);
        self.out.push(':');
        let key_comment = &self.tree[key].comments.line;
        let value_comment = &self.tree[value].comments.line;
        let comment = if value_comment.is_empty() {
            key_comment
        } else {
            value_comment
        };
        if self.is_block(value) {
            let properties = self.properties(value);
            if !properties.is_empty() {
                self.out.push(' ');
                self.out.push_str(properties.trim_end());
            }
            self.line_comment(comment);
            self.out.push('\n');
            let sequence = self.tree[value].kind == Kind::Sequence;
            let deeper = if sequence && self.compact {
                0
            } else {
                self.step
            };
            let head = &self.tree[value].comments.head;
            self.comment(head, indent + deeper);
            self.block(value, indent + deeper, false);
        } else {
            self.tail(value, indent, comment);
        }
    }

    /// What follows a key or a dash on its line.
    fn tail(&mut self, value: Id, indent: usize, comment: &str) {
        if self.is_block_scalar(value) {
            self.out.push(' ');
            let text = self.block_scalar(value, indent + self.step);
            match text.split_once('\n') {
                Some((header, rest)) => {
                    self.out.push_str(header);
                    self.line_comment(comment);
                    self.out.push('\n');
                    self.out.push_str(rest);
                }
                None => self.out.push_str(&text),
            }
            return;
        }
        let text = self.inline(value, false);
        if !text.is_empty() {
            self.out.push(' ');
            self.out.push_str(&text);
        }
        self.line_comment(comment);
        self.out.push('\n');
    }

    /// An item of a sequence.
    fn item(&mut self, item: Id, indent: usize, inside: bool) {
        let comments = &self.tree[item].comments;
        if !comments.head.is_empty() && !inside {
            self.comment(&comments.head, indent);
        }
        if !inside {
            self.pad(indent);
        }
        self.out.push('-');
        if !self.is_block(item) {
            self.tail(item, indent, &comments.line);
            return;
        }
        let properties = self.properties(item);
        if properties.is_empty() {
            self.out.push(' ');
            self.block(item, indent + 2, true);
        } else {
            self.out.push(' ');
            self.out.push_str(properties.trim_end());
            self.out.push('\n');
            self.block(item, indent + 2, false);
        }
    }

    /// A node in one line.
    ///
    /// `key` is for keys, where an alias needs a blank before the colon.
    fn inline(&self, id: Id, key: bool) -> String {
        let node = &self.tree[id];
        let properties = self.properties(id);
        let body = match node.kind {
            Kind::Alias => format!("*{}", node.value),
            Kind::Scalar => self.scalar_text(id, false),
            Kind::Sequence => format!("[{}]", self.flow_items(id)),
            Kind::Mapping => format!("{{{}}}", self.flow_pairs(id)),
        };
        let text = format!("{properties}{body}");
        let text = text.trim_end().to_owned();
        // The colon of a key must not become part of the alias.
        if key && node.kind == Kind::Alias {
            text + " "
        } else {
            text
        }
    }

    /// A node inside a flow collection.
    fn flow(&self, id: Id) -> String {
        let node = &self.tree[id];
        if node.kind == Kind::Scalar {
            format!("{}{}", self.properties(id), self.scalar_text(id, true))
        } else {
            self.inline(id, false)
        }
    }

    /// The items of a flow sequence.
    fn flow_items(&self, id: Id) -> String {
        let items = self.tree[id].content.iter();
        items
            .map(|&item| self.flow(item))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The pairs of a flow mapping.
    fn flow_pairs(&self, id: Id) -> String {
        let pairs = self.tree.pairs(id).into_iter();
        pairs
            .map(|(key, value)| format!("{}: {}", self.flow(key), self.flow(value)))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A scalar in quotes or without: in its style if that can hold the value, in double quotes otherwise. A plain
    /// string is quoted where it would be read as something else, as `true` or `1`.
    fn scalar_text(&self, id: Id, flow: bool) -> String {
        let node = &self.tree[id];
        let value = &*node.value;
        let special = scalar::has_special(value);
        match node.style {
            Style::Double => scalar::double_quoted(value),
            Style::Single if !special => scalar::single_quoted(value),
            Style::Single | Style::Literal | Style::Folded => scalar::double_quoted(value),
            Style::Plain | Style::Flow => {
                let text = matches!(&*node.tag, "!!str" | "") || !node.tag.starts_with("!!");
                if !text && !node.tagged {
                    return value.to_owned();
                }
                if &*node.tag == "!!str" && !node.tagged && scalar::needs_quotes(value) || special {
                    scalar::double_quoted(value)
                } else if scalar::can_be_plain(value, flow) || (value.is_empty() && node.tagged) {
                    value.to_owned()
                } else {
                    scalar::single_quoted(value)
                }
            }
        }
    }

    /// A literal or folded scalar: header, then lines. The header has an indentation indicator where the text begins
    /// with a blank, `-` where it has no final newline and `+` where it has several.
    fn block_scalar(&self, id: Id, indent: usize) -> String {
        let node = &self.tree[id];
        let value = &*node.value;
        let folded = node.style == Style::Folded;
        let mut text = self.properties(id);
        text.push(if folded { '>' } else { '|' });
        if value.starts_with([' ', '\n']) {
            text.push_str(&self.step.to_string());
        }
        let body = value.trim_end_matches('\n');
        match value.len() - body.len() {
            0 => text.push('-'),
            1 if !body.is_empty() => {}
            _ => text.push('+'),
        }
        text.push('\n');
        let lines: Vec<&str> = value
            .strip_suffix('\n')
            .unwrap_or(value)
            .split('\n')
            .collect();
        for (place, line) in lines.iter().enumerate() {
            if !line.is_empty() {
                text.extend(std::iter::repeat_n(' ', indent));
                text.push_str(line);
            }
            text.push('\n');
            let next = lines.get(place + 1);
            let plain = |line: &&str| !line.is_empty() && !line.starts_with([' ', '\t']);
            if folded && plain(line) && next.is_some_and(plain) {
                text.push('\n');
            }
        }
        text
    }
}
