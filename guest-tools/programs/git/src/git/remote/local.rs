//! A repository in a folder beside ours.

use super::super::branch::identity;
use super::super::hooks::{self, Hook};
use super::super::objects::{Id, none};
use super::super::repository::{Globals, Repository};
use super::super::stop::{Outcome, Stop};
use super::advert::Advert;
use super::pack;
use super::transport::{Command, Received, Report, Wants};
use crate::call::bytes;
use crate::system;

/// The other repository.
pub struct Local {
    pub repository: Repository,
}

/// The folder of a repository's own files, as `path` may name it.
pub fn find(path: &[u8]) -> Option<Vec<u8>> {
    let forms = ["/.git", "", ".git/.git", ".git"];
    let mut folders = forms.iter().map(|end| bytes!(path, end));
    folders.find(|folder| super::super::repository::is_git_dir(folder))
}

impl Local {
    /// Opens the repository at `path`.
    pub fn open(path: &[u8]) -> Outcome<Local> {
        let folder = find(path).ok_or_else(|| Stop {
            status: 128,
            message: bytes!(
                "fatal: '",
                path,
                "' does not appear to be a git repository\n\
                 fatal: Could not read from remote repository.\n\n\
                 Please make sure you have the correct access rights\nand the repository exists."
            ),
        })?;
        let folder = system::canonicalize(&folder).unwrap_or(folder);
        let globals = Globals {
            git_dir: Some(folder),
            ..Globals::default()
        };
        let repository = Repository::discover(&globals)?;
        Ok(Local { repository })
    }

    /// What it has.
    pub fn list(&self) -> Outcome<Advert> {
        let refs = &self.repository.refs;
        let mut advert = Advert {
            head: refs.head().filter(|name| refs.resolve(name).is_some()),
            ..Advert::default()
        };
        advert.refs = refs.list(b"refs/").into_iter().collect();
        advert
            .refs
            .extend(refs.resolve(b"HEAD").map(|id| (b"HEAD".to_vec(), id)));
        for (name, id) in &advert.refs {
            let objects = &self.repository.objects;
            if name.starts_with(b"refs/tags/")
                && let Ok((peeled, _)) = objects.peel(id)
                && peeled != *id
            {
                advert.peeled.insert(name.clone(), peeled);
            }
        }
        Ok(advert)
    }

    /// A pack with what is wanted.
    pub fn fetch(&self, wants: &Wants) -> Outcome<Received> {
        let objects = &self.repository.objects;
        let mut ids = wants.ids.clone();
        if wants.tags {
            ids.extend(self.tags_of(wants)?);
        }
        // Another depth moves the places where the history ends, so all is sent anew.
        let haves = if wants.depth.is_some() {
            &[]
        } else {
            wants.haves.as_slice()
        };
        let limits = pack::Limits {
            depth: wants.depth,
            shallow: &wants.shallow,
        };
        let found = pack::select(objects, &ids, haves, &limits)?;
        let own: Vec<Id> = objects.shallow().iter().copied().collect();
        let mut shallow = found.shallow;
        shallow.extend(own.into_iter().filter(|id| found.objects.contains(id)));
        let unshallow = wants.shallow.iter().filter(|id| !shallow.contains(id));
        Ok(Received {
            pack: pack::write(objects, &found.objects)?,
            unshallow: match wants.depth {
                Some(_) => unshallow.copied().collect(),
                None => Vec::new(),
            },
            shallow,
            needs: Vec::new(),
        })
    }

    /// The annotated tags of commits that are wanted.
    fn tags_of(&self, wants: &Wants) -> Outcome<Vec<Id>> {
        let tags = self.list()?;
        let wanted = tags.peeled.iter().filter(|(_, id)| wants.ids.contains(id));
        Ok(wanted
            .filter_map(|(name, _)| tags.refs.get(name).copied())
            .collect())
    }

    /// Takes a pack in and moves references.
    pub fn push(&mut self, commands: &[Command], pack: Option<Vec<u8>>) -> Outcome<Report> {
        if let Some(pack) = pack {
            pack::store(&mut self.repository, pack)?;
        }
        let mut report = Report::new();
        let refused = self.hook("pre-receive", &[], &lines(commands)) != 0;
        let mut done: Vec<Command> = Vec::new();
        for command in commands {
            let refused = match self.refuse(command) {
                _ if refused => Some(b"pre-receive hook declined".as_slice()),
                None if !self.update_hook_agrees(command) => Some(b"hook declined".as_slice()),
                refused => refused,
            };
            if refused.is_none() {
                self.apply(command)?;
                done.push(command.clone());
            }
            report.push((command.name.clone(), refused.map(<[u8]>::to_vec)));
        }
        if !done.is_empty() {
            self.hook("post-receive", &[], &lines(&done));
            let names: Vec<&[u8]> = done.iter().map(|one| one.name.as_slice()).collect();
            self.hook("post-update", &names, b"");
        }
        Ok(report)
    }

    /// Whether the hook `update` lets a reference move.
    fn update_hook_agrees(&self, command: &Command) -> bool {
        let (old, new) = (command.old.to_string(), command.new.to_string());
        let words = [command.name.as_slice(), old.as_bytes(), new.as_bytes()];
        if self.hook("update", &words, b"") == 0 {
            return true;
        }
        let line = bytes!("error: hook declined to update ", command.name, "\n");
        super::sideband::Messages::default().add(&line);
        false
    }

    /// Runs a hook of the other side; what it prints is told as what that says.
    fn hook(&self, name: &str, arguments: &[&[u8]], input: &[u8]) -> i32 {
        let mut messages = super::sideband::Messages::default();
        let hook = Hook {
            arguments,
            input,
            receives: true,
            ..Hook::default()
        };
        let status = hooks::run_heard(&self.repository, name, &hook, |text| messages.add(text));
        messages.finish();
        status
    }

    fn refuse(&self, command: &Command) -> Option<&'static [u8]> {
        let repository = &self.repository;
        let config = |name: &str| repository.config.text(name);
        let current = repository.refs.head().as_deref() == Some(&command.name);
        let old = repository.refs.resolve(&command.name).unwrap_or_else(none);
        if old != command.old {
            return Some(b"failed to update ref");
        }
        if current && !command.new.is_null() && repository.root.is_some() {
            let setting = config("receive.denycurrentbranch").unwrap_or_default();
            if !matches!(setting.as_str(), "ignore" | "warn" | "false" | "no") {
                say_checked_out(&command.name, setting.is_empty());
                return Some(b"branch is currently checked out");
            }
        }
        if command.new.is_null() && current {
            let setting = config("receive.denydeletecurrent").unwrap_or_default();
            if !matches!(setting.as_str(), "ignore" | "warn" | "false" | "no") {
                say_not_deleted(&command.name, setting.is_empty());
                return Some(b"deletion of the current branch prohibited");
            }
        }
        if command.new.is_null() && repository.config.truth("receive.denydeletes", false) {
            return Some(b"deletion prohibited");
        }
        let forced = !command.new.is_null() && !command.old.is_null();
        if forced
            && repository
                .config
                .truth("receive.denynonfastforwards", false)
            && !super::super::walk::is_ancestor(repository, &command.old, &command.new)
                .unwrap_or(false)
        {
            return Some(b"non-fast-forward");
        }
        None
    }

    fn apply(&self, command: &Command) -> Outcome {
        let refs = &self.repository.refs;
        if command.new.is_null() {
            return refs.delete(&command.name);
        }
        if self.repository.root.is_none() {
            let target = super::super::refs::Target::Object(command.new);
            return refs.set(&command.name, &target);
        }
        let who = identity(&self.repository);
        refs.update(&command.name, &command.new, &who, b"push")
    }
}

/// What hooks read of the references that are to move: a line `OLD NEW NAME` for each.
fn lines(commands: &[Command]) -> Vec<u8> {
    let lines = commands.iter().map(|command| {
        let ids = format!("{} {} ", command.old, command.new);
        bytes!(ids, command.name, "\n")
    });
    lines.collect::<Vec<_>>().concat()
}

/// Says why the current branch is not deleted.
fn say_not_deleted(name: &[u8], advise: bool) {
    let mut text = Vec::new();
    if advise {
        text.extend_from_slice(
            b"error: By default, deleting the current branch is denied, because the next\n\
              'git clone' won't result in any file checked out, causing confusion.\n\n\
              You can set 'receive.denyDeleteCurrent' configuration variable to\n\
              'warn' or 'ignore' in the remote repository to allow deleting the\n\
              current branch, with or without a warning message.\n\n\
              To squelch this message, you can set it to 'refuse'.\n",
        );
    }
    text.extend(bytes!(
        "error: refusing to delete the current branch: ",
        name,
        "\n"
    ));
    super::sideband::Messages::default().add(&text);
}

/// Why a branch that somebody works on is not moved.
fn say_checked_out(name: &[u8], advise: bool) {
    let mut text = bytes!("error: refusing to update checked out branch: ", name, "\n");
    if advise {
        text.extend_from_slice(
            b"error: By default, updating the current branch in a non-bare repository\n\
              is denied, because it will make the index and work tree inconsistent\n\
              with what you pushed, and will require 'git reset --hard' to match\n\
              the work tree to HEAD.\n\n\
              You can set the 'receive.denyCurrentBranch' configuration variable\n\
              to 'ignore' or 'warn' in the remote repository to allow pushing into\n\
              its current branch; however, this is not recommended unless you\n\
              arranged to update its work tree to match what you pushed in some\n\
              other way.\n\n\
              To squelch this message and still keep the default behaviour, set\n\
              'receive.denyCurrentBranch' configuration variable to 'refuse'.\n",
        );
    }
    super::sideband::Messages::default().add(&text);
}
