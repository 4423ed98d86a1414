//! Merging two versions of a text that come from one (git-merge-file): a diff3 by lines.
//!
//! Both sides are compared with the base (Myers); the two lists of changes are then run through in the order of the
//! base. Changes that neither overlap nor touch are taken; equal ones once; what meets becomes one conflict. Then, as
//! git's default level of simplification does, lines that both sides have are taken out of conflicts, and conflicts
//! with at most three unchanged lines between are joined. With the base shown (`diff3`) neither is done.
//!
//! O(n) beside the two or three comparisons. Lines keep their ends; a last line without one gets one before a mark.

use std::ops::Range;

use imara_diff::Algorithm;

use super::lines::{Blanks, Replaced, compare, split};
use crate::call::bytes;

/// What becomes of places that both sides changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Favor {
    /// They are marked.
    #[default]
    None,
    /// Ours is taken, without a conflict.
    Ours,
    /// Theirs is taken, without a conflict.
    Theirs,
    /// Both are taken, ours first, without a conflict.
    Union,
}

/// What stands behind the marks of a conflict.
pub struct Labels<'a> {
    /// Behind `<<<<<<<`.
    pub ours: &'a [u8],
    /// Behind `>>>>>>>`.
    pub theirs: &'a [u8],
    /// The common ancestor is shown as well, with this name.
    pub base: Option<&'a [u8]>,
    /// Whether there are marks at all.
    pub favor: Favor,
}

/// A part of the result, as lines of one of the three texts.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Lines that nobody changed.
    Base(Range<usize>),
    /// A change of ours, or one that both made.
    Ours(Range<usize>),
    /// A change of theirs.
    Theirs(Range<usize>),
    /// Lines within a conflict that both sides have; counted in ours.
    Same(Range<usize>),
    /// Lines that both changed, in each of the three.
    Conflict {
        base: Range<usize>,
        ours: Range<usize>,
        theirs: Range<usize>,
    },
}

/// Merges; gives the text and the number of conflicts that are marked in it.
///
/// ```text
/// base "a b c", ours "a x c", theirs "a y c"  →  a <<<<<<< OURS x ======= y >>>>>>> THEIRS c, 1
/// base "a b c", ours "x b c", theirs "a b y"  →  x b y, 0
/// ```
pub fn merge(base: &[u8], ours: &[u8], theirs: &[u8], labels: &Labels) -> (Vec<u8>, usize) {
    let (base, ours, theirs) = (split(base), split(ours), split(theirs));
    let mut parts = align(&base, &ours, &theirs);
    if labels.base.is_none() {
        parts = join(refine(parts, &ours, &theirs));
    }
    let mut out = Vec::new();
    let mut conflicts = 0;
    for part in parts {
        match part {
            Part::Base(range) => put(&mut out, &base[range]),
            Part::Ours(range) | Part::Same(range) => put(&mut out, &ours[range]),
            Part::Theirs(range) => put(&mut out, &theirs[range]),
            Part::Conflict {
                base: base_range,
                ours: own,
                theirs: other,
            } => match labels.favor {
                Favor::Ours => put(&mut out, &ours[own]),
                Favor::Theirs => put(&mut out, &theirs[other]),
                Favor::Union => {
                    put(&mut out, &ours[own]);
                    end_line(&mut out);
                    put(&mut out, &theirs[other]);
                }
                Favor::None => {
                    conflicts += 1;
                    end_line(&mut out);
                    out.extend(bytes!("<<<<<<< ", labels.ours, "\n"));
                    put(&mut out, &ours[own]);
                    end_line(&mut out);
                    if let Some(label) = labels.base {
                        out.extend(bytes!("||||||| ", label, "\n"));
                        put(&mut out, &base[base_range]);
                        end_line(&mut out);
                    }
                    out.extend_from_slice(b"=======\n");
                    put(&mut out, &theirs[other]);
                    end_line(&mut out);
                    out.extend(bytes!(">>>>>>> ", labels.theirs, "\n"));
                }
            },
        }
    }
    (out, conflicts)
}

fn put(out: &mut Vec<u8>, lines: &[&[u8]]) {
    lines.iter().for_each(|line| out.extend_from_slice(line));
}

/// Ends the last line, where text without an end stands before a mark.
fn end_line(out: &mut Vec<u8>) {
    if out.last().is_some_and(|&byte| byte != b'\n') {
        out.push(b'\n');
    }
}

/// Brings the changes of both sides into one order, as parts that cover the base from start to end. Changes that
/// overlap or touch are conflicts, unless they are equal. `own_shift` and `other_shift` are how many lines each side
/// is ahead of the base behind its last change: they turn places of the base into places of that side.
fn align(base: &[&[u8]], ours: &[&[u8]], theirs: &[&[u8]]) -> Vec<Part> {
    let own = compare(base, ours, Algorithm::Myers, Blanks::Count);
    let other = compare(base, theirs, Algorithm::Myers, Blanks::Count);
    let mut parts = Vec::new();
    let (mut i, mut j) = (0, 0);
    let mut at = 0;
    // How far each side is ahead of the base.
    let (mut own_shift, mut other_shift) = (0_isize, 0_isize);
    let shifted = |place: usize, shift: isize| place.saturating_add_signed(shift);
    while i < own.len() || j < other.len() {
        let (a, b) = (own.get(i), other.get(j));
        let apart = |x: &Replaced, y: Option<&Replaced>| y.is_none_or(|y| x.old.end < y.old.start);
        if let Some(a) = a.filter(|a| apart(a, b)) {
            parts.push(Part::Base(at..a.old.start));
            parts.push(Part::Ours(a.new.clone()));
            at = a.old.end;
            own_shift = a.new.end as isize - a.old.end as isize;
            i += 1;
            continue;
        }
        if let Some(b) = b.filter(|b| apart(b, a)) {
            parts.push(Part::Base(at..b.old.start));
            parts.push(Part::Theirs(b.new.clone()));
            at = b.old.end;
            other_shift = b.new.end as isize - b.old.end as isize;
            j += 1;
            continue;
        }
        let (Some(a), Some(b)) = (a, b) else { break };
        if a.old == b.old && ours[a.new.clone()] == theirs[b.new.clone()] {
            parts.push(Part::Base(at..a.old.start));
            parts.push(Part::Ours(a.new.clone()));
            at = a.old.end;
            own_shift = a.new.end as isize - a.old.end as isize;
            other_shift = b.new.end as isize - b.old.end as isize;
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // All changes that meet in this place.
        let start = a.old.start.min(b.old.start);
        let mut end = a.old.end.max(b.old.end);
        let (own_start, other_start) = (shifted(start, own_shift), shifted(start, other_shift));
        (i, j) = (i + 1, j + 1);
        own_shift = a.new.end as isize - a.old.end as isize;
        other_shift = b.new.end as isize - b.old.end as isize;
        loop {
            if let Some(next) = own.get(i).filter(|next| next.old.start <= end) {
                end = end.max(next.old.end);
                own_shift = next.new.end as isize - next.old.end as isize;
                i += 1;
            } else if let Some(next) = other.get(j).filter(|next| next.old.start <= end) {
                end = end.max(next.old.end);
                other_shift = next.new.end as isize - next.old.end as isize;
                j += 1;
            } else {
                break;
            }
        }
        parts.push(Part::Base(at..start));
        parts.push(Part::Conflict {
            base: start..end,
            ours: own_start..shifted(end, own_shift),
            theirs: other_start..shifted(end, other_shift),
        });
        at = end;
    }
    parts.push(Part::Base(at..base.len()));
    parts
}

/// Splits conflicts where both sides agree: the lines that a comparison of the two finds equal stand outside of the
/// marks.
fn refine(parts: Vec<Part>, ours: &[&[u8]], theirs: &[&[u8]]) -> Vec<Part> {
    let mut out: Vec<Part> = Vec::new();
    for part in parts {
        let (base, own, other) = match part {
            Part::Conflict {
                base,
                ours: own,
                theirs: other,
            } if !own.is_empty() && !other.is_empty() => (base, own, other),
            part => {
                out.push(part);
                continue;
            }
        };
        let changes = compare(
            &ours[own.clone()],
            &theirs[other.clone()],
            Algorithm::Myers,
            Blanks::Count,
        );
        let mut at = own.start;
        for change in changes {
            let start = own.start + change.old.start;
            out.push(Part::Same(at..start));
            at = own.start + change.old.end;
            out.push(Part::Conflict {
                base: base.end..base.end,
                ours: start..at,
                theirs: other.start + change.new.start..other.start + change.new.end,
            });
        }
        out.push(Part::Same(at..own.end));
    }
    out
}

/// Makes one of two conflicts with at most three unchanged lines between, which are then on both sides of the marks.
fn join(parts: Vec<Part>) -> Vec<Part> {
    const NEAR: usize = 3;
    let mut out: Vec<Part> = Vec::new();
    for part in parts {
        let empty = matches!(&part, Part::Base(range) | Part::Same(range) | Part::Ours(range)
            | Part::Theirs(range) if range.is_empty());
        if empty {
            continue;
        }
        let Part::Conflict { base, ours, theirs } = &part else {
            out.push(part);
            continue;
        };
        let gap = match out.last() {
            Some(Part::Base(range) | Part::Same(range)) if range.len() <= NEAR => 1,
            Some(Part::Conflict { .. }) => 0,
            _ => {
                out.push(part);
                continue;
            }
        };
        let before = out.len().checked_sub(gap + 1);
        let Some(Part::Conflict {
            base: old_base,
            ours: old_ours,
            theirs: old_theirs,
        }) = before.and_then(|at| out.get_mut(at))
        else {
            out.push(part);
            continue;
        };
        old_base.end = base.end;
        old_ours.end = ours.end;
        old_theirs.end = theirs.end;
        out.truncate(out.len() - gap);
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    fn merged(base: &str, ours: &str, theirs: &str, favor: Favor) -> (String, usize) {
        let labels = Labels {
            ours: b"a",
            theirs: b"b",
            base: None,
            favor,
        };
        let spread = |text: &str| text.chars().map(|c| format!("{c}\n")).collect::<String>();
        let (text, conflicts) = merge(
            spread(base).as_bytes(),
            spread(ours).as_bytes(),
            spread(theirs).as_bytes(),
            &labels,
        );
        (
            String::from_utf8(text).unwrap().replace('\n', ""),
            conflicts,
        )
    }

    /// Recorded from `git merge-file -p`, one letter a line.
    #[test]
    fn merges_as_git_does() {
        let cases = [
            ("abc", "abc", "abd", "abd", 0),
            ("abcdefg", "xbcdefg", "abcdefy", "xbcdefy", 0),
            ("abc", "axc", "axc", "axc", 0),
            ("abc", "axc", "ayc", "a<<<<<<< ax=======y>>>>>>> bc", 1),
            ("abc", "ac", "axc", "a<<<<<<< a=======x>>>>>>> bc", 1),
            ("", "a", "b", "<<<<<<< aa=======b>>>>>>> b", 1),
            ("abc", "xbc", "aby", "xby", 0),
            ("ab", "xb", "ay", "<<<<<<< axb=======ay>>>>>>> b", 1),
            (
                "abcdef",
                "axcdyf",
                "azcdwf",
                "a<<<<<<< axcdy=======zcdw>>>>>>> bf",
                1,
            ),
            (
                "abcdefghij",
                "1bcdefgh2j",
                "3bcdefgh4j",
                "<<<<<<< a1=======3>>>>>>> bbcdefgh<<<<<<< a2=======4>>>>>>> bj",
                2,
            ),
        ];
        for (base, ours, theirs, text, conflicts) in cases {
            let found = merged(base, ours, theirs, Favor::None);
            assert_eq!(
                found,
                (text.to_owned(), conflicts),
                "{base} {ours} {theirs}"
            );
        }
        assert_eq!(merged("abc", "axc", "ayc", Favor::Ours).0, "axc");
        assert_eq!(merged("abc", "axc", "ayc", Favor::Union).0, "axyc");
    }
}
