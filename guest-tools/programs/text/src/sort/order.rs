//! Puts lines in order: each key's part of a line becomes numbers that compare at once.
//!
//! A key gives a line a rank of 64 bits and what is left to compare among equal ranks (`Key::rank`). Lines are sorted
//! by their ranks; groups of equal ranks are refined by the next rank of the same key, or by the next key, until a
//! group is so small that comparing whole keys is cheaper. So most comparisons are of integers that lie side by side:
//! the algorithm is a most-significant-first radix sort whose digits are eight bytes and whose buckets a comparison
//! sort finds.
//!
//! The invariant is that ranks and comparisons agree: `sort` gives what sorting by `compare` gives, which a test
//! checks for all ways to compare.

use std::cmp::Ordering;
use std::hash::RandomState;

use super::key::Key;

/// How lines compare: by one key after the other, until one differs.
pub struct Order {
    /// The last one may be the whole line, where all others are equal.
    keys: Vec<Key>,
    /// What separates fields; without it runs of blanks do.
    tab: Option<u8>,
    /// The seed of `-R`, another one for each run.
    random: RandomState,
}

/// A line, and the part that it is compared by at the moment.
struct Line<'a> {
    /// The rank of the part that is looked at.
    rank: u64,
    /// What is left to compare among equal ranks.
    rest: &'a [u8],
    /// The whole line.
    text: &'a [u8],
}

/// Lines `from..to`, which do not differ in the keys before `key` and in the ranks that `key` has given so far.
struct Group {
    from: usize,
    to: usize,
    key: usize,
}

/// Groups up to this size are sorted by comparing whole keys.
const FEW: usize = 12;

impl Order {
    /// An order by `keys`; with `last` equal lines are ordered as they stand, backwards if that is set. `keys` must
    /// not be empty.
    pub fn new(mut keys: Vec<Key>, tab: Option<u8>, last: Option<bool>) -> Order {
        let decided = matches!(keys[..], [only] if only.is_line() && only.is_literal());
        if let Some(reverse) = last
            && !decided
        {
            let mut line = Key::default();
            line.flags.reverse = reverse;
            keys.push(line);
        }
        Order {
            keys,
            tab,
            random: RandomState::new(),
        }
    }

    /// Compares two lines.
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        self.compare_from(0, a, b)
    }

    /// Sorts lines in O(n log n) comparisons; equal ones keep their order.
    pub fn sort<'a>(&self, texts: impl Iterator<Item = &'a [u8]>) -> Vec<&'a [u8]> {
        let mut lines: Vec<Line> = texts.map(|text| self.ranked(text)).collect();
        let mut groups = vec![Group {
            from: 0,
            to: lines.len(),
            key: 0,
        }];
        while let Some(Group { from, to, key }) = groups.pop() {
            let lines = &mut lines[from..to];
            if lines.len() <= FEW {
                lines.sort_by(|a, b| self.compare_ranked(key, a, b));
                continue;
            }
            lines.sort_by_key(|line| line.rank);
            let mut start = 0;
            for group in lines.chunk_by_mut(|a, b| a.rank == b.rank) {
                let end = start + group.len();
                if end - start > 1 {
                    self.refine(group, from + start, key, &mut groups);
                }
                start = end;
            }
        }
        lines.into_iter().map(|line| line.text).collect()
    }

    /// Gives lines of equal rank the rank that decides next, as a new group, or puts them in order where no rank
    /// does.
    fn refine(&self, lines: &mut [Line], from: usize, key: usize, groups: &mut Vec<Group>) {
        let to = from + lines.len();
        let rule = &self.keys[key];
        if lines.iter().all(|line| line.rest.is_empty()) {
            if key + 1 < self.keys.len() {
                self.rank_by(key + 1, lines);
                let key = key + 1;
                groups.push(Group { from, to, key });
            }
        } else if rule.goes_on() {
            for line in lines {
                (line.rank, line.rest) = rule.rank(line.rest, &self.random);
            }
            groups.push(Group { from, to, key });
        } else {
            // The ranks are as good as they get.
            lines.sort_by(|a, b| self.compare_ranked(key, a, b));
        }
    }

    /// A line with the rank of the first key.
    fn ranked<'a>(&self, text: &'a [u8]) -> Line<'a> {
        let key = &self.keys[0];
        let (rank, rest) = key.rank(key.of(text, self.tab), &self.random);
        Line { rank, rest, text }
    }

    /// Gives lines the rank of a key.
    fn rank_by(&self, key: usize, lines: &mut [Line]) {
        let key = &self.keys[key];
        for line in lines {
            (line.rank, line.rest) = key.rank(key.of(line.text, self.tab), &self.random);
        }
    }

    /// Compares lines by their ranks, what is left of the key's parts, and the keys behind it.
    fn compare_ranked(&self, key: usize, a: &Line, b: &Line) -> Ordering {
        let rest = || match (a.rest, b.rest) {
            ([], []) => Ordering::Equal,
            (a, b) if self.keys[key].goes_on() => self.keys[key].compare(a, b, &self.random),
            _ => self.compare_by(key, a.text, b.text),
        };
        let order = a.rank.cmp(&b.rank).then_with(rest);
        order.then_with(|| self.compare_from(key + 1, a.text, b.text))
    }

    /// Compares lines by the keys from `first` on.
    fn compare_from(&self, first: usize, a: &[u8], b: &[u8]) -> Ordering {
        (first..self.keys.len())
            .map(|key| self.compare_by(key, a, b))
            .find(|order| *order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    }

    /// Compares lines by one key.
    fn compare_by(&self, key: usize, a: &[u8], b: &[u8]) -> Ordering {
        let key = &self.keys[key];
        key.compare(key.of(a, self.tab), key.of(b, self.tab), &self.random)
    }
}

#[cfg(test)]
mod tests {
    use super::super::key::{By, Flags};
    use super::*;

    /// Lines with many equal starts, numbers too long for a float, and blanks.
    fn lines() -> Vec<Vec<u8>> {
        let words = [
            "",
            "a",
            "prefix-prefix-",
            "prefix-prefix-b",
            "Prefix-prefix-",
            "é",
        ];
        let numbers = [
            "0",
            "-0",
            "7",
            "07",
            "-3.5",
            "1e3",
            "123456789012345678",
            "123456789012345679",
            "2K",
            "1M",
            "jan",
            "Feb",
            "nan",
            "v1.10",
            "v1.9",
            "",
        ];
        let mut seed = 1u32;
        let mut lines = Vec::new();
        for _ in 0..700 {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            let word = words[(seed >> 16) as usize % words.len()];
            let number = numbers[(seed >> 20) as usize % numbers.len()];
            let tail = seed >> 28;
            lines.push(format!("{word}{} {number} {tail}", seed >> 30).into_bytes());
        }
        lines
    }

    #[test]
    fn ranks_order_lines_as_comparisons_do() {
        let lines = lines();
        let kinds = [
            By::Text,
            By::Number,
            By::General,
            By::Human,
            By::Month,
            By::Version,
            By::Random,
        ];
        for by in kinds {
            for set in 0..32 {
                let flags = Flags {
                    by,
                    start_blanks: set & 1 != 0,
                    end_blanks: set & 1 != 0,
                    dictionary: by == By::Text && set & 2 != 0,
                    fold: set & 4 != 0,
                    printable: by == By::Text && set & 8 != 0,
                    reverse: set & 16 != 0,
                };
                let first = Key {
                    flags,
                    start: usize::from(by != By::Text),
                    end: (set & 1 != 0).then_some((1, 0)),
                    ..Key::default()
                };
                let second = Key {
                    start: 2,
                    ..Key::default()
                };
                for last in [None, Some(false), Some(true)] {
                    let order = Order::new(vec![first, second], None, last);
                    let mut expected: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
                    expected.sort_by(|a, b| order.compare(a, b));
                    let found = order.sort(lines.iter().map(Vec::as_slice));
                    assert!(found == expected, "{first:?} {last:?}");
                }
            }
        }
    }
}
