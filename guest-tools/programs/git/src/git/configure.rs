//! `git config`: settings are shown and changed, by options (`--get NAME`) and by the newer subcommands
//! (`get NAME`).

mod form;

use super::config::{self, Config, Scope, Setting, canonical};
use super::editor;
use super::flags::Flags;
use super::objects::write_file;
use super::refs::make_parents;
use super::repository::{Globals, Repository, settings, system_file, user_files};
use super::stop::{Outcome, Stop, error, fatal, quiet, usage};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::output::Output;
use crate::system;

const CONFIG: &[Opt] = &[
    Opt("", "global", Value::No),
    Opt("", "system", Value::No),
    Opt("", "local", Value::No),
    Opt("", "worktree", Value::No),
    Opt("f", "file", Value::Required),
    Opt("l", "list", Value::No),
    Opt("", "get", Value::No),
    Opt("", "get-all", Value::No),
    Opt("", "get-regexp", Value::No),
    Opt("", "get-urlmatch", Value::No),
    Opt("", "get-color", Value::No),
    Opt("", "get-colorbool", Value::No),
    Opt("", "unset", Value::No),
    Opt("", "unset-all", Value::No),
    Opt("", "add", Value::No),
    Opt("", "append", Value::No),
    Opt("", "replace-all", Value::No),
    Opt("", "remove-section", Value::No),
    Opt("", "rename-section", Value::No),
    Opt("e", "edit", Value::No),
    Opt("", "bool", Value::No),
    Opt("", "int", Value::No),
    Opt("", "bool-or-int", Value::No),
    Opt("", "path", Value::No),
    Opt("", "expiry-date", Value::No),
    Opt("t", "type", Value::Required),
    Opt("", "default", Value::Required),
    Opt("", "value", Value::Required),
    Opt("", "url", Value::Required),
    Opt("", "fixed-value", Value::No),
    Opt("", "comment", Value::Required),
    Opt("z", "null", Value::No),
    Opt("", "name-only", Value::No),
    Opt("", "show-names", Value::No),
    Opt("", "show-origin", Value::No),
    Opt("", "show-scope", Value::No),
    Opt("", "includes", Value::No),
    Opt("", "all", Value::No),
    Opt("", "regexp", Value::No),
];

/// What is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    List,
    Get,
    GetAll,
    GetRegexp,
    GetUrl,
    GetColor,
    GetColorBool,
    Set,
    Add,
    ReplaceAll,
    Unset,
    UnsetAll,
    RemoveSection,
    RenameSection,
    Edit,
}

impl Verb {
    /// What the options, the first word or the number of words say. A subcommand is taken from the operands, and its
    /// options are put in their place there, so that the rest is the same for both forms.
    fn take(flags: &Flags, operands: &mut Vec<Vec<u8>>) -> Outcome<Verb> {
        let options = [
            ("l", Verb::List),
            ("get", Verb::Get),
            ("get-all", Verb::GetAll),
            ("get-regexp", Verb::GetRegexp),
            ("get-urlmatch", Verb::GetUrl),
            ("get-color", Verb::GetColor),
            ("get-colorbool", Verb::GetColorBool),
            ("add", Verb::Add),
            ("replace-all", Verb::ReplaceAll),
            ("unset", Verb::Unset),
            ("unset-all", Verb::UnsetAll),
            ("remove-section", Verb::RemoveSection),
            ("rename-section", Verb::RenameSection),
            ("e", Verb::Edit),
        ];
        if let Some((_, verb)) = options.iter().find(|(key, _)| flags.has(key)) {
            return Ok(*verb);
        }
        if let Some(verb) = Verb::subcommand(flags, operands) {
            operands.remove(0);
            operands.extend(flags.value("value").map(<[u8]>::to_vec));
            if verb == Verb::GetUrl {
                operands.truncate(1);
                operands.extend(flags.value("url").map(<[u8]>::to_vec));
            }
            return Ok(verb);
        }
        match operands.len() {
            1 => Ok(Verb::Get),
            2 | 3 => Ok(Verb::Set),
            _ => Err(usage("no action specified")),
        }
    }

    fn subcommand(flags: &Flags, operands: &[Vec<u8>]) -> Option<Verb> {
        let all = flags.has("all");
        Some(match operands.first()?.as_slice() {
            b"list" => Verb::List,
            b"get" if flags.has("regexp") => Verb::GetRegexp,
            b"get" if flags.has("url") => Verb::GetUrl,
            b"get" if all => Verb::GetAll,
            b"get" => Verb::Get,
            b"set" if flags.has("append") => Verb::Add,
            b"set" if all => Verb::ReplaceAll,
            b"set" => Verb::Set,
            b"unset" if all => Verb::UnsetAll,
            b"unset" => Verb::Unset,
            b"rename-section" => Verb::RenameSection,
            b"remove-section" => Verb::RemoveSection,
            b"edit" => Verb::Edit,
            _ => return None,
        })
    }

    /// How few and how many operands it takes.
    fn operands(self) -> (usize, usize) {
        match self {
            Verb::List | Verb::Edit => (0, 0),
            Verb::Get | Verb::GetAll | Verb::GetRegexp | Verb::Unset | Verb::UnsetAll => (1, 2),
            Verb::GetColor | Verb::GetColorBool => (1, 2),
            Verb::Set | Verb::ReplaceAll => (2, 3),
            Verb::GetUrl | Verb::Add | Verb::RenameSection => (2, 2),
            Verb::RemoveSection => (1, 1),
        }
    }

    /// Whether it changes a file.
    fn changes(self) -> bool {
        matches!(
            self,
            Verb::Set
                | Verb::Add
                | Verb::ReplaceAll
                | Verb::Unset
                | Verb::UnsetAll
                | Verb::RemoveSection
                | Verb::RenameSection
                | Verb::Edit
        )
    }
}

/// `git config`
pub fn config(
    globals: &Globals,
    repository: Option<&Repository>,
    arguments: &[Vec<u8>],
    out: &mut Output,
) -> Outcome<i32> {
    let flags = Flags::read(arguments, CONFIG)?;
    let mut operands = flags.all_paths();
    let verb = Verb::take(&flags, &mut operands)?;
    let (least, most) = match (verb, flags.operands.first().map(Vec::as_slice)) {
        (Verb::Set, Some(b"set")) if !flags.has("value") => (2, 2),
        _ => verb.operands(),
    };
    if operands.len() < least || operands.len() > most {
        return Err(usage(if least == most {
            format!("wrong number of arguments, should be {least}")
        } else {
            format!("wrong number of arguments, should be from {least} to {most}")
        }));
    }
    let own = repository.map(|repository| system::join(&repository.common, b"config"));
    let call = Call {
        globals,
        repository,
        path: named_file(&flags, repository)?,
        end: if flags.has("z") { "\0" } else { "\n" },
        flags,
    };
    if verb.changes() {
        let Some(target) = call.path.clone().or(own) else {
            return Err(fatal("not in a git directory"));
        };
        return call.change(verb, &target, &operands);
    }
    match (verb, operands.as_slice()) {
        (Verb::GetRegexp, [pattern, ..]) => call.matching(pattern, operands.get(1), out),
        (Verb::GetUrl, [name, url]) => call.for_url(name, url, out),
        (Verb::GetColor, [name, ..]) => call.color(name, operands.get(1), out),
        (Verb::GetColorBool, [name, ..]) => call.color_bool(name, operands.get(1), out),
        (_, [name, ..]) => call.values(name, operands.get(1), verb == Verb::GetAll, out),
        (_, []) => call.list(out).map(|()| 0),
    }
}

/// The file that `--global`, `--system`, `--local`, `--worktree` or `--file` names.
fn named_file(flags: &Flags, repository: Option<&Repository>) -> Outcome<Option<Vec<u8>>> {
    let key = flags.last(&["global", "system", "local", "worktree", "f"]);
    Ok(match (key, repository) {
        (Some("global"), _) => user_files().pop(),
        (Some("system"), _) => Some(system_file()),
        (Some("f"), _) => flags.value("f").map(<[u8]>::to_vec),
        (Some("worktree"), Some(repository)) => {
            let own = repository.config.truth("extensions.worktreeconfig", false);
            Some(if own {
                repository.own("config.worktree")
            } else {
                system::join(&repository.common, b"config")
            })
        }
        (Some(_), Some(repository)) => Some(system::join(&repository.common, b"config")),
        (Some(key), None) => {
            return Err(fatal(format!(
                "--{key} can only be used inside a git repository"
            )));
        }
        (None, _) => None,
    })
}

/// A call of the command.
struct Call<'a> {
    globals: &'a Globals,
    repository: Option<&'a Repository>,
    flags: Flags,
    /// The only file that is read; without one, all that apply are.
    path: Option<Vec<u8>>,
    /// What ends a value in the output.
    end: &'static str,
}

/// Whether a value is one of those that are meant: by a pattern, which `!` in front turns around, or by what it is.
struct Filter(Option<(regex::bytes::Regex, bool)>, Option<Vec<u8>>);

impl Filter {
    fn new(flags: &Flags, pattern: Option<&Vec<u8>>) -> Outcome<Filter> {
        let Some(pattern) = pattern else {
            return Ok(Filter(None, None));
        };
        if flags.has("fixed-value") {
            return Ok(Filter(None, Some(pattern.clone())));
        }
        let text = String::from_utf8_lossy(pattern).into_owned();
        let (text, fits) = match text.strip_prefix('!') {
            Some(text) => (text, false),
            None => (text.as_str(), true),
        };
        match regex::bytes::Regex::new(text) {
            Ok(pattern) => Ok(Filter(Some((pattern, fits)), None)),
            Err(_) => Err(fatal(format!("invalid pattern: {text}"))),
        }
    }

    fn takes(&self, setting: &Setting) -> bool {
        let value = setting.value.as_deref().unwrap_or_default();
        match self {
            Filter(Some((pattern, fits)), _) => pattern.is_match(value) == *fits,
            Filter(None, Some(wanted)) => value == wanted.as_slice(),
            Filter(None, None) => true,
        }
    }
}

impl Call<'_> {
    /// The settings that are asked about.
    fn read(&self) -> Outcome<Config> {
        let follows = !self.flags.denied("includes");
        let Some(path) = &self.path else {
            let repository = self.repository;
            if follows {
                let folders =
                    repository.map(|repository| (&*repository.git_dir, &*repository.common));
                return settings(self.globals, folders);
            }
            let mut config = Config::plain();
            for (path, scope) in super::repository::global_files() {
                config.add_scoped(&path, scope)?;
            }
            if let Some(repository) = repository {
                config.add_file(&system::join(&repository.common, b"config"))?;
            }
            return Ok(config);
        };
        // A single file stands for itself, unless it is asked otherwise.
        let mut config = match self.flags.has("includes") {
            true => Config::default(),
            false => Config::plain(),
        };
        match self
            .flags
            .last(&["global", "system", "local", "worktree", "f"])
        {
            Some("global") => {
                for path in user_files() {
                    config.add_scoped(&path, Scope::Global)?;
                }
            }
            Some("system") => config.add_scoped(path, Scope::System)?,
            Some("worktree") => config.add_scoped(path, Scope::Worktree)?,
            Some("f") => config.add_scoped(path, Scope::Command)?,
            _ => config.add_file(path)?,
        }
        Ok(config)
    }

    /// Where a setting comes from, as far as that is asked for.
    fn origin(&self, setting: &Setting) -> Vec<u8> {
        let mut out = Vec::new();
        let tab = if self.flags.has("z") { "\0" } else { "\t" };
        if self.flags.has("show-scope") {
            out.extend(bytes!(setting.scope.name(), tab));
        }
        if self.flags.has("show-origin") {
            out.extend(match &*setting.file {
                b"" => bytes!("command line:", tab),
                file => bytes!("file:", self.near(file), tab),
            });
        }
        out
    }

    /// The path of a file as it is shown: from the top of the work tree.
    fn near(&self, path: &[u8]) -> Vec<u8> {
        match self.repository {
            Some(repository) => repository.near(path),
            None => path.to_vec(),
        }
    }

    /// The name of a setting with its value behind `between`, unless only names are shown.
    fn line(&self, setting: &Setting, between: &str) -> Outcome<Vec<u8>> {
        let origin = self.origin(setting);
        let names_only = self.flags.has("name-only");
        Ok(match setting.value.as_deref().filter(|_| !names_only) {
            Some(value) => {
                let value = self.typed(setting, value)?;
                bytes!(origin, setting.name, between, value, self.end)
            }
            None => bytes!(origin, setting.name, self.end),
        })
    }

    /// The value of a setting in the form that is asked for.
    fn typed(&self, setting: &Setting, value: &[u8]) -> Outcome<Vec<u8>> {
        let near = self.near(&setting.file);
        form::read(&self.flags, &setting.name, value, &near)
    }

    /// Prints all settings.
    fn list(&self, out: &mut Output) -> Outcome {
        let between = if self.flags.has("z") { "\n" } else { "=" };
        if let (Some(path), true) = (&self.path, self.flags.has("f"))
            && let Err(failure) = system::stat(path, true)
        {
            let place = bytes!("'", path, "': ", failure);
            return Err(fatal(bytes!("unable to read config file ", place)));
        }
        for setting in self.read()?.all() {
            out.put(self.line(setting, between)?);
        }
        Ok(())
    }

    /// Prints the settings whose names match a pattern; gives 1 where there are none.
    fn matching(&self, pattern: &[u8], value: Option<&Vec<u8>>, out: &mut Output) -> Outcome<i32> {
        let text = String::from_utf8_lossy(pattern).into_owned();
        let pattern =
            regex::Regex::new(&text).map_err(|_| fatal(format!("invalid key pattern: {text}")))?;
        let filter = Filter::new(&self.flags, value)?;
        // The subcommand shows values alone unless it is asked for names.
        let bare = !self.flags.has("get-regexp") && !self.flags.has("show-names");
        let between = if self.flags.has("z") { "\n" } else { " " };
        let config = self.read()?;
        let fits = |setting: &&Setting| pattern.is_match(&setting.name) && filter.takes(setting);
        let mut found: Vec<&Setting> = config.all().iter().filter(fits).collect();
        if bare && !self.flags.has("all") && found.len() > 1 {
            found.drain(..found.len() - 1);
        }
        for setting in &found {
            if bare {
                let value = setting.value.as_deref().unwrap_or_default();
                let value = self.typed(setting, value)?;
                out.put(bytes!(self.origin(setting), value, self.end));
            } else {
                out.put(self.line(setting, between)?);
            }
        }
        Ok(i32::from(found.is_empty()))
    }

    /// Prints the last value of a setting or all of them; gives 1 where there are none.
    fn values(
        &self,
        name: &[u8],
        value: Option<&Vec<u8>>,
        all: bool,
        out: &mut Output,
    ) -> Outcome<i32> {
        let flags = &self.flags;
        let wanted = canonical(name)?;
        let filter = Filter::new(flags, value)?;
        let config = self.read()?;
        let is_truth = flags.has("bool") || flags.value("t") == Some(b"bool");
        // A name without a value is a truth.
        let alone = if is_truth { b"true".as_slice() } else { b"" };
        let found: Vec<&Setting> = config
            .all()
            .iter()
            .filter(|setting| setting.name == wanted && filter.takes(setting))
            .collect();
        let from = if all {
            0
        } else {
            found.len().saturating_sub(1)
        };
        for setting in &found[from..] {
            let value = setting.value.as_deref().unwrap_or(alone);
            let name = if flags.has("show-names") {
                bytes!(setting.name, " ")
            } else {
                Vec::new()
            };
            let value = self.typed(setting, value)?;
            out.put(bytes!(self.origin(setting), name, value, self.end));
        }
        if let (true, Some(value)) = (found.is_empty(), flags.value("default")) {
            let value = form::read(flags, &wanted, value, b"")?;
            out.put(bytes!(value, self.end));
            return Ok(0);
        }
        Ok(i32::from(found.is_empty()))
    }

    /// Prints the settings `section.key` or `section.URL.key` that apply best to an address.
    fn for_url(&self, name: &[u8], url: &[u8], out: &mut Output) -> Outcome<i32> {
        let name = String::from_utf8_lossy(name).into_owned();
        let (section, key) = match name.split_once('.') {
            Some((section, key)) => (section.to_lowercase(), Some(key.to_lowercase())),
            None => (name.to_lowercase(), None),
        };
        let url = String::from_utf8_lossy(url).into_owned();
        let mut best: std::collections::BTreeMap<String, (usize, Setting)> = Default::default();
        for setting in self.read()?.all() {
            let Some(rest) = setting.name.strip_prefix(&format!("{section}.")) else {
                continue;
            };
            let (pattern, own) = match rest.rsplit_once('.') {
                Some((pattern, own)) => (Some(pattern), own),
                None => (None, rest),
            };
            let weight = match pattern {
                None => 0,
                Some(pattern) if form::url_fits(pattern, &url) => pattern.len(),
                Some(_) => continue,
            };
            if key.as_deref().is_some_and(|key| key != own) {
                continue;
            }
            let known = best.get(own).map_or(0, |(weight, _)| *weight);
            if weight >= known {
                best.insert(own.to_owned(), (weight, setting.clone()));
            }
        }
        for (own, (_, setting)) in &best {
            let value = setting.value.as_deref().unwrap_or_default();
            let value = self.typed(setting, value)?;
            let name = match key {
                Some(_) => Vec::new(),
                None => bytes!(section, ".", own, " "),
            };
            out.put(bytes!(self.origin(setting), name, value, self.end));
        }
        Ok(i32::from(best.is_empty()))
    }

    /// Prints the escape sequence of a color setting.
    fn color(&self, name: &[u8], default: Option<&Vec<u8>>, out: &mut Output) -> Outcome<i32> {
        let config = self.read()?;
        let name = String::from_utf8_lossy(name).to_lowercase();
        if let Some(value) = config.get(&name) {
            out.put(form::color(value)?);
            return Ok(0);
        }
        let value = default.map(|value| form::color(value)).transpose();
        let value = value.map_err(|stop| {
            let text = stop.message.strip_prefix(b"fatal: ").unwrap_or_default();
            let line = bytes!("error: ", text, "\n");
            Stop {
                message: bytes!(line, "fatal: unable to parse default color value"),
                ..stop
            }
        });
        out.put(value?.unwrap_or_default());
        Ok(0)
    }

    /// Whether output is colored: as text where it is told whether it goes to a terminal, otherwise as status.
    fn color_bool(
        &self,
        name: &[u8],
        terminal: Option<&Vec<u8>>,
        out: &mut Output,
    ) -> Outcome<i32> {
        let config = self.read()?;
        let name = String::from_utf8_lossy(name).to_lowercase();
        let value = config.text(&name).or_else(|| config.text("color.ui"));
        let on_terminal = match terminal {
            Some(word) => {
                let dumb = system::text_variable("TERM").is_none_or(|term| term == "dumb");
                config::is_true(word).unwrap_or(false) && !dumb
            }
            None => system::is_terminal(1),
        };
        let colored = match value.as_deref() {
            Some("always") => true,
            Some("never" | "false" | "no" | "off") => false,
            _ => on_terminal,
        };
        if terminal.is_some() {
            out.put(format!("{colored}\n"));
            return Ok(0);
        }
        Ok(i32::from(!colored))
    }

    /// Changes a file.
    fn change(&self, verb: Verb, target: &[u8], operands: &[Vec<u8>]) -> Outcome<i32> {
        let flags = &self.flags;
        let text = system::read_whole(target).unwrap_or_default();
        let near = self.near(target);
        match (verb, operands) {
            (Verb::Edit, _) => return self.edit(target),
            (Verb::RemoveSection, [name]) => {
                let section = String::from_utf8_lossy(name).into_owned();
                let text = config::remove_section(&text, &section);
                let text = text.ok_or_else(|| fatal(bytes!("no such section: ", name)))?;
                write_file(target, &text)?;
            }
            (Verb::RenameSection, [old, new]) => {
                let old_name = String::from_utf8_lossy(old).into_owned();
                let new = String::from_utf8_lossy(new).into_owned();
                let text = config::rename_section(&text, &old_name, &new);
                let text = text.ok_or_else(|| fatal(bytes!("no such section: ", old)))?;
                write_file(target, &text)?;
            }
            (Verb::Unset | Verb::UnsetAll, [name, ..]) => {
                let filter = Filter::new(flags, operands.get(1))?;
                let mut found = config::with_name(&text, &near, name)?;
                found.retain(|setting| filter.takes(setting));
                if found.is_empty() {
                    return Err(quiet(5));
                }
                if found.len() > 1 && verb == Verb::Unset {
                    return Err(Stop {
                        status: 5,
                        message: bytes!("warning: ", name, " has multiple values"),
                    });
                }
                write_file(target, &config::without(&text, name, found.iter())?)?;
            }
            (_, [name, value, ..]) => {
                let value = form::written(flags, &String::from_utf8_lossy(name), value)?;
                let filter = Filter::new(flags, operands.get(2))?;
                let mut found = config::with_name(&text, &near, name)?;
                found.retain(|setting| verb != Verb::Add && filter.takes(setting));
                if found.len() > 1 && verb == Verb::Set {
                    return Err(several(name));
                }
                let comment = match flags.value("comment") {
                    Some(text) if text.starts_with(b"#") => bytes!(" ", text),
                    Some(text) if text.first().is_some_and(u8::is_ascii_whitespace) => {
                        text.to_vec()
                    }
                    Some(text) => bytes!(" # ", text),
                    None => Vec::new(),
                };
                let new = config::replace(&text, name, &value, &comment, found.iter())?;
                make_parents(target)?;
                write_file(target, &new)?;
            }
            _ => {}
        }
        Ok(0)
    }

    /// Lets the user's editor work on a file.
    fn edit(&self, target: &[u8]) -> Outcome<i32> {
        let config = self.read().unwrap_or_default();
        let Some(command) = editor::command_of(&config) else {
            return Err(error("Terminal is dumb, but EDITOR unset"));
        };
        if system::stat(target, true).is_err() {
            make_parents(target)?;
            write_file(target, b"")?;
        }
        if command != b":" && !editor::run_alone(&command, &self.near(target)) {
            return Err(error(bytes!(
                "there was a problem with the editor '",
                command,
                "'"
            )));
        }
        Ok(0)
    }
}

/// A setting with several values is not given one.
fn several(name: &[u8]) -> Stop {
    Stop {
        status: 5,
        message: bytes!(
            "warning: ",
            name,
            " has multiple values\nerror: cannot overwrite multiple values with a single value\n",
            "       Use a regexp, --add or --replace-all to change ",
            name,
            "."
        ),
    }
}
