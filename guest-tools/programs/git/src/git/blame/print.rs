//! The lines of a file with the commits they come from, as they are printed.

use std::collections::{HashMap, HashSet};

use super::super::flags::Flags;
use super::super::objects::{Commit, Id, Person, zone_text};
use super::super::quoting::quoted;
use super::super::stop::{Outcome, usage};
use super::{Blame, Origin, dates};
use crate::call::bytes;

/// Prints the lines `shown` of `text`.
pub fn print(
    blame: &Blame,
    flags: &Flags,
    annotate: bool,
    path: &[u8],
    text: &[&[u8]],
    shown: &[usize],
    out: &mut Vec<u8>,
) -> Outcome {
    let mut commits: HashMap<Id, Commit> = HashMap::new();
    for &at in shown {
        let id = blame.lines[at].origin.commit;
        if let std::collections::hash_map::Entry::Vacant(entry) = commits.entry(id) {
            entry.insert(blame.commit(&id)?);
        }
    }
    if flags.has("p") || flags.has("line-porcelain") {
        porcelain(blame, flags, &commits, text, shown, out)
    } else {
        let table = Table::new(blame, flags, annotate, path, &commits, shown)?;
        for &at in shown {
            table.line(at, text[at], out)?;
        }
        Ok(())
    }
}

fn end_line(line: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        out.push(b'\n');
    }
}

/// How the columns are.
struct Table<'a> {
    blame: &'a Blame<'a>,
    flags: &'a Flags,
    commits: &'a HashMap<Id, Commit>,
    annotate: bool,
    mail: bool,
    show_root: bool,
    digits: usize,
    author: usize,
    number: usize,
    own_number: usize,
    file: Option<usize>,
}

fn width(text: &[u8]) -> usize {
    String::from_utf8_lossy(text)
        .chars()
        .filter_map(unicode_width::UnicodeWidthChar::width)
        .sum()
}

impl<'a> Table<'a> {
    fn new(
        blame: &'a Blame,
        flags: &'a Flags,
        annotate: bool,
        path: &[u8],
        commits: &'a HashMap<Id, Commit>,
        shown: &[usize],
    ) -> Outcome<Table<'a>> {
        let config = &blame.repository.config;
        let mail = flags.has("e") || (!flags.denied("e") && config.truth("blame.showemail", false));
        let origins = || shown.iter().map(|at| &blame.lines[*at]);
        let digits = match flags.number("abbrev")? {
            _ if flags.has("l") => 40,
            Some(count) => (count.max(4) + 1).min(40),
            None => {
                let lengths = commits.keys().map(|id| blame.repository.short(id).len());
                lengths.max().unwrap_or(7) + 1
            }
        };
        let renamed = origins().any(|line| line.origin.path != path);
        let mut table = Table {
            blame,
            flags,
            commits,
            annotate: annotate || flags.has("c"),
            mail,
            show_root: flags.has("root") || config.truth("blame.showroot", false),
            digits,
            author: 0,
            number: shown.last().map_or(1, |at| (at + 1).to_string().len()),
            own_number: origins()
                .map(|line| (line.number + 1).to_string().len())
                .max()
                .unwrap_or(1),
            file: (renamed || flags.has("f"))
                .then(|| origins().map(|line| width(&line.origin.path)).max())
                .flatten(),
        };
        let names = commits.values().map(|commit| width(&table.name(commit)));
        table.author = names.max().unwrap_or(0);
        Ok(table)
    }

    fn name(&self, commit: &Commit) -> Vec<u8> {
        match self.mail {
            true => bytes!("<", commit.author.mail, ">"),
            false => commit.author.name.clone(),
        }
    }

    fn time(&self, person: &Person) -> Outcome<String> {
        let (style, width) = dates(self.flags)?;
        Ok(format!("{:width$}", style.show(person)))
    }

    fn id(&self, id: &Id) -> Outcome<Vec<u8>> {
        let hex = id.to_string();
        let first = !self.show_root && self.blame.is_first(id)?;
        Ok(match first {
            true if self.flags.has("b") => " ".repeat(self.digits).into_bytes(),
            true if !self.annotate => bytes!("^", &hex[..self.digits - 1]),
            _ => hex.as_bytes()[..self.digits].to_vec(),
        })
    }

    fn line(&self, at: usize, text: &[u8], out: &mut Vec<u8>) -> Outcome {
        let line = &self.blame.lines[at];
        let Some(commit) = self.commits.get(&line.origin.commit) else {
            return Ok(());
        };
        out.extend(self.id(&commit.id)?);
        let name = self.name(commit);
        let pad = |to: usize, text: &[u8]| " ".repeat(to.saturating_sub(width(text)));
        let time = self.time(&commit.author)?;
        let number = at + 1;
        if self.annotate {
            let rest = format!("\t{time:>10}\t{number})");
            out.extend(bytes!("\t(", pad(10, &name), name, rest));
            end_line(text, out);
            return Ok(());
        }
        if let Some(file) = self.file {
            let path = &line.origin.path;
            out.extend(bytes!(" ", path, pad(file, path)));
        }
        if self.flags.has("n") {
            let own = format!(" {:1$}", line.number + 1, self.own_number);
            out.extend(own.into_bytes());
        }
        if !self.flags.has("s") {
            let time = format!(" {time:>10}");
            out.extend(bytes!(" (", name, pad(self.author, &name), time));
        }
        out.extend(format!(" {number:0$}) ", self.number).into_bytes());
        end_line(text, out);
        Ok(())
    }
}

/// `--porcelain`: groups of lines that come from one place.
fn porcelain(
    blame: &Blame,
    flags: &Flags,
    commits: &HashMap<Id, Commit>,
    text: &[&[u8]],
    shown: &[usize],
    out: &mut Vec<u8>,
) -> Outcome {
    if flags.has("abbrev") {
        return Err(usage("option `--abbrev' is not supported with --porcelain"));
    }
    let always = flags.has("line-porcelain");
    let mut paths: HashMap<Id, HashSet<&[u8]>> = HashMap::new();
    for &at in shown {
        let origin = &blame.lines[at].origin;
        paths.entry(origin.commit).or_default().insert(&origin.path);
    }
    let mut told: HashSet<Id> = HashSet::new();
    let mut left = 0;
    for (place, &at) in shown.iter().enumerate() {
        let line = &blame.lines[at];
        let id = line.origin.commit;
        let numbers = format!("{id} {} {}", line.number + 1, at + 1);
        let starts = left == 0;
        if starts {
            left = run_length(blame, &shown[place..]);
            out.extend(format!("{numbers} {left}\n").into_bytes());
        } else {
            out.extend(format!("{numbers}\n").into_bytes());
        }
        left -= 1;
        if let Some(commit) = commits.get(&id).filter(|_| starts || always) {
            let new = told.insert(id) || always;
            if new {
                let first = !flags.has("root") && blame.is_first(&id)?;
                details(commit, first, out);
            }
            if new || paths.get(&id).is_some_and(|paths| paths.len() > 1) {
                place_of(blame, &line.origin, out);
            }
        }
        out.push(b'\t');
        end_line(text[at], out);
    }
    Ok(())
}

/// How many lines follow each other here and where they come from.
fn run_length(blame: &Blame, shown: &[usize]) -> usize {
    let follow = |pair: &&[usize]| {
        let (one, two) = (&blame.lines[pair[0]], &blame.lines[pair[1]]);
        pair[0] + 1 == pair[1] && one.origin == two.origin && one.number + 1 == two.number
    };
    1 + shown.windows(2).take_while(follow).count()
}

fn details(commit: &Commit, first: bool, out: &mut Vec<u8>) {
    let mut someone = |role: &str, person: &Person| {
        let stamp = format!(
            "{role}-time {}\n{role}-tz {}\n",
            person.time,
            zone_text(person.zone)
        );
        let mail = bytes!(role, "-mail <", person.mail, ">\n");
        out.extend(bytes!(role, " ", person.name, "\n", mail, stamp));
    };
    someone("author", &commit.author);
    someone("committer", &commit.committer);
    out.extend(bytes!("summary ", commit.subject(), "\n"));
    if first {
        out.extend_from_slice(b"boundary\n");
    }
}

fn place_of(blame: &Blame, origin: &Origin, out: &mut Vec<u8>) {
    if let Some(old) = blame.previous.get(origin) {
        let id = format!("previous {} ", old.commit);
        out.extend(bytes!(id, quoted(&old.path), "\n"));
    }
    out.extend(bytes!("filename ", quoted(&origin.path), "\n"));
}
