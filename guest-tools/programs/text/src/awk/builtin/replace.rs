//! `sub`, `gsub` and `gensub`. Replacements copy the text once: O(n) and the cost of matching.

use std::rc::Rc;

use super::super::interpreter::{Interpreter, Outcome, Target};
use super::super::tree::*;
use super::super::value::Value;
use crate::pattern::{Groups, Pattern, character_length};

impl<'p> Interpreter<'p> {
    /// `sub` and, with `all`, `gsub`: changes the target (`$0` by default) and gives the number of replacements. A
    /// target that cannot be assigned to is only searched. Nothing is assigned where nothing matched, so that `$0`
    /// stays unsplit.
    pub(super) fn substitute(&mut self, all: bool, arguments: &'p [Expression]) -> Outcome<Value> {
        let pattern = self.pattern_of(&arguments[0])?;
        let replacement = self.text(&arguments[1])?;
        let target = match arguments.get(2) {
            None => Some(Target::Field(0)),
            Some(
                target @ (Expression::Variable(_)
                | Expression::Element(..)
                | Expression::Nested(..)
                | Expression::Symbol(_)
                | Expression::Field(_)
                | Expression::Group(_)),
            ) => Some(self.target(target)?),
            Some(_) => None,
        };
        let old = match (&target, arguments.get(2)) {
            (Some(target), _) => self.value_of(target)?,
            (None, Some(value)) => self.eval(value)?,
            (None, None) => Value::default(),
        };
        let text = old.to_text(&self.convert);
        let mut out = Vec::new();
        let count = replace(
            &pattern,
            &text,
            if all { 0 } else { 1 },
            &mut out,
            |groups, out| {
                insert(&replacement, &text, groups, out);
            },
        );
        if let (true, Some(target)) = (count > 0, target) {
            let new = match old {
                Value::Regex(_) => Value::Regex(Rc::new(out)),
                _ => Value::text(out),
            };
            self.set(target, new)?;
        }
        Ok(Value::Number(count as f64))
    }

    /// `gensub`: gives the new text, and changes nothing. `how` is `g`, or the number of the match.
    pub(super) fn gensub(&mut self, arguments: &'p [Expression]) -> Outcome<Value> {
        let pattern = self.pattern_of(&arguments[0])?;
        let replacement = self.text(&arguments[1])?;
        let how = self.eval(&arguments[2])?;
        let text = match arguments.get(3) {
            None => self.whole_record(),
            Some(target) => self.text(target)?,
        };
        let shown = how.to_text(b"%.6g");
        let all = matches!(shown.first(), Some(b'g' | b'G'));
        if !all && how.number() < 1.0 {
            let shown = String::from_utf8_lossy(&shown);
            self.warn(&format!("gensub: third argument `{shown}' treated as 1"));
        }
        let which = if all {
            0
        } else {
            how.number().max(1.0) as usize
        };
        let mut out = Vec::new();
        replace(&pattern, &text, which, &mut out, |groups, out| {
            insert_groups(&replacement, &text, groups, out);
        });
        Ok(Value::text(out))
    }
}

/// Copies `text` with the matches replaced: all where `which` is 0, or only that one, counted from 1. Gives how many
/// were. An empty match right behind another match does not count:
///
/// ```text
/// gsub(/x*/, "-", "abxc")  ->  -a-b-c-
/// ```
fn replace(
    pattern: &Pattern,
    text: &[u8],
    which: usize,
    out: &mut Vec<u8>,
    mut insert: impl FnMut(&Groups, &mut Vec<u8>),
) -> usize {
    let (mut at, mut copied, mut seen, mut count) = (0, 0, 0, 0);
    let mut last_end = None;
    while at <= text.len() {
        let Some(groups) = pattern.groups_at(text, at) else {
            break;
        };
        let Some((from, to)) = groups[0] else { break };
        // An empty match right after a match is none.
        if from == to && last_end == Some(from) {
            at = from
                + text
                    .get(from)
                    .map_or(1, |_| character_length(&text[from..]));
            continue;
        }
        seen += 1;
        if which == 0 || seen == which {
            out.extend_from_slice(&text[copied..from]);
            insert(&groups, out);
            copied = to;
            count += 1;
            if which != 0 {
                break;
            }
        }
        last_end = Some(to);
        at = if to > from {
            to
        } else {
            from + text
                .get(from)
                .map_or(1, |_| character_length(&text[from..]))
        };
    }
    out.extend_from_slice(&text[copied.min(text.len())..]);
    count
}

/// The replacement of `sub` and `gsub`. Backslashes matter before an ampersand alone; the lexer has already halved
/// those of a string once.
///
/// ```text
/// &     the match          \\&    a backslash and the match
/// \&    an ampersand       \q     backslash and q
/// ```
fn insert(replacement: &[u8], text: &[u8], groups: &Groups, out: &mut Vec<u8>) {
    let whole = groups[0].map_or(&b""[..], |(from, to)| &text[from..to]);
    let mut at = 0;
    while at < replacement.len() {
        let slashes = replacement[at..]
            .iter()
            .take_while(|&&byte| byte == b'\\')
            .count();
        if slashes > 0 {
            at += slashes;
            if replacement.get(at) == Some(&b'&') {
                out.extend(std::iter::repeat_n(b'\\', slashes / 2));
                if slashes % 2 == 1 {
                    out.push(b'&');
                    at += 1;
                }
            } else {
                out.extend(std::iter::repeat_n(b'\\', slashes));
            }
            continue;
        }
        match replacement[at] {
            b'&' => out.extend_from_slice(whole),
            byte => out.push(byte),
        }
        at += 1;
    }
}

/// The replacement of `gensub`, where `\0` to `\9` are groups, `&` is the match, and other bytes behind a backslash are
/// themselves.
fn insert_groups(replacement: &[u8], text: &[u8], groups: &Groups, out: &mut Vec<u8>) {
    let group = |index: usize| {
        let span = groups.get(index).copied().flatten();
        span.map_or(&b""[..], |(from, to)| &text[from..to])
    };
    let mut bytes = replacement.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'&' => out.extend_from_slice(group(0)),
            b'\\' => match bytes.next() {
                Some(digit @ b'0'..=b'9') => {
                    out.extend_from_slice(group(usize::from(digit - b'0')))
                }
                Some(other) => out.push(other),
                None => out.push(b'\\'),
            },
            _ => out.push(byte),
        }
    }
}
