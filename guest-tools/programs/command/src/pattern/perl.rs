//! Rewrites Perl's patterns in the syntax of the regex engines.

use std::fmt::Write as _;

use super::translate::{Translated, literal};

/// Rewrites `source`; `lines` tells that each line is a subject of its own.
pub fn perl(source: &[u8], lines: bool) -> Result<Translated, String> {
    let source =
        std::str::from_utf8(source).map_err(|_| "invalid UTF-8 in the pattern".to_owned())?;
    let mut rest = source;
    // Texts are taken as UTF-8 in any case.
    for verb in ["(*UTF)", "(*UTF8)", "(*UCP)"] {
        rest = rest.strip_prefix(verb).unwrap_or(rest);
    }
    let mut rewriter = Rewriter {
        rest,
        lines,
        groups: 0,
        text: String::with_capacity(source.len()),
    };
    rewriter.run()?;
    Ok(Translated {
        text: rewriter.text,
        backtracks: false,
        ambiguous: false,
    })
}

struct Rewriter<'a> {
    rest: &'a str,
    lines: bool,
    /// How many capturing groups were opened.
    groups: usize,
    text: String,
}

impl<'a> Rewriter<'a> {
    fn run(&mut self) -> Result<(), String> {
        while let Some(at) = self.rest.find(['\\', '[', '(']) {
            let (plain, rest) = self.rest.split_at(at);
            self.text.push_str(plain);
            self.rest = rest;
            match rest.as_bytes()[0] {
                b'\\' => self.escape(false)?,
                b'[' => self.class()?,
                _ => self.group(),
            }
        }
        self.text.push_str(self.rest);
        Ok(())
    }

    fn take(&mut self, prefix: &str) -> bool {
        let after = self.rest.strip_prefix(prefix);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// What stands before `end`, which is taken too.
    fn until(&mut self, end: char) -> Option<&'a str> {
        let (inner, after) = self.rest.split_once(end)?;
        self.rest = after;
        Some(inner)
    }

    fn escape(&mut self, in_class: bool) -> Result<(), String> {
        let length = 1 + self.rest[1..].chars().next().map_or(0, char::len_utf8);
        let (escape, after) = self.rest.split_at(length);
        self.rest = after;
        match escape {
            "\\Q" => {
                let (quoted, after) = after.split_once("\\E").unwrap_or((after, ""));
                literal(&mut self.text, quoted.as_bytes());
                self.rest = after;
            }
            "\\E" => {}
            "\\h" => self.text.push_str("[ \\t]"),
            "\\H" => self.text.push_str("[^ \\t]"),
            "\\v" => self
                .text
                .push_str("[\\n\\x0b\\f\\r\\u{85}\\u{2028}\\u{2029}]"),
            "\\V" => self
                .text
                .push_str("[^\\n\\x0b\\f\\r\\u{85}\\u{2028}\\u{2029}]"),
            "\\e" => self.text.push_str("\\x1b"),
            "\\c" => self.control()?,
            "\\p" | "\\P" => self.property(escape),
            "\\R" => self
                .text
                .push_str("(?:\\r\\n|[\\n\\x0b\\f\\r\\u{85}\\u{2028}\\u{2029}])"),
            "\\N" => self.text.push_str("[^\\n]"),
            "\\A" if self.lines => self.text.push('^'),
            "\\z" | "\\Z" if self.lines => self.text.push('$'),
            "\\Z" => self.text.push_str("(?=\\n?\\z)"),
            "\\g" | "\\k" if !in_class => self.reference(escape)?,
            "\\" => return Err("\\ at end of pattern".to_owned()),
            _ => self.text.push_str(escape),
        }
        Ok(())
    }

    fn control(&mut self) -> Result<(), String> {
        let letter = self.rest.bytes().next().filter(u8::is_ascii);
        let letter = letter.ok_or_else(|| "\\c at end of pattern".to_owned())?;
        let _ = write!(self.text, "\\x{:02x}", letter.to_ascii_uppercase() ^ 0x40);
        self.rest = &self.rest[1..];
        Ok(())
    }

    /// `\p{…}`: some names are PCRE's own.
    fn property(&mut self, escape: &str) {
        let inner = ["{Xwd}", "{Xan}", "{Xsp}", "{Xps}"]
            .into_iter()
            .find(|name| self.take(name));
        let class = match inner {
            Some("{Xwd}") => "\\p{L}\\p{N}_",
            Some("{Xan}") => "\\p{L}\\p{N}",
            Some(_) => "\\s",
            None => return self.text.push_str(escape),
        };
        let negation = if escape == "\\P" { "^" } else { "" };
        let _ = write!(self.text, "[{negation}{class}]");
    }

    /// `\g…` and `\k…`: what a group matched, or a call of it.
    fn reference(&mut self, escape: &str) -> Result<(), String> {
        let wrong = || format!("a numbered reference must follow {escape}");
        let call = escape == "\\g" && (self.rest.starts_with('<') || self.rest.starts_with('\''));
        let name = if self.take("{") {
            self.until('}')
        } else if self.take("<") {
            self.until('>')
        } else if self.take("'") {
            self.until('\'')
        } else {
            let sign = usize::from(self.rest.starts_with(['-', '+']));
            let digits = self.rest[sign..]
                .find(|letter: char| !letter.is_ascii_digit())
                .unwrap_or(self.rest.len() - sign);
            let (name, after) = self.rest.split_at(sign + digits);
            self.rest = after;
            Some(name).filter(|_| digits > 0)
        };
        let name = name.ok_or_else(wrong)?;
        if call {
            let _ = write!(self.text, "\\g<{name}>");
            return Ok(());
        }
        match name.parse::<isize>() {
            Ok(number) => {
                let group = match name.starts_with(['-', '+']) {
                    true => (self.groups as isize + number) + isize::from(number < 0),
                    false => number,
                };
                if group < 1 {
                    return Err("reference to non-existent subpattern".to_owned());
                }
                let _ = write!(self.text, "(?:\\{group})");
            }
            Err(_) => {
                let _ = write!(self.text, "\\k<{name}>");
            }
        }
        Ok(())
    }

    /// A class, in which `[`, `&` and `~` have no meaning of their own.
    fn class(&mut self) -> Result<(), String> {
        for start in ["[", "^", "]"] {
            if self.take(start) {
                self.text.push_str(if start == "]" { "\\]" } else { start });
            }
        }
        while let Some(letter) = self.rest.chars().next() {
            let named = [":", ".", "="]
                .into_iter()
                .filter(|mark| self.rest[1..].starts_with(mark))
                .find_map(|mark| self.rest.find(&format!("{mark}]")));
            match letter {
                '\\' => {
                    self.escape(true)?;
                    continue;
                }
                '[' if named.is_some() => {
                    let (class, after) = self.rest.split_at(named.unwrap_or(0) + 2);
                    self.text.push_str(class);
                    self.rest = after;
                    continue;
                }
                '[' | '&' | '~' => self.text.push('\\'),
                _ => {}
            }
            self.text.push(letter);
            self.rest = &self.rest[letter.len_utf8()..];
            if letter == ']' {
                break;
            }
        }
        Ok(())
    }

    /// An opening parenthesis, or a call of a group in two.
    fn group(&mut self) {
        self.take("(");
        if !self.rest.starts_with(['?', '*']) {
            self.groups += 1;
            return self.text.push('(');
        }
        if self.take("?#") {
            self.until(')');
            return;
        }
        if let Some(target) = self.called() {
            let _ = write!(self.text, "\\g<{target}>");
            return;
        }
        self.text.push('(');
        if self.take("?'") {
            self.text.push_str("?<");
            let name = self.until('\'').unwrap_or_default();
            self.text.push_str(name);
            self.text.push('>');
            self.groups += 1;
            return;
        }
        let named = self.rest.starts_with("?P<")
            || self.rest.starts_with("?<")
                && !self.rest.starts_with("?<=")
                && !self.rest.starts_with("?<!");
        self.groups += usize::from(named);
    }

    /// `?R)`, `?1)`, `?&name)` and `?P>name)`, after the parenthesis.
    fn called(&mut self) -> Option<&'a str> {
        let (inner, after) = self.rest.split_once(')')?;
        let inner = inner.strip_prefix('?')?;
        let name = inner.strip_prefix('&').or_else(|| inner.strip_prefix("P>"));
        let digits = inner.strip_prefix(['-', '+']).unwrap_or(inner);
        let is_number = !digits.is_empty() && digits.bytes().all(|letter| letter.is_ascii_digit());
        let target = match (name, inner) {
            (Some(name), _) => name,
            (None, "R") => "0",
            (None, number) if is_number => number,
            _ => return None,
        };
        self.rest = after;
        Some(target)
    }
}
