//! What a fetch changes here, and the lines that say so.

use super::{Mark, Settings, Update};
use crate::call::bytes;
use crate::git::branch::identity;
use crate::git::objects::{Id, none, parse_id, write_file};
use crate::git::refs::Target;
use crate::git::remote::advert::Advert;
use crate::git::remote::refspec::Refspec;
use crate::git::remote::{Remote, pretty, url};
use crate::git::repository::Repository;
use crate::git::stop::Outcome;
use crate::git::walk::is_ancestor;

/// What is told and noted of a fetch.
pub(super) struct Report<'a> {
    pub(super) settings: &'a Settings,
    shown_url: Vec<u8>,
    is_headed: bool,
    /// The width of what happened.
    summary: usize,
    /// The width of the names of the other side.
    pub(super) names: usize,
    pub(super) refused: bool,
}

/// What became of one reference.
struct Line {
    flag: char,
    summary: String,
    note: &'static str,
}

impl<'a> Report<'a> {
    pub(super) fn new(
        repository: &Repository,
        remote: &Remote,
        settings: &'a Settings,
        updates: &[Update],
    ) -> Report<'a> {
        let mut names = 10;
        let mut widest = 7;
        for update in updates {
            widest = widest.max(repository.short(&update.id).len());
            let Some(local) = &update.local else { continue };
            if repository.refs.resolve(local) == Some(update.id) || update.source == b"HEAD" {
                continue;
            }
            let width = pretty(&update.source).len();
            if 21 + width + 4 + pretty(local).len() < 80 {
                names = names.max(width);
            }
        }
        Report {
            settings,
            shown_url: url::shown(&remote.url),
            is_headed: false,
            summary: 2 * widest + 3,
            names,
            refused: false,
        }
    }

    fn show(&mut self, repository: &Repository, line: &Line, from: &[u8], to: &[u8]) {
        let is_quiet = self.settings.quiet && line.flag != '!';
        if is_quiet || (line.flag == '=' && !self.settings.verbose) {
            return;
        }
        if !self.is_headed {
            repository.say(bytes!("From ", self.shown_url));
            self.is_headed = true;
        }
        let width = self.summary;
        let head = format!(" {} {:<width$} ", line.flag, line.summary);
        let blanks = b" ".repeat(self.names.saturating_sub(from.len()));
        let note = if line.note.is_empty() {
            String::new()
        } else {
            format!("  ({})", line.note)
        };
        repository.say(bytes!(head, from, blanks, " -> ", to, note));
    }

    /// Removes what follows references that are gone.
    pub(super) fn prune(
        &mut self,
        repository: &Repository,
        rules: &[Refspec],
        advert: &Advert,
    ) -> Outcome {
        for (name, _) in repository.refs.list(b"refs/") {
            let sources: Vec<Vec<u8>> = rules
                .iter()
                .filter_map(|rule| rule.reverse(&name))
                .collect();
            let is_stale = !sources.is_empty()
                && sources
                    .iter()
                    .all(|source| !advert.refs.contains_key(source));
            let symbolic = matches!(repository.refs.get(&name), Some(Target::Symbolic(_)));
            if !is_stale || symbolic {
                continue;
            }
            if !self.settings.dry {
                repository.refs.delete(&name)?;
            }
            let summary = "[deleted]".to_owned();
            let line = Line {
                flag: '-',
                summary,
                note: "",
            };
            self.show(repository, &line, b"(none)", pretty(&name));
        }
        Ok(())
    }

    pub(super) fn apply(&mut self, repository: &Repository, updates: &[Update]) -> Outcome {
        for update in updates {
            let name = pretty(&update.source);
            let Some(local) = &update.local else {
                let line = Line {
                    flag: '*',
                    summary: kind(&update.source, "branch").to_owned(),
                    note: "",
                };
                self.show(repository, &line, name, b"FETCH_HEAD");
                continue;
            };
            let line = self.update(repository, update, local)?;
            self.refused |= line.flag == '!';
            self.show(repository, &line, name, pretty(local));
        }
        Ok(())
    }

    fn update(&self, repository: &Repository, update: &Update, local: &[u8]) -> Outcome<Line> {
        let line = |flag, summary: &str, note| Line {
            flag,
            summary: summary.to_owned(),
            note,
        };
        let old = repository.refs.resolve(local);
        let force = update.force || self.settings.force;
        let Some(old) = old else {
            let (what, why) = if update.source.starts_with(b"refs/tags/") {
                ("[new tag]", "storing tag")
            } else if update.source.starts_with(b"refs/heads/") {
                ("[new branch]", "storing head")
            } else {
                ("[new ref]", "storing ref")
            };
            self.set(repository, local, &update.id, why)?;
            return Ok(line('*', what, ""));
        };
        if old == update.id {
            return Ok(line('=', "[up to date]", ""));
        }
        if local.starts_with(b"refs/tags/") {
            if !force {
                return Ok(line('!', "[rejected]", "would clobber existing tag"));
            }
            self.set(repository, local, &update.id, "updating tag")?;
            return Ok(line('t', "[tag update]", ""));
        }
        let commits = [&old, &update.id].map(|id| repository.objects.commit(id).is_ok());
        let forward = commits == [true, true] && is_ancestor(repository, &old, &update.id)?;
        let (from, to) = (repository.short(&old), repository.short(&update.id));
        if forward {
            self.set(repository, local, &update.id, "fast-forward")?;
            return Ok(line(' ', &format!("{from}..{to}"), ""));
        }
        if force {
            self.set(repository, local, &update.id, "forced-update")?;
            return Ok(line('+', &format!("{from}...{to}"), "forced update"));
        }
        Ok(line('!', "[rejected]", "non-fast-forward"))
    }

    fn set(&self, repository: &Repository, name: &[u8], id: &Id, why: &str) -> Outcome {
        if self.settings.dry {
            return Ok(());
        }
        let why = bytes!(self.settings.action, ": ", why);
        repository
            .refs
            .update(name, id, &identity(repository), &why)
    }

    /// Writes `FETCH_HEAD`.
    pub(super) fn note(
        &self,
        repository: &Repository,
        remote: &Remote,
        updates: &[Update],
    ) -> Outcome {
        let mut text = Vec::new();
        if self.settings.append {
            text = repository.note("FETCH_HEAD").unwrap_or_default();
        }
        let url = url::shown(&remote.url);
        for update in updates
            .iter()
            .filter(|update| update.mark != Mark::Unmarked)
        {
            let mark = if update.mark == Mark::Merge {
                ""
            } else {
                "not-for-merge"
            };
            let name = pretty(&update.source);
            let what = match kind(&update.source, "") {
                _ if update.source == b"HEAD" => Vec::new(),
                "" => bytes!("'", name, "' of "),
                kind => bytes!(kind, " '", name, "' of "),
            };
            text.extend(bytes!(format!("{}\t{mark}\t", update.id), what, url, "\n"));
        }
        write_file(&repository.own("FETCH_HEAD"), &text)
    }
}

/// What a reference is called.
fn kind<'a>(name: &[u8], other: &'a str) -> &'a str {
    if name.starts_with(b"refs/heads/") {
        "branch"
    } else if name.starts_with(b"refs/tags/") {
        "tag"
    } else if name.starts_with(b"refs/remotes/") {
        "remote-tracking branch"
    } else {
        other
    }
}

/// What `FETCH_HEAD` says is to be merged: commits, and what each is called.
pub fn merged(repository: &Repository) -> Vec<(Id, Vec<u8>)> {
    let text = repository.note("FETCH_HEAD").unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n');
    let found = lines.filter_map(|line| {
        let mut parts = line.splitn(3, |&byte| byte == b'\t');
        let id = parse_id(parts.next()?)?;
        let mark = parts.next()?;
        mark.is_empty().then_some((id, parts.next()?.to_vec()))
    });
    found.filter(|(id, _)| *id != none()).collect()
}
