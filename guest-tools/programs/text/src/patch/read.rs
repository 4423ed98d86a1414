//! Reading patches: unified, context and normal differences, with git's extended headers.

/// Which side of a change a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Both,
    Old,
    New,
}

/// One change with its context.
#[derive(Clone, Debug, Default)]
pub struct Hunk {
    /// The first line of the old and of the new text, counted from 1.
    pub old_start: usize,
    pub new_start: usize,
    /// The lines with their ends.
    pub lines: Vec<(Side, Vec<u8>)>,
    /// What follows the second `@@`.
    pub function: Vec<u8>,
}

impl Hunk {
    /// The lines of one side.
    pub fn side(&self, side: Side) -> Vec<&[u8]> {
        let of_side = |line: &&(Side, Vec<u8>)| line.0 == Side::Both || line.0 == side;
        let lines = self.lines.iter().filter(of_side);
        lines.map(|(_, text)| text.as_slice()).collect()
    }

    /// How many lines before the first change and after the last one are the same in both.
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
    Unified,
    Context,
    Normal,
}

/// What a patch does with one file.
#[derive(Clone, Debug)]
pub struct Patch {
    pub format: Format,
    /// The names of the header, each with what follows it.
    pub old: Option<Name>,
    pub new: Option<Name>,
    pub index: Option<Vec<u8>>,
    /// From git's headers.
    pub is_git: bool,
    pub git_names: Option<(Vec<u8>, Vec<u8>)>,
    pub rename_from: Option<Vec<u8>>,
    pub rename_to: Option<Vec<u8>>,
    pub is_copy: bool,
    pub creates: bool,
    pub deletes: bool,
    pub mode: Option<u32>,
    pub hunks: Vec<Hunk>,
    /// The lines before the first hunk, and the number of the line after them.
    pub lead: Vec<Vec<u8>>,
    pub line: usize,
}

/// A file name in a header.
#[derive(Clone, Debug)]
pub struct Name {
    pub path: Vec<u8>,
    /// The text after it: a tab and a time.
    pub rest: Vec<u8>,
}

impl Name {
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

    /// Whether the header says that there was or will be no such file.
    pub fn is_nothing(&self) -> bool {
        let time = self.rest.trim_ascii();
        let epoch: [&[u8]; 2] = [b"1970-01-01 ", b"Thu Jan  1 00:00:00 1970"];
        self.path == b"/dev/null"
            || epoch.iter().any(|start| time.starts_with(start))
            || (time.starts_with(b"1969-12-31 ") && time.windows(2).any(|pair| pair == b" -"))
    }
}

fn is_time(text: &[u8]) -> bool {
    text.len() >= 10
        && text[..4].iter().all(u8::is_ascii_digit)
        && text[4] == b'-'
        && text[7] == b'-'
}

/// A name in C quotes, and the length of its text.
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

/// The two names after `diff --git`.
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

/// The patches of a text.
pub struct Reader<'a> {
    lines: Vec<&'a [u8]>,
    at: usize,
    only: Option<Format>,
}

/// A patch that cannot be read: the number of the line, and its text.
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

    fn line(&self, ahead: usize) -> &'a [u8] {
        self.lines.get(self.at + ahead).copied().unwrap_or_default()
    }

    fn malformed(&self) -> Malformed {
        Malformed(self.at + 1, self.line(0).trim_ascii_end().to_vec())
    }

    fn allows(&self, format: Format) -> bool {
        self.only.is_none_or(|only| only == format)
    }

    /// The next patch, after what is no patch.
    pub fn next(&mut self) -> Result<Option<Patch>, Malformed> {
        let mut patch = Patch {
            format: Format::Unified,
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
        };
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

    /// Reads one of the lines after `diff --git`.
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

    /// Takes the note that the last line has no end.
    fn end_note(&mut self, line: &mut Vec<u8>) {
        if self.line(0).starts_with(b"\\ ") {
            self.at += 1;
            if line.last() == Some(&b'\n') {
                line.pop();
            }
        }
    }

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

    /// One half of a context hunk: its start, and its marked lines.
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

/// The two halves of a context hunk as one list of lines.
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

type Command = (u8, (usize, usize), (usize, usize));

/// `3c3`, `7d6` or `4,5a6`.
fn normal_command(line: &[u8]) -> Option<Command> {
    let (from, to, rest) = range(line)?;
    let (&command, rest) = rest.split_first()?;
    let (start, end, rest) = range(rest)?;
    let old = (from, to.unwrap_or(from));
    let new = (start, end.unwrap_or(start));
    let fits = rest.is_empty() && b"acd".contains(&command);
    (fits && old.1 >= old.0 && new.1 >= new.0).then_some((command, old, new))
}
