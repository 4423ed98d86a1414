//! `git format-patch` (Documentation/git-format-patch): commits as mails in mbox form, which `git am` reads.
//!
//! Headers are RFC 5322's, with names and subjects that are not ASCII in words of RFC 2047; the body is 8 bit. A lone
//! revision means what came since it; merges are left out. Cover letters, threads and attachments are not here.

use super::change;
use super::date::DateStyle;
use super::diff::{Settings, diff_options};
use super::flags::{Flags, NUMBER};
use super::objects::{Commit, Id, Person, body, empty_tree, write_file};
use super::repository::Repository;
use super::revision::{self, Range};
use super::stop::{Outcome, fatal};
use super::walk::Walk;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// The options that are read.
const OPTIONS: &[Opt] = diff_options![
    Opt("", NUMBER, Value::No),
    Opt("o", "output-directory", Value::Required),
    Opt("", "stdout", Value::No),
    Opt("k", "keep-subject", Value::No),
    Opt("n", "numbered", Value::No),
    Opt("N", "", Value::No),
    Opt("", "numbered-files", Value::No),
    Opt("", "start-number", Value::Required),
    Opt("v", "reroll-count", Value::Required),
    Opt("", "subject-prefix", Value::Required),
    Opt("", "rfc", Value::Optional),
    Opt("", "suffix", Value::Required),
    Opt("", "root", Value::No),
    Opt("", "signoff", Value::No),
    Opt("", "signature", Value::Required),
    Opt("q", "quiet", Value::No),
    Opt("", "to", Value::Required),
    Opt("", "cc", Value::Required),
    Opt("", "zero-commit", Value::No),
    Opt("", "from", Value::Optional),
    Opt("", "base", Value::Required),
    Opt("", "thread", Value::Optional),
    Opt("", "no-binary", Value::No),
];

/// How mails are made.
struct Mail<'a> {
    flags: &'a Flags,
    settings: Settings,
    dates: DateStyle,
    /// How many there are.
    total: usize,
    /// The number of the first one (`--start-number`).
    first: usize,
}

/// `git format-patch`: a file for each, whose names are printed, or all on standard output.
pub fn format_patch(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let commits = commits(repository, &flags)?;
    let shown = ["--stat", "--summary", "-p"].map(|word| word.as_bytes().to_vec());
    let mut words = shown.to_vec();
    for (key, value) in flags.in_order() {
        match key {
            "U" => words.push(bytes!("-U", value)),
            "M" | "w" | "b" | "full-index" | "minimal" | "patience" | "histogram" => {
                words.push(bytes!(if key.len() == 1 { "-" } else { "--" }, key));
            }
            _ => {}
        }
    }
    let shown = Flags::read(&words, OPTIONS)?;
    let mail = Mail {
        settings: Settings::new(repository, &shown)?,
        dates: DateStyle::new(b"rfc")?,
        total: commits.len(),
        first: flags.number("start-number")?.unwrap_or(1),
        flags: &flags,
    };
    if let Some(folder) = flags.value("o") {
        super::refs::make_parents(&bytes!(folder, "/"))?;
    }
    for (at, commit) in commits.iter().enumerate() {
        let number = mail.first + at;
        let text = mail.text(repository, commit, number)?;
        if flags.has("stdout") {
            repository.out.put(&text);
            continue;
        }
        let name = mail.name(commit, number);
        let path = match flags.value("o") {
            Some(folder) => system::join(folder, &name),
            None => name,
        };
        write_file(&path, &text)?;
        if !flags.has("q") {
            repository.out.line(&path);
        }
    }
    Ok(0)
}

/// The commits that are meant, the oldest first.
fn commits(repository: &Repository, flags: &Flags) -> Outcome<Vec<Commit>> {
    let limit = flags.number(NUMBER)?;
    let words = &flags.operands;
    let mut range = Range::default();
    for word in words {
        if !range.add(repository, word)? {
            return Err(fatal(bytes!(
                "ambiguous argument '",
                word,
                "': unknown revision or path not in the working tree."
            )));
        }
    }
    // A lone commit is where the series begins, but for `--root` and `-N`.
    if range.exclude.is_empty() && limit.is_none() && !flags.has("root") {
        range.exclude = std::mem::take(&mut range.include);
        if range.exclude.is_empty() {
            let branch = repository.refs.branch();
            let upstream = branch.and_then(|branch| revision::upstream(repository, &branch));
            match upstream {
                Some(name) => range.exclude.push(revision::commit(repository, &name)?.id),
                None => return Ok(Vec::new()),
            }
        }
    }
    if range.include.is_empty() {
        range.include.push(repository.head_commit()?.id);
    }
    let mut walk = Walk::new(repository, &range.include, &range.exclude)?;
    let mut found = Vec::new();
    while let Some(commit) = walk.next()? {
        if limit.is_some_and(|limit| found.len() >= limit) {
            break;
        }
        if commit.parents.len() < 2 {
            found.push(commit);
        }
    }
    found.reverse();
    Ok(found)
}

impl Mail<'_> {
    /// The name of a file, `0001-Fix-a-b.patch`, of 64 bytes at most.
    fn name(&self, commit: &Commit, number: usize) -> Vec<u8> {
        if self.flags.has("numbered-files") {
            return number.to_string().into_bytes();
        }
        let suffix = self.flags.value("suffix").unwrap_or(b".patch");
        let version = self
            .flags
            .value("v")
            .map_or(Vec::new(), |v| bytes!("v", v, "-"));
        let mut name = bytes!(
            version,
            format!("{number:04}-"),
            sanitized(&commit.subject())
        );
        name.truncate(64 - suffix.len().min(32) - 1);
        bytes!(name, suffix)
    }

    /// What stands before the subject: `[PATCH 1/2] `; numbers only where there are several.
    fn prefix(&self, number: usize) -> Vec<u8> {
        if self.flags.has("k") {
            return Vec::new();
        }
        let mut prefix = self
            .flags
            .value("subject-prefix")
            .unwrap_or(b"PATCH")
            .to_vec();
        if self.flags.has("rfc") {
            prefix = bytes!("RFC ", prefix);
        }
        if let Some(version) = self.flags.value("v") {
            prefix = bytes!(prefix, " v", version);
        }
        let numbered = (self.total > 1 || self.flags.has("n")) && !self.flags.has("N");
        if numbered {
            let last = self.total + self.first - 1;
            let width = last.to_string().len();
            prefix = bytes!(prefix, format!(" {number:0width$}/{last}"));
        }
        bytes!("[", prefix, "] ")
    }

    /// A whole mail.
    fn text(&self, repository: &Repository, commit: &Commit, number: usize) -> Outcome<Vec<u8>> {
        let id = match self.flags.has("zero-commit") {
            true => "0".repeat(40),
            false => commit.id.to_string(),
        };
        let mut out = bytes!(
            "From ",
            id,
            " Mon Sep 17 00:00:00 2001\nFrom: ",
            sender(&commit.author),
            "\n"
        );
        out.extend(bytes!("Date: ", self.dates.show(&commit.author), "\n"));
        let subject = commit.subject();
        out.extend(folded(&bytes!("Subject: ", self.prefix(number)), &subject));
        for (key, title) in [("to", "To: "), ("cc", "Cc: ")] {
            let people: Vec<&[u8]> = self.flags.values(key).collect();
            if !people.is_empty() {
                out.extend(bytes!(title, people.join(&b",\n    "[..]), "\n"));
            }
        }
        if !commit.message.is_ascii() {
            out.extend_from_slice(
                b"MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n",
            );
        }
        out.push(b'\n');
        let mut text = body(&commit.message).trim_ascii_end().to_vec();
        if self.flags.has("signoff") {
            let who = repository.committer()?;
            let line = bytes!("Signed-off-by: ", who.name, " <", who.mail, ">");
            let gap: &[u8] = if text.is_empty() { b"" } else { b"\n\n" };
            text = bytes!(text, gap, line);
        }
        if !text.is_empty() {
            out.extend(bytes!(text, "\n"));
        }
        let parent = commit.parents.first().copied().unwrap_or_else(empty_tree);
        let changes = self.changes(repository, &parent, &commit.id)?;
        if !changes.is_empty() {
            out.extend_from_slice(b"---\n");
            self.settings.print(repository, &changes, &mut out)?;
        }
        let signature = match self.flags.denied("signature") {
            true => Vec::new(),
            false => bytes!(
                "-- \n",
                self.flags
                    .value("signature")
                    .unwrap_or(super::VERSION.as_bytes()),
                "\n\n"
            ),
        };
        out.extend(signature);
        Ok(out)
    }

    /// What a commit changes, refined as the options say.
    fn changes(&self, repository: &Repository, old: &Id, new: &Id) -> Outcome<Vec<change::Change>> {
        let found = change::between(&repository.items(old)?, &repository.items(new)?);
        self.settings.refine(repository, found)
    }
}

/// A subject as a part of a file's name.
fn sanitized(subject: &[u8]) -> Vec<u8> {
    let mut name: Vec<u8> = Vec::new();
    for &byte in subject {
        let plain = byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
        match (plain, name.last()) {
            (true, Some(b'.')) if byte == b'.' => {}
            (true, _) => name.push(byte),
            (false, Some(b'-') | None) => {}
            (false, _) => name.push(b'-'),
        }
    }
    while name
        .last()
        .is_some_and(|&byte| byte == b'-' || byte == b'.')
    {
        name.pop();
    }
    name
}

/// `Name <mail>`, the name encoded or quoted where a mail needs that.
fn sender(person: &Person) -> Vec<u8> {
    let special = |byte: &u8| b"()<>[]:;@\\,.\"".contains(byte);
    let name = if !person.name.is_ascii() {
        encoded(&person.name, 0)
    } else if person.name.iter().any(special) {
        bytes!("\"", person.name, "\"")
    } else {
        person.name.clone()
    };
    bytes!(name, " <", person.mail, ">")
}

/// A header in lines of at most 78 characters, or encoded where it is not ASCII.
fn folded(start: &[u8], text: &[u8]) -> Vec<u8> {
    if !text.is_ascii() {
        return bytes!(start, encoded(text, start.len()), "\n");
    }
    let (mut out, mut width) = (start.to_vec(), start.len());
    for (at, word) in text.split(|&byte| byte == b' ').enumerate() {
        if at > 0 && width + 1 + word.len() > 78 {
            out.extend_from_slice(b"\n ");
            width = 1;
        } else if at > 0 {
            out.push(b' ');
            width += 1;
        }
        out.extend_from_slice(word);
        width += word.len();
    }
    out.push(b'\n');
    out
}

/// RFC 2047's form of a text, in words of at most 76 characters; `used` is what stands before the first. A character
/// is never split between two words.
fn encoded(text: &[u8], used: usize) -> Vec<u8> {
    const OPEN: &[u8] = b"=?UTF-8?q?";
    let mut out = OPEN.to_vec();
    let mut width = used + OPEN.len();
    for letter in String::from_utf8_lossy(text).chars() {
        let mut buffer = [0; 4];
        let bytes = letter.encode_utf8(&mut buffer).as_bytes();
        let plain = bytes.len() == 1
            && (letter.is_ascii_alphanumeric()
                || b"!*+-/.,:;'()&%$#@~^{}|<>[]\\\"`".contains(&bytes[0]))
            && !b"()<>[]:;@\\,.\"=?_".contains(&bytes[0]);
        let part: Vec<u8> = match plain {
            true => bytes.to_vec(),
            false => bytes
                .iter()
                .flat_map(|byte| format!("={byte:02X}").into_bytes())
                .collect(),
        };
        if width + part.len() + 2 > 76 {
            out.extend(bytes!("?=\n ", OPEN));
            width = OPEN.len() + 1;
        }
        width += part.len();
        out.extend(part);
    }
    out.extend_from_slice(b"?=");
    out
}
