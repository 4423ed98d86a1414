//! Which pattern makes a file (GNU make manual, "Implicit Rule Search Algorithm").
//!
//! All patterns that fit are tried in the order of their stems' lengths, shortest first, twice: first for
//! prerequisites that exist or are mentioned, then also for those that other patterns can make. Chains are at most
//! eight patterns long, and no name occurs twice in one.

use super::Make;
use super::parse;
use super::rules::{Body, File, Pattern};
use crate::system;

/// A pattern that fits a file.
pub struct Found {
    /// The rule with the stem put in.
    pub body: Body,
    /// What the `%` stands for, with the folder before it.
    pub stem: String,
    /// What the same recipe makes.
    pub siblings: Vec<String>,
}

impl Make {
    /// The entry of a file.
    ///
    /// Made where there is none, at the end of the order.
    pub fn file(&mut self, name: &str) -> &mut File {
        if !self.files.contains_key(name) {
            self.order.push(name.to_owned());
        }
        self.files.entry(name.to_owned()).or_default()
    }

    /// Where a file is: as named, or in a directory that is searched.
    ///
    /// Directories are those of `vpath` patterns that fit, then those of `VPATH`. Existing files alone count; this
    /// asks the filesystem each time.
    pub fn locate(&mut self, name: &str) -> Option<String> {
        let exists = |path: &str| system::stat(path.as_bytes(), true).is_ok();
        if exists(name) {
            return Some(name.to_owned());
        }
        if name.starts_with('/') {
            return None;
        }
        let mut folders: Vec<String> = Vec::new();
        for (pattern, places) in &self.search {
            if parse::stem(pattern, name).is_some() {
                folders.extend(places.iter().cloned());
            }
        }
        let general = self.value("VPATH", 0).unwrap_or_default();
        folders.extend(
            general
                .split([':', ' '])
                .filter(|f| !f.is_empty())
                .map(str::to_owned),
        );
        let paths = folders.iter().map(|folder| format!("{folder}/{name}"));
        paths.into_iter().find(|path| exists(path))
    }

    /// The pattern that makes `name` from what is there, or from what other patterns make.
    ///
    /// `%:` without a terminal rule is left out for names of a known suffix and within chains, as in the original.
    pub fn implicit(&mut self, name: &str) -> Option<Found> {
        if self.trying.iter().any(|trying| trying == name) || self.trying.len() > 8 {
            return None;
        }
        let suffix = name.rfind('.').map_or("", |at| &name[at..]);
        let typed = self.suffixes.iter().any(|known| known == suffix);
        let chained = !self.trying.is_empty();
        let mut fitting: Vec<(Pattern, String, String)> = Vec::new();
        for pattern in &self.patterns {
            for target in &pattern.targets {
                let any = target == "%";
                if any && !pattern.terminal && (typed || chained) {
                    continue;
                }
                if let Some((folder, stem)) = fit(target, name) {
                    fitting.push((pattern.clone(), folder, stem));
                    break;
                }
            }
        }
        fitting.sort_by_key(|(_, _, stem)| stem.len());
        for chains in [false, true] {
            for (pattern, folder, stem) in &fitting {
                if chains && pattern.terminal {
                    continue;
                }
                let mut found = fill(pattern, name, folder, stem);
                // What cannot be expanded is said where it is used.
                if let Ok(body) = self.second_expansion(name, &found.stem, &found.body) {
                    found.body = body;
                }
                self.trying.push(name.to_owned());
                let names: Vec<String> = found
                    .body
                    .prerequisites
                    .iter()
                    .chain(&found.body.order_only)
                    .cloned()
                    .collect();
                let usable = names.iter().all(|name| {
                    let mentioned = self.files.get(name).is_some_and(|file| file.mentioned);
                    mentioned
                        || self.locate(name).is_some()
                        || chains && self.implicit(name).is_some()
                });
                self.trying.pop();
                if usable {
                    return Some(found);
                }
            }
        }
        None
    }
}

/// The folder and the stem with which a target pattern means `name`.
///
/// A pattern without a slash is matched against the file's name alone, so `%.o` fits `src/a.o` with the stem `a`.
fn fit(target: &str, name: &str) -> Option<(String, String)> {
    if target.contains('/') {
        return parse::stem(target, name).map(|stem| (String::new(), stem.to_owned()));
    }
    let slash = name.rfind('/').map_or(0, |at| at + 1);
    let stem = parse::stem(target, &name[slash..]).filter(|stem| !stem.is_empty())?;
    Some((name[..slash].to_owned(), stem.to_owned()))
}

/// The rule of a pattern for one file.
fn fill(pattern: &Pattern, name: &str, folder: &str, stem: &str) -> Found {
    let put = |text: &String| match parse::percent(text).1 {
        Some(_) => format!("{folder}{}", parse::fill(text, stem)),
        None => parse::fill(text, stem),
    };
    let siblings = pattern
        .targets
        .iter()
        .map(put)
        .filter(|other| other != name);
    Found {
        body: Body {
            prerequisites: pattern.body.prerequisites.iter().map(put).collect(),
            order_only: pattern.body.order_only.iter().map(put).collect(),
            expands_again: pattern.body.expands_again,
            recipe: pattern.body.recipe.clone(),
        },
        stem: format!("{folder}{stem}"),
        siblings: siblings.collect(),
    }
}
