//! Commits as text: `--pretty`, `--format` (Documentation/pretty-formats).
//!
//! Named forms are written line by line, those of the user by their placeholders. A `%` that begins none is kept as
//! it is, as git does: also those that are not here, `%w(…)`, `%(trailers…)`, `%(describe…)`, `%S`, `%ah` and `%ch`.
//! There is no mailmap, so `%aN` is `%an`; signatures are never there, so `%G?` is `N`. `Names` is built from all
//! references: once for `--decorate`, and for each `%d` and `%D` of each commit.
//!
//!     %<(10,trunc)%s   ten columns, cut with ".."     %+b   a newline first, if there is a body
//!     %C(bold red)%h   colour, where it is on         %x09  a byte

use std::collections::HashMap;

use super::date::{DateStyle, Mode};
use super::notes::{self, Notes};
use super::objects::{Commit, Id, Person, body, subject};
use super::repository::Repository;
use super::stop::{Outcome, fatal};
use crate::call::bytes;

/// How commits are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pretty {
    /// `NAME SUBJECT`.
    Oneline,
    /// Author and subject.
    Short,
    /// Author, date and message; what `git log` shows.
    Medium,
    /// Author, committer and message.
    Full,
    /// Both people with their dates, and the message.
    Fuller,
    /// The header as it is stored, and the message.
    Raw,
    /// With placeholders; whether each commit ends in a newline (`tformat:`), in place of newlines between two
    /// (`format:`).
    User(Vec<u8>, bool),
}

/// What `--pretty=reference` stands for. Its date is short whatever `--date` says.
const REFERENCE: &[u8] = b"%C(auto)%h (%s, %as)";

impl Pretty {
    /// Reads the value of `--pretty` or `--format`: a name, `format:TEXT`, `tformat:TEXT`, any text with a `%`, or a
    /// name of `pretty.NAME` in the settings. Fatal for anything else.
    pub fn new(repository: &Repository, text: &[u8]) -> Outcome<Pretty> {
        Ok(match text {
            b"oneline" => Pretty::Oneline,
            b"short" => Pretty::Short,
            b"" | b"medium" => Pretty::Medium,
            b"full" => Pretty::Full,
            b"fuller" => Pretty::Fuller,
            b"raw" => Pretty::Raw,
            b"reference" => Pretty::User(REFERENCE.to_vec(), true),
            _ => {
                if let Some(format) = text.strip_prefix(b"format:") {
                    return Ok(Pretty::User(format.to_vec(), false));
                }
                if let Some(format) = text.strip_prefix(b"tformat:") {
                    return Ok(Pretty::User(format.to_vec(), true));
                }
                if text.contains(&b'%') {
                    return Ok(Pretty::User(text.to_vec(), true));
                }
                let name = format!("pretty.{}", String::from_utf8_lossy(text));
                match repository.config.get(&name).map(<[u8]>::to_vec) {
                    Some(other) if other != text => return Pretty::new(repository, &other),
                    _ => return Err(fatal(bytes!("invalid --pretty format: ", text))),
                }
            }
        })
    }

    /// Whether each commit ends in a newline, and no blank line stands between two.
    pub fn terminates(&self) -> bool {
        matches!(self, Pretty::Oneline | Pretty::User(_, true))
    }
}

/// The names of commits: `HEAD -> main, tag: v1`. `HEAD` comes first, then references in the reverse order of names;
/// the branch that `HEAD` stands for is not repeated. Tags count for the commit that they lead to.
pub struct Names(HashMap<Id, Vec<Vec<u8>>>);

impl Names {
    /// Reads all references, and follows those to tags.
    pub fn new(repository: &Repository) -> Names {
        let mut names: HashMap<Id, Vec<Vec<u8>>> = HashMap::new();
        let head = repository.refs.head();
        if let Some(id) = repository.head() {
            let name = match &head {
                Some(branch) => bytes!("HEAD -> ", super::revision::short_reference(branch)),
                None => b"HEAD".to_vec(),
            };
            names.entry(id).or_default().push(name);
        }
        for (name, id) in repository.refs.list(b"refs/").into_iter().rev() {
            if head.as_deref() == Some(&name) {
                continue;
            }
            let shown = match name.strip_prefix(b"refs/tags/") {
                Some(tag) => bytes!("tag: ", tag),
                None if name == b"refs/stash" => name.clone(),
                None => super::revision::short_reference(&name).to_vec(),
            };
            if let Ok((id, _)) = repository.objects.peel(&id) {
                names.entry(id).or_default().push(shown);
            }
        }
        Names(names)
    }

    /// The names of one commit, with `, ` between; none where it has none.
    pub fn of(&self, id: &Id) -> Option<Vec<u8>> {
        self.0.get(id).map(|names| names.join(b", ".as_slice()))
    }
}

/// What is known besides the commit.
pub struct Context<'a> {
    pub repository: &'a Repository,
    /// How dates are shown where the placeholder does not say so.
    pub dates: DateStyle,
    /// The references beside commits. `%d` and `%D` have them in any case.
    pub names: Option<&'a Names>,
    /// Names of commits are short, but for `%H` and its kin.
    pub abbrev: bool,
    /// Escape sequences are written.
    pub color: bool,
    /// `>` or `<` for the sides of `A...B`, or `-`.
    pub side: Option<char>,
    /// The place in the history of a reference, and why it moved.
    pub reflog: Option<(Vec<u8>, Vec<u8>)>,
    /// Notes that are shown.
    pub notes: &'a [Notes],
    /// Whether they stand below messages; `%N` has them in any case.
    pub below: bool,
    /// Names of parents as the walk has them.
    pub parents: Option<&'a [Id]>,
}

impl Context<'_> {
    /// A name as long as asked for.
    fn name(&self, id: &Id) -> String {
        if self.abbrev {
            self.repository.short(id)
        } else {
            id.to_string()
        }
    }

    /// The text of a commit, without the newline at its end. The message stands behind four blanks, and its tabs are
    /// spread, as git does by default; `raw` keeps them.
    pub fn show(&self, commit: &Commit, pretty: &Pretty) -> Outcome<Vec<u8>> {
        match pretty {
            Pretty::User(format, _) => return self.expand(commit, format),
            Pretty::Oneline => return Ok(self.line(commit)),
            _ => {}
        }
        let mut out = self.name_line("commit ", commit);
        out.push(b'\n');
        if let Some((place, why)) = &self.reflog {
            let who = bytes!(commit.committer.name, " <", commit.committer.mail, ">");
            out.extend(bytes!(
                "Reflog: ",
                place,
                " (",
                who,
                ")\nReflog message: ",
                why,
                "\n"
            ));
        }
        if *pretty == Pretty::Raw {
            let (_, content) = self.repository.objects.read(&commit.id)?;
            let end = content
                .windows(2)
                .position(|pair| pair == b"\n\n")
                .unwrap_or(content.len());
            out.extend_from_slice(&content[..end]);
            out.push(b'\n');
        } else {
            out.extend(self.people(commit, pretty));
        }
        out.push(b'\n');
        if *pretty == Pretty::Short {
            out.extend(bytes!("    ", commit.subject(), "\n"));
        } else {
            for line in commit.message.trim_ascii_end().split(|&byte| byte == b'\n') {
                let line = if *pretty == Pretty::Raw {
                    line.to_vec()
                } else {
                    spread(line)
                };
                out.extend(bytes!("    ", line, "\n"));
            }
        }
        if self.below {
            out.extend(notes::paragraphs(self.repository, self.notes, &commit.id)?);
        }
        out.pop();
        Ok(out)
    }

    /// The name of a commit behind `word`, with its side, its parents and the references to it, where these are shown.
    fn name_line(&self, word: &str, commit: &Commit) -> Vec<u8> {
        let side = self.side.map_or(String::new(), |side| format!("{side} "));
        let parents: String = self.parents.map_or(String::new(), |ids| {
            ids.iter().map(|id| format!(" {}", self.name(id))).collect()
        });
        let mut line = bytes!(word, side, self.name(&commit.id), parents);
        if self.color {
            line = bytes!("\x1b[33m", line, "\x1b[m");
        }
        if let Some(names) = self.names.and_then(|names| names.of(&commit.id)) {
            line.extend(bytes!(" (", names, ")"));
        }
        line
    }

    /// A commit in one line.
    fn line(&self, commit: &Commit) -> Vec<u8> {
        let name = self.name_line("", commit);
        match &self.reflog {
            Some((place, why)) => bytes!(name, " ", place, ": ", why),
            None => bytes!(name, " ", commit.subject()),
        }
    }

    /// The lines about parents, people and dates; `Merge:` where there are several parents.
    fn people(&self, commit: &Commit, pretty: &Pretty) -> Vec<u8> {
        let mut out = Vec::new();
        if commit.parents.len() > 1 {
            let parents = commit.parents.iter().map(|id| self.repository.short(id));
            let parents: Vec<String> = parents.collect();
            out.extend(bytes!("Merge: ", parents.join(" "), "\n"));
        }
        let who = |person: &Person| bytes!(person.name, " <", person.mail, ">\n");
        let date = |person: &Person| bytes!(self.dates.show(person), "\n");
        let fuller = *pretty == Pretty::Fuller;
        let gap = if fuller { "    " } else { "" };
        out.extend(bytes!("Author: ", gap, who(&commit.author)));
        match pretty {
            Pretty::Medium => out.extend(bytes!("Date:   ", date(&commit.author))),
            Pretty::Full => out.extend(bytes!("Commit: ", who(&commit.committer))),
            Pretty::Fuller => {
                out.extend(bytes!("AuthorDate: ", date(&commit.author)));
                out.extend(bytes!("Commit:     ", who(&commit.committer)));
                out.extend(bytes!("CommitDate: ", date(&commit.committer)));
            }
            _ => {}
        }
        out
    }

    /// The format with its placeholders filled in. `%+x`, `% x` and `%-x` put a newline or a blank before text, or
    /// take newlines away before none. A width counts for the next placeholder only.
    fn expand(&self, commit: &Commit, format: &[u8]) -> Outcome<Vec<u8>> {
        let mut out = Vec::new();
        let mut rest = format;
        let mut pad: Option<Pad> = None;
        while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
            out.extend_from_slice(&rest[..at]);
            rest = &rest[at + 1..];
            let Some(&first) = rest.first() else {
                out.push(b'%');
                break;
            };
            if matches!(first, b'<' | b'>')
                && let Some((found, length)) = Pad::read(rest, columns_before(&out))
            {
                pad = Some(found);
                rest = &rest[length..];
                continue;
            }
            let modifier = matches!(first, b'+' | b'-' | b' ').then_some(first);
            let inner = if modifier.is_some() { &rest[1..] } else { rest };
            let Some((text, length)) = self.placeholder(commit, inner) else {
                out.push(b'%');
                continue;
            };
            rest = &inner[length..];
            let text = match pad.take() {
                Some(pad) => pad.apply(&text),
                None => text,
            };
            match modifier {
                Some(b'+') if !text.is_empty() => out.push(b'\n'),
                Some(b' ') if !text.is_empty() => out.push(b' '),
                Some(b'-') if text.is_empty() => {
                    while out.last() == Some(&b'\n') {
                        out.pop();
                    }
                }
                _ => {}
            }
            out.extend(text);
        }
        out.extend_from_slice(rest);
        Ok(out)
    }

    /// What stands for the placeholder that `rest` begins with (behind the `%`), and how many bytes that is; none
    /// where it is no placeholder.
    fn placeholder(&self, commit: &Commit, rest: &[u8]) -> Option<(Vec<u8>, usize)> {
        let names = |wrapped: bool| {
            let names = Names::new(self.repository).of(&commit.id);
            match (
                self.names.map_or(names, |known| known.of(&commit.id)),
                wrapped,
            ) {
                (Some(names), true) => bytes!(" (", names, ")"),
                (Some(names), false) => names,
                (None, _) => Vec::new(),
            }
        };
        let list = |ids: &[Id], short: bool| {
            let name = |id: &Id| {
                if short {
                    self.repository.short(id)
                } else {
                    id.to_string()
                }
            };
            ids.iter()
                .map(name)
                .collect::<Vec<_>>()
                .join(" ")
                .into_bytes()
        };
        let one = |text: Vec<u8>| Some((text, 1));
        match rest[0] {
            b'n' => one(b"\n".to_vec()),
            b'%' => one(b"%".to_vec()),
            b'H' => one(commit.id.to_string().into_bytes()),
            b'h' => one(self.repository.short(&commit.id).into_bytes()),
            b'T' => one(commit.tree.to_string().into_bytes()),
            b't' => one(self.repository.short(&commit.tree).into_bytes()),
            b'P' => one(list(&commit.parents, false)),
            b'p' => one(list(&commit.parents, true)),
            b'd' => one(names(true)),
            b'D' => one(names(false)),
            b's' => one(commit.subject()),
            b'f' => one(file_name(&commit.subject())),
            b'b' => one(body(&commit.message).to_vec()),
            b'B' => one(commit.message.clone()),
            b'e' => one(Vec::new()),
            // A note that cannot be read is none.
            b'N' => one(notes::text(self.repository, self.notes, &commit.id).unwrap_or_default()),
            b'm' => one(self.side.unwrap_or('>').to_string().into_bytes()),
            b'a' => self
                .person(&commit.author, rest.get(1)?)
                .map(|text| (text, 2)),
            b'c' => self
                .person(&commit.committer, rest.get(1)?)
                .map(|text| (text, 2)),
            b'g' => {
                let (place, why) = self.reflog.clone().unwrap_or_default();
                match rest.get(1)? {
                    b'd' | b'D' => Some((place, 2)),
                    b's' => Some((why, 2)),
                    b'n' => Some((commit.committer.name.clone(), 2)),
                    b'e' => Some((commit.committer.mail.clone(), 2)),
                    _ => None,
                }
            }
            b'G' => match rest.get(1)? {
                b'?' => Some((b"N".to_vec(), 2)),
                b'G' | b'S' | b'K' | b'F' | b'P' => Some((Vec::new(), 2)),
                b'T' => Some((b"undefined".to_vec(), 2)),
                _ => None,
            },
            b'x' => {
                let digits = std::str::from_utf8(rest.get(1..3)?).ok()?;
                Some((vec![u8::from_str_radix(digits, 16).ok()?], 3))
            }
            b'C' => {
                let (code, length) = color(&rest[1..])?;
                let text = if self.color {
                    code.into_bytes()
                } else {
                    Vec::new()
                };
                Some((text, length + 1))
            }
            _ => None,
        }
    }

    /// What `%aX` and `%cX` stand for; none for an X that there is not.
    fn person(&self, person: &Person, what: &u8) -> Option<Vec<u8>> {
        let dated = |mode: Mode| {
            let style = DateStyle { mode, local: false };
            style.show(person).into_bytes()
        };
        Some(match what {
            b'n' | b'N' => person.name.clone(),
            b'e' | b'E' => person.mail.clone(),
            b'l' | b'L' => person.mail.split(|&byte| byte == b'@').next()?.to_vec(),
            b'd' => self.dates.show(person).into_bytes(),
            b'D' => dated(Mode::Rfc),
            b'r' => dated(Mode::Relative),
            b't' => dated(Mode::Unix),
            b'i' => dated(Mode::Iso),
            b'I' => dated(Mode::Strict),
            b's' => dated(Mode::Short),
            _ => return None,
        })
    }
}

/// The line with blanks in place of tabs, at every eighth column of the line itself: they would not fit behind four
/// blanks. Columns are characters.
fn spread(line: &[u8]) -> Vec<u8> {
    const STOP: usize = 8;
    let mut out = Vec::with_capacity(line.len());
    let mut column = 0;
    for &byte in line {
        if byte == b'\t' {
            let gap = STOP - column % STOP;
            out.resize(out.len() + gap, b' ');
            column += gap;
        } else {
            out.push(byte);
            column += usize::from(byte & 0xc0 != 0x80);
        }
    }
    out
}

/// How many characters stand on the last line, for `%<|(N)`.
fn columns_before(out: &[u8]) -> usize {
    let start = out
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    String::from_utf8_lossy(&out[start..]).chars().count()
}

/// A subject as the name of a file (`%f`, and what format-patch uses): `Fix: a/b (again)` is `Fix-a-b-again`. Bytes
/// above 127 count as separators.
fn file_name(subject: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for &byte in subject {
        let kept = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
        if kept && !(byte == b'.' && out.last() == Some(&b'.')) {
            out.push(byte);
        } else if !kept && !out.is_empty() && out.last() != Some(&b'-') {
            out.push(b'-');
        }
    }
    while matches!(out.last(), Some(b'-' | b'.')) {
        out.pop();
    }
    out
}

/// The escape sequence of a colour, and how long its name is: `red`, `(bold blue)`, `(reset)`. `(auto)` is nothing.
/// None for a name that is no colour.
fn color(rest: &[u8]) -> Option<(String, usize)> {
    let code = |name: &str| -> Option<String> {
        let mut codes = Vec::new();
        for word in name.split([' ', ',']).filter(|word| !word.is_empty()) {
            let colors = [
                "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
            ];
            codes.push(match word {
                "reset" => return Some("\x1b[m".to_owned()),
                "auto" | "always" | "normal" => continue,
                "bold" => 1,
                "dim" => 2,
                "italic" => 3,
                "ul" => 4,
                "reverse" => 7,
                word => 30 + colors.iter().position(|color| *color == word)?,
            });
        }
        let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
        Some(if codes.is_empty() {
            String::new()
        } else {
            format!("\x1b[{}m", codes.join(";"))
        })
    };
    if let Some(inner) = rest.strip_prefix(b"(") {
        let end = inner.iter().position(|&byte| byte == b')')?;
        let name = std::str::from_utf8(&inner[..end]).ok()?;
        return Some((code(name)?, end + 2));
    }
    let named = ["reset", "red", "green", "blue"];
    let name = named
        .into_iter()
        .find(|name| rest.starts_with(name.as_bytes()))?;
    Some((code(name)?, name.len()))
}

/// `%<(N,trunc)` and its like: the width of the next placeholder.
struct Pad {
    /// In characters.
    width: usize,
    /// Blanks stand to the left.
    left: bool,
    /// Half of the blanks stand on either side.
    both: bool,
    /// What happens to longer text: none keeps it, `trunc`, `ltrunc` and `mtrunc` put `..` at the end, the start, in
    /// the middle.
    cut: Option<&'static str>,
}

impl Pad {
    /// Reads what stands behind the `%`, and how long it is: `<(N)`, `>(N)`, `><(N)`, each with `|` for a column of
    /// the line, of which `before` are there. `>>(N)` is read as `>(N)`. None for what is malformed.
    fn read(rest: &[u8], before: usize) -> Option<(Pad, usize)> {
        let marks = rest.iter().take_while(|byte| b"<>|".contains(byte)).count();
        let kind = &rest[..marks];
        let inner = rest[marks..].strip_prefix(b"(")?;
        let end = inner.iter().position(|&byte| byte == b')')?;
        let text = std::str::from_utf8(&inner[..end]).ok()?;
        let (width, cut) = match text.split_once(',') {
            Some((width, cut)) => (width, Some(cut.trim())),
            None => (text, None),
        };
        let cut = match cut {
            None => None,
            Some("trunc") => Some("trunc"),
            Some("ltrunc") => Some("ltrunc"),
            Some("mtrunc") => Some("mtrunc"),
            Some(_) => return None,
        };
        let mut width: usize = width.trim().parse().ok()?;
        if kind.ends_with(b"|") {
            width = width.saturating_sub(before);
        }
        let pad = Pad {
            width,
            left: kind.starts_with(b">"),
            both: kind.starts_with(b"><"),
            cut,
        };
        Some((pad, marks + end + 2))
    }

    /// The text in the width.
    fn apply(&self, text: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(text).into_owned();
        let count = text.chars().count();
        if count > self.width {
            let Some(cut) = self.cut else {
                return text.into_bytes();
            };
            let keep = self.width.saturating_sub(2);
            let start = |count: usize| text.chars().take(count).collect::<String>();
            let end = |length: usize| text.chars().skip(count - length).collect::<String>();
            return match cut {
                "ltrunc" => format!("..{}", end(keep)),
                "mtrunc" => format!("{}..{}", start(keep / 2), end(keep - keep / 2)),
                _ => format!("{}..", start(keep)),
            }
            .into_bytes();
        }
        let free = self.width - count;
        let before = match (self.both, self.left) {
            (true, _) => free / 2,
            (false, true) => free,
            (false, false) => 0,
        };
        let (before, after) = (" ".repeat(before), " ".repeat(free - before));
        bytes!(before, text, after)
    }
}

/// The subject and the body of a tag's or commit's message, for lists such as `for-each-ref`.
pub fn parts(message: &[u8]) -> (Vec<u8>, Vec<u8>) {
    (subject(message), body(message).to_vec())
}
