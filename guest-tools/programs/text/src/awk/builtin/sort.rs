//! The orders of arrays: `asort`, `asorti` and PROCINFO["sorted_in"].
//!
//! Without an order arrays keep that of insertion, but for deletions from large ones; gawk's order is that of its hash
//! table. Sorting takes O(n log n) comparisons; keys and values of a comparison are clones of counted references.

use std::rc::Rc;

use super::super::interpreter::{Interpreter, Outcome, fail};
use super::super::tree::*;
use super::super::value::{Array, Slot, Text, Value, compare, compare_text};

impl<'p> Interpreter<'p> {
    /// The keys of an array at this moment, in the order that PROCINFO["sorted_in"] names, else in that of insertion.
    /// Changes of the array during a loop over them do not matter.
    pub(in crate::awk) fn ordered_keys(&mut self, array: &Array) -> Outcome<Vec<Text>> {
        let mut keys: Vec<Text> = array.borrow().keys().cloned().collect();
        let order = match &self.globals[PROCINFO] {
            Slot::Array(info) => info.borrow().get(&b"sorted_in".to_vec()).cloned(),
            _ => None,
        };
        if let Some(order) = order {
            let order = order.to_text(b"");
            if order.as_slice() != b"@unsorted" {
                self.sort_keys(&mut keys, array, &order)?;
            }
        }
        Ok(keys)
    }

    /// Sorts keys by a function of the program, which gets key and value of two elements, and tells by a number less
    /// than, equal to or greater than 0 how they compare.
    fn sort_by_function(&mut self, keys: &mut [Text], array: &Array, name: &[u8]) -> Outcome<()> {
        let shown = String::from_utf8_lossy(name).into_owned();
        let Some(&index) = self.functions.get(name) else {
            return fail(format!("sort comparison function `{shown}' is not defined"));
        };
        if self.parameters_of(index) < 4 {
            return fail(format!(
                "sort comparison function `{shown}' needs four parameters"
            ));
        }
        let slot = |key: &Text| match array.borrow().get(key) {
            Some(Value::Array(inner)) => Slot::Array(Rc::clone(inner)),
            Some(value) => Slot::Scalar(value.clone()),
            None => Slot::default(),
        };
        let key_slot = |key: &Text| Slot::Scalar(Value::Text(Rc::clone(key)));
        merge_sort(keys, &mut |a, b| {
            let slots = vec![key_slot(a), slot(a), key_slot(b), slot(b)];
            Ok(self.call_with(index, slots)?.number() <= 0.0)
        })
    }

    /// Sorts keys by the name of an order, `@ind_…` or `@val_…`, or of a function. Numbers come before texts, and these
    /// before arrays, with `@val_type_asc`.
    fn sort_keys(&mut self, keys: &mut [Text], array: &Array, order: &[u8]) -> Outcome<()> {
        if !order.starts_with(b"@") {
            return self.sort_by_function(keys, array, order);
        }
        let fold = self.ignore_case;
        let array = array.borrow();
        let by_key_text = |a: &Text, b: &Text| compare_text(a, b, fold);
        let number = |key: &Text| Value::Input(Rc::clone(key)).number();
        let value = |key: &Text| array.get(key).cloned().unwrap_or_default();
        let by_value = |a: &Text, b: &Text| {
            let (a, b) = (value(a), value(b));
            sort_values(&a, &b, &self.convert, fold)
        };
        let convert = Rc::clone(&self.convert);
        let as_numbers = |a: &Text, b: &Text| {
            let (x, y) = (value(a), value(b));
            let arrays = matches!(x, Value::Array(_)).cmp(&matches!(y, Value::Array(_)));
            let numbers = x.number().total_cmp(&y.number());
            let texts = || compare_text(&x.to_text(&convert), &y.to_text(&convert), fold);
            arrays.then(numbers).then_with(texts)
        };
        let as_texts = |a: &Text, b: &Text| {
            let (x, y) = (value(a), value(b));
            let arrays = matches!(x, Value::Array(_)).cmp(&matches!(y, Value::Array(_)));
            let texts = compare_text(&x.to_text(&convert), &y.to_text(&convert), fold);
            arrays.then(texts).then_with(|| a.cmp(b))
        };
        match order {
            b"@ind_str_asc" => keys.sort_by(by_key_text),
            b"@ind_str_desc" => keys.sort_by(|a, b| by_key_text(b, a)),
            b"@ind_num_asc" => {
                keys.sort_by(|a, b| number(a).total_cmp(&number(b)).then_with(|| a.cmp(b)));
            }
            b"@ind_num_desc" => {
                keys.sort_by(|a, b| number(b).total_cmp(&number(a)).then_with(|| b.cmp(a)));
            }
            b"@val_type_asc" => keys.sort_by(by_value),
            b"@val_type_desc" => keys.sort_by(|a, b| by_value(b, a)),
            b"@val_num_asc" => keys.sort_by(as_numbers),
            b"@val_num_desc" => keys.sort_by(|a, b| as_numbers(b, a)),
            b"@val_str_asc" => keys.sort_by(as_texts),
            b"@val_str_desc" => keys.sort_by(|a, b| as_texts(b, a)),
            b"@unsorted" => {}
            _ => {
                let order = String::from_utf8_lossy(order).into_owned();
                return fail(format!("`{order}' is invalid as a function name"));
            }
        }
        Ok(())
    }

    /// `asort` and, with `by_index`, `asorti`: fills the second array, or the first itself, with sorted values or keys
    /// from 1; gives their number.
    pub(super) fn sort_array(
        &mut self,
        by_index: bool,
        arguments: &'p [Expression],
    ) -> Outcome<Value> {
        let source = self.array_of(&arguments[0])?;
        let target = match arguments.get(1) {
            Some(target) => self.array_of(target)?,
            None => Rc::clone(&source),
        };
        let order = match arguments.get(2) {
            Some(order) => self.text(order)?,
            None if by_index => Rc::new(b"@ind_str_asc".to_vec()),
            None => Rc::new(b"@val_type_asc".to_vec()),
        };
        let mut keys: Vec<Text> = source.borrow().keys().cloned().collect();
        self.sort_keys(&mut keys, &source, &order)?;
        let values: Vec<Value> = if by_index {
            keys.into_iter().map(Value::Text).collect()
        } else {
            let source = source.borrow();
            keys.iter()
                .map(|key| source.get(key).cloned().unwrap_or_default())
                .collect()
        };
        let mut target = target.borrow_mut();
        target.clear();
        let count = values.len();
        for (index, value) in values.into_iter().enumerate() {
            target.insert(Rc::new((index + 1).to_string().into_bytes()), value);
        }
        Ok(Value::Number(count as f64))
    }
}

/// Sorts by a test that may fail: whether the first may stay before the second. Equal ones keep their
/// order.
fn merge_sort(
    keys: &mut [Text],
    in_order: &mut impl FnMut(&Text, &Text) -> Outcome<bool>,
) -> Outcome<()> {
    if keys.len() < 2 {
        return Ok(());
    }
    let (left, right) = keys.split_at_mut(keys.len() / 2);
    merge_sort(left, in_order)?;
    merge_sort(right, in_order)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut from_left, mut from_right) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(&a), Some(&b)) = (from_left.peek(), from_right.peek()) {
        let next = if in_order(a, b)? {
            from_left.next()
        } else {
            from_right.next()
        };
        merged.extend(next.cloned());
    }
    merged.extend(from_left.chain(from_right).cloned());
    keys.clone_from_slice(&merged);
    Ok(())
}

/// The order of `@val_type_asc`.
fn sort_values(a: &Value, b: &Value, convert: &[u8], fold: bool) -> std::cmp::Ordering {
    let rank = |value: &Value| match value {
        Value::Array(_) => 2,
        Value::Unset | Value::Number(_) => 0,
        value if value.is_numeric_input() => 0,
        _ => 1,
    };
    rank(a)
        .cmp(&rank(b))
        .then_with(|| compare(a, b, convert, fold).unwrap_or(std::cmp::Ordering::Equal))
}
