//! Bracket expressions: `[a-z]`, `[!_[:alpha:]]`.

use std::collections::HashMap;

use super::Options;
use super::character::{Character, decode, fold};

/// A compiled bracket expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Set {
    negated: bool,
    ignore_case: bool,
    /// Answers for ASCII, negation and case included.
    ascii: u128,
    ranges: Vec<(Character, Character)>,
    classes: Vec<Class>,
}

/// A character class of POSIX, and the two that bash adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Alnum,
    Alpha,
    Ascii,
    Blank,
    Cntrl,
    Digit,
    Graph,
    Lower,
    Print,
    Punct,
    Space,
    Upper,
    Word,
    Xdigit,
}

/// The places from which no `]` is found, so that `[[[[…` is not read again from each of them.
#[derive(Debug, Default)]
pub(super) struct Unclosed {
    /// For each place, the end of the pattern for which that is so.
    ends: Vec<usize>,
    /// The marks of `[:`, `[.` whose ends are missing: by mark and end of the pattern, from where on.
    marks: HashMap<(u8, usize), usize>,
}

impl Unclosed {
    fn has(&self, place: usize, end: usize) -> bool {
        self.ends.get(place) == Some(&end)
    }

    fn add(&mut self, places: &[usize], end: usize) {
        for &place in places {
            if self.ends.len() <= place {
                self.ends.resize(place + 1, usize::MAX);
            }
            self.ends[place] = end;
        }
    }
}

impl Set {
    /// Reads the expression whose `[` stands before `at`; gives it and the place after its `]`.
    /// None where no `]` ends it: then the `[` stands for itself.
    pub(super) fn parse(
        pattern: &[u8],
        at: usize,
        options: Options,
        unclosed: &mut Unclosed,
    ) -> Option<(Set, usize)> {
        let mut visited = Vec::new();
        let found = Set::read(pattern, at, options, unclosed, &mut visited);
        if found.is_none() {
            unclosed.add(&visited, pattern.len());
        }
        found
    }

    fn read(
        pattern: &[u8],
        at: usize,
        options: Options,
        unclosed: &mut Unclosed,
        visited: &mut Vec<usize>,
    ) -> Option<(Set, usize)> {
        let mut reader = Reader {
            pattern,
            at,
            options,
            unclosed,
        };
        let negated = matches!(pattern.get(at), Some(b'!' | b'^'));
        if negated {
            reader.at += 1;
        }
        let mut set = Set {
            negated,
            ignore_case: options.ignore_case,
            ascii: 0,
            ranges: Vec::new(),
            classes: Vec::new(),
        };
        let mut first = true;
        loop {
            if !first {
                if reader.unclosed.has(reader.at, pattern.len()) {
                    return None;
                }
                visited.push(reader.at);
            }
            match reader.item()? {
                Item::Close if !first => break,
                Item::Close => set.add(']'.into(), &mut reader)?,
                Item::Class(class) => set.classes.extend(class),
                Item::Equivalent(character) => set.ranges.push((character, character)),
                Item::Single(character) => set.add(character, &mut reader)?,
                Item::Nothing => reader.skip_range()?,
            }
            first = false;
        }
        set.fill();
        set.merge();
        Some((set, reader.at))
    }

    /// Whether the set has the character.
    #[inline]
    pub(super) fn contains(&self, character: Character) -> bool {
        if character < 128 {
            return self.ascii >> character & 1 != 0;
        }
        let found = self.has(self.folded(character))
            || self.classes.iter().any(|class| class.contains(character));
        found != self.negated
    }

    /// Adds a character, or the range that it begins.
    fn add(&mut self, start: Character, reader: &mut Reader<'_>) -> Option<()> {
        let start = self.folded(start);
        if !reader.at_range() {
            self.ranges.push((start, start));
            return Some(());
        }
        // An end that is no character makes an empty range.
        if let Some(end) = reader.range_end()? {
            let end = self.folded(end);
            if start <= end {
                self.ranges.push((start, end));
            }
        }
        Some(())
    }

    fn folded(&self, character: Character) -> Character {
        if self.ignore_case {
            fold(character)
        } else {
            character
        }
    }

    fn fill(&mut self) {
        if self.ignore_case || !self.classes.is_empty() {
            for character in 0..128 {
                self.ascii |= u128::from(self.decide(character)) << character;
            }
            return;
        }
        for &(start, end) in self.ranges.iter().filter(|(start, _)| *start < 128) {
            self.ascii |= u128::MAX << start & u128::MAX >> (127 - end.min(127));
        }
        if self.negated {
            self.ascii = !self.ascii;
        }
    }

    /// Leaves the ranges beyond ASCII, sorted and apart from each other.
    fn merge(&mut self) {
        self.ranges.retain(|&(_, end)| end >= 128);
        self.ranges.sort_unstable();
        self.ranges.dedup_by(|next, range| {
            let joined = next.0 <= range.1;
            if joined {
                range.1 = range.1.max(next.1);
            }
            joined
        });
    }

    fn has(&self, character: Character) -> bool {
        let after = self
            .ranges
            .partition_point(|&(start, _)| start <= character);
        after > 0 && self.ranges[after - 1].1 >= character
    }

    fn decide(&self, character: Character) -> bool {
        let folded = self.folded(character);
        let found = self
            .ranges
            .iter()
            .any(|&(start, end)| start <= folded && folded <= end)
            || self.classes.iter().any(|class| class.contains(character));
        found != self.negated
    }
}

/// One part of a bracket expression.
enum Item {
    Close,
    /// `[:name:]`; none where no class has the name.
    Class(Option<Class>),
    /// `[=a=]`, which begins no range.
    Equivalent(Character),
    Single(Character),
    /// `[.name.]` that names nothing.
    Nothing,
}

struct Reader<'a> {
    pattern: &'a [u8],
    at: usize,
    options: Options,
    unclosed: &'a mut Unclosed,
}

impl Reader<'_> {
    /// The next part; none at the end of the pattern.
    fn item(&mut self) -> Option<Item> {
        let rest = &self.pattern[self.at..];
        match rest {
            [b']', ..] => {
                self.at += 1;
                Some(Item::Close)
            }
            [b'[', b'=', ..] => Some(self.equivalence().unwrap_or_else(|| self.bracket())),
            [b'[', b':', ..] => {
                let Some(name) = self.delimited(b':') else {
                    return Some(self.bracket());
                };
                Some(Item::Class(Class::named(&name)))
            }
            [b'[', b'.', ..] => {
                let Some(name) = self.delimited(b'.') else {
                    return Some(self.bracket());
                };
                Some(match collating_symbol(&name, self.options) {
                    Some(character) => Item::Single(character),
                    None => Item::Nothing,
                })
            }
            _ => self.single().map(Item::Single),
        }
    }

    /// The `[` that stands here, as itself.
    fn bracket(&mut self) -> Item {
        self.at += 1;
        Item::Single('['.into())
    }

    /// `[=a=]`, of one character.
    fn equivalence(&mut self) -> Option<Item> {
        let start = self.at + 2;
        let (character, length) = decode(self.pattern, start, self.options.bytewise)?;
        let end = start + length;
        if self.pattern.get(end..end + 2)? != b"=]" {
            return None;
        }
        self.at = end + 2;
        Some(Item::Equivalent(if self.options.ignore_case {
            fold(character)
        } else {
            character
        }))
    }

    /// The text between `[:` and `:]`, or between `[.` and `.]`.
    fn delimited(&mut self, mark: u8) -> Option<Vec<u8>> {
        let key = (mark, self.pattern.len());
        if self
            .unclosed
            .marks
            .get(&key)
            .is_some_and(|&from| from <= self.at)
        {
            return None;
        }
        let start = self.at + 2;
        let rest = self.pattern.get(start..)?;
        let Some(length) = rest.windows(2).position(|two| two == [mark, b']']) else {
            self.unclosed.marks.insert(key, self.at);
            return None;
        };
        self.at = start + length + 2;
        let name = &self.pattern[start..start + length];
        Some(name.iter().copied().filter(|&byte| byte != b'\\').collect())
    }

    /// A character, which a backslash may quote.
    fn single(&mut self) -> Option<Character> {
        if self.pattern.get(self.at) == Some(&b'\\') {
            self.at += 1;
        }
        let (character, length) = decode(self.pattern, self.at, self.options.bytewise)?;
        self.at += length;
        Some(character)
    }

    /// Whether a `-` that makes a range stands here.
    fn at_range(&self) -> bool {
        matches!(self.pattern.get(self.at..), Some([b'-', next, ..]) if *next != b']')
    }

    /// The end of a range; `Some(None)` where it names no character.
    fn range_end(&mut self) -> Option<Option<Character>> {
        self.at += 1;
        if self.pattern[self.at..].starts_with(b"[.")
            && let Some(name) = self.delimited(b'.')
        {
            return Some(collating_symbol(&name, self.options));
        }
        self.single().map(Some)
    }

    fn skip_range(&mut self) -> Option<()> {
        if self.at_range() {
            self.range_end()?;
        }
        Some(())
    }
}

/// The character that `[.name.]` means.
fn collating_symbol(name: &[u8], options: Options) -> Option<Character> {
    if let Some((character, length)) = decode(name, 0, options.bytewise)
        && length == name.len()
    {
        return Some(character);
    }
    COLLATING_SYMBOLS
        .iter()
        .find(|(symbol, _)| symbol.as_bytes() == name)
        .map(|&(_, character)| u32::from(character))
}

/// The names that POSIX gives to the characters of the portable set.
const COLLATING_SYMBOLS: &[(&str, char)] = &[
    ("NUL", '\0'),
    ("tab", '\t'),
    ("newline", '\n'),
    ("vertical-tab", '\x0b'),
    ("form-feed", '\x0c'),
    ("carriage-return", '\r'),
    ("space", ' '),
    ("exclamation-mark", '!'),
    ("quotation-mark", '"'),
    ("number-sign", '#'),
    ("dollar-sign", '$'),
    ("percent-sign", '%'),
    ("ampersand", '&'),
    ("apostrophe", '\''),
    ("left-parenthesis", '('),
    ("right-parenthesis", ')'),
    ("asterisk", '*'),
    ("plus-sign", '+'),
    ("comma", ','),
    ("hyphen", '-'),
    ("hyphen-minus", '-'),
    ("minus", '-'),
    ("dash", '-'),
    ("period", '.'),
    ("full-stop", '.'),
    ("slash", '/'),
    ("solidus", '/'),
    ("zero", '0'),
    ("one", '1'),
    ("two", '2'),
    ("three", '3'),
    ("four", '4'),
    ("five", '5'),
    ("six", '6'),
    ("seven", '7'),
    ("eight", '8'),
    ("nine", '9'),
    ("colon", ':'),
    ("semicolon", ';'),
    ("less-than-sign", '<'),
    ("equals-sign", '='),
    ("greater-than-sign", '>'),
    ("question-mark", '?'),
    ("commercial-at", '@'),
    ("left-square-bracket", '['),
    ("backslash", '\\'),
    ("reverse-solidus", '\\'),
    ("right-square-bracket", ']'),
    ("circumflex", '^'),
    ("circumflex-accent", '^'),
    ("underscore", '_'),
    ("grave-accent", '`'),
    ("left-brace", '{'),
    ("left-curly-bracket", '{'),
    ("vertical-line", '|'),
    ("right-brace", '}'),
    ("right-curly-bracket", '}'),
    ("tilde", '~'),
    ("DEL", '\x7f'),
];

impl Class {
    fn named(name: &[u8]) -> Option<Class> {
        Some(match name {
            b"alnum" => Class::Alnum,
            b"alpha" => Class::Alpha,
            b"ascii" => Class::Ascii,
            b"blank" => Class::Blank,
            b"cntrl" => Class::Cntrl,
            b"digit" => Class::Digit,
            b"graph" => Class::Graph,
            b"lower" => Class::Lower,
            b"print" => Class::Print,
            b"punct" => Class::Punct,
            b"space" => Class::Space,
            b"upper" => Class::Upper,
            b"word" => Class::Word,
            b"xdigit" => Class::Xdigit,
            _ => return None,
        })
    }

    fn contains(self, character: Character) -> bool {
        let Some(it) = char::from_u32(character) else {
            return false;
        };
        match self {
            Class::Alnum => it.is_alphanumeric(),
            Class::Alpha => it.is_alphabetic() || (!it.is_ascii() && it.is_numeric()),
            Class::Ascii => it.is_ascii(),
            Class::Blank => it == ' ' || it == '\t',
            Class::Cntrl => it.is_control(),
            Class::Digit => it.is_ascii_digit(),
            Class::Graph => !it.is_control() && !it.is_whitespace(),
            Class::Lower => it.is_lowercase(),
            Class::Print => !it.is_control() && (it == ' ' || !it.is_ascii_whitespace()),
            Class::Punct => {
                it.is_ascii_punctuation()
                    || !(it.is_ascii()
                        || it.is_alphanumeric()
                        || it.is_control()
                        || it.is_whitespace())
            }
            Class::Space => it.is_whitespace() && it != '\u{a0}' && it != '\u{85}' || it == '\x0b',
            Class::Upper => it.is_uppercase(),
            Class::Word => it.is_alphanumeric() || it == '_',
            Class::Xdigit => it.is_ascii_hexdigit(),
        }
    }
}
