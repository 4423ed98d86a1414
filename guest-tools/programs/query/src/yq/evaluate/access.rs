//! Members, items and slices: from a node to what is in it.
//!
//! In a context that is not read-only a path makes what it does not find: a null becomes a mapping or a sequence, a
//! mapping gets the key, a sequence grows.

use std::rc::Rc;

use super::{Context, Found, Machine};
use crate::yq::parse::Expression;
use crate::yq::tree::{Id, Kind, Style};

/// Whether `name` fits a key that may have `*` and `?` in it.
///
/// Linear with backtracking to the last `*`, so at most the product of both lengths.
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
    /// `.name` of each node.
    pub(super) fn path(&mut self, context: &Context, name: &str) -> Found {
        let mut found = Vec::new();
        for &node in &context.nodes {
            found.extend(self.member(context, node, name, false)?);
        }
        Ok(found)
    }

    /// The values of a node under a name; one is made where there is none and that is allowed.
    ///
    /// `exact` is for names that are no patterns. A sequence takes the name as an index, and `*` as all; scalars have
    /// nothing.
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
    ///
    /// O(pairs × found). Merged mappings are looked through to a depth of 64.
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

    /// `TARGET[INDICES]`; no indices means all. Indices are run on the context, not on the target, as in `.a[.b]`.
    pub(super) fn index(
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
    ///
    /// Those of a mapping include what it merges in.
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

    /// The values of a collection at the given keys or indices.
    pub(super) fn at(
        &mut self,
        context: &Context,
        target: Id,
        indices: &[Id],
        optional: bool,
    ) -> Found {
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

    /// How far an index may reach past the end of a sequence. `.[1000000000] = 1` would otherwise ask for all memory.
    const MAX_GROWTH: i64 = 1_000_000;

    /// Items by index; negative ones count from the end. In a read-only context an index past the end gives a null.
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

    /// `TARGET[FROM:TO]` of sequences and strings. Bounds are clamped; those of a string count characters.
    pub(super) fn slice(
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
    ///
    /// In the order of the document. `keys` gives keys as well, `arrays` goes into sequences.
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
}
