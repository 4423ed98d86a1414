//! `git init`, `config` and `clean`.

use super::config::{self, Config, canonical};
use super::flags::Flags;
use super::ignore::{Ignored, with_patterns};
use super::objects::write_file;
use super::pathspec::Pathspec;
use super::quoting::quoted;
use super::refs::{is_valid, make_parents};
use super::repository::{Globals, Repository, global_files, settings};
use super::stop::{Outcome, Stop, error, fatal, file, quiet, usage};
use super::worktree::Ask;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::output::Output;
use crate::system::{self, Kind};

const INIT: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("b", "initial-branch", Value::Required),
    Opt("", "bare", Value::No),
    Opt("", "template", Value::Required),
    Opt("", "separate-git-dir", Value::Required),
    Opt("", "object-format", Value::Required),
    Opt("", "ref-format", Value::Required),
    Opt("", "shared", Value::Optional),
];

/// `git init`
pub fn init(globals: &Globals, arguments: &[Vec<u8>], out: &mut Output) -> Outcome<i32> {
    let flags = Flags::read(arguments, INIT)?;
    for (key, known) in [
        ("object-format", b"sha1".as_slice()),
        ("ref-format", b"files"),
    ] {
        if flags.value(key).is_some_and(|value| value != known) {
            return Err(usage(format!(
                "option `--{key}' supports nothing but the usual one"
            )));
        }
    }
    if flags.has("separate-git-dir") || flags.has("shared") {
        return Err(usage(
            "options `--separate-git-dir' and `--shared' are not supported",
        ));
    }
    let folder = flags
        .operands
        .first()
        .cloned()
        .unwrap_or_else(|| b".".to_vec());
    make_parents(&bytes!(folder, "/"))?;
    let folder =
        system::canonicalize(&folder).map_err(|failure| file("cannot use", &folder, failure))?;
    let bare = flags.has("bare");
    let git_dir = match (&globals.git_dir, bare) {
        (Some(path), _) => path.clone(),
        (None, true) => folder.clone(),
        (None, false) => system::join(&folder, b".git"),
    };
    let existed = system::stat(&system::join(&git_dir, b"HEAD"), true).is_ok();
    for name in [
        "objects/info",
        "objects/pack",
        "refs/heads",
        "refs/tags",
        "hooks",
        "info",
    ] {
        make_parents(&bytes!(system::join(&git_dir, name.as_bytes()), "/"))?;
    }
    let config = settings(globals, None)?;
    let branch = flags
        .value("b")
        .or_else(|| config.get("init.defaultbranch"))
        .unwrap_or(b"master")
        .to_vec();
    if !is_valid(&branch) {
        return Err(fatal(bytes!("invalid initial branch name: '", branch, "'")));
    }
    if !existed {
        write_file(
            &system::join(&git_dir, b"HEAD"),
            &bytes!("ref: refs/heads/", branch, "\n"),
        )?;
        let text = format!(
            "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = {bare}\n{}",
            if bare {
                ""
            } else {
                "\tlogallrefupdates = true\n"
            }
        );
        write_file(&system::join(&git_dir, b"config"), text.as_bytes())?;
        let description =
            b"Unnamed repository; edit this file 'description' to name the repository.\n";
        write_file(&system::join(&git_dir, b"description"), description)?;
        let exclude = b"# git ls-files --others --exclude-from=.git/info/exclude\n\
                        # Lines that start with '#' are comments.\n";
        write_file(&system::join(&git_dir, b"info/exclude"), exclude)?;
    }
    if !flags.has("q") {
        let what = if existed {
            "Reinitialized existing"
        } else {
            "Initialized empty"
        };
        out.put(bytes!(what, " Git repository in ", git_dir, "/\n"));
    }
    Ok(0)
}

const CONFIG: &[Opt] = &[
    Opt("", "global", Value::No),
    Opt("", "system", Value::No),
    Opt("", "local", Value::No),
    Opt("f", "file", Value::Required),
    Opt("l", "list", Value::No),
    Opt("", "get", Value::No),
    Opt("", "get-all", Value::No),
    Opt("", "get-regexp", Value::No),
    Opt("", "unset", Value::No),
    Opt("", "unset-all", Value::No),
    Opt("", "add", Value::No),
    Opt("", "replace-all", Value::No),
    Opt("", "remove-section", Value::No),
    Opt("", "rename-section", Value::No),
    Opt("e", "edit", Value::No),
    Opt("", "bool", Value::No),
    Opt("", "int", Value::No),
    Opt("", "path", Value::No),
    Opt("", "type", Value::Required),
    Opt("", "default", Value::Required),
    Opt("z", "null", Value::No),
    Opt("", "name-only", Value::No),
    Opt("", "show-origin", Value::No),
    Opt("", "show-scope", Value::No),
    Opt("", "includes", Value::No),
    Opt("", "all", Value::No),
    Opt("", "regexp", Value::No),
];

/// `git config`
pub fn config(
    globals: &Globals,
    repository: Option<&Repository>,
    arguments: &[Vec<u8>],
    out: &mut Output,
) -> Outcome<i32> {
    let mut flags = Flags::read(arguments, CONFIG)?;
    for (key, name) in [
        ("rename-section", "--rename-section"),
        ("e", "--edit"),
        ("show-origin", "--show-origin"),
        ("show-scope", "--show-scope"),
        ("replace-all", "--replace-all"),
    ] {
        if flags.has(key) {
            return Err(usage(format!("option `{name}' is not supported")));
        }
    }
    let own = repository.map(|repository| system::join(&repository.common, b"config"));
    let path = match flags.last(&["global", "system", "local", "f"]) {
        Some("global") => global_files().pop(),
        Some("system") => Some(b"/etc/gitconfig".to_vec()),
        Some("f") => flags.value("f").map(<[u8]>::to_vec),
        Some(_) => match own.clone() {
            Some(path) => Some(path),
            None => return Err(fatal("--local can only be used inside a git repository")),
        },
        None => None,
    };
    // Newer forms: `git config get NAME` and so on.
    let verb = flags.operands.first().map(Vec::as_slice);
    let modern: Option<Vec<u8>> = match verb {
        Some(verb @ (b"list" | b"get" | b"set" | b"unset")) if !flags.has("get") => {
            Some(verb.to_vec())
        }
        _ => None,
    };
    if modern.is_some() {
        flags.operands.remove(0);
    }
    let modern = modern.as_deref();
    let read = || -> Outcome<Config> {
        match &path {
            Some(path) => {
                let mut config = Config::default();
                if flags.has("global") {
                    for path in global_files().iter().skip(1) {
                        config.add_file(path)?;
                    }
                } else {
                    config.add_file(path)?;
                }
                Ok(config)
            }
            None => settings(
                globals,
                repository.map(|repository| repository.common.as_slice()),
            ),
        }
    };
    let end = if flags.has("z") { "\0" } else { "\n" };
    let operands = flags.all_paths();
    if flags.has("l") || modern == Some(b"list") {
        for setting in read()?.all() {
            let value = setting.value.as_deref();
            let line = match value {
                _ if flags.has("name-only") => setting.name.clone().into_bytes(),
                Some(value) => bytes!(setting.name, if flags.has("z") { "\n" } else { "=" }, value),
                None => setting.name.clone().into_bytes(),
            };
            out.put(bytes!(line, end));
        }
        return Ok(0);
    }
    let Some(name) = operands.first() else {
        return Err(usage("wrong number of arguments, should be from 1 to 2"));
    };
    if flags.has("get-regexp") {
        let text = String::from_utf8_lossy(name).into_owned();
        let pattern =
            regex::Regex::new(&text).map_err(|_| fatal(format!("invalid key pattern: {text}")))?;
        let config = read()?;
        let found: Vec<_> = config
            .all()
            .iter()
            .filter(|setting| pattern.is_match(&setting.name))
            .collect();
        for setting in &found {
            match setting.value.as_deref().filter(|_| !flags.has("name-only")) {
                Some(value) => out.put(bytes!(setting.name, " ", value, end)),
                None => out.put(bytes!(setting.name, end)),
            }
        }
        return Ok(i32::from(found.is_empty()));
    }
    let target = match path.clone().or(own) {
        Some(path) => path,
        None if modern == Some(b"get") || operands.len() == 1 => Vec::new(),
        None => return Err(fatal("not in a git directory")),
    };
    if flags.has("remove-section") {
        let text = system::read_whole(&target).unwrap_or_default();
        let section = String::from_utf8_lossy(name).into_owned();
        return match config::remove_section(&text, &section) {
            Some(text) => write_file(&target, &text).map(|()| 0),
            None => Err(fatal(bytes!("no such section: ", name))),
        };
    }
    if flags.has("unset") || flags.has("unset-all") || modern == Some(b"unset") {
        let text = system::read_whole(&target).unwrap_or_default();
        let (new, count) = config::unset(&text, &target, name)?;
        if count == 0 {
            return Err(quiet(5));
        }
        if count > 1 && !flags.has("unset-all") && !flags.has("all") {
            return Err(Stop {
                status: 5,
                message: bytes!("warning: ", name, " has multiple values"),
            });
        }
        write_file(&target, &new)?;
        return Ok(0);
    }
    let getting = flags.has("get") || flags.has("get-all") || modern == Some(b"get");
    if !getting && (operands.len() > 1 || flags.has("add") || modern == Some(b"set")) {
        let [name, value] = operands.as_slice() else {
            return Err(usage("wrong number of arguments, should be 2"));
        };
        let value = typed(&flags, value)?;
        let text = system::read_whole(&target).unwrap_or_default();
        let count = config::parse(&text, &target)?
            .iter()
            .filter(|setting| canonical(name).is_ok_and(|name| name == setting.name))
            .count();
        if count > 1 && !flags.has("add") {
            return Err(Stop {
                status: 5,
                message: bytes!(
                    "warning: ",
                    name,
                    " has multiple values\nerror: cannot overwrite multiple values with a single value\n",
                    "       Use a regexp, --add or --replace-all to change ",
                    name,
                    "."
                ),
            });
        }
        make_parents(&target)?;
        write_file(
            &target,
            &config::set(&text, &target, name, &value, flags.has("add"))?,
        )?;
        return Ok(0);
    }
    let wanted = canonical(name)?;
    let config = read()?;
    let all = flags.has("get-all") || flags.has("all");
    let values: Vec<Vec<u8>> = config
        .all()
        .iter()
        .filter(|setting| setting.name == wanted)
        .map(|setting| {
            setting.value.clone().unwrap_or_else(|| {
                let truth = flags.has("bool") || flags.value("type") == Some(b"bool");
                if truth { b"true".to_vec() } else { Vec::new() }
            })
        })
        .collect();
    let shown = if all {
        values.as_slice()
    } else {
        &values[values.len().saturating_sub(1)..]
    };
    for value in shown {
        out.put(bytes!(typed(&flags, value)?, end));
    }
    if let (true, Some(value)) = (shown.is_empty(), flags.value("default")) {
        out.put(bytes!(value, end));
        return Ok(0);
    }
    Ok(i32::from(shown.is_empty()))
}

/// The value in the form of `--type`.
fn typed(flags: &Flags, value: &[u8]) -> Outcome<Vec<u8>> {
    let kind = match flags.last(&["bool", "int", "path", "type"]) {
        Some("type") => flags.value("type").unwrap_or_default().to_vec(),
        Some(key) => key.as_bytes().to_vec(),
        None => return Ok(value.to_vec()),
    };
    match kind.as_slice() {
        b"bool" => match config::is_true(value) {
            Some(truth) => Ok(truth.to_string().into_bytes()),
            None => Err(fatal(bytes!("bad boolean config value '", value, "'"))),
        },
        b"int" => {
            let text = String::from_utf8_lossy(value).to_lowercase();
            let (digits, factor) = match text.strip_suffix(['k', 'm', 'g']) {
                Some(digits) if text.ends_with('k') => (digits, 1 << 10),
                Some(digits) if text.ends_with('m') => (digits, 1 << 20),
                Some(digits) => (digits, 1 << 30),
                None => (text.as_str(), 1_i64),
            };
            match digits.parse::<i64>() {
                Ok(number) => Ok((number * factor).to_string().into_bytes()),
                Err(_) => Err(fatal(bytes!("bad numeric config value '", value, "'"))),
            }
        }
        b"path" => Ok(config::home(value)),
        other => Err(usage(bytes!(
            "option `--type=",
            other,
            "' is not supported"
        ))),
    }
}

const CLEAN: &[Opt] = &[
    Opt("d", "", Value::No),
    Opt("f", "force", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("x", "", Value::No),
    Opt("X", "", Value::No),
    Opt("e", "exclude", Value::Required),
];

/// `git clean`
pub fn clean(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, CLEAN)?;
    let dry = flags.has("n");
    let required = repository.config.truth("clean.requireforce", true);
    if !dry && !flags.has("f") && required {
        return Err(fatal(
            "clean.requireForce is true and -f not given: refusing to clean",
        ));
    }
    let mut given = flags.all_paths();
    let named = !given.is_empty();
    if !named {
        given.push(b".".to_vec());
    }
    let paths = Pathspec::new(repository, &given)?;
    let index = repository.index()?;
    let ignored = if flags.has("x") {
        Ignored::none(repository)?
    } else {
        Ignored::new(repository)?
    };
    let ignored = with_patterns(ignored, flags.values("e"));
    let ask = Ask {
        paths: &paths,
        fold: true,
        only_ignored: flags.has("X"),
        all: false,
    };
    let found = repository.untracked(&index, &ignored, &ask)?;
    let twice = flags.values("f").count() > 1;
    for path in found {
        let is_folder = path.ends_with(b"/");
        let bare = path.strip_suffix(b"/").unwrap_or(&path).to_vec();
        if is_folder && !flags.has("d") && !(named && paths.literals().any(|(_, one)| one == bare))
        {
            continue;
        }
        let shown = quoted(&repository.path_from_here(&path));
        if is_folder && repository.is_repository(&bare)? && !twice {
            if !flags.has("q") {
                let would = if dry {
                    "Would skip repository "
                } else {
                    "Skipping repository "
                };
                repository.out.put(bytes!(would, shown, "\n"));
            }
            continue;
        }
        if dry {
            repository.out.put(bytes!("Would remove ", shown, "\n"));
            continue;
        }
        if is_folder {
            remove_all(
                repository,
                &bare,
                &ignored,
                flags.has("x") || flags.has("X"),
            )?;
        } else {
            repository.take_file(&bare)?;
        }
        if !flags.has("q") {
            repository.out.put(bytes!("Removing ", shown, "\n"));
        }
    }
    Ok(0)
}

impl Repository {
    fn take_file(&self, path: &[u8]) -> Outcome {
        system::unlink(&self.file(path)?)
            .map_err(|failure| error(bytes!("failed to remove ", path, ": ", failure)))
    }
}

/// Removes a folder; ignored files in it stay, and so does the folder then, unless `all` goes.
fn remove_all(
    repository: &Repository,
    folder: &[u8],
    ignored: &Ignored,
    all: bool,
) -> Outcome<bool> {
    let mut empty = true;
    for entry in system::read_directory(&repository.file(folder)?).unwrap_or_default() {
        let path = system::join(folder, &entry.name);
        let is_folder = entry.kind == Kind::Directory;
        if !all && ignored.is_ignored(&path, is_folder) {
            empty = false;
        } else if is_folder {
            empty &= remove_all(repository, &path, ignored, all)?;
        } else {
            repository.take_file(&path)?;
        }
    }
    if empty {
        system::remove_directory(&repository.file(folder)?)
            .map_err(|failure| error(bytes!("failed to remove ", folder, ": ", failure)))?;
    }
    Ok(empty)
}
