//! Runs expressions: every expression turns a list of nodes into a list of nodes of the same tree.

use std::collections::HashMap;
use std::rc::Rc;

use super::attribute;
use super::parse::{ATTRIBUTES, Binary, Expression, Flags};
use super::tree::{Id, Kind, Step, Style, Tree};
use super::{arithmetic, functions};

/// A list of nodes, or why there is none.
pub type Found = Result<Vec<Id>, String>;

/// What an expression is run against.
#[derive(Clone)]
pub struct Context {
    pub nodes: Vec<Id>,
    /// Paths that are not there are not made.
    pub readonly: bool,
    pub variables: Rc<HashMap<String, Vec<Id>>>,
}

impl Context {
    /// The same with other nodes.
    pub fn with(&self, nodes: Vec<Id>) -> Context {
        Context {
            nodes,
            readonly: self.readonly,
            variables: self.variables.clone(),
        }
    }

    /// The same with one node.
    pub fn one(&self, node: Id) -> Context {
        self.with(vec![node])
    }

    /// The same where paths are not made.
    pub fn readonly(&self) -> Context {
        Context {
            readonly: true,
            ..self.clone()
        }
    }

    fn bind(&self, name: &str, nodes: Vec<Id>) -> Context {
        let mut context = self.clone();
        Rc::make_mut(&mut context.variables).insert(name.to_owned(), nodes);
        context
    }
}

/// The machine with its nodes.
pub struct Machine {
    pub tree: Tree,
    /// The names of the files that documents came from.
    pub files: Vec<String>,
    /// Expressions may read the environment, and files.
    pub env: bool,
    pub file: bool,
}

impl Machine {
    /// Refuses what reads the environment, where that is disabled.
    ///
    /// # Errors
    /// What is said to the user.
    pub fn may_read_environment(&self) -> Result<(), String> {
        if self.env {
            return Ok(());
        }
        Err("env operations have been disabled".to_owned())
    }

    /// Refuses what reads files, where that is disabled.
    ///
    /// # Errors
    /// What is said to the user.
    pub fn may_read_files(&self) -> Result<(), String> {
        if self.file {
            return Ok(());
        }
        Err("file operations have been disabled".to_owned())
    }
}

/// Whether `name` fits a key that may have `*` and `?` in it.
pub fn glob(name: &str, pattern: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return name == pattern;
    }
    let (name, pattern): (Vec<char>, Vec<char>) =
        (name.chars().collect(), pattern.chars().collect());
    let (mut at, mut place) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(place) {
            Some('*') => {
                star = Some((place, at));
                place += 1;
            }
            Some('?') => (at, place) = (at + 1, place + 1),
            Some(c) if *c == name[at] => (at, place) = (at + 1, place + 1),
            _ => match &mut star {
                Some((back, from)) => {
                    *from += 1;
                    (at, place) = (*from, *back + 1);
                }
                None => return false,
            },
        }
    }
    pattern[place..].iter().all(|c| *c == '*')
}

impl Machine {
    /// Runs an expression.
    pub fn run(&mut self, context: &Context, expression: &Expression) -> Found {
        match expression {
            Expression::Itself => Ok(context.nodes.clone()),
            Expression::Empty => Ok(Vec::new()),
            Expression::Scalar(tag, text) => Ok(self.literal(context, tag, text)),
            Expression::Interpolated(parts) => self.interpolate(context, parts),
            Expression::Path(name) => self.path(context, name),
            Expression::Index(target, indices, optional) => {
                self.index(context, target, indices.as_deref(), *optional)
            }
            Expression::Slice(target, from, to) => {
                self.slice(context, target, from.as_deref(), to.as_deref())
            }
            Expression::Recurse(keys) => {
                let mut found = Vec::new();
                for &node in &context.nodes {
                    self.recurse(node, *keys, true, &mut found);
                }
                Ok(found)
            }
            Expression::Variable(name) => match context.variables.get(name) {
                Some(nodes) => Ok(nodes.clone()),
                None => Ok(Vec::new()),
            },
            Expression::Collect(inside) => self.collect(context, inside.as_deref()),
            Expression::Object(inside) => self.object(context, inside.as_deref()),
            Expression::Binary(binary, flags, left, right) => {
                self.binary(context, *binary, *flags, left, right)
            }
            Expression::Assign(update, flags, left, right) => {
                self.assign(context, *update, *flags, left, right)
            }
            Expression::Compound(binary, flags, left, right) => {
                self.compound(context, *binary, *flags, left, right)
            }
            Expression::As(..) => {
                Err("must use variable with a pipe, e.g. `exp as $x | ...`".to_owned())
            }
            Expression::Call(name, argument) => {
                functions::call(self, context, name, argument.as_deref())
            }
            Expression::Plain(name, text) => functions::plain(self, context, name, text),
        }
    }

    /// The first result of an expression.
    pub fn first(
        &mut self,
        context: &Context,
        expression: &Expression,
    ) -> Result<Option<Id>, String> {
        Ok(self.run(context, expression)?.first().copied())
    }

    fn literal(&mut self, context: &Context, tag: &str, text: &str) -> Vec<Id> {
        let count = context.nodes.len().max(1);
        (0..count).map(|_| self.tree.scalar(tag, text)).collect()
    }

    fn interpolate(&mut self, context: &Context, parts: &[(String, Option<Expression>)]) -> Found {
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
    fn make_collection(&mut self, node: Id, kind: Kind) {
        let tag = if kind == Kind::Mapping {
            "!!map"
        } else {
            "!!seq"
        };
        let node = &mut self.tree[node];
        (node.kind, node.tag, node.value) = (kind, tag.into(), "".into());
        node.style = Style::Plain;
    }

    fn path(&mut self, context: &Context, name: &str) -> Found {
        let mut found = Vec::new();
        for &node in &context.nodes {
            found.extend(self.member(context, node, name, false)?);
        }
        Ok(found)
    }

    /// The values of a node under a name; one is made where there is none and that is allowed.
    pub fn member(&mut self, context: &Context, node: Id, name: &str, exact: bool) -> Found {
        let node = self.tree.follow(node);
        if self.tree.is_null(node) && !context.readonly {
            self.make_collection(node, Kind::Mapping);
        }
        match self.tree[node].kind {
            Kind::Mapping => {
                let mut found = Vec::new();
                self.members(node, Some(name), exact, 0, &mut found);
                if found.is_empty() && !context.readonly {
                    if self.tree[node].content.is_empty() {
                        self.tree[node].style = Style::Plain;
                    }
                    let (key, value) = (self.tree.string(name), self.tree.null());
                    self.tree.attach_pair(node, key, value);
                    return Ok(vec![value]);
                }
                Ok(found.into_iter().map(|(_, value)| value).collect())
            }
            Kind::Sequence => {
                let index = self.tree.string(name);
                self.items(context, node, &[index], name.starts_with(|c: char| !c.is_ascii_digit() && c != '-'))
                    .map_err(|_| format!("cannot index array with '{name}' (strconv.ParseInt: parsing \"{name}\": invalid syntax)"))
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The pairs of a mapping whose key fits, those it merges in too; later ones win.
    fn members(
        &self,
        node: Id,
        name: Option<&str>,
        exact: bool,
        depth: usize,
        found: &mut Vec<(Rc<str>, Id)>,
    ) {
        for (key, value) in self.tree.pairs(node) {
            let text = &self.tree[key].value;
            if &*self.tree[key].tag == "!!merge" && name != Some(&**text) && depth < 64 {
                let merged = self.tree.follow(value);
                let sources = match self.tree[merged].kind {
                    Kind::Sequence => self.tree[merged].content.clone(),
                    _ => vec![merged],
                };
                for source in sources {
                    let source = self.tree.follow(source);
                    if self.tree[source].kind == Kind::Mapping {
                        self.members(source, name, exact, depth + 1, found);
                    }
                }
                continue;
            }
            let fits = match name {
                None => true,
                Some(name) if exact => **text == *name,
                Some(name) => glob(text, name),
            };
            if fits {
                match found.iter_mut().find(|(other, _)| other == text) {
                    Some(old) => old.1 = value,
                    None => found.push((text.clone(), value)),
                }
            }
        }
    }

    fn index(
        &mut self,
        context: &Context,
        target: &Expression,
        indices: Option<&Expression>,
        optional: bool,
    ) -> Found {
        let targets = self.run(context, target)?;
        let indices = match indices {
            None => None,
            Some(indices) => {
                let collected = self.collect(&context.readonly(), Some(indices))?;
                Some(
                    collected
                        .first()
                        .map(|&list| self.tree[list].content.clone())
                        .unwrap_or_default(),
                )
            }
        };
        let mut found = Vec::new();
        for target in targets {
            match &indices {
                None => found.extend(self.all(context, target)),
                Some(indices) => found.extend(self.at(context, target, indices, optional)?),
            }
        }
        Ok(found)
    }

    /// All values of a collection.
    pub fn all(&mut self, context: &Context, target: Id) -> Vec<Id> {
        let target = self.tree.follow(target);
        if self.tree.is_null(target) && !context.readonly {
            self.make_collection(target, Kind::Sequence);
        }
        match self.tree[target].kind {
            Kind::Sequence => self.tree[target].content.clone(),
            Kind::Mapping => {
                let mut found = Vec::new();
                self.members(target, None, true, 0, &mut found);
                found.into_iter().map(|(_, value)| value).collect()
            }
            _ => Vec::new(),
        }
    }

    fn at(&mut self, context: &Context, target: Id, indices: &[Id], optional: bool) -> Found {
        let target = self.tree.follow(target);
        if self.tree.is_null(target) && !context.readonly {
            let number = indices
                .first()
                .is_none_or(|&index| &*self.tree[index].tag == "!!int");
            self.make_collection(
                target,
                if number {
                    Kind::Sequence
                } else {
                    Kind::Mapping
                },
            );
        }
        match self.tree[target].kind {
            Kind::Mapping => {
                let mut found = Vec::new();
                for &index in indices {
                    let name = self.tree[index].value.clone();
                    found.extend(self.member(context, target, &name, false)?);
                }
                Ok(found)
            }
            Kind::Sequence => self.items(context, target, indices, optional),
            _ => Ok(Vec::new()),
        }
    }

    /// How far an index may reach past the end of a sequence.
    const MAX_GROWTH: i64 = 1_000_000;

    fn items(&mut self, context: &Context, target: Id, indices: &[Id], optional: bool) -> Found {
        let mut found = Vec::new();
        for &index in indices {
            let text = self.tree[index].value.clone();
            if matches!(&*text, "*" | "") {
                found.extend(self.tree[target].content.iter());
                continue;
            }
            let Ok(wanted) = text.parse::<i64>() else {
                if optional {
                    continue;
                }
                return Err(format!(
                    "cannot index array with '{text}' (strconv.ParseInt: parsing \"{text}\": invalid syntax)"
                ));
            };
            let length = self.tree[target].content.len() as i64;
            if wanted >= length {
                if wanted > length + Self::MAX_GROWTH {
                    return Err(format!(
                        "index [{wanted}] is too far out of range, array size is {length}"
                    ));
                }
                if context.readonly {
                    found.push(self.tree.null());
                    continue;
                }
                if length == 0 {
                    self.tree[target].style = Style::Plain;
                }
                for _ in length..=wanted {
                    let null = self.tree.null();
                    self.tree.attach(target, null);
                }
            }
            let place = if wanted < 0 { wanted + length } else { wanted };
            let item = usize::try_from(place)
                .ok()
                .and_then(|place| self.tree[target].content.get(place));
            match item {
                Some(&item) => found.push(item),
                None => {
                    return Err(format!(
                        "index [{wanted}] out of range, array size is {length}"
                    ));
                }
            }
        }
        Ok(found)
    }

    fn slice(
        &mut self,
        context: &Context,
        target: &Expression,
        from: Option<&Expression>,
        to: Option<&Expression>,
    ) -> Found {
        let mut found = Vec::new();
        for target in self.run(context, target)? {
            let at = context.one(target).readonly();
            let mut bound = |side: Option<&Expression>| -> Result<Option<i64>, String> {
                let Some(side) = side else { return Ok(None) };
                let value = self.first(&at, side)?;
                let text = value
                    .map(|value| self.tree[value].value.clone())
                    .unwrap_or_default();
                text.parse()
                    .map(Some)
                    .map_err(|_| format!("cannot slice with '{text}'"))
            };
            let (from, to) = (bound(from)?, bound(to)?);
            let text: Option<Vec<char>> = match self.tree[target].kind {
                Kind::Scalar if &*self.tree[target].tag == "!!str" => {
                    Some(self.tree[target].value.chars().collect())
                }
                _ => None,
            };
            let length = text
                .as_ref()
                .map_or(self.tree[target].content.len(), Vec::len) as i64;
            let place = |bound: i64| {
                (if bound < 0 { bound + length } else { bound }).clamp(0, length) as usize
            };
            let (from, to) = (place(from.unwrap_or(0)), place(to.unwrap_or(length)));
            let to = to.max(from);
            if let Some(text) = text {
                let part: String = text[from..to].iter().collect();
                found.push(self.tree.replacement(target, Kind::Scalar, "!!str", &part));
                continue;
            }
            let items = self.tree[target].content[from..to].to_vec();
            let list = self.tree.replacement(target, Kind::Sequence, "!!seq", "");
            for item in items {
                self.tree.append(list, item);
            }
            found.push(list);
        }
        Ok(found)
    }

    /// A node and all that is below it.
    pub fn recurse(&self, node: Id, keys: bool, arrays: bool, found: &mut Vec<Id>) {
        let mut pending = vec![node];
        while let Some(at) = pending.pop() {
            found.push(at);
            let data = &self.tree[at];
            let skip = data.is_key || (data.kind == Kind::Sequence && !arrays);
            if skip || !matches!(data.kind, Kind::Mapping | Kind::Sequence) {
                continue;
            }
            let mapping = data.kind == Kind::Mapping;
            for (place, &child) in data.content.iter().enumerate().rev() {
                if !mapping || keys || place % 2 == 1 {
                    pending.push(child);
                }
            }
        }
    }

    fn together(&self, context: &Context) -> bool {
        context.nodes.iter().all(|&node| self.tree[node].together)
    }

    /// The contexts in which binary operators see nodes: one by one, or all at once.
    fn each(&self, context: &Context) -> Vec<Context> {
        if self.together(context) {
            vec![context.clone()]
        } else {
            context
                .nodes
                .iter()
                .map(|&node| context.one(node))
                .collect()
        }
    }

    fn collect(&mut self, context: &Context, inside: Option<&Expression>) -> Found {
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

    fn object(&mut self, context: &Context, inside: Option<&Expression>) -> Found {
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
                                    self.tree[key].comments = super::tree::Comments::default();
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

    fn binary(
        &mut self,
        context: &Context,
        binary: Binary,
        flags: Flags,
        left: &Expression,
        right: &Expression,
    ) -> Found {
        match binary {
            Binary::Pipe => self.pipe(context, left, right),
            Binary::Union => {
                let mut found = self.run(context, left)?;
                let more = self.run(context, right)?;
                if more != found || !is_assignment(right) {
                    found.extend(more);
                }
                Ok(found)
            }
            Binary::Block => Ok(Vec::new()),
            Binary::Member => self.object(
                context,
                Some(&Expression::Binary(
                    binary,
                    flags,
                    Box::new(left.clone()),
                    Box::new(right.clone()),
                )),
            ),
            Binary::Reduce => self.reduce(context, left, right),
            Binary::And | Binary::Or => self.logic(context, binary, left, right),
            Binary::Alternative => self.alternative(context, left, right),
            _ => {
                let mut found = Vec::new();
                for context in self.each(context) {
                    let context = context.readonly();
                    let lefts = self.run(&context, left)?;
                    let rights = self.run(&context, right)?;
                    arithmetic::combine(
                        self,
                        binary,
                        flags,
                        (&lefts, &rights),
                        &context,
                        &mut found,
                    )?;
                }
                Ok(found)
            }
        }
    }

    fn pipe(&mut self, context: &Context, left: &Expression, right: &Expression) -> Found {
        let Expression::As(source, name, reference) = left else {
            let nodes = self.run(context, left)?;
            return self.run(&context.with(nodes), right);
        };
        let mut found = Vec::new();
        for context in self.each(context) {
            let values = self.run(&context.readonly(), source)?;
            if values.is_empty() {
                found.extend(self.run(&context, right)?);
            }
            for value in values {
                let value = if *reference {
                    value
                } else {
                    self.tree.copy(value)
                };
                let inner = context.bind(name, vec![value]);
                found.extend(self.run(&inner, right)?);
            }
        }
        Ok(found)
    }

    fn reduce(&mut self, context: &Context, left: &Expression, right: &Expression) -> Found {
        let (Expression::As(source, name, _), Expression::Binary(Binary::Block, _, start, body)) =
            (left, right)
        else {
            return Err("reduce must be given a variables assignment and a block".to_owned());
        };
        let items = self.run(context, source)?;
        let mut result = self.run(context, start)?;
        result.truncate(1);
        for item in items {
            let inner = context.with(result).bind(name, vec![item]);
            result = self.run(&inner, body)?;
        }
        Ok(result)
    }

    fn logic(
        &mut self,
        context: &Context,
        binary: Binary,
        left: &Expression,
        right: &Expression,
    ) -> Found {
        let mut found = Vec::new();
        for context in self.each(context) {
            let context = context.readonly();
            let mut lefts = self.run(&context, left)?;
            if lefts.is_empty() {
                lefts.push(self.tree.null());
            }
            for value in lefts {
                let truth = self.tree.is_true(value);
                if truth == (binary == Binary::Or) {
                    found.push(functions::truth(self, value, truth));
                    continue;
                }
                let mut rights = self.run(&context, right)?;
                if rights.is_empty() {
                    rights.push(self.tree.null());
                }
                for other in rights {
                    let truth = self.tree.is_true(other);
                    found.push(functions::truth(self, value, truth));
                }
            }
        }
        Ok(found)
    }

    fn alternative(&mut self, context: &Context, left: &Expression, right: &Expression) -> Found {
        let mut found = Vec::new();
        for context in self.each(context) {
            let context = context.readonly();
            let lefts = self.run(&context, left)?;
            if lefts.is_empty() {
                found.extend(self.run(&context, right)?);
            }
            for value in lefts {
                if self.tree.is_true(value) {
                    found.push(value);
                } else {
                    let rights = self.run(&context, right)?;
                    if rights.is_empty() {
                        found.push(value);
                    }
                    found.extend(rights);
                }
            }
        }
        Ok(found)
    }

    fn assign(
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

    fn compound(
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

fn is_assignment(expression: &Expression) -> bool {
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
