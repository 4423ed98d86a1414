//! `git am` (Documentation/git-am): commits from mails.
//!
//! A mailbox (RFC 4155: mails begin with a line `From `) is split into `.git/rebase-apply/0001` and so on, and each
//! is applied and committed by the functions of `git apply` and `git commit`. `next` and `last` in that folder say
//! how far it came, so any git may go on with it. A mail is headers (RFC 5322, with words of RFC 2047), a message up
//! to `---` or the first `diff`, and a patch up to a line `-- `.
//!
//! Bodies in quoted-printable and base64 are decoded, and ISO 8859-1 is read as such; attachments are not looked into.
//! With `-3` a patch that does not apply is put onto the files that it was made from, as far as they are here, and
//! merged. `--keep-cr` is accepted without effect; `-p`, `--whitespace` and `--directory` hold for the call that gives
//! them, and not for a later `--continue`.

mod fallback;

use gix_object::Kind;

use super::flags::Flags;
use super::hooks::{self, Hook};
use super::objects::{Commit, Id, Person, none, parse_id, write_file};
use super::refs::make_parents;
use super::repository::{Repository, parse_date};
use super::reset::hard;
use super::stop::{Outcome, Stop, fatal, quiet};
use super::{apply, commit, tree};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// The folder in `.git` with the mails that are left.
const FOLDER: &str = "rebase-apply";

/// The options that are read.
const OPTIONS: &[Opt] = &[
    Opt("", "continue", Value::No),
    Opt("r", "resolved", Value::No),
    Opt("", "skip", Value::No),
    Opt("", "abort", Value::No),
    Opt("", "quit", Value::No),
    Opt("", "show-current-patch", Value::Optional),
    Opt("s", "signoff", Value::No),
    Opt("k", "keep", Value::No),
    Opt("3", "3way", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("p", "", Value::Required),
    Opt("", "whitespace", Value::Required),
    Opt("", "ignore-whitespace", Value::No),
    Opt("", "committer-date-is-author-date", Value::No),
    Opt("", "ignore-date", Value::No),
    Opt("", "keep-cr", Value::No),
    Opt("", "directory", Value::Required),
    Opt("c", "scissors", Value::No),
    Opt("n", "no-verify", Value::No),
    Opt("u", "utf8", Value::No),
    Opt("", "patch-format", Value::Required),
    Opt("", "allow-empty", Value::No),
    Opt("", "empty", Value::Required),
];

/// What one mail says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Mail {
    /// `Name <mail>`, without quotes; a line `From: ` at the start of the body wins over the header.
    author: Vec<u8>,
    /// The header's value, for `--date`; empty where there is none.
    date: Vec<u8>,
    /// Subject without its tags, and body.
    message: Vec<u8>,
    /// What `git apply` gets, with the diffstat before it.
    patch: Vec<u8>,
}

/// `git am`: begins with mails of files or standard input, or goes on with what is under way. The index must be that
/// of `HEAD`.
pub fn am(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    repository.root()?;
    let under_way = system::stat(&repository.own(FOLDER), true).is_ok();
    let verbs = [
        "continue",
        "r",
        "skip",
        "abort",
        "quit",
        "show-current-patch",
        "allow-empty",
    ];
    if let Some(verb) = flags.last(&verbs) {
        if !under_way {
            return Err(fatal(
                "Resolve operation not in progress, we are not resuming.",
            ));
        }
        return resume(repository, &flags, verb);
    }
    if under_way {
        return Err(fatal(
            "previous rebase directory .git/rebase-apply still exists but mbox given.",
        ));
    }
    let mut sources = flags.all_paths();
    if sources.is_empty() {
        sources.push(b"-".to_vec());
    }
    let mut mails = Vec::new();
    for path in &sources {
        let text = system::read_whole(path).map_err(|failure| {
            fatal(bytes!("could not open '", path, "' for reading: ", failure))
        })?;
        mails.extend(split(&text));
    }
    let items = repository.head_items()?;
    let index = repository.index()?;
    if !super::change::between(&items, &index.items()).is_empty() {
        return Err(fatal("Dirty index: cannot apply patches"));
    }
    make_parents(&repository.own(&format!("{FOLDER}/")))?;
    for (at, mail) in mails.iter().enumerate() {
        write_file(&repository.own(&format!("{FOLDER}/{:04}", at + 1)), mail)?;
    }
    let head = repository
        .head()
        .map_or_else(String::new, |id| format!("{id}\n"));
    let note = |on: bool| if on { b"t\n".to_vec() } else { b"f\n".to_vec() };
    let config = |name: &str| repository.config.truth(name, false);
    let threeway = flags.has("3") || !flags.denied("3") && config("am.threeway");
    let scissors = flags.has("c") || !flags.denied("c") && config("mailinfo.scissors");
    let notes = [
        ("threeway", note(threeway)),
        ("scissors", note(scissors)),
        ("keep", note(flags.has("k"))),
        (
            "author-dates",
            note(flags.has("committer-date-is-author-date")),
        ),
        ("new-dates", note(flags.has("ignore-date"))),
        ("next", b"1\n".to_vec()),
        ("last", format!("{}\n", mails.len()).into_bytes()),
        ("abort-safety", head.clone().into_bytes()),
        ("applying", Vec::new()),
        ("sign", note(flags.has("s"))),
        ("quiet", note(flags.has("q"))),
    ];
    for (name, text) in notes {
        write_file(&repository.own(&format!("{FOLDER}/{name}")), &text)?;
    }
    write_file(&repository.own("ORIG_HEAD"), head.as_bytes())?;
    go_on(repository, &flags)
}

/// A number that the folder keeps; 1 where it is missing.
fn number(repository: &Repository, name: &str) -> usize {
    let text = repository
        .note(&format!("{FOLDER}/{name}"))
        .unwrap_or_default();
    crate::options::number(text.trim_ascii()).unwrap_or(1)
}

/// A truth value that the folder keeps, as `t` or `f`.
fn truth(repository: &Repository, name: &str) -> bool {
    let text = repository
        .note(&format!("{FOLDER}/{name}"))
        .unwrap_or_default();
    text.starts_with(b"t")
}

/// Applies the mails that are left. One that does not apply stops it with status 128; the folder stays for
/// `--continue`.
fn go_on(repository: &mut Repository, flags: &Flags) -> Outcome<i32> {
    let last = number(repository, "last");
    loop {
        let next = number(repository, "next");
        if next > last {
            forget(repository)?;
            return Ok(0);
        }
        let mut mail = current(repository)?;
        if mail.patch.iter().all(u8::is_ascii_whitespace) {
            match flags.value("empty") {
                Some(b"drop") => {
                    let subject = super::objects::subject(&mail.message);
                    repository.out.line(bytes!("Skipping: ", subject));
                    advance(repository, next)?;
                    continue;
                }
                Some(b"keep") => {
                    let subject = super::objects::subject(&mail.message);
                    let line = bytes!("Creating an empty commit: ", subject);
                    repository.out.line(line);
                    make(repository, &mail)?;
                    advance(repository, next)?;
                    continue;
                }
                _ => return Err(is_empty(repository)),
            }
        }
        ask_hook(repository, flags, &mut mail)?;
        let subject = first_line(&mail.message);
        if !truth(repository, "quiet") {
            repository.out.line(bytes!("Applying: ", subject));
        }
        let path = repository.own(&format!("{FOLDER}/patch"));
        write_file(&path, &mail.patch)?;
        let mut words = vec![b"--index".to_vec()];
        for key in ["p", "whitespace", "directory"] {
            if let Some(value) = flags.value(key) {
                let dashes = if key.len() == 1 { "-" } else { "--" };
                let equals = if key.len() == 1 { "" } else { "=" };
                words.push(bytes!(dashes, key, equals, value));
            }
        }
        if flags.has("ignore-whitespace") {
            words.push(b"--ignore-whitespace".to_vec());
        }
        let threeway = truth(repository, "threeway");
        words.push(path);
        if threeway && fallback::is_needed(repository, &mail.patch) {
            match fallback::merge(repository, &mail.patch, &subject) {
                Ok(true) => {}
                Ok(false) => {
                    advance(repository, next)?;
                    continue;
                }
                Err(stop) => return refuse(repository, next, &subject, &stop),
            }
        } else {
            let applied = apply::apply(Some(repository), &words);
            if !matches!(applied, Ok(0)) {
                let stop = applied.err().unwrap_or_else(|| quiet(1));
                return refuse(repository, next, &subject, &stop);
            }
        }
        make(repository, &mail)?;
        advance(repository, next)?;
    }
}

/// Says that a patch does not apply, and what can be done.
fn refuse(repository: &mut Repository, next: usize, subject: &[u8], stop: &Stop) -> Outcome<i32> {
    if !stop.message.is_empty() {
        repository.say(&stop.message);
    }
    repository
        .out
        .line(bytes!(format!("Patch failed at {next:04} "), subject));
    repository.say("hint: Use 'git am --show-current-patch=diff' to see the failed patch");
    Err(advise(repository, false))
}

/// Says how to go on, and gives the end of the command.
fn advise(repository: &Repository, empty: bool) -> Stop {
    let record = if empty {
        "hint: To record the empty patch as an empty commit, run \"git am --allow-empty\".\n"
    } else {
        ""
    };
    repository.say(format!(
        "hint: When you have resolved this problem, run \"git am --continue\".\n\
         hint: If you prefer to skip this patch, run \"git am --skip\" instead.\n{record}\
         hint: To restore the original branch and stop patching, run \"git am --abort\".\n\
         hint: Disable this message with \"git config advice.mergeConflict false\"",
    ));
    quiet(128)
}

/// The first line of a message.
fn first_line(message: &[u8]) -> Vec<u8> {
    let line = message.split(|&byte| byte == b'\n').next();
    line.unwrap_or_default().to_vec()
}

/// A mail has no patch.
fn is_empty(repository: &mut Repository) -> Stop {
    repository.out.line("Patch is empty.");
    advise(repository, true)
}

/// Runs `applypatch-msg`, which may change the message or refuse it.
fn ask_hook(repository: &mut Repository, flags: &Flags, mail: &mut Mail) -> Outcome {
    if flags.has("n") || !hooks::exists(repository, "applypatch-msg") {
        return Ok(());
    }
    let name = format!("{FOLDER}/final-commit");
    let path = repository.own(&name);
    write_file(&path, &mail.message)?;
    let shown = repository.near(&path);
    let hook = Hook {
        arguments: &[&shown],
        ..Hook::default()
    };
    if hooks::run(repository, "applypatch-msg", &hook) != 0 {
        return Err(quiet(1));
    }
    mail.message = repository.note(&name).unwrap_or_default();
    Ok(())
}

/// Notes that a mail is done.
fn advance(repository: &Repository, next: usize) -> Outcome {
    let text = format!("{}\n", next + 1);
    write_file(&repository.own(&format!("{FOLDER}/next")), text.as_bytes())
}

/// Commits what the index has as the mail says.
fn make(repository: &mut Repository, mail: &Mail) -> Outcome {
    if hooks::run(repository, "pre-applypatch", &Hook::default()) != 0 {
        return Err(quiet(1));
    }
    let mut committer = repository.committer()?;
    let mut author = Person::parse(&mail.author);
    let date = if truth(repository, "new-dates") {
        parse_date(b"now")
    } else if mail.date.is_empty() {
        let own = repository.author(None, None)?;
        Some((own.time, own.zone))
    } else {
        parse_date(&mail.date)
    };
    (author.time, author.zone) =
        date.ok_or_else(|| fatal(bytes!("invalid date format: ", mail.date)))?;
    if truth(repository, "author-dates") {
        (committer.time, committer.zone) = (author.time, author.zone);
    }
    let mut message = commit::clean(&mail.message, false);
    if truth(repository, "sign") {
        commit::sign(&mut message, &committer);
    }
    let items = repository.index()?.items();
    let mut made = Commit {
        id: none(),
        tree: tree::write(&repository.objects, &items)?,
        parents: repository.head().into_iter().collect(),
        author,
        committer,
        message,
    };
    made.id = repository.objects.write(Kind::Commit, &made.content())?;
    let why = bytes!("am: ", made.subject());
    let who = super::branch::identity(repository);
    repository.refs.update(b"HEAD", &made.id, &who, &why)?;
    let safety = format!("{}\n", made.id);
    write_file(
        &repository.own(&format!("{FOLDER}/abort-safety")),
        safety.as_bytes(),
    )?;
    hooks::run(repository, "post-applypatch", &Hook::default());
    Ok(())
}

/// The mail that is next.
fn current(repository: &Repository) -> Outcome<Mail> {
    let next = number(repository, "next");
    let text = repository
        .note(&format!("{FOLDER}/{next:04}"))
        .unwrap_or_default();
    match parse(
        &text,
        truth(repository, "keep"),
        truth(repository, "scissors"),
    ) {
        Some(mail) => Ok(mail),
        // What is no mail has no patch, which is told when it is its turn.
        None => Ok(Mail::default()),
    }
}

/// `--continue`, `--skip`, `--abort`, `--quit` and `--show-current-patch`. An abort is a `reset --hard` to where it
/// began.
fn resume(repository: &mut Repository, flags: &Flags, verb: &str) -> Outcome<i32> {
    let next = number(repository, "next");
    match verb {
        "show-current-patch" => {
            let name = match flags.value("show-current-patch") {
                Some(b"diff") => format!("{FOLDER}/patch"),
                _ => format!("{FOLDER}/{next:04}"),
            };
            let text = repository.note(&name).unwrap_or_default();
            repository.out.put(text);
            Ok(0)
        }
        "quit" => forget(repository).map(|()| 0),
        "abort" => {
            let id = |name: &str| -> Option<Id> { parse_id(repository.note(name)?.trim_ascii()) };
            let safety = id(&format!("{FOLDER}/abort-safety"));
            if safety.is_some() && safety != repository.head() {
                repository.say(
                    "warning: You seem to have moved HEAD since the last 'am' failure.\n\
                     Not rewinding to ORIG_HEAD",
                );
            } else if let Some(start) = id("ORIG_HEAD") {
                let words = [
                    b"-q".to_vec(),
                    b"--hard".to_vec(),
                    start.to_string().into_bytes(),
                ];
                super::reset::reset(repository, &words)?;
            }
            forget(repository)?;
            Ok(0)
        }
        "skip" => {
            hard(repository, &repository.head_items()?)?;
            advance(repository, next)?;
            go_on(repository, flags)
        }
        _ => {
            let mail = current(repository)?;
            let index = repository.index()?;
            let subject = super::objects::subject(&mail.message);
            if verb == "allow-empty" {
                let line = "No changes - recorded it as an empty commit.";
                repository.out.line(bytes!("Applying: ", subject));
                repository.out.line(line);
                make(repository, &mail)?;
                advance(repository, next)?;
                return go_on(repository, flags);
            }
            repository.out.line(bytes!("Applying: ", subject));
            if !index.conflicts().is_empty() {
                repository.out.line(
                    "You still have unmerged paths in your index.\n\
                     You should 'git add' each file with resolved conflicts to mark them as such.\n\
                     You might run `git rm` on a file to accept \"deleted by them\" for it.",
                );
                return Err(advise(repository, false));
            }
            if super::change::between(&repository.head_items()?, &index.items()).is_empty() {
                repository.out.line(
                    "No changes - did you forget to use 'git add'?\n\
                     If there is nothing left to stage, chances are that something else\n\
                     already introduced the same changes; you might want to skip this patch.",
                );
                return Err(advise(repository, false));
            }
            make(repository, &mail)?;
            advance(repository, next)?;
            go_on(repository, flags)
        }
    }
}

/// Removes the folder.
fn forget(repository: &Repository) -> Outcome {
    let folder = repository.own(FOLDER);
    for entry in system::read_directory(&folder).unwrap_or_default() {
        let path = system::join(&folder, &entry.name);
        system::unlink(&path)
            .map_err(|failure| super::stop::file("cannot remove", &path, failure))?;
    }
    // The folder is empty now.
    let _ = system::remove_directory(&folder);
    Ok(())
}

/// The mails of a mailbox. A line `From ` begins one behind a blank line, and if it has a colon, as the time has.
fn split(text: &[u8]) -> Vec<Vec<u8>> {
    let mut mails: Vec<Vec<u8>> = Vec::new();
    let mut blank = true;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let begins =
            line.starts_with(b"From ") && blank && line.windows(6).any(|w| w.contains(&b':'));
        if begins || mails.is_empty() {
            mails.push(Vec::new());
        }
        if let Some(last) = mails.last_mut() {
            last.extend_from_slice(line);
        }
        blank = line.trim_ascii().is_empty();
    }
    mails
}

/// Reads a mail; none where a header has no colon, so it is no mail at all. `keep` leaves the subject as it is, with
/// `scissors` all above such a line is left out.
fn parse(text: &[u8], keep: bool, scissors: bool) -> Option<Mail> {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n').peekable();
    if lines.peek().is_some_and(|line| line.starts_with(b"From ")) {
        lines.next();
    }
    let (mut mail, mut subject) = (Mail::default(), Vec::new());
    let (mut encoding, mut is_latin) = (Vec::new(), false);
    let headers = headers(&mut lines);
    for header in &headers {
        let colon = header.iter().position(|&byte| byte == b':')?;
        let value = decoded(header[colon + 1..].trim_ascii());
        match header[..colon].to_ascii_lowercase().as_slice() {
            b"from" => mail.author = unquoted_name(&value),
            b"date" => mail.date = value,
            b"content-transfer-encoding" => encoding = value.to_ascii_lowercase(),
            b"content-type" => {
                let value = value.to_ascii_lowercase();
                is_latin = value.windows(10).any(|part| part == b"iso-8859-1");
            }
            b"subject" => {
                subject = if keep {
                    value
                } else {
                    cleaned(&value).to_vec()
                }
            }
            _ => {}
        }
    }
    let body = lines.collect::<Vec<_>>().concat();
    let mut body = plain(&body, &encoding);
    if is_latin {
        body = body
            .into_iter()
            .map(char::from)
            .collect::<String>()
            .into_bytes();
    }
    let (mut message, mut in_patch) = (Vec::new(), false);
    let mut first = true;
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        if in_patch {
            if line.trim_ascii_end() == b"--" && line.starts_with(b"-- ") {
                break;
            }
            mail.patch.extend_from_slice(line);
            continue;
        }
        let bare = line.trim_ascii_end();
        // The body may name another author than the sender.
        if let (true, Some(author)) = (first, bare.strip_prefix(b"From: ")) {
            mail.author = unquoted_name(&decoded(author));
            continue;
        }
        if let (true, Some(text)) = (first, bare.strip_prefix(b"Subject: ")) {
            subject = if keep {
                decoded(text)
            } else {
                cleaned(&decoded(text)).to_vec()
            };
            continue;
        }
        if let (true, Some(date)) = (first, bare.strip_prefix(b"Date: ")) {
            mail.date = date.to_vec();
            continue;
        }
        if scissors && is_scissors(bare) {
            (message, first) = (Vec::new(), true);
            continue;
        }
        first &= bare.is_empty();
        if bare == b"---" || line.starts_with(b"diff -") || line.starts_with(b"Index: ") {
            in_patch = true;
            if bare != b"---" {
                mail.patch.extend_from_slice(line);
            }
            continue;
        }
        message.extend_from_slice(line);
    }
    let message = message.trim_ascii();
    let gap: &[u8] = if message.is_empty() { b"" } else { b"\n\n" };
    mail.message = bytes!(subject, gap, message, "\n");
    Some(mail)
}

/// The headers of a mail, each in one line; the blank line behind them is read, too.
fn headers<'a>(lines: &mut impl Iterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut headers: Vec<Vec<u8>> = Vec::new();
    for line in lines {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            break;
        }
        match headers.last_mut() {
            Some(last) if line.starts_with(b" ") || line.starts_with(b"\t") => {
                last.extend(bytes!(" ", line.trim_ascii()));
            }
            _ => headers.push(line.to_vec()),
        }
    }
    headers
}

/// A body without its transfer encoding.
fn plain(body: &[u8], encoding: &[u8]) -> Vec<u8> {
    use base64::Engine as _;
    match encoding {
        b"quoted-printable" => {
            let mut joined = Vec::new();
            for line in body.split_inclusive(|&byte| byte == b'\n') {
                let bare = line.strip_suffix(b"\n").unwrap_or(line);
                let bare = bare.strip_suffix(b"\r").unwrap_or(bare);
                // An equals sign at the end is where a long line was broken.
                match bare.strip_suffix(b"=") {
                    Some(part) => joined.extend(unescaped(part, false)),
                    None => joined.extend(bytes!(unescaped(bare, false), "\n")),
                }
            }
            joined
        }
        b"base64" => {
            let letters: Vec<u8> = body
                .iter()
                .copied()
                .filter(|byte| !byte.is_ascii_whitespace())
                .collect();
            let decoded = base64::engine::general_purpose::STANDARD.decode(letters);
            decoded.unwrap_or_else(|_| body.to_vec())
        }
        _ => body.to_vec(),
    }
}

/// Whether a line is one to cut along, such as `-- >8 --`: most of it are dashes and scissors.
fn is_scissors(line: &[u8]) -> bool {
    let (mut at, mut cuts, mut marks) = (0, 0, 0);
    let visible = line
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count();
    while at < line.len() {
        let pair = line.get(at..at + 2).unwrap_or_default();
        if [b">8", b"8<", b">%", b"%<"]
            .iter()
            .any(|mark| pair == *mark)
        {
            (cuts, marks, at) = (cuts + 2, marks + 1, at + 2);
            continue;
        }
        cuts += usize::from(line[at] == b'-');
        at += 1;
    }
    marks > 0 && line.len() >= 8 && visible < cuts * 3
}

/// A subject without `Re:` and tags in brackets: `Re: [PATCH 1/2] Fix` is `Fix`.
fn cleaned(mut subject: &[u8]) -> &[u8] {
    loop {
        subject = subject.trim_ascii();
        if subject.len() >= 3 && subject[..3].eq_ignore_ascii_case(b"re:") {
            subject = &subject[3..];
        } else if subject.starts_with(b"[")
            && let Some(end) = subject.iter().position(|&byte| byte == b']')
        {
            subject = &subject[end + 1..];
        } else {
            return subject;
        }
    }
}

/// An address without quotes.
fn unquoted_name(value: &[u8]) -> Vec<u8> {
    value.iter().copied().filter(|&byte| byte != b'"').collect()
}

/// The words of RFC 2047 in a header, decoded: `=?UTF-8?q?f=C3=BCr?=` is `für`. The character set is taken for UTF-8.
/// Blanks between two words are no part of the text.
fn decoded(value: &[u8]) -> Vec<u8> {
    use base64::Engine as _;
    let text = String::from_utf8_lossy(value).into_owned();
    let mut out = Vec::new();
    let mut rest = text.as_str();
    let mut after_word = false;
    while let Some(start) = rest.find("=?") {
        let parts: Vec<&str> = rest[start + 2..].splitn(3, '?').collect();
        let [_, kind, tail] = parts[..] else { break };
        let Some(end) = tail.find("?=") else { break };
        // Blanks between two words are no part of the text.
        if !after_word || !rest[..start].trim().is_empty() {
            out.extend_from_slice(&rest.as_bytes()[..start]);
        }
        let content = &tail[..end];
        if kind.eq_ignore_ascii_case("b") {
            let bytes = base64::engine::general_purpose::STANDARD.decode(content);
            out.extend(bytes.unwrap_or_default());
        } else {
            out.extend(unescaped(content.as_bytes(), true));
        }
        rest = &tail[end + 2..];
        after_word = true;
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

/// `=XX` is a byte, and in headers (the encoding Q of RFC 2047) `_` a blank.
fn unescaped(text: &[u8], header: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let hex = text
            .get(at + 1..at + 3)
            .and_then(|d| std::str::from_utf8(d).ok());
        let byte = hex.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (text[at], byte) {
            (b'=', Some(byte)) => {
                out.push(byte);
                at += 2;
            }
            (b'_', _) if header => out.push(b' '),
            (other, _) => out.push(other),
        }
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_has_author_message_and_patch() {
        let text = b"From 0123 Mon Sep 17 00:00:00 2001\nFrom: \"A. B\" <a@b>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\
            Subject: [PATCH 1/2] =?UTF-8?q?f=C3=BCr?=\n uns\n\nBody\n---\n f | 1 +\n\ndiff --git a/f b/f\n+x\n-- \n2.47\n";
        let mail = parse(text, false, false).unwrap_or_default();
        assert_eq!(mail.author, b"A. B <a@b>");
        assert_eq!(mail.message, "für uns\n\nBody\n".as_bytes());
        assert_eq!(mail.patch, b" f | 1 +\n\ndiff --git a/f b/f\n+x\n");
    }
}
