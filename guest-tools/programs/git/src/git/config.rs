//! Git's configuration files (Documentation/git-config, "CONFIGURATION FILE"): reading them, and changing one line of
//! them.
//!
//!     [section]                 names are section.key
//!         key = value ; comment
//!         flag                  a key alone is true
//!     [section "Sub"]           section.Sub.key: the subsection keeps its case
//!         key = "a # b" \
//!               more            one value: quotes keep blanks and #, a backslash at the end goes on
//!
//! `include.path` is followed ten files deep, relative to the file that has it; so is `includeIf` for `gitdir:`,
//! `gitdir/i:`, `onbranch:` and `hasconfig:remote.*.url:`. Changes work on the text and leave every other line as it
//! is.

use std::rc::Rc;

use super::stop::{Outcome, fatal};
use crate::call::bytes;
use crate::system;

/// How far a file of settings reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    System,
    Global,
    #[default]
    Local,
    Worktree,
    Command,
}

impl Scope {
    /// As `--show-scope` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Scope::System => "system",
            Scope::Global => "global",
            Scope::Local => "local",
            Scope::Worktree => "worktree",
            Scope::Command => "command",
        }
    }
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// `section.key` or `section.Sub.key`; all but the subsection in lower case.
    pub name: String,
    /// None stands for a key without `=`, which is true.
    pub value: Option<Vec<u8>>,
    /// The file that has it; empty for the command line.
    pub file: Rc<[u8]>,
    /// How far it reaches.
    pub scope: Scope,
    /// The lines in the file, for changes: from `first` to before `last`, counted from 0.
    first: usize,
    last: usize,
}

/// The settings of all files, later ones win. Lookups go through all of them, O(n).
#[derive(Clone, Debug, Default)]
pub struct Config {
    settings: Vec<Setting>,
    /// What conditions of `includeIf` look at.
    place: Place,
    /// Whether includes are passed over.
    plain: bool,
}

/// What conditions of `includeIf` look at.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The folder `.git`, absolute.
    pub git_dir: Option<Vec<u8>>,
    /// The branch that is checked out.
    pub branch: Option<Vec<u8>>,
}

impl Config {
    /// No settings yet; includes depend on `place`.
    pub fn at(place: Place) -> Config {
        Config {
            place,
            ..Config::default()
        }
    }

    /// No settings yet, and files are read without what they include.
    pub fn plain() -> Config {
        Config {
            plain: true,
            ..Config::default()
        }
    }

    /// Adds the settings of a file, where it is there, and of those that it includes. A malformed line is fatal.
    pub fn add_file(&mut self, path: &[u8]) -> Outcome {
        self.add_nested(path, Scope::Local, 0)
    }

    /// The same for a file that reaches further or less far than a repository's.
    pub fn add_scoped(&mut self, path: &[u8], scope: Scope) -> Outcome {
        self.add_nested(path, scope, 0)
    }

    fn add_nested(&mut self, path: &[u8], scope: Scope, depth: usize) -> Outcome {
        let Ok(text) = system::read_whole(path) else {
            return Ok(());
        };
        let file: Rc<[u8]> = Rc::from(path);
        let folder = path.iter().rposition(|&byte| byte == b'/');
        let folder = folder.map_or(b".".as_slice(), |at| &path[..at]);
        for setting in parse(&text, self.near(path))? {
            let included = self.includes(&setting, folder);
            self.settings.push(Setting {
                file: file.clone(),
                scope,
                ..setting
            });
            if let (Some(value), true) = (included, depth < 10) {
                self.add_nested(&system::join(folder, &home(&value)), scope, depth + 1)?;
            }
        }
        Ok(())
    }

    /// A path as messages have it: that of the repository's own files from the top of its work tree.
    fn near<'a>(&self, path: &'a [u8]) -> &'a [u8] {
        let git_dir = self.place.git_dir.as_deref().unwrap_or_default();
        let root = git_dir.strip_suffix(b".git");
        root.filter(|root| root.ends_with(b"/"))
            .and_then(|root| path.strip_prefix(root))
            .unwrap_or(path)
    }

    /// The file that a setting includes, if it does and its condition holds; `folder` is where its file lies.
    fn includes(&self, setting: &Setting, folder: &[u8]) -> Option<Vec<u8>> {
        let value = setting.value.clone().filter(|_| !self.plain)?;
        if setting.name == "include.path" {
            return Some(value);
        }
        let condition = setting.name.strip_prefix("includeif.")?;
        let condition = condition.strip_suffix(".path")?;
        self.holds(condition, folder).then_some(value)
    }

    /// Whether a condition of `includeIf` holds.
    fn holds(&self, condition: &str, folder: &[u8]) -> bool {
        let Some((kind, pattern)) = condition.split_once(':') else {
            return false;
        };
        let fits = |pattern: &[u8], text: &[u8], case: gix_glob::wildmatch::Mode| {
            let mode = gix_glob::wildmatch::Mode::NO_MATCH_SLASH_LITERAL | case;
            gix_glob::wildmatch(pattern.into(), text.into(), mode)
        };
        let exact = gix_glob::wildmatch::Mode::empty();
        match kind {
            "gitdir" | "gitdir/i" => {
                let Some(git_dir) = &self.place.git_dir else {
                    return false;
                };
                let mut pattern = home(pattern.as_bytes());
                if let Some(rest) = pattern.strip_prefix(b"./") {
                    pattern = system::join(folder, rest);
                } else if pattern.first() != Some(&b'/') {
                    pattern = bytes!("**/", pattern);
                }
                if pattern.ends_with(b"/") {
                    pattern.extend_from_slice(b"**");
                }
                let case = match kind {
                    "gitdir" => exact,
                    _ => gix_glob::wildmatch::Mode::IGNORE_CASE,
                };
                fits(&pattern, git_dir, case)
            }
            "onbranch" => {
                let rest = if pattern.ends_with('/') { "**" } else { "" };
                let pattern = format!("{pattern}{rest}");
                let branch = self.place.branch.as_deref();
                branch.is_some_and(|branch| fits(pattern.as_bytes(), branch, exact))
            }
            "hasconfig" => pattern.strip_prefix("remote.*.url:").is_some_and(|url| {
                let mut urls = self.settings.iter().filter(|setting| {
                    setting.name.starts_with("remote.") && setting.name.ends_with(".url")
                });
                urls.any(|setting| {
                    let value = setting.value.as_deref().unwrap_or_default();
                    fits(url.as_bytes(), value, exact)
                })
            }),
            _ => false,
        }
    }

    /// Adds `name=value`, as `-c` gives it; `name` alone is true.
    pub fn add_word(&mut self, word: &[u8]) -> Outcome {
        let (name, value) = match word.iter().position(|&byte| byte == b'=') {
            Some(at) => (&word[..at], Some(word[at + 1..].to_vec())),
            None => (word, None),
        };
        self.add(name, value)
    }

    /// Adds a setting of the command line or the environment.
    pub fn add(&mut self, name: &[u8], value: Option<Vec<u8>>) -> Outcome {
        self.settings.push(Setting {
            name: canonical(name)?,
            value,
            file: Rc::from([]),
            scope: Scope::Command,
            first: 0,
            last: 0,
        });
        Ok(())
    }

    /// All settings in order.
    pub fn all(&self) -> &[Setting] {
        &self.settings
    }

    /// The last value of a name that is written as [`canonical`] gives it; `true` for a key without `=`.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        let mut found = self.settings.iter().rev();
        let setting = found.find(|setting| setting.name == name)?;
        Some(setting.value.as_deref().unwrap_or(b"true"))
    }

    /// The last value as text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name)
            .map(|value| String::from_utf8_lossy(value).into_owned())
    }

    /// A truth value, or `default` where there is none or it is something else.
    pub fn truth(&self, name: &str, default: bool) -> bool {
        match self.get(name) {
            Some(value) => is_true(value).unwrap_or(default),
            None => default,
        }
    }
}

/// Reads a truth value: `yes`, `on`, `true` and numbers other than 0; `no`, `off`, `false`, the empty value and 0.
/// None for anything else, also for numbers with a unit.
pub fn is_true(value: &[u8]) -> Option<bool> {
    match value.to_ascii_lowercase().as_slice() {
        b"true" | b"yes" | b"on" => Some(true),
        b"" | b"false" | b"no" | b"off" => Some(false),
        text => std::str::from_utf8(text)
            .ok()?
            .parse::<i64>()
            .ok()
            .map(|number| number != 0),
    }
}

/// `~/` stands for the home directory; `~user/` is left as it is.
pub fn home(path: &[u8]) -> Vec<u8> {
    match (path.strip_prefix(b"~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => system::join(&home.into_encoded_bytes(), rest),
        _ => path.to_vec(),
    }
}

/// A name with section and key in lower case: `Branch.Main.Merge` is `branch.Main.merge`. An error with status 1
/// where it has no section, or a key that is none: letters, digits and `-`, a letter first.
pub fn canonical(name: &[u8]) -> Outcome<String> {
    let text = String::from_utf8_lossy(name).into_owned();
    let (Some(first), Some(last)) = (text.find('.'), text.rfind('.')) else {
        return Err(super::stop::Stop {
            status: 1,
            message: bytes!("error: key does not contain a section: ", name),
        });
    };
    let key = &text[last + 1..];
    let letters = key
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !letters || !key.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(super::stop::Stop {
            status: 1,
            message: bytes!("error: invalid key: ", name),
        });
    }
    Ok(format!(
        "{}{}{}",
        text[..first].to_lowercase(),
        &text[first..=last],
        key.to_lowercase()
    ))
}

/// Reads the settings of a file. `path` is for the message `bad config line N in file PATH`. A setting may stand
/// behind its section's bracket in one line.
pub fn parse(text: &[u8], path: &[u8]) -> Outcome<Vec<Setting>> {
    let mut settings = Vec::new();
    let mut section = String::new();
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let mut number = 0;
    let bad = |number: usize| {
        fatal(bytes!(
            "bad config line ",
            (number + 1).to_string(),
            " in file ",
            path
        ))
    };
    while number < lines.len() {
        let mut line = lines[number].trim_ascii();
        let first = number;
        number += 1;
        if line.first() == Some(&b'[') {
            let (name, rest) = header(line).ok_or_else(|| bad(first))?;
            section = name;
            line = rest.trim_ascii();
        }
        if line.is_empty() || line[0] == b'#' || line[0] == b';' {
            continue;
        }
        let end = line
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-');
        let (key, rest) = line.split_at(end.unwrap_or(line.len()));
        if key.is_empty() || section.is_empty() {
            return Err(bad(first));
        }
        let rest = rest.trim_ascii_start();
        let value = match rest.first() {
            Some(b'=') => {
                let mut reader = ValueReader::default();
                let mut rest = rest[1..].to_vec();
                while reader.line(&rest).ok_or_else(|| bad(first))? {
                    let Some(next) = lines.get(number) else { break };
                    rest = next.to_vec();
                    number += 1;
                }
                Some(reader.finish().ok_or_else(|| bad(first))?)
            }
            None | Some(b'#' | b';') => None,
            Some(_) => return Err(bad(first)),
        };
        settings.push(Setting {
            name: format!("{section}.{}", String::from_utf8_lossy(key).to_lowercase()),
            value,
            file: Rc::from([]),
            scope: Scope::Local,
            first,
            last: number,
        });
    }
    Ok(settings)
}

/// The section that a line in brackets names, and what stands behind it. `[a "B"]` is `a.B`; the old form `[a.B]` is
/// `a.b`. None where the bracket is not closed.
fn header(line: &[u8]) -> Option<(String, &[u8])> {
    let mut quoted = false;
    let mut end = None;
    let mut at = 1;
    while at < line.len() {
        match line[at] {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b']' if !quoted => {
                end = Some(at);
                break;
            }
            _ => {}
        }
        at += 1;
    }
    let inner = &line[1..end?];
    let rest = &line[end? + 1..];
    let Some(quote) = inner.iter().position(|&byte| byte == b'"') else {
        return Some((
            String::from_utf8_lossy(inner.trim_ascii()).to_lowercase(),
            rest,
        ));
    };
    let name = String::from_utf8_lossy(inner[..quote].trim_ascii()).to_lowercase();
    let mut sub = Vec::new();
    let mut bytes = inner[quote + 1..].iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => sub.extend(bytes.next()),
            _ => sub.push(byte),
        }
    }
    Some((format!("{name}.{}", String::from_utf8_lossy(&sub)), rest))
}

/// Reads a value over as many lines as it takes.
#[derive(Default)]
struct ValueReader {
    /// What was read, with quotes and escapes resolved.
    value: Vec<u8>,
    /// Within double quotes.
    quoted: bool,
    /// Blanks that count only where something follows.
    blanks: Vec<u8>,
}

impl ValueReader {
    /// Reads a line; true where it goes on with the next, since a backslash ends it. None for an escape that there is
    /// not: only `\n`, `\t`, `\b`, `\"` and `\\` are.
    fn line(&mut self, line: &[u8]) -> Option<bool> {
        let mut bytes = line.iter();
        while let Some(&byte) = bytes.next() {
            match byte {
                b' ' | b'\t' if !self.quoted => {
                    if !self.value.is_empty() {
                        self.blanks.push(byte);
                    }
                    continue;
                }
                b'#' | b';' if !self.quoted => return Some(false),
                b'\r' if bytes.len() == 0 => continue,
                _ => {}
            }
            self.value.append(&mut self.blanks);
            match byte {
                b'"' => self.quoted = !self.quoted,
                b'\\' => match bytes.next() {
                    None => return Some(true),
                    Some(b'n') => self.value.push(b'\n'),
                    Some(b't') => self.value.push(b'\t'),
                    Some(b'b') => self.value.push(8),
                    Some(&other @ (b'"' | b'\\')) => self.value.push(other),
                    Some(_) => return None,
                },
                _ => self.value.push(byte),
            }
        }
        Some(false)
    }

    /// The value; none where a quote is open.
    fn finish(self) -> Option<Vec<u8>> {
        (!self.quoted).then_some(self.value)
    }
}

/// A value as it is written into a file: in quotes where blanks stand at an edge or `#` or `;` in it.
fn write_value(value: &[u8]) -> Vec<u8> {
    let edge = |byte: Option<&u8>| byte.is_some_and(|byte| b" \t".contains(byte));
    let quoted =
        edge(value.first()) || edge(value.last()) || value.iter().any(|byte| b"#;".contains(byte));
    let mut out = Vec::new();
    if quoted {
        out.push(b'"');
    }
    for &byte in value {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            _ => out.push(byte),
        }
    }
    if quoted {
        out.push(b'"');
    }
    out
}

/// The line of a section: `[branch "main"]` for `branch.main.merge`.
fn heading(name: &str) -> Vec<u8> {
    let section = &name[..name.rfind('.').unwrap_or(0)];
    match section.split_once('.') {
        None => bytes!("[", section, "]"),
        Some((section, sub)) => {
            let sub = sub.replace('\\', "\\\\").replace('"', "\\\"");
            bytes!("[", section, " \"", sub, "\"]")
        }
    }
}

/// The text with `name` set: the last line that sets it is replaced, or with `add` and where there is none one is
/// added behind the last one of its section, or with a new section at the end. `name` has the key as the user wrote
/// it, which is how it is written.
///
/// ```text
/// "[a]\n\tb = 1\n", "A.b", "2"      → "[a]\n\tb = 2\n"
/// "[a]\n\tb = 1\n", "x.Y z.k", "2"  → "[a]\n\tb = 1\n[x \"Y z\"]\n\tk = 2\n"
/// ```
pub fn set(text: &[u8], path: &[u8], name: &[u8], value: &[u8], add: bool) -> Outcome<Vec<u8>> {
    let found: Vec<Setting> = with_name(text, path, name)?;
    let last = found.last().filter(|_| !add);
    replace(text, name, value, &[], last.into_iter())
}

/// The settings of one name in a text.
pub fn with_name(text: &[u8], path: &[u8], name: &[u8]) -> Outcome<Vec<Setting>> {
    let wanted = canonical(name)?;
    let mut found = parse(text, path)?;
    found.retain(|setting| setting.name == wanted);
    Ok(found)
}

/// The text with one line that sets `name` in place of the last of `old`, which were read from it, and without the
/// others. Where there are none it is added to the section. `comment` stands behind it.
pub fn replace<'a>(
    text: &[u8],
    name: &[u8],
    value: &[u8],
    comment: &[u8],
    old: impl DoubleEndedIterator<Item = &'a Setting>,
) -> Outcome<Vec<u8>> {
    let wanted = canonical(name)?;
    let key = &name[name
        .iter()
        .rposition(|&byte| byte == b'.')
        .map_or(0, |at| at + 1)..];
    let line = bytes!("\t", key, " = ", write_value(value), comment);
    let mut lines: Vec<Vec<u8>> = lines_of(text);
    let mut new = Some(line);
    for setting in old.rev() {
        let head = heading_of(&lines[setting.first]);
        lines.splice(
            setting.first..setting.last,
            head.into_iter().chain(new.take()),
        );
    }
    if let Some(line) = new {
        let section = &wanted[..wanted.rfind('.').unwrap_or(0)];
        match last_line_of(&lines, section) {
            Some(at) => lines.insert(at + 1, line),
            None => {
                if lines.last().is_some_and(Vec::is_empty) {
                    lines.pop();
                }
                lines.extend([heading(&wanted), line, Vec::new()]);
            }
        }
    }
    Ok(lines.join(&b'\n'))
}

/// The section's bracket that stands before a setting in the same line.
fn heading_of(line: &[u8]) -> Option<Vec<u8>> {
    let trimmed = line.trim_ascii();
    let (_, rest) = header(trimmed).filter(|_| trimmed.starts_with(b"["))?;
    Some(trimmed[..trimmed.len() - rest.len()].to_vec())
}

/// The lines; text that ends in a newline has an empty one at last.
fn lines_of(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect()
}

/// The last line of a section that says something.
fn last_line_of(lines: &[Vec<u8>], section: &str) -> Option<usize> {
    let mut inside = false;
    let mut found = None;
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim_ascii();
        if line.first() == Some(&b'[') {
            inside = header(line).is_some_and(|(name, _)| name == section);
        }
        if inside && !line.is_empty() {
            found = Some(at);
        }
    }
    found
}

/// The text without the settings `name`, and how many there were. A section that is empty then goes.
pub fn unset(text: &[u8], path: &[u8], name: &[u8]) -> Outcome<(Vec<u8>, usize)> {
    let found = with_name(text, path, name)?;
    Ok((without(text, name, found.iter())?, found.len()))
}

/// The text without settings that were read from it, all called `name`. A section that is empty then goes.
pub fn without<'a>(
    text: &[u8],
    name: &[u8],
    old: impl DoubleEndedIterator<Item = &'a Setting>,
) -> Outcome<Vec<u8>> {
    let wanted = canonical(name)?;
    let mut lines = lines_of(text);
    for setting in old.rev() {
        let head = heading_of(&lines[setting.first]);
        lines.splice(setting.first..setting.last, head);
    }
    let section = wanted[..wanted.rfind('.').unwrap_or(0)].to_owned();
    Ok(without_empty(lines, &section).join(&b'\n'))
}

/// The text with the heads of a section changed for another; none where it is not there.
pub fn rename_section(text: &[u8], old: &str, new: &str) -> Option<Vec<u8>> {
    let mut found = false;
    let mut lines = Vec::new();
    for line in lines_of(text) {
        let trimmed = line.trim_ascii();
        match header(trimmed) {
            Some((name, rest)) if trimmed.starts_with(b"[") && name == old => {
                found = true;
                lines.push(heading(&format!("{new}.x")));
                if !rest.trim_ascii().is_empty() {
                    lines.push(bytes!("\t", rest.trim_ascii()));
                }
            }
            _ => lines.push(line),
        }
    }
    found.then(|| lines.join(&b'\n'))
}

/// The lines without a section that says nothing, comments included: git removes it with its last setting.
fn without_empty(mut lines: Vec<Vec<u8>>, section: &str) -> Vec<Vec<u8>> {
    let heads = |line: &[u8]| header(line.trim_ascii()).is_some_and(|(name, _)| name == section);
    let Some(start) = lines
        .iter()
        .position(|line| line.trim_ascii().starts_with(b"[") && heads(line))
    else {
        return lines;
    };
    let length = lines[start + 1..]
        .iter()
        .take_while(|line| line.trim_ascii().is_empty())
        .count();
    let next = lines.get(start + 1 + length);
    let bare = header(lines[start].trim_ascii()).is_some_and(|(_, rest)| rest.is_empty());
    if bare && next.is_none_or(|line| line.trim_ascii().starts_with(b"[")) {
        let keep = usize::from(next.is_none());
        lines.drain(start..start + 1 + length - keep.min(length));
    }
    lines
}

/// The text without a whole section, wherever parts of it stand; none where it is not there.
pub fn remove_section(text: &[u8], section: &str) -> Option<Vec<u8>> {
    let mut inside = false;
    let mut found = false;
    let mut kept = Vec::new();
    for line in lines_of(text) {
        let trimmed = line.trim_ascii();
        if trimmed.first() == Some(&b'[') {
            inside = header(trimmed).is_some_and(|(name, _)| name == section);
            found |= inside;
        }
        if !inside || line.is_empty() {
            kept.push(line);
        }
    }
    found.then(|| kept.join(&b'\n'))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    const TEXT: &[u8] =
        b"# top\n[core]\n\tbare = false ; no\n\teditor = \"a b\" -w # c\n[branch \"Main.x\"]\n\
                          remote=origin\n[alias] st = status \\\n -s\n[flag]\n\ton\n";

    #[test]
    fn reads_what_git_reads() {
        let mut config = Config::default();
        for setting in parse(TEXT, b"f").unwrap() {
            config.settings.push(setting);
        }
        let cases = [
            ("core.bare", Some("false")),
            ("core.editor", Some("a b -w")),
            ("branch.Main.x.remote", Some("origin")),
            ("alias.st", Some("status  -s")),
            ("flag.on", Some("true")),
            ("core.nope", None),
        ];
        for (name, expected) in cases {
            assert_eq!(config.text(name).as_deref(), expected, "{name}");
        }
        assert!(parse(b"[core\n", b"f").is_err());
        assert!(parse(b"x = 1\n", b"f").is_err());
    }

    #[test]
    fn changes_one_line() {
        let set = |text: &[u8], name: &str, value: &str| {
            let text = set(text, b"f", name.as_bytes(), value.as_bytes(), false).unwrap();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(set(b"", "user.name", "A B"), "[user]\n\tname = A B\n");
        assert_eq!(
            set(b"[user]\n\tname = x\n[a]\n\tb = 1\n", "user.eMail", "q#"),
            "[user]\n\tname = x\n\teMail = \"q#\"\n[a]\n\tb = 1\n"
        );
        assert_eq!(set(b"[a]\n\tb = 1\n", "A.b", "2"), "[a]\n\tb = 2\n");
        assert_eq!(
            set(b"[a]\n\tb = 1\n", "x.Y z.k", "2"),
            "[a]\n\tb = 1\n[x \"Y z\"]\n\tk = 2\n"
        );
        let (text, count) = unset(b"[a]\n\tb = 1\n[c]\n\td = 1\n", b"f", b"a.b").unwrap();
        assert_eq!((text.as_slice(), count), (b"[c]\n\td = 1\n".as_slice(), 1));
    }
}
