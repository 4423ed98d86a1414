//! `git apply`: patches onto the work tree or the index.

use gix_object::Kind;

use super::flags::Flags;
use super::index::Entry;
use super::objects::Id;
use super::quoting::unquoted;
use super::repository::Repository;
use super::stop::{Outcome, error, fatal, file, quiet, usage};
use super::tree::{EXECUTABLE, FILE, Item, LINK};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

const OPTIONS: &[Opt] = &[
    Opt("p", "", Value::Required),
    Opt("R", "reverse", Value::No),
    Opt("", "check", Value::No),
    Opt("", "stat", Value::No),
    Opt("", "numstat", Value::No),
    Opt("", "summary", Value::No),
    Opt("", "apply", Value::No),
    Opt("", "cached", Value::No),
    Opt("", "index", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("", "whitespace", Value::Required),
    Opt("", "ignore-whitespace", Value::No),
    Opt("", "ignore-space-change", Value::No),
    Opt("C", "", Value::Required),
    Opt("", "unidiff-zero", Value::No),
    Opt("", "recount", Value::No),
    Opt("", "directory", Value::Required),
    Opt("", "include", Value::Required),
    Opt("", "exclude", Value::Required),
    Opt("3", "3way", Value::No),
    Opt("", "reject", Value::No),
    Opt("N", "intent-to-add", Value::No),
    Opt("", "allow-empty", Value::No),
    Opt("", "binary", Value::No),
];

/// A run of lines in a patch.
#[derive(Clone, Debug, Default)]
struct Hunk {
    old_start: usize,
    new_start: usize,
    /// Mark and text with its end.
    lines: Vec<(u8, Vec<u8>)>,
}

/// What a patch does to one file.
#[derive(Clone, Debug, Default)]
struct FilePatch {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    old_mode: Option<u32>,
    new_mode: Option<u32>,
    hunks: Vec<Hunk>,
    renamed: bool,
    copied: bool,
    binary: bool,
}

impl FilePatch {
    fn name(&self) -> &[u8] {
        self.new
            .as_deref()
            .or(self.old.as_deref())
            .unwrap_or_default()
    }

    fn reverse(&mut self) {
        std::mem::swap(&mut self.old, &mut self.new);
        std::mem::swap(&mut self.old_mode, &mut self.new_mode);
        for hunk in &mut self.hunks {
            std::mem::swap(&mut hunk.old_start, &mut hunk.new_start);
            for (mark, _) in &mut hunk.lines {
                *mark = match *mark {
                    b'+' => b'-',
                    b'-' => b'+',
                    other => other,
                };
            }
            // Lost lines stand before new ones.
            let mut sorted = Vec::new();
            let mut block: Vec<(u8, Vec<u8>)> = Vec::new();
            for line in hunk.lines.drain(..) {
                if line.0 == b' ' {
                    block.sort_by_key(|(mark, _)| *mark == b'+');
                    sorted.append(&mut block);
                    sorted.push(line);
                } else {
                    block.push(line);
                }
            }
            block.sort_by_key(|(mark, _)| *mark == b'+');
            sorted.append(&mut block);
            hunk.lines = sorted;
        }
    }
}

/// Reads a patch.
struct Reader<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
    strip: usize,
}

fn mode(text: &[u8]) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(text.trim_ascii()).ok()?, 8).ok()
}

impl Reader<'_> {
    fn line(&self) -> Option<&[u8]> {
        self.lines
            .get(self.at)
            .map(|line| line.strip_suffix(b"\n").unwrap_or(line))
    }

    fn corrupt(&self) -> super::stop::Stop {
        super::stop::Stop {
            status: 128,
            message: format!("error: corrupt patch at line {}", self.at + 1).into_bytes(),
        }
    }

    /// The path of a `---` or `+++` line; none for `/dev/null`.
    fn path(&self, text: &[u8]) -> Option<Vec<u8>> {
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

    fn all(mut self) -> Outcome<Vec<FilePatch>> {
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
fn patched(content: &[u8], file: &FilePatch, loose: bool) -> Result<Vec<u8>, usize> {
    let mut lines: Vec<Vec<u8>> = super::lines::split(content)
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

/// `git apply`; without a repository it changes files below the working directory.
pub fn apply(mut repository: Option<&mut Repository>, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    for (key, name) in [
        ("3", "--3way"),
        ("reject", "--reject"),
        ("recount", "--recount"),
        ("include", "--include"),
        ("exclude", "--exclude"),
        ("C", "-C"),
        ("N", "--intent-to-add"),
    ] {
        if flags.has(key) {
            return Err(usage(format!("option `{name}' is not supported")));
        }
    }
    let mut text = Vec::new();
    let mut sources = flags.all_paths();
    if sources.is_empty() {
        sources.push(b"-".to_vec());
    }
    for path in &sources {
        let content = system::read_whole(path);
        text.extend(content.map_err(|failure| super::stop::Stop {
            status: 128,
            message: bytes!("error: can't open patch '", path, "': ", failure),
        })?);
    }
    let reader = Reader {
        lines: super::lines::split(&text),
        at: 0,
        strip: flags.number("p")?.unwrap_or(1),
    };
    let mut files = reader.all()?;
    if files.is_empty() {
        if flags.has("allow-empty") {
            return Ok(0);
        }
        return Err(super::stop::Stop {
            status: 128,
            message: b"error: No valid patches in input (allow with \"--allow-empty\")".to_vec(),
        });
    }
    if flags.has("R") {
        files.reverse();
    }
    for one in &mut files {
        if flags.has("R") {
            one.reverse();
        }
        if let Some(folder) = flags.value("directory") {
            for name in [&mut one.old, &mut one.new].into_iter().flatten() {
                *name = system::join(folder, name);
            }
        }
        if one.binary {
            return Err(error(bytes!(
                "cannot apply binary patch to '",
                one.name(),
                "' without full index line\nerror: ",
                one.name(),
                ": patch does not apply"
            )));
        }
    }
    let summary_only = flags.has("stat") || flags.has("numstat") || flags.has("summary");
    if summary_only {
        let text = counts(&files, &flags);
        match &mut repository {
            Some(repository) => repository.out.put(&text),
            None => print(&text),
        }
        if !flags.has("apply") {
            return Ok(0);
        }
    }
    let mut target = Target {
        cached: flags.has("cached"),
        index: flags.has("cached") || flags.has("index"),
        loose: flags.has("ignore-whitespace") || flags.has("ignore-space-change"),
        repository,
        done: Vec::new(),
        verbose: flags.has("v"),
    };
    if target.index && target.repository.is_none() {
        return Err(fatal("--index outside a repository"));
    }
    let mut failed = false;
    for one in &files {
        match target.one(one) {
            Ok(()) => {}
            Err(stop) if stop.status == 1 => {
                eprintln!("{}", String::from_utf8_lossy(&stop.message));
                failed = true;
            }
            Err(stop) => return Err(stop),
        }
    }
    if failed {
        return Err(quiet(1));
    }
    if !flags.has("check") {
        target.write()?;
    }
    Ok(0)
}

fn print(text: &[u8]) {
    use std::io::Write as _;
    // A reader that went away wants no more.
    let _ = std::io::stdout().write_all(text);
}

fn counts(files: &[FilePatch], flags: &Flags) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rows = Vec::new();
    for one in files {
        let count = |mark: u8| {
            let lines = one.hunks.iter().flat_map(|hunk| &hunk.lines);
            lines.filter(|(found, _)| *found == mark).count()
        };
        rows.push((one.name().to_vec(), count(b'+'), count(b'-')));
    }
    if flags.has("numstat") {
        for (name, added, removed) in &rows {
            out.extend(bytes!(format!("{added}\t{removed}\t"), name, "\n"));
        }
    }
    if flags.has("stat") {
        out.extend(super::summary::plain_graph(&rows));
    }
    if flags.has("summary") {
        for one in files {
            let line = match (&one.old, &one.new) {
                (None, Some(name)) => {
                    bytes!(
                        format!(" create mode {:06o} ", one.new_mode.unwrap_or(FILE)),
                        name,
                        "\n"
                    )
                }
                (Some(name), None) => {
                    bytes!(
                        format!(" delete mode {:06o} ", one.old_mode.unwrap_or(FILE)),
                        name,
                        "\n"
                    )
                }
                (Some(old), Some(new)) if one.renamed => bytes!(" rename ", old, " => ", new, "\n"),
                _ => Vec::new(),
            };
            out.extend(line);
        }
    }
    out
}

/// A file as it will be.
struct Done {
    path: Vec<u8>,
    /// None removes it.
    content: Option<(Vec<u8>, u32)>,
}

/// Where patches go.
struct Target<'a> {
    cached: bool,
    index: bool,
    loose: bool,
    verbose: bool,
    repository: Option<&'a mut Repository>,
    done: Vec<Done>,
}

impl Target<'_> {
    /// The file as it is, or as an earlier part of the patch left it.
    fn read(&self, path: &[u8]) -> Outcome<Option<(Vec<u8>, u32)>> {
        if let Some(done) = self.done.iter().rev().find(|done| done.path == path) {
            return Ok(done.content.clone());
        }
        if let (true, Some(repository)) = (self.cached, &self.repository) {
            let index = repository.index()?;
            return match index.get(&self.whole(path)?) {
                Some(entry) => {
                    let content = repository.objects.blob(&entry.item.id)?;
                    Ok(Some((content.to_vec(), entry.item.mode)))
                }
                None => Ok(None),
            };
        }
        let Ok(stat) = system::stat(path, false) else {
            return Ok(None);
        };
        let Some(mode) = super::tree::mode_of(&stat) else {
            return Ok(None);
        };
        let content = if mode == LINK {
            system::read_link(path)
        } else {
            system::read_whole(path)
        };
        let content = content.map_err(|failure| file("cannot read", path, failure))?;
        Ok(Some((content, mode)))
    }

    fn whole(&self, path: &[u8]) -> Outcome<Vec<u8>> {
        match &self.repository {
            Some(repository) => repository.path_from_top(path),
            None => Ok(path.to_vec()),
        }
    }

    fn one(&mut self, patch: &FilePatch) -> Outcome {
        let name = patch.name().to_vec();
        if self.verbose {
            eprintln!("Checking patch {}...", String::from_utf8_lossy(&name));
        }
        for path in [&patch.old, &patch.new].into_iter().flatten() {
            let escapes = path.first() == Some(&b'/')
                || path
                    .split(|&byte| byte == b'/')
                    .any(|part| part == b".." || part == b".git");
            if escapes {
                return Err(error(bytes!("invalid path '", path, "'")));
            }
        }
        if self.index && !self.cached {
            self.check_index(patch)?;
        }
        let old = match &patch.old {
            Some(path) => match self.read(path)? {
                Some(old) => old,
                None => {
                    let place = if self.cached {
                        ": does not exist in index"
                    } else {
                        ": No such file or directory"
                    };
                    return Err(error(bytes!(path, place)));
                }
            },
            None => (Vec::new(), FILE),
        };
        if let (None, Some(path)) = (&patch.old, &patch.new)
            && self.read(path)?.is_some()
        {
            let place = if self.cached {
                ": already exists in index"
            } else {
                ": already exists in working directory"
            };
            return Err(error(bytes!(path, place)));
        }

        let content = patched(&old.0, patch, self.loose).map_err(|line| {
            error(bytes!(
                "patch failed: ",
                name,
                format!(":{line}\nerror: "),
                name,
                ": patch does not apply"
            ))
        })?;
        if let (Some(path), true) = (&patch.old, patch.new.is_none() || patch.renamed) {
            if patch.new.is_none() && !content.is_empty() {
                return Err(error(bytes!(
                    "removal patch leaves file contents\nerror: ",
                    path,
                    ": patch does not apply"
                )));
            }
            self.done.push(Done {
                path: path.clone(),
                content: None,
            });
        }
        if let Some(path) = &patch.new {
            let mode = patch.new_mode.unwrap_or(old.1);
            self.done.push(Done {
                path: path.clone(),
                content: Some((content, mode)),
            });
        }
        Ok(())
    }

    fn check_index(&self, patch: &FilePatch) -> Outcome {
        let Some(repository) = &self.repository else {
            return Ok(());
        };
        let index = repository.index()?;
        let Some(path) = &patch.old else {
            let new = patch.name();
            return match index.has(&self.whole(new)?) {
                true => Err(error(bytes!(new, ": already exists in index"))),
                false => Ok(()),
            };
        };
        let whole = self.whole(path)?;
        match index.get(&whole) {
            None => Err(error(bytes!(path, ": does not exist in index"))),
            Some(entry) => match repository.compare(&index, &whole, entry)? {
                super::worktree::State::Same => Ok(()),
                _ => Err(error(bytes!(path, ": does not match index"))),
            },
        }
    }

    fn write(&mut self) -> Outcome {
        let mut written: Vec<(Vec<u8>, Option<Item>)> = Vec::new();
        for done in &self.done {
            let whole = self.whole(&done.path)?;
            match &done.content {
                None => {
                    if !self.cached {
                        remove(&done.path);
                    }
                    written.push((whole, None));
                }
                Some((content, mode)) => {
                    if !self.cached {
                        place(&done.path, content, *mode)?;
                    }
                    if let (true, Some(repository)) = (self.index, &self.repository) {
                        let id: Id = repository.objects.write(Kind::Blob, content)?;
                        let mode = if *mode & 0o111 != 0 && *mode != LINK {
                            EXECUTABLE
                        } else {
                            *mode
                        };
                        written.push((whole, Some(Item { mode, id })));
                    }
                }
            }
        }
        if let (true, Some(repository)) = (self.index, &self.repository) {
            let mut index = repository.index()?;
            for (path, item) in written {
                match item {
                    Some(item) => {
                        let stat = system::stat(&repository.file(&path)?, false);
                        let entry = match (&stat, self.cached) {
                            (Ok(stat), false) => Entry::seen(item, stat),
                            _ => Entry::new(item),
                        };
                        index.set(&path, entry);
                    }
                    None => {
                        index.remove(&path);
                    }
                }
            }
            repository.save(&index)?;
        }
        Ok(())
    }
}

fn remove(path: &[u8]) {
    // It was read a moment ago; where it is gone, nothing is left to do.
    let _ = system::unlink(path);
    let mut folder = path;
    while let Some(at) = folder.iter().rposition(|&byte| byte == b'/') {
        folder = &folder[..at];
        if system::remove_directory(folder).is_err() {
            break;
        }
    }
}

fn place(path: &[u8], content: &[u8], mode: u32) -> Outcome {
    super::refs::make_parents(path)?;
    let failed = |failure| file("unable to write", path, failure);
    if mode == LINK {
        // What was there before may be a link as well.
        let _ = system::unlink(path);
        return system::symlink(content, path).map_err(failed);
    }
    if system::stat(path, false).is_ok_and(|stat| stat.kind == system::Kind::Symlink) {
        system::unlink(path).map_err(failed)?;
    }
    super::objects::write_file(path, content)?;
    let stat = system::stat(path, true).map_err(failed)?;
    let bits = match mode & 0o111 {
        0 => stat.mode & !0o111,
        _ => stat.mode | ((stat.mode & 0o444) >> 2),
    };
    if bits != stat.mode {
        system::set_mode(path, bits).map_err(failed)?;
    }
    Ok(())
}
