//! `git config`.

use super::config::{self, Config, Setting, canonical};
use super::flags::Flags;
use super::objects::write_file;
use super::refs::make_parents;
use super::repository::{Globals, Repository, global_files, settings};
use super::stop::{Outcome, Stop, fatal, quiet, usage};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::output::Output;
use crate::system;

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
    let path = named_file(&flags, own.as_deref())?;
    let verb = Verb::take(&mut flags);
    let call = Call {
        globals,
        repository,
        end: if flags.has("z") { "\0" } else { "\n" },
        flags,
        path,
    };
    let flags = &call.flags;
    if flags.has("l") || verb == Some(Verb::List) {
        call.list(out)?;
        return Ok(0);
    }
    let operands = flags.all_paths();
    let Some(name) = operands.first() else {
        return Err(usage("wrong number of arguments, should be from 1 to 2"));
    };
    if flags.has("get-regexp") {
        return call.matching(name, out);
    }
    let target = match call.path.clone().or(own) {
        Some(path) => path,
        None if verb == Some(Verb::Get) || operands.len() == 1 => Vec::new(),
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
    if flags.has("unset") || flags.has("unset-all") || verb == Some(Verb::Unset) {
        let all = flags.has("unset-all") || flags.has("all");
        return unset(&target, name, all).map(|()| 0);
    }
    let gets = flags.has("get") || flags.has("get-all") || verb == Some(Verb::Get);
    if !gets && (operands.len() > 1 || flags.has("add") || verb == Some(Verb::Set)) {
        let [name, value] = operands.as_slice() else {
            return Err(usage("wrong number of arguments, should be 2"));
        };
        let value = typed(flags, value)?;
        return set(&target, name, &value, flags.has("add")).map(|()| 0);
    }
    call.values(name, out)
}

/// The first word of the newer forms, such as `git config get NAME`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    List,
    Get,
    Set,
    Unset,
}

impl Verb {
    /// Takes it from the operands, if it is there.
    fn take(flags: &mut Flags) -> Option<Verb> {
        if flags.has("get") {
            return None;
        }
        let verb = match flags.operands.first()?.as_slice() {
            b"list" => Verb::List,
            b"get" => Verb::Get,
            b"set" => Verb::Set,
            b"unset" => Verb::Unset,
            _ => return None,
        };
        flags.operands.remove(0);
        Some(verb)
    }
}

/// The file that `--global`, `--system`, `--local` or `--file` names; `own` is the repository's.
fn named_file(flags: &Flags, own: Option<&[u8]>) -> Outcome<Option<Vec<u8>>> {
    Ok(match flags.last(&["global", "system", "local", "f"]) {
        Some("global") => global_files().pop(),
        Some("system") => Some(b"/etc/gitconfig".to_vec()),
        Some("f") => flags.value("f").map(<[u8]>::to_vec),
        Some(_) => match own {
            Some(path) => Some(path.to_vec()),
            None => return Err(fatal("--local can only be used inside a git repository")),
        },
        None => None,
    })
}

/// A call that reads settings.
struct Call<'a> {
    globals: &'a Globals,
    repository: Option<&'a Repository>,
    flags: Flags,
    /// The only file that is read; without one, all that apply are.
    path: Option<Vec<u8>>,
    /// What ends a value in the output.
    end: &'static str,
}

impl Call<'_> {
    /// The settings that are asked about.
    fn read(&self) -> Outcome<Config> {
        let Some(path) = &self.path else {
            let common = self.repository.map(|repository| &*repository.common);
            return settings(self.globals, common);
        };
        let mut config = Config::default();
        if self.flags.has("global") {
            for path in global_files().iter().skip(1) {
                config.add_file(path)?;
            }
        } else {
            config.add_file(path)?;
        }
        Ok(config)
    }

    /// The value of a setting, unless only names are shown.
    fn shown<'a>(&self, setting: &'a Setting) -> Option<&'a [u8]> {
        setting
            .value
            .as_deref()
            .filter(|_| !self.flags.has("name-only"))
    }

    /// Prints all settings.
    fn list(&self, out: &mut Output) -> Outcome {
        let between = if self.flags.has("z") { "\n" } else { "=" };
        for setting in self.read()?.all() {
            match self.shown(setting) {
                Some(value) => out.put(bytes!(setting.name, between, value, self.end)),
                None => out.put(bytes!(setting.name, self.end)),
            }
        }
        Ok(())
    }

    /// Prints the settings whose names match a pattern; gives 1 where there are none.
    fn matching(&self, pattern: &[u8], out: &mut Output) -> Outcome<i32> {
        let text = String::from_utf8_lossy(pattern).into_owned();
        let pattern =
            regex::Regex::new(&text).map_err(|_| fatal(format!("invalid key pattern: {text}")))?;
        let mut status = 1;
        for setting in self.read()?.all() {
            if !pattern.is_match(&setting.name) {
                continue;
            }
            status = 0;
            match self.shown(setting) {
                Some(value) => out.put(bytes!(setting.name, " ", value, self.end)),
                None => out.put(bytes!(setting.name, self.end)),
            }
        }
        Ok(status)
    }

    /// Prints the last value of a setting or all of them; gives 1 where there are none.
    fn values(&self, name: &[u8], out: &mut Output) -> Outcome<i32> {
        let flags = &self.flags;
        let wanted = canonical(name)?;
        let config = self.read()?;
        let is_truth = flags.has("bool") || flags.value("type") == Some(b"bool");
        // A name without a value is a truth.
        let alone = if is_truth { b"true".as_slice() } else { b"" };
        let values: Vec<&[u8]> = config
            .all()
            .iter()
            .filter(|setting| setting.name == wanted)
            .map(|setting| setting.value.as_deref().unwrap_or(alone))
            .collect();
        let shown = if flags.has("get-all") || flags.has("all") {
            values.as_slice()
        } else {
            &values[values.len().saturating_sub(1)..]
        };
        for value in shown {
            out.put(bytes!(typed(flags, value)?, self.end));
        }
        if let (true, Some(value)) = (shown.is_empty(), flags.value("default")) {
            out.put(bytes!(value, self.end));
            return Ok(0);
        }
        Ok(i32::from(shown.is_empty()))
    }
}

/// Removes a setting from a file, on demand all its values.
fn unset(target: &[u8], name: &[u8], all: bool) -> Outcome {
    let text = system::read_whole(target).unwrap_or_default();
    let (new, count) = config::unset(&text, target, name)?;
    if count == 0 {
        return Err(quiet(5));
    }
    if count > 1 && !all {
        return Err(Stop {
            status: 5,
            message: bytes!("warning: ", name, " has multiple values"),
        });
    }
    write_file(target, &new)
}

/// Gives a setting in a file a value, or one more.
fn set(target: &[u8], name: &[u8], value: &[u8], add: bool) -> Outcome {
    let text = system::read_whole(target).unwrap_or_default();
    let count = config::parse(&text, target)?
        .iter()
        .filter(|setting| canonical(name).is_ok_and(|name| name == setting.name))
        .count();
    if count > 1 && !add {
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
    make_parents(target)?;
    write_file(target, &config::set(&text, target, name, value, add)?)
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
