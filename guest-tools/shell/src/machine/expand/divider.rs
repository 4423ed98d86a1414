//! Characters of an operand between double quotes that bash does not quote, such as the `:` of
//! `"${x-a:b}$@"`: where there is a list too, bash splits the whole text once more, at these.

use super::{Expansion, Field, Separators};
use crate::codec::record;
use crate::machine::code::Form;

/// The dividers of a text between double quotes.
#[derive(Debug, Clone, Default)]
pub struct Dividers {
    /// The field that the text begins in.
    first: u32,
    /// Where they are: the number of a field, and the place in it.
    places: Vec<(u32, u32)>,
    /// Lists so far.
    lists: u32,
    /// How many lists there were where an operand began, and where that was.
    operands: Vec<(u32, (u32, u32))>,
    /// An empty item ends the text up to here.
    closed: Option<(u32, u32)>,
}

record!(Dividers {
    first,
    places,
    lists,
    operands,
    closed
});

impl Expansion {
    /// A text with dividers begins.
    pub fn begin_dividers(&mut self) {
        self.dividers = Some(Box::new(Dividers {
            first: self.fields.len() as u32,
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

    /// There is a list between double quotes.
    pub fn note_list(&mut self, empty: bool) {
        let place = self.place();
        if let Some(dividers) = &mut self.dividers {
            dividers.lists += 1;
            if !empty {
                dividers.closed = Some(place);
            }
        }
    }

    /// The number of the last field, and its end.
    fn place(&self) -> (u32, u32) {
        (self.fields.len() as u32, self.current.text.len() as u32)
    }

    fn is_divided_here(&self) -> bool {
        self.form == Form::Document || self.list_form() == Form::Fields
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

    fn drop_last_divider(&mut self) {
        let divides = self.is_divided_here();
        let (number, length) = self.place();
        let Some(dividers) = self.dividers.as_mut().filter(|_| divides) else {
            return;
        };
        let Some(end) = length.checked_sub(1) else {
            return;
        };
        if dividers.closed != Some((number, length))
            && dividers.places.last() == Some(&(number, end))
        {
            dividers.places.pop();
            dividers.closed = Some((number, end));
            self.current.truncate(end);
        }
    }

    /// The text ends: it is divided where it has a list.
    pub fn end_dividers(&mut self) {
        let lists = self.dividers.as_ref().map_or(0, |dividers| dividers.lists);
        if lists > 0 {
            self.drop_last_divider();
        }
        let divides = lists > 0 && self.is_divided_here();
        let Some(dividers) = self.dividers.take().filter(|_| divides) else {
            return;
        };
        if dividers.places.is_empty() {
            return;
        }
        let document = self.form == Form::Document;
        if document {
            for (_, place) in dividers.places {
                if let Some(byte) = self.current.text.get_mut(place as usize) {
                    *byte = b' ';
                }
            }
            return;
        }
        let mut whole = self.fields.split_off(dividers.first as usize);
        whole.push(std::mem::take(&mut self.current));
        for (number, field) in (dividers.first..).zip(whole) {
            let places = dividers.places.iter();
            let places = places.filter(|(field, _)| *field == number);
            field.divide(places.map(|(_, place)| *place), &mut self.fields);
        }
        self.current = self.fields.pop().unwrap_or_default();
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
    fn divide(self, places: impl Iterator<Item = u32>, fields: &mut Vec<Field>) {
        let mut start = 0;
        let mut white = false;
        for place in places {
            let byte = self.text.get(place as usize);
            let blank = byte.is_some_and(u8::is_ascii_whitespace);
            // White space and one other separator are one.
            if start < place || !blank && !white {
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
