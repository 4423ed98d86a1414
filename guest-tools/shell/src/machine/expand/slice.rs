//! `${x:offset:length}`: slices of strings and lists.

use super::lists::Source;
use super::target::{Found, Resolved};
use crate::machine::Machine;
use crate::machine::code::{Parameter, Target};
use crate::machine::message::report;
use crate::machine::run::{Run, Trouble};
use crate::machine::scope;
use crate::machine::task::Task;
use crate::machine::value::Value;
use crate::text::Text;

impl Machine {
    /// `${x:offset:length}`
    pub(super) fn slice(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        found: Found,
        operands: &[Text],
        length_text: Option<u32>,
    ) -> Run {
        let number = |text: Option<&Text>| {
            text.and_then(|text| crate::arithmetic::plain_integer(text))
                .unwrap_or(0)
        };
        let offset = number(operands.first());
        let length = length_text.map(|text| Length {
            value: number(operands.get(1)),
            text,
        });
        match found.value {
            Resolved::Unset => Ok(()),
            Resolved::Scalar(text) => {
                let slice = self.substring(task, &text, offset, length)?;
                self.add(task, &slice.unwrap_or_default(), parameter.quoted);
                Ok(())
            }
            Resolved::List { items, .. } if self.is_scalar(task, found.target) => {
                let text = items.first().cloned().unwrap_or_default();
                if let Some(slice) = self.substring(task, &text, offset, length)? {
                    if parameter.quoted
                        && let Some(expansion) = task.stacks.expansions.last_mut()
                    {
                        expansion.quoted(b"");
                    }
                    self.add(task, &slice, parameter.quoted);
                }
                Ok(())
            }
            Resolved::List { items, joined } => {
                let items = self.sublist(task, found.target, items, offset, length)?;
                self.add_list(task, &items, Source::of(parameter, joined));
                Ok(())
            }
        }
    }

    /// The characters of a slice; nothing where it begins outside the text.
    fn substring(
        &mut self,
        task: &mut Task,
        text: &Text,
        offset: i64,
        length: Option<Length>,
    ) -> Run<Option<Text>> {
        let plain = text.is_ascii() || self.bytewise(task);
        let count = if plain {
            text.len() as i64
        } else {
            boundaries(text).count() as i64
        };
        let start = if offset < 0 { count + offset } else { offset };
        if start < 0 || start > count {
            return Ok(None);
        }
        let end = match length {
            None => count,
            Some(length) if length.value < 0 => count + length.value,
            Some(length) => start.saturating_add(length.value).min(count),
        };
        if let Some(length) = length.filter(|_| end < start) {
            return Err(length.refused(task));
        }
        let byte = |at: i64| {
            if plain {
                at as usize
            } else {
                boundaries(text).nth(at as usize).unwrap_or(text.len())
            }
        };
        Ok(Some(Text::from(&text[byte(start)..byte(end)])))
    }

    fn sublist(
        &mut self,
        task: &mut Task,
        target: Target,
        items: Vec<Text>,
        offset: i64,
        length: Option<Length>,
    ) -> Run<Vec<Text>> {
        // Beyond the end, nothing is wrong with a length.
        let limit = |task: &mut Task| match length {
            Some(length) if length.value < 0 => Err(length.refused(task)),
            Some(length) => Ok(length.value as usize),
            None => Ok(usize::MAX),
        };
        match target {
            Target::Special(_) => {
                let count = items.len() as i64 + 1;
                let start = if offset < 0 { count + offset } else { offset };
                if start < 0 || start > count {
                    return Ok(Vec::new());
                }
                let limit = limit(task)?;
                let name = task.state.name.clone();
                let all = std::iter::once(name).chain(items);
                Ok(all.skip(start as usize).take(limit).collect())
            }
            Target::All(symbol) | Target::Joined(symbol) => {
                let value = scope::value(self, task, symbol);
                Ok(match &value {
                    crate::machine::value::Value::Indexed(array) => {
                        let end = array.end() as i64;
                        let start = if offset < 0 { end + offset } else { offset };
                        if start < 0 || start >= end {
                            return Ok(Vec::new());
                        }
                        let limit = limit(task)?;
                        let from = array.iter_from(start as u64);
                        from.take(limit).map(|(_, item)| item.clone()).collect()
                    }
                    _ => {
                        // Positions of an associative array count from 1, and at least one
                        // element is taken.
                        let associative = matches!(value, Value::Associative(_));
                        let count = items.len() as i64 + i64::from(associative);
                        let start = if offset < 0 { count + offset } else { offset };
                        if start < 0 || start > items.len() as i64 {
                            return Ok(Vec::new());
                        }
                        let limit = limit(task)?;
                        let skip = (start - i64::from(associative)).max(0) as usize;
                        let limit = limit.max(usize::from(associative));
                        items.into_iter().skip(skip).take(limit).collect()
                    }
                })
            }
            _ => Ok(items),
        }
    }
}

/// The length of a slice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Length {
    value: i64,
    /// Its text among the texts of the code.
    text: u32,
}

impl Length {
    #[cold]
    fn refused(self, task: &mut Task) -> Trouble {
        let frame = task.frames.last();
        let text = frame.and_then(|frame| frame.code.texts.get(self.text as usize));
        let text = text.map_or(&[][..], |text| text.as_bytes());
        let message = [text, b": substring expression < 0"].concat();
        report(task, &message);
        Trouble::Discard(1)
    }
}

/// Where the characters of a text begin.
pub(super) fn boundaries(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    text.utf8_chunks().flat_map(move |chunk| {
        let start = at;
        let invalid = start + chunk.valid().len();
        at = invalid + chunk.invalid().len();
        let valid = chunk.valid().char_indices();
        valid
            .map(move |(offset, _)| start + offset)
            .chain(invalid..at)
    })
}
