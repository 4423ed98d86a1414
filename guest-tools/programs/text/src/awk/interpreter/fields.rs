//! The current record and its fields.
//!
//! Three states follow each other: the record alone; `spans`, found as far as fields were asked for; and `fields`,
//! values of their own, from when one was assigned. `stale` means that the record has to be put together from the
//! fields before it is looked at.

use std::rc::Rc;

use super::{Interpreter, MOST_FIELDS, Outcome, fail};
use crate::awk::record::{Span, Splitter, blanks_to, unquote};
use crate::awk::tree::*;
use crate::awk::value::{Text, Value};

impl<'p> Interpreter<'p> {
    /// Makes a text the record, without fields yet. The memory of the record before becomes that of the next.
    pub(super) fn set_record(&mut self, record: Text) {
        self.spare = Some(std::mem::replace(&mut self.record, record));
        self.any_record = true;
        self.assigned = false;
        self.count_value = None;
        self.stale = false;
        self.split = false;
        self.spans.clear();
        self.resume = 0;
        self.fields = None;
    }

    /// Finds all fields.
    pub(super) fn split_record(&mut self) {
        self.split_to(usize::MAX);
    }

    /// Finds the fields up to a number; all of them unless blanks separate, where the rest can be looked for later from
    /// `resume`.
    pub(super) fn split_to(&mut self, wanted: usize) {
        if self.split || self.spans.len() >= wanted {
            return;
        }
        if !matches!(self.splitter, Splitter::Blanks) {
            self.splitter.split(&self.record, &mut self.spans);
            self.split = true;
            return;
        }
        match blanks_to(&self.record, &mut self.spans, self.resume, wanted) {
            Some(at) => self.resume = at,
            None => self.split = true,
        }
    }

    /// NF; splits the whole record.
    pub(in crate::awk) fn field_count(&mut self) -> usize {
        match &self.fields {
            Some(fields) => fields.len(),
            None => {
                self.split_record();
                self.spans.len()
            }
        }
    }

    /// Whether `$0` never had a value.
    pub(in crate::awk) fn has_no_record(&self) -> bool {
        self.record.is_empty() && !self.assigned && !self.stale && !self.any_record
    }

    /// `$0`, put together anew with OFS where a field was changed.
    pub(in crate::awk) fn whole_record(&mut self) -> Text {
        if self.stale {
            let mut text = Vec::new();
            for (index, field) in self.fields.iter().flatten().enumerate() {
                if index > 0 {
                    text.extend_from_slice(&self.field_gap);
                }
                text.extend_from_slice(&field.to_text(&self.convert));
            }
            self.record = Rc::new(text);
            self.stale = false;
        }
        Rc::clone(&self.record)
    }

    /// A field; 0 is the record. One beyond NF is empty input. They are strings where they were assigned as strings,
    /// else input.
    pub(super) fn field(&mut self, index: usize) -> Value {
        if index == 0 {
            let record = self.whole_record();
            return if self.assigned {
                Value::Text(record)
            } else {
                Value::Input(record)
            };
        }
        if let Some(fields) = &self.fields {
            return fields
                .get(index - 1)
                .cloned()
                .unwrap_or_else(|| Value::input(""));
        }
        self.split_to(index);
        match self.spans.get(index - 1) {
            Some(&(from, to)) if self.csv => Value::input(unquote(&self.record[from..to])),
            Some(&(from, to)) => Value::input(&self.record[from..to]),
            None => Value::input(""),
        }
    }

    /// The fields as values of their own, which `spans` are not looked at after.
    pub(super) fn own_fields(&mut self) -> &mut Vec<Value> {
        if self.fields.is_none() {
            self.split_record();
            let all = (1..=self.spans.len())
                .map(|index| self.field(index))
                .collect();
            self.fields = Some(all);
        }
        self.fields.get_or_insert_default()
    }

    /// Assigns a field; 0 is a new record. NF grows with a field beyond it, and those between are empty.
    pub(in crate::awk) fn set_field(&mut self, index: usize, value: Value) {
        if index == 0 {
            let text = value.to_text(&self.convert);
            self.set_record(text);
            self.assigned = matches!(value, Value::Text(_));
            return;
        }
        let fields = self.own_fields();
        if fields.len() < index {
            fields.resize(index, Value::Unset);
        }
        fields[index - 1] = value;
        self.count_value = None;
        self.stale = true;
    }

    /// The number of a field; negative ones, nan and those beyond `MOST_FIELDS` are fatal.
    pub(in crate::awk) fn field_index(&mut self, expression: &'p Expression) -> Outcome<usize> {
        let index = match expression {
            Expression::Number(number) => *number,
            _ => self.number(expression)?,
        };
        if index < 0.0 || index.is_nan() {
            return fail(format!("attempt to access field {index:.0}"));
        }
        if index > MOST_FIELDS {
            return fail("field number too large");
        }
        Ok(index as usize)
    }

    /// Writes a field's text.
    pub(super) fn put_field(&mut self, index: usize, out: &mut Vec<u8>) {
        if index == 0 {
            if self.stale {
                self.whole_record();
            }
            out.extend_from_slice(&self.record);
        } else if self.fields.is_some() || self.csv {
            out.extend_from_slice(&self.field(index).to_text(&self.convert));
        } else {
            let (from, to) = self.span(index);
            out.extend_from_slice(&self.record[from..to]);
        }
    }

    /// Where a field is in the record, as long as none was changed.
    pub(super) fn span(&mut self, index: usize) -> Span {
        self.split_to(index);
        self.spans.get(index - 1).copied().unwrap_or_default()
    }

    /// Where the field of an expression is in the record: none unless it is a field that can be looked at there. The
    /// index must be simple, since evaluating it must not change the record.
    pub(super) fn span_of(&mut self, expression: &'p Expression) -> Outcome<Option<Span>> {
        let Expression::Field(index) = expression else {
            return Ok(None);
        };
        let plain = matches!(**index, Expression::Number(_) | Expression::Variable(_));
        if !plain || self.fields.is_some() || self.csv {
            return Ok(None);
        }
        Ok(match self.field_index(index)? {
            0 => (!self.stale && !self.assigned).then_some((0, self.record.len())),
            index => Some(self.span(index)),
        })
    }
}
