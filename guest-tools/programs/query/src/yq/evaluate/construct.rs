//! New nodes: literals, strings with expressions in them, sequences and mappings.

use super::{Context, Found, Machine};
use crate::yq::parse::{Binary, Expression, Flags};
use crate::yq::tree::{Id, Kind, Style};
use crate::yq::{arithmetic, functions};

impl Machine {
    /// One scalar for each node of the context, or one where there is none.
    pub(super) fn literal(&mut self, context: &Context, tag: &str, text: &str) -> Vec<Id> {
        let count = context.nodes.len().max(1);
        (0..count).map(|_| self.tree.scalar(tag, text)).collect()
    }

    /// A string for each node; an expression in it that gives nothing is empty.
    pub(super) fn interpolate(
        &mut self,
        context: &Context,
        parts: &[(String, Option<Expression>)],
    ) -> Found {
        let contexts: Vec<Context> = if context.nodes.is_empty() {
            vec![context.clone()]
        } else {
            context
                .nodes
                .iter()
                .map(|&node| context.one(node))
                .collect()
        };
        let mut found = Vec::new();
        for context in contexts {
            let mut text = String::new();
            for (plain, expression) in parts {
                text.push_str(plain);
                if let Some(expression) = expression
                    && let Some(value) = self.first(&context.readonly(), expression)?
                {
                    text.push_str(&functions::text(self, value));
                }
            }
            found.push(self.tree.string(&text));
        }
        Ok(found)
    }

    /// Makes a collection of what was `null`.
    pub(super) fn make_collection(&mut self, node: Id, kind: Kind) {
        let tag = if kind == Kind::Mapping {
            "!!map"
        } else {
            "!!seq"
        };
        let node = &mut self.tree[node];
        (node.kind, node.tag, node.value) = (kind, tag.into(), "".into());
        node.style = Style::Plain;
    }

    /// `[…]`: one sequence of copies for each node, or one for all of them with `eval-all`.
    pub(super) fn collect(&mut self, context: &Context, inside: Option<&Expression>) -> Found {
        let Some(inside) = inside else {
            let count = context.nodes.len().max(1);
            return Ok((0..count)
                .map(|_| self.tree.make(Kind::Sequence, "!!seq", ""))
                .collect());
        };
        let contexts = if context.nodes.is_empty() {
            vec![context.clone()]
        } else {
            self.each(context)
        };
        let mut lists = Vec::new();
        for context in contexts {
            let items = self.run(&context, inside)?;
            let list = match context.nodes.first() {
                Some(&owner) => self.tree.replacement(owner, Kind::Sequence, "!!seq", ""),
                None => self.tree.make(Kind::Sequence, "!!seq", ""),
            };
            for item in items {
                self.tree.append(list, item);
            }
            lists.push(list);
        }
        Ok(lists)
    }

    /// `{…}`: for each node as many mappings as there are combinations of keys and values.
    pub(super) fn object(&mut self, context: &Context, inside: Option<&Expression>) -> Found {
        let Some(inside) = inside else {
            return Ok(vec![self.tree.make(Kind::Mapping, "!!map", "")]);
        };
        let contexts: Vec<Context> = if context.nodes.is_empty() {
            vec![context.clone()]
        } else {
            context
                .nodes
                .iter()
                .map(|&node| context.one(node))
                .collect()
        };
        let mut found = Vec::new();
        for context in contexts {
            let base = self.tree.make(Kind::Mapping, "!!map", "");
            if let Some(&owner) = context.nodes.first() {
                (self.tree[base].document, self.tree[base].file) =
                    (self.tree[owner].document, self.tree[owner].file);
            }
            let mut objects = vec![base];
            self.fill(&context, inside, &mut objects)?;
            found.extend(objects);
        }
        Ok(found)
    }

    /// Adds the members that an expression names to all objects, each combination as one of its own.
    fn fill(
        &mut self,
        context: &Context,
        inside: &Expression,
        objects: &mut Vec<Id>,
    ) -> Result<(), String> {
        match inside {
            Expression::Binary(Binary::Union, _, left, right) => {
                self.fill(context, left, objects)?;
                self.fill(context, right, objects)
            }
            Expression::Binary(Binary::Member, _, key, value) => {
                let keys = self.run(&context.readonly(), key)?;
                let values = self.run(&context.readonly(), value)?;
                let mut made = Vec::new();
                for &object in objects.iter() {
                    for &key in &keys {
                        for &value in &values {
                            let object = self.tree.copy(object);
                            let name = self.tree[key].value.clone();
                            match self.tree.member(object, &name) {
                                Some(old) => self.update(old, value, Flags::default()),
                                None => {
                                    let (key, _) = self.tree.insert(object, key, value);
                                    self.tree[key].comments = crate::yq::tree::Comments::default();
                                }
                            }
                            made.push(object);
                        }
                    }
                }
                *objects = made;
                Ok(())
            }
            other => {
                // A mapping that stands for its members.
                let mut made = Vec::new();
                for value in self.run(&context.readonly(), other)? {
                    for &object in objects.iter() {
                        made.push(arithmetic::merge(self, object, value, Flags::default())?);
                    }
                }
                *objects = made;
                Ok(())
            }
        }
    }
}
