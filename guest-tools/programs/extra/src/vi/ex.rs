//! Commands behind `:`.
//!
//! | command | what it does |
//! |---|---|
//! | `:w [FILE]` `:wq` `:x` `:q` `:e [FILE]` `:r FILE` | files; `!` overrides refusals |
//! | `:12` `:$` | goes to a line |
//! | `:2,5d` | deletes lines |
//! | `:%s/a/b/g` | substitutes; `&` and `\1` are parts of the match |
//! | `:set nu` `:set nonu` | line numbers; other settings are accepted and ignored |
//! | `:noh` | forgets the pattern |
//!
//! Patterns are basic regular expressions. Ranges are `%`, or one or two of a number, `.` and `$`.

use std::rc::Rc;

use super::buffer::characters;
use super::editor::{Editor, Wish};

impl Editor {
    /// Does what a line says. What it wants of files is in the result, what went wrong in `Editor::message`.
    pub fn execute(&mut self, text: &str) -> Wish {
        let text = text.trim();
        let (range, rest) = self.range(text);
        if rest.is_empty() {
            if let Some((_, line)) = range {
                self.cursor = (line, 0);
            }
            return Wish::Nothing;
        }
        if let Some(rest) = rest.strip_prefix('s')
            && rest.starts_with(|one: char| one.is_ascii_punctuation())
        {
            self.substitute(range.unwrap_or((self.cursor.0, self.cursor.0)), rest);
            return Wish::Nothing;
        }
        let end = rest
            .find(|one: char| !one.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let (name, argument) = rest.split_at(end);
        let force = argument.starts_with('!');
        let argument = argument.trim_start_matches('!').trim();
        let path = (!argument.is_empty()).then(|| argument.to_owned());
        match name {
            "w" | "write" => Wish::Write {
                path,
                quit: false,
                force,
            },
            "wq" => Wish::Write {
                path,
                quit: true,
                force,
            },
            "x" | "xit" if !self.buffer.changed => Wish::Quit { force: true },
            "x" | "xit" => Wish::Write {
                path,
                quit: true,
                force,
            },
            "q" | "quit" | "qa" | "qall" => Wish::Quit { force },
            "e" | "edit" => Wish::Edit { path, force },
            "r" | "read" => match path {
                Some(path) => Wish::Read(path),
                None => self.refuse("No file name"),
            },
            "d" | "delete" => {
                let (from, to) = range.unwrap_or((self.cursor.0, self.cursor.0));
                self.change();
                self.buffer.cut_lines(from, to);
                self.cursor = (from, 0);
                Wish::Nothing
            }
            "set" | "se" => {
                match argument {
                    "nu" | "number" => self.numbers = true,
                    "nonu" | "nonumber" => self.numbers = false,
                    // What only changes how it looks.
                    _ => {}
                }
                Wish::Nothing
            }
            "noh" | "nohlsearch" => {
                self.pattern = None;
                Wish::Nothing
            }
            _ => self.refuse(&format!("Not an editor command: {text}")),
        }
    }

    /// Leaves a message.
    fn refuse(&mut self, message: &str) -> Wish {
        self.message = message.to_owned();
        Wish::Nothing
    }

    /// The lines at the beginning of a command as indexes from 0, in ascending order, and what follows.
    fn range<'a>(&self, text: &'a str) -> (Option<(usize, usize)>, &'a str) {
        let last = self.buffer.lines.len().saturating_sub(1);
        if let Some(rest) = text.strip_prefix('%') {
            return (Some((0, last)), rest);
        }
        let Some((from, rest)) = self.address(text) else {
            return (None, text);
        };
        let to = rest.strip_prefix(',').and_then(|rest| self.address(rest));
        let (to, rest) = to.unwrap_or((from, rest));
        (Some((from.min(to), from.max(to))), rest)
    }

    /// One address as an index from 0, and what follows.
    fn address<'a>(&self, text: &'a str) -> Option<(usize, &'a str)> {
        let last = self.buffer.lines.len().saturating_sub(1);
        let digits = text.len()
            - text
                .trim_start_matches(|one: char| one.is_ascii_digit())
                .len();
        match text.chars().next()? {
            '.' => Some((self.cursor.0, &text[1..])),
            '$' => Some((last, &text[1..])),
            _ if digits > 0 => {
                let line: usize = text[..digits].parse().unwrap_or(usize::MAX);
                Some((line.saturating_sub(1).min(last), &text[digits..]))
            }
            _ => None,
        }
    }

    /// `s/PATTERN/TEXT/FLAGS` on lines from 0: the first match of each, or all of them with `g`. The delimiter is any
    /// punctuation.
    fn substitute(&mut self, (from, to): (usize, usize), text: &str) {
        let mut rest = text.chars();
        let Some(divider) = rest.next() else {
            return;
        };
        let (mut parts, mut escaped) = (vec![String::new()], false);
        for one in rest {
            match (one, escaped) {
                ('\\', false) => escaped = true,
                (one, false) if one == divider && parts.len() < 3 => parts.push(String::new()),
                (one, _) => {
                    if let Some(part) = parts.last_mut() {
                        if escaped && one != divider {
                            part.push('\\');
                        }
                        part.push(one);
                    }
                    escaped = false;
                }
            }
        }
        parts.resize(3, String::new());
        if !self.look_for(&parts[0]) {
            return;
        }
        let Some(pattern) = self.pattern.take() else {
            return;
        };
        let (all, mut last, mut count) = (parts[2].contains('g'), None, 0usize);
        self.change();
        for number in from..=to.min(self.buffer.lines.len().saturating_sub(1)) {
            let line: String = self.buffer.lines[number].iter().collect();
            let (mut made, mut at, mut changed) = (Vec::new(), 0, false);
            while at <= line.len()
                && (all || !changed)
                && let Some(groups) = pattern.groups_at(line.as_bytes(), at)
                && let Some(Some((start, end))) = groups.first().copied()
            {
                made.extend_from_slice(&line.as_bytes()[at..start]);
                replacement(&parts[1], line.as_bytes(), &groups, &mut made);
                changed = true;
                count += 1;
                at = end;
                if end == start {
                    let next = line[end..].chars().next().map_or(1, char::len_utf8);
                    made.extend_from_slice(
                        line.as_bytes().get(end..end + next).unwrap_or_default(),
                    );
                    at += next;
                }
            }
            if changed {
                made.extend_from_slice(line.as_bytes().get(at..).unwrap_or_default());
                self.buffer.changed = true;
                self.buffer.lines[number] = Rc::new(characters(&made));
                last = Some(number);
            }
        }
        self.pattern = Some(pattern);
        match last {
            Some(line) => {
                self.cursor = (line, 0);
                if count > 2 {
                    self.message = format!("{count} substitutions");
                }
            }
            None => self.message = "Pattern not found".to_owned(),
        }
    }
}

/// What a match becomes: `&` and `\1` are parts of it.
fn replacement(text: &str, line: &[u8], groups: &[Option<(usize, usize)>], made: &mut Vec<u8>) {
    let mut rest = text.chars();
    while let Some(one) = rest.next() {
        let group = match one {
            '&' => Some(0),
            '\\' => match rest.next() {
                Some(digit @ '0'..='9') => digit.to_digit(10),
                Some('t') => {
                    made.push(b'\t');
                    continue;
                }
                Some(other) => {
                    made.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
                    continue;
                }
                None => None,
            },
            one => {
                made.extend_from_slice(one.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
        };
        let found = group.and_then(|group| groups.get(group as usize).copied().flatten());
        if let Some((start, end)) = found {
            made.extend_from_slice(&line[start..end]);
        }
    }
}
