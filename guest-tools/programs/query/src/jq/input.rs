//! The input: files one after the other, as JSON, lines, one whole, or a stream of events.
//!
//! Each file is read whole when its turn comes, and values are parsed from it as they are asked for, so an error in
//! the second value comes after the results for the first. The command and the functions `input` and `inputs` share
//! one source.

use crate::stream::eprintln;
use std::collections::VecDeque;

use super::json::{Place, Reader};
use super::options::Options;
use super::run::Inputs;
use super::value::Value;
use crate::system;

/// Where values come from.
pub struct Source<'a> {
    /// What the command line asks for.
    options: &'a Options,
    /// The files that are left, the next one last.
    files: Vec<Vec<u8>>,
    /// The present file's content, preceded by what was left of the file before.
    text: Vec<u8>,
    /// The offset of what is not read yet.
    at: usize,
    /// Where `text` begins in all that was read, for messages.
    passed: Place,
    /// The present file; none for standard input and before the first.
    name: Option<Vec<u8>>,
    /// The events of the last value that were not given yet.
    events: VecDeque<Value>,
    /// The one value of `--slurp` was given.
    slurped: bool,
    /// A file could not be read. The others are read nevertheless; the exit status is 2.
    unreadable: bool,
    /// A text was no JSON. Nothing is read after it.
    malformed: bool,
}

impl<'a> Source<'a> {
    /// The input that the command line names.
    pub fn new(options: &'a Options) -> Source<'a> {
        let mut files = options.files.clone();
        files.reverse();
        if files.is_empty() {
            files.push(b"-".to_vec());
        }
        Source {
            options,
            files,
            text: Vec::new(),
            at: 0,
            passed: Place::default(),
            name: None,
            events: VecDeque::new(),
            slurped: false,
            unreadable: false,
            malformed: false,
        }
    }

    /// Whether a file could not be read, or was no JSON.
    pub fn failed(&self) -> bool {
        self.unreadable || self.malformed
    }

    /// Goes on with the next file; false where there is none.
    ///
    /// A file that cannot be opened is reported and skipped.
    fn open(&mut self) -> bool {
        while let Some(path) = self.files.pop() {
            match system::read_whole(&path) {
                Ok(text) => {
                    // A line or value that is not complete at a file's end goes on in the next one.
                    let rest = self.text.split_off(self.at.min(self.text.len()));
                    self.passed = self.passed.after(&self.text);
                    self.text = rest;
                    self.text.extend_from_slice(&text);
                    self.at = 0;
                    self.name = (path != b"-").then_some(path);
                    return true;
                }
                Err(failure) => {
                    eprintln!(
                        "jq: error: Could not open {}: {}",
                        String::from_utf8_lossy(&path),
                        failure.0
                    );
                    self.unreadable = true;
                }
            }
        }
        false
    }

    /// The next line without its newline, across the ends of files.
    fn next_line(&mut self) -> Option<Value> {
        loop {
            let rest = &self.text[self.at..];
            if let Some(end) = memchr::memchr(b'\n', rest) {
                let line = String::from_utf8_lossy(&rest[..end]).into_owned();
                self.at += end + 1;
                return Some(line.into());
            }
            if self.open() {
                continue;
            }
            if self.at == self.text.len() {
                return None;
            }
            let line = String::from_utf8_lossy(&self.text[self.at..]).into_owned();
            self.at = self.text.len();
            return Some(line.into());
        }
    }

    /// The next JSON value. All files are one text: a value may go on in the next file, a number's digits included.
    fn next_json(&mut self) -> Option<Result<Value, String>> {
        loop {
            let mut reader = Reader::resume(&self.text, self.at, self.passed);
            let found = reader.next();
            let end = reader.position();
            let open = match &found {
                Ok(Some(Value::String(_) | Value::Array(_) | Value::Object(_))) => false,
                Ok(Some(_)) | Err(_) => end == self.text.len(),
                Ok(None) => {
                    self.at = end;
                    true
                }
            };
            if open && self.open() {
                continue;
            }
            self.at = end;
            match found {
                Ok(value) => return value.map(Ok),
                Err(error) => {
                    self.malformed = true;
                    self.at = self.text.len();
                    self.files.clear();
                    return Some(Err(error.0));
                }
            }
        }
    }

    /// Everything: one array of all values, or with `--raw-input` one string.
    fn slurp(&mut self) -> Result<Value, String> {
        if self.options.raw_input {
            let mut all = String::new();
            while self.open() {
                all.push_str(&String::from_utf8_lossy(&self.text));
                self.at = self.text.len();
            }
            return Ok(all.into());
        }
        let mut values = Vec::new();
        while let Some(value) = self.next_json() {
            values.push(value?);
        }
        Ok(values.into())
    }

    /// The next event of `--stream`. A value is read whole and then taken apart.
    fn next_event(&mut self) -> Option<Result<Value, String>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            match self.next_json()? {
                Ok(value) => events(&value, &mut Vec::new(), &mut self.events),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Inputs for Source<'_> {
    fn next(&mut self) -> Option<Result<Value, String>> {
        if self.options.slurp {
            if self.slurped {
                return None;
            }
            self.slurped = true;
            return Some(self.slurp());
        }
        if self.options.raw_input {
            return self.next_line().map(Ok);
        }
        if self.options.stream {
            self.next_event()
        } else {
            self.next_json()
        }
    }

    fn file(&self) -> Value {
        self.name.as_ref().map_or(Value::Null, |name| {
            String::from_utf8_lossy(name).into_owned().into()
        })
    }

    fn line(&self) -> usize {
        let end = match self.text.get(self.at) {
            Some(b'\n') => self.at + 1,
            _ => self.at,
        };
        memchr::memchr_iter(b'\n', &self.text[..end]).count()
    }
}

/// The events of a value as `--stream` gives them.
///
/// `[PATH, LEAF]` for each scalar and empty container, `[PATH]` after the last child of each container that is not
/// empty:
///
/// ```text
/// {"a":[1,2]} → [["a",0],1]  [["a",1],2]  [["a",1]]  [["a"]]
/// ```
fn events(value: &Value, path: &mut Vec<Value>, out: &mut VecDeque<Value>) {
    let children: Vec<(Value, Value)> = match value {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, item)| (index.into(), item.clone()))
            .collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, item)| (Value::String(name.clone()), item.clone()))
            .collect(),
        _ => Vec::new(),
    };
    if children.is_empty() {
        out.push_back(vec![path.clone().into(), value.clone()].into());
        return;
    }
    let mut last = Value::Null;
    for (key, child) in children {
        path.push(key.clone());
        events(&child, path, out);
        path.pop();
        last = key;
    }
    path.push(last);
    out.push_back(vec![Value::from(path.clone())].into());
    path.pop();
}
