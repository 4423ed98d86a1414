//! What is out of date, and in which order it is made.
//!
//! Depth first along the prerequisites; each file is made at most once. A file is made where it does not exist, is
//! phony, or has a prerequisite that was changed or is newer. Times have the resolution of the filesystem. A cycle is
//! reported, and the dependency that closes it is dropped.

use super::rules::{Body, State};
use super::variables::{Flavor, Origin};
use super::{Make, Outcome, parse};
use crate::system::{self, Time};

/// Later than any file.
const NEW: Time = Time {
    seconds: i64::MAX,
    nanoseconds: 0,
};

/// A prerequisite after it was made.
struct Needed {
    /// The prerequisite.
    name: String,
    /// It was remade, or is newer than the target.
    changed: bool,
}

impl Make {
    /// Makes a file where it has to be made; false where that failed.
    ///
    /// `parent` is what needs it, for the message. Variables of the target are in scope below it, so prerequisites
    /// inherit them.
    pub fn update(&mut self, name: &str, parent: Option<&str>) -> Outcome<bool> {
        match self.file(name).state {
            State::Done(made) => return Ok(made),
            State::Busy => return Ok(true),
            State::New => {}
        }
        self.file(name).state = State::Busy;
        self.variables.push();
        let made = self.update_inside(name, parent);
        self.variables.pop();
        if let Ok(made) = &made {
            self.file(name).state = State::Done(*made);
        }
        made
    }

    /// Finds the rules of a file and makes it by each of them.
    fn update_inside(&mut self, name: &str, parent: Option<&str>) -> Outcome<bool> {
        self.set_locals(name)?;
        let doubles = self.file(name).doubles.clone();
        if !doubles.is_empty() {
            let shared = self.file(name).body.clone();
            let before = self.time(name);
            for mut body in doubles {
                body.prerequisites
                    .extend(shared.prerequisites.iter().cloned());
                if !self.make_one(name, &body, before, parent)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let file = self.file(name);
        let mut body = file.body.clone();
        let searched = body.recipe.is_none() && !file.phony;
        let is_target = file.is_target;
        if searched && let Some(found) = self.implicit(name) {
            body.recipe = found.body.recipe;
            let mut prerequisites = found.body.prerequisites;
            for name in &prerequisites {
                self.note_intermediate(name);
            }
            prerequisites.extend(body.prerequisites);
            body.prerequisites = prerequisites;
            body.order_only.extend(found.body.order_only);
            let file = self.file(name);
            file.stem = Some(found.stem);
            file.siblings = found.siblings;
        } else if body.recipe.is_none() && !is_target && self.locate(name).is_none() {
            let fallback = self
                .files
                .get(".DEFAULT")
                .and_then(|file| file.body.recipe.clone());
            if fallback.is_none() {
                return self.no_rule(name, parent);
            }
            body.recipe = fallback;
        }
        let before = self.time(name);
        self.make_one(name, &body, before, parent)
    }

    /// What is not there, is named by no makefile and comes from a pattern goes at the end.
    fn note_intermediate(&mut self, name: &str) {
        let mentioned = self
            .files
            .get(name)
            .is_some_and(|file| file.mentioned || file.kept);
        let kept = self.keeps_all
            || self
                .kept_patterns
                .iter()
                .any(|pattern| parse::stem(pattern, name).is_some());
        if !mentioned && !kept && self.locate(name).is_none() {
            self.intermediates.push(name.to_owned());
        }
    }

    /// Nothing makes the file and it is not there: fatal, or with `-k` only reported.
    fn no_rule(&mut self, name: &str, parent: Option<&str>) -> Outcome<bool> {
        let needed = parent.map_or_else(String::new, |parent| format!(", needed by '{parent}'"));
        let message = format!("No rule to make target '{name}'{needed}");
        self.place = None;
        if self.settings.keep_going {
            self.complain(&format!("*** {message}."));
            return Ok(false);
        }
        self.fatal(&message)
    }

    /// Definitions for this target and for the patterns that fit it.
    fn set_locals(&mut self, name: &str) -> Outcome<()> {
        self.variables
            .set_inner("@", name, Flavor::Simple, Origin::Automatic);
        let mut locals = Vec::new();
        for known in self.order.clone() {
            if known.contains('%')
                && parse::stem(&known, name).is_some()
                && let Some(file) = self.files.get(&known)
            {
                locals.extend(file.locals.clone());
            }
        }
        locals.extend(self.file(name).locals.clone());
        for local in locals {
            self.define(&local.definition, local.origin, Some(()))?;
            if local.exported {
                self.variables.export(&local.definition.name, true);
            }
        }
        Ok(())
    }

    /// When a file was changed; none where there is none.
    ///
    /// Phony files have none; `-W` files and those renewed in name only are later than any other, `-o` files older.
    pub fn time(&mut self, name: &str) -> Option<Time> {
        if self.settings.new.iter().any(|new| new == name) {
            return Some(NEW);
        }
        if self.settings.old.iter().any(|old| old == name) {
            return Some(Time::default());
        }
        let file = self.file(name);
        if file.phony {
            return None;
        }
        if file.renewed {
            return Some(NEW);
        }
        let path = self.locate(name)?;
        system::stat(path.as_bytes(), true)
            .ok()
            .map(|found| found.modified)
    }

    /// Makes a file by one rule. `before` is its time before any rule ran.
    ///
    /// Order-only prerequisites are made and do not count. An intermediate file that is gone is not made again where
    /// what it comes from is older than the target.
    fn make_one(
        &mut self,
        name: &str,
        body: &Body,
        before: Option<Time>,
        parent: Option<&str>,
    ) -> Outcome<bool> {
        let stem = self.file(name).stem.clone().unwrap_or_default();
        let body = self.second_expansion(name, &stem, body)?;
        let Some(needed) = self.prerequisites(name, &body, before, parent)? else {
            return Ok(false);
        };
        let stale = needed
            .iter()
            .any(|(ordered, needed)| !ordered && needed.changed);
        let must = before.is_none() || stale || self.settings.always && body.recipe.is_some()
            // A `::` rule without prerequisites always runs.
            || body.prerequisites.is_empty() && !self.file(name).doubles.is_empty();
        if !must || self.settings.old.iter().any(|old| old == name) {
            return Ok(true);
        }
        let Some(recipe) = body.recipe.clone() else {
            let file = self.file(name);
            file.renewed = !file.phony && before.is_some();
            return Ok(true);
        };
        self.set_automatic(name, &needed)?;
        if self.settings.trace {
            self.trace(name, &recipe)?;
        }
        let made = self.run_recipe(name, &recipe)?;
        let (phony, siblings) = (self.file(name).phony, self.file(name).siblings.clone());
        for sibling in siblings {
            self.file(&sibling).state = State::Done(made);
        }
        if self.settings.dry && !phony {
            self.file(name).renewed = true;
        }
        Ok(made)
    }

    /// Makes what a rule needs, and says what of it is order-only and what changed; none where something could not be
    /// made.
    fn prerequisites(
        &mut self,
        name: &str,
        body: &Body,
        before: Option<Time>,
        parent: Option<&str>,
    ) -> Outcome<Option<Vec<(bool, Needed)>>> {
        let mut needed = Vec::new();
        let mut failed = false;
        for (at, other) in body
            .prerequisites
            .iter()
            .chain(&body.order_only)
            .enumerate()
        {
            let ordered = at >= body.prerequisites.len();
            if self.file(other).state == State::Busy {
                self.complain(&format!("Circular {name} <- {other} dependency dropped."));
                continue;
            }
            let absent = before.filter(|_| self.intermediates.contains(other));
            if let Some(before) = absent
                && self.time(other).is_none()
                && self.settled(other, before)
            {
                needed.push((
                    ordered,
                    Needed {
                        name: other.clone(),
                        changed: false,
                    },
                ));
                continue;
            }
            let old = self.time(other);
            if !self.update(other, Some(name))? {
                failed = true;
                if !self.settings.keep_going {
                    return Ok(None);
                }
                continue;
            }
            let new = self.time(other);
            let changed = new.is_none()
                || new != old
                || before.is_none()
                || new > before
                || self.settings.always;
            needed.push((
                ordered,
                Needed {
                    name: other.clone(),
                    changed,
                },
            ));
        }
        if failed {
            if parent.is_none() {
                self.complain(&format!("Target '{name}' not remade because of errors."));
            }
            return Ok(None);
        }
        Ok(Some(needed))
    }

    /// `--trace`: why a target is made.
    fn trace(&mut self, name: &str, recipe: &super::rules::Recipe) -> Outcome<()> {
        let Some((line, _)) = recipe.lines.first() else {
            return Ok(());
        };
        let newer = self.value("?", 0)?;
        let place = recipe.place(*line);
        self.out.line(match newer.as_str() {
            "" => format!("{place}: target '{name}' does not exist"),
            newer => format!("{place}: update target '{name}' due to: {newer}"),
        });
        Ok(())
    }

    /// Whether what an absent file would be made from is older than what is made from it.
    fn settled(&mut self, name: &str, than: Time) -> bool {
        let Some(found) = self.implicit(name) else {
            return false;
        };
        found
            .body
            .prerequisites
            .iter()
            .all(|source| match self.time(source) {
                Some(time) => {
                    let own = self.files.get(source).is_some_and(|file| file.has_recipe());
                    !own && time <= than
                }
                None => self.settled(source, than),
            })
    }

    /// Prerequisites of rules behind `.SECONDEXPANSION` are expanded once more, with `$@` and `$*` set.
    pub fn second_expansion(&mut self, name: &str, stem: &str, body: &Body) -> Outcome<Body> {
        let mut body = body.clone();
        let again = std::mem::take(&mut body.expands_again);
        let mut names = body.prerequisites.iter().chain(&body.order_only);
        if !again || !names.any(|word| word.contains('$')) {
            return Ok(body);
        }
        for (sign, value) in [("@", name), ("*", stem)] {
            self.variables
                .set_inner(sign, value, Flavor::Simple, Origin::Automatic);
        }
        for list in [&mut body.prerequisites, &mut body.order_only] {
            let text = self.expand(&list.join(" "))?;
            *list = text.split_whitespace().map(str::to_owned).collect();
        }
        Ok(body)
    }

    /// Sets `$@`, `$<`, `$^` and the others.
    ///
    /// `$^` has each name once, `$+` all of them, `$?` the newer ones, `$|` the order-only ones.
    fn set_automatic(&mut self, name: &str, needed: &[(bool, Needed)]) -> Outcome<()> {
        let mut all: Vec<String> = Vec::new();
        let (mut newer, mut ordered): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (is_ordered, needed) in needed {
            let path = self
                .locate(&needed.name)
                .unwrap_or_else(|| needed.name.clone());
            match is_ordered {
                true => ordered.push(path),
                false => {
                    if needed.changed && !newer.contains(&path) {
                        newer.push(path.clone());
                    }
                    all.push(path);
                }
            }
        }
        let first = all.first().cloned().unwrap_or_default();
        let mut unique: Vec<String> = Vec::new();
        for path in &all {
            if !unique.contains(path) {
                unique.push(path.clone());
            }
        }
        let target = self.locate(name).unwrap_or_else(|| name.to_owned());
        let file = self.file(name);
        let stem = file.stem.clone().unwrap_or_else(|| {
            let typed = name.rfind('.').filter(|_| self.has_suffix(name));
            typed.map_or_else(String::new, |at| name[..at].to_owned())
        });
        let values = [
            ("@", target),
            ("<", first),
            ("^", unique.join(" ")),
            ("+", all.join(" ")),
            ("?", newer.join(" ")),
            ("|", ordered.join(" ")),
            ("*", stem),
            ("%", String::new()),
        ];
        for (sign, value) in values {
            self.variables
                .set_inner(sign, &value, Flavor::Simple, Origin::Automatic);
        }
        Ok(())
    }

    /// Whether the name ends in a known suffix.
    fn has_suffix(&self, name: &str) -> bool {
        self.suffixes
            .iter()
            .any(|suffix| name.ends_with(suffix.as_str()))
    }

    /// Removes what was made only on the way to something else.
    ///
    /// Printed as one `rm` line, as the original does.
    pub fn remove_intermediates(&mut self) {
        let made = std::mem::take(&mut self.intermediates);
        let mut gone: Vec<String> = Vec::new();
        for name in made {
            let done = self
                .files
                .get(&name)
                .is_some_and(|f| f.state == State::Done(true));
            let removed = done && (self.settings.dry || system::unlink(name.as_bytes()).is_ok());
            if removed && !gone.contains(&name) {
                gone.push(name);
            }
        }
        if !gone.is_empty() && !self.settings.silent {
            self.out.line(format!("rm {}", gone.join(" ")));
        }
    }
}
