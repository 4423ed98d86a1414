//! Patches as they are read.

use super::{FilePatch, Hunk};
use crate::git::quoting::unquoted;
use crate::git::stop::Outcome;
use crate::git::tree::FILE;

/// Reads a patch.
pub(super) struct Reader<'a> {
    pub(super) lines: Vec<&'a [u8]>,
    pub(super) at: usize,
    pub(super) strip: usize,
}

pub(super) fn mode(text: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(text.trim_ascii()).ok()?, 8).ok()
}

impl Reader<'_> {
    fn line(&self) -> Option<&[u8]> {
        self.lines
            .get(self.at)
            .map(|line| line.strip_suffix(b"\n").unwrap_or(line))
    }

    fn corrupt(&self) -> crate::git::stop::Stop {
        crate::git::stop::Stop {
            status: 128,
            message: format!("error: corrupt patch at line {}", self.at + 1).into_bytes(),
        }
    }

    /// The path of a `---` or `+++` line; none for `/dev/null`.
    pub(super) fn path(&self, text: &[u8]) -> Option<Vec<u8>> {
        let path = match unquoted(text) {
            Some((path, _)) => path,
            None => {
                let end = text
                    .iter()
                    .position(|&byte| byte == b'\t')
                    .unwrap_or(text.len());
                text[..end].trim_ascii_end().to_vec()
            }
        };
        (path != b"/dev/null").then(|| self.stripped(&path))
    }

    fn stripped(&self, path: &[u8]) -> Vec<u8> {
        let mut rest = path;
        for _ in 0..self.strip {
            match rest.iter().position(|&byte| byte == b'/') {
                Some(at) => rest = &rest[at + 1..],
                None => break,
            }
        }
        rest.to_vec()
    }

    /// Both names of a `diff --git` line, where they are the same but for what is stripped.
    fn names(&self, rest: &[u8]) -> Option<Vec<u8>> {
        if let Some((first, _)) = unquoted(rest) {
            return Some(self.stripped(&first));
        }
        let half = rest
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b' ')
            .map(|(at, _)| at);
        let mut pairs = half.map(|at| (self.stripped(&rest[..at]), self.stripped(&rest[at + 1..])));
        pairs.find(|(old, new)| old == new).map(|(old, _)| old)
    }

    pub(super) fn all(mut self) -> Outcome<Vec<FilePatch>> {
        let mut files = Vec::new();
        while let Some(line) = self.line() {
            if let Some(rest) = line.strip_prefix(b"diff --git ") {
                let name = self.names(rest);
                self.at += 1;
                files.push(self.git_file(name)?);
            } else if line.starts_with(b"--- ")
                && self
                    .lines
                    .get(self.at + 1)
                    .is_some_and(|next| next.starts_with(b"+++ "))
            {
                let mut file = FilePatch::default();
                self.names_and_hunks(&mut file)?;
                if file.old.is_none() {
                    file.new_mode = Some(FILE);
                }
                files.push(file);
            } else {
                self.at += 1;
            }
        }
        Ok(files)
    }

    fn git_file(&mut self, name: Option<Vec<u8>>) -> Outcome<FilePatch> {
        let mut file = FilePatch {
            old: name.clone(),
            new: name,
            ..FilePatch::default()
        };
        while let Some(line) = self.line().map(<[u8]>::to_vec) {
            let field = |key: &str| line.strip_prefix(key.as_bytes());
            let path = |text: &[u8]| unquoted(text).map_or_else(|| text.to_vec(), |(path, _)| path);
            if let Some(text) = field("old mode ") {
                file.old_mode = mode(text);
            } else if let Some(text) = field("new mode ") {
                file.new_mode = mode(text);
            } else if let Some(text) = field("deleted file mode ") {
                file.old_mode = mode(text);
                file.new = None;
            } else if let Some(text) = field("new file mode ") {
                file.new_mode = mode(text);
                file.old = None;
            } else if let Some(text) = field("rename from ") {
                file.old = Some(path(text));
                file.renamed = true;
            } else if let Some(text) = field("rename to ") {
                file.new = Some(path(text));
            } else if let Some(text) = field("copy from ") {
                file.old = Some(path(text));
                file.copied = true;
            } else if let Some(text) = field("copy to ") {
                file.new = Some(path(text));
            } else if let Some(text) = field("index ") {
                let last = text.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
                if text.contains(&b' ') {
                    file.old_mode = mode(last);
                    file.new_mode = file.new_mode.or(mode(last));
                }
                let end = text.windows(2).position(|pair| pair == b"..");
                file.old_id = end.map(|end| text[..end].to_vec());
            } else if line.starts_with(b"similarity index ")
                || line.starts_with(b"dissimilarity index ")
            {
            } else if line.starts_with(b"Binary files ") || line.starts_with(b"GIT binary patch") {
                file.binary = true;
            } else if line.starts_with(b"--- ") {
                let (old, new) = (file.old.clone(), file.new.clone());
                self.names_and_hunks(&mut file)?;
                if file.renamed || file.copied {
                    (file.old, file.new) = (old, new);
                }
                return Ok(file);
            } else {
                break;
            }
            self.at += 1;
        }
        Ok(file)
    }

    fn names_and_hunks(&mut self, file: &mut FilePatch) -> Outcome {
        let old = self.line().and_then(|line| self.path(&line[4..]));
        self.at += 1;
        let Some(line) = self.line().filter(|line| line.starts_with(b"+++ ")) else {
            return Err(self.corrupt());
        };
        let new = self.path(&line[4..]);
        self.at += 1;
        (file.old, file.new) = match (old, new) {
            (Some(old), Some(new)) if old != new && !file.renamed => {
                // `f.orig` against `f`: the shorter one is meant.
                let name = if old.len() < new.len() { old } else { new };
                (Some(name.clone()), Some(name))
            }
            names => names,
        };
        while let Some(line) = self.line().filter(|line| line.starts_with(b"@@ -")) {
            let hunk = parse_head(line).ok_or_else(|| self.corrupt())?;
            self.at += 1;
            file.hunks.push(self.hunk(hunk)?);
        }
        Ok(())
    }

    fn hunk(&mut self, (old_start, old_count, new_start, new_count): Head) -> Outcome<Hunk> {
        let mut hunk = Hunk {
            old_start,
            new_start,
            lines: Vec::new(),
        };
        let (mut old, mut new) = (old_count, new_count);
        while old > 0 || new > 0 {
            let Some(line) = self.lines.get(self.at) else {
                return Err(self.corrupt());
            };
            let (mark, text) = match line.split_first() {
                Some((b'\n', _)) => (b' ', b"\n".as_slice()),
                Some((mark, text)) => (*mark, text),
                None => return Err(self.corrupt()),
            };
            match mark {
                b' ' if old > 0 && new > 0 => (old, new) = (old - 1, new - 1),
                b'-' if old > 0 => old -= 1,
                b'+' if new > 0 => new -= 1,
                b'\\' => {}
                _ => return Err(self.corrupt()),
            }
            if mark == b'\\' {
                cut_end(&mut hunk);
            } else {
                hunk.lines.push((mark, text.to_vec()));
            }
            self.at += 1;
        }
        if self.line().is_some_and(|line| line.starts_with(b"\\")) {
            cut_end(&mut hunk);
            self.at += 1;
        }
        Ok(hunk)
    }
}

/// `\ No newline at end of file`
fn cut_end(hunk: &mut Hunk) {
    if let Some((_, text)) = hunk.lines.last_mut()
        && text.last() == Some(&b'\n')
    {
        text.pop();
    }
}

type Head = (usize, usize, usize, usize);

fn parse_head(line: &[u8]) -> Option<Head> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.strip_prefix("@@ -")?.split(' ');
    let span = |text: &str| -> Option<(usize, usize)> {
        match text.split_once(',') {
            Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    let (old_start, old_count) = span(words.next()?)?;
    let (new_start, new_count) = span(words.next()?.strip_prefix('+')?)?;
    Some((old_start, old_count, new_start, new_count))
}
