//! Changes in few lines: `--stat`, `--numstat`, `--shortstat`, `--summary`, `--raw`, `--name-only`, `--name-status`,
//! and the graph of `git apply --stat`. Widths are in characters, where git counts columns: wide characters count
//! once here.

use super::change::Change;
use super::objects::Objects;
use super::patch::{self, Style};
use super::quoting::quoted;
use super::stop::Outcome;
use crate::call::bytes;

/// How many lines a change adds and removes.
pub struct Counted {
    /// As it is shown: quoted, and with both names for a rename.
    name: Vec<u8>,
    /// None for what is no text: then old and new size count.
    lines: Option<(usize, usize)>,
    /// Bytes of the old and the new side; 0 for text.
    sizes: (usize, usize),
    unmerged: bool,
}

/// Counts the lines of changes, in their order. Costs a comparison of each.
pub fn count(objects: &Objects, changes: &[Change], style: &Style) -> Outcome<Vec<Counted>> {
    let mut all = Vec::new();
    for change in changes {
        let lines = if change.unmerged {
            Some((0, 0))
        } else {
            patch::count(objects, change, style)?
        };
        let mut sizes = (0, 0);
        if lines.is_none() {
            let size = |side: &Option<super::change::Side>| match side {
                Some(side) => side.bytes(objects).map(|content| content.len()),
                None => Ok(0),
            };
            sizes = (size(&change.old)?, size(&change.new)?);
        }
        all.push(Counted {
            name: renamed(change),
            lines,
            sizes,
            unmerged: change.unmerged,
        });
    }
    Ok(all)
}

/// A path, or `old => new` with what both have in common in front of and behind braces: `a/{b => c}/d`.
fn renamed(change: &Change) -> Vec<u8> {
    let (old, new) = (change.old_path(), change.path());
    if change.score.is_none() {
        return quoted(new);
    }
    if super::quoting::needs_quotes(old) || super::quoting::needs_quotes(new) {
        return bytes!(quoted(old), " => ", quoted(new));
    }
    let mut front = 0;
    for (at, (a, b)) in old.iter().zip(new).enumerate() {
        if a != b {
            break;
        }
        if *a == b'/' {
            front = at + 1;
        }
    }
    let mut back = 0;
    let least = if front > 0 { front - 1 } else { 0 };
    let longest = (old.len() - least).min(new.len() - least);
    for length in 1..=longest {
        let (a, b) = (old[old.len() - length], new[new.len() - length]);
        if a != b {
            break;
        }
        if a == b'/' {
            back = length;
        }
    }
    let middle = |path: &[u8]| {
        let end = path.len() - back;
        path.get(front..end.max(front)).unwrap_or_default().to_vec()
    };
    let (left, right) = (middle(old), middle(new));
    if front + back == 0 {
        return bytes!(old, " => ", new);
    }
    let tail = &old[old.len() - back..];
    bytes!(&old[..front], "{", left, " => ", right, "}", tail)
}

/// `--numstat`: added, removed, name; `-` for what is no text.
pub fn numbers(counted: &[Counted], changes: &[Change], nul: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for (one, change) in counted.iter().zip(changes) {
        let lines = match one.lines {
            Some((added, removed)) => format!("{added}\t{removed}\t"),
            None => "-\t-\t".to_owned(),
        };
        out.extend(match (nul, change.score) {
            (false, _) => bytes!(lines, one.name, "\n"),
            (true, None) => bytes!(lines, change.path(), "\0"),
            (true, Some(_)) => bytes!(lines, "\0", change.old_path(), "\0", change.path(), "\0"),
        });
    }
    out
}

/// The last line of `--stat`: ` 2 files changed, 3 insertions(+), 1 deletion(-)`. Unmerged files do not count.
pub fn total(counted: &[Counted]) -> String {
    let files = counted.iter().filter(|one| !one.unmerged).count();
    let sum = |pick: fn((usize, usize)) -> usize| -> usize {
        counted.iter().filter_map(|one| one.lines).map(pick).sum()
    };
    let (added, removed) = (sum(|lines| lines.0), sum(|lines| lines.1));
    if files == 0 {
        return " 0 files changed\n".to_owned();
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let mut line = format!(" {files} file{} changed", plural(files));
    if added > 0 || removed == 0 {
        line += &format!(", {added} insertion{}(+)", plural(added));
    }
    if removed > 0 || added == 0 {
        line += &format!(", {removed} deletion{}(-)", plural(removed));
    }
    line + "\n"
}

/// The bars for a count, of `width` for the longest; at least one for anything above 0.
fn scaled(count: usize, width: usize, most: usize) -> usize {
    if count == 0 {
        0
    } else {
        1 + count * (width - 1) / most
    }
}

/// `--stat` within `width` columns, by git's shares: names get what the bars leave, the bars at least 3/8 where both
/// are too long; long names lose their front.
pub fn graph(counted: &[Counted], width: usize, color: bool) -> Vec<u8> {
    if counted.is_empty() {
        return Vec::new();
    }
    let length = |name: &[u8]| String::from_utf8_lossy(name).chars().count();
    let mut name_width = counted
        .iter()
        .map(|one| length(&one.name))
        .max()
        .unwrap_or(0);
    let texts = counted.iter().filter_map(|one| one.lines);
    let most = texts
        .map(|(added, removed)| added + removed)
        .max()
        .unwrap_or(0);
    let binary = counted.iter().filter(|one| one.lines.is_none());
    let binary_width = binary
        .map(|one| format!("{} -> {} bytes", one.sizes.0, one.sizes.1).len() + 4)
        .max()
        .unwrap_or(0);
    let mut number_width = most.to_string().len();
    if binary_width > 0 {
        number_width = number_width.max(3);
    }
    let width = width.max(16 + 6 + number_width);
    let mut graph_width = most.max(binary_width.saturating_sub(4));
    if name_width + number_width + 6 + graph_width > width {
        let share = (width * 3 / 8).saturating_sub(number_width + 6).max(6);
        graph_width = graph_width.min(share);
        if name_width > width - number_width - 6 - graph_width {
            name_width = width - number_width - 6 - graph_width;
        } else {
            graph_width = width - number_width - 6 - name_width;
        }
    }
    let mut out = Vec::new();
    for one in counted {
        let mut name = one.name.clone();
        let mut mark = "";
        if length(&name) > name_width {
            let text = String::from_utf8_lossy(&name).into_owned();
            let keep = name_width.saturating_sub(3);
            let tail: String = text.chars().skip(text.chars().count() - keep).collect();
            let tail = match tail.find('/') {
                Some(slash) => tail[slash..].to_owned(),
                None => tail,
            };
            name = tail.into_bytes();
            mark = "...";
        }
        let pad = " ".repeat(name_width.saturating_sub(length(&name) + mark.len()));
        out.extend(bytes!(" ", mark, name, pad, " | "));
        let paint = |code: &str, text: String| match (color, text.is_empty()) {
            (true, false) => format!("\x1b[{code}m{text}\x1b[m"),
            _ => text,
        };
        let Some((added, removed)) = one.lines else {
            let (old, new) = one.sizes;
            let (old, new) = (paint("31", old.to_string()), paint("32", new.to_string()));
            out.extend(format!("{:>number_width$} {old} -> {new} bytes\n", "Bin").into_bytes());
            continue;
        };
        if one.unmerged {
            out.extend_from_slice(b"Unmerged\n");
            continue;
        }
        let (mut plus, mut minus) = (added, removed);
        if graph_width <= most {
            let mut total = scaled(added + removed, graph_width, most);
            if total < 2 && added > 0 && removed > 0 {
                total = 2;
            }
            if added < removed {
                plus = scaled(added, graph_width, most);
                minus = total.saturating_sub(plus);
            } else {
                minus = scaled(removed, graph_width, most);
                plus = total.saturating_sub(minus);
            }
        }
        let number = added + removed;
        let bars = paint("32", "+".repeat(plus)) + &paint("31", "-".repeat(minus));
        let gap = if number > 0 { " " } else { "" };
        out.extend(format!("{number:>number_width$}{gap}{bars}\n").into_bytes());
    }
    out.extend_from_slice(total(counted).as_bytes());
    out
}

/// `--summary`: files that came, went, were renamed or got another mode.
pub fn news(changes: &[Change]) -> Vec<u8> {
    let mut out = Vec::new();
    for change in changes {
        match (&change.old, &change.new) {
            (None, Some(new)) => {
                let mode = format!(" create mode {:06o} ", new.item.mode);
                out.extend(bytes!(mode, quoted(&new.path), "\n"));
            }
            (Some(old), None) => {
                let mode = format!(" delete mode {:06o} ", old.item.mode);
                out.extend(bytes!(mode, quoted(&old.path), "\n"));
            }
            (Some(old), Some(new)) => {
                let modes = format!(
                    " mode change {:06o} => {:06o}",
                    old.item.mode, new.item.mode
                );
                if let Some(score) = change.score {
                    let what = if change.copied { " copy " } else { " rename " };
                    out.extend(bytes!(what, renamed(change), format!(" ({score}%)\n")));
                    if old.item.mode != new.item.mode {
                        out.extend(bytes!(modes, "\n"));
                    }
                } else if old.item.mode != new.item.mode {
                    out.extend(bytes!(modes, " ", quoted(&new.path), "\n"));
                }
            }
            (None, None) => {}
        }
    }
    out
}

/// `--name-only` and `--name-status`: `R090<tab>old<tab>new`.
pub fn names(changes: &[Change], status: bool, nul: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let (tab, end) = if nul { ("\0", "\0") } else { ("\t", "\n") };
    let show = |path: &[u8]| if nul { path.to_vec() } else { quoted(path) };
    for change in changes {
        if status {
            let score = change
                .score
                .map_or(String::new(), |score| format!("{score:03}"));
            out.extend(bytes!(change.letter().to_string(), score, tab));
            if change.score.is_some() {
                out.extend(bytes!(show(change.old_path()), tab));
            }
        }
        out.extend(bytes!(show(change.path()), end));
    }
    out
}

/// `--raw`: modes, names of objects and status. A file of the work tree has no name: zeros.
pub fn raw(objects: &Objects, changes: &[Change], full: bool, nul: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let (tab, end) = if nul { ("\0", "\0") } else { ("\t", "\n") };
    for change in changes {
        let part = |side: &Option<super::change::Side>| match side {
            Some(side) => {
                let known = matches!(side.content, super::change::Content::Object);
                let id = if known {
                    side.item.id
                } else {
                    super::objects::none()
                };
                (side.item.mode, id)
            }
            None => (0, super::objects::none()),
        };
        let ((old_mode, old), (new_mode, new)) = (part(&change.old), part(&change.new));
        let name = |id| {
            if full {
                format!("{id}")
            } else {
                objects.short(&id, None)
            }
        };
        let score = change
            .score
            .map_or(String::new(), |score| format!("{score:03}"));
        let head = format!(
            ":{old_mode:06o} {new_mode:06o} {} {} {}{score}{tab}",
            name(old),
            name(new),
            change.letter()
        );
        out.extend_from_slice(head.as_bytes());
        let show = |path: &[u8]| if nul { path.to_vec() } else { quoted(path) };
        if change.score.is_some() {
            out.extend(bytes!(show(change.old_path()), tab));
        }
        out.extend(bytes!(show(change.path()), end));
    }
    out
}

/// `apply --stat`: name, added, removed.
pub fn plain_graph(rows: &[(Vec<u8>, usize, usize)]) -> Vec<u8> {
    let names: Vec<Vec<u8>> = rows.iter().map(|(name, ..)| quoted(name)).collect();
    let width = names.iter().map(Vec::len).max().unwrap_or(0).min(50);
    let most = rows
        .iter()
        .map(|(_, added, removed)| added + removed)
        .max()
        .unwrap_or(0);
    let graph = if width + most > 70 { 70 - width } else { most };
    let scaled = |count: usize| (count * graph + most / 2).checked_div(most).unwrap_or(0);
    let mut out = Vec::new();
    let (mut all_added, mut all_removed) = (0, 0);
    for (name, (_, added, removed)) in names.iter().zip(rows) {
        let text = String::from_utf8_lossy(name).into_owned();
        let plus = scaled(*added);
        let minus = scaled(added + removed) - plus;
        let bars = "+".repeat(plus) + &"-".repeat(minus);
        out.extend(format!(" {text:<width$} |{:5} {bars}\n", added + removed).into_bytes());
        all_added += added;
        all_removed += removed;
    }
    let sum = Counted {
        name: Vec::new(),
        lines: Some((all_added, all_removed)),
        sizes: (0, 0),
        unmerged: false,
    };
    let line = total(&[sum]);
    let files = rows.len();
    let plural = if files == 1 { "" } else { "s" };
    out.extend(
        line.replacen("1 file", &format!("{files} file{plural}"), 1)
            .into_bytes(),
    );
    out
}
