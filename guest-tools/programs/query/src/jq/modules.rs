//! Finding and reading modules and data files, by the rules of the manual's section "Modules".
//!
//! `import "a/b" as x;` looks in each directory of the search list for `a/b.jq`, `a/b/jq/main.jq` and `a/b/b.jq`, data
//! files with `.json` instead. The list is the `search` of the import's metadata, or the directory of the importing
//! file and then those of `-L` (by default `~/.jq`, `$ORIGIN/../lib/jq`, `$ORIGIN/../lib`).

use std::collections::HashMap;

use super::json::Reader;
use super::parse;
use super::value::Value;
use crate::system::{self, Kind};

/// Where modules are looked for.
pub struct Modules {
    /// The directories of `-L`, or the usual ones, as they are written.
    pub search: Vec<Vec<u8>>,
    /// The directory that the program's own imports are relative to.
    start: Vec<u8>,
    /// `$HOME`; empty where it is not set, and then `~` means nothing.
    home: Vec<u8>,
}

/// What `$ORIGIN` stands for: where the program `jq` is.
const ORIGIN: &[u8] = b"/usr/bin";

/// A result, or the message of an error.
type Outcome<T> = Result<T, String>;

/// Whether there is something other than a directory.
fn is_file(path: &[u8]) -> bool {
    system::stat(path, true).is_ok_and(|found| found.kind != Kind::Directory)
}

/// The text of a path or a file, with U+FFFD for what is not UTF-8.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Modules {
    /// The directories of `-L`, without any the usual ones, for the program of a file or of the command line.
    pub fn new(search: &[Vec<u8>], program: Option<&[u8]>) -> Modules {
        let home = crate::system::variable("HOME").unwrap_or_default();
        let usual = [&b"~/.jq"[..], b"$ORIGIN/../lib/jq", b"$ORIGIN/../lib"];
        // A directory of `-L` is relative to where jq was started, and not to a module.
        let given = |path: &Vec<u8>| system::canonicalize(path).unwrap_or_else(|_| path.clone());
        let start = match program {
            Some(file) => parse::folder(file),
            None => b".",
        };
        Modules {
            search: match search.is_empty() {
                true => usual.map(<[u8]>::to_vec).to_vec(),
                false => search.iter().map(given).collect(),
            },
            start: start.to_vec(),
            home,
        }
    }

    /// The directory that the main program's imports are relative to.
    pub fn start(&self) -> &[u8] {
        &self.start
    }

    /// The file `~/.jq`, whose definitions every program knows.
    pub fn own(&self) -> Option<Vec<u8>> {
        let file = system::join(&self.home, b".jq");
        (!self.home.is_empty() && is_file(&file)).then_some(file)
    }

    /// The directories that a path of a search list means, where `directory` has the importing file.
    ///
    /// `~/` is the home directory and `$ORIGIN/` that of the program; anything else is relative to the importing file.
    fn places(&self, path: &[u8], directory: &[u8]) -> Vec<Vec<u8>> {
        if path == b"." {
            return vec![path.to_vec(), directory.to_vec()];
        }
        let expanded = match (path.strip_prefix(b"~/"), path.strip_prefix(b"$ORIGIN/")) {
            (Some(_), _) if self.home.is_empty() => return Vec::new(),
            (Some(rest), _) => system::join(&self.home, rest),
            (_, Some(rest)) => system::join(ORIGIN, rest),
            _ if path == b"~" => self.home.clone(),
            _ => system::join(directory, path),
        };
        vec![expanded]
    }

    /// The file of the module or data file `path`, which a file in `directory` imports.
    ///
    /// `search` is the entry of that name in the import's metadata, a string or an array of strings.
    ///
    /// # Errors
    /// `module not found: …`, or a path that no module may have.
    pub fn find(
        &self,
        path: &str,
        search: Option<&Value>,
        directory: &[u8],
        data: bool,
    ) -> Outcome<Vec<u8>> {
        let one = |value: &Value| value.text().map(|text| text.as_bytes().to_vec());
        let list: Vec<Vec<u8>> = match search {
            Some(Value::Array(many)) => many.iter().filter_map(one).collect(),
            Some(value) => one(value).into_iter().collect(),
            None => {
                let here = directory.to_vec();
                let here = if here.starts_with(b"/") {
                    here
                } else {
                    b"./".to_vec()
                };
                [vec![here, b".".to_vec()], self.search.clone()].concat()
            }
        };
        check(path)?;
        let places = list.iter().filter(|place| !place.is_empty());
        let directories: Vec<Vec<u8>> = places
            .flat_map(|place| self.places(place, directory))
            .collect();
        let suffix = if data { "json" } else { "jq" };
        let last = path.rsplit('/').next().unwrap_or(path);
        for directory in &directories {
            for name in [
                format!("{path}.{suffix}"),
                format!("{path}/jq/main.{suffix}"),
                format!("{path}/{last}.{suffix}"),
            ] {
                let file = system::join(directory, name.as_bytes());
                if is_file(&file) {
                    return Ok(file);
                }
            }
        }
        Err(format!("module not found: {path}\n"))
    }

    /// The text of a module.
    pub fn source(&self, path: &[u8]) -> Outcome<String> {
        let text = system::read_whole(path)
            .map_err(|failure| format!("{}: {}", lossy(path), failure.0))?;
        Ok(lossy(&text))
    }

    /// The values of a data file, as an array, or with `raw` its text.
    ///
    /// # Errors
    /// `loading data file PATH: REASON`, with the resolved path.
    pub fn data(&self, path: &[u8], raw: bool) -> Outcome<Value> {
        let shown = || lossy(&system::canonicalize(path).unwrap_or_else(|_| path.to_vec()));
        let wrong = |reason: String| format!("loading data file {}: {reason}\n", shown());
        let text = system::read_whole(path).map_err(|failure| wrong(failure.0.to_string()))?;
        if raw {
            return Ok(lossy(&text).into());
        }
        let mut reader = Reader::new(&text);
        let mut values = Vec::new();
        while let Some(value) = reader.next().map_err(|error| wrong(error.0.to_string()))? {
            values.push(value);
        }
        Ok(values.into())
    }

    /// What `modulemeta` gives of a module.
    ///
    /// The module is looked for from the working directory.
    pub fn meta(&self, name: &str) -> Outcome<Value> {
        let path = self.find(name, None, b".", false)?;
        let source = self.source(&path)?;
        parse::describe(&source, self).map_err(|wrong| wrong.message)
    }
}

/// Refuses paths that lead up, or that no module has.
///
/// `..` as a part, a backslash, and two equal parts in a row are refused, as in `jq`.
fn check(path: &str) -> Outcome<()> {
    if path.contains('\\') {
        return Err(format!(
            "Modules must be named by relative paths using '/', not '\\' ({path})\n"
        ));
    }
    let parts: Vec<&str> = path.split('/').collect();
    if parts.contains(&"..") {
        return Err(format!(
            "Relative paths to modules may not traverse to parent directories ({path})\n"
        ));
    }
    if parts.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(format!(
            "module names must not have equal consecutive components: {path}\n"
        ));
    }
    Ok(())
}

/// The variables that every program knows.
///
/// `$ENV`, `$ARGS` with `named` and `positional`, `$__search_list`, and each named argument by its own name. They are
/// literals to the parser, which costs nothing at run time.
pub fn constants(
    named: &Value,
    positional: Vec<Value>,
    search: &Modules,
) -> HashMap<String, Value> {
    let mut constants = HashMap::new();
    let mut environment = super::value::Members::new();
    for (name, value) in system::environment() {
        environment.insert(lossy(&name).into(), lossy(&value).into());
    }
    constants.insert("ENV".to_owned(), environment.into());
    let mut arguments = super::value::Members::new();
    arguments.insert("positional".into(), positional.into());
    arguments.insert("named".into(), named.clone());
    constants.insert("ARGS".to_owned(), arguments.into());
    if let Value::Object(members) = named {
        for (name, value) in members.iter() {
            constants.insert(name.to_string(), value.clone());
        }
    }
    let places: Vec<Value> = search
        .search
        .iter()
        .map(|place| lossy(place).into())
        .collect();
    constants.insert("__search_list".to_owned(), places.into());
    constants
}
