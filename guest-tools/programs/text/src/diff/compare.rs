//! Which lines differ: Myers' algorithm in linear space, with the choices of GNU diff (gnulib's `diffseq.h` and
//! diffutils' `analyze.c`).
//!
//! The steps are those of GNU's, so that of several shortest scripts the same one is found:
//!
//! 1. Lines that the other file does not have are marked as changes and left out.
//! 2. The rest is searched from both ends at once for a point on a shortest path, and both halves likewise: the linear
//!    refinement in E. W. Myers's paper in Algorithmica 1 (1986).
//! 3. Runs of changes are moved as far down as they go, and joined with runs in the same place of the other file.
//!
//! The cost is O((n + m) · d) for d changes, in O(n + m) memory. Where it exceeds `most_cost` the search takes the
//! point that is farthest along, so that the result may be longer than the shortest one.

/// Lines `from.0..from.1` of the old file became lines `to.0..to.1` of the new one, counted from 0. One of the two
/// may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The lines of the old file.
    pub from: (usize, usize),
    /// The lines of the new file.
    pub to: (usize, usize),
}

/// The changes between two files whose equal lines have equal numbers, in their order and not touching each other.
/// The numbers index a table, so they should have no large gaps.
pub fn changes(old: &[u32], new: &[u32]) -> Vec<Change> {
    let kinds = old
        .iter()
        .chain(new)
        .max()
        .map_or(0, |most| *most as usize + 1);
    let count = |lines: &[u32]| {
        let mut counts = vec![0u32; kinds];
        lines.iter().for_each(|line| counts[*line as usize] += 1);
        counts
    };
    let (in_old, in_new) = (count(old), count(new));
    let mut marks = [vec![false; old.len() + 2], vec![false; new.len() + 2]];
    // A line that the other file lacks is a change for certain.
    let kept = |lines: &[u32], other: &[u32], marks: &mut [bool]| {
        let mut kept = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            if other[*line as usize] == 0 {
                marks[index + 1] = true;
            } else {
                kept.push(index);
            }
        }
        kept
    };
    let [old_marks, new_marks] = &mut marks;
    let (old_kept, new_kept) = (kept(old, &in_new, old_marks), kept(new, &in_old, new_marks));
    let x: Vec<u32> = old_kept.iter().map(|index| old[*index]).collect();
    let y: Vec<u32> = new_kept.iter().map(|index| new[*index]).collect();
    let diagonals = x.len() + y.len() + 3;
    let mut search = Search {
        x: &x,
        y: &y,
        x_kept: &old_kept,
        y_kept: &new_kept,
        forward: vec![0; diagonals + 1],
        backward: vec![0; diagonals + 1],
        offset: y.len() as isize + 1,
        most_cost: most_cost(diagonals),
        marks: &mut marks,
    };
    search.compare(0, x.len() as isize, 0, y.len() as isize);
    shift(old, &mut marks, 0);
    shift(new, &mut marks, 1);
    collect(&marks, old.len(), new.len())
}

/// When a search is given up: about the square root of the size, and at least 4096.
fn most_cost(mut diagonals: usize) -> isize {
    let mut cost = 1;
    while diagonals != 0 {
        cost <<= 1;
        diagonals >>= 2;
    }
    cost.max(4096)
}

/// A search for changes.
struct Search<'a> {
    /// The lines of the old file that the new one has too.
    x: &'a [u32],
    /// The lines of the new file, likewise.
    y: &'a [u32],
    /// Where the lines of `x` are in the old file.
    x_kept: &'a [usize],
    /// Where those of `y` are in the new one.
    y_kept: &'a [usize],
    /// How far along each diagonal x - y the search from the start has come, as x, at the index diagonal + `offset`.
    forward: Vec<isize>,
    /// The same of the search from the end.
    backward: Vec<isize>,
    offset: isize,
    /// The cost at which a search is given up.
    most_cost: isize,
    /// The lines of each file that are changes: line n is at n + 1.
    marks: &'a mut [Vec<bool>; 2],
}

impl Search<'_> {
    /// Marks the changes within `x[x0..x1]` and `y[y0..y1]`. A stack takes the place of recursion.
    fn compare(&mut self, x0: isize, x1: isize, y0: isize, y1: isize) {
        let mut pending = vec![(x0, x1, y0, y1)];
        while let Some((mut x0, mut x1, mut y0, mut y1)) = pending.pop() {
            while x0 < x1 && y0 < y1 && self.x[x0 as usize] == self.y[y0 as usize] {
                x0 += 1;
                y0 += 1;
            }
            while x0 < x1 && y0 < y1 && self.x[x1 as usize - 1] == self.y[y1 as usize - 1] {
                x1 -= 1;
                y1 -= 1;
            }
            if x0 == x1 {
                (y0..y1).for_each(|at| self.marks[1][self.y_kept[at as usize] + 1] = true);
            } else if y0 == y1 {
                (x0..x1).for_each(|at| self.marks[0][self.x_kept[at as usize] + 1] = true);
            } else {
                let (x, y) = self.middle(x0, x1, y0, y1);
                pending.push((x, x1, y, y1));
                pending.push((x0, x, y0, y));
            }
        }
    }

    /// A point on a shortest path, found from both ends at once. Both parts must be without a common start or end,
    /// and not empty.
    fn middle(&mut self, x0: isize, x1: isize, y0: isize, y1: isize) -> (isize, isize) {
        let at = |diagonal: isize, offset: isize| (diagonal + offset) as usize;
        let offset = self.offset;
        let (least, most) = (x0 - y1, x1 - y0);
        let (start, end) = (x0 - y0, x1 - y1);
        let (mut f_least, mut f_most, mut b_least, mut b_most) = (start, start, end, end);
        let odd = (start - end) & 1 != 0;
        self.forward[at(start, offset)] = x0;
        self.backward[at(end, offset)] = x1;
        let mut cost = 1;
        loop {
            if f_least > least {
                f_least -= 1;
                self.forward[at(f_least - 1, offset)] = -1;
            } else {
                f_least += 1;
            }
            if f_most < most {
                f_most += 1;
                self.forward[at(f_most + 1, offset)] = -1;
            } else {
                f_most -= 1;
            }
            let mut d = f_most;
            while d >= f_least {
                let (low, high) = (
                    self.forward[at(d - 1, offset)],
                    self.forward[at(d + 1, offset)],
                );
                let mut x = if low < high { high } else { low + 1 };
                let mut y = x - d;
                while x < x1 && y < y1 && self.x[x as usize] == self.y[y as usize] {
                    x += 1;
                    y += 1;
                }
                self.forward[at(d, offset)] = x;
                if odd && b_least <= d && d <= b_most && self.backward[at(d, offset)] <= x {
                    return (x, y);
                }
                d -= 2;
            }
            if b_least > least {
                b_least -= 1;
                self.backward[at(b_least - 1, offset)] = isize::MAX;
            } else {
                b_least += 1;
            }
            if b_most < most {
                b_most += 1;
                self.backward[at(b_most + 1, offset)] = isize::MAX;
            } else {
                b_most -= 1;
            }
            let mut d = b_most;
            while d >= b_least {
                let (low, high) = (
                    self.backward[at(d - 1, offset)],
                    self.backward[at(d + 1, offset)],
                );
                let mut x = if low < high { low } else { high - 1 };
                let mut y = x - d;
                while x0 < x && y0 < y && self.x[x as usize - 1] == self.y[y as usize - 1] {
                    x -= 1;
                    y -= 1;
                }
                self.backward[at(d, offset)] = x;
                if !odd && f_least <= d && d <= f_most && x <= self.forward[at(d, offset)] {
                    return (x, y);
                }
                d -= 2;
            }
            cost += 1;
            if cost >= self.most_cost {
                return self.best_so_far((x0, x1, y0, y1), (f_least, f_most), (b_least, b_most));
            }
        }
    }

    /// Where the search is given up, the point that is farthest along.
    fn best_so_far(
        &self,
        (x0, x1, y0, y1): (isize, isize, isize, isize),
        forward: (isize, isize),
        backward: (isize, isize),
    ) -> (isize, isize) {
        let (mut f_sum, mut f_x) = (-1, x0);
        let mut d = forward.1;
        while d >= forward.0 {
            let mut x = self.forward[(d + self.offset) as usize].min(x1);
            if y1 < x - d {
                x = y1 + d;
            }
            if f_sum < x + x - d {
                (f_sum, f_x) = (x + x - d, x);
            }
            d -= 2;
        }
        let (mut b_sum, mut b_x) = (isize::MAX, x1);
        let mut d = backward.1;
        while d >= backward.0 {
            let mut x = self.backward[(d + self.offset) as usize].max(x0);
            if x - d < y0 {
                x = y0 + d;
            }
            if x + x - d < b_sum {
                (b_sum, b_x) = (x + x - d, x);
            }
            d -= 2;
        }
        if (x1 + y1) - b_sum < f_sum - (x0 + y0) {
            (f_x, f_sum - f_x)
        } else {
            (b_x, b_sum - b_x)
        }
    }
}

/// Moves runs of changes down as far as they go, and joins those that meet: `file` is the one whose runs move. The
/// marks of line `n` are at `n + 1`, with an unmarked place before the first and after the last.
fn shift(lines: &[u32], marks: &mut [Vec<bool>; 2], file: usize) {
    let [first, second] = marks;
    let (own, other) = if file == 0 {
        (first, second)
    } else {
        (second, first)
    };
    let end = lines.len();
    let (mut i, mut j) = (0, 0);
    loop {
        while i < end && !own[i + 1] {
            while other[j + 1] {
                j += 1;
            }
            j += 1;
            i += 1;
        }
        if i == end {
            return;
        }
        let mut start = i;
        while own[i + 1] {
            i += 1;
        }
        while other[j + 1] {
            j += 1;
        }
        let mut corresponding;
        loop {
            let length = i - start;
            while start > 0 && lines[start - 1] == lines[i - 1] {
                start -= 1;
                own[start + 1] = true;
                i -= 1;
                own[i + 1] = false;
                while own[start] {
                    start -= 1;
                }
                j -= 1;
                while other[j + 1] {
                    j -= 1;
                }
            }
            corresponding = if other[j] { i } else { end };
            while i != end && lines[start] == lines[i] {
                own[start + 1] = false;
                start += 1;
                own[i + 1] = true;
                i += 1;
                while own[i + 1] {
                    i += 1;
                }
                j += 1;
                while other[j + 1] {
                    corresponding = i;
                    j += 1;
                }
            }
            if length == i - start {
                break;
            }
        }
        while corresponding < i {
            start -= 1;
            own[start + 1] = true;
            i -= 1;
            own[i + 1] = false;
            j -= 1;
            while other[j + 1] {
                j -= 1;
            }
        }
    }
}

/// The changes that the marks tell of.
fn collect(marks: &[Vec<bool>; 2], old: usize, new: usize) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < old || j < new {
        let (from, to) = (i, j);
        while marks[0][i + 1] {
            i += 1;
        }
        while marks[1][j + 1] {
            j += 1;
        }
        if i > from || j > to {
            changes.push(Change {
                from: (from, i),
                to: (to, j),
            });
        }
        i += usize::from(i < old);
        j += usize::from(j < new);
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of a longest common subsequence, in quadratic time.
    fn longest_common(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y {
                    diagonal + 1
                } else {
                    above.max(row[j])
                };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn changes_are_right_and_fewest() {
        let mut random = 1u64;
        let mut next = |most: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % most
        };
        for round in 0..500 {
            let mut lines = |_| {
                (0..next(12))
                    .map(|_| next(2 + round % 5) as u32)
                    .collect::<Vec<_>>()
            };
            let (a, b) = (lines(0), lines(1));
            let changes = changes(&a, &b);
            let mut rebuilt = Vec::new();
            let mut at = 0;
            let mut deleted = 0;
            for change in &changes {
                rebuilt.extend_from_slice(&a[at..change.from.0]);
                rebuilt.extend_from_slice(&b[change.to.0..change.to.1]);
                at = change.from.1;
                deleted += change.from.1 - change.from.0;
            }
            rebuilt.extend_from_slice(&a[at..]);
            assert_eq!(rebuilt, b, "{a:?} {b:?}");
            assert_eq!(a.len() - deleted, longest_common(&a, &b), "{a:?} {b:?}");
        }
    }
}
