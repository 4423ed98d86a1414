//! What the options of differences ask for.

use imara_diff::Algorithm;

use super::Show;
use crate::call::bytes;
use crate::git::change::{Change, Side};
use crate::git::flags::Flags;
use crate::git::lines::Blanks;
use crate::git::patch::Style;
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, fatal, usage};
use crate::git::words::Mark;
use crate::git::{change, patch, summary, words};

/// How changes are found and shown.
#[derive(Clone, Debug)]
pub struct Settings {
    pub style: Style,
    pub show: Show,
    /// How alike files are that were renamed, and whether copies count.
    pub renames: Option<(u32, bool)>,
    /// `--raw` has whole names of objects.
    pub full_names: bool,
    filter: Option<String>,
    reverse: bool,
    relative: Option<Vec<u8>>,
}

fn percent(text: &[u8]) -> u32 {
    if text.is_empty() {
        return 50;
    }
    let digits = text.strip_suffix(b"%");
    match digits.map(crate::options::number::<u32>) {
        Some(number) => number.unwrap_or(50).min(100),
        None => {
            let fraction = String::from_utf8_lossy(text).into_owned();
            let value: f64 = format!("0.{fraction}").parse().unwrap_or(0.5);
            (value * 100.0).round() as u32
        }
    }
}

impl Settings {
    /// Reads the options of changes.
    pub fn new(repository: &Repository, flags: &Flags) -> Outcome<Settings> {
        let config = &repository.config;
        let mut style = Style {
            text: flags.has("a"),
            full_index: flags.has("full-index"),
            ..Style::default()
        };
        if let Some(context) = config
            .text("diff.context")
            .and_then(|text| text.parse().ok())
        {
            style.context = context;
        }
        if let Some(context) = flags.number("U")? {
            style.context = context;
        }
        let algorithm = match flags.last(&["minimal", "patience", "histogram", "diff-algorithm"]) {
            Some("diff-algorithm") => flags.value("diff-algorithm").map(<[u8]>::to_vec),
            Some(name) => Some(name.as_bytes().to_vec()),
            None => config.get("diff.algorithm").map(<[u8]>::to_vec),
        };
        style.algorithm = match algorithm.as_deref() {
            None | Some(b"myers" | b"default") => Algorithm::Myers,
            Some(b"minimal") => Algorithm::MyersMinimal,
            Some(b"histogram") => Algorithm::Histogram,
            Some(name) => {
                return Err(fatal(bytes!(
                    "the diff algorithm '",
                    name,
                    "' is not supported"
                )));
            }
        };
        style.blanks = match () {
            () if flags.has("w") => Blanks::All,
            () if flags.has("b") => Blanks::Amount,
            () if flags.has("ignore-space-at-eol") => Blanks::End,
            () => Blanks::Count,
        };
        if flags.denied("prefix") || config.truth("diff.noprefix", false) {
            style.prefixes = [Vec::new(), Vec::new()];
        }
        for (key, at) in [("src-prefix", 0), ("dst-prefix", 1)] {
            if let Some(prefix) = flags.value(key) {
                style.prefixes[at] = prefix.to_vec();
            }
        }
        if let Some(length) = flags.value("abbrev").filter(|text| !text.is_empty()) {
            style.abbrev = crate::options::number(length);
        }
        if flags.denied("abbrev") {
            style.full_index = true;
        }
        style.color = color(repository, flags)?;
        style.words = words::Words::new(flags)?;
        style.color |= style
            .words
            .as_ref()
            .is_some_and(|words| words.mark == Mark::Color);
        let renames = match (flags.last(&["M", "C"]), config.get("diff.renames")) {
            _ if flags.denied("renames") => None,
            (Some("C"), _) => Some((percent(flags.value("C").unwrap_or_default()), true)),
            (Some(_), _) => Some((percent(flags.value("M").unwrap_or_default()), false)),
            (None, Some(b"copies" | b"copy")) => Some((50, true)),
            (None, Some(value)) if crate::git::config::is_true(value) == Some(false) => None,
            (None, _) => Some((50, false)),
        };
        let relative = flags
            .has("relative")
            .then(|| match flags.value("relative") {
                Some(path) if !path.is_empty() => path.to_vec(),
                _ => repository.prefix.clone(),
            });
        let filter = flags.value("diff-filter");
        Ok(Settings {
            style,
            show: Show::new(flags)?,
            renames,
            full_names: false,
            filter: filter.map(|text| String::from_utf8_lossy(text).into_owned()),
            reverse: flags.has("R"),
            relative,
        })
    }

    /// Finds renames, and leaves out what is not asked for.
    pub fn refine(&self, repository: &Repository, changes: Vec<Change>) -> Outcome<Vec<Change>> {
        let mut changes = match self.renames {
            Some((least, copies)) => {
                change::find_renames(&repository.objects, changes, least, copies)?
            }
            None => changes,
        };
        if let Some(filter) = &self.filter {
            let lower: Vec<char> = filter.chars().filter(char::is_ascii_lowercase).collect();
            let upper: Vec<char> = filter.chars().filter(char::is_ascii_uppercase).collect();
            changes.retain(|change| {
                let letter = change.letter();
                !lower.contains(&letter.to_ascii_lowercase())
                    && (upper.is_empty() || upper.contains(&letter))
            });
        }
        if self.reverse {
            for change in &mut changes {
                std::mem::swap(&mut change.old, &mut change.new);
            }
        }
        if let Some(folder) = &self.relative {
            let cut = |side: &mut Option<Side>| {
                if let Some(inner) = side {
                    match inner.path.strip_prefix(folder.as_slice()) {
                        Some(rest) => inner.path = rest.to_vec(),
                        None => *side = None,
                    }
                }
            };
            for change in &mut changes {
                cut(&mut change.old);
                cut(&mut change.new);
            }
            changes.retain(|change| change.old.is_some() || change.new.is_some());
        }
        Ok(changes)
    }

    /// Appends what is shown of the changes.
    pub fn print(&self, repository: &Repository, changes: &[Change], out: &mut Vec<u8>) -> Outcome {
        let (objects, show) = (&repository.objects, &self.show);
        if show.name_only || show.name_status {
            out.extend(summary::names(changes, show.name_status, show.nul));
            return Ok(());
        }
        if show.raw {
            out.extend(summary::raw(
                objects,
                changes,
                self.full_names || self.style.full_index,
                show.nul,
            ));
        }
        if show.numstat || show.shortstat || show.stat.is_some() {
            let counted = summary::count(objects, changes, &self.style)?;
            if show.numstat {
                out.extend(summary::numbers(&counted, changes, show.nul));
            }
            if let Some(width) = show.stat {
                out.extend(summary::graph(&counted, width, self.style.color));
            } else if show.shortstat && !counted.is_empty() {
                out.extend_from_slice(summary::total(&counted).as_bytes());
            }
        }
        if show.summary {
            out.extend(summary::news(changes));
        }
        if show.patch {
            let more =
                show.raw || show.numstat || show.shortstat || show.stat.is_some() || show.summary;
            if more && !changes.is_empty() {
                out.push(b'\n');
            }
            for change in changes {
                if change.unmerged {
                    out.extend(bytes!("* Unmerged path ", change.path(), "\n"));
                } else {
                    patch::print(out, objects, change, &self.style)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether to print in colours.
pub fn color(repository: &Repository, flags: &Flags) -> Outcome<bool> {
    let wish = match flags.value("color") {
        Some(wish) => wish.to_vec(),
        None if flags.denied("color") => return Ok(false),
        None => {
            let config = &repository.config;
            let value = config.get("color.diff").or_else(|| config.get("color.ui"));
            return Ok(value == Some(b"always"));
        }
    };
    match wish.as_slice() {
        b"" | b"always" => Ok(true),
        b"never" | b"auto" => Ok(false),
        _ => Err(usage(
            "option `color' expects \"always\", \"auto\", or \"never\"",
        )),
    }
}
