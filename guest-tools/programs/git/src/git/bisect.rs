//! `git bisect` (Documentation/git-bisect): which commit brought a change, found by halves.
//!
//! The state is git's own: `refs/bisect/bad`, `refs/bisect/good-ID`, `refs/bisect/skip-ID`, the files `BISECT_*`, and
//! `BISECT_LOG`, which `replay` runs. The candidates are what the bad commit reaches and no good one does. Each has a
//! weight, how many candidates it reaches; the one whose weight is next to half of all is tried next
//! (Documentation/git- bisect-lk2009), so about log2 of them are tried.
//!
//! Not here: `--no-checkout`, `--first-parent`, paths that limit the search.

use std::collections::{HashMap, HashSet};

use super::branch::identity;
use super::objects::{Commit, Id, parse_id, write_file};
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, error, fatal, quiet, usage};
use super::walk::{Walk, is_ancestor};
use crate::call::bytes;
use crate::launch;
use crate::system;

/// The files of a search, which its end removes.
const FILES: [&str; 6] = [
    "BISECT_START",
    "BISECT_LOG",
    "BISECT_NAMES",
    "BISECT_TERMS",
    "BISECT_EXPECTED_REV",
    "BISECT_ANCESTORS_OK",
];

/// `git bisect`. `bad` and `good`, `new` and `old`, and the terms of this search are all understood.
pub fn bisect(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    repository.root()?;
    let Some((verb, rest)) = arguments.split_first() else {
        return Err(usage("need a command"));
    };
    let terms = terms(repository);
    match verb.as_slice() {
        b"start" => return start(repository, rest),
        b"reset" => return reset(repository, rest),
        b"help" => {
            repository
                .out
                .line("usage: git bisect (start|bad|good|new|old|skip|reset|log|run|replay|terms)");
            return Ok(0);
        }
        _ => {}
    }
    if repository.note("BISECT_START").is_none() {
        if matches!(verb.as_slice(), b"log" | b"terms" | b"run") {
            return Err(error("We are not bisecting."));
        }
        repository.say("You need to start by \"git bisect start\"\n");
        return Err(quiet(1));
    }
    match verb.as_slice() {
        b"log" => {
            let text = repository.note("BISECT_LOG").unwrap_or_default();
            repository.out.put(text);
            Ok(0)
        }
        b"terms" => {
            let line = bytes!(
                "Your current terms are ",
                terms.1,
                " for the old state\nand ",
                terms.0,
                " for the new state.\n"
            );
            repository.out.put(line);
            Ok(0)
        }
        b"run" => run(repository, rest),
        b"replay" => replay(repository, rest),
        b"next" => next(repository),
        b"skip" => mark_all(repository, "skip", rest),
        b"visualize" | b"view" => {
            let mut words = vec![b"refs/bisect/bad".to_vec(), b"--not".to_vec()];
            words.truncate(1);
            for (_, id) in repository.refs.list(b"refs/bisect/good-") {
                words.push(format!("^{id}").into_bytes());
            }
            super::log::log(repository, &words)
        }
        word if word == terms.0 || word == b"bad" || word == b"new" => {
            mark_all(repository, "bad", rest)
        }
        word if word == terms.1 || word == b"good" || word == b"old" => {
            mark_all(repository, "good", rest)
        }
        word => Err(error(bytes!("unknown command: 'git bisect ", word, "'"))),
    }
}

/// The words for the new and the old state, in this order: `bad` and `good` unless `start` was given others.
fn terms(repository: &Repository) -> (Vec<u8>, Vec<u8>) {
    let text = repository.note("BISECT_TERMS").unwrap_or_default();
    let mut lines = text
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    match (lines.next(), lines.next()) {
        (Some(bad), Some(good)) => (bad.to_vec(), good.to_vec()),
        _ => (b"bad".to_vec(), b"good".to_vec()),
    }
}

/// `git bisect start [BAD [GOOD…]]`. The first revision is bad, the others are good. A search that was under way is
/// given up, from where it began.
fn start(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let (mut bad, mut good) = (b"bad".to_vec(), b"good".to_vec());
    let mut commits = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.as_slice() {
            b"--" => break,
            b"--term-new" | b"--term-bad" => bad = rest.next().cloned().unwrap_or_default(),
            b"--term-old" | b"--term-good" => good = rest.next().cloned().unwrap_or_default(),
            long if long.starts_with(b"--term-new=") || long.starts_with(b"--term-bad=") => {
                bad = long[11..].to_vec();
            }
            long if long.starts_with(b"--term-old=") => good = long[11..].to_vec(),
            long if long.starts_with(b"--term-good=") => good = long[12..].to_vec(),
            long if long.starts_with(b"--") => {
                return Err(error(bytes!("unrecognized option: '", long, "'")));
            }
            word => match revision::find(repository, word)? {
                Some(id) => commits.push(revision::commit_of(repository, &id)?.id),
                None => {
                    return Err(fatal(bytes!(
                        "'",
                        word,
                        "' does not appear to be a valid revision"
                    )));
                }
            },
        }
    }
    let head = match repository.note("BISECT_START") {
        // A new start goes back to where the first one was.
        Some(start) => {
            let start = start.trim_ascii().to_vec();
            super::switch::checkout(repository, &[b"-q".to_vec(), start.clone()])?;
            start
        }
        None => match repository.refs.branch() {
            Some(branch) => branch,
            None => repository.head_commit()?.id.to_string().into_bytes(),
        },
    };
    forget(repository)?;
    write_file(&repository.own("BISECT_START"), &bytes!(head, "\n"))?;
    write_file(&repository.own("BISECT_NAMES"), b"\n")?;
    write_file(
        &repository.own("BISECT_TERMS"),
        &bytes!(bad, "\n", good, "\n"),
    )?;
    let mut log = Vec::new();
    for (at, id) in commits.iter().enumerate() {
        let kind = if at == 0 { "bad" } else { "good" };
        let term = if at == 0 { &bad } else { &good };
        set(repository, kind, id)?;
        log.extend(line(repository, term, id)?);
    }
    let mut command = b"git bisect start".to_vec();
    for word in words {
        command.extend(bytes!(" ", quoted(word)));
    }
    append(repository, &bytes!(log, command, "\n"))?;
    next(repository)
}

/// A word as git quotes it for a shell in the log: in single quotes, with `'` and `!` outside of them.
pub(super) fn quoted(word: &[u8]) -> Vec<u8> {
    let mut out = b"'".to_vec();
    for &byte in word {
        match byte {
            b'\'' | b'!' => out.extend([b'\'', b'\\', byte, b'\'']),
            _ => out.push(byte),
        }
    }
    out.push(b'\'');
    out
}

/// What the log says of a mark.
fn line(repository: &Repository, term: &[u8], id: &Id) -> Outcome<Vec<u8>> {
    let subject = repository.objects.commit(id)?.subject();
    Ok(bytes!("# ", term, format!(": [{id}] "), subject, "\n"))
}

/// Adds to `BISECT_LOG`.
fn append(repository: &Repository, text: &[u8]) -> Outcome {
    let mut log = repository.note("BISECT_LOG").unwrap_or_default();
    log.extend_from_slice(text);
    write_file(&repository.own("BISECT_LOG"), &log)
}

/// Remembers a mark as git does: a reference.
fn set(repository: &Repository, kind: &str, id: &Id) -> Outcome {
    let name = match kind {
        "bad" => b"refs/bisect/bad".to_vec(),
        kind => format!("refs/bisect/{kind}-{id}").into_bytes(),
    };
    repository
        .refs
        .set(&name, &super::refs::Target::Object(*id))
}

/// Marks commits, `HEAD` where none is named, and goes on. `kind` is `bad`, `good` or `skip`, whatever the terms are;
/// a range may be skipped as a whole.
fn mark_all(repository: &mut Repository, kind: &str, words: &[Vec<u8>]) -> Outcome<i32> {
    let head = [b"HEAD".to_vec()];
    let words = if words.is_empty() { &head[..] } else { words };
    let terms = terms(repository);
    let term = match kind {
        "bad" => terms.0,
        "good" => terms.1,
        _ => b"skip".to_vec(),
    };
    for word in words {
        let mut ids = Vec::new();
        if kind == "skip" && revision::split_range(word).is_some() {
            let mut range = revision::Range::default();
            if range.add(repository, word)? {
                let mut walk = Walk::new(repository, &range.include, &range.exclude)?;
                while let Some(commit) = walk.next()? {
                    ids.push(commit.id);
                }
            }
        } else if let Some(id) = revision::find(repository, word)? {
            ids.push(revision::commit_of(repository, &id)?.id);
        }
        if ids.is_empty() {
            return Err(error(bytes!("Bad rev input: ", word)));
        }
        for id in ids {
            set(repository, kind, &id)?;
            let note = line(repository, &term, &id)?;
            append(
                repository,
                &bytes!(note, "git bisect ", term, format!(" {id}\n")),
            )?;
        }
    }
    next(repository)
}

/// Says a line of what is waited for, and keeps it in the log as a comment.
fn status(repository: &mut Repository, text: &str) -> Outcome<i32> {
    repository.out.line(text);
    append(repository, format!("# {text}\n").as_bytes())?;
    Ok(0)
}

/// Checks out the commit in the middle of what is left, or names the one that was looked for. Without a bad and a
/// good commit it says what is waited for. A good commit that is unrelated to the bad one ends it with status 1.
fn next(repository: &mut Repository) -> Outcome<i32> {
    let terms = terms(repository);
    let (new, old) = (
        String::from_utf8_lossy(&terms.0),
        String::from_utf8_lossy(&terms.1),
    );
    let bad = repository.refs.resolve(b"refs/bisect/bad");
    let good = marked(repository, b"refs/bisect/good-");
    let bad = match (bad, good.len()) {
        (None, 0) => return status(repository, "status: waiting for both good and bad commits"),
        (None, 1) => {
            return status(
                repository,
                "status: waiting for bad commit, 1 good commit known",
            );
        }
        (None, n) => {
            let text = format!("status: waiting for bad commit, {n} good commits known");
            return status(repository, &text);
        }
        (Some(_), 0) => {
            let text = "status: waiting for good commit(s), bad commit known";
            return status(repository, text);
        }
        (Some(bad), _) => bad,
    };
    for id in &good {
        if *id == bad
            || !is_ancestor(repository, id, &bad)?
                && super::walk::merge_bases(repository, id, &bad)?.is_empty()
        {
            return Err(super::stop::Stop {
                status: 1,
                message: format!("Some {old} revs are not ancestors of the {new} rev.\ngit bisect cannot work properly in this case.\nMaybe you mistook {old} and {new} revs?").into_bytes(),
            });
        }
    }
    let skipped: HashSet<Id> = marked(repository, b"refs/bisect/skip-")
        .into_iter()
        .collect();
    let candidates = candidates(repository, &bad, &good)?;
    let all = candidates.len();
    let usable: Vec<&(Commit, usize)> = candidates
        .iter()
        .filter(|(commit, _)| commit.id != bad && !skipped.contains(&commit.id))
        .collect();
    match middle(&usable, all, !skipped.is_empty()) {
        Some((commit, weight)) => try_next(repository, commit, all, all - weight - 1),
        None => conclude(repository, &candidates, &bad, &new),
    }
}

/// The commits that references below `prefix` mark, in the order of names.
fn marked(repository: &Repository, prefix: &[u8]) -> Vec<Id> {
    let list = repository.refs.list(prefix);
    list.into_iter().map(|(_, id)| id).collect()
}

/// Names the first bad commit and shows it; or, where what lies between was skipped, those that it can be, with
/// status 2.
fn conclude(
    repository: &mut Repository,
    candidates: &[(Commit, usize)],
    bad: &Id,
    new: &str,
) -> Outcome<i32> {
    if candidates.len() > 1 {
        let text = format!(
            "There are only 'skip'ped commits left to test.\nThe first {new} commit could be any of:\n"
        );
        repository.out.put(text);
        for (commit, _) in candidates {
            repository.out.line(commit.id.to_string());
        }
        repository.out.line("We cannot bisect more!");
        return Ok(2);
    }
    repository
        .out
        .line(format!("{bad} is the first {new} commit"));
    let note = line(repository, format!("first {new} commit").as_bytes(), bad)?;
    append(repository, &note)?;
    let words = ["--stat", "--summary", &bad.to_string()].map(|word| word.as_bytes().to_vec());
    super::log::show(repository, &words)
}

/// Checks out the commit that is tried next, and says how many of `all` are left then, `left`, if it is bad.
fn try_next(repository: &mut Repository, commit: &Commit, all: usize, left: usize) -> Outcome<i32> {
    let steps = steps(all);
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    repository.out.line(format!(
        "Bisecting: {left} revision{} left to test after this (roughly {steps} step{})",
        plural(left),
        plural(steps)
    ));
    repository.out.flush();
    let id = commit.id;
    write_file(
        &repository.own("BISECT_EXPECTED_REV"),
        format!("{id}\n").as_bytes(),
    )?;
    let words = [
        b"-q".to_vec(),
        b"--detach".to_vec(),
        id.to_string().into_bytes(),
    ];
    super::switch::checkout(repository, &words)?;
    let subject = commit.subject();
    repository.out.line(bytes!(format!("[{id}] "), subject));
    Ok(0)
}

/// How often half of `all` has to be tried, estimated as git does: log2, one less where all lies near a power of two.
fn steps(all: usize) -> usize {
    if all < 3 {
        return 0;
    }
    let log = all.ilog2() as usize;
    let power = 1_usize << log;
    if power < 3 * (all - power) {
        log
    } else {
        log - 1
    }
}

/// The commits that may be the one, the oldest first, each with how many of them it reaches, itself included. Each
/// weight is a walk of its own, O(n²) in the number of candidates.
fn candidates(repository: &Repository, bad: &Id, good: &[Id]) -> Outcome<Vec<(Commit, usize)>> {
    let mut walk = Walk::new(repository, &[*bad], good)?;
    let mut found = HashMap::new();
    let mut order = Vec::new();
    while let Some(commit) = walk.next()? {
        order.push(commit.id);
        found.insert(commit.id, commit);
    }
    order.reverse();
    let mut weighed = Vec::new();
    for id in &order {
        let mut seen = HashSet::from([*id]);
        let mut open = vec![*id];
        while let Some(next) = open.pop() {
            for parent in found.get(&next).map_or(&[][..], |commit| &commit.parents) {
                if found.contains_key(parent) && seen.insert(*parent) {
                    open.push(*parent);
                }
            }
        }
        weighed.push((found[id].clone(), seen.len()));
    }
    Ok(weighed)
}

/// The first that divides `all` in half, or the one that comes nearest. With `sorted`, as where commits were skipped,
/// the least name of those that are equally good is taken.
fn middle<'a>(
    usable: &[&'a (Commit, usize)],
    all: usize,
    sorted: bool,
) -> Option<&'a (Commit, usize)> {
    let distance = |weight: usize| weight.min(all - weight);
    if sorted {
        let key = |one: &&&(Commit, usize)| (std::cmp::Reverse(distance(one.1)), one.0.id);
        return usable.iter().min_by_key(key).copied();
    }
    // One with nothing behind it divides nothing.
    let halves = |one: &&&(Commit, usize)| one.1 > 1 && (2 * one.1).abs_diff(all) <= 1;
    let half = usable.iter().find(halves);
    let best = || {
        let mut best: Option<&&(Commit, usize)> = None;
        for one in usable {
            if best.is_none_or(|best| distance(one.1) > distance(best.1)) {
                best = Some(one);
            }
        }
        best
    };
    half.or_else(best).copied()
}

/// `git bisect reset [COMMIT]`: back to where the search began, or to a commit, without its notes.
fn reset(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let Some(start) = repository.note("BISECT_START") else {
        repository.out.line("We are not bisecting.");
        return Ok(0);
    };
    let target = match words.iter().find(|word| !word.starts_with(b"-")) {
        Some(word) => word.clone(),
        None => start.trim_ascii().to_vec(),
    };
    if revision::find(repository, &target)?.is_none() {
        return Err(error(bytes!("'", target, "' is not a valid commit")));
    }
    super::switch::checkout(repository, &[target])?;
    forget(repository)?;
    Ok(0)
}

/// Removes references and files of the search.
fn forget(repository: &Repository) -> Outcome {
    for (name, _) in repository.refs.list(b"refs/bisect/") {
        repository.refs.delete(&name)?;
    }
    for name in FILES {
        repository.forget(name);
    }
    Ok(())
}

/// Lets a command say which commits are good: 0 is good, 125 skips, others up to 127 are bad; from 128 on the run
/// ends with an error and the search stays. The command runs in a shell, with the words quoted, in the working
/// directory.
fn run(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    if words.is_empty() {
        return Err(error("bisect run failed: no command provided."));
    }
    let shown: Vec<Vec<u8>> = words.iter().map(|word| quoted(word)).collect();
    let command = shown.join(&b' ');
    loop {
        repository.out.line(bytes!("running ", command));
        repository.out.flush();
        let started = launch::shell(&command, None, system::Streams::default());
        let ended = started.and_then(system::wait);
        let status = ended.map_or(128, |exit| exit.status());
        let kind = match status {
            0 => "good",
            125 => "skip",
            1..=127 => "bad",
            _ => {
                let message = format!("bisect run failed: exit code {status} from ");
                return Err(error(bytes!(message, command, " is < 0 or >= 128")));
            }
        };
        let before = repository.note("BISECT_LOG").unwrap_or_default().len();
        let outcome = mark_all(repository, kind, &[])?;
        if outcome != 0 {
            repository.say("error: bisect run cannot continue any more");
            return Ok(outcome);
        }
        let log = repository.note("BISECT_LOG").unwrap_or_default();
        let first = bytes!("# first ", terms(repository).0, " commit: ");
        if log[before.min(log.len())..]
            .windows(first.len())
            .any(|part| part == first)
        {
            let name = String::from_utf8_lossy(&terms(repository).0).into_owned();
            repository
                .out
                .line(format!("bisect found first {name} commit"));
            return Ok(0);
        }
    }
}

/// Does again what a log says: its lines `git bisect TERM COMMIT`, by full names. Lines of `start` are passed over,
/// so terms of one's own must be those of this search.
fn replay(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let Some(path) = words.first() else {
        return Err(error("no logfile given"));
    };
    let text = system::read_whole(path)
        .map_err(|_| error(bytes!("cannot read file '", path, "' for replaying")))?;
    forget(repository)?;
    let head = match repository.refs.branch() {
        Some(branch) => branch,
        None => identity(repository).name,
    };
    write_file(&repository.own("BISECT_START"), &bytes!(head, "\n"))?;
    for line in text.split(|&byte| byte == b'\n') {
        let Some(rest) = line.strip_prefix(b"git bisect ") else {
            continue;
        };
        let words: Vec<&[u8]> = rest.split(|&byte| byte == b' ').collect();
        let known = terms(repository);
        let kind = match words[0] {
            word if word == known.0 => "bad",
            word if word == known.1 => "good",
            b"skip" => "skip",
            _ => continue,
        };
        if let Some(id) = words.get(1).and_then(|word| parse_id(word)) {
            set(repository, kind, &id)?;
        }
    }
    append(repository, &text)?;
    next(repository)
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn steps_are_those_that_git_names() {
        let cases = [
            (1, 0),
            (2, 0),
            (3, 1),
            (4, 1),
            (5, 1),
            (6, 2),
            (8, 2),
            (10, 2),
            (11, 3),
            (12, 3),
            (100, 6),
        ];
        for (all, expected) in cases {
            assert_eq!(steps(all), expected, "{all}");
        }
    }
}
