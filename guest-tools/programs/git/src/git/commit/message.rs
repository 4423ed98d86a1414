//! The message of a commit: where it comes from, the editor that is begun with it, and the hooks that see it.

use super::{clean, sign, trailer};
use crate::call::bytes;
use crate::git::editor;
use crate::git::flags::Flags;
use crate::git::hooks::{self, Hook};
use crate::git::objects::{Commit, Person, write_file};
use crate::git::pathspec::Pathspec;
use crate::git::repository::Repository;
use crate::git::status::{self, Status, Untracked};
use crate::git::stop::{Outcome, Stop, error, fatal, file, quiet, usage};
use crate::git::tree::Items;
use crate::git::{change, config, diff, patch, revision};
use crate::system;

/// What of a text is cleaned away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cleanup {
    /// Blanks and lines that begin with `#`.
    Strip,
    /// Blanks.
    Whitespace,
    /// Blanks, and all from the scissors on.
    Scissors,
    /// Nothing.
    Verbatim,
}

/// The line below which nothing is part of the message.
const SCISSORS: &[u8] = b"# ------------------------ >8 ------------------------\n";

/// What is known of the commit whose message is looked for.
pub(super) struct About<'a> {
    pub head: &'a Option<Commit>,
    pub author: &'a Person,
    pub committer: &'a Person,
    /// The files of the commit before, to which those of the new one are compared.
    pub before: Items,
    /// Whether the author's time is one that was given or kept.
    pub dated: bool,
    /// Whether hooks are run.
    pub hooks: bool,
}

/// A message before anybody has worked on it.
struct Draft {
    text: Vec<u8>,
    /// Whether it is complete, so that no editor is needed.
    given: bool,
    /// The content of the template that it was begun with.
    template: Option<Vec<u8>>,
    /// What `prepare-commit-msg` is told of where it comes from.
    source: Vec<Vec<u8>>,
}

/// The message as the command line, the editor and the hooks make it.
pub(super) fn message(
    repository: &mut Repository,
    flags: &Flags,
    about: &About<'_>,
) -> Outcome<Vec<u8>> {
    let draft = draft(repository, flags, about.head)?;
    let edits = flags.has("e") || flags.has("edit") || !draft.given && !flags.denied("edit");
    let cleanup = cleanup(repository, flags, edits)?;
    let mut text = draft.text;
    if cleanup != Cleanup::Verbatim && draft.template.is_none() {
        // Without an editor lines with `#` are text.
        text = clean(&text, cleanup == Cleanup::Strip && !edits);
    }
    if flags.has("s") {
        sign(&mut text, about.committer);
    }
    for line in flags.values("trailer") {
        let line = match line.iter().position(|byte| b"=:".contains(byte)) {
            Some(at) => bytes!(&line[..at], ": ", line[at + 1..].trim_ascii()),
            None => bytes!(line, ":"),
        };
        trailer(&mut text, &line);
    }
    let path = repository.own("COMMIT_EDITMSG");
    let verbose = flags.has("v") || repository.config.truth("commit.verbose", false);
    let mut whole = text;
    if edits && !flags.denied("status") && repository.config.truth("commit.status", true) {
        whole.extend(notes(repository, about, cleanup, verbose)?);
    }
    write_file(&path, &whole)?;
    let shown = repository.near(&path);
    let calm = [("GIT_EDITOR", b":".as_slice())];
    let variables = if edits { &[] } else { calm.as_slice() };
    if about.hooks {
        let mut arguments = vec![shown.as_slice()];
        arguments.extend(draft.source.iter().map(Vec::as_slice));
        run_hook(repository, "prepare-commit-msg", &arguments, variables)?;
    }
    if edits {
        edit(repository, &path)?;
    }
    if about.hooks && !flags.has("n") {
        run_hook(repository, "commit-msg", &[&shown], variables)?;
    }
    let read = system::read_whole(&path).map_err(|failure| file("could not read", &path, failure));
    let whole = read?;
    let cut = if edits && verbose || cleanup == Cleanup::Scissors {
        above_scissors(&whole)
    } else {
        &whole
    };
    let text = match cleanup {
        Cleanup::Verbatim => cut.to_vec(),
        _ => clean(cut, cleanup == Cleanup::Strip),
    };
    if flags.has("allow-empty-message") {
        return Ok(text);
    }
    let untouched = draft.template.as_ref().filter(|template| {
        let template = clean(template, cleanup == Cleanup::Strip);
        edits && text.strip_prefix(template.as_slice()) == Some(b"") && !template.is_empty()
    });
    if untouched.is_some() {
        repository.say("Aborting commit; you did not edit the message.");
        return Err(quiet(1));
    }
    if is_empty(&text) {
        repository.say("Aborting commit due to empty commit message.");
        return Err(quiet(1));
    }
    Ok(text)
}

/// Whether a message says nothing: it is blank, or has nothing but who signed off.
fn is_empty(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.all(|line| line.trim_ascii().is_empty() || line.starts_with(b"Signed-off-by: "))
}

/// How a text is cleaned: `--cleanup`, the setting, or what is usual with and without an editor.
fn cleanup(repository: &Repository, flags: &Flags, edits: bool) -> Outcome<Cleanup> {
    let given = flags
        .value("cleanup")
        .or_else(|| repository.config.get("commit.cleanup"));
    Ok(match given {
        None | Some(b"default") if edits => Cleanup::Strip,
        None | Some(b"default" | b"whitespace") => Cleanup::Whitespace,
        Some(b"strip") => Cleanup::Strip,
        Some(b"verbatim") => Cleanup::Verbatim,
        Some(b"scissors") if edits => Cleanup::Scissors,
        Some(b"scissors") => Cleanup::Whitespace,
        Some(other) => return Err(fatal(bytes!("Invalid cleanup mode ", other))),
    })
}

/// Runs a hook that may refuse the commit, with status 1.
fn run_hook(
    repository: &mut Repository,
    name: &str,
    arguments: &[&[u8]],
    variables: &[(&str, &[u8])],
) -> Outcome {
    let index = repository.near(&repository.own("index"));
    let mut all = vec![("GIT_INDEX_FILE", index.as_slice())];
    all.extend_from_slice(variables);
    let hook = Hook {
        arguments,
        variables: &all,
        ..Hook::default()
    };
    match hooks::run(repository, name, &hook) {
        0 => Ok(()),
        _ => Err(quiet(1)),
    }
}

/// Lets the user's editor work on the message.
fn edit(repository: &mut Repository, path: &[u8]) -> Outcome {
    let advice = "\nPlease supply the message using either -m or -F option.";
    if editor::command(repository).is_none() {
        return Err(error(bytes!("Terminal is dumb, but EDITOR unset", advice)));
    }
    editor::launch(repository, path).map_err(|stop| Stop {
        message: bytes!(stop.message, advice),
        ..stop
    })
}

/// What stands above the scissors.
fn above_scissors(text: &[u8]) -> &[u8] {
    if text.starts_with(SCISSORS) {
        return b"";
    }
    let line = bytes!("\n", SCISSORS);
    let at = text.windows(line.len()).position(|part| part == line);
    at.map_or(text, |at| &text[..=at])
}

/// Where the message comes from: `-m`, `-F`, another commit, what a merge left, or a template.
fn draft(repository: &Repository, flags: &Flags, head: &Option<Commit>) -> Outcome<Draft> {
    let mut draft = Draft {
        text: Vec::new(),
        given: true,
        template: None,
        source: vec![b"message".to_vec()],
    };
    let mut parts: Vec<Vec<u8>> = Vec::new();
    if let Some(name) = flags.value("fixup") {
        if let Some(fixed) = fixup(repository, flags, name)? {
            return Ok(Draft {
                text: fixed,
                given: false,
                source: Vec::new(),
                ..draft
            });
        }
        let commit = revision::commit(repository, name)?;
        parts.push(bytes!("fixup! ", commit.subject()));
    }
    if let Some(name) = flags.value("squash") {
        let commit = revision::commit(repository, name)?;
        parts.push(bytes!("squash! ", commit.subject()));
        draft.given = flags.has("m") || flags.has("F");
    }
    parts.extend(flags.values("m").map(<[u8]>::to_vec));
    if let Some(path) = flags.value("F") {
        let text = system::read_whole(path);
        parts.push(text.map_err(|failure| file("could not read log file", path, failure))?);
    }
    if !parts.is_empty() {
        for part in &mut parts {
            if !part.is_empty() && !part.ends_with(b"\n") {
                part.push(b'\n');
            }
        }
        draft.text = parts.join(&b'\n');
        return Ok(draft);
    }
    draft.given = false;
    let merging = repository.note("MERGE_HEAD").is_some();
    if let Some(key) = flags.last(&["C", "c"]) {
        let name = flags.value(key).unwrap_or_default();
        draft.text = revision::commit(repository, name)?.message;
        draft.given = key == "C";
        draft.source = vec![b"commit".to_vec(), name.to_vec()];
    } else if let (true, Some(head)) = (flags.has("amend"), head) {
        draft.text.clone_from(&head.message);
        draft.source = vec![b"commit".to_vec(), b"HEAD".to_vec()];
    } else if let Some(text) = repository.note("MERGE_MSG") {
        draft.text = text;
        draft.source = match repository.note("CHERRY_PICK_HEAD") {
            Some(_) if !merging => vec![b"commit".to_vec(), b"CHERRY_PICK_HEAD".to_vec()],
            _ => vec![b"merge".to_vec()],
        };
    } else if let Some(text) = repository.note("SQUASH_MSG") {
        draft.text = text;
        draft.source = vec![b"squash".to_vec()];
    } else {
        draft.source = Vec::new();
        let setting = repository.config.get("commit.template").map(config::home);
        if let Some(path) = flags.value("t").map(<[u8]>::to_vec).or(setting) {
            let text = system::read_whole(&path)
                .map_err(|failure| file("could not read", &path, failure))?;
            draft.text.clone_from(&text);
            draft.template = Some(text);
            draft.source = vec![b"template".to_vec()];
        }
    }
    Ok(draft)
}

/// The message of `--fixup=amend:X` and `--fixup=reword:X`, which is to be edited; none for a plain `--fixup`.
fn fixup(repository: &Repository, flags: &Flags, name: &[u8]) -> Outcome<Option<Vec<u8>>> {
    for kind in ["amend", "reword"] {
        let Some(name) = name.strip_prefix(bytes!(kind, ":").as_slice()) else {
            continue;
        };
        if flags.has("m") {
            return Err(fatal(format!(
                "options '-m' and '--fixup:{kind}' cannot be used together"
            )));
        }
        let commit = revision::commit(repository, name)?;
        let body = commit.message.strip_prefix(b"amend! ".as_slice());
        let body = body.unwrap_or(&commit.message);
        return Ok(Some(bytes!("amend! ", commit.subject(), "\n\n", body)));
    }
    if flags.has("F") {
        return Err(usage("options '-F' and '--fixup' cannot be used together"));
    }
    Ok(None)
}

/// What stands below the message in the editor: what to do, who writes, and the status.
fn notes(
    repository: &Repository,
    about: &About<'_>,
    cleanup: Cleanup,
    verbose: bool,
) -> Outcome<Vec<u8>> {
    let mut out = b"\n".to_vec();
    for (note, what) in [("MERGE_HEAD", "merge"), ("CHERRY_PICK_HEAD", "cherry-pick")] {
        if repository.note(note).is_some() {
            out.extend_from_slice(
                format!(
                    "#\n# It looks like you may be committing a {what}.\n\
                     # If this is not correct, please run\n#\tgit update-ref -d {note}\n\
                     # and try again.\n\n"
                )
                .as_bytes(),
            );
            break;
        }
    }
    out.extend(match cleanup {
        Cleanup::Strip => b"# Please enter the commit message for your changes. Lines starting\n\
              # with '#' will be ignored, and an empty message aborts the commit.\n"
            .to_vec(),
        Cleanup::Scissors => below(),
        _ => b"# Please enter the commit message for your changes. Lines starting\n\
              # with '#' will be kept; you may remove them yourself if you want to.\n\
              # An empty message aborts the commit.\n"
            .to_vec(),
    });
    let (author, committer) = (about.author, about.committer);
    let mut people = Vec::new();
    if author.name != committer.name || author.mail != committer.mail {
        people.extend(bytes!(
            "# Author:    ",
            author.name,
            " <",
            author.mail,
            ">\n"
        ));
    }
    if about.dated {
        let date = crate::git::date::DateStyle::default().show(author);
        people.extend(bytes!("# Date:      ", date, "\n"));
    }
    if !people.is_empty() {
        out.extend(bytes!("#\n", people));
    }
    out.extend_from_slice(b"#\n");
    let paths = Pathspec::default();
    let mut status = Status::new(repository, &paths, Untracked::Folders, false, true)?;
    let staged = diff::staged(&about.before, &repository.index()?, &paths);
    status.staged = change::find_renames(&repository.objects, staged, 50, false)?;
    status.staged.retain(|change| !change.unmerged);
    let text = status::long(repository, &status, Untracked::Folders, true)?;
    for line in status::without_hints(&text, true).split_inclusive(|&byte| byte == b'\n') {
        let gap: &[u8] = match line[0] {
            b'\n' | b'\t' => b"",
            _ => b" ",
        };
        out.extend(bytes!("#", gap, line));
    }
    if verbose {
        if cleanup != Cleanup::Scissors {
            out.extend(below());
        }
        for change in &status.staged {
            patch::print(
                &mut out,
                &repository.objects,
                change,
                &patch::Style::default(),
            )?;
        }
    }
    Ok(out)
}

/// The scissors and what they say.
fn below() -> Vec<u8> {
    bytes!(
        SCISSORS,
        "# Do not modify or remove the line above.\n# Everything below it will be ignored.\n"
    )
}
