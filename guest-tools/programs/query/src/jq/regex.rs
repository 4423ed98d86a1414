//! Regular expressions in the syntax of Oniguruma's Perl mode, as far as `fancy-regex` has it, with positions in
//! characters.
//!
//! The engine backtracks where a pattern needs it (look-around, back-references), at most `5_000_000` steps, and is
//! linear otherwise. Flags are those of the manual: `g`, `i`, `x`, `s`, `n` (empty matches are ignored), `p` (as `s`
//! here), and `l`, which changes nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fancy_regex::{Captures, Regex, RegexBuilder};

use super::json::shortened;
use super::natives::Outcome;
use super::value::{Members, Value};

thread_local! {
    /// Compiled patterns by their text and flags, for as long as the program runs: programs match the same few
    /// patterns often.
    static COMPILED: RefCell<HashMap<(String, String), Rc<Compiled>>> = RefCell::default();
}

/// A pattern with the flags that its engine does not know.
struct Compiled {
    regex: Regex,
    /// All matches, not only the first (`g`).
    global: bool,
    /// Empty matches do not count (`n`).
    skip_empty: bool,
}

/// Compiles a pattern, once. `\h` and `\H` are hexadecimal digits and their opposite, as in Oniguruma.
///
/// # Errors
/// A flag or pattern that is not valid.
fn compile(source: &str, flags: &str) -> Outcome<Rc<Compiled>> {
    let key = (source.to_owned(), flags.to_owned());
    if let Some(found) = COMPILED.with_borrow(|compiled| compiled.get(&key).cloned()) {
        return Ok(found);
    }
    let (mut global, mut skip_empty, mut inline) = (false, false, String::from("(?"));
    for flag in flags.chars() {
        match flag {
            'g' => global = true,
            'n' => skip_empty = true,
            'i' | 'x' | 's' => inline.push(flag),
            'p' => inline.push('s'),
            'l' => {}
            _ => return Err(format!("{flags} is not a valid modifier string")),
        }
    }
    // A line feed before the end of the text is no end of line for `$`.
    let source = source
        .replace("\\h", "[0-9a-fA-F]")
        .replace("\\H", "[^0-9a-fA-F]");
    let regex = RegexBuilder::new(&if inline.len() > 2 {
        format!("{inline}){source}")
    } else {
        source.clone()
    })
    .backtrack_limit(5_000_000)
    .build()
    .map_err(|_| format!("{source} (at offset 0) is not a valid regex"))?;
    let compiled = Rc::new(Compiled {
        regex,
        global,
        skip_empty,
    });
    COMPILED.with_borrow_mut(|all| all.insert(key, Rc::clone(&compiled)));
    Ok(compiled)
}

/// The matches of a pattern, or only whether there is one.
///
/// Gives an array of matches as `match` shows them, or with `test` a boolean. After an empty match the search goes on
/// one character further.
pub fn find(input: &Value, pattern: &Value, flags: &Value, test: bool) -> Outcome {
    let Value::String(text) = input else {
        return Err(format!(
            "{} ({}) cannot be matched, as it is not a string",
            input.kind(),
            shortened(input)
        ));
    };
    let Value::String(source) = pattern else {
        return Err(format!(
            "{} ({}) cannot be matched, as it is not a string",
            pattern.kind(),
            shortened(pattern)
        ));
    };
    let flags = match flags {
        Value::Null => "",
        Value::String(flags) => flags,
        other => {
            return Err(format!(
                "{} ({}) is not a string",
                other.kind(),
                shortened(other)
            ));
        }
    };
    let compiled = compile(source, flags)?;
    let fail = |_| "the regular expression is too complex".to_owned();
    if test && !compiled.skip_empty {
        return Ok(compiled.regex.is_match(text).map_err(fail)?.into());
    }
    if test {
        for found in compiled.regex.find_iter(text) {
            if !found.map_err(fail)?.as_str().is_empty() {
                return Ok(true.into());
            }
        }
        return Ok(false.into());
    }
    let mut places = Places {
        text,
        byte: 0,
        index: 0,
    };
    let mut found = Vec::new();
    let mut start = 0;
    while start <= text.len() {
        let Some(captures) = compiled
            .regex
            .captures_from_pos(text, start)
            .map_err(fail)?
        else {
            break;
        };
        let Some(whole) = captures.get(0) else { break };
        let (from, to) = (whole.start(), whole.end());
        if !(from == to && compiled.skip_empty) {
            found.push(describe(&compiled.regex, &captures, &mut places));
        }
        if !compiled.global {
            break;
        }
        start = to;
        if from == to {
            start += text[to..].chars().next().map_or(1, char::len_utf8);
        }
    }
    Ok(found.into())
}

/// Counts characters from one place to the next.
///
/// Matches come in order, so all positions of a text together cost one walk along it.
struct Places<'a> {
    text: &'a str,
    /// A byte offset that is known.
    byte: usize,
    /// The number of characters before it.
    index: usize,
}

impl Places<'_> {
    /// The number of characters before that byte, which must be at a character's start.
    fn index(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            self.byte = 0;
            self.index = 0;
        }
        self.index += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        self.index
    }
}

/// A match as an object: `offset`, `length`, `string`, `captures`.
fn describe(regex: &Regex, captures: &Captures, places: &mut Places) -> Value {
    let mut whole = place(captures.get(0), places);
    let groups: Vec<Value> = regex
        .capture_names()
        .enumerate()
        .skip(1)
        .map(|(index, name)| {
            let mut group = place(captures.get(index), places);
            group.insert("name".into(), name.map_or(Value::Null, Value::from));
            group.into()
        })
        .collect();
    whole.insert("captures".into(), groups.into());
    whole.into()
}

/// What a group matched. A group that took no part has offset -1, length 0 and the string `null`.
fn place(group: Option<fancy_regex::Match>, places: &mut Places) -> Members {
    let mut members = Members::with_capacity(5);
    let (offset, length, text) = match group {
        Some(group) => (
            Value::from(places.index(group.start())),
            group.as_str().chars().count(),
            Value::from(group.as_str()),
        ),
        None => (Value::Number(-1.0), 0, Value::Null),
    };
    members.insert("offset".into(), offset);
    members.insert("length".into(), length.into());
    members.insert("string".into(), text);
    members
}
