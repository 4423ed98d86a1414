//! Reading patches: unified, context and normal differences, with git's extended headers (git's
//! `diff-generate-patch`).
//!
//! A text is read once, from the first line to the last; what is between patches, such as a mail, is skipped. A patch
//! begins at the first of these that appears:
//!
//! ```text
//! --- OLD, +++ NEW, @@ -1,2 +1,3 @@        unified; also a hunk alone
//! *** OLD, --- NEW, ***************        context
//! 3,4c5                                    normal, before a line with < or >
//! diff --git a/OLD b/NEW                   git, without hunks if a mode, a new name or an empty file is all
//! ```
//!
//! Counts in the headers of hunks rule: a hunk has as many lines as they say. What mailers do to patches is undone:
//! an empty line counts as one of context that lost its blank, and up to two empty lines at the very end may be
//! missing.

/// Which side of a change a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is context.
    Both,
    /// It is removed.
    Old,
    /// It is added.
    New,
}

/// One change with its context.
#[derive(Clone, Debug, Default)]
pub struct Hunk {
    /// The first line of the old text, counted from 1. Where the hunk has no line of the old text, the line it is put
    /// before.
    pub old_start: usize,
    /// The same of the new text.
    pub new_start: usize,
    /// The lines with their ends; a last line without a newline in its file has none here.
    pub lines: Vec<(Side, Vec<u8>)>,
    /// What follows the second `@@`, with its blank; it goes into the rejects.
    pub function: Vec<u8>,
}

impl Hunk {
    /// The lines of one side, context included.
    pub fn side(&self, side: Side) -> Vec<&[u8]> {
        let of_side = |line: &&(Side, Vec<u8>)| line.0 == Side::Both || line.0 == side;
        let lines = self.lines.iter().filter(of_side);
        lines.map(|(_, text)| text.as_slice()).collect()
    }

    /// How many lines before the first change and after the last one are the same in both. Both are all lines of a
    /// hunk without a change.
    pub fn context(&self) -> (usize, usize) {
        let same = |line: &&(Side, Vec<u8>)| line.0 == Side::Both;
        (
            self.lines.iter().take_while(same).count(),
            self.lines.iter().rev().take_while(same).count(),
        )
    }

    /// The hunk that undoes this one.
    pub fn reversed(&self) -> Hunk {
        let turned = |(side, text): &(Side, Vec<u8>)| {
            let side = match side {
                Side::Both => Side::Both,
                Side::Old => Side::New,
                Side::New => Side::Old,
            };
            (side, text.clone())
        };
        Hunk {
            old_start: self.new_start,
            new_start: self.old_start,
            lines: self.lines.iter().map(turned).collect(),
            function: self.function.clone(),
        }
    }
}

/// How a patch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `diff -u`.
    Unified,
    /// `diff -c`.
    Context,
    /// `diff` without an option. It names no file.
    Normal,
}

/// What a patch does with one file.
#[derive(Clone, Debug)]
pub struct Patch {
    /// The format of the hunks.
    pub format: Format,
    /// The name of the old file in the header.
    pub old: Option<Name>,
    /// The name of the new file.
    pub new: Option<Name>,
    /// The name behind `Index:`.
    pub index: Option<Vec<u8>>,
    /// There was a line `diff --git`.
    pub is_git: bool,
    /// The two names of that line.
    pub git_names: Option<(Vec<u8>, Vec<u8>)>,
    /// The name behind `rename from` or `copy from`.
    pub rename_from: Option<Vec<u8>>,
    /// The name behind `rename to` or `copy to`.
    pub rename_to: Option<Vec<u8>>,
    /// The old file stays.
    pub is_copy: bool,
    /// There was a line `new file mode`.
    pub creates: bool,
    /// There was a line `deleted file mode`.
    pub deletes: bool,
    /// The permission bits that the file gets.
    pub mode: Option<u32>,
    /// The changes, in the order of the patch.
    pub hunks: Vec<Hunk>,
    /// The lines before the first hunk, for messages.
    pub lead: Vec<Vec<u8>>,
    /// The number of the line after them, counted from 1.
    pub line: usize,
}

impl Patch {
    /// A patch of nothing.
    pub fn empty(format: Format) -> Patch {
        Patch {
            format,
            old: None,
            new: None,
            index: None,
            is_git: false,
            git_names: None,
            rename_from: None,
            rename_to: None,
            is_copy: false,
            creates: false,
            deletes: false,
            mode: None,
            hunks: Vec::new(),
            lead: Vec::new(),
            line: 0,
        }
    }
}

/// A file name in a header.
#[derive(Clone, Debug)]
pub struct Name {
    /// The path, with quotes undone.
    pub path: Vec<u8>,
    /// The text after it: a tab and a time.
    pub rest: Vec<u8>,
}

impl Name {
    /// Reads a name: in C quotes, or up to a tab or to a blank with a date behind it.
    fn new(text: &[u8]) -> Name {
        if text.starts_with(b"\"")
            && let Some((path, length)) = quoted(text)
        {
            let rest = text[length..].to_vec();
            return Name { path, rest };
        }
        let blank = text
            .windows(2)
            .position(|pair| pair[0] == b'\t' || (pair[0] == b' ' && pair[1].is_ascii_digit()));
        let blank = blank.filter(|&at| text[at] == b'\t' || is_time(&text[at + 1..]));
        let end = blank.unwrap_or(text.len());
        Name {
            path: text[..end].trim_ascii_end().to_vec(),
            rest: text[end..].to_vec(),
        }
    }

    /// Whether the header says that there was or will be no such file: it is `/dev/null`, or its time is the epoch in
    /// any time zone.
    pub fn is_nothing(&self) -> bool {
        let time = self.rest.trim_ascii();
        let epoch: [&[u8]; 2] = [b"1970-01-01 ", b"Thu Jan  1 00:00:00 1970"];
        self.path == b"/dev/null"
            || epoch.iter().any(|start| time.starts_with(start))
            || (time.starts_with(b"1969-12-31 ") && time.windows(2).any(|pair| pair == b" -"))
    }
}

/// Whether a text begins like `2024-05-01`.
fn is_time(text: &[u8]) -> bool {
    text.len() >= 10
        && text[..4].iter().all(u8::is_ascii_digit)
        && text[4] == b'-'
        && text[7] == b'-'
}

/// A name in C quotes, and the length of its text with both quotes. None where the second quote is missing.
fn quoted(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut path = Vec::new();
    let mut at = 1;
    loop {
        match *text.get(at)? {
            b'"' => return Some((path, at + 1)),
            b'\\' => {
                at += 1;
                match *text.get(at)? {
                    b'a' => path.push(7),
                    b'b' => path.push(8),
                    b'f' => path.push(12),
                    b'n' => path.push(b'\n'),
                    b'r' => path.push(b'\r'),
                    b't' => path.push(b'\t'),
                    b'v' => path.push(11),
                    b'0'..=b'3' => {
                        let digits = text.get(at..at + 3)?;
                        let digits = std::str::from_utf8(digits).ok()?;
                        path.push(u8::from_str_radix(digits, 8).ok()?);
                        at += 2;
                    }
                    other => path.push(other),
                }
            }
            byte => path.push(byte),
        }
        at += 1;
    }
}

/// The two names after `diff --git`. Names with blanks are told apart by being the same behind their first slash;
/// where no place makes them so, the first blank separates them.
fn git_names(text: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    if text.starts_with(b"\"") {
        let (old, length) = quoted(text)?;
        let new = Name::new(text[length..].trim_ascii_start()).path;
        return Some((old, new));
    }
    let below = |name: &[u8]| {
        name.splitn(2, |&byte| byte == b'/')
            .nth(1)
            .map(<[u8]>::to_vec)
    };
    let split = |at: usize| (text[..at].to_vec(), text[at + 1..].to_vec());
    let blanks = (0..text.len()).filter(|&at| text[at] == b' ');
    let pairs: Vec<_> = blanks.map(split).collect();
    let same = |pair: &&(Vec<u8>, Vec<u8>)| below(&pair.0) == below(&pair.1);
    pairs.iter().find(same).or(pairs.first()).cloned()
}

/// Reads the patches of a text, one after the other.
pub struct Reader<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
    /// The only format that is looked for, if one was asked for.
    only: Option<Format>,
}

/// A patch that cannot be read: the number of the line, counted from 1, and its text.
#[derive(Debug)]
pub struct Malformed(pub usize, pub Vec<u8>);

impl<'a> Reader<'a> {
    /// Whether all was read.
    pub fn is_done(&self) -> bool {
        self.at >= self.lines.len()
    }

    /// Reads `text`; `only` is the one format to look for.
    pub fn new(text: &'a [u8], only: Option<Format>) -> Reader<'a> {
        Reader {
            lines: text.split_inclusive(|&byte| byte == b'\n').collect(),
            at: 0,
            only,
        }
    }

    /// The line so many lines ahead, with its end; empty behind the last.
    fn line(&self, ahead: usize) -> &'a [u8] {
        self.lines.get(self.at + ahead).copied().unwrap_or_default()
    }

    /// The next line is wrong.
    fn malformed(&self) -> Malformed {
        Malformed(self.at + 1, self.line(0).trim_ascii_end().to_vec())
    }

    /// Whether patches of a format are looked for.
    fn allows(&self, format: Format) -> bool {
        self.only.is_none_or(|only| only == format)
    }

    /// The next patch, after what is no patch; none at the end.
    pub fn next(&mut self) -> Result<Option<Patch>, Malformed> {
        let mut patch = Patch::empty(Format::Unified);
        let start = self.at;
        while self.at < self.lines.len() {
            let line = self.line(0);
            let bare = line.strip_suffix(b"\n").unwrap_or(line);
            let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
            if bare.starts_with(b"diff --git ") {
                if patch.is_git {
                    // A header without hunks: a new mode or a new name.
                    break;
                }
                patch.is_git = true;
                patch.git_names = git_names(&bare[11..]);
            } else if let Some(name) = bare.strip_prefix(b"Index:") {
                patch.index = Some(name.trim_ascii().to_vec());
            } else if patch.is_git && self.git_header(bare, &mut patch) {
            } else if self.allows(Format::Unified)
                && bare.starts_with(b"--- ")
                && self.line(1).starts_with(b"+++ ")
                && self.line(2).starts_with(b"@@ -")
            {
                patch.old = Some(Name::new(&bare[4..]));
                patch.new = Some(Name::new(self.line(1)[4..].trim_ascii_end()));
                self.at += 2;
                return self.hunks(patch, start, Format::Unified);
            } else if self.allows(Format::Unified) && bare.starts_with(b"@@ -") {
                return self.hunks(patch, start, Format::Unified);
            } else if self.allows(Format::Context)
                && bare.starts_with(b"*** ")
                && self.line(1).starts_with(b"--- ")
                && self.line(2).starts_with(b"***************")
            {
                patch.old = Some(Name::new(&bare[4..]));
                patch.new = Some(Name::new(self.line(1)[4..].trim_ascii_end()));
                self.at += 2;
                return self.hunks(patch, start, Format::Context);
            } else if self.allows(Format::Normal)
                && normal_command(bare).is_some()
                && [&b"< "[..], b"> "]
                    .iter()
                    .any(|mark| self.line(1).starts_with(mark))
            {
                return self.hunks(patch, start, Format::Normal);
            }
            self.at += 1;
        }
        let changes = patch.mode.is_some() || patch.rename_to.is_some();
        if patch.is_git && (changes || patch.creates || patch.deletes) {
            patch.line = self.at + 1;
            return Ok(Some(patch));
        }
        if self.at < self.lines.len() {
            return self.next();
        }
        Ok(None)
    }

    /// Reads one of the lines after `diff --git`; whether it was one.
    fn git_header(&self, line: &[u8], patch: &mut Patch) -> bool {
        let mode = |text: &[u8]| {
            let digits = std::str::from_utf8(text).ok()?;
            u32::from_str_radix(digits, 8)
                .ok()
                .map(|mode| mode & 0o7777)
        };
        let name = |text: &[u8]| Some(Name::new(text).path);
        if let Some(text) = line.strip_prefix(b"rename from ") {
            patch.rename_from = name(text);
        } else if let Some(text) = line.strip_prefix(b"rename to ") {
            patch.rename_to = name(text);
        } else if let Some(text) = line.strip_prefix(b"copy from ") {
            patch.rename_from = name(text);
            patch.is_copy = true;
        } else if let Some(text) = line.strip_prefix(b"copy to ") {
            patch.rename_to = name(text);
        } else if let Some(text) = line.strip_prefix(b"new mode ") {
            patch.mode = mode(text);
        } else if let Some(text) = line.strip_prefix(b"new file mode ") {
            patch.mode = mode(text);
            patch.creates = true;
        } else if line.starts_with(b"deleted file mode ") {
            patch.deletes = true;
        } else {
            return false;
        }
        true
    }

    /// Reads the hunks that begin here, as long as one follows the other. `start` is where the text before them
    /// began.
    fn hunks(
        &mut self,
        mut patch: Patch,
        start: usize,
        format: Format,
    ) -> Result<Option<Patch>, Malformed> {
        patch.format = format;
        patch.lead = self.lines[start..self.at]
            .iter()
            .map(|line| line.to_vec())
            .collect();
        patch.line = self.at + 1;
        loop {
            let hunk = match format {
                Format::Unified => self.unified()?,
                Format::Context => self.context()?,
                Format::Normal => self.normal()?,
            };
            match hunk {
                Some(hunk) => patch.hunks.push(hunk),
                None => return Ok(Some(patch)),
            }
        }
    }

    /// Takes the note `\ No newline at end of file`, and the end of the line before it.
    fn end_note(&mut self, line: &mut Vec<u8>) {
        if self.line(0).starts_with(b"\\ ") {
            self.at += 1;
            if line.last() == Some(&b'\n') {
                line.pop();
            }
        }
    }

    /// A hunk of a unified difference; none where there is no more.
    fn unified(&mut self) -> Result<Option<Hunk>, Malformed> {
        let Some(head) = self.line(0).strip_prefix(b"@@ -") else {
            return Ok(None);
        };
        let parse = || {
            let (old_start, mut old_count, rest) = range(head)?;
            let (new_start, mut new_count, rest) = range(rest.strip_prefix(b" +")?)?;
            let function = rest.strip_prefix(b" @@")?.to_vec();
            let absent = |count: &mut Option<usize>| count.take().unwrap_or(1);
            Some((
                Hunk {
                    old_start,
                    new_start,
                    lines: Vec::new(),
                    function,
                },
                absent(&mut old_count),
                absent(&mut new_count),
            ))
        };
        let (mut hunk, mut old, mut new) = parse().ok_or_else(|| self.malformed())?;
        hunk.old_start += usize::from(old == 0);
        hunk.new_start += usize::from(new == 0);
        self.at += 1;
        while old > 0 || new > 0 {
            let at_end = self.at >= self.lines.len() && old.max(new) < 3;
            let line = if at_end { b"\n" } else { self.line(0) };
            let (side, text) = match line {
                [b' ', text @ ..] => (Side::Both, text),
                [b'-', text @ ..] => (Side::Old, text),
                [b'+', text @ ..] => (Side::New, text),
                // Mailers take the blank of an empty line, turn it into a tab, or cut the last lines.
                [b'\n', ..] | [b'\r', b'\n'] => (Side::Both, line),
                [b'\t', ..] => (Side::Both, line),
                _ => return Err(self.malformed()),
            };
            let (in_old, in_new) = (side != Side::New, side != Side::Old);
            if (in_old && old == 0) || (in_new && new == 0) {
                return Err(self.malformed());
            }
            old -= usize::from(in_old);
            new -= usize::from(in_new);
            self.at += 1;
            let mut text = text.to_vec();
            self.end_note(&mut text);
            hunk.lines.push((side, text));
        }
        Ok(Some(hunk))
    }

    /// A hunk of a context difference, whose halves become one list of lines; none where there is no more.
    fn context(&mut self) -> Result<Option<Hunk>, Malformed> {
        if !self.line(0).starts_with(b"***************") {
            return Ok(None);
        }
        let function = self.line(0)[15..].trim_ascii_end().to_vec();
        self.at += 1;
        let (old_start, old) = self.context_side(b"*** ", b"****")?;
        let (new_start, new) = self.context_side(b"--- ", b"----")?;
        let lines = merge(old, new).ok_or_else(|| self.malformed())?;
        Ok(Some(Hunk {
            old_start,
            new_start,
            lines,
            function,
        }))
    }

    /// One half of a context hunk: its start, and its marked lines. `mark` begins its header, `end` ends it.
    fn context_side(&mut self, mark: &[u8], end: &[u8]) -> Result<(usize, Vec<Marked>), Malformed> {
        let head = self.line(0).strip_prefix(mark);
        let found = head.and_then(|head| {
            let (start, last, rest) = range(head)?;
            let last = last.unwrap_or(start);
            rest.trim_ascii().starts_with(end).then_some((start, last))
        });
        let (start, last) = found.ok_or_else(|| self.malformed())?;
        self.at += 1;
        let mut lines = Vec::new();
        let count = if last == 0 {
            0
        } else {
            last + 1 - start.min(last + 1)
        };
        while lines.len() < count {
            match self.line(0) {
                [kind @ (b' ' | b'!' | b'+' | b'-'), b' ' | b'\t', text @ ..]
                    if !self.line(0).starts_with(b"--- ") || end == b"----" =>
                {
                    let mut text = text.to_vec();
                    self.at += 1;
                    self.end_note(&mut text);
                    lines.push((*kind, text));
                }
                [b'\n', ..] => {
                    self.at += 1;
                    lines.push((b' ', b"\n".to_vec()));
                }
                // A half without changes may be left out.
                _ if lines.is_empty() => break,
                _ => return Err(self.malformed()),
            }
        }
        let start = if last == 0 { start + 1 } else { start };
        Ok((start, lines))
    }

    /// A hunk of a normal difference; none where there is no more.
    fn normal(&mut self) -> Result<Option<Hunk>, Malformed> {
        let Some((command, old, new)) = normal_command(self.line(0).trim_ascii_end()) else {
            return Ok(None);
        };
        self.at += 1;
        let mut hunk = Hunk {
            old_start: old.0 + usize::from(command == b'a'),
            new_start: new.0 + usize::from(command == b'd'),
            ..Hunk::default()
        };
        let mut take = |reader: &mut Self, mark: &[u8], side, count| {
            for _ in 0..count {
                let text = reader.line(0).strip_prefix(mark);
                let mut text = text.ok_or_else(|| reader.malformed())?.to_vec();
                reader.at += 1;
                reader.end_note(&mut text);
                hunk.lines.push((side, text));
            }
            Ok(())
        };
        if command != b'a' {
            take(self, b"< ", Side::Old, old.1 + 1 - old.0)?;
        }
        if command == b'c' {
            if !self.line(0).starts_with(b"---") {
                return Err(self.malformed());
            }
            self.at += 1;
        }
        if command != b'd' {
            take(self, b"> ", Side::New, new.1 + 1 - new.0)?;
        }
        Ok(Some(hunk))
    }
}

/// A line of a context difference with its mark.
type Marked = (u8, Vec<u8>);

/// The two halves of a context hunk as one list of lines, of each group of changes first what is removed. A half that
/// was left out has the context of the other. None where their contexts differ.
fn merge(old: Vec<Marked>, new: Vec<Marked>) -> Option<Vec<(Side, Vec<u8>)>> {
    let mut lines = Vec::new();
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    let (only_new, only_old) = (old.peek().is_none(), new.peek().is_none());
    loop {
        if let Some((_, text)) = old.next_if(|(kind, _)| matches!(kind, b'-' | b'!')) {
            lines.push((Side::Old, text));
        } else if let Some((_, text)) = new.next_if(|(kind, _)| matches!(kind, b'+' | b'!')) {
            lines.push((Side::New, text));
        } else {
            match (old.next(), new.next()) {
                (Some((_, a)), Some((_, b))) if a == b => lines.push((Side::Both, a)),
                (Some((_, a)), None) if only_old => lines.push((Side::Both, a)),
                (None, Some((_, b))) if only_new => lines.push((Side::Both, b)),
                (None, None) => return Some(lines),
                _ => return None,
            }
        }
    }
}

/// The number that a text begins with, and what follows.
fn digits(text: &[u8]) -> Option<(usize, &[u8])> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    Some((number, &text[length..]))
}

/// `N` or `N,M`, and what follows.
fn range(text: &[u8]) -> Option<(usize, Option<usize>, &[u8])> {
    let (first, rest) = digits(text)?;
    match rest.strip_prefix(b",") {
        None => Some((first, None, rest)),
        Some(rest) => {
            let (second, rest) = digits(rest)?;
            Some((first, Some(second), rest))
        }
    }
}

/// The letter of a normal difference, and the first and last lines of both sides.
type Command = (u8, (usize, usize), (usize, usize));

/// Reads `3c3`, `7d6` or `4,5a6`, which must be the whole line.
fn normal_command(line: &[u8]) -> Option<Command> {
    let (from, to, rest) = range(line)?;
    let (&command, rest) = rest.split_first()?;
    let (start, end, rest) = range(rest)?;
    let old = (from, to.unwrap_or(from));
    let new = (start, end.unwrap_or(start));
    let fits = rest.is_empty() && b"acd".contains(&command);
    (fits && old.1 >= old.0 && new.1 >= new.0).then_some((command, old, new))
}
