//! Hunks, put onto a text.

use super::{FilePatch, Hunk};

/// How lines are compared.
fn equal(a: &[u8], b: &[u8], loose: bool) -> bool {
    if !loose {
        return a == b;
    }
    let words = |text: &[u8]| {
        let parts = text.split(|byte| byte.is_ascii_whitespace());
        parts
            .filter(|part| !part.is_empty())
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    words(a) == words(b)
}

/// The content with all hunks applied; the number of the line where one does not fit.
pub(super) fn patched(content: &[u8], file: &FilePatch, loose: bool) -> Result<Vec<u8>, usize> {
    let mut lines: Vec<Vec<u8>> = crate::git::lines::split(content)
        .into_iter()
        .map(<[u8]>::to_vec)
        .collect();
    let mut shift = 0_isize;
    for hunk in &file.hunks {
        let old: Vec<&[u8]> = hunk
            .lines
            .iter()
            .filter(|(mark, _)| *mark != b'+')
            .map(|(_, text)| text.as_slice())
            .collect();
        let leading = hunk
            .lines
            .iter()
            .take_while(|(mark, _)| *mark == b' ')
            .count();
        let trailing = hunk
            .lines
            .iter()
            .rev()
            .take_while(|(mark, _)| *mark == b' ')
            .count();
        let at_start = hunk.old_start <= 1 && leading < trailing;
        let at_end = trailing < leading;
        let wanted = hunk.old_start.saturating_sub(usize::from(!old.is_empty()));
        let wanted = wanted.saturating_add_signed(shift).min(lines.len());
        let fits = |at: usize| {
            let end = at + old.len();
            end <= lines.len()
                && (!at_start || at == 0)
                && (!at_end || end == lines.len())
                && old
                    .iter()
                    .enumerate()
                    .all(|(i, text)| equal(&lines[at + i], text, loose))
        };
        let near = (0..=lines.len())
            .flat_map(|distance| [wanted.checked_add(distance), wanted.checked_sub(distance)]);
        let found = near.flatten().find(|at| *at <= lines.len() && fits(*at));
        let Some(at) = found else {
            return Err(hunk.old_start.max(1));
        };
        let mut new = Vec::new();
        let mut from = at;
        for (mark, text) in &hunk.lines {
            match mark {
                b' ' => {
                    new.push(lines[from].clone());
                    from += 1;
                }
                b'-' => from += 1,
                _ => new.push(text.clone()),
            }
        }
        shift = at as isize - hunk.old_start.saturating_sub(usize::from(!old.is_empty())) as isize
            + new.len() as isize
            - old.len() as isize;
        lines.splice(at..at + old.len(), new);
    }
    Ok(lines.concat())
}

/// The content after hunks, each with where it begins in both files and its lines; the line that does
/// not fit where one does not.
pub fn onto(
    content: &[u8],
    hunks: impl Iterator<Item = (usize, usize, Vec<(u8, Vec<u8>)>)>,
    reverse: bool,
) -> Result<Vec<u8>, usize> {
    let hunks = hunks.map(|(old_start, new_start, lines)| Hunk {
        old_start,
        new_start,
        lines,
    });
    let mut patch = FilePatch {
        hunks: hunks.collect(),
        ..FilePatch::default()
    };
    if reverse {
        patch.reverse();
    }
    patched(content, &patch, false)
}
