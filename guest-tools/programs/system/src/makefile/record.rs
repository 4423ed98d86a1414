//! What a rule that was read means for its targets: an explicit rule, a pattern, an old suffix rule, or a special
//! target.

use super::rules::{Body, Pattern};
use super::variables::{Flavor, Origin};
use super::{Make, Outcome, Place, parse};

/// A rule whose recipe may go on.
pub struct Open {
    /// The targets; never empty.
    pub targets: Vec<String>,
    /// `targets: PATTERN: …`
    pub pattern: Option<String>,
    /// Its prerequisites; the recipe is put in at the end.
    pub body: Body,
    /// The lines of the recipe so far, each with its number.
    pub lines: Vec<(usize, String)>,
    /// Where it begins.
    pub place: Place,
    /// It was written with `::`.
    pub double: bool,
    /// It was written with `&:`: one run of the recipe makes all targets.
    pub grouped: bool,
}

impl Make {
    /// Keeps a rule whose recipe is complete.
    ///
    /// A pattern rule without recipe cancels an equal one.
    pub fn record(&mut self, open: Open, origin: Origin) -> Outcome<()> {
        let Open {
            targets,
            pattern,
            body,
            double,
            grouped,
            ..
        } = open;
        for name in body.prerequisites.iter().chain(&body.order_only) {
            if !name.contains('%') {
                self.file(name).mentioned = true;
            }
        }
        if pattern.is_none() && parse::percent(&targets[0]).1.is_some() {
            let pattern = Pattern {
                targets,
                body,
                terminal: double,
            };
            self.add_pattern(pattern, origin);
            return Ok(());
        }
        let targets: Vec<String> = targets.iter().map(|name| parse::fill(name, "%")).collect();
        for name in &targets {
            if self.special(name, &body) {
                continue;
            }
            let mut body = body.clone();
            let mut stem = None;
            if let Some(pattern) = &pattern {
                let Some(found) = parse::stem(pattern, name) else {
                    self.warn(&format!("target '{name}' doesn't match the target pattern"));
                    continue;
                };
                let fill = |name: &mut String| *name = parse::fill(name, found);
                body.prerequisites.iter_mut().for_each(fill);
                body.order_only.iter_mut().for_each(fill);
                stem = Some(found.to_owned());
            }
            self.add_rule(name, body, stem, double)?;
            if grouped {
                let others = targets.iter().filter(|other| *other != name);
                self.file(name).siblings = others.cloned().collect();
            }
        }
        Ok(())
    }

    /// Adds a pattern rule in front of the builtin ones; one with the same targets and prerequisites goes.
    fn add_pattern(&mut self, pattern: Pattern, origin: Origin) {
        let same = |known: &Pattern| {
            known.targets == pattern.targets
                && known.body.prerequisites == pattern.body.prerequisites
        };
        self.patterns.retain(|known| !same(known));
        if pattern.body.recipe.is_some() {
            // Those of makefiles come before those that are always there.
            let at = match origin {
                Origin::Default => self.patterns.len(),
                _ => self.own_patterns,
            };
            self.own_patterns += usize::from(origin != Origin::Default);
            self.patterns.insert(at.min(self.patterns.len()), pattern);
        }
    }

    /// Adds an explicit rule for one target. Prerequisites add up; a second recipe replaces the first with a warning.
    fn add_rule(
        &mut self,
        name: &str,
        body: Body,
        stem: Option<String>,
        double: bool,
    ) -> Outcome<()> {
        if let Some(body) = self.suffix_rule(name, &body) {
            self.add_pattern(body, Origin::File);
            return Ok(());
        }
        let is_first = self.default_goal.is_none()
            && (!name.starts_with('.') || name.contains('/'))
            && self.place.is_some();
        if is_first {
            self.default_goal = Some(name.to_owned());
            let given = self.variables.get(".DEFAULT_GOAL");
            if given.is_none_or(|given| given.value.trim().is_empty()) {
                self.variables
                    .set(".DEFAULT_GOAL", name, Flavor::Simple, Origin::File);
            }
        }
        let message = match (&self.file(name).body.recipe, &body.recipe) {
            (Some(old), Some(new)) if !double => {
                let line = old.lines.first().map_or(0, |line| line.0);
                Some((
                    old.file.clone(),
                    line,
                    new.lines.first().map_or(0, |line| line.0),
                ))
            }
            _ => None,
        };
        if let Some((file, line, new)) = message {
            if let Some(place) = &mut self.place {
                place.line = new;
            }
            self.warn(&format!("warning: overriding recipe for target '{name}'"));
            self.tell(&format!(
                "{file}:{line}: warning: ignoring old recipe for target '{name}'\n"
            ));
        }
        let file = self.file(name);
        file.is_target = true;
        file.mentioned = true;
        if stem.is_some() {
            file.stem = stem;
        }
        if double {
            file.doubles.push(body);
            return Ok(());
        }
        if body.recipe.is_some() {
            file.body.recipe = body.recipe;
            // `$<` is the first prerequisite of the rule with the recipe.
            let old = std::mem::take(&mut file.body.prerequisites);
            file.body.prerequisites = body.prerequisites;
            file.body.prerequisites.extend(old);
        } else {
            file.body.prerequisites.extend(body.prerequisites);
        }
        file.body.order_only.extend(body.order_only);
        file.body.expands_again |= body.expands_again;
        Ok(())
    }

    /// `.c.o:` and `.sh:` as the patterns that they stand for.
    fn suffix_rule(&self, name: &str, body: &Body) -> Option<Pattern> {
        let known = |text: &str| self.suffixes.iter().any(|suffix| suffix == text);
        if body.recipe.is_none() || !body.prerequisites.is_empty() || !name.starts_with('.') {
            return None;
        }
        let (source, target) = match name[1..].find('.') {
            Some(at) if known(&name[..=at]) && known(&name[at + 1..]) => name.split_at(at + 1),
            None if known(name) => (name, ""),
            _ => return None,
        };
        Some(Pattern {
            targets: vec![format!("%{target}")],
            body: Body {
                prerequisites: vec![format!("%{source}")],
                ..body.clone()
            },
            terminal: false,
        })
    }

    /// Whether the target is one that says something to `make` itself.
    fn special(&mut self, name: &str, body: &Body) -> bool {
        let listed = &body.prerequisites;
        match name {
            ".PHONY" => listed.iter().for_each(|name| {
                let file = self.file(name);
                (file.phony, file.is_target) = (true, true);
            }),
            ".PRECIOUS" | ".SECONDARY" | ".NOTINTERMEDIATE" => {
                self.keeps_all |= listed.is_empty();
                for name in listed {
                    match name.contains('%') {
                        true => self.kept_patterns.push(name.clone()),
                        false => self.file(name).kept = true,
                    }
                }
            }
            ".SUFFIXES" if listed.is_empty() => self.suffixes.clear(),
            ".SUFFIXES" => self.suffixes.extend(listed.iter().cloned()),
            ".SILENT" if listed.is_empty() => self.settings.silent = true,
            ".IGNORE" if listed.is_empty() => self.settings.ignore_errors = true,
            ".DELETE_ON_ERROR" => self.delete_on_error = true,
            ".ONESHELL" => self.one_shell = true,
            ".SECONDEXPANSION" => self.expands_again = true,
            ".INTERMEDIATE"
            | ".NOTPARALLEL"
            | ".POSIX"
            | ".SILENT"
            | ".IGNORE"
            | ".LOW_RESOLUTION_TIME" => {}
            ".EXPORT_ALL_VARIABLES" => self.export_all = true,
            _ => return false,
        }
        true
    }
}
