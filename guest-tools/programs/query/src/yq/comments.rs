//! The comments of a YAML text, and to which nodes they belong.
//!
//! The parser (saphyr) drops comments, so they are found again in the text: a `#` after a blank or at the start of a
//! line that is in no scalar. The reader reports the places of all scalars first (`Text::exclude`), then `attach`
//! gives each comment to a node by go-yaml's rules, as far as they can be told from places:
//!
//! ```text
//! # head of a            comments alone on their lines, directly above a node
//! a: 1 # line of a       after a leaf on its line
//! # foot of a            below a node, followed by a blank line or by the end
//! ```
//!
//! Lines and columns count from 0 here, columns in characters.

use saphyr_parser::Span;

use super::read::Entry;
use super::tree::{Id, Kind, Style, Tree};

/// Splits comments, blank lines and the marker before the first document from the rest.
///
/// The first part is printed again as it is, in front of the first document; the second is what the parser gets. A
/// text of comments alone has an empty second part.
pub fn split_leading(text: &str) -> (String, &str) {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let marker = bare == "---" || bare.starts_with("--- #") || bare.starts_with("%YAML");
        if !(bare.is_empty() || bare.starts_with('#') || marker) {
            break;
        }
        end += line.len();
        if bare.starts_with("---") {
            let rest = &text[end..];
            let comments: usize = rest
                .split_inclusive('\n')
                .take_while(|line| line.trim_start().starts_with('#'))
                .map(str::len)
                .sum();
            end += comments;
            break;
        }
    }
    // What is all comments is no document; it is kept as it is.
    (text[..end].to_owned(), &text[end..])
}

/// One comment.
struct Comment {
    /// Line and column of its `#`.
    line: usize,
    column: usize,
    /// The comment from its `#` on, without blanks at its end.
    text: String,
    /// Nothing but blanks stands before it.
    alone: bool,
}

/// The lines of a text, and which parts of them are scalars.
pub struct Text<'t> {
    /// The lines without their ends.
    lines: Vec<&'t str>,
    /// For each line the columns that belong to scalars.
    scalars: Vec<Vec<(usize, usize)>>,
}

impl<'t> Text<'t> {
    /// The lines of `text`.
    pub fn new(text: &'t str) -> Text<'t> {
        let lines: Vec<&str> = text.lines().collect();
        let scalars = vec![Vec::new(); lines.len()];
        Text { lines, scalars }
    }

    /// The character at a place.
    pub fn character(&self, line: usize, column: usize) -> Option<char> {
        self.lines.get(line)?.chars().nth(column)
    }

    /// Marks the place of a scalar.
    ///
    /// `block` is for literal and folded scalars, whose end the indentation tells. The columns of `span` are those of
    /// the parser.
    pub fn exclude(&mut self, span: Span, block: bool) {
        let (first, last) = (span.start.line() - 1, span.end.line() - 1);
        if block {
            self.exclude_block(first);
            return;
        }
        let start = self.after_properties(first, span.start.col());
        for line in first..=last.min(self.lines.len().saturating_sub(1)) {
            let from = if line == first { start } else { 0 };
            let to = if line == last {
                span.end.col()
            } else {
                usize::MAX
            };
            if let Some(scalars) = self.scalars.get_mut(line) {
                scalars.push((from, to));
            }
        }
    }

    /// The column where a scalar itself starts, behind its anchor and tag.
    fn after_properties(&self, line: usize, mut column: usize) -> usize {
        while matches!(self.character(line, column), Some('&' | '!')) {
            while self
                .character(line, column)
                .is_some_and(|c| !c.is_whitespace())
            {
                column += 1;
            }
            while self
                .character(line, column)
                .is_some_and(char::is_whitespace)
            {
                column += 1;
            }
        }
        column
    }

    /// A literal or folded scalar reaches as far as lines are indented more than its first line.
    fn exclude_block(&mut self, header: usize) {
        let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let outer = self.lines.get(header).map_or(0, |line| indent(line));
        let mut first = None;
        for line in header + 1..self.lines.len() {
            let text = self.lines[line];
            if !text.trim().is_empty() {
                let least = *first.get_or_insert(indent(text).max(outer));
                if indent(text) < least || (least == outer && least == 0 && text.starts_with('#')) {
                    break;
                }
            }
            self.scalars[line].push((0, usize::MAX));
        }
    }

    /// Whether a place is in a scalar.
    fn is_scalar(&self, line: usize, column: usize) -> bool {
        let ranges = self.scalars[line].iter();
        ranges
            .clone()
            .any(|&(from, to)| (from..to).contains(&column))
    }

    /// All comments in order, at most one a line.
    fn comments(&self) -> Vec<Comment> {
        let mut found = Vec::new();
        for (line, text) in self.lines.iter().enumerate() {
            if !text.contains('#') {
                continue;
            }
            let mut before = ' ';
            for (column, (at, c)) in text.char_indices().enumerate() {
                if c == '#' && matches!(before, ' ' | '\t') && !self.is_scalar(line, column) {
                    found.push(Comment {
                        line,
                        column,
                        text: text[at..].trim_end().to_owned(),
                        alone: text[..at].trim().is_empty(),
                    });
                    break;
                }
                before = c;
            }
        }
        found
    }

    /// The names of all anchors in order.
    ///
    /// The parser numbers anchors from 1 in the same order, which is how the reader puts the two together.
    pub fn anchor_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (line, text) in self.lines.iter().enumerate() {
            if !text.contains('&') {
                continue;
            }
            let mut before = ' ';
            for (column, (at, c)) in text.char_indices().enumerate() {
                if c == '#' && before == ' ' && !self.is_scalar(line, column) {
                    break;
                }
                if c == '&' && " \t[{,:-".contains(before) && !self.is_scalar(line, column) {
                    let name = text[at + 1..].split([' ', '\t', ',', ']', '}']).next();
                    names.push(name.unwrap_or_default().to_owned());
                }
                before = c;
            }
        }
        names
    }

    /// Whether a line is empty or beyond the end.
    fn is_blank(&self, line: usize) -> bool {
        self.lines
            .get(line)
            .is_none_or(|text| text.trim().is_empty())
    }
}

/// Gives every comment to the node it stands at.
///
/// Comments alone on neighbouring lines and in the same column are one. O(comments × entries).
pub fn attach(tree: &mut Tree, text: &Text, entries: &[Entry], roots: &[Id]) {
    let comments = text.comments();
    let mut at = 0;
    while at < comments.len() {
        let comment = &comments[at];
        if !comment.alone {
            beside(tree, entries, comment);
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while comments.get(end).is_some_and(|next| {
            next.alone && next.line == comments[end - 1].line + 1 && next.column == comment.column
        }) {
            end += 1;
        }
        block(tree, text, entries, roots, &comments[at..end]);
        at = end;
    }
}

/// A comment after something on its line.
///
/// It belongs to the last leaf or flow collection that ends before it on this line, or to the block scalar whose
/// header is here.
fn beside(tree: &mut Tree, entries: &[Entry], comment: &Comment) {
    let place = (comment.line, comment.column);
    let is_leaf = |entry: &&Entry| {
        matches!(tree[entry.node].kind, Kind::Scalar | Kind::Alias)
            || tree[entry.node].style == Style::Flow
    };
    let block_scalar = |entry: &Entry| {
        matches!(tree[entry.node].style, Style::Literal | Style::Folded)
            && entry.start.0 == comment.line
    };
    let found = entries
        .iter()
        .filter(is_leaf)
        .filter(|entry| (entry.end <= place && entry.end.0 == comment.line) || block_scalar(entry))
        .max_by_key(|entry| (entry.end, entry.start));
    let Some(entry) = found else { return };
    // Inside a flow collection that goes on, the comment belongs to the innermost node.
    tree[entry.node].comments.line.clone_from(&comment.text);
}

/// Comments that have their lines for themselves.
///
/// They are the head of the next key or item where no blank line separates them and it is not further out; otherwise
/// the foot of the one before, preferably of the same column. A document marker in between cuts both off.
fn block(tree: &mut Tree, text: &Text, entries: &[Entry], roots: &[Id], comments: &[Comment]) {
    let (Some(first), Some(last)) = (comments.first(), comments.last()) else {
        return;
    };
    let joined = comments
        .iter()
        .map(|comment| comment.text.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    let marker = |from: usize, to: usize| {
        let lines = text.lines.iter().take(to).skip(from);
        lines.clone().any(|line| line.starts_with("---"))
    };
    let children = || entries.iter().filter(|entry| entry.is_block_child);
    let next = children()
        .find(|entry| entry.start.0 > last.line)
        .filter(|entry| !marker(last.line, entry.start.0));
    let mut before =
        children().filter(|entry| entry.start.0 < first.line && !marker(entry.start.0, first.line));
    let previous = before
        .clone()
        .rfind(|entry| column(text, entry) == first.column)
        .or_else(|| before.next_back());
    let after_blank = text.is_blank(last.line + 1);
    let head_of_next = next.filter(|entry| {
        previous.is_none() || (!after_blank && column(text, entry) >= first.column)
    });
    if let (None, true, 0, Some(&root)) = (
        next,
        text.is_blank(first.line.wrapping_sub(1)),
        first.column,
        roots.last(),
    ) {
        add(&mut tree[root].comments.foot, &joined);
        return;
    }
    match (head_of_next, previous) {
        (Some(entry), _) => add(&mut tree[entry.node].comments.head, &joined),
        (None, Some(entry)) => add(&mut tree[entry.node].comments.foot, &joined),
        (None, None) => {
            if let Some(&root) = roots.first() {
                add(&mut tree[root].comments.foot, &joined);
            }
        }
    }
}

/// The column of an entry's line: for items that of the dash.
fn column(text: &Text, entry: &Entry) -> usize {
    let line = text.lines.get(entry.start.0).copied().unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    let before: String = line.chars().take(entry.start.1).collect();
    match before.trim_start().strip_prefix('-') {
        Some(_) => indent,
        None => entry.start.1,
    }
}

/// Appends a comment to what is there.
fn add(comment: &mut String, text: &str) {
    if !comment.is_empty() {
        comment.push('\n');
    }
    comment.push_str(text);
}
