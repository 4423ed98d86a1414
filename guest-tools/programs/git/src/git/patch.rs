//! Changes as a patch.

use imara_diff::Algorithm;

use super::change::{Change, Side};
use super::lines::{self, Blanks};
use super::objects::{Objects, none};
use super::quoting::{needs_quotes, quoted};
use super::stop::Outcome;
use super::words::{self, Mark, Words};
use crate::call::bytes;

/// How patches look.
#[derive(Clone, Debug)]
pub struct Style {
    pub context: usize,
    pub algorithm: Algorithm,
    pub blanks: Blanks,
    /// What stands before old and new paths.
    pub prefixes: [Vec<u8>; 2],
    pub full_index: bool,
    pub abbrev: Option<usize>,
    /// All files are text.
    pub text: bool,
    pub color: bool,
    /// Words are compared within lines.
    pub words: Option<Words>,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            context: 3,
            algorithm: Algorithm::Myers,
            blanks: Blanks::Count,
            prefixes: [b"a/".to_vec(), b"b/".to_vec()],
            full_index: false,
            abbrev: None,
            text: false,
            color: false,
            words: None,
        }
    }
}

/// What colours the parts of a patch have.
#[derive(Clone, Copy)]
enum Part {
    Head,
    Place,
    Old,
    New,
    Plain,
}

impl Style {
    fn paint(&self, out: &mut Vec<u8>, part: Part, text: &[u8]) {
        let code = match part {
            Part::Head => "\x1b[1m",
            Part::Place => "\x1b[36m",
            Part::Old => "\x1b[31m",
            Part::New => "\x1b[32m",
            Part::Plain => "",
        };
        if self.color && !code.is_empty() && !text.is_empty() {
            out.extend(bytes!(code, text, "\x1b[m"));
        } else {
            out.extend_from_slice(text);
        }
    }

    fn head(&self, out: &mut Vec<u8>, text: impl AsRef<[u8]>) {
        self.paint(out, Part::Head, text.as_ref());
        out.push(b'\n');
    }

    /// A line that both sides have.
    fn same(&self, out: &mut Vec<u8>, line: &[u8]) {
        let Some(words) = &self.words else {
            return self.line(out, Part::Plain, b' ', line);
        };
        if words.mark == Mark::Porcelain {
            out.push(b' ');
        }
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let reset = match self.color && !text.is_empty() {
            true => "\x1b[m",
            false => "",
        };
        out.extend(bytes!(text, reset, "\n"));
        if words.mark == Mark::Porcelain {
            out.extend_from_slice(b"~\n");
        }
    }

    /// One line of a hunk.
    fn line(&self, out: &mut Vec<u8>, part: Part, mark: u8, line: &[u8]) {
        let (text, ended) = match line.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (line, false),
        };
        if self.color && !matches!(part, Part::Plain) {
            self.paint(out, part, &[mark]);
            self.paint(out, part, text);
        } else {
            out.push(mark);
            out.extend_from_slice(text);
        }
        out.push(b'\n');
        if !ended {
            out.extend_from_slice(b"\\ No newline at end of file\n");
        }
    }
}

/// Appends the patch of one change.
pub fn print(out: &mut Vec<u8>, objects: &Objects, change: &Change, style: &Style) -> Outcome {
    let start = out.len();
    let body = body(objects, change, style)?;
    let [old_prefix, new_prefix] = &style.prefixes;
    let (old_path, new_path) = (change.old_path(), change.path());
    let old_name = quoted(&bytes!(old_prefix, old_path));
    let new_name = quoted(&bytes!(new_prefix, new_path));
    style.head(out, bytes!("diff --git ", old_name, " ", new_name));
    match (&change.old, &change.new) {
        (None, Some(new)) => style.head(out, format!("new file mode {:06o}", new.item.mode)),
        (Some(old), None) => style.head(out, format!("deleted file mode {:06o}", old.item.mode)),
        (Some(old), Some(new)) if old.item.mode != new.item.mode => {
            style.head(out, format!("old mode {:06o}", old.item.mode));
            style.head(out, format!("new mode {:06o}", new.item.mode));
        }
        _ => {}
    }
    if let Some(score) = change.score {
        let what = if change.copied { "copy" } else { "rename" };
        style.head(out, format!("similarity index {score}%"));
        style.head(out, bytes!(what, " from ", quoted(old_path)));
        style.head(out, bytes!(what, " to ", quoted(new_path)));
    }
    let id = |side: &Option<Side>| side.as_ref().map_or_else(none, |side| side.item.id);
    let (old_id, new_id) = (id(&change.old), id(&change.new));
    if old_id != new_id || change.old.is_none() || change.new.is_none() {
        if style.blanks != Blanks::Count
            && body.is_empty()
            && change.old.is_some()
            && change.new.is_some()
        {
            // Only blanks differ, which shall not be seen.
            if out[start..].iter().filter(|&&byte| byte == b'\n').count() == 1 {
                out.truncate(start);
            }
            return Ok(());
        }
        let name = |id| {
            if style.full_index {
                format!("{id}")
            } else {
                objects.short(&id, style.abbrev)
            }
        };
        let mut line = format!("index {}..{}", name(old_id), name(new_id));
        if let (Some(old), Some(new)) = (&change.old, &change.new)
            && old.item.mode == new.item.mode
        {
            line += &format!(" {:06o}", new.item.mode);
        }
        style.head(out, line);
    }
    if body.starts_with(b"Binary files ") {
        out.extend(body);
        return Ok(());
    }
    if !body.is_empty() {
        let name = |side: &Option<Side>, name: &[u8], path: &[u8]| match side {
            None => b"/dev/null".to_vec(),
            // A blank in a name would be hard to tell from what may follow.
            Some(_) if path.contains(&b' ') && !needs_quotes(path) => bytes!(name, "\t"),
            Some(_) => name.to_vec(),
        };
        for (mark, line) in [
            ("--- ", name(&change.old, &old_name, old_path)),
            ("+++ ", name(&change.new, &new_name, new_path)),
        ] {
            let (text, tab) = match line.strip_suffix(b"\t") {
                Some(text) => (text, "\t"),
                None => (line.as_slice(), ""),
            };
            style.paint(out, Part::Head, &bytes!(mark, text));
            out.extend(bytes!(tab, "\n"));
        }
        out.extend(body);
    }
    Ok(())
}

/// The hunks of a change, or the line about files that are no text.
fn body(objects: &Objects, change: &Change, style: &Style) -> Outcome<Vec<u8>> {
    let content = |side: &Option<Side>| match side {
        Some(side) => side.bytes(objects).map(|content| content.to_vec()),
        None => Ok(Vec::new()),
    };
    let (old, new) = (content(&change.old)?, content(&change.new)?);
    if old == new {
        return Ok(Vec::new());
    }
    if !style.text && (lines::is_binary(&old) || lines::is_binary(&new)) {
        let [old_prefix, new_prefix] = &style.prefixes;
        let name = |side: &Option<Side>, prefix: &[u8]| match side {
            Some(side) => quoted(&bytes!(prefix, side.path)),
            None => b"/dev/null".to_vec(),
        };
        return Ok(bytes!(
            "Binary files ",
            name(&change.old, old_prefix),
            " and ",
            name(&change.new, new_prefix),
            " differ\n"
        ));
    }
    Ok(hunks(&old, &new, style))
}

/// The hunks between two texts.
pub fn hunks(old: &[u8], new: &[u8], style: &Style) -> Vec<u8> {
    let (old, new) = (lines::split(old), lines::split(new));
    let changes = lines::compare(&old, &new, style.algorithm, style.blanks);
    let mut out = Vec::new();
    for group in lines::group(&changes, style.context, old.len(), new.len()) {
        let place = format!(
            "@@ -{} +{} @@",
            lines::span(&group.old),
            lines::span(&group.new)
        );
        style.paint(&mut out, Part::Place, place.as_bytes());
        if let Some(heading) = lines::heading(&old, group.old.start) {
            out.push(b' ');
            out.extend_from_slice(heading);
        }
        out.push(b'\n');
        let mut at = group.new.start;
        for change in group.changes {
            for line in &new[at..change.new.start] {
                style.same(&mut out, line);
            }
            at = change.new.end;
            if let Some(words) = &style.words {
                let gone = words::joined(&old[change.old.clone()]);
                let come = words::joined(&new[change.new.clone()]);
                words.write(&mut out, &gone, &come, style.color);
                continue;
            }
            for line in &old[change.old.clone()] {
                style.line(&mut out, Part::Old, b'-', line);
            }
            for line in &new[change.new.clone()] {
                style.line(&mut out, Part::New, b'+', line);
            }
        }
        for line in &new[at..group.new.end] {
            style.same(&mut out, line);
        }
    }
    out
}

/// How many lines a change adds and removes; none for what is no text.
pub fn count(objects: &Objects, change: &Change, style: &Style) -> Outcome<Option<(usize, usize)>> {
    let content = |side: &Option<Side>| match side {
        Some(side) => side.bytes(objects).map(|content| content.to_vec()),
        None => Ok(Vec::new()),
    };
    let (old, new) = (content(&change.old)?, content(&change.new)?);
    if !style.text && old != new && (lines::is_binary(&old) || lines::is_binary(&new)) {
        return Ok(None);
    }
    let (old, new) = (lines::split(&old), lines::split(&new));
    let changes = lines::compare(&old, &new, style.algorithm, style.blanks);
    let added = changes.iter().map(|change| change.new.len()).sum();
    let removed = changes.iter().map(|change| change.old.len()).sum();
    Ok(Some((added, removed)))
}
