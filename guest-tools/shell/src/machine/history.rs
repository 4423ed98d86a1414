//! What becomes a line of the history: the lines of a command joined to one, as `cmdhist` does.

use std::rc::Rc;

use super::option::{SetOption, Shopt};
use super::task::Task;
use super::{Machine, scope};
use crate::pattern::{self, Pattern};
use crate::text::Text;

impl Machine {
    /// Notes the lines that a command was read from, before it runs.
    pub(super) fn record_history(&mut self, task: &mut Task, lines: &[u8]) {
        task.state.recorded = false;
        if !task.state.options.on(SetOption::History) {
            return;
        }
        if !task.state.options.shopt(Shopt::Cmdhist) {
            let lines = lines.split(|&byte| byte == b'\n');
            for line in lines.filter(|line| !line.trim_ascii().is_empty()) {
                self.add_history(task, Text::from(line));
            }
            return;
        }
        let mut rest = lines;
        while !rest.is_empty() {
            let line = line_of(rest);
            let text = line.trim_ascii();
            if text.is_empty() {
                rest = rest.get(line.len() + 1..).unwrap_or_default();
            } else if text.starts_with(b"#") {
                self.add_history(task, Text::from(line));
                rest = rest.get(line.len() + 1..).unwrap_or_default();
            } else {
                let literal = task.state.options.shopt(Shopt::Lithist);
                self.add_history(task, Text::from(joined(rest, literal)));
                return;
            }
        }
    }

    /// Adds a line, unless `HISTCONTROL` or `HISTIGNORE` keep it out.
    fn add_history(&mut self, task: &mut Task, line: Text) {
        let control = self.variable_text(task, b"HISTCONTROL");
        let mut spaces = false;
        let mut duplicates = false;
        let mut erase = false;
        for word in control.split(|&byte| byte == b':') {
            spaces |= matches!(word, b"ignorespace" | b"ignoreboth");
            duplicates |= matches!(word, b"ignoredups" | b"ignoreboth");
            erase |= word == b"erasedups";
        }
        let before = task.state.history.last().cloned();
        let ignored = self.variable_text(task, b"HISTIGNORE");
        let last = before
            .as_ref()
            .map(|line| line.as_bytes())
            .unwrap_or_default();
        if spaces && line.starts_with(b" ")
            || duplicates && before.as_ref().is_some_and(|before| before.text == line)
            || matches_any(&ignored, &line, last)
        {
            return;
        }
        if erase {
            Rc::make_mut(&mut task.state.history).retain(|old| old.text != line);
        }
        self.push_history(task, line);
        task.state.recorded = true;
    }

    fn variable_text(&mut self, task: &mut Task, name: &[u8]) -> Text {
        let symbol = self.symbols.find(name);
        symbol
            .and_then(|symbol| scope::get(self, task, symbol))
            .unwrap_or_default()
    }
}

fn line_of(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|&byte| byte == b'\n');
    &text[..end.unwrap_or(text.len())]
}

/// Whether one of the patterns between colons matches; `&` in them is the line before.
fn matches_any(patterns: &[u8], line: &[u8], last: &[u8]) -> bool {
    patterns
        .split(|&byte| byte == b':')
        .filter(|pattern| !pattern.is_empty())
        .any(|pattern| {
            let mut text = Vec::with_capacity(pattern.len());
            let mut quoted = false;
            for &byte in pattern {
                if byte == b'&' && !quoted {
                    text.extend_from_slice(&pattern::escape(last));
                } else {
                    text.push(byte);
                }
                quoted = byte == b'\\' && !quoted;
            }
            Pattern::new(&text, pattern::Options::default()).matches(line)
        })
}

/// Where the end of a line stands.
#[derive(Default)]
struct Place {
    single: bool,
    double: bool,
    comment: bool,
    /// What is open: `$` of a substitution, `=` of the elements of an array.
    open: Vec<u8>,
    /// Delimiters of here-documents whose text begins with the next line.
    documents: Vec<Vec<u8>>,
}

/// The lines of a command as one; with `literal` they stay lines.
fn joined(text: &[u8], literal: bool) -> Vec<u8> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let mut result = Vec::with_capacity(text.len());
    let mut place = Place::default();
    let mut lines = text.split(|&byte| byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        place.comment = false;
        scan(line, &mut place);
        let last = lines.peek().is_none();
        let quoted = place.single || place.double;
        if !quoted && !last && line.ends_with(b"\\") {
            result.extend_from_slice(&line[..line.len() - 1]);
            continue;
        }
        result.extend_from_slice(line);
        if !place.documents.is_empty() {
            for delimiter in std::mem::take(&mut place.documents) {
                for line in lines.by_ref() {
                    result.push(b'\n');
                    result.extend_from_slice(line);
                    if line.trim_ascii_start() == delimiter {
                        break;
                    }
                }
            }
            result.push(b'\n');
            if lines.peek().is_some() {
                result.push(b' ');
            }
            continue;
        }
        if last {
            break;
        }
        let separator: &[u8] = match place.open.last() {
            _ if quoted || place.comment || literal => b"\n",
            Some(b'$') => b"\n",
            Some(_) => b" ",
            // A here-document is to begin on a line of its own.
            None if lines.peek().is_some_and(|next| has_document(next)) => b"\n",
            None => separator(line),
        };
        result.extend_from_slice(separator);
    }
    result
}

/// Whether the last line goes on with the next one: it ends in a backslash that is no comment.
pub(super) fn continues(text: &[u8]) -> bool {
    let Some(line) = text.strip_suffix(b"\n") else {
        return false;
    };
    let escapes = line.iter().rev().take_while(|&&byte| byte == b'\\');
    if escapes.count() % 2 == 0 {
        return false;
    }
    let mut place = Place::default();
    scan(
        line.rsplit(|&byte| byte == b'\n').next().unwrap_or(line),
        &mut place,
    );
    !place.comment
}

/// Goes through a line: quotes, comments, here-documents.
fn scan(line: &[u8], place: &mut Place) {
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += 1;
        match byte {
            b'\'' if !place.double => place.single = !place.single,
            _ if place.single => {}
            b'\\' => at += 1,
            b'"' => place.double = !place.double,
            _ if place.double => {}
            b'#' if at == 1 || line[at - 2].is_ascii_whitespace() => {
                place.comment = true;
                return;
            }
            b'$' | b'=' if line[at..].starts_with(b"(") => {
                place.open.push(byte);
                at += 1;
            }
            b'(' => place.open.extend(place.open.last().copied()),
            b')' => drop(place.open.pop()),
            b'<' if line[at..].starts_with(b"<<") => at += 2,
            b'<' if line[at..].starts_with(b"<") => {
                let rest = line[at + 1..].strip_prefix(b"-").unwrap_or(&line[at + 1..]);
                let word: Vec<u8> = rest
                    .trim_ascii_start()
                    .iter()
                    .copied()
                    .take_while(|byte| !byte.is_ascii_whitespace() && !b";|&<>)".contains(byte))
                    .filter(|byte| !b"'\"\\".contains(byte))
                    .collect();
                if !word.is_empty() {
                    place.documents.push(word);
                }
                at += 1;
            }
            _ => {}
        }
    }
}

/// Whether bash takes a line for one that begins a here-document.
fn has_document(line: &[u8]) -> bool {
    line.windows(2).any(|two| two == b"<<")
}

/// What stands for the newline after a line of a command.
fn separator(line: &[u8]) -> &'static [u8] {
    let line = line.trim_ascii_end();
    let word = line
        .rsplit(|&byte| byte.is_ascii_whitespace() || byte == b';')
        .next()
        .unwrap_or_default();
    let joins = matches!(
        word,
        b"do" | b"then" | b"else" | b"elif" | b"in" | b"if" | b"while" | b"until" | b"{"
    );
    match line.last() {
        None => b"",
        Some(b';' | b'&' | b'|' | b'(' | b')') => b" ",
        _ if joins => b" ",
        _ => b"; ",
    }
}
