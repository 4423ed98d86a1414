//! Dividers of a text between double quotes. Bash does not quote some characters of operands, such as
//! the `:` of `"${x-a:b}$@"`, nor what stands between the items of `"${*#x}$@"`; where there is a list
//! in the text, it splits it once more, at these.

use super::{Expansion, Field, Separators};
use crate::codec::record;
use crate::machine::code::Form;
use crate::text::Text;

/// The dividers of a text between double quotes.
#[derive(Debug, Clone, Default)]
pub struct Dividers {
    /// The field that the text begins in, and where.
    begin: (u32, u32),
    /// Where they are: the number of a field, and the place in it.
    places: Vec<(u32, u32)>,
    /// Lists so far.
    lists: u32,
    /// How many lists there were where an operand began, and where that was.
    operands: Vec<(u32, (u32, u32))>,
    /// Where empty items are, which stay.
    empty: Vec<(u32, u32)>,
    /// Ranges of a here-document, and what stands there if there is a list.
    alternatives: Vec<(u32, u32, Text)>,
}

record!(Dividers {
    begin,
    places,
    lists,
    operands,
    empty,
    alternatives
});

impl Expansion {
    /// A text with dividers begins.
    pub fn begin_dividers(&mut self) {
        self.dividers = Some(Box::new(Dividers {
            begin: self.place(),
            ..Dividers::default()
        }));
    }

    /// An operand in it begins.
    pub fn begin_operand(&mut self) {
        let place = self.place();
        if let Some(dividers) = &mut self.dividers {
            dividers.operands.push((dividers.lists, place));
        }
    }

    /// Adds a quoted character that divides where it separates, if there is a list.
    pub fn divider(&mut self, byte: u8, separators: &Separators) {
        let place = self.place();
        let separates = match separators.is_empty() {
            true => byte == b' ',
            false => separators.contains(byte),
        };
        if separates && let Some(dividers) = &mut self.dividers {
            dividers.places.push(place);
        }
        self.quoted(&[byte]);
    }

    /// Whether a text with dividers is under way.
    pub fn is_dividable(&self) -> bool {
        self.dividers.is_some()
    }

    /// Adds quoted values and what joins them, which divides them if there is a list.
    pub fn spread(&mut self, items: &[Text], separators: &Separators) {
        for (index, item) in items.iter().enumerate() {
            match separators.first() {
                _ if index == 0 => {}
                &[byte] => self.divider(byte, separators),
                first => self.quoted(first),
            }
            self.quoted_weakly(item);
        }
    }

    /// Adds text to a here-document, and what stands there instead if it has a list.
    pub fn alternative(&mut self, text: &[u8], beside_list: Text) {
        let start = self.place().1;
        self.quoted_value(text);
        let end = self.place().1;
        if let Some(dividers) = self.dividers.as_mut().filter(|_| *beside_list != *text) {
            dividers.alternatives.push((start, end, beside_list));
        }
    }

    /// There is a list between double quotes.
    pub fn note_list(&mut self) {
        if let Some(dividers) = &mut self.dividers {
            dividers.lists += 1;
        }
    }

    /// An empty item stays a field.
    pub fn note_empty(&mut self) {
        let place = self.place();
        if let Some(dividers) = &mut self.dividers {
            dividers.empty.push(place);
        }
    }

    /// The number of the last field, and its end.
    fn place(&self) -> (u32, u32) {
        (self.fields.len() as u32, self.current.text.len() as u32)
    }

    fn is_divided_here(&self) -> bool {
        matches!(self.list_form(), Form::Fields | Form::Document | Form::Text)
    }

    /// The operand ends: where it has a list, what divides last divides nothing from what comes next.
    pub fn end_operand(&mut self) {
        let Some(dividers) = &mut self.dividers else {
            return;
        };
        let Some((before, place)) = dividers.operands.pop() else {
            return;
        };
        if dividers.lists > before {
            self.drop_last_divider();
            // A list without items is an empty text there.
            self.current.present |= self.place() == place;
        }
    }

    /// Of the dividers at the end, white space goes, and one other.
    fn drop_last_divider(&mut self) {
        let divides = self.is_divided_here();
        let (number, mut length) = self.place();
        let Some(dividers) = self.dividers.as_mut().filter(|_| divides) else {
            return;
        };
        while length > 0
            && dividers.empty.last() != Some(&(number, length))
            && dividers.places.last() == Some(&(number, length - 1))
        {
            dividers.places.pop();
            length -= 1;
            if !self.current.text[length as usize].is_ascii_whitespace() {
                dividers.empty.push((number, length));
                break;
            }
            self.current.present &= length > 0;
        }
        self.current.truncate(length);
    }

    /// The text ends: it is divided where it has a list.
    pub fn end_dividers(&mut self) {
        let lists = self.dividers.as_ref().map_or(0, |dividers| dividers.lists);
        if lists > 0 {
            self.drop_last_divider();
        }
        let divides = lists > 0 && self.is_divided_here();
        let Some(mut dividers) = self.dividers.take().filter(|_| divides) else {
            return;
        };
        if dividers.places.is_empty() && dividers.alternatives.is_empty() {
            return;
        }
        if self.list_form() != Form::Fields {
            for (_, place) in dividers.places {
                if let Some(byte) = self.current.text.get_mut(place as usize) {
                    *byte = b' ';
                }
            }
            let whole = std::mem::take(&mut self.current.text);
            let mut from = 0;
            for (start, end, text) in dividers.alternatives {
                let before = whole.get(from..start as usize).unwrap_or_default();
                self.current.text.extend_from_slice(before);
                self.current.text.extend_from_slice(&text);
                from = end as usize;
            }
            let rest = whole.get(from..).unwrap_or_default();
            self.current.text.extend_from_slice(rest);
            return;
        }
        let first = dividers.begin.0;
        let mut whole = self.fields.split_off(first as usize);
        whole.push(std::mem::take(&mut self.current));
        if let Some(field) = whole.first_mut() {
            dividers.drop_white(field);
        }
        let mut places = dividers.places.iter().peekable();
        for (number, field) in (first..).zip(whole) {
            let next = || places.next_if(|(field, _)| *field == number);
            let places = std::iter::from_fn(next).map(|(_, place)| *place);
            let stays = |place| dividers.empty.binary_search(&(number, place)).is_ok();
            field.divide(places, stays, &mut self.fields);
        }
        self.current = self.fields.pop().unwrap_or_default();
    }
}

impl Dividers {
    /// Drops white space at the beginning of the text: it divides nothing from what is before it.
    fn drop_white(&mut self, field: &mut Field) {
        let (number, start) = self.begin;
        let white = |&(at, place): &(u32, &(u32, u32))| {
            let byte = field.text.get(place.1 as usize);
            *place == (number, start + at) && byte.is_some_and(u8::is_ascii_whitespace)
        };
        let count = (0u32..).zip(&self.places).take_while(white).count();
        if count == 0 {
            return;
        }
        let end = start + count as u32;
        self.places.drain(..count);
        field.text.drain(start as usize..end as usize);
        let moved =
            |place: &mut u32| *place = (*place).min(start).max(place.saturating_sub(end - start));
        for (_, place) in self.places.iter_mut().filter(|(field, _)| *field == number) {
            moved(place);
        }
        for (from, to) in &mut field.quoted {
            moved(from);
            moved(to);
        }
    }
}

impl Field {
    fn truncate(&mut self, end: u32) {
        self.text.truncate(end as usize);
        for range in &mut self.quoted {
            range.1 = range.1.min(end);
        }
        self.quoted.retain(|(start, end)| start < end);
    }

    /// Adds what is between the bytes at `places`.
    fn divide(
        self,
        places: impl Iterator<Item = u32>,
        stays: impl Fn(u32) -> bool,
        fields: &mut Vec<Field>,
    ) {
        let mut start = 0;
        let mut white = false;
        for place in places {
            let byte = self.text.get(place as usize);
            let blank = byte.is_some_and(u8::is_ascii_whitespace);
            // White space and one other separator are one.
            if start < place || stays(place) || !blank && !white {
                fields.push(self.part(start, place));
            }
            white = blank;
            start = place + 1;
        }
        fields.push(self.part(start, self.text.len() as u32));
    }

    fn part(&self, start: u32, end: u32) -> Field {
        let within = |&(from, to): &(u32, u32)| {
            let (from, to) = (from.max(start), to.min(end));
            (from < to).then(|| (from - start, to - start))
        };
        let text = self.text.get(start as usize..end as usize);
        Field {
            text: text.unwrap_or_default().to_vec(),
            quoted: self.quoted.iter().filter_map(within).collect(),
            glob: self.glob,
            present: self.present,
        }
    }
}
