//! History expansion: `!!`, `!$`, `!make:p`, `^old^new^` in a line that was typed (bash's manual, History Expansion).
//!
//! An expansion is `!EVENT[:WORDS][:MODIFIER…]`. With `cp a.txt /tmp/b` before:
//!
//! | typed | becomes |
//! |---|---|
//! | `!!`, `!cp`, `!?txt?`, `!-1` | `cp a.txt /tmp/b` |
//! | `!$`, `!!:2` | `/tmp/b` |
//! | `!^`, `!*`, `!:0` | `a.txt`; `a.txt /tmp/b`; `cp` |
//! | `!$:h`, `!$:t`, `!^:r`, `!^:e` | `/tmp`; `b`; `a`; `.txt` |
//! | `!!:s/a/c/`, `!!:gs/t/T/`, `^a^c^` | the line with other text |
//!
//! Nothing is expanded in single quotes, behind a backslash and in a comment. The characters are fixed: `histchars` has
//! no effect, nor are `:&` and `:G` there. A line costs O(length), and a search O(size of the history).

use super::history_file::Line;

/// What a line became.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expanded {
    /// There was nothing to expand.
    Same,
    /// This is to be run.
    Run(Vec<u8>),
    /// This is only shown and remembered: `:p`.
    Show(Vec<u8>),
}

/// Why a line cannot be expanded: bash's message for it.
pub(crate) type Refusal = Vec<u8>;

/// What ends the text that an event begins with, beside white space and a colon.
const EVENT_ENDS: &[u8] = b";&()|<>";
/// What is no event after an exclamation mark, beside white space.
const NO_EVENT: &[u8] = b"=\"";

/// Expands a line, which has no newline at its end. `first` is the number of the oldest line of the history.
///
/// # Errors
/// Where an event, a word or a text to substitute is not there.
pub(crate) fn expand(line: &[u8], history: &[Line], first: usize) -> Result<Expanded, Refusal> {
    let mut expander = Expander {
        history,
        first,
        line,
        at: 0,
        out: Vec::with_capacity(line.len()),
        changed: false,
        shows: false,
    };
    if line.first() == Some(&b'^') {
        expander.quick()?;
    }
    expander.rest()?;
    Ok(match (expander.changed, expander.shows) {
        (false, _) => Expanded::Same,
        (true, false) => Expanded::Run(expander.out),
        (true, true) => Expanded::Show(expander.out),
    })
}

/// A line that is being expanded.
struct Expander<'a> {
    /// The lines that may be asked for, the oldest first.
    history: &'a [Line],
    /// The number of the first of them.
    first: usize,
    line: &'a [u8],
    /// The place in the line.
    at: usize,
    /// What it becomes.
    out: Vec<u8>,
    /// Whether anything was expanded.
    changed: bool,
    /// Whether `:p` was among the modifiers.
    shows: bool,
}

impl Expander<'_> {
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    /// Takes a byte over as it is.
    fn copy(&mut self) {
        self.out.extend(self.peek());
        self.at += 1;
    }

    /// `^old^new^` at the beginning of a line.
    fn quick(&mut self) -> Result<(), Refusal> {
        let event = self.back(1).ok_or_else(|| not_found(b"!!"))?.to_vec();
        let text = self.substitute(event, false, self.at)?;
        self.out.extend_from_slice(&text);
        self.changed = true;
        Ok(())
    }

    /// Expands from here to the end of the line.
    fn rest(&mut self) -> Result<(), Refusal> {
        let mut double = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => {
                    self.copy();
                    self.copy();
                }
                b'\'' if !double => {
                    self.copy();
                    while self.peek().is_some_and(|byte| byte != b'\'') {
                        self.copy();
                    }
                    self.copy();
                }
                b'"' => {
                    double = !double;
                    self.copy();
                }
                b'#' if !double && self.begins_word() => {
                    self.out.extend_from_slice(&self.line[self.at..]);
                    return Ok(());
                }
                b'!' if self.is_event() => self.event(double)?,
                _ => self.copy(),
            }
        }
        Ok(())
    }

    /// Whether a word may begin here, so that `#` begins a comment.
    fn begins_word(&self) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.line[at]);
        before.is_none_or(|byte| byte.is_ascii_whitespace() || EVENT_ENDS.contains(&byte))
    }

    /// Whether the exclamation mark here begins an expansion: not in `$!`, `${!x}`, `[!a]`, `!(x)`.
    fn is_event(&self) -> bool {
        let next = self.line.get(self.at + 1);
        let before = self.at.checked_sub(1).map(|at| self.line[at]);
        let parameter = self.line[..self.at].ends_with(b"${") || before == Some(b'$');
        next.is_some_and(|&byte| {
            !byte.is_ascii_whitespace() && !NO_EVENT.contains(&byte) && byte != b'('
        }) && !parameter
            && before != Some(b'[')
    }

    /// The line this many before the present one; 1 is the last.
    fn back(&self, count: usize) -> Option<&[u8]> {
        let at = self.history.len().checked_sub(count)?;
        self.history.get(at).map(|line| line.as_bytes())
    }

    /// Expands at an exclamation mark. Within double quotes (`double`) a quote ends the text of an event.
    fn event(&mut self, double: bool) -> Result<(), Refusal> {
        let start = self.at;
        self.at += 1;
        let (event, found) = self.designated(double);
        let Some(event) = event else {
            return Err(not_found(&self.line[start..self.at]));
        };
        let mut text = self.words(event, found)?;
        self.modify(&mut text)?;
        self.out.extend_from_slice(&text);
        self.changed = true;
        Ok(())
    }

    /// The line that is meant, and the word in it that `?text?` was found in.
    fn designated(&mut self, double: bool) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
        let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<usize>().ok();
        let rest = &self.line[self.at..];
        let digits = |from: usize| {
            rest[from..]
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count()
        };
        match rest.first() {
            Some(b'!') => {
                self.at += 1;
                (self.back(1).map(<[u8]>::to_vec), None)
            }
            Some(b'#') => {
                self.at += 1;
                (Some(self.out.clone()), None)
            }
            Some(b'^' | b'$' | b'*' | b'%' | b':') => (self.back(1).map(<[u8]>::to_vec), None),
            Some(b'-') if digits(1) > 0 => {
                let end = 1 + digits(1);
                self.at += end;
                let count = number(&rest[1..end]).unwrap_or(usize::MAX);
                (self.back(count.max(1)).map(<[u8]>::to_vec), None)
            }
            Some(b'0'..=b'9') => {
                let end = digits(0);
                self.at += end;
                let index = number(&rest[..end]).and_then(|n| n.checked_sub(self.first));
                let line = index.and_then(|index| self.history.get(index));
                (line.map(|text| text.as_bytes().to_vec()), None)
            }
            Some(b'?') => {
                let text = &rest[1..];
                let end = text
                    .iter()
                    .position(|&byte| byte == b'?')
                    .unwrap_or(text.len());
                self.at += 1 + (end + 1).min(text.len());
                self.containing(&text[..end])
            }
            _ => {
                let ends = |byte: &u8| {
                    byte.is_ascii_whitespace()
                        || *byte == b':'
                        || EVENT_ENDS.contains(byte)
                        || double && *byte == b'"'
                };
                let end = rest.iter().position(ends).unwrap_or(rest.len());
                self.at += end;
                let mut lines = self.history.iter().rev().map(|line| line.as_bytes());
                let found = lines.find(|line| line.starts_with(&rest[..end]));
                (found.map(<[u8]>::to_vec), None)
            }
        }
    }

    /// The last line that contains a text, and the first word in it that does.
    fn containing(&self, text: &[u8]) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
        let contains =
            |line: &[u8]| !text.is_empty() && line.windows(text.len()).any(|w| w == text);
        let mut lines = self.history.iter().rev().map(|line| line.as_bytes());
        let Some(line) = lines.find(|line| contains(line)) else {
            return (None, None);
        };
        let word = split(line).into_iter().find(|word| contains(word));
        (Some(line.to_vec()), word.map(<[u8]>::to_vec))
    }

    /// The words of an event that are asked for: `:1`, `:$`, `^`, `*`, `:2-4`, `:3*`, `:-2`; all of it where none are.
    /// `-` without an end stops before the last word.
    fn words(&mut self, event: Vec<u8>, found: Option<Vec<u8>>) -> Result<Vec<u8>, Refusal> {
        let start = self.at;
        let mut at = self.at;
        let colon = self.line.get(at) == Some(&b':');
        at += usize::from(colon);
        let designates = match self.line.get(at) {
            Some(b'^' | b'$' | b'*' | b'%') => true,
            Some(b'-') => true,
            Some(b'0'..=b'9') => colon,
            _ => false,
        };
        if !designates {
            return Ok(event);
        }
        self.at = at;
        let words = split(&event);
        let last = words.len().saturating_sub(1);
        if self.peek() == Some(b'%') {
            self.at += 1;
            return Ok(found.unwrap_or_default());
        }
        if self.peek() == Some(b'*') {
            self.at += 1;
            return Ok(words.get(1..).unwrap_or_default().join(&b' '));
        }
        let from = match self.peek() {
            Some(b'-') => 0,
            _ => self.index(last).unwrap_or(0),
        };
        let to = match self.peek() {
            Some(b'*') => {
                self.at += 1;
                // `N*` of the word behind the last one is nothing.
                if from == last + 1 {
                    return Ok(Vec::new());
                }
                last
            }
            Some(b'-') => {
                self.at += 1;
                match self.index(last) {
                    Some(to) => to,
                    None => last.saturating_sub(1),
                }
            }
            _ => from,
        };
        match words.get(from..=to) {
            Some(words) if from <= to => Ok(words.join(&b' ')),
            _ => Err([&self.line[start..self.at], b": bad word specifier"].concat()),
        }
    }

    /// A number, `^` (1) or `$` (the last); `None` where none of these comes next.
    fn index(&mut self, last: usize) -> Option<usize> {
        match self.peek()? {
            b'^' => {
                self.at += 1;
                Some(1)
            }
            b'$' => {
                self.at += 1;
                Some(last)
            }
            b'0'..=b'9' => {
                let mut value = 0usize;
                while let Some(byte @ b'0'..=b'9') = self.peek() {
                    value = value
                        .saturating_mul(10)
                        .saturating_add(usize::from(byte - b'0'));
                    self.at += 1;
                }
                Some(value)
            }
            _ => None,
        }
    }

    /// Applies modifiers: `:h` head, `:t` tail, `:r` without ending, `:e` ending, `:p` show only, `:q` and `:x` quote,
    /// and `:s/old/new/` with `g` or `a` before it for all.
    fn modify(&mut self, text: &mut Vec<u8>) -> Result<(), Refusal> {
        while self.peek() == Some(b':') {
            let start = self.at;
            let mut all = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'g' | b'a')) {
                all = true;
                self.at += 1;
            }
            let Some(modifier) = self.peek() else {
                return Err(b": unrecognized history modifier".to_vec());
            };
            let slash = text.iter().rposition(|&byte| byte == b'/');
            let name = slash.map_or(0, |at| at + 1);
            let dot = text[name..]
                .iter()
                .rposition(|&byte| byte == b'.')
                .map(|at| name + at);
            self.at += 1;
            match modifier {
                b'h' => text.truncate(slash.unwrap_or(text.len())),
                b't' => drop(text.drain(..name)),
                b'r' => text.truncate(dot.unwrap_or(text.len())),
                b'e' => drop(text.drain(..dot.unwrap_or(0))),
                b'p' => self.shows = true,
                b'q' => *text = quoted(&text[..]),
                b'x' => {
                    let blank = |byte: &u8| byte.is_ascii_whitespace();
                    let words = text.split(blank).filter(|word| !word.is_empty());
                    *text = words.map(quoted).collect::<Vec<_>>().join(&b' ');
                }
                b's' => {
                    let old = std::mem::take(text);
                    *text = self.substitute(old, all, start)?;
                }
                other => {
                    return Err([&[other][..], b": unrecognized history modifier"].concat());
                }
            }
        }
        Ok(())
    }

    /// `/old/new/` or `^old^new^` at this place, applied; `start` is where it began, for the message.
    fn substitute(&mut self, text: Vec<u8>, all: bool, start: usize) -> Result<Vec<u8>, Refusal> {
        let Some(delimiter) = self.peek() else {
            return Ok(text);
        };
        self.at += 1;
        let old = self.delimited(delimiter, None);
        let new = self.delimited(delimiter, Some(&old));
        let mut out = Vec::with_capacity(text.len());
        let mut rest = text.as_slice();
        let mut done = false;
        while let Some(at) = (!old.is_empty() && (all || !done))
            .then(|| rest.windows(old.len()).position(|window| window == old))
            .flatten()
        {
            out.extend_from_slice(&rest[..at]);
            out.extend_from_slice(&new);
            rest = &rest[at + old.len()..];
            done = true;
        }
        if !done {
            let said = &self.line[start..self.at];
            let colon: &[u8] = if said.starts_with(b":") { b"" } else { b":s" };
            return Err([colon, said, b": substitution failed"].concat());
        }
        out.extend_from_slice(rest);
        Ok(out)
    }

    /// The text up to the delimiter, which is left out; in the new text `&` is the old one.
    fn delimited(&mut self, delimiter: u8, old: Option<&[u8]>) -> Vec<u8> {
        let mut text = Vec::new();
        while let Some(byte) = self.peek() {
            self.at += 1;
            match (byte, self.peek()) {
                (b'\\', Some(next)) if next == delimiter || old.is_some() && next == b'&' => {
                    text.push(next);
                    self.at += 1;
                }
                (b'&', _) if old.is_some() => text.extend_from_slice(old.unwrap_or_default()),
                (byte, _) if byte == delimiter => break,
                (byte, _) => text.push(byte),
            }
        }
        text
    }
}

/// The message about an event.
fn not_found(event: &[u8]) -> Refusal {
    [event, b": event not found"].concat()
}

/// A text in single quotes.
fn quoted(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut out = vec![b'\''];
    for &byte in text.as_ref() {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            _ => out.push(byte),
        }
    }
    out.push(b'\'');
    out
}

/// The words of a line as the shell's lexer finds them, operators among them, quotes and all.
fn split(line: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let end = at
            + match operator(&line[at..]) {
                0 => word(&line[at..]),
                length => length,
            };
        words.push(&line[at..end]);
        at = end;
    }
    words
}

/// The length of the operator here; 0 where there is none.
fn operator(text: &[u8]) -> usize {
    const OPERATORS: [&[u8]; 13] = [
        b"<<<", b"<<-", b"&>>", b"&&", b"||", b";;", b"<<", b">>", b"<&", b">&", b"&>", b">|",
        b"<>",
    ];
    let long = OPERATORS.iter().find(|operator| text.starts_with(operator));
    match (long, text.first()) {
        (Some(operator), _) => operator.len(),
        (None, Some(byte)) if EVENT_ENDS.contains(byte) => 1,
        _ => 0,
    }
}

/// The length of the word here, with its quotes.
fn word(text: &[u8]) -> usize {
    let mut at = 0;
    let mut quote = None;
    while let Some(&byte) = text.get(at) {
        match (quote, byte) {
            (Some(b'\''), b'\'') | (Some(b'"'), b'"') | (Some(b'`'), b'`') => quote = None,
            (Some(b'"') | None, b'\\') => at += 1,
            (None, b'\'' | b'"' | b'`') => quote = Some(byte),
            (None, byte) if byte.is_ascii_whitespace() || EVENT_ENDS.contains(&byte) => break,
            _ => {}
        }
        at += 1;
    }
    at.min(text.len())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::text::Text;

    /// Lines that are typed one after the other.
    const TYPED: &[&str] = &[
        "echo a b c",
        "echo !$ x",
        "echo !!:1 \"!!\" '!!'",
        "!nope",
        "^x^y^",
        "^a^b",
        "echo !echo:0",
        "!!:p",
        "echo \"hi!\" != ! x",
        "echo !-2 \\!x",
        "echo /usr/lib/file.tar.gz",
        "echo !$:h !$:t !$:r !$:e !$:t:r",
        "echo one two three four five",
        "echo !!:2-3 !:2* !:3-  !:-2 !^ !*",
        "echo !!:$ !!:9",
        "echo !?three?:% !?fi?",
        "echo one two one",
        "!!:s/one/1/",
        "!-2:gs/one/[&]/",
        "!-3:s/nine/9/",
        "echo 'it is' \"so long\"|cat;true&&:",
        "echo !!:1 !!:2 !!:3 !!:4 !!:5 !!:q",
        "echo !-2:x",
        "echo !#",
        "echo x !#:1 # !! is a comment",
        "echo !1 !3",
        "echo $! [!a]",
        "!999",
        "echo !!;echo !-2|cat",
    ];

    #[test]
    fn lines_become_what_bash_makes_of_them() {
        let script = ["set -o history -H", &TYPED.join("\n"), "history"].join("\n");
        let mut bash = Command::new("bash")
            .env("HISTFILE", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let text = format!("{script}\n");
        bash.stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        let output = bash.wait_with_output().unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let list = stdout.split("\n    1  ").nth(1).unwrap();
        let expected: Vec<&str> = list
            .lines()
            .enumerate()
            .map(|(at, line)| if at == 0 { line } else { line.split_at(7).1 })
            .collect();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let mut refusals = Vec::new();
        let mut history: Vec<Line> = Vec::new();
        let line_of = |text: &[u8]| Line {
            text: Text::from(text),
            time: None,
        };
        for line in TYPED.iter().chain(&["history"]) {
            match expand(line.as_bytes(), &history, 1) {
                Ok(Expanded::Same) => history.push(line_of(line.as_bytes())),
                Ok(Expanded::Run(text) | Expanded::Show(text)) => history.push(line_of(&text)),
                Err(refusal) => refusals.push(String::from_utf8(refusal).unwrap()),
            }
        }
        let got: Vec<_> = history
            .iter()
            .map(|text| String::from_utf8_lossy(text))
            .collect();
        assert_eq!(got, expected);
        let said = stderr
            .lines()
            .filter_map(|line| line.strip_prefix("bash: "));
        let said: Vec<&str> = said
            .filter_map(|line| line.split_once(": "))
            .map(|(_, said)| said)
            .filter(|said| !said.ends_with("command not found"))
            .collect();
        assert_eq!(refusals, said);
    }
}
