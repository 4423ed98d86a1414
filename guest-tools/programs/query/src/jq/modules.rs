//! Finding and reading modules and data files.

use std::collections::HashMap;

use super::json::Reader;
use super::parse;
use super::value::Value;
use crate::system::{self, Kind};

/// Where modules are looked for.
pub struct Modules {
    /// The directories of `-L`, or the usual ones.
    pub search: Vec<Vec<u8>>,
}

type Outcome<T> = Result<T, String>;

fn is_file(path: &[u8]) -> bool {
    system::stat(path, true).is_ok_and(|found| found.kind != Kind::Directory)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Modules {
    /// The directories of `-L`; without any the usual ones.
    pub fn new(search: Vec<Vec<u8>>) -> Modules {
        if !search.is_empty() {
            return Modules { search };
        }
        let home = std::env::var_os("HOME").map_or_else(Vec::new, |home| home.into_encoded_bytes());
        let usual = [
            system::join(&home, b".jq"),
            b"/usr/lib/jq".to_vec(),
            b"/usr/lib".to_vec(),
        ];
        Modules {
            search: usual.to_vec(),
        }
    }

    /// The directory that the main program's imports are relative to.
    pub fn start(&self) -> &[u8] {
        b"."
    }

    /// The file of the module or data file `path`.
    pub fn find(
        &self,
        path: &str,
        search: Option<&Value>,
        directory: &[u8],
        data: bool,
    ) -> Outcome<Vec<u8>> {
        let directories: Vec<Vec<u8>> = match search {
            Some(Value::String(one)) => vec![system::join(directory, one.as_bytes())],
            Some(Value::Array(many)) => many
                .iter()
                .filter_map(Value::text)
                .map(|one| system::join(directory, one.as_bytes()))
                .collect(),
            Some(_) => {
                return Err("Module search path must be a string or an array of strings".to_owned());
            }
            None => self.search.clone(),
        };
        if path.is_empty() || path.split('/').any(|part| part == "..") {
            return Err(format!("Invalid module path: {path}"));
        }
        let suffix = if data { "json" } else { "jq" };
        let last = path.rsplit('/').next().unwrap_or(path);
        for directory in &directories {
            for name in [
                format!("{path}.{suffix}"),
                format!("{path}/{last}.{suffix}"),
            ] {
                let file = system::join(directory, name.as_bytes());
                if is_file(&file) {
                    return Ok(file);
                }
            }
        }
        let places: Vec<String> = directories
            .iter()
            .map(|directory| lossy(directory))
            .collect();
        Err(format!(
            "module not found: {path}\n\nsearched: {}",
            places.join(", ")
        ))
    }

    /// The text of a module.
    pub fn source(&self, path: &[u8]) -> Outcome<String> {
        let text = system::read_whole(path)
            .map_err(|failure| format!("{}: {}", lossy(path), failure.0))?;
        Ok(lossy(&text))
    }

    /// The values of a data file, as an array.
    pub fn data(&self, path: &[u8]) -> Outcome<Value> {
        let text = system::read_whole(path)
            .map_err(|failure| format!("{}: {}", lossy(path), failure.0))?;
        let mut reader = Reader::new(&text);
        let mut values = Vec::new();
        while let Some(value) = reader
            .next()
            .map_err(|error| format!("{}: {}", lossy(path), error.0))?
        {
            values.push(value);
        }
        Ok(values.into())
    }

    /// What `modulemeta` gives of a module.
    pub fn meta(&self, name: &str) -> Outcome<Value> {
        let path = self.find(name, None, b".", false)?;
        let source = self.source(&path)?;
        parse::describe(&source, self).map_err(|wrong| wrong.message)
    }
}

/// The variables that every program knows.
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
