//! Pieces of a makefile's lines: operators, definitions, comments, conditions, patterns. Nothing is expanded or looked
//! up here; every function is a scan of a line in O(n) that treats `$(…)` and `${…}` as opaque.

use std::borrow::Cow;

/// How a value is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Recursive,
    /// `:=` and `::=`
    Simple,
    /// `:::=`
    Immediate,
    /// `?=`
    Conditional,
    /// `+=`
    Append,
    /// `!=`
    Shell,
}

/// `NAME = VALUE`, not expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name without blanks around it.
    pub name: String,
    /// How the value is meant.
    pub operator: Operator,
    /// The value without blanks before it; a comment is still there.
    pub value: String,
}

/// Longer operators come before those that they end with.
const OPERATORS: [(&str, Operator); 7] = [
    (":::=", Operator::Immediate),
    ("::=", Operator::Simple),
    (":=", Operator::Simple),
    ("?=", Operator::Conditional),
    ("+=", Operator::Append),
    ("!=", Operator::Shell),
    ("=", Operator::Recursive),
];

/// The operator that a text begins with, and its length.
pub fn operator(text: &str) -> Option<(Operator, usize)> {
    let found = OPERATORS.iter().find(|(sign, _)| text.starts_with(sign));
    found.map(|(sign, operator)| (*operator, sign.len()))
}

/// The definition that a line is, if it is one.
///
/// A name has no blanks, colons or `#` outside of references: `a := b` is one, `a: b = c` is not.
pub fn definition(line: &str) -> Option<Definition> {
    let line = line.trim_start();
    let mut ended = false;
    for (at, letter) in outside(line) {
        if let Some((operator, length)) = operator(&line[at..]) {
            let value = line[at + length..].trim_start();
            return Some(Definition {
                name: line[..at].trim_end().to_owned(),
                operator,
                value: value.to_owned(),
            });
        }
        match letter {
            ':' | '#' | ';' => return None,
            letter if letter.is_whitespace() => ended = true,
            _ if ended => return None,
            _ => {}
        }
    }
    None
}

/// The characters of a text that stand in no reference to a variable.
///
/// Brackets of the kind that opened a reference are counted within it; a character after a lone `$` is part of it.
pub fn outside(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut stack: Vec<(char, char)> = Vec::new();
    let mut dollar = false;
    text.char_indices().filter(move |&(_, letter)| {
        let opens = std::mem::take(&mut dollar);
        match stack.last() {
            Some(&(_, close)) if letter == close => {
                stack.pop();
                return false;
            }
            Some(&(open, close)) if letter == open => {
                stack.push((open, close));
                return false;
            }
            _ => {}
        }
        if opens {
            match letter {
                '(' => stack.push(('(', ')')),
                '{' => stack.push(('{', '}')),
                _ => {}
            }
            return false;
        }
        dollar = letter == '$';
        stack.is_empty() && !dollar
    })
}

/// The place of the first `wanted` outside of references that no backslash quotes.
pub fn find(text: &str, wanted: char) -> Option<usize> {
    let is_quoted = |at: usize| {
        let before = text[..at].bytes().rev();
        before.take_while(|&byte| byte == b'\\').count() % 2 == 1
    };
    outside(text)
        .find(|&(at, letter)| letter == wanted && !is_quoted(at))
        .map(|(at, _)| at)
}

/// A line without its comment, and with `\#` as `#`.
pub fn without_comment(line: &str) -> String {
    let end = find(line, '#').unwrap_or(line.len());
    line[..end].replace("\\#", "#")
}

/// Whether a line goes on in the next one.
///
/// An odd number of backslashes at its end.
pub fn continues(line: &str) -> bool {
    line.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

/// The first word of a line and what stands behind it.
pub fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim_start())
}

/// `ifeq`'s two arguments: `(a,b)`, `"a" "b"`, `'a' 'b'`; none where they are malformed.
pub fn compared(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('(') {
        let inner = inner.strip_suffix(')')?;
        let comma = find_comma(inner)?;
        return Some((inner[..comma].trim_end(), inner[comma + 1..].trim_start()));
    }
    let (first, rest) = quoted(text)?;
    let (second, rest) = quoted(rest.trim_start())?;
    rest.trim().is_empty().then_some((first, second))
}

/// A text in quotes, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|quote| "\"'".contains(*quote))?;
    let end = text[1..].find(quote)? + 1;
    Some((&text[1..end], &text[end + 1..]))
}

/// The first comma outside of references and parentheses.
fn find_comma(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in outside(text) {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// A pattern at its first `%` that no backslash quotes: what stands before and after it, the whole where there is none.
///
/// The backslashes that decide whether a `%` counts are taken away: `a\%b` → `a%b`, `\\%` → `\` and nothing.
pub fn percent(pattern: &str) -> (Cow<'_, str>, Option<&str>) {
    let mut before = Cow::Borrowed("");
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        let text = rest[..at].trim_end_matches('\\');
        let slashes = at - text.len();
        let quoted = slashes % 2 == 1;
        before += text;
        before += &rest[at - slashes / 2..at];
        if !quoted {
            return (before, Some(&rest[at + 1..]));
        }
        before += "%";
        rest = &rest[at + 1..];
    }
    before += rest;
    (before, None)
}

/// A name with a stem in the place of its `%`; without one as it is.
pub fn fill(pattern: &str, stem: &str) -> String {
    match percent(pattern) {
        (before, Some(after)) => format!("{before}{stem}{after}"),
        (whole, None) => whole.into_owned(),
    }
}

/// A word against a pattern with one `%`: what the `%` stands for.
///
/// None where they do not fit; empty for a pattern without `%` that is the word. `%.c` and `a.c` give `a`.
pub fn stem<'a>(pattern: &str, word: &'a str) -> Option<&'a str> {
    match percent(pattern) {
        (whole, None) => (whole == word).then_some(""),
        (before, Some(after)) => {
            let fits = word.len() >= before.len() + after.len();
            let rest = word.strip_prefix(&*before).filter(|_| fits)?;
            rest.strip_suffix(after)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_rules() {
        let cases = [
            ("A = b c", Some(("A", Operator::Recursive, "b c"))),
            ("A:=b", Some(("A", Operator::Simple, "b"))),
            ("A ::= b", Some(("A", Operator::Simple, "b"))),
            (
                "A ?= $(x:.c=.o)",
                Some(("A", Operator::Conditional, "$(x:.c=.o)")),
            ),
            (
                "$(x:a=b)_y += z",
                Some(("$(x:a=b)_y", Operator::Append, "z")),
            ),
            ("A != date", Some(("A", Operator::Shell, "date"))),
            ("all: a=b", None),
            ("a b = c", None),
            ("all: ; x=1", None),
        ];
        for (line, expected) in cases {
            let found = definition(line);
            let found = found
                .as_ref()
                .map(|d| (d.name.as_str(), d.operator, d.value.as_str()));
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn patterns_give_their_stem() {
        assert_eq!(stem("%.o", "a/b.o"), Some("a/b"));
        assert_eq!(stem("lib%.a", "libx.a"), Some("x"));
        assert_eq!(stem("aa%aa", "aaa"), None);
        assert_eq!(stem("x", "x"), Some(""));
        assert_eq!(stem(r"a\%b%", "a%bc"), Some("c"));
        assert_eq!(stem(r"a\%b", "axb"), None);
        assert_eq!(stem(r"\\%", r"\c"), Some("c"));
    }

    #[test]
    fn comparisons_have_three_spellings() {
        assert_eq!(compared("($(a),b)"), Some(("$(a)", "b")));
        assert_eq!(compared("($(call f,x), )"), Some(("$(call f,x)", "")));
        assert_eq!(compared("\"a b\" 'c'"), Some(("a b", "c")));
        assert_eq!(compared("(a b)"), None);
    }
}
