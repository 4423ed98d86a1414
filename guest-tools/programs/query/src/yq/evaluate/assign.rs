//! Assignments, and what changes nodes as they do. The result of an assignment is its input, changed.

use super::{Context, Found, Machine};
use crate::yq::parse::{ATTRIBUTES, Binary, Expression, Flags};
use crate::yq::tree::{Id, Kind, Step, Style};
use crate::yq::{arithmetic, attribute};

impl Machine {
    /// `TARGET = VALUE` and, with `update`, `TARGET |= VALUE`.
    ///
    /// With `|=` the value is run on each target, from the last to the first, so that a change of a parent does not
    /// take the children away before their turn. With `=` it is run on the input.
    pub(super) fn assign(
        &mut self,
        context: &Context,
        update: bool,
        flags: Flags,
        left: &Expression,
        right: &Expression,
    ) -> Found {
        if let Some((attribute, target)) = attribute(left) {
            return self.assign_attribute(context, update, attribute, target, right);
        }
        let targets = self.run(context, left)?;
        if update {
            for &target in targets.iter().rev() {
                if let Some(value) = self.first(&context.one(target), right)? {
                    self.update(target, value, flags);
                }
            }
            return Ok(context.nodes.clone());
        }
        for context in self.each(context) {
            let targets = self.run(&context, left)?;
            for target in targets {
                for value in self.run(&context.readonly(), right)? {
                    self.update(target, value, flags);
                }
            }
        }
        Ok(context.nodes.clone())
    }

    /// `TARGET style = VALUE` and the like.
    fn assign_attribute(
        &mut self,
        context: &Context,
        update: bool,
        attribute: &str,
        target: &Expression,
        right: &Expression,
    ) -> Found {
        let shared = if update {
            None
        } else {
            self.first(&context.readonly(), right)?
        };
        for target in self.run(context, target)? {
            let value = if update {
                self.first(&context.one(target).readonly(), right)?
            } else {
                shared
            };
            let Some(value) = value else { continue };
            let text = self.tree[value].value.clone();
            attribute::set_attribute(self, target, attribute, &text)?;
        }
        Ok(context.nodes.clone())
    }

    /// `TARGET += VALUE` and the like: the operator on the old value and the value of the right side, which is run on
    /// the input.
    pub(super) fn compound(
        &mut self,
        context: &Context,
        binary: Binary,
        flags: Flags,
        left: &Expression,
        right: &Expression,
    ) -> Found {
        for target in self.run(context, left)? {
            let old = self.tree.copy(target);
            let outer = context.readonly();
            let contexts = self.each(&outer);
            for context in contexts {
                let rights = self.run(&context, right)?;
                let mut found = Vec::new();
                arithmetic::combine(self, binary, flags, (&[old], &rights), &context, &mut found)?;
                for value in found {
                    self.update(
                        target,
                        value,
                        Flags {
                            clobber: flags.clobber,
                            ..Flags::default()
                        },
                    );
                }
            }
        }
        Ok(context.nodes.clone())
    }

    /// Gives a node the value of another one.
    ///
    /// Place, key and what is around stay. The style is kept where the tag stays the same, so a quoted string remains
    /// quoted.
    pub fn update(&mut self, target: Id, value: Id, flags: Flags) {
        if target == value || (flags.only_new && !self.tree.is_null(target)) {
            return;
        }
        let copy = self.tree.copy(value);
        let new = self.tree[copy].clone();
        let old = &self.tree[target];
        let empty = old.kind != Kind::Scalar && old.content.is_empty();
        if empty || old.tag != new.tag {
            self.tree[target].style = new.style;
        }
        for &child in &new.content {
            self.tree[child].parent = Some(target);
        }
        self.tree[target].content.clone_from(&new.content);
        self.tree[target].value = new.value.clone();
        self.update_attributes(target, value, flags, false);
    }

    /// Gives a node what is around the value of another one; its content goes where the kinds differ.
    ///
    /// Tags of somebody's own stay, unless `clobber`; comments and anchors are replaced where the other node has any.
    /// `reset` drops the content of a node that changes its kind.
    pub fn update_attributes(&mut self, target: Id, value: Id, flags: Flags, reset: bool) {
        if target == value {
            return;
        }
        let new = self.tree[value].clone();
        let node = &mut self.tree[target];
        if reset && node.kind != new.kind {
            node.content = Vec::new();
            node.value = "".into();
        }
        node.kind = new.kind;
        if flags.clobber || node.tag.starts_with("!!") || node.tag.is_empty() {
            node.tag = new.tag;
            node.tagged = new.tagged;
        }
        node.alias = new.alias;
        if !new.anchor.is_empty() {
            node.anchor = new.anchor;
        }
        if node.style == Style::Plain {
            node.style = new.style;
        }
        for (old, new) in [
            (&mut node.comments.head, new.comments.head),
            (&mut node.comments.line, new.comments.line),
            (&mut node.comments.foot, new.comments.foot),
        ] {
            if !new.is_empty() {
                *old = new;
            }
        }
    }

    /// Goes down a path, and makes what is not there.
    ///
    /// None where the context is read-only and something is missing.
    pub fn descend(
        &mut self,
        context: &Context,
        mut node: Id,
        path: &[Step],
    ) -> Result<Option<Id>, String> {
        for step in path {
            let found = match step {
                Step::Name(name) => self.member(context, node, name, true)?,
                Step::Index(index) => {
                    let index = self.tree.scalar("!!int", &index.to_string());
                    self.at(context, node, &[index], false)?
                }
            };
            match found.first() {
                Some(&next) => node = next,
                None => return Ok(None),
            }
        }
        Ok(Some(node))
    }
}

/// Whether an expression gives its input, changed.
pub(super) fn is_assignment(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Assign(..) | Expression::Compound(..) | Expression::Call(..)
    ) && match expression {
        Expression::Call(name, _) => matches!(
            name.as_str(),
            "del" | "with" | "delpaths" | "setpath" | "explode"
        ),
        _ => true,
    }
}

/// The attribute that the left side of an assignment names, and whose it is.
fn attribute(left: &Expression) -> Option<(&str, &Expression)> {
    match left {
        Expression::Call(name, argument) if ATTRIBUTES.contains(&name.as_str()) => {
            Some((name, argument.as_deref().unwrap_or(&Expression::Itself)))
        }
        _ => None,
    }
}
