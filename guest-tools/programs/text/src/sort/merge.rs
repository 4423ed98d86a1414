//! `-m`: merges inputs that are in order each; where one is not, so is what comes out.
//!
//! The next lines of the inputs are kept in order, so that each line costs a binary search of O(log inputs)
//! comparisons, and a move of at most as many entries as there are inputs.

use std::cmp::Ordering;

use super::order::Order;

/// The lines of all inputs, always the least of those that come next; among equal ones the first
/// input's.
pub fn merge<'a>(order: &Order, inputs: Vec<Vec<&'a [u8]>>) -> Vec<&'a [u8]> {
    let mut out = Vec::with_capacity(inputs.iter().map(Vec::len).sum());
    let mut inputs: Vec<_> = inputs.into_iter().map(Vec::into_iter).collect();
    // The next line of each input, the least one last.
    let mut next: Vec<(&[u8], usize)> = Vec::with_capacity(inputs.len());
    for (number, input) in inputs.iter_mut().enumerate() {
        if let Some(line) = input.next() {
            insert(order, &mut next, (line, number));
        }
    }
    while let Some((line, number)) = next.pop() {
        out.push(line);
        if let Some(line) = inputs[number].next() {
            insert(order, &mut next, (line, number));
        }
    }
    out
}

/// Puts a line where it belongs: before those that are less, and before equal ones of earlier inputs, since the next
/// line to take is the last.
fn insert<'a>(order: &Order, next: &mut Vec<(&'a [u8], usize)>, new: (&'a [u8], usize)) {
    let at = next.partition_point(|(line, number)| {
        let lines = order.compare(line, new.0);
        lines.then(number.cmp(&new.1)) == Ordering::Greater
    });
    next.insert(at, new);
}
