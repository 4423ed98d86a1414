//! Which names `--include` and `--exclude` let through: the first rule that fits decides, and what no rule fits is
//! copied.
//!
//! | pattern | fits |
//! |---|---|
//! | `*.o` | every name that ends so, at any depth |
//! | `/build` | `build` at the top of what is copied |
//! | `cache/` | directories of that name |
//! | `a/b` | every path that ends in `a/b` |
//! | `dir/***` | `dir` and all that is in it |
//!
//! `*` and `?` do not fit a slash, `**` does. What is in an excluded directory is not looked at.

use globset::{GlobBuilder, GlobMatcher};

/// One rule.
pub struct Rule {
    /// Whether what fits is copied.
    include: bool,
    /// Whether it is for directories only: the pattern ends in a slash.
    directory: bool,
    matcher: GlobMatcher,
}

impl Rule {
    /// Compiles a pattern; none where it has no meaning.
    pub fn new(pattern: &[u8], include: bool) -> Option<Rule> {
        let text = std::str::from_utf8(pattern).ok()?;
        let directory = text.ends_with('/');
        let text = text.trim_end_matches('/');
        let (anchored, text) = match text.strip_prefix('/') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let pattern = match (text.strip_suffix("/***"), anchored) {
            // The directory itself and all in it.
            (Some(head), true) => format!("{{{head},{head}/**}}"),
            (Some(head), false) => format!("{{{head},{head}/**,**/{head},**/{head}/**}}"),
            (None, true) => text.to_owned(),
            (None, false) => format!("**/{text}"),
        };
        let glob = GlobBuilder::new(&pattern)
            .literal_separator(true)
            .build()
            .ok()?;
        Some(Rule {
            include,
            directory,
            matcher: glob.compile_matcher(),
        })
    }
}

/// The rules in their order.
#[derive(Default)]
pub struct Filter(pub Vec<Rule>);

impl Filter {
    /// Whether the rules leave a name out; `path` is seen from the top of what is copied.
    pub fn excludes(&self, path: &[u8], is_directory: bool) -> bool {
        let text = String::from_utf8_lossy(path);
        let fits =
            |rule: &&Rule| (is_directory || !rule.directory) && rule.matcher.is_match(&*text);
        self.0.iter().find(fits).is_some_and(|rule| !rule.include)
    }
}
