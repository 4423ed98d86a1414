//! A repository: where its parts are, who uses it, and what commands share.
//!
//! Discovery follows git's: `GIT_DIR` or `--git-dir`, else the first folder upwards with a `.git` (a folder, or a
//! file `gitdir: PATH` of a work tree or submodule) or that is a bare repository itself. Settings are read from the
//! machine's file, the user's two, the repository's, and `-c`, the later over the earlier; `GIT_CONFIG_NOSYSTEM`,
//! `GIT_CONFIG_SYSTEM` and `GIT_CONFIG_GLOBAL` are honoured.
//!
//! Paths inside are bytes from the top of the work tree, with `/` and without `./`: that is what trees and the index
//! have. [`Repository::path_from_top`] and [`Repository::path_from_here`] go between these and what the user types
//! and sees.

use std::cell::OnceCell;

use super::config::{self, Config, Place, Scope};
use super::index::Index;
use super::objects::{Commit, Id, Objects, Person};
use super::refs::Refs;
use super::stop::{Outcome, fatal};
use super::tree::{self, Items};
use crate::call::bytes;
use crate::output::Output;
use crate::system::{self, Kind, Time};

/// What stands before the command's name, such as `-C` and `-c`.
#[derive(Default)]
pub struct Globals {
    /// The words of `-c`, as `NAME=VALUE` or `NAME`, in order.
    pub settings: Vec<Vec<u8>>,
    /// `--git-dir`, as given.
    pub git_dir: Option<Vec<u8>>,
    /// `--work-tree`, as given.
    pub work_tree: Option<Vec<u8>>,
    /// `--bare`: the working directory is the repository.
    pub bare: bool,
}

/// A repository and the output of the command that runs on it.
pub struct Repository {
    /// The folder `.git` of this work tree, absolute. `HEAD`, the index and what is under way lie here.
    pub git_dir: Vec<u8>,
    /// The folder that all work trees share; most often the same. Objects, branches and settings lie here.
    pub common: Vec<u8>,
    /// The top of the work tree, absolute; none in a bare repository.
    pub root: Option<Vec<u8>>,
    /// The working directory within the work tree, with a slash behind it, or empty.
    pub prefix: Vec<u8>,
    pub objects: Objects,
    pub refs: Refs,
    pub config: Config,
    /// Standard output of the command, which is written when it ends.
    pub out: Output,
    /// The settings of the command line.
    pub settings: Vec<Vec<u8>>,
    /// The time and zone of this command, taken once: author and committer of one commit agree.
    person: OnceCell<(Time, i32)>,
}

/// The absolute path of the working directory.
pub fn directory() -> Outcome<Vec<u8>> {
    system::canonicalize(b".").map_err(|_| fatal("Unable to read current working directory"))
}

/// A variable of the environment; an empty one counts as unset.
fn variable(name: &str) -> Option<Vec<u8>> {
    let value = std::env::var_os(name)?.into_encoded_bytes();
    (!value.is_empty()).then_some(value)
}

/// Whether a folder has the files of a repository.
pub fn is_git_dir(path: &[u8]) -> bool {
    let is = |name: &[u8], kind| {
        system::stat(&system::join(path, name), true).is_ok_and(|stat| stat.kind == kind)
    };
    is(b"HEAD", Kind::Regular)
        && (is(b"commondir", Kind::Regular)
            || (is(b"objects", Kind::Directory) && is(b"refs", Kind::Directory)))
}

/// The settings of the machine, the user and, where `git_dir` names one, a repository whose shared folder is `common`,
/// and then those of the environment and the command line.
pub fn settings(globals: &Globals, repository: Option<(&[u8], &[u8])>) -> Outcome<Config> {
    let mut config = Config::at(match repository {
        Some((git_dir, common)) => Place {
            git_dir: Some(git_dir.to_vec()),
            branch: Refs::new(git_dir.to_vec(), common.to_vec()).branch(),
        },
        None => Place::default(),
    });
    for (path, scope) in global_files() {
        config.add_scoped(&path, scope)?;
    }
    if let Some((git_dir, common)) = repository {
        config.add_file(&system::join(common, b"config"))?;
        if config.truth("extensions.worktreeconfig", false) {
            let path = system::join(git_dir, b"config.worktree");
            config.add_scoped(&path, Scope::Worktree)?;
        }
    }
    add_environment(&mut config)?;
    for word in &globals.settings {
        config.add_word(word)?;
    }
    Ok(config)
}

/// Adds the settings that `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_N` and `GIT_CONFIG_VALUE_N` give.
fn add_environment(config: &mut Config) -> Outcome {
    let Some(count) = variable("GIT_CONFIG_COUNT") else {
        return Ok(());
    };
    let count =
        crate::options::number(&count).ok_or_else(|| fatal("bogus count in GIT_CONFIG_COUNT"))?;
    for at in 0..count {
        let get = |what: &str| {
            let name = format!("GIT_CONFIG_{what}_{at}");
            let value = std::env::var_os(&name).map(std::ffi::OsString::into_encoded_bytes);
            value.ok_or_else(|| fatal(format!("missing config {} {name}", what.to_lowercase())))
        };
        config.add(&get("KEY")?, Some(get("VALUE")?))?;
    }
    Ok(())
}

/// The file with the settings of the machine; none where `GIT_CONFIG_NOSYSTEM` is true.
pub fn system_file() -> Vec<u8> {
    variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| b"/etc/gitconfig".to_vec())
}

/// The files with the settings of the machine and the user, the weakest first. They need not be there.
pub fn global_files() -> Vec<(Vec<u8>, Scope)> {
    let mut files = Vec::new();
    let skips = variable("GIT_CONFIG_NOSYSTEM");
    if !skips.is_some_and(|value| config::is_true(&value).unwrap_or(true)) {
        files.push((system_file(), Scope::System));
    }
    files.extend(user_files().into_iter().map(|path| (path, Scope::Global)));
    files
}

/// The files with the settings of the user, the weaker first; new settings go into the last.
pub fn user_files() -> Vec<Vec<u8>> {
    if let Some(path) = variable("GIT_CONFIG_GLOBAL") {
        return vec![path];
    }
    let mut files = Vec::new();
    let home = variable("HOME");
    let other = variable("XDG_CONFIG_HOME")
        .or_else(|| home.as_ref().map(|home| system::join(home, b".config")));
    files.extend(other.map(|folder| system::join(&folder, b"git/config")));
    files.extend(home.map(|home| system::join(&home, b".gitconfig")));
    files
}

impl Repository {
    /// The repository that the working directory is in, or that `--git-dir` or `GIT_DIR` names; `fatal: not a git
    /// repository` where there is none. Extensions of format 1 that change how data lies (SHA-256, partial clones,
    /// reftables) are refused.
    ///
    /// With `GIT_DIR` the working directory is the top of the work tree unless `--work-tree`, `GIT_WORK_TREE` or
    /// `core.bare` say otherwise.
    pub fn discover(globals: &Globals) -> Outcome<Repository> {
        let here = directory()?;
        let given = globals.git_dir.clone().or_else(|| variable("GIT_DIR"));
        let tree = globals
            .work_tree
            .clone()
            .or_else(|| variable("GIT_WORK_TREE"));
        let bare = || globals.bare.then(|| here.clone());
        let (git_dir, mut root) = match given.or_else(bare) {
            Some(path) => {
                if !is_git_dir(&path) {
                    return Err(fatal(bytes!("not a git repository: '", path, "'")));
                }
                let path = system::canonicalize(&path).unwrap_or(path);
                (path, Some(here.clone()))
            }
            None => search(&here)?,
        };
        let tree_given = tree.is_some();
        if let Some(tree) = tree {
            let path = system::canonicalize(&tree);
            root = Some(path.map_err(|failure| super::stop::file("cannot use", &tree, failure))?);
        }
        let common = match system::read_whole(&system::join(&git_dir, b"commondir")) {
            Ok(path) => system::join(&git_dir, path.trim_ascii()),
            Err(_) => git_dir.clone(),
        };
        let config = settings(globals, Some((&git_dir, &common)))?;
        let format = config.get("core.repositoryformatversion").unwrap_or(b"0");
        let unknown = config.all().iter().find(|setting| {
            let known = [
                "extensions.noop",
                "extensions.preciousobjects",
                "extensions.worktreeconfig",
            ];
            let sha1 = setting.name == "extensions.objectformat"
                && setting.value.as_deref() == Some(b"sha1");
            setting.name.starts_with("extensions.")
                && !known.contains(&setting.name.as_str())
                && !sha1
        });
        if let (b"1", Some(unknown)) = (format, unknown) {
            return Err(fatal(bytes!(
                "unsupported repository extension: ",
                unknown.name
            )));
        }
        let is_bare = config.truth("core.bare", globals.bare) && common == git_dir;
        if is_bare && !tree_given {
            root = None;
        }
        let mut prefix = Vec::new();
        if let Some(root) = &root {
            let below = here.strip_prefix(root.as_slice()).unwrap_or_default();
            let below = if root == b"/" { &here[1..] } else { below };
            if !below.is_empty() {
                prefix = bytes!(below.strip_prefix(b"/").unwrap_or(below), "/");
            }
        }
        Ok(Repository {
            objects: Objects::new(
                variable("GIT_OBJECT_DIRECTORY")
                    .unwrap_or_else(|| system::join(&common, b"objects")),
            ),
            refs: Refs::new(git_dir.clone(), common.clone()),
            git_dir,
            common,
            root,
            prefix,
            config,
            out: Output::new(),
            settings: globals.settings.clone(),
            person: OnceCell::new(),
        })
    }

    /// Reads the repository's own settings anew, behind those that were known.
    pub fn reload(&mut self) -> Outcome {
        self.config.add_file(&system::join(&self.common, b"config"))
    }

    /// The top of the work tree; in a bare repository `fatal: this operation must be run in a work tree`.
    pub fn root(&self) -> Outcome<&[u8]> {
        match &self.root {
            Some(root) => Ok(root),
            None => Err(fatal("this operation must be run in a work tree")),
        }
    }

    /// The absolute path of a file of the work tree.
    pub fn file(&self, path: &[u8]) -> Outcome<Vec<u8>> {
        Ok(system::join(self.root()?, path))
    }

    /// The path of a file in `.git` of this work tree.
    pub fn own(&self, name: &str) -> Vec<u8> {
        system::join(&self.git_dir, name.as_bytes())
    }

    /// A path below the top of the work tree as it is seen from there; another path as it is.
    pub fn near(&self, path: &[u8]) -> Vec<u8> {
        let root = self.root.as_deref().unwrap_or_default();
        let below = path
            .strip_prefix(root)
            .and_then(|rest| rest.strip_prefix(b"/"));
        below
            .filter(|_| self.root.is_some())
            .unwrap_or(path)
            .to_vec()
    }

    /// The content of a file in `.git`, where it is there: `MERGE_HEAD`, `BISECT_START` and their kin.
    pub fn note(&self, name: &str) -> Option<Vec<u8>> {
        system::read_whole(&self.own(name)).ok()
    }

    /// Removes a file in `.git`.
    pub fn forget(&self, name: &str) {
        // Most often it was not there.
        let _ = system::unlink(&self.own(name));
    }

    /// Forgets the merge, pick or revert that was in progress; of several picks, those that are left stay.
    pub fn forget_progress(&self) {
        let picked = ["CHERRY_PICK_HEAD", "REVERT_HEAD"];
        if picked.iter().any(|note| self.note(note).is_some()) {
            super::pick::forget_last(self);
        }
        for note in [
            "MERGE_HEAD",
            "MERGE_MSG",
            "MERGE_MODE",
            "SQUASH_MSG",
            "CHERRY_PICK_HEAD",
            "REVERT_HEAD",
        ] {
            self.forget(note);
        }
    }

    /// The index's file: `GIT_INDEX_FILE`, else `.git/index`.
    fn index_path(&self) -> Vec<u8> {
        variable("GIT_INDEX_FILE").unwrap_or_else(|| self.own("index"))
    }

    /// Reads the index.
    pub fn index(&self) -> Outcome<Index> {
        Index::read(&self.index_path())
    }

    /// Writes the index.
    pub fn save(&self, index: &Index) -> Outcome {
        index.write(&self.index_path())
    }

    /// The commit that is checked out; none before the first.
    pub fn head(&self) -> Option<Id> {
        self.refs.resolve(b"HEAD")
    }

    /// The commit that is checked out, or git's words for a branch without any.
    pub fn head_commit(&self) -> Outcome<Commit> {
        match self.head() {
            Some(id) => self.objects.commit(&id),
            None => Err(fatal(bytes!(
                "your current branch '",
                self.refs.branch().unwrap_or_default(),
                "' does not have any commits yet"
            ))),
        }
    }

    /// The files of the commit that is checked out; none before the first.
    pub fn head_items(&self) -> Outcome<Items> {
        match self.head() {
            Some(id) => self.items(&id),
            None => Ok(Items::new()),
        }
    }

    /// The files of a commit or tree, of all folders in one map by path. Costs the size of the tree, not of the
    /// change.
    pub fn items(&self, id: &Id) -> Outcome<Items> {
        tree::flatten(&self.objects, &self.objects.tree_of(id)?)
    }

    /// A name cut to its usual length, by `core.abbrev`.
    pub fn short(&self, id: &Id) -> String {
        let least = self.config.text("core.abbrev");
        let least = least.and_then(|text| match text.as_str() {
            "no" | "false" | "off" => Some(40),
            text => text.parse().ok(),
        });
        self.objects.short(id, least)
    }

    /// Writes a line to standard error. What was printed follows at the end, as git has it.
    pub fn say(&self, line: impl AsRef<[u8]>) {
        use std::io::Write as _;
        // Nothing is left to tell where standard error is gone.
        let _ = std::io::stderr().write_all(&bytes!(line, "\n"));
    }

    /// Who is about to commit.
    pub fn committer(&self) -> Outcome<Person> {
        self.someone("COMMITTER", None)
    }

    /// Who wrote what is about to be committed; `--author` and `--date` override.
    pub fn author(&self, given: Option<&[u8]>, date: Option<&[u8]>) -> Outcome<Person> {
        let mut person = self.someone("AUTHOR", date)?;
        if let Some(given) = given {
            let parsed = Person::parse(given);
            if !given.contains(&b'<') {
                return Err(fatal(bytes!(
                    "--author '",
                    given,
                    "' is not 'Name <email>' and matches no existing author"
                )));
            }
            (person.name, person.mail) = (parsed.name, parsed.mail);
        }
        Ok(person)
    }

    /// A person by the rules of git-commit-tree: `GIT_ROLE_NAME` and `GIT_ROLE_EMAIL`, `author.name` or
    /// `committer.name`, `user.name`, and for the address `EMAIL` at last. Nothing is made up of the machine's name:
    /// without both, git's words with status 128. `<`, `>` and line ends are taken out of both.
    fn someone(&self, role: &str, date: Option<&[u8]>) -> Outcome<Person> {
        let role_key = role.to_lowercase();
        let setting = |what: &str| {
            let own = self.config.get(&format!("{role_key}.{what}"));
            own.or_else(|| self.config.get(&format!("user.{what}")))
                .map(<[u8]>::to_vec)
        };
        let name = variable(&format!("GIT_{role}_NAME")).or_else(|| setting("name"));
        let mail = variable(&format!("GIT_{role}_EMAIL"))
            .or_else(|| setting("email"))
            .or_else(|| variable("EMAIL"));
        let (Some(name), Some(mail)) = (name, mail) else {
            return Err(super::stop::Stop {
                status: 128,
                message: bytes!(
                    if role == "AUTHOR" {
                        "Author"
                    } else {
                        "Committer"
                    },
                    " identity unknown\n\n*** Please tell me who you are.\n\nRun\n\n  \
                     git config --global user.email \"you@example.com\"\n  \
                     git config --global user.name \"Your Name\"\n\n\
                     to set your account's default identity.\n\
                     Omit --global to set the identity only in this repository.\n\n\
                     fatal: unable to auto-detect email address"
                ),
            });
        };
        let (now, zone) = *self.person.get_or_init(|| {
            let now = Time::now();
            (now, super::date::local_zone(now.seconds))
        });
        let given = date
            .map(<[u8]>::to_vec)
            .or_else(|| variable(&format!("GIT_{role}_DATE")));
        let (time, zone) = match given {
            Some(text) => {
                parse_date(&text).ok_or_else(|| fatal(bytes!("invalid date format: ", text)))?
            }
            None => (now.seconds, zone),
        };
        let clean = |text: Vec<u8>| -> Vec<u8> {
            let kept = text.into_iter().filter(|byte| !b"<>\n".contains(byte));
            kept.collect::<Vec<u8>>().trim_ascii().to_vec()
        };
        Ok(Person {
            name: clean(name),
            mail: clean(mail),
            time,
            zone,
        })
    }

    /// A path as the user gave it, from the top of the work tree: in `/work/sub` of the work tree `/work`, `../a/./b`
    /// is `a/b`. Links are not followed. `fatal: … is outside repository` for what leads out.
    pub fn path_from_top(&self, given: &[u8]) -> Outcome<Vec<u8>> {
        let root = self.root()?;
        let whole = if given.first() == Some(&b'/') {
            let inside = given
                .strip_prefix(root)
                .filter(|rest| root == b"/" || rest.is_empty() || rest[0] == b'/');
            match inside {
                Some(rest) => rest.to_vec(),
                None => return Err(outside(given, root)),
            }
        } else {
            bytes!(self.prefix, given)
        };
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in whole.split(|&byte| byte == b'/') {
            match part {
                b"" | b"." => {}
                b".." if parts.pop().is_none() => return Err(outside(given, root)),
                b".." => {}
                part => parts.push(part),
            }
        }
        Ok(parts.join(&b'/'))
    }

    /// A path from the top of the work tree as it is seen from the working directory: `a/b` in `sub` is `../a/b`; the
    /// folder itself is `./`.
    pub fn path_from_here(&self, path: &[u8]) -> Vec<u8> {
        if self.prefix.is_empty() {
            return path.to_vec();
        }
        let mut here: Vec<&[u8]> = self
            .prefix
            .split(|&b| b == b'/')
            .filter(|p| !p.is_empty())
            .collect();
        let mut rest: Vec<&[u8]> = path.split(|&b| b == b'/').collect();
        while !here.is_empty() && rest.len() > 1 && here[0] == rest[0] {
            here.remove(0);
            rest.remove(0);
        }
        if path.ends_with(b"/") && rest == [b"".as_slice()] && here.is_empty() {
            return b"./".to_vec();
        }
        let mut out = b"../".repeat(here.len());
        out.extend(rest.join(&b'/'));
        out
    }
}

/// git's words for a path that is not in the work tree.
fn outside(given: &[u8], root: &[u8]) -> super::stop::Stop {
    fatal(bytes!(
        given,
        ": '",
        given,
        "' is outside repository at '",
        root,
        "'"
    ))
}

/// Reads a date as git does: seconds and minutes east of Greenwich. What `GIT_COMMITTER_DATE`, `--since` and
/// `name@{…}` take: `1700000000 +0100`, RFC 2822, ISO 8601 with and without a zone, `now`, `2 weeks ago`,
/// `2.weeks.ago`, `2.weeks`. Without a zone it is that of `TZ`. None for anything else; git's own reader finds a date in
/// almost any text.
pub fn parse_date(text: &[u8]) -> Option<(i64, i32)> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let local = crate::time::zone();
    let now = || jiff::Timestamp::now().to_zoned(local.clone());
    let zone = super::date::local_zone;
    if text == "now" {
        let now = Time::now().seconds;
        return Some((now, zone(now)));
    }
    if let Some(seconds) = text.strip_prefix('@')
        && let Ok(seconds) = seconds.parse()
    {
        return Some((seconds, zone(seconds)));
    }
    if text.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(found) = gix_date::parse(text, Some(now()))
    {
        return Some((found.seconds, zone(found.seconds)));
    }
    // A date without a zone is read as one of UTC first, and then moved to ours.
    let spaced = gix_date::parse(&format!("{text} +0000"), Some(now()));
    let timed = || gix_date::parse(&format!("{text}+00:00"), Some(now()));
    if let Ok(found) = spaced.or_else(|_| timed()) {
        let near = zone(found.seconds);
        let seconds = found.seconds - i64::from(near) * 60;
        let exact = zone(seconds);
        return Some((found.seconds - i64::from(exact) * 60, exact));
    }
    if let Ok(found) = gix_date::parse(text, Some(now())) {
        return Some((found.seconds, found.offset / 60));
    }
    // `2.weeks.ago`, and the same without its last word.
    let words = text.replace('.', " ");
    let ago = gix_date::parse(&words, Some(now()));
    let bare = || gix_date::parse(&format!("{words} ago"), Some(now()));
    let found = ago.or_else(|_| bare()).ok()?;
    Some((found.seconds, zone(found.seconds)))
}

/// The folder `.git` above the working directory, and the top of its work tree; none of it where the folder is a bare
/// repository. A file `.git` that leads nowhere is an error and ends the search.
fn search(here: &[u8]) -> Outcome<(Vec<u8>, Option<Vec<u8>>)> {
    let mut folder = here.to_vec();
    loop {
        let candidate = system::join(&folder, b".git");
        match system::stat(&candidate, true) {
            Ok(stat) if stat.kind == Kind::Directory && is_git_dir(&candidate) => {
                return Ok((candidate, Some(folder)));
            }
            Ok(stat) if stat.kind == Kind::Regular => {
                let text = system::read_whole(&candidate).unwrap_or_default();
                let target = text.strip_prefix(b"gitdir:").map(<[u8]>::trim_ascii);
                let target = target.map(|path| system::join(&folder, path));
                return match target.filter(|path| is_git_dir(path)) {
                    Some(path) => Ok((path, Some(folder))),
                    None => Err(fatal(bytes!("invalid gitfile format: ", candidate))),
                };
            }
            _ => {}
        }
        if is_git_dir(&folder) {
            return Ok((folder, None));
        }
        match folder.iter().rposition(|&byte| byte == b'/') {
            Some(0) if folder.len() > 1 => folder.truncate(1),
            Some(at) if at > 0 => folder.truncate(at),
            _ => {
                return Err(fatal(
                    "not a git repository (or any of the parent directories): .git",
                ));
            }
        }
    }
}

/// A setting that is a path, with `~/` as the home directory.
pub fn setting_path(config: &Config, name: &str) -> Option<Vec<u8>> {
    config.get(name).map(config::home)
}
