//! What the work tree holds that git shall not see.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;

use gix_glob::pattern::Case;
use gix_ignore::Search;
use gix_ignore::search::Ignore;

use super::config::Config;
use super::repository::{Repository, setting_path};
use super::stop::Outcome;
use crate::call::bytes;
use crate::system;

/// The patterns of `.gitignore` files, read when their folder is asked for.
pub struct Ignored {
    root: Vec<u8>,
    search: RefCell<Search>,
    read: RefCell<HashSet<Vec<u8>>>,
    /// No `.gitignore` counts.
    plain: bool,
}

/// The file with what is left out in every repository of the user, whose home this is.
pub fn global_excludes(home: &[u8]) -> Option<Vec<u8>> {
    let mut config = Config::default();
    for name in [&b".config/git/config"[..], b".gitconfig"] {
        // Settings that cannot be read set nothing.
        let _ = config.add_file(&system::join(home, name));
    }
    let standard = system::join(home, b".config/git/ignore");
    Some(setting_path(&config, "core.excludesfile").unwrap_or(standard))
}

/// The pattern that decided.
pub struct Found {
    pub source: String,
    pub line: usize,
    pub pattern: String,
    pub negative: bool,
}

impl Ignored {
    /// The patterns that hold everywhere; those of folders follow on the way.
    pub fn new(repository: &Repository) -> Outcome<Ignored> {
        let ignored = Ignored {
            root: repository.root()?.to_vec(),
            search: RefCell::default(),
            read: RefCell::default(),
            plain: false,
        };
        let global = setting_path(&repository.config, "core.excludesfile").or_else(|| {
            let home = std::env::var_os("HOME")?.into_encoded_bytes();
            Some(system::join(&home, b".config/git/ignore"))
        });
        let exclude = system::join(&repository.common, b"info/exclude");
        for path in global.into_iter().chain([exclude]) {
            if let Ok(text) = system::read_whole(&path) {
                ignored.add(&text, &String::from_utf8_lossy(&path), None);
            }
        }
        Ok(ignored)
    }

    /// No patterns at all, `.gitignore` files included.
    pub fn none(repository: &Repository) -> Outcome<Ignored> {
        Ok(Ignored {
            root: repository.root()?.to_vec(),
            search: RefCell::default(),
            read: RefCell::default(),
            plain: true,
        })
    }

    /// Adds one pattern that wins over all others.
    pub fn add_pattern(&self, pattern: &[u8]) {
        self.add(pattern, "", None);
    }

    fn add(&self, text: &[u8], source: &str, root: Option<&Path>) {
        let parse = Ignore {
            support_precious: false,
        };
        // The only error is a source outside of its root, which is not so here.
        let _ = self
            .search
            .borrow_mut()
            .add_patterns_buffer(text, source, root, parse);
    }

    fn enter(&self, folder: &[u8]) {
        if self.plain || !self.read.borrow_mut().insert(folder.to_vec()) {
            return;
        }
        let path = system::join(folder, b".gitignore");
        if let Ok(text) = system::read_whole(&system::join(&self.root, &path)) {
            self.add(&text, &String::from_utf8_lossy(&path), Some(Path::new("")));
        }
    }

    /// Whether a path is ignored itself, its folders not being so. Folders are asked for before what
    /// is in them.
    pub fn is_ignored_itself(&self, path: &[u8], folder: bool) -> bool {
        self.decide(path, folder)
            .is_some_and(|found| !found.negative)
    }

    fn decide(&self, path: &[u8], folder: bool) -> Option<Found> {
        let mut end = 0;
        self.enter(b"");
        while let Some(at) = path[end..].iter().position(|&byte| byte == b'/') {
            self.enter(&path[..end + at]);
            end += at + 1;
        }
        let search = self.search.borrow();
        let found =
            search.pattern_matching_relative_path(path.into(), Some(folder), Case::Sensitive)?;
        Some(Found {
            source: found
                .source
                .map_or_else(String::new, |path| path.display().to_string()),
            line: found.sequence_number,
            pattern: found.pattern.to_string(),
            negative: found.pattern.is_negative(),
        })
    }

    /// The pattern that decides about a path, or about a folder above it.
    pub fn explain(&self, path: &[u8], folder: bool) -> Option<Found> {
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (end, _) in ends {
            if let Some(found) = self
                .decide(&path[..end], true)
                .filter(|found| !found.negative)
            {
                return Some(found);
            }
        }
        self.decide(path, folder)
    }

    /// Whether a path or a folder above it is ignored.
    pub fn is_ignored(&self, path: &[u8], folder: bool) -> bool {
        self.explain(path, folder)
            .is_some_and(|found| !found.negative)
    }
}

/// The patterns of `-e`, one after the other.
pub fn with_patterns<'a>(ignored: Ignored, patterns: impl Iterator<Item = &'a [u8]>) -> Ignored {
    for pattern in patterns {
        ignored.add_pattern(&bytes!(pattern, "\n"));
    }
    ignored
}
