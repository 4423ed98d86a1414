//! Expansion of words: a word under way collects text, and becomes fields or one string at its end.

mod conditional;
mod divider;
mod length;
mod lists;
mod names;
mod parameter;
mod paths;
mod replace;
mod slice;
mod special;
mod target;
mod tilde;
mod transform;

use divider::Dividers;
pub(in crate::machine) use lists::Source;
pub(in crate::machine) use target::{fatal, fatal_expression};
pub use transform::compound;

use super::code::{Division, Form};
use crate::codec::{record, variants};
use crate::pattern;
use crate::syntax::tree::CaseChange;
use crate::text::Text;

/// A word under way. Plain data.
#[derive(Debug, Clone)]
pub struct Expansion {
    /// What it becomes.
    pub form: Form,
    /// Fields that are complete.
    pub fields: Vec<Field>,
    /// The last field.
    pub current: Field,
    separator: Separator,
    /// It has a quoted list.
    pub listed: bool,
    /// How it becomes one string, though what is not quoted is split.
    pub division: Division,
    /// The fields from this one on become one.
    gathers: Option<u32>,
    /// What may divide a text between double quotes that has not ended yet.
    dividers: Option<Box<Dividers>>,
    /// What the word becomes where no list in it divides it.
    undivided: Option<Box<Expansion>>,
}

/// A field under way.
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// Its text.
    pub text: Vec<u8>,
    /// Ranges of the text that are quoted and hold special bytes.
    pub quoted: Vec<(u32, u32)>,
    /// There may be an active pattern character.
    pub glob: bool,
    /// It stays where it is empty.
    pub present: bool,
}

/// What ended the field before the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// Nothing yet.
    None,
    /// White space of IFS.
    White,
    /// None, and white space that comes next divides nothing: bash splits what follows by itself.
    Apart,
}

record!(Expansion {
    form,
    fields,
    current,
    separator,
    listed,
    division,
    gathers,
    dividers,
    undivided
});
record!(Field {
    text,
    quoted,
    glob,
    present
});
variants!(Separator { 0 None, 1 White, 2 Apart });

/// The characters that separate fields.
#[derive(Debug, Clone)]
pub struct Separators {
    bytes: Option<Text>,
}

impl Separators {
    /// From the value of `$IFS`, none where it is unset.
    pub fn new(ifs: Option<Text>) -> Separators {
        Separators { bytes: ifs }
    }

    fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(b" \t\n")
    }

    /// What `"$*"` joins with.
    pub fn first(&self) -> &[u8] {
        let bytes = self.bytes();
        &bytes[..character_length(bytes)]
    }

    /// Whether the first separator is one that keeps empty fields apart.
    fn first_divides(&self) -> bool {
        !matches!(self.bytes().first(), None | Some(b' ' | b'\t' | b'\n'))
    }

    /// Whether a list that is not quoted divides the string it becomes part of: where the first
    /// separator is given and no blank.
    pub(in crate::machine) fn divide_lists(&self) -> bool {
        let first = self.bytes.as_ref().and_then(|bytes| bytes.first());
        first.is_some_and(|&first| first != b' ')
    }

    /// What separates literal text: to bash, a blank in it is quoted.
    pub(in crate::machine) fn without_blank(mut self) -> Separators {
        let others = self.bytes().iter().filter(|&&byte| byte != b' ');
        self.bytes = Some(others.copied().collect::<Vec<u8>>().into());
        self
    }

    /// Whether a byte separates.
    pub fn contains(&self, byte: u8) -> bool {
        self.bytes().contains(&byte)
    }

    /// Whether nothing separates.
    pub fn is_empty(&self) -> bool {
        self.bytes().is_empty()
    }
}

impl Division {
    /// Where nothing separates, all parts count.
    pub(in crate::machine) fn with(self, separators: &Separators) -> Division {
        match self {
            Division::First if separators.is_empty() => Division::Joined,
            division => division,
        }
    }
}

fn character_length(bytes: &[u8]) -> usize {
    let length = match bytes.first() {
        None => 0,
        Some(0xc0..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf7) => 4,
        Some(_) => 1,
    };
    length.min(bytes.len())
}

fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b'*' | b'?' | b'[' | b']' | b'\\' | b'(' | b')' | b'|' | b'!' | b'+' | b'@' | b'-' | b'^'
    )
}

impl Field {
    fn push_quoted(&mut self, bytes: &[u8]) {
        if bytes.iter().any(|&byte| is_special(byte)) {
            let start = self.text.len() as u32;
            self.quoted.push((start, start + bytes.len() as u32));
        }
        self.text.extend_from_slice(bytes);
        self.present = true;
    }

    /// Adds a blank and another field.
    fn append(&mut self, other: Field) {
        self.text.push(b' ');
        let start = self.text.len() as u32;
        let moved = |(from, to)| (from + start, to + start);
        self.quoted.extend(other.quoted.into_iter().map(moved));
        self.text.extend_from_slice(&other.text);
        self.glob |= other.glob;
        self.present |= other.present;
    }

    pub(in crate::machine) fn started(&self) -> bool {
        self.present || !self.text.is_empty()
    }

    /// The field as a pattern: what was quoted is escaped.
    pub fn pattern(&self) -> Vec<u8> {
        let mut pattern = Vec::with_capacity(self.text.len() + 8);
        let mut at = 0;
        for &(start, end) in &self.quoted {
            pattern.extend_from_slice(&self.text[at..start as usize]);
            pattern.extend_from_slice(&pattern::escape(&self.text[start as usize..end as usize]));
            at = end as usize;
        }
        pattern.extend_from_slice(&self.text[at..]);
        pattern
    }
}

impl Expansion {
    /// An empty word.
    pub fn new(form: Form) -> Expansion {
        Expansion {
            form,
            fields: Vec::new(),
            current: Field::default(),
            separator: Separator::None,
            listed: false,
            division: Division::None,
            gathers: None,
            dividers: None,
            undivided: None,
        }
    }

    /// Whether what is not quoted is split, though it becomes one string.
    pub fn is_divided(&self) -> bool {
        self.division != Division::None
    }

    /// What is not quoted is split if a list comes.
    pub fn divide_if_listed(&mut self, division: Division) {
        if !self.is_divided() {
            self.undivided = Some(Box::new(Expansion::new(self.form)));
            self.division = division;
        }
    }

    /// The form that lists in it have.
    fn list_form(&self) -> Form {
        match self.is_divided() {
            true => Form::Fields,
            false => self.form,
        }
    }

    /// Bytes collected so far.
    pub fn size(&self) -> usize {
        self.fields
            .iter()
            .map(|field| field.text.len() + 32)
            .sum::<usize>()
            + self.current.text.len()
            + self.undivided.as_ref().map_or(0, |word| word.size())
    }

    /// Adds unquoted text of the script.
    pub fn literal(&mut self, bytes: &[u8]) {
        if let Some(undivided) = &mut self.undivided {
            undivided.literal(bytes);
        }
        self.separator = Separator::None;
        self.current.text.extend_from_slice(bytes);
    }

    /// The same where it is split.
    pub fn divided_literal(&mut self, bytes: &[u8], separators: &Separators) {
        if let Some(undivided) = &mut self.undivided {
            undivided.literal(bytes);
        }
        self.split(bytes, separators);
    }

    /// Adds unquoted text with pattern characters.
    pub fn glob(&mut self, bytes: &[u8]) {
        self.literal(bytes);
        self.current.glob = true;
    }

    /// The field stays where it is empty.
    pub fn present(&mut self) {
        self.separator = Separator::None;
        self.current.present = true;
    }

    /// Adds quoted text.
    pub fn quoted(&mut self, bytes: &[u8]) {
        if let Some(undivided) = &mut self.undivided {
            undivided.quoted(bytes);
        }
        self.separator = Separator::None;
        self.current.present |= self.is_divided();
        match self.form {
            Form::Fields => self.current.push_quoted(bytes),
            Form::Text | Form::Value | Form::Document | Form::Argument => {
                self.current.text.extend_from_slice(bytes);
                self.current.present = true;
            }
            Form::Pattern => {
                // It is no anchor of `${x/p/r}`.
                if self.current.text.is_empty() && matches!(bytes.first(), Some(b'#' | b'%')) {
                    self.current.text.push(b'\\');
                }
                self.current.text.extend_from_slice(&pattern::escape(bytes));
            }
            Form::Condition => {
                self.current
                    .text
                    .extend_from_slice(&pattern::escape_all(bytes));
            }
            Form::Regex => {
                self.current
                    .text
                    .extend_from_slice(&pattern::regex::quote(bytes));
            }
            Form::Replacement => escape(bytes, b"\\&", &mut self.current.text),
        }
    }

    /// Adds quoted text that does not keep an empty field.
    fn quoted_weakly(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.quoted(bytes);
        }
    }

    /// Adds the value of an expansion between double quotes.
    pub fn quoted_value(&mut self, bytes: &[u8]) {
        self.quoted_weakly(bytes);
    }

    /// Adds the value of an expansion.
    pub fn value(&mut self, bytes: &[u8], quoted: bool, separators: &Separators) {
        if quoted {
            return self.quoted_weakly(bytes);
        }
        if let Some(undivided) = &mut self.undivided {
            undivided.value(bytes, false, separators);
        }
        if self.form == Form::Fields || self.is_divided() {
            self.split(bytes, separators);
        } else {
            self.current.text.extend_from_slice(bytes);
        }
    }

    /// Adds values that become fields of their own: `$@`, `${a[@]}`.
    pub fn list(&mut self, items: &[Text], quoted: bool, separators: &Separators) {
        self.listed |= quoted;
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                if quoted {
                    self.finish_field();
                } else if separators.first_divides() {
                    self.separate(false);
                } else {
                    self.break_field();
                }
            }
            if quoted {
                self.quoted(item);
            } else {
                self.split(item, separators);
            }
        }
    }

    /// Values joined by blanks in a text with `$@`, where bash splits at these blanks once more: an
    /// empty one stays only as the end of the text before it or the beginning of that after it.
    fn without_empty(&self, items: &[Text]) -> Text {
        let last = items.len().saturating_sub(1);
        let first = usize::from(self.current.text.is_empty());
        let kept = items.iter().enumerate().filter(|(index, item)| {
            !item.is_empty() || (*index == 0 && first == 0) || *index == last
        });
        let kept: Vec<Text> = kept.map(|(_, item)| item.clone()).collect();
        join(&kept, b" ")
    }

    /// `$*` in a text with `$@`, which bash splits: what separates becomes one blank.
    fn divided(&self, text: &[u8], separators: &Separators) -> Text {
        let mut divided = Text::with_capacity(text.len());
        let (mut white, mut hard) = (false, false);
        for &byte in text {
            if !separators.contains(byte) {
                if hard || white && !(self.current.text.is_empty() && divided.is_empty()) {
                    divided.push(b' ');
                }
                (white, hard) = (false, false);
                divided.push(byte);
            } else if matches!(byte, b' ' | b'\t' | b'\n') {
                white = true;
            } else {
                if hard {
                    divided.push(b' ');
                }
                hard = true;
            }
        }
        if white || hard {
            divided.push(b' ');
        }
        divided
    }

    fn finish_field(&mut self) {
        self.fields.push(std::mem::take(&mut self.current));
    }

    /// Ends a word; another one follows.
    pub fn end_field(&mut self) {
        self.break_field();
        self.separator = Separator::None;
        self.listed = false;
    }

    /// Ends the current field where there is one.
    fn break_field(&mut self) {
        if self.current.started() {
            self.finish_field();
        }
    }

    /// Adds an unquoted value: separators end fields.
    pub fn split(&mut self, bytes: &[u8], separators: &Separators) {
        let ifs = separators.bytes();
        if ifs.is_empty() {
            self.unquoted(bytes);
            return;
        }
        if ifs.iter().any(|byte| *byte >= 0x80) {
            return self.split_characters(bytes, ifs);
        }
        let mut start = 0;
        for (at, byte) in bytes.iter().enumerate() {
            if !ifs.contains(byte) {
                continue;
            }
            self.unquoted(&bytes[start..at]);
            start = at + 1;
            self.separate(matches!(byte, b' ' | b'\t' | b'\n'));
        }
        self.unquoted(&bytes[start..]);
    }

    /// The same where separators are more than a byte long.
    fn split_characters(&mut self, bytes: &[u8], ifs: &[u8]) {
        let mut at = 0;
        while at < bytes.len() {
            let length = character_length(&bytes[at..]);
            let character = &bytes[at..at + length];
            if ifs.windows(length).any(|window| window == character) {
                self.separate(matches!(character, b" " | b"\t" | b"\n"));
            } else {
                self.unquoted(character);
            }
            at += length;
        }
    }

    fn unquoted(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.separator = Separator::None;
        self.current.text.extend_from_slice(bytes);
        if !self.current.glob && bytes.iter().any(|&byte| is_special(byte)) {
            self.current.glob = true;
        }
    }

    fn separate(&mut self, white: bool) {
        if white && self.separator == Separator::Apart {
            return;
        }
        if white {
            if self.current.started() {
                self.finish_field();
                self.separator = Separator::White;
            }
        } else if self.separator == Separator::White && !self.current.started() {
            // White space and one other separator are one.
            self.separator = Separator::None;
        } else {
            self.finish_field();
        }
    }

    /// What follows is split by itself before it becomes part of the word.
    pub fn set_apart(&mut self) {
        self.separator = Separator::Apart;
    }

    /// An operand with a list that is not quoted: bash splits it by itself and joins it by blanks, which
    /// shows where these separate nothing.
    pub fn gather(&mut self, separators: &Separators) {
        let shows = !separators.is_empty() && !separators.contains(b' ');
        self.gathers = shows.then_some(self.fields.len() as u32);
    }

    /// The operand ends.
    pub fn gathered(&mut self) {
        let Some(first) = self.gathers.take() else {
            return;
        };
        if self.fields.len() <= first as usize {
            return;
        }
        self.break_field();
        let mut rest = self.fields.drain(first as usize..);
        let mut whole = rest.next().unwrap_or_default();
        rest.for_each(|field| whole.append(field));
        self.current = whole;
        self.separator = Separator::None;
    }

    /// Text that was split goes on in the field before it: nothing followed its last separator.
    pub fn rejoin(&mut self) {
        if self.separator == Separator::Apart {
            self.separator = Separator::None;
        }
        if self.separator == Separator::White
            && !self.current.started()
            && let Some(last) = self.fields.pop()
        {
            self.current = last;
            self.separator = Separator::None;
        }
    }

    /// The string, where it is one.
    pub fn into_text(mut self) -> Text {
        if let Some(undivided) = self.undivided.take().filter(|_| !self.listed) {
            return undivided.into_text();
        }
        if self.fields.is_empty() {
            return Text::from(self.current.text);
        }
        if self.division == Division::First {
            return Text::from(self.fields.swap_remove(0).text);
        }
        self.break_field();
        let fields: Vec<&[u8]> = self.fields.iter().map(|field| &field.text[..]).collect();
        Text::from(fields.join(&b' '))
    }
}

fn escape(bytes: &[u8], special: &[u8], into: &mut Vec<u8>) {
    for byte in bytes {
        if special.contains(byte) {
            into.push(b'\\');
        }
        into.push(*byte);
    }
}

/// Values joined to one.
pub fn join(items: &[Text], separator: &[u8]) -> Text {
    let mut joined = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            joined.extend_from_slice(separator);
        }
        joined.extend_from_slice(item);
    }
    Text::from(joined)
}

/// All letters to upper or lower case.
pub fn change_case(text: &[u8], upper: bool) -> Text {
    let change = if upper {
        CaseChange::Upper
    } else {
        CaseChange::Lower
    };
    Text::from(crate::format::case::convert(text, change, true, |_| true))
}
