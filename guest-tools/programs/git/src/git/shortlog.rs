//! `git shortlog`: commits by their authors.

use std::collections::BTreeMap;

use super::diff::diff_options;
use super::flags::Flags;
use super::objects::Person;
use super::repository::Repository;
use super::selection::{OPTIONS, prepare};
use super::stop::Outcome;
use crate::call::bytes;
use crate::options::{Opt, Value};

/// Takes authors and subjects from the output of `git log`.
fn read_log(authors: &mut BTreeMap<Vec<u8>, Vec<Vec<u8>>>, mails: bool) {
    let mut author: Option<Vec<u8>> = None;
    for line in std::io::stdin().lines().map_while(Result::ok) {
        if let Some(rest) = line.strip_prefix("Author: ") {
            let person = Person::parse(rest.as_bytes());
            author = Some(match mails {
                true => bytes!(person.name, " <", person.mail, ">"),
                false => person.name,
            });
        } else if let (Some(subject), true) = (line.strip_prefix("    "), author.is_some()) {
            let name = author.take().unwrap_or_default();
            authors
                .entry(name)
                .or_default()
                .insert(0, subject.as_bytes().to_vec());
        }
    }
}

/// `git shortlog`
pub fn shortlog(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const SHORT: &[Opt] = diff_options![
        Opt("n", "numbered", Value::No),
        Opt("s", "summary", Value::No),
        Opt("e", "email", Value::No),
        Opt("", "all", Value::No),
        Opt("", "since", Value::Required),
        Opt("", "merges", Value::No),
    ];
    // `-s` is another option here than for changes.
    let flags = Flags::read(arguments, &SHORT[SHORT.len() - 6..])?;
    let mut passed: Vec<Vec<u8>> = flags.operands.clone();
    if flags.has("all") {
        passed.push(b"--all".to_vec());
    }
    if flags.denied("merges") {
        passed.push(b"--no-merges".to_vec());
    }
    if let Some(since) = flags.value("since") {
        passed.push(bytes!("--since=", since));
    }
    if let Some(paths) = &flags.paths {
        passed.push(b"--".to_vec());
        passed.extend(paths.iter().cloned());
    }
    let inner = Flags::read(&passed, OPTIONS)?;
    let mut text = Vec::new();
    {
        let mut authors: BTreeMap<Vec<u8>, Vec<Vec<u8>>> = BTreeMap::new();
        // Without a revision the log is read, where none is typed.
        let mut selected = Vec::new();
        if passed.is_empty() && !crate::system::is_terminal(0) {
            read_log(&mut authors, flags.has("e"));
        } else {
            selected = prepare(repository, &inner)?.select()?;
        }
        for one in selected.iter().rev() {
            let author = &one.commit.author;
            let name = if flags.has("e") {
                bytes!(author.name, " <", author.mail, ">")
            } else {
                author.name.clone()
            };
            authors.entry(name).or_default().push(one.commit.subject());
        }
        let mut rows: Vec<_> = authors.into_iter().collect();
        if flags.has("n") {
            rows.sort_by_key(|(_, subjects)| std::cmp::Reverse(subjects.len()));
        }
        for (name, subjects) in rows {
            if flags.has("s") {
                text.extend(bytes!(format!("{:6}\t", subjects.len()), name, "\n"));
                continue;
            }
            text.extend(bytes!(name, format!(" ({}):\n", subjects.len())));
            for subject in subjects {
                text.extend(bytes!("      ", subject, "\n"));
            }
            text.push(b'\n');
        }
    }
    repository.out.put(&text);
    Ok(0)
}
